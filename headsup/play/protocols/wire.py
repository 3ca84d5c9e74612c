"""Lines of text over a socket, between programs that need not be well-behaved.

Whoever listens waits for a first connection that says what it should. Others may connect meanwhile and say nothing,
nonsense, or too much: they are dropped, and hold nobody up. A line is at most `MOST_LINE` bytes long; what is not ASCII
in it is read as a question mark.
"""

from __future__ import annotations

import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from headsup.common.errors import UserError
from headsup.play.table.agent import Disconnected

MOST_LINE = 1 << 16
"""Bytes of the longest line."""
MOST_HELLO = 1 << 10
"""Bytes that a connection may send before it has said its first line."""
WAITING = 64
"""Connections that may be about to say their first line; one more, and the oldest is dropped."""
PATIENCE = 10.0
"""Seconds that a connection has for its first line."""
SEND = 10.0
"""Seconds that the other side has to take a line."""
LOCAL = "127.0.0.1"


class Wire:
    """A connection that sends and receives lines. `Disconnected` says that there is none any more."""

    def __init__(self, connection: socket.socket, rest: bytes = b"") -> None:
        self._socket, self._rest = connection, rest
        with suppress(OSError):  # small lines are to go at once
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, line: str, end: str = "\r\n") -> None:
        """Send a line."""
        try:
            self._socket.settimeout(SEND)
            self._socket.sendall((line + end).encode("ascii", "replace"))
        except OSError as error:
            raise Disconnected(f"the connection is broken: {error}") from error

    def receive(self, deadline: float | None = None) -> str | None:
        """The next line, without its end; None if it has not come by the deadline (of `time.monotonic`)."""
        while b"\n" not in self._rest:
            if len(self._rest) > MOST_LINE:
                raise Disconnected(f"a line has more than {MOST_LINE} bytes")
            left = None if deadline is None else deadline - monotonic()
            if left is not None and left <= 0:
                return None
            try:
                self._socket.settimeout(left)
                more = self._socket.recv(MOST_LINE)
            except TimeoutError:
                return None
            except OSError as error:
                raise Disconnected(f"the connection is broken: {error}") from error
            if not more:
                raise Disconnected("the connection was closed")
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\n")
        return _text(line)

    def close(self) -> None:
        """End the connection."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def _text(line: bytes) -> str:
    return line.decode("ascii", "replace").replace("�", "?").rstrip("\r")


def connect(host: str, port: int, seconds: float = 10.0) -> Wire:
    """A connection to a program that listens."""
    _check_port(port)
    try:
        return Wire(socket.create_connection((host, port), timeout=seconds))
    except (OSError, UnicodeError) as error:
        raise UserError(f"nobody listens at {host}, port {port} ({error}): start the dealer or engine first") from error


def listen(port: int = 0, host: str = LOCAL) -> socket.socket:
    """A socket to connect to, at a port or at any that is free."""
    _check_port(port)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, UnicodeError) as error:
        listener.close()
        raise UserError(f"port {port} of {host} cannot be listened at ({error}): choose another one") from error
    return listener


def _check_port(port: int) -> None:
    if not 0 <= port < 1 << 16:
        raise UserError(f"{port} is no port: ports are the numbers 1 to 65535, and 0 for any that is free")


def greet(listener: socket.socket, ready: Callable[[str], bool] | None, seconds: float | None) -> Wire | None:
    """Wait for a connection whose first line is `ready` (any connection at all where None); None if none comes."""
    end = None if seconds is None else monotonic() + seconds
    waiting: dict[socket.socket, tuple[bytes, float]] = {}
    listener.setblocking(False)
    chosen: socket.socket | None = None
    with selectors.DefaultSelector() as selector:
        selector.register(listener, selectors.EVENT_READ)

        def drop(connection: socket.socket) -> None:
            del waiting[connection]
            selector.unregister(connection)
            connection.close()

        while chosen is None:
            now = monotonic()
            if end is not None and now >= end:
                break
            for connection in [one for one, (_, until) in waiting.items() if until <= now]:
                drop(connection)
            until = [moment for _, moment in waiting.values()] + ([] if end is None else [end])
            for key, _ in selector.select(max(0.0, min(until) - now) if until else None):
                connection = key.fileobj  # type: ignore[assignment]
                if connection is not listener:
                    chosen = _hear(connection, waiting, ready, drop) if connection in waiting else None
                    if chosen is not None:
                        break
                    continue
                with suppress(OSError):
                    connection, _ = listener.accept()
                    if ready is None:
                        return Wire(connection)
                    if len(waiting) >= WAITING:
                        drop(next(iter(waiting)))
                    connection.setblocking(False)
                    waiting[connection] = b"", now + PATIENCE
                    selector.register(connection, selectors.EVENT_READ)
        rest = waiting.pop(chosen)[0] if chosen is not None else b""
        for connection in list(waiting):
            drop(connection)
    return None if chosen is None else Wire(chosen, rest)


def _hear(
    connection: socket.socket,
    waiting: dict[socket.socket, tuple[bytes, float]],
    ready: Callable[[str], bool] | None,
    drop: Callable[[socket.socket], None],
) -> socket.socket | None:
    """Read what a waiting connection says; the connection if it is the right thing."""
    try:
        more = connection.recv(MOST_HELLO)
    except OSError:
        more = b""
    said, until = waiting[connection]
    said += more
    line, ended, rest = said.partition(b"\n")
    if ended and ready is not None and ready(_text(line)):
        waiting[connection] = rest, until
        return connection
    if ended or not more or len(said) > MOST_HELLO:
        drop(connection)
    else:
        waiting[connection] = said, until
    return None
