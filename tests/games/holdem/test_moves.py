"""Private moves of chance: cards replaced between streets, against the plain game with every draw written out."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games import CHANCE, TERMINAL, Betting, Game, SequenceForm, betting_tree, sequence_form
from headsup.games.betting.rules import DEAL, FOLD, SHOWDOWN
from headsup.games.contract.game import State
from headsup.games.holdem.boardlist import PlainBoards
from headsup.games.holdem.moves import PrivateMove
from headsup.games.holdem.showdown import Dense
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.plain import PlainWalker
from headsup.games.walk.streaming import hand_values
from headsup.games.walk.walk import Walker
from headsup.solve import PRESETS, solve
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.small.cfr import CfrSolver
from tests import naive_games as naive
from tests.holdem_spots import DrawnPlay, by_infoset, check_against_flat, infosets, laid_out, start_flat

CARDS = 6
HANDS = [(c,) for c in range(CARDS)] + list(permutations(range(CARDS), 2))
"""A card, or a card and the one that it replaced, which is dead."""
NUMBER = {hand: i for i, hand in enumerate(HANDS)}
TREE = betting_tree(Betting(first=(0, 1), antes=(1, 1), kind="limit", sizes=(1, 2), cap=(1, 1)))
ODDS = 1 / (CARDS - 2), 1 / (CARDS - 3)
"""Of each player's draw, given both hands and, for player 1, who draws second, what the other drew."""
OWN = [np.array([1.0 if len(hand) == 1 else odds for hand in HANDS]) for odds in ODDS]
"""What chance gives each hand: the flat game's regrets are times that."""
DEALS = np.flatnonzero(TREE.player == DEAL).tolist()


def draws(node: int, seat: int) -> bool:
    """Player 0 always gets a new card after the first round, player 1 only if there was a bet."""
    return seat == 0 or "bet" in TREE.line(node)


def strength(card: int, board: tuple[int, ...]) -> int:
    return (card + sum(board)) % CARDS


@cache
def swap(public: bool) -> VectorGame:
    """A card each, one round, new cards by `draws` (and a public one), a second round; the stronger card wins."""
    boards = [(c,) for c in range(CARDS)] if public else [()]
    first, last, signs = np.zeros((1, len(HANDS), len(HANDS))), *np.zeros((2, len(boards), len(HANDS), len(HANDS)))
    for i, mine in enumerate(HANDS):
        for j, theirs in enumerate(HANDS):
            if not set(mine) & set(theirs):
                first[0, i, j] = len(mine) == len(theirs) == 1
                for b, board in enumerate(boards):
                    if not set(board) & {*mine, *theirs}:
                        last[b, i, j] = 1 / (CARDS - len(mine) - len(theirs)) if public else 1.0
                        signs[b, i, j] = np.sign(strength(mine[0], board) - strength(theirs[0], board))
    before, after = np.array([(NUMBER[old,], NUMBER[new, old]) for new, old in permutations(range(CARDS), 2)]).T
    moves = {
        (node, p): PrivateMove(before, after, np.full(len(before), ODDS[p]))
        for node in DEALS
        for p in (0, 1)
        if draws(node, p)
    }
    weights = np.array([float(len(hand) == 1) for hand in HANDS])
    return VectorGame(
        "swap", TREE, PlainBoards([[boards]]), Dense([first, last], signs), (weights, weights), np.ones(2), moves=moves
    )


class Swap(Game):
    """The same, card by card: (), (hand,), then (hand, hand, node, board), hands as in HANDS."""

    name = "swap"

    def __init__(self, public: bool) -> None:
        self.public = public

    def root(self) -> State:
        return ()

    def player(self, state: State) -> int:
        kind = DEAL if len(state) < 2 else int(TREE.player[state[2]])
        return CHANCE if kind == DEAL else TERMINAL if kind in (FOLD, SHOWDOWN) else kind

    def after(self, state: State) -> list[State]:
        """What may come next."""
        if len(state) < 2:
            dealt = [(*state, (c,)) for c in range(CARDS) if (c,) not in state]
            return [(*one, 0, ()) for one in dealt] if state else dealt
        mine, theirs, node, board = state
        child = int(TREE.child[node])
        if TREE.player[node] != DEAL:
            return [(mine, theirs, child + i, board) for i in range(int(TREE.count[node]))]
        left, out = [c for c in range(CARDS) if c not in (*mine, *theirs)], []
        both = draws(node, 1)
        for new in permutations(left, 1 + both + self.public):
            hands = (new[0], *mine), (new[1], *theirs) if both else theirs
            out.append((*hands, child, new[1 + both :]))
        return out

    def actions(self, state: State) -> list[str]:
        if self.player(state) == CHANCE:
            return [str(one) for one in self.after(state)]
        return TREE.actions(state[2])

    def next(self, state: State, index: int) -> State:
        return self.after(state)[index]

    def chance(self, state: State) -> list[float]:
        n = len(self.after(state))
        return [1 / n] * n

    def infoset(self, state: State) -> str:
        hand = state[self.player(state)]
        return f"{NUMBER[hand]}|{' '.join(map(str, state[3]))}|{TREE.line(state[2])}"

    def payoff(self, state: State) -> float:
        mine, theirs, node, board = state
        won = strength(mine[0], board) > strength(theirs[0], board)
        if TREE.player[node] == FOLD:
            won = TREE.player[TREE.parent[node]] == 1
        return float(TREE.win[node, 0] if won else TREE.lose[node, 0])


@cache
def flat_swap(public: bool) -> SequenceForm:
    return sequence_form(Swap(public))


def by_name(game: VectorGame, play: DrawnPlay) -> tuple[naive.Strategy, naive.Strategy]:
    found: tuple[naive.Strategy, naive.Strategy] = ({}, {})
    rows = by_infoset(game, laid_out(game, play))
    for seat, _, names in infosets(game):
        found[seat].update((name, rows[name][1].tolist()) for name in names)
    return found


@pytest.mark.parametrize("public", [False, True])
def test_values_and_best_replies_are_the_plain_game_s(public: bool) -> None:
    game, plain = swap(public), Swap(public)
    play = DrawnPlay(game, shares=True)
    tables = by_name(game, play)
    values = [float(game.weights[p] @ hand_values(game, play, p)) for p in (0, 1)]
    best = [float(game.weights[p] @ hand_values(game, play, p, best=True)) for p in (0, 1)]
    value = naive.expected_value(plain, tables)
    assert values == pytest.approx([value, -value], abs=1e-9)
    assert best == pytest.approx([naive.best_response(plain, tables, p) for p in (0, 1)], abs=1e-9)
    assert PlainWalker(game).best_values(laid_out(game, play)) == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("method", PRESETS)
@pytest.mark.parametrize("public", [False, True])
def test_iterations_are_the_flat_game_s(public: bool, method: str) -> None:
    game, form = swap(public), flat_swap(public)
    first = laid_out(game, DrawnPlay(game))
    solver, flat = VectorCfr(game, PRESETS[method], store="float64"), CfrSolver(form, PRESETS[method])
    for p, seat in enumerate(solver.stores.seats):
        seat.regret[:] = first[p]
        if solver.stores.predictive:
            seat.prediction[:] = first[p]
    start_flat(form, flat, by_infoset(game, first, OWN))
    for _ in range(4):
        solver.step(1)
        flat.step(1)
        assert solver.best_values() == pytest.approx(form.best_values(flat.plans()), abs=1e-9)
    compared = check_against_flat(game, form, solver.stores.seats, flat, OWN)
    assert compared == sum(seat.n_infosets for seat in form.seats) > 300


def test_a_move_is_its_matrix() -> None:
    rng = np.random.default_rng(5)
    before, after, weight = rng.integers(0, 7, 20), rng.integers(0, 7, 20), rng.random(20)
    matrix, vector = np.zeros((7, 7)), rng.random(7)
    np.add.at(matrix, (before, after), weight)
    move = PrivateMove(before, after, weight)
    np.testing.assert_allclose(move.down(vector), vector @ matrix, atol=1e-12)
    np.testing.assert_allclose(move.up(vector), matrix @ vector, atol=1e-12)


def test_it_is_solved_and_the_linear_program_agrees() -> None:
    found, exact = solve(swap(False), "cfr+", iterations=100), solve(Swap(False), "lp")
    assert found.exploitability < 0.02
    assert found.value == pytest.approx(exact.value, abs=0.02)


def test_moves_are_in_the_checksum() -> None:
    game = swap(False)
    one = {place: move for place, move in game.moves.items() if place[1] == 0}
    heavier = {place: move._replace(weight=2 * move.weight) for place, move in game.moves.items()}
    sums = {replace(game, moves=moves).checksum for moves in (game.moves, one, heavier, {}, dict(game.moves))}
    assert len(sums) == 4


def test_refusals() -> None:
    game = swap(False)
    with pytest.raises(UserError, match="swap has private moves of chance, so it is walked in NumPy"):
        Walker(game)
    with pytest.raises(UserError, match="swap has private moves of chance: write its plain game"):
        sequence_form(game)
    move = next(iter(game.moves.values()))
    with pytest.raises(UserError, match="belongs to a deal of the betting and a player, not to 0, 0"):
        replace(game, moves={(0, 0): move})
    with pytest.raises(UserError, match="leads beyond its 36 hands"):
        replace(game, moves={(DEALS[0], 1): move._replace(after=move.after + 1)})
