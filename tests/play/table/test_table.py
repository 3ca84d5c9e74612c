"""The rules of a hand: chips, legal bets, showdowns and odd chips, and the record that repeats it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.cards import parse_cards
from headsup.common.errors import DataError, UserError
from headsup.play.table.dice import DECK, Dice, deal_many
from headsup.play.table.record import betting_text, from_line, parse_betting, record, replay
from headsup.play.table.rules import CALLS, FOLDS, TABLES, Action, Deal, Illegal, TableHand, award, raise_to, table
from headsup.play.table.showdown import Shown, showdown
from tests.naive import best_key, omaha_keys

CARDS = st.permutations(range(52)).map(lambda deck: deck[:17])


def random_hand(game: str, stack: float, seed: int) -> TableHand:
    """A hand in which every turn takes a random legal action."""
    dice, there = Dice(seed), table(game, stack)
    hand = there.hand(there.deal_number(seed, 0))
    while not hand.over:
        legal = hand.legal
        ways = [Action("d", card) for card in legal.discards]
        ways += [FOLDS] * legal.fold + [CALLS] * (2 * (legal.call >= 0))
        if legal.low:
            total = legal.low + dice.below(legal.high - legal.low + 1)
            ways += [raise_to(total), raise_to(legal.low)]
        hand.act(ways[dice.below(len(ways))])
    return hand


@given(st.sampled_from(sorted(TABLES)), st.integers(1, 60), st.integers(0, 2**64 - 1))
@settings(max_examples=150)
def test_chips_are_whole_and_kept_and_a_record_repeats_the_hand(game: str, half_bb: int, seed: int) -> None:
    hand = random_hand(game, half_bb / 2, seed)
    stacks = hand.table.betting.stacks
    assert all(type(chips) is int for chips in hand.chips)
    assert sum(hand.chips) == 0
    assert all(-stack <= chips <= min(stacks) for chips, stack in zip(hand.chips, stacks, strict=True))
    kept = record(hand, 7, ("a", "b"))
    assert from_line(hand.table, kept.line()) == kept
    assert kept.seen_by(0).holes[0] == hand.holes[0]
    if not kept.shown:
        assert kept.seen_by(0).holes[1] == ()
        assert kept.seen_by(0).deal.holes[1] == ()
        assert len(kept.seen_by(0).deal.board) == len(hand.board)
    cards = [*hand.holes[0], *hand.holes[1], *hand.deal.board]
    assert len(set(cards)) == len(cards)


@given(CARDS)
@settings(max_examples=60)
def test_showdowns_are_those_of_the_slow_evaluator(cards: list[int]) -> None:
    board, first, second = tuple(cards[:5]), tuple(cards[5:9]), tuple(cards[9:13])
    two = showdown("holdem", first[:2], second[:2], board)
    keys = [best_key([*hole[:2], *board]) for hole in (first, second)]
    assert (two.highs[0] > two.highs[1]) == (keys[0] > keys[1])
    assert (two.highs[0] == two.highs[1]) == (keys[0] == keys[1])
    four = showdown("omaha8", first, second, board)
    assert four.highs == showdown("omaha", first, second, board).highs
    (high, low), (other_high, other_low) = omaha_keys(first, board), omaha_keys(second, board)
    assert (four.highs[0] > four.highs[1]) == (high > other_high)
    assert [bool(value) for value in four.lows] == [low is not None, other_low is not None]
    if low is not None and other_low is not None:
        assert (four.lows[0] > four.lows[1]) == (low > other_low if four.lows[0] != four.lows[1] else False)


def play(game: str, stack: float, text: str, cards: str = "AsAh 7c2d Ks9h4c 3s 8d") -> TableHand:
    """A hand of given cards and actions."""
    first, second, *board = cards.split()
    deal = Deal((parse_cards(first), parse_cards(second)), parse_cards("".join(board)))
    return replay(table(game, stack), deal, parse_betting(text))


@pytest.mark.parametrize(
    ("game", "stack", "text", "chips"),
    [
        ("holdem-nolimit", 20, "f", (-50, 50)),
        ("holdem-nolimit", 20, "r250f", (100, -100)),
        ("holdem-nolimit", 20, "r250r600f", (-250, 250)),
        ("holdem-nolimit", 20, "r2000c", (2000, -2000)),  # all-in before the flop: the board runs out
        ("holdem-nolimit", 20, "cc/cc/cr100c/cc", (200, -200)),  # the big blind acts first after the flop
        ("holdem-nolimit", 20, "r300c/r300r900f", (-600 + 1200, -600)),
        ("holdem-limit", 100, "r20r30r40c/cc/cc/cc", (40, -40)),
        ("holdem-jamfold", 10, "r1000f", (100, -100)),
        ("omaha-potlimit", 100, "r300r900r2700f", (900, -900)),
    ],
)
def test_hands_by_hand(game: str, stack: float, text: str, chips: tuple[int, int]) -> None:
    cards = "AsAhKdQd 7c2d9s4d Ks9h4c 3s 8d" if game.startswith("omaha") else "AsAh 7c2d Ks9h4c 3s 8d"
    assert play(game, stack, text, cards).chips == chips


def test_what_is_legal() -> None:
    hand = table("holdem-nolimit", 20).hand(table("holdem-nolimit", 20).deal_number(0, 0))
    assert hand.legal == (True, 50, 200, 2000, ())  # a raise adds at least a big blind
    hand.act(raise_to(350))
    assert hand.legal == (True, 250, 600, 2000, ())  # and at least the last raise
    with pytest.raises(Illegal, match="raise to 599 is not allowed: fold or call 250 or raise to 600 to 2000"):
        hand.act(raise_to(599))
    hand.act(raise_to(2000))
    assert hand.legal == (True, 1650, 0, 0, ())  # nobody can raise an all-in
    pot = table("omaha-potlimit", 100).hand(table("omaha-potlimit", 100).deal_number(0, 0))
    assert (pot.legal.low, pot.legal.high) == (200, 300)  # three and a half times the small blind it has in
    limit = table("holdem-limit").hand(table("holdem-limit").deal_number(0, 0))
    for total in (20, 30, 40):
        assert (limit.legal.low, limit.legal.high) == (total, total)
        limit.act(raise_to(total))
    assert limit.legal == (True, 10, 0, 0, ())  # the big blind and three raises are four bets
    jam = table("holdem-jamfold", 10).hand(table("holdem-jamfold", 10).deal_number(0, 0))
    assert jam.legal == (True, -1, 1000, 1000, ())


def test_a_short_stack_posts_what_it_has() -> None:
    short = table("holdem-nolimit", 20).with_stacks((2000, 60))
    hand = short.hand(Deal((parse_cards("7c2d"), parse_cards("AsAh")), parse_cards("Ks9h4c3s8d")))
    assert hand.legal == (True, 10, 0, 0, ())
    hand.act(CALLS)
    assert hand.over
    assert hand.chips == (-60, 60)


@pytest.mark.parametrize(
    ("pot", "shown", "first"),
    [
        (101, Shown((5, 5)), 50),  # the odd chip is the big blind's, left of the dealer
        (101, Shown((5, 4), (0, 0)), 101),
        (101, Shown((5, 4), (0, 3)), 51),  # of high and low the high gets it
        (102, Shown((5, 4), (3, 3)), 51 + 25),  # and of two equal lows the big blind
        (101, Shown((5, 5), (3, 2)), 25 + 50),
    ],
)
def test_odd_chips_go_by_the_book(pot: int, shown: Shown, first: int) -> None:
    assert award(pot, shown, oop=1) == first


def test_discards_are_drawn_in_order_and_hidden_from_the_other() -> None:
    there = table("holdem-discard")
    deal = Deal((parse_cards("AsAh"), parse_cards("7c2d")), parse_cards("Ks9h4c3s8d"), parse_cards("QcJcTc9c"))
    hand = there.hand(deal)
    hand.act(CALLS)
    hand.act(CALLS)
    assert hand.player == 1
    assert hand.legal.discards == parse_cards("7c2d")
    hand.act(Action("d", parse_cards("2d")[0]))
    assert hand.holes[1] == parse_cards("7cQc")
    assert hand.view().steps[-1].action == ("d", -1)
    hand.act(Action("d", parse_cards("Ah")[0]))
    assert hand.holes[0] == parse_cards("AsJc")
    assert not hand.legal.discards
    hand.act(raise_to(9900))
    hand.act(CALLS)
    assert hand.player == 1  # a card may be changed on the turn even when all chips are in
    hand.act(CALLS)
    hand.act(CALLS)
    assert hand.over
    assert from_line(there, record(hand).line()).holes == (parse_cards("AsJc"), parse_cards("7cQc"))


@pytest.mark.parametrize("text", ["r", "rx", "q", "r99999999999999999999", "c/c/r150x!"])
def test_nonsense_is_no_betting(text: str) -> None:
    with pytest.raises(DataError):
        parse_betting(text)


@given(st.text(alphabet="fcxr0123456789/d AsKh", max_size=20))
def test_any_text_is_betting_or_a_data_error(text: str) -> None:
    try:
        actions = parse_betting(text)
    except UserError:
        return
    assert all(action.kind in "fcrdx" for action in actions)


def test_hands_that_do_not_end_or_break_the_rules_are_refused() -> None:
    with pytest.raises(DataError, match="stop while it is somebody's turn"):
        play("holdem-nolimit", 20, "cc/")
    with pytest.raises(DataError, match="action 2 of the hand cannot be: raise to 300 is not allowed"):
        play("holdem-nolimit", 20, "r250r300f")
    assert betting_text(play("holdem-nolimit", 20, "cc/cr100c/cc/cx").steps) == "cc/cr100c/cc/cf"


@pytest.mark.parametrize(
    ("name", "stack", "says"),
    [("holdem", 10, "not a game of the arena"), ("holdem-nolimit", 0, "above 0"), ("holdem-nolimit", 7.00001, "whole")],
)
def test_tables_that_cannot_be(name: str, stack: float, says: str) -> None:
    with pytest.raises(UserError, match=says):
        table(name, stack)


def test_stacks_in_eighths_are_whole_chips() -> None:
    assert table("holdem-jamfold", 7.125).betting.stacks == (1425, 1425)
    assert table("holdem-limit").unit == 10


def test_decks_are_dealt_alike_in_python_and_numpy() -> None:
    many = deal_many(11, 5, 200, 13)
    assert many.tolist() == [Dice(11, hand, DECK).deal(13) for hand in range(5, 205)]
    counts = np.bincount(deal_many(3, 0, 52_000, 2).ravel(), minlength=52)
    assert abs(counts - 2000).max() < 4.5 * np.sqrt(2000)  # 2,000 of every card, give or take


def test_dice_pick_by_shares() -> None:
    dice = Dice(5)
    picked = np.bincount([dice.pick([0.0, 2.0, 1.0, 1.0, 0.0]) for _ in range(4000)], minlength=5)
    assert picked[0] == picked[4] == 0
    assert abs(picked[1] - 2000) < 150
    assert {dice.below(3) for _ in range(100)} == {0, 1, 2}
