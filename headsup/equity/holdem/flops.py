"""A hold'em hand against a range on every flop at once.

Each complete board holds ten flops, and its showdown does not depend on which three cards came first. So one board per
orbit is looked at once, its counts are added to its ten flops, and the sums are spread over the orbit of each flop.
"""

from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import cards_name
from headsup.cards.combos import binomials, combo_masks, combos
from headsup.cards.suits import canonical_boards, permuted_combos
from headsup.common.backend import jit
from headsup.common.checks import as_call, door
from headsup.common.errors import UserError
from headsup.common.progress import Watch
from headsup.equity.blocks import block_size, map_blocks
from headsup.equity.holdem.rankboards import N_PAIRS, pair_index, tables
from headsup.equity.holdem.sweep import hand_v_range
from headsup.equity.question import Holding, Side, read_question


@dataclass(frozen=True)
class FlopEquities:
    """Counts of a hand against a range on each flop that leaves the hand alone, in colex order of the flops."""

    flops: npt.NDArray[np.uint8]  # uint8[n, 3], cards ascending; n = 19,600
    wins: npt.NDArray[np.int64]
    ties: npt.NDArray[np.int64]
    deals: npt.NDArray[np.int64]
    """The weight of the range's combos that the flop leaves, times the 990 turns and rivers; 0 where none is left."""

    def __repr__(self) -> str:
        wins, ties, deals = (int(counts.sum()) for counts in (self.wins, self.ties, self.deals))
        return f"<FlopEquities: {len(self.flops):,} flops, {wins:,} wins and {ties:,} ties in {deals:,} deals>"

    def equities(self) -> npt.NDArray[np.float64]:
        """float64[n]: the hand's share of the pot on each flop; nan where no deal is possible."""
        with np.errstate(invalid="ignore"):
            return np.asarray((2 * self.wins + self.ties) / (2 * self.deals))

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(cards_name(reversed(cards)) for cards in self.flops.tolist())

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """One row a flop, as columns of equal length, ready for a data frame."""
        counts = {
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.deals - self.wins - self.ties,
            "deals": self.deals,
        }
        return {"flop": np.array(self.labels), **counts, "equity": self.equities()}

    def summary(self, most: int = 3) -> dict[str, Any]:
        """For JSON: figures over all flops that leave the range a hand, with the `most` best and worst."""
        equities = self.equities()
        order = np.argsort(equities, kind="stable")[: int((self.deals > 0).sum())]

        def flop(i: int) -> dict[str, Any]:
            win, tie, deals = int(self.wins[i]), int(self.ties[i]), int(self.deals[i])
            name = cards_name(self.flops[i].tolist()[::-1])
            return {"flop": name, "equity": float(equities[i]), "win": win, "tie": tie, "lose": deals - win - tie}

        quarters = np.quantile(equities[order], [0, 0.25, 0.5, 0.75, 1]).tolist()
        names = ("least", "quarter", "median", "three_quarters", "most")
        return {
            "exact": True,
            "flops": len(order),
            "deals": int(self.deals.sum()),
            "equity": float((2 * self.wins.sum() + self.ties.sum()) / (2 * self.deals.sum())),
            "quantiles": dict(zip(names, quarters, strict=True)),
            "best": [flop(int(i)) for i in order[::-1][:most]],
            "worst": [flop(int(i)) for i in order[:most]],
        }

    def csv(self) -> str:
        rows = zip(self.labels, self.wins.tolist(), self.ties.tolist(), self.deals.tolist(), strict=True)
        lines = [f"{flop},{win},{tie},{deals - win - tie}" for flop, win, tie, deals in rows]
        return "\n".join(["flop,win,tie,lose", *lines, ""])


@jit
def _scatter(boards: Any, counts: Any, sizes: Any, choose: Any, out: Any) -> None:
    """Add every board's (wins, ties), times the boards it stands for, to its ten flops."""
    for n in range(boards.shape[0]):
        for i in range(5):
            for j in range(i + 1, 5):
                for k in range(j + 1, 5):
                    flop = choose[boards[n, i], 1] + choose[boards[n, j], 2] + choose[boards[n, k], 3]
                    out[flop, 0] += counts[n, 0] * sizes[n]
                    out[flop, 1] += counts[n, 1] * sizes[n]


@door(progress=as_call)
def flop_equities(hand: Holding, villain: Holding, progress: Watch | None = None) -> FlopEquities:
    """Exact counts of one hold'em hand against a range on all 19,600 flops."""
    question = read_question(hand, villain)
    if len(question.a.combos) != 1:
        raise UserError(f"'{question.a.text}' is not one hand: flop_equities compares a single hand with a range")
    held = int(question.a.masks[0])
    group = question.symmetry
    boards, sizes = canonical_boards(5, held, group)
    counts = _board_counts(question.a, question.b, boards, progress)
    sums = np.zeros((comb(52, 3), 2), dtype=np.int64)
    _scatter(boards, counts, sizes, binomials(), sums)
    # The group average puts on every flop what all boards, not only those looked at, would have put there.
    spread = sum(sums[permuted_combos(3, renaming)] for renaming in group)
    free = combo_masks(3) & np.uint64(held) == 0
    flops = np.asarray(combos(3)[free])
    totals = np.asarray(spread)[free] // len(group)
    return FlopEquities(flops, totals[:, 0], totals[:, 1], _flop_deals(question.a, question.b, flops))


def _board_counts(
    hand: Side, villain: Side, boards: npt.NDArray[np.uint8], progress: Watch | None
) -> npt.NDArray[np.int64]:
    """int64[n, 2]: the weight of the range that the hand beats and ties on each board."""
    free = villain.masks & hand.masks[0] == 0
    x, y = villain.cards[free].T
    weights = np.zeros((52, 52), dtype=np.int64)
    weights[x, y] = weights[y, x] = villain.weights[free]
    by_rank = weights.reshape(52, 13, 4).sum(axis=2)
    pairs = pair_index()
    by_pair = np.bincount(pairs[x >> 2, y >> 2], villain.weights[free], N_PAIRS).astype(np.int64)
    mine = hand.cards[0].astype(np.int64)
    counts = np.empty((len(boards), 2), dtype=np.int64)

    def work(block: slice) -> None:
        hand_v_range(tables(), boards[block], mine, pairs, weights, by_rank, by_pair, counts[block])

    for _ in map_blocks(work, len(boards), block_size(len(boards), 1 << 14), progress):
        pass
    return counts


def _flop_deals(hand: Side, villain: Side, flops: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """The range's weight free of hand and flop, by inclusion-exclusion over the flop's cards, times the runouts."""
    free = villain.masks & hand.masks[0] == 0
    weights, cards = villain.weights[free], villain.cards[free]
    single = np.zeros(52, dtype=np.int64)
    two = np.zeros((52, 52), dtype=np.int64)
    for column in (0, 1):
        np.add.at(single, cards[:, column], weights)
    two[cards[:, 0], cards[:, 1]] = weights
    x, y, z = flops.T
    left = weights.sum() - single[x] - single[y] - single[z] + two[x, y] + two[x, z] + two[y, z]
    return np.asarray(left * comb(45, 2))
