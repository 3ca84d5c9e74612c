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
from headsup.games.betting.rules import Betting
from headsup.games.holdem.spot import Spot
from headsup.spots.foreign import spot_text, write_spot
from headsup.spots.foreign.texassolver import BetSizes, SizesPlace
from headsup.spots.upi.lines import lines_offered, menu_of

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
        (export(removedLines="X-B"), "", "removedLines"),
        (TEXAS.replace("turn,bet,50", "turn,bet,-5"), "", "above 0 %"),
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


RAKED = Spot("Td9d6hQc", "AA,T9s:0.5", "QQ,J8s", 20, 50, menu=MENU, rake="5%/3")
FLOP = "QsJh2h", "QQ+,AK,T9s:0.25", "random"


def lines(spot: Spot) -> list[str]:
    return sorted(spot.tree.line(node) for node in range(spot.tree.n_nodes))


def read_back(text: str, spot: Spot) -> Spot:
    """The spot of a script, or of a configuration with the board and ranges that it does not have."""
    known = spot_text(text)
    return Spot.parse(known if "board: " in known else f"{known}board: {spot.board}\noop: {spot.oop}\nip: {spot.ip}\n")


@pytest.mark.parametrize("menu", [MENU, "turn oop 50%; a | river ip a; a", "none", "50% | - check, bet 10, call"])
@pytest.mark.parametrize("name", ["pio", "wasm-postflop"])
def test_a_spot_becomes_a_script_with_the_same_tree(menu: str, name: str) -> None:
    spot = RAKED.with_(menu=menu)
    again = read_back(write_spot(spot.text(), name).text, spot)
    assert lines(again) == lines(spot)
    assert np.allclose([hands.weights for hands in again.ranges], [hands.weights for hands in spot.ranges])
    assert (again.board, again.rake) == (spot.board, spot.rake)


@pytest.mark.parametrize(
    ("menu", "chips"),
    [
        (MENU, (20, 50)),
        ("none", (20, 50)),
        ("33%, 75%; 60% | cap 4", (180, 910)),
        ("52%; a | cap 4", (55, 200)),
        ("flop 40c; none | turn 50%, 150% | river a; 50%", (100, 1000)),
        ("50% | turn oop donk 25% | river oop donk none | cap 4", (61, 300)),
    ],
)
def test_texassolver_gets_percentages_that_give_the_same_tree(menu: str, chips: tuple[int, int]) -> None:
    cards = FLOP if "flop" in menu or "cap" in menu else (WANTED.board, WANTED.oop, WANTED.ip)
    spot = Spot(*cards, *chips, menu=menu)
    script, note = write_spot(spot.text(), "texassolver")
    again = Spot.parse(spot_text(script))
    assert (lines(again) == lines(spot)) == (not note)
    assert set(lines(again)) <= set(lines(spot))
    assert np.array_equal(again.ranges[0].weights, spot.ranges[0].weights)
    assert script.startswith(f"set_pot {spot.pot}\n")
    assert script.endswith("build_tree\n")
    assert write_spot(again.text(), "texassolver") == (script, "")


def test_bets_that_texassolver_never_makes_are_counted() -> None:
    spot = WANTED.with_(menu="turn ip 100%; none | turn oop none; 60% | river none | + bet 30 | + bet 30, all-in 50")
    script, note = write_spot(spot.text(), "texassolver")
    assert "has a bet of this tree, such as 'bet 30, all-in 50'" in note
    assert set(lines(spot)) - set(lines(Spot.parse(spot_text(script)))) >= {"bet 30, all-in 50"}


def test_the_pots_of_texassolver_keep_their_sizes() -> None:
    script = write_spot(WANTED.text(), "texassolver").text.splitlines()
    sizes = [line.split()[1] for line in script if line.startswith("set_bet_sizes")]
    assert sizes == ["oop,turn,bet,50", "oop,turn,raise,60", "oop,river,bet,50", "oop,river,donk,25",
                     "ip,turn,bet,50,100", "ip,river,allin"]  # fmt: skip


def naive_texassolver(sizes: BetSizes, pot: int, stack: int) -> set[tuple[int, ...]]:
    """All lines that end with a bet, by the rules of TexasSolver from what each player has committed."""
    made = set[tuple[int, ...]]()

    def act(street: int, me: int, in_: list[float], line: tuple[int, ...], bets: int, checks: int, donk: bool) -> None:
        gap, behind = in_[1 - me] - in_[me], stack + pot / 2 - in_[me]
        nobody_is_all_in = max(in_) < stack + pot / 2
        kind = "raise" if gap else "donk" if donk and me == 0 and not checks else "bet"
        streets = ("turn", "river")
        amounts = set[float]()
        for percent in sizes.percents.get(SizesPlace(streets[street], me, kind), ()):
            amount = float(int(percent / 100 * 2 * max(in_) + 0.5)) + gap
            if amount + in_[me] > (stack + pot / 2) * sizes.threshold:
                amount = behind
            amounts.add(min(amount, behind))
        if (streets[street], me) in sizes.all_in:
            amounts.add(behind)
        for amount in amounts if nobody_is_all_in and bets < 4 else ():
            if amount > gap and amount >= 2 * gap:
                after = list(in_)
                after[me] += amount
                longer = (*line, int(after[me] - pot / 2))
                made.add(longer)
                act(street, 1 - me, after, longer, bets + 1, 0, False)
        passive = (*line, int(in_[1 - me] - pot / 2))
        level = [max(in_)] * 2
        if not gap and checks == 0 and me == 0:
            act(street, 1, in_, passive, 0, 1, False)
        elif street == 0 and max(in_) < stack + pot / 2:
            act(1, 0, level, passive, 0, 0, bool(gap) and me == 0)

    act(0, 0, [pot / 2, pot / 2], (), 0, 0, False)
    return made


@given(
    st.dictionaries(
        st.builds(
            SizesPlace, st.sampled_from(["turn", "river"]), st.integers(0, 1), st.sampled_from(["bet", "raise", "donk"])
        ),
        st.lists(st.sampled_from([10.0, 33.0, 50.0, 100.0, 250.0]), max_size=2).map(tuple),
    ),
    st.sets(st.tuples(st.sampled_from(["turn", "river"]), st.integers(0, 1))),
    st.sampled_from([0.5, 0.75, 1.0]),
    st.integers(3, 60),
    st.integers(1, 120),
)
def test_trees_of_texassolver_follow_its_rules(
    percents: dict[SizesPlace, tuple[float, ...]], all_in: set[tuple[str, int]], threshold: float, pot: int, stack: int
) -> None:
    sizes = BetSizes(percents, all_in, threshold)
    rules = Betting(first=(0, 0), stacks=(stack, stack), pot=pot)
    made = {edit.line for edit in lines_offered(rules, sizes.offered(rules))}
    assert made == naive_texassolver(sizes, pot, stack)
    spot = Spot("Td9d6hQc", "AA", "KK", pot, stack, bets="none", menu=menu_of(rules, lines_offered(rules, sizes.offered(rules))))  # noqa: E501  # fmt: skip
    with suppress(UserError):
        assert lines(Spot.parse(spot_text(write_spot(spot.text(), "texassolver").text))) == lines(spot)


def test_sizes_of_wasm_postflop_stay_sizes() -> None:
    menu = "33%, 2e; 2.5x, a | turn oop donk 25% | river ip pot; 60c | add 150% | force 15% | merge 10%"
    spot = Spot(*FLOP, 180, 910, menu=menu)
    (item,) = json.loads(write_spot(spot.text(), "wasm-postflop").text)
    values = item["value"]
    assert (values["oopFlopBet"], values["ipRiverBet"], values["ipRiverRaise"]) == ("33%, 2e", "100%", "60c")
    assert (values["donkOption"], values["oopTurnDonk"], values["oopRiverDonk"]) == (1, "25%", "33%, 2e")
    assert (values["addAllInThreshold"], values["forceAllInThreshold"], values["mergingThreshold"]) == (150, 15, 10)
    assert (values["expectedBoardLength"], values["addedLines"], values["removedLines"]) == (0, "", "")
    assert lines(read_back(json.dumps([item]), spot)) == lines(spot)


def test_other_trees_of_wasm_postflop_are_written_line_by_line() -> None:
    spot = WANTED.with_(menu="turn 50%; a | turn cap 1 | + check, check, bet 7 | + check, check, bet 7, raise 21")
    (item,) = json.loads(write_spot(spot.text(), "wasm-postflop").text)
    assert item["value"]["expectedBoardLength"] == 4
    assert item["value"]["addedLines"].split(",") == ["B10", "X-B10", "X-X|B7", "X-X|B7-R21"]
    assert lines(read_back(json.dumps([item]), spot)) == lines(spot)


@pytest.mark.parametrize(
    ("spot", "name", "wrong"),
    [
        (Spot("Td9d6hQc", "AA", "QQ", 20, (50, 40), bets="a"), "pio", "equal stacks"),
        (WANTED, "hrc", "a spot is not written as hrc: choose from pio, texassolver, wasm-postflop"),
        (RAKED, "texassolver", "has no rake"),
        (WANTED.with_(oop="AhAd,KK"), "texassolver", "different weights"),
        (WANTED.with_(menu="50% | + check, check, bet 7"), "texassolver", "'bet 10, call, bet 14' would be added"),
        (WANTED.with_(menu="50% | - check, bet 10, call"), "texassolver", "every check and call"),
        (WANTED.with_(pot=2), "texassolver", "multiply all chips by 10"),
        (WANTED.with_(pot=40_000), "wasm-postflop", "at most 30,000 chips"),
    ],
)
def test_a_spot_that_other_programs_do_not_know_is_refused(spot: Spot, name: str, wrong: str) -> None:
    with pytest.raises(UserError, match=wrong):
        write_spot(spot.text(), name)
