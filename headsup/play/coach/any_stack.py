"""Reference answers for heads-up no-limit hold'em at every stack from 5 to 250 big blinds.

- Before the flop: the chart of the nearest stack, with its values; above 27 big blinds that of the nearest deep stack,
  after which both players follow the blueprint.
- On later streets: the hand is solved on the real cards with the ranges that these imply, as the agent `nolimit` does,
  but from both ranges, so that the values of both players count. All bets of the hand are in the tree as they are. The
  flop is solved depth-limited: turn and river follow the nearest blueprint.

Answers name their source and say how far they can be trusted (`ReferenceAnswer.trust`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from math import isclose
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from headsup.cards.classes import holdem_class_of_combo
from headsup.cards.combos import colex
from headsup.common.arrays import Floats
from headsup.games.betting.rules import FLOP, STREETS, Move
from headsup.games.betting.stakes import CHIPS
from headsup.limit.shipped import board_by_board
from headsup.nolimit.opening import Opening
from headsup.nolimit.shipped import flop_stack, has_blueprint, shipped_blueprint, shipped_opening
from headsup.play.agents.resolving import DEEP, BlueprintPlayer, ResolvingPlayer, has_columns
from headsup.play.agents.subgame import LEAST, OnRealCards, Subgame, SubgameTask, child_after
from headsup.play.coach.continuation import RUNOUTS, ActionValues, values
from headsup.play.coach.judges import (
    JamFoldJudge,
    RowTaken,
    SpotJudge,
    StrategyJudge,
    class_of,
    first_left,
    is_ordinary,
    strategy_for,
)
from headsup.play.coach.reference import (
    FREQUENCY,
    RESOLVED,
    STRATEGY,
    ActionChoice,
    Judge,
    ReferenceAnswer,
    action_words,
)
from headsup.play.coach.spot_of import chart_action, chart_for, chart_line
from headsup.play.table.agent import merge_rows
from headsup.play.table.real import free_of
from headsup.play.table.rules import CALLS, FOLDS, Action, PastAction, PlayerView, Table
from headsup.preflop.chart import PreflopChart
from headsup.preflop.view import node_after, rows_at

if TYPE_CHECKING:
    from headsup.nolimit.leaves import LeafValues

FAR = 1.25  # ratio of stacks beyond which a strategy was made for another game
FAR_BET = 1.5  # ratio of bets beyond which one says little about the other


class BlueprintJudge(StrategyJudge, BlueprintPlayer):
    """A blueprint, below a chart where the agent has one; it reads bets as the agent does."""

    def source_on(self, street: int) -> OnRealCards | Opening:
        return self.source if street or self.opening is None else self.opening

    def judge(self, view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
        """Without values where a bet counts as all-in by half."""
        return self._mixed_answer(view, action) if self._half_all_in(view) else super().judge(view, action)

    def _half_all_in(self, view: PlayerView) -> bool:
        """Whether the last bet lies between another size and all-in: the values of neither are its own."""
        kind = self.sizes_on(view.street).tree.kind
        return self.mixes and any(kind[node] == Move.ALLIN for node, _ in self._near(view))

    def _mixed_answer(self, view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
        rows = self._rows(view)
        if rows is None:
            return None
        number = colex(sorted(view.hole))
        shares = {made: float(row[number]) for made, row in merge_rows(*rows).items()}
        made = min(shares, key=lambda other: (other.kind != action.kind, abs(other.amount - action.amount)))
        if sum(shares.values()) <= 0.0 or made.kind != action.kind:
            return None
        choices = tuple(ActionChoice(action_words(view, other), share) for other, share in shares.items())
        note = "the bet counts as both near sizes that it uses, and values are not known"
        return ReferenceAnswer(self.name, FREQUENCY, choices, note, self.left(view)), list(shares).index(made)

    def _worth(self, view: PlayerView) -> ActionValues | None:
        """Before the flop charts have values (`chart_choices`)."""
        return super()._worth(view) if view.street and not self._half_all_in(view) else None


class AnyStackJudge(ResolvingPlayer):
    """Answers decisions of a table from the nearest chart and blueprint, and by re-solving."""

    def __init__(self, table: Table, runouts: int = RUNOUTS) -> None:
        self.stack = min(table.betting.stacks) / table.unit
        self.made_for = flop_stack(self.stack)
        self.flat = _blueprint_judge(table, runouts)
        columns = has_columns(self.flat.strategy)
        super().__init__("review", self.flat.game, self.flat.strategy, table, safe=False, limited=columns)
        self._worth: WeakKeyDictionary[Subgame, Floats] = WeakKeyDictionary()
        self.mixes, chart = self.flat.mixes, shipped_opening(self.stack)
        self.flat.opening = self.opening = None if chart is None else Opening(chart, self.flat.game.betting)
        exact = isclose(self.made_for, self.stack)
        self.far = max(self.made_for / self.stack, self.stack / self.made_for) > FAR
        self.note = "" if exact else f"the blueprint was made for {self.made_for} bb"
        self._did: Action | None = None
        self._hole: tuple[int, ...] = ()

    def judge(self, view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
        """Before the flop from chart or blueprint, later re-solved."""
        answer = None
        if not view.street:
            answer = chart_answer(view, action, self.stack)
        elif view.street >= self.first:
            answer = self._resolved(view, action)
        return self._blueprint(view, action) if answer is None else answer

    def _blueprint(self, view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
        known = self.flat.judge(view, action)
        if known is None:
            return None
        answer, taken = known
        note = "; ".join(filter(None, (self.note, answer.note)))
        return ReferenceAnswer(answer.source, answer.kind, answer.choices, note, answer.left, self.far), taken

    def _resolved(self, view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
        """The rest of the hand, solved with all of its bets."""
        if self._hole != view.hole:  # solutions hold the hand that they were made for
            self._kept.clear()
            self._flops.clear()
        self._did, self._hole = action, view.hole
        rest, node, _ = self._place(view)
        number = colex(sorted(view.hole))
        rows = rest.rows(node, view.board)[:, number]
        if rows.sum() <= 0.0:
            return None
        taken = 0 if action.kind == "f" else self._child(rest, node, action)
        worth = self._values(rest, node, view)
        if taken is None or worth is None:
            return None
        first, choices = int(rest.tree.child[node]), list[ActionChoice]()
        for i, (share, chips) in enumerate(zip(rows / rows.sum(), worth, strict=True)):
            kind = int(rest.tree.kind[first + i])
            bet = CALLS if kind in (Move.CHECK, Move.CALL) else view.legal.bet(int(rest.tree.amount[first + i]))
            name = action_words(view, FOLDS if kind == Move.FOLD else bet)
            choices.append(ActionChoice(name, float(share), round(chips / view.table.unit, 4)))
        source = f"the re-solved {STREETS[view.street]}, {rest.iterations} iterations"
        blueprint = f"the blueprint for {self.made_for} bb"
        opens = chart_for(self.stack)
        chart = None if opens is None else f"the chart for {opens.stack:g} bb"
        ranges = f"ranges are those of {blueprint}"
        if self.limited:
            ranges = f"ranges before the flop are those of {chart or blueprint}"
            if view.street == FLOP:
                ranges += f"; turn and river follow {blueprint}"
        elif chart is not None:
            ranges = f"ranges are those of {chart} before the flop and of {blueprint} on it"
        before = view._replace(steps=self.before(view))
        left = first_left(view, chain(self.flat.rows_taken(before), self._rows_solved(view)))
        return ReferenceAnswer(source, RESOLVED, tuple(choices), ranges, left, self.far), taken

    def _rows_solved(self, view: PlayerView) -> Iterator[RowTaken]:
        """The actions of the streets that are solved."""
        for street, (rest, node, _) in enumerate(self._places(view), start=self.first):
            for step, (above, choice) in zip(self.bets(view, street), rest.tree.choices_to(node), strict=True):
                rows = rest.rows(above, rest.board)
                yield step, rows[choice], rows.sum(axis=0)

    def _values(self, rest: Subgame, node: int, view: PlayerView) -> list[float] | None:
        """Chips from here on of each action if both players follow the solution; None if nobody opposes."""
        if view.street > FLOP:
            known = values(rest, node, view.hole, view.board, self._theirs(rest, node, view.board), None)
            return None if known is None else known.values
        tree = rest.tree
        mine, theirs = (rest.game.showdown.hands[seat] for seat in (view.seat, 1 - view.seat))  # type: ignore[attr-defined]
        met = rest.game.weights[1 - view.seat] * free_of((*view.hole, *view.board))[theirs]
        for above, choice in reversed(tree.choices_to(node)):
            if tree.player[above] != view.seat:
                met = met * rest.rows(above, rest.board)[choice][theirs]
        number, first = int(np.searchsorted(mine, colex(sorted(view.hole)))), int(tree.child[node])
        worth = self._worth[rest][first : first + int(tree.count[node]), number]
        total = float(met.sum())
        return (worth / total + float(tree.paid[node, view.seat])).tolist() if total > 0.0 else None

    def _note_flop(self, rest: Subgame, values: LeafValues) -> None:
        """Keep what the hands earn at every node; the matrices go, since judges of many stacks are kept."""
        from headsup.nolimit.flop import flop_values

        self._worth[rest] = flop_values(rest.game, values, rest.strategy)
        self._leaf_memory = None

    def _opened(self, done: tuple[PastAction, ...], view: PlayerView) -> tuple[Action, ...]:
        """All actions of the street, and on the street of the decision also the one that was taken."""
        actions = tuple(step.action for step in done)
        here = not done or done[-1].street == view.street
        now = here and len(done) == sum(step.street == view.street for step in view.steps)
        return (*actions, self._did) if now and self._did is not None and self._did.kind == "r" else actions

    def _solve(self, task: SubgameTask) -> Subgame:
        """With the real hand in the player's range, however unlikely it is."""
        mine, hand = task.mine.copy(), colex(sorted(self._hole))
        mine[hand] = max(LEAST, mine[hand])
        return super()._solve(task._replace(mine=mine))

    @staticmethod
    def _child(rest: Subgame, node: int, action: Action) -> int | None:
        """Which action of a node it is."""
        child = child_after(rest.tree, node, action.amount if action.kind == "r" else -1)
        return None if child is None else child - int(rest.tree.child[node])


class ChartChoices(NamedTuple):
    """What the chart of the nearest stack says of a decision before the flop, for the player's hand."""

    chart: PreflopChart
    actions: list[Action]  # legal ones of the table
    shares: list[float]
    values: list[float] | None  # big blinds from here on; None if they are not known
    taken: int  # as which of the actions the player's is read
    left: str  # an action before that the chart never takes
    notes: list[str]  # how the chart differs from the table
    far: bool  # whether it differs so much that its values say little


def chart_choices(view: PlayerView, action: Action, stack: float, who: str = "the player") -> ChartChoices | None:
    """None if no chart has the line."""
    chart = chart_for(stack)
    known = None if chart is None else chart_line(chart, view.steps, view.table)
    if chart is None or known is None:
        return None
    tree = chart.setting.betting
    node = node_after(tree, known[0])
    names = tree.actions(node)
    did, off = chart_action(names, action, view.table)
    if did is None:
        return None
    number, rows = class_of(view), rows_at(tree, node)
    shares = chart.at(known[0]).frequencies[:, number]
    values = chart.ev[view.seat][rows, number] + float(tree.paid[node, view.seat]) / CHIPS
    same: dict[Action, list[int]] = {}  # sizes that are one bet at the table
    for place, name in enumerate(names):
        same.setdefault(_at_table(view, name), []).append(place)
    read = next(i for i, places in enumerate(same.values()) if names.index(did) in places)
    off, apart = max(known[1], off), max(chart.stack / stack, stack / chart.stack)
    notes = [] if isclose(chart.stack, stack) else [f"made for {chart.stack:g} bb, the nearest to {stack:g}"]
    if off > FAR_BET:
        notes.append("a bet is far from those of the chart, so its values say little")
    elif not isclose(off, 1.0):
        notes.append("bets are read as the nearest of the chart")
    notes += [chart.rough] if chart.rough else []
    return ChartChoices(
        chart,
        list(same),
        [float(shares[places].sum()) for places in same.values()],
        [float(values[places].max()) for places in same.values()] if np.isfinite(values).all() else None,
        list(same).index(action) if action in same else read,
        first_left(view, _chart_rows(chart, node, view.steps), who),
        notes,
        bool(chart.rough) or off > FAR_BET or apart > FAR,
    )


def chart_answer(view: PlayerView, action: Action, stack: float) -> tuple[ReferenceAnswer, int] | None:
    """The answer of the chart of the nearest stack; None if no chart has the line."""
    known = chart_choices(view, action, stack)
    if known is None:
        return None
    worth = [None] * len(known.actions) if known.values is None else [round(value, 4) for value in known.values]
    choices = tuple(
        ActionChoice(action_words(view, made), share, value)
        for made, share, value in zip(known.actions, known.shares, worth, strict=True)
    )
    kind = FREQUENCY if known.values is None else STRATEGY
    source = f"the chart before the flop, {known.chart.stack:g} bb"
    return ReferenceAnswer(source, kind, choices, "; ".join(known.notes), known.left, known.far), known.taken


def _chart_rows(chart: PreflopChart, node: int, steps: Sequence[PastAction]) -> Iterator[RowTaken]:
    """The actions that lead to a node of a chart."""
    tree = chart.setting.betting
    for step, (above, choice) in zip(steps, tree.choices_to(node), strict=True):
        rows = chart.probabilities[step.seat][rows_at(tree, above)][:, holdem_class_of_combo()]
        yield step, rows[choice], rows.sum(axis=0)


def _at_table(view: PlayerView, name: str) -> Action:
    """An action of a chart as one of the table."""
    word, _, amount = name.partition(" ")
    if word == "fold":
        return FOLDS
    if word in ("call", "check"):
        return CALLS
    return view.legal.bet(view.legal.high if word == "all-in" else int(amount) * view.table.unit / CHIPS)


def _has_blueprint(table: Table) -> bool:
    """Whether a table has ordinary blinds, no antes, and a stack that blueprints play."""
    rules = table.betting
    ordinary = is_ordinary(table) and rules.kind == "no-limit" and not rules.jam_or_fold
    return ordinary and has_blueprint(min(rules.stacks) / table.unit)


@lru_cache(maxsize=64)
def any_stack_for(table: Table, runouts: int = RUNOUTS) -> AnyStackJudge | None:
    """The judge of a table that a blueprint plays."""
    return AnyStackJudge(table, runouts) if _has_blueprint(table) else None


def _blueprint_judge(table: Table, runouts: int) -> BlueprintJudge:
    stack = min(table.betting.stacks) / table.unit
    strategy, name = shipped_blueprint(stack), f"the no-limit blueprint, {flop_stack(stack)} bb"
    judge = BlueprintJudge(name, strategy.game, board_by_board(strategy), table)
    judge.runouts, judge.mixes = runouts, stack > DEEP
    return judge


@lru_cache(maxsize=64)
def blueprint_for(table: Table) -> StrategyJudge | None:
    """The blueprint that `nolimit:blueprint` plays at a table, if there is one."""
    return _blueprint_judge(table, RUNOUTS) if _has_blueprint(table) else None


def judges_for(table: Table, spots: Sequence[SpotJudge] = (), runouts: int = RUNOUTS) -> list[Judge]:
    """The judges of a table in order: spots, the one for any stack or the strategy that ships, and jam/fold."""
    shipped = any_stack_for(table, runouts) or strategy_for(table, runouts)
    return [*spots, *([] if shipped is None else [shipped]), JamFoldJudge()]


def ask(judges: Sequence[Judge], view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
    for judge in judges:
        answer = judge.judge(view, action)
        if answer is not None:
            return answer
    return None
