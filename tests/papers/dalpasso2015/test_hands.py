"""All 169 hands: counts of the claim about five features, and the table of largest errors."""

from dataclasses import replace

from headsup.distil.formulas.results import Result, Task
from headsup.distil.formulas.shipped import shipped_results
from headsup.papers.dalpasso2015.hands import every_hand, largest_errors
from headsup.papers.dalpasso2015.study import HANDS, RANGES, tasks
from tests.distil.formulas.test_results import EASY, result


def made_up() -> dict[Task, Result]:
    """Every pair with five features: pairs at 2.5 % and proved, suited hands proved above 3 %, the others open."""
    known = {}
    for task in tasks(["hands"]):
        if task.limit == 5:
            value, bound = {"s": (0.05, 0.03), "o": (0.04, 0.02)}.get(task.hand[2:], (0.025, 0.025))
            known[task] = replace(result(EASY), task=task, value=value, bound=bound, proved=value == bound)
    return known


def test_the_claim_by_range_and_kind() -> None:
    claims, counts, errors = every_hand(made_up())
    cells = {row[0]: row[1:5] for row in claims.rows}
    assert cells["RUS"] == ("169", "13", "78", "78")
    assert cells["pairs"] == ("52", "52", "0", "0")
    assert cells["suited"] == ("312", "0", "312", "0")
    assert cells["offsuit"] == ("312", "0", "0", "312")
    assert cells["all"] == ("676", "52", "312", "312")
    assert counts.rows == []
    assert errors.rows[0] == ("AA", *["2.50"] * 4, *[""] * 4)
    assert errors.rows[1] == ("AKs", *["5.00~"] * 4, *[""] * 4)


def test_a_run_of_few_hands_makes_no_table() -> None:
    assert every_hand({task: kept for task, kept in made_up().items() if task.hand in HANDS}) == []


def test_largest_errors_beside_least_averages() -> None:
    section = largest_errors({kept.task: kept for kept in shipped_results()})
    assert [row[:3] for row in section.rows] == [
        (hand, villain, n) for hand in ("JJ", "AKs") for villain in RANGES for n in ("5", "10")
    ]
    for row in section.rows:
        if row[6]:
            assert float(row[3]) < float(row[6])
            assert float(row[5]) > float(row[7])
