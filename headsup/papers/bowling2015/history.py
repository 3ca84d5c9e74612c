"""Figure S1 and the numbers of the supplement, each beside ours.

The figure's points for 2006, 2009 and 2011 to 2013 have no number in the text. Its caption says that exploitability
decreases, so each lies between the numbers before and after it. Ours are the shipped strategy and others that were
measured exactly (`data/measured.json`).
"""

from functools import cache
from math import inf, sqrt
from pathlib import Path
from typing import NamedTuple

from headsup.common.files import parsed
from headsup.common.plot import line_chart
from headsup.games import game
from headsup.games.betting.rules import Move
from headsup.games.catalogue.forms import sequence_form
from headsup.games.holdem.vector import VectorGame
from headsup.limit.shipped import shipped as shipped_limit
from headsup.papers.bowling2015.study import shipped_points
from headsup.papers.section import Finding, Rows, Section, stored, written

YEAR = 2026  # of what ships
YEARS = range(2006, 2014)  # of figure S1, before the solution
LEAST = "least of its year"
SUPPLEMENT, ARTICLE, OURS = "supplement", "main article", "ours"
MEASURED = Path(__file__).parent / "data" / "measured.json"
VALUE = (87.7, 89.7)  # what the solved game is worth to the dealer, in mbb/g, as published


class Competitor(NamedTuple):
    """A program whose exploitability is printed."""

    year: int
    name: str
    mbb: float
    least: bool  # the least exploitable known of its year, so a point of figure S1
    source: str = SUPPLEMENT


PROGRAMS = (
    Competitor(2007, "Polaris", 275.9, True),
    Competitor(2008, "Polaris", 235.3, True),
    Competitor(2010, "Hyperborean, third in the competition", 135.4, True),
    Competitor(2010, "GGValuta, second (in the text, not in figure S1)", 237.3, False),
    Competitor(2010, "Rockhopper, first (in the text, not in figure S1)", 300.0, False),
    Competitor(2015, "the CFR+ solution", 0.986, True, ARTICLE),
)
UNPRINTED = {2006: "Range of Skill, a technique before CFR"}
"""Points of figure S1 without a number of which the text says more than the year."""


@cache
def limit_game() -> VectorGame:
    played = game("holdem-limit")
    assert isinstance(played, VectorGame)
    return played


def shipped_mbb() -> float:
    return 1000.0 * shipped_limit().exploitability / limit_game().unit


class Measured(NamedTuple):
    """A strategy of ours, and what best responses win against it, exactly, in mbb/g."""

    year: int
    name: str
    how: str
    reply_sb_mbb: float
    reply_bb_mbb: float
    exploitability_mbb: float


@cache
def ours() -> tuple[Measured, ...]:
    """The shipped strategy, from its record; then others that were measured over all boards, from a file."""
    record = shipped_limit()
    replies = float(record.params["reply_sb_mbb"]), float(record.params["reply_bb_mbb"])
    first = Measured(YEAR, "headsup, shipped strategy", f"{record.seconds:.0f} s of one GPU", *replies, shipped_mbb())
    return (first, *parsed(MEASURED, lambda: [Measured(**row) for row in stored(MEASURED)], "a list of prices"))


def between(year: int) -> tuple[float, float]:
    """What the printed points before and after leave for a year of figure S1, in mbb/g; infinite where none is."""
    points = {program.year: program.mbb for program in PROGRAMS if program.least}
    after = [mbb for other, mbb in points.items() if other >= year]
    before = [mbb for other, mbb in points.items() if other <= year]
    return max(after), min(before, default=inf)


def finding() -> Finding:
    """The shipped strategy among the programs of the years before the game was solved."""
    mbb, printed = shipped_mbb(), [program for program in PROGRAMS if program.least]
    worse = [program for program in printed if program.mbb > mbb]
    last = min(worse, key=lambda program: program.mbb)
    solved = min(printed, key=lambda program: program.mbb)
    return Finding(
        f"The limit strategy that ships with headsup is exploitable for {mbb:.1f} mbb/g, less than the best program of "
        f"{last.year} ({last.mbb:.1f}); the solution of {solved.year} reached {solved.mbb:g}.",
        figure(),
    )


def figure() -> str:
    """Figure S1, two programs of the text and ours, as SVG; dashes enclose the years without a number."""
    highest = max(program.mbb for program in PROGRAMS)
    lower = [(float(year), between(year)[0]) for year in YEARS]
    upper = [(float(year), min(between(year)[1], highest)) for year in YEARS]
    faint = {LEAST: [*lower, *reversed(upper), lower[0]]}
    series = {
        LEAST: [(float(program.year), program.mbb) for program in PROGRAMS if program.least],
        **{
            program.name.split(",")[0]: [(float(program.year), program.mbb)]
            for program in PROGRAMS
            if not program.least
        },
        **{
            strategy.name.removeprefix("headsup, "): [(float(strategy.year), strategy.exploitability_mbb)]
            for strategy in ours()
        },
    }
    title = "Exploitability of programs for limit hold'em, after figure S1"
    return line_chart(series, faint=faint, title=title, x="year", y="mbb/g", dots=True)


def history() -> Section:
    least = min(strategy.exploitability_mbb for strategy in ours())
    rows = [(p.year, -p.mbb, p.name, f"{p.mbb:g}", f"{p.mbb / least:.2f}", p.source) for p in PROGRAMS]
    rows += [
        (x.year, -x.exploitability_mbb, f"{x.name}, {x.how}", f"**{x.exploitability_mbb:.4f}**",
         f"{x.exploitability_mbb / least:.2f}", OURS)
        for x in ours()
    ]  # fmt: skip
    for year in YEARS:
        low, high = between(year)
        if low < high:
            text = f"no number: {low:g} or more" if high == inf else f"no number: {low:g} to {high:g}"
            rows.append((year, 0.0, UNPRINTED.get(year, "not named"), text, "", f"{SUPPLEMENT}, figure S1 alone"))
    table: Rows = [(str(year), *cells) for year, _, *cells in sorted(rows)]
    return written(__file__, "history", table)


def numbers() -> Section:
    played = limit_game()
    tree, unit = played.betting, played.unit
    small, big = (1000.0 * chips / unit for chips in tree.paid[0])
    bets = [_bet(played, street) / unit for street in range(played.streets)]
    least = min(ours(), key=lambda strategy: strategy.exploitability_mbb)
    return written(
        __file__,
        "numbers",
        streets=played.streets,
        cards=", ".join(map(str, played.boards.streets[1:])),
        bets=", ".join(f"{bet:g}" for bet in bets),
        cap=", ".join(map(str, tree.rules.cap)),
        small=small,
        big=big,
        mean=(small + big) / 2,
        least=least,
        published=VALUE,
        value=_value_bounds(),
    )


def _value_bounds() -> str:
    """The bounds that our strategies prove for the value, and what the shipped one earns against itself."""
    itself = 1000.0 * shipped_limit().value / limit_game().unit
    low, high = max(-strategy.reply_bb_mbb for strategy in ours()), min(strategy.reply_sb_mbb for strategy in ours())
    proved = f"bounds from our best responses: {low:.1f} to {high:.1f}"
    return f"{itself:.1f} for the shipped strategy against itself; {proved}"


def seats() -> Section:
    middle, rows = sum(VALUE) / 2, list[tuple[str, ...]]()
    for strategy in ours():
        dealer, blind = -strategy.reply_bb_mbb, -strategy.reply_sb_mbb
        rows.append((strategy.name, "dealer", f"{dealer:.1f}", f"{middle:.1f}", f"{middle - dealer:.1f}"))
        rows.append((strategy.name, "big blind", f"{blind:.1f}", f"{-middle:.1f}", f"{-middle - blind:.1f}"))
    return written(__file__, "seats", rows)


def bounds() -> Section:
    played = game("leduc").vector()  # type: ignore[union-attr]
    tree, sets = played.betting, sequence_form(game("leduc")).seats[0].n_infosets
    spread, actions = float(tree.win.max() - tree.lose.min()), int(tree.count.max())
    rows: Rows = []
    for point in shipped_points():
        run = point.run, point.method, point.weights
        if run == ("Leduc", "cfr", "uniform") and point.iterations in (16, 128, 1024):
            bound = sets * spread * sqrt(actions / point.iterations)
            rows.append((f"{point.iterations:,}", f"{bound:,.0f}", f"{point.exploitability / 1000 * played.unit:.4f}"))
    return written(__file__, "bounds", rows)


def _bet(played: VectorGame, street: int) -> float:
    """How much a street's first bet or raise adds to a call."""
    tree = played.betting
    nodes = range(int(tree.start[street]), int(tree.start[street + 1]))
    first = next(node for node in nodes if tree.kind[node] >= Move.BET)
    return float(tree.amount[first] - (tree.paid[0].max() if street == 0 else 0))
