"""Scores by ranges, against sums over all pairs of hands."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.combos import HOLDEM_COUNT, holdem_combos
from headsup.play.statistics import values
from headsup.play.statistics.ranged import ranged_chips, share_of_ranges
from headsup.play.table.agent import Mixed, make_agent
from headsup.play.table.dice import Dice
from headsup.play.table.referee import Referee
from headsup.play.table.rules import table


@pytest.mark.parametrize("board", [(), (3, 17, 30, 44), (3, 17, 30, 44, 51)])
def test_the_share_of_a_range_is_the_mean_over_pairs_of_hands(board: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(board))
    first, second = np.zeros(HOLDEM_COUNT), np.zeros(HOLDEM_COUNT)
    hands = holdem_combos()
    free = [h for h in range(HOLDEM_COUNT) if not set(hands[h].tolist()) & set(board)]
    common = rng.choice(free, 2, replace=False)  # hands that both may hold, though not at once
    for weights in (first, second):
        weights[[*common, *rng.choice(free, 3, replace=False)]] = rng.random(5)
    won, met = 0.0, 0.0
    for a in np.flatnonzero(first):
        for b in np.flatnonzero(second):
            mine, theirs = tuple(hands[a].tolist()), tuple(hands[b].tolist())
            if not set(mine) & set(theirs):
                weight, runs = first[a] * second[b], 1.0 if len(board) != 4 else 44.0
                won += weight * runs * values.pot_share("holdem", (mine, theirs), board)
                met += weight * runs
    assert share_of_ranges(first, second, board, Dice(0)) == pytest.approx(won / met, abs=1e-9)


def test_flops_take_some_cards_to_come() -> None:
    everything = np.ones(HOLDEM_COUNT)
    assert share_of_ranges(everything, everything, (3, 17, 30), Dice(0)) == pytest.approx(0.5)


def test_a_hand_is_scored_by_what_others_would_have_done() -> None:
    """Two who call with everything say nothing of their hands: whatever is shown, nobody has won."""
    there = table("holdem-nolimit", 20)
    agents = make_agent("caller", there), make_agent("caller", there)
    referee = Referee(agents, seed=3)
    seen = set()
    for number in range(4):
        record = referee.play(there, there.deal_number(3, number), number, 0)
        seen.add(record.chips[0])
        assert record.shown
        assert all(isinstance(one, Mixed) for one in agents)
        assert ranged_chips(record, agents) == pytest.approx(0.0)  # type: ignore[arg-type]
    assert seen != {0}
    folding = make_agent("caller", there), make_agent("folder", there)
    record = Referee(folding, seed=3).play(there, there.deal_number(3, 0), 0, 1)
    assert ranged_chips(record, folding[::-1]) == record.chips[0]  # type: ignore[arg-type]
