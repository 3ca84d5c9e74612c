"""The 73 yes/no features of a flop, numbered as in dalpasso-lancia-2015 section 2.2.

F1-F38 look at the flop alone, F39-F73 also at our two cards. Where the paper leaves a choice, a note above the feature
says how it is read. An ace is high in every count of cards; where ranks stand in a row it may also be low.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headsup.evaluate.categories import rank_bits, straight_outs
from headsup.evaluate.texture import span

Bools = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int8]

ACE = 12
JACK = 9
TEN = 8
SIX = 4
SEVEN = 5


class Look:
    """One hand with each of n flops; everything has one number, or yes or no, for each of them."""

    def __init__(self, hand: Sequence[int], flops: npt.NDArray[np.uint8]) -> None:
        cards, ours = np.asarray(flops, dtype=np.int8), np.array([hand], dtype=np.int8)
        self.high, self.low = sorted((int(card) >> 2 for card in hand), reverse=True)
        self.bits = rank_bits(ours), rank_bits(cards)
        self.flop_ranks, self.flop_suits = _counts(cards >> 2, 13), _counts(cards & 3, 4)
        self.both_ranks = self.flop_ranks + _counts(ours >> 2, 13)
        self.both_suits = self.flop_suits + _counts(ours & 3, 4)
        self._look_at_flop(cards >> 2, cards & 3)
        self._look_at_ranks()
        self._look_at_suits()
        self._look_at_straights()

    def _look_at_flop(self, ranks: Counts, suits: Counts) -> None:
        self.ranks: Counts = np.sort(ranks, axis=1)  # int8[n, 3]: the ranks of the flop, lowest first
        self.kinds, self.colours = _total(self.flop_ranks > 0), _total(self.flop_suits > 0)
        """How many different ranks and suits the flop has."""
        self.span = span(self.ranks)
        """From the lowest to the highest rank of the flop in steps, the ace low where that is closer."""
        self.paint, self.broadway = _total(self.ranks >= JACK), _total(self.ranks >= TEN)
        """Cards of the flop from jack to ace, and from ten to ace."""
        shared = np.take_along_axis(self.flop_suits, suits.astype(np.intp), axis=1) >= 2
        self.ace_in_pair_of_suits = ((ranks == ACE) & shared).any(axis=1)  # an ace has the suit of another flop card

    def _look_at_ranks(self) -> None:
        most, pairs = self.both_ranks.max(axis=1), _total(self.both_ranks == 2)
        ours = np.maximum(self.both_ranks[:, self.high], self.both_ranks[:, self.low])
        self.one_pair, self.two_pair = (most == 2) & (pairs == 1), (most == 2) & (pairs == 2)
        self.trips = (most == 3) & (pairs == 0)
        """One pair, two pair, three of a kind among hand and flop, and nothing more."""
        self.full_house_or_better = (most == 4) | ((most == 3) & (pairs == 1))
        self.we_matter, self.our_trips = ours >= 2, self.trips & (ours >= 3)
        """One of our cards is in a pair, three or four of a kind; in three of a kind and nothing more."""
        top = self.ranks[:, 2]
        self.over_flop, self.over_us = (self.high > top) * 1 + (self.low > top), _total(self.ranks > self.high)
        """Our cards above the highest card of the flop, and cards of the flop above our higher card."""

    def _look_at_suits(self) -> None:
        most = self.both_suits.max(axis=1)
        self.flush, self.flush_draw, self.three_of_suit = most == 5, most == 4, most == 3
        self.hold_flop_pair_suit = ((self.flop_suits == 2) & (self.both_suits > 2)).any(axis=1)
        """We hold a card of a suit that the flop has exactly twice."""

    def _look_at_straights(self) -> None:
        held = np.concatenate([self.both_ranks[:, ACE:], self.both_ranks], axis=1) > 0
        runs = np.stack([_total(held[:, run : run + 5]) for run in range(10)], axis=1)
        self.straight = (runs == 5).any(axis=1)
        self.outs = straight_outs(*self.bits)
        """How many ranks would make a straight of hand and flop by the turn; 0 where the straight is made."""
        bottom = np.full(len(held), -1)  # of four consecutive ranks that can be filled at both ends
        for rank in range(9):  # 2345 .. TJQK; with an ace at either end only one side is open
            bottom[held[:, rank + 1 : rank + 5].all(axis=1) & ~self.straight] = rank
        self.open_ended = bottom >= 0
        self.open_ended_bottom = self.open_ended & self.hits(bottom)
        """An open-ended draw; one whose lowest rank is in our hand."""
        held[:, 0] = False
        ways = _total(np.stack([_total(held[:, run : run + 5]) for run in range(10)], axis=1) == 3)
        self.backdoor_ways = np.where(self.straight | (self.outs > 0), 0, ways)
        """Straights with three ranks in hand and flop, an ace being high; 0 where there is one or a draw to one."""

    def hits(self, rank: npt.NDArray[np.integer]) -> Bools:
        return np.asarray((rank == self.high) | (rank == self.low))


def _counts(values: Counts, size: int) -> Counts:
    return np.stack([_total(values == value) for value in range(size)], axis=1)


def _total(seen: Bools) -> Counts:
    return np.asarray(seen.sum(axis=1, dtype=np.int8))


See = Callable[[Look], Bools]


@dataclass(frozen=True)
class Feature:
    """A yes/no question about a flop: its number in the paper, its words in a formula, and how it is seen."""

    number: int
    text: str
    see: See


def feature_matrix(hand: Sequence[int], flops: npt.NDArray[np.uint8]) -> Bools:
    """bool[n, 73]: which features hold for this hand (two cards) on each flop (uint8[n, 3]); column j - 1 is F_j."""
    look = Look(hand, flops)
    return np.stack([feature.see(look) for feature in FEATURES], axis=1)


def _high_cards(number: int, rank: int, name: str, names: str) -> dict[int, tuple[str, See]]:
    """F1-F15, for one rank: exactly one, at least two, none on the flop."""
    return {
        number: (f"exactly one {name} on the flop", lambda look: look.flop_ranks[:, rank] == 1),
        number + 1: (f"two or more {names} on the flop", lambda look: look.flop_ranks[:, rank] >= 2),
        number + 2: (f"no {name} on the flop", lambda look: look.flop_ranks[:, rank] == 0),
    }


_ALONE: dict[int, tuple[str, See]] = {
    **_high_cards(1, ACE, "ace", "aces"),
    **_high_cards(4, ACE - 1, "king", "kings"),
    **_high_cards(7, ACE - 2, "queen", "queens"),
    **_high_cards(10, JACK, "jack", "jacks"),
    **_high_cards(13, TEN, "ten", "tens"),
    16: ("flop of one suit", lambda look: look.colours == 1),
    17: ("flop of two suits", lambda look: look.colours == 2),
    18: ("flop of three suits", lambda look: look.colours == 3),
    19: ("flop of two suits, an ace in the suit of two", lambda look: (look.colours == 2) & look.ace_in_pair_of_suits),
    20: ("three of a kind on the flop", lambda look: look.kinds == 1),
    21: ("just a pair on the flop", lambda look: look.kinds == 2),
    22: ("flop of three different ranks", lambda look: look.kinds == 3),
    23: ("exactly one card from jack to ace on the flop", lambda look: look.paint == 1),
    24: ("two or more cards from jack to ace on the flop", lambda look: look.paint >= 2),
    25: ("three cards from jack to ace on the flop", lambda look: look.paint == 3),
    26: ("no card from ten to ace on the flop", lambda look: look.broadway == 0),
    27: ("exactly one card from ten to ace on the flop", lambda look: look.broadway == 1),
    28: ("exactly two cards from ten to ace on the flop", lambda look: look.broadway == 2),
    29: ("three cards from ten to ace on the flop", lambda look: look.broadway == 3),
    30: (
        "all flop cards from seven to ten",
        lambda look: (look.ranks[:, 0] >= SEVEN) & (look.ranks[:, 2] <= TEN),
    ),
    # The ace is no small card, here and below; in F32 each card is medium or small (6-6-2 has it).
    31: ("all flop cards from two to six", lambda look: look.ranks[:, 2] <= SIX),
    32: ("all flop cards from two to ten", lambda look: look.ranks[:, 2] <= TEN),
    33: (
        "flop of three different ranks from two to five",
        lambda look: (look.ranks[:, 2] < SIX) & (look.kinds == 3),
    ),
    # In F34-F38 an ace is low where that is closer: A23 is in a row, A24 and A34 have one rank missing. The ranks of
    # F36 are all of one straight; no pair has it.
    34: ("flop of three ranks in a row", lambda look: (look.kinds == 3) & (look.span == 2)),
    35: ("flop of three ranks, one missing between them", lambda look: (look.kinds == 3) & (look.span == 3)),
    36: ("flop of three ranks, two missing between them", lambda look: (look.kinds == 3) & (look.span == 4)),
    # The worked example 6-6-2 has F37, so a pair may; three different ranks are one step too wide for a straight. No
    # pair has F36, though 6-6-3 would by the same count. The tables do not decide that; the paper's page has figures.
    37: (
        "flop of two or three ranks, three missing between them",
        lambda look: ((look.kinds == 3) & (look.span == 5)) | ((look.kinds == 2) & (look.span == 4)),
    ),
    # Nobody can have a straight (K-8-3); that somebody may draw to one with the turn does not matter. To the letter of
    # the paper that would matter, but 55 v ATC comes nearest to its printed error so; see the page.
    38: ("flop of three ranks, more than three missing between them", lambda look: (look.kinds == 3) & (look.span > 5)),
}  # fmt: skip


def _trips_or_better(look: Look) -> Bools:
    """F46: "at least" goes by the ranking of hands, so straights and flushes count.

    A pocket pair on a flop of three of a kind has it (a full house): JJ v ATC has -0.92 F20 to undo it there.
    """
    return np.asarray(look.our_trips | (look.full_house_or_better & look.we_matter) | look.straight | look.flush)


def _backdoor_flush_draw(look: Look) -> Bools:
    """F39: the flop has two or three suits, and three cards of one suit with ours."""
    return np.asarray((look.colours > 1) & look.three_of_suit)


# The paper numbers F45-F47 in three ways. Section 2.2 and table 4: three of a kind, at least three of a kind, a pair
# (KK v ATC: 0.96 F46 + 0.81 F53 + 0.79 F47 is a partition). Table 3: a pair, three of a kind, at least three of a kind
# (55 v RML, 98s v ATC). The second example: F46 is the pair of tens. The numbers here are those of section 2.2.
_WITH_US: dict[int, tuple[str, See]] = {
    39: ("backdoor flush draw", _backdoor_flush_draw),
    40: ("flush draw", lambda look: look.flush_draw),
    41: ("flop of one suit, and you have no card of that suit", lambda look: (look.colours == 1) & look.three_of_suit),
    # A backdoor draw in the suit of the third card does not matter; KcTh on Jh9c7c has not F42.
    42: (
        "flop of two suits, and none of your cards in the suit of two",
        lambda look: (look.colours == 2) & ~look.hold_flop_pair_suit,
    ),
    43: ("flush", lambda look: look.flush),
    44: ("full house or four of a kind", lambda look: look.full_house_or_better),
    45: ("exactly three of a kind with one of your cards", lambda look: look.our_trips),
    46: ("three of a kind or better with one of your cards", _trips_or_better),
    # So a pocket pair has F47 on unpaired flops that miss it.
    47: ("exactly one pair, with one of your cards", lambda look: look.one_pair & look.we_matter),
    # Two pair of which none lies on the flop: AA on 7-7-2 has not F48, 98 on 9-8-2 has.
    48: (
        "three of a kind or better with one of your cards, or two pair with both your cards",
        lambda look: _trips_or_better(look) | (look.two_pair & (look.kinds == 3)),
    ),
    # Only a flop of three different ranks has a middle card; on a flop of one rank the card is the highest.
    49: ("one of your cards matches the highest flop card", lambda look: look.hits(look.ranks[:, 2])),
    50: (
        "one of your cards matches the middle one of three flop ranks",
        lambda look: (look.kinds == 3) & look.hits(look.ranks[:, 1]),
    ),
    51: (
        "one of your cards matches the lowest of two or three flop ranks",
        lambda look: (look.kinds > 1) & look.hits(look.ranks[:, 0]),
    ),
    52: (
        "two pair or three of a kind on a flop of three different ranks",
        lambda look: (look.kinds == 3) & (look.two_pair | look.trips),
    ),
    53: (
        "two pair or three of a kind, no better, on a flop with just a pair",
        lambda look: (look.kinds == 2) & (look.two_pair | look.trips),
    ),
    # Always true for a hand with an ace.
    54: ("no flop card above your highest", lambda look: look.over_us == 0),
    55: ("exactly one flop card above your highest", lambda look: look.over_us == 1),
    56: ("two or more flop cards above your highest", lambda look: look.over_us >= 2),
    57: ("exactly one of your cards above the flop", lambda look: look.over_flop == 1),
    58: ("both your cards above the flop", lambda look: look.over_flop == 2),
    59: ("straight", lambda look: look.straight),
    60: ("open-ended straight draw, its lowest rank in your hand", lambda look: look.open_ended_bottom),
    # The paper's AKs seems to have F61 on Q-J-T, a made straight: there the paper's F61 is our F59.
    61: (
        "open-ended straight draw, its lowest rank not in your hand",
        lambda look: look.open_ended & ~look.open_ended_bottom,
    ),
    # A234 and AKQJ have F62; a double draw has not (KcTh on Jh9c7c has F63 alone): two ranks make a straight there, and
    # no four cards are in a row.
    62: ("inside straight draw (one rank fills it)", lambda look: look.outs == 1),
    63: ("double inside straight draw (two ranks fill it)", lambda look: (look.outs >= 2) & ~look.open_ended),
    # The paper says neither whether the flop may have all three nor whether an ace is low: its tables do. JJ, QQ and KK
    # v RML reach the printed errors only if the flop may, and AA v RML and v RS only if an ace is high (see the page).
    # K-K with 5-4-2 has two ways, A-A with 7-3-2 has none.
    64: (
        "backdoor draw to exactly one straight (an ace is high), and no closer straight draw",
        lambda look: look.backdoor_ways == 1,
    ),
    65: (
        "backdoor draw to two or more straights (an ace is high), and no closer straight draw",
        lambda look: look.backdoor_ways > 1,
    ),
    # Backdoor draws do not count as draws; a made hand may have F66.
    66: ("no straight or flush draw that one card fills", lambda look: (look.outs == 0) & ~look.flush_draw),
    67: (
        "inside straight draw and none of your cards above the flop",
        lambda look: (look.outs == 1) & (look.over_flop == 0),
    ),
    68: (
        "inside straight draw and exactly one of your cards above the flop",
        lambda look: (look.outs == 1) & (look.over_flop == 1),
    ),
    69: (
        "inside straight draw and both your cards above the flop",
        lambda look: (look.outs == 1) & (look.over_flop == 2),
    ),
    # A backdoor flush draw (F39) has a flop of two suits at least already.
    70: (
        "inside straight draw and backdoor flush draw",
        lambda look: (look.outs == 1) & _backdoor_flush_draw(look),
    ),
    71: ("inside straight draw and flush draw", lambda look: (look.outs == 1) & look.flush_draw),
    72: (
        "flush draw and exactly one of your cards above the flop",
        lambda look: look.flush_draw & (look.over_flop == 1),
    ),
    73: ("flush draw and both your cards above the flop", lambda look: look.flush_draw & (look.over_flop == 2)),
}  # fmt: skip

FEATURES = tuple(Feature(number, *description) for number, description in (_ALONE | _WITH_US).items())
"""All features, F1 first."""
