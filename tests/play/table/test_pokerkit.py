"""PokerKit as a second referee of whole hands: turns, legal bets, boards, pots, winners, chips and odd chips.

PokerKit's player 0 is the big blind, our seat 1. It has no jam or fold, no pot-limit Omaha Hi-Lo and no Omaha without
limit, so those are put together from its parts; and its limit game has one raise more before the flop than ours.
"""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

from headsup.cards.cards import cards_name, parse_cards
from headsup.play.table.rules import BOARD, CALLS, FOLDS, Table, TableHand, raise_to, table

pokerkit = pytest.importorskip("pokerkit", reason="pokerkit, the second referee, is not installed (extra: dev)")
AUTOMATIC = tuple(one for one in pokerkit.Automation if "DEALING" not in one.name and one.name != "CARD_BURNING")
GAMES = (
    *("holdem-limit", "holdem-nolimit", "holdem-jamfold", "omaha-jamfold", "omaha8-jamfold"),
    *("omaha-potlimit", "omaha8-potlimit"),
)


class NoLimitOmaha(pokerkit.PotLimitOmahaHoldem):  # type: ignore[misc]
    """Omaha without a limit."""

    betting_structure = pokerkit.BettingStructure.NO_LIMIT


class PotLimitOmaha8(pokerkit.PotLimitOmahaHoldem):  # type: ignore[misc]
    """Pot-limit Omaha Hi-Lo."""

    hand_types = (pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand)


class NoLimitOmaha8(PotLimitOmaha8):
    """Omaha Hi-Lo without a limit."""

    betting_structure = pokerkit.BettingStructure.NO_LIMIT


KINDS = {
    ("holdem", "limit"): pokerkit.FixedLimitTexasHoldem,
    ("holdem", "no-limit"): pokerkit.NoLimitTexasHoldem,
    ("omaha", "no-limit"): NoLimitOmaha,
    ("omaha8", "no-limit"): NoLimitOmaha8,
    ("omaha", "pot-limit"): pokerkit.PotLimitOmahaHoldem,
    ("omaha8", "pot-limit"): PotLimitOmaha8,
}


def seat(there: Table, hand: TableHand) -> Any:
    """The same hand at PokerKit's table, hole cards dealt."""
    rules = there.betting
    bets = rules.sizes[1:3] if rules.kind == "limit" else (rules.blinds[1],)
    stacks = (rules.stacks[1], rules.stacks[0])
    head = (AUTOMATIC, True, rules.antes, rules.blinds)
    other = KINDS[there.cards, rules.kind].create_state(*head, *bets, stacks, 2)
    for player in (0, 1):
        other.deal_hole(cards_name(hand.deal.holes[1 - player]), player)
    return other


def deal_board(other: Any, hand: TableHand) -> None:
    """Let PokerKit deal what it waits for."""
    board = list(hand.deal.board)
    while other.can_burn_card() or other.can_deal_board():
        if other.can_burn_card():
            other.burn_card("??")
        else:
            there = sum(len(cards) for cards in other.board_cards)
            street = BOARD.index(there)
            other.deal_board(cards_name(board[there : BOARD[street + 1]]))


def compare_turn(other: Any, hand: TableHand) -> None:
    """Whose turn it is and what may be done."""
    legal, rules, state = hand.legal, hand.table.betting, hand.state
    assert other.actor_index == 1 - hand.player
    assert "".join(repr(card) for cards in other.board_cards for card in cards) == cards_name(hand.board)
    assert other.total_pot_amount == sum(state.paid)
    assert other.can_fold() == legal.fold
    if legal.call >= 0:
        assert other.checking_or_calling_amount == legal.call
    theirs = (
        other.min_completion_betting_or_raising_to_amount or 0,
        other.max_completion_betting_or_raising_to_amount or 0,
    )
    if rules.jam_or_fold:
        assert legal.high == theirs[1]
    elif rules.kind != "limit" or state.bets < rules.cap[state.street]:
        assert (legal.low, legal.high) == theirs


def play(seed: int) -> str:
    """One random hand at both tables; its game and how it ended."""
    rng = random.Random(seed)
    game = GAMES[seed % len(GAMES)]
    there = table(game, rng.choice([1, 2, 5, 10, 40, 100]), ante=rng.choice([0, 0, 7]))
    if rng.random() < 0.5:
        there = there.with_stacks((rng.randint(1, 3000), rng.randint(1, 3000)))
    hand = there.hand(there.deal_number(seed, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = seat(there, hand)
        deal_board(other, hand)
        while not hand.over:
            compare_turn(other, hand)
            legal = hand.legal
            ways = [CALLS] * (3 * (legal.call >= 0)) + [FOLDS] * legal.fold
            if legal.low:
                ways += [raise_to(one) for one in (legal.low, rng.randint(legal.low, legal.high))]
            action = rng.choice(ways)
            hand.act(action)
            if action == FOLDS:
                other.fold()
            elif action == CALLS:
                other.check_or_call()
            else:
                other.complete_bet_or_raise_to(action.amount)
            deal_board(other, hand)
    assert not other.status
    assert tuple(other.payoffs) == hand.chips[::-1]
    return f"{game} {'fold' if hand.state.folder >= 0 else 'showdown'}"


def referee_hands(seeds: range) -> None:
    """Play them all; a difference names its seed."""
    ends = set()
    for seed in seeds:
        try:
            ends.add(play(seed))
        except AssertionError as wrong:
            raise AssertionError(f"hand {seed}: {wrong}") from wrong
    assert len(ends) == 2 * len(GAMES)


def test_140_hands_are_refereed_alike() -> None:
    referee_hands(range(140))


@pytest.mark.long
def test_10000_hands_are_refereed_alike() -> None:
    referee_hands(range(10_000, 20_000))


def test_odd_chips_go_where_pokerkit_pushes_them() -> None:
    """A low that both have, of a pot whose half is odd: the player out of position gets the chip."""
    there = table("omaha8-potlimit", 20)
    holes = parse_cards("As2sKdKc"), parse_cards("Ah2hQdQc")
    hand = there.hand(there.deal_number(0, 0)._replace(holes=holes, board=parse_cards("3c4d8sKhTs")))
    other = seat(there, hand)
    for total in (203, 607):
        hand.act(raise_to(total))
        other.complete_bet_or_raise_to(total)
    while not hand.over:
        hand.act(CALLS)
        other.check_or_call()
        deal_board(other, hand)
    assert hand.chips == (607 + 303 - 607, 304 - 607)
    assert tuple(other.payoffs) == hand.chips[::-1]
