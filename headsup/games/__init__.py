"""Games: the contract, the flat forms every solver works on, and the games that come with headsup.

from headsup.games import game, flatten, sequence_form
tree = flatten(game("leduc"))            # arrays over nodes
form = sequence_form(game("leduc"))      # arrays over sequences
"""

from headsup.games.catalogue import GAMES, game
from headsup.games.forms import Playable, flatten, sequence_form
from headsup.games.game import CHANCE, TERMINAL, Game
from headsup.games.public import PublicGame
from headsup.games.publictree import PublicTree, public_tree
from headsup.games.sequence import Profile, Seat, SequenceForm
from headsup.games.tree import Tree

__all__ = [
    "CHANCE",
    "GAMES",
    "TERMINAL",
    "Game",
    "Playable",
    "Profile",
    "PublicGame",
    "PublicTree",
    "Seat",
    "SequenceForm",
    "Tree",
    "flatten",
    "game",
    "public_tree",
    "sequence_form",
]
