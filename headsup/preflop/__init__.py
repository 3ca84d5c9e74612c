"""Hold'em before the flop: shipped charts with play after it, your own, or pots checked down."""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
