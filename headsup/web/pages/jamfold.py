"""Jam or fold: both charts of a stack with their certificate, any hand, every stack, a fixed opponent, the endgame."""

import io
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from headsup.cards.games import GAME_NAMES, GAMES, check_game
from headsup.common.display import csv_text
from headsup.common.errors import UserError
from headsup.common.plot import Chart, line_chart
from headsup.endgame.rules import endgame
from headsup.endgame.shipped import CHIPS
from headsup.endgame.shipped import answer as endgame_answer
from headsup.games.betting.stakes import PLAYS, SEAT_NAMES, SEATS, Stakes, read_stakes
from headsup.jamfold.answer import CLOSE_BB, SOLVED, TRANSFERRED, JamFoldAnswer, answer, solved
from headsup.jamfold.hands import class_name, parse_class
from headsup.jamfold.ranges import strategy_range
from headsup.jamfold.shipped import shipped, stacks_played
from headsup.web.asking import STANDARD, calculating, one_of, plain, read_lock, short
from headsup.web.charts import omaha
from headsup.web.charts.grid import Cell, close_cells, frequency_cells, grid_svg, regret_cells, value_cells
from headsup.web.charts.heatmap import has_gap, heat_map, in_order
from headsup.web.render import address, part, show, signed
from headsup.web.sending import KINDS, Whole, chart_file, check_kind, file
from headsup.web.table.why import why_call, why_jam

router = APIRouter()
BY = {"frequency": "Frequency", "value": "Value", "regret": "Loss", "close": "Close decisions"}
LEGENDS = {
    "frequency": "The height of a bar is how often the hand is played. A number is the frequency of a mixed hand, in "
    "percent.",
    "value": "Expected value of playing the hand, in big blinds: orange if better than folding, blue if worse.",
    "regret": "How much the wrong choice loses, in big blinds.",
    "close": f"= marks hands whose two choices differ by at most {CLOSE_BB:g} bb, ≈ by at most 0.01 bb.",
}
ROWS = {"gaps": "hands with gaps", "all": "all hands"}
REACH = 25.0  # big blinds: the largest stack in the chart of one hand
WORST = -2.0  # big blinds: larger losses are not drawn, to keep close decisions visible
Text = Annotated[str, Query(max_length=20_000)]


@dataclass(frozen=True)
class Asked:
    """A request of the page; every field is a query parameter."""

    game: Text = "holdem"
    stack: Text = "10"
    by: Text = "frequency"
    seat: Text = "sb"
    hand: Text = ""
    blinds: Text = STANDARD
    ante: Text = "0"
    bb_ante: Text = "0"
    lock: Text = ""
    me: Text = "sb"  # the seat that plays against the locked range
    rows: Text = "gaps"
    chips: Text = ""
    search: Text = ""
    group: Text = ""
    sort: Text = "close"
    turned: bool = False

    def stakes(self) -> Stakes:
        return read_stakes(self.stack, self.blinds, self.ante, self.bb_ante, in_big_blinds=True)

    def words(self, **changes: object) -> dict[str, object]:
        usual, now = vars(Asked()), vars(self) | changes
        return {key: value for key, value in now.items() if value != usual.get(key)} | {"stack": now["stack"]}

    def link(self, path: str = "/jamfold", **changes: object) -> str:
        return address(path, **self.words(**changes))

    def seated(self, seat: str) -> Callable[[str], str]:
        before = self.link(hand="", seat=seat)  # it always has a word: the stack
        return lambda hand: f"{before}&hand={hand}"


def asked(given: Annotated[Asked, Depends()], pick: Text = "") -> Asked:
    """The request of an address; `pick` is a click on a chart: seat and hand."""
    check_game(given.game)
    one_of(given.by, tuple(BY), "the view")
    one_of(given.rows, tuple(ROWS), "rows")
    seat, _, hand = pick.partition(":") if pick else (given.seat, "", given.hand)
    return replace(
        given,
        stack=given.stack.strip(),
        hand=_hand(given.game, hand.strip(), picked=bool(pick)),
        seat=one_of(seat, SEATS, "seat"),
        blinds=given.blinds.strip() or STANDARD,
        ante=given.ante or "0",
        bb_ante=given.bb_ante or "0",
        lock=short(given.lock, "the locked range").strip(),
        me=one_of(given.me, SEATS, "me"),
    )


def _hand(game: str, text: str, picked: bool) -> str:
    """The class of a hand; a hand of another game is dropped."""
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


def solution_for(query: Asked) -> tuple[JamFoldAnswer, Stakes]:
    stakes = query.stakes()
    if stakes.standard and shipped(query.game).has(stakes.payoffs.stack):
        return answer(query.game, stakes), stakes
    with calculating():
        return answer(query.game, stakes), stakes


@router.get("/jamfold")
def jamfold(request: Request, query: Annotated[Asked, Depends(asked)]) -> Response:
    solution, stakes = solution_for(query)
    context: dict[str, Any] = {
        "one": query,
        "found": solution,
        "game_names": GAME_NAMES,
        "games": GAMES,
        "by": BY,
        "legend": LEGENDS[query.by],
        "seat_names": SEAT_NAMES,
        "plays": PLAYS,
        "facts": facts(solution, stakes),
        "card": hand_card(query, solution, stakes),
        "locked": locked_view(query, stakes),
        "rows": ROWS,
        "sorts": omaha.SORTS,
    }
    if query.game == "holdem":
        context["charts"] = {seat: cells(solution, seat, query.by) for seat in SEATS}
        context["ranges"] = {seat: str(strategy_range(solution.game, solution.played(seat))) for seat in SEATS}
    else:
        context["tree"] = omaha.tree(solution)
        context["listed"] = _listed(query, solution)
    context["maps"] = heat_maps(
        query, stakes, [row.hand for row in context["listed"].rows] if "listed" in context else []
    )
    context["endgame"] = endgame_view(query, stakes)
    page = show(request, "jamfold", **context)
    page.headers["hx-replace-url"] = query.link()
    if solution.source == TRANSFERRED or "mistake" in (context["locked"] or {}):
        page.headers["cache-control"] = "no-store"  # the matchup table, once built, changes the answer
    return page


@router.get("/jamfold/more")
def more(request: Request, query: Annotated[Asked, Depends(asked)], start: Whole = 0) -> Response:
    if query.game == "holdem":
        raise UserError("the list is for Omaha: choose omaha or omaha8")
    solution, _ = solution_for(query)
    return part(request, "jamfold_rows", one=query, listed=_listed(query, solution, start))


def _listed(query: Asked, solution: JamFoldAnswer, start: int = 0) -> omaha.Listed:
    return omaha.listed(
        solution, search=query.search, group=query.group, sort=query.sort, turned=query.turned, start=start
    )


def cells(solution: JamFoldAnswer, seat: str, by: str) -> list[Cell]:
    if by == "frequency":
        return frequency_cells(solution.played(seat), PLAYS[seat])
    make = {"value": value_cells, "regret": regret_cells, "close": close_cells}[by]
    return make(solution.ev(seat), solution.ev_fold(seat), PLAYS[seat])


def facts(solution: JamFoldAnswer, stakes: Stakes) -> dict[str, str]:
    gain = solution.exploitability_mbb
    shown = {
        "jams": f"{solution.jam_frequency:.2%}",
        "calls": f"{solution.call_frequency:.2%}",
        "value": signed(solution.value_sb, 4),
        "gain": "< 1e-9" if gain < 1e-9 else f"{gain:.1e}",
        "how": "chart solved now" if solution.source == SOLVED else "precomputed chart",
        "stack": f"{stakes.effective:g}",
    }
    if solution.from_stacks is not None:
        shown["jams_of"], shown["calls_of"] = (f"{stack:g}" for stack in solution.from_stacks)
    return shown


def hand_card(query: Asked, solution: JamFoldAnswer, stakes: Stakes) -> dict[str, Any] | None:
    """One hand in both seats: decision, expected values, why, and along the stacks."""
    if not query.hand:
        return None
    hand = parse_class(query.game, query.hand)
    decimals = 4 if query.game == "holdem" or solution.source == SOLVED else 3
    seats = {}
    for (seat, play), why in zip(PLAYS.items(), (why_jam, why_call), strict=True):
        often, ev, fold = (float(solution.played(seat)[hand]), float(solution.ev(seat)[hand]), solution.ev_fold(seat))
        known = stacks_played(query.game, stakes, seat, hand)
        seats[seat] = {
            "decision": play if often == 1 else "fold" if often == 0 else f"{play} {often:.1%} of the time",
            "tone": play if often >= 0.5 else "fold",
            "play": signed(ev, decimals) if ev == ev else "none",
            "fold": signed(fold, decimals),
            "gain": signed(ev - fold, decimals) if ev == ev else "none",
            "close": solution.close(seat, hand),
            "why": why(solution, hand),
            "at": None
            if known is None
            else ", ".join(f"{low:g}" if low == high else f"{low:g} to {high:g}" for low, high in known.at),
            "mixed": ""
            if known is None
            else ", ".join(f"{stack:g} bb ({share:.0%})" for stack, share in known.mixed[:12]),
        }
    return {"hand": query.hand, "seats": seats, "chart": _gain_chart(query, stakes, hand)}


def _gain_chart(query: Asked, stakes: Stakes, hand: int) -> str:
    if not stakes.standard:
        return ""
    sweep, lines = shipped(query.game), {}
    near = np.flatnonzero(sweep.stacks <= REACH)
    for play, values, blind in zip(PLAYS.values(), (sweep.ev_jam, sweep.ev_call), (0.5, 1.0), strict=True):
        gains = values[near, hand] + np.minimum(sweep.stacks[near], blind)
        points = zip(sweep.stacks[near].tolist(), gains.tolist(), strict=True)
        lines[f"{play} minus fold"] = [(stack, gain) for stack, gain in points if gain > WORST]
    title = f"{query.hand}: gain over folding"
    return line_chart(lines, title=title, x="stack in big blinds", y="big blinds", width=400, height=270)


@cache
def _ordered(seat: str) -> tuple[list[int], list[int]]:
    """Hold'em hands, most often played first, and those with gaps."""
    sweep = shipped("holdem")
    often = sweep.played(seat)
    order = in_order(often)
    return order, [i for i in order if has_gap(sweep.stacks, often[:, i])]


def heat_maps(query: Asked, stakes: Stakes, listed: list[str]) -> dict[str, Any] | None:
    """Both seats at every stack; for Omaha the listed hands."""
    if not stakes.standard:
        return None
    sweep, maps, counted, shown = shipped(query.game), {}, {}, list[int]()
    for seat, play in PLAYS.items():
        often = sweep.played(seat)
        if query.game == "holdem":
            order, gaps = _ordered(seat)
            counted[seat] = len(gaps)
            shown = shown or gaps  # calls have no gaps: the hands whose jams have are shown beside them
            chosen = order if query.rows == "all" else gaps or shown
            if query.hand and parse_class("holdem", query.hand) not in chosen:
                chosen = [*chosen, parse_class("holdem", query.hand)]
        else:
            chosen = [parse_class(query.game, name) for name in listed[:40]]
            counted[seat] = sum(has_gap(sweep.stacks, often[:, i]) for i in chosen)
        names = [class_name(query.game, i) for i in chosen]
        title = f"{GAME_NAMES[query.game]}: at which stacks the {SEAT_NAMES[seat]} {play}s each hand"
        maps[seat] = heat_map(
            sweep.stacks,
            often[:, chosen],
            names,
            play=play,
            title=title,
            now=stakes.effective,
            chosen=query.hand,
            link=query.seated(seat),
        )
    return {"maps": maps, "gaps": counted}


def locked_view(query: Asked, stakes: Stakes) -> dict[str, Any] | None:
    if not query.lock:
        return None
    from headsup.games.holdem.classes import class_table
    from headsup.jamfold.locked import against_locked

    try:
        lock = read_lock(query.lock, query.game)
        with calculating():
            table = class_table(query.game)
            solution = solved(table, stakes.payoffs)
            result = against_locked(table, solution, query.me, lock)
    except UserError as error:
        return {"mistake": plain(str(error))}
    play = PLAYS[query.me]
    changed = np.flatnonzero(np.abs(result.best_response.strategy - result.equilibrium.strategy) > 0.5)
    both = {"the equilibrium": result.equilibrium, "the best response": result.best_response}
    return {
        "result": result,
        "both": both,
        "charts": {name: frequency_cells(choice.strategy, play) for name, choice in both.items()}
        if query.game == "holdem"
        else {},
        "changed": len(changed),
        "names": [class_name(query.game, int(i)) for i in changed[:30]],
    }


def endgame_view(query: Asked, stakes: Stakes) -> dict[str, Any] | None:
    """The probability of winning a shipped endgame."""
    if not stakes.standard:
        return None
    stack = stakes.effective
    fitting = [chips for chips in CHIPS if chips > stack]
    if query.chips and query.chips not in map(str, CHIPS):
        raise UserError(f"endgames are precomputed for {', '.join(map(str, CHIPS))} chips: choose one of them")
    if not fitting:
        return {"chips": query.chips, "choices": CHIPS, "told": None}
    chips = int(query.chips or 0)
    if chips not in fitting:  # none was chosen, or the stack has outgrown it
        chips = min(fitting, key=lambda total: abs(total - 2 * stack))
    rules = endgame(query.game, str(chips), blinds=STANDARD, ante="0", bb_ante="0", unit=None)
    mine = round(stack * 4)
    record = endgame_answer(rules)
    figures = record.as_dict(mine)
    chart = _endgame_chart(query.game, chips)
    shorter = min(mine, rules.chips - mine) * float(rules.unit)  # of the chart for chips that it is compared with
    own = {"mine": mine * float(rules.unit), "shorter": None if shorter == stack else f"{shorter:g}"}
    return {"chips": str(chips), "choices": CHIPS, "told": figures, "chart": chart, **own}


@lru_cache(maxsize=64)
def _endgame_chart(game: str, chips: int) -> str:
    rules = endgame(game, str(chips), blinds=STANDARD, ante="0", bb_ante="0", unit=None)
    record, unit = endgame_answer(rules), float(rules.unit)
    lines = {
        name: [(at * unit, 100 * (record.worth(at, on)[0] - at / rules.chips)) for at in range(1, rules.chips)]
        for name, on in (("on the button", True), ("average of both seats", None), ("in the big blind", False))
    }
    title = f"Probability of winning minus fraction of the {chips} chips"
    return line_chart(lines, title=title, x="my chips in big blinds", y="percentage points", width=560, height=330)


@router.get("/jamfold/chart.{kind}")
def chart(kind: str, query: Annotated[Asked, Depends(asked)]) -> Response:
    check_kind(kind)
    solution, stakes = solution_for(query)
    name = f"jamfold-{query.game}-{stakes.effective:g}bb"
    if kind == "csv":
        return file(as_csv(solution), KINDS[kind], f"{name}.csv")
    if kind == "txt":
        return file(as_text(solution, stakes, query), KINDS[kind], f"{name}.txt")
    if query.game != "holdem":
        raise UserError("the 13 x 13 chart is for hold'em: download the list of Omaha hands as csv")
    title = f"Hold'em, {stakes.effective:g} bb: {SEAT_NAMES[query.seat]} {PLAYS[query.seat]}s ({BY[query.by].lower()})"
    proof = f"Exploitability {facts(solution, stakes)['gain']} mbb/g. {LEGENDS[query.by]}"
    return file(grid_svg(cells(solution, query.seat, query.by), title, proof), KINDS[kind], f"{name}-{query.seat}.svg")


@router.get("/jamfold/hand.{kind}")
def hand_chart(kind: str, query: Annotated[Asked, Depends(asked)]) -> Response:
    stakes = query.stakes()
    drawn = _gain_chart(query, stakes, parse_class(query.game, query.hand)) if query.hand else ""
    return chart_file(drawn, kind, f"jamfold-{query.game}-{query.hand}")


@router.get("/jamfold/stacks.{kind}")
def stacks_chart(kind: str, query: Annotated[Asked, Depends(asked)]) -> Response:
    solution, stakes = solution_for(query)
    maps = heat_maps(
        query, stakes, [] if query.game == "holdem" else [row.hand for row in _listed(query, solution).rows]
    )
    return chart_file(maps["maps"][query.seat] if maps else "", kind, f"stacks-{query.game}-{query.seat}")


@router.get("/jamfold/locked.{kind}")
def locked_chart(kind: str, query: Annotated[Asked, Depends(asked)], of: Text = "the best response") -> Response:
    """The best response to a fixed range, or the equilibrium; the numbers have both."""
    stakes = query.stakes()
    view = locked_view(query, stakes) or {}
    if "mistake" in view:
        raise UserError(view["mistake"])
    drawn = ""
    if view.get("charts"):
        cells_of = view["charts"][one_of(of, tuple(view["charts"]), "of")]
        title = f"Hold'em, {stakes.effective:g} bb: {of} {PLAYS[query.me]}s"
        fixed = f"The {SEAT_NAMES['bb' if query.me == 'sb' else 'sb']} plays {query.lock}"
        shares = (choice.strategy.tolist() for choice in view["both"].values())
        names = [cell.hand for cell in cells_of]
        rows = zip(names, *([share[parse_class(query.game, name)] for name in names] for share in shares), strict=True)
        drawn = Chart.of(grid_svg(cells_of, title, fixed[:90]), ("hand", *view["both"]), rows)
    return chart_file(drawn, kind, f"jamfold-{query.game}-{stakes.effective:g}bb-{of.split()[-1]}")


@router.get("/jamfold/endgame.{kind}")
def endgame_file(kind: str, query: Annotated[Asked, Depends(asked)]) -> Response:
    view = endgame_view(query, query.stakes()) or {}
    return chart_file(view.get("chart", ""), kind, f"endgame-{query.game}-{view.get('chips', '')}")


def as_csv(solution: JamFoldAnswer) -> str:
    columns = solution.columns()
    if solution.game != "holdem":
        columns["hand"] = np.array(omaha.labels())
    return csv_text([columns, *zip(*(column.tolist() for column in columns.values()), strict=True)])


def as_text(solution: JamFoldAnswer, stakes: Stakes, query: Asked) -> str:
    from headsup.cli.console import make_console
    from headsup.cli.jamfold_show import show as show_text

    out = io.StringIO()
    hand = parse_class(query.game, query.hand) if query.hand else None
    show_text(make_console(file=out, width=100, no_color=True), solution, stakes, query.seat, hand)
    return out.getvalue()
