"""Games that fit one GPU but no record: the solver is the whole game's, and a run resumes with the same bits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from headsup.cli import main
from headsup.common.errors import UserError
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.limit.first_street import first_street
from headsup.measure.exploit import measure
from headsup.solve.holdem.large import METHOD, LargeCfr, is_large, large_plan, solve_large
from headsup.solve.methods import solve
from headsup.solve.records.settings import settings
from tests.cuda_on_cpu import COMPILER, CpuCupy

SMALL = "holdem-limit:ranks=3,suits=3,streets=3,raises=1"


def small_game(text: str = SMALL) -> VectorGame:
    game = named_game(text)
    assert isinstance(game, VectorGame)
    return game


@pytest.mark.long
@pytest.mark.parametrize("strategy", ["average", "current"])
def test_what_is_reported_is_the_exploitability_of_the_stored_strategy(strategy: str) -> None:
    game = small_game()
    solver = LargeCfr(game, settings("cfr+", {"strategy": strategy}), store="int16", threads=1, device="cpu")
    solver.step(40)
    measured, below, trunk = solver.measure(), solver.measured(), solver.policy()
    for seat in (0, 1):
        below[seat][: len(trunk[seat])] = np.rint(1e4 * trunk[seat] / max(trunk[seat].max(), 1e-9))
    expected = measure(game, ArrayStrategy(game, below))
    assert measured.exploitability == pytest.approx(expected.exploitability, rel=0.02)  # the trunk was rounded
    assert measured.value == pytest.approx(expected.value, rel=0.02)


@pytest.mark.long
def test_it_solves_what_the_whole_solver_solves() -> None:
    game = small_game()
    whole, large = solve(game, METHOD, iterations=60, store="float64"), solve_large(game, iterations=60)
    assert large.measurement.exploitability < 2.0 * whole.exploitability
    assert abs(large.measurement.value - whole.value) <= 2.0 * (large.measurement.exploitability + whole.exploitability)


def test_the_current_strategy_takes_half_of_the_memory() -> None:
    game = small_game()
    both, regrets = (large_plan(game, "cfr+", strategy=strategy) for strategy in ("average", "current"))
    assert regrets.memory.stores * 2 == both.memory.stores


@pytest.mark.long
def test_resumed_run_is_bit_identical(tmp_path: Path) -> None:
    game = small_game()
    unbroken = solve_large(game, folder=tmp_path / "a", iterations=12, threads=1)
    solve_large(game, folder=tmp_path / "b", iterations=5, threads=1)
    resumed = solve_large(game, folder=tmp_path / "b", iterations=12, threads=1)
    assert resumed.measurement == unbroken.measurement
    for file in (tmp_path / "a" / "arrays-12").iterdir():
        assert file.read_bytes() == (tmp_path / "b" / "arrays-12" / file.name).read_bytes()
    assert not (tmp_path / "b" / "arrays-5").exists()
    with pytest.raises(UserError, match=r"has method \"?'?dcfr-holdem"):
        solve_large(game, "cfr+", folder=tmp_path / "b", iterations=13, threads=1)
    some = next((tmp_path / "b" / "arrays-12").glob("regret0"))
    content = some.read_bytes()
    some.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(UserError, match="damaged"):
        solve_large(game, folder=tmp_path / "b", iterations=13, threads=1)


@pytest.mark.long
def test_a_run_survives_kill_9(tmp_path: Path) -> None:
    code = (
        "import sys; from headsup.games.catalogue.names import game; from headsup.solve.holdem import large\n"
        "large.FolderRun.first_save = large.FolderRun.save_every = 0.0\n"
        f"large.solve_large(game({SMALL!r}), folder=sys.argv[1], iterations=int(sys.argv[2]), threads=1)"
    )
    run = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "a"), "100000"])
    while not (tmp_path / "a" / "state.json").exists() and run.poll() is None:
        time.sleep(0.05)
    os.kill(run.pid, signal.SIGKILL)
    run.wait()
    done = json.loads((tmp_path / "a" / "state.json").read_text())["iterations"]
    subprocess.run([sys.executable, "-c", code, str(tmp_path / "a"), str(done + 3)], check=True)
    unbroken = solve_large(small_game(), folder=tmp_path / "b", iterations=done + 3, threads=1)
    for file in (tmp_path / "b" / f"arrays-{unbroken.iterations}").iterdir():
        assert file.read_bytes() == (tmp_path / "a" / f"arrays-{unbroken.iterations}" / file.name).read_bytes()


def test_the_plan_of_royal_holdem() -> None:
    game = small_game("holdem-limit:ranks=5")
    assert is_large(game)
    planned = large_plan(game, device="gpu")
    assert planned.boards == (1, 95, 1145, 15120)
    assert planned.infosets == (1_520, 904_400, 86_562_000, 9_001_692_000)
    assert sum(planned.numbers) == 23_631_815_830
    assert planned.memory.stores < 98e9
    assert planned.peak < 125e9
    alone = large_plan(game, "cfr+", device="gpu", strategy="current")
    assert alone.memory.stores < 49e9
    assert not is_large(small_game())


def test_first_street_of_a_game() -> None:
    game = small_game("holdem-limit:ranks=3,suits=3,streets=2,raises=2")
    view = first_street(game, solve_large(game, iterations=20, threads=1).first_street)
    assert view["folds"] + view["limps"] + view["raises"] == pytest.approx(1.0)
    first, *others = view["decisions"]
    assert first["probability"] == pytest.approx(1.0)
    assert set(first["hands"]) == {"AA", "KK", "QQ", "AKs", "AQs", "KQs", "AKo", "AQo", "KQo"}
    raised = next(decision for decision in others if decision["line"].startswith("raise"))
    assert raised["probability"] == pytest.approx(view["raises"])
    limped = next(decision for decision in others if decision["line"] == "call")
    assert view["caps"] == pytest.approx(view["raises"] + limped["probability"] * list(limped["actions"].values())[-1])
    folded = first["actions"]["fold"] + raised["probability"] * raised["actions"]["fold"]
    again = [d for d in others if d["player"] == "sb"]
    folded += sum(d["probability"] * d["actions"]["fold"] for d in again)
    assert view["sees_flop"] == pytest.approx(1.0 - folded)


@pytest.mark.skipif(COMPILER is None, reason="no g++ to compile kernels for the CPU")
def test_the_command_on_a_device(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "cupy", CpuCupy(1 << 30))
    name = "holdem-limit:ranks=3,suits=3,streets=2,raises=1"
    for iterations in (2, 3):
        args = ["solve", name, "--device", "gpu", "--work", str(tmp_path), "--iterations", str(iterations), "--json"]
        assert main(args) == 0
    answer = json.loads(capsys.readouterr().out.splitlines()[-1])
    expected = solve_large(small_game(name), iterations=3, threads=1)
    assert answer["exploitability_mbb"] == pytest.approx(expected.measurement.mbb, rel=0.05)
    assert answer["exact"]
    assert sum(answer["best_response_mbb"].values()) == pytest.approx(2 * answer["exploitability_mbb"])
    assert answer["preflop"]["limps"] == pytest.approx(
        first_street(small_game(name), expected.first_street)["limps"], abs=0.02
    )


def test_small_games_have_no_device(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "kuhn", "--device", "gpu"]) != 0
    assert "leave it out" in capsys.readouterr().err
    assert main(["solve", "kuhn", "--device", "cpu", "--iterations", "5"]) == 0


@pytest.mark.parametrize(
    ("args", "why"),
    [
        (["--save", "x.headsup"], "no record of its whole strategy"),
        (["--work", "d", "--jobs", "2"], "is for subgames on CPU cores"),
        (["--set", "device=gpu", "--device", "gpu"], "leave one of them out"),
    ],
)
def test_wrong_options_get_one_sentence(args: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "holdem-limit:ranks=5", *([] if "device=gpu" in args else ["--device", "gpu"]), *args]) != 0
    assert why in capsys.readouterr().err
