"""The shipped strategy of heads-up limit hold'em: 169 - 2,000 - 2,500 - 1,900 buckets, 4 bits per probability, 9 MB.

It was solved on one H200 in 300 seconds (12,610 iterations of linear CFR with quadratic averages on 64 sampled boards a
player, each against a best response on the river: `GpuBucketCfr(.., against_best=True)`). Its exploitability is exact,
and so is its value for the dealer, 87.16 mbb/g. `python -m headsup.limit.shipped` makes the table of its buckets on all
flops again.
"""

import zlib
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from headsup.abstraction.hands.buckets import FeatureBuckets, SingleBoards
from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.archives import read_archive, write_archive
from headsup.common.arrays import AnyArray
from headsup.games.betting.rules import FLOP
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import Strategy
from headsup.solve.records.solution import Solution

SHIPPED = "shipped"  # how commands call it
PATH = Path(__file__).parent / "data" / "limit.headsup"
FLOPS = PATH.with_name("limit-flops.npz")
OLDER_FLOPS = PATH.with_name("older-flops.npz")  # of the older no-limit blueprints, which matches and files may use


@cache
def shipped() -> Solution:
    """The shipped record: `in_game(game("holdem-limit"))` is its strategy."""
    return Solution.load(PATH)


def give_flops(buckets: FeatureBuckets) -> bool:
    """Give buckets the shipped table of all flops, if one belongs to them; return whether one does."""
    if len(buckets.partitions) <= FLOP or len(buckets.features.hands) != HOLDEM_COUNT:
        return False
    owner = _whose(buckets)
    for path in (FLOPS, OLDER_FLOPS):
        if _packed_flops(path)[0] == owner:
            buckets.give_table(FLOP, 0, _flops(path))
            return True
    return False


def board_by_board(strategy: Strategy) -> Strategy:
    """The same strategy with buckets computed for single boards: tables of all boards take minutes."""
    if isinstance(strategy, BucketStrategy) and isinstance(strategy.buckets, FeatureBuckets):
        give_flops(strategy.buckets)
        return BucketStrategy(strategy.game, SingleBoards(strategy.buckets), strategy.numbers)
    return strategy


def _whose(buckets: FeatureBuckets) -> str:
    """What distinguishes the flop's buckets from others."""
    parts = [part.arrays() for part in buckets.partitions[FLOP]]
    arrays = [(name, array) for part in parts for name, array in sorted(part.items()) if name != "explained"]
    return sha256(b"".join(name.encode() + array.tobytes() for name, array in arrays)).hexdigest()


@cache
def _packed_flops(path: Path) -> tuple[str, bytes]:
    """The owner of a table of all flops, and the compressed table."""
    members, _ = read_archive(path, "the buckets of all flops")
    whose, table = members["whose"], members["table"]
    assert isinstance(whose, bytes)
    assert isinstance(table, bytes)
    return whose.decode(), table


@cache
def _flops(path: Path) -> AnyArray:
    """uint16[flops, 1326]: the bucket of every hand on every flop."""
    return np.frombuffer(zlib.decompress(_packed_flops(path)[1]), dtype="<u2").reshape(-1, HOLDEM_COUNT)


def main() -> None:
    """Make the table of all flops."""
    from headsup.abstraction.hands.spec import restore_buckets
    from headsup.games.catalogue.names import game
    from headsup.games.holdem.vector import VectorGame

    named, played = shipped().buckets, game("holdem-limit")
    assert named is not None
    assert named.text is not None
    assert isinstance(played, VectorGame)
    buckets = restore_buckets(played, named.text, named.parts)
    table = zlib.compress(buckets.table(FLOP).astype("<u2").tobytes(), 9)
    write_archive(FLOPS, {"whose": _whose(buckets).encode(), "table": table})


if __name__ == "__main__":
    main()
