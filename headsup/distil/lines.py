"""The pool of lines a rule card may use: what a player looks at in a hand, as columns of small integers.

A line is one look at the hand ("the suits", "each pair") with a few columns; a card gives every column it uses an
integer number of points. ORACLE's seven rules are lines in this sense: one heading, several numbers. So a card's length
is said twice everywhere: in lines, and in numbers to remember.

Hold'em lines follow SAGE's headings, Omaha lines those of ho-2015 section 4.3 (suits, single cards, low cards, pairs,
structure, straight potential) with a few finer looks that the regression there did not try.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import holdem_class_name, holdem_class_sizes, omaha_class_reps
from headsup.errors import UserError

Columns = npt.NDArray[np.int64]
RANKS = "23456789TJQKA"
ACE = 12
LOW = (0, 1, 2, 3, 4, 5, 6, ACE)
"""The ranks that count for low: two to eight, and the ace."""


@dataclass(frozen=True, eq=False)
class Line:
    """One line of a card: a heading, and a name and a column of small integers for each of its numbers."""

    name: str
    heading: str
    parts: tuple[str, ...]
    columns: Columns
    """int64[classes, parts]."""


def pool(game: str) -> dict[str, Line]:
    """Every line that a card for this game may use, by name."""
    if game == "holdem":
        return _holdem()
    if game == "omaha8":
        return _omaha8()
    raise UserError(f"'{game}' has no rule cards: choose holdem or omaha8")


def _lines(*given: tuple[str, str, dict[str, npt.ArrayLike]]) -> dict[str, Line]:
    found = {}
    for name, heading, parts in given:
        columns = np.stack([np.asarray(column).astype(np.int64) for column in parts.values()], axis=1)
        columns.setflags(write=False)
        found[name] = Line(name, heading, tuple(parts), columns)
    return found


@cache
def _holdem() -> dict[str, Line]:
    names = [holdem_class_name(index) for index in range(len(holdem_class_sizes()))]
    high = np.array([RANKS.index(name[0]) for name in names])
    low = np.array([RANKS.index(name[1]) for name in names])
    pair, suited, gap = high == low, np.array([name.endswith("s") for name in names]), high - low
    return _lines(
        ("high", "High card", {"for each rank above a two (king 11, ace 12)": high, "an ace, on top": high == ACE}),
        ("low", "Low card", {"for each rank above a two": low}),
        ("pair", "Pair", {"a pair": pair}),
        ("suited", "Suits", {"suited": suited}),
        ("ace", "Ace", {"an ace": high == ACE}),
        ("king", "King", {"a king and no ace": high == ACE - 1}),
        ("connected", "Connected", {"ranks next to each other": gap == 1, "one rank between": gap == 2}),
        ("gap", "Gap", {"for each rank between the cards": np.maximum(gap - 1, 0)}),
        ("broadway", "Two big cards", {"both cards ten or higher, no pair": (low >= 8) & ~pair}),
        ("small pair", "Rank of a pair", {"for each rank above a pair of twos": pair * low}),
    )


@cache
def _omaha8() -> dict[str, Line]:
    ranks, suits = omaha_class_reps().astype(np.int64) >> 2, omaha_class_reps().astype(np.int64) & 3
    of_rank = np.stack([(ranks == rank).sum(axis=1) for rank in range(13)], axis=1)
    of_suit = np.sort(np.stack([(suits == suit).sum(axis=1) for suit in range(4)], axis=1), axis=1)[:, ::-1]
    most, pairs = of_rank.max(axis=1), (of_rank == 2).sum(axis=1)
    single, paired = of_rank == 1, of_rank == 2
    has = of_rank > 0
    low_ranks = has[:, LOW].sum(axis=1)
    makes_low = low_ranks >= 2
    aces = of_rank[:, ACE]
    span = ranks.max(axis=1) - ranks.min(axis=1)
    suited = np.stack([((suits == suits[:, [seat]]).sum(axis=1) > 1) for seat in range(4)], axis=1)
    suited_ace = ((ranks == ACE) & suited).any(axis=1)
    suited_king = ((ranks == ACE - 1) & suited).any(axis=1) & ~suited_ace
    wheel = has[:, :4].sum(axis=1)
    return _lines(
        (
            "suits",
            "Suits",
            {
                "double-suited": (of_suit[:, 0] == 2) & (of_suit[:, 1] == 2),
                "two of one suit": (of_suit[:, 0] == 2) & (of_suit[:, 1] == 1),
                "three of one suit": of_suit[:, 0] == 3,
                "four of one suit": of_suit[:, 0] == 4,
            },
        ),
        ("aces", "Aces", {"one ace": aces == 1, "two aces": aces == 2, "three or four aces": aces > 2}),
        (
            "high cards",
            "Single high cards",
            {f"a single {name}": single[:, rank] for name, rank in zip("KQJT9", (11, 10, 9, 8, 7), strict=True)},
        ),
        (
            "cards",
            "Cards",
            {
                "each ace": aces,
                "each king": of_rank[:, 11],
                "each queen": of_rank[:, 10],
                "each jack or ten": of_rank[:, 8:10].sum(axis=1),
                "each nine, eight or seven": of_rank[:, 5:8].sum(axis=1),
            },
        ),
        ("lows", "Different low ranks, ace to eight", {f"{n} of them": low_ranks == n for n in (2, 3, 4)}),
        (
            "wheel",
            "Low ranks, if two or more (ace to eight)",
            {
                "each rank from two to five": makes_low * wheel,
                "a six": makes_low & has[:, 4],
                "a seven": makes_low & has[:, 5],
                "an eight": makes_low & has[:, 6],
            },
        ),
        (
            "ace and low",
            "Ace with low cards",
            {
                "an ace and one other low rank": (aces > 0) & (low_ranks == 2),
                "an ace and two other low ranks": (aces > 0) & (low_ranks == 3),
                "an ace and three other low ranks": (aces > 0) & (low_ranks == 4),
            },
        ),
        ("ace-two", "Best lows", {"ace-two": has[:, ACE] & has[:, 0], "ace-three": has[:, ACE] & has[:, 1]}),
        (
            "pairs",
            "Pairs",
            {
                "a pair of aces": paired[:, ACE],
                "a pair of kings": paired[:, 11],
                "a pair of queens": paired[:, 10],
                "a pair of jacks or tens": paired[:, 8:10].sum(axis=1),
                "each pair from sixes to nines": paired[:, 4:8].sum(axis=1),
                "each pair from twos to fives": paired[:, :4].sum(axis=1),
            },
        ),
        (
            "structure",
            "Same ranks",
            {"one pair": (most == 2) & (pairs == 1), "two pairs": pairs == 2, "three or four of a rank": most > 2},
        ),
        (
            "span",
            "From the highest card to the lowest",
            {
                "up to three ranks": span <= 3,
                "four or five ranks": (span == 4) | (span == 5),
                "six or seven ranks": (span == 6) | (span == 7),
            },
        ),
        (
            "top suits",
            "Best suited card",
            {"a suited ace": suited_ace, "a suited king and no suited ace": suited_king},
        ),
    )
