"""Exact features of hold'em hands on a board: strength now, and its distribution over the cards to come.

The strength on a complete board is twice the opponent's hands that a hand beats plus those it ties with, an integer
from 0 to `scale`. From its distribution come the mean `ehs`, the mean of the square `ehs2`, `histograms`, `now`, and
equities `against` ranges or clusters (OCHS). All columns are `hands`.

Up to suits there are 134,459 complete boards. One sweep over them writes `strengths`; all else is a sum of its rows:

1. On a board, value all hands, sort them (radix, 13 bits), and walk up once: a hand beats what lies below it, less the
   hands with one of its cards.
2. Of run-outs that the board's group of renamings maps onto each other one is counted, with their number as weight. The
   sums of a hand are averaged over its images under the group; they are divisible, so counts stay integers.
"""

from collections.abc import Callable
from functools import cached_property
from math import comb
from typing import NamedTuple

import numpy as np

from headsup.abstraction.hands.kmeans import Finder, finder, nearest
from headsup.cards.boards import Boards, BoardTree
from headsup.cards.combos import combo_masks, frozen, holdem_combos
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import door, of_kind
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch

STREETS = {0: "preflop", 3: "flop", 4: "turn", 5: "river"}  # what a street is called, by the number of board cards
BINS = 30
_BLOCK = 512  # boards whose hands are valued together
_CELLS = 1 << 25  # counters of a block of histograms


class RunOutRows(NamedTuple):
    """The run-outs of some boards, those of board b being first[b] .. first[b + 1] - 1."""

    row: AnyArray  # int32[run-outs]: the row of each in a table of strengths
    renaming: AnyArray  # uint8[run-outs]: the renaming of suits that leads to that row
    first: AnyArray  # int64[boards + 1]
    copies: AnyArray  # int32[run-outs]: how often each counts


class RunOutSums(NamedTuple):
    """Counts over the run-outs of some boards; H hands."""

    total: AnyArray  # int64[boards, H]: the strengths, added up
    square: AnyArray  # int64[boards, H]: their squares, added up
    histogram: AnyArray
    """unsigned[boards, H, bins]: how many run-outs end in each bin of strength; no bins if none were asked for."""


class Features:
    """The features of all hands on the boards of a tree; costly ones are computed on first use, and kept."""

    threads, block = True, 64  # whether sets are processed on all threads, and how many of them together

    @door(tree=of_kind(BoardTree))
    def __init__(self, tree: BoardTree) -> None:
        self.tree, self.last = tree, len(tree.streets) - 1
        self.hands = tree.hands().astype(np.int64)  # the colex indices of the hands, in the order of the columns
        self.cards = np.ascontiguousarray(holdem_combos()[self.hands])
        self.maps = tree.hand_map(self.hands)
        self._images: dict[int, AnyArray] = {}  # by group: there are few
        self._firsts: dict[int, AnyArray] = {}
        self._dealt = tuple(sum(tree.streets[: s + 1]) for s in range(len(tree.streets)))
        self._free = tree.ranks * tree.suits - len(tree.root) - len(tree.dead)
        if self._free < self._dealt[-1] + 4:
            raise UserError("the deck is too small for two hands and the board: add ranks or suits")
        self.scale = 2 * comb(self._free - self._dealt[-1] - 2, 2)  # the strength of a hand that beats every other

    def run_outs(self, street: int, until: int = -1) -> int:
        """The number of ways to deal the board from a street to a later one (the last), given a hand."""
        return comb(self._free - self._dealt[street] - 2, self._dealt[until] - self._dealt[street])

    def sets(self, street: int) -> Boards:
        """The boards of a street as sets of cards, up to suits."""
        return self.tree.at_once(0, self._dealt[street]).levels[1]

    def name(self, street: int) -> str:
        """What a street is called."""
        cards = len(self.tree.root) + self._dealt[street]
        return STREETS.get(cards, f"{cards} cards")

    def alive(self, boards: Boards, low: int = 0, high: int | None = None) -> AnyArray:
        """bool[boards, H]: whether a hand shares no card with a board."""
        held, masks = combo_masks(2)[self.hands], boards.masks[low:high]
        out = np.empty((len(masks), len(held)), dtype=bool)
        for at in range(0, len(masks), _BLOCK):  # masks take eight times the memory
            np.equal(held & masks[at : at + _BLOCK, None], 0, out=out[at : at + _BLOCK])
        return out

    def images(self, group: int) -> AnyArray:
        """int16[renamings, H]: the image of each hand under the renamings of a group (bits)."""
        if group not in self._images:
            self._images[group] = self.maps[[i for i in range(24) if group >> i & 1]]
        return self._images[group]

    def firsts(self, group: int) -> AnyArray:
        """int16[H]: of the hands that a group maps onto each other, the first, which represents all of them."""
        if group not in self._firsts:
            self._firsts[group] = self.images(group).min(axis=0)
        return self._firsts[group]

    def values(self, cards: AnyArray) -> AnyArray:
        """uint16[boards, H]: the values of the hands on boards of these cards; 0 where a hand is blocked."""
        from headsup.evaluate import rank_on_boards

        return rank_on_boards(cards, self.hands)

    def strengths_on(self, cards: AnyArray, progress: Watch | None = None) -> AnyArray:
        """uint16[boards, H]: the strength of each hand on boards taken as complete; BLOCKED if it shares a card."""
        from headsup.abstraction.hands.feature_kernels import against_random

        out = np.empty((len(cards), len(self.hands)), dtype=np.uint16)

        def work(block: slice) -> None:
            against_random(self.values(cards[block]), self.cards, out[block])

        self.blocks(work, len(cards), _BLOCK, progress)
        return out

    @cached_property
    def strengths(self) -> AnyArray:
        """uint16[sets of the last street, H]: `strengths_on` all of them."""
        return self.strengths_on(self.sets(self.last).cards)

    def sums(self, street: int, bins: int = 0, progress: Watch | None = None) -> RunOutSums:
        """Sums over the run-outs of all boards of a street."""
        n, hands = len(self.sets(street)), len(self.hands)
        kind = np.min_scalar_type(self.run_outs(street))
        total, square = np.zeros((2, n, hands), dtype=np.int64)
        histogram = np.zeros((n, hands, bins), dtype=kind)
        self.prepare(street)

        def work(block: slice) -> None:
            sums = self.sums_of(street, block.start, block.stop, bins)
            total[block], square[block], histogram[block] = sums

        size = max(1, min(-(-n // 8), _CELLS // (hands * max(1, bins))))
        self.blocks(work, n, size, progress)
        return RunOutSums(total, square, histogram)

    def totals(self, street: int) -> AnyArray:
        """unsigned[sets, H]: `RunOutSums.total` of all sets of a street, kept; blocked hands have any number."""
        if street == self.last:
            return self.strengths
        if street not in self._totals:
            most = np.min_scalar_type(self.scale * self.run_outs(street))
            total = self._preflop_totals() if street == 0 and self._is_whole else self.sums(street).total
            self._totals[street] = total.astype(most)
        return self._totals[street]

    @property
    def _is_whole(self) -> bool:
        """Whether the game is hold'em from before the flop to the river with all cards."""
        return self._dealt == (0, 3, 4, 5) and self._free == 52

    def _preflop_totals(self) -> AnyArray:
        """The totals before the flop from the table of all pairs of hands, which takes seconds instead of minutes."""
        from headsup.equity.holdem.table import combo_table

        table = combo_table()
        return np.asarray((2 * table.wins.astype(np.int64) + table.ties).sum(axis=1)[None, self.hands])

    @cached_property
    def _totals(self) -> dict[int, AnyArray]:
        return {}

    def prepare(self, street: int) -> None:
        """Make the tables of `sums_of` before threads need them: they would wait for their own pool."""
        if street != self.last:
            self.children(street)
        _ = self.strengths

    def sums_of(self, street: int, low: int, high: int, bins: int = 0) -> RunOutSums:
        """Sums over the run-outs of sets low .. high - 1 of a street, by the table of all strengths."""
        boards = self.sets(street)
        if street == self.last:
            return self._summed(boards, low, high, self.strengths, _alone(np.arange(low, high, dtype=np.int32)), bins)
        children, row, renaming = self.children(street)
        begin, end = int(children[0].child[low]), int(children[0].child[high])
        first = children[0].child[low : high + 1].astype(np.int64) - begin
        run_outs = RunOutRows(row[begin:end], renaming[begin:end], first, children[1].copies[begin:end])
        return self._summed(boards, low, high, self.strengths, run_outs, bins)

    def sums_on(self, street: int, board: int, bins: int = 0) -> RunOutSums:
        """Sums over the run-outs of one set, without the table of all strengths."""
        boards = self.sets(street)
        if street == self.last:
            table = self.strengths_on(boards.cards[board : board + 1])
            return self._summed(boards, board, board + 1, table, _alone(np.zeros(1, np.int32)), bins)
        after = self._run_outs(street, board)
        first, table = np.array([0, len(after)], dtype=np.int64), self.strengths_on(after.cards)
        row, none = np.arange(len(after), dtype=np.int32), np.zeros(len(after), dtype=np.uint8)
        return self._summed(boards, board, board + 1, table, RunOutRows(row, none, first, after.copies), bins)

    def now(self, street: int, low: int = 0, high: int | None = None) -> AnyArray:
        """int64[sets, H]: the strength on the present board, from 0 to `scale_now`; 0 where a hand is blocked."""
        from headsup.abstraction.hands.feature_kernels import BLOCKED

        strengths = self.strengths_on(self.sets(street).cards[low:high]).astype(np.int64)
        return np.where(strengths == BLOCKED, 0, strengths)

    def scale_now(self, street: int) -> int:
        """The strength now of a hand that beats every other."""
        return 2 * comb(self._free - self._dealt[street] - 2, 2)

    def ehs(self, street: int, total: AnyArray) -> Floats:
        """Equities against a random hand from `RunOutSums.total`."""
        return np.asarray(total / (self.scale * self.run_outs(street)))

    def ehs2(self, street: int, square: AnyArray) -> Floats:
        """Mean squares of the strength from `RunOutSums.square`."""
        return np.asarray(square / (self.scale**2 * self.run_outs(street)))

    def against(self, street: int, low: int, high: int, weights: AnyArray) -> Floats:
        """float64[sets, H, K]: the equity against each of K ranges, [H, K] weights; a half against an empty one."""
        return self._equities(street, low, high, *self.beaten(street, low, high, weights))

    def beaten(self, street: int, low: int, high: int, weights: AnyArray) -> tuple[Floats, Floats]:
        """(won, met), each float64[sets, H, K]: the weight that each hand beats, a tie counting half, and meets.

        Run-outs that a board's group maps onto each other are counted once, so the sums of a hand are right only after
        averaging over its images (`average`).
        """
        from headsup.abstraction.hands.feature_kernels import against_weights

        won, met = np.zeros((2, high - low, len(self.hands), weights.shape[1]))
        given = np.ascontiguousarray(weights, dtype=np.float64)
        cards, copies, first = self._complete(street, low, high)
        for b in range(high - low):
            for at in range(int(first[b]), int(first[b + 1]), _BLOCK):
                end = min(at + _BLOCK, int(first[b + 1]))
                span = np.array([0, end - at], dtype=np.int64)
                values, here = self.values(cards[at:end]), slice(b, b + 1)
                against_weights(values, self.cards, given, span, copies[at:end], won[here], met[here])
        return won, met

    def _equities(self, street: int, low: int, high: int, won: AnyArray, met: AnyArray) -> Floats:
        for weights in (won, met):
            self.average(self.sets(street), low, high, weights)
        return np.asarray(np.divide(won, met, out=np.full_like(won, 0.5), where=met > 0.0))

    def nearest(self, points: AnyArray, centres: AnyArray, city: bool) -> AnyArray:
        """uint32[n]: the nearest centre of each point, as `headsup.abstraction.hands.kmeans.nearest` has it."""
        return nearest(points, centres, city, spread=False)[0]

    def finder(self, points: AnyArray, city: bool) -> Finder:
        """A function that finds the nearest centres of these points, for k-means."""
        return finder(points, city)

    def _summed(
        self, boards: Boards, low: int, high: int, table: AnyArray, run_outs: RunOutRows, bins: int
    ) -> RunOutSums:
        from headsup.abstraction.hands.feature_kernels import sum_run_outs

        sums = np.zeros((high - low, len(self.hands), 2), dtype=np.int64)
        histogram = np.zeros((high - low, len(self.hands), bins), dtype=np.int32)
        sum_run_outs(table, run_outs, self.maps, self._bin_of(bins), sums, histogram)
        return self._averaged(boards, low, high, sums, histogram)

    def _averaged(self, boards: Boards, low: int, high: int, sums: AnyArray, histogram: AnyArray) -> RunOutSums:
        for counts in (sums, histogram):
            self.average(boards, low, high, counts)
        return RunOutSums(sums[..., 0], sums[..., 1], histogram)

    def blocks(self, work: Callable[[slice], None], n: int, size: int, progress: Watch | None = None) -> None:
        """Do work for slices of range(n), on all threads or one after the other."""
        from headsup.equity.blocks import map_blocks

        if self.threads:
            for _ in map_blocks(work, n, size, progress):
                pass
            return
        for at in range(0, n, size):
            work(slice(at, min(at + size, n)))
            if progress is not None:
                progress(Progress(min(at + size, n), n))

    def _bin_of(self, bins: int) -> AnyArray:
        """uint8[scale + 1]: the bin of a strength."""
        if not 0 <= bins <= 255:
            raise UserError(f"a histogram has 1 to 255 bins, not {bins}")
        return np.minimum(np.arange(self.scale + 1) * bins // self.scale, max(0, bins - 1)).astype(np.uint8)

    def average(self, boards: Boards, low: int, high: int, rows: AnyArray) -> None:
        """Average the rows of hands over their images under each board's group, in place."""
        for i, group in enumerate(boards.group[low:high].tolist()):
            if group != 1:
                images = self.images(group)
                summed = rows[i][images[0]]
                for image in images[1:]:
                    summed += rows[i][image]
                rows[i] = summed / len(images) if rows.dtype.kind == "f" else summed // len(images)

    def children(self, street: int, until: int = -1) -> tuple[tuple[Boards, Boards], AnyArray, AnyArray]:
        """The sets of a street and the boards of a later one below them, with the set and renaming of each board."""
        new = self._dealt[until] - self._dealt[street]
        if (street, new) not in self._children:
            tree = self.tree.at_once(0, self._dealt[street], new)
            self._children[street, new] = ((tree.levels[1], tree.levels[2]), *tree.as_sets(2))
        return self._children[street, new]

    @cached_property
    def _children(self) -> dict[tuple[int, int], tuple[tuple[Boards, Boards], AnyArray, AnyArray]]:
        return {}

    def _run_outs(self, street: int, board: int) -> Boards:
        tree = self.tree.at_once(0, self._dealt[street], self._dealt[-1] - self._dealt[street])
        return tree.below(1, board).levels[1]

    def _complete(self, street: int, low: int, high: int) -> tuple[AnyArray, AnyArray, AnyArray]:
        """The complete boards below some sets, up to their groups; how often each counts; where each set's begin."""
        n = high - low
        if street == self.last:
            return self.sets(street).cards[low:high], _ones(n), np.arange(n + 1, dtype=np.int64)
        if n == 1:
            after = self._run_outs(street, low)
            return after.cards, after.copies, np.array([0, len(after)], dtype=np.int64)
        boards, after = self.tree.at_once(0, self._dealt[street], self._dealt[-1] - self._dealt[street]).levels[1:3]
        first = boards.child[low : high + 1].astype(np.int64)
        here = slice(int(first[0]), int(first[-1]))
        return after.cards[here], after.copies[here], first - first[0]


def _alone(row: AnyArray) -> RunOutRows:
    """Boards that are their own run-outs."""
    n = len(row)
    return RunOutRows(row, np.zeros(n, np.uint8), np.arange(n + 1, dtype=np.int64), _ones(n))


def _ones(n: int) -> AnyArray:
    """Copies where each counts once; read-only, as those of boards are, so that no kernel is compiled for both."""
    return frozen(np.ones(n, np.int32))
