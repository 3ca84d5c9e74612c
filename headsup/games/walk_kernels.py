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
from headsup.games.lanes import LINES, TILE, add, add_rest, put_rest, turn_in, turn_out

DEAL, FOLD, SHOWDOWN = 2, 3, 4
LEARN, BEST, MIX = 0, 1, 2
"""What happens at own decisions: regrets and averages are updated, the best action is taken, or the strategy mixes."""
OPEN, SHARE, CLOSE = 0, 1, 2
"""The stages of a walk that is shared out."""


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
    block: Any  # [hands, LINES] the opponent's reach
    total: Any  # [hands, LINES] what own hands meet or beat
    held: Any  # [1 + 52, LINES] the reach counted so far: of all hands, and of those that hold each card
    pick: Any  # int64[LINES] where the rows of the lines begin
    share: Any  # [hands]
    even: Any  # [hands]
    ones: Any  # [hands]
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


@jit(bare=True)
def against_lines(
    reach: Any, rows: Any, showdowns: int, hands: Any, b: int, me: int, room: Any, won: Any, met: Any
) -> None:
    """For each row of the opponent's reach and each own hand: what it meets, and beats (for the first `showdowns`).

    `won` and `met` are [lines, own hands]; hands that the board blocks get 0. Everything is done in squares of TILE, so
    `won` and `met` must have full ones, and `reach` a row more than is asked for.
    """
    _against(reach, rows, showdowns, hands, b, me, room, won, met)


@jit(inner=True, bare=True)
def _against(reach: Any, rows: Any, showdowns: int, hands: Any, b: int, me: int, room: Any, won: Any, met: Any) -> None:
    block, total, held, pick = room.block, room.total, room.held, room.pick
    ours, n_ours, n_all = hands.order[me, b], hands.alive[me, b], hands.number[me]
    n_theirs, columns = hands.alive[1 - me, b], reach.shape[1]
    for j in range(n_ours, n_all):
        total[ours[j]] = 0.0
    for start in range(0, rows.shape[0], LINES):
        width = min(LINES, rows.shape[0] - start)
        wide = (width + TILE - 1) // TILE * TILE
        for line in range(wide):
            pick[line] = np.int64(rows[start + min(line, width - 1)]) * columns
        for h in range(0, hands.number[1 - me], TILE):
            for line in range(0, wide, TILE):
                turn_in(block, h, line, reach, pick)
        held[:] = 0.0
        seen = 0
        shown = min(width, showdowns - start)
        if shown > 0:
            seen = _beat(hands, b, me, block, total, held)
            _turned_out(total, n_all, total.dtype.type(0.5), won, start, shown)
        _meet(hands, b, me, seen, n_theirs, block, total, held)
        _turned_out(total, n_all, total.dtype.type(1.0), met, start, width)


@jit(inner=True, bare=True)
def _beat(hands: Any, b: int, me: int, block: Any, total: Any, held: Any) -> int:
    """Twice what is won: hands in order of strength, and how many of the opponent's were counted for it."""
    theirs, ours = hands.order[1 - me, b], hands.order[me, b]
    their_strength, our_strength = hands.strength[1 - me, b], hands.strength[me, b]
    their_cards, our_cards, same = hands.cards[1 - me], hands.cards[me], hands.same[me]
    n_theirs, n_ours = hands.alive[1 - me, b], hands.alive[me, b]
    i = 0
    j = 0
    while j < n_ours:
        strength = our_strength[j]
        while i < n_theirs and their_strength[i] < strength:
            _count(held, their_cards, block, theirs[i])
            i += 1
        first = j
        while j < n_ours and our_strength[j] == strength:
            h = ours[j]
            put_rest(total, h, held, our_cards[h, 0] + 1, our_cards[h, 1] + 1)
            j += 1
        while i < n_theirs and their_strength[i] == strength:
            _count(held, their_cards, block, theirs[i])
            i += 1
        for k in range(first, j):
            h = ours[k]
            add_rest(total, h, held, our_cards[h, 0] + 1, our_cards[h, 1] + 1)
            if same[h] >= 0:
                add(total, h, block, same[h])
    return i


@jit(inner=True, bare=True)
def _meet(hands: Any, b: int, me: int, seen: int, n_theirs: int, block: Any, total: Any, held: Any) -> None:
    """What is met: the opponent's hands that were not counted yet are, and then each own hand takes the rest."""
    theirs, ours = hands.order[1 - me, b], hands.order[me, b]
    their_cards, our_cards, same = hands.cards[1 - me], hands.cards[me], hands.same[me]
    for i in range(seen, n_theirs):
        _count(held, their_cards, block, theirs[i])
    for j in range(hands.alive[me, b]):
        h = ours[j]
        put_rest(total, h, held, our_cards[h, 0] + 1, our_cards[h, 1] + 1)
        if same[h] >= 0:
            add(total, h, block, same[h])


@jit(inner=True, bare=True)
def _count(held: Any, cards: Any, block: Any, h: int) -> None:
    add(held, 0, block, h)
    add(held, cards[h, 0] + 1, block, h)
    add(held, cards[h, 1] + 1, block, h)


@jit(inner=True, bare=True)
def _turned_out(total: Any, hands: int, factor: Any, out: Any, start: int, width: int) -> None:
    for h in range(0, hands, TILE):
        for line in range(0, width, TILE):
            turn_out(out, start + line, h, total, line, factor)


@jit(inline=True, bare=True)
def _part(flat: Any, at: int, rows: int, columns: int) -> Any:
    return flat[at : at + rows * columns].reshape(rows, columns)


@jit(inline=True, bare=True)
def reach_of(rounds: Any, hands: Any, room: Any, s: int, me: int) -> Any:
    """A player's reach on a street, [entries + rows, hands]."""
    rows = rounds.entries[s + 1] - rounds.entries[s] + rounds.rows[me, s]
    return _part(room.reach[me], room.reach_at[me, s], rows, hands.number[me])


@jit(inline=True, bare=True)
def sigma_of(rounds: Any, hands: Any, room: Any, s: int, me: int) -> Any:
    """A player's strategy on a street, [rows, hands]."""
    return _part(room.sigma[me], room.sigma_at[me, s], rounds.rows[me, s], hands.number[me])


@jit(inner=True, bare=True)
def match(source: Any, begin: int, end: int, factor: Any, out: Any, low: int, share: Any, even: Any) -> None:
    """Split `factor` in proportion to what is positive in rows of the source, hand by hand; evenly where nothing is."""
    hands = factor.shape[0]
    zero, one, level = share.dtype.type(0.0), share.dtype.type(1.0), share.dtype.type(1.0 / (end - begin))
    share[:hands] = zero
    for r in range(begin, end):
        for h in range(hands):
            share[h] += max(source[r, h], source.dtype.type(0))
    for h in range(hands):
        some = share[h] > zero
        even[h] = zero if some else factor[h] * level
        share[h] = factor[h] / (share[h] if some else one)
    for r in range(begin, end):
        for h in range(hands):
            out[low + r - begin, h] = max(source[r, h], source.dtype.type(0)) * share[h] + even[h]


@jit(inner=True, bare=True)
def reach_all(rounds: Any, s: int, me: int, source: Any, reach: Any, share: Any, even: Any) -> None:
    """A player's reach below each of their decisions, right from what their strategy is matched to."""
    entries = rounds.entries[s + 1] - rounds.entries[s]
    for node in range(rounds.start[s], rounds.start[s + 1]):
        if rounds.player[node] == me:
            begin, end = rounds.row[node], rounds.row[node] + rounds.count[node]
            match(source, begin, end, reach[rounds.at[me, node]], reach, entries + begin, share, even)


@jit(inner=True, bare=True)
def match_all(rounds: Any, s: int, me: int, source: Any, sigma: Any, room: Any) -> None:
    """A player's strategy at each of their decisions."""
    ones = room.ones[: sigma.shape[1]]
    for node in range(rounds.start[s], rounds.start[s + 1]):
        if rounds.player[node] == me:
            begin, end = rounds.row[node], rounds.row[node] + rounds.count[node]
            match(source, begin, end, ones, sigma, begin, room.share, room.even)


@jit(bare=True)
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


@jit(inner=True, bare=True)
def average(rounds: Any, s: int, me: int, reach: Any, store: Any, place: int, rule: Any, mixed: Any) -> None:
    """Add the strategy in use to the average, as often as it is played."""
    hands, entries = reach.shape[1], rounds.entries[s + 1] - rounds.entries[s]
    weight = reach.dtype.type(rule.weight)
    for node in range(rounds.start[s], rounds.start[s + 1]):
        if rounds.player[node] != me:
            continue
        row, actions = rounds.row[node], rounds.count[node]
        low = store.at[s] + (place + row) * hands
        if rule.whole:
            mark = store.scale_at[s] + place + row
            _unpack(store.total, low, actions, hands, reach.dtype.type(store.total_scale[mark]), mixed)
            for a in range(actions):
                for h in range(hands):
                    mixed[a, h] += weight * reach[entries + row + a, h]
            store.total_scale[mark] = _pack(mixed, actions, hands, store.total, low)
        else:
            for a in range(actions):
                total = store.total[low + a * hands : low + (a + 1) * hands]
                for h in range(hands):
                    total[h] += weight * reach[entries + row + a, h]


@jit(inner=True, bare=True)
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
def ascend(rounds: Any, s: int, me: int, mode: int, hands: int, value: Any, sigma: Any) -> None:
    """Values up to the entries; own decisions mix, or take the best."""
    for node in range(rounds.start[s + 1] - 1, rounds.start[s] - 1, -1):
        if rounds.player[node] <= 1:
            _worth(rounds, node, rounds.player[node] == me, mode, hands, value, sigma)


@jit(inner=True, bare=True)
def _worth(rounds: Any, node: int, own: bool, mode: int, hands: int, value: Any, sigma: Any) -> None:
    """The value of a decision from those of its actions."""
    begin, row = rounds.child[node], rounds.row[node]
    if own and mode != BEST:
        for h in range(hands):
            value[node, h] = sigma[row, h] * value[begin, h]
    else:
        for h in range(hands):
            value[node, h] = value[begin, h]
    for a in range(1, rounds.count[node]):
        if not own:
            for h in range(hands):
                value[node, h] += value[begin + a, h]
        elif mode == BEST:
            for h in range(hands):
                value[node, h] = max(value[node, h], value[begin + a, h])
        else:
            for h in range(hands):
                value[node, h] += sigma[row + a, h] * value[begin + a, h]


@jit(inner=True, bare=True)
def learn_all(
    rounds: Any, s: int, me: int, hands: int, value: Any, sigma: Any, store: Any, place: int, rule: Any, mixed: Any
) -> None:
    """`ascend` with mixing, and regrets updated on the way."""
    for node in range(rounds.start[s + 1] - 1, rounds.start[s] - 1, -1):
        if rounds.player[node] > 1:
            continue
        _worth(rounds, node, rounds.player[node] == me, MIX, hands, value, sigma)
        if rounds.player[node] == me:
            low = store.at[s] + (place + rounds.row[node]) * hands
            if rule.whole:
                mark = store.scale_at[s] + place + rounds.row[node]
                learn_whole(rounds, node, hands, value, store, low, mark, rule, mixed)
            else:
                learn(rounds, node, hands, value, store, low, rule)


@jit(inner=True, bare=True)
def learn(rounds: Any, node: int, hands: int, value: Any, store: Any, low: int, rule: Any) -> None:
    """Add the regrets of this iteration at a decision, and discount them."""
    keep, shrink, zero = value.dtype.type(rule.keep), value.dtype.type(rule.shrink), value.dtype.type(0.0)
    for a in range(rounds.count[node]):
        child = rounds.child[node] + a
        regret = store.regret[low + a * hands : low + (a + 1) * hands]
        if rule.predictive:
            guess = store.guess[low + a * hands : low + (a + 1) * hands]
            for h in range(hands):
                gain = value[child, h] - value[node, h]
                new = regret[h] + gain
                new = new * (keep if new > zero else shrink)
                regret[h] = new
                guess[h] = new + gain
        else:
            for h in range(hands):
                new = regret[h] + (value[child, h] - value[node, h])
                regret[h] = new * (keep if new > zero else shrink)


@jit(inner=True, bare=True)
def learn_whole(
    rounds: Any, node: int, hands: int, value: Any, store: Any, low: int, mark: int, rule: Any, mixed: Any
) -> None:
    """`learn` where stores are int16 times a scale for each decision."""
    keep, shrink, zero = value.dtype.type(rule.keep), value.dtype.type(rule.shrink), value.dtype.type(0.0)
    actions, begin = rounds.count[node], rounds.child[node]
    _unpack(store.regret, low, actions, hands, value.dtype.type(store.regret_scale[mark]), mixed)
    for a in range(actions):
        for h in range(hands):
            new = mixed[a, h] + (value[begin + a, h] - value[node, h])
            mixed[a, h] = new * (keep if new > zero else shrink)
    store.regret_scale[mark] = _pack(mixed, actions, hands, store.regret, low)
    if rule.predictive:
        for a in range(actions):
            for h in range(hands):
                mixed[a, h] += value[begin + a, h] - value[node, h]
        _pack(mixed, actions, hands, store.guess, low)


@jit(inner=True, bare=True)
def _unpack(store: Any, low: int, actions: int, hands: int, scale: Any, mixed: Any) -> None:
    """The numbers of a decision that int16 times a scale stand for."""
    for a in range(actions):
        for h in range(hands):
            mixed[a, h] = store[low + a * hands + h] * scale


@jit(inner=True, bare=True)
def _pack(mixed: Any, actions: int, hands: int, out: Any, low: int) -> Any:
    """Round to int16; the scale that gives the numbers back. The last row of `mixed` is room for the greatest."""
    top = mixed.shape[0] - 1
    zero = mixed.dtype.type(0.0)
    for h in range(hands):
        mixed[top, h] = abs(mixed[0, h])
    for a in range(1, actions):
        for h in range(hands):
            size = abs(mixed[a, h])
            mixed[top, h] = size if size > mixed[top, h] else mixed[top, h]
    left = hands
    while left > 1:  # the greatest of all, in halves: a running maximum would not vectorise
        half = (left + 1) // 2
        for h in range(left - half):
            size = mixed[top, half + h]
            mixed[top, h] = size if size > mixed[top, h] else mixed[top, h]
        left = half
    most = mixed[top, 0]
    factor = mixed.dtype.type(32767.0) / most if most > zero else zero
    for a in range(actions):
        for h in range(hands):
            out[low + a * hands + h] = np.rint(mixed[a, h] * factor)
    return np.float32(most / mixed.dtype.type(32767.0))


@jit(inner=True, bare=True)
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


@jit(inner=True, bare=True)
def open_board(
    rounds: Any, hands: Any, s: int, b: int, mode: int, me: int, policy: Any, stores: Any, rule: Any, room: Any
) -> None:
    """Both players' reach on a board, given the street above; room for what comes from the boards below is cleared.

    A player's own reach counts in the average alone.
    """
    for p in range(2):
        if p == me and mode == BEST:
            continue
        reach, rows = reach_of(rounds, hands, room, s, p), rounds.rows[p, s]
        if s > 0 and (p != me or mode == LEARN):
            enter(rounds, hands, s, b, p, reach_of(rounds, hands, room, s - 1, p), reach)
        place = (b - hands.start[s]) * rows
        source = _part(policy[p], stores[p].at[s] + place * hands.number[p], rows, hands.number[p])
        if p != me:
            reach_all(rounds, s, p, source, reach, room.share, room.even)
            continue
        sigma = sigma_of(rounds, hands, room, s, p)
        match_all(rounds, s, p, source, sigma, room)
        if mode == LEARN:
            descend(rounds, s, p, sigma, reach)
            average(rounds, s, p, reach, stores[p], place, rule, room.mixed)
    for i in range(rounds.deals[s], rounds.deals[s + 1]):
        room.value[rounds.deal[i]] = 0.0


@jit(inner=True, bare=True)
def close_board(rounds: Any, hands: Any, s: int, b: int, mode: int, me: int, stores: Any, rule: Any, room: Any) -> None:
    """Values of a board's ends and decisions; regrets are updated if this is a walk that learns."""
    rows = rounds.lines[rounds.first_line[me, s] : rounds.first_line[me, s + 1]]
    theirs, mine = reach_of(rounds, hands, room, s, 1 - me), sigma_of(rounds, hands, room, s, me)
    n = hands.number[me]
    _against(theirs, rows, rounds.showdowns[me, s], hands, b, me, room, room.won, room.met)
    ends(rounds, s, me, n, room.value, room.won, room.met)
    if mode == LEARN:
        place = (b - hands.start[s]) * rounds.rows[me, s]
        learn_all(rounds, s, me, n, room.value, mine, stores[me], place, rule, room.mixed)
    else:
        ascend(rounds, s, me, mode, n, room.value, mine)


@jit(inner=True, bare=True)
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
            open_board(rounds, hands, s, here, mode, me, policy, stores, rule, room)
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


@jit(bare=True)
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
        open_board(rounds, hands, root, root, mode, me, policy, stores, rule, room)
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
