"""The 73 yes/no features of a flop, numbered as in dalpasso-lancia-2015 section 2.2.

F1-F38 look at the flop alone (`texture`), F39-F73 at the flop together with our two cards. Every feature is a small
function over a `Look`, and says how it is read where the paper leaves a choice; docs/papers/dalpasso-lancia-2015.md has
the evidence. The words of a feature are meant to be enough to add up a formula by.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from headsup.distil.formulas.look import Bools, Look
from headsup.distil.formulas.texture import FOUND, Feature, feature


def feature_matrix(hand: Sequence[int], flops: npt.NDArray[np.uint8]) -> Bools:
    """bool[n, 73]: which features hold for this hand (two cards) on each flop (uint8[n, 3]); column j - 1 is F_j."""
    look = Look(hand, flops)
    return np.stack([one.see(look) for one in FEATURES], axis=1)


# ------------------------------------------------------------------------------------------------ flush draws


@feature(39, "backdoor flush draw")
def backdoor_flush_draw(look: Look) -> Bools:
    """F39: the flop has two or three suits, and three cards of one suit with ours."""
    return np.asarray((look.colours > 1) & (look.both_suits.max(axis=1) == 3))


@feature(40, "flush draw")
def flush_draw(look: Look) -> Bools:
    """F40."""
    return np.asarray(look.both_suits.max(axis=1) == 4)


@feature(41, "flop of one suit that we do not hold")
def one_suit_without_us(look: Look) -> Bools:
    """F41."""
    return np.asarray((look.colours == 1) & (look.both_suits.max(axis=1) == 3))


@feature(42, "flop of two suits, and no card of ours in the suit of two")
def two_suits_without_us(look: Look) -> Bools:
    """F42: a backdoor draw in the suit of the third card does not matter; KcTh on Jh9c7c has not F42."""
    return np.asarray((look.colours == 2) & ~look.hold_flop_pair_suit)


@feature(43, "flush")
def flush(look: Look) -> Bools:
    """F43."""
    return np.asarray(look.both_suits.max(axis=1) == 5)


# ------------------------------------------------------------------------------------------------ made hands
#
# The paper numbers F45-F47 in three ways. Section 2.2 and table 4: three of a kind, at least three of a kind, a pair
# (KK v ATC: 0.96 F46 + 0.81 F53 + 0.79 F47 is a partition). Table 3: a pair, three of a kind, at least three of a kind
# (55 v RML, 98s v ATC). The second example: F46 is the pair of tens. The numbers here are those of section 2.2.


@feature(44, "full house or four of a kind")
def full_house_or_better(look: Look) -> Bools:
    """F44."""
    return look.quads | look.full_house


@feature(45, "exactly three of a kind with a card of ours")
def our_trips(look: Look) -> Bools:
    """F45: exactly three of a kind, and one of the three is ours."""
    return look.trips & look.our_trips


@feature(46, "three of a kind or better with a card of ours")
def our_trips_or_better(look: Look) -> Bools:
    """F46: "at least" goes by the ranking of hands, so straights and flushes count.

    A pocket pair on a flop of three of a kind has it (a full house): JJ v ATC has -0.92 F20 to undo it there.
    """
    return our_trips(look) | (full_house_or_better(look) & look.we_matter) | look.straight | flush(look)


@feature(47, "one pair and no better, a card of it ours")
def our_pair(look: Look) -> Bools:
    """F47: one pair and nothing better, a card of it ours; so a pocket pair has it on unpaired flops that miss it."""
    return look.one_pair & look.we_matter


@feature(48, "three of a kind or better with a card of ours, or two pair with both our cards")
def two_pair_or_better(look: Look) -> Bools:
    """F48: F46, or two pair of which none lies on the flop; AA on 7-7-2 has not, 98 on 9-8-2 has."""
    return np.asarray(our_trips_or_better(look) | (look.two_pair & (look.kinds == 3)))


@feature(49, "a card of ours matches the highest flop card")
def top_pair(look: Look) -> Bools:
    """F49."""
    return look.hits(look.ranks[:, 2])


@feature(50, "a card of ours matches the middle one of three flop ranks")
def middle_pair(look: Look) -> Bools:
    """F50: only a flop of three different ranks has a middle card."""
    return np.asarray((look.kinds == 3) & look.hits(look.ranks[:, 1]))


@feature(51, "a card of ours matches the lowest of two or three flop ranks")
def bottom_pair(look: Look) -> Bools:
    """F51: on a flop of one rank the card is the highest, not the lowest."""
    return (look.kinds > 1) & look.hits(look.ranks[:, 0])


@feature(52, "two pair or three of a kind on a flop of three different ranks")
def strong_on_unpaired(look: Look) -> Bools:
    """F52."""
    return np.asarray((look.kinds == 3) & (look.two_pair | look.trips))


@feature(53, "two pair or three of a kind, no better, on a flop with just a pair")
def strong_on_paired(look: Look) -> Bools:
    """F53."""
    return np.asarray((look.kinds == 2) & (look.two_pair | look.trips))


# ------------------------------------------------------------------------------------------------ overcards


@feature(54, "no flop card above our highest")
def no_overcard(look: Look) -> Bools:
    """F54; always true for a hand with an ace."""
    return np.asarray(look.over_us == 0)


@feature(55, "exactly one flop card above our highest")
def one_overcard(look: Look) -> Bools:
    """F55."""
    return np.asarray(look.over_us == 1)


@feature(56, "two or more flop cards above our highest")
def two_overcards(look: Look) -> Bools:
    """F56."""
    return look.over_us >= 2


@feature(57, "exactly one of our cards above the flop")
def one_above(look: Look) -> Bools:
    """F57."""
    return np.asarray(look.over_flop == 1)


@feature(58, "both our cards above the flop")
def both_above(look: Look) -> Bools:
    """F58."""
    return np.asarray(look.over_flop == 2)


# ------------------------------------------------------------------------------------------------ straights


@feature(59, "straight")
def straight(look: Look) -> Bools:
    """F59."""
    return look.straight


@feature(60, "open-ended straight draw, its lowest rank in our hand")
def open_ended_bottom(look: Look) -> Bools:
    """F60."""
    return np.asarray(
        (look.four_in_a_row >= 0) & ((look.four_in_a_row == look.high) | (look.four_in_a_row == look.low))
    )


@feature(61, "open-ended straight draw, its lowest rank not in our hand")
def open_ended(look: Look) -> Bools:
    """F61. The paper's AKs seems to have it on Q-J-T, a made straight: there the paper's F61 is our F59."""
    return (look.four_in_a_row >= 0) & ~open_ended_bottom(look)


@feature(62, "inside straight draw (one rank fills it)")
def inside_draw(look: Look) -> Bools:
    """F62: A234 and AKQJ have it; a double draw has not (KcTh on Jh9c7c has F63 alone)."""
    return np.asarray(look.outs == 1)


@feature(63, "double inside straight draw (two ranks fill it)")
def double_inside_draw(look: Look) -> Bools:
    """F63: two ranks make a straight, and no four cards are in a row."""
    return (look.outs >= 2) & (look.four_in_a_row < 0)


@feature(64, "three ranks of exactly one straight (an ace is high), and no nearer draw to one")
def backdoor_one_way(look: Look) -> Bools:
    """F64: nothing nearer, and one straight has three of its ranks, wherever they lie, an ace being high.

    The paper says neither whether the flop may have all three nor whether an ace is low: its tables do. JJ, QQ and KK
    v RML reach the printed errors only if the flop may, and AA v RML and v RS only if an ace is high (see the page).
    """
    return np.asarray(look.backdoor_ways == 1)


@feature(65, "three ranks of two or more straights (an ace is high), and no nearer draw to one")
def backdoor_more_ways(look: Look) -> Bools:
    """F65, counted as F64 is: K-K with 5-4-2 has two ways, A-A with 7-3-2 has none."""
    return look.backdoor_ways > 1


@feature(66, "no straight or flush draw that one card fills")
def no_draw(look: Look) -> Bools:
    """F66: backdoor draws do not count as draws; a made hand may have it."""
    return np.asarray((look.outs == 0) & ~flush_draw(look))


# ------------------------------------------------------------------------------------------------ combined draws


@feature(67, "inside straight draw and none of our cards above the flop")
def inside_under(look: Look) -> Bools:
    """F67."""
    return np.asarray(inside_draw(look) & (look.over_flop == 0))


@feature(68, "inside straight draw and exactly one of our cards above the flop")
def inside_one_above(look: Look) -> Bools:
    """F68."""
    return inside_draw(look) & one_above(look)


@feature(69, "inside straight draw and both our cards above the flop")
def inside_both_above(look: Look) -> Bools:
    """F69."""
    return inside_draw(look) & both_above(look)


@feature(70, "inside straight draw and backdoor flush draw")
def inside_backdoor_flush(look: Look) -> Bools:
    """F70: a backdoor flush draw (F39) has a flop of two suits at least already."""
    return inside_draw(look) & backdoor_flush_draw(look)


@feature(71, "inside straight draw and flush draw")
def inside_and_flush_draw(look: Look) -> Bools:
    """F71."""
    return inside_draw(look) & flush_draw(look)


@feature(72, "flush draw and exactly one of our cards above the flop")
def flush_draw_one_above(look: Look) -> Bools:
    """F72."""
    return flush_draw(look) & one_above(look)


@feature(73, "flush draw and both our cards above the flop")
def flush_draw_both_above(look: Look) -> Bools:
    """F73."""
    return flush_draw(look) & both_above(look)


FEATURES: tuple[Feature, ...] = tuple(FOUND[number] for number in range(1, 74))
"""All features, F1 first."""
