"""Matches that are kept: after a restart, from two windows, and with bots that learn."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from headsup.common.errors import UserError
from headsup.play.agents.style import StylePlayer
from headsup.play.protocols.guest import hand_seed
from headsup.play.statistics.aivat import aivat_chips
from headsup.play.statistics.values import EquityValue
from headsup.play.table.agent import make_agent
from headsup.play.table.referee import Referee
from headsup.play.table.rules import CALLS, FOLDS, Illegal, raise_to
from headsup.web.table import matches as module
from headsup.web.table.bots import GAMES, WORDS, bots_of, check_bot, seat, table_of
from headsup.web.table.matches import API, PAGE, Matches, NoMatch, Stale
from tests.play.protocols.test_guest import Wild, chosen


def play(matches: Matches, match: str, hands: int, seed: int = 0) -> None:
    rng = random.Random(seed)
    for _ in range(hands):
        sitting = matches.get(match, PAGE)
        now = matches.deal(sitting)
        while not now.over:
            now = matches.act(sitting, now.decision, chosen(now.guest.hand.view(), rng))


def test_everything_is_there_after_a_restart_at_any_moment(tmp_path: Path) -> None:
    """A new server for each move finds the same match as one that stays."""
    one = Matches(tmp_path / "one")
    stays = one.create(PAGE, "holdem-nolimit", 20.0, "random")
    leaves = Matches(tmp_path / "two").create(PAGE, "holdem-nolimit", 20.0, "random")
    with Matches(tmp_path / "two").db as db:
        db.execute("UPDATE matches SET secret = ? WHERE id = ?", (stays.secret, leaves.id))
    play(one, stays.id, 4)
    rng = random.Random(0)
    for _ in range(4):
        now = (there := Matches(tmp_path / "two")).deal(there.get(leaves.id, PAGE))
        while not now.over:
            again = (there := Matches(tmp_path / "two")).now(there.get(leaves.id, PAGE))
            assert again is not None
            assert (again.decision, again.guest.betting) == (now.decision, now.guest.betting)
            there = Matches(tmp_path / "two")
            now = there.act(there.get(leaves.id, PAGE), again.decision, chosen(again.guest.hand.view(), rng))
    last = Matches(tmp_path / "two")
    kept = [[(now.guest.betting, now.plain, now.luckless) for now in each] for each in
            (one.hands(stays), last.hands(last.get(leaves.id, PAGE)))]  # fmt: skip
    assert kept[0] == kept[1]


def test_a_server_that_is_killed_before_the_bot_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-nolimit", 20.0, "caller")
    now = matches.deal(sitting)

    class Killed(BaseException):
        pass

    def killed(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(module, "answered", killed)
        with pytest.raises(Killed):
            matches.act(sitting, now.decision, raise_to(300))
    found = Matches(tmp_path).now(sitting)  # the next server lets the bot answer
    assert found is not None
    assert found.guest.betting == "r300c/c"
    assert found.decision == now.decision + 1


def test_of_two_windows_one_gets_through(tmp_path: Path) -> None:
    first, second = Matches(tmp_path), Matches(tmp_path)  # as two processes
    sitting = first.create(PAGE, "holdem-nolimit", 20.0, "caller")
    now = first.deal(sitting)
    first.act(sitting, now.decision, CALLS)
    with pytest.raises(Stale, match=f"for decision {now.decision}, but the match is at {now.decision + 1}"):
        second.act(sitting, now.decision, FOLDS)
    with pytest.raises(Stale, match="this hand is not over"):
        second.deal(sitting, now.decision + 1)
    with pytest.raises(Stale):
        second.deal(sitting, now.decision)
    assert Stale.status == 409


def test_two_processes_in_the_same_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both have read the same state; the row lets one of them through."""
    first, second = Matches(tmp_path), Matches(tmp_path)
    sitting = first.create(PAGE, "holdem-nolimit", 20.0, "caller")
    before = first.deal(sitting)
    stands = second.now(sitting)
    first.act(sitting, before.decision, CALLS)
    monkeypatch.setattr(second, "_now", lambda _: stands)
    with pytest.raises(Stale):
        second.act(sitting, before.decision, FOLDS)
    found = first.now(sitting)
    assert found is not None
    assert found.guest.betting == "cc/c"


def test_what_is_not_allowed_is_counted_and_changes_nothing(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-nolimit", 20.0, "caller")
    now = matches.deal(sitting)
    with pytest.raises(Illegal):
        matches.act(sitting, now.decision, raise_to(3))
    found = matches.now(sitting)
    assert found is not None
    assert (found.wrong, found.decision, found.guest.betting) == (1, now.decision, "")


def test_a_bot_that_learns_has_learned_the_same_after_a_restart(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-nolimit", 20.0, "average")
    play(matches, sitting.id, 12)
    anew = Matches(tmp_path)._seated(sitting, 12).agent
    same = matches._seated(sitting, 12).agent
    alone = seat("holdem-nolimit", 20.0, "average").agent
    assert isinstance(anew, StylePlayer)
    assert isinstance(same, StylePlayer)
    assert isinstance(alone, StylePlayer)
    assert (anew.acted, anew.bets, anew.faced) == (same.acted, same.bets, same.faced) != (alone.acted, alone.bets, 0)


def test_scores_are_the_arenas(tmp_path: Path) -> None:
    """Hand by hand the chips and the AIVAT score that the referee's records have."""
    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-nolimit", 20.0, "random")
    play(matches, sitting.id, 8, seed=3)
    there, rng = sitting.table, random.Random(3)
    for now in matches.hands(sitting):
        guest, bot = Wild(0), make_agent("random", there)
        guest.rng = rng
        referee = Referee((guest, bot), hand_seed(sitting.secret, now.number))
        record = referee.play(there, now.guest.setup.deal, now.number, now.number % 2)
        seats = (guest, bot) if now.number % 2 == 0 else (bot, guest)
        score = aivat_chips(record, seats, EquityValue(there)) * (1 - 2 * (now.number % 2))
        assert now.plain == record.chips[now.number % 2] / 100
        assert now.luckless == pytest.approx(score / 100)
    result = matches.result(sitting)
    assert result is not None
    assert result.interval.mean == pytest.approx(sum(one.luckless or 0.0 for one in matches.hands(sitting)) / 8)


def test_matches_are_listed_and_deleted(tmp_path: Path) -> None:
    matches = Matches(tmp_path)
    sitting = matches.create(PAGE, "holdem-limit", None, "caller")
    play(matches, sitting.id, 2)
    with pytest.raises(NoMatch):
        matches.get(sitting.id, API)
    assert [one.id for one in matches.all(PAGE)] == [sitting.id]
    with pytest.raises(NoMatch, match="hand 3 of this match is not finished"):
        matches.hand(sitting, 2)
    matches.delete(sitting)
    assert matches.all(PAGE) == []
    assert matches.db.execute("SELECT COUNT(*) FROM hands").fetchone()[0] == 0


def test_there_is_an_end_to_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_PAGE", 1)
    matches = Matches(tmp_path)
    matches.create(PAGE, "holdem-limit", None, "caller")
    with pytest.raises(UserError, match="1 matches are saved"):
        matches.create(PAGE, "holdem-limit", None, "caller")


@pytest.mark.parametrize("game", GAMES)
def test_every_bot_on_offer_is_described(game: str) -> None:
    for stack in GAMES[game].stacks or (None,):
        assert set(bots_of(game, stack)) <= set(WORDS)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_bot_on_offer_can_be_made(game: str) -> None:
    for stack in GAMES[game].stacks or (None,):
        for bot in bots_of(game, stack):
            make_agent(bot, table_of(game, stack)).close()


def test_bots_without_a_strategy_for_a_stack_are_not_offered() -> None:
    assert "nolimit" in bots_of("holdem-nolimit", 15.0)
    assert "nolimit" in bots_of("holdem-nolimit", 250.0)
    assert "nolimit" not in bots_of("holdem-nolimit", 300.0)
    with pytest.raises(UserError, match="the bot is one of"):
        check_bot("nolimit:/tmp/file", "holdem-nolimit", 20.0)
    with pytest.raises(UserError, match="'nolimit' plays stacks from 5 to 250 big blinds, not 4: take one"):
        check_bot("nolimit", "holdem-nolimit", 4.0)
