"""Spots to a share of the pot, beside another solver in the same run.

The other solver is any program, named by the environment variable HEADSUP_PEER, that takes

    PEER board oop ip pot stack bets raises float32|int16 target,target,..

and prints a line of JSON for each target: `target`, `iterations`, `seconds` (of solving alone) and `bytes`. It is run
right before ours, on as many threads as it likes to take; `taskset` gives both the same cores. Ours are told without
compiling, which a first run does once, and without making the game.
"""

from __future__ import annotations

import json
import os
import subprocess
import time

from benchmarks.ten_spots import ten_spots
from headsup.games.holdem.spot import Spot
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS
from headsup.spots.solve import METHOD

TARGETS = {"river": (0.005, 0.001, 0.0001), "turn": (0.005, 0.001), "flop": (0.005, 0.003, 0.001)}


def run(quick: bool) -> None:
    """Print both solvers' seconds and their ratios."""
    peer, threads = os.environ.get("HEADSUP_PEER"), len(os.sched_getaffinity(0))
    print(f"spots by {METHOD} on {threads} threads" + ("" if peer else "; no HEADSUP_PEER to compare with"))
    for name, targets in TARGETS.items():
        if quick and name == "flop":
            continue
        spot = ten_spots()[name]
        for store in ("float32", "int16"):
            theirs = _theirs(peer, spot, store, targets) if peer else {}
            for target, (iterations, seconds, size) in _ours(spot, store, targets, threads).items():
                line = f"  {name:5} {store:7} to {target:.2%}: {iterations} iterations, {seconds:.4g} s, {size:,} bytes"
                if target in theirs:
                    other = theirs[target]
                    line += (
                        f"; theirs {other['iterations']}, {other['seconds']:.4g} s, {other['bytes']:,} bytes: "
                        f"ours is {other['seconds'] / seconds:.2f} x as fast"
                    )
                print(line, flush=True)


def _ours(spot: Spot, store: str, targets: tuple[float, ...], threads: int) -> dict[float, tuple[int, float, int]]:
    """For each target: iterations, seconds of solving, bytes. Small spots are solved thrice, and the best is told."""
    reached: dict[float, tuple[int, float, int]] = {}
    game = spot.game()
    for _ in range(1 if len(spot.streets) == 3 else 3):
        first = VectorCfr(game, PRESETS[METHOD], store=store, threads=threads)
        first.step(1)
        del first
        solver, spent, left = VectorCfr(game, PRESETS[METHOD], store=store, threads=threads), 0.0, list(targets)
        while left and solver.iterations < 5000:
            began = time.perf_counter()
            solver.step(10)
            spent += time.perf_counter() - began
            share = solver.exploitability() / spot.pot
            while left and share <= left[0]:
                before = reached.get(left[0], (0, spent, 0))[1]
                reached[left.pop(0)] = solver.iterations, min(spent, before), solver.memory.total
    return reached


def _theirs(peer: str, spot: Spot, store: str, targets: tuple[float, ...]) -> dict[float, dict[str, float]]:
    words = (spot.board, spot.oop, spot.ip, str(spot.pot), str(spot.stacks[0]), spot.bets, spot.raises, store)
    asked = [peer, *words, ",".join(map(str, targets))]
    best: dict[float, dict[str, float]] = {}
    for _ in range(1 if len(spot.streets) == 3 else 3):
        lines = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.splitlines()
        for result in filter(lambda parsed: "target" in parsed, map(json.loads, lines)):
            if result["target"] not in best or result["seconds"] < best[result["target"]]["seconds"]:
                best[result["target"]] = result
    return best
