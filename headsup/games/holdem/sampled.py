"""Sampling of chance: games of a few boards, and single deals, that stand for all of them on average.

A board is drawn as often as it has copies among the real boards, and what its ends pay is multiplied by how many boards
there are for each one drawn. It is entered as it lies in the tree: buckets and reach do not see suits. Only the boards
drawn are sorted for showdowns.

Boards are drawn evenly, not at random. All real boards lie on a circle in the order of the tree, and each draw is an
irrational step after the one before (a Kronecker sequence). After n draws, every flop, and every turn below a flop, has
been drawn n times its share, but for an error that grows like log n; at random it grows like the root of n.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from math import prod, sqrt
from typing import NamedTuple

import numpy as np

from headsup.cards.boards import Boards, BoardTree
from headsup.cards.combos import combo_masks, holdem_combos
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import whole
from headsup.common.errors import UserError
from headsup.games.holdem.boardlist import BoardList, Level, PlainBoards, PlainLevel
from headsup.games.holdem.bucketed import Buckets, TableBuckets
from headsup.games.holdem.showdown import Dense, Showdown, Sorted
from headsup.games.holdem.vector import VectorGame

MOST_BOARDS = 1_000_000  # of the last street in one sample
STEPS = np.array([(sqrt(5) - 1) / 2 * 2.0**64, (sqrt(2) - 1) * 2.0**64]).astype(np.uint64)  # of each player
"""Numbers that fractions approximate badly, so that the draws lie evenly after any number of them."""


class BoardSample(NamedTuple):
    """A game of a few boards, and which boards of the whole game they are."""

    game: VectorGame
    numbers: tuple[AnyArray, ...]  # for each street, the number of each board in the whole game

    def buckets(self, whole: Buckets) -> Buckets:
        """The buckets of the whole game on these boards."""
        return SampledBuckets(whole, self.numbers)


class SampledBuckets:
    def __init__(self, whole: Buckets, numbers: tuple[AnyArray, ...]) -> None:
        self.whole, self.numbers = whole, numbers
        self.sizes, self.kinds = whole.sizes, whole.kinds

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        return picked(self.whole, seat, street, self.numbers[street][low:high], kind)


def picked(buckets: Buckets, seat: int, street: int, numbers: AnyArray, kind: int = 0) -> AnyArray:
    """[boards, hands]: buckets on boards that do not lie side by side."""
    if isinstance(buckets, TableBuckets):
        return np.asarray(buckets.tables[street][kind][numbers])
    return np.concatenate([buckets.rows(seat, street, b, b + 1, kind) for b in numbers.tolist()])


def boards_below(game: VectorGame, street: int, above: AnyArray, positions: Floats) -> tuple[AnyArray, Floats]:
    """For each of these boards of a street, the one below it at a position from 0 to 1, each as wide as it has copies.

    Beside it the position inside that board, from 0 to 1 again.
    """
    child, first = np.asarray(game.boards.levels[street].child), _first(game.boards.levels[street + 1])
    low, high = first[child[above]], first[child[above + 1]]
    place = low + positions * (high - low)
    below = np.searchsorted(first, np.minimum(place.astype(first.dtype), high - 1), side="right") - 1
    return np.asarray(below), (place - first[below]) / (first[below + 1] - first[below])


class BoardSampler:
    """Draws boards of a game: `counts[0]` right below the root, `counts[1]` below each of those, and so on.

    The draws of an iteration depend on the seed, the player and the number of the iteration alone.
    """

    def __init__(self, game: VectorGame, counts: int | Sequence[int]) -> None:
        given = tuple(counts) if isinstance(counts, Sequence) else (counts,)
        self.game, later = game, game.streets - 1
        if not 1 <= len(given) <= later:
            raise UserError(
                f"{game} deals boards {later} times: say how many to draw the first time, and up to {later} numbers"
                if later
                else f"{game} deals no boards that could be sampled: leave the sample out"
            )
        self.counts = tuple(whole(n, "a sample", 1) for n in given) + (1,) * (later - len(given))
        if prod(self.counts) > MOST_BOARDS:
            raise UserError(f"a sample of {prod(self.counts):,} boards is too large: take at most {MOST_BOARDS:,}")
        boards, ways = [1, *np.cumprod(self.counts).tolist()], [1]
        for level, after in zip(game.boards.levels, game.boards.levels[1:], strict=False):
            below = np.unique(np.diff(_first(after)[np.asarray(level.child)]))
            if len(below) != 1:
                raise UserError(f"{game} has boards with more or fewer boards below them: its boards are not sampled")
            ways.append(ways[-1] * int(below[0]))
        self.sizes = tuple(int(n) for n in boards)
        self.factors = np.array(ways, dtype=np.float64) / np.array(boards)

    def draw(self, seed: int, seat: int, iteration: int) -> BoardSample:
        """The boards of an iteration; the same ones may come twice."""
        return self.sample(self.numbers(seed, seat, iteration))

    def numbers(self, seed: int, seat: int, iteration: int) -> list[AnyArray]:
        """Which boards of each street an iteration draws.

        Each player has draws of its own: learning on the boards that the opponent has just learnt on would be biased.
        """
        positions = positions_of(seed, seat, iteration * self.counts[0], self.counts[0])
        numbers: list[AnyArray] = [np.zeros(1, dtype=np.int64)]
        for s, n in enumerate(self.counts):
            if s:  # boards below the same one lie evenly around it
                positions = ((positions[:, None] + np.arange(n) / n) % 1.0).ravel()
            below, positions = boards_below(self.game, s, np.repeat(numbers[-1], n), positions)
            numbers.append(below)
        return numbers

    def sample(self, numbers: Sequence[AnyArray]) -> BoardSample:
        """The game of these boards; those below a board stand together, in its order."""
        levels: list[Level] = []
        for s, (level, here) in enumerate(zip(self.game.boards.levels, numbers, strict=True)):
            below = self.counts[s] if s < len(self.counts) else 0
            levels.append(_level(level, here, self.sizes[max(s - 1, 0)], below))
        boards = _boards(self.game.boards, levels)
        game = replace(self._scaled, boards=boards, showdown=_showdown(self.game.showdown, boards, numbers))
        vars(game).update(mass=self.game.mass, rounds=self._scaled.rounds)  # hands and betting are the same
        return BoardSample(game, tuple(np.asarray(chosen, dtype=np.int64) for chosen in numbers))

    @cached_property
    def _scaled(self) -> VectorGame:
        """The whole game, with what its ends pay multiplied."""
        return replace(self.game, chance=np.asarray(self.game.chance) * self.factors)


def positions_of(seed: int, seat: int, first: int, n: int) -> Floats:
    """n positions from 0 to 1 of a player's sequence; exact, in whole numbers modulo 2**64."""
    start = np.random.default_rng([seed, seat]).integers(2**64, dtype=np.uint64)
    steps = np.arange(first, first + n, dtype=np.uint64) * STEPS[seat]
    return np.asarray(((start + steps) >> np.uint64(11)) / 2.0**53)


class SampledTree(BoardTree):
    """Some of the boards of a tree."""

    def __init__(self, tree: BoardTree, levels: Sequence[Boards]) -> None:
        vars(self).update(vars(tree))
        vars(self)["levels"] = levels

    def sizes(self) -> list[int]:
        return [len(level) for level in self.levels]

    def totals(self) -> list[int]:
        return self.sizes()

    def identity(self) -> bytes:
        return b"".join(level.cards.tobytes() for level in self.levels)


class SampledPlain(PlainBoards):
    """Some of the boards of a plain list."""

    def __init__(self, whole: BoardList, levels: Sequence[PlainLevel]) -> None:
        self.root, self.streets, self.levels = whole.root, list(whole.streets), list(levels)


def _first(level: Level) -> AnyArray:
    """[boards + 1] where the copies of each board begin among all real boards of its street."""
    return np.asarray(level.first if isinstance(level, Boards) else np.arange(len(level) + 1))


def _level(level: Level, numbers: AnyArray, above: int, below: int) -> Level:
    """Some boards of a street, as many below each of those above, with so many below each."""
    n = len(numbers)
    parent = np.repeat(np.arange(above, dtype=np.int32), n // above)
    child = np.arange(n + 1, dtype=np.int32) * np.int32(below)
    if not isinstance(level, Boards):
        return PlainLevel(level.cards[numbers], parent, child)
    ones = np.ones(n, dtype=np.int32)
    first, renaming = np.arange(n + 1, dtype=np.int64), np.zeros(n, dtype=np.uint8)
    return Boards(
        level.cards[numbers], parent, child, ones, ones.astype(np.int64), first, renaming, level.group[numbers]
    )


def _boards(whole: BoardList, levels: Sequence[Level]) -> BoardList:
    if isinstance(whole, BoardTree):
        return SampledTree(whole, [level for level in levels if isinstance(level, Boards)])
    return SampledPlain(whole, [level for level in levels if isinstance(level, PlainLevel)])


def _showdown(whole: Showdown, boards: BoardList, numbers: Sequence[AnyArray]) -> Showdown:
    if isinstance(whole, Sorted) and isinstance(boards, BoardTree):
        return whole.on(boards)
    if isinstance(whole, Dense):
        return Dense(
            [matrices[here] for matrices, here in zip(whole.weights, numbers, strict=True)], whole.signs[numbers[-1]]
        )
    raise UserError("boards are sampled where hands are two cards, or matrices say who wins: leave the sample out")


class Deals(NamedTuple):
    """Hands of both players and boards, deal by deal."""

    numbers: tuple[AnyArray, ...]  # for each street [deals] the board's number
    hands: tuple[AnyArray, AnyArray]  # for each player [deals]
    share: Floats  # [deals] what part of a showdown player 0 wins


class DealSampler:
    """Draws deals of a game as often as they come."""

    def __init__(self, game: VectorGame) -> None:
        if game.private:
            raise UserError(f"{game} has private moves of chance: sample boards, or sweep over all of them")
        self.game = game
        if not isinstance(game.showdown, Sorted | Dense):
            raise UserError("deals are sampled where hands are two cards, or matrices say who wins")
        self._odds = [np.cumsum(weights) for weights in game.weights]

    def draw(self, random: np.random.Generator, n: int) -> Deals:
        return self._draw_dense(random, n) if isinstance(self.game.showdown, Dense) else self._draw_sorted(random, n)

    def _draw_dense(self, random: np.random.Generator, n: int) -> Deals:
        """From the matrices of the last street, which hold the chances of its boards."""
        x = np.searchsorted(self._cells, random.random(n) * self._cells[-1], side="right")
        board, mine, yours = np.unravel_index(x, self.game.showdown.weights[-1].shape)  # type: ignore[attr-defined]
        return self.deals(np.asarray(board), np.asarray(mine), np.asarray(yours))

    @cached_property
    def _cells(self) -> Floats:
        weights = self.game.showdown.weights[-1]  # type: ignore[attr-defined]
        mine, yours = self.game.weights
        return np.cumsum(weights * mine[:, None] * yours)

    def deals(self, board: AnyArray, mine: AnyArray, yours: AnyArray) -> Deals:
        """Deals by the numbers of their last boards and both hands."""
        numbers = [np.asarray(board, dtype=np.int64)]
        for level in self.game.boards.levels[:0:-1]:
            numbers.insert(0, np.asarray(level.parent)[numbers[0]].astype(np.int64))
        showdown, hands = self.game.showdown, (np.asarray(mine), np.asarray(yours))
        if isinstance(showdown, Dense):
            share = (1.0 + showdown.signs[numbers[-1], hands[0], hands[1]]) / 2.0
        else:
            share = self._compared(numbers[-1], hands)
        return Deals(tuple(numbers), hands, share)

    def _draw_sorted(self, random: np.random.Generator, n: int) -> Deals:
        """Boards, and hands by their weights; deals with a card twice are dealt again, board and all."""
        drawn: list[AnyArray] = []
        while sum(map(len, drawn)) < n:
            board = self._last_boards(random, n)
            hands = [np.searchsorted(odds, random.random(n) * odds[-1], side="right") for odds in self._odds]
            masks = [combo_masks(2)[self._hands[p]][hands[p]] for p in (0, 1)]
            cards = self.game.boards.levels[-1].masks[board]  # type: ignore[attr-defined]
            apart = ((masks[0] & masks[1]) | ((masks[0] | masks[1]) & cards)) == 0
            drawn.append(np.stack([board, *hands], axis=1)[apart])
        return self.deals(*np.concatenate(drawn)[:n].T)

    def _last_boards(self, random: np.random.Generator, n: int) -> AnyArray:
        """n boards of the last street, each as often as it has copies."""
        here = np.zeros(n, dtype=np.int64)
        for s in range(self.game.streets - 1):
            here, _ = boards_below(self.game, s, here, random.random(n))
        return here

    @property
    def _hands(self) -> tuple[AnyArray, AnyArray]:
        return self.game.showdown.hands  # type: ignore[attr-defined, no-any-return]

    def _compared(self, board: AnyArray, hands: tuple[AnyArray, AnyArray]) -> Floats:
        from headsup.evaluate import rank_hands

        cards = self.game.boards.levels[-1].cards[board]
        ranks = [
            rank_hands(np.concatenate([cards, holdem_combos()[self._hands[p]][hands[p]]], axis=1), check=False)
            for p in (0, 1)
        ]
        return np.asarray((1.0 + np.sign(ranks[0].astype(np.int64) - ranks[1].astype(np.int64))) / 2.0)
