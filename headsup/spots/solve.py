"""`solve_spot(spot)`: an equilibrium of a spot with its exact exploitability.

The path is spot -> game (`Spot.game`) -> solver (`headsup.solve.holdem.vector`) -> record (`run_solver`). A
`SpotSolution` wraps the record in a player's terms: values are expected chips won from the pot at the root,
exploitability is a fraction of that pot. It can be locked, exploited, compared and resumed, also in a changed spot.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import (
    as_call,
    as_list,
    as_path,
    as_text,
    as_truth,
    check_device,
    cores,
    door,
    of_kind,
    positive,
    quoted,
)
from headsup.common.errors import DataError, UserError
from headsup.common.files import about_file, writable
from headsup.common.progress import Watch
from headsup.equity.api import equity
from headsup.games.holdem.spot import Spot, is_spot
from headsup.games.holdem.vector import ArrayStrategy, VectorGame, check_floor
from headsup.games.walk.walk import Policy, Walker
from headsup.measure.exploit import measure
from headsup.solve.holdem.store import MemoryPlan, plan
from headsup.solve.holdem.vector import VectorCfr, planned, shares_columns, start_vector
from headsup.solve.holdem.warm import carry, carry_locks, warm_start, worth_iterations
from headsup.solve.records.loop import Limits, in_unit, run_solver, source_of
from headsup.solve.records.regrets import fit, unpacked
from headsup.solve.records.settings import PRESETS
from headsup.solve.records.solution import Locks, Solution
from headsup.spots.compare import Comparison, actions_taken, compare
from headsup.spots.lock_text import locks_of, locks_of_any
from headsup.spots.reach import without_trembles
from headsup.spots.view import SpotView, ViewCache, seat_of, view_at

TARGET = 0.005  # the default target, as a fraction of the pot
SOLVED_TO = 0.01  # fraction of the pot: a more exploitable solution is too rough to train with or to judge hands by
METHOD = "dcfr-holdem"  # takes the fewest iterations on most of ten spots: `python -m benchmarks variants`
BEST_RESPONSE = "best reply"  # the method in the record of an `Exploit`, as stored in files


@door(spot=of_kind(Spot), method=as_text, store=as_text, device=check_device, checkpoint=as_path, progress=as_call)
def solve_spot(
    spot: Spot,
    target: float | None = TARGET,
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    method: str = METHOD,
    store: str = "float32",
    threads: int | None = None,
    device: str = "cpu",
    checkpoint: str | Path | None = None,
    progress: Watch | None = None,
    locks: Sequence[str] = (),
    start: SpotSolution | None = None,
    tremble: float = 0.0,
) -> SpotSolution:
    """Solve a spot until its exploitability is at most `target` of the pot, or a limit is reached.

    `progress` receives exploitabilities as fractions of the pot. Ctrl-C ends the run early: the record so
    far is returned, and `solution.stopped` is true.

    `start` is a solution of this spot, or of a similar one on the same board, to resume from with its locks; it stands
    for some iterations (`headsup.solve.holdem.warm`). `locks` fixes the strategies of more hands; the target then
    refers to the exploitability within the locks.

    `tremble` is a probability with which every action is taken while solving, so that decisions off the path get
    sensible play (`headsup.spots.reach`); the target then refers to players who tremble. The solution has no trembles,
    and its exploitability is exact.
    """
    _check_method(method)
    if tremble and (start is not None or locks):
        raise UserError("trembles are for a spot that is solved from scratch: leave out start and locks")
    if start is not None:
        of_kind(SpotSolution)(start, "start")
    texts = [locks] if isinstance(locks, str) else [as_text(lock, "a lock") for lock in as_list(locks, "locks")]
    limits = Limits(iterations, None if target is None else positive(target, "the target") * spot.pot, seconds)
    game, options = spot.game(), _place(store, threads, device)
    if tremble:
        options["floor"] = check_floor(game, tremble)
    path = writable(checkpoint) if checkpoint else None
    policy, regrets, held = (None, None, Locks.none()) if start is None else _carried(start, game)
    for text in texts:
        known = None if policy is None else ViewCache(game, ArrayStrategy(game, held.on(policy)))
        held = held | locks_of(game, text, known)
    solver = start_vector(game, method, options, held)
    first = 0
    if start is not None and policy is not None:
        policy = held.on(policy)
        first = _worth(start, spot, solver, policy)
        warm_start(solver, policy, first, regrets)

    shown = in_unit(progress, spot.pot, "{:.3%} of the pot", target)
    solution = run_solver(
        solver, method, options, limits, checkpoint=path, progress=shown, source=source_of(game), regrets=True
    )
    if start is not None:
        before = [point for point in start.solution.history if point[0] < first]
        params = {**solution.params, "began": first}
        solution = replace(solution, history=(*before, *solution.history), params=params)
    solved = SpotSolution(spot, solution)
    if not tremble:
        return solved
    meant = solved._with(without_trembles(game, solution.strategy, tremble), Locks.none())
    return replace(meant, solution=replace(meant.solution, regrets={}))


def _carried(start: SpotSolution, game: VectorGame) -> tuple[Policy, Policy | None, Locks]:
    """The strategies, regrets and locks of a solution, carried over to the game of a changed spot."""
    old, policy, locks, regrets = start.game, start.strategy.policy, start.locks, None
    if start.solution.regrets:
        if not fit(old, start.solution.regrets):
            raise DataError(f"the regrets in {start.solution.file or 'the record'} do not fit its spot: solve it again")
        regrets = unpacked(old, start.solution.regrets)
    if old.checksum == game.checksum:
        return policy, regrets, locks
    if regrets is not None:
        regrets = carry(old, regrets, game, regrets=True)
    return carry(old, policy, game), regrets, carry_locks(old, locks, game)


def _worth(start: SpotSolution, spot: Spot, solver: VectorCfr, policy: Policy) -> int:
    """The number of iterations that the strategies of `start` stand for in a changed spot."""
    held = solver.locks.held(policy) if solver.locks else None
    strategy = ArrayStrategy(solver.game, policy)
    measured = measure(solver.game, strategy, threads=solver.walker.threads, device=solver.device, held=held)
    in_old_chips = measured.exploitability * start.spot.pot / spot.pot
    return worth_iterations(start.solution.history, start.iterations, in_old_chips, solver.measured_each)


@door(spot=of_kind(Spot), store=as_text, device=check_device, method=as_text)
def spot_memory(
    spot: Spot, store: str = "float32", threads: int | None = None, device: str = "cpu", method: str = METHOD
) -> MemoryPlan:
    """The memory that solving a spot takes; nothing is allocated."""
    _check_method(method)
    return planned(spot.game(), method, _place(store, threads, device))


def _check_method(method: str) -> None:
    if method not in PRESETS:
        raise UserError(f"spots are solved by {', '.join(PRESETS)}, not by '{method}'")


def _place(store: str, threads: int | None, device: str) -> dict[str, Any]:
    return {"store": store, "device": device} | ({} if threads is None else {"threads": threads})


@dataclass(frozen=True, repr=False)
class SpotSolution:
    spot: Spot
    solution: Solution

    def __post_init__(self) -> None:
        of_kind(Spot)(self.spot, "spot")
        of_kind(Solution)(self.solution, "solution")

    @classmethod
    @door(solution=of_kind(Solution))
    def of(cls, solution: Solution, name: str | Path = "this") -> SpotSolution:
        """The spot solution in a record; error messages call the record `name`."""
        if not is_spot(solution.game) or solution.source is None:
            raise DataError(f"{name} is a solution of {solution.game}, not of a spot: solve one with  headsup spot")
        with about_file(solution.file):
            return cls(Spot.parse(solution.source), solution)

    @classmethod
    def load(cls, path: str | Path, regrets: bool = True, mapped: bool = False) -> SpotSolution:
        """Read what `save` wrote; only `resume` needs the regrets."""
        return cls.of(Solution.load(path, regrets, mapped), path)

    @door(path=as_path, regrets=as_truth, job=as_text)
    def save(self, path: str | Path, regrets: bool = True, job: str = "") -> None:
        """Write the record, with the spot in it, to a file; without regrets (for `resume`) it is a third smaller.

        `job` is the fingerprint of the web page's job that it belongs to.
        """
        replace(self.solution, job=job, regrets=self.solution.regrets if regrets else {}).save(path)

    def __repr__(self) -> str:
        first = ", ".join(f"{a} {f:.1%}" for a, f in zip(self.actions, self.frequencies, strict=True))
        within = self.exploitability_locked_pot
        locked = "" if within is None else f" ({within:.3%} within its locks)"
        return (
            f"<SpotSolution {self.spot.board}: oop wins {self.value_oop:.3f} and ip {self.value_ip:.3f} of "
            f"{self.spot.pot:,}, exploitability {self.exploitability_pot:.3%} of the pot{locked}; {first}>"
        )

    def _repr_html_(self) -> str:
        from headsup.common.display import table

        rows = [(action, f"{share:.1%}") for action, share in zip(self.actions, self.frequencies, strict=True)]
        note = f"oop wins {self.value_oop:.3f}, ip {self.value_ip:.3f} of {self.spot.pot:,}; "
        note += f"exploitability {self.exploitability_pot:.3%} of the pot"
        return table(f"Spot {self.spot.board}, solved", ("first action", "how often"), rows, note)

    @cached_property
    def game(self) -> VectorGame:
        form = self.solution.form or self.solution.played()
        if not isinstance(form, VectorGame) or not ArrayStrategy.fits(form, self.solution.strategy):
            name = self.solution.file or "this record"
            raise DataError(f"the strategies in {name} do not fit its spot: solve it again")
        return form

    @cached_property
    def strategy(self) -> ArrayStrategy:
        return ArrayStrategy(self.game, self.solution.strategy)

    @property
    def iterations(self) -> int:
        return self.solution.iterations

    @property
    def seconds(self) -> float:
        """How long the iterations took, without measuring."""
        return self.solution.seconds

    @property
    def exploitability_pot(self) -> float:
        """The exploitability as a fraction of the pot at the root."""
        return self.solution.exploitability / self.spot.pot

    @property
    def exploitability_locked_pot(self) -> float | None:
        """The same against best responses that keep the locks; None without locks."""
        within = self.solution.exploitability_locked
        return None if within is None else within / self.spot.pot

    @property
    def reached_pot(self) -> float:
        """The exploitability that a target refers to: within the locks where hands are locked."""
        within = self.exploitability_locked_pot
        return self.exploitability_pot if within is None else within

    @property
    def accuracy(self) -> str:
        """How far it was solved, in words."""
        fraction = f"{100 * self.reached_pot:.2g} % of the pot"
        return f"solved to {fraction}" if self.is_solved else f"not solved: exploitability {fraction}"

    @property
    def is_solved(self) -> bool:
        """Whether the exploitability is at most `SOLVED_TO` of the pot."""
        return self.reached_pot <= SOLVED_TO

    @property
    def locks(self) -> Locks:
        return self.solution.locks or Locks.none()

    @cached_property
    def _values(self) -> tuple[float, float]:
        first, total = self.solution.value, self.game.betting.total
        return (first, total - first) if total is not None else Walker(self.game).values(self.strategy.policy)

    @property
    def value_oop(self) -> float:
        """Expected chips that the player out of position wins from the pot at the root."""
        return self._values[0]

    @property
    def value_ip(self) -> float:
        """The same in position; both add up to the pot, less the rake."""
        return self._values[1]

    @cached_property
    def equity_oop(self) -> float:
        """The exact equity of the range out of position against the other range on the board."""
        spot = self.spot
        return equity(*spot.ranges, spot.board, spot.dead, spot.ranges[0].game).equity

    @cached_property
    def memory(self) -> MemoryPlan:
        params = self.solution.params
        threads, method = params.get("threads", cores()), PRESETS.get(self.solution.method)
        predictive = method is not None and method.predictive
        store, device = params.get("store", "float32"), params.get("device", "cpu")
        alike = not self.locks and shares_columns(self.game, params.get("alike"), device, params.get("floor", 0.0))
        return plan(self.game, store, threads, predictive, device, alike)

    @property
    def bytes(self) -> int:
        return self.memory.total

    @property
    def nodes(self) -> int:
        """Betting nodes times the boards, up to suits, on which they occur."""
        return sum(int(n) * b for n, b in zip(np.diff(self.game.betting.start), self.game.boards.sizes(), strict=True))

    @property
    def actions(self) -> list[str]:
        return self.game.betting.actions(0)

    @cached_property
    def frequencies(self) -> list[float]:
        """The frequency of each action at the root; a hand counts by its weight times the opponent hands it meets."""
        game, seat = self.game, int(self.game.betting.player[0])
        opponent_reach = game.showdown.lines(seat, 0, 0, game.weights[1 - seat][None], 0)[1][0]
        weights = game.weights[seat] * opponent_reach
        return [float(x) for x in self.strategy.rows(0, game.board(0, 0)) @ weights / weights.sum()]

    @cached_property
    def known(self) -> ViewCache:
        """What earlier views have computed."""
        return ViewCache(self.game, self.strategy, cores())

    @cached_property
    def taken(self) -> dict[int, Floats]:
        """For each decision, the probability over all boards of reaching it and taking each action."""
        return actions_taken(self.game, self.solution.strategy)

    def at(self, line: str = "") -> SpotView:
        """The decision after a line, such as `check, bet 94, call, 7c`; the root for an empty line."""
        return view_at(self.known, line)

    def lock(self, *locks: str | tuple[str, Floats]) -> SpotSolution:
        """The same strategies with some hands locked, measured again; `resume` then solves the rest.

        A lock is a text such as `check | AA,KK: bet 94 100%` or `check | bet 94 30%` (`headsup.spots.lock_text`), or a
        line and frequencies, [actions, hands] as the view of that line has them, nan in the columns of free hands.
        """
        return self.with_locks(self.locked(*locks))

    def with_locks(self, locks: Locks) -> SpotSolution:
        """The same strategies with these locks, and no others, measured again."""
        return self._with(locks.on(self.solution.strategy), locks)

    def locked(self, *locks: str | tuple[str, Floats]) -> Locks:
        """Existing locks and these together; nothing is measured."""
        held, known = self.locks, self.known
        for number, lock in enumerate(locks):
            if number:  # a lock refers to the strategies with the earlier locks applied
                known = known.playing(ArrayStrategy(self.game, held.on(self.solution.strategy)))
            held = held | locks_of_any(self.game, lock, known)
        return held

    def unlock(self) -> SpotSolution:
        """The same strategies with no hand locked, to resume from."""
        return SpotSolution(self.spot, replace(self.solution, locks=None, exploitability_locked=None))

    def resume(
        self,
        target: float | None = TARGET,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        method: str | None = None,
        store: str | None = None,
        threads: int | None = None,
        device: str = "cpu",
        checkpoint: str | Path | None = None,
        progress: Watch | None = None,
        locks: Sequence[str] = (),
        **changes: Any,
    ) -> SpotSolution:
        """Continue solving: to a tighter target, with locks, or in a spot with some fields changed (`oop="AA"`).

        What the changed spot has in common with this one starts from its strategies (`headsup.solve.holdem.warm`).
        `iterations` counts those that this solution stands for. Method and store stay as they were unless given; other
        options are those of `solve_spot`.
        """
        return solve_spot(
            self.spot.with_(**changes),
            target,
            iterations=iterations,
            seconds=seconds,
            method=method or (self.solution.method if self.solution.method in PRESETS else METHOD),
            store=store or str(self.solution.params.get("store", "float32")),
            threads=threads,
            device=device,
            checkpoint=checkpoint,
            progress=progress,
            locks=locks,
            start=self,
        )

    @door(player=as_text)
    def exploit(self, player: str) -> Exploit:
        """The best response of a player, `oop` or `ip`, to what the opponent plays here, locked or not."""
        seat, policy, began = seat_of(player), self.solution.strategy, time.perf_counter()
        earns, response = Walker(self.game, threads=cores()).best_response(policy, seat)
        measured = self._with((response, policy[1]) if seat == 0 else (policy[0], response), Locks.none())
        record = replace(
            measured.solution,
            method=BEST_RESPONSE,
            params={"player": player, "against": self.solution.method},
            iterations=0,
            seconds=time.perf_counter() - began,
            history=(),
            regrets={},
        )
        return Exploit(player, earns, earns - self._values[seat], SpotSolution(self.spot, record))

    def compare(self, other: SpotSolution) -> Comparison:
        """This solution beside another one: spots, values, and where they play differently."""
        if not isinstance(other, SpotSolution):
            raise UserError(f"a solved spot is compared with another one, not with {quoted(other)}")
        return compare(self, other)

    def _with(self, policy: Policy, locks: Locks) -> SpotSolution:
        """Other strategies in the same spot, measured."""
        strategy, threads = ArrayStrategy(self.game, policy), cores()
        measured = measure(self.game, strategy, threads=threads)
        held = measure(self.game, strategy, threads=threads, held=locks.held(policy)) if locks else None
        record = replace(
            self.solution,
            strategy=policy,
            value=measured.value,
            exploitability=measured.exploitability,
            epsilon=measured.epsilon,
            best=measured.best,
            locks=locks or None,
            exploitability_locked=None if held is None else held.exploitability,
            form=self.game,
        )
        return SpotSolution(self.spot, record)

    def summary(self) -> dict[str, Any]:
        names = ("exploitability_pot", "value_oop", "value_ip", "equity_oop", "iterations", "seconds", "bytes", "nodes")
        figures: dict[str, Any] = {name: getattr(self, name) for name in names}
        figures |= {"actions": self.actions, "frequencies": self.frequencies, "method": self.solution.method}
        if self.locks:
            figures |= {"exploitability_locked_pot": self.exploitability_locked_pot, "locks": list(self.locks.texts)}
        return {**figures, "params": dict(self.solution.params), "spot": self.spot.text()}


@dataclass(frozen=True)
class Exploit:
    """A best response to one player's strategy."""

    player: str  # the player who responds: `oop` or `ip`
    earns: float  # expected chips won from the pot at the root
    gains: float  # how much more that is than the player's own strategy won
    solution: SpotSolution
    """The best response, one action for every hand, and the opponent's strategy: to view and to save."""

    def __repr__(self) -> str:
        return f"<Exploit by {self.player}: wins {self.earns:.3f} of {self.solution.spot.pot:,}, {self.gains:.3f} more>"

    def summary(self) -> dict[str, Any]:
        figures = {"player": self.player, "earns": self.earns, "gains": self.gains}
        figures["gains_pot"] = self.gains / self.solution.spot.pot
        return {**figures, "actions": self.solution.actions, "frequencies": self.solution.frequencies}
