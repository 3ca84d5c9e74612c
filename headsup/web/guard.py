"""Who may ask, how much may be sent, and what a browser may load: one layer around the whole application.

- A server for this machine alone answers only to its own names, so that no other site can lead a browser here by a name
  that it points at 127.0.0.1. A server for others asks for a token: in the address once, then in a cookie, or as
  `Authorization: Bearer`.
- What changes something (POST, DELETE) must come from a page of this server, if it comes from a browser.
- Bodies and addresses are limited before anything reads them.
- Every answer says that nothing but the server's own files may run, style or load.
- HEAD is answered as GET, without the body.
- A fault of the server is answered with one sentence, too, and raised again, so that the server logs it.
"""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headsup.web.render import told

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
MOST_BODY = 256 * 1024
"""Bytes: two ranges with a weight for every hand are a tenth of it."""
MOST_ADDRESS = 48 * 1024
"""Bytes: two such ranges fit, with four decimals each."""
FAULT = "The server failed to answer this: its log has the details. What was kept before is as it was."
COOKIE = "headsup-token"
LOCAL = ("localhost", "127.0.0.1", "[::1]", "testserver")


class Guard:
    """The layer: everything that is asked and answered passes through it."""

    def __init__(self, app: ASGIApp, token: str | None = None) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or say why not."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        bare = scope["method"] == "HEAD"
        if bare:
            scope = {**scope, "method": "GET"}

        begun = False

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-cache")
            elif bare and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            answer = refusal if isinstance(refusal, Response) else _no(scope, *refusal)
            await answer(scope, receive, with_headers)
            return
        try:
            await self.app(scope, _limited(receive), with_headers)
        except Exception:
            if not begun:
                await told(Request(scope), 500, FAULT)(scope, receive, with_headers)
            raise

    def _refusal(self, scope: Scope) -> Response | tuple[int, str] | None:
        """Why a request is not let in, if it is not."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > MOST_ADDRESS:
            return (414, f"the address is longer than {MOST_ADDRESS:,} characters: shorten the ranges in it")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:12]) > MOST_BODY:
            return (413, f"that is more than {MOST_BODY:,} bytes: send less at a time")
        if self.token is None:
            if _name(host) not in LOCAL:
                return (403, "this server is for its own machine: open it as localhost, or serve it with a token")
        elif not self._known(scope, headers):
            return self._admitted(scope) or (401, "a token is needed: open the address that headsup serve printed")
        if scope["method"] not in ("GET", "OPTIONS") and not _same_origin(headers, host):
            return (403, "a page of another site asked for this: open headsup itself")
        return None

    def _right(self, given: str) -> bool:
        return self.token is not None and hmac.compare_digest(given.encode(), self.token.encode())

    def _known(self, scope: Scope, headers: Headers) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        if kind.lower() == "bearer" and self._right(given.strip()):
            return True
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and self._right(cookie.value)

    def _admitted(self, scope: Scope) -> Response | None:
        """Whoever has the token in the address gets it as a cookie, and an address without it."""
        words = parse_qs(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = words.pop("token", [""])[0]
        if scope["method"] != "GET" or not self._right(given):
            return None
        rest = urlencode(words, doseq=True)
        path = "/" + scope["path"].lstrip("/\\")
        answer = RedirectResponse(path + (f"?{rest}" if rest else ""), 303)
        answer.set_cookie(COOKIE, given, httponly=True, samesite="strict", max_age=30 * 86400)
        return answer


def _name(host: str) -> str:
    """The host without its port."""
    return host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and not host.endswith("]") else host


def _same_origin(headers: Headers, host: str) -> bool:
    """Whether a change is asked for by our own page, or by no browser at all."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == host


def _no(scope: Scope, status: int, why: str) -> Response:
    """The sentence: within the page for a browser, as JSON for a program, and for whom no page would be styled."""
    headers = Headers(scope=scope)
    if headers.get("hx-request") == "true" or (status > 403 and "text/html" in headers.get("accept", "")):
        return told(Request(scope), status, why)
    return JSONResponse({"error": why}, status)


def _limited(receive: Receive) -> Receive:
    """The same body, cut off with an error where it grows beyond the limit without having said so."""
    seen = 0

    async def read() -> Message:
        nonlocal seen
        message = await receive()
        if message["type"] == "http.request":
            seen += len(message.get("body", b""))
            if seen > MOST_BODY:
                return {"type": "http.disconnect"}
        return message

    return read
