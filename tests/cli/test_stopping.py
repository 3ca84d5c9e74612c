"""Ctrl-C while `headsup flop-formula` or `headsup distil` searches: the best so far, status 130, and no traceback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from headsup.cli import main
from headsup.distil.scorecards.records import read
from tests.equity import compiled
from tests.waiting import PATIENCE

CHILD = """
import signal, sys
from contextlib import contextmanager
signal.signal(signal.SIGINT, signal.default_int_handler)
import headsup.cli.flop_formula

@contextmanager
def told():
    yield lambda step: print("now", step.text, file=sys.stderr, flush=True)

headsup.cli.flop_formula.progress_line = told
sys.exit(headsup.cli.main(sys.argv[1:]))
"""
LONG = "600"
"""Seconds that no test waits for."""


def stopped(*words: str) -> tuple[str, str]:
    """What a command prints, and says beside it, if Ctrl-C comes at its first sign of life."""
    command = [sys.executable, "-c", CHILD, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ) as run:
        assert run.stderr is not None
        first = run.stderr.readline()
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 130, err
    assert "Traceback" not in first + err
    return out, err


@compiled
@pytest.mark.parametrize(
    "words",
    [
        ("98s", "RML", "--features", "16"),
        pytest.param(("AQs", "RML", "--error", "2.2"), marks=pytest.mark.long),
        pytest.param(("KQs", "RML", "--features", "8", "--objective", "max"), marks=pytest.mark.long),
        pytest.param(("KQs", "RML", "--features", "8", "--round", "5"), marks=pytest.mark.long),
        pytest.param(("AA,KK", "RML", "--features", "7"), marks=pytest.mark.long),
    ],
)
def test_flop_formula(words: tuple[str, ...]) -> None:
    out, _ = stopped("flop-formula", *words, "--seconds", LONG, "--json")
    found: dict[str, Any] = json.loads(out)
    assert found["features"]
    assert not found["proved"]
    assert found["seconds"] < float(LONG) / 2


@compiled
@pytest.mark.parametrize("hands", ["KQs", pytest.param("AA,KK", marks=pytest.mark.long)])
def test_a_formula_without_time_is_not_empty(hands: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["flop-formula", hands, "RML", "--features", "8", "--objective", "max", "--seconds", "0.01", "--json"]
    assert main(words) == 0
    done = capsys.readouterr()
    assert not done.err
    found = json.loads(done.out)
    assert found["features"]
    assert found["bound"] <= max(one["sum_error"] for one in found.get("formulas", [found])) < 0.9


@pytest.mark.long
@compiled
def test_distil() -> None:
    out, _ = stopped("distil", "--rules", "2", "--seconds", LONG, "--json")
    found = json.loads(out)
    assert found["lines"] == 2
    assert found["worst_price"]["sb"] > 0


@compiled
@pytest.mark.long
def test_distil_all(tmp_path: Path) -> None:
    file = tmp_path / "rules.json"
    out, err = stopped("distil", "--all", "--save", str(file), "--seconds", LONG)
    assert out == f"wrote {file}: 1 holdem cards\n"
    assert err.endswith("stopped; run the same command to resume\n")
    assert [one.lines for one in read(file)] == [1]
