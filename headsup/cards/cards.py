"""Cards as ints, and their names.

A card is an int 0..51 = 4*rank + suit, rank 0 = deuce .. 12 = ace, suit 0..3 = clubs, diamonds, hearts, spades. A set
of cards is a 52-bit mask. The text of a card is rank and suit: `As`, `Td`, `2c`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from numbers import Integral
from typing import Any

from headsup.common.checks import as_text, between, door, quoted, whole
from headsup.common.errors import UserError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
SUIT_SYMBOLS = "♣♦♥♠"
DECK = range(52)
FULL_MASK = (1 << 52) - 1
RANK_WORDS = ("deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")

Cards = str | Iterable[int] | Iterable[str]  # cards as a caller may give them: `AsKh`, `[51, 46]` or `["As", "Kh"]`

_SUIT_OF = {letter: suit for letters in (SUITS, SUITS.upper(), SUIT_SYMBOLS) for suit, letter in enumerate(letters)}
_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_RANK_OF = {letter: rank for letters in (RANKS, RANKS.lower()) for rank, letter in enumerate(letters)}


def as_card(value: Any, what: str = "card") -> int:
    if isinstance(value, bool) or not isinstance(value, Integral) or not 0 <= int(value) < 52:
        raise UserError(f"{what}: {quoted(value)} is not a card: cards are the numbers 0 (2c) to 51 (As)")
    return int(value)


def as_mask(value: Any, what: str) -> int:
    if not 0 <= whole(value, what) <= FULL_MASK:
        raise UserError(f"{what} must be a set of cards as 52 bits, from 0 to 2^52 - 1, not {quoted(value)}")
    return int(value)


@door(rank=between(0, 12), suit=between(0, 3))
def card(rank: int, suit: int) -> int:
    """The card with this rank (0..12) and suit (0..3)."""
    return 4 * rank + suit


def rank_of(card: int) -> int:
    """A card's rank, 0 (deuce) .. 12 (ace)."""
    try:
        if 0 <= card < 52:
            return card >> 2
    except (TypeError, ValueError):
        pass
    return as_card(card) >> 2


def suit_of(card: int) -> int:
    """A card's suit, 0..3 = clubs, diamonds, hearts, spades."""
    try:
        if 0 <= card < 52:
            return card & 3
    except (TypeError, ValueError):
        pass
    return as_card(card) & 3


def plural_rank(word: str) -> str:
    """`sixes`, `kings`."""
    return word + ("es" if word.endswith("x") else "s")


def with_article(word: str) -> str:
    """`a king`, `an eight`."""
    return f"{'an' if word[0] in 'aeiouAEIOU' else 'a'} {word}"


@door(text=as_text)
def parse_card(text: str) -> int:
    """Read one card: `As` -> 51. Suits may be letters in either case or symbols; `10s` is also read as `Ts`."""
    short = "T" + text[2:] if text.startswith("10") else text
    if len(short) != 2 or short[0] not in _RANK_OF or short[1] not in _SUIT_OF:
        raise UserError(f"'{text}' is not a card: write a rank ({RANKS}) and a suit ({SUITS}), for example As or Td")
    return 4 * _RANK_OF[short[0]] + _SUIT_OF[short[1]]


def card_name(card: int) -> str:
    """Write one card: 51 -> `As`."""
    with suppress(TypeError, ValueError, IndexError):
        if card >= 0:
            return _NAMES[card]
    raise UserError(f"{quoted(card)} is not a card: cards are the numbers 0 (2c) to 51 (As)")


@door(text=as_text)
def parse_cards(text: str) -> tuple[int, ...]:
    """Read cards written together or apart, in the order given: `AsKh`, `As Kh`, `As,Kh`. No card may appear twice."""
    short = text.replace("10", "T")
    letters = [letter for letter in short if not letter.isspace() and letter != ","]
    if len(letters) % 2:
        raise UserError(f"'{text}' is not a list of cards: each card is a rank and a suit, for example AsKh")
    cards = tuple(parse_card(letters[i] + letters[i + 1]) for i in range(0, len(letters), 2))
    for i, card in enumerate(cards):
        if card in cards[:i]:
            raise UserError(f"'{text}' has {card_name(card)} twice: each card is in the deck once")
    return cards


def read_cards(cards: Cards | None, what: str = "cards") -> tuple[int, ...]:
    """Cards as anyone may write them: text, or card ints or names in a list, tuple, set or array; nothing for None."""
    if cards is None:
        return ()
    if isinstance(cards, str):
        return parse_cards(cards)
    if not isinstance(cards, Iterable) or isinstance(cards, bytes | Mapping | type) or getattr(cards, "shape", 1) == ():
        raise UserError(f"the {what} must be text such as AsKh or a list such as [51, 46], not {quoted(cards)}")
    read = tuple(_read_card(card, what) for card in cards)
    for i, card in enumerate(read):
        if card in read[:i]:
            raise UserError(f"the {what} have {card_name(card)} twice: each card is in the deck once")
    return read


def _read_card(card: Any, what: str) -> int:
    if isinstance(card, str):
        return parse_card(card.strip())
    if isinstance(card, bool) or not isinstance(card, Integral) or not 0 <= int(card) < 52:
        raise UserError(
            f"{quoted(card)} in the {what} is not a card: write names such as As, or numbers from 0 (2c) to 51 (As)"
        )
    return int(card)


def cards_name(cards: Iterable[int]) -> str:
    """Write cards together in the order given: (51, 46) -> `AsKh`."""
    if not isinstance(cards, Iterable) or getattr(cards, "shape", 1) == ():
        raise UserError(f"cards must be a list of numbers such as [51, 46], not {quoted(cards)}")
    return "".join(map(card_name, cards))


def mask_of(cards: Iterable[int]) -> int:
    """The 52-bit mask of some cards."""
    mask = 0
    try:
        for card in cards:
            mask |= 1 << card
        if type(mask) is int and mask <= FULL_MASK:  # NumPy's small integers have no room for 52 bits
            return mask
    except (TypeError, ValueError, OverflowError, MemoryError):
        pass
    if not isinstance(cards, Iterable) or isinstance(cards, str | bytes | Mapping | type):
        raise UserError(f"cards must be a list of numbers such as [51, 46], not {quoted(cards)}")
    return mask_of([as_card(card, "cards") for card in cards])


@door(mask=as_mask)
def cards_in(mask: int) -> tuple[int, ...]:
    """The cards in a mask, lowest first."""
    return tuple(card for card in DECK if mask >> card & 1)


def parse_mask(text: str) -> int:
    """`parse_cards`, as a mask."""
    return mask_of(parse_cards(text))


def mask_name(mask: int) -> str:
    """Write a mask's cards, highest first."""
    return cards_name(reversed(cards_in(mask)))
