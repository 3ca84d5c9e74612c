"""Views of a solved spot: where a line leads, the chart by action, hands, categories and runouts."""

import re
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from headsup.cards.classes import holdem_class_name, holdem_class_of_combo, holdem_class_sizes
from headsup.common.arrays import AnyArray
from headsup.common.checks import cores
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.vector import ArrayStrategy
from headsup.games.walk.streaming import Asking
from headsup.games.walk.walk import BEST, Walker
from headsup.play.coach.decks import SpotDeck
from headsup.spots.path import CARD, follow
from headsup.spots.solve import SpotSolution
from headsup.spots.view import PLAYERS, SpotView, ViewCache, seat_of, view_at
from headsup.web.asking import calculating, give_way
from headsup.web.charts.grid import Bar, Cell, side_by_side
from headsup.web.render import fixed
from headsup.web.study import ahead
from headsup.web.study.ahead import Ahead

KEPT = 3  # solutions that are held in memory
BY = {"strategy": "Strategy", "value": "Value", "equity": "Equity"}
LEGENDS = {
    "strategy": "Colours are actions. The height of a bar is how often the hand gets here. Grey hands never do.",
    "value": "Expected value in chips, orange above zero and blue below. Grey hands never reach this decision.",
    "equity": "Equity in percent. Grey hands never reach this decision.",
}


@dataclass
class Loaded:
    """A solution in memory, with cached views."""

    solved: SpotSolution
    ahead: Ahead
    replies: dict[str, ViewCache] = field(default_factory=dict)
    """by player: the solution with their best response, if not precomputed"""
    earned: dict[str, float] = field(default_factory=dict)  # by player: what it earns, in chips
    below: set[tuple[str, tuple[int, ...]]] = field(default_factory=set)
    """Players and boards of the last street for which a precomputed best response is complete."""
    repliers: dict[str, Asking] = field(default_factory=dict)  # by player: the walk that finds it
    replying: Lock = field(default_factory=Lock)
    exploits: dict[str, dict[str, Any]] = field(default_factory=dict)  # by player: summary of the best response
    views: OrderedDict[tuple[str, str], SpotView] = field(default_factory=OrderedDict)
    deck: SpotDeck | None = None  # to train with, once somebody does


Stamped = tuple[str, int]
_loaded: OrderedDict[Stamped, Loaded] = OrderedDict()
_door, _reading = Lock(), Lock()
_BORN = time.time_ns()


def _stamped(path: Path) -> Stamped:
    try:
        return str(path), path.stat().st_mtime_ns
    except OSError:
        raise UserError("this spot has no solution yet: wait until it is solved") from None


def stamp(path: Path) -> str:
    """A key that changes with the solution and with the server: views under it never change."""
    return f"{_BORN ^ _stamped(path)[1]:x}"


def load(path: Path) -> Loaded:
    """A solution, cached until its file changes."""
    key = _stamped(path)
    loaded = _known(key)
    if loaded is None:
        with _reading:  # concurrent requests wait
            loaded = _known(key) or _read(path, key)
    return loaded


def _known(key: Stamped) -> Loaded | None:
    with _door:
        if key in _loaded:
            _loaded.move_to_end(key)
        return _loaded.get(key)


def _read(path: Path, key: Stamped) -> Loaded:
    """From the files, each part checked; damaged precomputed views only cost time."""
    solved = ahead.solution_of(path.parent, regrets=False, mapped=True)
    loaded = Loaded(solved, ahead.read(solved, path.parent))
    with _door:
        _loaded[key] = loaded
        while len(_loaded) > KEPT:
            _loaded.popitem(last=False)
    return loaded


def warm(path: Path) -> None:
    """Prepare a solution for its first visitor: one view of each street, and best responses if they are fast."""
    with suppress(UserError):
        loaded = load(path)
        line, here = "", NextStep("act")
        while here.kind != "over":  # down to the river, so that all kernels are loaded
            if here.kind == "act":
                for player in ("", *loaded.ahead.replies):
                    shown = view(loaded, line, player)
            line = ", ".join([*parts(line), here.cards[0] if here.cards else shown.actions[0]])
            here = where(loaded.solved, line)
        if not loaded.ahead.replies and ahead.is_small(loaded.solved):
            for player in PLAYERS:
                best_response(loaded, player)


def best_response(loaded: Loaded, player: str, line: str = "") -> ViewCache:
    """The solution with one player's strategy replaced by the best response, for a view after a line.

    All streets but the last are precomputed; on the last one only the board of the line is walked, since the best
    response there does not depend on other cards.
    """
    seat, spot = seat_of(player), loaded.solved
    game, policy, threads = spot.game, spot.solution.strategy, cores()
    with loaded.replying:  # concurrent requests wait
        known = loaded.replies.get(player) or loaded.ahead.replies.get(player)
        if known is None:
            loaded.earned[player], reply = Walker(game, threads=threads).best_response(policy, seat)
            both = (reply, policy[1]) if seat == 0 else (policy[0], reply)
            known = loaded.replies[player] = spot.known.playing(ArrayStrategy(game, both))
        elif player not in loaded.replies and sum(map(bool, map(CARD.fullmatch, parts(line)))) == game.streets - 1 > 0:
            boards = follow(game, known.showdown.boards, line)[1][0].boards
            if (player, boards) not in loaded.below:
                if player not in loaded.repliers:
                    loaded.repliers[player] = Asking(game, spot.strategy, seat, BEST)
                place = game.board(len(boards) - 1, boards[-1])
                known.strategy.numbers(seat, place)[:] = loaded.repliers[player].best_rows(boards)
                loaded.below.add((player, boards))
    return known


def exploit(loaded: Loaded, player: str) -> dict[str, Any]:
    """The summary of a player's best response, as in `headsup exploit`."""
    if player not in loaded.exploits:
        with calculating():
            loaded.exploits[player] = loaded.solved.exploit(player).summary()
    return loaded.exploits[player]


def gains(loaded: Loaded, player: str) -> float:
    if player in loaded.ahead.gains:
        return loaded.ahead.gains[player]
    best_response(loaded, player)
    return loaded.earned[player] - (loaded.solved.value_oop if player == "oop" else loaded.solved.value_ip)


def view(loaded: Loaded, line: str, reply: str = "") -> SpotView:
    key = ", ".join(parts(line)), reply
    shown = loaded.views.get(key)
    if shown is None:
        known = best_response(loaded, reply, line) if reply else loaded.solved.known
        with calculating():
            shown = loaded.views[key] = view_at(known, key[0])
            while len(loaded.views) > 64:
                loaded.views.popitem(last=False)
    return shown


def parts(line: str) -> list[str]:
    return [part.strip() for part in re.split("[,/]", line) if part.strip()]


@dataclass(frozen=True)
class NextStep:
    kind: str  # `act`, `deal` a card, or `over`
    street: str = ""
    cards: tuple[str, ...] = ()  # cards that may come


def where(spot: SpotSolution, line: str) -> NextStep:
    """Whether a player acts after a line, a card is dealt, or the hand is over."""
    words = parts(line)
    tree, betting = spot.game.betting, [word for word in words if not CARD.fullmatch(word)]
    node = tree.find(", ".join(betting))
    if words and CARD.fullmatch(words[-1]):
        return NextStep("act")
    if tree.player[node] < DEAL:
        return NextStep("act")
    if tree.player[node] > DEAL or tree.player[tree.child[node]] >= DEAL:
        return NextStep("over")
    dealt = [word for word in words if CARD.fullmatch(word)]
    return NextStep("deal", spot.spot.streets[1 + len(dealt)], ahead.cards_left(spot, "".join(dealt)))


def tones(actions: Sequence[str]) -> list[str]:
    """The colour of each action: fold blue, check and call green, bets from amber to red by size."""
    colours, bets = [], 0
    for action in actions:
        word = action.split()[0]
        if word in ("fold", "check", "call"):
            colours.append(word)
        elif word == "all-in":
            colours.append("bet4")
        else:
            bets += 1
            colours.append(f"bet{min(bets, 3)}")
    return colours


def cells(view: SpotView, by: str, only: AnyArray | None = None, locked: AnyArray | None = None) -> list[Cell]:
    """The chart: actions side by side with the height of the reach, or values, or equities.

    `only` is a mask of the hands to show; classes of the mask `locked` have a lock as their sign.
    """
    view = view if only is None else replace(view, reach=view.reach * only, weights=view.weights * only)
    grid, tone = view.grid(), tones(view.actions)
    kind = holdem_class_of_combo()[view.combos]
    held = set(kind[locked].tolist()) if locked is not None else set()
    reach = np.bincount(kind, view.reach, 169)
    share = reach / holdem_class_sizes()
    weight = np.bincount(kind, view.weights, 169)
    mean = {}
    for name, values in (("value", view.value), ("equity", view.equity)):
        with np.errstate(invalid="ignore", divide="ignore"):
            mean[name] = np.bincount(kind, np.where(view.weights > 0, view.weights * values, 0.0), 169) / weight
    top = float(np.nanmax(np.abs(mean["value"]))) if (weight > 0).any() else 1.0
    made = []
    for index in range(169):
        name = holdem_class_name(index)
        if reach[index] <= 1e-9:
            why = "never reached" if only is None else "no such hand"
            made.append(Cell(name, "", f"{name}: {why}", (), never=True))
            continue
        height = round(100 * min(1.0, float(share[index])) ** 0.5, 1)  # the root keeps small reaches visible
        frequencies = [(view.actions[i], float(grid[i, index]), tone[i]) for i in reversed(range(len(view.actions)))]
        actions = ", ".join(f"{action} {often:.0%}" for action, often, _ in frequencies if often > 0.0005)
        worth = f"value {fixed(mean['value'][index])}, equity {mean['equity'][index]:.0%}"
        words = f"{name}: {actions}; reach {share[index]:.0%}, {worth}{', locked' if index in held else ''}"
        if by == "strategy":
            bars = side_by_side([(colour, often) for _, often, colour in frequencies], height)
            made.append(Cell(name, "\N{LOCK}" if index in held else "", words, bars))
            continue
        value = float(mean[by][index])
        level = value if by == "equity" else value / top if top else 0.0
        tone_of = "up" if level >= 0 else "down"
        small = "" if value != value else fixed(100 * value, 0) if by == "equity" else fixed(value, 0)
        made.append(Cell(name, small, words, (Bar(tone_of, strength=round(min(1.0, abs(level)), 3)),) if small else ()))
    return made


def hands(view: SpotView, name: str) -> list[dict[str, Any]]:
    """Every hand of a class that gets here."""
    return hand_rows(view, [i for i in np.flatnonzero(np.array(view.classes) == name).tolist() if view.reach[i] > 1e-9])


def hand_rows(view: SpotView, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """Hands one by one: frequencies and value of each action, and the category."""
    return [
        {
            "hand": view.hands[i],
            "reach": float(view.reach[i]),
            "shares": view.frequencies[:, i].tolist(),
            "ev": [None if x != x else x for x in view.ev[:, i].tolist()],
            "equity": float(view.equity[i]),
            "words": view.kinds.words(i),
        }
        for i in numbers
    ]


def runouts(path: Path, line: str) -> list[dict[str, Any]]:
    """For each possible next card, the frequencies and the value of the player to act."""
    loaded = load(path)
    rows = loaded.ahead.cards.get(line)
    if rows is None:
        rows = []
        for card in where(loaded.solved, line).cards:
            give_way()
            with calculating():
                rows.append(ahead.next_card(loaded.solved, line, card))
    return [
        row | {"shares": list(zip(row["actions"], row["frequencies"], tones(row["actions"]), strict=True))}
        for row in rows
    ]
