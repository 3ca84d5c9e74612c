"""Forms that are sent: their fields, and where one goes after."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import parse_qsl

from fastapi import Depends, Request
from starlette.responses import RedirectResponse, Response

from headsup.errors import UserError


async def sent(request: Request) -> dict[str, str]:
    """The fields of a form that was sent."""
    body = (await request.body()).decode("utf-8", "replace")
    try:
        return dict(parse_qsl(body, keep_blank_values=True, max_num_fields=60))
    except ValueError:
        raise UserError("the form cannot be read: send its fields url-encoded, 60 at most") from None


Sent = Annotated[dict[str, str], Depends(sent)]


def redirected(request: Request, path: str) -> Response:
    """Go to another page: htmx is told so, a plain form is sent there."""
    if request.headers.get("hx-request") == "true":
        return Response(status_code=204, headers={"hx-redirect": path})
    return RedirectResponse(path, 303)
