"""Range text: what players write, as a weight for every hand (`parse_range`), and back (`range_text`)."""

from headsup.cards.ranges.model import Range, RangeError, range_text
from headsup.cards.ranges.parser import parse_range

__all__ = ["Range", "RangeError", "parse_range", "range_text"]
