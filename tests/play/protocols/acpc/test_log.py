"""Match logs: written and replayed without a difference, and every lie in one found."""

from __future__ import annotations

from pathlib import Path

import pytest

from headsup.common.errors import DataError, UserError
from headsup.play.coach.replay import replay_log
from headsup.play.protocols.acpc.log import competition, log_hand, log_head, log_score, log_table, plain_name, read_log
from headsup.play.table.record import Fault, record
from headsup.play.table.rules import TableHand, table
from tests.play.table.test_table import random_hand

HANDS = """# name/game/hands/seed m holdem.nolimit.2p.reverse_blinds.game 3 1
#--t_response 600000
STATE:0:r4668f:KdTc|8sAc:-100|100:Bob|Alice
STATE:1:cc/r10273r20000c//:9h7d|Qs3h/5dKc5c/2d/Kd:-20000|20000:Alice|Bob
STATE:2:cc/cc/cc/r400c:2c8h|6cAs/9dKsJc/9c/Td:-400|400:Bob|Alice
SCORE:-19500|19500:Alice|Bob
"""
"""By hand, in the form of the competition's dealer: a fold, an all-in on the flop, a showdown."""


def test_a_log_by_hand() -> None:
    told = list(read_log(HANDS))
    assert [one.label for one in told] == ["hand 0", "hand 1", "hand 2"]
    assert [one.differences() for one in told] == [[], [], []]
    assert told[0].players == ("Alice", "Bob")
    assert told[1].hand is not None
    assert told[1].hand.chips == (20000, -20000)
    kept = told[2].record()
    assert kept is not None
    assert (kept.betting, kept.chips) == ("cc/cc/cc/r300c", (400, -400))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (":-100|100:", ":-100|101:", "hand 0: the rules pay 100 and -100, but the log reports 101 and -100"),
        (":-400|400:", ":400|-400:", "hand 2: the rules pay 400 and -400"),
        ("r400c", "r400", "hand 2: its betting stops while"),
        ("r10273r20000", "r10273r10274", "hand 1: action 4, r10274, cannot be"),
        ("|8sAc", "|", "hand 0: the cards of a player are missing"),
        ("6cAs/9d", "6cAs/As", "hand 2: the cards"),
        (":-100|100:", ":x|100:", "hand 0: 'x|100' are not the results"),
        ("SCORE:-19500", "SCORE:-19501", "score: Alice has won -19500 by the rules, but the log reports -19501"),
        ("STATE:1:", "STATE:one:", "the line is not STATE"),
    ],
)
def test_what_a_log_gets_wrong_is_told(old: str, new: str, says: str) -> None:
    wrong = [line for told in read_log(HANDS.replace(old, new, 1)) for line in told.differences()]
    assert says in " ".join(wrong)


def written(hands: list[TableHand]) -> str:
    """A log of these hands."""
    names = ("a", "b")
    records = [record(hand, number, names) for number, hand in enumerate(hands)]
    won = [sum(one.chips[seat] for one in records) for seat in (0, 1)]
    head = log_head("m", "g", hands[0].table, len(hands), 1, [("t_response", 1000)])
    return head + "".join(log_hand(one) for one in records) + log_score(names, (won[0], won[1]))


@pytest.mark.parametrize(("game", "stack"), [("holdem-limit", 2), ("holdem-limit", None), ("holdem-nolimit", 37)])
def test_logs_of_random_hands_have_no_differences(tmp_path: Path, game: str, stack: float | None) -> None:
    hands = [random_hand(game, stack or 1000, seed) for seed in range(60)]
    if stack is None:
        hands = [table(game).hand(hand.deal) for hand in hands]
        for hand in hands:
            while not hand.over:
                hand.act(hand.legal.bet(0) if len(hand.steps) < 7 else hand.legal.passive)
    path = tmp_path / "m.log"
    path.write_text(written(hands))
    found = replay_log(path)
    assert (found.kind, found.hands, found.differences) == ("acpc", 60, 0), found.examples
    assert found.won["a"] == sum(hand.chips[0] for hand in hands)
    assert log_table(path.read_text()) == hands[0].table


def test_a_hand_lost_by_a_fault_is_replayed() -> None:
    hand = competition("holdem-nolimit").hand(competition("holdem-nolimit").deal_number(0, 0))
    hand.act(hand.legal.bet(0))
    hand.forfeit()
    late = record(hand, 3, ("a", "b"), (Fault(1, "slow", "no\nanswer"),))
    text = log_hand(late)
    assert text.startswith("# fault: hand 3 position 0 slow: no answer\nSTATE:3:r200f:")
    free = competition("holdem-nolimit").hand(hand.deal)
    free.act(free.legal.passive._replace(kind="c"))
    free.forfeit()  # where a check would be free
    text += log_hand(record(free, 4, ("a", "b"), (Fault(1, "gone", "closed"),)))
    told = list(read_log(text, competition("holdem-nolimit")))
    assert [one.differences() for one in told] == [[], []]
    assert told[1].faults == (Fault(1, "gone", "closed"),)
    without = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    assert "cannot be" in " ".join(list(read_log(without, competition("holdem-nolimit")))[1].differences())


def test_what_was_played_is_found_or_asked_for(tmp_path: Path) -> None:
    assert log_table("STATE:0:rf:KdTc|8sAc:-10|10:a|b").name == "holdem-limit"
    assert log_table("STATE:0:r300f:KdTc|8sAc:-10|10:a|b").name == "holdem-nolimit"
    assert log_table("STATE:0:f:KdTc|8sAc:5|-5:a|b\nSTATE:1:r300f:KdTc|8sAc:-10|10:b|a\n").name == "holdem-nolimit"
    with pytest.raises(DataError, match="give --game"):
        log_table("STATE:0:f:KdTc|8sAc:5|-5:a|b")
    assert plain_name("rule:card|x y") == "rule-card-x-y"
    path = tmp_path / "empty"
    path.write_text("\n")
    with pytest.raises(UserError):
        replay_log(path)
    path.write_text(HANDS + "hello\n")
    with pytest.raises(DataError, match="'hello' is not a line of a match log"):
        replay_log(path)
