"""The swap rule of the ectomynx report, for hold'em in which a hole card may be changed after the flop and the turn.

Each hole card is looked at by itself, against the other one and the board:

1. *paired*: another hole or board card has its rank.
2. *flush*: it belongs to a flush or flush draw (five or four of a suit among all cards) that is gone without it.
3. *straight*: it belongs to a straight that is gone without it.
4. Unless three or more of the board have one suit, draws to a straight count. A draw is five ranks in a row of which
   one is missing. A card's *power* is the number of draws that are gone without it. It is *two_way* if two different
   ranks complete a straight with it, and without it they do not.
5. A card with any of these four marks is kept. If both are kept, there is no swap; if one is, the other goes; if
   neither is, the one with less power goes, then the one of lower rank.

The report leaves three corners open, and this is how they are read. A flush is one a suit: with six of a suit neither
hole card is needed for it. A straight is each five in a row: with T9 on 8765 both are needed, the ten for the better
one. The "unusual circumstances" of step 4 are those in which power does not tell: five cards such as 34578 have two
rows that wait for the same six (power 2, and yet one way), and 35679 waits for 4 and 8, where the outer cards have
power 1.

The rule is wrong where a pair counts for nothing: with 84 on a turn of 9984 both cards are paired and stay, though the
four should go. (The report shows this with five board cards, where no swap is left.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from headsup.cards.cards import card_name
from headsup.common.errors import UserError

KEEP, FIRST, SECOND = 0, 1, 2
"""What a swap does: nothing, or change the first or the second hole card."""

ROWS = tuple(sum(1 << rank % 13 for rank in range(low, low + 5)) for low in range(-1, 9))
"""The ten straights as masks of 13 ranks, the wheel first: its ace is rank -1, that is 12."""


class Mark(NamedTuple):
    """Why a hole card is kept, and the power that decides where neither is."""

    paired: bool
    flush: bool
    straight: bool
    two_way: bool
    power: int

    @property
    def kept(self) -> bool:
        """Whether any of the four reasons holds."""
        return self.paired or self.flush or self.straight or self.two_way


def straights(ranks: int) -> list[int]:
    """The straights, as masks, that a mask of ranks holds."""
    return [row for row in ROWS if ranks & row == row]


def draws(ranks: int) -> list[tuple[int, int]]:
    """The rows of five in which a mask of ranks lacks one: the four that are there, and the one that is missing."""
    return [(ranks & row, row & ~ranks) for row in ROWS if (row & ~ranks).bit_count() == 1]


def ways(ranks: int) -> int:
    """How many different ranks would complete a straight."""
    return len({missing for _, missing in draws(ranks)})


def mark(card: int, other: int, board: Sequence[int]) -> Mark:
    """What the rule sees in a hole card beside the other one on a board of three or four."""
    bit, without = 1 << (card >> 2), _ranks((other, *board))
    every = without | bit
    same_suit = sum(one & 3 == card & 3 for one in (card, other, *board))
    paired = bool(without & bit)
    counts = not _suited(board) and not paired
    return Mark(
        paired=paired,
        flush=same_suit in (4, 5),
        straight=not paired and any(row & bit for row in straights(every)),
        two_way=counts and ways(every) >= 2 > ways(without),
        power=sum(bool(row & bit) for row, _ in draws(every)) if counts else 0,
    )


def swap_rule(hole: Sequence[int], board: Sequence[int]) -> int:
    """The hole card that the report's rule changes on a flop or turn: 0 none, 1 the first, 2 the second."""
    _check(hole, board)
    return rule_of(hole, board)


def rule_of(hole: Sequence[int], board: Sequence[int]) -> int:
    """The same for any number of board cards and without a check, for small games and callers who know."""
    first, second = mark(hole[0], hole[1], board), mark(hole[1], hole[0], board)
    if first.kept or second.kept:
        return KEEP if first.kept and second.kept else SECOND if first.kept else FIRST
    return FIRST if (first.power, hole[0] >> 2) < (second.power, hole[1] >> 2) else SECOND


def _ranks(cards: Sequence[int]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << (card >> 2)
    return mask


def _suited(board: Sequence[int]) -> bool:
    """Whether three or more of the board have one suit."""
    return any(sum(card & 3 == suit for card in board) >= 3 for suit in range(4))


def _check(hole: Sequence[int], board: Sequence[int]) -> None:
    if len(hole) != 2:
        raise UserError(f"a hand has two cards, not {len(hole)}: give both hole cards")
    if len(board) not in (3, 4):
        raise UserError(f"cards are changed on the flop and the turn: give a board of 3 or 4 cards, not {len(board)}")
    seen: set[int] = set()
    for card in (*hole, *board):
        if card in seen:
            raise UserError(f"{card_name(card)} is there twice: each card is in the deck once")
        seen.add(card)
