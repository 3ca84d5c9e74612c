"""What is worked out before anybody asks, so that no click on a solved spot waits for it.

1. The process that solved a spot walks its whole tree once more for either player and keeps what it saw on the first
   board (`keep_walks`): every decision of that street can then be looked into without walking.
2. The server reads a solution when its process has ended, and the newest one when it starts (`walking.warm`): kernels
   are loaded, the first view is there, and so are best replies where they take no time.
3. The page asks for what the next click would ask for while nobody clicks (`static/ahead.js`); answers are kept here
   and in the browser, for the address of a view has the stamp of its solution.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from headsup.errors import DataError
from headsup.files import read_archive, write_archive
from headsup.games.arrays import Floats
from headsup.games.walk import Inside, Walker
from headsup.solve.spot import SpotSolution
from headsup.solve.view import PLAYERS

WALKS = "walks"
"""The file beside a solution."""


def keep_walks(found: SpotSolution, folder: Path) -> None:
    """Look into the first street for both players, and write it down; what is small is also replied to, once."""
    arrays, nodes = {}, int(found.game.rounds.start[1])
    for seat in (0, 1):
        seen = found.known.inside(seat, (0,))
        for name, array in zip(("values", "reach0", "reach1"), (seen.values, *seen.reach), strict=True):
            arrays[f"{name}-{seat}.npy"] = array[:nodes]
    write_archive(folder / WALKS, {"checksum": found.game.checksum.encode(), **arrays})
    if is_small(found):
        for player in PLAYERS:
            found.exploit(player)  # so that the server finds its kernels compiled


def read_walks(found: SpotSolution, folder: Path) -> None:
    """Take over what was written down; where there is nothing of use, a look walks the tree by itself."""
    with suppress(DataError, KeyError, ValueError):
        members, sealed = read_archive(folder / WALKS)
        if sealed and members["checksum"] == found.game.checksum.encode():
            for seat in (0, 1):
                found.known.walks[(0,), seat] = Inside(
                    _whole(found, seat, members[f"values-{seat}.npy"]),
                    (_whole(found, 0, members[f"reach0-{seat}.npy"]), _whole(found, 1, members[f"reach1-{seat}.npy"])),
                )


def is_small(found: SpotSolution) -> bool:
    """Whether a best reply takes no time worth speaking of."""
    return sum(one.size for one in found.solution.strategy) <= Walker.COPIED


def _whole(found: SpotSolution, seat: int, first: Any) -> Floats:
    """[nodes, hands] from those of the first street: 0 at all others."""
    out = np.zeros((found.game.betting.n_nodes, found.game.showdown.sizes[seat]))
    out[: int(found.game.rounds.start[1])] = first
    return out
