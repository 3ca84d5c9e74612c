"""Showdowns of four-card hands with kernels for a device: the numbers of the walk on the CPU."""

from __future__ import annotations

import sys
from itertools import pairwise
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest

from headsup.cards import parse_cards
from headsup.cards.boards import BoardTree
from headsup.common.backend import gpu_present
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import VectorGame, holdem_game
from headsup.games.walk import gpu as gpu_module
from headsup.games.walk.gpu import GpuWalker
from headsup.games.walk.gpu_streets import LEVELS, MEMORY_SHARE, four_orders, least_bytes
from headsup.games.walk.walk import MIX, Walker
from headsup.solve.holdem.store import plan
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS
from headsup.spots.solve import solve_spot
from tests.cuda_on_cpu import COMPILER, CpuCupy
from tests.fake_cupy import FakeCupy
from tests.games.holdem.test_alike_four import made as sharing
from tests.games.walk.same_walks import check_same_walks, filled


@pytest.fixture(
    params=[
        pytest.param("cpu", marks=pytest.mark.skipif(COMPILER is None, reason="no g++ to compile kernels")),
        pytest.param(
            "gpu",
            marks=[
                pytest.mark.gpu,
                pytest.mark.skipif(not gpu_present(), reason="no CUDA device, or the gpu extra is not installed"),
            ],
        ),
    ]
)
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Kernels on a device, or compiled for the CPU and with fewer threads, since those take turns."""
    if request.param == "cpu":
        monkeypatch.setitem(sys.modules, "cupy", CpuCupy(1 << 31))
        monkeypatch.setattr(gpu_module, "FOUR_THREADS", 32)
    return str(request.param)


class Deal(NamedTuple):
    """A board, how many hands the players may hold, and the deck."""

    board: str
    hands: int
    ranks: int = 13
    suits: int = 4
    stack: int = 4

    def game(self, name: str) -> VectorGame:
        """A game with ranges of random hands, of which the players have some in common."""
        rng, root = np.random.default_rng(1), parse_cards(self.board)
        possible = BoardTree(root, (0,), ranks=self.ranks, suits=self.suits, held=4).hands()
        ranges = np.zeros((2, 270725))
        chosen = rng.choice(possible, self.hands, replace=False)
        for seat, some in ((0, chosen[5:]), (1, chosen[:-9])):
            ranges[seat, some] = rng.uniform(0.2, 1.0, len(some))
        streets = (0, 1, 1)[: 6 - len(root)]
        betting = Betting(first=(0,) * len(streets), stacks=(self.stack,) * 2, pot=4, kind="pot-limit")
        deck = {"ranks": self.ranks, "suits": self.suits}
        tree = betting_tree(betting, "pot")
        return holdem_game(name, tree, root=root, streets=streets, ranges=(ranges[0], ranges[1]), game=name, **deck)


DEALS = {
    "river": Deal("Ks8d7c3hQs", 150, stack=16),
    "river without a low": Deal("KsQdJcTh2s", 60),
    "turn": Deal("Ac8d7c3d", 30, ranks=12, suits=2),
    "flop": Deal("AcJd9c", 40, ranks=7, suits=2),
}


@pytest.mark.parametrize("name", ["omaha", "omaha8"])
@pytest.mark.parametrize("deal", [*list(DEALS)[:-1], pytest.param("flop", marks=pytest.mark.long)])
def test_same_walks(deal: str, name: str, device: str) -> None:
    check_same_walks(DEALS[deal].game(name), rtol=0)


@pytest.mark.parametrize(
    ("board", "name"),
    [
        ("monotone river", "omaha8"),
        ("river of two pairs", "omaha"),
        ("monotone turn", "omaha8"),
        pytest.param("monotone flop", "omaha8", marks=pytest.mark.long),
        pytest.param("paired flop", "omaha", marks=pytest.mark.long),
    ],
)
def test_same_walks_where_hands_share_columns(board: str, name: str, device: str) -> None:
    game, columns = sharing(board, name)
    check_same_walks(game, rtol=0, alike=columns)


@pytest.mark.parametrize(("store", "error"), [("int16", 3e-2), pytest.param("float32", 1e-5, marks=pytest.mark.long)])
def test_a_solver_shares_columns_on_the_device(store: str, error: float, device: str) -> None:
    """As the solver on the CPU does, and as one whose hands have a column each."""
    game, _ = sharing("monotone turn", "omaha8")
    near, far, usual = (
        VectorCfr(game, PRESETS["dcfr"], store=kind, threads=1, device=where, alike=alike)
        for where, kind, alike in (("cpu", "float64", None), ("gpu", store, None), ("gpu", store, False))
    )
    assert far.stores.alike is not None
    for solver in (near, far, usual):
        solver.step(3)
    assert far.memory.stores < usual.memory.stores
    shared, best = far.exploitability(), far.measure().best
    assert shared == pytest.approx(near.exploitability(), rel=0.03)  # zeros are rounded differently
    assert shared == pytest.approx(usual.exploitability(), abs=error)
    assert best == pytest.approx(usual.measure().best, abs=error)
    usual.restore(3, far.arrays())
    assert usual.measure().best == pytest.approx(best, abs=1e-9)
    far.restore(3, usual.arrays())
    assert far.measure().best == pytest.approx(best, abs=1e-9)


def test_same_best_responses(device: str) -> None:
    game = DEALS["river"].game("omaha8")
    policy = filled(game).policy(average=True)
    for seat in (0, 1):
        earned, response = Walker(game).best_response(policy, seat)
        on_gpu, other = GpuWalker(game).best_response(policy, seat)
        assert on_gpu == pytest.approx(earned, abs=1e-12)
        assert (other != response).sum() <= 0.02 * response.size  # ties are decided by the rounding of a zero


@pytest.mark.parametrize(("store", "error"), [("float32", 1e-5), ("int16", 3e-3)])
def test_smaller_stores(store: str, error: float, device: str) -> None:
    game = DEALS["river"].game("omaha")
    solvers = [
        VectorCfr(game, PRESETS["dcfr"], store=kind, threads=1, device=where)
        for where, kind in (("cpu", "float64"), ("gpu", store))
    ]
    for solver in solvers:
        solver.step(4)
    assert solvers[1].exploitability() == pytest.approx(solvers[0].exploitability(), abs=error)
    assert solvers[1].measure().best == pytest.approx(solvers[0].measure().best, abs=error)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ["omaha", "omaha8"])
def test_lines_of_great_and_little_reach(name: str, dtype: type, device: str) -> None:
    """Each line is as exact as its own reach; seven lines, so that the last block has room to spare."""
    game = Deal("As8d7c3hQs", 150).game(name)
    rng, lines = np.random.default_rng(4), 7
    walker, size = GpuWalker(game, dtype), 10.0 ** np.array([0, -12, -6, 3, 0, 9, 0])[:, None]
    for seat in (0, 1):
        reach = rng.random((lines, game.showdown.sizes[1 - seat])) * size
        reach[4] = 0.0
        won, met = (
            np.asarray(part[0].get() if hasattr(part, "get") else part[0])
            for part in walker.lines(seat, 0, slice(0, 1), reach[None])
        )
        expected = game.showdown.lines(seat, 0, 0, reach, lines)
        error = 30 * np.finfo(dtype).eps * reach.sum(axis=1, keepdims=True)
        assert (np.abs(won - expected[0]) <= error).all()
        assert (np.abs(met - expected[1]) <= error).all()


@pytest.mark.parametrize("shared", [False, True], ids=["apart", "shared"])
def test_chunks_change_nothing(shared: bool, device: str) -> None:
    game, columns = sharing("monotone turn", "omaha8") if shared else (DEALS["turn"].game("omaha8"), None)
    least = least_bytes(game, np.float64, shared) + (1 << 18 if shared else 3_000)
    walkers = [GpuWalker(game, memory=size, alike=columns) for size in (1 << 28, least)]
    assert walkers[0].chunks == game.boards.sizes()
    assert walkers[1].chunks[1] < game.boards.sizes()[1]
    assert shared or not walkers[1].plan.keeps[1]
    stores = filled(game, alike=columns)
    for seat in (0, 1):
        whole, parts = (walker.walk(seat, MIX, stores.policy(average=False), stores.seats) for walker in walkers)
        assert np.array_equal(whole, parts)


@pytest.mark.parametrize("room", [4.0, 0.0], ids=["ample", "least"])
@pytest.mark.parametrize(("name", "store"), [("omaha", "float32"), ("omaha8", "int16")])
@pytest.mark.parametrize("alike", [False, True], ids=["apart", "shared"])
def test_a_run_takes_the_memory_that_was_announced(
    alike: bool, name: str, store: str, room: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    symmetric = Spot("Ac8c7c3c", "AA,KK", "A2,QQ", 4, 4, bets="pot", variant=name)
    game = symmetric.game() if alike else Deal("Ac8d7c3h", 1500).game(name)
    need = plan(game, store, device="gpu", alike=alike)
    fake = FakeCupy(int(need.stores + need.least / MEMORY_SHARE + room * need.work) + 1)
    monkeypatch.setitem(sys.modules, "cupy", fake)
    solver = VectorCfr(game, PRESETS["dcfr"], store=store, device="gpu")
    solver.step(2)
    solver.exploitability()
    solver.measure()
    assert fake.peak <= need.total
    assert (solver.stores.alike is not None) == alike
    assert room == 0.0 or fake.peak > 0.95 * (need.total - need.boards)


def test_levels_are_hands_of_equal_strength() -> None:
    game = DEALS["river"].game("omaha8")
    hands, sizes = game.showdown.arrays, game.showdown.sizes  # type: ignore[attr-defined]
    orders = four_orders(hands, sizes, slice(0, 1), None)
    assert orders.number.shape == (1, 3)
    assert 1 < orders.number.max() < LEVELS
    high, ends = orders.first[0, 2], orders.ends[0, 2, : orders.number[0, 2], 0]
    assert ends[-1] == hands.alive[0, 0]
    np.testing.assert_array_equal(high, hands.order[0, 0, : sizes[0]])
    for start, end in pairwise([0, *ends]):
        assert len(set(hands.strength[0, 0, start:end])) <= 1


def test_a_device_with_too_little_shared_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    class Small:
        """A kernel of a device that has 100 kB for a block."""

        @property
        def max_dynamic_shared_size_bytes(self) -> int:
            return 49_152

        @max_dynamic_shared_size_bytes.setter
        def max_dynamic_shared_size_bytes(self, size: int) -> None:
            raise RuntimeError("CUDA_ERROR_INVALID_VALUE")

        def __call__(self, *unused: object, **more: object) -> None:
            """Nothing is computed."""

    fake = FakeCupy(1 << 30)
    monkeypatch.setattr(
        fake, "RawModule", lambda **unused: SimpleNamespace(get_function=lambda name: Small()), raising=False
    )
    monkeypatch.setitem(sys.modules, "cupy", fake)
    game = DEALS["river"].game("omaha")
    policy = tuple(np.ones(int(at[-1])) for at in game.layout)
    with pytest.raises(UserError, match=r"need 139,008 bytes of shared memory .*: solve on the CPU"):
        GpuWalker(game).values((policy[0], policy[1]))


def test_a_spot_is_solved_as_on_the_cpu(device: str) -> None:
    """The whole way of `headsup spot --device gpu`, measured in double precision."""
    spot = Spot("As8d7c3hQs", "AA:2,QQ88", "A2:KK,7733", 60, 100, bets="pot", variant="omaha8")
    near, far = (solve_spot(spot, None, iterations=12, device=where) for where in ("cpu", "gpu"))
    assert far.exploitability_pot == pytest.approx(near.exploitability_pot, abs=1e-4)
    assert far.value_oop == pytest.approx(near.value_oop, abs=1e-2)
    assert far.frequencies == pytest.approx(near.frequencies, abs=1e-2)
