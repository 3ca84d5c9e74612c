from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cli import main


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main(["jamfold", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["jamfold", *arguments]) == 0
    return " ".join(capsys.readouterr().out.split())


@pytest.fixture(autouse=True)
def _no_table_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An Omaha matchup table on this machine must not change what these tests see."""
    from headsup.equity.omaha import matchups

    monkeypatch.setattr(matchups, "default_folder", lambda ranks=13: tmp_path / "no table")


def test_the_fields_of_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--game", "holdem", "--stack", "10")
    assert found["game"] == "holdem"
    assert found["stack"] == 10
    assert found["source"] == "shipped"
    assert found["value_sb"] == pytest.approx(-0.045371, abs=1e-6)
    assert found["exploitability_mbb"] <= 1e-3
    assert found["jam_frequency"] == pytest.approx(0.5828, abs=1e-4)
    assert found["call_frequency"] == pytest.approx(0.3738, abs=1e-4)


def test_one_hand(capsys: pytest.CaptureFixture[str]) -> None:
    jam = answer(capsys, "--stack", "10", "--hand", "As9d")
    assert (jam["hand_class"], jam["action"], jam["frequency"], jam["ev_fold"]) == ("A9o", "jam", 1, -0.5)
    assert jam["ev_jam"] > 0
    assert jam["played_at"] == [[0.5, jam["played_at"][0][1]]]
    call = answer(capsys, "--stack", "10", "--hand", "72o", "--seat", "bb")
    assert (call["action"], call["frequency"], call["ev_fold"]) == ("fold", 0, -1)
    assert call["ev_call"] < -1
    gaps = answer(capsys, "--stack", "10", "--hand", "63s")
    assert len(gaps["played_at"]) > 1
    assert gaps["played_at"][0] == [0.5, 2.375]
    assert all(0 < often < 1 for _, often in gaps["mixed_at"])


def test_shipped_and_solved_are_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    shipped, now = (answer(capsys, "--stack", "7.5", "--hand", "K5o", *more) for more in ((), ("--solve",)))
    assert (shipped["source"], now["source"]) == ("shipped", "solved")
    assert shipped["value_sb"] == pytest.approx(now["value_sb"], abs=1e-9)
    assert shipped["ev_jam"] == pytest.approx(now["ev_jam"], abs=1e-6)


def test_any_unit_and_uneven_stacks(capsys: pytest.CaptureFixture[str]) -> None:
    plain = answer(capsys, "--stack", "8.3")
    chips = answer(capsys, "--stack", "3320", "--opponent-stack", "9000", "--blinds", "200/400")
    assert plain["source"] == "solved"
    assert chips["stack"] == pytest.approx(8.3)
    assert chips["value_sb"] == pytest.approx(plain["value_sb"], abs=1e-9)
    ante = answer(capsys, "--stack", "8.3", "--ante", "0.1", "--hand", "T5s")
    assert ante["jam_frequency"] > plain["jam_frequency"]
    assert ante["ev_fold"] == -0.6
    assert (ante["played_at"], ante["mixed_at"]) == (None, None)
    assert "known only for blinds 1:2" in shown(capsys, "--stack", "8.3", "--ante", "0.1", "--hand", "T5s")


def test_the_whole_chart_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--stack", "10")
    assert (len(found["jam"]), len(found["call"])) == (169, 169)
    assert (found["jam"]["AA"], found["jam"]["72o"], found["call"]["72o"]) == (1, 0, 0)
    assert 0 < found["jam"]["43s"] < 1
    hands = {name: 6 if len(name) == 2 else 4 if name.endswith("s") else 12 for name in found["jam"]}
    for play in ("jam", "call"):
        played = sum(hands[name] * often for name, often in found[play].items())
        assert played / 1326 == pytest.approx(found[f"{play}_frequency"], abs=1e-12)
    assert "jam" not in answer(capsys, "--stack", "10", "--hand", "AA")
    omaha = answer(capsys, "--game", "omaha8", "--stack", "10")
    assert (len(omaha["jam"]), omaha["jam"]["AsAhKsKh"], omaha["jam"]["AsKsQsJs"]) == (16432, 1, 0)


def test_a_grid_is_never_broken(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    assert main(["jamfold", "--stack", "10"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [line.split() for line in lines if line[:2].strip() in set("AKQJT98765432")]
    assert [row[0] for row in rows] == list("AKQJT98765432")
    assert [len(row) for row in rows] == [14] * 13
    assert rows[0] == ["A", *"#" * 13]
    assert rows[10][12] == "7"  # 43s mixes


def test_zero_is_written_as_zero(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for words in (("--stack", "2", "--blinds", "0/1", "--hand", "72o"), ("--stack", "1e-9", "--hand", "72o")):
        assert "-0.000000" not in shown(capsys, *words)
    assert "1 big blind effective" in shown(capsys, "--stack", "1")
    free = answer(capsys, "--stack", "2", "--blinds", "0/1", "--hand", "72o")
    assert str(free["ev_fold"]) == "0.0"
    path = tmp_path / "all.txt"
    path.write_text("random")
    for stack in ("1", "10"):
        assert "-0.000000" not in shown(capsys, "--stack", stack, "--lock", str(path))
        assert "-0.000000" not in shown(capsys, "--stack", stack, "--verify", str(path), str(path))
        locked = answer(capsys, "--stack", stack, "--lock", str(path))
        numbers = [locked["value_sb"], locked["lock"]["value"]]
        for choice in (locked["lock"]["equilibrium"], locked["lock"]["best_response"]):
            numbers += [value for value in choice.values() if isinstance(value, float)]
        assert all(number == 0 or abs(number) >= 1e-12 for number in numbers)
        assert all(str(number) != "-0.0" for number in numbers)


def test_a_fixed_opponent(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "calls.txt"
    path.write_text("# a tight caller\n88+, ATs+, AJo+\n")
    found = answer(capsys, "--stack", "10", "--lock", str(path), "--hand", "72o")["lock"]
    balanced, best = found["equilibrium"], found["best_response"]
    assert best["ev_against_lock"] >= balanced["ev_against_lock"] > found["value"]
    assert best["gain"] > balanced["gain"] > 0
    assert balanced["risk"] == pytest.approx(0, abs=1e-6)
    assert best["risk"] > 0.1
    assert (balanced["action"], best["action"]) == ("fold", "jam")
    assert found["ev_jam"] > -0.5
    assert found["opponent_frequency"] == pytest.approx(sum([42, 16, 36]) / 1326, abs=1e-9)
    text = shown(capsys, "--stack", "10", "--lock", str(path))
    assert "best response" in text
    assert "risk below" in text
    jams = answer(capsys, "--stack", "10", "--lock", str(path), "--seat", "bb")["lock"]
    assert jams["best_response"]["call"]["AA"] == 1
    assert sum(jams["best_response"]["call"].values()) < sum(jams["equilibrium"]["call"].values())
    assert jams["best_response"]["frequency"] < jams["equilibrium"]["frequency"]
    assert jams["best_response"]["ev_against_equilibrium"] < jams["value"]


def test_range_text_stands_for_its_file(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "calls").write_text("88+,ATs+,AJo+")
    (tmp_path / "QQ+").write_text("22+")  # an existing file wins, whatever its name
    monkeypatch.chdir(tmp_path)
    found = {text: answer(capsys, "--stack", "10", "--lock", text) for text in ("88+,ATs+,AJo+", "calls", "QQ+", "22+")}
    assert found["calls"] == found["88+,ATs+,AJo+"]
    assert found["QQ+"] == found["22+"]
    text, names = (
        ("--stack", "10", "--verify", "random", "88+,ATs+,AJo+"),
        ("--stack", "10", "--verify", "random", "calls"),
    )
    assert answer(capsys, *text) == answer(capsys, *names)
    long = ",".join(f"{rank}{kind}" for rank in ("A2s+", "K2s+", "Q2s+") for kind in [""] * 40)  # no name of a file
    assert answer(capsys, "--stack", "10", "--lock", long)["lock"]["opponent_frequency"] > 0.09


def test_a_big_blind_ante(capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, "--stack", "10", "--bb-ante", "1")
    half = answer(capsys, "--stack", "9.5", "--ante", "0.5")
    assert (found["stack"], found["solved_stack"], found["source"]) == (10, 10, "solved")
    assert found["jam"] == half["jam"]
    assert found["value_sb"] == pytest.approx(half["value_sb"] + 0.5)
    assert "jam or fold, 10 big blinds effective" in shown(capsys, "--stack", "10", "--bb-ante", "1")
    hand = answer(capsys, "--stack", "4000", "--blinds", "200/400", "--bb-ante", "400", "--hand", "72o", "--seat", "bb")
    assert hand["ev_fold"] == -2


def test_ranges_under_the_chart(capsys: pytest.CaptureFixture[str]) -> None:
    from headsup.cards.ranges import parse_range
    from headsup.jamfold.ranges import class_frequencies

    found = answer(capsys, "--stack", "12.375")
    assert main(["jamfold", "--stack", "12.375"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for play in ("jam", "call"):
        text = found[f"{play}_range"]
        assert f"{play}s: {text}" in lines
        assert class_frequencies(parse_range(text)) == pytest.approx(list(found[play].values()), abs=5e-5)
    assert ":" in found["call_range"]  # K7o mixes


def test_verify(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    jams, calls = tmp_path / "jams.txt", tmp_path / "calls.txt"
    jams.write_text("random")
    calls.write_text("random")
    found = answer(capsys, "--stack", "10", "--verify", str(jams), str(calls))
    assert found["value_sb"] == pytest.approx(0, abs=1e-12)
    assert found["best_response_sb"] > 0
    assert found["exploitability_mbb"] == pytest.approx(500 * (found["best_response_sb"] + found["best_response_bb"]))
    both = {seat: pytest.approx(1000 * found[f"best_response_{seat}"]) for seat in ("sb", "bb")}
    assert (found["best_response_mbb"], found["exact"]) == (both, True)
    assert found["value_mbb"] == pytest.approx(0, abs=1e-9)
    costs = [one["cost"] for one in found["mistakes"]]
    assert costs == sorted(costs, reverse=True)
    assert "not best responses" in shown(capsys, "--stack", "10", "--verify", str(jams), str(calls))


def test_the_chart_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "--stack", "10", "--seat", "bb")
    assert "exploitability: " in text
    assert "AKs" in text
    assert "72o" not in text
    hand = shown(capsys, "--stack", "10", "--hand", "43s")
    assert "indifferent" in hand
    assert "mixed at" in hand


@pytest.mark.parametrize("game", ["omaha", "omaha8"])
def test_omaha_from_the_shipped_data(capsys: pytest.CaptureFixture[str], game: str) -> None:
    found = answer(capsys, "--game", game, "--stack", "10", "--hand", "AdAhKdKh")
    assert (found["source"], found["action"], found["hand_class"]) == ("shipped", "jam", "AsAhKsKh")
    assert found["exploitability_mbb"] <= 1e-3
    near = answer(capsys, "--game", game, "--stack", "10.3", "--hand", "AdAhKdKh")
    assert (near["source"], near["stack"], near["solved_stack"]) == ("shipped strategies of other stakes", 10.3, 10.3)
    assert near["from_stacks"][0] in (10.25, 10.375)
    assert "the shipped jams of 10." in shown(capsys, "--game", game, "--stack", "10.3")
    tiny = answer(capsys, "--game", game, "--stack", "0.3", "--hand", "KsKhKdKc")
    assert (tiny["source"], tiny["solved_stack"], tiny["action"], tiny["ev_fold"]) == ("shipped", 0.3, "jam", -0.3)
    assert "fold -0.300 bb" in shown(capsys, "--game", game, "--stack", "0.3", "--hand", "KsKhKdKc")
    text = shown(capsys, "--game", game, "--stack", "10")
    assert "double-suited" in text


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--stack", "0"], "must be above zero"),
        (["--stack", "ten"], "not a number"),
        (["--stack", "10", "--blinds", "5"], "--blinds got '5', which is not two numbers: write for example 0.5/1 or"),
        (["--stack", "10", "--blinds", "a/b"], "--blinds got 'a/b', which is not two numbers: write for example 0.5/1"),
        (["--stack", "10", "--blinds", ""], "--blinds got ''"),
        (["--stack", "10", "--device", "gpu"], "hold'em has no need"),
        (["--stack", "10", "--table", "here"], "hold'em has no need"),
        (["--stack", "10", "--verify", "a", "b", "--lock", "c"], "--lock has no effect with --verify"),
        (["--stack", "10", "--verify", "a", "b", "--hand", "AA"], "--hand has no effect with --verify"),
        (["--stack", "10", "--verify", "a", "b", "--seat", "sb"], "--seat has no effect with --verify"),
        (["--stack", "10", "--verify", "a", "b", "--solve"], "--solve has no effect with --verify"),
        (["--stack", "101", "--game", "omaha8"], "too far from the shipped omaha8 stacks: give at most 100"),
        (["--stack", "10", "--blinds", "2/1"], "between 0 and the big blind"),
        (["--stack", "10", "--ante", "-1"], "zero or more"),
        (["--stack", "10", "--opponent-stack", "x"], "--opponent-stack"),
        (["--stack", "10", "--hand", "AK"], "add s for suited or o"),
        (["--stack", "10", "--game", "omaha", "--hand", "AsKs"], "2 cards, write 4"),
        (["--stack", "10", "--game", "stud"], "not a game"),
        (
            ["--stack", "10", "--lock", "/no/such/file"],
            "'/no/such/file' cannot be read: there is no such file, and as a",
        ),
        (
            ["--stack", "10", "--lock", "QQ+,jams.txt"],
            "there is no such file, and as a holdem range: range text, column",
        ),
        (["--stack", "10", "--lock", "AsKs"], "in some suits only"),
        (["--stack", "10", "--bb-ante", "-1"], "big-blind ante is -1"),
        (["--stack", "10", "--bb-ante", "x"], "--bb-ante got 'x'"),
        (["--stack", "101", "--game", "omaha8", "--ante", "1"], "headsup tabulate omaha8  (about ten minutes on two"),
        (["--stack", "10", "--game", "omaha8", "--ante", "1", "--solve"], "headsup tabulate"),
        (["--stack", "10", "--game", "omaha8", "--solve"], "headsup tabulate"),
    ],
)
def test_mistakes_get_one_sentence(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["jamfold", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_the_sweep_writes_what_it_is_asked(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch) -> None:
    from headsup.jamfold import shipped
    from headsup.jamfold.shipped import read

    monkeypatch.setattr(shipped, "STACKS", [5.0, 6.0])
    out = tmp_path / "holdem.npz"
    assert main(["sweep", "--game", "holdem", "--work", str(tmp_path / "work"), "--save", str(out)]) == 0
    assert read(out).stacks.tolist() == [5, 6]
    printed = capsys.readouterr().out
    assert "2/2" in printed
    work = ["--work", str(tmp_path / "work")]
    assert main(["sweep", "--game", "omaha", "--table", str(tmp_path), *work]) == 2
    assert "headsup tabulate" in capsys.readouterr().err


def test_a_sweep_goes_to_the_current_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch) -> None:
    from headsup.jamfold import shipped
    from headsup.jamfold.shipped import data_path

    monkeypatch.setattr(shipped, "STACKS", [5.0, 6.0])
    monkeypatch.chdir(tmp_path)
    before = data_path("holdem").stat()
    assert main(["sweep", "--game", "holdem", "--work", "work"]) == 0
    assert (tmp_path / "jamfold-holdem.npz").exists()
    assert data_path("holdem").stat() == before
    assert "wrote jamfold-holdem.npz" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--target", "nan"], "finite number above zero"),
        (["--target", "inf"], "finite number above zero"),
        (["--target", "0"], "finite number above zero"),
        (["--save", "{file}/x.npz"], "--save: cannot write to the folder {file}"),
        (["--save", "{folder}"], "is a folder"),
        (["--save", "{folder}/x.npz", "--work", "{file}"], "--work: cannot write to the folder {file}"),
        (["--device", "gpu"], "hold'em has no need"),
    ],
)
def test_a_sweep_checks_everything_before_it_starts(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch
) -> None:
    from headsup.games.holdem import classes

    def started(*_: object, **__: object) -> None:
        raise AssertionError("the table was built before the options were checked")

    monkeypatch.setattr(classes, "class_table", started)
    file, folder = tmp_path / "file", tmp_path / "folder"
    file.write_text("")
    folder.mkdir()
    places = {"file": file, "folder": folder}
    assert main(["sweep", "--game", "holdem", *(word.format(**places) for word in arguments)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert words.format(**places) in err
    assert list(folder.iterdir()) == []


def test_a_fixed_opponent_builds_the_table_once(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from headsup.games.holdem import classes
    from headsup.jamfold import answer as jamfold

    path, built = tmp_path / "calls.txt", []
    path.write_text("AA")

    def count(game: str, **options: object) -> classes.Classes:
        built.append(game)
        return classes.holdem_classes()

    for module in (classes, jamfold):
        monkeypatch.setattr(module, "class_table", count)
    answer(capsys, "--stack", "10", "--lock", str(path))
    assert built == ["holdem"]
