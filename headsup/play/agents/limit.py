"""The shipped strategy of limit hold'em at the table, and the same with the river solved there.

On the river the rest of the hand is solved on the real cards without buckets, from the ranges that follow from the
blueprint. A gadget keeps every likely hand of the opponent from earning more than its best response to the blueprint
(`headsup.solve.holdem.resolve`). All bets are in the tree, so nothing is translated.

    limit          the shipped strategy
    limit:river    with re-solved rivers
"""

from functools import cache

from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import RIVER
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.vector import Strategy, VectorGame
from headsup.limit.shipped import board_by_board
from headsup.play.agents.resolving import ResolvingPlayer
from headsup.play.agents.strategy import StrategyPlayer
from headsup.play.agents.subgame import Subgame, SubgameTask, solve_rest
from headsup.play.table.agent import Agent, maker
from headsup.play.table.rules import Action, PastAction, PlayerView, Table


class RiverPlayer(ResolvingPlayer):
    """Plays a blueprint of limit hold'em and re-solves the river."""

    def __init__(self, name: str, game: VectorGame, blueprint: Strategy, table: Table) -> None:
        super().__init__(name, game, blueprint, table)
        self.first = RIVER

    def _opened(self, done: tuple[PastAction, ...], view: PlayerView) -> tuple[Action, ...]:
        return ()  # every bet is in the tree, so a street is solved once

    def _solve(self, task: SubgameTask) -> Subgame:
        return solve_rest(task, betting_tree(task.rules), self._until)


@maker("limit")
def make_limit(rest: str, table: Table) -> Agent:
    """The shipped strategy of limit hold'em."""
    if rest not in ("", "river") or table.name != "holdem-limit":
        raise UserError("limit is the shipped strategy of holdem-limit: play it there, as limit or limit:river")
    if rest:
        return RiverPlayer("limit:river", *_shipped(), table)
    return StrategyPlayer("limit", *_shipped(), table)


@cache
def _shipped() -> tuple[VectorGame, Strategy]:
    """Cached, because every session of a match asks for it."""
    from headsup.limit.shipped import shipped as shipped_limit

    game = named_game("holdem-limit")
    assert isinstance(game, VectorGame)
    return game, board_by_board(shipped_limit().in_game(game))
