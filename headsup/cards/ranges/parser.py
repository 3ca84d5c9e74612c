"""Range text to a range: one grammar for all games.

    range  = term { ("," | space) term }                    or
    term   = factor { ":" factor | "!" factor | weight }    and, and not, read from left to right
    factor = "!" factor | "(" range ")" | item              not
    weight = "@" percent, or in hold'em ":" fraction        applies to the term so far
    item   = name | percentage | hold'em shorthand | pattern

Values are weights 0..10000: one per class of hands up to suits as long as no suit is written out, else one per combo;
or a dict of single hands.
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import comb

import numpy as np

from headsup.cards.cards import RANKS
from headsup.cards.classes import card_classes
from headsup.cards.combos import colex
from headsup.cards.games import hand_size
from headsup.cards.ranges.generic import parse_pattern
from headsup.cards.ranges.lexer import EXACT_CARD, OPERATORS, Item, Reader, rank_of_letter
from headsup.cards.ranges.model import Range, RangeError
from headsup.cards.ranges.pattern import ACE, Mask, exact_hand, match_any
from headsup.cards.ranges.weights import UNIT, Units, lift
from headsup.common.checks import quoted
from headsup.common.errors import UserError

_RANK = f"[{RANKS}{RANKS.lower()}]"
_HAND = rf"({_RANK})({_RANK})([soSO]?)"
_SHORTHAND = re.compile(rf"{_HAND}(?:([+-])|-{_HAND})?")


def is_shorthand(text: str) -> bool:
    return _SHORTHAND.fullmatch(text) is not None


def match_shorthand(item: Item) -> Mask:
    """Which of the 169 classes (of `card_classes(2)`) a shorthand names: `77`, `22+`, `AK`, `KTo+`, `AKs-ATs`,
    `T9s-65s`.

    A plus raises a pair up to aces, and the lower card of any other hand up to just below the higher one; a minus
    lowers. A span keeps the higher card and moves the lower one, or moves both together.
    """
    match = _SHORTHAND.fullmatch(item.text)
    assert match is not None, "the caller has asked is_shorthand"
    first, second, kind, sign, first_end, second_end, kind_end = match.groups()
    high, low = _ranks(item, first, second, kind)
    if sign is None and first_end is None:
        pairs = [(high, low)]
    elif sign is not None:
        pairs = _open_span(high, low, sign)
    else:
        if kind_end.lower() != kind.lower():
            raise item.error(
                f"the two ends of '{item.text}' differ in suits: write s, o or nothing at both", match.start(5)
            )
        pairs = _span(item, (high, low), _ranks(item, first_end, second_end, kind, match.start(5)), match.start(5))
    return _classes(pairs, kind.lower())


def _ranks(item: Item, first: str, second: str, kind: str, at: int = 0) -> tuple[int, int]:
    low, high = sorted((rank_of_letter(first), rank_of_letter(second)))
    if low == high and kind:
        raise item.error(f"a pair is neither suited nor offsuit: write {first}{second}", at + 2)
    return high, low


def _open_span(high: int, low: int, sign: str) -> list[tuple[int, int]]:
    if sign == "+":
        return [(r, r) for r in range(low, ACE + 1)] if high == low else [(high, r) for r in range(low, high)]
    return [(r, r) for r in range(low + 1)] if high == low else [(high, r) for r in range(low + 1)]


def _span(item: Item, start: tuple[int, int], end: tuple[int, int], at: int) -> list[tuple[int, int]]:
    upper, lower = max(start, end), min(start, end)
    steps = upper[1] - lower[1]
    if upper[0] == lower[0] and upper[0] != upper[1] and lower[0] != lower[1]:
        return [(upper[0], lower[1] + i) for i in range(steps + 1)]
    if upper[0] - lower[0] == steps:
        return [(lower[0] + i, lower[1] + i) for i in range(steps + 1)]
    raise item.error(
        f"'{item.text}' is not a span: keep the higher card (AKs-ATs) or move both by the same steps (77-55, T9s-65s)",
        at,
    )


def _classes(pairs: list[tuple[int, int]], kind: str) -> Mask:
    reps = card_classes(2).reps
    low, high = (reps >> 2).T
    suited = reps[:, 0] & 3 == reps[:, 1] & 3
    wanted = np.zeros((13, 13), dtype=np.bool_)
    wanted[tuple(np.array(pairs).T)] = True
    classes: Mask = wanted[high, low]
    return classes & (suited if kind == "s" else ~suited) if kind else classes


# Table 2 of dalpasso-lancia-2015. It prints K9s in group 6 and again in group 7 (the stronger one is kept), and leaves
# out KJs (group 3 in the book), Q8s and T7s (group 7), which so fall into group 9: `RML,KJs` is the book's five groups.
SKLANSKY_GROUPS = (
    "AA,KK,QQ,JJ,AKs",
    "TT,AQs,AJs,KQs,AKo",
    "99,JTs,QJs,ATs,AQo",
    "T9s,KQo,88,QTs,98s,J9s,AJo,KTs",
    "77,87s,Q9s,T8s,KJo,QJo,JTo,76s,97s,A9s-A2s,65s",
    "66,ATo,55,86s,KTo,QTo,54s,K9s,J8s,75s",
    "44,J9o,64s,T9o,53s,33,98o,43s,22,K8s-K2s",
    "87o,A9o,Q9o,76o,42s,32s,96s,85s,J8o,J7s,65o,54o,74s,K9o,T8o",
)

# Each name in lower case with the range text it stands for; the grammar knows `random` and `none` by itself.
HOLDEM_NAMES = {f"sklansky{i}": text for i, text in enumerate(SKLANSKY_GROUPS, start=1)}
HOLDEM_NAMES["sklansky9"] = f"random!({','.join(SKLANSKY_GROUPS)})"
HOLDEM_NAMES["rus"] = SKLANSKY_GROUPS[0]
HOLDEM_NAMES["rs"] = ",".join(SKLANSKY_GROUPS[:2])
HOLDEM_NAMES["rml"] = ",".join(SKLANSKY_GROUPS[:5])
HOLDEM_NAMES["atc"] = "random"


_PERCENT = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)%(?:-([0-9]+\.?[0-9]*|\.[0-9]+)%)?")
_CARDS = re.compile(EXACT_CARD)
MAX_DEPTH = 50
Hands = dict[int, int]  # combo to weight: single hands, so that lists of thousands stay quick
Value = Units | Hands


def parse_range(text: str, game: str = "holdem") -> Range:
    """Read range text; a mistake raises `RangeError` with the column."""
    if not isinstance(text, str):
        raise UserError(f"a range is text such as 'QQ+,AKs', not {quoted(text)}: join hands with commas")
    _refuse_cards_apart(text, hand_size(game))
    return Range.from_units(game, _Parser(text, game).parse())


def _refuse_cards_apart(text: str, n: int) -> None:
    """A comma is *or* between hands and nothing between cards: the cards of one hand with commas could mean either."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != n or not all(_CARDS.fullmatch(part) for part in parts):
        return
    hand, either = "".join(parts), ",".join(f"({part})" for part in parts)
    raise RangeError(
        text,
        text.index(",") + 1,
        f"'{text.strip()}' could be one hand or all hands with any of its cards: write {hand} or {either}",
    )


class _Parser:
    def __init__(self, text: str, game: str) -> None:
        self.game = game
        self.n = hand_size(game)
        self.reader = Reader(text, self.n)
        self.depth = 0

    def parse(self) -> Units:
        if not self.reader.peek():
            raise self.reader.error(f"the range is empty: write hands, for example {self._example()}")
        units = self._union()
        if self.reader.peek():
            raise self.reader.error("this ')' closes nothing: a group starts with '('")
        return self._spread(units)

    def _union(self) -> Value:
        """Terms up to the end or a closing bracket."""
        total: Units | None = None
        hands: Hands = {}
        while True:
            term = self._term()
            if isinstance(term, dict):
                for hand, weight in term.items():
                    hands[hand] = max(hands.get(hand, 0), weight)
            else:
                total = term if total is None else self._greater(total, term)
            after = self.reader.peek()
            if after in ("", ")"):
                break
            if after == ",":
                self.reader.at += 1
                if self.reader.peek() in ("", ",", ")"):
                    raise self.reader.error("a hand is missing after the comma")
        if total is None:
            return hands
        return self._greater(total, self._spread(hands)) if hands else total

    def _term(self) -> Value:
        value = self._factor()
        while True:
            sign = self.reader.peek()
            if sign == "@":
                self.reader.at += 1
                value = _weighted(value, self._percent_weight())
            elif sign == ":":
                self.reader.at += 1
                weight = self._fraction_weight()
                if weight is not None:
                    value = _weighted(value, weight)
                else:
                    value = self._lesser(self._spread(value), self._spread(self._factor()))
            elif sign == "!":
                self.reader.at += 1
                value = self._lesser(self._spread(value), UNIT - self._spread(self._factor()))
            else:
                return value

    def _factor(self) -> Value:
        """A group or an item."""
        sign = self.reader.peek()
        if sign in ("!", "("):
            return self._nested(sign)
        if sign in ("", ",", ":", "@", ")"):
            before = f"'{sign}'" if sign else "the end"
            raise self.reader.error(f"a hand is missing before {before}")
        cards = self.reader.exact_hand()
        return {colex(cards): UNIT} if cards else self._item(self.reader.item())

    def _nested(self, sign: str) -> Value:
        opened = self.reader.at
        self.reader.at += 1
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.reader.error(
                f"the range has more than {MAX_DEPTH} brackets or '!' inside each other: write it flatter"
            )
        if sign == "!":
            value: Value = UNIT - self._spread(self._factor())
        else:
            value = self._union()
            if self.reader.peek() != ")":
                self.reader.at = opened
                raise self.reader.error("this '(' is never closed: add a ')'")
            self.reader.at += 1
        self.depth -= 1
        return value

    def _item(self, item: Item) -> Value:
        word = item.text.lower()
        if word in ("random", "*", "none"):
            return np.full(len(card_classes(self.n).sizes), 0 if word == "none" else UNIT, dtype=np.int32)
        if self.game == "holdem" and word in HOLDEM_NAMES:
            return _Parser(HOLDEM_NAMES[word], self.game).parse()
        if word.startswith("sklansky"):
            raise item.error(
                f"'{item.text}' is no known range: the Sklansky groups are sklansky1 to sklansky9, in hold'em"
            )
        if "%" in word:
            return self._percentage(item)
        if self.game == "holdem" and is_shorthand(item.text):
            return match_shorthand(item) * np.int32(UNIT)
        return self._pattern(item)

    def _pattern(self, item: Item) -> Value:
        pattern = parse_pattern(item, self.n)
        if len(pattern.alternatives) == 1 and not pattern.tests:
            hand = exact_hand(pattern.alternatives[0], self.n)
            if hand is not None:
                return {hand: UNIT}
        fits: Mask = match_any(pattern.alternatives, self.n).astype(np.bool_)
        for test in pattern.tests:
            length = max(len(fits), len(test))
            fits = (lift(fits, length, self.n) & lift(test, length, self.n)).astype(np.bool_)
        if not fits.any():
            raise item.error(
                f"'{item.text}' fits no hand: it asks for a card twice, or for ranks and suits that exclude each other"
            )
        return fits * np.int32(UNIT)

    def _percentage(self, item: Item) -> Units:
        from headsup.cards.ranges.order import percent_units  # its data are files, and most ranges need none

        match = _PERCENT.fullmatch(item.text)
        if match is None:
            raise item.error(f"'{item.text}' is not a percentage: write for example 15% or 5%-10%")
        ends = [Fraction(number) for number in match.groups() if number is not None]
        if max(ends) > 100:
            raise item.error(f"'{item.text}' asks for more than 100% of hands")
        best = percent_units(self.game, self.n, max(ends))
        return best if len(ends) == 1 else best - percent_units(self.game, self.n, min(ends))

    def _percent_weight(self) -> int:
        start = self.reader.at
        number = self.reader.number()
        if number is None or Fraction(number) > 100:
            self.reader.at = start
            raise self.reader.error("the weight after '@' is a percentage from 0 to 100, for example @50")
        if self.reader.text[self.reader.at : self.reader.at + 1] == "%":
            self.reader.at += 1
        self._end_of_weight()
        return round(Fraction(number) / 100 * UNIT)

    def _fraction_weight(self) -> int | None:
        """The weight after a colon in hold'em, or None if what follows is a range."""
        self.reader.skip_spaces()
        number = self.reader.number_ahead(self.reader.at)
        if number is None:
            digits = self.reader.digits_ahead() if self.game == "holdem" else None
            if digits is not None:
                raise self.reader.error(
                    f"weights after ':' are 0 to 1, or @percent: for hands that also fit {digits} write ({digits})"
                )
            return None
        if self.game != "holdem":
            raise self.reader.error(f"':' means 'and' in Omaha: write a weight as @{float(number) * 100:g}")
        if Fraction(number) > 1:
            raise self.reader.error(f"the weight after ':' is a fraction from 0 to 1: write a percentage as @{number}")
        self.reader.number()
        self._end_of_weight()
        return round(Fraction(number) * UNIT)

    def _end_of_weight(self) -> None:
        """A weight is not run together with what follows: AA:1e9 would be AA with weight 1, and e9."""
        after = self.reader.text[self.reader.at : self.reader.at + 1]
        if after and not after.isspace() and after not in OPERATORS:
            raise self.reader.error(f"a comma is missing between the weight and '{after}'")

    def _spread(self, value: Value) -> Units:
        """One weight a combo for single hands; other values as they are."""
        if not isinstance(value, dict):
            return value
        units = np.zeros(comb(52, self.n), dtype=np.int32)
        units[np.fromiter(value, dtype=np.intp, count=len(value))] = list(value.values())
        return units

    def _greater(self, first: Units, second: Units) -> Units:
        length = max(len(first), len(second))
        return np.maximum(lift(first, length, self.n), lift(second, length, self.n)).astype(np.int32)

    def _lesser(self, first: Units, second: Units) -> Units:
        length = max(len(first), len(second))
        return np.minimum(lift(first, length, self.n), lift(second, length, self.n)).astype(np.int32)

    def _example(self) -> str:
        return "22+,A2s+,KTo+" if self.n == 2 else "AA$ds,KQJT-T987"


def _weighted(value: Value, weight: int) -> Value:
    """Weights multiplied, rounded half up to a multiple of 1/10000."""
    if isinstance(value, dict):
        return {hand: (own * weight + UNIT // 2) // UNIT for hand, own in value.items()}
    return (value * weight + UNIT // 2) // UNIT
