"""A rule card to carry: as text, and as one page of SVG.

Both show the lines with their points, the thresholds of both seats, the cost of the card, its stacks, and its data.
"""

from __future__ import annotations

from itertools import zip_longest
from re import sub
from textwrap import wrap

from headsup.common.display import escaped
from headsup.distil.scorecards.lines import together
from headsup.distil.scorecards.records import CardRecord
from headsup.distil.scorecards.scorecard import ScoreCard

GAME_NAMES = {"holdem": "Texas hold'em", "omaha8": "Omaha hi-lo"}
SOURCE = "Built from the equilibria that ship with headsup: blinds 1:2, no ante, exact showdown counts."
WIDTH = 79  # no line of text is longer
_WIDTH, _MARGIN, _STEP = 620, 28, 21


def points_text(card: ScoreCard) -> list[tuple[str, str]]:
    """Each line of the card: its heading, and its parts with their points, without zeros."""
    rows = []
    for line in card.lines:
        parts: dict[tuple[int, str], list[str]] = {}
        for name, point in zip(line.parts, card.points[line.name], strict=True):
            if point:
                # "+1 for each rank" and "+1 more for an ace" add up: run into one phrase they would read as one of two
                alone = name if name.startswith(("for ", "more ")) else ""
                parts.setdefault((point, alone), []).append(name)
        phrases = [f"{point:+d} {together(names)}" for (point, _), names in parts.items()]
        rows.append((line.heading, "; ".join(phrases) or "nothing"))
    return rows


def threshold_text(card: ScoreCard) -> list[tuple[str, str]]:
    rows = []
    for who, verb, given in (("Small blind", "jam", card.sb), ("Big blind", "call", card.bb)):
        if card.row:
            rows.append((f"{who}: {verb} at", " ".join(f"{number:3}" for number in given)))
        else:
            rows.append((f"{who}: {verb} with", f"{line_text(*given)} points or more"))
    return rows


def price_text(record: CardRecord) -> list[str]:
    """The cost of the card in words."""
    reach = f"stacks of 1 to {record.card.max_stack:g} big blinds"
    sentences = [f"For {reach}. {record.length}, {record.card.numbers} numbers."]
    if record.worst_price is not None and record.mean_price is not None:
        (sb, bb), (mean_sb, mean_bb) = record.worst_price, record.mean_price
        sentences.append(
            f"Against a perfect opponent it loses {sb:.1f} mbb per hand as small blind and {bb:.1f} as big blind at "
            f"the worst stack. The averages are {mean_sb:.1f} and {mean_bb:.1f}. 1000 mbb are one big blind."
        )
    else:
        sb, bb = record.worst_loss
        sentences.append(
            f"Against the equilibrium it loses {sb:.1f} mbb per hand as small blind and {bb:.1f} as big blind at the "
            "worst stack. Its cost against a best response is not known. 1000 mbb are one big blind."
        )
    return sentences


def card_text(record: CardRecord, width: int = WIDTH) -> str:
    """The card as lines of text, none longer than `width` unless a single word is."""
    card = record.card
    rows = [*wrapped(f"{GAME_NAMES[card.game]}, jam or fold: add up the points of your hand.", width), ""]
    for number, (heading, text) in enumerate(points_text(card), start=1):
        rows += wrapped(f"{number}. {heading}: {text}", width, hang=3)
    rows += ["", *_threshold_rows(card, width), *wrapped(_meaning_of_r(card), width)]
    return "\n".join([*rows, "", *(part for text in (*price_text(record), SOURCE) for part in wrapped(text, width))])


def _threshold_rows(card: ScoreCard, width: int) -> list[str]:
    """Stacks side by side, or below each other if they do not fit."""
    thresholds = threshold_text(card)
    if card.row:
        thresholds.insert(0, ("Stack R in big blinds", " ".join(f"{stack:3}" for stack in range(1, len(card.sb) + 1))))
    rows = [f"{who:22}{numbers}" for who, numbers in thresholds]
    if max(map(len, rows)) <= width:
        return rows
    if not card.row:
        return [part for who, formula in thresholds for part in (who, f"  {formula}")]
    heads = [wrapped(who, width // 3 - 1) for who, _ in thresholds]
    rooms = [max(map(len, head)) for head in heads]
    body = [*zip_longest(*heads, fillvalue=""), *zip(*(numbers.split() for _, numbers in thresholds), strict=True)]
    return ["  ".join(map(str.rjust, row, rooms)) for row in body]


def card_svg(record: CardRecord) -> str:
    """The card as one page of SVG; the same bytes every time."""
    card = record.card
    parts: list[str] = []
    y = 44

    def put(text: str, x: int = _MARGIN, size: int = 14, weight: str = "normal", fill: str = "#222222") -> None:
        style = f'font-size="{size}" font-weight="{weight}" fill="{fill}"'
        parts.append(f'<text x="{x}" y="{y}" {style}>{escaped(text)}</text>')

    put(f"{GAME_NAMES[card.game]}: jam or fold", size=22, weight="bold")
    y += 26
    put("Add up the points of your hand.", fill="#555555")
    for number, (heading, phrases) in enumerate(points_text(card), start=1):
        y += _STEP + 8
        put(f"{number}. {heading}", weight="bold")
        for part in wrapped(phrases, 66):  # wide fonts have room for some 70 letters
            y += _STEP - 2
            put(part, x=_MARGIN + 18)
    y += 16
    parts.append(f'<path d="M{_MARGIN} {y}H{_WIDTH - _MARGIN}" stroke="#bbbbbb"/>')
    if card.row:
        y += _STEP + 4
        y = _svg_row(parts, y, card)
    else:
        for who, phrases in threshold_text(card):
            y += _STEP + 4
            put(f"{who} {phrases}", weight="bold")
    y += _STEP
    for phrases in (_meaning_of_r(card), *price_text(record), SOURCE):
        for part in wrapped(phrases, 84):
            put(part, size=12, fill="#555555")
            y += 17
    height = y - 17 + _MARGIN
    frame = f'<rect x="6" y="6" width="{_WIDTH - 12}" height="{height - 12}" rx="12" fill="white" stroke="#444444"/>'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif">'
    return "\n".join([head, frame, *parts, "</svg>", ""])


def _svg_row(parts: list[str], y: int, card: ScoreCard) -> int:
    """Draw the table of thresholds; returns the new y."""
    first, step = 150, (_WIDTH - _MARGIN - 150) // max(len(card.sb), 1)
    rows = (("Stack R", tuple(range(1, len(card.sb) + 1))), ("Small blind: jam", card.sb), ("Big blind: call", card.bb))
    for at, (name, numbers) in enumerate(rows):
        weight = "normal" if at == 0 else "bold"
        parts.append(f'<text x="{_MARGIN}" y="{y}" font-size="14" font-weight="{weight}">{name}</text>')
        for column, number in enumerate(numbers):
            x = first + step * column + step // 2
            parts.append(
                f'<text x="{x}" y="{y}" font-size="14" font-weight="{weight}" text-anchor="middle">{number}</text>'
            )
        y += _STEP
    return y - _STEP


def _meaning_of_r(card: ScoreCard) -> str:
    rounding = ", rounded to the nearest whole number (halves down)" if card.row else ""
    return f"R is the smaller stack in big blinds before the blinds are posted{rounding}."


def line_text(a: int, b: int) -> str:
    slope = "R" if b == 1 else f"{b} x R"
    return slope if a == 0 else f"{slope} {'+' if a > 0 else '-'} {abs(a)}"


def wrapped(text: str, width: int = WIDTH, hang: int = 0) -> list[str]:
    """Lines of at most `width` letters, the later ones indented; points stay beside their text."""
    kept = sub(r"([+-]\d+) ", "\\1\xa0", text)
    return [
        line.replace("\xa0", " ") for line in wrap(kept, width, subsequent_indent=" " * hang, break_on_hyphens=False)
    ]
