"""The documentation inside the page: its Markdown files as HTML, with links and pictures that need no network."""

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, Response

from headsup.web.render import HERE, show, templates

router = APIRouter()
PLACES = (HERE / "docs", HERE.parents[1] / "docs")  # in an installed package, and in a checkout
START = "README"
OF_PAGE = {
    "/jamfold": "guides/jamfold-chart",
    "/preflop": "guides/preflop-chart",
    "/study": "guides/study-on-the-page",
    "/equity": "ranges",
    "/rules": "rule-cards",
    "/flops": "flop-formulas",
    "/play": "page",
    "/train": "trainer",
    "/hands": "trainer",
    "/papers": "guides/reproduce-a-paper",
}
"""The help of each page."""
PICTURES = (".svg", ".png")
REACHABLE = (
    ("<pre>", '<pre tabindex="0">'),
    ("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'),
    ("</table>", "</table></div>"),
    (r"<th[^>]*></th>", "<td></td>"),
)
"""What scrolls can be scrolled with the keyboard, and empty heads are none."""


def folder() -> Path:
    return next((place for place in PLACES if place.is_dir()), PLACES[0])


def help_of(page: str) -> str:
    """The address of the help for a page."""
    return f"/docs/{OF_PAGE[page]}" if page in OF_PAGE else "/docs"


templates.env.globals["help_of"] = help_of


@router.get("/docs")
def start(request: Request) -> Response:
    return _shown(request, START)


@router.get("/docs/{name:path}")
def page(request: Request, name: str) -> Response:
    file = _inside(name)
    if file is not None and file.suffix in PICTURES:
        return FileResponse(file)
    return _shown(request, name)


def _inside(name: str) -> Path | None:
    """A file of the documentation; None if there is no such file."""
    root = folder().resolve()
    file = (root / name).resolve()
    return file if file.is_relative_to(root) and file.is_file() else None


def _shown(request: Request, name: str) -> Response:
    file = _inside(f"{name}.md")
    if file is None:
        raise HTTPException(404, "the documentation has no such page")
    title, html = rendered(file, name)
    return show(request, "docs", title=title, html=html, first=name == START)


@lru_cache(maxsize=64)
def rendered(file: Path, name: str) -> tuple[str, Markup]:
    """The title and the HTML of a page; HTML in the text is shown as text, comments are left out."""
    text = re.sub(r"<!--.*?-->", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = reader.parse(text)
    title = next((tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"), name)
    _address(tokens, name.rpartition("/")[0])
    html = reader.renderer.render(tokens, reader.options, {})
    for pattern, fresh in REACHABLE:
        html = re.sub(pattern, fresh, html)
    return title, Markup(html)


def _address(tokens: Sequence[Token], place: str) -> None:
    """Headings get ids, links and pictures addresses of this server, columns classes."""
    for i, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", slug(tokens[i + 1].content))
        if "right" in str(token.attrs.pop("style", "")):  # the policy of the page allows no inline style
            token.attrSet("class", "right")
        for child in token.children or ():
            for key in ("href", "src"):
                target: Any = child.attrGet(key)
                if isinstance(target, str):
                    child.attrSet(key, _resolved(target, place))


def _resolved(target: str, place: str) -> str:
    if re.match(r"[a-z]+:|#|/", target):
        return target
    path, _, part = target.partition("#")
    parts = list[str]()
    for word in f"{place}/{path.removesuffix('.md')}".split("/"):
        parts = parts[:-1] if word == ".." else [*parts, word] if word not in ("", ".") else parts
    return f"/docs/{'/'.join(parts)}{f'#{part}' if part else ''}"


def slug(heading: str) -> str:
    """The name of a heading in links."""
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading.lower())).strip("-")
