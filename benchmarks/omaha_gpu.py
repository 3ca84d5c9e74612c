"""Omaha after the flop on a GPU: the cost of a showdown beside a pass over memory, and spots of every street.

A plain pass reads one number and writes two for each hand and line. Spots are solved to a fraction of the pot; times
are those of the iterations, after one that compiles, and the last figure is measured in double precision.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from benchmarks.layer_gpu import by_kernel, timed
from benchmarks.omaha import RIVER, TURN, sharing, spot
from headsup.common.backend import gpu, gpu_present
from headsup.games.holdem.spot import Spot
from headsup.games.walk.gpu import GpuWalker
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS
from headsup.spots.solve import METHOD

EVERY = 10  # iterations between two looks at the exploitability


def flop(hands: str, game: str) -> Spot:
    """Two suits, a stack of three pots, one bet size, raises all-in."""
    return Spot("Qs8s4h", hands, hands, 60, 180, bets="pot", raises="a", variant=game, betting="no-limit")


def run(quick: bool) -> None:
    """Print every figure; `quick` leaves out the flops."""
    if not gpu_present():
        print("Omaha on a GPU: no CUDA device, or the gpu extra is not installed")
        return
    cp = gpu()
    print(f"Omaha on {cp.cuda.runtime.getDeviceProperties(0)['name'].decode()}", flush=True)
    for game in ("omaha", "omaha8"):
        showdowns(cp, game)
    solving(cp, spot(RIVER, "*", "omaha"), 0.005)
    solving(cp, spot(TURN, "20%", "omaha"), 0.005)
    solving(cp, spot(TURN, "20%", "omaha8"), 0.005)
    sharing("gpu")
    if not quick:
        solving(cp, flop("10%", "omaha"), 0.01)
        solving(cp, flop("20%", "omaha"), 0.01, "int16")


def showdowns(cp: Any, game: str, lines: int = 32) -> None:
    """All rivers of a turn, with ranges of 20 %."""
    form = spot(TURN, "20%", game).game()
    boards, hands = form.boards.sizes()[1], form.showdown.sizes[0]
    reach = cp.random.default_rng(1).random((boards, lines, hands), dtype=np.float32)
    walker = GpuWalker(form, np.float32)
    took = timed(cp, lambda: walker.lines(0, 1, slice(0, boards), reach))
    won, met = cp.empty_like(reach), cp.empty_like(reach)
    plain = cp.ElementwiseKernel("T r", "T w, T m", "w = r * 2; m = r + 1", "plain_pass")
    least = timed(cp, lambda: plain(reach, won, met))
    each = boards * lines * hands
    print(
        f"  {game}, {hands:,} hands, {boards} boards, {lines} lines: {took * 1e3:.2f} ms, "
        f"{took / each * 1e12:.1f} ps a hand and line; memory alone {least / each * 1e12:.2f} ps, "
        f"{took / least:.1f} x that",
        flush=True,
    )


def solving(cp: Any, asked: Spot, target: float, store: str = "float32", most: int = 300) -> None:
    """The time of an iteration by kernel, and the time to the target."""
    form, began = asked.game(), time.perf_counter()
    solver = VectorCfr(form, PRESETS[METHOD], store=store, device="gpu")
    solver.step(1)
    cp.cuda.Device().synchronize()
    print(f"  {form!r}, {store}: ready in {time.perf_counter() - began:.1f} s; {solver.memory}", flush=True)
    print(f"    one iteration on the device: {by_kernel(cp, solver)}", flush=True)
    fraction = np.inf
    spent = looked = 0.0
    while fraction > target and solver.iterations < most:
        began = time.perf_counter()
        solver.step(EVERY)
        cp.cuda.Device().synchronize()
        now = time.perf_counter()
        fraction = solver.exploitability() / asked.pot
        spent, looked = spent + now - began, looked + time.perf_counter() - now
    began = time.perf_counter()
    exact = solver.measure().exploitability / asked.pot
    print(
        f"    {fraction:.3%} of the pot after {solver.iterations} iterations in {spent:.2f} s, and {looked:.2f} s "
        f"of looking; in double precision {exact:.3%}, {time.perf_counter() - began:.1f} s; the pool holds "
        f"{cp.get_default_memory_pool().total_bytes() / 1e9:.1f} GB",
        flush=True,
    )
    del solver
    cp.get_default_memory_pool().free_all_blocks()
