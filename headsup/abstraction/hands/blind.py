"""Exact best responses to strategies that ignore the cards, over all boards of hold'em: seconds instead of days.

Such an opponent's play carries no information, so a best response is a game for one player: the best action at own
decisions, the average at the opponent's. A hand's value on the last street depends on its strength and on what was
paid; boards are sets of cards, and lines that continue alike are merged (567 lines that see a river differ in 16 sums
paid). `headsup.measure.streamed` returns the same by walking with a reach for every hand.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from headsup.abstraction.hands.features import Features, RunOutRows
from headsup.cards.boards import BoardTree
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.games.betting.rules import DEAL, FOLD, SHOWDOWN
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.simple import simple
from headsup.games.holdem.vector import VectorGame
from headsup.measure.exploit import How, route
from headsup.measure.measurement import Measurement

MOST = 4 << 30  # bytes for the values of a street
_BLOCK = 16  # boards whose betting is done together

Node = tuple[str, tuple[float, ...], tuple[int, ...]]  # its kind, its numbers, and the nodes (or the entry) below it


class BlindStrategy(BucketStrategy):
    """A strategy that ignores the cards, by its name (`headsup.games.holdem.simple`)."""

    def __init__(self, game: VectorGame, text: str) -> None:
        made = simple(game, text)
        super().__init__(game, made.buckets, made.numbers)
        self.text = text


@route.register
def _(strategy: BlindStrategy, game: VectorGame, how: How) -> Measurement:
    if how.by_flops or refusal(game, strategy):
        return how.streamed(game, strategy.text)
    return closed_form(game, strategy, how.progress)


@dataclass(frozen=True)
class BlindLines:
    """The betting for a player who responds to a blind strategy; nodes that continue alike are merged.

    A node is an `end` (base, slope: what it pays at strength 0, and per strength), a `deal` (which entry of the next
    street follows), or a decision: `best` (own) or `mix` (the opponent's, with its probabilities). Children come first.
    """

    nodes: list[list[Node]]
    entries: list[list[int]]  # the nodes where a street is entered

    @classmethod
    def of(cls, game: VectorGame, strategy: BucketStrategy, seat: int | None) -> BlindLines:
        """The lines of a best response in a seat; with None both players mix, and the first seat is paid."""
        tree, rounds, paid = game.betting, game.rounds, seat or 0
        known: list[dict[Node, int]] = [{} for _ in range(game.streets)]
        entries: list[list[int]] = [[] for _ in range(game.streets)]
        number = np.zeros(tree.n_nodes, dtype=np.int64)
        for node in reversed(range(tree.n_nodes)):  # children first
            street, player = int(tree.street[node]), int(tree.player[node])
            below = tree.children(node)
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
                mixed = () if player == seat else tuple(strategy.numbers[player][at : at + len(below)].tolist())
                this = ("mix" if mixed else "best", mixed, tuple(int(number[child]) for child in below))
            number[node] = known[street].setdefault(this, len(known[street]))
        entries[0].append(int(number[0]))
        return cls([list(nodes) for nodes in known], entries)

    def values(self, street: int, below: Floats, strength: Floats) -> Floats:
        """[.., entries] values at the entries of a street, from those of the next one or from the strength [..]."""
        values: list[Floats] = []
        for kind, numbers, under in self.nodes[street]:
            if kind == "end":
                values.append(np.asarray(numbers[0] + numbers[1] * strength if numbers[1] else numbers[0]))
            elif kind == "deal":
                values.append(below[..., under[0]])
            elif kind == "best":
                values.append(np.maximum.reduce(np.broadcast_arrays(*(values[child] for child in under))))
            else:
                parts = [weight * values[child] for weight, child in zip(numbers, under, strict=True) if weight]
                values.append(np.asarray(sum(parts)))
        return np.stack([np.broadcast_to(values[entry], strength.shape) for entry in self.entries[street]], axis=-1)


def closed_form(game: VectorGame, strategy: BucketStrategy, progress: Watch | None = None) -> Measurement:
    """The measurement of a strategy that ignores the cards."""
    began, why = time.monotonic(), refusal(game, strategy)
    if why:
        raise UserError(f"{game} {why}: measure it flop by flop")
    assert isinstance(game.boards, BoardTree)
    features = Features(game.boards)
    first, second = (_earned(features, BlindLines.of(game, strategy, seat), progress, seat) for seat in (0, 1))
    values = _values(game, BlindLines.of(game, strategy, None))
    boards, took = game.boards.sizes()[-1], time.monotonic() - began
    return Measurement(game.name, values, (first, second), game.unit, boards=boards, seconds=took)


def refusal(game: VectorGame, strategy: BucketStrategy) -> str:
    """Why the closed form does not apply to a game, in a few words; empty if it does."""
    if game.streets < 2 or not isinstance(game.boards, BoardTree) or not isinstance(game.showdown, Sorted):
        return "has no boards of hold'em"
    if game.private or game.betting.total is None or any((weights != 1.0).any() for weights in game.weights):
        return "has ranges, private moves or a rake"
    features, lines = Features(game.boards), BlindLines.of(game, strategy, 0)
    most = max(len(features.sets(s)) * len(lines.entries[s]) for s in range(features.last))
    return "has too many lines" if 8 * len(features.hands) * most > MOST else ""


def _values(game: VectorGame, alone: BlindLines) -> tuple[float, float]:
    """What both seats earn if both ignore the cards: every showdown is even on average."""
    half, value = np.array(0.5), np.zeros(0)
    for street in reversed(range(game.streets)):
        value = alone.values(street, value, half)
    total = game.betting.total
    assert total is not None
    return float(value[0]), total - float(value[0])


def _earned(features: Features, lines: BlindLines, progress: Watch | None, seat: int) -> float:
    """What the best response wins on average, from the last street up to the first."""
    from headsup.abstraction.hands.feature_kernels import BLOCKED

    last, hands = features.last, len(features.hands)
    strength = np.arange(features.scale + 1) / features.scale
    table = np.zeros((BLOCKED + 1, len(lines.entries[last])))  # by strength; nothing where a hand is blocked
    table[: features.scale + 1] = lines.values(last, np.zeros(0), strength)
    index = features.strengths
    for street in reversed(range(last)):
        table = _dealt(features, lines, street, index, table, progress, seat)
        index = np.arange(len(table) - 1, dtype=np.int32).reshape(-1, hands)
        index[~features.alive(features.sets(street))] = len(table) - 1
    return float(table[:hands, 0].mean())


def _dealt(
    features: Features,
    lines: BlindLines,
    street: int,
    index: AnyArray,
    below: Floats,
    progress: Watch | None,
    seat: int,
) -> Floats:
    """[sets x hands + 1, entries] values where a street is entered; the last row is nothing, for blocked hands."""
    from headsup.abstraction.hands.feature_kernels import sum_values

    boards, hands, ways = features.sets(street), len(features.hands), features.run_outs(street, street + 1)
    (above, after), row, renaming = features.children(street, street + 1)
    entered = np.zeros((len(boards) * hands + 1, len(lines.entries[street])))
    by_board, nowhere = entered[:-1].reshape(len(boards), hands, -1), np.zeros((_BLOCK, hands))

    def work(block: slice) -> None:
        first = above.child[block.start : block.stop + 1].astype(np.int64)
        sums = np.zeros((block.stop - block.start, hands, below.shape[1]))
        sum_values(index, below, RunOutRows(row, renaming, first, after.copies), features.maps, sums)
        features.average(boards, block.start, block.stop, sums)
        by_board[block] = lines.values(street, sums / ways, nowhere[: len(sums)])

    def report(step: Progress) -> None:
        if progress is not None and street == features.last - 1:  # by far the longest
            progress(Progress(seat * len(boards) + step.done, 2 * len(boards), "boards"))

    features.blocks(work, len(boards), _BLOCK, report)
    return entered
