"""Equity: two hands or ranges, a board, and who wins how much of the pot, with the counts behind it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from headsup.cards.cards import cards_name, read_cards
from headsup.cards.games import GAME_NAMES, check_game
from headsup.common.plot import Chart, bar_chart
from headsup.equity.results import WORDS, EquityResult
from headsup.web.asking import asked_equity
from headsup.web.render import address, show
from headsup.web.saving import chart_file

router = APIRouter()
Text = Annotated[str, Query(max_length=20_000)]
Maybe = Annotated[str | None, Query(max_length=20_000)]
STARTS = {"holdem": ("AhKh", "QQ+,AKs"), "omaha": ("AsKsQhJh", "8c7c6d5d"), "omaha8": ("AsQsAdJd", "5h4s3c2h")}
"""What stands in the fields at first."""


@router.get("/equity")
def equity(
    request: Request,
    game: Text = "holdem",
    a: Maybe = None,
    b: Maybe = None,
    board: Text = "",
    dead: Text = "",
) -> Response:
    """The page."""
    check_game(game)
    first, second = (given if given is not None else start for given, start in zip((a, b), STARTS[game], strict=True))
    words: dict[str, Any] = {"game": game, "a": first, "b": second, "board": board, "dead": dead}
    told = None
    if first.strip() and second.strip():
        told = tell(asked_equity(first, second, board, dead, game))
    shown = {key: cards_name(read_cards(words[key])) for key in ("board", "dead")} if told else {}
    page = show(request, "equity", told=told, shown=shown, game_names=GAME_NAMES, **words)
    page.headers["hx-replace-url"] = address("/equity", **words)
    return page


@router.get("/equity/chart.{kind}")
def chart(kind: str, a: Text, b: Text, game: Text = "holdem", board: Text = "", dead: Text = "") -> Response:
    """The counts as a file."""
    check_game(game)
    told = tell(asked_equity(a, b, board, dead, game))
    bars = [(row["text"][:60], [share for _, share in row["counts"]]) for row in told["rows"]]
    title = f"{GAME_NAMES[game]}, {board}" if board else GAME_NAMES[game]
    drawn = bar_chart(bars, told["names"], title=title, x="share of the deals")
    rows = [(row["text"], *(count for count, _ in row["counts"]), row["equity"]) for row in told["rows"]]
    return chart_file(Chart.of(drawn, ("player", *told["names"], "equity"), rows), kind, "equity")


def tell(result: EquityResult) -> dict[str, Any]:
    """A result in the words of the page."""
    names = [WORDS.get(name, name) for name in result.players[0].counts]
    rows = []
    for player in result.players:
        counts = [(count, count / result.deals if result.deals else 0.0) for count in player.counts.values()]
        rows.append({"text": player.text, "equity": player.equity, "counts": counts})
    parts = []
    if result.players[0].low is not None:
        for player in result.players:
            parts.append({"text": player.text, "high": dict(player.high), "low": dict(player.low or {})})
    fraction = result.fraction if result.exact else None
    if fraction is not None and fraction.denominator > 10**9:
        fraction = None
    return {"result": result, "how": result.how, "names": names, "rows": rows, "parts": parts, "fraction": fraction}
