"""Answers that are given again: the same bytes, for the same question, and never one that was not final."""

from __future__ import annotations

import pytest

from headsup.web import answers
from headsup.web.answers import FOREVER, Kept, is_pure
from headsup.web.charts.grid import Bar, Cell, buttons, still
from tests.web.conftest import TestClient


class Counting:
    """An application that answers with how often it was asked."""

    def __init__(self, status: int = 200, **headers: str) -> None:
        self.asked, self.status, self.headers = 0, status, headers

    async def __call__(self, scope, receive, send) -> None:
        self.asked += 1
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in self.headers.items()]
        await send({"type": "http.response.start", "status": self.status, "headers": raw})
        await send({"type": "http.response.body", "body": b"answer ", "more_body": True})
        await send({"type": "http.response.body", "body": str(self.asked).encode()})


def test_the_second_who_asks_gets_the_first_ones_bytes() -> None:
    app = Counting(vary="HX-Request")
    client = TestClient(Kept(app))
    first, second = client.get("/jamfold?stack=8"), client.get("/jamfold?stack=8")
    assert (first.text, second.text, app.asked) == ("answer 1", "answer 1", 1)
    assert first.headers["etag"] == second.headers["etag"]
    assert second.headers["vary"] == "HX-Request"
    same = client.get("/jamfold?stack=8", headers={"if-none-match": first.headers["etag"]})
    assert (same.status_code, same.text) == (304, "")
    assert client.get("/jamfold?stack=8", headers={"if-none-match": '"other"'}).text == "answer 1"


def test_an_answer_that_never_changes_is_kept_wherever_it_is() -> None:
    client = TestClient(Kept(Counting(cache_control=FOREVER)))
    first, second = (client.get("/study/0123456789ab?stamp=1") for _ in range(2))
    assert (first.text, second.text) == ("answer 1", "answer 1")
    assert second.headers["cache-control"] == FOREVER
    assert client.get("/study/0123456789ab?stamp=2").text == "answer 2"


def test_other_questions_have_other_answers() -> None:
    app = Counting()
    client = TestClient(Kept(app))
    for number, (path, headers) in enumerate(
        [
            ("/jamfold?stack=8", {}),
            ("/jamfold?stack=9", {}),
            ("/jamfold?stack=8", {"hx-request": "true"}),
            ("/jamfold?stack=8", {"hx-request": "true", "hx-history-restore-request": "true"}),
            ("/jamfold?stack=8", {"accept-encoding": "identity"}),
            ("/api/jamfold?stack=8", {}),
        ],
        1,
    ):
        assert client.get(path, headers=headers).text == f"answer {number}"
    assert client.get("/jamfold?stack=9").text == "answer 2"


@pytest.mark.parametrize(
    ("app", "path", "method"),
    [
        (Counting(status=400), "/jamfold", "GET"),
        (Counting(cache_control="no-store"), "/jamfold", "GET"),
        (Counting(), "/study/0123456789ab", "GET"),
        (Counting(), "/jamfolder", "GET"),
        (Counting(), "/rules", "POST"),
    ],
    ids=["a mistake", "not final", "not of the address alone", "another address", "a change"],
)
def test_what_is_not_kept(app: Counting, path: str, method: str) -> None:
    client = TestClient(Kept(app))
    assert [client.request(method, path).text for _ in range(2)] == ["answer 1", "answer 2"]


def test_the_oldest_go_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST", 20)  # bytes: two answers of eight
    layer = Kept(Counting())
    client = TestClient(layer)
    for stack in (1, 2, 1, 3):
        client.get(f"/jamfold?stack={stack}")
    assert [key[1] for key in layer.answers] == [b"stack=1", b"stack=3"]
    assert layer.bytes == sum(len(one.body) for one in layer.answers.values()) <= 20
    monkeypatch.setattr(answers, "MOST_EACH", 4)
    client.get("/jamfold?stack=4")
    assert [key[1] for key in layer.answers] == [b"stack=1", b"stack=3"]


def test_the_page_is_the_same_a_second_time(client: TestClient) -> None:
    for path in ("/jamfold?stack=7.5", "/api/jamfold?stack=7.5&hand=K7o"):
        first, second = client.get(path), client.get(path)
        assert is_pure(path.partition("?")[0])
        assert first.content == second.content
        assert first.headers == second.headers


def test_a_chart_escapes_what_it_shows() -> None:
    cell = Cell("A<s", '"1"', "a & b", (Bar("jam", strength=0.5),))
    for drawn in (buttons([cell], 'the "chart"', "sb", "A<s"), still([cell], 'the "chart"')):
        assert "A&lt;s" in drawn
        assert "a &amp; b" in drawn
        assert 'aria-label="the &quot;chart&quot;"' in drawn
        assert 'fill-opacity="0.5"' in drawn
    assert 'class="chosen"' in buttons([cell], "", "sb", "A<s")
