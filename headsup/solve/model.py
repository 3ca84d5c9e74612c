"""The linear program of an abstract game of bucketed hands, without its large payoff matrix.

It is the program of `headsup.solve.lp` (minimise r_0 with D' r - P y >= 0, C y = c, y >= 0) with P in the two factors
of `headsup.abstraction.factored`: the sums u between them become columns. Each row is divided by how often player 0 is
dealt the path of its information set, and r is counted in that unit, so that all numbers are of the size of bets; the
multipliers of the rows are then that chance times player 0's plan.

`forced` is the least share of every action of the first street (andersson-2006, section 4.3). Both players keep to it:
with F y >= 0 saying that an action's plan is at least that share of the plan before it, player 1 has these rows, and
player 0's have columns w >= 0 in D' r - F' w - P y >= 0, which is the same for the other side by duality.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from headsup.abstraction.factored import FactoredSeat, factored_form
from headsup.abstraction.model import BucketModel
from headsup.errors import UserError
from headsup.games.arrays import Floats, Longs
from headsup.games.sequence import Profile
from headsup.highs import INFINITY, Program, optimum
from headsup.solve.lp import ALGORITHMS

TINY = 1e-13


class Found(NamedTuple):
    """What a program says."""

    value: float
    """What player 0 wins, in big blinds."""
    profile: Profile
    """Both behaviour strategies; uniform where the own plan never comes."""


def model_program(model: BucketModel, forced: float = 0.0) -> tuple[Program, Longs, Longs]:
    """The program, its rows for player 0's sequences and its columns for player 1's."""
    check_forced(model, forced)
    program = Program()
    lists = model.lists(0), model.lists(1)
    weight = path_weights(model, 0)
    owner = [np.repeat(np.arange(len(parent)), np.diff(first)) for first, parent in lists]
    sequences = [len(one) + 1 for one in owner]
    y = program.columns(sequences[1], 0.0, INFINITY)
    r = np.concatenate(
        (program.columns(1, -INFINITY, INFINITY, 1.0), program.columns(len(lists[0][1]), -INFINITY, INFINITY))
    )
    unit = np.concatenate(([1.0], weight[owner[0]]))  # what each row of player 0 is counted in
    seat = factored_form(model).seats[0]
    assert isinstance(seat, FactoredSeat)
    u = program.columns(len(seat.between.start) - 1, -INFINITY, INFINITY)
    at, other, share = seat.between.entries()
    program.rows(len(u), 0.0, 0.0, (np.arange(len(u)), u, 1.0), (at, y[other], -share))
    at, between, pays = seat.rows.entries()
    # D' r: a sequence has its own information set's r, less those that follow it
    after = lists[0][1]
    moved = np.divide(weight, unit[after], out=np.zeros_like(weight), where=unit[after] > TINY)
    best = program.rows(
        sequences[0],
        0.0,
        INFINITY,
        (at, u[between], -pays / unit[at]),
        (np.arange(sequences[0]), np.concatenate(([r[0]], r[1 + owner[0]])), 1.0),
        (after, r[1:], -moved),
    )
    program.rows(
        len(lists[1][1]),
        0.0,
        0.0,
        (owner[1], y[1:], 1.0),
        (np.arange(len(lists[1][1])), y[lists[1][1]], -1.0),
    )
    program.rows(1, 1.0, 1.0, (0, y[0], 1.0))
    if forced:
        _force(program, model, forced, (best, y), unit)
    return program, best, y


def _force(program: Program, model: BucketModel, forced: float, places: tuple[Longs, Longs], unit: Floats) -> None:
    """F y >= 0 for player 1, and the columns w for player 0."""
    best, y = places
    own = [forced_sequences(model, seat) for seat in (0, 1)]
    program.rows(
        len(own[1][0]), 0.0, INFINITY, (np.arange(len(own[1][0])), y[own[1][0]], 1.0), _less(y[own[1][1]], forced)
    )
    sequence, parent = own[0]
    w = program.columns(len(sequence), 0.0, INFINITY)
    # in units of each row: x itself is the multiplier over the unit
    share = unit[sequence] / unit[parent]
    program.entries.append((best[sequence], w, np.full(len(w), -1.0)))
    program.entries.append((best[parent], w, forced * share))


def _less(columns: Longs, forced: float) -> tuple[Longs, Longs, Floats]:
    return np.arange(len(columns)), columns, np.full(len(columns), -forced)


def forced_sequences(model: BucketModel, seat: int) -> tuple[Longs, Longs]:
    """A player's sequences of the first street, and the one before each."""
    mine, before = [], []
    for node in model.decisions[seat].tolist():
        if model.tree.street[node] == model.first:
            parent, count = model.last_sequences(seat, node), int(model.tree.count[node])
            mine.append(model.places[seat][node] + np.arange(len(parent) * count))
            before.append(np.repeat(parent, count))
    return np.concatenate(mine), np.concatenate(before)


def check_forced(model: BucketModel, forced: float) -> None:
    """A share that every action of the first street can have, or one sentence."""
    tree = model.tree
    most = max(int(tree.count[n]) for many in model.decisions for n in many if tree.street[n] == model.first)
    if not 0.0 <= forced < 1.0 / most:
        raise UserError(f"every action is forced by less than 1/{most} (there are up to {most} of them), not {forced}")


def path_weights(model: BucketModel, seat: int) -> Floats:
    """[information sets] how often a player is dealt the path of each."""
    return np.concatenate([np.zeros(0), *(model.weights(seat, node) for node in model.decisions[seat].tolist())])


def solve_model(model: BucketModel, algorithm: str = "interior", forced: float = 0.0, **options: object) -> Found:
    """The value and both strategies by one linear program; `options` are HiGHS's own."""
    if algorithm not in ALGORITHMS:
        raise UserError(f"'{algorithm}' is not an algorithm for linear programs: choose from {', '.join(ALGORITHMS)}")
    program, rows, columns = model_program(model, forced)
    found = optimum(program, "try another algorithm (simplex, interior)", solver=ALGORITHMS[algorithm], **options)
    plans = np.abs(found.multipliers[rows]), found.columns[columns]
    return Found(found.objective, (_behaviour(model, 0, plans[0]), _behaviour(model, 1, plans[1])))


def _behaviour(model: BucketModel, seat: int, plan: Floats) -> Floats:
    """Shares by information set, whatever each is counted in; uniform where there is nothing."""
    first, _ = model.lists(seat)
    counts, positive = np.diff(first), np.maximum(plan, 0.0)
    total = np.repeat(np.add.reduceat(positive, first[:-1]), counts)
    out = np.ones(len(plan))
    out[1:] = np.where(total > TINY, positive[1:] / np.maximum(total, TINY), 1.0 / np.repeat(counts, counts))
    return out
