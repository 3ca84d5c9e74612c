"""Games: the contract, the flat forms every solver works on, and the games that come with headsup."""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
