"""Shipped strategies at other stakes: measured from shipped values alone, as the table measures them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headsup.cards.classes import holdem_class_of_combo, holdem_class_reps
from headsup.cards.combos import holdem_combos
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem.classes import holdem_classes
from headsup.jamfold import shipped as files
from headsup.jamfold import transferred as module
from headsup.jamfold.game import JamFoldGame
from headsup.jamfold.shipped import shipped
from headsup.jamfold.sweep import sweep as solve_sweep
from headsup.jamfold.transferred import faced_calls, faced_jams, transferred
from tests.equity import compiled

STAKES = (
    Stakes.of(10, ante=0.1),
    Stakes.of(20, ante=0.25),
    Stakes.of(7.3),
    Stakes.of(3, ante=0.5),
    Stakes.of(0.8),
    Stakes.of(15, small_blind=0.25),
    Stakes(12, 9, bb_ante=1.0),
    Stakes.of(80),
)


@compiled
@pytest.mark.parametrize("stakes", STAKES)
def test_the_measurement_is_that_of_the_table(stakes: Stakes) -> None:
    """Hold'em has both; its shipped values are rounded to a millionth of a big blind."""
    near = transferred("holdem", stakes.payoffs)
    proof = JamFoldGame.of(holdem_classes(), stakes).certify(near.jam, near.call)
    assert near.exploitability_mbb == pytest.approx(proof.exploitability_mbb, abs=near.rounding_mbb)
    assert near.value_sb == pytest.approx(proof.value_sb, abs=1e-6)
    error = 1e-6 * stakes.payoffs.stack / min(near.stacks)
    assert np.allclose(near.ev_jam, proof.ev_jam, atol=error, rtol=0)
    assert np.allclose(near.ev_call, proof.ev_call, atol=error, rtol=0, equal_nan=True)
    assert (near.jam_frequency, near.call_frequency) == pytest.approx((proof.jam_frequency, proof.call_frequency))


def test_hands_left_are_counted_one_by_one() -> None:
    sweep, combos, classes = shipped("holdem"), holdem_combos().tolist(), holdem_class_of_combo().tolist()
    at = sweep.at(12)
    for faced, played in ((faced_calls("holdem", at), sweep.call[at]), (faced_jams("holdem", at), sweep.jam[at])):
        for hand in (0, 14, 100, 168):
            mine = set(holdem_class_reps()[hand].tolist())
            free = sum(played[of] for cards, of in zip(combos, classes, strict=True) if not mine & set(cards))
            assert faced.hands[hand] == pytest.approx(free)


@pytest.mark.parametrize("game", ["omaha", "omaha8"])
def test_at_a_shipped_stack_it_is_the_shipped_equilibrium(game: str) -> None:
    sweep = shipped(game)
    at = sweep.at(10)
    near = transferred(game, Stakes.of(10).payoffs)
    assert near.stacks == (10, 10)
    assert near.exploitability_mbb < 0.005 < near.rounding_mbb
    assert near.value_sb == pytest.approx(sweep.value_sb[at], abs=1e-5)
    assert np.allclose(near.ev_jam, sweep.ev_jam[at], atol=1e-9)
    assert np.allclose(near.ev_call, sweep.ev_call[at], atol=1e-9, equal_nan=True)


@compiled
def test_an_ante_is_close_to_its_equilibrium() -> None:
    near = transferred("holdem", Stakes.of(10, ante=0.1).payoffs)
    assert near.exploitability_mbb < 0.1
    assert near.stacks[0] < 10
    assert near.stacks[1] < 10


@compiled
def test_deeper_stacks_are_used_where_they_ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = transferred("holdem", Stakes.of(80).payoffs)
    assert before.stacks == (50, 50)
    path = tmp_path / "deep.npz"
    files.write(path, solve_sweep(holdem_classes(), tmp_path / "work", [60.0, 80.0]))
    monkeypatch.setattr(files, "data_path", lambda game, deep=False: path if deep else Path(game))
    for cached in (files.with_deep, module.faced_calls, module.faced_jams):
        cached.cache_clear()
    try:
        near = transferred("holdem", Stakes.of(80).payoffs)
        assert near.stacks == (80, 80)
        assert near.exploitability_mbb < near.rounding_mbb < 0.01 < before.exploitability_mbb
        assert transferred("holdem", Stakes.of(62).payoffs).stacks == (60, 60)
        assert len(shipped("holdem").stacks) == len(files.STACKS), "the sweep stays as it is"
    finally:
        for cached in (files.with_deep, module.faced_calls, module.faced_jams):
            cached.cache_clear()
