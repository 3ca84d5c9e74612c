"""Where an answer comes from: what stands in for a table that is not there, and what never does."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.equity.omaha import matchups
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem.classes import has_table, holdem_classes
from headsup.jamfold import answer as jamfold
from headsup.jamfold.answer import SHIPPED, SOLVED, TRANSFERRED, answer, solved
from headsup.jamfold.as_json import answer_dict
from headsup.jamfold.shipped import shipped


@pytest.fixture(autouse=True)
def place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The default folder of the table: empty, whatever this machine has."""
    monkeypatch.setattr(matchups, "default_folder", lambda ranks=13: tmp_path)
    return tmp_path


def test_without_a_table_shipped_strategies_answer() -> None:
    assert not has_table()
    found = answer("omaha8", Stakes.of(10.3))
    assert (found.source, found.payoffs.stack) == (TRANSFERRED, 10.3)
    assert found.exploitability_mbb < 0.05
    assert answer("omaha8", Stakes.of(10)).source == SHIPPED
    assert answer("holdem", Stakes.of(10.3)).source == SOLVED


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("not a manifest", "is damaged"),
        (json.dumps({"format": "headsup matchups", "version": -1}), "format version -1"),
        (json.dumps({"format": "recipes"}), "does not describe"),
    ],
)
def test_a_table_that_cannot_be_used_is_an_error(place: Path, content: str, words: str) -> None:
    (place / "manifest.json").write_text(content)
    with pytest.raises(UserError, match=words):
        answer("omaha8", Stakes.of(10.3))
    assert answer("omaha8", Stakes.of(10)).source == SHIPPED


def test_a_request_to_solve_never_returns_another_stack(place: Path) -> None:
    for more in ({"fresh": True}, {"folder": place}, {"device": "gpu"}):
        for stack in (10, 10.3):
            with pytest.raises(UserError, match="no finished table"):
                answer("omaha8", Stakes.of(stack), **more)
    with pytest.raises(UserError, match="no finished table"):
        answer("omaha8", Stakes.of(10, ante=0.1), fresh=True)


def test_antes_are_answered_from_shipped_strategies() -> None:
    near = answer("omaha8", Stakes.of(10, ante=0.1))
    assert (near.source, near.payoffs) == (TRANSFERRED, Stakes.of(10, ante=0.1).payoffs)
    assert near.from_stacks == (8.125, 8.875)
    assert near.exploitability_mbb < 0.02
    assert near.jam_frequency > answer("omaha8", Stakes.of(10)).jam_frequency
    assert {"from_stacks", "rounding_mbb"} <= set(answer_dict(near, Stakes.of(10, ante=0.1), "sb"))


@pytest.mark.parametrize("game", ["omaha", "omaha8"])
def test_beyond_the_shipped_stacks(game: str) -> None:
    with pytest.raises(UserError, match="101 big blinds are too far"):
        answer(game, Stakes.of(101))
    between, deep = answer(game, Stakes.of(57.5)), answer(game, Stakes.of(60))
    assert (between.source, between.from_stacks) == (TRANSFERRED, (55, 60))
    assert deep.from_stacks == (60, 60)
    assert deep.exploitability_mbb < 0.001 < between.exploitability_mbb < 0.5
    tiny, least = answer(game, Stakes.of(0.3)), answer(game, Stakes.of(0.5))
    assert (tiny.source, tiny.payoffs) == (SHIPPED, (0.3, 0.3, 0.3, 0))
    assert tiny.jam.all()
    assert tiny.call.all()
    assert tiny.ev_fold("sb") == tiny.ev_fold("bb") == -0.3
    assert np.allclose(tiny.ev_jam, 0.6 * least.ev_jam, rtol=1e-12)
    assert (tiny.ev_jam > -0.3).all()


def test_a_stack_below_the_blinds_is_in_proportion() -> None:
    scaled = jamfold._all_in("holdem", 0.3)
    now = solved(holdem_classes(), Stakes.of(0.3).payoffs)
    assert scaled.payoffs == now.payoffs
    assert np.allclose(scaled.ev_jam, now.ev_jam, atol=1e-6)
    assert np.allclose(scaled.ev_call, now.ev_call, atol=1e-6)
    assert scaled.value_sb == pytest.approx(now.value_sb, abs=1e-12)
    assert (scaled.jam_frequency, scaled.call_frequency) == (1, 1) == (now.jam_frequency, now.call_frequency)
    assert shipped("holdem").stacks[0] == 0.5
