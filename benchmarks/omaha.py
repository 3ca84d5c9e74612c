"""Omaha after the flop: the cost of a showdown beside the limit of the memory, and spots solved to 0.5 % of the pot.

A showdown of four-card hands counts sets of at most three cards; the limit is a pass that reads the reach and writes
both answers. Times are CPU time of one core for showdowns and for iterations with and without shared columns, and wall
and CPU time of two threads for spots.
"""

from __future__ import annotations

import time

from benchmarks.layer import showdown_seconds
from headsup.common.backend import gpu
from headsup.games.holdem.spot import Spot
from headsup.solve.holdem.vector import shares_columns, start_vector
from headsup.spots.solve import METHOD, solve_spot, spot_memory

TURN = "As8d7c3h"
RIVER = "Ks8d7c3hQs"
BETS = {TURN: "pot", RIVER: "50%, a"}
SPOTS = ((RIVER, "20%", "omaha"), (RIVER, "20%", "omaha8"), (RIVER, "*", "omaha"), (TURN, "20%", "omaha"))


SUITS = (  # boards by their suits, and ranges: the narrower the more boards there are
    ("river, one suit", "KsQs8s7s3s", "*"),
    ("river, two suits", "KsQs8s7d3d", "*"),
    ("river, three suits", "KsQs8s7d3h", "*"),
    ("turn, one suit", "As8s7s3s", "20%"),
    ("turn, two suits", "As8s7d3d", "20%"),
    ("turn, three suits", "As8s7d3h", "20%"),
    ("flop, one suit", "Qs8s4s", "3%"),
    ("flop, two suits", "Qs8s4h", "3%"),
    ("flop, three suits", "Qs8d4h", "3%"),
)


def spot(board: str, hands: str, game: str) -> Spot:
    return Spot(board, hands, hands, 100, 300, bets=BETS.get(board, "pot"), variant=game)


def run(quick: bool) -> None:
    """Print every figure; `quick` leaves out wide ranges and the turn."""
    showdowns(quick)
    for board, hands, game in SPOTS[:1] if quick else SPOTS:
        solving(board, hands, game)
    sharing("cpu", SUITS[:3] if quick else SUITS)


def sharing(device: str, boards: tuple[tuple[str, str, str], ...] = SUITS) -> None:
    """What an iteration takes where hands that differ only in suits that do not matter share a column."""
    print(f"an iteration on the {device}, each hand with a column of its own, and hands that are alike with one")
    for name, board, hands in boards:
        form = spot(board, hands, "omaha").game()
        for alike in (False, True):
            options = {"alike": alike, "device": device} | ({"threads": 1} if device == "cpu" else {})
            solver, took = start_vector(form, METHOD, options), []
            solver.step(1)
            for _ in range(3):
                began = time.process_time() if device == "cpu" else time.perf_counter()
                solver.step(1)
                if device == "gpu":
                    gpu().cuda.Device().synchronize()
                took.append((time.process_time() if device == "cpu" else time.perf_counter()) - began)
            print(
                f"  {name}, {hands} of hands, {'shared' if alike else 'apart '}: {min(took) * 1e3:9.2f} ms; "
                f"{solver.memory.values:,} numbers, {solver.memory}; by default {shares_columns(form, device=device)}",
                flush=True,
            )
            del solver  # before the next one takes its memory


def showdowns(quick: bool) -> None:
    print("showdowns of four-card hands, float32, CPU time of one core")
    for game in ("omaha", "omaha8"):
        for hands in ("5%",) if quick else ("5%", "20%", "*"):
            form = spot(TURN, hands, game).game()
            for lines in (1, 16, 64) if hands != "*" else (16,):
                seconds, least = showdown_seconds(form, lines, 2 if quick else 6, quick)
                size = form.showdown.sizes[0]
                print(
                    f"  {game:6} {size:7,} hands, {lines:2} lines: {seconds * 1e3:7.3f} ms a line, "
                    f"{seconds / size * 1e9:6.2f} ns a hand and line; memory alone {least / size * 1e9:5.2f} ns, "
                    f"{seconds / least:5.1f} x that"
                )


def solving(board: str, hands: str, game: str) -> None:
    asked = spot(board, hands, game)
    solve_spot(asked, iterations=1, target=None, threads=2)  # compiles
    began = time.perf_counter(), time.process_time()
    answer = solve_spot(asked, threads=2)
    wall, core = time.perf_counter() - began[0], time.process_time() - began[1]
    print(
        f"{game} {board}, {hands}: {answer.exploitability_pot:.3%} of the pot in {answer.iterations} iterations, "
        f"{wall:.1f} s on the wall and {core:.1f} s of CPU time, measuring and all; {spot_memory(asked, threads=2)}"
    )
