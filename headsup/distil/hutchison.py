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
equilibrium. The author's other count, for Hi-Lo, is left out: its last step could not be had in full.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS
from headsup.distil.features import features, omaha_cards, plural
from headsup.distil.gains import gains
from headsup.distil.rules import PointRule, Points
from headsup.solve.jamfold_data import shipped

SUIT_POINTS = dict(zip(RANKS, (1, 1, 1, 1, 1, 1, 2, 3, 3, 4, 5, 6, 8), strict=True))
PAIR_POINTS = dict(zip(RANKS, (7, 7, 7, 7, 7, 7, 8, 10, 12, 13, 14, 16, 18), strict=True))
STRAIGHT_POINTS = {2: 8, 3: 18, 4: 25}
GAPS = 3
LOW_ACE, HIGH_ACE = 1, 14


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
    cards, seen = omaha_cards(), features("omaha")
    known: dict[frozenset[int], tuple[int, int]] = {}
    for ranks in np.unique(np.sort(cards.ranks, axis=1), axis=0).tolist():
        kinds = frozenset(rank + 2 for rank in ranks)
        known[kinds] = straight_points(kinds)
    found = np.array([known[frozenset(rank + 2 for rank in row)] for row in cards.ranks.tolist()])
    headed = {rank: _headed(rank) for rank in RANKS}
    lines = (
        *(
            Points("Suits", f"{rank}-high in a suit", SUIT_POINTS[rank], headed[rank])
            for rank in reversed(RANKS)
        ),
        Points("Suits", "three or four cards of one suit", -2, seen.column("three_of_suit").astype(np.int64)),
        *(
            Points("Pairs", f"a pair of {plural(rank)}", PAIR_POINTS[rank], (cards.count(rank) == 2).astype(np.int64))
            for rank in reversed(RANKS)
        ),
        Points("Straights", "points for cards that make straights together", 1, found[:, 0]),
        Points("Straights", "for each such combination with an Ace", -4, found[:, 1]),
    )  # fmt: skip
    return PointRule(
        name="hutchison",
        title="Hutchison's count",
        game="omaha",
        source="hutchisonpoker.com/Omaha.htm",
        always=(),
        lines=lines,
        seat_points={"sb": 0, "bb": 0},
        threshold=best_threshold,
        inclusive=True,
        threshold_text=lambda stack, seat: "the number that loses least at this stack; the count itself names none",
        min_stack=0.5,
        max_stack=15.0,
    )


def _headed(rank: str) -> npt.NDArray[np.int64]:
    """How many suits with two or more cards have this rank as their highest."""
    cards, place = omaha_cards(), RANKS.index(rank)
    higher = cards.held[:, place + 1 :].any(axis=1)
    return np.asarray(((cards.held[:, place] == 1) & ~higher & (cards.of_suit >= 2)).sum(axis=1))


@cache
def best_threshold(stack: float, seat: str) -> float:
    """The score from which on to play, so that the least is lost against the equilibrium of the nearest stack."""
    sweep = shipped("omaha")
    near = float(sweep.stacks[sweep.nearest(stack)])
    gain = gains("omaha", (near,))[("sb", "bb").index(seat), :, 0]
    scores = hutchison().scores(seat)
    levels = np.unique(scores)
    # What is won by playing everything from each level on; folding all wins nothing.
    won = np.bincount(np.searchsorted(levels, scores), weights=gain)[::-1].cumsum()[::-1]
    best = int(won.argmax())
    return float(levels[best] if won[best] > 0 else levels[-1] + 1)
