"""The benchmark of folds to bets of any size: the bets are those that the stack allows."""

from __future__ import annotations

import pytest

from benchmarks.folds import SIZES, bets, show
from headsup.common.errors import UserError
from headsup.play.table.rules import raise_to, table


def test_bets_are_fractions_of_the_pot_up_to_the_stack_and_each_is_there_once() -> None:
    assert list(bets(table("holdem-nolimit", 200)).values()) == pytest.approx(SIZES)
    assert list(bets(table("holdem-nolimit", 100)).values()) == pytest.approx([*SIZES[:-1], 97 / 6])
    assert bets(table("holdem-nolimit", 6)) == {raise_to(150): 0.25, raise_to(300): 0.5}


@pytest.mark.parametrize(("stack", "flops", "message"), [(100.0, 0, "--flops"), (3.0, 1, "a larger --stack")])
def test_mistakes_get_one_sentence(stack: float, flops: int, message: str) -> None:
    with pytest.raises(UserError, match=message):
        show("nolimit:blueprint", stack, flops)
