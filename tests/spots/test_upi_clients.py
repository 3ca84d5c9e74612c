"""Programs written for PioSOLVER drive `headsup upi` through the launcher, unmodified."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.cli import main
from headsup.equity.api import equity
from headsup.games.holdem.spot import Spot
from headsup.spots.foreign import spot_text
from headsup.spots.solve import SpotSolution

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.name == "nt", reason="these clients look for an .exe, and the launcher is a .cmd there"),
]
NAME = "PioSOLVER3-edge"
LINES = ("0 30 100", "30 100", "0 0 30 100", "0 0 0 30 100")
RANGES = ("AA,KK,QQ,JJ,T9s,98s", "AQ,KQ,QT,T9,AK")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the program that clients start."""
    assert main(["upi", "--launcher", str(tmp_path / f"{NAME}.exe")]) == 0
    return tmp_path


def build(solver: Any) -> None:
    solver.set_board("QsJh2h7c")
    solver.set_pot(0, 0, 60)
    solver.set_eff_stack(100)
    for seat, hands in zip(("OOP", "IP"), RANGES, strict=True):
        solver.set_range(seat, hands)
    for line in LINES:
        solver.add_line(line.split())
    assert solver.build_tree() == "build_tree ok!"


def solve_and_look(solver: Any, file: Path) -> None:
    """What both Python wrappers of the protocol can do."""
    build(solver)
    assert [child.node_id for child in solver.show_children("r:0")] == ["r:0:b30", "r:0:c"]
    assert solver.show_children_actions("r:0:c:b30") == ["b100", "c", "f"]
    solver.set_accuracy(0.6)
    assert "SOLVER: stopped (required accuracy reached)" in solver.go(quiet=True)
    assert solver.wait_for_solver() == "wait_for_solver ok!"
    values, matchups = (np.array(row) for row in solver.calc_ev("OOP", "r:0"))
    some = matchups > 0
    assert solver.dump_tree(str(file), "full") == "dump_tree ok!"
    known = SpotSolution.load(file)
    assert values[some] @ matchups[some] / matchups.sum() == pytest.approx(known.value_oop, abs=1e-4)
    assert known.exploitability_pot <= 0.01
    strategy = solver.show_strategy("r:0:c")
    view = known.at("check")
    assert np.array(strategy)[::-1, view.combos] == pytest.approx(view.frequencies, abs=1e-6)
    assert solver.calc_global_freq("r:0:b30") == pytest.approx(known.frequencies[1], abs=1e-6)
    solver.load_tree(str(file))
    assert solver.show_effective_stack() == 100
    assert solver.show_node("r:0").pot == (0, 0, 60)
    assert solver.lock_node("r:0") == "lock_node ok!"
    assert "LOCKED" in solver.show_node("r:0").flags


def test_pyosolver(folder: Path) -> None:
    pyosolver = pytest.importorskip("pyosolver", reason="pyosolver is not installed")
    solver = pyosolver.PYOSolver(str(folder), f"{NAME}.exe")
    solve_and_look(solver, folder / "tree.cfr")
    assert solver.show_node("r:0:nowhere") is None
    assert solver.set_strategy("r:0", *[1.0] * 1326, *[0.0] * 1326) == "set_strategy ok!"
    assert solver.calc_line_freq("r:0:b30") == pytest.approx(1.0)


def test_pious(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pious", reason="pious is not installed")
    from pious.conf import pious_conf
    from pious.pio.blockers import compute_single_card_blocker_effects
    from pious.pio.equity import compute_equities
    from pious.pio.rebuild_utils import rebuild_and_resolve
    from pious.pio.solver import Solver

    monkeypatch.setattr(pious_conf, "pio_install_directory", str(folder))
    solver = Solver(str(folder), NAME)
    solve_and_look(solver, folder / "tree.cfr")
    info = solver.show_tree_info()
    assert (info["Board"], info["Pot"]) == (["Qs", "Jh", "2h", "7c"], 60)
    assert compute_single_card_blocker_effects(solver, "r:0:c") is not None
    rebuild_and_resolve(solver, lock_turns=False, lines=["r:0:c", "r:0:b30"], accuracy=0.02)
    for preflop, board in ((False, "Kh9d8d"), (True, "")):
        given = compute_equities("Kh9d8d", "AKo,32o", "T9s,T8s", preflop=preflop)
        wanted = equity("AKo,32o", "T9s,T8s", board).equity
        assert given == (pytest.approx(wanted, abs=1e-6), pytest.approx(1.0 - wanted, abs=1e-6))


def test_pokersolverquery(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = pytest.importorskip("pokersolverquery.solver", reason="pokersolverquery is not installed")
    monkeypatch.chdir(folder)  # the client changes the folder itself
    solver = client.Solver(solver_path=str(folder / f"{NAME}.exe"))
    commands = ["set_board QsJh2h7c", "set_pot 0 0 60", "set_eff_stack 100", *(f"add_line {line}" for line in LINES)]
    commands += [f"set_range {seat} {hands}" for seat, hands in zip(("OOP", "IP"), RANGES, strict=True)]
    for command in [*commands, "build_tree", "set_accuracy 1"]:
        assert solver.command(command) == [f"{command.split()[0]} ok!"]
    assert solver.command("go") == ["go ok!"]
    assert solver.read_until("SOLVER: stopped (required accuracy reached)")
    assert len(solver.command("show_range OOP r")[0].split()) == 1326
    with pytest.raises(client.SolverException, match="ERROR: unknown command"):
        solver.command("nonsense")
    assert solver.command("is_ready") == ["is_ready ok!"]
    solver.exit()


def test_sizes_give_the_bets_that_piosolver_makes_of_them() -> None:
    """A script that PioVIEWER wrote, with sizes and the lines it made of them, comes with pious."""
    pytest.importorskip("pious", reason="pious is not installed")
    from importlib.resources import files

    script = (files("pious.pio.resources.tree_building") / "25bbHU-2sizes.txt").read_text()
    sizes = "".join(f"{line}\n" for line in script.splitlines() if not line.startswith("add_line"))
    by_lines, by_sizes = (Spot.parse(spot_text(text)) for text in (script, sizes))
    assert np.array_equal(by_lines.tree.paid, by_sizes.tree.paid)
    assert by_lines.tree.n_nodes > 1000
