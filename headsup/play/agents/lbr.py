"""Local best response (LBR), after Lisy and Bowling (2017): a lower bound on an agent's exploitability.

The opponent must be a `Mixed` agent, so its range follows from its actions. With w the chance to win at showdown
against that range as if betting ended, a call is worth  w * pot - (1 - w) * owed;  with f the fraction that folds and
w' the chance against the rest, a bet is worth  f * pot + (1 - f) * (w' * (pot + theirs) - (1 - w') * mine).  The best
of these is played, or a fold if nothing is worth more than 0. In jam/fold games it is the best response itself. In
games with discards it swaps by the report's rule and moves the range through the swaps it sees.

    lbr              fold, check and call only
    lbr:0.5,1,2,a    bets of these fractions of the pot too, a being all-in
    lbr:wide         0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5 times the pot, the minimum bet and all-in
    lbr:56           56 sizes: every eighth of the pot to 55 eighths, and all-in
    lbr:c/c/1,a/56   a menu for each street: c checks and calls and never folds, f folds too but never bets

Where there is one bet size, in limit and jam/fold games, every menu but c includes it.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.combos import colex, combos
from headsup.common.arrays import Floats
from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.games.betting.rules import State
from headsup.play.agents.discard_history import swapped_by_rule
from headsup.play.table.agent import Agent, Mixed, Player, maker
from headsup.play.table.ranges import against_ranges, before_swaps, start_weights, swept
from headsup.play.table.real import free_of
from headsup.play.table.rules import (
    BOARD,
    CALLS,
    FOLDS,
    Action,
    Legal,
    PastAction,
    PlayerView,
    Table,
    apply,
    hidden,
)

Size = float | str
KEPT = 64  # decisions
Menu = tuple[Size, ...] | None  # sizes of bets; None: check and call only, without folds
MENUS: dict[str, Menu] = {
    "": (),
    "f": (),
    "c": None,
    "wide": ("min", 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, "a"),
    "56": (*(eighths / 8 for eighths in range(1, 56)), "a"),
}


@lru_cache(maxsize=512)
def win_chances(hole: tuple[int, ...], board: tuple[int, ...]) -> Floats:
    """[1326] a hand's pot share against each opposing hand over all cards to come; 0 where they share a card."""
    free = free_of((*hole, *board))
    if not board:
        from headsup.equity.holdem.table import combo_table

        wins = np.zeros(len(free))
        row = colex(hole)
        table = combo_table()
        wins[free] = (2.0 * table.wins[row][free] + table.ties[row][free]) / (2.0 * table.deals[row][free])
        return wins
    from headsup.evaluate import rank_combos

    deck = [card for card in range(52) if card not in hole and card not in board]
    boards = np.array([(*board, *rest) for rest in combinations(deck, 5 - len(board))], dtype=np.uint8)
    values = rank_combos(boards, check=False)
    mine = values[:, colex(hole)][:, None]
    alive = values > 0
    won = ((alive & (values < mine)).sum(axis=0) + 0.5 * (values == mine).sum(axis=0)) / np.maximum(
        1, alive.sum(axis=0)
    )
    return np.where(free, won, 0.0)


def drawn_chance(keeps: int, thrown: int, board: tuple[int, ...], reach: Floats) -> float:
    """The pot share of a player who keeps a card, discards one and draws another, against a weighted range."""
    from headsup.evaluate import rank_combos

    left = [card for card in range(52) if card not in {keeps, thrown, *board}]
    sets = np.array(list(combinations(left, 5 - len(board))), dtype=np.uint8).reshape(-1, 5 - len(board))
    lying = np.broadcast_to(np.array(board, dtype=np.uint8), (len(sets), len(board)))
    weighted = np.where(free_of((keeps, thrown, *board)), reach, 0.0)
    hands = np.flatnonzero(weighted)
    values = rank_combos(np.concatenate([lying, sets], axis=1), check=False)
    theirs, weights, won_with = values[:, hands], weighted[hands], list[float]()
    for card in left:
        free = (sets != card).all(axis=1)
        at = free_of((card,))[hands]
        mine, other = values[free, colex(sorted((keeps, card)))][:, None], theirs[free][:, at]
        alive, total = other > 0, float(weights[at].sum())
        points = (alive & (other < mine)).sum(axis=0) + 0.5 * (other == mine).sum(axis=0)
        won = points / np.maximum(1, alive.sum(axis=0))
        won_with += [float(won @ weights[at]) / total] if total > 0.0 else []
    return float(np.mean(won_with)) if won_with else 0.5


_ASKED_TO_SWAP = Legal(False, 0, discards=(0, 1))


def swapped_range(reach: Floats, other: Mixed, view: PlayerView, action: Action, known: tuple[int, ...]) -> Floats:
    """[1326] weights after the opponent keeps its cards or changes one; `known` are cards it cannot draw."""
    swaps: Floats = other.swap_probabilities(view)  # type: ignore[attr-defined]
    if action.kind != "d":
        return reach * swaps[:, 0]
    hands, free = combos(2), free_of(known)
    kept = np.zeros(52)
    np.add.at(kept, hands[:, 1], reach * swaps[:, 1])
    np.add.at(kept, hands[:, 0], reach * swaps[:, 2])
    # a hand results from all that kept one of its cards, except itself
    own = reach * (swaps[:, 1] + swaps[:, 2])
    return np.where(free, kept[hands[:, 0]] + kept[hands[:, 1]] - own, 0.0) / (52 - len(known) - 2)


def range_after(
    player: Mixed, seat: int, view: PlayerView, reach: Floats, known: tuple[int, ...]
) -> tuple[Floats, State]:
    """[1326] weights of a player's hands after all its actions and swaps in a view, and the state of the betting then.

    `known` are cards that it cannot hold.
    """
    betting, state = view.table.betting, view.table.betting.root()
    asked = [0] * betting.n_streets
    for i, step in enumerate(view.steps):
        while state.street < step.street - view.table.first_street:  # swaps continue after an all-in
            state = betting.next_street(state)
        cards = view.board[: BOARD[view.table.first_street + state.street]]
        asked[state.street] += 1
        if state.street in view.table.draws and asked[state.street] <= 2:
            if step.seat == seat:
                seen = PlayerView(view.table, seat, (), cards, state, _ASKED_TO_SWAP, view.steps[:i])
                reach = swapped_range(reach, player, seen, step.action, known)
            continue
        if step.seat == seat:
            seen = PlayerView.at(view.table, state, (), cards, view.steps[:i])
            reach = player.narrow(seen, step.action, reach)
        state = apply(betting, state, step.action)
    return reach, state


class RangeDecision(NamedTuple):
    """What every hand does at a decision, and what LBR believes that it wins."""

    actions: list[Action]
    worths: Floats | None  # [actions, 1326] chips won from here on; None where all hands do the same
    met: Floats | None  # [1326] the weight of the opponent's hands that each hand can meet
    picks: npt.NDArray[np.intp]  # [1326] the number of each hand's action


class LocalBestResponse(Player):
    """`menus` has one menu for all streets, or one for each of the four."""

    def __init__(self, name: str, menus: tuple[Menu, ...] = ((),), swaps: bool = False) -> None:
        self.name, self.menus, self.swaps = name, menus, swaps
        self.other: Mixed | None = None
        self._decisions: dict[Any, RangeDecision] = {}

    def meet(self, other: Agent) -> None:
        if not isinstance(other, Mixed):
            raise UserError(f"lbr needs the action probabilities of {other.name}, which it does not report")
        if self.swaps and not hasattr(other, "swap_probabilities"):
            raise UserError(f"lbr needs the swap probabilities of {other.name}, which it does not report")
        self.other = other
        self._decisions.clear()

    def act(self, view: PlayerView) -> Action:
        if view.legal.discards:
            return swapped_by_rule(view)
        decision = self.decision(view)
        return decision.actions[int(decision.picks[colex(sorted(view.hole))])]

    def swap_probabilities(self, view: PlayerView) -> Floats:
        """[1326, 3] 1 for what each hand does by the report's rule."""
        from headsup.discards.equity.deals import rule_chances

        return rule_chances(view.board)

    def menu(self, street: int) -> Menu:
        return self.menus[street if len(self.menus) > 1 else 0]

    def decision(self, view: PlayerView) -> RangeDecision:
        """What every hand does at a decision; the last ones are kept, unless the opponent learns."""
        if self.other is not None and self.other.memory:
            return self._decide(view)
        key = (view.table, view.seat, view.board, hidden(hidden(view.steps, 0), 1))
        if key not in self._decisions:
            while len(self._decisions) >= KEPT:
                self._decisions.pop(next(iter(self._decisions)))
            self._decisions[key] = self._decide(view)
        return self._decisions[key]

    def _decide(self, view: PlayerView) -> RangeDecision:
        menu = self.menu(view.street)
        if menu is None and view.legal.call >= 0:
            return RangeDecision([CALLS], None, None, np.zeros(len(combos(2)), dtype=np.intp))
        reach = self._reach(view, view.board)
        if float(reach.sum()) <= 0.0:  # the opponent did what its strategy never does
            reach = free_of(view.board).astype(np.float64)
        bets = self._bets(view, menu or ()) if view.board or not self.swaps else []
        ranges = np.array([reach, *(reach - self._folds(view, bet, reach) for bet in bets)])
        if not self.swaps:
            won, met = against_ranges(ranges, view.board)
        else:
            won, met = swept(ranges, view.board) if view.board else before_swaps(ranges)
        values = self._values(view, bets, won, met)
        worths = np.array(list(values.values()))
        return RangeDecision(list(values), worths, met[0], worths.argmax(axis=0))  # ties: fold first, then call

    def worths(self, view: PlayerView, bets: Sequence[Action]) -> dict[Action, float]:
        """Chips that each legal action, and each of these bets, wins from here on; a fold is 0."""
        reach = self.range(view)
        if float(reach.sum()) <= 0.0:  # the opponent did what its strategy never does
            reach = free_of((*view.hole, *view.board)).astype(np.float64)
        ranges = np.array([reach, *(reach - self._folds(view, bet, reach) for bet in bets)])
        values = self._values(view, bets, ranges @ self._wins(view)[:, None], ranges.sum(axis=1, keepdims=True))
        return {action: float(value[0]) for action, value in values.items()}

    def _values(self, view: PlayerView, bets: Sequence[Action], won: Floats, met: Floats) -> dict[Action, Floats]:
        """[hands] the worth of each action, given [1 + bets, hands] what the hands win and meet of the opponent's
        range, of all of it and of what does not fold to each bet.
        """
        legal, state, betting = view.legal, view.state, view.table.betting
        total = np.where(met[0] > 0.0, met[0], 1.0)
        chance = won[0] / total
        owed = min(betting.owed(state), view.behind)  # also in jam/fold, where there is no call
        pot = view.table.betting.pot + state.start[0] + state.start[1]
        mine = state.paid[view.seat] - state.start[view.seat]
        theirs = min(state.paid[1 - view.seat] - state.start[1 - view.seat], mine + owed)
        pot += mine + theirs
        values = {FOLDS: np.zeros(len(total))} if legal.fold else {}
        if legal.call >= 0:
            values[CALLS] = chance * pot - (1.0 - chance) * owed
        for i, bet in enumerate(bets, 1):
            stays = met[i] / total
            share = won[i] / np.where(met[i] > 0.0, met[i], 1.0)
            more = min(bet.amount, betting.stacks[1 - view.seat] - state.start[1 - view.seat])
            mine_in, theirs_in = more - mine, more - theirs
            values[bet] = (1.0 - stays) * pot + stays * (share * (pot + theirs_in) - (1.0 - share) * mine_in)
        return values

    def _wins(self, view: PlayerView) -> Floats:
        """[1326] the pot share against each of the opponent's hands."""
        if not self.swaps or view.board:
            return win_chances(view.hole, view.board)
        from headsup.discards.equity.table import equities_before

        return np.where(free_of(view.hole), equities_before(view.hole), 0.0)

    def swap_worths(self, view: PlayerView) -> dict[Action, float]:
        """Chips that keeping both cards and changing either is worth from here on, without further bets or swaps."""
        reach = self.range(view)
        if float(reach.sum()) <= 0.0:
            reach = free_of((*view.hole, *view.board)).astype(np.float64)
        pot = float(view.pot)
        values = {CALLS: pot * float(reach @ win_chances(view.hole, view.board)) / float(reach.sum())}
        for card in view.hole:
            keeps = view.hole[0] if view.hole[1] == card else view.hole[1]
            values[Action("d", card)] = pot * drawn_chance(keeps, card, view.board, reach)
        return values

    def range(self, view: PlayerView) -> Floats:
        """[1326] the weights of the opponent's hands given its actions and the player's cards."""
        known = (*view.hole, *view.board) if self.swaps else view.board  # cards that were not drawn
        return np.where(free_of(view.hole), self._reach(view, known), 0.0)

    def _reach(self, view: PlayerView, known: tuple[int, ...]) -> Floats:
        """[1326] the same given only what both players see, and cards that the opponent cannot hold."""
        assert self.other is not None
        reach = np.where(free_of(known), start_weights(view.table, 1 - view.seat), 0.0)
        return range_after(self.other, 1 - view.seat, view, reach, known)[0]

    def _folds(self, view: PlayerView, bet: Action, reach: Floats) -> Floats:
        """[1326] the weight that folds to a bet."""
        assert self.other is not None
        after = apply(view.table.betting, view.state, bet)
        steps = (*view.steps, PastAction(view.street, view.seat, bet))
        seen = PlayerView.at(view.table, after, (), view.board, steps)
        return self.other.narrow(seen, FOLDS, reach) if seen.legal.fold else np.zeros(len(combos(2)))

    @staticmethod
    def _bets(view: PlayerView, sizes: tuple[Size, ...]) -> list[Action]:
        legal, state = view.legal, view.state
        if not legal.low:
            return []
        if view.table.betting.one_size:
            return [legal.bet(legal.low)]
        last = state.paid[1 - view.seat] - state.start[1 - view.seat]
        pot = view.table.betting.pot_after_call(state)
        totals = {"a": legal.high, "min": legal.low}
        wanted = {totals[size] if isinstance(size, str) else round(last + size * pot) for size in sizes}
        most = view.table.betting.most(state)
        return [Action("r", total) for total in sorted({min(max(total, legal.low), most) for total in wanted})]


@maker("lbr")
def make_lbr(rest: str, table: Table) -> Agent:
    if table.cards != "holdem":
        raise UserError(f"lbr plays hold'em, not {table.name}: choose a hold'em game")
    parts = rest.split("/")
    if len(parts) not in (1, 4):
        raise UserError(f"'lbr:{rest}' has {len(parts)} menus: write one for all streets, or four, as lbr:c/c/1,a/1,a")
    menus = tuple(_menu(part, rest) for part in parts)
    return LocalBestResponse(f"lbr:{rest}" if rest else "lbr", menus, bool(table.draws))


def _menu(text: str, rest: str) -> Menu:
    if text in MENUS:
        return MENUS[text]
    sizes: list[Size] = []
    for word in text.split(","):
        try:
            size = word if word in ("a", "min") else parse_float(word)
        except ValueError:
            size = -1.0
        if not isinstance(size, str) and not 0.0 < size < 1e6:
            raise UserError(
                f"'lbr:{rest}' is not a menu of bets: write fractions of the pot and a for all-in, as lbr:0.5,1,a"
            )
        sizes.append(size)
    return tuple(sizes)
