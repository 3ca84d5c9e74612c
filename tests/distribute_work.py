"""Functions that tests hand to worker processes."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from headsup.common.distribute import Done, Packet, call
from headsup.common.files import write_bytes


class Here:
    """In place of local processes, each of which takes a second to start: packets are done by this one."""

    def __init__(self, function: str, jobs: int) -> None:
        self.function = function

    def do(self, packets: Sequence[Packet], done: Done) -> None:
        for packet in packets:
            arguments = json.loads(json.dumps(dict(packet.arguments)))
            write_bytes(packet.path, call(self.function, arguments), packet.lasting)
            done(packet)

    def stop(self) -> None:
        """There is nobody to stop."""


def square(n: int) -> bytes:
    return str(n * n).encode()


def slow(n: int, seconds: float) -> bytes:
    time.sleep(seconds)
    return square(n)


def chatty(n: int) -> bytes:
    """Prints, as libraries do."""
    print("not a reply")
    return square(n)


def big(size: int) -> bytes:
    return b"x" * size


def fails(n: int) -> bytes:
    raise ZeroDivisionError(f"packet {n}")


def user_mistake(n: int) -> bytes:
    from headsup.common.errors import UserError

    raise UserError(f"{n} is a mistake: give another number")


def one_thread() -> bytes:
    return ",".join(os.environ[name] for name in ("OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")).encode()


def dies_always(n: int) -> bytes:
    os.kill(os.getpid(), signal.SIGKILL)
    return b""


def dies_once(n: int, marker: str) -> bytes:
    """Takes its worker with it the first time."""
    path = Path(marker)
    if not path.exists():
        path.write_text("died here")
        os.kill(os.getpid(), signal.SIGKILL)
    return square(n)


def dies_in_rename(n: int, marker: str) -> bytes:
    """The worker is killed once its file is written in full but not yet renamed, the first time."""
    path = Path(marker)
    if not path.exists():
        path.write_text("died here")

        def die(*unused: object) -> None:
            os.kill(os.getpid(), signal.SIGKILL)

        os.replace = die  # type: ignore[assignment]
    return square(n)
