"""A slow, obvious second implementation that every fast path is compared with: plain Python, cards as text, no tables.

Nothing here imports headsup, so a mistake cannot be shared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import combinations

import numpy as np

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def split_cards(text: str) -> list[str]:
    """`AsKh` -> [`As`, `Kh`]."""
    letters = text.replace(" ", "")
    return [letters[i : i + 2] for i in range(0, len(letters), 2)]


# --- showdowns ------------------------------------------------------------------------------------------------------


def five_card_key(cards: tuple[str, ...] | list[str]) -> tuple:
    """A key that sorts five-card hands by the rules: (category 0..8, deciding ranks)."""
    return _high_key("".join(sorted([card[0] for card in cards])), len({card[1] for card in cards}) == 1)


@cache
def _high_key(letters: str, flush: bool) -> tuple:
    ranks = sorted(map("23456789TJQKA".index, letters), reverse=True)
    top = ranks[0] if len(set(ranks)) == 5 and ranks[0] - ranks[4] == 4 else 3 if ranks == [12, 3, 2, 1, 0] else None
    if top is not None:
        return (8 if flush else 4, top)
    if flush:
        return (5, *ranks)
    groups = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    category = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1, (1, 1, 1, 1, 1): 0}
    return (category[tuple(count for count, _ in groups)], *(rank for _, rank in groups))


def low_key(cards: tuple[str, ...] | list[str]) -> tuple | None:
    """A key that sorts eight-or-better lows, better is greater; None for no low."""
    return _low_key("".join(sorted([card[0] for card in cards])))


@cache
def _low_key(letters: str) -> tuple | None:
    ranks = sorted(map("A23456789TJQK".index, letters), reverse=True)
    if len(set(ranks)) < 5 or ranks[0] > 7:
        return None
    return tuple(-rank for rank in ranks)


def showdown_keys(game: str, hand: list[str], board: list[str]) -> tuple[tuple, tuple | None]:
    """The best high and the best low key of a hand on a complete board."""
    if game == "holdem":
        return max(five_card_key(five) for five in combinations(hand + board, 5)), None
    fives = [two + three for two in combinations(hand, 2) for three in combinations(board, 3)]
    lows = [key for five in fives if (key := low_key(five)) is not None] if game == "omaha8" else []
    return max(map(five_card_key, fives)), max(lows, default=None)


# --- equity ---------------------------------------------------------------------------------------------------------


def equity_grid(game: str, hands_a: list[str], hands_b: list[str], board: str = "", dead: str = "") -> tuple:
    """Deals by the first player's outcome: rows high win, tie, lose; columns low none, win, tie, lose."""
    grid = [[0] * 4 for _ in range(3)]
    known, gone = split_cards(board), split_cards(dead)
    for a in map(split_cards, hands_a):
        for b in map(split_cards, hands_b):
            taken = [*a, *b, *known, *gone]
            if len(set(taken)) < len(taken):
                continue
            for rest in combinations([card for card in DECK if card not in taken], 5 - len(known)):
                high_a, low_a = showdown_keys(game, a, known + list(rest))
                high_b, low_b = showdown_keys(game, b, known + list(rest))
                row = 0 if high_a > high_b else 1 if high_a == high_b else 2
                if low_a is None and low_b is None:
                    column = 0
                elif low_b is None or (low_a is not None and low_a > low_b):
                    column = 1
                else:
                    column = 2 if low_a == low_b else 3
                grid[row][column] += 1
    return tuple(tuple(row) for row in grid)


# --- evaluate: cards as ints 4*rank + suit, which is their place in DECK --------------------------------------------


def best_key(cards: Iterable[int]) -> tuple:
    """The key of the best five of five or more cards."""
    return max(five_card_key(five) for five in combinations([DECK[card] for card in cards], 5))


def omaha_keys(hand: Iterable[int], board: Iterable[int]) -> tuple[tuple, tuple | None]:
    """The high and the low key of an Omaha hand on a complete board."""
    return showdown_keys("omaha8", [DECK[card] for card in hand], [DECK[card] for card in board])


def five_card_order(hands: np.ndarray) -> np.ndarray:
    """A number for each row of five cards that orders hands as `five_card_key` does, for millions of rows at once."""
    ranks, suits = hands.astype(np.int64) // 4, hands % 4
    same = (ranks[:, :, None] == ranks[:, None, :]).sum(axis=2)
    decides = -np.sort(-(same * 13 + ranks), axis=1)  # by how many of the rank, then by rank
    most, next_most = decides[:, 0] // 13, np.where(decides[:, 0] // 13 == 2, decides[:, 2], decides[:, 3]) // 13
    flush = (suits == suits[:, :1]).all(axis=1)
    ascending = np.sort(ranks, axis=1)
    wheel = (ascending == [0, 1, 2, 3, 12]).all(axis=1)
    straight = wheel | ((most == 1) & (ascending[:, 4] - ascending[:, 0] == 4))
    decides[wheel] = 0  # the ace counts low: the weakest straight
    pairs = next_most == 2
    category = np.select(
        [straight & flush, most == 4, (most == 3) & pairs, flush, straight, most == 3, (most == 2) & pairs, most == 2],
        [8, 7, 6, 5, 4, 3, 2, 1],
        0,
    )
    order = category.astype(np.int64)
    for i in range(5):
        order = order * 65 + decides[:, i]
    return order


# --- eight cards dealt to two players -------------------------------------------------------------------------------


def eval8(cards: Iterable[int], dead: Iterable[int] = ()) -> np.ndarray:
    """[35, 3, 4]: the grid of every split of eight cards, the lowest in the first hand, over every board."""
    eight = sorted(cards)
    deck = [card for card in range(52) if card not in eight and card not in set(dead)]
    firsts = [mask for mask in range(1, 256, 2) if bin(mask).count("1") == 4]
    grids = np.zeros((len(firsts), 3, 4), dtype=np.int64)
    for board in combinations(deck, 5):
        keys = {}
        for mask in firsts:
            for hand in (mask, 255 - mask):
                keys[hand] = omaha_keys([card for i, card in enumerate(eight) if hand >> i & 1], board)
        for split, mask in enumerate(firsts):
            (high_a, low_a), (high_b, low_b) = keys[mask], keys[255 - mask]
            row = 0 if high_a > high_b else 1 if high_a == high_b else 2
            if low_a is None and low_b is None:
                column = 0
            elif low_b is None or (low_a is not None and low_a > low_b):
                column = 1
            else:
                column = 2 if low_a == low_b else 3
            grids[split, row, column] += 1
    return grids


# --- jam or fold, one pair of hands at a time -----------------------------------------------------------------------


def jam_or_fold(
    stacks: tuple[float, float],
    blinds: tuple[float, float],
    ante: float,
    jam: bool,
    call: bool,
    share: float,
    bb_ante: float = 0.0,
) -> float:
    """What one deal is worth to the small blind in chips: post, act, and count the chips that change hands.

    `share` is the small blind's share of the pot at a showdown. A bet that the other cannot match goes back. The
    big blind's own ante follows the common one, lies in the middle from then on, and comes back from nowhere else.
    """
    middle = min(bb_ante, max(0.0, stacks[1] - ante))
    stacks = (stacks[0], stacks[1] - middle)
    in_front = [min(ante + blind, stack) for blind, stack in zip(blinds, stacks, strict=True)]
    matched = min(stacks)
    if jam:
        in_front[0] = stacks[0]
        if call:
            in_front[1] = stacks[1]
    in_front = [min(chips, matched) for chips in in_front]
    pot = sum(in_front)
    if not jam:
        return -in_front[0]
    if not call:
        return middle + pot - min(in_front[0], matched)
    return share * (middle + pot) - in_front[0]


def jam_or_fold_by_combo(
    wins: np.ndarray,
    ties: np.ndarray,
    clash: np.ndarray,
    boards: int,
    stakes: tuple,
    jam: np.ndarray,
    call: np.ndarray,
) -> dict:
    """Value and both best responses over all pairs of combos, each pair paid by the rules; frequencies by combo."""
    stacks, blinds, ante, bb_ante = stakes
    share = (wins + ties / 2) / boards
    fold = jam_or_fold(stacks, blinds, ante, False, False, 0.0, bb_ante)
    steal = jam_or_fold(stacks, blinds, ante, True, False, 0.0, bb_ante)
    lost, won = (jam_or_fold(stacks, blinds, ante, True, True, part, bb_ante) for part in (0.0, 1.0))
    showdown = lost + share * (won - lost)
    value = best_sb = 0.0
    for a in range(len(jam)):
        meets = ~clash[a]
        jams = (meets * (call * showdown[a] + (1 - call) * steal)).sum()
        folds = meets.sum() * fold
        value += jam[a] * jams + (1 - jam[a]) * folds
        best_sb += max(jams, folds)
    worst_sb = 0.0
    for b in range(len(call)):
        meets = ~clash[:, b]
        calls = (meets * jam * showdown[:, b]).sum()
        folds = (meets * jam).sum() * steal
        worst_sb += min(calls, folds) + (meets * (1 - jam)).sum() * fold
    deals = (~clash).sum()
    return {"value": value / deals, "most": best_sb / deals, "sure": worst_sb / deals}
