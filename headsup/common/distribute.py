"""Map work packets over local processes or a Ray cluster; each finished packet is a file.

A packet is a path and the arguments of a deterministic function, named as `module:function`, that returns bytes.
Callers skip packets whose files exist. Local workers are spawned, read packets as lines of JSON and write the files
themselves; Ray tasks return bytes and only this process writes. A packet lost with its worker is handed out again. Each
worker uses one thread.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from headsup.common.checks import cores, quoted, whole
from headsup.common.errors import DataError, MissingExtra, UserError
from headsup.common.files import read_json, write_bytes, write_json
from headsup.common.shards.shard import Shard

ENGINES = ("local", "ray")
HERE = "here"
TRIES = 4  # how often a packet may be lost with its worker before the run gives up
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Packet:
    """One piece of work: the file of its result, the arguments of the function, and its part of the whole work."""

    path: Path
    arguments: Mapping[str, Any] = field(default_factory=dict)
    work: float = 1.0
    lasting: bool = True  # through a power cut; of many small files that can be made again, that is most of the time


Done = Callable[[Packet], None]  # called in the caller's thread with each packet as its file appears


def run(
    function: str,
    packets: Sequence[Packet],
    engine: str = "local",
    jobs: int | None = None,
    address: str | None = None,
    gpus: float = 0,
    done: Done | None = None,
) -> None:
    """Do the packets: `function` is `module:name` and returns bytes, which become the packet's file.

    `jobs` is the number of local processes (all cores if not given), or the most Ray tasks at once. `address` is that
    of a running Ray cluster; without it Ray starts one on this machine. `gpus` is what each Ray task asks for.
    """
    with Team(function, engine, jobs, address, gpus) as team:
        team.do(packets, done)


class Team:
    """Workers for the packets of one function, kept for several rounds of work.

    `engine` may also be "here": this process, one packet after the other. After an error a team cannot be used again.
    """

    def __init__(
        self,
        function: str,
        engine: str = "local",
        jobs: int | None = None,
        address: str | None = None,
        gpus: float = 0,
    ) -> None:
        check_jobs(jobs)
        if engine not in (HERE, *ENGINES):
            raise UserError(f"'{engine}' is not an engine: choose one of {', '.join(ENGINES)}")
        self.function, self.engine, self.jobs, self.address, self.gpus = function, engine, jobs, address, gpus
        self._stack = ExitStack()

    def __enter__(self) -> Team:
        if self.engine == "ray":
            self._ray = self._stack.enter_context(_joined(self.address))
        elif self.engine == "local":
            self._local = _Local(self.function, self.jobs or cores())
            self._stack.callback(self._local.stop)
        return self

    def __exit__(self, *unused: object) -> None:
        self._stack.close()

    def do(self, packets: Sequence[Packet], done: Done | None = None) -> None:
        """Do the packets of one round, as `run` does."""
        report = done or (lambda packet: None)
        if self.engine == "ray":
            _ray_loop(self._ray, self.function, packets, self.jobs, self.gpus, report)
        elif self.engine == "local":
            self._local.do(packets, report)
        else:
            for packet in packets:
                write_bytes(packet.path, call(self.function, packet.arguments), packet.lasting)
                report(packet)


def check_jobs(jobs: int | None) -> None:
    if jobs is not None and whole(jobs, "jobs") < 1:
        raise UserError(f"{quoted(jobs)} jobs cannot do any work: give 1 or more")


def clear_scratch(folder: Path, shard: Shard | None = None) -> None:
    """Remove what interrupted writes left behind; call it only while holding the folder's lock. A shard leaves it, as
    other shards may be writing.
    """
    if shard is not None:
        return
    for path in folder.glob(".*.part"):
        path.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path, shard: Shard | None = None) -> Iterator[None]:
    """Lock a folder for one run; a second run gets an error at once. The lock ends with the process.

    A shard locks itself and shares the folder with the other shards, but not with a run of the whole job.
    """
    if shard is not None:
        with _locked(folder, f"lock-{shard.number}-of-{shard.of}"), _locked(folder, "lock", shared=True):
            yield
        return
    with _locked(folder, "lock"):
        yield


@contextmanager
def _locked(folder: Path, name: str, shared: bool = False) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open(folder / name, "a+")  # noqa: SIM115 (closed by the with below)
    except OSError as error:
        raise UserError(
            f"{folder} cannot be used as a folder to write to ({error.strerror}): choose another folder"
        ) from error
    with lock as file:
        try:
            _lock(file, shared)
        except OSError as error:
            file.seek(0)
            holder = file.read().strip() or "unknown"
            raise UserError(
                f"another run (process {holder}) is at work in {folder}: wait until it ends or choose another folder"
            ) from error
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def settle(folder: Path, what: str, settings: Mapping[str, Any]) -> None:
    """Write the settings of a folder's packets, or check that they are the same as before."""
    path = folder / "settings.json"
    if not path.exists():
        write_json(path, settings)
        return
    known = read_json(path)
    for key, value in settings.items():
        if not isinstance(known, dict) or known.get(key) != value:
            raise UserError(f"{folder} has {what} {key}: choose another folder, or ask for what is in {path.name}")


def _lock(file: IO[str], shared: bool = False) -> None:
    if os.name == "posix":
        import fcntl

        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    elif not shared:
        locking = import_module("msvcrt")
        file.seek(0)
        locking.locking(file.fileno(), locking.LK_NBLCK, 1)


def call(function: str, arguments: Mapping[str, Any]) -> bytes:
    module, _, name = function.partition(":")
    content = getattr(import_module(module), name)(**arguments)
    if not isinstance(content, bytes):
        raise TypeError(f"{function} returned {type(content).__name__}, not bytes")
    return content


# --- this machine ---------------------------------------------------------------------------------------------------


class _Worker:
    """A process that does one packet at a time."""

    def __init__(self, function: str, replies: queue.SimpleQueue[tuple[_Worker, str]]) -> None:
        self.packet: Packet | None = None
        self.process = subprocess.Popen(
            [sys.executable, "-m", "headsup.common.distribute", function],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | ONE_THREAD | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            start_new_session=True,  # Ctrl-C is for the process that hands out the work
        )
        threading.Thread(target=self._listen, args=(replies,), daemon=True).start()

    def _listen(self, replies: queue.SimpleQueue[tuple[_Worker, str]]) -> None:
        assert self.process.stdout is not None
        with suppress(ValueError):  # `stop` may close the pipe before its end is read
            for line in self.process.stdout:
                replies.put((self, line))
        replies.put((self, ""))

    def give(self, packet: Packet) -> None:
        """Hand over a packet; if the worker has died, its empty reply shows it."""
        assert self.process.stdin is not None
        self.packet = packet
        with suppress(OSError):
            self.process.stdin.write(json.dumps([str(packet.path), dict(packet.arguments), packet.lasting]) + "\n")
            self.process.stdin.flush()

    def stop(self) -> None:
        with suppress(OSError):
            self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


class _Local:
    """Processes on this machine; those that have nothing to do wait for the next round."""

    def __init__(self, function: str, jobs: int) -> None:
        self.function, self.jobs = function, jobs
        self.replies: queue.SimpleQueue[tuple[_Worker, str]] = queue.SimpleQueue()
        self.workers: set[_Worker] = set()

    def do(self, packets: Sequence[Packet], done: Done) -> None:
        waiting, left = deque(packets), len(packets)
        tries: dict[Path, int] = {}

        def hire() -> None:
            while waiting and len(self.workers) < self.jobs:
                worker = _Worker(self.function, self.replies)
                self.workers.add(worker)
                worker.give(waiting.popleft())

        for worker in self.workers:
            if waiting:
                worker.give(waiting.popleft())
        hire()
        while left:
            worker, line = self.replies.get()
            packet = worker.packet
            if not line:
                self.workers.discard(worker)
                worker.stop()
                if packet is not None:
                    _again(packet, tries, f"its worker ended with status {worker.process.returncode}")
                    waiting.appendleft(packet)
                hire()
                continue
            assert packet is not None
            _raise_error(packet, line)
            worker.packet, left = None, left - 1
            done(packet)
            if waiting:
                worker.give(waiting.popleft())

    def stop(self) -> None:
        for worker in self.workers:
            worker.stop()


def _again(packet: Packet, tries: dict[Path, int], why: str, most: int = TRIES) -> None:
    tries[packet.path] = tries.get(packet.path, 0) + 1
    if tries[packet.path] >= most:
        raise DataError(f"{packet.path.name} was lost {most} times, the last time because {why}: nothing more is tried")


def _raise_error(packet: Packet, line: str) -> None:
    reply = json.loads(line)
    if "mistake" in reply:
        raise UserError(reply["mistake"])
    if "error" in reply:
        raise RuntimeError(f"{packet.path.name} could not be computed; in the worker:\n{reply['error']}")


def _serve(function: str) -> None:
    """A worker: packets in as lines of JSON, one line of JSON out for each, until the input closes."""
    # Whatever a library prints must not be taken for a reply.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    orders: queue.Queue[str] = queue.Queue()

    def listen() -> None:
        for line in sys.stdin:
            orders.put(line)
        os._exit(0)  # the parent process is gone; half a packet is worthless

    threading.Thread(target=listen, daemon=True).start()
    while True:
        path, arguments, lasting = json.loads(orders.get())
        reply: dict[str, str] = {}
        try:
            write_bytes(Path(path), call(function, arguments), lasting)
        except UserError as error:
            reply["mistake"] = str(error)
        except Exception:
            import traceback

            reply["error"] = traceback.format_exc()
        out.write(json.dumps(reply) + "\n")
        out.flush()


# --- a Ray cluster --------------------------------------------------------------------------------------------------


def ray_module() -> Any:
    try:
        return import_module("ray")
    except ImportError as error:
        raise MissingExtra("engine 'ray'", "ray") from error


@contextmanager
def _joined(address: str | None) -> Iterator[Any]:
    """Ray with a cluster: the one that it is in already, that of the address, or one of this machine."""
    ray = ray_module()
    mine = not ray.is_initialized()
    if mine:
        quiet: dict[str, Any] = {"log_to_driver": False, "include_dashboard": None if address else False}
        try:
            ray.init(address=address, runtime_env={"env_vars": ONE_THREAD}, **quiet)
        except ConnectionError as error:
            raise UserError(
                f"no Ray cluster answers at {address or 'this machine'}: start it or check the address"
            ) from error
    try:
        yield ray
    finally:
        if mine:
            ray.shutdown()


def _ray_loop(ray: Any, function: str, packets: Sequence[Packet], jobs: int | None, gpus: float, done: Done) -> None:
    task = ray.remote(num_cpus=1, num_gpus=gpus, max_retries=0)(call)
    waiting = deque(packets)
    tries: dict[Path, int] = {}
    under_way: dict[Any, Packet] = {}
    try:
        while waiting or under_way:
            # Twice the room there is now, so that a machine which joins or finishes early finds work waiting.
            room = jobs or 2 * max(1, int(ray.cluster_resources().get("GPU" if gpus else "CPU", 1)))
            while waiting and len(under_way) < room:
                packet = waiting.popleft()
                under_way[task.remote(function, dict(packet.arguments))] = packet
            ready, _ = ray.wait(list(under_way), num_returns=1, timeout=5.0)
            for reference in ready:
                packet = under_way.pop(reference)
                try:
                    content = ray.get(reference)
                except ray.exceptions.RayTaskError as error:
                    cause = error.cause
                    if isinstance(cause, UserError):
                        raise UserError(str(cause)) from None
                    raise RuntimeError(f"{packet.path.name} could not be computed: {error}") from error
                except ray.exceptions.RayError as error:
                    # A cheap machine that is taken away may lose the same packet more than once.
                    _again(packet, tries, f"{type(error).__name__} came back", most=4 * TRIES)
                    waiting.appendleft(packet)
                    continue
                write_bytes(packet.path, content, packet.lasting)
                done(packet)
    finally:
        for reference in under_way:
            with suppress(Exception):
                ray.cancel(reference, force=True)


if __name__ == "__main__":
    _serve(sys.argv[1])
