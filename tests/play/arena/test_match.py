"""Matches: a seed repeats them, intervals hold what they should, folders go on, results say what they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from headsup.cli import main
from headsup.common import stop
from headsup.common.errors import UserError
from headsup.games.catalogue.names import game as named
from headsup.games.contract.game import Game
from headsup.play.arena import match as match_module
from headsup.play.arena.match import Match, MatchResult, play
from headsup.play.arena.person import play_at_terminal
from headsup.play.arena.plan import Policy, SmallGame
from headsup.play.statistics.interval import anytime, fixed, student
from headsup.play.table.record import from_line
from headsup.play.table.rules import table


@pytest.mark.parametrize(
    ("p", "freedom", "t"),
    # printed tables of Student's t
    [
        (0.975, 1, 12.706),
        (0.975, 2, 4.303),
        (0.975, 5, 2.571),
        (0.975, 30, 2.042),
        (0.95, 10, 1.812),
        (0.975, 10**9, 1.960),
    ],
)
def test_quantiles_of_student(p: float, freedom: int, t: float) -> None:
    assert student(p, freedom) == pytest.approx(t, abs=2e-3)


def test_intervals_by_hand() -> None:
    found = fixed(np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
    assert found.mean == 3.5
    assert found.half == pytest.approx(2.571 * np.sqrt(3.5 / 6), abs=2e-3)
    assert fixed(np.array([1.0])).high == np.inf


@pytest.mark.parametrize("bounds", [(-1.0, 1.0), None])
def test_anytime_intervals_hold_all_along(bounds: tuple[float, float] | None) -> None:
    rng = np.random.default_rng(1)
    missed = 0
    for _ in range(100):
        values = np.where(rng.random(400) < 0.3, 1.0, -1.0) if bounds else rng.standard_normal(400) - 0.4
        looks = (anytime(values[:n], bounds, 400) for n in range(40, 401, 40))
        missed += any(not one.low <= -0.4 <= one.high for one in looks)
    assert missed <= 5 + 7  # 5 % of 100, and chance
    width = anytime(values, bounds, 400)
    assert fixed(values).half < width.half < 4 * fixed(values).half


@pytest.fixture(scope="module")
def leduc() -> tuple[SmallGame, tuple[Policy, Policy], float]:
    """Leduc, its equilibrium and a uniform player, and what the first wins in both seats, in big blinds a hand."""
    chosen = named("leduc")
    assert isinstance(chosen, Game)
    game = SmallGame(chosen)
    best, uniform = game.policy("equilibrium"), game.policy("uniform")
    exact = (game.values((best, uniform))[0] - game.values((uniform, best))[0]) / 2 / game.unit
    return game, (best, uniform), float(exact)


def test_intervals_of_leduc_matches_hold_its_exact_value(leduc: tuple[SmallGame, tuple[Policy, Policy], float]) -> None:
    game, policies, exact = leduc
    held = [0, 0]
    for seed in range(200):
        paths = [game.play(policies, seed, number, number // 2, number % 2) for number in range(120)]
        plain = np.array([(1 - 2 * (i % 2)) * game.payoff(path) / game.unit for i, path in enumerate(paths)])
        for i, numbers in enumerate((plain, plain.reshape(-1, 2).mean(axis=1))):
            found = fixed(numbers)
            held[i] += found.low <= exact <= found.high
    assert 180 <= held[1] <= 198  # duplicate, whose pairs are alike
    assert 180 <= held[0] <= 200  # hand by hand: two seats in turn make the spread look a little larger than it is


def test_aivat_of_a_leduc_match_is_the_exact_value(leduc: tuple[SmallGame, tuple[Policy, Policy], float]) -> None:
    exact = leduc[2]
    result = play(Match("equilibrium", "uniform", "leduc", hands=1000, seed=5, aivat=True, duplicate=True))
    told = result.summary()
    assert told["mean_bb"] == pytest.approx(exact, abs=1e-9)
    # published: 99.9 % of the standard deviation is removed on Leduc with both strategies known (Burch and others 2018)
    assert told["estimates"]["aivat"]["sd_bb"] < 0.001 * told["estimates"]["plain"]["sd_bb"]
    assert told["estimates"]["plain"]["mean_bb"] == pytest.approx(exact, abs=0.3)


MATCH = Match(
    "jamfold", "sklansky", "holdem-nolimit", stack=20, hands=120, seed=3, duplicate=True, equity=True, session=40
)


def told(result: MatchResult) -> str:
    return json.dumps(result.summary())


def test_a_match_is_the_same_on_any_number_of_processes_and_after_a_stop(tmp_path: Path) -> None:
    # nobody ever shows a card, so that the processes have no kernels to load
    quick = Match("jamfold", "folder", "holdem-jamfold", stack=8, hands=90, seed=3, session=30)
    assert told(play(quick, jobs=2)) == told(play(quick))
    folder = tmp_path / "b"
    whole = play(MATCH, folder)
    (folder / "session-000001.json").unlink()
    damaged = folder / "session-000002.json"
    damaged.write_text(damaged.read_text().replace("0", "1", 1))
    assert told(play(MATCH, folder)) == told(whole)
    with pytest.raises(UserError, match="holds another match, which differs in seed"):
        play(Match(**{**MATCH.arguments(), "seed": 4}), folder)


def test_a_match_that_is_stopped_gives_what_it_has_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = match_module.play_session

    def ctrl_c(**arguments: Any) -> bytes:
        current = stop._current.get()
        assert current is not None
        current.ask()
        return real(**arguments)

    monkeypatch.setattr(match_module, "play_session", ctrl_c)
    half = play(MATCH, tmp_path)
    assert half.stopped
    assert half.hands == 40
    monkeypatch.undo()
    whole = play(MATCH, tmp_path)
    assert not whole.stopped
    assert told(whole) == told(play(MATCH))


def test_known_results_in_duplicate_are_exact() -> None:
    found = play(Match("folder", "raiser", "holdem-nolimit", hands=40, duplicate=True)).summary()
    assert found["mean_bb"] == -0.75  # always fold gives up 750 mbb/g
    assert found["interval_bb"] == [-0.75, -0.75]
    # by whole sessions and hand by hand, with a log, AIVAT says the same
    exact = Match("jamfold", "sklansky", "holdem-nolimit", stack=20, hands=20, duplicate=True, aivat=True)
    slow = play(Match(**{**exact.arguments(), "log": True}))
    assert play(exact).scores["aivat"] == pytest.approx(slow.scores["aivat"])
    assert play(exact).scores["plain"].tolist() == slow.scores["plain"].tolist()
    same = play(Match("jamfold", "jamfold", "holdem-jamfold", stack=8, hands=60, duplicate=True, aivat=True)).summary()
    assert same["mean_bb"] == pytest.approx(0.0, abs=1e-12)


def test_to_the_end_one_gets_all_the_chips(monkeypatch: pytest.MonkeyPatch) -> None:
    result = play(Match("allin", "caller", "holdem-nolimit", stack=10, hands=30, to_the_end=True))
    found = result.summary()
    assert result.lengths is not None
    assert set(result.scores["plain"].tolist()) == {-10.0, 10.0}
    assert found["hands"] == int(result.lengths.sum()) >= found["games"] == 30
    assert 0.0 < found["won"] < 1.0
    monkeypatch.setattr("headsup.play.arena.session.LONGEST", 50)
    draw = play(Match("folder", "folder", "holdem-nolimit", stack=10, hands=1, to_the_end=True))
    assert (draw.summary()["games"], draw.summary()["hands"], draw.summary()["won"]) == (1, 50, 0.5)


def test_a_log_repeats_every_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log"
    line = f"play random average --game holdem-nolimit --stack 20 --hands 30 --seed 4 --log {log} --json"
    assert main(line.split()) == 0
    found = json.loads(capsys.readouterr().out)
    head, *lines = (json.loads(one) for one in log.read_text().splitlines())
    assert head["game"] == "holdem-nolimit"
    there = table(head["game"], head["stack"])
    records = [from_line(there, one) for one in lines]
    assert [one.number for one in records] == list(range(30))
    own = [one.chips[number % 2] for number, one in enumerate(records)]
    assert sum(own) / 100 / 30 == pytest.approx(found["mean_bb"])


def test_the_command_says_how_sure_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(
            [
                "play",
                "jamfold",
                "caller",
                "--game",
                "holdem-jamfold",
                "--stack",
                "10",
                "--hands",
                "40",
                "--seed",
                "1",
                "--duplicate",
                "--json",
            ]
        )
        == 0
    )
    found = json.loads(capsys.readouterr().out)
    assert {"hands", "mean_bb", "interval_bb", "seed"} <= set(found)
    assert found["interval_bb"][0] <= found["mean_bb"] <= found["interval_bb"][1]
    assert found["anytime_kind"] == "empirical-bernstein"
    assert main(["play", "allin", "caller", "--stack", "10", "--hands", "4", "--to-the-end"]) == 0
    assert "games to the end" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("play caller nobody", "'nobody' is not an agent"),
        (
            "play caller caller --game chess",
            "no game 'chess': choose from holdem-limit, holdem-nolimit",
        ),
        ("play caller caller --game holdem-jamfld --stack 10", "or a small one such as leduc"),
        ("play caller caller --hands 3 --duplicate", "odd number"),
        ("play caller caller --hands 0", "at least 1"),
        ("play caller caller --to-the-end --aivat", "leave out"),
        ("play caller caller --game leduc --stack 3", "no stacks"),
        ("play jamfold caller --game leduc", "does not play leduc"),
        ("play caller caller --game holdem-limit --to-the-end", "needs stacks"),
        ("play me me", "against an agent"),
        ("play caller caller --game spot:nofile", "there is no file"),
        ("play caller caller --address x", "add --engine ray"),
    ],
)
def test_mistakes_get_one_sentence(line: str, says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line.split()) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1


def test_a_person_plays_and_leaves() -> None:
    typed = iter(["?", "huh", "r 1", "check", "k", "c", "300", "c", "c", "c", "c", "c", "c", "c", "c", "q"])
    said: list[str] = []
    match = Match("me", "caller", "holdem-nolimit", stack=20, hands=5, seed=1)
    result = play_at_terminal(match, lambda prompt: next(typed), said.append)
    assert result is not None
    assert result.hands >= 1
    text = "\n".join(said)
    assert "you have" in text
    assert "'huh' is no action" in text
    assert "that is not allowed: fold or call 50 or raise to 200 to 2000" in text
    assert text.count("there is a bet to call: fold or call 50 or raise to 200 to 2000") == 2
    assert play_at_terminal(match, lambda prompt: "q", said.append) is None


def test_what_a_person_plays_is_logged_and_reviewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hands that were played to their end are kept when the person leaves, by q or by Ctrl-C."""
    for leave in ("q\n", None):
        log, typed = tmp_path / f"left-{leave is None}.jsonl", iter(["f\n", "c\n", "c\n", "c\n", "c\n", leave])

        def read(*_: object, lines: Iterator[str | None] = typed) -> str:
            line = next(lines)
            if line is None:
                raise KeyboardInterrupt
            return line

        monkeypatch.setattr("sys.stdin", SimpleNamespace(readline=read))
        words = ["play", "me", "caller", "--stack", "10", "--hands", "9", "--log", str(log), "--json"]
        assert main(words) == 0
        assert json.loads(capsys.readouterr().out.splitlines()[-1])["hands"] == 2
        assert len(log.read_text().splitlines()) == 3
        assert main(["review", str(log), "--player", "me", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["hands"] == 2


def test_a_person_reads_only_what_the_opponent_did_since() -> None:
    """As dealer: each action once and in its own word, and the one on a new street with its name."""
    typed, said = iter(["300", "c", "200", "q"]), list[str]()
    match = Match("me", "raiser", "holdem-nolimit", stack=20, hands=1, seed=1)
    play_at_terminal(match, lambda prompt: next(typed), said.append)
    assert [line.strip() for line in said if line.startswith("  raiser ")] == [
        "raiser raises to 500",
        "raiser bets 100",
        "raiser raises to 300",
    ]
    typed, said = iter(["300", "c", "q"]), list[str]()
    play_at_terminal(replace(match, second="caller"), lambda prompt: next(typed), said.append)
    assert [line.strip() for line in said if line.startswith("  caller ")] == [
        "caller calls 200",
        "caller checks on the flop",
        "caller checks",
    ]
