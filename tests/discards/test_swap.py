"""The report's swap rule: its examples, its corner, and the compiled form against the plain one and an obvious one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards import parse_cards
from headsup.common.errors import UserError
from headsup.discards.equity.deals import rule_many
from headsup.discards.swap import FIRST, KEEP, SECOND, mark, swap_rule
from headsup.papers.ectomynx.appendix import made, swap_makes

CASES = [
    ("AcQh", "2c3c5c", SECOND, "the report's example: the ace alone belongs to the flush draw"),
    ("Jh9h", "Ah8h4d", KEEP, "the appendix: a flush draw stays"),
    ("Jh9h", "AhJd4h", KEEP, "the appendix: so does a pair with one"),
    ("8c4d", "9c9d8h4s", KEEP, "the corner where the report says that it is wrong"),
    ("7c7d", "AsKsQs", KEEP, "a pocket pair"),
    ("AsKd", "2h3c4d", SECOND, "the ace belongs to a gutshot, the king to nothing"),
    ("Kd7c", "2h5c9d", SECOND, "nothing at all: the lower card"),
    ("7c8d", "5h6sKc", KEEP, "two ways"),
    ("7c8d", "5h6hKh", FIRST, "three of a suit: draws to straights do not count"),
    ("9d4c", "5c6d7h8s", KEEP, "each card has a straight of its own"),
    ("Td9c", "5c6d7h8s", KEEP, "the ten has the better one"),
    ("9d2c", "5c6d7h8s", SECOND, "a straight with one card"),
    ("3c8d", "4h5s7c", FIRST, "two rows that wait for one six: no two ways"),
    ("3c9d", "5h6s7c", KEEP, "a double gutshot, its ends of power 1"),
    ("AcKc", "2c3c5c9c", SECOND, "six of a suit: neither is needed"),
    ("AcKd", "2c3c5c9c", SECOND, "five of a suit"),
    ("AdKd", "5c6d7h8s", SECOND, "a draw on the board belongs to nobody"),
]


@pytest.mark.parametrize(("hole", "board", "swap", "why"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES])
def test_the_rule_on_the_reports_examples_and_on_corners(hole: str, board: str, swap: int, why: str) -> None:
    cards = parse_cards(hole)
    assert swap_rule(cards, parse_cards(board)) == swap, why
    turned = {KEEP: KEEP, FIRST: SECOND, SECOND: FIRST}[swap]
    assert swap_rule(cards[::-1], parse_cards(board)) == turned, why


def obvious(hole: list[int], board: list[int]) -> int:
    """The rule once more, with sets of ranks from 1 (an ace) to 14."""

    def ranks(cards: list[int]) -> set[int]:
        found = {card // 4 + 2 for card in cards}
        return found | {1} if 14 in found else found

    def rows(cards: list[int], size: int) -> set[int]:
        return {low for low in range(1, 11) if len(ranks(cards) & set(range(low, low + 5))) == size}

    def outs(cards: list[int]) -> set[int]:
        return {(set(range(low, low + 5)) - ranks(cards)).pop() % 13 for low in rows(cards, 4)}

    suited = any(sum(card % 4 == suit for card in board) >= 3 for suit in range(4))
    kept, power = [], []
    for card, other in (hole, hole[::-1]):
        rest, every = [other, *board], [card, other, *board]
        suit = sum(one % 4 == card % 4 for one in every)
        keep = any(one // 4 == card // 4 for one in rest)
        keep |= suit >= 5 > suit - 1 or suit >= 4 > suit - 1
        keep |= bool(rows(every, 5) - rows(rest, 5))
        keep |= not suited and len(outs(every)) >= 2 and len(outs(rest)) < 2
        kept.append(keep)
        power.append((0 if suited else len({low for low in rows(every, 4) if low not in rows(rest, 4)}), card // 4))
    if all(kept):
        return 0
    if any(kept):
        return 2 if kept[0] else 1
    return 1 if power[0] < power[1] else 2


def test_compiled_plain_and_obvious_rules_agree() -> None:
    rng = np.random.default_rng(7)
    deck = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (4000, 1)), axis=1)
    deck[2000:] = np.argsort(rng.random((2000, 52)) * (1 + (np.arange(52) > 23)), axis=1)  # close ranks: more straights
    for size in (3, 4):
        holes, boards = deck[:, :2], deck[:, 2 : 2 + size]
        wanted = [obvious(h, b) for h, b in zip(holes.tolist(), boards.tolist(), strict=True)]
        assert rule_many(holes, boards).tolist() == wanted
        assert [swap_rule(h, b) for h, b in zip(holes.tolist(), boards.tolist(), strict=True)] == wanted
        assert set(wanted) == {0, 1, 2}


@given(st.permutations(range(52)), st.permutations(range(4)), st.sampled_from((3, 4)))
def test_suits_may_be_renamed_and_board_cards_exchanged(cards: list[int], suits: list[int], size: int) -> None:
    renamed = [card // 4 * 4 + suits[card % 4] for card in cards]
    wanted = swap_rule(cards[:2], cards[2 : 2 + size])
    assert swap_rule(renamed[:2], renamed[2 : 2 + size][::-1]) == wanted


def test_a_mark_says_why() -> None:
    ace, queen = parse_cards("AcQh")
    assert mark(ace, queen, parse_cards("2c3c5c")) == (False, True, False, False, 0)
    assert mark(*parse_cards("5d4h"), parse_cards("2c3sAc")).straight


@pytest.mark.parametrize(
    ("hole", "board", "said"),
    [("AcQh", "2c3c", "board of 3 or 4"), ("Ac", "2c3c4c", "two cards"), ("AcQh", "2c3cAc", "Ac is there twice")],
)
def test_mistakes_are_told(hole: str, board: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        swap_rule(parse_cards(hole), parse_cards(board))


def test_what_a_swap_makes() -> None:
    """Nine hearts make the flush and six cards a pair; a swap has 47 x 46 ways."""
    hole, flop = parse_cards("Jh9h"), parse_cards("Ah8h4d")
    assert list(swap_makes(hole, flop, KEEP, "flush").values()) == [0, 32, 0, 6, 0, 9]
    swapped = swap_makes(hole, flop, SECOND, "flush")
    assert sum(swapped.values()) == 47 * 46
    assert swapped["flush or straight"] == 9 * 8  # two hearts
    assert made(parse_cards("9h8d"), parse_cards("9c7s6dKc"), "straight") == "pair and draw"
    assert made(parse_cards("AhKd"), parse_cards("9c9s6dKc"), "straight") == "pair"  # the nines are the board's
    assert made(parse_cards("AhKd"), parse_cards("9c8s7d6c"), "straight") == "nothing"  # and so is this draw
    with pytest.raises(UserError, match="'x' is not a draw"):
        swap_makes(hole, flop, KEEP, "x")
