"""Strategies with real cards: the way to stored boards and back, translation, solved spots, and local best response."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.cards.cards import mask_of, parse_cards
from headsup.cards.classes import holdem_class_of_combo, holdem_class_reps
from headsup.cards.combos import colex, holdem_combos
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import Place, Uniform, VectorGame, holdem_game
from headsup.measure import measure
from headsup.play.agents.chart import ChartPlayer
from headsup.play.agents.lbr import MENUS, LocalBestResponse, win_chances
from headsup.play.agents.strategy import StrategyPlayer
from headsup.play.arena.match import Match, play
from headsup.play.table.agent import make_agent, make_pair
from headsup.play.table.real import RealCards
from headsup.play.table.record import parse_betting
from headsup.play.table.rules import CALLS, FOLDS, Deal, raise_to, table
from headsup.play.table.start import spot_table
from headsup.solve.methods import solve
from headsup.spots.solve import solve_spot
from tests.play.statistics.test_values import every_hand

FLOP = holdem_game(
    "flop", betting_tree(Betting(first=(0, 0, 0), stacks=(9, 9), pot=4), "a"), root=(48, 49, 5), streets=(0, 1, 1)
)


@given(st.permutations([card for card in range(52) if card not in (48, 49, 5)]))
@settings(max_examples=60)
def test_real_cards_keep_their_meaning(cards: list[int]) -> None:
    real = RealCards(FLOP)
    board, hole = (48, 49, 5, *cards[:2]), tuple(cards[2:4])
    stands = real.canonical(board)
    assert set(stands.renamed(board)) == set(stands.place.cards)
    assert stands.place.street == 2
    # the renaming leaves the flop alone, street by street
    assert set(stands.renamed(board[:3])) == set(board[:3])
    assert mask_of(stands.renamed(board[:4])) == mask_of(stands.place.cards[:4])
    for seat in (0, 1):
        number = real.hand(seat, hole, board)
        assert number is not None
        assert number == real.hands(seat, board)[colex(sorted(hole))]
        assert int(FLOP.showdown.hands[seat][number]) == colex(sorted(stands.renamed(hole)))  # type: ignore[attr-defined]


class Told:
    """A strategy that tells every decision, board and hand apart."""

    def __init__(self, game: VectorGame) -> None:
        self.game = game
        self.rows = cache(self._rows)

    def _rows(self, decision: int, board: Place) -> Floats:
        """Random, the same when asked again, and alike for hands that the board's own symmetries exchange."""
        betting = self.game.betting
        seat, actions = int(betting.player[decision]), int(betting.count[decision])
        showdown = self.game.showdown
        rng = np.random.default_rng([decision, board.street, board.number])
        found = rng.dirichlet(np.ones(actions), showdown.sizes[seat]).T
        group = int(self.game.boards.levels[board.street].group[board.number])  # type: ignore[attr-defined]
        images = [found[:, showdown.renamed(seat, i)] for i in range(24) if group >> i & 1]
        return np.asarray(sum(images) / len(images))


def test_played_with_real_cards_a_strategy_has_its_exact_value() -> None:
    # three suits may be exchanged, on the board and in the ranges, so that most rivers are stored under another name
    spot = Spot("AsKs7s2s", "QdQh,QdQc,QhQc", "JsTs", 6, 8, bets="a")
    game = spot.game()
    assert len(game.boards.levels[1]) < 30
    there = spot_table(spot, unit=1)
    agents = [StrategyPlayer("told", game, Told(game), there) for _ in (0, 1)]
    deals, weights = [], []
    hands = [[(holdem_combos()[i].tolist(), w) for i, w in enumerate(one) if w] for one in there.weights]
    for first, one in hands[0]:
        for second, other in hands[1]:
            if not set(first) & set(second):
                weight = one * other
                taken = {*first, *second, *spot.cards}
                rivers = [card for card in range(52) if card not in taken]
                deals += [Deal((tuple(first), tuple(second)), (*spot.cards, river)) for river in rivers]
                weights += [weight / len(rivers)] * len(rivers)
    total = 0.0
    for deal, weight in zip(deals, weights, strict=True):
        total += weight * sum(p * kept.chips[0] for p, kept in every_hand(there, [deal], (agents[0], agents[1])))
    exact = measure(game, Told(game)).values[0]
    assert total / sum(weights) == pytest.approx(exact)


def test_bets_that_are_not_in_the_menu_are_read_as_near_ones() -> None:
    spot = Spot("As7d2c", "AdKh,QsQh", "QcQd,8h8c", 100, 400, bets="50%, 100%", raises="100%, a")
    there = spot_table(spot, unit=10)
    game = spot.game()
    agent = StrategyPlayer("told", game, Told(game), there)
    hand = there.hand(Deal((parse_cards("AdKh"), parse_cards("QcQd")), parse_cards("As7d2c3s8h")))
    tree = game.betting
    lines = {}
    for chips in (10, 19, 24, 50, 62, 75, 100, 150, 260, 390, 400):
        hand = there.hand(hand.deal)
        hand.act(raise_to(chips))
        node = agent.node(hand.view())
        lines[chips] = tree.line(node)
    # between a check and half the pot the two meet at 1/5: f(x) = (.5 - x) / (.5 (1 + x)) is one half there
    assert lines[10] == lines[19] == "check"
    assert lines[24] == lines[50] == lines[62] == "bet 50"
    assert lines[75] == lines[100] == lines[150] == lines[390] == "bet 100"
    hand = there.hand(hand.deal)
    hand.act(raise_to(90))
    answers = dict(agent.probabilities(hand.view()))
    # read as a bet of 100, a raise of the pot is the same share of the real pot: 90 + 280
    assert set(answers) <= {FOLDS, CALLS, raise_to(370), raise_to(400)}


def test_a_solved_spot_plays_itself_to_its_value(tmp_path: Path) -> None:
    solved = solve_spot(
        Spot("As7d2c3s8h", "AdKh,6s5s,QcQd", "8c8d,AcTs,KsJs", 60, 80, bets="60%", raises="a"), target=0.01
    )
    path = tmp_path / "river.sol"
    solved.save(path)
    name = f"spot:{path}"
    result = play(Match(name, name, name, hands=400, seed=1, aivat=True))
    # both seats in turn win the pot between them: three of its six big blinds each
    assert result.interval.low <= 5.0 <= result.interval.high
    assert make_agent(name, spot_table(solved.spot)).name == name
    there = spot_table(solved.spot)
    again = make_agent(f"solution:{path}", there)
    view = there.hand(there.deal_number(0, 0)).view()
    assert again.probabilities(view) == make_agent(name, there).probabilities(view)  # type: ignore[attr-defined]
    solve("kuhn", "lp").save(tmp_path / "kuhn.sol")
    with pytest.raises(UserError, match="not played with cards"):
        make_agent(f"solution:{tmp_path / 'kuhn.sol'}", there)
    with pytest.raises(UserError, match="begins with another board"):
        make_agent(name, table("holdem-nolimit"))


def test_the_limit_strategy_that_ships_sits_down() -> None:
    there = table("holdem-limit")
    agent = make_agent("limit", there)
    assert isinstance(agent, StrategyPlayer)
    rows = agent.strategy.rows(0, agent.game.board(0, 0))
    for cards in ("AsAh", "7c2d", "KdTd"):
        view = there.hand(Deal((parse_cards(cards), parse_cards("QcQs")), parse_cards("9h8h3c3d4s"))).view()
        shares = dict(agent.probabilities(view))
        column = rows[:, colex(sorted(parse_cards(cards)))]
        wanted = zip((FOLDS, CALLS, raise_to(20)), column, strict=True)
        assert shares == pytest.approx({action: pot_share for action, pot_share in wanted if pot_share})
    assert dict(agent.probabilities(there.hand(Deal((parse_cards("AsAh"), ()), ())).view())).get(FOLDS, 0.0) == 0.0
    with pytest.raises(UserError, match="play it there"):
        make_agent("limit", table("holdem-nolimit"))


@pytest.mark.long
def test_the_limit_strategy_that_ships_beats_a_caller() -> None:
    result = play(Match("limit", "caller", "holdem-limit", hands=300, seed=1, duplicate=True, aivat=True))
    assert not result.faults
    assert result.interval.low > 0.0


def test_chances_to_win_against_every_hand() -> None:
    for board in ("", "As7d2c", "As7d2c3s", "As7d2c3s8h"):
        cards = parse_cards(board) if board else ()
        found = win_chances(parse_cards("AdKh"), cards)
        other = colex(parse_cards("QcQd"))
        from headsup.play.statistics.values import pot_share

        assert found[other] == pytest.approx(pot_share("holdem", (parse_cards("AdKh"), parse_cards("QcQd")), cards))
        assert found[colex(sorted(parse_cards("AdQd")))] == 0.0


def test_local_best_response_is_exact_in_jam_or_fold() -> None:
    there = table("holdem-jamfold", 10)
    lbr, _ = make_pair("lbr", "allin", there)
    assert isinstance(lbr, LocalBestResponse)
    for hand in holdem_class_reps().tolist():
        hole = tuple(hand)
        equity = float(win_chances(hole, ()).sum()) / 1225
        other = next(tuple(one) for one in holdem_combos().tolist() if not set(one) & set(hole))
        rest = tuple(card for card in range(52) if card not in (*hole, *other))[:5]
        second = there.hand(Deal((other, hole), rest))
        second.act(raise_to(1000))
        calls = lbr.act(second.view()) == CALLS
        assert calls == (2000 * equity - 1000 > -100)
        first = there.hand(Deal((hole, other), rest))
        assert (lbr.act(first.view()).kind == "r") == (2000 * equity - 1000 > -50)


def test_local_best_response_knows_the_range_from_what_was_done() -> None:
    there = table("holdem-jamfold", 10)
    lbr, jamfold = make_pair("lbr", "jamfold", there)
    assert isinstance(lbr, LocalBestResponse)
    assert isinstance(jamfold, ChartPlayer)
    hand = there.hand(Deal((parse_cards("AdKh"), parse_cards("QcQd")), parse_cards("As7d2c3s8h")))
    hand.act(raise_to(1000))
    reach = lbr.range(hand.view())
    jams = np.array(jamfold.by_class(True, 10))
    wanted = jams[holdem_class_of_combo()] * (win_chances(parse_cards("QcQd"), ()) > 0)
    assert reach == pytest.approx(wanted)


def test_local_best_response_wins_no_more_than_the_best_response() -> None:
    spot = Spot("As7d2c3s8h", "AdKh,6s5s,QcQd,9c4c", "8c8d,AcTs,KsJs,7h6h", 60, 80, bets="60%, a", raises="a")
    game, there = spot.game(), spot_table(spot)
    uniform = StrategyPlayer("uniform", game, Uniform(game), there)
    found = measure(game, Uniform(game))
    hands = [[(tuple(holdem_combos()[i].tolist()), w) for i, w in enumerate(one) if w] for one in there.weights]
    deals = [Deal((a, b), spot.cards) for a, _ in hands[0] for b, _ in hands[1] if not set(a) & set(b)]
    for seat in (0, 1):
        won = []
        for menu in ("c/c/c/c", "", "0.6,a", "c/c/c/f", "c/c/c/0.6,a"):
            lbr = make_agent(f"lbr:{menu}" if menu else "lbr", there)
            assert isinstance(lbr, LocalBestResponse)
            lbr.meet(uniform)
            agents = (lbr, uniform) if seat == 0 else (uniform, lbr)
            won.append(sum(p * kept.chips[seat] for p, kept in every_hand(there, deals, agents)))
        assert found.values[seat] < won[1] < won[2] <= found.best[seat] + 1e-9
        assert won[0] <= won[1]  # a player that may fold wins at least as much as one that only calls
        assert won[3:] == won[1:3]  # a menu for each street: this hand begins on the river


def test_local_best_response_bets_on_the_streets_of_its_menu() -> None:
    # folder gives up every pot that is bet at, and checks down what is not: one bet on the flop wins as much as any
    won = []
    for menu in ("c/56/f/f", "56", "c/c/c/c"):
        match = Match(f"lbr:{menu}", "folder", "holdem-nolimit", stack=20, hands=20, duplicate=True)
        won.append(play(match).summary()["mean_bb"])
    assert won[0] == won[1] == 0.75 > won[2]
    assert len(MENUS["56"] or ()) == 56


def test_the_price_of_always_fold_is_three_quarters_of_a_blind() -> None:
    # Lisy and Bowling (2017): always fold gives up 750 mbb/g
    found = play(Match("lbr:wide", "folder", "holdem-nolimit", stack=20, hands=20, duplicate=True)).summary()
    assert found["mean_bb"] == 0.75


@pytest.mark.parametrize(
    ("first", "second", "says"),
    [
        ("lbr:x", "folder", "menu of bets"),
        ("lbr", "average", "does not report"),
        ("lbr:-1", "folder", "menu of bets"),
        ("lbr:c/1", "folder", "2 menus"),
    ],
)
def test_lbr_that_cannot_be(first: str, second: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        make_pair(first, second, table("holdem-nolimit", 20))
    with pytest.raises(UserError, match="lbr plays hold"):
        make_agent("lbr", table("omaha-potlimit"))


def test_local_best_response_decides_alike_for_one_hand_and_for_all() -> None:
    there = table("holdem-nolimit", 20)
    lines = {"": "", "r250": "", "cc/c": "As7d2c", "cc/cc/r150": "As7d2c3s", "cc/cc/cc/c": "As7d2c3s8h"}
    for line, board in lines.items():
        lbr, _ = make_pair("lbr:0.5,1,a", "chart:60,40", there)
        assert isinstance(lbr, LocalBestResponse)
        for name in ("AdKh", "6s5s", "QcQd", "9c4c"):
            deal = Deal((parse_cards(name), parse_cards(name)), parse_cards("As7d2c3s8h"))
            hand = there.hand(deal)  # both seats hold the same cards: either may be the one to act
            for action in parse_betting(line):
                hand.act(action)
            view = hand.view()
            assert view.board == (parse_cards(board) if board else ())
            decision = lbr.decision(view)
            worths = lbr.worths(view, [action for action in decision.actions if action.kind == "r"])
            assert list(worths) == decision.actions
            assert decision.worths is not None
            at = colex(sorted(view.hole))
            np.testing.assert_allclose(decision.worths[:, at], list(worths.values()), rtol=1e-9, atol=1e-6)
            assert lbr.act(view) == max(worths, key=lambda action: worths[action])


def test_local_best_response_follows_an_opponent_that_learns() -> None:
    there = table("holdem-jamfold", 10)
    lbr, chart = make_pair("lbr", "chart:60,40", there)
    assert isinstance(lbr, LocalBestResponse)
    hand = there.hand(Deal((parse_cards("AdKh"), parse_cards("QcQd")), parse_cards("As7d2c3s8h")))
    before = lbr.decision(hand.view())
    assert lbr.decision(hand.view()) is before  # nothing to learn: kept
    chart.memory = True
    assert lbr.decision(hand.view()) is not before
