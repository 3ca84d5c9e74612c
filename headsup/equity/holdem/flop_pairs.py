"""All-in on a flop: how often every hand beats every other one over all turns and rivers.

For disjoint hands, `wins[a, b]` counts the run-outs on which a wins, `wins[b, a]` those that it loses; the rest of the
`runs` are ties. Sums against many ranges are matrix products.
"""

from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.combos import combo_masks, combos, row_masks
from headsup.cards.suits import permuted_combos, stabiliser
from headsup.common.backend import jit
from headsup.equity.blocks import map_blocks
from headsup.evaluate import rank_combos

BLOCK = 64  # hands that a thread counts at once
_NEVER = 32767  # above every rank: what a hand that the run-out blocks is taken for, so that nothing beats it


class FlopPairs(NamedTuple):
    hands: npt.NDArray[np.intp]  # [H]: the hands that the flop leaves, as colex indices of two cards
    wins: npt.NDArray[np.int16]
    """[H, H]: run-outs that a row's hand wins against a column's; 0 where both have a card in common."""
    runs: int  # run-outs that two hands leave

    @property
    def lead(self) -> npt.NDArray[np.float64]:
        """[H, H]: how much more often a row's hand wins than a column's."""
        wins = self.wins.astype(np.float64)
        return np.asarray((wins - wins.T) / self.runs)

    def met(self, reach: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """[..., H]: how much of a reach, [..., H], has no card in common with each hand."""
        has = holds(self.hands).astype(reach.dtype)
        # both cards were taken off the hand itself
        return np.asarray(reach.sum(axis=-1, keepdims=True) - (reach @ has) @ has.T + reach)

    def outcomes(self, reach: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """[3, ..., H]: how much of a reach each hand beats, ties with and loses to, on average over the run-outs."""
        wins = self.wins.astype(np.float64)
        win, lose = reach @ wins.T / self.runs, reach @ wins / self.runs
        return np.stack([win, self.met(reach) - win - lose, lose])


def holds(hands: npt.NDArray[np.intp]) -> npt.NDArray[np.bool_]:
    return np.asarray((combos(2)[hands][:, :, None] == np.arange(52)).any(axis=1))


def flop_pairs(flop: npt.NDArray[np.uint8], ranks: int = 13) -> FlopPairs:
    """The pairs of a flop, in a deck of the lowest `ranks` ranks."""
    cards = 4 * ranks
    masks = combo_masks(2)[: comb(cards, 2)]
    hands = np.flatnonzero((masks & row_masks(flop[None])[0]) == 0)
    place = np.zeros(len(masks), dtype=np.intp)
    place[hands] = np.arange(len(hands))
    renamed = [place[permuted_combos(2, renaming)[hands]] for renaming in stabiliser(int(row_masks(flop[None])[0]))]
    # run-outs are two cards, as hands are; of those that become each other the first is counted, for all of them
    first, times = np.unique(np.min(renamed, axis=0), return_counts=True)
    boards = np.column_stack([np.tile(flop, (len(first), 1)), combos(2)[hands[first]]])
    values = rank_combos(boards, check=False)[:, hands].astype(np.int16)
    shared = (masks[hands][:, None] & masks[hands][None]) != 0
    own = np.ascontiguousarray(np.where(shared[first], np.int16(-1), values).T)
    other = np.where(shared[first], np.int16(_NEVER), values)
    counted = np.zeros((len(hands), len(hands)), dtype=np.int16)
    for _ in map_blocks(
        lambda rows: _count(own[rows], other, times.astype(np.int16), counted[rows]), len(hands), BLOCK
    ):
        pass
    counted[shared] = 0
    wins = sum((counted[np.ix_(image, image)] for image in renamed[1:]), counted) // np.int16(len(renamed))
    return FlopPairs(hands, wins, comb(cards - 7, 2))


@jit(bare=True)
def _count(mine: Any, other: Any, times: Any, wins: Any) -> None:
    """Add to wins[a, b] the `times` of run-outs r with mine[a, r] > other[r, b]."""
    for a in range(mine.shape[0]):
        row = wins[a]
        for r in range(mine.shape[1]):
            value, weight = mine[a, r], times[r]
            for b in range(row.shape[0]):
                if value > other[r, b]:
                    row[b] += weight
