"""Strategies that look at no cards, by name: what bots are first measured against.

`always-fold`, `always-call` and `always-raise` do that whenever they may; `mix:F,C,R` folds, calls and raises with
these probabilities, those of illegal actions going to check or call; `uniform` takes every legal action equally often.
"""

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.common.checks import parse_float, quoted
from headsup.common.errors import UserError
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import Mixture, Strategy, Uniform, VectorGame

ALWAYS = {"always-fold": (1.0, 0.0, 0.0), "always-call": (0.0, 1.0, 0.0), "always-raise": (0.0, 0.0, 1.0)}
NAMES = (*ALWAYS, "uniform", "mix:F,C,R")


class OneBucket:
    def __init__(self, game: VectorGame) -> None:
        self.hands = game.showdown.sizes
        self.sizes = ((1,),) * game.streets
        self.kinds = tuple(np.zeros(int(n), np.int64) for n in np.diff(game.rounds.entries))

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        """Bucket 0, everywhere."""
        return np.zeros((high - low, self.hands[seat]), dtype=np.uint8)


def is_simple(text: str) -> bool:
    """Whether a text is, or begins as, the name of such a strategy."""
    return text in ALWAYS or text == "uniform" or text.startswith("mix:")


def simple(game: VectorGame, text: str) -> BucketStrategy:
    if text == "uniform":
        return blind(game, Uniform(game))
    if text in ALWAYS:
        return blind(game, Mixture(game, *ALWAYS[text]))
    try:
        name, _, shares = text.partition(":")
        fold, call, bet = (parse_float(part) for part in shares.split(","))
        if name != "mix":
            raise ValueError
    except ValueError:
        raise UserError(f"{quoted(text)} is not a simple strategy: choose one of {', '.join(NAMES)}") from None
    return blind(game, Mixture(game, fold, call, bet))


def blind(game: VectorGame, strategy: Strategy) -> BucketStrategy:
    """A strategy that does the same with all hands on all boards, by one bucket."""
    rounds, numbers = game.rounds, [np.zeros(int(game.rounds.rows[p].sum())) for p in (0, 1)]
    for s in range(game.streets):
        board = game.board(s, 0)
        for node in range(int(rounds.start[s]), int(rounds.start[s + 1])):
            if rounds.player[node] in (0, 1):
                seat = int(rounds.player[node])
                at = int(rounds.rows[seat, :s].sum()) + int(rounds.row[node])
                numbers[seat][at : at + int(rounds.count[node])] = strategy.rows(node, board)[:, 0]
    return BucketStrategy(game, OneBucket(game), (numbers[0], numbers[1]))
