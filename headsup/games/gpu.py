"""The walk on a CUDA device: the GPU twin of `headsup.games.walk.Walker`.

The CPU takes one board after the other; a GPU wants many at once. So a street is walked in chunks of boards that fit
the device's memory, arrays being [boards, rows, hands]:

1. `descend`: both players' reach on the chunk, from that of the boards above.
2. The boards below the chunk are walked in the same way, themselves in chunks; `leave` adds up their values. A board's
   children may lie in several chunks: each goes on from what the one before has left.
3. `against_lines`: what every end is worth.
4. `ascend`: values up to the entries; regrets are updated in place.

What the showdown must know of a board (where hands stand in order, card by card) is made once by `prepare` and kept
where memory allows, else made again for each chunk.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headsup.backend import gpu
from headsup.errors import UserError
from headsup.games.arrays import AnyArray, Floats
from headsup.games.showdown import Sorted
from headsup.games.vector import VectorGame
from headsup.games.walk import NO_RULE, Policy
from headsup.games.walk_kernels import BEST, DEAL, LEARN, MIX, Rounds, Rule, Store

THREADS = 128
SHOWDOWN_THREADS = 256
CARDS = 52
MEMORY_SHARE = 0.8
"""How much of the device's free memory a walker takes at most."""
C_NAMES = {"float32": "float", "float64": "double", "int16": "short"}


class _Ends(NamedTuple):
    """The ends of a street as one seat sees them, line by line."""

    rows: Any  # int32[lines] the row of the opponent's reach
    first: Any  # int32[lines + 1] where the ends of each line begin
    node: Any  # int32[ends] their nodes, counted from the street's first
    pay: Any  # [ends, 2] for meeting a hand, and more for beating it
    showdowns: int


class _Street(NamedTuple):
    """The betting and the boards of a street, on the device; nodes are counted from the street's first."""

    entries: int
    nodes: int
    deals: int
    entry: Any  # int32[entries]
    deal: Any  # int32[deals]
    come_at: tuple[Any, Any]  # int32[entries] for each player, the row of the reach above
    below: tuple[tuple[Any, Any], tuple[Any, Any]]  # for each player: decisions for `descend`, where entries begin
    up: tuple[Any, Any]  # decisions for `ascend`, where entries begin
    own: tuple[Any, Any]  # for each player, their own of those
    ends: tuple[_Ends, _Ends]
    masks: Any  # uint64[boards]
    parent: Any  # int32[boards]
    child: Any  # int32[boards + 1]
    first: Any  # int64[boards + 1]
    renaming: Any  # uint8[...]


class _Orders(NamedTuple):
    """What `prepare` finds of some boards for one seat."""

    place: Any  # uint16[boards, opponent's hands]
    begin: Any  # uint16[boards, CARDS + 1]
    list: Any  # uint16[boards, 2 x opponent's hands]
    look: Any  # uint16[boards, own hands, 8]


class _Room(NamedTuple):
    """Where the chunks of a street work."""

    boards: int  # of a chunk, at most
    reach: tuple[Any, Any]  # for each player [boards, entries + rows, hands]
    value: Any  # [boards x nodes x hands] for the seat of the walk, flat: seats may have different numbers of hands


class _Pass(NamedTuple):
    """What one walk was asked."""

    seat: int
    mode: int
    policy: tuple[Any, Any]
    stores: tuple[Store, Store]
    rule: Rule
    kernels: Any


class GpuWalker:
    """Room on the device to walk a hold'em game, in one precision; answers as `Walker` does.

    `memory` is how many bytes of the device to take for boards, `MEMORY_SHARE` of what is free if left out.
    """

    def __init__(self, game: VectorGame, dtype: Any = np.float64, memory: int | None = None) -> None:
        if not isinstance(game.showdown, Sorted):
            raise UserError(f"{game} has no sorted showdown: measure it with hand_values, or solve its sequence form")
        self._cp = cp = gpu()
        self.game, self.dtype, self.rounds, self.hands = game, np.dtype(dtype), game.rounds, game.showdown.arrays
        self.sizes = game.showdown.sizes
        self._source = Path(__file__).with_name("walk.cu").read_text()
        self._modules: dict[str, Any] = {}
        if memory is None:
            free = cp.cuda.runtime.memGetInfo()[0] + cp.get_default_memory_pool().free_bytes()
            memory = int(MEMORY_SHARE * free)
        self._cards = tuple(cp.asarray(np.ascontiguousarray(self.hands.cards[p, : self.sizes[p]])) for p in (0, 1))
        self._same = tuple(cp.asarray(np.ascontiguousarray(self.hands.same[p, : self.sizes[p]])) for p in (0, 1))
        self._maps = tuple(cp.asarray(np.ascontiguousarray(self.hands.maps[p])) for p in (0, 1))
        self._weights = tuple(cp.asarray(game.weights[p].astype(self.dtype)) for p in (0, 1))
        self._streets = [self._street(s) for s in range(game.streets)]
        boards = game.boards.sizes()
        keep = memory // 4 // sum(orders_bytes(self.sizes))
        self._keeps = [size <= keep for size in boards]  # the last street is much the largest
        self._kept: dict[tuple[int, int], _Orders] = {}
        for s, size in enumerate(boards):
            if self._keeps[s]:
                memory -= size * sum(orders_bytes(self.sizes))
        chunks = chunk_sizes(boards, board_bytes(self.rounds, self.sizes, self.dtype), memory)
        self._rooms = [self._room(s, size) for s, size in enumerate(chunks)]

    def walk(self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rule: Rule = NO_RULE) -> Floats:
        """One pass for a seat: the values of its hands at the root; with LEARN, the seat's store is updated.

        Stores must lie on the device to learn; a policy may come from anywhere. In a walk that learns it must not be
        the average's sums, which grow on the way down.
        """
        cp = self._cp
        on_device = (cp.asarray(policy[0]), cp.asarray(policy[1]))
        if mode == LEARN and not isinstance(stores[seat].regret, cp.ndarray):
            raise UserError("these stores are not on the GPU: make them with device 'gpu'")
        kernels = self._compiled(str(on_device[0].dtype))
        self._walk(0, 0, 1, 0, _Pass(seat, mode, on_device, stores, rule, kernels))
        return np.asarray(cp.asnumpy(self._rooms[0].value[: self.sizes[seat]]), dtype=np.float64)

    def best_values(self, policy: Policy, stores: tuple[Store, Store]) -> tuple[float, float]:
        """What a best reply of each seat earns against the other's part of the policy."""
        found = [float(self.game.weights[p] @ self.walk(p, BEST, policy, stores)) for p in (0, 1)]
        return found[0], found[1]

    def values(self, policy: Policy, stores: tuple[Store, Store]) -> tuple[float, float]:
        """What each seat earns when both follow the policy."""
        found = [float(self.game.weights[p] @ self.walk(p, MIX, policy, stores)) for p in (0, 1)]
        return found[0], found[1]

    def lines(self, seat: int, street: int, boards: slice, reach: Any) -> tuple[Any, Any]:
        """(won, met), each [boards, lines, hands of the seat], against the other's reach, [boards, lines, hands].

        As `Sorted.lines`, for many boards at once, on the device; every line has a showdown.
        """
        cp, (n, lines, _) = self._cp, reach.shape
        out = cp.empty((n, lines, 2, self.sizes[seat]), self.dtype)
        pay = np.tile(np.eye(2)[::-1], (lines, 1))
        ends = _Ends(
            rows=cp.arange(lines, dtype=cp.int32),
            first=cp.arange(0, 2 * lines + 1, 2, dtype=cp.int32),
            node=cp.arange(2 * lines, dtype=cp.int32),
            pay=cp.asarray(pay.astype(self.dtype)),
            showdowns=lines,
        )
        orders = self._orders(street, seat, boards.start, boards.stop)
        reach = cp.ascontiguousarray(cp.asarray(reach, self.dtype))
        self._against(self._compiled(str(self.dtype)), seat, orders, ends, reach, out, 2 * lines)
        return out[:, :, 0], out[:, :, 1]

    def _walk(self, s: int, low: int, high: int, above_low: int, asked: _Pass) -> None:
        """Walk boards low .. high - 1 of a street and all below them, in chunks; add their values to the boards above,
        the first of which is number `above_low`.
        """
        street, room, seat = self._streets[s], self._rooms[s], asked.seat
        store, hands, rows = asked.stores[seat], self.sizes[seat], int(self.rounds.rows[seat, s])
        learns = asked.mode == LEARN
        for begin in range(low, high, room.boards):
            end = min(high, begin + room.boards)
            self._descend(s, begin, end, above_low, asked)
            if street.deals:
                children = self.game.boards.levels[s].child
                self._walk(s + 1, int(children[begin]), int(children[end]), begin, asked)
            if len(street.ends[seat].rows):
                orders = self._orders(s, seat, begin, end)
                reach = room.reach[1 - seat]
                self._against(asked.kernels, seat, orders, street.ends[seat], reach, room.value, street.nodes)
            at, nothing, float_ = slice(int(store.at[s]), None), np.uint64(0), self.dtype.type
            guess = store.guess[at] if learns and asked.rule.predictive else nothing
            plain = learns and not asked.rule.whole
            self._run(
                asked.kernels, "ascend", hands, end - begin, street.entries, *street.up, street.entries, street.nodes,
                rows, hands, np.int64(begin), seat, asked.mode, asked.policy[seat][at], room.value,
                store.regret[at] if plain else nothing, guess if plain else nothing,
                float_(asked.rule.keep), float_(asked.rule.shrink),
            )  # fmt: skip
            if learns and asked.rule.whole and rows:
                self._learn_whole(s, begin, end, guess, asked)
            if s > 0:
                self._leave(s, begin, end, above_low, asked)

    def _descend(self, s: int, begin: int, end: int, above_low: int, asked: _Pass) -> None:
        street, room = self._streets[s], self._rooms[s]
        for p in (0, 1):
            if p == asked.seat and asked.mode != LEARN:
                continue  # only the average needs to know one's own reach
            come, come_rows = (self._weights[p], 1) if s == 0 else (self._rooms[s - 1].reach[p], self._reach_rows(s - 1, p))
            store, averages = asked.stores[p], p == asked.seat and not asked.rule.whole
            at = slice(int(store.at[s]), None)
            self._run(
                asked.kernels, "descend", self.sizes[p], end - begin, street.entries, *street.below[p], street.entries,
                int(self.rounds.rows[p, s]), self.sizes[p], np.int64(begin), come, come_rows, street.come_at[p],
                street.parent, above_low, street.masks, self._cards[p], asked.policy[p][at], room.reach[p],
                store.total[at] if averages else np.uint64(0), self.dtype.type(asked.rule.weight),
            )  # fmt: skip

    def _against(
        self, kernels: Any, seat: int, orders: _Orders, ends: _Ends, reach: Any, value: Any, nodes: int
    ) -> None:
        """Launch `against_lines` over the boards of `orders`; reach and value begin with the same board."""
        boards, lines, theirs, ours = len(orders.place), len(ends.rows), self.sizes[1 - seat], self.sizes[seat]
        wide = 16 // self.dtype.itemsize
        function = kernels["against_lines"]
        shared = 16 * (32 + theirs + 1 + 2 * theirs + CARDS)
        if shared > function.max_dynamic_shared_size_bytes:
            function.max_dynamic_shared_size_bytes = shared
        function(
            (boards * -(-lines // wide),),
            (SHOWDOWN_THREADS,),
            (
                reach, np.int64(reach.shape[1] * theirs), ends.rows, np.int32(lines), np.int32(ends.showdowns), np.int32(theirs),
                np.int32(ours), orders.place, orders.begin, orders.list, orders.look, self._same[seat], ends.first,
                ends.node, ends.pay, value, np.int64(nodes * ours),
            ),
            shared_mem=shared,
        )  # fmt: skip

    def _learn_whole(self, s: int, begin: int, end: int, guess: Any, asked: _Pass) -> None:
        street, room, seat, rule, store = self._streets[s], self._rooms[s], asked.seat, asked.rule, asked.stores[asked.seat]
        own, at, scale_at = street.own[seat], slice(int(store.at[s]), None), slice(int(store.scale_at[s]), None)
        real = self.dtype.type
        asked.kernels["learn_whole"](
            ((end - begin) * len(own),),
            (THREADS,),
            (
                own, np.int32(len(own)), np.int32(street.entries), np.int32(street.nodes),
                np.int32(self.rounds.rows[seat, s]), np.int32(self.sizes[seat]), np.int64(begin), room.value,
                room.reach[seat], store.regret[at], store.total[at], guess, store.regret_scale[scale_at],
                store.total_scale[scale_at], real(rule.keep), real(rule.shrink), real(rule.weight),
            ),
            shared_mem=3 * THREADS * self.dtype.itemsize,
        )  # fmt: skip

    def _leave(self, s: int, begin: int, end: int, above_low: int, asked: _Pass) -> None:
        """Add the chunk's values to the boards above: those from the first one's parent to the last one's."""
        street, above, hands = self._streets[s], self._streets[s - 1], self.sizes[asked.seat]
        parents = self.game.boards.levels[s].parent
        first, last = int(parents[begin]), int(parents[end - 1])
        self._run(
            asked.kernels, "leave", hands, last + 1 - first, street.entries, above.deal, street.entry, street.entries,
            hands, above.child, np.int64(first), np.int64(begin), np.int64(end), street.first, street.renaming,
            self._maps[asked.seat], self._maps[asked.seat].shape[1], self._rooms[s].value, street.nodes,
            self._rooms[s - 1].value[(first - above_low) * above.nodes * hands :], above.nodes,
        )  # fmt: skip

    def _run(self, kernels: Any, name: str, hands: int, boards: int, entries: int, *arguments: Any) -> None:
        """Launch a kernel with a thread for each board, entry and hand; plain ints go over as 32-bit ones."""
        typed = tuple(np.int32(one) if isinstance(one, int) else one for one in arguments)
        kernels[name]((boards * -(-hands // THREADS), min(max(entries, 1), 65535)), (THREADS,), typed)

    def _compiled(self, stored: str) -> Any:
        """The kernels for stores of a type."""
        if stored not in self._modules:
            actions = max(1, int(self.rounds.count.max(initial=1)))
            options = (
                "--std=c++17",
                f"-DREAL={C_NAMES[str(self.dtype)]}",
                f"-DSTORED={C_NAMES[stored]}",
                f"-DACTIONS={actions}",
            )
            module = self._cp.RawModule(code=self._source, options=options)
            names = ("descend", "prepare", "against_lines", "ascend", "learn_whole", "leave")
            self._modules[stored] = {name: module.get_function(name) for name in names}
        return self._modules[stored]

    def _reach_rows(self, s: int, p: int) -> int:
        return self._streets[s].entries + int(self.rounds.rows[p, s])

    def _room(self, s: int, boards: int) -> _Room:
        cp, nodes = self._cp, self._streets[s].nodes
        reach = tuple(cp.empty((boards, self._reach_rows(s, p), self.sizes[p]), self.dtype) for p in (0, 1))
        return _Room(boards, (reach[0], reach[1]), cp.empty(boards * nodes * max(self.sizes), self.dtype))

    def _orders(self, s: int, seat: int, low: int, high: int) -> _Orders:
        """Where hands stand on the boards low .. high - 1 of a street."""
        if not self._keeps[s]:
            return self._prepare(s, seat, low, high)
        if (s, seat) not in self._kept:
            self._kept[s, seat] = self._prepare(s, seat, 0, len(self.game.boards.levels[s]))
        return _Orders(*(array[low:high] for array in self._kept[s, seat]))

    def _prepare(self, s: int, seat: int, low: int, high: int) -> _Orders:
        cp, hands, boards = self._cp, self.hands, high - low
        here = slice(int(hands.start[s]) + low, int(hands.start[s]) + high)
        theirs, ours = self.sizes[1 - seat], self.sizes[seat]

        def side(p: int) -> tuple[Any, ...]:
            arrays = (hands.order[p, here, : self.sizes[p]], hands.strength[p, here, : self.sizes[p]], hands.alive[p, here])
            return (*(cp.asarray(np.ascontiguousarray(one)) for one in arrays), self._cards[p], np.int32(self.sizes[p]))

        found = _Orders(
            cp.empty((boards, theirs), cp.uint16),
            cp.empty((boards, CARDS + 1), cp.uint16),
            cp.empty((boards, 2 * theirs), cp.uint16),
            cp.empty((boards, ours, 8), cp.uint16),
        )
        kernel = self._compiled(str(self.dtype))["prepare"]
        kernel((boards,), (THREADS,), (*side(1 - seat), *side(seat), *found))
        return found

    def _street(self, s: int) -> _Street:
        """Bring a street's betting and boards to the device."""
        up, rounds, level = self._cp.asarray, self.rounds, self.game.boards.levels[s]
        start = int(rounds.start[s])
        entry = rounds.entry[rounds.entries[s] : rounds.entries[s + 1]]
        deal = rounds.deal[rounds.deals[s] : rounds.deals[s + 1]]
        above = rounds.deal[rounds.deals[s - 1] : rounds.deals[s]] if s else np.zeros(1, dtype=np.int32)
        come_at = rounds.at[:, above] if s else np.zeros((2, 1), dtype=np.int32)
        nodes = np.arange(start, int(rounds.start[s + 1]))
        decisions = nodes[rounds.player[nodes] < DEAL]
        player, none = rounds.player[decisions].astype(np.int32), np.zeros(len(decisions), dtype=np.int32)
        columns = (decisions - start, rounds.child[decisions] - start, rounds.row[decisions])
        ascending = np.stack([*columns, rounds.count[decisions] | player << 16], axis=1).astype(np.int32)
        below = []
        for p in (0, 1):
            mine = player == p
            rows = (rounds.at[p, decisions], rounds.row[decisions], rounds.count[decisions], none)
            below.append((up(np.stack(rows, axis=1)[mine].astype(np.int32)), up(_begins(decisions[mine], entry))))
        return _Street(
            entries=len(entry),
            nodes=len(nodes),
            deals=len(deal),
            entry=up((entry - start).astype(np.int32)),
            deal=up((deal - start).astype(np.int32)),
            come_at=(up(np.ascontiguousarray(come_at[0])), up(np.ascontiguousarray(come_at[1]))),
            below=(below[0], below[1]),
            up=(up(ascending), up(_begins(decisions, entry))),
            own=(up(ascending[player == 0]), up(ascending[player == 1])),
            ends=(self._ends(s, 0), self._ends(s, 1)),
            masks=up(level.masks),
            parent=up(level.parent),
            child=up(level.child),
            first=up(level.first),
            renaming=up(level.renaming),
        )

    def _ends(self, s: int, seat: int) -> _Ends:
        up, rounds, here = self._cp.asarray, self.rounds, slice(self.rounds.ends[s], self.rounds.ends[s + 1])
        lines = rounds.lines[rounds.first_line[seat, s] : rounds.first_line[seat, s + 1]]
        line = rounds.line[seat, here]
        order = np.argsort(line, kind="stable")
        return _Ends(
            rows=up(np.ascontiguousarray(lines, dtype=np.int32)),
            first=up(np.searchsorted(line[order], np.arange(len(lines) + 1)).astype(np.int32)),
            node=up((rounds.end[here][order] - rounds.start[s]).astype(np.int32)),
            pay=up(rounds.pay[seat, here][order].astype(self.dtype)),
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
            f"one board of each street needs {sum(each):,} bytes on the GPU, and {memory:,} are free: use fewer bet sizes"
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
