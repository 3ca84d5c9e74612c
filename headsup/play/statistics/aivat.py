"""AIVAT scores of hands (`headsup.play.statistics.values` tells what they are): for any table and any two agents."""

from __future__ import annotations

from collections.abc import Sequence

from headsup.games.betting.rules import DEAL, State
from headsup.play.agents.chart import jams_only
from headsup.play.statistics.discard_values import DiscardValue, discard_chips
from headsup.play.statistics.values import ChartValue, EquityValue, Holes, Value
from headsup.play.table.agent import Agent, Mixed
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import BOARD, Legal, PastAction, PlayerView, Table, apply


def make_value(table: Table, agents: Sequence[Agent]) -> Value | DiscardValue:
    """The best value function there is for a table and the agents in its two seats."""
    if table.draws:
        return DiscardValue(table)
    if jams_only(table, agents):
        return ChartValue(table, agents)
    return EquityValue(table)


def aivat_chips(record: HandRecord, agents: Sequence[Agent], value: Value | DiscardValue) -> float:
    """The AIVAT score of a hand for seat 0, in chips; `agents` are those of the two seats.

    Call it before the agents learn from the hand. A hand that ended by a fault is scored up to the fault.
    """
    if isinstance(value, DiscardValue):
        return discard_chips(record, agents, value)
    table, betting, deal = record.table, record.table.betting, record.deal
    state, holes = betting.root(), deal.holes
    known = BOARD[table.first_street]
    score = float(record.chips[0])
    now = value.at(state, holes, deal.board[:known])
    if value.start is not None:
        score -= now - value.start
    steps = record.steps[: len(record.steps) - len(record.faults)]
    for i, step in enumerate(steps):
        state, known, now, luck = _streets(table, state, known, now, value, deal.board, holes)
        score -= luck
        agent = agents[step.seat]
        after = apply(betting, state, step.action)
        then = value.at(after, holes, deal.board[:known])
        if isinstance(agent, Mixed):
            view = _view(table, state, step.seat, holes, deal.board[:known], tuple(steps[:i]))
            shares = agent.probabilities(view)
            if len(shares) > 1:
                meant = (p * value.at(apply(betting, state, one), holes, deal.board[:known]) for one, p in shares)
                score -= then - sum(meant)
        state, now = after, then
    return score - _streets(table, state, known, now, value, deal.board, holes)[3] if not record.faults else score


def _streets(
    table: Table, state: State, known: int, now: float, value: Value, board: tuple[int, ...], holes: Holes
) -> tuple[State, int, float, float]:
    """Deal to where somebody acts or the hand ends: the state, cards known, value there, and the luck of the cards."""
    betting, luck = table.betting, 0.0
    while state.player == DEAL:
        state = betting.next_street(state)
        known = BOARD[table.first_street + state.street]
        then = value.at(state, holes, board[:known])
        luck, now = luck + then - now, then
    return state, known, now, luck


def _view(
    table: Table, state: State, seat: int, holes: Holes, board: tuple[int, ...], steps: tuple[PastAction, ...]
) -> PlayerView:
    return PlayerView(table, seat, holes[seat], board, state, Legal.of(table.betting, state), steps)
