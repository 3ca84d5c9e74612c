"""The answer to a decision: what can be chosen, how often each is chosen by who knows, and what each is worth.

Values are big blinds from here on: what lies in the pot already is nobody's, so a fold is worth 0. Who knows the answer
to which decisions is in `headsup.play.judges`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from headsup.play.table import Action, View

EXACT, SOLVED, STRATEGY, ESTIMATE, FREQUENCY = "exact", "solved", "strategy", "estimate", "frequency"
"""Kinds of answers: an equilibrium's own values; a solved spot's, as exact as its exploitability; those of a strategy
by its own continuation, exactly, or from drawn cards with their error; no values, but how often a strategy takes each
action."""


@dataclass(frozen=True)
class Choice:
    """One of the actions that can be chosen."""

    name: str
    share: float
    """How often the answer takes it."""
    value: float | None = None
    """What it is worth from here on, in big blinds; None if that is not known."""
    error: float = 0.0
    """By how much its distance from the best choice may be wrong (95 %), where cards were drawn."""


@dataclass(frozen=True)
class Known:
    """The answer to a decision."""

    source: str
    """Where it comes from, in words."""
    kind: str
    choices: tuple[Choice, ...]
    note: str = ""
    """What else there is to say: that a bet was read as another, that the stack is the nearest one."""

    @property
    def best(self) -> float | None:
        """What the best choice is worth."""
        values = [one.value for one in self.choices if one.value is not None]
        return max(values) if len(values) == len(self.choices) else None

    def lost(self, mix: Sequence[float]) -> float | None:
        """What a mix of the choices gives up against the best, in big blinds; None where values are not known.

        What drawn cards leave open is not counted as given up: a distance within its error is none.
        """
        best = self.best
        if best is None:
            return None
        apart = (best - (one.value or 0.0) for one in self.choices)
        sure = [gap if gap > one.error else 0.0 for gap, one in zip(apart, self.choices, strict=True)]
        return sum(share * gap for share, gap in zip(mix, sure, strict=True))

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        choices = [vars(one) for one in self.choices]
        return {"source": self.source, "kind": self.kind, "note": self.note, "choices": choices}

    @classmethod
    def of(cls, told: dict[str, Any]) -> Known:
        """The same from JSON."""
        choices = tuple(
            Choice(str(one["name"]), float(one["share"]), one["value"], one.get("error", 0.0))
            for one in told["choices"]
        )
        return cls(told["source"], told["kind"], choices, told.get("note", ""))


class Knows(Protocol):
    """Who can answer decisions."""

    def judge(self, view: View, action: Action) -> tuple[Known, int] | None:
        """The answer at a decision, and which of its choices an action was; None where it is not known."""


def action_words(view: View, action: Action) -> str:
    """An action as it is written in a list: `raise to 300`."""
    kind, amount = action
    if kind == "f":
        return "fold"
    if kind == "c":
        owed = view.legal.call
        return "check" if owed <= 0 else f"call {owed:,}"
    if kind != "r":
        return "draw"
    rules, state = view.table.betting, view.state
    if rules.kind != "limit" and amount >= rules.all_in(state):
        return "all-in"
    return f"{'raise to' if state.bets or not view.street else 'bet'} {amount:,}"
