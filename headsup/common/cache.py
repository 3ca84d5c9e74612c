"""Arrays that are costly to compute, kept in the user's cache folder.

A file is a sealed archive of `headsup.common.files` with named arrays and a version. One that is missing, damaged in
whatever way or of another version is rebuilt; a folder that cannot be written to costs the time to rebuild, nothing
more.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.errors import DataError, UserError
from headsup.common.files import Member, parsed, read_archive, write_archive

Arrays = dict[str, npt.NDArray[Any]]


def cache_dir() -> Path:
    """The user's cache folder for headsup, made if need be; `HEADSUP_CACHE` overrides it."""
    override = os.environ.get("HEADSUP_CACHE")
    if override:
        path = Path(override)
    else:
        from platformdirs import user_cache_path

        path = user_cache_path("headsup", appauthor=False)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(
            f"the cache folder {path} cannot be made ({error.strerror}): set HEADSUP_CACHE to a folder that can"
        ) from error
    return path


def cached_arrays(name: str, version: int, build: Callable[[], Mapping[str, npt.NDArray[Any]]]) -> Arrays:
    """The arrays called `name` from the cache folder, or from `build`, which is then remembered; all are read-only."""
    path: Path | None = None
    with suppress(UserError):
        path = cache_dir() / f"{name}-v{version}.npz"
    arrays = read_arrays(path, version) if path else None
    if arrays is None:
        arrays = dict(build())
        if path:
            with suppress(OSError, UserError):
                write_arrays(path, version, arrays)
    for array in arrays.values():
        array.setflags(write=False)
    return arrays


def write_arrays(path: Path, version: int, arrays: Mapping[str, npt.NDArray[Any]], job: str = "") -> None:
    """Write the file in one step; `job` is the fingerprint of the job that it belongs to (`headsup.common.files`)."""
    stored = {"_version": np.array(version), **({"_job": np.array(job)} if job else {}), **arrays}
    write_archive(path, {f"{name}.npy": array for name, array in stored.items()})


def read_arrays(path: Path, version: int, job: str = "") -> Arrays | None:
    """The arrays in a file, or None if it is missing, damaged, of another version or another job's."""
    try:
        members, sealed = read_archive(path)
        return parsed(path, lambda: _checked(members, version, job, sealed))
    except DataError:
        return None


def _checked(members: Mapping[str, Member], version: int, job: str, sealed: bool) -> Arrays | None:
    stored = {name.removesuffix(".npy"): array for name, array in members.items() if isinstance(array, np.ndarray)}
    arrays = {name: array for name, array in stored.items() if not name.startswith("_")}
    if int(stored["_version"]) != version or str(stored.get("_job", "")) != job:
        return None
    return arrays if sealed or stored["_seal"].tobytes().decode() == checksum(version, arrays) else None


def checksum(version: int, arrays: Mapping[str, npt.NDArray[Any]]) -> str:
    """SHA-256 over the version and every array, as an array of files that were written before archives had a seal."""
    digest = hashlib.sha256(f"headsup {version}".encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
