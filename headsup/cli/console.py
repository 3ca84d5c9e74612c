"""The console that every verb prints with: no guessed highlights, and a reader that goes away is no failure.

Rich ends the program with status 1 when the reader of a pipe goes away, as `head` does. Here the broken pipe reaches
`headsup.cli.main`, which ends quietly with the status that shells give to it.
"""

from __future__ import annotations

from typing import Any

from rich.console import Console


class QuietConsole(Console):
    """A console that passes a broken pipe on."""

    def on_broken_pipe(self) -> None:
        """Say nothing more, and let the caller end the program."""
        self.quiet = True
        raise BrokenPipeError


def make_console(**options: Any) -> Console:
    """A console on standard output, or as rich's options say."""
    return QuietConsole(**({"highlight": False} | options))
