"""Forms and numbers that a browser or a program sends, and redirects."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from pydantic import BeforeValidator
from starlette.responses import RedirectResponse, Response

from headsup.common.checks import ascii_number
from headsup.common.errors import UserError


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
