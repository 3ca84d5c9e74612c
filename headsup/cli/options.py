"""What several verbs share: options, the way all of them print, and progress bars on standard error."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from time import monotonic
from typing import IO, TYPE_CHECKING, Any

from headsup.common.checks import DEVICES, parse_float
from headsup.common.errors import DataError, UserError
from headsup.common.progress import Progress, Watch

if TYPE_CHECKING:
    from rich.console import Console

    from headsup.common.shards.shard import Shard, ShardDone


NARROW = 80  # a terminal with fewer columns has its own forms of what else is a long line


def say(text: str, stream: IO[str] | None = None) -> None:
    """Print a line, on standard error by default; on a narrow terminal it is wrapped between words."""
    from shutil import get_terminal_size
    from textwrap import fill

    stream = sys.stderr if stream is None else stream
    columns = get_terminal_size().columns
    if stream is not None and stream.isatty() and columns < NARROW:
        text = fill(text, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    print(text, file=stream, flush=True)


def say_stopped(verb: str, iterations: int, *places: str | None) -> None:
    """Report that a solver was stopped, and where its result is."""
    kept = [path for path in places if path]
    where = f"saved in {' and '.join(kept)}" if kept else "nothing is saved"
    say(f"headsup {verb}: stopped after {iterations:,} iterations, {where}")


def trouble_in(write: Callable[[], object]) -> DataError | None:
    """Write a file and return the error, so that results are printed before it is raised."""
    try:
        write()
    except DataError as error:
        return error
    return None


def add_json(parser: argparse.ArgumentParser, more: str = "") -> None:
    parser.add_argument("--json", action="store_true", help=f"print one JSON object{more}")


def print_answer(
    args: argparse.Namespace,
    answer: Callable[[], Mapping[str, Any]],
    show: Callable[[Console], object],
    trouble: DataError | None = None,
    stopped: bool = False,
) -> int:
    """Print `answer` as JSON with `--json`, else `show`; then raise `trouble`, and return the exit status."""
    if args.json:
        from headsup.common.display import json_line

        print(json_line(answer()))
    else:
        from headsup.cli.console import make_console

        show(make_console())
    if trouble is not None:
        raise trouble
    return 130 if stopped else 0


def add_cards(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--game", default="holdem", metavar="GAME", help="holdem (default), omaha or omaha8")


def add_table(parser: argparse.ArgumentParser, more: str = "") -> None:
    """The Omaha matchup table and the device that sums it; `more` describes the effect of giving one."""
    from pathlib import Path

    folder, device = (f"; {more}", f"; gpu {more}") if more else ("", "")
    parser.add_argument("--table", type=Path, metavar="FOLDER", help=f"folder of the Omaha matchup table{folder}")
    add_device(parser, f"Omaha: the device to compute on{device}")


def add_device(parser: argparse.ArgumentParser, where: str) -> None:
    parser.add_argument("--device", choices=DEVICES, default="cpu", help=f"{where} (default: cpu)")


def add_seed(parser: argparse.ArgumentParser, of: str) -> None:
    parser.add_argument("--seed", type=int, default=0, metavar="N", help=f"random seed of {of} (default: 0)")


def add_method(
    parser: argparse.ArgumentParser, methods: Sequence[str], usual: str, always: bool = True, when: str = ""
) -> None:
    """`--method`; without `always` the verb finds the default itself."""
    names = f"{when}{', '.join(methods[:-1])} or {methods[-1]} (default: {usual})"
    parser.add_argument("--method", default=usual if always else None, metavar="M", help=names)


def add_limits(
    parser: argparse.ArgumentParser, target: str = "", kind: Callable[[str], float] = float, counted: str = ""
) -> None:
    """When a solver stops; `target` and `counted` extend the help, `kind` parses the target."""
    parser.add_argument("--target", type=kind, metavar="X", help=f"stop at this exploitability{target}")
    parser.add_argument("--iterations", type=int, metavar="N", help=f"stop after this many iterations{counted}")
    parser.add_argument("--seconds", type=float, metavar="S", help="stop after this many seconds of solving")


def pot_fraction(text: str) -> float:
    """A fraction of the pot, above 0 and below 1: `0.5%` or `0.005`."""
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+(?:e-?[0-9]+)?)\s*(%?)\s*", text, re.ASCII)
    fraction = float(match[1]) / (100.0 if match[2] else 1.0) if match else 0.0
    if not 0.0 < fraction < 1.0:
        raise argparse.ArgumentTypeError(f"'{text}' is not a fraction of the pot: write 0.5% or 0.005")
    return fraction


def probability(text: str) -> float:
    """A probability above 0 and below 1: `0.1%` or `0.001`."""
    try:
        return pot_fraction(text)
    except argparse.ArgumentTypeError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a probability: write 0.1% or 0.001") from None


def percentage(text: str) -> float:
    try:
        return parse_float(text.strip().removesuffix("%")) / 100
    except ValueError:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of points: write for example 2.5") from None


def add_workers(parser: argparse.ArgumentParser, jobs: int | None = None, when: str = "") -> None:
    """Processes of this machine or a Ray cluster; `jobs` is how many by default (None: all cores)."""
    engines = f"{when}run on this machine (default) or on a Ray cluster"
    parser.add_argument("--engine", choices=["local", "ray"], default="local", help=engines)
    parser.add_argument("--address", help=f"{when}address of a running Ray cluster, such as auto or ray://host:10001")
    many = f"{when}number of processes, or of Ray tasks at once (default: {jobs or 'all cores'})"
    parser.add_argument("--jobs", type=int, default=jobs, metavar="N", help=many)


def add_shard(parser: argparse.ArgumentParser) -> None:
    help = "compute only part I of N of the job, for batch systems; `headsup merge` checks that all parts are complete"
    parser.add_argument("--shard", metavar="I/N", help=help)


def read_shard(args: argparse.Namespace) -> Shard | None:
    from headsup.common.shards.shard import Shard

    if args.shard is None:
        return None
    if args.engine == "ray":
        raise UserError("--shard shares out the work without Ray: leave out --shard or --engine")
    return Shard.parse(args.shard)


def print_shard(args: argparse.Namespace, done: ShardDone) -> int:
    """Report a finished shard."""
    return print_answer(args, done.summary, lambda console: console.print(done.sentence, soft_wrap=True))


def check_workers(args: argparse.Namespace) -> None:
    if args.engine != "ray":
        refuse(args, ("address",), "names a Ray cluster: add --engine ray")


def refuse(args: argparse.Namespace, names: Iterable[str], why: str) -> None:
    """Refuse options that have no effect here; `why` completes the sentence that starts with the option."""
    for name in names:
        if name in args.given:
            raise UserError(f"{args.given[name]} {why}")


def refuse_all_but(args: argparse.Namespace, names: Iterable[str], why: str) -> None:
    refuse(args, [name for name in args.given if name not in ("verb", *names)], why)


def refuse_with_json(args: argparse.Namespace, *names: str) -> None:
    """Refuse options that only change what is printed for people."""
    if args.json:
        refuse(args, names, "has no effect with --json: leave one of them out")


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
