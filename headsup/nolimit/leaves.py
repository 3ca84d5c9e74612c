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
TURNS, LOW = 49, (1 << 32) - 1
WORK = 4.5e8  # pairs of hands x matrices x run-outs: half a second of CPU time
BLOCK = 16  # run-outs whose tables of columns are kept at once
TILE = 192  # of the opponent's hands whose values on so many run-outs a cache holds
ROWS = 64  # of matrices that are finished at once, so that a cache holds what is computed on the way


class RunOuts(NamedTuple):
    """Turns and rivers after a flop, with the columns of all hands; columns of all run-outs lie in a row."""

    flop: Cards
    start: AnyArray  # int64[run-outs + 1] where the columns of each begin
    turn: AnyArray  # [columns] the bucket on the turn
    river: AnyArray
    rank: AnyArray  # int32[columns] the value of the hands at showdown
    column: AnyArray  # int32[run-outs, 1326] from the first of the run-out; -1 for blocked hands
    lead: AnyArray  # float32[1326, 1326] how much more often a row's hand wins than a column's, whatever is left out


def run_outs(flop: Cards, dealt: AnyArray, buckets: Callable[[Cards], AnyArray], rivers: int | None = None) -> RunOuts:
    """Run-outs of a flop: all, or each turn with 1 or 2 rivers. Hands with the same buckets and the same value at
    showdown share a column.

    `dealt` marks the hands of the deck, and `buckets(board)` has the bucket of each hand on a board.
    """
    masks = combo_masks(2)
    deck = [card for card in range(52) if (dealt & (masks >> np.uint64(card) & np.uint64(1) > 0)).any()]
    cards = [card for card in deck if card not in flop]
    order = np.random.default_rng(flop).permutation(cards).tolist()
    after = list(zip(order, order[1:] + order[:1], strict=True))
    few = after if rivers == 1 else [*after, *((river, turn) for turn, river in after)]
    boards = [(*flop, *pair) for pair in (permutations(cards, 2) if rivers is None else few)]
    turns = sorted({board[:4] for board in boards})
    buckets(boards[0])  # makes what later boards share, which threads must not do at once
    on_turn = dict(zip(turns, in_threads(buckets, turns), strict=True))
    on_river = list(in_threads(buckets, boards))
    rank = rank_combos(np.array(boards, np.uint8), check=False).astype(np.int64)
    column, start, each = np.full((len(boards), HOLDEM_COUNT), -1, np.int32), [0], list[AnyArray]()
    for b, board in enumerate(boards):
        free = dealt & ((masks & np.uint64(sum(1 << card for card in board))) == 0)
        both = on_turn[board[:4]][free].astype(np.int64) << 32 | on_river[b][free].astype(np.int64)
        known, kind = np.unique(both, return_inverse=True)
        values, place = np.unique(kind << 32 | rank[b, free], return_inverse=True)
        column[b, free] = place
        both = known[values >> 32]
        each.append(np.stack([both >> 32, both & LOW, values & LOW]))
        start.append(start[-1] + len(values))
    turn, river, value = np.concatenate(each, axis=1)
    return RunOuts(flop, np.array(start), turn, river, value.astype(np.int32), column, _lead(flop, cards, dealt))


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


class BelowEntry:
    """The blueprint from one node on in sequence form: what each pair of both players' sequences of actions pays."""

    def __init__(self, strategy: BucketStrategy, entry: int, seat: int) -> None:
        whole: BettingTree = strategy.game.betting
        tree, self._nodes = cut_tree(whole, entry)
        self.seat, self._strategy, self._tree = seat, strategy, tree
        self.pot = float(whole.rules.pot + whole.paid[entry].sum())
        self._last = np.zeros((2, tree.n_nodes), np.int64)  # the node after each player's last action; 0 before any
        for node in range(1, tree.n_nodes):
            above = int(tree.parent[node])
            self._last[:, node] = self._last[:, above]
            if tree.player[above] < DEAL:
                self._last[tree.player[above], node] = node
        self._acts = [[node for node in range(tree.n_nodes) if tree.player[node] == p] for p in (0, 1)]
        end = np.flatnonzero((tree.player == FOLD) | (tree.player == SHOWDOWN))
        win, lose = (chips[end, seat] + float(whole.paid[entry, seat]) for chips in (tree.win, tree.lose))
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
    """A blueprint below flops, and the matrices of one flop at a time, by the node: all flops in the same memory, since
    new memory may take longer than the sums in it. A flop that is solved again, with another bet, has most of its
    matrices already.
    """

    def __init__(self, strategy: BucketStrategy) -> None:
        self.strategy = strategy
        self._acted = decisions_below(strategy.game.betting)
        self._below: dict[tuple[int, int], BelowEntry] = {}
        self._kept, self._of, self._nodes = np.zeros(0, np.float32), b"", list[int]()

    def played(self, leaves: Sequence[Leaf]) -> list[int]:
        """The leaves after which somebody acts."""
        return [n for n, leaf in enumerate(leaves) if not leaf.all_in and self._acted[leaf.entry]]

    def rivers(self, leaves: Sequence[Leaf], pairs: int) -> int:
        """With how many rivers for each turn the values of so many pairs of hands are computed: 1 or 2, by the work."""
        matrices = len({leaves[n].entry for n in self.played(leaves)}) * len(CONTINUATIONS)
        return 1 if pairs * matrices * 2 * TURNS > WORK else 2

    def below(self, entry: int, seat: int) -> BelowEntry:
        """The blueprint from a node on, for the player of a seat."""
        if (entry, seat) not in self._below:
            self._below[entry, seat] = BelowEntry(self.strategy, entry, seat)
        return self._below[entry, seat]

    def matrices(self, of: bytes, nodes: Sequence[int], shape: tuple[int, ...]) -> tuple[AnyArray, list[int], int]:
        """Matrices of a flop, float32[nodes, *shape], with the nodes and how many of these were already there.

        The others are zeros. Matrices of another flop than `of` are lost.
        """
        known = self._nodes if of == self._of else []
        self._of, self._nodes = of, known + [node for node in nodes if node not in known]
        size = prod(shape)
        filled, wanted = len(known) * size, len(self._nodes) * size
        if wanted > self._kept.size:
            self._kept = np.concatenate([self._kept[:filled], np.zeros(wanted - filled, np.float32)])
        self._kept[filled:wanted] = 0.0
        return self._kept[:wanted].reshape(-1, *shape), self._nodes, len(known)


class LeafValues:
    """The matrices of all leaves. Leaves after which somebody acts have one for each continuation; those that the
    blueprint reads as the same node share them.
    """

    def __init__(
        self,
        memory: LeafMemory,
        outs: RunOuts,
        leaves: Sequence[Leaf],
        seat: int,
        hands: tuple[AnyArray, AnyArray],
        pot: float,
    ) -> None:
        """`hands` are the combos of the player of a seat, and of the opponent; the pot is that before the flop.
        The matrices are lost with the next flop in the same memory.
        """
        self.leaves, self.seat, self.hands, self.pot = leaves, seat, hands, pot
        masks = [combo_masks(2)[combos] for combos in hands]
        self.played = memory.played(leaves)
        self.shown = [n for n in range(len(leaves)) if n not in self.played]
        self.disjoint = ((masks[0][:, None] & masks[1]) == 0).astype(np.float32)
        self.lead = outs.lead[np.ix_(*hands)] * self.disjoint
        self._lead_of_columns = np.ascontiguousarray(self.lead.T)
        self._outs, shape = outs, (len(CONTINUATIONS), *self.lead.shape)
        of = repr((outs.flop, seat, len(outs.column))).encode() + hands[0].tobytes() + b"," + hands[1].tobytes()
        entries = [leaves[n].entry for n in self.played]
        values, nodes, known = memory.matrices(of, entries, shape)
        self._fill(values[known:], [memory.below(node, seat) for node in nodes[known:]])
        self.values = [values[nodes.index(entry)] for entry in entries]
        """Of each played leaf, float32[continuations, own hands, hands]: what own hands earn, as a share of the pot and
        without what they have paid.
        """

    def _fill(self, values: AnyArray, below: list[BelowEntry]) -> None:
        if not below:
            return
        outs, each = self._outs, len(CONTINUATIONS)
        widest = int(np.diff(outs.start).max())
        signs = np.zeros((BLOCK, 2, widest, widest + 1), np.float32)  # whether a pair is dealt, and who wins
        tables = np.zeros((BLOCK, each, widest, widest + 1), np.float32)
        earned = np.zeros((threads(), BLOCK, widest + 1, TILE), np.float32)
        held = [_held(outs, combos, widest) for combos in self.hands]
        pairs = np.zeros((2, *self.lead.shape), np.float32)
        ends = list(in_threads(lambda part: part.ends(outs.turn, outs.river), below))
        for low in range(0, len(outs.column), BLOCK):
            here, start = [columns[low : low + BLOCK] for columns in held], outs.start[low : low + BLOCK + 1]
            for table, first, after in zip(signs, start, start[1:], strict=False):
                of = outs.rank[first:after]
                table[0, : len(of), : len(of)] = 1.0
                table[1, : len(of), : len(of)] = np.sign(of[:, None] - of)
            _add_boards(signs, start, here, pairs, earned)
            for part, matrices in zip(ends, values, strict=True):
                _fill_tables(part, outs.rank, start, tables)
                _add_boards(tables, start, here, matrices, earned)
        self._finish(values, below, pairs)

    def _finish(self, sums: AnyArray, below: list[BelowEntry], pairs: AnyArray) -> None:
        """From sums in chips to shares of the pot: the mean, corrected by the exact equity of each pair."""

        def work(rows: slice) -> None:
            boards, signs = pairs[:, rows]
            weight = np.where(boards > 0.0, self.disjoint[rows] / np.maximum(boards, 1.0), np.float32(0.0))
            correction = (self.lead[rows] - signs * weight) / 2
            for part, by_continuation in zip(below, sums[:, :, rows], strict=True):
                by_continuation *= weight / np.float32(part.pot)
                by_continuation += correction

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
        self._in_chips(out, self._met(met, 1))
        return out

    def theirs(self, reach: AnyArray) -> AnyArray:
        """float32[leaves, continuations, hands]: what the opponent's hands earn by each continuation, given the reach
        of own hands at each leaf, float32[leaves, own hands].
        """
        out, shown = self._zeros(len(CONTINUATIONS), len(self.hands[1])), self._zeros(1, len(self.hands[1]))

        def work(_: int, low: int, high: int) -> None:
            for matrices, n in zip(self.values, self.played, strict=True):
                for k, matrix in enumerate(matrices):
                    kernels.add_columns(matrix, reach[n], out[n, k], low, high)
            for n in self.shown:
                kernels.add_columns(self.lead, reach[n], shown[n, 0], low, high)

        _share(len(self.hands[1]), work)
        met = self._met(reach, 0)[:, None]
        out[self.shown] = shown[self.shown]  # whatever the continuation
        self._in_chips(out, met)
        return np.asarray(met * np.float32(self.pot) - out)  # both together earn the pot before the flop

    def _zeros(self, *shape: int) -> AnyArray:
        return np.zeros((len(self.leaves), *shape), np.float32)

    def _in_chips(self, shares: AnyArray, met: AnyArray) -> None:
        """Turn shares of the pot into what the player of the seat earns, and leads where nobody acts any more."""
        shares[self.shown] = (shares[self.shown] + met[self.shown]) / 2
        for share, there, leaf in zip(shares, met, self.leaves, strict=True):
            share *= np.float32(leaf.pot)
            share -= there * np.float32(leaf.paid[self.seat])

    def _met(self, reach: AnyArray, side: int) -> AnyArray:
        """float32[leaves, hands of the other side]: the reach of one side's hands that share no card with a hand."""
        cards, others = (holdem_combos()[self.hands[s]] for s in (side, 1 - side))
        by_combo = np.zeros((len(reach), HOLDEM_COUNT))
        by_combo[:, self.hands[side]] = reach
        by_card = np.stack([np.bincount(cards.ravel(), np.repeat(row, 2), 52) for row in reach])
        met = reach.sum(axis=1, dtype=np.float64)[:, None] - by_card[:, others[:, 0]] - by_card[:, others[:, 1]]
        met += by_combo[:, self.hands[1 - side]]  # the same hand was taken off twice
        return np.asarray(met, np.float32)


def _fill_tables(ends: LeafEnds, rank: AnyArray, start: AnyArray, tables: AnyArray) -> None:
    """The tables of some run-outs; `start` is where the columns of each begin in the ends."""
    signs = np.zeros((threads(), tables.shape[2]), np.float32)

    def fill(t: int, low: int, high: int) -> None:
        kernels.fill_tables(ends, rank, start, tables, low, high, signs[t])

    _share(len(start) - 1, fill)


def _held(outs: RunOuts, combos: AnyArray, unpaid: int) -> AnyArray:
    """uint32[run-outs, hands]: the columns of some hands, `unpaid` where they are blocked, and on more run-outs, to a
    multiple of four.
    """
    column = np.full((-(-len(outs.column) // 4) * 4, len(combos)), unpaid, np.uint32)
    known = outs.column[:, combos]
    column[: len(known)] = np.where(known < 0, unpaid, known)
    return column


def _add_boards(tables: AnyArray, start: AnyArray, held: list[AnyArray], matrices: AnyArray, earned: AnyArray) -> None:
    """Add what hands earn on some run-outs; `earned` has a buffer for each thread."""
    (mine, theirs), widths = held, np.zeros(len(held[0]), np.int64)
    widths[: len(start) - 1] = np.diff(start)

    def add(t: int, low: int, high: int) -> None:
        kernels.add_boards(tables, widths, mine, theirs, matrices, low, high, earned[t])

    _share(matrices.shape[2], add)


def _share(n: int, work: Callable[[int, int, int], None]) -> None:
    """work(thread, low, high) for parts of range(n), one for each thread."""
    size = block_size(n, n)
    for _ in map_blocks(lambda part: work(part.start // size, part.start, part.stop), n, size):
        pass
