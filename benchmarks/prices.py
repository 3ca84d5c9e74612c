"""What an abstraction costs: exploitability in the real game, by buckets, on decks small enough to solve exactly.

Each line solves a game in some buckets and measures what was found in the real game, where best replies see every
card. Hands are put in order of strength (the part of the showdowns against a random hand that they win, all boards to
come counted alike) and cut into parts of as many hands, street by street. `nested` buckets remember those of the
streets before, `forgetful` ones do not.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from headsup.games import game
from headsup.games.arrays import AnyArray, Floats
from headsup.games.bucketed import Buckets, TableBuckets, no_buckets
from headsup.games.vector import VectorGame
from headsup.solve.bucketed import BucketCfr
from headsup.solve.cfr import PRESETS

LEDUC = "leduc:ranks=4"
TWO = "holdem-limit:ranks=5,streets=2,raises=2"
THREE = "holdem-limit:ranks=4,suits=3,streets=3,raises=2"


def run(quick: bool) -> None:
    """Print the table of prices, and how many boards a sampling solver walks in a second."""
    for text, iterations, sizes in (
        (LEDUC, 200, [(2, 2), (2, 9), (4, 2), (3, 4), (4, 9)]),
        (TWO, 300, [(3, 3), (3, 10), (10, 3), (6, 6), (10, 10), (15, 30), (25, 200)]),
        (THREE, 200, [(3, 3, 3), (3, 10, 10), (10, 3, 3), (5, 10, 10), (10, 20, 20), (10, 60, 60)]),
    ):
        prices(text, iterations // (10 if quick else 1), sizes[: 3 if quick else None])
    sampled(quick)


def prices(text: str, iterations: int, sizes: Sequence[tuple[int, ...]]) -> None:
    """The lines of one game."""
    of = vector(text)
    print(f"  {of.name}, cfr+, {iterations} iterations; exploitability in mbb/g")
    value = strengths(of)
    for parts in sizes:
        for nested in (False, True):
            tables = in_parts(value, parts)
            line(of, "-".join(map(str, parts)), TableBuckets(of, nest(of, tables) if nested else tables), nested, iterations)  # noqa: E501  # fmt: skip
    line(of, "every hand", no_buckets(of), True, iterations)


def line(of: VectorGame, name: str, buckets: Buckets, nested: bool, iterations: int) -> None:
    """Solve in these buckets, measure in the real game, print."""
    solver = BucketCfr(of, buckets, PRESETS["cfr+"], store="float64")
    begin = time.perf_counter()
    solver.step(iterations)
    took = time.perf_counter() - begin
    kind = "nested" if nested else "forgetful"
    sizes = "-".join(str(sum(one)) for one in buckets.sizes)
    print(
        f"    {name:14} {kind:10} {sizes:>16} buckets {solver.regret[0].size + solver.regret[1].size:>10,} numbers "
        f"{solver.measure().mbb:10.3f} mbb/g  {1000 * took / iterations:8.1f} ms an iteration",
        flush=True,
    )


def vector(text: str) -> VectorGame:
    """A game of betting and boards by name."""
    found = game(text)
    return found if isinstance(found, VectorGame) else found.vector()  # type: ignore[attr-defined, no-any-return]


def strengths(of: VectorGame) -> list[Floats]:
    """For each street [boards, hands]: the part of the showdowns that a hand wins; -1 where the board blocks it."""
    hands, last = of.showdown.sizes[0], of.streets - 1
    won, met = ([np.zeros((len(level), hands)) for level in of.boards.levels] for _ in range(2))
    for s in range(last, -1, -1):
        for b in range(len(of.boards.levels[s])):
            if s == last:
                alive = np.zeros((1, hands))
                alive[0, of.showdown.alive(1, s, b)] = 1.0
                one, other = of.showdown.lines(0, s, b, alive, 1)
                won[s][b], met[s][b] = one[0], other[0]
            if s:
                above = int(of.boards.levels[s].parent[b])
                for r in of.boards.levels[s].renamings(b):
                    won[s - 1][above] += won[s][b][of.showdown.renamed(0, int(r))]
                    met[s - 1][above] += met[s][b][of.showdown.renamed(0, int(r))]
    return [np.where(m > 1e-12, w / np.maximum(m, 1e-300), -1.0) for w, m in zip(won, met, strict=True)]


def in_parts(value: Sequence[Floats], parts: Sequence[int]) -> list[AnyArray]:
    """Tables of buckets: on each street hands in order of strength, cut so that each part has about as many hands."""
    tables = []
    for one, n in zip(value, parts, strict=True):
        known, place, count = np.unique(np.round(one, 9), return_inverse=True, return_counts=True)
        count[known < 0.0] = 0
        middle = (np.cumsum(count) - count / 2) / count.sum()
        cut = np.unique(np.minimum((middle * n).astype(np.int64), n - 1), return_inverse=True)[1]
        tables.append(cut[place].reshape(one.shape).astype(np.uint32))
    return tables


def nest(of: VectorGame, tables: Sequence[AnyArray]) -> list[AnyArray]:
    """Buckets that remember those of the streets before."""
    found = [tables[0]]
    for s in range(1, of.streets):
        above = found[-1][of.boards.levels[s].parent]
        both = above.astype(np.int64) * (int(tables[s].max()) + 1) + tables[s]
        found.append(np.unique(both, return_inverse=True)[1].reshape(both.shape).astype(np.uint32))
    return found


def sampled(quick: bool) -> None:
    """Boards of the last street a second that a sampling solver walks on one core, both players' walks counted."""
    of = vector("holdem-limit:raises=2")
    rng, kinds = np.random.default_rng(1), tuple(np.zeros(n, np.int64) for n in np.diff(of.rounds.entries))

    class Drawn:
        """Buckets at random: what they are changes no timing."""

        sizes = ((169,), (1000,), (1000,), (1000,))
        kinds: tuple[AnyArray, ...] = ()
        checksum = ""

        def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
            return rng.integers(0, self.sizes[street][0], size=(high - low, 1326), dtype=np.uint32)

    Drawn.kinds = kinds
    for counts in ((4,), (4, 4, 4)):
        solver = BucketCfr(of, Drawn(), PRESETS["cfr+"], threads=1, sample=counts)
        solver.step(1)
        begin, n = time.perf_counter(), 1 if quick else 3
        solver.step(n)
        boards = 2 * n * int(np.prod(counts))
        print(
            f"  {of.name} in 169-1000-1000-1000 buckets, samples of {counts}: "
            f"{boards / (time.perf_counter() - begin):.1f} rivers a second on one core"
        )
