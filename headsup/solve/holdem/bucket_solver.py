"""The base of solvers in buckets, on the CPU and on a GPU."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from typing import Any

from headsup.abstraction.hands.named import NamedBuckets, bucket_checksum
from headsup.games.holdem.bucketed import Buckets, BucketStrategy
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Policy
from headsup.solve.records.loop import Solver


class BucketSolver(Solver):
    """A solver with one regret a bucket and action."""

    game: VectorGame
    buckets: Buckets
    walker: Any  # of the real game

    @property
    def played(self) -> VectorGame:
        """The real game."""
        return self.game

    @cached_property
    def named(self) -> NamedBuckets:
        """The buckets as a record keeps them."""
        return NamedBuckets.of(self.game, self.buckets)

    @abstractmethod
    def policy(self) -> Policy:
        """The numbers by bucket: of the average, or of the current strategy, as the settings ask."""

    @abstractmethod
    def strategy(self) -> BucketStrategy:
        """The strategy found so far."""

    def record(self, regrets: bool = False) -> dict[str, Any]:
        """The strategy and its buckets."""
        first, second = self.strategy().numbers
        return {"strategy": (first.copy(), second.copy()), "buckets": self.named}

    def params(self) -> dict[str, Any]:
        """The text of the buckets."""
        return {"buckets": self.named.text or "tables"}

    def content(self) -> str:
        """A checksum of the buckets."""
        return bucket_checksum(self.game, self.buckets)
