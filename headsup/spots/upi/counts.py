"""Figures of the protocol that are sums: nodes by kind and street, and equities before the flop."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from headsup.cards.classes import holdem_class_of_combo
from headsup.cards.combos import combo_masks
from headsup.cards.ranges import Range
from headsup.common.arrays import Floats
from headsup.equity.holdem.preflop import pair_counts
from headsup.games.betting.rules import DEAL

if TYPE_CHECKING:
    from headsup.spots.upi.tree import SolvedTree

KINDS = ("H_DEC", "V_DEC", "SPLIT", "END", "ROOT")
STREETS = ("FLOP", "TURN", "RIVER")
BOARDS = 1_712_304  # five cards of the 48 that two hands leave


def count_nodes(tree: SolvedTree) -> list[str]:
    """Nodes by kind and street, on all boards of all suits."""
    names, betting, spot = tree.names, tree.game.betting, tree.spot
    first, counts = 3 - len(spot.streets), Counter({("ROOT", STREETS[3 - len(spot.streets)]): 1})
    boards = np.cumprod([1, *(52 - len(spot.cards) - len(tree.showdown.boards.dead) - s for s in range(2))])
    below = np.zeros(betting.n_nodes, dtype=bool)  # what follows where nobody acts any more is no node
    for node in range(betting.n_nodes):
        parent, street = int(betting.parent[node]), int(betting.street[node])
        below[node] = parent >= 0 and (below[parent] or (betting.player[parent] == DEAL and not names.is_split(parent)))
        if not below[node]:
            kind = {"OOP_DEC": "H_DEC", "IP_DEC": "V_DEC", "SPLIT_NODE": "SPLIT"}.get(names.kind(node), "END")
            counts[kind, STREETS[first + street]] += int(boards[street])
    lines = []
    for kind in KINDS:
        rows = [(street, counts[kind, street]) for street in STREETS]
        lines += [f"{kind}: {sum(count for _, count in rows)}", *(f"  {street:5} {count}" for street, count in rows)]
    return [*lines, f"TOTAL: {sum(counts.values())}"]


def preflop_equity(mine: Range, theirs: Range) -> tuple[Floats, Floats, float]:
    """Of the 169 classes: their equity against a range before the flop, and the weight of their matchups; the total."""
    hands = np.arange(len(mine.weights), dtype=np.int32)
    other = np.flatnonzero(theirs.weights).astype(np.int32)
    win, tie = pair_counts(hands, other)
    masks = combo_masks(2)
    weight = theirs.weights[other] * ((masks[:, None] & masks[other]) == 0)
    met = mine.weights * weight.sum(axis=1)
    shares = mine.weights * ((weight * (win + 0.5 * tie)).sum(axis=1) / BOARDS)
    kind = holdem_class_of_combo()
    matchups, won = (np.bincount(kind, sums, 169).astype(np.float64) for sums in (met, shares))
    with np.errstate(invalid="ignore"):
        equity = np.where(matchups > 0.0, won / matchups, np.nan)
    total = float(won.sum() / matchups.sum()) if matchups.sum() > 0.0 else float("nan")
    return equity, matchups, total
