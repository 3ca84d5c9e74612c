"""Walking through a solved spot: where a line leads, the chart coloured by action, hands, categories and runouts."""

from __future__ import annotations

import os
import re
import time
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from headsup.cards.classes import holdem_class_name, holdem_class_of_combo, holdem_class_sizes
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.vector import ArrayStrategy
from headsup.games.walk.walk import BEST, Asking, Walker
from headsup.solve.holdem.paths import CARD, follow
from headsup.spots.solve import SpotSolution
from headsup.spots.view import PLAYERS, SpotView, ViewCache, view_at
from headsup.web import ahead
from headsup.web.ahead import Ahead
from headsup.web.asking import calculating, give_way
from headsup.web.grid import Bar, Cell
from headsup.web.render import fixed

KEPT = 3
"""Solutions that are held in memory."""
BY = {"strategy": "Strategy", "value": "Value", "equity": "Equity"}
LEGENDS = {
    "strategy": "Bars are as high as the hand comes here (by its root), grey where it never does.",
    "value": "Expected chips from here on, orange above zero and blue below; grey where the hand never comes here.",
    "equity": "Equity in percent; grey where the hand never comes here.",
}


@dataclass
class Loaded:
    """A solution in memory, with what was worked out from it."""

    found: SpotSolution
    ahead: Ahead
    replies: dict[str, ViewCache] = field(default_factory=dict)
    """By player: the solution with their best reply, where it was not kept ahead."""
    earned: dict[str, float] = field(default_factory=dict)
    """By player: what it earns, in chips."""
    below: set[tuple[str, tuple[int, ...]]] = field(default_factory=set)
    """Players and paths to boards of the last street where a best reply that was kept ahead is known too."""
    repliers: dict[str, Asking] = field(default_factory=dict)
    """By player: the walk that finds it."""
    replying: Lock = field(default_factory=Lock)
    exploits: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By player: the figures of their best reply."""
    views: OrderedDict[tuple[str, str], SpotView] = field(default_factory=OrderedDict)


Stamped = tuple[str, int]
_loaded: OrderedDict[Stamped, Loaded] = OrderedDict()
_door, _reading = Lock(), Lock()
_BORN = time.time_ns()


def _stamped(path: Path) -> Stamped:
    try:
        return str(path), path.stat().st_mtime_ns
    except OSError:
        raise UserError("this spot has no solution yet: let it be solved") from None


def stamp(path: Path) -> str:
    """A word that is another one as soon as the solution or the server is: views under it never change."""
    return f"{_BORN ^ _stamped(path)[1]:x}"


def load(path: Path) -> Loaded:
    """A solution, kept in memory; a file that was written anew is read anew."""
    key = _stamped(path)
    found = _known(key)
    if found is None:
        with _reading:  # who asks for the same meanwhile waits for it
            found = _known(key) or _read(path, key)
    return found


def _known(key: Stamped) -> Loaded | None:
    with _door:
        if key in _loaded:
            _loaded.move_to_end(key)
        return _loaded.get(key)


def _read(path: Path, key: Stamped) -> Loaded:
    """From the files, each part checked before a number of it is used; damage beside a solution costs time alone."""
    solved = ahead.solution_of(path.parent, regrets=False, mapped=True)
    found = Loaded(solved, ahead.read(solved, path.parent))
    with _door:
        _loaded[key] = found
        while len(_loaded) > KEPT:
            _loaded.popitem(last=False)
    return found


def warm(path: Path) -> None:
    """Have a solution ready for its first visitor: some view of each street, and best replies where they are quick."""
    with suppress(UserError):
        one = load(path)
        line, here = "", Place("act")
        while here.kind != "over":  # down to the river, so that all kernels are loaded
            if here.kind == "act":
                for player in ("", *one.ahead.replies):
                    found = view(one, line, player)
            line = ", ".join([*parts(line), here.cards[0] if here.cards else found.actions[0]])
            here = where(one.found, line)
        if not one.ahead.replies and ahead.is_small(one.found):
            for player in PLAYERS:
                best_reply(one, player)


def best_reply(one: Loaded, player: str, line: str = "") -> ViewCache:
    """The solution with one player's best reply in place of their strategy, to look at after a line.

    All but the last street was kept ahead, and on that one only the board is walked which the line leads to: what is
    best there does not depend on other cards. Walks have room of their own, so clicks need not wait for them.
    """
    if player not in PLAYERS:
        raise UserError(f"a player is {' or '.join(PLAYERS)}, not '{player[:20]}'")
    seat, found = PLAYERS.index(player), one.found
    game, policy, threads = found.game, found.solution.strategy, os.cpu_count() or 1
    with one.replying:  # who asks meanwhile waits for it
        known = one.replies.get(player) or one.ahead.replies.get(player)
        if known is None:
            one.earned[player], reply = Walker(game, threads=threads).reply(policy, seat)
            both = (reply, policy[1]) if seat == 0 else (policy[0], reply)
            known = one.replies[player] = found.known.playing(ArrayStrategy(game, both))
        elif player not in one.replies and sum(map(bool, map(CARD.fullmatch, parts(line)))) == game.streets - 1 > 0:
            boards = follow(game, known.showdown.boards, line)[1][0].boards
            if (player, boards) not in one.below:
                if player not in one.repliers:
                    one.repliers[player] = Asking(game, found.strategy, seat, BEST)
                place = game.board(len(boards) - 1, boards[-1])
                known.strategy.numbers(seat, place)[:] = one.repliers[player].best_rows(boards)
                one.below.add((player, boards))
    return known


def exploit(one: Loaded, player: str) -> dict[str, Any]:
    """The figures of a player's best reply, as `headsup exploit` tells them."""
    if player not in one.exploits:
        with calculating():
            one.exploits[player] = one.found.exploit(player).summary()
    return one.exploits[player]


def gains(one: Loaded, player: str) -> float:
    """What a player's best reply gains, in chips."""
    if player in one.ahead.gains:
        return one.ahead.gains[player]
    best_reply(one, player)
    return one.earned[player] - (one.found.value_oop if player == "oop" else one.found.value_ip)


def view(one: Loaded, line: str, reply: str = "") -> SpotView:
    """The decision to which a line leads."""
    key = ", ".join(parts(line)), reply
    found = one.views.get(key)
    if found is None:
        known = best_reply(one, reply, line) if reply else one.found.known
        with calculating():
            found = one.views[key] = view_at(known, key[0])
            while len(one.views) > 64:
                one.views.popitem(last=False)
    return found


def parts(line: str) -> list[str]:
    """The actions and cards of a line."""
    return [part.strip() for part in re.split("[,/]", line) if part.strip()]


@dataclass(frozen=True)
class Place:
    """Where a line leads."""

    kind: str
    """`act`: somebody decides; `deal`: a card comes; `over`: the hand has ended."""
    street: str = ""
    cards: tuple[str, ...] = ()
    """Cards that may come."""


def where(found: SpotSolution, line: str) -> Place:
    """Whether somebody acts after a line, a card comes, or the hand is over."""
    words = parts(line)
    tree, betting = found.game.betting, [word for word in words if not CARD.fullmatch(word)]
    node = tree.find(", ".join(betting))
    if words and CARD.fullmatch(words[-1]):
        return Place("act")
    if tree.player[node] < DEAL:
        return Place("act")
    if tree.player[node] > DEAL or tree.player[tree.child[node]] >= DEAL:
        return Place("over")
    dealt = [word for word in words if CARD.fullmatch(word)]
    return Place("deal", found.spot.streets[1 + len(dealt)], ahead.cards_left(found, "".join(dealt)))


def tones(actions: Sequence[str]) -> list[str]:
    """The tone of each action: folds blue, checks and calls green, bets from amber to red by size."""
    found, bets = [], 0
    for action in actions:
        word = action.split()[0]
        if word in ("fold", "check", "call"):
            found.append(word)
        elif word == "all-in":
            found.append("bet4")
        else:
            bets += 1
            found.append(f"bet{min(bets, 3)}")
    return found


def cells(one: SpotView, by: str) -> list[Cell]:
    """The chart: in each cell the actions side by side, as high as the hand's reach; or a value, or the equity."""
    kind = holdem_class_of_combo()[one.combos]
    reach = np.bincount(kind, one.reach, 169)
    share = reach / holdem_class_sizes()
    grid, tone = one.grid(), tones(one.actions)
    weight = np.bincount(kind, one.weights, 169)
    mean = {}
    for name, values in (("value", one.value), ("equity", one.equity)):
        with np.errstate(invalid="ignore", divide="ignore"):
            mean[name] = np.bincount(kind, np.where(one.weights > 0, one.weights * values, 0.0), 169) / weight
    top = float(np.nanmax(np.abs(mean["value"]))) if (weight > 0).any() else 1.0
    made = []
    for index in range(169):
        name = holdem_class_name(index)
        if reach[index] <= 1e-9:
            made.append(Cell(name, "", f"{name}: never here", (), never=True))
            continue
        height = round(100 * min(1.0, float(share[index])) ** 0.5, 1)  # by its root, so that small reaches can be seen
        shares = [(one.actions[i], float(grid[i, index]), tone[i]) for i in reversed(range(len(one.actions)))]
        said = ", ".join(f"{action} {often:.0%}" for action, often, _ in shares if often > 0.0005)
        worth = f"value {fixed(mean['value'][index])}, equity {mean['equity'][index]:.0%}"
        words = f"{name}: {said}; {share[index]:.0%} of its hands come here, {worth}"
        if by == "strategy":
            bars, x = [], 0.0
            for _, often, colour in shares:
                if often > 0.0005:
                    bars.append(Bar(colour, round(x, 2), round(100 - height, 2), round(100 * often, 2), height))
                    x += 100 * often
            made.append(Cell(name, "", words, tuple(bars)))
            continue
        value = float(mean[by][index])
        level = value if by == "equity" else value / top if top else 0.0
        tone_of = "up" if level >= 0 else "down"
        small = "" if value != value else fixed(100 * value, 0) if by == "equity" else fixed(value, 0)
        made.append(Cell(name, small, words, (Bar(tone_of, strength=round(min(1.0, abs(level)), 3)),) if small else ()))
    return made


def hands(one: SpotView, name: str) -> list[dict[str, Any]]:
    """Every hand of a class: what it does, what each action is worth, and what it is on the board."""
    found = []
    for i in np.flatnonzero(np.array(one.classes) == name).tolist():
        if one.reach[i] <= 1e-9:
            continue
        found.append(
            {
                "hand": one.hands[i],
                "reach": float(one.reach[i]),
                "shares": one.frequencies[:, i].tolist(),
                "ev": [None if x != x else x for x in one.ev[:, i].tolist()],
                "equity": float(one.equity[i]),
                "words": one.kinds.words(i),
            }
        )
    return found


def runouts(path: Path, line: str) -> list[dict[str, Any]]:
    """For each card that may come, what the next to act does with the whole range, and what it is worth."""
    one = load(path)
    rows = one.ahead.cards.get(line)
    if rows is None:
        rows = []
        for card in where(one.found, line).cards:
            give_way()
            with calculating():
                rows.append(ahead.next_card(one.found, line, card))
    return [
        row | {"shares": list(zip(row["actions"], row["frequencies"], tones(row["actions"]), strict=True))}
        for row in rows
    ]
