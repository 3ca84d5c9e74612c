"""The regression of ho-2015 section 4.2: what each attribute adds to the playability of an Omaha Hi-Lo hand.

The metric is ten times the `playability`, cut off at R = 15. Two or more aces, exactly two kings, an ace with a low
card and an ace double-suited are left out: 23,412 rows with both seats, as in the thesis. Ordinary least squares on the
attributes of table 3.4 and an indicator of the big blind, without an intercept; columns that depend on earlier ones get
no coefficient (NA), as in R. The smaller model leaves out connectors and the high cards of suits. Without an intercept
R^2 compares with zero; `centred_r2` is the usual one.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import RANKS
from headsup.cards.hands import LOW, omaha_cards
from headsup.common.arrays import Floats
from headsup.common.files import read_shipped, shipped_rows
from headsup.distil.price import Prices, price, prices_in
from headsup.distil.rules.oracle import oracle
from headsup.jamfold.hands import Mask
from headsup.papers.ho2015.equilibria import cutoff


@cache
def attributes() -> dict[str, Mask]:
    """Which hand classes have each attribute of table 3.4, in the order of figure 4.4; low cards are those from ace to
    eight.

    `has9` is exactly one card of the rank, `hasBare2` that with fewer than two different low ranks, `hasLow2` with
    more, `hasPair2` exactly two. Three of a kind is no pair. `suitedA` is the highest of two or more cards of one suit,
    `c65` neighbouring ranks, `c65s` of one suit, `range2` the distance from highest to lowest card, both counted, the
    ace high.
    """
    cards = omaha_cards()
    can_low = cards.low_ranks >= 2
    single, pair = ({rank: cards.count(rank) == number for rank in RANKS} for number in (1, 2))
    steps = [(high, low) for low, high in zip("56789TJQ", "6789TJQK", strict=True)]
    return {
        **{f"suited_{letters}": cards.suited_as(letters) for letters in ("AABB", "AABC", "AAAB", "AAAA", "ABCD")},
        **{f"hasBare{rank}": single[rank] & ~can_low for rank in LOW},
        **{f"has{rank}": single[rank] for rank in "9TJQK"},
        **{f"hasLow{rank}": single[rank] & can_low for rank in LOW},
        **{f"hasPair{rank}": pair[rank] for rank in "A23456789TJQK"},
        "is_one_pair": cards.pairs == 1,
        "is_two_pair": cards.pairs == 2,
        "is_trips": (cards.of_rank == 3).any(axis=1),
        "is_quads": (cards.of_rank == 4).any(axis=1),
        **{f"low_card_{number}": cards.low_ranks == number for number in (2, 3, 4)},
        **{f"suited{rank}": cards.suited_under(rank) for rank in "AKQJ"},
        **{f"c{high}{low}": (cards.count(high) > 0) & (cards.count(low) > 0) for high, low in steps},
        **{f"c{high}{low}s": cards.suited(high, low) for high, low in steps},
        **{f"range{number}": cards.spread == number for number in range(2, 8)},
    }


CUTOFF = 15.0
BIG_BLIND = "is_big_blind"
DATA = Path(__file__).parent / "data"
FIGURES, PRICES = "regression.csv", "prices.json"
DEPENDENT = 1e-9  # a column is dependent if less than this share of its length is left when earlier ones are taken out


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """A least-squares fit without an intercept; nan where a column depends on earlier ones."""

    names: tuple[str, ...]
    estimates: Floats
    errors: Floats
    rows: int
    freedom: int  # rows less coefficients
    residual_error: float
    r2: float  # against zero, as R prints it for a fit without an intercept
    centred_r2: float  # against the mean

    @property
    def t(self) -> Floats:
        return self.estimates / self.errors

    @property
    def adjusted_r2(self) -> float:
        return 1 - (1 - self.r2) * self.rows / self.freedom

    @property
    def f(self) -> float:
        """The F statistic of the fit."""
        used = self.rows - self.freedom
        return self.r2 / (1 - self.r2) * self.freedom / used

    def of(self, name: str) -> tuple[float, float]:
        """Estimate and standard error of one column."""
        place = self.names.index(name)
        return float(self.estimates[place]), float(self.errors[place])


def least_squares(columns: npt.ArrayLike, target: npt.ArrayLike, names: tuple[str, ...]) -> LeastSquares:
    """Ordinary least squares; columns that depend on earlier ones are left out."""
    x, y = np.asarray(columns, dtype=np.float64), np.asarray(target, dtype=np.float64)
    used: list[int] = []
    basis = np.empty_like(x)
    for column in range(x.shape[1]):
        rest = x[:, column].copy()
        for _ in range(2):  # twice is enough: the second pass takes out what rounding left of the first
            rest -= basis[:, : len(used)] @ (basis[:, : len(used)].T @ rest)
        length = float(np.linalg.norm(rest))
        if length > DEPENDENT * max(1.0, float(np.linalg.norm(x[:, column]))):
            basis[:, len(used)] = rest / length
            used.append(column)
    kept = x[:, used]
    inverse = np.linalg.inv(kept.T @ kept)
    solution = inverse @ (kept.T @ y)
    residuals = y - kept @ solution
    freedom = len(y) - len(used)
    squares = float(residuals @ residuals)
    estimates, errors = np.full(x.shape[1], np.nan), np.full(x.shape[1], np.nan)
    estimates[used] = solution
    errors[used] = np.sqrt(np.diag(inverse) * squares / freedom)
    return LeastSquares(
        names=names,
        estimates=estimates,
        errors=errors,
        rows=len(y),
        freedom=freedom,
        residual_error=float(np.sqrt(squares / freedom)),
        r2=1 - squares / float(y @ y),
        centred_r2=1 - squares / float(((y - y.mean()) ** 2).sum()),
    )


@cache
def kept_classes() -> Mask:
    """The classes of the regression: all but the four kinds that ORACLE always plays."""
    return ~oracle().certain()


@cache
def metric() -> Floats:
    """The target: ten times the playability up to R = 15, first of the small blind, then of the big blind."""
    return np.concatenate([10 * cutoff("omaha8", seat, CUTOFF).largest[kept_classes()] for seat in ("sb", "bb")])


_LEFT_OUT = {f"suited{rank}" for rank in "AKQJ"}
"""What the smaller model does not look at, besides connectors, whose names begin with a c."""


@cache
def thesis_fit(small: bool = False) -> LeastSquares:
    """The fit of figure 4.4, or of figure 4.6, to our equilibria."""
    names = tuple(name for name in attributes() if not (small and (name in _LEFT_OUT or name[0] == "c")))
    hands = _columns(names)[kept_classes()].astype(np.float64)
    seat = np.repeat([0.0, 1.0], len(hands))[:, None]
    return least_squares(np.hstack([np.vstack([hands, hands]), seat]), metric(), (*names, BIG_BLIND))


def _columns(names: tuple[str, ...]) -> npt.NDArray[np.int16]:
    return np.stack([attributes()[name] for name in names], axis=1).astype(np.int16)


@cache
def oracle_fit() -> LeastSquares:
    """The fit of figure 4.7: the metric on ORACLE's score, without its seat points, and the big blind."""
    score = oracle().scores("sb")[kept_classes()].astype(np.float64)
    seat = np.repeat([0.0, 1.0], len(score))
    return least_squares(np.column_stack([np.tile(score, 2), seat]), metric(), ("oracle_strategy", BIG_BLIND))


@dataclass(frozen=True)
class FitRule:
    """The smaller model as a strategy: the kinds left out always play, the others if the model exceeds 10 R."""

    thesis: bool = False  # with the coefficients that figure 4.6 prints instead of ours

    @property
    def name(self) -> str:
        return "the thesis's model" if self.thesis else "our model"

    def strategy(self, stack: float, seat: str) -> Floats:
        fit, printed = thesis_fit(small=True), thesis_figures()
        given = np.array([printed[name][2] for name in fit.names]) if self.thesis else fit.estimates
        weights = np.nan_to_num(given)
        score = _columns(fit.names[:-1]) @ weights[:-1] + (weights[-1] if seat == "bb" else 0)
        return np.asarray((score > 10 * stack) | ~kept_classes(), dtype=np.float64)


@cache
def model_prices() -> dict[bool, Prices]:
    """What the model costs with our coefficients (false) and with the thesis's (true), as shipped."""
    prices = prices_in(json.loads(read_shipped(DATA / PRICES)))
    return {thesis: prices[FitRule(thesis).name] for thesis in (False, True)}


@cache
def thesis_figures() -> dict[str, tuple[float, ...]]:
    """Estimate and standard error of figures 4.4 and 4.6, by attribute; nan where there is none."""
    columns = ("estimate_4_4", "error_4_4", "estimate_4_6", "error_4_6")
    return {
        row["attribute"]: tuple(float(row[column] or "nan") for column in columns)
        for row in shipped_rows(DATA / FIGURES)
    }


SUMMARY = {"4.4": (22.23, 0.9646, 0.9645, 9494.0, 23345), "4.6": (22.47, 0.9638, 0.9637, 12950.0, 23364)}
"""The thesis's residual standard error, R^2, adjusted R^2, F and degrees of freedom."""


if __name__ == "__main__":  # makes the file of prices again; needs the matchup table
    from headsup.distil.make_prices import write_prices
    from headsup.distil.scorecards.records import every_stack

    made = (price(FitRule(thesis), "omaha8", every_stack(11.25)) for thesis in (True, False))
    write_prices(made, DATA / PRICES, "python -m headsup.papers.ho2015.regression")
