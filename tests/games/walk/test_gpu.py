"""The walk on a GPU gives the numbers of the walk on the CPU."""

from __future__ import annotations

import re
import sys

import numpy as np
import pytest

from benchmarks.gpu_memory import peak
from headsup.cards import parse_cards
from headsup.cli import main
from headsup.common.backend import gpu_present
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.vector import ArrayStrategy, VectorGame, holdem_game
from headsup.games.walk.gpu import GpuWalker
from headsup.games.walk.gpu_streets import MEMORY_SHARE, chunk_sizes, least_bytes
from headsup.games.walk.walk import LEARN, MIX, Walker
from headsup.measure.exploit import measure
from headsup.solve.holdem.store import Stores, plan
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.regrets import decisions_of, street_of
from headsup.solve.records.settings import PRESETS
from headsup.spots.lock_text import locks_of
from tests.fake_cupy import FakeCupy
from tests.games.walk.same_walks import check_same_walks, filled
from tests.holdem_spots import SPOTS

gpu = pytest.mark.gpu
needs_device = pytest.mark.skipif(not gpu_present(), reason="no CUDA device, or the gpu extra is not installed")

FLOP = "unequal stacks, ranges, a flop"


def solvers(game: VectorGame, method: str, store: str, iterations: int) -> tuple[VectorCfr, VectorCfr]:
    """The same iterations on the CPU, in float64, and on the GPU.

    They begin with some regret for every action: hands that meet nobody, or that do as well with any action, would
    otherwise play by the rounding of a zero.
    """
    found = []
    for device, kind in (("cpu", "float64"), ("gpu", store)):
        solver, rng = VectorCfr(game, PRESETS[method], store=kind, threads=1, device=device), np.random.default_rng(3)
        given = solver.arrays()
        for seat in (0, 1):
            regret = rng.uniform(0.01, 0.1, given[f"regret{seat}"].shape)
            for name in ("regret", "guess"):
                if f"{name}{seat}" in given:
                    given[f"{name}{seat}"] = (
                        np.rint(regret * 1e5).astype("int16") if kind == "int16" else regret.astype(kind)
                    )
            if kind == "int16":
                given[f"regret_scale{seat}"][:] = 1e-5
        solver.restore(0, given)
        solver.step(iterations)
        found.append(solver)
    return found[0], found[1]


@gpu
@needs_device
@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("name", SPOTS)
def test_same_walks(name: str, merged: bool) -> None:
    game = SPOTS[name](merged)
    check_same_walks(game, rtol=1e-7)
    walker, on_gpu, policy = Walker(game), GpuWalker(game), filled(game).policy(average=True)
    assert on_gpu.best_values(policy) == pytest.approx(walker.best_values(policy), abs=1e-12)
    assert on_gpu.values(policy) == pytest.approx(walker.values(policy), abs=1e-12)


@gpu
@needs_device
@pytest.mark.parametrize("name", SPOTS)
def test_same_replies(name: str) -> None:
    game = SPOTS[name](True)
    policy, rng = filled(game).policy(average=True), np.random.default_rng(4)
    for seat in (0, 1):
        for start in (None, _half_free(game, seat, policy[seat], rng)):
            earned, reply = Walker(game).best_response(policy, seat, start)
            found, on_gpu = GpuWalker(game).best_response(policy, seat, start)
            assert found == pytest.approx(earned, abs=1e-12)
            assert (on_gpu != reply).sum() <= 0.02 * reply.size  # ties are decided by the rounding of a zero
            for one in (reply, on_gpu):
                played = (one, policy[1]) if seat == 0 else (policy[0], one)
                assert Walker(game).values(played)[seat] == pytest.approx(earned, abs=1e-12)


def _half_free(game: VectorGame, seat: int, policy: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Half of the hands at each decision are free."""
    out = np.abs(policy) + 0.1
    for _, s, rows in decisions_of(game, seat):
        here = street_of(game, out, seat, s)
        here[:, rows] = np.where(rng.random((len(here), 1, here.shape[2])) < 0.5, -1.0, here[:, rows])
    return out


@gpu
@needs_device
@pytest.mark.parametrize(("store", "error"), [("float64", 1e-9), ("int16", 1e-3)])
def test_locked_hands(store: str, error: float) -> None:
    game = SPOTS[FLOP](True)
    locks = locks_of(game, "all: check .25, all-in")
    found = []
    for device in ("cpu", "gpu"):
        solver = VectorCfr(game, PRESETS["dcfr"], store=store, threads=1, device=device)
        solver.lock(locks)
        solver.step(5)
        found.append(solver)
    cpu, device = found
    assert device.exploitability() == pytest.approx(cpu.exploitability(), abs=error)
    assert device.measure(locked=True).best == pytest.approx(cpu.measure(locked=True).best, abs=error)
    rows = device.strategy().rows(0, game.board(0, 0))
    assert rows[0] == pytest.approx(0.25)
    assert rows[-1] == pytest.approx(0.75)


@gpu
@needs_device
def test_chunks_change_nothing() -> None:
    game = SPOTS["limit, three streets"](False)
    walkers = [GpuWalker(game, memory=size) for size in (1 << 28, least_bytes(game, np.float64) + 60_000)]
    assert walkers[0].chunks == game.boards.sizes()
    assert walkers[1].chunks[1:] != game.boards.sizes()[1:]
    stores = filled(game)
    for seat in (0, 1):
        whole, parts = (one.walk(seat, MIX, stores.policy(average=False), stores.seats) for one in walkers)
        assert np.array_equal(whole, parts)


@gpu
@needs_device
@pytest.mark.parametrize("method", PRESETS)
def test_same_iterations(method: str) -> None:
    game = SPOTS[FLOP](True)
    cpu, device = solvers(game, method, "float64", 8)
    for key, expected in cpu.arrays().items():
        np.testing.assert_allclose(device.arrays()[key], expected, rtol=1e-9, atol=1e-9, err_msg=key)
    assert device.exploitability() == pytest.approx(cpu.exploitability(), abs=1e-9)
    assert device.measure().best == pytest.approx(cpu.measure().best, abs=1e-9)


@gpu
@needs_device
@pytest.mark.parametrize(("store", "error"), [("float32", 1e-6), ("int16", 1e-4)])
@pytest.mark.parametrize("method", ["dcfr", "pcfr+"])
def test_smaller_stores(store: str, error: float, method: str) -> None:
    game = SPOTS[FLOP](True)
    exact, device = solvers(game, method, store, 5)
    assert device.exploitability() == pytest.approx(exact.exploitability(), abs=error)
    for p in (0, 1):
        np.testing.assert_allclose(
            _shares(device, p), _shares(exact, p), atol=10 * error, err_msg=f"the average of seat {p}"
        )


def _shares(solver: VectorCfr, seat: int) -> np.ndarray:
    """The average at the root, for hands that are played."""
    strategy, place = solver.strategy(), solver.game.board(0, 0)
    betting = solver.game.betting
    decision = next(n for n in range(len(betting.player)) if betting.player[n] == seat)
    return strategy.rows(decision, place)


@gpu
@needs_device
def test_checkpoints() -> None:
    game = SPOTS["limit, two streets"](True)
    one, other = (VectorCfr(game, PRESETS["cfr+"], device="gpu") for _ in range(2))
    one.step(3)
    saved = {name: array.copy() for name, array in one.arrays().items()}
    assert all(isinstance(array, np.ndarray) for array in saved.values())
    one.step(2)
    other.restore(3, saved)
    other.step(2)
    assert all(np.array_equal(one.arrays()[name], array) for name, array in other.arrays().items())


@gpu
@needs_device
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_showdowns_of_the_whole_deck(dtype: type) -> None:
    """Full rivers with dead hands and ties; 7 lines, so that the last group has room to spare.

    A sum of n terms is off by n roundings of the sum of their sizes at most, and each hand is in it three times.
    """
    game = holdem_game(
        "g",
        betting_tree(Betting(first=(0, 0), stacks=(9, 9), pot=2), "a"),
        root=parse_cards("Td9d6hQc"),
        streets=(0, 1),
    )
    walker = GpuWalker(game, dtype)
    boards = slice(5, 9)
    reach = np.random.default_rng(4).random((4, 7, game.showdown.sizes[1]))
    error = np.finfo(dtype).eps / 2 * 3 * game.showdown.sizes[1] * 3 * reach.sum(axis=-1).max()
    for seat in (0, 1):
        won, met = walker.lines(seat, 1, boards, reach)
        for i, board in enumerate(range(5, 9)):
            expected = game.showdown.lines(seat, 1, board, reach[i], 7)
            assert np.abs(won[i].astype(np.float64) - walker._cp.asarray(expected[0])).max() < error
            assert np.abs(met[i].astype(np.float64) - walker._cp.asarray(expected[1])).max() < error


@gpu
@needs_device
def test_refusals() -> None:
    game = SPOTS["limit, two streets"](True)
    with pytest.raises(UserError, match="leave out the folder"):
        VectorCfr(game, PRESETS["cfr"], device="gpu", folder="stores")
    stores = Stores(game, "float64")
    with pytest.raises(UserError, match="not on the GPU"):
        GpuWalker(game).walk(0, LEARN, stores.policy(average=False), stores.seats)


def test_a_device_that_is_none() -> None:
    with pytest.raises(UserError, match="'tpu' is not a device: choose one of cpu, gpu"):
        VectorCfr(SPOTS["limit, two streets"](True), PRESETS["cfr"], device="tpu")


def test_chunks() -> None:
    assert chunk_sizes([1, 40, 1000], [10, 20, 30], 10**6) == [1, 40, 1000]
    for memory in range(60, 40_000, 777):
        chunks = chunk_sizes([1, 40, 1000], [10, 20, 30], memory)
        assert min(chunks) >= 1
        assert sum(n * size for n, size in zip(chunks, [10, 20, 30], strict=True)) <= memory
    with pytest.raises(UserError, match="one board of each street needs 60 bytes"):
        chunk_sizes([1, 40, 1000], [10, 20, 30], 59)


# --- memory -----------------------------------------------------------------------------------------------------------


def device(monkeypatch: pytest.MonkeyPatch, memory: int, others: int = 0) -> FakeCupy:
    """A device with so much memory that computes nothing."""
    fake = FakeCupy(memory, others)
    monkeypatch.setitem(sys.modules, "cupy", fake)
    return fake


MEMORY_GAMES = (
    "holdem-limit:ranks=4,suits=2,streets=3,raises=2",
    "holdem-limit:ranks=3,suits=3,streets=4,raises=1",
    "holdem-nolimit:stack=8,ranks=4,suits=2,streets=3,menu=100%, a; a",
)


@pytest.mark.parametrize("room", [4.0, 0.3, 0.0], ids=["ample", "less", "least"])
@pytest.mark.parametrize(
    ("name", "store"),
    [
        (MEMORY_GAMES[0], "float32"),
        (MEMORY_GAMES[0], "float64"),
        (MEMORY_GAMES[2], "int16"),
        pytest.param(MEMORY_GAMES[0], "int16", marks=pytest.mark.long),
        pytest.param(MEMORY_GAMES[1], "float32", marks=pytest.mark.long),
    ],
)
def test_a_run_takes_the_memory_that_was_announced(
    name: str, store: str, room: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Solved, measured and restored: where all boards have room, where some have, and where one at a time has."""
    game = named_game(name)
    assert isinstance(game, VectorGame)
    need = plan(game, store, device="gpu")
    fake = device(monkeypatch, int(need.stores + need.least / MEMORY_SHARE + room * need.work) + 1)
    solver = VectorCfr(game, PRESETS["dcfr"], store=store, device="gpu")
    solver.step(2)
    solver.exploitability()
    solver.measure()
    solver.restore(2, solver.arrays())
    solver.step(1)
    solver.measure()
    assert fake.peak <= need.total
    if room > 1:
        assert fake.peak > 0.95 * need.total
        assert solver.walker.chunks == game.boards.sizes()  # type: ignore[attr-defined]
    else:
        assert solver.walker.chunks != game.boards.sizes()  # type: ignore[attr-defined]
    device(monkeypatch, int(need.stores + need.least / MEMORY_SHARE) - 1)
    with pytest.raises(UserError, match=r"or more of the GPU's memory, and .* are free"):
        Stores(game, store, device="gpu")


def test_best_replies_within_locks_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    game = SPOTS[FLOP](True)
    need = plan(game, device="gpu")
    fake = device(monkeypatch, int(need.stores + (need.least + need.stores) / MEMORY_SHARE))
    solver = VectorCfr(game, PRESETS["dcfr"], device="gpu")
    solver.lock(locks_of(game, "all: check .25, all-in"))
    solver.step(1)
    solver.exploitability()
    solver.measure(locked=True)
    assert fake.peak > need.stores


def test_a_strategy_is_measured_where_it_fits_beside_the_walk(monkeypatch: pytest.MonkeyPatch) -> None:
    """The walk takes what the strategy leaves."""
    game = named_game(MEMORY_GAMES[0])
    assert isinstance(game, VectorGame)
    policy = tuple(np.ones(int(at[-1])) for at in game.layout)
    size = sum(one.nbytes for one in policy)
    fake = device(monkeypatch, int(size + 2 * least_bytes(game, np.float64)))
    measure(game, ArrayStrategy(game, (policy[0], policy[1])), device="gpu")
    assert size < fake.peak


def test_memory_that_others_take_meanwhile_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    game = named_game(MEMORY_GAMES[0])
    assert isinstance(game, VectorGame)
    need = plan(game, device="gpu").total
    device(monkeypatch, 2 * need, others=int(1.5 * need))
    assert main(["solve", MEMORY_GAMES[0], "--set", "device=gpu", "--iterations", "2", "--json"]) == 2
    announced, refused = capsys.readouterr().err.splitlines()
    assert "of memory" in announced
    assert re.search(r"this needs 0\.\d+ GB more on the GPU, and 0\.\d+ of its 0\.\d+ GB are free: take", refused)


@gpu
@needs_device
@pytest.mark.parametrize("store", ["float32", "int16"])
@pytest.mark.parametrize("name", MEMORY_GAMES)
def test_the_pool_holds_what_was_announced(name: str, store: str) -> None:
    game = named_game(name)
    assert isinstance(game, VectorGame)
    found = peak(game, store)
    assert 0.9 * found.announced < found.used <= found.announced
    assert found.held <= 1.05 * found.announced
