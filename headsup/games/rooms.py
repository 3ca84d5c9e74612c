"""Room to work in for the walk's kernels: allocated once, so that nothing inside of a walk allocates."""

from __future__ import annotations

from typing import Any

import numpy as np

from headsup.games.arrays import AnyArray
from headsup.games.lanes import LINES, TILE
from headsup.games.walk_kernels import Room, Rounds


def tiled(n: int) -> int:
    """A number of rows or columns, made full for squares of TILE."""
    return -(-n // TILE) * TILE


def aligned(shape: tuple[int, int], dtype: Any) -> AnyArray:
    """Zeros that begin where a line of the cache does."""
    size = shape[0] * shape[1]
    raw = np.zeros(size + 64, dtype)
    first = -raw.ctypes.data % 64 // raw.itemsize
    return raw[first : first + size].reshape(shape)


def new_room(rounds: Rounds | None, sizes: tuple[int, int], dtype: Any = np.float64) -> Room:
    """One worker's room for a game's betting and numbers of hands; without betting, room for showdowns alone."""
    most = tiled(max(sizes))
    streets = 0 if rounds is None else len(rounds.start) - 1
    reach_at, sigma_at = np.zeros((2, streets), dtype=np.int64), np.zeros((2, streets), dtype=np.int64)
    reach, sigma = [0, 0], [0, 0]
    for s in range(streets):
        for p in (0, 1):
            reach_at[p, s], sigma_at[p, s] = reach[p], sigma[p]
            reach[p] += int(rounds.entries[s + 1] - rounds.entries[s] + rounds.rows[p, s]) * sizes[p]  # type: ignore[union-attr]
            sigma[p] += int(rounds.rows[p, s]) * sizes[p]  # type: ignore[union-attr]
    nodes = 0 if rounds is None else len(rounds.player)
    lines = 0 if rounds is None else int(np.diff(rounds.first_line, axis=1).max(initial=0))
    actions = 1 if rounds is None else int(rounds.count.max(initial=1))
    return Room(
        reach=(np.zeros(reach[0] + most, dtype), np.zeros(reach[1] + most, dtype)),
        sigma=(np.zeros(sigma[0], dtype), np.zeros(sigma[1], dtype)),
        value=aligned((nodes, most), dtype),
        won=aligned((tiled(lines), most), dtype),
        met=aligned((tiled(lines), most), dtype),
        reach_at=reach_at,
        sigma_at=sigma_at,
        block=aligned((most, LINES), dtype),
        total=aligned((most, LINES), dtype),
        held=aligned((1 + 52, LINES), dtype),
        pick=np.zeros(LINES, dtype=np.int64),
        share=np.zeros(most, dtype),
        even=np.zeros(most, dtype),
        mixed=np.zeros((actions + 1, most), dtype),
        cursor=np.zeros(streets, dtype=np.int64),
        current=np.zeros(streets, dtype=np.int64),
    )


def room_bytes(rounds: Rounds, sizes: tuple[int, int], dtype: Any) -> int:
    """What `new_room` will take, before it is made."""
    most = tiled(max(sizes))
    cells = 2 * most + 53 * LINES
    for p in (0, 1):
        cells += (int(rounds.entries[-1]) + 2 * int(rounds.rows[p].sum())) * sizes[p]
    lines = tiled(int(np.diff(rounds.first_line, axis=1).max(initial=0)))
    rows = len(rounds.player) + 2 * lines + 2 * LINES + int(rounds.count.max(initial=1)) + 3
    return int((cells + rows * most) * np.dtype(dtype).itemsize)
