"""A plan for the jam-or-fold player against an opponent who may limp and raise, and its guarantee.

For given values of the states, a state is a game of one hand: fold, jam, limp or raise to one of a few sizes; then jam
or fold; then call or fold. CFR+ solves all of these games at once. The floor of the plan
(`headsup.endgame.measure_free`), in which the opponent may use every size, gives the next values, and is the proof.
"""

from typing import NamedTuple

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.progress import Progress, Watch
from headsup.endgame.measure import Floor, StateCharts, forced, tally, weights
from headsup.endgame.measure_free import Answers, allowed, check_fixed, free_ends, free_floor, limp_cost
from headsup.endgame.measure_limp import Limps
from headsup.endgame.rules import Endgame
from headsup.endgame.solve import gains
from headsup.games.holdem.classes import Classes
from headsup.solve.records.matching import regret_matching

ITERATIONS = 300
ROUNDS = 4
MOST_LEARNED = 1000  # hand classes up to which answers are learned; beyond, only a threshold is chosen
THRESHOLDS = (-0.1, -0.05, -0.02, 0.0, 0.05)
STEPS = (1.0, 2.0, 3.0)
"""What the button puts in, in big blinds, in the game that is solved; answers to other sizes lie between."""


class Free(NamedTuple):
    charts: StateCharts
    answers: Answers
    floor: Floor

    def interval(self) -> tuple[Floats, Floats]:
        """(low, high), [N + 1] each: bounds of the unrestricted game's value to the button."""
        return self.floor.button[0], 1 - self.floor.big[0][::-1]


def solve_free(
    table: Classes,
    rules: Endgame,
    charts: StateCharts,
    value: Floats,
    *,
    steps: tuple[float, ...] = STEPS,
    opponent: tuple[int, ...] | None = None,
    limps: Limps | None = None,
    iterations: int = ITERATIONS,
    rounds: int = ROUNDS,
    watch: Watch | None = None,
) -> Free:
    """The best plan that was found, by the mean of its floor; `charts` and `value` are those of the endgame.

    `opponent` may limp and raise to these sizes only, in units (default: all that are legal). `limps` are answered by
    their own plan; only the answers to jams and raises are then learned.
    """
    best = simple_free(table, rules, charts, value, opponent=opponent)
    big = rules.levels[-1].big
    sizes = tuple(dict.fromkeys(round(step * big) + rules.levels[-1].ante for step in steps))
    learner = _Learner(table, rules, charts, sizes)
    for done in range(1, rounds + 1):
        cost = None if limps is None else limp_cost(table, rules, best.floor.button[0], limps)
        call, jam = learner.learn(best.floor.button[0], iterations, cost)
        now = StateCharts(charts.jam, call)
        answers = Answers(sizes, jam)
        candidate = Free(now, answers, free_floor(table, rules, now, answers, opponent, limps))
        if candidate.floor.mean.mean() > best.floor.mean.mean():
            best = candidate
        if watch is not None:
            low, high = best.interval()
            watch(Progress(done, rounds, text=f"the interval is at most {100 * (high - low).max():.3f} points wide"))
    return best


def simple_free(
    table: Classes,
    rules: Endgame,
    charts: StateCharts,
    value: Floats,
    *,
    thresholds: tuple[float, ...] = THRESHOLDS,
    opponent: tuple[int, ...] | None = None,
    watch: Watch | None = None,
) -> Free:
    """A plan without learning, for tables too large for it: over a limp jam what gains enough as a first jam would.

    `thresholds` are gains in big blinds, of which the best is kept; from three big blinds on, raises are answered as
    jams are. `value` is that of the endgame to the button.
    """
    check_fixed(rules)
    level = rules.levels[-1]
    gain, _ = gains(rules, level, tally(table, charts), value)
    candidates = []
    for done, least in enumerate(thresholds, start=1):
        over = (gain * rules.big_blinds > least).astype(np.float64)
        answers = Answers((level.big + level.ante, 3 * level.big + level.ante), np.stack([over, charts.call]))
        candidates.append(Free(charts, answers, free_floor(table, rules, charts, answers, opponent)))
        if watch is not None:
            watch(Progress(done, len(thresholds), text=f"limps jammed from {least:+g} big blinds on"))
    return max(candidates, key=lambda candidate: float(candidate.floor.mean.mean()))


class _Learner:
    """CFR+ for all states with the free opponent on the button; arrays are [states, sizes + 1, classes]."""

    def __init__(self, table: Classes, rules: Endgame, charts: StateCharts, sizes: tuple[int, ...]) -> None:
        self.rules, self.sizes = rules, sizes
        every = np.arange(table.classes)
        ways = table.way_block(every, every) / table.total
        self.ways = np.ascontiguousarray(np.moveaxis(ways, 2, 0))
        self.hands = ways.sum(axis=2)
        self.probability = weights(table)
        all_in, called = forced(rules, -1)
        self.may = np.stack([~all_in, np.ones_like(all_in), *(allowed(rules, size) for size in sizes)])
        """[choices, states, 1]: what the button may do."""
        self.must = np.concatenate([called[:, None], np.zeros((len(called), len(sizes), 1), dtype=bool)], axis=1)
        self.plays = np.repeat(charts.call[:, None], 1 + len(sizes), axis=1)
        shape = self.plays.shape
        self.regrets = np.stack([0.01 * self.plays, 0.01 * (1 - self.plays)])
        self.root = np.zeros((shape[0], shape[1] + 1, shape[2]))  # the button's regrets: fold, jam, the sizes
        self.later = np.zeros((2, shape[0], len(sizes), shape[2]))  # facing a jam over a size: call, give up

    def learn(self, button: Floats, iterations: int, limp: Floats | None = None) -> tuple[Floats, Floats]:
        """(call, jam over): the average answers, for what the hand after is worth to the jam-or-fold player.

        `limp` is what a limp leaves that player, [states, classes], where it is not answered here; else nan.
        """
        worth = button[self.rules.chips - free_ends(self.rules, self.sizes)] * self.rules.big_blinds
        k = len(self.ways)
        shown = np.einsum("sk,kab->sab", worth[:, 2 : 2 + k], self.ways)
        take, given = worth[:, 1, None, None], worth[:, 2 + k :, None]
        average, weight = np.zeros_like(self.plays), 0.0
        for t in range(1, iterations + 1):
            met, value = self.plays @ self.hands.T, self.plays @ shown.transpose(0, 2, 1)
            called = regret_matching(self.later)
            after = called[0] * value[:, 1:] + called[1] * met[:, 1:] * given
            stolen = (1 - met) * take
            cost = np.concatenate(
                [worth[:, :1, None] + 0 * met[:, :1], stolen[:, :1] + value[:, :1], stolen[:, 1:] + after], axis=1
            )
            if limp is not None:
                cost[:, 2] = np.where(np.isnan(limp), cost[:, 2], limp * self.rules.big_blinds)
            played = np.where(self.may, regret_matching(np.where(self.may, self.root.transpose(1, 0, 2), 0)), 0)
            played = (played / played.sum(axis=0)).transpose(1, 0, 2)
            mean = (played * cost).sum(axis=1, keepdims=True)
            self.root = np.maximum(self.root + mean - cost, 0)
            reach = played[:, 2:]
            self.later[0] += after - value[:, 1:]
            self.later[1] += after - met[:, 1:] * given
            np.maximum(self.later, 0, out=self.later)
            called = regret_matching(self.later)
            self._answer(
                played[:, 1:], np.concatenate([np.ones_like(reach[:, :1]), called[0]], axis=1), shown, take, given
            )
            average += t * self.plays
            weight += t
        average /= weight
        return np.where(self.must[:, 0], 1.0, average[:, 0]), average[:, 1:].transpose(1, 0, 2)

    def _answer(self, reach: Floats, called: Floats, shown: Floats, take: Floats, given: Floats) -> None:
        """The big blind's update against the button's new strategy."""
        weighted = reach * self.probability
        gain = (weighted * called) @ shown - take * (weighted @ self.hands)
        gain[:, 1:] += given * ((weighted * (1 - called))[:, 1:] @ self.hands)
        gain /= self.probability
        self.regrets[0] += (1 - self.plays) * gain
        self.regrets[1] -= self.plays * gain
        np.maximum(self.regrets, 0, out=self.regrets)
        self.plays = np.where(self.must, 1.0, regret_matching(self.regrets)[0])
