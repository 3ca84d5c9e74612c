"""Hands looked at again: what cost most comes first, whatever log they were in, and nothing names a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cards.cards import parse_cards
from headsup.cli import main
from headsup.cli.review import sentence
from headsup.common.errors import DataError
from headsup.jamfold.answer import answer
from headsup.jamfold.hands import parse_class
from headsup.play.coach.judges import SpotJudge
from headsup.play.coach.reference import STRATEGY, ActionChoice, ReferenceAnswer
from headsup.play.coach.replay import parse_hands
from headsup.play.coach.review import Decision, Review, betting_words, review
from headsup.play.table.logged import LoggedHand
from headsup.play.table.record import parse_betting, record, replay
from headsup.play.table.rules import Deal, Table, table
from tests.play.coach.test_reference import river

TEN = table("holdem-jamfold", 10)


def told(there: Table, holes: tuple[str, str], betting: str, board: str = "", number: int = 0) -> LoggedHand:
    """A hand as a log would tell it."""
    deal = Deal((parse_cards(holes[0]), parse_cards(holes[1])), parse_cards(board))
    return LoggedHand(f"hand {number}", replay(there, deal, parse_betting(betting)), "", ("ann", "bob"), number=number)


HANDS = (
    told(TEN, ("7c2d", "AsAh"), "r1000f", number=1),  # a bad jam, and the worst fold there is
    told(TEN, ("AsAh", "7c2d"), "r1000f", number=2),  # both right
    told(table("holdem-nolimit", 300), ("AsAh", "7c2d"), "r300f", number=3),  # nobody knows
    told(table("holdem-nolimit", 4), ("QsQd", "AsAh"), "cc/cc/cc/r150c", "Td9d6hQc2s", number=4),
)


def gain(seat: str, hand: str) -> float:
    found = answer("holdem", 10.0)
    return float(found.ev(seat)[parse_class("holdem", hand)]) - found.ev_fold(seat)


def test_the_costliest_decisions_come_first() -> None:
    found = review(HANDS[:3])
    assert [(one.label, one.player, one.did) for one in found.decisions[:2]] == [
        ("hand 1", "bob", "fold"),
        ("hand 1", "ann", "all-in"),
    ]
    assert found.decisions[0].lost == pytest.approx(gain("bb", "AA"), abs=1e-6)
    assert found.decisions[1].lost == pytest.approx(-gain("sb", "72o"), abs=1e-6)
    assert [one.lost for one in found.decisions[2:]] == [0.0, 0.0]
    assert (found.hands, found.unknown, found.left_out) == (3, 2, 0)
    assert found.summary("ann", 1)["lost_bb"] == pytest.approx(-gain("sb", "72o"), abs=1e-6)
    assert {one["player"] for one in found.summary("ann")["list"]} == {"ann"}
    again = [Decision.of(json.loads(json.dumps(one.as_dict()))) for one in found.decisions]
    assert again == found.decisions


def test_a_solved_spot_judges_the_hands_that_come_to_it() -> None:
    found = review(HANDS[3:], [SpotJudge(river(), "mine")])
    lost = {one.player: one for one in found.decisions if one.street == "river"}
    row = river().at("").hand("AsAh")["ev"]
    played = sum(share * row[name] for name, share in river().at("").hand("AsAh")["frequencies"].items())
    assert lost["bob"].lost == pytest.approx(max(0.0, played - row["bet 150"]) / 100, abs=1e-4)
    assert lost["ann"].did == "call 150"
    assert "solved to" in lost["ann"].known.source


def test_faults_and_hidden_cards_are_nobodys_decisions() -> None:
    deal = Deal(((), parse_cards("AsAh")), ())
    hidden = LoggedHand("hand 9", replay(TEN, deal, parse_betting("r1000f")), "", ("ann", "bob"))
    assert [one.player for one in review([hidden]).decisions] == ["bob"]
    broken = LoggedHand("hand 9", None, "it breaks a rule")
    found = review([broken, LoggedHand("score", None, "", is_hand=False)])
    assert (found.hands, found.left_out, found.decisions) == (1, 1, [])
    assert Review().summary()["list"] == []


def test_the_best_action_is_listed_though_the_strategy_never_takes_it() -> None:
    choices = (
        ActionChoice("fold", 1.0, 0.0),
        ActionChoice("call 100", 0.0, -0.5),
        ActionChoice("raise to 300", 0.0, 0.4),
    )
    known = ReferenceAnswer("the blueprint, 20 bb", STRATEGY, choices, left="on the flop the opponent did so")
    place = ("ann", "dealer", "turn", "AsAh", "Td9d6hQc", "r300c/cc", 6.0, 1.0, 17.0)
    for taken, cost in ((0, "     right"), (1, " -0.500 bb"), (2, "   no loss")):
        text = sentence(Decision(0, "hand 1", 4, *place, choices[taken].name, taken, known))
        assert text.startswith(cost)
        assert "; the blueprint, 20 bb (trust: low): fold 100%, raise to 300 0% (This line is outside the" in text
        assert "(By these values, raise to 300 is worth 0.40 bb more than the mix of the blueprint" in text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        ("r200r2000", "raise to 200, raise to 2,000"),
        ("cc/r100c", "call, check; flop: bet 100, call"),
        ("r300c/cr600f", "raise to 300, call; flop: check, bet 600, fold"),
        ("r300c/cc/", "raise to 300, call; flop: check, check; turn"),
    ],
)
def test_betting_in_words(text: str, words: str) -> None:
    assert betting_words(text) == words


def own_log() -> str:
    lines = [{"headsup": "log", "game": "holdem-jamfold", "stack": 10}]
    lines += [record(one.hand, one.number, one.players).line() for one in HANDS[:2] if one.hand is not None]
    return "\n".join(json.dumps(line) for line in lines) + "\n"


def test_logs_of_all_kinds_become_one_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ten.log"
    path.write_text(own_log())
    acpc = tmp_path / "match.log"
    acpc.write_text("STATE:1:r1000f:AsAh|7c2d:-100|100:bob|ann\nSTATE:2:r1000f:7c2d|AsAh:-100|100:bob|ann\n")
    fold, jam, slow = ("bob", "AsAh", "fold", "exact"), ("ann", "7c2d", "all-in", "exact"), ("ann", "AsAh", "all-in")
    limps = ["--game", "holdem-nolimit", "--stack", "10"]  # where limps are allowed, aces earn more by one
    for words, wanted in (
        ([str(path)], [fold, jam]),
        ([str(acpc), *limps], [(*fold[:3], "strategy"), (*slow, "strategy")]),
    ):
        assert main(["review", *words, "--top", "2", "--json"]) == 0
        listed = json.loads(capsys.readouterr().out)["list"]
        assert [(one["player"], one["cards"], one["did"], one["known"]["kind"]) for one in listed] == wanted
    assert main(["review", str(path), "--player", "ann"]) == 0
    out = capsys.readouterr().out
    assert "-0.492 bb  hand 1, ann: 7c2d, all-in; jam-or-fold equilibrium, 10 bb: fold 100%" in out
    assert "bob" not in out
    assert main(["review", str(path), "--player", "carl"]) == 2
    assert "ann, bob" in capsys.readouterr().err


def test_histories_in_phh(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    histories = pytest.importorskip("headsup.play.table.histories")
    pytest.importorskip("pokerkit")
    hands = [told(table("holdem-nolimit", 10), ("7c2d", "AsAh"), "r1000f", number=1)]
    text = histories.phh_text(one.record() for one in hands)
    kind, found = parse_hands(text)
    assert kind == "phh"
    assert [one.did for one in review(found).decisions] == ["fold", "all-in"]


@pytest.mark.parametrize("game", ["spot:secret.txt", "leduc", "x"])
def test_a_text_that_names_a_file_is_refused(game: str) -> None:
    text = json.dumps({"headsup": "log", "game": game, "stack": None}) + "\n"
    with pytest.raises(DataError, match="not a game of the arena"):
        list(parse_hands(text, files=False)[1])


@pytest.mark.long
@pytest.mark.parametrize(
    ("there", "betting", "kinds"),
    [
        (table("holdem-limit"), "r20c/cr10c/cr20c/cr20f", [*["strategy"] * 2, *["estimate"] * 3, *["strategy"] * 6]),
        (table("holdem-nolimit", 15), "r200c/cc/cc/cr950f", [*["strategy"] * 2, *["re-solved"] * 7]),
    ],
)
def test_strategies_that_ship_judge_by_value_and_estimate_on_the_flop(
    there: Table, betting: str, kinds: list[str]
) -> None:
    found = review([told(there, ("AcAd", "Kh2c"), betting, "Ks9h4c3s8d")])
    assert [one.known.kind for one in sorted(found.decisions, key=lambda one: one.step)] == kinds
    for one in found.decisions:
        drawn = one.known.kind == "estimate"
        assert any(choice.error for choice in one.known.choices) == drawn
        assert ("23 runouts" in one.known.note) == drawn
    fold = found.decisions[0]
    assert fold.did == "fold"
    assert (fold.lost or 0.0) > 1.0  # a pair of kings is ahead of most bets
    assert sum(choice.share for choice in fold.known.choices) == pytest.approx(1.0)
