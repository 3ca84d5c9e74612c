"""Hutchison's point counts: for Omaha (hutchisonpoker.com/Omaha.htm), and for Omaha Hi-Lo (Canadian Poker Monthly,
1997).

For Omaha, each suit with two or more cards counts by its highest card, two less if it has more than two; each pair by
its rank; cards that can make a straight together 25 points for four, 18 for three, 8 for two, two less for each missing
rank and four less with an ace. By the page's examples paired cards count once, the cards left over may make another
combination, and the ace may be used at both ends. For AsKdQhTs the page forgets the ace: 31 there, 27 here.

The counts were made for ten players who stay to the end and name no stack, so at each stack and seat they get the
threshold that loses least against the equilibrium.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations

import numpy as np

from headsup.cards.cards import RANKS
from headsup.cards.hands import omaha_cards
from headsup.distil.gains import seat_gains
from headsup.distil.rules.points import PointRule, Points, named, plural
from headsup.jamfold.hands import Mask
from headsup.jamfold.shipped import shipped

SUIT_POINTS = dict(zip(RANKS[::-1], (8, 6, 5, 4, 3, 3, 2, 1, 1, 1, 1, 1, 1), strict=True))
PAIR_POINTS = dict(zip(RANKS[::-1], (18, 16, 14, 13, 12, 10, 8, 7, 7, 7, 7, 7, 7), strict=True))
STRAIGHT_POINTS = {2: 8, 3: 18, 4: 25}
GAPS = 3
LOW_ACE, HIGH_ACE = 1, 14
SPARE = "of which only two can be used"


def straight_points(ranks: frozenset[int]) -> tuple[int, int]:
    """The points of step 3 for different ranks 2..14, and the number of combinations with an ace."""
    left = set(ranks) | ({LOW_ACE} if HIGH_ACE in ranks else set())
    points, aces = 0, 0
    while True:
        groups = [
            group
            for size in STRAIGHT_POINTS
            for group in combinations(sorted(left), size)
            if group[-1] - group[0] + 1 - size <= GAPS and not (LOW_ACE in group and HIGH_ACE in group)
        ]
        if not groups:
            return points, aces
        best = max(groups, key=lambda group: (len(group), -(group[-1] - group[0]), group))
        points += STRAIGHT_POINTS[len(best)] - 2 * (best[-1] - best[0] + 1 - len(best))
        aces += LOW_ACE in best or HIGH_ACE in best
        left -= set(best)


@cache
def hutchison() -> PointRule:
    """The count as a rule for Omaha, high only, with the best threshold for each stack and seat."""
    cards, known = omaha_cards(), cache(straight_points)
    straights = np.array([known(frozenset(rank + 2 for rank in row)) for row in cards.ranks.tolist()])
    lines = (
        *suit_lines("for each suit with {} on top", SUIT_POINTS, (2, 3, 4)),
        Points("Suits", "three or four cards of one suit", -2, cards.pattern[:, 0] >= 3, SPARE),
        *rank_lines("a pair of {}", PAIR_POINTS, 2),
        Points("Straights", "cards that may make straights together", 1, straights[:, 0]),
        Points("Straights", "for each combination with an Ace", -4, straights[:, 1], "which ends a straight"),
    )
    return count("hutchison", "Hutchison's count", "omaha", "hutchisonpoker.com/Omaha.htm", lines)


def count(
    name: str, title: str, game: str, source: str, lines: tuple[Points, ...], always: tuple[tuple[str, Mask], ...] = ()
) -> PointRule:
    """A count without thresholds, as a rule with the best threshold for each stack and seat."""
    rule = PointRule(
        name=name,
        title=title,
        game=game,
        source=source,
        lines=lines,
        threshold=lambda stack, seat: best_threshold(rule, stack, seat),
        threshold_text=lambda stack, seat: "the number that loses least here; the count itself names none for a stack",
        min_stack=0.5,
        max_stack=15.0,
        always=always,
        own_threshold=False,
    )
    return rule


def rank_lines(text: str, points: Mapping[str, float], number: int, why: str = "") -> Iterator[Points]:
    """Points for `number` cards of a rank, by rank."""
    for rank, each in points.items():
        yield Points("Pairs", text.format(plural(rank)), each, omaha_cards().count(rank) == number, why)


def suit_lines(text: str, points: Mapping[str, float], sizes: tuple[int, ...], why: str = "") -> Iterator[Points]:
    """Points for every suit with one of these numbers of cards, by its highest rank."""
    cards = omaha_cards()
    for rank, each in points.items():
        place = RANKS.index(rank)
        top = (cards.held[:, place] == 1) & ~cards.held[:, place + 1 :].any(axis=1)
        headed = (top & np.isin(cards.of_suit, sizes)).sum(axis=1)
        yield Points("Suits", text.format(named(rank)), each, headed, why)


@cache
def best_threshold(rule: PointRule, stack: float, seat: str) -> float:
    """The score from which on to play, so that the least is lost against the equilibrium of the nearest shipped stack.

    Hands that the rule always plays have no say.
    """
    sweep = shipped(rule.game)
    near = float(sweep.stacks[sweep.nearest_index(stack)])
    free = ~rule.certain()
    gain = seat_gains(rule.game, seat, near)[free]
    levels, place = np.unique(rule.scores(seat)[free], return_inverse=True)
    # What is won by playing everything from each level on; folding all wins nothing.
    won = np.bincount(place, weights=gain)[::-1].cumsum()[::-1]
    at = int(won.argmax())
    return float(levels[at] if won[at] > 0 else levels[-1] + 1)


LOW_ORDER = "A23456789TJQK"
LOWEST_TWO = {"A2": 20, "A3": 17, "A4": 13, "A5": 10, "23": 15, "24": 12, "34": 11, "45": 8}
KICKERS = {"3": 9, "4": 6, "5": 4, "6": 1, "T": 1, "J": 2, "Q": 2, "K": 2}
PAIRS = {"A": 8, "K": 6, "Q": 5, "J": 2, "T": 1, "4": 1, "3": 1, "2": 3}
SUITS = {"A": 4, "K": 3, "Q": 2, "J": 2, "T": 1, "9": 1, "8": 1}


@cache
def hutchison8() -> PointRule:
    """The count as a rule for Omaha Hi-Lo, as iomahaindicator.com/hpoints.html lists it.

    A hand of tens and higher is always played for the high alone if it has two pairs, or a pair and two cards of a
    suit, or two suits, and no three of a kind. Other hands count their two lowest ranks, each other rank once, each
    pair, and each suit with two cards by its highest card; half for three of a kind or of a suit, none for four.
    """
    cards = omaha_cards()
    has = np.stack([cards.count(rank) > 0 for rank in LOW_ORDER], axis=1)
    place = has.cumsum(axis=1)
    # a rank is one of the two lowest if it is there and at most one lower rank is
    lowest = {rank: has[:, at] & (place[:, at] <= 2) for at, rank in enumerate(LOW_ORDER)}
    other = {rank: has[:, at] & (place[:, at] > 2) for at, rank in enumerate(LOW_ORDER)}
    lines = (
        *(
            Points("Low", f"{two[0]}-{two[1]} as the two lowest cards", points, lowest[two[0]] & lowest[two[1]])
            for two, points in LOWEST_TWO.items()
        ),
        *(Points("Kickers", f"{named(rank)} beside them", points, other[rank]) for rank, points in KICKERS.items()),
        *rank_lines("a pair of {}", PAIRS, 2),
        *rank_lines("three {}", _halves(PAIRS), 3, SPARE),
        *suit_lines("for each two of a suit with {} on top", SUITS, (2,)),
        *suit_lines("three of a suit with {} on top", _halves(SUITS), (3,), SPARE),
    )  # fmt: skip
    two_suits, pairs = cards.pattern[:, 1] == 2, cards.pairs
    shaped = (pairs == 2) | ((pairs == 1) & (cards.pattern[:, 0] >= 2)) | two_suits
    high = (cards.ranks.min(axis=1) >= RANKS.index("T")) & (cards.of_rank.max(axis=1) < 3)
    return count(
        "hutchison8",
        "Hutchison's Hi-Lo count",
        "omaha8",
        "Canadian Poker Monthly, December 1997",
        lines,
        always=(("four cards from Ten up with pairs or suits, for the high alone", shaped & high),),
    )


def _halves(points: Mapping[str, float]) -> dict[str, float]:
    return {rank: each / 2 for rank, each in points.items()}
