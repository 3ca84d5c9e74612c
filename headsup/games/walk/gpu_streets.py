"""A street of a game as the kernels of walk.cu want it, and the memory of the device that a walk takes.

`walker_plan` counts all that a `headsup.games.walk.gpu.GpuWalker` allocates, before it does, and says how: which boards
are walked together, and on which streets orders are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.common.errors import UserError
from headsup.games.holdem.four import SLOTS, FourCardSorted
from headsup.games.holdem.lanes import SETS
from headsup.games.holdem.layout import DEAL, FourAlike, Rounds, WalkHands
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import widths

CARDS = 52
GRAIN = 512
"""CuPy's pool hands out memory in multiples of so many bytes."""
ROOMS = 32
"""Arrays of a street, at most, beside its betting."""
RENAMINGS = 24
"""Of suits; a board has one of them for each board of its parent that it stands for."""
LEVELS = 144
"""The most strengths that four-card hands have on a board, as in four.cu: 91 pairs of ranks and 45 of a suit."""
MEMORY_SHARE = 0.8
"""How much of the device's free memory a walk takes at most."""


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
    below: tuple[tuple[Any, Any], tuple[Any, Any]]  # for each player: decisions for `forward_pass`, where entries begin
    up: tuple[Any, Any]  # decisions for `backward_pass`, where entries begin
    own: tuple[Any, Any]  # for each player, their own of those
    ends: tuple[Ends, Ends]
    masks: Any  # uint64[boards]
    parent: Any  # int32[boards]
    child: Any  # int32[boards + 1]
    first: Any  # int64[boards + 1]
    renaming: Any  # uint8[...]


def new_street(game: VectorGame, s: int, dtype: Any, up: Callable[[AnyArray], Any]) -> Street:
    """Bring a street's betting and boards to the device with `up`; payoffs as `dtype`."""
    level: Any = game.boards.levels[s]  # boards of cards, since the walk takes sorted showdowns only
    boards = {name: up(getattr(level, name)) for name in ("masks", "parent", "child", "first", "renaming")}
    return Street(**_betting(game.rounds, s, dtype, up), **boards)


def _betting(rounds: Rounds, s: int, dtype: Any, up: Callable[[AnyArray], Any]) -> dict[str, Any]:
    """The betting of a street: a `Street` without its boards."""
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
    return {
        "entries": len(entry),
        "nodes": len(nodes),
        "deals": len(deal),
        "entry": up((entry - start).astype(np.int32)),
        "deal": up((deal - start).astype(np.int32)),
        "come_at": (up(np.ascontiguousarray(come_at[0])), up(np.ascontiguousarray(come_at[1]))),
        "below": (below[0], below[1]),
        "up": (up(rising), up(_begins(decisions, entry))),
        "own": (up(rising[player == 0]), up(rising[player == 1])),
        "ends": (_ends(rounds, s, 0, dtype, up), _ends(rounds, s, 1, dtype, up)),
    }


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


class FourOrders(NamedTuple):
    """What showdowns of four-card hands must know of some boards, sweep by sweep, as against_four (four.cu) has it."""

    first: Any  # int32[boards, sweeps, hands] of player 0, weakest first
    second: Any  # the same of player 1
    ends: Any  # int32[boards, sweeps, LEVELS, 2] where each level ends in both players' orders
    number: Any  # int32[boards, sweeps] how many levels there are
    masks: Any  # uint64[boards]


class FourTables(NamedTuple):
    """What kernels must know of a player's four-card hands, where boards of a group have the same columns.

    Each hand has a column, and there is one group, unless hands that are alike share a column (`FourAlike`).
    """

    cards: Any  # uint8[groups, columns, 4] of the hand that stands for each column
    same: Any  # int32[groups, columns] the opponent's column of the same cards, or -1
    sets: Any  # uint16[groups, columns, SLOTS]
    many: Any  # uint8[groups, columns, SLOTS] how many of its hands have a set; 0 where a hand's set before is like it
    size: Any  # [groups, columns] how many hands a column stands for
    above: Any  # int32[pairs, columns] the column of the board above, for each pair of groups of a board and that one
    maps: (
        Any  # int32[pairs, RENAMINGS, columns] the column on a board that a renaming turns one of the board above into
    )


def four_tables(hands: WalkHands, alike: FourAlike | None, seat: int, columns: int, dtype: Any) -> FourTables:
    """On the host."""
    four = hands.four
    same, sets, size = (np.ascontiguousarray(table[:, seat, :columns]) for table in (four.same, four.sets, four.size))
    many = np.ones(sets.shape, np.uint8)
    many[:, :, SETS:] = 0
    if alike is None:
        cards, maps = hands.cards[None, seat, :columns], hands.maps[None, seat, :, :columns]
        above = np.arange(columns, dtype=np.int32)[None]
    else:
        stand, column = alike.stand[:, seat, :columns], alike.column[:, seat]
        cards, above = hands.cards[seat][stand], hands.above[seat::2, :columns]
        maps = np.stack([column[below][hands.maps[seat][:, stand[over]]] for below, over in alike.pairs.T])
        for group in np.flatnonzero(four.shares):
            many[group, :, :SETS] = _with_sets(sets[group, :, :SETS], size[group], four.part[group])
    tables = (cards, same, sets, many, size.astype(dtype), above, maps.astype(np.int32))
    return FourTables(*map(np.ascontiguousarray, tables))


def _with_sets(sets: AnyArray, size: AnyArray, part: AnyArray) -> AnyArray:
    """How many hands of a column have each of these sets, where rows are sets that are alike."""
    counted = np.zeros(sets.shape, np.uint8)
    for k in range(SETS):
        alike = sets == sets[:, k, None]
        number = np.rint(size * alike.sum(axis=1) * part[sets[:, k]])
        counted[:, k] = np.where(alike[:, :k].any(axis=1), 0, number)
    return counted


class Columns(NamedTuple):
    """Where the columns of a street's boards begin, for kernels of four-card hands."""

    at: Any  # (int64[boards + 1], int64[boards + 1]) for each player
    group: Any  # int32[boards]
    pair: Any  # int32[boards]


def new_columns(hands: WalkHands, s: int, up: Callable[[AnyArray], Any]) -> Columns:
    """Those of a street, on the device; 0 in place of each array for hands of two cards."""
    if hands.four is None:
        return Columns((np.uint64(0), np.uint64(0)), np.uint64(0), np.uint64(0))
    here = slice(int(hands.start[s]), int(hands.start[s + 1]))
    first, second = (up(np.append(0, np.cumsum(hands.wide[p, here])).astype(np.int64)) for p in (0, 1))
    group = hands.four.group[here].astype(np.int32)
    pair = hands.link[0, here] // 2 if hands.link.size else np.zeros(len(group))
    return Columns((first, second), up(group), up(pair.astype(np.int32)))


def four_orders(hands: WalkHands, sizes: tuple[int, int], boards: slice, masks: Any) -> FourOrders:
    """The orders of some boards, which are counted over all streets, on the host; `masks` are theirs."""
    four, count = hands.four, boards.stop - boards.start
    sweeps = [[(hands.order[p], hands.strength[p], hands.alive[p]) for p in (0, 1)]]
    if four.split[boards].any():
        sweeps = [[(four.order[i, p], four.strength[i, p], four.number[i, p]) for p in (0, 1)] for i in (0, 1)] + sweeps
    first, second = (np.stack([sweep[p][0][boards, : sizes[p]] for sweep in sweeps], axis=1) for p in (0, 1))
    ends = np.zeros((count, len(sweeps), LEVELS, 2), dtype=np.int32)
    number = np.zeros(ends.shape[:2], dtype=np.int32)
    for b in range(count):
        for k, sweep in enumerate(sweeps):
            both = [strength[boards.start + b, : int(n[boards.start + b])] for _, strength, n in sweep]
            levels = np.union1d(*(values[np.flatnonzero(np.diff(values, append=-1))] for values in both))
            if sweep is sweeps[-1] and not len(levels):
                levels = np.zeros(1, dtype=np.int16)  # nobody has a hand: the kernel counts nothing
            number[b, k] = len(levels)
            for p in (0, 1):
                ends[b, k, : len(levels), p] = np.searchsorted(both[p], levels, side="right")
    return FourOrders(first, second, ends, number, masks)


def orders_bytes(game: VectorGame, alike: bool = False) -> int:
    """The bytes of a board's orders for both seats: `_Orders` of the walk, or `FourOrders`."""
    sizes, showdown = widths(game, alike)[0], game.showdown
    if isinstance(showdown, FourCardSorted):
        return (3 if showdown.low else 1) * (4 * sum(sizes) + 8 * LEVELS + 4)
    return sum(6 * sizes[1 - seat] + 2 * (CARDS + 1) + 16 * sizes[seat] for seat in (0, 1))


def room_bytes(rounds: Rounds, s: int, columns: tuple[int, int], dtype: Any, fused: bool = False) -> int:
    """The bytes to walk so many columns of each player on a street; a `fused` last street has values at its entries
    only.
    """
    entries, nodes = int(rounds.entries[s + 1] - rounds.entries[s]), int(rounds.start[s + 1] - rounds.start[s])
    cells = sum((entries + int(rounds.rows[p, s])) * columns[p] for p in (0, 1)) + nodes * max(columns)
    if fused and s == len(rounds.start) - 2:
        cells = entries * max(columns)
    return int(cells * np.dtype(dtype).itemsize)


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


class WalkerPlan(NamedTuple):
    """How a walk uses the memory of a device."""

    bytes: int
    """What it takes at most."""
    chunks: list[int]
    """How many boards of each street are walked together."""
    keeps: list[bool]
    """On which streets the orders of all boards are kept; elsewhere they are made for each chunk."""
    columns: list[tuple[int, int]]
    """How many columns of each player a chunk of each street has, at most."""


def walker_plan(
    game: VectorGame, dtype: Any, memory: int | None = None, fused: bool = False, alike: bool = False
) -> WalkerPlan:
    """The plan of a walk in so many bytes, or of all boards at once; boards are counted, not built.

    `alike`: four-card hands that are alike share a column, here and below.
    """
    sizes, boards = widths(game, alike)[0], game.boards.sizes()
    room = [room_bytes(game.rounds, s, sizes, dtype, fused) for s in range(len(boards))]
    fixed = fixed_bytes(game, dtype, alike)
    orders, read = orders_bytes(game, alike), read_bytes(game)
    keeps = [True] * len(boards)
    if memory is not None:
        least = least_bytes(game, dtype, alike)
        if least > memory:
            raise UserError(
                f"one board of each street needs {least:,} bytes, and the GPU has {memory:,} free: use fewer bet sizes"
            )
        part = (memory - least) // (2 if fused else 4)  # the last street is much the largest, and if fused takes little
        keeps = [size <= part // (orders + read) for size in boards]
    kept = [size for size, keep in zip(boards, keeps, strict=True) if keep]
    always = fixed + sum(kept) * orders + max(kept, default=0) * read  # orders of one street are made after another's
    made = [0 if keep else orders + read for keep in keeps]
    each = [size + more for size, more in zip(room, made, strict=True)]
    chunks = boards if memory is None else chunk_sizes(boards, each, memory - always)
    columns = [(n * sizes[0], n * sizes[1]) for n in chunks]
    if alike and isinstance(game.showdown, FourCardSorted):  # boards with fewer columns than the widest take less
        every = zip(game.showdown.columns(0), game.showdown.columns(1), strict=True)
        columns = [both if chunks[s] == boards[s] else columns[s] for s, both in enumerate(every)]
    taken = sum(room_bytes(game.rounds, s, both, dtype, fused) + chunks[s] * made[s] for s, both in enumerate(columns))
    return WalkerPlan(always + taken, list(chunks), keeps, columns)


def least_bytes(game: VectorGame, dtype: Any, alike: bool = False) -> int:
    """The least memory in which a `GpuWalker` walks a game, one board of each street at a time."""
    prepared = game.streets * (orders_bytes(game, alike) + read_bytes(game))
    boards = sum(room_bytes(game.rounds, s, widths(game, alike)[0], dtype) for s in range(game.streets))
    return fixed_bytes(game, dtype, alike) + boards + prepared


def read_bytes(game: VectorGame) -> int:
    """The bytes that `prepare` reads of a board: both players' hands in order, their strengths and their numbers."""
    return 0 if isinstance(game.showdown, FourCardSorted) else sum(4 * n + 4 for n in game.showdown.sizes)


def free_bytes(cp: Any) -> int:
    """The free memory of the device, with what CuPy's pool holds and does not use."""
    return int(cp.cuda.runtime.memGetInfo()[0]) + int(cp.get_default_memory_pool().free_bytes())


def free_share(cp: Any, reserve: int = 0) -> int:
    """How much of the device's free memory a walk may take, after a reserve for other arrays."""
    return int(MEMORY_SHARE * (free_bytes(cp) - reserve))


def fixed_bytes(game: VectorGame, dtype: Any, alike: bool = False) -> int:
    """What a `GpuWalker` takes however few boards it walks together: hands, betting and lists of boards."""
    total = 0

    def count(array: AnyArray) -> AnyArray:
        nonlocal total
        total += array.nbytes + GRAIN
        return array

    four = isinstance(game.showdown, FourCardSorted)
    for s, size in enumerate(game.boards.sizes()):
        _betting(game.rounds, s, dtype, count)
        total += size * (8 + 4 + 4 + 8 + RENAMINGS) + ROOMS * GRAIN + four * (24 * size + 16)
    item = int(np.dtype(dtype).itemsize)
    if not four:
        return total + 2 * max(game.showdown.sizes) * (2 + 4 + 2 * RENAMINGS + item)
    groups, pairs = game.showdown.tables if alike else (1, 1)  # type: ignore[attr-defined]
    each = groups * (4 + 4 + 3 * SLOTS + item) + pairs * (4 + 4 * RENAMINGS) + item
    return total + sum(widths(game, alike)[0]) * each
