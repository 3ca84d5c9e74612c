"""The application: pages, API and static files behind the guard; every mistake of a user is one sentence."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from headsup.common.display import json_line
from headsup.common.errors import UserError
from headsup.version import __version__
from headsup.web import api, api_play, api_spots, formulas
from headsup.web.answers import Kept
from headsup.web.asking import Busy, calculating, plain, settle
from headsup.web.guard import Guard
from headsup.web.imports import Imports
from headsup.web.jobs import SOLUTION, Jobs
from headsup.web.limits import Limits
from headsup.web.matches import Matches
from headsup.web.pages import ROUTERS
from headsup.web.render import HERE, templates, told
from headsup.web.training import Progress
from headsup.web.walking import warm as warm_spot

ABOUT = """The answers of the command line's `--json`, under the same names. Stacks are counted before posting, in big
blinds or, for jam or fold, in the unit of `blinds`. Expected values are in big blinds, exploitability is in thousandths
of a big blind a game (mbb) or a share of the pot. A mistake is answered with status 400 and one sentence as `error`."""


class PlainJson(JSONResponse):
    """The one JSON writer, for all answers."""

    def render(self, content: Any) -> bytes:
        """What does not exist is null."""
        return json_line(content).encode()


def make_app(*, token: str | None = None, work: Path | None = None, warm: bool = False) -> FastAPI:
    """The application. `work` is where jobs are kept; `warm` loads data and kernels before the first question."""
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
    app.state.matches = Matches(app.state.jobs.folder)
    app.state.limits = Limits()
    app.state.imports = Imports(app.state.jobs.folder)
    app.state.progress = Progress(app.state.jobs.folder)
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

    @app.get("/", include_in_schema=False)
    def start() -> Response:
        return RedirectResponse("/jamfold", 303)

    if warm:
        threading.Thread(target=_warm, args=(app.state.jobs,), daemon=True).start()
    return app


def _mistake(request: Request, error: Exception) -> Response:
    usual = 429 if isinstance(error, Busy) else 400
    return told(request, getattr(error, "status", usual), plain(str(error)))


def _not_kept(request: Request, error: Exception) -> Response:
    """The file of matches and progress cannot be written, on a full disk for example."""
    return told(request, 503, f"this could not be kept ({error}), and what was kept before is as it was: make room")


def _invalid(request: Request, error: Exception) -> Response:
    """A word of the address or of the body that is missing or of another kind."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(one) for one in first.get("loc", ())[1:]) or "the request"
    return told(request, 422, f"{where}: {first.get('msg', 'cannot be read').removeprefix('Value error, ')}")


def _missing(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    answer = told(request, error.status_code, str(error.detail))
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer


def _warm(jobs: Jobs) -> None:
    """Load what the first questions need, so that nobody waits for it."""
    from headsup.games.holdem.classes import class_table
    from headsup.jamfold.answer import answer
    from headsup.jamfold.shipped import has_shipped
    from headsup.web.omaha import labels

    for name in templates.env.list_templates():
        templates.get_template(name)
    for game in ("holdem", "omaha8", "omaha"):
        if has_shipped(game):
            answer(game, 10.0)
    labels()
    with calculating(wait=True):
        class_table("holdem")  # a minute where nothing is compiled yet
    for job in [job for job in jobs.all() if job.solved][:1]:
        warm_spot(job.solution)
    settle()


def _ended(folder: Path) -> None:
    """Have the solution of a job ready."""
    warm_spot(folder / SOLUTION)
    settle()
