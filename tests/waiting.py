"""Time in tests: waiting for what another thread, process or page does, and a clock that does not depend on load."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count

import pytest

PATIENCE = 300.0
"""Seconds after which a test gives up: many times what a busy machine needs, so that only what hangs gets there."""


def until(true: Callable[[], object], seconds: float = PATIENCE, pause: float = 0.02) -> None:
    """Wait until something holds; to look takes time of its own, so a pause is longer where it does."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "what the test waits for did not happen"
        time.sleep(pause)


def count_looks(monkeypatch: pytest.MonkeyPatch, *modules: str) -> None:
    """A millisecond passes with each look of these modules at the clock: a search takes equal steps on any machine."""
    looks = count()
    for module in modules:
        monkeypatch.setattr(f"headsup.{module}.perf_counter", lambda: next(looks) / 1000)
