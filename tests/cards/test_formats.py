"""Ranges of other programs: what is written reads back, what is pasted is recognised, and mistakes are one sentence."""

from __future__ import annotations

import json
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.classes import holdem_class_of_combo
from headsup.cards.ranges import Range, parse_range
from headsup.cards.ranges.formats import NAMES, read_range, recognise, write_range
from headsup.common.errors import UserError
from headsup.spots.upi.numbers import hand_order


@st.composite
def ranges(draw: st.DrawFn, suits: bool = True, weights: bool = True) -> Range:
    """Ranges with a few weights, some of them of single hands; none is empty."""
    units = np.zeros(1326, dtype=int)
    numbers = st.sampled_from([10_000, 5_000, 1, 3_333, 9_999]) if weights else st.just(10_000)
    for kind in draw(st.lists(st.integers(0, 168), min_size=1, max_size=12)):
        units[holdem_class_of_combo() == kind] = draw(numbers)
    if suits:
        for hand in draw(st.lists(st.integers(0, 1325), max_size=5)):
            units[hand] = draw(numbers)
    return Range("holdem", units / 10_000)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("hrc", "texassolver")])
@given(ranges())
def test_what_is_written_reads_back(name: str, hands: Range) -> None:
    text = write_range(hands, name)
    assert read_range(text, name).hands == hands
    known = read_range(text)  # recognised
    assert known.hands == hands
    assert known.format in (name, "headsup")


@given(ranges(suits=False))
def test_what_is_written_for_texassolver_reads_back(hands: Range) -> None:
    assert read_range(write_range(hands, "texassolver"), "texassolver").hands == hands


@given(ranges(suits=False, weights=False))
def test_what_is_written_for_hrc_reads_back(hands: Range) -> None:
    text = write_range(hands, "hrc")
    assert read_range(text) == (hands, "hrc")


def test_weights_have_the_order_of_piosolver() -> None:
    weights = ["0"] * 1326
    weights[hand_order().index("AhKh")] = "0.25"
    weights[0] = "1"  # 2d2c
    text = " ".join(weights)
    assert read_range(text) == (parse_range("AhKh:0.25,2d2c"), "pio")
    assert write_range(parse_range("AhKh:0.25,2d2c"), "pio") == text


TEXAS = "set_pot 50\nset_board Qs,Jh,2h\nset_range_ip AA,KK:0.5\nset_range_oop QQ:0.25,AK\n"
PIO = "#Type#NoLimit\n#Range0#AA,KQ:0.5\n#Range1#JJ\n#Board#Qs Jh 2h\n"
SCRIPT = f"set_range OOP {write_range(parse_range('AKs:0.5'), 'pio')}\nset_range IP QQ\n"
RESULT = json.dumps(
    {
        "player": 1,
        "node_type": "action_node",
        "actions": ["CHECK", "BET 25"],
        "strategy": {"actions": ["CHECK", "BET 25"], "strategy": {"AhKh": [0.25, 0.75], "QdQc": [1.0, 0.0]}},
        "childrens": {
            "CHECK": {
                "strategy": {"actions": ["CHECK", "BET 50"], "strategy": {"JsJh": [0.5, 0.5]}},
                "childrens": {
                    "CHECK": {
                        "node_type": "chance_node",
                        "dealcards": {"Ah": {"strategy": {"actions": ["CHECK"], "strategy": {"TsTh": [1.0]}}}},
                    }
                },
            },
        },
    }
)
NODE = json.dumps(
    {
        "player": 0,
        "actions": [{"type": "F", "amount": 0}, {"type": "R", "amount": 2500}, {"type": "R", "amount": 9000}],
        "hands": {"AA": {"weight": 1.0, "played": [0.0, 0.25, 0.75]}, "72o": {"weight": 0.5, "played": [0.5, 0.5, 0]}},
    }
)
EXPORT = json.dumps(
    [
        {"path": ["BTN"], "isGroup": True},
        {"path": ["BTN", "open"], "isGroup": False, "value": "AA,A5s-A4s:0.5"},
        {"path": ["call"], "isGroup": False, "value": "QQ"},
    ]
)
CASES = [
    (TEXAS, "ip", "texassolver", "AA,KK:0.5"),
    (TEXAS, "OOP", "texassolver", "QQ:0.25,AK"),
    (RESULT, "", "texassolver", "AhKh,QdQc"),
    (RESULT, "BET 25", "texassolver", "AhKh:0.75"),
    (RESULT, "bet", "texassolver", "AhKh:0.75"),
    (RESULT, "CHECK/BET 50", "texassolver", "JsJh:0.5"),
    (RESULT, "CHECK/CHECK/Ah/CHECK", "texassolver", "TsTh"),
    (RESULT, "CHECK/CHECK/ah/", "texassolver", "TsTh"),
    (PIO, "oop", "pio", "AA,KQ:0.5"),
    (PIO, "ip", "pio", "JJ"),
    (SCRIPT, "oop", "pio", "AKs:0.5"),
    (SCRIPT, "ip", "pio", "QQ"),
    (NODE, "", "hrc", "AA,72o:0.5"),
    (NODE, "R 2500", "hrc", "AA:0.25,72o:0.25"),
    (NODE, "f", "hrc", "72o:0.25"),
    ("0.90%, AA KK", "", "hrc", "AA,KK"),
    (EXPORT, "BTN/open", "wasm-postflop", "AA,A5s-A4s:0.5"),
    (EXPORT, "call", "wasm-postflop", "QQ"),
    ("[50.0]AKs, AQs[/50.0], AA-QQ,[12.5]AhKd[/12.5]", "", "gto+", "QQ+,AKs:0.5,AQs:0.5,AhKd:0.125"),
    ("AA:0.5,AKs:1.0,AhKd:0.125", "", "headsup", "AA:0.5,AKs,AhKd:0.125"),
    ("15%,22", "", "headsup", "15%,22"),
]


@pytest.mark.parametrize(("text", "part", "name", "wanted"), CASES)
def test_texts_are_recognised_and_read(text: str, part: str, name: str, wanted: str) -> None:
    assert recognise(text) == name
    assert read_range(text, part=part).hands == parse_range(wanted)
    assert read_range(text, name, part).hands == parse_range(wanted)


WRONG = [
    (TEXAS, "", "several parts: choose one with --part: ip, oop"),
    (TEXAS, "btn", "no part 'btn'"),
    (RESULT, "FOLD", "no part 'FOLD'"),
    (RESULT, "BET 25/CALL", "no part 'BET 25'"),
    (NODE, "R", "no part 'R'"),
    (EXPORT, "", "several parts"),
    ("AA", "oop", "one range"),
    ("[50]AA", "", "not closed"),
    ("[50]AA[/40]", "", "there must be"),
    ("AA[/40]", "", "does not fit"),
    ("[150]AA[/150]", "", "more than 100"),
    ("0 " * 1325, "", "not 1,325"),
    ("2 " * 1326, "", "between 0 and 1"),
    ("[{}]", "", "not an export of wasm-postflop"),
    ("{}", "", "not an export of TexasSolver"),
    ('{"hands": {"AA": {"weight": "x"}}}', "", "not an export of HRC"),
    ('{"hands": {"AA": {"weight": 2}}}', "", "weights lie"),
    ('{"hands": {"ZZ": {"weight": 1}}}', "", "ZZ"),
    ("{" * 100_000, "", "not JSON"),
    ("[{" * 5_000 + "1", "", "not JSON"),
    ("[]", "", "no ranges"),
]


@pytest.mark.parametrize(("text", "part", "wrong"), WRONG, ids=lambda value: str(value)[:20])
def test_mistakes_are_named(text: str, part: str, wrong: str) -> None:
    with pytest.raises(UserError, match=r"^[^\n]{1,400}$") as error:
        read_range(text, part=part)
    assert wrong in str(error.value)


@given(st.sampled_from([None, *NAMES]), st.lists(st.sampled_from([*TEXAS, *"[]{}:\"'/%#\n٣½", "AA", "[50]", "[/50]",
                                                                    '{"hands":', "null", "1e999"]), max_size=30),
       st.sampled_from(["", "oop", "a/b"]))  # fmt: skip
def test_garbage_is_a_range_or_one_sentence(name: str | None, words: list[str], part: str) -> None:
    with suppress(UserError):
        assert read_range("".join(words), name, part).hands.game == "holdem"


def test_formats_without_suits_or_weights_refuse_them() -> None:
    with pytest.raises(UserError, match="different weights"):
        write_range(parse_range("AhKh"), "texassolver")
    with pytest.raises(UserError, match="no weights"):
        write_range(parse_range("AA:0.5"), "hrc")
    with pytest.raises(UserError, match="no format 'x'"):
        write_range(parse_range("AA"), "x")
    with pytest.raises(UserError, match="no hands"):
        write_range(parse_range("none"), "list")
    with pytest.raises(UserError, match="hold'em"):
        write_range(parse_range("AA**", "omaha"), "list")
    assert write_range(parse_range("none"), "pio").split() == ["0"] * 1326


@given(
    st.sampled_from([None, *NAMES]),
    st.sampled_from([TEXAS, PIO, RESULT, NODE, EXPORT, "[50.0]AKs, AQs[/50.0], AA-QQ"]),
    st.lists(st.tuples(st.integers(0, 10**6), st.sampled_from([*'0-9#,:{}[]" \n', "", "1e999", "NaN", "٣", "9" * 30]))),
)
def test_damaged_texts_are_ranges_or_one_sentence(name: str | None, text: str, changes: list[tuple[int, str]]) -> None:
    for at, letters in changes:
        at %= len(text) + 1
        text = text[:at] + letters + text[at + 1 :]
    for part in ("", "oop", "CHECK/BET 50"):
        with suppress(UserError):
            assert read_range(text, name, part).hands.game == "holdem"
