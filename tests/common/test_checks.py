"""Numbers from users: what is taken, what is refused, and that every refusal is one short sentence."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pytest

from headsup.common.checks import check_seed, finite, positive, quoted, whole
from headsup.common.errors import UserError

NO_NUMBERS = (True, None, "7", "x", [1], 1j, np.bool_(True), b"1", {})


@pytest.mark.parametrize("value", [0, 7, 10**5000, np.int64(7), np.uint8(7)], ids=quoted)
def test_whole_numbers_are_taken(value: Any) -> None:
    found = whole(value, "n", least=0)
    assert found == value
    assert type(found) is int


@pytest.mark.parametrize("value", [*NO_NUMBERS, 10.5, 10.0, nan, inf, np.float64(3)], ids=quoted)
def test_what_is_not_whole_is_refused(value: Any) -> None:
    with pytest.raises(UserError, match="n must be a whole number, not"):
        whole(value, "n")


@pytest.mark.parametrize("value", [-1, -(10**5000)], ids=quoted)
def test_too_small_is_refused(value: int) -> None:
    with pytest.raises(UserError, match="n must be at least 0, not"):
        whole(value, "n", least=0)


@pytest.mark.parametrize("value", [1, 0.5, np.float32(0.5), np.int8(3), Fraction(1, 3)], ids=quoted)
def test_numbers_are_taken(value: Any) -> None:
    assert positive(value, "x") == float(value)
    assert finite(-value, "x") == -float(value)


@pytest.mark.parametrize("value", [*NO_NUMBERS, nan, inf, -inf, 10**400, np.float64(nan)], ids=quoted)
def test_what_is_no_finite_number_is_refused(value: Any) -> None:
    for check in (finite, positive):
        with pytest.raises(UserError, match="x must be a finite number, not"):
            check(value, "x")


@pytest.mark.parametrize("value", [0, -1.0, -0.0], ids=quoted)
def test_only_above_zero_is_positive(value: float) -> None:
    with pytest.raises(UserError, match="x must be above 0"):
        positive(value, "x")


@pytest.mark.parametrize("seed", [0, 2**64 - 1, np.int32(5), np.uint64(2**64 - 1)], ids=quoted)
def test_seeds(seed: Any) -> None:
    assert check_seed(seed) == int(seed)


@pytest.mark.parametrize("seed", [*NO_NUMBERS, -1, 2**64, 10**5000, 1.0, np.int64(-1)], ids=quoted)
def test_what_is_no_seed(seed: Any) -> None:
    with pytest.raises(UserError, match="is not a seed"):
        check_seed(seed)


def test_long_values_are_cut() -> None:
    assert quoted("x" * 100) == "'" + "x" * 56 + "..."
    assert len(quoted(list(range(1000)))) == 60
    assert quoted(10**5000) == "a number of thousands of digits"
