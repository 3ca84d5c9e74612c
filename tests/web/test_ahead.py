"""What is worked out ahead is what a look would find, is not taken from another solution, and damage is found out."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest

from headsup.errors import DataError, UserError
from headsup.games.spot import Spot
from headsup.solve.spot import SpotSolution, solve_spot
from headsup.web import walking
from headsup.web.ahead import WALKS, keep_walks, read_walks
from tests.solve import compiled

SPOT = Spot("Td9d6hQc", "AA,T9s,KJs,87s:0.5,A5s", "QQ,AQs,J8s,55", 20, 50, bets="50%, a", raises="3x")
pytestmark = compiled


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a solution and its walks."""
    folder = tmp_path_factory.mktemp("job")
    found = solve_spot(SPOT, None, iterations=5, store="float64")
    found.save(folder / "solution")
    keep_walks(found, folder)
    return folder


def test_walks_that_were_kept_are_those_of_a_look(kept: Path) -> None:
    found, plain = (SpotSolution.load(kept / "solution", regrets=False, unread=True) for _ in range(2))
    read_walks(found, kept)
    assert sorted(found.known.walks) == [((0,), 0), ((0,), 1)]
    for (boards, seat), seen in found.known.walks.items():
        slow = plain.known.inside(seat, boards)
        np.testing.assert_array_equal(seen.values, slow.values)
        for p in (0, 1):
            np.testing.assert_array_equal(seen.reach[p], slow.reach[p])
    for line in ("", "check", "check, bet 10"):
        one, other = found.at(line), plain.at(line)
        for name in ("reach", "weights", "frequencies", "ev", "equity"):
            np.testing.assert_array_equal(getattr(one, name), getattr(other, name))


def test_walks_of_another_solution_or_damaged_ones_are_left_alone(kept: Path, tmp_path: Path) -> None:
    other = solve_spot(SPOT.with_(pot=30), None, iterations=1, store="float64")
    read_walks(other, kept)
    assert not other.known.walks
    (tmp_path / WALKS).write_bytes((kept / WALKS).read_bytes()[:-100])
    found = SpotSolution.load(kept / "solution", regrets=False)
    read_walks(found, tmp_path)
    assert not found.known.walks


def test_many_boards_are_looked_at_and_the_first_stays_known(kept: Path) -> None:
    known = walking.load(kept / "solution").found.known
    rows = walking.runouts(kept / "solution", "check, check")
    assert len(rows) == 48
    assert len(known.walks) == known.KEPT
    assert {((0,), 0), ((0,), 1)} <= known.walks.keys()


def test_a_damaged_solution_is_found_out(kept: Path, tmp_path: Path) -> None:
    content = bytearray((kept / "solution").read_bytes())
    end = content.rindex(b"PK\x01\x02")
    content[end - 50] ^= 1  # within the last array
    (tmp_path / "solution").write_bytes(content)
    walking.load(tmp_path / "solution")  # at once; it is read to its end beside
    for thread in threading.enumerate():
        if thread.daemon and "check" in thread.name:
            thread.join(30)
    with pytest.raises(DataError, match="damaged"):
        walking.load(tmp_path / "solution")


def test_a_stamp_is_that_of_one_solution(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "solution"
    with pytest.raises(UserError, match="no solution yet"):
        walking.stamp(file)
    file.write_bytes((kept / "solution").read_bytes())
    first = walking.stamp(file)
    assert walking.stamp(file) == first
    file.touch()
    assert walking.stamp(file) != first
