"""Exact equities, sampling with confidence intervals, and matchup tables.

`equity(a, b, board, dead, game)` is the front door; `holdem_table()` and `combo_table()` hold every hold'em matchup
before the flop, and `flop_equities(hand, range)` a hand's equity on every flop. Names are loaded when first used,
because the kernels behind them bring Numba with them.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
