"""Rate limits: token buckets, and a limit on concurrent requests."""

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from headsup.common.errors import UserError

REMEMBERED = 100_000  # clients to remember; forgotten ones start with a full bucket


class Flood(UserError):
    status = 429

    def __init__(self, message: str, wait: float) -> None:
        super().__init__(message)
        self.wait = wait


class Rate(NamedTuple):
    """Requests per second in the long run, and at once."""

    name: str
    each: float
    most: float


MOVES = Rate("requests with one token", 100.0, 300.0)
TOKENS = Rate("new tokens", 20.0, 2000.0)
LOGINS = Rate("logins under one name", 0.2, 5.0)
AT_ONCE = 4  # questions with one token that may wait for their answers
HELD_UP = 0.1  # seconds by which a question that comes too soon is held up instead of refused


class RateLimits:
    def __init__(
        self, clock: Callable[[], float] = time.monotonic, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self.clock, self.sleep = clock, sleep
        self._levels: OrderedDict[tuple[str, str], tuple[float, float]] = OrderedDict()
        self._asking: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, rate: Rate, who: str) -> None:
        """Count one request; slightly early ones are delayed, others raise `Flood` and do not count."""
        wait = self._taken(rate, who)
        if 0.0 < wait <= HELD_UP:
            self.sleep(wait + 0.001)
            wait = self._taken(rate, who)
        if wait:
            raise Flood(
                f"too many {rate.name}: at most {rate.each:g} per second, {rate.most:g} at once; wait {wait:.1f} s",
                wait,
            )

    def _taken(self, rate: Rate, who: str) -> float:
        now, key = self.clock(), (rate.name, who)
        with self._lock:
            level, seen = self._levels.pop(key, (rate.most, now))
            level = min(rate.most, level + (now - seen) * rate.each)
            enough = level >= 1.0
            self._levels[key] = (level - 1.0 if enough else level, now)
            while len(self._levels) > REMEMBERED:
                self._levels.popitem(last=False)
        return 0.0 if enough else (1.0 - level) / rate.each

    @contextmanager
    def one_of_few(self, who: str) -> Iterator[None]:
        with self._lock:
            if self._asking[who] >= AT_ONCE:
                raise Flood(f"{AT_ONCE} requests with this token are pending: wait for them", 0.1)
            self._asking[who] += 1
        try:
            yield
        finally:
            with self._lock:
                self._asking[who] -= 1
                if not self._asking[who]:
                    del self._asking[who]
