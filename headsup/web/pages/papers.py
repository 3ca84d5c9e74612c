"""Papers: their tables and figures beside ours, drawn from the data that ships."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from headsup.papers.section import Section
from headsup.web.asking import calculating
from headsup.web.render import part, show

router = APIRouter()
PAPERS: dict[str, dict[str, Any]] = {
    "ho-2015": {
        "title": "A No-Limit Omaha Hi-Lo Poker Jam/Fold Endgame Equilibrium",
        "by": "Kenneth Ho, thesis, Harvard Extension School, 2015",
        "about": "Exact Omaha Hi-Lo jam or fold, from the evaluator to ORACLE, a rule for the head. Its figures beside "
        "those of the equilibria that ship, which take card removal into account.",
        "parts": ("equilibria", "rules"),
    },
    "bowling-2015": {
        "title": "Heads-up limit hold'em poker is solved (supplement)",
        "by": "Michael Bowling, Neil Burch, Michael Johanson and Oskari Tammelin, Science, 2015",
        "about": "CFR+ and what its averages are worth, the exploitability of limit hold'em, and play before the flop, "
        "beside the limit strategy that ships.",
        "parts": ("tables",),
    },
    "dalpasso-lancia-2015": {
        "title": "Estimating the strength of poker hands by integer linear programming techniques",
        "by": "Marco Dalpasso and Giuseppe Lancia, 2015",
        "about": "Integer programs choose the few features of a flop that tell a hand's equity. Of 680 programs 14 % "
        "were unsolved there after two hours each; the tables say what is proved here, and in how many seconds.",
        "parts": ("tables",),
    },
}


def _known(paper: str) -> dict[str, Any]:
    if paper not in PAPERS:
        raise HTTPException(404, f"there is no page for that paper: there are {', '.join(PAPERS)}")
    return PAPERS[paper]


@router.get("/papers")
def papers(request: Request) -> Response:
    """What there is."""
    return show(request, "papers", papers=PAPERS)


@router.get("/papers/{paper}")
def one_paper(request: Request, paper: str) -> Response:
    """One paper: its figures and its tables, as soon as they are made."""
    return show(request, "papers_one", paper=paper, about=_known(paper))


@router.get("/papers/{paper}/{which}")
def tables(request: Request, paper: str, which: str) -> Response:
    """The figures, or one part of the tables."""
    about = _known(paper)
    if which == "figures":
        return part(request, "papers_figures", figures=figures(paper))
    if which not in about["parts"]:
        raise HTTPException(404, "there is no such part of the paper")
    return part(request, "papers_tables", sections=sections(paper, which))


@cache
def figures(paper: str) -> dict[str, str]:
    """The paper's figures as SVG."""
    with calculating():
        return _figures(paper)


def _figures(paper: str) -> dict[str, str]:
    if paper == "bowling-2015":
        from headsup.papers import bowling2015

        return bowling2015.plots()
    if paper == "ho-2015":
        from headsup.papers.ho2015 import plots
        from headsup.solve.jamfold_data import shipped

        return plots({game: shipped(game) for game in ("holdem", "omaha", "omaha8")})
    from headsup.distil.flops.study import shipped_results
    from headsup.papers.dalpasso2015 import plots as curves

    return curves(shipped_results())


@cache
def sections(paper: str, which: str) -> list[Section]:
    """The paper's tables beside ours; some take a while, once."""
    with calculating():
        if paper == "bowling-2015":
            from headsup.papers import bowling2015

            return bowling2015.sections()
        if which == "rules":
            from headsup.papers.ho2015 import rule_sections

            return rule_sections()
        if which == "equilibria":
            from headsup.papers.ho2015 import sections as equilibria
            from headsup.solve.jamfold_data import shipped

            return equilibria(shipped("omaha8"))
        from headsup.distil.flops.study import shipped_results
        from headsup.papers.dalpasso2015 import sections as results

        return results({one.task: one for one in shipped_results()})
