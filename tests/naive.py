"""A slow, obvious second implementation that every fast path is compared with: plain Python, cards as text, no tables.

Nothing here imports headsup, so a mistake cannot be shared.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]


def split_cards(text: str) -> list[str]:
    """`AsKh` -> [`As`, `Kh`]."""
    letters = text.replace(" ", "")
    return [letters[i : i + 2] for i in range(0, len(letters), 2)]


# --- showdowns ---------------------------------------------------------------------------------------------------------


def five_card_key(cards: tuple[str, ...] | list[str]) -> tuple:
    """A key that sorts five-card hands by the rules: (category 0..8, deciding ranks)."""
    ranks = sorted(("23456789TJQKA".index(card[0]) for card in cards), reverse=True)
    flush = len({card[1] for card in cards}) == 1
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
    ranks = sorted(("A23456789TJQK".index(card[0]) for card in cards), reverse=True)
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


# --- equity ------------------------------------------------------------------------------------------------------------


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
