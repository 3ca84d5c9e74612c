"""The command line: `headsup VERB`. Each verb is a module with HELP, `configure(parser)` and `run(args)`.

Only the module of the called verb is imported, and `run` imports what is heavy. A `UserError` or `OSError` is printed
as one sentence and exits with status 2.
"""

from __future__ import annotations

import argparse
import atexit
import codecs
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, NoReturn

from headsup.cli.options import say
from headsup.common.checks import parse_float, parse_int
from headsup.common.errors import UserError, drop_output
from headsup.common.progress import Listener, on_compile
from headsup.version import __version__

USERS = {
    "players": (
        "headsup jamfold --stack 10 --hand K7o",
        *("demo", "serve", "doctor", "jamfold", "endgame", "rule", "flop-formula", "equity", "range", "rank", "flops"),
        *("preflop", "spot", "sizes", "look", "exploit", "compare", "report", "train", "review", "upi"),
    ),
    "researchers": (
        "headsup solve leduc --method cfr+ --iterations 1000",
        *("games", "solve", "measure", "buckets", "distil", "matchup", "tabulate", "merge", "sweep", "reproduce"),
    ),
    "bot builders": (
        "headsup play nolimit aggrobot --stack 20 --hands 200",
        *("play", "league", "acpc", "pokerbots", "visit", "replay"),
    ),
}
"""Verbs by user, after one example."""
VERBS = tuple(verb for _, *verbs in USERS.values() for verb in verbs)


_PLAIN = {"·": ".", "½": "1/2", "¼": "1/4", "¾": "3/4", "–": "-", "—": "-", "−": "-", "×": "x"} | dict(
    zip("♣♦♥♠", "cdhs", strict=True)
)
_ERRORS = "headsup.plain"
"""How standard output and standard error write what their encoding lacks: the nearest plain character, and a file name
as its bytes."""
LONGEST = 1000  # characters of a message; longer ones lose their middle: the mistake comes first, the fix last


class HelpLayout(argparse.HelpFormatter):
    """Argparse's layout, but paragraphs stay apart and names such as `always-raise` stay on one line."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        from textwrap import wrap

        return wrap(text, width, break_on_hyphens=False)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        paragraphs = (self._split_lines(part, width - len(indent)) for part in text.split("\n\n"))
        return "\n\n".join("\n".join(indent + line for line in lines) for lines in paragraphs)


class Parser(argparse.ArgumentParser):
    """Argparse with one-line errors; `args.given` maps each option that was given to the name that the user sees."""

    verbs: Any = None  # those of the program; a verb has none

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"formatter_class": HelpLayout, **kwargs})
        self.register("type", int, parse_int)
        self.register("type", float, parse_float)

    def add_argument(self, *names: Any, old: str | None = None, **options: Any) -> argparse.Action:
        """Like argparse; `old` is a former name of the option, still accepted but not shown."""
        action = super().add_argument(*names, *([old] if old else []), **options)
        if old:
            action.option_strings = [*names]
        return action

    def format_help(self) -> str:
        """The verbs by user, with an example for each."""
        if self.verbs is None:
            return super().format_help()
        lines = {action.dest: action.help for action in self.verbs._choices_actions}
        wide = max(map(len, lines), default=0)
        parts = [f"usage: {self.prog} VERB ...\n\n{self.description}"]
        for user, (example, *names) in USERS.items():
            shown = "\n".join(f"  {name:{wide}}  {lines[name]}" for name in names if name in lines)
            parts.append(f"For {user} (example: {example})\n{shown}")
        more = f"`{self.prog} VERB --help` describes a verb. `{self.prog} --version` prints the version.\n"
        return "\n\n".join([*parts, more])

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Leftover arguments are an error of the verb, not of the program.

        Before an option argparse leaves an optional argument out for good, as AGENT in `visit gtowizard --key x AGENT`.
        """
        self._given: dict[str, str] = {}
        parsed, left = super().parse_known_args(args, namespace)
        for action in self._get_positional_actions():
            if action.nargs == "?" and action.dest not in self._given and left and not left[0].startswith("-"):
                setattr(parsed, action.dest, self._get_values(action, [left.pop(0)]))
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        parsed.given = {**getattr(parsed, "given", {}), **self._given}
        return parsed, left

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Read `--option=--` as the value `--`; some versions of argparse take it for the end of the options."""
        if action.option_strings or any(word != "--" for word in arg_strings):
            self._given[action.dest] = action.option_strings[-1] if action.option_strings else str(action.metavar)
        if action.option_strings and arg_strings == ["--"]:
            value = self._get_value(action, arg_strings[0])
            self._check_value(action, value)
            return value
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {one_line(message)} (see {self.prog} --help)\n")


def one_line(message: str) -> str:
    """Escape control characters and limit the length."""
    text = "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in message)
    return text if len(text) <= LONGEST else f"{text[: LONGEST // 2]} ... {text[-LONGEST // 2 :]}"


def build_parser(verb: str | None = None) -> argparse.ArgumentParser:
    """The parser; with a verb, only that verb's module is imported. `--version` needs none of them."""
    parser = Parser(
        prog="headsup",
        description="Solve heads-up poker games, measure exploitability, print charts and rules, and run bots.",
    )
    parser.add_argument("--version", action="version", version=f"headsup {__version__}")
    # without prog, argparse formats a whole help text to find the name of the program
    verbs = parser.add_subparsers(prog=parser.prog, title="verbs", dest="verb", metavar="VERB")
    parser.verbs = verbs
    for name in () if verb == "--version" else (verb,) if verb is not None and verb in VERBS else VERBS:
        module = importlib.import_module(f"headsup.cli.{name.replace('-', '_')}")
        verb_parser = verbs.add_parser(name, help=module.HELP.splitlines()[0], description=module.HELP)
        module.configure(verb_parser)
        verb_parser.set_defaults(run=module.run)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the return value is the exit status."""
    # headsup uses the cores itself; threads of small matrix products would only wait. Set before NumPy is loaded.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # The final garbage collection takes a tenth of a small answer's time and frees nothing.
    atexit.register(gc.freeze)
    name = "headsup"
    prepare_streams()
    try:
        try:
            words = sys.argv[1:] if argv is None else list(argv)
            if any("\0" in word for word in words):
                raise UserError("an argument contains a zero byte: remove it")
            parser = build_parser(words[0] if words else None)
            args = parser.parse_args(words)
            if args.verb is None:
                parser.print_help()
                return 2
            name = f"headsup {args.verb}"
            with on_compile(compiling_notice(name)):
                status = int(args.run(args) or 0)
            sys.stdout.flush()  # a closed pipe raises here, not while Python shuts down
            return status
        except UserError as error:
            if sys.stderr.isatty():
                _point(error)
            print(f"{name}: {one_line(str(error))}", file=sys.stderr)
            return 2
        except BrokenPipeError:  # the reader closed the pipe, as `head` does
            drop_output()
            return 141
        except OSError as error:
            where = f"{error.filename}: " if error.filename is not None else ""
            print(f"{name}: {one_line(f'{where}{error.strerror or error}')}", file=sys.stderr)
            return 2
    except (KeyboardInterrupt, SystemError) as error:  # also while an error is printed
        if not _interrupted(error):
            raise
        with suppress(KeyboardInterrupt):  # the second of two quick ones
            print(f"{name}: interrupted", file=sys.stderr)
        return 130


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


def compiling_notice(name: str) -> Listener:
    """Print one notice before the first compilation."""
    printed: list[bool] = []

    def notice(busy: bool) -> None:
        if busy and not printed:
            printed.append(True)
            wait = "on first use only; this takes some seconds, for some commands up to a minute"
            say(f"{name}: compiling its kernels ({wait})")

    return notice


def _interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C caused an error; inside a compiled kernel it is raised as a `SystemError`."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _point(error: UserError) -> None:
    from headsup.cards.ranges import RangeError

    if isinstance(error, RangeError):
        print(error.pointer(), file=sys.stderr)
