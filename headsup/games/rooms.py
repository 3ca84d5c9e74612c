"""Room to work in for the walk's kernels: allocated once, so that nothing inside of a walk allocates."""

from __future__ import annotations

from typing import Any

import numpy as np

from headsup.games.walk_kernels import LINES, Room, Rounds


def new_room(rounds: Rounds | None, sizes: tuple[int, int], dtype: Any = np.float64) -> Room:
    """One worker's room for a game's betting and numbers of hands; without betting, room for showdowns alone."""
    most = max(sizes)
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
        reach=(np.zeros(reach[0], dtype), np.zeros(reach[1], dtype)),
        sigma=(np.zeros(sigma[0], dtype), np.zeros(sigma[1], dtype)),
        value=np.zeros((nodes, most), dtype),
        won=np.zeros((lines, most), dtype),
        met=np.zeros((lines, most), dtype),
        reach_at=reach_at,
        sigma_at=sigma_at,
        block=np.zeros((most, LINES), dtype),
        total=np.zeros((most, LINES), dtype),
        held=np.zeros((52, LINES), dtype),
        below=np.zeros(LINES, dtype),
        whole=np.zeros(LINES, dtype),
        place=np.zeros(most, dtype=np.int32),
        share=np.zeros(most, dtype),
        even=np.zeros(most, dtype),
        mixed=np.zeros((actions, most), dtype),
        cursor=np.zeros(streets, dtype=np.int64),
        current=np.zeros(streets, dtype=np.int64),
    )


def room_bytes(rounds: Rounds, sizes: tuple[int, int], dtype: Any) -> int:
    """What `new_room` will take, before it is made."""
    cells = 0
    for p in (0, 1):
        cells += (int(rounds.entries[-1]) + 2 * int(rounds.rows[p].sum())) * sizes[p]
    lines = int(np.diff(rounds.first_line, axis=1).max(initial=0))
    return int((cells + (len(rounds.player) + 2 * lines + 2 * LINES) * max(sizes)) * np.dtype(dtype).itemsize)
