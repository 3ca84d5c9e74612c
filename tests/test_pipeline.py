"""A stage imports only from the stages before it, and what must be light stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import headsup

PACKAGE = Path(headsup.__file__).parent
STAGES = ["cards", "evaluate", "equity", "games", "abstraction", "solve", "measure", "distil", "play"]
SHARED = {"errors", "backend", "cache", "distribute", "highs", "plot", "stop"}
"""Modules outside the pipeline that know no poker; they import no stage."""
VIEWS = {"papers", "cli", "web", "__main__"}
"""What looks at every stage; no stage imports it."""


def imports(path: Path) -> set[str]:
    """The names right under headsup that a module imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively: write the whole name"
            if node.module == "headsup":
                found.update(alias.name for alias in node.names)
            elif node.module and node.module.startswith("headsup."):
                found.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            found.update(alias.name.split(".")[1] for alias in node.names if alias.name.startswith("headsup."))
    return found


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_imports_only_from_earlier_stages(stage: str) -> None:
    allowed = {*STAGES[: STAGES.index(stage) + 1], *SHARED, "__version__"}
    for path in (PACKAGE / stage).rglob("*.py"):
        assert imports(path) <= allowed, f"{path.relative_to(PACKAGE)} imports {imports(path) - allowed}"


@pytest.mark.parametrize("module", sorted(SHARED))
def test_shared_modules_import_no_stage(module: str) -> None:
    path = PACKAGE / f"{module}.py"
    if path.exists():
        assert imports(path) <= {*SHARED, "__version__"}


def test_every_folder_and_module_has_a_place() -> None:
    names = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert names <= {*STAGES, *SHARED, *VIEWS, "__init__"}


@pytest.mark.parametrize(
    "command",
    [
        *("--help", "range AA", "--version", "rule oracle --price", "distil --game omaha8 --rules 4"),
        *(
            "rule oracle AsTh9d9c --stack 8 --explain",
            "rule card K7o --stack 8 --explain",
            "rule hutchison AsKsQhJh --stack 5",
        ),
    ],
)
def test_light_commands_do_not_import_numba(command: str) -> None:
    program = (
        "import sys\nfrom headsup.cli import main\n"
        f"try:\n    main({command.split()!r})\nexcept SystemExit:\n    pass\n"
        "sys.exit('numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
