"""What an abstraction costs: exploitability in the real game, by buckets, on decks small enough to solve exactly.

Each line solves a game in some buckets with cfr+ and measures what was found in the real game, where best replies see
every card. Hold'em buckets are named as `headsup.abstraction.hands.spec` reads them. Leduc's tell the class of the
hand, and in the second round that, whether it pairs the board, and the class of the board where the line says so.

Then single simplifications of another kind: fewer raises a street, each game solved without buckets and played in the
one with four, where raises that it lacks are called, or answered as its last one (`headsup.abstraction.bets.capped`);
and longer runs in the same buckets. At last: how many boards a sampling solver walks in a second.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from headsup.abstraction import Capped, build_buckets
from headsup.abstraction.bets.capped import ANSWERS
from headsup.common.arrays import AnyArray
from headsup.games import game
from headsup.games.betting.cut import cut_tree
from headsup.games.betting.rules import Move
from headsup.games.holdem.bucketed import Buckets, TableBuckets, no_buckets
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.measure.exploit import measure
from headsup.solve import solve
from headsup.solve.holdem.bucketed import BucketCfr
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS

TWO = "holdem-limit:ranks=5,streets=2,raises=2"
THREE = "holdem-limit:ranks=4,suits=3,streets=3,raises=2"
SPECS = {
    TWO: [
        *("3-3", "10-3", "3-10", "6-6", "10-10", "15-30", "25-66"),
        *("10-10:width", "10-10:ochs", "15-30:ochs", "*-10", "10-*", "*"),
    ],
    THREE: [
        *("3-3-3", "10-3-3", "3-10-10", "10-20-20"),
        *("10-20-20:ehs2", "10-20-20:hist", "10-20-20:emd", "10-20-20:ochs", "10-20-20:potential", "*"),
    ],
}
"""Each of them forgetful, and those by percentiles nested too."""
RAISED = {
    "holdem-limit:ranks=5,streets=2": 400,
    "holdem-limit:ranks=4,suits=2,streets=3": 400,
    "holdem-limit:ranks=7,streets=2": 200,
}
"""Games with four bets a street, and how long they are solved."""
LONGER = {TWO: ("3-3", "10-10", "15-30", "25-66", "25-66,nested"), THREE: ("3-10-10", "10-20-20,nested")}
LEDUC = {"J Q K": (0, 1, 2), "J QK": (0, 1, 1), "JQ K": (0, 0, 1), "JQK": (0, 0, 0)}


def run(quick: bool) -> None:
    """Print the table of prices, and how many boards a sampling solver walks in a second."""
    leduc_prices(20 if quick else 200)
    for text, specs in SPECS.items():
        holdem_prices(text, specs[:3] if quick else specs, 20 if quick else 200)
    for text, iterations in list(RAISED.items())[: 1 if quick else None]:
        raise_prices(text, 20 if quick else iterations)
    for text, few in LONGER.items():
        longer_prices(text, few[:1] if quick else few, 64 if quick else 512)
    sampled(quick)


def leduc_prices(iterations: int) -> None:
    """Leduc by classes of ranks."""
    of = vector("leduc")
    print(f"  {of.name}, cfr+, {iterations} iterations; exploitability in mbb/g")
    rank, board = np.arange(6) // 2, of.boards.levels[1].cards[:, :1] // 2
    for name, classes in LEDUC.items():
        mine, theirs = np.array(classes)[rank], np.array(classes)[board]
        for what, later in (("pair", 2 * mine + (rank == board)), ("board, pair", 2 * (3 * theirs + mine) + (rank == board))):  # noqa: E501  # fmt: skip
            line(of, f"{name}, {what}", TableBuckets(of, [mine[None].astype(np.uint8), later.astype(np.uint8)]), iterations)  # noqa: E501  # fmt: skip
    line(of, "every hand", no_buckets(of), iterations)


def holdem_prices(text: str, specs: Sequence[str], iterations: int) -> None:
    """Hold'em by the texts of abstractions."""
    of = vector(text)
    print(f"  {of.name}, cfr+, {iterations} iterations; exploitability in mbb/g")
    for spec in specs:
        line(of, spec, build_buckets(of, spec), iterations)
        if "*" not in spec and ":" not in spec:
            line(of, f"{spec},nested", build_buckets(of, f"{spec},nested"), iterations)


def line(of: VectorGame, name: str, buckets: Buckets, iterations: int) -> None:
    """Solve in these buckets, measure in the real game, print."""
    solver = BucketCfr(of, buckets, PRESETS["cfr+"], store="float64")
    begin = time.perf_counter()
    solver.step(iterations)
    took = time.perf_counter() - begin
    sizes = "-".join(f"{sum(street_sizes):,}" for street_sizes in buckets.sizes)
    print(
        f"    {name:20} {sizes:>20} buckets {solver.regret[0].size + solver.regret[1].size:>10,} numbers "
        f"{solver.measure().mbb:10.2f} mbb/g  {1000 * took / iterations:8.1f} ms an iteration",
        flush=True,
    )


def raise_prices(text: str, iterations: int) -> None:
    """Fewer raises a street than four, without buckets."""
    of = vector(text)
    print(f"  {of.name}, dcfr, {iterations} iterations; exploitability in mbb/g")
    for raises in (4, 3, 2, 1):
        few = vector(f"{text},raises={raises}")
        solver = VectorCfr(few, PRESETS["dcfr"])
        solver.step(iterations)
        alone = f"{1000 * solver.exploitability() / few.unit:.2f} in its own game"
        prices = [f"{_answered(of, few, solver, how):.2f} by {how}" for how in ANSWERS if raises < 4]
        if raises < 4:
            prices.append(f"{_own(of, raises, iterations):.2f} if only own raises are missing")
        print(
            f"    {raises} bets, {sum(few.betting.decisions()):,} decisions: {', '.join((alone, *prices))}", flush=True
        )


def _answered(of: VectorGame, few: VectorGame, solver: VectorCfr, how: str) -> float:
    played = ArrayStrategy.of(of, Capped(of, few, solver.strategy(), how))
    return measure(of, played, threads=solver.walker.threads).mbb


def _own(of: VectorGame, raises: int, iterations: int) -> float:
    """What it costs not to raise more often oneself, where every raise is answered perfectly: half of what the two
    seats lose in games in which one of them may not and the other may.
    """
    tree = of.betting
    bets = np.zeros(tree.n_nodes, dtype=np.int64)
    bets[0] = 1  # the blind
    for node in range(1, tree.n_nodes):
        bets[node] = 0 if tree.kind[node] == Move.NONE else bets[tree.parent[node]] + (tree.kind[node] >= Move.BET)
    values = []
    for seat in (0, 1):
        more = (tree.kind >= Move.BET) & (bets > raises) & (tree.player[tree.parent] == seat)
        restricted = replace(of, name=f"{of.name}, {raises} by {seat}", betting=cut_tree(tree, without=more)[0])
        values.append(solve(restricted, "dcfr", iterations=iterations, threads=1).finished().value)
    return 1000 * (values[1] - values[0]) / 2 / of.unit


def longer_prices(text: str, specs: Sequence[str], last: int) -> None:
    """The same buckets, longer and longer: does the real price rise?"""
    of = vector(text)
    print(f"  {of.name}, cfr+; exploitability in mbb/g after 16, 32, .. {last} iterations")
    for spec in specs:
        solver = BucketCfr(of, build_buckets(of, spec), PRESETS["cfr+"], store="float64")
        prices = []
        while solver.iterations < last:
            solver.step(solver.iterations or 16)
            prices.append(solver.measure().mbb)
        print(f"    {spec:20} {' '.join(f'{price:.1f}' for price in prices)}", flush=True)


def vector(text: str) -> VectorGame:
    """A game of betting and boards by name."""
    named = game(text)
    return named if isinstance(named, VectorGame) else named.vector()  # type: ignore[attr-defined, no-any-return]


class Drawn:
    """Buckets at random, as many as a real abstraction has: what they are changes no timing."""

    sizes = ((169,), (1000,), (1000,), (1000,))
    checksum = ""

    def __init__(self, of: VectorGame) -> None:
        self.kinds = tuple(np.zeros(n, np.int64) for n in np.diff(of.rounds.entries))
        self.random = np.random.default_rng(1)

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        """Any."""
        return self.random.integers(0, self.sizes[street][0], size=(high - low, 1326), dtype=np.uint32)


def sampled(quick: bool) -> None:
    """Boards of the last street that a sampling solver walks in a second of one core, both players' walks counted."""
    of = vector("holdem-limit:raises=2" if quick else "holdem-limit")
    for counts in ((4,), (2, 2, 2)):
        rate = 2 * int(np.prod(counts)) / seconds(BucketCfr(of, Drawn(of), PRESETS["cfr+"], threads=1, sample=counts))
        print(f"  {of.name} in 169-1000-1000-1000 buckets, samples of {counts}: {rate:.1f} rivers a second of one core")
    deals = 2000
    solver = BucketCfr(of, Drawn(of), PRESETS["cfr"], threads=1, sample=deals, sampling="deals")
    print(f"  the same, deals: {2 * deals / seconds(solver):.0f} a second of one core")


def seconds(solver: BucketCfr) -> float:
    """Of the processor for an iteration, once everything is compiled and warm."""
    solver.step(1)
    begin = time.process_time()
    solver.step(2)
    return (time.process_time() - begin) / 2
