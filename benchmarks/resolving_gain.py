"""What re-solving gains: `nolimit`, which re-solves turn and river, and `nolimit:blueprint` play the same opponent with
the same cards and the same random numbers, hand by hand.

    python -m benchmarks.resolving_gain 20 --seconds 600 --first 0 --every 7 --out gain-0.jsonl

Both play alike up to the flop, so only hands that see a turn make a difference. Hands are scored by ranges
(`headsup.play.statistics.ranged`) and in chips. Several processes take every so many pairs of hands, each from its
first one; the files are added up by `python -m benchmarks.resolving_gain 20 --add FILES`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from headsup.common.errors import UserError, plainly
from headsup.play.agents.resolving import TURN
from headsup.play.arena.match import Match
from headsup.play.statistics.interval import fixed
from headsup.play.statistics.ranged import ranged_chips
from headsup.play.table.referee import Referee

PLAYERS = ("nolimit", "nolimit:blueprint")


def pairs(stack: int, other: str, seed: int, first: int, every: int) -> Iterator[tuple[int, list[list[float]]]]:
    """Pair after pair of hands with the same cards: its number, and [players][score] the means of both hands, bb."""
    matches = [Match(name, other, stack=stack, hands=2, seed=seed) for name in PLAYERS]
    agents = [match.agents() for match in matches]
    there = matches[0].table
    referees = [Referee(pair, seed) for pair in agents]
    for referee in referees:
        referee.start(there)
    number = first
    while True:
        means = np.zeros((len(PLAYERS), 2))
        for dealer in (0, 1):
            scores: list[list[float]] = []
            sees_turn = True
            for pair, referee in zip(agents, referees, strict=True):
                if not sees_turn:
                    scores.append(scores[0])  # nothing was solved: the blueprint plays the same
                    continue
                record = referee.play(there, there.deal_number(seed, number), 2 * number + dealer, dealer)
                sees_turn = any(step.street >= TURN and step.seat == dealer for step in record.steps)
                seats = (pair[dealer], pair[1 - dealer])
                sign = (1 - 2 * dealer) / there.unit
                scores.append([sign * ranged_chips(record, seats), sign * float(record.chips[0])])  # type: ignore[arg-type]
            means += np.array(scores) / 2.0
        yield number, means.tolist()
        number += every


def summary(stack: int, means: np.ndarray) -> dict[str, object]:
    """Means and half intervals of both players and of their difference, in big blinds a hand, by both scores."""
    figures: dict[str, object] = {"stack": stack, "hands": 2 * len(means)}
    for column, how in enumerate(("ranges", "plain")):
        resolved, blueprint = means[:, 0, column], means[:, 1, column]
        for name, values in (("nolimit", resolved), ("blueprint", blueprint), ("difference", resolved - blueprint)):
            estimate = fixed(values)
            figures[f"{name}_{how}"] = [
                estimate.mean,
                estimate.half,
                float(values.std(ddof=1)) if len(values) > 1 else None,
            ]
    return figures


def run(quick: bool) -> None:
    """Some hands at 20 big blinds."""
    several = pairs(20, "aggrobot", 2028, 0, 1)
    print(json.dumps(summary(20, np.array([next(several)[1] for _ in range(5 if quick else 200)]))), flush=True)


def main() -> None:
    """The command line of the module."""
    parser = argparse.ArgumentParser(description="What re-solving turn and river gains against an opponent.")
    parser.add_argument("stack", type=int)
    parser.add_argument("--other", default="aggrobot")
    parser.add_argument("--seed", type=int, default=2028)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--add", type=Path, nargs="+", help="files to add up")
    args = parser.parse_args()
    if args.add:
        lines = [json.loads(line) for path in args.add for line in path.read_text().splitlines() if line.endswith("]")]
        if not lines:
            raise UserError("these files hold no hands yet: wait for some, or take others")
        print(json.dumps(summary(args.stack, np.array([means for _, means in lines]))))
        return
    began, kept = time.monotonic(), []
    with open(args.out, "a") if args.out else open("/dev/null", "w") as file:
        for number, means in pairs(args.stack, args.other, args.seed, args.first, args.every):
            kept.append(means)
            rounded = [[round(score, 5) for score in player] for player in means]
            print(json.dumps([number, rounded]), file=file, flush=True)
            if time.monotonic() - began > args.seconds:
                break
    print(json.dumps(summary(args.stack, np.array(kept))))


if __name__ == "__main__":
    plainly(main)
