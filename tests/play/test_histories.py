"""Hand histories: written in PHH, read back and replayed alike; a room's text; what is wrong with one is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.errors import UserError
from headsup.play.record import Fault, HandRecord, record
from headsup.play.replay import replay_log
from headsup.play.table import table
from tests.play.test_table import random_hand

pytest.importorskip("pokerkit", reason="pokerkit is not installed (extra: histories)")
histories = pytest.importorskip("headsup.play.histories")


def records(game: str, count: int) -> list[HandRecord]:
    """Random hands."""
    return [record(random_hand(game, 1 + seed % 30, seed), seed, ("ann", "bob")) for seed in range(count)]


@pytest.mark.parametrize("game", ["holdem-limit", "holdem-nolimit", "omaha-potlimit"])
def test_hands_go_through_phh_unchanged(tmp_path: Path, game: str) -> None:
    hands = records(game, 20)
    path = tmp_path / "hands.phhs"
    path.write_text(histories.phh_text(hands))
    found = replay_log(path)
    assert (found.kind, found.hands, found.differences) == ("phh", 20, 0), found.examples
    again = [told.record() for told in histories.read_phh(path, path.read_text())]
    for one, other in zip(hands, again, strict=True):
        assert other is not None
        assert (one.steps, one.chips, one.holes) == (other.steps, other.chips, other.holes)
        assert one.board == other.board
        assert one.players == other.players


def test_a_history_that_lies_is_found_out(tmp_path: Path) -> None:
    hand = next(one for one in records("holdem-nolimit", 20) if one.shown and any(one.chips))
    text = histories.to_phh(hand).dumps()
    path = tmp_path / "one.phh"
    path.write_text(text)
    assert replay_log(path).differences == 0
    stacks = next(one for one in text.splitlines() if one.startswith("finishing_stacks"))
    swapped = f"finishing_stacks = {json.dumps(json.loads(stacks.partition('= ')[2])[::-1])}"
    path.write_text(text.replace(stacks, swapped))
    found = replay_log(path)
    assert found.differences == 1
    assert "are won by the rules, and the log says" in found.examples[0]
    path.write_text(text.replace("p2 ", "p9 "))
    assert "PokerKit cannot play it" in replay_log(path).examples[0]
    path.write_text(text.replace("actions", "axions"))
    with pytest.raises(UserError):
        replay_log(path)


def test_cents_are_whole_chips() -> None:
    text = (
        "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [0.05, 0.10]\nmin_bet = 0.10\n"
        "starting_stacks = [10.00, 7.33]\nactions = ['d dh p1 AsAh', 'd dh p2 ????', 'p2 cbr 0.25', 'p1 cbr 1.0', "
        "'p2 f']\n"
    )
    (told,) = histories.read_phh("x", text)
    assert told.hand is not None
    assert told.hand.table.betting.stacks == (733, 1000)
    assert told.hand.chips == (-25, 25)
    assert told.differences() == []
    unseen = text.replace("'p2 f'", "'p2 cc', 'd db 2c3c4c', 'p1 cc', 'p2 cc', 'd db 5d', 'p1 cc', 'p2 cc', 'd db 9h', "
                          "'p1 cc', 'p2 cc', 'p1 sm AsAh', 'p2 sm'")  # fmt: skip
    (told,) = histories.read_phh("x", unseen)
    assert told.hand is None
    assert not told.wrong  # left out: nobody knows what was mucked


ROOM = """PokerStars Hand #{number}:  Hold'em No Limit ($1/$2 USD) - 2024/01/02 10:11:12 ET
Table 'Nowhere' 2-max Seat #1 is the button
Seat 1: ann ($200 in chips)
Seat 2: bob ($150 in chips)
ann: posts small blind $1
bob: posts big blind $2
*** HOLE CARDS ***
ann: raises $4 to $6
bob: calls $4
*** FLOP *** [2c 7d Th]
bob: checks
ann: bets $8
bob: folds
Uncalled bet ($8) returned to ann
ann collected $12 from pot
*** SUMMARY ***
Total pot $12 | Rake $0
Board [2c 7d Th]
Seat 1: ann (button) (small blind) collected ($12)
Seat 2: bob (big blind) folded on the Flop


"""
"""Made up, in the form of that room's texts."""


def test_the_text_of_a_room(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "room.txt"
    path.write_text(ROOM.format(number=1) + ROOM.format(number=2))
    assert main(["replay", str(path), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["kind"], told["hands"], told["differences"]) == ("pokerstars", 2, 0), told
    assert told["won"] == {"ann": 12, "bob": -12}


def test_what_phh_cannot_say() -> None:
    hand = records("holdem-nolimit", 1)[0]
    with pytest.raises(UserError, match="no name for omaha8-potlimit"):
        histories.to_phh(record(random_hand("omaha8-potlimit", 10, 1)))
    faulty = record(random_hand("holdem-nolimit", 10, 1), faults=(Fault(0, "slow", "x"),))
    with pytest.raises(UserError, match="lost by a fault"):
        histories.to_phh(faulty)
    assert histories.to_phh(hand).starting_stacks == [100, 100]
    endless = table("holdem-limit")
    assert endless.betting.stacks[0] > 1 << 30


def test_any_log_is_written_in_phh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "m.log", tmp_path / "m.phhs"
    path.write_text("STATE:0:rf:KdTc|8sAc:-10|10:a|b\nSTATE:1:cc/cc/cc/cc:2c8h|6cAs/9dKsJc/9c/Td:-10|10:b|a\n")
    assert main(["replay", str(path), "--phh", str(out)]) == 0
    assert replay_log(out).hands == 2
    assert main(["replay", str(path), "--phh", str(path)]) == 2
    assert "would overwrite" in capsys.readouterr().err
