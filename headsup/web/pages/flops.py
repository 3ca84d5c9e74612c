"""Flop formulas: a few features of the flop that estimate the equity."""

from functools import lru_cache
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from headsup.common.checks import parse_int
from headsup.common.errors import UserError
from headsup.common.plot import line_chart
from headsup.distil.formulas.formula import Formula, measured, one_hand, picture
from headsup.distil.formulas.problem import Problem, problem
from headsup.distil.formulas.results import Result
from headsup.distil.formulas.shipped import shipped_for
from headsup.web.asking import calculating, one_of
from headsup.web.charts.formulas import RANGES, begin, question, searched, told_of, worked
from headsup.web.jobs import Jobs
from headsup.web.render import address, is_part, part, show
from headsup.web.sending import Sent, Whole, chart_file, redirected, search_chart

router = APIRouter()
Text = Annotated[str, Query(max_length=200)]
Long = Annotated[str, Query(max_length=2_000)]
HANDS = ("AA", "KK", "QQ", "JJ", "99", "55", "AKs", "AQs", "KQs", "JTs", "98s")


_ready: set[tuple[str, str]] = set()


@lru_cache(maxsize=len(HANDS) * len(RANGES))
def _problem(hand: str, villain: str) -> Problem:
    with calculating():
        made = problem(one_hand(hand), villain)
    _ready.add((hand, villain))
    return made


def shipped_formula(hand: str, villain: str, features: int) -> Formula:
    """The shipped formula with so many features, measured on every flop."""
    one_of(hand, HANDS, "the hand")
    there = shipped_for(hand, one_of(villain, tuple(RANGES), "the range"))
    if features not in there:
        sizes = ", ".join(map(str, there))
        raise UserError(
            f"there is no formula with {features} features for {hand} against {villain}: choose one of {sizes}"
        )
    return measured(hand, _problem(hand, villain), there[features].outcome)


@router.get("/flops")
def flops(request: Request, hand: Text = "AA", villain: Text = "ATC", features: Whole = 3, flop: Text = "") -> Response:
    one_of(hand, HANDS, "the hand")
    one_of(villain, tuple(RANGES), "the range")
    there = shipped_for(hand, villain)
    size = min(there, key=lambda number: (abs(number - features), number))
    words: dict[str, Any] = {"hand": hand, "villain": villain, "features": size, "flop": flop}
    choices: dict[str, Any] = {"hands": [(name, name) for name in HANDS], "ranges": RANGES}
    if not is_part(request) and (hand, villain) not in _ready:  # the flops are counted while the page is there already
        return show(request, "flops", view="flops_wait.html", **choices, **words)
    formula = shipped_formula(hand, villain, size)
    return show(
        request, "flops", url=address("/flops", **words), **choices, sizes=list(there), told=told_of(formula),
        worked=worked(formula, flop), picture=picture(formula, RANGES[villain]), scatter="/flops/scatter",
        curve=_curve(there), asked=features,
        **words,
    )  # fmt: skip


def _curve(there: dict[int, Result]) -> str:
    if len(there) < 3:
        return ""
    series = {"average error": [(float(size), 100 * result.average_error) for size, result in there.items()]}
    return line_chart(
        series, title="Error by number of features", x="features", y="average error, points", width=520, height=330
    )


@router.get("/flops/{which}.{kind}")
def chart(which: str, kind: str, hand: Text = "AA", villain: Text = "ATC", features: Whole = 3) -> Response:
    one_of(which, ("scatter", "errors"), "a chart")
    one_of(hand, HANDS, "the hand")
    there = shipped_for(hand, one_of(villain, tuple(RANGES), "the range"))
    if which == "errors":
        return chart_file(_curve(there), kind, f"errors-{hand}-{villain}")
    size = min(there, key=lambda number: (abs(number - features), number))
    drawn = picture(shipped_formula(hand, villain, size), RANGES[villain])
    return chart_file(drawn, kind, f"scatter-{hand}-{villain}-{size}")


def _jobs(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.formulas
    return jobs


@router.get("/flops/own")
def own(request: Request, hand: Text = "", villain: Long = "", features: Whole = 5) -> Response:
    """Any hand and range: the state of the search, or its result."""
    job = searched(_jobs(request), question(hand, villain, features)) if hand or villain else None
    summary = job.summary() if job is not None and job.solved else {}
    words: dict[str, Any] = {"hand": hand, "villain": villain, "features": features}
    return show(
        request, "flops_own", job=job, told=summary.get("told"), picture=summary.get("picture", ""), curve="",
        scatter="/flops/own/scatter" if "rows" in summary else "", ranges={villain: villain}, asked=features, **words,
    )  # fmt: skip


@router.get("/flops/own/scatter.{kind}")
def own_chart(request: Request, kind: str, hand: Text = "", villain: Long = "", features: Whole = 5) -> Response:
    return search_chart(searched(_jobs(request), question(hand, villain, features)), kind, "scatter")


@router.post("/flops/own")
def search(request: Request, form: Sent) -> Response:
    try:
        features = parse_int(form.get("features", "5"))
    except ValueError:
        raise UserError("the number of features must be a whole number") from None
    hand, villain = form.get("hand", ""), form.get("villain", "")
    begin(_jobs(request), question(hand, villain, features))
    return redirected(request, address("/flops/own", hand=hand, villain=villain, features=features))


@router.get("/flops/own/live/{job}")
def live(request: Request, job: str) -> Response:
    """The state of the search; at the end the page is reloaded."""
    search_job = _jobs(request).get(job)
    if search_job.state != "running":
        return Response(status_code=204, headers={"hx-refresh": "true"})
    return part(request, "flops_live", job=search_job)
