"""What is worked out before anybody asks, so that no click on a solved spot waits for it.

1. The process that solved a spot goes through the tree once more (`keep`). For the solution and for both best replies
   it writes down what a walk sees on the first board: every decision of the first street can then be looked into
   without a walk. And it looks at every card that may come after that street.
2. The server reads a solution when its process has ended, and the newest one when it starts (`walking.warm`), so that
   the first visitor finds kernels and the first view.
3. The page asks for what the next click would ask for while nobody clicks (`static/walk.js`); answers are kept here
   and in the browser, for the address of a view has the stamp of its solution.
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from headsup.cards.cards import cards_name, parse_cards
from headsup.errors import DataError
from headsup.files import Member, read_archive, write_archive
from headsup.games.arrays import Floats
from headsup.games.betting import DEAL
from headsup.games.vector import ArrayStrategy
from headsup.games.walk import Inside, Walker
from headsup.solve.spot import SpotSolution
from headsup.solve.view import PLAYERS, Known

FILE = "ahead"
"""Beside a solution."""


@dataclass(frozen=True)
class Ahead:
    """What was written down for a solution."""

    gains: dict[str, float] = field(default_factory=dict)
    """By player: what their best reply gains, in chips."""
    replies: dict[str, Known] = field(default_factory=dict)
    """By player: their best reply, to look at on the first street; below it lies nothing until somebody looks there."""
    cards: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By line to the end of the first street: every card that may come (`next_card`)."""


def keep(found: SpotSolution, folder: Path) -> None:
    """Write down what will be asked for first."""
    members: dict[str, Member] = {"checksum": found.game.checksum.encode(), **_walks("", found)}
    gains = {}
    for seat, player in enumerate(PLAYERS):
        reply = found.exploit(player)
        gains[player] = reply.gains
        rows = reply.solution.solution.strategy[seat][: int(found.game.layout[seat][1])]
        members |= {f"{player}-rows.npy": rows, **_walks(player, reply.solution)}
    lines: dict[str, list[dict[str, Any]]] = {line: [] for line in _ends(found)}
    for card in cards_left(found):
        for line, rows_of in lines.items():
            rows_of.append(next_card(found, line, card))
    members["told.json"] = json.dumps({"gains": gains, "cards": lines}).encode()
    write_archive(folder / FILE, members)


def read(found: SpotSolution, folder: Path) -> Ahead:
    """Take over what was written down; where nothing of use is, a look walks the tree by itself."""
    with suppress(DataError, KeyError, ValueError, TypeError):
        members, sealed = read_archive(folder / FILE)
        if sealed and members["checksum"] == found.game.checksum.encode():
            told, replies = json.loads(bytes(members["told.json"])), {}
            for seat, player in enumerate(PLAYERS):
                policy = list(found.solution.strategy)
                policy[seat] = np.zeros_like(policy[seat])  # room that is never touched below the first street
                rows = np.asarray(members[f"{player}-rows.npy"])
                policy[seat][: len(rows)] = rows
                replies[player] = found.known.playing(ArrayStrategy(found.game, (policy[0], policy[1])))
                _take_walks(replies[player], player, members)
            _take_walks(found.known, "", members)
            return Ahead(told["gains"], replies, told["cards"])
    return Ahead()


def _walks(name: str, found: SpotSolution) -> dict[str, Member]:
    """The first board as both players see it."""
    arrays: dict[str, Member] = {}
    nodes = int(found.game.rounds.start[1])
    for seat in (0, 1):
        seen = found.known.inside(seat, (0,))
        for part, array in zip(("values", "reach0", "reach1"), (seen.values, *seen.reach), strict=True):
            arrays[f"{name}-{part}-{seat}.npy"] = array[:nodes]
    return arrays


def _take_walks(known: Known, name: str, members: dict[str, Member]) -> None:
    def whole(seat: int, part: str) -> Floats:
        """[nodes, hands], 0 at those of other streets."""
        out = np.zeros((known.game.betting.n_nodes, known.showdown.sizes[seat]))
        out[: int(known.game.rounds.start[1])] = members[f"{name}-{part}.npy"]
        return out

    for seat in (0, 1):
        reach = whole(0, f"reach0-{seat}"), whole(1, f"reach1-{seat}")
        known.walks[(0,), seat] = Inside(whole(seat, f"values-{seat}"), reach)


def _ends(found: SpotSolution) -> list[str]:
    """The lines of the first street after which a card comes and somebody decides."""
    tree = found.game.betting
    deals = [node for node in range(int(tree.start[1])) if tree.player[node] == DEAL]
    return [tree.line(node) for node in deals if tree.player[tree.child[node]] < DEAL]


def cards_left(found: SpotSolution, dealt: str = "") -> tuple[str, ...]:
    """The cards that may come, high ones first."""
    known = set(parse_cards(found.spot.board + found.spot.dead + dealt))
    return tuple(cards_name([card]) for card in range(51, -1, -1) if card not in known)


def next_card(found: SpotSolution, line: str, card: str) -> dict[str, Any]:
    """What a card that comes after a line changes: what the next to act does with the whole range, and its worth."""
    here = found.at(f"{line}, {card}")
    told = {"card": card, "player": here.player, "actions": list(here.actions)}
    return told | {name: here.totals[name] for name in ("frequencies", "ev", "equity")}


def is_small(found: SpotSolution) -> bool:
    """Whether a best reply takes no time worth speaking of."""
    return sum(one.size for one in found.solution.strategy) <= Walker.COPIED
