"""The shapes of a street's betting, for the kernels of buckets.cu and last.cu.

Below each line that comes into a street (an entry) there is a small tree. Many lines have the same one, with other
pots: limit hold'em has one for each street. A shape is written out as constants of a C++ header, so that the compiler
unrolls the tree of a hand into registers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL, FOLD, SHOWDOWN
from headsup.games.holdem.vector import VectorGame

WIDE = 4
"""Lines that are summed together."""
CODES = {2: "unsigned short", 4: "unsigned int", 8: "unsigned long long"}
"""Whole numbers by their bytes."""
EIGHT = 8
"""Numbers of a bucket are padded to a multiple of this."""


@dataclass(frozen=True, eq=False)
class Shape:
    """The betting below some entries of a street, which is the same for all of them."""

    entry: AnyArray  # int32[entries] their numbers on the street
    rows: tuple[AnyArray, AnyArray]  # int64[entries, rows] for each player, which rows of the street those below are
    deal: AnyArray  # int32[entries, deals] the numbers of their deals on the street
    pay: AnyArray  # float64[2, entries, ends, 2] what ends pay each player, chance not yet multiplied in
    player: AnyArray
    child: AnyArray
    count: AnyArray
    row: AnyArray
    at: AnyArray  # int[2, nodes]

    @property
    def pad(self) -> int:
        """Numbers stored for a bucket: one for each row, room for one more, in eights."""
        most = max(int(rows.shape[1]) for rows in self.rows)
        return -(-(most + 1) // EIGHT) * EIGHT

    @property
    def bits(self) -> int:
        """Bits that name an action of a decision."""
        return max(1, int(self.count[self.player < DEAL].max(initial=1) - 1).bit_length())

    @property
    def code_bytes(self) -> int:
        """Bytes that name what a player does at all decisions below an entry."""
        if not self.is_coded:
            raise UserError(
                f"a street with {self._most} decisions of a player is too long to be learned on a GPU: take fewer bets"
            )
        return next(size for size in CODES if 8 * size >= self.bits * self._most)

    @property
    def is_coded(self) -> bool:
        """Whether a number can name what a player does; a best reply is measured without one, but not remembered."""
        return self.bits * self._most <= 8 * max(CODES)

    @property
    def _most(self) -> int:
        return max(int((self.player == p).sum()) for p in (0, 1))

    def _shifts(self) -> list[int]:
        seen = [0, 0]
        out = [0] * len(self.player)
        for node, player in enumerate(self.player.tolist()):
            if player < DEAL:
                out[node] = self.bits * seen[player]
                seen[player] += 1
        return out

    def header(self, seat: int) -> str:
        """The constants of a tree as one player sees them, and what walks do with it (tree.cuh)."""
        nodes, ends = range(len(self.player)), np.flatnonzero(self.player > DEAL).tolist()
        given_up = [n for n in ends if self.player[n] == FOLD and self.player[self._parent(n)] != seat]
        rows = [int(row) for row in self.at[1 - seat]]
        lines = list(dict.fromkeys(rows[n] for n in self._ends_in_order(0) if n not in given_up))
        derived = [n for n in given_up if self._follows(n, rows, lines)]
        lines += dict.fromkeys(rows[n] for n in given_up if n not in derived)
        lines += [0] if any(rows[self._parent(n)] == 0 for n in derived) and 0 not in lines else []
        line_of = [lines.index(rows[n]) if n in ends and n not in derived else -1 for n in nodes]
        line_at = [lines.index(r) if r in lines else -1 for r in range(1 + self.rows[1 - seat].shape[1])]
        known = self._passes([self._wanted(n, rows, line_at, line_of, derived) for n in nodes])
        passes = max(1, -(-len(lines) // WIDE))
        shown = [int(self.player[n] == SHOWDOWN) for n in nodes]
        shows = [int(any(shown[n] and line_of[n] // WIDE == g for n in ends)) for g in range(passes)]
        deals = np.flatnonzero(self.player == DEAL).tolist()
        return "\n".join(
            [
                "#include <cuda_fp16.h>",
                f"#define ME {seat}",
                f"#define NODES {len(self.player)}",
                f"#define LINES {max(1, len(lines))}",
                f"#define PASSES {passes}",
                f"#define ENDS {max(1, len(ends))}",
                f"#define DEALS {max(1, len(deals))}",
                f"#define PAD {self.pad}",
                f"#define BITS {self.bits}",
                f"#define CODED {int(self.is_coded)}",
                f"#define CODE {CODES[self.code_bytes if self.is_coded else max(CODES)]}",
                _array("SHIFT", self._shifts()),
                _array("PLAYER", self.player),
                _array("CHILD", self.child),
                _array("COUNT", self.count),
                _array("ROW", self.row),
                f"static __device__ constexpr int AT[2][NODES] = {{{_list(self.at[0])}, {_list(self.at[1])}}};",
                _array("ROWS", [rows.shape[1] for rows in self.rows]),
                _array("LINE_AT", lines or [0]),
                _array("LINE_OF", line_of),
                _array("LINE_WITH", line_at),
                _array("DERIVED", [int(n in derived) for n in nodes]),
                _array("PARENT", [self._parent(n) for n in nodes]),
                _array("SHOWN", shown),
                _array("SHOWS", shows),
                _array("END_OF", [ends.index(n) if n in ends else -1 for n in nodes]),
                _array("DEAL_OF", [deals.index(n) if n in deals else -1 for n in nodes]),
                _array("PASS", known),
                _tree(),
            ]
        )

    def _parent(self, node: int) -> int:
        below = (self.child <= node) & (node < self.child + self.count) & (self.player < DEAL)
        return int(np.flatnonzero(below)[0]) if node else 0

    def _siblings(self, node: int) -> list[int]:
        parent = self._parent(node)
        return [n for n in range(self.child[parent], self.child[parent] + self.count[parent]) if n != node]

    def _follows(self, node: int, rows: list[int], lines: list[int]) -> bool:
        """Whether what a fold meets is what its decision meets, less what the other actions meet, all known anyway."""
        return rows[self._parent(node)] in (0, *lines) and all(rows[n] in lines for n in self._siblings(node))

    def _wanted(self, node: int, rows: list[int], line_at: list[int], line_of: list[int], derived: list[int]) -> int:
        """The last line that the value of an end waits for, or -1."""
        if node not in derived:
            return line_of[node]
        return max(line_at[rows[n]] for n in (self._parent(node), *self._siblings(node)))

    def _ends_in_order(self, node: int) -> list[int]:
        """The ends below a node, deepest betting first: what comes up early need not be remembered for long."""
        if self.player[node] >= DEAL:
            return [node] if self.player[node] > DEAL else []
        below = range(int(self.child[node]), int(self.child[node] + self.count[node]))
        parts = sorted((self._ends_in_order(n) for n in below), key=len, reverse=True)
        return [n for part in parts for n in part]

    def _passes(self, wanted: list[int]) -> list[int]:
        """After which group of lines each node's value is known; a deal's is there whenever it is asked for."""
        known = [0] * len(self.player)
        for node in range(len(self.player) - 1, -1, -1):
            if wanted[node] >= 0:
                known[node] = wanted[node] // WIDE
            elif self.player[node] < DEAL:
                below = range(int(self.child[node]), int(self.child[node] + self.count[node]))
                known[node] = max(known[n] for n in below)
                for n in below:
                    if self.player[n] == DEAL:
                        known[n] = known[node]
        return known


@cache
def _tree() -> str:
    return Path(__file__).with_name("tree.cuh").read_text()


def _list(numbers: Any) -> str:
    return "{" + ", ".join(str(int(number)) for number in numbers) + "}"


def _array(name: str, numbers: Any) -> str:
    return f"static __device__ constexpr int {name}[{len(numbers)}] = {_list(numbers)};"


def shapes(game: VectorGame, street: int) -> list[Shape]:
    """The shapes of a street, each with its entries."""
    rounds = game.rounds
    entry = rounds.entry[rounds.entries[street] : rounds.entries[street + 1]].astype(np.int64)
    ends = np.append(entry[1:], int(rounds.start[street + 1]))
    first_deal, first_end = int(rounds.deals[street]), int(rounds.ends[street])
    scale = np.asarray(game.chance)[street] / game.mass
    alike: dict[bytes, list[tuple[int, slice]]] = {}
    for number, (low, high) in enumerate(zip(entry.tolist(), ends.tolist(), strict=True)):
        here = slice(low, high)
        key = rounds.player[here].tobytes() + rounds.count[here].tobytes()
        alike.setdefault(key, []).append((number, here))
    out = []
    for members in alike.values():
        here = members[0][1]
        player, count = rounds.player[here], rounds.count[here]
        child = np.where(player < DEAL, rounds.child[here] - here.start, 0)
        begins = [[_first_row(rounds, part, p) for _, part in members] for p in (0, 1)]
        own = [player == p for p in (0, 1)]
        row = np.zeros(len(player), dtype=np.int64)
        rows = []
        for p in (0, 1):
            row[own[p]] = rounds.row[here][own[p]] - begins[p][0]
            rows.append(np.array(begins[p])[:, None] + np.arange(int(count[own[p]].sum()))[None, :])
        at = np.stack([_reach_rows(player, child, count, row, p) for p in (0, 1)])
        deals = [np.flatnonzero(rounds.player[part] == DEAL) + part.start for _, part in members]
        numbers = [np.searchsorted(rounds.deal[first_deal : rounds.deals[street + 1]], nodes) for nodes in deals]
        stops = [np.flatnonzero(np.isin(rounds.player[part], (FOLD, SHOWDOWN))) + part.start for _, part in members]
        ends = rounds.end[first_end : rounds.ends[street + 1]]
        places = [first_end + np.searchsorted(ends, nodes) for nodes in stops]
        pay = np.stack([rounds.pay[:, place] / scale for place in places], axis=1)
        out.append(
            Shape(
                entry=np.array([number for number, _ in members], dtype=np.int32),
                rows=(rows[0], rows[1]),
                deal=np.array(numbers, dtype=np.int32).reshape(len(members), -1),
                pay=pay,
                player=player,
                child=child,
                count=count,
                row=row,
                at=at,
            )
        )
    return out


def _first_row(rounds: Any, here: slice, seat: int) -> int:
    own = np.flatnonzero(rounds.player[here] == seat)
    return int(rounds.row[here][own[0]]) if len(own) else 0


def _reach_rows(player: AnyArray, child: AnyArray, count: AnyArray, row: AnyArray, seat: int) -> AnyArray:
    """[nodes] which row of a player's reach holds at each node below an entry: the entry's, 0, or 1 + an own row."""
    at = np.zeros(len(player), dtype=np.int64)
    for node in range(len(player)):
        if player[node] < DEAL:
            for a in range(int(count[node])):
                at[child[node] + a] = 1 + row[node] + a if player[node] == seat else at[node]
    return at
