"""`headsup flop-formula` from the command line."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.common.progress import Progress, Watch
from tests.equity import compiled

FIELDS = ("hand", "range", "objective", "features", "average_error", "max_error", "bound", "proved", "seconds")


def ask(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["flop-formula", *words])
    out, err = capsys.readouterr()
    return status, out, err


@compiled
def test_json_has_the_promised_fields(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ask(capsys, "AA", "ATC", "--features", "2", "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert tuple(name for name in found if name in FIELDS) == FIELDS
    assert (found["hand"], found["range"], found["objective"]) == ("AA", "ATC", "average")
    assert len(found["features"]) == 2
    assert all(set(one) == {"id", "weight", "text"} for one in found["features"])
    assert found["proved"]
    assert 0 < found["bound"] <= found["sum_error"] + 1e-9 < found["max_error"] < 1
    assert found["average_error"] <= found["sum_error"]
    assert found["flops"] == 19_600
    quantiles = list(found["quantiles"].values())
    assert quantiles == sorted(quantiles)
    assert found["held_out"]["average_error"] == pytest.approx(found["average_error"], rel=0.2)


@compiled
def test_a_shipped_proof_is_the_answer_until_solved_again(capsys: pytest.CaptureFixture[str]) -> None:
    """KQs against RS with ten features: table 4 of dalpasso-lancia-2015 has 2.9 points, the shipped proof 2.644."""
    for hand in ("KQs", "KhQh"):
        status, out, err = ask(capsys, hand, "RS", "--features", "10", "--json")
        assert (status, err) == (0, "")
        known = json.loads(out)
        assert known["shipped"]
        assert known["proved"]
        assert known["sum_error"] == pytest.approx(0.02644, abs=5e-6)
    _, out, _ = ask(capsys, "KQs", "RS", "--features", "10")
    assert "Ships with headsup" in out
    status, out, _ = ask(capsys, "KQs", "RS", "--features", "10", "--solve", "--seconds", "0.5", "--json")
    again = json.loads(out)
    assert not again["shipped"]
    assert not again["proved"]
    assert again["bound"] <= known["sum_error"] <= again["sum_error"]


@compiled
def test_text_says_formula_error_and_proof(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    drawing = tmp_path / "aces.svg"
    status, out, _ = ask(capsys, "AA", "ATC", "--error", "3%", "--solve", "--plot", str(drawing))
    assert status == 0
    text = " ".join(out.split())
    assert text.startswith("AA against ATC, ")
    assert ", including the constant Start with" in text
    assert "Start with 8" in text
    assert "Error in points: " in text
    assert "Worst flops (as AsAh): " in text
    assert "Exact equities on 19,600 flops. Proved: fewer features are not enough" in text
    assert drawing.read_text().startswith("<svg")


@pytest.mark.long
@compiled
def test_weights_in_steps(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ask(capsys, "AA", "KK", "--features", "2", "--round", "5", "--json", "--seconds", "4")
    assert status == 0
    for one in json.loads(out)["features"]:
        assert one["weight"] == round(20 * one["weight"]) / 20, "0.35, not 0.35000000000000003"


@pytest.mark.long
@compiled
def test_the_largest_error(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ask(capsys, "AA", "KK", "--features", "2", "--objective", "max", "--json", "--seconds", "30")
    assert status == 0
    found = json.loads(out)
    assert found["objective"] == "max"
    assert found["bound"] <= found["sum_error"] + 1e-9


@compiled
@pytest.mark.long
def test_a_family_shares_its_features(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ask(capsys, "QQ,JJ", "AA", "--features", "2", "--json", "--seconds", "3")
    assert status == 0
    found = json.loads(out)
    assert found["hands"] == ["QQ", "JJ"]
    shared = {one["id"] for one in found["features"]}
    assert len(shared) == 2
    for formula in found["formulas"]:
        assert {one["id"] for one in formula["features"]} <= shared
    errors = [formula["average_error"] for formula in found["formulas"]]
    assert found["average_error"] == pytest.approx(sum(errors) / 2)
    assert found["bound"] <= found["average_error"] + 1e-9
    status, out, _ = ask(capsys, "QQ,JJ", "AA", "--features", "2", "--seconds", "3")
    assert status == 0
    assert "JJ against AA" in out
    assert "The same 2 features for all" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["A9", "RML"], "add s for suited or o for offsuit"),
        (["AsAs", "RML"], "has As twice"),
        (["AKs", "QQ+,"], "range B"),
        (["AKs", "AsQs,QQ"], "not the same in all suits"),
        (
            ["AA", "AsKs"],
            "not the same in all suits, so the hands of AA differ against it: give two cards, for example Ah",
        ),
        (["AsKs", "AsQs"], "each card is in the deck once"),
        ([",", "RML"], "needs a hand"),
        (["AKs", "RML", "--features", "0"], "give 1 to 73"),
        (["AKs", "RML", "--error", "0"], "0 points is not possible"),
        (["AKs", "RML", "--objective", "median"], "choose average or max"),
        (["AKs", "RML", "--round", "90"], "cannot be rounded to 90 points"),
        (["AKs", "RML", "--seconds", "0"], "not a time"),
        (["AKs", "RML", "--plot", "/nowhere/at/all.svg"], "cannot be written"),
        (["AKs,AA", "RML", "--plot", "both.svg"], "one hand"),
        (["AA,KK,AA", "RML"], "names a hand twice"),
    ],
)
def test_mistakes_are_one_sentence(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = ask(capsys, *words)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_both_limits_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["flop-formula", "AA", "RML", "--features", "3", "--error", "2"])
    assert "not allowed with" in capsys.readouterr().err


@compiled
def test_ctrl_c_prints_the_best_so_far(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A hard program, stopped at its first sign of life."""
    told: list[str] = []

    @contextmanager
    def impatient() -> Iterator[Watch]:
        def watch(step: Progress) -> None:
            told.append(step.text)
            signal.raise_signal(signal.SIGINT)

        yield watch

    monkeypatch.setattr("headsup.cli.flop_formula.progress_line", impatient)
    status, out, err = ask(capsys, "98s", "RML", "--features", "16", "--seconds", "300", "--json")
    assert (status, err) == (130, "")
    assert len(told) == 1
    found = json.loads(out)
    assert not found["proved"]
    assert 0 < len(found["features"]) <= 16
    assert found["bound"] <= found["sum_error"]
