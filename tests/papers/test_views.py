"""Papers whose view is made of what ships: their pages in the docs, and `headsup reproduce` of them."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.papers import PAPERS
from headsup.papers.section import marks, split_page

DOCS = Path(__file__).parents[2] / "docs" / "papers"
KNOWN = {
    "ho-2015": "0.9873 (0.0018)",  # figure 4.7 of the thesis
    "bowling-2015": "104.4858",
    "andersson-2006": "-0.2309",  # section 5.1.1 prints -0.23
    "ectomynx": "0.7567 / 0.7307",  # the report's aces and ours
}
"""A figure of each."""


@pytest.mark.parametrize("paper", KNOWN)
def test_what_the_page_shows_is_what_is_printed(paper: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """If this fails: headsup reproduce PAPER --page docs/papers/PAPER.md --plots docs/papers/plots."""
    _, shown, _ = split_page(DOCS / f"{paper}.md", paper)
    assert main(["reproduce", paper]) == 0
    assert capsys.readouterr().out.strip() == shown.strip()
    for name, drawn in import_module(f"headsup.papers.{PAPERS[paper]}").plots().items():
        assert (DOCS / "plots" / name).read_text() == drawn, name
    page = tmp_path / "page.md"
    page.write_text("Before.\n{}\nold\n{}\nAfter.\n".format(*marks(paper)))
    assert main(["reproduce", paper, "--page", str(page), "--json"]) == 0
    assert split_page(page, paper)[1].strip() == shown.strip()
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert KNOWN[paper] in json.dumps(tables)
    assert all(tables.values())
    if paper in ("ho-2015", "andersson-2006"):  # their --work belongs to other options
        return
    with pytest.raises(SystemExit):
        main(["reproduce", paper, "--work", str(tmp_path)])
    assert capsys.readouterr().err.startswith(f"headsup reproduce {paper}: unrecognized arguments: --work")


FOUND = {
    "ho-2015": "18.7 and 8.6 mbb",
    "bowling-2015": "the solution of 2015 reached 0.986",
    "andersson-2006": "619 mbb/g at 20 big blinds",
    "ectomynx": "0.0017",
    "dalpasso-lancia-2015": "Of the 88 integer programs in the paper's tables, 85",
}


@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_has_one_finding_and_one_picture(paper: str) -> None:
    sentence, picture = import_module(f"headsup.papers.{PAPERS[paper]}").finding()
    assert FOUND[paper] in sentence
    assert picture.startswith("<svg")
