"""Few bet sizes: the certificate against linear programs, restricted games against menus, and the search."""

from __future__ import annotations

import json
import sys
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random

import numpy as np
import pytest

from headsup.cli import main
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import VectorGame
from headsup.solve import solve
from headsup.solve.holdem.vector import VectorCfr, planned, start_vector
from headsup.solve.holdem.warm import carry, decisions_reached, reach_sums, resume_without, same_decisions
from headsup.solve.records.matching import regret_matching
from headsup.solve.records.regrets import decisions_of, street_of
from headsup.spots.size_menu import Kept, SizeGroup, dense_spot, restricted_game, simple_spot, size_groups
from headsup.spots.sizes import SimpleSizes, cost_bounds, least_memory, medoids, simplify_sizes, size_curve
from headsup.spots.solve import SpotSolution
from tests.fake_cupy import FakeCupy
from tests.spots.test_solve import SMALL, TINY

RIVER = SMALL.with_(bets="25%, 60%, 120%, a", raises="50%, a; a")
TURN = TINY.with_(bets="", raises="", turn="50%, a; none", river="30%, 100%, a; none")
BOUND = 1e-9


def value(game: VectorGame) -> float:
    """What the first player wins of the pot, by the linear program."""
    return solve(game, "lp").value + game.betting.rules.pot / 2.0


def kept_by(simple: SimpleSizes, groups: list[SizeGroup], player: int | None) -> Kept:
    """The chosen sizes of a player, or of both; all sizes of the opponent."""
    chosen = {
        (choice.player, choice.street, choice.kind, choice.line): choice.sizes
        for one in simple.players
        for choice in one.choices
    }
    every = []
    for group in groups:
        sizes = chosen[("oop", "ip")[group.seat], group.street, group.kind, group.line]
        restricted = player is None or group.seat == player
        every.append(tuple(i for i, size in enumerate(group.sizes) if not restricted or size in sizes))
    return tuple(every)


@cache
def dense_value(spot: Spot) -> float:
    return value(spot.game())


@pytest.mark.parametrize(
    ("spot", "count", "per"),
    [
        (RIVER, 1, "street"),
        (RIVER, 2, "street"),
        (RIVER, 1, "node"),
        pytest.param(TURN, 1, "street", marks=pytest.mark.long),
    ],
)
def test_the_interval_holds_the_exact_cost(spot: Spot, count: int, per: str) -> None:
    simple, groups = simplify_sizes(spot, count, per=per, target=0.0002, threads=1), size_groups(spot, per)
    game, dense = spot.game(), dense_value(spot)
    for seat, player in enumerate(simple.players):
        few = value(restricted_game(game, groups, kept_by(simple, groups, seat))[0])
        cost = (dense - few if seat == 0 else few - dense) / spot.pot
        assert cost >= -BOUND
        assert player.low - BOUND <= cost <= player.high + BOUND
        assert player.high - player.low <= 2 * (simple.exploitability_pot + player.exploitability_pot) + BOUND
        assert player.high - player.low <= 4 * 0.0002 + BOUND
    assert simple.exploitability_pot <= 0.0002


def test_the_interval_holds_however_early_the_search_ends() -> None:
    simple, groups, game = simplify_sizes(RIVER, 1, seconds=0.02, threads=1), size_groups(RIVER), RIVER.game()
    for seat, player in enumerate(simple.players):
        few = value(restricted_game(game, groups, kept_by(simple, groups, seat))[0])
        cost = abs(dense_value(RIVER) - few) / RIVER.pot
        assert player.low - BOUND <= cost <= player.high + BOUND


def test_bounds_by_hand() -> None:
    """With the dense menu oop wins 40 to 42 of 100, with few sizes 39 to 39.5; of ip the same with 58 to 60."""
    assert cost_bounds(100.0, (42.0, 60.0), (39.5, 61.0), 0) == (0.5, 3.0)
    assert cost_bounds(100.0, (42.0, 60.0), (43.0, 57.5), 1) == (0.5, 3.0)
    assert cost_bounds(100.0, (42.0, 60.0), (41.5, 61.0), 0) == (0.0, 3.0)


@pytest.mark.parametrize("seat", [0, 1])
def test_the_opponent_keeps_every_size(seat: int) -> None:
    groups, game = size_groups(RIVER), RIVER.game()
    kept = tuple((1,) if group.seat == seat else tuple(range(len(group.sizes))) for group in groups)
    small, nodes = restricted_game(game, groups, kept)
    old, new = game.betting, small.betting
    assert new.n_nodes < old.n_nodes
    assert (new.player == old.player[nodes]).all()
    theirs = np.flatnonzero(new.player == 1 - seat)
    assert (new.count[theirs] == old.count[nodes[theirs]]).all()
    mine = [node for node in np.flatnonzero(new.player == seat) if new.count[node] < old.count[nodes[node]]]
    assert len(mine) > 1


@pytest.mark.parametrize("per", ["street", "node"])
@pytest.mark.parametrize("spot", [RIVER, TURN, RIVER.with_(stack=(70, 30), menu="cap 2")])
def test_the_simple_spot_is_the_restricted_game(spot: Spot, per: str) -> None:
    """The menu's own way to build a tree against cutting the dense one."""
    random, groups = Random(3), size_groups(spot, per)
    kept = tuple(tuple(sorted(random.sample(range(len(g.sizes)), min(2, len(g.sizes) - 1)))) for g in groups)
    cut, built = restricted_game(spot.game(), groups, kept)[0].betting, simple_spot(spot, groups, kept).tree
    assert cut.n_nodes == built.n_nodes < spot.tree.n_nodes
    assert (same_decisions(cut, built)[built.player < DEAL] == np.flatnonzero(cut.player < DEAL)).all()
    for name in ("player", "parent", "child", "count", "paid", "win", "lose", "kind", "amount", "street"):
        assert (getattr(cut, name) == getattr(built, name)).all(), name


def cold(spot: Spot, iterations: int) -> VectorCfr:
    solver = start_vector(spot.game(), "dcfr-holdem", {"threads": 1, "store": "float64"})
    solver.step(iterations)
    return solver


def test_sums_of_reach_are_those_of_a_walk() -> None:
    """Range by range and board by board, against the reach of every decision by the average strategy."""
    solver = cold(TURN, 30)
    game, sums = solver.game, [reach_sums(solver, seat) for seat in (0, 1)]
    for place in decisions_reached(game, solver.strategy().policy):
        street, seat = int(game.betting.street[place.node]), int(game.betting.player[place.node])
        entries = int(game.rounds.entries[street + 1] - game.rounds.entries[street])
        first, here = entries + int(game.rounds.row[place.node]), sums[seat][street][place.boards]
        taken = (place.reach[:, None] * place.probabilities).sum(axis=2)
        np.testing.assert_allclose(here[:, first : first + taken.shape[1]], taken, atol=1e-9)
        before, at = place.reach.sum(axis=1), here[:, int(game.rounds.at[seat, place.node])]
        assert (before <= at + 1e-9).all()  # hands that the board blocks count before the first action of a street
        assert (before >= at - 1e-9).all() or int(game.rounds.at[seat, place.node]) < entries


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_a_restricted_game_resumes_from_rows_of_the_dense_one(device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against carrying the policy and the regrets action by action; what is taken does not depend on the device."""
    monkeypatch.setitem(sys.modules, "cupy", FakeCupy(1 << 30))
    known, groups = cold(TURN, 30), size_groups(TURN)
    few, _ = restricted_game(known.game, groups, tuple((1,) if group.seat == 0 else (0, 1) for group in groups))
    if device == "gpu":
        arrays = known.arrays()
        known = VectorCfr(known.game, known.settings, store="float64", device="gpu")
        known.restore(30, arrays)
    solver = VectorCfr(few, known.settings, store="float64", device=device, threads=1)
    resume_without(solver, known, 10)
    policy, regrets = carry(known.game, known.strategy().policy, few), solver.regrets()
    expected = carry(known.game, tuple(known.regrets().values()), few, regrets=True)  # type: ignore[arg-type]
    for seat in (0, 1):
        np.testing.assert_allclose(regrets[f"regret{seat}"], expected[seat], rtol=1e-6)
        for _, street, rows in decisions_of(few, seat):
            both = (solver.strategy().policy[seat], policy[seat])
            mine, theirs = (
                regret_matching(street_of(few, array, seat, street)[:, rows], axis=1, otherwise=0.0) for array in both
            )
            np.testing.assert_allclose(mine, theirs, atol=1e-6)
    weight = known.settings.schedule(0, 10)[:, 2].sum() / known.settings.schedule(0, 30)[:, 2].sum()
    first = street_of(few, solver.arrays()["total0"], 0, 0)[0, 0]
    np.testing.assert_allclose(first, weight * street_of(known.game, known.arrays()["total0"], 0, 0)[0, 0])
    assert solver.iterations == 10


def test_the_search_on_a_gpu_takes_no_more_memory_than_it_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a device that computes nothing."""
    options = {"device": "gpu", "threads": 1}
    least = least_memory(TURN.game(), options)
    fake = FakeCupy(least)
    monkeypatch.setitem(sys.modules, "cupy", fake)
    simplify_sizes(TURN, 1, seconds=2.0, device="gpu")
    assert planned(TURN.game(), "dcfr-holdem", options).stores < fake.peak <= least
    monkeypatch.setitem(sys.modules, "cupy", FakeCupy(least - 1))
    with pytest.raises(UserError, match=r"this menu needs .* of the GPU's memory, and .* are free: give fewer sizes"):
        simplify_sizes(TURN, 1, device="gpu")


def test_chosen_points_are_the_best_of_all() -> None:
    random = Random(5)
    for _ in range(50):
        n = random.randrange(1, 8)
        places, weights = sorted(random.random() for _ in range(n)), np.array([random.random() for _ in range(n)])

        def cost(chosen: tuple[int, ...]) -> float:
            return sum(w * min((x - places[c]) ** 2 for c in chosen) for x, w in zip(places, weights, strict=True))  # noqa: B023

        for count in range(1, n + 1):
            best = min(cost(chosen) for chosen in combinations(range(n), count))
            mine = medoids(places, weights, count)
            assert len(mine) == count
            assert cost(tuple(mine)) == pytest.approx(best, abs=1e-9)


def test_more_sizes_cost_no_more_than_their_bounds_allow() -> None:
    curve = size_curve(RIVER, (1, 2, 4), target=0.0002, threads=1)
    assert [simple.count for simple in curve] == [1, 2, 4]
    for seat in (0, 1):
        whole = curve[-1].players[seat]
        assert whole.low == 0.0
        assert whole.high <= 2 * 2 * 0.0002 + BOUND


def test_the_dense_menu_spans_ten_percent_to_two_pots_and_all_in() -> None:
    for board in ("Td9d6hQc2s", "Td9d6hQc"):
        sizes = size_groups(dense_spot(SMALL.with_(board=board, pot=200, stack=900)))[0].sizes
        assert (sizes[0], sizes[-2], sizes[-1]) == ("10%", "200%", "a")


@pytest.mark.parametrize(
    ("changes", "options", "part"),
    [
        ({"rake": "5%"}, {}, "rake"),
        ({"menu": "merge 10%"}, {}, "merge"),
        ({"menu": "donk 50%"}, {}, "donk"),
        ({}, {"count": 0}, "count"),
        ({}, {"per": "hand"}, "per street or per node"),
        ({}, {"target": -1.0}, "target"),
    ],
)
def test_mistakes_are_one_sentence(changes: dict[str, str], options: dict[str, object], part: str) -> None:
    with pytest.raises(UserError, match=part):
        simplify_sizes(RIVER.with_(**changes), **options)  # type: ignore[arg-type]


def test_the_command_prints_and_saves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spot = ["--board", SMALL.board, "--oop", SMALL.oop, "--ip", SMALL.ip, "--pot", "20", "--stack", "50"]
    menu = ["--bets", "25%, 60%, 120%, a", "--raises", "50%, a; a", "--target", "0.1%"]
    saved, written = tmp_path / "few.npz", tmp_path / "few.txt"
    assert main(["sizes", *spot, *menu, "--json", "--save", str(saved), "--write", str(written)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {"sizes", "cost_pot", "dense_exploitability_pot", "restricted_exploitability_pot"} <= set(answer)
    assert 0.0 <= answer["cost_pot"]["low"] <= answer["cost_pot"]["high"]
    assert all(len(choice["sizes"]) <= 2 for choices in answer["sizes"].values() for choice in choices)
    solved = SpotSolution.load(saved)
    assert solved.spot == Spot.read(written) == Spot.parse(answer["spot"])
    assert solved.exploitability_pot <= 0.001
    assert main(["sizes", *spot, *menu, "--count", "1"]) == 0
    assert "of the pot, against every size of the opponent" in " ".join(capsys.readouterr().out.split())
    assert main(["sizes", *spot, "--rake", "5%"]) == 2
    assert "leave the rake out" in capsys.readouterr().err
