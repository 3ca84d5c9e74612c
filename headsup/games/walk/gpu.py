"""The walk on a CUDA device: the GPU twin of `headsup.games.walk.walk.Walker`.

The CPU takes one board after the other; a GPU wants many at once. So a street is walked in chunks of boards that fit
the device's memory, arrays being [boards, rows, hands]:

1. `forward_pass`: both players' reach on the chunk, from that of the boards above.
2. The boards below the chunk are walked in the same way, themselves in chunks; `collect_values` adds up their values.
   A board's children may lie in several chunks: each continues the sum of the one before.
3. `against_lines`: what every end is worth.
4. `backward_pass`: values up to the entries; regrets are updated in place.

What the showdown must know of a board (where hands stand in order, card by card) is made once by `prepare` and kept
where memory allows, else made again for each chunk. Hands of four cards have a showdown of their own (four.cu), whose
orders come from the host. `headsup.games.walk.gpu_streets.walker_plan` counts all of it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.backend import gpu
from headsup.common.errors import UserError
from headsup.evaluate.cuda import cuda_module
from headsup.games.holdem.layout import LEARN, RESPOND, Alike, FourAlike, Rule, Store
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_last import last_street
from headsup.games.walk.gpu_streets import (
    CARDS,
    Ends,
    FourOrders,
    FourTables,
    four_orders,
    four_tables,
    free_share,
    new_columns,
    new_street,
    walker_plan,
)
from headsup.games.walk.walk import NO_RULE, ArrayWalker, Policy, check_kernels, widths

THREADS = 128
SHOWDOWN_THREADS = 256
FOUR_THREADS = 1024
"""Of a block that shows four-card hands down: it has a multiprocessor to itself."""
DEALS = 4
"""Deals that a thread of `collect_values` takes, as in walk.cu."""
C_NAMES = {"float32": "float", "float64": "double", "int16": "short"}


class _Orders(NamedTuple):
    """What `prepare` finds of some boards for one seat."""

    place: Any  # uint16[boards, opponent's hands]; with `live`, the hands in order
    begin: Any  # uint16[boards, CARDS + 1]
    list: Any  # uint16[boards, 2 x opponent's hands]
    look: Any  # uint16[boards, own hands, 8]


class _Chunk(NamedTuple):
    """Where the chunks of a street work."""

    boards: int  # of a chunk, at most
    reach: tuple[Any, Any]  # for each player [boards, entries + rows, hands]; board by board where they differ in width
    value: Any  # [boards x nodes x hands] for the seat of the walk, flat: seats may have different numbers of hands


class _Pass(NamedTuple):
    """What one walk was asked."""

    seat: int
    mode: int
    policy: tuple[Any, Any]
    stores: tuple[Store, Store]
    rule: Rule
    kernels: Any

    @property
    def averages(self) -> bool:
        """Whether the walk adds to the averages; with a weight of 0 they need not be there."""
        return self.mode == LEARN and self.rule.weight > 0.0


class GpuWalker(ArrayWalker):
    """Room on the device to walk a hold'em game, in one precision; answers as `Walker` does.

    `memory` is how many bytes of the device to take: by default most of what is free, after a `reserve` for other
    arrays. Boards get their room with the first walk. `fused`: the last street is walked in one kernel where its
    betting is small enough (`headsup.games.walk.gpu_last`), which pays for large games; best responses are then not
    recorded. `live`: it is fused, and policies and stores have no numbers for hands that a board of the last street
    blocks (`headsup.games.walk.live`).
    """

    def __init__(
        self,
        game: VectorGame,
        dtype: Any = np.float64,
        memory: int | None = None,
        reserve: int = 0,
        fused: bool = False,
        live: bool = False,
        alike: Alike | None = None,
    ) -> None:
        """`alike`: policies and stores have one column for all four-card hands that are alike."""
        assert alike is None or isinstance(alike, FourAlike)
        self.hands = hands = check_kernels(game, "gpu") if alike is None else alike.hands
        self._cp = cp = gpu()
        self.game, self.dtype, self.rounds, self.alike, self.threads = game, np.dtype(dtype), game.rounds, alike, 1
        self._modules: dict[str, Any] = {}
        self.sizes, self._n_sets = widths(game, alike is not None)  # no sets for hands of two cards
        one_kernel = (fused or live) and not self._n_sets
        self._last, self._live = last_street(cp, game, dtype, live) if one_kernel else None, live
        room = free_share(cp, reserve) if memory is None else memory
        self.plan = walker_plan(game, dtype, room, self._last is not None, alike is not None)
        self.chunks = self.plan.chunks
        if self._n_sets:
            four = [four_tables(hands, alike, p, self.sizes[p], self.dtype) for p in (0, 1)]
            self._four = tuple(FourTables(*map(cp.asarray, tables)) for tables in four)
            self._cards, self._same, self._maps = (tuple(table[i] for table in self._four) for i in (0, 1, -1))
        else:
            self._cards = tuple(cp.asarray(np.ascontiguousarray(hands.cards[p, : self.sizes[p]])) for p in (0, 1))
            self._same = tuple(cp.asarray(np.ascontiguousarray(hands.same[p, : self.sizes[p]])) for p in (0, 1))
            self._maps = tuple(cp.asarray(np.ascontiguousarray(hands.maps[p])) for p in (0, 1))
        weights = [game.weights[p] if alike is None else game.weights[p][alike.standing(p, 0)] for p in (0, 1)]
        self._weights = tuple(cp.asarray(weights[p].astype(self.dtype)) for p in (0, 1))
        self._streets = [new_street(game, s, self.dtype, cp.asarray) for s in range(game.streets)]
        self._columns = [new_columns(hands, s, cp.asarray) for s in range(game.streets)]
        self._entries = cp.arange(self._streets[-1].entries, dtype=cp.int32)
        self._kept: dict[tuple[int, int], _Orders | FourOrders] = {}
        self._chunks: list[_Chunk] = []

    def release(self) -> None:
        """Give the room of boards back to the device until the next walk."""
        self._kept, self._chunks = {}, []
        self._cp.get_default_memory_pool().free_all_blocks()

    def walk(self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rule: Rule = NO_RULE) -> Floats:
        """One pass for a seat: the values of its hands at the root; with LEARN, the seat's store is updated.

        Stores must lie on the device to learn; a policy may come from anywhere. In a walk that learns it must not be
        the average's sums, which grow on the way down.
        """
        self._walk(0, 0, 1, 0, self._asked(seat, mode, policy, stores, rule))
        values = np.asarray(self._cp.asnumpy(self._chunks[0].value[: self.sizes[seat]]), dtype=np.float64)
        return values if self.alike is None else values[self.alike.columns(seat, 0)]

    @property
    def layout(self) -> tuple[AnyArray, AnyArray]:
        return self.game.layout if self.alike is None else self.alike.layout

    def _asked(self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rule: Rule) -> _Pass:
        """A pass, with its policy, kernels and workspace on the device."""
        cp = self._cp
        on_device = (cp.asarray(policy[0]), cp.asarray(policy[1]))
        if mode in (LEARN, RESPOND) and not isinstance(stores[seat].regret, cp.ndarray):
            raise UserError("these stores are not on the GPU: make them with device 'gpu'")
        if not self._chunks:
            self._chunks = [self._chunk(s, size) for s, size in enumerate(self.chunks)]
        return _Pass(seat, mode, on_device, stores, rule, self._compiled(str(on_device[0].dtype)))

    def below_root(
        self,
        seat: int,
        mode: int,
        reach: tuple[Floats, Floats],
        policy: Policy,
        stores: tuple[Store, Store],
        rule: Rule,
    ) -> Floats:
        """As `headsup.games.walk.walk.Walker.below_root`."""
        asked = self._asked(seat, mode, policy, stores, rule)
        for p in (0, 1):
            self._chunks[0].reach[p][0] = self._cp.asarray(reach[p].astype(self.dtype))
        self._walk(1, 0, len(self.game.boards.levels[1]), 0, asked)
        values = self._chunks[0].value.reshape(-1)[: self._streets[0].nodes * self.sizes[seat]]
        deals = self.rounds.deal[: int(self.rounds.deals[1])]
        return np.asarray(self._cp.asnumpy(values).reshape(-1, self.sizes[seat])[deals], dtype=np.float64)

    def _near(self, array: AnyArray) -> Any:
        """On the device."""
        return self._cp.array(array)

    def _back(self, array: Any) -> AnyArray:
        """From the device."""
        return np.asarray(self._cp.asnumpy(array))

    def lines(self, seat: int, street: int, boards: slice, reach: Any) -> tuple[Any, Any]:
        """(won, met), each [boards, lines, hands of the seat], against the other's reach, [boards, lines, hands].

        As `Sorted.lines`, for many boards at once, on the device; every line has a showdown.
        """
        cp, (n, lines, _) = self._cp, reach.shape
        out = cp.empty((n, lines, 2, self.sizes[seat]), self.dtype)
        pay = np.tile(np.eye(2)[::-1], (lines, 1))
        ends = Ends(
            rows=cp.arange(lines, dtype=cp.int32),
            first=cp.arange(0, 2 * lines + 1, 2, dtype=cp.int32),
            node=cp.arange(2 * lines, dtype=cp.int32),
            pay=cp.asarray(pay.astype(self.dtype)),
            showdowns=lines,
        )
        here = street, boards.start, boards.stop
        reach = cp.ascontiguousarray(cp.asarray(reach, self.dtype))
        self._against(self._compiled(str(self.dtype)), seat, here, ends, reach, out, 2 * lines)
        return out[:, :, 0], out[:, :, 1]

    def _walk(self, s: int, low: int, high: int, above_low: int, asked: _Pass) -> None:
        """Walk boards low .. high - 1 of a street and all below them, in chunks; add their values to the boards above,
        the first of which is number `above_low`.
        """
        street, room, seat = self._streets[s], self._chunks[s], asked.seat
        store, hands, rows = asked.stores[seat], self.sizes[seat], int(self.rounds.rows[seat, s])
        learns = asked.mode == LEARN
        for begin in range(low, high, room.boards):
            end = min(high, begin + room.boards)
            if self._is_fused(s):
                self._walk_last(s, begin, end, above_low, asked)
                continue
            self._play(s, begin, end, above_low, asked)
            if street.deals:
                children = self.game.boards.levels[s].child
                self._walk(s + 1, int(children[begin]), int(children[end]), begin, asked)
            if len(street.ends[seat].rows):
                reach = room.reach[1 - seat]
                self._against(asked.kernels, seat, (s, begin, end), street.ends[seat], reach, room.value, street.nodes)
            at, nothing, float_ = self._at(s, seat), np.uint64(0), self.dtype.type
            guess = store.prediction[at] if learns and asked.rule.predictive else nothing
            plain = learns and not asked.rule.whole
            writes = plain or asked.mode == RESPOND
            self._run(
                asked.kernels, "backward_pass", hands, end - begin, street.entries, *street.up, street.entries,
                street.nodes, rows, hands, np.int64(begin), seat, asked.mode, asked.policy[seat][at], room.value,
                store.regret[at] if writes else nothing, guess if plain else nothing,
                float_(asked.rule.keep), float_(asked.rule.shrink), float_(asked.rule.floor),
                self._columns[s].at[seat],
            )  # fmt: skip
            if learns and asked.rule.whole and rows:
                self._learn_whole(s, begin, end, guess, asked)
            if s > 0:
                self._leave(s, begin, end, above_low, asked)

    def _walk_last(self, s: int, begin: int, end: int, above_low: int, asked: _Pass) -> None:
        """Boards of the last street in one kernel; their values are added to the boards above."""
        assert self._last is not None
        if asked.mode == RESPOND:
            raise UserError("a walk with a fused last street records no best response: leave out `fused`")
        if asked.rule.floor:
            raise UserError("a walk with a fused last street forces no actions: leave out `fused`")
        street, seat = self._streets[s], asked.seat
        come = [
            (*self._come(s, p), street.come_at[p])
            if p != seat or asked.averages
            else (np.uint64(0), np.int32(0), np.uint64(0))
            for p in (0, 1)
        ]
        self._last.walk(
            seat, asked.mode, (begin, end), (*come, street.parent, above_low), self._orders(s, seat, begin, end),
            self._same, self._chunks[s].value, asked.policy, asked.stores[seat],
            (self._at(s, 0), self._at(s, 1)), asked.rule,
        )  # fmt: skip
        if s > 0:
            self._leave(s, begin, end, above_low, asked)

    def _come(self, s: int, p: int) -> tuple[Any, Any]:
        """The reach of a player that comes into a street, and how many rows it has on a board."""
        above = (self._weights[p], 1) if s == 0 else (self._chunks[s - 1].reach[p], self._reach_rows(s - 1, p))
        return above[0], np.int32(above[1])

    def _is_fused(self, s: int) -> bool:
        return self._last is not None and s == self.game.streets - 1

    def _play(self, s: int, begin: int, end: int, above_low: int, asked: _Pass) -> None:
        street, room = self._streets[s], self._chunks[s]
        for p in (0, 1):
            if p == asked.seat and not asked.averages:
                continue  # only the average needs to know one's own reach
            come, come_rows = self._come(s, p)
            store, averages = asked.stores[p], p == asked.seat and not asked.rule.whole
            at, columns, above = self._at(s, p), self._columns[s], self._columns[max(0, s - 1)]
            self._run(
                asked.kernels, "forward_pass", self.sizes[p], end - begin, street.entries, *street.below[p],
                street.entries, int(self.rounds.rows[p, s]), self.sizes[p], np.int64(begin), come, come_rows,
                street.come_at[p], street.parent, above_low, street.masks, self._cards[p], asked.policy[p][at],
                room.reach[p], store.cumulative[at] if averages else np.uint64(0), self.dtype.type(asked.rule.weight),
                self.dtype.type(asked.rule.floor if asked.mode == LEARN else 0.0), columns.at[p], above.at[p],
                columns.group, columns.pair, self._four[p].above if self._n_sets else np.uint64(0),
            )  # fmt: skip

    def _against(
        self, kernels: Any, seat: int, here: tuple[int, int, int], ends: Ends, reach: Any, value: Any, nodes: int
    ) -> None:
        """Launch `against_lines` over some boards of a street, with which reach and value begin."""
        orders = self._orders(here[0], seat, *here[1:])  # freed after the call if they are not kept
        if isinstance(orders, FourOrders):
            self._against_four(kernels, seat, here, orders, ends, reach, value, nodes)
            return
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
                reach, np.int64(reach.shape[1] * theirs), ends.rows, np.int32(lines), np.int32(ends.showdowns),
                np.int32(theirs), np.int32(ours), orders.place, orders.begin, orders.list, orders.look,
                self._same[seat], ends.first, ends.node, ends.pay, value, np.int64(nodes * ours),
            ),
            shared_mem=shared,
        )  # fmt: skip

    def _against_four(
        self,
        kernels: Any,
        seat: int,
        here: tuple[int, int, int],
        orders: FourOrders,
        ends: Ends,
        reach: Any,
        value: Any,
        nodes: int,
    ) -> None:
        """Launch `against_four`, in the same way."""
        lines, theirs, ours, (boards, sweeps) = (
            len(ends.rows),
            self.sizes[1 - seat],
            self.sizes[seat],
            orders.number.shape,
        )
        them, us = (orders.second, orders.first) if seat == 0 else (orders.first, orders.second)
        their, our, columns = self._four[1 - seat], self._four[seat], self._columns[here[0]]
        wide, shared, function = 8 // self.dtype.itemsize, 8 * (self._n_sets + 32), kernels["against_four"]
        if shared > function.max_dynamic_shared_size_bytes:
            try:
                function.max_dynamic_shared_size_bytes = shared
            except RuntimeError:
                raise UserError(
                    f"showdowns of four-card hands need {shared:,} bytes of shared memory for a block of threads, and "
                    "this GPU has less: solve on the CPU"
                ) from None
        function(
            (boards * -(-lines // wide),),
            (FOUR_THREADS,),
            (
                reach, np.int64(reach.shape[1]), ends.rows, np.int32(lines), np.int32(ends.showdowns),
                np.int32(theirs), np.int32(ours), np.int32(seat), them, us, np.int32(sweeps), orders.ends,
                orders.number, their.sets, our.sets, np.int32(self._n_sets), orders.masks, our.cards, our.same,
                ends.first, ends.node, ends.pay, value, np.int64(nodes), np.int64(here[1]), columns.at[1 - seat],
                columns.at[seat], columns.group, their.many, their.size,
            ),
            shared_mem=shared,
        )  # fmt: skip

    def _learn_whole(self, s: int, begin: int, end: int, guess: Any, asked: _Pass) -> None:
        street, room, seat, rule, store = (
            self._streets[s],
            self._chunks[s],
            asked.seat,
            asked.rule,
            asked.stores[asked.seat],
        )
        own, at, scale_at = street.own[seat], self._at(s, seat), slice(int(store.scale_at[s]), None)
        real = self.dtype.type
        asked.kernels["learn_whole"](
            ((end - begin) * len(own),),
            (THREADS,),
            (
                own, np.int32(len(own)), np.int32(street.entries), np.int32(street.nodes),
                np.int32(self.rounds.rows[seat, s]), np.int32(self.sizes[seat]), np.int64(begin), room.value,
                room.reach[seat], store.regret[at], store.cumulative[at], guess, store.regret_scale[scale_at],
                store.cumulative_scale[scale_at], real(rule.keep), real(rule.shrink), real(rule.weight),
                real(rule.floor), np.int64(scale_at.start), np.int64(rule.turn), self._columns[s].at[seat],
            ),
            shared_mem=3 * THREADS * self.dtype.itemsize,
        )  # fmt: skip

    def _leave(self, s: int, begin: int, end: int, above_low: int, asked: _Pass) -> None:
        """Add the chunk's values to the boards above: those from the first one's parent to the last one's."""
        street, above, hands = self._streets[s], self._streets[s - 1], self.sizes[asked.seat]
        parents = self.game.boards.levels[s].parent
        first, last = int(parents[begin]), int(parents[end - 1])
        fused = self._is_fused(s)
        entry, nodes = (self._entries, street.entries) if fused else (street.entry, street.nodes)
        columns, over, before = self._columns[s], self._columns[s - 1], self.hands.before[asked.seat]
        start = int(self.hands.start[s - 1])
        skipped = int(before[start + first] - before[start + above_low]) * above.nodes
        self._run(
            asked.kernels, "collect_values", hands, last + 1 - first, -(-street.entries // DEALS), above.deal, entry,
            street.entries, hands, above.child, np.int64(first), np.int64(begin), np.int64(end), street.first,
            street.renaming, self._maps[asked.seat], self._maps[asked.seat].shape[-1], self._chunks[s].value,
            nodes, self._chunks[s - 1].value[skipped:], above.nodes, columns.at[asked.seat], columns.pair,
            over.at[asked.seat],
        )  # fmt: skip

    def _run(self, kernels: Any, name: str, hands: int, boards: int, entries: int, *arguments: Any) -> None:
        """Launch a kernel with a thread for each board, entry and hand; plain ints go over as 32-bit ones."""
        typed = tuple(np.int32(argument) if isinstance(argument, int) else argument for argument in arguments)
        kernels[name]((boards * -(-hands // THREADS), min(max(entries, 1), 65535)), (THREADS,), typed)

    def _compiled(self, stored: str) -> Any:
        """The kernels for stores of a type."""
        if stored not in self._modules:
            actions = max(1, int(self.rounds.count.max(initial=1)))
            real = f"-DREAL={C_NAMES[str(self.dtype)]}"
            options = f"-DSTORED={C_NAMES[stored]}", f"-DACTIONS={actions}", f"-DHELD={4 if self._n_sets else 2}"
            module = cuda_module(Path(__file__).with_name("walk.cu"), real, *options)
            names = ("forward_pass", "prepare", "against_lines", "backward_pass", "learn_whole", "collect_values")
            self._modules[stored] = {name: module.get_function(name) for name in names}
            if self._n_sets:
                four = cuda_module(Path(__file__).with_name("four.cu"), real)
                self._modules[stored]["against_four"] = four.get_function("against_four")
        return self._modules[stored]

    def _at(self, s: int, p: int) -> slice:
        """Where a street's part of a player's policy and stores begins."""
        return slice(int(self.layout[p][s]), None)

    def _reach_rows(self, s: int, p: int) -> int:
        return self._streets[s].entries + int(self.rounds.rows[p, s])

    def _chunk(self, s: int, boards: int) -> _Chunk:
        cp, columns, nodes = self._cp, self.plan.columns[s], self._streets[s].nodes
        if self._is_fused(s):
            none = cp.empty(0, self.dtype)
            return _Chunk(boards, (none, none), cp.empty(len(self._entries) * max(columns), self.dtype))
        shapes = [(boards, self._reach_rows(s, p), self.sizes[p]) for p in (0, 1)]
        if self.alike is not None:  # boards differ in width
            shapes = [(1, self._reach_rows(s, p), columns[p]) for p in (0, 1)]
        first, second = (cp.empty(shape, self.dtype) for shape in shapes)
        return _Chunk(boards, (first, second), cp.empty(nodes * max(columns), self.dtype))

    def _orders(self, s: int, seat: int, low: int, high: int) -> _Orders | FourOrders:
        """Where hands stand on the boards low .. high - 1 of a street."""
        if self._n_sets:
            return self._orders_of_four(s, low, high)
        if not self.plan.keeps[s]:
            return self._prepare(s, seat, low, high)
        if (s, seat) not in self._kept:
            self._kept[s, seat] = self._prepare(s, seat, 0, len(self.game.boards.levels[s]))
        return _Orders(*(array[low:high] for array in self._kept[s, seat]))

    def _orders_of_four(self, s: int, low: int, high: int) -> FourOrders:
        """The same for hands of four cards: one record serves both seats."""
        keeps, start, kept = self.plan.keeps[s], int(self.hands.start[s]), self._kept.get((s, 0))
        if not isinstance(kept, FourOrders):
            begin, end = (0, len(self.game.boards.levels[s])) if keeps else (low, high)
            boards, masks = slice(start + begin, start + end), self._streets[s].masks[begin:end]
            kept = FourOrders(*map(self._cp.asarray, four_orders(self.hands, self.sizes, boards, masks)))
            if not keeps:
                return kept
            self._kept[s, 0] = kept
        return FourOrders(*(array[low:high] for array in kept))

    def _prepare(self, s: int, seat: int, low: int, high: int) -> _Orders:
        cp, hands, boards = self._cp, self.hands, high - low
        here = slice(int(hands.start[s]) + low, int(hands.start[s]) + high)
        theirs, ours = self.sizes[1 - seat], self.sizes[seat]

        def side(p: int) -> tuple[Any, ...]:
            n = self.sizes[p]
            arrays = (hands.order[p, here, :n], hands.strength[p, here, :n], hands.alive[p, here])
            return (*(cp.asarray(np.ascontiguousarray(array)) for array in arrays), self._cards[p], np.int32(n))

        orders = _Orders(
            cp.empty((boards, theirs), cp.uint16),
            cp.empty((boards, CARDS + 1), cp.uint16),
            cp.empty((boards, 2 * theirs), cp.uint16),
            cp.empty((boards, ours, 8), cp.uint16),
        )
        kernel = self._compiled(str(self.dtype))["prepare"]
        others = side(1 - seat)
        kernel((boards,), (THREADS,), (*others, *side(seat), *orders))
        return orders._replace(place=others[0].view(cp.uint16)) if self._live and self._is_fused(s) else orders
