"""dalpasso-lancia-2015: tables 3 and 4, figures 1 to 6, from the programs that ship or from a run of them (`study`)."""

from collections.abc import Iterable, Sequence

from headsup.distil.formulas.results import Result
from headsup.distil.formulas.shipped import shipped_results
from headsup.papers.dalpasso2015 import tables
from headsup.papers.dalpasso2015.tables import SHOWN
from headsup.papers.section import Finding, Section

NAME = "dalpasso-lancia-2015"
__all__ = ["NAME", "finding", "plots", "sections", "text"]


def sections(results: Iterable[Result] | None = None, parts: Sequence[str] = SHOWN) -> list[Section]:
    """The comparisons for which there are results, those that ship unless others are given."""
    return tables.sections(_known(results), parts)


def finding() -> Finding:
    return tables.finding(_known(None))


def plots(results: Iterable[Result] | None = None) -> dict[str, str]:
    return tables.plots(_known(results))


def text(results: Iterable[Result] | None = None, parts: Sequence[str] = SHOWN) -> str:
    """Sections as Markdown tables, and the figures where there are curves."""
    return tables.markdown(_known(results), parts)


def _known(results: Iterable[Result] | None) -> tables.Known:
    return {result.task: result for result in (shipped_results() if results is None else results)}
