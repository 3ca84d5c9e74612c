"""A policy of your own: an object with one method, measured exactly in a small game and by LBR in hold'em.

cd docs/examples && headsup measure own_policy:Cautious --game leduc
cd docs/examples && headsup measure own_policy:Caller --game holdem-nolimit --stack 20 --hands 20
"""

from headsup.play.table.rules import CALLS


class Cautious:
    """Raises kings and queens in Leduc, and checks or folds the rest."""

    def probabilities(self, seen):
        strong = seen.infoset[0] in "KQ"
        wanted = ("r", "c") if strong else ("c", "f") if "f" not in seen.actions else ("f",)
        best = next(action for action in wanted if action in seen.actions)
        return {best: 1.0}


class Caller:
    """Checks and calls in hold'em."""

    def probabilities(self, view):
        return [(CALLS, 1.0)]
