"""The strategy of heads-up limit hold'em that ships: 169 - 500 - 500 - 300 buckets, 8 bits a share, 5 MB.

It was solved in its buckets on one H200 in 216 seconds (1,480 iterations of linear CFR on 512 drawn boards a player,
each player against an opponent who replies best on the river: `GpuBucketCfr(.., against_best=True)`), and its
exploitability is exact: best replies that see every card, over all 2,554,656 boards (`headsup measure shipped --device
gpu`), as is what it earns against itself, 86.81 mbb/g for the dealer.

The no-limit blueprints have the same buckets. Those of one flop take a thirtieth of a second to find, so those of all
1,755 ship too, 0.7 MB: `python -m headsup.limit.shipped` makes that file again.
"""

from __future__ import annotations

import zlib
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np

from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.arrays import AnyArray
from headsup.common.files import read_archive, write_archive
from headsup.solve.records.solution import Solution

SHIPPED = "shipped"
"""How commands call it."""
PATH = Path(__file__).parent / "data" / "limit.headsup"
FLOPS = PATH.with_name("limit-flops.npz")
FLOP = 1


@cache
def shipped_limit() -> Solution:
    """The record: `in_game(game("holdem-limit"))` is the strategy, `exploitability` its price."""
    return Solution.load(PATH)


def give_flops(buckets: FeatureBuckets) -> bool:
    """Give buckets the table of all flops that ships, if it is theirs; whether it is."""
    if len(buckets.partitions) <= FLOP or len(buckets.features.hands) != HOLDEM_COUNT:
        return False
    whose, table = _flops()
    found = whose == _whose(buckets)
    if found:
        buckets.give_table(FLOP, 0, table)
    return found


def _whose(buckets: FeatureBuckets) -> str:
    """What tells the flop's buckets from others."""
    parts = [one.arrays() for one in buckets.partitions[FLOP]]
    arrays = [(name, array) for one in parts for name, array in sorted(one.items()) if name != "explained"]
    return sha256(b"".join(name.encode() + array.tobytes() for name, array in arrays)).hexdigest()


@cache
def _flops() -> tuple[str, AnyArray]:
    """Whose the table is, and uint16[flops, 1326]."""
    members, _ = read_archive(FLOPS, "the buckets of all flops")
    whose, table = members["whose"], members["table"]
    assert isinstance(whose, bytes)
    assert isinstance(table, bytes)
    return whose.decode(), np.frombuffer(zlib.decompress(table), dtype="<u2").reshape(-1, HOLDEM_COUNT)


def main() -> None:
    """Make the table of all flops."""
    from headsup.abstraction.hands.spec import restore_buckets
    from headsup.games.catalogue.names import game
    from headsup.games.holdem.vector import VectorGame

    named, played = shipped_limit().buckets, game("holdem-limit")
    assert named is not None
    assert named.text is not None
    assert isinstance(played, VectorGame)
    buckets = restore_buckets(played, named.text, named.parts)
    table = zlib.compress(buckets.table(FLOP).astype("<u2").tobytes(), 9)
    write_archive(FLOPS, {"whose": _whose(buckets).encode(), "table": table})


if __name__ == "__main__":
    main()
