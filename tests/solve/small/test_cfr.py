"""The CFR family against a textbook version in dicts, against published curves, and against the exact values."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games import game, sequence_form
from headsup.solve import METHODS, PRESETS, solve, start
from headsup.solve.records.settings import settings
from tests import naive_games
from tests.solve import compiled

SMALL = ["rps", "andersson", "kuhn", "numbers:n=3,stack=3", "spades", "liars_dice:sides=2", "leduc:merged=true"]


@pytest.mark.parametrize("name", ["andersson", "kuhn", "leduc:ranks=2", "liars_dice:sides=2"])
@pytest.mark.parametrize("method", ["cfr", "cfr+"])
def test_against_textbook(name: str, method: str) -> None:
    """Iterations of the flat kernels are as many iterations of plain recursion."""
    played, count = game(name), 6 if name.startswith("leduc") else 20
    slow = naive_games.cfr(played, count, plus=method == "cfr+")
    fast = solve(played, method, iterations=count)
    form = sequence_form(played)
    for seat in (0, 1):
        sigma = form.seats[seat].table(fast.strategy[seat])
        for infoset, row in slow[seat].items():
            assert list(sigma[infoset].values()) == pytest.approx(row, abs=1e-9)


@compiled
def test_the_curve_of_leduc() -> None:
    """Vanilla CFR after 0, 100 and 999 iterations, counted from 0 (OpenSpiel pull request 197)."""
    solver = start(game("leduc"), "cfr")
    form = solver.form
    for iterations, published, digits in ((1, 2.37361, 1e-5), (101, 0.0939493, 1e-5), (1000, 0.0118178, 1e-3)):
        solver.step(iterations - solver.iterations)
        exploitability = sum(form.best_values(solver.plans())) / 2
        assert exploitability == pytest.approx(published, rel=digits)  # in the end rounding breaks ties between actions


@compiled
def test_cfr_plus_needs_fewer_iterations() -> None:
    """To 1e-2 on Leduc: CFR takes about a thousand iterations, CFR+ ten times fewer."""
    counts = {method: solve(game("leduc"), method, target=1e-2).iterations for method in ("cfr", "cfr+", "dcfr")}
    assert 900 <= counts["cfr"] <= 1400
    assert counts["cfr+"] * 8 <= counts["cfr"]
    assert counts["dcfr"] * 8 <= counts["cfr"]


@compiled
def test_current_strategy_of_cfr_plus() -> None:
    """bowling-2015: with CFR+ the current strategy gets close to an equilibrium too, with CFR it does not."""
    solution = {m: solve(game("leduc"), m, iterations=3000, strategy="current").exploitability for m in ("cfr", "cfr+")}
    assert solution["cfr+"] < 0.02
    assert solution["cfr"] > 0.3
    assert solve(game("leduc"), "cfr+", iterations=3000).exploitability < solution["cfr+"]


@compiled
@pytest.mark.parametrize("method", [*PRESETS, "fictitious", "external", "outcome"])
@pytest.mark.parametrize("name", SMALL)
def test_every_solver_agrees_on_every_small_game(name: str, method: str) -> None:
    """The exact value lies within the exploitability of what each solver finds."""
    played = game(name)
    exact = solve(played, "lp")
    sampled = method in ("external", "outcome")
    solution = solve(played, method, target={"fictitious": 0.15}.get(method, 0.2 if sampled else 2e-3), seconds=600.0)
    assert solution.exploitability < (0.2 if sampled else 0.15 if method == "fictitious" else 2e-3)
    assert abs(solution.value - exact.value) <= solution.epsilon + 1e-9
    assert solution.epsilon <= 2 * solution.exploitability + 1e-12


@compiled
@pytest.mark.parametrize("method", PRESETS)
@pytest.mark.parametrize("alternating", [True, False])
@pytest.mark.parametrize("averaging", ["uniform", "linear", "quadratic", 3.0])
def test_every_setting_converges(method: str, alternating: bool, averaging: str | float) -> None:
    solution = solve(game("kuhn"), method, iterations=3000, alternating=alternating, averaging=averaging)
    assert solution.exploitability < 0.02
    assert solution.params == {"alternating": alternating, "averaging": averaging}


def test_parallel_iterations_are_the_serial_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    form = sequence_form(game("leduc:merged=true"))
    for alternating in (True, False):
        serial = solve(form, "dcfr", iterations=30, alternating=alternating)
        with monkeypatch.context() as patch:
            patch.setattr("headsup.solve.small.cfr.PARALLEL_ENTRIES", 0)
            shared = solve(form, "dcfr", iterations=30, alternating=alternating)
        assert all(np.array_equal(a, b) for a, b in zip(serial.strategy, shared.strategy, strict=True))


def test_a_game_in_which_one_player_never_moves() -> None:
    from headsup.games.trees.efg import parse_efg

    text = 'EFG 2 R "" { "a" "b" }\np "" 1 1 "x" { "l" "r" } 0\nt "" 1 "" { 1 -1 }\nt "" 2 "" { 3 -3 }\n'
    for method in METHODS:
        limits = {} if method in ("lp", "normal") else {"iterations": 200}
        limits |= {"hands": 50} if method == "fsi" else {}
        solution = solve(parse_efg(text), method, **limits)
        assert solution.value == pytest.approx(3.0, abs=0.3), method
        assert len(solution.strategy[1]) == 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"target": -1.0}, "above 0"),
        ({"iterations": -1}, "at least 0"),
        ({"seconds": 0.0}, "above 0"),
        ({"speed": 3}, "not an option of cfr"),
        ({"averaging": "cubic"}, "averaging must be"),
        ({"averaging": True}, "a word or a number"),
        ({"alternating": "maybe"}, "true or false"),
        ({"positive": "much"}, "must be a number"),
        ({"form": "matrix"}, "form must be"),
        ({"averaging": 99.0}, "from 0 to 10"),
        ({"strategy": "best"}, "strategy must be"),
    ],
)
def test_wrong_settings_get_one_sentence(options: dict[str, object], words: str) -> None:
    with pytest.raises(UserError, match=words):
        solve(game("rps"), "cfr", **options)  # type: ignore[arg-type]


def test_unknown_method() -> None:
    with pytest.raises(UserError, match="no method 'brute'"):
        solve(game("rps"), "brute")
    for method in ("brute", "lp"):
        with pytest.raises(UserError, match="takes steps"):
            start(game("rps"), method)
    assert settings("cfr+", {}) == PRESETS["cfr+"]


@pytest.mark.parametrize("form", ["sequence", "vector"])
def test_older_checkpoints_remember_more_and_still_load(form: str) -> None:
    """They also held the regrets of the last iteration, which nothing reads."""
    options = {} if form == "sequence" else {"form": form}
    solvers = [start(game("kuhn"), "pcfr+", **options) for _ in range(2)]
    solvers[0].step(7)
    kept = {key: array.copy() for key, array in solvers[0].arrays().items()}
    solvers[1].restore(7, {**kept, "last0": np.ones(3), "last1": np.ones(3)})
    for solver in solvers:
        solver.step(5)
    for mine, other in zip(*(solver.profile() for solver in solvers), strict=True):
        assert np.array_equal(mine, other)
