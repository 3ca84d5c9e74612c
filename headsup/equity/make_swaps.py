"""Make the table of equities with swaps that ships: `python -m headsup.equity.make_swaps` (minutes on one core).

Every hand class is dealt DEALS times against a random hand, both players swapping by the report's rule. The interval of
each is then within 0.0005 to either side. Each class has cards of its own from the seed, so parts can be made apart.
"""

from __future__ import annotations

import sys

import numpy as np

from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_name, holdem_class_reps
from headsup.equity.blocks import map_blocks
from headsup.equity.swap_deals import class_holes, deal_counts
from headsup.equity.swap_table import DATA, SwapTable, table_text
from headsup.files import CHECKSUMS, list_checksums, write_text

DEALS = 4_000_000
SEED = 2017


def make(deals: int = DEALS, seed: int = SEED) -> SwapTable:
    """Deal all classes."""
    rows = class_holes(holdem_class_reps())

    def work(block: slice) -> np.ndarray:
        one = int(np.random.SeedSequence([seed, block.start]).generate_state(1, np.uint64)[0])
        print(holdem_class_name(block.start), file=sys.stderr)
        return deal_counts(rows[block], deals, one)

    return SwapTable(np.concatenate(list(map_blocks(work, HOLDEM_CLASSES, 1))), seed)


if __name__ == "__main__":
    write_text(DATA, table_text(make()))
    write_text(DATA.parent / CHECKSUMS, list_checksums(DATA.parent))
