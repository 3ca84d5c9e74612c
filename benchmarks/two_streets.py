"""Hold'em with a flop and nothing after it, all cards, no abstraction: to an exploitability, beside slumbot2019.

The other program is slumbot2019 (C++, CFR+ with vectors over hands and flops up to suits), whose folder, with the
programs in its `bin/`, the environment variable HEADSUP_SLUMBOT names. Two games:

- *pot*: the one of its README, a single bet of the size of the pot on each street, 4 and 12 decisions. Published for
  it: 100 iterations in 70.7 s of two cores, then exploitable for 26.1 mbb/g; its own programs say 26.10 here too.
- *limit*: the betting of limit hold'em, given to it as bets of the least size, which makes the same tree: 8 and 70
  decisions.

It makes 100 iterations and measures them; then headsup goes to the same exploitability or below, and once more. Both
get the same number of threads, those of the process (`taskset -c 0,1 python -m benchmarks two_streets`), one after the
other, and both are told in seconds on the wall and in CPU seconds of all threads, of solving alone: without making the
game, compiling and measuring. Its seconds are those of an iteration, the difference between a longer and a shorter run,
times 100.
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

from headsup.games.catalogue.names import game
from headsup.games.holdem.vector import VectorGame
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import Settings


class Taken(NamedTuple):
    """Seconds of some work."""

    wall: float
    cpu: float


class Race(NamedTuple):
    """A game for both."""

    name: str
    game: str
    betting: str
    """What slumbot2019 reads of it."""


_BETTING = "BettingAbstractionName {}\nLimit false\nAsymmetric false\nMinBet 2\nAlwaysAllIn false\n"
RACES = (
    Race(
        "pot",
        "holdem-nolimit:stack=81,streets=2,menu=100% | preflop cap 2 | flop cap 1",
        _BETTING.format("pot") + "StackSize 162\nMaxBets 1,1\nBetSizes 1.0|1.0\n",
    ),
    Race(
        "limit",
        "holdem-limit:streets=2",
        _BETTING.format("limit") + "StackSize 1000\nMaxBets 3,4\nMinBets 0,1,2;0,1,2,3\nBetSizes 0;0;0|0;0;0;0\n",
    ),
)
TARGET = 26.1
"""mbb/g, where there is nobody to compare with."""
SETTINGS = Settings(positive=2.0, negative=0.0, averaging=3.0)
"""Discounts that took the fewest iterations on 48 flops, of ten tried: dcfr's own take 2 more."""
PEER_ITERATIONS = 100
FILES = {
    "game": "GameName ms1f3\nMaxStreet 1\nNumRanks 13\nNumSuits 4\nNumHoleCards 2\nNumFlopCards 3\nAnte 0\n"
    "SmallBlind 1\nBigBlind 2\nFirstToAct 1,0\nNumPlayers 2\n",
    "cards": "CardAbstractionName none\nBucketings none,none\n",
    "cfr": "CFRConfigName cfrps\nAlgorithm cfrp\nNNR true\nRegretFloors 0,0\nRegretScaling 16,16\n"
    "SumprobScaling 16,16\nSoftWarmup 100\n",
}
"""What slumbot2019 reads beside the betting: the game, no abstraction of cards, and its usual CFR+."""


def run(quick: bool) -> None:
    """Print both programs' seconds and their ratio; `quick` takes a few iterations of each and no more."""
    threads, folder = len(os.sched_getaffinity(0)), os.environ.get("HEADSUP_SLUMBOT")
    chosen = os.environ.get("HEADSUP_RACES", "pot,limit").split(",")
    print(f"{threads} threads" + ("" if folder else "; no HEADSUP_SLUMBOT to compare with"), flush=True)
    for race in (candidate for candidate in RACES if candidate.name in chosen):
        played = game(race.game)
        assert isinstance(played, VectorGame)
        print(repr(played), flush=True)
        target = TARGET
        if folder:
            each, their_price = _theirs(Path(folder), race, threads, quick)
            print(
                f"  slumbot2019: {each.wall:.3g} s on the wall, {each.cpu:.3g} s of CPU time an iteration", flush=True
            )
            total = Taken(*(PEER_ITERATIONS * seconds for seconds in each))
            if not quick:
                target = their_price
                print(
                    f"  slumbot2019: {PEER_ITERATIONS} iterations, {their_price:.4g} mbb/g, {_in_seconds(total)}",
                    flush=True,
                )
        for _ in range(1 if quick else 2):
            ours, spent = _ours(played, threads, target, quick)
            if folder and quick:
                print(f"  an iteration of ours takes {each.cpu * ours / spent.cpu:.2f} x less CPU time")
            elif folder:
                print(
                    f"  to {target:.4g} mbb/g headsup takes {total.wall / spent.wall:.2f} x less time on the wall, "
                    f"{total.cpu / spent.cpu:.2f} x less CPU time",
                    flush=True,
                )


def _in_seconds(taken: Taken) -> str:
    return f"{taken.wall:.4g} s on the wall, {taken.cpu:.4g} s of CPU time"


def _ours(played: VectorGame, threads: int, target: float, quick: bool) -> tuple[int, Taken]:
    """Iterations that were timed, and what they took: all of those to the target, unless quick."""
    small = game("holdem-limit:streets=2,ranks=4")
    assert isinstance(small, VectorGame)
    VectorCfr(small, SETTINGS, threads=threads, alike=True).step(1)  # compiles
    solver, spent = VectorCfr(played, SETTINGS, threads=threads), Taken(0.0, 0.0)
    solver.step(1 if quick else 0)  # the first one also touches all memory for the first time: a part of a whole run
    done = False
    while not done:
        began = Taken(time.perf_counter(), time.process_time())
        solver.step(3 if quick else 16 if not solver.iterations else 2)
        spent = Taken(spent.wall + time.perf_counter() - began.wall, spent.cpu + time.process_time() - began.cpu)
        price = 1000.0 * solver.exploitability() / played.unit
        done = quick or price <= target
        print(f"  headsup: {solver.iterations} iterations, {price:.4g} mbb/g, {_in_seconds(spent)}", flush=True)
    return solver.iterations - (1 if quick else 0), spent


def _theirs(folder: Path, race: Race, threads: int, quick: bool) -> tuple[Taken, float]:
    """What an iteration takes, and the exploitability after all of them, unless quick."""
    programs = folder.resolve() / "bin"
    with tempfile.TemporaryDirectory() as place:
        for name, text in (*FILES.items(), ("betting", race.betting)):
            (Path(place) / name).write_text(text)

        def call(program: str, *words: object) -> tuple[str, Taken]:
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            asked = [str(programs / program), *map(str, words)]
            output = subprocess.run(asked, cwd=place, check=True, capture_output=True, text=True).stdout
            wall, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
            return output, Taken(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)

        files, last = ("game", "cards", "betting", "cfr"), 4 if quick else PEER_ITERATIONS
        call("build_hand_value_tree", "game")
        call("build_betting_tree", "game", "betting")
        short = call("run_cfrp", *files, threads, 1, 1)[1]
        long = call("run_cfrp", *files, threads, 1, last)[1]
        each = Taken(*((b - a) / (last - 1) for a, b in zip(short, long, strict=True)))
        if quick:
            return each, float("nan")
        printed = call("run_rgbr", *files, threads, last, "avg", "raw")[0]
        figure = re.search(r"Exploitability: ([0-9.]+) mbb/g", printed)
        assert figure is not None, printed
        return each, float(figure[1])
