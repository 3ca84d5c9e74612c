"""andersson-2006: its games, its model of no-limit hold'em, AggroBot's matches, and what the paper wished for.

Chapter 3 and section 5.1.1 are solved at once; the model's odds, sizes and play come from the bots that ship
(`headsup.papers.andersson2006.bot.strategy`), prices from the blueprints that ship; matches and long runs from files
under `data`.
"""

from functools import cache

from headsup.papers.andersson2006.model import charts, choices, moves, readings, sizes, wins
from headsup.papers.andersson2006.results import (
    answers,
    commands,
    costs,
    frontier,
    in_a_round,
    matches,
    misprints,
    models,
    openings,
    prices,
    wishes,
)
from headsup.papers.andersson2006.theory import example, folded_tens
from headsup.papers.section import Section

NAME = "andersson-2006"
__all__ = ["NAME", "plots", "sections"]


@cache
def sections() -> list[Section]:
    """Every comparison, in the order of the paper."""
    before = [example(), choices(), moves(), wins(), readings(), folded_tens(), in_a_round(), sizes(), openings()]
    return [
        *before,
        *matches(),
        prices(),
        *frontier(),
        *models(),
        *answers(),
        costs(),
        wishes(),
        misprints(),
        commands(),
    ]


def plots() -> dict[str, str]:
    """SVG files by name."""
    return charts()
