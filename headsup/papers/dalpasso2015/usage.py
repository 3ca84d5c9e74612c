"""How often each feature is used: the paper's counts over its 680 programs beside ours.

The paper does not list its programs. Ours are those of the tables and the curves on exact equities, and the tables
alone, for which the paper prints the five heaviest features. A feature that holds on the same flops as another counts
under the lower number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headsup.distil.formulas.features import FEATURES
from headsup.distil.formulas.results import Result, Task
from headsup.papers.dalpasso2015.study import PARTS, Printed, paper, tasks
from headsup.papers.section import Rows, Section

PROGRAMS = 680
HEAVY = 0.1  # A weight above this is a heavy one
HEAVIEST = 5  # so many features of a program are printed
FEW = 10
"""Programs of so many features at most are counted by themselves: the more features, the more of them are used."""
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
