"""Access, size limits and security headers: one layer around the whole application.

A local server accepts only its own host names, against DNS rebinding; a server for other machines requires a token.
POST and DELETE from a browser must come from a page of this server. Bodies and addresses are limited before anything
reads them. An internal error is answered with one sentence and raised again, so that the server logs it.
"""

import hmac
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headsup.web.render import error_response

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
MOST_BODY = 256 * 1024  # bytes: two ranges with a weight for every hand are a tenth of it
MOST_ADDRESS = 48 * 1024  # bytes: two such ranges fit, with four decimals each
FAULT = "Internal server error: see the log of the server. Saved data is unchanged."
COOKIE = "headsup-token"
LOCAL = ("localhost", "127.0.0.1", "[::1]", "testserver")


class Guard:
    def __init__(self, app: ASGIApp, token: str | None = None) -> None:
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
                await error_response(Request(scope), 500, FAULT)(scope, receive, with_headers)
            raise

    def _refusal(self, scope: Scope) -> Response | tuple[int, str] | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(scope.get("raw_path", b"")) + len(scope["query_string"]) > MOST_ADDRESS:
            return (414, f"the address is longer than {MOST_ADDRESS:,} characters: shorten the ranges in it")
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length[:12]) > MOST_BODY:
            return (413, f"the request is larger than {MOST_BODY:,} bytes: send less at a time")
        if self.token is None:
            if _name(host) not in LOCAL:
                return (403, "this server accepts only local requests: open it as localhost, or serve with a token")
        elif not self._known(scope, headers):
            return self._admitted(scope) or (401, "a token is required: open the address that headsup serve printed")
        if scope["method"] not in ("GET", "OPTIONS") and not _same_origin(headers, host):
            return (403, "this request came from another site: open headsup itself")
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
        """Exchange a token in the address for a cookie."""
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
    return host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() and not host.endswith("]") else host


def _same_origin(headers: Headers, host: str) -> bool:
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    return origin is None or origin.partition("://")[2] == host


def _no(scope: Scope, status: int, why: str) -> Response:
    """An error page for a browser, else JSON."""
    headers = Headers(scope=scope)
    if headers.get("hx-request") == "true" or (status > 403 and "text/html" in headers.get("accept", "")):
        return error_response(Request(scope), status, why)
    return JSONResponse({"error": why}, status)


def _limited(receive: Receive) -> Receive:
    """The body, cut off with an error beyond the limit."""
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
