"""Records: shares, outcomes, both players' views and their JSON."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.common.errors import UserError
from headsup.equity.results import (
    EquityResult,
    as_grid,
    high_grid,
    high_only,
    mirrored,
    outcome_grid,
    outcomes,
    share_of,
)

counts = st.integers(min_value=0, max_value=10**30)
grids = st.lists(st.lists(counts, min_size=4, max_size=4), min_size=3, max_size=3).filter(
    lambda g: sum(map(sum, g)) > 0
)


def brute_share(grid) -> Fraction:
    """Half the pot for the high, half for the low, all for the high where there is no low; halves again on ties."""
    part = {"win": Fraction(1), "tie": Fraction(1, 2), "lose": Fraction(0)}
    total = Fraction(0)
    for high, row in zip(("win", "tie", "lose"), grid, strict=True):
        for low, count in zip((None, "win", "tie", "lose"), row, strict=True):
            total += count * (part[high] if low is None else (part[high] + part[low]) / 2)
    return total / sum(map(sum, grid))


@given(grids)
def test_share_is_the_rule_of_the_pot(grid) -> None:
    assert share_of(grid) == brute_share(grid)


@given(grids)
def test_both_views_add_up(grid) -> None:
    other = mirrored(grid)
    assert mirrored(other) == as_grid(grid)
    assert share_of(grid) + share_of(other) == 1
    mine, theirs = outcomes(grid), outcomes(other)
    assert list(mine.values()) == list(theirs.values())[::-1]
    assert sum(mine.values()) == sum(map(sum, grid))


def test_hi_lo_record() -> None:
    grid = as_grid([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]])
    result = EquityResult("omaha8", ("a", "b"), grid, "enumeration")
    first, second = result.players
    assert first.counts == {
        "scoop": 3,
        "three_quarter": 3 + 6,
        "half": 4 + 5 + 7 + 10,
        "quarter": 8 + 11,
        "lose": 9 + 12,
    }
    assert first.high == {"win": 10, "tie": 26, "lose": 42}
    assert first.low == {"win": 18, "tie": 21, "lose": 24, "none": 15}
    assert second.low == {"win": 24, "tie": 21, "lose": 18, "none": 15}
    assert first.fraction + second.fraction == 1
    assert result.deals == 78
    told = result.as_dict()
    assert told["players"][1]["scoop"] == 21
    assert told["players"][0]["high"] == {"win": 10, "tie": 26, "lose": 42}
    assert high_only(grid) == high_grid(10, 26, 42)


def test_high_record() -> None:
    result = EquityResult("holdem", ("AA", "KK"), high_grid(50371344, 285228, 10986372), "table")
    assert (result.win, result.tie, result.lose) == (50371344, 285228, 10986372)
    assert result.players[1].counts == {"win": 10986372, "tie": 285228, "lose": 50371344}
    assert "low" not in result.as_dict()["players"][0]
    assert result.equity == pytest.approx(0.81946, abs=1e-5)


def test_a_grid_has_twelve_cells() -> None:
    with pytest.raises(ValueError, match="three rows of four"):
        as_grid([[1, 2, 3]] * 3)


def test_parts_that_were_not_counted_are_not_told() -> None:
    result = EquityResult("omaha8", ("AA", "KK"), outcome_grid(5, 4, 3, 2, 1), "table", parts=False)
    for name in ("grid", "win", "tie", "lose"):
        with pytest.raises(UserError, match="the high and low parts are not counted by method table"):
            getattr(result, name)
    assert result.deals == 15
    assert result.fraction == Fraction(4 * 5 + 3 * 4 + 2 * 3 + 2, 4 * 15)
    assert dict(result.players[1].counts) == {"scoop": 1, "three_quarter": 2, "half": 3, "quarter": 4, "lose": 5}
    assert result.as_dict()["parts"] is False
