"""How long work tells how far it is: one record, whoever does the work and whoever shows it.

A function that takes long has an argument of type `Watch | None` and calls it with a `Progress` now and then, as often
as it likes: who shows it looks at the clock. `headsup.cli.progress` shows it on a terminal.

Compiling a kernel takes seconds too. `headsup.common.backend` reports it with `report_compiling`, and whoever shows
progress listens with `on_compile`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import NamedTuple


class Progress(NamedTuple):
    """How far some work is."""

    done: float = 0.0
    total: float | None = None
    """What `done` will be at the end; none if nobody knows."""
    what: str = ""
    """The stage, where the work has several."""
    text: str = ""
    """How it stands in words: the best so far, an exploitability."""
    seconds: float | None = None
    """Spent on the work, where that is not simply the time since it began."""
    unit: str = ""
    """What `done` counts, in the plural; where it is said, so is the rate."""
    left: float | None = None
    """Seconds to the end, where the worker knows better than what is left of `total`."""
    error: float | None = None
    """What the work makes small, such as an exploitability; `text` says it in words."""
    bound: float | None = None
    """Proved: no error is smaller."""


Watch = Callable[[Progress], None]
"""Who wants to know."""


class Paced:
    """Passes words on how it stands to a watch, at most once a second, for work that has many of them to say."""

    def __init__(self, watch: Watch | None, *, at_once: bool = False) -> None:
        self.watch = watch
        self.told = 0.0 if at_once else perf_counter()

    def tell(self, text: str) -> None:
        """Pass a line on, if it is time for one."""
        now = perf_counter()
        if self.watch is not None and now - self.told >= 1.0:
            self.told = now
            self.watch(Progress(text=text))


Listener = Callable[[bool], None]
_listeners: list[Listener] = []


@contextmanager
def on_compile(listener: Listener) -> Iterator[None]:
    """Tell a listener True when the compiler starts on a kernel, and False when it is done with it."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def report_compiling(busy: bool) -> None:
    """Tell the innermost listener that the compiler starts (True) or is done (False)."""
    if _listeners:
        _listeners[-1](busy)
