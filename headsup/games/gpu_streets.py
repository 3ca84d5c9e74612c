"""A street of a game as the kernels of walk.cu want it, and what its boards take of a device's memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from headsup.errors import UserError
from headsup.games.arrays import AnyArray
from headsup.games.vector import VectorGame
from headsup.games.walk_kernels import DEAL, Rounds

CARDS = 52


class Ends(NamedTuple):
    """The ends of a street as one seat sees them, line by line."""

    rows: Any  # int32[lines] the row of the opponent's reach
    first: Any  # int32[lines + 1] where the ends of each line begin
    node: Any  # int32[ends] their nodes, counted from the street's first
    pay: Any  # [ends, 2] for meeting a hand, and more for beating it
    showdowns: int


class Street(NamedTuple):
    """The betting and the boards of a street, on the device; nodes are counted from the street's first."""

    entries: int
    nodes: int
    deals: int
    entry: Any  # int32[entries]
    deal: Any  # int32[deals]
    come_at: tuple[Any, Any]  # int32[entries] for each player, the row of the reach above
    below: tuple[tuple[Any, Any], tuple[Any, Any]]  # for each player: decisions for `play`, where entries begin
    up: tuple[Any, Any]  # decisions for `rise`, where entries begin
    own: tuple[Any, Any]  # for each player, their own of those
    ends: tuple[Ends, Ends]
    masks: Any  # uint64[boards]
    parent: Any  # int32[boards]
    child: Any  # int32[boards + 1]
    first: Any  # int64[boards + 1]
    renaming: Any  # uint8[...]


def new_street(game: VectorGame, s: int, dtype: Any, up: Callable[[AnyArray], Any]) -> Street:
    """Bring a street's betting and boards to the device with `up`; payoffs as `dtype`."""
    rounds = game.rounds
    level: Any = game.boards.levels[s]  # hold'em boards, since the walk takes sorted showdowns only
    start = int(rounds.start[s])
    entry = rounds.entry[rounds.entries[s] : rounds.entries[s + 1]]
    deal = rounds.deal[rounds.deals[s] : rounds.deals[s + 1]]
    above = rounds.deal[rounds.deals[s - 1] : rounds.deals[s]] if s else np.zeros(1, dtype=np.int32)
    come_at = rounds.at[:, above] if s else np.zeros((2, 1), dtype=np.int32)
    nodes = np.arange(start, int(rounds.start[s + 1]))
    decisions = nodes[rounds.player[nodes] < DEAL]
    player, none = rounds.player[decisions].astype(np.int32), np.zeros(len(decisions), dtype=np.int32)
    columns = (decisions - start, rounds.child[decisions] - start, rounds.row[decisions])
    rising = np.stack([*columns, rounds.count[decisions] | player << 16], axis=1).astype(np.int32)
    below = []
    for p in (0, 1):
        mine = player == p
        rows = (rounds.at[p, decisions], rounds.row[decisions], rounds.count[decisions], none)
        below.append((up(np.stack(rows, axis=1)[mine].astype(np.int32)), up(_begins(decisions[mine], entry))))
    return Street(
        entries=len(entry),
        nodes=len(nodes),
        deals=len(deal),
        entry=up((entry - start).astype(np.int32)),
        deal=up((deal - start).astype(np.int32)),
        come_at=(up(np.ascontiguousarray(come_at[0])), up(np.ascontiguousarray(come_at[1]))),
        below=(below[0], below[1]),
        up=(up(rising), up(_begins(decisions, entry))),
        own=(up(rising[player == 0]), up(rising[player == 1])),
        ends=(_ends(rounds, s, 0, dtype, up), _ends(rounds, s, 1, dtype, up)),
        masks=up(level.masks),
        parent=up(level.parent),
        child=up(level.child),
        first=up(level.first),
        renaming=up(level.renaming),
    )


def _ends(rounds: Rounds, s: int, seat: int, dtype: Any, up: Callable[[AnyArray], Any]) -> Ends:
    here = slice(rounds.ends[s], rounds.ends[s + 1])
    lines = rounds.lines[rounds.first_line[seat, s] : rounds.first_line[seat, s + 1]]
    line = rounds.line[seat, here]
    order = np.argsort(line, kind="stable")
    return Ends(
        rows=up(np.ascontiguousarray(lines, dtype=np.int32)),
        first=up(np.searchsorted(line[order], np.arange(len(lines) + 1)).astype(np.int32)),
        node=up((rounds.end[here][order] - rounds.start[s]).astype(np.int32)),
        pay=up(rounds.pay[seat, here][order].astype(dtype)),
        showdowns=int(rounds.showdowns[seat, s]),
    )


def _begins(nodes: AnyArray, entry: AnyArray) -> AnyArray:
    """Where the nodes below each entry begin; an entry's subtree lies before the next entry."""
    return np.append(np.searchsorted(nodes, entry), len(nodes)).astype(np.int32)


def orders_bytes(sizes: tuple[int, int]) -> tuple[int, int]:
    """The bytes of a board's `_Orders` for each seat."""
    return tuple(6 * sizes[1 - seat] + 2 * (CARDS + 1) + 16 * sizes[seat] for seat in (0, 1))  # type: ignore[return-value]


def board_bytes(rounds: Rounds, sizes: tuple[int, int], dtype: Any) -> list[int]:
    """The bytes of a board's room on each street."""
    found = []
    for s in range(len(rounds.start) - 1):
        entries, nodes = int(rounds.entries[s + 1] - rounds.entries[s]), int(rounds.start[s + 1] - rounds.start[s])
        cells = sum((entries + int(rounds.rows[p, s])) * sizes[p] for p in (0, 1)) + nodes * max(sizes)
        found.append(cells * np.dtype(dtype).itemsize)
    return found


def chunk_sizes(boards: list[int], each: list[int], memory: int) -> list[int]:
    """How many boards of each street to walk together: upper streets take a quarter of what is left, the last all."""
    if sum(each) > memory:
        raise UserError(
            f"one board of each street needs {sum(each):,} bytes, and the GPU has {memory:,} free: use fewer bet sizes"
        )
    chunks = []
    for s, (count, size) in enumerate(zip(boards, each, strict=True)):
        room = (memory - sum(each[s:])) // (1 if s == len(boards) - 1 else 4) + size
        chunks.append(max(1, min(count, room // max(1, size))))
        memory -= chunks[-1] * size
    return chunks


def gpu_walker_bytes(game: VectorGame, dtype: Any) -> int:
    """What a `GpuWalker` takes to walk all boards at once, before it is made; it makes do with less."""
    sizes, boards = game.showdown.sizes, game.boards.sizes()
    each = board_bytes(game.rounds, sizes, dtype)
    return sum(count * (size + sum(orders_bytes(sizes))) for count, size in zip(boards, each, strict=True))
