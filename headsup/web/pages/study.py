"""Study: define a spot, solve it, and look at the decisions of the solution."""

import re
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import FileResponse, Response

from headsup.cards.classes import holdem_class_name, parse_holdem_class
from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.common.plot import Chart, bar_chart, line_chart
from headsup.games.holdem.spot import FIELDS as SPOT_FIELDS
from headsup.solve.holdem.store import in_bytes
from headsup.spots.groups import extremes
from headsup.spots.view import SpotView
from headsup.web.answers import forever
from headsup.web.api_spots import jobs_of
from headsup.web.asking import calculating, later, one_of, plain
from headsup.web.charts.formulas import begin as start_search
from headsup.web.charts.formulas import searched
from headsup.web.charts.grid import grid_svg
from headsup.web.jobs import Job
from headsup.web.render import address, is_part, part, show
from headsup.web.sending import Sent, chart_file, file, redirected, search_chart
from headsup.web.study import listing, panels, simplify, walking
from headsup.web.study.spots import EXAMPLES, STORES, begin, check_limits, fields_of, known_spot, planned, read_spot

router = APIRouter()
Text = Annotated[str, Query(max_length=5_000)]
FIELDS = (*SPOT_FIELDS, "store")


@router.get("/study")
def study(request: Request) -> Response:
    given = {key: request.query_params.get(key, "")[:20_000] for key in FIELDS}
    if not any(text for key, text in given.items() if key != "variant"):  # an example of the game
        example = EXAMPLES[one_of(given["variant"].removeprefix("holdem"), tuple(EXAMPLES), "the game")]
        given = {key: example.get(key, "") for key in FIELDS}
    jobs = [_row(job) for job in jobs_of(request).all()]
    notes = {key: request.query_params.get(key, "")[:200] for key in ("name", "note")}
    return show(request, "study", jobs=jobs, fields=given, stores=STORES, plan=_plan(given), notes=notes)


def _row(job: Job) -> dict[str, Any]:
    spot, last = known_spot(job.ask.spot), job.progress()
    return {"job": job, "spot": spot, "share": last[-1][2] if last else None}


def _plan(fields: dict[str, str]) -> dict[str, Any]:
    try:
        spot = read_spot(fields)
        need, refusal = planned(spot, fields["store"] or STORES[0])
    except UserError as error:
        return {"mistake": plain(str(error))}
    return {
        "decisions": f"{sum(spot.tree.decisions()):,}",
        "memory": in_bytes(need.total),
        "refused": refusal,
        "spot": spot,
    }


@router.post("/study/plan")
def plan(request: Request, form: Sent) -> Response:
    fields = {key: form.get(key, "") for key in FIELDS}
    answer = part(request, "study_plan", plan=_plan(fields))
    answer.headers["hx-replace-url"] = address("/study", **fields)
    return answer


@router.post("/study")
def make(request: Request, form: Sent) -> Response:
    spot = read_spot({key: form.get(key, "") for key in FIELDS})
    target, seconds = _limits(form)
    store = form.get("store") or STORES[0]
    job = begin(jobs_of(request), spot, name=form.get("name", ""), target=target, seconds=seconds, store=store)
    return redirected(request, f"/study/{job.id}")


def _limits(form: dict[str, str]) -> tuple[float, float]:
    try:
        target, seconds = form.get("target", "0.5").strip().removesuffix("%"), form.get("seconds", "600")
        limits = parse_float(target) / 100, parse_float(seconds)
    except ValueError:
        raise UserError("the target must be a percentage of the pot, and the time limit a number of seconds") from None
    if not 1e-4 <= 100 * limits[0] < 100.0:
        raise UserError(f"the target is {100 * limits[0]:g} % of the pot: give 0.0001 to 100, such as 0.5")
    check_limits(*limits)
    return limits


@router.get("/study/{spot}")
def one_spot(
    request: Request,
    spot: str,
    line: Text = "",
    by: Text = "strategy",
    pick: Text = "",
    hand: Text = "",
    reply: Text = "",
    panel: Text = "hands",
    only: Text = "",
    find: Text = "",
    order: Text = "",
    stamp: Text = "",
) -> Response:
    """The state of a spot, or a decision of its solution; `stamp` identifies the solution."""
    job = jobs_of(request).get(spot)
    context: dict[str, Any] = {"job": job, "spot": known_spot(job.ask.spot), "at": None}
    if job.solved:
        context["stamp"] = walking.stamp(job.solution)
        hand = pick.partition(":")[2] or hand
        beside_chart = listing.PANELS if context["spot"].variant else panels.PANELS
        by, panel = one_of(by, tuple(walking.BY), "the view"), one_of(panel, tuple(beside_chart), "the panel")
        context["at"] = look(job, line, by, hand, reply) | {"panel": panel, "panels": beside_chart, "only": only}
        context["at"] |= {"find": find, "order": order}
        if context["at"]["place"].kind == "act":
            context["at"] |= beside(job, context["at"])
        context["locks"] = _lock_examples(context["at"].get("view"))
    elif is_part(request):
        raise UserError("this spot has no solution yet: wait until it is solved")
    if not is_part(request):  # a click on the chart changes nothing of this
        if job.solved:
            later(2.0, lambda: walking.warm(job.solution))  # after the first paint
        context["live"] = live_view(job)
        others = [_row(other) for other in jobs_of(request).all() if other.solved and other.id != job.id]
        alike = context["spot"].variant, context["spot"].board

        def distance(row: dict[str, Any]) -> tuple[bool, bool]:  # the parent first, then spots of the same board
            return row["job"].id != job.ask.start, (row["spot"].variant, row["spot"].board) != alike

        context["others"] = sorted(others, key=distance)
        context["edit"] = address("/study", **fields_of(context["spot"]), name=_copy_name(job))
        context["held"] = walking.load(job.solution).solved.locks.texts if job.solved else job.ask.locks
    page = show(request, "study_spot", **context)
    if is_part(request) and stamp and stamp == context.get("stamp"):
        forever(page)
    return page


def _copy_name(job: Job) -> str:
    return f"{job.ask.name} (copy)"[:80] if job.ask.name else ""


@router.get("/study/{spot}/live")
def live(request: Request, spot: str) -> Response:
    """The state of solving; at the end the page is reloaded."""
    job = jobs_of(request).get(spot)
    if job.state != "running":
        return Response(status_code=204, headers={"hx-refresh": "true"})
    return part(request, "study_live", job=job, live=live_view(job))


def live_view(job: Job) -> dict[str, Any]:
    points = job.progress()
    chart = ""
    if len(points) > 1:
        series = {"exploitability, % of the pot": [(max(seconds, 0.01), 100 * share) for _, seconds, share in points]}
        goal = [(max(points[0][1], 0.01), 100 * job.ask.target), (points[-1][1], 100 * job.ask.target)]
        chart = line_chart(
            series | {"target": goal},
            title="Exploitability",
            x="seconds of solving",
            y="% of the pot",
            log_y=True,
            width=620,
            height=320,
        )
    last = points[-1] if points else None
    return {"chart": chart, "last": last}


def look(job: Job, line: str, by: str, hand: str, reply: str) -> dict[str, Any]:
    """A decision for the template, or the next card."""
    loaded = walking.load(job.solution)
    words = walking.parts(line)
    steps = [(word, ", ".join(words[: i + 1])) for i, word in enumerate(words)]
    here, omaha = walking.where(loaded.solved, line), loaded.solved.spot.variant
    if hand and not omaha:
        hand = holdem_class_name(parse_holdem_class(hand))
    context: dict[str, Any] = {
        "line": ", ".join(words),
        "steps": steps,
        "place": here,
        "by": by,
        "bys": walking.BY,
        "legend": walking.LEGENDS[by],
    }
    context |= {"hand": hand, "reply": reply, "gains": walking.gains(loaded, reply) if reply else None}
    if here.kind != "act":
        return context
    view = walking.view(loaded, line, reply)
    context |= {
        "view": view,
        "totals": view.totals,
        "actions": panels.actions(loaded, view),
        "chips": panels.chips(loaded, view),
        "tones": walking.tones(view.actions),
        "alike": hand,
        "hands": walking.hands(view, hand) if hand and not omaha else [],
    }
    return context | (listing.picked(view, hand) if hand and omaha else {})


def beside(job: Job, at: dict[str, Any]) -> dict[str, Any]:
    """The chart or the list of a decision, and the chosen panel beside it."""
    loaded, view = walking.load(job.solution), at["view"]
    only = view.in_category(at["only"]) if at["only"] else None
    locked = panels.locked_hands(loaded, at["line"]) if loaded.solved.locks else None
    omaha = view.game != "holdem"
    if omaha:
        shown: dict[str, Any] = {"list": listing.listing(view, at["find"], only, at["order"], locked)}
    else:
        shown = {"cells": walking.cells(view, at["by"], only, locked)}
    if at["panel"] == "hands":
        return shown | {"categories": view.categories()}
    if at["panel"] == "extremes":
        return shown | {"extremes": extremes(view, 6)}
    if at["panel"] == "ranges":
        return shown | {"opponent": listing.opponent_kinds(view) if omaha else panels.opponent(view)}
    known = walking.best_response(loaded, at["reply"], at["line"]) if at["reply"] else loaded.solved.known
    with calculating():
        return shown | {"graph": panels.equity_graph(known, at["line"])}


def _lock_examples(view: SpotView | None) -> list[str]:
    """Two possible locks at a decision: of a hand, and of the whole range."""
    if view is None or len(view.actions) < 2 or not view.weights.sum() > 0.0:
        return []
    first, second = view.actions[:2]
    where, hand = f"{view.line} | " if view.line else "", view.classes[int(view.weights.argmax())]
    return [f"{where}{hand}: {second} 70%, {first}", f"{where}{second} 30%"]


@router.get("/study/{spot}/runouts")
def runouts(request: Request, spot: str, line: Text = "", stamp: Text = "") -> Response:
    job = jobs_of(request).get(spot)
    line = ", ".join(walking.parts(line))
    answer = part(request, "study_runouts", job=job, rows=walking.runouts(job.solution, line), line=line)
    if stamp == walking.stamp(job.solution):
        forever(answer)
    return answer


@router.get("/study/{spot}/chart.{kind}")
def chart(request: Request, spot: str, kind: str, line: Text = "", by: Text = "strategy", reply: Text = "") -> Response:
    job = jobs_of(request).get(spot)
    view = walking.view(walking.load(job.solution), line, reply)
    columns, name = view.columns(), f"{file_name(job)}-{view.player}"
    if view.game != "holdem":
        if kind != "csv":
            raise UserError("a list of Omaha hands is available as csv")
        return file(Chart.of("list", columns, zip(*columns.values(), strict=True)).csv(), "text/csv", f"{name}.csv")
    shares = ", ".join(f"{a} {f:.1%}" for a, f in zip(view.actions, view.totals["frequencies"], strict=True))
    cells = walking.cells(view, one_of(by, tuple(walking.BY), "the view"))
    drawn = grid_svg(cells, f"{view.player} on {view.board}: {view.line or 'first decision'}", shares)
    return chart_file(Chart.of(drawn, columns, zip(*columns.values(), strict=True)), kind, name)


@router.get("/study/{spot}/progress.{kind}")
def progress(request: Request, spot: str, kind: str) -> Response:
    job = jobs_of(request).get(spot)
    return chart_file(live_view(job)["chart"], kind, f"{file_name(job)}-exploitability")


@router.get("/study/{spot}/cards.{kind}")
def cards(request: Request, spot: str, kind: str, line: Text = "") -> Response:
    job = jobs_of(request).get(spot)
    rows = walking.runouts(job.solution, ", ".join(walking.parts(line)))
    if not rows:
        raise UserError("no card is dealt after this line: go to the end of a street")
    bars = [(row["card"], [share for _, share, _ in row["shares"]]) for row in rows]
    names = [name for name, _, _ in rows[0]["shares"]]
    drawn = bar_chart(bars, names, title=f"{rows[0]['player']} after {line}", x="fraction of the range")
    numbers = [(*row, card["ev"], card["equity"]) for row, card in zip(drawn.rows, rows, strict=True)]
    return chart_file(Chart.of(drawn, ("card", *names, "value", "equity"), numbers), kind, f"{file_name(job)}-cards")


@router.post("/study/{spot}/lock")
def lock(request: Request, spot: str, form: Sent) -> Response:
    job = jobs_of(request).get(spot)
    goal, time = _limits(form)
    locks = tuple(text.strip() for text in form.get("text", "").splitlines() if text.strip())
    held = walking.load(job.solution).solved.locks.texts
    kept = tuple(text for i, text in enumerate(held) if form.get(f"keep-{i}"))
    if len(kept) < len(held):  # unlocked: solve from the spot that has no lock
        job, locks = without_locks(request, job), (*kept, *locks)
        if not locks:
            return redirected(request, f"/study/{job.id}")
    if not locks:
        raise UserError("there is no lock: click a hand and lock it, or write for example  check | AA,KK: check")
    with calculating():
        walking.load(job.solution).solved.locked(*locks)  # errors come before anything is started
    name = f"{job.ask.name or job.id}, locked"
    made = begin(jobs_of(request), known_spot(job.ask.spot), name=name, target=goal, seconds=time, store=job.ask.store,
                 locks=locks, start=job)  # fmt: skip
    return redirected(request, f"/study/{made.id}")


def without_locks(request: Request, job: Job) -> Job:
    """The spot without locks from which locked ones were made."""
    while job.ask.locks:
        if not job.ask.start:
            raise UserError("this spot was solved with its locks: edit a copy to solve it without them")
        job = jobs_of(request).get(job.ask.start)
    return job


@router.post("/study/{spot}/stop")
def stop(request: Request, spot: str) -> Response:
    jobs_of(request).stop(jobs_of(request).get(spot))
    return redirected(request, f"/study/{spot}")


@router.post("/study/{spot}/go-on")
def go_on(request: Request, spot: str, form: Sent) -> Response:
    jobs_of(request).go_on(jobs_of(request).get(spot), *_limits(form))
    return redirected(request, f"/study/{spot}")


@router.post("/study/{spot}/delete")
def delete(request: Request, spot: str) -> Response:
    jobs_of(request).delete(jobs_of(request).get(spot))
    return redirected(request, "/study")


@router.get("/study/{spot}/solution")
def saved(request: Request, spot: str) -> Response:
    job = jobs_of(request).get(spot)
    if not job.solved:
        raise UserError("this spot has no solution yet: wait until it is solved")
    return FileResponse(job.solution, filename=f"{file_name(job)}.sol", media_type="application/octet-stream")


def file_name(job: Job) -> str:
    """The name of a spot, or its board, for a file."""
    return re.sub("[^A-Za-z0-9]+", "-", job.ask.name).strip("-").lower() or known_spot(job.ask.spot).board


def _size_search(request: Request, job: Job) -> Job | None:
    return searched(request.app.state.sizes, simplify.question(known_spot(job.ask.spot)))


@router.get("/study/{spot}/sizes")
def sizes(request: Request, spot: str) -> Response:
    """Few bet sizes: the state of the search, or its curve."""
    job = jobs_of(request).get(spot)
    search = _size_search(request, job)
    summary = search.summary() if search is not None and search.solved else {}
    return show(request, "study_sizes", job=job, spot=known_spot(job.ask.spot), search=search, told=summary.get("told"),
                picture=summary.get("picture", ""), dense=summary.get("dense"),
                dense_share=summary.get("dense_share"))  # fmt: skip


@router.post("/study/{spot}/sizes")
def simplify_sizes(request: Request, spot: str) -> Response:
    wanted = simplify.question(known_spot(jobs_of(request).get(spot).ask.spot))
    start_search(request.app.state.sizes, wanted, simplify.SECONDS)
    return redirected(request, f"/study/{spot}/sizes")


@router.get("/study/{spot}/sizes/live")
def sizes_live(request: Request, spot: str) -> Response:
    """The state of the search; at the end the page is reloaded."""
    job = jobs_of(request).get(spot)
    search = _size_search(request, job)
    if search is None or search.state != "running":
        return Response(status_code=204, headers={"hx-refresh": "true"})
    return part(request, "study_sizes_live", job=job, search=search)


@router.get("/study/{spot}/sizes.{kind}")
def sizes_chart(request: Request, spot: str, kind: str) -> Response:
    return search_chart(_size_search(request, jobs_of(request).get(spot)), kind, f"{spot}-sizes")


@router.get("/study/{spot}/compare")
def compare(request: Request, spot: str, other: Text) -> Response:
    jobs = jobs_of(request)
    pair = [jobs.get(name) for name in (spot, other)]
    first, second = (walking.load(job.solution).solved for job in pair)
    with calculating():
        comparison = first.compare(second)
    return show(request, "study_compare", told=comparison, pair=pair)
