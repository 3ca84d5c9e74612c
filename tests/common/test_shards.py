"""Shards: shared out, recorded, gathered and checked; a job in shards ends as the same job at once."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.common import distribute
from headsup.common.errors import DataError, UserError
from headsup.common.shards.merge import merge, seal
from headsup.common.shards.shard import Shard, ShardDone


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "1/0", "a/b", "1/2/3", "-1/2", "", "1/1000000000"])
def test_what_is_not_a_shard(text: str) -> None:
    with pytest.raises(UserError, match="is not a shard"):
        Shard.parse(text)


@pytest.mark.parametrize(("things", "shards"), [(0, 3), (1, 3), (10, 3), (1755, 16), (7, 7)])
def test_shards_take_each_thing_once(things: int, shards: int) -> None:
    taken = [thing for i in range(shards) for thing in Shard.parse(f"{i + 1}/{shards}").pick(range(things))]
    assert sorted(taken) == list(range(things))


def made(folder: Path, shards: int = 3) -> list[Path]:
    """Folders of shards with two files each."""
    folders = []
    for i in range(1, shards + 1):
        home = folder / f"part{i}"
        (home / "solved").mkdir(parents=True)
        distribute.settle(home, "packets with another", {"game": "a"})
        paths = [home / "solved" / f"{i}-{k}.bin" for k in (0, 1)]
        for path in paths:
            path.write_bytes(f"{path.name} of shard {i}".encode())
        assert isinstance(seal(home, Shard(i, shards), paths), ShardDone)
        folders.append(home)
    return folders


def test_shards_of_several_folders_are_gathered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, *others = made(tmp_path)
    with pytest.raises(DataError, match=r"lacks 2 of 3 shards \(2, 3\)"):
        merge(first)
    assert main(["merge", str(first), *map(str, others), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"folder": str(first), "shards": 3, "files": 6, "copied": 4}
    assert merge(first) == (3, 6, 0)
    assert (first / "solved" / "3-1.bin").read_bytes() == b"3-1.bin of shard 3"


def test_what_merging_finds(tmp_path: Path) -> None:
    first, second, third = made(tmp_path)
    with pytest.raises(DataError, match="has no finished shard"):
        merge(tmp_path / "nothing")
    damaged = second / "solved" / "2-0.bin"
    right = damaged.read_bytes()
    damaged.write_bytes(b"x")
    with pytest.raises(DataError, match=r"2-0\.bin of shard 2/3 is damaged"):
        merge(first, [second, third])
    damaged.unlink()
    with pytest.raises(DataError, match=r"2-0\.bin of shard 2/3 is missing"):
        merge(first, [second, third])
    damaged.write_bytes(right)
    assert merge(first, [second, third]).shards == 3
    (first / "solved" / "1-0.bin").write_bytes(b"y")
    with pytest.raises(DataError, match="of shard 1/3 is damaged"):
        merge(first)


def test_shards_of_another_split_or_job_are_refused(tmp_path: Path) -> None:
    first, second, _ = made(tmp_path)
    path = first / "solved" / "more.bin"
    path.write_bytes(b"z")
    seal(first, Shard(1, 4), [path])
    with pytest.raises(DataError, match="shards of 3 and 4"):
        merge(first)
    shutil.rmtree(first / "shards")
    (tmp_path / "home").mkdir()
    distribute.settle(tmp_path / "home", "packets with another", {"game": "a"})
    (second / "settings.json").unlink()
    distribute.settle(second, "packets with another", {"game": "b"})
    with pytest.raises(DataError, match="is of another job"):
        merge(tmp_path / "home", [second])


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/../../b", "..\\x"])
def test_a_record_cannot_name_files_outside(tmp_path: Path, name: str) -> None:
    from headsup.common.files import write_json

    (tmp_path / "shards").mkdir()
    write_json(tmp_path / "shards" / Shard(1, 1).file_name, {"shard": 1, "of": 1, "files": {name: "0" * 64}})
    with pytest.raises(DataError, match="is not the record of a shard"):
        merge(tmp_path)


def test_shards_share_a_folder_but_not_with_the_whole_job(tmp_path: Path) -> None:
    with distribute.locked(tmp_path, Shard(1, 2)):
        with distribute.locked(tmp_path, Shard(2, 2)):
            pass
        with pytest.raises(UserError, match="is at work in"), distribute.locked(tmp_path, Shard(1, 2)):
            pass
        with pytest.raises(UserError, match="is at work in"), distribute.locked(tmp_path):
            pass
    whole, part = distribute.locked(tmp_path), distribute.locked(tmp_path, Shard(1, 2))
    with whole, pytest.raises(UserError, match="is at work"), part:
        pass


# --- jobs -------------------------------------------------------------------------------------------------------------


def sharded(words: list[str], folders: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    """Run a command in as many shards as there are folders, and merge them into the first."""
    for i, folder in enumerate(folders, start=1):
        assert main([*words, "--work", str(folder), "--shard", f"{i}/{len(folders)}", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["shard"] == f"{i}/{len(folders)}"
    assert main(["merge", *map(str, dict.fromkeys(folders))]) == 0
    capsys.readouterr()


@pytest.mark.usefixtures("packets_here")
@pytest.mark.parametrize("apart", [pytest.param(False, marks=pytest.mark.long), True])
def test_a_measurement_in_shards_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str], apart: bool) -> None:
    words = ["measure", "uniform", "--game", "holdem-limit:ranks=3,suits=3,streets=2,raises=1", "--jobs", "1"]
    folders = [tmp_path / (f"part{i}" if apart else "all") for i in range(3)]
    sharded(words, folders, capsys)
    assert main([*words, "--work", str(tmp_path / "once"), "--json"]) == 0
    once = json.loads(capsys.readouterr().out)
    assert main([*words, "--work", str(folders[0]), "--json"]) == 0
    merged = json.loads(capsys.readouterr().out)
    assert {**merged, "seconds": 0} == {**once, "seconds": 0}


@pytest.mark.long
def test_a_report_in_shards_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flops = tmp_path / "flops.txt"
    flops.write_text("Kd7h2c\nQsJs2h\n9c9d3h\n")
    spot = ["--oop", "AA,76s", "--ip", "KK,QJs", "--pot", "10", "--stack", "10", "--bets", "a"]
    words = ["report", *spot, "--flops", str(flops), "--target", "1%", "--jobs", "1"]
    sharded(words, [tmp_path / "a", tmp_path / "b"], capsys)
    for name in ("a", "once"):
        assert main([*words, "--work", str(tmp_path / name), "--json"]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert {**first, "folder": ""} == {**second, "folder": ""}


@pytest.mark.long
def test_a_table_in_shards_is_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tabulate", "omaha8", "--ranks", "5", "--jobs", "1"]
    sharded(words, [tmp_path / "a", tmp_path / "b"], capsys)
    for name in ("a", "once"):
        assert main([*words, "--work", str(tmp_path / name), "--json"]) == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert first["checksum"] == second["checksum"]


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (
            "measure uniform --game holdem-limit:ranks=3,suits=3,streets=2 --shard 1/2",
            "a shard needs a folder",
        ),
        ("measure uniform --game holdem-limit --shard 3/2", "is not a shard"),
        ("measure uniform --game holdem-limit --shard 1/2 --engine ray", "without Ray"),
        ("tabulate omaha8 --ranks 5 --shard 1/2 --verify 3", "are for the whole table"),
    ],
)
def test_shards_that_cannot_be(command: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command.split()) == 2
    assert why in capsys.readouterr().err
