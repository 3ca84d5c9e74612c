"""Charts as files: SVG, or their numbers as CSV and text."""

from __future__ import annotations

from starlette.responses import PlainTextResponse, Response

from headsup.common.errors import UserError
from headsup.common.plot import Chart
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


def check_kind(kind: str) -> None:
    if kind not in KINDS:
        raise UserError(f"a chart is available as {', '.join(KINDS)}, not {kind[:10]}")
