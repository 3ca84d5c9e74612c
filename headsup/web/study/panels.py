"""What Study shows beside the chart of a decision: facts of each action, the opponent's range, the equity graph."""

from typing import Any

import numpy as np

from headsup.cards.classes import holdem_class_of_combo, holdem_class_sizes
from headsup.common.arrays import AnyArray
from headsup.common.plot import line_chart
from headsup.spots.path import follow
from headsup.spots.view import PLAYERS, SpotView, ViewCache, possible_hands
from headsup.web.charts.grid import Cell, range_cells
from headsup.web.study.walking import Loaded, tones

PANELS = {"hands": "Hands", "ranges": "Both ranges", "graph": "Equity graph"}
POINTS = 101  # of each line of the equity graph


def chips(loaded: Loaded, view: SpotView) -> dict[str, int]:
    """The pot, what the player to act has behind, and what a call costs."""
    game = loaded.solved.game
    node = follow(game, loaded.solved.known.showdown.boards, view.line)[0]
    seat, paid = PLAYERS.index(view.player), game.betting.paid[node]
    left = game.betting.rules.stacks[seat] - int(paid[seat])
    return {"node": node, "pot": view.pot, "behind": left, "call": min(left, max(0, int(paid[1 - seat] - paid[seat])))}


def actions(loaded: Loaded, view: SpotView) -> list[dict[str, Any]]:
    """Each action: frequency, combos, mean value of the hands that take it, chips and pot odds."""
    betting, here, seat = loaded.solved.game.betting, chips(loaded, view), PLAYERS.index(view.player)
    words = [word.strip() for word in view.line.split(",") if word.strip()]
    rows = []
    for i, (action, tone) in enumerate(zip(view.actions, tones(view.actions), strict=True)):
        taken = view.weights * view.frequencies[i]
        known = taken > 0.0
        child = int(betting.child[here["node"]]) + i
        more = int(betting.paid[child, seat] - betting.paid[here["node"], seat])
        raised = more - here["call"]  # what the opponent has to add
        rows.append(
            {
                "name": action,
                "tone": tone,
                "line": ", ".join([*words, action]),
                "share": float(view.totals["frequencies"][i]),
                "combos": float((view.reach * view.frequencies[i]).sum()),
                "ev": float(taken[known] @ view.ev[i][known] / taken.sum()) if known.any() else None,
                "odds": _odds(action, view.pot, more, raised),
            }
        )
    return rows


def _odds(action: str, pot: int, more: int, raised: int) -> str:
    """Pot odds in words: the equity that a call needs."""
    if action.startswith("call"):
        return f"needs {more / (pot + more):.0%} equity"
    if raised > 0:
        needed = raised / (pot + more + raised)
        return f"{raised / (pot + more - raised):.0%} of the pot; a call needs {needed:.0%} equity"
    return ""


def opponent(view: SpotView) -> dict[str, Any]:
    """The range with which the opponent comes here, as a chart."""
    other = view.opponent
    reach = np.bincount(holdem_class_of_combo()[other.combos], other.reach, 169)
    cells: list[Cell] = range_cells(reach / holdem_class_sizes())
    return {"cells": cells, "combos": float(other.reach.sum()), "player": PLAYERS[1 - PLAYERS.index(view.player)]}


def equity_graph(known: ViewCache, line: str) -> str:
    """Both ranges sorted by equity: where a line is higher, that range is stronger."""
    return line_chart(
        equity_curves(known, line),
        title="Equity of both ranges",
        x="% of the range, weakest hands first",
        y="equity, %",
        width=560,
        height=380,
    )


def equity_curves(known: ViewCache, line: str) -> dict[str, list[tuple[float, float]]]:
    """By player: percent of the range, and the equity in percent of the hand that stands there."""
    game, showdown = known.game, known.showdown
    node, (path,) = follow(game, showdown.boards, line)
    seat, boards = int(game.betting.player[node]), path.boards
    reach, curves = known.inside(seat, boards).reach, {}
    for player, name in enumerate(PLAYERS):
        own, other = reach[player][node], reach[1 - player][node]
        met = showdown.lines(player, len(boards) - 1, boards[-1], other[None], 0)[1][0]
        with np.errstate(invalid="ignore", divide="ignore"):
            equity = known.won(player, boards, other, met) / met
        curves[name] = _sorted(equity, own * met)
    return curves


def _sorted(equity: AnyArray, weight: AnyArray) -> list[tuple[float, float]]:
    here = weight > 0.0
    order = np.argsort(equity[here])
    equity, weight = equity[here][order], weight[here][order]
    if not len(equity):
        return [(0.0, 0.0)]
    middle = (np.cumsum(weight) - weight / 2) / weight.sum()
    at = np.linspace(0.0, 1.0, POINTS)
    return [(100 * x, 100 * y) for x, y in zip(at.tolist(), np.interp(at, middle, equity).tolist(), strict=True)]


def locked_hands(loaded: Loaded, line: str) -> AnyArray:
    """[hands of the view] which are locked at a decision."""
    game, known = loaded.solved.game, loaded.solved.known
    node, (path,) = follow(game, known.showdown.boards, line)
    seat, street, board = int(game.betting.player[node]), len(path.boards) - 1, path.boards[-1]
    hands = game.showdown.sizes[seat]
    row = int(game.rounds.row[node]) + board * int(game.rounds.rows[seat, street])
    low = int(game.layout[seat][street]) + row * hands
    cells = loaded.solved.locks.cells[seat]
    first, last = np.searchsorted(cells, [low, low + hands])
    there = possible_hands(known.showdown, seat, known.showdown.alive(seat, street, board), path)[1]
    return np.isin(there, cells[first:last] - low)
