"""Hutchison's point count for Omaha (high only), as its author's page states it (hutchisonpoker.com/Omaha.htm).

1. Each suit with two or more cards: points for its highest card; two less if it has more than two.
2. Each pair: points for its rank; three of a kind gives none.
3. Cards that can make a straight together, with at most three ranks missing between them: 25 points for four cards, 18
   for three, 8 for two, and two less for each missing rank.
4. Four less for each such combination with an ace.

The page's examples show what its sentences leave open: paired cards count once in step 3; after the largest combination
the cards left over may make another; and the ace may be used at both ends (A-3-4 and A-K in As3sKd4d). For AsKdQhTs the
page itself forgets step 4: 31 there, 27 by its rules and here.

The count was made for ten players who stay to the end (28 points to play), not for jam or fold. It says nothing about
stacks, so it is given the most favourable threshold here: at each stack and seat, the one that loses least against the
equilibrium. The author's other count, for Hi-Lo, is in `hutchison8`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations

import numpy as np

from headsup.cards.cards import RANKS
from headsup.cards.omaha import omaha_cards
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
