"""Figure S1 and the numbers of the supplement, each beside ours or with the reason why there is none.

The text of the supplement prints the exploitabilities of six programs; the figure also has points for 2006, 2009 and
2011 to 2013 that are drawn and not printed, so they are not here. The last one, the solution itself, is printed in the
main article. Ours are the strategy that ships (`headsup.limit.shipped`), as its record says, and others that were
measured exactly (`data/measured.json`).
"""

from __future__ import annotations

import json
from functools import cache
from math import sqrt
from pathlib import Path
from typing import NamedTuple

from headsup.common.files import parsed, read_shipped
from headsup.common.plot import line_chart
from headsup.games import game
from headsup.games.betting.rules import Move
from headsup.games.catalogue.forms import sequence_form
from headsup.games.holdem.vector import VectorGame
from headsup.limit.shipped import shipped_limit
from headsup.papers.bowling2015.study import shipped_points
from headsup.papers.section import Rows, Section

YEAR = 2026
"""Of what ships."""
MEASURED = Path(__file__).parent / "data" / "measured.json"
VALUE = (87.7, 89.7)
"""What the solved game is worth to the dealer, in mbb/g, as published."""


class Program(NamedTuple):
    """A point of the figure."""

    year: int
    name: str
    mbb: float
    least: bool  # the least exploitable that was known of its year


PROGRAMS = (
    Program(2007, "Polaris", 275.9, True),
    Program(2008, "Polaris", 235.3, True),
    Program(2010, "Hyperborean, third in the competition", 135.4, True),
    Program(2010, "GGValuta, second", 237.3, False),
    Program(2010, "Rockhopper, first", 300.0, False),
    Program(2015, "Cepheus (main article)", 0.986, True),
)


@cache
def limit_game() -> VectorGame:
    """The game of the paper."""
    found = game("holdem-limit")
    assert isinstance(found, VectorGame)
    return found


def shipped_mbb() -> float:
    """The exact exploitability of the strategy that ships."""
    return 1000.0 * shipped_limit().exploitability / limit_game().unit


class Measured(NamedTuple):
    """A strategy of ours, and what best replies win against it, exactly, in mbb/g."""

    year: int
    name: str
    how: str
    reply_sb_mbb: float
    reply_bb_mbb: float
    exploitability_mbb: float


@cache
def ours() -> tuple[Measured, ...]:
    """What ships, from its record; then others that were measured over all boards, from a file beside this one."""
    found = shipped_limit()
    replies = float(found.params["reply_sb_mbb"]), float(found.params["reply_bb_mbb"])
    first = Measured(YEAR, "headsup, shipped strategy", f"{found.seconds:.0f} s of one GPU", *replies, shipped_mbb())
    others = parsed(
        MEASURED, lambda: [Measured(**one) for one in json.loads(read_shipped(MEASURED))], "a list of prices"
    )
    return (first, *others)


def figure() -> str:
    """Figure S1 with our points on it, as SVG."""
    series = {
        "least of its year": [(float(one.year), one.mbb) for one in PROGRAMS if one.least],
        **{one.name.split(",")[0]: [(float(one.year), one.mbb)] for one in PROGRAMS if not one.least},
        **{one.name.removeprefix("headsup, "): [(float(one.year), one.exploitability_mbb)] for one in ours()},
    }
    title = "Figure S1: exploitability of programs for limit hold'em"
    return line_chart(series, title=title, x="year", y="mbb/g", dots=True)


def history() -> Section:
    """The programs of figure S1 and ours among them, from most to least exploitable."""
    least = min(one.exploitability_mbb for one in ours())
    rows = [(one.mbb, one.year, one.name, f"{one.mbb:g}") for one in PROGRAMS]
    rows += [(x.exploitability_mbb, x.year, f"{x.name}, {x.how}", f"**{x.exploitability_mbb:.4f}**") for x in ours()]
    table: Rows = [
        (str(year), name, text, f"{mbb / least:.2f}") for mbb, year, name, text in sorted(rows, reverse=True)
    ]
    names = ("year", "program", "mbb/g", "times our least")
    return Section("Figure S1, from most to least exploitable", names, table)


def numbers() -> Section:
    """Every other number of the supplement."""
    played = limit_game()
    tree, unit = played.betting, played.unit
    small, big = (1000.0 * chips / unit for chips in tree.paid[0])
    bets = [_bet(played, street) / unit for street in range(played.streets)]
    least = min(ours(), key=lambda one: one.exploitability_mbb)
    rows: Rows = [
        (
            "rounds; cards on the board",
            "4; 3, 1, 1",
            f"{played.streets}; {', '.join(map(str, played.boards.streets[1:]))}",
        ),
        ("bets of a round, in big blinds", "1, 1, 2, 2", ", ".join(f"{one:g}" for one in bets)),
        (
            "bets and raises of a round, the blind being the first",
            "4, 4, 4, 4",
            ", ".join(map(str, tree.rules.cap)),
        ),
        (
            "who always folds loses, in the big and in the small blind",
            "750: 1000, 500",
            f"{(small + big) / 2:g}: {big:g}, {small:g}",
        ),
        ("a professional's aim, mbb/g", "50", "a rule of thumb; nothing to compute"),
        ("groups and programs in the competitions", "59, 120", "their history; nothing to compute"),
        ("what a competition can tell apart, mbb/g", "5 to 10", "theirs; ours are exact, not matches"),
        (
            "the solution, exploitable by",
            "0.986 (main article)",
            f"{least.exploitability_mbb:.4f}: in buckets, {least.how}, not 900 core-years",
        ),
        ("the game is worth to the dealer, mbb/g", f"{VALUE[0]} to {VALUE[1]} (main article)", _worth()),
    ]
    return Section("Numbers", ("", "paper", "ours"), rows)


def _worth() -> str:
    """What our strategies prove of the value, and what the shipped one earns against itself."""
    itself = 1000.0 * shipped_limit().value / limit_game().unit
    low, high = max(-one.reply_bb_mbb for one in ours()), min(one.reply_sb_mbb for one in ours())
    return f"{itself:.1f} for the shipped strategy against itself; {low:.1f} to {high:.1f} by our best responses"


def seats() -> Section:
    """How the exploitability of ours is shared out between the seats, if the value is what was published."""
    middle, rows = sum(VALUE) / 2, list[tuple[str, ...]]()
    for one in ours():
        dealer, blind = -one.reply_bb_mbb, -one.reply_sb_mbb
        rows.append((one.name, "dealer", f"{dealer:.1f}", f"{middle:.1f}", f"{middle - dealer:.1f}"))
        rows.append((one.name, "big blind", f"{blind:.1f}", f"{-middle:.1f}", f"{-middle - blind:.1f}"))
    names = ("strategy", "as", "keeps at least, mbb/g", "an equilibrium keeps", "so it loses (x_i)")
    return Section("Seat by seat (equations 11 to 13)", names, rows)


def bounds() -> Section:
    """The bound of equation 7 beside what was measured: how far theory is from practice."""
    played = game("leduc").vector()  # type: ignore[union-attr]
    tree, sets = played.betting, sequence_form(game("leduc")).seats[0].n_infosets
    spread, actions = float(tree.win.max() - tree.lose.min()), int(tree.count.max())
    rows: Rows = []
    for one in shipped_points():
        if (one.run, one.method, one.weights) == ("Leduc", "cfr", "uniform") and one.iterations in (16, 128, 1024):
            bound = sets * spread * sqrt(actions / one.iterations)
            rows.append((f"{one.iterations:,}", f"{bound:,.0f}", f"{one.exploitability / 1000 * played.unit:.4f}"))
    return Section("Equation 7 on Leduc, chips a game", ("iterations", "bound on R / T", "measured x"), rows)


def _bet(played: VectorGame, street: int) -> float:
    """By how much a street's first bet or raise is more than what it takes to call."""
    tree = played.betting
    nodes = range(int(tree.start[street]), int(tree.start[street + 1]))
    first = next(node for node in nodes if tree.kind[node] >= Move.BET)
    return float(tree.amount[first] - (tree.paid[0].max() if street == 0 else 0))
