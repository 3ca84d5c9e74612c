"""From a game to the forms that solvers work on: the flat tree and the sequence form, each by the shortest way."""

from __future__ import annotations

from typing import TypeAlias

from headsup.games.game import Game
from headsup.games.public import PublicGame
from headsup.games.publictree import PublicTree, public_tree
from headsup.games.sequence import SequenceForm
from headsup.games.tree import Tree, walk
from headsup.games.unroll import unroll

Playable: TypeAlias = Game | Tree | PublicTree | SequenceForm
"""What can be solved and measured."""


def flatten(game: Game) -> Tree:
    """Walk a game breadth-first into arrays, and check that it keeps the promises of the contract."""
    return unroll(public_tree(game)) if isinstance(game, PublicGame) else walk(game)


def sequence_form(game: Playable) -> SequenceForm:
    """The sequence form of a game: from its public tree where it has one, else from its flat tree."""
    if isinstance(game, SequenceForm):
        return game
    if isinstance(game, PublicGame):
        return public_tree(game).sequence_form()
    return (game if isinstance(game, Tree | PublicTree) else flatten(game)).sequence_form()
