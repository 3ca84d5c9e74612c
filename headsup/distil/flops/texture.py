"""What is seen in the flop alone: F1-F38, and how a feature is entered under its number.

An ace is high in every count of cards; where ranks stand in a row it may also be low.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headsup.distil.flops.look import ACE, JACK, SEVEN, SIX, TEN, Bools, Look

See = Callable[[Look], Bools]


@dataclass(frozen=True)
class Feature:
    """A yes/no question about a flop: its number in the paper, its words in a formula, and how it is seen."""

    number: int
    text: str
    see: See


FOUND: dict[int, Feature] = {}


def feature(number: int, text: str) -> Callable[[See], See]:
    """Enter a function as the feature with this number."""

    def enter(see: See) -> See:
        FOUND[number] = Feature(number, text, see)
        return see

    return enter


def _high_cards(number: int, rank: int, name: str, names: str) -> None:
    """F1-F15, for one rank: exactly one, at least two, none on the flop."""
    feature(number, f"one {name} on the flop")(lambda look: np.asarray(look.flop_ranks[:, rank] == 1))
    feature(number + 1, f"two {names} on the flop")(lambda look: np.asarray(look.flop_ranks[:, rank] >= 2))
    feature(number + 2, f"no {name} on the flop")(lambda look: np.asarray(look.flop_ranks[:, rank] == 0))


_high_cards(1, ACE, "ace", "aces")
_high_cards(4, ACE - 1, "king", "kings")
_high_cards(7, ACE - 2, "queen", "queens")
_high_cards(10, JACK, "jack", "jacks")
_high_cards(13, TEN, "ten", "tens")


@feature(16, "flop of one suit")
def one_suit(look: Look) -> Bools:
    """F16."""
    return np.asarray(look.colours == 1)


@feature(17, "flop of two suits")
def two_suits(look: Look) -> Bools:
    """F17."""
    return np.asarray(look.colours == 2)


@feature(18, "flop of three suits")
def three_suits(look: Look) -> Bools:
    """F18."""
    return np.asarray(look.colours == 3)


@feature(19, "flop of two suits with a suited ace")
def suited_ace(look: Look) -> Bools:
    """F19: two suits, and an ace is one of the two cards that share theirs."""
    return np.asarray((look.colours == 2) & look.ace_in_pair_of_suits)


@feature(20, "three of a kind on the flop")
def flop_trips(look: Look) -> Bools:
    """F20."""
    return np.asarray(look.kinds == 1)


@feature(21, "pair on the flop")
def flop_pair(look: Look) -> Bools:
    """F21."""
    return np.asarray(look.kinds == 2)


@feature(22, "no pair on the flop")
def flop_unpaired(look: Look) -> Bools:
    """F22."""
    return np.asarray(look.kinds == 3)


@feature(23, "one card from jack to ace on the flop")
def one_paint(look: Look) -> Bools:
    """F23."""
    return np.asarray(look.paint == 1)


@feature(24, "two or more cards from jack to ace on the flop")
def two_paint(look: Look) -> Bools:
    """F24."""
    return look.paint >= 2


@feature(25, "three cards from jack to ace on the flop")
def three_paint(look: Look) -> Bools:
    """F25."""
    return np.asarray(look.paint == 3)


@feature(26, "no card from ten to ace on the flop")
def no_broadway(look: Look) -> Bools:
    """F26."""
    return np.asarray(look.broadway == 0)


@feature(27, "one card from ten to ace on the flop")
def one_broadway(look: Look) -> Bools:
    """F27."""
    return np.asarray(look.broadway == 1)


@feature(28, "two cards from ten to ace on the flop")
def two_broadway(look: Look) -> Bools:
    """F28."""
    return np.asarray(look.broadway == 2)


@feature(29, "three cards from ten to ace on the flop")
def three_broadway(look: Look) -> Bools:
    """F29."""
    return np.asarray(look.broadway == 3)


@feature(30, "all flop cards from seven to ten")
def all_medium(look: Look) -> Bools:
    """F30."""
    return (look.ranks[:, 0] >= SEVEN) & (look.ranks[:, 2] <= TEN)


@feature(31, "all flop cards six or lower")
def all_small(look: Look) -> Bools:
    """F31: the ace is no small card, here and below."""
    return np.asarray(look.ranks[:, 2] <= SIX)


@feature(32, "all flop cards ten or lower")
def all_medium_small(look: Look) -> Bools:
    """F32: each card medium or small (6-6-2 has it)."""
    return np.asarray(look.ranks[:, 2] <= TEN)


@feature(33, "three different flop cards five or lower")
def all_tiny(look: Look) -> Bools:
    """F33."""
    return np.asarray((look.ranks[:, 2] < SIX) & (look.kinds == 3))


@feature(34, "three flop cards in a row")
def flop_in_a_row(look: Look) -> Bools:
    """F34; A23 is in a row too."""
    return np.asarray((look.kinds == 3) & (look.span == 2))


@feature(35, "flop in a row but for one gap")
def flop_one_gap(look: Look) -> Bools:
    """F35; A24 and A34 too."""
    return np.asarray((look.kinds == 3) & (look.span == 3))


@feature(36, "flop in a row but for two gaps")
def flop_two_gaps(look: Look) -> Bools:
    """F36: three different ranks of one straight, two ranks missing between them."""
    return np.asarray((look.kinds == 3) & (look.span == 4))


@feature(37, "flop in a row but for three gaps")
def flop_three_gaps(look: Look) -> Bools:
    """F37: three ranks missing between the lowest and the highest card; a pair takes one rank, so 6-6-2 has it.

    Three different ranks, then, are one step too wide for a straight. That F37 has them and F38 has not is what gives
    the printed weights of 55 v ATC (tables 3 and 4), to 0.02 or 0.04 each.
    """
    return np.asarray(((look.kinds == 3) & (look.span == 5)) | ((look.kinds == 2) & (look.span == 4)))


@feature(38, "unpaired flop with more than three gaps")
def flop_far_apart(look: Look) -> Bools:
    """F38: three different ranks and more than three missing between them, so nobody has a straight (K-8-3).

    "Or make a straight by the turn" cannot be meant to the letter: the four rank patterns left (K-8-3, K-8-2, K-7-2,
    Q-7-2) do not reach the error that the paper prints for 55 v ATC with its features, and this reading does.
    """
    return np.asarray((look.kinds == 3) & (look.span > 5))
