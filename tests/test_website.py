"""The documentation as a site: what is wrong with one is found, and ours is whole."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def make() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_website", ROOT / "website" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_faults_are_found(make: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "index.html").write_text(
        '<h1 id="top">one</h1><a href="more/two.html#here">two</a><a href="#top">up</a><script src="a.js"></script>'
        '<a href="https://elsewhere.example/">out</a>'
    )
    (tmp_path / "more" / "two.html").write_text(
        '<h2 id="here">two</h2><a href="../index.html">back</a><a href="..">up</a>'
    )
    (tmp_path / "a.js").write_text("")
    assert make.faults(tmp_path) == []
    (tmp_path / "more" / "three.html").write_text(
        '<a href="../index.html#bottom">x</a><a href="four.html">y</a><script src="https://elsewhere.example/x.js"></script>'
    )
    assert make.faults(tmp_path) == [
        "more/three.html loads https://elsewhere.example/x.js from elsewhere",
        "more/three.html links to ../index.html#bottom, and there is no such heading",
        "more/three.html links to four.html, which is not there",
    ]


def test_every_page_is_in_the_list() -> None:
    listed = (ROOT / "zensical.toml").read_text()
    pages = [path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if f'"{page}"' not in listed] == []


@pytest.mark.long
def test_the_site_is_whole() -> None:
    pytest.importorskip("zensical", reason="make docs installs it")
    done = subprocess.run([sys.executable, "website/make.py"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
