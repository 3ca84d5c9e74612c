"""Bots on a reduced deck: what they see at an information set is what the arena would show them."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from headsup.cards.cards import cards_name, parse_cards
from headsup.discards.game import Discard
from headsup.discards.swap import rule_of
from headsup.games import TERMINAL, game
from headsup.games.catalogue.forms import sequence_form
from headsup.measure import measure
from headsup.play.agents.discard_reduced import Strategy, carried, replaced, table_of, view_of
from headsup.play.table.agent import Mixed, make_agent
from headsup.play.table.rules import Action, Deal
from tests.discard_hands import turned
from tests.naive import best_key


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


def test_after_an_all_in_the_bot_swaps_for_the_deck_at_hand() -> None:
    """On nine cards and hands that end with the flop, by enumeration: it wins more than the report's rule would."""
    rules = game("holdem-discard:ranks=3,suits=3,flop=3,stack=2")
    assert isinstance(rules, Discard)
    bot = make_agent("discard", table_of(rules))
    assert isinstance(bot, Mixed)
    board = parse_cards("AcKdQh")
    left = [card for card in rules.deck if card not in board]
    won = {"bot": 0.0, "rule": 0.0}
    for hand in combinations(left, 2):
        ((action, share),) = bot.probabilities(view_of(table_of(rules), 1, f"{cards_name(hand)}|ac/AcKdQh/"))
        assert share == 1.0
        goes = rule_of(hand, board)
        won["bot"] += _equity(hand, action.amount if action.kind == "d" else -1, board, left)
        won["rule"] += _equity(hand, hand[goes - 1] if goes else -1, board, left)
    assert (won["bot"], won["rule"]) == (pytest.approx(10.5), pytest.approx(7.5))  # of 15 pots


def _equity(hand: tuple[int, ...], thrown: int, board: tuple[int, ...], left: list[int]) -> float:
    """The pot share of a hand that throws a card (-1 none) against every hand that then swaps by the rule."""
    shares = list[float]()
    for other in combinations([card for card in left if card not in hand], 2):
        deck = [card for card in left if card not in (*hand, *other)]
        goes, ends = rule_of(other, board), list[float]()
        for mine in _after(hand, thrown, deck):
            new = [card for card in deck if card not in mine]
            for theirs in _after(other, other[goes - 1] if goes else -1, new):
                a, b = best_key((*mine, *board)), best_key((*theirs, *board))
                ends.append((a > b) + 0.5 * (a == b))
        shares.append(sum(ends) / len(ends))
    return sum(shares) / len(shares)


def _after(hand: tuple[int, ...], thrown: int, deck: list[int]) -> list[tuple[int, ...]]:
    """What a hand may become."""
    if thrown < 0:
        return [hand]
    return [(*(held for held in hand if held != thrown), card) for card in deck]
