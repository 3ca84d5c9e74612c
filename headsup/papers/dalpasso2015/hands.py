"""All 169 hands against the four ranges with five and ten features, and the least largest errors of two hands.

The text claims that five features estimate the equity of a hand against any range with an average error of around 3 %.
The paper's figures have 22 pairs; here all 676 are tried. The largest errors are those of `MAXERR`, which the paper
leaves to its preliminary version for JJ and AKs: `python -m headsup.papers.dalpasso2015.hands OUT.json SECONDS`.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_name
from headsup.common.files import write_json
from headsup.distil.formulas.results import Result, Task
from headsup.papers.dalpasso2015.study import CLAIM, RANGES, SIZES
from headsup.papers.section import Rows, Section, stored

LARGEST = Path(__file__).parent / "data" / "largest.json"
MAX_HANDS = ("JJ", "AKs")
KINDS: dict[str, Callable[[str], bool]] = {
    "pairs": lambda hand: len(hand) == 2,
    "suited": lambda hand: hand.endswith("s"),
    "offsuit": lambda hand: hand.endswith("o"),
}
CLOSE = 1e-6  # a fraction of the pot: a bound this little below the claim was asked at the claim


def every_hand(known: dict[Task, Result]) -> list[Section]:
    """The claim by range and by kind of hand, the counts with ten features, and all errors."""
    names = [holdem_class_name(index) for index in range(HOLDEM_CLASSES)]
    five, ten = (
        [known[task] for hand in names for villain in RANGES if (task := Task(hand, villain, "AVGERR", n)) in known]
        for n in map(float, SIZES)
    )
    if len(five) < len(names):
        return []  # a run of another part
    groups = {villain: [r for r in five if r.task.villain == villain] for villain in RANGES}
    groups |= {kind: [r for r in five if has(r.task.hand)] for kind, has in KINDS.items()} | {"all": five}
    columns = (
        "at most 3 %",
        "proved to be above",
        "open",
        "mean error",
        "mean bound",
        "proved optimal",
        "largest",
    )
    title = f"All hands: can five features have an average error of around 3 %? ({len(five)} of 676 pairs solved)"
    claims = Section(title, ("", "pairs", *columns), [_claim(name, some) for name, some in groups.items() if some])
    more: Rows = []
    for name, some in [*((villain, [r for r in ten if r.task.villain == villain]) for villain in RANGES), ("all", ten)]:
        if some:
            below = (str(sum(result.value < limit for result in some)) for limit in (0.02, 0.03))
            gap = 100 * mean(result.gap for result in some)
            proved = str(sum(result.proved for result in some))
            more.append((name, str(len(some)), *below, _mean(some), f"{gap:.2f}", proved, _largest(some)))
    heads = ("", "pairs", "below 2 %", "below 3 %", "mean error", "mean gap to the bound", "proved optimal", "largest")
    counts = Section(f"All hands with ten features ({len(ten)} of 676 pairs solved)", heads, more)
    return [claims, counts, _errors(known, names)]


def _claim(name: str, some: Sequence[Result]) -> tuple[str, ...]:
    true = sum(result.value <= CLAIM for result in some)
    false = sum(result.bound >= CLAIM - CLOSE and result.value > CLAIM for result in some)
    bound = 100 * mean(result.bound for result in some)
    proved = sum(result.proved for result in some)
    counts = (len(some), true, false, len(some) - true - false)
    return (name, *map(str, counts), _mean(some), f"{bound:.2f}", str(proved), _largest(some))


def _mean(some: Sequence[Result]) -> str:
    return f"{100 * mean(result.value for result in some):.2f}"


def _largest(some: Sequence[Result]) -> str:
    most = max(some, key=lambda result: result.value)
    return f"{100 * most.value:.2f}, {most.task.hand} against {most.task.villain}"


def _cell(result: Result | None) -> str:
    return "" if result is None else f"{100 * result.value:.2f}{'' if result.proved else '~'}"


def _errors(known: dict[Task, Result], names: Sequence[str]) -> Section:
    heads = ("hand", *(f"{n} features, {villain}" for n in SIZES for villain in RANGES))
    rows: Rows = []
    for hand in names:
        cells = [_cell(known.get(Task(hand, villain, "AVGERR", float(n)))) for n in SIZES for villain in RANGES]
        if any(cells):
            rows.append((hand, *cells))
    return Section("All hands: average error in points (~ not proved optimal)", heads, rows)


def largest_errors(known: dict[Task, Result]) -> Section:
    """The least largest error beside the largest error of the formula with the least average error."""
    rows: Rows = []
    for kept in stored(LARGEST)["programs"]:
        least = known.get(Task(kept["hand"], kept["villain"], "AVGERR", float(kept["features"])))
        figures = [f"{100 * kept[name]:.2f}" for name in ("value", "bound", "average_error")]
        proof = "yes" if kept["proved"] else f"at least {figures[1]}"
        other = ("", "") if least is None else (f"{100 * least.max_error:.2f}", f"{100 * least.average_error:.2f}")
        rows.append((kept["hand"], kept["villain"], str(kept["features"]), figures[0], proof, figures[2], *other))
    heads = (
        *("hand", "range", "features", "least largest error", "proved", "its average error"),
        *("largest error of the least average", "its average error"),
    )
    return Section("MAXERR: least largest error over all flops, in points", heads, rows)


def _solve_largest(seconds: float) -> list[dict[str, Any]]:
    from headsup.distil.formulas.formula import flop_formula

    rows = []
    for hand in MAX_HANDS:
        for villain in RANGES:
            for n in SIZES:
                formula = flop_formula(hand, villain, features=n, objective="max", seconds=seconds, fresh=True)
                of, weights = formula.problem, formula.weights
                figures = {"value": of.max_error(weights), "bound": formula.bound, "proved": formula.proved}
                figures |= {"average_error": of.average_error(weights)}
                shown = {f"F{number}": round(weight, 6) for number, weight in weights.items()}
                rows.append({"hand": hand, "villain": villain, "features": n, **figures, "weights": shown})
    return rows


if __name__ == "__main__":
    write_json(Path(sys.argv[1]), {"programs": _solve_largest(float(sys.argv[2]))})
