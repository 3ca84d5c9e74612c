"""A hand, a range, and all flops, reduced to what a solver needs.

Features that hold on no flop, or equal an earlier one, are dropped. Flops with the same row of features get the same
estimate, so only the different rows are kept; flops with the same row and equity become one point with a weight.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import parse_cards
from headsup.common.display import brief
from headsup.common.errors import UserError
from headsup.distil.formulas.features import FEATURES, feature_matrix

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Problem:
    """The flops of one hand against one range as weighted points over different rows of features."""

    hand: str
    villain: str
    numbers: Ints
    """int64[p]: the paper's numbers of the features kept, ascending; column k of the matrix is feature numbers[k]."""
    matrix: Bools  # bool[rows, p]: the different rows of features
    row: Ints  # int64[m]: each point's row; points are sorted by row, then equity
    equity: Floats
    """float64[m]: each point's equity, a fraction of the pot; exact unless the problem was asked to round."""
    weight: Ints  # int64[m]: how many flops each point stands for
    same: dict[int, int]  # dropped feature -> the kept feature that holds on the same flops
    never: tuple[int, ...]  # features that hold on no flop
    flops: npt.NDArray[np.uint8]  # uint8[n, 3]: the flops on which the range has a hand left
    flop_row: Ints  # int64[n]: each flop's row
    flop_equity: Floats  # float64[n]: each flop's equity
    left_out: int  # flops left out because no hand of the range is possible there

    __repr__ = brief

    @property
    def total(self) -> int:
        return int(self.weight.sum())

    def columns(self, numbers: Iterable[int]) -> Ints:
        """The column of each of these features (a dropped one has that of its equal); -1 where there is none."""
        place = {number: k for k, number in enumerate(self.numbers.tolist())}
        return np.array([place.get(self.same.get(number, number), -1) for number in numbers], dtype=np.int64)

    def dense(self, weights: Mapping[int, float]) -> Floats:
        """A formula (feature number -> weight) as one weight for each column."""
        dense = np.zeros(len(self.numbers))
        for column, weight in zip(self.columns(weights).tolist(), weights.values(), strict=True):
            if column >= 0:
                dense[column] += weight
        return dense

    def extremes(self) -> tuple[Floats, Floats]:
        rows = np.arange(len(self.matrix))
        first = np.searchsorted(self.row, rows)
        last = np.searchsorted(self.row, rows, side="right") - 1
        return self.equity[first], self.equity[last]

    def estimates(self, weights: Mapping[int, float]) -> Floats:
        """float64[rows]: the estimate of a formula (feature number -> weight); dropped features may be used."""
        for number, column in zip(weights, self.columns(weights).tolist(), strict=True):
            if column < 0 and number not in self.never:
                raise UserError(f"F{number} is not among the features of this problem: see its numbers, same and never")
        return np.asarray(self.matrix @ self.dense(weights))

    def cut_estimates(self, weights: Mapping[int, float]) -> Floats:
        """float64[rows]: the same, cut to 0..1."""
        return np.clip(self.estimates(weights), 0.0, 1.0)

    def average_error(self, weights: Mapping[int, float]) -> float:
        """The mean over flops of |estimate - equity|, a fraction of the pot, without cutting."""
        return float(self._errors(weights) @ self.weight / self.total)

    def max_error(self, weights: Mapping[int, float]) -> float:
        """The largest |estimate - equity| over all flops, a fraction of the pot, without cutting."""
        return float(self._errors(weights).max())

    def _errors(self, weights: Mapping[int, float]) -> Floats:
        return np.abs(self.estimates(weights)[self.row] - self.equity)


def problem(hand: str, villain: str, numbers: Iterable[int] | None = None, *, places: int | None = None) -> Problem:
    """All flops of a hand against a range, with all 73 features or only those numbered.

    `places` rounds the equities to so many decimals first. The figures of dalpasso-lancia-2015 come from equities in
    whole percents (`places=2`): only then are the printed weights the best ones, to the digit.
    """
    from headsup.equity import flop_equities  # here, because it brings Numba with it

    wanted = _checked(numbers)
    exact = flop_equities(hand, villain)
    possible = exact.deals > 0
    if not possible.any():
        raise UserError(f"'{villain}' has no hand left beside {hand}: choose a range with other cards")
    flops = exact.flops[possible]
    equity = exact.equities()[possible]
    if places is not None:
        equity = np.round(equity, places)
    features = feature_matrix(parse_cards(hand), flops)[:, wanted - 1]
    kept, same, never = _distinct(wanted, features)
    columns = features[:, np.searchsorted(wanted, kept)]
    matrix, flop_row = _rows(columns)
    keys = np.empty(len(flops), dtype=[("row", np.int64), ("equity", np.float64)])
    keys["row"], keys["equity"] = flop_row, equity
    points, weight = np.unique(keys, return_counts=True)
    return Problem(
        hand=hand,
        villain=villain,
        numbers=kept,
        matrix=matrix,
        row=points["row"].copy(),
        equity=points["equity"].copy(),
        weight=weight.astype(np.int64),
        same=same,
        never=never,
        flops=flops,
        flop_row=flop_row,
        flop_equity=equity,
        left_out=int((~possible).sum()),
    )


def _checked(numbers: Iterable[int] | None) -> Ints:
    wanted = sorted(set(range(1, len(FEATURES) + 1) if numbers is None else numbers))
    if not wanted or wanted[0] < 1 or wanted[-1] > len(FEATURES):
        raise UserError(f"features are numbered 1 to {len(FEATURES)}: name at least one of these, and no other")
    return np.array(wanted, dtype=np.int64)


def _distinct(wanted: Ints, features: Bools) -> tuple[Ints, dict[int, int], tuple[int, ...]]:
    """The features to keep; dropped ones with the kept one they equal; those that never hold."""
    first: dict[bytes, int] = {}
    same: dict[int, int] = {}
    never: list[int] = []
    for number, column in zip(wanted.tolist(), features.T, strict=True):
        if not column.any():
            never.append(number)
            continue
        key = np.packbits(column).tobytes()
        if key in first:
            same[number] = first[key]
        else:
            first[key] = number
    return np.array(list(first.values()), dtype=np.int64), same, tuple(never)


def _rows(columns: Bools) -> tuple[Bools, Ints]:
    """The different rows, in ascending order of their bits, and each flop's row."""
    packed = np.ascontiguousarray(np.packbits(columns, axis=1))
    keys = packed.view([("", packed.dtype)] * packed.shape[1]).ravel()
    _, index, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return columns[index], inverse.ravel().astype(np.int64)
