"""What solving a flop depth-limited saves: exact exploitability of flops of 15 and 18 cards, turn and river re-solved.

It also prints how long a first answer takes with all cards. The tables are in docs/nolimit.md. Blueprints have few
buckets; the flop is the blueprint's, or solved depth-limited for each seat (`headsup.nolimit.leaves`).

    python -m benchmarks.limited_flop --stack 100 --flops 12

compares the blueprint's flop with one solved as at the table, in the blueprint's bets and with all cards and run-outs:
what a best response wins that chooses among the continuations, and what an opponent loses who follows the blueprint.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from headsup.abstraction import build_buckets
from headsup.abstraction.bets.translation import Seats
from headsup.cards import parse_cards
from headsup.cards.cards import card_name
from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import whole
from headsup.common.errors import UserError, plainly
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.cut import decisions_below, street_tree
from headsup.games.betting.rules import DEAL, FLOP, Betting
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.layout import CLOSE, OPEN, Rule
from headsup.games.holdem.vector import ArrayStrategy, Place, Strategy, VectorGame, holdem_game
from headsup.games.walk.piecewalk import PieceWalker
from headsup.games.walk.walk import BEST, MIX, check_kernels
from headsup.measure import measure
from headsup.nolimit.flop import SETTINGS, solve_flop
from headsup.nolimit.leaves import Leaf, LeafMemory, LeafValues, RunOuts, run_outs
from headsup.nolimit.shipped import DEEP_MENUS
from headsup.play.agents.resolving import LIMITED_ITERATIONS, ResolvingPlayer
from headsup.play.agents.subgame import ITERATIONS as TURN_ITERATIONS
from headsup.play.agents.subgame import LEAST, TRUST, OnRealCards, SubgameTask, source_policy, tree_with
from headsup.play.table.agent import make_agent
from headsup.play.table.rules import CALLS, Action, PastAction, PlayerView, Table, apply, table
from headsup.solve import solve
from headsup.solve.holdem.resolve import resolve_street
from headsup.solve.records.settings import PRESETS

POT, STACK, MENU = 4, 12, "100%, a; a"


class SmallFlop:
    """A flop of a small deck with three suits, and a blueprint for it in buckets."""

    def __init__(self, flop: str, buckets: str, ranks: int = 6) -> None:
        self.cards, self.deck = tuple(parse_cards(flop)), {"ranks": ranks, "suits": 3}
        tree = betting_tree(Betting(first=(1, 1, 1), stacks=(STACK, STACK), pot=POT, min_bet=1), MENU)
        self.game = self._holdem(tree, streets=(0, 1, 1))
        record = solve(self.game, "cfr+", iterations=100, buckets=build_buckets(self.game, buckets), threads=1)
        blueprint = record.in_game(self.game)
        assert isinstance(blueprint, BucketStrategy)
        self.blueprint = blueprint

    def _holdem(self, betting: Any, **more: Any) -> VectorGame:
        return holdem_game(f"{3 * self.deck['ranks']} cards", betting, root=self.cards, **self.deck, **more)

    def run_outs(self, every: bool) -> RunOuts:
        dealt = np.zeros(HOLDEM_COUNT, dtype=bool)
        dealt[self.game.showdown.hands[0]] = True  # type: ignore[attr-defined]
        return run_outs(self.cards, dealt, OnRealCards(self.game, self.blueprint).buckets, None if every else 2)

    def limited(self, ranges: Sequence[Floats], seat: int, outs: RunOuts) -> tuple[VectorGame, LeafValues]:
        """The betting of the flop as a game, and the values of its leaves."""
        tree, leaves = self.game.betting, []
        betting, acted = street_tree(tree, 0, range(1), streets=1), decisions_below(tree)
        for node in np.flatnonzero(betting.player == DEAL).tolist():
            paid = betting.paid[node].astype(float)
            leaves.append(Leaf(int(tree.child[node]), POT + paid.sum(), (paid[0], paid[1]), not acted[node]))
        combos = np.zeros((2, HOLDEM_COUNT))
        for p in (0, 1):
            combos[p, self.game.showdown.hands[p]] = ranges[p]  # type: ignore[attr-defined]
        flop = self._holdem(betting, streets=(0,), ranges=(combos[0], combos[1]), merged=False)
        hands = np.flatnonzero(combos[seat]), np.flatnonzero(combos[1 - seat])
        return flop, LeafValues(LeafMemory(self.blueprint), outs, leaves, seat, hands, POT)

    def solved(self, seat: int, outs: RunOuts, iterations: int) -> Strategy:
        """The blueprint with the flop solved depth-limited for a seat."""
        flop, values = self.limited(self.game.weights, seat, outs)
        return _Head(self.blueprint, solve_flop(flop, values, iterations).strategy)

    def resolved(self, heads: Sequence[Strategy], iterations: int, least: float = LEAST, trust: float = TRUST) -> float:
        """The exploitability with turn and river solved as the agents do after the head of each seat, in mbb/g.

        With `least` 0 all hands may enter.
        """
        how: dict[str, Any] = {"trust": trust, "least": least, "also": self.blueprint}
        halves = [resolve_street(self.game, head, 1, iterations, **how) for head in heads]
        return measure(self.game, ArrayStrategy.of(self.game, Seats(self.game, halves[0], halves[1]))).mbb

    def gadgets(self, heads: Sequence[Strategy]) -> str:
        """`resolved` as the agents do, and with all hands."""
        likely, every = (self.resolved(heads, TURN_ITERATIONS[0], least) for least in (LEAST, 0.0))
        return f"{likely:.1f}, with all hands in the gadget {every:.1f}"


class _Head:
    def __init__(self, blueprint: Strategy, flop: Strategy) -> None:
        self.blueprint, self.flop = blueprint, flop

    def rows(self, decision: int, board: Place) -> Floats:
        return (self.blueprint if board.street else self.flop).rows(decision, board)


def first_view(there: Table, flop: str, betting: Sequence[int], hole: str = "AsKd") -> PlayerView:
    """The first decision on a flop after these raises and a call."""
    state, steps = there.root, list[PastAction]()
    for action in (*(Action("r", total) for total in betting), *[CALLS] * (1 if betting else 2)):
        steps.append(PastAction(state.street, state.player, action))
        state = apply(there.betting, state, action)
    state, cards = there.betting.next_street(state), tuple(sorted(parse_cards(hole)))
    return PlayerView.at(there, state, cards, tuple(parse_cards(flop)), tuple(steps))


def answer(agent: ResolvingPlayer, view: PlayerView, name: str) -> None:
    """Print the CPU time of the first answer, and how far fewer and more iterations are from the end."""
    began = time.process_time()
    agent.probabilities(view)
    seconds, rest = time.process_time() - began, agent._place(view)[0]
    hands = [int(np.count_nonzero(weights)) for weights in (rest.mine, rest.theirs)]
    print(f"flop {name}: {hands} hands, {rest.iterations} iterations, {seconds:.2f} s CPU", flush=True)
    game, leaves, _ = agent.limited_flop(next(reversed(agent._tasks.values())))
    least = response(game, leaves, solve_flop(game, leaves, 1000).strategy)
    for title, settings in (("as played", SETTINGS), ("dcfr-holdem", PRESETS["dcfr-holdem"])):
        strategies = {made: solve_flop(game, leaves, made, settings=settings).strategy for made in (20, 30, 40, 60)}
        lost = {made: 1000.0 * (response(game, leaves, strategies[made]) - least) / leaves.pot for made in strategies}
        print(f"  {title}, thousandths of the pot:", {made: round(x, 1) for made, x in lost.items()}, flush=True)


def response(
    game: VectorGame, leaves: LeafValues, strategy: ArrayStrategy, opponent: ArrayStrategy | None = None
) -> float:
    """What a best response of the opponent earns in the depth-limited game, in chips; or a strategy that follows the
    blueprint from the turn on.
    """
    other, walk = 1 - leaves.seat, PieceWalker(game, np.float32)
    policy, mode = strategy.policy, BEST
    if opponent is not None:
        both = (strategy.policy[leaves.seat], opponent.policy[other])
        policy, mode = (both if other else both[::-1]), MIX
    reach, rule = np.zeros((2, 1, max(game.showdown.sizes)), np.float32), Rule(1.0, 1.0, 0.0, False, False, 0)
    for p in (0, 1):
        reach[p, 0, : game.showdown.sizes[p]] = game.weights[p]
    walk.begin(check_kernels(game), reach)
    stores = walk._read_only(policy)
    walk.stage(OPEN, other, mode, policy, stores, rule)
    values = leaves.theirs(walk.leaving(leaves.seat))
    walk.put((values.max(axis=1) if opponent is None else values[:, 0]) / np.float32(game.mass))
    walk.stage(CLOSE, other, mode, policy, stores, rule)
    return float(game.weights[other] @ walk.lines(other)[0].astype(np.float64))


LINES: tuple[list[int], ...] = ([300], [300, 900], [])
FULL = 400  # iterations that count as the end


def compare(stack: float, flops: int) -> None:
    """Print, for random flops, how far the blueprint's flop and solved ones are from the end, with all run-outs."""
    if stack not in DEEP_MENUS:
        raise UserError(f"no blueprint for deep stacks was made for {stack:g}: take {', '.join(map(str, DEEP_MENUS))}")
    whole(flops, "--flops", 1)
    there, rng, rows = table("holdem-nolimit", stack), np.random.default_rng(1), list[AnyArray]()
    agent = make_agent("nolimit:flop", there)
    assert isinstance(agent, ResolvingPlayer)
    _, on_flop, *_ = DEEP_MENUS[int(stack)].split(" | ")
    agent.limited_menu = f"{on_flop.removeprefix('flop ')} | turn a | river a"
    columns = ("the blueprint", f"{LIMITED_ITERATIONS} iterations, 1 river", "2 rivers", f"{FULL}, 1 river")
    print(f"in thousandths of the pot, with a best response and with the blueprint: {', '.join(columns)}")
    for number in range(flops):
        *flop, low, high = (card_name(card) for card in rng.choice(52, 5, replace=False).tolist())
        line = LINES[number % len(LINES)]
        view = first_view(there, "".join(flop), line, low + high)
        task = agent._from_blueprint(view, agent.before(view), view.board)
        game, known, _ = agent.limited_flop(task)
        strategies, blueprint = [], _of_blueprint(agent, task, game)
        memory = agent._leaf_memory
        assert memory is not None
        for rivers, iterations in ((1, LIMITED_ITERATIONS), (2, LIMITED_ITERATIONS), (1, FULL), (None, FULL)):
            outs = run_outs(task.board, agent.real.hands(0, task.board) >= 0, agent.blueprint.buckets, rivers)
            leaves = LeafValues(memory, outs, known.leaves, known.seat, known.hands, known.pot)
            strategies.append(solve_flop(game, leaves, iterations).strategy)
        *solved, end = strategies
        least, even = response(game, leaves, end), response(game, leaves, blueprint, blueprint)
        chips = [
            (response(game, leaves, played) - least, even - response(game, leaves, played, blueprint))
            for played in (blueprint, *solved)
        ]
        rows.append(1000.0 / known.pot * np.array(chips))
        print(f"{''.join(flop)} after raises to {line}: {_pairs(rows[-1])}", flush=True)
    if flops > 1:
        error = 1.96 * np.std(rows, axis=0, ddof=1) / math.sqrt(flops)
        print(f"mean: {_pairs(np.mean(rows, axis=0))}; 95 %: {_pairs(error)}")


def _pairs(rows: AnyArray) -> str:
    return ", ".join(f"{best:.1f} and {even:.1f}" for best, even in rows)


def _of_blueprint(agent: ResolvingPlayer, task: SubgameTask, game: VectorGame) -> ArrayStrategy:
    """What the blueprint plays on a flop, in a game with its own bets."""
    tree, _ = tree_with(task.rules, agent.limited_menu, ())
    nodes = np.array(agent._readings(tree, task.start))
    first, second = (source_policy(game, agent.blueprint, p, nodes, FLOP) for p in (0, 1))
    return ArrayStrategy(game, (first, second))


def run(quick: bool) -> None:
    """First answers at 100 big blinds, and a flop with few and with more cards and buckets."""
    there = table("holdem-nolimit", 100)
    agent = make_agent("nolimit:flop", there)
    assert isinstance(agent, ResolvingPlayer)
    agent.start(there)
    for flop, betting in (("Ks7s2d", [300]), ("9s3s3d", [300, 900]), ("Jc8d2d", []))[: 1 if quick else 3]:
        answer(agent, first_view(there, flop, betting), f"{flop} after raises to {betting}")
    for buckets, ranks in (("4-4-4:ehs", 5), ("4-4-4:ehs", 6), ("10-8-8:ehs", 6))[: 1 if quick else 3]:
        small = SmallFlop("TdJcQh", buckets, ranks)
        mbb = measure(small.game, small.blueprint).mbb
        print(f"limited flop of {3 * ranks} cards, {buckets}: blueprint {mbb:.1f} mbb/g", flush=True)
        heads: list[Strategy] = [small.blueprint] * 2
        print(f"  turn and river solved again: {small.gadgets(heads)}", flush=True)
        for every, name in ((True, "all run-outs"), (False, "two rivers for each turn")):
            outs = small.run_outs(every)
            heads = [small.solved(seat, outs, LIMITED_ITERATIONS) for seat in (0, 1)]
            alone = measure(small.game, Seats(small.game, heads[0], heads[1])).mbb
            print(f"  the flop too, {name}: {small.gadgets(heads)}, the flop alone {alone:.1f}", flush=True)


def main() -> None:
    """The command line of the module."""
    parser = argparse.ArgumentParser(description="What solving a flop depth-limited saves, with all cards.")
    parser.add_argument("--stack", type=float, default=100.0, help="in big blinds")
    parser.add_argument("--flops", type=int, default=12)
    args = parser.parse_args()
    compare(args.stack, args.flops)


if __name__ == "__main__":
    plainly(main)
