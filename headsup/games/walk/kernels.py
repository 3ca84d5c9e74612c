"""The walk over betting x boards x showdown, compiled: one board and one street of the betting at a time.

On a board the whole street of betting is done at once, with vectors over hands:

1. `enter`: each line that comes into the street brings both players' reach, 0 for hands that the new cards block.
2. `play`: strategies from regrets (or from sums of an average), hand by hand, and a player's reach of everything below
   their own decisions. What the other does changes nothing of it, so a reach row belongs to an own action, and many
   nodes share one. The strategy played is added to the average here, while its numbers are near.
3. Boards of the next street are walked one after the other; their values add up, each for as many boards as it stands
   for, with the hands renamed (`leave`).
4. `ends`: what the opponent's reach is worth at folds and showdowns (`against_lines`).
5. `rise`: values up to the entries; own decisions mix, take the best (and write it down), or learn.

Where a hole card may be changed (`headsup.discards.exact.game`), `swap_down` and `swap_up` carry reach and values from
hands to the hands that they become and back, between the steps above.

Everything here works on arrays made beforehand (`headsup.games.walk.walk`); nothing allocates. The streets of a game
lie one after another in the same arrays, so that a game of one street and one of four are the same to the compiler.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from headsup.common.backend import jit
from headsup.games.holdem.layout import (
    BEST,
    BOTH,
    CLOSE,
    DEPTH,
    FOLD,
    LEARN,
    MIX,
    OPEN,
    REPLY,
    SHARE,
    STEPS,
    Rule,
)
from headsup.games.holdem.showdown_kernels import against_board


@jit(inline=True, bare=True)
def _part(flat: Any, at: int, rows: int, columns: int) -> Any:
    return flat[at : at + rows * columns].reshape(rows, columns)


@jit(inline=True, bare=True)
def _reach(rounds: Any, hands: Any, workspace: Any, s: int, b: int, me: int) -> Any:
    """A player's reach on a board of a street, [entries + rows, columns]."""
    rows = rounds.entries[s + 1] - rounds.entries[s] + rounds.rows[me, s]
    return _part(workspace.reach[me], workspace.reach_at[me, s], rows, hands.wide[me, b])


@jit(inline=True, bare=True)
def _place(rounds: Any, hands: Any, store: Any, s: int, b: int, me: int) -> Any:
    """Where the rows of a board begin in a player's stores, and their scales."""
    rows = rounds.rows[me, s]
    return store.at[s] + hands.before[me, b] * rows, store.scale_at[s] + (b - hands.start[s]) * rows


@jit(inner=True, bare=True)
def swap_down(rounds: Any, node: int, me: int, cards: Any, alive: Any, reach: Any, held: Any) -> None:
    """At a decision to change a card: the reach of who changes one, hands as they then are, in the row of LOW.

    The row of HIGH gets the same reach before the new card came. A hand {a, b} comes from all that kept a or b, but for
    itself: nobody draws the card thrown away. `alive` are the hands that the board leaves, `held` is scratch.
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
    """Whether a decision is another one's, made elsewhere."""
    return bool(0 <= rounds.twin[node] < node)


@jit(inner=True, bare=True)
def swap_up(rounds: Any, node: int, me: int, cards: Any, hands: int, value: Any, met: Any, held: Any) -> None:
    """Values of LOW and HIGH, from those that LOW's node has for the hands after the new card; as often as the hands
    before it meet others. `seen` tells where they meet whom: after and before the other's new card, if there was one.
    """
    keep, low, high = value[rounds.child[node]], value[rounds.child[node] + 1], value[rounds.child[node] + 2]
    chance, zero, one = value.dtype.type(rounds.swap[node]), value.dtype.type(0.0), value.dtype.type(1.0)
    after, before = met[rounds.seen[me, node, 0]], met[rounds.seen[me, node, 1]]
    if rounds.player[node] != me:
        for h in range(hands):
            low[h] *= min(max(before[h], zero) / after[h], one) if after[h] > zero else zero
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
            keep[h] *= min(seen / after[h], one) if after[h] > zero else zero


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


@jit(inner=True, bare=True)
def play(
    rounds: Any,
    hands: Any,
    b: int,
    s: int,
    me: int,
    own: bool,
    source: Any,
    reach: Any,
    sigma: Any,
    total: Any,
    scale: Any,
    mark: int,
    weight: float,
    turn: int,
    workspace: Any,
) -> None:
    """Strategies from what is positive in the source, hand by hand (even where nothing is), and what they lead to.

    For the opponent that is the reach below each decision. For the player whose walk it is, it is the strategy itself;
    with a weight also the reach, which is added to the average's sums, `total`.
    """
    columns, entries = reach.shape[1], rounds.entries[s + 1] - rounds.entries[s]
    share, even, mixed = workspace.share, workspace.even, workspace.mixed
    zero, one, least = share.dtype.type(0.0), share.dtype.type(1.0), share.dtype.type(1.2e-38)
    for node in range(rounds.start[s], rounds.start[s + 1]):
        if rounds.player[node] != me or _follows(rounds, node):
            continue
        begin, actions = np.int64(rounds.row[node]), rounds.count[node]
        here, below = reach[rounds.at[me, node]], entries + begin
        for h in range(columns):
            share[h] = max(source[begin, h], source.dtype.type(0))
        for a in range(1, actions):
            for h in range(columns):
                share[h] += max(source[begin + a, h], source.dtype.type(0))
        level = share.dtype.type(1.0 / actions)
        for h in range(columns):
            some = share[h] > least  # one over anything less is infinite in float32
            even[h] = zero if some else level
            share[h] = one / (share[h] if some else one)
        if not own:
            for a in range(actions):
                for h in range(columns):
                    now = max(source[begin + a, h], source.dtype.type(0)) * share[h] + even[h]
                    reach[below + a, h] = here[h] * now
            if rounds.swap[node] > 0.0:
                swap_down(
                    rounds, node, me, hands.cards[me], hands.order[me, b, : hands.alive[me, b]], reach, workspace.held
                )
            continue
        for a in range(actions):
            for h in range(columns):
                sigma[begin + a, h] = max(source[begin + a, h], source.dtype.type(0)) * share[h] + even[h]
        if weight == 0.0:
            continue
        for a in range(actions):
            for h in range(columns):
                reach[below + a, h] = here[h] * sigma[begin + a, h]
        if scale is None:
            for a in range(actions):
                for h in range(columns):
                    total[begin + a, h] += weight * reach[below + a, h]
        else:
            for a in range(actions):
                for h in range(columns):
                    mixed[a, h] = total[begin + a, h] * scale[mark + begin] + weight * reach[below + a, h]
            scale[mark + begin] = _pack(mixed, actions, columns, total, begin, mark + begin, 2 * turn)
        if rounds.swap[node] > 0.0:
            swap_down(
                rounds, node, me, hands.cards[me], hands.order[me, b, : hands.alive[me, b]], reach, workspace.held
            )


@jit(bare=True)
def descend(rounds: Any, s: int, me: int, sigma: Any, reach: Any, cards: Any, alive: Any, held: Any) -> None:
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
def enter(rounds: Any, hands: Any, s: int, b: int, me: int, come: Any, reach: Any, left: Any) -> None:
    """Bring a player's reach from the deals of the street above onto a board; `left` is room to mark its hands."""
    n = reach.shape[1]
    if hands.above.shape[0] > 0:
        above = hands.above[b]
        for i in range(rounds.deals[s] - rounds.deals[s - 1]):
            line = come[rounds.at[me, rounds.deal[rounds.deals[s - 1] + i]]]
            for h in range(n):
                reach[i, h] = line[above[h]]
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
def ends(rounds: Any, s: int, me: int, hands: int, value: Any, won: Any, met: Any) -> None:
    """The value of every end, from what was won and met on its line."""
    for k in range(rounds.ends[s], rounds.ends[s + 1]):
        meeting, beating = value.dtype.type(rounds.pay[me, k, 0]), value.dtype.type(rounds.pay[me, k, 1])
        node, line = rounds.end[k], rounds.line[me, k]
        if rounds.player[node] == FOLD:
            for h in range(hands):
                value[node, h] = meeting * met[line, h]
        else:
            for h in range(hands):
                value[node, h] = meeting * met[line, h] + beating * won[line, h]


@jit(bare=True)
def earn(rounds: Any, s: int, me: int, value: Any, reach: Any, weight: float, out: Any) -> None:
    """Add what ends are worth to `out`, [hands], as often as the player's own reach gets there, times a weight."""
    for k in range(rounds.ends[s], rounds.ends[s + 1]):
        worth, come = value[rounds.end[k]], reach[rounds.at[me, rounds.end[k]]]
        for h in range(out.shape[0]):
            out[h] += weight * come[h] * worth[h]


@jit(bare=True)
def ascend(
    rounds: Any, s: int, me: int, mode: int, hands: int, value: Any, sigma: Any, cards: Any, met: Any, held: Any
) -> None:
    """Values up to the entries; own decisions mix, or take the best."""
    for node in range(rounds.start[s + 1] - 1, rounds.start[s] - 1, -1):
        if rounds.player[node] <= 1 and open_up(rounds, node, me, cards, hands, value, met, held):
            _worth(rounds, node, rounds.player[node] == me, mode == BEST, hands, value, sigma)


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
def _worth(rounds: Any, node: int, own: bool, best: bool, hands: int, value: Any, sigma: Any) -> None:
    """The value of a decision from those of its actions."""
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
def _reply(rounds: Any, node: int, hands: int, value: Any, held: Any) -> None:
    """The value of an own decision where some hands are held to shares, `held`; below 0 it says that a hand is free.

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
def rise(
    rounds: Any,
    s: int,
    me: int,
    mode: int,
    hands: int,
    value: Any,
    sigma: Any,
    regret: Any,
    guess: Any,
    scale: Any,
    mark: int,
    rule: Any,
    mixed: Any,
    cards: Any,
    met: Any,
    held: Any,
) -> None:
    """`ascend`, and with LEARN regrets are updated on the way: this iteration's are added, and all are discounted.

    With REPLY, `regret` has the shares of the hands that are held to some, and gets those of the others.
    """
    keep, shrink, zero = rule.keep, rule.shrink, value.dtype.type(0.0)
    for node in range(rounds.start[s + 1] - 1, rounds.start[s] - 1, -1):
        if rounds.player[node] > 1 or not open_up(rounds, node, me, cards, hands, value, met, held):
            continue
        if rounds.player[node] == me and mode == REPLY:
            _reply(rounds, node, hands, value, regret)
            continue
        _worth(rounds, node, rounds.player[node] == me, mode == BEST, hands, value, sigma)
        if rounds.player[node] != me or mode != LEARN:
            continue
        actions, row, child = rounds.count[node], rounds.row[node], rounds.child[node]
        if scale is None:
            for a in range(actions):
                for h in range(hands):
                    new = regret[row + a, h] + (value[child + a, h] - value[node, h])
                    regret[row + a, h] = new * (keep if new > zero else shrink)
            if rule.predictive:
                for a in range(actions):
                    for h in range(hands):
                        guess[row + a, h] = regret[row + a, h] + (value[child + a, h] - value[node, h])
        else:
            for a in range(actions):
                for h in range(hands):
                    new = regret[row + a, h] * scale[mark + row] + (value[child + a, h] - value[node, h])
                    mixed[a, h] = new * (keep if new > zero else shrink)
            scale[mark + row] = _pack(mixed, actions, hands, regret, row, mark + row, 2 * rule.turn + 1)
            if rule.predictive:
                for a in range(actions):
                    for h in range(hands):
                        mixed[a, h] += value[child + a, h] - value[node, h]
                _pack(mixed, actions, hands, guess, row, mark + row, 2 * rule.turn + 1)


@jit(inner=True, bare=True)
def _pack(mixed: Any, actions: int, hands: int, out: Any, row: int, place: int, key: int) -> Any:
    """Round to int16; the scale that gives the numbers back. The last row of `mixed` is room for the greatest.

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
def leave(rounds: Any, hands: Any, s: int, b: int, me: int, come: Any, rows: Any, value: Any) -> None:
    """Add the values of a board's entries, `come[rows]`, to those of the deals above, once for each board that it
    stands for.
    """
    for i in range(rounds.deals[s] - rounds.deals[s - 1]):
        here, there = value[rounds.deal[rounds.deals[s - 1] + i]], come[rows[i]]
        if hands.above.shape[0] > 0:
            above, times = hands.above[b], hands.times[b]
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


@jit(bare=True)
def walk_part(
    stage: int,
    rounds: Any,
    hands: Any,
    share: int,
    shares: int,
    mode: int,
    seat: int,
    policy: Any,
    stores: Any,
    rule: Any,
    steps: Any,
    workspace: Any,
    parts: Any,
    nth: Any,
) -> None:
    """A walk, or a part of one that is shared out; one kernel, since each that calls others costs the compiler seconds.

    A WHOLE walk goes from the root down and up again. Shared out, first OPEN the root's board. Then each worker's SHARE
    of the boards right below, street 1: `parts[board]` gets the values of their entries, and the room must have the
    reach of the root's deals. Last CLOSE the root: `parts` are added up, board by board in order. `nth` counts entries.

    Stores and policy are arrays of every street in turn; scales are None where a store has none. `steps` are the
    numbers of the rule, [iterations, 3], one after the other for whole walks of BOTH, else of this one walk.
    """
    last, top = rounds.start.shape[0] - 2, 1 if stage == SHARE else 0
    cursor, current, value = workspace.cursor, workspace.current, workspace.value
    jobs = 2 * steps.shape[0] if seat == BOTH else parts.shape[0] if stage == SHARE else share + 1
    for job in range(share, jobs, shares):
        task = job if stage == SHARE else 0
        me, step = (job % 2, job // 2) if seat == BOTH else (seat, 0)
        keep, shrink, weigh = steps[step, 0], steps[step, 1], steps[step, 2]
        now = Rule(keep, shrink, weigh, rule.predictive, rule.whole, rule.turn + step)
        s = top
        current[0] = hands.start[0]
        current[s] = hands.start[s] + task
        fresh = stage != CLOSE
        if stage == CLOSE:
            for b in range(parts.shape[0]):
                leave(rounds, hands, top + 1, hands.start[1] + b, me, parts[b], nth, value)
        while True:
            b = current[s]
            if fresh:
                # going down: both players' reach; the own one counts in the average alone
                cursor[s] = hands.child[b]
                for p in range(2):
                    own = p == me
                    if own and mode in (BEST, REPLY):
                        continue
                    n, rows = hands.wide[p, b], rounds.rows[p, s]
                    reach = _reach(rounds, hands, workspace, s, b, p)
                    if s > 0 and not (own and mode == MIX):
                        come = _reach(rounds, hands, workspace, s - 1, current[s - 1], p)
                        enter(rounds, hands, s, b, p, come, reach, workspace.share)
                    at, mark = _place(rounds, hands, stores[p], s, b, p)
                    source, sigma = (
                        _part(policy[p], at, rows, n),
                        _part(workspace.sigma[p], workspace.sigma_at[p, s], rows, n),
                    )
                    total, scale = _part(stores[p].total, at, rows, n), stores[p].total_scale
                    weight = now.weight if mode == LEARN else value.dtype.type(0.0)
                    play(
                        rounds,
                        hands,
                        b,
                        s,
                        p,
                        own,
                        source,
                        reach,
                        sigma,
                        total,
                        scale,
                        mark,
                        weight,
                        now.turn,
                        workspace,
                    )
                for i in range(rounds.deals[s], rounds.deals[s + 1]):
                    value[rounds.deal[i]] = 0.0
                if stage == OPEN:
                    return
            fresh = stage != CLOSE and s < last and rounds.deals[s + 1] > rounds.deals[s]
            if fresh and cursor[s] < hands.child[b + 1]:
                current[s + 1] = cursor[s]
                cursor[s] += 1
                s += 1
                continue
            # going up: the values of ends and decisions
            fresh = False
            n, rows = hands.wide[me, b], rounds.rows[me, s]
            lines = rounds.lines[rounds.first_line[me, s] : rounds.first_line[me, s + 1]]
            theirs = _reach(rounds, hands, workspace, s, b, 1 - me)
            showdowns = rounds.showdowns[me, s]
            block, summed, held, pick = workspace.block, workspace.total, workspace.held, workspace.pick
            against_board(
                theirs, lines, showdowns, hands, b, me, block, summed, held, pick, workspace.won, workspace.met
            )
            ends(rounds, s, me, n, value, workspace.won, workspace.met)
            at, mark = _place(rounds, hands, stores[me], s, b, me)
            sigma, regret = (
                _part(workspace.sigma[me], workspace.sigma_at[me, s], rows, n),
                _part(stores[me].regret, at, rows, n),
            )
            guess = _part(stores[me].guess, at, rows, n) if now.predictive else regret
            scale = stores[me].regret_scale
            facts = hands.cards[me], workspace.met, held
            rise(rounds, s, me, mode, n, value, sigma, regret, guess, scale, mark, now, workspace.mixed, *facts)
            if s == top:
                break
            leave(rounds, hands, s, b, me, value, rounds.entry[rounds.entries[s] : rounds.entries[s + 1]], value)
            s -= 1
        if stage == SHARE:
            for i in range(parts.shape[1]):
                for h in range(hands.wide[me, current[1]]):
                    parts[task, i, h] = value[rounds.entry[rounds.entries[1] + i], h]
