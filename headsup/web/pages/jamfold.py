"""Jam or fold: both charts of a stack with their certificate, any hand, every stack, a fixed opponent, the endgame."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from headsup.cards.games import GAME_NAMES, GAMES, check_game
from headsup.common.errors import UserError
from headsup.common.plot import Chart, line_chart
from headsup.endgame.rules import endgame
from headsup.endgame.shipped import CHIPS
from headsup.endgame.shipped import answer as endgame_answer
from headsup.games.betting.stakes import PLAYS, SEAT_NAMES, SEATS, Stakes
from headsup.jamfold.answer import CLOSE_BB, NEAREST, SOLVED, Answer, answer
from headsup.jamfold.hands import class_name, parse_class
from headsup.jamfold.ranges import strategy_range
from headsup.jamfold.shipped import shipped, stacks_played
from headsup.web import omaha
from headsup.web.asking import STANDARD, calculating, one_of, plain, read_lock, read_stakes, short
from headsup.web.grid import Cell, close_cells, frequency_cells, grid_svg, regret_cells, value_cells
from headsup.web.heatmap import has_gap, heat_map, in_order
from headsup.web.render import address, part, show, signed
from headsup.web.saving import KINDS, chart_file, check_kind, file
from headsup.web.sending import Whole
from headsup.web.why import why_call, why_jam

router = APIRouter()
BY = {"frequency": "Frequency", "value": "Value", "regret": "Regret", "close": "Indifferent"}
LEGENDS = {
    "frequency": "The bar is how often the hand is played; a number is a mix in percent.",
    "value": "What playing is worth in big blinds: orange where it beats a fold, blue where it loses to one.",
    "regret": "What the wrong choice would give up, in big blinds.",
    "close": f"= both choices within {CLOSE_BB:g} bb of each other, ≈ within 0.01 bb.",
}
ROWS = {"gaps": "hands with gaps", "all": "all hands"}
REACH = 25.0
"""Big blinds: as far as the chart of one hand goes."""
WORST = -2.0
"""Big blinds that a hand may lose in its chart: what costs more would press all that is close flat."""
Text = Annotated[str, Query(max_length=20_000)]


@dataclass(frozen=True)
class Asked:
    """A question of the page; every field is a word of its address."""

    game: str = "holdem"
    stack: str = "10"
    by: str = "frequency"
    seat: str = "sb"
    hand: str = ""
    blinds: str = STANDARD
    ante: str = "0"
    bb_ante: str = "0"
    lock: str = ""
    me: str = "sb"
    """Who plays against the locked range."""
    rows: str = "gaps"
    chips: str = ""
    search: str = ""
    group: str = ""
    sort: str = "close"
    turned: bool = False

    def stakes(self) -> Stakes:
        """What is at stake: the stack is in big blinds, blinds and antes are in chips."""
        return read_stakes(self.stack, self.blinds, self.ante, self.bb_ante, in_big_blinds=True)

    def words(self, **changes: object) -> dict[str, object]:
        """What is not as usual, for an address."""
        usual, now = vars(Asked()), vars(self) | changes
        return {key: value for key, value in now.items() if value != usual.get(key)} | {"stack": now["stack"]}

    def link(self, path: str = "/jamfold", **changes: object) -> str:
        """The address that shows this, with some of it changed."""
        return address(path, **self.words(**changes))

    def seated(self, seat: str) -> Callable[[str], str]:
        """Addresses by hand, in a seat."""
        before = self.link(hand="", seat=seat)  # it always has a word: the stack
        return lambda hand: f"{before}&hand={hand}"


def asked(
    game: Text = "holdem",
    stack: Text = "10",
    by: Text = "frequency",
    seat: Text = "sb",
    hand: Text = "",
    pick: Text = "",
    blinds: Text = STANDARD,
    ante: Text = "0",
    bb_ante: Text = "0",
    lock: Text = "",
    me: Text = "sb",
    rows: Text = "gaps",
    chips: Text = "",
    search: Text = "",
    group: Text = "",
    sort: Text = "close",
    turned: bool = False,
) -> Asked:
    """The question of an address; `pick` is a click on a chart, seat and hand."""
    check_game(game)
    one_of(by, tuple(BY), "the view")
    one_of(rows, tuple(ROWS), "rows")
    if pick:
        seat, _, hand = pick.partition(":")
    hand = _hand(game, hand.strip(), picked=bool(pick))
    return Asked(
        game, stack.strip(), by, one_of(seat, SEATS, "seat"), hand, blinds.strip() or STANDARD, ante or "0",
        bb_ante or "0", short(lock, "the locked range").strip(), one_of(me, SEATS, "me"), rows, chips, search, group,
        sort, turned,
    )  # fmt: skip


def _hand(game: str, text: str, picked: bool) -> str:
    """A hand as its class is called; one that was left from the game before is forgotten with it."""
    if not text:
        return ""
    try:
        return class_name(game, parse_class(game, text))
    except UserError:
        if not picked:
            with suppress(UserError):
                parse_class("omaha" if game == "holdem" else "holdem", text)
                return ""
        raise


def found_for(one: Asked) -> tuple[Answer, Stakes]:
    """The equilibrium that is asked for; what is not shipped waits for its turn to be solved."""
    stakes = one.stakes()
    if stakes.standard and shipped(one.game).has(stakes.payoffs.stack):
        return answer(one.game, stakes), stakes
    with calculating():
        return answer(one.game, stakes), stakes


@router.get("/jamfold")
def jamfold(request: Request, one: Annotated[Asked, Depends(asked)]) -> Response:
    """The page."""
    found, stakes = found_for(one)
    context: dict[str, Any] = {
        "one": one,
        "found": found,
        "game_names": GAME_NAMES,
        "games": GAMES,
        "by": BY,
        "legend": LEGENDS[one.by],
        "seat_names": SEAT_NAMES,
        "plays": PLAYS,
        "facts": facts(found, stakes),
        "card": hand_card(one, found, stakes),
        "locked": locked_view(one, stakes),
        "rows": ROWS,
        "sorts": omaha.SORTS,
    }
    if one.game == "holdem":
        context["charts"] = {seat: cells(found, seat, one.by) for seat in SEATS}
        context["ranges"] = {seat: str(strategy_range(found.game, found.played(seat))) for seat in SEATS}
    else:
        context["tree"] = omaha.tree(found)
        context["listed"] = _listed(one, found)
    context["maps"] = heat_maps(
        one, stakes, [row.hand for row in context["listed"].rows] if "listed" in context else []
    )
    context["endgame"] = endgame_view(one, stakes)
    page = show(request, "jamfold", **context)
    page.headers["hx-replace-url"] = one.link()
    if found.source == NEAREST or "mistake" in (context["locked"] or {}):
        page.headers["cache-control"] = "no-store"  # a table that is still to come would change it
    return page


@router.get("/jamfold/more")
def more(request: Request, one: Annotated[Asked, Depends(asked)], start: Whole = 0) -> Response:
    """More rows of the list of Omaha hands."""
    if one.game == "holdem":
        raise UserError("the list is of Omaha hands: choose omaha or omaha8")
    found, _ = found_for(one)
    return part(request, "jamfold_rows", one=one, listed=_listed(one, found, start))


def _listed(one: Asked, found: Answer, start: int = 0) -> omaha.Listed:
    """The Omaha hands that are asked for, from one of them on."""
    return omaha.listed(found, search=one.search, group=one.group, sort=one.sort, turned=one.turned, start=start)


def cells(found: Answer, seat: str, by: str) -> list[Cell]:
    """One seat's chart in one of the views."""
    if by == "frequency":
        return frequency_cells(found.played(seat), PLAYS[seat])
    make = {"value": value_cells, "regret": regret_cells, "close": close_cells}[by]
    return make(found.ev(seat), found.ev_fold(seat), PLAYS[seat])


def facts(found: Answer, stakes: Stakes) -> dict[str, str]:
    """The certificate and what goes with it."""
    gain = found.exploitability_mbb
    told = {
        "jams": f"{found.jam_frequency:.2%}",
        "calls": f"{found.call_frequency:.2%}",
        "value": signed(found.value_sb, 4),
        "gain": "< 1e-9" if gain < 1e-9 else f"{gain:.1e}",
        "how": "solved now" if found.source == SOLVED else "shipped",
        "stack": f"{stakes.effective:g}",
    }
    if found.source == NEAREST and found.payoffs.stack != stakes.payoffs.stack:
        told["nearest"] = f"{found.payoffs.stack:g}"
    return told


def hand_card(one: Asked, found: Answer, stakes: Stakes) -> dict[str, Any] | None:
    """Both seats of one hand: the decision, both expected values, why, and along the stacks."""
    if not one.hand:
        return None
    hand = parse_class(one.game, one.hand)
    decimals = 4 if one.game == "holdem" or found.source == SOLVED else 3
    seats = {}
    for (seat, play), why in zip(PLAYS.items(), (why_jam, why_call), strict=True):
        often, ev, fold = float(found.played(seat)[hand]), float(found.ev(seat)[hand]), found.ev_fold(seat)
        known = stacks_played(one.game, stakes, seat, hand)
        seats[seat] = {
            "decision": play if often == 1 else "fold" if often == 0 else f"{play} {often:.1%} of the time",
            "tone": play if often >= 0.5 else "fold",
            "play": signed(ev, decimals) if ev == ev else "none",
            "fold": signed(fold, decimals),
            "gain": signed(ev - fold, decimals) if ev == ev else "none",
            "close": found.close(seat, hand),
            "why": why(found, hand),
            "at": None
            if known is None
            else ", ".join(f"{low:g}" if low == high else f"{low:g} to {high:g}" for low, high in known.at),
            "mixed": ""
            if known is None
            else ", ".join(f"{stack:g} ({share:.0%})" for stack, share in known.mixed[:12]),
        }
    return {"hand": one.hand, "seats": seats, "chart": _gain_chart(one, stakes, hand)}


def _gain_chart(one: Asked, stakes: Stakes, hand: int) -> str:
    """What playing gains over folding along the shipped stacks, both seats."""
    if not stakes.standard:
        return ""
    sweep, lines = shipped(one.game), {}
    near = np.flatnonzero(sweep.stacks <= REACH)
    for play, values, blind in zip(PLAYS.values(), (sweep.ev_jam, sweep.ev_call), (0.5, 1.0), strict=True):
        gains = values[near, hand] + np.minimum(sweep.stacks[near], blind)
        points = zip(sweep.stacks[near].tolist(), gains.tolist(), strict=True)
        lines[f"{play} over fold"] = [(stack, gain) for stack, gain in points if gain > WORST]
    title = f"{one.hand}: what playing gains"
    return line_chart(lines, title=title, x="stack in big blinds", y="big blinds", width=400, height=270)


@cache
def _ordered(seat: str) -> tuple[list[int], list[int]]:
    """Hold'em's hands in order of how long they are played, and those of them that have gaps."""
    sweep = shipped("holdem")
    often = sweep.played(seat)
    order = in_order(often)
    return order, [i for i in order if has_gap(sweep.stacks, often[:, i])]


def heat_maps(one: Asked, stakes: Stakes, listed: list[str]) -> dict[str, Any] | None:
    """Every stack at once, both seats; of Omaha the hands that are listed."""
    if not stakes.standard:
        return None
    sweep, maps, counted, shown = shipped(one.game), {}, {}, list[int]()
    for seat, play in PLAYS.items():
        often = sweep.played(seat)
        if one.game == "holdem":
            order, gaps = _ordered(seat)
            counted[seat] = len(gaps)
            shown = shown or gaps  # calls have no gaps: the hands whose jams have are shown beside them
            chosen = order if one.rows == "all" else gaps or shown
            if one.hand and parse_class("holdem", one.hand) not in chosen:
                chosen = [*chosen, parse_class("holdem", one.hand)]
        else:
            chosen = [parse_class(one.game, name) for name in listed[:40]]
            counted[seat] = sum(has_gap(sweep.stacks, often[:, i]) for i in chosen)
        names = [class_name(one.game, i) for i in chosen]
        title = f"{GAME_NAMES[one.game]}: at which stacks the {SEAT_NAMES[seat]} {play}s each hand"
        maps[seat] = heat_map(
            sweep.stacks,
            often[:, chosen],
            names,
            play=play,
            title=title,
            now=stakes.effective,
            chosen=one.hand,
            link=one.seated(seat),
        )
    return {"maps": maps, "gaps": counted}


def locked_view(one: Asked, stakes: Stakes) -> dict[str, Any] | None:
    """The best reply to a fixed range beside the equilibrium."""
    if not one.lock:
        return None
    from headsup.games.holdem.classes import class_table
    from headsup.jamfold.answer import solved
    from headsup.jamfold.locked import against_locked

    try:
        lock = read_lock(one.lock, one.game)
        with calculating():
            table = class_table(one.game)
            found = solved(table, stakes.payoffs)
            result = against_locked(table, found, one.me, lock)
    except UserError as error:
        return {"mistake": plain(str(error))}
    play = PLAYS[one.me]
    changed = np.flatnonzero(np.abs(result.best_response.strategy - result.equilibrium.strategy) > 0.5)
    both = {"the equilibrium": result.equilibrium, "the best reply": result.best_response}
    return {
        "result": result,
        "both": both,
        "charts": {name: frequency_cells(choice.strategy, play) for name, choice in both.items()}
        if one.game == "holdem"
        else {},
        "changed": len(changed),
        "names": [class_name(one.game, int(i)) for i in changed[:30]],
    }


def endgame_view(one: Asked, stakes: Stakes) -> dict[str, Any] | None:
    """The chance to win it all beside the share of the chips, for endgames that ship."""
    if not stakes.standard:
        return None
    stack = stakes.effective
    fitting = [chips for chips in CHIPS if chips > stack]
    if one.chips and one.chips not in map(str, CHIPS):
        raise UserError(f"the endgames that ship have {', '.join(map(str, CHIPS))} chips in all: choose one of them")
    if not fitting:
        return {"chips": one.chips, "choices": CHIPS, "told": None}
    chips = int(one.chips or 0)
    if chips not in fitting:  # none was chosen, or the stack has outgrown it
        chips = min(fitting, key=lambda total: abs(total - 2 * stack))
    rules = endgame(one.game, str(chips), blinds=STANDARD, ante="0", bb_ante="0", unit=None)
    mine = round(stack * 4)
    record = endgame_answer(rules)
    told = record.as_dict(mine)
    chart = _endgame_chart(one.game, chips)
    shorter = min(mine, rules.chips - mine) * float(rules.unit)  # of the chart for chips that it is compared with
    own = {"mine": mine * float(rules.unit), "shorter": None if shorter == stack else f"{shorter:g}"}
    return {"chips": str(chips), "choices": CHIPS, "told": told, "chart": chart, **own}


@lru_cache(maxsize=64)
def _endgame_chart(game: str, chips: int) -> str:
    """The chance to win above the share of the chips, for every stack."""
    rules = endgame(game, str(chips), blinds=STANDARD, ante="0", bb_ante="0", unit=None)
    record, unit = endgame_answer(rules), float(rules.unit)
    lines = {
        name: [(at * unit, 100 * (record.worth(at, on)[0] - at / rules.chips)) for at in range(1, rules.chips)]
        for name, on in (("on the button", True), ("averaged", None), ("in the big blind", False))
    }
    title = f"Chance to win above the share of {chips} chips"
    return line_chart(lines, title=title, x="my chips in big blinds", y="points", width=560, height=330)


@router.get("/jamfold/chart.{kind}")
def chart(kind: str, one: Annotated[Asked, Depends(asked)]) -> Response:
    """The chart as a file: svg, csv or txt."""
    check_kind(kind)
    found, stakes = found_for(one)
    name = f"jamfold-{one.game}-{stakes.effective:g}bb"
    if kind == "csv":
        return file(as_csv(found), KINDS[kind], f"{name}.csv")
    if kind == "txt":
        return file(as_text(found, stakes, one), KINDS[kind], f"{name}.txt")
    if one.game != "holdem":
        raise UserError("the 13 x 13 chart is of hold'em: take the list of Omaha hands as csv")
    title = f"Hold'em, {stakes.effective:g} bb: {SEAT_NAMES[one.seat]} {PLAYS[one.seat]}s ({BY[one.by].lower()})"
    proof = f"Best responders gain {facts(found, stakes)['gain']} mbb a game. {LEGENDS[one.by]}"
    return file(grid_svg(cells(found, one.seat, one.by), title, proof), KINDS[kind], f"{name}-{one.seat}.svg")


@router.get("/jamfold/hand.{kind}")
def hand_chart(kind: str, one: Annotated[Asked, Depends(asked)]) -> Response:
    """What playing a hand gains along the stacks, as a file."""
    stakes = one.stakes()
    drawn = _gain_chart(one, stakes, parse_class(one.game, one.hand)) if one.hand else ""
    return chart_file(drawn, kind, f"jamfold-{one.game}-{one.hand}")


@router.get("/jamfold/stacks.{kind}")
def stacks_chart(kind: str, one: Annotated[Asked, Depends(asked)]) -> Response:
    """At which stacks hands are played in a seat, as a file: a row for each hand that the page shows."""
    found, stakes = found_for(one)
    told = heat_maps(one, stakes, [] if one.game == "holdem" else [row.hand for row in _listed(one, found).rows])
    return chart_file(told["maps"][one.seat] if told else "", kind, f"stacks-{one.game}-{one.seat}")


@router.get("/jamfold/locked.{kind}")
def locked_chart(kind: str, one: Annotated[Asked, Depends(asked)], of: Text = "the best reply") -> Response:
    """The best reply to a fixed range, or the equilibrium beside it, as a file; both are in its numbers."""
    stakes = one.stakes()
    told = locked_view(one, stakes) or {}
    if "mistake" in told:
        raise UserError(told["mistake"])
    drawn = ""
    if told.get("charts"):
        cells_of = told["charts"][one_of(of, tuple(told["charts"]), "of")]
        title = f"Hold'em, {stakes.effective:g} bb: {of} {PLAYS[one.me]}s"
        fixed = f"The {SEAT_NAMES['bb' if one.me == 'sb' else 'sb']} plays {one.lock}"
        shares = (choice.strategy.tolist() for choice in told["both"].values())
        names = [cell.hand for cell in cells_of]
        rows = zip(names, *([share[parse_class(one.game, name)] for name in names] for share in shares), strict=True)
        drawn = Chart.of(grid_svg(cells_of, title, fixed[:90]), ("hand", *told["both"]), rows)
    return chart_file(drawn, kind, f"jamfold-{one.game}-{stakes.effective:g}bb-{of.split()[-1]}")


@router.get("/jamfold/endgame.{kind}")
def endgame_file(kind: str, one: Annotated[Asked, Depends(asked)]) -> Response:
    """The chance to win above the share of the chips, as a file."""
    told = endgame_view(one, one.stakes()) or {}
    return chart_file(told.get("chart", ""), kind, f"endgame-{one.game}-{told.get('chips', '')}")


def as_csv(found: Answer) -> str:
    """Every hand class: how often it is played in both seats, and what that is worth."""
    out = io.StringIO()
    columns = found.columns()
    if found.game != "holdem":
        columns["hand"] = np.array(omaha.labels())
    table = csv.writer(out, lineterminator="\n")
    table.writerow(columns)
    table.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))
    return out.getvalue()


def as_text(found: Answer, stakes: Stakes, one: Asked) -> str:
    """What the command line prints."""
    from headsup.cli.console import make_console
    from headsup.cli.jamfold_show import show as show_text

    out = io.StringIO()
    hand = parse_class(one.game, one.hand) if one.hand else None
    show_text(make_console(file=out, width=100, no_color=True), found, stakes, one.seat, hand)
    return out.getvalue()
