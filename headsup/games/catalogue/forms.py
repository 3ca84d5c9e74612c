"""From a game to the forms that solvers work on: the flat tree and the sequence form, each by the shortest way."""

from typing import TypeAlias

from headsup.common.checks import door, of_kind
from headsup.common.errors import UserError
from headsup.games.catalogue.flat import flat_game
from headsup.games.catalogue.names import game as named
from headsup.games.contract.game import Game
from headsup.games.contract.public import PublicGame
from headsup.games.holdem.vector import VectorGame
from headsup.games.trees.publictree import PublicTree, public_tree
from headsup.games.trees.sequence import SequenceForm
from headsup.games.trees.tree import Tree, walk
from headsup.games.trees.unroll import unroll

Playable: TypeAlias = str | Game | Tree | PublicTree | SequenceForm | VectorGame
"""What can be solved and measured, or its name."""


def playable(game: Playable) -> Game | Tree | PublicTree | SequenceForm | VectorGame:
    """The game that a text names, or what was given if it is a game already."""
    if isinstance(game, str):
        return named(game)
    if not isinstance(game, Game | Tree | PublicTree | SequenceForm | VectorGame):
        raise UserError(f"a game is its name, such as 'leduc:ranks=4', or a Game, not {type(game).__name__}")
    return game


@door(game=of_kind(str, Game, VectorGame))
def flatten(game: Game | VectorGame | str) -> Tree:
    """Walk a game (or the one of this name) breadth-first into arrays, and check that it keeps its promises."""
    if isinstance(game, str):
        game = named(game)
    if isinstance(game, VectorGame):
        game = flat_game(game)
    return unroll(public_tree(game)) if isinstance(game, PublicGame) else walk(game)


def sequence_form(game: Playable) -> SequenceForm:
    """The sequence form of a game: from its public tree where it has one, else from its flat tree."""
    game = playable(game)
    if isinstance(game, SequenceForm):
        return game
    if isinstance(game, PublicGame):
        return public_tree(game).sequence_form()
    return (game if isinstance(game, Tree | PublicTree) else flatten(game)).sequence_form()
