"""Build the documentation as a site that needs no network, and check it: `make docs`.

Zensical makes the pages. The one script that they load from elsewhere, without which a browser does not search pages
that are opened as files, is put beside them. Then every link must lead to a page and a heading that are there, and no
page may load anything from another place.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parents[1]
SITE = ROOT / "build" / "docs"
SHIM = re.compile(r"https?://[^\"']*/iframe-worker/shim")
LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(HTMLParser):
    """What a page loads, what it links to, and where it can be linked to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.names: set[str] = set()
        self.feed(path.read_text())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what the tag needs."""
        given = dict(attrs)
        self.names |= {value for value in (given.get("id"), given.get("name")) if value}
        if tag in LOADED and given.get(LOADED[tag]) and given.get("rel") not in ("canonical", "next", "prev"):
            self.loads.append(str(given[LOADED[tag]]))
        if tag == "a" and given.get("href"):
            self.links.append(str(given["href"]))


def faults(site: Path) -> list[str]:
    """What is wrong with a site: links that lead nowhere, and what is loaded from elsewhere."""
    pages = {path.resolve(): Page(path) for path in site.rglob("*.html")}
    found = []
    for path, page in pages.items():
        where = path.relative_to(site.resolve())
        found += [
            f"{where} loads {one} from elsewhere" for one in page.loads if urlsplit(one).scheme not in ("", "data")
        ]
        inside = [one for one in page.loads + page.links if not urlsplit(one).scheme and not one.startswith("//")]
        for one in inside:
            parts = urlsplit(one)
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            if not target.exists():
                found.append(f"{where} links to {one}, which is not there")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].names:
                found.append(f"{where} links to {one}, and there is no such heading")
    return found


def main() -> int:
    """Build, make whole, check."""
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        return 1
    shutil.copy(Path(__file__).with_name("iframe-worker.js"), SITE / "assets" / "javascripts")
    for path in SITE.rglob("*.html"):
        up = "../" * len(path.relative_to(SITE).parent.parts)
        path.write_text(SHIM.sub(f"{up}assets/javascripts/iframe-worker.js", path.read_text()))
    wrong = [one for one in faults(SITE) if not one.startswith("404.html")]  # that page knows no place of its own
    print("\n".join([*wrong, f"{SITE / 'index.html'}: {len(list(SITE.rglob('*.html')))} pages, {len(wrong)} faults"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
