"""Views of buckets: their widths, the hands of a board in each, and transitions between streets.

Widths are exact equities against a random hand. Transitions are over all deals, or over a sample with standard errors.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.cards.cards import cards_name
from headsup.cards.classes import holdem_class_name, holdem_class_of_combo
from headsup.cards.combos import colex, uncolex
from headsup.cards.suits import SUIT_PERMUTATIONS, permuted_combos
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import check_seed, whole
from headsup.common.errors import UserError
from headsup.common.plot import COLOURS, bar_chart, line_chart

_BOARDS = 4096
MOST_SAMPLES = 10**8
MOST_ENUMERATED = 200_000  # the most boards of a street that are enumerated by default


class Width(NamedTuple):
    """One bucket of a street, or of a board."""

    bucket: int
    deals: int  # how many deals it has; on a board, how many hands
    share: float
    mean: float  # the mean equity of its deals
    least: float
    most: float


def widths(buckets: FeatureBuckets, street: int, kind: int = 0) -> list[Width]:
    """Every bucket of a street with a deal in it; nested buckets by their last part."""
    if not buckets.partitions[street]:
        raise UserError("suit classes have no width: name a street with fewer buckets")
    features, table = buckets.features, buckets.table(street, kind)
    boards, totals = features.sets(street), features.totals(street)
    size = buckets.partitions[street][kind].size
    deals, mean = np.zeros(size), np.zeros(size)
    least, most = np.full(size, np.inf), np.zeros(size)
    for low in range(0, len(boards), _BOARDS):
        alive = features.alive(boards, low, low + _BOARDS)
        held, equity = table[low : low + _BOARDS][alive], features.ehs(street, totals[low : low + _BOARDS][alive])
        weight = np.broadcast_to(boards.count[low : low + _BOARDS, None], alive.shape)[alive]
        deals += np.bincount(held, weights=weight, minlength=size)
        mean += np.bincount(held, weights=weight * equity, minlength=size)
        np.minimum.at(least, held, equity)
        np.maximum.at(most, held, equity)
    return [
        Width(b, int(deals[b]), deals[b] / deals.sum(), mean[b] / deals[b], least[b], most[b])
        for b in range(size)
        if deals[b]
    ]


def width_chart(widths: Sequence[Width], title: str) -> str:
    """The buckets by their mean equity as SVG, with the least and the most of each."""
    order = list(enumerate(sorted(widths, key=lambda width: width.mean)))
    series = {
        "most": [(float(i), width.most) for i, width in order],
        "mean": [(float(i), width.mean) for i, width in order],
        "least": [(float(i), width.least) for i, width in order],
    }
    return line_chart(series, title=title, x="bucket, by mean equity", y="equity against a random hand")


@dataclass(frozen=True, eq=False)
class BoardView:
    """The hands on one board, with its real suits."""

    board: tuple[int, ...]
    hands: AnyArray  # the colex indices of the hands that are possible
    bucket: AnyArray
    equity: Floats

    def widths(self) -> list[Width]:
        """The buckets that have a hand here, in order of their mean equity."""
        widths = []
        for bucket in np.unique(self.bucket).tolist():
            some = self.equity[self.bucket == bucket]
            share = len(some) / len(self.hands)
            widths.append(Width(bucket, len(some), share, float(some.mean()), float(some.min()), float(some.max())))
        return sorted(widths, key=lambda width: width.mean)

    def names(self, bucket: int) -> list[str]:
        """The hands of a bucket: classes where all hands that are left of a class are in it, else hands, best first."""
        mine = self.bucket == bucket
        classes = np.asarray(holdem_class_of_combo())[self.hands]
        order = np.argsort(-self.equity, kind="stable")
        out: list[str] = []
        for i in order[mine[order]].tolist():
            same = classes == classes[i]
            name = holdem_class_name(int(classes[i])) if mine[same].all() else _hand_name(int(self.hands[i]))
            if name not in out:
                out.append(name)
        return out

    def bucket_of(self, hand: Sequence[int]) -> int:
        place = np.flatnonzero(self.hands == colex(hand))
        if len(hand) != 2 or not len(place):
            raise UserError(f"{cards_name(hand)} is no hand on {cards_name(self.board) or 'this deck'}: give two cards")
        return int(self.bucket[place[0]])


def _hand_name(hand: int) -> str:
    return cards_name(reversed(uncolex(hand, 2)))


def on_board(buckets: FeatureBuckets, board: Sequence[int], kind: int = 0) -> BoardView:
    """All hands on a board, its cards in dealing order."""
    features, path = buckets.features, buckets.tree.find(board)
    street, number = len(path.numbers) - 1, path.numbers[-1]
    dealt = sum(buckets.tree.streets[: street + 1])
    once = buckets.tree.at_once(0, dealt).find(board)
    total = features.sums_on(street, once.numbers[1]).total[0]
    rows = buckets.rows_on(street, number, kind)
    columns = [
        np.searchsorted(features.hands, permuted_combos(2, SUIT_PERMUTATIONS[renaming])[features.hands])
        for renaming in (path.renaming, once.renaming)
    ]
    alive = features.alive(buckets.tree.levels[street], number, number + 1)[0][columns[0]]
    equity = features.ehs(street, total)[columns[1]]
    return BoardView(tuple(board), features.hands[alive], rows[columns[0]][alive], equity[alive])


@dataclass(frozen=True, eq=False)
class Transitions:
    """How often a hand of each bucket of a street is in each bucket of the next."""

    counts: AnyArray  # int64[from, to] deals
    sampled: bool

    def probabilities(self) -> Floats:
        """[from, to], each row adding up to 1; rows without a deal are 0."""
        whole = self.counts.sum(axis=1, keepdims=True)
        return np.asarray(self.counts / np.maximum(whole, 1))

    def errors(self) -> Floats:
        """[from, to]: the standard errors of the probabilities; 0 where every deal was counted."""
        p, deals = self.probabilities(), self.counts.sum(axis=1, keepdims=True)
        return np.sqrt(p * (1 - p) / np.maximum(deals, 1)) if self.sampled else np.zeros_like(p)

    def chart(self, title: str) -> str:
        """SVG with a bar for each bucket, in at most eight parts: groups of buckets of the next street."""
        probabilities = self.probabilities()
        to = probabilities.shape[1]
        cuts = np.linspace(0, to, min(to, len(COLOURS)) + 1).astype(int)
        groups = list(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True))
        parts = [str(a) if b - a == 1 else f"{a}-{b - 1}" for a, b in groups]
        held = np.flatnonzero(self.counts.sum(axis=1)).tolist()[:40]
        bars = [(f"bucket {bucket}", [float(probabilities[bucket, a:b].sum()) for a, b in groups]) for bucket in held]
        return bar_chart(bars, parts, title=title, x="chance to be in each bucket of the next street")


def transitions(
    buckets: FeatureBuckets, street: int, samples: int | None = None, seed: int = 0, kinds: tuple[int, int] = (0, 0)
) -> Transitions:
    """Transitions from a street to the next, over all deals or a sample; `kinds` are the partitions of the two."""
    if not 0 <= street < buckets.game.streets - 1:
        raise UserError(
            f"street {street} has none after it: transitions are from streets 0 to {buckets.game.streets - 2}"
        )
    sizes = buckets.sizes[street][kinds[0]], buckets.sizes[street + 1][kinds[1]]
    if sizes[0] * sizes[1] > 1 << 26:
        raise UserError(f"{sizes[0]:,} x {sizes[1]:,} transitions are too many to count: use fewer buckets")
    counts = np.zeros(sizes[0] * sizes[1], dtype=np.int64)
    boards = buckets.tree.levels[street + 1]
    if samples is None:
        for low in range(0, len(boards), _BOARDS):
            high = min(len(boards), low + _BOARDS)
            before, after = _pairs(buckets, street, low, high, kinds)
            alive = buckets.features.alive(boards, low, high)[:, buckets.columns[0]]
            weight = np.broadcast_to(boards.count[low:high, None], alive.shape)[alive]
            cells = before[alive].astype(np.int64) * sizes[1] + after[alive]
            counts += np.bincount(cells, weights=weight, minlength=len(counts)).astype(np.int64)
        return Transitions(counts.reshape(sizes), False)
    if whole(samples, "samples", 1) > MOST_SAMPLES:
        raise UserError(f"samples must be at most {MOST_SAMPLES:,}")
    rng = np.random.default_rng((check_seed(seed), street))
    chosen = rng.choice(len(boards), size=samples, p=boards.count / boards.count.sum())
    for board, times in zip(*np.unique(chosen, return_counts=True), strict=True):
        before, after = _pairs(buckets, street, int(board), int(board) + 1, kinds)
        living = np.flatnonzero(buckets.features.alive(boards, int(board), int(board) + 1)[0][buckets.columns[0]])
        hands = living[rng.integers(len(living), size=times)]
        np.add.at(counts, before[0, hands].astype(np.int64) * sizes[1] + after[0, hands], 1)
    return Transitions(counts.reshape(sizes), True)


def _pairs(
    buckets: FeatureBuckets, street: int, low: int, high: int, kinds: tuple[int, int]
) -> tuple[AnyArray, AnyArray]:
    """The buckets of hands on boards of the next street, and on their parents."""
    parent = buckets.tree.levels[street + 1].parent[low:high].astype(np.int64)
    above = buckets.rows(0, street, int(parent[0]), int(parent[-1]) + 1, kinds[0])[parent - int(parent[0])]
    return above, buckets.rows(0, street + 1, low, high, kinds[1])
