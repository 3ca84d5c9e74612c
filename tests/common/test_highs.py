"""How HiGHS is called."""

from __future__ import annotations

import pytest

from headsup.common.errors import UserError
from headsup.common.highs import INFINITY, Program, new_solver, optimise, optimum


def test_an_infeasible_program_is_said_to_be_one() -> None:
    add = Program()
    x = add.columns(2, 0, 1, 1.0, whole=True)
    add.rows(1, 3, INFINITY, (0, x, 1.0))
    answer = optimise(add.lp(), 5.0)
    assert answer.infeasible
    assert answer.values is None
    assert answer.bound == INFINITY


def test_the_optimum_of_a_linear_program() -> None:
    """Least x + 3 y with x + 2 y >= 4 and x <= 3: one more on the right costs half a y."""
    add = Program(offset=10.0)
    x, y = add.columns(2, 0.0, (3.0, INFINITY), (1.0, 3.0))
    add.rows(1, 4.0, INFINITY, (0, x, 1.0), (0, y, 2.0))
    found = optimum(add, "none needed")
    assert found.objective == pytest.approx(14.5)
    assert found.columns == pytest.approx([3.0, 0.5])
    assert found.multipliers == pytest.approx([1.5])


def test_entries_in_one_place_add_up() -> None:
    add = Program()
    x = add.columns(2, 0.0, INFINITY, 1.0)
    add.rows(1, 6.0, 6.0, (0, x[1], 1.0), (0, x, 1.0), (0, x[1], 1.0))
    assert list(add.lp().a_matrix_.value_) == [1.0, 3.0]
    assert optimum(add, "none needed").columns == pytest.approx([0.0, 2.0])


def test_no_rows_at_all() -> None:
    add = Program()
    add.columns(2, 1.0, 3.0, (1.0, -1.0))
    assert optimum(add, "none needed").columns == pytest.approx([1.0, 3.0])


@pytest.mark.parametrize(("most", "cost", "said"), [(1.0, 1.0, "Infeasible"), (INFINITY, -1.0, "Unbounded")])
def test_without_an_optimum_the_remedy_is_told(most: float, cost: float, said: str) -> None:
    """At least 3 from one column that goes to `most`."""
    add = Program()
    x = add.columns(1, 0.0, most, cost)
    add.rows(1, 3.0, INFINITY, (0, x, 1.0))
    with pytest.raises(UserError, match=f"{said}.*: turn it off and on$"):
        optimum(add, "turn it off and on")


def test_what_highs_refuses_is_told() -> None:
    with pytest.raises(UserError, match="set no_such_option"):
        new_solver(no_such_option=1)
    add = Program()
    x = add.columns(1, 0.0, 1.0)
    add.rows(1, 0.0, 1.0, (0, x, 1e30))
    with pytest.raises(UserError, match="take the program"):
        optimum(add, "none")
