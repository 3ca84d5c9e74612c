"""Swaps on hand vectors: what they mean, and the same game with nothing forgotten.

In hold'em with discards a player may change a hole card before the betting of a street. The other sees that it was
done, not which card went. In the betting tree this is a decision with three actions, KEEP, LOW and HIGH, of which the
last two lead to the same place (`headsup.games.betting.rules`). A player's state stays one of the two-card hands: what
was thrown away is forgotten. So a swap is a linear map on hand vectors, and needs no table, for a hand {a, b} comes
from every hand that kept a or b but itself (nobody draws the card just thrown), and goes to every hand with the card
that stays:

    down:  reach'{a, b} = (kept[a] + kept[b] - gone{a, b}) / n        kept[a]: the reach that keeps a and throws another
    up:    value of keeping b of {a, b} = (sum of value'{b, c} over c - value'{a, b}) / n       gone: what throws either

with n cards that may come, the board and both hands given. What is forgotten is that a card thrown away can neither be
drawn nor come on the board, and that two hands which shared a card then were never dealt. The vectors of both players,
multiplied and cleared of hands that share a card *now*, count such pairs too, so they grow. Therefore what a hand meets
after a swap is scaled to what it met before: of the mover's hands, by the sum over what may come; of the other's, by
how much of the range that went into the swap they met. Each player then believes in proper probabilities, and best
replies are exact; but the two beliefs differ a little, and both values together miss the pot by as much. That gap, and
what a strategy found so loses in the real game (`real_game`, `in_real_game`), is the price of forgetting;
docs/discards.md has figures.

The walk does this in `swap_down` and `swap_up` of `headsup.games.walk.kernels`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from headsup.common.errors import UserError
from headsup.discards.game import Discard, Hand
from headsup.games.betting.rules import JOINED
from headsup.games.contract.game import CHANCE, TERMINAL
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import Strategy, VectorGame

Tables = tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]


def real_game(game: VectorGame) -> Discard:
    """The game with every card remembered, as a plain game: on small decks its best replies are exact.

    Both players must hold every hand equally often. What a player wins is counted from half of the pot on.
    """
    boards, rules = game.boards, game.betting.rules
    if not isinstance(game.showdown, Sorted) or any(np.ptp(weights) > 0.0 for weights in game.weights):
        raise UserError("the real game is known where both players may hold every hand, equally often")
    deck = sorted({*boards.root, *game.showdown.arrays.cards[0].ravel().tolist()})
    betting = replace(rules, swaps=(), together=False)
    streets = (0, *boards.streets[1:])
    return Discard(
        deck, betting, streets, rules.swaps, rules.together, game.betting.menu, game.unit, root=tuple(boards.root)
    )


def in_real_game(game: VectorGame, strategy: Strategy, rules: Discard) -> Tables:
    """A strategy on hand vectors in the game with every card remembered, for each player by information set.

    The vector game must have all boards (`merged=False`).
    """
    found: Tables = ({}, {})
    tree, numbers = game.betting, [{tuple(sorted(cards)): i for i, cards in enumerate(level.cards.tolist())} for level in game.boards.levels]  # noqa: E501  # fmt: skip
    hands = {tuple(two): h for h, two in enumerate(game.showdown.arrays.cards[0].tolist())}  # type: ignore[attr-defined]
    todo: list[tuple[Hand, int]] = [(rules.root(), 0)]
    while todo:
        state, node = todo.pop()
        player = rules.player(state)
        if player == TERMINAL:
            continue
        actions = rules.actions(state)
        if player != CHANCE:
            key = rules.infoset(state)
            if key not in found[player]:
                street = int(tree.street[node])
                place = game.board(street, numbers[street][tuple(sorted(state.board))])
                shares = strategy.rows(node, place)[:, hands[state.holes[player]]]
                found[player][key] = dict(zip(actions, shares.tolist(), strict=True))
        for i in range(len(actions)):
            after = rules.next(state, i)
            to = node
            if player != CHANCE:
                to = int(tree.child[node]) + i
                to -= int(tree.player[to] == JOINED)
            elif len(after.board) > len(state.board):
                to = int(tree.child[node])
            todo.append((after, to))
    return found
