"""Stage 9: whatever can play meets whatever else can, under one referee, and the result says how sure it is.

```python
from headsup.play import Match, play

play(Match("jamfold", "caller", "holdem-jamfold", stack=10, hands=1000, duplicate=True)).summary()
```

`table` has the exact rules of a hand, `agent` what plays it, `referee` who sees to it, `record` what is kept of it;
`match` and `league` play many; `luck` and `interval` say what they mean. Agents: `baseline`, `chart`, `style`,
`strategy`, `lbr`, `person`; small games: `flat`. Others' programs: `acpc` and `pokerbots` over `wire` and `host`, logs
and hand histories by `replay` and `histories`.
"""

from headsup.common.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
