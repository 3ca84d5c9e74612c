"""A slow, obvious referee of heads-up betting: a table with chips on it. Imports nothing of headsup.

Chips are behind a player, in front of them, or in the middle. Every line of betting is played out by copying the table
and moving chips. A menu is plain data: lists of sizes such as ("%", 50), ("x", 2.5), ("c", 10), ("e", 2, 150), ("a",).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Size = tuple[Any, ...]


@dataclass
class Rules:
    """What the table plays."""

    openers: tuple[int, ...]
    stacks: tuple[int, int]
    blinds: tuple[int, int] = (0, 0)
    antes: tuple[int, int] = (0, 0)
    pot: int = 0
    kind: str = "no-limit"
    limit_bets: tuple[int, ...] = ()
    cap: int = 1000  # bets a street, a blind counted
    rake: float = 0.0
    rake_cap: float = math.inf


@dataclass
class Sizes:
    """The bets that are offered; None offers every legal one."""

    lists: dict[tuple[int, int], list[list[Size]]]  # by street and seat: first bets, raises, more raises
    donk: dict[tuple[int, int], list[Size]] = field(default_factory=dict)
    cap: int = 1000
    add: float = 0.0
    force: float = 0.0
    merge: float = 0.0


class Table:
    """Two players and their chips."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.behind = list(rules.stacks)
        self.front = [0, 0]
        self.gave = [0, 0]  # what each has put in and not taken back
        self.middle = rules.pot
        self.street = 0
        for seat in (0, 1):
            self._push(seat, rules.antes[seat])
        if rules.antes[0] == rules.antes[1]:
            self._take_back()
        self._gather()
        for seat in (0, 1):
            self._push(seat, rules.blinds[seat])
        self.big = max(*rules.blinds, 1)
        self.full = self.big
        self.bets = 1 if any(rules.blinds) else 0
        self.waiting = [rules.openers[0], 1 - rules.openers[0]]
        self.last_call: int | None = None
        self.over: str | None = None  # "fold" or "showdown"
        self.loser: int | None = None
        self._skip_idle()

    def _push(self, seat: int, chips: int) -> None:
        chips = min(chips, self.behind[seat])
        self.behind[seat] -= chips
        self.front[seat] += chips
        self.gave[seat] += chips

    def _take_back(self) -> None:
        """Chips in front of one that the other has not matched go back."""
        for seat in (0, 1):
            extra = self.front[seat] - self.front[1 - seat]
            if extra > 0:
                self.front[seat] -= extra
                self.behind[seat] += extra
                self.gave[seat] -= extra

    def _gather(self) -> None:
        self.middle += sum(self.front)
        self.front = [0, 0]

    def _skip_idle(self) -> None:
        """Go on to where somebody has a choice, or to the end."""
        while self.over is None:
            while self.waiting:
                me = self.waiting[0]
                if self.behind[me] and (self.front[1 - me] > self.front[me] or self.behind[1 - me]):
                    return
                self.waiting.pop(0)
            self._take_back()
            self._gather()
            if self.street + 1 == len(self.rules.openers):
                self.over = "showdown"
            else:
                self.street += 1
                self.full, self.bets = self.big, 0
                self.waiting = [self.rules.openers[self.street], 1 - self.rules.openers[self.street]]

    def fold(self) -> None:
        self.loser, self.over = self.waiting[0], "fold"
        self._take_back()
        self._gather()

    def call(self) -> None:
        me = self.waiting.pop(0)
        owed = self.front[1 - me] - self.front[me]
        self.last_call = me if owed else None
        self._push(me, owed)
        self._skip_idle()

    def raise_to(self, total: int) -> None:
        me = self.waiting[0]
        more = total - self.front[1 - me]
        self.full = max(self.full, more)
        self.bets += 1
        self._push(me, total - self.front[me])
        self.waiting = [1 - me]
        self._skip_idle()

    def range(self) -> tuple[int, int] | None:
        """The smallest and the greatest legal total."""
        me = self.waiting[0]
        top, mine = self.front[1 - me], self.front[me] + self.behind[me]
        if self.bets >= self.rules.cap or not self.behind[1 - me] or mine <= top:
            return None
        if self.rules.kind == "limit":
            return (min(mine, top + self.rules.limit_bets[self.street]),) * 2
        low = min(mine, top + self.full)
        if self.rules.kind == "pot-limit":
            pot_bet = top + self.middle + sum(self.front) + top - self.front[me]
            return low, min(mine, max(low, pot_bet))
        return low, mine

    def settle(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """What each seat has won or lost, if it wins and if it loses."""
        started = any(self.rules.blinds) or any(self.rules.antes)
        free = started and self.street == 0 and self.over == "fold"
        prize = self.middle - (0 if free else min(self.rules.rake * self.middle, self.rules.rake_cap))
        return (prize - self.gave[0], prize - self.gave[1]), (-self.gave[0], -self.gave[1])


def offered(table: Table, sizes: Sizes | None) -> list[int]:
    """The totals that may be bet."""
    bounds = table.range()
    if bounds is None:
        return []
    low, high = bounds
    me = table.waiting[0]
    top, theirs = table.front[1 - me], table.front[1 - me] + table.behind[1 - me]
    most = min(high, max(low, theirs))
    if sizes is None:
        return list(range(low, most + 1))
    if table.bets >= sizes.cap:
        return []
    all_in = min(theirs, table.front[me] + table.behind[me])
    pot = table.middle + sum(table.front) + top - table.front[me]
    raises = table.bets - (1 if table.street == 0 and any(table.rules.blinds) else 0)
    opening = len(table.waiting) == 2
    if opening and table.last_call == me and (table.street, me) in sizes.donk and table.street:
        chosen = sizes.donk[table.street, me]
    else:
        lists = sizes.lists.get((table.street, me), [[]])
        chosen = lists[min(raises, len(lists) - 1)]
    found = []
    for size in chosen:
        total = wanted(size, top, pot, all_in, raises, len(table.rules.openers) - table.street)
        total = max(low, min(most, total))
        left = most - total
        if all_in <= most and left <= half_up((pot + 2 * (total - top)) * sizes.force):
            total = most
        found.append(total)
    if all_in <= most and most - top <= half_up(pot * sizes.add):
        found.append(most)
    kept: list[int] = []
    for total in sorted(set(found), reverse=True):
        near = kept and (1 + (kept[-1] - top) / pot) / (1 + (total - top) / pot) <= 1 + sizes.merge + 1e-11
        if not near:
            kept.append(total)
    return sorted(kept)


def wanted(size: Size, top: int, pot: int, all_in: int, raises: int, streets: int) -> int:
    """The total that a size asks for."""
    if size[0] == "%":
        return top + half_up(pot * (size[1] / 100))
    if size[0] == "x":
        return half_up(top * size[1])
    if size[0] == "c":
        return top + size[1]
    if size[0] == "a":
        return all_in
    n = size[1] or streets
    if raises > 1:
        n = max(1, n - (raises - 1))
    low, high = 0.0, 1e6  # the share that n bets in a row bring all-in, by halving the interval
    for _ in range(200):
        share = (low + high) / 2
        chips, grown = 0.0, float(pot)
        for _ in range(n):
            chips += share * grown
            grown += 2 * share * grown
            if chips > all_in - top:
                break
        low, high = (share, high) if chips <= all_in - top else (low, share)
    return top + half_up(pot * min(low, size[2] / 100))


def half_up(x: float) -> int:
    return math.floor(x + 0.5)


def lines(table: Table, sizes: Sizes | None, so_far: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Table]]:
    """Every line of betting that ends at a decision or at the end of the hand, with the table there."""
    yield so_far, table
    if table.over:
        return
    me = table.waiting[0]
    moves: list[tuple[str, Any]] = []
    if table.front[1 - me] > table.front[me]:
        moves += [("fold", Table.fold), ("call", Table.call)]
    else:
        moves += [("check", Table.call)]
    ends = min(table.front[0] + table.behind[0], table.front[1] + table.behind[1])
    for total in offered(table, sizes):
        word = "all-in" if total >= ends else "raise" if table.bets else "bet"
        moves.append((f"{word} {total}", lambda after, total=total: after.raise_to(total)))
    for name, move in moves:
        after = copy.deepcopy(table)
        move(after)
        yield from lines(after, sizes, (*so_far, name))
