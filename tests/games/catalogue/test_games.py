"""The rules of the games against counts and values written by others, and against hand-made checks."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games import flatten, game, sequence_form
from headsup.games.contract.game import CHANCE, TERMINAL, Game, State
from headsup.solve import solve


def lowest(form, seat: int) -> np.ndarray:
    """The strategy that always takes the first action: pass in Kuhn, fold (or check) in Leduc."""
    out = np.zeros(form.seats[seat].n_sequences)
    out[0] = 1.0
    out[form.seats[seat].first[:-1]] = 1.0
    return out


@pytest.mark.parametrize(
    ("name", "nodes", "infosets"),
    [
        ("kuhn", 58, 12),  # OpenSpiel: 58 histories, 12 information states
        ("leduc", 9457, 936),  # OpenSpiel: 9457 histories, 936 information states
        ("liars_dice", 294883, 24576),  # OpenSpiel: 24,576 information states
        ("rps", 13, 2),
        ("spades", 1 + 13 + 156 * 5, 26),
    ],
)
def test_sizes(name: str, nodes: int, infosets: int) -> None:
    tree = flatten(game(name))
    assert tree.n_nodes == nodes
    assert sum(map(len, tree.parents)) == infosets


@pytest.mark.parametrize(
    ("name", "uniform", "always_first"),
    [("kuhn", 11 / 12, 2.0), ("leduc", 4.747222222222222, 2.0)],  # NashConv; OpenSpiel exploitability_test.py
)
def test_nash_conv_of_simple_strategies(name: str, uniform: float, always_first: float) -> None:
    form = sequence_form(game(name))
    assert sum(form.best_values(form.plans(form.uniform()))) == pytest.approx(uniform, abs=1e-12)
    passive = form.plans((lowest(form, 0), lowest(form, 1)))
    assert sum(form.best_values(passive)) == pytest.approx(always_first, abs=1e-12)


def test_kuhn_equilibrium_of_openspiel() -> None:
    """The equilibrium with alpha = 0.2 has NashConv 0 (OpenSpiel exploitability_test.py)."""
    a = 0.2
    first = {
        "J|": {"c": 1 - a, "r": a}, "Q|": {"c": 1, "r": 0}, "K|": {"c": 1 - 3 * a, "r": 3 * a},
        "J|cr": {"f": 1, "c": 0}, "Q|cr": {"f": 2 / 3 - a, "c": 1 / 3 + a}, "K|cr": {"f": 0, "c": 1},
    }  # fmt: skip
    second = {
        "J|c": {"c": 2 / 3, "r": 1 / 3}, "Q|c": {"c": 1, "r": 0}, "K|c": {"c": 0, "r": 1},
        "J|r": {"f": 1, "c": 0}, "Q|r": {"f": 2 / 3, "c": 1 / 3}, "K|r": {"f": 0, "c": 1},
    }  # fmt: skip
    form = sequence_form(game("kuhn"))
    plans = form.plans((form.seats[0].from_table(first), form.seats[1].from_table(second)))
    assert sum(form.best_values(plans)) == pytest.approx(0.0, abs=1e-12)
    assert form.value(plans) == pytest.approx(-1 / 18, abs=1e-12)


RANKS = "23456789TJQKA"


@pytest.mark.parametrize(
    ("jams", "calls", "value"),
    [
        (RANKS, "A", 20 / 13),  # the big blind's -20/13: ho-2015 section 2.1.2, as are the next three
        (
            RANKS,
            "KA",
            44 / 39,
        ),  # printed as 50/39, but the formula printed with it comes to 4/13 + 10/39 - 22/13 = -44/39
        ("89TJQKA", "TJQKA", -1 / 39),
        ("289TJQKA", "9TJQKA", 0.0),
    ],
)
def test_spade_game(jams: str, calls: str, value: float) -> None:
    form = sequence_form(game("spades"))
    small = {f"{r}|": {"r": 1.0} if r in jams else {"f": 1.0} for r in RANKS}
    big = {f"{r}|r": {"c": 1.0} if r in calls else {"f": 1.0} for r in RANKS}
    plans = form.plans((form.seats[0].from_table(small), form.seats[1].from_table(big)))
    assert form.value(plans) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize(("rank", "value"), [("7", -2 / 3), ("5", -2.0)])  # ho-2015 section 2.1.2
def test_spade_game_calls_with_one_card(rank: str, value: float) -> None:
    form = sequence_form(game("spades"))
    always = {f"{r}|": {"r": 1.0} for r in RANKS}
    caller = form.seats[1]
    earns = caller.utility(form.seats[0].plan(form.seats[0].from_table(always)))
    at = [caller.labels.infoset(i) for i in range(13)].index(f"{rank}|r")
    assert 13 * earns[caller.first[at] + 1] == pytest.approx(value, abs=1e-12)


def test_andersson_matrix_is_the_printed_one() -> None:
    """Figure 3.4 of andersson-2006, entry by entry."""
    form = sequence_form(game("andersson"))
    letters = [["0"] + [a for i in range(seat.n_infosets) for a in seat.labels.actions(i)] for seat in form.seats]
    seat = form.seats[0]
    found = {
        letters[0][s] + letters[1][seat.other[k]]: seat.payoff[k]
        for s in range(seat.n_sequences)
        for k in range(seat.start[s], seat.start[s + 1])
    }
    assert found == {
        "kc": 2, "kd": -3, "la": 5, "me": 3, "mf": -1, "ng": -1, "nh": -0.5, "ni": 2,
        "oc": 4, "od": -2, "pa": 5, "qe": -1, "qf": 2, "rg": 1, "rh": 2, "ri": -1,
    }  # fmt: skip


def test_liars_dice_against_counting() -> None:
    """A call is right when fewer dice than bid show the face or the wild highest face."""
    one = game("liars_dice:sides=4")
    seen = 0
    waiting: list[State] = [one.root()]
    while waiting:
        state = waiting.pop()
        if one.player(state) == TERMINAL:
            bids = state[2]
            quantity, face = bids[-2] // 4 + 1, bids[-2] % 4
            count = sum(die in (face, 3) for die in state[:2])
            bidder = (len(bids) - 2) % 2
            wins = 1.0 if count >= quantity else -1.0
            assert one.payoff(state) == (wins if bidder == 0 else -wins)
            seen += 1
        else:
            waiting += [one.next(state, i) for i in range(len(one.actions(state)))]
    assert seen == 16 * (2**8 - 1)


def test_small_holdem_one_round_averages_every_flop() -> None:
    """The run-out's showdown equals an enumeration of all flops with the evaluator."""
    from headsup.cards import parse_cards
    from headsup.evaluate import rank_hands

    one = game("small_holdem:ranks=4,suits=2,rounds=1")
    names = one.hands(0)
    mine, theirs = names.index("KdKc"), names.index("AdQd")
    cards = [c for c in range(4 * 9, 52) if c % 4 < 2]
    hands = [parse_cards("KdKc"), parse_cards("AdQd")]
    total, boards = 0, 0
    for board in combinations([c for c in cards if c not in hands[0] + hands[1]], 3):
        a, b = (int(rank_hands([[*hand, *board]])[0]) for hand in hands)
        total += (a > b) - (a < b)
        boards += 1
    state = (mine, theirs, one.public_next(one.public_next(one.public_root(), 1), 0))
    assert one.player(state) == TERMINAL
    assert one.payoff(state) == pytest.approx(2 * total / boards, abs=1e-12)


def test_small_holdem_two_rounds() -> None:
    one = game("small_holdem:ranks=4,suits=2,raises=1")
    deal = list(one.actions(one.root())).index("AdKc")
    dealt = one.next(one.root(), deal)
    theirs = list(one.actions(dealt)).index("KdQd")
    state = one.next(dealt, theirs)
    for _ in range(2):  # call and check
        state = one.next(state, list(one.actions(state)).index("c"))
    assert one.player(state) == CHANCE
    flops = list(one.actions(state))
    assert len(flops) == 4  # of eight cards, four are held
    assert one.chance(state) == pytest.approx([0.25] * 4)
    state = one.next(state, flops.index("JcJdAc"))
    assert one.player(state) == 1  # the big blind opens after the flop
    assert one.infoset(state) == "KdQd|cc/JcJdAc/"
    for _ in range(2):
        state = one.next(state, 0)
    assert one.player(state) == TERMINAL
    assert one.payoff(state) == 2.0  # two pair, aces up, beats a pair of jacks


def test_nolimit_leduc_never_bets_more_than_the_stack() -> None:
    tree = flatten(game("leduc_nolimit:stack=7"))
    assert np.abs(tree.payoff).max() == 7.0


class Broken(Game):
    """A two-step game with one mistake."""

    name = "broken"

    def __init__(self, mistake: str) -> None:
        self.mistake, self.params = mistake, {}

    def root(self) -> State:
        return ()

    def player(self, state: State) -> int:
        if self.mistake == "player":
            return 2
        return (CHANCE if self.mistake == "chance" else 0) if not state else 0 if len(state) == 1 else TERMINAL

    def actions(self, state: State) -> list[str]:
        if self.mistake == "empty":
            return []
        return ["a", "b", "c"] if self.mistake == "actions" and state == (1,) else ["a", "b"]

    def next(self, state: State, index: int) -> State:
        return (*state, index)

    def chance(self, state: State) -> list[float]:
        return [0.5, 0.4]

    def infoset(self, state: State) -> str:
        return "" if self.mistake == "recall" else str(len(state))

    def payoff(self, state: State) -> float:
        return float("nan") if self.mistake == "payoff" else 1.0


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        ("recall", "imperfect recall"),
        ("forgets", "imperfect recall"),
        ("chance", "add up to 1"),
        ("actions", "same actions"),
        ("player", "has a player 2"),
        ("empty", "offers no action"),
        ("payoff", "finite"),
    ],
)
def test_broken_games_get_one_sentence(mistake: str, words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        flatten(Broken(mistake))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("chess", "there is no game 'chess'"),
        ("leduc:decks=2", "not a parameter of leduc"),
        ("leduc:ranks=two", "whole number"),
        ("leduc:ranks=99", "from 2 to 13"),
        ("leduc:merged=maybe", "true or false"),
        ("small_holdem:ranks=2,suits=2", "at least seven cards"),
        ("nowhere.efg", "cannot be read"),
    ],
)
def test_wrong_names_get_one_sentence(text: str, words: str) -> None:
    with pytest.raises(UserError, match=words):
        game(text)


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("kuhn:ranks=4", {"ranks": 4}),
        ("leduc:ranks=4,merged=true", {"ranks": 4, "merged": True}),
        ("leduc:ranks=4", {"ranks": "4", "merged": False}),
        ("numbers:n=3", {"n": np.int64(3)}),
        ("leduc", {}),
    ],
)
def test_parameters_as_keywords(text: str, params: dict[str, Any]) -> None:
    assert str(game(text.partition(":")[0], **params)) == str(game(text))


@pytest.mark.parametrize(
    ("params", "words"),
    [
        ({"decks": 2}, "'decks' is not a parameter of leduc: it takes ranks=3, suits=2, merged=False"),
        ({"ranks": 3.0}, "ranks of leduc must be a whole number, not 3.0"),
        ({"ranks": True}, "whole number"),
        ({"ranks": None}, "whole number"),
        ({"ranks": "two"}, "whole number, not 'two'"),
        ({"ranks": 99}, "from 2 to 13"),
        ({"merged": 1}, "merged of leduc must be true or false, not 1"),
    ],
)
def test_wrong_keywords_get_one_sentence(params: dict[str, Any], words: str) -> None:
    with pytest.raises(UserError, match=words):
        game("leduc", **params)


def test_parameters_have_one_place() -> None:
    with pytest.raises(UserError, match="ranks of leduc is given twice"):
        game("leduc:ranks=4", ranks=5)
    with pytest.raises(UserError, match="a file, which takes no parameters"):
        game("nowhere.efg", ranks=5)
    with pytest.raises(UserError, match="a game's name is text, not int"):
        game(3)  # type: ignore[arg-type]


@pytest.mark.long
def test_ten_million_nodes() -> None:
    """Leduc with all 52 cards: the plain tree fits in memory, and agrees with the game in which suits are merged."""
    tree = flatten(game("leduc:ranks=13,suits=4"))
    assert tree.n_nodes == 9_984_833
    assert tree.nbytes / tree.n_nodes < 25.1
    form, merged = tree.sequence_form(), sequence_form(game("leduc:ranks=13,suits=4,merged=true"))
    assert form.best_values(form.plans(form.uniform())) == pytest.approx(
        merged.best_values(merged.plans(merged.uniform())), abs=1e-9
    )
    big, small = solve(form, "cfr+", iterations=10), solve(merged, "cfr+", iterations=10)
    assert big.exploitability == pytest.approx(small.exploitability, abs=1e-6)
