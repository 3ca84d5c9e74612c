"""Records: metadata and arrays in one sealed file, for solutions, checkpoints and charts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.archives import Member, read_archive, write_archive
from headsup.common.arrays import AnyArray
from headsup.common.errors import DataError
from headsup.common.files import parsed

FORMAT_VERSION = 2
UNSEALED = 1  # the version without a checksum, which identified a game by its name alone


def save_record(
    path: str | Path, kind: str, meta: Mapping[str, Any], arrays: Mapping[str, AnyArray], *, squeeze: bool = True
) -> None:
    """Write metadata and arrays to one sealed file, whole or not at all; `squeeze` compresses it."""
    head = {"format": kind, "format_version": FORMAT_VERSION, **meta}
    text = (json.dumps(head, indent=1, allow_nan=False) + "\n").encode()
    members: dict[str, Member] = {"solution.json": text}
    write_archive(path, members | {f"{name}.npy": array for name, array in arrays.items()}, squeeze=squeeze)


def load_record(
    path: str | Path, kind: str, without: tuple[str, ...] = (), mapped: bool = False
) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Read what `save_record` wrote; a `DataError` reports what is wrong with the file.

    Arrays whose names begin with one of `without` are skipped; `mapped` is that of `read_archive`.
    """
    members, sealed = read_archive(path, f"a {kind} file", without, mapped)
    meta = parsed(path, lambda: dict(json.loads(_text(members["solution.json"]))), f"a {kind} file")
    if meta.get("format") != kind:
        raise DataError(f"{path} is not a {kind} file: give another file")
    version = meta.get("format_version")
    if version not in (UNSEALED, FORMAT_VERSION):
        raise DataError(f"{path} has format version {version}, this headsup reads {FORMAT_VERSION}: solve again")
    if not sealed and version != UNSEALED:
        raise DataError(f"{path} is damaged, its checksum is gone: solve again")
    arrays = {name.removesuffix(".npy"): array for name, array in members.items() if isinstance(array, np.ndarray)}
    return meta, arrays


def _text(member: Member) -> bytes:
    if not isinstance(member, bytes):
        raise TypeError("solution.json is an array")
    return member
