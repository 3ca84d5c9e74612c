"""What pairs of hands earn after each line into the flop, if both players follow a blueprint from there on.

Boards are sampled. On a board every hand has a bucket on flop, turn and river, so the blueprint says how likely it
takes each sequence of actions, and what two hands earn against each other is a sum over the ends of the betting. The
sums are kept by pair of the 169 classes and in fractions of the pot at the flop. Who wins a showdown on the sampled
boards is luck that is known exactly over all boards, so its part is taken out by regression (`LaterPlay.share`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_of_combo
from headsup.cards.combos import combo_masks
from headsup.cards.suits import SUIT_PERMUTATIONS, permuted_combos
from headsup.common.archives import load_record, save_record
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import DataError
from headsup.common.files import parsed
from headsup.evaluate import rank_combos
from headsup.games.betting.cut import cut_tree
from headsup.games.betting.rules import FOLD, SHOWDOWN
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.classes import holdem_classes
from headsup.measure.streamed import content
from headsup.nolimit.opening import FlopLine, flop_lines

KIND = "headsup-later-play"


@dataclass
class LaterPlay:
    """Sums over sampled boards; the small blind's view."""

    strategy: str
    """The checksum of the blueprint."""
    seed: int
    boards: int
    """How many were sampled."""
    met: Floats
    """[169, 169] how many pairs of hands met."""
    won: Floats
    """[169, 169] how many of them the small blind's hand won; half of ties."""
    earned: Floats
    """[lines, 169, 169] what it got of the pot at the flop, its later bets taken off."""
    moments: Floats = field(repr=False)
    """[lines, 5] sums over pairs of: 1, won, won squared, earned, won times earned."""

    @classmethod
    def none(cls, strategy: BucketStrategy, seed: int) -> LaterPlay:
        """Before the first board."""
        pairs, lines = (HOLDEM_CLASSES, HOLDEM_CLASSES), len(flop_lines(strategy.game.betting))
        return cls(
            content(strategy),
            seed,
            0,
            np.zeros(pairs),
            np.zeros(pairs),
            np.zeros((lines, *pairs)),
            np.zeros((lines, 5)),
        )

    def __add__(self, other: LaterPlay) -> LaterPlay:
        """Both samples together."""
        sums = (getattr(self, name) + getattr(other, name) for name in ("boards", "met", "won", "earned", "moments"))
        return LaterPlay(self.strategy, self.seed, *sums)

    @property
    def share(self) -> Floats:
        """[lines, 169, 169]: the mean, corrected for who wins the sampled boards more often than all boards; where two
        classes never met, their equity.
        """
        pairs, won, squared, earned, product = self.moments.T
        slope = (product - won * earned / pairs) / (squared - won * won / pairs)
        met = np.maximum(self.met, 1.0)
        mean = self.earned / met - slope[:, None, None] * (self.won / met - class_equities())
        return np.where(self.met > 0.0, mean, class_equities())

    def save(self, path: str | Path) -> None:
        """Write the sums to a file."""
        about = {"strategy": self.strategy, "seed": self.seed, "boards": self.boards}
        arrays = {name: getattr(self, name) for name in ("met", "won", "earned", "moments")}
        save_record(path, KIND, about, arrays)

    @classmethod
    def load(cls, path: str | Path, strategy: BucketStrategy, seed: int) -> LaterPlay:
        """Read what `save` wrote for this blueprint and seed."""
        about, arrays = load_record(path, KIND)
        if (about.get("strategy"), about.get("seed")) != (content(strategy), seed):
            raise DataError(f"{path} holds boards of another blueprint or seed: give another file")
        sums = ("met", "won", "earned", "moments")
        return parsed(
            path,
            lambda: cls(content(strategy), seed, int(about["boards"]), *(arrays[name] for name in sums)),
            "a sample of later play",
        )


@cache
def class_pairs() -> Floats:
    """[169, 169]: how many hands of the second class a hand of the first one can meet."""
    return np.asarray(holdem_classes().sums(np.eye(HOLDEM_CLASSES)).hands)


@cache
def class_equities() -> Floats:
    """[169, 169]: the mean equity of hands of the first class against those of the second, over all boards."""
    sums = holdem_classes().sums(np.eye(HOLDEM_CLASSES))
    return np.asarray(sums.pots / sums.hands)


class _SeatLevel(NamedTuple):
    """Nodes at one depth that a seat comes to by an action of its own, or not."""

    node: AnyArray
    above: AnyArray
    row: AnyArray
    """The row of the action among those of the seat on its street; -1 where another acts."""


class _SeatStreet(NamedTuple):
    levels: list[_SeatLevel]
    """In order of depth, for a seat."""
    first: AnyArray
    """[rows] where the numbers of each row begin."""
    kind: AnyArray
    """[rows] the partition of the buckets that holds there."""


class _LineEnds(NamedTuple):
    """Where the betting after a line ends."""

    folds: AnyArray
    showdowns: AnyArray
    folded: AnyArray
    """float32[folds] what the small blind gets of the pot at the flop beyond half of it, its later bets taken off."""
    swing: AnyArray
    """float32[showdowns] the same if it wins; minus that if it loses, since both have paid as much."""


class RunoutSampler:
    """Plays a blueprint against itself on sampled boards."""

    def __init__(self, strategy: BucketStrategy, seed: int = 1) -> None:
        self.strategy, self.seed = strategy, seed
        self.tree, self.lines = strategy.game.betting, flop_lines(strategy.game.betting)
        self.classes, self._content = holdem_class_of_combo(), content(strategy)
        masks = combo_masks(2)
        self._disjoint = (masks[:, None] & masks) == 0
        self._shares = [shares.astype(np.float32) for shares in strategy.shares]
        self._streets = [[self._street(s, p) for s in range(1, strategy.game.streets)] for p in (0, 1)]
        self._ends = [self._ends_of(line) for line in self.lines]

    def board(self, number: int) -> tuple[int, ...]:
        """Five cards; the same for the same seed and number."""
        cards = np.random.default_rng((self.seed, number)).permutation(52)[:5]
        return tuple(int(card) for card in cards)

    def sample(self, numbers: range) -> Iterator[LaterPlay]:
        """What pairs of hands earn on each of these boards."""
        for number in numbers:
            yield self.on(self.board(number))

    def on(self, board: tuple[int, ...]) -> LaterPlay:
        """What pairs of hands earn on one board."""
        rank = rank_combos(np.array([board], np.uint8), check=False)[0].astype(np.int32)
        order = np.argsort(self.classes, kind="stable")
        hands = order[rank[order] > 0]
        some, first = np.unique(self.classes[hands], return_index=True)
        disjoint = self._disjoint[np.ix_(hands, hands)]
        sign = np.sign(rank[hands][:, None] - rank[hands]).astype(np.float32)
        won = np.where(disjoint, np.float32(0.5) + np.float32(0.5) * sign, np.float32(0.0))

        def by_class(table: Floats) -> Floats:
            sums = np.zeros((HOLDEM_CLASSES, HOLDEM_CLASSES))
            by_row = np.add.reduceat(table, first, axis=0, dtype=np.float32)
            sums[np.ix_(some, some)] = np.add.reduceat(by_row, first, axis=1, dtype=np.float64)
            return sums

        reach = [self._reach(p, board, hands) for p in (0, 1)]
        pairs, wins, squared = float(disjoint.sum()), float(won.sum(dtype=np.float64)), float(np.vdot(won, won))
        earned, moments = [], []
        for ends in self._ends:
            table = _meet(reach, ends.showdowns, ends.swing)
            table *= sign
            table += _meet(reach, ends.folds, ends.folded)
            table += np.float32(0.5)
            table *= disjoint
            earned.append(by_class(table))
            moments.append((pairs, wins, squared, float(earned[-1].sum()), float(np.vdot(won, table))))
        return LaterPlay(
            self._content, self.seed, 1, by_class(disjoint), by_class(won), np.array(earned), np.array(moments)
        )

    def _reach(self, p: int, board: tuple[int, ...], hands: AnyArray) -> AnyArray:
        """float32[nodes, hands]: how likely a seat's hands play to each node from the flop on."""
        tree, buckets = self.tree, self.strategy.buckets
        reach = np.ones((tree.n_nodes, len(hands)), np.float32)
        for s, street in enumerate(self._streets[p], start=1):
            seen = board[: 2 + s]
            stored = self.strategy.game.boards.find(seen)  # type: ignore[attr-defined]
            number, at = stored.numbers[-1], permuted_combos(2, SUIT_PERMUTATIONS[stored.renaming])[hands]
            kinds = range(len(buckets.sizes[s]))
            bucket = np.stack([buckets.rows(p, s, number, number + 1, kind)[0][at] for kind in kinds])
            for level in street.levels:
                here = reach[level.above]
                own = np.flatnonzero(level.row >= 0)
                row = level.row[own]
                here[own] *= self._shares[p][street.first[row][:, None] + bucket[street.kind[row]].astype(np.int64)]
                reach[level.node] = here
        return reach

    def _street(self, s: int, p: int) -> _SeatStreet:
        tree, rounds, layout = self.tree, self.strategy.game.rounds, self.strategy.layouts[p]
        nodes = np.arange(int(tree.start[s]), int(tree.start[s + 1]))
        depth = np.zeros(tree.n_nodes, np.int64)
        for node in nodes.tolist():
            above = int(tree.parent[node])
            depth[node] = depth[above] + 1 if tree.street[above] == s else 0
        levels = []
        for d in range(int(depth[nodes].max(initial=-1)) + 1):
            here = nodes[depth[nodes] == d]
            above = tree.parent[here]
            row = np.where(tree.player[above] == p, rounds.row[above] + here - tree.child[above], -1)
            levels.append(_SeatLevel(here, above, row))
        rows = slice(int(layout.row_at[s]), int(layout.row_at[s + 1]))
        return _SeatStreet(levels, layout.first[rows], layout.kind[rows])

    def _ends_of(self, line: FlopLine) -> _LineEnds:
        tree = self.tree
        _, below = cut_tree(tree, line.node)
        folds, showdowns = (below[tree.player[below] == end] for end in (FOLD, SHOWDOWN))
        lost = tree.player[tree.parent[folds]] == 0
        folded = np.where(lost, tree.lose[folds, 0], tree.win[folds, 0])
        return _LineEnds(
            folds, showdowns, *((pay / line.pot).astype(np.float32) for pay in (folded, tree.win[showdowns, 0]))
        )


def _meet(reach: list[AnyArray], nodes: AnyArray, pay: AnyArray) -> AnyArray:
    """float32[hands, hands]: what ends pay pairs of hands, by how likely both come there."""
    return np.asarray(reach[0][nodes].T @ (pay[:, None] * reach[1][nodes]))
