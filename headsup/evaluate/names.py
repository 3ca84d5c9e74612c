"""Hands in plain English, and `rank` for a single hand, which needs no tables and no compiler."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from headsup.cards.cards import RANK_WORDS, RANKS, Cards, card_name, plural_rank, read_cards
from headsup.cards.games import check_board, check_game
from headsup.common.checks import door, quoted, whole
from headsup.common.errors import UserError
from headsup.evaluate.classes import (
    CATEGORIES,
    CLASSES,
    FULL_HOUSE,
    LOWS,
    PAIR,
    QUADS,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    HandClass,
    class_value,
    classes,
    hand_class,
    least_value,
    lows,
)


@dataclass(frozen=True)
class Low:
    """An eight-or-better low: its value 1..56 (56 is 5-4-3-2-A), its name and its cards, highest first."""

    value: int
    name: str
    cards: tuple[int, ...]


@dataclass(frozen=True)
class Rank:
    """What a hand is worth: value 1..7462 (greater is better), category, name, the cards used, and in hi-lo the low."""

    value: int
    category: str
    name: str
    cards: tuple[int, ...]
    low: Low | None = None

    def as_dict(self) -> dict[str, Any]:
        low = self.low
        return {
            "value": self.value,
            "category": self.category,
            "name": self.name,
            "used": [card_name(card) for card in self.cards],
            "low": low and {"value": low.value, "name": low.name, "used": [card_name(card) for card in low.cards]},
        }


@door(value=whole)
def category(value: int) -> str:
    """The category of a value 1..7462: `full house`."""
    return CATEGORIES[_class(value).category]


@door(value=whole)
def name(value: int) -> str:
    """A value 1..7462 in English: `full house, nines over sevens`. Every value has a name of its own."""
    return class_name(_class(value))


@door(value=whole)
def low_name(value: int) -> str:
    """A low's value 1..56 in English: `8-6-4-2-A low`; `no low` for 0."""
    if value == 0:
        return "no low"
    if not 1 <= value <= LOWS:
        raise UserError(f"{quoted(value)} is not the value of a low: lows are 1 to {LOWS}, and 0 is no low")
    mask = lows()[value - 1]
    return "-".join("A2345678"[bit] for bit in range(7, -1, -1) if mask >> bit & 1) + " low"


def class_name(hand: HandClass) -> str:
    """A class in English; classes of one to four cards have fewer kickers."""
    ranks = hand.ranks
    if hand.category == STRAIGHT_FLUSH and ranks[0] == 12:
        return "royal flush"
    head = CATEGORIES[hand.category]
    if hand.category in (STRAIGHT, STRAIGHT_FLUSH):
        return f"{head}, {RANK_WORDS[ranks[0]]} high"
    if hand.category == FULL_HOUSE:
        return f"{head}, {_plural(ranks[0])} over {_plural(ranks[3])}"
    if hand.category == TWO_PAIR:
        return f"{head}, {_plural(ranks[0])} and {_plural(ranks[2])}{_kickers(ranks[4:])}"
    same = {PAIR: 2, TRIPS: 3, QUADS: 4}.get(hand.category)
    if same:
        return f"{head}, {_plural(ranks[0])}{_kickers(ranks[same:])}"
    return f"{head}, {_dashed(ranks)}"


def rank(cards: Cards, board: Cards | None = (), game: str = "holdem") -> Rank:
    """Rank one hand: `rank("9s9h", "9d7c7s2h")` is a full house, nines over sevens.

    Hold'em takes one to seven cards in all, with or without a board of three to five. Omaha (and `omaha8`, which adds
    the low) takes four cards and a board of three to five. Fewer than five cards are worth the least that they can
    become.
    """
    held, table = read_cards(cards, "hand"), read_cards(board, "board")
    _check(held, table, game)
    choices = _holdem_choices(held + table) if game == "holdem" else _omaha_choices(held, table)
    best, used = max(((_class_of(five), five) for five in choices), key=lambda pair: pair[0])
    low = _omaha_low(held, table) if game == "omaha8" else None
    ordered = tuple(sorted(used, key=lambda card: best.ranks.index(card >> 2)))
    value = class_value(best) if len(used) == 5 else least_value(best.ranks)
    return Rank(value, CATEGORIES[best.category], class_name(best), ordered, low)


def _class(value: int) -> HandClass:
    if not 1 <= value <= CLASSES:
        raise UserError(f"{quoted(value)} is not the value of a hand: values are 1 to {CLASSES}")
    return classes()[value - 1]


def _plural(rank: int) -> str:
    return plural_rank(RANK_WORDS[rank])


def _dashed(ranks: Iterable[int]) -> str:
    return "-".join(RANKS[rank] for rank in ranks)


def _kickers(ranks: tuple[int, ...]) -> str:
    return f" with {_dashed(ranks)}" if ranks else ""


def _check(held: tuple[int, ...], table: tuple[int, ...], game: str) -> None:
    check_game(game)
    every = held + table
    for i, card in enumerate(every):
        if card in every[:i]:
            raise UserError(f"{card_name(card)} is there twice: each card is in the deck once")
    if game == "holdem":
        check_board(len(table))
        if not 1 <= len(every) <= 7:
            raise UserError(f"hold'em ranks one to seven cards, hand and board together, not {len(every)}")
    else:
        if len(held) != 4:
            raise UserError(f"an Omaha hand has four cards, not {len(held)}")
        if not 3 <= len(table) <= 5:
            raise UserError(f"Omaha needs a board of three to five cards to rank a hand, not {len(table)}")


def _class_of(cards: tuple[int, ...]) -> HandClass:
    flush = len(cards) == 5 and len({card & 3 for card in cards}) == 1
    return hand_class((card >> 2 for card in cards), flush)


def _holdem_choices(cards: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    return itertools.combinations(cards, min(5, len(cards)))


def _omaha_choices(held: tuple[int, ...], table: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for two in itertools.combinations(held, 2):
        for three in itertools.combinations(table, 3):
            yield two + three


def _omaha_low(held: tuple[int, ...], table: tuple[int, ...]) -> Low | None:
    best = None
    for five in _omaha_choices(held, table):
        mask = 0
        for card in five:
            mask |= 1 << ((card >> 2) + 1) % 13  # ace = bit 0, deuce = bit 1 .. king = bit 12
        if mask.bit_count() == 5 and mask < 256 and (best is None or mask < best[0]):
            best = mask, five
    if best is None:
        return None
    value = len(lows()) - sum(mask < best[0] for mask in lows())
    ordered = tuple(sorted(best[1], key=lambda card: ((card >> 2) + 1) % 13, reverse=True))
    return Low(value, low_name(value), ordered)
