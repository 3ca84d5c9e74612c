"""The base of solvers in buckets, on the CPU and on a GPU."""

from abc import abstractmethod
from functools import cached_property
from typing import Any

from headsup.abstraction.hands.named import NamedBuckets, bucket_checksum
from headsup.common.arrays import AnyArray
from headsup.games.holdem.bucketed import BucketLayout, Buckets, BucketStrategy
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Policy
from headsup.solve.records.loop import Solver

FirstStreet = tuple[AnyArray | None, AnyArray | None]
"""For each player, its numbers by bucket on the first street, as `bucket_layout` has them, or None."""


def first_street(layout: BucketLayout) -> int:
    """How many of a seat's numbers belong to the first street."""
    return int(layout.first[layout.row_at[1]])


class BucketSolver(Solver):
    """A solver with one regret a bucket and action."""

    game: VectorGame
    buckets: Buckets
    walker: Any  # of the real game
    at_once = 1  # iterations to take between two looks at the clock

    @property
    def played(self) -> VectorGame:
        """The real game."""
        return self.game

    @cached_property
    def named(self) -> NamedBuckets:
        """The buckets as a record keeps them."""
        return NamedBuckets.of(self.game, self.buckets)

    @abstractmethod
    def fix(self, numbers: FirstStreet) -> None:
        """Keep the first street as it is given for each player, in proportion to numbers by bucket; None lets it learn.

        Only the streets below it learn from then on. Arrays that `restore` takes back keep what was fixed.
        """

    @abstractmethod
    def policy(self) -> Policy:
        """The numbers by bucket: of the average, or of the current strategy, as the settings ask."""

    @abstractmethod
    def strategy(self) -> BucketStrategy:
        """The strategy found so far."""

    def device_buckets(self) -> Buckets | None:
        """The buckets on a device, after all its work is done; None on a CPU."""
        return None

    def record(self, regrets: bool = False) -> dict[str, Any]:
        first, second = self.strategy().stored()
        return {"strategy": (first.copy(), second.copy()), "buckets": self.named}

    def params(self) -> dict[str, Any]:
        return {"buckets": self.named.text or "tables"}

    def content(self) -> str:
        return bucket_checksum(self.game, self.buckets)
