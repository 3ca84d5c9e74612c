"""Precomputed views of a solved spot, so that clicks do not wait.

The process that solved a spot walks the tree once more (`keep`) and stores values and reaches on the first board, on a
flop also the values on every turn, the effect of every next card, equities, and the frequency of every line. Rivers are
walked on demand. The server loads a solution when its process has ended; the page requests what the next click may
need.
"""

import json
from contextlib import suppress
from dataclasses import dataclass, field
from math import isinf
from pathlib import Path
from typing import Any

import numpy as np

from headsup.cards.cards import cards_name, parse_cards
from headsup.common import contents
from headsup.common.archives import Member, read_archive, seal_of, write_archive
from headsup.common.arrays import Floats
from headsup.common.checks import cores
from headsup.common.errors import DataError
from headsup.common.files import Missing
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.walk.walk import Inside, Walker, look_inside
from headsup.spots.solve import SpotSolution
from headsup.spots.view import PLAYERS, ViewCache
from headsup.web.jobs import SOLUTION, mark_of

FILE = "ahead"  # beside a solution


@dataclass(frozen=True)
class Ahead:
    gains: dict[str, float] = field(default_factory=dict)  # by player: gain of the best response, in chips
    replies: dict[str, ViewCache] = field(default_factory=dict)
    """By player: the best response; a last street below the first is filled in on demand."""
    cards: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By line to the end of the first street: every card that may come (`next_card`)."""


def solution_of(folder: Path, regrets: bool = True, mapped: bool = False) -> SpotSolution:
    """The solution in a job's folder; one of another job is refused."""
    try:
        spot = SpotSolution.load(folder / SOLUTION, regrets, mapped)
    except Missing:
        raise
    except DataError as error:
        raise DataError("the solution of this spot is damaged: solve it again") from error
    if spot.solution.job != mark_of(folder):
        raise DataError(
            "the folder of this spot contains the solution of another one: delete this spot and solve it again"
        )
    return spot


def keep(spot: SpotSolution, folder: Path) -> None:
    """Store what will be requested first, next to the saved solution."""
    game, policy = spot.game, spot.solution.strategy
    walker = Walker(game, threads=cores(), in_stages=True)
    members: dict[str, Member] = {"of": _owner(spot, folder), **_walks("", spot.known, walker)}
    gains, values = {}, (spot.value_oop, spot.value_ip)
    for seat, player in enumerate(PLAYERS):
        earned, response = walker.best_response(policy, seat)
        gains[player] = earned - values[seat]
        known = spot.known.playing(ArrayStrategy(game, (response, policy[1]) if seat == 0 else (policy[0], response)))
        members |= {f"{player}-rows.npy": response[: _kept_rows(game, seat)].copy(), **_walks(player, known, walker)}
    lines: dict[str, list[dict[str, Any]]] = {line: [] for line in _ends(spot)}
    for card in cards_left(spot):
        for line, rows_of in lines.items():
            rows_of.append(next_card(spot, line, card))
    if lines:
        lead, boards = spot.known.lead((0,))
        members |= {"lead.npy": lead, "boards.npy": np.array(boards)}
    taken = {str(node): row.tolist() for node, row in spot.taken.items()}
    members["told.json"] = json.dumps({"gains": gains, "cards": lines, "taken": taken}).encode()
    write_archive(folder / FILE, members)


def read(spot: SpotSolution, folder: Path) -> Ahead:
    """Load precomputed views; without usable ones, views walk the tree."""
    with suppress(DataError, KeyError, ValueError, TypeError):
        members, sealed = read_archive(folder / FILE, mapped=True)
        if sealed and members["of"] == _owner(spot, folder):
            text, responses = _checked(json.loads(bytes(members["told.json"]))), {}
            for name, member in members.items():
                if name.endswith(".npy"):
                    contents.array(member, name, ndim=None)
            taken = {int(node): np.array(row) for node, row in text["taken"].items()}
            for seat, player in enumerate(PLAYERS):
                policy = list(spot.solution.strategy)
                rows = contents.chances(members[f"{player}-rows.npy"], "a best response")
                if len(rows) != _kept_rows(spot.game, seat):
                    raise ValueError("a best response is of another game")
                policy[seat] = np.zeros(policy[seat].shape, policy[seat].dtype)  # rows below are filled on demand
                policy[seat][: len(rows)] = rows
                responses[player] = spot.known.playing(ArrayStrategy(spot.game, (policy[0], policy[1])))
                _take_walks(responses[player], player, members)
            _take_walks(spot.known, "", members)
            if "lead.npy" in members:
                spot.known.leads[(0,), 0] = np.asarray(members["lead.npy"]), int(np.asarray(members["boards.npy"]))
            vars(spot)["taken"] = taken
            return Ahead(text["gains"], responses, text["cards"])
    return Ahead()


def _checked(data: Any) -> dict[str, Any]:
    """The content of the text member, checked; values of impossible cards are nan."""
    whole = contents.mapping(data, "the text")
    for player in PLAYERS:
        contents.number(whole["gains"][player], "a gain")
    for row in contents.mapping(whole["taken"], "what is played").values():
        contents.numbers(row, "what is played")
    for rows in contents.mapping(whole["cards"], "the list of cards").values():
        for row in contents.items(rows, "the cards after a line"):
            names = [contents.text(action, "an action") for action in contents.items(row["actions"], "the actions")]
            contents.text(row["card"], "a card")
            contents.text(row["player"], "a player")
            frequencies = contents.items(row["frequencies"], "the frequencies")
            if len(frequencies) != len(names) or any(
                type(number) is not float for number in (*frequencies, row["ev"], row["equity"])
            ):
                raise ValueError("what is done after a card is not numbers")
            if any(isinf(number) for number in (*frequencies, row["ev"], row["equity"])):
                raise ValueError("what is done after a card is not finite")
    return whole


def _owner(spot: SpotSolution, folder: Path) -> bytes:
    return spot.game.checksum.encode() + seal_of(folder / SOLUTION)


def _kept_rows(game: VectorGame, seat: int) -> int:
    """How many numbers of a best response are stored: all but the last street, which is fast to compute."""
    return int(game.layout[seat][max(1, game.streets - 1)])


def _walks(name: str, known: ViewCache, walker: Walker) -> dict[str, Member]:
    """The first board for both players, and the values on boards of the second street if a third follows."""
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
        out = np.zeros((known.game.betting.n_nodes, known.showdown.sizes[seat]))
        out[: int(known.game.rounds.start[1])] = members[f"{name}-{part}.npy"]
        return out

    for seat in (0, 1):
        reach = whole(0, f"reach0-{seat}"), whole(1, f"reach1-{seat}")
        known.walks[(0,), seat] = Inside(whole(seat, f"values-{seat}"), reach)
        if known.game.streets > 2:
            known.second[seat] = np.asarray(members[f"{name}-second-{seat}.npy"])


def _ends(spot: SpotSolution) -> list[str]:
    """Lines of the first street after which a card is dealt and a player acts."""
    tree = spot.game.betting
    deals = [node for node in range(int(tree.start[1])) if tree.player[node] == DEAL]
    return [tree.line(node) for node in deals if tree.player[tree.child[node]] < DEAL]


def cards_left(spot: SpotSolution, dealt: str = "") -> tuple[str, ...]:
    known = set(parse_cards(spot.spot.board + spot.spot.dead + dealt))
    return tuple(cards_name([card]) for card in range(51, -1, -1) if card not in known)


def next_card(spot: SpotSolution, line: str, card: str) -> dict[str, Any]:
    """The frequencies and values of the player to act after a line and a card."""
    here = spot.at(f"{line}, {card}")
    row = {"card": card, "player": here.player, "actions": list(here.actions)}
    return row | {name: here.totals[name] for name in ("frequencies", "ev", "equity")}


def is_small(spot: SpotSolution) -> bool:
    """Whether a best response takes hardly any time."""
    return sum(rows.size for rows in spot.solution.strategy) <= Walker.COPIED
