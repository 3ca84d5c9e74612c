"""A stage imports only from the stages before it, no modules go in a circle, and what must be light stays light."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections import Counter
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import headsup
from headsup.cli import VERBS, main

PACKAGE = Path(headsup.__file__).parent
ENGINE = ["cards", "evaluate", "equity", "games", "measure", "abstraction", "solve"]
PRODUCTS = ["jamfold", "endgame", "spots", "preflop", "limit", "nolimit", "discards", "distil"]
VIEWS = ["cli", "web"]
LAYERS = ["version", "common", *ENGINE, *PRODUCTS, "play", "papers", *VIEWS, "__main__"]
"""What lies in the package: a folder imports only from itself and from those before it; views show each other's too."""
INSIDE = {
    "equity": ["question", "results", "blocks", "enumeration_kernels", "enumeration", "sampling", "holdem", "omaha",
               "plain", "api", "make_flop_subsets"],
    "games": ["contract", "trees", "betting", "holdem", "walk", "catalogue"],
    "measure": ["measurement", "streamed", "exploit"],
    "abstraction": ["hands", "bets", "merging"],
    "solve": ["records", "small", "holdem", "methods", "rounds"],
    "discards": ["swap", "game", "equity", "exact", "strategy"],
    "distil": ["gains", "rules", "price", "scorecards", "formulas", "shipped", "make_prices"],
    "play": ["table", "agents", "statistics", "arena", "protocols", "coach", "bridges"],
}  # fmt: skip
"""The same within the large folders."""
MOST = 15
"""Modules in a folder, `cli` excepted: it is as flat as the verbs."""


@cache
def import_nodes(source: str) -> list[ast.Import | ast.ImportFrom]:
    """The imports of a source, wherever they stand in it."""
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]


def imports(path: Path) -> set[str]:
    """The modules and names under headsup that a module imports, as `games.walk.kernels`."""
    found = set()
    for node in import_nodes(path.read_text()):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively: write the whole name"
            if node.module and node.module.split(".")[0] == "headsup":
                found.update(f"{node.module}.{alias.name}"[len("headsup.") :] for alias in node.names)
        else:
            found.update(alias.name[len("headsup.") :] for alias in node.names if alias.name.startswith("headsup."))
    return found


def modules() -> list[Path]:
    """Every module of the package, without the packages' own files."""
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "__init__.py"]


@pytest.mark.parametrize("layer", LAYERS)
def test_a_folder_imports_only_from_those_before_it(layer: str) -> None:
    allowed = {*LAYERS[: LAYERS.index(layer) + 1], "__version__", *(VIEWS if layer in VIEWS else [])}
    paths = (PACKAGE / layer).rglob("*.py") if (PACKAGE / layer).is_dir() else [PACKAGE / f"{layer}.py"]
    for path in paths:
        tops = {name.split(".")[0] for name in imports(path)}
        assert tops <= allowed, f"{path.relative_to(PACKAGE)} imports {tops - allowed}"


@pytest.mark.parametrize("folder", INSIDE)
def test_so_do_the_parts_of_a_large_folder(folder: str) -> None:
    order = INSIDE[folder]
    for path in modules():
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        if parts[0] == folder:
            assert parts[1] in order, f"{'.'.join(parts)} has no place in the order of its folder"
            later = order[order.index(parts[1]) + 1 :]
            wrong = {name for name in imports(path) if name.split(".")[0] == folder and name.split(".")[1] in later}
            assert not wrong, f"{'.'.join(parts)} imports {wrong}"


def test_the_engine_has_no_module_named_after_a_product() -> None:
    words = {"jamfold", "endgame", "preflop_game", "nolimit", "discard", "discards", "swap", "swaps", "aggrobot"}
    for path in modules():
        if path.relative_to(PACKAGE).parts[0] in ENGINE:
            assert not words & {path.stem, *path.stem.split("_")}, f"{path.relative_to(PACKAGE)} is a product's"


def test_no_folder_is_flat() -> None:
    count = Counter(path.parent.relative_to(PACKAGE).as_posix() for path in modules())
    large = {folder: n for folder, n in count.items() if n > MOST and folder != "cli"}
    assert not large


def test_nothing_imports_papers_but_what_shows_them() -> None:
    others = [path for path in PACKAGE.rglob("*.py") if PACKAGE / "papers" not in path.parents]
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in others
        if any(name.split(".")[0] == "papers" for name in imports(path))
    }
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
        for node in import_nodes(path.read_text()):
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
    assert "headsup.games.contract.game" in graph["headsup.games.catalogue.forms"]
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
    assert names == {*LAYERS, "__init__"}


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


TREES = {"games.holdem.vector", "games.betting.rules", "games.betting.menu", "jamfold.vector", "cards.boards"}
SOLVING = TREES | {"jamfold.game", "jamfold.cfr", "distil.formulas.results"}
UNLOADED = {
    "--version": {"cli.range", "cli.jamfold"},
    "range 22+,A2s+": {"common.files", "cards.ranges.order"},
    "rank 9s9h --board 9d7c7s2h": {"common.files", "evaluate.arrays", "cards.combos"},
    "equity AhKh QcQd": {"equity.plain", "games", "solve"},
    "jamfold --stack 10": SOLVING | {"equity.omaha.matchups"},
    "jamfold --stack 10 --bb-ante 1 --hand 63s": TREES,
    "jamfold --game omaha8 --stack 10 --hand AsKsQsJs": SOLVING | {"cards.ranges"},
    "rule card QsJs5h4d --stack 10 --seat bb": SOLVING | {"cards.ranges", "distil.price", "common.plot"},
    "distil --game omaha8": SOLVING | {"cards.ranges", "distil.price", "distil.gains", "common.plot"},
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
