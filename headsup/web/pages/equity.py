"""Equity of two hands or ranges on a board, with the counts."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from headsup.cards.cards import cards_name, read_cards
from headsup.cards.games import GAME_NAMES, check_game
from headsup.common.plot import Chart, bar_chart
from headsup.equity.results import WORDS, EquityResult
from headsup.web.asking import asked_equity
from headsup.web.render import address, show
from headsup.web.sending import chart_file

router = APIRouter()
Text = Annotated[str, Query(max_length=20_000)]
Maybe = Annotated[str | None, Query(max_length=20_000)]
STARTS = {"holdem": ("AhKh", "QQ+,AKs"), "omaha": ("AsKsQhJh", "8c7c6d5d"), "omaha8": ("AsQsAdJd", "5h4s3c2h")}
"""Initial values of the fields."""


@router.get("/equity")
def equity(
    request: Request, game: Text = "holdem", a: Maybe = None, b: Maybe = None, board: Text = "", dead: Text = ""
) -> Response:
    check_game(game)
    first, second = (given if given is not None else start for given, start in zip((a, b), STARTS[game], strict=True))
    words: dict[str, Any] = {"game": game, "a": first, "b": second, "board": board, "dead": dead}
    result = None
    if first.strip() and second.strip():
        result = tell(asked_equity(first, second, board, dead, game))
    shown = {key: cards_name(read_cards(words[key])) for key in ("board", "dead")} if result else {}
    url = address("/equity", **words)
    return show(request, "equity", url=url, told=result, shown=shown, game_names=GAME_NAMES, **words)


@router.get("/equity/chart.{kind}")
def chart(kind: str, a: Text, b: Text, game: Text = "holdem", board: Text = "", dead: Text = "") -> Response:
    check_game(game)
    result = tell(asked_equity(a, b, board, dead, game))
    bars = [(row["text"][:60], [share for _, share in row["counts"]]) for row in result["rows"]]
    title = f"{GAME_NAMES[game]}, {board}" if board else GAME_NAMES[game]
    drawn = bar_chart(bars, result["names"], title=title, x="fraction of the deals")
    rows = [(row["text"], *(count for count, _ in row["counts"]), row["equity"]) for row in result["rows"]]
    return chart_file(Chart.of(drawn, ("player", *result["names"], "equity"), rows), kind, "equity")


def tell(result: EquityResult) -> dict[str, Any]:
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
    how = result.how.replace(f", by {result.method}.", ".")
    return {"result": result, "how": how, "names": names, "rows": rows, "parts": parts, "fraction": fraction}
