"""Models of buckets: the program in two factors, CFR and fictitious play against the same game written out."""

from __future__ import annotations

import json

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.measure.measurement import of_plans
from headsup.papers.andersson2006.bot.make_model import by_program, main
from headsup.papers.andersson2006.bot.model_cfr import ModelCfr, ModelFictitious, solve_by_cfr
from headsup.papers.andersson2006.bot.model_lp import bounds, solve_model
from headsup.solve.records.settings import PRESETS
from headsup.solve.small.cfr import CfrSolver, FictitiousPlay
from headsup.solve.small.lp import sequence_lp
from tests.papers.andersson2006.bot.test_model import models, small_model


@pytest.mark.parametrize("name", models())
def test_both_algorithms_find_the_value_of_the_game_written_out(name: str) -> None:
    model = models()[name]
    form = model.sequence_form()
    value, _ = sequence_lp(form)
    for algorithm in ("simplex", "interior"):
        found = solve_model(model, algorithm)
        assert found.value == pytest.approx(value, abs=1e-7)
        assert of_plans(form, form.plans(found.profile)).exploitability < 1e-6


def test_forced_actions_are_those_of_a_trembling_hand_where_one_street_is_all() -> None:
    model = small_model(last=0)
    value, _ = sequence_lp(model.sequence_form(), tremble=0.05)
    found = solve_model(model, "simplex", forced=0.05)
    assert found.value == pytest.approx(value, abs=1e-9)
    assert min(found.profile[0].min(), found.profile[1].min()) == pytest.approx(0.05)


def test_cfr_finds_the_forced_game_of_the_program() -> None:
    model = small_model()
    found = solve_by_cfr(model, forced=0.05, iterations=400)
    assert found.value == pytest.approx(solve_model(model, forced=0.05).value, abs=2e-3)
    first = model.table(0, found.profile[0], 0)
    assert first.min() >= 0.05 - 1e-9


def test_iterations_are_those_of_the_game_written_out() -> None:
    model = small_model()
    form = model.sequence_form()
    for preset in ("cfr+", "dcfr"):
        plain, factored = CfrSolver(form, PRESETS[preset]), ModelCfr(model, preset)
        plain.step(20)
        factored.step(20)
        for one, other in zip(plain.profile(), factored.profile(), strict=True):
            assert np.allclose(one, other, atol=1e-9)
    plain_play, play = FictitiousPlay(form), ModelFictitious(model)
    plain_play.step(20)
    play.step(20)
    for one, other in zip(plain_play.profile(), play.profile(), strict=True):
        assert np.allclose(one, other, atol=1e-9)
    assert play.measure().exploitability == pytest.approx(plain_play.exploitability())


def test_cfr_comes_to_the_value_of_the_program() -> None:
    model = small_model()
    found = solve_by_cfr(model, target=1e-3, iterations=2000)
    assert found.value == pytest.approx(solve_model(model).value, abs=2e-3)


def test_who_forgets_plays_paths_of_one_last_bucket_alike() -> None:
    model = small_model()
    solver = ModelCfr(model, forgets=True)
    solver.step(50)
    river = next(node for node in model.decisions[1].tolist() if model.tree.street[node] == 2)
    table = model.table(1, solver.profile()[1], river)
    assert np.allclose(table, np.tile(table[:2], (len(table) // 2, 1)))
    assert solver.measure().exploitability > 1e-3  # remembering is worth something
    alone, forgetful = (ModelCfr(small_model(last=0), forgets=forgets) for forgets in (False, True))
    alone.step(20)
    forgetful.step(20)
    assert np.allclose(alone.profile()[0], forgetful.profile()[0])  # nothing to forget on one street


def test_mistakes_are_named() -> None:
    with pytest.raises(UserError, match="not an algorithm"):
        solve_model(small_model(), "magic")
    with pytest.raises(UserError, match="less than 1/4"):
        solve_model(small_model(), forced=0.3)
    with pytest.raises(UserError, match="models are solved by"):
        ModelCfr(small_model(), "magic")


def test_best_replies_bound_the_value_of_both_sides_programs() -> None:
    model = small_model()
    found = solve_model(model, "simplex")
    low, high = bounds(model, found.profile)
    assert low - 1e-9 <= found.value <= high + 1e-9
    assert high - low < 1e-6
    for algorithm in ("simplex", "interior"):
        profile, said = by_program(model, algorithm, 0)  # the other player's plan as columns
        assert -said["objective"] == pytest.approx(found.value, abs=1e-7)
        assert bounds(model, profile) == pytest.approx((found.value, found.value), abs=1e-6)


def test_a_program_that_was_not_told_of_common_moves_is_refused_by_best_replies() -> None:
    model = small_model()
    with pytest.raises(UserError, match="big blinds apart"):
        solve_model(model, "simplex", least=0.4)
    low, high = bounds(model, solve_model(model, "simplex", least=1e-9).profile)
    assert high - low < 1e-6


def test_one_method_prints_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["5", "--method", "cfr+", "--iterations", "5"])
    said = json.loads(capsys.readouterr().out)
    assert said["low"] < 0.0625 < said["high"]  # the value of 5 bb, docs/papers/andersson-2006.md
    assert said["payoffs"] == 592_752
