"""External sampling in buckets: gains from single deals of both hands and all boards (Lanctot and others 2009).

The opponent's strategy is added to its average where it is reached: as often as its own actions lead there, which is
the weight that an average needs.
"""

import numpy as np

from headsup.games.holdem.bucketed import Buckets, bucket_layout
from headsup.games.holdem.layout import DEAL
from headsup.games.holdem.sampled import Deals, DealSampler, picked
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.bucketwalk import BucketSums
from headsup.games.walk.walk import Policy
from headsup.solve.small import sampling_kernels as kernels


class DealWalker:
    """Plays deals of a game with strategies by bucket."""

    def __init__(self, game: VectorGame, buckets: Buckets) -> None:
        self.game, self.buckets, self.deals = game, buckets, DealSampler(game)
        rounds = game.rounds
        nodes, layouts = len(rounds.player), [bucket_layout(game, buckets, p) for p in (0, 1)]
        street = np.repeat(np.arange(game.streets), np.diff(rounds.start))
        row, child = np.array(rounds.row, dtype=np.int64), np.array(rounds.child)
        for p in (0, 1):
            mine = rounds.player == p
            row[mine] += layouts[p].row_at[street[mine]]
        child[rounds.deal] = rounds.entry[int(rounds.entries[1]) :]
        meet, beat = np.zeros((2, nodes)), np.zeros((2, nodes))
        scale = game.mass / np.asarray(game.chance)[street[rounds.end]]
        meet[:, rounds.end], beat[:, rounds.end] = rounds.pay[:, :, 0] * scale, rounds.pay[:, :, 1] * scale
        first = layouts[0].first, layouts[1].first
        kind = layouts[0].kind, layouts[1].kind
        assert (rounds.player[rounds.deal] == DEAL).all()
        self._lines = kernels.Lines(rounds.player, child, rounds.count, street, row, meet, beat, first, kind)
        depth, actions = min(nodes, 255) + 1, int(rounds.count.max(initial=1))
        self._workspace = kernels.LineWorkspace(
            np.zeros((depth, 2), dtype=np.int64),
            np.zeros((depth, actions), dtype=np.int64),
            np.zeros((depth, 2, actions)),
        )

    def walk(
        self, seat: int, numbers: Policy, n: int, weight: float, sums: BucketSums, random: np.random.Generator
    ) -> None:
        """Add the mean gains of a seat's buckets over n deals, and the opponent's strategy where it is reached."""
        self.play(self.deals.draw(random, n), seat, numbers, weight, sums, random)

    def play(
        self, deals: Deals, seat: int, numbers: Policy, weight: float, sums: BucketSums, random: np.random.Generator
    ) -> None:
        """The same on given deals."""
        n, kinds = len(deals.share), max(map(len, self.buckets.sizes))
        which = np.zeros((2, self.game.streets, kinds, n), dtype=np.int64)
        for p in (0, 1):
            for s, sizes in enumerate(self.buckets.sizes):
                for kind in range(len(sizes)):
                    rows = picked(self.buckets, p, s, deals.numbers[s], kind)
                    which[p, s, kind] = rows[np.arange(n), deals.hands[p]]
        dealt = kernels.DealtBuckets(which, deals.share if seat == 0 else 1.0 - deals.share)
        seed = random.integers(0, 2**64, size=1, dtype=np.uint64)
        with np.errstate(over="ignore"):  # the counter overflows where kernels run as Python
            kernels.run_deals(self._lines, numbers, dealt, seat, sums, weight, seed, self._workspace)
