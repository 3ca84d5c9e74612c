"""Scripts and configurations of other programs as spots."""

from __future__ import annotations

import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.holdem.spot import Spot
from headsup.spots.foreign import pio_script, spot_text

TEXAS = """set_pot 20
set_effective_stack 50
set_board Td,9d,6h,Qc
set_range_oop AA,T9s:0.5
set_range_ip QQ,J8s
set_bet_sizes oop,turn,bet,50
set_bet_sizes oop,turn,raise,60
set_bet_sizes ip,turn,bet,50,100
set_bet_sizes oop,river,bet,50
set_bet_sizes oop,river,donk,25
set_bet_sizes ip,river,allin
set_allin_threshold 1
set_thread_num 8
"""
PIO = """#Type#NoLimit
#Range0#AA,T9s:0.5
#Range1#QQ,J8s
#Board#Td 9d 6h Qc
#Pot#20
#EffectiveStacks#50
#TurnConfig.BetSize#50
#TurnConfig.RaiseSize#60
#TurnConfigIP.BetSize#50 100
#RiverConfig.BetSize#50
#RiverConfig.DonkBetSize#25
#RiverConfigIP.AddAllin#True
"""
CONFIG = {
    "startingPot": 20, "effectiveStack": 50, "rakePercent": 5, "rakeCap": 3, "donkOption": 1,
    "oopTurnBet": "50", "oopTurnRaise": "60", "ipTurnBet": "50, 100", "oopRiverBet": "50", "oopRiverDonk": "25",
    "ipRiverBet": "a", "ipRiverRaise": "a", "addAllInThreshold": 0, "forceAllInThreshold": 0, "mergingThreshold": 0,
    "expectedBoardLength": 4, "addedLines": "", "removedLines": "",
}  # fmt: skip
MENU = "turn oop 50%; 60% | turn ip 50%, 100%; none | river oop 50%; none | river oop donk 25% | river ip a; a"
WANTED = Spot("Td9d6hQc", "AA,T9s:0.5", "QQ,J8s", 20, 50, menu=MENU)


def export(**changes: object) -> str:
    return json.dumps([{"path": ["mine"], "isGroup": False, "value": CONFIG | changes}])


@pytest.mark.parametrize("text", [TEXAS, PIO])
def test_scripts_give_the_same_spot_as_a_menu(text: str) -> None:
    spot = Spot.parse(spot_text(text))
    assert np.array_equal(spot.tree.paid, WANTED.tree.paid)
    assert spot.game().checksum == WANTED.game().checksum


def test_lines_of_a_script_build_its_tree() -> None:
    head = "".join(f"{line}\n" for line in PIO.splitlines() if "Config" not in line)
    spot = Spot.parse(spot_text(f"{head}clear_lines\nadd_line 0 10 50\nadd_line 10\nremove_line 10\nbuild_tree\n"))
    wanted = betting_tree(spot.rules, "none | + check, bet 10 | + check, bet 10, all-in 50")
    assert np.array_equal(spot.tree.paid, wanted.paid)


def test_a_configuration_gives_chips_and_menu() -> None:
    text = spot_text(export())
    spot = Spot.parse(f"{text}board: {WANTED.board}\noop: {WANTED.oop}\nip: {WANTED.ip}\n")
    assert (spot.pot, spot.stack, spot.rake) == (20, 50, "5%/3")
    assert np.array_equal(spot.tree.paid, WANTED.tree.paid)
    assert "add 150%" in spot_text(export(addAllInThreshold=150))
    flop = spot_text(export(expectedBoardLength=0, oopFlopBet="33, 2e")) + "board: Td9d6h\noop: AA\nip: KK\n"
    assert Spot.parse(flop).tree.actions(0) == ["check", "bet 7", "bet 14"]


@pytest.mark.parametrize(
    ("text", "part", "wrong"),
    [
        ("AA,KK", "", "is a range"),
        (export(), "other", "choose a configuration with --part: mine"),
        (export(addedLines="x"), "", "addedLines"),
        (export(startingPot="x"), "", "startingPot"),
        (TEXAS.replace("set_pot 20", "set_pot 2.5"), "", "whole number of chips"),
        (TEXAS.replace("set_pot 20", "set_pot x"), "", "not a number"),
        (TEXAS.replace("oop,turn,bet", "oop,turn,jam"), "", "bet, raise, donk or allin"),
        (TEXAS.replace("oop,turn,bet", "btn,turn,bet"), "", "oop or ip"),
        (TEXAS.replace("set_board Td,9d,6h,Qc", ""), "", "send set_board first"),
        (PIO.replace("#Pot#20", "#Pot#x"), "", "whole number"),
    ],
)
def test_mistakes_are_named(text: str, part: str, wrong: str) -> None:
    with pytest.raises(UserError, match=wrong):
        spot_text(text, part=part)


@given(
    st.sampled_from([TEXAS, PIO, export(), PIO + "add_line 0 10 50\nremove_line 10\n"]),
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from([*'0-9#,:{}[]" \n', "", "1e999", "NaN", "٣", "9" * 30]))),
)
def test_damaged_scripts_are_spots_or_one_sentence(text: str, changes: list[tuple[int, str]]) -> None:
    for at, letters in changes:
        at %= len(text) + 1
        text = text[:at] + letters + text[at + 1 :]
    with suppress(UserError):
        assert "pot: " in spot_text(text)


@pytest.mark.parametrize("menu", [MENU, "turn oop 50%; a | river ip a; a"])
def test_a_spot_becomes_a_script_with_the_same_tree(menu: str) -> None:
    spot = Spot("Td9d6hQc", "AA,T9s:0.5", "QQ,J8s", 20, 50, menu=menu, rake="5%/3")
    script = pio_script(spot.text())
    again = Spot.parse(spot_text(script))
    trees = again.game().betting, spot.game().betting
    assert [trees[0].line(node) for node in range(trees[0].n_nodes)] == [
        trees[1].line(node) for node in range(trees[1].n_nodes)
    ]
    assert np.allclose([hands.weights for hands in again.ranges], [hands.weights for hands in spot.ranges])
    assert (again.board, again.rake) == (spot.board, spot.rake)
    assert script.splitlines()[-1] == "build_tree"


def test_a_spot_that_other_programs_do_not_know_is_refused() -> None:
    with pytest.raises(UserError, match="equal stacks"):
        pio_script(Spot("Td9d6hQc", "AA", "QQ", 20, (50, 40), bets="a").text())
