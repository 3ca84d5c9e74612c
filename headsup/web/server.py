"""Run the web server: one process, on this machine only by default."""

import ipaddress
import secrets
import socket
import sys
from importlib.util import find_spec
from pathlib import Path

from headsup.cli.options import say
from headsup.common.errors import MissingExtra, UserError

PORT = 8000
MOST_OPEN = 2400  # concurrent connections: a thousand matches of programs, and pages


def is_local(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def serve(port: int = PORT, host: str = "127.0.0.1", token: str | None = None, work: Path | None = None) -> None:
    """Serve until Ctrl-C. A server for other machines always has a token, a random one by default."""
    if find_spec("fcntl") is None:
        raise UserError("headsup serve needs the file locks of Linux or macOS: on Windows run it within WSL")
    try:
        import uvicorn

        from headsup.web.app import make_app
        from headsup.web.guard import MOST_ADDRESS
    except ImportError as error:
        raise MissingExtra("the page", "web") from error
    if not 0 <= port <= 65535:
        raise UserError(f"--port {port} is out of range: give 1 to 65535, or 0 for any free port")
    if token is not None and not (16 <= len(token) <= 200 and token.isascii() and token.isalnum()):
        raise UserError("--token must be 16 to 200 letters and digits: leave it out to get a random one")
    if token is None and not is_local(host):
        token = secrets.token_hex(16)
    sys.setswitchinterval(0.001)  # background work yields to clicks five times as fast
    listener = _listen(host, port)
    everywhere = host in ("0.0.0.0", "::")
    shown = "127.0.0.1" if everywhere else f"[{host}]" if ":" in host else host
    words = f"/?token={token}" if token else "/"
    say(f"headsup serve: open http://{shown}:{listener.getsockname()[1]}{words}  (Ctrl-C stops it)")
    if everywhere:
        say("headsup serve: on another machine, replace 127.0.0.1 by the name of this one")
    app = make_app(token=token, work=work, warm=True)
    config = uvicorn.Config(
        app,
        log_level="warning",
        server_header=False,
        limit_concurrency=MOST_OPEN,
        timeout_keep_alive=15,
        h11_max_incomplete_event_size=2 * MOST_ADDRESS,  # long addresses come in pieces
    )
    uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends at once (no Nagle) only where the protocol is named: else each answer waits 40 ms for an echo
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host.strip("[]"), port))
        listener.listen(1024)  # before the address is printed
    except (OSError, UnicodeError) as error:
        listener.close()
        why = getattr(error, "strerror", None) or error
        raise UserError(f"cannot listen on {host}:{port} ({why}): choose another --port or --host") from None
    return listener
