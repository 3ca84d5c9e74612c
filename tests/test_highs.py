"""How HiGHS is called."""

from __future__ import annotations

from headsup.highs import INFINITY, Program, optimise


def test_an_infeasible_program_is_said_to_be_one() -> None:
    add = Program()
    x = add.columns(2, 0, 1, 1.0, whole=True)
    add.rows(1, 3, INFINITY, (0, x, 1.0))
    answer = optimise(add.lp(), 5.0)
    assert answer.infeasible
    assert answer.values is None
    assert answer.bound == INFINITY
