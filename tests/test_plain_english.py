"""What people read uses plain English and the words of the field: a list of phrases stays out of it."""

from __future__ import annotations

import ast
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
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`[^`]*`")
TAG = re.compile(r"<[^>]*>|{%.*?%}|{#.*?#}|{{.*?}}", re.DOTALL)


def readable(path: Path) -> str:
    """What people read of a file: prose and printed examples, text between tags, or strings of a module."""
    text = path.read_text()
    if path.suffix == ".md":
        return INLINE.sub("", FENCE.sub(lambda found: found[2] if found[1] == "console" else "", text))
    if path.suffix == ".html":
        return TAG.sub("", text)
    strings = (node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return "\n".join(string for string in strings if isinstance(string, str))


FILES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "headsup" / "cli").rglob("*.py")),
    *sorted((ROOT / "headsup" / "web" / "pages").rglob("*.py")),
    *sorted((ROOT / "headsup" / "web" / "templates").rglob("*.html")),
]


def faults(text: str) -> list[str]:
    """Each phrase that a text should not have, with what to write instead."""
    return [f"{found.group()!r}: write {better}" for pattern, better in PATTERNS for found in pattern.finditer(text)]


def test_a_phrase_across_two_lines_is_found() -> None:
    assert faults("A saved solution is gone\non with.") == ["'gone\\non with': write resumed"]
    assert faults("`--from` resumes from a saved solution.") == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_people_read_plain_english(path: Path) -> None:
    assert faults(readable(path)) == []
