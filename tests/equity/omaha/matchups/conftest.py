"""A whole table of a deck of five ranks, built once; tests that change it work on copies."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from headsup.common.backend import JIT_DISABLED
from headsup.equity.omaha.matchups.packets import Plan
from headsup.equity.omaha.matchups.table import Build
from tests.small_table import packets_of

PLAN = Plan(5)

if JIT_DISABLED:
    collect_ignore_glob = ["test_*.py"]  # a table takes hours without compiled kernels


def files(folder: Path) -> dict[str, bytes]:
    """The bytes of a finished table."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file() and path.name != "lock"}


@pytest.fixture(scope="session")
def finished(tmp_path_factory) -> Path:
    return built(tmp_path_factory, PLAN)


@pytest.fixture(scope="session")
def finished_outcomes(tmp_path_factory) -> Path:
    return built(tmp_path_factory, Plan(5, outcomes=True))


def built(places: pytest.TempPathFactory, plan: Plan) -> Path:
    """The folder of a finished table with its packets."""
    folder = places.mktemp("table")
    shutil.copytree(packets_of(plan, places), folder / "packets")
    Build(folder, plan).run()
    return folder


@pytest.fixture
def table(finished, tmp_path) -> Path:
    """A copy of the finished table with its packets."""
    folder = tmp_path / "table"
    shutil.copytree(finished, folder)
    return folder


@pytest.fixture
def only_packets(finished, tmp_path) -> Path:
    """A folder with all packets and no table yet."""
    folder = tmp_path / "packets only"
    shutil.copytree(finished / "packets", folder / "packets")
    return folder
