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
from contextlib import suppress
from itertools import combinations, islice
from math import comb
from typing import NamedTuple

import numpy as np

from headsup.cards import card_name, cards_name
from headsup.equity import equity, flop_equities, holdem_table, read_question
from headsup.equity.holdem.preflop_kernels import compute_factors

TWENTY = "66+,A4s+,K8s+,Q9s+,J9s+,T9s,A9o+,KTo+,QTo+,JTo"
BINARIES = {
    "OMPEval": "HEADSUP_BENCH_OMPEVAL",
    "poker-eval": "HEADSUP_BENCH_POKER_EVAL",
}
"""Each variable holds a command; the two hands or ranges, and the board if there is one, are added as arguments."""


SOME = 500
"""Hands that packages with one hand a call are timed on."""
Deals = list[tuple[list[int], list[int]]]
"""Hands and complete boards."""


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
    _per_call(case, ours)


def _per_call(case: Case, ours: float) -> None:
    """Packages that rank one hand a call: some calls are timed and scaled to the hands an enumeration has to rank."""
    question = read_question(case.a, case.b, case.board, game=case.game)
    held = np.union1d(question.a.combos, question.b.combos)
    boards = comb(52 - len(question.board) - (2 * question.a.size if len(held) == 2 else 0), question.missing)
    deck = [card for card in range(52) if not (question.known | int(question.a.masks[0])) >> card & 1]
    some = islice(combinations(deck, question.missing), SOME)
    deals = [(question.a.cards[0].tolist(), [*question.board, *rest]) for rest in some]
    for name, rank in _rankers(case.game).items():
        made = best_of(rank(deals), 2) / len(deals) * len(held) * boards
        print(f"    {name + ', ranking alone (scaled)':32} {_span(made):>14}  {made / ours:8.1f} x ours")


def _rankers(game: str) -> dict[str, Callable[[Deals], Callable[[], object]]]:
    """For each package installed, what makes ready a call that ranks all deals one by one."""
    rankers: dict[str, Callable[[Deals], Callable[[], object]]] = {}
    with suppress(ImportError):
        import eval7

        if game == "holdem":

            def seven(deals: Deals) -> Callable[[], object]:
                hands = [[eval7.Card(card_name(card)) for card in (*hand, *board)] for hand, board in deals]
                return lambda: [eval7.evaluate(hand) for hand in hands]

            rankers["eval7"] = seven
    with suppress(ImportError):
        import pokerkit

        kinds = [pokerkit.StandardHighHand]
        if game != "holdem":
            kinds = [pokerkit.OmahaHoldemHand, pokerkit.OmahaEightOrBetterLowHand]

        def kit(deals: Deals) -> Callable[[], object]:
            texts = [(cards_name(hand), cards_name(board)) for hand, board in deals]
            return lambda: [kind.from_game_or_none(*text) for text in texts for kind in kinds]

        rankers["pokerkit"] = kit
    return rankers


def _sweep_preflop(quick: bool) -> None:
    ours = best_of(lambda: equity(TWENTY, TWENTY, method="sweep"), 1 if quick else 3)
    print(f"  {'20 % v 20 % preflop, no table':32} headsup {_span(ours)}  (sweep over 134,459 boards up to suits)")
    print(f"    {'OMPEval (seen, not measured)':30} {_span(10.25):>16}  {10.25 / ours:8.1f} x ours")


def _tables(quick: bool) -> None:
    holdem_table()
    from_nothing = best_of(compute_factors, 1)
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
