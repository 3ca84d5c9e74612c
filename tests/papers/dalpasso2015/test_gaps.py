"""Proofs in rounds: nodes that are dealt out, returned and saved, until a question is answered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from headsup.common.files import read_json
from headsup.distil.formulas.formula import one_hand
from headsup.distil.formulas.problem import problem
from headsup.distil.formulas.results import Result, Task
from headsup.distil.formulas.shipped import shipped_results
from headsup.papers.dalpasso2015 import gaps
from headsup.papers.dalpasso2015.gaps import HOME, OpenQuestion, close_gaps, open_questions, search_nodes
from headsup.papers.dalpasso2015.study import beside_shipped, paper
from tests.equity import compiled

LEAST = Task("AA", "ATC", "AVGERR", 4.0)
FEWEST = Task("AA", "ATC", "FEAT_AVGERR", 0.025)


def opened(task: Task, bound: float) -> Result:
    """A result that ships, as if less had been proved."""
    known = {result.task: result for result in shipped_results()}
    assert known[task].proved
    return replace(known[task], bound=bound, proved=False)


def answer(asked: OpenQuestion, folder: Path, seconds: float) -> tuple[Result, int]:
    """Rounds of two packets in this process; the result, and how many rounds it took."""
    (folder / HOME).mkdir(exist_ok=True)
    gaps._proof.cache_clear()
    for done in range(1, 2000):
        asked.save(folder)
        replies = []
        for packet in asked.packets(folder, 2, seconds):
            packet.path.write_bytes(search_nodes(**packet.arguments))
            replies.append(read_json(packet.path))
        result = asked.take(replies)
        if result is not None:
            return result, done
        assert 0.0 < sum(node["share"] for node in asked.nodes) <= 1.0
        # what a stopped run would start with
        asked.save(folder)
        asked = OpenQuestion.of(asked.result, folder, 100.0 * (asked.result.value - asked.level))
    raise AssertionError("the proof does not end")


@compiled
def test_a_proof_in_many_rounds_proves_what_one_run_does(tmp_path: Path) -> None:
    asked = OpenQuestion.of(opened(LEAST, 0.0), tmp_path, 0.02)
    result, rounds = answer(asked, tmp_path, 0.05)
    assert rounds > 1
    assert result.bound == pytest.approx(result.value - 0.0002, abs=1e-12)
    assert not result.proved
    fewest, _ = answer(OpenQuestion.of(opened(FEWEST, 2.0), tmp_path, 0.02), tmp_path, 5.0)
    assert (fewest.bound, fewest.proved) == (3.0, True)


@compiled
def test_a_level_that_can_be_reached_gives_a_formula(tmp_path: Path) -> None:
    poor = replace(opened(LEAST, 0.0), value=0.03, average_error=0.03)
    result, _ = answer(OpenQuestion.of(poor, tmp_path, 0.5), tmp_path, 5.0)
    assert result.value == result.average_error <= 0.025
    assert len(result.weights) <= 4
    of = problem(one_hand("AA"), "ATC")
    assert of.average_error(result.weights) == pytest.approx(result.value, abs=1e-12)


def test_questions_are_those_of_open_programs(tmp_path: Path) -> None:
    known = {result.task: result for result in beside_shipped(tmp_path)}
    for asked in open_questions(tmp_path, 0.0001):
        result = known[asked.result.task]
        assert not result.proved
        if result.task.model == "AVGERR":
            assert result.bound < asked.level < result.value
            assert asked.features == result.task.limit
        else:
            assert (asked.features, asked.level) == (result.bound, result.task.limit)
    assert not [asked for asked in open_questions(tmp_path, 100.0) if asked.result.task.model == "AVGERR"]


@compiled
@pytest.mark.usefixtures("packets_here")
def test_the_fewest_features_are_asked_about_in_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """First the least error of as many features as the bound says, half of the way each; at last the error allowed."""
    two = replace(LEAST, limit=2.0)
    known = [opened(two, 0.02), opened(FEWEST, 2.0), opened(LEAST, 0.0)]
    monkeypatch.setattr("headsup.papers.dalpasso2015.study.shipped_results", lambda: known)
    monkeypatch.setattr(gaps, "paper", lambda: [row for row in paper() if row.task == FEWEST])
    value = known[0].value
    assert value == pytest.approx(0.0284, abs=1e-4)
    (asked,) = open_questions(tmp_path, 0.05)
    assert (asked.result.task, asked.features) == (two, 2)
    assert asked.level == pytest.approx((0.02 + value - 0.0005) / 2)
    known[0] = opened(two, 0.0245)
    (asked,) = open_questions(tmp_path, 0.05)
    assert (asked.result.task, asked.features, asked.level) == (FEWEST, 2, 0.025), "the next step would be above it"
    known[0] = opened(two, 0.02)
    (asked,) = open_questions(tmp_path, 1.0)
    assert asked.result.task == FEWEST
    answers = close_gaps(tmp_path, seconds=120.0, jobs=1, say=lambda line: None)
    assert [answer.task for answer in answers] == [two, FEWEST]
    assert answers[0].bound == pytest.approx((0.02 + value - 0.0005) / 2)
    assert (answers[1].value, answers[1].bound, answers[1].proved) == (3.0, 3.0, True)
    assert open_questions(tmp_path, 0.05) == []
