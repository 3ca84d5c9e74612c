"""What pairs of hands earn where the betting of a flop ends, if turn and river follow a blueprint.

A *leaf* is where the flop's betting ends. Below it both players follow the blueprint on every run-out, a turn and a
river, so what hand i earns against hand j is a number, and what it earns against a range is a row of a matrix times the
range. The opponent may choose among continuations (Brown, Sandholm and Amos 2018): the blueprint, or the blueprint with
folds, calls or raises made BIAS times as likely. Each has a matrix of its own.

All turns are counted, and with each one or two rivers. Strategies are by bucket, so on a run-out all hands with equal
buckets on turn and river share a *column*, and values are computed by pairs of columns. On a few rivers a pair of hands
has another equity than on all of them; the difference, which is exact on the flop, corrects what a showdown for the pot
at the leaf would pay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, permutations
from math import comb, prod
from typing import NamedTuple

import numpy as np

from headsup.cards.combos import HOLDEM_COUNT, combo_masks, holdem_combos
from headsup.common.arrays import AnyArray, Floats
from headsup.equity.blocks import block_size, in_threads, map_blocks, threads
from headsup.equity.holdem.flop_pairs import flop_pairs
from headsup.evaluate import rank_combos
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.cut import cut_tree, decisions_below
from headsup.games.betting.rules import DEAL, FOLD, SHOWDOWN, Move
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.nolimit import leaf_kernels as kernels

Cards = tuple[int, ...]
CONTINUATIONS = (None, "fold", "call", "raise")
BIAS = 5.0
WORK = 4.5e8  # pairs of hands x matrices x run-outs: half a second of CPU time
BLOCK = 7  # run-outs whose tables of columns are kept at once
ROWS = 64  # of matrices that are finished at once, so that a cache holds what is computed on the way


class RunOuts(NamedTuple):
    """Turns and rivers after a flop, with the columns of all hands; columns of all run-outs lie in a row."""

    flop: Cards
    start: AnyArray  # int64[run-outs + 1] where the columns of each begin
    turn: AnyArray  # [columns] the bucket on the turn
    river: AnyArray
    column: AnyArray  # int32[run-outs, 1326] from the first of the run-out; -1 for blocked hands
    rank: AnyArray  # int32[run-outs, 1326]
    every: bool  # whether these are all
    lead: AnyArray  # float32[1326, 1326] how much more often a row's hand wins than a column's, whatever is left out


def run_outs(flop: Cards, dealt: AnyArray, buckets: Callable[[Cards], AnyArray], every: bool = False) -> RunOuts:
    """Run-outs of a flop: `every` one, or each turn with one river and then each with another.

    `dealt` marks the hands of the deck, and `buckets(board)` has the bucket of each hand on a board.
    """
    masks = combo_masks(2)
    deck = [card for card in range(52) if (dealt & (masks >> np.uint64(card) & np.uint64(1) > 0)).any()]
    cards = [card for card in deck if card not in flop]
    order = np.random.default_rng(flop).permutation(cards).tolist()
    after = list(zip(order, order[1:] + order[:1], strict=True))
    pairs = permutations(cards, 2) if every else [*after, *((river, turn) for turn, river in after)]
    boards = [(*flop, *pair) for pair in pairs]
    turns = sorted({board[:4] for board in boards})
    buckets(boards[0])  # makes what later boards share, which threads must not do at once
    on_turn = dict(zip(turns, in_threads(buckets, turns), strict=True))
    on_river = list(in_threads(buckets, boards))
    column, start, each = np.full((len(boards), HOLDEM_COUNT), -1, np.int32), [0], list[AnyArray]()
    for b, board in enumerate(boards):
        free = dealt & ((masks & np.uint64(sum(1 << card for card in board))) == 0)
        both = on_turn[board[:4]][free].astype(np.int64) << 32 | on_river[b][free].astype(np.int64)
        kind, place = np.unique(both, return_inverse=True)
        column[b, free] = place
        each.append(kind)
        start.append(start[-1] + len(kind))
    kinds = np.concatenate(each)
    rank = rank_combos(np.array(boards, np.uint8), check=False).astype(np.int32)
    lead = _lead(flop, cards, dealt)
    return RunOuts(flop, np.array(start), kinds >> 32, kinds & 0xFFFFFFFF, column, rank, every, lead)


def _lead(flop: Cards, cards: Sequence[int], dealt: AnyArray) -> AnyArray:
    """float32[1326, 1326]: how much more often a row's hand wins than a column's, over all run-outs of the cards."""
    lead, masks = np.zeros((HOLDEM_COUNT, HOLDEM_COUNT), np.float32), combo_masks(2)
    if dealt.all():
        pairs = flop_pairs(np.array(flop, np.uint8))
        lead[np.ix_(pairs.hands, pairs.hands)] = pairs.lead
        return lead
    boards = np.array([(*flop, *pair) for pair in combinations(cards, 2)], np.uint8)
    for values in rank_combos(boards, check=False).astype(np.int32):  # 0 for blocked hands
        hands = np.flatnonzero(dealt & (values > 0))
        lead[np.ix_(hands, hands)] += np.sign(values[hands][:, None] - values[hands])
    lead[(masks[:, None] & masks) != 0] = 0.0
    return lead / np.float32(comb(len(cards) - 4, 2))


class Leaf(NamedTuple):
    """Where the betting of a flop ends, in real chips."""

    entry: int  # the blueprint's node at which the turn begins there
    pot: float
    paid: tuple[float, float]  # by each player since the flop began
    all_in: bool


class LeafEnds(NamedTuple):
    """What columns earn where the betting below a leaf ends, by the opponent's sequences of actions."""

    paid: AnyArray  # float32[sequences, columns] by the player's own actions, on average of a win and a loss
    won: AnyArray  # half the difference
    theirs: AnyArray  # float32[continuations, sequences, columns] how likely the opponent's actions are


class HeldHands(NamedTuple):
    """A player's hands on some run-outs."""

    column: AnyArray  # int32[run-outs, hands]; that of blocked hands is one that pays nothing
    rank: AnyArray  # int32[run-outs, hands]
    order: AnyArray  # int64[run-outs, hands] the hands by column
    start: AnyArray  # int64[run-outs, columns + 1] where the hands of a column begin in that order

    @classmethod
    def of(cls, outs: RunOuts, counted: int, combos: AnyArray, unpaid: int) -> HeldHands:
        """On the first run-outs; `unpaid` is the column of blocked hands, after all others."""
        column = outs.column[:counted, combos]
        column[column < 0] = unpaid
        order = np.argsort(column, axis=1, kind="stable")
        each = zip(column, order, strict=True)
        start = np.stack([np.searchsorted(row[places], np.arange(unpaid + 1)) for row, places in each])
        return cls(column, outs.rank[:counted, combos], order, start)

    def on(self, run_outs: slice) -> HeldHands:
        """Some of the run-outs."""
        return HeldHands(*(array[run_outs] for array in self))


class BelowLeaf:
    """The blueprint below one leaf in sequence form: what each pair of both players' sequences of actions pays."""

    def __init__(self, strategy: BucketStrategy, leaf: Leaf, seat: int) -> None:
        whole: BettingTree = strategy.game.betting
        tree, self._nodes = cut_tree(whole, leaf.entry)
        self.leaf, self.seat, self._strategy, self._tree = leaf, seat, strategy, tree
        self.pot = float(whole.rules.pot + whole.paid[leaf.entry].sum())
        self._last = np.zeros((2, tree.n_nodes), np.int64)  # the node after each player's last action; 0 before any
        for node in range(1, tree.n_nodes):
            above = int(tree.parent[node])
            self._last[:, node] = self._last[:, above]
            if tree.player[above] < DEAL:
                self._last[tree.player[above], node] = node
        self._acts = [[node for node in range(tree.n_nodes) if tree.player[node] == p] for p in (0, 1)]
        end = np.flatnonzero((tree.player == FOLD) | (tree.player == SHOWDOWN))
        win, lose = (chips[end, seat] + float(whole.paid[leaf.entry, seat]) for chips in (tree.win, tree.lose))
        shown, folded = tree.player[end] == SHOWDOWN, tree.player[tree.parent[end]] == seat
        self._paid = np.where(shown, (win + lose) / 2, np.where(folded, lose, win)).astype(np.float32)
        self._won = np.where(shown, (win - lose) / 2, 0.0).astype(np.float32)
        self._ends = self._last[:, end]
        self._theirs = np.unique(self._ends[1 - seat])
        self._rows = {
            (node, favoured): self._continued(node, favoured)
            for p, how in ((seat, CONTINUATIONS[:1]), (1 - seat, CONTINUATIONS))
            for node in self._acts[p]
            for favoured in how
        }

    def _continued(self, node: int, favoured: str | None) -> AnyArray:
        """float32[actions, buckets] of a continuation."""
        first, count = int(self._tree.child[node]), int(self._tree.count[node])
        rows = self._strategy.by_bucket(int(self._nodes[node]))[0]
        return biased(rows, self._tree.kind[first : first + count], favoured).astype(np.float32)

    def ends(self, turn: AnyArray, river: AnyArray) -> LeafEnds:
        """For columns with these buckets."""
        own, paid = self._reach(self.seat, None, turn, river), np.zeros((len(self._theirs), len(turn)), np.float32)
        won, at = np.zeros_like(paid), np.searchsorted(self._theirs, self._ends[1 - self.seat])
        for q, mine, pays, wins in zip(at, self._ends[self.seat].tolist(), self._paid, self._won, strict=True):
            paid[q] += pays * own[mine]
            if wins:
                won[q] += wins * own[mine]
        reach = [self._reach(1 - self.seat, favoured, turn, river) for favoured in CONTINUATIONS]
        return LeafEnds(paid, won, np.stack([[by_node[node] for node in self._theirs.tolist()] for by_node in reach]))

    def _reach(self, player: int, favoured: str | None, turn: AnyArray, river: AnyArray) -> dict[int, AnyArray]:
        """float32[columns] how likely a player's actions are, by the node after the last of them."""
        tree, reach = self._tree, {0: np.ones(len(turn), np.float32)}
        for node in self._acts[player]:
            rows, first = self._rows[node, favoured], int(tree.child[node])
            for a, row in enumerate(rows):
                held = row[turn if tree.street[node] == 0 else river]
                reach[first + a] = reach[int(self._last[player, node])] * held
        return reach


def biased(rows: Floats, kinds: AnyArray, favoured: str | None) -> Floats:
    """Rows with folds, checks and calls, or bets and raises made BIAS times as likely; None is the strategy itself."""
    if favoured is None:
        return rows
    calls = (kinds == Move.CHECK) | (kinds == Move.CALL)
    chosen = {"fold": kinds == Move.FOLD, "call": calls, "raise": kinds >= Move.BET}[favoured]
    rows = rows * np.where(chosen, BIAS, 1.0)[:, None]
    return np.asarray(rows / rows.sum(axis=0))


class LeafMemory:
    """Memory for the matrices of one flop after another: new memory may cost more time than the sums in it."""

    def __init__(self) -> None:
        self._kept = np.zeros(0, np.float32)

    def zeros(self, *shape: int) -> AnyArray:
        """float32 zeros; those of the call before are lost."""
        size = prod(shape)
        if size > self._kept.size:
            self._kept = np.zeros(size, np.float32)
        else:
            self._kept[:size] = 0.0
        return self._kept[:size].reshape(shape)


class LeafValues:
    """The matrices of all leaves. Leaves after which somebody acts have one for each continuation."""

    def __init__(
        self,
        strategy: BucketStrategy,
        outs: RunOuts,
        leaves: Sequence[Leaf],
        seat: int,
        hands: tuple[AnyArray, AnyArray],
        pot: float,
        memory: LeafMemory | None = None,
    ) -> None:
        """`hands` are the combos of the player of a seat, and of the opponent; the pot is that before the flop.
        Values in a `memory` are lost with the next ones there.
        """
        self.leaves, self.seat, self.hands, self.pot = leaves, seat, hands, pot
        self._memory = LeafMemory() if memory is None else memory
        acted, masks = decisions_below(strategy.game.betting), [combo_masks(2)[combos] for combos in hands]
        self.played = [n for n, leaf in enumerate(leaves) if not leaf.all_in and acted[leaf.entry]]
        self.shown = [n for n in range(len(leaves)) if n not in self.played]
        self.disjoint = ((masks[0][:, None] & masks[1]) == 0).astype(np.float32)
        self.lead = outs.lead[np.ix_(*hands)] * self.disjoint
        self._lead_of_columns = np.ascontiguousarray(self.lead.T)
        self._outs, work = outs, self.lead.size * len(self.played) * len(CONTINUATIONS)
        few = not outs.every and work * len(outs.column) > WORK
        self.counted = len(outs.column) // 2 if few else len(outs.column)
        self.values = self._values([BelowLeaf(strategy, leaves[n], seat) for n in self.played])
        """float32[played leaves, continuations, own hands, hands]: what own hands earn since the flop began."""

    def _values(self, below: list[BelowLeaf]) -> AnyArray:
        outs, (own, theirs), each = self._outs, self.hands, len(CONTINUATIONS)
        widest = int(np.diff(outs.start).max())
        tables = np.zeros((min(BLOCK, self.counted), 2, each, widest, widest + 1), np.float32)
        held = [HeldHands.of(outs, self.counted, combos, widest) for combos in self.hands]
        values = self._memory.zeros(len(below), each, len(own), len(theirs))
        for low in range(0, self.counted, BLOCK):
            high = min(low + BLOCK, self.counted)
            start, here = outs.start[low : high + 1], [hands.on(slice(low, high)) for hands in held]
            columns = slice(int(start[0]), int(start[-1]))
            for part, matrices in zip(below, values, strict=True):  # a leaf at a time: a cache may hold its matrices
                ends = part.ends(outs.turn[columns], outs.river[columns])
                _add_boards(ends, start - start[0], tables[: high - low], here, matrices)
        self._finish(values, below, held)
        return values

    def _finish(self, sums: AnyArray, below: list[BelowLeaf], held: list[HeldHands]) -> None:
        """From sums to values in chips: the mean, corrected by the exact equity of each pair."""

        def work(rows: slice) -> None:
            lead, disjoint = self.lead[rows], self.disjoint[rows]
            boards, signs = np.zeros_like(lead), np.zeros_like(lead)
            kernels.count_pairs(held[0], held[1], boards, signs, rows.start)
            weight = np.where(boards > 0.0, disjoint / np.maximum(boards, 1.0), np.float32(0.0))
            correction = lead - signs * weight
            for part, by_continuation in zip(below, sums[:, :, rows], strict=True):
                leaf = part.leaf
                by_continuation *= weight * np.float32(leaf.pot / part.pot)
                by_continuation += correction * np.float32(leaf.pot / 2) - disjoint * np.float32(leaf.paid[self.seat])

        for _ in map_blocks(work, len(self.lead), ROWS):
            pass

    def own(self, reach: AnyArray) -> AnyArray:
        """float32[leaves, own hands]: what own hands earn, given the reach of the opponent's at each leaf by its
        continuations, float32[leaves, continuations, hands].
        """
        out, buffers = self._zeros(len(self.hands[0])), np.zeros((threads(), len(self.hands[1])), np.float32)
        met = reach.sum(axis=1)

        def work(t: int, low: int, high: int) -> None:
            for matrices, n in zip(self.values, self.played, strict=True):
                kernels.add_rows(matrices, reach[n], out[n], low, high, buffers[t])
            for n in self.shown:
                kernels.add_columns(self._lead_of_columns, met[n], out[n], low, high)

        _share(len(self.hands[0]), work)
        self._add_showdowns(out, self._met(met, 1))
        return out

    def theirs(self, reach: AnyArray) -> AnyArray:
        """float32[leaves, continuations, hands]: what the opponent's hands earn by each continuation, given the reach
        of own hands at each leaf, float32[leaves, own hands].
        """
        out, shown = self._zeros(len(CONTINUATIONS), len(self.hands[1])), self._zeros(len(self.hands[1]))

        def work(_: int, low: int, high: int) -> None:
            for matrices, n in zip(self.values, self.played, strict=True):
                for k, matrix in enumerate(matrices):
                    kernels.add_columns(matrix, reach[n], out[n, k], low, high)
            for n in self.shown:
                kernels.add_columns(self.lead, reach[n], shown[n], low, high)

        _share(len(self.hands[1]), work)
        met = self._met(reach, 0)
        self._add_showdowns(shown, met)
        out[self.shown] = shown[self.shown, None]  # whatever the continuation
        return np.asarray(met[:, None] * np.float32(self.pot) - out)  # both together earn the pot before the flop

    def _zeros(self, *shape: int) -> AnyArray:
        return np.zeros((len(self.leaves), *shape), np.float32)

    def _add_showdowns(self, lead: AnyArray, met: AnyArray) -> None:
        """Turn leads into what the player of the seat earns, where nobody acts any more."""
        for n in self.shown:
            half = self.leaves[n].pot / 2
            lead[n] = lead[n] * np.float32(half) + met[n] * np.float32(half - self.leaves[n].paid[self.seat])

    def _met(self, reach: AnyArray, side: int) -> AnyArray:
        """float32[leaves, hands of the other side]: the reach of one side's hands that share no card with a hand."""
        cards, others = (holdem_combos()[self.hands[s]] for s in (side, 1 - side))
        by_combo = np.zeros((len(reach), HOLDEM_COUNT))
        by_combo[:, self.hands[side]] = reach
        by_card = np.stack([np.bincount(cards.ravel(), np.repeat(row, 2), 52) for row in reach])
        met = reach.sum(axis=1, dtype=np.float64)[:, None] - by_card[:, others].sum(axis=2)
        met += by_combo[:, self.hands[1 - side]]  # the same hand was taken off twice
        return np.asarray(met, np.float32)


def _add_boards(ends: LeafEnds, start: AnyArray, tables: AnyArray, held: list[HeldHands], matrices: AnyArray) -> None:
    """Add what hands earn below a leaf on some run-outs; `start` is where the columns of each begin in the ends."""
    mine, theirs = held
    buffers = np.zeros((threads(), 1 + 2 * len(matrices), matrices.shape[2]), np.float32)

    def add(t: int, low: int, high: int) -> None:
        kernels.add_boards(tables, mine, theirs, matrices, low, high, buffers[t])

    _share(len(tables), lambda _, low, high: kernels.fill_tables(ends, start, tables, low, high))
    _share(matrices.shape[2], add)


def _share(n: int, work: Callable[[int, int, int], None]) -> None:
    """work(thread, low, high) for parts of range(n), one for each thread."""
    size = block_size(n, n)
    for _ in map_blocks(lambda part: work(part.start // size, part.start, part.stop), n, size):
        pass
