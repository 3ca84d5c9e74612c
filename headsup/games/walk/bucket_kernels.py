"""Between numbers by bucket and numbers by hand: looked up on the way down, added up on the way back, and learnt."""

from typing import Any, NamedTuple

from headsup.common.backend import jit


class StreetBuckets(NamedTuple):
    """The buckets of a seat's hands on some boards of a street, row by row of its strategy."""

    first: Any  # int64[rows + 1] where the numbers of each row begin
    kind: Any  # int64[rows] the partition that holds at a row
    table: Any  # uint32[partitions, boards, hands] the buckets


@jit(bare=True)
def gather(numbers: Any, buckets: Any, out: Any, low: int, high: int) -> None:
    """Put what the bucket of each hand has into `out`, [boards, rows, hands], on boards low .. high - 1."""
    for b in range(low, high):
        for r in range(out.shape[1]):
            begin, which = buckets.first[r], buckets.table[buckets.kind[r], b]
            for h in range(out.shape[2]):
                out[b, r, h] = numbers[begin + which[h]]


@jit(bare=True)
def scatter(sums: Any, buckets: Any, values: Any, boards: Any, hands: Any, low: int, high: int) -> None:
    """Add the values of hands, [boards, rows, hands], to their buckets, in rows low .. high - 1, board after board.

    boards: [boards] and hands: [hands] are the weights of each.
    """
    for r in range(low, high):
        begin = buckets.first[r]
        for b in range(values.shape[0]):
            which, weight = buckets.table[buckets.kind[r], b], boards[b]
            for h in range(values.shape[2]):
                sums[begin + which[h]] += weight * hands[h] * values[b, r, h]


@jit(bare=True)
def settle(regret: Any, prediction: Any, gain: Any, keep: float, shrink: float) -> None:
    """Add gains to the regrets, discount those, and set the gains to 0.

    prediction: regrets with the gain counted twice, for predictive variants; else the regrets themselves.
    """
    zero, kept, shrunk = regret.dtype.type(0.0), regret.dtype.type(keep), regret.dtype.type(shrink)
    for i in range(regret.shape[0]):
        new = regret[i] + gain[i]
        new *= kept if new > zero else shrunk
        prediction[i] = new + gain[i]
        regret[i] = new
        gain[i] = zero
