"""CFR among strategies that take every action now and then, against the linear program of the same game."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.random import default_rng

from headsup.common.errors import UserError
from headsup.games import game, sequence_form
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.plain import FlooredWalker
from headsup.games.walk.walk import MIX
from headsup.solve import solve, start
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS
from headsup.solve.small.lp import sequence_lp
from tests.cuda_on_cpu import COMPILER, CpuCupy
from tests.holdem_spots import SPOTS
from tests.solve import compiled

CHOICES = [name for name in SPOTS if name not in ("all-in by the blinds", "nobody has a choice")]


def small() -> VectorGame:
    return game("leduc_nolimit:stack=2,raises=1,merged=true").vector()  # type: ignore[union-attr]


def test_it_finds_what_the_program_finds() -> None:
    """`tremble` of the linear program is the same game."""
    value, _ = sequence_lp(sequence_form(small()), tremble=0.05)
    solution = solve(small(), "cfr+", floor=0.05, target=3e-3)
    assert solution.value == pytest.approx(value, abs=6e-3)
    assert solution.exploitability > 0.01  # in the real game, where nobody must
    shares = [min(row.values()) for table in solution.table() for row in table.values()]
    assert min(shares) >= 0.05 - 1e-6
    free = solve(small(), "cfr+", target=3e-3)
    assert abs(free.value - value) > 0.02


def test_best_replies_keep_to_the_floor() -> None:
    """Against a pure reply mixed with the floor, and never more than without one."""
    vector = small()
    free, floored = start(vector, "cfr", store="float64"), start(vector, "cfr", floor=0.1, store="float64")
    assert isinstance(free, VectorCfr)
    assert isinstance(floored, VectorCfr)
    floored.step(3)
    policy = floored.policy()
    within, real = floored.walker.best_values(policy), free.walker.best_values(policy)
    for seat in (0, 1):
        assert within[seat] < real[seat]
    walk = FlooredWalker(vector, 0.0)
    assert walk.best_values(policy) == pytest.approx(real, abs=1e-12)
    assert walk.values(policy) == pytest.approx(free.walker.values(policy), abs=1e-12)
    assert walk.mode == MIX


def test_a_floor_of_nothing_changes_nothing() -> None:
    runs = [start(small(), "cfr", store="float64", **more) for more in ({}, {"floor": 0.0}, {"floor": 1e-15})]
    for run in runs:
        run.step(1)  # then regrets that are 0 but for rounding decide
    arrays = [run.arrays() for run in runs]
    for name, array in arrays[0].items():
        assert (array == arrays[1][name]).all()
        np.testing.assert_allclose(array, arrays[2][name], atol=1e-9)


def forced(game: VectorGame, method: str, store: str, device: str = "cpu") -> VectorCfr:
    """A solver with a floor and some regret for every action, since the rounding of a zero would decide otherwise."""
    solver, rng = VectorCfr(game, PRESETS[method], store=store, floor=0.03, threads=1, device=device), default_rng(3)
    given = solver.arrays()
    for seat in (0, 1):
        regret = rng.uniform(0.01, 0.1, given[f"regret{seat}"].shape)
        for name in (f"{kind}{seat}" for kind in ("regret", "guess") if f"{kind}{seat}" in given):
            given[name] = np.rint(regret * 1e5).astype("int16") if store == "int16" else regret.astype(store)
        if store == "int16":
            given[f"regret_scale{seat}"][:] = 1e-5
    solver.restore(0, given)
    return solver


@compiled
@pytest.mark.parametrize("method", ["dcfr", "pcfr+"])
@pytest.mark.parametrize("name", CHOICES)
def test_the_compiled_walk_forces_actions_as_the_plain_one(name: str, method: str) -> None:
    game = SPOTS[name](True)
    fast, slow = forced(game, method, "float64"), forced(game, method, "float64")
    slow.walker = FlooredWalker(game, 0.03)
    for solver in (fast, slow):
        solver.step(3)
    for key, expected in slow.arrays().items():
        np.testing.assert_allclose(fast.arrays()[key], expected, atol=1e-9, err_msg=key)
    assert fast.best_values() == pytest.approx(slow.best_values(), abs=1e-9)
    assert fast.exploitability() == pytest.approx(slow.exploitability(), abs=1e-9)
    assert fast.measure().best[0] > fast.best_values()[0]  # in the real game nobody must


@compiled
@pytest.mark.parametrize("name", CHOICES)
def test_whole_numbers_are_forced_too(name: str) -> None:
    game = SPOTS[name](True)
    exact, whole = forced(game, "dcfr", "float64"), forced(game, "dcfr", "int16")
    for solver in (exact, whole):
        solver.step(10)
    assert whole.exploitability() == pytest.approx(exact.exploitability(), rel=0.02, abs=1e-4)


@compiled
@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")
@pytest.mark.parametrize(("method", "store"), [("pcfr+", "float64"), ("dcfr", "int16")])
def test_a_gpu_forces_actions_as_the_cpu(method: str, store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels of a device, run on the CPU."""
    monkeypatch.setitem(sys.modules, "cupy", CpuCupy(1 << 30))
    game = SPOTS["limit, two streets"](True)
    cpu, device = forced(game, method, "float64"), forced(game, method, store, "gpu")
    for solver in (cpu, device):
        solver.step(2)
    error = 1e-9 if store == "float64" else 1e-3
    assert device.best_values() == pytest.approx(cpu.best_values(), abs=error)
    assert device.values() == pytest.approx(cpu.values(), abs=error)
    if store == "float64":
        for key, expected in cpu.arrays().items():
            np.testing.assert_allclose(device.arrays()[key], expected, atol=error, err_msg=key)


def test_a_checkpoint_knows_its_floor(tmp_path: Path) -> None:
    file = tmp_path / "run"
    solve(small(), "cfr+", floor=0.05, iterations=2, checkpoint=file)
    again = solve(small(), "cfr+", floor=0.05, iterations=4, checkpoint=file)
    assert again.strategy[0] == pytest.approx(solve(small(), "cfr+", floor=0.05, iterations=4).strategy[0])
    with pytest.raises(UserError):
        solve(small(), "cfr+", floor=0.1, iterations=4, checkpoint=file)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"floor": 1.0}, "less than 1/"),
        ({"floor": -0.1}, "less than 1/"),
        ({"floor": "much"}, "floor must be a number"),
        ({"floor": True}, "floor must be a number"),
        ({"floor": 0.01, "device": "gpu"}, "walked in NumPy: leave out device"),
    ],
)
def test_refusals(options: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        solve(small(), "cfr+", iterations=1, **options)  # type: ignore[arg-type]
