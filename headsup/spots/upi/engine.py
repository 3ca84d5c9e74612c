"""The protocol's commands and the loop that answers them.

A command is one line; its answer is one or more lines, `command ok!` or `ERROR: sentence`, and the end string where
one was set. `go` solves in the background and reports in blocks that begin with `SOLVER:`; answers and reports are
written whole, one after the other.
"""

from __future__ import annotations

import os
import shlex
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import IO, TYPE_CHECKING, Any

from headsup.common.checks import quoted
from headsup.common.errors import UserError
from headsup.common.files import read_text
from headsup.common.stop import Stop, until_stopped
from headsup.spots.upi.numbers import hand_order, numbers_text, read_number, read_numbers, read_whole
from headsup.spots.upi.settings import UpiSettings, read_seat
from headsup.spots.upi.table import COMMANDS, CommandInfo
from headsup.version import __version__

if TYPE_CHECKING:
    from headsup.common.progress import Progress
    from headsup.spots.upi.nodes import TreePlace
    from headsup.spots.upi.tree import SolvedTree, Weighed

LONGEST = 1000  # characters of an error
DEEPEST = 8  # scripts that load scripts
FOREVER = 1e9  # seconds
REPORT_EVERY = 1.0  # seconds

Answer = Iterable[str]


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


class UpiEngine:
    """Answers commands; `write` receives whole answers and reports."""

    def __init__(self, write: Callable[[str], object], threads: int | None = None, device: str = "cpu") -> None:
        self.settings = UpiSettings(threads=threads or 0)
        self.device, self.end = device, ""
        self.tree: SolvedTree | None = None
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
        from headsup.cards.classes import holdem_class_name

        return [" ".join(map(holdem_class_name, range(169)))]

    def _show_settings(self) -> Answer:
        known = self.settings
        accuracy = f"{known.accuracy:.9g} {'fraction' if known.is_fraction else 'chips'}"
        values = {
            "board": known.board,
            "pot": known.pot,
            "eff_stack": known.stack,
            "rake": f"{known.rake[0]:.9g} {known.rake[1]:.9g}",
            "isomorphism": f"{known.isomorphism[0]} {known.isomorphism[1]}",
            "lines": len(known.lines),
            "accuracy": accuracy,
            "threads": known.threads or os.cpu_count() or 1,
            "device": self.device,
        }
        return [f"{name}: {value}" for name, value in values.items()]

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

    # settings

    def _set_threads(self, count: str) -> None:
        self.settings.threads = read_whole(count, "set_threads")
        if self.settings.threads > 4096:
            self.settings.threads = 0
            raise UserError("set_threads: at most 4096, or 0 for one thread a core")

    def _set_accuracy(self, number: str, unit: str = "chips") -> None:
        if unit not in ("chips", "fraction"):
            raise UserError(f"set_accuracy: the unit is chips or fraction, not {quoted(unit)}")
        accuracy = read_number(number, "set_accuracy")
        if accuracy < 0.0:
            raise UserError("set_accuracy: write 0 or more; 0 solves until stop")
        self.settings.accuracy, self.settings.is_fraction = accuracy, unit == "fraction"

    def _set_isomorphism(self, flops: str, turns: str) -> None:
        self.settings.isomorphism = (read_whole(flops, "set_isomorphism"), read_whole(turns, "set_isomorphism"))

    def _set_board(self, words: list[str]) -> None:
        self.settings.set_board("".join(words))

    def _set_range(self, seat: str, words: list[str]) -> None:
        self.settings.set_range(read_seat(seat), words)

    def _set_pot(self, *words: str) -> None:
        self.settings.set_pot(words)

    def _set_eff_stack(self, chips: str) -> None:
        self.settings.stack = read_whole(chips, "set_eff_stack")

    def _set_rake(self, *words: str) -> None:
        self.settings.set_rake(words)

    def _add_line(self, words: list[str], added: bool = True) -> None:
        from headsup.spots.upi.lines import MOST_LINES, LineEdit

        if len(self.settings.lines) >= MOST_LINES or len(words) > 100:
            raise UserError(f"a tree has at most {MOST_LINES:,} lines of 100 actions each")
        self.settings.lines.append(LineEdit(added, tuple(read_whole(word, "a line") for word in words)))

    def _remove_line(self, words: list[str]) -> None:
        self._add_line(words, added=False)

    def _clear_lines(self) -> None:
        self.settings.lines.clear()

    def _add_info_line(self, text: str) -> None:
        self.settings.add_info(text)
        if self.tree is not None:
            self.tree.info = list(self.settings.info)

    def _reset_tree_info(self) -> None:
        self.settings.info.clear()

    def _show_tree_info(self) -> Answer:
        return self.settings.tree_info()

    def _show_effective_stack(self) -> Answer:
        return [str(self.settings.stack)]

    # trees

    def _build_tree(self) -> None:
        from headsup.spots.upi.tree import SolvedTree

        self.tree = None
        self.tree = SolvedTree(self.settings.spot(), info=self.settings.info)

    def _estimate_tree(self) -> Answer:
        from headsup.spots.solve import spot_memory

        need = spot_memory(self.settings.spot(), threads=self.settings.threads or None, device=self.device)
        return [f"estimated memory: {need.total / 2**20:.1f} MB"]

    def _free_tree(self) -> None:
        self.tree = None

    def _is_tree_present(self) -> Answer:
        return ["true" if self.tree is not None else "false"]

    def _load_tree(self, path: str, how: str = "auto") -> None:
        from headsup.spots.upi.lines import lines_of
        from headsup.spots.upi.tree import SolvedTree

        if how not in ("auto", "fast", "full"):
            raise UserError(f"load_tree: a file is loaded auto, fast or full, not {quoted(how)}")
        tree = SolvedTree.load(path)
        self.settings.take(tree.spot, lines_of(tree.spot.tree), tree.info)
        self.tree = tree

    def _dump_tree(self, path: str, how: str = "full") -> None:
        if how not in ("full", "no_rivers", "no_turns"):
            raise UserError(f"dump_tree: a tree is saved full, no_rivers or no_turns, not {quoted(how)}")
        self._tree.save(path, regrets=how == "full")

    def _show_metadata(self, path: str) -> Answer:
        from headsup.spots.upi.lines import lines_of
        from headsup.spots.upi.tree import SolvedTree

        tree, known = SolvedTree.load(path), UpiSettings()
        known.take(tree.spot, lines_of(tree.spot.tree), tree.info)
        weights = [numbers_text(hands.weights) for hands in known.ranges]
        return [*self._root_text(tree), str(known.stack), *weights, *known.tree_info(), "show_metadata ok!"]

    def _show_save_version(self, path: str) -> Answer:
        from headsup.spots.solve import SpotSolution

        return [SpotSolution.load(path, regrets=False).solution.version]

    @property
    def _tree(self) -> SolvedTree:
        if self.tree is None:
            raise UserError("there is no tree: send build_tree or load_tree first")
        return self.tree

    # solving

    def _go(self, count: str = "", unit: str = "seconds") -> None:
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

    # nodes

    def _find(self, name: str) -> TreePlace:
        return self._tree.names.find(name)

    def _root_text(self, tree: SolvedTree) -> list[str]:
        first = self._node_text(tree, tree.names.first)
        flags = ["ISOMORPHISM_ON"] if any(self.settings.isomorphism) else []
        flags += ["RAKE_ON"] if tree.spot.rake else []
        return ["r", "ROOT", first[2], first[3], "1 children", f"flags: {' '.join([*flags, 'PIO_ALG'])} ", ""]

    def _node_text(self, tree: SolvedTree, place: TreePlace) -> list[str]:
        from headsup.cards.cards import card_name

        names, kind = tree.names, tree.names.kind(place.node)
        count = len(names.cards(place)) if kind == "SPLIT_NODE" else len(names.children(place.node))
        flags = ["PIO_ALG"] if kind.endswith("_DEC") else []
        flags += ["LOCKED"] if tree.is_locked(place) else []
        flags += ["RAKE_ON"] if tree.spot.rake and kind == "END_NODE" else []
        board = " ".join(card_name(card) for card in place.path.cards)
        return [place.name, kind, board, names.pot(place.node), f"{count} children", f"flags: {' '.join(flags)} ", ""]

    def _show_node(self, name: str) -> Answer:
        tree = self._tree
        return self._root_text(tree) if name == "r" else self._node_text(tree, self._find(name))

    def _show_children(self, name: str) -> Answer:
        tree = self._tree
        below = [tree.names.first] if name == "r" else tree.names.below(self._find(name))
        return [line for i, place in enumerate(below) for line in (f"child {i}:", *self._node_text(tree, place))]

    def _show_all_lines(self) -> Answer:
        return list(self._tree.names.all_names())

    def _show_board_no_iso(self) -> Answer:
        return [self._node_text(self._tree, self._tree.names.first)[2]]

    def _node_count(self) -> Answer:
        from headsup.spots.upi.counts import count_nodes

        return count_nodes(self._tree)

    def _show_strategy(self, name: str) -> Answer:
        return [numbers_text(row) for row in self._tree.strategy(self._find(name))]

    def _show_strategy_pp(self, name: str) -> Answer:
        tree, place = self._tree, self._find(name)
        rows = tree.strategy(place)
        tokens = [tree.names.token(child) for child in tree.names.children(place.node)]
        shown = [i for i in range(rows.shape[1]) if rows[:, i].any()]
        mixes = (" ".join(f"{t} {x:.4f}" for t, x in zip(tokens, rows[:, i], strict=True)) for i in shown)
        return [f"{hand_order()[i]}: {mix}" for i, mix in zip(shown, mixes, strict=True)]

    def _show_range(self, seat: str, name: str = "") -> Answer:
        player = read_seat(seat)
        hands = self._tree.reach(player, self._find(name)) if name else self.settings.ranges[player].weights
        return [numbers_text(hands)]

    def _calc_ev(self, seat: str, name: str) -> Answer:
        return self._vectors(self._tree.ev(read_seat(seat), self._find(name)))

    def _calc_ev_pp(self, seat: str, name: str) -> Answer:
        return self._by_hand(self._tree.ev(read_seat(seat), self._find(name)))

    def _calc_eq_node(self, seat: str, name: str) -> Answer:
        equity = self._tree.equity(read_seat(seat), self._find(name))
        return [*self._vectors(equity), f"{equity.mean:.9g}"]

    def _calc_eq(self, seat: str) -> Answer:
        return self._vectors(self._equity(seat))

    def _calc_eq_pp(self, seat: str, name: str = "") -> Answer:
        known = self._tree.equity(read_seat(seat), self._find(name)) if name else self._equity(seat)
        return self._by_hand(known)

    def _equity(self, seat: str) -> Weighed:
        """Equity of the ranges that are set, on the board that is set."""
        from headsup.spots.upi.tree import SolvedTree

        known = replace(self.settings, lines=[], info=[], pot=self.settings.pot or 1, stack=self.settings.stack or 1)
        tree = SolvedTree(known.spot())
        return tree.equity(read_seat(seat), tree.names.first)

    def _calc_eq_preflop(self, seat: str) -> Answer:
        from headsup.spots.upi.counts import preflop_equity

        player = read_seat(seat)
        equity, matchups, total = preflop_equity(self.settings.ranges[player], self.settings.ranges[1 - player])
        return [numbers_text(equity), numbers_text(matchups), f"{total:.9g}"]

    def _vectors(self, known: Weighed) -> list[str]:
        return [numbers_text(known.figures), numbers_text(known.matchups)]

    def _by_hand(self, known: Weighed) -> list[str]:
        rows = zip(hand_order(), known.figures.tolist(), known.matchups.tolist(), strict=True)
        return [f"{hand}: {figure:.6g} {weight:.6g}" for hand, figure, weight in rows if weight > 0.0]

    def _calc_global_freq(self, name: str) -> Answer:
        return [f"{self._tree.frequency(self._find(name)):.9g}"]

    def _calc_line_freq(self, name: str) -> Answer:
        return [f"{self._tree.line_frequency(self._find(name)):.9g}"]

    # changes

    def _set_strategy(self, name: str, words: list[str]) -> None:
        tree, place = self._tree, self._find(name)
        tree.set_strategy(place, read_numbers(words, "set_strategy", max(1, len(tree.names.children(place.node)))))

    def _lock_node(self, name: str) -> None:
        self._tree.lock(self._find(name))

    def _unlock_node(self, name: str) -> None:
        self._tree.unlock(self._find(name))

    def _estimate_rebuild_forgotten_streets(self) -> Answer:
        self._require_tree()
        return ["nothing is forgotten: 0 MB"]

    def _rebuild_forgotten_streets(self) -> None:
        self._require_tree()

    def _load_all_nodes(self) -> None:
        self._require_tree()

    def _require_tree(self) -> None:
        _ = self._tree


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
