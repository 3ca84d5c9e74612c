"""Abstraction as a map: information sets of a public tree with the same key share one strategy.

They may be equivalent (hands that differ only in suits) or merely similar (a bucket): then the merged game may have
imperfect recall. A strategy of the merged game is lifted back to the real one and measured there.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from headsup.common.arrays import Ints
from headsup.common.checks import as_call, door, of_kind
from headsup.common.display import brief
from headsup.common.errors import UserError
from headsup.games.trees.publictree import PublicTree
from headsup.games.trees.sequence import ListLabels, Profile

Key = Callable[[int, str, str], Hashable]  # (seat, hand, public text) -> bucket


@dataclass(frozen=True)
class Merged:
    """A public tree whose information sets are classes of those of another, and the way back."""

    tree: PublicTree  # as the real one, but with merged information sets
    real: PublicTree
    lifts: tuple[Ints, Ints]  # [real sequences] the merged sequence whose probability it takes

    __repr__ = brief

    def lift(self, profile: Profile) -> Profile:
        """A behaviour strategy of the merged game, as one of the real game."""
        return profile[0][self.lifts[0]], profile[1][self.lifts[1]]

    @property
    def ratio(self) -> float:
        """How many real information sets there are for each merged one."""
        return sum(map(len, self.real.parents)) / sum(map(len, self.tree.parents))


@door(real=of_kind(PublicTree), key=as_call)
def merge(real: PublicTree, key: Key) -> Merged:
    """Merge the information sets of a public tree that get the same key."""
    words: list[list[Hashable]] = []
    for seat, names in enumerate(real.labels):
        parts = (names.infoset(i).partition("|") for i in range(len(real.parents[seat])))
        words.append([key(seat, hand, text) for hand, _, text in parts])
    return merge_by(real, (words[0], words[1]))


def merge_by(real: PublicTree, words: tuple[Sequence[Hashable], Sequence[Hashable]]) -> Merged:
    """Merge the information sets of each player that have the same word."""
    tables, firsts, lifts, labels, sizes, parents = [], [], [], [], [], []
    for seat in (0, 1):
        names = real.labels[seat]
        n = len(real.parents[seat])
        ids: dict[Hashable, int] = {}
        bucket = np.empty(n, dtype=np.int32)
        moves: list[Sequence[str]] = []
        for i, word in enumerate(words[seat]):
            bucket[i] = ids.setdefault(word, len(ids))
            if bucket[i] == len(moves):
                moves.append(names.actions(i))
            elif len(moves[bucket[i]]) != len(names.actions(i)):
                raise UserError(f"the bucket '{word}' merges information sets with different actions: split it by them")
        first = np.concatenate(([1], 1 + np.cumsum([len(m) for m in moves]))).astype(np.int32)
        firsts.append(first)
        sizes.append(len(ids))
        labels.append(ListLabels([str(word) for word in ids], moves))
        tables.append(np.where(real.infosets[seat] >= 0, bucket[real.infosets[seat]], -1).astype(np.int32))
        lifts.append(_lift(real.firsts[seat], first, bucket))
        parents.append(_parents(lifts[-1][real.parents[seat]], bucket, sizes[-1]))
    tree = replace(
        real,
        infosets=(tables[0], tables[1]),
        firsts=(firsts[0], firsts[1]),
        parents=(parents[0], parents[1]),
        labels=(labels[0], labels[1]),
    )
    return Merged(tree, real, (lifts[0], lifts[1]))


def _parents(before: Ints, bucket: Ints, size: int) -> Ints:
    """[merged sets] the merged sequence before each, if it is the same for all of its members; else -1."""
    least, most = np.full(size, np.iinfo(np.int32).max, np.int32), np.full(size, -1, np.int32)
    np.minimum.at(least, bucket, before)
    np.maximum.at(most, bucket, before)
    return np.where(least == most, most, -1).astype(np.int32)


def _lift(real: Ints, merged: Ints, bucket: Ints) -> Ints:
    counts = np.diff(real)
    nth = np.arange(1, real[-1]) - np.repeat(real[:-1], counts)
    out = np.zeros(real[-1], dtype=np.int32)
    out[1:] = np.repeat(merged[bucket], counts) + nth
    return out


@door(real=of_kind(PublicTree))
def unmerged(real: PublicTree) -> Merged:
    """The merge that merges nothing."""
    return Merged(real, real, (_whole(real.firsts[0]), _whole(real.firsts[1])))


def _whole(first: Ints) -> Ints:
    return np.arange(first[-1], dtype=np.int32)
