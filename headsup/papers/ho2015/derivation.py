"""From the regression to ORACLE (section 4.3): attributes are grouped, their coefficients averaged and rounded.

The thesis prints the coefficients (figure 4.6) and the rule, not the steps between them. `CHAIN` has steps that lead
from one to the other: the mean of a group's coefficients, each weighted by its number of hand classes, is rounded to a
multiple of 1, 5 or 8. The same steps lead from the regression on our equilibria to a rule of ours.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from math import copysign, floor, isnan
from typing import NamedTuple

import numpy as np

from headsup.distil.price import CHIPS, against_equilibrium
from headsup.distil.rules.oracle import oracle
from headsup.distil.rules.points import PointRule
from headsup.games.betting.stakes import SEATS
from headsup.papers.ho2015.regression import BIG_BLIND, attributes, kept_classes, thesis_figures, thesis_fit
from headsup.papers.section import Rows, Section, written

Coefficients = Mapping[str, float]
ONE_SUIT = ("suited_AAAA", "suited_AAAB", "suited_AABC")  # with no, one and two cards outside the suit


class RuleLine(NamedTuple):
    """One line of the rule: the attributes that it stands for, and the multiple that their mean is rounded to."""

    line: str  # the text of ORACLE's line
    names: tuple[str, ...]
    unit: int = 1


CHAIN = (
    RuleLine("no two cards of one suit", ("suited_ABCD",)),
    RuleLine("one suit", ONE_SUIT),
    RuleLine("two suits, two cards each", ("suited_AABB",)),
    RuleLine("for each card outside the suit", ONE_SUIT),
    RuleLine("a single Ace", ("hasBareA",)),
    RuleLine("a single King", ("hasK",)),
    RuleLine("a single Queen", ("hasQ",)),
    RuleLine("a single Nine", ("has9",)),
    RuleLine("a lone low card, Two to Four", ("hasBare2", "hasBare3", "hasBare4")),
    RuleLine("four different low ranks", ("low_card_4",)),
    RuleLine("two or three different low ranks", ("low_card_2", "low_card_3")),
    RuleLine("for each rank from Two to Five", ("hasLow2", "hasLow3", "hasLow4", "hasLow5")),
    RuleLine("a Six", ("hasLow6",), 5),
    RuleLine("an Eight", ("hasLow8",), 8),
    RuleLine("a pair of Twos", ("hasPair2",), 8),
    RuleLine("a pair of Threes", ("hasPair3",), 8),
    RuleLine("a pair of Fives", ("hasPair5",), 5),
    RuleLine("for each pair of Sixes to Nines", ("hasPair6", "hasPair7", "hasPair8", "hasPair9"), 5),
    RuleLine("a pair of Tens", ("hasPairT",), 5),
    RuleLine("a pair of Jacks", ("hasPairJ",), 5),
    RuleLine("a pair of Queens", ("hasPairQ",), 5),
    RuleLine("exactly one pair", ("is_one_pair",)),
    RuleLine("three of a kind", ("is_trips",)),
    RuleLine("two ranks from top to bottom", ("range2",), 5),
    RuleLine("three ranks from top to bottom", ("range3",), 5),
    RuleLine("four or five ranks from top to bottom", ("range4", "range5"), 5),
    RuleLine("six or seven ranks from top to bottom", ("range6", "range7"), 5),
)
SEAT = RuleLine("the big blind", (BIG_BLIND,))


def means(coefficients: Coefficients) -> dict[str, float]:
    """The mean coefficient of every line, before rounding."""
    outside = (1, 2)
    steps = [
        (coefficients[name] - coefficients[ONE_SUIT[0]]) / n for n, name in zip(outside, ONE_SUIT[1:], strict=True)
    ]
    each = _rounded(float(np.mean(steps)), 1)
    bases = [coefficients[name] - n * each for n, name in enumerate(ONE_SUIT)]
    known = {"one suit": float(np.mean(bases)), "for each card outside the suit": float(np.mean(steps))}
    return known | {
        step.line: float(np.average([coefficients[name] for name in step.names], weights=[*map(_hands, step.names)]))
        for step in (*CHAIN, SEAT)
        if step.line not in known
    }


def _hands(name: str) -> int:
    """The hand classes of the regression that have an attribute; each counts once."""
    return 1 if name == BIG_BLIND else int((attributes()[name] & kept_classes()).sum())


def _rounded(value: float, unit: int) -> int:
    """To the nearest multiple, halves away from zero."""
    return int(copysign(unit * floor(abs(value) / unit + 0.5), value))


def points(coefficients: Coefficients) -> dict[str, int]:
    """The points of every line, and of the big blind."""
    mean = means(coefficients)
    return {step.line: _rounded(mean[step.line], step.unit) for step in (*CHAIN, SEAT)}


@cache
def printed_coefficients() -> dict[str, float]:
    return {name: row[2] for name, row in thesis_figures().items()}


@cache
def our_coefficients() -> dict[str, float]:
    fit = thesis_fit(small=True)
    return dict(zip(fit.names, fit.estimates.tolist(), strict=True))


@cache
def derived() -> PointRule:
    """ORACLE with the points that the same steps give from our regression."""
    rule, ours = oracle(), points(our_coefficients())
    lines = tuple(replace(line, each=ours[line.text]) for line in rule.lines)
    return replace(rule, name="derived", title="derived", lines=lines, seat_points={"sb": 0, "bb": ours[SEAT.line]})


def left_out() -> list[str]:
    """Attributes of the smaller model with a coefficient that no line has."""
    used = {name for step in (*CHAIN, SEAT) for name in step.names}
    return [name for name, value in printed_coefficients().items() if name not in used and not isnan(value)]


@cache
def derivation() -> list[Section]:
    """Every line from its coefficients to its points, and what the rules lose to the equilibrium."""
    theirs, ours = (means(which) for which in (printed_coefficients(), our_coefficients()))
    from_theirs, from_ours = (points(which) for which in (printed_coefficients(), our_coefficients()))
    printed = {line.text: int(line.each) for line in oracle().lines} | {SEAT.line: oracle().seat_points["bb"]}
    rows: Rows = [
        (
            *(step.line, ", ".join(f"`{name}`" for name in step.names), f"{theirs[step.line]:.2f}", str(step.unit)),
            *(str(from_theirs[step.line]), str(printed[step.line])),
            *(f"{ours[step.line]:.2f}", str(from_ours[step.line])),
        )
        for step in (*CHAIN, SEAT)
    ]
    costs: Rows = []
    for name, rule in (("as printed", oracle()), ("derived from our regression", derived())):
        worst = [_worst(rule, seat) for seat in SEATS]
        costs.append((name, *(f"{chips:.2f} chips ({chips / 400:.4f} bb) at R = {stack:g}" for chips, stack in worst)))
    return [written(__file__, "derivation", rows), written(__file__, "derived", costs)]


def _worst(rule: PointRule, seat: str) -> tuple[float, float]:
    """The largest loss to the equilibrium in chips at 200/400, and its stack."""
    quarters = np.arange(1.0, rule.max_stack + 0.1, 0.25).tolist()
    return max((CHIPS * against_equilibrium(rule.strategy(s, seat), "omaha8", s, seat), s) for s in quarters)
