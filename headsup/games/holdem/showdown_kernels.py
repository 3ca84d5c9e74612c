"""Sorted showdowns with card removal, compiled: what each hand of a board meets and beats.

Walk the hands of a board from the weakest up. With `held[all]` the opponent's weight passed so far and `held[c]` the
part of it that has card c, a hand (a, b) beats held[all] - held[a] - held[b]. After the equal hands are added, the same
sum (now with the hand itself put back) counts wins and ties; half of both is `beaten`. In the end it is `met`.

`against_lines` holds a *vector of lines* in each step: a running sum does not vectorise over hands, but all lines of a
board share its order of hands. A board has a column for each hand, or for each kind of hands that are alike
(`layout.Alike`, `_against_kinds`): a kind counts in `held[0]` as often as it has hands, and in `held[1 +
c]` as often as those have the one card that stands for all that are like it.

Hands of four cards (`_against_four`) beat, by inclusion-exclusion over the subsets S of their own cards,

    sum over S of (-1)^|S| held[S],        held[S] the opponent's weight passed so far that has all cards of S.

S has at most three cards; with all four it is the same hand, which is put back. Hands of equal strength stand in the
order of their cards, so that neighbours often differ in their lowest card alone: sums without it are taken once.

Where hands that are alike share a column (`layout.FourAlike`), sets of cards that are alike share a row of `held`. With
n hands alike, and m sets alike of which a hand has k, each of these sets is in k n / m of the hands: each of the hand's
k sets adds n / m times its weight.

Where a low splits the pot, let h and l be a hand's part (0, 1/2 or 1) of the high and of the low, where hands without a
low tie. Its part of the pot is h/2 + l/2 if one of the two has a low, else h, so in all

    h/2 + l/2 + (if neither has a low) (h/2 - 1/4)

and three sweeps, in order of the highs, of the lows, and of the highs of hands without a low, add up to it.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit
from headsup.games.holdem.lanes import (
    FEW,
    LINES,
    SETS,
    TILE,
    add,
    add_few,
    add_rest,
    add_times,
    count_parts_with,
    count_parts_without,
    count_with,
    count_without,
    mix_apart,
    put_rest,
    put_without,
    turn_in,
    turn_in_few,
    turn_out,
    turn_out_few,
)


@jit
def add_showdown(
    order: Any, strength: Any, cards: Any, weights: Any, scale: float, held: Any, beaten: Any, met: Any
) -> None:
    """Add `scale` times the weight that each hand beats (ties count half) and meets, for each list of weights.

    order: uint16[n] the hands that the board leaves, weakest first; strength: uint16[n] theirs in that order;
    cards: uint8[hands, 2]; weights, beaten, met: float64[hands, lists]; held: float64[53, lists], a buffer.
    """
    n, lists, half = len(order), weights.shape[1], 0.5 * scale
    held[:] = 0.0
    start = end = 0
    while start < n:
        while end < n and strength[end] == strength[start]:
            h = order[end]
            x, y = cards[h, 0], cards[h, 1]
            for k in range(lists):
                beaten[h, k] += half * (held[52, k] - held[x, k] - held[y, k])
            end += 1
        for i in range(start, end):
            h = order[i]
            x, y = cards[h, 0], cards[h, 1]
            for k in range(lists):
                held[52, k] += weights[h, k]
                held[x, k] += weights[h, k]
                held[y, k] += weights[h, k]
        for i in range(start, end):
            h = order[i]
            x, y = cards[h, 0], cards[h, 1]
            for k in range(lists):
                beaten[h, k] += half * (held[52, k] - held[x, k] - held[y, k] + weights[h, k])
        start = end
    for i in range(n):
        h = order[i]
        x, y = cards[h, 0], cards[h, 1]
        for k in range(lists):
            met[h, k] += scale * (held[52, k] - held[x, k] - held[y, k] + weights[h, k])


@jit(bare=True)
def against_lines(reach: Any, rows: Any, showdowns: int, hands: Any, b: int, me: int, buffers: Any) -> None:
    """For each row of the opponent's reach and each own hand: what it meets, and beats (for the first `showdowns`).

    `buffers.beaten` and `buffers.met` get [lines, own hands]; hands that the board blocks get 0. Everything is done in
    squares of TILE, so both must have full ones, and `reach` a row more than is asked for.
    """
    against_board(hands.four, reach, rows, showdowns, hands, b, me, buffers)


@jit(inner=True, bare=True)
def against_board(four: Any, reach: Any, rows: Any, showdowns: int, hands: Any, b: int, me: int, buffers: Any) -> None:
    """By the number of cards in a hand; `hands.four` on its own lets the compiler drop one branch where it is None."""
    if four is None:
        _against_two(reach, rows, showdowns, hands, b, me, buffers)
    else:
        _against_four(reach, rows, showdowns, hands, b, me, buffers)


@jit(inner=True, bare=True)
def _against_two(reach: Any, rows: Any, showdowns: int, hands: Any, b: int, me: int, buffers: Any) -> None:
    if hands.facts.shape[0] > 0:
        _against_kinds(reach, rows, showdowns, hands, b, me, buffers)
        return
    block, sums, held, pick = buffers.block, buffers.sums, buffers.held, buffers.pick
    theirs, ours = hands.order[1 - me, b], hands.order[me, b]
    their_strength, our_strength = hands.strength[1 - me, b], hands.strength[me, b]
    their_cards, our_cards, same = hands.cards[1 - me], hands.cards[me], hands.same[me]
    n_theirs, n_ours, columns = hands.alive[1 - me, b], hands.alive[me, b], reach.shape[1]
    for j in range(n_ours, hands.wide[me, b]):
        sums[ours[j]] = 0.0
    for start in range(0, rows.shape[0], LINES):
        width = min(LINES, rows.shape[0] - start)
        shown = min(width, showdowns - start)
        for line in range(LINES):
            pick[line] = np.int64(rows[start + min(line, width - 1)]) * columns
        for h in range(0, columns, TILE):
            for line in range(0, width, TILE):
                turn_in(block, h, line, reach, pick)
        held[:] = 0.0
        i = 0
        for won_first in range(1 if shown > 0 else 0, -1, -1):
            j = 0
            while j < n_ours:
                # for `met` all hands are of one strength that nobody ties with: those not counted yet are, at once
                strength = our_strength[j] if won_first else np.int16(32767)
                while i < n_theirs and their_strength[i] < strength:
                    _count(held, their_cards, block, theirs[i])
                    i += 1
                first = j
                while j < n_ours and (not won_first or our_strength[j] == strength):
                    h = ours[j]
                    put_rest(sums, h, held, our_cards[h, 0] + 1, our_cards[h, 1] + 1)
                    j += 1
                while i < n_theirs and their_strength[i] == strength:
                    _count(held, their_cards, block, theirs[i])
                    i += 1
                for k in range(first, j):
                    h = ours[k]
                    if won_first:
                        add_rest(sums, h, held, our_cards[h, 0] + 1, our_cards[h, 1] + 1)
                    if same[h] >= 0:
                        add(sums, h, block, same[h])
            out, factor, lines = (buffers.beaten, 0.5, shown) if won_first else (buffers.met, 1.0, width)
            for h in range(0, hands.wide[me, b], TILE):
                for line in range(0, lines, TILE):
                    turn_out(out, start + line, h, sums, line, sums.dtype.type(factor))


@jit(inline=True, bare=True)
def _count(held: Any, cards: Any, block: Any, h: int) -> None:
    add(held, 0, block, h)
    add(held, cards[h, 0] + 1, block, h)
    add(held, cards[h, 1] + 1, block, h)


@jit(inner=True, bare=True)
def _against_kinds(reach: Any, rows: Any, showdowns: int, hands: Any, b: int, me: int, buffers: Any) -> None:
    """`against_board` with a column for each kind of hands: they stand in order, the same for both players.

    So rows are turned into columns just before they are counted, and back as soon as they are done: all is near.
    """
    facts, strength, n, columns = hands.facts[b], hands.strength[me, b], hands.wide[me, b], reach.shape[1]
    block, sums, held, pick = buffers.block, buffers.sums, buffers.held, buffers.pick
    kind = held.dtype.type
    for start in range(0, rows.shape[0], LINES):
        width = min(LINES, rows.shape[0] - start)
        shown = min(width, showdowns - start)
        for line in range(LINES):
            pick[line] = np.int64(rows[start + min(line, width - 1)]) * columns
        held[:] = 0.0
        ready = done = j = 0
        while j < n:
            first = j
            while j < n and (shown <= 0 or strength[j] == strength[first]):
                j += 1
            while ready < j:
                for line in range(0, width, TILE):
                    turn_in(block, ready, line, reach, pick)
                ready += TILE
            if shown > 0:
                for k in range(first, j):
                    put_rest(sums, k, held, facts[k, 0], facts[k, 1])
            for k in range(first, j):
                add_times(held, 0, block, k, kind(facts[k, 2]))
                add_times(held, facts[k, 0], block, k, kind(facts[k, 3]))
                add_times(held, facts[k, 1], block, k, kind(facts[k, 4]))
            if shown > 0:
                for k in range(first, j):
                    add_rest(sums, k, held, facts[k, 0], facts[k, 1])
                    add(sums, k, block, k)
                while done + TILE <= j or (j == n and done < n):
                    for line in range(0, shown, TILE):
                        turn_out(buffers.beaten, start + line, done, sums, line, kind(0.5))
                    done += TILE
        for h in range(0, n, TILE):
            for k in range(h, min(h + TILE, n)):
                put_rest(sums, k, held, facts[k, 0], facts[k, 1])
                add(sums, k, block, k)
            for line in range(0, width, TILE):
                turn_out(buffers.met, start + line, h, sums, line, kind(1.0))


class Lineup(NamedTuple):
    """Some of a player's hands on a board in an order, weakest first."""

    order: Any
    strength: Any
    number: int
    sets: Any
    size: Any  # how many hands a column stands for


@jit(inline=True, bare=True)
def _run_end(hands: Any, i: int, end: int) -> int:
    """Hands from i on that differ in their lowest card alone: they follow each other where strengths are equal."""
    triple, j = hands.sets[hands.order[i], SETS - 1], i + 1
    while j < end and hands.sets[hands.order[j], SETS - 1] == triple:
        j += 1
    return j


@jit(inner=True, bare=True)
def _count_four(theirs: Any, i: int, strength: int, block: Any, held: Any, part: Any) -> int:
    """Count the opponent's hands from i on of at most this strength; the first that is stronger.

    A column counts as often as it has hands (so does `block`), shared out among the sets that a row stands for.
    """
    spare = held.shape[0] - 1
    end = i
    while end < theirs.number and theirs.strength[end] <= strength:
        end += 1
    while i < end:
        first, j = theirs.order[i], _run_end(theirs, i, end)
        held[spare] = 0.0
        for k in range(i, j):
            h = theirs.order[k]
            if part.shape[0] > 0:
                count_parts_with(held, theirs.sets, h, block, h, part)
            else:
                count_with(held, theirs.sets, h, block, h)
            add_few(held, spare, block, h, held.dtype.type(1.0))
        if part.shape[0] > 0:
            count_parts_without(held, theirs.sets, first, held, spare, part)
        else:
            count_without(held, theirs.sets, first, held, spare)
        i = j
    return end


@jit(inner=True, bare=True)
def _look_four(ours: Any, i: int, end: int, sums: Any, held: Any, factor: Any) -> None:
    """Add what is counted and shares no card with own hands i .. end to their sums, times a factor."""
    spare, unit = held.shape[0] - 1, held.dtype.type(1.0)
    while i < end:
        j = _run_end(ours, i, end)
        put_without(held, spare, ours.sets, ours.order[i])
        for k in range(i, j):
            mix_apart(sums, ours.order[k], held, spare, ours.sets, unit, factor)
        i = j


@jit(inner=True, bare=True)
def _sweep(theirs: Any, ours: Any, same: Any, block: Any, sums: Any, held: Any, part: Any, factor: Any) -> None:
    """Add what own hands beat to `sums`, twice where they win and once where they tie; count all of theirs.

    In the end a factor times all that they meet is added, if it is not 0. There is one call of each step: the compiler
    copies what is called.
    """
    unit, i, j, done = held.dtype.type(1.0), np.int64(0), np.int64(0), False
    while not done:
        done = j >= ours.number
        strength, first = (np.int64(32767), np.int64(0)) if done else (np.int64(ours.strength[j]), j)
        while j < ours.number and ours.strength[j] == strength:
            j += 1
        times = factor if done else unit
        for equal in range(1 if done else 0, 2):
            i = _count_four(theirs, i, strength - 1 + equal, block, held, part)
            if times != 0.0:
                _look_four(ours, first, j, sums, held, times)
        for k in range(first, j if times != 0.0 else first):
            h = ours.order[k]
            if same[h] >= 0:
                add_few(sums, h, block, same[h], held.dtype.type(times / theirs.size[same[h]]))


@jit(inner=True, bare=True)
def _meet_four(theirs: Any, ours: Any, wide: int, same: Any, block: Any, sums: Any, held: Any) -> None:
    """What own hands meet of all that is counted, in the order of their cards; 0 for hands outside the lineup."""
    spare, unit, zero = held.shape[0] - 1, held.dtype.type(1.0), held.dtype.type(0.0)
    i = 0
    while i < wide:
        first = i
        put_without(held, spare, ours.sets, i)
        while i < wide and ours.sets[i, SETS - 1] == ours.sets[first, SETS - 1]:
            mix_apart(sums, i, held, spare, ours.sets, zero, unit)
            if same[i] >= 0:
                add_few(sums, i, block, same[i], held.dtype.type(1.0 / theirs.size[same[i]]))
            i += 1
    for j in range(ours.number, wide):
        sums[ours.order[j]] = 0.0


@jit(inner=True, bare=True)
def _forget(theirs: Any, held: Any) -> None:
    """Set the sums of counted hands to 0: all of them, or those of few hands."""
    if theirs.number * SETS >= held.shape[0]:
        held[:] = 0.0
    else:
        for i in range(theirs.number):
            for k in range(SETS):
                held[theirs.sets[theirs.order[i], k]] = 0.0


@jit(inner=True, bare=True)
def _against_four(reach: Any, rows: Any, showdowns: int, hands: Any, b: int, me: int, buffers: Any) -> None:
    """`against_board` for hands of four cards; `held` is 0 before and after."""
    block, sums, held, pick = buffers.block, buffers.sums, buffers.held, buffers.pick
    four, group, columns, you, kind = hands.four, hands.four.group[b], reach.shape[1], 1 - me, held.dtype.type
    same, size, sets = four.same[group, me], four.size[group], four.sets[group]
    part = four.part[group] if four.shares[group] else four.part[group][:0]
    theirs = Lineup(hands.order[you, b], hands.strength[you, b], hands.alive[you, b], sets[you], size[you])
    ours = Lineup(hands.order[me, b], hands.strength[me, b], hands.alive[me, b], sets[me], size[me])
    for start in range(0, rows.shape[0], FEW):
        width = min(FEW, rows.shape[0] - start)
        shown = min(width, showdowns - start)
        for line in range(FEW):
            pick[line] = np.int64(rows[start + min(line, width - 1)]) * columns
        for h in range(0, columns, TILE):
            for line in range(0, width, TILE):
                turn_in_few(block, h, line, reach, pick)
        for h in range(columns if part.shape[0] > 0 else 0):
            add_few(block, h, block, h, kind(theirs.size[h] - 1.0))
        sums[: hands.wide[me, b]] = 0.0
        split = four.split[b]
        for sweep in range(0 if split else 2, 3 if shown > 0 else 0):
            few, mine = theirs, ours
            if sweep < 2:
                order, strength, number = four.order[sweep], four.strength[sweep], four.number[sweep]
                few = Lineup(order[you, b], strength[you, b], number[you, b], sets[you], size[you])
                mine = Lineup(order[me, b], strength[me, b], number[me, b], sets[me], size[me])
            _sweep(few, mine, same, block, sums, held, part, kind(-1.0 if sweep == 1 else 0.0))
            if sweep < 2:
                _forget(few, held)
        if shown > 0:
            for h in range(0, hands.wide[me, b], TILE):
                for line in range(0, shown, TILE):
                    turn_out_few(buffers.beaten, start + line, h, sums, line, kind(0.25 if split else 0.5))
        else:
            _count_four(theirs, np.int64(0), np.int64(32767), block, held, part)
        _meet_four(theirs, ours, hands.wide[me, b], same, block, sums, held)
        for h in range(0, hands.wide[me, b], TILE):
            for line in range(0, width, TILE):
                turn_out_few(buffers.met, start + line, h, sums, line, kind(1.0))
        _forget(theirs, held)
