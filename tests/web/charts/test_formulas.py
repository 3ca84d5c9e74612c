"""Formulas that are searched for: refused before they begin, begun once, and told as those that ship."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from headsup.common.errors import UserError
from headsup.distil.formulas.formula import measured, one_hand
from headsup.distil.formulas.problem import problem
from headsup.distil.formulas.shipped import shipped_for
from headsup.web.charts.formulas import begin, question, searched, worked
from headsup.web.jobs import Jobs
from tests.waiting import until

WRONG = (
    *(("", "15%", 5), ("AKs", "", 5), ("ZZ", "15%", 5), ("AKs", "((", 5)),
    *(("AKs", "15%", 0), ("AKs", "15%", 99), ("AKs", "A" * 2001, 5)),
)


@pytest.mark.parametrize(("hand", "villain", "features"), WRONG)
def test_what_cannot_be_searched_for_is_told_first(hand: str, villain: str, features: int) -> None:
    with pytest.raises(UserError):
        question(hand, villain, features)


def test_a_question_is_searched_for_once(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path, (sys.executable, "-c", "import time; time.sleep(3600)"))
    wanted = question(" AKs ", "15%", 3)
    assert wanted == question("AKs", "15%", 3)
    assert searched(jobs, wanted) is None
    first = begin(jobs, wanted)
    assert begin(jobs, wanted).id == first.id
    assert searched(jobs, question("AKs", "15%", 4)) is None
    jobs.stop(first)


def test_old_searches_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headsup.web.jobs.MOST_KEPT", 5)
    monkeypatch.setattr("headsup.web.charts.formulas.MOST_KEPT", 5)
    jobs = Jobs(tmp_path, (sys.executable, "-c", "pass"))
    for features in range(1, 9):
        job = begin(jobs, question("AKs", "15%", features))
        until(lambda job=job: jobs.get(job.id).state != "running")
    assert searched(jobs, question("AKs", "15%", 8)) is not None
    assert searched(jobs, question("AKs", "15%", 1)) is None


@pytest.mark.long
def test_a_formula_from_the_fields_to_its_worst_flops(client: TestClient) -> None:
    words = {"hand": "AA", "villain": "KK", "features": "1"}
    page = client.post("/flops/own", data=words)
    while "hx-get=" in re.sub(r"(?s)^.*<main", "", page.text):
        time.sleep(0.5)
        page = client.get("/flops/own", params=words)
    assert "AA against KK, 1 feature<" in page.text
    assert "Largest errors" in page.text
    rows = client.get("/flops/own/scatter.csv", params=words).text.splitlines()
    assert rows[0] == "true equity in %,estimated equity in %,weight"
    flops = 19_600 - 4  # without the two aces, less those of three kings
    assert sum(float(row.split(",")[2]) for row in rows[1:]) == flops


def test_a_formula_is_worked_out_on_a_flop() -> None:
    of = problem(one_hand("AKs"), "RS")
    formula = measured("AKs", of, shipped_for("AKs", "RS")[10].outcome)
    for flop in ("", "Qd7c2h", "KdQdJd"):
        shown = worked(formula, flop)
        assert shown["flop"] == flop or not flop
        added = sum(float(number) for number in shown["sum"].replace("− ", "-").replace("+ ", "").split())
        assert added == pytest.approx(float(shown["estimate"]), abs=0.051 * len(formula.terms))
        assert float(shown["estimate"]) == pytest.approx(100 * formula.estimate(shown["flop"]), abs=0.051)
        assert len(shown["has"]) == len(formula.spoken()[1])
        assert 0.0 < shown["equity"] < 1.0
    with pytest.raises(UserError):
        worked(formula, "AsKs2c")
