"""Range text: what players write, as a weight for every hand, and back.

`parse_range(text, game)` reads, `range_text(range)` writes the shortest text it knows that reads back to the same
weights.
"""

from headsup.cards.ranges.model import Range, RangeError, range_text
from headsup.cards.ranges.parser import parse_range

__all__ = ["Range", "RangeError", "parse_range", "range_text"]
