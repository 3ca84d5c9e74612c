"""Forms and numbers that a browser or a program sends, and redirects."""

from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from pydantic import BeforeValidator
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from headsup.common.checks import ascii_number
from headsup.common.errors import UserError
from headsup.common.plot import Chart
from headsup.web.jobs import Job
from headsup.web.render import templates

KINDS = {"svg": "image/svg+xml", "csv": "text/csv", "txt": "text/plain"}
templates.env.globals["chart_kinds"] = tuple(KINDS)


def file(text: str, kind: str, name: str) -> Response:
    return PlainTextResponse(text, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


def chart_file(chart: str, kind: str, name: str) -> Response:
    check_kind(kind)
    if not chart or (kind != "svg" and not isinstance(chart, Chart)):
        raise UserError("there is no such chart: choose another hand, stack or street")
    text = chart if not isinstance(chart, Chart) or kind == "svg" else chart.csv() if kind == "csv" else chart.text()
    return file(text, KINDS[kind], f"{name}.{kind}")


def search_chart(job: Job | None, kind: str, name: str) -> Response:
    """The picture that a search drew at its end, as a file."""
    summary = job.summary() if job is not None and job.solved else {}
    drawn = Chart.of(summary.get("picture", ""), summary.get("names", ()), map(tuple, summary.get("rows", ())))
    return chart_file(drawn, kind, name)


def check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise UserError(f"a chart is available as {', '.join(KINDS)}, not {kind[:10]}")


async def sent(request: Request) -> dict[str, str]:
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=60))
    except ValueError:
        raise UserError("the form cannot be read: send its fields url-encoded, 60 at most") from None


def _digits(value: Any) -> Any:
    return ascii_number(value) if isinstance(value, str) else value


Whole = Annotated[int, BeforeValidator(_digits)]
"""A whole number in an address or a body, parsed like options of the command line."""
Number = Annotated[float, BeforeValidator(_digits)]  # the same of any number
Sent = Annotated[dict[str, str], Depends(sent)]


def redirected(request: Request, path: str) -> Response:
    if request.headers.get("hx-request") == "true":
        return Response(status_code=204, headers={"hx-redirect": path})
    return RedirectResponse(path, 303)
