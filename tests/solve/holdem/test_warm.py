"""Warm starts: as if the run had never stopped, and from what a changed spot has in common with it."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games.holdem.vector import ArrayStrategy
from headsup.games.walk.walk import Walker
from headsup.solve.holdem.warm import carry, decisions_reached, worth_iterations
from headsup.solve.records.regrets import packed, unpacked
from headsup.spots.solve import SpotSolution, solve_spot
from tests.solve import compiled
from tests.spots.test_solve import RIVER, SMALL, TINY

pytestmark = compiled


@pytest.mark.parametrize("store", ["float64", "float32", "int16"])
@pytest.mark.parametrize("method", ["dcfr", "cfr+"])
def test_a_run_that_stopped_and_one_that_did_not(method: str, store: str, tmp_path) -> None:
    solved = solve_spot(TINY, None, iterations=42, store=store, method=method)
    whole = solve_spot(TINY, None, iterations=60, store=store, method=method)
    solved.save(tmp_path / "a.sol")
    for start, near in ((solved, 1e-6), (SpotSolution.load(tmp_path / "a.sol"), 1e-3)):  # regrets are int16 in a file
        more = start.resume(None, iterations=60)
        assert (more.iterations, more.solution.params["began"], more.solution.method) == (60, 42, method)
        assert more.solution.params["store"] == store
        assert more.value_oop == pytest.approx(whole.value_oop, abs=(near if store != "int16" else 0.01) * TINY.pot)
        assert more.exploitability_pot == pytest.approx(whole.exploitability_pot, rel=0.3 if store == "int16" else 0.02)
        assert [point[0] for point in more.solution.history] == [point[0] for point in whole.solution.history]


def test_a_tighter_target_is_reached_in_fewer_iterations(tmp_path) -> None:
    for spot in (RIVER, SMALL, TINY):
        solved = solve_spot(spot, 0.01)
        solved.save(tmp_path / "a.sol")
        cold, warm = solve_spot(spot, 0.002), SpotSolution.load(tmp_path / "a.sol").resume(0.002)
        assert warm.exploitability_pot <= 0.002
        assert 0 < warm.iterations - solved.iterations < 0.9 * cold.iterations
        assert SpotSolution.load(tmp_path / "a.sol", regrets=False).resume(0.002).exploitability_pot <= 0.002


def test_a_target_that_is_met_takes_no_iteration() -> None:
    solved = solve_spot(SMALL, 0.01)
    again = solved.resume(0.02)
    assert again.iterations == solved.iterations == again.solution.params["began"]
    assert again.frequencies == pytest.approx(solved.frequencies)


def test_changed_ranges_take_fewer_iterations() -> None:
    """Seven hands of a hundred more, or some of them less: the rest is known."""
    solved, few = solve_spot(RIVER, 0.002), []
    for change in ({"oop": RIVER.oop + ",33"}, {"ip": RIVER.ip + ",KK"}, {"ip": RIVER.ip.replace(",53s+", "")}):
        warm, cold = solved.resume(0.002, **change), solve_spot(RIVER.with_(**change), 0.002)
        assert warm.exploitability_pot <= 0.002
        few.append((warm.iterations - warm.solution.params["began"]) / cold.iterations)
    assert np.mean(few) < 0.75


@pytest.mark.parametrize(
    "change",
    [
        {"bets": "33%, 50%, a"},
        {"bets": "50%"},
        {"raises": "4x"},
        {"stack": 40},
        {"pot": 30},
        {"rake": "5%/1"},
        {"oop": "AA,KK,T9s,KJs,87s"},
        {"ip": "QQ,AQs"},
    ],
)
def test_any_change_but_the_board_can_be_gone_on_from(change: dict[str, object]) -> None:
    more = solve_spot(SMALL, 0.01).resume(0.01, **change)
    assert more.exploitability_pot <= 0.01
    assert more.spot == SMALL.with_(**change)


def test_another_board_is_refused() -> None:
    with pytest.raises(UserError, match="carried over to a spot on the same board: solve another board from the start"):
        solve_spot(SMALL, 0.1).resume(0.1, board="Td9d6hQc3s")


def test_what_both_trees_have_is_carried_over() -> None:
    solved = solve_spot(SMALL, None, iterations=10, store="float64")
    other = SMALL.with_(bets="33%, 50%, a", oop="AA,KK,T9s,KJs,87s", ip="QQ,AQs,J8s")
    new = other.game()
    shares = ArrayStrategy(new, carry(solved.game, solved.solution.strategy, new))
    for line in ("", "check", "check, bet 10", "bet 10, raise 30"):
        view, node, place = solved.at(line), new.betting.find(line), new.board(0, 0)
        seat, rows = int(new.betting.player[node]), shares.rows(node, place)
        names = new.betting.actions(node)
        for h, combo in enumerate(new.showdown.hands[seat]):
            known = np.flatnonzero(view.combos == combo)
            if not len(known):
                np.testing.assert_allclose(rows[:, h], 1.0 / len(names))
                continue
            had = dict(zip(view.actions, view.frequencies[:, known[0]], strict=True))
            kept = np.array([had.get(name, 0.0) for name in names])
            np.testing.assert_allclose(rows[:, h], kept / kept.sum(), atol=1e-7)


def test_hands_are_renamed_where_other_suits_are_merged() -> None:
    """The new range tells clubs from diamonds and hearts, so that rivers which were one become two."""
    solved = solve_spot(TINY, None, iterations=10, store="float64")
    other = TINY.with_(ip="KK,33,AK,AcQc")
    new = other.game()
    assert new.boards.sizes() > solved.game.boards.sizes()
    strategy = ArrayStrategy(new, carry(solved.game, solved.solution.strategy, new))
    node = new.betting.find("check, check/")
    for b in range(len(new.boards.levels[1])):
        view, rows = (
            solved.at(f"check, check, {new.boards.levels[1].name(b)[-2:]}"),
            strategy.rows(node, new.board(1, b)),
        )
        for i, combo in enumerate(view.combos):
            h = int(np.flatnonzero(new.showdown.hands[0] == combo)[0])
            np.testing.assert_allclose(rows[:, h], view.frequencies[:, i], atol=1e-7)


def test_how_often_a_decision_is_reached() -> None:
    """Against the views, which are counted hand by hand elsewhere."""
    solved = solve_spot(TINY, None, iterations=8, store="float64")
    game, seen = solved.game, 0
    for place in decisions_reached(game, solved.solution.strategy):
        line = game.betting.line(place.node)
        if game.betting.street[place.node] or not line:
            continue
        view = solved.at(line)
        seen += 1
        np.testing.assert_allclose(place.reach[0], view.reach)
        np.testing.assert_allclose(place.reach[0] * place.met[0] / (place.reach[0] @ place.met[0]), view.weights)
    assert seen >= 2
    view = solved.at("check, check, 3d")
    entry = game.betting.find("check, check/")
    b = next(i for i in range(len(game.boards.levels[1])) if game.boards.levels[1].name(i)[-2] == "3")
    for place in decisions_reached(game, solved.solution.strategy):
        if place.node == entry and place.boards.start <= b < place.boards.stop:
            assert np.sort(place.reach[b - place.boards.start])[::-1][: len(view.reach)] == pytest.approx(
                np.sort(view.reach)[::-1]
            )


def test_regrets_in_sixteen_bits() -> None:
    solved = solve_spot(TINY, None, iterations=8)
    exact = solved.solution.regrets
    small = packed(solved.game, exact)
    assert small["regret0"].dtype == np.int16
    for seat, back in enumerate(unpacked(solved.game, small)):
        top = np.abs(exact[f"regret{seat}"]).max()
        assert np.abs(back - exact[f"regret{seat}"]).max() <= top / 32767
    assert packed(solved.game, small)["regret1"] is small["regret1"]
    current = Walker(solved.game).values(unpacked(solved.game, small))
    assert sum(current) == pytest.approx(TINY.pot)


def test_files_with_and_without_regrets(tmp_path) -> None:
    solved = solve_spot(TINY, None, iterations=8)
    solved.save(tmp_path / "a.sol")
    solved.save(tmp_path / "b.sol", regrets=False)
    assert (tmp_path / "b.sol").stat().st_size < 0.8 * (tmp_path / "a.sol").stat().st_size
    assert set(SpotSolution.load(tmp_path / "a.sol").solution.regrets) == {
        *("regret0", "regret1", "regret_scale0", "regret_scale1"),
    }
    assert not SpotSolution.load(tmp_path / "a.sol", regrets=False).solution.regrets
    assert not SpotSolution.load(tmp_path / "b.sol").solution.regrets


def test_as_how_many_iterations_a_strategy_counts() -> None:
    history = ((0, 0.0, 9.0), (1, 0.1, 5.0), (10, 0.2, 2.0), (20, 0.3, 1.0))
    assert worth_iterations(history, 20, 1.0) == 20
    assert worth_iterations(history, 20, 1.5) == 20
    assert worth_iterations(history, 20, 2.0) == 10
    assert worth_iterations(history, 20, 99.0) == 1
    assert worth_iterations((), 45, 1.0) == 42  # the last measuring point
