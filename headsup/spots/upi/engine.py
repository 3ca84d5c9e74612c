"""The protocol's commands and the loop that answers them.

A command is one line; its answer is one or more lines, `command ok!` or `ERROR: sentence`, and the end string where
one was set. `go` solves in the background and reports in blocks that begin with `SOLVER:`; answers and reports are
written whole, one after the other.
"""

from __future__ import annotations

import shlex
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from headsup.cards.classes import holdem_class_name
from headsup.common.checks import quoted
from headsup.common.errors import UserError
from headsup.common.files import read_text
from headsup.common.stop import Stop, until_stopped
from headsup.spots.upi.answers import Answer, TreeAnswers
from headsup.spots.upi.numbers import hand_order, read_number, read_whole
from headsup.spots.upi.table import COMMANDS, CommandInfo
from headsup.version import __version__

if TYPE_CHECKING:
    from headsup.common.progress import Progress
    from headsup.spots.upi.tree import SolvedTree

LONGEST = 1000  # characters of an error
DEEPEST = 8  # scripts that load scripts
FOREVER = 1e9  # seconds
REPORT_EVERY = 1.0  # seconds


class ExitSent(Exception):
    """`exit` was sent."""


@dataclass
class SolveJob:
    """A solve in the background."""

    thread: threading.Thread
    began: float
    stop: Stop = field(default_factory=Stop)
    ready: threading.Event = field(default_factory=threading.Event)
    over: bool = False  # all is done but for the last report
    reported: float = 0.0  # when the last report came


class UpiEngine(TreeAnswers):
    """Answers commands; `write` receives whole answers and reports."""

    def __init__(self, write: Callable[[str], object], threads: int | None = None, device: str = "cpu") -> None:
        super().__init__(threads, device)
        self.end = ""
        self.job: SolveJob | None = None
        self.solving = 0.0  # seconds of the last solve
        self._write, self._lock, self._depth = write, threading.Lock(), 0

    def run(self, lines: Iterable[str]) -> None:
        """Answer every line until the input ends or `exit` comes; a solver that is running is stopped then."""
        try:
            for line in lines:
                self.answer(line)
        except ExitSent:
            pass
        finally:
            self._stop()

    def greet(self) -> None:
        version = (
            f"headsup {__version__}\nspeaks UPI, the text protocol of PioSOLVER\nregistered to nobody: MIT licence"
        )
        self._write(f"{version}\n")

    def answer(self, line: str) -> None:
        """Answer a line; empty lines and comments have no answer."""
        text = line.strip()
        if not text or text.startswith("#"):
            return
        try:
            self._say(self._perform(text))
        except (UserError, OSError, MemoryError) as error:
            self._say([self._error(error)])
        self._begin()

    def _error(self, error: Exception) -> str:
        if isinstance(error, MemoryError):
            return "ERROR: not enough memory: build a smaller tree"
        text = " ".join("".join(letter if letter.isprintable() else " " for letter in str(error)).split())
        return f"ERROR: {text if len(text) <= LONGEST else text[: LONGEST - 3] + '...'}"

    def _say(self, lines: Answer) -> None:
        with self._lock:
            self._write("".join(f"{line}\n" for line in (*lines, *([self.end] if self.end else []))))

    def _report(self, *lines: str, block: bool = False) -> None:
        """A message of the solver: one line, or a block that the end string ends; nobody may be reading any more."""
        with self._lock, suppress(BrokenPipeError):
            self._write("".join(f"{line}\n" for line in (*lines, *([self.end] if block and self.end else []))))

    def _perform(self, text: str) -> Answer:
        name, _, rest = text.partition(" ")
        command = COMMANDS.get(name)
        if command is None:
            raise UserError(f"unknown command {quoted(name)}: `headsup upi --commands` lists those there are")
        if command.status == "not":
            raise UserError(f"headsup does not support {name}: {command.note}")
        if self.job is not None and self.job.over:
            self._wait_for_solver()
        if self.job is not None and not command.while_solving:
            raise UserError(f"the solver is running: send stop or wait_for_solver before {name}")
        words = self._words(command, rest)
        answer = getattr(self, f"_{name}")(*words) if hasattr(self, f"_{name}") else None
        return [f"{name} ok!"] if answer is None else answer

    def _words(self, command: CommandInfo, rest: str) -> list[Any]:
        if command.raw:
            return [rest.strip()]
        try:
            lexer = shlex.shlex(rest, posix=True, punctuation_chars=False)
            lexer.whitespace_split, lexer.escape, lexer.quotes, lexer.commenters = True, "", '"', ""
            words = rest.split() if '"' not in rest else list(lexer)
        except ValueError:
            raise UserError(f"{command.name}: a quotation mark is open: close it") from None
        if len(words) < command.least or (len(words) > command.most and not command.rest):
            raise UserError(f"write {command.usage}")
        if command.rest:
            return [*words[: command.most - 1], words[command.most - 1 :]]
        return [*words]

    # general

    def _exit(self) -> Answer:
        raise ExitSent

    def _set_end_string(self, text: str) -> None:
        self.end = text

    def _reset_end_string(self) -> None:
        self.end = ""

    def _echo(self, text: str) -> Answer:
        return [text]

    def _show_version(self) -> Answer:
        return [__version__]

    def _show_build_version(self) -> Answer:
        return [f"headsup {__version__}"]

    def _show_hand_order(self) -> Answer:
        return [" ".join(hand_order())]

    def _show_preflop_order(self) -> Answer:
        return [" ".join(map(holdem_class_name, range(169)))]

    def _list_algorithms(self) -> Answer:
        return ["auto,discounted CFR,the solver of headsup"]

    def _show_memory(self) -> Answer:
        from headsup.solve.holdem.store import free_memory, total_memory

        total, free = ((known or 0) >> 20 for known in (total_memory(), free_memory()))
        return [f"Total Physical Memory: {total} MB", f"Available Phys Memory: {free} MB"]

    def _load_script(self, path: str, silent: bool = False) -> Answer | None:
        """Answer the lines of a file; a silent script stops at the first error and reports it."""
        if self._depth >= DEEPEST:
            raise UserError(f"scripts load each other {DEEPEST} deep: leave out {quoted(path)}")
        self._depth += 1
        try:
            for number, line in enumerate(read_text(path).splitlines(), start=1):
                text = line.strip()
                if not text or text.startswith("#"):
                    continue
                if not silent:
                    self.answer(text)
                    continue
                try:
                    self._perform(text)
                except UserError as error:
                    raise UserError(f"{path}, line {number}: {error}") from None
                self._begin()
        finally:
            self._depth -= 1
        return None

    def _load_script_silent(self, path: str) -> Answer | None:
        return self._load_script(path, silent=True)

    # solving

    def _go(self, count: str = "", unit: str = "steps") -> None:
        tree, known = self._tree, self.settings
        limits: dict[str, Any] = {}
        if known.accuracy:
            limits["target"] = known.accuracy if known.is_fraction else known.accuracy / tree.spot.pot
        if count:
            if unit not in ("seconds", "steps"):
                raise UserError(f"go: a limit is in seconds or steps, not {quoted(unit)}")
            limits[unit] = read_whole(count, "go") if unit == "steps" else read_number(count, "go")
            if not 0 < limits[unit] <= FOREVER:
                raise UserError("go: a limit is more than 0 and at most a billion")
        limits.setdefault("seconds", FOREVER)
        self.job = SolveJob(threading.Thread(target=partial(self._solve, tree, limits), daemon=True), time.monotonic())

    def _begin(self) -> None:
        """Start a solver that `go` has prepared, after its answer."""
        if self.job is not None and self.job.thread.ident is None:
            self.job.thread.start()
            self.job.ready.wait()

    def _solve(self, tree: SolvedTree, limits: dict[str, Any]) -> None:
        job = self.job
        assert job is not None
        reason = "requested"
        with until_stopped() as job.stop:
            stop = job.stop
            self._report("SOLVER: started")
            job.ready.set()
            try:
                tree.solve(
                    partial(self._update, job, tree.spot.pot), self.settings.threads or None, self.device, **limits
                )
                if not stop.asked():
                    reason = self._reason(tree, limits)
                self._report("SOLVER:", *self._results(tree), block=True)
            except (UserError, OSError, MemoryError) as error:
                reason = self._error(error)
        self.solving = time.monotonic() - job.began
        job.over = True  # the client may send the next command as soon as it reads this
        self._report(f"SOLVER: stopped ({reason})")

    def _reason(self, tree: SolvedTree, limits: dict[str, Any]) -> str:
        if "target" in limits and tree.solution.reached_pot <= limits["target"]:
            return "required accuracy reached"
        return "number of steps reached" if "steps" in limits else "time limit reached"

    def _update(self, job: SolveJob, pot: int, step: Progress) -> None:
        now = time.monotonic()
        if step.error is not None and step.done and now - job.reported >= REPORT_EVERY:
            job.reported, spent = now, f"running time: {now - job.began:.3f}"
            self._report("SOLVER:", spent, f"Exploitable for: {step.error * pot:.6g}", block=True)

    def _results(self, tree: SolvedTree) -> Iterator[str]:
        measured = tree.measured
        began = self.job.began if self.job is not None else None
        yield f"running time: {self.solving if began is None else time.monotonic() - began:.3f}"
        for name, value in zip(("OOP", "IP"), measured.values, strict=True):
            yield f"EV {name}: {value:.6g}"
        for name, value in zip(("OOP", "IP"), measured.best, strict=True):
            yield f"{name}'s MES: {value:.6g}"
        yield f"Exploitable for: {measured.exploitability:.6g}"

    def _stop(self) -> None:
        if self.job is not None:
            self.job.stop.ask()
            self.job.thread.join()
            self.job = None

    def _wait_for_solver(self) -> None:
        if self.job is not None:
            self.job.thread.join()
            self.job = None

    def _solver_time(self) -> Answer:
        return [f"{self.solving if self.job is None else time.monotonic() - self.job.began:.3f}"]

    def _calc_results(self) -> Answer:
        return list(self._results(self._tree))


def serve(source: Iterable[str], target: IO[str], threads: int | None = None, device: str = "cpu") -> None:
    """Greet, then answer the lines of a stream."""

    def write(text: str) -> None:
        target.write(text)
        target.flush()

    engine = UpiEngine(write, threads, device)
    engine.greet()
    engine.run(source)


def command_table() -> Sequence[tuple[str, str, str]]:
    """Each command with its status and a note, as the documentation lists them."""
    return [(command.usage, command.status, command.note) for command in COMMANDS.values()]
