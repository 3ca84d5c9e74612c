"""Hands in the protocol's order: 2d2c 2h2c 2h2d 2s2c ... AsAh, which is the colex order of headsup."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from headsup.cards.cards import card_name
from headsup.cards.combos import holdem_combos
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import quoted
from headsup.common.errors import UserError

HANDS = 1326


@cache
def hand_order() -> tuple[str, ...]:
    """The names of the 1,326 hands, the higher card first."""
    return tuple(card_name(high) + card_name(low) for low, high in holdem_combos().tolist())


def numbers_text(numbers: Iterable[float] | AnyArray) -> str:
    """Numbers on one line with up to nine significant digits."""
    return " ".join(map("{:.9g}".format, np.asarray(numbers, dtype=np.float64).tolist()))


def read_numbers(words: Sequence[str], what: str, times: int = 1) -> Floats:
    """[times, 1326] numbers; an error counts them."""
    if len(words) != times * HANDS:
        wanted = f"{HANDS:,} numbers" if times == 1 else f"{times} times {HANDS:,} numbers"
        raise UserError(f"{what}: {len(words):,} words, and {wanted} are needed, one for each hand of show_hand_order")
    numbers = np.array([read_number(word, what) for word in words]).reshape(times, HANDS)
    if not (numbers >= 0.0).all():
        raise UserError(f"{what}: numbers must be 0 or more")
    return numbers


def read_number(word: str, what: str) -> float:
    try:
        number = float(word) if word.isascii() and "_" not in word else float("nan")
    except ValueError:
        number = float("nan")
    if not np.isfinite(number):
        raise UserError(f"{what}: {quoted(word)} is not a number")
    return number


def read_whole(word: str, what: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= 12):
        raise UserError(f"{what}: {quoted(word)} is not a whole number of 0 or more")
    return int(word)
