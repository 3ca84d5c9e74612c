"""The pool of lines a rule card may use: what a player looks at in a hand, as columns of small integers.

A line is one look at the hand ("the suits", "the pairs") with a few columns, each with an integer number of points. A
card's length is given in lines, and in numbers to remember. Hold'em lines follow SAGE's headings, Omaha lines those of
ho-2015 section 4.3, each rank apart, and some looks that the thesis did not try.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS, with_article
from headsup.cards.hands import LOW, FourCards, TwoCards, holdem_cards, omaha_cards
from headsup.common.errors import UserError
from headsup.distil.rules.points import RANK_NAMES, named, plural

T = TypeVar("T")
Columns = npt.NDArray[np.int64]
Parts = dict[str, npt.ArrayLike]
Looks = dict[str, tuple[str, Parts]]  # line name -> its heading, and its parts
WORDS = {rank: name.lower() for rank, name in RANK_NAMES.items()}
DOWN = RANKS[::-1]


@dataclass(frozen=True, eq=False)
class CardLine:
    """One line of a card: a heading, and a name and a column of small integers for each of its numbers."""

    name: str
    heading: str
    parts: tuple[str, ...]
    looks: Callable[[], Looks]  # what is seen in every hand class, which takes longer than to name it

    @cached_property
    def columns(self) -> Columns:
        """int64[classes, parts]."""
        _, parts = self.looks()[self.name]
        columns = np.stack([np.asarray(column).astype(np.int64) for column in parts.values()], axis=1)
        columns.setflags(write=False)
        return columns


def pool(game: str) -> dict[str, CardLine]:
    """Every line that a card for this game may use, by name."""
    if game == "holdem":
        return _holdem()
    if game == "omaha8":
        return _omaha8()
    raise UserError(f"'{game}' has no rule cards: choose holdem or omaha8")


def columns_of(game: str, lines: Sequence[str]) -> Columns:
    """int64[classes, parts]: the columns of these lines side by side."""
    return np.concatenate([pool(game)[name].columns for name in lines], axis=1)


def owners(game: str, lines: Sequence[str]) -> Columns:
    """The index of the line of each of those columns."""
    return np.repeat(np.arange(len(lines)), [len(pool(game)[name].parts) for name in lines])


def by_line(game: str, lines: Sequence[str], points: Columns) -> dict[str, tuple[int, ...]]:
    """The points of those columns, line by line."""
    owner = owners(game, lines)
    return {name: tuple(points[owner == at].tolist()) for at, name in enumerate(lines)}


def _an(rank: str) -> str:
    return named(rank).lower()


def together(parts: Sequence[str]) -> str:
    """Several parts with the same points in few words: `each king or queen`, `a pair of twos to fives, two pairs`."""
    phrases = []
    for start, group in groupby(parts, key=lambda part: _RANKED.get(part, ("", 0))[0]):
        some = list(group)
        phrases += some if not start or len(some) == 1 else [_listed(start, sorted(_RANKED[part][1] for part in some))]
    return ", ".join(phrases)


_SINGULARS = tuple(WORDS[rank] for rank in RANKS)
_PLURALS = tuple(plural(rank).lower() for rank in RANKS)
_RANKED = {
    part: (start, place)
    for place, (singular, many) in enumerate(zip(_SINGULARS, _PLURALS, strict=True))
    for start, part in (("each", f"each {singular}"), ("a", _an(RANKS[place])), ("a pair of", f"a pair of {many}"))
}
"""Parts that end with a rank: what stands before it, and the place of the rank."""


def _listed(start: str, places: list[int]) -> str:
    """Ranks in words after their common start; three or more neighbours as `two to five`."""
    word, names = _PLURALS if start == "a pair of" else _SINGULARS, list[str]()
    for _, run in groupby(enumerate(places), key=lambda pair: pair[1] - pair[0]):
        some = [word[place] for _, place in run]
        names += some if len(some) < 3 else [f"{some[0]} to {some[-1]}"]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
    return with_article(listed) if start == "a" else f"{start} {listed}"


def _lines(section: Callable[[T], Looks], some: T, every: Callable[[], T]) -> dict[str, CardLine]:
    """The lines of a section, named from `some` hands or none; the columns of all hands are computed on first use."""

    @cache
    def looks() -> Looks:
        return section(every())

    return {name: CardLine(name, heading, tuple(parts), looks) for name, (heading, parts) in section(some).items()}


@cache
def _holdem() -> dict[str, CardLine]:
    return _lines(_two_cards, holdem_cards(), holdem_cards)


def _two_cards(cards: TwoCards) -> Looks:
    high, low, pair, suited, gap = cards
    above: Parts = {
        "for each rank above a two (an ace is 12 above)": high - 2,
        "more for an ace": high == 14,
        "more for a king": high == 13,
    }
    near: Parts = {"ranks next to each other": ~pair & (gap == 0), "one rank between": gap == 1}
    return {
        "high": ("High card", above),
        "low": ("Low card", {"for each rank above a two": low - 2}),
        "pair": ("Pair", {"a pair": pair}),
        "suited": ("Suits", {"suited": suited}),
        "ace": ("Ace", {"an ace": high == 14}),
        "king": ("King", {"a king and no ace": high == 13}),
        "connected": ("Connected", near),
        "gap": ("Gap", {"for each rank between the cards": gap}),
        "broadway": ("Two big cards", {"both cards ten or higher, no pair": (low >= 10) & ~pair}),
        "small pair": ("Rank of a pair", {"for each rank above a pair of twos": pair * (low - 2)}),
    }


@cache
def _omaha8() -> dict[str, CardLine]:
    none = FourCards(np.empty((0, 4), dtype=np.uint8))
    lines: dict[str, CardLine] = {}
    for section in (_suit_lines, _rank_lines, _low_lines, _shape_lines):
        lines |= _lines(section, none, omaha_cards)
    return lines


def _suit_lines(cards: FourCards) -> Looks:
    double, ace = cards.suited_as("AABB"), cards.count("A") > 0
    patterns: Parts = {
        "double-suited": double,
        "two of one suit": cards.suited_as("AABC"),
        "three of one suit": cards.suited_as("AAAB"),
        "four of one suit": cards.suited_as("AAAA"),
    }
    aces: Parts = {"an ace, double-suited": ace & double, "an ace, four suits": ace & cards.suited_as("ABCD")}
    return {
        "suits": ("Suits", patterns),
        "top suit": (
            "Highest card of a suit you have two of",
            {_an(rank): cards.suited_under(rank) for rank in "AKQJT"},
        ),
        "ace and suits": ("Ace, by the suits", aces),
    }


def _rank_lines(cards: FourCards) -> Looks:
    alike, aces = cards.of_rank.max(axis=1), cards.count("A")
    same: Parts = {
        "exactly one pair": cards.pairs == 1,
        "two pairs": cards.pairs == 2,
        "three of a kind": alike == 3,
        "four of a kind": alike == 4,
    }
    pairs: Parts = {f"a pair of {plural(rank).lower()}": cards.count(rank) == 2 for rank in DOWN}
    return {
        "cards": ("Cards", {f"each {WORDS[rank]}": cards.count(rank) for rank in DOWN}),
        "pairs": ("Pairs (exactly two of a rank)", pairs),
        "alike": ("Same ranks", same),
        "aces": ("Aces", {"one ace": aces == 1, "two aces": aces == 2, "three or four aces": aces > 2}),
    }


def _low_lines(cards: FourCards) -> Looks:
    place = np.where(np.stack([cards.count(rank) > 0 for rank in LOW], axis=1), np.arange(8), 99)
    place.sort(axis=1)
    low, ace = cards.low_ranks, cards.count("A") > 0
    seconds: Parts = {_an(rank): place[:, 1] == LOW.index(rank) for rank in LOW[1:]}
    thirds: Parts = {_an(rank): place[:, 2] == LOW.index(rank) for rank in LOW[2:]}
    held: Parts = {_an(rank): (low >= 2) & (cards.count(rank) > 0) for rank in LOW[1:]}
    beside: Parts = {f"an ace and {_COUNTS[n - 1]}": ace & (low == n) for n in (2, 3, 4)}
    return {
        "second low": ("Your second-lowest rank (ace low), if eight or less", seconds),
        "third low": ("Your third-lowest rank (ace low), if eight or less", thirds),
        "low count": ("Different ranks from ace to eight", _of_them(low, (2, 3, 4))),
        "low ranks": ("Low ranks, if two or more (ace to eight)", held),
        "ace and low": ("Ace with other ranks up to eight", beside),
    }


def _shape_lines(cards: FourCards) -> Looks:
    spread, high = cards.spread, (cards.of_rank[:, 8:] > 0).sum(axis=1)
    spans: Parts = {"two or three ranks": (spread == 2) | (spread == 3)}
    spans |= {f"{WORDS[str(n)]} ranks": spread == n for n in (4, 5, 6, 7, 8)}
    return {
        "span": ("From the highest card to the lowest, both counted (ace high)", spans),
        "far cards": ("Cards four or more ranks from any other (ace high or low)", _of_them(_alone(cards), (1, 2))),
        "high ranks": ("Different ranks from ten to ace", _of_them(high, (1, 2, 3, 4))),
    }


_COUNTS = ("none", "one", "two", "three", "four")


def _of_them(amount: Columns, numbers: Sequence[int]) -> Parts:
    return {f"{_COUNTS[n]} of them": amount == n for n in numbers}


def _alone(cards: FourCards) -> Columns:
    """The number of cards more than three ranks away from every other card; the ace is high and low."""
    high = cards.ranks.astype(np.int8)
    low = np.where(high == RANKS.index("A"), np.int8(-1), high)
    apart = np.minimum(*(np.abs(ranks[:, :, None] - ranks[:, None, :]) for ranks in (high, low)))
    apart[:, range(4), range(4)] = 99
    return np.asarray((apart.min(axis=2) > 3).sum(axis=1))
