"""CFR+ on games too large for memory, without abstraction: a trunk in memory and subgames in files.

Limit hold'em was solved in this form (bowling-2015, the main article). The betting before a street and the boards dealt
by then are the *trunk*; each board of that street, with all or some of the lines into it, is a *subgame*
(`headsup.solve.holdem.subgames`). A step for one player is

1. down the trunk: both players' reach of every line into the subgames, written to a file that workers map;
2. every subgame once, in any order and on any worker: it reads its state, walks, learns, and writes its next state;
3. up the trunk with the values of the lines, where the player learns too; then the trunk's file is replaced, which ends
   the step, and states of the version before are removed.

An iteration is a step for each player. Until the trunk's file is replaced nothing of the step before is touched, so a
run that stops at any moment resumes with the subgames that are not done, and ends with the same bits, with any number
of workers. In floats the iterations are those of `headsup.solve.holdem.vector`, bit for bit; in fixed point they differ
by its rounding.
"""

import json
import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common import contents, distribute
from headsup.common.archives import read_archive, write_archive
from headsup.common.arrays import AnyArray
from headsup.common.checks import as_path, as_text, as_truth, door, of_kind, quoted, whole
from headsup.common.errors import DataError, UserError
from headsup.common.files import Missing, fingerprint, parsed, replacing
from headsup.common.progress import Progress, Watch
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.layout import Rule, Store
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.walk.piecewalk import Trunk
from headsup.games.walk.walk import BEST, LEARN, NO_RULE, takes_kernels
from headsup.measure.measurement import Measurement
from headsup.solve.holdem.squeeze import MOST_STEPS
from headsup.solve.holdem.store import KINDS, MemoryPlan, check_room
from headsup.solve.holdem.subgames import (
    FUNCTION,
    MEASURES,
    Cut,
    kept_values,
    read_policy,
    read_values,
    shape_of,
    state_path,
    values_job,
    values_path,
    visited,
)
from headsup.solve.records.loop import Limits, Solver, SolverRun
from headsup.solve.records.measured import MeasuredRun
from headsup.solve.records.settings import Settings, settings
from headsup.solve.records.solution import plain

OPTIONS = ("store", "steps", "sums", "cut", "lines")
STEPS = 4095
SUMS = MOST_STEPS
"""Steps of the cumulative strategy: its rounding, not that of regrets, limits the exploitability of a run."""
MOST_VALUES = 1 << 27  # the most numbers of a subgame by default: a worker then needs about two gigabytes
TRUNK = "trunk.headsup"


def cut_game(game: VectorGame, average: bool, options: dict[str, Any]) -> Cut:
    """The cut of a game: by its options, else at the flop, or at the turn where subgames would be too large."""
    if not takes_kernels(game) or game.streets < 2 or game.betting.total is None:
        raise UserError(f"{game} is not stored by subgames: only hold'em with boards to come and without a rake is")
    if _by_name(game) != game.checksum:
        raise UserError(f"{game} has no name that workers could make it from: store games of `headsup games` only")
    store = options.get("store", "int16")
    if store not in KINDS:
        raise UserError(f"a store is {', '.join(KINDS)}, not {quoted(store)}")
    for name in ("steps", "sums"):
        if store != "int16" and name in options:
            raise UserError(f"{name} are those of fixed point, and {store} has none: leave out {name} or store")
    steps, sums = (
        _within(options.get(name, most), name, 15, MOST_STEPS) if store == "int16" else 0
        for name, most in (("steps", STEPS), ("sums", SUMS))
    )
    lines = whole(options["lines"], "lines", 1) if "lines" in options else 0
    if "cut" in options:
        street = _within(options["cut"], "cut, the number of the street where subgames begin,", 1, game.streets - 1)
    else:
        street = 1 if _values(game, 1) <= MOST_VALUES else min(2, game.streets - 1)  # a later one has too large a trunk
    entries = int(game.rounds.entries[street + 1] - game.rounds.entries[street])
    if not lines:
        lines = max(1, int(entries * min(1.0, MOST_VALUES / _values(game, street))))
    return Cut(game.name, street, min(lines, entries), store, steps, sums, average)


def _within(value: Any, what: str, least: int, most: int) -> int:
    if whole(value, what, least) > most:
        raise UserError(f"{what} must be at most {most}, not {quoted(value)}")
    return int(value)


def _values(game: VectorGame, street: int) -> float:
    """The mean number of values below a board of a street, with all lines."""
    sizes = game.boards.sizes()
    return sum(int(game.layout[p][-1] - game.layout[p][street]) for p in (0, 1)) / sizes[street]


def _by_name(game: VectorGame) -> str:
    try:
        named = named_game(game.name)
    except (UserError, DataError):
        return ""
    return named.checksum if isinstance(named, VectorGame) else ""


class StoredCfr(Solver):
    """A run of CFR+ whose subgames, and all of its state, lie in a folder."""

    measured_late = True
    iterations: int
    halves: int  # steps that are done, two to an iteration

    def __init__(
        self,
        game: VectorGame,
        settings: Settings,
        cut: Cut,
        folder: Path,
        job: str,
        team: distribute.Team,
        watch: Watch | None = None,
    ) -> None:
        """`job` is the fingerprint by which the run knows its files."""
        self.game, self.settings, self.cut, self.watch = game, settings, cut, watch
        self.folder, self.job, self.team = folder, job, team
        self.shape = shape_of(cut)
        self.trunk = Trunk(game, cut.street, cut.dtype)
        self.count = self.shape.count
        self.seconds, self.history = 0.0, list[tuple[int, float, float]]()
        self._measured: tuple[int, Measurement] | None = None
        for number in range(0, self.count, 1000):
            state_path(folder, number, 0, 0).parent.mkdir(parents=True, exist_ok=True)
            distribute.clear_scratch(state_path(folder, number, 0, 0).parent)
        self._load()
        self._tidy()

    @property
    def versions(self) -> list[int]:
        """How often each player has learnt."""
        return [(self.halves + 1) // 2, self.halves // 2]

    def step(self, n: int) -> None:
        """n more iterations for both players; an interrupted one is finished first, and counts."""
        for _ in range(n):
            for seat in range(self.halves % 2, 2):
                try:
                    self._half(seat)
                except BaseException:
                    self._load()  # the trunk was changed, but the step did not finish
                    raise

    @property
    def played(self) -> VectorGame:
        return self.game

    def record(self, regrets: bool = False) -> dict[str, Any]:
        return {"strategy": self.strategy().policy}

    def measure(self) -> Measurement:
        """The exact measurement in double precision; it visits every subgame once."""
        if self._measured is None or self._measured[0] != self.halves:
            self._measured = self.halves, self._best()
        return self._measured[1]

    def strategy(self) -> ArrayStrategy:
        """The strategy found so far, read into memory if it fits."""
        sizes, game, which = self.game.boards.sizes(), self.game, "total" if self.cut.average else "regret"
        values = sum(int(at[-1]) for at in game.layout)
        check_room(MemoryPlan(values, values * self.cut.dtype.itemsize, 0, 0), mapped=False)
        numbers = [np.zeros(int(at[-1]), self.cut.dtype) for at in game.layout]
        for p in (0, 1):
            numbers[p][: self.trunk.sizes[p]] = self._arrays[f"{which}{p}"]
        for subgame in range(self.count):
            part, board = self.shape.piece(subgame), self.shape.place(subgame)[0]
            policy = read_policy(self.shape, self.folder, self.job, subgame, self.versions)
            low, high = board, board + 1
            for k in range(part.streets):
                s = self.cut.street + k
                if k:
                    low, high = (int(game.boards.levels[s - 1].child[bound]) for bound in (low, high))
                for p in (0, 1):
                    rows, mine = (
                        self._rows(subgame, p, s),
                        policy[p][int(part.layout[p][k]) : int(part.layout[p][k + 1])],
                    )
                    there = numbers[p][int(game.layout[p][s]) : int(game.layout[p][s + 1])].reshape(
                        sizes[s], -1, game.showdown.sizes[p]
                    )
                    there[low:high, rows] = mine.reshape(high - low, -1, game.showdown.sizes[p])
        return ArrayStrategy(game, (numbers[0], numbers[1]))

    def _rows(self, subgame: int, p: int, s: int) -> slice:
        """The rows of a street that belong to a subgame's lines; those of consecutive lines lie side by side."""
        lines, rounds, betting = self.shape.place(subgame)[1], self.game.rounds, self.game.betting
        entry, street = betting.entries[self.cut.street], np.arange(*betting.start[s : s + 2])
        above = street.copy()
        while betting.street[above].max() > self.cut.street or not np.isin(above, entry).all():
            above = np.where(np.isin(above, entry), above, betting.parent[above])
        inside = np.isin(above, entry[lines.start : lines.stop]) & (rounds.player[street] == p)
        nodes = street[inside]
        return slice(int(rounds.row[nodes[0]]), int(rounds.row[nodes[-1]] + rounds.count[nodes[-1]]))

    def sizes(self) -> dict[str, int]:
        """How many numbers the subgames keep, and the bytes of their states."""
        values = sum(kept_values(self.shape, number) for number in range(self.count))
        paths = (state_path(self.folder, n, p, self.versions[p]) for n in range(self.count) for p in (0, 1))
        return {"values": values, "bytes": sum(path.stat().st_size for path in paths if path.exists())}

    def arrays(self) -> dict[str, AnyArray]:
        """The trunk: what is not in the subgames' files."""
        return self._arrays

    def restore(self, iterations: int, arrays: dict[str, AnyArray]) -> None:
        """Refused: a stored run resumes from its folder alone."""
        raise UserError("a stored run resumes from its folder: leave the checkpoint out")

    # --- steps ------------------------------------------------------------------------------------------------------

    def _half(self, seat: int) -> None:
        """A step for one player, complete when the trunk's file is replaced."""
        began, versions = time.perf_counter(), self.versions
        keep, shrink, weight = self.settings.schedule(self.iterations, 1)[0].tolist()
        rule = Rule(keep, shrink, weight if self.cut.average else 0.0, False, False, self.iterations)
        policy, stores = self._policy(average=False), self._stores()
        name = f"reach-{seat}-{versions[seat] + 1}.npy"
        self._write(name, self.trunk.down(seat, LEARN, policy, stores, rule, own=self.cut.average))
        about = {"seat": seat, "versions": versions, "rule": [keep, shrink, weight]}
        what = f"learn-{seat}-{versions[seat] + 1}"
        kept = self._visits("learn", what, name, about, (seat, versions[seat] + 1))
        self.trunk.up(seat, LEARN, policy, stores, rule, lambda board: self._below(kept, board)[0])
        self.halves += 1
        self.iterations = self.halves // 2
        self.seconds += time.perf_counter() - began
        self._save()
        old = [state_path(self.folder, n, seat, versions[seat]) for n in range(self.count)]
        for path in (*kept, *old, self.folder / name):
            path.unlink(missing_ok=True)

    def _best(self) -> Measurement:
        """Best responses and the value: subgames in double precision, then the trunk."""
        trunk = Trunk(self.game, self.cut.street, np.float64)
        policy = trunk.copied(self._policy(self.cut.average))
        stores, name = self._stores(policy), f"reach-measure-{self.halves}.npy"
        reach = trunk.down(0, BEST, policy, stores, NO_RULE, own=False)
        reach[:, 0] = trunk.down(1, BEST, policy, stores, NO_RULE, own=False)[:, 0]
        self._write(name, reach)
        kept = self._visits("measure", f"measure-{self.halves}", name, {"versions": self.versions}, None)
        earned = []
        for i, (seat, mode) in enumerate(MEASURES):
            values = trunk.up(seat, mode, policy, stores, NO_RULE, lambda board, i=i: self._below(kept, board)[i])  # type: ignore[misc]
            earned.append(float(self.game.weights[seat] @ values))
        for path in (*kept, self.folder / name):
            path.unlink(missing_ok=True)
        total = self.game.betting.total
        assert total is not None
        return Measurement(self.game.name, (earned[2], total - earned[2]), (earned[0], earned[1]), self.game.unit)

    def _visits(
        self, kind: str, what: str, reach: str, about: dict[str, Any], learnt: tuple[int, int] | None
    ) -> dict[Path, str]:
        """Visit every subgame that was not visited yet; return the files of all values, and their fingerprints."""
        paths = [values_path(self.folder, n, what) for n in range(self.count)]
        same = {"job": self.job, "cut": asdict(self.cut), "folder": str(self.folder), "reach": reach, "what": kind}
        same |= about
        left = [n for n, path in enumerate(paths) if not visited(path, self.job, n, reach, learnt)]
        packets = [distribute.Packet(paths[n], {**same, "subgame": n}, lasting=False) for n in left]
        done = self.count - len(left)

        def report(packet: distribute.Packet | None = None) -> None:
            nonlocal done
            done += packet is not None
            if self.watch is not None:
                step = f"iteration {self.iterations + 1}" if kind == "learn" else "measuring"
                last = f", {1000.0 * self.history[-1][2] / self.game.unit:.3g} mbb/g" if self.history else ""
                self.watch(Progress(done, self.count, text=step + last, unit="subgames"))

        report()
        self.team.do(packets, report)
        return {path: values_job(self.job, n, reach) for n, path in enumerate(paths)}

    def _below(self, kept: dict[Path, str], board: int) -> AnyArray:
        """[walks, lines, hands] of a board: its subgames' lines side by side."""
        groups = self.shape.groups
        here = islice(kept.items(), board * groups, (board + 1) * groups)
        return np.concatenate([read_values(path, job) for path, job in here], axis=1)

    # --- the trunk ----------------------------------------------------------------------------------------------------

    def _policy(self, average: bool) -> tuple[AnyArray, AnyArray]:
        which = "total" if average else "regret"
        return self._arrays[f"{which}0"], self._arrays[f"{which}1"]

    def _stores(self, policy: tuple[AnyArray, AnyArray] | None = None) -> tuple[Store, Store]:
        """The trunk's stores, or a policy in their place, to read only."""
        none, at, stores = np.zeros(0, dtype=np.float32), np.zeros(2, dtype=np.int64), []
        for p in (0, 1):
            regret = self._arrays[f"regret{p}"] if policy is None else policy[p]
            cumulative = self._arrays.get(f"total{p}", regret) if policy is None else policy[p]
            stores.append(Store(regret, cumulative, regret[:0], none, none, at, at))
        return stores[0], stores[1]

    def _load(self) -> None:
        """Read the trunk from its file, or start a new one."""
        names = ("regret", "total") if self.cut.average else ("regret",)
        wanted = {f"{name}{p}": self.trunk.sizes[p] for name in names for p in (0, 1)}
        path = self.folder / TRUNK
        try:
            members, sealed = read_archive(path, "the trunk of a stored game")
        except Missing:
            self.halves = self.iterations = 0
            self._arrays = {name: np.zeros(size, self.cut.dtype) for name, size in wanted.items()}
            return
        state = parsed(path, lambda: dict(json.loads(bytes(members["state.json"]))), "the trunk of a stored game")
        if not sealed or state.get("job") != self.job:
            raise DataError(f"{path} is not the trunk of this run of {self.game}: choose another folder")

        def take() -> None:
            for name, size in wanted.items():
                self._arrays[name] = contents.array(members[f"{name}.npy"], name, np.dtype(self.cut.dtype).kind)
                if len(self._arrays[name]) != size:
                    raise ValueError(f"{name} has {len(self._arrays[name]):,} numbers, not {size:,}")
            self.halves = contents.count(state["halves"], "the number of halves")
            self.seconds = contents.number(state["seconds"], "the time", 0.0)
            self.iterations, self.history[:] = self.halves // 2, contents.history(state["history"])

        self._arrays = {}
        parsed(path, take, "the trunk of a stored game")

    def _tidy(self) -> None:
        """Remove old states of a run that stopped between two steps."""
        for path in self.folder.glob("*/*.state"):
            seat, version = (int(part) for part in path.stem.split("-")[1:])
            if version < self.versions[seat]:
                path.unlink()

    def _save(self) -> None:
        history = [list(point) for point in self.history]
        state = {"job": self.job, "halves": self.halves, "seconds": self.seconds, "history": history}
        members = {"state.json": json.dumps(state).encode()}
        if hasattr(os, "sync"):
            os.sync()  # the subgames' new states must be on disk before the trunk refers to them
        write_archive(self.folder / TRUNK, members | {f"{name}.npy": array for name, array in self._arrays.items()})

    def _write(self, name: str, array: AnyArray) -> None:
        with replacing(self.folder / name, lasting=False) as file:
            np.save(file, array)


@dataclass(frozen=True)
class Stored(MeasuredRun):
    """A stored run, measured: everything but the strategy, which is in the folder."""

    subgames: int
    values: int  # kept numbers: those of live hands
    bytes: int
    strategy: ArrayStrategy | None = field(default=None, repr=False)

    @property
    def bytes_a_value(self) -> float:
        """Of the subgames' files."""
        return self.bytes / self.values if self.values else 0.0

    def summary(self) -> dict[str, Any]:
        own = {name: getattr(self, name) for name in ("subgames", "values", "bytes", "bytes_a_value")}
        return super().summary() | own


@contextmanager
def stored_run(
    game: VectorGame,
    folder: str | Path,
    method: str = "cfr+",
    *,
    engine: str = "local",
    jobs: int | None = None,
    address: str | None = None,
    watch: Watch | None = None,
    **options: Any,
) -> Iterator[StoredCfr]:
    """A stored solver with its workers, ready to step; its folder is locked meanwhile."""
    if method != "cfr+":
        raise UserError(f"stored games are solved by cfr+, whose regrets are never below 0, not by {method}")
    chosen = settings(method, {key: value for key, value in options.items() if key not in OPTIONS}, also=OPTIONS)
    if not chosen.alternating or chosen.predictive or chosen.negative != -np.inf:
        raise UserError("stored games are solved by cfr+ as it is: leave out alternating, predictive and negative")
    if not str(folder):
        raise UserError("a folder without a name cannot hold the subgames: give its name")
    cut, where = cut_game(game, chosen.strategy == "average", options), Path(folder).resolve()
    here = engine == "local" and jobs == 1
    with ExitStack() as stack:
        stack.enter_context(distribute.locked(where))
        distribute.clear_scratch(where)
        known = {
            "content": game.checksum,
            "averaging": chosen.averaging,
            "positive": str(chosen.positive),
            **asdict(cut),
        }
        distribute.settle(where, "the subgames of another run, with another", known)
        team = stack.enter_context(distribute.Team(FUNCTION, distribute.HERE if here else engine, jobs, address))
        yield StoredCfr(game, chosen, cut, where, fingerprint(known), team, watch)


@door(game=of_kind(VectorGame), folder=as_path, method=as_text, keep=as_truth)
def solve_stored(
    game: VectorGame,
    folder: str | Path,
    method: str = "cfr+",
    *,
    iterations: int | None = None,
    target: float | None = None,
    seconds: float | None = None,
    keep: bool = False,
    **how: Any,
) -> Stored:
    """Solve a game with its subgames in a folder, or resume it; `how` is that of `stored_run`.

    Limits are those of `headsup.solve.solve`. Ctrl-C ends it after the iteration that is under way, a second one at
    once; either way the run can be resumed. `keep` reads the strategy into memory at the end.
    """
    stop = Limits(iterations, target, seconds)
    options = {key: value for key, value in how.items() if key not in ("engine", "jobs", "address", "watch")}
    with stored_run(game, folder, method, **how) as solver:
        label = {"game": game.name, "method": method, "params": plain(options)}
        run = SolverRun(solver, label, history=solver.history, seconds=solver.seconds)
        stopped = run.go(stop)
        measurement = solver.measure()
        return Stored(
            game.name,
            method,
            options,
            solver.iterations,
            run.seconds,
            measurement,
            tuple(run.history),
            str(folder),
            solver.count,
            **solver.sizes(),
            stopped=stopped,
            strategy=solver.strategy() if keep else None,
        )
