"""Generic syntax: the hand patterns that ProPokerTools made common, read into slots.

| part | written as                                                                                  |
|------|---------------------------------------------------------------------------------------------|
| rank | a rank; `*` for any; another letter as a rank variable (`R`, `O`, `N`); `$B`; `[A,K]`; `[A-J]` |
| suit | a suit; `w` `x` `y` `z` as a suit variable; `[s,h]`                                             |

Cards that are not described may be anything. Two patterns joined by a dash, or one with a trailing plus or minus, are a
span: every written rank moves by the same steps, or stays. Macros on the whole hand may stand anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import product

from headsup.cards.cards import RANKS
from headsup.cards.ranges.lexer import SUIT_VARIABLES, Item, rank_of_letter, suit_of_letter
from headsup.cards.ranges.pattern import (
    ACE,
    CARD_MACROS,
    Mask,
    Slot,
    cards_of_ranks,
    cards_of_suits,
    hand_macro_names,
    match,
    match_macro,
)

Slots = tuple[Slot, ...]


@dataclass
class Pattern:
    """An item: lists of slots of which one must fit, and tests that the whole hand must pass."""

    alternatives: list[Slots]
    tests: list[Mask]


def parse_pattern(item: Item, n: int) -> Pattern:
    """Read an item of generic syntax for n-card hands."""
    if len(item.text) == n and re.fullmatch(rf"[{RANKS}]+x+", item.text, re.IGNORECASE):
        item = replace(item, text=item.text.lower().replace("x", "*"))
    text = item.text
    dash = _outside_brackets(text, "-")
    if dash >= 0 and dash < len(text) - 1 and not _only_macros(text[dash + 1 :]):
        left, right = _Cards(item.part(0, dash), n).read(), _Cards(item.part(dash + 1, len(text)), n).read()
        tests = left.tests + right.tests
        return Pattern(_span(item.part(dash + 1, len(text)), _single(item, left), _single(item, right)), tests)
    sign = dash if dash >= 0 else _outside_brackets(text, "+")
    if sign >= 0 and _only_macros(text[sign + 1 :]):
        pattern = _Cards(item.part(0, sign), n).read()
        after = _Cards(item.part(sign + 1, len(text)), n).read()
        moved = _open_span(item.part(sign, len(text)), _single(item, pattern), text[sign])
        return Pattern(moved, pattern.tests + after.tests)
    return _Cards(item, n).read()


def _outside_brackets(text: str, sign: str) -> int:
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == sign and depth == 0:
            return i
    return -1


def _only_macros(text: str) -> bool:
    return re.fullmatch(r"(\$([0-9]g|[a-z]+))*", text) is not None


def _single(item: Item, pattern: Pattern) -> Slots:
    if len(pattern.alternatives) != 1:
        raise item.error("the ends of a span are single cards: put a span of several cards in its own square brackets")
    return pattern.alternatives[0]


class _Cards:
    """Reads the cards of a pattern from left to right."""

    def __init__(self, item: Item, n: int) -> None:
        self.item = item
        self.n = n
        self.at = 0
        self.groups: list[list[Slots]] = []
        self.tests: list[Mask] = []
        self.variables: list[int] = []

    def read(self) -> Pattern:
        while self.at < len(self.item.text):
            start = self.at
            self._one()
            count = sum(len(group[0]) for group in self.groups)
            if count > self.n and not self._suits_of_hand():
                hand = {2: "a hold'em hand has two", 4: "an Omaha hand has four"}[self.n]
                raise self.item.error(f"'{self.item.text}' describes more than {self.n} cards: {hand}", start)
        if self.n == 2 and len(self.variables) == 1:
            raise self.item.error(
                f"the suit variable '{self.item.text[self.variables[0]]}' appears once and says nothing: "
                "write for example AxKx for suited and AxKy for offsuit",
                self.variables[0],
            )
        return Pattern([sum(choice, ()) for choice in product(*self.groups)], self.tests)

    def _one(self) -> None:
        text, start = self.item.text, self.at
        letter = text[start]
        if letter == "$" and self._macro():
            return
        if letter == "[":
            self._group()
            return
        slot = self._rank() if letter != "$" else self._card_macro()
        self.groups.append([(self._with_suit(slot),)])
        if self.at == start:
            raise self.item.error(self._complaint(letter), start)

    def _rank(self) -> Slot:
        letter = self.item.text[self.at]
        rank = rank_of_letter(letter)
        if rank >= 0:
            self.at += 1
            return Slot(cards_of_ranks([rank]), rank=rank)
        if letter == "*":
            self.at += 1
        elif (
            letter.isascii()
            and letter.isalpha()
            and suit_of_letter(letter) < 0
            and letter.lower() not in SUIT_VARIABLES
        ):
            self.at += 1
            return Slot(rank_variable=letter.upper())
        return Slot()

    def _with_suit(self, slot: Slot) -> Slot:
        text = self.item.text
        letter = text[self.at : self.at + 1]
        if letter and suit_of_letter(letter) >= 0:
            self.at += 1
            suit = suit_of_letter(letter)
            return replace(slot, suit=suit, cards=slot.cards & cards_of_suits([suit]))
        if letter and letter.lower() in SUIT_VARIABLES:
            self.variables.append(self.at)
            self.at += 1
            return replace(slot, suit_variable=letter.lower())
        if letter == "[":
            end = text.index("]", self.at)
            parts = text[self.at + 1 : end].split(",")
            if all(len(part) == 1 and suit_of_letter(part) >= 0 for part in parts):
                self.at = end + 1
                return replace(slot, cards=slot.cards & cards_of_suits([suit_of_letter(part) for part in parts]))
        return slot

    def _card_macro(self) -> Slot:
        name = self.item.text[self.at : self.at + 2]
        if name not in CARD_MACROS:
            known = ", ".join([*hand_macro_names(self.n), *CARD_MACROS])
            raise self.item.error(f"'{name}' is not a macro here: there are {known}", self.at)
        self.at += 2
        return Slot(cards_of_ranks([RANKS.index(letter) for letter in CARD_MACROS[name]]))

    def _macro(self) -> bool:
        for length in (3, 2):
            name = self.item.text[self.at : self.at + length]
            test = match_macro(name, self.n) if len(name) == length else None
            if test is not None:
                self.tests.append(test)
                self.at += length
                return True
        return False

    def _group(self) -> None:
        """Read a list in square brackets: each part is one card, or a span of one or more cards."""
        end = self.item.text.index("]", self.at)
        choices: list[Slots] = []
        start = self.at + 1
        for part in self.item.text[start:end].split(","):
            choices += self._choice(self.item.part(start, start + len(part)))
            start += len(part) + 1
        if len({len(choice) for choice in choices}) > 1:
            raise self.item.error("the parts of a list in square brackets must have equally many cards", self.at)
        self.at = end + 1
        merged = _merged(choices)
        self.groups.append([(self._with_suit(merged),)] if merged else choices)

    def _choice(self, part: Item) -> list[Slots]:
        if not part.text:
            raise part.error("a part of this list is empty: write for example [A,K,Q] or [A-J]")
        choices = parse_pattern(part, self.n).alternatives
        if "-" not in part.text and len(choices[0]) > 1:
            raise part.error(
                f"'{part.text}' is more than one card: separate the choices with commas, [{','.join(part.text)}]"
            )
        return choices

    def _suits_of_hand(self) -> bool:
        """Whether the item is n ranks and then n suits (`AKQJxxyy`): the suits then hold for the hand, in any order."""
        text, n = self.item.text, self.n
        head, tail = text[:n], text[n : 2 * n]
        ranks = all(rank_of_letter(letter) >= 0 or letter == "*" for letter in head)
        suits = len(tail) == n and all(
            suit_of_letter(letter) >= 0 or letter.lower() in SUIT_VARIABLES for letter in tail
        )
        if not (ranks and suits):
            return False
        rest = _Cards(self.item.part(2 * n, len(text)), n).read()
        suit_test = match(_Cards(self.item.part(n, 2 * n), n).read().alternatives[0], n)
        self.groups = [[slots] for slots in _Cards(self.item.part(0, n), n).read().alternatives]
        self.tests = [suit_test, *rest.tests]
        self.at = len(text)
        return not rest.alternatives[0]

    def _complaint(self, letter: str) -> str:
        if letter in "01":
            return f"'{letter}' is not a rank: the ranks are {RANKS[::-1]}, with T for ten"
        if letter in "+-":
            return f"'{letter}' belongs at the end of a hand or between two hands, as in KK+ or KK-TT"
        if letter == "%":
            return "a percentage is a number and %, for example 15% or 5%-10%"
        return f"'{letter}' has no meaning in a range"


def _merged(choices: list[Slots]) -> Slot | None:
    """One slot for a list of single cards without variables, else None."""
    if any(len(choice) != 1 or choice[0].rank_variable or choice[0].suit_variable for choice in choices):
        return None
    cards = 0
    for choice in choices:
        cards |= choice[0].cards
    return Slot(cards)


def _span(item: Item, left: Slots, right: Slots) -> list[Slots]:
    if len(left) != len(right):
        raise item.error(f"the two ends of a span need equally many cards, not {len(left)} and {len(right)}")
    steps = {b.rank - a.rank for a, b in zip(left, right, strict=True) if a.rank != b.rank}
    fixed = [replace(a, rank=-1, cards=0) == replace(b, rank=-1, cards=0) for a, b in zip(left, right, strict=True)]
    if not all(fixed) or any((a.rank < 0 or b.rank < 0) and a != b for a, b in zip(left, right, strict=True)):
        raise item.error("the two ends of a span may differ in ranks only: the suits on both sides must match")
    if len(steps) > 1:
        raise item.error("the ranks of a span must all move by the same steps or stay, as in KQJT-T987 or AK-AT")
    total = steps.pop() if steps else 0
    moving = [a.rank != b.rank for a, b in zip(left, right, strict=True)]
    direction = 1 if total >= 0 else -1
    return [_moved(left, moving, direction * i) for i in range(abs(total) + 1)]


def _open_span(item: Item, slots: Slots, sign: str) -> list[Slots]:
    ranks = [slot.rank for slot in slots if slot.rank >= 0]
    if not ranks:
        raise item.error(f"'{sign}' needs a hand with at least one rank, as in KK{sign} or 8765{sign}")
    if sign == "-":
        return [_moved(slots, [slot.rank >= 0 for slot in slots], -i) for i in range(min(ranks) + 1)]
    below = [rank for rank in ranks if rank < ACE]
    room = ACE - max(below) - (ACE in ranks) if below else 0
    moving = [0 <= slot.rank < ACE for slot in slots]
    return [_moved(slots, moving, i) for i in range(room + 1)]


def _moved(slots: Slots, moving: Iterable[bool], steps: int) -> Slots:
    return tuple(slot.shifted(steps) if moves else slot for slot, moves in zip(slots, moving, strict=True))
