"""Between numbers by bucket and numbers by hand: looked up on the way down, added up on the way back."""

from __future__ import annotations

from typing import Any

from headsup.backend import jit


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

    found: float64[...] a seat's numbers by bucket; first, kind, table: as in `gather`; come: [boards, rows, hands];
    boards: float64[boards] and hands: float64[hands]: what each of them counts.
    """
    for r in range(low, high):
        begin = first[r]
        for b in range(come.shape[0]):
            which, weight = table[kind[r], b], boards[b]
            for h in range(come.shape[2]):
                found[begin + which[h]] += weight * hands[h] * come[b, r, h]
