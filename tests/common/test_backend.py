"""Numba's cache notices edits of what a kernel imports."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from headsup.common.backend import JIT_DISABLED, PACKAGE, source_stamp

HELPER = """
from headsup.common.backend import jit

@jit
def step(x):
    return x + {add}
"""
CALLER = """
from headsup.common.backend import jit
from headsup.trial.{module} import {name}

@jit
def {own}(x):
    return {name}({name}(x))
"""


def test_a_stamp_has_what_a_module_imports_and_those_import() -> None:
    names = {Path(name).relative_to(PACKAGE).as_posix() for name, _ in source_stamp(PACKAGE / "games/walk/kernels.py")}
    assert {"games/walk/kernels.py", "games/holdem/showdown_kernels.py", "games/holdem/lanes.py"} <= names
    assert not any(name.startswith("common/") for name in names)


@pytest.fixture
def trial(tmp_path: Path) -> Iterator[Path]:
    """A folder of kernels in a package with our backend, run in a Python of its own."""
    package = tmp_path / "headsup"
    shutil.copytree(PACKAGE / "common", package / "common")
    for name in ("__init__.py", "__init__.pyi", "version.py"):
        shutil.copy(PACKAGE / name, package / name)
    (package / "trial").mkdir()
    return package / "trial"


def run(trial: Path, program: str) -> list[str]:
    """What a program prints that imports from the trial."""
    root = trial.parents[1]
    env = os.environ | {"PYTHONPATH": str(root), "NUMBA_CACHE_DIR": str(root / "cache")}
    done = subprocess.run([sys.executable, "-c", program], cwd=root, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_an_edited_helper_recompiles_its_callers(trial: Path) -> None:
    """The caller calls a kernel that calls the helper; only the helper is edited."""
    (trial / "caller.py").write_text(CALLER.format(module="middle", name="twice", own="four"))
    (trial / "middle.py").write_text(CALLER.format(module="helper", name="step", own="twice"))
    program = "from headsup.trial.caller import four; print(four(1), sum(four.stats.cache_hits.values()))"
    answers = []
    for add in (1, 1, 10):
        (trial / "helper.py").write_text(HELPER.format(add=add))
        answers.append(run(trial, program))
    assert answers == [["5", "0"], ["5", "1"], ["41", "0"]]


TUPLE = """
from typing import NamedTuple
from headsup.common.backend import jit

class {name}(NamedTuple):
    x: int

@jit
def first(one):
    return one.x
"""


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_a_cache_that_names_a_class_that_is_gone_is_stale(trial: Path) -> None:
    for name in ("Room", "Workspace"):
        (trial / "layout.py").write_text(TUPLE.format(name=name))
        assert run(trial, f"from headsup.trial.layout import *; print(first({name}(7)))") == ["7"]
