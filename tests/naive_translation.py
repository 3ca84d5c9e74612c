"""A slow, obvious player who translates bets: two tables with chips, one real and one imagined. Imports no headsup.

The player remembers what every bet was read as by moving the chips of the imagined table, and all ways of reading and
acting are followed one by one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from tests.naive_betting import Sizes, Table, offered

Line = tuple[str, ...]


def moves(table: Table, sizes: Sizes | None) -> list[tuple[str, str, float]]:
    """The name of each action, its kind, and its share of the pot after a call."""
    me = table.waiting[0]
    top, mine = table.front[1 - me], table.front[me]
    out = [("fold", "fold", 0.0), ("call", "call", 0.0)] if top > mine else [("check", "call", 0.0)]
    pot = table.middle + sum(table.front) + top - mine
    ends = min(table.front[0] + table.behind[0], table.front[1] + table.behind[1])
    for total in offered(table, sizes):
        word = "all-in" if total >= ends else "raise" if table.bets else "bet"
        out.append((f"{word} {total}", "all-in" if total >= ends else "bet", (total - top) / pot))
    return out


def after(table: Table, name: str) -> Table:
    """The table after an action."""
    table = copy.deepcopy(table)
    if name == "fold":
        table.fold()
    elif name in ("check", "call"):
        table.call()
    else:
        table.raise_to(int(name.split()[1]))
    return table


def readings(share: float, kind: str, here: list[tuple[str, str, float]], method: str) -> list[tuple[str, float]]:
    """As which actions an opponent's action is read."""
    if kind == "call":
        return [(name, 1.0) for name, its, _ in here if its == "call"]
    if kind == "all-in" and any(its == "all-in" for _, its, _ in here):
        return [(name, 1.0) for name, its, _ in here if its == "all-in"]
    sizes = [(size, name) for name, its, size in here if its != "fold"]
    below = max((one for one in sizes if one[0] <= share), default=None)
    above = min((one for one in sizes if one[0] >= share), default=None)
    if below is None or above is None or below == above:
        return [((below or above)[1], 1.0)]
    a, b = below[0], above[0]
    if method == "nearest":
        lower = 1.0 if share - a <= b - share else 0.0
    elif method == "linear":
        lower = (b - share) / (b - a)
    else:
        lower = (b - share) * (1 + a) / ((b - a) * (1 + share))
    return [(below[1], lower), (above[1], 1.0 - lower)]


def made(name: str, here: list[tuple[str, str, float]], there: list[tuple[str, str, float]]) -> tuple[str, str]:
    """How an action of the imagined table is made at the real one, and what it counts as at the imagined one."""
    kind, share = next((its, size) for its_name, its, size in here if its_name == name)
    waits = next(one for one, its, _ in there if its == "call")
    if kind == "fold" and there[0][0] == "fold":
        return "fold", name
    if kind in ("fold", "call"):
        return waits, next(one for one, its, _ in here if its == "call")
    bets = [(abs(size - share), size, one) for one, its, size in there if its in ("bet", "all-in")]
    if kind == "all-in":
        bets = [bet for bet in bets if bet[2].startswith("all-in")] or bets
    if not bets:
        return waits, next(one for one, its, _ in here if its == "call")
    return min(bets)[2], name


def play_out(
    real: Table,
    small: Table,
    menus: tuple[Sizes | None, Sizes | None],
    seat: int,
    method: str,
    shares: Callable[[Line], Any],
    chance: Any,
    found: dict[Line, dict[str, Any]],
    lines: tuple[Line, Line] = ((), ()),
) -> None:
    """Follow every line of the real table; `found[line][action]` adds up how often the seat comes there and acts so.

    `shares` are the actions of the imagined table after a line of it, in order.
    """
    while not small.over and small.street < real.street:
        name = moves(small, menus[1])[0 if small.front[0] == small.front[1] else 1][0]
        small, lines = after(small, name), (lines[0], (*lines[1], name))
    if real.over:
        return
    there = moves(real, menus[0])
    lost = bool(small.over) or small.street != real.street or small.waiting[0] != real.waiting[0]
    here = [] if lost else moves(small, menus[1])

    def on(name: str, read: str | None, p: Any) -> None:
        further = (*lines[0], name), lines[1] if read is None else (*lines[1], read)
        next_small = small if read is None else after(small, read)
        play_out(after(real, name), next_small, menus, seat, method, shares, p, found, further)

    if real.waiting[0] != seat:
        for name, kind, share in there:
            if kind == "fold":
                continue
            for read, p in [(None, 1.0)] if lost else readings(share, kind, here, method):
                if p > 0.0:
                    on(name, read, chance * p)
        return
    tally = found.setdefault(lines[0], {name: 0.0 * chance for name, _, _ in there})
    if lost:
        name = next(one for one, kind, _ in there if kind == "call")
        tally[name] = tally[name] + chance
        on(name, None, chance)
        return
    for (name, _, _), share in zip(here, shares(lines[1]), strict=True):
        act, counts = made(name, here, there)
        tally[act] = tally[act] + chance * share
        on(act, counts, chance * share)
