"""Hands at the edge of the jam/fold game: names and groups of hand classes, and strategies as range text."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import (
    holdem_class_name,
    holdem_class_of_combo,
    holdem_class_sizes,
    omaha_class_name,
    omaha_class_of_combo,
    omaha_class_sizes,
    parse_holdem_class,
    parse_omaha_class,
)
from headsup.cards.games import check_game
from headsup.cards.omaha import omaha_cards
from headsup.cards.ranges import Range, RangeError, parse_range
from headsup.errors import UserError
from headsup.files import read_text
from headsup.games.arrays import Floats

Mask = npt.NDArray[np.bool_]
MOST_RANGE = 1 << 24
"""Bytes of the largest file of range text; every Omaha hand with a weight of its own has a quarter of that."""


def parse_class(game: str, text: str) -> int:
    """The hand class that a text names: AKs or AsKs in hold'em, four cards in Omaha."""
    return parse_holdem_class(text) if check_game(game) == "holdem" else parse_omaha_class(text)


def class_name(game: str, index: int) -> str:
    """Write a hand class."""
    return holdem_class_name(index) if check_game(game) == "holdem" else omaha_class_name(index)


def class_sizes(game: str) -> npt.NDArray[np.int64]:
    """How many hands each class has."""
    return holdem_class_sizes() if check_game(game) == "holdem" else omaha_class_sizes()


def class_frequencies(hands: Range) -> Floats:
    """A range as one frequency a hand class; the suits of a hand must not matter in it."""
    of_combo = (holdem_class_of_combo() if hands.game == "holdem" else omaha_class_of_combo()).astype(np.intp)
    sizes = class_sizes(hands.game)
    means = np.bincount(of_combo, weights=hands.units, minlength=len(sizes)) / sizes
    odd = np.flatnonzero(means[of_combo] != hands.units)
    if len(odd):
        name = class_name(hands.game, int(of_combo[odd[0]]))
        raise UserError(
            f"the range plays {name} in some suits only, and jam or fold is solved by hand class: give all suits of a "
            "hand the same weight"
        )
    return np.asarray(means / 10000)


def read_strategy(path: Path, game: str) -> Floats:
    """A strategy from a file of range text; lines may be added freely and # starts a comment."""
    lines = read_text(path, MOST_RANGE).splitlines()
    text = "\n".join(line.partition("#")[0] for line in lines).strip()
    if not text:
        raise UserError(f"{path} has no range in it: write range text, for example  22+,A2s+,KTo+")
    try:
        return class_frequencies(parse_range(text, game))
    except RangeError as error:
        raise UserError(f"{path} is not a {game} range: {error}") from error


def given_strategy(text: str, game: str) -> Floats:
    """A strategy from range text or from a file of it; a file that is there is read, whatever its name looks like."""
    if os.path.exists(text):  # unlike Path.exists it takes text that is too long for a name
        return read_strategy(Path(text), game)
    try:
        return class_frequencies(parse_range(text, game))
    except RangeError as error:
        raise UserError(f"'{text}' cannot be read: there is no such file, and as a {game} range: {error}") from error


def strategy_range(game: str, frequencies: Floats) -> Range:
    """One frequency a hand class as a range, which has four decimals."""
    of_combo = holdem_class_of_combo() if check_game(game) == "holdem" else omaha_class_of_combo()
    return Range(game, frequencies[of_combo])


@cache
def omaha_groups() -> dict[str, Mask]:
    """Groups of Omaha hands that people speak of, each a mask over the hand classes; groups overlap."""
    cards = omaha_cards()
    aces, most, pairs, of_suit = cards.count("A"), cards.of_rank.max(axis=1), cards.pairs, cards.pattern
    low_ranks = cards.low_ranks
    return {
        "two or more aces": aces >= 2,
        "one ace": aces == 1,
        "no ace": aces == 0,
        "no pair": most == 1,
        "one pair": (most == 2) & (pairs == 1),
        "two pairs": (most == 2) & (pairs == 2),
        "three or four of a rank": most >= 3,
        "double-suited": (of_suit[:, 0] == 2) & (of_suit[:, 1] == 2),
        "two of a suit": (of_suit[:, 0] == 2) & (of_suit[:, 1] == 1),
        "three or four of a suit": of_suit[:, 0] >= 3,
        "rainbow": of_suit[:, 0] == 1,
        "four low ranks": low_ranks == 4,
        "three low ranks": low_ranks == 3,
        "two low ranks": low_ranks == 2,
        "no two low ranks": low_ranks <= 1,
    }
