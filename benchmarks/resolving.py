"""What re-solving the rest of a hand saves, what each simplification of a no-limit player costs alone, and how long
an answer at the table takes.

Prices are exploitabilities in mbb/g, on ten cards in two suits with the flop as last street. They are the tables of
docs/nolimit.md. The price of re-solving needs a solution of every line on every flop, for both seats.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.bets import MANY, deck
from headsup.abstraction import Translated, build_buckets
from headsup.abstraction.bets.translation import forgetful
from headsup.common.errors import UserError
from headsup.games import VectorGame
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import ArrayStrategy
from headsup.measure import measure
from headsup.play.agents.resolving import ResolvingPlayer
from headsup.play.agents.subgame import LEAST, Subgame, iterations_for
from headsup.play.table.agent import PATIENCE, make_agent
from headsup.play.table.referee import Referee
from headsup.play.table.rules import PlayerView, table
from headsup.solve import solve
from headsup.solve.holdem.resolve import resolve_street
from headsup.solve.rounds import solve_rounds

HOW: tuple[tuple[str, dict[str, object]], ...] = (
    ("ranges alone", {"safe": False}),
    ("gadget", {}),
    ("gadget, trust 0.1", {"trust": 0.1}),
    ("gadget, trust 0.3", {"trust": 0.3}),
    ("gadget, trust 0.6", {"trust": 0.6}),
    ("gadget, trust 0.8", {"trust": 0.8}),
    ("gadget, trust 0.6, likely hands", {"trust": 0.6, "least": LEAST}),
)
MENUS = ("a", "100%, a", "50%, 100%, 200%, a")
BUCKETS = ("4-4:width", "4-4:ehs", "15-30:ehs", "*")
GAME = "50%, 100%, 200%, a"


def in_buckets(game: VectorGame, text: str, iterations: int = 200) -> BucketStrategy:
    """A blueprint."""
    buckets = build_buckets(game, text)
    blueprint = solve(game, "cfr+", iterations=iterations, buckets=buckets, threads=1).finished().in_game(game)
    assert isinstance(blueprint, BucketStrategy)
    return blueprint


def resolving(quick: bool) -> None:
    """Blueprints before and after their flop is solved again."""
    game = deck("50%, 100%, a; a", stack=6, ranks=4 if quick else 5)
    for text in ("5-3:ehs", "4-4:width"):
        blueprint = ArrayStrategy.of(game, in_buckets(game, text))
        print(f"re-solving, {text}: blueprint {measure(game, blueprint).mbb:.1f} mbb/g", flush=True)
        for iterations in (30, 100):
            for name, how in HOW:
                resolved = ArrayStrategy.of(game, resolve_street(game, blueprint, 1, iterations, **how))
                print(f"  {iterations:4} iterations  {name:20} {measure(game, resolved).mbb:8.1f}", flush=True)


def each_alone(quick: bool) -> None:
    """Four buckets, independent rounds and translation, one at a time."""
    ranks = 4 if quick else 5
    game, many = deck(GAME, ranks=ranks), deck(MANY, ranks=ranks)
    exact = in_buckets(game, "*")
    print(f"nothing simplified but 200 iterations {measure(game, exact).mbb:8.1f} mbb/g", flush=True)
    for text in BUCKETS[:3]:
        print(f"buckets {text:20} {measure(game, in_buckets(game, text)).mbb:8.1f}", flush=True)
    rounds = solve_rounds(game, 1, model=2, iterations=200)
    print(f"independent rounds, head of an equilibrium {1000 * rounds.exploitability / game.unit:8.1f}", flush=True)
    rounds = solve_rounds(game, 1, iterations=200)
    print(
        f"independent rounds, head without bets on the flop {1000 * rounds.exploitability / game.unit:8.1f}", flush=True
    )
    price = measure(many, ArrayStrategy.of(many, Translated(many, game, exact, "harmonic"))).mbb
    print(f"translation from {GAME} {price:8.1f}", flush=True)


def frontier(quick: bool) -> None:
    """Buckets x sizes x price in a game of many bets, others' bets read by the harmonic rule."""
    ranks = 4 if quick else 5
    many = deck(MANY, ranks=ranks)
    for menu in MENUS:
        game = deck(menu, ranks=ranks)
        for text in BUCKETS:
            blueprint = in_buckets(game, text)
            price = measure(many, ArrayStrategy.of(many, Translated(many, game, blueprint, "harmonic"))).mbb
            forgot = measure(many, forgetful(many, blueprint)).mbb
            inside = measure(game, blueprint).mbb
            print(f"{menu:22} {text:12} inside {inside:8.1f} outside {price:8.1f} forgetful {forgot:8.1f}", flush=True)


def answers(quick: bool) -> None:
    """Seconds that the agent takes for an answer to a person, by street, and how many solutions it cut short."""
    there = table("holdem-nolimit", 20)
    try:
        agent, other = make_agent("nolimit", there), make_agent("random", there)
    except UserError as error:
        print(error)
        return
    assert isinstance(agent, ResolvingPlayer)
    agent.seconds = PATIENCE
    began = time.perf_counter()
    agent.start(there)
    print(f"ready after {time.perf_counter() - began:.1f} s; a move may take {PATIENCE:g} s")
    took: dict[int, list[tuple[float, float]]] = {}
    made: list[tuple[int, int]] = []
    act, solved = agent.act, agent._solved

    def counted(key: Any, solve: Callable[[], Subgame]) -> Subgame:
        def noted() -> Subgame:
            solution = solve()
            made.append((solution.iterations, iterations_for(solution.game)))
            return solution

        return solved(key, noted)

    def timed(view: PlayerView) -> object:
        began, used = time.perf_counter(), time.process_time()
        action = act(view)
        took.setdefault(view.street, []).append((time.perf_counter() - began, time.process_time() - used))
        return action

    agent.act, agent._solved = timed, counted  # type: ignore[method-assign, assignment]
    referee, hands = Referee((agent, other), seed=1), 20 if quick else 200
    for n in range(hands):
        referee.play(there, there.deal_number(1, n), number=n, dealer=n % 2)
    print(f"{hands} hands; seconds on the wall, and of the processor")
    for street, name in enumerate(("preflop", "flop", "turn", "river")):
        if street in took:
            wall, used = np.array(took[street]).T
            print(
                f"{name:8} {len(wall):4} answers, mean {wall.mean():.3f} and {used.mean():.3f} s, "
                f"longest {wall.max():.3f} and {used.max():.3f} s",
                flush=True,
            )
    short = [done / planned for done, planned in made if done < planned]
    least = f", the shortest after {min(short):.0%} of its iterations" if short else ""
    print(f"{len(made)} solutions, {len(short)} cut short{least}", flush=True)


def run(quick: bool) -> None:
    """All of it."""
    resolving(quick)
    each_alone(quick)
    frontier(quick)
    answers(quick)
