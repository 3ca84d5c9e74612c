"""The application: pages, API and static files behind the guard; user errors are one sentence."""

import sqlite3
import threading
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles

from headsup.common.display import json_line
from headsup.common.errors import UserError
from headsup.version import __version__
from headsup.web import api, api_play, api_spots
from headsup.web.answers import Kept
from headsup.web.asking import Busy, calculating, plain, settle
from headsup.web.charts import formulas
from headsup.web.guard import Guard
from headsup.web.jobs import SOLUTION, Jobs
from headsup.web.limits import RateLimits
from headsup.web.pages import ROUTERS
from headsup.web.render import HERE, error_response, templates
from headsup.web.study import simplify
from headsup.web.study.library import presets
from headsup.web.study.walking import warm as warm_spot
from headsup.web.table.imports import Imports
from headsup.web.table.matches import Matches
from headsup.web.training import TrainingStore

ABOUT = """The same answers and keys as `--json` on the command line. Stacks count before the blinds are posted, in big
blinds or, for jam or fold, in the unit of `blinds`. Expected values are in big blinds; exploitability is in thousandths
of a big blind per game (mbb/g) or a fraction of the pot. User errors have status 400 and one sentence as `error`."""


class PlainJson(JSONResponse):
    def render(self, content: Any) -> bytes:
        return json_line(content).encode()


def make_app(*, token: str | None = None, work: Path | None = None, warm: bool = False) -> FastAPI:
    """The application. `work` is the folder of jobs; `warm` loads data and kernels before the first request."""
    app = FastAPI(
        title="headsup",
        version=__version__,
        description=ABOUT,
        docs_url=None,
        redoc_url=None,
        default_response_class=PlainJson,
    )
    app.state.jobs = Jobs(work, ended=_ended if warm else None)
    app.state.formulas = Jobs(app.state.jobs.folder / "formulas", formulas.WORKER)
    app.state.sizes = Jobs(app.state.jobs.folder / "sizes", simplify.WORKER)
    app.state.matches = Matches(app.state.jobs.folder)
    app.state.limits = RateLimits()
    app.state.imports = Imports(app.state.jobs.folder)
    app.state.progress = TrainingStore(app.state.jobs.folder)
    app.state.warm = warm
    app.add_middleware(GZipMiddleware, minimum_size=2048, compresslevel=4)
    app.add_middleware(Kept)
    app.add_middleware(Guard, token=token)
    app.add_exception_handler(UserError, _mistake)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _missing)
    app.add_exception_handler(UnicodeError, _mistake)
    app.add_exception_handler(sqlite3.Error, _not_kept)
    app.include_router(api.router)
    app.include_router(api_spots.router)
    app.include_router(api_play.router)
    for router in ROUTERS:
        app.include_router(router, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")

    if warm:
        threading.Thread(target=_warm, args=(app.state.jobs,), daemon=True).start()
    return app


def _mistake(request: Request, error: Exception) -> Response:
    usual = 429 if isinstance(error, Busy) else 400
    return error_response(request, getattr(error, "status", usual), plain(str(error)))


def _not_kept(request: Request, error: Exception) -> Response:
    """The database cannot be written, for example on a full disk."""
    return error_response(
        request, 503, f"this could not be saved ({error}); earlier data is unchanged: free some disk space"
    )


def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first.get("loc", ())[1:]) or "the request"
    return error_response(request, 422, f"{where}: {first.get('msg', 'cannot be read').removeprefix('Value error, ')}")


def _missing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    detail = "this page does not exist" if error.detail == "Not Found" else str(error.detail)
    answer = error_response(request, error.status_code, detail)
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


def _warm(jobs: Jobs) -> None:
    from headsup.games.holdem.classes import class_table
    from headsup.jamfold.answer import answer
    from headsup.jamfold.shipped import has_shipped
    from headsup.preflop.shipped import shipped_preflop, shipped_stacks
    from headsup.web.charts.omaha import labels

    for name in templates.env.list_templates():
        templates.get_template(name)
    for game in ("holdem", "omaha8", "omaha"):
        if has_shipped(game):
            answer(game, 10.0)
    for stack in shipped_stacks():
        shipped_preflop(stack)
    labels()
    presets()
    with calculating(wait=True, reason="the server compiles for its first use, up to a minute: try again in a moment"):
        class_table("holdem")
    for job in [job for job in jobs.all() if job.solved][:1]:
        warm_spot(job.solution)
    settle()


def _ended(folder: Path) -> None:
    warm_spot(folder / SOLUTION)
    settle()
