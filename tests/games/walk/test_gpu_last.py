"""The last street in one kernel, run on the CPU: the numbers of the walk on the CPU, with and without blocked hands."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from headsup.common.arrays import AnyArray
from headsup.common.backend import gpu_present
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_last import blocks_for
from headsup.games.walk.live import has_live_columns, left_hands, live_layout
from headsup.solve.holdem.store import Stores, plan
from headsup.solve.holdem.trunk import TrunkCfr
from headsup.solve.records.settings import PRESETS
from tests.cuda_on_cpu import COMPILER, CpuCupy

STEP = 2.0**-26
"""The scale of the first regrets in int16."""
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no g++ to compile kernels for the CPU")


def small_game(text: str = "holdem-limit:ranks=3,suits=3,streets=2,raises=1") -> VectorGame:
    game = named_game(text)
    assert isinstance(game, VectorGame)
    return game


def with_blocked(game: VectorGame, array: AnyArray, seat: int) -> AnyArray:
    """An array in the usual layout; blocked hands have 0."""
    at, order = int(game.layout[seat][-2]), _order(game, seat)
    rows, hands = int(game.rounds.rows[seat, -1]), game.showdown.sizes[seat]
    out = np.zeros((len(order), rows, hands), array.dtype)
    live = array[at:].reshape(len(order), rows, -1)
    np.put_along_axis(out, np.broadcast_to(order[:, None], live.shape), live, axis=2)
    return np.concatenate([array[:at], out.ravel()])


def without_blocked(game: VectorGame, array: AnyArray, seat: int) -> AnyArray:
    """An array of the usual layout, without the blocked hands of the last street."""
    at, order = int(game.layout[seat][-2]), _order(game, seat)
    rows, hands = int(game.rounds.rows[seat, -1]), game.showdown.sizes[seat]
    every = array[at:].reshape(len(order), rows, hands)
    live = np.take_along_axis(every, np.broadcast_to(order[:, None], (len(order), rows, order.shape[1])), axis=2)
    return np.concatenate([array[:at], live.ravel()])


def _order(game: VectorGame, seat: int) -> AnyArray:
    """[boards, hands that are left] of the last street, weakest first."""
    hands = game.showdown.arrays  # type: ignore[attr-defined]
    return np.asarray(hands.order[seat, int(hands.start[-2]) :, : left_hands(game)], dtype=np.int64)


def begun(solver: TrunkCfr, live: bool = False) -> TrunkCfr:
    """With some regret for every action: ties would otherwise be decided by the rounding of a zero."""
    rng, arrays = np.random.default_rng(3), solver.arrays()
    for name in sorted(arrays):
        if "regret" in name and "scale" not in name:
            seat, whole = int(name[-1]), solver.stores.kind == "int16" and "trunk" not in name
            size = arrays[name].size if "trunk" in name else int(solver.game.layout[seat][-1])
            regret = rng.uniform(0.01, 0.1, size) / solver.game.mass
            if live and "trunk" not in name:
                regret = without_blocked(solver.game, regret, seat)
            arrays[name] = (np.rint(regret / STEP) if whole else regret).astype(arrays[name].dtype)
        elif name.startswith("regret_scale"):
            arrays[name][:] = STEP
    solver.restore(0, arrays)
    return solver


def both(game: VectorGame, method: str, store: str, live: bool) -> tuple[TrunkCfr, TrunkCfr]:
    """Three iterations on the CPU, and with kernels for a device."""
    cpu = begun(TrunkCfr(game, PRESETS[method], store=store, threads=1))
    device = begun(TrunkCfr(game, PRESETS[method], store=store, device="gpu", live=live), live)
    for solver in (cpu, device):
        solver.step(3)
    return cpu, device


@needs_compiler
@pytest.mark.parametrize(
    ("live", "store", "error"),
    [
        (False, "float64", 1e-12),
        (True, "int16", 10.0),
        pytest.param(True, "float64", 1e-12, marks=pytest.mark.long),
        pytest.param(False, "int16", 10.0, marks=pytest.mark.long),
    ],
)
def test_same_numbers_as_on_the_cpu(monkeypatch: pytest.MonkeyPatch, live: bool, store: str, error: float) -> None:
    monkeypatch.setitem(sys.modules, "cupy", CpuCupy(1 << 30))
    check_same_numbers(small_game(), live, store, error)


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no CUDA device, or the gpu extra is not installed")
@pytest.mark.parametrize("text", ["holdem-limit:ranks=3,streets=3", "holdem-limit:ranks=5,streets=3,raises=2"])
@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize(("store", "error"), [("float64", 1e-9), ("int16", 60.0)])
def test_same_numbers_on_a_device(text: str, live: bool, store: str, error: float) -> None:
    check_same_numbers(small_game(text), live, store, error)


def check_same_numbers(game: VectorGame, live: bool, store: str, error: float) -> None:
    """Three iterations with kernels for a device are those of the CPU."""
    cpu, device = both(game, "dcfr-holdem", store, live)
    assert device.measure().best == pytest.approx(cpu.measure().best, abs=1e-4 * error if store == "int16" else error)
    assert device.measure().value == pytest.approx(cpu.measure().value, abs=1e-4 * error if store == "int16" else error)
    for name, expected in cpu.arrays().items():
        given, bound = device.arrays()[name], error
        if name[:-1] in ("regret", "total"):  # the kernel leaves blocked hands alone
            seat = int(name[-1])
            possible = with_blocked(game, np.ones(int(live_layout(game)[seat][-1])), seat) > 0
            assert given.size == (possible.sum() if live else expected.size)
            given, expected = (with_blocked(game, given, seat) if live else given)[possible], expected[possible]
            assert (given != expected).mean() < 0.05 or store != "int16"
        elif store == "int16":
            # a device divides in single precision: some numbers round another way, and the next strategy has them
            bound = 2e-4 * float(np.abs(expected).max(initial=0.0))
        np.testing.assert_allclose(given, expected, rtol=1e-9, atol=bound, err_msg=name)


@needs_compiler
@pytest.mark.long
def test_lines_without_betting_on_the_last_street(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", CpuCupy(1 << 30))
    game = small_game("holdem-nolimit:stack=3,ranks=3,suits=3,streets=3,menu=a")
    cpu, device = both(game, "cfr+", "float64", True)
    assert device.measure().best == pytest.approx(cpu.measure().best, abs=1e-12)


def test_columns_without_blocked_hands() -> None:
    game = small_game("holdem-limit:ranks=3,streets=3,raises=1")
    assert has_live_columns(game)
    assert left_hands(game) == 28  # of the pairs of the eight cards that four on the board leave
    rng = np.random.default_rng(1)
    for seat in (0, 1):
        array = rng.normal(size=int(live_layout(game)[seat][-1]))
        every = with_blocked(game, array, seat)
        assert len(every) == int(game.layout[seat][-1])
        assert np.count_nonzero(every) == len(array)
        np.testing.assert_array_equal(without_blocked(game, every, seat), array)
    stores = Stores(game, "int16", live=True)
    assert sum(array.nbytes for array in stores.arrays().values()) == plan(game, "int16", live=True).stores


def test_small_decks_have_small_blocks() -> None:
    assert blocks_for(1326) == (448, 2, 224)
    assert blocks_for(105) == (128, 8, 96)
