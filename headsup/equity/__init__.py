"""Stage 3: exact counts of who wins, sampling with error bars, and matchup tables.

`equity(a, b, board, dead, game)` is the front door; `holdem_table()` and `combo_table()` hold every hold'em matchup
before the flop, and `flop_equities(hand, range)` a hand's equity on every flop. Names are loaded when first used,
because the kernels behind them bring Numba with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from headsup.lazy import callable_as, lazily

if TYPE_CHECKING:
    from headsup.equity.api import METHODS, equity, estimates
    from headsup.equity.flops import FlopEquities, flop_equities
    from headsup.equity.question import Question, read_question
    from headsup.equity.results import EquityResult, Interval, PlayerEquity
    from headsup.equity.table import ComboTable, HoldemTable, combo_table, holdem_table

_HOMES = {
    "METHODS": "api",
    "equity": "api",
    "estimates": "api",
    "FlopEquities": "flops",
    "flop_equities": "flops",
    "EquityResult": "results",
    "Interval": "results",
    "PlayerEquity": "results",
    "Question": "question",
    "read_question": "question",
    "ComboTable": "table",
    "HoldemTable": "table",
    "combo_table": "table",
    "holdem_table": "table",
}

__all__ = [
    "METHODS",
    "ComboTable",
    "EquityResult",
    "FlopEquities",
    "HoldemTable",
    "Interval",
    "PlayerEquity",
    "Question",
    "combo_table",
    "equity",
    "estimates",
    "flop_equities",
    "holdem_table",
    "read_question",
]

lazily(__name__, _HOMES)
callable_as(__name__, "equity")
