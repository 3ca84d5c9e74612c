"""The walk over betting x boards x showdown, compiled: one board and one street of the betting at a time.

On a board the whole street of betting is done at once, with vectors over hands:

1. `enter`: each line that comes into the street brings both players' reach, 0 for hands that the new cards block.
2. `match`: strategies from regrets (or from sums of an average), hand by hand.
3. `descend`: a player's reach of everything below their own decisions. What the other does changes nothing of it, so a
   reach row belongs to an own action, and many nodes share one.
4. Boards of the next street are walked one after the other; their values add up, each for as many boards as it stands
   for, with the hands renamed.
5. `ends`: what the opponent's reach is worth at folds and showdowns (`against_lines`).
6. `ascend`: values up to the entries; own decisions mix, take the best, or learn.

`against_lines` walks the hands of a board once in order of strength and holds a *vector of lines* in each step, for a
running sum does not vectorise over hands, but all lines of a board share its order of hands. With `below` the reach of
the weaker hands and `held[c]` the part of it that has card c, a hand (a, b) beats `below - held[a] - held[b]`; no hand
that holds both cards is weaker than itself, so nothing was taken off twice. After the equal hands are added, the same
sum (now with the hand itself put back) counts wins and ties; half of both is `won`.

Everything here works on arrays made beforehand (`headsup.games.walk`); nothing allocates. The streets of a game lie one
after another in the same arrays, so that a game of one street and one of four are the same to the compiler.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from headsup.backend import jit

DEAL, FOLD, SHOWDOWN = 2, 3, 4
LEARN, BEST, MIX = 0, 1, 2
"""What happens at own decisions: regrets and averages are updated, the best action is taken, or the strategy mixes."""
OPEN, SHARE, CLOSE = 0, 1, 2
"""The stages of a walk that is shared out."""
LINES = 16
"""How many lines `against_lines` takes together: wide enough for the vector unit, narrow enough for the cache."""


class Rounds(NamedTuple):
    """The betting of all streets; nodes are those of the betting tree."""

    start: Any  # int64[streets + 1] where the nodes of a street begin
    player: Any  # int8[nodes] 0 or 1 at decisions, else DEAL, FOLD, SHOWDOWN
    child: Any  # int32[nodes] the first child
    count: Any  # int32[nodes] how many actions a decision has
    row: Any  # int32[nodes] at a decision, the first of its rows in the mover's strategy on this street
    at: Any  # int32[2, nodes] which row of each player's reach holds here: entries first, then one for each own row
    entry: Any  # int32[...] the nodes where lines come in, street by street
    entries: Any  # int64[streets + 1] where those of a street begin
    deal: Any  # int32[...] nodes that go on to the entry of the same number on the next street
    deals: Any  # int64[streets + 1]
    end: Any  # int32[...] folds and showdowns
    ends: Any  # int64[streets + 1]
    pay: Any  # float64[2, ends, 2] what each player gets there: for meeting a hand, and more for beating it
    line: Any  # int32[2, ends] which of the player's lines on this street an end belongs to
    lines: Any  # int32[...] for each player and street: rows of the opponent's reach with an end under them
    first_line: Any  # int64[2, streets + 1] where those begin
    showdowns: Any  # int64[2, streets] how many of them have a showdown; they come first
    rows: Any  # int64[2, streets] how many rows each player's strategy has


class Hands(NamedTuple):
    """Both players' hands, and the boards of all streets with the hands in order on each."""

    number: Any  # int64[2] how many hands each player may hold
    cards: Any  # uint8[2, hands, 2]
    same: Any  # int32[2, hands] the opponent's hand of the same two cards, or -1
    maps: Any  # int16[2, 24, hands] the hand that each renaming of suits turns a hand into
    start: Any  # int64[streets + 1] where the boards of a street begin
    child: Any  # int64[boards + 1] the boards below a board are child[b] .. child[b + 1]
    first: Any  # int64[boards + 1] where the renamings of a board begin
    renaming: Any  # uint8[...]
    order: Any  # int16[2, boards, hands] the hands that the board leaves, weakest first
    strength: Any  # int16[2, boards, hands] their strengths in that order; all equal before the last street
    alive: Any  # int32[2, boards] how many those are


class Room(NamedTuple):
    """Where one worker works: an array for all streets, and where each street's part of it begins."""

    reach: Any  # ([...], [...]) for each player [entries + rows, hands]
    sigma: Any  # ([...], [...]) for each player [rows, hands]
    value: Any  # [nodes, hands]
    won: Any  # [lines, hands]
    met: Any  # [lines, hands]
    reach_at: Any  # int64[2, streets]
    sigma_at: Any  # int64[2, streets]
    block: Any  # [hands, LINES] the opponent's reach, hands in order
    total: Any  # [hands, LINES]
    held: Any  # [52, LINES]
    below: Any  # [LINES]
    whole: Any  # [LINES]
    place: Any  # int32[hands] where a hand of the opponent stands in the order
    share: Any  # [hands]
    even: Any  # [hands]
    mixed: Any  # [actions, hands]
    cursor: Any  # int64[streets] the next board to visit on each street
    current: Any  # int64[streets] the board that each street is on


class Store(NamedTuple):
    """What one player has learnt: [boards, rows, hands] of each street, one street after another.

    A number is a float, or an int16 times the scale of its decision.
    """

    regret: Any
    total: Any
    guess: Any  # regrets with the last gain counted twice, for predictive variants; else empty
    regret_scale: Any  # float32, [boards, rows] of each street; empty for floats
    total_scale: Any
    at: Any  # int64[streets] where a street begins
    scale_at: Any  # int64[streets]


class Rule(NamedTuple):
    """The update of one iteration."""

    keep: float  # what is kept of positive regrets
    shrink: float  # what is kept of negative ones
    weight: float  # of this iteration in the average
    predictive: bool
    whole: bool  # whether stores are int16


@jit
def against_lines(
    reach: Any, rows: Any, showdowns: int, hands: Any, b: int, me: int, room: Any, won: Any, met: Any
) -> None:
    """For each row of the opponent's reach and each own hand: what it meets, and beats (for the first `showdowns`).

    `won` and `met` are [lines, own hands]; hands that the board blocks get 0.
    """
    block, total, held, below, whole, place = room.block, room.total, room.held, room.below, room.whole, room.place
    theirs, ours = hands.order[1 - me, b], hands.order[me, b]
    their_strength, our_strength = hands.strength[1 - me, b], hands.strength[me, b]
    their_cards, our_cards, same = hands.cards[1 - me], hands.cards[me], hands.same[me]
    n_theirs, n_ours, n_all = hands.alive[1 - me, b], hands.alive[me, b], hands.number[me]
    for i in range(n_theirs):
        place[theirs[i]] = i
    for start in range(0, rows.shape[0], LINES):
        width = min(LINES, rows.shape[0] - start)
        if width < LINES:
            block[:n_theirs] = 0.0
        for line in range(width):
            row = reach[rows[start + line]]
            for i in range(n_theirs):
                block[i, line] = row[theirs[i]]
        held[:] = 0.0
        whole[:] = 0.0
        for i in range(n_theirs):
            x, y = their_cards[theirs[i], 0], their_cards[theirs[i], 1]
            for line in range(LINES):
                whole[line] += block[i, line]
                held[x, line] += block[i, line]
                held[y, line] += block[i, line]
        for j in range(n_ours):
            x, y, twin = our_cards[ours[j], 0], our_cards[ours[j], 1], same[ours[j]]
            for line in range(LINES):
                total[j, line] = whole[line] - held[x, line] - held[y, line]
            if twin >= 0:
                for line in range(LINES):
                    total[j, line] += block[place[twin], line]
        for line in range(width):
            row = met[start + line]
            for j in range(n_ours):
                row[ours[j]] = total[j, line]
            for j in range(n_ours, n_all):
                row[ours[j]] = 0.0
        if start >= showdowns:
            continue
        held[:] = 0.0
        below[:] = 0.0
        i = 0
        j = 0
        while j < n_ours:
            strength = our_strength[j]
            while i < n_theirs and their_strength[i] < strength:
                _add(block, i, their_cards, theirs[i], below, held)
                i += 1
            first = j
            while j < n_ours and our_strength[j] == strength:
                x, y = our_cards[ours[j], 0], our_cards[ours[j], 1]
                for line in range(LINES):
                    total[j, line] = below[line] - held[x, line] - held[y, line]
                j += 1
            while i < n_theirs and their_strength[i] == strength:
                _add(block, i, their_cards, theirs[i], below, held)
                i += 1
            for k in range(first, j):
                x, y, twin = our_cards[ours[k], 0], our_cards[ours[k], 1], same[ours[k]]
                for line in range(LINES):
                    total[k, line] += below[line] - held[x, line] - held[y, line]
                if twin >= 0:
                    for line in range(LINES):
                        total[k, line] += block[place[twin], line]
        for line in range(min(width, showdowns - start)):
            row = won[start + line]
            for j in range(n_ours):
                row[ours[j]] = total[j, line] * 0.5
            for j in range(n_ours, n_all):
                row[ours[j]] = 0.0


@jit(inline=True)
def _add(block: Any, i: int, cards: Any, hand: int, below: Any, held: Any) -> None:
    x, y = cards[hand, 0], cards[hand, 1]
    for line in range(LINES):
        below[line] += block[i, line]
        held[x, line] += block[i, line]
        held[y, line] += block[i, line]


@jit(inline=True)
def _part(flat: Any, at: int, rows: int, columns: int) -> Any:
    return flat[at : at + rows * columns].reshape(rows, columns)


@jit(inner=True)
def reach_of(rounds: Any, hands: Any, room: Any, s: int, me: int) -> Any:
    """A player's reach on a street, [entries + rows, hands]."""
    rows = rounds.entries[s + 1] - rounds.entries[s] + rounds.rows[me, s]
    return _part(room.reach[me], room.reach_at[me, s], rows, hands.number[me])


@jit(inner=True)
def sigma_of(rounds: Any, hands: Any, room: Any, s: int, me: int) -> Any:
    """A player's strategy on a street, [rows, hands]."""
    return _part(room.sigma[me], room.sigma_at[me, s], rounds.rows[me, s], hands.number[me])


@jit(inner=True)
def match(rounds: Any, s: int, me: int, source: Any, sigma: Any, room: Any) -> None:
    """Shares in proportion to what is positive in the source, hand by hand; equal ones where nothing is."""
    hands = sigma.shape[1]
    share, even = room.share, room.even
    for node in range(rounds.start[s], rounds.start[s + 1]):
        if rounds.player[node] != me:
            continue
        begin, end = rounds.row[node], rounds.row[node] + rounds.count[node]
        for h in range(hands):
            share[h] = 0.0
        for r in range(begin, end):
            for h in range(hands):
                sigma[r, h] = max(source[r, h], source.dtype.type(0))
                share[h] += sigma[r, h]
        level = 1.0 / (end - begin)
        for h in range(hands):
            some = share[h] > 0.0
            even[h] = 0.0 if some else level
            share[h] = 1.0 / (share[h] if some else 1.0)
        for r in range(begin, end):
            for h in range(hands):
                sigma[r, h] = sigma[r, h] * share[h] + even[h]


@jit
def descend(rounds: Any, s: int, me: int, sigma: Any, reach: Any) -> None:
    """A player's reach below each of their own decisions."""
    entries = rounds.entries[s + 1] - rounds.entries[s]
    for node in range(rounds.start[s], rounds.start[s + 1]):
        if rounds.player[node] == me:
            here = reach[rounds.at[me, node]]
            for r in range(rounds.row[node], rounds.row[node] + rounds.count[node]):
                below = reach[entries + r]
                for h in range(here.shape[0]):
                    below[h] = here[h] * sigma[r, h]


@jit(inner=True)
def enter(rounds: Any, hands: Any, s: int, b: int, me: int, come: Any, reach: Any) -> None:
    """Bring a player's reach from the deals of the street above onto a board."""
    order, alive = hands.order[me, b], hands.alive[me, b]
    for i in range(rounds.deals[s] - rounds.deals[s - 1]):
        above = come[rounds.at[me, rounds.deal[rounds.deals[s - 1] + i]]]
        here = reach[i]
        for j in range(alive):
            here[order[j]] = above[order[j]]
        for j in range(alive, here.shape[0]):
            here[order[j]] = 0.0


@jit
def ends(rounds: Any, s: int, me: int, hands: int, value: Any, won: Any, met: Any) -> None:
    """The value of every end, from what was won and met on its line."""
    for k in range(rounds.ends[s], rounds.ends[s + 1]):
        meeting, beating = rounds.pay[me, k, 0], rounds.pay[me, k, 1]
        here, line = value[rounds.end[k]], rounds.line[me, k]
        if rounds.player[rounds.end[k]] == FOLD:
            for h in range(hands):
                here[h] = meeting * met[line, h]
        else:
            for h in range(hands):
                here[h] = meeting * met[line, h] + beating * won[line, h]


@jit
def ascend(rounds: Any, s: int, me: int, mode: int, hands: int, value: Any, sigma: Any) -> None:
    """Values up to the entries; own decisions mix, or take the best."""
    for node in range(rounds.start[s + 1] - 1, rounds.start[s] - 1, -1):
        who = rounds.player[node]
        if who > 1:
            continue
        begin, row = rounds.child[node], rounds.row[node]
        here, child = value[node], value[begin]
        if who == me and mode != BEST:
            for h in range(hands):
                here[h] = sigma[row, h] * child[h]
        else:
            for h in range(hands):
                here[h] = child[h]
        for a in range(1, rounds.count[node]):
            child = value[begin + a]
            if who != me:
                for h in range(hands):
                    here[h] += child[h]
            elif mode == BEST:
                for h in range(hands):
                    here[h] = max(here[h], child[h])
            else:
                for h in range(hands):
                    here[h] += sigma[row + a, h] * child[h]


@jit(inner=True)
def learn(rounds: Any, s: int, me: int, value: Any, reach: Any, store: Any, at: int, rule: Any) -> None:
    """Add the regrets of this iteration, discount them, and add the strategy in use to the average."""
    hands, entries = reach.shape[1], rounds.entries[s + 1] - rounds.entries[s]
    keep, shrink, weight = rule.keep, rule.shrink, rule.weight
    for node in range(rounds.start[s], rounds.start[s + 1]):
        if rounds.player[node] != me:
            continue
        here = value[node]
        for a in range(rounds.count[node]):
            row, child = rounds.row[node] + a, value[rounds.child[node] + a]
            own, low = reach[entries + row], at + row * hands
            regret, total = store.regret[low : low + hands], store.total[low : low + hands]
            if rule.predictive:
                guess = store.guess[low : low + hands]
                for h in range(hands):
                    gain = child[h] - here[h]
                    new = regret[h] + gain
                    new *= keep if new > 0.0 else shrink
                    regret[h] = new
                    guess[h] = new + gain
            else:
                for h in range(hands):
                    new = regret[h] + (child[h] - here[h])
                    new *= keep if new > 0.0 else shrink
                    regret[h] = new
            for h in range(hands):
                total[h] += weight * own[h]


@jit(inner=True)
def learn_whole(
    rounds: Any, s: int, me: int, value: Any, reach: Any, store: Any, at: int, scale_at: int, rule: Any, mixed: Any
) -> None:
    """`learn` where stores are int16 times a scale for each decision."""
    hands, entries = reach.shape[1], rounds.entries[s + 1] - rounds.entries[s]
    for node in range(rounds.start[s], rounds.start[s + 1]):
        if rounds.player[node] != me:
            continue
        here, row, actions = value[node], rounds.row[node], rounds.count[node]
        low, mark = at + row * hands, scale_at + row
        scale = store.regret_scale[mark]
        for a in range(actions):
            child, old = value[rounds.child[node] + a], store.regret[low + a * hands : low + (a + 1) * hands]
            for h in range(hands):
                new = old[h] * scale + (child[h] - here[h])
                mixed[a, h] = new * (rule.keep if new > 0.0 else rule.shrink)
        store.regret_scale[mark] = _pack(mixed, actions, hands, store.regret, low)
        if rule.predictive:
            for a in range(actions):
                child = value[rounds.child[node] + a]
                for h in range(hands):
                    mixed[a, h] += child[h] - here[h]
            _pack(mixed, actions, hands, store.guess, low)
        scale = store.total_scale[mark]
        for a in range(actions):
            own, old = reach[entries + row + a], store.total[low + a * hands : low + (a + 1) * hands]
            for h in range(hands):
                mixed[a, h] = old[h] * scale + rule.weight * own[h]
        store.total_scale[mark] = _pack(mixed, actions, hands, store.total, low)


@jit(inner=True)
def _pack(mixed: Any, actions: int, hands: int, out: Any, low: int) -> Any:
    """Round to int16; the scale that gives the numbers back."""
    top = mixed.dtype.type(0)
    for a in range(actions):
        for h in range(hands):
            top = max(top, abs(mixed[a, h]))
    factor = 32767.0 / top if top > 0.0 else 0.0
    for a in range(actions):
        for h in range(hands):
            out[low + a * hands + h] = np.rint(mixed[a, h] * factor)
    return np.float32(top / 32767.0)


@jit(inner=True)
def leave(rounds: Any, hands: Any, s: int, b: int, me: int, come: Any, rows: Any, value: Any) -> None:
    """Add the values of a board's entries, `come[rows]`, to those of the deals above, once for each board that it
    stands for.
    """
    for i in range(rounds.deals[s] - rounds.deals[s - 1]):
        here, there = value[rounds.deal[rounds.deals[s - 1] + i]], come[rows[i]]
        for k in range(hands.first[b], hands.first[b + 1]):
            if hands.renaming[k] == 0:
                for h in range(hands.number[me]):
                    here[h] += there[h]
            else:
                renamed = hands.maps[me, hands.renaming[k]]
                for h in range(hands.number[me]):
                    here[h] += there[renamed[h]]


@jit(inner=True)
def open_board(
    rounds: Any, hands: Any, s: int, b: int, mode: int, me: int, policy: Any, stores: Any, room: Any
) -> None:
    """Both players' reach on a board, given the street above; room for what comes from the boards below is cleared."""
    for p in range(2):
        reach = reach_of(rounds, hands, room, s, p)
        if s > 0:
            enter(rounds, hands, s, b, p, reach_of(rounds, hands, room, s - 1, p), reach)
        if p != me or mode != BEST:
            sigma = sigma_of(rounds, hands, room, s, p)
            size = rounds.rows[p, s] * hands.number[p]
            at = stores[p].at[s] + (b - hands.start[s]) * size
            match(rounds, s, p, _part(policy[p], at, rounds.rows[p, s], hands.number[p]), sigma, room)
            descend(rounds, s, p, sigma, reach)
    for i in range(rounds.deals[s], rounds.deals[s + 1]):
        room.value[rounds.deal[i]] = 0.0


@jit(inner=True)
def close_board(rounds: Any, hands: Any, s: int, b: int, mode: int, me: int, stores: Any, rule: Any, room: Any) -> None:
    """Values of a board's ends and decisions; regrets and averages if this is a walk that learns."""
    rows = rounds.lines[rounds.first_line[me, s] : rounds.first_line[me, s + 1]]
    theirs = reach_of(rounds, hands, room, s, 1 - me)
    against_lines(theirs, rows, rounds.showdowns[me, s], hands, b, me, room, room.won, room.met)
    ends(rounds, s, me, hands.number[me], room.value, room.won, room.met)
    ascend(rounds, s, me, mode, hands.number[me], room.value, sigma_of(rounds, hands, room, s, me))
    if mode == LEARN:
        reach, store = reach_of(rounds, hands, room, s, me), stores[me]
        place = (b - hands.start[s]) * rounds.rows[me, s]
        at = store.at[s] + place * hands.number[me]
        if rule.whole:
            mark = store.scale_at[s] + place
            learn_whole(rounds, s, me, room.value, reach, store, at, mark, rule, room.mixed)
        else:
            learn(rounds, s, me, room.value, reach, store, at, rule)


@jit(inner=True)
def walk_below(
    rounds: Any, hands: Any, top: int, b: int, mode: int, me: int, policy: Any, stores: Any, rule: Any, room: Any
) -> None:
    """Walk a board of street `top` and every board below it; `room.value` then has the values of its entries."""
    last = rounds.start.shape[0] - 2
    cursor, current = room.cursor, room.current
    s = top
    current[s] = b
    fresh = True
    while True:
        here = current[s]
        if fresh:
            cursor[s] = hands.child[here]
            open_board(rounds, hands, s, here, mode, me, policy, stores, room)
        fresh = s < last and rounds.deals[s + 1] > rounds.deals[s] and cursor[s] < hands.child[here + 1]
        if fresh:
            current[s + 1] = cursor[s]
            cursor[s] += 1
            s += 1
            continue
        close_board(rounds, hands, s, here, mode, me, stores, rule, room)
        if s == top:
            return
        rows = rounds.entry[rounds.entries[s] : rounds.entries[s + 1]]
        leave(rounds, hands, s, here, me, room.value, rows, room.value)
        s -= 1


@jit
def walk_part(
    stage: int,
    rounds: Any,
    hands: Any,
    share: int,
    shares: int,
    mode: int,
    me: int,
    policy: Any,
    stores: Any,
    rule: Any,
    room: Any,
    parts: Any,
    nth: Any,
) -> None:
    """A part of a walk; one kernel with one door, since each costs the compiler seconds.

    OPEN the root's board. Then each worker's SHARE of the boards right below, street 1: `parts[board]` gets the values
    of their entries, and the room must have the reach of the root's deals. Last CLOSE the root: `parts` are added up,
    board by board in order. `nth` counts the entries.
    """
    root = hands.start[0]
    if stage == OPEN:
        open_board(rounds, hands, root, root, mode, me, policy, stores, room)
    elif stage == SHARE:
        top = root + 1
        rows = rounds.entry[rounds.entries[top] : rounds.entries[top + 1]]
        for b in range(share, parts.shape[0], shares):
            walk_below(rounds, hands, top, hands.start[top] + b, mode, me, policy, stores, rule, room)
            for i in range(rows.shape[0]):
                for h in range(hands.number[me]):
                    parts[b, i, h] = room.value[rows[i], h]
    else:
        for b in range(parts.shape[0]):
            leave(rounds, hands, root + 1, hands.start[root + 1] + b, me, parts[b], nth, room.value)
        close_board(rounds, hands, root, root, mode, me, stores, rule, room)
