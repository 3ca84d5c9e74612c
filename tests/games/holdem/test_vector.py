"""Games of betting, boards and showdowns: small poker games in that form, and properties of random ones."""

from __future__ import annotations

from functools import cache
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from headsup.cards.combos import holdem_combos
from headsup.common.errors import UserError
from headsup.games import game, sequence_form
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import DEAL, Betting
from headsup.games.catalogue.poker import Poker
from headsup.games.holdem.vector import Place, Uniform, VectorGame, holdem_game
from headsup.games.walk.streaming import hand_values
from headsup.games.walk.walk import Walker
from tests.holdem_spots import RandomPlay, numbers, range_of

SMALL = [
    "kuhn",
    "kuhn:ranks=7",
    "leduc",
    "leduc:merged=true",
    "leduc_nolimit",
    "leduc_nolimit:stack=4,raises=1",
    "numbers:n=4,stack=4",
    "spades",
    "small_holdem:ranks=4,suits=2,raises=1",
    "small_holdem:ranks=3,suits=3,rounds=1",
]


class ByName:
    """A strategy given by the small game's own names of information sets."""

    def __init__(self, poker: Poker, vector: VectorGame, seed: int) -> None:
        self.poker, self.vector, self.seed = poker, vector, seed
        self.shown = cache(self._shown)

    def shares(self, infoset: str, actions: int) -> list[float]:
        drawn = numbers(f"{self.seed} {infoset}", actions)
        return [one / sum(drawn) for one in drawn]

    def _shown(self, cards: tuple[int, ...]) -> list[str]:
        """The names of the new cards of each street."""
        names: list[str] = []
        for known, after in pairwise(accumulate(self.poker.board)):
            if after <= len(cards):
                deals = self.poker.deck.boards(cards[:known], after - known)
                names.append(next(name for name, board in deals if board == cards[:after]))
        return names

    def rows(self, decision: int, board: Place) -> np.ndarray:
        """`letters` puts a slash where a street begins; the small game puts its cards between two of them."""
        streets, shown = self.vector.betting.letters(decision).split("/"), self.shown(board.cards)
        text = streets[0] + "".join(f"/{name}/{bets}" for name, bets in zip(shown, streets[1:], strict=True))
        actions = int(self.vector.betting.count[decision])
        return np.array([self.shares(f"{hand}|{text}", actions) for hand in self.poker.deck.names]).T


@pytest.mark.parametrize("name", SMALL)
def test_small_games_are_their_sequence_form(name: str) -> None:
    poker = game(name)
    assert isinstance(poker, Poker)
    vector, form = poker.vector(), sequence_form(poker)
    assert (str(vector), vector.unit) == (str(poker), poker.unit)
    for play in (Uniform(vector), ByName(poker, vector, 1)):
        profile = form.uniform()
        if isinstance(play, ByName):
            for seat, sigma in zip(form.seats, profile, strict=True):
                for i in range(seat.n_infosets):
                    a, b = seat.first[i], seat.first[i + 1]
                    sigma[a:b] = play.shares(seat.labels.infoset(i), b - a)
        plans = form.plans(profile)
        values = [float(vector.weights[p] @ hand_values(vector, play, p)) for p in (0, 1)]
        best = [float(vector.weights[p] @ hand_values(vector, play, p, best=True)) for p in (0, 1)]
        assert values == pytest.approx([form.value(plans), -form.value(plans)], abs=1e-12)
        assert best == pytest.approx(form.best_values(plans), abs=1e-12)


@pytest.mark.parametrize(
    "name", ["kuhn", "leduc", "leduc_nolimit:stack=4,raises=1", "small_holdem:ranks=3,suits=3,rounds=1"]
)
def test_flat_games_of_matrices_are_the_small_games(name: str) -> None:
    poker = game(name)
    form, other = sequence_form(poker), sequence_form(poker.vector())
    assert [seat.n_sequences for seat in other.seats] == [seat.n_sequences for seat in form.seats]
    plans = form.plans(form.uniform()), other.plans(other.uniform())
    assert other.value(plans[1]) == pytest.approx(form.value(plans[0]), abs=1e-12)
    assert other.best_values(plans[1]) == pytest.approx(form.best_values(plans[0]), abs=1e-12)


def test_compiled_walks_want_hold_em_hands() -> None:
    with pytest.raises(UserError, match="leduc has no sorted showdown, so it is walked in NumPy"):
        Walker(game("leduc").vector())


def test_every_number_of_a_game_must_fit() -> None:
    leduc, kuhn = game("leduc").vector(), game("kuhn").vector()
    parts = leduc.betting, leduc.boards, leduc.showdown, leduc.weights, leduc.chance
    assert repr(leduc) == "<leduc: 6 + 30 decisions, 1 + 6 boards, 6 and 6 hands>"
    assert leduc.infosets() == (3 * 6 + 15 * 6 * 6, 3 * 6 + 15 * 6 * 6)
    assert int((leduc.betting.player < DEAL).sum()) == 36
    with pytest.raises(UserError, match="the betting has 1 streets and the boards 2"):
        VectorGame("wrong", kuhn.betting, *parts[1:])
    with pytest.raises(UserError, match="player 1 has 6 hands"):
        VectorGame("wrong", *parts[:3], (leduc.weights[0], np.ones(5)), leduc.chance)
    with pytest.raises(UserError, match="no two hands of the two ranges"):
        VectorGame("wrong", *parts[:3], (np.zeros(6), np.zeros(6)), leduc.chance).mass  # noqa: B018


def test_hands_are_in_the_checksum() -> None:
    """Two ranges of as many hands, all of weight 1, on the same board."""
    tree, sums = betting_tree(Betting(first=(0,), stacks=(9, 9), pot=4), "a"), set()
    for pairs in ((12, 11), (12, 10), (11, 12), (12, 11)):
        first, second = ((holdem_combos() // 4 == rank).all(axis=1).astype(float) for rank in pairs)
        sums.add(holdem_game("a", tree, root=(0, 1, 4, 8, 12), streets=(0,), ranges=(first, second)).checksum)
    assert len(sums) == 3
    assert game("leduc").vector().checksum == game("leduc").vector().checksum != game("kuhn").vector().checksum


# --- random games ---------------------------------------------------------------------------------------------------

MENUS = ["a", "50%", "100%; a", "50%, a; none", "e; a", "33%, 75%; 2.5x", "none", "2c; 2x | cap 2"]
DECKS: list[dict[str, Any]] = [
    {"ranks": 3, "suits": 3, "streets": (0, 1)},
    {"ranks": 4, "suits": 2, "streets": (0, 1, 1)},
    {"ranks": 3, "suits": 4, "streets": (0, 1), "root": (48, 44, 40)},
    {"ranks": 4, "suits": 3, "streets": (0, 1), "root": (48, 49, 44), "dead": (36,)},
    {"ranks": 4, "suits": 2, "streets": (0, 2)},
]


@st.composite
def random_games(draw: st.DrawFn) -> tuple[VectorGame, VectorGame, float]:
    """A game up to suits, the same with all suits, and how much of the pot the house may take."""
    deck = draw(st.sampled_from(DECKS))
    streets = len(deck["streets"])
    stacks = draw(st.tuples(st.integers(1, 12), st.integers(1, 12)))
    rake = draw(st.sampled_from([0.0, 0.0, 0.07]))
    rules: dict[str, Any] = {"stacks": stacks, "rake": rake, "rake_cap": draw(st.sampled_from([0.5, 3.0]))}
    if draw(st.booleans()):
        antes = draw(st.sampled_from([(0, 0), (1, 1), (0, 1)]))
        rules |= {"first": (0, 1, 1)[:streets], "blinds": (1, 2), "antes": antes}
    else:
        rules |= {"first": (draw(st.integers(0, 1)),) * streets, "pot": draw(st.integers(1, 6))}
    if draw(st.booleans()):
        rules |= {"kind": "limit", "sizes": (2,) * streets, "cap": (draw(st.integers(1, 3)),) * streets}
        tree = betting_tree(Betting(**rules))
    else:
        tree = betting_tree(Betting(**rules), draw(st.sampled_from(MENUS)) + " | cap 3 | merge 20%")
    told, seed = draw(st.booleans()), draw(st.integers(0, 100))
    ranges = (range_of(seed, told), range_of(seed + 1, told))
    short, full = (holdem_game("random", tree, ranges=ranges, merged=merged, **deck) for merged in (True, False))
    return short, full, rake


@settings(max_examples=4)
@given(random_games(), st.integers(0, 1000))
def test_random_games_keep_their_promises(games: tuple[VectorGame, VectorGame, float], seed: int) -> None:
    short, full, rake = games
    assume(short.showdown.mass(short.weights) > 0.0)
    pot = short.betting.rules.pot
    for play, other in ((Uniform(short), Uniform(full)), (RandomPlay(short, seed), RandomPlay(full, seed))):
        earned = 0.0
        for seat in (0, 1):
            value, best = hand_values(short, play, seat), hand_values(short, play, seat, best=True)
            np.testing.assert_allclose(value, hand_values(full, other, seat), rtol=0.0, atol=1e-10)
            assert (best >= value - 1e-10).all()
            earned += float(short.weights[seat] @ value)
        if rake:
            assert pot - rake * (pot + 2 * min(short.betting.rules.stacks)) - 1e-10 <= earned <= pot + 1e-10
        else:
            assert earned == pytest.approx(pot, abs=1e-10)
