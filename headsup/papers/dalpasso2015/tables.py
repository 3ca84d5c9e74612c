"""dalpasso-lancia-2015 beside ours: tables 3 and 4, and the curves of figures 1 to 6.

Everything is made from results of `study`: those that ship, or those of a run.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from headsup.common.plot import line_chart
from headsup.distil.formulas.features import FEATURES
from headsup.distil.formulas.results import Result, Task
from headsup.distil.formulas.sharing import implied
from headsup.papers import section
from headsup.papers.dalpasso2015.hands import every_hand, largest_errors
from headsup.papers.dalpasso2015.study import EVERY, FIGURES, MOST, PARTS, ROUNDED, USAGE, Printed, paper, tasks
from headsup.papers.section import Finding, Rows, Section

PROGRAMS = 680
HEAVY = 0.1  # A weight above this is a heavy one
HEAVIEST = 5  # so many features of a program are printed
FEW = 10  # programs of so many features at most are counted by themselves: the more features, the more of them are used
LISTED = 20  # so many features have a line, those that ours use most


@dataclass(frozen=True)
class Count:
    """One of the paper's counts: how many features are in so large a share of the programs, with a heavy weight or any.

    Section 4 says it of its 680 programs: "at least 10" of them is a share too.
    """

    words: str
    share: float
    heavy: bool
    printed: int


COUNTS = (
    Count("in at least 10 of 680 programs, or the same fraction", 10 / PROGRAMS, False, 60),
    Count("in at least 5 % of the programs", 0.05, False, 31),
    Count("in at least 10 % of the programs", 0.10, False, 16),
    Count("a weight above 0.1 in at least 5 % of the programs", 0.05, True, 15),
)


def used(results: Iterable[Result], heavy: bool = False) -> Counter[int]:
    """The number of formulas that use each feature."""
    least = HEAVY if heavy else 0.0
    return Counter(number for result in results for number, weight in result.weights.items() if abs(weight) > least)


def number_of_features(results: Sequence[Result], count: Count) -> int:
    """How many features are in at least `count.share` of the formulas."""
    return sum(times >= count.share * len(results) - 1e-9 for times in used(results, count.heavy).values())


def use_of_features(known: dict[Task, Result]) -> list[Section]:
    every = [known[task] for task in tasks(PARTS) if task in known]
    rows = [(printed, known[printed.task]) for printed in paper() if printed.task in known]
    if not rows:
        return []
    tables = [result for _, result in rows]
    few = [result for result in every if len(result.weights) <= FEW]
    groups = {"ours, tables and curves": every, f"with at most {FEW} features": few, "tables": tables}
    names = ("features", f"paper, {PROGRAMS} programs", *(f"{name}, {len(some)}" for name, some in groups.items()))
    counts: Rows = [
        (count.words, str(count.printed), *(str(number_of_features(some, count)) for some in groups.values()))
        for count in COUNTS
    ]
    return [Section("Number of features by frequency of use", names, counts), _most_used(every, rows)]


def _most_used(every: Sequence[Result], rows: Sequence[tuple[Printed, Result]]) -> Section:
    times, heavy = used(every), used(every, heavy=True)
    theirs = Counter(number for printed, _ in rows for number in set(printed.numbers))
    ours = Counter(number for _, result in rows for number, _ in result.heaviest[:HEAVIEST])
    most = sorted(times, key=lambda number: (-times[number], number))[:LISTED]
    lines: Rows = [
        (
            f"F{number}",
            FEATURES[number - 1].text,
            f"{times[number] / len(every):.0%}",
            f"{heavy[number] / len(every):.0%}",
            str(theirs[number]),
            str(ours[number]),
        )
        for number in most
    ]
    title = f"The most used features, and how often each is among the five heaviest of the {len(rows)} programs"
    names = ("feature", "", "in our programs", "with weight above 0.1", "paper's heaviest five", "our heaviest five")
    return Section(title, names, lines)


LARGEST = "largest"  # stored, not solved by the command
SHOWN = (*PARTS, EVERY, LARGEST, ROUNDED, USAGE)
Known = dict[Task, Result]


def sections(known: Known, parts: Sequence[str] = SHOWN) -> list[Section]:
    """The comparisons for which there are results."""
    tables: list[Section] = []
    for table in (3, 4):
        rows = [
            (printed, known[printed.task]) for printed in paper() if printed.table == table and printed.task in known
        ]
        if str(table) in parts and rows:
            tables.append(_table(table, rows))
    if any(part in parts for part in ("3", "4")) and tables:
        tables.insert(0, _summary(known, parts))
        tables += _open_programs(known, parts)
    if "4" in parts:
        tables += _claims(known)
    if EVERY in parts:
        tables += every_hand(known)
    if LARGEST in parts:
        tables.append(largest_errors(known))
    if ROUNDED in parts:
        tables += _rounded(known)
    if USAGE in parts:
        tables += use_of_features(known)
    if "curves" in parts:
        tables += _curves(known)
    return tables


def _features(pairs: Sequence[tuple[float, int]]) -> str:
    return ", ".join(f"{weight:.2f} F{number}" for weight, number in pairs)


def _ours(result: Result) -> str:
    return _features([(weight, number) for number, weight in result.heaviest[:5]])


def _table(table: int, rows: Sequence[tuple[Printed, Result]]) -> Section:
    lines: Rows = []
    for printed, result in rows:
        if table == 3:
            proof = "yes" if result.proved else f"at least {result.bound:.0f}"
            value: tuple[str, ...] = (printed.value, f"{result.value:.0f}", proof, f"{100 * result.average_error:.3f}")
        else:
            value = (
                printed.value,
                f"{100 * result.value:.3f}",
                "yes" if result.proved else f"at least {100 * result.bound:.3f}",
            )
        lines.append(
            (
                printed.hand,
                printed.villain,
                *value,
                f"{result.seconds:.1f}",
                f"{_features(printed.features)}",
                _ours(result),
            )
        )
    if table == 3:
        title = "Table 3: fewest features with an average error of at most 2.5 points"
        names: tuple[str, ...] = ("hand", "range", "paper's N", "our N", "proved", "error")
    else:
        title = "Table 4: least average error of ten features, in points"
        names = ("hand", "range", "paper's error", "our error", "proved")
    return Section(title, (*names, "seconds", "paper's heaviest five", "our heaviest five"), lines)


def _open_programs(known: Known, parts: Sequence[str]) -> list[Section]:
    """The programs of both tables that are not proved, each as an interval of the error of so many features."""
    rows: Rows = []
    for printed in paper():
        result = known.get(printed.task)
        if result is None or result.proved or str(printed.table) not in parts:
            continue
        task, what = result.task, "least error of ten features"
        if printed.table == 3:
            what = f"fewest features for {100 * task.limit:g} points: {result.bound:.0f} or {result.value:.0f}"
            pair = [other for other in known.values() if task.same_pair(other.task)]
            fewer = implied(Task(task.hand, task.villain, "AVGERR", result.bound), pair)
            assert fewer is not None
            result = fewer
        interval = (f"{100 * result.bound:.3f}", f"{100 * result.value:.3f}", f"{100 * result.gap:.3f}")
        rows.append((task.hand, task.villain, what, f"{result.task.limit:g}", *interval))
    names = ("hand", "range", "program", "features", "error at least", "error at most", "gap in points")
    return [Section(f"The {len(rows)} programs that are open", names, rows)] if rows else []


def _claims(known: Known) -> list[Section]:
    """The counts in the paper's text, from its printed tables and from ours."""
    rows = [(float(row.value), 100 * known[row.task].value) for row in paper() if row.table == 4 and row.task in known]
    five = [known[task] for task in tasks(("curves",)) if task.limit == 5 and task in known]
    if not rows or not five:
        return []
    lines: Rows = []
    for limit, stated in ((2.0, 12), (3.0, 30)):
        counts = [sum(error < limit for error in errors) for errors in zip(*rows, strict=True)]
        words = f"of {len(rows)} pairs, ten features have an error below {limit:g} %"
        lines.append((words, str(stated), *map(str, counts)))
    least = min(rows, key=lambda row: row[1])
    lines.append(("the least error of ten features, AA against ATC", "1.1 %", *(f"{error:.2f} %" for error in least)))
    errors = [100 * result.value for result in five]
    most = max(five, key=lambda result: result.value)
    bounds = [100 * result.bound for result in five]
    mean, least_mean = (sum(figures) / len(five) for figures in (errors, bounds))
    below, above = sum(error < 3 for error in errors), sum(bound > 3 for bound in bounds)
    lines += [
        (
            f"five features, average of the {len(five)} pairs in figures 1 to 6",
            *("around 3 %", "", f"{mean:.2f} %; proved: at least {least_mean:.2f} %"),
        ),
        ("of these, below 3 %; proved to be above", "", "", f"{below}; {above}"),
        (
            f"the largest of these, {most.task.hand} against {most.task.villain}",
            *("", "", f"{max(errors):.2f} %; proved: at least {100 * most.bound:.2f} %"),
        ),
    ]
    return [Section("Counts in the text", ("", "text", "its tables", "ours"), lines)]


def _rounded(known: Known) -> list[Section]:
    few, ten = ([row for row in paper() if row.table == table] for table in (3, 4))
    rows: Rows = []
    for third, fourth in zip(few, ten, strict=True):
        third_result, fourth_result = known.get(third.task.rounded), known.get(fourth.task.rounded)
        if third_result is None and fourth_result is None:
            continue
        cells = (
            ("", "")
            if third_result is None
            else (f"{third_result.value:.0f}" + _mark(third_result), f"{100 * third_result.average_error:.3f}")
        )
        error = "" if fourth_result is None else f"{100 * fourth_result.value:.3f}" + _mark(fourth_result)
        rows.append((third.hand, third.villain, third.value, *cells, fourth.value, error))
    names = ("hand", "range", "paper's N", "our N", "our error", "paper's error with ten", "our error with ten")
    title = "Both tables on equities in whole percents (~ not proved)"
    return [Section(title, names, rows)] if rows else []


def _mark(result: Result) -> str:
    return "" if result.proved else "~"


def compare(printed: Printed, result: Result) -> str:
    """`better`, `same` or `worse` than printed, at the printed precision."""
    if printed.table == 3:
        ours, theirs, close = result.value, float(printed.value), 0.5
    else:
        ours, theirs, close = 100 * result.value, float(printed.value), 0.05
    if abs(ours - theirs) <= close:
        return "same"
    return "better" if ours < theirs else "worse"


def _summary(known: Known, parts: Sequence[str]) -> Section:
    columns: list[list[str]] = []
    chosen = [
        (printed, known[printed.task]) for printed in paper() if printed.task in known and str(printed.table) in parts
    ]
    groups, names = [chosen], ["both tables"]
    for table in (3, 4):
        group = [pair for pair in chosen if pair[0].table == table]
        if len(group) == len(chosen):
            names[0] = f"table {table}"
        elif group:
            groups.append(group)
            names.append(f"table {table}")
    for group in groups:
        seconds = [result.seconds for _, result in group]
        verdicts = [compare(row, result) for row, result in group]
        gaps = {
            model: [result.gap for _, result in group if result.task.model == model]
            for model in ("FEAT_AVGERR", "AVGERR")
        }
        most = max(gaps["FEAT_AVGERR"], default=0.0)
        few = f"{most:.0f} feature{'s' * (most != 1)}" if gaps["FEAT_AVGERR"] else ""
        err = f"{100 * max(gaps['AVGERR']):.3f} points" if gaps["AVGERR"] else ""
        columns.append(
            [
                str(len(group)),
                str(sum(result.proved for _, result in group)),
                *(str(verdicts.count(verdict)) for verdict in ("better", "same", "worse")),
                ", ".join(filter(None, (few, err))),
                f"{sum(seconds):.0f} s",
                f"{median(seconds):.1f} s",
                f"{max(seconds):.0f} s",
            ]
        )
    labels = (
        *("programs", "proved", "better than printed", "as printed", "worse than printed", "largest gap"),
        *("core time, total", "median", "longest"),
    )
    rows = [(label, *cells) for label, cells in zip(labels, zip(*columns, strict=True), strict=True)]
    return Section("Summary", ("", *names), rows)


def _curves(known: Known) -> list[Section]:
    rows: Rows = []
    for _, villain, hands in FIGURES.values():
        for hand in hands:
            cells = [_curve_cell(known.get(Task(hand, villain, "AVGERR", float(n)))) for n in range(1, MOST + 1)]
            if any(cells):
                rows.append((hand, villain, *cells))
    if not rows:
        return []
    names = ("hand", "range", *map(str, range(1, MOST + 1)))
    title = "Figures 1 to 6: least average error in points, by number of features (~ not proved)"
    return [Section(title, names, rows)]


def _curve_cell(result: Result | None) -> str:
    return "" if result is None else f"{100 * result.value:.2f}" + _mark(result)


def markdown(known: Known, parts: Sequence[str] = SHOWN) -> str:
    """Sections as Markdown tables, and the figures where there are curves."""
    text = section.markdown(sections(known, parts))
    if "curves" in parts and (drawn := plots(known)):
        text += "\n" + "".join(f"![{FIGURES[int(name[-5])][0]}](plots/{name})\n" for name in drawn)
    return text


def finding(known: Known) -> Finding:
    """How many programs of both tables are proved optimal, and how fast the error falls with the number of features."""
    pairs = [(row, known[row.task]) for row in paper() if row.task in known]
    proved, better = sum(result.proved for _, result in pairs), [compare(*pair) for pair in pairs].count("better")
    errors: dict[str, list[tuple[float, float]]] = {}
    for hand in ("AA", "QQ", "AKs", "98s"):
        curve = [known.get(Task(hand, "ATC", "AVGERR", float(n))) for n in range(1, MOST + 1)]
        errors[hand] = [(result.task.limit, 100 * result.value) for result in curve if result is not None]
    title = "Average error of the best formula against any two cards"
    picture = line_chart(errors, title=title, x="features of the flop", y="percentage points")
    return Finding(
        f"Of the {len(pairs)} integer programs in the paper's tables, {proved} are proved optimal here, and {better} "
        "formulas are better than the printed ones; the paper left 14 % of its programs open after two hours each.",
        picture,
    )


def plots(known: Known) -> dict[str, str]:
    """SVG files by name: figures 1 to 6 as far as there are results; bounds are dashed."""
    drawn: dict[str, str] = {}
    for number, (kind, villain, hands) in FIGURES.items():
        errors: dict[str, list[tuple[float, float]]] = {}
        bounds: dict[str, list[tuple[float, float]]] = {}
        for hand in hands:
            curve = [known.get(Task(hand, villain, "AVGERR", float(n))) for n in range(1, MOST + 1)]
            there = [result for result in curve if result is not None]
            if len(there) > 1:
                errors[hand] = [(100 * result.value, result.task.limit) for result in there]
                bounds[hand] = [(100 * result.bound, result.task.limit) for result in there] if _open(there) else []
        if errors:
            drawn[f"flop-formulas-{number}.svg"] = line_chart(
                errors,
                faint=bounds,
                title=f"Figure {number}: {kind} against {villain}",
                x="average error in percentage points",
                y="features",
            )
    return drawn


def _open(curve: Sequence[Result]) -> bool:
    return not all(result.proved for result in curve)
