"""Hand classes of jam or fold: names, sizes and groups; strategies and equilibria by class."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import (
    holdem_class_name,
    holdem_class_of_combo,
    holdem_class_sizes,
    omaha_class_name,
    omaha_class_of_combo,
    omaha_class_sizes,
    parse_holdem_class,
    parse_omaha_class,
)
from headsup.cards.games import check_game
from headsup.cards.hands import omaha_cards
from headsup.common.arrays import Floats
from headsup.games.betting.stakes import SEATS

if TYPE_CHECKING:
    from headsup.games.holdem.vector import Place

Mask = npt.NDArray[np.bool_]


def parse_class(game: str, text: str) -> int:
    """The index of a hand class: AKs or AsKs in hold'em, four cards in Omaha."""
    return parse_holdem_class(text) if check_game(game) == "holdem" else parse_omaha_class(text)


def class_name(game: str, index: int) -> str:
    return holdem_class_name(index) if check_game(game) == "holdem" else omaha_class_name(index)


def class_sizes(game: str) -> npt.NDArray[np.int64]:
    return holdem_class_sizes() if check_game(game) == "holdem" else omaha_class_sizes()


def class_of_combo(game: str) -> npt.NDArray[np.unsignedinteger[Any]]:
    """The class of each hand, by its colex number."""
    return holdem_class_of_combo() if check_game(game) == "holdem" else omaha_class_of_combo()


@dataclass(frozen=True, eq=False)
class Charts:
    """The frequencies of jamming and calling, float64[classes] each: a `Strategy` of jam or fold."""

    jam: Floats
    call: Floats

    def played(self, seat: str) -> Floats:
        """The frequency of each class in a seat, sb or bb."""
        return self.jam if seat == "sb" else self.call

    def rows(self, decision: int, board: Place) -> Floats:
        """Fold and play, at the root (the small blind's) or facing a jam."""
        played = self.played(SEATS[int(decision > 0)])
        return np.stack([1.0 - played, played])


@dataclass(frozen=True, eq=False)
class Equilibrium(Charts):
    """Charts with their values, in big blinds unless the name says mbb."""

    ev_jam: Floats
    ev_call: Floats  # given a jam; nan where no hand that jams is possible
    value_sb: float
    exploitability_mbb: float
    jam_frequency: float
    call_frequency: float  # of all hands dealt to the big blind, the fraction that calls a jam

    def ev(self, seat: str) -> Floats:
        """The expected value of jamming (sb) or of calling a jam (bb), each class."""
        return self.ev_jam if seat == "sb" else self.ev_call

    def equilibrium_fields(self) -> dict[str, Any]:
        """The fields of an equilibrium by name, without those of a subclass."""
        return {field.name: getattr(self, field.name) for field in fields(Equilibrium)}


@cache
def omaha_groups() -> dict[str, Mask]:
    """Common groups of Omaha hands, each a mask over the hand classes; groups overlap."""
    cards = omaha_cards()
    aces, most, pairs, of_suit = cards.count("A"), cards.of_rank.max(axis=1), cards.pairs, cards.pattern
    low_ranks = cards.low_ranks
    return {
        "two or more aces": aces >= 2,
        "one ace": aces == 1,
        "no ace": aces == 0,
        "no pair": most == 1,
        "one pair": (most == 2) & (pairs == 1),
        "two pairs": (most == 2) & (pairs == 2),
        "three or four of a rank": most >= 3,
        "double-suited": (of_suit[:, 0] == 2) & (of_suit[:, 1] == 2),
        "two of a suit": (of_suit[:, 0] == 2) & (of_suit[:, 1] == 1),
        "three or four of a suit": of_suit[:, 0] >= 3,
        "rainbow": of_suit[:, 0] == 1,
        "four low ranks": low_ranks == 4,
        "three low ranks": low_ranks == 3,
        "two low ranks": low_ranks == 2,
        "at most one low rank": low_ranks <= 1,
    }
