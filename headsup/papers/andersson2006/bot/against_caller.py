"""What AggroBot wins from Caller, from random boards.

    python -m headsup.papers.andersson2006.bot.against_caller 15

Caller never bets and never folds, so the pot depends on the bot's own cards alone. On a board, every hand is worth its
expected stake times its equity against a random hand. The mean over all hands of drawn boards has a standard error of
about 0.01 big blinds after 4,000 boards.
"""

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from headsup.cards.combos import holdem_combos
from headsup.common.arrays import AnyArray, Floats
from headsup.common.display import print_line
from headsup.common.errors import UserError, plainly
from headsup.evaluate import rank_hands
from headsup.games.betting.rules import DEAL, FOLD, Move
from headsup.papers.andersson2006.bot.agent import BotHands
from headsup.papers.andersson2006.bot.strategy import STACKS, UNIT, Bot, shipped_bot
from headsup.play.table.real import free_of
from headsup.play.table.rules import BOARD


class CallerResult(NamedTuple):
    mean: float  # big blinds per hand, both seats
    error: float  # standard error
    sd: float  # of a single hand


def stakes(bot: Bot, seat: int) -> tuple[Floats, Floats, Floats]:
    """By path of buckets [first bucket, buckets since the flop]: the expected stake shown down, its square, and what
    is lost by folding, in chips.
    """
    tree, sizes = bot.tree, bot.chances.sizes()
    shape = (sizes[0], bot.paths(3))
    shown, squared, lost = np.zeros((3, *shape))
    reach = {0: np.ones(shape)}
    for node in range(tree.n_nodes):
        come = reach.pop(node, None)
        if come is None:
            continue
        player, first, count = int(tree.player[node]), int(tree.child[node]), int(tree.count[node])
        if player < DEAL:
            children = range(first, first + count)
            if player != seat:
                called = next(child for child in children if tree.kind[child] in (Move.CHECK, Move.CALL))
                reach[called] = come
                continue
            street = int(tree.street[node])
            rows = bot.table(node)
            chosen = rows[:, None] if street == 0 else np.repeat(rows, shape[1] // len(rows), axis=0)[None]
            for child, share in zip(children, np.moveaxis(chosen, -1, 0), strict=True):
                if share.any():
                    reach[child] = come * share
        elif player == DEAL:
            reach[first] = come
        elif player == FOLD:
            lost += come * float(tree.paid[node, seat])
        else:
            paid = float(tree.paid[node].min())
            shown += come * paid
            squared += come * paid**2
    return shown, squared, lost


def against_caller(bot: Bot, boards: int = 4000, seed: int = 0) -> CallerResult:
    """What a bot wins from Caller; its buckets may not depend on the betting."""
    if any(len(won) > 1 for won in bot.chances.won):
        raise UserError("the buckets of this bot depend on the betting: play a match against caller instead")
    hands, sizes, rng = BotHands(bot), bot.chances.sizes(), np.random.default_rng(seed)
    tables = [stakes(bot, seat) for seat in (0, 1)]
    shown, squared, lost = ((tables[0][i] + tables[1][i]) / 2.0 for i in range(3))
    means, squares = np.zeros((2, boards))
    for i in range(boards):
        board = tuple(rng.choice(52, 5, replace=False).tolist())
        free = np.flatnonzero(free_of(board))
        held = [hands.on(board[: BOARD[street]])[0, free] for street in range(4)]
        path = held[0], np.ravel_multi_index(held[1:], sizes[1:])
        equity = _equities(board, free)
        means[i] = (shown[path] * (2.0 * equity - 1.0) - lost[path]).mean() / UNIT
        squares[i] = squared[path].mean() / UNIT**2
    mean = float(means.mean())
    return CallerResult(mean, float(means.std() / np.sqrt(boards)), float(np.sqrt(squares.mean() - mean**2)))


def _equities(board: tuple[int, ...], free: AnyArray) -> Floats:
    """Of each hand on a complete board against a random other hand."""
    combos = holdem_combos()[free]
    cards = np.concatenate((combos, np.broadcast_to(np.array(board, dtype=combos.dtype), (len(combos), 5))), axis=1)
    values = np.asarray(rank_hands(np.ascontiguousarray(cards, dtype=np.uint8), check=False))
    order = np.sort(values)
    twice = np.searchsorted(order, values, "left") + np.searchsorted(order, values, "right")
    shared_twice, shared = np.zeros(len(values)), np.zeros(len(values))
    for card in np.unique(combos).tolist():
        mine = np.flatnonzero((combos == card).any(axis=1))
        own = np.sort(values[mine])
        shared_twice[mine] += np.searchsorted(own, values[mine], "left") + np.searchsorted(own, values[mine], "right")
        shared[mine] += len(own)
    # the hand itself is in both lists, and meets itself (a tie, 1 of 2) once in all and once in each list
    won = twice - 1 - (shared_twice - 2)
    met = len(values) - 1 - (shared - 2)
    return np.asarray(won / (2.0 * met))


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="What AggroBot wins from Caller, in big blinds per hand.")
    parser.add_argument("stack", type=int, choices=STACKS, help="in big blinds")
    parser.add_argument("--boards", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(given)
    result = against_caller(shipped_bot(args.stack), args.boards, args.seed)
    print_line(stack=args.stack, boards=args.boards, mean_bb=result.mean, error_bb=result.error)


if __name__ == "__main__":
    plainly(main)
