"""Flop formulas for the page, shipped or searched."""

import json
import sys
from typing import Any

import numpy as np

from headsup.cards.cards import cards_name, parse_cards, read_cards
from headsup.common.errors import UserError
from headsup.distil.formulas.features import feature_matrix
from headsup.distil.formulas.formula import Formula, check_limits, one_hand, points
from headsup.web.asking import short
from headsup.web.jobs import MOST_KEPT, MOST_RUNNING, Ask, Job, Jobs

WORKER = (sys.executable, "-m", "headsup.web.searches", "formula")
SECONDS = 60.0
MOST_FEATURES = 20
LONGEST = 2_000
RANGES = {
    "RUS": "a very strong range (2 %)",
    "RS": "a strong range (4 %)",
    "RML": "a medium-loose range (18 %)",
    "ATC": "any two cards",
}
"""Ranges with shipped formulas, and their share of all hands."""


def told_of(formula: Formula) -> dict[str, Any]:
    """A formula as plain values for a template."""
    base, terms = formula.spoken()
    bound = (
        f"{formula.bound:.0f} features" if formula.bound_of == "number of features" else f"{100 * formula.bound:.2f}"
    )
    return {
        "size": len(formula.terms),
        "base": None if base is None else points(base),
        "terms": [(points(term.weight, sign=True), term.text) for term in terms],
        "within": [(level, points(error)) for level, error in formula.quantiles.items()],
        "average": f"{100 * formula.average_error:.2f}",
        "proved": formula.proved,
        "outside": formula.outside,
        "bound": bound,
        "flops": formula.flops,
        "cards": formula.problem.hand,
        "worst": [(flop.flop, flop.equity, flop.estimate) for flop in formula.worst],
    }


def worked(formula: Formula, flop: str = "") -> dict[str, Any]:
    """The formula step by step on a flop; without one on a flop with a typical error."""
    of, (base, terms) = formula.problem, formula.spoken()
    hand = parse_cards(of.hand)
    if not flop.strip():
        estimates = of.cut_estimates(formula.weights)[of.flop_row]
        far = np.abs(np.abs(estimates - of.flop_equity) - formula.average_error)
        held = feature_matrix(hand, of.flops)[:, [int(term.id[1:]) - 1 for term in terms]].any(axis=1)
        flop = cards_name(of.flops[int(np.argmin(np.where(held, far, far + 1.0)))].tolist()[::-1])
    cards = read_cards(flop, "flop")
    estimate = formula.estimate(cards)
    seen = feature_matrix(hand, np.array([cards], dtype=np.uint8))[0]
    same = (np.sort(of.flops, axis=1) == np.sort(np.array(cards, dtype=np.uint8))).all(axis=1)
    equity = float(of.flop_equity[int(np.flatnonzero(same)[0])])
    return {
        "flop": cards_name(cards),
        "hand": of.hand,
        "has": [bool(seen[int(term.id[1:]) - 1]) for term in terms],
        "sum": _added(base, [term.weight for term in terms if seen[int(term.id[1:]) - 1]]),
        "estimate": points(estimate),
        "equity": equity,
        "off": points(abs(estimate - equity)),
    }


def _added(base: float | None, weights: list[float]) -> str:
    """A sum in percentage points: `85.3 + 9.4 - 2`."""
    numbers = [*([] if base is None else [base]), *weights] or [0.0]
    rest = (f"{'−' if number < 0 else '+'} {points(abs(number))}" for number in numbers[1:])
    return " ".join([points(numbers[0]), *rest])


def question(hand: str, villain: str, features: int) -> str:
    """The search as JSON text; raises on errors before anything is started."""
    hand, villain = hand.strip(), short(villain, "the range").strip()
    if not hand or not villain:
        raise UserError("a formula needs a hand and a range: write for example AKs and 15%")
    if len(villain) > LONGEST:
        raise UserError(f"the range has more than {LONGEST:,} characters: shorten it")
    if not 1 <= features <= MOST_FEATURES:
        raise UserError(f"{features} features is out of range: give 1 to {MOST_FEATURES}")
    check_limits(features, None, "average", None, SECONDS)
    one_hand(hand, villain)
    return json.dumps({"hand": hand, "villain": villain, "features": features})


def searched(jobs: Jobs, wanted: str) -> Job | None:
    return next((job for job in jobs.all() if job.ask.spot == wanted), None)


def begin(jobs: Jobs, wanted: str, seconds: float = SECONDS) -> Job:
    known = searched(jobs, wanted)
    if known is None:
        ended = [job for job in jobs.all() if job.state != "running"]
        for job in ended[MOST_KEPT - 1 - MOST_RUNNING :]:  # searches cannot be deleted, so the oldest go
            jobs.delete(job)
        return jobs.start(Ask(wanted, seconds=seconds))
    return known if known.solved or known.state == "running" else jobs.go_on(known)
