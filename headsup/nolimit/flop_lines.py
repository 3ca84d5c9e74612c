"""The value of seeing a flop: for every betting line that leads to one and every hand, when both follow a shipped
strategy.

The walk of `headsup.games.walk.walk` adds up what a hand earns after a line where the first street ends. Over all
2,554,656 boards that takes minutes of a GPU (133 and 86 s of an H200 for no-limit at 20 and 15 big blinds, 221 for
limit), so it is stored by class of hands:

    python -m headsup.nolimit.flop_lines nolimit-20 --out nolimit-20-lines.npz

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
from headsup.common.errors import DataError, UserError
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.bucketed import BucketStrategy, on_device
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import MIX
from headsup.limit.shipped import shipped as shipped_limit
from headsup.measure.streamed import content
from headsup.nolimit.shipped import STACKS, blueprint_stacks, nolimit_game, shipped_blueprint, shipped_nolimit

DATA = Path(__file__).parent / "data"
NAMES = (
    "limit",
    *(f"nolimit-{stack}" for stack in STACKS),
    *(f"blueprint-{stack}" for stack in blueprint_stacks()),
)  # the strategies that ship


def line_nodes(game: VectorGame) -> AnyArray:
    """The nodes where the first street ends in a deal, in the order of the sums."""
    return np.asarray(game.rounds.deal[game.rounds.deals[0] : game.rounds.deals[1]])


def gpu_line_sums(game: VectorGame, strategy: BucketStrategy, tell: Any = None) -> Floats:
    """[seats, lines, hands]: chips since the start of the hand, summed over the opponent's hands by their reach.

    On a GPU, in float32; `tell` receives the number of finished flops.
    """
    from headsup.games.walk.gpu_buckets import GpuBucketWalker

    walker = GpuBucketWalker(game, on_device(strategy.buckets))
    walker.compile(MIX)
    sums = np.zeros(0)

    def keep(done: int, so_far: Any) -> None:
        nonlocal sums
        sums = np.asarray(so_far, dtype=np.float64)
        if tell is not None:
            tell(done)

    walker.earned(walker.policy(strategy.numbers), MIX, each=keep)
    return sums * game.mass


def lines_path(name: str) -> Path:
    return DATA / f"{name}-lines.npz"


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


def shipped_strategy(name: str) -> BucketStrategy:
    if name not in NAMES:
        raise UserError(f"'{name}' is no strategy that ships: choose one of {', '.join(NAMES)}")
    kind, _, stack = name.partition("-")
    if kind == "blueprint":
        return shipped_blueprint(int(stack))
    if name == "limit":
        game, record = named_game("holdem-limit"), shipped_limit()
    else:
        game, record = nolimit_game(int(stack)), shipped_nolimit(int(stack))
    assert isinstance(game, VectorGame)
    strategy = record.in_game(game)
    assert isinstance(strategy, BucketStrategy)
    return strategy


def main(words: Sequence[str] | None = None) -> None:
    """Make the sums of a shipped strategy and print a line of JSON."""
    parser = argparse.ArgumentParser(prog="python -m headsup.nolimit.flop_lines", description=__doc__)
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(words)
    began, strategy = time.monotonic(), shipped_strategy(args.name)
    sums = gpu_line_sums(strategy.game, strategy)
    save_lines(args.out, class_means(sums), strategy)  # hands of a class agree up to float32 rounding
    print_line(name=args.name, lines=sums.shape[1], seconds=time.monotonic() - began)


if __name__ == "__main__":
    main()
