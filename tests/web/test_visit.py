"""Agents at other servers: our own, which speaks as Slumbot does, and one that follows GTO Wizard's client."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

import pytest

from headsup.cards.cards import cards_name
from headsup.cli import main
from headsup.common.errors import DataError, UserError
from headsup.play.protocols import visit as module
from headsup.play.protocols.visit import GtoWizard, HandState, Slumbot, read_moves, visit
from headsup.play.table.agent import make_agent
from headsup.play.table.dice import SECOND, Dice
from headsup.play.table.rules import CALLS, FOLDS, Action, TableHand, raise_to, table
from headsup.version import __version__
from headsup.web.api_play import read_incr

THERE, KEY = table("holdem-nolimit", 200), "key-of-a-test"
STREETS = ("preflop", "flop", "turn", "river")


class Benchmark(BaseHTTPRequestHandler):
    """GTO Wizard's benchmark, with `random` in its place; it is busy before every tenth answer."""

    hands: ClassVar[dict[int, tuple[TableHand, int, Any]]] = {}
    asked: ClassVar[list[int]] = [0]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked[0] += 1
        if self.headers["x-api-key"] != KEY:
            return self._send(401, {"detail": "no such key"})
        if self.asked[0] % 10 == 0:
            return self._send(503, {"detail": "busy"})
        parts = self.path.strip("/").split("/")
        if parts == ["hands"] and body == {"game_name": "HUNL 200BB"}:
            number = len(self.hands) + 1
            agent = make_agent("random", THERE)
            agent.dice = Dice(3, number, SECOND)
            self.hands[number] = THERE.hand(THERE.deal_number(7, number)), number % 2, agent
        else:
            number = int(parts[1])
            hand, ours, _ = self.hands[number]
            assert parts[2] == "act"
            assert hand.player == ours
            text = f"b{body['amount']}" if body["action"] == "b" else body["action"]
            hand.act(read_incr(text, hand.legal))
        hand, ours, agent = self.hands[number]
        while not hand.over and hand.player != ours:
            hand.act(agent.act(hand.view()))
        self._send(200, self._frame(number, hand, ours))

    def _frame(self, number: int, hand: TableHand, ours: int) -> dict[str, Any]:
        history, street = list[str](), 0
        again = THERE.hand(hand.deal)
        for step in hand.steps:
            history += ["_"] * (step.street - street)
            street = step.street
            passive = "c" if again.legal.call else "k"
            history.append({"f": "f", "c": passive}.get(step.action.kind, f"b{step.action.amount}"))
            again.act(step.action)
        history += [] if hand.over else ["_"] * (hand.street - street)
        players = [
            {
                "name": "us" if seat == ours else "GTO Wizard",
                "stack": 0.0,
                "position": ("SB", "BB")[seat],
                "hole_cards": cards_name(hand.holes[seat]) if seat == ours or hand.over else None,
            }
            for seat in (ours, 1 - ours)
        ]
        legal = None if hand.over else hand.legal
        state = {
            "street": STREETS[hand.street],
            "board_cards": cards_name(hand.board),
            "is_hand_over": hand.over,
            "players": players,
            "legal_actions": [],
            "raise_range": {"min": float(legal.low), "max": float(legal.high)} if legal else None,
            "action_history": history,
            "winnings": float(hand.chips[ours]) if hand.over else None,
            "aivat_score": float(hand.chips[ours]) / 10 if hand.over else None,
        }
        game = {"game_id": 1, "game_name": "HUNL 200BB", "starting_stack": 20000.0, "blinds": [100.0, 50.0]}
        return {"hand_id": number, "game": game, "game_state": state}

    def _send(self, status: int, value: dict[str, Any]) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None: ...


@pytest.fixture
def benchmark_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(module, "FIRST_WAIT", 0.01)
    Benchmark.hands.clear()
    Benchmark.asked[0] = 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Benchmark)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()


@pytest.mark.parametrize("agent", ["caller", "random", "allin", "nolimit:blueprint"])
def test_hands_at_a_server_like_slumbot(served: str, agent: str) -> None:
    server = Slumbot(served)
    result = visit(server, agent, 12, seed=2)
    assert result.trouble is None
    last = server.post("/api/new_hand", {"token": server.token}, {})
    ended = server.post("/api/act", {"token": server.token, "incr": "f" if last["legal"]["fold"] else "k"}, {})
    while "winnings" not in ended:
        ended = server.post("/api/act", {"token": server.token, "incr": "f" if ended["legal"]["fold"] else "k"}, {})
    assert ended["session_total"] - ended["winnings"] == sum(result.won)  # the server has counted the same chips
    assert ended["session_num_hands"] == 13


@pytest.mark.parametrize("agent", ["caller", "random", "allin", "nolimit:blueprint"])
def test_hands_at_the_benchmark(benchmark_server: str, agent: str) -> None:
    result = visit(GtoWizard(benchmark_server, KEY), agent, 20, seed=1)
    assert result.trouble is None
    chips = [hand.chips[ours] for hand, ours, _ in Benchmark.hands.values()]
    assert result.won == chips
    assert result.reduced == [won / 10 for won in chips]
    summary = result.summary()
    assert summary["mean_bb"] == pytest.approx(sum(chips) / 20 / 100)
    assert summary["aivat_mean_bb"] == pytest.approx(sum(chips) / 20 / 1000)


def test_command_prints_the_result_and_takes_key_and_address_from_the_environment(
    benchmark_server: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSUP_GTOWIZARD_ADDRESS", benchmark_server)
    monkeypatch.setenv("HEADSUP_GTOWIZARD_KEY", KEY)
    assert main(["visit", "gtowizard", "caller", "--hands", "5", "--json"]) == 0
    out = capsys.readouterr().out
    assert json.loads(out)["hands"] == 5
    assert KEY not in out
    assert main(["visit", "gtowizard", "caller", "--hands", "5"]) == 0
    assert "bb/hand (AIVAT)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gtowizard", "caller"], "needs a key"),
        (["gtowizard", "caller", "--key", "x", "--address", "http://example.org"], "unencrypted"),
        (["slumbot", "caller", "--address", "ftp://x"], "not the address of a server"),
        (["slumbot", "caller", "--address", "http://127.0.0.1:abc"], "not the address of a server"),
        (["slumbot", "caller", "--address", "http://127.0.0.1:99999"], "not the address of a server"),
        (["slumbot", "caller", "--address", "http://[::1"], "not the address of a server"),
        (["slumbot", "caller", "--address", "http://a b"], "not the address of a server"),
        (["slumbot", "caller", "--address", "https://x/api?version=2"], "not the address of a server"),
        (["slumbot", "caller", "--address", "https://.."], "does not answer"),
        (["slumbot", "caller", "--address", "http://127.0.0.1:9"], "does not answer"),
        (["gtowizard", "--key", "x", "nobody", "--address", "http://127.0.0.1:9"], "'nobody' is not an agent"),
        (["slumbot", "--key", "x", "--address", "http://127.0.0.1:9", "nobody"], "'nobody' is not an agent"),
        (["slumbot", "nobody", "--address", "http://127.0.0.1:9"], "is not an agent"),
        (["slumbot", "caller", "--hands", "0", "--address", "http://127.0.0.1:9"], "the number of hands"),
    ],
)
def test_mistakes_get_one_sentence(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["visit", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("words", [["caller", "more"], ["--bogus", "caller"]])
def test_further_words_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["visit", "slumbot", "--hands", "1", *words])
    assert f"unrecognized arguments: {' '.join(words).removeprefix('caller ')}" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["sécret", "secret\nx", "secret key", "secret\u2028"])
def test_key_that_no_header_can_hold_is_refused_and_not_repeated(
    key: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSUP_GTOWIZARD_KEY", key)
    assert main(["visit", "gtowizard", "caller", "--address", "http://127.0.0.1:9"]) == 2
    error = capsys.readouterr().err
    assert "a key is ASCII letters" in error
    assert "cret" not in error


def test_servers_do_not_share_variables(
    served: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSUP_GTOWIZARD_ADDRESS", "http://127.0.0.1:9")
    monkeypatch.setenv("HEADSUP_GTOWIZARD_KEY", "no token of Slumbot's")
    assert main(["visit", "slumbot", "--address", served, "caller", "--hands", "1"]) == 0
    assert "caller at slumbot" in capsys.readouterr().out


@contextmanager
def answering(answer: Callable[[BaseHTTPRequestHandler], None]) -> Iterator[str]:
    """The address of a server that answers every request alike."""

    class Server(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"] or 0))
            answer(self)

        do_GET = do_POST

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_key_is_not_sent_on_by_a_redirect(status: int) -> None:
    keys = list[str | None]()

    def steals(request: BaseHTTPRequestHandler) -> None:
        keys.append(request.headers["x-api-key"])
        request.send_response(500)
        request.end_headers()

    with answering(steals) as other:

        def redirects(request: BaseHTTPRequestHandler) -> None:
            request.send_response(status)
            request.send_header("location", other)
            request.end_headers()

        with answering(redirects) as address, pytest.raises(UserError, match=f"redirects to {other}, which is not"):
            visit(GtoWizard(address, KEY), "caller", 1)
    assert not keys


@pytest.mark.parametrize("answer", [b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx"])
def test_server_that_does_not_speak_http(answer: bytes) -> None:
    def speaks(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(answer)

    with answering(speaks) as address, pytest.raises(UserError, match="does not answer as HTTP servers do"):
        visit(GtoWizard(address, KEY), "caller", 1)


def test_path_of_an_address_is_kept() -> None:
    assert GtoWizard("https://host/poker/v2/", KEY).address == "https://host/poker/v2"
    assert Slumbot("https://host/api").address == Slumbot("host").address == "https://host"
    paths = list[str]()

    def refuses(request: BaseHTTPRequestHandler) -> None:
        paths.append(request.path)
        request.send_response(404)
        request.end_headers()

    with answering(refuses) as address:
        for server in (GtoWizard(f"{address}/v2", KEY), Slumbot(f"{address}/poker/api/")):
            with pytest.raises(UserError, match="404"):
                visit(server, "caller", 1)
    assert paths == ["/v2/hands", "/poker/api/new_hand"]


def test_key_for_this_machine_does_not_go_to_a_proxy(benchmark_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    assert len(visit(GtoWizard(benchmark_server, KEY), "caller", 1).won) == 1


def test_wrong_key_is_refused_and_not_repeated(benchmark_server: str) -> None:
    with pytest.raises(UserError, match="wants a valid key") as caught:
        visit(GtoWizard(benchmark_server, "wrong-key"), "caller", 3)
    assert "wrong-key" not in str(caught.value)


def test_a_server_that_forbids_says_why_and_the_key_is_left_out() -> None:
    agents = []

    def forbids(request: BaseHTTPRequestHandler) -> None:
        agents.append(request.headers["user-agent"])
        text = f"error code: 1010 for {KEY}".encode()
        request.send_response(403)
        request.send_header("content-length", str(len(text)))
        request.end_headers()
        request.wfile.write(text)

    with (
        answering(forbids) as address,
        pytest.raises(UserError, match=r"\(403\): error code: 1010 for \.\.\.") as caught,
    ):
        visit(GtoWizard(address, KEY), "caller", 1)
    assert "if it wants a key, give it with --key" in str(caught.value)
    assert agents == [f"headsup/{__version__}"]


def test_result_so_far_is_kept_if_the_server_fails(benchmark_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server = GtoWizard(benchmark_server, KEY)
    deal = server.deal

    def fails() -> HandState:
        if len(Benchmark.hands) == 4:
            raise UserError("the server is gone")
        return deal()

    monkeypatch.setattr(server, "deal", fails)
    result = visit(server, "caller", 9)
    assert len(result.won) == 4
    assert str(result.trouble) == "the server is gone"


def test_lines_of_moves() -> None:
    assert read_moves("b200c/kk/kb300c/") == (raise_to(200), CALLS, CALLS, CALLS, CALLS, raise_to(300), CALLS)
    assert read_moves("b275.0c_kf") == (raise_to(275), CALLS, CALLS, FOLDS)
    with pytest.raises(DataError, match="not a line of moves"):
        read_moves("x200")


@pytest.mark.parametrize(
    ("seat", "board", "moves"),
    [
        (0, (), (Action("c"),)),  # the big blind's turn
        (1, (), (Action("r", 150),)),  # less than the smallest raise
        (1, (1, 2), (Action("c"), Action("c"))),  # two cards on a flop
        (0, (), (Action("f"), Action("c"))),  # the hand is over
    ],
)
def test_states_that_cannot_be(seat: int, board: tuple[int, ...], moves: tuple[Action, ...]) -> None:
    with pytest.raises(DataError, match="the server"):
        HandState(seat, (50, 51), board, moves, None).view(THERE)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "nonsense",
        "[" * 100_000,
        '{"client_pos": 1}',
        '{"client_pos": Infinity}',
        '{"error_msg": "token expired"}',
    ],
)
def test_anything_else_that_a_server_may_answer(text: str) -> None:
    def answers(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.end_headers()
        request.wfile.write(text.encode())

    with answering(answers) as address, pytest.raises(UserError, match=r"check the address|token expired"):
        visit(Slumbot(address), "caller", 1)
