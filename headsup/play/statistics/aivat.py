"""AIVAT scores of hands, for any table and any two agents (see `headsup.play.statistics.values`)."""

from collections.abc import Sequence

from headsup.games.betting.rules import DEAL, State
from headsup.play.agents.chart import jams_only
from headsup.play.statistics.discard_values import DiscardValue, discard_chips
from headsup.play.statistics.ranged import RangeValue, ranged_chips, scored_by_ranges
from headsup.play.statistics.ranged_discards import DiscardRangeValue, ranged_discard_chips
from headsup.play.statistics.values import ChartValue, EquityValue, Holes, Value
from headsup.play.table.agent import Agent, Mixed
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import BOARD, PlayerView, Table, apply

AnyValue = Value | DiscardValue | RangeValue


def make_value(table: Table, agents: Sequence[Agent]) -> AnyValue:
    """The best value function for a table and the agents in its two seats."""
    if table.draws:
        return DiscardRangeValue(table, agents) if scored_by_ranges(table, agents) else DiscardValue(table)
    if jams_only(table, agents):
        return ChartValue(table, agents)
    if scored_by_ranges(table, agents):
        return RangeValue(table, agents)
    return EquityValue(table)


def aivat_chips(record: HandRecord, agents: Sequence[Agent], value: AnyValue) -> float:
    """The AIVAT score of a hand for seat 0, in chips; `agents` are in seat order.

    Call it before the agents learn from the hand. A hand that ended by a fault is scored up to the fault.
    """
    if isinstance(value, DiscardValue):
        return discard_chips(record, agents, value)
    if isinstance(value, DiscardRangeValue):
        return ranged_discard_chips(record, agents)
    if isinstance(value, RangeValue):
        return ranged_chips(record, agents)
    table, betting, deal = record.table, record.table.betting, record.deal
    state, holes = betting.root(), deal.holes
    known = BOARD[table.first_street]
    score = float(record.chips[0])
    now = value.at(state, holes, deal.board[:known])
    if value.start is not None:
        score -= now - value.start
    steps = record.steps[: len(record.steps) - len(record.faults)]
    for i, step in enumerate(steps):
        state, known, now, correction = _streets(table, state, known, now, value, deal.board, holes)
        score -= correction
        agent = agents[step.seat]
        after = apply(betting, state, step.action)
        then = value.at(after, holes, deal.board[:known])
        if isinstance(agent, Mixed):
            view = PlayerView.at(table, state, holes[step.seat], deal.board[:known], tuple(steps[:i]))
            options = agent.probabilities(view)
            if len(options) > 1:
                expected = (
                    p * value.at(apply(betting, state, action), holes, deal.board[:known]) for action, p in options
                )
                score -= then - sum(expected)
        state, now = after, then
    return score - _streets(table, state, known, now, value, deal.board, holes)[3] if not record.faults else score


def _streets(
    table: Table, state: State, known: int, now: float, value: Value, board: tuple[int, ...], holes: Holes
) -> tuple[State, int, float, float]:
    """Deal until a player acts or the hand ends: the state, cards known, value there, and the correction for the
    cards.
    """
    betting, correction = table.betting, 0.0
    while state.player == DEAL:
        state = betting.next_street(state)
        known = BOARD[table.first_street + state.street]
        then = value.at(state, holes, board[:known])
        correction, now = correction + then - now, then
    return state, known, now, correction
