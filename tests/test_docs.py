"""Every example in the README and in docs/ is true.

Python examples are doctests. In ```console blocks, each line `$ headsup ...` is run by the real command line, and what
the page shows under it must be what it prints; a line `...` stands for any number of lines.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shlex
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.common.backend import JIT_DISABLED

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="the examples count millions of deals")


def page_id(page: Path) -> str:
    return str(page.relative_to(ROOT))


def commands(page: Path) -> list[tuple[str, str]]:
    """The `$ headsup ...` lines of a page with what is shown under each."""
    found = []
    for block in CONSOLE.findall(page.read_text()):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            if command.startswith("headsup "):
                found.append((command, shown))
    return found


LONG = (
    "docs/papers/dalpasso-lancia-2015.md",
    "docs/papers/andersson-2006.md",
    "docs/flop-formulas.md: headsup flop-formula AA ATC --round 5 --features 3 --seconds 3",
)
"""Examples that take many seconds."""


def marked(*values: object, name: str) -> object:
    """Values for a test of that name, which may be a long one."""
    return pytest.param(*values, id=name, marks=[pytest.mark.long] if name in LONG else [])


@pytest.mark.parametrize("page", [marked(page, name=page_id(page)) for page in PAGES])
def test_python_examples(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page_id(page) != "docs/trainer.md":  # its command reviews the same hands, and what was re-solved is kept
        monkeypatch.setattr("headsup.play.agents.subgame.ITERATIONS", (6, 6))  # pages show no number that is re-solved
    assert doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE).failed == 0


@pytest.mark.parametrize(
    ("command", "shown"),
    [marked(*one, name=f"{page_id(page)}: {one[0]}") for page in PAGES for one in commands(page)],
)
def test_console_examples(
    command: str, shown: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(os.environ, "NO_COLOR", "1")
    monkeypatch.setitem(os.environ, "COLUMNS", "100")
    status = main(shlex.split(command, comments=True)[1:])
    out, err = capsys.readouterr()
    expected = [line.rstrip() for line in shown.rstrip().splitlines()]
    if not expected:
        assert status == 0, err
        return
    pattern = "\n".join(r"(?:.*\n)*?.*" if line.strip() == "..." else re.escape(line) for line in expected)
    printed = "\n".join(line.rstrip() for line in (out + err).rstrip().splitlines())
    assert re.fullmatch(pattern, printed), f"the page shows\n{shown}\nbut the command prints\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=page_id)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+?)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), f"{page_id(page)} links to {target}, which is not there"


def test_only_what_runs_is_promised() -> None:
    """Every folder that the package's docstring names exists."""
    import headsup

    text = headsup.__doc__ or ""
    lines = [line for line in text.splitlines() if re.match(r" {4}(engine|products|views) ", line)]
    assert len(lines) == 3
    for folder in (folder for line in lines for folder in re.split("->|,", line.split(maxsplit=1)[1])):
        assert (ROOT / "headsup" / folder.strip() / "__init__.py").exists(), folder


def test_every_promise_names_a_test_that_is_there() -> None:
    lines = (ROOT / "docs" / "promises.md").read_text().splitlines()
    rows = [line for line in lines if line.startswith("|") and "---" not in line and line != "| guarantee | test |"]
    assert len(rows) > 20
    for row in rows:
        named = re.findall(r"`([\w/]+\.py)::(\w+)`", row)
        assert named, f"no test holds this promise: {row}"
        for file, name in named:
            assert f"def {name}(" in (ROOT / "tests" / file).read_text(), f"there is no {name} in {file}"


@pytest.mark.long
@pytest.mark.parametrize("notebook", sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_run(notebook: Path) -> None:
    """Each code cell in order, in one namespace; the values of last expressions are not compared."""
    names: dict[str, object] = {"__name__": "__main__"}
    for cell in json.loads(notebook.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), notebook.name, "exec"), names)
            shown = [output for output in cell["outputs"] if output["output_type"] == "error"]
            assert not shown, f"{notebook.name} is stored with an error"
