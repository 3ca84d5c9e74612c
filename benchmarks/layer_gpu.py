"""Games of betting and boards on a GPU: showdowns a second, and iterations of a river, a turn and a flop spot.

Showdowns are told as a share of a plain pass over the same arrays, which reads one number and writes two for each hand:
the GPU's memory allows no more. An iteration updates both players. The spots are those of
`benchmarks.layer`, and how many iterations to the same exploitability are postflop-solver's (b-inary, Rust; DCFR).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np

from benchmarks.layer import SPOTS, spot
from benchmarks.ten_spots import ten_spots
from headsup.cards import parse_cards
from headsup.common.backend import gpu, gpu_present
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.holdem.vector import VectorGame, holdem_game
from headsup.games.walk.gpu import GpuWalker
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS

PEER_ITERATIONS = {"river": 120, "turn": 210, "flop": 180}
"""What postflop-solver took to 0.1% of the pot."""


def run(quick: bool = False) -> None:
    """Print everything."""
    if not gpu_present():
        print("layer on a GPU: no CUDA device, or the gpu extra is not installed")
        return
    cp = gpu()
    name = cp.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"the layer on {name}", flush=True)
    showdowns(cp, np.float32, 300 if quick else 2000, 64 if quick else 256)
    if not quick:
        showdowns(cp, np.float64, 1000, 256)
    for which in SPOTS:
        game = spot(which)
        for store in ("float32",) if quick else ("float32", "int16"):
            iterations(cp, game, store)


def showdowns(cp: Any, dtype: Any, boards: int, lines: int) -> None:
    """Sorted showdowns of the whole deck, and a plain pass over the same arrays."""
    begun = time.perf_counter()
    rules = Betting(first=(0, 0, 0), stacks=(9, 9), pot=2)
    game = holdem_game("rivers", betting_tree(rules, "a"), root=parse_cards("QsJh2h"), streets=(0, 1, 1), merged=False)
    walker, hands = GpuWalker(game, dtype, memory=1 << 30), game.showdown.sizes[0]
    reach = cp.random.default_rng(1).random((boards, lines, hands), dtype=dtype)
    walker.lines(0, 2, slice(0, boards), reach)
    cp.cuda.Device().synchronize()
    print(f"  {boards:,} rivers ready in {time.perf_counter() - begun:.1f} s", flush=True)
    took = timed(cp, lambda: walker.lines(0, 2, slice(0, boards), reach))
    won, met = cp.empty_like(reach), cp.empty_like(reach)
    plain = cp.ElementwiseKernel("T r", "T w, T m", "w = r * 2; m = r + 1", "plain_pass")
    least = timed(cp, lambda: plain(reach, won, met))
    done, moved = boards * lines, 3 * reach.nbytes
    print(
        f"  {hands:,} hands, {np.dtype(dtype)}: {done / took / 1e6:.1f} million showdowns a second; a plain pass"
        f" {done / least / 1e6:.1f} ({moved / least / 1e12:.2f} TB/s): {took / least:.2f} times its time",
        flush=True,
    )


def iterations(cp: Any, game: VectorGame, store: str) -> None:
    """An iteration of DCFR, its kernels, and how long it takes to 0.1% of the pot."""
    value_there, pot = SPOTS[game.name][0], ten_spots()[game.name].pot
    begun = time.perf_counter()
    solver = VectorCfr(game, PRESETS["dcfr"], store=store, device="gpu")
    solver.step(2)
    cp.cuda.Device().synchronize()
    plan = solver.memory
    print(f"  {game!r}, {store}: ready in {time.perf_counter() - begun:.1f} s")
    print(f"    {plan}, {plan.bytes_a_value:.3g} bytes a value; chunks of {solver.walker.chunks} boards", flush=True)  # type: ignore[attr-defined]
    took = timed(cp, lambda: solver.step(1), 20)
    shares = by_kernel(cp, solver)
    print(f"    {took * 1e3:.3f} ms an iteration; on the device {shares}", flush=True)
    solver = VectorCfr(game, PRESETS["dcfr"], store=store, device="gpu")
    spent, gap = 0.0, np.inf
    while gap > 0.1 and solver.iterations < 400:
        begun = time.perf_counter()
        solver.step(10)
        cp.cuda.Device().synchronize()
        spent += time.perf_counter() - begun
        gap = 100.0 * solver.exploitability() / pot
    value = solver.values()[0]
    print(
        f"    {gap:.3f}% of the pot after {solver.iterations} iterations, {spent:.3f} s; value {value:.3f}"
        f" (postflop-solver: {PEER_ITERATIONS[game.name]}, {value_there})",
        flush=True,
    )


def by_kernel(cp: Any, solver: VectorCfr) -> str:
    """The device's time in each kernel during one iteration."""
    walker = solver.walker
    assert isinstance(walker, GpuWalker)
    spent: list[tuple[str, Any, Any]] = []

    def watched(name: str, kernel: Any) -> Callable[..., None]:
        class Watched:
            max_dynamic_shared_size_bytes = kernel.max_dynamic_shared_size_bytes

            def __call__(self, *arguments: Any, **more: Any) -> None:
                begin, end = cp.cuda.Event(), cp.cuda.Event()
                begin.record()
                kernel(*arguments, **more)
                end.record()
                spent.append((name, begin, end))

        return Watched()

    kept = walker._modules
    walker._modules = {
        kind: {name: watched(name, kernel) for name, kernel in kernels.items()} for kind, kernels in kept.items()
    }
    solver.step(1)
    walker._modules = kept
    cp.cuda.Device().synchronize()
    sums: dict[str, float] = {}
    for name, begin, end in spent:
        sums[name] = sums.get(name, 0.0) + cp.cuda.get_elapsed_time(begin, end)
    return ", ".join(f"{name} {ms:.3f}" for name, ms in sorted(sums.items(), key=lambda pair: -pair[1])) + " ms"


def timed(cp: Any, work: Callable[[], Any], repeats: int = 7) -> float:
    """The median time of some calls, in seconds, after one that is not counted."""
    work()
    cp.cuda.Device().synchronize()
    seconds = []
    for _ in range(repeats):
        begun = time.perf_counter()
        work()
        cp.cuda.Device().synchronize()
        seconds.append(time.perf_counter() - begun)
    return median(seconds)


if __name__ == "__main__":
    run()
