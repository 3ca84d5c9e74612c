"""Proofs that no N features reach an error: few columns that meet every core, cores found as they are needed.

For a level E, a set of columns is *poor* if even its best weights leave an error above E; so is every subset. The
complement of a poor set is a *core*: every solution holds at least one of its columns, and N features reach E exactly
if N columns can be chosen that meet all cores. Sets with the same span (`spans`) have the same error, so what is chosen
is a span. The search takes columns into it or bars them, depth first. At a node

1. the cores not met yet, less the barred columns, must be met with the free places. A single column left is forced in.
   Weights on the cores that put no more than 1 on any column are a packing, and a solution needs at least their sum of
   further columns: disjoint cores first, then the best fractional packing (`kernels.cover`). A column on which the
   packing puts only 1 - s costs s more than it says: if that is too much, it is barred;
2. the columns in, and those that a fractional choice takes, are fitted. If they are poor, a largest poor set is grown
   from them and its core remembered for good;
3. else one column is decided both ways. Where all cores are met, what is spanned is fitted: a solution, or a new core.
   Fits of spans allow weights beyond 1; what reaches the level so is tried set by set.

A set is called poor only on the bound of its dual prices, so rounding cannot make a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from headsup.common.stop import time_up
from headsup.distil.formulas.problem import Bools, Floats
from headsup.distil.formulas.subset import node_kernels
from headsup.distil.formulas.subset.fits import Columns, Fit
from headsup.distil.formulas.subset.simplex import Packings
from headsup.distil.formulas.subset.spans import Span, Words, as_bits, as_bools

PAID = 1e-6  # a fractional choice takes a column if it takes more of it than this
MARGIN = 1e-6  # a packing must exceed the free places by more than this
MOST_CORES = 600  # the fractional packing looks at so many cores, the smallest


@dataclass
class Cores:
    """Cores of one problem, each with the error of its poor set: the core holds at levels below that error."""

    width: int
    errors: Floats
    bits: Words  # each core's columns (`as_bits`)
    count: int = 0

    @classmethod
    def none(cls, width: int) -> Cores:
        return cls(width, np.zeros(256), as_bits(np.zeros((256, width), dtype=np.bool_)))

    @property
    def sets(self) -> Bools:
        """bool[cores, width]"""
        return as_bools(self.bits[: self.count], self.width)

    def add(self, core: Bools, error: float) -> bool:
        """Remember a core; False if it is known already."""
        bits = as_bits(core)
        if (self.bits[: self.count] == bits).all(axis=1).any():
            return False
        if self.count == len(self.bits):
            self.bits = np.concatenate([self.bits, np.zeros_like(self.bits)])
            self.errors = np.concatenate([self.errors, np.zeros_like(self.errors)])
        self.bits[self.count], self.errors[self.count] = bits, error
        self.count += 1
        return True

    def above(self, level: float) -> Cores:
        keep = self.errors[: self.count] > level
        if not keep.any():
            return Cores.none(self.width)
        kept = np.flatnonzero(keep)
        return Cores(self.width, self.errors[kept], self.bits[kept], len(kept))


class Proof:
    """The search for `most` columns with an error of at most `level`; `run` can be called again to resume."""

    def __init__(self, fit: Fit, level: float, most: int, cores: Cores | None = None) -> None:
        self.fit, self.level, self.most, self.width = fit, level, most, fit.width
        self.cores = Cores.none(fit.width) if cores is None else cores.above(level)
        self.rich = Cores.none(fit.width)
        self.stack: list[tuple[Span, Bools, float]] = [(fit.origin, np.zeros(fit.width, dtype=np.bool_), 1.0)]
        self.packings = packings_of(fit.width)
        self.nodes = self.fits = 0
        self.until = np.inf

    def run(self, until: float, pause: Callable[[], None] | None = None) -> tuple[str, Columns]:
        """`none` (proved: nothing reaches the level), `found` with columns that do, or `time`."""
        self.until = until
        while self.stack:
            if time_up(until):
                return "time", frozenset()
            if pause is not None:
                pause()
            span, barred, share = self.stack.pop()
            self.nodes += 1
            columns = self._visit(span, barred, share)
            if columns is not None:
                self.stack.append((span, barred, share))
                return "found", columns
        return "none", frozenset()

    @property
    def left(self) -> float:
        """The fraction of the search still to do, if both sides of every node were equally long."""
        return sum(share for _, _, share in self.stack)

    def _visit(self, span: Span, barred: Bools, share: float) -> Columns | None:
        """Decide a node: columns that reach the level; or None, and the node is done or split in two on the stack."""
        while not time_up(self.until):
            node = follow(self.cores.bits[: self.cores.count], span, barred, self.most, self.packings)
            if node is None:
                return None
            span, barred, pays, branch = node
            if branch < 0:
                if self._poor(span.within):
                    self._learn(span, ~barred)
                    continue
                columns = self._chosen(span)
                outside = np.flatnonzero(~span.within & ~barred)
                if columns is not None or span.rank == self.most or not len(outside):
                    return columns
                branch = int(outside[0])
            else:
                tried = span.with_(np.flatnonzero(~barred & (pays > PAID)).tolist())
                # A core that is known already is one of those that the packing has no room for: only branching helps.
                if self._poor(tried.within) and self._learn(tried, ~barred):
                    continue
            out = barred | (np.arange(self.width) == branch)
            self.stack += [(span, out, share / 2), (span.with_([branch]), barred, share / 2)]
            return None
        self.stack.append((span, barred, share))
        return None

    def _chosen(self, span: Span) -> Columns | None:
        """Columns of a span that reach the level with weights of at most 1, if there are any: nearly always the first.

        The span reached it with larger weights, and with more columns than may be chosen.
        """
        within = np.flatnonzero(span.within).tolist()
        for columns in combinations(within, min(self.most, len(within))):
            if self.fit.origin.with_(columns).rank == span.rank and self.fit.error(frozenset(columns)) <= self.level:
                return frozenset(columns)
        return None

    def _poor(self, on: Bools) -> bool:
        outside = as_bits(~on)
        if not (self.rich.bits[: self.rich.count] & outside).any(axis=1).all():
            return False
        self.fits += 1
        reaching = self.fit.reaching(on, self.level)
        if reaching is not None:
            self.rich.add(reaching, self.level)
        return reaching is None

    def _learn(self, poor: Span, early: Bools) -> bool:
        """Grow a poor span that was just fitted, first within `early`; whether the core outside it is new."""
        grown, bound = self.fit.grown(poor.within, early, self.level)
        spanned = poor.with_(np.flatnonzero(grown).tolist()).within
        if (spanned != grown).any():
            # weights at their limits: what the grown set spans may do better than it does
            grown = spanned if self.fit.reaching(spanned, self.level) is None else poor.within
            bound = float(np.nextafter(self.level, 1.0))
        return self.cores.add(~grown, bound)


def packings_of(width: int) -> Packings:
    return Packings(MOST_CORES, width, -(-width // 64))


def follow(
    cores: Words, span: Span, barred: Bools, most: int, packings: Packings
) -> tuple[Span, Bools, Floats, int] | None:
    """What the cores say where some columns are in and some out: (in, out, a fractional choice, column to branch on).

    None if no `most` columns meet them; the column is -1 where all are met already.
    """
    width = len(barred)
    every = np.arange(width)
    workspace = np.empty((min(len(cores), MOST_CORES) + 1, cores.shape[1]), dtype=np.uint64)
    sizes = np.empty(len(cores), dtype=np.int64)
    while True:
        barred = span.spread(barred)
        if (barred & span.within).any():
            return None
        heads = span.leader == every
        unmet, smallest, disjoint = node_kernels.unmet(
            cores, as_bits(span.within), as_bits(heads & ~barred), sizes, workspace
        )
        free = most - span.rank
        if free < 0 or (unmet and (free == 0 or smallest == 0)):
            return None
        if unmet == 0:
            return span, barred, np.zeros(width), -1
        rest = as_bools(workspace[:unmet], width)
        if smallest == 1:
            span = span.with_(np.flatnonzero(rest.any(axis=0)).tolist())
            continue
        if disjoint > free:
            return None
        seen = np.flatnonzero(rest.any(axis=0))
        pays, load = np.zeros(width), np.zeros(width)
        packing, load[seen], pays[seen] = packings.largest(workspace[:unmet], seen)
        if packing > free + MARGIN:
            return None
        shut = (packing + 1.0 - load > free + MARGIN) & ~span.within & ~barred & heads
        if not shut.any():
            # the column in most cores, small ones counting more, weighed by how much of it is chosen
            score = (1.0 / rest.sum(axis=1) ** 2) @ rest * (0.05 + pays)
            return span, barred, pays, int(np.argmax(score))
        barred = barred | shut
