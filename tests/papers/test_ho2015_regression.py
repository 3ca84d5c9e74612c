"""The regression: least squares against NumPy's, its design against the thesis's standard errors, and playability."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.classes import parse_holdem_class, parse_omaha_class
from headsup.common.errors import UserError
from headsup.distil.price import against_equilibrium, price
from headsup.equity.omaha.matchups import load
from headsup.jamfold.shipped import shipped
from headsup.papers.ho2015.equilibria import cutoff
from headsup.papers.ho2015.regression import (
    SUMMARY,
    FitRule,
    kept_classes,
    least_squares,
    metric,
    model_prices,
    oracle_fit,
    thesis_figures,
    thesis_fit,
)


def test_least_squares_agrees_with_numpy() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 5))
    y = x @ [1, -2, 0, 3, 0.5] + rng.normal(size=200)
    fit = least_squares(x, y, ("a", "b", "c", "d", "e"))
    expected, squares, *_ = np.linalg.lstsq(x, y, rcond=None)
    assert fit.estimates == pytest.approx(expected)
    assert fit.residual_error == pytest.approx(np.sqrt(squares[0] / 195))
    assert fit.r2 == pytest.approx(1 - squares[0] / (y @ y))
    assert (fit.rows, fit.freedom) == (200, 195)
    errors = np.sqrt(np.diag(np.linalg.inv(x.T @ x)) * squares[0] / 195)
    assert fit.errors == pytest.approx(errors)
    assert fit.t == pytest.approx(expected / errors)
    assert fit.f == pytest.approx(((y @ y - squares[0]) / 5) / (squares[0] / 195))


def test_dependent_columns_get_no_coefficient() -> None:
    rng = np.random.default_rng(2)
    x = rng.normal(size=(50, 3))
    x = np.column_stack([x[:, :2], x[:, 0] + x[:, 1], x[:, 2], np.zeros(50)])
    y = rng.normal(size=50)
    fit = least_squares(x, y, tuple("abcde"))
    assert np.isnan(fit.estimates).tolist() == [False, False, True, False, True]
    without = least_squares(x[:, [0, 1, 3]], y, ("a", "b", "d"))
    assert fit.estimates[[0, 1, 3]] == pytest.approx(without.estimates)
    assert fit.freedom == 47


def test_the_smaller_model_has_exactly_the_design_of_the_thesis() -> None:
    """Standard errors over the residual error depend on the attributes alone, not on the equilibrium."""
    fit, said = thesis_fit(small=True), thesis_figures()
    assert fit.freedom == SUMMARY["4.6"][4]
    for name, error in zip(fit.names, fit.errors, strict=True):
        theirs = said[name][3]
        assert np.isnan(error) == np.isnan(theirs), name
        if not np.isnan(error):
            assert error / fit.residual_error == pytest.approx(theirs / SUMMARY["4.6"][0], rel=5e-4), name


def test_all_attributes() -> None:
    fit, said = thesis_fit(), thesis_figures()
    missing = [name for name, value in zip(fit.names, fit.estimates, strict=True) if np.isnan(value)]
    assert missing == ["hasLowA", "hasPairA", "hasPairK", "is_two_pair", "is_quads"]
    # The thesis has no coefficient for a suited ace either; such hands are there (AsKsQhJd), so it is one more here.
    assert [name for name, row in said.items() if np.isnan(row[0])] == [*missing, "suitedA"]
    assert fit.freedom == SUMMARY["4.4"][4] - 1
    ours, theirs = np.array([[fit.of(name)[0], said[name][0]] for name in fit.names if name not in missing]).T
    known = ~np.isnan(theirs)
    assert np.corrcoef(ours[known], theirs[known])[0, 1] > 0.99
    assert fit.r2 == pytest.approx(SUMMARY["4.4"][1], abs=0.01)


def test_the_data_of_the_thesis_is_consistent() -> None:
    said = thesis_figures()
    assert sum(not np.isnan(row[0]) for row in said.values()) == 67  # its model degrees of freedom
    assert sum(not np.isnan(row[2]) for row in said.values()) == 48


def test_oracle_fits_its_metric() -> None:
    fit = oracle_fit()
    assert fit.rows == 23412
    assert fit.of("oracle_strategy")[0] == pytest.approx(0.987, abs=0.02)  # ho-2015 figure 4.7
    assert fit.r2 == pytest.approx(0.9577, abs=0.01)


def test_the_metric_is_cut_off() -> None:
    found = metric()
    assert len(found) == 2 * kept_classes().sum()
    assert found.max() == 150
    assert found.min() > 0


def test_the_model_as_a_strategy() -> None:
    optimal = shipped("omaha8").jam[shipped("omaha8").nearest_index(8.0)]
    for rule in (FitRule(), FitRule(thesis=True)):
        played = rule.strategy(8.0, "sb")
        assert (played == optimal).mean() > 0.85
        assert played[parse_omaha_class("AsAhAdAc")] == 1
        assert against_equilibrium(played, "omaha8", 8.0, "sb") < 20


@pytest.mark.parametrize("thesis", [True, False])
def test_the_models_lose_to_the_equilibrium_what_the_expected_values_say(thesis: bool) -> None:
    prices = model_prices()[thesis]
    assert len(prices.prices) == 2 * 83
    for stack in (4.0, 9.0):
        for seat in ("sb", "bb"):
            again = against_equilibrium(FitRule(thesis).strategy(stack, seat), "omaha8", stack, seat)
            assert prices.at(stack, seat).equilibrium == pytest.approx(again, abs=0.05)


@pytest.mark.long
def test_the_models_have_the_prices_that_the_page_of_the_thesis_shows() -> None:
    try:
        load("omaha8")
    except UserError:
        pytest.skip("needs the matchup table")
    stacks = shipped("omaha8").stacks
    for rule, sb, bb in ((FitRule(), 15.30, 8.58), (FitRule(thesis=True), 17.76, 7.18)):
        found = price(rule, "omaha8", stacks[stacks <= 11.25])
        assert (found.worst("sb").best, found.worst("bb").best) == pytest.approx((sb, bb), abs=0.006)


def test_playability_keeps_discontinuities() -> None:
    found = cutoff("omaha8", "sb", 15.0)
    hand = parse_omaha_class("AsKsQsJs")
    assert found.largest[hand] == 15
    assert hand in found.broken
    assert found.intervals(hand) == [(0.5, 6.625), (11.5, 15.0)]
    assert found.largest[parse_omaha_class("9s9h2d2c")] == 2.25
    assert len(cutoff("omaha8", "sb", 11.25).broken) == 30
    assert len(cutoff("omaha8", "sb", 7.5).broken) == 0
    chart = cutoff("holdem", "sb", 20.0)
    assert chart.largest[parse_holdem_class("63s")] == 7.125  # HoldemResources: 7.1 to 5.1, and below 2.3
    assert len(chart.intervals(parse_holdem_class("63s"))) > 1
