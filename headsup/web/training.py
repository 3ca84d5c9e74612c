"""Training progress in the database, and the decks that a browser may request."""

import time
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

from headsup.cards.games import GAME_NAMES
from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.games.betting.stakes import SEAT_NAMES
from headsup.play.coach.decks import CardDeck, FlopDeck, JamFoldDeck, PreflopDeck, QuestionDeck
from headsup.play.coach.questions import BB, POINTS, POT
from headsup.play.coach.trainer import Answered, Due
from headsup.web.charts.formulas import RANGES
from headsup.web.keep import database

WHATS = {
    "jamfold": "Jam or fold",
    "preflop": "Before the flop",
    "spot": "A solved spot",
    "hands": "Played hands",
    "flops": "Equity on a flop",
    "card": "Points of a rule card",
}


GRADES = ("best", "good", "inaccuracy", "mistake", "blunder")
BEST = {BB: 0.005, POT: 0.05, POINTS: 0.5}  # losses up to which an answer is the best
LARGE = {BB: (0.1, 0.5), POT: (2.0, 10.0), POINTS: (5.0, 10.0)}  # losses from which on it is a mistake, and a blunder
PAUSE = 1800.0  # seconds without an answer after which a new session begins


def grade(lost: float, right: bool, unit: str) -> str:
    """How good an answer is, from best to blunder; what is accepted is at least good."""
    if lost <= BEST[unit]:
        return "best"
    if right:
        return "good"
    mistake, blunder = LARGE[unit]
    return "inaccuracy" if lost < mistake else "mistake" if lost < blunder else "blunder"


class TrainingStore:
    """A `headsup.play.coach.trainer.Store` in the database."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def _all(self, text: str, *given: Any) -> list[Any]:
        with closing(database(self.folder)) as db:
            return db.execute(text, given).fetchall()

    def turn(self, deck: str) -> int:
        return int(self._all("SELECT COUNT(*) FROM answers WHERE deck = ?", deck)[0][0])

    def due(self, deck: str, turn: int) -> str | None:
        rows = self._all("SELECT key FROM again WHERE deck = ? AND turn <= ? ORDER BY turn, key", deck, turn)
        return str(rows[0][0]) if rows else None

    def waiting(self, deck: str, key: str) -> Due | None:
        rows = self._all("SELECT box, turn FROM again WHERE deck = ? AND key = ?", deck, key)
        return Due(*rows[0]) if rows else None

    def missed(self, deck: str) -> int:
        return int(self._all("SELECT COUNT(*) FROM again WHERE deck = ?", deck)[0][0])

    def add(self, deck: str, answer: Answered, due: Due | None) -> None:
        with closing(database(self.folder)) as db, db:
            row = deck, *answer, time.time()
            db.execute("INSERT INTO answers (deck, key, given, lost, right, made) VALUES (?, ?, ?, ?, ?, ?)", row)
            db.execute("DELETE FROM again WHERE deck = ? AND key = ?", (deck, answer.key))
            if due is not None:
                db.execute("INSERT INTO again VALUES (?, ?, ?, ?)", (deck, answer.key, *due))

    def answers(self, deck: str) -> list[Answered]:
        rows = self._all("SELECT key, given, lost, right FROM answers WHERE deck = ? ORDER BY id", deck)
        return [Answered(row[0], row[1], row[2], bool(row[3])) for row in rows]

    def session(self, deck: str) -> list[Answered]:
        """The answers since the last pause."""
        rows = self._all("SELECT key, given, lost, right, made FROM answers WHERE deck = ? ORDER BY id", deck)
        start = len(rows)
        while start and (start == len(rows) or rows[start][4] - rows[start - 1][4] < PAUSE):
            start -= 1
        return [Answered(row[0], row[1], row[2], bool(row[3])) for row in rows[start:]]

    def every(self) -> list[dict[str, Any]]:
        rows = self._all("SELECT deck, key, given, lost, right, made FROM answers ORDER BY id")
        return [{**dict(row), "right": bool(row["right"])} for row in rows]

    def decks(self) -> list[dict[str, Any]]:
        rows = self._all(
            "SELECT deck, COUNT(*) AS answers, SUM(right) AS right, AVG(lost) AS lost, MAX(made) AS made FROM answers "
            "GROUP BY deck ORDER BY made DESC"
        )
        return [dict(row) for row in rows]

    def delete(self, deck: str = "") -> None:
        with closing(database(self.folder)) as db, db:
            for table in ("answers", "again"):
                if deck:
                    db.execute(f"DELETE FROM {table} WHERE deck = ?", (deck,))
                else:
                    db.execute(f"DELETE FROM {table}")


def deck_words(name: str) -> tuple[str, dict[str, str]]:
    what, *rest = name.split(" ")
    first, second, third = (*rest, "", "", "")[:3]
    if what == "jamfold":
        seats = SEAT_NAMES.get(third, "both seats")
        return f"Jam or fold, {GAME_NAMES[first]}, {second} bb, {seats}", {
            "game": first,
            "stack": second,
            "seat": third,
        }
    if what == "preflop":
        return f"Before the flop, {first} bb, {SEAT_NAMES.get(second, 'both seats')}", {"stack": first, "seat": second}
    if what == "flops":
        return f"Equity on a flop, {first} against {RANGES.get(second, second)}", {"hand": first, "villain": second}
    if what == "card":
        return f"Rule card with {second} lines, {GAME_NAMES[first]}", {"game": first, "lines": second}
    if what == "spot":
        return f"Spot {first}", {"spot": first}
    player = " ".join(rest[1:])
    return f"Hands{f' of {player}' if player else ''}", {"hands": first, "player": player}


@lru_cache(maxsize=32)
def jamfold_deck(game: str, stack: str, seat: str, within: str) -> QuestionDeck:
    return JamFoldDeck(game, number(stack, "the stack"), seat, number(within, "the accepted loss"))


@lru_cache(maxsize=32)
def preflop_deck(stack: str, seat: str, within: str) -> QuestionDeck:
    return PreflopDeck(number(stack, "the stack"), seat, number(within, "the accepted loss"))


@lru_cache(maxsize=8)
def flop_deck(hand: str, villain: str) -> QuestionDeck:
    return FlopDeck(hand, villain)


@lru_cache(maxsize=32)
def card_deck(game: str, lines: str) -> QuestionDeck:
    return CardDeck(game, whole_number(lines, "the number of lines"))


def number(text: str, what: str) -> float:
    try:
        return parse_float(text)
    except ValueError:
        raise UserError(f"{what} is '{text[:40]}', which is not a number: write for example 10") from None


def whole_number(text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 4):
        raise UserError(f"{what} is '{text[:40]}', which is not a whole number: write for example 4")
    return int(text)
