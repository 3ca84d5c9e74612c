"""Games: the contract, the flat forms every solver works on, and the games that come with headsup.

from headsup.games import LIMIT_HOLDEM, betting_tree, flatten, game, sequence_form
tree = flatten(game("leduc"))            # arrays over nodes
form = sequence_form(game("leduc"))      # arrays over sequences
betting_tree(LIMIT_HOLDEM).decisions()   # [8, 70, 630, 5670]: betting without cards

The names below are looked up when they are first used: what needs one of them should not wait for all.
"""

from typing import TYPE_CHECKING

from headsup.games.game import CHANCE, TERMINAL, Game
from headsup.lazy import lazily

if TYPE_CHECKING:
    from headsup.games.betting import LIMIT_HOLDEM, Betting
    from headsup.games.bettingtree import BettingTree, betting_tree
    from headsup.games.catalogue import GAMES, game
    from headsup.games.forms import Playable, flatten, sequence_form
    from headsup.games.menu import Menu, parse_menu
    from headsup.games.public import PublicGame
    from headsup.games.publictree import PublicTree, public_tree
    from headsup.games.sequence import Profile, Seat, SequenceForm
    from headsup.games.tree import Tree
    from headsup.games.vector import Mixture, Strategy, Uniform, VectorGame, holdem

__all__ = [
    "CHANCE",
    "GAMES",
    "LIMIT_HOLDEM",
    "TERMINAL",
    "Betting",
    "BettingTree",
    "Game",
    "Menu",
    "Mixture",
    "Playable",
    "Profile",
    "PublicGame",
    "PublicTree",
    "Seat",
    "SequenceForm",
    "Strategy",
    "Tree",
    "Uniform",
    "VectorGame",
    "betting_tree",
    "flatten",
    "game",
    "holdem",
    "parse_menu",
    "public_tree",
    "sequence_form",
]

lazily(
    __name__,
    {
        "CHANCE": "game",
        "GAMES": "catalogue",
        "LIMIT_HOLDEM": "betting",
        "TERMINAL": "game",
        "Betting": "betting",
        "BettingTree": "bettingtree",
        "Game": "game",
        "Menu": "menu",
        "Mixture": "vector",
        "Playable": "forms",
        "Profile": "sequence",
        "PublicGame": "public",
        "PublicTree": "publictree",
        "Seat": "sequence",
        "SequenceForm": "sequence",
        "Strategy": "vector",
        "Tree": "tree",
        "Uniform": "vector",
        "VectorGame": "vector",
        "betting_tree": "bettingtree",
        "flatten": "forms",
        "game": "catalogue",
        "holdem": "vector",
        "parse_menu": "menu",
        "public_tree": "publictree",
        "sequence_form": "forms",
    },
)
globals().pop("game")  # the module of that name, which is loaded by now and so cannot come back: `game` is the function
