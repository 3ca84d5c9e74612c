"""What a hold'em hand is called on a board: the made hand and the draws, in players' words, for many hands at once.

A full house or better, a flush and a straight are those of the best five of all cards; below that only what an own card
is part of counts: AK on 7-7-7 is ace high, KQ on K-9-9 top pair, A9 on K-9-9 trips. A pair is named by how many
different ranks of the board are above it: none is an overpair or top pair, one second pair, two third pair, more a low
pair; a pocket pair below every rank is an underpair.

Draws exist before the river, and only to a better hand than the made one. Open-ended: cards of two or more ranks make a
straight; gutshot: those of one rank do; a straight that the board has as high without the hand does not count.
Overcards are two unpaired cards, both above the board. A hand may have several draws, and a made hand too.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.combos import frozen
from headsup.evaluate import rank_hands
from headsup.evaluate.classes import FLUSH, FULL_HOUSE, QUADS, STRAIGHT, STRAIGHT_FLUSH, classes

MADE = (
    *("straight flush", "quads", "full house", "flush", "straight", "set", "trips", "two pair", "overpair", "top pair"),
    *("second pair", "third pair", "low pair", "underpair", "ace high", "no made hand"),
)
"""Made hands, roughly best first."""
DRAWS = ("flush draw", "open-ended", "gutshot", "overcards", "backdoor flush draw")
NO_DRAW = "no draw"
ACE = 12

Array = npt.NDArray[Any]


class Categories(NamedTuple):
    """What each of n hands is on a board."""

    made: npt.NDArray[np.uint8]  # [n] places in `made_names`
    draws: npt.NDArray[np.bool_]  # [n, draws] which of `draw_names` each has
    made_names: tuple[str, ...] = MADE
    draw_names: tuple[str, ...] = DRAWS
    low: npt.NDArray[np.uint8] | None = None  # [n] places in `low_names`, where lows count
    low_names: tuple[str, ...] = ()

    def words(self, hand: int) -> str:
        """The name of one hand: `top pair, flush draw`."""
        low = [] if self.low is None or self.low[hand] == len(self.low_names) - 1 else [self.low_names[self.low[hand]]]
        drawn = [name for name, has in zip(self.draw_names, self.draws[hand], strict=True) if has]
        return ", ".join([self.made_names[self.made[hand]], *low, *drawn])


def hand_categories(board: Sequence[int], hands: npt.ArrayLike) -> Categories:
    """The categories of hands (two cards a row) on a board of three to five cards that they share no card with."""
    held = np.asarray(hands, dtype=np.uint8).reshape(-1, 2)
    table = np.asarray(board, dtype=np.uint8)
    made = _made(table, held)
    draws = np.zeros((len(held), len(DRAWS)), dtype=bool)
    if len(table) == 5:
        return Categories(made, draws)
    suits, own = _suits(table, held)
    four, three = ((suits == n) & (own > 0) for n in (4, 3))
    outs = straight_outs(rank_bits(held), rank_bits(table)[None])
    under = made > MADE.index("flush")  # what a flush is better than
    below = made > MADE.index("straight")
    over = (held >> 2).min(axis=1) > (table >> 2).max()
    draws[:, 0] = four.any(axis=1) & under
    draws[:, 1] = (outs >= 2) & below
    draws[:, 2] = (outs == 1) & below
    draws[:, 3] = over & (made >= MADE.index("ace high"))
    draws[:, 4] = three.any(axis=1) & under & (len(table) == 3)
    return Categories(made, draws)


def straight_outs(hand: Array, board: Array) -> npt.NDArray[np.int64]:
    """How many ranks would give a hand a straight above the board's own, 0 if it has one; ranks as bits, [n, cards]."""
    alone, top = np.bitwise_or.reduce(board, axis=1), _straights()
    both = np.bitwise_or.reduce(hand, axis=1) | alone
    outs = np.zeros(len(both), dtype=np.int64)
    for rank in range(13):
        outs += top[both | 1 << rank] > top[alone | 1 << rank]
    return np.where(top[both] > 0, 0, outs)


def rank_bits(cards: Array) -> npt.NDArray[np.int64]:
    return np.asarray(1 << (np.asarray(cards) >> 2).astype(np.int64))


def _made(board: Array, hands: Array) -> npt.NDArray[np.uint8]:
    values = rank_hands(np.hstack([hands, np.tile(board, (len(hands), 1))]), check=False)
    return made_of_five(values, made_of_ranks(board, hands))


def made_of_five(values: Array, made: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """Places in MADE, with those of straights and better hands put in, given the value of the best five cards."""
    best = _category_of_value()[values]
    for name, category in _FIVE:
        made[best == category] = MADE.index(name)
    return made


def made_of_ranks(board: Array, hands: Array) -> npt.NDArray[np.uint8]:
    """Places in MADE by what the ranks of two cards are on a board, straights and better hands left out."""
    ranks, table = hands >> 2, board >> 2
    high, low = ranks.max(axis=1), ranks.min(axis=1)
    pocket = high == low
    there = np.bincount(table, minlength=13)
    distinct = np.unique(table)
    paired_high, paired_low = there[high] == 1, there[low] == 1
    pair = np.where(paired_high, high, low)  # a pocket pair or the higher card that is paired
    above = (distinct[None] > pair[:, None]).sum(axis=1)
    made = np.full(len(hands), MADE.index("no made hand"), dtype=np.uint8)

    def call(name: str, which: Array) -> None:
        made[which] = MADE.index(name)

    call("ace high", high == ACE)
    some = pocket | paired_high | paired_low
    call("low pair", some)
    call("third pair", some & (above == 2))
    call("second pair", some & (above == 1))
    call("top pair", some & (above == 0))
    call("overpair", pocket & (above == 0))
    call("underpair", pocket & (above == len(distinct)))
    call("two pair", paired_high & paired_low & ~pocket)
    call("trips", (there[high] == 2) | (there[low] == 2))
    call("set", pocket & paired_high)
    return made


_FIVE = (
    ("straight", STRAIGHT),
    ("flush", FLUSH),
    ("full house", FULL_HOUSE),
    ("quads", QUADS),
    ("straight flush", STRAIGHT_FLUSH),
)


def _suits(board: Array, hands: Array) -> tuple[Array, Array]:
    """[n, 4] cards of each suit in hand and board, and in the hand alone."""
    own = ((hands & 3)[:, :, None] == np.arange(4)).sum(axis=1)
    return own + np.bincount(board & 3, minlength=4), own


@cache
def _category_of_value() -> npt.NDArray[np.uint8]:
    """[7463] the category of each value of a hand."""
    return frozen(np.array([0, *(hand.category for hand in classes())], dtype=np.uint8))


@cache
def _straights() -> npt.NDArray[np.int64]:
    """[8192] the highest straight in a set of ranks, as its top rank + 1; 0 for none."""
    top = np.zeros(1 << 13, dtype=np.int64)
    masks = np.arange(1 << 13)
    for high in range(3, 13):
        run = sum(1 << rank % 13 for rank in (range(high - 4, high + 1) if high > 3 else (12, 0, 1, 2, 3)))
        top[masks & run == run] = high + 1
    return frozen(top)
