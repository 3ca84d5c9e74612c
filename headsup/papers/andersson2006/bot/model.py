"""An abstract game of bucketed hands: betting between two players of whom only the buckets are known.

Each player's bucket follows from street to street by the transitions of `bucket_chances`, and a player remembers all of
them: the *path*. Bets are those of a betting tree, from `root` up to street `last`; then the last buckets are shown
down by their mean. On street s the path b[first], .., b[s] has the number with b[s] as its last digit; information sets
are ordered by path, and the actions of each lie side by side.
"""

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from math import prod
from typing import NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats, Ints, Longs
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.cut import decisions_below
from headsup.games.betting.rules import DEAL, FOLD
from headsup.games.trees.sequence import Labels, SequenceForm, assemble
from headsup.papers.andersson2006.bot.bucket_chances import BucketChances

MOST_ENTRIES = 60_000_000  # payoffs of the largest sequence form that is built
ENTRY_BYTES = 80  # what a payoff takes while a sequence form is built: both seats' rows, and the sorting


class ModelSize(NamedTuple):
    nodes: int
    infosets: tuple[int, int]
    sequences: tuple[int, int]
    payoffs: int  # entries of the payoff matrix: pairs of paths at the ends
    bytes: int  # of memory that the sequence form takes while it is built

    def __str__(self) -> str:
        sequences = " and ".join(f"{count:,}" for count in self.sequences)
        return f"{self.nodes:,} nodes, {sequences} sequences, {self.payoffs:,} payoffs, {self.bytes / 1e9:.2g} GB"


class End(NamedTuple):
    """A terminal node: `fold` is its payoff, or `shown` what player 0 wins by pairs of last buckets."""

    node: int
    street: int
    fold: float
    shown: Floats | None


@dataclass(frozen=True, eq=False)
class BucketModel:
    tree: BettingTree = field(repr=False)
    chances: BucketChances = field(repr=False)
    root: int = 0  # A decision of the tree: of the first street, or the first one of a later street
    last: int = 3  # the last street with bets
    starts: tuple[Floats, Floats] | None = None
    """How often each player begins in each bucket; as dealt if left out, which only the first street may do."""
    kinds: tuple[AnyArray, ...] | None = None
    """By street, the partition that each line into it uses, as `FeatureBuckets.kinds` has them."""
    unit: float = 100.0  # chips in a big blind
    name: str = "model"

    def __post_init__(self) -> None:
        tree = self.tree
        if tree.player[self.root] >= DEAL or not self.first <= self.last < min(tree.n_streets, self.chances.streets):
            raise UserError(
                f"a model begins at a decision and ends on a street from there to the {self.chances.streets}th"
            )
        if self.starts is None and self.first:
            raise UserError("a model of later streets needs to know in which buckets both players begin")
        size = self.chances.sizes()[self.first]
        for start in self.starts or ():
            if np.shape(start) != (size,) or not np.isclose(np.sum(start), 1.0) or np.min(start) < 0:
                raise UserError(f"a player begins in {size} buckets with shares that add up to 1")

    @property
    def first(self) -> int:
        return int(self.tree.street[self.root])

    def paths(self, street: int) -> int:
        return prod(self.chances.sizes()[self.first : street + 1])

    @cached_property
    def nodes(self) -> Longs:
        """The nodes of the betting tree that the model has, in order; terminal nodes end their lines."""
        kept = np.zeros(self.tree.n_nodes, dtype=bool)
        kept[self.root] = True
        acted = decisions_below(self.tree)
        goes_on = acted & ((self.tree.player != DEAL) | (self.tree.street < self.last))
        for node in range(self.root + 1, self.tree.n_nodes):
            above = self.tree.parent[node]
            kept[node] = kept[above] and goes_on[above]
        return np.flatnonzero(kept)

    @cached_property
    def ends(self) -> list[End]:
        tree, acted, ends = self.tree, decisions_below(self.tree), []
        for node in self.nodes.tolist():
            kind, street = int(tree.player[node]), int(tree.street[node])
            if kind < DEAL or (kind == DEAL and street < self.last and acted[node]):
                continue
            if kind == FOLD:
                lost = int(tree.player[tree.parent[node]])
                won = tree.lose[node, 0] if lost == 0 else tree.win[node, 0]
                ends.append(End(node, street, float(won) / self.unit, None))
                continue
            matched = float(tree.paid[node].min()) / self.unit
            share = self.chances.share(street, self.kind(node))
            ends.append(End(node, street, 0.0, (2.0 * share - 1.0) * matched))
        return ends

    @cached_property
    def decisions(self) -> tuple[Longs, Longs]:
        first, second = (self.nodes[self.tree.player[self.nodes] == seat] for seat in (0, 1))
        return first, second

    @cached_property
    def _kinds(self) -> Ints:
        kinds = np.zeros(self.tree.n_nodes, dtype=np.int32)
        for street, entries in enumerate(self.tree.entries if self.kinds is not None else ()):
            assert self.kinds is not None
            kinds[entries] = self.kinds[street]
        for node in range(1, self.tree.n_nodes):
            above = self.tree.parent[node]
            if self.tree.street[above] == self.tree.street[node]:
                kinds[node] = kinds[above]
        return kinds

    def kind(self, node: int) -> int:
        """The partition of its street that a node uses."""
        return int(self._kinds[node])

    def weights(self, seat: int, node: int) -> Floats:
        """The probability that a player is dealt each path of a node's street."""
        line = tuple(self.kind(entry) for entry in self._entries(node))
        key = seat, line
        if key not in self._weights:
            self._weights[key] = self._weighed(seat, line)
        return self._weights[key]

    @cached_property
    def _weights(self) -> dict[tuple[int, tuple[int, ...]], Floats]:
        return {}

    def _weighed(self, seat: int, line: tuple[int, ...]) -> Floats:
        start = self.chances.first() if self.starts is None else self.starts[seat]
        weights = np.asarray(start, dtype=np.float64)
        for i, kinds in enumerate(pairwise(line)):
            move = self.chances.move(self.first + i, kinds)
            weights = (weights.reshape(-1, len(move))[:, :, None] * move).ravel()
        return weights

    def _entries(self, node: int) -> list[int]:
        """The first nodes of the streets on the way to a node, from the model's first street."""
        entries, tree = [node], self.tree
        while node != self.root:
            above = int(tree.parent[node])
            if tree.street[above] != tree.street[node]:
                entries.insert(0, above)
            node = above
        return entries

    # --- the sequence form ---

    def size(self) -> ModelSize:
        tree, sequences, infosets = self.tree, [1, 1], [0, 0]
        for seat in (0, 1):
            for node in self.decisions[seat].tolist():
                paths = self.paths(int(tree.street[node]))
                infosets[seat] += paths
                sequences[seat] += paths * int(tree.count[node])
        payoffs = sum(self.paths(end.street) ** 2 for end in self.ends)
        return ModelSize(
            len(self.nodes), (infosets[0], infosets[1]), (sequences[0], sequences[1]), payoffs, payoffs * ENTRY_BYTES
        )

    @cached_property
    def places(self) -> tuple[Longs, Longs]:
        """[nodes of the tree] the first sequence of each decision in its player's list; 0 elsewhere."""
        places = np.zeros((2, self.tree.n_nodes), dtype=np.int64)
        for seat in (0, 1):
            at = 1
            for node in self.decisions[seat].tolist():
                places[seat, node] = at
                at += self.paths(int(self.tree.street[node])) * int(self.tree.count[node])
        return places[0], places[1]

    def last_sequences(self, seat: int, node: int) -> Longs:
        """[paths of the node's street] a player's last sequence before a node."""
        tree, paths = self.tree, self.paths(int(self.tree.street[node]))
        here = node
        while here != self.root:
            above = int(tree.parent[here])
            if tree.player[above] == seat:
                mine = np.arange(paths) // (paths // self.paths(int(tree.street[above])))
                return np.asarray(self.places[seat][above] + mine * tree.count[above] + here - tree.child[above])
            here = above
        return np.zeros(paths, dtype=np.int64)

    def lists(self, seat: int) -> tuple[Ints, Ints]:
        """(first, parent) of a player's information sets, as `Seat` has them."""
        counts, parents = [], []
        for node in self.decisions[seat].tolist():
            parents.append(self.last_sequences(seat, node))
            counts.append(np.full(len(parents[-1]), self.tree.count[node]))
        none = np.zeros(0, dtype=np.int64)
        first = np.concatenate(([1], 1 + np.cumsum(np.concatenate([none, *counts]))))
        return first.astype(np.int32), np.concatenate([none, *parents]).astype(np.int32)

    def sequence_form(self, most: int = MOST_ENTRIES) -> SequenceForm:
        """The game with its payoffs written out; raises an error with the count where there are too many."""
        size = self.size()
        if size.payoffs > most:
            raise UserError(
                f"{self.name} has {size}: a sequence form of more than {most:,} payoffs is not built; take fewer "
                "buckets or streets, a smaller stack or menu"
            )
        rows, cols, values = [], [], []
        for end in self.ends:
            mine, other = (self.last_sequences(seat, end.node) for seat in (0, 1))
            chance = np.outer(self.weights(0, end.node), self.weights(1, end.node))
            rows.append(np.repeat(mine, len(other)).astype(np.int32))
            cols.append(np.tile(other, len(mine)).astype(np.int32))
            values.append((chance * self.pays(end)).ravel())
        lists = self.lists(0), self.lists(1)
        entries = np.concatenate(rows), np.concatenate(cols), np.concatenate(values)
        labels = ModelLabels(self, 0), ModelLabels(self, 1)
        return assemble(self.name, 1.0, (lists[0][0], lists[1][0]), (lists[0][1], lists[1][1]), labels, entries)

    def pays(self, end: End) -> Floats:
        """[paths, paths] what player 0 wins at a terminal node."""
        paths = self.paths(end.street)
        if end.shown is None:
            return np.full((paths, paths), end.fold)
        return np.tile(end.shown, (paths // len(end.shown), paths // len(end.shown)))

    def table(self, seat: int, behaviour: Floats, node: int) -> Floats:
        """[paths, actions] of a behaviour strategy at a decision."""
        at, actions = int(self.places[seat][node]), int(self.tree.count[node])
        return behaviour[at : at + self.paths(int(self.tree.street[node])) * actions].reshape(-1, actions)


@dataclass(frozen=True)
class ModelLabels(Labels):
    """Names of information sets: buckets joined by dashes, and the line."""

    model: BucketModel
    seat: int

    def _find(self, index: int) -> tuple[int, int]:
        nodes = self.model.decisions[self.seat]
        sizes = np.cumsum([self.model.paths(int(self.model.tree.street[node])) for node in nodes])
        place = int(np.searchsorted(sizes, index, side="right"))
        return int(nodes[place]), index - (int(sizes[place - 1]) if place else 0)

    def infoset(self, index: int) -> str:
        node, path = self._find(index)
        digits = []
        for street in range(int(self.model.tree.street[node]), self.model.first - 1, -1):
            path, digit = divmod(path, self.model.chances.sizes()[street])
            digits.append(str(digit))
        return f"{'-'.join(reversed(digits))}|{self.model.tree.line(node)}"

    def actions(self, index: int) -> list[str]:
        return self.model.tree.actions(self._find(index)[0])
