"""The programs of dalpasso-lancia-2015: what the paper prints, what was solved here, and how to solve it again.

Table 3 asks for the fewest features with an average error of at most 2.5 points, table 4 for the least average error of
ten features; 11 hands against 4 ranges each, 88 programs. Figures 1 to 6 show the error for every number of features.

A program is a packet of `headsup.common.distribute`: a function of its arguments whose result is a file. So the
programs run on as many processes as there are cores, each finished one is on the disk at once, and a run that was
stopped goes on with those that have no file. A program that is not proved yet can be given more time: it keeps the
better value, the better bound and the time of both runs. Programs of one hand and range tell each other what they know
(`sharing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from headsup.common.distribute import Packet, clear_scratch, locked
from headsup.common.distribute import run as run_packets
from headsup.common.errors import DataError, UserError
from headsup.common.files import json_text, parsed, read_json, shipped_rows, write_json
from headsup.common.stop import until_stopped
from headsup.distil.formulas.results import VERSION, Result, Task
from headsup.distil.shipped import shipped_results
from headsup.papers.dalpasso2015.sharing import best_formula, share

PAPER = Path(__file__).parent / "data" / "printed.csv"
HANDS = ("AA", "KK", "QQ", "JJ", "99", "55", "AKs", "AQs", "KQs", "JTs", "98s")
RANGES = ("RUS", "RS", "RML", "ATC")
ERROR = 0.025
FEATURES = 10
TABLE_3 = {45: 47, 46: 45, 47: 46}
"""What table 3 calls F45, F46 and F47, by the numbers of section 2.2."""
MOST = 20
"""Curves go from one feature to so many."""
FIGURES: Mapping[int, tuple[str, str, tuple[str, ...]]] = {
    1: ("strong pairs", "RUS", ("AA", "KK", "QQ", "JJ")),
    2: ("strong pairs", "ATC", ("AA", "KK", "QQ", "JJ")),
    3: ("high suited cards", "RUS", ("AKs", "AQs", "KQs")),
    4: ("high suited cards", "ATC", ("AKs", "AQs", "KQs")),
    5: ("medium hands", "RUS", ("99", "55", "JTs", "98s")),
    6: ("medium hands", "ATC", ("99", "55", "JTs", "98s")),
}
"""Title, range and hands of each figure: the paper names the kind of hand, these are its test hands of that kind."""
PARTS = ("3", "4", "curves")
ROUNDED = "rounded"
"""Another part: both tables on equities rounded to whole percents, as the authors must have had them."""
USAGE = "features"
"""And another: how often each feature is used, over the programs of all parts on exact equities."""


@dataclass(frozen=True)
class Printed:
    """A row of table 3 or 4 as printed: a number of features, or an error in percent."""

    table: int
    hand: str
    villain: str
    value: str
    features: tuple[tuple[float, int], ...]
    """Weight and feature number of the five heaviest, in the printed order."""

    @property
    def numbers(self) -> tuple[int, ...]:
        """The features by the numbers of section 2.2; table 3 goes by other numbers for three of them (`features`)."""
        return tuple(TABLE_3.get(number, number) if self.table == 3 else number for _, number in self.features)

    @property
    def task(self) -> Task:
        """The program whose value it is."""
        return _task(self.hand, self.villain, self.table)


def _task(hand: str, villain: str, table: int) -> Task:
    return Task(hand, villain, "FEAT_AVGERR", ERROR) if table == 3 else Task(hand, villain, "AVGERR", float(FEATURES))


@cache
def paper() -> tuple[Printed, ...]:
    """Tables 3 and 4 as printed, 44 rows each.

    Two slips are kept as they are: KK against ATC in table 3 has its second and third feature out of order, and KK
    against RS in table 4 has F15 twice (the second must be F14: no ten, two, one). Italics, the paper's mark of a value
    that CPLEX did not prove, are not in the copy at hand.
    """
    rows = []
    for row in shipped_rows(PAPER):
        parts = (one.split("*F") for one in row["features"].split())
        features = tuple((float(weight), int(number)) for weight, number in parts)
        rows.append(Printed(int(row["table"]), row["hand"], row["range"], row["value"], features))
    return tuple(rows)


def tasks(parts: Iterable[str] = PARTS) -> tuple[Task, ...]:
    """The programs of these parts, each once: table 4 is where the curves pass ten features."""
    found: dict[Task, None] = {}
    for part in parts:
        if part in ("3", "4"):
            found.update(dict.fromkeys(one.task for one in paper() if one.table == int(part)))
        elif part == ROUNDED:
            found.update(dict.fromkeys(one.task.rounded for one in paper()))
        elif part == USAGE:
            found.update(dict.fromkeys(tasks()))
        else:
            for _, villain, hands in FIGURES.values():
                for hand in hands:
                    found.update(dict.fromkeys(Task(hand, villain, "AVGERR", float(n)) for n in range(1, MOST + 1)))
    return tuple(found)


def solve_task(
    hand: str,
    villain: str,
    model: str,
    limit: float,
    places: int,
    seconds: float,
    start: Mapping[str, float] | None = None,
    before: Mapping[str, Any] | None = None,
) -> bytes:
    """Solve one program, from a first formula and what an earlier run knew; its file's content."""
    from headsup.distil.formulas.formula import one_hand
    from headsup.distil.formulas.problem import problem
    from headsup.distil.formulas.solving import solve

    task = Task(hand, villain, model, limit, places)
    known = None if before is None else Result.from_dict(before)
    _load_kernels()
    of = problem(one_hand(hand), villain, places=places or None)
    first = None if start is None else {int(name[1:]): weight for name, weight in start.items()}
    with until_stopped() as stop:
        found = solve(of, model, limit, seconds=seconds, start=first, floor=0.0 if known is None else known.bound)
        if stop.asked():
            raise KeyboardInterrupt  # what was broken off is no result
    error = of.average_error(found.weights)
    result = Result(
        task,
        value=float(len(found.weights)) if model == "FEAT_AVGERR" else error,
        bound=min(found.bound, error) if model == "AVGERR" else found.bound,
        proved=found.proved,
        average_error=error,
        max_error=of.max_error(found.weights),
        weights=found.weights,
        seconds=found.seconds,
        given=seconds,
        nodes=found.nodes,
        how=found.how,
    )
    return json_text(result.joined(known).as_dict()).encode("ascii")


@cache
def _load_kernels() -> None:
    """Solve next to nothing, once: a process that has to compile must not take that from its first program's time."""
    from headsup.distil.formulas.problem import problem
    from headsup.distil.formulas.solving import solve

    solve(problem("AsAh", "RUS", (6, 9, 12, 54)), "AVGERR", 2, seconds=120)


def run_tasks(
    folder: Path,
    wanted: Sequence[Task],
    *,
    seconds: float,
    jobs: int = 2,
    begin: Callable[[int, int], None] | None = None,
    done: Callable[[Result], None] | None = None,
) -> list[Result]:
    """Solve those of these programs that the folder does not know well enough; all results that it then has.

    A program is left alone if it is proved, or if it had at least this time limit before. `begin` is told how many
    programs are to do, and of how many; `done` gets each result as its file appears.
    """
    with locked(folder):
        clear_scratch(folder)
        known = {one.task: one for one in read_folder(folder)}
        todo = [one for one in wanted if not _settled(known.get(one), seconds)]
        if begin is not None:
            begin(len(todo), len(wanted))
        packets = [_packet(folder, one, seconds, known) for one in todo]

        def tell(packet: Packet) -> None:
            if done is not None:
                done(_read(packet.path))

        run_packets(f"{__name__}:solve_task", packets, jobs=jobs, done=tell)
        return read_folder(folder)


def run_aloud(
    folder: Path, parts: Iterable[str], *, seconds: float, jobs: int, say: Callable[[str], None]
) -> list[Result]:
    """Solve the programs of these parts as `run_tasks` does, with a line for each that is solved."""
    wanted = tasks(parts)
    finished = [0, 0]
    printed_as = {one.task: one.value for one in paper()}

    def begin(todo: int, of: int) -> None:
        finished[1] = todo
        say(
            f"{of} programs, {todo} of them to do with {seconds:g} s each, {jobs} at a time; results in {folder}. "
            "Ctrl-C stops, the same command goes on; --shipped shows the results that come with headsup."
        )

    def done(one: Result) -> None:
        finished[0] += 1
        say(f"{finished[0]:3}/{finished[1]}  {progress_text(one, printed_as.get(one.task))}")

    return run_tasks(folder, wanted, seconds=seconds, jobs=jobs, begin=begin, done=done)


def progress_text(one: Result, printed: str | None) -> str:
    """A line for a program that has just been solved."""
    task = one.task
    if task.model == "AVGERR":
        value = f"{100 * one.value:.3f} points with {task.limit:g} features"
        proof = "proved" if one.proved else f"at least {100 * one.bound:.3f}"
    else:
        value = f"{one.value:.0f} features within {100 * task.limit:g} points"
        proof = "proved" if one.proved else f"at least {one.bound:.0f}"
    said = "" if printed is None else f" (paper {printed})"
    return f"{task.hand:>3} v {task.villain:<3}  {value}{said}, {proof}, {one.seconds:.1f} s"


def _settled(known: Result | None, seconds: float) -> bool:
    return known is not None and (known.proved or known.given >= seconds)


def _packet(folder: Path, task: Task, seconds: float, known: Mapping[Task, Result]) -> Packet:
    arguments: dict[str, Any] = asdict(task) | {"seconds": seconds}
    pair = [one for one in known.values() if task.same_pair(one.task)]
    start = best_formula(task, pair)
    if start is not None:
        arguments["start"] = start.as_dict()["weights"]
    else:
        # nothing is known yet: the features that the paper prints are as good a place to begin as any
        said = [one for one in paper() if one.task in (task, replace(task, places=0))]
        arguments["start"] = {f"F{number}": 1.0 for one in said for number in one.numbers}
    if task in known:
        arguments["before"] = known[task].as_dict()
    return Packet(folder / f"{task.name}.json", arguments)


def read_folder(folder: Path) -> list[Result]:
    """The results in a folder and what follows from them together, in the order of their programs."""
    return sorted(share(_read(path) for path in folder.glob("*AVGERR-*.json")), key=lambda one: _place(one.task))


def beside_shipped(folder: Path) -> list[Result]:
    """What ships and what a folder knows, together: of each program the better value and the better bound."""
    if not folder.is_dir():
        raise UserError(f"there is no folder {folder}: name one with results of flop programs")
    known = {one.task: one for one in shipped_results()}
    for one in map(_read, folder.glob("*AVGERR-*.json")):
        was = known.get(one.task)
        known[one.task] = one.joined(was)
        if was is not None and one.seconds >= was.seconds and one.nodes >= was.nodes:
            # a run that began with what ships has its time and nodes in its own
            known[one.task] = replace(known[one.task], seconds=one.seconds, nodes=one.nodes)
    return sorted(share(known.values()), key=lambda one: _place(one.task))


def _place(task: Task) -> tuple[int, str, float, int, int]:
    return task.places, task.model, task.limit, HANDS.index(task.hand), RANGES.index(task.villain)


def _read(path: Path) -> Result:
    try:
        return parsed(path, lambda: Result.from_dict(read_json(path)))
    except DataError as error:
        raise DataError(f"{path} is not a result of a flop program: remove it and run again") from error


def write_results(results: Iterable[Result], path: Path) -> None:
    """Write all results as one file, as it ships."""
    from headsup.version import __version__

    content = {
        "version": VERSION,
        "paper": "dalpasso-lancia-2015",
        "made by": f"headsup {__version__}: headsup reproduce dalpasso-lancia-2015 --write FILE",
        "units": "errors and weights are fractions of the pot; seconds of one core",
        "programs": [one.as_dict() for one in sorted(results, key=lambda one: _place(one.task))],
    }
    write_json(path, content)
