"""What the programs of one hand and range say about each other."""

from __future__ import annotations

from dataclasses import replace

from headsup.distil.formulas.results import Task
from headsup.distil.formulas.sharing import implied, share
from tests.distil.formulas.test_results import result


def test_programs_of_a_pair_share_what_they_know() -> None:
    nine = result(Task("AA", "ATC", "AVGERR", 9.0), value=0.026, average_error=0.026, bound=0.0255, weights=of_size(9))
    ten = result(Task("AA", "ATC", "AVGERR", 10.0), value=0.027, average_error=0.027, bound=0.02, weights=of_size(10))
    twelve = result(
        Task("AA", "ATC", "AVGERR", 12.0), value=0.024, average_error=0.024, bound=0.021, weights=of_size(12)
    )
    few = result(
        Task("AA", "ATC", "FEAT_AVGERR", 0.025), value=13.0, average_error=0.0249, bound=3.0, weights=of_size(13)
    )
    other = result(Task("KK", "ATC", "AVGERR", 12.0), value=0.01, average_error=0.01, bound=0.01, weights=of_size(3))
    known = {one.task: one for one in share([nine, ten, twelve, few, other])}
    assert known[ten.task].value == 0.026, "nine features are allowed where ten are"
    assert known[ten.task].weights == nine.weights
    assert known[ten.task].bound == 0.021, "what twelve cannot, ten cannot"
    assert known[nine.task].bound == 0.0255
    assert (known[few.task].value, known[few.task].bound) == (12.0, 10.0)
    assert known[few.task].weights == twelve.weights
    assert known[other.task].value == other.value, "another hand says nothing"

    sure = replace(few, bound=12.0)
    known = {one.task: one for one in share([ten, twelve, sure])}
    assert known[few.task].proved
    assert known[ten.task].bound == 0.025, "if it takes twelve features, ten have more error than that"
    assert known[twelve.task].bound == 0.021


def test_programs_answer_others_of_their_pair() -> None:
    three = result(Task("AA", "ATC", "AVGERR", 3.0), value=0.03, average_error=0.03, bound=0.03, weights=of_size(3))
    four = result(Task("AA", "ATC", "AVGERR", 4.0), value=0.02, average_error=0.02, bound=0.02, weights=of_size(4))
    few = implied(Task("AA", "ATC", "FEAT_AVGERR", 0.025), [three, four])
    assert few is not None
    assert few.proved, "three features leave more, four leave less"
    assert (few.value, few.bound, few.weights) == (4.0, 4.0, four.weights)
    assert implied(Task("AA", "ATC", "FEAT_AVGERR", 0.019), [three, four]) is None
    five = implied(Task("AA", "ATC", "AVGERR", 5.0), [three, four])
    assert five is not None
    assert not five.proved
    assert (five.value, five.bound) == (0.02, 0.0)
    assert implied(four.task, [three, four]) == replace(four, proved=True)


def of_size(n: int) -> dict[int, float]:
    return dict.fromkeys(range(1, n + 1), 0.1)
