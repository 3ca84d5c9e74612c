"""A question to train with, and what an answer to it is worth.

A decision is answered by one of its choices or any mix of them; the score is the loss against the reference strategy,
and an answer that loses at most `epsilon` counts as correct. A number to estimate is scored by its error.
"""

import re
from dataclasses import dataclass
from math import isfinite

from headsup.common.checks import parse_float, quoted
from headsup.common.errors import UserError
from headsup.play.coach.reference import CLOSEST, ReferenceAnswer

BB, POT, POINTS = "bb", "% of the pot", "points"  # what losses are counted in


@dataclass(frozen=True)
class TrainingQuestion:
    """Something to decide or to estimate."""

    key: str  # unique in its deck
    ask: str  # the question as a sentence
    cards: str
    board: str = ""
    facts: tuple[tuple[str, str], ...] = ()  # names and values
    known: ReferenceAnswer | None = None  # the answer to a decision
    number: float | None = None  # the correct number to estimate
    unit: str = BB
    epsilon: float = 0.01  # the largest loss of a correct answer
    why: tuple[str, ...] = ()  # shown after the answer

    @property
    def notes(self) -> list[str]:
        """Remarks about the answer, in sentences."""
        return [] if self.known is None else self.known.notes(max(CLOSEST, self.epsilon), self.unit)

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the choices; none for an estimate."""
        return () if self.known is None else tuple(choice.name for choice in self.known.choices)


@dataclass(frozen=True)
class Score:
    given: str  # the answer in words
    lost: float  # in the question's unit
    right: bool
    best: str  # the correct answer in words


def score(question: TrainingQuestion, answer: str) -> Score:
    """Score an answer: a choice by name, first letters or number from 1, a mix in percent (`fold 40, jam 60`), or an
    estimate.
    """
    if question.known is None:
        return _guessed(question, answer)
    mix = read_mix(question, answer)
    lost = question.known.lost(mix)
    if lost is None:
        raise UserError("this decision has no values to score by: choose one that has")
    names = [
        f"{name} {100 * probability:.4g} %"
        for name, probability in zip(question.choices, mix, strict=True)
        if probability
    ]
    given = names[0].rpartition(" ")[0].rpartition(" ")[0] if len(names) == 1 else ", ".join(names)
    good = [
        choice.name
        for i, choice in enumerate(question.known.choices)
        if (question.known.lost_by(i) or 0.0) <= question.epsilon
    ]
    return Score(given, lost, lost <= question.epsilon + 1e-9, " or ".join(good))


def read_mix(question: TrainingQuestion, answer: str) -> list[float]:
    """The probabilities of the choices that an answer names."""
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
    weights = [0.0] * len(names)
    for word, percent in parts:
        weights[_choice(names, word)] += float(percent)
    total = sum(weights)
    if abs(total - 100.0) > 0.5:
        raise UserError(f"the percentages of a mix must sum to 100, not {total:g}")
    return [weight / total for weight in weights]


def _choice(names: tuple[str, ...], word: str) -> int:
    word = word.strip()
    matches = [i for i, name in enumerate(names) if name.lower() == word]
    matches = matches or [i for i, name in enumerate(names) if word and name.lower().startswith(word)]
    if len(matches) != 1:
        raise UserError(f"{quoted(word)} is not one of the choices: {', '.join(names)}")
    return matches[0]


def _guessed(question: TrainingQuestion, answer: str) -> Score:
    assert question.number is not None
    try:
        guess = parse_float(answer.strip().removesuffix("%"))
    except ValueError:
        guess = float("nan")
    if not isfinite(guess) or abs(guess) > 1e6:
        raise UserError(f"{quoted(answer)} is not a number: write for example 54")
    off = abs(guess - question.number)
    return Score(f"{guess:g}", off, off <= question.epsilon + 1e-9, f"{question.number:.4g}")
