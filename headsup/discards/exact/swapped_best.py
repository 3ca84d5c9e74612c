"""Exact best responses in real hold'em with discards to a strategy that forgets, at any size.

The best response remembers: after a swap its state is the hand and the discarded card x, [hands, 52]. Against an
opponent who swapped, with T[a, b] the weight that throws a and keeps b, a hand {b, d} meets h = {y, c} with

    base{b, d} - W[y] - W[c] - W[x],    base = sum over a of T[a, b] less T[d, b], both ways;  W[z] = T[z, b] + T[z, d]

so a betting line is two matrix products, hands by hands, for all x at once.
"""

from typing import Any

import numpy as np

from headsup.cards.suits import SUIT_PERMUTATIONS, permute_cards
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.discards.exact.swapped import Dealt, check_once
from headsup.games.betting.rules import DEAL, FOLD
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import Strategy, VectorGame


def real_best(game: VectorGame, strategy: Strategy, seat: int) -> float:
    """What a best response of a seat wins where no card comes twice, and it remembers its discarded card."""
    check_once(game)
    if game.betting.rules.together:
        raise UserError("best responses with real cards are counted where cards are changed in turn")
    assert isinstance(game.showdown, Sorted)
    return _Best(game, game.showdown, strategy, seat).best()


class _Best(Dealt):
    def __init__(self, game: VectorGame, showdown: Sorted, strategy: Strategy, seat: int) -> None:
        super().__init__(game, showdown, strategy)
        self.seat = seat
        self.without = (self.cards[:, :, None] != np.arange(52)).all(axis=1).astype(np.float64)
        """[hands, 52] whether a hand lacks a card."""

    def best(self) -> float:
        tree, place, weights, total = self.game.betting, self.game.board(0, 0), self.game.weights, 0.0
        first = self.strategy.rows(0, place)
        after = [int(tree.child[0]), int(tree.child[0]) + 1]
        if self.seat == 0:
            sides = [weights[1] * self.strategy.rows(node, place) for node in after]
            values = [sum(self._past(int(tree.child[after[i]]) + j, sides[i], (i, j)) for j in (0, 1)) for i in (0, 1)]
            return float(weights[0] @ self._swap(values[0], values[1])) / self.game.mass
        for i, node in enumerate(after):
            values = [self._past(int(tree.child[node]) + j, weights[0] * first, (j, i)) for j in (0, 1)]
            total += float(weights[1] @ self._swap(values[0], values[1]))
        return total / self.game.mass

    def _swap(self, kept: Any, changed: Any) -> Floats:
        """[hands] the best of three, from the values of kept hands and of hands after a discard."""
        low, high = self.cards.T
        sums = np.zeros((52, 52))  # by the card that stays and the one that goes
        np.add.at(sums, low, changed)
        np.add.at(sums, high, changed)
        return np.asarray(np.maximum(kept[:, 0], np.maximum(sums[high, low], sums[low, high])))

    def _past(self, node: int, side: Floats, swapped: tuple[int, int]) -> Floats:
        """[hands, 1 or 52] what the best response earns after a node; `swapped`: its player, the opponent."""
        game, hands = self.game, len(self.cards)
        draws, ways = self.left - 4, 1.0
        for k in range(sum(swapped)):
            ways *= draws - k
        dealt: dict[int, Floats] = {}
        deals: list[tuple[int, Floats]] = []
        first = self._street(0, 0, [(node, np.ones(hands))], side, swapped, -1, dealt, deals)
        if not deals:
            return first[0] / ways
        dealt |= {deal: np.zeros((hands, 52 if swapped[0] else 1)) for deal, _ in deals}
        entries = [(int(game.betting.child[deal]), line) for deal, line in deals]
        for b in range(len(game.boards.levels[1])):
            card = int(game.board(1, b).cards[-1])
            come = self._street(1, b, entries, side, swapped, card, {}, [])
            for renaming in game.boards.levels[1].renamings(b):
                move = self.showdown.renamed(0, int(renaming))
                cards = (
                    permute_cards(np.arange(52), SUIT_PERMUTATIONS[int(renaming)])[: 52 if swapped[0] else 1]
                    * swapped[0]
                )
                for (deal, _), value in zip(deals, come, strict=True):
                    dealt[deal] += value[np.ix_(move, cards)] / (draws - sum(swapped))
        return self._street(0, 0, [(node, np.ones(hands))], side, swapped, -1, dealt, [])[0] / ways

    def _street(
        self,
        street: int,
        board: int,
        entries: list[tuple[int, Floats]],
        side: Floats,
        swapped: tuple[int, int],
        river: int,
        dealt: dict[int, Floats],
        deals: list[tuple[int, Floats]],
    ) -> list[Floats]:
        """The values of a street's entries; deals without a value are added to `deals` and count as 0."""
        tree, place, line_of = self.game.betting, self.game.board(street, board), {}
        lines: list[Floats] = []

        def descend(here: int, line: Floats) -> None:
            player = int(tree.player[here])
            if player == DEAL:
                deals.append((here, line))
            elif player > DEAL:
                if not lines or lines[-1] is not line:
                    lines.append(line)
                line_of[here] = len(lines) - 1
            else:
                rows = None if player == self.seat else self.strategy.rows(here, place)
                for a in range(int(tree.count[here])):
                    descend(int(tree.child[here]) + a, line if rows is None else line * rows[a])

        for node, line in entries:
            descend(node, line)
        shown = any(tree.player[end] != FOLD for end in line_of)
        nothing = np.zeros((len(self.cards), 52 if swapped[0] else 1))
        met, won = self._meets(lines, side, swapped, river, self._share(street, board) if shown else None)

        def rise(here: int) -> Any:
            player = int(tree.player[here])
            if player == DEAL:
                return dealt.get(here, nothing)
            if player > DEAL:
                win, lose = tree.win[here, self.seat], tree.lose[here, self.seat]
                if player == FOLD:
                    return met[line_of[here]] * (lose if tree.player[tree.parent[here]] == self.seat else win)
                return met[line_of[here]] * lose + won[line_of[here]] * (win - lose)
            below = [rise(int(tree.child[here]) + a) for a in range(int(tree.count[here]))]
            return np.maximum.reduce(below) if player == self.seat else sum(below)

        return [np.asarray(rise(node)) for node, _ in entries]

    def _meets(
        self, lines: list[Floats], side: Floats, swapped: tuple[int, int], river: int, share: Floats | None
    ) -> tuple[AnyArray, AnyArray]:
        """[lines, hands, 1 or 52] the opponent reach that each state meets, and how much of it it beats."""
        low, high = self.cards.T
        hands, n, wide = len(self.cards), len(lines), 52 if swapped[0] else 1
        without = self.without if swapped[0] else np.ones((hands, 1))
        free = (self.cards != river).all(axis=1)
        apart = self.apart * np.outer(free, free)
        line = np.stack(lines, axis=1)[:, :, None] if n else np.zeros((hands, 0, 1))
        own = without if river < 0 or not swapped[0] else without * (np.arange(52) != river)
        parts = [(apart, line * (side[0][:, None] * without)[:, None, :])]
        if swapped[1]:
            thrown = np.zeros((52, 52))
            thrown[low, high], thrown[high, low] = side[1], side[2]  # the first goes, the second stays
            if river >= 0:
                thrown[river] = 0.0
            cards = thrown[:, low] + thrown[:, high]  # [52, hands] W
            kept = thrown.sum(axis=0)
            base = (kept[low] - thrown[high, low] + kept[high] - thrown[low, high])[:, None]
            base = base - cards.T if swapped[0] else base
            parts = [(apart, line * (base * without)[:, None, :])]
            parts += [(-apart * (cards[low] + cards[high]), line * without[:, None, :])]
        met, won = np.zeros((2, n, hands, wide))
        for left, right in parts:
            flat = np.ascontiguousarray(right).reshape(hands, n * wide)
            met += np.moveaxis((left @ flat).reshape(hands, n, wide), 1, 0)
            if share is not None:
                won += np.moveaxis(((left * share) @ flat).reshape(hands, n, wide), 1, 0)
        return met * own, won * own
