"""Preflop: charts with play after the flop, decision by decision; a pot that reaches the flop opens in Study."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from headsup.cards.classes import holdem_class_name, holdem_class_sizes, parse_holdem_class
from headsup.common.errors import UserError
from headsup.common.plot import Chart
from headsup.games.betting.stakes import CHIPS, SEAT_NAMES, SEATS
from headsup.preflop.chart import STREETS, PreflopChart
from headsup.preflop.compare import PreflopComparison, compare_checked_down
from headsup.preflop.shipped import LEAST, MOST, nearest_of, shipped_preflop, shipped_stacks
from headsup.preflop.view import NEVER, PreflopView, node_after, reach_of
from headsup.web.answers import forever
from headsup.web.asking import calculating, one_of
from headsup.web.charts.grid import Bar, Cell, grid_svg, range_cells, side_by_side
from headsup.web.render import address, is_part, show, signed
from headsup.web.sending import chart_file
from headsup.web.study.walking import tones
from headsup.web.training import number

router = APIRouter()
BY = {"strategy": "Strategy", "value": "Value", "change": "Compared with checking down"}
LEGENDS = {
    "strategy": "Colours are actions. The height of a bar is how often the hand gets here. Grey hands never do.",
    "value": "Expected value in big blinds, counted from the deal: orange above zero and blue below. Grey hands never "
    "reach this decision.",
    "change": "The colour shows how much a hand loses here if it plays as in the game where every flop is checked "
    "down. A number is how often its action differs, in percent. Grey hands never reach this decision.",
}
FLOP = "Ks7d4d"
UNIT = 100  # chips in a big blind where a pot is studied, unless amounts are finer
STAMP = f"{time.time_ns():x}"  # changes with the server: views under it never change
Text = Annotated[str, Query(max_length=500)]


@dataclass(frozen=True)
class AskedChart:
    """A request of the page; every field is a query parameter."""

    stack: str
    line: str
    by: str
    hand: str

    def link(self, path: str = "/preflop", **changes: str) -> str:
        now = vars(self) | changes
        return address(path, **{key: value for key, value in now.items() if (key, value) != ("by", "strategy")})


def asked(
    stack: Text = "", line: Text = "", by: Text = "strategy", hand: Text = "", pick: Text = ""
) -> tuple[AskedChart, PreflopChart]:
    """The request of an address; `pick` is a click on the chart: seat and hand."""
    text = stack.strip() or f"{nearest_of(10, shipped_stacks())}"
    chart = shipped_preflop(number(text, "the stack"))
    hand = (pick.partition(":")[2] or hand).strip()
    name = holdem_class_name(parse_holdem_class(hand)) if hand else ""
    return AskedChart(text, fitting(chart, line), one_of(by, tuple(BY), "the view"), name), chart


def fitting(chart: PreflopChart, line: str) -> str:
    """The line as far as a chart has it: menus differ by stack."""
    betting, steps = chart.setting.betting, list[str]()
    for step in (word.strip() for word in line.split(",")):
        try:
            node_after(betting, ", ".join([*steps, step]), ended=True)
        except UserError:
            break
        steps.append(step)
    return ", ".join(steps)


Asked = Annotated[tuple[AskedChart, PreflopChart], Depends(asked)]


@router.get("/preflop")
def preflop(request: Request, given: Asked, line: Text = "", stamp: Text = "") -> Response:
    query, chart = given
    stacks = shipped_stacks()
    lines = {seat: [(text, query.link(line=text)) for who, text in chart.lines if who == seat] for seat in SEATS}
    context: dict[str, Any] = {
        "query": query,
        "chart": chart,
        "stacks": stacks,
        "least": f"{LEAST:g}",
        "most": f"{MOST:g}",
        "nearest": chart.stack != number(query.stack, "the stack"),
        "dropped": query.line != ", ".join(word.strip() for word in line.split(",")),
        "lines": lines,
        "seat_names": SEAT_NAMES,
        "steps": [(word, query.link(line=upto)) for word, upto in steps(query.line)],
        "by": BY,
        "legend": LEGENDS[query.by],
        "stamp": STAMP,
        "flop": FLOP,
        "unit": unit_of(chart),
        **place(query, chart),
    }
    page = show(request, "preflop", **context)
    if is_part(request) and stamp == STAMP:
        forever(page)
    return page


def steps(line: str) -> list[tuple[str, str]]:
    """The actions of a line, each with the line up to it."""
    words = [word.strip() for word in line.split(",") if word.strip()]
    return [(word, ", ".join(words[: at + 1])) for at, word in enumerate(words)]


def place(query: AskedChart, chart: PreflopChart) -> dict[str, Any]:
    """Where a line leads: a decision, a pot that is shown down or played on, or a fold."""
    betting = chart.setting.betting
    node = node_after(betting, query.line, ended=True)
    if chart.sees_flop(query.line):
        pot, behind = chart.pot(query.line)
        sizes = holdem_class_sizes()
        shares = [reach_of(betting, chart.probabilities, node, seat) / sizes for seat in (0, 1)]
        texts = chart.ranges(query.line)
        sides = [
            {"seat": seat, "text": text, "share": float(share @ sizes / sizes.sum()), "cells": range_cells(share)}
            for seat, text, share in zip(SEATS, texts, shares, strict=True)
        ]
        fields = study_fields(chart, query.line) if behind > 0.0 else None
        facts = {"kind": "flop", "pot": pot, "behind": behind, "sides": sides, "fields": fields}
        return facts | chart.arrival(query.line)
    if betting.player[node] not in (0, 1):
        return {"kind": "over"}
    view = chart.at(query.line)
    colours = tones(view.actions)
    after = [f"{query.line}, {action}" if query.line else action for action in map(_short, view.actions)]
    rows = zip(view.actions, view.totals.values(), colours, after, strict=True)
    return {
        "kind": "act",
        "player": view.player,
        "actions": [(action, share, tone, query.link(line=line)) for action, share, tone, line in rows],
        "reached": view.reached,
        "caution": view.caution,
        "value": float(np.nansum(np.where(view.weights > 0.0, view.weights * view.value, 0.0))),
        "cells": cells(chart, view, query.by),
        "compared": compared(chart.stack, query.line).summary() if query.by == "change" else None,
        "hand": hand_card(query, chart, view) if query.hand else None,
    }


def _short(action: str) -> str:
    """An action in a line: an all-in without its amount fits other stacks too."""
    return "all-in" if action.startswith("all-in") else action


@lru_cache(maxsize=64)
def compared(stack: float, line: str) -> PreflopComparison:
    """A decision of a shipped chart, and the same one where pots are checked down."""
    with calculating():
        return compare_checked_down(shipped_preflop(stack), line)


def change_cells(comparison: PreflopComparison) -> list[Cell]:
    """What each class loses by the checked-down answer, and how often it acts differently."""
    hands = {hand["hand"]: hand for hand in comparison.hands()}
    most = max((hand["cost_bb"] for hand in hands.values()), default=0.0) or 1.0
    made = []
    for name in map(holdem_class_name, range(169)):
        hand = hands.get(name)
        if hand is None:
            made.append(Cell(name, "", f"{name}: never reached", (), never=True))
            continue
        mixes = [[(row["name"], row[key], "") for row in hand["actions"]] for key in ("frequency", "other_frequency")]
        words = f"{name}: {_mix(mixes[0])}; checked down {_mix(mixes[1])}; loses {max(0.0, hand['cost_bb']):.3f} bb"
        bar = Bar("cost", strength=round(min(1.0, max(0.0, hand["cost_bb"]) / most) ** 0.5, 3))
        made.append(Cell(name, f"{100 * hand['change']:.0f}" if hand["change"] >= 0.005 else "", words, (bar,)))
    return made


def cells(chart: PreflopChart, view: PreflopView, by: str) -> list[Cell]:
    """The chart of a decision: actions side by side with the height of the reach, values, or costs of checking down."""
    if by == "change":
        return change_cells(compared(chart.stack, view.line))
    share, value, tone = view.reach / holdem_class_sizes(), view.value, tones(view.actions)
    here = (share > NEVER) & (view.weights > 0.0)
    most = float(np.abs(value[here]).max()) if here.any() else 1.0
    made = []
    for index in range(169):
        name = holdem_class_name(index)
        if not here[index]:
            made.append(Cell(name, "", f"{name}: never reached", (), never=True))
            continue
        mix = [(view.actions[i], float(view.frequencies[i, index]), tone[i]) for i in reversed(range(len(tone)))]
        actions = ", ".join(f"{action} {often:.0%}" for action, often, _ in mix if often > 0.0005)
        words = f"{name}: {actions}; reach {share[index]:.0%}, value {signed(value[index])} bb"
        if by == "strategy":
            height = round(100 * min(1.0, float(share[index])) ** 0.5, 1)  # the root keeps small reaches visible
            bars = side_by_side([(colour, often) for _, often, colour in mix], height)
            made.append(Cell(name, "", words, bars))
        else:
            level = float(value[index]) / (most or 1.0)
            bar = Bar("up" if level >= 0 else "down", strength=round(min(1.0, abs(level)) ** 0.5, 3))
            made.append(Cell(name, signed(value[index], 1), words, (bar,)))
    return made


def hand_card(query: AskedChart, chart: PreflopChart, view: PreflopView) -> dict[str, Any]:
    """One hand at a decision: each action with its frequency, its value and what it loses; and at other stacks."""
    table, index = view.table(query.hand), parse_holdem_class(query.hand)
    known = [action["ev_bb"] for action in table if action["ev_bb"] == action["ev_bb"]]
    best, colours = max(known, default=0.0), tones(view.actions)
    rows = [
        {**action, "tone": tone, "lost": best - action["ev_bb"] if action["ev_bb"] == action["ev_bb"] else None}
        for action, tone in zip(table, colours, strict=True)
    ]
    return {
        "name": query.hand,
        "rows": rows,
        "reach": float(view.reach[index] / holdem_class_sizes()[index]),
        "never": view.hand(query.hand)["never"],
        "stacks": [row for row in (at_stack(query, stack) for stack in shipped_stacks()) if row is not None],
    }


def at_stack(query: AskedChart, stack: int) -> dict[str, Any] | None:
    """The mix of a hand after the same line at another stack, where that has the line."""
    chart = shipped_preflop(stack)
    if fitting(chart, query.line) != query.line:
        return None
    view, index = chart.at(query.line), parse_holdem_class(query.hand)
    mix = list(zip(view.actions, view.frequencies[:, index].tolist(), tones(view.actions), strict=True))
    return {"stack": stack, "mix": mix, "link": query.link(stack=str(stack)), "words": _mix(mix)}


def _mix(mix: list[tuple[str, float, str]]) -> str:
    taken = sorted((action for action in mix if action[1] >= 0.005), key=lambda action: -action[1])
    return ", ".join(f"{_short(name)} {often:.0%}" for name, often, _ in taken)


def unit_of(chart: PreflopChart) -> int:
    """Chips in a big blind where a pot is studied; spots have whole chips."""
    step = CHIPS // UNIT
    return CHIPS if (chart.setting.betting.paid % step).any() else UNIT


def study_fields(chart: PreflopChart, line: str) -> dict[str, str]:
    """The fields of Study for the pot after a line: the big blind is out of position."""
    pot, behind = (round(unit_of(chart) * part) for part in chart.pot(line))
    sb, bb = chart.ranges(line)
    menus = {street: getattr(chart.setting, street) for street in STREETS}
    return {"oop": bb, "ip": sb, "pot": str(pot), "stack": str(behind), **menus}


@router.get("/preflop/chart.{kind}")
def chart_of(kind: str, given: Asked) -> Response:
    """The chart of a decision; the numbers have the frequency and the value of each action."""
    query, chart = given
    view = chart.at(query.line)
    title = f"{chart.stack:g} bb, {SEAT_NAMES[view.player]} {f'after {query.line}' if query.line else 'first to act'}"
    note = f"Exploitability {chart.exploitability_text}. {BY[query.by]}."
    heads = ("hand", *(f"{word} {action}" for word in ("frequency of", "value of") for action in view.actions))
    rows = [
        (holdem_class_name(index), *view.frequencies[:, index].tolist(), *view.ev[:, index].tolist())
        for index in range(169)
    ]
    drawn = Chart.of(grid_svg(cells(chart, view, query.by), title, note), heads, rows)
    name = re.sub("[^a-z0-9.]+", "-", f"preflop {chart.stack:g}bb {query.line or 'first'}")
    return chart_file(drawn, kind, name)
