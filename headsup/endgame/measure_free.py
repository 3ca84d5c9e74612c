"""The guarantee of a jam-or-fold player against an opponent who may limp and raise.

The player jams or folds on the button, and in the big blind facing a limp or a raise to t chips, so no hand sees a
flop, and all of it is counted exactly. The floor of such a plan (`free_floor`) is a proof about the whole game of
no-limit hold'em: its value to the button lies between the floor on the button and one less that of the big blind, a
bound on the loss of jam or fold (Miltersen and Sorensen 2007). With `Limps` (`headsup.endgame.measure_limp`) the player
checks some limps and jams some flops; without them a flop counts as worthless to the player.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.errors import DataError, UserError
from headsup.endgame.measure import (
    MOST_ROUNDS,
    SURE,
    Floor,
    HandResponse,
    StateCharts,
    forced,
    linear,
    response_to_jams,
    tally,
    weights,
)
from headsup.endgame.measure_limp import Limps
from headsup.endgame.rules import Endgame
from headsup.games.holdem.classes import Classes


class Answers(NamedTuple):
    """The big blind's answers to bets short of all-in: jams over them, float64[sizes, states, classes]."""

    sizes: tuple[int, ...]  # what the button has put in, in units, the big blind first: a limp
    jam: Floats

    def to(self, size: int, of: Floats) -> Floats:
        """The answer to any size, or its tally: interpolated between the two neighbouring sizes, the rows of `of`."""
        at = int(np.searchsorted(self.sizes, size))
        if at == len(self.sizes) or self.sizes[at] == size:
            return np.asarray(of[min(at, len(self.sizes) - 1)])
        if at == 0:
            return np.asarray(of[0])
        low, high = self.sizes[at - 1], self.sizes[at]
        weight = (size - low) / (high - low)
        return np.asarray((1 - weight) * of[at - 1] + weight * of[at])


def legal_sizes(rules: Endgame) -> tuple[int, ...]:
    """What the button may put in short of all-in, in some state: a limp, and every raise from twice the big blind."""
    big, ante = rules.levels[-1].big, rules.levels[-1].ante
    most = rules.chips // 2
    return (big + ante, *range(2 * big + ante, most))


def allowed(rules: Endgame, size: int) -> npt.NDArray[np.bool_]:
    """[states, 1]: where this size is less than all-in."""
    return np.array([[size < hand.stack] for hand in rules.hands(rules.levels[-1])])


def check_fixed(rules: Endgame) -> None:
    """Raise unless the blinds are fixed."""
    if rules.rising or rules.levels[-1].bb_ante:
        raise UserError(
            "bounds against an opponent who may limp and raise are for fixed blinds without a big-blind ante"
        )


class _Line(NamedTuple):
    """One size of the button and the answers to it."""

    size: int
    met: Floats  # [states, classes]: hands that jam over it
    ways: Floats  # [K, states, classes]: by outcome to the button
    may: npt.NDArray[np.bool_]
    column: int  # which end it is to give the raise up
    flop: Floats | None = None
    """[states, classes, 1 + K]: jams on a flop after it, how often they are given up to and by outcome."""

    def on_flop(self, worth: Floats) -> Floats:
        """[states, 1 + K]: the big blind's value if a jam on the flop is folded to, and of each outcome of a call."""
        return np.column_stack([worth[:, self.column], worth[:, 2 : 2 + len(self.ways)]])

    def answered(self, rules: Endgame, limps: Limps, worth: Floats) -> _Line:
        """A limp with the best response to jams on the flop."""
        return self._replace(flop=limps.responses(rules, self.may & limps.deep(rules), self.on_flop(worth)))

    def options(self, worth: Floats) -> tuple[Floats, Floats]:
        """[states, classes] each: the big blind's value if the button folds to jams over its bet, and if it calls."""
        take = worth[:, 1:2]
        stolen = (1 - self.met) * take
        if self.flop is not None:
            stolen += np.einsum("snk,sk->sn", self.flop, self.on_flop(worth) - take)
        given = self.met * worth[:, self.column, None]
        played = np.einsum("ksn,sk->sn", self.ways, worth[:, 2 : 2 + len(self.ways)])
        return np.where(self.may, stolen + given, np.inf), np.where(self.may, stolen + played, np.inf)


def _line(rules: Endgame, size: int, ways: Floats, column: int) -> _Line:
    return _Line(size, ways.sum(axis=0), ways, allowed(rules, size), column)


def free_ends(rules: Endgame, sizes: tuple[int, ...]) -> npt.NDArray[np.intp]:
    """[states, 2 + K + sizes]: chips of the button after each end; the last ones fold a limp or a raise."""
    level = rules.levels[-1]
    chips = np.arange(1, rules.chips)[:, None]
    return np.column_stack([rules.ends(level), np.maximum(chips - np.array([sizes], dtype=np.intp), 0)])


def free_floor(
    table: Classes,
    rules: Endgame,
    charts: StateCharts,
    answers: Answers,
    sizes: tuple[int, ...] | None = None,
    limps: Limps | None = None,
) -> Floor:
    """What charts and answers are sure of if the opponent may limp and raise to any size, in the whole endgame.

    `sizes` leaves the opponent only some of `legal_sizes`, to see what each kind is worth; such a floor is no proof
    about the unrestricted game. `limps` answer limps instead of `answers` where they are deep.
    """
    check_fixed(rules)
    probability, n = weights(table), rules.chips
    if not all((chart @ probability > 0).all() for chart in (*charts, *answers.jam)):
        raise DataError("a plan that never jams or never calls in some state can be held there for ever: add a hand")
    sizes = legal_sizes(rules) if sizes is None else sizes
    seen, ends, big_ends = tally(table, charts), rules.ends(rules.levels[-1]), free_ends(rules, sizes)
    # what a mixture of two charts meets is the mixture of what they meet
    known = np.stack([table.ways(jam) / table.total for jam in answers.jam])
    lines = [_line(rules, size, answers.to(size, known), ends.shape[1] + at) for at, size in enumerate(sizes)]
    limp = sizes.index(legal_sizes(rules)[0]) if limps is not None and legal_sizes(rules)[0] in sizes else None
    if limps is not None and limp is not None:
        over = table.ways(limps.jam_over(rules)) / table.total
        lines[limp] = _line(rules, sizes[limp], np.where(limps.deep(rules), over, lines[limp].ways), lines[limp].column)
    all_in, called = forced(rules, -1)
    line = np.arange(n + 1) / n
    now = np.stack([line, line])
    facing: HandResponse | None = None
    old: npt.NDArray[np.intp] | None = None
    change = np.inf
    for _ in range(MOST_ROUNDS):
        new_facing = response_to_jams(probability, charts.jam, seen.jams, now[1][ends], called, facing)
        worth = now[0][n - big_ends]
        if limps is not None and limp is not None:
            lines[limp] = lines[limp].answered(rules, limps, worth)
        choice, chance = _opening(probability, seen.calls, lines, worth, all_in, old)
        same = facing is not None and (new_facing.plays == facing.plays).all()
        if same and old is not None and (choice == old).all() and (limps is None or change <= SURE):
            if limps is not None and limp is not None:
                _check_taken(rules, lines[limp], now[0])
            return Floor(now[0][None], now[1][None])
        facing, old = new_facing, choice
        last, now = now, linear(rules, facing.ends, chance, big_ends)
        change = float(np.abs(now - last).max())
    raise DataError("the opponent's best response did not settle: the plan is too close to indifference everywhere")


def _check_taken(rules: Endgame, limp: _Line, button: Floats) -> None:
    """Raise unless an opponent does best to take a checked pot that we give up."""
    chips = np.arange(1, rules.chips)[limp.may[:, 0]]
    taken, tied, lost = (button[rules.chips - chips + step] for step in (-limp.size, 0, limp.size))
    if (taken > np.minimum(tied, lost)).any():
        raise DataError("more chips are worth less in some state: an opponent who checks it down might do better")


def limp_cost(table: Classes, rules: Endgame, button: Floats, limps: Limps) -> Floats:
    """[states, classes]: what a limp of each class leaves the big blind, who has `button` in the next hand.

    Where a limp is not allowed, or not answered by `limps`, it is nothing: nan.
    """
    limp = legal_sizes(rules)[0]
    ends = free_ends(rules, (limp,))
    worth, ways = button[rules.chips - ends], table.ways(limps.jam_over(rules)) / table.total
    line = _line(rules, limp, ways, ends.shape[1] - 1).answered(rules, limps, worth)
    return np.asarray(np.where(line.may & limps.deep(rules), np.minimum(*line.options(worth)), np.nan))


def _opening(
    probability: Floats,
    calls: Floats,
    lines: list[_Line],
    worth: Floats,
    all_in: npt.NDArray[np.bool_],
    old: npt.NDArray[np.intp] | None,
) -> tuple[npt.NDArray[np.intp], Floats]:
    """The free button's best choice, [states, classes], and how often each end comes; `worth` is the big blind's.

    Choices: 0 fold, 1 jam, then for each line 2 i + 2 give up when jammed over, 2 i + 3 call it.
    """
    k = len(calls)
    met = calls.sum(axis=0)
    take, shown = worth[:, 1:2], worth[:, 2 : 2 + k]

    options = [
        np.where(all_in, np.inf, worth[:, :1] * np.ones_like(met)),
        (1 - met) * take + np.einsum("ksn,sk->sn", calls, shown),
        *(option for line in lines for option in line.options(worth)),
    ]
    every = np.stack(options)
    choice = every.argmin(axis=0)
    if old is not None:
        keep = np.take_along_axis(every, old[None], 0)[0] - every.min(axis=0) <= SURE
        choice = np.where(keep, old, choice)
    chance = np.zeros_like(worth)
    for which in np.unique(choice):
        here = np.where(choice == which, probability, 0.0)
        if which == 0:
            chance[:, 0] += here.sum(axis=1)
            continue
        line = None if which == 1 else lines[(which - 2) // 2]
        jammed, ways = (met, calls) if line is None else (line.met, line.ways)
        chance[:, 1] += (here * (1 - jammed)).sum(axis=1)
        if line is not None and line.flop is not None:
            seen = np.einsum("sn,snk->sk", here, line.flop)
            chance[:, 1] -= seen.sum(axis=1)
            chance[:, line.column] += seen[:, 0]
            chance[:, 2 : 2 + k] += seen[:, 1:]
        if line is not None and which % 2 == 0:
            chance[:, line.column] += (here * jammed).sum(axis=1)
        else:
            chance[:, 2 : 2 + k] += np.einsum("sn,ksn->sk", here, ways)
    return choice, chance
