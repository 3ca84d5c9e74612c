"""Streamed walks of any game of betting, boards and showdowns: strategies are asked board by board.

`hand_values` measures a `Strategy`; it takes any showdown and private moves of chance.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.holdem.boardlist import board_counts
from headsup.games.holdem.layout import BEST, MIX, Here, new_workspace
from headsup.games.holdem.moves import PrivateMove
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import Strategy, VectorGame, decisions
from headsup.games.walk import kernels

TOLERANCE = 1e-6  # how far the probabilities of a hand may add up beside 1: strategies may come in float32
NO_CARDS, NO_HANDS = np.zeros((0, 2), dtype=np.uint8), np.zeros(0, dtype=np.int16)


def hand_values(game: VectorGame, strategy: Strategy, seat: int, best: bool = False) -> Floats:
    """What each hand of a seat earns when both follow the strategy, or when the seat plays a best response.

    The opponent's weights and chance are in the values; the seat's own weights are not, so that the expected value of
    the game is `game.weights[seat] @ values`.
    """
    if seat not in (0, 1):
        raise UserError(f"a seat is 0 or 1, not {seat}")
    walk = Asking(game, strategy, seat, BEST if best else MIX)
    walk.board(0, 0)
    return np.array(walk.workspace.value[0, : game.showdown.sizes[seat]])


class Streaming(ABC):
    """A walk board by board, in one workspace for any number of boards; any showdown, and private moves of chance."""

    def __init__(self, game: VectorGame, seat: int, mode: int) -> None:
        self.game, self.seat, self.mode = game, seat, mode
        self.rounds, self.sizes = game.rounds, game.showdown.sizes
        self.workspace = new_workspace(self.rounds, self.sizes)
        self.own: Floats | None = None
        self.path: tuple[int, ...] = ()

    def count_own(self) -> Floats:
        """[hands]: from now on, in every mode, it adds up what the seat's hands earn by its own strategy where
        betting ends; by the seat's weights, how often they get there, and how many boards each board stands for.
        """
        self.own = np.zeros(self.sizes[self.seat])
        self._counts = [board_counts(self.game.boards, s) for s in range(self.game.streets)]
        return self.own

    @abstractmethod
    def play(self, s: int, b: int, p: int, sigma: Floats) -> None:
        """Put a player's strategy on a board into `sigma`, [rows, hands]."""

    @abstractmethod
    def learn(self, s: int, b: int) -> None:
        """What to do on a board when the values of its nodes are known."""

    def reach(self, s: int, p: int) -> Floats:
        low, rows = int(self.workspace.reach_at[p, s]), self._entries(s) + int(self.rounds.rows[p, s])
        return np.asarray(self.workspace.reach[p][low : low + rows * self.sizes[p]].reshape(rows, self.sizes[p]))

    def sigma(self, s: int, p: int) -> Floats:
        low, rows = int(self.workspace.sigma_at[p, s]), int(self.rounds.rows[p, s])
        return np.asarray(self.workspace.sigma[p][low : low + rows * self.sizes[p]].reshape(rows, self.sizes[p]))

    def board(self, s: int, b: int) -> None:
        """Walk a board and all below it; the workspace then has the values of its entries."""
        self.open(s, b)
        self.below(s, b)
        self.close(s, b)

    def go(self, boards: Sequence[int]) -> None:
        """Open the boards of a path from the root, those that are not open already."""
        same = 0
        while same < min(len(boards), len(self.path)) and boards[same] == self.path[same]:
            same += 1
        self.path = ()
        for street in range(same, len(boards)):
            self.open(street, boards[street])
        self.path = tuple(boards)

    def finish(self, s: int, b: int) -> None:
        """Walk all below a board that was opened, maybe for another seat, and that board up to its entries."""
        self.workspace.value[self._deals(s)] = 0.0
        self.below(s, b)
        self.close(s, b)

    def below(self, s: int, b: int) -> None:
        """Walk the boards below one that was opened; its deals then have their values."""
        if self.rounds.deals[s + 1] > self.rounds.deals[s]:
            for child in self.game.boards.levels[s].children(b):
                self.board(s + 1, child)
                self._leave(s + 1, child)

    def dealt(self, s: int) -> Floats:
        """[deals, hands]: the values of the deals of a street."""
        return np.array(self.workspace.value[self._deals(s), : self.sizes[self.seat]])

    def close(self, s: int, b: int, dealt: Floats | None = None) -> None:
        """Values of a board from its ends and deals (as they are, or given) up to its entries."""
        game, rounds, seat, workspace, hands = self.game, self.rounds, self.seat, self.workspace, self.sizes[self.seat]
        if dealt is not None:
            workspace.value[self._deals(s), :hands] = dealt
        rows = rounds.lines[rounds.first_line[seat, s] : rounds.first_line[seat, s + 1]]
        reach = self.reach(s, 1 - seat)[rows]
        showdown = workspace.showdown
        beaten, met = game.showdown.lines(seat, s, b, reach, int(rounds.showdowns[seat, s]))
        showdown.beaten[: len(beaten), :hands], showdown.met[: len(met), :hands] = beaten, met
        kernels.terminal_values(rounds, s, seat, hands, workspace.value, showdown.beaten, showdown.met)
        if self.own is not None:
            kernels.earn(rounds, s, seat, workspace.value, self.reach(s, seat), float(self._counts[s][b]), self.own)
        self.backward_values(s, b)
        self.learn(s, b)

    def backward_values(self, s: int, b: int) -> None:
        """Values of a board up to its entries."""
        here = Here(s, b, self.seat, True, self.mode, self.sizes[self.seat])
        kernels.backward_values(self.rounds, here, self.sigma(s, self.seat), self.cards(self.seat), self.workspace)

    def open_up(self, node: int) -> bool:
        """Make the values of a decision's actions ready; whether the decision is made there."""
        workspace, seat = self.workspace, self.seat
        facts = self.cards(seat), self.sizes[seat], workspace.value, workspace.showdown.met, workspace.showdown.held
        return bool(kernels.open_up(self.rounds, node, seat, *facts))

    def cards(self, p: int) -> AnyArray:
        """The hole cards of a player's hands, where swaps ask for them."""
        showdown = self.game.showdown
        return showdown.arrays.cards[p] if isinstance(showdown, Sorted) else NO_CARDS

    def open(self, s: int, b: int) -> None:
        """Both players' strategies and reach on a board; the board above it was opened before."""
        game, rounds = self.game, self.rounds
        for p in (0, 1):
            reach, sigma = self.reach(s, p), self.sigma(s, p)
            if s == 0:
                reach[0] = game.weights[p]
            else:
                alive, deals = game.showdown.alive(p, s, b), self._deals(s - 1)
                come = self.reach(s - 1, p)[rounds.at[p, deals]]
                for i, move in self._moves(s, p):
                    come[i] = move.down(come[i])
                reach[: len(deals)] = 0.0
                reach[: len(deals), alive] = come[:, alive]
            if p == self.seat and self.mode == BEST and self.own is None:
                continue
            self.play(s, b, p, sigma)
            swaps = game.betting.rules.swaps
            left = game.showdown.alive(p, s, b).astype(np.int16) if swaps else NO_HANDS
            kernels.forward_reach(rounds, s, p, sigma, reach, self.cards(p), left, self.workspace.showdown.held)
        self.workspace.value[self._deals(s)] = 0.0

    def _leave(self, s: int, b: int) -> None:
        rounds, value, hands = self.rounds, self.workspace.value, self.sizes[self.seat]
        come = value[rounds.entry[rounds.entries[s] : rounds.entries[s + 1]], :hands]
        for i, move in self._moves(s, self.seat):
            come[i] = move.up(come[i])
        for r in self.game.boards.levels[s].renamings(b):
            value[self._deals(s - 1), :hands] += come[:, self.game.showdown.renamed(self.seat, int(r))]

    def _moves(self, s: int, p: int) -> list[tuple[int, PrivateMove]]:
        """What chance does for a player in private before a street: the number of the entry, and the move."""
        moves = self.game.moves
        if not moves:
            return []
        return [(i, moves[node, p]) for i, node in enumerate(self._deals(s - 1).tolist()) if (node, p) in moves]

    def _entries(self, s: int) -> int:
        return int(self.rounds.entries[s + 1] - self.rounds.entries[s])

    def _deals(self, s: int) -> AnyArray:
        return self.rounds.deal[self.rounds.deals[s] : self.rounds.deals[s + 1]]  # type: ignore[no-any-return]


class Asking(Streaming):
    """A walk that asks a strategy for its rows, and checks them where they do not lie in arrays."""

    def __init__(self, game: VectorGame, strategy: Strategy, seat: int, mode: int) -> None:
        super().__init__(game, seat, mode)
        self.strategy = strategy
        start, player = self.rounds.start, self.rounds.player
        streets = [range(int(start[s]), int(start[s + 1])) for s in range(game.streets)]
        self.nodes = [[[node for node in street if player[node] == p] for p in (0, 1)] for street in streets]

    def learn(self, s: int, b: int) -> None:
        """Nothing: it measures."""

    def best_rows(self, boards: Sequence[int]) -> Floats:
        """[rows, hands] on the last board of a path: 1 for the best action of each hand of the seat, 0 for its others.

        For walks of BEST, without swaps.
        """
        self.go(boards)
        s, rounds, seat = len(boards) - 1, self.rounds, self.seat
        self.finish(s, boards[-1])
        rows = np.zeros((int(rounds.rows[seat, s]), self.sizes[seat]))
        for node in decisions(rounds, s, seat).tolist():
            first, count, row = int(rounds.child[node]), int(rounds.count[node]), int(rounds.row[node])
            best = np.argmax(self.workspace.value[first : first + count, : self.sizes[seat]], axis=0)
            rows[row : row + count] = np.arange(count)[:, None] == best
        return rows

    def play(self, s: int, b: int, p: int, sigma: Floats) -> None:
        """Decision by decision, or all at once where the strategy has a `whole_street`."""
        rounds, place = self.rounds, self.game.board(s, b)
        if hasattr(self.strategy, "whole_street"):
            sigma[:] = self.strategy.whole_street(p, place)
            return
        nodes = self.nodes[s][p]
        for node in nodes:
            rows, wanted = np.asarray(self.strategy.rows(node, place)), (int(rounds.count[node]), self.sizes[p])
            if rows.shape != wanted:
                raise UserError(f"a strategy's rows at this decision must be {wanted}, not {rows.shape}")
            sigma[int(rounds.row[node]) : int(rounds.row[node]) + wanted[0]] = rows
        if nodes:
            self._check(sigma[:, self.game.showdown.alive(p, s, b)], nodes)

    def _check(self, held: Floats, nodes: list[int]) -> None:
        """The probabilities of every possible hand add up to 1 at each decision of a board."""
        row, count = self.rounds.row, self.rounds.count
        totals = np.add.reduceat(held, sorted({int(row[node]) for node in nodes}), axis=0)
        off, least = np.abs(totals - 1.0).max(initial=0.0), held.min(initial=0.0)
        if off <= TOLERANCE and least >= -TOLERANCE:
            return
        for node in nodes:
            rows = held[int(row[node]) : int(row[node]) + int(count[node])]
            wrong = ~(np.abs(rows.sum(axis=0) - 1.0) <= TOLERANCE) | ~(rows >= -TOLERANCE).all(axis=0)
            if wrong.any():
                line = self.game.betting.line(node) or "nothing yet"
                raise UserError(
                    f"the probabilities of a hand must be 0 or more and add up to 1: after '{line}' they add up to "
                    f"{rows.sum(axis=0)[wrong][0]:g}"
                )
