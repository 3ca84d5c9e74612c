"""Buckets of a hold'em game from partitions: `headsup.games.holdem.bucketed.Buckets`, and a function of the cards.

A street's table has a row for each set of board cards up to suits, made on first use; `bucket_of` needs none. Nested
buckets have perfect recall: the pair of the bucket on the street before and that of the partition. A street may keep
all suit classes, which loses nothing; there the order of the cards matters.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from headsup.abstraction.hands.features import Features
from headsup.abstraction.hands.partitions import Edges, Partition
from headsup.cards.boards import BoardTree
from headsup.cards.combos import colex, combo_masks
from headsup.cards.suits import SUIT_PERMUTATIONS, permute_cards
from headsup.common.arrays import AnyArray
from headsup.common.checks import as_list, as_text, as_truth, door, of_kind
from headsup.common.errors import UserError
from headsup.common.progress import Watch
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import VectorGame

if TYPE_CHECKING:
    from headsup.abstraction.hands.gpu import DeviceBuckets

MOST_BUCKETS = 1 << 32
_FEW = 2000  # boards of a street whose suit classes are kept


class FeatureBuckets:
    """Buckets of both players: for each street its partitions, or none where all suit classes are kept apart.

    `kinds[street]` is the number of the partition for each line into the street; by default the first.
    """

    @door(game=of_kind(VectorGame), partitions=as_list, nested=as_truth, kinds=as_list, text=as_text)
    def __init__(
        self,
        game: VectorGame,
        partitions: Sequence[Sequence[Partition]],
        *,
        nested: bool = False,
        kinds: Sequence[AnyArray] | None = None,
        features: Features | None = None,
        text: str = "",
    ) -> None:
        tree, self._hands = holdem_of(game)
        if len(partitions) != len(tree.streets):
            raise UserError(f"the game has {len(tree.streets)} streets: give partitions for each of them")
        self.game, self.tree, self.text, self.nested = game, tree, text, nested
        self.features = Features(tree) if features is None else features
        self.partitions = tuple(tuple(many) for many in partitions)
        if nested and any(len(many) > 1 for many in self.partitions):
            raise UserError("nested buckets have one partition a street: leave out nested, or the further edges")
        place = np.full(1326, -1, dtype=np.int64)
        place[self.features.hands] = np.arange(len(self.features.hands))
        self.columns = (place[self._hands[0]], place[self._hands[1]])
        """For each seat, the column of each of its hands in the tables, before its suits are renamed."""
        self.kinds = tuple(
            np.zeros(len(game.betting.entries[s]), np.int64) if kinds is None else np.asarray(kinds[s], np.int64)
            for s in range(game.streets)
        )
        for s, which in enumerate(self.kinds):
            if which.max(initial=0) >= max(1, len(self.partitions[s])) or len(which) != len(game.betting.entries[s]):
                raise UserError(f"street {s} has {len(game.betting.entries[s])} lines: name a partition for each")
        self._tables: dict[tuple[int, int], AnyArray] = {}
        self._places: dict[int, tuple[AnyArray, AnyArray]] = {}
        self._starts: dict[int, AnyArray] = {}

    def __repr__(self) -> str:
        shown = " - ".join("/".join(f"{size:,}" for size in many) for many in self.sizes)
        return f"<FeatureBuckets {self.text or 'of ' + str(self.game)}: {shown}>"

    @cached_property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """How many buckets each partition of each street has."""
        every: list[tuple[int, ...]] = []
        for street, many in enumerate(self.partitions):
            sizes = tuple(partition.size for partition in many) or (self.tree.kinds(street),)
            if self.nested and many and every:
                sizes = (every[-1][0] * sizes[0],)
            if max(sizes) > MOST_BUCKETS:
                raise UserError(f"street {street} would have {max(sizes):,} buckets: {MOST_BUCKETS:,} can be numbered")
            every.append(sizes)
        return tuple(every)

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        """[high - low, hands of the seat]: the bucket of each hand on boards low .. high - 1 of a street."""
        if not self.partitions[street]:
            return self._class_rows(street, low, high)[:, self.columns[seat]]
        sets, maps = self.places(street)
        # the renaming gives the column of a hand in the row of the set
        columns = self.features.maps[:, self.columns[seat]][maps[low:high]]
        own = self.table(street, kind)[sets[low:high, None], columns]
        if not self.nested or street == 0:
            return np.asarray(own)
        above = self.tree.levels[street].parent[low:high].astype(np.int64)
        first = int(above[0]) if len(above) else 0
        before = self.rows(seat, street - 1, first, int(above[-1]) + 1 if len(above) else 0)[above - first]
        size = np.uint32(self.partitions[street][0].size)
        return np.asarray(before.astype(np.uint32) * size + own.astype(np.uint32))

    def places(self, street: int) -> tuple[AnyArray, AnyArray]:
        """For each board of a street, its set of cards and the renaming onto it (`BoardTree.as_sets`)."""
        if street not in self._places:
            self._places[street] = self.tree.as_sets(street)
        return self._places[street]

    def table(self, street: int, kind: int = 0, progress: Watch | None = None) -> AnyArray:
        """unsigned[sets, H]: the buckets of a partition on all sets of a street, not nested; 0 for blocked hands."""
        if (street, kind) not in self._tables:
            whole = 0, len(self.features.sets(street))
            self._tables[street, kind] = self.sorted_in(street, self.partitions[street][kind], *whole, progress)
        return self._tables[street, kind]

    def give_table(self, street: int, kind: int, table: AnyArray) -> None:
        """Use a table that was made before."""
        self._tables[street, kind] = table

    def on_device(self) -> DeviceBuckets:
        """The twin of these buckets on a CUDA device, with features counted there."""
        from headsup.abstraction.hands.gpu import DeviceBuckets, GpuFeatures

        features = self.features if isinstance(self.features, GpuFeatures) else GpuFeatures(self.tree)
        return DeviceBuckets(
            FeatureBuckets(
                self.game, self.partitions, nested=self.nested, kinds=self.kinds, features=features, text=self.text
            )
        )

    def bucket_of(self, hole: Sequence[int], board: Sequence[int], kind: int = 0) -> int:
        """The bucket of two cards on a board, whose cards are in dealing order; it needs no tables."""
        path = self.tree.find(board)
        street = len(path.numbers) - 1
        if len({*hole} - {*board}) != 2 or colex(hole) not in self.features.hands:
            raise UserError("a hand is two cards of the deck that are not on the board")
        own = permute_cards(np.array(hole), SUIT_PERMUTATIONS[path.renaming])
        hand = int(np.searchsorted(self.features.hands, colex(own.tolist())))
        return int(self.rows_on(street, path.numbers[street], kind)[hand])

    def rows_on(self, street: int, board: int, kind: int = 0) -> AnyArray:
        """unsigned[H]: the buckets of all hands (`Features.hands`) on one board, without tables."""
        if not self.partitions[street]:
            return np.asarray(self._class_rows(street, board, board + 1)[0])
        dealt = sum(self.tree.streets[: street + 1])
        once = self.tree.at_once(0, dealt).find(self.tree.levels[street].cards[board].tolist())
        partition = self.partitions[street][kind]
        own = self._alone(street, once.numbers[1], partition)[self.features.maps[once.renaming]]
        if not self.nested or street == 0:
            return np.asarray(own)
        before = self.rows_on(street - 1, int(self.tree.levels[street].parent[board]))
        return np.asarray(before.astype(np.uint32) * np.uint32(partition.size) + own.astype(np.uint32))

    def _alone(self, street: int, board: int, partition: Partition) -> AnyArray:
        """The buckets of one set: from the table if it exists, or if the street has only one set."""
        kind = next(i for i, other in enumerate(self.partitions[street]) if other is partition)
        if (street, kind) in self._tables or len(self.features.sets(street)) == 1:
            return np.asarray(self.table(street, kind)[board])
        return np.asarray(partition.of(self.features, street, board, board + 1, alone=True)[0])

    def sorted_in(
        self, street: int, partition: Partition, low: int, high: int, progress: Watch | None = None
    ) -> AnyArray:
        """unsigned[high - low, H]: compute a piece of a table."""
        boards = self.features.sets(street)
        out = np.zeros((high - low, len(self.features.hands)), dtype=np.min_scalar_type(max(0, partition.size - 1)))
        if isinstance(partition, Edges) and not partition.squares:
            self.features.totals(street)
        else:
            self.features.prepare(street)

        def work(block: slice) -> None:
            bucket = partition.of(self.features, street, low + block.start, low + block.stop)
            out[block] = np.where(self.features.alive(boards, low + block.start, low + block.stop), bucket, 0)

        self.features.blocks(work, high - low, self.features.block, progress)
        return out

    def _class_rows(self, street: int, low: int, high: int) -> AnyArray:
        """As `_classes`, from a table if the street has few boards."""
        n = self.tree.sizes()[street]
        if n > _FEW:
            return self._classes(street, low, high)
        if (street, -1) not in self._tables:
            self._tables[street, -1] = self._classes(street, 0, n)
        return self._tables[street, -1][low:high]

    def _classes(self, street: int, low: int, high: int) -> AnyArray:
        """uint32[high - low, H]: the suit classes of some boards, numbered board by board."""
        boards = self.tree.levels[street]
        if street not in self._starts:
            self._starts[street] = np.concatenate(([0], np.cumsum(class_counts(self.features, street))))
        out = np.zeros((high - low, len(self.features.hands)), dtype=np.uint32)
        alive = self.features.alive(boards, low, high)
        for i, group in enumerate(boards.group[low:high].tolist()):
            firsts = self.features.firsts(group)
            number = np.cumsum(alive[i] & (firsts == np.arange(len(firsts)))) - 1
            out[i] = np.where(alive[i], self._starts[street][low + i] + number[firsts], 0)
        return out


def holdem_of(game: VectorGame) -> tuple[BoardTree, tuple[AnyArray, AnyArray]]:
    """The boards of a game and its players' hands, which must be those of hold'em."""
    if not isinstance(game.boards, BoardTree) or not isinstance(game.showdown, Sorted):
        raise UserError(f"{game} has no hold'em hands and boards: buckets are of those")
    return game.boards, game.showdown.hands


def class_counts(features: Features, street: int) -> AnyArray:
    """int64[boards]: the suit classes on each board. By Burnside's lemma: the hands that a renaming leaves alone."""
    boards, masks = features.tree.levels[street], combo_masks(2)[features.hands]
    out = np.zeros(len(boards), dtype=np.int64)
    for group in np.unique(boards.group).tolist():
        mine, images = np.flatnonzero(boards.group == group), features.images(group)
        for image in images:
            fixed = masks[image == np.arange(len(masks))]
            for at in range(0, len(mine), 1 << 12):
                some = mine[at : at + (1 << 12)]
                out[some] += ((boards.masks[some, None] & fixed) == 0).sum(axis=1)
        out[mine] //= len(images)
    return out


class SingleBoards:
    """Buckets of one board at a time, with a cache."""

    def __init__(self, buckets: FeatureBuckets) -> None:
        self.buckets, self.sizes, self.kinds = buckets, buckets.sizes, buckets.kinds
        self._cached = lru_cache(256)(buckets.rows_on)

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        columns = self.buckets.columns[seat]
        return np.stack([self._cached(street, board, kind)[columns] for board in range(low, high)])
