"""Archives: sealed ZIP files of NumPy arrays and texts, and the cache of arrays that are costly to compute.

The comment of an archive ends with the SHA-256 of all bytes before it, its seal. Large arrays are aligned so that they
can be mapped. A missing, damaged or outdated archive in the user's cache folder is rebuilt.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import struct
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import AnyArray
from headsup.common.errors import DataError, UserError
from headsup.common.files import MOST_ARCHIVE, damaged, opened, parsed, replacing

if TYPE_CHECKING:
    from zipfile import ZipInfo

Array = npt.NDArray[Any]
Arrays = dict[str, Array]
Member = bytes | Array

_SEAL = b"headsup sha256 "
_DIGITS = 64
_LOCAL = struct.Struct("<26xHH")  # the header before a member of a ZIP file; it ends with the lengths of two texts
_FIELD, _FILLED = struct.Struct("<HH"), 0x6868  # name and length of an extra field there; our name for padding
_MAPPED = 1 << 24  # larger arrays are aligned so that they can be mapped
_HEADER = 1 << 16  # the header of an array ends within so many bytes: NumPy reads at most 10,000
_LARGE = 1 << 20  # larger arrays are not compressed: most are floats, which shrink by a third in ten times the time
_BYTES = 1 << 26  # arrays of single bytes are compressed up to this size


def write_archive(path: str | Path, members: Mapping[str, Member], *, squeeze: bool = False) -> None:
    """Write arrays (`NAME.npy`) and texts as one archive; `squeeze` compresses bytes and small members."""
    import zipfile

    with replacing(path) as file:
        out = _Sealing(file)
        with zipfile.ZipFile(out, "w") as archive:  # type: ignore[call-overload]
            archive.comment = _SEAL + b"0" * _DIGITS
            for name, content in members.items():
                about = zipfile.ZipInfo(name)
                small = squeeze and (isinstance(content, bytes) or content.nbytes <= _most_squeezed(content))
                about.compress_type = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
                about._compresslevel = 6 if _is_bytes(content) else 1  # type: ignore[attr-defined]  # what `ZipFile` sets
                if not isinstance(content, bytes) and content.nbytes > _MAPPED:
                    about.extra = _padding(archive.fp.tell(), name)
                with archive.open(about, "w", force_zip64=True) as part:
                    if isinstance(content, bytes):
                        part.write(content)
                    else:
                        np.lib.format.write_array(part, np.asarray(content, order="C"), allow_pickle=False)
        out.finish()


def _is_bytes(content: Member) -> bool:
    """Whether it is an array of single bytes, which are worth more time."""
    return not isinstance(content, bytes) and content.dtype == np.uint8


def _most_squeezed(array: AnyArray) -> int:
    return _BYTES if _is_bytes(array) else _LARGE


def _padding(place: int, name: str) -> bytes:
    """An empty field before a member, so that its array begins at a multiple of 64 bytes."""
    long = struct.calcsize("<HHQQ")  # the field that `ZipFile` adds for members of any size
    size = -(place + _LOCAL.size + len(name.encode()) + _FIELD.size + long) % 64
    return _FIELD.pack(_FILLED, size) + bytes(size)


class _Sealing:
    """A file without seek whose last 64 bytes become the SHA-256 of all bytes before."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.digest, self.held = file, hashlib.sha256(), b""

    def write(self, content: bytes) -> int:
        ready = self.held + bytes(content)
        self.held = ready[-_DIGITS:]
        self.digest.update(ready[:-_DIGITS])
        self.file.write(ready[:-_DIGITS])
        return len(content)

    def flush(self) -> None:
        pass  # the last bytes stay held back

    def finish(self) -> None:
        self.file.write(self.digest.hexdigest().encode())


def read_archive(
    path: str | Path, what: str = "an archive", without: tuple[str, ...] = (), mapped: bool = False
) -> tuple[dict[str, Member], bool]:
    """The members of an archive, and whether it is sealed; a broken seal is an error.

    Members whose names start with one of `without` are skipped. With `mapped`, large arrays are mapped copy-on-write,
    each member is checked by its CRC-32 (a tenth of the time), and the seal is not verified.
    """
    with opened(path, MOST_ARCHIVE) as file:
        sealed = _check_seal(path, file, mapped)
        return parsed(path, lambda: _members(path, file, sealed, without, mapped), what), sealed


def seal_of(path: str | Path) -> bytes:
    """The checksum in the seal of a file, unverified; empty if it has none."""
    with opened(path, MOST_ARCHIVE) as file:
        return _seal(file)


def _seal(file: BinaryIO) -> bytes:
    file.seek(max(0, file.seek(0, os.SEEK_END) - _DIGITS - len(_SEAL)))
    end = file.read()
    return end[len(_SEAL) :] if end.startswith(_SEAL) else b""


def _check_seal(path: str | Path, file: BinaryIO, there: bool = False) -> bool:
    """Whether a file is sealed; the seal is verified unless it need only be `there`."""
    seal = _seal(file)
    if there or not seal:
        return bool(seal)
    left = file.tell() - _DIGITS
    file.seek(0)
    digest = hashlib.sha256()
    while left:
        some = file.read(min(left, 1 << 20))
        if not some:
            break
        digest.update(some)
        left -= len(some)
    if digest.hexdigest().encode() != seal:
        raise damaged(path)
    return True


def _members(
    path: str | Path, file: BinaryIO, sealed: bool, without: tuple[str, ...], mapped: bool
) -> dict[str, Member]:
    import zipfile

    file.seek(0)
    members: dict[str, Member] = {}
    with zipfile.ZipFile(file) as archive:
        if sum(about.file_size for about in archive.infolist()) > MOST_ARCHIVE:
            raise ValueError("its parts are larger than any that headsup writes")
        for about in archive.infolist():
            if without and about.filename.startswith(without):
                continue
            stored = sealed and about.compress_type == zipfile.ZIP_STORED
            content = _stored(file, about, mapped) if stored else archive.read(about)
            if stored and mapped and zlib.crc32(content) != about.CRC:
                raise damaged(path)
            members[about.filename] = parse_array(content) if about.filename.endswith(".npy") else bytes(content)
    return members


def _stored(file: BinaryIO, about: ZipInfo, mapped: bool) -> memoryview:
    """The bytes of an uncompressed member, unchecked."""
    file.seek(about.header_offset)
    names = file.read(_LOCAL.size)
    start = about.header_offset + _LOCAL.size + sum(_LOCAL.unpack(names))
    if start + about.file_size > file.seek(0, os.SEEK_END):
        raise ValueError(f"{about.filename} is not as long as it says")
    if mapped and about.file_size > _MAPPED and os.name == "posix":  # elsewhere a mapped file cannot be replaced
        return np.memmap(file, np.uint8, "c", start, (about.file_size,)).data
    file.seek(start)
    content = np.empty(about.file_size, dtype=np.uint8).data
    at = 0
    while some := file.readinto(content[at:]):  # type: ignore[attr-defined]
        at += some
    return content


def parse_array(content: bytes | memoryview) -> Array:
    """The array in the bytes of an `.npy` file, a view if they are writable; its size is checked before allocation."""
    stream = io.BytesIO(content[:_HEADER])
    version = np.lib.format.read_magic(stream)
    header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = header(stream)
    data = memoryview(content)[stream.tell() :]
    if dtype.hasobject or min(shape, default=0) < 0 or prod(shape) * dtype.itemsize != len(data):
        raise ValueError("an array is not as large as it says")
    array = np.frombuffer(data, dtype=dtype).reshape(shape, order="F" if fortran else "C")
    return array if array.flags.writeable and array.flags.aligned else array.copy()


# --- named arrays and the cache folder ---


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


def cached_arrays(name: str, version: int, build: Callable[[], Mapping[str, Array]]) -> Arrays:
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


def write_arrays(path: Path, version: int, arrays: Mapping[str, Array], job: str = "") -> None:
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


def checksum(version: int, arrays: Mapping[str, Array]) -> str:
    """SHA-256 over the version and every array, as an array of files that were written before archives had a seal."""
    digest = hashlib.sha256(f"headsup {version}".encode())
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"{name} {array.dtype.str} {array.shape}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


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


def record_kind(path: str | Path) -> str | None:
    """The kind of the record in a file, as `save_record` was given it; None where there is none."""
    about = read_archive(path, "a solution")[0].get("solution.json")
    return None if about is None else parsed(path, lambda: json.loads(_text(about)).get("format"), "a record")


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
