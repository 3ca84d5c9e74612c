"""The sequence form of a bucket model with its payoffs in two factors instead of one large matrix.

With a[p] and b[q] the probabilities of the bucket paths of player and opponent, and M the payoffs by last buckets, the
block of a terminal node is a[p] M[last of p, last of q] b[q]. So what a sequence earns takes two steps,

    u[n] = sum over the paths q that end in n of b[q] y[q] / b(n),         b(n) = sum of these b[q],
    a[p] sum over n of M[last of p, n] b(n) u[n].

Everything of a `SequenceForm` but its matrix works.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats, Ints, Longs
from headsup.games.trees.sequence import Seat, SequenceForm
from headsup.papers.andersson2006.bot.model import BucketModel, ModelLabels


class Factor(NamedTuple):
    """A sparse matrix by rows."""

    start: Longs
    other: Ints
    value: Floats

    def entries(self) -> tuple[Longs, Ints, Floats]:
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start)), self.other, self.value

    def __matmul__(self, vector: Floats) -> Floats:
        from headsup.games.trees.sequence_kernels import utility

        out = np.empty(len(self.start) - 1)
        utility(self.start, self.other, self.value, np.ascontiguousarray(vector), out)
        return out


@dataclass(frozen=True, repr=False)
class FactoredSeat(Seat):
    """A seat whose payoffs are `rows` times `between`; the matrix itself is empty."""

    rows: Factor
    between: Factor

    def utility(self, opponent_plan: Floats) -> Floats:
        """What each sequence earns, in two products."""
        return self.rows @ (self.between @ opponent_plan)


def factored_form(model: BucketModel) -> SequenceForm:
    """The sequence form with its payoff matrix in two factors."""
    return SequenceForm(model.name, 1.0, (_seat(model, 0), _seat(model, 1)))


def _seat(model: BucketModel, seat: int) -> FactoredSeat:
    first, parent = model.lists(seat)
    sums: list[tuple[AnyArray, AnyArray, AnyArray]] = []
    pays: list[tuple[AnyArray, AnyArray, AnyArray]] = []
    n_between, sign = 0, 1.0 if seat == 0 else -1.0
    for end in model.ends:
        mine, other = model.last_sequences(seat, end.node), model.last_sequences(1 - seat, end.node)
        own, chance = model.weights(seat, end.node), model.weights(1 - seat, end.node)
        paid = np.full((1, 1), end.fold) if end.shown is None else end.shown if seat == 0 else end.shown.T
        size = len(paid)
        last = np.arange(len(other)) % size
        total = np.bincount(last, weights=chance, minlength=size)
        share = np.divide(chance, total[last], out=np.zeros(len(chance)), where=total[last] > 0.0)
        sums.append((n_between + last, other, share))
        block = sign * own[:, None] * (paid * total)[np.arange(len(mine)) % size]
        rows, cols = np.broadcast_arrays(mine[:, None], n_between + np.arange(size))
        pays.append((rows.ravel(), cols.ravel(), block.ravel()))
        n_between += size
    empty = np.zeros(int(first[-1]) + 1, dtype=np.int64)
    return FactoredSeat(
        first,
        parent,
        empty,
        np.zeros(0, dtype=np.int32),
        np.zeros(0),
        ModelLabels(model, seat),
        _factor(pays, int(first[-1])),
        _factor(sums, n_between),
    )


def _factor(parts: list[tuple[AnyArray, AnyArray, AnyArray]], n_rows: int) -> Factor:
    rows, cols, values = (np.concatenate(many) for many in zip(*parts, strict=True))
    kept = values != 0.0
    rows, cols, values = rows[kept], cols[kept], values[kept]
    order = np.argsort(rows, kind="stable")
    start = np.zeros(n_rows + 1, dtype=np.int64)
    np.cumsum(np.bincount(rows, minlength=n_rows), out=start[1:])
    return Factor(start, cols[order].astype(np.int32), values[order])
