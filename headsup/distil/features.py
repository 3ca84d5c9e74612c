"""What a person can see in a hand: numbers that can be read off the cards, one row a class and one column a feature.

Four cards. The attributes of ho-2015 table 3.4 keep the names of the thesis; low cards are those from ace to eight.

| names                                       | the feature                                                            |
|---------------------------------------------|------------------------------------------------------------------------|
| has9 .. hasK                                | exactly one card of this rank                                          |
| hasBareA, hasBare2 .. hasBare8              | exactly one, and the hand has fewer than two different low ranks       |
| hasLowA, hasLow2 .. hasLow8                 | exactly one, and the hand has two or more, so that it can make a low   |
| hasPairA, hasPair2 .. hasPairK              | exactly two cards of this rank                                         |
| is_one_pair, is_two_pair, is_trips, is_quads | the structure; three of a kind is no pair                             |
| suited_AABB, _AABC, _AAAB, _AAAA, _ABCD     | how the suits are distributed                                          |
| low_card_2 .. low_card_4                    | exactly this many different low ranks                                  |
| suitedA .. suitedJ                          | the highest of two or more cards of one suit                           |
| c65 .. cKQ, c65s .. cKQs                    | two neighbouring ranks, of one suit                                    |
| range2 .. range7                            | from highest to lowest card, both counted, the ace high                |

Then what players name besides: how many aces or kings, different low ranks, pairs, an ace with a low card, ... Two
cards: high card, low card, pair, suited, gap, and indicators made of them. All are small integers; most are 0 or 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANK_WORDS, RANKS, plural_rank
from headsup.cards.classes import holdem_class_reps
from headsup.cards.combos import frozen
from headsup.cards.games import check_game
from headsup.cards.omaha import LOW, FourCards, omaha_cards
from headsup.errors import UserError

Shorts = npt.NDArray[np.int16]
RANK_NAMES = dict(zip(RANKS, ("Two", *(word.capitalize() for word in RANK_WORDS[1:])), strict=True))
_PATTERNS = {
    "AABB": ((2, 2, 0, 0), "double-suited"),
    "AABC": ((2, 1, 1, 0), "two of one suit, two other suits"),
    "AAAB": ((3, 1, 0, 0), "three of one suit"),
    "AAAA": ((4, 0, 0, 0), "all four of one suit"),
    "ABCD": ((1, 1, 1, 1), "four suits"),
}
SUIT_PATTERNS = {code: pattern for code, (pattern, _) in _PATTERNS.items()}


@dataclass(frozen=True, eq=False)
class Features:
    """The features of every hand class of one game."""

    game: str
    names: list[str]
    descriptions: list[str]
    """One short phrase each, in plain English."""
    matrix: Shorts
    """int16[classes, features]."""

    def column(self, name: str) -> Shorts:
        """One feature of every class."""
        return np.asarray(self.matrix[:, self.index(name)])

    def index(self, name: str) -> int:
        """The column of a feature."""
        if name not in self.names:
            raise UserError(f"'{name}' is not a feature of {self.game} hands: the list is in headsup.distil.features")
        return self.names.index(name)

    def select(self, names: Iterable[str]) -> Features:
        """Only these features, in this order."""
        columns = [self.index(name) for name in names]
        return Features(
            self.game,
            [self.names[column] for column in columns],
            [self.descriptions[column] for column in columns],
            frozen(np.ascontiguousarray(self.matrix[:, columns])),
        )

    def of(self, hand: int) -> dict[str, int]:
        """The features of one class that are not zero."""
        return {name: int(value) for name, value in zip(self.names, self.matrix[hand], strict=True) if value}


@cache
def features(game: str) -> Features:
    """Everything that can be seen in the hands of a game: `holdem`, or `omaha` and `omaha8`, which share theirs."""
    found = _two_cards() if check_game(game) == "holdem" else _table_34() + _four_cards()
    names, descriptions, columns = zip(*found, strict=True)
    matrix = np.stack([np.asarray(column, dtype=np.int16) for column in columns], axis=1)
    return Features(game, list(names), list(descriptions), frozen(matrix))


@cache
def thesis_names() -> tuple[str, ...]:
    """The attributes of ho-2015 table 3.4, in the order of its figure 4.4."""
    return tuple(name for name, _, _ in _table_34())


_Column = tuple[str, str, npt.NDArray[np.bool_] | npt.NDArray[np.integer]]


def _table_34() -> list[_Column]:
    cards = omaha_cards()
    can_low = cards.low_ranks >= 2
    found: list[_Column] = []
    for code, (pattern, phrase) in _PATTERNS.items():
        found.append((f"suited_{code}", phrase, (cards.pattern == pattern).all(axis=1)))
    for rank in LOW:
        phrase = f"one {RANK_NAMES[rank]} and no other low rank"
        found.append((f"hasBare{rank}", phrase, (cards.count(rank) == 1) & ~can_low))
    for rank in "9TJQK":
        found.append((f"has{rank}", f"one {RANK_NAMES[rank]}", cards.count(rank) == 1))
    for rank in LOW:
        phrase = f"one {RANK_NAMES[rank]} and another low rank"
        found.append((f"hasLow{rank}", phrase, (cards.count(rank) == 1) & can_low))
    for rank in "A23456789TJQK":
        found.append((f"hasPair{rank}", f"a pair of {plural(rank)}", cards.count(rank) == 2))
    found += [
        ("is_one_pair", "exactly one pair", cards.pairs == 1),
        ("is_two_pair", "two pairs", cards.pairs == 2),
        ("is_trips", "three of a kind", (cards.of_rank == 3).any(axis=1)),
        ("is_quads", "four of a kind", (cards.of_rank == 4).any(axis=1)),
    ]
    for number in (2, 3, 4):
        found.append((f"low_card_{number}", f"{number} different low ranks", cards.low_ranks == number))
    for rank in "AKQJ":
        found.append((f"suited{rank}", f"{RANK_NAMES[rank]}-high in a suit", cards.suited_under(rank)))
    steps = [(RANKS[place + 1], RANKS[place]) for place in range(RANKS.index("5"), RANKS.index("K"))]
    for high, low in steps:
        both = (cards.count(high) > 0) & (cards.count(low) > 0)
        found.append((f"c{high}{low}", f"a {RANK_NAMES[high]} and a {RANK_NAMES[low]}", both))
    for high, low in steps:
        phrase = f"a {RANK_NAMES[high]} and a {RANK_NAMES[low]} of one suit"
        found.append((f"c{high}{low}s", phrase, cards.suited(high, low)))
    for number in range(2, 8):
        found.append((f"range{number}", f"{number} ranks from highest to lowest card", cards.spread == number))
    return found


def _four_cards() -> list[_Column]:
    """What players name besides the attributes of the table."""
    cards = omaha_cards()
    ace = cards.count("A") > 0
    other_low = cards.kinds(LOW[1:])
    double = (cards.pattern == SUIT_PATTERNS["AABB"]).all(axis=1)
    single = (cards.pattern[:, 0] >= 2) & ~double
    found: list[_Column] = [
        ("aces", "for each Ace", cards.count("A")),
        ("ace", "an Ace", ace),
        ("one_ace", "exactly one Ace", cards.count("A") == 1),
        ("two_aces", "two or more Aces", cards.count("A") >= 2),
        ("two_kings", "exactly two Kings", cards.count("K") == 2),
        ("kings", "for each King", cards.count("K")),
        ("ace_low", "an Ace and another low card", ace & (other_low > 0)),
        ("ace_no_low", "an Ace and no other low card", ace & (other_low == 0)),
        ("ace_double_suited", "an Ace, double-suited", ace & double),
        ("ace_suited", "an Ace with a card of its suit", cards.suited_under("A")),
        ("ace_two", "an Ace and a Two", ace & (cards.count("2") > 0)),
        ("ace_wheel", "an Ace and a Two, Three, Four or Five", ace & (cards.kinds("2345") > 0)),
        ("double_suited", "double-suited", double),
        ("single_suited", "two or more of just one suit", single),
        ("suited", "two or more of a suit", cards.pattern[:, 0] >= 2),
        ("suits", "for each suit with two or more cards", (cards.of_suit >= 2).sum(axis=1)),
        ("rainbow", "four suits", cards.pattern[:, 0] == 1),
        ("low_ranks", "for each different low rank, Ace to Eight", cards.low_ranks),
        ("low_ranks_27", "for each different rank from Two to Seven", cards.kinds("234567")),
        ("low_ranks_26", "for each different rank from Two to Six", cards.kinds("23456")),
        ("low_ranks_25", "for each different rank from Two to Five", cards.kinds("2345")),
        ("wheel_ranks", "for each different rank from Ace to Five", cards.kinds("A2345")),
        ("can_low", "two or more different low ranks", cards.low_ranks >= 2),
        ("three_low", "three or more different low ranks", cards.low_ranks >= 3),
        ("no_low", "fewer than two different low ranks", cards.low_ranks < 2),
        ("pairs", "for each pair", cards.pairs),
        ("high_pairs", "for each pair of Tens to Kings", (cards.of_rank[:, 8:12] == 2).sum(axis=1)),
        ("big_pairs", "for each pair of Tens to Aces", (cards.of_rank[:, 8:] == 2).sum(axis=1)),
        ("middle_pairs", "for each pair of Sixes to Nines", (cards.of_rank[:, 4:8] == 2).sum(axis=1)),
        ("small_pairs", "for each pair of Twos to Fives", (cards.of_rank[:, :4] == 2).sum(axis=1)),
        ("tiny_pairs", "for each pair of Twos or Threes", (cards.of_rank[:, :2] == 2).sum(axis=1)),
        ("three_alike", "three or four of a kind", (cards.of_rank >= 3).any(axis=1)),
        ("high_cards", "for each card from Ten to Ace", (cards.ranks >= 8).sum(axis=1)),
        ("high_ranks", "for each different rank from Ten to King", cards.kinds("TJQK")),
        ("middle_cards", "for each Seven, Eight or Nine", cards.of_rank[:, 5:8].sum(axis=1)),
        ("nines", "for each Nine", cards.count("9")),
        ("nine", "a Nine", cards.count("9") > 0),
        ("eight_nine", "for each different rank of Eight and Nine", cards.kinds("89")),
        ("unpaired_kq", "for each unpaired King or Queen", _single(cards, "KQ")),
        ("spread", "ranks from highest to lowest card", cards.spread),
        ("close", "at most five ranks from highest to lowest card", cards.spread <= 5),
        ("within_seven", "at most seven ranks from highest to lowest card", cards.spread <= 7),
        ("different_ranks", "for each different rank", (cards.of_rank > 0).sum(axis=1)),
        ("three_of_suit", "three or four cards of one suit", cards.pattern[:, 0] >= 3),
    ]
    for rank in "23456789TJQK":
        found.append((f"any{rank}", f"a {RANK_NAMES[rank]}" if rank != "8" else "an Eight", cards.count(rank) > 0))
    return found


def _single(cards: FourCards, ranks: str) -> npt.NDArray[np.int64]:
    return np.asarray((cards.of_rank[:, [RANKS.index(rank) for rank in ranks]] == 1).sum(axis=1))


def _two_cards() -> list[_Column]:
    reps = holdem_class_reps()
    ranks = (reps >> 2).astype(np.int64)
    low, high = ranks.min(axis=1) + 2, ranks.max(axis=1) + 2
    pair, suited = low == high, (reps[:, 0] & 3) == (reps[:, 1] & 3)
    gap = np.where(pair, 0, high - low - 1)
    found: list[_Column] = [
        ("high", "the higher card, Ace 14", high),
        ("low", "the lower card, Ace 14", low),
        ("pair", "a pair", pair),
        ("suited", "suited", suited),
        ("gap", "ranks missing between the two cards", gap),
        ("sum", "the sum of both cards, Ace 14", high + low),
        ("pair_rank", "for a pair, its rank, Ace 14", np.where(pair, high, 0)),
        ("connected", "neighbouring ranks", ~pair & (gap == 0)),
        ("near", "at most one rank missing between the two cards", ~pair & (gap <= 1)),
        ("within_three", "at most two ranks missing between the two cards", ~pair & (gap <= 2)),
        ("suited_connected", "suited and neighbouring ranks", suited & (gap == 0)),
        ("ace", "an Ace", high == 14),
        ("king", "a King high", high == 13),
        ("queen", "a Queen high", high == 12),
        ("jack", "a Jack high", high == 11),
        ("ace_or_king", "an Ace or King high", high >= 13),
        ("both_high", "both cards Ten or higher", low >= 10),
        ("low_above_8", "the lower card above Eight", low > 8),
    ]
    for rank in range(2, 14):
        over, under = RANKS[rank - 1], RANKS[rank - 2]
        found.append((f"high{over}", f"{RANK_NAMES[over]} high", (high == rank + 1) & ~pair))
        found.append((f"low{under}", f"the lower card a {RANK_NAMES[under]}", (low == rank) & ~pair))
    return found


def plural(rank: str) -> str:
    """`Sixes`, `Kings`."""
    return plural_rank(RANK_NAMES[rank])
