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

from typing import TYPE_CHECKING

from headsup.lazy import lazily

if TYPE_CHECKING:
    from headsup.play.agent import Agent, Mixed, Player, make_agent
    from headsup.play.league import play_league
    from headsup.play.match import Match, play
    from headsup.play.referee import Referee
    from headsup.play.table import Table

__all__ = ["Agent", "Match", "Mixed", "Player", "Referee", "Table", "make_agent", "play", "play_league"]

lazily(
    __name__,
    {
        "Agent": "agent",
        "Match": "match",
        "Mixed": "agent",
        "Player": "agent",
        "Referee": "referee",
        "Table": "table",
        "make_agent": "agent",
        "play": "match",
        "play_league": "league",
    },
)
