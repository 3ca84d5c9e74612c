"""What was measured in long runs, with the command of each, from a file beside this one."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from headsup.common.files import parsed, read_shipped
from headsup.papers.section import Rows

DATA = Path(__file__).parent / "data" / "figures.json"


@cache
def _all() -> dict[str, Any]:
    return parsed(DATA, lambda: dict(json.loads(read_shipped(DATA))), "a file of figures")


def figures(name: str) -> Rows:
    """The rows of one table."""
    return [tuple(map(str, row)) for row in _all()[name]["rows"]]


def command(name: str) -> str:
    """What made them."""
    return str(_all()[name]["command"])
