"""Learn our strategy of hold'em with discards on a CUDA device: the GPU twin of `headsup.discards.strategy.learn`.

A round deals `DEALS` hands and walks each `TIMES` times for each seat, one thread per walk (learn.cu). Walks read
regrets while others add to them, so two runs differ by the order of sums.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from headsup.cards.classes import holdem_class_of_combo
from headsup.cards.combos import holdem_combos
from headsup.common.backend import gpu
from headsup.discards.equity.deals import rule_tables, value_tables
from headsup.discards.strategy import walk_kernels as game
from headsup.discards.strategy.facts import COLUMNS, EDGES
from headsup.discards.strategy.hand_kernels import NEAR, TOPS
from headsup.discards.strategy.hands import VOLATILITY, WETNESS
from headsup.evaluate.cuda import cuda_module

SOURCE = Path(__file__).with_name("learn.cu")
DEALS, TIMES = 32_768, 4
STEP = 0xD1342543DE82EF95
DEEP = 16  # own decisions of a walk, at most
DEAL_THREADS, WALK_THREADS = 128, 128
NUMBERS = (
    *("ACTIONS", "ALL_IN", "NODES", "ALL", "LARGE", "COMMIT", "LIMP", "BY_RULE", "UNSEEN", "ONE_SIZE", "PRUNED"),
    *("TRIED", "SWAP", "BETTING", "OVER", "OPEN", "FACING", "FACING_LARGE", "RAISED", "JAMMED", "SHOVED", "RAISED_ALL"),
    *("FLOP_SIZE", "TURN_SIZE", "RIVER_SIZE", "SWAP_FLOP", "SWAP_TURN", "BET_FLOP", "BET_TURN", "BET_RIVER"),
    "N_DEPTHS",
)
"""What the kernels take from `walk_kernels`."""


class DeviceDeals(NamedTuple):
    """Deals on the device, as `make_facts` returns them."""

    cards: Any  # uint8[deals, 13]
    facts: Any  # uint16[deals, 2, COLUMNS]
    textures: Any  # uint8[deals, 3]


def definitions() -> str:
    """The numbers of the game, as the kernels read them."""
    numbers = {name: getattr(game, name) for name in NUMBERS}
    numbers |= {"COLUMNS": COLUMNS, "DEEP": DEEP}
    lines = [f"#define {name} {value}" for name, value in numbers.items()]
    lines.append(f"#define STEP {STEP}ULL")
    rows = ", ".join(f"{{{', '.join(map(str, row))}}}" for row in game.LINES.tolist())
    lines.append(f"__device__ const int LINES[][4] = {{{rows}}};")
    lines.append(f"__device__ const double DEPTHS[] = {{{', '.join(map(repr, game.DEPTHS.tolist()))}}};")
    lines.append(f"__device__ const int EDGES[] = {{{', '.join(str(len(EDGES[street])) for street in (1, 2, 3))}}};")
    return "\n".join(lines)


def tables() -> list[np.ndarray[Any, Any]]:
    """The arrays that the kernels read, in the order of their `Tables`."""
    steep = 1.15 ** np.arange(15.0)
    edges = [np.array(EDGES[street]) for street in (1, 2, 3)]
    wetness = [np.array(WETNESS[size]) for size in (3, 4, 5)]
    return [
        *value_tables(), *rule_tables(), TOPS, holdem_class_of_combo().astype(np.uint16), holdem_combos(), *edges,
        *wetness, np.array(VOLATILITY), NEAR, steep,
    ]  # fmt: skip


@cache
def _kernels() -> tuple[Any, Any, Any, list[Any]]:
    """Both kernels, and the addresses of their tables, which must stay alive."""
    cp = gpu()
    module = cuda_module(SOURCE, "--fmad=false", definitions=definitions())
    arrays = [cp.asarray(np.ascontiguousarray(array)) for array in tables()]
    addresses = cp.asarray(np.array([array.data.ptr for array in arrays], dtype=np.uint64))
    return module.get_function("deal"), module.get_function("learn"), addresses, arrays


def deal(seed: int, deals: int) -> DeviceDeals:
    """Deal hands and compute the facts of all that may follow."""
    cp, (kernel, _, addresses, _) = gpu(), _kernels()
    dealt = DeviceDeals(
        cp.empty((deals, 13), cp.uint8), cp.empty((deals, 2, COLUMNS), cp.uint16), cp.empty((deals, 3), cp.uint8)
    )
    kernel((min(deals, 1 << 16),), (DEAL_THREADS,), (addresses, np.uint64(seed), np.int32(deals), *dealt))
    return dealt


def walks(
    dealt: DeviceDeals, times: int, mode: int, regret: Any, theirs: Any, cumulative: Any, gains: Any, hopeless: float,
    seed: int,
) -> None:  # fmt: skip
    """Walks for both seats over deals. Tables are float32[ENTRIES, 4]: own regrets, what the other plays by, and, added
    to, the other's strategy and what the walker gains; `gains` may be `regret`.
    """
    kernel, threads = _kernels()[1], 2 * times * len(dealt.facts)
    kernel(
        (-(-threads // WALK_THREADS),),
        (WALK_THREADS,),
        (
            dealt.facts, dealt.textures, np.int32(len(dealt.facts)), np.int32(times), np.int32(mode), regret, theirs,
            cumulative, gains, np.float64(hopeless), np.uint64(seed),
        ),
    )  # fmt: skip


def counters(seed: int, count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.uint64(seed) + np.arange(count, dtype=np.uint64) * np.uint64(STEP)
