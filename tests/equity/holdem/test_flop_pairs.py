"""All-ins on a flop against the equity of two hands, and the sums of a range against those of its hands."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.combos import colex, combos
from headsup.common.backend import JIT_DISABLED
from headsup.equity import equity
from headsup.equity.holdem.flop_pairs import FlopPairs, flop_pairs

pytestmark = pytest.mark.skipif(
    JIT_DISABLED, reason="one flop is a billion comparisons; tests/measure has a small deck"
)
FLOP = "Ts9s2d"


@pytest.fixture(scope="module")
def pairs() -> FlopPairs:
    return flop_pairs(np.array(sorted(parse_cards(FLOP)), dtype=np.uint8))


@pytest.mark.parametrize(("mine", "theirs"), [("AhAd", "8s7s"), ("KsQs", "JhJd"), ("3c3h", "3s3d"), ("2c2h", "Td9d")])
def test_pairs_of_hands_win_as_often_as_equity_says(pairs: FlopPairs, mine: str, theirs: str) -> None:
    a, b = (int(np.flatnonzero(pairs.hands == colex(parse_cards(hand)))[0]) for hand in (mine, theirs))
    right = equity(mine, theirs, board=FLOP)
    assert (right.win, right.lose, right.deals) == (pairs.wins[a, b], pairs.wins[b, a], pairs.runs)


def test_a_range_meets_beats_and_ties_the_sum_of_its_hands(pairs: FlopPairs) -> None:
    reach = np.random.default_rng(2).random((2, len(pairs.hands)))
    win, tie, lose = pairs.outcomes(reach)
    cards = combos(2)[pairs.hands]
    for hand in (0, 500, 1175):
        assert not pairs.wins[hand, (cards[:, :, None] == cards[hand]).any(axis=(1, 2))].any()
        apart = ~(cards[:, :, None] == cards[hand]).any(axis=(1, 2))
        assert pairs.met(reach)[:, hand] == pytest.approx(reach[:, apart].sum(axis=1), rel=1e-12)
        won, lost = pairs.wins[hand] / pairs.runs, pairs.wins[:, hand] / pairs.runs
        assert win[:, hand] == pytest.approx(reach @ won, rel=1e-12)
        assert lose[:, hand] == pytest.approx(reach @ lost, rel=1e-12)
        assert tie[:, hand] == pytest.approx(reach @ (apart - won - lost), rel=1e-9)
