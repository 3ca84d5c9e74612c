"""Matches over real sockets: a client from the specification alone, ours, and slow, dead and hostile ones."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from headsup.cli import main
from headsup.common.errors import UserError
from headsup.play.coach.replay import replay_log
from headsup.play.protocols.acpc.client import play_client
from headsup.play.protocols.acpc.dealer import Dealer
from headsup.play.protocols.acpc.log import competition
from headsup.play.protocols.acpc.text import read_hand, read_state
from headsup.play.protocols.host import Hosted, RemoteResult, TimeLimits
from headsup.play.table.rules import table
from tests.play.protocols.acpc.spec_client import SpecClient
from tests.waiting import PATIENCE

NOLIMIT = competition("holdem-nolimit")
Client = Callable[[socket.socket], None]


def meanwhile(*jobs: Callable[[], object]) -> list[threading.Thread]:
    """Start jobs on threads of their own."""
    threads = [threading.Thread(target=job, daemon=True) for job in jobs]
    for thread in threads:
        thread.start()
    return threads


def spec_match(tmp_path: Path, game: str, hands: int) -> None:
    """Two clients from the specification meet; their accounts, the dealer's and the log's are the same."""
    dealer = Dealer(competition(game), ("acpc:Alice", "acpc:Bob"), hands, seed=3, patience=PATIENCE)
    clients = [SpecClient(port, game == "holdem-limit", seed) for seed, port in enumerate(dealer.ports)]
    threads = meanwhile(*(client.play for client in clients))
    log = tmp_path / "match.log"
    found = dealer.play_logged(log)
    for thread in threads:
        thread.join(PATIENCE)
    assert found.faults == []
    assert [client.hands for client in clients] == [hands, hands]
    assert tuple(client.won for client in clients) == found.chips
    told = replay_log(log)
    assert (told.hands, told.differences) == (hands, 0), told.examples
    assert told.won == dict(zip(("Alice", "Bob"), found.chips, strict=True))
    first = clients[0].states[0].split(":")
    assert first[1] == "0"  # the first player has the big blind first
    assert len(clients[0].states) == len(clients[1].states)  # both hear of every event


@pytest.mark.parametrize("game", ["holdem-limit", "holdem-nolimit"])
def test_a_client_from_the_specification_plays(tmp_path: Path, game: str) -> None:
    spec_match(tmp_path, game, 60)


@pytest.mark.long
@pytest.mark.parametrize("game", ["holdem-limit", "holdem-nolimit"])
def test_a_client_from_the_specification_plays_1000_hands(tmp_path: Path, game: str) -> None:
    spec_match(tmp_path, game, 1000)


def test_our_client_at_our_dealer_plays_what_the_agent_plays_here() -> None:
    here = Dealer(NOLIMIT, ("raiser", "caller"), 40, seed=5).play()
    dealer = Dealer(NOLIMIT, ("acpc:raiser", "acpc:caller"), 40, seed=5, patience=PATIENCE)
    visits: list[RemoteResult] = []
    threads = meanwhile(
        lambda: visits.append(play_client("raiser", NOLIMIT, "127.0.0.1", dealer.ports[0])),
        lambda: play_client("caller", NOLIMIT, "127.0.0.1", dealer.ports[1]),
    )
    found = dealer.play()
    for thread in threads:
        thread.join(PATIENCE)
    assert found.scores == here.scores
    assert visits[0].scores == here.scores
    assert visits[0].summary()["hands"] == 40
    assert found.summary()["faults"] == [0, 0]


# --- clients that do wrong -------------------------------------------------------------------------------------------


def against(client: Client, hands: int = 12, limits: TimeLimits | None = None, hostile: int = 0) -> Hosted:
    """A match between a client of our making and `raiser`, after so many hostile connections."""
    dealer = Dealer(NOLIMIT, ("acpc:bad", "raiser"), hands, seed=1, limits=limits, patience=PATIENCE)

    def run() -> None:
        kept = [pester(dealer.ports[0], kind) for kind in range(hostile)]
        with socket.create_connection(("127.0.0.1", dealer.ports[0])) as connection:
            connection.sendall(b"VERSION:2.0.0\r\n")
            with suppress(OSError):  # the dealer may have closed the connection
                client(connection)
        for one in kept:
            one.close()

    threads = meanwhile(run)
    found = dealer.play()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(found.scores) == hands
    return found


def pester(port: int, kind: int) -> socket.socket:
    """A connection that does not mean well."""
    connection = socket.create_connection(("127.0.0.1", port))
    said = [
        *(b"", b"VERSION:1.0.0\r\n", b"GET / HTTP/1.1\r\n\r\n", b"\xff\xfe\x00\n", b"x" * 5000, b"VERSION:2.0.0"),
        *(b"VERSION:2.0.0.0\r\n", b"MATCHSTATE:0:0::AsKs|:r500\r\n", b"\r\n"),
    ][kind % 9]
    with suppress(OSError):  # it may have been shown the door already
        connection.sendall(said)
        if kind % 4 == 0:
            connection.close()
    return connection


def honest(connection: socket.socket) -> None:
    """Checks and calls until the end."""
    stream = connection.makefile("rw", encoding="ascii", newline="")
    for line in stream:
        if is_turn(line):
            stream.write(f"{line.strip()}:c\r\n")
            stream.flush()


def is_turn(line: str) -> bool:
    """Whether a line asks for an answer of somebody who plays against `raiser`, and never raises."""
    if line.startswith("#"):
        return False
    _, position, _, betting, _ = line.strip().split(":")
    if betting.endswith("f") or "r20000c" in betting:
        return False
    rounds = betting.split("/")
    acted = sum(sign in "fcr" for sign in rounds[-1])
    called = len(rounds) == 4 and acted > 1 and betting.endswith("c")
    return not called and (acted + (1 if len(rounds) == 1 else 0)) % 2 == int(position)


def test_some_hostile_connections_hold_nobody_up() -> None:
    assert against(honest, hands=4, hostile=45).faults == []


@pytest.mark.long
def test_a_thousand_hostile_connections_hold_nobody_up() -> None:
    assert against(honest, hands=20, hostile=1000).faults == []


def kinds(found: Hosted) -> list[str]:
    """What was wrong, hand by hand; only the bad client does wrong."""
    assert all(one["player"] == 0 for one in found.faults)
    return [one["kind"] for one in found.faults]


def answers(text: str) -> Client:
    """A client that answers every turn so."""

    def run(connection: socket.socket) -> None:
        stream = connection.makefile("rw", encoding="ascii", newline="")
        for line in stream:
            if is_turn(line):
                stream.write(text.format(line.strip()))
                stream.flush()

    return run


@pytest.mark.parametrize(
    "text", ["hello\r\n", "{}:x\r\n", "{}:r1\r\n", "{}:r99999\r\n", "{}:\n", "\r\n", "{}:r" + "9" * 50 + "\n"]
)
def test_nonsense_loses_the_hand_and_the_match_goes_on(text: str) -> None:
    found = against(answers(text), hands=4)
    assert kinds(found) == ["illegal"] * 4
    assert found.chips[0] < 0


@pytest.mark.parametrize("ours", [False, True])
def test_who_plays_against_nonsense_hears_only_what_is_valid(ours: bool) -> None:
    """A fold where a check was free is no valid betting: it is told by a comment."""
    dealer = Dealer(NOLIMIT, ("acpc:good", "acpc:bad"), 20, seed=2, patience=PATIENCE)
    good, bad = SpecClient(dealer.ports[0], False, 1), SpecClient(dealer.ports[1], False, 2)
    bad.choose = lambda number, spent, me, *_: "nonsense" if spent[me] == max(spent) else "c"  # type: ignore[method-assign]
    visits: list[RemoteResult] = []
    visit = lambda: visits.append(play_client("caller", NOLIMIT, "127.0.0.1", dealer.ports[0]))  # noqa: E731
    threads = meanwhile(visit if ours else good.play, bad.play)
    found = dealer.play()
    for thread in threads:
        thread.join(PATIENCE)
    assert {one["player"] for one in found.faults} == {1}
    for line in good.states:
        state = read_state(line)
        read_hand(NOLIMIT, state.deal, state.betting)
    assert not ours or visits[0].scores == found.scores


def test_a_silent_client_is_late_and_then_gone() -> None:
    found = against(lambda connection: [None for _ in iter(lambda: connection.recv(4096), b"")] and None, 6,
                    TimeLimits(answer=0.05))  # fmt: skip
    assert kinds(found) == ["slow", "slow", "gone", "gone", "gone", "gone"]


def test_a_late_answer_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, waiting = [0.0], threading.Event()

    def look() -> float:
        """The host looks at the clock first when it begins to wait for an answer."""
        waiting.set()
        return clock[0]

    monkeypatch.setattr("headsup.play.protocols.host.monotonic", look)
    monkeypatch.setattr("headsup.play.protocols.wire.monotonic", lambda: clock[0])

    def once_late(connection: socket.socket) -> None:
        stream = connection.makefile("rw", encoding="ascii", newline="")
        late: list[str] = []
        for line in stream:
            if not is_turn(line):
                continue
            if not late:
                late.append(line.strip())  # answered in the next hand, when it is too late
                assert waiting.wait(PATIENCE)
                clock[0] += 601.0
                stream.write("# a comment\r\n")  # upon which the dealer looks at its clock again
                stream.flush()
                continue
            stream.write(f"{late[0]}:c\r\n# a comment\r\n{line.strip()}:c\r\n")
            stream.flush()

    assert kinds(against(once_late, 5, TimeLimits(average=1000.0))) == ["slow"]


def test_a_client_that_hangs_up_loses_the_rest() -> None:
    def hangs_up(connection: socket.socket) -> None:
        connection.recv(100)

    assert kinds(against(hangs_up, 5)) == ["gone"] * 5


@pytest.mark.parametrize("flood", [b"x" * 200_000, b"# nothing\r\n" * 3000, b"MATCHSTATE:0:0::|:c\r\n" * 3000])
def test_floods_end_the_visit(flood: bytes) -> None:
    def run(connection: socket.socket) -> None:
        connection.sendall(flood)
        while connection.recv(4096):
            pass

    assert kinds(against(run, 4)) == ["gone"] * 4


def test_the_time_of_a_hand_and_of_the_match_run_out() -> None:
    def thinks(connection: socket.socket) -> None:
        stream = connection.makefile("rw", encoding="ascii", newline="")
        for line in stream:
            if is_turn(line):
                time.sleep(0.08)
                stream.write(f"{line.strip()}:c\r\n")
                stream.flush()

    assert set(kinds(against(thinks, 4, TimeLimits(hand=0.1)))) <= {"slow", "gone"}
    found = against(thinks, 20, TimeLimits(average=0.02))
    assert found.faults[0]["text"] == "the time for the match is used up"
    assert kinds(found)[-1] == "gone"


def test_nobody_comes() -> None:
    with pytest.raises(UserError, match=r"Alice did not connect within 0\.1 s"):
        Dealer(NOLIMIT, ("acpc:Alice", "caller"), 5, patience=0.1).play()


@pytest.mark.parametrize(
    ("players", "options", "says"),
    [
        (("acpc", "nobody"), {}, "not an agent"),
        (("acpc", "caller"), {"ports": (1, 2)}, "2 ports for 1 programs"),
        (("acpc", "caller"), {"ports": (70000,)}, "not a port"),
        (("caller", "folder"), {"seed": -1}, "not a seed"),
    ],
)
def test_matches_that_cannot_be(players: tuple[str, str], options: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        Dealer(NOLIMIT, players, 5, **options)
    with pytest.raises(UserError, match="cannot express"):
        Dealer(table("omaha-potlimit"), ("caller", "folder"), 5)


def test_a_dealer_that_talks_nonsense_is_told() -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def deal() -> None:
        connection, _ = listener.accept()
        connection.sendall(b"# welcome\r\nMATCHSTATE:9:9:9\r\n")
        connection.recv(100)

    threads = meanwhile(deal)
    with pytest.raises(UserError, match="the dealer's line cannot be read"):
        play_client("caller", NOLIMIT, "127.0.0.1", listener.getsockname()[1])
    listener.close()
    threads[0].join(PATIENCE)
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        with pytest.raises(UserError, match="nothing listens"):
            play_client("caller", NOLIMIT, "127.0.0.1", bound.getsockname()[1])


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    log = str(tmp_path / "m.log")
    words = ["acpc", "dealer", "acpc:Ann", "caller", "--hands", "10", "--log", log, "--game", "holdem-limit", "--json"]
    statuses: list[int] = []
    printed: Queue[str] = Queue()
    monkeypatch.setattr("headsup.cli.acpc.say", printed.put)
    threads = meanwhile(lambda: statuses.append(main([*words, "--wait", str(PATIENCE)])))
    port = int(printed.get(timeout=PATIENCE).removeprefix("headsup acpc: Ann connects to port "))
    visit = play_client("raiser", competition("holdem-limit"), "127.0.0.1", port)
    threads[0].join(PATIENCE)
    assert statuses == [0]
    told = json.loads(capsys.readouterr().out)
    assert (told["hands"], told["seed"], told["faults"]) == (10, 0, [0, 0])
    assert told["chips"][0] == sum(visit.scores)
    assert main(["replay", log, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["differences"] == 0
