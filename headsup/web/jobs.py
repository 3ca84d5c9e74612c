"""Spots that are solved or being solved: one folder each, and a separate process for the work.

    job.json        the job: the spot as text, target, time limit, locks, the solution to resume from
    lock            held (flock) by the process while it works
    progress.jsonl  one line per measurement: iteration, seconds, exploitability as a fraction of the pot
    state.json      running, or how it ended, with one sentence if something went wrong
    stopping        exists once the process was asked to stop
    checkpoint      what a killed process resumes from
    solution        the saved solution; summary.json has its summary, ahead precomputed views

The solution and its summary carry the fingerprint of the job (`mark_of`); those of another job are refused. All state
is in files, so the server may be restarted and processes may be killed. The server takes the lock and the process
inherits it, so a started job never looks idle.
"""

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
WORKER = (sys.executable, "-m", "headsup.web.study.worker")
MOST_RUNNING = 2
MOST_KEPT = 200
MOST_SECONDS = 3600.0
SOLUTION, CHECKPOINT, STOPPING = "solution", "checkpoint", "stopping"
PROGRESS = "progress.jsonl"
ROOM = 1 << 16  # bytes of the disk below which nothing can be kept
NO_ROOM = "The disk is full. Nothing is lost: free some space, and the work is saved and continues."
MOST_MEMORY = 8e9  # bytes that solving one spot may take; never more than half of what the machine has


def memory_limit() -> float:
    try:
        every = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        return MOST_MEMORY / 4
    return min(MOST_MEMORY, every / 2)


class NoSpot(UserError):
    status = 404


@dataclass(frozen=True)
class Ask:
    spot: str  # the spot as text
    name: str = ""
    target: float = 0.005
    seconds: float = 600.0
    store: str = "float32"
    locks: tuple[str, ...] = ()
    start: str = ""  # the job whose solution it resumes from
    created: float = field(default_factory=time.time)


@dataclass(frozen=True)
class Job:
    id: str
    folder: Path
    ask: Ask
    state: str  # `running`, `done`, `stopped`, `failed` or `lost` (the process was killed)
    message: str
    solved: bool  # there is a solution to look into
    kept: bool  # there is a solution or a checkpoint to continue from
    stopping: bool  # running, and asked to stop

    @property
    def solution(self) -> Path:
        return self.folder / SOLUTION

    def progress(self) -> list[tuple[int, float, float]]:
        """Measurements so far: iteration, total seconds, exploitability as a fraction of the pot."""
        measurements: list[tuple[int, float, float]] = []
        before = last = 0.0
        try:
            lines = (self.folder / PROGRESS).read_text().splitlines()
        except OSError:
            return measurements
        for line in lines:
            try:
                ((iteration, seconds, share),) = contents.history([json.loads(line)])
            except ValueError:  # the last line of a full disk
                continue
            if seconds < last:  # it was resumed, and its clock restarted
                before += last
            last = seconds
            measurements.append((iteration, round(before + last, 3), share))
        return measurements

    def summary(self) -> dict[str, Any]:
        if not self.solved:
            return {}
        figures = own_json(self.folder / "summary.json", mark_of(self.folder), _check_figures)
        if figures is None:
            raise DataError("the summary of this spot is damaged, or of another spot: delete it and solve it again")
        return {name: value for name, value in figures.items() if name != "job"}

    @property
    def reached(self) -> float:
        """The exploitability to compare with the target; infinite without a solution."""
        try:
            summary = self.summary()
        except DataError:  # damaged: opening the spot reports it
            return math.inf
        within = summary.get("exploitability_locked_pot")
        return float(summary.get("exploitability_pot", math.inf) if within is None else within)

    def as_dict(self) -> dict[str, Any]:
        state = {"id": self.id, "name": self.ask.name, "state": self.state, "message": self.message}
        wanted = {
            "spot": self.ask.spot,
            "target": self.ask.target,
            "seconds": self.ask.seconds,
            "locks": list(self.ask.locks),
        }
        return {**state, **wanted, "start": self.ask.start or None, "solved": self.solved, "progress": self.progress()}


def mark_of(folder: Path) -> str:
    """The fingerprint of a job's spot, locks and start; empty if there is no job."""
    try:
        ask = _read_json_file(folder / "job.json", lambda data: data)
    except Missing:
        return ""
    return fingerprint({"job": folder.name, **{name: ask.get(name) for name in ("spot", "locks", "start")}})


Content = TypeVar("Content")


def _read_json_file(path: Path, read: Callable[[dict[str, Any]], Content]) -> Content:
    try:
        return parsed(path, lambda: read(contents.mapping(read_json(path), "its content")))
    except Missing:
        raise
    except DataError as error:
        raise DataError(f"{path.name} of this spot is damaged: delete the spot and solve it again") from error


def _ask_in(data: dict[str, Any]) -> Ask:
    """The job of a file, checked; older files may lack fields."""
    known = {key: data[key] for key in Ask.__dataclass_fields__ if key in data}
    for key in known.keys() & {"spot", "name", "store", "start"}:
        contents.text(known[key], key)
    for key in known.keys() & {"target", "seconds", "created"}:
        contents.number(known[key], key, 0.0)
    locks = contents.items(data.get("locks", []), "the list of locks")
    return Ask(**known | {"locks": tuple(contents.text(lock, "a lock") for lock in locks)})


def _state_in(data: dict[str, Any]) -> tuple[str, str]:
    return contents.text(data["state"], "the state"), contents.text(data.get("message", ""), "the message")


def _check_figures(data: dict[str, Any]) -> None:
    for key, value in data.items():
        if key.startswith(("exploitability", "value", "pot", "seconds", "iterations")) and value is not None:
            contents.number(value, key)
        json.dumps(value, allow_nan=False)


class Jobs:
    def __init__(
        self,
        folder: Path | None = None,
        command: tuple[str, ...] = WORKER,
        ended: Callable[[Path], object] | None = None,
    ) -> None:
        """`command` is started with a job's folder; `ended` is called with the folder when it has ended."""
        if folder is None:
            from platformdirs import user_data_path

            folder = user_data_path("headsup", appauthor=False) / "spots"
        self.folder, self.command, self.ended = folder, command, ended
        self._children: list[subprocess.Popen[bytes]] = []
        self._starting = threading.Lock()

    def get(self, job: str) -> Job:
        if not NAME.fullmatch(job) or not (self.folder / job / "job.json").is_file():
            raise NoSpot("there is no such spot: it may have been deleted")
        folder = self.folder / job
        ask = _read_json_file(folder / "job.json", _ask_in)
        state, message = "lost", ""
        if _held(folder):
            state = "running"
        if (folder / "state.json").is_file():
            ended, message = _read_json_file(folder / "state.json", _state_in)
            if state == "running" and no_room(folder):
                message = NO_ROOM  # what its process cannot write down
            if state != "running" and ended != "running":
                state = ended
        kept = any((folder / name).is_file() for name in (SOLUTION, CHECKPOINT))
        if state == "lost":
            message = "The process was killed. Its last checkpoint is kept: continue from there."
            if not kept:
                message = "The process was killed before it saved anything: solve the spot again."
        stopping = state == "running" and (folder / STOPPING).is_file()
        if stopping and message != NO_ROOM:
            message = "Stopping after the current step; its result is saved."
        return Job(job, folder, ask, state, message, (folder / "summary.json").is_file(), kept, stopping)

    def all(self) -> list[Job]:
        jobs = []
        if self.folder.is_dir():
            for path in self.folder.iterdir():
                if NAME.fullmatch(path.name) and (path / "job.json").is_file():
                    try:
                        jobs.append(self.get(path.name))
                    except UserError:
                        continue
        return sorted(jobs, key=lambda job: -job.ask.created)

    def start(self, ask: Ask) -> Job:
        with self._starting:
            known = self.all()
            if len(known) >= MOST_KEPT:
                raise UserError(f"{MOST_KEPT} spots are saved, which is the maximum: delete some first")
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
            except DataError:  # it could not be stopped
                child.kill()
                child.wait()
                raise
            self._children = [running for running in self._children if running.poll() is None] + [child]
            if self.ended is not None:
                threading.Thread(target=self._await, args=(child, folder), daemon=True).start()

    def _await(self, child: subprocess.Popen[bytes], folder: Path) -> None:
        child.wait()
        if self.ended is not None:
            self.ended(folder)

    def stop(self, job: Job) -> None:
        """Ask the process to stop after its step and save its result."""
        if job.state != "running":
            raise UserError("this spot is not being solved")
        if job.stopping:
            return
        with suppress(OSError):  # on a full disk it stops without the mark
            (job.folder / STOPPING).touch()
        pid = _read_json_file(job.folder / "process.json", lambda data: contents.count(data["pid"], "the process"))
        try:
            os.kill(pid, signal.SIGINT)  # the lock is held, so it is this process and no other of that number
        except ProcessLookupError:
            return

    def delete(self, job: Job) -> None:
        if job.state == "running":
            raise UserError("this spot is being solved: stop it first")
        shutil.rmtree(job.folder, ignore_errors=True)


def _room(known: list[Job]) -> None:
    running = sum(job.state == "running" for job in known)
    if running >= MOST_RUNNING:
        raise UserError(f"{running} spots are being solved, which is the maximum: wait, or stop one")


def no_room(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < ROOM
    except OSError:
        return False


@contextmanager
def _keeping(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if is_full(error):
            raise DataError(f"there is no room left for files in {folder}: free some space, or delete spots") from error
        raise DataError(f"cannot write to {folder} ({error.strerror}): serve with another --work") from error


@contextmanager
def _locking(folder: Path) -> Iterator[int | None]:
    """The lock of a folder, or None if another process has it; a child process keeps it."""
    file = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield file
    except BlockingIOError:
        yield None
    finally:
        os.close(file)


def _held(folder: Path) -> bool:
    try:
        with _locking(folder) as lock:
            return lock is None
    except OSError:
        return False
