"""Confidence intervals for a mean: for a fixed sample size, and anytime-valid.

`fixed` is the mean plus or minus Student's t times the standard error. `anytime` intervals all contain the true mean at
once with probability 95 %, so a match may be stopped at any time: `empirical-bernstein` for bounded results
(Waudby-Smith and Ramdas 2024, theorem 2), or `normal-mixture` for results without useful bounds (AIVAT), the asymptotic
confidence sequence of Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2021).
"""

from math import inf, isfinite, log, pi, sqrt, tan
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from headsup.common.arrays import Floats

LEVEL = 0.95


class ConfidenceInterval(NamedTuple):
    mean: float
    low: float
    high: float
    kind: str

    @property
    def bounds(self) -> list[float | None]:
        """For JSON: infinite bounds are None."""
        return [bound if isfinite(bound) else None for bound in (self.low, self.high)]

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2


def student(p: float, freedom: int) -> float:
    """The quantile of Student's t, by Hill's (1970) expansion about the normal quantile; exact for 1 and 2 degrees."""
    if freedom < 1:
        return inf
    if freedom == 1:
        return tan(pi * (p - 0.5))
    if freedom == 2:
        return (2 * p - 1) * sqrt(2.0 / (4 * p * (1 - p)))
    z = NormalDist().inv_cdf(p)
    n = float(freedom)
    g1 = (z**3 + z) / 4
    g2 = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    g3 = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    g4 = (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160
    return z + g1 / n + g2 / n**2 + g3 / n**3 + g4 / n**4


def fixed(values: Floats, level: float = LEVEL) -> ConfidenceInterval:
    """The interval for a fixed sample size; infinite with fewer than two values."""
    n = len(values)
    mean = float(values.mean()) if n else 0.0
    if n < 2:
        return ConfidenceInterval(mean, -inf, inf, "student")
    half = student((1 + level) / 2, n - 1) * float(values.std(ddof=1)) / sqrt(n)
    return ConfidenceInterval(mean, mean - half, mean + half, "student")


def anytime(
    values: Floats, bounds: tuple[float, float] | None, planned: int, level: float = LEVEL
) -> ConfidenceInterval:
    """The anytime-valid interval after these values; `planned` is the intended sample size."""
    mean = float(values.mean()) if len(values) else 0.0
    if len(values) < 2:
        return ConfidenceInterval(mean, *(bounds or (-inf, inf)), "empirical-bernstein" if bounds else "normal-mixture")
    if bounds is None:
        return _mixture(values, planned, level)
    return _bernstein(values, bounds, level)


def _bernstein(values: Floats, bounds: tuple[float, float], level: float) -> ConfidenceInterval:
    low, high = bounds
    x = (values - low) / (high - low)
    n = np.arange(1, len(x) + 1)
    means = (0.5 + np.cumsum(x)) / (n + 1)
    spread = (0.25 + np.cumsum((x - means) ** 2)) / (n + 1)
    before_mean = np.concatenate([[0.5], means[:-1]])
    before = np.concatenate([[0.25], spread[:-1]])
    alpha = 1 - level
    bets = np.minimum(0.5, np.sqrt(2 * log(2 / alpha) / (before * n * np.log(n + 1))))
    psi = (-np.log(1 - bets) - bets) / 4
    total = np.cumsum(bets)
    centre = np.cumsum(bets * x) / total
    half = (log(2 / alpha) + np.cumsum(4 * (x - before_mean) ** 2 * psi)) / total
    # all intervals hold together, so their intersection does
    least, most = float((centre - half).max()), float((centre + half).min())
    least, most = max(0.0, least), min(1.0, most)
    scale = high - low
    return ConfidenceInterval(float(values.mean()), low + scale * least, low + scale * most, "empirical-bernstein")


def _mixture(values: Floats, planned: int, level: float) -> ConfidenceInterval:
    alpha, n = 1 - level, len(values)
    # narrowest after the planned number: Waudby-Smith and others, equation (10)
    rho = sqrt((-2 * log(alpha) + log(-2 * log(alpha) + 1)) / max(planned, 2))
    part = n * rho * rho + 1
    half = float(values.std()) * sqrt(2 * part / (n * n * rho * rho) * log(sqrt(part) / alpha))
    mean = float(values.mean())
    return ConfidenceInterval(mean, mean - half, mean + half, "normal-mixture")
