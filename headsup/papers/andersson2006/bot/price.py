"""The exploitability of a bot (`strategy`) with all cards: the bot as a strategy by bucket, and best responses to it.

    python -m headsup.papers.andersson2006.bot.price 20 --opponent few --device gpu

The opponent `all` has the bot's own menu; `few` raises all-in or not at all, and before the flop does not bet twice the
pot, as against our blueprints. `--file` measures a file of `headsup.nolimit.make` against the same opponents.
"""

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.abstraction.hands.spec import restore_buckets
from headsup.common.arrays import AnyArray, Longs
from headsup.common.checks import DEVICES
from headsup.common.display import finite, json_line, print_line
from headsup.common.errors import UserError, plainly
from headsup.common.files import write_text
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.cut import cut_tree
from headsup.games.betting.rules import DEAL, Move
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.bucketed import Buckets, BucketStrategy, bucket_layout, on_device
from headsup.games.holdem.layout import BEST
from headsup.games.holdem.vector import VectorGame
from headsup.measure.exploit import measure
from headsup.papers.andersson2006.bot.strategy import UNIT, Bot, load_bot, paths_on, shipped_bot
from headsup.solve.records.solution import Solution

OPPONENTS = ("all", "few")
MOST_SHARE = 1.5  # of the pot: the largest bet before the flop of an opponent with few bets


def bot_game(bot: Bot, cards: VectorGame | None = None) -> VectorGame:
    """The betting of a bot with the cards of hold'em, or of another game."""
    if cards is None:
        played = named_game("holdem-nolimit")
        assert isinstance(played, VectorGame)
        cards = played
    return replace(cards, name=f"no-limit hold'em at {bot.stack} bb, {bot.menu}", betting=bot.tree, unit=float(UNIT))


def bot_buckets(bot: Bot, game: VectorGame) -> FeatureBuckets:
    """Bucket paths from the first street; a bot uses their last digits."""
    parts = {name: part for name, part in bot.parts.items() if name.startswith("part")}
    made = restore_buckets(game, bot.chances.text, parts)
    return FeatureBuckets(game, made.partitions, nested=True, features=made.features, text=f"{bot.chances.text},nested")


def bot_strategy(bot: Bot, game: VectorGame, buckets: Buckets) -> BucketStrategy:
    """The bot in its own betting, with any cards."""
    sizes, rounds, numbers = bot.chances.sizes(), game.rounds, []
    for seat in (0, 1):
        layout = bucket_layout(game, buckets, seat)
        numbers.append(np.zeros(layout.size, dtype=np.uint8))
        for node in np.flatnonzero(rounds.player == seat).tolist():
            street, count = int(game.betting.street[node]), int(rounds.count[node])
            row = int(layout.row_at[street]) + int(rounds.row[node])
            path = np.arange(buckets.sizes[street][0]) % paths_on(sizes, street)
            here = slice(int(layout.first[row]), int(layout.first[row + count]))
            numbers[seat][here] = bot.numbers(node)[path].T.ravel()
    return BucketStrategy(game, buckets, (numbers[0], numbers[1]))


def few_bets(tree: BettingTree, seat: int) -> AnyArray:
    """[nodes] what a seat with few bets does not do: raises that are not all-in, large bets before the flop."""
    made = np.zeros(tree.n_nodes, dtype=np.int64)  # bets and raises of the street, blinds not counted
    gone = np.zeros(tree.n_nodes, dtype=bool)
    for node in range(1, tree.n_nodes):
        above = int(tree.parent[node])
        if tree.street[above] != tree.street[node]:
            continue
        made[node] = made[above] + (tree.kind[node] >= Move.BET)
        if tree.player[above] == seat and tree.kind[node] in (Move.BET, Move.RAISE):
            gone[node] = made[node] > 1 or (tree.street[node] == 0 and _share(tree, node) > MOST_SHARE)
    return gone


def _share(tree: BettingTree, node: int) -> float:
    """The size of a bet as a fraction of the pot after calling the bet before."""
    before, after = tree.paid[tree.parent[node]], tree.paid[node]
    return float((after.max() - before.max()) / (2.0 * before.max()))


def narrowed(game: VectorGame, seat: int, opponent: str = "few") -> tuple[VectorGame, Longs]:
    """The game in which a seat has only an opponent's bets, and its node numbers in the full game."""
    if opponent not in OPPONENTS:
        raise UserError(f"'{opponent}' is not an opponent: choose one of {', '.join(OPPONENTS)}")
    if opponent == "all":
        return game, np.arange(game.betting.n_nodes)
    tree, nodes = cut_tree(game.betting, 0, few_bets(game.betting, seat))
    return replace(game, name=f"{game.name}, few bets of player {seat}", betting=tree), nodes


def cut_strategy(strategy: BucketStrategy, game: VectorGame, nodes: Longs) -> BucketStrategy:
    """A strategy by bucket in a game with fewer actions, given the numbers of its nodes."""
    whole, numbers = strategy.game, []
    for seat in (0, 1):
        old, new = strategy.layouts[seat], bucket_layout(game, strategy.buckets, seat)
        out = np.zeros(new.size, dtype=strategy.numbers[seat].dtype)
        for node in np.flatnonzero(game.rounds.player == seat).tolist():
            above, street = int(nodes[node]), int(game.betting.street[node])
            child = int(game.betting.child[node])
            columns = nodes[child : child + int(game.rounds.count[node])] - whole.betting.child[above]
            to = int(new.row_at[street]) + int(game.rounds.row[node]) + np.arange(len(columns))
            come = int(old.row_at[street]) + int(whole.rounds.row[above]) + columns
            width = strategy.buckets.sizes[street][0]
            places = new.first[to][:, None] + np.arange(width)
            out[places] = strategy.numbers[seat][old.first[come][:, None] + np.arange(width)]
        numbers.append(out)
    return BucketStrategy(game, strategy.buckets, (numbers[0], numbers[1]))


def best_response_value(strategy: BucketStrategy, seat: int, device: str = "cpu") -> float:
    """What the best response of a seat wins from a strategy, in chips."""
    if device != "gpu":
        return measure(strategy.game, strategy).best[seat]
    from headsup.games.walk.gpu_buckets import GpuBucketWalker

    walker = GpuBucketWalker(strategy.game, strategy.buckets)
    walker.compile(BEST, seats=(seat,))
    return walker.earned(walker.policy(strategy.numbers), BEST, seats=(seat,))[seat]


def price(
    strategy: BucketStrategy,
    opponent: str = "all",
    device: str = "cpu",
    seats: Sequence[int] = (0, 1),
    tell: Any = None,
) -> dict[str, Any]:
    """Exact best responses of an opponent to a strategy of the full game, in mbb/g."""
    game, best = strategy.game, [np.nan, np.nan]
    for seat in seats:
        began = time.monotonic()
        smaller, nodes = narrowed(game, seat, opponent)
        best[seat] = 1000.0 * best_response_value(cut_strategy(strategy, smaller, nodes), seat, device) / game.unit
        if tell is not None:
            many = int((smaller.betting.player < DEAL).sum())
            tell(step="reply", seat=seat, mbb=best[seat], decisions=many, seconds=time.monotonic() - began)
    total = 1000.0 * float(game.betting.total or 0.0) / game.unit
    return {
        "game": game.name,
        "opponent": opponent,
        "exploitability_mbb": finite((best[0] + best[1] - total) / 2.0),
        "best_response_mbb": {seat: finite(mbb) for seat, mbb in zip(("sb", "bb"), best, strict=True)},
        "value_mbb": None,
        "exact": True,
    }


def strategy_of(stack: int, bot: str | None = None, file: str | None = None, device: str = "cpu") -> BucketStrategy:
    """The shipped bot, one from a file, or a blueprint from a file, with its buckets on the device."""
    if file is not None:
        solution = Solution.load(file, regrets=False)
        played = named_game(solution.game)
        assert isinstance(played, VectorGame)
        strategy = solution.in_game(played)
        assert isinstance(strategy, BucketStrategy)
    else:
        made = shipped_bot(stack) if bot is None else load_bot(bot)
        game = bot_game(made)
        strategy = bot_strategy(made, game, bot_buckets(made, game))
    return BucketStrategy(strategy.game, on_device(strategy.buckets), strategy.numbers) if device == "gpu" else strategy


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="The price of a bot, or of a blueprint, inside a menu.")
    parser.add_argument("stack", type=int, help="in big blinds")
    parser.add_argument("--bot", help="a file of headsup.papers.andersson2006.bot.make; else the bot that ships")
    parser.add_argument("--file", help="a blueprint in place of a bot")
    parser.add_argument("--opponent", choices=OPPONENTS, default="few")
    parser.add_argument("--seat", type=int, choices=(0, 1), help="the opponent's; both if left out")
    parser.add_argument("--device", choices=DEVICES, default="gpu", help="a CPU takes days with all cards")
    parser.add_argument("--out", type=Path, help="where to write the figures, as JSON")
    args = parser.parse_args(given)
    began = time.monotonic()
    strategy = strategy_of(args.stack, args.bot, args.file, args.device)
    seats = (0, 1) if args.seat is None else (args.seat,)
    figures = price(strategy, args.opponent, args.device, seats, print_line)
    figures |= {
        "stack": args.stack,
        "strategy": args.file or args.bot or "aggrobot",
        "seconds": time.monotonic() - began,
    }
    print_line(**figures)
    if args.out is not None:
        write_text(args.out, json_line(figures) + "\n")


if __name__ == "__main__":
    plainly(main)
