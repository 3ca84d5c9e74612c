"""What solving the river, the turn, or both at the table gains, without chance in hands and actions.

    python -m benchmarks.street_gain limit river --hands 1000 --seed 1 --out rivers.jsonl
    python -m benchmarks.street_gain nolimit turn --stack 100 --hands 1000 --seed 1 --out turns.jsonl
    python -m benchmarks.street_gain nolimit both --stack 100 --hands 1000 --seed 1 --out both.jsonl

The shipped strategy plays itself. Where a hand reaches the street, the rest of it is a game between the two ranges
that the actions imply, and what strategies and best responses earn there is exact. Only the cards on the board and the
actions before the street are left to chance; a hand that ends earlier counts 0. Three means over all hands and both
seats, in mbb/g:

    wins        what the re-solved street wins from the shipped strategy
    shipped     what an opponent wins from the shipped strategy who plays it before the street and a best response then
    re-solved   what the same opponent wins if the street is re-solved

The last two are lower bounds on an exploitability. From the turn on, the river is played as the turn's solution has
it. The betting is that of the solution; the shipped strategy translates bets that it does not have, as at the table.
With `both`, the turn is solved, and on the river that is dealt every line again, as at the table; bets of either player
are added to the betting. Only `wins` is printed, because a best response on the turn would know the river. Hands that
are already in the file are not played again.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np

from headsup.abstraction import build_buckets
from headsup.abstraction.bets.sizes import PASSIVE
from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError, plainly
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.cut import cut_tree
from headsup.games.betting.rules import DEAL, RIVER, TURN, State
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.vector import ArrayStrategy, VectorGame, holdem_game
from headsup.measure import measure
from headsup.play.agents import subgame
from headsup.play.agents.limit import RiverPlayer
from headsup.play.agents.resolving import BlueprintPlayer, ResolvingPlayer
from headsup.play.agents.subgame import Source, Subgame, child_after, rules_from, source_policy, threads, tree_with
from headsup.play.statistics.interval import fixed
from headsup.play.table.agent import make_agent
from headsup.play.table.real import free_of
from headsup.play.table.referee import Referee
from headsup.play.table.rules import (
    BOARD,
    CALLS,
    FOLDS,
    Action,
    PastAction,
    PlayerView,
    Table,
    apply,
    raise_to,
    states_before,
    table,
)
from headsup.solve import solve
from headsup.solve.holdem.resolve import resolve_street

STREETS = {"turn": TURN, "river": RIVER, "both": TURN}
NAMES = ("wins", "shipped", "re-solved")


Play = Callable[[PlayerView], Mapping[Action, Floats]]  # `range_probabilities` of a player


class MissingBetError(UserError):
    """A player bets what the betting lacks."""

    def __init__(self, line: str, total: int, raises: bool) -> None:
        named = f"raise {total}" if raises else f"bet {total}"
        super().__init__(f"after '{line}' the betting lacks '{named}': compare players in betting that has it")
        self.line = f"{line}, {named}" if line else named


class AtTable:
    """A player as a source in any betting that begins with a view: a blueprint translates, a re-solving one solves."""

    def __init__(self, play: Play, view: PlayerView, tree: BettingTree) -> None:
        self.play, self.table, self.tree = play, view.table, tree
        self.reached = {0: (view.state, view.steps)}

    def rows(self, node: int, board: tuple[int, ...]) -> Floats:
        (state, steps), first = self._reached(node), int(self.tree.child[node])
        rows = np.zeros((int(self.tree.count[node]), HOLDEM_COUNT))
        view = PlayerView.at(self.table, state, (), board, steps)
        for action, row in self.play(view).items():
            child = first if action == FOLDS else child_after(self.tree, node, bet_total(action))
            if child is None and not row.any():
                continue
            if child is None:
                raise MissingBetError(self.tree.line(node), action.amount, bool(self.table.betting.owed(state)))
            rows[child - first] += row
        return rows

    def several(self, nodes: Sequence[int], board: tuple[int, ...], hands: AnyArray) -> Iterator[Floats]:
        """Node by node."""
        yield from (self.rows(node, board)[:, hands] for node in nodes)

    def _reached(self, node: int) -> tuple[State, tuple[PastAction, ...]]:
        """The real state at a node, and the actions before it."""
        if node not in self.reached:
            above, kind = int(self.tree.parent[node]), int(self.tree.kind[node])
            state, steps = self._reached(above)
            if self.tree.player[above] == DEAL:
                self.reached[node] = self.table.betting.next_street(state), steps
            else:
                action = CALLS if kind in PASSIVE else raise_to(int(self.tree.amount[node]))
                step = PastAction(self.table.first_street + state.street, state.player, action)
                self.reached[node] = apply(self.table.betting, state, action), (*steps, step)
        return self.reached[node]


class AsPlayed:
    """A re-solved street as a source: hands that the solution leaves out play the blueprint, as at the table."""

    def __init__(self, rest: Subgame, blueprint: Source, nodes: AnyArray) -> None:
        self.rest, self.blueprint, self.nodes, self.tree = rest, blueprint, nodes, rest.tree

    def rows(self, node: int, board: tuple[int, ...]) -> Floats:
        known = self.rest.rows(node, board)
        return np.where(known.sum(axis=0) > 0.0, known, self.blueprint.rows(int(self.nodes[node]), board))

    def several(self, nodes: Sequence[int], board: tuple[int, ...], hands: AnyArray) -> Iterator[Floats]:
        """Node by node."""
        yield from (self.rows(node, board)[:, hands] for node in nodes)


def bet_total(action: Action) -> int:
    """The total of a bet; -1 for a check or call."""
    return action.amount if action.kind == "r" else -1


def shipped_source(agent: ResolvingPlayer, view: PlayerView, node: int, tree: BettingTree) -> tuple[Source, AnyArray]:
    """The shipped strategy for the betting of a solution, and its node for each of the solution's."""
    own, nodes = cut_tree(agent.game.betting, node)
    alike = (
        own.n_nodes == tree.n_nodes and np.array_equal(own.child, tree.child) and np.array_equal(own.kind, tree.kind)
    )
    if alike:
        return agent.blueprint, nodes
    return AtTable(partial(BlueprintPlayer.range_probabilities, agent), view, tree), np.arange(tree.n_nodes)


def gains(agent: ResolvingPlayer, view: PlayerView) -> Floats:
    """The three figures of one board and line into the street, in big blinds, as means over both seats."""
    street, board = agent.first, view.board
    node, reach, _ = agent._followed(view, agent.before(view))
    ranges = np.where(free_of(board), reach[0], 0.0), np.where(free_of(board), reach[1], 0.0)
    rests = [agent._at_first(view._replace(seat=seat))[0][0] for seat in (0, 1)]
    tree = rests[0].tree
    source, nodes = shipped_source(agent, view, node, tree)
    game = holdem_game("rest", tree, root=board, streets=(0, *(1 for _ in range(street, RIVER))), ranges=ranges)
    shipped = [source_policy(game, source, seat, nodes, street) for seat in (0, 1)]
    known, figures = measure(game, ArrayStrategy(game, (shipped[0], shipped[1])), threads=threads()), np.zeros(3)
    for seat, rest in enumerate(rests):
        own = source_policy(game, AsPlayed(rest, source, nodes), seat, np.arange(tree.n_nodes), street)
        policy = (own, shipped[1]) if seat == 0 else (shipped[0], own)
        resolved, other = measure(game, ArrayStrategy(game, policy), threads=threads()), 1 - seat
        won = resolved.values[seat] - known.values[seat]
        lost = (measured.best[other] - known.values[other] for measured in (known, resolved))
        figures += np.array([won, *lost]) / (2.0 * view.table.unit)
    return figures


def both_gain(agent: ResolvingPlayer, view: PlayerView, board: tuple[int, ...]) -> Floats:
    """What turn and river win on one board of five cards, in big blinds, as the mean over both seats."""
    _, reach, state = agent._followed(view, agent.before(view))
    turn, _, rest = agent.menus[TURN].partition(" | ")
    menu = " | ".join(
        [f"turn {turn}", f"river {agent.menus[RIVER]}", *(part for part in rest.split(" | ") if "add" in part)]
    )
    ranges = np.where(free_of(board), reach[0], 0.0), np.where(free_of(board), reach[1], 0.0)
    players = partial(BlueprintPlayer.range_probabilities, agent), agent.range_probabilities
    while True:
        tree, _ = tree_with(rules_from(view.table.betting, state), menu, ())
        game, nodes = holdem_game("rest", tree, root=board, streets=(0, 0), ranges=ranges), np.arange(tree.n_nodes)
        try:
            shipped, own = (
                [source_policy(game, AtTable(play, view, tree), seat, nodes, TURN) for seat in (0, 1)]
                for play in players
            )
        except MissingBetError as missing:
            menu += f" | + {missing.line}"
        else:
            break
    first, second = (
        measure(game, ArrayStrategy(game, policy), threads=threads()).values[0]
        for policy in ((own[0], shipped[1]), (shipped[0], own[1]))
    )
    return np.array([first - second]) / (2.0 * view.table.unit)


def reached(
    agent: ResolvingPlayer, there: Table, seed: int, first: int
) -> Iterator[tuple[PlayerView, tuple[int, ...]] | None]:
    """The view in which hand after hand of the shipped strategy begins the street, and the board of five cards; None
    if it ends before.
    """
    street, name = agent.first, "limit" if isinstance(agent, RiverPlayer) else "nolimit:blueprint"
    referee = Referee((make_agent(name, there), make_agent(name, there)), seed)
    referee.start(there)
    for number in count(first):
        record = referee.play(there, there.deal_number(seed, number), number, 0)
        steps, view = record.steps, None
        for i, (step, state) in enumerate(states_before(there, steps)):
            if step.street == street and view is None:
                view = PlayerView.at(there, state, (), record.deal.board[: BOARD[street]], steps[:i])
        yield None if view is None else (view, record.deal.board)


def resolver(there: Table, street: int) -> ResolvingPlayer:
    """The agent that re-solves from a street on."""
    agent = make_agent("limit:river" if there.name == "holdem-limit" else "nolimit:cpu", there)
    assert isinstance(agent, ResolvingPlayer)
    agent.first = street
    agent._opened = lambda done, view: ()  # type: ignore[method-assign]  # all bets that are compared are in the tree
    return agent


def hands(there: Table, street: str, seed: int, first: int) -> Iterator[Floats]:
    """The figures of hand after hand, in mbb."""
    if street == "both" and there.name == "holdem-limit":
        raise UserError("limit re-solves the river alone: choose river instead of both")
    agent = resolver(there, STREETS[street])
    for start in reached(agent, there, seed, first):
        if start is None:
            yield np.zeros(1 if street == "both" else 3)
        else:
            yield 1000.0 * (both_gain(agent, *start) if street == "both" else gains(agent, start[0]))


def seconds(there: Table, street: int, solutions: int) -> None:
    """How long a solution takes; the first one, which compiles, does not count."""
    agent, took = resolver(there, street), list[float]()
    for start in reached(agent, there, 1, 0):
        if len(took) > solutions:
            break
        if start is not None:
            began = time.process_time()
            (rest, _, _), _ = agent._at_first(start[0])
            took.append(time.process_time() - began)
    shown = f"{min(took[1:]):.2f} to {max(took[1:]):.2f} s of CPU time on {subgame.threads()} threads"
    print(f"{there.name}, street {street}: {rest.iterations} iterations take {shown}", flush=True)


def report(figures: Floats) -> None:
    """Means with 95 % intervals for a fixed number of hands."""
    print(f"{len(figures):,} hands, {np.mean(figures.any(axis=1)):.1%} reach the street; mbb/g, 95 % CI")
    named = list(zip(NAMES, figures.T, strict=False))
    if len(named) == len(NAMES):
        named.append(("difference", figures[:, 1] - figures[:, 2]))
    for name, values in named:
        interval = fixed(values)
        print(f"{name:10} {interval.mean:8.2f} ± {interval.half:6.2f}   standard deviation {values.std(ddof=1):7.1f}")


def deck(name: str, buckets: str, turns: Sequence[int], iterations: int = 60) -> None:
    """Exact exploitabilities on a reduced deck: in buckets, with turns re-solved, and with rivers re-solved."""
    game = named_game(name)
    assert isinstance(game, VectorGame)
    solution = solve(game, "cfr+", iterations=150, buckets=build_buckets(game, buckets), threads=1).finished()
    blueprint = ArrayStrategy.of(game, solution.in_game(game))
    print(f"{name}, {buckets}: {measure(game, blueprint).mbb:.1f} mbb/g", flush=True)
    for street, made in [*((TURN, made) for made in turns), (RIVER, iterations)]:
        resolved = measure(game, ArrayStrategy.of(game, resolve_street(game, blueprint, street, made)))
        where = "turn" if street == TURN else "river"
        print(f"  with the {where} re-solved, {made} iterations: {resolved.mbb:.1f}", flush=True)


def run(quick: bool) -> None:
    """A reduced deck, and some rivers with all cards."""
    for buckets in ("9-3-3-3:ehs",) if quick else ("9-3-3-3:ehs", "9-10-10-10:ehs"):
        deck(f"holdem-limit:ranks=3,suits={3 if quick else 4},raises=1", buckets, (10, 20, 60))
    limit = table("holdem-limit")
    for there in (limit, table("holdem-nolimit", 100.0)):
        for street in (RIVER, TURN):
            seconds(there, street, 2 if quick else 10)
    several = hands(limit, "river", 1, 0)
    report(np.array([next(several) for _ in range(5 if quick else 100)]))


def main() -> None:
    """The command line of the module."""
    parser = argparse.ArgumentParser(description="What solving a street at the table gains.")
    parser.add_argument("game", choices=("limit", "nolimit"))
    parser.add_argument("street", choices=STREETS)
    parser.add_argument("--stack", type=float, default=100.0, help="in big blinds, of nolimit")
    parser.add_argument("--hands", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--iterations", type=int, help="of a solution; by default as many as at the table")
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if args.iterations is not None:
        subgame.ITERATIONS = (args.iterations, args.iterations)
    there = table("holdem-limit") if args.game == "limit" else table("holdem-nolimit", args.stack)
    lines = args.out.read_text().splitlines() if args.out.exists() else []
    with open(args.out, "a") as file:
        several = hands(there, args.street, args.seed, len(lines))
        while len(lines) < args.hands:
            lines.append(json.dumps(np.round(next(several), 6).tolist()))
            print(lines[-1], file=file, flush=True)
    report(np.array([json.loads(line) for line in lines[: args.hands]]))


if __name__ == "__main__":
    plainly(main)
