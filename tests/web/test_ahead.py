"""What is worked out ahead is what a look would find, is not taken from another solution, and damage is found out."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from headsup.errors import DataError, UserError
from headsup.games.spot import Spot
from headsup.solve.spot import SpotSolution, solve_spot
from headsup.solve.view import PLAYERS, View
from headsup.web import ahead, walking
from headsup.web.ahead import Ahead
from tests.solve import compiled

SPOT = Spot("Td9d6hQc", "AA,T9s,KJs,87s:0.5,A5s", "QQ,AQs,J8s,55", 20, 50, bets="50%, a", raises="3x")
pytestmark = compiled


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a solution and what is kept beside it."""
    folder = tmp_path_factory.mktemp("job")
    found = solve_spot(SPOT, None, iterations=5, store="float64")
    found.save(folder / "solution")
    ahead.keep(found, folder)
    return folder


def plain(kept: Path) -> SpotSolution:
    """The solution, with nothing known of it."""
    return SpotSolution.load(kept / "solution", regrets=False, unread=True)


def same(one: View, other: View) -> bool:
    names = ("reach", "weights", "frequencies", "ev", "equity")
    return all(np.array_equal(getattr(one, name), getattr(other, name), equal_nan=True) for name in names)


def test_looks_from_what_was_kept_are_those_of_the_solution_and_its_best_replies(kept: Path) -> None:
    one, slow = walking.load(kept / "solution"), plain(kept)
    assert sorted(one.found.known.walks) == [((0,), 0), ((0,), 1)]
    for line in ("", "check", "check, bet 10"):
        assert same(walking.view(one, line), slow.at(line))
    for player in PLAYERS:
        reply = slow.exploit(player)
        assert walking.gains(one, player) == pytest.approx(reply.gains)
        for line in ("", "check", "check, bet 10"):
            assert same(walking.view(one, line, player), reply.solution.at(line))
        for line in ("check, check, 2c", "check, bet 10, call, Ah, check"):
            assert same(walking.view(one, line, player), reply.solution.at(line))
        assert player not in one.replies  # all that without the reply on other boards


def near(one: View, other: View) -> bool:
    """The same but for float32, in which values of the second street are kept."""
    assert (one.board, one.player, one.actions, one.hands) == (other.board, other.player, other.actions, other.hands)
    names = ("reach", "weights", "frequencies", "ev", "equity")
    return all(np.allclose(getattr(one, name), getattr(other, name), 0, 1e-3, equal_nan=True) for name in names)


def test_turns_and_rivers_of_a_flop_are_those_of_looks_at_the_whole_solution(tmp_path: Path) -> None:
    flop = Spot("Td9d6h", "AA,T9s", "QQ,J8s", 20, 30, bets="a")
    solve_spot(flop, None, iterations=2, store="float64").save(tmp_path / "solution")
    slow = plain(tmp_path)
    ahead.keep(plain(tmp_path), tmp_path)
    one = walking.load(tmp_path / "solution")
    turns, rivers = ("check, check, 2c", "check, check, Kd, check"), ("Qs", "9h")
    for player in ("", *PLAYERS):
        found = slow.exploit(player).solution if player else slow
        for line in ("", "check", *turns, *(f"check, check, 2c, check, check, {card}" for card in rivers)):
            assert near(walking.view(one, line, player), found.at(line))
    assert not one.replies
    for node, row in plain(tmp_path).taken.items():
        np.testing.assert_allclose(one.found.taken[node], row)
    assert len(one.found.compare(one.found).lines) == 0
    walking.warm(tmp_path / "solution")
    assert {len(walking.parts(line)) for line, _ in one.views} >= {0, 3, 6}


def test_best_replies_to_a_solution_of_which_nothing_was_kept(kept: Path) -> None:
    one, slow = walking.Loaded(plain(kept), Ahead()), plain(kept)
    for player in PLAYERS:
        reply = slow.exploit(player)
        assert walking.gains(one, player) == pytest.approx(reply.gains)
        for line in ("check", "check, check, 2c"):
            assert same(walking.view(one, line, player), reply.solution.at(line))


def test_next_cards_that_were_kept_are_those_of_looks(kept: Path) -> None:
    one, slow = walking.load(kept / "solution"), plain(kept)
    assert {"check, check", "bet 10, call", "check, bet 10, call"} <= one.ahead.cards.keys()
    for line, rows in one.ahead.cards.items():
        assert [row["card"] for row in rows] == list(walking.where(slow, line).cards)
        here = slow.at(f"{line}, {rows[7]['card']}")
        assert (rows[7]["player"], tuple(rows[7]["actions"])) == (here.player, here.actions)
        assert [rows[7]["ev"], rows[7]["equity"]] == pytest.approx(
            [here.totals["ev"], here.totals["equity"]], nan_ok=True
        )
    assert walking.runouts(kept / "solution", "check, check")[0]["shares"][0][0] == "check"


def test_what_belongs_to_another_solution_or_is_damaged_is_left_alone(kept: Path, tmp_path: Path) -> None:
    other = solve_spot(SPOT.with_(pot=30), None, iterations=1, store="float64")
    assert ahead.read(other, kept) == Ahead()
    assert not other.known.walks
    assert ahead.read(plain(kept), tmp_path) == Ahead()  # there is nothing
    (tmp_path / ahead.FILE).write_bytes((kept / ahead.FILE).read_bytes()[:-100])
    assert ahead.read(plain(kept), tmp_path) == Ahead()


def test_many_boards_are_looked_at_and_the_first_stays_known(kept: Path) -> None:
    found = plain(kept)
    for seat_line in ("", "check"):
        found.at(seat_line)
    for card in ahead.cards_left(found):
        found.at(f"check, check, {card}")
    assert len(found.known.walks) == found.known.KEPT
    assert {((0,), 0), ((0,), 1)} <= found.known.walks.keys()


def test_a_damaged_solution_is_found_out(kept: Path, tmp_path: Path) -> None:
    content = bytearray((kept / "solution").read_bytes())
    end = content.rindex(b"PK\x01\x02")
    content[end - 50] ^= 1  # within the last array
    (tmp_path / "solution").write_bytes(content)
    with suppress(DataError):  # at once; it is read to its end beside
        walking.load(tmp_path / "solution")
    _checked()
    with pytest.raises(DataError, match="damaged"):
        walking.load(tmp_path / "solution")


def test_damage_beside_a_solution_costs_time_alone(kept: Path, tmp_path: Path) -> None:
    (tmp_path / "solution").write_bytes((kept / "solution").read_bytes())
    content = bytearray((kept / ahead.FILE).read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / ahead.FILE).write_bytes(content)
    walking.load(tmp_path / "solution")
    _checked()
    assert not (tmp_path / ahead.FILE).exists()
    assert same(walking.view(walking.load(tmp_path / "solution"), "check"), plain(kept).at("check"))


def _checked() -> None:
    """Wait until files that were loaded are checked."""
    for thread in threading.enumerate():
        if thread.daemon and "check" in thread.name:
            thread.join(30)


def test_a_stamp_is_that_of_one_solution(kept: Path, tmp_path: Path) -> None:
    file = tmp_path / "solution"
    with pytest.raises(UserError, match="no solution yet"):
        walking.stamp(file)
    file.write_bytes((kept / "solution").read_bytes())
    first = walking.stamp(file)
    assert walking.stamp(file) == first
    file.touch()
    assert walking.stamp(file) != first
