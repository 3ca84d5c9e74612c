"""How often each category is made with swaps by the report's rule, exactly.

What a player ends with depends on no card of the opponent: to the player all unseen cards are alike. So one player's
cards are enough: the first hand, the flop, a new card if the rule swaps there, the turn, a new card if it swaps again,
and the river. On each flop and turn up to suits the paths are counted with inclusion-exclusion for the cards thrown
away (`frequency_kernels`): 48^3 steps instead of the 48^2 x 46 x 45 x 44 paths. A path that does not swap stands for
all new cards that it did not draw, so that all paths weigh the same, and the counts are integers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import comb
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headsup.common.errors import DataError
from headsup.common.files import parsed, read_shipped
from headsup.equity.blocks import map_blocks
from headsup.evaluate.classes import CATEGORIES, classes

DATA = Path(__file__).parent / "data" / "swap_frequencies.txt"
UNUSED = (45 * 44, 44, 44, 1)
"""New cards that a path did not draw, by its swaps: none, on the turn, on the flop, both."""
DEALS = comb(52, 2) * comb(50, 3) * 47 * 46 * 45 * 44
HOLDEM = (23294460, 58627800, 31433400, 6461620, 6180020, 4047644, 3473184, 224848, 41584)
"""Seven cards by category, of all C(52, 7)."""

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Frequencies:
    """Deals by the final category, high card first, and by what was swapped on the way."""

    made: tuple[int, ...]
    """Of `DEALS`."""
    swaps: tuple[int, ...]
    """Deals without a swap, with one on the turn only, on the flop only, and with both."""

    def share(self, category: str) -> float:
        """How often a category is made, 0 to 1."""
        return self.made[CATEGORIES.index(category)] / sum(self.made)


def turn_counts(flop: Sequence[int], turn: int) -> Counts:
    """int64[4, 9]: the paths on a flop and turn by their swaps and final category, unused new cards not counted."""
    from headsup.discards.equity.deals import rule_tables, value_tables
    from headsup.discards.equity.frequency_kernels import count_turn

    out = np.zeros((4, len(CATEGORIES)), dtype=np.int64)
    count_turn((rule_tables(), value_tables()), _category(), np.array([*flop, turn], dtype=np.uint8), out)
    return out


@cache
def _category() -> npt.NDArray[np.uint8]:
    return np.array([0, *(hand.category for hand in classes())], dtype=np.uint8)


def count_frequencies() -> Frequencies:
    """Count them now: two or three minutes of one core."""
    from headsup.cards.boards import BoardTree

    turns = BoardTree((), (0, 3, 1)).levels[2]
    sizes = turns.count.astype(np.int64)

    def work(block: slice) -> npt.NDArray[np.object_]:
        total = np.zeros((4, len(CATEGORIES)), dtype=object)
        for at in range(block.start, block.stop):
            *flop, turn = turns.cards[at].tolist()
            total += int(sizes[at]) * turn_counts(flop, turn).astype(object)
        return total

    parts = map_blocks(work, len(turns), 256)
    return frequencies_of(sum(parts, np.zeros((4, len(CATEGORIES)), dtype=object)))


def frequencies_of(paths: npt.NDArray[np.object_]) -> Frequencies:
    """Paths by swaps and category as deals of equal weight."""
    deals = paths * np.array(UNUSED, dtype=object)[:, None]
    return Frequencies(tuple(deals.sum(axis=0).tolist()), tuple(deals.sum(axis=1).tolist()))


@cache
def frequencies() -> Frequencies:
    """The shipped counts."""
    return parsed(DATA, lambda: parse_frequencies(read_shipped(DATA).decode()), "a table of frequencies")


def parse_frequencies(text: str) -> Frequencies:
    numbers = [int(line.rsplit(" ", 1)[1]) for line in text.splitlines()[1:]]
    known = Frequencies(tuple(numbers[:9]), tuple(numbers[9:]))
    if len(numbers) != 13 or sum(known.made) != DEALS or sum(known.swaps) != DEALS:
        raise DataError("the table of frequencies with swaps is not whole: reinstall headsup")
    return known


def frequencies_text(known: Frequencies) -> str:
    head = f"# Deals of {DEALS} by final category, swapping by the report's rule; then by swaps"
    names = (*CATEGORIES, "no swap", "swap on the turn", "swap on the flop", "swaps on both")
    rows = zip(names, (*known.made, *known.swaps), strict=True)
    return "\n".join([head, *(f"{name} {count}" for name, count in rows)]) + "\n"
