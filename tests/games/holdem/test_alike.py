"""Hands that are alike share a column: the walk is the one over all hands, in other places."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from headsup import game as named
from headsup.common.arrays import AnyArray
from headsup.common.errors import UserError
from headsup.games.holdem.layout import Alike
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.kernels import walk_part
from headsup.games.walk.streaming import hand_values
from headsup.solve import PRESETS
from headsup.solve.holdem.store import alike_columns, kinds
from headsup.solve.holdem.vector import VectorCfr, planned, shares_columns
from headsup.solve.records.solution import Locks
from tests.games.holdem.alike_walks import check_walks_over_all_hands
from tests.holdem_spots import SPOTS

TWO, FOUR, RAKED = "holdem-limit:ranks=4,streets=2,raises=2", "holdem-limit:ranks=3,suits=3,raises=1", "rake, a hand"


@cache
def made(name: str) -> tuple[VectorGame, Alike]:
    game = SPOTS[name](True) if name in SPOTS else named(name)
    assert isinstance(game, VectorGame)
    return game, alike_columns(game)


@pytest.mark.parametrize("name", [TWO, FOUR])
def test_walks_are_those_over_all_hands(name: str) -> None:
    game, columns = made(name)
    check_walks_over_all_hands(game, columns, lambda here, there, p: (columns.unfolded(here, p), there))
    if hasattr(walk_part, "signatures"):
        kinds_of_arrays = {(str(one[2]), str(one[4])) for one in walk_part.signatures}
        assert len({hands for hands, _ in kinds_of_arrays}) == 1  # or the compiler would do everything twice


@pytest.mark.parametrize("name", [TWO, FOUR, RAKED])
def test_every_possible_hand_has_one_column_and_blocked_ones_have_none(name: str) -> None:
    game, columns = made(name)
    hands = columns.hands
    assert kinds(game) == [int(hands.wide[0, a:b].sum()) for a, b in zip(hands.start, hands.start[1:], strict=False)]
    for s in range(game.streets):
        for b in range(len(game.boards.levels[s])):
            at = int(hands.start[s]) + b
            assert np.flatnonzero(columns.column[at] >= 0).tolist() == game.showdown.alive(0, s, b).tolist()
            n = int(hands.wide[0, at])
            assert columns.column[at, hands.order[0, at, :n]].tolist() == list(range(n))
            numbers = np.bincount(columns.column[at][columns.column[at] >= 0], minlength=n)
            assert numbers.tolist() == hands.facts[at, :n, 2].tolist()
            if s:
                above = game.boards.levels[s].copies[b] * numbers / _numbers(columns, game, s, b)
                assert hands.times[at, :n].tolist() == above.tolist()


def _numbers(columns: Alike, game: VectorGame, s: int, b: int) -> AnyArray:
    """How many hands the column above has, for each column of a board."""
    parent, at = int(game.boards.levels[s].parent[b]), int(columns.hands.start[s]) + b
    there = columns.column[int(columns.hands.start[s - 1]) + parent]
    return np.bincount(there[there >= 0])[columns.hands.above[at, : int(columns.hands.wide[0, at])]]


def test_the_whole_deck_has_169_kinds_and_1286792_on_flops() -> (
    None
):  # Waugh 2013, "A fast and optimal hand isomorphism"
    game = named("holdem-limit:streets=2")
    assert isinstance(game, VectorGame)
    assert kinds(game) == [169, 1_286_792]
    assert shares_columns(game)
    assert not shares_columns(game, device="gpu")
    assert not shares_columns(made(TWO)[0])  # too small to be worth it
    assert shares_columns(made(TWO)[0], True)
    one, other = (planned(game, "dcfr", {"alike": way, "threads": 1}) for way in (True, False))
    assert other.values == pytest.approx(1.81 * one.values, rel=0.01)


@pytest.mark.parametrize("store", ["float64", "int16"])
def test_a_solver_says_and_keeps_everything_hand_by_hand(store: str) -> None:
    game, _ = made(TWO)
    straight, resumed = (VectorCfr(game, PRESETS["cfr+"], store=store, threads=1, alike=True) for _ in range(2))
    straight.step(4)
    kept = {name: one.copy() for name, one in straight.arrays().items()}
    resumed.restore(4, kept)
    straight.step(3)
    resumed.step(3)
    for name, one in straight.arrays().items():
        assert np.array_equal(one, resumed.arrays()[name]), name
    strategy = straight.strategy()
    best = [float(game.weights[p] @ hand_values(game, strategy, p, best=True)) for p in (0, 1)]
    assert straight.best_values() == pytest.approx(best, abs=1e-12 if store == "float64" else 1e-5)
    usual = VectorCfr(game, PRESETS["cfr+"], store=store, threads=1, alike=False)
    usual.restore(7, straight.arrays())
    assert usual.best_values() == pytest.approx(best, abs=1e-12 if store == "float64" else 1e-5)


def test_a_lock_tells_hands_apart_again() -> None:
    game, _ = made(TWO)
    solver = VectorCfr(game, PRESETS["cfr+"], threads=1, alike=True)
    solver.step(2)
    before, hand = solver.arrays(), game.showdown.names(0).index("AcKc")
    shares = np.zeros((int(game.rounds.count[0]), game.showdown.sizes[0]))
    shares[0] = 1.0
    solver.lock(Locks.none())
    assert solver.stores.alike is not None
    solver.lock(Locks.at(game, 0, [0], [shares], [np.arange(game.showdown.sizes[0]) == hand], "fold AcKc"))
    assert solver.stores.alike is None
    for name, one in solver.arrays().items():
        if name.endswith("1"):
            assert np.array_equal(one, before[name]), name
    solver.step(3)
    rows = solver.strategy().rows(0, game.board(0, 0))
    assert rows[0, hand] == 1.0
    assert rows[0, game.showdown.names(0).index("AdKd")] < 1.0


def test_hands_that_cannot_share_columns_are_refused() -> None:
    with pytest.raises(UserError, match="alike must be true or false, not 'yes'"):
        shares_columns(made(TWO)[0], "yes")  # type: ignore[arg-type]
    ranges = SPOTS["ranges that tell suits, a dead card"](True)
    assert kinds(ranges) is None
    with pytest.raises(UserError, match="cannot share columns"):
        VectorCfr(ranges, PRESETS["cfr"], alike=True)
