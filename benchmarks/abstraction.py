"""Features and buckets of whole streets: seconds on this machine's cores, and on a GPU if there is one.

On a GPU, hands a second are told with the bytes that they read and write, as a share of what a plain copy of device
memory moves.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from headsup.abstraction.hands.features import Features
from headsup.abstraction.hands.spec import build_buckets
from headsup.cards import BoardTree, parse_cards
from headsup.common.backend import gpu, gpu_present
from headsup.games import game
from headsup.games.holdem.vector import VectorGame

STEP = 1 << 17
"""Boards whose rows are asked for together."""
CANONICAL = (169, 1_286_792, 55_190_538, 2_428_287_420)
"""Hands of each street up to suits, the cards of the board in the order of the streets."""


def run(quick: bool = False) -> None:
    """Print everything."""
    print(f"abstraction on {len(os.sched_getaffinity(0))} cores", flush=True)
    Features(BoardTree(ranks=5, suits=3)).sums(1, 30)  # compiles
    whole = game("holdem-limit:streets=2" if quick else "holdem-limit")
    assert isinstance(whole, VectorGame)
    features = Features(BoardTree())
    timed("sets of five cards", lambda: features.sets(3))
    timed("strengths of all rivers", lambda: features.strengths)
    timed("flop: sums and histograms of 30 bins", lambda: features.sums(1, 30))
    if not quick:
        timed("turn: sums", lambda: features.sums(2))
        for text in ("169-200-200-200:ehs", "169-200-200-200:emd"):
            made = timed(f"all buckets of {text}", partial(full, whole, text))
            board = parse_cards("AsKd2c7h")
            timed("one hand on one flop", partial(made.bucket_of, parse_cards("QsJs"), board[:3]))
            timed("one hand on one turn", partial(made.bucket_of, parse_cards("QsJs"), board))
    if gpu_present():
        on_gpu(whole, quick)


def full(whole: VectorGame, text: str, device: str = "cpu") -> Any:
    """Buckets with all their tables."""
    buckets = build_buckets(whole, text, device=device)
    for street, many in enumerate(buckets.partitions):
        for kind in range(len(many)):
            buckets.table(street, kind)
    return buckets


def timed(what: str, work: Callable[[], Any]) -> Any:
    """Do it, and print the seconds."""
    begun = time.perf_counter()
    result = work()
    print(f"  {what}: {time.perf_counter() - begun:.3g} s", flush=True)
    return result


def on_gpu(whole: VectorGame, quick: bool) -> None:
    """The same on the device, and what its memory allows."""
    from headsup.abstraction.hands.gpu import DeviceBuckets, GpuFeatures

    cp = gpu()
    print(f"abstraction on {cp.cuda.runtime.getDeviceProperties(0)['name'].decode()}", flush=True)
    features = GpuFeatures(BoardTree())
    copied = cp.zeros(1 << 28, cp.float32)
    seconds = near(cp, copied.copy)
    rate = 2 * copied.nbytes / seconds
    print(f"  a plain copy moves {rate / 1e12:.2f} TB/s")
    del copied
    boards = cp.asarray(np.ascontiguousarray(features.sets(3).cards))
    seconds = near(cp, partial(features.strengths_near, boards))
    hands = len(boards) * 1081
    print(f"  strengths of all rivers: {seconds:.3g} s, {hands / seconds / 1e9:.3g}e9 hands/s (comparing, not moving)")
    timed("with the way to the host and back", lambda: features.strengths)
    timed("flop: sums and histograms of 30 bins", lambda: features.sums(1, 30))
    timed("turn: sums and histograms of 30 bins", lambda: features.sums(2, 30))
    if quick:
        return
    for text in ("169-200-200-200:ehs", "169-200-200-200:emd,river=ochs", "169-9000-9000-9000:ehs"):
        made = timed(f"all buckets of {text}", partial(full, whole, text, "gpu"))
        device = DeviceBuckets(made)
        n = len(made.tree.levels[3])
        device.rows(0, 3, 0, 1)
        seconds = sum(near(cp, partial(device.rows, 0, 3, low, min(n, low + STEP)), 1) for low in range(0, n, STEP))
        moved = 2 * n * 1326 * made.table(3).dtype.itemsize
        print(
            f"  buckets of all {n:,} rivers in order: {seconds:.3g} s, {CANONICAL[3] / seconds / 1e9:.3g}e9 canonical "
            f"hands/s, {moved / seconds / 1e12:.2f} TB/s, {moved / seconds / rate:.0%} of a copy"
        )


def near(cp: Any, work: Callable[[], Any], times: int = 3) -> float:
    """The least seconds of some goes, the device being done."""
    seconds = []
    for _ in range(times):
        cp.cuda.Device().synchronize()
        begun = time.perf_counter()
        work()
        cp.cuda.Device().synchronize()
        seconds.append(time.perf_counter() - begun)
    return min(seconds)
