"""Spots solved by a server: started, found again, resumed, fetched; what goes wrong is one sentence."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from headsup.cli import main
from headsup.common.errors import DataError, UserError
from headsup.games.holdem.spot import Spot
from headsup.spots import remote as module
from headsup.spots.remote import SolvingServer, solve_remote
from headsup.spots.solve import SpotSolution, solve_spot

SPOT = Spot("Td9d6hQc2s", "AA,KQs,76s", "KK,QJs,A5s", 20, 30, "a")
WORDS = ["--board", SPOT.board, "--oop", SPOT.oop, "--ip", SPOT.ip, "--pot", "20", "--stack", "30", "--bets", "a"]
TOKEN = "a1b2c3d4e5f6a7b8"


@pytest.mark.parametrize(
    ("text", "given", "url", "token"),
    [
        ("http://host:8000/?token=abcd", "", "http://host:8000", "abcd"),
        ("http://host:8000/?token=abcd", "efgh", "http://host:8000", "efgh"),
        ("host:8000", "", "http://host:8000", ""),
        ("https://solver.example/study", TOKEN, "https://solver.example", TOKEN),
        ("http://[::1]:80", "", "http://[::1]:80", ""),
    ],
)
def test_addresses_as_the_server_prints_them(text: str, given: str, url: str, token: str) -> None:
    assert SolvingServer.parse(text, given) == (found := SolvingServer(url, token))
    assert found.is_open == (url == "http://host:8000")


@pytest.mark.parametrize("text", ["ftp://host", "http://", "http://user@host", "file:///etc/passwd", "://", ""])
def test_what_is_not_an_address(text: str) -> None:
    with pytest.raises(UserError, match="is not the address of a server"):
        SolvingServer.parse(text)


def test_a_spot_is_solved_there_and_fetched(
    served: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSUP_CACHE", str(tmp_path / "cache"))
    saved = tmp_path / "there.sol"
    assert main(["spot", *WORDS, "--remote", served, "--save", str(saved), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["state"] == "done"
    found = SpotSolution.load(saved, regrets=False)
    assert found.spot == SPOT
    assert found.exploitability_pot == pytest.approx(answer["exploitability_pot"])
    assert found.value_oop == pytest.approx(solve_spot(SPOT, 0.005, threads=1).value_oop, abs=0.2)
    assert not list((tmp_path / "cache" / "remote").glob("*.json"))  # a finished job is not remembered


@pytest.mark.long
def test_an_omaha_spot_is_solved_by_a_server(served: str, tmp_path: Path) -> None:
    spot = Spot("As8d7c3hQs", "AAKQ,QQ88", "A2KK,7733", 60, 200, "pot", variant="omaha8", betting="no-limit")
    server, saved = SolvingServer.parse(served), tmp_path / "spot.sol"
    answer = solve_remote(spot, server, records=tmp_path, target=0.01, save=saved)
    here = solve_spot(spot, 0.01)
    assert SpotSolution.load(saved).spot == spot
    assert answer["summary"]["value_oop"] == pytest.approx(here.value_oop, abs=0.02 * spot.pot)
    page = urlopen(f"{served}/study/{answer['id']}").read().decode()
    assert "Omaha Hi-Lo" in page
    assert "headsup look FILE" in page
    with pytest.raises(UserError, match=r"refuses the request \(400\)"):
        server.ask(f"/study/{answer['id']}/chart.svg")


class Fake(BaseHTTPRequestHandler):
    """A server that answers from a script: one entry a question, the last one again and again."""

    script: list[Any] = []  # noqa: RUF012
    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("content-length", "0")))
        self._answer()

    def _answer(self) -> None:
        Fake.asked.append(f"{self.command} {self.path} {self.headers.get('authorization', '')}".strip())
        status, body = Fake.script.pop(0) if len(Fake.script) > 1 else Fake.script[0]
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(content)))
        if 300 <= status < 400:
            self.send_header("location", "/elsewhere")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *unused: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(module, "EVERY", 0.01)
    monkeypatch.setattr(module, "GONE", 0.5)
    server = HTTPServer(("127.0.0.1", 0), Fake)
    Fake.asked = []
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def state(name: str, **more: Any) -> tuple[int, dict[str, Any]]:
    return 200, {"id": "abc123", "state": name, "solved": name == "done", "spot": SPOT.text(), "progress": [], **more}


def test_a_killed_process_is_resumed(fake: str, tmp_path: Path) -> None:
    Fake.script = [state("running"), state("running"), state("lost"), state("running"), state("done")]
    heard: list[str] = []
    answer = solve_remote(SPOT, SolvingServer(fake, TOKEN), records=tmp_path, say=heard.append)
    assert answer["state"] == "done"
    assert f"POST /api/spots/abc123/go-on Bearer {TOKEN}" in Fake.asked
    assert "resumed" in heard[0]


def test_an_unfinished_job_is_found_again(fake: str, tmp_path: Path) -> None:
    Fake.script = [state("running"), (500, b"x")]
    with pytest.raises(UserError, match="internal error"):
        solve_remote(SPOT, SolvingServer(fake), records=tmp_path)
    Fake.script, Fake.asked = [state("running"), state("done")], []
    heard: list[str] = []
    assert solve_remote(SPOT, SolvingServer(fake), records=tmp_path, say=heard.append)["state"] == "done"
    assert not any(question.startswith("POST") for question in Fake.asked)
    assert heard == [f"continuing with job abc123 of {fake}"]
    Fake.script, Fake.asked = [state("running"), state("done")], []
    solve_remote(SPOT, SolvingServer(fake), records=tmp_path)
    assert Fake.asked[0] == "POST /api/spots"  # the next run is a new job


def test_the_solution_is_fetched_while_the_page_is_prepared(fake: str, tmp_path: Path) -> None:
    Fake.script = [state("running"), state("running"), state("running", solved=True, message="Solved; preparing.")]
    assert solve_remote(SPOT, SolvingServer(fake), records=tmp_path)["state"] == "done"


def test_a_server_that_restarts_is_waited_for(fake: str, tmp_path: Path) -> None:
    Fake.script = [state("running"), (503, b""), (502, b"<html>"), state("running"), state("done")]
    heard: list[str] = []
    assert solve_remote(SPOT, SolvingServer(fake), records=tmp_path, say=heard.append)["state"] == "done"
    assert "trying again" in heard[0]


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ([(401, {"error": "a token is required"})], "wants its token"),
        ([(400, {"error": "this needs 90 GB"})], "this needs 90 GB"),
        ([(404, b"nothing")], "refuses the request"),
        ([(200, b"<html>")], "something else than headsup serve"),
        ([(200, b"[1]")], "something else than headsup serve"),
        ([(200, {"id": "../x"})], "something else than headsup serve"),
        ([state("running"), state("failed", message="no memory")], "no memory"),
        ([(200, {"id": "abc", "spot": "board: 2c3c4c"})], "understands the spot differently"),
    ],
)
def test_what_servers_answer_ends_in_a_sentence(fake: str, tmp_path: Path, script: list[Any], why: str) -> None:
    Fake.script = list(script)
    with pytest.raises((UserError, DataError), match=why) as error:
        solve_remote(SPOT, SolvingServer(fake), records=tmp_path)
    assert len(str(error.value).splitlines()) == 1


def test_a_token_is_not_sent_on_by_a_redirect(fake: str, tmp_path: Path) -> None:
    Fake.script = [(302, b"")]
    with pytest.raises(UserError, match="redirects to /elsewhere, which is not followed"):
        solve_remote(SPOT, SolvingServer(fake, TOKEN), records=tmp_path)
    with pytest.raises(UserError, match="redirects to /elsewhere, which is not followed"):
        SolvingServer(fake, TOKEN).download("/study/abc/solution", tmp_path / "saved")
    assert [asked.split()[1] for asked in Fake.asked] == ["/api/spots", "/study/abc/solution"]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--remote", "http://127.0.0.1:9", "--threads", "2"], "is for solving on this machine"),
        (["--token", TOKEN], "add --remote URL"),
        (["--remote", "nowhere://x"], "is not the address of a server"),
        (["--remote", "http://127.0.0.1:9", "--token", "ä"], "a token is letters and digits"),
        (["--remote", "http://127.0.0.1:9"], "does not answer"),
    ],
)
def test_wrong_options_are_one_sentence(
    words: list[str], why: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HEADSUP_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "GONE", 0.0)
    assert main(["spot", *WORDS, *words]) == 2
    assert why in capsys.readouterr().err.splitlines()[-1]
