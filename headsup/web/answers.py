"""A cache for responses that depend on their address alone, stored compressed, with an `ETag`.

Responses are cached if they are marked as immutable (`forever`); errors and `cache-control: no-store` never are. The
least recently used ones go when all exceed `MOST` bytes.
"""

from collections import OrderedDict
from hashlib import blake2s
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headsup.web.asking import answering

PURE = (
    *("/static", "/jamfold", "/preflop", "/rules", "/papers"),
    *("/api/jamfold", "/api/preflop", "/api/endgame", "/api/range", "/api/rule", "/api/cards"),
    *("/api/flop-formula", "/api/papers"),
)
"""Address prefixes whose responses depend on the address alone."""
MOST, MOST_EACH = 32 << 20, 2 << 20  # bytes of all answers, and of one
ASKED = ("hx-request", "hx-history-restore-request")  # headers that a response may depend on, besides compression
FOREVER = "private, max-age=86400, immutable"
Key = tuple[str, bytes, tuple[str | None, ...], bool]


class Answer(NamedTuple):
    headers: list[tuple[bytes, bytes]]
    body: bytes
    tag: str


class Kept:
    def __init__(self, app: ASGIApp) -> None:
        self.app, self.bytes = app, 0
        self.answers: OrderedDict[Key, Answer] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "GET":
            await self.app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        words = tuple(asked.get(name) for name in ASKED)
        key: Key = (scope["path"], scope["query_string"], words, "gzip" in asked.get("accept-encoding", ""))
        known = self.answers.get(key)
        if known is None:
            with answering():
                known = await self._ask(key, scope, receive, send)
        else:
            self.answers.move_to_end(key)
        if known is not None:
            same = asked.get("if-none-match") == known.tag
            await send({"type": "http.response.start", "status": 304 if same else 200, "headers": [*known.headers]})
            await send({"type": "http.response.body", "body": b"" if same else known.body})

    async def _ask(self, key: Key, scope: Scope, receive: Receive, send: Send) -> Answer | None:
        start: Message | None = None
        parts: list[bytes] = []

        async def listen(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start" and _final(scope["path"], message):
                start = message
            elif start is None or message["type"] != "http.response.body":
                await send(message)
            else:
                parts.append(message.get("body", b""))

        await self.app(scope, receive, listen)
        if start is None:
            return None
        body, headers = b"".join(parts), MutableHeaders(raw=list(start["headers"]))
        headers["etag"] = tag = f'"{blake2s(body, digest_size=12).hexdigest()}"'
        answer = Answer(headers.raw, body, tag)
        if len(body) <= MOST_EACH:
            self._keep(key, answer)
        return answer

    def _keep(self, key: Key, answer: Answer) -> None:
        old = self.answers.pop(key, None)  # concurrent requests
        self.bytes += len(answer.body) - (len(old.body) if old else 0)
        self.answers[key] = answer
        while self.bytes > MOST:
            self.bytes -= len(self.answers.popitem(last=False)[1].body)


def is_pure(path: str) -> bool:
    return any(path == pure or path.startswith(f"{pure}/") for pure in PURE)


def forever(answer: Response) -> None:
    """Mark a response as immutable: its address changes with its content."""
    answer.headers["cache-control"] = FOREVER


def _final(path: str, start: Message) -> bool:
    says = Headers(raw=start["headers"]).get("cache-control")
    return bool(start["status"] == 200 and (says == FOREVER or (is_pure(path) and says != "no-store")))
