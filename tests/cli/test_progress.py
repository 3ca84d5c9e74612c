"""Progress on a terminal, and quiet anywhere else."""

from __future__ import annotations

import io
import re
import sys

import pytest

from headsup.cli.progress import ProgressBars, figures, show_progress, show_solving, time_left
from headsup.progress import Progress


class Terminal(io.StringIO):
    """A file that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error as a terminal from here on; no fixture, for pytest puts its own in place before the test."""
    found = Terminal()
    monkeypatch.setattr(sys, "stderr", found)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "150")
    return found


@pytest.mark.parametrize(
    ("step", "before", "seconds", "said"),
    [
        (Progress(), 0, 3, ""),
        (Progress(text="3 features so far"), 0, 3, "3 features so far"),
        (Progress(0, 10), 0, 0, "  0%"),
        (Progress(50, 200), 0, 10, " 25%  0:00:30 left"),
        (Progress(50, 200, unit="boards"), 0, 10, " 25%  5 boards/s  0:00:30 left"),
        (Progress(90, 200, unit="boards"), 80, 1, " 45%  10 boards/s  0:00:11 left"),  # 80 were there before
        (Progress(4000, unit="iterations", seconds=2, text="1.2e-3"), 0, 9, "2,000 iterations/s  1.2e-3"),
        (Progress(200, 200), 0, 10, "100%  0:00:00 left"),
    ],
)
def test_figures(step: Progress, before: float, seconds: float, said: str) -> None:
    assert figures(step, before, seconds) == said


def test_nothing_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress("counting") as watch:
        assert watch is None
    with ProgressBars(keep=True) as bars:
        bars.watch(Progress(1, 2, "counting"))
        bars.say("a word [sic]")
    with ProgressBars(show=False) as bars:
        bars.say("not for people")
    out, err = capsys.readouterr()
    assert (out, err) == ("", "a word [sic]\n")


def test_a_terminal_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = terminal(monkeypatch)
    with show_progress("counting deals [A]") as watch:
        assert watch is not None
        watch(Progress(3, 12, text="best [so far]"))
    shown = seen.getvalue()
    assert "counting deals [A]" in shown
    assert "25%" in shown
    assert "best [so far]" in shown


def test_stages_have_a_line_each_and_stay_if_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = terminal(monkeypatch)
    with ProgressBars(keep=True) as bars:
        bars.watch(Progress(1, 4, "checking"))
        bars.watch(Progress(4, 4, "checking"))
        bars.watch(Progress(1, 2, "adding up"))
    last = seen.getvalue().rpartition("checking")[2]
    assert "100%" in last.partition("adding up")[0]
    assert "50%" in last.partition("adding up")[2]


@pytest.mark.parametrize(
    ("limits", "left"),
    [
        ((None, None, None), None),
        ((None, 300, None), 20.0),
        ((None, None, 15.0), 5.0),
        ((None, 300, 15.0), 5.0),
        ((0.01, None, None), 10.0 * (10.0 - 1.0)),  # it fell as 1 / iterations: ten times as many
        ((0.5, None, None), 0.0),
        ((1e-300, None, None), 1e9),
    ],
)
def test_time_left(limits: tuple[float | None, int | None, float | None], left: float | None) -> None:
    curve = [(0, 0.0, 9.0), (25, 2.5, 0.4), (50, 5.0, 0.2), (100, 10.0, 0.1)]
    assert time_left(curve, *limits) == (None if left is None else pytest.approx(left))
    assert time_left(curve[:1], *limits) is None


def test_a_solver_has_one_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    with show_solving(0.005) as show:
        assert show is None
    screen = terminal(monkeypatch)
    with show_solving(0.005, None, 60.0, "{:.1%} of the pot") as show:
        assert show is not None
        show(1000, 12.0, 0.02)
    assert "1,000 iterations, 12.0 s, 2.0% of the pot -> 0.5% of the pot, about 0:00:48 left" in screen.getvalue()
    assert screen.getvalue().endswith("\r\x1b[K")  # nothing of it is left beside what is printed next


@pytest.mark.parametrize("columns", [20, 30, 40, 60, 79, 80])
def test_a_solvers_line_is_never_longer_than_the_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    screen = terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", str(columns))
    with show_solving(0.005, None, 60.0, "{:.1%} of the pot") as show:
        assert show is not None
        show(1000, 12.0, 0.02)
    line = screen.getvalue().split("\x1b")[0].strip("\r")
    assert line.startswith("1,000 iterations")
    assert len(line) < columns
    assert ("2.0% of the pot" in line) == (columns >= 40)


def test_a_narrow_terminal_cuts_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    monkeypatch.setenv("COLUMNS", "40")
    with show_progress("flop formula") as watch:
        assert watch is not None
        watch(Progress(3, 12, text="2 features, 2.500 %: 1234567 nodes, 89 cores"))
    assert "…" not in screen.getvalue()
    shown = " ".join(re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue()).split())
    assert "flop formula 25%" in shown
    assert "2 features, 2.500 %: 1234567 nodes, 89 cores" in shown
