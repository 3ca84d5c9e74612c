"""Agents and the referee: what each does, and what happens to one that does wrong."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.classes import holdem_class_sizes, parse_holdem_class
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.jamfold.shipped import shipped
from headsup.play.agents.chart import ChartPlayer, sklansky_hands
from headsup.play.agents.style import strength
from headsup.play.arena.match import Match, play
from headsup.play.table.agent import Disconnected, Player, make_agent
from headsup.play.table.record import parse_betting
from headsup.play.table.referee import Referee
from headsup.play.table.rules import CALLS, FOLDS, Action, Deal, PlayerView, raise_to, table

WITH_KERNELS = pytest.mark.skipif(JIT_DISABLED, reason="styles look at every hand that the other may have")


class Scripted(Player):
    """Does what it is told, whatever that is."""

    name = "scripted"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, view: PlayerView) -> Action:
        """The answer, or what calling it gives."""
        return self.answer(view) if callable(self.answer) else self.answer


CLOCK = [0.0]


def late(view: PlayerView) -> Action:
    """Right, but slow."""
    CLOCK[0] += 1.0
    return CALLS


def crash(view: PlayerView) -> Action:
    """A bug."""
    raise ZeroDivisionError("oh")


def gone(view: PlayerView) -> Action:
    """A program that has ended."""
    raise Disconnected("it is dead")


def test_charts_play_as_many_hands_as_they_say() -> None:
    agent = make_agent("chart:30,7.5", table("holdem-nolimit", 15))
    assert isinstance(agent, ChartPlayer)
    for opens, percent in ((True, 30.0), (False, 7.5)):
        shares = np.array(agent.by_class(opens, 15.0))
        assert shares @ holdem_class_sizes() == pytest.approx(13.26 * percent)
        assert ((shares > 0.0) & (shares < 1.0)).sum() <= 1
    aces = parse_cards("AsAh")
    assert agent.probability(False, 15.0, aces) == 1.0


def test_each_beats_the_next() -> None:
    """andersson-2006, section 5.1.2: strategies are not transitive. Between charts the result is exact."""
    names = ("chart:20,75", "chart:100,50", "chart:55,5", "chart:20,75")
    for one, other in pairwise(names):
        found = play(Match(one, other, "holdem-nolimit", stack=15, hands=20, duplicate=True, aivat=True))
        low, high = found.summary()["interval_bb"]
        assert 0.3 < low == pytest.approx(high)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (crash, "crash"),
        (gone, "gone"),
        (late, "slow"),
        ("fold", "illegal"),
        (None, "illegal"),
        (("c", 0), "illegal"),
        (raise_to(150), "illegal"),  # too small
        (raise_to(10**9), "illegal"),  # more than it has
        (Action("r", 200.5), "illegal"),  # type: ignore[arg-type]
        (Action("x"), "illegal"),
        (Action("d", 3), "illegal"),
    ],
)
def test_a_fault_loses_the_hand_and_the_match_goes_on(answer: Any, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headsup.play.table.referee.perf_counter", lambda: CLOCK[0])
    there = table("holdem-nolimit", 20)
    referee = Referee((Scripted(answer), make_agent("caller", there)), seconds=0.5)
    for number in range(4):
        found = referee.play(there, there.deal_number(0, number), number, number % 2)
        assert [(fault.seat, fault.kind) for fault in found.faults] == [(number % 2, kind)]
        assert found.chips[number % 2] == (-100 if number % 2 else -50)
        assert found.betting == ("cx" if number % 2 else "x")


def test_who_is_gone_is_asked_no_more() -> None:
    asked = []

    def leave(view: PlayerView) -> Action:
        asked.append(view)
        raise Disconnected

    there = table("holdem-nolimit", 20)
    referee = Referee((Scripted(leave), make_agent("caller", there)))
    for number in range(3):
        referee.play(there, there.deal_number(0, number), number, 0)
    assert len(asked) == 1


def test_an_agent_sees_its_own_cards_and_no_others() -> None:
    there = table("holdem-nolimit", 20)
    views: list[PlayerView] = []

    def look(view: PlayerView) -> Action:
        views.append(view)
        return CALLS

    deal = there.deal_number(0, 0)
    Referee((Scripted(look), make_agent("caller", there))).play(there, deal, 0, 0)
    hidden = {*deal.holes[1], *deal.board}
    assert not hidden & {*views[0].hole, *views[0].board}
    assert [view.board for view in views] == [(), deal.board[:3], deal.board[:4], deal.board]


def betting(
    first: str, second: str, game: str = "holdem-nolimit", hands: int = 60, stack: float | None = 20
) -> Counter[str]:
    """How the hands of a short match went, the first being the dealer."""
    there = table(game, stack)
    referee = Referee((make_agent(first, there), make_agent(second, there)), seed=3)
    referee.start(there)
    found = [referee.play(there, there.deal_number(3, number), number, 0) for number in range(hands)]
    assert not any(one.faults for one in found)
    return Counter(one.betting for one in found)


def test_simple_agents_do_what_their_names_say() -> None:
    assert set(betting("caller", "caller")) == {"cc/cc/cc/cc"}
    assert set(betting("allin", "caller")) == {"r2000c"}
    assert set(betting("allin", "folder")) == {"r2000f"}
    assert set(betting("folder", "allin")) == {"f"}
    assert set(betting("raiser", "caller", stack=3)) == {"r200c/cr100c"}  # the last bet is all that is left
    assert set(betting("caller", "raiser", "holdem-limit", stack=None)) == {"cr20c/r10c/r20c/r20c"}
    assert set(betting("caller", "caller", "omaha8-jamfold", stack=5)) == {"r500c"}
    assert len(betting("random", "random")) > 10
    assert set(betting("mix:0,1,0", "mix:0,0,1", "holdem-limit", stack=None)) == {"cr20c/r10c/r20c/r20c"}
    seen = betting("mix:0.3,0.2,0.5", "folder", hands=400)
    assert abs(seen["f"] - 120) < 40
    assert abs(seen["r200f"] - 200) < 45
    assert set(betting("mix:1,0,0", "caller", "holdem-jamfold", stack=5)) == {"f"}
    assert set(betting("mix:0,1,0", "caller", "holdem-jamfold", stack=5)) == {"r500c"}


@WITH_KERNELS
@pytest.mark.parametrize("name", ["tight", "average", "loose-passive", "loose-aggressive"])
def test_styles_play_without_faults(name: str) -> None:
    for game, stack in (("holdem-limit", None), ("holdem-nolimit", 30), ("holdem-jamfold", 8), ("holdem-discard", 50)):
        betting(name, "random", game, 25, stack)


def share_of_folds(name: str) -> float:
    seen = betting(name, "caller", hands=150)
    return seen["f"] / 150


@WITH_KERNELS
def test_styles_are_as_loose_as_they_are_called() -> None:
    assert share_of_folds("tight") > share_of_folds("average") > share_of_folds("loose-aggressive") > 0.0


def hand_of(game: str, cards: str, text: str, stack: float = 10) -> PlayerView:
    """The view of who is to act after some actions; cards of both and the board."""
    there = table(game, stack)
    first, second, board = cards.split()
    hand = there.hand(Deal((parse_cards(first), parse_cards(second)), parse_cards(board)))
    for action in parse_betting(text):
        hand.act(action)
    return hand.view()


def test_jamfold_plays_the_shipped_equilibrium() -> None:
    sweep = shipped("holdem")
    row = sweep.nearest_index(10)
    agent = make_agent("jamfold", table("holdem-nolimit", 10))
    assert isinstance(agent, ChartPlayer)
    for name, cards in (("AA", "AsAh"), ("72o", "7c2d"), ("K2o", "Kc2d"), ("T6s", "Ts6s"), ("53s", "5h3h")):
        jam, call = (float(one[row][parse_holdem_class(name)]) for one in (sweep.jam, sweep.call))
        first = dict(agent.probabilities(hand_of("holdem-nolimit", f"{cards} QcQd 8s9sTd3c4c", "")))
        assert first.get(raise_to(1000), 0.0) == jam
        assert first.get(FOLDS, 0.0) == 1.0 - jam
        to_a_jam = dict(agent.probabilities(hand_of("holdem-nolimit", f"QcQd {cards} 8s9hTd3c4c", "r1000")))
        assert to_a_jam.get(CALLS, 0.0) == call
        to_a_limp = dict(agent.probabilities(hand_of("holdem-nolimit", f"QcQd {cards} 8s9hTd3c4c", "c")))
        assert to_a_limp.get(raise_to(1000), 0.0) == call
        assert to_a_limp.get(CALLS, 0.0) == 1.0 - call  # a check
        to_a_raise = dict(agent.probabilities(hand_of("holdem-nolimit", f"QcQd {cards} 8s9hTd3c4c", "r250")))
        assert to_a_raise.get(raise_to(1000), 0.0) == call
        assert to_a_raise.get(FOLDS, 0.0) == 1.0 - call
    later = agent.probabilities(hand_of("holdem-nolimit", "QcQd 7c2d 7s7h2s3c4c", "cc"))
    assert later == [(CALLS, 1.0)]  # it only looks at the flop for free


def test_rules_play_by_their_scores() -> None:
    agent = make_agent("rule:sage", table("holdem-jamfold", 8))
    assert agent.act(hand_of("holdem-jamfold", "AsAh QcQd 8s9sTd3c4c", "", 8)) == raise_to(800)
    assert agent.act(hand_of("holdem-jamfold", "7c2d QcQd 8s9sTd3c4c", "", 8)) == FOLDS
    assert make_agent("rule:card", table("omaha8-jamfold", 8)).name == "rule:card"


@pytest.mark.parametrize(
    ("key", "hands"),
    # counted by hand: 6 a pair, 4 a suited and 12 an offsuit hand
    [
        (500, 6),
        (300, 12),
        (160, 18 + 16),
        (120, 34 + 12 + 16 + 16),
        (90, 78 + 8 * 6 + 10 * 4 + 10 * 4),
        (70, 206 + 10 * 12 + 10 * 4 + 9 * 4),
        (50, 402 + 10 * 12),
        (30, 522 + 36 * 4),
        (20, 1326),
    ],
)
def test_sklansky_plays_the_hands_of_the_key_number(key: float, hands: int) -> None:
    assert float(sklansky_hands(key) @ holdem_class_sizes()) == hands


def test_sklansky_after_a_raise_has_three_hands() -> None:
    agent = make_agent("sklansky", table("holdem-nolimit", 20))
    assert isinstance(agent, ChartPlayer)
    for cards, action in (("AsAh", CALLS), ("AsKs", CALLS), ("AsKd", FOLDS), ("QsQh", FOLDS)):
        assert agent.act(hand_of("holdem-nolimit", f"7c2d {cards} 8s9hTd3c4c", "r2000", 20)) == action
    # at 20 big blinds the key number is 13: anything goes all-in where nobody has raised, and 27 after a limp
    assert agent.act(hand_of("holdem-nolimit", "7c2d AsAh 8s9hTd3c4c", "", 20)) == raise_to(2000)
    assert agent.act(hand_of("holdem-nolimit", "AsAh 7c2d 8s9hTd3c4c", "c", 20)) == CALLS
    assert agent.act(hand_of("holdem-nolimit", "AsAh 7c2c 8s9hTd3d4c", "c", 20)) == raise_to(2000)


@pytest.mark.parametrize(
    ("name", "game", "says"),
    [
        ("nobody", "holdem-nolimit", "'nobody' is not an agent: choose one of .*adaptive, advice"),
        ("mix:1,1,1", "holdem-limit", "sum to 1"),
        ("mix:nan,0,1", "holdem-limit", "sum to 1"),
        ("caller:x", "holdem-nolimit", "takes nothing after its name"),
        ("jamfold", "holdem-limit", "has a limit"),
        ("sklansky", "omaha-jamfold", "is made for holdem"),
        ("chart:20", "holdem-nolimit", "is not a chart"),
        ("chart:20,101", "holdem-nolimit", "is not a chart"),
        ("rule:nothing", "holdem-jamfold", "is not a rule"),
        ("rule:oracle", "holdem-jamfold", "is made for omaha8"),
        ("average", "omaha-potlimit", "plays hold'em"),
    ],
)
def test_agents_that_cannot_be(name: str, game: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        make_agent(name, table(game))


def test_strength_is_the_share_of_hands_that_are_behind() -> None:
    assert strength(parse_cards("AsAh"), ()) == pytest.approx(1 - 3 / 1326)
    nuts = strength(parse_cards("AsKs"), parse_cards("QsJsTs2c3d"))
    assert nuts == 1.0
    board = parse_cards("2c2d2h2sAs")  # everybody plays the board
    assert strength(parse_cards("KcQd"), board) == pytest.approx(0.5)
    assert np.isclose(strength(parse_cards("7c8d"), parse_cards("AhKhQhJhTh")), 0.5)
