"""Private moves of chance: what only one player sees between two streets, such as the card that replaces a discard.

Where a street ends, a hand becomes one of several, by a sparse matrix of weights w(a, b),

    down:  reach'(b) = sum over a of w(a, b) reach(a)        up:  value(a) = sum over b of w(a, b) value'(b)

A weight is the probability of one draw given both hands, or 1 where that is in the game's `chance`. A hand that has
drawn carries its dead cards, so it meets no hand that shares one, and remembers what it was before.
"""

from typing import NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats


class PrivateMove(NamedTuple):
    """A sparse matrix of one player's hands: an entry for each pair of hands, one of which may become the other."""

    before: AnyArray
    after: AnyArray
    weight: Floats

    def down(self, reach: Floats) -> Floats:
        return np.bincount(self.after, self.weight * reach[self.before], len(reach)).astype(np.float64)

    def up(self, value: Floats) -> Floats:
        """The values before the move."""
        return np.bincount(self.before, self.weight * value[self.after], len(value)).astype(np.float64)
