"""What two runs of a program know together."""

from __future__ import annotations

from dataclasses import replace

import pytest

from headsup.distil.formulas.results import Result, Task

EASY = Task("AA", "ATC", "AVGERR", 1.0)


def result(task: Task = EASY, **changes: object) -> Result:
    one = Result(task, 0.03, 0.02, False, 0.03, 0.2, {54: 0.85}, 1.5, 2.0, 7, "by hand")
    return replace(one, **changes)  # type: ignore[arg-type]


def test_two_runs_know_more_than_one() -> None:
    early = result(value=0.031, bound=0.025, seconds=2.0, given=2.0)
    late = result(value=0.030, bound=0.024, seconds=9.0, given=10.0)
    both = late.joined(early)
    assert (both.value, both.bound, both.proved) == (0.030, 0.025, False)
    assert (both.seconds, both.given, both.nodes) == (11.0, 10.0, 14)
    assert late.joined(None) is late
    assert result(value=0.03, bound=0.01).joined(result(value=0.04, bound=0.03)).proved
    assert both.gap == pytest.approx(0.005)
    assert replace(both, proved=True).gap == 0
