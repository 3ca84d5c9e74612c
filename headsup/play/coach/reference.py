"""The reference answer to a decision: the choices, their frequencies and their values.

Values are big blinds from here on, so a fold is worth 0. The loss of an action, or of any mix, is how far its value
lies below the reference strategy's; `ReferenceAnswer.lost` is the only place where a loss is computed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from headsup.play.table.rules import Action, PlayerView

EXACT, SOLVED, STRATEGY, ESTIMATE, FREQUENCY = "exact", "solved", "strategy", "estimate", "frequency"
RESOLVED = "re-solved"
"""Kinds of answers: an equilibrium's values; a solved spot's; a strategy's by its own continuation, exact or sampled;
frequencies without values; the rest of the hand, solved with the ranges that a strategy implies."""
TRUST = {EXACT: "high", SOLVED: "high", STRATEGY: "medium", ESTIMATE: "medium", FREQUENCY: "medium", RESOLVED: "medium"}


NEVER = 0.0005  # smaller frequencies count as never: shipped strategies are rounded to 1/255 or finer
SURE = 0.005  # big blinds: the smallest loss that counts
CLOSEST = 0.05  # big blinds: the accuracy of values by a strategy's own continuation
UNSURE = 1.0  # big blinds: an action worth so much more than the reference's mix shows that the reference is not solved


@dataclass(frozen=True)
class ActionChoice:
    """One of the actions that can be chosen."""

    name: str
    share: float  # its frequency in the reference strategy
    value: float | None = None  # from here on, in big blinds; None if unknown
    error: float = 0.0  # half of the 95 % CI of its distance from the reference's value, if sampled


@dataclass(frozen=True)
class ReferenceAnswer:
    source: str  # the reference, in words
    kind: str
    choices: tuple[ActionChoice, ...]
    note: str = ""  # for example that a bet was translated
    left: str = ""  # the earlier action that the reference never takes, in words
    far: bool = False  # whether the reference was made for other stakes, or is rough for a single hand

    @property
    def trust(self) -> str:
        """How far the answer can be trusted: high, medium or low."""
        return "low" if self.far or self.left or self.gap > UNSURE else TRUST[self.kind]

    @property
    def gap(self) -> float:
        """How much more than the reference's mix the best choice is worth, beyond its error; 0 without values."""
        best, value = self.best, self.value
        if best is None or best.value is None or value is None:
            return 0.0
        return max(0.0, best.value - value - best.error)

    @property
    def value(self) -> float | None:
        """The value of the reference strategy here; None if values are unknown."""
        total = sum(choice.share for choice in self.choices)
        if total <= 0.0 or any(choice.value is None for choice in self.choices):
            return None
        return sum(choice.share * (choice.value or 0.0) for choice in self.choices) / total

    @property
    def best(self) -> ActionChoice | None:
        """The choice with the highest value; None if values are unknown."""
        if self.value is None:
            return None
        return max(self.choices, key=lambda choice: (choice.value or 0.0, choice.share))

    @property
    def usual(self) -> ActionChoice:
        return max(self.choices, key=lambda choice: choice.share)

    @property
    def _name(self) -> str:
        """The reference as part of a sentence."""
        name = self.source.partition(",")[0]
        return name if name.startswith(("the ", "our ")) else f"the {name}"

    def lost(self, mix: Sequence[float]) -> float | None:
        """The loss of a mix against the value of the reference strategy in big blinds; None if values are unknown.

        A difference within its error counts as no loss.
        """
        if self.value is None:
            return None
        parts = list(zip(mix, self.choices, strict=True))
        gap = self.value - sum(probability * (choice.value or 0.0) for probability, choice in parts)
        return gap if gap > sum(probability * choice.error for probability, choice in parts) else 0.0

    def lost_by(self, taken: int) -> float | None:
        return self.lost([float(i == taken) for i in range(len(self.choices))])

    def verdict(self, taken: int) -> str:
        """A choice's quality in words."""
        did, usual, source = self.choices[taken], self.usual, self._name
        lost, same = self.lost_by(taken), _often(did.share)
        if lost is not None and lost >= SURE:
            amount = f"about {lost:.2f} bb, ± {did.error:.2f}" if did.error else f"{lost:.2f} bb"
            if usual is did:
                return f"costs {amount} compared with the mix of {source}, though {source} does this {same}"
            would = f"{source} would {_verb(usual)}" + ("" if _is_always(usual) else f" ({_often(usual.share)})")
            return f"costs {amount}: {would}" + (f" or do this ({same})" if did.share >= NEVER else "")
        if _is_always(did):
            return f"this is what {source} does"
        if lost is not None:
            within_error = (self.value or 0.0) - (did.value or 0.0) >= SURE
            none = "no measurable loss" if within_error else "no loss"
            if did.share < NEVER:
                return f"{none}, though {source} never does this"
            return f"{none}: {source} does this {same}"
        if did.share >= NEVER:
            return f"{source} does this {same}"
        sizes = _is_bet(did) and any(_is_bet(choice) and choice.share >= NEVER for choice in self.choices)
        return f"{source} {'uses other sizes' if sizes else 'never does this'}; most often it would {_verb(usual)}"

    def notes(self, least: float = CLOSEST, unit: str = "bb") -> list[str]:
        """Sentences for lines that left the reference, and for actions worth more than the reference's by over
        `least`.
        """
        sentences, best = list[str](), self.best
        if self.left:
            name = "the blueprint" if self.kind == RESOLVED else self._name
            sentences.append(f"This line is outside {name}: {self.left}. Its values here are less reliable.")
        if best is not None and best.value is not None and self.value is not None:
            gap = best.value - self.value
            if gap > max(least, best.error):
                name = f"{self._name[0].upper()}{self._name[1:]}"
                why = f"{name} plays groups of hands alike, so it can be wrong about a single hand."
                if self.kind in (SOLVED, RESOLVED):
                    why = f"{name} is not solved exactly."
                rare = "never chooses it" if best.share < NEVER else f"chooses it {_often(best.share)}"
                sentences.append(
                    f"By these values, {best.name} is worth {gap:.2f} {unit} more than the mix of {self._name}, which "
                    f"{rare}. {why}"
                )
        return sentences

    def as_dict(self) -> dict[str, Any]:
        fields = {name: getattr(self, name) for name in ("source", "kind", "note", "left", "far", "trust", "value")}
        return {**fields, "choices": [vars(choice) for choice in self.choices]}

    @classmethod
    def of(cls, fields: dict[str, Any]) -> ReferenceAnswer:
        choices = tuple(
            ActionChoice(str(choice["name"]), float(choice["share"]), choice["value"], choice.get("error", 0.0))
            for choice in fields["choices"]
        )
        note, left, far = fields.get("note", ""), fields.get("left", ""), bool(fields.get("far", False))
        return cls(fields["source"], fields["kind"], choices, note, left, far)


def _often(frequency: float) -> str:
    if frequency < NEVER:
        return "never"
    if frequency > 1.0 - NEVER:
        return "always"
    if frequency < 0.005:
        return "less than 1 % of the time"
    return "nearly always" if frequency > 0.995 else f"{frequency:.0%} of the time".replace("%", " %")


def _verb(choice: ActionChoice) -> str:
    """A choice after `would`."""
    return f"go {choice.name}" if choice.name.startswith("all-in") else choice.name


def _is_always(choice: ActionChoice) -> bool:
    return choice.share > 1.0 - NEVER


def _is_bet(choice: ActionChoice) -> bool:
    return choice.name.split()[0] not in ("fold", "check", "call", "keep", "change")


class Judge(Protocol):
    """A reference that answers decisions."""

    def judge(self, view: PlayerView, action: Action) -> tuple[ReferenceAnswer, int] | None:
        """The answer at a decision, and the index of the choice that an action was; None if unknown."""


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
