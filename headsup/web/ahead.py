"""What is worked out before anybody asks, so that no click on a solved spot waits for it.

1. The process that solved a spot goes through the tree once more (`keep`). For the solution and for both best replies
   it writes down what a walk sees on the first board, and on a flop also what hands earn on every turn: all decisions
   of these streets can then be looked into without a walk. A river is walked when it is looked at, which takes
   milliseconds. And it looks at every card that may come after the first street, how often every pair of hands wins,
   and how often every line is played, which is what two solutions are compared by.
2. The server reads a solution when its process has ended, and the newest one when it starts (`walking.warm`), so that
   the first visitor finds kernels and the first view.
3. The page asks for what the next click would ask for while nobody clicks (`static/walk.js`); answers are kept here
   and in the browser, for the address of a view has the stamp of its solution.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass, field
from math import isinf
from pathlib import Path
from typing import Any

import numpy as np

from headsup.cards.cards import cards_name, parse_cards
from headsup.common import contents
from headsup.common.arrays import Floats
from headsup.common.errors import DataError
from headsup.common.files import Member, Missing, read_archive, seal_of, write_archive
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.walk.walk import Inside, Walker, look_inside
from headsup.spots.solve import SpotSolution
from headsup.spots.view import PLAYERS, ViewCache
from headsup.web.jobs import SOLUTION, mark_of

FILE = "ahead"
"""Beside a solution."""


@dataclass(frozen=True)
class Ahead:
    """What was written down for a solution."""

    gains: dict[str, float] = field(default_factory=dict)
    """By player: what their best reply gains, in chips."""
    replies: dict[str, ViewCache] = field(default_factory=dict)
    """By player: their best reply; on the last street below the first lies nothing until somebody looks there."""
    cards: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By line to the end of the first street: every card that may come (`next_card`)."""


def solution_of(folder: Path, regrets: bool = True, mapped: bool = False) -> SpotSolution:
    """Load the solution in a job's folder, which must be the job's own; options as in `SpotSolution.load`."""
    try:
        spot = SpotSolution.load(folder / SOLUTION, regrets, mapped)
    except Missing:
        raise
    except DataError as error:
        raise DataError("the solution of this spot is damaged: solve it again") from error
    if spot.solution.job != mark_of(folder):
        raise DataError("the solution in this spot's folder is another spot's: delete this spot and solve it again")
    return spot


def keep(found: SpotSolution, folder: Path) -> None:
    """Write down what will be asked for first, beside the solution that was saved."""
    game, policy = found.game, found.solution.strategy
    walker = Walker(game, threads=os.cpu_count() or 1, in_stages=True)
    members: dict[str, Member] = {"of": _owner(found, folder), **_walks("", found.known, walker)}
    gains, values = {}, (found.value_oop, found.value_ip)
    for seat, player in enumerate(PLAYERS):
        earned, reply = walker.reply(policy, seat)
        gains[player] = earned - values[seat]
        known = found.known.playing(ArrayStrategy(game, (reply, policy[1]) if seat == 0 else (policy[0], reply)))
        members |= {f"{player}-rows.npy": reply[: _kept_rows(game, seat)].copy(), **_walks(player, known, walker)}
    lines: dict[str, list[dict[str, Any]]] = {line: [] for line in _ends(found)}
    for card in cards_left(found):
        for line, rows_of in lines.items():
            rows_of.append(next_card(found, line, card))
    if lines:
        lead, boards = found.known.lead((0,))
        members |= {"lead.npy": lead, "boards.npy": np.array(boards)}
    taken = {str(node): row.tolist() for node, row in found.taken.items()}
    members["told.json"] = json.dumps({"gains": gains, "cards": lines, "taken": taken}).encode()
    write_archive(folder / FILE, members)


def read(found: SpotSolution, folder: Path) -> Ahead:
    """Take over what was written down; where nothing of use is, a look walks the tree by itself."""
    with suppress(DataError, KeyError, ValueError, TypeError):
        members, sealed = read_archive(folder / FILE, mapped=True)
        if sealed and members["of"] == _owner(found, folder):
            told, replies = _checked(json.loads(bytes(members["told.json"]))), {}
            for name, one in members.items():
                if name.endswith(".npy"):
                    contents.array(one, name, ndim=None)
            taken = {int(node): np.array(row) for node, row in told["taken"].items()}
            for seat, player in enumerate(PLAYERS):
                policy = list(found.solution.strategy)
                rows = contents.chances(members[f"{player}-rows.npy"], "a best reply")
                if len(rows) != _kept_rows(found.game, seat):
                    raise ValueError("a best reply is of another game")
                policy[seat] = np.zeros(policy[seat].shape, policy[seat].dtype)  # room that nobody touches below them
                policy[seat][: len(rows)] = rows
                replies[player] = found.known.playing(ArrayStrategy(found.game, (policy[0], policy[1])))
                _take_walks(replies[player], player, members)
            _take_walks(found.known, "", members)
            if "lead.npy" in members:
                found.known.leads[(0,), 0] = np.asarray(members["lead.npy"]), int(np.asarray(members["boards.npy"]))
            vars(found)["taken"] = taken
            return Ahead(told["gains"], replies, told["cards"])
    return Ahead()


def _checked(told: Any) -> dict[str, Any]:
    """What the text of the file says, if that can be; a card that never comes has no worth, nan."""
    whole = contents.table(told, "the text")
    for player in PLAYERS:
        contents.number(whole["gains"][player], "a gain")
    for row in contents.table(whole["taken"], "what is played").values():
        contents.numbers(row, "what is played")
    for rows in contents.table(whole["cards"], "the list of cards").values():
        for row in contents.items(rows, "the cards after a line"):
            names = [contents.text(one, "an action") for one in contents.items(row["actions"], "the actions")]
            contents.text(row["card"], "a card")
            contents.text(row["player"], "a player")
            shares = contents.items(row["frequencies"], "the frequencies")
            if len(shares) != len(names) or any(type(one) is not float for one in (*shares, row["ev"], row["equity"])):
                raise ValueError("what is done after a card is not numbers")
            if any(isinf(one) for one in (*shares, row["ev"], row["equity"])):
                raise ValueError("what is done after a card is not finite")
    return whole


def _owner(found: SpotSolution, folder: Path) -> bytes:
    """What the file belongs to: the game, and the very solution beside it."""
    return found.game.checksum.encode() + seal_of(folder / SOLUTION)


def _kept_rows(game: VectorGame, seat: int) -> int:
    """How many numbers of a best reply are kept: all but those of the last street, which is quick to reply to."""
    return int(game.layout[seat][max(1, game.streets - 1)])


def _walks(name: str, known: ViewCache, walker: Walker) -> dict[str, Member]:
    """The first board as both players see it, and values on those of the second street if another one follows."""
    arrays: dict[str, Member] = {}
    nodes = int(known.game.rounds.start[1])
    for seat in (0, 1):
        if known.game.streets > 2:
            first, known.second[seat] = walker.two_streets(known.strategy.policy, seat)
            known.walks[(0,), seat] = look_inside(known.game, known.strategy, seat, (0,), known=first)
            arrays[f"{name}-second-{seat}.npy"] = known.second[seat]
        seen = known.inside(seat, (0,))
        for part, array in zip(("values", "reach0", "reach1"), (seen.values, *seen.reach), strict=True):
            arrays[f"{name}-{part}-{seat}.npy"] = array[:nodes]
    return arrays


def _take_walks(known: ViewCache, name: str, members: dict[str, Member]) -> None:
    def whole(seat: int, part: str) -> Floats:
        """[nodes, hands], 0 at those of other streets."""
        out = np.zeros((known.game.betting.n_nodes, known.showdown.sizes[seat]))
        out[: int(known.game.rounds.start[1])] = members[f"{name}-{part}.npy"]
        return out

    for seat in (0, 1):
        reach = whole(0, f"reach0-{seat}"), whole(1, f"reach1-{seat}")
        known.walks[(0,), seat] = Inside(whole(seat, f"values-{seat}"), reach)
        if known.game.streets > 2:
            known.second[seat] = np.asarray(members[f"{name}-second-{seat}.npy"])


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
