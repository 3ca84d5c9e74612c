"""Flop formulas: a few yes/no features of the flop, each with a weight, whose sum is a hand's equity.

`problem` reduces a hand, a range and all flops to what a solver needs, `subset` chooses features with a proved bound,
`formula` measures the outcome on every flop and puts it into words. `flop_formula` is the entry point; Numba is loaded
only when something is solved.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
