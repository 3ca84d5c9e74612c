"""Progress of long work: a long function takes a `Watch | None` and calls it with a `Progress` as often as it likes.

`headsup.cli.options` shows it on a terminal; `headsup.common.backend` reports compilation (`report_compiling`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple


class Progress(NamedTuple):
    """How far some work is."""

    done: float = 0.0
    total: float | None = None  # what `done` will be at the end, if known
    what: str = ""  # the stage, where the work has several
    text: str = ""  # the state in words: the best so far, an exploitability
    seconds: float | None = None  # spent on the work, if not the time since its start
    unit: str = ""  # what `done` counts, in the plural; if given, the rate is shown too
    left: float | None = None  # seconds to the end, if the worker has a better estimate
    error: float | None = None  # what the work minimises, such as an exploitability
    bound: float | None = None  # a proved lower bound of `error`


Watch = Callable[[Progress], None]  # receives progress


class Paced:
    """Reports lines of text to a watch, at most once a second."""

    def __init__(self, watch: Watch | None, *, at_once: bool = False) -> None:
        self.watch = watch
        self.reported = 0.0 if at_once else perf_counter()

    def tell(self, text: str) -> None:
        """Report a line, if the last one is a second old."""
        now = perf_counter()
        if self.watch is not None and now - self.reported >= 1.0:
            self.reported = now
            self.watch(Progress(text=text))


Listener = Callable[[bool], None]
_listeners: list[Listener] = []


@contextmanager
def on_compile(listener: Listener) -> Iterator[None]:
    """Call a listener with True when the compiler starts on a kernel, and with False when it ends."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def report_compiling(busy: bool) -> None:
    """Report to the innermost listener that the compiler starts (True) or ends (False)."""
    if _listeners:
        _listeners[-1](busy)
