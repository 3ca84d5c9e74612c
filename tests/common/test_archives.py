"""Arrays in the cache folder: built once, read back, and rebuilt when damaged or of another version."""

from pathlib import Path

import numpy as np
import pytest

from headsup.common.archives import cached_arrays, read_arrays, write_arrays


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HEADSUP_CACHE", str(tmp_path))
    return tmp_path


def counting_build(calls: list[int]):
    def build():
        calls.append(1)
        return {"squares": np.arange(10) ** 2, "names": np.array([7], dtype=np.uint8)}

    return build


def test_second_call_reads_the_file(folder: Path) -> None:
    calls: list[int] = []
    first = cached_arrays("things", 1, counting_build(calls))
    second = cached_arrays("things", 1, counting_build(calls))
    assert len(calls) == 1
    assert first.keys() == second.keys()
    assert all(np.array_equal(first[name], second[name]) for name in first)
    assert not second["squares"].flags.writeable
    assert [path.name for path in folder.iterdir()] == ["things-v1.npz"]


@pytest.mark.parametrize("place", [0, 100, -30])
def test_damage_is_noticed_and_mended(folder: Path, place: int) -> None:
    calls: list[int] = []
    cached_arrays("things", 1, counting_build(calls))
    path = folder / "things-v1.npz"
    raw = bytearray(path.read_bytes())
    raw[place] ^= 0xFF
    path.write_bytes(bytes(raw))
    again = cached_arrays("things", 1, counting_build(calls))
    assert len(calls) == 2
    assert np.array_equal(again["squares"], np.arange(10) ** 2)
    assert read_arrays(path, 1) is not None


def test_a_swapped_array_breaks_the_seal(folder: Path) -> None:
    path = folder / "things-v1.npz"
    write_arrays(path, 1, {"squares": np.arange(3)})
    with np.load(path) as stored:
        parts = {name: stored[name] for name in stored.files}
    parts["squares"] = np.arange(3) + 1
    with path.open("wb") as file:
        np.savez(file, **parts)
    assert read_arrays(path, 1) is None


def test_other_version_and_cut_file_are_not_read(folder: Path) -> None:
    path = folder / "things-v1.npz"
    write_arrays(path, 1, {"squares": np.arange(3)})
    assert read_arrays(path, 2) is None
    path.write_bytes(path.read_bytes()[:50])
    assert read_arrays(path, 1) is None
    assert read_arrays(folder / "nowhere.npz", 1) is None


def test_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("not a folder")
    monkeypatch.setenv("HEADSUP_CACHE", str(blocker / "inside"))
    calls: list[int] = []
    assert np.array_equal(cached_arrays("things", 1, counting_build(calls))["squares"], np.arange(10) ** 2)


def test_files_have_the_mode_that_the_umask_says(folder: Path) -> None:
    plain = folder / "plain"
    plain.write_text("")
    write_arrays(folder / "things.npz", 1, {"squares": np.arange(3)})
    assert (folder / "things.npz").stat().st_mode == plain.stat().st_mode


def test_a_cache_that_cannot_be_is_done_without(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain = folder / "plain"
    plain.write_text("")
    monkeypatch.setenv("HEADSUP_CACHE", str(plain))
    calls: list[int] = []
    assert np.array_equal(cached_arrays("things", 1, counting_build(calls))["squares"], np.arange(10) ** 2)
    assert len(calls) == 1


def test_a_file_of_another_job_is_not_read(folder: Path) -> None:
    path = folder / "work.npz"
    write_arrays(path, 1, {"squares": np.arange(3)}, "one")
    assert read_arrays(path, 1, "one") is not None
    assert read_arrays(path, 1, "two") is None
    assert read_arrays(path, 1) is None
    write_arrays(path, 1, {"squares": np.arange(3)})
    assert read_arrays(path, 1, "one") is None
