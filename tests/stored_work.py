"""What workers of stored games do in tests: as `headsup.solve.subgames.visit`, but the first one is killed at work."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from headsup.solve import subgames


def dies_once(**arguments: Any) -> bytes:
    """The third subgame takes its worker with it, after its state is written and before its values are."""
    content = subgames.visit(**arguments)
    marker = Path(arguments["folder"]) / "marker"
    if arguments["subgame"] == 2 and not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return content
