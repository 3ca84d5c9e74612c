"""Spots as records and as text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.cards import cards_name
from headsup.cards.ranges import parse_range
from headsup.common.errors import DataError, UserError
from headsup.games.holdem.spot import Spot

TEXT = """
# a comment, and blank lines

board: Td 9d 6h Qc 2s
oop: AA, KQs   # a set and a draw
ip: QQ:0.5,JJ
pot: 200
stack: 900, 850
bets: 60%, a
raises:   2.5x
rake: 5%/30
dead: Ac
"""


def small(**changes: Any) -> Spot:
    return Spot(**({"board": "Td9d6hQc2s", "oop": "AA", "ip": "JJ", "pot": 20, "stack": 90, "bets": "50%"} | changes))


def test_text_is_read_and_written() -> None:
    spot = Spot.parse(TEXT)
    assert (spot.board, spot.pot, spot.stacks, spot.dead) == ("Td9d6hQc2s", 200, (900, 850), "Ac")
    assert spot.menu_text == "60%, a; 2.5x"
    assert (spot.rules.rake, spot.rules.rake_cap) == (0.05, 30.0)
    assert spot.ranges[0].combos == 3 + 3  # of the aces one is dead, of the suited kings the queen of clubs is out
    assert Spot.parse(spot.text()) == spot
    assert repr(spot) == (
        "<Spot Td9d6hQc2s: 6 combos against 9 combos, pot 200, stack 900 and 850, 60%, a; 2.5x, rake 5%/30>"
    )


def test_a_file(tmp_path) -> None:
    path = tmp_path / "a.spot"
    small(menu="cap 2\ndonk 30%").write(path)
    assert path.read_text().startswith("# ")
    assert Spot.read(path) == small(menu="cap 2 | donk 30%")
    path.write_text("board: QsJh2h\nfoo: 3\n")
    with pytest.raises(DataError, match=r"a\.spot, line 2: 'foo' is no part of a spot"):
        Spot.read(path)


def test_fields_of_text_change_a_spot() -> None:
    spot = small()
    assert Spot.from_fields({"pot": " 200 ", "stack": "900,850", "bets": None}, spot) == spot.with_(
        pot=200, stack=(900, 850)
    )
    assert Spot.from_fields({"swaps": "in turn"}, small(board="Td9d6hQc")).swaps == "in turn"
    with pytest.raises(UserError, match="a spot needs oop, ip, stack: fill them in"):
        Spot.from_fields({"board": "QsJh2h", "oop": "", "ip": None, "pot": "20"}, hint="fill them in")


SIZES = st.lists(st.sampled_from(["33%", "75%", "a", "100c", "e"]), min_size=1, max_size=3, unique=True).map(", ".join)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_spot_comes_back_from_its_text(data: st.DataObject) -> None:
    cards = data.draw(st.lists(st.integers(0, 51), min_size=5, max_size=7, unique=True))
    n = data.draw(st.integers(3, 5))
    spot = Spot(
        cards_name(cards[:n]),
        data.draw(st.sampled_from(["22+,A2s+", "AK:0.25,QQ", "random"])),
        parse_range("TT+,AJs+"),
        data.draw(st.integers(1, 500)),
        data.draw(st.one_of(st.integers(1, 300), st.tuples(st.integers(1, 300), st.integers(1, 300)))),
        bets=data.draw(SIZES),
        raises=data.draw(st.sampled_from(["", "3x", "2.5x, a", "none"])),
        river=data.draw(st.sampled_from(["", "50%; a"])),
        menu=data.draw(st.sampled_from(["cap 2", "cap 2 | donk 25%"])),
        rake=data.draw(st.sampled_from(["", "5%", "2.5%/3"])),
        dead=cards_name(cards[5:]),
    )
    again = Spot.parse(spot.text())
    assert again == spot
    assert again.ranges == spot.ranges
    assert again.text() == spot.text()


def test_the_game_is_the_spot() -> None:
    game = Spot("QsJh2h", "AA,KQ", "TT,98s", 180, (910, 400), bets="52%", raises="2.5x", turn="a").game()
    assert game.name == "spot QsJh2h"
    assert game.text is not None
    assert game.boards.streets == (0, 1, 1)
    assert game.betting.actions(0) == ["check", "bet 94"]
    assert game.betting.actions(game.betting.find("check, check/")) == ["check", "all-in 400"]
    other = Spot("QsJh2h", "KK,AQ", "TT,98s", 180, (910, 400), bets="52%", raises="2.5x", turn="a").game()
    assert other.showdown.sizes == game.showdown.sizes
    assert other.checksum != game.checksum  # as many hands, but not the same ones


MISTAKES: list[tuple[dict[str, Any], str]] = [
    ({"board": "Td9d"}, "board: a spot begins with three, four or five cards, not 2"),
    ({"board": "Td9dTd"}, "board: .*Td twice"),
    ({"board": "xx9dTd"}, "board: 'xx' is not a card"),
    ({"dead": "Td"}, "dead: Td is on the board"),
    ({"oop": "AAx"}, "oop, column"),
    ({"ip": ""}, "ip, column"),
    ({"ip": "TdTh", "dead": "Th"}, "ip: the board and the dead cards leave no hand of 'TdTh'"),
    ({"oop": "AsAh", "ip": "AsKs"}, "no two hands of the two ranges can be dealt together"),
    ({"pot": 0}, "pot: chips must be at least 1, not 0"),
    ({"pot": 2.5}, "pot: chips must be a whole number, not 2.5"),
    ({"pot": 10**12}, "pot: 1,000,000,000,000 chips are more than"),
    ({"stack": (5, 0)}, "stack: chips must be at least 1, not 0"),
    ({"stack": (5, 6, 7)}, "stack: one number for both or two"),
    ({"bets": ""}, "bets: say what may be bet"),
    ({"bets": "", "raises": "3x"}, "raises: there are none without bets"),
    ({"bets": "half"}, "bets: 'half' is not a list of sizes"),
    ({"bets": "50%, x"}, "bets, column 6: 'x' is not a bet size"),
    ({"raises": "3x, y"}, "raises, column 5: 'y' is not a bet size"),
    ({"bets": "2x"}, "'2x' multiplies the last bet"),
    ({"bets": "50% | cap 2"}, "bets: one menu without bars"),
    ({"turn": "50%"}, "turn: a spot with 5 cards has no betting on the turn"),
    ({"menu": "cap"}, "menu, column 1: 'cap' is followed by one whole number"),
    ({"rake": "5"}, "rake: '5' is not a rake"),
    ({"rake": "100%"}, "rake: '100%' is not a rake"),
    ({"rake": 0.05}, "rake: write it as text, not 0.05"),
    ({"menu": "cap 2 # two"}, "menu: # begins a comment"),
]


@pytest.mark.parametrize(("changes", "sentence"), MISTAKES, ids=[sentence for _, sentence in MISTAKES])
def test_mistakes_are_one_sentence(changes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence) as error:
        small(**changes).game()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "a spot needs board, oop, ip, pot, stack: add a line such as board: QsJh2h"),
        ("board: QsJh2h\nboard: QsJh2h", "line 2: board was given on line 1 already"),
        ("board:", "line 1: board has no value"),
        ("hello", "line 1: 'hello' is no part of a spot"),
        (TEXT.replace("200", "two"), "line 7: pot: 'two' is not a whole number of chips"),
        (TEXT.replace("850", "x"), "line 8: stack: '900, x' is not a whole number of chips, or two such as"),
        (TEXT.replace("KQs", "KQz"), "line 5: oop, column"),
        (TEXT.replace("5%/30", "much"), "line 11: rake: 'much' is not a rake"),
    ],
)
def test_mistakes_in_a_text_name_the_line(text: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        Spot.parse(text)
