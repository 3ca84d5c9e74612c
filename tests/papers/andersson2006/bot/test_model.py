"""Chance among buckets against counting one deal at a time, and models against the game walked state by state."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest

from headsup.abstraction import build_buckets
from headsup.cards.combos import holdem_combos
from headsup.common.errors import UserError
from headsup.evaluate import rank_hands
from headsup.games import game, sequence_form
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import DEAL, FOLD, Betting
from headsup.games.contract.game import CHANCE, TERMINAL, Game
from headsup.games.holdem.vector import VectorGame
from headsup.papers.andersson2006.bot.bucket_chances import BucketChances, count_chances
from headsup.papers.andersson2006.bot.factored import factored_form
from headsup.papers.andersson2006.bot.model import BucketModel


def made_up(sizes: tuple[int, ...] = (2, 3, 2), kinds: int = 1) -> BucketChances:
    """Chances of no real game: any numbers will do for a model."""
    rng = np.random.default_rng(7)
    moves = tuple(rng.integers(1, 9, (kinds if s else 1, kinds, a, b)) for s, (a, b) in enumerate(pairwise(sizes)))
    met = tuple(np.full((kinds if s else 1, n, n), 10) for s, n in enumerate(sizes))
    won = []
    for s, n in enumerate(sizes):
        upper = rng.integers(0, 21, (kinds if s else 1, n, n))
        won.append(np.tril(upper, -1) + 20 - np.tril(upper, -1).transpose(0, 2, 1))
        for one in won[-1]:
            one[np.triu_indices(n, 1)] = (20 - one.T)[np.triu_indices(n, 1)]
            np.fill_diagonal(one, 10)
    return BucketChances("made up", rng.integers(1, 5, sizes[0]), moves, tuple(won), met)


def small_model(**more: Any) -> BucketModel:
    rules = Betting(first=(0, 1, 1), stacks=(600, 600), blinds=(50, 100))
    tree = betting_tree(rules, "100%, a | preflop cap 2 | flop cap 1 | turn cap 1")
    return BucketModel(tree, more.pop("chances", made_up()), **{"last": 2, **more})


class Flat(Game):
    """A model state by state: (buckets of 0, buckets of 1, node), each bucket dealt by a move of chance."""

    unit, name = 1.0, "flat"

    def __init__(self, model: BucketModel) -> None:
        self.model, self.tree = model, model.tree
        self._known = {end.node: end for end in model.ends}

    def root(self) -> Any:
        return (), (), self.model.root

    def _deals(self, state: Any) -> Any:
        mine, other, node = state
        seat = 0 if len(mine) == len(other) else 1
        street = self.model.first + len(state[seat])
        known = state[seat]
        if not known:
            starts = self.model.starts
            return seat, self.model.chances.first() if starts is None else starts[seat]
        kinds = self.model.kind(self.tree.parent[node]), self.model.kind(node)
        return seat, self.model.chances.move(street - 1, kinds)[known[-1]]

    def _waits(self, state: Any) -> bool:
        dealt = len(state[0]) + len(state[1])
        return bool(dealt < 2 * (int(self.tree.street[state[2]]) - self.model.first + 1))

    def _ends(self, node: int) -> Any:
        return self._known.get(node)

    def player(self, state: Any) -> int:
        if self._waits(state):
            return CHANCE
        return TERMINAL if self._ends(state[2]) else int(self.tree.player[state[2]])

    def actions(self, state: Any) -> Any:
        if self._waits(state):
            return [str(i) for i in range(len(self._deals(state)[1]))]
        return self.tree.actions(state[2])

    def chance(self, state: Any) -> Any:
        return [float(one) for one in self._deals(state)[1]]

    def next(self, state: Any, index: int) -> Any:
        mine, other, node = state
        if self._waits(state):
            return ((*mine, index), other, node) if self._deals(state)[0] == 0 else (mine, (*other, index), node)
        after = int(self.tree.child[node]) + index
        if self.tree.player[after] == DEAL and not self._ends(after):
            after = int(self.tree.child[after])
        return mine, other, after

    def infoset(self, state: Any) -> str:
        seat = int(self.tree.player[state[2]])
        return f"{'-'.join(map(str, state[seat]))}|{self.tree.line(state[2])}"

    def payoff(self, state: Any) -> float:
        mine, other, node = state
        paid = self.tree.paid[node] / self.model.unit
        if self.tree.player[node] == FOLD:
            return float(-paid[0] if self.tree.player[self.tree.parent[node]] == 0 else paid[1])
        share = self.model.chances.share(int(self.tree.street[node]), self.model.kind(node))[mine[-1], other[-1]]
        return float(share * paid.sum() - paid[0])


def models() -> dict[str, BucketModel]:
    whole = small_model()
    flop = int(whole.tree.entries[1][1])
    starts = np.array([0.2, 0.3, 0.5]), np.array([0.6, 0.0, 0.4])
    by_pot = [np.zeros(len(one), np.int64) for one in whole.tree.entries]
    by_pot[1][1:], by_pot[2][2:] = 1, 1
    return {
        "whole": whole,
        "without the last street": small_model(last=1),
        "from the flop": small_model(root=flop, starts=starts),
        "buckets by the betting": small_model(chances=made_up(kinds=2), kinds=tuple(by_pot)),
    }


@pytest.mark.parametrize("name", models())
def test_a_model_is_the_game_walked_state_by_state(name: str) -> None:
    model = models()[name]
    form, flat, factored = model.sequence_form(), sequence_form(Flat(model)), factored_form(model)
    assert model.size().sequences == tuple(seat.n_sequences for seat in form.seats)
    rng = np.random.default_rng(1)
    tables = []
    for seat in (0, 1):
        numbers = form.seats[seat].behaviour(rng.random(form.seats[seat].n_sequences))
        tables.append(form.seats[seat].table(numbers))
    plans = [
        one.plans((one.seats[0].from_table(tables[0]), one.seats[1].from_table(tables[1])))
        for one in (form, flat, factored)
    ]
    for one, plan in zip((flat, factored), plans[1:], strict=True):
        assert one.value(plan) == pytest.approx(form.value(plans[0]), abs=1e-12)
        assert one.best_values(plan) == pytest.approx(form.best_values(plans[0]), abs=1e-12)


def test_what_is_too_large_is_refused_with_its_numbers() -> None:
    with pytest.raises(UserError, match=r"100 nodes, .* sequences, [\d,]+ payoffs, .* GB: .* more than 100 payoffs"):
        small_model().sequence_form(most=100)
    with pytest.raises(UserError, match="needs to know in which buckets"):
        small_model(root=int(small_model().tree.entries[1][0]))
    with pytest.raises(UserError, match="3 buckets with shares that add up to 1"):
        small_model(root=int(small_model().tree.entries[1][0]), starts=(np.ones(3), np.ones(3)))


def test_chances_are_those_of_all_deals_one_by_one() -> None:
    small = game("holdem-nolimit:stack=4,ranks=4,suits=2,streets=2,menu=a")
    assert isinstance(small, VectorGame)
    buckets = build_buckets(small, "3-2:ehs")
    found = count_chances(buckets)
    hands = [tuple(holdem_combos()[i].tolist()) for i in buckets.features.hands]
    cards = sorted({card for hand in hands for card in hand})
    start = np.zeros(3, dtype=np.int64)
    moves, won, met = np.zeros((3, 2), np.int64), np.zeros((2, 3, 3), np.int64), np.zeros((2, 3, 3), np.int64)
    before = {hand: buckets.bucket_of(hand, ()) for hand in hands}
    for hand in hands:
        start[before[hand]] += 1
    for board in combinations(cards, 3):
        on = [hand for hand in hands if not {*hand} & {*board}]
        after = {hand: buckets.bucket_of(hand, board) for hand in on}
        values = rank_hands(np.array([[*hand, *board] for hand in on], dtype=np.uint8)).tolist()
        worth = dict(zip(on, values, strict=True))
        for hand in on:
            moves[before[hand], after[hand]] += 1
            for other in on:
                if {*hand} & {*other}:
                    continue
                twice = 2 * (worth[hand] > worth[other]) + (worth[hand] == worth[other])
                for street, held in enumerate((before, after)):
                    met[street, held[hand], held[other]] += 1
                    won[street, held[hand], held[other]] += twice
    assert found.start.tolist() == start.tolist()
    assert found.moves[0][0, 0].tolist() == moves.tolist()
    for street, size in enumerate((3, 2)):
        assert found.met[street][0].tolist() == met[street, :size, :size].tolist()
        assert found.won[street][0].tolist() == won[street, :size, :size].tolist()
    assert BucketChances.read(found.text, found.arrays()).share(1).tolist() == found.share(1).tolist()


def test_drawn_boards_come_near_and_say_how_near() -> None:
    small = game("holdem-nolimit:stack=4,ranks=4,streets=3,menu=a")
    assert isinstance(small, VectorGame)
    buckets = build_buckets(small, "2-2-2:ehs")
    exact, drawn = count_chances(buckets), count_chances(buckets, samples=15, seed=3)
    off = np.abs(drawn.share(1) - exact.share(1))
    assert off.max() > 0.0
    assert (off <= 5 * drawn.errors[1][0] + 1e-9).all()


def test_chances_need_plain_buckets() -> None:
    small = game("holdem-nolimit:stack=4,ranks=4,suits=2,streets=2,menu=a")
    assert isinstance(small, VectorGame)
    with pytest.raises(UserError, match="leave out nested"):
        count_chances(build_buckets(small, "3-2:ehs,nested"))
    with pytest.raises(UserError, match="give it a number"):
        count_chances(build_buckets(small, "*-2:ehs"))


def test_rare_moves_are_left_out_and_the_rest_keeps_its_proportions() -> None:
    chances = made_up()
    common = chances.without_rare(0.3)
    for s in range(2):
        before, after = chances.move(s), common.move(s)
        kept = before >= 0.3
        assert np.array_equal(after > 0, kept)
        assert np.allclose(after.sum(axis=1), 1.0)
        for row, new, those in zip(before, after, kept, strict=True):
            assert np.allclose(new[those] / new[those][0], row[those] / row[those][0])
    assert not all((chances.move(s) >= 0.3).all() for s in range(2))
