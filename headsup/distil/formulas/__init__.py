"""Flop formulas: a few yes/no features of the flop, each with a weight, whose sum is a hand's equity.

1. `features` are 73 features of a flop, all computed from one `look` at it.
2. `problem` takes a hand, a range and all flops with their exact equities, and keeps what a solver needs: the different
   rows of features, and weighted points over them.
3. `solving` returns an `outcome` with a proved bound: `subset` chooses the features, for the average or the largest
   error, one hand or a family, and rounds weights to steps.
4. `formula` measures the outcome on every flop and puts it into words; `families` does so for several hands that share
   their features; `held_out` measures weights on unseen flops.
5. `results` stores outcomes of programs, as the shipped ones of dalpasso-lancia-2015.

`flop_formula` is the entry point. It is loaded on first use, and Numba only when something is solved.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
