"""Gambit files: what others wrote comes in, what we write comes back, and what is broken is named."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.common.errors import DataError, UserError
from headsup.games import flatten, game, sequence_form
from headsup.games.trees.efg import parse_efg, read_efg, write_efg
from headsup.solve.small.lp import sequence_lp

# Stripped-down poker (Reiley, Urbancic and Walker 2008; value 1/3 for Alice) in as many corners of the format as fit:
# payoffs at inner nodes, payoff numbers used again, sets named once, fractions and decimals, with and without commas.
CARD_GAME = """EFG 2 R "A card game" { "Alice" "Bob" }
"ante 1, raise 1"
c "ROOT" 1 "(0,1)" { "King" 1/2 "Queen" 0.5 } 0
p "" 1 1 "has king" { "Bet" "Fold" } 0
p "" 2 1 "Bob" { "Call" "Fold" } 1 "bet" { 1, -1 }
t "" 2 "more" { 1 -1 }
t "" 0
t "" 3 "lost" { -1, 1 }
p "" 1 2 "has queen" { "Bet" "Fold" } 0
p "" 2 1 1
t "" 4 "" { -3, 3 }
t "" 0
t "" 3
"""


def test_a_file_by_hand() -> None:
    one = parse_efg(CARD_GAME)
    assert one.title == "A card game"
    tree = flatten(one)
    assert tree.n_nodes == 11
    assert sorted(tree.payoff[tree.player == -2]) == [-2, -1, -1, 1, 1, 2]
    value, _ = sequence_lp(tree.sequence_form())
    assert value == pytest.approx(1 / 3, abs=1e-12)
    assert one.actions(one.root()) == ("King", "Queen")


@pytest.mark.parametrize("name", ["rps", "andersson", "kuhn", "spades", "numbers:n=3,stack=3", "liars_dice:sides=2"])
def test_round_trip(name: str, tmp_path: Path) -> None:
    path = tmp_path / "game.efg"
    text = write_efg(game(name), path)
    assert write_efg(read_efg(path)).splitlines()[1:] == text.splitlines()[1:]
    ours, back = sequence_form(game(name)), sequence_form(read_efg(path))
    tables = [seat.table(seat.uniform()) for seat in ours.seats]
    plans = back.plans((back.seats[0].from_table(tables[0]), back.seats[1].from_table(tables[1])))
    assert back.best_values(plans) == pytest.approx(ours.best_values(ours.plans(ours.uniform())), abs=1e-12)


def test_sets_of_one_name_stay_apart() -> None:
    text = CARD_GAME.replace('"has king"', '"card"').replace('"has queen"', '"card"')
    tree = flatten(parse_efg(text))
    assert [tree.labels[0].infoset(i) for i in range(2)] == ["card (1)", "card (2)"]


def test_quotes_in_names() -> None:
    text = CARD_GAME.replace('"King"', r'"the \"K\" \\ king"')
    one = parse_efg(text)
    assert one.actions(0)[0] == 'the "K" \\ king'
    assert parse_efg(write_efg(one)).actions(0)[0] == 'the "K" \\ king'


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("EFG", "NFG", "starts with EFG"),
        ('"Bob" }', '"Bob" "Carol" }', "3 players"),
        ("{ -3, 3 }", "{ -3, 4 }", "general-sum"),
        ("{ -3, 3 }", "{ -3 }", "two players need two"),
        ("{ -3, 3 }", "{ -x, 3 }", "expected a payoff"),
        ("{ -3, 3 }", "{ 1/0, 3 }", "expected a payoff"),
        ("0.5", "0.4", "instead of 1"),
        ('t "" 3\n', "", "the file ends"),
        ('t "" 3\n', 't "" 3\nt "" 3\n', "the file continues"),
        ('t "" 3\n', 't "" 9\n', "before it is given"),
        ('p "" 2 1 1', 'p "" 2 7 1', "without its actions"),
        ('p "" 2 1 1', 'p "" 3 1 1', "no player 3"),
        ('p "" 2 1 1', 'p "" 2 1 { "Call" } 1', "actions here"),
        ('"ante', "ante", "expected|never closed"),
        ('c "ROOT"', 'x "ROOT"', "expected a node"),
    ],
)
def test_broken_files_get_one_sentence(old: str, new: str, words: str) -> None:
    assert old in CARD_GAME
    with pytest.raises(DataError, match=words) as caught:
        parse_efg(CARD_GAME.replace(old, new, 1), "game.efg")
    assert str(caught.value).startswith("game.efg, line ")
    assert "\n" not in str(caught.value)


def test_imperfect_recall_is_refused() -> None:
    text = 'EFG 2 R "" { "a" "b" }\np "" 1 1 "x" { "l" "r" } 0\np "" 1 1 0\nt "" 1 "" { 1 -1 }\nt "" 1\nt "" 1\n'
    with pytest.raises(UserError, match="imperfect recall"):
        flatten(parse_efg(text))


def test_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "x.efg"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(DataError, match="not a text file"):
        read_efg(path)


@settings(max_examples=150, deadline=None)
@given(st.integers(0, len(CARD_GAME) - 1), st.sampled_from(["", '"', "{", "}", "x", " ", "1", "-"]), st.booleans())
def test_a_damaged_file_never_crashes(at: int, put: str, drop: bool) -> None:
    text = CARD_GAME[:at] + put + CARD_GAME[at + drop :]
    try:
        tree = flatten(parse_efg(text))
    except UserError:
        return
    assert np.isfinite(tree.payoff).all()


@pytest.mark.parametrize(
    "number",
    [
        *("1e400", "1e-400", "1e101", "1e30000000", "1e-30000000", "1e1_000_000", "1E+0009999999"),
        "9" * 5000,
        "1/" + "3" * 500,
    ],
    ids=lambda text: text[:12],
)
def test_numbers_beyond_floats_are_refused_before_they_are_made(number: str) -> None:
    for text in (
        f'EFG 2 R "x" {{ "a" "b" }}\nt "" 1 "" {{ {number}, -{number} }}',
        f'EFG 2 R "x" {{ "a" "b" }}\nc "" 1 "" {{ "l" {number} "r" 1/2 }} 0\nt "" 0\nt "" 0',
    ):
        with pytest.raises(DataError, match=r"line 2: .*1e100") as caught:
            parse_efg(text)
        assert len(str(caught.value)) < 700


@pytest.mark.parametrize("where", ['t "" {} "" {{ 1, -1 }}', 'p "" 1 {} "" {{ "l" }} 0', 'p "" {} 1 "" {{ "l" }} 0'])
def test_endless_whole_numbers_are_refused(where: str) -> None:
    with pytest.raises(DataError, match=r"line 2: expected .* 5,000 characters"):
        parse_efg('EFG 2 R "x" { "a" "b" }\n' + where.format("9" * 5000))


@pytest.mark.parametrize("number", ["0", "1e100", "-1e-100", "0.1e+05", "7/3", "1e0000001"])
def test_numbers_in_bounds_are_read(number: str) -> None:
    other = number[1:] if number.startswith("-") else f"-{number}"
    read = parse_efg(f'EFG 2 R "x" {{ "a" "b" }}\nt "" 1 "" {{ {number}, {other} }}')
    assert flatten(read).payoff[0] == float(Fraction(number))


TWINS = """EFG 2 R "twins" { "a" "b" }
p "" 1 1 "x" { "go" "go" "go (2)" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 3 -3 }
t "" 3 "" { 2 -2 }
"""


def test_actions_of_one_name_stay_apart() -> None:
    form = sequence_form(parse_efg(TWINS))
    seat = form.seats[0]
    sigma = sequence_lp(form)[1][0]
    table = seat.table(sigma)
    assert table == {"x": {"go": 0.0, "go (3)": 1.0, "go (2)": 0.0}}
    assert (seat.from_table(table) == sigma).all()


def test_information_sets_of_one_name_stay_apart_from_every_other() -> None:
    ends = ['t "" 1 "" { 1 -1 }', 't "" 2 "" { 2 -2 }']
    sets = [line for number, name in ((1, "s"), (2, "s"), (3, "s (1)")) for line in _a_set(number, name, ends)]
    text = "\n".join(['EFG 2 R "x" { "a" "b" }', 'c "" 1 "" { "l" 1/3 "m" 1/3 "r" 1/3 } 0', *sets])
    assert sequence_form(parse_efg(text)).seats[0].n_infosets == 3


def _a_set(number: int, name: str, ends: list[str]) -> list[str]:
    return [f'p "" 1 {number} "{name}" {{ "l" "r" }} 0', *ends]


def test_a_path_with_a_zero_byte_is_one_sentence() -> None:
    with pytest.raises(UserError, match=r"^path must be the path of a file"):
        read_efg("a\0b.efg")
