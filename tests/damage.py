"""Damage to files, for tests."""

from __future__ import annotations

import numpy as np


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """Other bytes than these, changed in one of the ways in which disks, cables and people change them."""
    while True:
        raw, at = bytearray(content), int(rng.integers(len(content)))
        to = min(len(raw), at + int(rng.integers(1, 40)))
        match int(rng.integers(10)):
            case 0 | 1 | 2 | 3:
                raw[at] ^= 1 << int(rng.integers(8))
            case 4:
                raw[at] = int(rng.integers(256))
            case 5:
                del raw[at:]
            case 6:
                del raw[at:to]
            case 7:
                raw[at:at] = rng.bytes(to - at)
            case 8:
                raw[at:to] = bytes(to - at)
            case 9:
                raw += rng.bytes(to - at)
        if bytes(raw) != content:
            return bytes(raw)
