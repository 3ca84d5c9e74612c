"""Who may ask, how much may be sent, and what is refused."""

from __future__ import annotations

import socket
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from starlette.types import Message

from headsup.common.errors import UserError
from headsup.web.app import make_app
from headsup.web.guard import FAULT, MOST_ADDRESS, MOST_BODY, POLICY
from headsup.web.server import _listen, is_local, serve

TOKEN = "abcdefgh12345678"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[TestClient]:
    with TestClient(make_app(token=TOKEN, work=tmp_path), follow_redirects=False) as one:
        yield one


def test_a_server_for_others_asks_for_the_token(guarded: TestClient) -> None:
    assert guarded.get("/jamfold").status_code == 401
    assert guarded.get("/api/range?text=AA").status_code == 401
    assert guarded.get("/static/style.css").status_code == 401
    assert guarded.get("/jamfold?token=wrong").status_code == 401
    bearer = {"authorization": f"Bearer {TOKEN}"}
    assert guarded.get("/api/range?text=AA", headers=bearer).json()["combos"] == 6
    sent = guarded.get(f"/jamfold?stack=8&token={TOKEN}")
    assert (sent.status_code, sent.headers["location"]) == (303, "/jamfold?stack=8")
    assert "httponly" in sent.headers["set-cookie"].lower()
    assert "samesite=strict" in sent.headers["set-cookie"].lower()
    assert guarded.get("/api/range?text=AA").json()["combos"] == 6  # by the cookie


def test_the_token_does_not_lead_to_another_site(guarded: TestClient) -> None:
    sent = guarded.get(f"//evil.example/x?token={TOKEN}")
    assert sent.status_code in (303, 401, 404)
    assert not sent.headers.get("location", "").startswith("//")


def test_a_local_server_answers_to_its_own_names_only(client: TestClient) -> None:
    for host in ("evil.example", "evil.example:8000", "127.0.0.1.evil.example"):
        assert client.get("/jamfold", headers={"host": host}).status_code == 403
    for host in ("localhost:8000", "127.0.0.1:8123", "[::1]:8000", "[::1]"):
        assert client.get("/static/style.css", headers={"host": host}).status_code == 200


def test_changes_come_from_our_own_pages(client: TestClient) -> None:
    body = {"text": "AA", "set": {"KK": 1.0}}
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "http://evil.example"}, {"origin": "null"}):
        assert client.post("/api/range/paint", json=body, headers=headers).status_code == 403
    for headers in ({}, {"sec-fetch-site": "same-origin"}, {"origin": "http://testserver"}):
        assert client.post("/api/range/paint", json=body, headers=headers).json()["text"] == "KK+"


HEADERS = ("origin", "host", "referer", "cookie", "content-length", "content-type", "authorization", "hx-request")
ODD = (
    *(b"", b"[", b"http://[", b"http://[::1", b"://", b"null", b"\xff\xfe", b"localhost:\xb2", b"[::1]:80:80", b"=;;"),
    *(b'headsup-token="\\777"', b"-1", b"\xb2", b"9" * 20, b"application/json; charset=\xff", b"a" * 5000),
)


@pytest.mark.parametrize("name", HEADERS)
def test_no_header_is_a_fault_of_ours(client: TestClient, guarded: TestClient, name: str) -> None:
    known = {"authorization": f"Bearer {TOKEN}"}
    for value in ODD:
        for one, base in ((client, {}), (guarded, known), (guarded, {})):
            headers = {**base, name: value}
            answers = [one.post("/api/range/paint", content=b"{}", headers=headers)]
            if one is client or base:  # a guard that knows no token answers every address alike
                answers.append(one.post("/hands", content=b"text=%ff", headers=headers))
                answers.append(one.get("/equity?a=AhKh&b=AhKh", headers=headers))
            for answer in answers:
                assert 200 <= answer.status_code < 500, (value, answer.text)


def test_an_address_that_is_no_text_is_a_mistake(client: TestClient) -> None:
    sent = list[Message]()

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def send(message: Message) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": "/equity", "query_string": b"a=\xff&b=QQ"}
    client.portal.call(client.app, scope | {"headers": [(b"host", b"localhost")]}, receive, send)  # type: ignore[union-attr]
    assert sent[0]["status"] == 400


@pytest.mark.parametrize("path", ["/", "/jamfold", "/study", "/api/range?text=AA", "/static/style.css"])
def test_head_is_answered_as_get_without_the_body(client: TestClient, path: str) -> None:
    for headers in ({}, {"accept-encoding": "identity"}):
        head, get = (one(path, headers=headers, follow_redirects=False) for one in (client.head, client.get))
        assert (head.status_code, head.content) == (get.status_code, b"")
        assert head.headers == get.headers
    assert client.head("/api/range/paint").status_code == 405
    assert client.head("/nowhere").status_code == 404


def test_what_is_too_long_is_refused(client: TestClient) -> None:
    assert client.get("/api/range", params={"text": "A" * (MOST_ADDRESS + 100)}).status_code == 414
    assert client.get("/api/range", params={"text": "A" * (20_001)}).status_code == 422
    assert client.post("/api/range/paint", content=b"x" * (MOST_BODY + 1)).status_code == 413

    def endless() -> Iterator[bytes]:  # a body that does not say how long it is
        for _ in range(2 * MOST_BODY // 65536 + 1):
            yield b" " * 65536

    assert 400 <= client.post("/api/range/paint", content=endless()).status_code < 500


def test_a_refusal_leaves_the_view_of_a_browser_as_it_was(client: TestClient) -> None:
    words = {"a": "A" * MOST_ADDRESS, "b": "KK"}
    part = client.get("/equity", params=words, headers={"hx-request": "true", "hx-target": "view"})
    assert (part.status_code, part.headers["hx-retarget"]) == (414, "#mistake")
    assert 'class="mistake"' in part.text
    assert "<nav" in client.get("/equity", params=words, headers={"accept": "text/html"}).text
    assert "shorten" in client.get("/equity", params=words).json()["error"]


def test_a_fault_of_the_server_is_one_sentence_and_is_logged(tmp_path: Path) -> None:
    app = make_app(work=tmp_path)
    for path in ("/fault", "/api/fault"):
        app.add_api_route(path, _fault)
    with TestClient(app, raise_server_exceptions=False) as client:
        answers = [
            client.get("/api/fault"),
            client.get("/fault"),
            client.get("/fault", headers={"hx-request": "true", "hx-target": "view"}),
            client.get("/fault", headers={"hx-request": "true"}),
        ]
    assert answers[0].json() == {"error": FAULT}
    assert [answer.status_code for answer in answers] == [500] * 4
    assert all(FAULT in answer.text for answer in answers)
    assert all(answer.headers["content-security-policy"] == POLICY for answer in answers)
    assert "<nav" in answers[1].text
    assert [answer.headers.get("hx-retarget") for answer in answers[2:]] == ["#mistake", None]
    with TestClient(app) as client, pytest.raises(ZeroDivisionError):  # for the server's log
        client.get("/fault")


def _fault() -> float:
    return 1 / 0


def test_two_ranges_with_a_weight_for_every_hand_fit_into_an_address(client: TestClient) -> None:
    cards = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    pairs = [one + two for at, one in enumerate(cards) for two in cards[:at]]
    text = ",".join(f"{pair}:0.{1000 + at}" for at, pair in enumerate(pairs))
    assert client.get("/equity/chart.csv", params={"a": text, "b": text, "board": "Ks7d2c3h4s"}).status_code == 200


def test_what_cannot_be_served_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for port, host, token in ((70_000, "127.0.0.1", None), (8000, "no such host", None), (8000, "127.0.0.1", "short")):
        with pytest.raises(UserError):
            serve(port, host, token)


def test_only_loopback_is_local() -> None:
    assert [is_local(host) for host in ("localhost", "127.0.0.1", "::1", "[::1]", "127.9.9.9")] == [True] * 5
    assert [is_local(host) for host in ("0.0.0.0", "::", "192.168.1.2", "example.org", "")] == [False] * 5


def test_the_application_is_made_without_a_warning(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert make_app(work=tmp_path).openapi()["info"]["title"] == "headsup"


def test_answers_are_sent_at_once() -> None:
    """Named so, asyncio switches Nagle's algorithm off; without, every answer came 40 ms late."""
    with _listen("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP
