"""CFR in buckets on a CUDA device: the twin of `headsup.solve.holdem.bucketed.BucketCfr` with sampled boards.

Regrets and averages are float32; the current strategy is kept beside them in 16 bits. Boards are drawn as on the CPU.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.common.checks import check_seed
from headsup.common.errors import UserError
from headsup.games.holdem.bucketed import Buckets, BucketStrategy, check_bits, on_device, packed
from headsup.games.holdem.layout import BEST, MIX, Rule
from headsup.games.holdem.sampled import BoardSampler
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_learn import GpuBucketLearner
from headsup.measure.measurement import Measurement
from headsup.solve.holdem.bucket_solver import BucketSolver, FirstStreet
from headsup.solve.records.settings import Settings


def start_on_gpu(game: VectorGame, chosen: Settings, seed: int, own: dict[str, Any]) -> GpuBucketCfr:
    """A solver on the device before its first step, from the options of solving in buckets."""
    against = own.pop("against", None)
    if against not in (None, "best"):
        raise UserError(f"against is best, for a best response on the last street, or left out, not {against!r}")
    if own.get("sample") is None or own.get("sampling", "boards") != "boards":
        raise UserError("on a GPU buckets learn on drawn boards: give a sample of them, such as 512")
    if own.get("store", "float32") != "float32":
        raise UserError("on a GPU numbers by bucket are float32: leave store out")
    if own.get("bits") is not None:
        check_bits(own["bits"])
    how = {"sample": own["sample"], "bits": own.get("bits"), "against_best": against == "best"}
    return GpuBucketCfr(game, own["buckets"], chosen, seed=seed, **how)


class GpuBucketCfr(BucketSolver):
    """A run of CFR in buckets on sampled boards."""

    measured_late, at_once = True, 10

    def __init__(
        self,
        game: VectorGame,
        buckets: Buckets,
        settings: Settings,
        *,
        sample: int | Sequence[int],
        seed: int = 0,
        against_best: bool = False,
        bits: int | None = None,
        dtype: Any = np.float32,
    ) -> None:
        """`against_best`: each player learns against its own opponent, who plays a best response on the last street.

        `bits`: round the probabilities of the result to so many bits before it is measured.
        """
        if not settings.alternating or settings.predictive:
            raise UserError("on a GPU, buckets learn with alternating updates and no prediction: choose another preset")
        self.game, self.buckets, self.settings, self.iterations = game, buckets, settings, 0
        self.seed, self.sampler = check_seed(seed), BoardSampler(game, sample)
        self._measured: tuple[int, Measurement] | None = None
        self.walker = GpuBucketLearner(game, on_device(buckets), dtype)
        self.walker.compile_learning(against_best)
        self._cp = self.walker.device
        self.stores = [self._zeros(seat, game.streets) for seat in (0, 1)]
        self.against_best, self.bits = against_best, bits
        self.others = [self._zeros(seat, game.streets - 1) if against_best else [] for seat in (0, 1)]
        """The stores of these opponents, by their seat."""
        self._begins = [0, 0]  # the first street of each player that learns
        self._replay()

    def _zeros(self, seat: int, streets: int) -> list[list[tuple[Any, Any]]]:
        cp = self._cp

        def pair(entries: int, width: int, rows: int) -> tuple[Any, Any]:
            return cp.zeros((entries, rows, width), cp.float32), cp.zeros((entries, rows, width), cp.float32)

        return [
            [pair(len(shape.entry), street.width, shape.rows[seat].shape[1]) for shape in street.shapes]
            for street in self.walker.streets[:streets]
        ]

    def _replay(self) -> None:
        """Compute all current strategies from their regrets."""
        self.current = [self.walker.shared(seat, self._parts(seat, 0)) for seat in (0, 1)]
        if self.against_best:
            self.answers = [
                [
                    *self.walker.shared(seat, [[pair[0] for pair in street] for street in self.others[seat]]),
                    self.current[seat][-1],  # not looked at
                ]
                for seat in (0, 1)
            ]

    def fix(self, numbers: FirstStreet) -> None:
        """With `against_best`, this fixes the players alone: each one's own opponent still learns on all streets."""
        for seat, given in enumerate(numbers):
            self._begins[seat] = int(given is not None)
            if given is not None:
                for pair, part in zip(self.stores[seat][0], self.walker.parts(seat, 0, given), strict=True):
                    for array in pair:
                        array[:] = part
        self._replay()

    def _parts(self, seat: int, which: int) -> list[list[Any]]:
        return [[pair[which] for pair in street] for street in self.stores[seat]]

    def step(self, n: int) -> None:
        for keep, shrink, weight in self.settings.schedule(self.iterations, n).tolist():
            rule = Rule(keep, shrink, weight, False, False)
            for seat in (0, 1):
                numbers = self.sampler.numbers(self.seed, seat, self.iterations)
                sample, begin = self.walker.sample(numbers, self.sampler.factors), self._begins[seat]
                if self.against_best:
                    pair = [self.current[0], self.answers[1]] if seat == 0 else [self.answers[0], self.current[1]]
                    theirs = self.others[1 - seat]
                    self.walker.learn_against_best(seat, sample, pair, self.stores[seat], theirs, rule, begin)
                else:
                    self.walker.learn(seat, sample, self.current, self.stores[seat], rule, begin)
            self.iterations += 1

    def _average(self) -> bool:
        return self.settings.strategy == "average" and self.iterations > 0

    def policy(self) -> tuple[AnyArray, AnyArray]:
        """The average, or the current strategy, as the settings ask."""
        return self.strategy().numbers

    def strategy(self) -> BucketStrategy:
        first, second = (self.walker.numbers(seat, self._parts(seat, int(self._average()))) for seat in (0, 1))
        strategy = BucketStrategy(self.game, self.buckets, (first, second))
        return strategy if self.bits is None else packed(strategy, self.bits)

    def device_buckets(self) -> Buckets:
        self._cp.cuda.Device().synchronize()
        buckets: Buckets = self.walker.buckets
        return buckets

    def measure(self) -> Measurement:
        """The strategy found so far, measured on all boards of the real game, at most once an iteration."""
        if self._measured is None or self._measured[0] != self.iterations:
            self._measured = self.iterations, self._measure()
        return self._measured[1]

    def _measure(self) -> Measurement:
        if self.bits is None:
            policy = [self.walker.shared(seat, self._parts(seat, int(self._average()))) for seat in (0, 1)]
        else:
            policy = self.walker.policy(self.policy())
        best = self.walker.earned(policy, BEST)
        total = self.game.betting.total
        earned = self.walker.earned(policy, MIX, seats=(0, 1) if total is None else (0,))
        if total is not None:  # constant sum
            earned = earned[0], total - earned[0]
        return Measurement(self.game.name, earned, best, self.game.unit, total is None)

    def arrays(self) -> dict[str, AnyArray]:
        """Everything needed to resume: the players' numbers, and those of opponents who learn for themselves."""
        return {
            f"{name}{seat}": self.walker.numbers(seat, [[pair[which] for pair in street] for street in stores])
            for name, seat, stores, which in self._named()
        }

    def restore(self, iterations: int, arrays: dict[str, AnyArray]) -> None:
        for name, seat, stores, which in self._named():
            for s, street in enumerate(stores):
                for pair, part in zip(street, self.walker.parts(seat, s, arrays[f"{name}{seat}"]), strict=True):
                    pair[which][:] = part
        self._replay()
        self.iterations = iterations

    def _named(self) -> Iterator[tuple[str, int, Any, int]]:
        """(name, seat, [street][shape] pairs, which of a pair) of everything that an iteration changes."""
        for which, name in enumerate(("regret", "total")):
            for seat in (0, 1):
                yield name, seat, self.stores[seat], which
                if self.against_best:
                    yield f"opponent_{name}", seat, self.others[seat], which
