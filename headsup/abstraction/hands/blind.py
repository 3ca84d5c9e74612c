"""Exact best replies to who looks at no cards, over all boards of hold'em: seconds, where the walk takes days.

What such a player does tells nothing of the cards, so all hands stay equally likely, and a best reply is a game for
one: at own decisions the best action, at the other's the average. Then

1. a hand's value on the last street is a function of its strength there (`Features.strengths`) and of what was paid, so
   it is tabulated once for all strengths;
2. the order in which cards came says nothing, so boards are sets: 134,459 rivers, 16,432 turns and 1,755 flops;
3. lines that go on alike are one. In limit hold'em the 567 lines that see a river differ in 16 sums paid.

With all cards this is 650,000 rows of strengths, each looked up for 1,081 hands and 16 sums: 1.1e10 steps a seat. The
walk of `headsup.measure.streamed`, which has a reach for every hand, finds the same.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from headsup.abstraction.hands.features import Features
from headsup.cards.boards import BoardTree
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.games.betting.rules import DEAL, FOLD, SHOWDOWN
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.simple import simple
from headsup.games.holdem.vector import VectorGame
from headsup.measure.measurement import Measurement
from headsup.measure.streamed import Streamed

MOST = 4 << 30  # bytes for the values of a street
_BLOCK = 16  # boards whose betting is done together

Node = tuple[str, tuple[float, ...], tuple[int, ...]]  # what it is, its numbers, and the nodes (or the entry) below it


@dataclass(frozen=True)
class Lines:
    """The betting as one player meets it who replies to a strategy: nodes that go on alike are one, by street.

    A node is an `end` (base, slope: what it pays without and for beating all), a `deal` (which entry of the next
    street follows), or a decision, `best` (own) or `mix` (the other's, with its shares). Children come first.
    """

    nodes: list[list[Node]]
    entries: list[list[int]]  # the nodes where a street is entered

    @classmethod
    def of(cls, game: VectorGame, strategy: BucketStrategy, seat: int | None) -> Lines:
        """The lines for a replier in a seat, or for nobody: then both mix, and the first seat is paid."""
        tree, rounds, paid = game.betting, game.rounds, seat or 0
        known: list[dict[Node, int]] = [{} for _ in range(game.streets)]
        entries: list[list[int]] = [[] for _ in range(game.streets)]
        number = np.zeros(tree.n_nodes, dtype=np.int64)
        for node in reversed(range(tree.n_nodes)):  # children first
            street, player = int(tree.street[node]), int(tree.player[node])
            below = range(int(tree.child[node]), int(tree.child[node]) + int(tree.count[node]))
            win, lose = float(tree.win[node, paid]), float(tree.lose[node, paid])
            this: Node
            if player == FOLD:
                this = ("end", (lose if tree.player[tree.parent[node]] == paid else win, 0.0), ())
            elif player == SHOWDOWN:
                this = ("end", (lose, win - lose), ())
            elif player == DEAL:
                entry, following = int(number[below[0]]), entries[street + 1]
                if entry not in following:
                    following.append(entry)
                this = ("deal", (), (following.index(entry),))
            else:
                at = int(rounds.rows[player, :street].sum()) + int(rounds.row[node])
                shares = () if player == seat else tuple(strategy.numbers[player][at : at + len(below)].tolist())
                this = ("mix" if shares else "best", shares, tuple(int(number[one]) for one in below))
            number[node] = known[street].setdefault(this, len(known[street]))
        entries[0].append(int(number[0]))
        return cls([list(one) for one in known], entries)

    def rise(self, street: int, below: Floats, strength: Floats) -> Floats:
        """[.., entries] values where a street is entered, by those of the next one, or by the share [..] beaten."""
        values: list[Floats] = []
        for what, numbers, under in self.nodes[street]:
            if what == "end":
                values.append(np.asarray(numbers[0] + numbers[1] * strength if numbers[1] else numbers[0]))
            elif what == "deal":
                values.append(below[..., under[0]])
            elif what == "best":
                values.append(np.maximum.reduce(np.broadcast_arrays(*(values[one] for one in under))))
            else:
                parts = [share * values[one] for share, one in zip(numbers, under, strict=True) if share]
                values.append(np.asarray(sum(parts)))
        return np.stack([np.broadcast_to(values[one], strength.shape) for one in self.entries[street]], axis=-1)


def simple_replies(game: VectorGame, text: str, progress: Watch | None = None) -> Streamed:
    """Best replies to a strategy of `headsup.games.holdem.simple`, and what it earns against itself."""
    began, strategy = time.monotonic(), simple(game, text)
    why = refusal(game, strategy)
    if why:
        raise UserError(f"{game} {why}: measure it flop by flop")
    assert isinstance(game.boards, BoardTree)
    features, best = Features(game.boards), []
    for seat in (0, 1):
        lines = Lines.of(game, strategy, seat)
        best.append(_earned(features, lines, progress, seat))
    alone = Lines.of(game, strategy, None)
    measurement = Measurement(game.name, _values(game, alone), (best[0], best[1]), game.unit)
    return Streamed(measurement, game.boards.sizes()[-1], time.monotonic() - began)


def refusal(game: VectorGame, strategy: BucketStrategy) -> str:
    """Why a game is not for this way, in a few words; empty if it is."""
    if game.streets < 2 or not isinstance(game.boards, BoardTree) or not isinstance(game.showdown, Sorted):
        return "has no boards of hold'em"
    if game.private or game.betting.total is None or any((one != 1.0).any() for one in game.weights):
        return "has ranges, private moves or a rake"
    features, lines = Features(game.boards), Lines.of(game, strategy, 0)
    most = max(len(features.sets(s)) * len(lines.entries[s]) for s in range(features.last))
    return "has too many lines" if 8 * len(features.hands) * most > MOST else ""


def _values(game: VectorGame, alone: Lines) -> tuple[float, float]:
    """What both seats earn if nobody looks: hands are equal on average, at every showdown."""
    half, value = np.array(0.5), np.zeros(0)
    for street in reversed(range(game.streets)):
        value = alone.rise(street, value, half)
    total = game.betting.total
    assert total is not None
    return float(value[0]), total - float(value[0])


def _earned(features: Features, lines: Lines, progress: Watch | None, seat: int) -> float:
    """What the best reply wins on average; from the last street up to the first."""
    from headsup.abstraction.hands.feature_kernels import BLOCKED

    last, hands = features.last, len(features.hands)
    strength = np.arange(features.scale + 1) / features.scale
    table = np.zeros((BLOCKED + 1, len(lines.entries[last])))  # by strength; nothing where a hand is blocked
    table[: features.scale + 1] = lines.rise(last, np.zeros(0), strength)
    index = features.strengths
    for street in reversed(range(last)):
        table = _dealt(features, lines, street, index, table, progress, seat)
        index = np.arange(len(table) - 1, dtype=np.int32).reshape(-1, hands)
        index[~features.alive(features.sets(street))] = len(table) - 1
    return float(table[:hands, 0].mean())


def _dealt(
    features: Features, lines: Lines, street: int, index: AnyArray, below: Floats, progress: Watch | None, seat: int
) -> Floats:
    """[sets x hands + 1, entries] values where a street is entered; the last row is nothing, for blocked hands."""
    from headsup.abstraction.hands.feature_kernels import sum_values

    boards, hands, ways = features.sets(street), len(features.hands), features.run_outs(street, street + 1)
    (above, after), row, renaming = features.children(street, street + 1)
    found = np.zeros((len(boards) * hands + 1, len(lines.entries[street])))
    by_board, nowhere = found[:-1].reshape(len(boards), hands, -1), np.zeros((_BLOCK, hands))

    def work(block: slice) -> None:
        first = above.child[block.start : block.stop + 1].astype(np.int64)
        sums = np.zeros((block.stop - block.start, hands, below.shape[1]))
        sum_values(index, below, row, renaming, features.maps, first, after.copies, sums)
        features.average(boards, block.start, block.stop, sums)
        by_board[block] = lines.rise(street, sums / ways, nowhere[: len(sums)])

    def tell(one: Progress) -> None:
        if progress is not None and street == features.last - 1:  # by far the longest
            progress(Progress(seat * len(boards) + one.done, 2 * len(boards), "boards"))

    features.blocks(work, len(boards), _BLOCK, tell)
    return found
