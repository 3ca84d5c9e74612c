"""CFR whatever the showdown: games of matrices and of hand classes, and the plain walk as the compiled one's twin."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.common.progress import Progress
from headsup.games import game, sequence_form
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem.classes import Classes, holdem_classes
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.trees.sequence import SequenceForm
from headsup.games.walk.plain import PlainWalker, walker
from headsup.games.walk.streaming import hand_values
from headsup.games.walk.walk import Policy, Walker
from headsup.jamfold.vector import jamfold_game
from headsup.measure import measure
from headsup.solve import PRESETS, solve
from headsup.solve.holdem.store import KINDS, plan
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.small.cfr import CfrSolver
from tests.games.catalogue.test_fifty_lines import closest
from tests.holdem_spots import DrawnPlay, by_infoset, check_against_flat, laid_out, spot, start_flat
from tests.solve import compiled


def reduced_classes() -> Classes:
    """The ten ranks of two cards of four ranks, suits forgotten, with equities made up."""
    cards = [(rank, suit) for rank in range(4) for suit in range(4)]
    held = list(combinations(cards, 2))
    names = sorted({(a[0], b[0]) for a, b in held})
    of = [names.index((a[0], b[0])) for a, b in held]
    sizes, met = np.bincount(of), np.zeros((len(names), len(names)))
    for i, first in enumerate(held):
        for j, second in enumerate(held):
            met[of[i], of[j]] += not set(first) & set(second)
    counts = met / sizes[:, None]
    drawn = np.random.default_rng(3).random(counts.shape)
    equity = np.rint(1e4 * (drawn + 1 - drawn.T) / 2) / 1e4
    boards = comb(12, 5)
    return Classes("holdem", 4 * boards * counts * equity, counts, sizes=sizes, boards=boards, ranks=4)


GAMES: dict[str, Callable[[], VectorGame]] = {
    "kuhn": lambda: game("kuhn").vector(),
    "leduc": lambda: game("leduc").vector(),
    "leduc, suits merged": lambda: game("leduc:merged=true").vector(),
    "no limit": lambda: game("leduc_nolimit:stack=4,raises=1").vector(),
    "a run-out": lambda: game("small_holdem:ranks=3,suits=3,rounds=1").vector(),
    "one's own": closest,
    "jam or fold, reduced": lambda: jamfold_game(reduced_classes(), Stakes(6, 5, 0.4, ante=0.1)),
    "jam or fold": lambda: jamfold_game(holdem_classes(), Stakes(9, 9, bb_ante=1)),
}


@cache
def made(name: str) -> VectorGame:
    return GAMES[name]()


@cache
def flat(name: str) -> SequenceForm:
    return sequence_form(made(name))


@cache
def drawn(one: VectorGame) -> Policy:
    """Regrets above 0 to start a game from."""
    return laid_out(one, DrawnPlay(one))


def begun(one: VectorGame, method: str, store: str = "float64", **more: Any) -> VectorCfr:
    """A solver that starts from regrets above 0."""
    solver = VectorCfr(one, PRESETS[method], store=store, **({"threads": 1} | more))
    first = drawn(one)
    for p, seat in enumerate(solver.stores.seats):
        seat.regret[:] = np.rint(20000 * first[p]) if store == "int16" else first[p]
        seat.regret_scale[:] = 1 / 20000
        if solver.stores.predictive:
            seat.prediction[:] = seat.regret
    return solver


def pairs(names: Iterable[str], every: Iterable[str]) -> list[Any]:
    """Each game with two methods, one that predicts and one that does not, and `every` method in some games."""
    chosen = [(name, method) for name in names for method in PRESETS if name in every or method in ("cfr", "pcfr+")]
    return [pytest.param(*one, marks=[compiled] if one[0] == "jam or fold" else []) for one in chosen]


@pytest.mark.parametrize(("name", "method"), pairs(GAMES, ["kuhn", "leduc", "jam or fold, reduced"]))
def test_iterations_are_the_sequence_form_s(name: str, method: str) -> None:
    one, form = made(name), flat(name)
    solver, plain = begun(one, method), CfrSolver(form, PRESETS[method])
    assert isinstance(solver.walker, PlainWalker)
    start_flat(form, plain, by_infoset(one, drawn(one)))
    for _ in range(3):
        solver.step(1)
        plain.step(1)
        assert solver.best_values() == pytest.approx(form.best_values(plain.plans()), abs=1e-9)
        assert solver.values()[0] == pytest.approx(form.value(plain.plans()), abs=1e-9)
    infosets = sum(seat.n_infosets for seat in form.seats)
    assert check_against_flat(one, form, solver.stores.seats, plain) == infosets >= 12


@pytest.mark.parametrize("name", ["leduc", "jam or fold, reduced"])
def test_from_scratch_too(name: str) -> None:
    found, exact = (
        solve(form, "cfr", iterations=10, **more)
        for form, more in ((made(name), {"store": "float64"}), (flat(name), {}))
    )
    assert found.exploitability == pytest.approx(exact.exploitability, abs=1e-9)
    for a, b in zip(found.history, exact.history, strict=True):
        assert (a[0], a[2]) == (b[0], pytest.approx(b[2], abs=1e-9))


TWINS = [
    "limit, three streets",
    "ranges that tell suits, a dead card",
    "antes of one, three streets",
    "one street",
    "rake, a pot",
]


@pytest.mark.parametrize(("name", "method"), pairs(TWINS, ["one street"]))
def test_the_compiled_walk_has_a_twin(name: str, method: str) -> None:
    one = spot(name, True)
    solvers = [begun(one, method) for _ in range(2)]
    assert isinstance(solvers[0].walker, Walker)
    solvers[1].walker = PlainWalker(one)
    for solver in solvers:
        solver.step(3)
    for key, array in solvers[0].arrays().items():
        np.testing.assert_allclose(solvers[1].arrays()[key], array, rtol=0.0, atol=1e-9, err_msg=key)
        assert array.any(), key
    assert solvers[0].values() == pytest.approx(solvers[1].values(), abs=1e-9)
    assert solvers[0].best_values() == pytest.approx(solvers[1].best_values(), abs=1e-9)


@pytest.mark.parametrize("method", ["cfr", "pcfr+"])
def test_the_twins_round_to_int16_alike(method: str) -> None:
    """From the same numbers they come within a step of each other, the compiled one working in float32."""
    one = spot("one street", True)
    fast, slow = (begun(one, method, "int16") for _ in range(2))
    slow.walker = PlainWalker(one)
    for solver in (fast, slow):
        solver.step(1)
    for p in (0, 1):
        for name in ("regret", "cumulative"):
            scales = [getattr(solver.stores.seats[p], f"{name}_scale").astype(float) for solver in (fast, slow)]
            numbers = [getattr(solver.stores.seats[p], name).reshape(len(scales[0]), -1) for solver in (fast, slow)]
            used = scales[0] > 0.0
            assert used.any()
            first = np.repeat(
                np.flatnonzero(used), np.diff([*np.flatnonzero(used), len(used)])
            )  # a decision's first row
            found, wanted = (number * scale[first][:, None] for number, scale in zip(numbers, scales, strict=True))
            assert (np.abs(found - wanted) <= 1.001 * scales[0][first][:, None]).all()


@pytest.mark.parametrize("name", ["leduc", "one's own", "jam or fold, reduced"])
def test_a_strategy_in_arrays_is_walked_as_one_that_is_asked(name: str) -> None:
    one = made(name)
    play = DrawnPlay(one, shares=True)
    policy = laid_out(one, play)
    for best in (False, True):
        asked = [float(one.weights[p] @ hand_values(one, play, p, best=best)) for p in (0, 1)]
        walk = walker(one)
        assert (walk.best_values if best else walk.values)(policy) == pytest.approx(asked, abs=1e-12)
    assert measure(one, ArrayStrategy(one, policy)).best == pytest.approx(measure(one, play).best, abs=1e-12)


@pytest.mark.parametrize("method", ["cfr", "pcfr+"])
@pytest.mark.parametrize("store", KINDS)
@pytest.mark.parametrize("name", ["leduc", "jam or fold, reduced"])
def test_checkpoints_change_no_bit(name: str, store: str, method: str, tmp_path: Path) -> None:
    options = {"store": store, "form": "vector"}
    path = tmp_path / "run"
    solve(made(name), method, iterations=3, checkpoint=path, **options)
    resumed = solve(made(name), method, iterations=8, checkpoint=path, **options)
    straight = solve(made(name), method, iterations=8, folder=str(tmp_path / "stores"), **options)
    assert resumed.iterations == 8
    assert all(np.array_equal(a, b) for a, b in zip(resumed.strategy, straight.strategy, strict=True))


def test_ctrl_c_ends_with_what_there_is_measured() -> None:
    def tired(step: Progress) -> None:
        if step.done == 2:
            import signal

            signal.raise_signal(signal.SIGINT)

    found = solve(made("leduc"), "cfr+", iterations=1000, progress=tired)
    assert found.stopped
    assert 2 <= found.iterations < 1000
    assert found.exploitability == measure(made("leduc"), found).exploitability < 2.5


@compiled
def test_headsup_solve_takes_them_all() -> None:
    leduc = solve(made("leduc"), "cfr+", iterations=150)
    assert leduc.value == pytest.approx(-0.085606424078, abs=2e-3)
    assert leduc.exploitability < 0.02
    assert set(leduc.table()[0]["0||"]) == {"check", "bet 2"}
    jams = solve("jamfold:stack=9", "cfr+", iterations=150)
    exact = solve("jamfold:stack=9", "lp")
    assert jams.exploitability < 1.0  # mbb
    assert jams.value == pytest.approx(exact.value, abs=1.0)
    assert jams.table()[0]["AA||"]["all-in 9000"] > 0.99 > 0.01 > jams.table()[0]["72o||"]["all-in 9000"]


def size_of(arrays: Any) -> int:
    return arrays.nbytes if isinstance(arrays, np.ndarray) else sum(map(size_of, arrays))


@pytest.mark.parametrize("store", KINDS)
@pytest.mark.parametrize("name", ["leduc", "jam or fold, reduced"])
def test_memory_is_told(name: str, store: str) -> None:
    solver = begun(made(name), "cfr+", store)
    need = plan(made(name), store)
    assert solver.memory == need
    assert need.stores == sum(array.nbytes for array in solver.arrays().values())
    assert abs(need.work - size_of(tuple(solver.walker.workspace))) < 12_000
    assert need.boards == 0


def test_refusals() -> None:
    with pytest.raises(
        UserError, match="leduc has no sorted showdown, so it is walked in NumPy: leave out device 'gpu'"
    ):
        VectorCfr(made("leduc"), PRESETS["cfr"], device="gpu")
    with pytest.raises(UserError, match="a number, not 'x'"):
        game("jamfold:stack=x")
    with pytest.raises(UserError, match="a number, not True"):
        game("jamfold", stack=True)
