"""What a range is: a weight from 0 to 1 for every hand of a game, a multiple of 1/10000.

*Or* takes the greater weight, *and* the lesser, *not* the difference to one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import comb

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import as_mask
from headsup.cards.classes import card_classes
from headsup.cards.combos import combo_masks, counted, frozen
from headsup.cards.games import hand_size
from headsup.cards.ranges.weights import UNIT, Units, lift
from headsup.cards.ranges.write import weights_text
from headsup.common.checks import as_numbers, door, of_kind
from headsup.common.errors import UserError


class RangeError(UserError):
    """Range text that cannot be read; `column` (from 1) is where the trouble starts in `text`, which goes by `what`."""

    def __init__(self, text: str, column: int, complaint: str, what: str = "range text") -> None:
        super().__init__(f"{what}, column {column}: {complaint}")
        self.text = text
        self.column = column
        self.complaint = complaint

    def renamed(self, what: str) -> RangeError:
        """The same mistake in a text that goes by another name, where there are several."""
        return RangeError(self.text, self.column, self.complaint, what)

    def pointer(self) -> str:
        """Two lines for a terminal: the text, and a caret under the column."""
        return f"{self.text}\n{' ' * (self.column - 1)}^"


@dataclass(frozen=True, eq=False)
class Range:
    """The weight of every hand of a game, in colex order; weights are rounded to four decimals and read-only."""

    game: str
    weights: npt.NDArray[np.float64]

    def __post_init__(self) -> None:
        count = comb(52, hand_size(self.game))
        given = np.asarray(as_numbers(self.weights, "weights"), dtype=np.float64)
        if given.shape != (count,):
            raise UserError(f"a {self.game} range has {count} weights, not an array of shape {given.shape}")
        if not (given.min() >= 0 and given.max() <= 1):
            raise UserError("a range's weights lie between 0 and 1")
        rounded = np.rint(given * UNIT) / UNIT
        rounded.setflags(write=False)
        object.__setattr__(self, "weights", rounded)

    @classmethod
    def from_units(cls, game: str, units: npt.NDArray[np.integer]) -> Range:
        """A range from int weights 0..10000, one a combo, or one a class of `card_classes` (hands up to suits)."""
        n, given = hand_size(game), as_numbers(units, "units")
        if given.shape not in ((comb(52, n),), (len(card_classes(n).sizes),)):
            raise UserError(f"units must be one for each {game} hand or class, not an array of shape {given.shape}")
        return cls(game, lift(given / UNIT, comb(52, n), n))

    @cached_property
    def units(self) -> Units:
        """The weights as ints 0..10000, read-only."""
        return frozen(np.rint(self.weights * UNIT).astype(np.int32))

    @cached_property
    def combos(self) -> int:
        """How many hands have a weight above zero."""
        return int(np.count_nonzero(self.weights))

    @property
    def weighted_combos(self) -> float:
        """The sum of the weights: a hand with weight 0.5 counts half."""
        return int(self.units.sum(dtype=np.int64)) / UNIT

    @property
    def share(self) -> float:
        """The share of all hands, 0 to 1, each counted with its weight."""
        return self.weighted_combos / len(self.weights)

    @door(dead_mask=as_mask)
    def without(self, dead_mask: int) -> Range:
        """The range with every hand that holds a card of this 52-bit mask taken out."""
        clash = combo_masks(hand_size(self.game)) & np.uint64(dead_mask) != 0
        return Range(self.game, np.where(clash, 0.0, self.weights))

    def __or__(self, other: Range) -> Range:
        return Range(self.game, np.maximum(self.weights, self._same(other)))

    def __and__(self, other: Range) -> Range:
        return Range(self.game, np.minimum(self.weights, self._same(other)))

    def __sub__(self, other: Range) -> Range:
        return Range(self.game, np.minimum(self.weights, 1 - self._same(other)))

    def __invert__(self) -> Range:
        return Range(self.game, 1 - self.weights)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Range):
            return NotImplemented
        return self.game == other.game and np.array_equal(self.weights, other.weights)

    def __hash__(self) -> int:
        return hash((self.game, self.weights.tobytes()))

    def __str__(self) -> str:
        return weights_text(self.game, self.units)

    def __repr__(self) -> str:
        return f"<Range {self.game}: {counted(self.combos)}, {self.share:.4%} of hands>"

    def _same(self, other: Range) -> npt.NDArray[np.float64]:
        of_kind(Range)(other, "the other range")
        if other.game != self.game:
            raise UserError(f"a {self.game} range and a {other.game} range cannot be combined: use one game")
        return other.weights


@door(hands=of_kind(Range))
def range_text(hands: Range) -> str:
    """A range as text that reads back to exactly the same weights."""
    return str(hands)
