"""A walk on a device against the walk on the CPU, for tests of both kinds of hands."""

from __future__ import annotations

import numpy as np

from headsup.games.holdem.layout import Alike, Rule
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu import GpuWalker
from headsup.games.walk.walk import BEST, LEARN, MIX, Walker
from headsup.solve.holdem.store import Stores

RULE = Rule(0.9, 0.5, 2.0, False, False)


def filled(game: VectorGame, device: str = "cpu", alike: Alike | None = None) -> Stores:
    """Stores with random numbers, the same for every device."""
    stores, rng = Stores(game, "float64", device=device, alike=alike), np.random.default_rng(3)
    stores.restore({name: rng.normal(size=array.shape) for name, array in stores.arrays().items()})
    return stores


def check_same_walks(game: VectorGame, rtol: float, alike: Alike | None = None) -> None:
    """Walks of all modes return the same values and leave the same numbers in the stores."""
    cpu, near = filled(game, alike=alike), filled(game, device="gpu", alike=alike)
    walker, on_gpu = Walker(game, alike=alike), GpuWalker(game, alike=alike)
    for mode in (MIX, BEST, LEARN):
        for seat in (0, 1):
            expected = walker.walk(seat, mode, cpu.policy(average=False), cpu.seats, RULE)
            values = on_gpu.walk(seat, mode, near.policy(average=False), near.seats, RULE)
            np.testing.assert_allclose(values, expected, rtol=rtol, atol=1e-12, err_msg=f"mode {mode}, seat {seat}")
    for key, expected in cpu.arrays().items():
        np.testing.assert_allclose(near.arrays()[key], expected, rtol=rtol, atol=1e-12, err_msg=key)
