"""The trained weights that ship, in 255ths; rows that training never changed are those of the start."""

from __future__ import annotations

import lzma
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.files import Member, parse_array, read_archive, write_archive
from headsup.play.ectomynx.start import Weights
from headsup.play.ectomynx.train import LevelStrategy, start

PATH = Path(__file__).parent / "data" / "levels.npz"
STEPS = 255
SEATS = ("button", "blind")


def save(strategy: LevelStrategy, path: Path, about: str) -> None:
    """Write the weights of a strategy; `about` says how they were made."""
    begun = start()
    members: dict[str, Member] = {"about.txt": about.encode()}
    for seat, name in enumerate(SEATS):
        rows = np.flatnonzero(np.abs(strategy.after[seat] - begun.after[seat]).max(axis=1) > 0.5 / STEPS)
        for part, array in (
            ("before", _steps(strategy.before[seat])),
            ("gaps", np.diff(rows, prepend=0).astype("<u4")),
            ("after", _steps(strategy.after[seat][rows])),
        ):
            members[f"{name}-{part}.xz"] = lzma.compress(array.tobytes())
    write_archive(path, members)


def load(path: Path) -> LevelStrategy:
    """Read what `save` wrote."""
    members, found = read_archive(path)[0], start()

    def part(name: str, kind: str, width: int) -> npt.NDArray[Any]:
        return np.frombuffer(lzma.decompress(members[name]), dtype=kind).reshape(-1, width)

    for seat, name in enumerate(SEATS):
        rows = np.cumsum(part(f"{name}-gaps.xz", "<u4", 1), dtype=np.int64)
        found.before[seat][:] = _shares(part(f"{name}-before.xz", "u1", 6), 6)
        found.after[seat][rows] = _shares(part(f"{name}-after.xz", "u1", 12), 6 if seat == 0 else 12)
    return found


@cache
def trained() -> LevelStrategy:
    """The weights that ship."""
    return load(PATH)


def _steps(weights: Weights) -> npt.NDArray[np.uint8]:
    return np.rint(STEPS * weights).astype(np.uint8)


def _shares(steps: npt.NDArray[Any], width: int) -> Weights:
    """Weights whose rows, or halves of rows, add up to 1 again."""
    parts = steps.reshape(-1, width).astype(np.float32)
    return np.asarray((parts / parts.sum(axis=1, keepdims=True)).reshape(steps.shape))
