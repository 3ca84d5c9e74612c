"""Bots on a reduced deck: what they see at an information set is what the arena would show them."""

from __future__ import annotations

import random

from headsup.discards.game import Discard
from headsup.games import TERMINAL, game
from headsup.games.catalogue.forms import sequence_form
from headsup.measure import measure
from headsup.play.agents.discard_reduced import Strategy, carried, replaced, table_of, view_of
from headsup.play.table.agent import Mixed, make_agent
from headsup.play.table.rules import Action, Deal
from tests.discard_hands import turned


def test_a_view_by_name_is_the_arenas() -> None:
    rules = game("holdem-discard:ranks=5,suits=4,streets=4,flop=3,swaps=2,stack=8", menu="50%, 100%, a")
    assert isinstance(rules, Discard)
    there, dice = table_of(rules), random.Random(3)
    for _ in range(30):
        cards = dice.sample(rules.deck, 13)
        deal = Deal((tuple(sorted(cards[:2])), tuple(sorted(cards[2:4]))), tuple(cards[4:9]), tuple(cards[9:]))
        for hand, state in turned(rules, there, deal, dice):
            if rules.player(state) == TERMINAL:
                break
            view, seat = hand.view(), rules.player(state)
            found = view_of(there, seat, rules.infoset(state))
            assert (found.seat, found.state, found.steps) == (view.seat, view.state, _unseen(view.steps))
            assert (set(found.hole), set(found.board)) == (set(view.hole), set(view.board))
            assert found.legal._replace(discards=()) == view.legal._replace(discards=())
            assert set(found.legal.discards) == set(view.legal.discards)


def _unseen(steps: tuple) -> tuple:  # type: ignore[type-arg]
    """Steps without the cards that were thrown away."""
    return tuple(one._replace(action=Action("d", -1)) if one.action.kind == "d" else one for one in steps)


def test_a_carried_bot_is_a_strategy_of_the_game() -> None:
    rules = game("holdem-discard:ranks=7,suits=1,flop=3,swaps=0,stack=2")
    assert isinstance(rules, Discard)
    bot = make_agent("advice", table_of(rules))
    assert isinstance(bot, Mixed)
    form = sequence_form("holdem-discard:ranks=7,suits=1,flop=3,swaps=0,stack=2")
    assert measure(form, carried(bot, rules, form)).exploitability > 0.0


def test_swaps_and_bets_are_replaced_separately() -> None:
    mine: tuple[Strategy, Strategy] = ({"a swap": {"k": 1.0, "dAs": 0.0}, "a bet": {"c": 1.0, "a": 0.0}}, {})
    better: tuple[Strategy, Strategy] = ({"a swap": {"k": 0.5, "dAs": 0.5}, "a bet": {"c": 0.2, "a": 0.8}}, {})
    assert replaced(mine, better, True) == ({**mine[0], "a swap": better[0]["a swap"]}, {})
    assert replaced(mine, better, False) == ({**mine[0], "a bet": better[0]["a bet"]}, {})
