"""Evaluator speed in one thread, beside other evaluators in the same run.

Times are processor time of the thread, best of several, so that other work on the machine blurs them less. A peer must
put the hands in the same order as headsup before it is timed. Peers take one hand a call from Python, with cards
already in the peer's own form; headsup takes an array.

The walk over all seven-card hands is timed in two ways, which are not the same work. `one by one` looks every hand up
by itself, as OMPEval's loop does: that is the like-for-like line. `count_values` is headsup's own way: where no flush
is possible it looks up the rank of the last card once and counts its cards (up to four) together.

OMPEval is timed where the environment variable OMPEVAL_BENCH names a program that takes a number of repetitions and
prints two lines, `sequential X` and `random Y`, in million hands a second: all seven-card hands in nested loops, and an
array of random hands. One poker-eval figure, seen once on a two-core Neoverse-N1, is printed as such.
"""

from __future__ import annotations

import importlib
import itertools
import os
import subprocess
import time
from collections.abc import Callable
from math import comb
from typing import Any

import numba
import numpy as np
from rich.console import Console
from rich.table import Table

from headsup import evaluate
from headsup.cards.cards import card_name, cards_name
from headsup.evaluate import tables
from headsup.evaluate.kernels import FLUSH_BITS, NO_CARDS, marked_suit, unsuited

POKER_EVAL_SEEN = 1.15  # million Omaha hi+lo hands a second
Row = tuple[str, float | None, str]


def run(quick: bool) -> None:
    """Print three tables: sequential, random, and Omaha."""
    hands = random_deals(100_000 if quick else 1_000_000)
    times = 3 if quick else 10
    ompeval = _ompeval(times)
    _walks(times, ompeval.get("sequential"))
    sevens = np.ascontiguousarray(hands[:, :7])
    rows: list[Row] = [
        (
            "headsup rank_hands, unchecked",
            _rate(lambda: evaluate.rank_hands(sevens, check=False), hands, times),
            "array",
        ),
        ("headsup rank_hands", _rate(lambda: evaluate.rank_hands(sevens), hands, times), "array"),
        ("OMPEval", ompeval.get("random"), "array, C++"),
    ]
    peers = (("eval7", _eval7), ("phevaluator", _phevaluator), ("treys", _treys), ("pokerkit", _pokerkit))
    for name, prepare in peers:
        rows.append((name, _peer(name, prepare, sevens[: 500 if quick else 5000], times), "a call a hand"))
    _print("Random seven-card hands", rows)
    _omaha(hands, times)
    _combos(hands[: len(hands) // 1000, 4:9], times)


def _walks(times: int, ompeval: float | None) -> None:
    t = tables.load()
    masks = np.array([1 << (16 * (card & 3) + (card >> 2)) for card in range(52)], dtype=np.uint64)

    def each() -> int:
        return int(one_by_one(t.card_keys, masks, t.row_starts, t.values, t.flush))

    if each() != int((evaluate.count_values(7) * np.arange(7463)).sum()):
        raise SystemExit("the two walks over all seven-card hands disagree")
    rows: list[Row] = [
        ("headsup one by one", comb(52, 7) / best_of(each, times), "a look-up a hand"),
        ("headsup count_values(7)", comb(52, 7) / best_of(lambda: evaluate.count_values(7), times), "a look-up a rank"),
        ("OMPEval", ompeval, "a look-up a hand, C++"),
    ]
    _print("All 133,784,560 seven-card hands in order", rows)


@numba.njit  # not cached: it takes in helpers of another file, whose edits the cache would not see
def one_by_one(keys: Any, masks: Any, row_starts: Any, values: Any, flush: Any) -> Any:
    """The sum of the values of all seven-card hands, each looked up by itself."""
    total = np.uint64(0)
    for a in range(46):
        for b in range(a + 1, 47):
            for c in range(b + 1, 48):
                for d in range(c + 1, 49):
                    key4 = NO_CARDS + keys[a] + keys[b] + keys[c] + keys[d]
                    mask4 = masks[a] | masks[b] | masks[c] | masks[d]
                    for e in range(d + 1, 50):
                        for f in range(e + 1, 51):
                            key6, mask6 = key4 + keys[e] + keys[f], mask4 | masks[e] | masks[f]
                            for g in range(f + 1, 52):
                                key = key6 + keys[g]
                                if key & FLUSH_BITS:
                                    suit = marked_suit((key & FLUSH_BITS) >> np.uint64(32))
                                    held = ((mask6 | masks[g]) >> (suit * np.uint64(16))) & np.uint64(0x1FFF)
                                    total += np.uint64(flush[held])
                                else:
                                    total += np.uint64(unsuited(key, row_starts, values))
    return total


def random_deals(n: int) -> np.ndarray:
    """Nine different cards a row, from a fixed seed."""
    rng = np.random.default_rng(7)
    return np.argpartition(rng.random((n, 52)), 9, axis=1)[:, :9].astype(np.uint8)


def best_of(call: Callable[[], object], times: int) -> float:
    """The least processor time of several calls, after one that compiles."""
    call()
    spans = []
    for _ in range(times):
        start = time.thread_time()
        call()
        spans.append(time.thread_time() - start)
    return min(spans)


def _rate(call: Callable[[], object], hands: np.ndarray, times: int) -> float:
    return len(hands) / best_of(call, times)


def _omaha(deals: np.ndarray, times: int) -> None:
    hands, boards = np.ascontiguousarray(deals[:, :4]), np.ascontiguousarray(deals[:, 4:])

    def both(check: bool) -> None:
        evaluate.omaha_high(hands, boards, check=check)
        evaluate.omaha_low(hands, boards, check=check)

    rows: list[Row] = [
        ("headsup high + low, unchecked", _rate(lambda: both(False), hands, times), "a board a hand"),
        ("headsup high + low", _rate(lambda: both(True), hands, times), "a board a hand"),
        ("headsup omaha_on_board", _rate(lambda: evaluate.omaha_on_board(hands, boards[0]), hands, times), "one board"),
        ("poker-eval", POKER_EVAL_SEEN * 1e6, "seen once, not in this run"),
    ]
    _print("Omaha hi-lo hands, high and low", rows)


def _combos(boards: np.ndarray, times: int) -> None:
    rate = 1326 * _rate(lambda: evaluate.rank_combos(boards), boards, times)
    _print("All 1,326 hold'em combos on a board", [("headsup rank_combos", rate, "combos")])


def _peer(
    name: str, prepare: Callable[[Any, np.ndarray], Callable[[], list[Any]]], hands: np.ndarray, times: int
) -> float | None:
    """Hands a second of a peer, or None if it is not installed; stops if it disagrees about which hand is better."""
    try:
        module = importlib.import_module(name)
    except ImportError:
        return None
    hands = hands[:500] if name == "pokerkit" else hands  # it takes a millisecond a hand
    call = prepare(module, hands)
    ours, theirs = evaluate.rank_hands(hands), call()
    order = np.argsort(ours, kind="stable").tolist()
    better = [(ours[a] < ours[b], theirs[a] < theirs[b], theirs[a] > theirs[b]) for a, b in itertools.pairwise(order)]
    up = sum(more and rises for more, rises, _ in better)
    down = sum(more and falls for more, _, falls in better)
    if min(up, down) or any(not more and (rises or falls) for more, rises, falls in better):
        raise SystemExit(f"{name} and headsup disagree about the order of hands")
    return len(hands) / best_of(call, times)


def _eval7(module: Any, hands: np.ndarray) -> Callable[[], list[Any]]:
    ready = [[module.Card(card_name(card)) for card in hand] for hand in hands.tolist()]
    return lambda: [module.evaluate(hand) for hand in ready]


def _phevaluator(module: Any, hands: np.ndarray) -> Callable[[], list[Any]]:
    ready = hands.tolist()
    return lambda: [module.evaluate_cards(*hand) for hand in ready]


def _treys(module: Any, hands: np.ndarray) -> Callable[[], list[Any]]:
    ready = [[module.Card.new(card_name(card)) for card in hand] for hand in hands.tolist()]
    evaluator = module.Evaluator()
    return lambda: [evaluator.evaluate(hand[:2], hand[2:]) for hand in ready]


def _pokerkit(module: Any, hands: np.ndarray) -> Callable[[], list[Any]]:
    ready = [
        (tuple(module.Card.parse(cards_name(hand[:2]))), tuple(module.Card.parse(cards_name(hand[2:]))))
        for hand in hands.tolist()
    ]
    high = module.StandardHighHand
    return lambda: [high.from_game(hole, board) for hole, board in ready]


def _ompeval(times: int) -> dict[str, float]:
    """Hands a second as OMPEVAL_BENCH prints them; empty where it is not set."""
    program = os.environ.get("OMPEVAL_BENCH")
    if not program:
        return {}
    printed = subprocess.run([program, str(times)], capture_output=True, text=True, check=True).stdout
    return {line.split()[0]: 1e6 * float(line.split()[1]) for line in printed.splitlines() if line.strip()}


def _print(title: str, rows: list[Row]) -> None:
    """One line a program; the ratio says how many times as fast the first line, which is headsup's, is."""
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column, side in (("program", "left"), ("M/s", "right"), ("headsup is", "right"), ("how", "left")):
        table.add_column(column, justify=side)  # type: ignore[arg-type]
    first = rows[0][1] or 0.0
    for program, rate, how in rows:
        if rate is None:
            table.add_row(program, "not installed", "", how)
        else:
            ratio = "" if program.startswith("headsup") else f"{first / rate:,.2f} x"
            table.add_row(program, f"{rate / 1e6:,.3g}", ratio, how)
    Console(highlight=False).print(table, "")
