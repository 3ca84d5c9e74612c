"""A question to train with, and what an answer to it is worth.

There are two kinds: a decision, which has a reference answer with values (`headsup.play.coach.reference`), and a number
to estimate. A decision is answered by one of its choices or by any mix of them. The score is the loss against the
reference strategy; an answer that loses at most `epsilon` counts as correct. An estimate is scored by its error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite

from headsup.common.checks import parse_float, quoted
from headsup.common.errors import UserError
from headsup.play.coach.reference import CLOSEST, ReferenceAnswer

BB, POT, POINTS = "bb", "% of the pot", "points"
"""What losses are counted in."""


@dataclass(frozen=True)
class TrainingQuestion:
    """Something to decide or to guess."""

    key: str
    """Which question of its deck it is: the same key makes the same question again."""
    ask: str
    """The question in a sentence."""
    cards: str
    board: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    """What else one sees, as pairs of a name and a value."""
    known: ReferenceAnswer | None = None
    """The answer to a decision."""
    number: float | None = None
    """The answer to a guess."""
    unit: str = BB
    epsilon: float = 0.01
    """The loss up to which an answer is right."""
    why: tuple[str, ...] = ()
    """What is told after the answer."""

    @property
    def notes(self) -> list[str]:
        """What does not fit in the answer, in sentences."""
        return [] if self.known is None else self.known.notes(max(CLOSEST, self.epsilon), self.unit)

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the choices; none for a guess."""
        return () if self.known is None else tuple(one.name for one in self.known.choices)


@dataclass(frozen=True)
class Score:
    """What an answer is worth."""

    given: str
    """The answer in words."""
    lost: float
    """In the question's unit."""
    right: bool
    best: str
    """What would have been right, in words."""


def score(question: TrainingQuestion, answer: str) -> Score:
    """Score an answer: a choice by its name, its first letters or its number from 1, a mix in percent (`fold 40, jam
    60`), or the number that is guessed.
    """
    if question.known is None:
        return _guessed(question, answer)
    mix = read_mix(question, answer)
    lost = question.known.lost(mix)
    if lost is None:
        raise UserError("this decision has no values to score by: train those that have")
    names = [f"{name} {100 * share:.4g} %" for name, share in zip(question.choices, mix, strict=True) if share]
    given = names[0].rpartition(" ")[0].rpartition(" ")[0] if len(names) == 1 else ", ".join(names)
    good = [
        one.name
        for i, one in enumerate(question.known.choices)
        if (question.known.lost_by(i) or 0.0) <= question.epsilon
    ]
    return Score(given, lost, lost <= question.epsilon + 1e-9, " or ".join(good))


def read_mix(question: TrainingQuestion, answer: str) -> list[float]:
    """The shares of the choices that an answer names; together 1."""
    text, names = answer.strip().lower(), question.choices
    if text.isascii() and text.isdigit():
        at = int(text[:9]) - 1
        if not 0 <= at < len(names):
            raise UserError(f"there is no choice {quoted(text)}: give 1 to {len(names)}")
        return [float(i == at) for i in range(len(names))]
    parts = re.findall(r"([a-z][a-z0-9 ,-]*?)\s+(\d{1,3}(?:\.\d+)?)\s*%?\s*(?:,|$)", text, re.ASCII)
    if not parts or text in [name.lower() for name in names]:
        at = _choice(names, text)
        return [float(i == at) for i in range(len(names))]
    shares = [0.0] * len(names)
    for word, percent in parts:
        shares[_choice(names, word)] += float(percent)
    total = sum(shares)
    if abs(total - 100.0) > 0.5:
        raise UserError(f"the shares of a mix add up to 100 percent, not to {total:g}")
    return [share / total for share in shares]


def _choice(names: tuple[str, ...], word: str) -> int:
    word = word.strip()
    found = [i for i, name in enumerate(names) if name.lower() == word]
    found = found or [i for i, name in enumerate(names) if word and name.lower().startswith(word)]
    if len(found) != 1:
        raise UserError(f"{quoted(word)} is none of the choices: {', '.join(names)}")
    return found[0]


def _guessed(question: TrainingQuestion, answer: str) -> Score:
    assert question.number is not None
    try:
        guess = parse_float(answer.strip().removesuffix("%"))
    except ValueError:
        guess = float("nan")
    if not isfinite(guess) or abs(guess) > 1e6:
        raise UserError(f"{quoted(answer)} is no number: write for example 54")
    off = abs(guess - question.number)
    return Score(f"{guess:g}", off, off <= question.epsilon + 1e-9, f"{question.number:.4g}")
