"""What a solved hold'em game does before the flop: every decision by hand class, how often it limps and caps.

Hands of any deck belong to the usual 169 classes; those of a reduced deck to some of them. A line's probability counts
all pairs of hands that can be dealt together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from headsup.cards.classes import holdem_class_name, holdem_class_of_combo
from headsup.cards.combos import combo_masks
from headsup.common.arrays import AnyArray, Floats
from headsup.games.betting.rules import DEAL, Move
from headsup.games.betting.stakes import SEATS
from headsup.games.holdem.vector import VectorGame


def first_street(game: VectorGame, strategy: tuple[Floats, Floats]) -> dict[str, Any]:
    """The first street of a strategy, for each player [rows, hands], as plain JSON values.

    `limps`: how often the first player calls the blind. `folds`: how often it folds at once. `caps`: how often all
    raises are made before the flop. `sees_flop`: how often a flop is dealt. `decisions`: line by line.
    """
    reach, betting = _reach(game, strategy), game.betting
    chance = {node: _chance(game, first, second) for node, (first, second) in reach.items()}
    last_raises = [node for node in reach if betting.kind[node] >= Move.BET and not _raises(game, node)]
    return {
        "folds": sum(chance[node] for node in _actions(game, 0) if betting.kind[node] == Move.FOLD),
        "limps": sum(chance[node] for node in _actions(game, 0) if betting.kind[node] == Move.CALL),
        "raises": sum(chance[node] for node in _actions(game, 0) if betting.kind[node] >= Move.BET),
        "caps": sum(chance[node] for node in last_raises),
        "sees_flop": sum(chance[node] for node in reach if betting.player[node] == DEAL),
        "decisions": [_decision(game, strategy, node, reach, chance) for node in reach if betting.player[node] < DEAL],
    }


def _actions(game: VectorGame, node: int) -> range:
    first = int(game.betting.child[node])
    return range(first, first + int(game.betting.count[node]))


def _raises(game: VectorGame, node: int) -> bool:
    """Whether the player whose turn it is may raise."""
    return game.betting.player[node] < DEAL and any(game.betting.kind[n] >= Move.BET for n in _actions(game, node))


def _reach(game: VectorGame, strategy: tuple[Floats, Floats]) -> dict[int, tuple[Floats, Floats]]:
    """For each node of the first street, the weights of both players' hands that come there."""
    reach = {0: (game.weights[0], game.weights[1])}
    for node in range(int(game.rounds.start[1])):
        if game.rounds.player[node] < DEAL:
            seat, row = int(game.rounds.player[node]), int(game.rounds.row[node])
            for a, below in enumerate(_actions(game, node)):
                both = list(reach[node])
                both[seat] = both[seat] * strategy[seat][row + a]
                reach[below] = both[0], both[1]
    return reach


def _met(game: VectorGame, seat: int, theirs: Floats) -> Floats:
    """[hands of a seat] the weight of the opponent's hands that share no card with each."""
    masks = [combo_masks(2)[hands] for hands in game.showdown.hands]  # type: ignore[attr-defined]
    apart = (masks[seat][:, None] & masks[1 - seat]) == 0
    return np.asarray(apart @ theirs)


def _chance(game: VectorGame, first: Floats, second: Floats) -> float:
    return float(first @ _met(game, 0, second)) / game.mass


def _decision(
    game: VectorGame,
    strategy: tuple[Floats, Floats],
    node: int,
    reach: dict[int, tuple[Floats, Floats]],
    chance: dict[int, float],
) -> dict[str, Any]:
    """One decision: how often it comes up, its actions, and those of each class that comes there."""
    seat, row, actions = int(game.rounds.player[node]), int(game.rounds.row[node]), game.betting.actions(node)
    shares = strategy[seat][row : row + len(actions)]
    weight = reach[node][seat] * _met(game, seat, reach[node][1 - seat])
    often = shares @ weight / weight.sum() if weight.sum() > 0.0 else np.full(len(actions), np.nan)
    return {
        "line": game.betting.line(node),
        "player": SEATS[seat],
        "probability": chance[node],
        "actions": dict(zip(actions, often.tolist(), strict=True)),
        "hands": {
            name: dict(zip(actions, rows.tolist(), strict=True))
            for name, rows in _by_class(game, seat, shares, weight).items()
        },
    }


def _by_class(game: VectorGame, seat: int, shares: Floats, weight: Floats) -> dict[str, AnyArray]:
    """The probabilities of each class, strongest pairs and suits as they are numbered; hands weigh as they come."""
    classes = holdem_class_of_combo()[game.showdown.hands[seat]]  # type: ignore[attr-defined]
    out = {}
    for number in np.unique(classes):
        mine = classes == number
        if weight[mine].sum() > 0.0:
            out[holdem_class_name(int(number))] = shares[:, mine] @ weight[mine] / weight[mine].sum()
    return out
