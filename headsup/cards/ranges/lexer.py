"""The characters of range text with their columns, cut into items between the operators `,` `:` `!` `@` `(` `)` and
spaces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from headsup.cards.cards import RANKS, SUIT_SYMBOLS, SUITS
from headsup.cards.ranges.model import RangeError

OPERATORS = ",:!@()"
SUIT_VARIABLES = "wxyz"
NUMBER = re.compile(r"[0-9]+\.?[0-9]*|\.[0-9]+")
_DIGITS = re.compile(rf"[0-9]+(?=\s*(?:[{re.escape(OPERATORS)}]|$)|\s+[^-\s])")
_DASHES = str.maketrans("–—−", "---")
EXACT_CARD = rf"[{RANKS}{RANKS.lower()}][{SUITS}{SUITS.upper()}{SUIT_SYMBOLS}]"
_EXACT_CARDS = re.compile(rf"(?:{EXACT_CARD})+")


@dataclass(frozen=True)
class Item:
    """A piece of range text: its characters, and for each the column it came from (and one past the end)."""

    whole: str
    text: str
    columns: tuple[int, ...]

    def error(self, complaint: str, at: int = 0) -> RangeError:
        return RangeError(self.whole, self.columns[min(at, len(self.columns) - 1)], complaint)

    def part(self, start: int, end: int) -> Item:
        return Item(self.whole, self.text[start:end], self.columns[start : end + 1])


def rank_of_letter(letter: str) -> int:
    """The rank 0..12 a letter writes out, or -1."""
    return RANKS.find(letter.upper())


def suit_of_letter(letter: str) -> int:
    """The suit 0..3 a letter or symbol writes out, or -1."""
    return max(SUITS.find(letter.lower()), SUIT_SYMBOLS.find(letter))


class Reader:
    """Walks through range text once, handing out operators and items."""

    def __init__(self, text: str, hand_size: int) -> None:
        self.whole = text
        self.text = text.translate(_DASHES)
        self.at = 0
        self.hand_size = hand_size
        self._hand = re.compile(rf"(?:{EXACT_CARD}){{{hand_size}}}(?=[,:!@)\s]|$)")

    def error(self, complaint: str) -> RangeError:
        return RangeError(self.whole, self.at + 1, complaint)

    def skip_spaces(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def peek(self) -> str:
        """The next character that is not a space, or an empty string at the end."""
        self.skip_spaces()
        return self.text[self.at : self.at + 1]

    def number(self) -> str | None:
        """Take a number that is not a percentage, if one comes next."""
        self.skip_spaces()
        match = NUMBER.match(self.text, self.at)
        if match is None:
            return None
        self.at = match.end()
        return match.group()

    def number_ahead(self, at: int) -> str | None:
        """The number at some place if ranks alone could not spell it and no % follows."""
        match = NUMBER.match(self.text, at)
        if match is None or not set(match.group()) & set("01.") or self.text[match.end() : match.end() + 1] == "%":
            return None
        return match.group()

    def digits_ahead(self) -> str | None:
        """The digits that come next if nothing else belongs to them: a number, or ranks that look like one."""
        match = _DIGITS.match(self.text, self.at)
        return match.group() if match else None

    def exact_hand(self) -> tuple[int, ...] | None:
        """Take a whole hand of different cards written together, if one comes next: quick for long lists."""
        match = self._hand.match(self.text, self.at)
        if match is None:
            return None
        letters = match.group()
        cards = tuple(
            4 * rank_of_letter(letters[i]) + suit_of_letter(letters[i + 1]) for i in range(0, len(letters), 2)
        )
        if len(set(cards)) < len(cards):
            return None
        self.at = match.end()
        return cards

    def item(self) -> Item:
        """Take the next item, joined with what follows if both are cards written apart."""
        item = self._one_item()
        while _EXACT_CARDS.fullmatch(item.text) and len(item.text) < 2 * self.hand_size:
            back = self.at
            if self.peek() in ("", *OPERATORS):
                self.at = back
                break
            after = self._one_item()
            if not _EXACT_CARDS.fullmatch(after.text) or len(item.text) + len(after.text) > 2 * self.hand_size:
                self.at = back
                break
            item = Item(self.whole, item.text + after.text, item.columns[:-1] + after.columns)
        return item

    def _one_item(self) -> Item:
        self.skip_spaces()
        letters: list[str] = []
        columns: list[int] = []
        opened = -1
        while self.at < len(self.text):
            letter = self.text[self.at]
            if opened < 0 and letter in OPERATORS:
                break
            if letter.isspace():
                start = self.at
                self.skip_spaces()
                if opened >= 0 or self.text[self.at : self.at + 1] == "-" or letters[-1] == "-":
                    continue
                self.at = start
                break
            if letter == "[" and opened >= 0:
                raise self.error("a list in square brackets cannot hold another one")
            if letter == "]" and opened < 0:
                raise self.error("this ']' closes nothing: a list starts with '['")
            opened = self.at if letter == "[" else -1 if letter == "]" else opened
            letters.append(letter)
            columns.append(self.at + 1)
            self.at += 1
        if opened >= 0:
            raise RangeError(self.whole, opened + 1, "this '[' has no ']': write a list as [A,K,Q] or [A-J]")
        return Item(self.whole, "".join(letters), (*columns, self.at + 1))
