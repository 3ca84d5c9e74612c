"""The range of skill of a ladder of strategies: exact matches, and the longest list in which each beats all before it.

Zinkevich, Bowling and Burch (2007), the technique of the point of 2006 in figure S1, measure how much skill a game has
by the longest list of strategies in which each wins at least epsilon from every earlier one. Here the strategies are
ours: limit hold'em on a small deck, solved in buckets of different sizes, and stopped after different numbers of
iterations. `python -m headsup.papers.bowling2015.skill OUT.json` solves them and plays all pairs, exactly.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.files import write_json
from headsup.games import game
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.papers.section import Rows, Section, stored, written

DATA = Path(__file__).parent / "data" / "skill.json"
GAME = "holdem-limit:ranks=4,suits=3,streets=3,raises=2"
BUCKETS = (1, 2, 3, 5, 10, 20, 40)  # on every street, by hand strength; then no buckets at all
ITERATIONS = 128
STOPPED = (1, 4, 16, 64)  # iterations without buckets
EPSILONS = (0.0, 1.0, 5.0, 10.0, 25.0, 50.0, 100.0)  # mbb/g


def longest(won: Floats, epsilon: float) -> list[int]:
    """The longest list in which each strategy wins more than epsilon from every earlier one.

    `won[i, j]` is what i wins from j. Only strategies that beat all of a list can follow it.
    """

    def after(able: Sequence[int]) -> list[int]:
        best: list[int] = []
        for first in able:
            rest = after([other for other in able if won[other, first] > epsilon])
            if len(rest) + 1 > len(best):
                best = [first, *rest]
        return best

    return after(range(len(won)))


def ladder(played: VectorGame) -> dict[str, tuple[AnyArray, AnyArray]]:
    """The strategies by name, hand by hand for both seats."""
    from headsup.solve import solve

    strategies = {}
    for count in BUCKETS:
        solution = solve(played, buckets="-".join([str(count)] * 3) + ":ehs", iterations=ITERATIONS)
        held = ArrayStrategy.of(played, solution.in_game(played))
        strategies[f"{count} bucket{'s' * (count > 1)} a street"] = held.policy
    for count in (*STOPPED, ITERATIONS):
        text = "no buckets" if count == ITERATIONS else f"{count} iteration{'s' * (count > 1)}"
        strategies[text] = ArrayStrategy(played, solve(played, iterations=count).strategy).policy
    return strategies


def measured() -> dict[str, Any]:
    """All matches of the ladder in mbb/g, and the exploitability of each strategy; exact."""
    from headsup.games.walk.plain import walker

    played = game(GAME)
    assert isinstance(played, VectorGame)
    strategies, walk = ladder(played), walker(played, threads=1)
    policies = [(a.astype(np.float64), b.astype(np.float64)) for a, b in strategies.values()]
    scale = 1000.0 / played.unit
    first = np.array([[walk.values((a[0], b[1]))[0] for b in policies] for a in policies])  # what seat 0 wins
    won = scale * (first - first.T) / 2
    gains = [scale * sum(walk.best_values(policy)) / 2 for policy in policies]
    return {
        "game": GAME,
        "iterations": ITERATIONS,
        "names": list(strategies),
        "exploitability": np.round(gains, 4).tolist(),
        "won": np.round(won, 4).tolist(),
    }


def range_of_skill() -> list[Section]:
    """The matches of the ladder, and its range of skill."""
    kept = stored(DATA)
    names, won = kept["names"], np.array(kept["won"])
    rows: Rows = [
        (name, f"{gain:.1f}", *(("" if i == j else f"{won[i, j]:+.1f}") for j in range(len(names))))
        for i, (name, gain) in enumerate(zip(names, kept["exploitability"], strict=True))
    ]
    title = f"Range of skill: exact matches of a ladder, mbb/g won by the row ({kept['game']})"
    matches = Section(title, ("strategy", "exploitability", *names), rows)
    lists: Rows = []
    for epsilon in EPSILONS:
        chain = longest(won, epsilon)
        lists.append((f"{epsilon:g}", str(len(chain)), "; ".join(names[at] for at in chain)))
    return [matches, written(__file__, "skill", lists)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, metavar="OUT.json")
    write_json(parser.parse_args().out, measured())


if __name__ == "__main__":
    main()
