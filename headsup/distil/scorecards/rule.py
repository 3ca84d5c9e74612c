"""A shipped card as a rule: scored, explained and priced like ORACLE and SAGE.

Each number of a `scorecard` becomes a line of a `PointRule`.
"""

from __future__ import annotations

from headsup.distil.rules.points import PointRule, Points, off_the_end
from headsup.distil.scorecards.drawing import line_text
from headsup.distil.scorecards.records import CardRecord
from headsup.distil.scorecards.scorecard import ScoreCard, box

TITLES = {"holdem": "hold'em", "omaha8": "Omaha hi-lo"}
WHY = {
    "suits": "for flushes",
    "top suit": "for the best flushes",
    "ace and suits": "for the best flushes",
    "aces": "the best cards both ways",
    "cards": "for the high half of the pot",
    "high ranks": "for the high half of the pot",
    "pairs": "for the high half of the pot",
    "second low": "for the low half of the pot",
    "third low": "for the low half of the pot",
    "low count": "for the low half of the pot",
    "low ranks": "for the low half of the pot",
    "ace and low": "for the low half of the pot",
    "span": "for straights",
    "pair": "already a made hand",
    "small pair": "which beats lower pairs",
    "suited": "a flush now and then",
    "connected": "for straights",
    "gap": "for straights",
}
"""Why a line of the pool gives points; a line that is not here speaks for itself."""
WHY_NOT = {"far cards": "which work with no other card"}  # why a line takes points


def card_rule(record: CardRecord) -> PointRule:
    card = record.card
    lines = tuple(
        Points(line.heading, part, points, line.columns[:, at], (WHY if points > 0 else WHY_NOT).get(line.name, ""))
        for line in card.lines
        for at, (part, points) in enumerate(zip(line.parts, card.points[line.name], strict=True))
        if points
    )
    kind = "" if card.row else " --threshold sum"
    return PointRule(
        name=card.name,
        title=f"the {TITLES[card.game]} card of {record.length}",
        game=card.game,
        source=f"headsup distil --game {card.game} --rules {record.lines}{kind}",
        lines=lines,
        threshold=lambda stack, seat: float(card.threshold(seat, stack)),
        threshold_text=lambda stack, seat: _threshold_text(card, stack, seat),
        min_stack=1.0,
        max_stack=card.max_stack,
    )


def _threshold_text(card: ScoreCard, stack: float, seat: str) -> str:
    given = card.sb if seat == "sb" else card.bb
    if card.row:
        place = box(stack, len(given)) + 1
        if 1 <= stack <= card.max_stack:
            return f"the card's number for R = {place}"
        return f"{off_the_end('card', place, stack < 1)}, and you have R = {stack:g}"
    return f"{line_text(*given)}, rounded up"
