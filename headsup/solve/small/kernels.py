"""The regret-minimising iteration over a sequence form, with every variant as a parameter.

`u` = payoff rows times the opponent's plan is what each own sequence earns at once. Going up the game, each information
set has the value `v = sum sigma[s] u[s]`, passes it to its parent sequence, and its regrets grow by `u[s] - v`
(bowling-2015 equation 3). They are discounted, and the next strategy is proportional to the positive ones. The average
is one sum of realisation plans. Discounts and weights come as a schedule, one row an iteration.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit
from headsup.games.trees.sequence_kernels import best, plan_of, utility, utility_parallel


class Rows(NamedTuple):
    """One seat of a sequence form, as the kernels want it."""

    first: Any  # [infosets + 1] the sequences of an information set
    parent: Any  # [infosets] its parent sequence
    owner: Any  # [sequences] the information set of a sequence
    up: Any  # [sequences] the parent sequence of that
    start: Any  # [sequences + 1] where its payoffs start
    other: Any  # [entries] the opponent's sequence
    payoff: Any  # [entries]


class Memory(NamedTuple):
    """What one player's regret minimiser remembers: one number a sequence in each array but the last two."""

    regret: Any
    sigma: Any  # the current behaviour strategy
    plan: Any  # its realisation plan
    cumulative: Any  # the weighted sum of plans so far
    util: Any  # scratch, as are the next two
    value: Any  # [infosets]
    scale: Any  # [infosets]


@jit
def update(rows: Any, memory: Any, rule: Any, keep: float, shrink: float) -> None:
    """Steps 2 and 3: regrets up the game, then the next strategy and its plan down the game.

    All loops run flat over sequences: loops over the two or three actions of an information set would cost far more to
    start than they do work.
    """
    owner, up = rows.owner, rows.up
    regret, sigma, util, plan = memory.regret, memory.sigma, memory.util, memory.plan
    value, scale = memory.value, memory.scale
    first, n = np.uint64(1), np.uint64(sigma.shape[0])
    for i in range(value.shape[0]):
        value[i] = 0.0
        scale[i] = 0.0
    for back in range(first, n):
        s = n - np.uint64(back)
        part = sigma[s] * util[s]
        value[owner[s]] += part
        util[up[s]] += part
    for k in range(first, n):
        s = np.uint64(k)
        gain = util[s] - value[owner[s]]
        new = regret[s] + gain
        new = new * (keep if new > 0.0 else shrink)
        regret[s] = new
        if rule.predictive:
            new += gain
        hope = new if new > 0.0 else 0.0
        sigma[s] = hope
        scale[owner[s]] += hope
    normalise(rows.first, value, scale)
    for k in range(first, n):
        s = np.uint64(k)
        i = owner[s]
        sigma[s] = sigma[s] * scale[i] + value[i]
        plan[s] = plan[up[s]] * sigma[s]


@jit(inner=True)
def normalise(first: Any, even: Any, scale: Any) -> None:
    """Turn sums of positive regrets into what to multiply and to add: uniform where no regret is positive."""
    for j in range(even.shape[0]):
        i = np.uint64(j)
        if scale[i] > 0.0:
            scale[i] = 1.0 / scale[i]
            even[i] = 0.0
        else:
            even[i] = 1.0 / np.float64(first[i + np.uint64(1)] - first[i])


@jit
def accumulate(memory: Any, weight: float) -> None:
    """Step 4: add the plan in use to the average."""
    cumulative, plan = memory.cumulative, memory.plan
    for s in range(cumulative.shape[0]):
        cumulative[s] += weight * plan[s]


@jit
def iterate(rows: Any, memory: Any, rule: Any, schedule: Any) -> None:
    """One iteration for both players for each row of the schedule: (kept of positive, kept of negative, weight)."""
    for t in range(schedule.shape[0]):
        keep, shrink, weight = schedule[t, 0], schedule[t, 1], schedule[t, 2]
        if rule.alternating:
            for p in range(2):
                utility(rows[p].start, rows[p].other, rows[p].payoff, memory[1 - p].plan, memory[p].util)
                accumulate(memory[p], weight)
                update(rows[p], memory[p], rule, keep, shrink)
        else:
            for p in range(2):
                utility(rows[p].start, rows[p].other, rows[p].payoff, memory[1 - p].plan, memory[p].util)
                accumulate(memory[p], weight)
            for p in range(2):
                update(rows[p], memory[p], rule, keep, shrink)


def iterate_parallel(rows: Any, memory: Any, rule: Any, schedule: Any) -> None:
    """`iterate` for big games: the payoff rows, where nearly all the time goes, are shared among threads."""
    order = ((0,), (1,)) if rule.alternating else ((0, 1),)
    for keep, shrink, weight in schedule:
        for players in order:
            for p in players:
                own = rows[p]
                utility_parallel(own.start, own.other, own.payoff, memory[1 - p].plan, memory[p].util)
                accumulate(memory[p], weight)
            for p in players:
                update(rows[p], memory[p], rule, keep, shrink)


@jit
def play_best(rows: Any, cumulative: Any, response: Any, util: Any, n: int) -> None:
    """n rounds of fictitious play: each player adds a pure best response to the opponent's average so far.

    `cumulative[p]` is the sum of the pure plans that player p has used, the first one being given; ties go to the first
    action.
    """
    for _ in range(n):
        for p in range(2):
            scale = 1.0 / cumulative[1 - p][0]
            utility(rows[p].start, rows[p].other, rows[p].payoff, cumulative[1 - p], util[p])
            for s in range(util[p].shape[0]):
                util[p][s] *= scale
        for p in range(2):
            chosen = response[p]
            best(rows[p].first, rows[p].parent, util[p], chosen)
            plan_of(rows[p].first, rows[p].parent, chosen, chosen)
            for s in range(chosen.shape[0]):
                cumulative[p][s] += chosen[s]
