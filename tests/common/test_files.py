"""Every kind of file, damaged at random; and what `headsup.common.files` promises of writing, reading and places to
write.

A damaged file is either noticed, in one sentence, or reads as before (where the damage is outside of what counts, as
blanks in JSON are). The seeds are fixed; `make test-long` does the same with many more.
"""

from __future__ import annotations

import errno
import json
import mmap
import os
import re
import shutil
import stat
import zipfile
from collections.abc import Callable
from functools import partial
from inspect import unwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.cards.ranges import order
from headsup.cli import main
from headsup.common import archives, files
from headsup.common.errors import DataError, UserError
from headsup.distil import price, shipped
from headsup.distil.formulas.results import results_in
from headsup.distil.scorecards import records
from headsup.endgame import shipped as endgame_data
from headsup.equity.holdem import flop_subsets
from headsup.games import game
from headsup.games.trees.efg import read_efg, write_efg
from headsup.jamfold import shipped as jamfold_data
from headsup.jamfold.ranges import read_strategy
from headsup.papers.andersson2006 import results as andersson
from headsup.papers.bowling2015 import study as averages
from headsup.papers.dalpasso2015 import study
from headsup.papers.ectomynx import equities, faulty
from headsup.papers.ho2015 import regression
from headsup.papers.section import stored
from headsup.solve import Solution, solve
from headsup.solve.records.solution import load_record
from tests.damage import damaged

QUICK, LONG = 24, 600


def unsealed(path: Path, version: int) -> None:
    """Rewrite a record as the version without checksums did."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    meta = json.loads(members["solution.json"]) | {"format_version": version}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in (members | {"solution.json": json.dumps(meta).encode()}).items():
            archive.writestr(name, content)


# --- one maker and one reader a kind of file ------------------------------------------------------------------------


def solution(path: Path) -> Callable[[], Any]:
    solve(game("kuhn"), "cfr", iterations=20).save(path)

    def read() -> Any:
        one = Solution.load(path)
        return one.summary(), one.history, one.content, [list(part) for part in one.strategy]

    return read


def old_solution(path: Path) -> Callable[[], Any]:
    read = solution(path)
    unsealed(path, 1)
    return read


def checkpoint(path: Path) -> Callable[[], Any]:
    solve(game("kuhn"), "cfr", iterations=20, checkpoint=path)

    def read() -> Any:
        meta, arrays = load_record(path, "headsup-checkpoint")
        return meta, {name: array.tolist() for name, array in arrays.items()}

    return read


def old_checkpoint(path: Path) -> Callable[[], Any]:
    read = checkpoint(path)
    unsealed(path, 1)
    return read


def arrays(path: Path) -> Callable[[], Any]:
    archives.write_arrays(path, 3, {"squares": np.arange(50) ** 2, "none": np.zeros((0, 3)), "one": np.array(1.5)})

    def read() -> Any:
        found = archives.read_arrays(path, 3)
        if found is None:
            raise DataError("damaged")
        return {name: (array.shape, array.dtype.str, array.tolist()) for name, array in found.items()}

    return read


def old_arrays(path: Path) -> Callable[[], Any]:
    read = arrays(path)
    kept = {"squares": np.arange(50) ** 2, "names": np.array([7], dtype=np.uint8)}
    seal = np.frombuffer(archives.checksum(3, kept).encode(), dtype=np.uint8)
    with path.open("wb") as file:
        np.savez(file, _version=np.array(3), _seal=seal, **kept)
    return read


def sweep(path: Path) -> Callable[[], Any]:
    shutil.copy(jamfold_data.data_path("holdem"), path)

    def read() -> Any:
        found = jamfold_data.read(path)
        return found.stacks.tolist(), found.value_sb.tolist(), found.jam.tobytes(), found.ev_call.tobytes()

    return read


def cards(path: Path) -> Callable[[], Any]:
    records.write(shipped.shipped_cards("holdem")[:2], path)
    return lambda: records.read(path)


def flop_programs(path: Path) -> Callable[[], Any]:
    study.write_results(shipped.shipped_results()[:3], path)
    return lambda: results_in(path, files.read_json(path))


def flop_program(path: Path) -> Callable[[], Any]:
    path.write_text(files.json_text(shipped.shipped_results()[0].as_dict()))
    return lambda: study._read(path)


KINDS = (
    *(solution, old_solution, checkpoint, old_checkpoint, arrays, old_arrays, sweep),
    *(cards, flop_programs, flop_program),
)
SEALED = (solution, checkpoint, arrays)
"""Kinds in which no byte may change unnoticed."""


def compare(found: Any, whole: Any) -> None:
    assert found == whole


def sentence(read: Callable[[], Any]) -> str | None:
    """What is said about a file that cannot be read; any error but a user's mistake ends the test."""
    try:
        read()
    except UserError as error:
        return one_line(str(error))
    return None


def one_line(text: str) -> str:
    assert "\n" not in text
    return text


def damage(kind: Callable[[Path], Callable[[], Any]], folder: Path, times: int) -> None:
    path = folder / "file"
    read = kind(path)
    content, whole, rng = path.read_bytes(), read(), np.random.default_rng(len(kind.__name__))
    noticed = 0
    for _ in range(times):
        path.write_bytes(damaged(content, rng))
        said = sentence(lambda: compare(read(), whole))
        noticed += said is not None
    assert noticed == times if kind in SEALED else noticed > times / 4
    path.write_bytes(content)
    assert read() == whole


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_noticed_or_harmless(kind, tmp_path: Path) -> None:
    damage(kind, tmp_path, QUICK)


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_noticed_or_harmless_thousands_of_times(kind, tmp_path: Path) -> None:
    damage(kind, tmp_path, LONG)


SHIPPED: dict[str, tuple[Any, str, Callable[[], Any]]] = {
    "holdem_order.txt": (order, "DATA", lambda: order.hand_order.__wrapped__("holdem")),
    "omaha_order.npy": (order, "DATA", lambda: order.hand_order.__wrapped__("omaha")),
    "rules.json": (shipped, "DATA", lambda: unwrap(shipped.shipped_cards)("holdem")),
    "prices.json": (price, "DATA", lambda: price.shipped_prices.__wrapped__()),
    "regression.csv": (regression, "DATA", lambda: regression.thesis_figures.__wrapped__()),
    "printed.csv": (study, "PAPER", lambda: study.paper.__wrapped__()),
    "dalpasso-lancia-2015.json": (shipped, "DATA", lambda: shipped.shipped_results.__wrapped__()),
    "flop_subsets.txt": (flop_subsets, "DATA", lambda: flop_subsets.flop_subsets.__wrapped__()),
    "averages.json": (averages, "SHIPPED", lambda: averages.shipped_points.__wrapped__()),
    "measured.json": (andersson, "MEASURED", lambda: stored.__wrapped__(andersson.MEASURED)),
    "matches.json": (andersson, "MATCHES", lambda: stored.__wrapped__(andersson.MATCHES)),
    "equities.txt": (equities, "REPORT", lambda: equities.report.__wrapped__()),
    "figures.json": (faulty, "FIGURES", lambda: stored.__wrapped__(faulty.FIGURES)),
    "faulty-both.txt": (faulty, "FOLDER", lambda: faulty.faulty.__wrapped__("both")),
}


def damage_shipped(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    module, variable, read = SHIPPED[name]
    there = getattr(module, variable)
    data = there if there.is_dir() else there.parent
    for one in (name, files.CHECKSUMS):
        shutil.copy(data / one, folder / one)
    monkeypatch.setattr(module, variable, folder if there.is_dir() else folder / name)
    read()
    content, rng = (folder / name).read_bytes(), np.random.default_rng(len(name))
    for _ in range(times):
        (folder / name).write_bytes(damaged(content, rng))
        with pytest.raises(DataError, match=f"{name} .*reinstall headsup"):
            read()
    (folder / name).write_bytes(content)
    read()
    (folder / files.CHECKSUMS).write_bytes(b"\xff\x00")
    with pytest.raises(DataError, match="reinstall headsup"):
        read()


@pytest.mark.parametrize("name", SHIPPED)
def test_no_shipped_byte_changes_unnoticed(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    damage_shipped(name, tmp_path, monkeypatch, QUICK)


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_no_shipped_byte_changes_unnoticed_hundreds_of_times(name, tmp_path, monkeypatch) -> None:
    damage_shipped(name, tmp_path, monkeypatch, LONG)


SEALED = (".npz", ".headsup")
"""Files that carry their own checksum; so do the endgames' extras."""
LISTED = sorted(
    {path.parent for path in Path(files.__file__).parents[1].glob("**/data/*") if path.suffix not in SEALED}
    - {endgame_data.data_path("holdem").parent}
)


@pytest.mark.parametrize("folder", LISTED, ids=lambda folder: "/".join(folder.parts[-3:]))
def test_the_lists_of_checksums_are_up_to_date(folder: Path) -> None:
    """If not: python -m headsup.common.files FOLDER."""
    assert (folder / files.CHECKSUMS).read_text() == files.list_checksums(folder)


def damage_text(folder: Path, times: int) -> None:
    """What people write: a mistake is one sentence, and nothing else is raised."""
    efg, hands, rng = folder / "game.efg", folder / "hands.txt", np.random.default_rng(5)
    write_efg(game("kuhn"), efg)
    hands.write_text("22+,A2s+,KTo+:0.5 # those\n")
    for path, read in ((efg, read_efg), (hands, lambda path: read_strategy(path, "holdem"))):
        content = path.read_bytes()
        for _ in range(times):
            path.write_bytes(damaged(content, rng))
            sentence(partial(read, path))


def test_damaged_text_is_one_sentence(tmp_path: Path) -> None:
    damage_text(tmp_path, 2 * QUICK)


@pytest.mark.long
def test_damaged_text_is_one_sentence_thousands_of_times(tmp_path: Path) -> None:
    damage_text(tmp_path, 2 * LONG)


@pytest.mark.parametrize("kind", [solution, old_solution, checkpoint, old_checkpoint])
def test_commands_survive_damage(kind, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 0, or 2 and one line: flipping byte 60 of a solution was a traceback once."""
    path = tmp_path / "file"
    kind(path)
    verb = ["measure", str(path)]
    if "checkpoint" in kind.__name__:
        verb = ["solve", "kuhn", "--method", "cfr", "--iterations", "21", "--checkpoint", str(path)]
    content, rng = path.read_bytes(), np.random.default_rng(60)
    assert main([*verb, "--json"]) == 0
    first = bytearray(content)
    first[60] ^= 1
    for raw in (bytes(first), *(damaged(content, rng) for _ in range(QUICK))):
        path.write_bytes(raw)
        capsys.readouterr()
        code = main([*verb, "--json"])
        err = capsys.readouterr().err
        assert (code, err.count("\n")) in ((0, 0), (2, 1)), err


def test_a_damaged_cache_is_built_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit 0 of a ZIP flag byte says that a member is encrypted; it was not rebuilt once."""
    monkeypatch.setenv("HEADSUP_CACHE", str(tmp_path))
    built: list[int] = []

    def build() -> dict[str, Any]:
        built.append(1)
        return {"squares": np.arange(10) ** 2}

    archives.cached_arrays("things", 1, build)
    path = tmp_path / "things-v1.npz"
    content = path.read_bytes()
    for old in (False, True):
        if old:  # a file of the time before archives were sealed
            seal = np.frombuffer(archives.checksum(1, {"squares": np.arange(10) ** 2}).encode(), dtype=np.uint8)
            np.savez(path, _version=np.array(1), _seal=seal, squares=np.arange(10) ** 2)
            content = path.read_bytes()
        raw = bytearray(content)
        raw[content.index(b"PK\1\2") + 8] ^= 1
        raw[6] ^= 1
        path.write_bytes(bytes(raw))
        before = len(built)
        assert np.array_equal(archives.cached_arrays("things", 1, build)["squares"], np.arange(10) ** 2)
        assert len(built) == before + 1
        assert archives.read_arrays(path, 1) is not None


def test_an_array_larger_than_its_bytes_is_refused_before_room_is_made() -> None:
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000,), }\n"
    raw = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + bytes(64)
    with pytest.raises(ValueError, match="not as large as it says"):
        archives.parse_array(raw)


# --- writing --------------------------------------------------------------------------------------------------------


def test_the_same_content_gives_the_same_bytes(tmp_path: Path) -> None:
    members = {"a.json": b"{}", "b.npy": np.arange(1000.0), "c.npy": np.asfortranarray(np.arange(6).reshape(2, 3))}
    for name, squeeze in (("one", True), ("two", True), ("three", False)):
        archives.write_archive(tmp_path / name, members, squeeze=squeeze)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    for name in ("one", "three"):
        found, sealed = archives.read_archive(tmp_path / name)
        assert sealed
        assert found["a.json"] == b"{}"
        assert all(np.array_equal(found[key], members[key]) for key in ("b.npy", "c.npy"))
        assert zipfile.ZipFile(tmp_path / name).testzip() is None  # any other program can open it


@pytest.mark.skipif(os.name != "posix", reason="a mapped file cannot be replaced there")
def test_large_arrays_are_mapped_and_checked_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_MAPPED", 5000)
    members = {"a.npy": np.arange(1000.0), "ä.npy": np.arange(2000, dtype=np.float32), "few.npy": np.arange(10)}
    archives.write_archive(tmp_path / "one", {"a.json": b"{}"} | members)
    assert zipfile.ZipFile(tmp_path / "one").testzip() is None
    there = (tmp_path / "one").read_bytes()
    for mapped in (True, False):
        found, _ = archives.read_archive(tmp_path / "one", mapped=mapped)
        assert all(np.array_equal(found[key], array) for key, array in members.items())
        assert [_is_mapped(found[key]) for key in members] == [mapped, mapped, False]
        if mapped:
            assert all(found[key].ctypes.data % 64 == 0 for key in ("a.npy", "ä.npy"))
        found["a.npy"][3] = 7.0
    assert (tmp_path / "one").read_bytes() == there


def _is_mapped(array: np.ndarray) -> bool:
    """Whether an array lies in a file."""
    base: object = array
    while isinstance(base, np.ndarray | memoryview):
        base = base.base if isinstance(base, np.ndarray) else base.obj
    return isinstance(base, mmap.mmap)


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
    "distil --rules 2 --card {}",
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
        "distil --rules 2 --seconds 600 --card {}",
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
