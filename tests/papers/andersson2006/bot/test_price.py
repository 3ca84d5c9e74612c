"""A bot as a strategy by bucket plays as the bot does, and its price is that of the walk in which nothing is cut."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from headsup.abstraction import build_buckets
from headsup.abstraction.hands.buckets import SingleBoards
from headsup.abstraction.hands.partitions import partition_arrays
from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.arrays import Floats
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.games import game as named_game
from headsup.games.betting.rules import DEAL, Move
from headsup.games.holdem.vector import Place, VectorGame
from headsup.measure.exploit import measure
from headsup.papers.andersson2006.bot.agent import BotPlayer
from headsup.papers.andersson2006.bot.bucket_chances import BucketChances
from headsup.papers.andersson2006.bot.price import (
    bot_buckets,
    bot_game,
    bot_strategy,
    cut_strategy,
    few_bets,
    narrowed,
    price,
)
from headsup.papers.andersson2006.bot.strategy import Bot, _starts
from headsup.play.table.agent import make_agent
from headsup.play.table.real import RealCards, free_of
from headsup.play.table.record import parse_betting
from headsup.play.table.rules import BOARD, Deal, table

MENU = "50%, 200%, a | preflop cap 3 | flop cap 2 | turn cap 1 | river cap 1"
TEXT = "2-2-3-2:edges,preflop=ehs,turn=ehs,edges=0/50/100"
STACK = 4


def cards() -> VectorGame:
    found = named_game("holdem-nolimit", stack=STACK, ranks=5, suits=2)
    assert isinstance(found, VectorGame)
    return found


@cache
def small_bot() -> Bot:
    """A bot of ten cards that plays at random: what it does need not be good to be measured."""
    buckets = build_buckets(cards(), TEXT)
    sizes = tuple(many[0] for many in buckets.sizes)
    none = tuple(np.zeros((1, n, n), dtype=np.int64) for n in sizes)
    moves = tuple(np.ones((1, 1, a, b), dtype=np.int64) for a, b in pairwise(sizes))
    chances = BucketChances(TEXT, np.ones(sizes[0], dtype=np.int64), moves, none, none)
    rng = np.random.default_rng(3)
    shares = rng.integers(0, 256, int(_starts(STACK, MENU, sizes)[-1])).astype(np.uint8)
    return Bot(STACK, chances, shares, MENU, partition_arrays(buckets.partitions))


class ByPath:
    """The bot looked up as it does at the table: one table a node, by the street's own buckets since the flop."""

    def __init__(self, bot: Bot, game: VectorGame) -> None:
        self.bot, self.game, self.buckets = bot, game, build_buckets(game, bot.chances.text)

    def rows(self, decision: int, board: Place) -> Floats:
        street, sizes, boards = board.street, self.bot.chances.sizes(), [board.number]
        for s in range(street, 0, -1):
            boards.insert(0, int(self.game.boards.levels[s].parent[boards[0]]))
        held = [self.buckets.rows(0, s, one, one + 1)[0].astype(np.int64) for s, one in enumerate(boards)]
        path = held[0] if street == 0 else np.zeros_like(held[0])
        for s in range(1, street + 1):
            path = path * sizes[s] + held[s]
        return np.asarray(self.bot.table(decision)[path].T)


def test_the_strategy_by_bucket_is_the_bot_on_every_board() -> None:
    bot = small_bot()
    game = bot_game(bot, cards())
    strategy, by_path = bot_strategy(bot, game, bot_buckets(bot, game)), ByPath(bot, game)
    rng = np.random.default_rng(5)
    for node in rng.choice(np.flatnonzero(game.betting.player < DEAL), 60):
        street = int(game.betting.street[node])
        board = game.board(street, int(rng.integers(game.boards.sizes()[street])))
        alive = game.showdown.alive(0, street, board.number)
        one, other = strategy.rows(int(node), board), by_path.rows(int(node), board)
        assert np.allclose(one[:, alive], other[:, alive])


@pytest.mark.skipif(JIT_DISABLED, reason="thousands of boards are walked")
def test_all_bets_cost_what_the_walk_says_and_few_bets_no_more() -> None:
    bot = small_bot()
    game = bot_game(bot, cards())
    strategy = bot_strategy(bot, game, bot_buckets(bot, game))
    whole, few = price(strategy), price(strategy, "few")
    assert whole["exploitability_mbb"] == pytest.approx(measure(game, strategy).mbb)
    for seat in ("sb", "bb"):
        assert few["best_response_mbb"][seat] <= whole["best_response_mbb"][seat]


def test_an_opponent_of_few_bets_raises_all_in_and_the_bot_does_what_it_did() -> None:
    game = bot_game(small_bot(), cards())
    strategy = bot_strategy(small_bot(), game, bot_buckets(small_bot(), game))
    for seat in (0, 1):
        smaller, nodes = narrowed(game, seat)
        left = cut_strategy(strategy, smaller, nodes)
        for node in np.flatnonzero(smaller.betting.player == 1 - seat).tolist()[::7]:
            board = game.board(int(smaller.betting.street[node]), 0)
            assert np.array_equal(left.rows(node, board), strategy.rows(int(nodes[node]), board))
        tree, old = smaller.betting, game.betting
        kept = np.isin(np.arange(old.n_nodes), nodes)
        for node in range(1, tree.n_nodes):
            above = int(tree.parent[node])
            raised = tree.kind[above] in (Move.BET, Move.RAISE) or (tree.street[node] == 0 and above != 0)
            if tree.player[above] == seat and raised and tree.kind[above] != Move.CALL:
                assert tree.kind[node] != Move.RAISE
        for node in nodes[tree.player == 1 - seat].tolist():
            assert kept[old.child[node] : old.child[node] + old.count[node]].all()
        assert few_bets(tree, seat).sum() == 0
    with pytest.raises(UserError, match="not an opponent"):
        narrowed(game, 0, "many")


@pytest.mark.long
@pytest.mark.skipif(JIT_DISABLED, reason="buckets on flops look at a thousand run-outs")
def test_the_shipped_bot_at_the_table_is_its_strategy_by_bucket() -> None:
    there = table("holdem-nolimit", 15)
    player = make_agent("aggrobot", there)
    assert isinstance(player, BotPlayer)
    game = bot_game(player.bot)
    strategy = bot_strategy(player.bot, game, SingleBoards(bot_buckets(player.bot, game)))
    real = RealCards(game)
    for line in ("", "r200", "cc/", "r200c/c", "cc/r100c/r200", "cc/cc/cc/r200r800"):
        hand = there.hand(Deal(((0, 5), (9, 14)), (51, 30, 22, 3, 40)))
        for action in parse_betting(line):
            hand.act(action)
        view = hand.view()
        board = view.board[: BOARD[view.street]]
        held = [player.hands.on(board[: BOARD[s]])[0] for s in range(view.street + 1)]
        (node,) = player._stands(view, held)
        actions, found = player._mixed(view, np.arange(HOLDEM_COUNT))
        rows = strategy.rows(node, real.canonical(board).place)[:, real.hands(0, board)]
        assert len(actions) == len(rows)
        assert np.allclose(found[:, free_of(board)], rows[:, free_of(board)])
