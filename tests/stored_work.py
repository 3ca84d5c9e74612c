"""What workers of stored games do in tests: as `headsup.solve.holdem.subgames.visit`, but one of them is killed at
work."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from headsup.solve.holdem import subgames


def dies_once(**arguments: Any) -> bytes:
    """The third subgame takes its worker with it, after its state is written and before its values are."""
    content = subgames.visit(**arguments)
    marker = Path(arguments["folder"]) / "marker"
    if arguments["subgame"] == 2 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return content


def dies_in_an_iteration(**arguments: Any) -> bytes:
    """The process is killed when some subgames have their second version and others have not."""
    if arguments["subgame"] == 5 and arguments.get("seat") == 0 and arguments["versions"][0] == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return subgames.visit(**arguments)
