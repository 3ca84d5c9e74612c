"""`headsup flop-formula` and `headsup reproduce dalpasso-lancia-2015` from the command line."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.cli.dalpasso2015 import BEGIN, END, compare, markdown
from headsup.cli.flop_formula import percentage
from headsup.distil.flops.results import Result, Task
from headsup.distil.flops.study import ERROR, FEATURES, paper, shipped_results
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
    assert 0 < found["bound"] <= found["average_error"] + 1e-9 < found["max_error"] < 1
    assert found["flops"] == 19_600
    quantiles = list(found["quantiles"].values())
    assert quantiles == sorted(quantiles)
    assert found["held_out"]["average_error"] == pytest.approx(found["average_error"], rel=0.2)


@compiled
def test_text_says_formula_error_and_proof(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    drawing = tmp_path / "aces.svg"
    status, out, _ = ask(capsys, "AA", "ATC", "--error", "3%", "--svg", str(drawing))
    assert status == 0
    text = " ".join(out.split())
    assert text.startswith("AA against ATC, ")
    assert ", one of them the start Start with" in text
    assert "Start with 8" in text
    assert "Error in points: " in text
    assert "Worst flops (as AsAh): " in text
    assert "Exact equities on 19,600 flops. Proved: no fewer features will do" in text
    assert drawing.read_text().startswith("<svg")


@compiled
def test_weights_in_steps(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ask(capsys, "AA", "KK", "--features", "2", "--round", "5", "--json", "--seconds", "4")
    assert status == 0
    for one in json.loads(out)["features"]:
        assert one["weight"] == round(20 * one["weight"]) / 20, "0.35, not 0.35000000000000003"


@compiled
def test_the_largest_error(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = ask(capsys, "AA", "KK", "--features", "2", "--objective", "max", "--json", "--seconds", "30")
    assert status == 0
    found = json.loads(out)
    assert found["objective"] == "max"
    assert found["bound"] <= found["max_error"] + 1e-9


@compiled
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
        (["AKs", "RML", "--error", "two"], "'two', which is not a number of points"),
        (["AKs", "RML", "--error", "0"], "0 points is not possible"),
        (["AKs", "RML", "--objective", "median"], "choose average or max"),
        (["AKs", "RML", "--round", "90"], "cannot be rounded to 90 points"),
        (["AKs", "RML", "--seconds", "0"], "not a time"),
        (["AKs", "RML", "--svg", "/nowhere/at/all.svg"], "cannot be written"),
        (["AKs,AA", "RML", "--svg", "both.svg"], "one hand"),
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


def test_percentages() -> None:
    assert percentage(None, "--error") is None
    assert [percentage(text, "--error") for text in ("2.5", "2.5%", " 5 % ")] == [0.025, 0.025, 0.05]


@compiled
def test_ctrl_c_prints_the_best_so_far(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A hard program, stopped at its first sign of life."""
    told: list[str] = []

    @contextmanager
    def impatient() -> Iterator[Callable[[str], None]]:
        def watch(text: str) -> None:
            told.append(text)
            signal.raise_signal(signal.SIGINT)

        yield watch

    monkeypatch.setattr("headsup.cli.flop_formula.progress_line", impatient)
    status, out, err = ask(capsys, "98s", "RML", "--features", "16", "--seconds", "300", "--json")
    assert (status, err) == (130, "")
    assert len(told) == 1
    found = json.loads(out)
    assert not found["proved"]
    assert 0 < len(found["features"]) <= 16
    assert found["bound"] <= found["average_error"]


# ------------------------------------------------------------------------------------------------ the paper


def test_tables_that_ship_are_those_of_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    page = Path(__file__).parents[2] / "docs" / "papers" / "dalpasso-lancia-2015.md"
    shown = page.read_text().partition(BEGIN)[2].partition(END)[0]
    assert shown.strip() == markdown({one.task: one for one in shipped_results()}).strip()
    assert main(["reproduce", "dalpasso-lancia-2015", "--shipped"]) == 0
    assert capsys.readouterr().out.strip() == shown.strip()


def test_nothing_is_worse_than_printed_but_what_the_page_explains() -> None:
    known = {one.task: one for one in shipped_results()}
    worse = {(one.table, one.hand, one.villain) for one in paper() if compare(one, known[one.task]) == "worse"}
    nines_v_all = (3, "99", "ATC")
    aces_v_medium = (3, "AA", "RML")
    assert worse <= {nines_v_all, aces_v_medium}
    # another way to count backdoor straights would do with 15, and break other rows; with ours 16 are needed, proved
    aces = next(one for one in paper() if (one.table, one.hand, one.villain) == aces_v_medium)
    assert known[aces.task].proved
    assert known[aces.task].value == 16
    # exact equities need a sixth feature, proved; on whole percents, the paper's, five are enough
    nines = next(one for one in paper() if (one.table, one.hand, one.villain) == nines_v_all)
    assert known[nines.task].proved
    assert known[nines.task].value == 6
    assert known[nines.task.rounded].value == 5


@compiled
def test_a_run_of_one_part_with_its_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = (Task("AA", "ATC", "FEAT_AVGERR", ERROR), *(Task("AA", "ATC", "AVGERR", n) for n in (1.0, float(FEATURES))))
    monkeypatch.setattr("headsup.cli.dalpasso2015.tasks", lambda parts: few)
    page = tmp_path / "page.md"
    page.write_text(f"Before.\n\n{BEGIN}\nold\n{END}\n\nAfter.\n")
    words = ["reproduce", "dalpasso-lancia-2015", "--work", str(tmp_path / "work"), "--seconds", "2"]
    more = ["--write", str(tmp_path / "all.json"), "--page", str(page), "--plots", str(tmp_path / "plots"), "--json"]
    assert main([*words, *more]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert {one["model"] for one in found["programs"]} == {"AVGERR", "FEAT_AVGERR"}
    assert "3/3" in err
    assert "| AA | ATC | 3 | 3 |" in page.read_text()
    assert page.read_text().startswith("Before.")
    assert page.read_text().endswith("After.\n")
    assert "old" not in page.read_text()
    assert (tmp_path / "all.json").exists()
    assert [path.name for path in (tmp_path / "plots").iterdir()] == ["flop-formulas-2.svg"]
    assert main(words) == 0
    assert "0 of them to do" in capsys.readouterr().err


@compiled
def test_a_stopped_run_goes_on(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = tuple(Task("AA", villain, "FEAT_AVGERR", ERROR) for villain in ("ATC", "RUS"))
    monkeypatch.setattr("headsup.cli.dalpasso2015.tasks", lambda parts: few)

    def impatient(one: Result, printed: str | None) -> str:
        signal.raise_signal(signal.SIGINT)
        return ""

    words = ["reproduce", "dalpasso-lancia-2015", "--work", str(tmp_path), "--seconds", "1", "--workers", "1"]
    with monkeypatch.context() as patch:
        patch.setattr("headsup.cli.dalpasso2015.progress_text", impatient)
        assert main(words) == 130
    out, err = capsys.readouterr()
    assert out == ""
    assert err.endswith("stopped; the same command goes on from here\n")
    assert [path.name for path in tmp_path.glob("*.json")] == [f"{few[0].name}.json"]
    assert main(words) == 0
    assert "2 programs, 1 of them to do" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--part", "5"], "3, 4, curves, rounded"),
        (["--seconds", "-1"], "not a time"),
        (["--shipped", "--seconds", "3"], "--shipped solves nothing"),
        (["--workers", "0", "--part", "3"], "give 1 or more"),
        (["--without-card-removal"], "is for ho-2015"),
        (["--shipped", "--page", "/nowhere/page.md"], "cannot be read"),
    ],
)
def test_mistakes_in_a_reproduction(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    work = [] if "--shipped" in words or "--without-card-removal" in words else ["--work", str(tmp_path)]
    assert main(["reproduce", "dalpasso-lancia-2015", *words, *work]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
