"""Amounts and cards as poker rooms write them."""

import re
from fractions import Fraction

from headsup.cards.cards import parse_cards
from headsup.common.errors import DataError

GAP = "\u00a0\u202f "  # spaces between thousands
NUMBER = rf"\d{{1,3}}(?:[{GAP}]\d{{3}})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*"
MONEY = rf"[\s\[(]*+(?:[^\W\d]{{0,3}}[$€£¥₹])?\s*+(?:{NUMBER})"
"""A number with a sign before it, perhaps in brackets: `$1,250.50`, `[ 0.20`, `(25`. Spaces are not tried twice."""
_NUMBER = re.compile(NUMBER)


def read_amount(text: str) -> Fraction:
    """An amount such as `$1,214.15`, `222,75$`, `1 001,24€` or `34.069`; a sign after the number is ignored.

    The last of two different separators is the decimal one. A single one before exactly three digits separates
    thousands, unless the number begins with 0.
    """
    match = _NUMBER.search(text)
    if match is None or len(match[0]) > 30:
        raise DataError(f"'{text.strip()[:30]}' is not an amount")
    digits = re.sub(rf"[{GAP}]", "", match[0])
    marks = [mark for mark in digits if mark in ".,"]
    whole, _, last = digits.rpartition(marks[-1]) if marks else (digits, "", "")
    thousands = len(set(marks)) == 1 and (len(marks) > 1 or (len(last) == 3 and not digits.startswith("0")))
    if thousands or not marks:
        return Fraction(re.sub(r"[.,]", "", digits))
    return Fraction(f"{re.sub(r'[.,]', '', whole)}.{last}")


def read_hand_cards(text: str) -> tuple[int, ...]:
    """Cards between spaces or commas: `Ah Kd`, `8c, Ac`, `10h`."""
    return parse_cards("".join(re.split(r"[\s,]+", text.replace("10", "T").strip())))
