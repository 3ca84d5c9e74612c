"""PioSOLVER's protocol: every answer against views of the same solution, trees against menus, and hostile input."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.combos import colex
from headsup.cards.ranges import Range, parse_range
from headsup.cli import main
from headsup.common.errors import UserError
from headsup.equity.api import equity
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.holdem.spot import Spot
from headsup.spots.solve import SpotSolution, solve_spot
from headsup.spots.upi.counts import preflop_equity
from headsup.spots.upi.engine import UpiEngine
from headsup.spots.upi.lines import LineEdit, lines_by_sizes, lines_of, menu_of
from headsup.spots.upi.numbers import hand_order, read_numbers
from headsup.spots.upi.table import COMMANDS
from tests.solve import compiled

SPOT = Spot("Td9d6hQc", "AA,T9s,KJs,87s:0.5,A5s", "QQ,AQs,J8s,55", 20, 50, bets="50%, a", raises="3x")
RULES = Betting(first=(0, 0), stacks=(50, 50), pot=20)


class Console:
    """An engine and what it has written."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.engine = UpiEngine(self.written.append, threads=1)

    def ask(self, line: str) -> list[str]:
        """The lines that answer a command, without what a solver reports."""
        self.written.clear()
        self.engine.answer(line)
        return self.written[0].splitlines() if self.written else []

    def floats(self, line: str) -> np.ndarray:
        return np.array([[float(word) for word in row.split()] for row in self.ask(line)])


@cache
def solved() -> SpotSolution:
    return solve_spot(SPOT, None, iterations=30, store="float64")


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("upi") / "a tree.npz"
    solved().save(path)
    return path


@pytest.fixture
def console(file: Path) -> Console:
    console = Console()
    assert console.ask(f'load_tree "{file}"') == ["load_tree ok!"]
    return console


NODES = {
    "r:0": "",
    "r:0:c": "check",
    "r:0:c:b10": "check, bet 10",
    "r:0:c:b10:b30": "check, bet 10, raise 30",
    "r:0:c:c:2d": "check, check, 2d",
    "r:0:b10:c:Ac:c": "bet 10, call, Ac, check",
    "r:0:b10:c:3s:c:b30": "bet 10, call, 3s, check, bet 20",
}


@compiled
@pytest.mark.parametrize("node", NODES)
def test_figures_are_those_of_a_view(node: str, console: Console) -> None:
    view = solved().at(NODES[node])
    seat, place = view.player.upper(), view.combos
    inside = view.reach > 0.0
    rows = console.floats(f"show_strategy {node}")
    assert rows[::-1, place] == pytest.approx(view.frequencies, abs=1e-8)
    assert rows.sum() == pytest.approx(len(place))
    assert console.floats(f"show_range {seat} {node}")[0, place] == pytest.approx(view.reach)
    values, matchups = console.floats(f"calc_ev {seat} {node}")
    paid = [int(word) for word in console.ask(f"show_node {node}")[3].split()]
    assert values[place][inside] + paid[seat == "IP"] == pytest.approx(view.value[inside], abs=1e-6)
    assert matchups[place] / matchups.sum() == pytest.approx(view.weights)
    shown, _, (total,) = ([float(x) for x in row.split()] for row in console.ask(f"calc_eq_node {seat} {node}"))
    assert np.array(shown)[place] == pytest.approx(view.equity, nan_ok=True)
    assert total == pytest.approx(view.totals["equity"])
    tokens = [name.split(":")[-1] for name in console.ask(f"show_children {node}")[1::8]]
    for token, row in zip(tokens, view.ev[::-1], strict=True):  # the value of each action
        child = console.floats(f"calc_ev {seat} {node}:{token}")[0, place] + paid[seat == "IP"]
        assert child == pytest.approx(row, nan_ok=True, abs=1e-6)


@compiled
def test_nodes_are_named_and_counted(console: Console) -> None:
    assert console.ask("show_node r")[:5] == ["r", "ROOT", "Td 9d 6h Qc", "0 0 20", "1 children"]
    assert console.ask("show_node r:0:b10:c") == [
        "r:0:b10:c", "SPLIT_NODE", "Td 9d 6h Qc", "10 10 20", "48 children", "flags:  ", ""
    ]  # fmt: skip
    assert console.ask("show_node r:0:b50:c")[1] == "END_NODE"  # nobody acts after a called all-in
    children = console.ask("show_children r:0:b10")
    assert children[1::8] == ["r:0:b10:b30", "r:0:b10:c", "r:0:b10:f"]
    cards = console.ask("show_children r:0:b10:c")[1::8]
    assert (cards[0], cards[-1], len(cards)) == ("r:0:b10:c:As", "r:0:b10:c:2c", 48)
    lines = console.ask("show_all_lines")
    assert lines[:5] == ["r", "r:0", "r:0:c", "r:0:c:c", "r:0:c:c:c"]
    assert len(lines) == len(set(lines))
    counts = console.ask("node_count")
    decisions = {name: int(re.sub(r".* ", "", line)) for name, line in zip(("oop", "ip"), counts[::4], strict=False)}
    betting = solved().game.betting
    for seat, count in enumerate(decisions.values()):
        wanted = sum((1, 48)[int(s)] for s, p in zip(betting.street, betting.player, strict=True) if p == seat)
        assert count == wanted


@compiled
def test_frequencies_add_up(console: Console) -> None:
    def ask(command: str) -> float:
        return float(console.ask(command)[0])

    for node in ("r:0", "r:0:c", "r:0:c:b10", "r:0:c:c", "r:0:c:c:2d"):
        names = [line for line in console.ask(f"show_children {node}") if line.startswith("r:")]
        assert sum(ask(f"calc_global_freq {name}") for name in names) == pytest.approx(ask(f"calc_global_freq {node}"))
    for node in ("r:0", "r:0:c", "r:0:c:b10"):
        assert ask(f"calc_line_freq {node}") == pytest.approx(ask(f"calc_global_freq {node}"))
    river = sum(ask(f"calc_global_freq r:0:c:c:{card}:c") for card in
                (name.split(":")[-1] for name in console.ask("show_children r:0:c:c")[1::8]))  # fmt: skip
    assert ask("calc_line_freq r:0:c:c:2d:c") == pytest.approx(river)


@compiled
def test_results_are_those_of_the_solution(console: Console) -> None:
    known = dict(line.split(": ") for line in console.ask("calc_results"))
    assert float(known["EV OOP"]) == pytest.approx(solved().value_oop, rel=1e-5)
    assert float(known["Exploitable for"]) == pytest.approx(solved().solution.exploitability, rel=1e-4)
    best, values = (
        (float(known["OOP's MES"]) + float(known["IP's MES"])),
        float(known["EV OOP"]) + float(known["EV IP"]),
    )
    assert (best - values) / 2 == pytest.approx(float(known["Exploitable for"]), rel=1e-3)


MENUS = ["none", "50%, a; 3x", "33%, 75%; 2.5x, a | cap 2", "river 50% | turn oop none | ip 100%", "25% | - check"]


@pytest.mark.parametrize("menu", MENUS)
def test_lines_build_the_same_tree_as_a_menu(menu: str) -> None:
    tree = betting_tree(RULES, menu)
    again = betting_tree(RULES, "none | " + menu_of(RULES, lines_of(tree)))
    for name in ("street", "player", "parent", "child", "paid", "kind", "amount", "win", "lose"):
        assert np.array_equal(getattr(tree, name), getattr(again, name)), name


def test_lines_are_added_and_removed_in_order() -> None:
    edits = [LineEdit(True, (0, 10, 30, 30)), LineEdit(True, (10, 50)), LineEdit(False, (0, 10, 30))]
    assert menu_of(RULES, edits) == "+ check, bet 10 | + bet 10 | + bet 10, all-in 50"
    assert menu_of(RULES, [*edits, LineEdit(False, (10,))]) == "+ check, bet 10"
    assert menu_of(RULES, [*edits, LineEdit(False, (0,))]) == "+ bet 10 | + bet 10, all-in 50 | - check"
    assert menu_of(RULES, [*edits, LineEdit(False, (0,)), LineEdit(True, (0, 0))]).count("-") == 1  # all-in alone
    for line, wrong in (((0, 5, 3), "3 is not"), ((60,), "60 is not"), ((0, 0, 0, 0, 0), "over"), ((10, 15), "15 is")):
        with pytest.raises(UserError, match=wrong):
            menu_of(RULES, [LineEdit(True, line)])


def test_sizes_build_the_tree_of_a_menu() -> None:
    info = {"TurnConfig.BetSize": "50,100", "TurnConfig.RaiseSize": "3x", "TurnConfigIP.BetSize": "50 ai"}
    info |= {"RiverConfig.BetSize": "75", "RiverConfig.DonkBetSize": "25", "RiverConfigIP.RaiseSize": "40"}
    menu = "turn oop 50%, 100%; 3x | turn ip 50%, a; none | river oop 75%; none | river oop donk 25%"
    wanted = betting_tree(RULES, f"{menu} | river ip none; 40%")
    given = betting_tree(RULES, "none | " + menu_of(RULES, lines_by_sizes(RULES, info)))
    assert np.array_equal(wanted.paid, given.paid)
    limited = lines_by_sizes(RULES, {"TurnConfig.BetSize": "50,100", "AllinThreshold": "40"})
    assert {edit.line for edit in limited} == {(10,), (50,)}  # a bet of 20 is 40 % of the stack
    added = {"TurnConfig.AddAllin": "True", "AddAllinOnlyIfLessThanThisTimesThePot": "300"}
    assert {edit.line for edit in lines_by_sizes(RULES, added)} == {(50,)}
    assert not lines_by_sizes(RULES, added | {"AddAllinOnlyIfLessThanThisTimesThePot": "200"})


def build(console: Console) -> None:
    hands = [" ".join(f"{x:g}" for x in parse_range(text).weights) for text in (SPOT.oop, SPOT.ip)]
    commands = ["set_board Td9d6hQc", "set_pot 0 0 20", "set_eff_stack 50", f"set_range OOP {hands[0]}"]
    commands += [f"set_range IP {hands[1]}", "set_isomorphism 1 1", "clear_lines"]
    commands += [f"add_line {' '.join(map(str, edit.line))}" for edit in lines_of(SPOT.tree)]
    for command in commands:
        assert console.ask(command) == [f"{command.split()[0]} ok!"]


@compiled
def test_a_tree_is_built_solved_and_saved(tmp_path: Path) -> None:
    console, path = Console(), tmp_path / "tree.npz"
    build(console)
    assert console.ask("is_tree_present") == ["false"]
    assert float(console.ask("estimate_tree")[0].split()[-2]) > 0
    assert console.ask("build_tree") == ["build_tree ok!"]
    assert console.engine.tree is not None
    assert console.engine.tree.game.checksum == solved().game.checksum
    first = console.floats("show_strategy r:0")  # nothing is solved yet
    assert first[:, colex((51, 48))] == pytest.approx([1 / 3] * 3)
    console.ask("set_accuracy 0.02 fraction")
    console.ask("go")
    console.engine.answer("wait_for_solver")
    text = "".join(console.written)
    assert text.startswith("go ok!\nSOLVER: started\n")
    assert text.endswith("SOLVER: stopped (required accuracy reached)\nwait_for_solver ok!\n")
    results = dict(line.split(": ") for line in console.ask("calc_results"))
    assert float(results["Exploitable for"]) <= 0.02 * 20
    assert console.ask("add_info_line #TurnConfig.BetSize#50") == ["add_info_line ok!"]
    assert console.ask(f"dump_tree {path} no_rivers") == ["dump_tree ok!"]
    again = Console()
    again.ask(f"load_tree {path} full")
    assert again.ask("show_strategy r:0:c") == console.ask("show_strategy r:0:c")
    assert "#TurnConfig.BetSize#50" in again.ask("show_tree_info")
    assert again.ask("show_effective_stack") == ["50"]
    assert again.ask(f"show_metadata {path}")[:2] == ["r", "ROOT"]
    assert SpotSolution.load(path).at("check").line == "check"
    again.ask("remove_line 50")
    again.ask("build_tree")
    assert [line for line in again.ask("show_children r:0") if line.startswith("r:0:")] == ["r:0:b10", "r:0:c"]


@compiled
def test_stop_ends_a_solver_without_limits(console: Console) -> None:
    console.ask("set_accuracy 0")
    console.ask("go")
    assert "running: send stop" in console.ask("show_strategy r:0")[0]
    assert console.ask("is_ready") == ["is_ready ok!"]
    console.engine.answer("stop")
    assert "SOLVER: stopped (requested)\n" in console.written
    assert console.written[-1] == "stop ok!\n"
    steps = solved().iterations
    console.ask("go 5 steps")
    console.engine.answer("wait_for_solver")
    assert "SOLVER: stopped (number of steps reached)\n" in console.written
    assert console.engine.tree is not None
    assert console.engine.tree.solution.iterations >= steps + 5


@compiled
def test_a_client_that_is_gone_ends_the_solver_quietly(file: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def write(text: str) -> None:
        if text.startswith("SOLVER"):
            raise BrokenPipeError

    engine = UpiEngine(write, threads=1)
    engine.run([f'load_tree "{file}"', "set_accuracy 0", "go", "stop"])
    assert engine.job is None
    assert capfd.readouterr().err == ""


@compiled
def test_a_locked_node_keeps_its_strategy(console: Console) -> None:
    rows = np.zeros((3, 1326))
    rows[2] = 1.0  # always check
    rows[:, colex((51, 48))] = 0.25, 0.5, 0.25
    numbers = " ".join(map(str, rows.ravel()))
    assert console.ask(f"set_strategy r:0 {numbers}") == ["set_strategy ok!"]
    assert console.ask("lock_node r:0") == ["lock_node ok!"]
    assert "LOCKED" in console.ask("show_node r:0")[5]
    assert "LOCKED" not in console.ask("show_node r:0:c")[5]
    before = console.floats("show_strategy r:0:c")
    console.ask("go 30 steps")
    console.engine.answer("wait_for_solver")
    held, place = console.floats("show_strategy r:0"), solved().at("").combos
    assert held[:, place] == pytest.approx(rows[:, place], abs=1e-7)
    assert not np.allclose(before, console.floats("show_strategy r:0:c"))
    assert console.ask("unlock_node r:0") == ["unlock_node ok!"]
    assert "LOCKED" not in console.ask("show_node r:0")[5]
    console.ask("go 30 steps")
    console.engine.answer("wait_for_solver")
    assert not np.allclose(console.floats("show_strategy r:0")[:, place], rows[:, place], atol=1e-3)


@compiled
def test_some_hands_of_a_node_are_locked(console: Console) -> None:
    hands = parse_range("AA,T9s").weights > 0.0
    before = console.floats("show_strategy r:0")
    flags = " ".join("1" if flag else "0" for flag in hands)
    assert console.ask(f"combo_lock_node r:0 {flags}") == ["combo_lock_node ok!"]
    inside = parse_range(SPOT.oop).weights > 0.0
    dead = np.array([any(card in name for card in ("Td", "9d", "6h", "Qc")) for name in hand_order()])
    assert np.array_equal(console.floats("show_locked_combos r:0")[0] > 0.0, hands & inside & ~dead)
    console.ask("go 30")
    console.engine.answer("wait_for_solver")
    after = console.floats("show_strategy r:0")
    assert after[:, hands] == pytest.approx(before[:, hands], abs=1e-6)
    assert not np.allclose(after[:, ~hands], before[:, ~hands], atol=1e-3)
    assert int(console.ask("show_iters")[0]) >= 60


@compiled
def test_frequencies_of_all_lines(console: Console) -> None:
    shares = dict(line.split(" - ") for line in console.ask("show_all_freqs"))
    assert list(shares) == console.ask("show_all_lines")
    for name in ("r:0", "r:0:c", "r:0:b10:c", "r:0:c:c"):
        assert float(shares[name]) == pytest.approx(float(console.ask(f"calc_line_freq {name}")[0]))
    local = dict(line.split(" - ") for line in console.ask("show_all_freqs local"))
    assert sum(float(local[f"r:0:{token}"]) for token in ("c", "b10", "b50")) == pytest.approx(1.0)
    assert float(local["r:0:c:c"]) == pytest.approx(float(shares["r:0:c:c"]) / float(shares["r:0:c"]))


@compiled
def test_a_best_response_is_played(console: Console) -> None:
    before = dict(line.split(": ") for line in console.ask("calc_results"))
    assert console.ask("set_mes IP") == ["set_mes ok!"]
    after = dict(line.split(": ") for line in console.ask("calc_results"))
    assert float(after["EV IP"]) == pytest.approx(float(before["IP's MES"]), rel=1e-5)
    assert console.ask("clear_cache") == ["clear_cache ok!"]
    assert set(np.unique(console.floats("show_strategy r:0:c"))) <= {0.0, 1.0}


@compiled
def test_equities_of_ranges() -> None:
    console = Console()
    for command in ("set_board Kh9d8d", "set_range OOP AKo,32o", "set_range IP T9s,T8s"):
        console.ask(command)
    weights = [parse_range(text) for text in ("AKo,32o", "T9s,T8s")]
    values, matchups = console.floats("calc_eq OOP")
    some = matchups > 0
    wanted = equity(*weights, "Kh9d8d").equity
    assert values[some] @ matchups[some] / matchups.sum() == pytest.approx(wanted)
    assert float(console.ask("calc_eq_preflop OOP")[2]) == pytest.approx(equity(*weights).equity)


def test_classes_before_the_flop() -> None:
    mine, theirs = parse_range("AA,AKs:0.5,72o"), parse_range("QQ+,AK,76s:0.25")
    shares, matchups, total = preflop_equity(mine, theirs)
    assert total == pytest.approx(equity(mine, theirs).equity)
    assert shares[0] == pytest.approx(equity("AA", theirs).equity)
    assert np.count_nonzero(matchups) == 3


def test_hands_have_the_order_of_the_protocol() -> None:
    names = hand_order()
    assert names[:7] == ("2d2c", "2h2c", "2h2d", "2s2c", "2s2d", "2s2h", "3c2c")
    assert (names[-1], len(set(names))) == ("AsAh", 1326)
    text = " ".join("1" if name[0] == name[2] == "A" else "0" for name in names)
    assert Range("holdem", read_numbers(text.split(), "x")[0]) == parse_range("AA")


WRONG = {
    "fold everything": "unknown command",
    "bench": "does not support",
    "set_pot 0 0": "write set_pot",
    "set_pot 1 2 3": "belong to the pot",
    "set_pot 0 0 x": "not a whole number",
    "set_board AhAh2c": "Ah",
    "set_board Ah": "three to five",
    "set_range BTN AA": "OOP or IP",
    "set_range OOP 1 0 1": "1,326",
    "set_range OOP " + "2 " * 1326: "between 0 and 1",
    "set_range OOP " + "nan " * 1326: "not a number",
    "set_accuracy -1": "0 or more",
    "set_accuracy 1 miles": "chips or fraction",
    "go": "no tree",
    "show_node r:0": "no tree",
    "build_tree": "send set_board",
    "load_tree nowhere.cfr": "nowhere.cfr",
    'load_tree "open': "quotation mark",
    "load_script nowhere.txt": "nowhere.txt",
    "add_line 1 x": "not a whole number",
    "set_rake 2 3": "share of the pot",
    "add_info_line nothing": "#Key#value",
}


@pytest.mark.parametrize("line", WRONG, ids=lambda line: line[:30])
def test_a_mistake_is_one_sentence(line: str) -> None:
    console = Console()
    console.ask("set_end_string END")
    answer = console.ask(line)
    assert len(answer) == 2
    assert answer[0].startswith("ERROR: ")
    assert WRONG[line] in answer[0]
    assert answer[1] == "END"


@compiled
@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("show_node x", "begin with r:0"),
        ("show_node r:1", "begin with r:0"),
        ("show_node r:0:b11", "b50, b10, c"),
        ("show_node r:0:c:c:c", "comes a card"),
        ("show_node r:0:c:c:Td", "on the board"),
        ("show_node r:0:b50:c:c", "over"),
        ("show_strategy r:0:c:c", "nobody acts"),
        ("lock_node r:0:b50:f", "nobody acts"),
        ("set_strategy r:0 1 2", "3 times 1,326"),
        ("set_strategy r:0 " + "0 " * 3978, "all 0"),
        ("calc_ev BTN r:0", "OOP or IP"),
        ("go 0 steps", "more than 0"),
        ("go 1 lap", "seconds or steps"),
        ("dump_tree /nonexistent/x.npz", "/nonexistent"),
        ("dump_tree x.npz half", "full, no_rivers"),
    ],
)
def test_so_is_one_about_a_tree(console: Console, line: str, wrong: str) -> None:
    (answer,) = console.ask(line)
    assert answer.startswith("ERROR: ")
    assert wrong in answer


IDLE = sorted(set(COMMANDS) - {"go", "exit", "load_script", "load_script_silent", "dump_tree"})
SAMPLES = {"FILE": "nowhere", "NODE": "r:0", "OOP|IP": "OOP", "TEXT": "x", "N": "1", "X": "1", "P": "0", "NAME": "x"}
LISTS = {"1326", "WEIGHTS", "CARDS", "#KEY#VALUE", "FILE"}


@compiled
@pytest.mark.parametrize("name", IDLE)
def test_every_command_answers(name: str) -> None:
    """With sensible words, and with none."""
    console, words = hostile_console(), COMMANDS[name].usage.split()[1:]
    assert console.ask(name)
    answer = console.ask(" ".join([name, *(SAMPLES.get(word, "1") for word in words if not word.startswith("["))]))
    refused = COMMANDS[name].status == "not" or bool(LISTS & {*words}) or name in ("set_pot", "set_rake")
    assert answer[0].startswith("ERROR") == refused


WORDS = """r:0 r r:0:c r:0:c:c:2d OOP IP 0 1 20 -1 1e9 nan " ß AA,KK Td9d6hQc As #a#b chips seconds : b10 ٣ 1_0 \\"""
HOSTILE = [*WORDS.split(), "x" * 5000, "r:" * 300, "\x00", "\ud800"]


@compiled
@settings(max_examples=150)
@given(
    st.lists(
        st.tuples(st.sampled_from([*IDLE, "nonsense"]), st.lists(st.sampled_from(HOSTILE), max_size=4)), max_size=6
    )
)
def test_hostile_input_is_answered_in_one_sentence(commands: list[tuple[str, list[str]]]) -> None:
    console = hostile_console()
    for name, words in commands:
        answer = console.ask(" ".join([name, *words]))
        assert answer, name
        if any(line.startswith("ERROR") for line in answer):
            assert len([line for line in answer if line != console.engine.end]) == 1
            assert len(answer[0]) <= 1007


@cache
def hostile_tree() -> SpotSolution:
    return solve_spot(Spot("Td9d6hQc2c", "AA,T9s", "QQ,55", 20, 50, bets="50%"), None, iterations=3, store="float64")


def hostile_console() -> Console:
    from headsup.spots.upi.tree import SolvedTree

    console = Console()
    spot = hostile_tree().spot
    console.engine.tree = SolvedTree(spot, hostile_tree())
    console.engine.settings.take(spot, lines_of(spot.tree), [])
    return console


def test_scripts_are_read_line_by_line(tmp_path: Path) -> None:
    script = tmp_path / "a script.txt"
    script.write_text("#Type#NoLimit\n\nset_board Td9d6hQc\nset_pot 0 0 20\nnonsense\nset_eff_stack 50\n")
    console = Console()
    console.ask("set_end_string END")
    (answer, _) = console.ask(f'load_script_silent "{script}"')
    assert re.fullmatch(r"ERROR: .*a script.txt, line 5: unknown command 'nonsense'.*", answer)
    console.written.clear()
    console.engine.answer(f'load_script "{script}"')
    assert len(console.written) == 5
    assert console.written[-1] == "load_script ok!\nEND\n"
    assert console.ask("show_effective_stack")[0] == "50"
    script.write_text(f'load_script_silent "{script}"\n')
    assert "8 deep" in console.ask(f'load_script_silent "{script}"')[0]


def test_the_documentation_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parents[2] / "docs" / "doors.md").read_text()
    listed = re.findall(r"^\| `(\w+)[^`]*` \| (\w+) \| (.*) \|$", page, flags=re.MULTILINE)
    assert listed == [(command.name, command.status, command.note) for command in COMMANDS.values()]
    assert main(["upi", "--commands"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in COMMANDS)


def test_the_program_greets_and_leaves() -> None:
    command = [sys.executable, "-m", "headsup", "upi"]
    text = b"set_end_string END\n\n# a comment\nshow_effective_stack\n\xff\xfe\nexit\nshow_version\n"
    done = subprocess.run(command, input=text, capture_output=True, check=False, timeout=60)
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (0, b"")
    assert lines[0].startswith("headsup ")
    assert lines[3:7] == ["set_end_string ok!", "END", "0", "END"]
    assert lines[7].startswith("ERROR: unknown command")
    assert lines[8:] == ["END"]


@compiled
def test_rake_is_taken_from_the_values() -> None:
    console = Console()
    script = (
        "set_board Td9d6hQc2c;set_pot 0 0 20;set_eff_stack 50;set_range OOP AA,T9s;set_range IP QQ,55;set_rake 0.05 2"
    )
    for command in [*script.split(";"), "add_line 0 10 50", "build_tree"]:
        assert console.ask(command)[0].endswith("ok!")
    assert "RAKE_ON" in console.ask("show_node r")[5]
    assert "RAKE_ON" in console.ask("show_node r:0:c:b10:f")[5]
    won = []
    for seat in ("OOP", "IP"):
        values, matchups = console.floats(f"calc_ev {seat} r:0:c:c")  # a pot of 20 pays a chip
        some = matchups > 0
        won.append(values[some] @ matchups[some] / matchups.sum())
    assert sum(won) == pytest.approx(19.0)
    known = dict(line.split(": ") for line in console.ask("calc_results"))
    assert float(known["EV OOP"]) + float(known["EV IP"]) < 20.0
