"""The linear program of an abstract game of bucketed hands, without its large payoff matrix.

It is the program of `headsup.solve.small.lp` with P in the two factors of `factored`: the sums u between them become
columns. Some paths are dealt once in 40 million hands, so everything is scaled by the probability of the path: y is
that probability times player 1's plan, a row and its r are divided by player 0's. `solve_model` bounds the value by
best responses. With `forced` (section 4.3), F y >= 0 for player 1's plan, and player 0's condition adds columns w >= 0
in D' r - F' w - P y >= 0, by duality.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from headsup.common.arrays import Floats, Longs
from headsup.common.errors import UserError
from headsup.common.highs import INFINITY, Program, optimum
from headsup.games.trees.sequence import Profile
from headsup.measure.measurement import of_plans
from headsup.papers.andersson2006.bot.factored import factored_form
from headsup.papers.andersson2006.bot.model import BucketModel
from headsup.solve.small.lp import ALGORITHMS

TINY = 1e-13
RARE = 2e-4
"""Moves that an interior point is better off without: two of the paper's buckets, which 3e-7 and 1e-5 of hands make."""
CLOSE = 2e-3  # big blinds that best responses to the strategies of a program may be apart


class ProgramSolution(NamedTuple):
    value: float  # what player 0 wins, in big blinds
    profile: Profile  # both behaviour strategies; uniform where the own plan never comes


def model_program(model: BucketModel, forced: float = 0.0, chooser: int = 1) -> tuple[Program, Longs, Longs]:
    """The program of the player whose plan is its columns, with the row ranges of the opponent's sequences."""
    check_forced(model, forced)
    program, replier = Program(), 1 - chooser
    lists = model.lists(0), model.lists(1)
    owner = [np.repeat(np.arange(len(parent)), np.diff(first)) for first, parent in lists]
    dealt = [path_weights(model, seat) for seat in (0, 1)]
    unit = [np.concatenate(([1.0], dealt[seat][owner[seat]])) for seat in (0, 1)]  # what each sequence is counted in
    y = program.columns(len(unit[chooser]), 0.0, INFINITY)
    # nobody loses more than all chips; an interior point does not do well with free columns
    least = -float(model.tree.paid.max()) / model.unit - 1.0
    before = lists[replier][1]
    r = np.concatenate((program.columns(1, least, INFINITY, 1.0), program.columns(len(before), least, INFINITY)))
    ends = _ends(model, unit, chooser)
    u = program.columns(ends.size, 0.0, INFINITY)
    program.rows(len(u), 0.0, 0.0, (np.arange(len(u)), u, 1.0), (ends.sums[0], y[ends.sums[1]], -ends.sums[2]))
    # D' r: a sequence has its own information set's r, less those that follow it
    best = program.rows(
        len(unit[replier]),
        0.0,
        INFINITY,
        (ends.pays[0], u[ends.pays[1]], -ends.pays[2]),
        (np.arange(len(unit[replier])), np.concatenate(([r[0]], r[1 + owner[replier]])), 1.0),
        (before, r[1:], -_ratio(dealt[replier], unit[replier][before])),
    )
    before = lists[chooser][1]
    program.rows(
        len(before),
        0.0,
        0.0,
        (owner[chooser], y[1:], 1.0),
        (np.arange(len(before)), y[before], -_ratio(dealt[chooser], unit[chooser][before])),
    )
    program.rows(1, 1.0, 1.0, (0, y[0], 1.0))
    if forced:
        _force(program, model, forced, (best, y), unit, chooser)
    return program, best, y


class _Ends(NamedTuple):
    """All terminal nodes as (row, column, value) of two matrices, in the units of the program."""

    size: int
    sums: tuple[Longs, Longs, Floats]
    """[last buckets of the chooser by end, sequences]: how often one is dealt such a bucket and plays to the end."""
    pays: tuple[Longs, Longs, Floats]
    """[sequences, last buckets by end]: what the other player wins there, in big blinds."""


def _ends(model: BucketModel, unit: list[Floats], chooser: int) -> _Ends:
    sums, pays, size, replier = [], [], 0, 1 - chooser
    for end in model.ends:
        mine, other = model.last_sequences(replier, end.node), model.last_sequences(chooser, end.node)
        paid = np.full((1, 1), end.fold) if end.shown is None else end.shown
        paid = paid if replier == 0 else -paid.T
        last = np.arange(len(other)) % len(paid)
        sums.append((size + last, other, _ratio(model.weights(chooser, end.node), unit[chooser][other])))
        share = _ratio(model.weights(replier, end.node), unit[replier][mine])
        block = share[:, None] * paid[np.arange(len(mine)) % len(paid)]
        rows, cols = np.broadcast_arrays(mine[:, None], size + np.arange(len(paid)))
        pays.append((rows.ravel(), cols.ravel(), block.ravel()))
        size += len(paid)
    return _Ends(size, _joined(sums), _joined(pays))


def _joined(parts: list[tuple[Longs, Longs, Floats]]) -> tuple[Longs, Longs, Floats]:
    rows, cols, values = (np.concatenate(many) for many in zip(*parts, strict=True))
    kept = values != 0.0
    return rows[kept], cols[kept], values[kept]


def _ratio(dealt: Floats, before: Floats) -> Floats:
    """The probability of a path given its beginning; 0 where that is unreachable."""
    return np.divide(dealt, before, out=np.zeros_like(dealt), where=before > 0.0)


def _force(
    program: Program, model: BucketModel, forced: float, places: tuple[Longs, Longs], unit: list[Floats], chooser: int
) -> None:
    """F y >= 0 for the chooser, and the columns w for the opponent."""
    best, y = places
    own = [forced_sequences(model, seat) for seat in (0, 1)]
    least = [forced * _ratio(unit[seat][mine], unit[seat][before]) for seat, (mine, before) in enumerate(own)]
    mine, before = own[chooser]
    at = np.arange(len(mine))
    program.rows(len(mine), 0.0, INFINITY, (at, y[mine], 1.0), (at, y[before], -least[chooser]))
    mine, before = own[1 - chooser]
    w = program.columns(len(mine), 0.0, INFINITY)
    program.entries.append((best[mine], w, np.full(len(w), -1.0)))
    program.entries.append((best[before], w, least[1 - chooser]))


def forced_sequences(model: BucketModel, seat: int) -> tuple[Longs, Longs]:
    """A player's sequences of the first street, and the parent of each."""
    mine, before = [], []
    for node in model.decisions[seat].tolist():
        if model.tree.street[node] == model.first:
            parent, count = model.last_sequences(seat, node), int(model.tree.count[node])
            mine.append(model.places[seat][node] + np.arange(len(parent) * count))
            before.append(np.repeat(parent, count))
    return np.concatenate(mine), np.concatenate(before)


def check_forced(model: BucketModel, forced: float) -> None:
    """A probability that every action of the first street can have."""
    tree = model.tree
    most = max(int(tree.count[n]) for many in model.decisions for n in many if tree.street[n] == model.first)
    if not 0.0 <= forced < 1.0 / most:
        raise UserError(f"every action is forced by less than 1/{most} (there are up to {most} of them), not {forced}")


def path_weights(model: BucketModel, seat: int) -> Floats:
    """[information sets] the probability that a player is dealt the path of each."""
    return np.concatenate([np.zeros(0), *(model.weights(seat, node) for node in model.decisions[seat].tolist())])


def solve_model(
    model: BucketModel, algorithm: str = "interior", forced: float = 0.0, least: float = 0.0, **options: object
) -> ProgramSolution:
    """The value and both strategies by one linear program; `options` are HiGHS's own.

    The program leaves out transitions rarer than `least`; the strategies are measured with them.
    A point that HiGHS is not sure of is taken where the best responses to its strategies are close to each other.
    """
    if algorithm not in ALGORITHMS:
        raise UserError(f"'{algorithm}' is not an algorithm for linear programs: choose from {', '.join(ALGORITHMS)}")
    remedy = "try another algorithm (simplex, interior)"
    known = replace(model, chances=model.chances.without_rare(least)) if least else model
    program, rows, columns = model_program(known, forced)
    solved = optimum(program, remedy, near=not forced, solver=ALGORITHMS[algorithm], **options)
    plans = np.abs(solved.multipliers[rows]), solved.columns[columns]
    result = ProgramSolution(solved.objective, (behaviour(model, 0, plans[0]), behaviour(model, 1, plans[1])))
    if not forced:
        low, high = bounds(model, result.profile)
        if high - low > CLOSE:
            raise UserError(
                f"HiGHS found strategies whose best responses are {high - low:.2g} big blinds apart, {low:.4f} to "
                f"{high:.4f}: {remedy}, or CFR+ (solve_by_cfr)"
            )
    return result


def bounds(model: BucketModel, profile: Profile) -> tuple[float, float]:
    """The least that player 0 wins against any strategy, and the most: the value lies between."""
    form = factored_form(model)
    measured = of_plans(form, form.plans(profile))
    return -measured.best[1], measured.best[0]


def behaviour(model: BucketModel, seat: int, plan: Floats) -> Floats:
    """Behaviour probabilities from a plan in any units; uniform where it is 0."""
    first, _ = model.lists(seat)
    counts, positive = np.diff(first), np.maximum(plan, 0.0)
    total = np.repeat(np.add.reduceat(positive, first[:-1]), counts)
    out = np.ones(len(plan))
    out[1:] = np.where(total > TINY, positive[1:] / np.maximum(total, TINY), 1.0 / np.repeat(counts, counts))
    return out
