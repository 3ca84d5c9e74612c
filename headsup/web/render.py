"""Pages and parts of pages as HTML."""

import re
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.templating import Jinja2Templates

from headsup.cards.games import GAME_NAMES
from headsup.version import __version__

HERE = Path(__file__).parent
PAGES = (
    ("/jamfold", "Jam or fold", "Exact jam-or-fold charts for any stack"),
    ("/preflop", "Preflop", "Preflop charts that include play after the flop"),
    ("/study", "Study", "Solve a spot and look at every decision"),
    ("/equity", "Equity", "Exact equities of hands and ranges"),
    ("/rules", "Rules", "Rule cards and what they cost"),
    ("/flops", "Flop formulas", "Estimate your equity on any flop from a few features"),
    ("/play", "Play", "Play against a bot"),
    ("/train", "Train", "Practise decisions and see what each answer loses"),
    ("/hands", "Hands", "Review hand histories, the costliest decisions first"),
    ("/papers", "Papers", "Published results compared with those of headsup"),
)
"""Pages in the menu: address, name, purpose."""

SIGNS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
templates = Jinja2Templates(HERE / "templates")
templates.env.trim_blocks = templates.env.lstrip_blocks = True


def signed(value: float, decimals: int = 3) -> str:
    """A number with its sign; -0 becomes +0, and a typographic minus is as wide as a plus."""
    return f"{value:+z.{decimals}f}".replace("-", "−")


def fixed(value: float, decimals: int = 1) -> str:
    """A number without a plus sign; -0 becomes 0."""
    return f"{value:z.{decimals}f}".replace("-", "−")


def percent(share: float, decimals: int = 1) -> str:
    return f"{100 * share:.{decimals}f}\N{NO-BREAK SPACE}%"


def address(path: str, **words: object) -> str:
    """An address with its query; empty parameters are left out."""
    given = {key: value for key, value in words.items() if value not in ("", None)}
    return f"{path}?{urlencode(given)}" if given else path


def printed(text: str) -> Markup:
    """A table cell in Markdown: **bold** and `code`."""
    safe = str(escape(text)).replace("`", "")
    return Markup(re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", safe))


def pips(text: str) -> Markup:
    """Cards with suit symbols and colours."""
    cards = re.findall("([2-9TJQKA])([shdc])", text)
    if "".join(rank + suit for rank, suit in cards) != text:
        return Markup(escape(text))
    shown = "".join(f'<span class="pip suit-{suit}">{rank}{SIGNS[suit]}</span>' for rank, suit in cards)
    return Markup(f'<span class="pips" role="img" aria-label="{text}">{shown}</span>')


def day(seconds: float) -> str:
    """A time as date and minute."""
    return datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


templates.env.filters |= {
    "day": day,
    "upper_first": upper_first,
    "pips": pips,
    "signed": signed,
    "fixed": fixed,
    "percent": percent,
    "printed": printed,
}
templates.env.globals |= {"game_names": GAME_NAMES, "pages": PAGES, "version": __version__, "address": address}


def is_part(request: Request) -> bool:
    """Whether htmx requests a part of the page; going back in the history needs the whole page."""
    headers = request.headers
    return headers.get("hx-request") == "true" and headers.get("hx-history-restore-request") != "true"


def show(request: Request, name: str, status: int = 200, url: str = "", **context: Any) -> Response:
    """A page, or only its view for htmx: templates `name.html` and `name_view.html`; `url` replaces the address."""
    file = f"{name}_view.html" if is_part(request) else f"{name}.html"
    given = {"here": f"/{name.partition('_')[0]}", "view": f"{name}_view.html", **context}
    answer = templates.TemplateResponse(request, file, given, status_code=status)
    answer.headers["vary"] = "HX-Request"
    if url:
        answer.headers["hx-replace-url"] = url
    return answer


def part(request: Request, name: str, status: int = 200, **context: Any) -> Response:
    return templates.TemplateResponse(request, f"{name}.html", context, status_code=status)


def error_response(request: Request, status: int, message: str) -> Response:
    """An error as JSON for the API, within the page for htmx, else on its own page.

    If the htmx target has an id, the message goes above the view, which stays; else it replaces the target.
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
