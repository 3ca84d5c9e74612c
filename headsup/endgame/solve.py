"""Endgames solved: every state a small linear program, all linked by the values of the states they lead to.

One round tallies the table against all charts, solves the linear equations of the pair for V, bounds it by the floor
(`headsup.endgame.measure`), and then does in every state as the exact solver of jam or fold (`headsup.jamfold.small`):
hands with a clear gain play its sign, a linear program decides those close to zero. This is Newton's method for the
whole endgame; three or four rounds are enough. It need not converge in every game; the certificate shows what was
reached. Hands of rising blinds are solved backwards.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.checks import as_call, cores, door, of_kind, positive
from headsup.common.display import brief
from headsup.common.errors import DataError
from headsup.common.progress import Progress, Watch
from headsup.endgame.measure import (
    Bounds,
    EndgamePlan,
    Floor,
    StateCharts,
    Tally,
    chances,
    floor,
    hand_floor,
    pair_values,
    plan,
    tally,
    weights,
    with_ends,
)
from headsup.endgame.rules import BlindLevel, Endgame
from headsup.games.betting.stakes import Payoffs
from headsup.games.holdem.classes import Classes
from headsup.jamfold.game import JamFoldGame
from headsup.jamfold.shipped import has_shipped, shipped
from headsup.jamfold.small import OpenHandsGame, open_hands, settle, solve_small
from headsup.jamfold.solve import WIDTH, solve

TARGET = 1e-9  # the widest interval of a state's value, as a chance, that ends the search
CLEAR_BB = 1e-13  # states whose best responses gain less, in big blinds, stay as they are
MOST_ROUNDS = 30


@dataclass(frozen=True, eq=False)
class SolvedEndgame:
    """The plan, the value of each state to the button with its bounds, and the charts for chips beside it."""

    plan: EndgamePlan
    bounds: Bounds
    rounds: int
    chip_plan: EndgamePlan  # the equilibrium of every single hand for chips
    chip_floor: Floor  # what playing that is sure of

    __repr__ = brief

    @property
    def rules(self) -> Endgame:
        return self.plan.rules


@door(
    table=of_kind(Classes),
    rules=of_kind(Endgame),
    target=positive,
    watch=as_call,
)
def solve_endgame(
    table: Classes,
    rules: Endgame,
    *,
    target: float = TARGET,
    watch: Watch | None = None,
) -> SolvedEndgame:
    """Solve every state of an endgame and certify it; the bounds show a gap above the target."""
    chips = [chip_charts(table, rules, level) for level in _levels(rules)]
    at = [_levels(rules).index(level) for level in rules.schedule]
    first = plan(rules, [chips[index] for index in at])
    seen = [tally(table, first.charts[at.index(index)]) for index in range(len(chips))]
    chip_floor = floor(table, first, tuple(seen[index] for index in at))
    made: list[tuple[StateCharts, Tally]] = []
    after: Bounds | None = None
    done = 0
    for hand in range(rules.rising, -1, -1):
        start = (first.charts[hand], seen[at[hand]])
        if made and at[hand] == at[hand + 1]:
            start = made[0]
        best, after, took = _solve_hand(table, rules, hand, start, after, target, watch)
        made.insert(0, best)
        done += took
    whole = plan(rules, [charts for charts, _ in made])
    assert after is not None
    return SolvedEndgame(whole, after, done, first, chip_floor)


def _levels(rules: Endgame) -> list[BlindLevel]:
    return list(dict.fromkeys(rules.schedule))


def _solve_hand(
    table: Classes,
    rules: Endgame,
    hand: int,
    start: tuple[StateCharts, Tally],
    after: Bounds | None,
    target: float,
    watch: Watch | None,
) -> tuple[tuple[StateCharts, Tally], Bounds, int]:
    """One hand of rising blinds, or the last level and all that follows; `after` are the bounds of the next hand."""
    now, best, best_bounds = start, start, None
    done, worse, width = 0, 0, min(WIDTH, max(32, table.classes // 4))
    for done in range(1, MOST_ROUNDS + 1):
        bounds = _bounds(table, rules, hand, now, after)
        gap = bounds.gap
        if watch is not None:
            watch(Progress(done, MOST_ROUNDS, text=f"hand {hand + 1} of {rules.rising + 1}, bounds {gap:.1e} apart"))
        worse = 0 if best_bounds is None or gap < best_bounds.gap else worse + 1
        if best_bounds is None or gap < best_bounds.gap:
            best, best_bounds = now, bounds
        if best_bounds.gap <= target or worse > 3 or done == MOST_ROUNDS:
            break
        if worse:
            width = min(2 * width, table.classes)
        value = (bounds if after is None else after).value[0]
        now = _improved(table, rules, rules.schedule[hand], now, value, width)
    assert best_bounds is not None
    return best, best_bounds, done


def _bounds(table: Classes, rules: Endgame, hand: int, now: tuple[StateCharts, Tally], after: Bounds | None) -> Bounds:
    """Value and bounds of the states of one hand, and of all hands after it."""
    charts, seen = now
    if after is None:
        last = Endgame(rules.game, rules.chips, rules.levels[-1:], rules.unit)
        sure = floor(table, plan(last, [charts]), (seen,))
        value = pair_values(last, [chances(weights(table), charts.jam, seen.calls)])
        return Bounds(value, sure.button, 1 - sure.big[:, ::-1])
    first = _before(table, rules, hand, now, after)
    return Bounds(*(np.concatenate([new[None], old]) for new, old in zip(first, after, strict=True)))


def _before(
    table: Classes, rules: Endgame, hand: int, now: tuple[StateCharts, Tally], after: Bounds
) -> tuple[Floats, Floats, Floats]:
    charts, seen = now
    ends = rules.ends(rules.schedule[hand])
    value = (chances(weights(table), charts.jam, seen.calls) * (1 - after.value[0][rules.chips - ends])).sum(axis=1)
    sure = hand_floor(table, rules, hand, charts, seen, after.low[0], 1 - after.high[0][::-1])
    return with_ends(value), sure[0], 1 - sure[1][::-1]


class _Open(NamedTuple):
    """One state: its charts with the clear hands settled, and the game of the open ones."""

    jam: Floats
    call: Floats
    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    small: OpenHandsGame

    def solved(self) -> tuple[Floats, Floats]:
        jam, call = self.jam.copy(), self.call.copy()
        jam[self.rows], call[self.columns] = solve_small(self.small, (jam[self.rows], call[self.columns]))
        return jam, call


def _improved(
    table: Classes, rules: Endgame, level: BlindLevel, now: tuple[StateCharts, Tally], value: Floats, width: int
) -> tuple[StateCharts, Tally]:
    """New charts for every state, given the values of its ends; and their tally."""
    charts, seen = now
    jam, call = charts.jam.copy(), charts.call.copy()
    big_blinds = rules.chips / level.big
    undecided: dict[int, _Open] = {}
    for state, hand in enumerate(rules.hands(level)):
        if hand.all_in:
            continue
        worth = big_blinds * (1 - value[rules.chips - np.array(hand.ends)])
        if hand.called:
            jam[state] = _jam_gain(worth, seen.calls[:, state]) > 0
            continue
        own = StateCharts(charts.jam[state], charts.call[state])
        game = _opened(table, worth, own, Tally(seen.calls[:, state], seen.jams[:, state]), width)
        if game is not None:
            undecided[state] = game
    with ThreadPoolExecutor(cores()) as pool:  # HiGHS lets other threads run
        for state, pair in zip(undecided, pool.map(_Open.solved, undecided.values()), strict=True):
            jam[state], call[state] = pair
    made = StateCharts(jam, call)
    return made, tally(table, made)


def _jam_gain(worth: Floats, calls: Floats) -> Floats:
    """The gain of jamming over folding, each class; `worth` are the button's values of the ends."""
    return np.asarray(worth[1] - worth[0] + (worth[2:] - worth[1]) @ calls)


def _call_gain(worth: Floats, jams: Floats) -> Floats:
    """The big blind's gain of calling over folding, each class, from the deal."""
    return np.asarray((worth[1] - worth[:1:-1]) @ jams)


def _opened(table: Classes, worth: Floats, charts: StateCharts, seen: Tally, width: int) -> _Open | None:
    """The open hands of one state; None if nothing can be gained. `worth` is in big blinds."""
    (jam, call), probability = charts, weights(table)
    jam_gain, call_gain = _jam_gain(worth, seen.calls), _call_gain(worth, seen.jams)
    lost = probability @ (np.maximum(jam_gain, 0) - jam * jam_gain + np.maximum(call_gain, 0) - call * call_gain)
    if lost <= CLEAR_BB:
        return None

    def pairs(rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> Floats:
        return np.asarray(table.way_block(rows, columns) @ (worth[2:] - worth[1]) / table.total)

    rows, columns = open_hands(jam, jam_gain, width), open_hands(call, call_gain, width)
    new_jam, new_call = settle(jam, jam_gain, rows), settle(call, call_gain, columns)
    moved_jam, moved_call = np.flatnonzero(new_jam != jam), np.flatnonzero(new_call != call)
    matrix, own, theirs = pairs(rows, columns), probability[rows], probability[columns]
    jam_base = jam_gain[rows] - matrix @ new_call[columns]
    call_base = call_gain[columns] + ((own * new_jam[rows]) @ matrix) / theirs
    if len(moved_call):
        jam_base = jam_base + pairs(rows, moved_call) @ (new_call - call)[moved_call]
    if len(moved_jam):
        change = probability[moved_jam] * (new_jam - jam)[moved_jam]
        call_base = call_base - (change @ pairs(moved_jam, columns)) / theirs
    return _Open(new_jam, new_call, rows, columns, OpenHandsGame(matrix, jam_base, call_base, own, theirs))


def gains(rules: Endgame, level: BlindLevel, seen: Tally, after: Floats) -> tuple[Floats, Floats]:
    """(jam, call), [states, classes]: what playing gains over folding, as a chance to win; calling, given a jam.

    `after` is the value of the next hand to its button.
    """
    jam, call = np.empty((2, rules.chips - 1, seen.calls.shape[2]))
    for state, ends in enumerate(rules.ends(level)):
        worth = 1 - after[rules.chips - ends]
        jam[state] = _jam_gain(worth, seen.calls[:, state])
        met = seen.jams[:, state].sum(axis=0)
        call[state] = _call_gain(worth, seen.jams[:, state]) / np.where(met > 0, met, 1)
    return jam, call


class Chip(NamedTuple):
    """One hand for chips, in big blinds."""

    stack: float
    small: float
    big: float


def chip_charts(table: Classes, rules: Endgame, level: BlindLevel) -> StateCharts:
    """The one-hand equilibrium of every state: shipped if available, else solved, stack by stack."""
    jam, call = np.empty((2, rules.chips - 1, table.classes))
    known: dict[Chip, tuple[Floats, Floats]] = {}
    for state, hand in enumerate(rules.hands(level)):
        dead = hand.ends[2] - hand.chips - hand.stack  # a big-blind ante plays as half of it each
        key = Chip(*((part + dead / 2) / level.big for part in (hand.stack, hand.small, hand.big)))
        if key not in known:
            known[key] = _chip(table, key, known)
        jam[state], call[state] = known[key]
    return StateCharts(jam, call)


def _chip(table: Classes, chip: Chip, known: dict[Chip, tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    if chip.stack <= chip.small:
        return np.ones(table.classes), np.ones(table.classes)
    standard = chip.small == min(0.5, chip.stack) and chip.big == min(1.0, chip.stack)
    sweep = shipped(table.game) if has_shipped(table.game) and table.ranks == 13 else None
    if sweep is not None and sweep.classes != table.classes:
        sweep = None
    if sweep is not None and standard and sweep.has(chip.stack):
        at = sweep.nearest_index(chip.stack)
        return sweep.jam[at], sweep.call[at]
    start = None
    if known:
        start = known[min(known, key=lambda other: abs(other.stack - chip.stack))]
    elif sweep is not None:
        at = sweep.nearest_index(chip.stack)
        start = sweep.jam[at], sweep.call[at]
    solution = solve(JamFoldGame.of(table, Payoffs(*chip)), start=start)
    if not solution.gap_mbb < 1.0:
        raise DataError(f"{table.game} at {chip.stack:g} big blinds did not settle: {solution.gap_mbb:g} mbb/g")
    return solution.jam, solution.call
