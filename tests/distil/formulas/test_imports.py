"""Modules import one way, and the front door is light."""

from __future__ import annotations

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

from headsup.distil import formulas

ROOT = Path(formulas.__file__).parent


def name_of(path: Path) -> str:
    parts = ("headsup", "distil", "formulas", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in ROOT.rglob("*.py")}


def imports(path: Path) -> set[str]:
    """The modules of the package that a module imports anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module in MODULES:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & set(MODULES)
            found |= inner or {node.module}
    return found


def test_modules_import_one_way() -> None:
    doors = {name for name, path in MODULES.items() if path.name == "__init__.py"}
    graph = {name: imports(path) for name, path in MODULES.items() if name not in doors}
    assert "headsup.distil.formulas.problem" in graph["headsup.distil.formulas.subset.mip"]
    assert not set().union(*graph.values()) & doors, "modules are imported from where they live"
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)


def test_the_front_door_is_light() -> None:
    program = (
        "import sys\nfrom headsup.distil import formulas\nassert 'headsup.distil.formulas.formula' not in sys.modules\n"
        "assert formulas.flop_formula.__name__ == 'flop_formula'\nassert formulas.Formula.__name__ == 'Formula'\n"
        "sys.exit('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
