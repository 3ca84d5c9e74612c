"""A spot with and without swaps: what is done first adds up, and a spot with swaps has them."""

from __future__ import annotations

import pytest

from headsup.discards.exact.spots import compared
from tests.equity import compiled


@pytest.mark.long
@compiled
def test_a_turn_with_and_without_swaps() -> None:
    found = compared("QsJh2h7c", 0.3, threads=1, oop="AA,KQ", ip="TT,AJs", stack=30, bets="a")
    assert "swaps" not in found["holdem"]
    assert len(found["discards"]["swaps"]) == 2
    for game in ("holdem", "discards"):
        told = found[game]
        assert 0.0 < told["exploitability_pot"] <= 0.3
        assert "regrets" in told["memory"]
        for one in (*(first["shares"] for first in told["first"]), *told.get("swaps", ())):
            assert sum(one.values()) == pytest.approx(1.0)
            assert min(one.values()) >= 0.0
        for first in told["first"]:
            assert first["bets"] == pytest.approx(1.0 - first["shares"]["check"])
    beliefs = found["discards"]["value_oop"], 20 - found["discards"]["value_ip"]
    real = found["discards"]["real_value_oop"]
    assert min(beliefs) - 0.5 < real < max(beliefs) + 0.5  # of a pot of 20
