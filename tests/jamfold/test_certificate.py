from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.classes import holdem_class_of_combo
from headsup.cards.combos import combo_masks
from headsup.equity.holdem.table import BOARDS, combo_table
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem.classes import holdem_classes
from headsup.games.walk.streaming import hand_values
from headsup.jamfold.answer import solved
from headsup.jamfold.hands import Charts, parse_class
from headsup.jamfold.solve import solve
from headsup.jamfold.vector import jamfold_game
from headsup.measure import measure
from tests.naive import jam_or_fold_by_combo

STAKES = [
    pytest.param((10.0, 10.0), (0.5, 1.0), 0.0, 0.0, id="10 bb"),
    pytest.param((3000.0, 5000.0), (200.0, 400.0), 25.0, 0.0, id="antes, uneven"),
    pytest.param((0.8, 7.0), (0.5, 1.0), 0.0, 0.0, id="jam for less than the big blind"),
    pytest.param((4.0, 0.4), (0.5, 1.0), 0.0, 0.0, id="big blind below the small blind"),
    pytest.param((100.0, 100.0), (0.5, 1.0), 0.0, 0.0, id="100 bb"),
    pytest.param((10.0, 10.0), (0.5, 1.0), 0.0, 1.0, id="a big-blind ante"),
    pytest.param((3000.0, 900.0), (200.0, 400.0), 25.0, 400.0, id="both antes, big blind short"),
]


@pytest.mark.parametrize(("stacks", "blinds", "ante", "bb_ante"), STAKES)
@pytest.mark.parametrize("kind", ["equilibrium", "random"])
def test_every_pair_of_combos_paid_by_the_rules(stacks, blinds, ante, bb_ante, kind) -> None:
    stakes = Stakes(*stacks, *blinds, ante, bb_ante)
    game = jamfold_game(holdem_classes(), stakes)
    if kind == "random":
        rng = np.random.default_rng(7)
        jam, call = rng.random(169), rng.random(169)
    else:
        solution = solve(game)
        jam, call = solution.jam, solution.call
    proof = game.certify(jam, call)
    masks, classes, pairs = combo_masks(2), holdem_class_of_combo(), combo_table()
    clash = (masks[:, None] & masks) != 0
    slow = jam_or_fold_by_combo(
        pairs.wins, pairs.ties, clash, BOARDS, (stacks, blinds, ante, bb_ante), jam[classes], call[classes]
    )
    unit = blinds[1]
    assert proof.value_sb == pytest.approx(slow["value"] / unit, abs=1e-10)
    assert proof.most_sb == pytest.approx(slow["most"] / unit, abs=1e-10)
    assert proof.sure_sb == pytest.approx(slow["sure"] / unit, abs=1e-10)
    assert game.best_response("sb", call).value == pytest.approx(proof.most_sb, abs=1e-10)
    assert game.best_response("bb", jam).value == pytest.approx(-proof.sure_sb, abs=1e-10)
    if kind == "equilibrium":
        assert proof.exploitability_mbb < 1e-6


@pytest.mark.parametrize(("stacks", "blinds", "ante", "bb_ante"), STAKES)
def test_the_layer_measures_the_same(stacks, blinds, ante, bb_ante) -> None:
    """Jam or fold as a game of betting and showdown, walked like any other: the same values and best responses."""
    game = jamfold_game(holdem_classes(), Stakes(*stacks, *blinds, ante, bb_ante))
    rng = np.random.default_rng(11)
    for round_off in (False, True):
        jam, call = rng.random((2, 169)).round() if round_off else rng.random((2, 169))
        proof, charts = game.certify(jam, call), Charts(jam, call)
        walked = measure(game, charts)
        assert walked.game == proof.measurement.game
        assert np.divide(walked.values, game.unit) == pytest.approx(proof.measurement.values, abs=1e-12)
        assert np.divide(walked.best, game.unit) == pytest.approx(proof.measurement.best, abs=1e-12)
        assert walked.mbb == pytest.approx(proof.exploitability_mbb, abs=1e-9)
        jams = hand_values(game, Charts(np.ones(169), call), 0) * game.table.hands / game.unit
        assert jams == pytest.approx(proof.ev_jam, abs=1e-12)
        calls, folds = (hand_values(game, Charts(jam, np.full(169, often)), 1) for often in (1.0, 0.0))
        assert (calls - folds) * game.table.hands / game.unit == pytest.approx(proof.call_gain, abs=1e-12)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(0.1, 100))
def test_both_forms_of_the_value_agree(seed: int, stack: float) -> None:
    game = jamfold_game(holdem_classes(), Stakes.of(stack))
    rng = np.random.default_rng(seed)
    jam, call = rng.random(169), rng.random(169)
    pair = game.pair(jam, call)
    _, small, big, _ = game.payoffs
    other = -small + (game.class_probabilities * (jam * (small + big) - call * pair.call_gain)).sum()
    assert pair.measurement.value == pytest.approx(other, abs=1e-11)
    assert min(pair.measurement.gains) >= -1e-12


def test_a_big_blind_ante_is_played_as_half_of_it_each() -> None:
    """The same decisions as with 9.5 big blinds and antes of 0.5; the rest is a gift to the small blind."""
    table = holdem_classes()
    theirs, shared = (solved(table, stakes.payoffs) for stakes in (Stakes(10, 10, bb_ante=1), Stakes.of(9.5, ante=0.5)))
    assert (theirs.jam == shared.jam).all()
    assert (theirs.call == shared.call).all()
    assert theirs.value_sb == pytest.approx(shared.value_sb + 0.5, abs=1e-12)
    assert theirs.ev_jam == pytest.approx(shared.ev_jam + 0.5, abs=1e-12)
    assert theirs.ev_call == pytest.approx(shared.ev_call - 0.5, abs=1e-12)
    assert (theirs.ev_fold("sb"), theirs.ev_fold("bb")) == (-0.5, -2.0)


def test_best_responses_agree_with_the_certificate() -> None:
    game = jamfold_game(holdem_classes(), Stakes.of(8))
    rng = np.random.default_rng(3)
    jam, call = rng.random(169), rng.random(169)
    proof = game.certify(jam, call)
    jams, calls = game.best_response("sb", call), game.best_response("bb", jam)
    assert jams.value == pytest.approx(proof.most_sb, abs=1e-12)
    assert calls.value == pytest.approx(-proof.sure_sb, abs=1e-12)
    assert game.certify(jams.strategy, call).value_sb == pytest.approx(proof.most_sb, abs=1e-12)
    assert game.certify(jam, calls.strategy).value_sb == pytest.approx(proof.sure_sb, abs=1e-12)
    for _ in range(20):
        other = rng.random(169)
        assert game.certify(other, call).value_sb <= proof.most_sb
        assert game.certify(jam, other).value_sb >= proof.sure_sb
    assert proof.exploitability_mbb == pytest.approx(500 * (proof.most_sb - proof.sure_sb))


def test_mistakes_are_listed_with_their_cost() -> None:
    game = jamfold_game(holdem_classes(), Stakes.of(10))
    solution = solve(game)
    right = game.certify(solution.jam, solution.call)
    assert right.mistakes(1e-9) == []
    jam, call = solution.jam.copy(), solution.call.copy()
    aces, rags = parse_class("holdem", "AA"), parse_class("holdem", "72o")
    jam[aces], call[rags] = 0.0, 1.0
    wrong = game.certify(jam, call)
    listed = {(one.seat, one.hand): one for one in wrong.mistakes()}
    assert listed["sb", aces].cost == pytest.approx(wrong.jam_gain[aces])
    assert listed["bb", rags].cost == pytest.approx(-wrong.call_gain[rags])
    assert wrong.mistakes()[0].hand == aces
    lost = sum(one.cost * float(game.class_probabilities[one.hand]) for one in wrong.mistakes())
    assert lost == pytest.approx(2 * wrong.exploitability_mbb / 1000, abs=1e-12)


def test_indifferent_hands_are_marked() -> None:
    game = jamfold_game(holdem_classes(), Stakes.of(10))
    found = solved(game.table, game.payoffs)
    assert ((found.jam % 1) != 0).any()
    for seat in ("sb", "bb"):
        close = np.array([found.close(seat, hand) for hand in range(169)])
        assert close[(found.played(seat) % 1) != 0].all()
        assert close.sum() < 5
    nobody_jams = replace(found, ev_call=game.certify(np.zeros(169), found.call).ev_call)
    assert not any(nobody_jams.close("bb", hand) for hand in range(169))


def test_nobody_to_call() -> None:
    game = jamfold_game(holdem_classes(), Stakes.of(10))
    proof = game.certify(np.zeros(169), np.ones(169))
    assert np.isnan(proof.ev_call).all()
    assert proof.value_sb == pytest.approx(-0.5)
