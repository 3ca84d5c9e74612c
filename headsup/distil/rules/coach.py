"""A rule's advice on one hand in words: what counts, what is needed, how close it is, what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import numpy as np

from headsup.cards.cards import with_article
from headsup.distil.rules.points import Advice, Counted
from headsup.games.betting.stakes import PLAYS
from headsup.jamfold.shipped import shipped_hand

NOTHING = 0.0005
"""Big blinds: smaller differences count as none, since the shipped values of Omaha are rounded to a thousandth."""
CLOSE = 1.0  # a decision is close if a change of the stack by this many big blinds reverses it


@dataclass(frozen=True)
class EquilibriumView:
    """The equilibrium's play of a hand, beside that of a rule."""

    stack: float  # the nearest shipped stack
    ends: tuple[float, float]  # the smallest and the largest shipped stack
    frequency: float
    gain: float  # of playing over folding, in big blinds
    cost: float  # of the rule's action, in big blinds: zero where it is right

    @property
    def mixes(self) -> bool:
        return 0 < self.frequency < 1


def view(advice: Advice) -> EquilibriumView:
    """The equilibrium's play of a hand, at the nearest shipped stack."""
    sweep = shipped_hand(advice.rule.game, advice.seat, advice.hand)
    at = int(np.abs(sweep.stacks - advice.stack).argmin())
    gain = round(float(sweep.gain[at]), 6)
    cost = max(0.0, -gain if advice.plays else gain)
    ends = float(sweep.stacks[0]), float(sweep.stacks[-1])
    return EquilibriumView(float(sweep.stacks[at]), ends, float(sweep.played[at]), gain, cost)


def advice_lines(advice: Advice, explain: bool) -> list[str]:
    rule, verb = advice.rule, advice.action.capitalize()
    lines = []
    if not rule.min_stack <= advice.stack <= rule.max_stack:
        lines.append(
            f"Mind that the rule is made for {rule.min_stack:g} to {rule.max_stack:g} big blinds, and you have "
            f"{advice.stack:g}."
        )
    if advice.always:
        lines += [f"{verb}: always, at any stack, with {' and '.join(advice.always)}. No need to count."]
    elif explain:
        lines += [*counted_lines(advice), f"{verb}: that makes {needed_text(advice)}{_closeness(advice)}."]
        lines += _where_needed(advice)
    else:
        lines.append(f"{verb}: {needed_text(advice)}.")
    return [*lines, view_text(advice, view(advice))]


def counted_lines(advice: Advice) -> list[str]:
    """The score line by line: points for the hand, then points against it."""
    rows = []
    for heading, sign in (("What speaks for the hand:", 1), ("What holds it back:", -1)):
        lines, reasons = [line for line in advice.counted if line.points * sign > 0], set[str]()
        if lines:
            rows.append(heading)
        for line in lines:
            why = f", {line.why}" if line.why and line.why not in reasons else ""
            reasons.add(line.why)
            rows.append(f"  {line.points:+4g}  {line.section}: {_said(line)}{why}")
    return rows or ["Nothing in this hand counts."]


_COUNTS = ("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TIMES = {2: "twice"} | {number: f"{word} times" for number, word in enumerate(_COUNTS, start=3)}


def _said(line: Counted) -> str:
    """The text of a line, with its count where it counts for each of something."""
    text = line.text.removeprefix("for ")
    if not text.startswith("each "):
        return line.text
    thing = text.removeprefix("each ")
    if line.amount == 1:
        return with_article(thing)
    times = TIMES.get(line.amount, f"{line.amount} times")
    return f"{line.points / line.amount:g} for each {thing}, {times}"


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
    if not advice.rule.whole:
        return advice.threshold
    return ceil(advice.threshold) if advice.rule.inclusive else floor(advice.threshold) + 1


def margin(advice: Advice) -> float:
    """Points above the smallest score that plays; negative if the hand is short of it."""
    return advice.score - _enough(advice)


def _closeness(advice: Advice) -> str:
    over = margin(advice)
    if over == 0:
        return ", so it is just enough"
    return f", so it has {over:g} to spare" if over > 0 else f", so it is {-over:g} short"


def border(advice: Advice) -> float | None:
    """The largest stack, by eighths, at which the rule plays the hand; None if it never does."""
    rule = advice.rule
    stacks = np.arange(ceil(8 * rule.min_stack), floor(8 * rule.max_stack) + 1) / 8
    least = np.array([rule.threshold(float(stack), advice.seat) for stack in stacks])
    plays = rule.reaches(advice.score, least)
    return float(stacks[plays].max()) if plays.any() else None


def _where_needed(advice: Advice) -> list[str]:
    """The source of the threshold, and the stacks up to which the hand is played."""
    rule, play = advice.rule, PLAYS[advice.seat]
    number = _enough(advice) if rule.inclusive else advice.threshold
    sentence = f"The {number:g} is {rule.threshold_text(advice.stack, advice.seat)}."
    if not rule.own_threshold or not rule.min_stack <= advice.stack <= rule.max_stack:
        return [sentence]
    last = border(advice)
    if last is None:
        return [sentence, f"At no stack from {rule.min_stack:g} to {rule.max_stack:g} is this hand a {play}."]
    if last == rule.max_stack:
        return [sentence, f"You can {play} this hand up to {blinds(last)}, as far as the rule goes."]
    close = "It is close: " if abs(last - advice.stack) < CLOSE else ""
    turn = (
        f"with more than {blinds(last)} it is a fold" if advice.plays else f"with {blinds(last)} or less it is a {play}"
    )
    return [sentence, f"{close}{turn if close else turn.capitalize()}."]


def view_text(advice: Advice, seen: EquilibriumView) -> str:
    """The equilibrium's play of the hand and the cost of the difference, in one sentence."""
    play = PLAYS[advice.seat]
    where = "The equilibrium"
    if abs(seen.stack - advice.stack) > 1e-9:
        kind = {seen.ends[0]: "smallest", seen.ends[1]: "largest"}.get(seen.stack, "nearest")
        where = f"At {blinds(seen.stack)}, the {kind} precomputed stack, the equilibrium"
    if seen.mixes or abs(seen.gain) < NOTHING:
        often = f"{play}s it {seen.frequency:.0%} of the time" if seen.mixes else f"{_does(seen, play)} it"
        return f"{where} {often}: {_ing(play)} and folding are worth the same."
    agrees = (seen.frequency == 1) == advice.plays
    other = "folding" if agrees == advice.plays else _ing(play)
    much = f"{abs(seen.gain):.3f} bb"
    if agrees:
        return f"{where} {_does(seen, play)} it too; {other} would lose {much}."
    return f"{where} {_does(seen, play)} it: {other} loses {much}."


def _does(seen: EquilibriumView, play: str) -> str:
    return f"{play}s" if seen.frequency == 1 else "folds"


def _ing(play: str) -> str:
    return {"jam": "jamming", "call": "calling"}[play]


def as_dict(advice: Advice) -> dict[str, Any]:
    rule, seen = advice.rule, view(advice)
    return {
        "rule": rule.name,
        "game": rule.game,
        "source": rule.source,
        "hand_class": advice.hand_class,
        "stack": advice.stack,
        "seat": advice.seat,
        "always": advice.always,
        "lines": [
            {"section": line.section, "text": line.text, "points": _whole(line.points)} for line in advice.counted
        ],
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
    return int(number) if number % 1 == 0 else number
