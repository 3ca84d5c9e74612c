"""Matches of `nolimit` on many cores: against the older blueprint of the nearest stack and against `aggrobot`.

    python -m benchmarks.nolimit_matches 15 20 --jobs 16 --hands 8000 --out matches.jsonl
    python -m benchmarks.nolimit_matches 5 8 10 12 --players nolimit:blueprint --others old
    python -m benchmarks.nolimit_matches 100 --players chart/nolimit:flop --others nolimit:cpu
    python -m benchmarks.nolimit_matches 200 --players lbr:wide --others chart/nolimit:cpu --hands 600
    python -m benchmarks.nolimit_matches --add matches.jsonl

Every deal is played twice, with the seats exchanged, and scored by ranges (`headsup.play.statistics.ranged`). Every
process takes every so many pairs of hands from its first one, so the same seed deals the same cards to all matches,
and the same number of hands gives the same result with any number of processes. `--seconds` stops a match early. A line
of the file is one match; lines of other seeds are added up by `--add`. Means and 95 % CIs are in big blinds per hand,
from the view of the first player.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.errors import UserError, plainly
from headsup.limit.shipped import board_by_board
from headsup.nolimit.opening import Opening
from headsup.nolimit.shipped import STACKS, nolimit_game, shipped_nolimit, shipped_opening
from headsup.play.agents.resolving import BlueprintPlayer
from headsup.play.statistics.interval import fixed
from headsup.play.statistics.ranged import ranged_chips
from headsup.play.table.agent import Agent, introduced, make_agent
from headsup.play.table.referee import Referee
from headsup.play.table.rules import Table, table
from headsup.preflop.shipped import nearest_of

PLAYERS = ("nolimit:blueprint", "nolimit:cpu")
OTHERS = ("old", "aggrobot")
OLD = "old"
"""The older blueprint of the nearest stack, without re-solving; its bets are scaled by the pot."""


CHART = "chart/"
"""Before the name of a `nolimit` agent: before the flop it plays the chart of a deep stack (`shipped_opening`)."""


def player(name: str, there: Table) -> Agent:
    """An agent by name, or the older blueprint."""
    if name.startswith(CHART):
        agent = make_agent(name.removeprefix(CHART), there)
        chart = shipped_opening(there.betting.stacks[0] / there.unit)
        if not isinstance(agent, BlueprintPlayer) or chart is None:
            raise UserError(f"{name} plays no chart of its own here: write {CHART}nolimit:cpu, above 27 big blinds")
        agent.opening = Opening(chart, agent.game.betting)
        return agent
    if name != OLD:
        return make_agent(name, there)
    nearest = nearest_of(there.betting.stacks[0] / there.unit, STACKS)
    game = nolimit_game(nearest)
    return BlueprintPlayer(OLD, game, board_by_board(shipped_nolimit(nearest).in_game(game)), there)


def scores(
    first: str, second: str, stack: float, seed: int, begin: int, every: int, pairs: int, seconds: float
) -> list[float]:
    """The mean of both hands of every so many of the first deals, in big blinds, until the time is over."""
    there = table("holdem-nolimit", stack)
    agents = introduced(player(first, there), player(second, there))
    referee, means = Referee(agents, seed), list[float]()
    referee.start(there)
    until = time.monotonic() + seconds
    for number in range(begin, pairs, every):
        if time.monotonic() > until:
            break
        total = 0.0
        for dealer in (0, 1):
            record = referee.play(there, there.deal_number(seed, number), 2 * number + dealer, dealer)
            seats = agents[dealer], agents[1 - dealer]
            total += (1 - 2 * dealer) * ranged_chips(record, seats) / there.unit
        means.append(round(total / 2.0, 5))
    return means


def summary(first: str, second: str, stack: float, means: Sequence[float]) -> dict[str, Any]:
    """The mean and its interval."""
    measured = fixed(np.array(means))
    about = {"first": first, "second": second, "stack": stack, "hands": 2 * len(means)}
    deviation = round(float(np.std(means, ddof=1)), 3) if len(means) > 1 else None
    return about | {"bb_per_hand": round(measured.mean, 4), "half": round(measured.half, 4), "sd_of_pairs": deviation}


def run(quick: bool) -> None:
    """Some hands at 20 big blinds."""
    for second in OTHERS:
        means = scores(PLAYERS[0], second, 20, 2030, 0, 1, 20 if quick else 200, 600.0)
        print(json.dumps(summary(PLAYERS[0], second, 20, means)), flush=True)


def main() -> None:
    """The command line of the module."""
    parser = argparse.ArgumentParser(description="Matches of nolimit against the older blueprint and aggrobot.")
    parser.add_argument("stacks", type=float, nargs="*", default=[15.0, 20.0])
    parser.add_argument("--players", nargs="+", default=PLAYERS)
    parser.add_argument("--others", nargs="+", default=OTHERS, help=f"agents; {OLD} is the older blueprint")
    parser.add_argument("--hands", type=int, default=1000, help="of every match")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which a match stops early")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=2030)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--add", type=Path, nargs="+", help="files to add up")
    args = parser.parse_args()
    if args.add:
        sums: dict[tuple[str, str, float], list[float]] = defaultdict(list)
        for line in (line for path in args.add for line in path.read_text().splitlines()):
            match = json.loads(line)
            sums[match["first"], match["second"], match["stack"]] += match["means"]
        if not sums:
            raise UserError("these files hold no matches yet: play some, or take others")
        for about, means in sums.items():
            print(json.dumps(summary(*about, means)))
        return
    with ProcessPoolExecutor(args.jobs, mp_context=get_context("spawn")) as pool:
        for stack in args.stacks:
            for first in args.players:
                for second in args.others:
                    how = first, second, stack, args.seed
                    limits = args.hands // 2, args.seconds
                    parts = [pool.submit(scores, *how, job, args.jobs, *limits) for job in range(args.jobs)]
                    means = [mean for part in parts for mean in part.result()]
                    print(json.dumps(summary(first, second, stack, means)), flush=True)
                    if args.out:
                        match = {"first": first, "second": second, "stack": stack, "seed": args.seed, "means": means}
                        with args.out.open("a") as file:
                            print(json.dumps(match), file=file)


if __name__ == "__main__":
    plainly(main)
