"""Round robins: rankings by hand, and a whole league on the command line."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from headsup.cli import main
from headsup.play.arena.league import bankrolls, play_league, ratings, runoff
from headsup.play.arena.match import Match, play


def antisymmetric(*rows: list[float]) -> np.ndarray:
    """A cross-table from what is above its diagonal."""
    n = len(rows) + 1
    out = np.zeros((n, n))
    for i, row in enumerate(rows):
        out[i, i + 1 :] = row
    return out - out.T


def test_bankroll_and_runoff_may_crown_different_agents() -> None:
    # the first beats nobody but the fish, from whom it wins most; the second beats everybody by a little
    mean = antisymmetric([-0.1, -0.1, 9.0], [0.1, 1.0], [1.0])
    assert int(np.argmax(bankrolls(mean, range(4)))) == 0
    assert runoff(mean) == [1, 2, 0, 3]
    assert bankrolls(mean, [0, 1])[:2].tolist() == [-0.1, 0.1]


def test_ratings_of_a_ladder_are_the_ladder() -> None:
    ladder = np.array([0.5, 0.1, -0.6])
    mean = ladder[:, None] - ladder[None, :]
    found, misfit = ratings(mean, np.full((3, 3), 0.1))
    assert found == pytest.approx(ladder, abs=1e-6)
    assert misfit == pytest.approx(0.0, abs=1e-6)
    circle = antisymmetric([1.0, -1.0], [1.0])  # each beats the next
    found, misfit = ratings(circle, np.full((3, 3), 0.1))
    assert found == pytest.approx(np.zeros(3), abs=1e-6)
    assert misfit > 10.0


def test_a_league(capsys: pytest.CaptureFixture[str]) -> None:
    line = ["league", "raiser", "folder", "allin", "--hands", "20", "--duplicate"]
    assert main([*line, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["mean_bb"][0][1] == 0.75
    assert told["mean_bb"][1][2] == -0.75
    assert told["hands"] == 60
    assert told["runoff"][-1] == "folder"
    assert len(told["matches"]) == 3
    assert main(line) == 0
    out = capsys.readouterr().out
    assert "instant runoff: " in out
    assert main(["league", "folder", "folder"]) == 2
    assert "twice" in capsys.readouterr().err
    assert main(["league", "folder"]) == 2
    assert main(["league", "me", "folder"]) == 2
    capsys.readouterr()


@pytest.mark.parametrize(
    ("source", "target"),
    [("match-000-001/session-000000", "match-000-002/session-000000"), ("match-001-002/session-000000",) * 2],
    ids=["another match", "another league"],
)
def test_a_session_of_another_match_is_played_again(tmp_path: Path, source: str, target: str) -> None:
    plan = Match("folder", "folder", hands=12, session=12, seed=3)
    agents = ("folder", "raiser", "random")
    right = play_league(agents, plan, tmp_path / "league").summary()
    other = replace(plan, seed=4) if source == target else plan
    play_league(agents, other, tmp_path / "other")
    shutil.copy(tmp_path / "other" / f"{source}.json", tmp_path / "league" / f"{target}.json")
    assert play_league(agents, plan, tmp_path / "league").summary() == right


def test_a_session_of_another_number_is_played_again(tmp_path: Path) -> None:
    plan = Match("raiser", "random", hands=8, session=4, seed=3)
    right = play(plan, tmp_path).summary()
    shutil.copy(tmp_path / "session-000001.json", tmp_path / "session-000000.json")
    assert play(plan, tmp_path).summary() == right


def test_one_pair_of_hands_has_no_interval(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["league", "caller", "random", "--hands", "2", "--duplicate"]) == 0
    shown = capsys.readouterr().out
    assert "±-" in shown
    assert "inf" not in shown
