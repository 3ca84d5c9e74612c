"""Hold'em before the flop without enumerating boards: the rank/suit factorisation.

    all boards = all boards scored as if no flush existed
                 + for each suit s, boards with three or more cards of s: (scored with the flush) - (scored without)

The first line sees ranks only: 6,175 rank boards, weighted by products of binomials. A correction sums over the sets T
of three to five ranks of s and the other board ranks U; it depends on which ranks of each hand are in s: 338 kinds a
hand. The 338 x 338 corrections and the 91 x 91 rank parts ship (`make_factors`). Dead cards only lower how many cards
of a rank are left.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import mask_of
from headsup.cards.combos import holdem_combos
from headsup.common.archives import Member, read_archive
from headsup.common.files import parsed
from headsup.common.progress import Watch
from headsup.equity.holdem.rankboards import kind_index, pair_index
from headsup.equity.question import Question, exact_sum

DATA = Path(__file__).parent / "data" / "holdem_factors.npz"
Ints = npt.NDArray[np.int64]


@cache
def factors() -> tuple[Ints, Ints]:
    """The two tables behind every preflop matchup: rank parts [91, 91, 2] and suit corrections [338, 338, 2].

    The last axis is (wins, ties) of the first hand. Entries that no pair of disjoint hands uses are 0.
    """
    members, _ = read_archive(DATA)
    return parsed(DATA, lambda: (_whole(members["ranks.npy"]), _whole(members["suits.npy"], mirror=False)))


def packed(ranks: Ints, suits: Ints) -> dict[str, Member]:
    """Both tables as they ship: each row up to its diagonal; rank parts with their deals, which give the rest."""
    rows, columns = np.tril_indices(len(ranks))
    deals = ranks[rows, columns].sum(axis=1) + ranks[columns, rows, 0]
    halves = np.concatenate([ranks[rows, columns], deals[:, None]], axis=1)
    return {"ranks.npy": halves.astype(np.int32), "suits.npy": suits[np.tril_indices(len(suits))].astype(np.int32)}


def _whole(half: Member, mirror: bool = True) -> Ints:
    """A table from its rows up to the diagonal; corrections of suits (no `mirror`) add up to no deals."""
    counts = np.asarray(half, dtype=np.int64)
    size = int((np.sqrt(8 * len(counts) + 1) - 1) / 2)
    rows, columns = np.tril_indices(size)
    table = np.zeros((size, size, 2), dtype=np.int64)
    table[columns, rows, 0] = (counts[:, 2] if mirror else 0) - counts[:, 0] - counts[:, 1]
    table[rows, columns] = counts[:, :2]
    table[columns, rows, 1] = counts[:, 1]
    return table


def pair_counts(mine: npt.NDArray[np.int32], theirs: npt.NDArray[np.int32]) -> tuple[Ints, Ints]:
    """Wins and ties of some combos against others, [mine, theirs] each; of no meaning where two share a card."""
    ranks, suits = factors()
    cards = holdem_combos() >> 2
    pairs, kinds = pair_index()[cards[:, 0], cards[:, 1]], kind_index()
    counts = []
    for count in (0, 1):
        # rows first, then columns of them: `take` is several times as fast as an index over both
        total = ranks[..., count].take(pairs[mine], axis=0).take(pairs[theirs], axis=1)
        for s in range(4):
            total += suits[..., count].take(kinds[mine, s], axis=0).take(kinds[theirs, s], axis=1)
        counts.append(total)
    return counts[0], counts[1]


def pairs_counts(question: Question, progress: Watch | None = None) -> tuple[int, int, int]:
    """(win, tie, lose) of a preflop question as a sum over its pairs of hands."""
    a, b = question.a, question.b
    free = (a.masks[:, None] & b.masks[None, :]) == 0
    if not question.dead:
        weights = np.where(free, a.weights[:, None] * b.weights[None, :], 0)
        win, tie = (exact_sum(weights * counts) for counts in pair_counts(a.combos, b.combos))
        return win, tie, question.deals - win - tie
    from headsup.equity.blocks import map_blocks
    from headsup.equity.holdem.preflop_kernels import hand_counts

    rows, columns = np.nonzero(free)
    dead = mask_of(question.dead)

    def work(block: slice) -> list[int]:
        total = [0, 0, 0]
        for i, j in zip(rows[block], columns[block], strict=True):
            weight = int(a.weights[i] * b.weights[j])
            for n, count in enumerate(hand_counts(a.cards[i], b.cards[j], dead)):
                total[n] += weight * count
        return total

    win, tie, lose = map(sum, zip(*map_blocks(work, len(rows), 64, progress), strict=True))
    return win, tie, lose
