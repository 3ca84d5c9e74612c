"""CFR on games of betting, boards and showdowns: the flat game's iterations, to the last bit where it must be."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games.holdem.layout import Rule
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.streaming import hand_values
from headsup.games.walk.walk import LEARN
from headsup.solve import PRESETS
from headsup.solve.holdem.store import KINDS, free_memory, plan
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.small.cfr import CfrSolver
from tests.holdem_spots import (
    RAKE,
    Cards,
    RandomPlay,
    by_infoset,
    check_against_flat,
    flat_form,
    laid_out,
    numbers,
    spot,
    start_flat,
)
from tests.solve import compiled

FLAT = ["limit, three streets", "ranges that tell suits, a dead card", "pot-limit, three suits", "one street"]
TWO, THREE = "pot-limit, three suits", "antes of one, three streets"


class RandomRegrets(RandomPlay):
    """Regrets to start from, above 0, and the same where suits alone differ.

    Where no regret is above 0 and actions are worth the same (as all are where the other never goes), rounding decides
    which of them gets one, and the flat game and the layer part though both are right. From regrets above 0 that
    never happens, for the gains of an information set, weighed by its strategy, add up to 0.
    """

    def shares(self, decision: int, hand: Cards, board: tuple[Cards, ...]) -> list[float]:
        """Numbers from 0.01 to 1.01."""
        text = f"{self.seed} {super().shares(decision, hand, board)}"
        return [number + 0.01 for number in numbers(text, int(self.game.betting.count[decision]))]


@cache
def begin(name: str, merged: bool) -> tuple[VectorGame, tuple[np.ndarray, np.ndarray]]:
    """A game, and regrets to start from."""
    game = spot(name, merged)
    return game, laid_out(game, RandomRegrets(game, 11))


def begun(name: str, method: str, store: str = "float64", merged: bool = True, **more: Any) -> VectorCfr:
    """A solver that starts from random regrets."""
    game, first = begin(name, merged)
    solver = VectorCfr(game, PRESETS[method], store=store, **({"threads": 1} | more))
    for p, seat in enumerate(solver.stores.seats):
        if store == "int16":
            seat.regret[:] = np.rint(20000 * first[p])
            seat.regret_scale[:] = 1 / 20000
        else:
            seat.regret[:] = first[p]
        if solver.stores.predictive:
            seat.prediction[:] = seat.regret
    return solver


@pytest.mark.parametrize("method", PRESETS)
@pytest.mark.parametrize("name", FLAT)
def test_iterations_are_the_flat_game_s(name: str, method: str) -> None:
    merged = (FLAT.index(name) + list(PRESETS).index(method)) % 2 == 0  # each game and each method with and without
    game, form = spot(name, merged), flat_form(name)
    solver, flat = begun(name, method, merged=merged), CfrSolver(form, PRESETS[method])
    start_flat(form, flat, by_infoset(*begin(name, False)))
    for _ in range(3):
        solver.step(1)
        flat.step(1)
        half, best = game.betting.total / 2, form.best_values(flat.plans())
        assert [value - half for value in solver.best_values()] == pytest.approx(best, abs=1e-9)
        assert solver.exploitability() == pytest.approx(sum(best) / 2, abs=1e-9)
    assert check_against_flat(game, form, solver.stores.seats, flat) > 30


@pytest.mark.parametrize("name", [TWO, *RAKE])
def test_what_a_solver_says_of_itself_is_what_is_measured(name: str) -> None:
    game, solver = spot(name, True), begun(name, "cfr+")
    solver.step(3)
    strategy = solver.strategy()
    values = [float(game.weights[p] @ hand_values(game, strategy, p)) for p in (0, 1)]
    best = [float(game.weights[p] @ hand_values(game, strategy, p, best=True)) for p in (0, 1)]
    assert solver.values() == pytest.approx(values, abs=1e-12)
    assert solver.best_values() == pytest.approx(best, abs=1e-12)
    assert solver.exploitability() == pytest.approx((sum(best) - sum(values)) / 2, abs=1e-12)


@compiled
@pytest.mark.parametrize("name", [THREE, RAKE[0]])
def test_it_converges_with_rake_or_without(name: str) -> None:
    solver = VectorCfr(spot(name, True), PRESETS["cfr+"], store="float64", threads=1)
    first = solver.exploitability()
    solver.step(300)
    assert -1e-9 < solver.exploitability() < first / 200


@pytest.mark.parametrize("method", ["cfr", "pcfr+"])
@pytest.mark.parametrize("store", KINDS)
def test_resuming_changes_no_bit(store: str, method: str) -> None:
    straight, stopped, resumed = (begun(TWO, method, store) for _ in range(3))
    straight.step(5)
    stopped.step(2)
    resumed.restore(stopped.iterations, {name: array.copy() for name, array in stopped.arrays().items()})
    resumed.step(3)
    assert resumed.iterations == 5
    assert straight.arrays().keys() == resumed.arrays().keys()
    for name, array in straight.arrays().items():
        assert np.array_equal(array, resumed.arrays()[name]), name
        assert array.any(), name


@pytest.mark.parametrize("store", KINDS)
def test_threads_change_no_bit(store: str) -> None:
    solvers = [begun(THREE, "dcfr", store, False, threads=threads) for threads in (1, 2, 3)]
    for solver in solvers:
        solver.step(3)
    for name, array in solvers[0].arrays().items():
        assert all(np.array_equal(array, solver.arrays()[name]) for solver in solvers[1:]), name


@pytest.mark.parametrize("store", KINDS)
def test_stores_mapped_from_a_folder_are_the_same(store: str, tmp_path: Path) -> None:
    here, mapped = begun(TWO, "pcfr+", store), begun(TWO, "pcfr+", store, folder=tmp_path)
    for solver in (here, mapped):
        solver.step(4)
    assert here.exploitability() == mapped.exploitability()
    for name, array in here.arrays().items():
        assert np.array_equal(array, mapped.arrays()[name]), name
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) == sum(
        array.nbytes for name, array in here.arrays().items() if "scale" not in name
    )


def size_of(arrays: Any) -> int:
    """The bytes of arrays in tuples."""
    return arrays.nbytes if isinstance(arrays, np.ndarray) else sum(map(size_of, arrays or ()))


@pytest.mark.parametrize("method", ["cfr+", "pcfr+"])
@pytest.mark.parametrize("store", KINDS)
def test_memory_is_told_to_the_byte(store: str, method: str) -> None:
    game = spot(THREE, True)
    need = plan(game, store, 2, method == "pcfr+")
    solver = VectorCfr(game, PRESETS[method], store=store, threads=2)
    assert solver.memory == need
    arrays = solver.arrays()
    assert need.stores == sum(array.nbytes for array in arrays.values())
    assert need.values == sum(array.size for name, array in arrays.items() if "scale" not in name)
    assert need.total == need.stores + need.work + need.boards
    rooms = size_of((*solver.walker._workspaces, solver.walker._parts))
    assert abs(need.work - rooms) < 12_000 * solver.walker.threads  # sums by card and such, of a fixed size
    assert abs(need.boards - size_of(tuple(game.showdown.arrays))) < 4_000
    assert str(need).endswith("for work)")


def test_what_cannot_fit_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game, need = spot(TWO, True), plan(spot(TWO, True), "float64")
    monkeypatch.setattr("headsup.solve.holdem.store.free_memory", lambda: need.total - 1)
    with pytest.raises(UserError, match=r"this needs .* for regrets and averages.* are free: .*folder=PATH"):
        VectorCfr(game, PRESETS["cfr"], store="float64", threads=1)
    VectorCfr(game, PRESETS["cfr"], store="float64", threads=1, folder=tmp_path)  # what lies on disk may be large
    with pytest.raises(UserError, match=r"are free: .*fewer .*bet sizes"):  # and each thread needs its room
        VectorCfr(game, PRESETS["cfr"], store="float64", threads=3, folder=tmp_path)
    monkeypatch.setattr("headsup.solve.holdem.store.free_memory", lambda: need.total)
    VectorCfr(game, PRESETS["cfr"], store="float64", threads=1)


def test_free_memory_is_told_with_and_without_linux(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (free_memory() or 1 << 30) > 1 << 20
    monkeypatch.setattr("pathlib.Path.read_text", lambda path: "nothing of the kind")
    monkeypatch.setattr("os.sysconf", lambda name: {"SC_AVPHYS_PAGES": 10, "SC_PAGE_SIZE": 4096}[name])
    assert free_memory() == 40960

    def silent(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr("os.sysconf", silent)
    assert free_memory() is None


def test_refusals() -> None:
    game = spot(TWO, True)
    with pytest.raises(UserError, match="alternating updates"):
        VectorCfr(game, replace(PRESETS["cfr"], alternating=False))
    with pytest.raises(UserError, match="threads must be at least 1"):
        VectorCfr(game, PRESETS["cfr"], threads=0)
    with pytest.raises(UserError, match="a store is float32, float64, int16, not 'int8'"):
        VectorCfr(game, PRESETS["cfr"], store="int8")


@compiled
@pytest.mark.parametrize("method", PRESETS)
def test_int16_stays_close(method: str) -> None:
    """In shares of the pot, from random regrets, so that rounding breaks no ties until variants that discount have
    forgotten them. Rounded to the nearest step, gains get lost and dcfr and cfr+ are 0.001 and 0.004 off at the end.
    """
    solvers = {store: begun(TWO, method, store) for store in ("float64", "int16")}
    game = solvers["float64"].game
    for iterations in (20, 1600):
        if method == "cfr" and iterations > 400:  # int16 cuts off what is far below 0, which makes it the faster one
            continue
        results = {}
        for store, solver in solvers.items():
            solver.step(iterations - solver.iterations)
            best = [float(game.weights[p] @ hand_values(game, solver.strategy(), p, best=True)) for p in (0, 1)]
            results[store] = (sum(best) / game.betting.total - 1.0) / 2.0
            reported = solver.exploitability() / game.betting.total
            assert reported == pytest.approx(results[store], abs=rounding(game) / game.betting.total)
        assert abs(results["int16"] - results["float64"]) < 5e-4


@compiled
def test_int16_treats_suits_alike() -> None:
    """A board stands for others of other suits, so hands that differ in suits alone must be rounded alike: else a part
    of the pot would go nowhere.
    """
    solver = begun(TWO, "dcfr", "int16", merged=True)
    solver.step(300)
    total = solver.game.betting.total
    assert sum(solver.values()) == pytest.approx(total, abs=rounding(solver.game))


UNIT = 2.0**-24
"""What rounding to float32 changes at most, in parts of a number."""


def terms(game: VectorGame) -> int:
    """At least as many roundings as any number of a walk has behind it: hands added up and taken off again by card,
    then actions of the whole betting and all boards, one after the other.
    """
    return 3 * max(game.showdown.sizes) + game.betting.n_nodes + sum(game.boards.totals())


def rounding(game: VectorGame) -> float:
    """How far what a seat earns can be off in float32: a sum of n terms is off by n roundings of the sum of their sizes
    at most; here each pair of hands is in it three times (all hands, less two cards), for the greatest pay at most.
    """
    pays = np.abs(np.concatenate([game.betting.win, game.betting.lose]))
    return UNIT * terms(game) * 3.0 * float(pays.max())


@pytest.mark.parametrize("method", PRESETS)
@pytest.mark.parametrize("name", [TWO, THREE, "one street"])
def test_float32_is_float64_but_for_rounding(name: str, method: str) -> None:
    """One walk of each seat, from the same regrets: strategies feed errors back, so no bound outlives many."""
    rule = Rule(*PRESETS[method].schedule(4, 1)[0].tolist(), PRESETS[method].predictive, False)
    for seat in (0, 1):
        single, double = begun(name, method, "float32"), begun(name, method, "float64")
        for mine, other in zip(single.stores.seats, double.stores.seats, strict=True):
            other.regret[:] = mine.regret
            other.prediction[:] = mine.prediction
        for solver in (single, double):
            solver.walker.walk(seat, LEARN, solver.stores.policy(average=False), solver.stores.seats, rule)
        game, store, wanted = single.game, single.stores.seats[seat], double.stores.seats[seat]
        off = rounding(game) * game.weights[1 - seat].sum() / game.mass  # against all that the other may hold
        assert (np.abs(store.regret - wanted.regret) <= off + 4 * UNIT * np.abs(wanted.regret)).all()
        assert (np.abs(store.cumulative - wanted.cumulative) <= UNIT * terms(game) * np.abs(wanted.cumulative)).all()
        assert store.cumulative.any()
        if PRESETS[method].predictive:
            assert (
                np.abs(store.prediction - wanted.prediction) <= 2 * off + 8 * UNIT * np.abs(wanted.prediction)
            ).all()


@compiled
@pytest.mark.parametrize("name", [TWO, "one street"])
def test_what_a_float32_strategy_earns(name: str) -> None:
    """Measured in float64: x <= sum over information sets of positive regrets / 2T (bowling-2015, after equation 5), up
    to rounding, T times a regret's own and that of T walks; and what the solver says of itself, up to one walk's.
    """
    game, t = spot(name, False), 300
    solver = VectorCfr(game, PRESETS["cfr"], store="float32", threads=1)
    solver.step(t)
    best = [float(game.weights[p] @ hand_values(game, solver.strategy(), p, best=True)) for p in (0, 1)]
    x = (sum(best) - game.betting.total) / 2.0
    regrets = by_infoset(game, [seat.regret for seat in solver.stores.seats]).values()
    regret = sum(weight * max(0.0, float(row.max())) for weight, row in regrets)
    assert 0.0 < x <= regret * (1.0 + t * UNIT) / (2 * t) + rounding(game)
    assert solver.exploitability() == pytest.approx(x, abs=rounding(game))
