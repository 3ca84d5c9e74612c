"""Reference answers to decisions at a table: exact equilibria of jam or fold, the shipped limit strategy, and solved
spots. `headsup.play.coach.any_stack` has those of no-limit hold'em.

A strategy's values are by its own continuation (`headsup.play.coach.continuation`); `ReferenceAnswer.kind` names the
case. Off-menu bets are translated to the menu, and the answer's note mentions it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from headsup.abstraction.bets.follow import pot_fraction, total_of
from headsup.cards.cards import card_name
from headsup.cards.combos import colex
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL, STREETS, Betting, Move
from headsup.games.betting.stakes import SEATS, Stakes
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import Strategy, VectorGame
from headsup.jamfold.answer import JamFoldAnswer, answer
from headsup.limit.flop_lines import PATH, line_nodes, load_lines
from headsup.nolimit.opening import Opening
from headsup.play.agents.chart import hand_classes
from headsup.play.agents.strategy import StrategyPlayer
from headsup.play.agents.subgame import OnRealCards, rules_from
from headsup.play.coach.continuation import RUNOUTS, ActionValues, FlopLines, values
from headsup.play.coach.reference import (
    ESTIMATE,
    EXACT,
    FREQUENCY,
    NEVER,
    SOLVED,
    STRATEGY,
    ActionChoice,
    ReferenceAnswer,
    action_words,
)
from headsup.play.coach.spot_of import state_at
from headsup.play.table.agent import make_agent
from headsup.play.table.real import free_of
from headsup.play.table.rules import BOARD, Action, Legal, PastAction, PlayerView, Table, apply
from headsup.play.table.rules import table as named_table
from headsup.spots.solve import SpotSolution

DEEPEST = 20.0  # big blinds up to which jam/fold judges games with more actions
MOST_MBB = 1.0  # exploitability up to which shipped strategies of other stakes judge
NEAR = 0.02  # relative difference of pot fractions within which a bet is in the menu
LIKE = 0.05  # relative difference of stack-to-pot ratios within which a hand is at a spot


# --- jam or fold ------------------------------------------------------------------------------------------------------


class JamFoldJudge:
    def judge(self, view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
        """Only decisions between jamming and folding, and between calling a jam and folding."""
        table, rules, legal = view.table, view.table.betting, view.legal
        if view.street or table.draws or rules.kind != "no-limit" or not rules.starts_hand or not legal.fold:
            return None
        if rules.pot:  # chips of players who folded
            return None
        if not rules.jam_or_fold and view.effective > DEEPEST:
            return None
        play = legal.bet(legal.high)
        opens = view.seat == 0 and not view.steps
        if not opens and not (view.seat == 1 and len(view.steps) == 1 and not legal.low and play.kind == "c"):
            return None
        jammed = action == play or (action.kind == "r" and action.amount >= rules.all_in(view.state))
        if not jammed and action.kind != "f":
            return None
        known = jamfold_known(table, view.seat, class_of(view))
        return None if known is None else (known, int(jammed))


def class_of(view: PlayerView) -> int:
    return int(hand_classes(view.table.cards)[colex(sorted(view.hole))])


def equilibrium(table: Table) -> JamFoldAnswer | None:
    """The jam/fold equilibrium of a table's stakes, if available."""
    rules = table.betting
    try:
        solved = _equilibrium(table.cards, rules.stacks, rules.blinds, rules.antes, table.unit)
    except UserError:  # Omaha with larger stacks than those that ship
        return None
    return solved if solved.exploitability_mbb < MOST_MBB else None


def jamfold_known(table: Table, seat: int, hand: int) -> ReferenceAnswer | None:
    """The answer for a hand class, if there is an equilibrium."""
    solved = equilibrium(table)
    return None if solved is None else known_from(solved, SEATS[seat], hand, min(table.betting.stacks) / table.unit)


def known_from(solved: JamFoldAnswer, seat: str, hand: int, stack: float) -> ReferenceAnswer:
    """A hand's answer in an equilibrium: fold first, then jam or call."""
    played, gain = float(solved.played(seat)[hand]), float(solved.ev(seat)[hand]) - solved.ev_fold(seat)
    note = ""
    if solved.from_stacks is not None:
        note = "shipped jams of {:g} and calls of {:g} bb".format(*solved.from_stacks)
    choices = (
        ActionChoice("fold", 1.0 - played, 0.0),
        ActionChoice("jam" if seat == "sb" else "call", played, round(gain, 6)),
    )
    return ReferenceAnswer(f"jam-or-fold equilibrium, {stack:g} bb", EXACT, choices, note)


@lru_cache(maxsize=64)
def _equilibrium(cards: str, stacks: Any, blinds: Any, antes: Any, unit: int) -> JamFoldAnswer:
    if antes[0] != antes[1]:
        raise UserError("jam or fold needs equal antes")
    ante = antes[0] / unit
    return answer(cards, Stakes(stacks[0] / unit, stacks[1] / unit, blinds[0] / unit, blinds[1] / unit, ante))


# --- strategies of betting and boards ---------------------------------------------------------------------------------

RowTaken = tuple[PastAction, Floats, Floats]
"""An action, [1326] its probability by hand, and [1326] 1 for hands that the reference deals."""


class StrategyJudge(StrategyPlayer):
    def __init__(
        self, name: str, game: VectorGame, strategy: Strategy, table: Table, lines: FlopLines | None = None
    ) -> None:
        super().__init__(name, game, strategy, table)
        self.source, self.lines = OnRealCards(game, strategy, self.real), lines
        self.worth = lru_cache(maxsize=256)(self._worth)
        self.runouts = RUNOUTS

    def judge(self, view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
        node = self.node(view)
        tree, rules = self.game.betting, view.table.betting
        if node < 0 or tree.player[node] >= DEAL:  # nobody acts there once a bet was read as all-in
            return None
        taken = self._after(node, rules, view.state, action)
        rows = self.source.rows(node, view.board)[:, colex(sorted(view.hole))].tolist()
        if sum(rows) <= 0.0:
            return None
        worth = self.worth(view)
        names = [self.named(view, child) for child in self.sizes.children(node)]
        near = self.is_near(view, action, taken) and self.all_near(view)
        notes = [] if near else ["bets are translated to sizes that it uses"]
        kind, given = FREQUENCY, list[tuple[float | None, float]]([(None, 0.0)] * len(names))
        if worth is not None:
            kind = ESTIMATE if worth.runouts else STRATEGY
            given = [(round(x, 4), round(error, 4)) for x, error in zip(worth.values, worth.errors, strict=True)]
            notes += [f"values are estimates from {worth.runouts} runouts"] * (worth.runouts > 0)
        choices = tuple(ActionChoice(name, p, *value) for name, p, value in zip(names, rows, given, strict=True))
        answer = ReferenceAnswer(self.name, kind, choices, "; ".join(notes), self.left(view))
        return answer, taken - int(tree.child[node])

    def by_action(self, view: PlayerView, action: Action) -> tuple[ActionValues, list[Action], int] | None:
        """The value of each of its actions, the real actions, and the index as which an action is translated."""
        worth, node = self.worth(view), self.node(view)
        if worth is None:
            return None
        taken = self._after(node, view.table.betting, view.state, action)
        return worth, self._rows_of(node, view)[0], taken - int(self.game.betting.child[node])

    def _worth(self, view: PlayerView) -> ActionValues | None:
        """Big blinds from here on of each action, if known."""
        node = self.node(view)
        if node < 0:
            return None
        chips = values(self.source, node, view.hole, view.board, self.met(view), self.lines, self.runouts)
        if chips is None:
            return None
        tree = self.game.betting
        pot = float(tree.rules.pot + tree.paid[node].sum())  # another one where bets were translated
        scale = view.pot / view.table.unit / pot
        return ActionValues([x * scale for x in chips.values], [x * scale for x in chips.errors], chips.runouts)

    def met(self, view: PlayerView) -> Any:
        """[1326] the opponent's reach by the strategy."""
        reach = free_of((*view.hole, *view.board)).astype(np.float64)
        for step, row, _ in self.rows_taken(view):
            if step.seat != view.seat:
                reach *= row
        return reach

    def left(self, view: PlayerView, who: str = "the player") -> str:
        """The first action so far that the strategy never takes, in words; empty if there is none."""
        return first_left(view, self.rows_taken(view), who)

    def source_on(self, street: int) -> OnRealCards | Opening:
        """The strategy that plays a street."""
        return self.source

    def rows_taken(self, view: PlayerView) -> Iterator[RowTaken]:
        """The known actions of a hand."""
        for step, _, node, after in self._walked(view, view.steps)[0]:
            source = self.source_on(step.street)
            rows = source.rows(node, view.board[: BOARD[step.street]])
            yield step, rows[after - int(source.tree.child[node])], rows.sum(axis=0)

    def named(self, view: PlayerView, child: int) -> str:
        """A choice in the chips of the table."""
        move = Move(int(self.game.betting.kind[child]))
        if move == Move.FOLD:
            return "fold"
        if move < Move.BET:
            return action_words(view, Action("c"))
        if move == Move.ALLIN:
            return "all-in"
        total = total_of(view.table.betting, view.state, move, float(self.sizes.fraction[child]))
        legal = view.legal.bet(total or 0)
        return action_words(view, legal)

    def is_near(self, view: PlayerView, action: Action, child: int) -> bool:
        return self._in_menu(view.table.betting, view.state, action, child)

    def all_near(self, view: PlayerView) -> bool:
        """Whether all actions so far are in the menu."""
        known = self._walked(view, view.steps)[0]
        rules = view.table.betting
        return len(known) == len(view.steps) and all(
            self._in_menu(rules, state, step.action, after) for step, state, _, after in known
        )

    def _in_menu(self, rules: Betting, state: Any, action: Action, child: int) -> bool:
        if action.kind != "r":
            return True
        sizes = self.sizes_on(state.street)
        if Move(int(sizes.tree.kind[child])) == Move.ALLIN:
            return bool(action.amount >= rules.all_in(state))
        real, read = pot_fraction(rules, state, action.amount), float(sizes.fraction[child])
        return abs(real - read) <= NEAR * max(real, read)


def first_left(view: PlayerView, rows_taken: Iterable[RowTaken], who: str = "the player") -> str:
    """The first of some actions that the reference never takes, in words; empty if there is none."""
    reach, mine = free_of((*view.hole, *view.board)).astype(np.float64), colex(sorted(view.hole))
    for step, row, dealt in rows_taken:
        street = "before the flop" if not step.street else f"on the {STREETS[step.street]}"
        if step.seat == view.seat and row[mine] < NEVER:
            return f"{street} {who} took an action that it never takes with this hand"
        if step.seat != view.seat:
            before, reach = float(reach @ dealt), reach * row
            if float(reach.sum()) < NEVER * before:
                return f"{street} the opponent took an action that it never takes"
    return ""


def is_ordinary(table: Table) -> bool:
    """Whether whole hands of hold'em are played there by two, with blinds of 1:2 and without antes."""
    rules = table.betting
    if table.cards != "holdem" or table.draws or table.first_street or any(rules.antes):
        return False
    return 2 * rules.blinds[0] == table.unit and not rules.pot and rules.first == (0, 1, 1, 1)  # of no larger table


@lru_cache(maxsize=64)
def strategy_for(table: Table, runouts: int = RUNOUTS) -> StrategyJudge | None:
    """The shipped strategy for a table of limit hold'em, if any; it samples so many runouts on the flop."""
    rules, unit = table.betting, table.unit
    if not is_ordinary(table) or rules.kind != "limit":
        return None
    sizes = tuple(size / unit for size in rules.sizes)
    deep = min(rules.stacks) >= 24 * unit  # what four bets a street can come to
    if sizes != (1.0, 1.0, 2.0, 2.0) or not deep or rules.cap[1:] != (4, 4, 4):
        return None
    player = make_agent("limit", named_table("holdem-limit"))
    assert isinstance(player, StrategyPlayer)
    assert isinstance(player.strategy, BucketStrategy)
    sums = load_lines(PATH, player.strategy)
    lines = None if sums is None else FlopLines(line_nodes(player.game), sums)
    judge = StrategyJudge("the shipped limit strategy", player.game, player.strategy, table, lines)
    judge.runouts = runouts
    return judge


# --- solved spots -----------------------------------------------------------------------------------------------------


class SpotJudge:
    """A solved spot as a reference for no-limit hands that reach it."""

    def __init__(self, solution: SpotSolution, name: str) -> None:
        self.solution, self.name = solution, name
        self.strategy = solution.strategy  # fails early if it does not fit its spot
        self._views = lru_cache(maxsize=64)(solution.at)

    def judge(self, view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
        """Where board, pot and stacks are the spot's, and the hand is in its range."""
        seen = self.carried(view)
        if seen is None:
            return None
        player = StrategyJudge(self.name, self.solution.game, self.strategy, seen.table)
        node = player.node(seen)
        if node < 0:
            return None
        here = self._views(self.line(player, seen))
        at = np.flatnonzero(here.combos == colex(sorted(seen.hole)))
        if not len(at) or here.weights[at[0]] <= 0.0:
            return None
        pot = seen.table.betting.pot
        scale = pot / self.solution.spot.pot / view.table.unit
        probabilities, worth = here.frequencies[:, at[0]].tolist(), (here.ev[:, at[0]] * scale).round(4).tolist()
        names = [player.named(seen, child) for child in player.sizes.children(node)]
        choices = tuple(ActionChoice(*row) for row in zip(names, probabilities, worth, strict=True))
        taken = player._after(node, seen.table.betting, seen.state, action)
        near = player.is_near(seen, action, taken) and player.all_near(seen)
        note = "" if near else "bets are translated to sizes that it uses"
        source = f"the spot {self.name}, {self.solution.accuracy}"
        known = ReferenceAnswer(source, SOLVED, choices, note, player.left(seen))
        return known, taken - int(self.solution.game.betting.child[node])

    def carried(self, view: PlayerView) -> PlayerView | None:
        """The view as one of a hand that begins at the spot, out of position in seat 0; None if it is another spot."""
        spot, table = self.solution.spot, view.table
        cards = spot.cards
        first = BOARD.index(len(cards))
        if table.cards != "holdem" or table.draws or table.betting.kind != "no-limit" or view.street < first:
            return None
        if set(view.board[: len(cards)]) != set(cards):
            return None
        state, steps = state_at(table, view.steps, first)
        rest = rules_from(table.betting, state)
        flip = rest.first[0]
        stacks = (rest.stacks[flip], rest.stacks[1 - flip])
        deep, wanted = min(stacks) / rest.pot, min(spot.rules.stacks) / spot.pot
        if abs(deep - wanted) > LIKE * wanted:
            return None
        rest = replace(rest, first=spot.rules.first, stacks=stacks)
        there = Table("spot", "holdem", rest, table.unit, view.board[: len(cards)])
        moved = tuple(PastAction(step.street, step.seat ^ flip, step.action) for step in steps)
        now = there.root
        for i, step in enumerate(moved):
            now = apply(rest, now, step.action)
            while now.player == DEAL and (i + 1 < len(moved) or view.street > there.first_street + now.street):
                now = rest.next_street(now)
        return PlayerView(there, view.seat ^ flip, view.hole, view.board, now, Legal.of(rest, now), moved)

    def line(self, player: StrategyJudge, view: PlayerView) -> str:
        """The actions in the words of the spot's tree, with the cards dealt."""
        tree, words, street = self.solution.game.betting, list[str](), view.table.first_street
        for step, _, _, after in player._walked(view, view.steps)[0]:
            words += _came(view, street, step.street)
            street = step.street
            words.append(tree.action_name(after))
        return ", ".join([*words, *_came(view, street, view.street)])


def _came(view: PlayerView, street: int, to: int) -> list[str]:
    return [card_name(card) for card in view.board[BOARD[street] : BOARD[to]]]
