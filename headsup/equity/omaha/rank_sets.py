"""Omaha range against range before the flop, from the part of the matchup table that the two ranges need.

Two hand classes meet in exactly one rank set, the eight ranks of both: aces against kings need 1,794 of the 120,055.
Each is computed with all outcomes, weighted and dropped; threads share the list.
"""

from __future__ import annotations

from threading import local
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import card_classes, omaha_class_of_combo, rank_multisets
from headsup.common.progress import Watch
from headsup.equity.blocks import map_blocks
from headsup.equity.question import Ints, Question, Side

if TYPE_CHECKING:
    from headsup.equity.omaha.matchups.ranksets import Blocks

MILLISECONDS = (0.0, 0.0, 2.0, 3.0, 5.0, 9.0, 18.0, 40.0, 90.0)
"""What a rank set takes with all outcomes on one core, by how many different ranks it has."""
_SCOOP_TO_LOSE = 5


def needed_rank_sets(question: Question) -> npt.NDArray[np.uint8]:
    """uint8[n, 8]: the ranks of every hand of one range together with every hand of the other, each once."""
    keys = np.unique(_rank_keys(question.a)[:, None] + _rank_keys(question.b)[None, :])
    counts = keys[:, None] >> 4 * np.arange(13) & 15
    possible = counts[(counts <= 4).all(axis=1)]
    return np.repeat(np.tile(np.arange(13, dtype=np.uint8), len(possible)), possible.ravel()).reshape(-1, 8)


def rank_sets_cost(question: Question) -> float:
    """Roughly the seconds that `rank_sets_counts` takes on one core."""
    rank_sets = needed_rank_sets(question)
    different = 1 + (np.diff(rank_sets.astype(np.int64), axis=1) > 0).sum(axis=1)
    return float(np.array(MILLISECONDS)[different].sum()) / 1e3


def rank_sets_counts(question: Question, a: Ints, b: Ints, progress: Watch | None = None) -> list[int]:
    """Scoop, three-quarter, half, quarter, lose, and the high's win, tie, lose, for class weights a and b."""
    from headsup.equity.omaha.matchups.ranksets import Tabulator

    rank_sets, mine = needed_rank_sets(question), local()

    def work(block: slice) -> npt.NDArray[np.object_]:
        if not hasattr(mine, "tabulator"):
            mine.tabulator = Tabulator(outcomes=True)
        total = np.zeros(8, dtype=object)
        for row in rank_sets[block]:
            total += _weighted(mine.tabulator.blocks(row), a, b)
        return total

    parts = map_blocks(work, len(rank_sets), 8, progress)
    return [int(count) for count in sum(parts, np.zeros(8, dtype=object))]


def _weighted(blocks: Blocks, a: Ints, b: Ints) -> npt.NDArray[np.object_]:
    """The outcomes of one rank set, either player holding either part of it."""
    known = card_classes(4)
    total = np.zeros(8, dtype=object)
    for k, (first, second) in enumerate(blocks.hands.tolist()):
        rows = slice(known.starts[first], known.starts[first + 1])
        columns = slice(known.starts[second], known.starts[second + 1])
        sums = blocks.sums[:, blocks.starts[k] : blocks.starts[k + 1]].reshape(8, rows.stop - rows.start, -1)
        # A sum is below 2^25, a weight below 2^14 and a block has fewer than 2^5 columns: int64 holds one row.
        total += (sums @ b[columns]).astype(object) @ (a[rows] * known.sizes[rows]).astype(object)
        if first != second:
            turned = np.concatenate([sums[:_SCOOP_TO_LOSE][::-1], sums[_SCOOP_TO_LOSE:][::-1]])
            total += (turned @ a[columns]).astype(object) @ (b[rows] * known.sizes[rows]).astype(object)
    return total


def _rank_keys(side: Side) -> npt.NDArray[np.int64]:
    """The rank multisets of a range's hands, each as thirteen counters of four bits."""
    present = np.unique(omaha_class_of_combo()[side.combos])
    multiset = np.unique(np.searchsorted(card_classes(4).starts, present, side="right") - 1)
    ranks = rank_multisets(4)[multiset].astype(np.int64)
    return np.asarray((np.int64(1) << 4 * ranks).sum(axis=1))
