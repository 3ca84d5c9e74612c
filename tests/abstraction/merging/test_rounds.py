"""Rounds that know little of each other: ranges, parts, and what becomes of both together."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from headsup.abstraction.merging.rounds import (
    Forced,
    Joined,
    Part,
    checked_down,
    part_after,
    parts_from,
    ranges_at,
    solve_parts,
)
from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.betting.rules import DEAL, FOLD
from headsup.games.holdem.vector import Mixture, Place, Strategy, Uniform, VectorGame
from headsup.games.walk.streaming import hand_values
from headsup.games.walk.walk import look_inside
from headsup.measure import measure


@cache
def deck(streets: int = 2) -> VectorGame:
    made = game(f"holdem-nolimit:stack={6 - streets},ranks=4,suits=2,streets={streets},menu=100%, a")
    assert isinstance(made, VectorGame)
    return made


class ByRank:
    """Shares that hang on the ranks of a hand, the decision and the board, so that suits do not matter."""

    def __init__(self, game: VectorGame) -> None:
        from headsup.cards.combos import holdem_combos

        self.game = game
        self.ranks = holdem_combos()[game.showdown.hands[0]].astype(int) // 4  # type: ignore[attr-defined]

    def rows(self, decision: int, board: Place) -> Any:
        """Waves, of lengths that differ."""
        actions = np.arange(int(self.game.betting.count[decision]))[:, None]
        height = self.ranks.sum(axis=1) + 0.3 * abs(np.diff(self.ranks, axis=1)[:, 0])
        ranks = sum(card // 4 for card in board.cards)
        rows = 1.05 + np.cos(0.7 * height * (1 + actions) + decision + 0.13 * ranks)
        return rows / rows.sum(axis=0)


class Restricted:
    """A strategy of the whole game, asked in a part of it."""

    def __init__(self, part: Part, strategy: Strategy) -> None:
        self.part, self.strategy = part, strategy

    def rows(self, decision: int, board: Place) -> Any:
        """The same place by its name in the whole game."""
        part = self.part
        place = Place(board.street + part.street, board.number + part.first[board.street], board.cards)
        return self.strategy.rows(int(part.nodes[decision]), place)


def worth(game: VectorGame, strategy: Strategy) -> float:
    return float(game.weights[0] @ hand_values(game, strategy, 0))


def test_ranges_are_what_a_walk_sees() -> None:
    whole, play = deck(), ByRank(deck())
    for board in (0, 9):
        seen = look_inside(whole, play, 0, [0, board]).reach
        for node in range(int(whole.betting.start[1]), whole.betting.n_nodes, 7):
            ranges = ranges_at(whole, play, node, board)
            for seat in (0, 1):
                np.testing.assert_allclose(ranges[seat], seen[seat][node], atol=1e-12)


@pytest.mark.parametrize(("streets", "street"), [(2, 1), pytest.param(3, 2, marks=pytest.mark.long)])
def test_parts_add_up_to_the_whole(streets: int, street: int) -> None:
    """What ends before the street, and every part times how often it is come to, is the value of the whole game."""
    whole = deck(streets)
    play, betting = ByRank(whole), whole.betting
    value = 0.0
    for node in np.flatnonzero((betting.player == FOLD) & (betting.street < street)).tolist():
        s = int(betting.street[node])
        pays = betting.lose if betting.player[betting.parent[node]] == 0 else betting.win
        for board, stands_for in enumerate(whole.boards.levels[s].count):  # type: ignore[attr-defined]
            met = whole.showdown.mass(ranges_at(whole, play, node, board))
            value += stands_for * whole.chance[s] * met / whole.mass * pays[node, 0]
    parts = dict(parts_from(whole, street, play))
    stands = whole.boards.levels[street - 1].count  # type: ignore[attr-defined]
    for (_, board), part in parts.items():
        comes = stands[board] * whole.chance[street - 1] * part.game.mass / whole.mass
        value += comes * worth(part.game, Restricted(part, play))
    for node in np.flatnonzero((betting.player == DEAL) & (betting.street == street - 1)).tolist():
        for board in range(len(stands)):
            if (node, board) not in parts:  # nobody acts any more
                part = part_after(whole, play, node, board)
                comes = stands[board] * whole.chance[street - 1] * part.game.mass / whole.mass
                value += comes * worth(part.game, Restricted(part, play))
    assert value == pytest.approx(worth(whole, play), abs=1e-10)


@pytest.mark.parametrize(("streets", "street"), [(2, 1), (3, 2), (3, 1)])
def test_joined_again_it_is_the_strategy(streets: int, street: int) -> None:
    whole = deck(streets)
    play = ByRank(whole)
    parts = {key: (part, Restricted(part, play)) for key, part in parts_from(whole, street, play)}
    joined = Joined(whole, street, play, parts)
    random = np.random.default_rng(1)
    for node in np.flatnonzero(whole.betting.player < DEAL).tolist():
        s = int(whole.betting.street[node])
        place = whole.board(s, int(random.integers(whole.boards.sizes()[s])))
        assert (joined.rows(node, place) == play.rows(node, place)).all()


def test_a_part_knows_its_cards_and_payoffs() -> None:
    whole = deck(3)
    deal = whole.betting.find("call, check, check, check")
    part = part_after(whole, Uniform(whole), deal, 5)
    assert part.game.betting.player[0] == DEAL
    assert part.game.streets == 2
    for number in range(part.game.boards.sizes()[1]):
        assert part.game.board(1, number).cards == whole.board(2, part.first[1] + number).cards
    below = whole.betting.win[part.nodes]
    assert (below == part.game.betting.win).all()
    assert part.game.betting.line(1) == ""
    assert "after call, check, check, check on " in part.game.name


def test_checked_down() -> None:
    whole = deck()
    small = checked_down(whole, 1)
    first = slice(int(whole.betting.start[1]))
    assert (small.betting.player[first] == whole.betting.player[first]).all()
    assert small.betting.actions(int(small.betting.entries[1][0])) == ["check"]
    assert measure(small, Mixture(small, 0, 1, 0)).value == pytest.approx(measure(whole, Mixture(whole, 0, 1, 0)).value)


def test_a_line_that_nobody_takes_has_no_ranges() -> None:
    whole = deck()
    calls = Mixture(whole, 0, 1, 0)
    with pytest.raises(UserError, match="nobody ever plays 'raise 6, call' by this strategy"):
        solve_parts(whole, calls, Uniform)
    joined = solve_parts(whole, calls, Uniform, ranges=Forced(whole, calls, 0.1))
    assert len(joined.parts) == 3
    assert measure(whole, joined).exploitability > 0.0
    with pytest.raises(UserError, match="no part after"):
        Joined(whole, 1, calls, {}).rows(int(whole.betting.entries[1][0]), whole.board(1, 0))
    with pytest.raises(UserError, match="is cut before street 1 to 1, not 2"):
        list(parts_from(whole, 2, calls))
    with pytest.raises(UserError, match="begins at a deal"):
        part_after(whole, calls, 0)
    leduc = game("leduc")
    assert len(list(parts_from(leduc.vector(), 1, Uniform(leduc.vector())))) == 5  # type: ignore[union-attr]


def test_forced() -> None:
    whole = deck()
    folds = Forced(whole, Mixture(whole, 1, 0, 0), 0.1)
    rows = folds.rows(0, whole.board(0, 0))
    assert rows[:, 0].tolist() == pytest.approx([0.7, 0.1, 0.1, 0.1])
    with pytest.raises(UserError, match="less than 1/4"):
        Forced(whole, folds, 0.25)
