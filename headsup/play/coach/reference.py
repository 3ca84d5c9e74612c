"""The answer to a decision: the choices, how often the reference strategy takes each, and what each is worth.

Values are big blinds from here on: what lies in the pot already is nobody's, so a fold is worth 0. The value of the
reference strategy at a decision is the mean of the values of its actions by their frequencies. The loss of an action,
or of any mix, is how far its value is below that; one that is worth more has no loss. So the strategy's own mix loses
nothing. `ReferenceAnswer.lost` is the only place where a loss is computed: for reviews, the page and the trainer alike.

Which reference answers which decisions is in `headsup.play.coach.judges`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from headsup.play.table.rules import Action, PlayerView

EXACT, SOLVED, STRATEGY, ESTIMATE, FREQUENCY = "exact", "solved", "strategy", "estimate", "frequency"
"""Kinds of answers: an equilibrium's own values; a solved spot's, as exact as its exploitability; those of a strategy
by its own continuation, exactly, or from drawn cards with their error; no values, but how often a strategy takes each
action."""


NEVER = 0.0005
"""A strategy never takes an action whose frequency is less: those that ship are rounded to one in 255 or finer."""
SURE = 0.005
"""Big blinds: a loss below this is none."""
CLOSEST = 0.05
"""Big blinds: values by a strategy's own continuation are no closer than this."""


@dataclass(frozen=True)
class ActionChoice:
    """One of the actions that can be chosen."""

    name: str
    share: float
    """How often the answer takes it."""
    value: float | None = None
    """What it is worth from here on, in big blinds; None if that is not known."""
    error: float = 0.0
    """By how much its distance from the reference's value may be wrong (95 %), where cards were drawn."""


@dataclass(frozen=True)
class ReferenceAnswer:
    """The answer to a decision."""

    source: str
    """The reference, in words."""
    kind: str
    choices: tuple[ActionChoice, ...]
    note: str = ""
    """What else there is to say: that a bet was read as another, that the stack is the nearest one."""
    left: str = ""
    """Which earlier action the reference never takes, in words; empty where it may come here."""

    @property
    def value(self) -> float | None:
        """What the reference strategy is worth here; None where values are not known."""
        total = sum(one.share for one in self.choices)
        if total <= 0.0 or any(one.value is None for one in self.choices):
            return None
        return sum(one.share * (one.value or 0.0) for one in self.choices) / total

    @property
    def best(self) -> ActionChoice | None:
        """The choice that is worth most; None where values are not known."""
        if self.value is None:
            return None
        return max(self.choices, key=lambda one: (one.value or 0.0, one.share))

    @property
    def usual(self) -> ActionChoice:
        """The choice that the reference takes most."""
        return max(self.choices, key=lambda one: one.share)

    @property
    def _name(self) -> str:
        """The reference in a sentence."""
        name = self.source.partition(",")[0]
        return name if name.startswith(("the ", "our ")) else f"the {name}"

    def lost(self, mix: Sequence[float]) -> float | None:
        """The loss of a mix of the choices: how far it is below the value of the reference strategy, in big blinds;
        None where values are not known.

        What drawn cards leave open is no loss: a distance within its error is none.
        """
        if self.value is None:
            return None
        parts = list(zip(mix, self.choices, strict=True))
        gap = self.value - sum(share * (one.value or 0.0) for share, one in parts)
        return gap if gap > sum(share * one.error for share, one in parts) else 0.0

    def lost_by(self, taken: int) -> float | None:
        """The loss of one choice."""
        return self.lost([float(i == taken) for i in range(len(self.choices))])

    def verdict(self, taken: int) -> str:
        """How good a choice is, in words."""
        did, usual, source = self.choices[taken], self.usual, self._name
        lost, same = self.lost_by(taken), _often(did.share)
        if lost is not None and lost >= SURE:
            amount = f"about {lost:.2f} bb, ± {did.error:.2f}" if did.error else f"{lost:.2f} bb"
            if usual is did:
                return f"costs {amount} against all that {source} does here, though it does the same {same}"
            would = f"{source} would {usual.name}" + ("" if _is_always(usual) else f" {_often(usual.share)}")
            return f"costs {amount}: {would}" + (f", and do the same {same}" if did.share >= NEVER else "")
        if _is_always(did):
            return f"what {source} does"
        if lost is not None:
            within_error = (self.value or 0.0) - (did.value or 0.0) >= SURE
            none = "no loss that the estimate shows" if within_error else "no loss"
            if did.share < NEVER:
                return f"{none}, though {source} never does it"
            return f"{none}: {source} does it {same}"
        if did.share >= NEVER:
            return f"{source} does it {same}"
        sizes = _is_bet(did) and any(_is_bet(one) and one.share >= NEVER for one in self.choices)
        return f"{source} {'takes other sizes' if sizes else 'never does it'}; most often it would {usual.name}"

    def notes(self, least: float = CLOSEST, unit: str = "bb") -> list[str]:
        """Sentences about what does not fit: that the line has left the reference, and that another action is worth
        more than what the reference does, by more than `least`.
        """
        found, best = list[str](), self.best
        if self.left:
            found.append(f"The line has left {self._name}: {self.left}. Its ranges and values here are off its path.")
        if best is not None and best.value is not None and self.value is not None:
            gap = best.value - self.value
            if gap > max(least, best.error):
                why = "it plays many hands alike and is no exact equilibrium, so single hands can be off"
                if self.kind == SOLVED:
                    why = "it is solved only so far"
                rare = "never does that" if best.share < NEVER else f"does that only {_often(best.share)}"
                found.append(
                    f"By these values {best.name} is worth {gap:.2f} {unit} more than what {self._name} does, though "
                    f"it {rare}: {why}."
                )
        return found

    def as_dict(self) -> dict[str, Any]:
        """As plain JSON values."""
        choices = [vars(one) for one in self.choices]
        told = {"source": self.source, "kind": self.kind, "note": self.note, "left": self.left, "value": self.value}
        return {**told, "choices": choices}

    @classmethod
    def of(cls, told: dict[str, Any]) -> ReferenceAnswer:
        """The same from JSON."""
        choices = tuple(
            ActionChoice(str(one["name"]), float(one["share"]), one["value"], one.get("error", 0.0))
            for one in told["choices"]
        )
        return cls(told["source"], told["kind"], choices, told.get("note", ""), told.get("left", ""))


def _often(share: float) -> str:
    """A frequency in words."""
    if share < NEVER:
        return "never"
    if share > 1.0 - NEVER:
        return "always"
    if share < 0.005:
        return "less than 1 % of the time"
    return "nearly always" if share > 0.995 else f"{share:.0%} of the time".replace("%", " %")


def _is_always(choice: ActionChoice) -> bool:
    return choice.share > 1.0 - NEVER


def _is_bet(choice: ActionChoice) -> bool:
    return choice.name.split()[0] not in ("fold", "check", "call", "keep", "change")


class Judge(Protocol):
    """Who can answer decisions."""

    def judge(self, view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
        """The answer at a decision, and which of its choices an action was; None where it is not known."""


def action_words(view: PlayerView, action: Action) -> str:
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
