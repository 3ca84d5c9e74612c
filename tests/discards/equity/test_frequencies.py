"""Final hands with swaps by the rule: paths one by one, the shipped counts, hold'em without swaps."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from headsup.cards import parse_cards
from headsup.common.errors import DataError
from headsup.discards.equity.deals import rule_many
from headsup.discards.equity.frequencies import (
    DEALS,
    HOLDEM,
    UNUSED,
    frequencies,
    frequencies_text,
    parse_frequencies,
    turn_counts,
)
from headsup.discards.swap import swap_rule
from headsup.evaluate import category, rank_hands
from headsup.evaluate.classes import CATEGORIES
from tests.equity import compiled


def paths(flop: tuple[int, ...], turn: int) -> np.ndarray:
    """Every first hand, every new card and every river, as the rule says: int64[4, 9] by swaps and category."""
    board = (*flop, turn)
    left = [card for card in range(52) if card not in board]
    made = {}
    hands = [(a, b) for a in left for b in left if a < b]
    rows = [(a, b, *board, v) for a, b in hands for v in left if v not in (a, b)]
    values = rank_hands(np.array(rows, dtype=np.uint8))
    names = {value: CATEGORIES.index(category(value)) for value in set(values.tolist())}
    for row, value in zip(rows, values.tolist(), strict=True):
        made[row[0], row[1], row[6]] = names[value]
    table = np.zeros((52, 52, 52), dtype=np.int64)
    for (a, b, v), kind in made.items():
        table[a, b, v] = table[b, a, v] = kind
    does = dict(zip(hands, rule_many(np.array(hands), board).tolist(), strict=True))
    out = np.zeros((4, 9), dtype=np.int64)

    def end(swaps: int, hand: tuple[int, int], thrown: set[int]) -> None:
        """The swap of the turn, and all rivers."""
        hand = (min(hand), max(hand))
        swap = does[hand]
        if not swap:
            rivers = [v for v in left if v not in hand and v not in thrown]
            out[swaps] += np.bincount(table[hand[0], hand[1], rivers], minlength=9)
            return
        kept, gone = hand[2 - swap], hand[swap - 1]
        free = [card for card in left if card not in hand and card not in thrown]
        block = table[kept][np.ix_(free, free)]  # new card by river
        out[swaps + 1] += np.bincount(block[~np.eye(len(free), dtype=bool)], minlength=9)
        assert gone not in free

    for first in hands:
        swap = swap_rule(first, flop)
        if not swap:
            end(0, first, set())
            continue
        kept, gone = first[2 - swap], first[swap - 1]
        for new in left:
            if new not in first:
                end(2, (kept, new), {gone})
    return out


@compiled
@pytest.mark.parametrize("board", ["KhKs7h2c", pytest.param("9h8h6d5h", marks=pytest.mark.long)])
def test_counts_are_those_of_every_path(board: str) -> None:
    *flop, turn = parse_cards(board)
    counted = turn_counts(flop, turn)
    assert np.array_equal(counted, paths(tuple(flop), turn))
    assert (counted.sum(axis=1) * UNUSED).sum() == comb(48, 2) * 46 * 45 * 44


def test_the_shipped_counts() -> None:
    known = frequencies()
    assert sum(known.made) == sum(known.swaps) == DEALS
    assert parse_frequencies(frequencies_text(known)) == known
    with pytest.raises(DataError, match="not whole"):
        parse_frequencies(frequencies_text(known).replace("two pair ", "two pair 1"))
    assert sum(HOLDEM) == comb(52, 7)
    assert known.share("pair") < 0.36 < 0.43 < HOLDEM[1] / sum(HOLDEM), "the report expects more pairs: there are fewer"
    assert known.share("two pair") > 0.3 > HOLDEM[2] / sum(HOLDEM)


@compiled
def test_the_shipped_counts_agree_with_random_deals() -> None:
    """Four thousand deals, each swapped by hand."""
    rng = np.random.default_rng(7)
    n = 4000
    ends = []
    for _ in range(n):
        deck = iter(rng.permutation(52).tolist())
        hand, board = [next(deck), next(deck)], [next(deck) for _ in range(3)]
        for _street in range(2):
            swap = swap_rule(hand, board)
            if swap:
                hand[swap - 1] = next(deck)
            board.append(next(deck))
        ends.append([*hand, *board])
    kinds = [CATEGORIES.index(category(int(value))) for value in rank_hands(np.array(ends, dtype=np.uint8))]
    seen = np.bincount(kinds, minlength=9) / n
    share = np.array([frequencies().share(name) for name in CATEGORIES])
    assert (np.abs(seen - share) < 4 * np.sqrt(share * (1 - share) / n) + 1e-3).all()
