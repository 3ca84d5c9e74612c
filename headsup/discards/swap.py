"""The swap rule of the ectomynx report, for hold'em in which a hole card may be changed after the flop and the turn.

1. A hole card is kept if another card has its rank (*paired*), or if it is needed for a flush or flush draw (*flush*),
   for a straight (*straight*), or for two ranks to complete a straight (*two_way*).
2. Straight draws count unless three or more board cards have one suit. A card's *power* is the number of straight draws
   that need it. If neither card is kept, the one with less power goes, then the one of lower rank.

The report leaves three cases open. With six of a suit neither hole card is needed for the flush. Each five in a row is
a straight. Power and ways differ: 34578 has two draws to the same six (power 2, one way).
"""

from collections.abc import Sequence
from typing import NamedTuple

from headsup.cards.cards import card_name
from headsup.common.errors import UserError

KEEP, FIRST, SECOND = 0, 1, 2  # what a swap does: nothing, or change the first or the second hole card

ROWS = tuple(sum(1 << rank % 13 for rank in range(low, low + 5)) for low in range(-1, 9))
"""The ten straights as masks of 13 ranks, the wheel first: its ace is rank -1, that is 12."""


class Mark(NamedTuple):
    """Why a hole card is kept, and its power."""

    paired: bool
    flush: bool
    straight: bool
    two_way: bool
    power: int

    @property
    def kept(self) -> bool:
        return self.paired or self.flush or self.straight or self.two_way


def straights(ranks: int) -> list[int]:
    """The straights, as masks, in a mask of ranks."""
    return [row for row in ROWS if ranks & row == row]


def draws(ranks: int) -> list[tuple[int, int]]:
    """The rows of five of which a mask of ranks lacks one: the four ranks, and the missing one."""
    return [(ranks & row, row & ~ranks) for row in ROWS if (row & ~ranks).bit_count() == 1]


def ways(ranks: int) -> int:
    """The number of ranks that complete a straight."""
    return len({missing for _, missing in draws(ranks)})


def mark(card: int, other: int, board: Sequence[int]) -> Mark:
    """What the rule sees in a hole card, given the other one and a board of three or four cards."""
    bit, without = 1 << (card >> 2), _ranks((other, *board))
    every = without | bit
    same_suit = sum(each & 3 == card & 3 for each in (card, other, *board))
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
    """The same for any number of board cards, without checks."""
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
    """Whether three or more board cards have one suit."""
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
