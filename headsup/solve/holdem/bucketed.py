"""The CFR family in buckets: one regret a bucket and action instead of one a hand, board and action.

The gains of all hands of a bucket on all boards are summed first (`headsup.games.walk.bucketwalk`), so regrets are
floored or discounted once an iteration. An abstraction that merges only hands that differ in suits gives the iterations
of `VectorCfr`. CFR keeps its guarantee in the abstract game as long as the bucket of a street determines those of the
streets before; buckets with imperfect recall are often better for the same memory, without that guarantee.

With `sample`, an iteration sees a part of chance: of boards (public chance sampling, Johanson and others 2012), where
(10, 2) are ten flops with two turns each, drawn evenly (`headsup.games.holdem.sampled`); or of deals (external
sampling, Lanctot and others 2009). Both give the gains of a whole sweep in expectation. Use the average of such a run:
the current strategy is noisy.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from headsup.abstraction.hands.named import read_buckets
from headsup.abstraction.hands.spec import parse_spec
from headsup.common.arrays import AnyArray
from headsup.common.checks import as_text, check_device, check_seed, quoted, thread_count, whole
from headsup.common.errors import UserError
from headsup.games.holdem.bucketed import Buckets, BucketStrategy, bucket_layout
from headsup.games.holdem.sampled import BoardSampler
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.bucket_kernels import settle
from headsup.games.walk.bucketwalk import BucketSums, BucketWalker, bucket_walk_bytes
from headsup.games.walk.walk import LEARN, Policy
from headsup.measure.exploit import measure
from headsup.measure.measurement import Measurement
from headsup.solve.holdem.bucket_solver import BucketSolver, FirstStreet, first_street
from headsup.solve.holdem.deals import DealWalker
from headsup.solve.holdem.store import MemoryPlan, check_room
from headsup.solve.records.settings import PRESETS, Settings, settings

STORES = ("float32", "float64")
SAMPLINGS = ("boards", "deals")


MOST_DEALS = 1_000_000  # of one walk
OPTIONS = ("buckets", "sample", "sampling", "store", "threads", "device", "against", "bits")
"""Options of solving in buckets, whatever the method; the last two are for a GPU."""


def start_bucketed(game: VectorGame, method: str, seed: int, options: dict[str, Any]) -> BucketSolver:
    """A solver in buckets before its first step; `external` is cfr on sampled deals."""
    chosen, own = _read(game, method, options)
    if own.pop("device", "cpu") == "gpu":
        from headsup.solve.holdem.bucketed_gpu import start_on_gpu

        return start_on_gpu(game, chosen, seed, own)
    if "against" in own:
        raise UserError("against=best, a best response on the last street, is for device=gpu: leave it out")
    if "bits" in own:
        raise UserError("bits, shares rounded before the one long measurement, is for device=gpu: leave it out")
    return BucketCfr(game, own.pop("buckets"), chosen, seed=seed, **own)


def bucket_planned(game: VectorGame, method: str, options: dict[str, Any]) -> MemoryPlan:
    """The memory that `start_bucketed` would take; bad options raise as they would there. Nothing is allocated."""
    chosen, own = _read(game, method, options)
    _check(chosen, own.get("store", "float32"), own.get("sampling", "boards"))
    _sampler(game, own.get("sample"), own.get("sampling", "boards"))
    threads = thread_count(own.get("threads"))
    return bucket_plan(game, own["buckets"], own.get("store", "float32"), threads, chosen.predictive)


def _read(game: VectorGame, method: str, options: dict[str, Any]) -> tuple[Settings, dict[str, Any]]:
    """The settings of the method, and the options of the buckets."""
    own = {key: options[key] for key in OPTIONS if key in options}
    rest = {key: value for key, value in options.items() if key not in OPTIONS}
    if method == "external":
        method, own = "cfr", {"sample": 1000, **own, "sampling": "deals"}
    if method not in PRESETS:
        raise UserError(f"{method} does not solve in buckets: choose from {', '.join(PRESETS)} and external")
    check_device(own.get("device", "cpu"))
    as_text(own.get("store", "float32"), "store")
    if isinstance(own["buckets"], str):
        if own.get("device", "cpu") == "cpu":
            check_counts(game, own["buckets"], own.get("store", "float32"))
        own["buckets"] = read_buckets(own["buckets"], game)
    elif isinstance(own["buckets"], type) or not callable(getattr(own["buckets"], "rows", None)):
        raise UserError(f"buckets must be text such as 169-200-200-200:ehs, or buckets, not {quoted(own['buckets'])}")
    return settings(method, rest, also=OPTIONS), own


def check_counts(game: VectorGame, text: str, store: str = "float32") -> None:
    """Refuse more buckets than memory holds, before they are made; other mistakes are reported later."""
    try:
        counts = parse_spec(text).counts
    except UserError:
        return
    if store in STORES and len(counts) == game.streets:
        rows = [game.rounds.rows[seat][s] * (n or 1) for seat in (0, 1) for s, n in enumerate(counts)]
        values = 2 * int(sum(rows))
        check_room(MemoryPlan(values, values * np.dtype(store).itemsize, 0, 0), mapped=False)


def _check(settings: Settings, store: str, sampling: str) -> None:
    if not settings.alternating:
        raise UserError("games of betting and boards are solved with alternating updates: leave alternating out")
    if as_text(store, "store") not in STORES:
        raise UserError(f"a store of numbers by bucket is {' or '.join(STORES)}, not {quoted(store)}")
    if as_text(sampling, "sampling") not in SAMPLINGS:
        raise UserError(f"sampling is of {' or '.join(SAMPLINGS)}, not {quoted(sampling)}")


def _sampler(game: VectorGame, sample: int | Sequence[int] | None, sampling: str) -> BoardSampler | int | None:
    """A sampler of boards, or the number of deals to draw; None where all boards are walked."""
    if sample is None:
        return None
    if sampling == "boards":
        return BoardSampler(game, sample)
    deals = whole(sample, "a sample of deals", 1)
    if deals > MOST_DEALS:
        raise UserError(f"a sample of {deals:,} deals is too large: take at most {MOST_DEALS:,}")
    return deals


class BucketCfr(BucketSolver):
    def __init__(
        self,
        game: VectorGame,
        buckets: Buckets,
        settings: Settings,
        *,
        store: str = "float32",
        threads: int | None = None,
        sample: int | Sequence[int] | None = None,
        sampling: str = "boards",
        seed: int = 0,
    ) -> None:
        """`sample`: how many boards or deals each player sees in an iteration, instead of all; see the module."""
        _check(settings, store, sampling)
        self.game, self.buckets, self.settings, self.iterations = game, buckets, settings, 0
        self.seed, self.dtype = check_seed(seed), np.dtype(store)
        self.threads = thread_count(threads)
        self.memory = bucket_plan(game, buckets, store, self.threads, settings.predictive)
        check_room(self.memory, mapped=False)
        sizes = [bucket_layout(game, buckets, seat).size for seat in (0, 1)]
        self.regret, self.cumulative = ((self._zeros(sizes[0]), self._zeros(sizes[1])) for _ in range(2))
        self.prediction = (self._zeros(sizes[0]), self._zeros(sizes[1])) if settings.predictive else self.regret
        self._gain, self._played = self._zeros(max(sizes)), self._zeros(max(sizes))
        self._fixed = [0, 0]  # numbers of each player that do not change, those of the first street
        self._real: BucketWalker | None = None
        self._few: BucketWalker | None = None
        drawn = _sampler(game, sample, sampling)
        self._boards = drawn if isinstance(drawn, BoardSampler) else None
        self._deals = (DealWalker(game, buckets), drawn) if isinstance(drawn, int) else None

    def _zeros(self, size: int) -> AnyArray:
        return np.zeros(size, self.dtype)

    @property
    def walker(self) -> BucketWalker:
        """Walks the real game."""
        if self._real is None:
            self._real = BucketWalker(self.game, self.buckets, self.dtype, self.threads)
        return self._real

    def fix(self, numbers: FirstStreet) -> None:
        for seat, given in enumerate(numbers):
            n = 0 if given is None else first_street(bucket_layout(self.game, self.buckets, seat))
            self._fixed[seat] = n
            for array in (self.regret[seat], self.prediction[seat], self.cumulative[seat]):
                array[:n] = given

    def step(self, n: int) -> None:
        for keep, shrink, weight in self.settings.schedule(self.iterations, n).tolist():
            for seat in (0, 1):
                sums, other = self.gains(seat, weight)
                mine, theirs = slice(self._fixed[seat], None), slice(self._fixed[other], None)
                settle(self.regret[seat][mine], self.prediction[seat][mine], sums.gain[mine], keep, shrink)
                self.cumulative[other][theirs] += sums.played[theirs]
                sums.gain[: self._fixed[seat]] = 0.0
                sums.played[:] = 0.0
            self.iterations += 1

    def gains(self, seat: int, weight: float) -> tuple[BucketSums, int]:
        """The sums of an iteration for a seat: its gains, and what goes into the average of which seat."""
        other = seat if self._deals is None else 1 - seat
        sums = BucketSums(self._gain[: self.regret[seat].size], self._played[: self.regret[other].size])
        if self._deals is not None:
            walker, n = self._deals
            random = np.random.default_rng([self.seed, self.iterations, seat])  # a resumed run draws the same deals
            walker.walk(seat, self.prediction, n, weight, sums, random)
        else:
            boards = self.walker if self._boards is None else self._drawn(self._boards, seat)
            boards.walk(seat, LEARN, self.prediction, weight, sums)
        return sums, other

    def _drawn(self, boards: BoardSampler, seat: int) -> BucketWalker:
        """A walker over the boards drawn for this iteration; its buffers are reused."""
        sample = boards.draw(self.seed, seat, self.iterations)
        if self._few is None:
            self._few = BucketWalker(sample.game, sample.buckets(self.buckets), self.dtype, self.threads)
        else:
            self._few.deal(sample.game, sample.buckets(self.buckets))
        return self._few

    def policy(self) -> Policy:
        """The average, or the current strategy, as the settings ask."""
        return self.cumulative if self.settings.strategy == "average" and self.iterations else self.prediction

    def exploitability(self) -> float:
        """In the real game, by best responses that see every card."""
        total = self.game.betting.total
        values = self.walker.values(self.policy()) if total is None else (0.0, total)
        best = self.walker.best_values(self.policy())
        return Measurement(self.game.name, values, best, self.game.unit).exploitability

    def strategy(self) -> BucketStrategy:
        """The strategy found so far; it changes with further steps."""
        return BucketStrategy(self.game, self.buckets, self.policy())

    def measure(self) -> Measurement:
        """The strategy found so far, measured in the real game in double precision."""
        return measure(self.game, self.strategy(), threads=self.threads)

    def arrays(self) -> dict[str, AnyArray]:
        pairs = {"regret": self.regret, "total": self.cumulative}
        if self.settings.predictive:
            pairs["guess"] = self.prediction
        return {f"{name}{seat}": pair[seat] for name, pair in pairs.items() for seat in (0, 1)}


def bucket_plan(
    game: VectorGame, buckets: Buckets, store: str = "float32", threads: int = 1, predictive: bool = False
) -> MemoryPlan:
    """The memory of a solver in these buckets."""
    numbers = [bucket_layout(game, buckets, seat).size for seat in (0, 1)]
    values = (3 if predictive else 2) * sum(numbers)
    work = bucket_walk_bytes(game, np.dtype(store), threads) + 2 * np.dtype(store).itemsize * max(numbers)
    return MemoryPlan(values, values * np.dtype(store).itemsize, work, 0)
