"""Progress bars on standard error: one line per stage with the rate and the time left, only on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic
from typing import Any

from headsup.cli.streams import NARROW
from headsup.common.progress import Progress, Watch


def figures(step: Progress, before: float, seconds: float) -> str:
    """Percentage, rate, time left and text; work done `before` this run does not count for the rate."""
    parts = []
    spent = seconds if step.seconds is None else step.seconds
    rate = (step.done - before) / spent if spent > 0 else 0.0
    if step.total:
        parts.append(f"{step.done / step.total:4.0%}")
    elif step.unit and step.done:
        parts.append(f"{step.done:,.0f} {step.unit}")
    if rate > 0 and step.unit:
        parts.append(f"{rate:,.0f} {step.unit}/s" if rate >= 10 else f"{rate:.2g} {step.unit}/s")
    left = (step.total - step.done) / rate if rate > 0 and step.total and step.left is None else step.left
    if left is not None:
        parts.append(f"{timedelta(seconds=round(left))} left")
    return "  ".join((*parts, step.text) if step.text else parts)


class ProgressBars:
    """One line per stage. Without a terminal only `say` prints; with `show=False` nothing does."""

    def __init__(self, *, show: bool = True, keep: bool = False) -> None:
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars
        from rich.table import Column

        from headsup.cli.console import make_console

        # a narrow terminal has no bar, and long lines are folded
        console = make_console(stderr=True)
        what, numbers = "{task.description}", "{task.fields[figures]}"
        wide = (TextColumn(what, markup=False), BarColumn(), TimeElapsedColumn(), TextColumn(numbers, markup=False))
        folded = TextColumn(f"{what} {numbers}", markup=False, table_column=Column(overflow="fold"))
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
        if self._show:
            self._bars.console.print(text, soft_wrap=True)

    def watch(self, step: Progress) -> None:
        if step.what not in self._stages:
            bar = self._bars.add_task(step.what, total=step.total, figures="")
            self._stages[step.what] = bar, monotonic(), step.done
        bar, began, before = self._stages[step.what]
        text = figures(step, before, monotonic() - began)
        self._bars.update(bar, completed=step.done, total=step.total, figures=text)


@contextmanager
def show_progress(what: str, show: bool = True) -> Iterator[Watch | None]:
    """A progress line for one stage, removed at the end; None without a terminal."""
    if not (show and sys.stderr.isatty()):
        yield None
        return
    with ProgressBars() as bars:
        bars.watch(Progress(what=what))
        yield lambda step: bars.watch(step._replace(what=what))
