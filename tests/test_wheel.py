"""What is installed is whole: the wheel in an empty environment, and what type checkers see of it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from tests.cli.test_door import EVERYDAY

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and, from the one that runs the tests, what it depends on; headsup is not there."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    command = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install", "--no-deps", "--no-index"]
    done = subprocess.run([*command, "--quiet", str(wheel)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    here = next(folder.glob("lib/*/site-packages"), folder / "Lib" / "site-packages")
    # a path file within a path file is not read, so that the editable install of this tree stays out
    (here / "depends.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return scripts


def test_everything_that_is_kept_is_in_the_wheel(wheel: Path) -> None:
    kept = subprocess.run(["git", "ls-files", "headsup"], cwd=ROOT, capture_output=True, text=True, check=False)
    if kept.returncode:
        pytest.skip("not a git checkout")
    there = set(zipfile.ZipFile(wheel).namelist())
    assert {"headsup/py.typed", "headsup/equity/holdem/data/holdem_factors.npz"} <= there
    assert set(kept.stdout.split()) <= there
    assert any(name.endswith("LICENSE") for name in there)


def test_a_tour_of_what_is_installed(installed: Path, tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env |= {"HEADSUP_CACHE": str(tmp_path / "cache"), "NUMBA_CACHE_DIR": str(tmp_path / "kernels")}

    def run(*words: str) -> str:
        done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{words}: {done.stderr}"
        return done.stdout

    place = run(str(installed / "python"), "-c", "import headsup; print(headsup.__file__)")
    assert Path(place.strip()).is_relative_to(installed.parent)
    assert run(str(installed / "headsup"), "--version").startswith("headsup ")
    for line in [*EVERYDAY, "games", "solve kuhn", "--help"]:
        assert run(str(installed / "headsup"), *shlex.split(line)), line


def served(scripts: Path, folder: Path) -> str:
    """The first page of `headsup serve` in an environment, and what `headsup doctor` says of it."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env |= {"HEADSUP_CACHE": str(folder / "cache"), "NUMBA_CACHE_DIR": str(folder / "kernels")}
    health = subprocess.run(
        [scripts / "headsup", "doctor", "--json"], cwd=folder, env=env, capture_output=True, check=False
    )
    assert json.loads(health.stdout)["problems"] == []
    command = [str(scripts / "headsup"), "serve", "--port", "0", "--work", str(folder / "spots")]
    with subprocess.Popen(command, cwd=folder, env=env, stderr=subprocess.PIPE, text=True) as server:
        try:
            assert server.stderr is not None
            address = re.search(r"http://\S+", server.stderr.readline())
            assert address is not None
            with urllib.request.urlopen(address[0], timeout=120) as answer:
                return str(answer.read().decode())
        finally:
            server.terminate()


def test_the_page_is_served_from_the_wheel(installed: Path, tmp_path: Path) -> None:
    pytest.importorskip("fastapi", reason="the web extra is not installed")
    assert "<title>" in served(installed, tmp_path)


def test_an_empty_environment_gets_all_it_needs(wheel: Path, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    command = [sys.executable, "-m", "pip", "--python", str(scripts / "python"), "install", "--quiet", f"{wheel}[web]"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip("what headsup depends on cannot be downloaded here")
    assert "<title>" in served(scripts, tmp_path)


PROGRAM = """
import headsup
from headsup import Spot, SpotSolution
from headsup.equity import equity
from headsup.jamfold import jamfold
from headsup.solve import solve

def mine(hand: str) -> float:
    found = equity(hand, "QcQd")
    wins: int = found.win
    return found.equity + wins

spot = Spot("2c7dKs", "AA", "QQ", 10, 20)
solved: SpotSolution = headsup.solve_spot(spot, 0.01)
value: float = solve("kuhn", "lp").value
chart = jamfold("holdem", 10)
names: tuple[str, ...] = chart.labels
equity(7, "QcQd")
headsup.nothing
found = headsup.parse_range("22+").combos + "x"
"""


def checked(program: str, folder: Path) -> list[int]:
    """The lines of a program in which a type checker finds something wrong."""
    pytest.importorskip("mypy")
    (folder / "program.py").write_text(program)
    env = os.environ | {"MYPYPATH": str(ROOT)}
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent", "program.py"]
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    return [int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line]


def test_a_type_checker_sees_the_public_names(tmp_path: Path) -> None:
    assert checked(PROGRAM, tmp_path) == [18, 19, 20]


def test_a_type_checker_knows_which_names_there_are(tmp_path: Path) -> None:
    inits = [path for path in sorted((ROOT / "headsup").rglob("__init__.py")) if "attach(" in path.read_text()]
    folders = [".".join(path.relative_to(ROOT).parent.parts) for path in inits]
    assert "headsup.solve" in folders
    program = "\n".join(f"from {folder} import nothing as nothing_{i}" for i, folder in enumerate(folders))
    assert checked(program, tmp_path) == [*range(1, len(folders) + 1)]
