"""Equilibrium swaps without betting: a flop or turn of hold'em with discards, checked down.

The second player to swap has seen whether the first did; on the turn both know who swapped on the flop. Hands are
vectors that forget discarded cards (`headsup.discards.equity.maps`). An iteration is regret matching+ with linear
averaging; the gap is what best responses to the averages gain, both players together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.boards import BoardTree
from headsup.common.checks import whole
from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.discards.equity.maps import choices, free_of, ratio, renamed, rule_policy, showdowns, swap_down, swap_up
from headsup.solve.records.matching import regret_matching

Floats = npt.NDArray[np.float64]


class _Choice:
    """Decisions of one player on one board: [nodes, 3, 52, 52], keep, throw x of [x, y], throw y."""

    def __init__(self, nodes: int) -> None:
        self.regret = np.zeros((nodes, 3, 52, 52))
        self.cumulative = np.zeros((nodes, 3, 52, 52))
        self.fixed: Floats | None = None

    def strategy(self) -> Floats:
        """The fixed strategy, if there is one, else regret matching."""
        return regret_matching(self.regret, axis=1) if self.fixed is None else self.fixed

    def average(self) -> Floats:
        return regret_matching(self.cumulative, axis=1)

    def learn(self, options: Floats, weight: Floats, reach: Floats, iteration: int) -> None:
        """Regrets are weighted by opponent reach, averages by own reach."""
        played = self.strategy()
        value = (played * options).sum(axis=1, keepdims=True)
        self.cumulative += iteration * played * reach[:, None]
        self.regret = np.maximum(self.regret + weight[:, None] * (options - value), 0.0)


@dataclass(frozen=True, eq=False)
class SwapSolution:
    board: tuple[int, ...]
    equity: float  # the share of the pot of the player who swaps first, all hands alike
    gap: float  # what best responses to the averages gain, both together, as a share of the pot
    first: Floats  # [3, 52, 52] how often each hand of the first keeps, throws x of [x, y], and y, on this board
    last: Floats  # [2, 3, 52, 52] the same of the other, after a keep and after a swap
    rule_loss: tuple[float, float]
    """What following the report's rule loses against the equilibrium's strategy, for each player, if it starts with it
    and goes on with it; a share of the pot.
    """


class _Up(NamedTuple):
    n: Floats
    d: Floats


class _Turn:
    """All swaps on one turn, for several public histories (nodes) at once."""

    def __init__(self, board: tuple[int, ...], nodes: int) -> None:
        self.board, self.free = board, free_of(board)
        self.first, self.last = _Choice(nodes), _Choice(2 * nodes)
        self.rule = rule_policy(board)

    def walk(self, mine: Floats, theirs: Floats, iteration: int = 0, best: int = -1) -> tuple[_Up, _Up]:
        """Both players' N and D by node, [nodes, 52, 52]; learns from iteration 1; `best` takes the maximum."""
        nodes = len(mine)
        first, last = self.first.strategy(), self.last.strategy().reshape(nodes, 2, 3, 52, 52)
        lanes = np.stack(
            [swap_down(weight * self.free, p[1], self.board) for weight, p in zip(mine, first, strict=True)]
        )
        answer = np.stack(
            [
                [swap_down(weight * self.free, q[1], self.board).sum(axis=0) for q in both]
                for weight, both in zip(theirs, last, strict=True)
            ]
        )
        n, d = showdowns(self.board, answer)
        throw = ratio(swap_up(n[:, 1]), swap_up(d[:, 1]))
        options = np.stack([ratio(n[:, 0], d[:, 0]), throw, np.swapaxes(throw, -1, -2)], axis=1)
        value = options.max(axis=1) if best == 0 else (first * options).sum(axis=1)
        other, met = showdowns(self.board, lanes)
        replies = np.moveaxis(choices(other, met), 0, 2)
        reply = replies.max(axis=2) if best == 1 else (last * replies).sum(axis=2)
        if iteration:
            self.first.learn(options, d[:, 0], mine * self.free, iteration)
            reach = np.repeat(theirs * self.free, 2, axis=0)
            self.last.learn(replies.reshape(-1, 3, 52, 52), met.reshape(-1, 52, 52), reach, iteration)
        return _Up(value * d[:, 0], d[:, 0]), _Up((reply * met).sum(axis=1), met.sum(axis=1))

    def settle(self) -> None:
        """Play the averages from now on."""
        self.first.fixed, self.last.fixed = self.first.average(), self.last.average()


class _Flop:
    """All swaps on a flop and its turns."""

    def __init__(self, board: tuple[int, ...]) -> None:
        self.board, self.free = board, free_of(board)
        self.boards = BoardTree(board, (0, 1)).levels[1]
        self.turns = [_Turn(tuple(cards), 4) for cards in self.boards.cards.tolist()]
        self.first, self.last = _Choice(1), _Choice(2)

    def walk(self, mine: Floats, theirs: Floats, iteration: int = 0, best: int = -1) -> tuple[_Up, _Up]:
        first, last = self.first.strategy(), self.last.strategy()
        ways = swap_down(mine[0] * self.free, first[0, 1], self.board)
        others = np.stack([swap_down(theirs[0] * self.free, q[1], self.board) for q in last])  # [first did, last does]
        sums = np.zeros((2, 2, 4, 52, 52))  # player, N or D, node = 2 first's swap + last's
        for number, turn in enumerate(self.turns):
            ups = turn.walk(np.repeat(ways, 2, axis=0), others.reshape(4, 52, 52), iteration, best)
            for renaming in self.boards.renamings(number).tolist():
                moved = renamed(renaming)
                sums += np.array(ups)[..., moved[:, None], moved[None, :]]
        (n, d), (other, met) = sums.reshape(2, 2, 2, 2, 52, 52)
        beaten, two = n.sum(axis=1), d.sum(axis=1)
        throw = ratio(swap_up(beaten[1]), swap_up(two[1]))
        options = np.stack([ratio(beaten[0], two[0]), throw, throw.T])[None]
        back = ratio(swap_up(other[:, 1]), swap_up(met[:, 1]))
        replies = np.stack([ratio(other[:, 0], met[:, 0]), back, np.swapaxes(back, -1, -2)], axis=1)
        value = options.max(axis=1) if best == 0 else (first * options).sum(axis=1)
        reply = replies.max(axis=1) if best == 1 else (last * replies).sum(axis=1)
        if iteration:
            self.first.learn(options, two[:1], mine * self.free, iteration)
            self.last.learn(replies, met[:, 0], np.repeat(theirs * self.free, 2, axis=0), iteration)
        return _Up(value * two[:1], two[:1]), _Up((reply * met[:, 0]).sum(axis=0)[None], met[:, 0].sum(axis=0)[None])

    def settle(self) -> None:
        self.first.fixed, self.last.fixed = self.first.average(), self.last.average()
        for turn in self.turns:
            turn.settle()


def solve_swaps(board: Sequence[int], iterations: int = 30, progress: Watch | None = None) -> SwapSolution:
    """Solve both players' swaps for uniform ranges on a flop (about a second per iteration) or a turn."""
    if len(board) not in (3, 4):
        raise UserError(f"cards are changed on the flop and the turn: give a board of 3 or 4 cards, not {len(board)}")
    cards = tuple(sorted(board))
    game = _Flop(cards) if len(cards) == 3 else _Turn(cards, 1)
    every = ((np.ones((52, 52)) - np.eye(52)) * free_of(cards))[None]
    for iteration in range(1, whole(iterations, "the number of iterations", 1) + 1):
        game.walk(every, every, iteration)
        if progress is not None:
            progress(Progress(iteration, iterations, unit="iterations"))
    game.settle()
    values = [_mean(up) for up in game.walk(every, every)]
    best = [_mean(game.walk(every, every, best=seat)[seat]) for seat in (0, 1)]
    losses = [values[seat] - _mean(_ruled(game, seat).walk(every, every)[seat]) for seat in (0, 1)]
    first, last = game.first.average()[0], game.last.average()
    gap = best[0] + best[1] - values[0] - values[1]
    return SwapSolution(cards, values[0], gap, first, last, (losses[0], losses[1]))


def _ruled(game: _Flop | _Turn, seat: int) -> _Flop | _Turn:
    """The same game where one player follows the rule and the opponent the average strategy."""
    for part in [game, *(game.turns if isinstance(game, _Flop) else [])]:
        part.settle()
        throw = rule_policy(part.board)
        follow = np.stack([1.0 - throw - throw.T, throw, throw.T])
        choice = part.first if seat == 0 else part.last
        choice.fixed = np.broadcast_to(follow, choice.regret.shape)
    return game


def _mean(up: _Up) -> float:
    return float(up.n.sum() / up.d.sum())
