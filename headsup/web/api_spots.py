"""Spots under /api/spots: start, stop, continue, look into, exploit and compare; keys as on the command line."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from headsup.common.errors import UserError
from headsup.web.asking import calculating, one_of
from headsup.web.jobs import Jobs, NoSpot
from headsup.web.sending import Number
from headsup.web.study import walking
from headsup.web.study.spots import begin, check_limits, planned, read_spot

router = APIRouter(
    prefix="/api/spots",
    responses={
        400: {"description": "A user error, as one sentence under `error`."},
        404: {"description": "There is no such spot."},
    },
)
Text = Annotated[str, Query(max_length=5_000)]
Maybe = Annotated[str | None, Query(max_length=5_000)]
Json = dict[str, Any]
Field20 = Annotated[str, Field(max_length=20_000)]


def jobs_of(request: Request) -> Jobs:
    jobs: Jobs = request.app.state.jobs
    return jobs


class Fields(BaseModel):
    """A spot, its parts as text."""

    board: Field20
    oop: Field20
    ip: Field20
    pot: Field20
    stack: Field20
    bets: Field20 = ""
    raises: Field20 = ""
    flop: Field20 = ""
    turn: Field20 = ""
    river: Field20 = ""
    menu: Field20 = ""
    rake: Field20 = ""
    dead: Field20 = ""
    swaps: Field20 = ""
    variant: Field20 = ""
    betting: Field20 = ""
    store: str = "float32"


class Solving(Fields):
    """A spot to solve: to a target as a fraction of the pot, or until the time limit."""

    name: Field20 = ""
    target: Number = 0.005
    seconds: Number = 600.0
    locks: list[str] = Field(default_factory=list, max_length=50)
    start: str | None = Field(None, description="the id of a solved spot to resume from")


class Further(BaseModel):
    """New limits."""

    target: Number = 0.002
    seconds: Number = 600.0


@router.get("")
def spots(request: Request) -> Json:
    """All saved spots."""
    return {"spots": [job.as_dict() for job in jobs_of(request).all()]}


@router.post("/plan")
def plan(given: Fields) -> Json:
    """The memory that solving a spot needs; nothing is started."""
    spot = read_spot(given.model_dump())
    need, refusal = planned(spot, given.store)
    return {"decisions": sum(spot.tree.decisions()), "bytes": need.total, "refused": refusal or None}


@router.post("")
def solve(request: Request, given: Solving) -> Json:
    """Start solving a spot."""
    jobs = jobs_of(request)
    try:
        start = None if given.start is None else jobs.get(given.start)
    except NoSpot as error:  # the address is right, and what it was sent is not
        raise UserError(f"start: {error}") from None
    spot = read_spot(given.model_dump())
    job = begin(jobs, spot, name=given.name, target=given.target, seconds=given.seconds, store=given.store,
                locks=tuple(given.locks), start=start)  # fmt: skip
    return job.as_dict()


@router.get("/{spot}")
def state(request: Request, spot: str) -> Json:
    """The state of a spot, with the summary of its solution."""
    job = jobs_of(request).get(spot)
    return {**job.as_dict(), "summary": job.summary() or None}


@router.post("/{spot}/stop")
def stop(request: Request, spot: str) -> Json:
    """Stop after the current step and save the result so far."""
    job = jobs_of(request).get(spot)
    jobs_of(request).stop(job)
    return job.as_dict()


@router.post("/{spot}/go-on")
def go_on(request: Request, spot: str, given: Further) -> Json:
    """Continue to a tighter target, or resume a killed process."""
    check_limits(given.target, given.seconds)
    return jobs_of(request).go_on(jobs_of(request).get(spot), given.target, given.seconds).as_dict()


@router.delete("/{spot}")
def delete(request: Request, spot: str) -> Json:
    """Delete a spot and its solution."""
    jobs_of(request).delete(jobs_of(request).get(spot))
    return {"deleted": spot}


@router.get("/{spot}/look")
def look(request: Request, spot: str, line: Text = "", hand: Maybe = None, reply: Text = "") -> Json:
    """One decision, hand by hand, as in `headsup look`; `reply` selects a player's best response."""
    view = walking.view(walking.load(jobs_of(request).get(spot).solution), line, reply)
    answer = view.as_dict()
    return answer if hand is None else answer | {"hand": view.hand(hand)}


@router.get("/{spot}/exploit")
def exploit(request: Request, spot: str, seat: Text = "oop") -> Json:
    """The best response to the opponent's strategy."""
    loaded = walking.load(jobs_of(request).get(spot).solution)
    return walking.exploit(loaded, one_of(seat, ("oop", "ip"), "seat"))


@router.get("/{spot}/compare")
def compare(request: Request, spot: str, other: Text) -> Json:
    """Compare two solutions."""
    jobs = jobs_of(request)
    first, second = (walking.load(jobs.get(name).solution).solved for name in (spot, other))
    with calculating():
        return first.compare(second).summary()
