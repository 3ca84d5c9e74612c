"""CFR beside CFR+, and current strategies beside averages: tables and a figure of what `study` measured."""

from collections.abc import Sequence

from headsup.common.plot import line_chart
from headsup.papers.bowling2015.study import CURRENT, SPOTS, WEIGHTS, Point, shipped_points
from headsup.papers.section import Rows, Section, written

CURVES = "two streets, whole deck"  # the run whose curves are drawn


def unit(run: str) -> str:
    return "% of the pot" if run in SPOTS else "mbb/g"


def runs(points: Sequence[Point]) -> list[str]:
    """The games, in the order of their runs."""
    return list(dict.fromkeys(point.run for point in points))


def columns(points: Sequence[Point], run: str) -> dict[tuple[str, str], dict[int, float]]:
    """Exploitability by iterations for each method and averaging scheme of a game; cfr first."""
    curves: dict[tuple[str, str], dict[int, float]] = {}
    for method in ("cfr", "cfr+"):
        for weights in WEIGHTS:
            curve = {p.iterations: p.exploitability for p in points if (p.run, p.method, p.weights) == (run, method, weights)}  # noqa: E501  # fmt: skip
            if curve:
                curves[method, weights] = curve
    return curves


def tables(points: Sequence[Point] | None = None) -> list[Section]:
    known = shipped_points() if points is None else points
    sections = []
    for run in runs(known):
        curves = columns(known, run)
        rows: Rows = []
        for t in sorted({t for curve in curves.values() for t in curve if t >= 4}):
            least = min(curve[t] for curve in curves.values() if t in curve)
            cells = (_cell(curve.get(t), least) for curve in curves.values())
            rows.append((f"{t:,}", *cells))
        names = ("iterations", *(f"{method}, {weights}" for method, weights in curves))
        sections.append(Section(f"{run[0].upper()}{run[1:]}, {unit(run)}", names, rows))
    return sections


def _cell(value: float | None, least: float) -> str:
    if value is None:
        return ""
    text = f"{value:.4g}"
    return f"**{text}**" if value == least else text


def ranking() -> Section:
    known = shipped_points()
    rows: Rows = []
    every = [weights for weights in WEIGHTS if any(point.weights == weights for point in known)]
    for run in runs(known):
        curves = {weights: curve for (method, weights), curve in columns(known, run).items() if method == "cfr+"}
        last = max(max(curve) for curve in curves.values())
        least = min(curve[last] for curve in curves.values())
        ratios = (f"{curves[weights][last] / least:.2f}" if weights in curves else "" for weights in every)
        rows.append((run, f"{last:,}", *ratios))
    return Section("cfr+: exploitability relative to the lowest of the row", ("game", "iterations", *every), rows)


def crossings() -> Section:
    known = shipped_points()
    rows: Rows = []
    for run in runs(known):
        curves = columns(known, run)
        current, linear = curves.get(("cfr+", CURRENT), {}), curves.get(("cfr+", "linear"), {})
        better = [t for t in current if t in linear and current[t] < linear[t]]
        rows.append((run, f"{max(better):,}" if better else "never", f"{max(current):,}"))
    return written(__file__, "crossings", rows)  # fmt: skip


def curves(points: Sequence[Point] | None = None) -> str:
    """Exploitability against iterations on the largest game, as SVG."""
    known = shipped_points() if points is None else points
    chosen = CURVES if CURVES in runs(known) else runs(known)[-1]
    series = {
        f"{method}, {weights}": [(float(t), x) for t, x in curve.items()]
        for (method, weights), curve in columns(known, chosen).items()
    }
    return line_chart(
        series, title=f"Limit hold'em, {chosen}", x="iterations", y=unit(chosen), log_x=True, log_y=True, dots=True
    )
