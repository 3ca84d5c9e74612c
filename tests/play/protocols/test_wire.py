"""Lines over sockets: what comes, what does not come in time, and who is let in."""

from __future__ import annotations

import socket
import sys
from threading import Thread
from time import monotonic, sleep

import pytest

import headsup.play.protocols.wire
from headsup.common.errors import MissingExtra, UserError
from headsup.play.protocols.acpc.dealer import Dealer
from headsup.play.protocols.acpc.log import competition
from headsup.play.protocols.wire import MOST_LINE, WAITING, Wire, connect, greet, listen
from headsup.play.table.agent import Disconnected
from headsup.play.table.histories import kit
from headsup.play.table.record import HandRecord


def pair() -> tuple[Wire, socket.socket]:
    """Both ends of a connection."""
    ours, theirs = socket.socketpair()
    return Wire(ours), theirs


def test_lines_come_whole_however_they_are_sent() -> None:
    wire, other = pair()
    other.sendall(b"one\r\ntwo\nth")
    assert wire.receive() == "one"
    assert wire.receive() == "two"
    assert wire.receive(monotonic() + 0.01) is None  # the rest has not come
    other.sendall(b"r\xffe\xc3\xa9\r\n\n")
    assert wire.receive() == "thr?e??"
    assert wire.receive() == ""
    wire.send("back")
    assert other.recv(100) == b"back\r\n"
    assert wire.receive(monotonic() - 1) is None
    other.close()
    with pytest.raises(Disconnected, match="closed"):
        wire.receive()
    wire.close()
    with pytest.raises(Disconnected, match="broken"):
        wire.send("x")


def test_a_line_without_an_end_is_not_waited_for() -> None:
    wire, other = pair()
    other.settimeout(10)
    other.sendall(b"x" * (MOST_LINE // 2))
    other.close()
    with pytest.raises(Disconnected):
        wire.receive()
    long = Wire(socket.socketpair()[0], b"x" * (MOST_LINE + 1))
    with pytest.raises(Disconnected, match="more than 65536 bytes"):
        long.receive()


def test_the_first_that_says_the_word_is_let_in() -> None:
    listener = listen()
    port = listener.getsockname()[1]
    crowd = [socket.create_connection(("127.0.0.1", port)) for _ in range(WAITING + 10)]
    crowd[3].sendall(b"please\n")
    crowd[-1].sendall(b"word\nand more\n")
    wire = greet(listener, lambda line: line == "word", 60)
    assert wire is not None
    assert wire.receive() == "and more"
    assert crowd[3].recv(10) == b""  # the others are shown the door
    assert crowd[WAITING + 5].recv(10) == b""
    assert greet(listener, lambda line: True, 0.01) is None
    for one in (*crowd, listener):
        one.close()


def test_ports_that_cannot_be() -> None:
    with listen() as taken, pytest.raises(UserError, match="cannot listen at port"):
        listen(taken.getsockname()[1])
    for port in (-1, 65536):
        with pytest.raises(UserError, match="not a port"):
            connect("127.0.0.1", port)
    with pytest.raises(UserError, match="cannot listen at port"):
        listen(0, "no such host")


def test_ctrl_c_ends_a_hosted_match_with_what_there_is() -> None:
    def stop(hand: HandRecord) -> None:
        if hand.number == 2:
            raise KeyboardInterrupt

    found = Dealer(competition("holdem-limit"), ("caller", "raiser"), 9).play(stop)
    assert (len(found.scores), found.stopped) == (3, True)
    assert found.summary()["hands"] == 3


def test_without_pokerkit_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pokerkit", None)
    with pytest.raises(MissingExtra, match=r"headsup-poker\[histories\]"):
        kit()


def test_program_may_connect_late_and_speak_a_little_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headsup.play.protocols.wire, "PATIENCE", 2.0)
    listener = listen()

    def late() -> None:
        sleep(2.5)
        with socket.create_connection(listener.getsockname()) as connection:
            sleep(0.2)
            connection.sendall(b"ready\n")
            connection.recv(1)

    program = Thread(target=late)
    program.start()
    wire = greet(listener, lambda line: line == "ready", 60.0)
    assert wire is not None
    wire.close()
    program.join()
    listener.close()
