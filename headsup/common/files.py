"""Files, for every stage: written whole or not at all, read only if they are what they should be.

**Writing** (`replacing`, `write_bytes`, `write_text`, `write_json`, `write_archive`): the content goes to a scratch
file beside its place, is flushed to the disk and then renamed, so that whoever looks sees the old file or the whole new
one: after an error, Ctrl-C, `kill -9` or a power cut. Only the last two can leave the scratch file, `.NAME.*.part`. A
new file has the mode that the user's umask says, an old one keeps its own; a link stays a link to what is replaced.

**Reading** (`opened`, `read_bytes`, `read_text`, `read_json`, `read_archive`): regular files only, and none that is
larger than it can sensibly be, so that a device or a pipe never makes a command wait for ever.

**Checking**: an archive is a ZIP of NumPy arrays and texts whose comment ends with the SHA-256 of all bytes before it;
a JSON file has the SHA-256 of the rest of its content under "checksum"; data that came with the package stands in a
list of checksums beside it (`read_shipped`). Whatever is wrong is a `DataError`, one sentence with the user's own path.

**Owning**: a job that keeps its work in many files writes its `fingerprint` into each of them and reads only files with
it (`own_json`, `own_bytes`), so a file copied from another job is made again, as a damaged one is.
"""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import stat
import struct
import sys
import warnings
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import numpy as np
import numpy.typing as npt

from headsup.common.errors import DataError, UserError

if TYPE_CHECKING:
    from zipfile import ZipInfo

MOST_TEXT = 1 << 30
"""Bytes of the largest text that is read; the tree of a large game as text has some hundred million."""
MOST_ARCHIVE = 1 << 36
"""Bytes of the largest archive that is read, packed or unpacked."""
CHECKSUMS = "checksums.txt"
"""The list of checksums in a folder of shipped data, a line a file: SHA-256, two spaces, name."""

Array = npt.NDArray[Any]
Member = bytes | Array
Read = TypeVar("Read")

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_SEAL = b"headsup sha256 "
_DIGITS = 64
_OWNER = 32
"""Digits of a fingerprint."""
_LOCAL = struct.Struct("<26xHH")
"""What stands before a member of a ZIP file: it ends with the lengths of the two texts that still come in between."""
_FIELD, _FILLED = struct.Struct("<HH"), 0x6868
"""What stands before each field there, its name and length, and our own name for one that says nothing."""
_MAPPED = 1 << 24
"""Arrays of more bytes are put where they can be mapped: nothing is copied, and memory is free for other files."""
_HEADER = 1 << 16
"""Bytes in which the header of an array ends: NumPy reads none that is longer than 10,000."""
_LARGE = 1 << 20
"""Arrays of more bytes are not squeezed: most are floats, of which a third could be saved in ten times the time."""


class Missing(DataError):
    """There is no such file."""


class Unlogged(DataError):
    """Work came to its end, but its log or its report could not be written; `result` is what the work came to."""

    def __init__(self, result: Any, error: DataError) -> None:
        super().__init__(str(error))
        self.result = result


# --- writing --------------------------------------------------------------------------------------------------------


def writable(path: str | Path) -> Path:
    """The path, if a file can be written there; call it before the work whose result goes there. Leaves no trace."""
    if _no_path(path):
        raise DataError(f"{str(path)!r} cannot be written: no file can have that name")
    with _naming(path):
        scratch, handle = _scratch(_place(path))
        os.close(handle)
        scratch.unlink()
    return Path(path)


def writable_apart(*options: tuple[str, str | Path | None], keep: str | Path | None = None) -> None:
    """`writable` for the files that options name; no two of them may be the same file, nor one that is to be kept."""
    taken = {} if keep is None or _no_path(keep) else {os.path.realpath(keep): str(keep)}
    for option, path in options:
        if path is None:
            continue
        other = taken.setdefault(os.path.realpath(writable(path)), option)
        if other is not option:
            raise DataError(f"{option} {path} would overwrite {other}: give it a file of its own")


@contextmanager
def replacing(path: str | Path, lasting: bool = True) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when the block ends well and leaves no trace if not.

    One that is not `lasting` is not waited for until it is on the disk: after a power cut it may be damaged.
    """
    with _naming(path):
        place = _place(path)
        scratch, handle = _scratch(place)
        try:
            with open(handle, "wb") as file:
                yield file
                file.flush()
                if lasting:
                    os.fsync(file.fileno())
            with suppress(FileNotFoundError):
                scratch.chmod(stat.S_IMODE(place.stat().st_mode))
            os.replace(scratch, place)
        except BaseException:
            with suppress(OSError):
                scratch.unlink(missing_ok=True)
            raise
        if lasting:
            sync_folder(place.parent)


def logged(path: str | Path, work: Callable[[Callable[[bytes], None]], Read]) -> Read:
    """The result of work that writes a log as it goes; a log that fails is told at the end, by `Unlogged`."""
    results: list[Read] = []
    try:
        with replacing(path) as file:
            trouble: list[OSError] = []

            def write(content: bytes) -> None:
                try:
                    if not trouble:
                        file.write(content)
                except OSError as error:
                    trouble.append(error)

            results.append(work(write))
            for error in trouble:
                raise error
    except DataError as error:
        if not results:
            raise
        raise Unlogged(results[0], error) from error
    return results[0]


def write_bytes(path: str | Path, content: bytes, lasting: bool = True) -> None:
    """Write a file, whole or not at all; `lasting` is that of `replacing`."""
    with replacing(path, lasting) as file:
        file.write(content)


def write_text(path: str | Path, text: str) -> None:
    """Write a text file, whole or not at all."""
    write_bytes(path, text.encode("utf-8"))


def json_text(content: Mapping[str, Any]) -> str:
    """A JSON object with its checksum, as `read_json` wants it."""
    return json.dumps({**content, "checksum": _json_digest(content)}, indent=1, allow_nan=False) + "\n"


def write_json(path: str | Path, content: Mapping[str, Any]) -> None:
    """Write a JSON object with its checksum."""
    write_text(path, json_text(content))


def write_archive(path: str | Path, members: Mapping[str, Member], *, squeeze: bool = False) -> None:
    """Write arrays (`NAME.npy`) and texts as one sealed ZIP file; the same members give the same bytes.

    `squeeze` makes smaller what is not large.
    """
    import zipfile

    with replacing(path) as file:
        out = _Sealing(file)
        with zipfile.ZipFile(out, "w") as archive:  # type: ignore[call-overload]
            archive.comment = _SEAL + b"0" * _DIGITS
            for name, content in members.items():
                about = zipfile.ZipInfo(name)
                small = squeeze and (isinstance(content, bytes) or content.nbytes <= _LARGE)
                about.compress_type = zipfile.ZIP_DEFLATED if small else zipfile.ZIP_STORED
                about._compresslevel = 1  # type: ignore[attr-defined]  # what `ZipFile` itself sets
                if not isinstance(content, bytes) and content.nbytes > _MAPPED:
                    about.extra = _padding(archive.fp.tell(), name)
                with archive.open(about, "w", force_zip64=True) as part:
                    if isinstance(content, bytes):
                        part.write(content)
                    else:
                        np.lib.format.write_array(part, np.asarray(content, order="C"), allow_pickle=False)
        out.finish()


def _padding(place: int, name: str) -> bytes:
    """A field that says nothing, before a member at a place, so that its numbers begin where 64 bytes do."""
    long = struct.calcsize("<HHQQ")  # the field that `ZipFile` adds for members of any size
    size = -(place + _LOCAL.size + len(name.encode()) + _FIELD.size + long) % 64
    return _FIELD.pack(_FILLED, size) + bytes(size)


class _Sealing:
    """Passes bytes on to a file and puts their SHA-256 in the place of the last 64; it cannot seek, ZIP need not."""

    def __init__(self, file: BinaryIO) -> None:
        self.file, self.digest, self.held = file, hashlib.sha256(), b""

    def write(self, content: bytes) -> int:
        """Pass on all but the last bytes."""
        ready = self.held + bytes(content)
        self.held = ready[-_DIGITS:]
        self.digest.update(ready[:-_DIGITS])
        self.file.write(ready[:-_DIGITS])
        return len(content)

    def flush(self) -> None:
        """What is held back stays so."""

    def finish(self) -> None:
        """Write the checksum."""
        self.file.write(self.digest.hexdigest().encode())


def sync_folder(folder: Path) -> None:
    """Make renames in a folder last through a power cut, where the system can."""
    if os.name == "posix":
        with suppress(PermissionError):  # a folder may be written to without being readable
            handle = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def is_full(error: BaseException) -> bool:
    """Whether an error, or what it came of, is that a disk or a quota is full."""
    cause = error if isinstance(error, OSError) and error.errno is not None else error.__cause__
    return isinstance(cause, OSError) and cause.errno in _FULL


@contextmanager
def telling_full_disk(folder: Path) -> Iterator[None]:
    """Turn the errors of a full disk into one sentence; for work that is kept piece by piece in a folder."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise DataError(
                f"there is no room left for files in {folder}: free some and run the same command again, "
                "what is finished is kept"
            ) from error
        raise


@contextmanager
def _naming(path: str | Path) -> Iterator[None]:
    """Turn the errors of writing into one sentence with the user's own path."""
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        if isinstance(error, OSError) and error.errno in _FULL:
            raise DataError(
                f"there is no room left for files in {Path(path).parent}: free some and run the same command again, "
                f"{path} could not be written"
            ) from error
        if not isinstance(error, OSError) and "\0" not in str(path):
            raise
        raise DataError(f"{path} cannot be written ({_why(error)}): give another file") from error


def _place(path: str | Path) -> Path:
    """Where the file really goes: the end of all links, which is a regular file that may be changed, or nothing."""
    if not str(path):
        raise DataError("a file without a name cannot be written: give its name")
    place = Path(os.path.realpath(path))
    try:
        mode = place.stat().st_mode
    except FileNotFoundError:
        if str(path).endswith(os.sep):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)) from None
        return place
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(mode):
        raise DataError(f"{path} cannot be written (it is a device or a pipe): give the name of an ordinary file")
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return place


def _scratch(place: Path) -> tuple[Path, int]:
    """A new file beside a place, of a name that no other writer has, and its handle."""
    with suppress(FileNotFoundError):
        os.lstat(place)  # a name that is too long shows here: the scratch file's own is cut
    short = place.name if len(place.name.encode("utf-8", "surrogateescape")) < 200 else "long"
    scratch = place.with_name(f".{short}.{os.getpid()}-{os.urandom(4).hex()}.part")
    return scratch, os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o666)


def _why(error: BaseException) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


def _no_path(path: str | Path) -> bool:
    """Whether no file can have such a name: it has a zero byte, or half of a character."""
    try:
        return b"\0" in os.fsencode(path)
    except UnicodeEncodeError:
        return True


# --- reading --------------------------------------------------------------------------------------------------------


@contextmanager
def opened(path: str | Path, most: int = MOST_TEXT) -> Iterator[BinaryIO]:
    """A regular file of at most so many bytes, open for reading; an error within the block is told as one of reading.

    A pipe or a device is refused without waiting for what it may have to say.
    """
    if not str(path):
        raise Missing("a file without a name cannot be read: give its name")
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:
            about = os.fstat(handle)
            if stat.S_ISDIR(about.st_mode):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not stat.S_ISREG(about.st_mode):
                raise DataError(f"{path} cannot be read (it is a device or a pipe): give an ordinary file")
            if about.st_size > most:
                raise DataError(f"{path} cannot be read (it has {about.st_size:,} bytes): at most {most:,} make sense")
            yield file
    except FileNotFoundError as error:
        raise Missing(f"{path} cannot be read: there is no file of that name") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read ({_why(error)}): give another file") from error
    except ValueError as error:
        if isinstance(error, DataError) or not _no_path(path):
            raise
        raise DataError(f"{str(path)!r} cannot be read: no file can have that name") from error


def read_bytes(path: str | Path, most: int = MOST_TEXT) -> bytes:
    """The bytes of a regular file."""
    with opened(path, most) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise DataError(f"{path} cannot be read (it grows while it is read): give another file")
    return content


def read_text(path: str | Path, most: int = MOST_TEXT) -> str:
    """The text of a regular file in UTF-8, line ends as Python has them."""
    try:
        text = read_bytes(path, most).decode("utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{path} is not a text file: give another file") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: str | Path, most: int = MOST_TEXT) -> Any:
    """What a JSON file says, without its checksum, which must be right where there is one."""
    content = parsed(path, lambda: json.loads(read_text(path, most)))
    if not isinstance(content, dict) or "checksum" not in content:
        return content
    checksum = content.pop("checksum")
    if checksum != parsed(path, lambda: _json_digest(content)):
        raise DataError(
            f"{path} is damaged, it does not match its checksum: make it again, or take the checksum out if it was "
            "changed on purpose"
        )
    return content


def parsed(path: str | Path, read: Callable[[], Read], what: str = "") -> Read:
    """The result of reading something out of a file's content, in which damage may have put anything at all.

    The readers of ZIP, NumPy and JSON files, and ours on top of them, raise errors of a dozen types when bytes are not
    what they should be, so every error but a `DataError` (and those of the program itself) means damage.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Python's parser, about numbers in a damaged header
            return read()
    except DataError:
        raise
    except Exception as error:
        raise DataError(
            f"{path} is not {what or 'what it should be'}, or it is damaged ({reason(error)}): give another one"
        ) from error


@contextmanager
def about_file(path: str | Path) -> Iterator[None]:
    """Name the file that a mistake is in, where its sentence does not: its game shows what in it is wrong.

    Without a path nothing is named.
    """
    try:
        yield
    except UserError as error:
        if not str(path) or str(path) in str(error):
            raise
        raise DataError(f"{path}: {error}") from error


def reason(error: Exception) -> str:
    """What an error of another library says, short and in one line."""
    if isinstance(error, KeyError) and error.args:
        return f"an entry for '{str(error.args[0])[:60]}' is missing"
    return " ".join(str(error).split())[:80] or type(error).__name__


def read_archive(
    path: str | Path, what: str = "an archive", without: tuple[str, ...] = (), mapped: bool = False
) -> tuple[dict[str, Member], bool]:
    """The members of a ZIP file, arrays as arrays, and whether it is sealed; a broken seal is an error.

    Members whose names begin as `without` says are passed over. With `mapped`, large arrays are mapped, and changes to
    them stay in memory; each member is checked by its own CRC-32, which takes a tenth of the time, and the seal of the
    whole file need only be there.
    """
    with opened(path, MOST_ARCHIVE) as file:
        sealed = _check_seal(path, file, mapped)
        return parsed(path, lambda: _members(path, file, sealed, without, mapped), what), sealed


def seal_of(path: str | Path) -> bytes:
    """The checksum that a file is sealed with, without a look at the rest; empty if it has none."""
    with opened(path, MOST_ARCHIVE) as file:
        return _seal(file)


def _seal(file: BinaryIO) -> bytes:
    file.seek(max(0, file.seek(0, os.SEEK_END) - _DIGITS - len(_SEAL)))
    end = file.read()
    return end[len(_SEAL) :] if end.startswith(_SEAL) else b""


def _check_seal(path: str | Path, file: BinaryIO, there: bool = False) -> bool:
    """Whether a file is sealed; a broken seal is an error, unless it need only be `there`."""
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
        raise _damage(path)
    return True


def _members(
    path: str | Path, file: BinaryIO, sealed: bool, without: tuple[str, ...], mapped: bool
) -> dict[str, Member]:
    import zipfile

    file.seek(0)
    found: dict[str, Member] = {}
    with zipfile.ZipFile(file) as archive:
        if sum(about.file_size for about in archive.infolist()) > MOST_ARCHIVE:
            raise ValueError("its parts are larger than any that headsup writes")
        for about in archive.infolist():
            if without and about.filename.startswith(without):
                continue
            stored = sealed and about.compress_type == zipfile.ZIP_STORED
            content = _stored(file, about, mapped) if stored else archive.read(about)
            if stored and mapped and zlib.crc32(content) != about.CRC:
                raise _damage(path)
            found[about.filename] = parse_array(content) if about.filename.endswith(".npy") else bytes(content)
    return found


def _damage(path: str | Path) -> DataError:
    return DataError(f"{path} is damaged, it does not match its checksum: make it again")


def _stored(file: BinaryIO, about: ZipInfo, mapped: bool) -> memoryview:
    """A member that was not squeezed, as it lies in the file, unchecked."""
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
    """The array in the bytes of an `.npy` file; its size is compared with theirs before room is made for it.

    It is a view of bytes that may be written to, and a copy of others.
    """
    stream = io.BytesIO(content[:_HEADER])
    version = np.lib.format.read_magic(stream)
    header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, fortran, dtype = header(stream)
    data = memoryview(content)[stream.tell() :]
    if dtype.hasobject or min(shape, default=0) < 0 or prod(shape) * dtype.itemsize != len(data):
        raise ValueError("an array is not as large as it says")
    array = np.frombuffer(data, dtype=dtype).reshape(shape, order="F" if fortran else "C")
    return array if array.flags.writeable and array.flags.aligned else array.copy()


def _json_digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


# --- files of a job -------------------------------------------------------------------------------------------------


def fingerprint(about: Mapping[str, Any]) -> str:
    """What the files of a job are known by: a checksum of everything that the job is asked for."""
    return _json_digest(about)[:_OWNER]


def own_json(
    path: str | Path, job: str, check: Callable[[dict[str, Any]], object] | None = None
) -> dict[str, Any] | None:
    """A JSON object with a job's fingerprint under "job"; None if it is missing, damaged or another job's.

    So it is if `check` raises an error about its content.
    """
    try:
        content = read_json(path)
        if not isinstance(content, dict) or content.get("job") != job:
            return None
        if check is not None:
            parsed(path, lambda: check(content))
    except DataError:
        return None
    return content


def owned_bytes(content: bytes, job: str) -> bytes:
    """The bytes of a file that belongs to a job: its content, the job's fingerprint and a checksum of both."""
    whole = content + job.encode()
    return whole + hashlib.sha256(whole).digest()


def own_bytes(path: str | Path, job: str, most: int = MOST_TEXT) -> bytes:
    """The content in a file of `owned_bytes`; an error if it is damaged or another job's."""
    whole = read_bytes(path, most)
    size = hashlib.sha256().digest_size
    if hashlib.sha256(whole[:-size]).digest() != whole[-size:]:
        raise DataError(f"{path} is damaged, it does not match its checksum: make it again")
    if whole[-size - _OWNER : -size] != job.encode():
        raise DataError(f"{path} belongs to another job: make it again")
    return whole[: -size - _OWNER]


# --- what came with the package ------------------------------------------------------------------------------------


def read_shipped(path: Path) -> bytes:
    """The bytes of a data file of the package, which must be those that were shipped."""
    try:
        known = dict(line.split("  ", 1)[::-1] for line in read_text(path.parent / CHECKSUMS).splitlines())
        content = read_bytes(path)
        whole = known[path.name] == hashlib.sha256(content).hexdigest()
    except (KeyError, ValueError) as error:
        raise DataError(f"{path.name} did not come with this headsup as it should: reinstall headsup") from error
    if not whole:
        raise DataError(f"{path.name} is damaged, it does not match its checksum: reinstall headsup")
    return content


def shipped_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table (CSV) of the package, by the names of its columns."""
    import csv

    return list(csv.DictReader(read_shipped(path).decode("utf-8").splitlines()))


def list_checksums(folder: Path) -> str:
    """The list for a folder of data; files that carry their own checksum (`.npz`) are not in it."""
    names = sorted(path.name for path in folder.iterdir() if path.suffix != ".npz" and path.name != CHECKSUMS)
    return "".join(f"{hashlib.sha256(read_bytes(folder / name)).hexdigest()}  {name}\n" for name in names)


if __name__ == "__main__":  # python -m headsup.common.files FOLDER..., after data that ships was made anew
    for one in map(Path, sys.argv[1:]):
        write_text(one / CHECKSUMS, list_checksums(one))
