"""Solvers that learn from sampled hands: Monte Carlo CFR, and the fixed-strategy iteration of the ectomynx report.

`external` tries all actions of one player and samples chance and the opponent; `outcome` plays a single line, exploring
with probability `explore` (Lanctot and others 2009). One iteration is one walk for each player.

`fsi` plays `hands` hands with both strategies fixed; a hand's profit is credited to each decision on it, multiplied by
`decay` for every later decision of the same player, and divided by the hands played at each state (`per="state"`) or
state and action (`per="action"`); every weight is multiplied with exp(rate * profit). It is not CFR, and need not
converge to an equilibrium. `strategy` selects the last strategy, as in the report, or the average.
"""

from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray
from headsup.common.checks import check_seed
from headsup.common.errors import UserError
from headsup.games.catalogue.forms import Playable, flatten, playable
from headsup.games.trees.publictree import PublicTree
from headsup.games.trees.sequence import Profile, SequenceForm
from headsup.games.trees.tree import Tree
from headsup.solve.records.loop import FormSolver
from headsup.solve.records.settings import checked
from headsup.solve.small import sampling_kernels as kernels


def start_sampling(game: Playable, method: str, seed: int, options: dict[str, Any]) -> FormSolver:
    """A sampling solver before its first step."""
    game = playable(game)
    if isinstance(game, SequenceForm | PublicTree):
        raise UserError(f"{method} samples hands from a game tree: give it a game or a flat tree")
    takes: dict[str, dict[str, Any]] = {
        "external": {},
        "outcome": {"explore": 0.6},
        "fsi": {"hands": 10_000, "decay": 0.8, "rate": 0.05, "per": "state", "strategy": "current"},
    }
    chosen = checked(method, options, takes[method])
    tree = game if isinstance(game, Tree) else flatten(game)
    form = tree.sequence_form()
    if method == "fsi":
        return FixedStrategyIteration(tree, form, seed, **chosen)
    return MonteCarlo(tree, form, seed, chosen.get("explore"))


class _Sampler(FormSolver):
    """The base of both kinds: the tree's columns and the random counter."""

    def __init__(self, tree: Tree, form: SequenceForm, seed: int) -> None:
        self.form, self.iterations = form, 0
        self.nodes = kernels.Nodes(tree.player, tree.infoset, tree.child, tree.chance, tree.payoff, tree.firsts)
        self.seed = np.array([check_seed(seed)], dtype=np.uint64)
        self.depth = sum(1 for _ in tree.levels())
        self.width = max(int(np.diff(first).max(initial=1)) for first in tree.firsts)

    def _zeros(self) -> Profile:
        return np.zeros(self.form.seats[0].n_sequences), np.zeros(self.form.seats[1].n_sequences)


class MonteCarlo(_Sampler):
    """External sampling, or outcome sampling when `explore` is given."""

    def __init__(self, tree: Tree, form: SequenceForm, seed: int, explore: float | None) -> None:
        super().__init__(tree, form, seed)
        if explore is not None and not 0.0 < explore <= 1.0:
            raise UserError(f"explore must be above 0 and at most 1, not {explore}")
        self.explore = explore
        self.regret, self.cumulative = self._zeros(), self._zeros()
        self._scratch = np.zeros((self.depth + 1, 2, self.width))
        self._path = np.zeros((self.depth, 4), dtype=np.int64)
        self._odds = np.zeros((self.depth, self.width + 1))
        self.step(0)  # compiles

    def step(self, n: int) -> None:
        with np.errstate(over="ignore"):  # the counter wraps around, which only matters when kernels run as Python
            if self.explore is None:
                kernels.run_external(self.nodes, self.regret, self.cumulative, self.seed, self._path, self._scratch, n)
            else:
                memory = (self.regret, self.cumulative, self.seed)
                kernels.run_outcome(self.nodes, *memory, float(self.explore), self._path, self._odds, n)
        self.iterations += n

    def profile(self) -> Profile:
        return self.form.behaviours(self.cumulative)

    def arrays(self) -> dict[str, AnyArray]:
        pairs = {"regret": self.regret, "total": self.cumulative}
        return {f"{name}{p}": pair[p] for name, pair in pairs.items() for p in (0, 1)} | {"seed": self.seed}


class FixedStrategyIteration(_Sampler):
    """Cycles of many hands with fixed strategies, then one exponential update of all weights."""

    def __init__(
        self,
        tree: Tree,
        form: SequenceForm,
        seed: int,
        hands: int,
        decay: float,
        rate: float,
        per: str,
        strategy: str,
    ) -> None:
        super().__init__(tree, form, seed)
        if hands < 1 or not 0.0 < decay <= 1.0 or not rate > 0.0:
            raise UserError("fsi needs hands of at least 1, decay above 0 and at most 1, and rate above 0")
        if per not in ("state", "action") or strategy not in ("current", "average"):
            raise UserError("fsi takes per='state' or 'action' and strategy='current' or 'average'")
        self.hands, self.decay, self.rate, self.per, self.strategy = hands, decay, rate, per, strategy
        self.sigma, self.cumulative = form.uniform(), self._zeros()
        self._path = np.zeros((self.depth, 2), dtype=np.int64)

    def step(self, n: int) -> None:
        for _ in range(n):
            self._cycle()
        self.iterations += n

    def _cycle(self) -> None:
        profit, played = self._zeros(), self._zeros()
        for cumulative, plan in zip(self.cumulative, self.form.plans(self.sigma), strict=True):
            cumulative += plan
        with np.errstate(over="ignore"):
            fixed = (self.nodes, self.sigma, profit, played, self.seed, float(self.decay), self._path)
            kernels.play_hands(*fixed, self.hands)
        for seat, sigma, won, count in zip(self.form.seats, self.sigma, profit, played, strict=True):
            if not seat.n_infosets:
                continue
            visits = np.array(count[1:])
            if self.per == "state":
                visits = np.repeat(np.add.reduceat(visits, seat.first[:-1] - 1), np.diff(seat.first))
            gain = np.divide(won[1:], visits, out=np.zeros(len(visits)), where=visits > 0)
            with np.errstate(over="ignore", invalid="ignore"):  # measuring reports a rate that is too large
                weights = sigma[1:] * np.exp(self.rate * gain)
                sigma[1:] = weights / np.repeat(np.add.reduceat(weights, seat.first[:-1] - 1), np.diff(seat.first))

    def profile(self) -> Profile:
        """The last strategies, or the average of all."""
        if self.strategy == "current" or not self.iterations:
            return self.sigma[0].copy(), self.sigma[1].copy()
        return self.form.behaviours(self.cumulative)

    def arrays(self) -> dict[str, AnyArray]:
        pairs = {"sigma": self.sigma, "total": self.cumulative}
        return {f"{name}{p}": pair[p] for name, pair in pairs.items() for p in (0, 1)} | {"seed": self.seed}
