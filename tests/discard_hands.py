"""A hand of hold'em with discards turned twice: by the arena's table and by the game on its small deck."""

from __future__ import annotations

import random
from collections.abc import Iterator

from headsup.cards import parse_cards
from headsup.discards.game import KEEP, Discard, DiscardState
from headsup.games import CHANCE, TERMINAL
from headsup.play.table import rules as table
from headsup.play.table.rules import Action, Deal, Table


def turned(
    rules: Discard, there: Table, deal: Deal, dice: random.Random
) -> Iterator[tuple[table.TableHand, DiscardState]]:
    """The table's hand and the game's state at every decision, and at the end; in between one action is drawn."""
    hand, state, draws, dealt = there.hand(deal), rules.root(), list(deal.draws), 0
    while rules.player(state) != TERMINAL:
        if rules.player(state) == CHANCE:
            if len(state.holes) < 2:
                coming = deal.holes[len(state.holes)]
            elif state.drawing >= 0:
                coming = (draws.pop(0),)
            else:
                size = rules.board[state.bets.street + 1]
                coming, dealt = deal.board[dealt : dealt + size], dealt + size
            state = rules.next(state, rules._coming(state).index(tuple(sorted(coming))))
            continue
        yield hand, state
        actions = list(rules.actions(state))
        choice = dice.randrange(len(actions))
        hand.act(_action(actions[choice], bool(state.waiting), hand))
        state = rules.next(state, choice)
    yield hand, state


def _action(name: str, swapping: bool, hand: table.TableHand) -> Action:
    if swapping:
        return Action("d", parse_cards(name[1:])[0]) if name != KEEP else Action("c")
    if name[0] in "ra":
        return Action("r", int(name[1:]) if name[0] == "r" else hand.table.betting.most(hand.state))
    return Action(name)
