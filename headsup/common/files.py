"""Files: written whole or not at all, read only if they are what they should be.

**Writing**: a scratch file in the same folder, `.NAME.*.part`, is flushed to disk and renamed; only `kill -9` or a
power cut can leave it. **Reading**: regular files up to a maximal size, so that no device or pipe blocks a command.
**Checking**: archives are sealed, a JSON file has a "checksum", shipped data a list of checksums. Every fault is a
`DataError`. **Owning**: a job with many files writes its `fingerprint` into each and reads only files with it.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import stat
import sys
import warnings
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

from headsup.common.errors import DataError, UserError

MOST_TEXT = 1 << 30  # bytes of the largest text that is read; the tree of a large game as text has some hundred million
MOST_ARCHIVE = 1 << 36  # bytes of the largest archive that is read, packed or unpacked
CHECKSUMS = "checksums.txt"
"""The list of checksums in a folder of shipped data, a line a file: SHA-256, two spaces, name."""

Read = TypeVar("Read")

_FULL = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_OWNER = 32  # digits of a fingerprint


class Missing(DataError):
    """There is no such file."""


class Unlogged(DataError):
    """Work finished with `result`, but its log or report could not be written."""

    def __init__(self, result: Any, error: DataError) -> None:
        super().__init__(str(error))
        self.result = result


# --- writing --------------------------------------------------------------------------------------------------------


def writable(path: str | Path) -> Path:
    """The path, if a file can be written there; call it before the work. Leaves no trace."""
    if _no_path(path):
        raise DataError(f"{str(path)!r} cannot be written: no file can have that name")
    with _naming(path):
        scratch, handle = _scratch(_place(path))
        os.close(handle)
        scratch.unlink()
    return Path(path)


def writable_apart(*options: tuple[str, str | Path | None], keep: str | Path | None = None) -> None:
    """`writable` for the files of some options, which must all be different and not the file to keep."""
    taken = {} if keep is None or _no_path(keep) else {os.path.realpath(keep): str(keep)}
    for option, path in options:
        if path is None:
            continue
        other = taken.setdefault(os.path.realpath(writable(path)), option)
        if other is not option:
            raise DataError(f"{option} {path} would overwrite {other}: give it a file of its own")


@contextmanager
def replacing(path: str | Path, lasting: bool = True) -> Iterator[BinaryIO]:
    """A file that replaces `path` when the block succeeds; if not `lasting`, it is not flushed to disk."""
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
    """The result of work that writes a log; a log that fails raises `Unlogged` at the end."""
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
    with replacing(path, lasting) as file:
        file.write(content)


def write_text(path: str | Path, text: str) -> None:
    write_bytes(path, text.encode("utf-8"))


def json_text(content: Mapping[str, Any]) -> str:
    """A JSON object with its checksum, as `read_json` wants it."""
    return json.dumps({**content, "checksum": _json_digest(content)}, indent=1, allow_nan=False) + "\n"


def write_json(path: str | Path, content: Mapping[str, Any]) -> None:
    write_text(path, json_text(content))


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
    """Whether an error, or its cause, is a full disk or quota."""
    cause = error if isinstance(error, OSError) and error.errno is not None else error.__cause__
    return isinstance(cause, OSError) and cause.errno in _FULL


@contextmanager
def telling_full_disk(folder: Path) -> Iterator[None]:
    """Turn a full disk into a `DataError`; for work that is kept in many files of a folder."""
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
    """The end of all links: a writable regular file, or nothing."""
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
    """A new file in the same folder with a unique name, and its handle."""
    with suppress(FileNotFoundError):
        os.lstat(place)  # a name that is too long shows here: the scratch file's own is cut
    short = place.name if len(place.name.encode("utf-8", "surrogateescape")) < 200 else "long"
    scratch = place.with_name(f".{short}.{os.getpid()}-{os.urandom(4).hex()}.part")
    return scratch, os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o666)


def _why(error: BaseException) -> str:
    return (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__


def _no_path(path: str | Path) -> bool:
    """Whether no file can have this name: it has a zero byte or a lone surrogate."""
    try:
        return b"\0" in os.fsencode(path)
    except UnicodeEncodeError:
        return True


# --- reading --------------------------------------------------------------------------------------------------------


@contextmanager
def opened(path: str | Path, most: int = MOST_TEXT) -> Iterator[BinaryIO]:
    """A regular file of at most `most` bytes, open for reading; an `OSError` in the block becomes a `DataError`."""
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
    with opened(path, most) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise DataError(f"{path} cannot be read (it grows while it is read): give another file")
    return content


def read_text(path: str | Path, most: int = MOST_TEXT) -> str:
    """The text of a regular file in UTF-8, or in UTF-16 if a mark says so, line ends as Python has them."""
    content = read_bytes(path, most)
    try:
        text = content.decode("utf-16" if content[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8")
    except UnicodeDecodeError:
        raise DataError(f"{path} is not a text file: give another file") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(path: str | Path) -> Any:
    """The content of a JSON file without its checksum, which must be right if there is one."""
    content = parsed(path, lambda: json.loads(read_text(path)))
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
    """The result of `read`; any error but a `DataError`, of whatever type, means that the file is damaged."""
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
    """Put the name of the file before the message of a `UserError` that does not have it."""
    try:
        yield
    except UserError as error:
        if not str(path) or str(path) in str(error):
            raise
        raise DataError(f"{path}: {error}") from error


def reason(error: Exception) -> str:
    """The message of another library's error, short and in one line."""
    if isinstance(error, KeyError) and error.args:
        return f"an entry for '{str(error.args[0])[:60]}' is missing"
    return " ".join(str(error).split())[:80] or type(error).__name__


def damaged(path: str | Path) -> DataError:
    """The error for a file whose checksum is wrong."""
    return DataError(f"{path} is damaged, it does not match its checksum: make it again")


def _json_digest(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


# --- files of a job -------------------------------------------------------------------------------------------------


def fingerprint(about: Mapping[str, Any]) -> str:
    """The checksum of a job's settings, which marks its files."""
    return _json_digest(about)[:_OWNER]


def own_json(
    path: str | Path, job: str, check: Callable[[dict[str, Any]], object] | None = None
) -> dict[str, Any] | None:
    """A JSON object with a job's fingerprint under "job"; None if it is missing, damaged, refused or another job's."""
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
        raise damaged(path)
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


if __name__ == "__main__":  # python -m headsup.common.files FOLDER..., after shipped data was made again
    for folder in map(Path, sys.argv[1:]):
        write_text(folder / CHECKSUMS, list_checksums(folder))
