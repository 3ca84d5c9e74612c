"""Proofs that no N features reach an error: few columns that meet every core, cores found as they are needed.

For a level E, call a set of columns *poor* if even its best weights leave an error above E. Adding columns cannot raise
the error, so every subset of a poor set is poor, and a solution must hold a column outside each poor set. The
complement of a poor set is a *core*: every solution holds at least one of its columns. The cores of the largest poor
sets are the smallest, and say the most. N features reach E exactly if N columns can be chosen that meet all cores.

Columns depend on each other (`spans`), and sets with the same span have the same error, so what is chosen is a span: it
has a column within it or not. A poor set is grown until all that it spans is in it, so a core that a span does not meet
has of columns that are alike beside that span all or none, and one of them stands for all.

The search takes columns into the span or bars them from it, depth first. At a node

1. the cores not met yet, less the columns that are out, must be met with the free places. A core with nothing left
   ends the node; a single column left is forced in, and a column that would bring a barred one with it is barred too.
   Weights on the cores that put no more than 1 on any column are a packing, and every solution needs at least as many
   further columns as they add up to: more than the free places, and the node ends. Disjoint cores are tried first, then
   the best fractional packing, by the simplex (`kernels.cover`). A column on which the packing puts only 1 - s would
   cost s more than it says: if that is too much, the column is out;
2. the columns in, and those that a fractional choice of columns takes, are fitted. If they are poor, a largest poor set
   is grown from them and its core remembered for good: that fractional choice does not meet it, so the packing gets
   better, here and elsewhere, without any further fit;
3. else one column is decided both ways. Where all cores are met, what is spanned is fitted: a solution, or a new core.
   Fits of spans allow weights beyond 1, for weights within 1 on one set can be larger on another of the same span; what
   reaches the level so is tried set by set.

Sets that are not poor are remembered by columns that reach the level: a set that holds these is not poor either. A set
is called poor only on the bound of its dual prices, so rounding cannot make a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from headsup.distil.formulas.problem import Bools, Floats
from headsup.distil.formulas.subset import kernels
from headsup.distil.formulas.subset.fits import Columns, Fit
from headsup.distil.formulas.subset.spans import Span
from headsup.stop import time_up

PAID = 1e-6
"""A fractional choice takes a column if it takes more of it than this."""
MARGIN = 1e-6
"""A packing must exceed the free places by more than this."""
MOST_CORES = 600
"""The fractional packing looks at so many cores, the smallest."""


@dataclass
class Cores:
    """Cores of one problem, each with the error of its poor set: at levels below that error the core holds."""

    sets: Bools
    """bool[cores, width]"""
    errors: Floats
    count: int = 0

    @classmethod
    def none(cls, width: int) -> Cores:
        """No cores yet."""
        return cls(np.zeros((256, width), dtype=np.bool_), np.zeros(256))

    def add(self, core: Bools, error: float) -> bool:
        """Remember a core; False if it was known before."""
        if (self.sets[: self.count] == core).all(axis=1).any():
            return False
        if self.count == len(self.sets):
            self.sets = np.concatenate([self.sets, np.zeros_like(self.sets)])
            self.errors = np.concatenate([self.errors, np.zeros_like(self.errors)])
        self.sets[self.count], self.errors[self.count] = core, error
        self.count += 1
        return True

    def above(self, level: float) -> Cores:
        """The cores that hold at a level."""
        keep = self.errors[: self.count] > level
        if not keep.any():
            return Cores.none(self.sets.shape[1])
        return Cores(self.sets[: self.count][keep], self.errors[: self.count][keep], int(keep.sum()))


class Proof:
    """The search for `most` columns that reach an error of at most `level`; `run` can be called again to go on."""

    def __init__(self, fit: Fit, level: float, most: int, cores: Cores | None = None) -> None:
        self.fit, self.level, self.most, self.width = fit, level, most, fit.width
        self.cores = Cores.none(fit.width) if cores is None else cores.above(level)
        self.rich: list[int] = []
        self.stack: list[tuple[Span, Bools]] = [(fit.origin, np.zeros(fit.width, dtype=np.bool_))]
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
            span, barred = self.stack.pop()
            self.nodes += 1
            found = self._visit(span, barred)
            if found is not None:
                self.stack.append((span, barred))
                return "found", found
        return "none", frozenset()

    def _visit(self, span: Span, barred: Bools) -> Columns | None:
        """Decide a node: columns that reach the level, or none and the node is done, or split in two on the stack."""
        while not time_up(self.until):
            node = follow(self.cores.sets[: self.cores.count], span, barred, self.most)
            if node is None:
                return None
            span, barred, pays, branch = node
            if branch < 0:
                if self._poor(span.within):
                    self._learn(span, ~barred)
                    continue
                found = self._chosen(span)
                outside = np.flatnonzero(~span.within & ~barred)
                if found is not None or span.rank == self.most or not len(outside):
                    return found
                branch = int(outside[0])
            else:
                tried = span.with_(np.flatnonzero(~barred & (pays > PAID)).tolist())
                # A core that is known already is one of those that the packing has no room for: only branching helps.
                if self._poor(tried.within) and self._learn(tried, ~barred):
                    continue
            self.stack += [(span, barred | (np.arange(self.width) == branch)), (span.with_([branch]), barred)]
            return None
        self.stack.append((span, barred))
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
        """Whether these columns leave an error above the level."""
        mask = _as_int(on)
        if any(known & ~mask == 0 for known in self.rich):
            return False
        self.fits += 1
        reaching = self.fit.reaching(on, self.level)
        if reaching is not None:
            self.rich.append(_as_int(reaching))
        return reaching is None

    def _learn(self, poor: Span, early: Bools) -> bool:
        """Grow a poor span that was just fitted, first within `early`, and remember the core outside it: is it new?"""
        grown, bound = self.fit.grown(poor.within, early, self.level)
        spanned = poor.with_(np.flatnonzero(grown).tolist()).within
        if (spanned != grown).any():
            # weights at their limits: what the grown set spans may do better than it does
            grown = spanned if self.fit.reaching(spanned, self.level) is None else poor.within
            bound = float(np.nextafter(self.level, 1.0))
        return self.cores.add(~grown, bound)


def _as_int(on: Bools) -> int:
    return int.from_bytes(np.packbits(on).tobytes(), "big")


def follow(cores: Bools, span: Span, barred: Bools, most: int) -> tuple[Span, Bools, Floats, int] | None:
    """What the cores say where some columns are in and some out: (in, out, a fractional choice, column to branch on).

    None if no `most` columns meet them; the column is -1 where all are met already.
    """
    while True:
        barred = span.spread(barred)
        if (barred & span.within).any():
            return None
        rest = cores[~cores[:, span.within].any(axis=1)] & ~barred & (span.leader == np.arange(len(barred)))
        sizes = rest.sum(axis=1)
        free = most - span.rank
        if free < 0 or (len(rest) and (free == 0 or sizes.min() == 0)):
            return None
        if len(rest) == 0:
            return span, barred, np.zeros(len(barred)), -1
        if sizes.min() == 1:
            span = span.with_(np.flatnonzero(rest[sizes == 1].any(axis=0)).tolist())
            continue
        rest = _smallest(rest, sizes)
        if _disjoint(rest) > free:
            return None
        seen = np.flatnonzero(rest.any(axis=0))
        row, column = np.nonzero(rest[:, seen])
        starts = np.searchsorted(row, np.arange(len(rest) + 1))
        pays, load = np.zeros(len(barred)), np.zeros(len(barred))
        few = np.empty(len(seen)), np.empty(len(seen))
        packing = kernels.cover(starts, column, len(seen), *few)
        if packing > free + MARGIN:
            return None
        load[seen], pays[seen] = few
        shut = (packing + 1.0 - load > free + MARGIN) & ~span.within & ~barred
        shut &= span.leader == np.arange(len(barred))
        if not shut.any():
            # the column in most cores, small ones counting more, weighed by how much of it is chosen
            score = (1.0 / rest.sum(axis=1) ** 2) @ rest * (0.05 + pays)
            return span, barred, pays, int(np.argmax(score))
        barred = barred | shut


def _smallest(rest: Bools, sizes: Floats) -> Bools:
    """The different cores, small ones first, and at most so many."""
    _, first = np.unique(np.packbits(rest, axis=1).view(f"V{(rest.shape[1] + 7) // 8}").ravel(), return_index=True)
    return rest[first[np.argsort(sizes[first], kind="stable")][:MOST_CORES]]


def _disjoint(rest: Bools) -> int:
    """How many disjoint cores there are, taken greedily."""
    packed = np.packbits(rest, axis=1)
    used = found = 0
    for line in packed:
        core = int.from_bytes(line.tobytes(), "big")
        if not core & used:
            used |= core
            found += 1
    return found
