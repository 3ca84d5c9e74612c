"""`headsup doctor`: what works, and what it says of what does not."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from headsup.cli import doctor, main
from headsup.version import __version__

PACKAGE = Path(doctor.__file__).parents[1]


def report(capsys: pytest.CaptureFixture[str], status: int = 0) -> dict:
    assert main(["doctor", "--json"]) == status
    return json.loads(capsys.readouterr().out)


def test_a_sound_installation(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEADSUP_CACHE", str(tmp_path))
    (tmp_path / "table").write_bytes(b"12345")
    known = report(capsys)
    assert known["headsup"] == __version__
    assert known["problems"] == []
    assert all(known["packages"].values())
    assert known["cache"] == {"folder": str(tmp_path), "files": 1, "bytes": 5, "writable": True}
    assert known["data"]["files"] > 20
    assert known["cores"]["usable"] >= 1
    assert known["settings"]["HEADSUP_CACHE"] == str(tmp_path)
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    for word in ("headsup", "Python", "cores", "memory", "GPU", "cache", "kernels", "data", "numba"):
        assert word in shown


def test_damaged_data_are_a_problem(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    shutil.copytree(PACKAGE / "equity" / "holdem" / "data", tmp_path / "data")
    monkeypatch.setattr(doctor, "_package", lambda: tmp_path)
    assert report(capsys)["data"]["files"] == 2
    for name in ("flop_subsets.txt", "holdem_factors.npz"):
        path = tmp_path / "data" / name
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        assert any(name in problem for problem in report(capsys, 1)["problems"])
    (tmp_path / "data" / "holdem_factors.npz").unlink()
    (tmp_path / "data" / "flop_subsets.txt").unlink()
    assert len(report(capsys, 1)["problems"]) == 1


def test_packages_and_folders_that_do_not_work_are_problems(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HEADSUP_CACHE", str(tmp_path / "file" / "folder"))
    monkeypatch.setitem(sys.modules, "highspy", None)  # an import of it fails
    problems = report(capsys, 1)["problems"]
    assert len(problems) == 2
    assert "highspy cannot be imported" in problems[0]
    assert "HEADSUP_CACHE" in problems[1]
    assert main(["doctor"]) == 1
    assert capsys.readouterr().out.count("problem") == 2


def test_devices_are_listed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> int:
        raise RuntimeError("cudaErrorNoDevice")

    known = {"name": b"H200", "totalGlobalMem": 140 * 10**9}
    runtime = SimpleNamespace(getDeviceCount=lambda: 1, getDeviceProperties=lambda number: known)
    monkeypatch.setitem(sys.modules, "cupy", SimpleNamespace(cuda=SimpleNamespace(runtime=runtime)))
    assert report(capsys)["gpu"] == {"devices": [{"name": "H200", "memory": 140 * 10**9}], "reason": None}
    runtime.getDeviceCount = missing
    assert report(capsys)["gpu"] == {"devices": [], "reason": "cudaErrorNoDevice"}
