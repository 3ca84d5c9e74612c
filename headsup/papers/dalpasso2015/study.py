"""The programs of dalpasso-lancia-2015: what the paper prints, and how to solve them.

Table 3 asks for the fewest features with an average error of at most 2.5 points, table 4 for the least average error of
ten features. Programs are packets of `headsup.common.distribute`; one that is not proved yet keeps its value and bound
when given more time. Programs of one hand and range share their results (`share`): the least error falls with the
number of features, so formulas and bounds hold for neighbours.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_name, parse_holdem_class
from headsup.common.distribute import Packet, clear_scratch, locked
from headsup.common.distribute import run as run_packets
from headsup.common.errors import DataError, UserError
from headsup.common.files import json_text, parsed, read_json, shipped_rows, write_json
from headsup.common.stop import until_stopped
from headsup.distil.formulas.problem import Problem, problem
from headsup.distil.formulas.results import VERSION, Result, Task
from headsup.distil.formulas.sharing import best_formula, share
from headsup.distil.formulas.shipped import shipped_results
from headsup.version import __version__

PAPER = Path(__file__).parent / "data" / "printed.csv"
HANDS = ("AA", "KK", "QQ", "JJ", "99", "55", "AKs", "AQs", "KQs", "JTs", "98s")
RANGES = ("RUS", "RS", "RML", "ATC")
ERROR = 0.025
FEATURES = 10
TABLE_3 = {45: 47, 46: 45, 47: 46}  # what table 3 calls F45, F46 and F47, by the numbers of section 2.2
MOST = 20  # curves go from one feature to so many
FIGURES: Mapping[int, tuple[str, str, tuple[str, ...]]] = {
    1: ("strong pairs", "RUS", ("AA", "KK", "QQ", "JJ")),
    2: ("strong pairs", "ATC", ("AA", "KK", "QQ", "JJ")),
    3: ("high suited cards", "RUS", ("AKs", "AQs", "KQs")),
    4: ("high suited cards", "ATC", ("AKs", "AQs", "KQs")),
    5: ("medium hands", "RUS", ("99", "55", "JTs", "98s")),
    6: ("medium hands", "ATC", ("99", "55", "JTs", "98s")),
}
"""Title, range and hands of each figure: the paper names the kind of hand, these are its test hands of that kind."""
CURVES = "curves"
PARTS = ("3", "4", CURVES)
ROUNDED = "rounded"
"""Another part: both tables on equities rounded to whole percents, as the authors must have had them."""
EVERY = "hands"
"""And another: all 169 hands against all ranges with five and ten features."""
SIZES = (5, 10)
CLAIM = 0.03  # "five features ... around 3 %": whether five can reach it is asked first, and is quickly answered
USAGE = "features"  # and another: how often each feature is used, over the programs of all parts on exact equities


@dataclass(frozen=True)
class Printed:
    """A row of table 3 or 4 as printed: a number of features, or an error in percent."""

    table: int
    hand: str
    villain: str
    value: str
    features: tuple[tuple[float, int], ...]  # weight and feature number of the five heaviest, in the printed order

    @property
    def numbers(self) -> tuple[int, ...]:
        """The features by the numbers of section 2.2; table 3 numbers three of them differently."""
        return tuple(TABLE_3.get(number, number) if self.table == 3 else number for _, number in self.features)

    @property
    def task(self) -> Task:
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
        parts = (term.split("*F") for term in row["features"].split())
        features = tuple((float(weight), int(number)) for weight, number in parts)
        rows.append(Printed(int(row["table"]), row["hand"], row["range"], row["value"], features))
    return tuple(rows)


def tasks(parts: Iterable[str] = PARTS) -> tuple[Task, ...]:
    """The programs of these parts, each once: the curves at ten features are table 4."""
    programs: dict[Task, None] = {}
    for part in parts:
        if part in ("3", "4"):
            programs.update(dict.fromkeys(printed.task for printed in paper() if printed.table == int(part)))
        elif part == ROUNDED:
            programs.update(dict.fromkeys(printed.task.rounded for printed in paper()))
        elif part == EVERY:
            names = (holdem_class_name(index) for index in range(HOLDEM_CLASSES))
            pairs = [(hand, villain) for hand in names for villain in RANGES]
            programs.update(dict.fromkeys(Task(*pair, "AVGERR", float(n)) for n in SIZES for pair in pairs))
        elif part == USAGE:
            programs.update(dict.fromkeys(tasks()))
        elif part == CURVES:
            for _, villain, hands in FIGURES.values():
                for hand in hands:
                    programs.update(dict.fromkeys(Task(hand, villain, "AVGERR", float(n)) for n in range(1, MOST + 1)))
    return tuple(programs)


def solve_task(
    hand: str,
    villain: str,
    model: str,
    limit: float,
    places: int,
    seconds: float,
    start: Mapping[str, float] | None = None,
    before: Mapping[str, Any] | None = None,
    level: float | None = None,
    others: Sequence[Sequence[int]] = (),
) -> bytes:
    """Solve one program from an initial formula and an earlier result; return the content of its file.

    `level` is an error to ask about before the value, `others` are sets of features that may be better to begin with.
    """
    from headsup.distil.formulas.solving import solve

    task = Task(hand, villain, model, limit, places)
    known = None if before is None else Result.from_dict(before)
    _load_kernels()
    of = _problem(hand, villain, places)
    first = {} if start is None else {int(name[1:]): weight for name, weight in start.items()}
    if others:
        first = dict.fromkeys(_best_set(of, [list(first), *others]), 1.0)
    with until_stopped() as stop:
        floor = 0.0 if known is None else known.bound
        formula = solve(of, model, limit, seconds=seconds, start=first, floor=floor, level=level)
        if stop.asked():
            raise KeyboardInterrupt  # what was broken off is no result
    error = of.average_error(formula.weights)
    result = Result(
        task,
        value=float(len(formula.weights)) if model == "FEAT_AVGERR" else error,
        bound=min(formula.bound, error) if model == "AVGERR" else formula.bound,
        proved=formula.proved,
        average_error=error,
        max_error=of.max_error(formula.weights),
        weights=formula.weights,
        seconds=formula.seconds,
        given=seconds,
        nodes=formula.nodes,
        how=formula.how,
    )
    return json_text(result.joined(known).as_dict()).encode("ascii")


def _best_set(of: Problem, sets: Iterable[Sequence[int]]) -> Sequence[int]:
    """The set of features that fits the problem best."""
    from headsup.distil.formulas.subset.fits import HandFit

    fit = HandFit(of)
    return min(sets, key=lambda numbers: fit.error(fit.columns_of(numbers)))


@lru_cache(maxsize=1)  # programs of a curve follow each other
def _problem(hand: str, villain: str, places: int) -> Problem:
    from headsup.distil.formulas.formula import one_hand

    return problem(one_hand(hand), villain, places=places or None)


@cache
def _load_kernels() -> None:
    """Compile before the clock of the first program starts."""
    from headsup.distil.formulas.solving import solve

    solve(problem("AsAh", "RUS", (6, 9, 12, 54)), "AVGERR", 2, seconds=120)


def run_tasks(
    folder: Path,
    wanted: Sequence[Task],
    *,
    seconds: float,
    jobs: int = 2,
    extending: bool = False,
    begin: Callable[[int, int], None] | None = None,
    done: Callable[[Result], None] | None = None,
) -> list[Result]:
    """Solve those of these programs that the folder does not know well enough; all results that it then has.

    A program is left alone if it is proved, or if it had at least this time limit before; those that had the least time
    come first. `extending` starts from what ships and from the features of other hands, and asks first whether five
    features reach the error that the text claims. `begin` is told how many programs are to do, and of how many; `done`
    gets each result as its file appears.
    """
    with locked(folder):
        clear_scratch(folder)
        known = {result.task: result for result in (beside_shipped if extending else read_folder)(folder)}
        todo = [task for task in wanted if not _settled(known.get(task), seconds)]
        todo.sort(key=lambda task: known[task].given if task in known else 0.0)
        if begin is not None:
            begin(len(todo), len(wanted))
        packets = [_packet(folder, task, seconds, known, extending) for task in todo]

        def tell(packet: Packet) -> None:
            if done is not None:
                done(_read(packet.path))

        run_packets(f"{__name__}:solve_task", packets, jobs=jobs, done=tell)
        return read_folder(folder)


def run_aloud(
    folder: Path, parts: Iterable[str], *, seconds: float, jobs: int, say: Callable[[str], None]
) -> list[Result]:
    """Solve the programs of these parts with `run_tasks`, printing a line for each."""
    parts = tuple(parts)
    wanted, extending = tasks(parts), EVERY in parts
    finished = [0, 0]
    printed_as = {printed.task: printed.value for printed in paper()}

    def begin(todo: int, of: int) -> None:
        finished[1] = todo
        say(
            f"{of} programs, {todo} of them to do with {seconds:g} s each, {jobs} at a time; results in {folder}. "
            "Ctrl-C stops, the same command resumes; --shipped shows the results that come with headsup."
        )

    def done(result: Result) -> None:
        finished[0] += 1
        say(f"{finished[0]:3}/{finished[1]}  {progress_text(result, printed_as.get(result.task))}")

    return run_tasks(folder, wanted, seconds=seconds, jobs=jobs, extending=extending, begin=begin, done=done)


def progress_text(result: Result, printed: str | None) -> str:
    task = result.task
    if task.model == "AVGERR":
        value = f"{100 * result.value:.3f} points with {task.limit:g} features"
        proof = "proved" if result.proved else f"at least {100 * result.bound:.3f}"
    else:
        value = f"{result.value:.0f} features within {100 * task.limit:g} points"
        proof = "proved" if result.proved else f"at least {result.bound:.0f}"
    beside = "" if printed is None else f" (paper {printed})"
    return f"{task.hand:>3} v {task.villain:<3}  {value}{beside}, {proof}, {result.seconds:.1f} s"


def _settled(known: Result | None, seconds: float) -> bool:
    return known is not None and (known.proved or known.given >= seconds)


def _packet(folder: Path, task: Task, seconds: float, known: Mapping[Task, Result], extending: bool) -> Packet:
    arguments: dict[str, Any] = asdict(task) | {"seconds": seconds}
    pair = [result for result in known.values() if task.same_pair(result.task)]
    start = best_formula(task, pair)
    if start is not None:
        arguments["start"] = start.as_dict()["weights"]
    else:
        # nothing is known yet: the features that the paper prints are as good a place to begin as any
        rows = [row for row in paper() if row.task in (task, replace(task, places=0))]
        arguments["start"] = {f"F{number}": 1.0 for row in rows for number in row.numbers}
    if extending:
        # features that are good for one hand against a range are good for hands like it
        alike = (r for r in known.values() if replace(r.task, hand=task.hand) == task and len(r.weights) <= task.limit)
        arguments["others"] = sorted({tuple(sorted(result.weights)) for result in alike})
    if extending and task.limit == min(SIZES):
        arguments["level"] = CLAIM
    if task in known:
        arguments["before"] = known[task].as_dict()
    return Packet(folder / f"{task.name}.json", arguments)


def read_folder(folder: Path) -> list[Result]:
    """The results in a folder and what follows from them together, in the order of their programs."""
    return sorted(share(_read(path) for path in folder.glob("*AVGERR-*.json")), key=lambda result: _place(result.task))


def beside_shipped(folder: Path) -> list[Result]:
    """Shipped results and those of a folder: the better value and bound of each program."""
    if not folder.is_dir():
        raise UserError(f"there is no folder {folder}: name one with results of flop programs")
    known = {result.task: result for result in shipped_results()}
    for result in map(_read, folder.glob("*AVGERR-*.json")):
        was = known.get(result.task)
        known[result.task] = result.joined(was)
        if was is not None and result.seconds >= was.seconds and result.nodes >= was.nodes:
            # a run that began with what ships has its time and nodes in its own
            known[result.task] = replace(known[result.task], seconds=result.seconds, nodes=result.nodes)
    return sorted(share(known.values()), key=lambda result: _place(result.task))


def _place(task: Task) -> tuple[int, str, float, int, int]:
    hand = HANDS.index(task.hand) if task.hand in HANDS else len(HANDS) + parse_holdem_class(task.hand)
    return task.places, task.model, task.limit, hand, RANGES.index(task.villain)


def _read(path: Path) -> Result:
    try:
        return parsed(path, lambda: Result.from_dict(read_json(path)))
    except DataError as error:
        raise DataError(f"{path} is not a result of a flop program: remove it and run again") from error


def write_results(results: Iterable[Result], path: Path) -> None:
    """Write all results as one file, as it ships."""
    content = {
        "version": VERSION,
        "paper": "dalpasso-lancia-2015",
        "made by": f"headsup {__version__}: headsup reproduce dalpasso-lancia-2015 --write FILE",
        "units": "errors and weights are fractions of the pot; seconds of one core",
        "programs": [result.as_dict() for result in sorted(results, key=lambda result: _place(result.task))],
    }
    write_json(path, content)
