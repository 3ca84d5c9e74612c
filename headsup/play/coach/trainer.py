"""Training: which question comes next, which comes again, and progress.

A missed question comes again after 3 others; if answered correctly, again after 10, 30 and 100, and then it is learned.
A miss starts over at 3. In between, new questions are drawn. An `AnswerStore` keeps the answers of a deck.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple, Protocol

from headsup.common.checks import as_call, at_least, check_seed, door, with_calls
from headsup.common.errors import UserError
from headsup.play.coach.decks import QuestionDeck
from headsup.play.coach.questions import Score, TrainingQuestion, score

GAPS = (3, 10, 30, 100)  # questions until a missed one comes again: at first, and after each correct answer
BLOCK = 10  # answers per point of the progress curve


class Due(NamedTuple):
    """When a missed question comes again."""

    box: int  # correct answers since
    turn: int  # due after this many answers


class Answered(NamedTuple):
    key: str
    given: str
    lost: float
    right: bool


class AnswerStore(Protocol):
    """Keeps the answers of decks."""

    def turn(self, deck: str) -> int:
        """The number of answered questions."""

    def due(self, deck: str, turn: int) -> str | None:
        """The question that has been due longest, if any."""

    def waiting(self, deck: str, key: str) -> Due | None:
        """When a question comes again, if it does."""

    def add(self, deck: str, answer: Answered, due: Due | None) -> None:
        """Keep an answer, and when its question comes again."""


@dataclass
class MemoryStore:
    answers: dict[str, list[Answered]] = field(default_factory=dict)
    again: dict[tuple[str, str], Due] = field(default_factory=dict)

    def turn(self, deck: str) -> int:
        return len(self.answers.get(deck, ()))

    def due(self, deck: str, turn: int) -> str | None:
        ready = [(due.turn, key) for (of, key), due in self.again.items() if of == deck and due.turn <= turn]
        return min(ready)[1] if ready else None

    def waiting(self, deck: str, key: str) -> Due | None:
        return self.again.get((deck, key))

    def add(self, deck: str, answer: Answered, due: Due | None) -> None:
        self.answers.setdefault(deck, []).append(answer)
        self.again.pop((deck, answer.key), None)
        if due is not None:
            self.again[deck, answer.key] = due


def next_due(before: Due | None, turn: int, right: bool) -> Due | None:
    """When a question comes again after an answer; `turn` counts that answer too."""
    if not right:
        return Due(0, turn + GAPS[0])
    if before is None or before.box + 1 >= len(GAPS):
        return None
    return Due(before.box + 1, turn + GAPS[before.box + 1])


def next_key(deck: QuestionDeck, store: AnswerStore, random: Random) -> str:
    """The next question: a missed one if due, else a new one."""
    key = store.due(deck.name, store.turn(deck.name))
    return deck.draw(random) if key is None else key


def answer(deck: QuestionDeck, store: AnswerStore, key: str, text: str) -> tuple[TrainingQuestion, Score]:
    question = deck.question(key)
    result = score(question, text)
    due = next_due(store.waiting(deck.name, key), store.turn(deck.name) + 1, result.right)
    store.add(deck.name, Answered(key, result.given, result.lost, result.right), due)
    return question, result


def progress(answers: Sequence[Answered]) -> dict[str, Any]:
    """Totals, the last twenty answers, and the mean loss of every ten."""
    last = answers[-20:]
    blocks = [answers[at : at + BLOCK] for at in range(0, len(answers), BLOCK)]
    curve = [
        (min(len(answers), BLOCK * (i + 1)), sum(answered.lost for answered in block) / len(block))
        for i, block in enumerate(blocks)
    ]
    return {
        "answers": len(answers),
        "right": sum(answered.right for answered in answers),
        "lost": sum(answered.lost for answered in answers),
        "mean_lost": sum(answered.lost for answered in answers) / len(answers) if answers else None,
        "last": len(last),
        "last_right": sum(answered.right for answered in last),
        "last_mean_lost": sum(answered.lost for answered in last) / len(last) if last else None,
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
    deck: QuestionDeck, questions: int, seed: int, ask: Callable[[str], str] = input, say: Callable[[str], None] = print
) -> dict[str, Any]:
    """Ask questions at a terminal until the number is reached or the person leaves; returns the progress, with the unit
    in which losses are counted.
    """
    store, random, unit = MemoryStore(), Random(seed), ""
    for number in range(questions):
        question = deck.question(next_key(deck, store, random))
        unit = question.unit
        say(f"{number + 1}. {', '.join(f'{name} {value}' for name, value in question.facts)}")
        cards = f"   {question.cards}" + (f" on {question.board}" if question.board else "")
        say(f"{cards}   {question.ask}")
        while True:
            try:
                text = ask(f"   {' / '.join(question.choices) or 'a number'}? ").strip()
            except EOFError:
                text = "q"
            if text.lower() in ("q", "quit", "exit"):
                return {**progress(store.answers.get(deck.name, [])), "unit": unit}
            try:
                result = answer(deck, store, question.key, text)[1]
            except UserError as error:
                say(f"   {error}")
                continue
            break
        for line in feedback(question, result):
            say(f"   {line}")
    return {**progress(store.answers.get(deck.name, [])), "unit": unit}


def feedback(question: TrainingQuestion, result: Score) -> list[str]:
    """The lines shown after an answer."""
    unit = question.unit
    lines = [
        f"correct: {result.best}" if result.right else f"wrong, {result.lost:.3g} {unit}: {result.best} is correct"
    ]
    if question.known is not None:
        parts = [
            f"{choice.name} {choice.share:.0%}" + ("" if choice.value is None else f" ({choice.value:+.3f} {unit})")
            for choice in question.known.choices
        ]
        lines.append(f"{question.known.source}: {', '.join(parts)}")
        lines += question.notes
    return [*lines, *question.why]
