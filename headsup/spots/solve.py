"""`solve_spot(spot)`: an equilibrium of a spot with its exact exploitability, and what it says.

The solver is `headsup.solve.holdem.vector` in the loop of every other method, and the record is a `Solution` whose
source is the spot's text: a saved file can be loaded, measured and looked into anywhere. A `SpotSolution` is that
record in a player's words: values are expected chips won from the pot at the root, exploitability is a share of that
pot. It can be locked (`headsup.spots.lock_text`), exploited, compared (`headsup.spots.compare`) and gone on from, also
in a changed spot (`headsup.solve.holdem.warm`).
"""

from __future__ import annotations

import os
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
    door,
    of_kind,
    positive,
    quoted,
)
from headsup.common.errors import DataError, UserError
from headsup.common.files import about_file
from headsup.common.progress import Watch
from headsup.equity.api import equity
from headsup.games.holdem.spot import Spot, is_spot
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.walk.walk import Policy, Walker
from headsup.measure.exploit import measure
from headsup.solve.holdem.store import MemoryPlan, plan
from headsup.solve.holdem.vector import VectorCfr, planned
from headsup.solve.holdem.warm import carry, carry_locks, warm_start, worth_iterations
from headsup.solve.methods import Stopped, Unsaved, solve
from headsup.solve.records.locks import Locks
from headsup.solve.records.loop import told_in
from headsup.solve.records.regrets import fit, unpacked
from headsup.solve.records.settings import PRESETS
from headsup.solve.records.solution import Solution
from headsup.spots.compare import Comparison, actions_taken, compare
from headsup.spots.lock_text import locks_of, locks_of_any
from headsup.spots.view import PLAYERS, Known, View, view_at

TARGET = 0.005
"""Of the pot: where players' solvers usually stop."""
SOLVED_TO = 0.01
"""Of the pot: a solution that is more exploitable is no answer to learn from or to judge hands by."""
METHOD = "dcfr-holdem"
"""Took the fewest iterations on most of ten spots: `python -m benchmarks variants`."""
REPLY = "best reply"
"""What the record of an `Exploit` has for its method."""


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
) -> SpotSolution:
    """Solve a spot until its exploitability is at most `target` of the pot, or so many iterations or seconds are over.

    `progress` hears of exploitabilities as shares of the pot. Ctrl-C raises `Stopped`
    (`headsup.solve`), whose `solution` makes a `SpotSolution` of how far it came, measured.

    `start` is a solution to go on from, with its locks, of this spot or of one like it on the same board. It counts as
    some iterations already (`headsup.solve.holdem.warm`). `locks` are more hands that play as they are told; the target
    is then of the exploitability within the locks.
    """
    _check_method(method)
    if start is not None:
        of_kind(SpotSolution)(start, "start")
    if not isinstance(locks, str):
        locks = [as_text(lock, "a lock") for lock in as_list(locks, "locks")]
    begun: list[int] = []

    def ready(solver: VectorCfr) -> None:
        begun.append(_begin(solver, spot, locks, start))

    def finished(solution: Solution) -> Solution:
        if start is None:
            return solution
        before = [point for point in start.solution.history if point[0] < begun[0]]
        params = {**solution.params, "began": begun[0]}
        return replace(solution, history=(*before, *solution.history), params=params)

    try:
        solution = solve(
            spot.game(),
            method,
            iterations=iterations,
            target=None if target is None else positive(target, "the target") * spot.pot,
            seconds=seconds,
            checkpoint=checkpoint,
            progress=told_in(progress, spot.pot, "{:.3%} of the pot", target),
            ready=ready,
            regrets=True,
            **_place(store, threads, device),
        )
    except (Stopped, Unsaved) as ended:
        ended.solution = finished(ended.solution)
        raise
    return SpotSolution(spot, finished(solution))


def _begin(solver: VectorCfr, spot: Spot, locks: Sequence[str], start: SpotSolution | None) -> int:
    """Lock hands, and put in what is known; as how many iterations that counts."""
    game, made, policy, regrets = solver.game, Locks.none(), None, None
    if start is not None:
        old, policy, made = start.game, start.strategy.policy, start.locks
        if start.solution.regrets:
            if not fit(old, start.solution.regrets):
                raise DataError(
                    f"the regrets in {start.solution.file or 'the record'} do not fit its spot: solve it again"
                )
            regrets = unpacked(old, start.solution.regrets)
        if old.checksum != game.checksum:
            policy, made = carry(old, policy, game), carry_locks(old, made, game)
            regrets = None if regrets is None else carry(old, regrets, game, regrets=True)
    for text in [locks] if isinstance(locks, str) else locks:
        stands = None if policy is None else Known(game, ArrayStrategy(game, made.on(policy)))
        made = made | locks_of(game, text, stands)
    counts = 0
    if start is not None and policy is not None:
        policy = made.on(policy)
        found = measure(
            game,
            ArrayStrategy(game, policy),
            threads=solver.walker.threads,
            device=solver.device,
            held=made.held(policy) if made else None,
        )
        alike = found.exploitability * start.spot.pot / spot.pot
        counts = worth_iterations(start.solution.history, start.iterations, alike)
        warm_start(solver, policy, counts, regrets)
    solver.lock(made)
    return counts


@door(spot=of_kind(Spot), store=as_text, device=check_device, method=as_text)
def spot_memory(
    spot: Spot, store: str = "float32", threads: int | None = None, device: str = "cpu", method: str = METHOD
) -> MemoryPlan:
    """The memory that solving a spot will take, or why it would not begin; none of it is taken."""
    _check_method(method)
    return planned(spot.game(), method, _place(store, threads, device))


def _check_method(method: str) -> None:
    if method not in PRESETS:
        raise UserError(f"spots are solved by {', '.join(PRESETS)}, not by '{method}'")


def _place(store: str, threads: int | None, device: str) -> dict[str, Any]:
    """Where numbers lie and who works, as options of the solver."""
    return {"store": store, "device": device} | ({} if threads is None else {"threads": threads})


@dataclass(frozen=True, repr=False)
class SpotSolution:
    """A solved spot."""

    spot: Spot
    solution: Solution

    def __post_init__(self) -> None:
        of_kind(Spot)(self.spot, "spot")
        of_kind(Solution)(self.solution, "solution")

    @classmethod
    @door(solution=of_kind(Solution))
    def of(cls, solution: Solution, name: str | Path = "this") -> SpotSolution:
        """The record of a solved spot in a player's words; `name` is what a complaint calls it."""
        if not is_spot(solution.game) or solution.source is None:
            raise DataError(f"{name} is a solution of {solution.game}, not of a spot: solve one with  headsup spot")
        with about_file(solution.file):
            return cls(Spot.parse(solution.source), solution)

    @classmethod
    def load(cls, path: str | Path, regrets: bool = True, mapped: bool = False) -> SpotSolution:
        """Read what `save` wrote; regrets are needed to go on from it, and for nothing else."""
        return cls.of(Solution.load(path, regrets, mapped), path)

    @door(path=as_path, regrets=as_truth, job=as_text)
    def save(self, path: str | Path, regrets: bool = True, job: str = "") -> None:
        """Write the record to a file, with the spot in it; without regrets, for `go_on`, it is a third smaller.

        `job` is the fingerprint of the page's job that it belongs to.
        """
        replace(self.solution, job=job, regrets=self.solution.regrets if regrets else {}).save(path)

    def __repr__(self) -> str:
        shares = ", ".join(f"{a} {f:.1%}" for a, f in zip(self.actions, self.frequencies, strict=True))
        within = self.exploitability_locked_pot
        locked = "" if within is None else f" ({within:.3%} within its locks)"
        return (
            f"<SpotSolution {self.spot.board}: oop wins {self.value_oop:.3f} and ip {self.value_ip:.3f} of "
            f"{self.spot.pot:,}, exploitability {self.exploitability_pot:.3%} of the pot{locked}; {shares}>"
        )

    def _repr_html_(self) -> str:
        """For notebooks: what is done first and how often, and what both win."""
        from headsup.common.display import table

        rows = [(action, f"{share:.1%}") for action, share in zip(self.actions, self.frequencies, strict=True)]
        note = f"oop wins {self.value_oop:.3f}, ip {self.value_ip:.3f} of {self.spot.pot:,}; "
        note += f"exploitability {self.exploitability_pot:.3%} of the pot"
        return table(f"Spot {self.spot.board}, solved", ("first action", "how often"), rows, note)

    @cached_property
    def game(self) -> VectorGame:
        """The game that was solved."""
        form = self.solution.form or self.solution.played()
        if not isinstance(form, VectorGame) or not ArrayStrategy.fits(form, self.solution.strategy):
            name = self.solution.file or "this record"
            raise DataError(f"the strategies in {name} do not fit its spot: solve it again")
        return form

    @cached_property
    def strategy(self) -> ArrayStrategy:
        """How both players play."""
        return ArrayStrategy(self.game, self.solution.strategy)

    @property
    def iterations(self) -> int:
        """How many iterations it took."""
        return self.solution.iterations

    @property
    def seconds(self) -> float:
        """How long they took; measuring on the way is not counted."""
        return self.solution.seconds

    @property
    def exploitability_pot(self) -> float:
        """What a best reply wins beyond the strategies, the average of both seats, as a share of the root's pot."""
        return self.solution.exploitability / self.spot.pot

    @property
    def exploitability_locked_pot(self) -> float | None:
        """The same where hands are locked and a best reply must leave them as they are; None without locks."""
        within = self.solution.exploitability_locked
        return None if within is None else within / self.spot.pot

    @property
    def reached_pot(self) -> float:
        """The exploitability that a target is about: within the locks where hands are locked."""
        within = self.exploitability_locked_pot
        return self.exploitability_pot if within is None else within

    @property
    def accuracy(self) -> str:
        """How far it was solved, in words."""
        share = f"{100 * self.reached_pot:.2g} % of the pot"
        return f"solved to {share}" if self.is_solved else f"not solved: {share} exploitable"

    @property
    def is_solved(self) -> bool:
        """Whether it can serve as an answer: a solution that was stopped early cannot."""
        return self.reached_pot <= SOLVED_TO

    @property
    def locks(self) -> Locks:
        """The hands that play as they were told."""
        return self.solution.locks or Locks.none()

    @cached_property
    def _values(self) -> tuple[float, float]:
        first, total = self.solution.value, self.game.betting.total
        return (first, total - first) if total is not None else Walker(self.game).values(self.strategy.policy)

    @property
    def value_oop(self) -> float:
        """Expected chips of the player out of position, won from the pot at the root."""
        return self._values[0]

    @property
    def value_ip(self) -> float:
        """The same in position; both together are the pot, less the rake."""
        return self._values[1]

    @cached_property
    def equity_oop(self) -> float:
        """The exact equity of one range against the other on the board."""
        return equity(*self.spot.ranges, self.spot.board, self.spot.dead).equity

    @cached_property
    def memory(self) -> MemoryPlan:
        """What solving it took."""
        params = self.solution.params
        threads, method = params.get("threads", os.cpu_count() or 1), PRESETS.get(self.solution.method)
        predictive = method is not None and method.predictive
        return plan(self.game, params.get("store", "float32"), threads, predictive, params.get("device", "cpu"))

    @property
    def bytes(self) -> int:
        """All of that memory."""
        return self.memory.total

    @property
    def nodes(self) -> int:
        """Places of the betting times the boards on which they can be met, up to suits."""
        return sum(int(n) * b for n, b in zip(np.diff(self.game.betting.start), self.game.boards.sizes(), strict=True))

    @property
    def actions(self) -> list[str]:
        """What can be done at the root."""
        return self.game.betting.actions(0)

    @cached_property
    def frequencies(self) -> list[float]:
        """How often each of them is done, a hand counted by how often it is held: its weight times what it can meet."""
        game, seat = self.game, int(self.game.betting.player[0])
        met = game.showdown.lines(seat, 0, 0, game.weights[1 - seat][None], 0)[1][0]
        weights = game.weights[seat] * met
        return [float(x) for x in self.strategy.rows(0, game.board(0, 0)) @ weights / weights.sum()]

    @cached_property
    def known(self) -> Known:
        """What looks at it have worked out."""
        return Known(self.game, self.strategy, os.cpu_count() or 1)

    @cached_property
    def taken(self) -> dict[int, Floats]:
        """For each decision, how often the hand comes there and each action is taken, over all boards."""
        return actions_taken(self.game, self.solution.strategy)

    def at(self, line: str = "") -> View:
        """The decision to which a line leads, such as `check, bet 94, call, 7c`; the root if it is empty."""
        return view_at(self.known, line)

    def lock(self, *locks: str | tuple[str, Floats]) -> SpotSolution:
        """The same strategies with some hands locked, measured again; `go_on` then solves the rest of it.

        A lock is a text such as `check | AA,KK: bet 94 100%` or `check | bet 94 30%` (`headsup.spots.lock_text`), or a
        line and shares, [actions, hands] as the view of that line has them, nan in the columns of hands left free.
        """
        made = self.locked(*locks)
        return self._with(made.on(self.solution.strategy), made)

    def locked(self, *locks: str | tuple[str, Floats]) -> Locks:
        """The locks that these and those before are together, or what is wrong with them; nothing is measured."""
        made, known = self.locks, self.known
        for n, one in enumerate(locks):
            if n:  # it stands on the strategies with those before in them
                known = known.playing(ArrayStrategy(self.game, made.on(self.solution.strategy)))
            made = made | locks_of_any(self.game, one, known)
        return made

    def unlock(self) -> SpotSolution:
        """The same strategies with no hand locked, to go on from."""
        return SpotSolution(self.spot, replace(self.solution, locks=None, exploitability_locked=None))

    def go_on(
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
        """Solve on from here, to a tighter target, with locks, or in a spot with some of it changed (`oop="AA"`).

        What the changed spot has in common with this one begins as it was (`headsup.solve.holdem.warm`). `iterations`
        counts those that this solution stands for; what is left out is as in `solve_spot`, method and store as before.
        """
        usual = self.solution.method if self.solution.method in PRESETS else METHOD
        return solve_spot(
            self.spot.with_(**changes),
            target,
            iterations=iterations,
            seconds=seconds,
            method=method or usual,
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
        """The best that a player, `oop` or `ip`, can do against what the other plays here, locked or not."""
        if player not in PLAYERS:
            raise UserError(f"a player is {' or '.join(PLAYERS)}, not '{player}'")
        seat, policy, began = PLAYERS.index(player), self.solution.strategy, time.perf_counter()
        earned, reply = Walker(self.game, threads=os.cpu_count() or 1).reply(policy, seat)
        both = (reply, policy[1]) if seat == 0 else (policy[0], reply)
        found = self._with(both, Locks.none())
        label, took = {"player": player, "against": self.solution.method}, time.perf_counter() - began
        record = replace(found.solution, method=REPLY, params=label, iterations=0, seconds=took, history=(), regrets={})
        return Exploit(player, earned, earned - self._values[seat], SpotSolution(self.spot, record))

    def compare(self, other: SpotSolution) -> Comparison:
        """This solution beside another one: what was asked, values, and where they play differently."""
        if not isinstance(other, SpotSolution):
            raise UserError(f"a solved spot is compared with another one, not with {quoted(other)}")
        return compare(self, other)

    def _with(self, policy: Policy, locks: Locks) -> SpotSolution:
        """Other strategies in the same spot, measured."""
        strategy, threads = ArrayStrategy(self.game, policy), os.cpu_count() or 1
        real = measure(self.game, strategy, threads=threads)
        held = measure(self.game, strategy, threads=threads, held=locks.held(policy)) if locks else None
        record = replace(
            self.solution,
            strategy=policy,
            value=real.value,
            exploitability=real.exploitability,
            epsilon=real.epsilon,
            locks=locks or None,
            exploitability_locked=None if held is None else held.exploitability,
            form=self.game,
        )
        return SpotSolution(self.spot, record)

    def summary(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        names = ("exploitability_pot", "value_oop", "value_ip", "equity_oop", "iterations", "seconds", "bytes", "nodes")
        told: dict[str, Any] = {name: getattr(self, name) for name in names}
        told |= {"actions": self.actions, "frequencies": self.frequencies, "method": self.solution.method}
        if self.locks:
            told |= {"exploitability_locked_pot": self.exploitability_locked_pot, "locks": list(self.locks.texts)}
        return {**told, "params": dict(self.solution.params), "spot": self.spot.text()}


@dataclass(frozen=True)
class Exploit:
    """A best reply to one player's strategy."""

    player: str
    """Who replies: `oop` or `ip`."""
    earns: float
    """Expected chips won from the pot at the root."""
    gains: float
    """How much more that is than the player's own strategy won."""
    solution: SpotSolution
    """The reply, one action for every hand, and the other's strategy as it was: to look into and to save."""

    def __repr__(self) -> str:
        return f"<Exploit by {self.player}: wins {self.earns:.3f} of {self.solution.spot.pot:,}, {self.gains:.3f} more>"

    def summary(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        pot, found = self.solution.spot.pot, self.solution
        told = {"player": self.player, "earns": self.earns, "gains": self.gains, "gains_pot": self.gains / pot}
        return {**told, "actions": found.actions, "frequencies": found.frequencies}
