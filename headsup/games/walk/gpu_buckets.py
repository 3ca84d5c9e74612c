"""Strategies by bucket, walked on a CUDA device: best replies over all boards of a game.

The GPU twin of what `headsup.games.walk.walk` does with a `BucketStrategy`, for games whose boards are far too many to
be listed with their hands. Streets are walked in chunks of boards; the kernels (buckets.cu) are compiled for the shapes
of the betting (`headsup.games.walk.gpu_shapes`), so a chunk needs room for reach and values at the edges of a street
only.

Learning on drawn boards is in `headsup.games.walk.gpu_learn`. Both players have the same hands here. Sums are made in
the same order every time: a walk can be repeated to the bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headsup.cards.combos import holdem_combos
from headsup.common.arrays import AnyArray
from headsup.common.backend import gpu
from headsup.common.errors import UserError
from headsup.evaluate.cuda import cuda_module
from headsup.games.holdem.bucketed import BucketLayout, Buckets, bucket_layout
from headsup.games.holdem.layout import BEST, LEARN
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_shapes import Shape, shapes

THREADS, BLOCKS, SCAN_FROM = 384, 2, 224
"""Threads of a block of `up`, how many blocks a multiprocessor should hold, and the first thread that adds up all hands
while those before it do so card by card."""
PLAIN = 128
COMPILERS = 16
"""Kernels that are compiled at once."""
MEMORY = 24 << 30
"""Bytes that a chunk of boards may take."""
C_NAMES = {"float32": "float", "float64": "double"}
C_BUCKETS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned int"}


class DeviceBoards(NamedTuple):
    """Some boards of a street, on the device."""

    boards: int
    cards: Any  # uint8[boards, k]
    masks: Any  # uint64[boards]
    parent: Any  # int32[boards] counted from the first board of the chunk above
    number: Any  # int32[boards] their rows in `buckets`
    buckets: Any  # [.., hands]


class Standing(NamedTuple):
    """Where hands stand on some boards: what `stand` finds."""

    order: Any
    alive: Any
    begin: Any
    list: Any
    look: Any


@dataclass
class _Street:
    """The betting of a street on the device."""

    entries: int
    deals: int
    width: int
    shapes: list[Shape]
    entry: list[Any]
    deal: list[Any]
    pay: list[tuple[Any, Any]]
    kernels: list[tuple[_Kernels, ...]]  # for each player
    most: int  # hands that a board leaves


class GpuBucketWalker:
    """A game and its buckets on the device."""

    def __init__(self, game: VectorGame, buckets: Buckets, dtype: Any = np.float32, memory: int = MEMORY) -> None:
        if not isinstance(game.showdown, Sorted) or game.private or game.showdown.sizes[0] != game.showdown.sizes[1]:
            raise UserError(f"{game} is not walked by bucket on a GPU: both players must have the same two-card hands")
        if any(len(sizes) > 1 for sizes in buckets.sizes):
            raise UserError("buckets that depend on the betting before are walked on the CPU: leave out device 'gpu'")
        self._cp = self.device = cp = gpu()
        self.game, self.buckets, self.dtype, self.hands = game, buckets, np.dtype(dtype), game.showdown.sizes[0]
        self.layouts = bucket_layout(game, buckets, 0), bucket_layout(game, buckets, 1)
        self.memory = memory
        cards = _cards(game)
        self._cards = cp.asarray(cards)
        self._maps = cp.asarray(np.ascontiguousarray(game.showdown.boards.hand_map(game.showdown.hands[0])))
        self._weights = tuple(cp.asarray(game.weights[p].astype(self.dtype))[None, None] for p in (0, 1))
        self._tables = _evaluator(cp)
        self._stand = self._compiled("stand.cu")
        self.streets = [self._street(s) for s in range(game.streets)]

    # what both players do

    def policy(self, numbers: Sequence[AnyArray]) -> list[list[list[Any]]]:
        """[seat][street][shape] what buckets play in proportion to numbers laid out as `bucket_layout` says.

        The device keeps 16 bits of each: exactly the numbers given where these need no more, such as the whole ones up
        to 2,048, else their ratio to the greatest of their decision.
        """
        return [
            self.shared(
                seat,
                [self.parts(seat, s, numbers[seat]) for s in range(self.game.streets)],
                scaled=not _is_half(numbers[seat]),
            )
            for seat in (0, 1)
        ]

    def shared(self, seat: int, parts: list[list[Any]], scaled: bool = True) -> list[list[Any]]:
        """[street][shape] what a seat's buckets play in proportion to numbers on the device."""
        return [
            [self._shared(seat, s, n, part, scaled) for n, part in enumerate(street)] for s, street in enumerate(parts)
        ]

    def parts(self, seat: int, s: int, numbers: AnyArray) -> list[Any]:
        """A street's numbers, shape by shape, float32[entries, rows, buckets] on the device."""
        cp, layout, street = self._cp, self.layouts[seat], self.streets[s]
        low, high = (int(layout.first[layout.row_at[s + k]]) for k in (0, 1))
        block = cp.asarray(np.asarray(numbers[low:high], dtype=np.float32)).reshape(-1, street.width)
        return [block[cp.asarray(shape.rows[seat])] for shape in street.shapes]

    def numbers(self, seat: int, parts: list[list[Any]]) -> AnyArray:
        """The way back: parts [street][shape], of all streets or the first ones, as one array of the layout."""
        layout: BucketLayout = self.layouts[seat]
        out = np.zeros(int(layout.first[layout.row_at[len(parts)]]), dtype=np.float32)
        for s, street in enumerate(self.streets[: len(parts)]):
            low, high = (int(layout.first[layout.row_at[s + k]]) for k in (0, 1))
            block = out[low:high].reshape(-1, street.width)
            for shape, part in zip(street.shapes, parts[s], strict=True):
                block[shape.rows[seat]] = self._cp.asnumpy(part)
        return out

    def _shared(self, seat: int, s: int, n: int, part: Any, scaled: bool) -> Any:
        shape, cp = self.streets[s].shapes[n], self._cp
        entries, rows, width = part.shape
        out, total = cp.zeros((entries, width, shape.pad), cp.float16), entries * width
        kernel = self.streets[s].kernels[n][seat]["share"]
        if rows:
            kernel((-(-total // PLAIN),), (PLAIN,), (part, np.int64(total), np.int64(width), np.int32(scaled), out))
        return out

    # all boards

    def earned(
        self,
        policy: list[list[list[Any]]],
        mode: int = BEST,
        begin: int = 0,
        so_far: Any = None,
        each: Callable[[int, Any], None] | None = None,
        seats: Sequence[int] = (0, 1),
    ) -> tuple[float, float]:
        """What each seat earns with a best reply (or, with MIX, by the policy) against the other's policy; 0 if a seat
        is not asked for.

        Boards of the second street are walked in packets; `each` is called after every packet with how many are done
        and with the sums so far, [2, deals, hands], with which, and that number as `begin`, one goes on later.
        """
        cp, game, root = self._cp, self.game, self.streets[0]
        reach = self._reach(0, self._level(0, 0, 1, 0), self._weights, policy)
        below = cp.zeros((2, 1, max(1, root.deals), self.hands), self.dtype)
        if so_far is not None:
            below[:, 0] = cp.asarray(so_far)
        if root.deals:
            size = self._chunk(1)
            total = len(game.boards.levels[1])
            for low in range(begin, total, size):
                high = min(total, low + size)
                self._walk(1, low, high, 0, reach, below, policy, mode, seats)
                if each is not None:
                    each(high, cp.asnumpy(below[:, 0]))
        values = self._up(0, self._level(0, 0, 1, 0), self._weights, below, policy, mode, seats)
        earned = [0.0, 0.0]
        for p in seats:
            earned[p] = float(cp.dot(values[p][0, 0].astype(cp.float64), cp.asarray(game.weights[p])))
        return earned[0], earned[1]

    def _walk(self, s: int, low: int, high: int, above_low: int, come: Any, above: Any, policy: Any, mode: int, seats: Sequence[int]) -> None:  # noqa: E501  # fmt: skip
        """Boards low .. high - 1 of a street and all below them; their values are added to `above`."""
        cp, street = self._cp, self.streets[s]
        size = self._chunk(s)
        for begin in range(low, high, size):
            end = min(high, begin + size)
            level = self._level(s, begin, end, above_low)
            below = cp.zeros((2, level.boards, max(1, street.deals), self.hands), self.dtype)
            if street.deals:
                reach = self._reach(s, level, come, policy)
                child = self.game.boards.levels[s].child
                self._walk(s + 1, int(child[begin]), int(child[end]), begin, reach, below, policy, mode, seats)
                del reach
            values = self._up(s, level, come, below, policy, mode, seats)
            self._leave(s, begin, end, above_low, values, above)

    def _level(self, s: int, low: int, high: int, above_low: int) -> DeviceBoards:
        cp = self._cp
        boards: Any = self.game.boards.levels[s]  # hold'em boards
        rows = cp.asarray(self.buckets.rows(0, s, low, high))
        return DeviceBoards(
            high - low,
            cp.asarray(boards.cards[low:high]),
            cp.asarray(boards.masks[low:high]),
            cp.asarray(boards.parent[low:high] - np.int32(above_low)),
            cp.arange(high - low, dtype=cp.int32),
            rows,
        )

    def _chunk(self, s: int) -> int:
        """How many boards of a street to walk together."""
        street, item = self.streets[s], int(self.dtype.itemsize)
        each = (2 * street.entries + 5 * street.deals) * self.hands * item + 40 * self.hands
        return max(1, int(self.memory) // (2 if s == self.game.streets - 1 else 16) // each)

    def _leave(self, s: int, low: int, high: int, above_low: int, values: Any, above: Any) -> None:
        cp, street, levels = self._cp, self.streets[s], self.game.boards.levels
        boards: Any = levels[s]
        first, last = int(boards.parent[low]), int(boards.parent[high - 1])
        child = cp.asarray(levels[s - 1].child[first : last + 2])
        renamings = boards.first[low : high + 1]
        names = cp.asarray(boards.renaming[int(renamings[0]) : int(renamings[-1])])
        begins = cp.asarray(renamings - renamings[0])
        for p in values:
            self._stand.get_function("collect_values")(
                (-(-self.hands // PLAIN), street.entries, last + 1 - first),
                (PLAIN,),
                (
                    np.int32(street.entries), np.int32(self.hands), child - np.int32(low), np.int64(0), np.int64(0),
                    np.int64(high - low), begins, names, self._maps, values[p], above[p][first - above_low :],
                ),
            )  # fmt: skip

    # one street of some boards

    def standing(self, s: int, level: DeviceBoards) -> Standing:
        """Where the hands stand on some boards."""
        cp, n, hands = self._cp, level.boards, self.hands
        standing = Standing(
            cp.zeros((n, hands), cp.uint16),
            cp.empty(n, cp.int32),
            cp.empty((n, 53), cp.uint16),
            cp.empty((n, 2 * hands), cp.uint16),
            cp.empty((n, hands, 8), cp.uint16),
        )
        last = np.int32(s == self.game.streets - 1)
        k = np.int32(level.cards.shape[1])
        self._stand.get_function("stand")(
            (n,), (256,), (level.cards, k, self._cards, np.int32(hands), last, *self._tables, *standing)
        )  # fmt: skip
        return standing

    def _reach(self, s: int, level: DeviceBoards, come: Any, policy: Any, seats: Sequence[int] = (0, 1)) -> list[Any]:
        """Each player's reach at the deals of a street, [boards, deals, hands]."""
        cp, street, outputs = self._cp, self.streets[s], []
        for p in seats:
            out = cp.empty((level.boards, street.deals, self.hands), self.dtype)
            for n, shape in enumerate(street.shapes):
                if not shape.deal.shape[1]:
                    continue
                street.kernels[n][p]["down"](
                    (-(-self.hands // PLAIN), len(shape.entry), level.boards),
                    (PLAIN,),
                    (
                        come[p], np.int32(come[p].shape[1]), level.parent, street.entry[n], street.deal[n], level.masks,
                        self._cards, np.int32(self.hands), level.buckets, level.number, np.int64(street.width),
                        policy[p][s][n], out, np.int32(street.deals),
                    ),
                )  # fmt: skip
            outputs.append(out)
        return outputs

    def _up(
        self,
        s: int,
        level: DeviceBoards,
        come: Any,
        below: Any,
        policy: Any,
        mode: int,
        seats: Sequence[int] = (0, 1),
        stand: Standing | None = None,
        gains: list[Any] | None = None,
        scale: float = 1.0,
        codes: list[Any] | None = None,
    ) -> dict[int, Any]:
        """Values at the entries of a street, [boards, entries, hands] for each seat; with LEARN also what is gained.

        `codes` are what a best reply does: written with BEST, done by the opponent with LEARN.
        """
        cp, street, out = self._cp, self.streets[s], {}
        standing = stand if stand is not None else self.standing(s, level)
        item, hands = self.dtype.itemsize, self.hands
        shared = 4 * item * (32 + 4 * street.most + 1 + 52)
        ones = cp.ones(level.boards, self.dtype) if mode == LEARN else np.uint64(0)
        factor = self.dtype.type(scale * float(self.game.chance[s]) / self.game.mass)
        for p in seats:
            value = cp.zeros((level.boards, street.entries, hands), self.dtype)
            for n, shape in enumerate(street.shapes):
                kernel = street.kernels[n][p].up(mode, chosen=codes is not None and mode == LEARN)
                if shared > kernel.max_dynamic_shared_size_bytes:
                    kernel.max_dynamic_shared_size_bytes = shared
                entries = len(shape.entry)
                kernel(
                    (level.boards * entries,),
                    (THREADS,),
                    (
                        come[1 - p], come[p], np.int32(come[p].shape[1]), level.parent, street.entry[n], street.deal[n],
                        np.int32(entries), np.int32(hands), *standing, level.buckets, level.number,
                        np.int64(street.width), policy[1 - p][s][n], policy[p][s][n], street.pay[n][p] * factor,
                        below[p], np.int32(max(1, street.deals)), value, np.int32(street.entries),
                        self._weights[p], ones,
                        codes[n] if codes is not None else np.uint64(0),
                        gains[n] if gains is not None else np.uint64(0),
                    ),
                    shared_mem=shared,
                )  # fmt: skip
            out[p] = value
        return out

    def _street(self, s: int) -> _Street:
        cp, rounds, kinds = self._cp, self.game.rounds, shapes(self.game, s)
        real, boards = self.dtype, self.game.showdown.boards  # type: ignore[attr-defined]
        free = boards.ranks * boards.suits - len(boards.root) - len(boards.dead) - sum(boards.streets[: s + 1])
        most = min(self.hands, comb(free, 2))  # hands that a board leaves
        bucket = int(self.buckets.rows(0, s, 0, 1).dtype.itemsize)
        return _Street(
            entries=int(rounds.entries[s + 1] - rounds.entries[s]),
            deals=int(rounds.deals[s + 1] - rounds.deals[s]),
            width=self.buckets.sizes[s][0],
            shapes=kinds,
            entry=[cp.asarray(shape.entry) for shape in kinds],
            deal=[cp.asarray(np.ascontiguousarray(shape.deal)) for shape in kinds],
            pay=[tuple(cp.asarray(shape.pay[p].astype(real)) for p in (0, 1)) for shape in kinds],
            kernels=[tuple(_Kernels(self._module, shape.header(p), most, bucket) for p in (0, 1)) for shape in kinds],
            most=most,
        )

    def _module(self, header: str, bucket: int, **defined: int) -> Any:
        options = [
            f"-DBUCKET={C_BUCKETS[bucket]}",
            f"-DTHREADS={THREADS}",
            f"-DBLOCKS={BLOCKS}",
            f"-DSCAN_FROM={SCAN_FROM}",
            *(f"-D{name}={value}" for name, value in defined.items()),
        ]
        return self._compiled("buckets.cu", header, *options)

    def _compiled(self, name: str, header: str = "", *options: str) -> Any:
        """The kernels of a file beside this one, with the shape that it includes."""
        module = cuda_module(
            Path(__file__).with_name(name), f"-DREAL={C_NAMES[str(self.dtype)]}", *options, definitions=header
        )
        module.compile()
        return module

    def compile(self, *modes: int, seats: Sequence[int] = (0, 1)) -> None:
        """Compile what walks of these modes and seats need, several kernels at once: each takes seconds."""
        self._compile_all([[(mode, False) for mode in modes]] * self.game.streets, seats)

    def _compile_all(self, wanted: Sequence[Sequence[tuple[int, bool]]], seats: Sequence[int] = (0, 1)) -> None:
        """For each street `up` in these modes, and what all walks need; longest first, and what is alike once."""
        modules: dict[str, tuple[_Kernels, tuple[int, bool] | None]] = {}
        for street, modes in zip(self.streets, wanted, strict=True):
            for seat, kernels in ((seat, kernels) for pair in street.kernels for seat, kernels in enumerate(pair)):
                modules |= {kernels.key(mode): (kernels, mode) for mode in (None, *(modes if seat in seats else ()))}
        longest = sorted(modules, key=lambda key: (len(key), key), reverse=True)
        with ThreadPoolExecutor(COMPILERS) as pool:
            list(pool.map(lambda key: modules[key][0].compiled(modules[key][1]), longest))


class _Kernels:
    """The kernels of a shape as one player sees it; those of a mode are compiled when they are first asked for."""

    def __init__(self, module: Callable[..., Any], header: str, most: int, bucket: int) -> None:
        self._module, self._header, self._most, self._bucket = module, header, most, bucket
        self._found: dict[tuple[int, bool] | None, Any] = {}

    def __getitem__(self, name: str) -> Any:
        return self.compiled(None).get_function(name)

    def up(self, mode: int, chosen: bool = False) -> Any:
        """The kernel `up` of a mode; `chosen`: the opponent does what codes say."""
        return self.compiled((mode, chosen)).get_function("up")

    def compiled(self, mode: tuple[int, bool] | None) -> Any:
        """The module that has `up` in a mode, or without one all others."""
        if mode not in self._found:
            self._found[mode] = self._module(self._header, self._bucket, **self._defined(mode))
        return self._found[mode]

    def key(self, mode: tuple[int, bool] | None) -> str:
        """What a module is made of: two that are alike have the same."""
        return f"{self._header} {self._bucket} {self._defined(mode)}"

    def _defined(self, mode: tuple[int, bool] | None) -> dict[str, int]:
        if mode is None:
            return {"REST": 1}
        defined = {"UP_MODE": mode[0], "MOST": self._most, "EACH": -(-self._most // THREADS)}
        return defined | ({"CHOSEN": 1} if mode[1] else {})


def _is_half(numbers: AnyArray) -> bool:
    """Whether all numbers are such as 16 bits hold, without those that are close to 0."""
    with np.errstate(over="ignore"):
        short = np.asarray(numbers).astype(np.float16)
    return bool((short == numbers).all() and (np.abs(short[short != 0]) >= 2**-14).all())


def _cards(game: VectorGame) -> AnyArray:
    assert isinstance(game.showdown, Sorted)
    return np.ascontiguousarray(holdem_combos()[game.showdown.hands[0]].astype(np.uint8))


def _evaluator(cp: Any) -> tuple[Any, ...]:
    from headsup.evaluate.tables import load

    tables = load()
    return tuple(cp.asarray(table) for table in (tables.card_keys, tables.row_starts, tables.values, tables.flush))
