"""Appendix a, counted: the base rates, what a swap makes by the turn, and how often each hand is made in the end."""

from collections.abc import Sequence
from typing import NamedTuple

from headsup.cards.cards import parse_cards
from headsup.common.errors import UserError
from headsup.discards.equity.frequencies import HOLDEM, frequencies
from headsup.discards.swap import KEEP, ROWS
from headsup.evaluate.classes import CATEGORIES
from headsup.papers.section import Rows, Section, written

MADE = ("nothing", "draw", "pair", "pair and draw", "two pair or trips", "flush or straight")
DRAWS = ("flush", "straight", "any")


def swap_makes(hole: Sequence[int], flop: Sequence[int], swap: int, draw: str) -> dict[str, int]:
    """The number of ways to make each of MADE by the turn, throwing away no card (0), the first or the second.

    Only what the hole cards make counts. `draw` is four to a flush, five ranks in a row with one missing, or any.
    """
    _check(draw)
    gone = {*hole, *flop}
    left = [card for card in range(52) if card not in gone]
    counts = dict.fromkeys(MADE, 0)
    for new in left if swap != KEEP else [-1]:
        hand = [*hole]
        if swap != KEEP:
            hand[swap - 1] = new
        for turn in left:
            if turn != new:
                counts[made(hand, [*flop, turn], draw)] += 1
    return counts


def card_makes(hole: Sequence[int], board: Sequence[int], swap: int, draw: str) -> dict[str, int]:
    """The same by one card: a new hole card in place of the first or the second, or the next board card (0)."""
    _check(draw)
    gone = {*hole, *board}
    counts = dict.fromkeys(MADE, 0)
    for card in range(52):
        if card not in gone:
            hand = [*hole]
            if swap != KEEP:
                hand[swap - 1] = card
            counts[made(hand, board if swap != KEEP else [*board, card], draw)] += 1
    return counts


def _check(draw: str) -> None:
    if draw not in DRAWS:
        raise UserError(f"'{draw}' is not a draw: choose one of {', '.join(DRAWS)}")


def made(hole: Sequence[int], board: Sequence[int], draw: str) -> str:
    flush = max(sum(card & 3 == held & 3 for card in (*hole, *board)) for held in hole)
    table = {card >> 2 for card in board}
    own = {card >> 2 for card in hole} - table
    mask = sum(1 << rank for rank in own | table)
    rows = [(row & mask).bit_count() for row in ROWS if any(row >> rank & 1 for rank in own)]
    if flush >= 5 or 5 in rows:
        return MADE[5]
    drawing = (draw != "straight" and flush == 4) or (draw != "flush" and 4 in rows)
    ranks = [card >> 2 for card in (*hole, *board)]
    times = [ranks.count(card >> 2) for card in hole]
    if max(times) >= 3 or (min(times) >= 2 and hole[0] >> 2 != hole[1] >> 2):
        return MADE[4]
    if max(times) == 2:
        return MADE[3] if drawing else MADE[2]
    return MADE[1] if drawing else MADE[0]


MONSTER = "monster draw, 9h8h on Th7h2c (ours)"
MAKES = (
    ("flush draw, Jh9h on Ah8h4d", "Jh9h", "Ah8h4d", "flush", (45, 16, 28, 5, 2, 4), (0, 67, 0, 13, 0, 20)),
    ("gutshot, Jh9d on Qs8c4h (ours)", "Jh9d", "Qs8c4h", "straight", (50, 14, 28, 4, 2, 2), (0, 67, 0, 13, 0, 9)),
    ("pair and flush draw, Jh9h on AhJd4h", "Jh9h", "AhJd4h", "flush", (0, 0, 53, 16, 27, 4), (0, 0, 0, 69, 11, 20)),
    (MONSTER, "9h8h", "Th7h2c", "any", (), ()),
    (
        "pair and straight draw, 9h8d on 9c7s6d (ours)", "9h8d", "9c7s6d", "straight",
        (0, 40, 4.5, 20, 2.5, 33), (0, 0, 0, 69, 11, 18),
    ),
)  # fmt: skip
"""The appendix's tables: hand, flop, the draw that is looked for, per cent of `MADE` after a swap and without one.

For the monster draw, a flush draw and a straight draw, the report has no table."""
THROWN = {"9h8d": 1}  # which card goes, where it is not the second: the paired one of the last table


DRAWN = frozenset({"draw", "pair and draw"})
PAIRS, COMPLETE = frozenset({"pair", "pair and draw"}), frozenset({"flush or straight"})


class BaseRate(NamedTuple):
    """One of the report's seven base rates with a hand that shows it."""

    event: str
    printed: str
    hole: str
    flop: str
    swap: int  # the hole card that goes, or 0
    draw: str
    wanted: frozenset[str]


RATES = (
    BaseRate("hitting a flush draw on a street", "20 %", "Jh9h", "Ah8h4d", 0, "flush", COMPLETE),
    BaseRate("hitting a straight draw on a street", "18 %", "9h8d", "7c6sKd", 0, "straight", COMPLETE),
    BaseRate("hitting a pair on a street, two unpaired cards", "13 %", "Jh9d", "As8c4h", 0, "flush", PAIRS),
    BaseRate("hitting a gutshot on a street", "9 %", "Jh9d", "Qs8c4h", 0, "straight", COMPLETE),
    BaseRate("hitting a pair by discarding", "20 % on the flop, 25 % on the turn", "Jh9d", "As8c4h", 2, "flush", PAIRS),
    BaseRate("re-creating a flush draw by discarding", "20 %", "Jh9h", "Ah8h4d", 2, "flush", DRAWN),
)
TURN = "2d"  # a turn that helps none of these hands


def rates() -> Section:
    """The base rates; the two of hitting a pair by discarding are one row, and one more counts the board alone."""
    rows: Rows = []
    for rate in RATES:
        rows.append((rate.event, rate.printed, *(_counted(rate, board) for board in (rate.flop, rate.flop + TURN))))
        if rate.wanted is PAIRS and rate.swap:
            board = (f"{3 * n} of {left} = {3 * n / left:.1%}" for n, left in ((3, 47), (4, 46)))
            rows.append((f"{rate.event}, with the board alone", rate.printed, *board))
    return written(__file__, "rates", rows)


def _counted(rate: BaseRate, board: str) -> str:
    counts = card_makes(parse_cards(rate.hole), parse_cards(board), rate.swap, rate.draw)
    hits, total = sum(counts[kind] for kind in rate.wanted), sum(counts.values())
    return f"{hits} of {total} = {hits / total:.1%}"


def made_in_the_end() -> Section:
    known, rows = frequencies(), []
    for category, plain in zip(CATEGORIES, HOLDEM, strict=True):
        before, after = plain / sum(HOLDEM), known.share(category)
        rows.append((category, f"{before:.4%}", f"{after:.4%}", f"{after / before:.2f}"))
    never, turn, flop, both = (count / sum(known.swaps) for count in known.swaps)
    rows.append((f"swaps: none {never:.2%}, flop only {flop:.2%}, turn only {turn:.2%}, both {both:.2%}", "", "", ""))
    return written(__file__, "made", rows)


def makes() -> list[Section]:
    sections = []
    for title, hole, flop, draw, swapped, kept in MAKES:
        rows: Rows = []
        for name, which, printed in (("swap", THROWN.get(hole, 2), swapped), ("keep", 0, kept)):
            counts = swap_makes(parse_cards(hole), parse_cards(flop), which, draw)
            total = sum(counts.values())
            if printed:
                rows.append((f"{name}, report", *(f"{percent:g}" for percent in printed), f"{sum(printed):g}"))
            rows.append((f"{name}, counted", *(f"{100 * counts[kind] / total:.1f}" for kind in MADE), "100"))
        sections.append(Section(f"Appendix: {title}, percent", ("", *MADE, "total"), rows))
    return sections
