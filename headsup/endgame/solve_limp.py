"""A plan against limps: jam over them, or check and jam the flop or give the pot up.

One hand for chips at each of a few depths, in big blinds: the small blind folds, jams or limps; the big blind calls a
jam or folds, and jams over a limp or checks it; on the flop it jams or gives up, and the small blind calls or folds.
CFR+ solves all depths at once, first with a subset of flops (`headsup.equity.holdem.flop_subsets`), which gives both
ranges that see a flop. Then each of the 1,755 flops is solved alone between these ranges.

The floor of the plan (`headsup.endgame.measure_limp`) is the proof.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import holdem_class_of_combo
from headsup.common.arrays import Floats
from headsup.common.progress import Progress, Watch
from headsup.endgame.measure_limp import flop_weights
from headsup.equity.holdem.flop_pairs import FlopPairs, flop_pairs, holds
from headsup.equity.holdem.flop_subsets import FlopSubset, flop_subset
from headsup.games.holdem.classes import Classes
from headsup.solve.records.matching import regret_matching

Singles = npt.NDArray[np.float32]

DEPTHS = (1.5, 2.0, 3.0, 4.0, 5.0, 5.5, 6.0, 6.5, 7.0, 8.0, 9.0, 10.0)
"""What both can lose, in big blinds, in the hands that are solved."""
FOLD = -0.5
"""What folding the small blind costs."""
SUBSET = 95
ITERATIONS = 200
FLOP_ITERATIONS = 80
RANDOM = 0.03
"""How much of every hand the small blind's range has on a flop that is solved alone, so that none is forgotten."""


class _Flop:
    """One flop at all depths: the big blind jams or gives up, the small blind calls or folds; [depths, hands] each."""

    def __init__(self, pairs: FlopPairs, depths: Singles) -> None:
        self.hands, self.depths = pairs.hands, depths[:, None]
        self.kind = holdem_class_of_combo()[pairs.hands]
        wins = pairs.wins.astype(np.float32)
        self.sign = (wins - wins.T) / np.float32(pairs.runs)
        """[H, H]: wins less losses, on average."""
        self.has = holds(pairs.hands).astype(np.float32)
        self.regrets = np.zeros((2, 2, len(depths), len(pairs.hands)), dtype=np.float32)
        """Of the big blind to jam or give up, of the small blind to call or fold."""

    def met(self, reach: Singles) -> Singles:
        return np.asarray(reach.sum(axis=1, keepdims=True) - (reach @ self.has) @ self.has.T + reach)

    def jam(self) -> Singles:
        return np.asarray(regret_matching(self.regrets[0])[0])

    def call(self, jams: Singles) -> Singles:
        """Update the small blind against jams; returns its value of the flop beyond a pot given up to it."""
        called, met = self.depths * (self.sign @ jams.T).T, self.met(jams)
        now = regret_matching(self.regrets[1])[0]
        learn_two(self.regrets[1], now, called + met)
        return np.asarray(now * called - (1 - now) * met - met)

    def open(self, reach: Singles) -> Singles:
        """Update the big blind against limps, [depths, hands]; returns its value of the flop beyond giving it up."""
        call, now = regret_matching(self.regrets[1])[0], self.jam()
        called = reach * call
        gain = self.depths * (self.sign @ called.T).T + self.met(2 * reach - called)
        learn_two(self.regrets[0], now, gain)
        return np.asarray(now * gain)


class Ranges(NamedTuple):
    """Both ranges of a limped pot, [depths, classes]."""

    limp: Floats
    """How often the small blind limps."""
    over: Floats
    """How often the big blind jams over it; it checks the rest."""


class _Hand:
    """One hand from the deal on, at all depths; arrays are [depths, classes], regrets have actions before that."""

    def __init__(self, table: Classes, depths: tuple[float, ...], few: FlopSubset) -> None:
        self.depths, self.classes, self.sizes = np.array(depths)[:, None], table.classes, table.class_sizes
        self.flops = [_Flop(flop_pairs(flop), np.array(depths, dtype=np.float32)) for flop in few.flops]
        self.weights = flop_weights(few.weights)
        every = np.arange(table.classes)
        ways = table.way_block(every, every) / table.total
        self.met, self.sign = ways.sum(axis=2).T, (ways[..., 0] - ways[..., 2]).T
        shape = (len(depths), table.classes)
        self.root, self.stay = np.zeros((3, *shape)), np.zeros((2, *shape))
        """The small blind's: fold, jam, limp; and call a jam over a limp, or give it up."""
        self.call, self.over = np.zeros((2, *shape)), np.zeros((2, *shape))
        """The big blind's: call a jam or fold; jam over a limp or check."""

    def small_blind(self) -> None:
        call, over, stay = (regret_matching(regrets)[0] for regrets in (self.call, self.over, self.stay))
        called, met = self.depths * (over @ self.sign), over @ self.met
        over_limp = stay * called - (1 - stay) * met
        checked = self._on_flops(lambda flop: flop.call((1 - over)[:, flop.kind].astype(np.float32) * flop.jam()))
        learn_two(self.stay, stay, called + met)
        jam = self.depths * (call @ self.sign) + 1 - call @ self.met
        worth = np.stack([np.full_like(jam, FOLD), jam, over_limp + 1 - met + checked])
        self.root += worth - (regret_matching(self.root) * worth).sum(axis=0)
        np.maximum(self.root, 0, out=self.root)

    def big_blind(self) -> None:
        call, over, stay = (regret_matching(regrets)[0] for regrets in (self.call, self.over, self.stay))
        _, jam, limp = regret_matching(self.root)
        called = limp * stay
        jammed = self.depths * (called @ self.sign) + (limp - called) @ self.met
        checked = self._on_flops(lambda flop: flop.open(limp[:, flop.kind].astype(np.float32))) - limp @ self.met
        learn_two(self.over, over, jammed - checked)
        learn_two(self.call, call, self.depths * (jam @ self.sign) + jam @ self.met)

    def _on_flops(self, worth: Callable[[_Flop], Singles]) -> Floats:
        """The value of all flops to each class."""
        total = np.zeros((len(self.depths), self.classes))
        for flop, weight in zip(self.flops, self.weights, strict=True):
            for row, values in zip(total, worth(flop), strict=True):
                row += weight * np.bincount(flop.kind, weights=values, minlength=self.classes)
        return np.asarray(total / self.sizes)


def learn_ranges(
    table: Classes,
    depths: tuple[float, ...] = DEPTHS,
    *,
    subset: int = SUBSET,
    iterations: int = ITERATIONS,
    watch: Watch | None = None,
) -> Ranges:
    """The ranges of one hand for chips, with a subset of flops for all."""
    hand = _Hand(table, depths, flop_subset(subset))
    limp, over = np.zeros((2, len(depths), table.classes))
    for t in range(1, iterations + 1):
        hand.small_blind()
        hand.big_blind()
        limp += t * regret_matching(hand.root)[2]
        over += t * regret_matching(hand.over)[0]
        if watch is not None:
            watch(Progress(t, iterations, "ranges"))
    total = iterations * (iterations + 1) / 2
    return Ranges(limp / total, over / total)


def learn_flop(
    pairs: FlopPairs, ranges: Ranges, depths: tuple[float, ...] = DEPTHS, iterations: int = FLOP_ITERATIONS
) -> Singles:
    """[depths, hands]: the big blind's jamming frequencies on a flop, by the average of CFR+."""
    flop = _Flop(pairs, np.array(depths, dtype=np.float32))
    limp = ((1 - RANDOM) * ranges.limp + RANDOM)[:, flop.kind].astype(np.float32)
    check = (1 - ranges.over)[:, flop.kind].astype(np.float32)
    mean = np.zeros_like(limp)
    for t in range(1, iterations + 1):
        flop.call(check * flop.jam())
        flop.open(limp)
        mean += np.float32(t) * flop.jam()
    return mean / np.float32(iterations * (iterations + 1) / 2)


def learn_two(regrets: npt.NDArray[Any], now: npt.NDArray[Any], gain: npt.NDArray[Any]) -> None:
    """CFR+ for two actions, given the frequency of the first and its gain over the second."""
    regrets[0] += (1 - now) * gain
    regrets[1] -= now * gain
    np.maximum(regrets, 0, out=regrets)
