"""Arrays that are costly to compute, kept in the user's cache folder.

A file holds named arrays, a version and a checksum over both. It is written beside its place and moved there in one
step, so a reader sees the old file or the whole new one. A file that is missing, damaged or of another version is
rebuilt; a folder that cannot be written to costs the time to rebuild, nothing more.
"""

from __future__ import annotations

import hashlib
import io
import os
import threading
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.errors import UserError

Arrays = dict[str, npt.NDArray[Any]]


def cached_arrays(name: str, version: int, build: Callable[[], Mapping[str, npt.NDArray[Any]]]) -> Arrays:
    """The arrays called `name` from the cache folder, or from `build`, which is then remembered; all are read-only."""
    from headsup.backend import cache_dir

    path: Path | None = None
    with suppress(UserError):
        path = cache_dir() / f"{name}-v{version}.npz"
    arrays = read_arrays(path, version) if path else None
    if arrays is None:
        arrays = dict(build())
        if path:
            with suppress(OSError):
                write_arrays(path, version, arrays)
    for array in arrays.values():
        array.setflags(write=False)
    return arrays


def is_cached(name: str, version: int) -> bool:
    """Whether the cache folder has a file for these arrays; it may still turn out to be damaged."""
    from headsup.backend import cache_dir

    try:
        return (cache_dir() / f"{name}-v{version}.npz").exists()
    except (UserError, OSError):
        return False


def checksum(version: int, arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """SHA-256 over the version and every array's name, type, shape and bytes."""
    digest = hashlib.sha256(f"headsup {version}".encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def write_arrays(path: Path, version: int, arrays: Mapping[str, npt.NDArray[Any]]) -> None:
    """Write the file in one step."""
    seal = np.frombuffer(checksum(version, arrays).encode(), dtype=np.uint8)
    # An ordinary file, so that its mode is what the user's umask says, under a name that no other writer has.
    scratch = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}.part")
    try:
        with open(scratch, "wb") as file:
            np.savez(file, allow_pickle=False, _version=np.array(version), _seal=seal, **dict(arrays))
        os.replace(scratch, path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise


def read_arrays(path: Path, version: int) -> Arrays | None:
    """The arrays in a file, or None if it is missing, damaged or of another version."""
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            if int(stored["_version"]) != version:
                return None
            seal = stored["_seal"].tobytes().decode()
            arrays = {name: stored[name] for name in stored.files if not name.startswith("_")}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, NotImplementedError):
        return None
    return arrays if seal == checksum(version, arrays) else None
