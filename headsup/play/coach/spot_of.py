"""A spot from a played hand: board, chips and bet sizes where a street began, and ranges as far as they are known.

Ranges are those of the shipped chart before the flop, if the hand is heads-up no-limit hold'em at 4 to 250 big blinds;
bets are read as the nearest of the chart. Of a larger table they are assumed from the positions of the two
players who are left. Otherwise both ranges are all hands. The reader sets them in the end.
The menu has one size and all-in for both players, and on each street the sizes that were bet in the hand.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING

from headsup.cards.cards import cards_name
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL, STREETS, Betting, State
from headsup.games.betting.stakes import CHIPS
from headsup.games.holdem.spot import Spot
from headsup.play.agents.subgame import rules_from
from headsup.play.table.rules import BOARD, Action, PastAction, Table, TableHand, apply

if TYPE_CHECKING:
    from headsup.preflop.chart import PreflopChart

BETS, RAISES = "75%, a", "a"
ALL_HANDS = "100%"
EVERYTHING = (ALL_HANDS, ALL_HANDS), "all hands: narrow them to what the players can have"
MOST_SIZES = 4  # for bets and for raises of a street


@dataclass(frozen=True)
class HandSpot:
    """A spot of a hand, and where its ranges are from."""

    spot: Spot
    street: str
    ranges: str  # in words
    seats: tuple[int, int]  # the seats of the hand out of position and in position


def spot_of(hand: TableHand, street: int | None = None, assumed: tuple[tuple[str, str], str] | None = None) -> HandSpot:
    """The spot where a street of a hand began, by default the first after the flop; UserError if there is none.

    `assumed` are the ranges of both seats, and their source in words, where nothing is known about them.
    """
    table = hand.table
    first = max(1, table.first_street) if street is None else street
    if table.cards != "holdem" or table.betting.kind != "no-limit" or table.draws:
        raise UserError(f"spots are no-limit hold'em, and this hand is {table.name}: choose another hand")
    if hand.street < first or len(hand.deal.board) < BOARD[first]:
        raise UserError(f"the hand ends before the {STREETS[first]}: choose one that sees it")
    state, steps = state_at(table, hand.steps, first)
    if any(paid >= stack for paid, stack in zip(state.paid, table.betting.stacks, strict=True)):
        raise UserError(f"a player is all-in before the {STREETS[first]}: nothing is left to decide")
    rest = rules_from(table.betting, state)
    oop = rest.first[0]
    ranges, source = _ranges(hand) or assumed or EVERYTHING
    spot = Spot(
        board=cards_name(hand.deal.board[: BOARD[first]]),
        oop=ranges[oop],
        ip=ranges[1 - oop],
        pot=rest.pot,
        stack=(rest.stacks[oop], rest.stacks[1 - oop]),
        bets=BETS,
        raises=RAISES,
        **_menus(rest, steps),
    )
    return HandSpot(spot, STREETS[first], source, (oop, 1 - oop))


def state_at(table: Table, steps: Iterable[PastAction], first: int) -> tuple[State, list[PastAction]]:
    """The state in which a street of a hand begins, and the actions from there on."""
    rules, state, rest = table.betting, table.root, list(steps)
    while rest and rest[0].street < first:
        state = apply(rules, rules.dealt(state), rest.pop(0).action)
    while state.player == DEAL and table.first_street + state.street < first:
        state = rules.next_street(state)
    return state, rest


def _menus(rules: Betting, steps: list[PastAction]) -> dict[str, str]:
    """By street, the menu with the sizes that were bet: shares of the pot that give exactly these chips."""
    bets: dict[str, tuple[list[str], list[str]]] = {}
    state = rules.root()
    for step in steps:
        state = rules.dealt(state)
        if step.action.kind == "r" and step.action.amount < rules.all_in(state):
            usual = BETS.split(", "), RAISES.split(", ")
            sizes = bets.setdefault(STREETS[step.street], usual)[state.bets > 0]
            size = _share(rules, state, step.action.amount)
            if size and size not in sizes and len(sizes) < MOST_SIZES:
                sizes.insert(0, size)
        state = apply(rules, state, step.action)
    return {street: "; ".join(", ".join(sizes) for sizes in both) for street, both in bets.items()}


def _share(rules: Betting, state: State, total: int) -> str:
    """A bet as the share of the pot with the fewest digits that gives its chips; empty if it has more than four."""
    last = max(state.paid[seat] - state.start[seat] for seat in (0, 1))
    pot, more = rules.pot_after_call(state), total - last
    for digits in range(5):
        share = round(100 * more / pot, digits)
        if int(pot * share / 100 + 0.5) == more:
            return f"{share:g}%"
    return ""


def _ranges(hand: TableHand) -> tuple[tuple[str, str], str] | None:
    """Range text of both seats at the flop, and where it is from; None if no chart knows."""
    table, rules = hand.table, hand.table.betting
    stack = min(rules.stacks) / table.unit
    usual = rules.first == (0, 1, 1, 1) and 2 * rules.blinds[0] == rules.blinds[1] == table.unit
    if not usual or any(rules.antes) or rules.pot or rules.jam_or_fold:
        return None
    chart = chart_for(stack)
    known = None if chart is None else chart_line(chart, hand.steps, table)
    if chart is None or known is None or not chart.sees_flop(known[0]):
        return None
    line, near = known[0], isclose(known[1], 1.0) and isclose(stack, chart.stack)
    source = f"the chart before the flop for {chart.stack:g} bb after {line}"
    return chart.ranges(line), source if near else f"{source}, the nearest to what was played"


def chart_for(stack: float) -> PreflopChart | None:
    """The chart of the nearest stack: an equilibrium, or with a deep stack one above a blueprint; else None."""
    from headsup.nolimit.shipped import has_blueprint, shipped_opening
    from headsup.preflop.shipped import LEAST, MOST, shipped_preflop

    if has_blueprint(stack):
        return shipped_opening(stack) or shipped_preflop(stack)
    return shipped_preflop(stack) if LEAST <= stack <= MOST else None


def chart_line(chart: PreflopChart, steps: Iterable[PastAction], table: Table) -> tuple[str, float] | None:
    """The actions before the flop as a line of a chart, and the largest ratio between a bet and the one as which it is
    read (1 if all are the same); None if it has no such line.
    """
    tree, node, words, most = chart.setting.betting, 0, list[str](), 1.0
    for step in steps:
        if step.street:
            break
        names = tree.actions(node) if tree.player[node] < DEAL else []
        name, off = chart_action(names, step.action, table)
        if name is None:
            return None
        words.append(name)
        most = max(most, off)
        node = int(tree.child[node]) + names.index(name)
    return _in_blinds(words), most


def chart_action(names: list[str], action: Action, table: Table) -> tuple[str | None, float]:
    """The action of a chart, in its chips, that is nearest to one of the hand, and the ratio between the two bets.

    All-in is all-in, also where the chart was made for another stack, and for the deeper of two stacks.
    """
    kind, amount = action
    if kind == "f":
        return "fold" if "fold" in names else None, 1.0
    if kind == "c":
        return next((name for name in names if name.split()[0] in ("call", "check")), None), 1.0
    sizes = {name: int(name.split()[-1]) for name in names if name.split()[-1].isdigit() and name.split()[0] != "call"}
    if not sizes:
        return None, 1.0
    most = min(table.betting.stacks)
    jam = next((name for name in sizes if name.startswith("all-in")), None)
    if amount >= most and jam is not None:
        return jam, 1.0
    chips = amount * CHIPS / table.unit
    best = min(sizes, key=lambda name: abs(sizes[name] - chips))
    return best, max(sizes[best] / chips, chips / sizes[best])


def _in_blinds(words: list[str]) -> str:
    from headsup.preflop.view import in_blinds

    return ", ".join(in_blinds(word) for word in words)
