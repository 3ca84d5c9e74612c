"""A hand against a range on all 19,600 flops."""

import numpy as np
import pytest

from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.equity import equity, flop_equities

if JIT_DISABLED:
    pytest.skip("hundreds of thousands of boards: too slow without compilation", allow_module_level=True)


@pytest.mark.parametrize(
    ("hand", "villain"),
    [
        ("7h7d", "22+,A2s+,KTo+"),
        ("AsKs", "QQ:0.25,JTs,AsQs,Kh2c:0.1"),
        pytest.param("AsKd", "AA,7h6h", marks=pytest.mark.long),
    ],
)
def test_flops_against_the_sweep(hand: str, villain: str) -> None:
    found = flop_equities(hand, villain)
    assert found.flops.shape == (19600, 3)
    for i in np.random.default_rng(1).choice(19600, 25, replace=False):
        result = equity(hand, villain, found.flops[i].tolist())
        assert (result.win, result.tie, result.deals) == (found.wins[i], found.ties[i], found.deals[i])
        assert result.equity == pytest.approx(found.equities()[i], abs=1e-12)


def test_ten_flops_a_board() -> None:
    """Each board holds ten flops, so the flops together are ten times the preflop counts."""
    found, before = flop_equities("9h9d", "random"), equity("9h9d", "random", method="table")
    assert found.wins.sum() == 10 * before.win
    assert found.ties.sum() == 10 * before.tie
    assert found.deals.sum() == 10 * before.deals


def test_flop_that_leaves_no_deal() -> None:
    found = flop_equities("9h9d", "AsKs")
    blocked = np.isin(found.flops, [47, 51]).any(axis=1)
    assert (found.deals[blocked] == 0).all()
    assert np.isnan(found.equities()[blocked]).all()
    assert (found.deals[~blocked] == 990).all()


def test_one_hand_only() -> None:
    with pytest.raises(UserError, match="not one hand"):
        flop_equities("QQ", "AA")
