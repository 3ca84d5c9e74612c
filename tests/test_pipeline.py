"""A stage imports only from the stages before it, no modules go in a circle, and what must be light stays light."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import headsup
from headsup.cli import VERBS, main

PACKAGE = Path(headsup.__file__).parent
STAGES = ["cards", "evaluate", "equity", "games", "measure", "abstraction", "solve", "distil", "play"]
SHARED = {
    *("errors", "backend", "brief", "cache", "checks", "compiling", "distribute", "files", "highs"),
    *("html", "lazy", "plot", "progress", "stop", "version"),
}
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


def test_papers_do_not_import_what_shows_them() -> None:
    for path in (PACKAGE / "papers").rglob("*.py"):
        assert not imports(path) & {"cli", "web"}, f"{path.relative_to(PACKAGE)} imports a view that shows it"


def test_nothing_imports_papers_but_what_shows_them() -> None:
    others = [path for path in PACKAGE.rglob("*.py") if PACKAGE / "papers" not in path.parents]
    found = {path.relative_to(PACKAGE).as_posix() for path in others if "papers" in imports(path)}
    assert found == {"cli/reproduce.py", "web/pages/papers.py"}


def import_graph(package: Path) -> dict[str, set[str]]:
    """For each module the modules of the package that it names in an import: at the top, within functions, and where
    only types are checked. That a module's own folder is loaded before it is not counted.
    """
    files = {}
    for path in package.rglob("*.py"):
        parts = (package.name, *path.relative_to(package).with_suffix("").parts)
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    graph: dict[str, set[str]] = {}
    for module, path in files.items():
        named: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module in files:
                full = [f"{node.module}.{alias.name}" for alias in node.names]
                named.update(name if name in files else str(node.module) for name in full)
            elif isinstance(node, ast.Import):
                named.update(alias.name for alias in node.names if alias.name in files)
        graph[module] = named - {module}
    return graph


def circle(graph: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle, the first one again at the end; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle() -> None:
    graph = import_graph(PACKAGE)
    assert len(graph) > 100
    assert "headsup.games.game" in graph["headsup.games.forms"]
    found = circle(graph)
    assert not found, " <- ".join(found)


def test_a_circle_would_be_found(tmp_path: Path) -> None:
    package = tmp_path / "poker"
    (package / "cards").mkdir(parents=True)
    (package / "__init__.py").write_text("from poker import cards\n")
    (package / "cards" / "__init__.py").write_text("from poker.cards.deck import deal\n")
    (package / "cards" / "deck.py").write_text("def deal():\n    import poker.cards.hand\n")
    hand = package / "cards" / "hand.py"
    hand.write_text("import math\n")
    assert circle(import_graph(package)) == []
    hand.write_text("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from poker.cards import deck\n")
    found = circle(import_graph(package))
    assert set(found) == {"poker.cards.deck", "poker.cards.hand"}


def test_every_folder_and_module_has_a_place() -> None:
    names = {path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert names <= {*STAGES, *SHARED, *VIEWS, "__init__"}


def modules_after(command: str) -> set[str]:
    """The names of all modules that a command loads, in a Python of its own."""
    program = (
        "import sys\nfrom headsup.cli import main\n"
        f"try:\n    main({command.split()!r})\nexcept SystemExit:\n    pass\n"
        "print('MODULES', *sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.rpartition("MODULES ")[2].split())


@pytest.mark.parametrize("command", ["--help", "--version"])
def test_light_commands_do_not_import_numba(command: str) -> None:
    """Others are run one after the other in tests/cli/test_door.py."""
    assert "numba" not in modules_after(command)


TREES = {"games.vector", "games.betting", "games.menu", "games.jamfold", "cards.boards"}
SOLVING = TREES | {"measure.jamfold", "solve.jamfold_cfr", "distil.formulas.results"}
UNLOADED = {
    "--version": {"cli.range", "cli.jamfold"},
    "range 22+,A2s+": {"files", "cards.ranges.order"},
    "rank 9s9h --board 9d7c7s2h": {"files", "evaluate.arrays", "cards.combos"},
    "equity AhKh QcQd": {"equity.plain", "games", "solve"},
    "jamfold --stack 10": SOLVING | {"equity.matchups"},
    "jamfold --stack 10 --bb-ante 1 --hand 63s": TREES,
    "jamfold --game omaha8 --stack 10 --hand AsKsQsJs": SOLVING | {"cards.ranges"},
    "rule card QsJs5h4d --stack 10 --seat bb": SOLVING | {"cards.ranges", "distil.price", "plot", "html"},
    "distil --game omaha8": SOLVING | {"cards.ranges", "distil.price", "distil.gains", "plot", "html"},
}
"""Of everyday commands, modules that they must not wait for."""
HEAVY = {
    "rank 9s9h --board 9d7c7s2h": {"numpy"},
    "range 22+,A2s+": {"numpy.ma", "hashlib", "zipfile", "json", "pathlib"},
}
"""Of some, what of others they do without."""


@pytest.mark.parametrize("command", UNLOADED)
def test_everyday_commands_load_what_they_use(command: str) -> None:
    loaded = modules_after(command)
    unwanted = {f"headsup.{name}" for name in UNLOADED[command]}
    for name in sorted(unwanted):
        assert importlib.util.find_spec(name), f"{name} is gone: what is it called now?"
    assert loaded.isdisjoint(unwanted | HEAVY.get(command, set())), loaded & (unwanted | HEAVY.get(command, set()))


@pytest.mark.parametrize("command", ["range AA", "range --help", "flop-formula --help", "games"])
def test_a_command_imports_no_other_verb(command: str) -> None:
    loaded = modules_after(command)
    assert [verb for verb in VERBS if f"headsup.cli.{verb.replace('-', '_')}" in loaded] == [command.split()[0]]


def test_every_verb_has_its_line_in_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    shown = " ".join(capsys.readouterr().out.split())
    for verb in VERBS:
        module = importlib.import_module(f"headsup.cli.{verb.replace('-', '_')}")
        assert f"{verb} {module.HELP.splitlines()[0]}" in shown
