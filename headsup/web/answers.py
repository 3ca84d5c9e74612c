"""Answers that depend on their address alone are kept, whole and compressed, and given again.

A slide of the stack, a card, a paper's table are the same for everybody until the server is started anew, so the second
who asks gets the bytes of the first: no thread, no template, no compression. Each has an `ETag`; a browser that has it
already is told so (304). What is not final yet (`cache-control: no-store`) and what went wrong is never kept. An answer
elsewhere is kept if it says that it never changes (`forever`): a browser does not even ask for that again. The answers
that were not asked for longest go when all together are larger than `MOST`.
"""

from __future__ import annotations

from collections import OrderedDict
from hashlib import blake2s
from typing import NamedTuple

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headsup.web.asking import answering

PURE = (
    *("/static", "/jamfold", "/rules", "/papers"),
    *("/api/jamfold", "/api/endgame", "/api/range", "/api/rule", "/api/cards", "/api/flop-formula", "/api/papers"),
)
"""Addresses, with all below them, whose answers follow from the address."""
MOST, MOST_EACH = 32 << 20, 2 << 20
"""Bytes of all answers, and of one."""
ASKED = ("hx-request", "hx-history-restore-request")
"""Headers that an answer may depend on, beside whether it may be compressed."""
FOREVER = "private, max-age=86400, immutable"
Key = tuple[str, bytes, tuple[str | None, ...], bool]


class Answer(NamedTuple):
    """What was sent."""

    headers: list[tuple[bytes, bytes]]
    body: bytes
    tag: str


class Kept:
    """The layer, outside of compression and within the guard."""

    def __init__(self, app: ASGIApp) -> None:
        self.app, self.bytes = app, 0
        self.answers: OrderedDict[Key, Answer] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Give again what is known, else pass the question on and keep the answer."""
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
        """The answer if it is one to keep; one that is not goes out as it comes."""
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
        old = self.answers.pop(key, None)  # two may have asked at once
        self.bytes += len(answer.body) - (len(old.body) if old else 0)
        self.answers[key] = answer
        while self.bytes > MOST:
            self.bytes -= len(self.answers.popitem(last=False)[1].body)


def is_pure(path: str) -> bool:
    """Whether answers at a path follow from the address."""
    return any(path == one or path.startswith(f"{one}/") for one in PURE)


def forever(answer: Response) -> None:
    """Say of an answer that it never changes: its address has a word that would."""
    answer.headers["cache-control"] = FOREVER


def _final(path: str, start: Message) -> bool:
    says = Headers(raw=start["headers"]).get("cache-control")
    return bool(start["status"] == 200 and (says == FOREVER or (is_pure(path) and says != "no-store")))
