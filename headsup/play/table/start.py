"""Where a hand begins: at the start of a named game, or at a spot (`spot:FILE`, a spot's text or a solved one).

Hands are dealt from the spot's ranges, each disjoint pair in proportion to the product of its weights. Bets may be any
legal size. Seat 0 is out of position. A big blind is a tenth of the pot unless the match sets it.
"""

from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path

import numpy as np

from headsup.cards.combos import holdem_combos
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.games.holdem.spot import Spot
from headsup.play.table.dice import Dice
from headsup.play.table.rules import TABLES, Deal, Table, table

PREFIX = "spot:"


def is_card_game(name: str) -> bool:
    """Whether a game is played with cards at a table; otherwise it is a small game of information sets."""
    return name in TABLES or name.startswith(PREFIX)


def check_small(name: str) -> None:
    """Raise if the name is not a small game either."""
    from headsup.games.catalogue.names import GAMES

    if name.partition(":")[0] not in GAMES and not name.endswith(".efg"):
        known = ", ".join(TABLES)
        raise UserError(f"there is no game '{name}': choose from {known}, spot:FILE, or a small one such as leduc")


@dataclass(frozen=True)
class SpotTable(Table):
    """A table at which hands begin at a spot."""

    weights: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())  # [1326] of each seat

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        return np.cumsum(self.weights[0]), np.cumsum(self.weights[1])

    def deal(self, dice: Dice) -> Deal:
        """Draw hands from both ranges until they share no card, then the rest of the board."""
        combos = holdem_combos()
        while True:
            first, second = (
                tuple(combos[int(np.searchsorted(sums, dice.random() * sums[-1], side="right"))].tolist())
                for sums in self._sums
            )
            if not set(first) & set(second):
                break
        taken = {*first, *second, *self.board}
        deck = [card for card in range(52) if card not in taken]
        return Deal((first, second), self.board + tuple(dice.deal(5 - len(self.board), deck)))


def spot_table(spot: Spot, name: str = "spot", unit: int | None = None) -> SpotTable:
    if spot.rules.rake:
        raise UserError("the arena takes no rake, and the spot has one: leave it out of the spot")
    if spot.swaps or spot.variant:
        raise UserError("the arena plays spots of hold'em only: leave swaps and variants out, or play another game")
    both = (tuple(spot.ranges[0].weights.tolist()), tuple(spot.ranges[1].weights.tolist()))
    betting = replace(spot.rules, rake=0.0)
    return SpotTable(name, "holdem", betting, unit or max(1, spot.pot // 10), spot.cards, weights=both)


@cache
def read_spot(path: str) -> Spot:
    if not Path(path).is_file():
        raise UserError(f"there is no file {path!r}: give a spot as text or a solved one")
    with open(path, "rb") as file:
        solved = file.read(2) == b"PK"
    if not solved:
        return Spot.read(path)
    from headsup.spots.solve import SpotSolution

    return SpotSolution.load(path, regrets=False).spot


def make_table(game: str, stack: float | None) -> Table:
    """The table of a game by name, or of a spot."""
    if not game.startswith(PREFIX):
        return table(game, stack)
    if stack is not None:
        raise UserError("a spot has its own stacks: leave out the stack")
    return spot_table(read_spot(game.removeprefix(PREFIX)), game)
