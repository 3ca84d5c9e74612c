"""`headsup solve`, `headsup measure` and `headsup games`: JSON, readable output, files, and one sentence a mistake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cli import main
from tests.solve import compiled


def ask(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(list(words))
    said = capsys.readouterr()
    return code, said.out, said.err


def test_solve_json(capsys) -> None:
    code, out, err = ask(capsys, "solve", "kuhn", "--method", "lp", "--json")
    told = json.loads(out)
    assert (code, err) == (0, "")
    assert set(told) >= {"game", "method", "iterations", "seconds", "value", "exploitability", "epsilon"}
    assert (told["game"], told["method"], told["iterations"]) == ("kuhn", "lp", 0)
    assert told["value"] == pytest.approx(-1 / 18, abs=1e-9)
    assert told["exploitability"] < 1e-9


IN_MBB = ("exploitability_mbb", "best_response_mbb", "value_mbb", "exact")


def test_target_and_iterations(capsys) -> None:
    told = json.loads(ask(capsys, "solve", "kuhn", "--target", "1e-3", "--json")[1])
    assert told["method"] == "cfr+"
    assert told["exploitability"] <= 1e-3
    told = json.loads(ask(capsys, "solve", "kuhn", "--method", "cfr", "--iterations", "17", "--json")[1])
    assert told["iterations"] == 17
    words = ("solve", "kuhn", "--method", "dcfr", "--set", "averaging=3", "--set", "alternating=false", "--json")
    assert json.loads(ask(capsys, *words)[1])["params"] == {"averaging": 3, "alternating": False}


def test_infinite_settings_are_still_json(capsys) -> None:
    words = ("solve", "kuhn", "--method", "dcfr", "--set", "negative=-inf", "--iterations", "5", "--json")
    told = json.loads(ask(capsys, *words)[1], parse_constant=lambda text: pytest.fail(f"{text} is not JSON"))
    assert told["params"] == {"negative": "-inf"}


def test_solve_save_measure(capsys, tmp_path: Path) -> None:
    saved = str(tmp_path / "leduc.solution")
    solved = json.loads(ask(capsys, "solve", "leduc:merged=true", "--iterations", "60", "--save", saved, "--json")[1])
    code, out, _ = ask(capsys, "measure", saved, "--json")
    told = json.loads(out)
    assert code == 0
    for key in ("game", "value", "exploitability", "epsilon", *IN_MBB):
        assert told[key] == solved[key]
    assert told["nash_conv"] == pytest.approx(2 * told["exploitability"])
    code, out, _ = ask(capsys, "measure", saved, "--strategies")
    assert code == 0
    assert "best response of the first player" in out
    assert "the second player" in out


def test_solve_in_buckets(capsys, tmp_path: Path) -> None:
    saved, words = str(tmp_path / "leduc.buckets"), ("solve", "leduc", "--buckets", "none", "--iterations", "5")
    code, out, _ = ask(capsys, *words, "--save", saved, "--bits", "8", "--set", "store=float64")
    assert code == 0
    assert "rounding to 8 bits changed the exploitability by" in out
    found = json.loads(ask(capsys, "measure", saved, "--json")[1])
    plain = json.loads(ask(capsys, "solve", "leduc", "--iterations", "5", "--json")[1])
    assert found["exploitability"] == pytest.approx(plain["exploitability"], abs=0.01)
    assert "the second player" in ask(capsys, "measure", saved, "--strategies")[1]
    told = json.loads(ask(capsys, *words, "--sample", "2", "--seed", "3", "--json", "--set", "store=float64")[1])
    assert (told["params"]["sample"], told["seed"], told["strategy"]) == (2, 3, None)


def test_printed_json_is_measured_like_a_saved_solution(capsys, tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    for name in ("kuhn", "leduc:merged=true", "andersson"):
        out = ask(capsys, "solve", name, "--iterations", "60", "--json")[1]
        solved = json.loads(out)
        path.write_text(out)
        told = json.loads(ask(capsys, "measure", str(path), "--json")[1])
        for key in ("game", "value", "exploitability", "epsilon"):
            assert told[key] == solved[key]


def test_printed_json_of_a_file_holds_the_game(capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ask(capsys, "games", "kuhn", "--efg", "k.efg")
    Path("k.json").write_text(ask(capsys, "solve", "k.efg", "--iterations", "60", "--json")[1])
    here = ask(capsys, "measure", "k.json")
    assert here[0] == 0
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    assert ask(capsys, "measure", "../k.json") == here
    monkeypatch.chdir("..")
    Path("k.efg").write_text(Path("k.efg").read_text().replace("{ 2, -2 }", "{ 7, -7 }"))
    code, _, err = ask(capsys, "measure", "k.json")
    assert code == 2
    assert "k.efg is another game than the one that was solved" in err
    assert ask(capsys, "measure", "k.json", "--game", "k.efg")[0] == 0


def test_a_long_strategy_is_left_to_a_file(capsys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headsup.cli.solve.MOST_NUMBERS", 25)
    out = ask(capsys, "solve", "kuhn", "--iterations", "3", "--json")[1]
    told = json.loads(out)
    assert told["strategy"] is None
    assert told["strategy_left_out"] == "the strategy has 26 numbers, more than 25: save it with --save FILE"
    path = tmp_path / "k.json"
    path.write_text(out)
    code, _, err = ask(capsys, "measure", str(path))
    assert code == 2
    assert "has no strategy in it: the strategy has 26 numbers" in err


def test_shares_that_do_not_add_up(capsys, tmp_path: Path) -> None:
    path = tmp_path / "thirds.json"
    thirds = {"rock": 0.333, "paper": 0.333, "scissors": 0.333}
    path.write_text(json.dumps({"game": "rps", "strategy": [{"choose": thirds}, {}]}))
    code, _, err = ask(capsys, "measure", str(path))
    assert code == 2
    assert "'choose' add up to 0.999, and must add up to 1 within 1e-09" in err


def test_measure_a_strategy_written_by_hand(capsys, tmp_path: Path) -> None:
    path = tmp_path / "rock.json"
    path.write_text(json.dumps({"game": "rps", "strategy": [{"choose": {"rock": 1}}, {}]}))
    told = json.loads(ask(capsys, "measure", str(path), "--json")[1])
    assert told["best_replies"] == pytest.approx([0.0, 1.0])
    assert told["exploitability"] == pytest.approx(0.5)


def test_readable_output_and_plots(capsys, tmp_path: Path) -> None:
    words = ("solve", "kuhn", "--iterations", "40", "--plot", "--strategies", "--save", str(tmp_path / "k.solution"))
    code, out, _ = ask(capsys, *words)
    assert code == 0
    assert "exploitability" in out
    assert "iterations" in out
    assert "K|cr" in out
    assert ask(capsys, "solve", "kuhn", "--iterations", "9", "--plot", str(tmp_path / "k.svg"), "--json")[0] == 0
    assert {path.name for path in tmp_path.iterdir()} == {"k.solution", "k.svg", "k-seconds.svg"}


def test_checkpoint(capsys, tmp_path: Path) -> None:
    words = ("solve", "kuhn", "--checkpoint", str(tmp_path / "run"), "--json", "--iterations")
    assert json.loads(ask(capsys, *words, "30")[1])["iterations"] == 30
    assert json.loads(ask(capsys, *words, "70")[1])["iterations"] == 70
    told = json.loads(ask(capsys, "solve", "kuhn", "--iterations", "70", "--json")[1])
    assert json.loads(ask(capsys, *words, "70")[1])["exploitability"] == told["exploitability"]


def test_games(capsys, tmp_path: Path) -> None:
    listed = json.loads(ask(capsys, "games", "--json")[1])["games"]
    assert {"kuhn", "leduc", "liars_dice", "rps"} <= {one["name"] for one in listed}
    code, out, _ = ask(capsys, "games")
    assert code == 0
    assert "Kuhn poker" in out
    efg = str(tmp_path / "kuhn.efg")
    told = json.loads(ask(capsys, "games", "kuhn", "--efg", efg, "--json")[1])
    assert told["nodes"] == 58
    assert told["information_sets"] == [6, 6]
    assert json.loads(ask(capsys, "solve", efg, "--method", "lp", "--json")[1])["value"] == pytest.approx(-1 / 18)
    assert "9,457" in ask(capsys, "games", "leduc")[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["solve", "chess"], "no game 'chess'"),
        (["solve", "kuhn", "--method", "magic"], "no method 'magic'"),
        (["solve", "kuhn", "--set", "averaging"], "--set key=value"),
        (["solve", "kuhn", "--target", "-1"], "above 0"),
        (
            ["solve", "kuhn", "--iterations", "10.5"],
            "invalid int value: '10.5' (see headsup solve --help",
        ),
        (["solve"], "required: GAME (see headsup solve --help"),
        (["solve", "kuhn", "--nonsense"], "--nonsense (see headsup"),
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["solve", "kuhn", "--method", "lp", "--iterations", "3"], "in one go"),
        (["solve", "leduc", "--method", "normal"], "use the sequence form"),
        (["solve", "kuhn", "--iterations", "3", "--save", "no/such/folder/x"], "cannot be written"),
        (["solve", "leduc", "--sample", "3"], "add --buckets"),
        (["solve", "leduc", "--buckets", "none", "--sample", "3.5"], "whole numbers such as"),
        (["solve", "leduc", "--buckets", "none", "--sample", "2,2"], "1 times"),
        (["solve", "leduc", "--buckets", "6-6:ehs"], "no hold'em hands"),
        (["solve", "leduc", "--buckets", "none", "--method", "lp"], "lp"),
        (["solve", "rps", "--buckets", "none"], "has no buckets"),
        (["solve", "holdem-limit", "--buckets", "none"], "take fewer cards, or buckets"),
        (["measure", "nothing.solution"], "no file"),
        (["measure", __file__], "neither a solution file nor JSON"),
        (["games", "kuhn:ranks=1"], "from 3 to 1000"),
        (["games", "holdem-limit", "--efg", "x.efg"], "about 1.4e+18 states"),
        (["solve", "holdem-limit", "--method", "lp"], "about 1.4e+18 states"),
        (["solve", "holdem-limit"], "are free: take fewer cards"),
        *(
            (["solve", "holdem-limit:ranks=3,suits=3,streets=2", "--set", setting], says)
            for setting, says in (
                ("threads=abc", "threads must be a whole number, not 'abc'"),
                ("threads=2.5", "threads must be a whole number, not 2.5"),
                ("threads=true", "threads must be a whole number, not True"),
                ("threads=0", "threads must be at least 1, not 0"),
                ("store=int8", "a store is float32, float64, int16, not 'int8'"),
                ("folder=5", "folder must be the path of a folder, such as ./stores, not 5"),
                ("folder=", "folder must be the path of a folder, such as ./stores, not ''"),
                ("form=abc", "form must be 'vector' or 'flat'"),
                (
                    "stores=1",
                    "folder, negative, positive, predictive, store, strategy, threads",
                ),
            )
        ),
    ],
)
def test_mistakes_get_one_sentence(capsys, words: list[str], says: str) -> None:
    try:
        code, out, err = ask(capsys, *words)
    except SystemExit as ended:  # argparse's own way out
        code, (out, err) = ended.code, capsys.readouterr()
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def test_general_sum_file(capsys, tmp_path: Path) -> None:
    path = tmp_path / "dilemma.efg"
    path.write_text('EFG 2 R "" { "a" "b" }\np "" 1 1 "x" { "l" "r" } 0\nt "" 1 "" { 2 2 }\nt "" 2 "" { 0 0 }\n')
    code, _, err = ask(capsys, "solve", str(path))
    assert code == 2
    assert "general-sum" in err


def test_a_plot_is_named_as_what_it_is(capsys, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = ask(capsys, "solve", "kuhn", "--plot", "p.png")
    assert (code, err) == (2, "headsup solve: --plot got 'p.png': charts are SVG, so name a file that ends in .svg\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("plot", [["--plot"], ["--plot", "p.svg"]])
def test_a_program_has_no_curve_to_draw(capsys, tmp_path: Path, monkeypatch, plot: list[str]) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = ask(capsys, "solve", "kuhn", "--method", "lp", *plot)
    assert (code, err) == (2, "headsup solve: lp does not iterate, so there is no curve to draw: leave out --plot\n")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("game", ["kuhn", "one.efg"])
def test_a_plot_of_nothing_is_told_and_the_rest_is_there(capsys, tmp_path: Path, monkeypatch, game: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.efg").write_text('EFG 2 R "one node" { "a" "b" }\nt "" 1 "" { 2, -2 }\n')
    iterations = "0" if game == "kuhn" else "3"
    for plot in (["--plot"], ["--plot", "p.svg"]):
        code, out, err = ask(capsys, "solve", game, "--iterations", iterations, *plot)
        assert code == 0
        assert "exploitability" in out
        assert err == "headsup solve: --plot has nothing to draw: no point is above 0 on both axes\n"
    assert [path.name for path in tmp_path.iterdir()] == ["one.efg"]


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("seed=5", "write --seed 5"),
        ("iterations=7", "write --iterations 7"),
        ("target=0.1", "write --target 0.1"),
        ("seconds=1", "write --seconds 1"),
        ("method=lp", "write --method lp"),
        ("checkpoint=a b", "write --checkpoint 'a b'"),
        ("out=x", "write --save"),
        ("plot=x", "write --plot"),
        ("table=true", "write --strategies"),
        ("json=true", "write --json"),
        ("game=rps", "right after  headsup solve"),
        ("progress=1", "always shown on a terminal"),
    ],
)
def test_set_is_for_options_of_the_method(capsys, setting: str, says: str) -> None:
    code, out, err = ask(capsys, "solve", "kuhn", "--set", setting)
    assert (code, out) == (2, "")
    assert err.startswith("headsup solve: --set is for options of the method, and ")
    assert says in err


def test_every_argument_of_solve_has_its_own_option() -> None:
    import inspect

    from headsup.cli.solve import OWN
    from headsup.solve import solve

    named = {name for name, one in inspect.signature(solve).parameters.items() if one.kind is not one.VAR_KEYWORD}
    assert named <= set(OWN)


def test_set_twice(capsys) -> None:
    code, _, err = ask(capsys, "solve", "kuhn", "--method", "fsi", "--set", "hands=5", "--set", "hands=6")
    assert (code, err) == (2, "headsup solve: --set gives hands twice: leave one of them out\n")


@pytest.mark.parametrize("method", [["fsi", "--set", "rate=1000"], ["fsi", "--set", "rate=1e300"]])
def test_a_result_that_is_not_a_number_is_an_error(capsys, tmp_path: Path, method: list[str]) -> None:
    saved = tmp_path / "kept"
    words = ["solve", "kuhn", "--iterations", "50", "--save", str(tmp_path / "x"), "--checkpoint", str(saved)]
    code, out, err = ask(capsys, *words, "--method", *method)
    assert (code, out) == (2, "")
    assert "went beyond what numbers can hold" in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "x").exists()
    assert not saved.exists()  # nothing could resume from it


@pytest.mark.parametrize(
    "share",
    ['"a half"', "9" * 400, "true", "null", "NaN", "Infinity", "[1]", "{}", '{"f": 1}', "-1", "2", "1e999"],
    ids=lambda text: text[:12],
)
def test_shares_that_are_none(capsys, tmp_path: Path, share: str) -> None:
    path = tmp_path / "s.json"
    path.write_text(f'{{"game": "kuhn", "strategy": [{{"K|": {{"c": {share}}}}}, {{}}]}}')
    code, out, err = ask(capsys, "measure", str(path))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "K|" in err


@pytest.mark.parametrize(
    "text",
    [
        '{"game": "kuhn", "strategy": [' + '{"K|":' * 100_000 + "1" + "}" * 100_000 + ", {}]}",
        "[" * 100_000,
        "9" * 5000,
        "null",
        "[]",
        '{"game": "kuhn", "strategy": 5}',
        '{"game": "kuhn", "strategy": [{}, {}], "strategy": [{}, {}]}',
        '{"game": "kuhn", "strategy": [{"K|": {"c": 1, "c": 0}}, {}]}',
    ],
    ids=["deep", "open", "digits", "null", "list", "number", "two strategies", "two shares"],
)
def test_files_that_are_no_strategy(capsys, tmp_path: Path, text: str) -> None:
    path = tmp_path / "s.json"
    path.write_text(text)
    code, out, err = ask(capsys, "measure", str(path))
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert str(path) in err


def test_tables_mark_what_is_never_reached(capsys) -> None:
    out = ask(capsys, "solve", "kuhn", "--method", "lp", "--strategies")[1]
    lines = {line.split()[0]: line for line in out.splitlines() if "%" in line}
    # Whatever equilibrium is found: if a king always bets, what it does after a check and a bet is anyone's guess.
    always = "r 100.00%" in lines["K|"]
    assert ("(never reached: not determined)" in lines["K|cr"]) == always
    told = json.loads(ask(capsys, "solve", "kuhn", "--method", "lp", "--json")[1])
    assert (told["marks"][0].get("K|cr") == "never reached") == (told["strategy"][0]["K|"]["r"] == 1.0)
    assert "never reached" not in lines["Q|c"]


SMALL_DECK = "holdem-nolimit:stack=3,ranks=4,suits=2,streets=2,menu="


@compiled
def test_a_solution_of_few_bets_among_more(capsys, tmp_path: Path) -> None:
    saved, wide = str(tmp_path / "few"), f"{SMALL_DECK}50%, 100%, a"
    assert ask(capsys, "solve", f"{SMALL_DECK}a", "--iterations", "50", "--save", saved)[0] == 0
    found = {}
    for how in ("nearest", "linear", "harmonic"):
        code, out, _ = ask(capsys, "measure", saved, "--game", wide, "--translation", how, "--json")
        found[how] = json.loads(out)
        assert code == 0
        assert found[how]["game"] == wide
        assert found[how]["translated"] == {"from": f"{SMALL_DECK}a", "translation": how}
    assert len({one["exploitability"] for one in found.values()}) == 3
    told = ask(capsys, "measure", saved, "--game", wide, "--translation", "linear")[1]
    assert f"from {SMALL_DECK}a, linear" in " ".join(told.split())
    for line, said in (
        (["--translation", "linear"], "bet sizes: add --game"),
        (["--game", wide, "--translation", "best"], "nearest, linear, harmonic, not by 'best'"),
        (["--game", "kuhn", "--translation", "linear"], "is for games of betting and boards"),
        (["--game", f"{SMALL_DECK}none", "--translation", "linear"], "does not offer 'all-in 6' at first"),
    ):
        code, _, err = ask(capsys, "measure", saved, *line)
        assert code == 2
        assert said in err


@compiled
def test_a_hand_in_two_rounds(capsys, tmp_path: Path) -> None:
    saved, line = str(tmp_path / "rounds"), ["solve", f"{SMALL_DECK}a", "--iterations", "20", "--rounds"]
    code, out, _ = ask(capsys, *line, "flop", "--save", saved)
    assert code == 0
    assert "rounds street=1 model=1 floor=0.01 twice=False method=cfr+" in " ".join(out.split())
    assert ask(capsys, "measure", saved)[0] == 0
    for more, said in (
        (["turn"], "cut before street 1 to 1, not 2"),
        (["street"], "takes flop, turn or river, not 'street'"),
        (["flop", "--plot"], "--plot has no effect with --rounds"),
        (["flop", "--set", "street=1"], "the same as --rounds"),
        (["flop", "--set", "floor=some"], "floor must be a number"),
        (["flop", "--set", "twice=2"], "twice is true or false"),
    ):
        code, _, err = ask(capsys, *line, *more)
        assert code == 2
        assert said in err
