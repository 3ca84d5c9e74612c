"""Menus as text: every form of size, which clause holds, and one sentence for every mistake."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.menu import parse_menu
from headsup.games.betting.rules import LIMIT_HOLDEM, Betting

RIVER = Betting(first=(0,), stacks=(900, 900), pot=200)
TURN = Betting(first=(0, 0), stacks=(900, 900), pot=200)
FLOP = Betting(first=(0, 0, 0), stacks=(910, 910), pot=180)
HAND = Betting(first=(0, 1, 1, 1), stacks=(20000, 20000), blinds=(50, 100))


def offers(rules: Betting, menu: str, line: str = "") -> list[str]:
    """The bets offered after a line."""
    tree = betting_tree(rules, menu)
    node = tree.find(line)
    while tree.player[node] == 2:
        node = int(tree.child[node])
    return [name for name in tree.actions(node) if name not in ("fold", "check", "call")]


@pytest.mark.parametrize(
    ("rules", "menu", "line", "bets"),
    [
        (FLOP, "52%; 2.5x", "", ["bet 94"]),  # 93.6; postflop-solver rounds so, reference: its tree of this spot
        (FLOP, "52%; 2.5x", "bet 94", ["raise 235"]),
        (FLOP, "52%; 2.5x", "bet 94, raise 235", ["raise 588"]),  # 587.5 goes up
        (FLOP, "52%; 2.5x", "bet 94, raise 235, raise 588", ["all-in 910"]),
        (RIVER, "60%, a; 2.5x", "", ["bet 120", "all-in 900"]),
        (RIVER, "50%; 50%", "bet 100", ["raise 300"]),  # 100 + half of the 400 after a call
        (RIVER, "150c; 150c", "bet 150", ["raise 300"]),
        (RIVER, "1c", "", ["bet 1"]),
        (RIVER, "1%; 1.1x", "check, bet 2", ["raise 4"]),  # at least twice the bet
        (RIVER, "e", "", ["all-in 900"]),
        (TURN, "e", "", ["bet 216"]),  # 200 (sqrt(10) - 1) / 2
        (TURN, "2e", "check", ["bet 216"]),
        (TURN, "1e", "", ["all-in 900"]),
        (TURN, "2e80%", "", ["bet 160"]),
        (TURN, "3e", "", ["bet 115"]),
        (FLOP, "e", "bet 111", ["raise 253"]),  # 111 + 402 (cbrt(1 + 2 * 799 / 402) - 1) / 2: still three bets to go
        (FLOP, "e", "bet 111, raise 253", ["raise 496"]),  # 253 + 686 (sqrt(1 + 2 * 657 / 686) - 1) / 2: two
        (RIVER, "1000%", "", ["all-in 900"]),
        (RIVER, "none", "", []),
        (RIVER, "none; 3x", "", []),
        (RIVER, "", "", []),
        (HAND, "preflop 2.5x, 3x; 3x", "", ["raise 250", "raise 300"]),
        (HAND, "preflop 2.5x, 3x; 3x", "raise 250", ["raise 750"]),
        (HAND, "preflop 3x; 4x", "call", ["raise 300"]),  # the blind is the bet that is in
        (HAND, "preflop p0 3x | preflop p1 4x", "call", ["raise 400"]),
        (HAND, "preflop 3x | oop 50%", "raise 300, call", ["bet 300"]),  # the big blind is out of position
        (HAND, "preflop 3x | ip 50%", "raise 300, call", []),
        (FLOP, "oop 50% | turn 100%", "check, check", ["bet 180"]),  # the street comes before the player
        (FLOP, "turn 100% | 50%", "check, check", ["bet 180"]),
        (FLOP, "50% | 100%", "", ["bet 180"]),  # of two alike the later
        (FLOP, "50%; none | donk 20%", "check, bet 90, call", ["bet 72"]),
        (FLOP, "50%; none | donk 20%", "bet 90, call", ["bet 180"]),
        (FLOP, "50%; none | donk 20%", "check, check", ["bet 90"]),
        (FLOP, "50%; none | donk 20%", "check, bet 90, call, check", ["bet 180"]),
        (FLOP, "50%; none | turn donk none", "check, bet 90, call", []),
        (FLOP, "50%; 3x | cap 1", "bet 90", []),
        (FLOP, "50%; 3x | cap 9 | flop cap 1", "bet 90", []),
        (RIVER, "50% | add 450%", "", ["bet 100", "all-in 900"]),
        (RIVER, "50% | add 449%", "", ["bet 100"]),
        (RIVER, "250%, 50% | force 34%", "", ["bet 100", "all-in 900"]),  # 400 behind, 1,200 in the middle: a third
        (RIVER, "250%, 50% | force 33%", "", ["bet 100", "bet 500"]),
        (RIVER, "50%, 60%, 100% | merge 10%", "", ["bet 120", "bet 200"]),
        (RIVER, "50%, 60%, 100% | merge 5%", "", ["bet 100", "bet 120", "bet 200"]),
        (RIVER, "50% | + bet 40", "", ["bet 40", "bet 100"]),
        (RIVER, "50%, a | - bet 100", "", ["all-in 900"]),
        (RIVER, "50%; none | + bet 100, all-in", "bet 100", ["all-in 900"]),
        (RIVER, "50%; 2x | + check, bet 40 | - check, bet 40, raise 80", "check, bet 40", []),
        (FLOP, "50%; none | + bet 90, call, check, bet 77", "bet 90, call, check", ["bet 77", "bet 180"]),
    ],
)
def test_what_is_offered(rules: Betting, menu: str, line: str, bets: list[str]) -> None:
    assert offers(rules, menu, line) == bets


def test_all_in_is_for_the_shorter_stack() -> None:
    rules = Betting(first=(0,), stacks=(300, 900), pot=200)
    assert offers(rules, "a") == ["all-in 300"]
    assert offers(rules, "a", "check") == ["all-in 300"]
    assert offers(rules, "100%, a", "check") == ["bet 200", "all-in 300"]


def test_pot_limit_menus_stop_at_the_pot() -> None:
    rules = Betting(first=(0,), stacks=(900, 900), pot=200, kind="pot-limit")
    assert offers(rules, "50%, a; a | add 1000% | force 1000%") == ["bet 100", "bet 200"]
    assert offers(rules, "50%, a; a", "bet 200") == ["raise 800"]


@pytest.mark.parametrize(
    ("menu", "words"),
    [
        ("60", "column 1: '60' is not a bet size: write 60% of the pot"),
        ("50%, 2y", "column 6: '2y' is not a bet size"),
        ("50%,", "column 5: '' is not a bet size"),
        ("50%; ", "column 5: a list of sizes is empty: write none"),
        ("0%", "column 1: '0%' is no share of a pot"),
        ("50%; 1x", "column 6: '1x' raises nothing"),
        ("2.5c", "column 1: '2.5c' is not a number of chips"),
        ("0e", "column 1: '0e' spreads all-in over 0 bets"),
        ("flop", "column 1: 'flop' has no sizes"),
        ("50% | turn donk 2x", "column 17: '2x' multiplies the last bet, and a donk bet has none"),
        ("donk 50%; 2x", "column 9: a donk menu is one list"),
        ("cap", "column 1: 'cap' is followed by one whole number"),
        ("cap 2.5", "column 5: 'cap' is followed by one whole number"),
        ("oop cap 3", "column 1: a cap holds for both players"),
        ("50%\nmerge 1", "line 2, column 7: 'merge' is followed by one share of the pot"),
        ("turn add 10%", "column 1: 'add' holds for the whole tree"),
        ("+", "column 1: a line is missing behind '\\+'"),
        ("50% | + chek", "column 9: 'chek' is not an action"),
        ("50% | + check, bet", "column 16: 'bet' needs the total"),
        ("50% | + check 5, bet 40", "column 9: 'check 5' has an amount"),
        # mistakes that only the rules show
        ("2x", "column 1: '2x' multiplies the last bet, and the first list on the flop is for when there is none"),
        ("preflop 3x", "column 1: there is no preflop to bet on here: the streets are flop, turn, river"),
        ("flop donk 50%", "column 1: nobody can donk on the first street"),
        ("50% | + bet 91, check", "column 9: 'bet 91' is not possible here, where there is check, bet 90"),
        ("50% | + bet 90", "column 9: 'bet 90' is there already"),
        ("50% | + bet 911", "column 9: 'bet 911' cannot be added: a total from 1 to 910 is legal"),
        ("50% | + bet 90, raise 100", "column 17: 'raise 100' cannot be added: a total from 180 to 910"),
        ("50% | + raise 100", "column 9: 'raise 100' cannot be added: here it is 'bet 100'"),
        ("50% | + fold", "column 9: 'fold' cannot be added: only bets"),
        ("50% | + all-in, all-in | + all-in", "column 17: 'all-in' cannot be added: no bet is possible"),
        ("50% | - bet 91", "column 9: 'bet 91' is not possible here"),
        ("none | - check", "column 10: without 'check' there is nothing left"),
        (
            "a | - all-in, fold, check",
            "column 21: 'check' is not possible here, where there is nothing: the hand is over",
        ),
    ],
)
def test_mistakes(menu: str, words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        betting_tree(FLOP, menu)
    assert "\n" not in str(caught.value)


def test_limit_takes_no_menu() -> None:
    with pytest.raises(UserError, match="leave the menu out"):
        betting_tree(LIMIT_HOLDEM, "50%")


@given(st.text(alphabet="0123456789.%xcea,;|+- \nflopturndonkcapbmg", max_size=25))
def test_any_text_is_read_or_refused_in_one_sentence(text: str) -> None:
    said = ""
    try:
        parse_menu(text)
    except UserError as wrong:
        said = str(wrong)
    assert not said or ("column" in said and "\n" not in said)
