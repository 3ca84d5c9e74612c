"""Spots being solved and solved ones: a folder each, and a process of its own for the work.

    job.json        what is asked: the spot as text, target, time, locks, the solution to go on from
    lock            held (flock) by the process while it works; whoever finds it free knows that nobody works
    progress.jsonl  a line for each measurement: iteration, seconds, exploitability as a share of the pot
    state.json      how it ended, or that it runs, with one sentence if something went wrong
    stopping        there once the process was asked to stop
    checkpoint      what a killed process goes on from
    solution        the saved solution; summary.json has its figures, ahead what is looked at first

The solution and its figures have the fingerprint of the job (`mark_of`): those of another job are refused.
Everything is in the files: the server may be stopped and started, and a process that is killed leaves what it had. The
lock is taken by the server and inherited by the process, so there is no moment at which a job has begun and looks free.
"""

from __future__ import annotations

import fcntl
import json
import math
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from headsup.common import contents
from headsup.common.errors import DataError, UserError
from headsup.common.files import Missing, fingerprint, is_full, own_json, parsed, read_json, write_json

NAME = re.compile(r"[0-9a-f]{12}")
WORKER = (sys.executable, "-m", "headsup.web.worker")
MOST_RUNNING = 2
MOST_KEPT = 200
MOST_SECONDS = 3600.0
SOLUTION, CHECKPOINT, STOPPING = "solution", "checkpoint", "stopping"
PROGRESS = "progress.jsonl"
ROOM = 1 << 16
"""Bytes of the disk below which nothing can be kept."""
NO_ROOM = "The disk is full. Nothing is lost: free some room, and the work is saved and goes on."
MOST_MEMORY = 8e9
"""Bytes that solving one spot may take; never more than half of what the machine has."""


def memory_limit() -> float:
    """Bytes that a spot may take here."""
    try:
        every = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return MOST_MEMORY / 4
    return min(MOST_MEMORY, every / 2)


class NoSpot(UserError):
    """There is no such spot."""

    status = 404


@dataclass(frozen=True)
class Ask:
    """What a job is to do."""

    spot: str
    """The spot as text."""
    name: str = ""
    target: float = 0.005
    seconds: float = 600.0
    store: str = "float32"
    locks: tuple[str, ...] = ()
    start: str = ""
    """The job whose solution it goes on from."""
    created: float = field(default_factory=time.time)


@dataclass(frozen=True)
class Job:
    """A job as its files tell it."""

    id: str
    folder: Path
    ask: Ask
    state: str
    """`running`, `done`, `stopped`, `failed` or `lost` (the process was killed)."""
    message: str
    solved: bool
    """There is a solution to look into."""
    kept: bool
    """There is a solution or a checkpoint to continue from."""
    stopping: bool
    """It runs, and was asked to stop."""

    @property
    def solution(self) -> Path:
        """Where it is saved."""
        return self.folder / SOLUTION

    def progress(self) -> list[tuple[int, float, float]]:
        """Measurements so far: iteration, seconds of all its runs, exploitability as a share of the pot."""
        found: list[tuple[int, float, float]] = []
        before = last = 0.0
        try:
            lines = (self.folder / PROGRESS).read_text().splitlines()
        except OSError:
            return found
        for line in lines:
            try:
                ((iteration, seconds, share),) = contents.history([json.loads(line)])
            except ValueError:  # the last line of a full disk
                continue
            if seconds < last:  # it went on, and its clock began anew
                before += last
            last = seconds
            found.append((iteration, round(before + last, 3), share))
        return found

    def summary(self) -> dict[str, Any]:
        """The figures of the solution."""
        if not self.solved:
            return {}
        figures = own_json(self.folder / "summary.json", mark_of(self.folder), _check_figures)
        if figures is None:
            raise DataError("the figures of this spot are damaged, or another spot's: delete it and solve it again")
        return {name: value for name, value in figures.items() if name != "job"}

    @property
    def reached(self) -> float:
        """The exploitability that the target is about, as a share of the pot; infinite without a solution."""
        try:
            told = self.summary()
        except DataError:  # damaged: whoever opens the spot is told
            return math.inf
        within = told.get("exploitability_locked_pot")
        return float(told.get("exploitability_pot", math.inf) if within is None else within)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        told = {"id": self.id, "name": self.ask.name, "state": self.state, "message": self.message}
        wanted = {
            "spot": self.ask.spot,
            "target": self.ask.target,
            "seconds": self.ask.seconds,
            "locks": list(self.ask.locks),
        }
        return {**told, **wanted, "start": self.ask.start or None, "solved": self.solved, "progress": self.progress()}


def mark_of(folder: Path) -> str:
    """The fingerprint of a job: its spot, locks and start, not its target and time; empty if there is no job."""
    try:
        ask = _told(folder / "job.json", lambda told: told)
    except Missing:
        return ""
    return fingerprint({"job": folder.name, **{name: ask.get(name) for name in ("spot", "locks", "start")}})


Told = TypeVar("Told")


def _told(path: Path, read: Callable[[dict[str, Any]], Told]) -> Told:
    """What a file of a job says; one that says what cannot be is damaged."""
    try:
        return parsed(path, lambda: read(contents.table(read_json(path), "its content")))
    except Missing:
        raise
    except DataError as error:
        raise DataError(f"{path.name} of this spot is damaged: delete the spot and solve it again") from error


def _ask_in(told: dict[str, Any]) -> Ask:
    """What is asked for, if that can be; what an older file does not say is as it is by default."""
    known = {key: told[key] for key in Ask.__dataclass_fields__ if key in told}
    for key in known.keys() & {"spot", "name", "store", "start"}:
        contents.text(known[key], key)
    for key in known.keys() & {"target", "seconds", "created"}:
        contents.number(known[key], key, 0.0)
    locks = contents.items(told.get("locks", []), "the list of locks")
    return Ask(**known | {"locks": tuple(contents.text(one, "a lock") for one in locks)})


def _state_in(told: dict[str, Any]) -> tuple[str, str]:
    """The state and its message."""
    return contents.text(told["state"], "the state"), contents.text(told.get("message", ""), "the message")


def _check_figures(told: dict[str, Any]) -> None:
    """The figures of a solution are finite."""
    for key, value in told.items():
        if key.startswith(("exploitability", "value", "pot", "seconds", "iterations")) and value is not None:
            contents.number(value, key)
        json.dumps(value, allow_nan=False)


class Jobs:
    """All jobs in a folder."""

    def __init__(
        self,
        folder: Path | None = None,
        command: tuple[str, ...] = WORKER,
        ended: Callable[[Path], object] | None = None,
    ) -> None:
        """`command` is what is started with a job's folder behind it; `ended` is called with that when it has ended."""
        if folder is None:
            from platformdirs import user_data_path

            folder = user_data_path("headsup", appauthor=False) / "spots"
        self.folder, self.command, self.ended = folder, command, ended
        self._children: list[subprocess.Popen[bytes]] = []
        self._starting = threading.Lock()

    def get(self, job: str) -> Job:
        """One job, by its name; whatever else was sent is no name of a folder."""
        if not NAME.fullmatch(job) or not (self.folder / job / "job.json").is_file():
            raise NoSpot("there is no such spot here: it may have been deleted")
        folder = self.folder / job
        ask = _told(folder / "job.json", _ask_in)
        state, message = "lost", ""
        if _held(folder):
            state = "running"
        if (folder / "state.json").is_file():
            ended, message = _told(folder / "state.json", _state_in)
            if state == "running" and no_room(folder):
                message = NO_ROOM  # what its process cannot write down
            if state != "running" and ended != "running":
                state = ended
        kept = any((folder / name).is_file() for name in (SOLUTION, CHECKPOINT))
        if state == "lost":
            message = "The process was killed. What it saved last is kept: solve on from there."
            if not kept:
                message = "The process was killed before it saved anything: solve the spot again."
        stopping = state == "running" and (folder / STOPPING).is_file()
        if stopping and message != NO_ROOM:
            message = "Stopping: the step under way is finished first, and its result is saved."
        return Job(job, folder, ask, state, message, (folder / "summary.json").is_file(), kept, stopping)

    def all(self) -> list[Job]:
        """Every job, the newest first; a folder that cannot be read is left out."""
        found = []
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if NAME.fullmatch(path.name) and (path / "job.json").is_file():
                    try:
                        found.append(self.get(path.name))
                    except UserError:
                        continue
        return sorted(found, key=lambda job: -job.ask.created)

    def start(self, ask: Ask) -> Job:
        """Begin a new job."""
        with self._starting:
            known = self.all()
            if len(known) >= MOST_KEPT:
                raise UserError(f"{MOST_KEPT} spots are kept here, and no more: delete some first")
            _room(known)
            name = secrets.token_hex(6)
            folder = self.folder / name
            with _keeping(self.folder):
                folder.mkdir(parents=True)
            try:
                write_json(folder / "job.json", vars(ask) | {"locks": list(ask.locks)})
                self._run(folder)
            except DataError:
                shutil.rmtree(folder, ignore_errors=True)
                raise
        return self.get(name)

    def go_on(self, job: Job, target: float | None = None, seconds: float | None = None) -> Job:
        """Continue a job that stopped, ended or was killed; one that saved nothing starts again."""
        with self._starting:
            if job.state == "running":
                raise UserError("this spot is being solved already")
            _room(self.all())
            wanted = {"target": target or job.ask.target, "seconds": seconds or job.ask.seconds}
            write_json(job.folder / "job.json", vars(job.ask) | {"locks": list(job.ask.locks)} | wanted)
            if not job.kept:
                (job.folder / PROGRESS).unlink(missing_ok=True)
            self._run(job.folder)
        return self.get(job.id)

    def _run(self, folder: Path) -> None:
        """Start the process, which inherits the lock."""
        with _keeping(self.folder), _locking(folder) as lock:
            if lock is None:
                raise UserError("this spot is being solved already")
            (folder / STOPPING).unlink(missing_ok=True)
            write_json(folder / "state.json", {"state": "running", "message": "Starting."})
            with open(folder / "log.txt", "ab") as log:
                child = subprocess.Popen(
                    [*self.command, str(folder)],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                    pass_fds=(lock,),
                )
            try:
                write_json(folder / "process.json", {"pid": child.pid})
            except DataError:  # nobody could stop it
                child.kill()
                child.wait()
                raise
            self._children = [one for one in self._children if one.poll() is None] + [child]
            if self.ended is not None:
                threading.Thread(target=self._await, args=(child, folder), daemon=True).start()

    def _await(self, child: subprocess.Popen[bytes], folder: Path) -> None:
        child.wait()
        if self.ended is not None:
            self.ended(folder)

    def stop(self, job: Job) -> None:
        """Ask the process to end after its step; it saves how far it came. To ask again changes nothing."""
        if job.state != "running":
            raise UserError("this spot is not being solved")
        if job.stopping:
            return
        with suppress(OSError):  # on a full disk it stops without the mark
            (job.folder / STOPPING).touch()
        pid = _told(job.folder / "process.json", lambda told: contents.count(told["pid"], "the process"))
        try:
            os.kill(pid, signal.SIGINT)  # the lock is held, so it is this process and no other of that number
        except ProcessLookupError:
            return

    def delete(self, job: Job) -> None:
        """Remove a job and its solution."""
        if job.state == "running":
            raise UserError("this spot is being solved: stop it first")
        shutil.rmtree(job.folder, ignore_errors=True)


def _room(known: list[Job]) -> None:
    running = sum(job.state == "running" for job in known)
    if running >= MOST_RUNNING:
        raise UserError(f"{running} spots are being solved, and no more run at a time: wait, or stop one")


def no_room(folder: Path) -> bool:
    """Whether the disk of a folder is as good as full."""
    try:
        return shutil.disk_usage(folder).free < ROOM
    except OSError:
        return False


@contextmanager
def _keeping(folder: Path) -> Iterator[None]:
    """Errors of the disk where jobs are kept, as one sentence."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise DataError(f"there is no room left for files in {folder}: free some, or delete spots") from error
        raise DataError(f"{folder} cannot keep a spot ({error.strerror}): serve with another --work") from error


@contextmanager
def _locking(folder: Path) -> Iterator[int | None]:
    """The lock of a folder, taken; None if another has it. Its process keeps it after this is over."""
    file = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield file
    except BlockingIOError:
        yield None
    finally:
        os.close(file)


def _held(folder: Path) -> bool:
    """Whether a process works in a folder."""
    try:
        with _locking(folder) as lock:
            return lock is None
    except OSError:
        return False
