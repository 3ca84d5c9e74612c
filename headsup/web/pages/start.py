"""The start page: what this is, examples that open with one click, and where each kind of user begins."""

from functools import cache

from fastapi import APIRouter, Request
from starlette.responses import Response

from headsup.web.api_spots import jobs_of
from headsup.web.render import HERE, show
from headsup.web.study.spots import EXAMPLE, known_spot, read_spot
from headsup.web.table.imports import Imports

router = APIRouter()
NAME = "Example"
"""The name of the example spot and of the example history; if one exists it is opened again."""


@cache
def history() -> str:
    return (HERE / "static" / "example.phhs").read_text()


@router.get("/")
def start(request: Request) -> Response:
    imports: Imports = request.app.state.imports
    spot = read_spot(EXAMPLE)
    solved = (job.id for job in jobs_of(request).all() if job.ask.name == NAME and known_spot(job.ask.spot) == spot)
    kept = (item.id for item in imports.all() if item.name == NAME)
    return show(
        request, "start", title=NAME, fields=EXAMPLE, spot=next(solved, ""), hands=next(kept, ""), history=history()
    )
