"""Exact equities: how long they take here, and against others where they are installed.

Rows marked `seen` are figures of other programs measured once on a two-core Neoverse-N1; they are not measured in
this run and their ratios mean something only on such a machine. Name a binary of OMPEval's or poker-eval's calculator
in the environment variable given in `BINARIES` to time it here instead. Everything else is timed in this run, after a
first call that compiles.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

from headsup.equity import equity, flop_equities, holdem_table
from headsup.equity.preflop import factors

TWENTY = "66+,A4s+,K8s+,Q9s+,J9s+,T9s,A9o+,KTo+,QTo+,JTo"
BINARIES = {
    "OMPEval": "HEADSUP_BENCH_OMPEVAL",
    "poker-eval": "HEADSUP_BENCH_POKER_EVAL",
}
"""Each variable holds a command; the two hands or ranges, and the board if there is one, are added as arguments."""


class Case(NamedTuple):
    """One question, and the figure of another program seen once on a Neoverse-N1."""

    name: str
    a: str
    b: str
    board: str
    game: str
    rival: str
    seen: float


CASES = (
    Case("AhKh v QcQd preflop", "AhKh", "QcQd", "", "holdem", "OMPEval", 5.5e-3),
    Case("20 % v 20 % on Ks7d2c", TWENTY, TWENTY, "Ks7d2c", "holdem", "OMPEval", 94e-3),
    Case("20 % v 20 % preflop", TWENTY, TWENTY, "", "holdem", "OMPEval", 10.25),
    Case("AAQJds v 5432 hi-lo preflop", "AsQsAdJd", "5h4s3c2h", "", "omaha8", "poker-eval", 1.52),
)


def run(quick: bool) -> None:
    """Time every case and print one line each."""
    print("Exact equity (best of several calls, text to counts)")
    for case in CASES:
        _compare(case, quick)
    _sweep_preflop(quick)
    _tables(quick)
    _flops(quick)


def best_of(call: Callable[[], object], times: int) -> float:
    """The least seconds one call took."""
    call()
    spans = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        spans.append(time.perf_counter() - start)
    return min(spans)


def _compare(case: Case, quick: bool) -> None:
    ours = best_of(lambda: equity(case.a, case.b, case.board, game=case.game), 3 if quick else 15)
    method = equity(case.a, case.b, case.board, game=case.game).method
    print(f"  {case.name:32} headsup {_span(ours)}  ({method})")
    command = os.environ.get(BINARIES[case.rival])
    if command:
        words = [*shlex.split(command), case.a, case.b, *([case.board] if case.board else [])]
        theirs = best_of(lambda: subprocess.run(words, check=True, capture_output=True), 1 if quick else 3)
        print(f"    {case.rival:30} {_span(theirs):>16}  {theirs / ours:8.1f} x ours")
    else:
        print(f"    {case.rival + ' (seen, not measured)':30} {_span(case.seen):>16}  {case.seen / ours:8.1f} x ours")
    if not quick:
        _eval7(case, ours)
        _pokerkit(case, ours)


def _eval7(case: Case, ours: float) -> None:
    """eval7 has an exact hand against range on a complete set of boards for hold'em; it is given hand v hand."""
    try:
        import eval7
    except ImportError:
        return
    if case.game != "holdem" or "," in case.a:
        return
    hand = [eval7.Card(case.a[:2]), eval7.Card(case.a[2:])]
    villain = eval7.HandRange(case.b)
    theirs = best_of(lambda: eval7.py_hand_vs_range_exact(hand, villain, []), 1)
    print(f"    {'eval7 exact':30} {_span(theirs):>16}  {theirs / ours:8.1f} x ours")


def _pokerkit(case: Case, ours: float) -> None:
    """pokerkit evaluates one hand a call: a thousand boards are timed and scaled to all of them."""
    try:
        from pokerkit import OmahaEightOrBetterLowHand, OmahaHoldemHand, StandardHighHand
    except ImportError:
        return
    if "," in case.a or case.board:
        return
    taken = [case.a[i : i + 2] for i in range(0, len(case.a), 2)] + [
        case.b[i : i + 2] for i in range(0, len(case.b), 2)
    ]
    deck = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs" if rank + suit not in taken]
    boards = ["".join(board) for board, _ in zip(combinations(deck, 5), range(1000), strict=False)]
    kinds = [StandardHighHand] if case.game == "holdem" else [OmahaHoldemHand, OmahaEightOrBetterLowHand]

    def some() -> None:
        for board in boards:
            for hand in (case.a, case.b):
                for kind in kinds:
                    kind.from_game_or_none(hand, board)

    theirs = best_of(some, 1) / len(boards) * equity(case.a, case.b, game=case.game).deals
    print(f"    {'pokerkit (1,000 boards, scaled)':30} {_span(theirs):>15}  {theirs / ours:8.1f} x ours")


def _sweep_preflop(quick: bool) -> None:
    ours = best_of(lambda: equity(TWENTY, TWENTY, method="sweep"), 1 if quick else 3)
    print(f"  {'20 % v 20 % preflop, no table':32} headsup {_span(ours)}  (sweep over 134,459 boards up to suits)")
    print(f"    {'OMPEval (seen, not measured)':30} {_span(10.25):>16}  {10.25 / ours:8.1f} x ours")


def _tables(quick: bool) -> None:
    holdem_table()
    from_nothing = best_of(factors, 1)
    print(f"  {'169 x 169 table from nothing':32} headsup {_span(from_nothing)}  (once; then kept in the cache folder)")


def _flops(quick: bool) -> None:
    """Time grows with the boards left up to suits: a sixth of 2,118,760 if suited, a fourth for a pair, else half."""
    for hand in ("AsKs", "9h9d", "AsKd"):
        spent = best_of(lambda hand=hand: flop_equities(hand, "random"), 1 if quick else 2)  # type: ignore[misc]
        print(f"  {f'{hand} v any two on 19,600 flops':32} headsup {_span(spent)}")


def _span(seconds: float) -> str:
    return f"{seconds * 1e3:9.3f} ms" if seconds < 1 else f"{seconds:9.3f} s "


if __name__ == "__main__":
    run(quick=False)
