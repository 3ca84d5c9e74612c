"""Training: which question comes next, what was missed and comes again, and how one gets better.

What was missed comes again after 3 other questions; answered right then, it comes once more after 10, then after 30,
then after 100, and after that it is learnt. Missed at any of these, it begins with 3 again. Gaps are counted in
answers, not in days, so nothing is lost by a pause. In between, new questions are drawn.

A `AnswerStore` keeps the answers of a deck: `MemoryStore` for as long as the program runs, and the page's in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, Protocol

from headsup.common.checks import as_call, at_least, check_seed, door, with_calls
from headsup.common.errors import UserError
from headsup.play.coach.decks import QuestionDeck
from headsup.play.coach.questions import Score, TrainingQuestion, score

GAPS = (3, 10, 30, 100)
"""Other questions until one that was missed comes again: the first time, and after each time that it was right."""
BLOCK = 10
"""Answers in a point of the curve of progress."""


class Due(NamedTuple):
    """When a question that was missed comes again."""

    box: int
    """How often it was right since."""
    turn: int
    """As soon as so many questions were answered."""


class Answered(NamedTuple):
    """One answer of a deck."""

    key: str
    given: str
    lost: float
    right: bool


class AnswerStore(Protocol):
    """What is kept of a deck."""

    def turn(self, deck: str) -> int:
        """How many questions were answered."""

    def due(self, deck: str, turn: int) -> str | None:
        """The question that has waited longest of those that are to come again by now."""

    def waiting(self, deck: str, key: str) -> Due | None:
        """When a question comes again, if it does."""

    def add(self, deck: str, answer: Answered, due: Due | None) -> None:
        """Keep an answer, and when its question comes again; None if it does not."""


@dataclass
class MemoryStore:
    """A store for as long as the program runs."""

    answers: dict[str, list[Answered]] = field(default_factory=dict)
    again: dict[tuple[str, str], Due] = field(default_factory=dict)

    def turn(self, deck: str) -> int:
        """How many answers there are."""
        return len(self.answers.get(deck, ()))

    def due(self, deck: str, turn: int) -> str | None:
        """The one that is due first."""
        found = [(due.turn, key) for (of, key), due in self.again.items() if of == deck and due.turn <= turn]
        return min(found)[1] if found else None

    def waiting(self, deck: str, key: str) -> Due | None:
        """Its place in the list."""
        return self.again.get((deck, key))

    def add(self, deck: str, answer: Answered, due: Due | None) -> None:
        """At the end of the list."""
        self.answers.setdefault(deck, []).append(answer)
        self.again.pop((deck, answer.key), None)
        if due is not None:
            self.again[deck, answer.key] = due


def next_due(before: Due | None, turn: int, right: bool) -> Due | None:
    """When a question comes again after it was answered; `turn` counts that answer too."""
    if not right:
        return Due(0, turn + GAPS[0])
    if before is None or before.box + 1 >= len(GAPS):
        return None
    return Due(before.box + 1, turn + GAPS[before.box + 1])


def next_key(deck: QuestionDeck, store: AnswerStore, random: Random) -> str:
    """The question that comes now: one that was missed if its time has come, else a new one."""
    found = store.due(deck.name, store.turn(deck.name))
    return deck.draw(random) if found is None else found


def answer(deck: QuestionDeck, store: AnswerStore, key: str, text: str) -> tuple[TrainingQuestion, Score]:
    """Score an answer and keep it."""
    question = deck.question(key)
    found = score(question, text)
    due = next_due(store.waiting(deck.name, key), store.turn(deck.name) + 1, found.right)
    store.add(deck.name, Answered(key, found.given, found.lost, found.right), due)
    return question, found


def progress(answers: Sequence[Answered]) -> dict[str, Any]:
    """How it went: all answers, the last twenty, and the mean loss of each ten along the way."""
    last = answers[-20:]
    blocks = [answers[at : at + BLOCK] for at in range(0, len(answers), BLOCK)]
    curve = [
        (min(len(answers), BLOCK * (i + 1)), sum(one.lost for one in block) / len(block))
        for i, block in enumerate(blocks)
    ]
    return {
        "answers": len(answers),
        "right": sum(one.right for one in answers),
        "lost": sum(one.lost for one in answers),
        "mean_lost": sum(one.lost for one in answers) / len(answers) if answers else None,
        "last": len(last),
        "last_right": sum(one.right for one in last),
        "last_mean_lost": sum(one.lost for one in last) / len(last) if last else None,
        "curve": curve,
    }


@door(
    deck=with_calls("a deck of questions", "draw", "question"),
    questions=at_least(0),
    seed=check_seed,
    ask=as_call,
    say=as_call,
)
def train_at_terminal(
    deck: QuestionDeck,
    questions: int,
    seed: int,
    ask: Callable[[str], str] = input,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Ask questions at a terminal until there were so many or the person leaves; how it went."""
    store, random = MemoryStore(), Random(seed)
    for number in range(questions):
        question = deck.question(next_key(deck, store, random))
        say(f"{number + 1}. {', '.join(f'{name} {value}' for name, value in question.facts)}")
        cards = f"   {question.cards}" + (f" on {question.board}" if question.board else "")
        say(f"{cards}   {question.ask}")
        while True:
            try:
                text = ask(f"   {' / '.join(question.choices) or 'a number'}? ").strip()
            except EOFError:
                text = "q"
            if text.lower() in ("q", "quit", "exit"):
                return progress(store.answers.get(deck.name, []))
            try:
                found = answer(deck, store, question.key, text)[1]
            except UserError as error:
                say(f"   {error}")
                continue
            break
        for line in feedback(question, found):
            say(f"   {line}")
    return progress(store.answers.get(deck.name, []))


def feedback(question: TrainingQuestion, found: Score) -> list[str]:
    """What is said after an answer."""
    unit = question.unit
    lines = [f"right: {found.best}" if found.right else f"missed, {found.lost:.3g} {unit}: {found.best} was right"]
    if question.known is not None:
        parts = [
            f"{one.name} {one.share:.0%}" + ("" if one.value is None else f" ({one.value:+.3f} {unit})")
            for one in question.known.choices
        ]
        lines.append(f"{question.known.source}: {', '.join(parts)}")
        lines += question.notes
    return [*lines, *question.why]
