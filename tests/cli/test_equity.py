"""`headsup equity`: JSON, readable output, and one sentence for each mistake."""

import json

import pytest

from headsup.cli import equity as verb
from headsup.cli import main
from headsup.equity import equity


def ask(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(["equity", *words])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_json_holdem(capsys) -> None:
    code, out, err = ask(capsys, "AhKh", "QcQd", "--board", "Ks7d2c9h", "--json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert told["game"] == "holdem"
    assert told["exact"] is True
    assert told["deals"] == 44
    first, second = told["players"]
    assert first["text"] == "AhKh"
    assert first["win"] + first["tie"] + first["lose"] == 44
    assert (first["win"], first["lose"]) == (second["lose"], second["win"])
    assert first["equity"] == pytest.approx((first["win"] + first["tie"] / 2) / 44)


def test_json_hi_lo(capsys) -> None:
    code, out, _ = ask(capsys, "AsAh2d3c", "KsQsJhTh", "--board", "5s6h9s8d", "--game", "omaha8", "--json")
    first, second = json.loads(out)["players"]
    assert code == 0
    names = ("scoop", "three_quarter", "half", "quarter", "lose")
    assert [first[name] for name in names] == [second[name] for name in reversed(names)]
    assert sum(first[name] for name in names) == 40
    assert sum(first["high"].values()) == sum(first["low"].values()) == 40


def test_json_sampling(capsys) -> None:
    words = ("AKs", "QQ", "--board", "Ks7d2c9h", "--samples", "2000", "--seed", "4", "--json")
    told = json.loads(ask(capsys, *words)[1])
    assert told["exact"] is False
    assert told["deals"] == told["samples"] == 2000
    assert told["seed"] == 4
    low, high = told["interval"]
    assert low < told["players"][0]["equity"] < high
    assert told == json.loads(ask(capsys, *words)[1])


def test_readable_output(capsys) -> None:
    code, out, _ = ask(capsys, "AKs:0.5", "QQ", "--board", "Ks7d2c9h", "--dead", "3c")
    assert code == 0
    assert "hold'em on Ks7d2c9h, 3c dead" in out
    assert "Exact" in out
    assert "weighted deals (in units of 1/2)" in " ".join(out.split())
    code, out, _ = ask(capsys, "AsAh2d3c", "KsQsJhTh", "--board", "5s6h9s8d", "--game", "omaha8")
    assert "¾ pot" in out
    assert "low wins" in out
    code, out, _ = ask(capsys, "AKs", "QQ", "--board", "Ks7d2c9h", "--samples", "2000")
    assert "Estimated" in out
    assert "between" in out


def test_how_says_why_it_was_sampled() -> None:
    from dataclasses import replace

    result = equity("AKs", "QQ", "Ks7d2c9h", method="sampling", samples=500)
    assert "because it would take an hour" in replace(result, note="it would take an hour").how


@pytest.mark.parametrize(
    "words",
    [
        ("AsKs", "AsKh"),
        ("AsAs", "KsKh"),
        ("AsKs", "QhQd", "--board", "Ks7d2c"),
        ("AKs", "QQ", "--board", "Ks7d"),
        ("AKs", "QQ", "--board", "Ks7d2c2c"),
        ("AKs", "QQ", "--board", "Kx7d2c"),
        ("AKs", "QQ", "--game", "stud"),
        ("AKs", "QQ,,"),
        ("AKs", "(QQ"),
        ("AA", "KK", "--board", "AsAhAd"),
        ("AsAh", "AsAd,AhAc"),
        ("AKs", "QQ", "--dead", "XX"),
        ("AKs", "QQ", "--method", "guess"),
        ("AKs", "QQ", "--samples", "0"),
        ("AKs", "QQ", "--samples", "10", "--seed", "-1"),
        ("AKs", "QQ", "--samples", "10", "--method", "table"),
        ("AKs", "QQ", "--seed", "1"),
    ],
)
def test_mistakes(capsys, words: tuple[str, ...]) -> None:
    code, out, err = ask(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.startswith("headsup equity: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_a_wrong_game_is_told_all_that_there_are(capsys) -> None:
    told = ask(capsys, "AKs", "QQ", "--game", "discard")[2]
    assert told == "headsup equity: 'discard' is not a game: choose one of holdem, omaha, omaha8, holdem-discard\n"


def test_a_mistake_in_a_range_says_which(monkeypatch, capsys) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    assert ask(capsys, "AKs,A1s", "QQ")[2].startswith("AKs,A1s\n     ^\nheadsup equity: range A, column 6: ")
    assert "range B, column 4" in ask(capsys, "AKs", "QQ,,")[2]


def test_one_deal_is_not_deals(capsys) -> None:
    said = equity("AKs", "QQ", method="sampling", samples=1).how
    assert "between 0.0000% and 100.0000% (95 % confidence), from 1 random deal," in said
    assert "the one deal" in equity("AsKs", "QhQd", "2s3s4s5s6s").how
    assert "a board has 0, 3, 4 or 5 cards, not 1" in ask(capsys, "AsKs", "QQ", "--board", "2c")[2]


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_no_number_is_cut_off(width: int) -> None:
    import io

    from headsup.cli.console import make_console
    from headsup.equity.results import EquityResult, outcome_grid

    cells = outcome_grid(3_412_106_111_222, 333_444_555_666, 1_222_333_444, 55_666_777_888, 3_111_222_333_444)
    result = EquityResult("omaha8", ("AAKK", "random"), cells, "table", parts=False)
    out = io.StringIO()
    verb.show(make_console(file=out, width=width), result)
    assert "…" not in out.getvalue()
    assert ("3,412,106,111,222" in out.getvalue()) == (width == 120)
    assert "does not count high and low separately" in " ".join(out.getvalue().split())
    assert result.as_dict()["parts"] is False


def test_a_stale_table_in_the_cache_is_no_table(tmp_path, monkeypatch) -> None:
    from headsup.equity.omaha.matchups import default_folder
    from headsup.equity.omaha.preflop import outcome_table

    monkeypatch.setenv("HEADSUP_CACHE", str(tmp_path))
    default_folder().mkdir(parents=True)
    for content in ('{"format": "headsup matchups", "version": 0}', "nonsense"):
        (default_folder() / "manifest.json").write_text(content)
        assert outcome_table("omaha") is None


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_a_reader_that_goes_away_is_no_failure(more: tuple[str, ...]) -> None:
    import os
    import subprocess
    import sys

    reader, writer = os.pipe()
    os.close(reader)
    words = [sys.executable, "-m", "headsup", "range", "AKs", *more]
    done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_file_that_cannot_be_read_is_named(monkeypatch, capsys) -> None:
    def refuse(args: object) -> int:
        raise PermissionError(13, "Permission denied", "some.file")

    monkeypatch.setattr(verb, "run", refuse)
    assert ask(capsys, "AKs", "QQ") == (2, "", "headsup equity: some.file: Permission denied\n")
