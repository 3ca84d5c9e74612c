"""ho-2015, sections 4.2 to 4.4, beside ours: the regression, ORACLE's derivation, its fit and its price."""

from itertools import product
from math import isnan

from headsup.common.plot import line_chart
from headsup.distil.price import THESIS_CHIPS, Prices, shipped_prices
from headsup.distil.rules.oracle import oracle
from headsup.games.betting.stakes import SEAT_NAMES
from headsup.jamfold.shipped import shipped
from headsup.papers.ho2015.derivation import derivation
from headsup.papers.ho2015.regression import SUMMARY, LeastSquares, model_prices, oracle_fit, thesis_figures, thesis_fit
from headsup.papers.section import Finding, Rows, Section, written

FIGURE_4_7 = (("oracle_strategy", 0.987292, 0.001802), ("is_big_blind", -4.869797, 0.303881))
WHERE = {("sb", False): " at 2,300 chips, R = 5.75", ("bb", False): " at 4,500 chips, R = 11.25"}
"""Section 4.4, by seat and whether the opponent answers best: where the largest loss is, if it says so."""


def rule_sections() -> list[Section]:
    return [_figure("4.4", False), _figure("4.6", True), _fits(), _models(), *derivation(), _figure_4_7(), _prices()]


def finding() -> Finding:
    """ORACLE and a shorter card of ours against a best response."""
    rule, lines = oracle(), 4
    priced = {
        "ORACLE": shipped_prices()["oracle"].between(rule.min_stack, rule.max_stack),
        "four lines": shipped_prices()[f"omaha8 card, {lines} lines, row"],
    }
    worst = {name: [f"{prices.worst(seat).best:.1f}" for seat in SEAT_NAMES] for name, prices in priced.items()}
    series = {
        f"{name}, {SEAT_NAMES[seat]}": [(price.stack, price.best) for price in prices.of(seat)]
        for name, prices in priced.items()
        for seat in SEAT_NAMES
    }
    title = "What a rule for Omaha Hi-Lo loses to a best response"
    picture = line_chart(series, title=title, x="effective stack, big blinds", y="mbb lost per game")
    return Finding(
        f"ORACLE, the thesis's rule for jam or fold in Omaha Hi-Lo, loses at most {' and '.join(worst['ORACLE'])} mbb "
        f"per game in the small and in the big blind; a card of four lines loses {' and '.join(worst['four lines'])}.",
        picture,
    )


def rule_plots() -> dict[str, str]:
    """Figures 4.5 and 4.8 as SVG, by file name."""
    rule = oracle()
    priced = {
        "4.5": ("the smaller model", model_prices()[False]),
        "4.8": ("ORACLE", shipped_prices()["oracle"].between(rule.min_stack, rule.max_stack)),
    }
    return {
        f"ho-2015-figure-{name}.svg": _performance(f"Figure {name}: {what} at 200/400", prices)
        for name, (what, prices) in priced.items()
    }


def _performance(title: str, prices: Prices) -> str:
    """What each seat wins in equilibrium, with the rule against it, and with the rule against a best response."""
    sweep = shipped(prices.game)
    lines: dict[str, list[tuple[float, float]]] = {}
    for seat, sign in (("sb", 1), ("bb", -1)):
        name = SEAT_NAMES[seat]
        points = [(price.stack, sign * float(sweep.value_sb[sweep.at(price.stack)])) for price in prices.of(seat)]
        lines[f"{name}, equilibrium"] = [(stack, 400 * value) for stack, value in points]
        for kind, lost in (("rule", 0), ("rule, exploited", 1)):
            lines[f"{name}, {kind}"] = [
                (price.stack, 400 * value - price.chips[lost])
                for price, (_, value) in zip(prices.of(seat), points, strict=True)
            ]
    return line_chart(lines, title=title, x="effective stack R in big blinds", y="chips per hand")


def _figure(name: str, small: bool) -> Section:
    fit, printed = thesis_fit(small), thesis_figures()
    rows: Rows = []
    for place, attribute in enumerate(fit.names):
        estimate, error = printed[attribute][2:] if small else printed[attribute][:2]
        rows.append(
            (
                f"`{attribute}`",
                _number(estimate),
                _number(error),
                _number(estimate / error),
                _number(float(fit.estimates[place])),
                _number(float(fit.errors[place])),
                _number(float(fit.t[place])),
            )
        )
    names = ("attribute", "thesis: estimate", "error", "t", "ours: estimate", "error", "t")
    return Section(
        f"Figure {name}: regression of playability, {'smaller model' if small else 'all attributes'}", names, rows
    )


def _number(value: float) -> str:
    return "NA" if isnan(value) else f"{value:.2f}"


def _fits() -> Section:
    rows: Rows = []
    for name, small in (("4.4", False), ("4.6", True)):
        fit, (error, r2, adjusted, f, freedom) = thesis_fit(small), SUMMARY[name]
        rows.append((name, "thesis", f"{error:.2f}", f"{r2:.4f}", f"{adjusted:.4f}", "", f"{f:.0f}", str(freedom)))
        rows.append((name, "ours", *_summary(fit)))
    return written(__file__, "fits", rows)


def _summary(fit: LeastSquares) -> tuple[str, ...]:
    return (
        f"{fit.residual_error:.2f}",
        f"{fit.r2:.4f}",
        f"{fit.adjusted_r2:.4f}",
        f"{fit.centred_r2:.4f}",
        f"{fit.f:.0f}",
        str(fit.freedom),
    )


def _models() -> Section:
    rows: Rows = [("thesis, its coefficients, its equilibrium", "6.5 chips (0.016 bb)", "0.01 bb")]
    for thesis, whose in ((True, "its"), (False, "our")):
        prices = model_prices()[thesis]
        worst = [prices.worst(seat).chips[1] for seat in SEAT_NAMES]
        rows.append(
            (
                f"{whose} coefficients, our equilibrium",
                *(f"{chips:.2f} chips ({chips / 400:.4f} bb)" for chips in worst),
            )
        )
    return written(__file__, "models", rows)


def _figure_4_7() -> Section:
    fit = oracle_fit()
    rows: Rows = []
    for name, estimate, error in FIGURE_4_7:
        ours = fit.of(name)
        rows.append((f"`{name}`", f"{estimate:.4f} ({error:.4f})", f"{ours[0]:.4f} ({ours[1]:.4f})"))
    rows.append(("residual error", "24.25", f"{fit.residual_error:.2f}"))
    rows.append(("R^2", "0.9577", f"{fit.r2:.4f}"))
    return written(__file__, "figure-4-7", rows)


def _prices() -> Section:
    rule = oracle()
    prices = shipped_prices()["oracle"].between(rule.min_stack, rule.max_stack)
    rows: Rows = []
    for best, seat in product((False, True), ("sb", "bb")):
        worst, chips = prices.worst(seat, best=best), THESIS_CHIPS[seat][best]
        rows.append(
            (
                SEAT_NAMES[seat],
                "a best response" if best else "the equilibrium",
                f"{chips:g} chips ({chips / 400:.4f} bb){WHERE.get((seat, best), '')}",
                f"{worst.chips[best]:.2f} chips ({worst.chips[best] / 400:.4f} bb) at R = {worst.stack:g}",
            )
        )
    return written(__file__, "prices", rows)
