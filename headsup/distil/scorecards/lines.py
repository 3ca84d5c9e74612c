"""The pool of lines a rule card may use: what a player looks at in a hand, as columns of small integers.

A line is one look at the hand ("the suits", "the pairs") with a few columns; a card gives every column it uses an
integer number of points. ORACLE's seven rules are lines in this sense: one heading, several numbers. So a card's length
is said twice everywhere: in lines, and in numbers to remember, where things with the same points are one number.

Hold'em lines follow SAGE's headings, Omaha lines those of ho-2015 section 4.3 (suits, cards, lows, pairs, structure,
straights), each rank apart, and some looks that the thesis did not try. Two of them matter most: the second-lowest low
rank, for it makes a low good or bad, and cards far from all others. What is counted here is what
`headsup.distil.features` counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS
from headsup.cards.omaha import LOW, FourCards, omaha_cards
from headsup.distil.features import RANK_NAMES, SUIT_PATTERNS, features, plural
from headsup.errors import UserError

Columns = npt.NDArray[np.int64]
WORDS = {rank: name.lower() for rank, name in RANK_NAMES.items()}
DOWN = RANKS[::-1]


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


def columns_of(game: str, lines: Sequence[str]) -> Columns:
    """int64[classes, parts]: the columns of some lines beside each other."""
    return np.concatenate([pool(game)[name].columns for name in lines], axis=1)


def owners(game: str, lines: Sequence[str]) -> Columns:
    """Of each of those columns, which of the lines it belongs to."""
    return np.repeat(np.arange(len(lines)), [len(pool(game)[name].parts) for name in lines])


def a_game(game: str) -> str:
    """A game's name after its article."""
    return f"{'an' if game[0] in 'aeiou' else 'a'} {game}"


def together(parts: Sequence[str]) -> str:
    """Several parts with the same points in few words: `each king or queen`, `a pair of twos to fives, two pairs`."""
    said = []
    for start, group in groupby(parts, key=_start):
        some = list(group)
        said += some if not start or len(some) == 1 else [_listed(start, [_rank_of(part) for part in some])]
    return ", ".join(said)


_SINGULARS = tuple(WORDS[rank] for rank in RANKS)
_PLURALS = tuple(plural(rank).lower() for rank in RANKS)


def _start(part: str) -> str:
    """What stands before the rank that a part ends with, or nothing if the part is no such."""
    start, _, last = part.rpartition(" ")
    if start in ("a", "an", "each") and last in _SINGULARS:
        return "each" if start == "each" else "a"
    return start if start == "a pair of" and last in _PLURALS else ""


def _rank_of(part: str) -> int:
    last = part.rpartition(" ")[2]
    return (_SINGULARS if last in _SINGULARS else _PLURALS).index(last)


def _listed(start: str, places: list[int]) -> str:
    """Ranks in words after what they share; three or more neighbours as `two to five`."""
    runs: list[list[int]] = []
    for place in sorted(places):
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    word = _PLURALS if start == "a pair of" else _SINGULARS
    names: list[str] = []
    for run in runs:
        names += [word[place] for place in run] if len(run) < 3 else [f"{word[run[0]]} to {word[run[-1]]}"]
    if start == "a" and names[0].startswith(("a", "ei")):
        start = "an"
    return f"{start} {names[0] if len(names) == 1 else ', '.join(names[:-1]) + ' or ' + names[-1]}"


Parts = dict[str, npt.ArrayLike]


def _lines(*given: tuple[str, str, Parts]) -> dict[str, Line]:
    found = {}
    for name, heading, parts in given:
        columns = np.stack([np.asarray(column).astype(np.int64) for column in parts.values()], axis=1)
        columns.setflags(write=False)
        found[name] = Line(name, heading, tuple(parts), columns)
    return found


@cache
def _holdem() -> dict[str, Line]:
    seen = features("holdem")
    high, low, pair, gap = (seen.column(name).astype(np.int64) for name in ("high", "low", "pair", "gap"))
    return _lines(
        (
            "high",
            "High card",
            {
                "for each rank above a two (an ace is 12 above)": high - 2,
                "more for an ace": high == 14,
                "more for a king": high == 13,
            },
        ),
        ("low", "Low card", {"for each rank above a two": low - 2}),
        ("pair", "Pair", {"a pair": pair}),
        ("suited", "Suits", {"suited": seen.column("suited")}),
        ("ace", "Ace", {"an ace": seen.column("ace")}),
        ("king", "King", {"a king and no ace": seen.column("king")}),
        (
            "connected",
            "Connected",
            {"ranks next to each other": seen.column("connected"), "one rank between": gap == 1},
        ),
        ("gap", "Gap", {"for each rank between the cards": gap}),
        ("broadway", "Two big cards", {"both cards ten or higher, no pair": (low >= 10) & (pair == 0)}),
        ("small pair", "Rank of a pair", {"for each rank above a pair of twos": pair * (low - 2)}),
    )


@cache
def _omaha8() -> dict[str, Line]:
    cards = omaha_cards()
    return _lines(*_suit_lines(cards), *_rank_lines(cards), *_low_lines(cards), *_shape_lines(cards))


def _suit_lines(cards: FourCards) -> list[tuple[str, str, Parts]]:
    names = {
        "AABB": "double-suited",
        "AABC": "two of one suit",
        "AAAB": "three of one suit",
        "AAAA": "four of one suit",
    }
    patterns = {said: (cards.pattern == SUIT_PATTERNS[code]).all(axis=1) for code, said in names.items()}
    ace = cards.count("A") > 0
    return [
        ("suits", "Suits", {**patterns}),
        ("top suit", "Highest card of a suit you have two of", _each("a", "AKQJT", cards.suited_under)),
        (
            "ace and suits",
            "Ace, by the suits",
            {"an ace, double-suited": ace & patterns["double-suited"], "an ace, four suits": ace & (_most(cards) == 1)},
        ),
    ]


def _rank_lines(cards: FourCards) -> list[tuple[str, str, Parts]]:
    alike = cards.of_rank.max(axis=1)
    same: Parts = {
        "exactly one pair": cards.pairs == 1,
        "two pairs": cards.pairs == 2,
        "three of a kind": alike == 3,
        "four of a kind": alike == 4,
    }
    pairs: Parts = {f"a pair of {plural(rank).lower()}": cards.count(rank) == 2 for rank in DOWN}
    aces = cards.count("A")
    return [
        ("cards", "Cards", _each("each", DOWN, cards.count)),
        ("pairs", "Pairs (exactly two of a rank)", pairs),
        ("alike", "Same ranks", same),
        ("aces", "Aces", {"one ace": aces == 1, "two aces": aces == 2, "three or four aces": aces > 2}),
    ]


def _low_lines(cards: FourCards) -> list[tuple[str, str, Parts]]:
    place = np.where(np.stack([cards.count(rank) > 0 for rank in LOW], axis=1), np.arange(8), 99)
    place.sort(axis=1)
    can_low = cards.low_ranks >= 2
    ace = cards.count("A") > 0
    seconds: Parts = {_an(rank): place[:, 1] == LOW.index(rank) for rank in LOW[1:]}
    thirds: Parts = {_an(rank): place[:, 2] == LOW.index(rank) for rank in LOW[2:]}
    held: Parts = {_an(rank): can_low & (cards.count(rank) > 0) for rank in LOW[1:]}
    others = (2, 3, 4)
    return [
        ("second low", "Your second-lowest rank (ace low), if eight or less", seconds),
        ("third low", "Your third-lowest rank (ace low), if eight or less", thirds),
        (
            "low count",
            "Different ranks from ace to eight",
            {f"{_count(n)} of them": cards.low_ranks == n for n in others},
        ),
        ("low ranks", "Low ranks, if two or more (ace to eight)", held),
        (
            "ace and low",
            "Ace with other ranks up to eight",
            {f"an ace and {_count(n - 1)}": ace & (cards.low_ranks == n) for n in others},
        ),
    ]


def _shape_lines(cards: FourCards) -> list[tuple[str, str, Parts]]:
    spread, alone, high = cards.spread, _alone(cards), (cards.of_rank[:, 8:] > 0).sum(axis=1)
    spans: Parts = {
        "two or three ranks": (spread == 2) | (spread == 3),
        "four ranks": spread == 4,
        "five ranks": spread == 5,
        "six ranks": spread == 6,
        "seven ranks": spread == 7,
        "eight ranks": spread == 8,
    }
    return [
        ("span", "From the highest card to the lowest, both counted (ace high)", spans),
        (
            "far cards",
            "Cards four or more ranks from any other (ace high or low)",
            {f"{_count(n)} of them": alone == n for n in (1, 2)},
        ),
        ("high ranks", "Different ranks from ten to ace", {f"{_count(n)} of them": high == n for n in (1, 2, 3, 4)}),
    ]


def _each(article: str, ranks: str, column: Callable[[str], npt.ArrayLike]) -> Parts:
    return {f"{article} {WORDS[rank]}" if article != "a" else _an(rank): column(rank) for rank in ranks}


def _an(rank: str) -> str:
    return f"an {WORDS[rank]}" if rank in "A8" else f"a {WORDS[rank]}"


def _count(number: int) -> str:
    return ("none", "one", "two", "three", "four")[number]


def _most(cards: FourCards) -> Columns:
    return np.asarray(cards.pattern[:, 0])


def _alone(cards: FourCards) -> Columns:
    """How many cards are more than three ranks away from every other card; the ace is high and low."""
    high, low = cards.ranks, np.where(cards.ranks == RANKS.index("A"), -1, cards.ranks)
    apart = np.minimum(*(np.abs(ranks[:, :, None] - ranks[:, None, :]) for ranks in (high, low)))
    apart[:, range(4), range(4)] = 99
    return np.asarray((apart.min(axis=2) > 3).sum(axis=1))
