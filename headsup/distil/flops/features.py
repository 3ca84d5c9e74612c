"""The 73 yes/no features of a flop, numbered as in dalpasso-lancia-2015 section 2.2.

F1-F38 look at the flop alone, F39-F73 at the flop together with our two cards. Every feature is a small function over a
`Look`, and says how its text is read wherever the paper leaves a choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headsup.distil.flops.look import ACE, JACK, SEVEN, SIX, TEN, Bools, Look

See = Callable[[Look], Bools]


@dataclass(frozen=True)
class Feature:
    """A yes/no question about a flop: its number in the paper, its words in a formula, and how it is seen."""

    number: int
    text: str
    see: See


_FOUND: dict[int, Feature] = {}


def _feature(number: int, text: str) -> Callable[[See], See]:
    """Enter a function as the feature with this number."""

    def enter(see: See) -> See:
        _FOUND[number] = Feature(number, text, see)
        return see

    return enter


def feature_matrix(hand: Sequence[int], flops: npt.NDArray[np.uint8]) -> Bools:
    """bool[n, 73]: which features hold for this hand (two cards) on each flop (uint8[n, 3]); column j - 1 is F_j."""
    look = Look(hand, flops)
    return np.stack([feature.see(look) for feature in FEATURES], axis=1)


# ------------------------------------------------------------------------------------------------ the flop alone


def _high_cards(number: int, rank: int, name: str, names: str) -> None:
    """F1-F15, for one rank: exactly one, at least two, none on the flop."""
    _feature(number, f"one {name} on the flop")(lambda look: np.asarray(look.flop_ranks[:, rank] == 1))
    _feature(number + 1, f"two {names} on the flop")(lambda look: np.asarray(look.flop_ranks[:, rank] >= 2))
    _feature(number + 2, f"no {name} on the flop")(lambda look: np.asarray(look.flop_ranks[:, rank] == 0))


_high_cards(1, ACE, "ace", "aces")
_high_cards(4, ACE - 1, "king", "kings")
_high_cards(7, ACE - 2, "queen", "queens")
_high_cards(10, JACK, "jack", "jacks")
_high_cards(13, TEN, "ten", "tens")


@_feature(16, "flop of one suit")
def one_suit(look: Look) -> Bools:
    """F16."""
    return look.colours == 1


@_feature(17, "flop of two suits")
def two_suits(look: Look) -> Bools:
    """F17."""
    return look.colours == 2


@_feature(18, "flop of three suits")
def three_suits(look: Look) -> Bools:
    """F18."""
    return look.colours == 3


@_feature(19, "flop of two suits with a suited ace")
def suited_ace(look: Look) -> Bools:
    """F19: two suits, and an ace is one of the two cards that share theirs."""
    return (look.colours == 2) & look.ace_in_pair_of_suits


@_feature(20, "three of a kind on the flop")
def flop_trips(look: Look) -> Bools:
    """F20."""
    return look.kinds == 1


@_feature(21, "pair on the flop")
def flop_pair(look: Look) -> Bools:
    """F21."""
    return look.kinds == 2


@_feature(22, "no pair on the flop")
def flop_unpaired(look: Look) -> Bools:
    """F22."""
    return look.kinds == 3


@_feature(23, "one card from jack to ace on the flop")
def one_paint(look: Look) -> Bools:
    """F23."""
    return look.paint == 1


@_feature(24, "two or more cards from jack to ace on the flop")
def two_paint(look: Look) -> Bools:
    """F24."""
    return look.paint >= 2


@_feature(25, "three cards from jack to ace on the flop")
def three_paint(look: Look) -> Bools:
    """F25."""
    return look.paint == 3


@_feature(26, "no card from ten to ace on the flop")
def no_broadway(look: Look) -> Bools:
    """F26."""
    return look.broadway == 0


@_feature(27, "one card from ten to ace on the flop")
def one_broadway(look: Look) -> Bools:
    """F27."""
    return look.broadway == 1


@_feature(28, "two cards from ten to ace on the flop")
def two_broadway(look: Look) -> Bools:
    """F28."""
    return look.broadway == 2


@_feature(29, "three cards from ten to ace on the flop")
def three_broadway(look: Look) -> Bools:
    """F29."""
    return look.broadway == 3


@_feature(30, "all flop cards from seven to ten")
def all_medium(look: Look) -> Bools:
    """F30."""
    return (look.ranks[:, 0] >= SEVEN) & (look.ranks[:, 2] <= TEN)


@_feature(31, "all flop cards six or lower")
def all_small(look: Look) -> Bools:
    """F31: the ace is no small card, here and below."""
    return np.asarray(look.ranks[:, 2] <= SIX)


@_feature(32, "all flop cards ten or lower")
def all_medium_small(look: Look) -> Bools:
    """F32: each card medium or small (6-6-2 has it)."""
    return np.asarray(look.ranks[:, 2] <= TEN)


@_feature(33, "three different flop cards five or lower")
def all_tiny(look: Look) -> Bools:
    """F33."""
    return (look.ranks[:, 2] < SIX) & (look.kinds == 3)


@_feature(34, "three flop cards in a row")
def flop_in_a_row(look: Look) -> Bools:
    """F34; A23 is in a row too."""
    return (look.kinds == 3) & (look.span == 2)


@_feature(35, "flop in a row but for one gap")
def flop_one_gap(look: Look) -> Bools:
    """F35; A24 and A34 too."""
    return (look.kinds == 3) & (look.span == 3)


@_feature(36, "flop in a row but for two gaps")
def flop_two_gaps(look: Look) -> Bools:
    """F36: three different ranks of one straight, two ranks missing between them."""
    return (look.kinds == 3) & (look.span == 4)


@_feature(37, "paired flop in a row but for three gaps")
def flop_three_gaps(look: Look) -> Bools:
    """F37: ranks of one straight, three ranks missing between them; so two ranks four steps apart (6-6-2 has it)."""
    return (look.kinds == 2) & (look.span == 4)


@_feature(38, "no straight possible by the turn")
def no_straight_near(look: Look) -> Bools:
    """F38: no straight has two different ranks on the flop, so that two cards and the turn cannot fill it.

    K-8-3 has it and 6-6-2 has not (3-4 needs a five), as the paper lists them.
    """
    return ~(look.flop_runs >= 2).any(axis=1)


# ------------------------------------------------------------------------------------------------ flush draws


@_feature(39, "backdoor flush draw")
def backdoor_flush_draw(look: Look) -> Bools:
    """F39: the flop has two or three suits, and three cards of one suit with ours."""
    return (look.colours > 1) & (look.both_suits.max(axis=1) == 3)


@_feature(40, "flush draw")
def flush_draw(look: Look) -> Bools:
    """F40."""
    return np.asarray(look.both_suits.max(axis=1) == 4)


@_feature(41, "flop of one suit that we do not hold")
def one_suit_without_us(look: Look) -> Bools:
    """F41."""
    return (look.colours == 1) & (look.both_suits.max(axis=1) == 3)


@_feature(42, "flop of two suits, and no card of ours in the suit of two")
def two_suits_without_us(look: Look) -> Bools:
    """F42: no card of ours has the suit of the two; a backdoor draw in the suit of the third card does not matter."""
    return (look.colours == 2) & ~look.hold_flop_pair_suit


@_feature(43, "flush")
def flush(look: Look) -> Bools:
    """F43."""
    return np.asarray(look.both_suits.max(axis=1) == 5)


# ------------------------------------------------------------------------------------------------ made hands


@_feature(44, "full house or four of a kind")
def full_house_or_better(look: Look) -> Bools:
    """F44."""
    return look.quads | look.full_house


@_feature(45, "three of a kind with a card of ours")
def our_trips(look: Look) -> Bools:
    """F45: exactly three of a kind, and one of the three is ours."""
    return look.trips & look.our_trips


@_feature(46, "three of a kind or better with a card of ours")
def our_trips_or_better(look: Look) -> Bools:
    """F46: "at least" goes by the ranking of hands, so straights and flushes count."""
    return our_trips(look) | (full_house_or_better(look) & look.we_matter) | look.straight | flush(look)


@_feature(47, "one pair with a card of ours")
def our_pair(look: Look) -> Bools:
    """F47: one pair and nothing better, a card of it ours; so a pocket pair has it on unpaired flops that miss it."""
    return look.one_pair & look.we_matter


@_feature(48, "two pair or better without a pair of the flop")
def two_pair_or_better(look: Look) -> Bools:
    """F48: F46, or two pair of which none lies on the flop: KK on 7-7-2 counts as one pair of ours, not as two pair."""
    return our_trips_or_better(look) | (look.two_pair & (look.kinds == 3))


@_feature(49, "highest flop card paired")
def top_pair(look: Look) -> Bools:
    """F49."""
    return look.hits(look.ranks[:, 2])


@_feature(50, "middle flop card paired")
def middle_pair(look: Look) -> Bools:
    """F50: only a flop of three different ranks has a middle card."""
    return (look.kinds == 3) & look.hits(look.ranks[:, 1])


@_feature(51, "lowest flop card paired")
def bottom_pair(look: Look) -> Bools:
    """F51: on a flop of one rank the card is the highest, not the lowest."""
    return (look.kinds > 1) & look.hits(look.ranks[:, 0])


@_feature(52, "two pair or three of a kind on an unpaired flop")
def strong_on_unpaired(look: Look) -> Bools:
    """F52."""
    return (look.kinds == 3) & (look.two_pair | look.trips)


@_feature(53, "two pair or three of a kind on a paired flop")
def strong_on_paired(look: Look) -> Bools:
    """F53."""
    return (look.kinds == 2) & (look.two_pair | look.trips)


# ------------------------------------------------------------------------------------------------ overcards


@_feature(54, "no flop card above our highest")
def no_overcard(look: Look) -> Bools:
    """F54; always true for a hand with an ace."""
    return look.over_us == 0


@_feature(55, "one flop card above our highest")
def one_overcard(look: Look) -> Bools:
    """F55."""
    return look.over_us == 1


@_feature(56, "two or more flop cards above our highest")
def two_overcards(look: Look) -> Bools:
    """F56."""
    return look.over_us >= 2


@_feature(57, "one of our cards above the flop")
def one_above(look: Look) -> Bools:
    """F57."""
    return look.over_flop == 1


@_feature(58, "both our cards above the flop")
def both_above(look: Look) -> Bools:
    """F58."""
    return look.over_flop == 2


# ------------------------------------------------------------------------------------------------ straights


@_feature(59, "straight")
def straight(look: Look) -> Bools:
    """F59."""
    return look.straight


@_feature(60, "open-ended straight draw with its lowest card ours")
def open_ended_bottom(look: Look) -> Bools:
    """F60."""
    return (look.four_in_a_row >= 0) & ((look.four_in_a_row == look.high) | (look.four_in_a_row == look.low))


@_feature(61, "open-ended straight draw with its lowest card on the flop")
def open_ended(look: Look) -> Bools:
    """F61."""
    return (look.four_in_a_row >= 0) & ~open_ended_bottom(look)


@_feature(62, "inside straight draw")
def inside_draw(look: Look) -> Bools:
    """F62: one rank makes the straight; a double inside draw is not one too (KcTh on Jh9c7c has F63 alone)."""
    return look.outs == 1


@_feature(63, "double inside straight draw")
def double_inside_draw(look: Look) -> Bools:
    """F63: two ranks make a straight, and no four cards are in a row."""
    return (look.outs >= 2) & (look.four_in_a_row < 0)


@_feature(64, "backdoor straight draw, one way")
def backdoor_one_way(look: Look) -> Bools:
    """F64: nothing nearer, and one straight has three of its ranks, at least one of them ours."""
    return look.backdoor_ways == 1


@_feature(65, "backdoor straight draw, several ways")
def backdoor_more_ways(look: Look) -> Bools:
    """F65."""
    return look.backdoor_ways > 1


@_feature(66, "no straight or flush draw")
def no_draw(look: Look) -> Bools:
    """F66."""
    return (look.outs == 0) & ~flush_draw(look)


# ------------------------------------------------------------------------------------------------ combined draws


@_feature(67, "inside straight draw and none of our cards above the flop")
def inside_under(look: Look) -> Bools:
    """F67."""
    return inside_draw(look) & (look.over_flop == 0)


@_feature(68, "inside straight draw and one of our cards above the flop")
def inside_one_above(look: Look) -> Bools:
    """F68."""
    return inside_draw(look) & one_above(look)


@_feature(69, "inside straight draw and both our cards above the flop")
def inside_both_above(look: Look) -> Bools:
    """F69."""
    return inside_draw(look) & both_above(look)


@_feature(70, "inside straight draw and backdoor flush draw")
def inside_backdoor_flush(look: Look) -> Bools:
    """F70: a backdoor flush draw (F39) has a flop of two suits at least already."""
    return inside_draw(look) & backdoor_flush_draw(look)


@_feature(71, "inside straight draw and flush draw")
def inside_and_flush_draw(look: Look) -> Bools:
    """F71."""
    return inside_draw(look) & flush_draw(look)


@_feature(72, "flush draw and one of our cards above the flop")
def flush_draw_one_above(look: Look) -> Bools:
    """F72."""
    return flush_draw(look) & one_above(look)


@_feature(73, "flush draw and both our cards above the flop")
def flush_draw_both_above(look: Look) -> Bools:
    """F73."""
    return flush_draw(look) & both_above(look)


FEATURES: tuple[Feature, ...] = tuple(_FOUND[number] for number in range(1, 74))
"""All features, F1 first."""
