"""Games: the contract, the flat forms every solver works on, and the games that come with headsup.

from headsup.games import LIMIT_HOLDEM, betting_tree, flatten, game, sequence_form
tree = flatten(game("leduc"))            # arrays over nodes
form = sequence_form(game("leduc"))      # arrays over sequences
betting_tree(LIMIT_HOLDEM).decisions()   # [8, 70, 630, 5670]: betting without cards

The names below are looked up when they are first used: what needs one of them should not wait for all.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
