"""Safe responses: no more risk than asked for, measured from the table, and the most that is won from the model."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem.classes import class_table
from headsup.jamfold.game import JamFoldGame
from headsup.jamfold.safe import safe_response
from headsup.jamfold.solve import certified

GAME = JamFoldGame.of(class_table("holdem"), Stakes(10, 10))
_, EQUILIBRIUM = certified(GAME, 1e-6)
LOOSE, TIGHT = np.full(169, 0.9), (GAME.certify(np.ones(169), np.ones(169)).jam_gain > 3.0).astype(float)


def measured(seat: str, strategy: Floats, model: Floats) -> tuple[float, float]:
    """What a strategy wins from the model beyond the value of the game, and its risk, in big blinds."""
    pair = (strategy, model) if seat == "sb" else (model, strategy)
    proof, sign = GAME.certify(*pair), 1.0 if seat == "sb" else -1.0
    worst = proof.sure_sb if seat == "sb" else -proof.most_sb
    return sign * (proof.value_sb - EQUILIBRIUM.value_sb), sign * EQUILIBRIUM.value_sb - worst


@pytest.mark.parametrize("seat", ["sb", "bb"])
@pytest.mark.parametrize("model", [LOOSE, TIGHT], ids=["loose", "tight"])
def test_risk_is_bounded_and_buys_gain(seat: str, model: Floats) -> None:
    last = measured(seat, EQUILIBRIUM.played(seat), model)[0] - 1e-9
    for risk in (0.0, 0.01, 0.05, 0.2):
        gain, risked = measured(seat, safe_response(GAME, seat, model, risk, EQUILIBRIUM.value_sb), model)
        assert risked <= risk + 1e-6
        assert gain >= last - 1e-6
        last = gain
    best = GAME.best_response(seat, model)
    sign = 1.0 if seat == "sb" else -1.0
    everything = safe_response(GAME, seat, model, 50.0, EQUILIBRIUM.value_sb)
    assert measured(seat, everything, model)[0] == pytest.approx(best.value - sign * EQUILIBRIUM.value_sb, abs=1e-6)


def test_nearby_strategies_of_the_same_risk_do_not_win_more() -> None:
    """Mixtures of the equilibrium and the best response, the obvious safe strategies, are never better."""
    for seat in ("sb", "bb"):
        best = GAME.best_response(seat, LOOSE).strategy
        for share in (0.1, 0.4):
            mixed = (1.0 - share) * EQUILIBRIUM.played(seat) + share * best
            gain, risk = measured(seat, mixed, LOOSE)
            safe = safe_response(GAME, seat, LOOSE, risk, EQUILIBRIUM.value_sb)
            assert measured(seat, safe, LOOSE)[0] >= gain - 1e-6


def test_a_negative_risk_is_refused() -> None:
    with pytest.raises(UserError, match="at least 0"):
        safe_response(GAME, "sb", LOOSE, -0.1, EQUILIBRIUM.value_sb)
