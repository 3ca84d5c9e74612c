"""Simple buckets for tests: suit classes by brute force, and hands in order of strength cut into equal parts."""

from __future__ import annotations

from functools import cache

import numpy as np

from headsup.games import game
from headsup.games.holdem.bucketed import TableBuckets
from headsup.games.holdem.vector import VectorGame

HOLDEM = "holdem-limit:ranks=4,suits=3,streets=2,raises=2"
"""21 flops up to suits, 66 hands."""


@cache
def small(text: str) -> VectorGame:
    """A game of betting and boards by name."""
    found = game(text)
    return found if isinstance(found, VectorGame) else found.vector()  # type: ignore[attr-defined, no-any-return]


def by_suits(of: VectorGame) -> TableBuckets:
    """Hands that a renaming of suits turns into each other while the board stays as it is."""
    tables, number = [], 0
    for level in of.boards.levels:
        table = np.zeros((len(level), of.showdown.sizes[0]), dtype=np.uint32)
        for b in range(len(level)):
            group = [i for i in range(24) if int(level.group[b]) >> i & 1]  # type: ignore[attr-defined]
            least = np.min([of.showdown.renamed(0, i) for i in group], axis=0)
            table[b] = np.unique(least, return_inverse=True)[1] + number
            number = int(table[b].max()) + 1
        tables.append(table)
        number = 0
    return TableBuckets(of, tables)


def strengths(of: VectorGame) -> list[np.ndarray]:
    """For each street [boards, hands]: the part of the showdowns against a random hand that a hand wins, all boards to
    come counted alike; -1 for a hand that the board blocks.
    """
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


def in_parts(of: VectorGame, parts: tuple[int, ...]) -> TableBuckets:
    """On each street hands in order of strength, in so many parts of equal width of rank among all boards."""
    tables = []
    for value, n in zip(strengths(of), parts, strict=True):
        order = np.unique(np.round(value[value >= 0.0], 9))
        place = np.searchsorted(order, np.round(value, 9)).clip(0, len(order) - 1)
        tables.append((place * n // len(order)).astype(np.uint16))
    return TableBuckets(of, tables)
