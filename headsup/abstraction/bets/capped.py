"""A strategy of a game with few raises a street, as a strategy of the same game with more.

The player keeps a place in the small betting tree. An opponent's raise beyond the small tree's last one is read as a
call of that one there; in the large tree it is answered by a call with every hand (`call`), or as the player answers
the small tree's last raise after the same line into the street (`copy`). A strategy by bucket stays one.
"""

from typing import NamedTuple

import numpy as np

from headsup.abstraction.bets.sizes import FOLDS, PASSIVE
from headsup.abstraction.bets.translation import Translated, check_same
from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import as_strategy, as_text, door, of_kind, quoted
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.rules import DEAL, Move
from headsup.games.holdem.bucketed import Buckets, BucketStrategy, SameCards, TableBuckets, bucket_layout
from headsup.games.holdem.vector import ArrayStrategy, Place, Strategy, VectorGame

ANSWERS = ("call", "copy")


class _Answer(NamedTuple):
    """The play at a decision of the large tree: the rows of a small one, each as one of its actions."""

    source: int  # a decision of the small tree, or -1: nothing but a call
    action: tuple[int, ...]  # for each action of the source, which one it is here


class Capped:
    """The strategy of `small` in `game`, which differ only in the number of raises."""

    @door(game=of_kind(VectorGame), small=of_kind(VectorGame), strategy=as_strategy, answer=as_text)
    def __init__(self, game: VectorGame, small: VectorGame, strategy: Strategy, answer: str = "call") -> None:
        if answer not in ANSWERS:
            raise UserError(f"raises that a game lacks are answered by {' or '.join(ANSWERS)}, not by {quoted(answer)}")
        check_same(game, small, but="cap")
        for street, (most, few) in enumerate(zip(game.betting.rules.cap, small.betting.rules.cap, strict=False)):
            if few > most:
                raise UserError(
                    f"{small} has {few} bets on street {street} and {game} only {most}: measure it in a game with more"
                )
        self.game, self.small, self.strategy = game, small, strategy
        self.answers = _answers(game.betting, small.betting, answer)  # by decision of the large tree

    def rows(self, decision: int, board: Place) -> Floats:
        """Those of the place in the small game; its missing actions get 0."""
        tree = self.game.betting
        source, action = self.answers[decision]
        out = np.zeros((int(tree.count[decision]), self.game.showdown.sizes[int(tree.player[decision])]))
        if source < 0:
            out[list(action)] = 1.0
        else:
            out[list(action)] = self.strategy.rows(source, board)
        return out

    def bucketed(self) -> BucketStrategy:
        """The same as a strategy by bucket, where the small one is."""
        given, game = self.strategy, self.game
        if not isinstance(given, BucketStrategy):
            raise UserError("only a strategy by bucket stays one in a game with more raises: ask for its rows")
        buckets = _in_game(game, given.buckets)
        numbers: list[AnyArray] = []
        for seat in (0, 1):
            here, there = bucket_layout(game, buckets, seat), given.layouts[seat]
            out = np.zeros(here.size, given.numbers[seat].dtype)
            for node, (source, action) in self.answers.items():
                if game.betting.player[node] != seat:
                    continue
                street = int(game.betting.street[node])
                width = buckets.sizes[street][0]
                at = here.first[int(here.row_at[street]) + int(game.rounds.row[node])]
                block = out[at : at + int(game.rounds.count[node]) * width].reshape(-1, width)
                if source < 0:
                    block[list(action)] = 1
                    continue
                begin = there.first[int(there.row_at[street]) + int(self.small.rounds.row[source])]
                rows = given.numbers[seat][begin : begin + len(action) * width].reshape(-1, width)
                # where nothing is positive, uniform over the actions of the small game
                block[list(action)] = np.where((rows > 0).any(axis=0), np.maximum(rows, 0), 1)
            numbers.append(out)
        return BucketStrategy(game, buckets, (numbers[0], numbers[1]))


def translated(game: VectorGame, small: VectorGame, strategy: Strategy, method: str) -> Strategy:
    """The strategy of a game with few bets in a game with more, in the form that is measured fastest.

    `method` is one of `ANSWERS` where the small game has fewer raises, else one of `headsup.abstraction.bets.sizes`.
    A strategy by bucket stays one; any other is written into arrays.
    """
    by_bucket = isinstance(strategy, BucketStrategy)
    if method in ANSWERS:
        capped = Capped(game, small, strategy, method)
        return capped.bucketed() if by_bucket else ArrayStrategy.of(game, capped)
    if by_bucket:
        raise UserError(f"a strategy by bucket is translated by {' or '.join(ANSWERS)}, not by {quoted(method)}")
    return ArrayStrategy.of(game, Translated(game, small, strategy, method))


def _answers(large: BettingTree, small: BettingTree, answer: str) -> dict[int, _Answer]:
    """The answer at each decision of the large tree."""
    place = np.full(large.n_nodes, -1)  # in the small tree
    entry = np.zeros(large.n_nodes, np.int64)  # where the place's street was entered, in the small tree
    beyond = np.zeros(large.n_nodes, dtype=bool)  # whether raises were made on this street that the small tree lacks
    place[0] = 0
    answers: dict[int, _Answer] = {}
    for node in range(large.n_nodes):
        here, children = int(place[node]), large.children(node)
        if large.player[node] == DEAL:
            for child in children:
                place[child] = entry[child] = small.child[here]
            continue
        for child in children:
            entry[child] = entry[node]
            same = -1 if beyond[node] else _same(small, here, large, child)
            beyond[child] = same < 0
            place[child] = same if same >= 0 else _closed(small, here)
        if large.player[node] < DEAL:
            source = here
            if beyond[node]:
                source = _last_raised(small, int(entry[node]), int(large.player[node])) if answer == "copy" else -1
            answers[node] = _answer(large, node, small, source)
    return answers


def _answer(large: BettingTree, node: int, small: BettingTree, source: int) -> _Answer:
    kinds = _kinds(large, node)
    passive = next(a for a, kind in enumerate(kinds) if kind in PASSIVE)
    if source < 0:
        return _Answer(-1, (passive,))
    return _Answer(source, tuple(_place_of(kind, kinds, passive) for kind in _kinds(small, source)))


def _place_of(kind: int, kinds: list[int], passive: int) -> int:
    """Which action is of this kind: fold, check or call, bet or raise."""
    if kind in PASSIVE:
        return passive
    wanted = FOLDS if kind == Move.FOLD else (Move.BET, Move.RAISE, Move.ALLIN)
    return next(a for a, move in enumerate(kinds) if move in wanted)


def _kinds(tree: BettingTree, node: int) -> list[int]:
    first = int(tree.child[node])
    return [int(kind) for kind in tree.kind[first : first + int(tree.count[node])]]


def _same(small: BettingTree, here: int, large: BettingTree, child: int) -> int:
    """The child of a place by the action that leads to a node of the large tree, or -1."""
    first = int(small.child[here])
    for other in range(first, first + int(small.count[here])):
        if small.kind[other] == large.kind[child] and small.amount[other] == large.amount[child]:
            return other
    return -1


def _closed(small: BettingTree, here: int) -> int:
    """The node of the small tree after checks and calls to the end of its street."""
    while small.player[here] < DEAL:
        first = int(small.child[here])
        here = first + next(a for a, kind in enumerate(_kinds(small, here)) if kind in PASSIVE)
    return here


def _last_raised(small: BettingTree, entry: int, seat: int) -> int:
    """The decision of a seat, on the street entered there, that faces the last raise of the small tree; -1 if none."""
    waiting = [entry]
    for node in waiting:
        if small.player[node] < DEAL:
            waiting += small.children(node)
            kinds = _kinds(small, node)
            if small.player[node] == seat and Move.FOLD in kinds and max(kinds) < Move.BET:
                return node
    return -1


def _in_game(game: VectorGame, buckets: Buckets) -> Buckets:
    """The same buckets, for the lines of another game."""
    if any(len(sizes) > 1 for sizes in buckets.sizes):
        raise UserError("these buckets depend on the betting before, which differs: take one partition a street")
    if isinstance(buckets, FeatureBuckets):
        more = {"nested": buckets.nested, "features": buckets.features, "text": buckets.text}
        return FeatureBuckets(game, buckets.partitions, **more)  # type: ignore[arg-type]
    if isinstance(buckets, TableBuckets):
        return TableBuckets(game, buckets.tables)
    return SameCards(buckets, game)
