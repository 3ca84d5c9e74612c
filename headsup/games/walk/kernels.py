"""The walk over betting x boards x showdown, compiled: one board and one street of the betting at a time.

1. `deal_reach`: each line that enters the street brings both players' reach, 0 for hands that the new cards block.
2. `forward_pass`: regret matching turns regrets (or cumulative strategies) into strategies, hand by hand, and those
   into a player's reach below their own decisions. A row of reach belongs to an own action, and many nodes share it.
3. Boards of the next street are walked one after the other; `collect_values` adds up their values, each as often as the
   boards that it stands for, with the hands renamed.
4. `terminal_values`: what the opponent's reach is worth at folds and showdowns (`against_lines`).
5. `backward_pass`: values up to the entries; own decisions mix, take the best action (and record it), or learn.

`swap_down` and `swap_up` carry reach and values between hands where a player may change a hole card. All arrays are
made beforehand (`headsup.games.walk.walk`); the streets of a game lie one after another in the same arrays.
"""

import math
from typing import Any

import numpy as np

from headsup.common.backend import jit
from headsup.games.holdem.lanes import as_rows
from headsup.games.holdem.layout import (
    BEST,
    BOTH,
    CLOSE,
    DEPTH,
    FINISH,
    FOLD,
    LEARN,
    MIX,
    OPEN,
    RESPOND,
    SHARE,
    STEPS,
    BoardRows,
    Here,
    Rule,
)
from headsup.games.holdem.showdown_kernels import against_board


@jit(inline=True, bare=True)
def _reach(rounds: Any, hands: Any, workspace: Any, s: int, b: int, me: int) -> Any:
    """A player's reach on a board of a street, [entries + rows, columns]."""
    rows = rounds.entries[s + 1] - rounds.entries[s] + rounds.rows[me, s]
    return as_rows(workspace.reach[me], workspace.reach_at[me, s], rows, hands.wide[me, b])


@jit(inline=True, bare=True)
def _place(rounds: Any, hands: Any, store: Any, s: int, b: int, me: int) -> Any:
    """Where the rows of a board begin in a player's stores, and their scales."""
    rows = rounds.rows[me, s]
    return store.at[s] + hands.before[me, b] * rows, store.scale_at[s] + (b - hands.start[s]) * rows


@jit(inner=True, bare=True)
def swap_down(rounds: Any, node: int, me: int, cards: Any, alive: Any, reach: Any, held: Any) -> None:
    """At a decision to change a card: the player's reach by the new hands, in the row of LOW.

    The row of HIGH gets the same reach before the new card came. A hand {a, b} comes from all that kept a or b, but for
    itself: nobody draws the card thrown away. `alive` are the hands that the board leaves, `held` is a buffer.
    """
    low = reach[rounds.at[me, rounds.child[node] + 1]]
    gone = reach[rounds.at[me, rounds.child[node] + 2]]
    chance, zero = reach.dtype.type(rounds.swap[node]), reach.dtype.type(0.0)
    for c in range(held.shape[0]):
        held[c, 0] = zero
    for j in range(alive.shape[0]):
        h = alive[j]
        held[cards[h, 1], 0] += low[h]
        held[cards[h, 0], 0] += gone[h]
    for h in range(low.shape[0]):
        gone[h] += low[h]
        low[h] = zero
    for j in range(alive.shape[0]):
        h = alive[j]
        low[h] = chance * max(held[cards[h, 0], 0] + held[cards[h, 1], 0] - gone[h], zero)


@jit(inline=True, bare=True)
def _follows(rounds: Any, node: int) -> bool:
    """Whether a decision is made at an earlier node (`twin`)."""
    return bool(0 <= rounds.twin[node] < node)


@jit(inner=True, bare=True)
def swap_up(rounds: Any, node: int, me: int, cards: Any, hands: int, value: Any, met: Any, held: Any) -> None:
    """Values of LOW and HIGH, from those that LOW's node has for the hands after the new card; as often as the hands
    before it meet others. `seen` has the lines of what they meet, after and before the opponent's new card, if any.
    """
    keep, low, high = value[rounds.child[node]], value[rounds.child[node] + 1], value[rounds.child[node] + 2]
    chance, zero, unit = value.dtype.type(rounds.swap[node]), value.dtype.type(0.0), value.dtype.type(1.0)
    after, before = met[rounds.seen[me, node, 0]], met[rounds.seen[me, node, 1]]
    if rounds.player[node] != me:
        for h in range(hands):
            low[h] *= min(max(before[h], zero) / after[h], unit) if after[h] > zero else zero
            high[h] = zero
        return
    for c in range(held.shape[0]):
        held[c, 0] = held[c, 1] = zero
    for h in range(hands):
        for k in range(2):
            held[cards[h, k], 0] += low[h]
            held[cards[h, k], 1] += after[h]
    for h in range(hands):
        mine, seen = low[h], max(before[h], zero)
        for k in range(2):  # LOW keeps the second card, HIGH the first
            others = held[cards[h, 1 - k], 1] - after[h]
            part = min(seen / others, chance) if others > zero else zero
            value[rounds.child[node] + 1 + k, h] = part * (held[cards[h, 1 - k], 0] - mine)
        if _follows(rounds, node):
            keep[h] *= min(seen / after[h], unit) if after[h] > zero else zero


@jit(inner=True, bare=True)
def joined(rounds: Any, node: int, hands: int, value: Any) -> None:
    """A decision for two nodes at once: the values of its actions are those of both, counted at the first of them."""
    twin = rounds.twin[node]
    for a in range(rounds.count[node] if twin > node else 0):
        for h in range(hands):
            value[rounds.child[node] + a, h] += value[rounds.child[twin] + a, h]
    if 0 <= twin < node:
        for h in range(hands):
            value[node, h] = 0.0


@jit(inline=True, bare=True)
def regret_matching(source: Any, row: int, actions: int, inverse: Any, uniform: Any, columns: int) -> None:
    """Prepare regret matching at a decision: a hand's probability is max(source, 0) * inverse + uniform.

    Probabilities are in proportion to what is positive in the source, and uniform where nothing is.
    """
    zero, unit, least = inverse.dtype.type(0.0), inverse.dtype.type(1.0), inverse.dtype.type(1.2e-38)
    for h in range(columns):
        inverse[h] = max(source[row, h], source.dtype.type(0))
    for a in range(1, actions):
        for h in range(columns):
            inverse[h] += max(source[row + a, h], source.dtype.type(0))
    level = inverse.dtype.type(1.0 / actions)
    for h in range(columns):
        some = inverse[h] > least  # one over anything less is infinite in float32
        uniform[h] = zero if some else level
        inverse[h] = unit / (inverse[h] if some else unit)


@jit(inner=True, bare=True)
def _forced(inverse: Any, uniform: Any, actions: int, floor: float, columns: int) -> None:
    """Give every action at least a probability of `floor`; the rest follows regret matching."""
    rest = inverse.dtype.type(1.0) - floor * inverse.dtype.type(actions)
    for h in range(columns):
        inverse[h] *= rest
        uniform[h] = uniform[h] * rest + floor


@jit(inner=True, bare=True)
def forward_pass(
    rounds: Any, hands: Any, here: Any, rows: Any, scale: Any, reach: Any, rule: Any, workspace: Any
) -> None:
    """Strategies of a player by regret matching, and what they lead to.

    For the opponent that is the reach below each decision. For the player whose walk it is, it is the strategy itself;
    a walk that learns also needs the reach, which is added to the cumulative strategy.
    """
    s, b, me, columns = here.street, here.board, here.player, reach.shape[1]
    source, sigma, cumulative, mark = rows.source, rows.sigma, rows.cumulative, rows.mark
    inverse, uniform, mixed, held = workspace.inverse, workspace.uniform, workspace.mixed, workspace.showdown.held
    entries = rounds.entries[s + 1] - rounds.entries[s]
    weight = rule.weight if here.mode == LEARN else inverse.dtype.type(0.0)
    for node in range(rounds.start[s], rounds.start[s + 1]):
        if rounds.player[node] != me or _follows(rounds, node):
            continue
        begin, actions = np.int64(rounds.row[node]), rounds.count[node]
        above, below = reach[rounds.at[me, node]], entries + begin
        regret_matching(source, begin, actions, inverse, uniform, columns)
        if here.mode == LEARN and rule.floor > 0.0:
            _forced(inverse, uniform, actions, rule.floor, columns)
        if not here.own:
            for a in range(actions):
                for h in range(columns):
                    probability = max(source[begin + a, h], source.dtype.type(0)) * inverse[h] + uniform[h]
                    reach[below + a, h] = above[h] * probability
            if rounds.swap[node] > 0.0:
                swap_down(rounds, node, me, hands.cards[me], hands.order[me, b, : hands.alive[me, b]], reach, held)
            continue
        for a in range(actions):
            for h in range(columns):
                sigma[begin + a, h] = max(source[begin + a, h], source.dtype.type(0)) * inverse[h] + uniform[h]
        if weight == 0.0:
            continue
        for a in range(actions):
            for h in range(columns):
                reach[below + a, h] = above[h] * sigma[begin + a, h]
        if scale is None:
            for a in range(actions):
                for h in range(columns):
                    cumulative[begin + a, h] += weight * reach[below + a, h]
        else:
            for a in range(actions):
                for h in range(columns):
                    mixed[a, h] = cumulative[begin + a, h] * scale[mark + begin] + weight * reach[below + a, h]
            scale[mark + begin] = _pack(mixed, actions, columns, cumulative, begin, mark + begin, 2 * rule.turn)
        if rounds.swap[node] > 0.0:
            swap_down(rounds, node, me, hands.cards[me], hands.order[me, b, : hands.alive[me, b]], reach, held)


@jit(bare=True)
def forward_reach(rounds: Any, s: int, me: int, sigma: Any, reach: Any, cards: Any, alive: Any, held: Any) -> None:
    """A player's reach below each of their own decisions; the last three are as in `swap_down`."""
    entries = rounds.entries[s + 1] - rounds.entries[s]
    for node in range(rounds.start[s], rounds.start[s + 1]):
        if rounds.player[node] == me and not _follows(rounds, node):
            here = reach[rounds.at[me, node]]
            for r in range(rounds.row[node], rounds.row[node] + rounds.count[node]):
                below = reach[entries + r]
                for h in range(here.shape[0]):
                    below[h] = here[h] * sigma[r, h]
            if rounds.swap[node] > 0.0:
                swap_down(rounds, node, me, cards, alive, reach, held)


@jit(inner=True, bare=True)
def deal_reach(rounds: Any, hands: Any, s: int, b: int, me: int, come: Any, reach: Any, left: Any) -> None:
    """Bring a player's reach from the deals of the street above onto a board; `left` is a buffer to mark its hands."""
    n = reach.shape[1]
    if hands.above.shape[0] > 0:
        above = hands.above[hands.link[me, b]]
        for i in range(rounds.deals[s] - rounds.deals[s - 1]):
            line = come[rounds.at[me, rounds.deal[rounds.deals[s - 1] + i]]]
            for h in range(n):
                reach[i, h] = line[above[h]]
            for j in range(hands.alive[me, b], n):
                reach[i, hands.order[me, b, j]] = 0.0
        return
    for h in range(n):
        left[h] = 0.0
    for j in range(hands.alive[me, b]):
        left[hands.order[me, b, j]] = 1.0
    for i in range(rounds.deals[s] - rounds.deals[s - 1]):
        row = rounds.at[me, rounds.deal[rounds.deals[s - 1] + i]]
        for h in range(n):
            reach[i, h] = come[row, h] * left[h]


@jit(bare=True)
def terminal_values(rounds: Any, s: int, me: int, hands: int, value: Any, beaten: Any, met: Any) -> None:
    """The value of every fold and showdown, from the reach that is beaten and met on its line."""
    for k in range(rounds.ends[s], rounds.ends[s + 1]):
        meeting, beating = value.dtype.type(rounds.pay[me, k, 0]), value.dtype.type(rounds.pay[me, k, 1])
        node, line = rounds.end[k], rounds.line[me, k]
        if rounds.player[node] == FOLD:
            for h in range(hands):
                value[node, h] = meeting * met[line, h]
        else:
            for h in range(hands):
                value[node, h] = meeting * met[line, h] + beating * beaten[line, h]


@jit(bare=True)
def earn(rounds: Any, s: int, me: int, value: Any, reach: Any, weight: float, out: Any) -> None:
    """Add what ends are worth to `out`, [hands], as often as the player's own reach gets there, times a weight."""
    for k in range(rounds.ends[s], rounds.ends[s + 1]):
        worth, come = value[rounds.end[k]], reach[rounds.at[me, rounds.end[k]]]
        for h in range(out.shape[0]):
            out[h] += weight * come[h] * worth[h]


@jit(bare=True)
def backward_values(rounds: Any, here: Any, sigma: Any, cards: Any, workspace: Any) -> None:
    """Values up to the entries; own decisions mix, or take the best action."""
    s, me, hands, value, showdown = here.street, here.player, here.columns, workspace.value, workspace.showdown
    for node in range(rounds.start[s + 1] - 1, rounds.start[s] - 1, -1):
        if rounds.player[node] <= 1 and open_up(rounds, node, me, cards, hands, value, showdown.met, showdown.held):
            _node_value(rounds, node, rounds.player[node] == me, here.mode == BEST, hands, value, sigma)


@jit(bare=True)
def open_up(rounds: Any, node: int, me: int, cards: Any, hands: int, value: Any, met: Any, held: Any) -> bool:
    """Make the values of a decision's actions ready; whether the decision is made here."""
    if rounds.swap[node] > 0.0:
        swap_up(rounds, node, me, cards, hands, value, met, held)
        if rounds.player[node] == me and rounds.twin[node] >= 0:
            joined(rounds, node, hands, value)
            return bool(rounds.twin[node] > node)
    return True


@jit(inline=True, bare=True)
def _node_value(rounds: Any, node: int, own: bool, best: bool, hands: int, value: Any, sigma: Any) -> None:
    begin, row = rounds.child[node], rounds.row[node]
    if own and not best:
        for h in range(hands):
            value[node, h] = sigma[row, h] * value[begin, h]
    else:
        for h in range(hands):
            value[node, h] = value[begin, h]
    for a in range(1, rounds.count[node]):
        if not own:
            for h in range(hands):
                value[node, h] += value[begin + a, h]
        elif best:
            for h in range(hands):
                value[node, h] = max(value[node, h], value[begin + a, h])
        else:
            for h in range(hands):
                value[node, h] += sigma[row + a, h] * value[begin + a, h]


@jit(inline=True, bare=True)
def _best_response(rounds: Any, node: int, hands: int, value: Any, held: Any) -> None:
    """The value of an own decision where some hands are held to frequencies, `held`; those below 0 are free.

    Free hands take the best action, the first of equals, and `held` then has 1 for it and 0 for the others.
    """
    begin, row, actions = rounds.child[node], rounds.row[node], rounds.count[node]
    for h in range(hands):
        best, some, mixed = 0, value.dtype.type(0.0), value.dtype.type(0.0)
        for a in range(actions):
            best = a if value[begin + a, h] > value[begin + best, h] else best
            some += held[row + a, h]
            mixed += held[row + a, h] * value[begin + a, h]
        if held[row, h] >= 0:
            value[node, h] = mixed / some
            continue
        value[node, h] = value[begin + best, h]
        for a in range(actions):
            held[row + a, h] = held.dtype.type(1 if a == best else 0)


@jit(inner=True, bare=True)
def _unforced(value: Any, node: int, child: int, actions: int, floor: float, hands: int, mean: Any) -> None:
    """What a player's choice is worth where every action is forced a little: its gains are counted from there.

    With p = floor + (1 - n floor) q that is v(q) = (v(p) - floor x sum of v) / (1 - n floor).
    """
    rest = value.dtype.type(1.0) - floor * value.dtype.type(actions)
    for h in range(hands):
        mean[h] = value[node, h]
    for a in range(actions):
        for h in range(hands):
            mean[h] -= floor * value[child + a, h]
    for h in range(hands):
        mean[h] /= rest


@jit(inner=True, bare=True)
def _forced_best(value: Any, node: int, child: int, actions: int, floor: float, hands: int) -> None:
    """A best response takes every action as often as `floor`, and the best one the rest of the time."""
    rest = value.dtype.type(1.0) - floor * value.dtype.type(actions)
    for h in range(hands):
        value[node, h] *= rest
    for a in range(actions):
        for h in range(hands):
            value[node, h] += floor * value[child + a, h]


@jit(inner=True, bare=True)
def backward_pass(rounds: Any, here: Any, rows: Any, scale: Any, rule: Any, cards: Any, workspace: Any) -> None:
    """`backward_values`, and with LEARN regrets are updated: this iteration's are added, and all are discounted.

    With RESPOND, `rows.regret` has the frequencies of the hands that are held to some, and gets those of the others.
    """
    s, me, mode, hands, value = here.street, here.player, here.mode, here.columns, workspace.value
    regret, prediction, mark = rows.regret, rows.prediction, rows.mark
    mixed, showdown = workspace.mixed, workspace.showdown
    keep, shrink, zero = rule.keep, rule.shrink, value.dtype.type(0.0)
    for node in range(rounds.start[s + 1] - 1, rounds.start[s] - 1, -1):
        if rounds.player[node] > 1:
            continue
        if not open_up(rounds, node, me, cards, hands, value, showdown.met, showdown.held):
            continue
        if rounds.player[node] == me and mode == RESPOND:
            _best_response(rounds, node, hands, value, regret)
            continue
        _node_value(rounds, node, rounds.player[node] == me, mode == BEST, hands, value, rows.sigma)
        if rounds.player[node] == me and mode == BEST and rule.floor > 0.0:
            _forced_best(value, node, rounds.child[node], rounds.count[node], rule.floor, hands)
        if rounds.player[node] != me or mode != LEARN:
            continue
        actions, row, child, mean = rounds.count[node], rounds.row[node], rounds.child[node], value[node]
        if rule.floor > 0.0:
            mean = workspace.uniform
            _unforced(value, node, child, actions, rule.floor, hands, mean)
        if scale is None:
            for a in range(actions):
                for h in range(hands):
                    new = regret[row + a, h] + (value[child + a, h] - mean[h])
                    regret[row + a, h] = new * (keep if new > zero else shrink)
            if rule.predictive:
                for a in range(actions):
                    for h in range(hands):
                        prediction[row + a, h] = regret[row + a, h] + (value[child + a, h] - mean[h])
        else:
            for a in range(actions):
                for h in range(hands):
                    new = regret[row + a, h] * scale[mark + row] + (value[child + a, h] - mean[h])
                    mixed[a, h] = new * (keep if new > zero else shrink)
            scale[mark + row] = _pack(mixed, actions, hands, regret, row, mark + row, 2 * rule.turn + 1)
            if rule.predictive:
                for a in range(actions):
                    for h in range(hands):
                        mixed[a, h] += value[child + a, h] - mean[h]
                _pack(mixed, actions, hands, prediction, row, mark + row, 2 * rule.turn + 1)


@jit(inner=True, bare=True)
def _pack(mixed: Any, actions: int, hands: int, out: Any, row: int, place: int, key: int) -> Any:
    """Round to int16; the scale that gives the numbers back. The last row of `mixed` is a buffer for the greatest.

    A number is rounded up as often as it is near to the next one, so that gains too small for a step of int16 add up
    over the iterations. The chance depends on the place and the key alone, so that a run can be repeated, and so that
    hands that are alike but for their suits stay alike. Scales are powers of 2: what does not change is not rounded.
    """
    top, kind = mixed.shape[0] - 1, mixed.dtype.type
    zero, low, deep = kind(0.0), kind(-32767.0), kind(-1.0 / DEPTH)
    for h in range(hands):
        mixed[top, h] = zero
    for a in range(actions):
        for h in range(hands):
            size = mixed[a, h] if mixed[a, h] > zero else mixed[a, h] * deep
            mixed[top, h] = size if size > mixed[top, h] else mixed[top, h]
    left = hands
    while left > 1:  # the greatest of all, in halves: a running maximum would not vectorise
        half = (left + 1) // 2
        for h in range(left - half):
            size = mixed[top, half + h]
            mixed[top, h] = size if size > mixed[top, h] else mixed[top, h]
        left = half
    scale = math.ldexp(1.0, math.frexp(mixed[top, 0] / STEPS)[1]) if mixed[top, 0] > zero else 1.0
    factor = kind(1.0 / scale)
    for a in range(actions):
        seed = (np.int64(place + a) * 0x9E3779B1 + np.int64(key) * 0x85EBCA77) & 0xFFFFFFFF
        chance = kind((((seed ^ (seed >> 15)) * 0x2C1B3C6D) & 0xFFFFFFFF) >> 8) * kind(2.0**-24)
        for h in range(hands):
            out[row + a, h] = max(np.floor(mixed[a, h] * factor + chance), low)
    return np.float32(scale)


@jit(inner=True, bare=True)
def collect_values(rounds: Any, hands: Any, s: int, b: int, me: int, come: Any, rows: Any, value: Any) -> None:
    """Add the values of a board's entries, `come[rows]`, to those of the deals above, once for each board that it
    stands for.
    """
    for i in range(rounds.deals[s] - rounds.deals[s - 1]):
        here, there = value[rounds.deal[rounds.deals[s - 1] + i]], come[rows[i]]
        if hands.above.shape[0] > 0:
            above, times = hands.above[hands.link[me, b]], hands.times[hands.link[me, b]]
            for h in range(hands.wide[me, b]):
                here[above[h]] += value.dtype.type(times[h]) * there[h]
            continue
        for k in range(hands.first[b], hands.first[b + 1]):
            if hands.renaming[k] == 0:
                for h in range(hands.number[me]):
                    here[h] += there[h]
            else:
                renamed = hands.maps[me, hands.renaming[k]]
                for h in range(hands.number[me]):
                    here[h] += there[renamed[h]]


@jit(inline=True, bare=True)
def _board_rows(rounds: Any, hands: Any, learning: Any, workspace: Any, s: int, b: int, p: int) -> Any:
    store, rows, n = learning.stores[p], rounds.rows[p, s], hands.wide[p, b]
    at, mark = _place(rounds, hands, store, s, b, p)
    regret = as_rows(store.regret, at, rows, n)
    return BoardRows(
        as_rows(learning.policy[p], at, rows, n),
        as_rows(workspace.sigma[p], workspace.sigma_at[p, s], rows, n),
        regret,
        as_rows(store.cumulative, at, rows, n),
        as_rows(store.prediction, at, rows, n) if learning.rule.predictive else regret,
        mark,
    )


@jit(bare=True)
def walk_part(task: Any, rounds: Any, hands: Any, learning: Any, workspace: Any, parts: Any, nth: Any) -> None:
    """A walk, or a part of one that is shared out; one kernel, since each that calls others costs the compiler seconds.

    A WHOLE walk goes from the root down and up again. Shared out, first OPEN the root's board. Then each worker's SHARE
    of the boards right below, street 1: `parts[board]` gets the values of their entries; the workspace must have the
    reach of the root's deals. Last CLOSE the root: `parts` are added up, board by board in order. `nth` counts entries.
    A game of one board is opened, the lines are shown down by many workers, and FINISH goes up from there.

    Scales are None where a store has none; as arguments of their own they let the compiler drop what None rules out.
    `learning.steps` are those of iterations one after the other for whole walks of BOTH, else of this one walk.
    """
    stage, mode, seat, rule, steps = task.stage, task.mode, task.seat, learning.rule, learning.steps
    last, top = rounds.start.shape[0] - 2, 1 if stage == SHARE else 0
    cursor, current, value, showdown = workspace.cursor, workspace.current, workspace.value, workspace.showdown
    jobs = 2 * steps.shape[0] if seat == BOTH else parts.shape[0] if stage == SHARE else task.first + 1
    for job in range(task.first, jobs, task.step):
        board = job if stage == SHARE else 0
        me, step = (job % 2, job // 2) if seat == BOTH else (seat, 0)
        keep, shrink, weigh, floor = steps[step, 0], steps[step, 1], steps[step, 2], steps[step, 3]
        now = Rule(keep, shrink, weigh, rule.predictive, rule.whole, rule.turn + step, floor)
        s = top
        current[0] = hands.start[0]
        current[s] = hands.start[s] + board
        fresh = stage < CLOSE
        if stage == CLOSE:
            for b in range(parts.shape[0]):
                collect_values(rounds, hands, top + 1, hands.start[1] + b, me, parts[b], nth, value)
        while True:
            b = current[s]
            if fresh:
                # going down: both players' reach; the own one counts in the average alone
                cursor[s] = hands.child[b]
                for p in range(2):
                    own = p == me
                    if own and mode in (BEST, RESPOND):
                        continue
                    reach = _reach(rounds, hands, workspace, s, b, p)
                    if s > 0 and not (own and mode == MIX):
                        above = _reach(rounds, hands, workspace, s - 1, current[s - 1], p)
                        deal_reach(rounds, hands, s, b, p, above, reach, workspace.inverse)
                    rows = _board_rows(rounds, hands, learning, workspace, s, b, p)
                    here, scale = Here(s, b, p, own, mode, hands.wide[p, b]), learning.stores[p].cumulative_scale
                    forward_pass(rounds, hands, here, rows, scale, reach, now, workspace)
                for i in range(rounds.deals[s], rounds.deals[s + 1]):
                    value[rounds.deal[i]] = 0.0
                if stage == OPEN:
                    return
            fresh = stage < CLOSE and s < last and rounds.deals[s + 1] > rounds.deals[s]
            if fresh and cursor[s] < hands.child[b + 1]:
                current[s + 1] = cursor[s]
                cursor[s] += 1
                s += 1
                continue
            # going up: the values of ends and decisions
            fresh = False
            lines = rounds.lines[rounds.first_line[me, s] : rounds.first_line[me, s + 1]]
            theirs = _reach(rounds, hands, workspace, s, b, 1 - me)
            if stage != FINISH:
                against_board(hands.four, theirs, lines, rounds.showdowns[me, s], hands, b, me, showdown)
            terminal_values(rounds, s, me, hands.wide[me, b], value, showdown.beaten, showdown.met)
            rows = _board_rows(rounds, hands, learning, workspace, s, b, me)
            here, scale = Here(s, b, me, True, mode, hands.wide[me, b]), learning.stores[me].regret_scale
            backward_pass(rounds, here, rows, scale, now, hands.cards[me], workspace)
            if s == top:
                break
            entries = rounds.entry[rounds.entries[s] : rounds.entries[s + 1]]
            collect_values(rounds, hands, s, b, me, value, entries, value)
            s -= 1
        if stage == SHARE:
            for i in range(parts.shape[1]):
                for h in range(hands.wide[me, current[1]]):
                    parts[board, i, h] = value[rounds.entry[rounds.entries[1] + i], h]
