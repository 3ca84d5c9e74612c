from __future__ import annotations

import csv
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import highspy
import numpy as np
import pytest

from headsup.cards.classes import parse_holdem_class
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.common.progress import Progress
from headsup.games import CHANCE, TERMINAL, Game, sequence_form
from headsup.games.betting.stakes import SEATS, Stakes
from headsup.games.holdem.classes import holdem_classes
from headsup.jamfold import cfr as jamfold_cfr
from headsup.jamfold import small as jamfold_small
from headsup.jamfold.cfr import Learner, cfr
from headsup.jamfold.small import OpenHandsGame, solve_small
from headsup.jamfold.solve import solve
from headsup.jamfold.vector import JamFold, jamfold_game
from headsup.measure import measure
from headsup.solve.records.settings import PRESETS
from headsup.solve.small.cfr import CfrSolver

GOLDEN = Path(__file__).parents[1] / "golden"


def game_of(stack: float, ante: float = 0.0) -> JamFold:
    return jamfold_game(holdem_classes(), Stakes.of(stack, ante=ante))


def value_by_programming(game: JamFold) -> float:
    """The big blind's program, written out directly: least z with every pure small blind strategy worth at most z.

    Hand by hand: minimise -s + sum w(A) g(A) over calls c in [0, 1] and g >= 0, g(A) >= jam_gain(A) = s + b + M c.
    """
    n = game.table.classes
    _, small, big, _ = game.payoffs
    matrix, weights = game.pair_matrix(np.arange(n), np.arange(n)), np.asarray(game.class_probabilities)
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    infinity = highspy.kHighsInf
    for _ in range(n):
        highs.addCol(0.0, 0.0, 1.0, 0, [], [])
    for a in range(n):
        highs.addCol(weights[a], 0.0, infinity, 0, [], [])
    for a in range(n):
        index = np.append(np.arange(n), n + a).astype(np.int32)
        highs.addRow(-infinity, -(small + big), n + 1, index, np.append(matrix[a], -1.0))
    highs.run()
    return float(highs.getInfo().objective_function_value) - small


@pytest.mark.parametrize("stack", [1.0, 2.5, 6.0, 10.0, 14.7, 25.0, 60.0])
def test_the_whole_game_by_linear_programming(stack: float) -> None:
    game = game_of(stack)
    solution = solve(game)
    proof = game.certify(solution.jam, solution.call)
    assert proof.exploitability_mbb < 1e-6
    assert proof.value_sb == pytest.approx(value_by_programming(game), abs=1e-7)


@pytest.mark.parametrize("stack", [1.3, 5.0, 10.0, 20.0])
def test_cfr_plus_and_the_exact_method_agree(stack: float) -> None:
    game = game_of(stack)
    exact, slow = solve(game), cfr(game, target=1e-3, iterations=3000)
    proof = game.certify(slow.jam, slow.call)
    assert proof.exploitability_mbb <= 1e-3
    assert proof.exploitability_mbb == pytest.approx(slow.gap_mbb, abs=1e-9)
    value = game.certify(exact.jam, exact.call).value_sb
    # Each player's guarantee bounds the value of the game.
    assert proof.sure_sb - 1e-12 <= value <= proof.most_sb + 1e-12
    assert abs(proof.value_sb - value) < 2e-6


class Dealt(Game):
    """Jam or fold as a plain game, pair of classes by pair of classes: () deals A, (A,) deals B, then (A, B, line)."""

    name = "dealt"

    def __init__(self, game: JamFold) -> None:
        pots, hands = game.table.block(np.arange(169), np.arange(169))
        self.odds, self.net, self.payoffs = game.table.class_sizes / 1326, pots / hands, game.payoffs
        self.second = hands / 1225

    def root(self) -> tuple:
        return ()

    def player(self, state: tuple) -> int:
        return CHANCE if len(state) < 2 else {"": 0, "j": 1}.get(state[2], TERMINAL)

    def actions(self, state: tuple) -> list[str]:
        return [str(one) for one in range(169)] if len(state) < 2 else ["fold", "play"]

    def next(self, state: tuple, index: int) -> tuple:
        if len(state) < 2:
            return (index,) if not state else (*state, index, "")
        return (*state[:2], state[2] + "f" if index == 0 else state[2] + "j")

    def chance(self, state: tuple) -> list[float]:
        return (self.second[state[0]] if state else self.odds).tolist()

    def infoset(self, state: tuple) -> str:
        return str(state[len(state[2])])

    def payoff(self, state: tuple) -> float:
        stack, small, big, gift = self.payoffs
        ends = {"f": -small, "jf": big, "jj": 2 * stack * (self.net[state[:2]] - 0.5)}
        return gift + float(ends[state[2]])


@pytest.mark.skipif(JIT_DISABLED, reason="a walk over 140,000 nodes")
def test_the_family_iterates_as_on_the_sequence_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """All methods: the strategies of the moment are those of the general solver on the multiplied-out game.

    The averages are not: here they take in what a player has just learned, there what it played before.
    """
    monkeypatch.setattr(jamfold_cfr, "TRUST", 0.0)
    game = jamfold_game(holdem_classes(), Stakes(9, 9, bb_ante=1))
    form = sequence_form(Dealt(game))
    for method, settings in PRESETS.items():
        general = CfrSolver(form, replace(settings, strategy="current"))
        small, big = (Learner(np, np.full(169, 0.5), method) for _ in SEATS)
        for keep, shrink, weight in settings.schedule(0, 12):
            general.step(1)
            small.update(game.jam_gain(game.table.sums(big.now)), keep, shrink)
            big.update(game.call_gain(game.table.sums(small.now)), keep, shrink)
            small.accumulate(weight)
            big.accumulate(weight)
        for seat, side, learner in zip(form.seats, general.profile(), (small, big), strict=True):
            table = seat.table(side)
            wanted = np.array([table[str(one)]["play"] for one in range(169)])
            assert learner.now == pytest.approx(wanted, abs=1e-9), method
        proof, measured = game.certify(small.now, big.now), measure(form, general.profile())
        assert proof.measurement.values == pytest.approx(measured.values, abs=1e-9)
        assert proof.measurement.best == pytest.approx(measured.best, abs=1e-9)
        found = cfr(game, method=method, iterations=12, check=100, target=0)
        assert found.jam == pytest.approx(small.average, abs=1e-9)
        assert found.call == pytest.approx(big.average, abs=1e-9)


@pytest.mark.parametrize("method", PRESETS)
def test_every_method_of_the_family_converges(method: str) -> None:
    solution = cfr(game_of(10), method=method, target=0.05, iterations=3000)
    assert solution.method == method
    assert game_of(10).certify(solution.jam, solution.call).exploitability_mbb <= 0.05


@pytest.mark.parametrize("stack", [10.0, 18.0])
def test_cfr_plus_needs_fewer_iterations_than_cfr(stack: float) -> None:
    needed = {
        method: cfr(game_of(stack), method=method, target=0.005, check=1, iterations=3000).iterations
        for method in ("cfr+", "cfr")
    }
    assert 2 * needed["cfr+"] <= needed["cfr"]


def test_a_start_nearby_saves_iterations() -> None:
    near = solve(game_of(10.0))
    cold = cfr(game_of(10.25), target=0.01, check=1)
    warm = cfr(game_of(10.25), target=0.01, check=1, start=(near.jam, near.call))
    assert warm.iterations < cold.iterations
    exact = solve(game_of(10.25), start=(near.jam, near.call))
    assert np.array_equal(np.rint(exact.jam), np.rint(solve(game_of(10.25)).jam))


def test_watching_and_bad_arguments() -> None:
    seen: list[Progress] = []
    cfr(game_of(7), iterations=35, target=0, check=10, watch=seen.append)
    assert [(step.done, step.total) for step in seen] == [(10, 35), (20, 35), (30, 35)]
    gaps = [float(step.text.removesuffix(" mbb/g")) for step in seen]
    assert all(a >= b for a, b in pairwise(gaps)), "the best pair is kept"
    with pytest.raises(UserError, match="at least one iteration"):
        cfr(game_of(7), iterations=0)
    with pytest.raises(UserError, match=r"'fp' is no method .* cfr\+"):
        cfr(game_of(7), method="fp")


@pytest.mark.parametrize("stack", [0.05, 0.3, 0.5])
def test_all_in_from_posting_everybody_plays_and_nobody_wins(stack: float) -> None:
    solution = solve(game_of(stack))
    assert (solution.jam == 1).all()
    assert (solution.call == 1).all()
    assert game_of(stack).certify(solution.jam, solution.call).value_sb == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize(("stack", "ante"), [(0.7, 0.0), (1.0, 0.0), (1.05, 0.1), (0.9, 0.2)])
def test_nothing_left_to_call(stack: float, ante: float) -> None:
    """Up to the big blind and its ante, the big blind calls with everything and the small blind faces any two cards."""
    game = game_of(stack, ante)
    solution = solve(game)
    assert (solution.call == 1).all()
    equity = np.asarray(game.table.sums(np.ones(169)).pots) / game.table.total
    small = game.payoffs.small
    assert np.array_equal(solution.jam == 1, 2 * stack * (equity - 0.5) > -small)


def test_antes_loosen_both_players() -> None:
    plain, dearer = (game.certify(*pair(game)) for game in (game_of(10), game_of(10, ante=0.25)))
    assert dearer.jam_frequency > plain.jam_frequency
    assert dearer.call_frequency > plain.call_frequency


def pair(game: JamFold) -> tuple[np.ndarray, np.ndarray]:
    solution = solve(game)
    return solution.jam, solution.call


def test_ten_big_blinds() -> None:
    """At 10 bb the small blind jams about 58 % and the big blind calls about 37 % (GTOpen)."""
    proof = game_of(10).certify(*pair(game_of(10)))
    assert proof.jam_frequency == pytest.approx(0.58, abs=0.005)
    assert proof.call_frequency == pytest.approx(0.37, abs=0.005)


@pytest.mark.skipif(JIT_DISABLED, reason="two hundred stacks")
@pytest.mark.parametrize("tenths", [5, pytest.param(1, marks=pytest.mark.long)])
def test_the_published_chart(tenths: int) -> None:
    """HoldemResources' push chart, every half or tenth of a big blind up to 20: same largest stack, or a mix it leaves
    out.
    """
    stacks = np.arange(10, 201, tenths) / 10
    jams, gains = [], []
    start = None
    for stack in stacks.tolist():
        game = game_of(stack)
        solution = solve(game, start=start)
        start = solution.jam, solution.call
        jams.append(solution.jam)
        gains.append(game.certify(*start).jam_gain)
    jam, gain = np.array(jams), np.array(gains)
    rows = [row for row in csv.reader((GOLDEN / "holdem_push_max_bb.csv").open()) if not row[0].startswith("#")][1:]
    assert len(rows) == 169
    mixed_beyond = set()
    for name, *said in rows:
        plays = jam[:, parse_holdem_class(name)] >= 0.5
        if said[0] == "20+":
            assert plays.all(), name
            continue
        if not said[0].replace(".", "").isdigit():
            assert name in ("63s", "53s", "43s")
            continue
        if name == "92s" and tenths > 1:
            continue  # played at 3.7, and not at 3.5
        published, ours = stacks[stacks <= float(said[0]) + 0.01].max(), stacks[plays].max()
        if abs(ours - published) > 0.01:
            # Between the two figures the hand is exactly indifferent: it mixes, and both are right.
            low, high = sorted((ours, published))
            between = (stacks > low + 0.01) & (stacks <= high + 0.01)
            assert (np.abs(gain[between, parse_holdem_class(name)]) < 1e-9).mean() >= 0.5, name
            mixed_beyond.add(name)
    assert mixed_beyond == ({"Q4o"} if tenths == 1 else {"T5s", "96o"})
    for stack, played in ((2.3, True), (2.5, False), (5.0, False), (6.5, True), (7.1, True), (7.2, False)):
        for at in np.flatnonzero(np.isclose(stacks, stack)):
            assert (jam[at, parse_holdem_class("63s")] >= 0.5) == played, stack


@pytest.mark.parametrize("engine", ["highspy", "cfr+"])
def test_small_games(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Matching pennies in both players' last hand: the only equilibrium mixes both half and half."""
    monkeypatch.setattr(jamfold_small, "FALLBACK_ITERATIONS", 3000)
    small = OpenHandsGame(np.array([[2.0]]), np.array([-1.0]), np.array([1.0]), np.array([1.0]), np.array([1.0]))
    jam, call = solve_small(small, (np.zeros(1), np.zeros(1)), engine)
    assert jam == pytest.approx(0.5, abs=1e-6)
    assert call == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize("engine", ["highspy", "cfr+"])
@pytest.mark.parametrize("seed", range(5))
def test_random_small_games_are_solved(engine: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jamfold_small, "FALLBACK_ITERATIONS", 3000)
    rng = np.random.default_rng(seed)
    small = OpenHandsGame(rng.normal(size=(6, 5)), rng.normal(size=6), rng.normal(size=5), rng.random(6), rng.random(5))
    jam, call = solve_small(small, (np.zeros(6), np.zeros(5)), engine)
    assert small.gap(jam, call) < (1e-9 if engine == "highspy" else 1e-3)


def test_a_small_game_that_highs_refuses_is_an_error() -> None:
    one = np.ones(1)
    with pytest.raises(UserError, match="HiGHS could not take the program"):
        solve_small(OpenHandsGame(np.array([[1e30]]), one, one, one, one), (one, one))


def test_without_a_linear_programming_solver_the_target_is_still_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jamfold_small, "FALLBACK_ITERATIONS", 2000)
    for stack in (3.0, 10.0, 50.0):
        game = game_of(stack)
        solution = solve(game, engine="cfr+")
        assert game.certify(solution.jam, solution.call).exploitability_mbb <= 1e-3
