"""Progress for people: a line a stage on standard error with a bar, the rate and the time left.

It is drawn a few times a second however often it is told, and only where standard error is a terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from math import exp, log
from shutil import get_terminal_size
from time import monotonic
from typing import Any

from headsup.cli.streams import NARROW
from headsup.progress import Progress, Watch


def figures(step: Progress, before: float, seconds: float) -> str:
    """How far it is, how fast it goes, how long it will take, and what else is said.

    What was done `before` this run began, and so took it no time, must not make the estimate rosy.
    """
    said = []
    spent = seconds if step.seconds is None else step.seconds
    rate = (step.done - before) / spent if spent > 0 else 0.0
    if step.total:
        said.append(f"{step.done / step.total:4.0%}")
    if rate > 0 and step.unit:
        said.append(f"{rate:,.0f} {step.unit}/s" if rate >= 10 else f"{rate:.2g} {step.unit}/s")
    if rate > 0 and step.total:
        said.append(f"{timedelta(seconds=round((step.total - step.done) / rate))} left")
    return "  ".join((*said, step.text) if step.text else said)


class ProgressBars:
    """One line for each stage; nothing but what is said where there is no terminal, or not even that."""

    def __init__(self, *, show: bool = True, keep: bool = False) -> None:
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars
        from rich.table import Column

        from headsup.cli.console import make_console

        # a narrow terminal has no bar, and what is said goes on in a second line where it must
        console = make_console(stderr=True)
        what, said = "{task.description}", "{task.fields[figures]}"
        wide = (TextColumn(what, markup=False), BarColumn(), TimeElapsedColumn(), TextColumn(said, markup=False))
        folded = TextColumn(f"{what} {said}", markup=False, table_column=Column(overflow="fold"))
        self._bars = Bars(
            *(wide if console.width >= NARROW else (TimeElapsedColumn(), folded)),
            console=console,
            disable=not (show and sys.stderr.isatty()),
            transient=not keep,
            refresh_per_second=4,
        )
        self._show = show
        self._stages: dict[str, tuple[Any, float, float]] = {}  # its bar, when it began, what was done by then

    def __enter__(self) -> ProgressBars:
        self._bars.start()
        return self

    def __exit__(self, *unused: object) -> None:
        self.close()

    def close(self) -> None:
        """Take the lines away, or leave them as they are if they are to be kept."""
        self._bars.stop()

    def say(self, text: str) -> None:
        """A line that stays."""
        if self._show:
            self._bars.console.print(text, soft_wrap=True)

    def watch(self, step: Progress) -> None:
        """Take note of how far a stage is."""
        if step.what not in self._stages:
            bar = self._bars.add_task(step.what, total=step.total, figures="")
            self._stages[step.what] = bar, monotonic(), step.done
        bar, began, before = self._stages[step.what]
        said = figures(step, before, monotonic() - began)
        self._bars.update(bar, completed=step.done, total=step.total, figures=said)


@contextmanager
def show_solving(
    target: float | None, iterations: int | None = None, seconds: float | None = None, said: str = "{:.3e}"
) -> Iterator[Callable[[int, float, float], None] | None]:
    """A line about a solver that is overwritten now and then; nothing where standard error is no terminal.

    `said` writes an exploitability. The time left is that to the nearest limit; an exploitability is taken to go on
    falling as a power of the iterations, as it did since half as many. What is too much for the line is left out.
    """
    if not sys.stderr.isatty():
        yield None
        return
    shown, points = [0.0], list[tuple[int, float, float]]()

    def show(iteration: int, spent: float, exploitability: float) -> None:
        points.append((iteration, spent, exploitability))
        if monotonic() - shown[0] > 0.2:
            shown[0] = monotonic()
            goal = f" -> {said.format(target)}" if target else ""
            left = time_left(points, target, iterations, seconds)
            rest = "" if left is None else f", about {timedelta(seconds=round(left))} left"
            now, much = f"{iteration:,} iterations", said.format(exploitability)
            lines = (
                *(f"{now}, {spent:.1f} s, {much}{goal}{rest}", f"{now}, {much}{goal}{rest}", f"{now}, {much}{rest}"),
                *(f"{now}, {much}", now),
            )
            room = get_terminal_size().columns  # a line that goes on in the next could not be overwritten
            line = next((line for line in lines if len(line) < room), "")
            print(f"\r{line}\x1b[K\r", end="", file=sys.stderr)

    try:
        yield show
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def time_left(
    points: Sequence[tuple[int, float, float]], target: float | None, iterations: int | None, seconds: float | None
) -> float | None:
    """Seconds to the nearest limit, from a curve of (iteration, seconds, exploitability); None if nobody can say."""
    at, spent, now = points[-1]
    if at < 1 or spent <= 0.0:
        return None
    left = [] if seconds is None else [seconds - spent]
    if iterations is not None:
        left.append(spent * (iterations - at) / at)
    before = [(t, x) for t, _, x in points if 0 < t <= at // 2 and x > 0.0]
    if target is not None and before and 0.0 < now < before[-1][1]:
        power = log(before[-1][1] / now) / log(at / before[-1][0])
        left.append(spent * (exp(min(50.0, log(max(1.0, now / target)) / power)) - 1.0))
    return min(1e9, max(0.0, min(left))) if left else None


@contextmanager
def show_progress(what: str) -> Iterator[Watch | None]:
    """A line for work of one stage, which goes away at the end; none where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with ProgressBars() as bars:
        bars.watch(Progress(what=what))
        yield lambda step: bars.watch(step._replace(what=what))
