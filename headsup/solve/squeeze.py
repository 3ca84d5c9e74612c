"""The numbers of a piece of a game in few bytes: fixed point, then DEFLATE.

A seat's array of a piece is [boards, rows, hands] of every street in turn. Kept of it is:

1. On each board only the hands that it leaves, from the weakest to the strongest, so that like stands by like.
2. In fixed point, whole numbers from 0 to `steps` with a scale, a power of 2, for each decision on each board. What lies
   between two of them is rounded up as often as it is near to the upper one, so that gains too small for a step add up
   over the iterations. The chance depends on the row and a key alone: a run can be repeated, and hands that are alike
   but for their suits stay alike. With `steps` 0 they are kept as the floats that they are.
3. The lower bytes of a board's numbers, then the upper ones, DEFLATE at its fastest, and a checksum.

The numbers are regrets of CFR+ and sums of its average: none is below 0.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from headsup.games.arrays import AnyArray
from headsup.games.vector import VectorGame
from headsup.games.walk_kernels import Hands

MOST_STEPS = 32767
_HEAD = struct.Struct("<QII")  # bytes before DEFLATE, and checksums of the scales and of the numbers
_LEVEL = 1


def squeeze(game: VectorGame, hands: Hands, seat: int, flat: AnyArray, steps: int, key: int) -> bytes:
    """The bytes of a seat's array in a piece."""
    scales, packed, size = [], zlib.compressobj(_LEVEL), 0
    out: list[bytes] = []
    for part, order, first, count, row in _boards(game, hands, seat, flat):
        live = part[:, order]
        if steps:
            live, scale = _fixed(live, first, count, steps, key, row)
            scales.append(scale)
            content = _planes(live, steps)
        else:
            content = live.tobytes()
        size += len(content)
        out.append(packed.compress(content))
    out.append(packed.flush())
    small = zlib.compress(np.concatenate(scales).tobytes() if scales else b"", _LEVEL)
    body = b"".join(out)
    return _HEAD.pack(size, len(small), zlib.crc32(body, zlib.crc32(small))) + small + body


def unsqueeze(game: VectorGame, hands: Hands, seat: int, content: bytes, steps: int, dtype: Any) -> AnyArray:
    """What `squeeze` was given, as near as the steps allow; a ValueError if the bytes are damaged."""
    if len(content) < _HEAD.size:
        raise ValueError("it ends early")
    size, length, check = _HEAD.unpack_from(content)
    small, body = content[_HEAD.size : _HEAD.size + length], content[_HEAD.size + length :]
    if zlib.crc32(body, zlib.crc32(small)) != check:
        raise ValueError("its checksum is wrong")
    scales, numbers = np.frombuffer(zlib.decompress(small), dtype=np.int16), zlib.decompress(body, bufsize=max(size, 1))
    flat = np.zeros(int(game.layout[seat][-1]), dtype)
    at = scale_at = 0
    for part, order, first, count, _ in _boards(game, hands, seat, flat):
        shape = len(part), len(order)
        if steps:
            whole = _from_planes(numbers, at, shape, steps)
            scale = np.repeat(scales[scale_at : scale_at + len(first)], count)
            part[:, order] = np.ldexp(whole.astype(dtype), scale[:, None])
            scale_at += len(first)
        else:
            whole = np.frombuffer(numbers, dtype=dtype, count=shape[0] * shape[1], offset=at).reshape(shape)
            part[:, order] = whole
        at += whole.nbytes
    if at != size:
        raise ValueError("it is not as long as it says")
    return flat


def live_values(game: VectorGame, hands: Hands, seat: int) -> int:
    """How many numbers are kept of a seat's array: those of hands that the boards leave."""
    found = 0
    for s in range(game.streets):
        here = hands.alive[seat, int(hands.start[s]) : int(hands.start[s + 1])]
        found += int(here.sum()) * int(game.rounds.rows[seat, s])
    return found


def _boards(
    game: VectorGame, hands: Hands, seat: int, flat: AnyArray
) -> Iterator[tuple[AnyArray, AnyArray, AnyArray, AnyArray, int]]:
    """Board by board: its [rows, hands], its hands in order, its decisions' first rows and counts, its first row."""
    rounds, size = game.rounds, game.showdown.sizes[seat]
    for s in range(game.streets):
        nodes = np.arange(int(rounds.start[s]), int(rounds.start[s + 1]))
        nodes = nodes[rounds.player[nodes] == seat]
        first, count, rows = rounds.row[nodes], rounds.count[nodes], int(rounds.rows[seat, s])
        low, begin = int(game.layout[seat][s]), int(hands.start[s])
        for b in range(int(hands.start[s + 1]) - begin if rows else 0):
            at = low + b * rows * size
            order = hands.order[seat, begin + b, : int(hands.alive[seat, begin + b])]
            yield flat[at : at + rows * size].reshape(rows, size), order, first, count, at // size


def _fixed(
    numbers: AnyArray, first: AnyArray, count: AnyArray, steps: int, key: int, row: int
) -> tuple[AnyArray, AnyArray]:
    """Whole numbers of [rows, hands], and the exponent of each decision's scale."""
    most = np.maximum.reduceat(numbers.max(axis=1, initial=0.0), first)
    # one step less, for the greatest may be rounded up
    exponent = np.where(most > 0.0, np.frexp(most / numbers.dtype.type(max(1, steps - 1)))[1], 0).astype(np.int16)
    seed = ((row + np.arange(len(numbers), dtype=np.int64)) * 0x9E3779B1 + (key * 0x85EBCA77 & 0xFFFFFFFF)) & 0xFFFFFFFF
    chance = ((((seed ^ (seed >> 15)) * 0x2C1B3C6D & 0xFFFFFFFF) >> 8) / 2**24).astype(numbers.dtype)
    scaled = np.ldexp(numbers, -np.repeat(exponent, count)[:, None].astype(np.int32))
    scaled += chance[:, None]
    return scaled.astype(np.int16), exponent  # toward 0, which is down


def _planes(whole: AnyArray, steps: int) -> bytes:
    if steps < 256:
        return whole.astype(np.uint8).tobytes()
    return (whole & 255).astype(np.uint8).tobytes() + (whole >> 8).astype(np.uint8).tobytes()


def _from_planes(content: bytes, at: int, shape: tuple[int, int], steps: int) -> AnyArray:
    count = shape[0] * shape[1]
    low = np.frombuffer(content, dtype=np.uint8, count=count, offset=at).reshape(shape)
    if steps < 256:
        return low
    high = np.frombuffer(content, dtype=np.uint8, count=count, offset=at + count).reshape(shape)
    return low | (high.astype(np.int16) << 8)
