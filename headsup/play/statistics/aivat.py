"""AIVAT scores of hands, for any table and any two agents (see `headsup.play.statistics.values`)."""

from collections.abc import Sequence

from headsup.play.agents.chart import jams_only
from headsup.play.statistics.discard_values import DiscardValue
from headsup.play.statistics.ranged import RangeValue, scored_by_ranges
from headsup.play.statistics.ranged_discards import DiscardRangeValue
from headsup.play.statistics.values import ChartValue, EquityValue, Value
from headsup.play.table.agent import Agent
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import Table

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
    return value.chips(record, agents)
