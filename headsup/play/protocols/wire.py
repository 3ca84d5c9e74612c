"""Lines of text over a socket, between programs that may misbehave.

Connections that send nothing, nonsense or too much are dropped; bytes that are not ASCII become question marks.
"""

import selectors
import socket
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

from headsup.common.errors import UserError
from headsup.play.table.agent import Disconnected

MOST_LINE = 1 << 16  # bytes per line
MOST_HELLO = 1 << 10  # bytes before the end of the first line
WAITING = 64  # connections without a first line; beyond that the oldest is dropped
PATIENCE = 10.0  # seconds for a connection, and for its first line
SEND = 10.0  # seconds to send a line
LOCAL = "127.0.0.1"


class Wire:
    """A connection that sends and receives lines; raises `Disconnected` when it is lost."""

    def __init__(self, connection: socket.socket, rest: bytes = b"") -> None:
        self._socket, self._rest = connection, rest
        with suppress(OSError):  # send small lines at once
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, line: str, end: str = "\r\n") -> None:
        try:
            self._socket.settimeout(SEND)
            self._socket.sendall((line + end).encode("ascii", "replace"))
        except OSError as error:
            raise Disconnected(f"the connection is broken: {error}") from error

    def receive(self, deadline: float | None = None) -> str | None:
        """The next line without its end; None if it has not arrived by the deadline (of `time.monotonic`)."""
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
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


def _text(line: bytes) -> str:
    return line.decode("ascii", "replace").replace("�", "?").rstrip("\r")


def connect(host: str, port: int) -> Wire:
    _check_port(port)
    try:
        return Wire(socket.create_connection((host, port), timeout=PATIENCE))
    except (OSError, UnicodeError) as error:
        raise UserError(
            f"nothing listens at {host}, port {port} ({error}): start the dealer or engine first"
        ) from error


def listen(port: int = 0, host: str = LOCAL) -> socket.socket:
    """A listening socket, at a port or at any free one."""
    _check_port(port)
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except (OSError, UnicodeError) as error:
        listener.close()
        raise UserError(f"cannot listen at port {port} of {host} ({error}): choose another port") from error
    return listener


def _check_port(port: int) -> None:
    if not 0 <= port < 1 << 16:
        raise UserError(f"{port} is not a port: ports are 1 to 65535, or 0 for any free one")


def greet(listener: socket.socket, ready: Callable[[str], bool] | None, seconds: float | None) -> Wire | None:
    """Wait for a connection whose first line is `ready` (any connection if None); None if none comes."""
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
            for connection in [idle for idle, (_, until) in waiting.items() if until <= now]:
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
                    waiting[connection] = b"", monotonic() + PATIENCE
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
    """Read from a waiting connection; return it if its first line is right."""
    try:
        more = connection.recv(MOST_HELLO)
    except OSError:
        more = b""
    received, until = waiting[connection]
    received += more
    line, ended, rest = received.partition(b"\n")
    if ended and ready is not None and ready(_text(line)):
        waiting[connection] = rest, until
        return connection
    if ended or not more or len(received) > MOST_HELLO:
        drop(connection)
    else:
        waiting[connection] = received, until
    return None
