"""The vector form of public trees plays the same iterations as the sequence form."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games import game
from headsup.solve import PRESETS, solve
from tests.solve import compiled


@pytest.mark.parametrize("method", PRESETS)
@pytest.mark.parametrize("name", ["kuhn", "leduc", "leduc:merged=true", "liars_dice:sides=3"])
def test_same_answers(name: str, method: str) -> None:
    played = game(name)  # in the long run ties between actions are broken by rounding, and curves part
    plain, vector = solve(played, method, iterations=15), solve(played, method, iterations=15, form="vector")
    assert vector.exploitability == pytest.approx(plain.exploitability, abs=1e-9)
    assert vector.value == pytest.approx(plain.value, abs=1e-9)
    for a, b in zip(plain.history, vector.history, strict=True):
        assert (a[0], a[2]) == (b[0], pytest.approx(b[2], abs=1e-9))


def test_simultaneous_and_current_agree_too() -> None:
    options = {"alternating": False, "strategy": "current"}
    plain, vector = (solve(game("kuhn"), "cfr", iterations=40, **options, **more) for more in ({}, {"form": "vector"}))
    assert vector.exploitability == pytest.approx(plain.exploitability, abs=1e-12)


@compiled
@pytest.mark.parametrize(("name", "value"), [("kuhn", -1 / 18), ("leduc", -0.085606424078)])
def test_known_values(name: str, value: float) -> None:
    solution = solve(game(name), "cfr+", target=1e-3, form="vector")
    assert solution.value == pytest.approx(value, abs=2e-3)


def test_checkpoints(tmp_path) -> None:
    path = tmp_path / "run"
    solve(game("kuhn"), "pcfr+", iterations=20, form="vector", checkpoint=path)
    resumed = solve(game("kuhn"), "pcfr+", iterations=50, form="vector", checkpoint=path)
    straight = solve(game("kuhn"), "pcfr+", iterations=50, form="vector")
    assert all(np.array_equal(a, b) for a, b in zip(resumed.strategy, straight.strategy, strict=True))


def test_refusals() -> None:
    with pytest.raises(UserError, match="private hands"):
        solve(game("rps"), "cfr", form="vector")
    with pytest.raises(UserError, match="must be a function"):
        solve(game("kuhn"), "cfr", form="vector", merge="ranks")
    with pytest.raises(UserError, match="no vector form"):
        solve(game("kuhn"), "fictitious", form="vector")
