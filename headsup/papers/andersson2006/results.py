"""Tables 5.1 and 5.2 beside our matches, what best replies win, what each simplification costs, and chapter 7."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from headsup.common.files import parsed, read_shipped
from headsup.nolimit.shipped import STACKS, nolimit_game, shipped_nolimit
from headsup.papers.andersson2006.model import PARTS, opening
from headsup.papers.section import Rows, Section

DATA = Path(__file__).parent / "data"
MATCHES, MEASURED = DATA / "matches.json", DATA / "measured.json"
BOT, OURS = "aggrobot", "nolimit:blueprint"


class Row(NamedTuple):
    """A row of tables 5.1 and 5.2, and the agent of ours that stands for the opponent."""

    opponent: str
    hands: int
    won: float
    printed: float
    agent: str
    alike: bool  # whether the agent follows the same rules as the opponent


TABLES = {
    15: (
        Row("Amanda", 15607, 1082.5, 0.07, "average", False),
        Row("Gus Xensen", 25500, 3185.0, 0.12, "loose-aggressive", False),
        Row("Avery", 9015, 1933.0, 0.21, "average", False),
        Row("Sklansky", 9160, 3674.5, 0.40, "sklansky", False),
        Row("Allin", 33874, 15102.0, 0.45, "allin", True),
        Row("Caller", 28326, 30682.5, 1.08, "caller", True),
    ),
    20: (
        Row("Amanda", 89871, -1999.5, -0.02, "average", False),
        Row("Gus Xensen", 54835, 7013.0, 0.13, "loose-aggressive", False),
        Row("Avery", 20055, 7916.0, 0.26, "average", False),
        Row("Sklansky", 8005, 2161.0, 0.27, "sklansky", False),
        Row("Allin", 9886, 2372.5, 0.24, "allin", True),
        Row("Caller", 18108, 30601.0, 1.69, "caller", True),
    ),
}


class Match(NamedTuple):
    """What the first agent won from the second, big blinds a hand; half the width of the 95 % interval."""

    first: str
    second: str
    stack: int
    bb: float
    margin: float
    hands: int = 0  # if it is known

    def __str__(self) -> str:
        if not self.margin:
            return f"{self.bb:.3f}, exact"
        digits = 3 if self.margin < 0.03 else 2
        told = f"{self.bb:.{digits}f} ± {self.margin:.{digits}f}" + (f", {self.hands:,} hands" if self.hands else "")
        return told + (", undecided" if abs(self.bb) <= self.margin else "")


@cache
def kept(path: Path) -> dict[str, Any]:
    """What a file of figures has."""
    return parsed(path, lambda: dict(json.loads(read_shipped(path))), "a file of figures")


@cache
def played() -> dict[tuple[str, str, int], Match]:
    """The matches that were played, by both agents and the stack."""
    found = parsed(MATCHES, lambda: [Match(**one) for one in kept(MATCHES)["matches"]], "a list of matches")
    return {(one.first, one.second, one.stack): one for one in found}


def result(first: str, second: str, stack: int) -> str:
    """A match as text; nothing if it was not played."""
    found = played().get((first, second, stack))
    return "" if found is None else str(found)


def matches() -> list[Section]:
    """Tables 5.1 and 5.2, then the matches that the paper could not play."""
    found = []
    for number, (stack, table) in enumerate(TABLES.items(), 1):
        rows: Rows = []
        for row in table:
            divided = row.won / row.hands
            wrong = abs(round(divided, 2) - row.printed) > 0.005
            paper = f"{row.printed:.2f}" + (f" (printed; {divided:.2f} by division)" if wrong else "")
            whose = f"`{row.agent}`" + ("" if row.alike else ", after its description: not the same program")
            rows.append((row.opponent, f"{row.hands:,}", paper, whose, result(BOT, row.agent, stack), result(OURS, row.agent, stack)))  # noqa: E501  # fmt: skip
        names = ("opponent", "hands", "paper's AggroBot", "our opponent", "AggroBot rebuilt", "our blueprint")
        found.append(Section(f"Table 5.{number}: {stack} bb, big blinds a hand", names, rows))
    rows = []
    for first, second in ((OURS, BOT), ("nolimit", BOT), (BOT, "jamfold"), (OURS, "jamfold")):
        rows.append((first, second, *(result(first, second, stack) for stack in STACKS)))
    stacks = (f"{stack} bb" for stack in STACKS)
    return [*found, Section("Matches that the paper could not play, big blinds a hand", ("", "against", *stacks), rows)]


ROUND = ("sklansky", "tight", "loose-passive")
"""Each beats the next, and the last one the first."""


def in_a_round() -> Section:
    """Section 5.1.2: three agents of which each beats the next."""
    rows: Rows = [
        (first, second, *(result(first, second, stack) for stack in STACKS))
        for first, second in zip(ROUND, (*ROUND[1:], ROUND[0]), strict=True)
    ]
    title = "Section 5.1.2: strategies are not transitive; each beats the next at 20 bb, big blinds a hand"
    return Section(title, ("", "against", *(f"{stack} bb" for stack in STACKS)), rows)


def openings() -> Section:
    """How often the small blind does what, before anything has happened."""
    rows: Rows = []
    for agent, name in ((BOT, "AggroBot, rebuilt"), ("nolimit", "our blueprint")):
        for stack in STACKS:
            rows.append((name, f"{stack} bb", *(f"{share:.1%}" for share in opening(agent, stack).mean(axis=0))))
    title = "How the small blind opens (the paper calls its bot very aggressive)"
    return Section(title, ("", "stack", *PARTS), rows)


WHO = {"aggrobot": "AggroBot, rebuilt", "nolimit": "our blueprint"}
REPLIES = {"few": ", by an opponent who raises all-in or not at all"}


def models() -> list[Section]:
    """The preflop model by each method, if that was measured."""
    rows: Rows = []
    for one in kept(MEASURED)["models"]:
        rare = f"moves rarer than {one['least']:g} left out" if one.get("least") else ""
        steps = f"{one['iterations']:,} iterations" if "iterations" in one else ""
        value = f"{one['low']:.5f} to {one['high']:.5f}"
        took = (f"{one[name]:,.0f}" for name in ("processor_seconds", "memory_mb"))
        rows.append((f"{one['stack']} bb", one["method"], value, *took, f"{one['payoffs']:,}", rare or steps))
    names = ("stack", "method", "value for the small blind, bb", "seconds of one core", "MB", "payoffs", "")
    return [Section("Chapter 6: the preflop model by method, bounds by best responses", names, rows)] if rows else []


def answers() -> list[Section]:
    """How long a move takes that solves turn and river anew, if that was measured."""
    rows: Rows = [
        (one["street"], f"{one['answers']}", f"{one['mean_s']:.2f}", f"{one['longest_s']:.2f}")
        for one in kept(MEASURED)["answers"]
    ]
    names = ("street", "answers", "seconds of the processor, mean", "longest")
    return [Section("A move of our player, turn and river re-solved, on two threads", names, rows)] if rows else []


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def prices() -> Section:
    """What best replies that see every card win inside the menu: the figure that the paper could not have."""
    rows: Rows = []
    for stack in STACKS:
        game, found = nolimit_game(stack), shipped_nolimit(stack)
        mbb = 1000.0 * found.exploitability / game.unit
        replies = ", ".join(f"{float(found.params[f'reply_{seat}_mbb']):.1f}" for seat in ("sb", "bb"))
        rows.append((f"our blueprint, {stack} bb", "could not be measured", f"{mbb:.1f}, exact", replies))
    for one in kept(MEASURED)["prices"]:
        if (one["strategy"], one["opponent"]) != ("nolimit", "all"):  # those ship, and stand above
            name = f"{WHO.get(one['strategy'], one['strategy'])}, {one['stack']} bb{REPLIES.get(one['opponent'], '')}"
            both = [_cell(one.get(f"reply_{seat}_mbb")) or "not measured" for seat in ("sb", "bb")]
            price = f"{one['exploitability_mbb']:.1f}, exact" if "exploitability_mbb" in one else "one seat alone"
            rows.append((name, "could not be measured", price, ", ".join(both)))
    names = ("", "paper", "mbb/g in its menu", "best response in the small blind, in the big blind")
    return Section("How much the best opponent wins", names, rows)


def frontier() -> list[Section]:
    """What more buckets and more sizes buy, with all cards, if that was measured."""
    rows: Rows = []
    for one in kept(MEASURED)["frontier"]:
        along = ", ".join(f"{mbb:.1f}" for mbb in one["mbb"][:-1])
        price = f"{one['mbb'][-1]:.1f}" + (f" (before: {along})" if along else "")
        learnt = f"{one['iterations'][-1]:,}"
        rows.append((one["menu"], f"{one['decisions']:,}", one["buckets"], learnt, price, _cell(one.get("among_mbb"))))
    names = ("bets at 20 bb", "decisions", "buckets", "iterations", "mbb/g in its menu", "among the bets that ship")
    title = "Buckets x sizes x price, with all cards, exact (4.1, 4.2)"
    return [Section(title, names, rows)] if rows else []


COSTS: Rows = [
    ("nothing (what 200 iterations leave)", "", "4.1"),
    ("four buckets a street of equal width (4.1)", "chosen for want of memory", "334.4"),
    (
        "three bets a round instead of four, in limit hold'em (4.2)",
        '"does not appear to have a substantial effect"',
        "0.5 to 8.1",
    ),
    ("independent rounds, the head that of an equilibrium (4.3)", '"hard to determine"', "16.8"),
    ("independent rounds, the head without the last round, as the paper's (4.3)", '"hard to determine"', "169.4"),
    ("bets of 25, 75 and 150 % read as others, harmonic (4.4)", '"cannot exploit this method easily"', "36.5"),
]


def costs() -> Section:
    """Each simplification alone, on decks so small that all is exact (docs/nolimit.md and docs/abstraction.md)."""
    title = "Chapter 4: what each simplification costs alone (ten cards, two streets, 10 bb)"
    return Section(title, ("simplified", "paper", "mbb/g, exact"), COSTS)


WISHES: Rows = [
    (
        "buckets by the betting: 0/60/75/93/100 % after much of it",
        "no larger a tree",
        "an option of the buckets (two lists of edges): tested against the game walked state by state",
    ),
    (
        "the small blind folds or raises to five big blinds",
        "a smaller tree",
        "158 nodes, not 4,666; but the small blind loses 0.186 bb where it won 0.019",
    ),
    (
        "players who forget",
        "no way to solve it is known",
        "CFR with forgetting: value 0.017, exploitable for 0.009 bb by opponents who remember",
    ),
    ("30 big blinds", "twice the memory", "value 0.033 ± 0.011 bb after 7 s of one core, 0.22 GB"),
    (
        "fictitious play",
        "slower, but little memory",
        "both true: at 15 bb -0.071 to 0.110 after 3,000 rounds, where CFR+ has 0.0124 to 0.0126",
    ),
    (
        "interior point or simplex",
        "interior point much better on the larger problems",
        "the table by method: all agree on the value, and CFR+ is ahead of both",
    ),
]


def wishes() -> Section:
    """Chapters 6 and 7: what the paper wished for, done (docs/papers/andersson-2006.md has the runs)."""
    return Section("Chapters 6 and 7: what the paper wished for", ("", "paper", "ours, on its 20 bb model"), WISHES)


def misprints() -> Section:
    """What cannot be as printed, with the arithmetic where there is some."""
    avery = next(row for row in TABLES[20] if row.opponent == "Avery")
    right = sum(abs(round(row.won / row.hands, 2) - row.printed) < 0.005 for table in TABLES.values() for row in table)
    rows: Rows = [
        ("figure 3.6", "no column for the action i", "figure 3.7 has it, and so has the game"),
        ("figure 3.8", "a plan against which P1 wins 1.25", "not optimal for figure 3.4, whose value is 1"),
        ("table 5.1", "25500.00 hands", "25,500"),
        (
            "table 5.2, Avery",
            f"{avery.printed:.2f} bb/hand",
            f"{avery.won:,.0f} / {avery.hands:,} = {avery.won / avery.hands:.2f}; {right} of 12 rows divide as printed",
        ),
        ("chapter 5, 6", '"2.5Gb", then "around 2.7GB"', "of address space; ours takes 0.2 GB"),
        ("chapter 7", "sets of buckets without a closing brace", "read as 80-100 % and 93-100 %"),
        ("section 5.1.1", "who acts first, and which bets there are, is not said", "chosen so that -0.23 comes out"),
    ]
    return Section("Misprints, and what is open", ("where", "printed", "so"), rows)


def commands() -> Section:
    """How the figures that are not computed at once were measured."""
    how = parsed(MATCHES, lambda: str(kept(MATCHES)["command"]), "a list of matches")
    rows: Rows = [
        ("matches", f"`{how}`"),
        ("prices", "`headsup measure FILE --device gpu`, over all 2,554,656 boards; the records that ship have them"),
        (
            "buckets x sizes x price",
            "`python -m headsup.nolimit.make 20 --menu MENU --looks 600 1800 5400 --sample 96 --device gpu "
            "--buckets BUCKETS --among MENU`",
        ),
        (
            "simplifications",
            "`python -m benchmarks resolving`, and the runs of docs/nolimit.md and docs/abstraction.md",
        ),
        ("the model", "`python -m headsup.papers.andersson2006.bot.make FOLDER`"),
    ]
    return Section("How the figures that are not computed at once were measured", ("table", "command"), rows)
