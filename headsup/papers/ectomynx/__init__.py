"""ectomynx, a report on a bot for hold'em with discards: every table of it beside ours, its faults and its intuitions.

Equities and gains come from the tables that ship (`headsup.equity`), what swaps make is counted at once, weights and
plays come from the strategies that ship (`headsup.play`); matches and what faults cost from files under `data`.
"""

from functools import cache

from headsup.papers.ectomynx.equities import cells, differences, duels, gain_chart, gains, makes, summary
from headsup.papers.ectomynx.system import (
    choices,
    commands,
    faults,
    intuitions,
    matches,
    misplays,
    mistakes,
    parts,
    textures,
)
from headsup.papers.section import Section

NAME = "ectomynx"
__all__ = ["NAME", "plots", "sections"]


@cache
def sections() -> list[Section]:
    """Every comparison, in the order of the report."""
    numbers = [cells(), summary(), duels(), gains(), *makes()]
    system = [textures(), choices(), faults(), misplays(), matches(), parts(), mistakes(), commands()]
    return [intuitions(), *numbers, *system]


def plots() -> dict[str, str]:
    """SVG files by name."""
    return {"discard-equities.svg": differences(), "discard-gains.svg": gain_chart()}
