"""What `import headsup` shows, and what its records say of themselves."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import headsup
from headsup.common.backend import JIT_DISABLED
from headsup.jamfold import jamfold
from headsup.solve import solve

compiled = pytest.mark.skipif(JIT_DISABLED, reason="the hold'em table is two billion look-ups")


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


def test_every_public_name_is_there_and_listed() -> None:
    for name in headsup.__all__:
        assert getattr(headsup, name) is not None
    assert set(headsup.__all__) <= set(dir(headsup))
    assert "TYPE_CHECKING" not in dir(headsup)
    with pytest.raises(AttributeError, match="no attribute 'flod'"):
        headsup.flod  # noqa: B018


def test_importing_headsup_is_light() -> None:
    assert run("import headsup, sys; print(*({'numpy', 'numba', 'rich'} & set(sys.modules)))").split() == []


@pytest.mark.parametrize(
    "first", ["headsup.solve", "headsup.solve.small.cfr, headsup.jamfold.game, headsup.equity.api"]
)
def test_functions_are_found_in_their_folders_whatever_was_imported_before(first: str) -> None:
    program = f"import {first}, headsup\n"
    program += (
        "from headsup.solve import solve\nfrom headsup.measure import measure\nfrom headsup.equity import equity\n"
    )
    program += "print(measure('kuhn', solve('kuhn', 'lp')).game, equity('AsKs', 'QdQc', board='2c3d4h5s9d').win)"
    assert run(program).split() == ["kuhn", "1"]


def test_one_name_is_one_thing() -> None:
    from headsup.jamfold.answer import answer
    from headsup.solve.records.solution import Solution

    assert headsup.Solution is Solution
    assert jamfold is answer


def small_records() -> list[Any]:
    from headsup.cards.boards import BoardTree
    from headsup.games import Betting, betting_tree, public_tree

    game = headsup.game("leduc")
    form, tree = headsup.sequence_form(game), headsup.flatten(game)
    solution = solve("leduc", iterations=2)
    answer = jamfold("omaha8", 10)
    public = public_tree(game)  # type: ignore[arg-type]
    labels = [*tree.labels, *public.labels]
    betting = betting_tree(Betting(first=(0, 0), stacks=(90, 90), pot=18), "50%, a; 3x")
    boards = BoardTree(headsup.parse_cards("2c3d4h5s"), streets=(0, 1)).levels[1]
    return [betting, boards, game, headsup.game("rps"), form, *form.seats, tree, public, *labels, solution, answer]


def table_records() -> list[Any]:
    from headsup.equity import read_question
    from headsup.games.holdem.classes import class_table
    from headsup.jamfold.locked import against_locked
    from headsup.jamfold.shipped import shipped
    from headsup.jamfold.solve import solve
    from headsup.jamfold.vector import jamfold_game

    table = class_table("holdem")
    game = jamfold_game(table, headsup.Stakes.of(10))
    solution, answer = solve(game), jamfold("holdem", 10)
    locked = against_locked(table, answer, "sb", answer.call)
    proof, reply = game.certify(solution.jam, solution.call), game.best_response("sb", answer.call)
    records = [headsup.holdem_table(), headsup.combo_table(), headsup.flop_equities("AsKs", "QQ+"), table, game]
    return [
        *records,
        solution,
        proof,
        reply,
        locked,
        locked.best_response,
        shipped("holdem"),
        read_question("AsKs", "random"),
        headsup.parse_range("22+"),
    ]


def check_brief(record: Any) -> None:
    text = repr(record)
    assert len(text) <= 300, text
    assert text.count("\n") <= 1
    assert "array(" not in text
    assert "object at 0x" not in text


def test_records_say_what_they_are_in_a_line_or_two() -> None:
    for record in small_records():
        check_brief(record)
    assert repr(headsup.game("leduc", ranks=4)) == "<Game leduc:ranks=4>"
    assert repr(headsup.flatten("kuhn")) == "<Tree of kuhn: 58 nodes, 30 of them ends>"


@compiled
def test_tables_say_what_they_are_in_a_line_or_two() -> None:
    for record in table_records():
        check_brief(record)


def test_a_formula_says_what_it_is() -> None:
    pytest.importorskip("highspy")
    if JIT_DISABLED:
        pytest.skip("counts every board")
    formula = headsup.flop_formula("AA", "KK", features=1)
    check_brief(formula)
    check_brief(formula.problem)


def check_columns(columns: dict[str, Any], rows: int) -> None:
    """What a data frame is made of: equal lengths, and one value a cell."""
    assert {len(column) for column in columns.values()} == {rows}
    assert all(np.asarray(column).ndim == 1 for column in columns.values())
    assert all(isinstance(name, str) for name in columns)


def test_answers_come_out_as_columns() -> None:
    answer = jamfold("omaha8", 10)
    columns = answer.columns()
    check_columns(columns, 16432)
    assert tuple(columns["hand"]) == answer.labels
    assert columns["hands"].sum() == 270725
    assert (columns["jam"] @ columns["hands"]) / 270725 == pytest.approx(answer.jam_frequency)


@compiled
def test_tables_come_out_as_columns() -> None:
    table = headsup.holdem_table()
    columns = table.columns()
    check_columns(columns, 169 * 169)
    at = int(np.flatnonzero((columns["hand"] == "AA") & (columns["against"] == "KK"))[0])
    assert (columns["wins"][at], columns["ties"][at], columns["losses"][at]) == (50371344, 285228, 10986372)
    assert columns["equity"][at] == float(table.equity("AA", "KK"))
    combos = headsup.combo_table().columns()
    check_columns(combos, 1326 * 1225)
    assert (combos["deals"] == 1712304).all()
    flops = headsup.flop_equities("AsKs", "QQ+")
    check_columns(flops.columns(), 19600)
    assert flops.columns()["flop"][0] == "2h2d2c"
