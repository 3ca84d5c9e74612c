"""Rule cards: the cost by number of lines, the points of a hand, and a card to print."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.common.plot import line_chart
from headsup.distil.price import chart as price_chart
from headsup.distil.price import prices_of
from headsup.distil.rules.coach import margin, needed_text, view, view_text
from headsup.distil.rules.points import Advice
from headsup.distil.scorecards.drawing import card_svg, card_text, price_text
from headsup.distil.scorecards.records import RIVALS
from headsup.distil.scorecards.rule import card_rule
from headsup.distil.shipped import LINES
from headsup.games.betting.stakes import SEATS
from headsup.jamfold.hands import parse_class
from headsup.web.asking import one_of
from headsup.web.charts.rules import KINDS, find_card, frontier
from headsup.web.render import address, show
from headsup.web.sending import KINDS as FILES
from headsup.web.sending import Whole, chart_file, file

router = APIRouter()
Text = Annotated[str, Query(max_length=200)]
GAMES = {"holdem": "Hold'em", "omaha8": "Omaha Hi-Lo"}
HANDS = {"holdem": "K7o", "omaha8": "QsJs5h4d"}
SEAT_WORDS = {"sb": "small blind, first in", "bb": "big blind, facing a jam"}


@router.get("/rules")
def rules(
    request: Request,
    game: Text = "holdem",
    lines: Whole = LINES,
    kind: Text = "row",
    hand: Text = "",
    stack: Text = "8",
    seat: Text = "sb",
) -> Response:
    if game not in GAMES:
        raise UserError("rule cards exist for hold'em and Omaha Hi-Lo: choose holdem or omaha8")
    one_of(kind, KINDS, "the threshold")
    one_of(seat, SEATS, "seat")
    known = frontier(game, kind)
    lines = min(max(lines, known[0].lines), known[-1].lines)
    record = find_card(game, lines, kind)
    rule = card_rule(record)
    try:
        depth = parse_float(stack)
    except ValueError:
        raise UserError(f"the stack is '{stack}', which is not a number: write for example 10 or 7.5") from None
    held = hand.strip() or HANDS[game]
    advice = rule.advise(parse_class(game, held), depth, seat)
    prices = prices_of(rule)
    words: dict[str, Any] = {"game": game, "lines": lines, "kind": kind, "hand": held, "stack": stack, "seat": seat}
    return show(
        request, "rules", url=address("/rules", **words), games=GAMES, seats=SEAT_WORDS, record=record,
        least=known[0].lines, most=known[-1].lines, card=card_svg(record), price=price_text(record), rival=RIVALS[game],
        prices=price_chart(prices, rule.title), steps=_steps(game, kind), advice=advise(advice), **words,
    )  # fmt: skip


def advise(advice: Advice) -> dict[str, Any]:
    seen = view(advice)
    return {
        "lines": [(line.points, line.section, line.text, line.why) for line in advice.counted],
        "always": advice.always,
        "score": advice.score,
        "needed": "" if advice.always else needed_text(advice),
        "margin": 0 if advice.always else margin(advice),
        "action": advice.action,
        "truth": view_text(advice, seen),
        "right": seen.cost < 5e-4,
        "outside": not advice.rule.min_stack <= advice.stack <= advice.rule.max_stack,
        "made_for": (advice.rule.min_stack, advice.rule.max_stack),
        "hand": advice.hand_class,
    }


def _steps(game: str, kind: str) -> str:
    records = [record for record in frontier(game, kind) if record.worst_price is not None]
    series = {
        "small blind": [(float(record.lines), record.worst_price[0]) for record in records if record.worst_price],
        "big blind": [(float(record.lines), record.worst_price[1]) for record in records if record.worst_price],
    }
    return line_chart(
        series, title="Cost by number of lines", x="lines on the card", y="worst cost, mbb/g", width=520, height=330
    )


@router.get("/rules/card.{ending}")
def card(ending: str, game: Text = "holdem", lines: Whole = LINES, kind: Text = "row") -> Response:
    record = find_card(game, lines, kind)
    if ending == "svg":
        return file(card_svg(record), FILES[ending], f"card-{game}-{lines}.svg")
    if ending == "txt":
        return file(card_text(record), FILES[ending], f"card-{game}-{lines}.txt")
    raise UserError(f"a card is available as svg or txt, not {ending[:10]}")


@router.get("/rules/lines.{ending}")
def lines_chart(ending: str, game: Text = "holdem", kind: Text = "row") -> Response:
    find_card(game, LINES, kind)
    return chart_file(_steps(game, kind), ending, f"lines-{game}-{kind}")


@router.get("/rules/stacks.{ending}")
def stacks_chart(ending: str, game: Text = "holdem", lines: Whole = LINES, kind: Text = "row") -> Response:
    rule = card_rule(find_card(game, lines, kind))
    return chart_file(price_chart(prices_of(rule), rule.title), ending, f"price-{game}-{lines}")
