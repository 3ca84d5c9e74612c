"""Pages and parts of pages as HTML."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.templating import Jinja2Templates

from headsup.version import __version__

HERE = Path(__file__).parent
PAGES = (
    ("/jamfold", "Jam or fold", "What to jam and what to call, at any stack, with the proof"),
    ("/study", "Study", "Solve a spot and walk through it"),
    ("/equity", "Equity", "Who wins how much of the pot, by exact counts"),
    ("/rules", "Rules", "Cards of a few lines, with their price"),
    ("/flops", "Flop formulas", "Your equity on any flop from a look at a few things"),
    ("/play", "Play", "A table against any bot of the arena"),
    ("/train", "Train", "Decisions to train, scored by what an answer loses"),
    ("/hands", "Hands", "Hands that were played: the costliest decisions first"),
    ("/papers", "Papers", "What others printed beside what we find"),
)
"""The pages that the menu names: address, name, what it is for."""

SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
templates = Jinja2Templates(HERE / "templates")
templates.env.trim_blocks = templates.env.lstrip_blocks = True


def signed(value: float, decimals: int = 3) -> str:
    """A number with its sign; what rounds to zero is +0, never -0. A real minus is as wide as a plus."""
    return f"{value:+z.{decimals}f}".replace("-", "−")


def fixed(value: float, decimals: int = 1) -> str:
    """A number with a sign only if it is below zero as it is shown."""
    return f"{value:z.{decimals}f}".replace("-", "−")


def percent(share: float, decimals: int = 1) -> str:
    """A share in percent."""
    return f"{100 * share:.{decimals}f}\N{NO-BREAK SPACE}%"


def address(path: str, **words: object) -> str:
    """An address with words; those that are empty are left out."""
    given = {key: value for key, value in words.items() if value not in ("", None)}
    return f"{path}?{urlencode(given)}" if given else path


def printed(text: str) -> Markup:
    """A cell of a paper's table, which is Markdown: **bold** and `code`."""
    safe = str(escape(text)).replace("`", "")
    return Markup(re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", safe))


def pips(text: str) -> Markup:
    """Cards by their signs and colours, as on a table: a board, or a hand."""
    cards = re.findall("([2-9TJQKA])([shdc])", text)
    if "".join(rank + suit for rank, suit in cards) != text:
        return Markup(escape(text))
    shown = "".join(f'<span class="pip suit-{suit}">{rank}{SIGNS[suit]}</span>' for rank, suit in cards)
    return Markup(f'<span class="pips" role="img" aria-label="{text}">{shown}</span>')


def upper_first(text: str) -> str:
    """A sentence from words; names in it keep their capitals."""
    return text[:1].upper() + text[1:]


templates.env.filters |= {
    "upper_first": upper_first,
    "pips": pips,
    "signed": signed,
    "fixed": fixed,
    "percent": percent,
    "printed": printed,
}
templates.env.globals |= {"pages": PAGES, "version": __version__, "address": address}


def is_part(request: Request) -> bool:
    """Whether htmx asks for the part that changes; one who goes back in the history wants the whole page."""
    headers = request.headers
    return headers.get("hx-request") == "true" and headers.get("hx-history-restore-request") != "true"


def show(request: Request, name: str, status: int = 200, **context: Any) -> Response:
    """A page, or only its view where htmx asks: templates `name.html` and `name_view.html`."""
    file = f"{name}_view.html" if is_part(request) else f"{name}.html"
    given = {"here": f"/{name.partition('_')[0]}", "view": f"{name}_view.html", **context}
    answer = templates.TemplateResponse(request, file, given, status_code=status)
    answer.headers["vary"] = "HX-Request"
    return answer


def part(request: Request, name: str, status: int = 200, **context: Any) -> Response:
    """A part of a page by itself."""
    return templates.TemplateResponse(request, f"{name}.html", context, status_code=status)


def told(request: Request, status: int, message: str) -> Response:
    """The sentence as JSON for a program, within the page for htmx, and on a page of its own otherwise.

    htmx names a target that has an id, such as the view: that stays as it was, and the sentence stands above it. A card
    has none, and shows the sentence in its place.
    """
    if request.scope["path"].startswith("/api"):
        return JSONResponse({"error": message}, status)
    if request.headers.get("hx-request") == "true":
        answer = part(request, "mistake", status, message=message)
        if "hx-target" in request.headers:
            answer.headers["hx-retarget"], answer.headers["hx-reswap"] = "#mistake", "innerHTML"
        return answer
    return templates.TemplateResponse(
        request, "mistake_page.html", {"message": message, "here": ""}, status_code=status
    )
