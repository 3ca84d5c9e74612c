"""Few bet sizes for a spot of the page: a search in a process of its own, and its curve of cost against sizes."""

import json
import sys
from collections.abc import Sequence
from typing import Any

from headsup.common.errors import UserError
from headsup.common.plot import Chart, line_chart
from headsup.games.holdem.spot import Spot
from headsup.spots.size_menu import dense_spot, size_groups
from headsup.spots.sizes import SimpleSizes

WORKER = (sys.executable, "-m", "headsup.web.searches", "sizes")
SECONDS = 180.0
COUNTS = (1, 2, 3, 4)
PLAYERS = {"oop": "out of position", "ip": "in position"}


def question(spot: Spot) -> str:
    """The search as JSON text; raises on errors before anything is started."""
    if spot.streets[0] == "flop":
        raise UserError("simplifying the sizes of a flop needs a GPU: run  headsup sizes --device gpu")
    dense = dense_spot(spot)
    size_groups(dense)
    return json.dumps({"spot": dense.text()})


def cost_chart(curve: Sequence[SimpleSizes]) -> Chart:
    """The upper bound of the cost by number of sizes, and the lower bound dashed."""
    high: dict[str, list[tuple[float, float]]] = {}
    low: dict[str, list[tuple[float, float]]] = {}
    for simple in curve:
        for player in simple.players:
            name = PLAYERS[player.player]
            high.setdefault(name, []).append((float(simple.count), 100.0 * player.high))
            low.setdefault(name, []).append((float(simple.count), 100.0 * player.low))
    return line_chart(
        high,
        title="Cost by number of sizes",
        x="sizes per list of bets or raises",
        y="cost, % of the pot",
        width=620,
        height=340,
        faint=low,
        dots=True,
    )


def told_sizes(curve: Sequence[SimpleSizes]) -> list[dict[str, Any]]:
    """A row for each number of sizes and player."""
    return [
        {
            "count": simple.count,
            "player": PLAYERS[player.player],
            "sizes": [f"{choice.street} {choice.kind}: {', '.join(choice.sizes)}" for choice in player.choices],
            "low": player.low,
            "high": player.high,
        }
        for simple in curve
        for player in simple.players
    ]
