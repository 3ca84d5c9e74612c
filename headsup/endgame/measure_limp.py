"""A big blind that jams over a limp, or checks and then jams the flop or gives the pot up.

The plan is made for a few depths in big blinds; a state between two depths follows one of them at random. The opponent
calls or folds to a jam, knowing the flop, whichever leaves us less, and takes the pot against checks. So its best
response is found in all of no-limit hold'em, hand by hand. All-ins on a flop are exact over all turns and rivers; the
tally of each hand on each flop does not depend on the state, so `Limps` has it once for every depth.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.checks import cores
from headsup.common.display import brief
from headsup.endgame.rules import Endgame

SHALLOW = 4.5  # below so many big blinds, folding to the few limps that are not jammed over costs next to nothing


class DepthMixture(NamedTuple):
    """The depths between which each state lies, [states] each: `part` of the lower one, the rest of the next."""

    lower: npt.NDArray[np.intp]
    part: Floats


@dataclass(frozen=True, eq=False)
class Limps:
    """A plan against limps with its tallies."""

    depths: tuple[float, ...]  # ascending, in big blinds: what both can lose
    over: Floats  # [depths, classes]: how often a class jams over a limp
    kind: npt.NDArray[np.uint8]  # [flops, hands]: the class of each hand that a flop leaves
    weights: Floats
    """[flops]: how many flops of the deck each stands for, as a share of opponents and flops dealt to one hand."""
    outcomes: Floats  # [depths, 3, flops, hands]: how many hands that jam the flop each hand beats, ties with, loses to
    sizes: npt.NDArray[np.int64]  # [classes]: hands of each class
    least: float = SHALLOW  # the depth from which limps are checked; below it they are folded to unless jammed over

    __repr__ = brief

    def deep(self, rules: Endgame) -> npt.NDArray[np.bool_]:
        return np.asarray(_depth(rules)[:, None] >= self.least)

    def mixture(self, rules: Endgame) -> DepthMixture:
        at = np.interp(_depth(rules), self.depths, np.arange(len(self.depths)))
        lower = np.minimum(at.astype(np.intp), max(len(self.depths) - 2, 0))
        return DepthMixture(lower, 1 - (at - lower))

    def jam_over(self, rules: Endgame) -> Floats:
        """[states, classes]: the frequency of jams over a limp."""
        lower, part = self.mixture(rules)
        upper = np.minimum(lower + 1, len(self.depths) - 1)
        return np.asarray(part[:, None] * self.over[lower] + (1 - part)[:, None] * self.over[upper])

    def responses(self, rules: Endgame, may: npt.NDArray[np.bool_], worth: Floats) -> Floats:
        """[states, classes, 4]: how often the best response to a jam on the flop folds, wins, ties and loses.

        `worth` is what these four leave the big blind, [states, 4]; states where a limp is not allowed stay empty.
        """
        from headsup.endgame.limp_kernels import add_best_response

        lower, part = self.mixture(rules)
        totals = np.zeros((len(worth), len(self.sizes), 4))
        alike: dict[tuple[int, float], list[int]] = {}  # states of one depth, whichever player is shorter
        for state in np.flatnonzero(may).tolist():
            alike.setdefault((int(lower[state]), float(part[state])), []).append(state)

        def answer(depth: tuple[int, float]) -> None:
            low, high = (self.outcomes[min(depth[0] + step, len(self.depths) - 1)] for step in (0, 1))
            sums = np.zeros((len(alike[depth]), len(self.sizes), 4))
            add_best_response(low, high, depth[1], worth[alike[depth]], self.kind, self.weights, sums)
            totals[alike[depth]] = sums

        with ThreadPoolExecutor(cores()) as pool:
            list(pool.map(answer, alike))
        return np.asarray(totals / self.sizes[:, None])


def _depth(rules: Endgame) -> Floats:
    level = rules.levels[-1]
    return np.array([hand.stack for hand in rules.hands(level)]) / level.big


def flop_weights(sizes: npt.NDArray[np.int64] | Floats, ranks: int = 13) -> Floats:
    cards = 4 * ranks
    return np.asarray(sizes / (comb(cards - 2, 2) * comb(cards - 4, 3)))
