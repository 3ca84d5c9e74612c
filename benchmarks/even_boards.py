"""Boards drawn evenly against boards drawn at random: exploitability after equally many iterations.

    python -m benchmarks.even_boards [--game holdem-limit:ranks=6,streets=2] [--sample 4] [--seed 1]

Learning sees every hand of the drawn boards, without abstraction, so exploitability only says how far learning is. Both
runs draw each board as often as it comes.
"""

import argparse
from collections.abc import Iterator, Sequence

import numpy as np

from headsup.games import game
from headsup.games.holdem.sampled import BoardSampler, boards_below
from headsup.games.holdem.vector import VectorGame
from headsup.solve.holdem.bucketed import start_bucketed

GAME, LOOKS = "holdem-limit:ranks=6,streets=2", (100, 200, 400, 800, 1600)


class Random(BoardSampler):
    """Draws boards at random."""

    def numbers(self, seed: int, seat: int, iteration: int) -> list[np.ndarray]:
        random, numbers = np.random.default_rng([seed, iteration, seat]), [np.zeros(1, dtype=np.int64)]
        for s, n in enumerate(self.counts):
            above = np.repeat(numbers[-1], n)
            numbers.append(boards_below(self.game, s, above, random.random(len(above)))[0])
        return numbers


def learn(
    played: VectorGame, sampler: type[BoardSampler], sample: int, seed: int, looks: Sequence[int]
) -> Iterator[float]:
    """mbb/g after so many iterations, exact."""
    solver = start_bucketed(played, "dcfr", seed, {"buckets": "*", "sample": sample})
    solver._boards = sampler(played, sample)
    for n in looks:
        solver.step(n - solver.iterations)
        yield 1000 * solver.exploitability() / played.unit


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default=GAME)
    parser.add_argument("--sample", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--looks", type=int, nargs="+", default=LOOKS)
    asked = parser.parse_args(arguments)
    compare(asked.game, asked.sample, asked.seed, asked.looks)


def run(quick: bool) -> None:
    compare(GAME, 4, 1, LOOKS[:3] if quick else LOOKS)


def compare(text: str, sample: int, seed: int, looks: Sequence[int]) -> None:
    played = game(text)
    print(f"{text}: {sample} boards for each player and iteration, dcfr; exact mbb/g")
    print("iterations  at random    evenly   ratio")
    runs = [learn(played, sampler, sample, seed, looks) for sampler in (Random, BoardSampler)]
    for n, random, evenly in zip(looks, *runs, strict=True):
        print(f"{n:10,} {random:10.2f} {evenly:9.2f} {random / evenly:7.2f}", flush=True)


if __name__ == "__main__":
    main()
