"""A full disk loses the file, not the answer: it is printed, and then one line says what could not be written."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.common import files

WRITES = [
    "play caller folder --hands 2 --log",
    "play caller folder --hands 600 --log",  # more than a buffer: the disk is full in the middle of the match
    "acpc dealer caller folder --hands 2 --log",
    "acpc dealer caller folder --hands 600 --log",
    "games kuhn --efg",
    "games leduc --efg",  # more than a buffer
    "solve kuhn --iterations 3 --save",
    "spot --board Td9d6hQc2s --oop AA --ip QQ --pot 10 --stack 30 --bets a --save",
    "preflop --stack 5 --checked-down --iterations 1 --save",
    "endgame --chips 6 --stack 2 --plot",
    "buckets *-3:ehs --game holdem-limit:ranks=4,streets=2 --street flop --plot",
    "replay log --phh",
    "rule sage --price --plot",
    "distil --rules 4 --card",
    "flops AsKs QQ --csv",
]


INSIDE = [
    # a command, and the beginning of the names of the files that there is no room for
    ("reproduce ectomynx --plots plots", "discard-gains"),
    ("reproduce dalpasso-lancia-2015 --shipped --part 3 --write programs", "programs"),
    ("reproduce ectomynx --page page.md", "page"),
    (
        "report --oop AA --ip QQ --pot 10 --stack 20 --bets a --flops flops --iterations 2 --jobs 1 --work out",
        "flops.c",
    ),
    ("report --oop AA --ip QQ --pot 10 --stack 20 --bets a --flops flops --iterations 2 --jobs 1 --work out", "report"),
]

on_full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk is full here")


def fill(monkeypatch: pytest.MonkeyPatch, lost: str) -> None:
    """No room for files whose names begin so."""
    scratch = files._scratch

    def full(place: Path) -> tuple[Path, int]:
        path, handle = scratch(place)
        if place.name.startswith(lost):
            os.close(handle)
            handle = os.open("/dev/full", os.O_WRONLY)
        return path, handle

    monkeypatch.setattr(files, "_scratch", full)


@on_full_disk
@pytest.mark.parametrize("line", WRITES)
def test_the_answer_is_printed_all_the_same(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["play", "caller", "folder", "--hands", "2", "--log", "log"]) == 0
    fill(monkeypatch, "lost")
    capsys.readouterr()
    assert main([*line.split(), "lost.svg", "--json"]) == 2
    out, err = capsys.readouterr()
    assert "written" not in json.loads(out)
    assert "no room left for files" in err.splitlines()[-1]
    assert main([*line.split(), "lost.svg"]) == 2
    assert capsys.readouterr().out
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


@on_full_disk
@pytest.mark.usefixtures("packets_here")
@pytest.mark.parametrize(("line", "lost"), INSIDE)
def test_what_fills_a_folder_or_a_page_is_printed_all_the_same(
    line: str, lost: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.md").write_text("<!-- begin: headsup reproduce ectomynx -->\n<!-- end -->\n")
    (tmp_path / "flops").write_text("KsTh5s\n")
    for words in (line.split(), [*line.split(), "--json"])[: 2 if line == INSIDE[0][0] else 1]:
        assert main(words) == 0
        right = capsys.readouterr().out
        with monkeypatch.context() as patch:
            fill(patch, lost)
            assert main(words) == 2
        out, err = capsys.readouterr()
        assert out == "".join(one for one in right.splitlines(keepends=True) if " are in " not in one)
        assert "no room left for files" in err.splitlines()[-1]
        assert "\n".join(err.splitlines()).count("no room") == 1
