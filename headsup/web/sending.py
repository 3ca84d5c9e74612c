"""What a browser or a program sends: forms and their fields, numbers, and where one goes after."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from pydantic import BeforeValidator
from starlette.responses import RedirectResponse, Response

from headsup.common.checks import ascii_number
from headsup.common.errors import UserError


async def sent(request: Request) -> dict[str, str]:
    """The fields of a form that was sent."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=60))
    except ValueError:
        raise UserError("the form cannot be read: send its fields url-encoded, 60 at most") from None


def _digits(value: Any) -> Any:
    return ascii_number(value) if isinstance(value, str) else value


Whole = Annotated[int, BeforeValidator(_digits)]
"""A whole number of an address or a body, read as the options of the command line are."""
Number = Annotated[float, BeforeValidator(_digits)]
"""The same of any number."""
Sent = Annotated[dict[str, str], Depends(sent)]


def redirected(request: Request, path: str) -> Response:
    """Go to another page: htmx is told so, a plain form is sent there."""
    if request.headers.get("hx-request") == "true":
        return Response(status_code=204, headers={"hx-redirect": path})
    return RedirectResponse(path, 303)
