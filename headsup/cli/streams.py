"""Standard output and standard error that accept any text, whatever their encoding.

A character that a stream cannot encode is replaced by the nearest plain one; a file name is written as its bytes.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable
from typing import IO, Any

from headsup.common.errors import DataError

_PLAIN = {"·": ".", "½": "1/2", "¼": "1/4", "¾": "3/4", "–": "-", "—": "-", "−": "-", "×": "x"} | dict(
    zip("♣♦♥♠", "cdhs", strict=True)
)
_ERRORS = "headsup.plain"
NARROW = 80  # a terminal with fewer columns has its own forms of what else is a long line


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """A codec error handler: a plain character, or the byte of a file name that is not valid text."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    sign = error.object[error.start]
    if "\udc80" <= sign <= "\udcff":  # a surrogate escape: a byte of a file name
        return bytes([ord(sign) - 0xDC00]), error.start + 1
    import unicodedata  # late: most streams encode everything

    letters = _PLAIN.get(sign) or unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode("ascii")
    return letters or "?", error.start + 1


codecs.register_error(_ERRORS, _plain)


def prepare_streams() -> None:
    """Let standard output and standard error accept any text; closed streams become /dev/null."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # it was closed before Python began
            nowhere = open(os.devnull, mode, encoding="utf-8")  # noqa: SIM115
            os.set_inheritable(nowhere.fileno(), True)  # it took the closed stream's number, also for workers
            setattr(sys, name, nowhere)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=_ERRORS)


def as_shown(text: str, encoding: str) -> str:
    """Text as a stream of this encoding shows it, to measure its width."""
    return text.encode(encoding, _ERRORS).decode(encoding, "replace")


def say(text: str, stream: IO[str] | None = None) -> None:
    """Print a line, on standard error by default; on a narrow terminal it is wrapped between words."""
    from shutil import get_terminal_size
    from textwrap import fill

    stream = sys.stderr if stream is None else stream
    columns = get_terminal_size().columns
    if stream is not None and stream.isatty() and columns < NARROW:
        text = fill(text, columns, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
    print(text, file=stream, flush=True)


def say_stopped(verb: str, iterations: int, *places: str | None) -> None:
    """Report that a solver was stopped, and where its result is."""
    kept = [path for path in places if path]
    where = f"saved in {' and '.join(kept)}" if kept else "nothing is saved"
    say(f"headsup {verb}: stopped after {iterations:,} iterations, {where}")


def trouble_in(write: Callable[[], object]) -> DataError | None:
    """Write a file and return the error, so that results are printed before it is raised."""
    try:
        write()
    except DataError as error:
        return error
    return None


class Unpadded:
    """A stream that drops the spaces at the end of a line."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream, self._held = stream, ""

    def write(self, text: str) -> int:
        """Write text; trailing spaces wait until something follows them."""
        whole = re.sub(r" +(?=\n)", "", self._held + text)
        kept = whole.rstrip(" ")
        self._held = whole[len(kept) :]
        self._stream.write(kept)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
