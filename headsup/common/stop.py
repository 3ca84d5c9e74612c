"""Ctrl-C as an early time limit: a search that is interrupted returns its best result so far.

Inside `until_stopped` the first Ctrl-C only sets a flag, which searches check together with the clock (`time_up`); a
second one raises `KeyboardInterrupt`. Nested blocks share the flag of the outermost one.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from types import FrameType


class Stop:
    def __init__(self) -> None:
        self._asked = False

    def asked(self) -> bool:
        return self._asked

    def ask(self) -> None:
        self._asked = True

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Treat a first `KeyboardInterrupt` as the flag; a second one is raised."""
        try:
            yield
        except KeyboardInterrupt:
            if self._asked:
                raise
            self._asked = True


_current: ContextVar[Stop | None] = ContextVar("_current", default=None)


def asked() -> bool:
    """Whether the search that is under way was asked to stop."""
    stop = _current.get()
    return stop is not None and stop.asked()


def time_up(until: float) -> bool:
    """Whether a search has to end: its time (by `perf_counter`) is over, or it was asked to stop."""
    return asked() or perf_counter() >= until


@contextmanager
def until_stopped() -> Iterator[Stop]:
    """A block in which the first Ctrl-C is a flag; in the main thread only, and only if Python's own handler is set."""
    outer = _current.get()
    if outer is not None:
        yield outer
        return
    stop = Stop()

    def note(number: int, frame: FrameType | None) -> None:
        if stop.asked():
            raise KeyboardInterrupt
        stop.ask()

    main = threading.current_thread() is threading.main_thread()
    ours = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    before = _current.set(stop)
    try:
        if ours:
            signal.signal(signal.SIGINT, note)
        yield stop
    finally:
        if ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        _current.reset(before)
