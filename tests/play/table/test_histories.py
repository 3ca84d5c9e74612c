"""Hand histories: written in PHH, read back and replayed alike; a room's text; what is wrong with one is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.common.errors import UserError
from headsup.play.coach.replay import parse_hands, replay_log
from headsup.play.table.record import Fault, HandRecord, record
from headsup.play.table.rules import table
from tests.play.table.test_table import random_hand

pytest.importorskip("pokerkit", reason="pokerkit is not installed (extra: histories)")
histories = pytest.importorskip("headsup.play.table.histories")


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
    again = [told.record() for told in histories.read_phh(path.read_text())]
    for one, other in zip(hands, again, strict=True):
        assert other is not None
        assert (one.steps, one.chips, one.holes) == (other.steps, other.chips, other.holes)
        assert one.board == other.board
        assert one.players == other.players


def test_odd_names_go_through_phh() -> None:
    names = ("o'b\"c", "[x] # \\", "ü♠", "p0", "a\n\x00b")
    hands = [record(random_hand("holdem-nolimit", 10, 1), 1, (name, "bob")) for name in names]
    told = list(parse_hands(histories.phh_text(hands))[1])
    assert [one.players[0] for one in told] == [*names[:-1], "a  b"]


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
    assert "but the log reports" in found.examples[0]
    path.write_text(text.replace("d dh", "d dx"))
    assert "PokerKit cannot play it" in replay_log(path).examples[0]
    path.write_text(text.replace("p2 ", "p9 "))
    with pytest.raises(UserError, match="there is no player p9"):
        replay_log(path)
    path.write_text(text.replace("actions", "axions"))
    with pytest.raises(UserError):
        replay_log(path)


def test_cents_are_whole_chips() -> None:
    text = (
        "variant = 'NT'\nantes = [0, 0]\nblinds_or_straddles = [0.05, 0.10]\nmin_bet = 0.10\n"
        "starting_stacks = [10.00, 7.33]\nactions = ['d dh p1 AsAh', 'd dh p2 ????', 'p2 cbr 0.25', 'p1 cbr 1.0', "
        "'p2 f']\n"
    )
    (told,) = histories.read_phh(text)
    assert told.hand is not None
    assert told.hand.table.betting.stacks == (733, 1000)
    assert told.hand.chips == (-25, 25)
    assert told.differences() == []
    unseen = text.replace("'p2 f'", "'p2 cc', 'd db 2c3c4c', 'p1 cc', 'p2 cc', 'd db 5d', 'p1 cc', 'p2 cc', 'd db 9h', "
                          "'p1 cc', 'p2 cc', 'p1 sm AsAh', 'p2 sm'")  # fmt: skip
    (told,) = histories.read_phh(unseen)
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


def test_a_hand_that_cannot_be_read_is_counted_and_explained(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "room.txt"
    path.write_text(ROOM.format(number=1) + ROOM.format(number=2).replace("Seat 1: ann ($", "Seat 1: anna ($"))
    why = "hand 2: 'Uncalled bet ($8) returned to ann': it names a player without a seat"
    for verb, hands in (("replay", 1), ("review", 2)):
        assert main([verb, str(path), "--json"]) == 0
        out, err = capfd.readouterr()
        told = json.loads(out)
        assert (told["hands"], told["left_out"], told["reasons"]) == (hands, 1, [why])
        assert "Traceback" not in err
        assert main([verb, str(path)]) == 0
        assert f"skipped: {why}" in capfd.readouterr().out
    path.write_text(ROOM.format(number=2).replace("Seat 1: ann ($", "Seat 1: anna ($"))
    for verb in ("replay", "review"):
        assert main([verb, str(path)]) == 2
        out, err = capfd.readouterr()
        assert (out, len(err.splitlines())) == ("", 1)
        assert why in err


@pytest.mark.parametrize("apart", ["\n\n", "\n\n\n"])
def test_no_hand_of_a_room_vanishes_whichever_line_is_damaged(apart: str) -> None:
    """The hands before and after the damaged one are read, and that one is read or explained."""
    before, hand, after = (ROOM.format(number=number).strip("\n") for number in (1, 2, 3))
    lines = hand.splitlines()
    for at, line in enumerate(lines):
        for damaged in ([], [line[: len(line) // 2]], [f"x{line[1:]}"], [line, line]):
            text = apart.join([before, "\n".join([*lines[:at], *damaged, *lines[at + 1 :]]), after])
            told = list(parse_hands(text)[1])
            assert [one.hand is not None for one in told][::2] == [True, True], (line, damaged)
            assert len(told) == 3 + (damaged == [line, line] and not at)  # a second head begins a second hand
            assert told[1].hand is not None or len(told[1].unread) > len(told[1].label) + 2


def test_hands_of_several_rooms_are_all_counted() -> None:
    other = "Full Tilt Poker Game #77: Table Nowhere - $1/$2 - No Limit Hold'em\nSeat 1: ann ($200)\n"
    kind, told = parse_hands(ROOM.format(number=1) + other)
    first, second = told
    assert kind == "pokerstars and full_tilt_poker"
    assert first.hand is not None
    assert second.unread.startswith("hand 77: it cannot be read (")


PHH = """[{number}]
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [200, 200]
players = ['bob', 'ann']
actions = ['d dh p1 AsTh', 'd dh p2 Ks8s', 'p2 cbr 6', 'p1 cc', 'd db 2c3c4c', 'p1 cc', 'p2 cbr 8', 'p1 f']
"""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("p2", "p0", "there is no player p0"),
        ("p1 AsTh", "p3 AsTh", "there is no player p3"),
        ("'p1 f'", "'p-1 f'", "there is no player p-1"),
        ("'p1 cc', 'p2 cbr 8'", "'p2 cbr 8'", "its betting has a gap"),
        ("'p2 cbr 6', ", "", "PokerKit cannot play it"),
        (", 'p1 f']", "]", "stops before the hand is over"),
        ("min_bet = 2\n", "", "it lacks min_bet"),
        ("variant = 'NT'", "variant = 'F2L3D'", "known are FT, NT"),
        ("variant = 'NT'", "variant = 'XX'", "XX"),
        ("[200, 200]", "[200, 200, 200]", "3 players"),
        ("['bob', 'ann']", "['bob']", "1 players"),
        ("['bob', 'ann']", "7", "cannot be read"),
        ("[200, 200]", "7", "cannot be read"),
        ("[200, 200]", "[1e999999, 200]", "not a number of chips"),
        ("[200, 200]", "[200, nan]", "not a number of chips"),
        ("[1, 2]", "[1e-999999, 2]", "not a number of chips"),
        ("cbr 6", "cbr 1e999999", "not a number of chips"),
        ("cbr 6", "cbr six", "not a number of chips"),
        ("[200, 200]", f"[{'9' * 5000}, 200]", "cannot be read"),
        ("AsTh", "AsAs", "As twice"),
        ("Ks8s", "AsTh", "As is dealt twice"),
        ("2c3c4c", "2c3c3c", "3c twice"),
        ("players = ['bob'", "players = ['bob", "cannot be read"),
        ("variant", "variont", "cannot be read"),
        ("[2]\nvariant = 'NT'", "[2]", "cannot be read"),
    ],
)
def test_no_hand_in_phh_vanishes_whatever_it_says(old: str, new: str, why: str) -> None:
    hands = [PHH.format(number=number) for number in (1, 2, 3)]
    assert old in hands[1]
    first, second, third = parse_hands(hands[0] + hands[1].replace(old, new) + hands[2])[1]
    assert first.hand is not None
    assert third.hand is not None
    assert second.hand is None
    assert why in second.unread
    assert "\n" not in second.unread


def test_a_damaged_line_of_our_own_log_is_explained() -> None:
    lines = [json.dumps({"headsup": "log", "game": "holdem-nolimit", "stack": 10})]
    lines += [json.dumps(record(random_hand("holdem-nolimit", 10, seed), seed).line()) for seed in range(3)]
    for damaged in (
        lines[2][:40],
        lines[2].replace('"chips"', '"chops"'),
        "[]",
        '"x"',
        lines[2].replace("players", "p"),
    ):
        told = list(parse_hands("\n".join([*lines[:2], damaged, *lines[3:]]))[1])
        assert [one.hand is not None for one in told] == [True, False, True]
        assert told[1].unread.startswith("line 3: it cannot be read (")


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
