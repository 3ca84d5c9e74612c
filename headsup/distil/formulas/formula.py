"""A formula for a hand's equity on the flop: a few features with weights, its errors and its bound.

`flop_formula` solves one of the four programs of dalpasso-lancia-2015 and measures the outcome on every flop. Errors
are fractions of the pot, of the sum cut to 0..1; the programs and their bounds use the uncut sum.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import Cards, cards_name, mask_of, parse_cards, read_cards
from headsup.cards.classes import holdem_class_reps, parse_holdem_class
from headsup.cards.suits import SUIT_PERMUTATIONS, permute_cards, stabiliser
from headsup.common.checks import as_call, as_number, as_text, as_truth, door, quoted, whole
from headsup.common.errors import UserError
from headsup.common.plot import Chart, scatter_chart
from headsup.common.progress import Watch
from headsup.distil.formulas.features import FEATURES, feature_matrix
from headsup.distil.formulas.outcome import Outcome
from headsup.distil.formulas.problem import Bools, Floats, Problem, problem
from headsup.distil.formulas.shipped import shipped_answer, ships
from headsup.distil.formulas.solving import solve

OBJECTIVES = ("average", "max")
DEFAULT_FEATURES = 5
LEVELS = (0.5, 0.9, 0.99)
WORST = 3  # how many of the worst flops a formula names
VISIBLE = 0.0005  # a tenth of a point is the least that is printed
PARTITION = 4  # features that share out all flops are looked for in groups of at most so many


@dataclass(frozen=True)
class Term:
    """One feature of a formula: its name in the paper, its weight as a fraction of the pot, its text."""

    id: str
    weight: float
    text: str


@dataclass(frozen=True)
class FlopError:
    """A flop with its true and its estimated equity; it stands for `flops` flops that are the same but for suits."""

    flop: str
    equity: float
    estimate: float
    flops: int


@dataclass(frozen=True, eq=False)
class Formula:
    """A hand's equity on any flop as a sum of weights."""

    hand: str  # a class such as AKs, or two cards
    villain: str  # the range text
    objective: str  # `average` or `max`: the error that was made small or kept within a limit
    terms: tuple[Term, ...]  # a feature that always holds first, then the largest absolute weight
    average_error: float
    max_error: float
    sum_error: float  # the error that the objective looks at, of sums that are not cut; no less than the one stated
    bound: float  # proved: nothing better than this is possible, sums not being cut
    bound_of: str  # what it bounds: `average error`, `largest error` or `number of features`
    proved: bool  # the formula reaches the bound
    seconds: float
    quantiles: Mapping[str, float]
    """The absolute error that 50 %, 90 % and 99 % of the flops stay within, and the worst."""
    worst: tuple[FlopError, ...]
    step: float | None  # the weights are whole multiples of it, if it is given
    outcome: Outcome = field(repr=False)
    problem: Problem = field(repr=False)
    shipped: bool = False  # the formula and its bound ship with headsup; `seconds` is the time they took then

    def __repr__(self) -> str:
        size = f"{len(self.terms)} feature{'s' * (len(self.terms) != 1)}"
        error = f"{100 * self.average_error:.2f} points on average, {'proved' if self.proved else 'not proved'}"
        return f"<Formula {self.hand} against {self.villain[:60]}: {size}, {error}>"

    @property
    def flops(self) -> int:
        """The number of flops it was measured on: 19,600, less those that leave the range no hand."""
        return self.problem.total

    @property
    def weights(self) -> dict[int, float]:
        return self.outcome.weights

    @property
    def outside(self) -> int:
        """The number of flops on which the sum is above 100 % or below 0 %, so that it is cut."""
        sums = self.problem.estimates(self.weights)[self.problem.flop_row]
        return int(((sums < -VISIBLE) | (sums > 1 + VISIBLE)).sum())

    def estimate(self, flop: Cards) -> float:
        """The formula's equity on a flop, such as `Ks7d2c`, for the hand in `problem.hand`; 0 to 1."""
        cards = read_cards(flop, "flop")
        hand = parse_cards(self.problem.hand)
        if len(cards) != 3:
            raise UserError(f"a flop has three cards, not {len(cards)}: write for example Ks7d2c")
        shared = set(cards) & set(hand)
        if shared:
            raise UserError(
                f"{cards_name(sorted(shared))} is in the hand {self.problem.hand} and on the flop: change one of them"
            )
        seen = feature_matrix(hand, np.array([cards], dtype=np.uint8))[0]
        total = sum(weight for number, weight in self.weights.items() if seen[number - 1])
        return float(min(1.0, max(0.0, total)))

    def spoken(self) -> tuple[float | None, tuple[Term, ...]]:
        """A number to start with, if there is one, and what to add; the same sums as `terms` on every flop.

        A feature that always holds is the start. Otherwise, if some of the features share out all flops among them (no
        ace, one ace, two aces), every sum has one of their weights in it: the one that most flops have is the start,
        and the others are counted from there.
        """
        columns = {term.id: self._column(term) for term in self.terms}
        for term in self.terms:
            if columns[term.id].all():
                return term.weight, tuple(other for other in self.terms if other is not term)
        group = self._partition(columns)
        if not group:
            return None, self.terms
        share = {term.id: int(columns[term.id][self.problem.flop_row].sum()) for term in group}
        base = max(group, key=lambda term: share[term.id])
        shifted = [
            Term(term.id, term.weight - base.weight * (term in group), term.text)
            for term in self.terms
            if term is not base
        ]
        return base.weight, tuple(sorted(shifted, key=_heavy))

    def sentence(self) -> str:
        """The formula in words, weights in percentage points."""
        base, terms = self.spoken()
        start = "Add up: " if base is None else f"Start with {points(base)} %; "
        parts = [f"{term.text}: {points(term.weight, sign=True)}" for term in terms]
        return (start + "; ".join(parts)).rstrip("; ") + "."

    def as_dict(self) -> dict[str, Any]:
        """For JSON; errors and weights as fractions of the pot."""
        return {
            "hand": self.hand,
            "range": self.villain,
            "objective": self.objective,
            "features": [asdict(term) for term in self.terms],
            "average_error": self.average_error,
            "max_error": self.max_error,
            "sum_error": self.sum_error,
            "bound": self.bound,
            "bound_of": self.bound_of,
            "proved": self.proved,
            "seconds": round(self.seconds, 3),
            "shipped": self.shipped,
            "nodes": self.outcome.nodes,
            "how": self.outcome.how,
            "step": self.step,
            "cards": self.problem.hand,
            "flops": self.flops,
            "flops_left_out": self.problem.left_out,
            "quantiles": dict(self.quantiles),
            "worst_flops": [asdict(flop) for flop in self.worst],
            "sentence": self.sentence(),
        }

    def _column(self, term: Term) -> Bools:
        return np.asarray(self.problem.estimates({int(term.id[1:]): 1.0}) > 0)

    def _partition(self, columns: Mapping[str, Bools]) -> tuple[Term, ...]:
        """The fewest features of which exactly one holds on each flop, if there are such."""
        for size in range(2, min(PARTITION, len(self.terms)) + 1):
            for group in combinations(self.terms, size):
                if (np.sum([columns[term.id] for term in group], axis=0) == 1).all():
                    return group
        return ()


def _heavy(term: Term) -> tuple[float, str]:
    return -abs(term.weight), term.id


def points(fraction: float, sign: bool = False) -> str:
    """A fraction of the pot in percentage points, to one decimal where it has one."""
    value = round(100 * fraction, 1) + 0.0  # no minus before a zero
    return f"{value:+g}" if sign else f"{value:g}"


def _points(fraction: float) -> str:
    return "point" if points(fraction) == "1" else "points"


def one_hand(text: str | Cards, villain: str | None = None) -> str:
    """Two cards for a hand or a class such as AKs, any of its hands; then the range must be symmetric in the suits."""
    from headsup.equity.question import read_question

    word = text.strip() if isinstance(text, str) else cards_name(read_cards(text, "hand"))
    cards = parse_cards(word) if len(word.replace("10", "T")) == 4 else ()
    if cards and len(cards) != 2:
        raise UserError(f"'{text}' is not a hold'em hand: write two cards such as AsKs, or a class such as AKs")
    name = word if cards else cards_name(holdem_class_reps()[parse_holdem_class(word)].tolist()[::-1])
    if villain is not None and not cards:
        theirs = read_question("ATC", villain).b
        if len(stabiliser(theirs.spread())) < len(SUIT_PERMUTATIONS):
            raise UserError(
                f"'{villain}' is not the same in all suits, so the hands of {word} differ against it: "
                f"give two cards, for example {_beside(name, theirs.masks)}"
            )
    if villain is not None:
        read_question(name, villain)
    return name


def _beside(name: str, masks: npt.NDArray[np.uint64]) -> str:
    """This hand, or the same in other suits if no hand of the range can be dealt beside it."""
    suited = [permute_cards(parse_cards(name), permutation).tolist() for permutation in SUIT_PERMUTATIONS]
    possible = (hand for hand in suited if (masks & np.uint64(mask_of(hand)) == 0).any())
    return cards_name(next(possible, suited[0]))


@door(
    features=whole, error=as_number, objective=as_text, step=as_number, seconds=as_number, fresh=as_truth, watch=as_call
)
def flop_formula(
    hand: str | Cards,
    villain: str,
    *,
    features: int | None = None,
    error: float | None = None,
    objective: str = "average",
    step: float | None = None,
    seconds: float = 60.0,
    fresh: bool = False,
    watch: Watch | None = None,
) -> Formula:
    """The best formula of so many features (default 5), or the shortest one within an error.

    A shipped program, or a proof that follows from shipped ones, is the answer at once. Otherwise the search takes up
    to `seconds` and starts from what ships. `fresh` searches without the shipped programs.

    `hand` is two cards or a class such as AKs, `villain` range text. `objective` is the error that counts: `average`
    over all flops, or the largest (`max`). `step` makes all weights whole multiples of it.
    """
    hand = hand if isinstance(hand, str) else cards_name(read_cards(hand, "hand"))
    check_limits(features, error, objective, step, seconds)
    cards = one_hand(hand, villain)
    of = problem(cards, villain)
    model, limit = program_of(features, error, objective)
    known = None if fresh or objective != "average" else shipped_answer(cards, villain, model, limit)
    if known is None:
        return measured(hand, of, solve(of, model, limit, step=step, seconds=seconds, watch=watch), step)
    if step is None and (known.proved or ships(known.task)):
        return replace(measured(hand, of, known.outcome), shipped=True)
    start, floor = known.weights, known.bound
    outcome = solve(of, model, limit, step=step, seconds=seconds, start=start, floor=floor, watch=watch)
    return measured(hand, of, outcome, step)


def check_limits(features: int | None, error: float | None, objective: str, step: float | None, seconds: float) -> None:
    """Raise if the arguments are impossible, before anything is counted."""
    if features is not None and error is not None:
        raise UserError("a formula has a number of features or an error to stay within: give one of them, not both")
    if features is not None and not 1 <= features <= len(FEATURES):
        raise UserError(f"{quoted(features)} features cannot be chosen: give 1 to {len(FEATURES)}")
    if error is not None and not 0 < error < 1:
        raise UserError(f"an error of {100 * error:g} points is not possible: give more than 0 and less than 100")
    if objective not in OBJECTIVES:
        raise UserError(f"'{objective}' is not an objective: choose {' or '.join(OBJECTIVES)}")
    if step is not None and not 0.001 <= step <= 0.5:
        raise UserError(f"weights cannot be rounded to {100 * step:g} points: give 0.1 to 50")
    if not (isfinite(seconds) and 0 < seconds <= 86400):
        raise UserError(f"{seconds:g} seconds is not a time: give more than 0, at most a day (86400)")


def program_of(features: int | None, error: float | None, objective: str) -> tuple[str, float]:
    """The model and its limit."""
    model = ("" if error is None else "FEAT_") + ("AVGERR" if objective == "average" else "MAXERR")
    return model, error if error is not None else float(features or DEFAULT_FEATURES)


def measured(hand: str, of: Problem, outcome: Outcome, step: float | None = None) -> Formula:
    """A solver's outcome, measured on every flop; weights in steps become the nearest decimals."""
    if step is not None:
        neat = {number: round(step * round(weight / step), 12) for number, weight in outcome.weights.items()}
        outcome = replace(outcome, weights=neat)
    errors = np.abs(of.cut_estimates(outcome.weights)[of.row] - of.equity)
    by_features = outcome.model.startswith("FEAT")
    objective = "max" if outcome.model.endswith("MAXERR") else "average"
    kind = "number of features" if by_features else "largest error" if objective == "max" else "average error"
    return Formula(
        hand=hand,
        villain=of.villain,
        objective=objective,
        terms=_terms(of, outcome.weights),
        average_error=float(errors @ of.weight / of.total),
        max_error=float(errors.max()),
        sum_error=(of.max_error if objective == "max" else of.average_error)(outcome.weights),
        bound=outcome.bound,
        bound_of=kind,
        proved=outcome.proved,
        seconds=outcome.seconds,
        quantiles=_quantiles(errors, of),
        worst=_worst(errors, of, outcome.weights),
        step=step,
        outcome=outcome,
        problem=of,
    )


def _terms(of: Problem, weights: Mapping[int, float]) -> tuple[Term, ...]:
    always = {int(number) for number, column in zip(of.numbers, of.matrix.T, strict=True) if column.all()}
    order = sorted(weights, key=lambda number: (number not in always, -abs(weights[number]), number))
    return tuple(Term(f"F{number}", float(weights[number]), FEATURES[number - 1].text) for number in order)


def _quantiles(errors: Floats, of: Problem) -> dict[str, float]:
    """The smallest errors that these fractions of all flops do not exceed."""
    order = np.argsort(errors, kind="stable")
    flops = np.cumsum(of.weight[order])
    at = [int(np.searchsorted(flops, level * of.total - 1e-9)) for level in LEVELS]
    quantiles = {f"{level:.0%}": float(errors[order][place]) for level, place in zip(LEVELS, at, strict=True)}
    return quantiles | {"worst": float(errors.max())}


def _worst(errors: Floats, of: Problem, weights: Mapping[int, float]) -> tuple[FlopError, ...]:
    """The points with the largest errors, each shown by one of its flops."""
    estimates = of.cut_estimates(weights)
    worst = []
    for point in np.argsort(-errors, kind="stable")[:WORST].tolist():
        row, equity = of.row[point], of.equity[point]
        flop = of.flops[np.flatnonzero((of.flop_row == row) & (of.flop_equity == equity))[-1]]
        name = cards_name(flop.tolist()[::-1])
        worst.append(FlopError(name, float(equity), float(estimates[row]), int(of.weight[point])))
    return tuple(worst)


def picture(formula: Formula, villain: str = "") -> Chart:
    """Estimated against true equity as SVG: a dot for equal flops, its area their number; `villain` names the range."""
    of = formula.problem
    estimates = of.cut_estimates(formula.weights)[of.row]
    rows = zip((100 * of.equity).tolist(), (100 * estimates).tolist(), of.weight.tolist(), strict=True)
    count = f"{len(formula.terms)} feature{'s' * (len(formula.terms) != 1)}"
    return scatter_chart(
        list(rows),
        title=f"{formula.hand} against {villain or formula.villain}: {count} for {formula.flops:,} flops",
        x="true equity in %",
        y="estimated equity in %",
        band=100 * formula.quantiles["90%"],
        notes=(
            f"average error {points(formula.average_error)} {_points(formula.average_error)}",
            f"90 % within {points(formula.quantiles['90%'])} (shaded)",
            f"worst flop {points(formula.max_error)} {_points(formula.max_error)}",
        ),
    )
