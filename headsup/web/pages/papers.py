"""Papers: their tables and figures next to ours, from the shipped data."""

from functools import cache
from importlib import import_module
from typing import Any, cast

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from headsup.papers import PAPERS
from headsup.papers.section import Finding, Section, records
from headsup.web.asking import calculating
from headsup.web.render import part, show
from headsup.web.sending import chart_file

router = APIRouter()
ABOUT: dict[str, dict[str, Any]] = {
    "ho-2015": {
        "title": "A No-Limit Omaha Hi-Lo Poker Jam/Fold Endgame Equilibrium",
        "by": "Kenneth Ho, thesis, Harvard Extension School, 2015",
        "about": "The thesis solves jam or fold in Omaha Hi-Lo and derives a point-count rule, ORACLE. The tables "
        "compare its results with exact equilibria, which include card removal.",
        "parts": ("equilibria", "rules"),
    },
    "bowling-2015": {
        "title": "Heads-up limit hold'em poker is solved (supplement)",
        "by": "Michael Bowling, Neil Burch, Michael Johanson and Oskari Tammelin, Science, 2015",
        "about": "The paper solves limit hold'em with CFR+. The tables compare its numbers, its exploitability and its "
        "play before the flop with the limit strategy of headsup.",
    },
    "andersson-2006": {
        "title": "Pseudo-Optimal Strategies in No-Limit Poker",
        "by": "Rickard Andersson, master's thesis, Umeå University, 2006",
        "about": "The thesis builds AggroBot: no-limit hold'em with four buckets per street, solved as a linear "
        "program. The tables rebuild its model and its matches, and add its exploitability.",
    },
    "ectomynx": {
        "title": "Pokerbots Strategy Report, team EctomynX",
        "by": "Brian Xie, Tiancheng Qin and Allen Cheng, MIT Pokerbots, 2017",
        "about": "The report describes a bot for hold'em with discards after the flop and the turn. The tables "
        "recompute its numbers, measure what its swap rule and its faults cost, and test its claims.",
    },
    "dalpasso-lancia-2015": {
        "title": "Estimating the strength of poker hands by integer linear programming techniques",
        "by": "Marco Dalpasso and Giuseppe Lancia, 2015",
        "about": "The paper estimates the equity of a hand from a few features of the flop, chosen by integer "
        "programs. Of its 680 programs 14 % were unsolved after two hours each. The tables show which are "
        "proved optimal here, and in what time.",
    },
}


def _known(paper: str) -> dict[str, Any]:
    if paper not in ABOUT:
        raise HTTPException(404, f"there is no such paper: choose one of {', '.join(ABOUT)}")
    return ABOUT[paper]


@router.get("/papers")
def papers(request: Request) -> Response:
    return show(request, "papers", papers=ABOUT)


@router.get("/papers/{paper}")
def one_paper(request: Request, paper: str) -> Response:
    return show(request, "papers_one", paper=paper, about=_known(paper))


@router.get("/papers/{paper}/figures/{name}.{kind}")
def figure(paper: str, name: str, kind: str) -> Response:
    _known(paper)
    drawn = figures(paper).get(f"{name}.svg")
    if drawn is None:
        raise HTTPException(404, "the paper has no such figure")
    return chart_file(drawn, kind, name)


@router.get("/papers/{paper}/{which}")
def tables(request: Request, paper: str, which: str) -> Response:
    parts = parts_of(paper)
    if which == "finding":
        return part(request, "papers_finding", finding=finding(paper), paper=paper)
    if which == "figures":
        return part(request, "papers_figures", figures=figures(paper), paper=paper)
    if which not in parts:
        raise HTTPException(404, "the paper has no such part")
    return part(request, "papers_tables", sections=sections(paper, which))


def _view(paper: str) -> Any:
    """The module of a paper, with `finding()`, `sections()` and `plots()`."""
    return import_module(f"headsup.papers.{PAPERS[paper]}")


def as_dict(paper: str) -> dict[str, Any]:
    return {
        "paper": paper,
        "tables": records(section for which in parts_of(paper) for section in sections(paper, which)),
    }


def parts_of(paper: str) -> tuple[str, ...]:
    return cast(tuple[str, ...], _known(paper).get("parts", ("tables",)))


@cache
def finding(paper: str) -> Finding:
    with calculating():
        return cast(Finding, _view(paper).finding())


@cache
def figures(paper: str) -> dict[str, str]:
    with calculating():
        return cast(dict[str, str], _view(paper).plots())


@cache
def sections(paper: str, which: str) -> list[Section]:
    with calculating():
        view = _view(paper)
        return cast(list[Section], view.sections(which) if "parts" in ABOUT[paper] else view.sections())
