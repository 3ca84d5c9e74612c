"""The hold'em layer: sorted showdowns, CFR iterations of a river, a turn and a flop spot, and bytes a stored value.

The spots and postflop-solver's figures for them (Rust, DCFR, two ARM cores): an iteration of the flop spot in 0.95 s of
both cores, 877,200,480 bytes in float32 and 456,514,530 in int16. Values at the end are compared with its own.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.engine import best
from benchmarks.ten_spots import ten_spots
from headsup.cards.cards import parse_cards
from headsup.cards.combos import holdem_combos
from headsup.common.backend import jit
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.holdem.layout import aligned, new_showdown_buffers, tiled
from headsup.games.holdem.showdown import CardShowdown
from headsup.games.holdem.showdown_kernels import against_lines
from headsup.games.holdem.vector import VectorGame, holdem_game
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS

SPOTS = {  # value out of position, equity, root frequencies by postflop-solver
    "river": (92.773, 0.516174, (0.687, 0.313, 0.0)),
    "turn": (92.694, 0.530603, (0.922, 0.078, 0.0)),
    "flop": (98.166, 0.540917, (0.581, 0.419)),
}
PEER_SECONDS, PEER_CORES = 0.95, 2
PEER_BYTES = {"float32": 877_200_480, "int16": 456_514_530}


def run(quick: bool) -> None:
    """Print every figure; `quick` leaves out the flop spot and most repetitions."""
    showdowns(quick)
    for name in ("river", "turn") if quick else tuple(SPOTS):
        iterations(name, quick)
    answers(quick)


def spot(name: str) -> VectorGame:
    """One of the three spots."""
    return replace(ten_spots()[name].game(), name=name)


@jit
def _pass(reach: Any, won: Any, met: Any) -> None:
    """Read reach once, write won and met once: the least that a showdown must do with memory."""
    for line in range(reach.shape[0]):
        for h in range(reach.shape[1]):
            won[line, h] = reach[line, h]
            met[line, h] = reach[line, h]


def showdowns(quick: bool) -> None:
    """Sorted showdowns a second, boards x lines, beside a plain pass over the same arrays."""
    print(
        "sorted showdowns, float32, CPU time of one core; a showdown is one line on one board, all hands of both sides"
    )
    rng = np.random.default_rng(0)
    betting = betting_tree(Betting(first=(0, 0), stacks=(1, 1), pot=2), "a")
    turn = parse_cards("Td9d6hQc")
    possible = np.flatnonzero(~np.isin(holdem_combos(), turn).any(axis=1))
    for hands in (300, len(possible)):
        ranges = (np.zeros(1326), np.zeros(1326))
        for weights in ranges:
            weights[rng.choice(possible, hands, replace=False)] = 1.0
        game = holdem_game("showdowns", betting, root=turn, streets=(0, 1), ranges=ranges, merged=False)
        for lines in (1, 16, 64, 256):
            seconds, least = showdown_seconds(game, lines, 8 if quick else 48, quick)
            print(
                f"  {hands:5,} x {hands:5,} hands, {lines:3} lines: {1 / seconds:11,.0f} a second, "
                f"{seconds * 1e9:7,.0f} ns each, {seconds / least:5.1f} x a plain pass over the same arrays"
            )


def showdown_seconds(game: VectorGame, lines: int, boards: int, quick: bool) -> tuple[float, float]:
    """Seconds of one line on one board, and of reading its reach and writing its answers; each board has its own.

    The boards are those of the second street.
    """
    rng, showdown = np.random.default_rng(1), game.showdown
    assert isinstance(showdown, CardShowdown)
    arrays, sizes, rows = showdown.arrays, showdown.sizes, np.arange(lines, dtype=np.int32)
    buffers = new_showdown_buffers(0, sizes, np.float32, showdown.sets)
    reach = rng.random((boards, lines + 1, sizes[1]), dtype=np.float32)
    shape = (boards * tiled(lines), tiled(sizes[0]))
    won, met = (aligned(shape, np.float32).reshape(boards, -1, shape[1]) for _ in range(2))

    def work() -> None:
        for b in range(boards):
            against_lines(reach[b], rows, lines, arrays, 1 + b, 0, buffers._replace(beaten=won[b], met=met[b]))

    def plain() -> None:
        for b in range(boards):
            _pass(reach[b, :-1], won[b], met[b])

    return _timed(work, quick) / boards / lines, _timed(plain, quick) / boards / lines


def _timed(work: Callable[[], None], quick: bool) -> float:
    work()
    return best(3 if quick else 12, time.thread_time, work)


def iterations(name: str, quick: bool) -> None:
    """An iteration of both players, by threads and stores, and the memory of the stores."""
    start = time.process_time()
    game = spot(name)
    _ = game.showdown.arrays  # type: ignore[attr-defined]
    print(f"{game!r}; made in {time.process_time() - start:.2f} s of CPU time")
    for store in ("float32", "int16"):
        for threads in (1, 2):
            cfr = VectorCfr(game, PRESETS["dcfr"], store=store, threads=threads)
            cfr.step(2)
            n, repeats = {"river": (50, 20), "turn": (3, 10), "flop": (1, 4)}[name]
            times = []
            for _ in range(3 if quick else repeats):
                began = time.perf_counter(), time.process_time()
                cfr.step(n)
                times.append((time.perf_counter() - began[0], time.process_time() - began[1]))
            wall, core = (min(taken) / n for taken in zip(*times, strict=True))
            peer = ""
            if name == "flop":
                peer = (
                    f"; postflop-solver / headsup: {PEER_SECONDS / wall:.1f} x the wall time, "
                    f"{PEER_SECONDS * PEER_CORES / core:.1f} x the CPU time, "
                    f"{PEER_BYTES[store] / cfr.memory.total:.2f} x the memory"
                )
            print(
                f"  dcfr {store:7} {threads} threads: {wall * 1e3:8.2f} ms on the wall, {core * 1e3:8.2f} ms of CPU "
                f"time an iteration; {cfr.memory.values:,} values of {cfr.memory.bytes_a_value:.2f} bytes{peer}"
            )


def answers(quick: bool) -> None:
    """Solve the spots and put the answers beside the other solver's."""
    print("answers; postflop-solver's in brackets")
    for name in ("river",) if quick else tuple(SPOTS):
        (value, equity, root), pot = SPOTS[name], ten_spots()[name].pot
        game, target = spot(name), 0.005 if name == "flop" else 0.001
        cfr = VectorCfr(game, PRESETS["dcfr"])
        cfr.step(0)
        began = time.perf_counter()
        while cfr.iterations < 1000:
            cfr.step(10)
            gain = cfr.exploitability() / pot
            if gain <= target:
                break
        seconds = time.perf_counter() - began
        shares = ", ".join(
            f"{mine:.1%} ({theirs:.1%})" for mine, theirs in zip(_root_shares(game, cfr), root, strict=True)
        )
        print(
            f"  {name:5} {cfr.iterations} iterations and {seconds:.3g} s to {gain:.2%} of the pot: value "
            f"{cfr.values()[0]:.3f} ({value}), equity {_equity(game):.4%} ({equity:.4%}), root {shares}"
        )


def _root_shares(game: VectorGame, cfr: VectorCfr) -> Any:
    """How often each action is taken at the root, each hand as often as it is dealt."""
    met = game.showdown.lines(0, 0, 0, game.weights[1][None], 0)[1][0]
    dealt = game.weights[0] * met
    return cfr.strategy().rows(0, game.board(0, 0)) @ dealt / dealt.sum()


def _equity(game: VectorGame) -> float:
    """What the first player wins of the pot without any betting."""
    last, won, met = game.streets - 1, 0.0, 0.0
    for b, copies in enumerate(game.boards.levels[last].count):
        alive = game.showdown.alive(1, last, b)
        reach = np.zeros((1, game.showdown.sizes[1]))
        reach[0, alive] = game.weights[1][alive]
        here = game.showdown.lines(0, last, b, reach, 1)
        won += copies * float(game.weights[0] @ here[0][0])
        met += copies * float(game.weights[0] @ here[1][0])
    return won / met


if __name__ == "__main__":
    run("--quick" in sys.argv)
