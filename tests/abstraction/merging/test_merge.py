"""Merged information sets: what is equal loses nothing, what is not is measured in the real game."""

from __future__ import annotations

from pathlib import Path

import pytest

from headsup.abstraction import merge, unmerged
from headsup.common.errors import UserError
from headsup.games import game, public_tree, sequence_form
from headsup.measure import measure
from headsup.solve import Solution, solve
from tests.naive_games import suit_blind
from tests.solve import compiled


@pytest.mark.long
def test_forgetting_suits_loses_nothing() -> None:
    """Merged by rank, Leduc has 288 information sets instead of 936 and the same exploitability at every iteration."""
    played = game("leduc")
    merged = merge(public_tree(played), suit_blind)
    assert sum(map(len, merged.tree.parents)) == 288
    assert merged.ratio == pytest.approx(936 / 288)
    blind, plain = (solve(played, "cfr", iterations=20, form="vector", **more) for more in ({"merge": suit_blind}, {}))
    assert blind.exploitability == pytest.approx(plain.exploitability, abs=1e-9)


@compiled
def test_a_coarse_merge_is_measured_in_the_real_game() -> None:
    """Queens and kings played alike: the solution of the merged game is exploitable in the real one, and we say so."""

    def coarse(seat: int, hand: str, text: str) -> tuple[str, str]:
        return "J" if hand[0] == "J" else "QK", text

    played = game("leduc")
    solution = solve(played, "cfr+", iterations=300, form="vector", merge=coarse)
    assert solution.exploitability > 0.3
    assert measure(sequence_form(played), solution).exploitability == solution.exploitability
    table = sequence_form(played).seats[0].table(solution.strategy[0])
    assert table["Qh|"] == table["Ks|"] != table["Jh|"]


def test_a_merged_solution_can_be_saved(tmp_path: Path) -> None:
    run, file = tmp_path / "run", tmp_path / "file"
    solution = solve(game("leduc"), "cfr", iterations=3, form="vector", merge=suit_blind, checkpoint=run)
    solution.save(file)
    assert Solution.load(file).params == {"form": "vector", "merge": "suit_blind"}
    solve(game("leduc"), "cfr", iterations=4, form="vector", merge=suit_blind, checkpoint=run)


def test_lifts() -> None:
    real = public_tree(game("leduc"))
    merged = merge(real, suit_blind)
    for seat in (0, 1):
        assert len(merged.lifts[seat]) == real.firsts[seat][-1]
        assert set(merged.lifts[seat]) == set(range(merged.tree.firsts[seat][-1]))
    profile = real.sequence_form().uniform()
    assert all((a == b).all() for a, b in zip(unmerged(real).lift(profile), profile, strict=True))


def test_refusals() -> None:
    with pytest.raises(UserError, match="different actions"):
        merge(public_tree(game("leduc")), lambda seat, hand, text: hand)
