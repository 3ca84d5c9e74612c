"""The average error of a set of features, with a certificate, in the shape that the searches here ask for.

The fit is that of `headsup.distil.flops.average.fit`. Its dual prices are a slope g of the average error in the
weights, valid from every weights to every other: error(x') >= error(x) + g (x' - x). With no weight above 1 this gives
for every set S

    error(S) >= level - sum of pull_j over j in S,    level = error(x) - g x,    pull_j = |g_j|.
"""

from __future__ import annotations

import numpy as np

from headsup.distil.flops.average import fit_kernels
from headsup.distil.flops.average.fit import Fitter
from headsup.distil.flops.problem import Bools, Problem
from headsup.distil.flops.programs.fits import Fitted

MOST_KNOWN = 50_000
"""Fits remembered at a time: about 60 MB."""


class AverageFit:
    """Fits of the average error over sets of features of one problem."""

    def __init__(self, of: Problem) -> None:
        self.of, self.fitter, self.width = of, Fitter(of), len(of.numbers)
        self.share = of.weight / of.total
        self.known: dict[bytes, Fitted] = {}

    def fit(self, on: Bools, enough: float | None = None) -> Fitted:
        """The best weights on these features, remembered; `enough` saves nothing here."""
        key = on.tobytes()
        if key not in self.known:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[key] = self._fitted(on)
        return self.known[key]

    def _fitted(self, on: Bools) -> Fitted:
        chosen = np.flatnonzero(on)
        slope = np.zeros(self.width)
        weights = np.zeros(self.width)
        _, bound, x = fit_kernels.fit_and_pull(self.fitter.bits, chosen, *self.fitter.points, self.fitter.big, slope)
        weights[chosen] = np.clip(x[: len(chosen)], -1.0, 1.0)
        slope /= self.of.total
        error = float(np.abs((self.of.matrix @ weights)[self.of.row] - self.of.equity) @ self.share)
        return Fitted(
            max(0.0, min(float(bound) / self.of.total, error)),
            error,
            weights,
            error - float(slope @ weights),
            np.abs(slope),
        )
