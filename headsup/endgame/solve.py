"""Endgames solved: every state a small linear program, all tied together by the values of the states they lead to.

One round:

1. Tally the table against all charts of all states: one pass.
2. Solve the linear equations of the pair: the value V of every state (`headsup.endgame.measure`).
3. Bound it: the floor of the plan, by its Markov decision process. Stop when the widest interval is below the target,
   or when rounds no longer help.
4. In every state, with its ends worth what V says, do what the exact solver of jam or fold does (`jamfold_exact`):
   hands with a clear gain play its sign, the ones close to zero are decided together by a linear program.

This is Newton's method for the whole endgame: from the charts of one hand for chips, three or four rounds are enough.
It is not bound to converge in every game; the certificate does not depend on that, and says what was reached. Hands of
rising blinds lead to hands that are solved already, so they go backwards, each with the same rounds.

Values are scaled to chips in big blinds while a state is solved, so that the tolerances are those of jam or fold.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.checks import as_call, at_least, door, of_kind, positive
from headsup.common.display import brief
from headsup.common.errors import DataError
from headsup.common.progress import Progress, Watch
from headsup.endgame.measure import (
    Bounds,
    Charts,
    Floor,
    Plan,
    Tally,
    chances,
    floor,
    hand_floor,
    pair_values,
    plan,
    tally,
    weights,
)
from headsup.endgame.rules import Endgame, Level
from headsup.games.betting.stakes import Payoffs
from headsup.games.holdem.classes import Classes
from headsup.jamfold.exact import WIDTH, open_hands, settle, solve
from headsup.jamfold.gains import jamfold_gains
from headsup.jamfold.shipped import has_shipped, shipped
from headsup.jamfold.small import SmallGame, solve_small

TARGET = 1e-9
"""The widest interval of a state's value, as a chance, that ends the search."""
CLEAR_BB = 1e-13
"""States whose best replies gain less, in big blinds, are left as they are."""
MOST_ROUNDS = 30


@dataclass(frozen=True, eq=False)
class Solved:
    """An endgame solved: the plan, the value of each state to the button with its bounds, and what one hand costs."""

    plan: Plan
    bounds: Bounds
    rounds: int
    chip_plan: Plan
    """The equilibrium of every single hand for chips."""
    chip_floor: Floor
    """What playing that is sure of."""

    __repr__ = brief

    @property
    def rules(self) -> Endgame:
        """The endgame."""
        return self.plan.rules


@door(
    table=of_kind(Classes),
    rules=of_kind(Endgame),
    target=positive,
    width=at_least(1),
    rounds=at_least(1),
    watch=as_call,
)
def solve_endgame(
    table: Classes,
    rules: Endgame,
    *,
    target: float = TARGET,
    width: int | None = None,
    rounds: int = MOST_ROUNDS,
    watch: Watch | None = None,
) -> Solved:
    """Solve every state of an endgame and certify it; a gap above the target is told by the bounds, not hidden."""
    width = min(WIDTH, max(32, table.classes // 4)) if width is None else width
    chips = [chip_charts(table, rules, level) for level in _levels(rules)]
    at = [_levels(rules).index(level) for level in rules.schedule]
    first = plan(rules, [chips[one] for one in at])
    seen = [tally(table, first.charts[at.index(one)]) for one in range(len(chips))]
    chip_floor = floor(table, first, tuple(seen[one] for one in at))
    made: list[tuple[Charts, Tally]] = []
    after: Bounds | None = None
    done = 0
    for hand in range(rules.rising, -1, -1):
        start = (first.charts[hand], seen[at[hand]])
        if made and at[hand] == at[hand + 1]:
            start = made[0]
        best, after, took = _solve_hand(table, rules, hand, start, after, target, width, rounds, watch)
        made.insert(0, best)
        done += took
    whole = plan(rules, [charts for charts, _ in made])
    assert after is not None
    return Solved(whole, after, done, first, chip_floor)


def _levels(rules: Endgame) -> list[Level]:
    return list(dict.fromkeys(rules.schedule))


def _solve_hand(
    table: Classes,
    rules: Endgame,
    hand: int,
    start: tuple[Charts, Tally],
    after: Bounds | None,
    target: float,
    width: int,
    rounds: int,
    watch: Watch | None,
) -> tuple[tuple[Charts, Tally], Bounds, int]:
    """One hand of rising blinds, or the last level and all that follows; `after` is what is known of the next hand."""
    now, best, found = start, start, None
    done, worse = 0, 0
    for done in range(1, rounds + 1):
        bounds = _bounds(table, rules, hand, now, after)
        gap = bounds.gap
        if watch is not None:
            watch(Progress(done, rounds, text=f"hand {hand + 1} of {rules.rising + 1}, bounds {gap:.1e} apart"))
        worse = 0 if found is None or gap < found.gap else worse + 1
        if found is None or gap < found.gap:
            best, found = now, bounds
        if found.gap <= target or worse > 3 or done == rounds:
            break
        if worse:
            width = min(2 * width, table.classes)
        value = (bounds if after is None else after).value[0]
        now = _improved(table, rules, rules.schedule[hand], now, value, width)
    assert found is not None
    return best, found, done


def _bounds(table: Classes, rules: Endgame, hand: int, now: tuple[Charts, Tally], after: Bounds | None) -> Bounds:
    """Value and bounds of the states of one hand, and of all hands after it."""
    charts, seen = now
    if after is None:
        last = Endgame(rules.game, rules.chips, rules.levels[-1:], rules.unit)
        sure = floor(table, plan(last, [charts]), (seen,))
        value = pair_values(last, [chances(weights(table), charts.jam, seen.calls)])
        return Bounds(value, sure.button, 1 - sure.big[:, ::-1])
    one = _before(table, rules, hand, now, after)
    return Bounds(*(np.concatenate([new[None], old]) for new, old in zip(one, after, strict=True)))


def _before(
    table: Classes, rules: Endgame, hand: int, now: tuple[Charts, Tally], after: Bounds
) -> tuple[Floats, Floats, Floats]:
    charts, seen = now
    ends = rules.ends(rules.schedule[hand])
    value = (chances(weights(table), charts.jam, seen.calls) * (1 - after.value[0][rules.chips - ends])).sum(axis=1)
    sure = hand_floor(table, rules, hand, charts, seen, after.low[0], 1 - after.high[0][::-1])
    whole = np.concatenate([[0.0], value, [1.0]])
    return whole, sure[0], 1 - sure[1][::-1]


class _Open(NamedTuple):
    """One state: its charts with the clear hands settled, and the game of the open ones."""

    jam: Floats
    call: Floats
    rows: npt.NDArray[np.intp]
    columns: npt.NDArray[np.intp]
    small: SmallGame

    def solved(self) -> tuple[Floats, Floats]:
        """Both charts, the open hands decided."""
        jam, call = self.jam.copy(), self.call.copy()
        jam[self.rows], call[self.columns] = solve_small(self.small, (jam[self.rows], call[self.columns]))
        return jam, call


def _improved(
    table: Classes, rules: Endgame, level: Level, now: tuple[Charts, Tally], value: Floats, width: int
) -> tuple[Charts, Tally]:
    """Every state's charts anew, for what its ends are worth; and their tally."""
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
        one = Charts(charts.jam[state], charts.call[state])
        game = _opened(table, worth, one, Tally(seen.calls[:, state], seen.jams[:, state]), width)
        if game is not None:
            undecided[state] = game
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # HiGHS lets other threads run
        for state, found in zip(undecided, pool.map(_Open.solved, undecided.values()), strict=True):
            jam[state], call[state] = found
    made = Charts(jam, call)
    return made, tally(table, made)


def _jam_gain(worth: Floats, calls: Floats) -> Floats:
    """What jamming gains over folding, each class; `worth` of a hand's ends to the button."""
    return np.asarray(worth[1] - worth[0] + (worth[2:] - worth[1]) @ calls)


def _call_gain(worth: Floats, jams: Floats) -> Floats:
    """What calling gains the big blind over folding, each class, from the deal."""
    return np.asarray((worth[1] - worth[:1:-1]) @ jams)


def _opened(table: Classes, worth: Floats, charts: Charts, seen: Tally, width: int) -> _Open | None:
    """The open hands of one state; none if nothing can be gained. `worth` is in big blinds."""
    (jam, call), shares = charts, weights(table)
    jam_gain, call_gain = _jam_gain(worth, seen.calls), _call_gain(worth, seen.jams)
    lost = shares @ (np.maximum(jam_gain, 0) - jam * jam_gain + np.maximum(call_gain, 0) - call * call_gain)
    if lost <= CLEAR_BB:
        return None

    def pairs(rows: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]) -> Floats:
        return np.asarray(table.way_block(rows, columns) @ (worth[2:] - worth[1]) / table.total)

    rows, columns = open_hands(jam, jam_gain, width), open_hands(call, call_gain, width)
    new_jam, new_call = settle(jam, jam_gain, rows), settle(call, call_gain, columns)
    moved_jam, moved_call = np.flatnonzero(new_jam != jam), np.flatnonzero(new_call != call)
    matrix, own, theirs = pairs(rows, columns), shares[rows], shares[columns]
    jam_base = jam_gain[rows] - matrix @ new_call[columns]
    call_base = call_gain[columns] + ((own * new_jam[rows]) @ matrix) / theirs
    if len(moved_call):
        jam_base = jam_base + pairs(rows, moved_call) @ (new_call - call)[moved_call]
    if len(moved_jam):
        change = shares[moved_jam] * (new_jam - jam)[moved_jam]
        call_base = call_base - (change @ pairs(moved_jam, columns)) / theirs
    return _Open(new_jam, new_call, rows, columns, SmallGame(matrix, jam_base, call_base, own, theirs))


def gains(rules: Endgame, level: Level, seen: Tally, after: Floats) -> tuple[Floats, Floats]:
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


def chip_charts(table: Classes, rules: Endgame, level: Level) -> Charts:
    """The one-hand equilibrium of every state: the shipped one where it is there, else solved, stack by stack."""
    jam, call = np.empty((2, rules.chips - 1, table.classes))
    known: dict[Chip, tuple[Floats, Floats]] = {}
    for state, hand in enumerate(rules.hands(level)):
        dead = hand.ends[2] - hand.chips - hand.stack  # a big-blind ante plays as half of it each
        key = Chip(*((part + dead / 2) / level.big for part in (hand.stack, hand.small, hand.big)))
        if key not in known:
            known[key] = _chip(table, key, known)
        jam[state], call[state] = known[key]
    return Charts(jam, call)


def _chip(table: Classes, chip: Chip, known: dict[Chip, tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    if chip.stack <= chip.small:
        return np.ones(table.classes), np.ones(table.classes)
    standard = chip.small == min(0.5, chip.stack) and chip.big == min(1.0, chip.stack)
    sweep = shipped(table.game) if has_shipped(table.game) and table.ranks == 13 else None
    if sweep is not None and sweep.classes != table.classes:
        sweep = None
    if sweep is not None and standard and sweep.has(chip.stack):
        at = sweep.nearest(chip.stack)
        return sweep.jam[at], sweep.call[at]
    start = None
    if known:
        start = known[min(known, key=lambda one: abs(one.stack - chip.stack))]
    elif sweep is not None:
        at = sweep.nearest(chip.stack)
        start = sweep.jam[at], sweep.call[at]
    found = solve(jamfold_gains(table, Payoffs(*chip)), start=start)
    if not found.gap_mbb < 1.0:
        raise DataError(f"{table.game} at {chip.stack:g} big blinds did not settle: {found.gap_mbb:g} mbb/g")
    return found.jam, found.call
