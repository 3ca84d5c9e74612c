"""`headsup tabulate` and `headsup matchup` as a user runs them."""

from __future__ import annotations

import json

import pytest

from headsup.cli import main
from headsup.common.backend import JIT_DISABLED
from headsup.equity.omaha.matchups import load, packets


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Of a table: whichever test comes first builds it, and others only check it."""
    return tmp_path_factory.mktemp("table")


def run(capsys, *words: str) -> tuple[int, str, str]:
    status = main(words)
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.skipif(JIT_DISABLED, reason="a table takes hours without compiled kernels")
def test_from_nothing_to_a_verified_table(capsys, folder):
    words = ("tabulate", "omaha8", "--ranks", "5", "--work", str(folder), "--verify", "25", "--prune", "--json")
    packets.packet_bytes(5, False, 0)  # compiles here what else every worker would compile for itself
    (folder / "packets").mkdir()
    (folder / "packets" / "outcomes-000.packet").write_text("of a run that kept all outcomes")
    status, out, err = run(capsys, *words)
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert (answer["classes"], answer["boards"], answer["deals"], answer["verified"]) == (330, 792, 125_970, 25)
    assert answer["checksum"] == load("omaha8", folder).manifest.checksum
    assert not (folder / "packets").exists()
    # The same command again only checks.
    status, out, _ = run(capsys, *words)
    assert status == 0
    assert json.loads(out)["checksum"] == answer["checksum"]
    assert "the table is finished" in json.loads(out)["notes"][0]
    status, out, err = run(capsys, "tabulate", "omaha", "--ranks", "5", "--work", str(folder), "--verify", "1")
    assert (status, err.count("\n")) == (0, 1), "no bars where there is no terminal"
    assert "330 x 330" in out
    assert answer["checksum"] in out
    assert "1 entry agrees with brute force" in out


@pytest.mark.skipif(JIT_DISABLED, reason="a table takes hours without compiled kernels")
def test_a_wrong_entry_is_found(capsys, folder, monkeypatch):
    from headsup.equity.omaha.matchups import verify

    words = ("tabulate", "omaha8", "--ranks", "5", "--work", str(folder), "--json")
    assert run(capsys, *words)[0] == 0
    right = verify.brute_entry(100, 200, 5)
    wrong = verify.BruteEntry(right.row, right.column, right.number, right.grid + 1)
    monkeypatch.setattr(verify, "brute_entries", lambda *unused: iter([right, wrong]))
    status, _, err = run(capsys, *words, "--verify", "2")
    assert status == 2
    assert "by brute force" in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--ranks", "3"), "a deck of 3 ranks cannot be tabulated"),
        (("--verify", "-1"), "--verify -1 is negative"),
        (("--address", "auto"), "add --engine ray"),
        (("--jobs", "0", "--ranks", "5"), "0 jobs cannot do any work"),
        (("--verify", "3", "--seed", "-3"), "-3 is not a seed"),
        (("--seed", "3"), "add --verify N"),
    ],
)
def test_mistakes(capsys, tmp_path, words, sentence):
    status, _, err = run(capsys, "tabulate", "omaha8", "--work", str(tmp_path), *words)
    assert status == 2
    assert sentence in err


def test_folders_that_cannot_be(capsys, tmp_path, monkeypatch):
    plain = tmp_path / "plain"
    plain.write_text("")
    status, _, err = run(capsys, "tabulate", "omaha8", "--ranks", "5", "--work", str(plain))
    assert (status, err.count("\n")) == (2, 1)
    assert f"{plain} cannot be used as a folder" in err
    monkeypatch.setenv("HEADSUP_CACHE", str(plain))
    status, _, err = run(capsys, "tabulate", "omaha8", "--ranks", "5")
    assert (status, err.count("\n")) == (2, 1)
    assert "HEADSUP_CACHE" in err


def test_games_are_told_in_one_sentence(capsys):
    status, _, err = run(capsys, "tabulate", "stud")
    assert (status, err) == (2, "headsup tabulate: 'stud' is not a game: choose one of omaha, omaha8\n")
    status, _, err = run(capsys, "matchup", "AsAdQsJd", "5h4s3c2h", "--game", "holdem")
    assert (status, err) == (2, "headsup matchup: 'holdem' is not played here: choose one of omaha, omaha8\n")


def test_gpu_missing_is_one_sentence(capsys, tmp_path):
    from headsup.common.backend import gpu_present

    if gpu_present():
        pytest.skip("there is a device")
    status, _, err = run(
        capsys, "tabulate", "omaha8", "--ranks", "5", "--work", str(tmp_path), "--device", "gpu", "--json"
    )
    assert status == 2
    assert "gpu" in err
    assert len(err.strip().splitlines()) == 1


def test_matchup_of_two_hands(capsys):
    """ho-2015's example."""
    status, out, _ = run(capsys, "matchup", "AsAdQsJd", "5h4s3c2h", "--json")
    answer = json.loads(out)
    assert status == 0
    assert (answer["game"], answer["exact"], answer["deals"]) == ("omaha8", True, 1_086_008)
    first, second = answer["players"]
    assert round(100 * first["equity"], 4) == 49.4676
    assert (first["scoop"], first["half"], first["lose"]) == (394_929, 284_587, 406_492)
    assert (second["scoop"], second["lose"]) == (406_492, 394_929)
    status, out, _ = run(capsys, "matchup", "AsAdQsJd", "5h4s3c2h")
    assert "49.4676%" in out


def test_matchup_in_omaha_high(capsys):
    _, out, _ = run(capsys, "matchup", "AsAdQsJd", "5h4s3c2h", "--game", "omaha", "--json")
    first = json.loads(out)["players"][0]
    assert (first["win"], first["tie"], first["lose"]) == (679_516, 0, 406_492)


def test_matchup_of_two_classes(capsys):
    """However suits are written, the classes are the same."""
    answers = []
    for words in (("AsAdQsJd", "5h4s3c2h"), ("AcAhJcQh", "5s4d3c2s"), ("AsAdQdJs", "5h4s3c2h")):
        status, out, _ = run(capsys, "matchup", *words, "--classes", "--json")
        assert status == 0
        answers.append(json.loads(out))
    assert answers[0] == answers[1] == answers[2]
    assert (answers[0]["alignments"], answers[0]["deals"]) == (24, 24 * 1_086_008)
    status, out, _ = run(capsys, "matchup", "AsAdQsJd", "5h4s3c2h", "--classes")
    assert "24 hands of the second" in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("AsAdQs", "5h4s3c2h"), "'AsAdQs' has 3 cards: an Omaha hand has four"),
        (("AsAdQsJd", "5h4s3cAs"), "As is dealt twice"),
        (("AsAdQsJd", "5h4s3c2h", "--dead", "2h"), "2h is dealt twice"),
        (("AsAdAhAc", "AsKsQsJs", "--classes"), "cannot be dealt together"),
        (("AsAdAhJc", "5h4s3c2h", "--classes", "--dead", "2c"), "leave out --dead or --classes"),
    ],
)
def test_matchup_mistakes(capsys, words, sentence):
    status, _, err = run(capsys, "matchup", *words)
    assert status == 2
    assert sentence in err
