"""Which Hypothesis examples a run of the tests tries."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("options", "same"),
    [((), True), (("-m", "long or not long"), False), (("--hypothesis-seed=7",), False)],
    ids=["test", "test-long", "seed"],
)
def test_examples_are_the_same_every_time_unless_asked(options: tuple[str, ...], same: bool) -> None:
    command = [sys.executable, "-m", "pytest", "-vv", "--collect-only", *options, "tests/test_profiles.py"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (profile,) = (line for line in printed.splitlines() if line.startswith("hypothesis profile"))
    assert ("derandomize=True" in profile) == same, profile
