"""Matches between strategies of a hold'em game, dealt from a real deck, as a check of exact values.

Nothing that measures is used here: boards up to suits serve only to look a strategy up, and ranks of real cards decide.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from headsup.cards.combos import holdem_combos
from headsup.common.arrays import Floats
from headsup.common.checks import as_strategy, check_seed, count, door, finite, of_kind
from headsup.common.errors import UserError
from headsup.evaluate import rank_hands
from headsup.games.betting.rules import DEAL, FOLD
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import Strategy, VectorGame
from headsup.measure.exploit import best_response
from headsup.play.statistics.interval import ConfidenceInterval, fixed
from headsup.play.table.dice import DECK, FIRST, Dice
from headsup.play.table.real import RealCards

LEVEL = 0.99


@dataclass(frozen=True)
class Duel:
    """The exact value of a best response, and its result in a match."""

    seat: int
    exact_mbb: float
    match_mbb: ConfidenceInterval
    hands: int

    @property
    def agrees(self) -> bool:
        """Whether the exact value lies in the match's confidence interval."""
        return self.match_mbb.low <= self.exact_mbb <= self.match_mbb.high

    def summary(self) -> dict[str, Any]:
        mean, low, high, _ = self.match_mbb
        match = {"mean_mbb": mean, "low_mbb": low, "high_mbb": high, "agrees": self.agrees}
        return {"seat": self.seat, "hands": self.hands, "exact_mbb": self.exact_mbb, **match}


@door(game=of_kind(VectorGame), hands=count(), seed=check_seed)
def deal_out(game: VectorGame, strategy: Strategy, hands: int, seed: int = 0) -> Floats:
    """[hands] the chips that seat 0 wins when both seats play the strategy."""
    if not isinstance(game.showdown, Sorted) or game.private or len(game.boards.root):
        raise UserError(f"{game} is not hold'em from the first card on: a match of it is not dealt here")
    if any((weights != 1.0).any() for weights in game.weights):
        raise UserError(f"{game} begins with ranges: a match of it is not dealt here")
    as_strategy(strategy, "strategy")
    real, deck = RealCards(game), np.unique(holdem_combos()[game.showdown.hands[0]]).tolist()
    return np.array([_hand(game, strategy, real, deck, seed, number) for number in range(hands)])


def _hand(game: VectorGame, strategy: Strategy, real: RealCards, deck: list[int], seed: int, number: int) -> float:
    betting, streets = game.betting, np.cumsum(game.boards.streets)
    cards = Dice(seed, number, DECK).deal(4 + int(streets[-1]), deck)
    holes, board, dice = (tuple(cards[:2]), tuple(cards[2:4])), tuple(cards[4:]), Dice(seed, number, FIRST)
    node, street = 0, 0
    while betting.player[node] <= DEAL:
        if betting.player[node] == DEAL:
            node, street = int(betting.child[node]), street + 1
            continue
        seat, seen = int(betting.player[node]), board[: streets[street]]
        hand = real.hand(seat, holes[seat], seen)
        probabilities = strategy.rows(node, real.canonical(seen).place)[:, hand]
        before, node = seat, int(betting.child[node]) + dice.pick(probabilities.tolist())
    if betting.player[node] == FOLD:
        return float(betting.lose[node, 0] if before == 0 else betting.win[node, 0])
    first, second = rank_hands(np.array([[*hole, *board] for hole in holes])).tolist()
    if first == second:
        return float(betting.win[node, 0] + betting.lose[node, 0]) / 2.0
    return float(betting.win[node, 0] if first > second else betting.lose[node, 0])


@door(game=of_kind(VectorGame), victim=as_strategy, hands=count(), seed=check_seed, level=finite)
def duel(game: VectorGame, victim: Strategy, seat: int, hands: int, seed: int = 0, level: float = LEVEL) -> Duel:
    """Play a seat's exact best response against its victim."""
    exact, profile = best_response(game, victim, seat)
    won = deal_out(game, profile, hands, seed)
    earned = (won if seat == 0 else (game.betting.total or 0.0) - won) * 1000.0 / game.unit
    return Duel(seat, 1000.0 * exact / game.unit, fixed(earned, level), hands)
