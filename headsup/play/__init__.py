"""Matches between agents under one referee, with confidence intervals.

```python from headsup.play import Match, play

play(Match("jamfold", "caller", "holdem-jamfold", stack=10, hands=1000, duplicate=True)).summary() ```

`table` has the rules of a hand, its records and the referee; `agents` what can play; `arena` matches and leagues;
`statistics` variance reduction and confidence intervals; `coach` reviews and training; `protocols` other programs.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
