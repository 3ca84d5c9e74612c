"""Walking a game in pieces: a trunk of betting and boards from the root on, and what hangs below it, board by board.

A piece is entered by many lines at once: its walk is given both players' reach on each and gives back what each hand is
worth there. `down` finds the reach of every line that leaves the trunk, `up` takes the values of those lines and walks
to the root, learning on the way: number by number what one walk of the whole game would do.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.games.holdem.layout import CLOSE, OPEN, WHOLE, Rule, Store, WalkHands
from headsup.games.holdem.packet import board_piece, piece_on
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Policy, Walker, check_kernels


class PieceWalker(Walker):
    """Walks pieces that differ in their boards alone, one after the other, in one workspace and on one thread."""

    def _enter(self) -> None:
        """`begin` has put the reach already."""

    def begin(self, hands: WalkHands, reach: AnyArray) -> None:
        """Go to a piece; `reach` is [2, lines, hands]."""
        self.hands = hands
        for p, size in enumerate(self.game.showdown.sizes):
            self._workspaces[0].reach[p][: reach.shape[1] * size] = reach[p, :, :size].reshape(-1)

    def whole(self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rule: Rule) -> AnyArray:
        """Walk all of the piece: [lines, hands], what each hand of the seat is worth where it is entered."""
        self.stage(WHOLE, seat, mode, policy, stores, rule)
        return self.lines(seat)

    def lines(self, seat: int) -> AnyArray:
        """[lines, hands]: the values where the piece is entered."""
        entry = self.rounds.entry[: int(self.rounds.entries[1])]
        return np.array(self._workspaces[0].value[entry, : self.game.showdown.sizes[seat]])

    def nodes(self, seat: int) -> AnyArray:
        """[nodes, hands]: the values of all nodes of the first street."""
        return np.array(self._workspaces[0].value[: int(self.rounds.start[1]), : self.game.showdown.sizes[seat]])

    def leaving(self, p: int) -> AnyArray:
        """[deals, hands]: a player's reach of the deals of the first street."""
        workspace, rounds, size = self._workspaces[0], self.rounds, self.game.showdown.sizes[p]
        rows = int(rounds.entries[1] + rounds.rows[p, 0])
        return np.array(workspace.reach[p][: rows * size].reshape(rows, size)[rounds.at[p, self._deals]])

    def put(self, values: AnyArray) -> None:
        """The values of the deals of the first street, [deals, hands]."""
        self._workspaces[0].value[self._deals, : values.shape[1]] = values

    @property
    def _deals(self) -> AnyArray:
        return np.asarray(self.rounds.deal[: int(self.rounds.deals[1])])


def root_reach(game: VectorGame, dtype: Any) -> AnyArray:
    """[2, 1, hands]: both ranges, as the walk of a game begins with them."""
    reach = np.zeros((2, 1, max(game.showdown.sizes)), dtype)
    for p, weights in enumerate(game.weights):
        reach[p, 0, : len(weights)] = weights
    return reach


class Trunk:
    """The streets of a game before a cut, walked board by board."""

    def __init__(self, game: VectorGame, cut: int, dtype: Any) -> None:
        self.game, self.cut, self.dtype = game, cut, np.dtype(dtype)
        self._walkers = [PieceWalker(board_piece(game, s, 0, streets=1), dtype) for s in range(cut)]
        self._hands: dict[tuple[int, int], WalkHands] = {}
        self.sizes = tuple(int(game.layout[p][cut]) for p in (0, 1))
        self.lines = int(game.rounds.entries[cut + 1] - game.rounds.entries[cut])

    def copied(self, policy: Policy) -> Policy:
        """A policy in the precision of the trunk, unless it is large."""
        return self._walkers[0].copied(policy)

    def down(
        self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rule: Rule, own: bool = True
    ) -> AnyArray:
        """[boards of the last street, 2, lines, hands]: the reach of what hangs below; the seat's own only if asked."""
        out = np.zeros((len(self.game.boards.levels[self.cut - 1]), 2, self.lines, self._most), self.dtype)

        def walk(s: int, b: int, reach: AnyArray) -> None:
            walker = self._open(s, b, seat, mode, policy, stores, rule, reach)
            leaving = self._leaving(walker, [p for p in (0, 1) if own or p != seat])
            if s == self.cut - 1:
                out[b] = leaving
                return
            for child in self.game.boards.levels[s].children(b):
                walk(s + 1, child, leaving * self.alive(s + 1, child))

        walk(0, 0, root_reach(self.game, self.dtype))
        return out

    def up(
        self,
        seat: int,
        mode: int,
        policy: Policy,
        stores: tuple[Store, Store],
        rule: Rule,
        below: Callable[[int], AnyArray],
    ) -> Floats:
        """What each hand of the seat is worth at the root; `below(board)` is [lines, hands] on a board of the cut."""
        game, played = self.game, rule._replace(weight=0.0)  # `down` has counted it

        def walk(s: int, b: int, reach: AnyArray) -> AnyArray:
            if s == self.cut:
                return below(b)
            walker = self._open(s, b, seat, mode, policy, stores, played, reach)
            leaving = self._leaving(walker, [1 - seat])
            total = np.zeros((leaving.shape[1], game.showdown.sizes[seat]), self.dtype)
            level = game.boards.levels[s + 1]
            for child in game.boards.levels[s].children(b):
                lower = leaving if s + 1 == self.cut else leaving * self.alive(s + 1, child)
                come = walk(s + 1, child, lower)
                for r in level.renamings(child):
                    total += come[:, game.showdown.renamed(seat, int(r))]
            walker.put(total)
            walker.stage(CLOSE, seat, mode, policy, self._at(stores, s, b), rule)
            return walker.lines(seat)

        return np.asarray(walk(0, 0, root_reach(self.game, self.dtype))[0], dtype=np.float64)

    def alive(self, s: int, b: int) -> AnyArray:
        """[2, 1, hands]: 1 for the hands that a board leaves possible, else 0."""
        out, masks = np.zeros((2, 1, self._most), self.dtype), self.game.boards
        for p, hands in enumerate(self.game.showdown.hands):  # type: ignore[attr-defined]
            board = masks.blocked(s)[b]  # type: ignore[attr-defined]
            out[p, 0, : len(hands)] = (masks.hand_masks(hands) & board) == 0  # type: ignore[attr-defined]
        return out

    @property
    def _most(self) -> int:
        return max(self.game.showdown.sizes)

    def _at(self, stores: tuple[Store, Store], s: int, b: int) -> tuple[Store, Store]:
        """The stores of the whole trunk, seen from one board."""
        shifted = []
        for p, store in enumerate(stores):
            rows, hands = int(self.game.rounds.rows[p, s]), self.game.showdown.sizes[p]
            at = np.array([int(self.game.layout[p][s]) + b * rows * hands] * 2, dtype=np.int64)
            shifted.append(store._replace(at=at, scale_at=at))
        return shifted[0], shifted[1]

    def _open(
        self,
        s: int,
        b: int,
        seat: int,
        mode: int,
        policy: Policy,
        stores: tuple[Store, Store],
        rule: Rule,
        reach: AnyArray,
    ) -> PieceWalker:
        walker = self._walkers[s]
        if (s, b) not in self._hands:
            self._hands[s, b] = check_kernels(piece_on(self.game, walker.game, s, b))
        walker.begin(self._hands[s, b], reach)
        walker.stage(OPEN, seat, mode, policy, self._at(stores, s, b), rule)
        return walker

    def _leaving(self, walker: PieceWalker, players: list[int]) -> AnyArray:
        deals = int(walker.rounds.deals[1])
        out = np.zeros((2, deals, self._most), self.dtype)
        for p in players:
            out[p, :, : self.game.showdown.sizes[p]] = walker.leaving(p)
        return out
