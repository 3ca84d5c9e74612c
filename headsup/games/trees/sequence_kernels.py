"""The sweeps over a sequence form that every solver and every measurement is made of.

The actions of information set `i` are `first[i] .. first[i+1]-1`, sequence 0 is the empty one, and parents come first,
so one pass upwards in number is a pass down the game.

    plan       x[s] = x[parent] * sigma[s]                        behaviour -> realisation plan
    utility    u[s] = sum of payoff * opponent's plan             one sparse matrix times a vector
    evaluate   v(I) = sum of sigma[s] * u[s],  u[parent] += v(I)  the value of a behaviour against that opponent
    best       v(I) = max of u[s],             u[parent] += v(I)  the value of the best behaviour against them
"""

from typing import Any

from headsup.common.backend import jit, prange


@jit
def plan_of(first: Any, parent: Any, behaviour: Any, out: Any) -> None:
    """Multiply a behaviour strategy down the game into a realisation plan."""
    out[0] = 1.0
    for i in range(parent.shape[0]):
        reach = out[parent[i]]
        for s in range(first[i], first[i + 1]):
            out[s] = reach * behaviour[s]


@jit
def behaviour_of(first: Any, parent: Any, plan: Any, out: Any) -> None:
    """Divide a realisation plan (of any scale) into a behaviour strategy; uniform where the plan never comes."""
    out[0] = 1.0
    for i in range(parent.shape[0]):
        total = 0.0
        for s in range(first[i], first[i + 1]):
            total += max(plan[s], 0.0)
        even = 1.0 / (first[i + 1] - first[i])
        for s in range(first[i], first[i + 1]):
            out[s] = max(plan[s], 0.0) / total if total > 0.0 else even


@jit
def utility(start: Any, other: Any, payoff: Any, plan: Any, out: Any) -> None:
    """What each own sequence earns at once against the opponent's plan: one row of the payoff matrix a sequence."""
    for s in range(out.shape[0]):
        total = 0.0
        for k in range(start[s], start[s + 1]):
            total += payoff[k] * plan[other[k]]
        out[s] = total


@jit(parallel=True)
def utility_parallel(start: Any, other: Any, payoff: Any, plan: Any, out: Any) -> None:
    """`utility` with the rows shared among threads."""
    for s in prange(out.shape[0]):
        total = 0.0
        for k in range(start[s], start[s + 1]):
            total += payoff[k] * plan[other[k]]
        out[s] = total


@jit
def best(first: Any, parent: Any, util: Any, response: Any) -> float:
    """The value of a pure best response, written to `response` as a behaviour strategy; `util` is overwritten."""
    response[0] = 1.0
    for i in range(parent.shape[0] - 1, -1, -1):
        chosen = first[i]
        for s in range(first[i], first[i + 1]):
            response[s] = 0.0
            if util[s] > util[chosen]:
                chosen = s
        response[chosen] = 1.0
        util[parent[i]] += util[chosen]
    return util[0]  # type: ignore[no-any-return]
