"""Limit hold'em with a flop and nothing after it, all cards, no abstraction: to an exploitability, beside slumbot2019.

The other program is slumbot2019 (C++, CFR+ with vectors over hands and flops up to suits), whose folder, with the
programs in its `bin/`, the environment variable HEADSUP_SLUMBOT names. Its betting is given as bets of the least size,
which makes the same tree: 8 and 70 decisions. Both get the same number of threads, one after the other in the same run,
and both are told in seconds on the wall and in CPU seconds of all threads, of solving alone: without making the game,
compiling and measuring. Its seconds an iteration are the difference between a longer and a shorter run.

Published for it: 100 iterations in 70.7 s of two cores, then exploitable for 26.1 mbb/g.
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from headsup.games.catalogue import game
from headsup.games.vector import VectorGame
from headsup.solve.cfr import Settings
from headsup.solve.vector import VectorCfr

GAME = "holdem-limit:streets=2"
TARGET = 26.1
SETTINGS = Settings(positive=2.0, negative=0.0, averaging=3.0)
"""Discounts that took the fewest iterations on 48 flops, of ten tried: dcfr's own take 2 more."""
PEER_ITERATIONS = 100
FILES = {
    "game": "GameName ms1f3\nMaxStreet 1\nNumRanks 13\nNumSuits 4\nNumHoleCards 2\nNumFlopCards 3\nAnte 0\n"
    "SmallBlind 1\nBigBlind 2\nFirstToAct 1,0\nNumPlayers 2\n",
    "cards": "CardAbstractionName none\nBucketings none,none\n",
    "betting": "BettingAbstractionName limit\nLimit false\nStackSize 1000\nAsymmetric false\nMinBet 2\nMaxBets 3,4\n"
    "AlwaysAllIn false\nMinBets 0,1,2;0,1,2,3\nBetSizes 0;0;0|0;0;0;0\n",
    "cfr": "CFRConfigName cfrps\nAlgorithm cfrp\nNNR true\nRegretFloors 0,0\nRegretScaling 16,16\n"
    "SumprobScaling 16,16\nSoftWarmup 100\n",
}
"""What slumbot2019 reads: the game, no abstraction of cards, the betting, and its usual CFR+."""


class Taken(NamedTuple):
    """Seconds of some work."""

    wall: float
    cpu: float


def run(quick: bool) -> None:
    """Print both programs' seconds and their ratio; `quick` takes a few iterations of each and no more."""
    threads, folder = len(os.sched_getaffinity(0)), os.environ.get("HEADSUP_SLUMBOT")
    played = game(GAME)
    assert isinstance(played, VectorGame)
    print(f"{played!r} on {threads} threads" + ("" if folder else "; no HEADSUP_SLUMBOT to compare with"), flush=True)
    ours, spent = _ours(played, threads, quick)
    if not folder:
        return
    each, found = _theirs(Path(folder), threads, quick)
    print(f"  slumbot2019: {each.wall:.3g} s on the wall, {each.cpu:.3g} s of CPU time an iteration", flush=True)
    if quick:
        print(f"  an iteration of ours takes {each.cpu * ours / spent.cpu:.2f} x less CPU time")
        return
    total = Taken(*(PEER_ITERATIONS * one for one in each))
    print(
        f"  slumbot2019: {PEER_ITERATIONS} iterations, {found:.4g} mbb/g, {total.wall:.4g} s on the wall, "
        f"{total.cpu:.4g} s of CPU time; to {TARGET} mbb/g ours takes {total.wall / spent.wall:.2f} x less time on the "
        f"wall, {total.cpu / spent.cpu:.2f} x less CPU time"
    )


def _ours(played: VectorGame, threads: int, quick: bool) -> tuple[int, Taken]:
    """Iterations that were timed, and what they took: all of those to the target, unless quick."""
    VectorCfr(game(f"{GAME},ranks=4"), SETTINGS, threads=threads).step(1)  # type: ignore[arg-type]  # compiles
    solver, spent = VectorCfr(played, SETTINGS, threads=threads), Taken(0.0, 0.0)
    solver.step(1 if quick else 0)  # the first one also touches all memory for the first time: a part of a whole run
    done = False
    while not done:
        began = Taken(time.perf_counter(), time.process_time())
        solver.step(3 if quick else 16 if not solver.iterations else 2)
        spent = Taken(spent.wall + time.perf_counter() - began.wall, spent.cpu + time.process_time() - began.cpu)
        price = 1000.0 * solver.exploitability() / played.unit
        done = quick or price <= TARGET
        print(
            f"  headsup: {solver.iterations} iterations, {price:.4g} mbb/g, {spent.wall:.4g} s on the wall, "
            f"{spent.cpu:.4g} s of CPU time",
            flush=True,
        )
    return solver.iterations - (1 if quick else 0), spent


def _theirs(folder: Path, threads: int, quick: bool) -> tuple[Taken, float]:
    """What an iteration takes, and the exploitability after all of them, unless quick."""
    programs = folder.resolve() / "bin"
    with tempfile.TemporaryDirectory() as place:
        for name, text in FILES.items():
            (Path(place) / name).write_text(text)

        def call(program: str, *words: object) -> tuple[str, Taken]:
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            asked = [str(programs / program), *map(str, words)]
            told = subprocess.run(asked, cwd=place, check=True, capture_output=True, text=True).stdout
            wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
            return told, Taken(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

        files, last = ("game", "cards", "betting", "cfr"), 4 if quick else PEER_ITERATIONS
        call("build_hand_value_tree", "game")
        call("build_betting_tree", "game", "betting")
        short = call("run_cfrp", *files, threads, 1, 1)[1]
        long = call("run_cfrp", *files, threads, 1, last)[1]
        each = Taken(*((b - a) / (last - 1) for a, b in zip(short, long, strict=True)))
        if quick:
            return each, float("nan")
        told = call("run_rgbr", *files, threads, last, "avg", "raw")[0]
        found = re.search(r"Exploitability: ([0-9.]+) mbb/g", told)
        assert found is not None, told
        return each, float(found[1])
