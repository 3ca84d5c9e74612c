"""Packet functions that take their worker with them once; the marker file remembers that it happened."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from headsup.equity.omaha.matchups import packets


def _first(arguments: dict[str, object]) -> bool:
    marker = os.environ.get("HEADSUP_TEST_MARKER")
    if marker is None or arguments["number"] != 2 or Path(marker).exists():
        return False
    Path(marker).write_text("died here")
    return True


def _die(*unused: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def killed_in_first_rename(**arguments: object) -> bytes:
    if _first(arguments):
        os.replace = _die  # type: ignore[assignment]
    return packets.packet_bytes(**arguments)  # type: ignore[arg-type]


def killed_first(**arguments: object) -> bytes:
    content = packets.packet_bytes(**arguments)  # type: ignore[arg-type]
    if _first(arguments):
        _die()
    return content
