"""The command line: `headsup <verb>`, one module a verb, each with HELP, `configure(parser)` and `run(args)`.

A verb's module is imported when it is called; `headsup --help` alone imports them all, for their first lines. They
import nothing heavy at the top, so that help answers at once; `run` imports what it needs.
A `UserError` is printed as one sentence and exits with status 2; no traceback reaches a user for a mistake of theirs,
nor for a file that cannot be read or written. A mistake in range text is shown above its sentence on a terminal.
Whatever the verb, standard error says so before kernels are compiled for the first time.
"""

from __future__ import annotations

import argparse
import atexit
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from headsup.cli.streams import prepare_streams, say
from headsup.common.checks import parse_float, parse_int
from headsup.common.errors import UserError
from headsup.common.progress import Listener, on_compile
from headsup.version import __version__

USERS = {
    "players": (
        "headsup jamfold --stack 10 --hand K7o",
        *("demo", "serve", "jamfold", "endgame", "rule", "flop-formula", "equity", "range", "rank", "flops"),
        *("preflop", "spot", "look", "exploit", "compare", "report", "train", "review"),
    ),
    "researchers": (
        "headsup solve leduc --method cfr+ --iterations 1000",
        *("games", "solve", "measure", "buckets", "distil", "matchup", "tabulate", "sweep", "reproduce"),
    ),
    "bot builders": (
        "headsup play nolimit aggrobot --game holdem-nolimit --stack 20 --hands 200",
        *("play", "league", "acpc", "pokerbots", "replay"),
    ),
}
"""Whom the verbs are for: an example, then the verbs."""
VERBS = tuple(verb for _, *verbs in USERS.values() for verb in verbs)


LONGEST = 1000
"""Of a message: what goes beyond is left out of its middle, for the mistake comes first and the fix last."""


class Parser(argparse.ArgumentParser):
    """Argparse with messages of one line, which reads numbers as `headsup.common.checks` does.

    It notes in `args.given` what was given and how that is written.
    """

    verbs: Any = None
    """Those of the program; a verb has none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.register("type", int, parse_int)
        self.register("type", float, parse_float)

    def add_argument(self, *names: Any, old: str | None = None, **options: Any) -> argparse.Action:
        """As argparse does; `old` is an earlier name of an option, which is still understood and not shown."""
        action = super().add_argument(*names, *([old] if old else []), **options)
        if old:
            action.option_strings = [*names]
        return action

    def format_help(self) -> str:
        """The verbs of the program by user, with an example for each; else as argparse writes it."""
        if self.verbs is None:
            return super().format_help()
        lines = {action.dest: action.help for action in self.verbs._choices_actions}
        wide = max(map(len, lines), default=0)
        parts = [f"usage: {self.prog} VERB ...\n\n{self.description}"]
        for user, (example, *names) in USERS.items():
            shown = "\n".join(f"  {name:{wide}}  {lines[name]}" for name in names if name in lines)
            parts.append(f"for {user}, such as  {example}\n{shown}")
        return "\n\n".join([*parts, f"{self.prog} VERB --help says the rest; {self.prog} --version the version.\n"])

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """What is left over is told by the verb that it was given to, not by the program."""
        self._given: dict[str, str] = {}
        found, left = super().parse_known_args(args, namespace)
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        found.given = {**getattr(found, "given", {}), **self._given}
        return found, left

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """The value of `--option=--` is `--`: some versions of argparse take it for the sign that ends the options."""
        if action.option_strings or any(word != "--" for word in arg_strings):
            self._given[action.dest] = action.option_strings[-1] if action.option_strings else str(action.metavar)
        if action.option_strings and arg_strings == ["--"]:
            value = self._get_value(action, arg_strings[0])
            self._check_value(action, value)
            return value
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        """What is wrong, and where it says how it is used."""
        self.exit(2, f"{self.prog}: {one_line(message)} ({self.prog} --help says what there is)\n")


def one_line(message: str) -> str:
    """A message with what a user pasted into it: control characters are written out, and it is not endless."""
    text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in message)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"


def build_parser(verb: str | None = None) -> argparse.ArgumentParser:
    """The parser: with a verb, only that one's module is imported and only its arguments are declared; else all.

    The version is said without any of them.
    """
    parser = Parser(
        prog="headsup", description="Exact equities, equilibria and rules for heads-up poker, each with its proof."
    )
    parser.add_argument("--version", action="version", version=f"headsup {__version__}")
    # argparse would format a whole help text to find out what the program is called
    verbs = parser.add_subparsers(prog=parser.prog, title="verbs", dest="verb", metavar="VERB")
    parser.verbs = verbs
    for name in () if verb == "--version" else (verb,) if verb is not None and verb in VERBS else VERBS:
        module = importlib.import_module(f"headsup.cli.{name.replace('-', '_')}")
        one = verbs.add_parser(name, help=module.HELP.splitlines()[0], description=module.HELP)
        module.configure(one)
        one.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit status."""
    # headsup spreads its work over the cores itself; small matrix products that want them too only wait. It must be
    # said before NumPy is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Python ends with a search for garbage in all that was loaded, a tenth of a small answer's time: nothing is found.
    atexit.register(gc.freeze)
    name = "headsup"
    prepare_streams()
    try:
        try:
            words = sys.argv[1:] if argv is None else list(argv)
            if any("\0" in word for word in words):
                raise UserError("a word of the command has a zero byte, and no text or file name has one: take it out")
            parser = build_parser(words[0] if words else None)  # what may stand before a verb ends the program
            args = parser.parse_args(words)
            if args.verb is None:
                parser.print_help()
                return 2
            name = f"headsup {args.verb}"
            with on_compile(compiling_notice(name)):
                status = int(args.run(args) or 0)
            sys.stdout.flush()  # a reader that is gone shows here, not while Python shuts down
            return status
        except UserError as error:
            if sys.stderr.isatty():
                _point(error)
            print(f"{name}: {one_line(str(error))}", file=sys.stderr)
            return 2
        except BrokenPipeError:  # the reader of a pipe went away, as `head` does
            _drop_output()
            return 141
        except OSError as error:
            where = f"{error.filename}: " if error.filename is not None else ""
            print(f"{name}: {one_line(f'{where}{error.strerror or error}')}", file=sys.stderr)
            return 2
    except (KeyboardInterrupt, SystemError) as error:  # also while one of the above has its say
        if not _interrupted(error):
            raise
        with suppress(KeyboardInterrupt):  # the second of two quick ones
            print(f"{name}: interrupted", file=sys.stderr)
        return 130


def compiling_notice(name: str) -> Listener:
    """Say once, before the wait, that kernels are compiled now and will not be again."""
    told: list[bool] = []

    def tell(busy: bool) -> None:
        if busy and not told:
            told.append(True)
            wait = "on first use only; this takes some seconds, for some commands up to a minute"
            say(f"{name}: compiling its kernels ({wait})")

    return tell


def _interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind an error: out of a compiled kernel it comes as a `SystemError`."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _point(error: UserError) -> None:
    """Print range text with a caret under its mistake."""
    from headsup.cards.ranges import RangeError

    if isinstance(error, RangeError):
        print(error.pointer(), file=sys.stderr)


def _drop_output() -> None:
    """Send what is left of the output nowhere, or Python complains about it at its end."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
