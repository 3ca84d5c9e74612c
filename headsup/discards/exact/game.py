"""Swaps on hand vectors, and the same game with nothing forgotten.

In hold'em with discards a player may change a hole card before the betting of a street. The opponent sees that it
happened, not which card went. In the betting tree this is a decision with the actions KEEP, LOW and HIGH, of which the
last two lead to the same node (`headsup.games.betting.rules`). A player's state stays one of the two-card hands, the
discarded card is forgotten, and a swap is a linear map on hand vectors:

    down:  reach'{a, b} = (kept[a] + kept[b] - gone{a, b}) / n        kept[a]: the reach that keeps a and throws another
    up:    value of keeping b of {a, b} = (sum of value'{b, c} over c - value'{a, b}) / n       gone: what throws either

with n cards that may come, given the board and both hands. The model forgets that a discarded card can neither be drawn
nor dealt, and that hands which shared it cannot both have been dealt. Therefore the reach that a hand meets after a
swap is scaled to what it met before. Each player then has proper beliefs and best responses are exact, but the two
beliefs differ a little, and both values together miss the pot by as much. That gap, and what such a strategy loses in
the real game (`real_game`, `in_real_game`), is the cost of forgetting; docs/discards.md has figures.

The walk does this in `swap_down` and `swap_up` of `headsup.games.walk.kernels`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from headsup.common.errors import UserError
from headsup.discards.game import Discard, DiscardState
from headsup.games.betting.rules import JOINED
from headsup.games.contract.game import CHANCE, TERMINAL
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import Strategy, VectorGame

Tables = tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]


def real_game(game: VectorGame) -> Discard:
    """The game with every card remembered, as a plain game: on small decks its best responses are exact.

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
    tables: Tables = ({}, {})
    tree, numbers = game.betting, [{tuple(sorted(cards)): i for i, cards in enumerate(level.cards.tolist())} for level in game.boards.levels]  # noqa: E501  # fmt: skip
    hands = {tuple(two): h for h, two in enumerate(game.showdown.arrays.cards[0].tolist())}  # type: ignore[attr-defined]
    todo: list[tuple[DiscardState, int]] = [(rules.root(), 0)]
    while todo:
        state, node = todo.pop()
        player = rules.player(state)
        if player == TERMINAL:
            continue
        actions = rules.actions(state)
        if player != CHANCE:
            key = rules.infoset(state)
            if key not in tables[player]:
                street = int(tree.street[node])
                place = game.board(street, numbers[street][tuple(sorted(state.board))])
                shares = strategy.rows(node, place)[:, hands[state.holes[player]]]
                tables[player][key] = dict(zip(actions, shares.tolist(), strict=True))
        for i in range(len(actions)):
            after = rules.next(state, i)
            to = node
            if player != CHANCE:
                to = int(tree.child[node]) + i
                to -= int(tree.player[to] == JOINED)
            elif len(after.board) > len(state.board):
                to = int(tree.child[node])
            todo.append((after, to))
    return tables
