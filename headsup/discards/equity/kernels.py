"""The swap rule and random deals with swaps, compiled (`headsup.discards.swap`, `deals`).

A card is the upper 32 bits of a SplitMix64 number times 52, drawn again while it is taken; the bias is below 1e-7.
"""

from typing import Any, NamedTuple

import numpy as np

from headsup.common.backend import jit
from headsup.common.splitmix_kernels import STEP, mix

FLUSH_MARKS = np.uint64(0x8888 << 32)
ROW_BITS = np.uint64(13)
HALF = np.uint64((1 << 13) - 1)
START = np.uint64(0x3333 << 32)
ONE, TWO, THREE, FOUR = np.uint64(1), np.uint64(2), np.uint64(3), np.uint64(4)
COUNT = np.uint64(15)
BY_RANK = np.uint64(7)
UNKNOWN = 255  # stands for a hole card that the kernel deals


class RuleTables(NamedTuple):
    """What the rule needs to know of ranks, by their mask of 13 bits."""

    made: Any  # uint16[8192]: the ranks that belong to a straight
    power: Any  # uint64[8192]: three bits a rank: how many draws to a straight it belongs to
    ways: Any  # uint8[8192]: how many ranks complete a straight


class Values(NamedTuple):
    """The evaluator's tables (`headsup.evaluate.tables`)."""

    card_keys: Any
    row_starts: Any
    values: Any
    flush: Any


@jit(inline=True)
def swap_of(rule: Any, a: Any, b: Any, ranks: Any, suits: Any) -> Any:
    """The hole card that the rule changes: 0 none, 1 is a, 2 is b.

    a, b: uint64 cards; ranks: the board's mask of 13 ranks; suits: how many of the board each suit has, in four-bit
    fields. Both are uint64.
    """
    bit_a, bit_b = ONE << (a >> TWO), ONE << (b >> TWO)
    at_a, at_b = (a & THREE) << TWO, (b & THREE) << TWO
    all_suits = suits + (ONE << at_a) + (ONE << at_b)
    in_a, in_b = (all_suits >> at_a) & COUNT, (all_suits >> at_b) & COUNT
    every = ranks | bit_a | bit_b
    made = np.uint64(rule.made[every])
    keep_a = ((ranks | bit_b) & bit_a) | (made & bit_a) | np.uint64(in_a == FOUR or in_a == np.uint64(5))
    keep_b = ((ranks | bit_a) & bit_b) | (made & bit_b) | np.uint64(in_b == FOUR or in_b == np.uint64(5))
    power_a, power_b = np.uint64(0), np.uint64(0)
    if ((suits + np.uint64(0x5555)) & np.uint64(0x8888)) == np.uint64(0):
        if rule.ways[every] >= 2:
            keep_a |= np.uint64(rule.ways[ranks | bit_b] < 2)
            keep_b |= np.uint64(rule.ways[ranks | bit_a] < 2)
        power_a = (rule.power[every] >> (THREE * (a >> TWO))) & BY_RANK
        power_b = (rule.power[every] >> (THREE * (b >> TWO))) & BY_RANK
    swap = 0
    if keep_a == np.uint64(0) and keep_b == np.uint64(0):
        swap = 1 if power_a < power_b or (power_a == power_b and a >> TWO < b >> TWO) else 2
    elif keep_a == np.uint64(0):
        swap = 1
    elif keep_b == np.uint64(0):
        swap = 2
    return swap


@jit
def swap_many(rule: Any, holes: Any, boards: Any, out: Any) -> None:
    """out[i] = what the rule does with holes[i] on boards[i]; uint8[n, 2], uint8[n, 3 or 4], uint8[n]."""
    for i in range(holes.shape[0]):
        ranks, suits = np.uint64(0), np.uint64(0)
        for j in range(boards.shape[1]):
            card = np.uint64(boards[i, j])
            ranks |= ONE << (card >> TWO)
            suits += ONE << ((card & THREE) << TWO)
        out[i] = swap_of(rule, np.uint64(holes[i, 0]), np.uint64(holes[i, 1]), ranks, suits)


@jit(inline=True)
def draw_card(state: Any, taken: Any) -> Any:
    """A card that is not in the mask `taken`, the counter after it, and the mask with it."""
    while True:
        state += STEP
        card = ((mix(state) >> np.uint64(32)) * np.uint64(52)) >> np.uint64(32)
        if (taken >> card) & ONE == np.uint64(0):
            break
    return card, state, taken | (ONE << card)


@jit(inline=True)
def value_of(t: Any, board: Any, key: Any, a: Any, b: Any) -> Any:
    """The value of two hole cards with five on the board, whose keys add up to `key`."""
    full = key + t.card_keys[a] + t.card_keys[b]
    marks = full & FLUSH_MARKS
    if marks:
        suit = np.uint64(0)
        for s in range(4):
            if (marks >> np.uint64(35 + 4 * s)) & ONE:
                suit = np.uint64(s)
        mask = np.uint64(0)
        for i in range(5):
            mask |= np.uint64(board[i] & THREE == suit) << (board[i] >> TWO)
        mask |= np.uint64(a & THREE == suit) << (a >> TWO)
        mask |= np.uint64(b & THREE == suit) << (b >> TWO)
        value = np.int64(t.flush[mask])
    else:
        value = np.int64(t.values[np.uint64(t.row_starts[full & HALF]) + ((full >> ROW_BITS) & HALF)])
    return value


@jit
def deal_swaps(tables: Any, holes: Any, known: Any, dead: Any, times: int, swapping: Any, seed: Any, out: Any) -> None:
    """Deal each row of hands `times` times, with swaps on the flop and the turn, and count who wins.

    tables: a `RuleTables` and the evaluator's `Values`. holes: uint8[n, 4] both hands, UNKNOWN for a card to be dealt.
    known: uint8[0, 3, 4 or 5] the board so far; swaps of its last street are still to come. dead: uint64 mask of
    cards that are out. swapping: whether each player follows the rule or keeps what there is. seed: uint64[1] the
    counter. out: int64[n, 3] deals that the first player wins, ties and loses, added to.
    """
    rule, t = tables
    board = np.zeros(5, dtype=np.uint64)
    hands = np.zeros(4, dtype=np.uint64)
    state = seed[0]
    lying = known.shape[0]
    for row in range(holes.shape[0]):
        for _ in range(times):
            taken = dead
            for i in range(lying):
                board[i] = np.uint64(known[i])
                taken |= ONE << board[i]
            for i in range(4):
                if holes[row, i] < 52:
                    hands[i] = np.uint64(holes[row, i])
                    taken |= ONE << hands[i]
            for i in range(4):
                if holes[row, i] >= 52:
                    hands[i], state, taken = draw_card(state, taken)
            ranks, suits = np.uint64(0), np.uint64(0)
            key = START
            for i in range(5):
                if i >= lying:
                    board[i], state, taken = draw_card(state, taken)
                key += t.card_keys[board[i]]
                ranks |= ONE << (board[i] >> TWO)
                suits += ONE << ((board[i] & THREE) << TWO)
                if (i == 2 or i == 3) and i + 1 >= lying:
                    for p in range(2):
                        if swapping[p]:
                            swap = swap_of(rule, hands[2 * p], hands[2 * p + 1], ranks, suits)
                            if swap:
                                card, state, taken = draw_card(state, taken)
                                hands[2 * p + swap - 1] = card
            mine = value_of(t, board, key, hands[0], hands[1])
            theirs = value_of(t, board, key, hands[2], hands[3])
            out[row, 0] += np.int64(mine > theirs)
            out[row, 1] += np.int64(mine == theirs)
            out[row, 2] += np.int64(mine < theirs)
    seed[0] = state
