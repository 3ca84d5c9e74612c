"""Solved spots: against the linear program, against another solver's answers, and hand by hand against a slow count."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import comb

import numpy as np
import pytest

from headsup.cards.cards import card_name, parse_cards
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import DataError, UserError
from headsup.games.betting.rules import DEAL, FOLD
from headsup.games.holdem.spot import Spot
from headsup.solve import Solution, solve
from headsup.spots.solve import SpotSolution, solve_spot
from tests import naive
from tests.solve import compiled

OOP = "66+,A8s+,A5s-A4s,AJo+,K9s+,KQo,QTs+,JTs,96s+,85s+,75s+,65s,54s"
IP = "QQ-22,AQs-A2s,ATo+,K5s+,KJo+,Q8s+,J8s+,T7s+,96s+,86s+,75s+,64s+,53s+"
RIVER = Spot("Td9d6hQc2s", OOP, IP, 200, 900, bets="60%, a", raises="2.5x")
TURN = RIVER.with_(board="Td9d6hQc")
FLOP = Spot("QsJh2h", OOP, IP, 180, 910, bets="52%", raises="2.5x")
SMALL = Spot("Td9d6hQc2s", "AA,T9s,KJs,87s", "QQ,AQs,J8s,55", 20, 50, bets="50%, a", raises="3x")

# The turn Ks7s2s5s with four ranks left in three suits that nothing tells apart: 12 live cards, 4 rivers up to suits.
LIVE = {rank + suit for rank in "AKQ3" for suit in "cdh"}
DEAD = "".join(one for one in naive.DECK if one not in LIVE and one not in ("Ks", "7s", "2s", "5s"))
TINY = Spot("Ks7s2s5s", "AA,QQ,AQ:0.5", "KK,33,AK", 10, 30, bets="50%, a", raises="a", turn="50%; none", dead=DEAD)


def exact_value(spot: Spot, algorithm: str = "simplex") -> float:
    """By the linear program on the flat tree, which is zero-sum: each player is thought to have put in half the pot."""
    exact = solve(spot.game(), "lp", algorithm=algorithm)
    assert exact.exploitability == pytest.approx(0.0, abs=1e-7)
    return exact.value + spot.pot / 2.0


def test_a_river_against_the_linear_program() -> None:
    found = solve_spot(SMALL, 0.0005, store="float64")
    assert found.exploitability_pot <= 0.0005
    assert found.value_oop == pytest.approx(exact_value(SMALL), abs=2.1 * found.exploitability_pot * SMALL.pot)
    assert found.value_oop + found.value_ip == SMALL.pot


@pytest.mark.long
def test_a_river_with_whole_ranges_against_the_linear_program() -> None:
    """167 against 246 hands and two sizes: 92.77403."""
    found = solve_spot(RIVER, 0.0002)
    exact = exact_value(RIVER, "interior")
    assert exact == pytest.approx(92.774028, abs=1e-5)
    assert found.value_oop == pytest.approx(exact, abs=2.1 * found.exploitability_pot * RIVER.pot)


def test_two_sizes_and_unequal_stacks_against_the_linear_program() -> None:
    spot = SMALL.with_(stack=(70, 30), bets="33%, 100%", raises="50%", menu="cap 2")
    found = solve_spot(spot, 0.001, store="float64")
    assert found.value_oop == pytest.approx(exact_value(spot), abs=2.1 * found.exploitability_pot * spot.pot)


def test_a_turn_against_the_linear_program() -> None:
    found = solve_spot(TINY, 0.001, store="float64")
    assert found.value_oop == pytest.approx(exact_value(TINY), abs=2.1 * found.exploitability_pot * TINY.pot)


def storage(spot: Spot) -> int:
    """How many numbers postflop-solver keeps of a tree: regrets, averages, values of the player in position where
    a street begins, and at each chance node those of the player who did not close the street.
    """
    game, total = spot.game(), 0
    betting, sizes = game.betting, game.showdown.sizes
    for s, boards in enumerate(game.boards.sizes()):
        rows = sum(int(game.rounds.rows[p, s]) * sizes[p] for p in (0, 1))
        begin = sum(int(betting.player[node]) < DEAL for node in betting.entries[s])
        deals = [
            node for node in range(int(betting.start[s]), int(betting.start[s + 1])) if betting.player[node] == DEAL
        ]
        closers = [int(betting.player[betting.parent[node]]) for node in deals if betting.parent[node] >= 0]
        total += boards * (2 * rows + begin * sizes[1] + sum(sizes[1 - p] for p in closers if p < DEAL))
    return total


@pytest.mark.parametrize(
    ("spot", "whole", "half"),
    [(RIVER, 206_180, 179_256), (TURN, 12_338_772, 6_534_600), (FLOP, 877_200_480, 456_514_530)],
    ids=["river", "turn", "flop"],
)
def test_trees_are_those_of_another_solver(spot: Spot, whole: int, half: int) -> None:
    """postflop-solver's memory in float32 less that in int16 is two bytes for every number that it keeps."""
    assert 2 * storage(spot) == whole - half


@compiled
def test_the_river_of_another_solver() -> None:
    """postflop-solver: 92.773 and 107.227 at 0.01 % of the pot, check 68.7 %, bet 31.3 %, equity 51.6174 %."""
    found = solve_spot(RIVER, 0.0001)
    assert found.value_oop == pytest.approx(92.773, abs=2 * 2 * 0.0001 * 200)
    assert found.equity_oop == pytest.approx(0.516174, abs=5e-7)
    assert found.actions == ["check", "bet 120", "all-in 900"]
    assert found.frequencies == pytest.approx([0.687, 0.313, 0.0], abs=0.01)


@compiled
@pytest.mark.long
def test_the_turn_of_another_solver() -> None:
    """postflop-solver: 92.694 and 107.306 at 0.1 % of the pot, check 92.2 %, bet 7.8 %, equity 53.0603 %."""
    found = solve_spot(TURN, 0.001)
    assert found.value_oop == pytest.approx(92.694, abs=2 * 2 * 0.001 * 200)
    assert found.equity_oop == pytest.approx(0.530603, abs=5e-7)
    assert found.frequencies == pytest.approx([0.922, 0.078, 0.0], abs=0.02)


@compiled
@pytest.mark.long
def test_the_flop_of_another_solver() -> None:
    """postflop-solver: 98.166 and 81.834 at 0.1 % of the pot, check 58.1 %, bet 41.9 %, equity 54.0917 %."""
    found = solve_spot(FLOP, 0.005)
    assert found.value_oop == pytest.approx(98.166, abs=2 * (0.001 + 0.005) * 180)
    assert found.equity_oop == pytest.approx(0.540917, abs=5e-7)
    assert found.actions == ["check", "bet 94"]
    assert found.frequencies == pytest.approx([0.581, 0.419], abs=0.05)


@compiled
def test_values_add_up_to_the_pot_less_the_rake() -> None:
    spot = SMALL.with_(rake="5%/2")
    found = solve_spot(spot, 0.02, store="float64")
    taken = spot.pot - found.value_oop - found.value_ip
    assert 1.0 <= taken <= 2.0  # a twentieth of at least 20 chips, and at most the cap
    view = found.at("")
    assert view.totals["ev"] == pytest.approx(found.value_oop)
    assert found.value_ip == pytest.approx(SpotSolution.of(found.solution).value_ip)


@compiled
def test_saved_loaded_and_gone_on_with(tmp_path) -> None:
    found = solve_spot(SMALL, None, iterations=40, store="float64", checkpoint=tmp_path / "run")
    found.save(tmp_path / "a.sol")
    again = SpotSolution.load(tmp_path / "a.sol")
    assert again.spot == SMALL
    assert again.summary() == found.summary()
    assert again.at("check").as_dict() == found.at("check").as_dict()
    assert Solution.load(tmp_path / "a.sol").played_form().checksum == found.game.checksum  # type: ignore[union-attr]
    more = solve_spot(SMALL, None, iterations=60, store="float64", checkpoint=tmp_path / "run")
    assert more.iterations == 60
    assert more.frequencies == solve_spot(SMALL, None, iterations=60, store="float64").frequencies
    other = SMALL.with_(oop="KK,T9s,KJs,87s")  # as many hands as before
    with pytest.raises(UserError, match="is of another game"):
        solve_spot(other, None, iterations=60, store="float64", checkpoint=tmp_path / "run")
    solve("kuhn", iterations=1).save(tmp_path / "kuhn.sol")
    with pytest.raises(DataError, match="a solution of kuhn, not of a spot"):
        SpotSolution.load(tmp_path / "kuhn.sol")


@compiled
@pytest.mark.long
def test_int16_is_nearly_as_good() -> None:
    found = solve_spot(SMALL, 0.005, store="int16")
    assert found.exploitability_pot <= 0.005
    assert found.memory.stores < solve_spot(SMALL, 0.005).memory.stores


class Slow:
    """Both strategies of a solution through its views, and everything else by the plainest of sums."""

    def __init__(self, found: SpotSolution) -> None:
        self.found, self.betting, self.views = found, found.game.betting, {}
        spot = found.spot
        self.held = []
        for one in spot.ranges:
            cards = {c: w for c, w in zip(found_combos(), one.weights, strict=True) if w > 0.0}
            self.held.append(cards)
        self.board = [card_name(c) for c in spot.cards]
        self.live = [c for c in naive.DECK if c not in self.board and c not in naive.split_cards(spot.dead)]

    def share(self, line: list[str], hand: tuple[str, ...], action: int) -> float:
        text = ", ".join(line)
        if text not in self.views:
            view = self.found.at(text)
            order = {frozenset(naive.split_cards(name)): i for i, name in enumerate(view.hands)}
            self.views[text] = view, order
        view, order = self.views[text]
        return float(view.frequencies[action, order[frozenset(hand)]])

    def reach(self, seat: int, hand: tuple[str, ...], line: list[str]) -> float:
        node, total = 0, self.held[seat][hand]
        for i, step in enumerate(line):
            if step in naive.DECK:
                node = int(self.betting.child[node])
                total = 0.0 if step in hand else total
                continue
            action = self.betting.actions(node).index(step)
            if total and self.betting.player[node] == seat:
                total *= self.share(line[:i], hand, action)
            node = int(self.betting.child[node]) + action
        return total

    def worth(self, node: int, line: list[str], hands: list[tuple[str, ...]], seat: int) -> float:
        """What a seat wins on average from a node on, with both hands known."""
        betting, came = self.betting, [c for c in line if c in naive.DECK]
        player = int(betting.player[node])
        if player == FOLD:
            lost = int(betting.player[betting.parent[node]]) == seat
            return float((betting.lose if lost else betting.win)[node, seat])
        if player == DEAL:
            cards = [c for c in self.live if c not in came and c not in hands[0] and c not in hands[1]]
            below = int(betting.child[node])
            return sum(self.worth(below, [*line, c], hands, seat) for c in cards) / len(cards)
        if player > DEAL:
            mine, theirs = (max_key(hands[p], self.board + came) for p in (seat, 1 - seat))
            win, lose = float(betting.win[node, seat]), float(betting.lose[node, seat])
            return win if mine > theirs else lose if mine < theirs else (win + lose) / 2.0
        total = 0.0
        for a, name in enumerate(betting.actions(node)):
            share = self.share(line, hands[player], a)
            if share:
                total += share * self.worth(int(betting.child[node]) + a, [*line, name], hands, seat)
        return total

    def equity(self, mine: tuple[str, ...], theirs: tuple[str, ...], came: list[str]) -> float:
        cards = [c for c in self.live if c not in came and c not in mine and c not in theirs]
        boards = [self.board + came] if len(self.board + came) == 5 else [[*self.board, *came, c] for c in cards]
        keys = [(max_key(mine, board), max_key(theirs, board)) for board in boards]
        return sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in keys) / len(keys)


def found_combos() -> list[tuple[str, ...]]:
    """All two-card hands in colex order, by name."""
    return [(naive.DECK[a], naive.DECK[b]) for b in range(52) for a in range(b)]


def max_key(hand: tuple[str, ...], board: list[str]) -> tuple:
    return key_of(frozenset((*hand, *board)))


@cache
def key_of(cards: frozenset[str]) -> tuple:
    return naive.best_key([naive.DECK.index(c) for c in cards])


@pytest.fixture(scope="module")
def tiny() -> SpotSolution:
    if JIT_DISABLED:
        pytest.skip("views walk many boards: too slow without compilation")
    return solve_spot(TINY, None, iterations=8, store="float64")


@pytest.mark.parametrize(
    "line",
    ["", "check", "bet 5", "check, check, 3d", "check, bet 5, call, Qh, check", "check, check, Ac, bet 5, all-in 30"],
)
def test_every_number_of_a_view_against_a_slow_count(tiny: SpotSolution, line: str) -> None:
    slow, view = Slow(tiny), tiny.at(line)
    some = 5 if line else 15  # of so many hands one is enough: the slow count looks at every river
    steps = [step for step in line.split(", ") if step]
    seat, came = ("oop", "ip").index(view.player), [step for step in steps if step in naive.DECK]
    node, betting = 0, tiny.game.betting
    for step in steps:
        node = int(betting.child[node]) + (0 if step in naive.DECK else betting.actions(node).index(step))
    paid = int(betting.paid[node, seat])
    possible = {hand for hand in slow.held[seat] if not set(hand) & set(came)}
    assert {frozenset(naive.split_cards(name)) for name in view.hands} == {frozenset(hand) for hand in possible}
    weights = []
    for i, name in enumerate(view.hands):
        mine = tuple(sorted(naive.split_cards(name), key=naive.DECK.index))
        against = [
            (hand, slow.reach(1 - seat, hand, steps)) for hand in slow.held[1 - seat] if not set(hand) & set(mine)
        ]
        met = sum(w for _, w in against)
        assert view.reach[i] == pytest.approx(slow.reach(seat, mine, steps))
        weights.append(view.reach[i] * met)
        if not met:
            assert np.isnan(view.equity[i])
            continue
        assert view.equity[i] == pytest.approx(sum(w * slow.equity(mine, hand, came) for hand, w in against) / met)
        if i % some == 0:
            for a, action in enumerate(view.actions):
                below = int(betting.child[node]) + a
                total = 0.0
                for hand, w in against:
                    hands = [mine, hand] if seat == 0 else [hand, mine]
                    total += w * slow.worth(below, [*steps, action], hands, seat) if w else 0.0
                assert view.ev[a, i] == pytest.approx(total / met + paid, abs=1e-9)
    np.testing.assert_allclose(view.weights, np.array(weights) / sum(weights), atol=1e-12)


def test_suits_that_nothing_tells_apart_play_alike(tiny: SpotSolution) -> None:
    for card, (a, b) in product("3AQ", ["cd", "ch", "dh"]):
        first, second = (tiny.at(f"check, check, {card}{suit}") for suit in (a, b))
        swap = str.maketrans(a + b, b + a)
        renamed = [frozenset(naive.split_cards(name.translate(swap))) for name in first.hands]
        order = [[frozenset(naive.split_cards(name)) for name in second.hands].index(one) for one in renamed]
        np.testing.assert_allclose(second.frequencies[:, order], first.frequencies)
        np.testing.assert_allclose(second.ev[:, order], first.ev)


def test_both_views_share_the_pot(tiny: SpotSolution) -> None:
    view = tiny.at("check, check, 3d")
    assert view.pot == 10
    root = tiny.at()
    assert root.totals["ev"] == pytest.approx(tiny.value_oop)
    assert root.totals["frequencies"] == pytest.approx(tiny.frequencies)
    assert root.totals["equity"] == pytest.approx(tiny.equity_oop)
    assert view.grid().shape == (len(view.actions), 169)
    assert set(view.columns()) >= {"hand", "class", "reach", "equity", "value", "ev check"}
    assert root.hand("AA")["combos"] == comb(3, 2)
    assert root.hand("AcAd")["frequencies"]["check"] == pytest.approx(root.hand("AcAh")["frequencies"]["check"])
    assert parse_cards(view.board)[-1] == parse_cards("3d")[0]


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("fly", "'fly' is not an action"),
        ("check, bet 7", "'bet 7' is not possible here, where there is check, bet 5"),
        ("check, 3d", "'3d' cannot come here: the betting of the street is not over"),
        ("check, check", "after 'check, check' comes the river: add a card"),
        ("check, check, check", "the river comes before 'check': write a card"),
        ("check, check, Ks", "Ks is on the board or dead already"),
        ("check, check, 8d", "8d is on the board or dead already"),
        ("bet 5, fold", "the hand is over and nobody acts"),
    ],
)
def test_lines_that_lead_nowhere(tiny: SpotSolution, line: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        tiny.at(line)


def test_what_cannot_be_asked(tiny: SpotSolution) -> None:
    with pytest.raises(UserError, match="oop has no hand '22' here"):
        tiny.at().hand("22")
    with pytest.raises(UserError, match="spots are solved by cfr"):
        solve_spot(SMALL, method="lp")
    with pytest.raises(UserError, match="the target must be above 0"):
        solve_spot(SMALL, 0.0)
