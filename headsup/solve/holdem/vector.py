"""The CFR family on games of betting, boards and showdowns.

One iteration is a walk for each player, one after the other: values against the opponent's current strategy, regrets
updated board by board on the way up, and the strategy just played added to the average. On a reduced deck the
iterations are those of the flat game (`headsup.solve.small.cfr`), one for one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.common.checks import check_device, quoted, thread_count
from headsup.common.errors import UserError
from headsup.games.holdem.layout import Rule
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.walk.gpu_streets import fixed_bytes, least_bytes
from headsup.games.walk.plain import walker
from headsup.games.walk.walk import LEARN, ArrayWalker, Policy, sets_of
from headsup.measure.measurement import Measurement, by_walk, of_arrays
from headsup.solve.holdem.store import LockHolder, MemoryPlan, Stores, alike_columns, check_room, kinds, plan
from headsup.solve.records.loop import Solver
from headsup.solve.records.settings import Settings, settings
from headsup.solve.records.solution import Locks

PLACE = ("store", "threads", "folder", "device", "floor", "alike")
"""Options of games of betting and boards, whatever the method."""


LARGE = 10_000_000  # the least size of a game, in numbers, in which hands that are alike share a column by default
WORTH = 0.75  # the largest fraction of columns that may be left for that
FOUR_WORTH = 0.95  # the same for hands of four cards, in a game of any size: fewer columns make showdowns shorter, too


def start_vector(game: VectorGame, method: str, options: dict[str, Any], locks: Locks | None = None) -> VectorCfr:
    """A solver before its first iteration, with some hands locked; `options` are the method's and those of `PLACE`."""
    chosen, place = _read(method, options)
    check_device(place.get("device", "cpu"))
    if locks:
        place.setdefault("alike", False)  # as `lock` would have it
    solver = VectorCfr(game, chosen, **place)
    if locks:
        solver.lock(locks)
    return solver


def planned(game: VectorGame, method: str, options: dict[str, Any]) -> MemoryPlan:
    """The memory that `start_vector` would take; bad options raise as they would there. Nothing is allocated."""
    chosen, place = _read(method, options)
    device = check_device(place.get("device", "cpu"))
    alike = shares_columns(game, place.get("alike"), device, place.get("floor", 0.0))
    need = plan(
        game, place.get("store", "float32"), thread_count(place.get("threads")), chosen.predictive, device, alike
    )
    if device == "cpu":
        check_room(need, place.get("folder") is not None)
    return need


def _read(method: str, options: dict[str, Any]) -> tuple[Settings, dict[str, Any]]:
    """The settings of the method, and the options of `PLACE`."""
    place = {key: options[key] for key in PLACE if key in options}
    if "folder" in place and not (isinstance(place["folder"], str | Path) and str(place["folder"])):
        raise UserError(f"folder must be the path of a folder, such as ./stores, not {quoted(place['folder'])}")
    return settings(method, {key: value for key, value in options.items() if key not in PLACE}, also=PLACE), place


def shares_columns(game: VectorGame, asked: bool | None = None, device: str = "cpu", floor: float = 0.0) -> bool:
    """Whether hands that are alike share a column (`Alike`): as asked, else where it pays."""
    if asked is not None and not isinstance(asked, bool):
        raise UserError(f"alike must be true or false, not {quoted(asked)}")
    every, left = 0, 0
    for seat in (0, 1):
        able = asked is not False and not floor and (device == "cpu" or sets_of(game) > 0)
        columns = kinds(game, seat) if able else None
        if columns is None:
            if asked:
                raise UserError(f"the hands of {game} cannot share columns there: leave out alike")
            return False
        rows, size = game.rounds.rows[seat].tolist(), game.showdown.sizes[seat]
        every += sum(n * boards * size for n, boards in zip(rows, game.boards.sizes(), strict=True))
        left += sum(n * width for n, width in zip(rows, columns, strict=True))
    pays = left <= FOUR_WORTH * every if sets_of(game) else every >= LARGE and left <= WORTH * every
    return bool(asked) or pays


class VectorCfr(Solver):
    def __init__(
        self,
        game: VectorGame,
        settings: Settings,
        *,
        store: str = "float32",
        threads: int | None = None,
        folder: str | Path | None = None,
        device: str = "cpu",
        floor: float = 0.0,
        alike: bool | None = None,
    ) -> None:
        """`alike`: whether hands that differ only in suits that do not matter share a column; where it pays if None."""
        if not settings.alternating:
            raise UserError("games of betting and boards are solved with alternating updates: leave alternating out")
        self.game, self.settings, self.iterations = game, settings, 0
        workers = thread_count(threads)
        self.device = device
        self._where = Path(folder) if folder else None
        if sets_of(game):
            self.measured_each = 5  # showdowns take most of an iteration, and of measuring
        self.locks = Locks.none()
        self._holder: LockHolder | None = None
        self._make_room(store, workers, floor, shares_columns(game, alike, device, floor))

    def _make_room(self, store: str, workers: int, floor: float, alike: bool) -> None:
        game, predictive, device, where = self.game, self.settings.predictive, self.device, self._where
        self.memory: MemoryPlan = plan(game, store, workers, predictive, device, alike)
        columns = alike_columns(game) if alike else None
        self.stores = Stores(
            game, store, predictive=predictive, folder=where, device=device, threads=workers, alike=columns
        )
        self._dtype = np.float64 if store == "float64" else np.float32
        self.walker: ArrayWalker = walker(game, self._dtype, workers, device, columns, floor=floor)
        self._whole = store == "int16"

    def step(self, n: int) -> None:
        flags = self.settings.predictive, self._whole
        steps = enumerate(self.settings.schedule(self.iterations, n).tolist(), start=self.iterations)
        floor = self.walker.floor
        rules = [Rule(keep, shrink, weight, *flags, turn, floor) for turn, (keep, shrink, weight) in steps]
        policy = self.stores.policy(average=False)
        if self._holder is None:
            self.walker.iterate(policy, self.stores.seats, rules)
        else:
            for rule in rules:
                for seat in (0, 1):
                    self.walker.walk(seat, LEARN, policy, self.stores.seats, rule)
                    self._holder.hold(seat)
        self.iterations += n

    def lock(self, locks: Locks) -> None:
        """Lock these hands (`headsup.solve.records.solution`) from now on, and no others."""
        if locks and self.stores.alike is not None:  # a lock may tell hands apart
            arrays = self.arrays()
            self._make_room(self.stores.kind, self.walker.threads, 0.0, alike=False)
            self.stores.restore(arrays)
        self.locks = locks
        self._holder = LockHolder(locks, self.game, self.stores) if locks else None
        if locks and self.device == "gpu":  # a best response within the locks is an array of its own
            response_bytes = max(array.nbytes for array in self.policy())
            self.walker = walker(self.game, self._dtype, device="gpu", reserve=response_bytes)

    def policy(self) -> Policy:
        """The average, or the current strategy, as the settings ask."""
        return self.stores.policy(average=self.settings.strategy == "average" and self.iterations > 0)

    def best_values(self) -> tuple[float, float]:
        """What a best response of each seat earns against the policy, within the locks if there are any."""
        policy = self.policy()
        return self.walker.best_values(policy, self.locks.held(policy) if self.locks else None)

    def values(self) -> tuple[float, float]:
        """What each seat earns when both follow the policy."""
        return self.walker.values(self.policy())

    def exploitability(self) -> float:
        """What best responses gain on average over both seats; they keep to locks and to the floor."""
        total = self.game.betting.total
        values = self.values() if total is None else (0.0, total)  # only their sum counts, and saves a walk where known
        return Measurement(self.game.name, values, self.best_values(), self.game.unit).exploitability

    def strategy(self) -> ArrayStrategy:
        """The strategy found so far; it changes with further steps, unless it is a copy (`Stores.on_host`)."""
        return ArrayStrategy(self.game, self.stores.on_host(self.policy()))

    @property
    def played(self) -> VectorGame:
        return self.game

    def record(self, regrets: bool = False) -> dict[str, Any]:
        """The strategy, the locks with the exploitability within them, and the regrets on request."""
        first, second = self.strategy().policy
        out: dict[str, Any] = {"strategy": (first.copy(), second.copy())}
        if self.locks:
            out |= {"locks": self.locks, "exploitability_locked": self.measure(locked=True).exploitability}
        return out | ({"regrets": self.regrets()} if regrets else {})

    def measure(self, locked: bool = False) -> Measurement:
        """The strategy measured in double precision; `locked`: with best responses that keep to the locks.

        On a GPU it is measured in place, in the memory of the solver's own walk, which allocates it again later.
        """
        memory, alike = self._given_back() if self.device == "gpu" else None, self.stores.alike
        if alike is not None:
            walk = walker(self.game, threads=self.walker.threads, device=self.device, alike=alike, memory=memory)
            return by_walk(walk, self.policy())
        policy = self.policy()
        held = self.locks.held(policy) if locked else None
        return of_arrays(self.game, policy, self.walker.threads, self.device, held, memory)

    def _given_back(self) -> int:
        """Free the workspace of the solver's own walk on a GPU; return the bytes that a measurement may take."""
        from headsup.games.walk.gpu import GpuWalker

        assert isinstance(self.walker, GpuWalker)
        self.walker.release()
        fixed = fixed_bytes(self.game, self._dtype, self.stores.alike is not None)
        return max(self.walker.plan.bytes - fixed, least_bytes(self.game, np.float64, self.stores.alike is not None))

    def content(self) -> str:
        """What a checkpoint must agree with beside the game: the locks."""
        return self.locks.checksum() if self.locks else ""

    def regrets(self) -> dict[str, AnyArray]:
        """The regrets alone, as a solution keeps them (`headsup.solve.records.regrets`)."""
        return {name: array for name, array in self.arrays().items() if name.startswith("regret")}

    def arrays(self) -> dict[str, AnyArray]:
        return self.stores.arrays()

    def restore(self, iterations: int, arrays: dict[str, AnyArray]) -> None:
        self.stores.restore(arrays)
        self.iterations = iterations
        self.lock(self.locks)
