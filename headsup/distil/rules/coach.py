"""A rule's advice on one hand in the words of a coach: what counts, what is needed, how close it is, what it costs.

The order is that of a player at the table: what the hand has going for it and what holds it back, line by line with
points; the total against what the stack asks for; up to which stack the same hand is played; and last what the
equilibrium does with the hand, with what any difference costs, from the shipped data.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import numpy as np

from headsup.cards.cards import with_article
from headsup.distil.rules.points import Advice, Counted
from headsup.games.betting.stakes import PLAYS
from headsup.jamfold.shipped import one_hand

NOTHING = 0.0005
"""Big blinds: differences below this are none, for the shipped values of Omaha are rounded to a thousandth."""
CLOSE = 1.0
"""A decision is close if a change of the stack by this many big blinds turns it round."""


@dataclass(frozen=True)
class View:
    """What the equilibrium does with a hand, beside what a rule does."""

    stack: float
    """The nearest stack that ships."""
    ends: tuple[float, float]
    """The smallest and the largest stack that ship."""
    frequency: float
    """How often it plays the hand."""
    gain: float
    """What playing is worth over folding, in big blinds."""
    cost: float
    """What the rule's action gives up, in big blinds: zero where it is right."""

    @property
    def mixes(self) -> bool:
        """Whether it sometimes plays and sometimes folds."""
        return 0 < self.frequency < 1


def view(advice: Advice) -> View:
    """The equilibrium's view of a hand, at the nearest stack that ships."""
    found = one_hand(advice.rule.game, advice.seat, advice.hand)
    at = int(np.abs(found.stacks - advice.stack).argmin())
    gain = round(float(found.gain[at]), 6)
    cost = max(0.0, -gain if advice.plays else gain)
    ends = float(found.stacks[0]), float(found.stacks[-1])
    return View(float(found.stacks[at]), ends, float(found.played[at]), gain, cost)


def advice_lines(advice: Advice, explain: bool) -> list[str]:
    """The advice, a line for each thing to say."""
    rule, verb = advice.rule, advice.action.capitalize()
    said = []
    if not rule.min_stack <= advice.stack <= rule.max_stack:
        said.append(
            f"Mind that the rule is made for {rule.min_stack:g} to {rule.max_stack:g} big blinds, and you have "
            f"{advice.stack:g}."
        )
    if advice.always:
        said += [f"{verb}: always, at any stack, with {' and '.join(advice.always)}. No need to count."]
    elif explain:
        said += [*counted_lines(advice), f"{verb}: that makes {needed_text(advice)}{_closeness(advice)}."]
        said += _where_needed(advice)
    else:
        said.append(f"{verb}: {needed_text(advice)}.")
    return [*said, view_text(advice, view(advice))]


def counted_lines(advice: Advice) -> list[str]:
    """The score line by line: what speaks for the hand, then what holds it back."""
    found = []
    for heading, sign in (("What speaks for the hand:", 1), ("What holds it back:", -1)):
        lines, reasons = [one for one in advice.counted if one.points * sign > 0], set[str]()
        if lines:
            found.append(heading)
        for one in lines:
            why = f", {one.why}" if one.why and one.why not in reasons else ""
            reasons.add(one.why)
            found.append(f"  {one.points:+4g}  {one.section}: {_said(one)}{why}")
    return found or ["Nothing in this hand counts."]


_COUNTS = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TIMES = {2: "twice"} | {number: f"{word} times" for number, word in enumerate(_COUNTS, start=3)}


def _said(one: Counted) -> str:
    """The text of a line, with how often it counts where it counts for each of something."""
    text = one.text.removeprefix("for ")
    if not text.startswith("each "):
        return one.text
    thing = text.removeprefix("each ")
    if one.amount == 1:
        return with_article(thing)
    times = TIMES.get(one.amount, f"{one.amount} times")
    return f"{one.points / one.amount:g} for each {thing}, {times}"


def needed_text(advice: Advice) -> str:
    """`81 points, and with 8 big blinds a jam needs 81 (more than 80)`."""
    play = PLAYS[advice.seat]
    points = "1 point" if advice.score == 1 else f"{advice.score:g} points"
    return f"{points}, and with {blinds(advice.stack)} a {play} needs {_least(advice)}"


def blinds(stack: float) -> str:
    """`7.5 big blinds`, `1 big blind`."""
    return f"{stack:g} big blind{'' if stack == 1 else 's'}"


def _least(advice: Advice) -> str:
    if advice.rule.inclusive:
        return f"{_enough(advice):g}"
    return f"{_enough(advice):g} (more than {advice.threshold:g})"


def _enough(advice: Advice) -> float:
    """The smallest score that plays."""
    if not advice.rule.whole:
        return advice.threshold
    return ceil(advice.threshold) if advice.rule.inclusive else floor(advice.threshold) + 1


def margin(advice: Advice) -> float:
    """Points above the smallest score that plays; below zero if the hand is short of it."""
    return advice.score - _enough(advice)


def _closeness(advice: Advice) -> str:
    over = margin(advice)
    if over == 0:
        return ", so it is just enough"
    return f", so it has {over:g} to spare" if over > 0 else f", so it is {-over:g} short"


def border(advice: Advice) -> float | None:
    """The largest stack, by eighths, at which the rule plays the hand; none if it never does."""
    rule = advice.rule
    stacks = np.arange(ceil(8 * rule.min_stack), floor(8 * rule.max_stack) + 1) / 8
    least = np.array([rule.threshold(float(stack), advice.seat) for stack in stacks])
    plays = rule.reaches(advice.score, least)
    return float(stacks[plays].max()) if plays.any() else None


def _where_needed(advice: Advice) -> list[str]:
    """Where the number comes from, and up to which stack the hand is played."""
    rule, play = advice.rule, PLAYS[advice.seat]
    number = _enough(advice) if rule.inclusive else advice.threshold
    said = f"The {number:g} is {rule.threshold_text(advice.stack, advice.seat)}."
    if not rule.own_threshold or not rule.min_stack <= advice.stack <= rule.max_stack:
        return [said]
    last = border(advice)
    if last is None:
        return [said, f"At no stack from {rule.min_stack:g} to {rule.max_stack:g} is this hand a {play}."]
    if last == rule.max_stack:
        return [said, f"You can {play} this hand up to {blinds(last)}, as far as the rule goes."]
    close = "It is close: " if abs(last - advice.stack) < CLOSE else ""
    turn = (
        f"with more than {blinds(last)} it is a fold" if advice.plays else f"with {blinds(last)} or less it is a {play}"
    )
    return [said, f"{close}{turn if close else turn.capitalize()}."]


def view_text(advice: Advice, seen: View) -> str:
    """What the equilibrium does with the hand, and what the difference costs, in one sentence."""
    play = PLAYS[advice.seat]
    where = "The equilibrium"
    if abs(seen.stack - advice.stack) > 1e-9:
        kind = {seen.ends[0]: "smallest", seen.ends[1]: "largest"}.get(seen.stack, "nearest")
        where = f"At {blinds(seen.stack)}, the {kind} stack that ships, the equilibrium"
    if seen.mixes or abs(seen.gain) < NOTHING:
        often = f"{play}s it {seen.frequency:.0%} of the time" if seen.mixes else f"{_does(seen, play)} it"
        return f"{where} {often}: {_ing(play)} and folding are worth the same."
    agrees = (seen.frequency == 1) == advice.plays
    other = "folding" if agrees == advice.plays else _ing(play)
    much = f"{abs(seen.gain):.3f} bb"
    if agrees:
        return f"{where} {_does(seen, play)} it too; {other} would give up {much}."
    return f"{where} {_does(seen, play)} it: {other} gives up {much}."


def _does(seen: View, play: str) -> str:
    return f"{play}s" if seen.frequency == 1 else "folds"


def _ing(play: str) -> str:
    return {"jam": "jamming", "call": "calling"}[play]


def as_dict(advice: Advice) -> dict[str, Any]:
    """For JSON: the advice, and what the equilibrium does."""
    rule, seen = advice.rule, view(advice)
    return {
        "rule": rule.name,
        "game": rule.game,
        "source": rule.source,
        "hand_class": advice.hand_class,
        "stack": advice.stack,
        "seat": advice.seat,
        "always": advice.always,
        "lines": [{"section": one.section, "text": one.text, "points": _whole(one.points)} for one in advice.counted],
        "score": _whole(advice.score),
        "threshold": _whole(advice.threshold),
        "inclusive": rule.inclusive,
        "margin": _whole(margin(advice)),
        "action": advice.action,
        "made_for": [rule.min_stack, rule.max_stack],
        "equilibrium": {
            "stack": seen.stack,
            "frequency": seen.frequency,
            "gain_of_playing": seen.gain,
            "cost_of_action": seen.cost,
        },
    }


def _whole(number: float) -> float | int:
    """Whole numbers without a point."""
    return int(number) if number % 1 == 0 else number
