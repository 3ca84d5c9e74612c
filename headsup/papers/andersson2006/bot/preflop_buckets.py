"""Other buckets before the flop: the paper states only those of the river.

    python -m headsup.papers.andersson2006.bot.preflop_buckets 15 --by edges

Only the chances of the first street change: hands are counted over all flops and all pairs of hands, exactly. What is
won from Allin is decided before the flop, so the preflop model alone gives it.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from headsup.abstraction.hands.partitions import equity_edges
from headsup.cards.classes import holdem_class_of_combo, holdem_class_sizes
from headsup.common.arrays import AnyArray, Floats, Longs
from headsup.common.display import print_line
from headsup.common.errors import plainly
from headsup.equity.holdem.table import combo_table
from headsup.papers.andersson2006.bot.agent import BotHands
from headsup.papers.andersson2006.bot.bucket_chances import BucketChances
from headsup.papers.andersson2006.bot.equilibria import ALLIN, WISHES, from_opponent, opens_of, value_bounds, wished
from headsup.papers.andersson2006.bot.model_cfr import ModelCfr
from headsup.papers.andersson2006.bot.strategy import (
    EDGES,
    STACKS,
    Bot,
    pack,
    preflop_model,
    shipped_bot,
)

CUTS = (0.4, 0.6, 0.8)  # the paper's of the river


def equities() -> Floats:
    """[1326] the equity of each hand against a random one."""
    table = combo_table()
    return np.asarray((2.0 * table.wins + table.ties).sum(axis=1) / (2.0 * table.deals.sum(axis=1)))


def grouped(by: str) -> Longs:
    """[1326] the bucket of each hand: `quarters` of all hands, as shipped, `edges` of the river, equal `width` of
    equity, or quarters of the 169 `classes`.
    """
    if by == "quarters":
        return np.asarray(BotHands(shipped_bot(STACKS[0])).on(())[0], dtype=np.int64)
    equity, classes = equities(), holdem_class_of_combo()
    mean = (np.bincount(classes, equity) / holdem_class_sizes())[classes]
    if by == "edges":
        cuts = np.array(CUTS)
    elif by == "width":
        cuts = np.linspace(mean.min(), mean.max(), 5)[1:-1]
    else:
        cuts = np.quantile(np.unique(mean), (0.25, 0.5, 0.75))
    return np.searchsorted(cuts, mean, side="right")


GROUPS = ("quarters", "edges", "width", "classes")


def regrouped(bot: Bot, first: Longs) -> BucketChances:
    """The bot's chances with other buckets before the flop."""
    buckets, size = BotHands(bot).single.buckets, int(first.max()) + 1
    features, flops = buckets.features, buckets.table(1)
    sets = features.sets(1)
    alive, mine = features.alive(sets), first[features.hands]
    moves = np.zeros((1, 1, size, buckets.sizes[1][0]), dtype=np.int64)
    weights = np.broadcast_to(sets.count[:, None], alive.shape)[alive]
    np.add.at(moves[0, 0], (np.broadcast_to(mine, alive.shape)[alive], flops[alive]), weights)
    table, belongs = combo_table(), (first[:, None] == np.arange(size)).astype(np.float64)
    won, met = (
        np.rint(belongs.T @ counts.astype(np.float64) @ belongs).astype(np.int64)[None]
        for counts in (2 * table.wins.astype(np.int64) + table.ties, table.deals)
    )
    chances, start = bot.chances, np.bincount(first, minlength=size).astype(np.int64)
    return replace(
        chances,
        text=f"{chances.text}, other buckets before the flop",
        start=start,
        moves=(moves, *chances.moves[1:]),
        won=(won, *chances.won[1:]),
        met=(met, *chances.met[1:]),
    )


def with_edges(bot: Bot) -> tuple[BucketChances, dict[str, AnyArray]]:
    """The chances and the partitions of the bot whose hands before the flop are cut as those of the river."""
    features, first = BotHands(bot).single.buckets.features, grouped("edges")
    cuts = equity_edges(features, 0, CUTS)
    table = pack(first[features.hands], len(CUTS) + 1)
    changed = {"part0_0_edges": cuts.edges, "table0": table}
    return replace(regrouped(bot, first), text=EDGES), bot.parts | changed


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="The preflop model with other buckets before the flop, as JSON.")
    parser.add_argument("stack", type=int, help="in big blinds")
    parser.add_argument("--by", choices=GROUPS, action="append", help="one way or more; all if left out")
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument(
        "--range", action="store_true", help="also the least and the most that equilibria win from Allin"
    )
    args = parser.parse_args(given)
    for by in args.by or GROUPS:
        chances = regrouped(shipped_bot(STACKS[0]), grouped(by))
        model = preflop_model(args.stack, chances)
        solver = ModelCfr(model)
        solver.step(args.iterations)
        plans, wishes = solver.plans(), from_opponent(model, ALLIN)
        line = {
            "stack": args.stack,
            "by": by,
            "hands": chances.first().tolist(),
            "value": solver.measure().value,
            "exploitability": solver.measure().exploitability,
            "allin": float(sum(wish @ plan for wish, plan in zip(wishes, plans, strict=True))) / 2.0,
            **opens_of(model, model.table(0, solver.profile()[0], 0)),
        }
        if args.range:
            between = value_bounds(model, args.iterations)
            for name, sign in (("most from Allin", 1.0), ("least from Allin", -1.0)):
                both = wished(model, WISHES[name](model), between, args.iterations)[1]
                line[name] = sign * sum(seat.most for seat in both) / 2.0
        print_line(**line)


if __name__ == "__main__":
    plainly(main)
