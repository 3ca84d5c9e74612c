"""Games that fit on one GPU but not in a saved solution: solved without abstraction and measured in place.

`solve_large(game)` runs `LargeCfr`: the first street in double precision, everything below it in int16, without numbers
for hands that a board of the last street blocks (`headsup.games.walk.live`). Averages are kept as well, or with
`strategy=current` regrets alone, in half of the memory. On the CPU the same solver has the usual layout. The record
holds the figures and the strategy of the first street; the rest stays in the checkpoint, a folder with one file for
each array, compressed piece by piece: the host need not hold what the device does.
"""

from __future__ import annotations

import os
import shutil
import struct
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common import contents, distribute
from headsup.common.arrays import AnyArray, Floats
from headsup.common.backend import threads
from headsup.common.checks import check_device, quoted, thread_count
from headsup.common.errors import DataError, UserError
from headsup.common.files import Missing, parsed, read_json, telling_full_disk, write_json
from headsup.common.progress import Watch
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.gpu_last import is_small
from headsup.games.walk.gpu_streets import walker_plan
from headsup.games.walk.live import has_live_columns
from headsup.games.walk.walk import Policy, Walker, takes_kernels
from headsup.measure.measurement import Measurement
from headsup.solve.holdem.store import MemoryPlan, in_bytes, plan
from headsup.solve.holdem.trunk import TrunkCfr
from headsup.solve.records.loop import Limits, SolverRun
from headsup.solve.records.measured import MeasuredRun
from headsup.solve.records.settings import Settings, settings
from headsup.solve.records.solution import plain

METHOD = "dcfr-holdem"
TARGET = 1.0  # mbb a game: the threshold of bowling-2015 for a game that is essentially solved
CLOSER = 0.99  # runs are measured in single precision, and end a little below their target
LARGE = 1 << 32  # games of more numbers are solved here on a GPU
PIECE = 1 << 26  # bytes of an array that are compressed together
LENGTH = struct.Struct("<Q")
PLACE = ("store", "threads", "device")
STATE = "state.json"


def is_large(game: VectorGame) -> bool:
    """Whether a game has more numbers than a record holds, and can be solved here on a GPU."""
    return sum(int(at[-1]) for at in game.layout) > LARGE and _why_not(game, "gpu") is None


def _why_not(game: VectorGame, device: str) -> str | None:
    """Why a game cannot be solved here, or None."""
    if not takes_kernels(game) or game.betting.rules.swaps or game.streets < 2 or not game.rounds.deals[1]:
        return "only hold'em with boards to come is"
    if game.betting.total is None:
        return "there is a rake"
    if device == "gpu" and not has_live_columns(game):
        return "only games in which both players may hold every hand are"
    if device == "gpu" and not is_small(game):
        return "the betting of the last street is too large for one kernel"
    return None


@dataclass(frozen=True)
class LargePlan:
    """What a game has, and what solving it takes."""

    infosets: tuple[int, ...]  # of both players on each street: decisions, boards up to suits and hands they leave
    numbers: tuple[int, ...]  # actions of these
    boards: tuple[int, ...]  # up to suits
    memory: MemoryPlan
    measuring: int  # bytes of the workspace that measures in double precision

    @property
    def peak(self) -> int:
        """Bytes at most: the stores with the larger of both workspaces."""
        return self.memory.stores + self.memory.boards + max(self.memory.work, self.measuring)

    def __str__(self) -> str:
        streets = ", ".join(f"{n:,}" for n in self.infosets)
        return (
            f"{sum(self.infosets):,} information sets ({streets} by street) on {self.boards[-1]:,} boards of "
            f"{self.boards[1]:,} flops up to suits, with {sum(self.numbers):,} actions; needs {self.memory} of memory "
            f"to solve, and {in_bytes(self.peak)} to measure in double precision"
        )

    def summary(self) -> dict[str, Any]:
        """As plain JSON values."""
        sizes = {"stores_bytes": self.memory.stores, "work_bytes": self.memory.work, "peak_bytes": self.peak}
        return {"infosets": list(self.infosets), "numbers": list(self.numbers), "boards": list(self.boards), **sizes}


def large_plan(game: VectorGame, method: str = METHOD, **options: Any) -> LargePlan:
    """Count a game and the memory that `solve_large` takes, before anything is allocated."""
    chosen, place = _read(game, method, options)
    return _planned(game, chosen, place)


def _planned(game: VectorGame, chosen: Settings, place: dict[str, Any]) -> LargePlan:
    device, averages = place["device"], chosen.strategy == "average"
    live = device == "gpu"
    infosets, numbers, known = [], [], 0
    boards: Any = game.showdown.boards  # type: ignore[attr-defined]
    cards = boards.ranks * boards.suits - len(boards.root) - len(boards.dead)
    for s, size in enumerate(game.boards.sizes()):
        known += game.boards.streets[s]
        hands = (cards - known) * (cards - known - 1) // 2
        players = game.betting.player[game.betting.start[s] : game.betting.start[s + 1]]
        infosets.append(int((players < 2).sum()) * size * hands)
        numbers.append(int(game.rounds.rows[:, s].sum()) * size * hands)
    how = {"predictive": chosen.predictive, "device": device, "averages": averages}
    need = plan(game, place["store"], place["threads"], fused=live, live=live, **how)
    double = walker_plan(game, np.float64, fused=True).bytes if live else need.work
    return LargePlan(tuple(infosets), tuple(numbers), tuple(game.boards.sizes()), need, double)


def _read(game: VectorGame, method: str, options: dict[str, Any]) -> tuple[Settings, dict[str, Any]]:
    """The settings of the method, and where and how numbers are stored."""
    place = {"store": "int16", "threads": None, "device": "cpu"} | {k: v for k, v in options.items() if k in PLACE}
    chosen = settings(method, {key: value for key, value in options.items() if key not in PLACE}, also=PLACE)
    device = check_device(place["device"])
    why = _why_not(game, device)
    if why is not None:
        raise UserError(f"{game} is not solved as a trunk and boards below it: {why}")
    if not chosen.alternating:
        raise UserError("games of betting and boards are solved with alternating updates: leave alternating out")
    place["threads"] = thread_count(place["threads"])
    return chosen, place


class LargeCfr(TrunkCfr):
    """A run of CFR on a whole game, measured in place."""

    measured_each = 10

    def __init__(self, game: VectorGame, settings: Settings, *, store: str, threads: int, device: str) -> None:
        self.averaged, self.device, self.threads = settings.strategy == "average", device, threads
        live = device == "gpu"
        super().__init__(game, settings, store=store, threads=threads, device=device, averages=self.averaged, live=live)

    def policy(self, average: bool = True) -> Policy:
        """The numbers of both players in the trunk: the average's, or those of the current strategy."""
        return super().policy(average and self.averaged)

    def measured(self) -> Policy:
        """The same below the trunk."""
        return self.stores.policy(self.averaged)

    def exploitability(self) -> float:
        """In the precision of the walk."""
        return super().measure().exploitability

    def measure(self) -> Measurement:
        """In double precision."""
        walk, single = self.walker, self.walker.lower
        if self.device == "gpu":
            from headsup.games.walk.gpu import GpuWalker

            single.release()
            walk.lower = GpuWalker(self.game, np.float64, live=True)
        else:
            walk.lower = Walker(self.game, np.float64, self.threads, in_stages=True)
        try:
            return super().measure()
        finally:
            if self.device == "gpu":
                walk.lower.release()
            walk.lower = single

    def first_street(self) -> tuple[Floats, Floats]:
        """For each player [rows, hands]: the probabilities on the first street."""
        first, second = (self.average(seat) for seat in (0, 1))
        return first, second

    def pieces(self) -> dict[str, Any]:
        """Every array that resuming needs, on the host or on the device."""
        return self.trunk_arrays() | self.stores.in_place()


class FolderRun(SolverRun):
    """A run whose checkpoints are folders: `state.json`, and a compressed file for each array, piece by piece."""

    first_save, save_every = 300.0, 300.0

    def save(self, path: Path) -> None:
        """Write all arrays, then the state that names them; the files before are removed last.

        A disk without room for another checkpoint as large as the one before loses that first.
        """
        folder, old = path.parent, sorted(path.parent.glob("arrays-*"))
        new = folder / f"arrays-{self.solver.iterations}"
        if new in old and path.exists():
            return  # nothing has changed
        with telling_full_disk(folder):
            if shutil.disk_usage(folder).free < 1.1 * sum(file.stat().st_size for file in folder.glob("arrays-*/*")):
                path.unlink(missing_ok=True)
                _remove(old)
            new.mkdir(exist_ok=True)
            with ThreadPoolExecutor(threads()) as pool:
                for name, array in self._arrays.items():
                    _write_array(new / name, array, pool)
        state = {
            **self.label,
            "arrays": new.name,
            "iterations": self.solver.iterations,
            "seconds": self.seconds,
            "history": [list(point) for point in self.history],
        }
        write_json(path, state)
        _remove([before for before in old if before != new])

    def resume(self, path: Path) -> None:
        """Resume from a checkpoint of the same game, method and parameters."""
        state = dict(read_json(path))
        for key, value in self.label.items():
            if state.get(key) != value:
                mine, theirs = quoted(value), quoted(state.get(key))
                raise UserError(f"the run in '{path.parent}' has {key} {theirs}, not {mine}: name another folder")

        def take() -> None:
            iterations = contents.count(state["iterations"], "the number of iterations")
            seconds, history = contents.number(state["seconds"], "the time", 0.0), contents.history(state["history"])
            with ThreadPoolExecutor(threads()) as pool:
                for name, array in self._arrays.items():
                    _read_array(path.parent / str(state["arrays"]) / name, array, pool)
            self.solver.iterations, self.seconds, self.history = iterations, seconds, list(history)

        parsed(path, take)

    @property
    def _arrays(self) -> dict[str, Any]:
        assert isinstance(self.solver, LargeCfr)
        return self.solver.pieces()


def _remove(folders: list[Path]) -> None:
    for folder in folders:
        shutil.rmtree(folder)


def _groups(array: Any) -> Iterator[list[Any]]:
    """The pieces of an array, as many at a time as there are threads to compress them."""
    each = max(1, PIECE // array.itemsize)
    pieces = [array[low : low + each] for low in range(0, array.size, each)]
    for low in range(0, len(pieces), threads()):
        yield pieces[low : low + threads()]


def _write_array(path: Path, array: Any, pool: ThreadPoolExecutor) -> None:
    """Write an array: for each piece the length of its compressed bytes, and these."""
    with path.open("wb") as file:
        for pieces in _groups(array):
            hosts = [piece.get() if hasattr(piece, "get") else np.asarray(piece) for piece in pieces]
            for packed in pool.map(_packed, hosts):
                file.write(LENGTH.pack(len(packed)) + packed)
        file.flush()
        os.fsync(file.fileno())


def _packed(numbers: AnyArray) -> bytes:
    """All first bytes of the numbers, then all second ones: those that vary little compress well together."""
    return zlib.compress(numbers.view(np.uint8).reshape(-1, numbers.itemsize).T.tobytes(), 1)


def _read_array(path: Path, array: Any, pool: ThreadPoolExecutor) -> None:
    """Read an array into its place; its compressed pieces have checksums."""

    def unpacked(packed: bytes) -> AnyArray:
        planes = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(array.itemsize, -1)
        numbers: AnyArray = np.ascontiguousarray(planes.T).view(array.dtype)
        return numbers.ravel()

    with path.open("rb") as file:
        for pieces in _groups(array):
            packed = [file.read(LENGTH.unpack(file.read(LENGTH.size))[0]) for _ in pieces]
            for piece, host in zip(pieces, pool.map(unpacked, packed), strict=True):
                if host.size != piece.size:
                    raise ValueError(f"{path.name} is not of this game")
                if hasattr(piece, "get"):
                    piece.set(host)
                else:
                    piece[:] = host
        if file.read(1):
            raise ValueError(f"{path.name} is too long")


@dataclass(frozen=True)
class LargeSolution(MeasuredRun):
    """A solved game: its figures, and the strategy of the first street."""

    planned: LargePlan
    first_street: tuple[Floats, Floats]  # for each player [rows, hands]
    unsaved: DataError | None = None

    def summary(self) -> dict[str, Any]:
        """As plain JSON values, without the strategy."""
        return super().summary() | self.planned.summary()


def solve_large(
    game: VectorGame,
    method: str = METHOD,
    *,
    folder: str | Path | None = None,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> LargeSolution:
    """Solve a game, by default to an exploitability of 1 mbb a game, or resume the run in a folder.

    Limits are those of `headsup.solve.solve`; options are those of the method, and `store`, `threads` and `device`.
    """
    chosen, place = _read(game, method, options)
    if folder is not None and not str(folder):
        raise UserError(f"a folder without a name cannot hold a checkpoint: give its name, not {quoted(folder)}")
    if iterations is target is seconds is None:
        target = TARGET * game.unit / 1000.0
    stop = Limits(iterations, target, seconds)
    if stop.target is not None:
        stop.target *= CLOSER
    planned = _planned(game, chosen, place)
    solver = LargeCfr(game, chosen, **place)
    params = {key: value for key, value in options.items() if key != "threads"}
    label = {"game": game.name, "method": method, "params": plain(params), "content": game.checksum}
    run = FolderRun(solver, label)
    if folder is None:
        stopped = run.go(stop, None, watch)
    else:
        stopped = _run_in(Path(folder), run, stop, watch)
    return LargeSolution(
        game.name,
        method,
        options,
        solver.iterations,
        run.seconds,
        solver.measure(),
        tuple(run.history),
        None if folder is None else str(folder),
        planned,
        solver.first_street(),
        run.unsaved,
        stopped=stopped,
    )


def _run_in(folder: Path, run: FolderRun, stop: Limits, watch: Watch | None) -> bool:
    """Run with checkpoints in a folder, which is locked meanwhile."""
    with distribute.locked(folder):
        with suppress(Missing):
            run.resume(folder / STATE)
        return run.go(stop, folder / STATE, watch)
