"""Hands of the report's bet-level model, played by weights, and the profit of each choice.

A player chooses a level from 0 to 5 once a street. After the flop there are twelve choices: for the big blind (seat 1)
0-5 lead out and 6-11 check first, for the button 0-5 answer a check and 6-11 a bet. A row of weights (`row_of`) is the
play before the flop, the flop's texture, the hand's strength, and on later streets their textures and play.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit
from headsup.common.splitmix_kernels import draw

STACK = 200.0
LEVELS, CHOICES, PLAYED = 6, 12, 7
FLOP_ROWS = 4 * 12 * 14
TURN_ROWS = FLOP_ROWS * 4 * PLAYED
RIVER_ROWS = TURN_ROWS * 5 * PLAYED
ROWS = FLOP_ROWS + TURN_ROWS + RIVER_ROWS
FOLD, CALL, RAISE = 0, 1, 2
INTENDED, BETWEEN, LOWEST = 0, 1, 2
"""Which levels receive a profit: the one that was chosen, all from what came to be played up to it, the played."""
IDEAL = np.array([0.0, 2.0, 6.0, 18.0, 46.0, 200.0])
LIMITS = np.array([0.0, 2.0, 8.0, 24.0, 72.0, 200.0])
"""Before the flop: what the report raises to, and how far each level goes."""


@jit
def row_of(street: int, pre: int, flop: int, hand: int, turn: int, first: int, river: int, second: int) -> int:
    """The row of a state; `pre` is 1-4, `first` and `second` the play on flop and turn."""
    row = ((pre - 1) * 12 + flop) * 14 + hand
    if street == 1:
        return row
    row = (row * 4 + turn) * PLAYED + first
    if street == 2:
        return FLOP_ROWS + row
    return FLOP_ROWS + TURN_ROWS + (row * 5 + river) * PLAYED + second


@jit(inner=True)
def limit(level: int, pot: float, small: float) -> float:
    """The largest bet after the flop that a level calls; `small` is what counts as a check, 0.2."""
    return small * pot if level == 0 else pot * 3.0 ** (level - 1)


@jit
def level_of(bet: float, pot: float, small: float) -> int:
    for level in range(LEVELS - 1):
        if bet <= limit(level, pot, small):
            return level
    return LEVELS - 1


@jit
def next_bet(pot: float, stack: float, mine: float, theirs: float) -> float:
    """The report's bet or raise after the flop: 2/3 of the pot, three times the last bet, or all-in."""
    amount = 3.0 * theirs if theirs > 0.0 else pot * 2.0 / 3.0
    return stack if amount - mine > 0.6 * (stack - mine) else amount


@jit
def answer(level: int, pot: float, stack: float, mine: float, theirs: float, small: float) -> int:
    """What a level does after the flop; `stack` is at the start of the street, `mine` and `theirs` are bet."""
    most = min(stack, limit(level, pot, small))
    if theirs < stack and next_bet(pot, stack, mine, theirs) <= most:
        return RAISE
    return CALL if theirs <= most else FOLD


@jit
def level_before(bet: float) -> int:
    for level in range(LEVELS - 1):
        if bet <= LIMITS[level]:
            return level
    return LEVELS - 1


@jit
def raise_before(bet: float, stack: float) -> float:
    """The report's raise before the flop: its own next size, or three times where that is off."""
    level = level_before(bet)
    if level + 1 < LEVELS and IDEAL[level + 1] >= 2.0 * bet:
        return min(stack, IDEAL[level + 1])
    return min(stack, 3.0 * bet)


@jit
def answer_before(level: int, bet: float, stack: float) -> int:
    """What a level does before the flop against the highest bet."""
    if bet < stack and raise_before(bet, stack) <= LIMITS[level]:
        return RAISE
    return CALL if bet <= LIMITS[level] else FOLD


@jit(inner=True)
def pick(weights: Any, low: int, high: int, seed: Any) -> int:
    """An index from low to high - 1, in proportion to the weights."""
    total = 0.0
    for i in range(low, high):
        total += weights[i]
    left, last = draw(seed) * total, low
    for i in range(low, high):
        if weights[i] > 0.0:
            last = i
            left -= weights[i]
            if left < 0.0:
                return i
    return last


@jit(inner=True)
def play_before(levels: Any, bets: Any) -> int:
    """The betting before the flop between two levels; the seat that folds, or -1. `bets` are the chips of each."""
    bets[0], bets[1] = 1.0, 2.0
    seat, asked = 0, 0
    while True:
        most = max(bets[0], bets[1])
        does = answer_before(levels[seat], most, STACK)
        if does == FOLD and bets[seat] < most:
            return seat
        if does != RAISE:
            bets[seat] = most
            if asked:
                return -1
        else:
            bets[seat] = raise_before(most, STACK)
        asked, seat = 1, 1 - seat


@jit(inner=True)
def play_street(level: int, leads: bool, other: Any, pot: float, stack: float, small: Any, bets: Any, seed: Any) -> Any:
    """The betting of a street: (seat that folds or -1, whether the big blind bet first, the button's choice).

    `level` is the big blind's, `other` the button's weights, `small` what each takes for a check.
    """
    bets[0], bets[1] = 0.0, 0.0
    led = leads and answer(level, pot, stack, 0.0, 0.0, small[1]) == RAISE
    if led:
        bets[1] = next_bet(pot, stack, 0.0, 0.0)
    choice = pick(other, 6, 12, seed) if led else pick(other, 0, 6, seed)
    mine = min(choice % 6, level_of(stack, pot, small[0]))
    seat, asked = 0, 1
    while True:
        does = answer(mine if seat == 0 else level, pot, stack, bets[seat], bets[1 - seat], small[seat])
        if does == FOLD:
            return seat, led, choice
        if does == CALL:
            bets[seat] = bets[1 - seat]
            return -1, led, choice
        bets[seat] = next_bet(pot, stack, bets[seat], bets[1 - seat])
        asked, seat = asked + 1, 1 - seat


@jit(inner=True)
def tell(sums: Any, counts: Any, low: int, played: int, choice: int, profit: float, mode: int) -> None:
    """Add a profit to the levels of a set of choices from `low`; half as much per level below the choice."""
    first = choice if mode == INTENDED else min(choice, low + played)
    last = first if mode == LOWEST else choice
    share = 1.0
    for i in range(last, first - 1, -1):
        sums[i] += share * profit
        counts[i] += share
        share *= 0.5


class Players(NamedTuple):
    """How both seats play."""

    before: Any  # weights by seat, [169, 6]
    after: Any  # weights by seat, [ROWS, 12]
    small: Any  # the fraction of the pot up to which each seat takes a bet for a check


@jit
def play(
    facts: Any, players: Any, sums: Any, counts: Any, learn: int, discount: float, seed: Any, won: Any
) -> None:  # fmt: skip
    """Play one hand a row of `facts`; `won` gets what the button wins, `sums` and `counts` what choices earned.

    facts [n, 12]: for each seat class, strengths on flop, turn and river; then flop, turn, river texture, and 2, 1 or 0
    if the button's hand is better, as good or worse at the end. sums and counts: pairs of arrays like the weights,
    (before, after), by seat. learn: which levels receive profits, or -1 for none.
    """
    before, after, small = players
    levels, bets = np.zeros(2, dtype=np.int64), np.zeros(2)
    chosen, rows, plays = np.zeros((2, 4), dtype=np.int64), np.zeros((2, 4), dtype=np.int64), np.zeros(4, np.int64)
    for i in range(len(facts)):
        fact = facts[i]
        for seat in range(2):
            rows[seat, 0] = fact[4 * seat]
            levels[seat] = pick(before[seat][rows[seat, 0]], 0, LEVELS, seed)
            chosen[seat, 0] = levels[seat]
        folds = play_before(levels, bets)
        paid, lost = min(bets[0], bets[1]), min(bets[0], bets[1])
        plays[0] = level_before(max(bets[0], bets[1]))
        pre = level_before(paid)
        street, first, second = 0, 0, 0
        while folds < 0 and street < 3 and paid < STACK:
            street += 1
            hist = street - 1
            for seat in range(2):
                rows[seat, street] = row_of(
                    street, pre, fact[8], fact[4 * seat + street], fact[9], first, fact[10], second
                )
            pot, stack = 2.0 * paid, STACK - paid
            weights = after[1][rows[1, street]]
            choice = pick(weights, 0, CHOICES, seed)
            chosen[1, street] = choice
            level = min(choice % 6, level_of(stack, pot, small[1]))
            folds, led, other = play_street(level, choice < 6, after[0][rows[0, street]], pot, stack, small, bets, seed)
            chosen[0, street] = other
            plays[street] = level_of(max(bets[0], bets[1]), pot, 0.2)
            matched = min(bets[0], bets[1])
            paid += matched
            lost = paid
            if folds < 0 and hist < 2:
                played = min(3, level_of(matched, pot, 0.2))
                code = 0 if played == 0 else played if led else 3 + played
                if street == 1:
                    first = code
                else:
                    second = code
        profit = -lost if folds == 0 else lost if folds == 1 else (fact[11] - 1.0) * paid
        won[i] = profit
        if learn < 0:
            continue
        for seat in range(2):
            share = profit if seat == 0 else -profit
            for at in range(street, 0, -1):
                low = 0 if chosen[seat, at] < 6 else 6
                tell(
                    sums[1][seat][rows[seat, at]], counts[1][seat][rows[seat, at]], low, plays[at], chosen[seat, at],
                    share, learn,
                )  # fmt: skip
                share *= discount
            tell(
                sums[0][seat][rows[seat, 0]], counts[0][seat][rows[seat, 0]], 0, plays[0], chosen[seat, 0], share, learn
            )


@jit
def update(weights: Any, sums: Any, counts: Any, rate: float, clean: float, halves: bool) -> None:
    """Multiply each weight by exp(rate * mean profit), clean what is below `clean`, and normalise; sums go to zero.

    With `halves` the first and the last six of twelve are two distributions.
    """
    width = weights.shape[1]
    step = width // 2 if halves else width
    for row in range(len(weights)):
        for low in range(0, width, step):
            met, top = False, -1e30
            for i in range(low, low + step):
                if counts[row, i] > 0.0:
                    met = True
                    top = max(top, sums[row, i] / counts[row, i])
            if not met:
                continue
            total = 0.0
            for i in range(low, low + step):
                mean = sums[row, i] / counts[row, i] if counts[row, i] > 0.0 else 0.0
                weights[row, i] *= np.exp(rate * (mean - max(top, 0.0)))
                total += weights[row, i]
                sums[row, i], counts[row, i] = 0.0, 0.0
            kept = 0.0
            for i in range(low, low + step):
                if weights[row, i] < clean * total:
                    weights[row, i] = 0.0
                kept += weights[row, i]
            for i in range(low, low + step):
                weights[row, i] /= kept
