"""Who is told when kernels are compiled: light, so that it can be set before the compiler itself is loaded.

`headsup.backend` calls `tell` when the compiler starts on a kernel that its cache on disk does not have, and when it is
done with it. Whoever shows progress listens with `noticing`; the innermost listener hears it, and the others do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

Listener = Callable[[bool], None]
_listeners: list[Listener] = []


@contextmanager
def noticing(listener: Listener) -> Iterator[None]:
    """Tell a listener True when the compiler starts on a kernel, and False when it is done with it."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def tell(busy: bool) -> None:
    """Pass the news on."""
    if _listeners:
        _listeners[-1](busy)
