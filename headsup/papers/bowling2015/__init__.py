"""bowling-2015 (supplement): figure S1, its numbers and notation, CFR+ and its averages, and play before the flop.

Everything is made from what ships: the limit strategy (`headsup.limit.shipped`) and the runs of `study`.
"""

from headsup.papers.bowling2015.averages import crossings, curves, ranking, tables
from headsup.papers.bowling2015.history import bounds, figure, finding, history, numbers, seats
from headsup.papers.bowling2015.preflop import charts, folders, limpers, preflop
from headsup.papers.bowling2015.skill import range_of_skill
from headsup.papers.section import Section, written

NAME = "bowling-2015"
__all__ = ["NAME", "finding", "plots", "sections"]


def sections() -> list[Section]:
    before = [history(), written(__file__, "sources"), numbers(), seats(), preflop(), limpers(), folders()]
    return [*before, *range_of_skill(), ranking(), crossings(), *tables(), bounds(), written(__file__, "notation")]


def plots() -> dict[str, str]:
    return {"limit-figure-s1.svg": figure(), "limit-averages.svg": curves(), **charts()}
