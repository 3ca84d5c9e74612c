"""What pairs of hand classes win on every flop if the hand is checked down from there.

    python -m headsup.preflop.pairs FILE

writes float32[1755, 2, 169, 169], 400 MB, in some minutes of one core: for a hand of the first class, averaged over the
hands that the flop leaves, how many hands of the second class it meets and how many of these it beats over all turns
and rivers; ties count half. `headsup.preflop.all_flops` uses it to sample what play after the flop adds to this.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_of_combo, holdem_class_sizes
from headsup.cards.combos import combo_masks
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import DataError, plainly
from headsup.equity.holdem.flop_pairs import flop_pairs
from headsup.preflop.chart import Setting

SHAPE = (1755, 2, HOLDEM_CLASSES, HOLDEM_CLASSES)


def class_pairs(flop: AnyArray) -> Floats:
    """[2, 169, 169]: how many hands of each class a hand meets on a flop, and how many of them it beats."""
    known, sizes = flop_pairs(flop), holdem_class_sizes()
    masks = combo_masks(2)[known.hands]
    meet = ((masks[:, None] & masks) == 0).astype(np.float32)
    beats = meet * (1.0 + known.lead.astype(np.float32)) / 2.0
    member = (holdem_class_of_combo()[known.hands][:, None] == np.arange(HOLDEM_CLASSES)).astype(np.float32)
    return np.stack([member.T @ (table @ member) / sizes[:, None] for table in (meet, beats)])


def read_pairs(path: str | Path) -> AnyArray:
    """The file that this module writes, mapped from the disk."""
    try:
        pairs = np.load(path, mmap_mode="r")
    except (OSError, ValueError) as error:
        raise DataError(f"{path} cannot be read: {error}") from None
    if pairs.shape != SHAPE or pairs.dtype != np.float32:
        raise DataError(f"{path} does not have the outcomes of pairs on all flops: make it with this module")
    return np.asarray(pairs)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m headsup.preflop.pairs", description=__doc__)
    parser.add_argument("file", metavar="FILE", help="where to write")
    plainly(lambda: _write(Path(parser.parse_args(words).file)))


def _write(path: Path) -> None:
    flops = Setting(10.0).game.boards.levels[1].cards
    out = np.lib.format.open_memmap(path, "w+", np.float32, SHAPE)
    for number, flop in enumerate(flops):
        out[number] = class_pairs(np.ascontiguousarray(flop[:3]))
    out.flush()


if __name__ == "__main__":
    main()
