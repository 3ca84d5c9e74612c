"""Proofs that no N features reach an error: few columns that meet every core, cores found as they are needed.

For a level E, call a set of columns *poor* if even its best weights leave an average error above E. Adding columns
cannot raise the error, so every subset of a poor set is poor, and a solution must hold a column outside each poor
set. The complement of a poor set is a *core*: every solution holds at least one of its columns. The cores of the
largest poor sets are the smallest, and say the most. N features reach E exactly if N columns can be chosen that meet
all cores.

The search chooses columns in and out, depth first. At a node

1. the cores not met yet, and the best fractional packing of them, say which columns are forced in or out, or that the
   free places do not suffice (`core_kernels.propagate`);
2. the columns in, and those that a fractional choice of columns takes, are fitted. If they are poor, a largest poor
   set is grown from them (`fit_kernels.grow`) and its core remembered for good: that fractional choice does not meet
   it, so the packing gets better, here and elsewhere, without any further fit;
3. else one column is decided both ways. Where all cores are met, the columns in are fitted: a solution, or a new
   core.

Fits that are not poor are remembered by the columns they use: a set that holds these is not poor either. A set is
called poor only on the bound of its dual prices, so rounding cannot make a proof.

`programs.covers` is the same idea for any error and for families, over relaxations in HiGHS; this one knows the average
error of one hand, and lives on fits that begin where the last one ended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headsup.distil.flops.average import core_kernels, fit_kernels
from headsup.distil.flops.average.fit import Fitter
from headsup.distil.flops.problem import Bools, Floats
from headsup.stop import time_up

Words = npt.NDArray[np.uint64]

PAID = 1e-6
"""A fractional choice takes a column if it takes more of it than this."""


@dataclass
class Cores:
    """Cores of one problem, each with the error of its poor set: at levels below that error the core holds."""

    sets: Words
    errors: Floats
    count: int = 0

    @classmethod
    def none(cls) -> Cores:
        """No cores yet."""
        return cls(np.zeros((256, 2), dtype=np.uint64), np.zeros(256))

    def add(self, core: Words, error: float) -> bool:
        """Remember a core; False if it was known before."""
        if (self.sets[: self.count] == core).all(axis=1).any():
            return False
        if self.count == len(self.sets):
            self.sets = np.concatenate([self.sets, np.zeros_like(self.sets)])
            self.errors = np.concatenate([self.errors, np.zeros_like(self.errors)])
        self.sets[self.count] = core
        self.errors[self.count] = error
        self.count += 1
        return True

    def above(self, level: float) -> Cores:
        """The cores that hold at a level."""
        keep = self.errors[: self.count] > level
        if not keep.any():
            return Cores.none()
        return Cores(self.sets[: self.count][keep].copy(), self.errors[: self.count][keep].copy(), int(keep.sum()))


class Proof:
    """The search for `most` columns that reach an error of at most `level`; `run` can be called again to go on."""

    def __init__(self, fitter: Fitter, level: float, most: int, cores: Cores | None = None) -> None:
        self.fitter, self.most, self.width = fitter, most, fitter.width
        self.level = level * fitter.total
        self.cores = Cores.none() if cores is None else cores.above(level)
        self.rows = fitter.rows()
        self.state = fit_kernels.begin(self.rows, self.width)
        self.spare = fit_kernels.begin(self.rows, self.width)
        self.rich: list[int] = []
        nothing = np.zeros(2, dtype=np.uint64)
        self.stack: list[tuple[Words, Words]] = [(nothing, nothing.copy())]
        self.nodes = self.fits = 0
        self.until = np.inf

    def run(self, until: float, pause: Callable[[], None] | None = None) -> tuple[str, frozenset[int]]:
        """`none` (proved: nothing reaches the level), `found` with columns that do, or `time`."""
        self.until = until
        while self.stack:
            if time_up(until):
                return "time", frozenset()
            if pause is not None and self.nodes % 64 == 0:
                pause()
            taken, barred = self.stack.pop()
            self.nodes += 1
            found = self._visit(taken, barred)
            if found is not None:
                self.stack.append((taken, barred))
                return "found", frozenset(np.flatnonzero(found).tolist())
        return "none", frozenset()

    def _visit(self, taken: Words, barred: Words) -> Bools | None:
        """Decide a node, or put its children on the stack; the columns of a solution if there is one here."""
        pays = np.empty(self.width)
        while not time_up(self.until):
            verdict, branch = core_kernels.propagate(
                self.cores.sets, self.cores.count, taken, barred, self.most, self.width, pays
            )
            if verdict == core_kernels.PRUNED:
                return None
            inside, out = self._bools(taken), self._bools(barred)
            if branch < 0:
                if not self._poor(inside):
                    return inside
                self._learn(inside, ~out)
                continue
            tried = inside | (~out & (pays > PAID))
            # A core that is known already is one of those that the packing has no room for: only branching helps.
            if self._poor(tried) and self._learn(tried, ~out):
                continue
            bit = np.zeros(2, dtype=np.uint64)
            bit[branch >> 6] = np.uint64(1) << np.uint64(branch & 63)
            self.stack.append((taken.copy(), barred | bit))
            self.stack.append((taken | bit, barred.copy()))
            return None
        self.stack.append((taken, barred))
        return None

    def _poor(self, allowed: Bools) -> bool:
        """Whether these columns leave an error above the level; if so, the state is that of their fit."""
        mask = int.from_bytes(np.packbits(allowed, bitorder="little").tobytes(), "little")
        if any(one & ~mask == 0 for one in self.rich):
            return False
        self.fits += 1
        _, bound, _ = fit_kernels.fit_allowed(self.rows, self.state, allowed, self.level)
        self.bound = bound
        if bound > self.level:
            return True
        used = np.empty(self.width, dtype=np.bool_)
        fit_kernels.support(self.state, used)
        self.rich.append(int.from_bytes(np.packbits(used, bitorder="little").tobytes(), "little"))
        return False

    def _learn(self, poor: Bools, early: Bools) -> bool:
        """Grow a poor set that was just fitted, first within `early`, and remember the core outside it: is it new?"""
        allowed = poor.copy()
        for candidates in (early & ~allowed, ~early & ~allowed):
            self.bound = fit_kernels.grow(
                self.rows, self.state, self.spare, allowed, candidates, self.level, self.bound
            )
        return self.cores.add(_words(~allowed), self.bound / self.fitter.total)

    def _bools(self, words: Words) -> Bools:
        bits = np.unpackbits(words.view(np.uint8), bitorder="little")
        return bits[: self.width].astype(np.bool_)


def compile_kernels(fitter: Fitter) -> None:
    """Use every kernel once, so that a time limit does not pay for the first compilation on a machine."""
    if _compiled:
        return
    _compiled.append(True)
    base = np.zeros(1, dtype=np.int64)
    fitter.fit((0,))
    fit_kernels.fit_and_pull(fitter.bits, base, *fitter.points, fitter.big, np.empty(fitter.width))
    fit_kernels.scan(fitter.bits, base[:0], base, *fitter.points, fitter.big, np.empty(1))
    proof = Proof(fitter, 0.0, 1)
    proof.run(np.inf)
    fit_kernels.support(proof.state, np.empty(fitter.width, dtype=np.bool_))


_compiled: list[bool] = []


def _words(columns: Bools) -> Words:
    """A set of columns as bits."""
    wide = np.zeros(128, dtype=np.uint8)
    wide[: len(columns)] = columns
    return np.packbits(wide, bitorder="little").view(np.uint64)
