"""Matches of jam or fold between agents that are charts, all hands of a session at once.

Where both agents jam and call by the class of their hand alone, a session is a few arrays: deal all hands, look up how
often each hand jams and calls, let the same dice choose (`headsup.play.dice`), rank all showdowns in one call. The
result is that of the referee, hand by hand and chip by chip; only it comes a hundred times sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from headsup.cards.classes import holdem_class_of_combo, omaha_class_of_combo
from headsup.cards.combos import colex_array
from headsup.cards.games import GAMES
from headsup.games.arrays import Floats
from headsup.play.agent import Agent
from headsup.play.baseline import AllIn, Caller, Folder, Raiser
from headsup.play.chart import ChartPlayer
from headsup.play.dice import FIRST, deal_many, first_numbers
from headsup.play.luck import folded
from headsup.play.table import Table


def takes(table: Table, agents: Sequence[Agent]) -> bool:
    """Whether a match can be played this way."""
    betting = table.betting
    plain = betting.jam_or_fold and not table.board and not table.draws
    deep = betting.stacks[0] == betting.stacks[1] > max(betting.blinds) + max(betting.antes)
    return plain and deep and all(_is_chart(agent) for agent in agents)


def _is_chart(agent: Agent) -> bool:
    return isinstance(agent, ChartPlayer) or type(agent) in (AllIn, Caller, Folder, Raiser)


def _shares(agent: Agent, opens: bool, table: Table) -> Floats:
    """[classes] how often an agent jams or calls."""
    if isinstance(agent, ChartPlayer):
        return np.array(agent.by_class(opens, table.betting.stacks[0] / table.unit))
    classes = int((holdem_class_of_combo() if table.cards == "holdem" else omaha_class_of_combo()).max()) + 1
    return np.full(classes, 0.0 if isinstance(agent, Folder) else 1.0)


def session_chips(table: Table, agents: Sequence[Agent], seed: int, hands: range, duplicate: bool) -> Any:
    """[hands] what the first agent wins in each hand, in chips."""
    size = GAMES[table.cards]
    numbers = np.arange(hands.start, hands.stop)
    dealers = numbers % 2
    deals = numbers // 2 if duplicate else numbers
    cards = deal_many(seed, int(deals[0]), int(deals[-1] - deals[0]) + 1, 2 * size + 5)[deals - deals[0]]
    holes, board = (cards[:, :size], cards[:, size : 2 * size]), cards[:, 2 * size :]
    class_of = holdem_class_of_combo() if table.cards == "holdem" else omaha_class_of_combo()
    acts = []
    for seat in (0, 1):
        shares = np.stack([_shares(agent, seat == 0, table) for agent in agents])
        player = dealers ^ seat
        share = shares[player, class_of[colex_array(np.sort(holes[seat], axis=1))]]
        chosen = first_numbers(seed, numbers, FIRST + player) * (share + (1.0 - share)) < share
        acts.append((share >= 1.0) | ((share > 0.0) & chosen))
    betting = table.betting
    root = betting.root()
    jam = betting.bet(root, (betting.bounds(root) or (0, 0))[1])
    shown = np.flatnonzero(acts[0] & acts[1])
    first = np.where(acts[0], int(folded(betting, betting.fold(jam))), int(folded(betting, betting.fold(root))))
    stack = betting.stacks[0]
    first[shown] = awards(2 * stack, table, holes[0][shown], holes[1][shown], board[shown]) - stack
    return np.where(dealers == 0, first, -first)


def awards(pot: int, table: Table, first: Any, second: Any, boards: Any) -> Any:
    """What seat 0 gets of a pot in each of many showdowns: `headsup.play.table.award`, of arrays."""
    from headsup.evaluate import omaha_high, omaha_low, rank_hands

    if table.cards == "holdem":
        high, other = (rank_hands(np.concatenate([hole, boards], axis=1), check=False) for hole in (first, second))
        return _divided(pot, high, other, table.oop)
    high, other = (omaha_high(hole, boards, check=False) for hole in (first, second))
    if table.cards == "omaha":
        return _divided(pot, high, other, table.oop)
    low, lower = (omaha_low(hole, boards, check=False) for hole in (first, second))
    split = _divided(pot - pot // 2, high, other, table.oop) + _divided(pot // 2, low, lower, table.oop)
    return np.where((low == 0) & (lower == 0), _divided(pot, high, other, table.oop), split)


def _divided(chips: int, mine: Any, theirs: Any, oop: int) -> Any:
    return np.where(mine == theirs, chips // 2 if oop else chips - chips // 2, np.where(mine > theirs, chips, 0))
