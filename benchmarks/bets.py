"""What bets cost: few of them among many, some removed, and rounds that are solved apart; on reduced decks.

Prices are exploitabilities in the whole game, in mbb/g, of strategies that are solved to half a mbb/g in theirs. They
are the tables of docs/abstraction.md.

- `own` is what betting few sizes costs even a player who answers all of them perfectly: half of what the two seats
  lose in equilibria of games in which one of them has few sizes and the other all. What a translated strategy costs
  beyond it is the price of reading other bets as known ones. A menu with more sizes costs less of it, so it is found
  for the smallest ones alone.
- Removed actions: of both players, whose strategies read what they do not know; or each player's own alone, found in a
  game in which the other has all of them.
- Rounds: a hand cut before a street, as `headsup.solve.rounds` does it.
"""

from __future__ import annotations

import time
from typing import Any

from headsup.abstraction import Seats, Translated
from headsup.games import VectorGame, game
from headsup.games.holdem.vector import ArrayStrategy
from headsup.measure import measure
from headsup.solve import solve
from headsup.solve.rounds import solve_rounds

DECK = "holdem-nolimit:stack={stack},ranks={ranks},suits=2,streets={streets},menu={menu}"
MANY = "25%, 50%, 75%, 100%, 150%, 200%, a"
FEW = ("a", "100%, a", "50%, 100%, a", "50%, 100%, 200%, a", "50%, 75%, 100%, 150%, a")
FULL = "50%, 100%, a"
REMOVED: dict[str, tuple[str, ...]] = {  # for both; for player 0 alone and for player 1 alone
    "no limp": (f"{FULL} | - call", f"{FULL} | - call", FULL),
    "raises all-in": (f"{FULL}; a", f"{FULL} | p0 {FULL}; a", f"{FULL} | p1 {FULL}; a"),
    "no bet out of position": (f"{FULL} | flop oop none", FULL, f"{FULL} | flop p1 none; {FULL}"),
    "two bets a street": (f"{FULL} | cap 2",),
    "no bet of half the pot": ("100%, a", f"{FULL} | p0 100%, a", f"{FULL} | p1 100%, a"),
}
CAP = "cap 4"
TARGET = 1e-3  # chips: 0.5 mbb/g


def deck(menu: str, stack: int = 10, ranks: int = 5, streets: int = 2) -> VectorGame:
    """A game of a reduced deck."""
    made = game(DECK.format(stack=stack, ranks=ranks, streets=streets, menu=f"{CAP} | {menu}"))
    assert isinstance(made, VectorGame)
    return made


def solved(played: VectorGame) -> ArrayStrategy:
    """An equilibrium."""
    return ArrayStrategy(played, solve(played, "pcfr+", target=TARGET, threads=1).finished().strategy)


def prices(large: VectorGame, small: VectorGame, methods: tuple[str, ...] = ("nearest", "linear", "harmonic")) -> str:
    """What an equilibrium of a smaller game costs in a larger one, by way of translation."""
    strategy = solved(small)
    costs = [measure(large, ArrayStrategy.of(large, Translated(large, small, strategy, how))).mbb for how in methods]
    return "".join(f"{cost:10.1f}" for cost in costs)


def run(quick: bool) -> None:
    """Print the tables."""
    translation(5 if quick else 10)
    removed(5 if quick else 10)
    rounds(quick)


def translation(stack: int) -> None:
    """Menus of few sizes among many."""
    large = deck(MANY, stack)
    print(f"translation to {large}: mbb/g")
    print(f"{'menu':28}{'decisions':>10}{'own':>10}{'nearest':>10}{'linear':>10}{'harmonic':>10}")
    for menu in FEW:
        small = deck(menu, stack)
        own = f"{_own(menu, stack):10.1f}" if menu in FEW[:2] else 10 * " "
        print(f"{menu:28}{sum(small.betting.decisions()):10}{own}{prices(large, small)}", flush=True)


def _own(menu: str, stack: int) -> float:
    """What few sizes cost one who answers all of them perfectly."""
    games = [deck(f"{menu} | p{seat} {MANY}", stack) for seat in (1, 0)]
    few, many = (solve(played, "pcfr+", target=TARGET, threads=1, store="float64").finished().value for played in games)
    return 1000 * (many - few) / 2 / games[0].unit


def removed(stack: int) -> None:
    """Trees without some actions."""
    large = deck(FULL, stack)
    print(f"\nremoved from {large} ({sum(large.betting.decisions())} decisions): mbb/g")
    print(f"{'':28}{'decisions':>10}{'of both':>10}{'own':>10}")
    for name, menus in REMOVED.items():
        small = [deck(menu, stack) for menu in menus]
        count, own = sum(small[0].betting.decisions()), ""
        if len(small) > 1:
            first, second = (Translated(large, restricted, solved(restricted)) for restricted in small[1:])
            own = f"{measure(large, ArrayStrategy.of(large, Seats(large, first, second))).mbb:10.1f}"
        print(f"{name:28}{count:10}{prices(large, small[0], ('harmonic',))}{own}", flush=True)


def rounds(quick: bool) -> None:
    """Hands cut before a street."""
    print("\nindependent rounds: mbb/g")
    two = [(1, {"model": 2}), (1, {}), (1, {"floor": 0.001}), (1, {"floor": 0.1}), (1, {"twice": True})]
    three = [(1, {"model": 3}), (1, {}), (1, {"model": 1}), (2, {"model": 3}), (2, {})]
    rows: list[tuple[VectorGame, int, dict[str, Any]]] = [(deck(FULL, 5), street, more) for street, more in two]
    if not quick:
        rows += [(deck(FULL, 10), street, more) for street, more in two]
        rows += [(deck("100%, a", 5, 5, 3), street, more) for street, more in three]
    for whole, street, more in rows:
        began = time.perf_counter()
        solution = solve_rounds(whole, street, method="pcfr+", target=TARGET, threads=1, **more)
        took = time.perf_counter() - began
        print(f"{whole}, street {street}, {more}: {500 * solution.exploitability:.1f} in {took:.0f} s", flush=True)
