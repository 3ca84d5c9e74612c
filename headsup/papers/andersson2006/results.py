"""Tables 5.1 and 5.2 beside our matches, what best responses win, what each simplification costs, and chapter 7."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from headsup.common.files import parsed
from headsup.games.catalogue.forms import sequence_form
from headsup.games.catalogue.names import game
from headsup.nolimit.shipped import STACKS, nolimit_game, shipped_nolimit
from headsup.papers.andersson2006.model import PARTS, opening
from headsup.papers.section import Rows, Section, stored, written
from headsup.solve.small.lp import normal_form, optimal_range, sequence_lp

RPS = ((0, 1, -1), (-1, 0, 1), (1, -1, 0))  # Figure 3.2
PLAN = {"a": 0, "b": 1, "c": 0, "d": 0, "e": 0.25, "f": 0.75, "g": 0.09375, "h": 0.6875, "i": 0.21875}  # Figure 3.8
MOST = "10|r10"  # the information set of the player in the blind who has a ten against the largest bet


def example() -> Section:
    simple, form = sequence_form(game("rps")), sequence_form(game("andersson"))
    matrix, (value, plans) = normal_form(simple)[0], sequence_lp(simple)
    example_value, best = sequence_lp(form)
    printed = np.array([1.0, *PLAN.values()])
    return written(
        __file__,
        "example",
        matrices=["; ".join(", ".join(map(str, row)) for row in rows) for rows in (RPS, matrix.astype(int).tolist())],
        plan=", ".join(f"{probability:.4f}" for probability in plans[0][1:]),
        value=value,
        payoffs=len(form.seats[0].payoff),
        infosets=" and ".join(str(seat.n_infosets) for seat in form.seats),
        sequences=len(best[1]),
        printed=", ".join(f"{name} {probability:g}" for name, probability in PLAN.items() if probability),
        ours=", ".join(name for name, probability in zip(PLAN, best[1][1:], strict=True) if probability > 0.5),
        best_response=form.seats[0].best_response(printed)[0],
        example_value=example_value,
    )


def folded_tens() -> Section:
    """Section 5.1.1: numbers from one to ten, a blind, one bet and two raises.

    The last row takes a linear program of seconds; docs/papers/andersson-2006.md runs it.
    """
    form = sequence_form(game("numbers"))
    value = sequence_lp(form)[0]
    seat = form.seats[1]
    fold = int(seat.first[[seat.labels.infoset(i) for i in range(seat.n_infosets)].index(MOST)])
    low, high = optimal_range(form, 1, fold)
    most = np.zeros(form.seats[0].n_sequences)
    most[form.seats[0].first[1:] - 1] = 1.0  # the last action of each set is the largest bet
    against = seat.utility(form.seats[0].plan(most))
    least, best = optimal_range(form, 1, against)
    return written(__file__, "tens", value=-value, low=abs(low), high=high, least=least, best=best)


DATA = Path(__file__).parent / "data"
MATCHES, MEASURED = DATA / "matches.json", DATA / "measured.json"
BOT, OURS = "aggrobot", "nolimit:blueprint"


class PrintedMatch(NamedTuple):
    """A row of tables 5.1 and 5.2, and the agent of ours that stands for the opponent."""

    opponent: str
    hands: int
    won: float
    printed: float
    agent: str
    alike: bool  # whether the agent follows the same rules as the opponent


TABLES = {
    15: (
        PrintedMatch("Amanda", 15607, 1082.5, 0.07, "average", False),
        PrintedMatch("Gus Xensen", 25500, 3185.0, 0.12, "loose-aggressive", False),
        PrintedMatch("Avery", 9015, 1933.0, 0.21, "average", False),
        PrintedMatch("Sklansky", 9160, 3674.5, 0.40, "sklansky", False),
        PrintedMatch("Allin", 33874, 15102.0, 0.45, "allin", True),
        PrintedMatch("Caller", 28326, 30682.5, 1.08, "caller", True),
    ),
    20: (
        PrintedMatch("Amanda", 89871, -1999.5, -0.02, "average", False),
        PrintedMatch("Gus Xensen", 54835, 7013.0, 0.13, "loose-aggressive", False),
        PrintedMatch("Avery", 20055, 7916.0, 0.26, "average", False),
        PrintedMatch("Sklansky", 8005, 2161.0, 0.27, "sklansky", False),
        PrintedMatch("Allin", 9886, 2372.5, 0.24, "allin", True),
        PrintedMatch("Caller", 18108, 30601.0, 1.69, "caller", True),
    ),
}


class ReportedMatch(NamedTuple):
    """What the first agent won from the second, big blinds per hand; half the width of the 95 % interval."""

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
        text = f"{self.bb:.{digits}f} ± {self.margin:.{digits}f}" + (f", {self.hands:,} hands" if self.hands else "")
        return text + (", undecided" if abs(self.bb) <= self.margin else "")


@cache
def played() -> dict[tuple[str, str, int], ReportedMatch]:
    """The matches, by both agents and the stack."""
    every = parsed(
        MATCHES, lambda: [ReportedMatch(**match) for match in stored(MATCHES)["matches"]], "a list of matches"
    )
    return {(match.first, match.second, match.stack): match for match in every}


def result(first: str, second: str, stack: int) -> str:
    """A match as text; empty if it was not played."""
    match = played().get((first, second, stack))
    return "" if match is None else str(match)


def others() -> Section:
    rows: Rows = []
    for first, second in ((OURS, BOT), ("nolimit", BOT), (BOT, "jamfold"), (OURS, "jamfold")):
        rows.append((first, second, *(result(first, second, stack) for stack in STACKS)))
    stacks = (f"{stack} bb" for stack in STACKS)
    return Section(
        "Matches that the paper could not play, with our older blueprints, big blinds per hand",
        ("", "against", *stacks),
        rows,
    )


ROUND = ("sklansky", "tight", "loose-passive")  # each beats the next, and the last one the first


def in_a_round() -> Section:
    rows: Rows = [
        (first, second, *(result(first, second, stack) for stack in STACKS))
        for first, second in zip(ROUND, (*ROUND[1:], ROUND[0]), strict=True)
    ]
    title = "Section 5.1.2: strategies are not transitive; each beats the next at 20 bb, big blinds per hand"
    return Section(title, ("", "against", *(f"{stack} bb" for stack in STACKS)), rows)


def openings() -> Section:
    rows: Rows = []
    for agent, name in ((BOT, "AggroBot, rebuilt"), ("nolimit", "our older blueprint")):
        for stack in STACKS:
            rows.append((name, f"{stack} bb", *(f"{share:.1%}" for share in opening(agent, stack).mean(axis=0))))
    title = "How the small blind opens (the paper calls its bot very aggressive)"
    return Section(title, ("", "stack", *PARTS), rows)


WHO = {"aggrobot": "AggroBot, rebuilt", "nolimit": "our older blueprint"}
REPLIES = {"few": ", if the opponent's only raise is all-in"}


def models() -> list[Section]:
    rows: Rows = []
    for run in stored(MEASURED)["models"]:
        rare = f"without transitions rarer than {run['least']:g}" if run.get("least") else ""
        steps = f"{run['iterations']:,} iterations" if "iterations" in run else ""
        value = f"{run['low']:.5f} to {run['high']:.5f}"
        took = (f"{run[name]:,.0f}" for name in ("processor_seconds", "memory_mb"))
        rows.append((f"{run['stack']} bb", run["method"], value, *took, f"{run['payoffs']:,}", rare or steps))
    return [written(__file__, "models", rows)] if rows else []


def answers() -> list[Section]:
    rows: Rows = [
        (answer["street"], f"{answer['answers']}", f"{answer['mean_s']:.2f}", f"{answer['longest_s']:.2f}")
        for answer in stored(MEASURED)["answers"]
    ]
    return [written(__file__, "answers", rows)] if rows else []


def _cell(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def sentence() -> str:
    """What a best response wins from AggroBot and from the blueprint of the same stack."""
    stack = max(STACKS)
    prices = {(row["strategy"], row["stack"]): row["exploitability_mbb"] for row in stored(MEASURED)["prices"]}
    ours = 1000.0 * shipped_nolimit(stack).exploitability / nolimit_game(stack).unit
    return (
        f"AggroBot, rebuilt from the thesis, loses {prices[BOT, stack]:.0f} mbb/g at {stack} big blinds to an opponent "
        f"whose only raise is all-in; headsup's older blueprint loses {ours:.0f} to any opponent with the same sizes."
    )


def prices() -> Section:
    rows: Rows = []
    for stack in STACKS:
        game, blueprint = nolimit_game(stack), shipped_nolimit(stack)
        mbb = 1000.0 * blueprint.exploitability / game.unit
        replies = ", ".join(f"{float(blueprint.params[f'reply_{seat}_mbb']):.1f}" for seat in ("sb", "bb"))
        rows.append((f"our older blueprint, {stack} bb", "not measured", f"{mbb:.1f}, exact", replies))
    for measured in stored(MEASURED)["prices"]:
        if (measured["strategy"], measured["opponent"]) != ("nolimit", "all"):  # those ship, and stand above
            strategy, opponent = measured["strategy"], REPLIES.get(measured["opponent"], "")
            name = f"{WHO.get(strategy, strategy)}, {measured['stack']} bb{opponent}"
            best = measured.get("best_response_mbb", {})  # older rows have a key for each seat
            both = [_cell(best.get(seat, measured.get(f"reply_{seat}_mbb"))) or "not measured" for seat in ("sb", "bb")]
            mbb = measured.get("exploitability_mbb")
            price = "one seat alone" if mbb is None else f"{mbb:.1f}, exact"
            rows.append((name, "not measured", price, ", ".join(both)))
    return written(__file__, "prices", rows)


def frontier() -> list[Section]:
    rows: Rows = []
    for run in stored(MEASURED)["frontier"]:
        along = ", ".join(f"{mbb:.1f}" for mbb in run["mbb"][:-1])
        price = f"{run['mbb'][-1]:.1f}" + (f" (earlier: {along})" if along else "")
        learnt = f"{run['iterations'][-1]:,}"
        rows.append((run["menu"], f"{run['decisions']:,}", run["buckets"], learnt, price, _cell(run.get("among_mbb"))))
    return [written(__file__, "frontier", rows)] if rows else []


def misprints() -> Section:
    avery = next(row for row in TABLES[20] if row.opponent == "Avery")
    right = sum(abs(round(row.won / row.hands, 2) - row.printed) < 0.005 for table in TABLES.values() for row in table)
    return written(__file__, "misprints", avery=avery, divided=avery.won / avery.hands, right=right)


def commands() -> Section:
    return written(__file__, "commands", matches=stored(MATCHES)["command"])
