"""Games nobody thought of: random trees with chance, hidden moves and perfect recall, through every form and solver."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.common.errors import UserError
from headsup.games import CHANCE, TERMINAL, Game, flatten, sequence_form
from headsup.games.contract.game import State
from headsup.games.trees.efg import parse_efg, write_efg
from headsup.measure import measure
from headsup.solve import PRESETS, solve
from headsup.solve.small.lp import normal_lp, optimal_range
from tests import naive_games
from tests.solve import compiled


class RandomGame(Game):
    """A tree drawn from a seed.

    A state is (path, what player 0 knows, what player 1 knows). Before a player moves they see one bit of where they
    are; what they know is everything they saw and did, so nobody forgets. Everything else is drawn from the seed and
    the path, and the number of actions from the seed and what the mover knows.
    """

    name = "random"

    def __init__(self, seed: int, depth: int) -> None:
        self.seed, self.depth, self.params = seed, depth, {}

    def _draw(self, *about: object) -> random.Random:
        return random.Random(repr((self.seed, *about)))

    def _knows(self, state: State) -> str:
        return state[1 + self.player(state)] + str(self._draw("see", state[0]).randrange(2))

    def root(self) -> State:
        return (), "", ""

    def player(self, state: State) -> int:
        if len(state[0]) >= self.depth:
            return TERMINAL
        return self._draw("who", state[0]).choice((CHANCE, 0, 0, 1, 1))

    def actions(self, state: State) -> list[str]:
        about = self._knows(state) if self.player(state) != CHANCE else state[0]
        return ["l", "m", "r"][: self._draw("width", self.player(state), about).randint(1, 3)]

    def chance(self, state: State) -> list[float]:
        weights = [self._draw("odds", state[0], i).randint(1, 5) for i in range(len(self.actions(state)))]
        return [weight / sum(weights) for weight in weights]

    def next(self, state: State, index: int) -> State:
        knows = list(state[1:])
        who = self.player(state)
        if who != CHANCE:
            knows[who] = self._knows(state) + self.actions(state)[index]
        return (*state[0], index), *knows

    def infoset(self, state: State) -> str:
        return self._knows(state)

    def payoff(self, state: State) -> float:
        return round(self._draw("pays", state[0]).uniform(-4, 4), 3)  # so that actions are hardly ever worth the same


games = st.builds(RandomGame, st.integers(0, 10**9), st.integers(1, 5))


@settings(max_examples=60)
@given(games)
def test_measures_and_programs(played: RandomGame) -> None:
    form = sequence_form(played)
    tables = [seat.table(seat.uniform()) for seat in form.seats]
    naive = tuple({name: list(row.values()) for name, row in table.items()} for table in tables)
    result = measure(form, form.uniform())
    assert result.value == pytest.approx(naive_games.expected_value(played, naive), abs=1e-12)
    assert result.best[0] == pytest.approx(naive_games.best_response(played, naive, 0), abs=1e-12)
    assert result.best[1] == pytest.approx(naive_games.best_response(played, naive, 1), abs=1e-12)
    exact = solve(played, "lp")
    assert exact.exploitability < 1e-9
    assert result.best[0] >= exact.value - 1e-9  # a best reply wins at least the value of the game
    assert result.best[1] >= -exact.value - 1e-9
    assert solve(parse_efg(write_efg(played)), "lp").value == pytest.approx(exact.value, abs=1e-9)
    assert solve(played, "lp", algorithm="interior").value == pytest.approx(exact.value, abs=1e-8)
    for seat in (0, 1):
        if form.seats[seat].n_sequences > 1:
            low, high = optimal_range(form, seat, 1)
            assert -1e-9 <= low <= high + 1e-9 <= 1.0 + 1e-6
    try:
        value, plans = normal_lp(form)
    except UserError:
        return  # too many pure strategies
    assert value == pytest.approx(exact.value, abs=1e-9)
    assert sum(form.best_values(plans)) < 1e-9


@compiled
@settings(max_examples=25)
@given(games, st.sampled_from(sorted(PRESETS)))
def test_regret_minimisers(played: RandomGame, method: str) -> None:
    exact = solve(played, "lp")
    slow = naive_games.cfr(played, 8)
    fast = solve(played, "cfr", iterations=8)
    form = sequence_form(played)
    for seat in (0, 1):
        table = form.seats[seat].table(fast.strategy[seat])
        ours = form.seats[seat].plan(fast.strategy[seat])
        theirs = form.seats[seat].plan(form.seats[seat].from_table(_named(table, slow[seat])))
        assert ours == pytest.approx(theirs, abs=1e-7)
    solution = solve(played, method, target=1e-2, iterations=20_000)
    assert solution.exploitability <= 1e-2
    assert abs(solution.value - exact.value) <= solution.epsilon + 1e-9


def _named(table: dict[str, dict[str, float]], rows: naive_games.Strategy) -> dict[str, dict[str, float]]:
    return {name: dict(zip(table[name], row, strict=True)) for name, row in rows.items()}


@settings(max_examples=40)
@given(games)
def test_trees(played: RandomGame) -> None:
    tree = flatten(played)
    assert tree.chance[tree.player == TERMINAL].min() > 0
    again = flatten(parse_efg(write_efg(played)))
    assert again.n_nodes == tree.n_nodes
    assert (again.payoff == tree.payoff).all()
    assert again.chance == pytest.approx(tree.chance)
