"""Linear programs against known values; plans, refinements and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games import game, sequence_form
from headsup.solve import solve
from headsup.solve.small.lp import (
    ALGORITHMS,
    constraint_matrix,
    normal_form,
    normal_lp,
    optimal_range,
    payoff_matrix,
    sequence_lp,
    tremble_matrix,
)

KNOWN = [
    ("rps", 0.0),  # andersson-2006 section 3.3
    ("andersson", 1.0),  # recomputed from the matrices of andersson-2006 figures 3.4 to 3.6
    ("kuhn", -1 / 18),  # OpenSpiel sequence_form_lp_test.py
    ("leduc", -0.085606424078),  # OpenSpiel, gpugt
    ("leduc:merged=true", -0.085606424078),
    ("spades", 0.0),  # ho-2015 section 2.1.2: the bluffer's 0 is the value
    ("numbers", 127 / 550),  # andersson-2006 section 5.1.1 has about -0.23 for the player in the blind
    ("liars_dice:sides=3", 1 / 9),
]


@pytest.mark.parametrize(("name", "value"), KNOWN, ids=[name for name, _ in KNOWN])
def test_known_values(name: str, value: float) -> None:
    form = sequence_form(game(name))
    optimum, plans = sequence_lp(form)
    assert optimum == pytest.approx(value, abs=1e-9)
    assert form.value(plans) == pytest.approx(value, abs=1e-9)
    assert sum(form.best_values(plans)) / 2 < 1e-9


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", ["rps", "andersson", "kuhn", "spades", "numbers:n=3,stack=3"])
def test_algorithms_agree(name: str, algorithm: str) -> None:
    form = sequence_form(game(name))
    value = sequence_lp(form)[0]
    loose = 1e-5 if algorithm == "first-order" else 1e-9
    optimum, plans = sequence_lp(form, algorithm)
    assert optimum == pytest.approx(value, abs=loose)
    assert sum(form.best_values(plans)) / 2 < loose


@pytest.mark.parametrize("name", ["rps", "andersson", "kuhn", "kuhn:ranks=4"])
def test_normal_form_agrees_with_sequence_form(name: str) -> None:
    form = sequence_form(game(name))
    value, plans = normal_lp(form)
    assert value == pytest.approx(sequence_lp(form)[0], abs=1e-9)
    assert sum(form.best_values(plans)) / 2 < 1e-9


def test_normal_form_of_rps_is_figure_3_2() -> None:
    matrix, _, _ = normal_form(sequence_form(game("rps")))
    assert matrix.tolist() == [[0, 1, -1], [-1, 0, 1], [1, -1, 0]]
    solution = solve(game("rps"), "normal")
    assert solution.strategy[0][1:] == pytest.approx([1 / 3] * 3)
    assert solution.strategy[1][1:] == pytest.approx([1 / 3] * 3)


def dense(matrix) -> np.ndarray:
    out = np.zeros(matrix.shape)
    np.add.at(out, (matrix.rows, matrix.cols), matrix.values)
    return out


def test_matrices_of_andersson() -> None:
    """Figures 3.5 and 3.6 (with the column for i that figure 3.6 lacks and figure 3.7 has), and the plan b, f, g."""
    form = sequence_form(game("andersson"))
    ours, theirs = (dense(constraint_matrix(seat)) for seat in form.seats)
    assert ours.tolist() == [
        [1, 0, 0, 0, 0, 0, 0, 0, 0],
        [-1, 1, 1, 0, 0, 0, 0, 0, 0],
        [-1, 0, 0, 1, 1, 0, 0, 0, 0],
        [-1, 0, 0, 0, 0, 1, 1, 0, 0],
        [-1, 0, 0, 0, 0, 0, 0, 1, 1],
    ]
    assert theirs.tolist() == [
        [1, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [-1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
        [0, -1, 0, 1, 1, 0, 0, 0, 0, 0],
        [0, 0, -1, 0, 0, 1, 1, 0, 0, 0],
        [0, 0, -1, 0, 0, 0, 0, 1, 1, 1],
    ]
    plans = sequence_lp(form)[1]
    assert plans[1].tolist() == pytest.approx([1, 0, 1, 0, 0, 0, 1, 1, 0, 0])
    printed = np.array([1, 0, 1, 0, 0, 0.25, 0.75, 0.09375, 0.6875, 0.21875])  # figure 3.8
    assert form.seats[0].best_response(printed)[0] == pytest.approx(1.25)  # so it is not optimal for the printed matrix


def test_sparse_products() -> None:
    form = sequence_form(game("kuhn"))
    shake = tremble_matrix(form.seats[0], 0.1)
    product = shake.transposed @ payoff_matrix(form)
    assert np.allclose(dense(product), dense(shake).T @ dense(payoff_matrix(form)))
    plan = form.seats[0].plan(form.seats[0].uniform())
    rest = np.linalg.solve(dense(shake), plan)  # x = R z with z = x[s] - 0.1 x[parent]
    assert rest[1:] == pytest.approx(
        plan[1:] - 0.1 * plan[np.repeat(form.seats[0].parent, np.diff(form.seats[0].first))]
    )


def sequence_of(form, seat: int, infoset: str, action: str) -> int:
    labels = form.seats[seat].labels
    at = [labels.infoset(i) for i in range(form.seats[seat].n_infosets)].index(infoset)
    return int(form.seats[seat].first[at]) + list(labels.actions(at)).index(action)


@pytest.mark.long
def test_anderssons_folded_ten() -> None:
    """An optimal plan of the blind may fold a ten to a maximum bet, since such a bet is never made; a tremble ends
    that.
    """
    form = sequence_form(game("numbers"))
    fold = sequence_of(form, 1, "10|r10", "f")
    low, high = optimal_range(form, 1, fold)
    assert low == pytest.approx(0.0, abs=1e-9)
    assert high == pytest.approx(21 / 55, abs=1e-6)  # the paper's 30 % lies inside
    always_max = np.zeros(form.seats[0].n_sequences)
    always_max[form.seats[0].first[1:] - 1] = 1.0
    against = form.seats[1].utility(form.seats[0].plan(always_max))
    least, most = optimal_range(form, 1, against)
    assert least == pytest.approx(-0.22, abs=1e-6)  # the paper's -0.21 against always-max lies inside, too
    assert most == pytest.approx(4 / 15, abs=1e-6)
    careful = form.behaviours(sequence_lp(form, tremble=1e-4)[1])
    assert careful[1][fold] == pytest.approx(1e-4, rel=1e-3)
    assert optimal_range(sequence_form(game("kuhn")), 0, 2)[1] == pytest.approx(
        1 / 3
    )  # Kuhn: bluffs of at most a third


def test_tremble_keeps_every_action_alive() -> None:
    form = sequence_form(game("kuhn"))
    value, plans = sequence_lp(form, tremble=0.01)
    sigma = form.behaviours(plans)
    assert min(sigma[0].min(), sigma[1].min()) == pytest.approx(0.01, abs=1e-9)
    assert value == pytest.approx(form.value(plans), abs=1e-9)


def test_refusals() -> None:
    form = sequence_form(game("leduc:merged=true"))
    with pytest.raises(UserError, match="use the sequence form"):
        normal_lp(form)
    with pytest.raises(UserError, match="not an algorithm"):
        sequence_lp(form, "magic")
    with pytest.raises(UserError, match="tremble must be"):
        sequence_lp(form, tremble=0.5)
    with pytest.raises(UserError, match="in one go"):
        solve(form, "lp", iterations=5)
    with pytest.raises(UserError, match="not an option of lp"):
        solve(form, "lp", speed=11)
