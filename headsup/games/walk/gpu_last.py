"""The last street of a walk on a CUDA device in one kernel for each shape of its betting (last.cu).

`headsup.games.walk.gpu.GpuWalker` walks any street in steps, each of which writes out reach or values of every row.
Most of a large game lies on its last street; there one block takes an entry on a board from the reach that comes in to
the values that go out, and learns on the way. The kernels are compiled for the shapes, which takes seconds.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.evaluate.cuda import cuda_module
from headsup.games.holdem.layout import LEARN, Rule, Store
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_shapes import WIDE, Shape, shapes
from headsup.games.walk.live import left_hands

THREADS, SMALL_THREADS = 896, 1024
"""Threads of `up` that a multiprocessor should hold, in two blocks, or in many small ones."""
RUN_OUT_THREADS = 256
LARGEST = 48
"""Nodes of a shape at most: a thread holds them in registers."""
C_NAMES = {"float32": "float", "float64": "double", "int16": "short"}


def last_street(cp: Any, game: VectorGame, dtype: Any, live: bool = False) -> LastStreet | None:
    """The last street of a game on the device; None where its betting is too large for one kernel."""
    return LastStreet(cp, game, dtype, live) if is_small(game) else None


def is_small(game: VectorGame) -> bool:
    """Whether the betting of the last street fits into one kernel."""
    return max(len(tree.player) for tree in shapes(game, game.streets - 1)) <= LARGEST


class ThreadBlocks(NamedTuple):
    """How the threads of `up` are grouped."""

    threads: int  # of a block
    number: int  # of blocks that a multiprocessor should hold
    scan_from: int  # the first thread that adds up all hands, while those before it do so card by card


def blocks_for(columns: int) -> ThreadBlocks:
    """The blocks for rows of so many numbers: a thread for each, or for a few of them."""
    if columns > THREADS // 4:
        return ThreadBlocks(THREADS // 2, 2, THREADS // 4)
    threads = max(128, -(-columns // 32) * 32)
    return ThreadBlocks(threads, SMALL_THREADS // threads, threads - 32)


class LastStreet:
    """The last street of a game on the device, in one precision.

    `live`: rows of policies and stores have a number for each hand that their board leaves (`headsup.games.walk.live`).
    """

    def __init__(self, cp: Any, game: VectorGame, dtype: Any, live: bool) -> None:
        s = game.streets - 1
        self._cp, self._dtype, self._sizes, self._shapes = cp, np.dtype(dtype), game.showdown.sizes, shapes(game, s)
        self._rows = game.rounds.rows[:, s].tolist()
        self.entries = int(game.rounds.entries[s + 1] - game.rounds.entries[s])
        scale = float(game.chance[s]) / game.mass
        self._entry = [cp.asarray(shape.entry) for shape in self._shapes]
        self._first = [cp.asarray(self._first_rows(shape)) for shape in self._shapes]
        self._pay = [[cp.asarray((shape.pay[p] * scale).astype(self._dtype)) for p in (0, 1)] for shape in self._shapes]
        self._live, self._most = live, left_hands(game)
        self._blocks = blocks_for(self._most if live else max(self._sizes))
        self._modules: dict[tuple[int, str, bool, bool], list[list[Any]]] = {}

    @staticmethod
    def _first_rows(shape: Shape) -> AnyArray:
        """[players, entries] the first row of each entry."""
        return np.stack([rows[:, 0] if rows.shape[1] else np.zeros(len(rows)) for rows in shape.rows]).astype(np.int32)

    def walk(
        self,
        seat: int,
        mode: int,
        boards: tuple[int, int],
        above: tuple[Any, ...],
        orders: tuple[Any, ...],
        hands: tuple[Any, Any],
        value: Any,
        policy: tuple[Any, Any],
        store: Store,
        at: tuple[slice, slice],
        rule: Rule,
    ) -> None:
        """Values of a seat at the entries of boards low .. high - 1 into `value`, [boards, entries, hands].

        `above` has for each player (reach, rows, row of each entry), then the parents of the boards and the first board
        that the reach begins with.
        """
        low, high = boards
        *come, parent, come_low = above
        other, real, none = 1 - seat, self._dtype.type, np.uint64(0)
        ours, theirs = self._sizes[seat], self._sizes[other]
        most = min(theirs, self._most)
        learns = mode == LEARN
        averages = learns and rule.weight > 0.0
        kernels = self._kernels(mode, str(policy[seat].dtype), rule.predictive, averages)
        mark = slice(int(store.scale_at[-2]) if learns else 0, None)
        for n, shape in enumerate(self._shapes):
            entries, kernel = len(shape.entry), kernels[n][seat]
            pay = self._pay[n][seat]
            sides = (*orders, hands[seat], np.int32(theirs), np.int32(ours))
            if len(shape.player) == 1:
                kernel(
                    ((high - low) * -(-entries // WIDE),), (RUN_OUT_THREADS,),
                    (
                        *come[other], parent, np.int32(come_low), np.int64(low), self._entry[n], np.int32(entries),
                        *sides, np.int32(most), pay, value, np.int32(self.entries),
                    ),
                    shared_mem=self._shared(shape, seat),
                )  # fmt: skip
                continue
            kernel(
                ((high - low) * entries,), (self._blocks.threads,),
                (
                    *come[other], *come[seat], parent, np.int32(come_low), np.int64(low), self._entry[n],
                    np.int32(entries), self._first[n], *sides, policy[other][at[other]], np.int32(self._rows[other]),
                    policy[seat][at[seat]], np.int32(self._rows[seat]), pay, value, np.int32(self.entries),
                    store.regret[at[seat]] if learns else none, store.cumulative[at[seat]] if averages else none,
                    store.prediction[at[seat]] if learns and rule.predictive else none,
                    store.regret_scale[mark] if learns and rule.whole else none,
                    store.cumulative_scale[mark] if averages and rule.whole else none,
                    real(rule.keep), real(rule.shrink), real(rule.weight), np.int64(mark.start), np.int64(rule.turn),
                ),
                shared_mem=self._shared(shape, seat),
            )  # fmt: skip

    def _shared(self, shape: Shape, seat: int) -> int:
        """Bytes of shared memory: vectors of hands, warps and cards with lists of cards, or the scales of decisions."""
        hands = (3 if len(shape.player) == 1 else 4) * min(self._sizes[1 - seat], self._most)
        sums = WIDE * int(self._dtype.itemsize) * (32 + hands + 1 + 52) + 2 * (54 + 2 * self._most)
        rows = int(shape.rows[seat].shape[1])
        return max(sums, int(self._dtype.itemsize) * (3 * 33 * (rows // 2 + 1) + 2 * rows))

    def _kernels(self, mode: int, stored: str, predictive: bool, averages: bool) -> list[list[Any]]:
        """For each shape and seat its kernel, compiled for a mode and stores of a type."""
        how = mode, stored, predictive, averages
        if how not in self._modules:
            with ThreadPoolExecutor(2 * len(self._shapes)) as pool:
                pairs = [[pool.submit(self._kernel, shape, p, *how) for p in (0, 1)] for shape in self._shapes]
                self._modules[how] = [[made.result() for made in pair] for pair in pairs]
        return self._modules[how]

    def _kernel(self, shape: Shape, seat: int, mode: int, stored: str, predictive: bool, averages: bool) -> Any:
        source = Path(__file__).with_name("last.cu")
        options = [f"-DREAL={C_NAMES[str(self._dtype)]}", f"-DLIVE={int(self._live)}"]
        most = min(self._sizes[1 - seat], self._most)
        if len(shape.player) == 1:
            name, header = "run_outs", ""
        else:
            name, header, columns = "up", shape.header(seat), most if self._live else max(self._sizes)
            defined = {
                "STORED": C_NAMES[stored], "WHOLE": int(stored == "int16"), "PREDICTIVE": int(predictive),
                "AVERAGES": int(averages), "UP_MODE": mode, "MOST": most, "EACH": -(-columns // self._blocks.threads),
                "THREADS": self._blocks.threads, "BLOCKS": self._blocks.number, "SCAN_FROM": self._blocks.scan_from,
            }  # fmt: skip
            options += [f"-D{key}={number}" for key, number in defined.items()]
        module = cuda_module(source, *options, definitions=header)
        module.compile()
        kernel = module.get_function(name)
        kernel.max_dynamic_shared_size_bytes = self._shared(shape, seat)
        return kernel
