"""What the searches and proofs here ask of a fit, whatever error it is about: an answer with a certificate.

A certificate is a level and a pull for each feature that prove for every set S of features

    error(S) >= level - sum of pull_j over j in S.

So one fit says something about all sets. `worst_fit` and `average_fit` tell where theirs come from; those of a family
of hands follow from its hands' (`family`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from headsup.distil.flops.problem import Bools, Floats

EXACT = 1e-9
"""Errors that differ by less, a billionth of the pot, are the same."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """What is known about the best weights of a set of features."""

    bound: float
    """No weights on these features have a smaller error."""
    error: float
    """The error of the weights below."""
    weights: Floats
    """A weight for each feature of the problem, zero outside of the set."""
    level: float
    pull: Floats
    """The certificate: error(S) >= level - pull[S].sum() for every set S."""


class Fit(Protocol):
    """Anything that fits weights to sets of features and certifies what it finds."""

    width: int

    def fit(self, on: Bools, enough: float | None = None) -> Fitted:
        """The best weights on these features, or whether their error is above `enough`."""
