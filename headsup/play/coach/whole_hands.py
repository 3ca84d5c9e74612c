"""Hands trained from the first decision on: after each answer the opponent acts and cards come, until the hand is over.

In a solved spot the opponent acts with the frequencies of the hands that the known cards leave, and a card comes with
its exact probability. In a preflop chart the opponent acts with the frequencies of the whole range.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple, Protocol

import numpy as np

from headsup.cards.cards import card_name, mask_of, parse_cards
from headsup.cards.classes import holdem_class_name
from headsup.cards.combos import combo_masks
from headsup.cards.games import hand_size
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL, STREETS
from headsup.play.coach.decks import PreflopDeck, SpotDeck
from headsup.spots.path import CARD
from headsup.spots.reach import RARE
from headsup.spots.view import PLAYERS, SpotView

TRIES = 1000  # hands that may end before the wanted decision comes
SELDOM = "The solution takes this action in fewer than 0.1 % of the hands, so the hand ends here."


class Continuation(NamedTuple):
    """What comes after an answer."""

    key: str  # the next question of the same hand; empty if there is none
    events: tuple[str, ...]  # what happened in between, in sentences


class WholeHands(Protocol):
    """Hands from a deck, one decision after the other."""

    def begin(self, random: Random) -> str:
        """The key of the first question of a new hand."""

    def proceed(self, key: str, action: str, random: Random) -> Continuation:
        """What comes after an action was chosen at a question."""


def _words(line: str) -> list[str]:
    return [word.strip() for word in line.split(",") if word.strip()]


@dataclass(frozen=True)
class PreflopHands:
    """Hands until the flop comes or somebody is all-in."""

    deck: PreflopDeck

    def begin(self, random: Random) -> str:
        for _ in range(TRIES):
            seat, line = self.deck.seat if self.deck.seat != "both" else random.choice(("sb", "bb")), ""
            while line in self.deck.lines:
                view = self.deck.at(line)
                if view.player == seat:
                    return f"{line} | {holdem_class_name(self.deck.hand(view, random))}"
                line = self.deck.act(line, random)
        raise UserError(f"the {seat} has no decision in this chart: choose the other seat")

    def proceed(self, key: str, action: str, random: Random) -> Continuation:
        before, _, hand = (part.strip() for part in key.partition("|"))
        player, line = self.deck.at(before).player, self.deck.after(before, action)
        events = list[str]()
        while line in self.deck.lines:
            view = self.deck.at(line)
            if view.player == player:
                return Continuation(f"{line} | {hand}", tuple(events))
            line = self.deck.act(line, random)
            events.append(f"Opponent: {_words(line)[-1]}.")
        folds = _words(line)[-1] == "fold"
        return Continuation("", (*events, "The hand is over." if folds else "The decisions before the flop are over."))


@dataclass(frozen=True)
class SpotHands:
    """Hands of a solved spot: to the end, or if `one_street` to the end of the street on which they begin."""

    deck: SpotDeck
    one_street: bool = False

    def __post_init__(self) -> None:
        if self.deck.solution.spot.swaps:
            raise UserError("in a spot with discards hands change: train single decisions")

    def begin(self, random: Random) -> str:
        streets = len(self.deck.solution.spot.streets)
        for _ in range(TRIES):
            player, cards = random.choice(PLAYERS), random.randrange(streets) if self.one_street else 0
            line = list[str]()
            while (view := self.deck.decision(line, random)) is not None:
                if sum(map(bool, map(CARD.fullmatch, line))) == cards and view.player == player:
                    return f"{', '.join(line)} | {random.choices(view.hands, view.weights.tolist())[0]}"
                line.append(random.choices(view.actions, view.totals["frequencies"])[0])
        raise UserError("play seldom comes to a decision in this spot: choose another one")

    def proceed(self, key: str, action: str, random: Random) -> Continuation:
        before, _, hand = (part.strip() for part in key.partition("|"))
        view = self.deck.at(before)
        if view.totals["frequencies"][view.actions.index(action)] < RARE:
            return Continuation("", (SELDOM,))
        held, player, tree = mask_of(parse_cards(hand)), view.player, self.deck.solution.game.betting
        theirs = view.opponent.combos, _possible(view, view.opponent.combos, view.opponent.reach, held)
        line, events = [*_words(before), action], list[str]()
        while True:
            node = tree.find(", ".join(word for word in line if not CARD.fullmatch(word)))
            to_come = tree.player[node] == DEAL
            if tree.player[node] > DEAL or (to_come and tree.player[tree.child[node]] >= DEAL):
                ending = "The hand is over." if line[-1] == "fold" else "The hand goes to showdown."
                return Continuation("", (*events, ending))
            if to_come:
                if self.one_street:
                    return Continuation("", (*events, "The street is over."))
                line.append(self._card(line, held, *theirs, random))
                cards = len(parse_cards(self.deck.solution.spot.board)) + sum(map(bool, map(CARD.fullmatch, line)))
                events.append(f"The {STREETS[cards - 2]} is {line[-1]}.")
            view = self.deck.at(", ".join(line))
            if view.player == player:
                at = view.hands.index(hand)
                if not np.isfinite(view.ev[:, at]).all():
                    return Continuation("", (*events, SELDOM))
                return Continuation(f"{', '.join(line)} | {hand}", tuple(events))
            weight = _possible(view, view.combos, view.reach, held)
            if not weight.sum() > 0.0:
                return Continuation("", (*events, SELDOM))
            chosen = random.choices(range(len(view.actions)), (view.frequencies @ weight).tolist())[0]
            theirs = view.combos, weight * view.frequencies[chosen]
            line.append(view.actions[chosen])
            events.append(f"Opponent: {line[-1]}.")

    def _card(self, line: list[str], held: int, combos: AnyArray, weight: Floats, random: Random) -> str:
        """A card by its probability: an opponent's hand is drawn, then a card that neither has."""
        spot = self.deck.solution.spot
        size = hand_size(spot.variant or "holdem")
        other = int(combo_masks(size)[random.choices(combos.tolist(), weight.tolist())[0]])
        dealt = "".join(word for word in line if CARD.fullmatch(word))
        gone = held | other | mask_of(parse_cards(spot.board + spot.dead + dealt))
        return card_name(random.choice([card for card in range(52) if not gone >> card & 1]))


def _possible(view: SpotView, combos: AnyArray, reach: Floats, held: int) -> Floats:
    """The reach of hands that share no card with those that are held."""
    return np.where(combo_masks(hand_size(view.game))[combos] & np.uint64(held) == 0, reach, 0.0)
