"""Round robins with three rankings. All pairs of agents play the same deals.

- Bankroll: the mean win rate over all opponents, as in the ACPC's total bankroll event.
- Instant runoff: the agent with the lowest bankroll is eliminated, bankrolls are computed again, and so on.
- Ratings: numbers whose differences fit the results by weighted least squares; `misfit` is the root mean square of the
  residuals over their standard errors: far above 1 if agents beat each other in circles.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import as_call, as_list, as_path, as_text, door, of_kind, whole
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.play.arena.match import Match, MatchResult, play
from headsup.play.statistics.interval import LEVEL, student

Z = student((1 + LEVEL) / 2, 10**9)


@dataclass(frozen=True, eq=False)
class League:
    """The results of a round robin; a row is what an agent wins from each opponent."""

    agents: tuple[str, ...]
    results: dict[tuple[int, int], MatchResult]
    mean: Floats  # [agents, agents] big blinds per hand; 0 on the diagonal
    half: Floats  # [agents, agents] half of the 95 % CI

    @property
    def bankroll(self) -> Floats:
        """[agents] the mean win rate over all opponents."""
        return bankrolls(self.mean, range(len(self.agents)))

    @property
    def bankroll_half(self) -> Floats:
        """[agents] half of its 95 % CI."""
        return np.asarray(np.sqrt((self.half**2).sum(axis=1)) / max(1, len(self.agents) - 1))

    def runoff(self) -> list[int]:
        """The agents by instant runoff, the winner first."""
        return runoff(self.mean)

    def ratings(self) -> tuple[Floats, float]:
        """[agents] big blinds per hand, and the misfit."""
        return ratings(self.mean, self.half / Z)

    def summary(self) -> dict[str, Any]:
        rated, misfit = self.ratings()
        ends = zip(self.bankroll.tolist(), self.bankroll_half.tolist(), strict=True)
        return {
            "agents": list(self.agents),
            "matches": [result.summary() for result in self.results.values()],
            "mean_bb": self.mean.tolist(),
            "half_bb": [[None if not np.isfinite(x) else x for x in row] for row in self.half.tolist()],
            "bankroll_bb": self.bankroll.tolist(),
            "bankroll_interval_bb": [[b - h, b + h] if np.isfinite(h) else [None, None] for b, h in ends],
            "runoff": [self.agents[i] for i in self.runoff()],
            "ratings_bb": rated.tolist(),
            "misfit": misfit,
            "hands": sum(result.hands for result in self.results.values()),
            "stopped": any(result.stopped for result in self.results.values()),
        }


def bankrolls(mean: Floats, among: Sequence[int]) -> Floats:
    """[agents] mean win rates among some of the agents; nan for the rest."""
    rates = np.full(len(mean), np.nan)
    here = list(among)
    rates[here] = mean[np.ix_(here, here)].sum(axis=1) / max(1, len(here) - 1)
    return rates


def runoff(mean: Floats) -> list[int]:
    """The order of an instant runoff, the winner first; of equals the later one is eliminated first."""
    left, out = list(range(len(mean))), list[int]()
    while left:
        rates = bankrolls(mean, left)
        worst = min(left, key=lambda agent: (rates[agent], -agent))
        left.remove(worst)
        out.append(worst)
    return out[::-1]


def ratings(mean: Floats, error: Floats) -> tuple[Floats, float]:
    """Ratings by weighted least squares, and the misfit. The error counts as at least a tenth of a typical result."""
    n = len(mean)
    pairs = list(combinations(range(n), 2))
    rows, wanted = np.zeros((len(pairs) + 1, n)), np.zeros(len(pairs) + 1)
    finite = np.isfinite(error)
    least = max(1e-6, 0.1 * float(np.sqrt((mean**2).mean())))
    for k, (i, j) in enumerate(pairs):
        weight = 1.0 / max(float(error[i, j]), least) if finite[i, j] else 1e-9
        rows[k, i], rows[k, j], wanted[k] = weight, -weight, weight * mean[i, j]
    rows[-1] = 1.0 / least  # their mean is 0
    fitted, *_ = np.linalg.lstsq(rows, wanted, rcond=None)
    left = rows[:-1] @ fitted - wanted[:-1]
    spare = max(1, len(pairs) - (n - 1))
    return np.asarray(fitted, dtype=np.float64), sqrt(float(left @ left) / spare)


@door(
    agents=as_list, match=of_kind(Match), folder=as_path, jobs=whole, progress=as_call, engine=as_text, address=as_text
)
def play_league(
    agents: Sequence[str],
    match: Match,
    folder: str | Path | None = None,
    jobs: int = 1,
    progress: Watch | None = None,
    engine: str = "local",
    address: str | None = None,
) -> League:
    """Play matches like this one between all pairs of agents; its own two players are ignored."""
    agents = [as_text(agent, "an agent of the league") for agent in agents]
    if len(agents) < 2:
        raise UserError("a league has at least two agents: name more of them")
    if twice := [agent for i, agent in enumerate(agents) if agent in agents[:i]]:
        raise UserError(f"{twice[0]} is in the league twice: name every agent once")
    n, pairs = len(agents), list(combinations(range(len(agents)), 2))
    plans = {(i, j): replace(match, first=agents[i], second=agents[j]) for i, j in pairs}
    for plan in plans.values():
        plan.check()
    mean, half, results = np.zeros((n, n)), np.zeros((n, n)), dict[tuple[int, int], MatchResult]()
    for k, ((i, j), plan) in enumerate(plans.items()):

        def tell(step: Progress, k: int = k) -> None:
            if progress is not None:
                total = len(plans) * float(step.total or 0)
                progress(step._replace(done=k * float(step.total or 0) + step.done, total=total))

        home = None if folder is None else Path(folder) / f"match-{i:03}-{j:03}"
        result = play(plan, home, jobs, tell, engine, address)
        results[i, j] = result
        mean[i, j], mean[j, i] = result.interval.mean, -result.interval.mean
        half[i, j] = half[j, i] = result.interval.half
        if result.stopped:
            break
    return League(tuple(agents), results, mean, half)
