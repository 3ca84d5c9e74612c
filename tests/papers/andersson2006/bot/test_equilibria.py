"""Other equilibria, other buckets before the flop, and results against Allin and Caller, each by a second way."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.abstraction import build_buckets
from headsup.cards.combos import holdem_combos
from headsup.common.backend import JIT_DISABLED
from headsup.evaluate import rank_hands
from headsup.games import game
from headsup.games.betting.rules import DEAL, FOLD, Move
from headsup.games.holdem.vector import VectorGame
from headsup.papers.andersson2006.bot.against_caller import _equities, against_caller, stakes
from headsup.papers.andersson2006.bot.equilibria import ALLIN, from_opponent, of_opening, value_bounds, wished
from headsup.papers.andersson2006.bot.preflop_buckets import grouped, regrouped, with_edges
from headsup.papers.andersson2006.bot.strategy import BUCKETS, Bot, shipped_bot
from headsup.play.table.real import free_of
from headsup.solve.small.lp import optimal_range
from tests.papers.andersson2006.bot.test_model import small_model

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="thousands of iterations")


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_most_of_a_wish_is_that_of_a_second_linear_program(sign: float) -> None:
    model = small_model()
    form, between = model.sequence_form(), value_bounds(model, 3000)
    for wishes in (from_opponent(model, ALLIN, sign), of_opening(model, (Move.CALL,), sign)):
        _, results = wished(model, wishes, between, 3000)
        for seat, result in enumerate(results):
            most = optimal_range(form, seat, wishes[seat])[1]
            assert most - 1e-6 <= result.most <= most + 0.02
            assert result.amount == pytest.approx(most, abs=0.02)
            assert result.lost <= 0.01


def walked(bot: Bot, seat: int, path: tuple[int, ...], node: int = 0) -> tuple[float, float]:
    """Chips shown down and lost by folding against Caller, of a hand with these buckets: all ways one by one."""
    tree = bot.tree
    player, children = int(tree.player[node]), range(tree.child[node], tree.child[node] + tree.count[node])
    if player == FOLD:
        return 0.0, float(tree.paid[node, seat])
    if player > DEAL:
        return float(tree.paid[node].min()), 0.0
    if player == DEAL:
        return walked(bot, seat, path, int(tree.child[node]))
    if player != seat:
        return walked(bot, seat, path, next(c for c in children if tree.kind[c] in (Move.CHECK, Move.CALL)))
    street = int(tree.street[node])
    row = path[0] if street == 0 else int("".join(map(str, path[1 : street + 1])), 4)
    parts = [
        share * np.array(walked(bot, seat, path, child))
        for child, share in zip(children, bot.table(node)[row].tolist(), strict=True)
        if share
    ]
    shown, lost = np.sum(parts, axis=0)
    return float(shown), float(lost)


def test_stakes_against_caller_are_those_of_all_ways_one_by_one() -> None:
    bot = shipped_bot(15)
    for seat, path in ((0, (3, 2, 3, 3)), (1, (0, 1, 0, 2)), (0, (2, 0, 0, 0))):
        shown, _, lost = (table[path[0], int("".join(map(str, path[1:])), 4)] for table in stakes(bot, seat))
        assert (shown, lost) == pytest.approx(walked(bot, seat, path))


def test_equities_on_a_board_are_counted_hand_by_hand() -> None:
    board = (3, 17, 22, 40, 51)
    free = np.flatnonzero(free_of(board))
    found, combos = _equities(board, free), holdem_combos()[free]
    values = rank_hands(np.array([[*hand, *board] for hand in combos.tolist()], dtype=np.uint8)).tolist()
    for i in (0, 200, 1000):
        met = [j for j, other in enumerate(combos.tolist()) if not {*other} & {*combos[i].tolist()}]
        won = sum((values[i] > values[j]) + (values[i] == values[j]) / 2 for j in met)
        assert found[i] == pytest.approx(won / len(met))


def test_what_the_bot_wins_from_caller_is_what_the_matches_show() -> None:
    result = against_caller(shipped_bot(15), 60, seed=1)
    assert result.mean == pytest.approx(1.06, abs=4 * result.error + 0.04)


def test_quarters_are_the_shipped_buckets() -> None:
    """Counted from tables of pairs and flops in seconds, as over all deals in minutes."""
    bot = shipped_bot(15)
    again, known = regrouped(bot, grouped("quarters")), bot.chances
    assert again.start.tolist() == known.start.tolist()
    assert again.moves[0].tolist() == known.moves[0].tolist()
    assert (again.share(0) == known.share(0)).all()


def test_totals_before_the_flop_are_those_of_all_rivers() -> None:
    """The edges of the shipped bot were cut from a count over all boards."""
    holdem = game("holdem-nolimit")
    assert isinstance(holdem, VectorGame)
    cuts = build_buckets(holdem, BUCKETS).partitions[0][0].arrays()["edges"]
    assert cuts.tolist() == shipped_bot(15).parts["part0_0_edges"].tolist()


def test_edges_before_the_flop_are_those_of_the_river() -> None:
    chances, parts = with_edges(shipped_bot(15))
    assert chances.first() == pytest.approx([0.178, 0.680, 0.133, 0.009], abs=0.001)
    assert parts["part0_0_edges"].tolist() != shipped_bot(15).parts["part0_0_edges"].tolist()
