"""Where the bins of places begin is what deals give."""

import numpy as np
import pytest

from headsup.common.backend import JIT_DISABLED
from headsup.discards.equity.deals import rule_many
from headsup.discards.strategy.facts import EDGES, deal_cards, places, swapped


@pytest.mark.long
@pytest.mark.skipif(JIT_DISABLED, reason="40,000 deals")
def test_edges_are_quantiles_of_hands_swapped_by_the_rule() -> None:
    cards = deal_cards(np.array([7], dtype=np.uint64), 40_000)
    hole, drawn = cards[:, None, :2], (cards[:, 9], cards[:, 11])
    for street in (1, 2, 3):
        board = cards[:, 4 : 6 + street]
        if street < 3:
            every = swapped(hole, board, drawn[street - 1])
            keeps = rule_many(hole[:, 0], board) == 0
            hole = np.where(keeps[:, None], every[:, 0], every[:, 1])[:, None]
        bins = len(EDGES[street]) - 1  # two more edges are among the best hands
        found = np.quantile(places(hole, board)[:, 0], np.arange(1, bins) / bins)
        assert EDGES[street][:-2] == tuple(round(float(edge), 4) for edge in found)
