"""Words on how work stands are passed on at most once a second."""

from __future__ import annotations

import pytest

from headsup.common import progress
from headsup.common.progress import Paced, Progress


def test_paced(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, seen = [100.0], []
    monkeypatch.setattr(progress, "perf_counter", lambda: clock[0])
    later, at_once = Paced(seen.append), Paced(seen.append, at_once=True)
    later.tell("too early")
    at_once.tell("first")
    at_once.tell("too soon")
    clock[0] = 101.0
    later.tell("second")
    later.tell("too soon")
    assert seen == [Progress(text="first"), Progress(text="second")]
    Paced(None, at_once=True).tell("nobody hears")
