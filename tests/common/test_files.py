"""What `headsup.common.files` guarantees: writing, reading and places to write."""

from __future__ import annotations

import errno
import os
import re
import stat
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.common import archives, files
from headsup.common.errors import DataError
from headsup.games import game
from headsup.games.trees.efg import write_efg
from headsup.jamfold.ranges import read_strategy


def interrupted(path: Path) -> None:
    with files.replacing(path) as file:
        file.write(b"new")
        raise KeyboardInterrupt


def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)


@pytest.mark.parametrize("before", [None, b"old"])
def test_an_error_leaves_the_old_file_and_nothing_else(
    before: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    if before is not None:
        path.write_bytes(before)
    there = list(tmp_path.iterdir())
    with pytest.raises(KeyboardInterrupt):
        interrupted(path)
    full_disk(monkeypatch)
    with pytest.raises(
        DataError, match=f"^there is no room left for files in {tmp_path}: .*{path} could not be written"
    ):
        files.write_bytes(path, b"new")
    assert list(tmp_path.iterdir()) == there
    assert before is None or path.read_bytes() == before


WRITERS = (
    "games kuhn --efg {}",
    "solve kuhn --iterations 5 --save {}",
    "solve kuhn --iterations 5 --checkpoint {}",
    "solve kuhn --iterations 5 --plot {}.svg",
    "rule oracle --price --plot {}.svg",
    "distil --rules 2 --plot {}",
    "flops AsKs AA --csv {}",
)
"""Commands that write a file."""


@pytest.mark.parametrize(
    "words",
    [*WRITERS, "reproduce dalpasso-lancia-2015 --shipped --write {}"],
)
def test_a_full_disk_leaves_no_cut_file(words: str, tmp_path: Path, capsys) -> None:
    """A limit on the size of files stands in for a full disk: the system refuses the write in the same way."""
    resource = pytest.importorskip("resource")
    assert main(words.format(tmp_path / "x").split()) == 0  # fills the caches, which need room of their own
    for path in tmp_path.iterdir():
        path.unlink()
    capsys.readouterr()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, before[1]))
    try:
        code = main(words.format(tmp_path / "x").split())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    out, err = capsys.readouterr()
    assert (code, err.count("\n")) == (2, 1), err
    assert out or words.startswith(("games", "reproduce"))  # figures that were worked for are printed all the same
    assert f"no room left for files in {tmp_path}" in err
    assert f"{tmp_path}/x" in err
    assert not list(tmp_path.iterdir())


def test_modes_and_links_stay(tmp_path: Path) -> None:
    plain, path, link = tmp_path / "plain", tmp_path / "file", tmp_path / "link"
    plain.write_text("")
    files.write_text(path, "one")
    assert path.stat().st_mode == plain.stat().st_mode
    path.chmod(0o600)
    link.symlink_to("file")
    files.write_text(link, "two")
    assert link.is_symlink()
    assert path.read_text() == "two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_long_names(tmp_path: Path) -> None:
    files.write_text(tmp_path / ("n" * 255), "fits")
    with pytest.raises(DataError, match=r"cannot be written \(File name too long\)"):
        files.writable(tmp_path / ("n" * 256))


# --- places ---------------------------------------------------------------------------------------------------------


def test_a_place_is_tried_and_left_as_it_was(tmp_path: Path) -> None:
    old = tmp_path / "old"
    files.writable(tmp_path / "new")
    assert not list(tmp_path.iterdir())
    old.write_text("kept")
    files.writable(old)
    assert old.read_text() == "kept"
    os.mkfifo(tmp_path / "pipe")
    for wrong in (
        tmp_path,
        tmp_path / "none" / "new",
        tmp_path / "pipe",
        "/dev/null",
        "/dev/full",
        "",
        f"{old}/x",
        "a\0b",
    ):
        with pytest.raises(DataError, match="cannot be written"):
            files.writable(wrong)
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_read_only_places_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Root may write anywhere, so the system is made to refuse."""

    def refuse(*_: object) -> int:
        raise PermissionError(errno.EROFS, os.strerror(errno.EROFS), "scratch")

    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(DataError, match=rf"^{tmp_path}/x cannot be written \(Read-only file system\): give another"):
        files.writable(tmp_path / "x")
    monkeypatch.undo()
    path = tmp_path / "kept"
    path.write_text("")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(DataError, match=r"kept cannot be written \(Permission denied\)"):
        files.write_text(path, "new")


@pytest.mark.parametrize(
    "words",
    [*WRITERS, "distil --all --seconds 600 --save {}", "sweep --game holdem --save {}"],
)
def test_commands_name_read_only_places(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """The message has the path that was asked for, and no scratch file's."""
    real = os.open

    def refuse(path: str | Path, flags: int, *rest: int, **more: int) -> int:
        if str(path).startswith(str(tmp_path)) and flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return real(path, flags, *rest, **more)

    monkeypatch.setattr(os, "open", refuse)
    assert main(words.format(tmp_path / "x").split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    asked = tmp_path if words.startswith("sweep") else tmp_path / "x"
    place = rf"(cannot write to the folder )?{asked}"
    assert re.search(rf": (--(?:save|csv): )?{place}(\.svg)? .*\(Read-only file system\)", err)
    assert ".part" not in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "words",
    [
        "solve leduc --iterations 100000000 --save {}",
        "solve leduc --iterations 100000000 --checkpoint {}",
        "solve leduc --iterations 100000000 --plot {}",
        "solve leduc --method lp --save {}",
        "games leduc --efg {}",
        "flops AsKs AA --csv {}",
        "rule oracle --price --plot {}",
        "distil --rules 2 --seconds 600 --plot {}",
        "distil --all --seconds 600 --save {}",
        "flop-formula AKs RML --seconds 600 --plot {}",
        "reproduce dalpasso-lancia-2015 --seconds 600 --write {}",
        "sweep --game omaha8 --save {}",
    ],
)
@pytest.mark.parametrize("place", ["/nonexistent/x.out", "{folder}", "/dev/full", "{folder}/pipe"])
def test_places_are_tried_before_the_work(words: str, place: str, tmp_path: Path, capsys) -> None:
    if words.startswith("sweep") and place == "/nonexistent/x.out":
        pytest.skip("sweep makes the folders")
    os.mkfifo(tmp_path / "pipe")
    code = main(words.format(place.format(folder=tmp_path)).split())
    said = capsys.readouterr()
    assert (code, said.out, said.err.count("\n")) == (2, "", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


@pytest.mark.parametrize(
    "words",
    [
        "solve kuhn --save {0} --checkpoint {0}",
        "solve kuhn --save {0}.svg --plot {0}.svg",
        "solve kuhn --save {1}/a-seconds.svg --plot {1}/a.svg",
        "solve {1}/game.efg --save {1}/game.efg",
        "games {1}/game.efg --efg {1}/game.efg",
    ],
)
def test_one_file_for_two_things(words: str, tmp_path: Path, capsys) -> None:
    write_efg(game("kuhn"), tmp_path / "game.efg")
    assert main(words.format(tmp_path / "x", tmp_path).split()) == 2
    assert "would overwrite" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["game.efg"]


# --- reading --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("device", ["/dev/full", "/dev/zero", "{folder}/pipe", "{folder}"])
@pytest.mark.parametrize(
    "words",
    [
        "solve kuhn --iterations 3 --checkpoint {}",
        "measure {}",
        "jamfold --stack 8 --lock {}",
        "jamfold --stack 8 --verify {} {}",
        "solve {}/x.efg",
        "reproduce dalpasso-lancia-2015 --shipped --page {}",
    ],
)
def test_only_regular_files_are_read(words: str, device: str, tmp_path: Path, capsys) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert main(words.format(*[device.format(folder=tmp_path)] * 2).split()) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_game_that_is_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.efg")
    with pytest.raises(DataError, match="a device or a pipe"):
        game(str(tmp_path / "x.efg"))


def test_files_of_no_sensible_size(tmp_path: Path) -> None:
    path = tmp_path / "holes"
    path.touch()
    os.truncate(path, files.MOST_ARCHIVE + 1)  # takes no room on the disk
    for read in (files.read_text, files.read_json, archives.read_archive, lambda path: read_strategy(path, "holdem")):
        with pytest.raises(DataError, match=r"cannot be read \(it has [\d,]+ bytes\)"):
            read(path)


@pytest.mark.parametrize("name", ["\ud800.sol", "a\0b.sol"])
def test_names_that_no_file_can_have(name: str) -> None:
    with pytest.raises(DataError, match="no file can have that name"):
        files.read_bytes(name)
    with pytest.raises(DataError, match="no file can have that name"):
        files.writable(name)


def test_files_of_a_job_are_read_by_that_job_alone(tmp_path: Path) -> None:
    one, two = (files.fingerprint({"game": "kuhn", "seed": seed}) for seed in (1, 2))
    assert one == files.fingerprint({"seed": 1, "game": "kuhn"}) != two
    path = tmp_path / "packet"
    files.write_json(path, {"job": one, "value": 3})
    assert files.own_json(path, one) == {"job": one, "value": 3}
    assert files.own_json(path, two) is None
    assert files.own_json(tmp_path / "missing", one) is None
    path.write_text(path.read_text().replace("3", "4", 1))
    assert files.own_json(path, one) is None
    path.write_bytes(files.owned_bytes(b"numbers", one))
    assert files.own_bytes(path, one) == b"numbers"
    with pytest.raises(DataError, match="belongs to another job"):
        files.own_bytes(path, two)
    for broken in (b"", b"numbers", path.read_bytes()[:-1], path.read_bytes().replace(b"numb", b"mumb")):
        path.write_bytes(broken)
        with pytest.raises(DataError, match="damaged"):
            files.own_bytes(path, one)
