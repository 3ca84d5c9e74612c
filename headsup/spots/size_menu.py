"""Bet menus as lists to choose from: which decisions share a list of sizes, and what is left with fewer of them.

A `SizeGroup` is one player's list on one street (bets, raises, further raises), or one decision. Leaving out sizes of
some groups removes those actions and all that follows them (`headsup.games.betting.cut`), and nothing else: every other
action of both players stays. So the strategies with fewer sizes are some of the strategies of the whole game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from headsup.common.arrays import AnyArray, Longs
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.cut import cut_tree
from headsup.games.betting.menu import Menu, parse_menu
from headsup.games.betting.rules import DEAL, Betting, Move, State
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import VectorGame
from headsup.spots.view import PLAYERS

LISTS = ("bets", "raises", "reraises")
DENSE = "10%, 15%, 20%, 25%, 33%, 40%, 50%, 60%, 75%, 90%, 100%, 125%, 150%, 175%, 200%, a"
DENSE_MENUS = {
    "river": {"river": f"{DENSE}; 10%, 20%, 33%, 50%, 75%, 100%, 125%, 150%, 200%, a; a"},
    "turn": {
        "turn": "10%, 33%, 66%, 100%, 200%, a; 50%, 100%, a; a",
        "river": "10%, 33%, 66%, 100%, 200%, a; a",
    },
    "flop": {
        "flop": "10%, 25%, 33%, 50%, 75%, 100%, 150%, 200%, a; 50%, 100%, a; a",
        "turn": "33%, 75%, 150%, a; a; none",
        "river": "33%, 75%, 150%, a; a; none",
    },
}
"""By the street on which a spot begins, the menus from which sizes are chosen if the caller gives none: as dense as two
cores, or one GPU for a flop, solve in a few minutes.
"""

Kept = tuple[tuple[int, ...], ...]
"""For each group, the numbers of the sizes that stay."""


@dataclass(frozen=True, eq=False)
class SizeGroup:
    """Decisions that share a list of sizes."""

    seat: int
    street: str
    number: int  # 0 for the first bet of a street, 1 for the first raise, ...
    line: str  # of the decision, where the group is a single one
    sizes: tuple[str, ...]  # as the menu writes them, ascending
    children: AnyArray  # [decisions, sizes] the nodes to which they lead
    places: tuple[float, ...]  # of each size, the logarithm of the bet over the pot, the mean of all decisions

    @property
    def kind(self) -> str:
        return LISTS[min(self.number, len(LISTS) - 1)]

    def gone(self, kept: Sequence[int]) -> AnyArray:
        """The nodes that are left out if only these sizes are kept; two sizes may lead to the same node."""
        return np.setdiff1d(self.children, self.children[:, list(kept)])


def size_groups(spot: Spot, per: str = "street") -> list[SizeGroup]:
    """The groups of a spot's menu, of both players, with more than one size; those `per` street or `per` node."""
    menu = _plain_menu(spot)
    tree, rules = spot.tree, spot.rules
    states = _states(tree)
    lists = menu.lists(rules)
    decisions: dict[tuple[int, int, int], list[int]] = {}
    for node, state in enumerate(states):
        if tree.player[node] < DEAL and _bets(tree, node):
            seat = int(tree.player[node])
            number = min(state.bets, len(lists[state.street][seat]) - 1)
            decisions.setdefault((state.street, seat, number), []).append(node)
    groups = []
    for (street, seat, number), nodes in sorted(decisions.items()):
        sizes = tuple(dict.fromkeys(size.text for size in lists[street][seat][number]))
        totals = [parse_menu(size if not number else f"none; {size}").amounts(rules) for size in sizes]
        rows = np.array([[_child(tree, node, total(states[node])[0]) for total in totals] for node in nodes])
        shares = np.log(
            [[_share(tree, rules, states[node], child) for child in row] for node, row in zip(nodes, rows, strict=True)]
        )
        order = np.argsort(shares.mean(axis=0), kind="stable")
        sizes, rows, shares = tuple(sizes[i] for i in order), rows[:, order], shares[:, order]
        name = rules.street_names[street]
        if per == "street":
            places = tuple(shares.mean(axis=0).tolist())
            groups.append(SizeGroup(seat, name, number, "", sizes, rows, places))
            continue
        for node, row, share in zip(nodes, rows, shares, strict=True):
            _, first = np.unique(row, return_index=True)
            own, places = tuple(sizes[i] for i in first), tuple(share[first].tolist())
            groups.append(SizeGroup(seat, name, number, tree.line(node), own, row[None, first], places))
    return [group for group in groups if len(np.unique(group.children)) > len(group.children)]


def restricted_game(game: VectorGame, groups: Sequence[SizeGroup], kept: Kept) -> tuple[VectorGame, Longs]:
    """The game with these sizes alone, and the numbers that its betting nodes have in the whole one."""
    tree, nodes = _cut(game.betting, groups, kept)
    return replace(game, betting=tree, text=None), nodes


def dense_spot(spot: Spot) -> Spot:
    """The spot with the dense menu for the street on which it begins instead of its own menu."""
    return _with_menu(spot, " | ".join(f"{street} {text}" for street, text in DENSE_MENUS[spot.streets[0]].items()))


def simple_spot(spot: Spot, groups: Sequence[SizeGroup], kept: Kept) -> Spot:
    """The spot whose menu has these sizes alone."""
    if any(group.line for group in groups):
        tree = _cut(spot.tree, groups, kept)[0]
        bets = [node for node in range(tree.n_nodes) if tree.kind[node] >= Move.BET]
        return _with_menu(spot, " | ".join(["none", *(f"+ {tree.line(node)}" for node in bets)]))
    menu = _plain_menu(spot)
    lists = [[[[size.text for size in row] for row in rows] for rows in seats] for seats in menu.lists(spot.rules)]
    for group, chosen in zip(groups, kept, strict=True):
        at = spot.rules.street_names.index(group.street)
        lists[at][group.seat][group.number] = [group.sizes[i] for i in chosen]
    clauses = []
    for street, seats in zip(spot.rules.street_names, lists, strict=True):
        texts = ["; ".join(", ".join(dict.fromkeys(row)) or "none" for row in rows) for rows in seats]
        if texts[0] == texts[1]:
            clauses.append(f"{street} {texts[0]}")
        else:
            clauses += [f"{street} {player} {text}" for player, text in zip(PLAYERS, texts, strict=True)]
    clauses += [f"{cap.street} cap {cap.bets}".strip() for cap in menu.caps]
    return _with_menu(spot, " | ".join(clauses))


def _with_menu(spot: Spot, menu: str) -> Spot:
    return spot.with_(bets="", raises="", flop="", turn="", river="", menu=menu)


def _cut(tree: BettingTree, groups: Sequence[SizeGroup], kept: Kept) -> tuple[BettingTree, Longs]:
    without = np.zeros(tree.n_nodes, dtype=bool)
    for group, chosen in zip(groups, kept, strict=True):
        without[group.gone(chosen)] = True
    return cut_tree(tree, 0, without)


def _plain_menu(spot: Spot) -> Menu:
    """The menu of a spot; a `UserError` if leaving out a size could change another one."""
    menu = parse_menu(spot.menu_text)
    if menu.lines or menu.add or menu.force or menu.merge or any(clause.donk for clause in menu.clauses):
        raise UserError("sizes are chosen from plain lists: leave donk, add, force, merge and lines out of the menu")
    if spot.variant:
        raise UserError("sizes are chosen in hold'em spots: leave the variant out")
    if spot.swaps:
        raise UserError("sizes are chosen in spots without swaps: leave swaps out")
    if spot.rake:
        raise UserError("the cost of fewer sizes is certified without a rake: leave the rake out")
    return menu


def _states(tree: BettingTree) -> list[State]:
    """The state of the betting at each node."""
    states = [tree.rules.root()] * tree.n_nodes
    for node in range(tree.n_nodes):
        first, count = int(tree.child[node]), int(tree.count[node])
        if tree.player[node] == DEAL and count:
            states[first] = tree.rules.next_street(states[node])
        elif count:
            bets = [int(tree.amount[c]) for c in _bets(tree, node)]
            for i, (_, _, after) in enumerate(tree.rules.moves(states[node], bets)):
                states[first + i] = after
    return states


def _share(tree: BettingTree, rules: Betting, state: State, child: int) -> float:
    """A bet or raise over the pot that a call would make."""
    last = state.paid[1 - state.player] - state.start[1 - state.player]
    return (int(tree.amount[child]) - last) / rules.pot_after_call(state)


def _bets(tree: BettingTree, node: int) -> list[int]:
    """The nodes to which the bets and raises of a decision lead."""
    below = tree.children(node)
    return [child for child in below if tree.kind[child] >= Move.BET]


def _child(tree: BettingTree, node: int, total: int) -> int:
    """The node to which a bet of this total leads."""
    return next(child for child in _bets(tree, node) if tree.amount[child] == total)
