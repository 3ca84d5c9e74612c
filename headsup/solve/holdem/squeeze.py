"""Compression of the numbers of a subgame: fixed point, then a code that gives small numbers few bits.

1. On each board only the live hands, from the weakest to the strongest, so that equal numbers are neighbours.
2. Whole numbers from 0 to `steps`, with a power of 2 as scale for each decision on each board. Rounding is stochastic
   by the row, a key and the turn alone: a run can be repeated, and hands that differ only in suits stay equal. It
   advances by the golden section; independent draws would let errors grow with the root of the turns.
3. Runs of equal numbers in Rice codes (`headsup.solve.holdem.squeeze_kernels`), scales by DEFLATE, a checksum.

Why not a library: on states of turn subgames (16 to 32 cards, 12 iterations) Rice codes take 0.42 to 1.05 bytes a
number, 8 to 13 ns to write and 6 to 11 ns to read, with rounding, gathering and scaling. Of the same numbers already
rounded, all low bytes before all high ones, zlib at level 1 makes 0.85 to 1.19 of the bytes in 17 to 39 ns, Zstandard
(package zstandard 0.25; in Python from 3.14) at level 3 0.88 to 1.03 in 6 to 16 ns and at level 6 0.80 to 0.94 in 18 to
35 ns, bz2 0.70 to 0.85 in 74 to 130 ns, lzma 0.54 to 0.81 in 79 to 1,138 ns. Disk is not what limits a run, and only
Zstandard is as fast: at level 3 it would save at most an eighth of the disk, for a package more.

With `steps` 0 numbers are stored as floats by DEFLATE. None is below 0: they are regrets of CFR+ and its sums.
"""

import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.games.holdem.layout import WalkHands
from headsup.games.holdem.vector import VectorGame, decisions
from headsup.solve.holdem.squeeze_kernels import Rounding, pack, unpack

MOST_STEPS = 32767
_HEAD = struct.Struct("<II")  # the bytes of the scales, and a checksum of those and of the numbers
_LEVEL = 1


def squeeze(
    game: VectorGame, hands: WalkHands, seat: int, flat: AnyArray, steps: int, key: int, turn: int = 0
) -> bytes:
    """The bytes of a seat's array in a piece; `turn` counts how often it has been rounded with this key."""
    scales, out, buffer = [], [], np.zeros(0, dtype=np.uint8)
    whole, key = np.zeros(game.showdown.sizes[seat], dtype=np.int16), key & 0x7FFFFFFF
    for part, order, first, count, row in _boards(game, hands, seat, flat):
        if not steps:
            out.append(part[:, order].tobytes())
            continue
        if buffer.size < (need := len(part) * (8 * len(order) + 2) + 8):
            buffer = np.zeros(need, dtype=np.uint8)
        scale = np.zeros(len(first), dtype=np.int16)
        length = pack(part, order, first, count, Rounding(steps, key, turn, row), scale, whole, buffer)
        scales.append(scale)
        out.append(buffer[:length].tobytes())
    body = b"".join(out) if steps else zlib.compress(b"".join(out), _LEVEL)
    small = zlib.compress(np.concatenate(scales).tobytes() if scales else b"", _LEVEL)
    return _HEAD.pack(len(small), zlib.crc32(body, zlib.crc32(small, len(small)))) + small + body


def unsqueeze(game: VectorGame, hands: WalkHands, seat: int, content: bytes, steps: int, dtype: Any) -> AnyArray:
    """The array that `squeeze` was given, up to its rounding; a ValueError if the bytes are damaged."""
    small, body = checked_parts(content)
    scales = np.frombuffer(zlib.decompress(small), dtype=np.int16)
    numbers = np.frombuffer(body + bytes(8) if steps else zlib.decompress(body), dtype=np.uint8)
    flat = np.zeros(int(game.layout[seat][-1]), dtype)
    at = scale_at = 0
    for part, order, first, count, _ in _boards(game, hands, seat, flat):
        if steps:
            at = unpack(numbers, at, part, order, first, count, scales[scale_at : scale_at + len(first)])
            scale_at += len(first)
        else:
            shape = len(part), len(order)
            here = np.frombuffer(numbers, dtype=dtype, count=shape[0] * shape[1], offset=at).reshape(shape)
            part[:, order], at = here, at + here.nbytes
        if at < 0:
            break
    if at != len(numbers) - (8 if steps else 0):
        raise ValueError("its length is wrong")
    return flat


def checked_parts(content: bytes) -> tuple[bytes, bytes]:
    """The scales and the numbers in what `squeeze` made; a ValueError if the bytes are damaged."""
    if len(content) < _HEAD.size:
        raise ValueError("it ends early")
    length, check = _HEAD.unpack_from(content)
    small, body = content[_HEAD.size : _HEAD.size + length], content[_HEAD.size + length :]
    if zlib.crc32(body, zlib.crc32(small, length)) != check:
        raise ValueError("its checksum is wrong")
    return small, body


def live_values(game: VectorGame, hands: WalkHands, seat: int) -> int:
    """How many numbers of a seat's array are kept: those of live hands."""
    count = 0
    for s in range(game.streets):
        here = hands.alive[seat, int(hands.start[s]) : int(hands.start[s + 1])]
        count += int(here.sum()) * int(game.rounds.rows[seat, s])
    return count


def _boards(
    game: VectorGame, hands: WalkHands, seat: int, flat: AnyArray
) -> Iterator[tuple[AnyArray, AnyArray, AnyArray, AnyArray, int]]:
    """Board by board: its [rows, hands], its hands in order, its decisions' first rows and counts, its first row."""
    rounds, size = game.rounds, game.showdown.sizes[seat]
    for s in range(game.streets):
        nodes = decisions(rounds, s, seat)
        first, count, rows = rounds.row[nodes], rounds.count[nodes], int(rounds.rows[seat, s])
        low, begin = int(game.layout[seat][s]), int(hands.start[s])
        for b in range(int(hands.start[s + 1]) - begin if rows else 0):
            at = low + b * rows * size
            order = hands.order[seat, begin + b, : int(hands.alive[seat, begin + b])]
            yield flat[at : at + rows * size].reshape(rows, size), order, first, count, at // size
