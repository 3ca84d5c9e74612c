"""Every kind of file, damaged at random.

A damaged file is either noticed, in one sentence, or reads as before (where the damage is outside of what counts, as
blanks in JSON are). The seeds are fixed; `make test-long` does the same with many more.
"""

from __future__ import annotations

import json
import mmap
import os
import shutil
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
from headsup.common.archives import load_record
from headsup.common.errors import DataError, UserError
from headsup.distil import price, shipped
from headsup.distil.formulas import shipped as formulas
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
from headsup.spots import profile
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
    study.write_results(formulas.shipped_results()[:3], path)
    return lambda: results_in(path, files.read_json(path))


def flop_program(path: Path) -> Callable[[], Any]:
    path.write_text(files.json_text(formulas.shipped_results()[0].as_dict()))
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
    "nit.toml": (profile, "SHIPPED", lambda: profile.OpponentProfile.read("nit")),
    "rules.json": (shipped, "DATA", lambda: unwrap(shipped.shipped_cards)("holdem")),
    "prices.json": (price, "DATA", lambda: price.shipped_prices.__wrapped__()),
    "regression.csv": (regression, "DATA", lambda: regression.thesis_figures.__wrapped__()),
    "printed.csv": (study, "PAPER", lambda: study.paper.__wrapped__()),
    "dalpasso-lancia-2015.json": (formulas, "DATA", lambda: formulas.shipped_results.__wrapped__()),
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
