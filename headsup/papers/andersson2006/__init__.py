"""andersson-2006: its games, its model of no-limit hold'em, AggroBot's matches, and what the paper wished for.

Chapter 3 and section 5.1.1 are solved at once; the model's chances, sizes and play come from the shipped bots
(`headsup.papers.andersson2006.bot.strategy`), exploitabilities from the shipped blueprints; matches and long runs from
files under `data`.
"""

from functools import cache

from headsup.papers.andersson2006 import model, results, theory
from headsup.papers.section import Section, written

NAME = "andersson-2006"
__all__ = ["NAME", "plots", "sections"]


@cache
def sections() -> list[Section]:
    """Every comparison, in the order of the paper."""
    return [
        theory.example(),
        written(__file__, "choices"),
        *(model.moves(), model.wins(), model.readings(), theory.folded_tens(), results.in_a_round(), model.sizes()),
        *(results.openings(), *results.matches(), results.prices(), *results.frontier(), *results.models()),
        *(*results.answers(), written(__file__, "costs"), written(__file__, "wishes")),
        *(results.misprints(), results.commands()),
    ]


def plots() -> dict[str, str]:
    return model.charts()
