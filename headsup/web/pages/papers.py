"""Papers: their tables and figures beside ours, drawn from the data that ships."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, cast

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from headsup.papers import PAPERS
from headsup.papers.section import Section, records
from headsup.web.asking import calculating
from headsup.web.render import part, show
from headsup.web.saving import chart_file

router = APIRouter()
ABOUT: dict[str, dict[str, Any]] = {
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
    },
    "andersson-2006": {
        "title": "Pseudo-Optimal Strategies in No-Limit Poker",
        "by": "Rickard Andersson, master's thesis, Umeå University, 2006",
        "about": "AggroBot: no-limit hold'em in four buckets a street, solved as a linear program. Its games, its "
        "model and its matches beside ours, and what the paper could not have: how much the best opponent wins.",
    },
    "ectomynx": {
        "title": "Pokerbots Strategy Report, team EctomynX",
        "by": "Brian Xie, Tiancheng Qin and Allen Cheng, MIT Pokerbots, 2017",
        "about": "A bot for hold'em in which a hole card may be changed after the flop and the turn. Its tables "
        "counted or dealt again, what its swap rule gives up, what its faults cost, and its intuitions tested.",
    },
    "dalpasso-lancia-2015": {
        "title": "Estimating the strength of poker hands by integer linear programming techniques",
        "by": "Marco Dalpasso and Giuseppe Lancia, 2015",
        "about": "Integer programs choose the few features of a flop that tell a hand's equity. Of 680 programs 14 % "
        "were unsolved there after two hours each; the tables say what is proved here, and in how many seconds.",
    },
}


def _known(paper: str) -> dict[str, Any]:
    if paper not in ABOUT:
        raise HTTPException(404, f"there is no page for that paper: there are {', '.join(ABOUT)}")
    return ABOUT[paper]


@router.get("/papers")
def papers(request: Request) -> Response:
    """What there is."""
    return show(request, "papers", papers=ABOUT)


@router.get("/papers/{paper}")
def one_paper(request: Request, paper: str) -> Response:
    """One paper: its figures and its tables, as soon as they are made."""
    return show(request, "papers_one", paper=paper, about=_known(paper))


@router.get("/papers/{paper}/figures/{name}.{kind}")
def figure(paper: str, name: str, kind: str) -> Response:
    """A figure as a file."""
    _known(paper)
    drawn = figures(paper).get(f"{name}.svg")
    if drawn is None:
        raise HTTPException(404, "there is no such figure of the paper")
    return chart_file(drawn, kind, name)


@router.get("/papers/{paper}/{which}")
def tables(request: Request, paper: str, which: str) -> Response:
    """The figures, or one part of the tables."""
    parts = parts_of(paper)
    if which == "figures":
        return part(request, "papers_figures", figures=figures(paper), paper=paper)
    if which not in parts:
        raise HTTPException(404, "there is no such part of the paper")
    return part(request, "papers_tables", sections=sections(paper, which))


def _view(paper: str) -> Any:
    """The view of a paper, which has all there is to show in `sections()` and `plots()`."""
    return import_module(f"headsup.papers.{PAPERS[paper]}")


def as_dict(paper: str) -> dict[str, Any]:
    """All tables of a paper, as `headsup reproduce --json` has them."""
    return {"paper": paper, "tables": records(one for which in parts_of(paper) for one in sections(paper, which))}


def parts_of(paper: str) -> tuple[str, ...]:
    """The parts that the tables of a paper come in."""
    return cast(tuple[str, ...], _known(paper).get("parts", ("tables",)))


@cache
def figures(paper: str) -> dict[str, str]:
    """The paper's figures as SVG."""
    with calculating():
        return cast(dict[str, str], _view(paper).plots())


@cache
def sections(paper: str, which: str) -> list[Section]:
    """The paper's tables beside ours; some take a while, once."""
    with calculating():
        view = _view(paper)
        return cast(list[Section], view.sections(which) if "parts" in ABOUT[paper] else view.sections())
