"""The value of seeing a flop: for every betting line that leads to one and every hand, when both follow the shipped
strategy of limit hold'em.

The walk of `headsup.games.walk.walk` adds up what a hand earns after a line where the first street ends. Over all
2,554,656 boards that takes minutes of a GPU (221 s of an H200), so it is stored by class of hands:

    python -m headsup.limit.flop_lines --out limit-lines.npz

`headsup.play.coach.continuation` computes the values of all preflop decisions from it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from headsup.cards.classes import class_means
from headsup.common.archives import read_archive, write_archive
from headsup.common.arrays import AnyArray, Floats
from headsup.common.display import print_line
from headsup.common.errors import DataError
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.bucketed import BucketStrategy, on_device
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import MIX
from headsup.limit.shipped import shipped
from headsup.measure.streamed import content

PATH = Path(__file__).parent / "data" / "limit-lines.npz"


def line_nodes(game: VectorGame) -> AnyArray:
    """The nodes where the first street ends in a deal, in the order of the sums."""
    return np.asarray(game.rounds.deal[game.rounds.deals[0] : game.rounds.deals[1]])


def gpu_line_sums(strategy: BucketStrategy) -> Floats:
    """[seats, lines, hands]: chips since the start of the hand, summed over the opponent's hands by their reach.

    On a GPU, in float32.
    """
    from headsup.games.walk.gpu_buckets import GpuBucketWalker

    walker = GpuBucketWalker(strategy.game, on_device(strategy.buckets))
    walker.compile(MIX)
    sums = np.zeros(0)

    def keep(_: int, so_far: Any) -> None:
        nonlocal sums
        sums = np.asarray(so_far, dtype=np.float64)

    walker.earned(walker.policy(strategy.numbers), MIX, each=keep)
    return sums * strategy.game.mass


def save_lines(path: Path, sums: Floats, strategy: BucketStrategy) -> None:
    about = json.dumps({"game": strategy.game.name, "strategy": content(strategy)}).encode()
    write_archive(path, {"about.json": about, "sums.npy": sums.astype(np.float32)}, squeeze=True)


def load_lines(path: Path, strategy: BucketStrategy) -> Floats | None:
    """[seats, lines, 169]; None if there is no file, or it belongs to another strategy."""
    if not path.exists():
        return None
    members, sealed = read_archive(path)
    about, sums = members.get("about.json"), members.get("sums.npy")
    if not sealed or about is None or sums is None:
        raise DataError(f"{path.name} did not come with this headsup as it should: reinstall headsup")
    if json.loads(bytes(about))["strategy"] != content(strategy):
        return None
    return np.asarray(sums, dtype=np.float64)


def shipped_strategy() -> BucketStrategy:
    game = named_game("holdem-limit")
    assert isinstance(game, VectorGame)
    strategy = shipped().in_game(game)
    assert isinstance(strategy, BucketStrategy)
    return strategy


def main(words: Sequence[str] | None = None) -> None:
    """Make the sums of the shipped strategy and print a line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m headsup.limit.flop_lines", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(words)
    began, strategy = time.monotonic(), shipped_strategy()
    sums = gpu_line_sums(strategy)
    save_lines(args.out, class_means(sums), strategy)  # hands of a class agree up to float32 rounding
    print_line(lines=sums.shape[1], seconds=time.monotonic() - began)


if __name__ == "__main__":
    main()
