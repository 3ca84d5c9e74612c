"""Liar's dice with one die each, by the rules OpenSpiel plays: bid higher or call the opponent a liar.

A bid is a quantity and a face, ordered by quantity and then by face. A die shows a bid's face if it is that face or
the highest one, which is wild. The caller wins 1 if there are fewer such dice than the last bid, and loses 1
otherwise.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np

from headsup.common.arrays import Floats
from headsup.games.contract.game import TERMINAL
from headsup.games.contract.public import PublicGame

Bids = tuple[int, ...]  # the bids made; a call of liar is written as -1


class LiarsDice(PublicGame):
    """One die of `sides` sides for each player."""

    name = "liars_dice"

    def __init__(self, sides: int = 6) -> None:
        self.sides = sides
        self.params = {} if sides == 6 else {"sides": sides}
        self.bids = [f"{quantity}x{face + 1}" for quantity in (1, 2) for face in range(sides)]

    def hands(self, seat: int) -> Sequence[str]:
        return [str(face + 1) for face in range(self.sides)]

    def deal(self) -> Floats:
        return np.ones((self.sides, self.sides))

    def public_root(self) -> Bids:
        return ()

    def public_player(self, public: Bids) -> int:
        return TERMINAL if public and public[-1] < 0 else len(public) % 2

    def public_actions(self, public: Bids) -> Sequence[str]:
        return [*self.bids[public[-1] + 1 if public else 0 :], *(["liar"] if public else [])]

    def public_next(self, public: Bids, index: int) -> Bids:
        bid = (public[-1] + 1 if public else 0) + index
        return (*public, bid if bid < len(self.bids) else -1)

    def public_text(self, public: Bids) -> str:
        return " ".join("liar" if bid < 0 else self.bids[bid] for bid in public)

    def public_end(self, public: Bids) -> tuple[float, Hashable]:
        bidder = len(public) % 2  # the caller moved last, so the bidder is the one who would move now
        return (1.0 if bidder == 0 else -1.0), public[-2]

    def result(self, key: Hashable, cards: Hashable) -> Floats:
        assert isinstance(key, int)
        quantity, face = key // self.sides + 1, key % self.sides
        shows = np.array([f in (face, self.sides - 1) for f in range(self.sides)], dtype=np.int64)
        return np.where(shows[:, None] + shows[None, :] >= quantity, 1.0, -1.0)
