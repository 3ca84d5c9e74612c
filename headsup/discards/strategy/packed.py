"""Strategies that ship with agents: some rows of probabilities in 255ths, compressed, in a sealed archive."""

import lzma
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.archives import Member, read_archive, write_archive
from headsup.common.errors import DataError
from headsup.common.files import parsed

STEPS = 255
Rows = tuple[npt.NDArray[Any], npt.NDArray[Any]]  # places of rows, ascending, and their shares, [n, width]


def write_packed(path: Path, about: str, parts: Mapping[str, Rows]) -> None:
    """Write rows of probabilities by name; `about` says how they were made."""
    members: dict[str, Member] = {"about.txt": about.encode()}
    for name, (places, shares) in parts.items():
        members[f"{name}-places.xz"] = lzma.compress(np.diff(places, prepend=0).astype("<u4").tobytes())
        # a column at a time, which squeezes better
        members[f"{name}-shares.xz"] = lzma.compress(np.rint(STEPS * shares).astype("u1").T.tobytes())
    write_archive(path, members)


def read_packed(path: Path, widths: Mapping[str, int]) -> dict[str, Rows]:
    """Read rows of probabilities by name, with the number of columns of each."""
    members, sealed = read_archive(path)
    if not sealed:
        raise DataError(f"{path.name} is not a strategy as headsup writes it: take another file, or reinstall headsup")
    return parsed(
        path, lambda: {name: _rows(path, members, name, width) for name, width in widths.items()}, "a strategy"
    )


def _rows(path: Path, members: Mapping[str, Member], name: str, width: int) -> Rows:
    if f"{name}-places.xz" not in members:
        raise DataError(f"{path.name} is of another headsup, which numbered its decisions otherwise: learn it again")
    gaps = np.frombuffer(lzma.decompress(bytes(members[f"{name}-places.xz"])), dtype="<u4")
    steps = np.frombuffer(lzma.decompress(bytes(members[f"{name}-shares.xz"])), dtype="u1")
    if len(steps) != width * len(gaps):
        raise DataError(f"{path.name} is of another headsup, whose decisions had other actions: learn it again")
    return np.cumsum(gaps, dtype=np.int64), steps.reshape(width, -1).T.astype(np.float32)


def normalised(steps: npt.NDArray[np.float32], width: int) -> npt.NDArray[np.float32]:
    """Rows, cut into parts of `width` columns, scaled so that each part adds up to 1; zero parts stay."""
    parts = steps.reshape(-1, width)
    total = parts.sum(axis=1, keepdims=True)
    shares = np.divide(parts, total, out=np.zeros_like(parts), where=total > 0.0)
    return np.asarray(shares, dtype=np.float32).reshape(steps.shape)
