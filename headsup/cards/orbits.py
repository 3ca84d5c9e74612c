"""Sets of cards up to a group of suit renamings: lists of representatives, and counts without lists.

Lists: of each orbit of n-card sets `suits.canonical_boards` keeps one. Each set of the orbit gets a renaming onto the
kept one, and the kept set its stabiliser.

Counts: by Burnside's lemma the number of orbits is the average number of deals that a renaming fixes. A renaming moves
the free cards in cycles of one to four and fixes a deal whose rounds consist of whole cycles, so only the numbers of
cycles of each length matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from math import comb, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import suit_of
from headsup.cards.combos import row_masks
from headsup.cards.suits import SUIT_PERMUTATIONS, SuitPermutation, canonical_boards, permute_masks


class KeptSets(NamedTuple):
    """The sets that one group keeps, m of n cards in colex order; renamings are indices in SUIT_PERMUTATIONS."""

    cards: npt.NDArray[np.uint8]  # [m, n] ascending
    masks: npt.NDArray[np.uint64]  # [m]
    copies: npt.NDArray[np.int32]  # [m] the size of the orbit
    first: npt.NDArray[np.int64]  # [m + 1] where the renamings of each set begin, as many as copies, the identity first
    renaming: npt.NDArray[np.uint8]  # for each set of the orbit one that carries it onto the kept set
    group: npt.NDArray[np.uint32]  # [m] bit i: renaming i leaves the kept set alone


def keep_sets(n_cards: int, outside: int, group: Sequence[SuitPermutation]) -> KeptSets:
    """The n-card sets that a group keeps, none of them with a card of the mask `outside`, which it must leave alone."""
    cards, sizes = canonical_boards(n_cards, outside, group)
    masks = row_masks(cards)
    bits = np.zeros(len(cards), dtype=np.uint32)
    numbers = np.array([SUIT_PERMUTATIONS.index(renaming) for renaming in group], dtype=np.uint8)
    # The set that a renaming carries onto the kept one; a renaming is named where no earlier one has the same set.
    sources = [permute_masks(masks, tuple(renaming.index(suit) for suit in range(4))) for renaming in group]
    named = np.ones((len(masks), len(group)), dtype=bool)
    for i, source in enumerate(sources):
        bits |= (source == masks).astype(np.uint32) << np.uint32(numbers[i])
        for earlier in sources[:i]:
            named[:, i] &= source != earlier
    first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return KeptSets(cards, masks, sizes.astype(np.int32), first, numbers[np.nonzero(named)[1]], bits)


def renamings_in(bits: int) -> list[SuitPermutation]:
    """The renamings whose bits are set: bit i is SUIT_PERMUTATIONS[i]."""
    return [renaming for i, renaming in enumerate(SUIT_PERMUTATIONS) if bits >> i & 1]


def count_deals(free: Sequence[int], rounds: Sequence[int], group: Sequence[SuitPermutation]) -> int:
    """How many deals of the free cards in rounds of these sizes there are up to a group that leaves the cards alone."""
    return sum(_whole_deals(_cycles(free, renaming), tuple(rounds)) for renaming in group) // len(group)


def _cycles(free: Sequence[int], renaming: SuitPermutation) -> tuple[int, ...]:
    """How many cycles of 1, 2, 3 and 4 cards a renaming makes of the free cards."""
    lengths = [0, 0, 0, 0]
    for card in free:
        suit, length = renaming[suit_of(card)], 1
        while suit != suit_of(card):
            suit, length = renaming[suit], length + 1
        lengths[length - 1] += 1
    return tuple(cards // (i + 1) for i, cards in enumerate(lengths))


@cache
def _whole_deals(cycles: tuple[int, ...], rounds: tuple[int, ...]) -> int:
    """In how many ways sets of these sizes can be dealt one after another, each made of whole cycles."""
    if not rounds:
        return 1
    total = 0
    for used in _cycle_counts(rounds[0], len(cycles)):
        ways = prod(map(comb, cycles, used))
        if ways:
            total += ways * _whole_deals(tuple(a - b for a, b in zip(cycles, used, strict=True)), rounds[1:])
    return total


def _cycle_counts(cards: int, longest: int) -> Iterator[tuple[int, ...]]:
    """Every number of cycles of length 1 .. longest with this many cards in all."""
    if longest == 0:
        if cards == 0:
            yield ()
        return
    for last in range(cards // longest + 1):
        for rest in _cycle_counts(cards - last * longest, longest - 1):
            yield (*rest, last)
