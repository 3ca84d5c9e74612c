"""Jam/fold strategies as ranges: read from range text or a file of it, and written."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from headsup.cards.ranges import Range, RangeError, parse_range
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.common.files import read_text
from headsup.jamfold.hands import class_name, class_of_combo, class_sizes

MOST_RANGE = 1 << 24  # bytes of the largest file of range text; a weight for every Omaha hand takes a quarter of that


def class_frequencies(hands: Range) -> Floats:
    """A range as one frequency a hand class; the suits of a hand must not matter in it."""
    of_combo = class_of_combo(hands.game).astype(np.intp)
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
    """A strategy from a file of range text, on any number of lines; # starts a comment."""
    lines = read_text(path, MOST_RANGE).splitlines()
    text = "\n".join(line.partition("#")[0] for line in lines).strip()
    if not text:
        raise UserError(f"{path} has no range in it: write range text, for example  22+,A2s+,KTo+")
    try:
        return class_frequencies(parse_range(text, game))
    except RangeError as error:
        raise UserError(f"{path} is not a {game} range: {error}") from error


def given_strategy(text: str, game: str) -> Floats:
    """A strategy from range text, or from a file of it if one with that name exists."""
    if os.path.exists(text):  # unlike Path.exists it takes text that is too long for a name
        return read_strategy(Path(text), game)
    try:
        return class_frequencies(parse_range(text, game))
    except RangeError as error:
        raise UserError(f"'{text}' cannot be read: there is no such file, and as a {game} range: {error}") from error


def strategy_range(game: str, frequencies: Floats) -> Range:
    """One frequency a hand class as a range, which has four decimals."""
    return Range(game, frequencies[class_of_combo(game)])
