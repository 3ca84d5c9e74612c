"""Lines of betting as text: 'check, bet 94, call' in words, or 'crc/' in letters.

A slash may stand between streets. An all-in may be called by its amount or not: 'all-in', 'bet 910'.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from headsup.common.errors import UserError, place
from headsup.games.betting.rules import Move, words

BETS = frozenset({Move.BET, Move.RAISE, Move.ALLIN})
WORDS = {
    "fold": frozenset({Move.FOLD}),
    "check": frozenset({Move.CHECK}),
    "call": frozenset({Move.CALL}),
    "bet": frozenset({Move.BET, Move.ALLIN}),
    "raise": frozenset({Move.RAISE, Move.ALLIN}),
    "all-in": frozenset({Move.ALLIN}),
    "keep": frozenset({Move.KEEP}),
    "swap": frozenset({Move.LOW}),  # in a line it does not matter which card
    "swap low": frozenset({Move.LOW}),
    "swap high": frozenset({Move.HIGH}),
}
LETTERS = {"f": WORDS["fold"], "c": WORDS["check"] | WORDS["call"], "r": BETS, "a": WORDS["all-in"]}
LETTERS |= {"k": WORDS["keep"], "d": WORDS["swap"]}


class Step(NamedTuple):
    """One action of a line as it was written, and what it can mean."""

    text: str
    place: str  # where it stands, for messages
    moves: frozenset[Move]
    total: int | None  # None where no amount was written

    def among(self, choices: Sequence[tuple[Move, int]]) -> int:
        """Which of these actions is meant; one sentence if none is, or more than one."""
        matching = [i for i, (move, total) in enumerate(choices) if move in self.moves and self.total in (None, total)]
        if len(matching) == 1:
            return matching[0]
        offered = ", ".join(words(*choice) for choice in choices) or "nothing: the hand is over"
        which = "could be more than one action" if matching else "is not possible"
        raise UserError(f"{self.place}: '{self.text}' {which} here, where there is {offered}")


def parse_line(text: str, whole: str | None = None, offset: int = 0) -> tuple[Step, ...]:
    """Read a line; `whole` and `offset` place it if it is part of a longer text."""
    source = text if whole is None else whole
    if re.fullmatch(r"\s*(?:[fcakd/]|r[0-9]*)+\s*", text):
        parts = [(m.group(), m.start()) for m in re.finditer(r"[fcakd]|r[0-9]*", text)]
        return tuple(
            Step(part, place(source, offset + at), LETTERS[part[0]], int(part[1:]) if part[1:] else None)
            for part, at in parts
        )
    steps, at = [], 0
    for part in text.rstrip("/ \n").replace("/", ",").split(","):
        here = place(source, offset + at + len(part) - len(part.lstrip()))
        at += len(part) + 1
        steps.append(_step(part.strip(), here))
    return tuple(steps)


def _step(text: str, here: str) -> Step:
    match = re.fullmatch(r"(swap (?:low|high)|[a-z-]+)(?:\s+([0-9]+))?", " ".join(text.lower().split()))
    if not match or match[1] not in WORDS:
        raise UserError(
            f"{here}: '{text}' is not an action: write fold, check, call, all-in, or bet or raise with a total"
        )
    moves, total = WORDS[match[1]], int(match[2]) if match[2] else None
    if total is not None and not moves & BETS:
        raise UserError(f"{here}: '{text}' has an amount, and {match[1]} takes none")
    if total is None and match[1] in ("bet", "raise"):
        raise UserError(f"{here}: '{text}' needs the total bet on this street, like {match[1]} 100")
    return Step(text, here, moves, total)
