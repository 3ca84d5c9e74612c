"""Hold'em before the flop with menus of raises; pots are checked down."""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
