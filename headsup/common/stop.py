"""Ctrl-C as an early end of the time: a search that is asked to stop gives what it has.

Inside `until_stopped` the first Ctrl-C only raises a flag, and searches look at it where they look at the clock
(`time_up`). So nothing is broken off half way, least of all a compiled kernel, out of which Python lets no
`KeyboardInterrupt` come as such. A second Ctrl-C is the usual `KeyboardInterrupt`.

Blocks may be nested: they share the flag of the outermost one, so that every stage of a search hears of it.
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
    """Whether a search was asked to stop."""

    def __init__(self) -> None:
        self._asked = False

    def asked(self) -> bool:
        """Whether it was."""
        return self._asked

    def ask(self) -> None:
        """Ask it to."""
        self._asked = True

    @contextmanager
    def ending(self) -> Iterator[None]:
        """Take a first `KeyboardInterrupt`, where one is raised all the same, for the flag; a second goes on."""
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
    """A block in which the first Ctrl-C is a flag; only Python's own handler gives way, and only in the main thread."""
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
