"""Solve a game cut below its first street: a trunk, and under it some boards of the second street, or one of them.

`TrunkCfr` runs CFR on both. The trunk's regrets and averages are float64; `store` and `device` apply below it. So
hold'em before the flop is solved with real play after it, on a weighted subset of flops
(`headsup.games.holdem.packet.board_subset`), without any abstraction of hands.

With a `fixed` trunk, only what lies below is solved: `dealt` then returns what each hand of a seat earns at the end of
every line of the trunk, by a best response or by its strategy. The sum over all boards, put into the trunk
(`trunk_values`), is the exact value of the whole strategy or of a best response to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import thread_count
from headsup.common.errors import UserError
from headsup.games.holdem.layout import Rule, Store
from headsup.games.holdem.vector import VectorGame, decisions, regret_matching
from headsup.games.walk.trunk import LinePayments, TrunkWalker
from headsup.games.walk.walk import BEST, LEARN, MIX, Policy, Walker
from headsup.measure.measurement import Measurement
from headsup.solve.holdem.store import Stores
from headsup.solve.records.loop import Solver
from headsup.solve.records.settings import Settings


class TrunkSums(NamedTuple):
    """What a seat has met and earned in the trunk over all iterations, weighted as averages are."""

    value: Floats  # [nodes, hands]
    reach: Floats  # [rows, opponent's hands]


class TrunkCfr(Solver):
    """A run of CFR on a game that is cut below its first street."""

    measured_each = 2

    def __init__(
        self,
        game: VectorGame,
        settings: Settings,
        *,
        store: str = "float32",
        threads: int | None = None,
        device: str = "cpu",
        fixed: Policy | None = None,
        added: Sequence[LinePayments] = (),
        averages: bool = True,
        reserve: int = 0,
        live: bool = False,
    ) -> None:
        """`fixed`: the probabilities of both players in the trunk, [rows, hands] each, which then do not change.

        `added`: what lines of the trunk pay on top of the boards below them. `averages`: whether average strategies are
        kept below the trunk; without them it takes half of the memory, and only the trunk's average can be asked for.
        `reserve`: bytes of a GPU that its workspace leaves free. `live`: on a GPU, without numbers for hands that a
        board of the last street blocks (`headsup.games.walk.live`).
        """
        self.game, self.settings, self.iterations, self._fixed = game, settings, 0, fixed
        workers = thread_count(threads)
        how = {"device": device, "threads": workers, "averages": averages, "live": live}
        self.stores = Stores(game, store, predictive=settings.predictive, **how)  # type: ignore[arg-type]
        self._whole, dtype = store == "int16", np.float64 if store == "float64" else np.float32
        lower: Any
        if device == "gpu":
            from headsup.games.walk.gpu import GpuWalker

            lower = GpuWalker(game, dtype, reserve=reserve, fused=True, live=live)
        else:
            lower = Walker(game, dtype, workers, in_stages=True)
        self.walker, none = TrunkWalker(game, lower, added), np.zeros(0)
        sizes = [int(game.layout[p][1]) for p in (0, 1)]
        first, second = (
            Store(np.zeros(n), np.zeros(n), np.zeros(n if settings.predictive else 0), none, none, at, at)
            for n, at in zip(sizes, game.layout, strict=True)
        )
        self.trunk: tuple[Store, Store] = first, second
        nodes, hands = int(game.rounds.start[1]), game.showdown.sizes
        rows = [1 + int(game.rounds.rows[p, 0]) for p in (0, 1)]
        self.sums = [TrunkSums(np.zeros((nodes, hands[p])), np.zeros((rows[1 - p], hands[1 - p]))) for p in (0, 1)]
        """For each seat; only without `averages`, where a best response cannot be asked for. Their ratio is what
        actions earn against the opponent's average if the hand goes on by what was learned: nearly the best."""

    def step(self, n: int) -> None:
        """n more iterations for both players."""
        steps = enumerate(self.settings.schedule(self.iterations, n).tolist(), start=self.iterations)
        self.walker.hang(self.stores.policy(average=False), self.stores.seats, self._whole, self.stores.averages)
        if self._fixed is not None:
            self.walker.enter(0, LEARN, self._fixed)  # both players' reach, which stays as it is
        for turn, (keep, shrink, weight) in steps:
            rule = Rule(keep, shrink, weight, self.settings.predictive, False, turn)
            for seat in (0, 1):
                if self._fixed is None:
                    self.walker.walk(seat, LEARN, self.policy(average=False), self.trunk, rule)
                    self._add_up(seat, weight)
                else:
                    self.walker.walk_boards(seat, LEARN, rule)
        self.iterations += n

    def _add_up(self, seat: int, weight: float) -> None:
        if not self.stores.averages:
            value, reach = self.sums[seat]
            value += weight * self.walker.workspace.value[: len(value), : value.shape[1]]
            reach += weight * self.walker.reach(0, 1 - seat)[: len(reach)]

    def policy(self, average: bool = True) -> Policy:
        """The numbers of both players in the trunk; they play in proportion to the positive ones."""
        if self._fixed is not None:
            return self._fixed
        name = "cumulative" if average else "prediction" if self.settings.predictive else "regret"
        return getattr(self.trunk[0], name), getattr(self.trunk[1], name)

    def average(self, seat: int) -> Floats:
        """[rows, hands]: the average strategy of a seat in the trunk, the same for hands that differ in suits alone."""
        game, own = self.game, decisions(self.game.rounds, 0, seat)
        numbers = self.policy()[seat].reshape(-1, game.showdown.sizes[seat])
        group = int(game.boards.levels[0].group[0])  # type: ignore[attr-defined]
        every = [r for r in range(group.bit_length()) if group >> r & 1]
        numbers = np.sum([numbers[:, game.showdown.renamed(seat, r)] for r in every], axis=0)
        return regret_matching(numbers, game.rounds.row[own], game.rounds.count[own])

    def dealt(self, seat: int, best: bool) -> Floats:
        """[deals, hands]: what a seat's hands earn where the trunk ends, by a best response or by the average."""
        self.walker.hang(self.measured(), self.stores.seats, self._whole)
        self.walker.enter(seat, BEST if best else MIX, self.policy())
        return self.walker.dealt_values(Rule(1.0, 1.0, 0.0, False, False))

    def measured(self) -> Policy:
        """The numbers of both players below the trunk that are measured: the average's."""
        if not self.stores.averages:
            raise UserError("no averages were kept below the trunk: solve with averages=True, or measure flop by flop")
        return self.stores.policy(average=True)

    def arrays(self) -> dict[str, AnyArray]:
        """All numbers that resuming needs."""
        return self.trunk_arrays() | self.stores.arrays()

    def trunk_arrays(self) -> dict[str, AnyArray]:
        """Those of the trunk, where they lie."""
        names = {"regret": "regret", "total": "cumulative", "guess": "prediction"}  # as in files, and here
        named = {f"trunk_{name}{p}": getattr(self.trunk[p], here) for p in (0, 1) for name, here in names.items()}
        if not self.stores.averages:
            named |= {f"trunk_{key}{p}": getattr(self.sums[p], key) for p in (0, 1) for key in TrunkSums._fields}
        return {name: array for name, array in named.items() if array.size}

    def restore(self, iterations: int, arrays: dict[str, AnyArray]) -> None:
        """Take back what `arrays` returned."""
        for name, array in self.trunk_arrays().items():
            array[:] = arrays[name]
        self.stores.restore({name: array for name, array in arrays.items() if not name.startswith("trunk_")})
        self.iterations = iterations

    @property
    def played(self) -> VectorGame:
        """The game, with the boards that it lists."""
        return self.game

    def measure(self) -> Measurement:
        """The average strategies in this game, in the precision of the walk."""
        return self.against((self.dealt(0, best=True), self.dealt(1, best=True)))

    def against(self, best: tuple[Floats, Floats]) -> Measurement:
        """The same, given what hands of both seats earn where the trunk ends by a best response (`dealt`)."""
        total = self.game.betting.total
        first, second = (trunk_values(self.game, self.policy(), seat, best[seat], True) for seat in (0, 1))
        value = self._earned(0)
        values = value, self._earned(1) if total is None else total - value
        return Measurement(self.game.name, values, (first, second), self.game.unit, general_sum=total is None)

    def _earned(self, seat: int) -> float:
        return trunk_values(self.game, self.policy(), seat, self.dealt(seat, best=False), False)

    def record(self, regrets: bool = False) -> dict[str, Any]:
        """The average strategy in the trunk."""
        return {"strategy": (self.average(0).ravel(), self.average(1).ravel())}


def trunk_values(game: VectorGame, policy: Policy, seat: int, dealt: Floats, best: bool) -> float:
    """What a seat earns in a game, given what its hands earn where the trunk ends, [deals, hands]."""
    values = _closed(game, policy, seat, dealt, BEST if best else MIX)
    return float(game.weights[seat] @ values[0])


def trunk_response(game: VectorGame, policy: Policy, seat: int, dealt: Floats) -> Policy:
    """The policy with a best response of a seat in the trunk, given what its hands earn where the trunk ends."""
    values, rounds = _closed(game, policy, seat, dealt, BEST), game.rounds
    rows = np.zeros((int(rounds.rows[seat, 0]), game.showdown.sizes[seat]))
    for node in decisions(rounds, 0, seat).tolist():
        first, count, row = int(rounds.child[node]), int(rounds.count[node]), int(rounds.row[node])
        best = np.argmax(values[first : first + count], axis=0)
        rows[row : row + count] = np.arange(count)[:, None] == best
    return (rows.ravel(), policy[1]) if seat == 0 else (policy[0], rows.ravel())


def _closed(game: VectorGame, policy: Policy, seat: int, dealt: Floats, mode: int) -> Floats:
    """[nodes, hands] the values of a seat in the trunk."""
    walk = TrunkWalker(game, None)
    walk.enter(seat, mode, policy)
    walk.close(0, 0, dealt)
    return np.asarray(walk.workspace.value[:, : game.showdown.sizes[seat]])
