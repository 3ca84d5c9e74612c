"""What people read uses plain English and the words of the field: a list of phrases stays out of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PHRASES = {
    r"anew": "again, from scratch; of a strategy: re-solve",
    r"gone on with": "resumed",
    r"go(es)? on (from|with)": "resumes from, continues with",
    r"go(es)? on": "continues, resumes",
    r"(is|are|was|were) told": "is reported, is printed",
    r"tells? (what|how|why|where)": "reports, shows, explains",
    r"best repl(y|ies)": "best response",
    r"luck (is )?taken out": "variance reduction",
    r"however often": "anytime-valid",
    r"(being )?fixed beforehand": "fixed sample size",
    r"gives? away": "loses, is exploitable for",
    r"gives? up (at most|less|more)": "loses at most, less, more",
    r"mended": "fixed",
    r"who knows": "the reference strategy",
    r"that is there": "existing",
    r"asked no more": "forfeits its remaining hands",
    r"by its root": "square root",
    r"whoever": "the player, the caller",
    r"how sure it is": "95 % CI",
}
"""Patterns that no text may have, each with what to write."""
PATTERNS = [
    (re.compile(rf"\b{phrase}\b".replace(" ", r"\s+"), re.IGNORECASE), better) for phrase, better in PHRASES.items()
]
CODE = re.compile(r"^```.*?^```|`[^`]*`", re.MULTILINE | re.DOTALL)
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]


def faults(text: str) -> list[str]:
    """Each phrase that a text should not have, with what to write instead."""
    return [f"{found.group()!r}: write {better}" for pattern, better in PATTERNS for found in pattern.finditer(text)]


def test_a_phrase_across_two_lines_is_found() -> None:
    assert faults("A saved solution is gone\non with.") == ["'gone\\non with': write resumed"]
    assert faults("`--from` resumes from a saved solution.") == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_are_in_plain_english(page: Path) -> None:
    assert faults(CODE.sub("", page.read_text())) == []
