"""Progress on a terminal, and quiet anywhere else."""

from __future__ import annotations

import io
import re
import sys

import pytest

from headsup.cli.options import ProgressBars, figures, show_progress
from headsup.common.progress import Progress
from headsup.games import game
from headsup.solve import solve
from headsup.solve.records.loop import in_unit


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
        (
            Progress(4000, unit="iterations", seconds=2, text="1.2e-3"),
            0,
            9,
            "4,000 iterations  2,000 iterations/s  1.2e-3",
        ),
        (Progress(4000, 8000, seconds=2, left=60.0, error=1.2e-3), 0, 9, " 50%  0:01:00 left"),
        (Progress(200, 200), 0, 10, "100%  0:00:00 left"),
    ],
)
def test_figures(step: Progress, before: float, seconds: float, said: str) -> None:
    assert figures(step, before, seconds) == said


def test_nothing_is_shown_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with show_progress("counting") as watch, show_progress("solving", show=False) as nobody:
        assert watch is nobody is None
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


def test_a_solver_has_one_line_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = terminal(monkeypatch)
    with show_progress("solving") as watch:
        solve(game("kuhn"), "cfr", iterations=20, target=1e-9, progress=in_unit(watch, 2.0, "{:.1%} of the pot", 0.005))
    shown = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue())
    assert re.search(
        r"solving .* 100%  [0-9,.]+ iterations/s  0:00:00 left  [0-9.]+% of the pot -> 0.5% of the pot", shown
    )


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
