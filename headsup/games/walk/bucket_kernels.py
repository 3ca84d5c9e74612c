"""Between numbers by bucket and numbers by hand: looked up on the way down, added up on the way back, and settled."""

from __future__ import annotations

from typing import Any

from headsup.common.backend import jit


@jit(bare=True)
def gather(numbers: Any, first: Any, kind: Any, table: Any, out: Any, low: int, high: int) -> None:
    """What the bucket of each hand has, on boards low .. high - 1.

    numbers: [...] a seat's numbers by bucket; first: int64[rows + 1] where each row begins in them;
    kind: int64[rows] the partition that holds at a row; table: uint32[partitions, boards, hands] the buckets;
    out: [boards, rows, hands].
    """
    for b in range(low, high):
        for r in range(out.shape[1]):
            begin, which = first[r], table[kind[r], b]
            for h in range(out.shape[2]):
                out[b, r, h] = numbers[begin + which[h]]


@jit(bare=True)
def scatter(
    found: Any, first: Any, kind: Any, table: Any, come: Any, boards: Any, hands: Any, low: int, high: int
) -> None:
    """Add what the hands have to their buckets, in rows low .. high - 1, board after board.

    found: [...] a seat's numbers by bucket; first, kind, table: as in `gather`; come: [boards, rows, hands];
    boards: [boards] and hands: [hands]: what each of them counts.
    """
    for r in range(low, high):
        begin = first[r]
        for b in range(come.shape[0]):
            which, weight = table[kind[r], b], boards[b]
            for h in range(come.shape[2]):
                found[begin + which[h]] += weight * hands[h] * come[b, r, h]


@jit(bare=True)
def settle(regret: Any, guess: Any, gain: Any, keep: float, shrink: float) -> None:
    """Gains go into the regrets, which are then discounted, and are 0 again.

    guess: regrets with the gain counted twice, for predictive variants, else the regrets themselves.
    """
    zero, kept, shrunk = regret.dtype.type(0.0), regret.dtype.type(keep), regret.dtype.type(shrink)
    for i in range(regret.shape[0]):
        new = regret[i] + gain[i]
        new *= kept if new > zero else shrunk
        guess[i] = new + gain[i]
        regret[i] = new
        gain[i] = zero
