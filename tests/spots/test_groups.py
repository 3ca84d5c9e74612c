"""Groups of hands against hands counted one by one."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.cards import RANKS
from headsup.games.holdem.spot import Spot
from headsup.spots.groups import hand_groups
from headsup.spots.solve import solve_spot


@pytest.mark.parametrize(
    ("variant", "board", "ranges"),
    [("omaha", "Td9d6hQc2s", ("KQJT,AAQ", "QQT,J987")), ("", "Td9d6hQc", ("AA,T9s,KJs", "QQ,AQs,J8s"))],
)
def test_a_group_is_the_mean_of_its_hands(variant: str, board: str, ranges: tuple[str, str]) -> None:
    spot = Spot(board, *ranges, 200, 900, bets="60%", variant=variant)
    view = solve_spot(spot, None, iterations=8).at("check")
    slow: dict[tuple[str, str], list[int]] = {}
    for i, hand in enumerate(view.hands):
        if view.weights[i] > 0.0:
            ranks = "".join(sorted(hand[::2], key=RANKS.index))
            slow.setdefault((ranks, view.kinds.words(i)), []).append(i)
    groups = hand_groups(view, np.arange(len(view.hands)))
    assert len(groups.weights) == len(slow)
    assert groups.weights.sum() == pytest.approx(1.0)
    for i in range(len(groups.weights)):
        row = groups.row(i)
        hands = slow["".join(sorted(row["hand"][::2], key=RANKS.index)), row["category"]]
        weight = view.weights[hands] / view.weights[hands].sum()
        assert row["combos"] == pytest.approx(view.reach[hands].sum())
        assert row["equity"] == pytest.approx(weight @ view.equity[hands])
        assert row["value"] == pytest.approx(weight @ view.value[hands])
        for a, action in enumerate(view.actions):
            assert row["frequencies"][action] == pytest.approx(weight @ view.frequencies[a, hands])
            assert row["ev"][action] == pytest.approx(weight @ view.ev[a, hands])
    assert len(hand_groups(view, np.arange(0)).weights) == 0
