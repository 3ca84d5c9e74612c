"""What is seen in the flop alone: F1-F38, and how a feature is entered under its number.

An ace is high in every count of cards; where ranks stand in a row it may also be low.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headsup.distil.formulas.look import ACE, JACK, SEVEN, SIX, TEN, Bools, Look

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
    feature(number, f"exactly one {name} on the flop")(lambda look: np.asarray(look.flop_ranks[:, rank] == 1))
    feature(number + 1, f"two or more {names} on the flop")(lambda look: np.asarray(look.flop_ranks[:, rank] >= 2))
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


@feature(19, "flop of two suits, an ace in the suit of two")
def suited_ace(look: Look) -> Bools:
    """F19."""
    return np.asarray((look.colours == 2) & look.ace_in_pair_of_suits)


@feature(20, "three of a kind on the flop")
def flop_trips(look: Look) -> Bools:
    """F20."""
    return np.asarray(look.kinds == 1)


@feature(21, "just a pair on the flop")
def flop_pair(look: Look) -> Bools:
    """F21."""
    return np.asarray(look.kinds == 2)


@feature(22, "flop of three different ranks")
def flop_unpaired(look: Look) -> Bools:
    """F22."""
    return np.asarray(look.kinds == 3)


@feature(23, "exactly one card from jack to ace on the flop")
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


@feature(27, "exactly one card from ten to ace on the flop")
def one_broadway(look: Look) -> Bools:
    """F27."""
    return np.asarray(look.broadway == 1)


@feature(28, "exactly two cards from ten to ace on the flop")
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


@feature(31, "all flop cards from two to six")
def all_small(look: Look) -> Bools:
    """F31: the ace is no small card, here and below."""
    return np.asarray(look.ranks[:, 2] <= SIX)


@feature(32, "all flop cards from two to ten")
def all_medium_small(look: Look) -> Bools:
    """F32: each card medium or small (6-6-2 has it)."""
    return np.asarray(look.ranks[:, 2] <= TEN)


@feature(33, "flop of three different ranks from two to five")
def all_tiny(look: Look) -> Bools:
    """F33."""
    return np.asarray((look.ranks[:, 2] < SIX) & (look.kinds == 3))


@feature(34, "flop of three ranks in a row")
def flop_in_a_row(look: Look) -> Bools:
    """F34; in F34-F38 an ace is low where that is closer: A23 is in a row."""
    return np.asarray((look.kinds == 3) & (look.span == 2))


@feature(35, "flop of three ranks, one missing between them")
def flop_one_gap(look: Look) -> Bools:
    """F35; A24 and A34 have it."""
    return np.asarray((look.kinds == 3) & (look.span == 3))


@feature(36, "flop of three ranks, two missing between them")
def flop_two_gaps(look: Look) -> Bools:
    """F36: the ranks are all of one straight; no pair has it."""
    return np.asarray((look.kinds == 3) & (look.span == 4))


@feature(37, "flop of two or three ranks, three missing between them")
def flop_three_gaps(look: Look) -> Bools:
    """F37: the worked example 6-6-2 has it, so a pair may; three different ranks are one step too wide for a straight.

    No pair has F36, though 6-6-3 would by the same count. The tables do not decide that; the paper's page has figures.
    """
    return np.asarray(((look.kinds == 3) & (look.span == 5)) | ((look.kinds == 2) & (look.span == 4)))


@feature(38, "flop of three ranks, more than three missing between them")
def flop_far_apart(look: Look) -> Bools:
    """F38: nobody can have a straight (K-8-3); that somebody may draw to one with the turn does not matter.

    To the letter of the paper that would matter, but 55 v ATC comes nearest to its printed error so; see the page.
    """
    return np.asarray((look.kinds == 3) & (look.span > 5))
