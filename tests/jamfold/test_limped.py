"""Bounds against an opponent who may limp, against the table of matchups and a slow count."""

from __future__ import annotations

import json

import numpy as np
import pytest

from headsup.cli import main
from headsup.common.errors import UserError
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem.classes import class_table
from headsup.jamfold.hands import class_sizes
from headsup.jamfold.limped import limp_bound, limp_values
from headsup.jamfold.shipped import shipped


def limps(stack: float, range_of: float) -> np.ndarray:
    """What a limp is worth to each hold'em class, from the table: given up to, folded, or called for all chips."""
    table, sweep = class_table("holdem"), shipped("holdem")
    sums = table.sums(sweep.jam[sweep.at(range_of)])
    met = sums.hands / table.total
    called = 2.0 * stack * (sums.pots - 0.5 * sums.hands) / table.total
    return 1.0 - met + np.maximum(-met, called)


@pytest.mark.parametrize(("stack", "range_of"), [(3.0, 1.875), (10.0, 6.5), (20.0, 13.0)])
def test_a_limp_is_worth_what_the_table_of_matchups_gives(stack: float, range_of: float) -> None:
    sweep = shipped("holdem")
    values, met = limp_values(sweep, sweep.at(stack), sweep.at(range_of))
    np.testing.assert_allclose(values, limps(stack, range_of), rtol=0.0, atol=1e-5)
    assert 0.0 < met.min() < met.max() <= 1.0


@pytest.mark.parametrize("stack", [5.0, 10.0])
def test_no_other_range_of_the_sweep_is_much_better(stack: float) -> None:
    sweep = shipped("holdem")
    sizes = class_sizes("holdem")
    at = sweep.at(stack)
    otherwise = np.maximum(-0.5, sweep.ev_jam[at])
    gains = [
        sizes @ np.maximum(otherwise, limps(stack, float(range_of))) / sizes.sum() - sweep.value_sb[at]
        for range_of in sweep.stacks
    ]
    bound = limp_bound("holdem", Stakes.of(stack))
    assert min(gains) <= bound.gain + 1e-5
    assert bound.gain <= min(gains) + 2e-3
    assert bound.gain == pytest.approx(gains[sweep.at(bound.jams_of)], abs=1e-5)


def test_raises_gain_no_more_than_limps() -> None:
    """A raise to t that meets the same range: 1 if given up to, else a fold that loses t, or a call."""
    table, sweep = class_table("holdem"), shipped("holdem")
    sums = table.sums(sweep.jam[sweep.at(6.5)])
    met, limp = sums.hands / table.total, limps(10.0, 6.5)
    for size in (2.0, 3.0, 9.0):
        called = 2.0 * 10.0 * (sums.pots - 0.5 * sums.hands) / table.total
        assert (1.0 - met + np.maximum(-size * met, called) <= limp + 1e-12).all()


def test_jam_or_fold_loses_little_in_omaha_hi_lo(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["jamfold", "--game", "omaha8", "--stack", "10", "--free", "--json"]) == 0
    free = json.loads(capsys.readouterr().out)["free"]
    assert free["stack"] == 10.0
    assert 0.004 < free["gain"] < 0.005
    assert free["rounding"] < 0.001
    assert main(["jamfold", "--stack", "5", "--free"]) == 0
    assert "gains at most 0.0310 bb a hand on the button" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    "stakes", [Stakes.of(10.0, ante=0.1), Stakes.of(10.0, small_blind=0.4), Stakes.of(10.01), Stakes.of(1.0)]
)
def test_other_stakes_are_refused(stakes: Stakes) -> None:
    with pytest.raises(UserError, match="give such a stack, or leave out --free"):
        limp_bound("holdem", stakes)
