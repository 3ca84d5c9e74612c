"""User errors: one sentence that names the mistake and the fix.

The command line prints a `UserError` without a traceback and exits with status 2.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress


class UserError(ValueError):
    """Something the caller wrote is wrong; the message is one clear sentence."""


class MissingExtra(UserError):
    """A feature needs an optional dependency that is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs the '{extra}' extra: install it with  pip install 'headsup-poker[{extra}]'")
        self.feature = feature
        self.extra = extra


class DataError(UserError):
    """A file is damaged, of another version, or of another kind."""


def place(text: str, at: int) -> str:
    """'column 5', or 'line 2, column 5' in a text of several lines."""
    line, column = text.count("\n", 0, at) + 1, at - (text.rfind("\n", 0, at) + 1) + 1
    return f"line {line}, column {column}" if "\n" in text else f"column {column}"


def plainly(main: Callable[[], None]) -> None:
    """Run the command line of a module: a mistake is one sentence on standard error, and status 2; Ctrl-C is 130, and
    141 a reader that went away, as `head` does.
    """
    try:
        main()
        print(end="", flush=True)  # a reader that went away is found here, not while Python shuts down
    except UserError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except BrokenPipeError:
        drop_output()
        sys.exit(141)


def drop_output() -> None:
    """Redirect standard output to /dev/null, or Python complains when it flushes at exit."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
