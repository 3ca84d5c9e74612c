"""Small hold'em games of every kind, and random play in them, for tests of whatever walks or solves such games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate, pairwise, permutations
from random import Random

import numpy as np

from headsup.cards.combos import holdem_combos
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import DEAL, Betting
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import Place, Strategy, VectorGame, holdem_game
from headsup.games.trees.sequence import SequenceForm
from headsup.games.walk.walk import Policy
from headsup.solve.small.cfr import CfrSolver
from tests import naive_holdem as naive

Cards = tuple[int, ...]
LIMIT2 = Betting(first=(0, 1), blinds=(1, 2), kind="limit", sizes=(2, 4), cap=(3, 1))
LIMIT3 = Betting(first=(0, 1, 1), blinds=(1, 2), kind="limit", sizes=(2, 2, 4), cap=(1, 1, 1))
UNEQUAL = Betting(first=(0, 0), stacks=(9, 14), pot=4)
ANTES = Betting(first=(0, 1, 1), stacks=(9, 7), blinds=(1, 2), antes=(0, 1))
SHORT = Betting(first=(0, 1), stacks=(8, 2), blinds=(1, 2))
NO_CHOICE = Betting(first=(0, 1), stacks=(8, 1), blinds=(1, 2))
POT = Betting(first=(1, 1), stacks=(12, 12), pot=3, kind="pot-limit")
RAKED = Betting(first=(0, 0), stacks=(11, 8), pot=5, rake=0.1, rake_cap=1.0)
RAKED_HAND = Betting(first=(0, 1), stacks=(9, 9), blinds=(1, 2), antes=(1, 1), rake=0.05)
RIVER = Betting(first=(0,), stacks=(20, 20), pot=10)
FLOP = (48, 44, 40)  # Ac Kc Qc
TWO_TONE = (48, 44, 41)  # Ac Kc Qd


@cache
def numbers(text: str, count: int) -> tuple[float, ...]:
    """As many numbers from 0 to 1 as are asked for, by a text; a generator for each takes long to make."""
    random = Random(text)
    return tuple(random.random() for _ in range(count))


def range_of(seed: int, told: bool, empty: float = 0.3) -> np.ndarray:
    """Random weights of the 1,326 combos, some 0; hands that differ by suits alone weigh the same unless `told`."""

    @cache
    def weight(kind: tuple[int, ...]) -> float:
        random = Random(f"{seed} {kind}")
        return 0.0 if random.random() < empty else random.randrange(1, 9) / 8

    combos = holdem_combos().tolist()
    return np.array([weight((a, b) if told else (a // 4, b // 4, a % 4 == b % 4)) for a, b in combos])


def cut(ranges: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """The second player never holds an ace: no hand of one list need be in the other."""
    return ranges[0], np.where((holdem_combos() >= 48).any(axis=1), 0.0, ranges[1])


SPOTS: dict[str, Callable[[bool], VectorGame]] = {
    "limit, two streets": lambda m: holdem_game("a", betting_tree(LIMIT2), streets=(0, 1), ranks=4, suits=2, merged=m),
    "limit, three streets": lambda m: holdem_game(
        "b", betting_tree(LIMIT3), streets=(0, 1, 1), ranks=4, suits=2, merged=m,
        ranges=(range_of(11, False, 0.7), range_of(12, False, 0.7)),
    ),
    "limit, two cards, then one": lambda m: holdem_game(
        "c", betting_tree(LIMIT3), streets=(0, 2, 1), ranks=4, suits=2, merged=m,
        ranges=(range_of(13, False, 0.8), range_of(21, False, 0.8)),
    ),
    "unequal stacks, ranges, a flop": lambda m: holdem_game(
        "d",
        betting_tree(UNEQUAL, "50%, a; a"),
        root=FLOP,
        streets=(0, 1),
        ranks=3,
        suits=4,
        ranges=(range_of(1, False, 0.6), range_of(2, False, 0.6)),
        merged=m,
    ),
    "ranges that tell suits, a dead card": lambda m: holdem_game(
        "e",
        betting_tree(UNEQUAL, "100%; a"),
        root=TWO_TONE,
        streets=(0, 1),
        ranks=3,
        suits=4,
        ranges=cut((range_of(3, True), range_of(4, True))),
        dead=(50,),
        merged=m,
    ),
    "antes of one, three streets": lambda m: holdem_game(
        "f", betting_tree(ANTES, "a | turn 50%; none | flop none"), streets=(0, 1, 1), ranks=3, suits=3, merged=m,
        ranges=(range_of(5, False, 0.6), range_of(6, False, 0.6)),
    ), "all-in by the blinds": lambda m: holdem_game("g", betting_tree(SHORT, "a"), streets=(0, 1), ranks=3, suits=3,
    merged=m), "nobody has a choice": lambda m: holdem_game("l", betting_tree(NO_CHOICE), streets=(0, 1), ranks=3,
    suits=3, merged=m), "pot-limit, three suits": lambda m: holdem_game(
        "h", betting_tree(POT, "100%; 100%"), root=FLOP, streets=(0, 1), ranks=3, suits=3, merged=m, unit=2.0
    ),
    "one street": lambda m: holdem_game(
        "i", betting_tree(RIVER, "50%, a"), root=(*TWO_TONE, 36, 33), streets=(0,), ranks=5, suits=4, merged=m,
        ranges=(range_of(7, False, 0.7), range_of(8, False, 0.7)),
    ),
    "rake, a pot": lambda m: holdem_game(
        "j", betting_tree(RAKED, "75%; a"), root=FLOP, streets=(0, 1), ranks=3, suits=4, merged=m,
        ranges=(range_of(9, False, 0.5), range_of(10, False, 0.5)),
    ), "rake, a hand": lambda m: holdem_game("k", betting_tree(RAKED_HAND, "a"), streets=(0, 2), ranks=4, suits=2,
    merged=m),
}  # fmt: skip
RAKE = ("rake, a pot", "rake, a hand")
ZERO_SUM = tuple(name for name in SPOTS if name not in RAKE)


@cache
def spot(name: str, merged: bool) -> VectorGame:
    """A game of `SPOTS`, made once."""
    return SPOTS[name](merged)


@cache
def flat_form(name: str) -> SequenceForm:
    """The same game written out, made once."""
    from headsup.games.catalogue.flat import FlatHoldem
    from headsup.games.catalogue.forms import sequence_form

    return sequence_form(FlatHoldem(spot(name, False)))


def cards_of(game: VectorGame, seat: int) -> list[Cards]:
    """The cards of each hand of a seat."""
    assert isinstance(game.showdown, Sorted)
    return [tuple(int(c) for c in holdem_combos()[h]) for h in game.showdown.hands[seat]]


def naive_spot(game: VectorGame) -> naive.Spot:
    return naive.spot(game.betting, game.boards, (cards_of(game, 0), cards_of(game, 1)), game.weights)


@cache
def least_renamed(sets: tuple[Cards, ...], orders: tuple[tuple[int, ...], ...]) -> tuple[Cards, ...]:
    """The first of what sets of cards become when suits are renamed in these ways."""
    return min(tuple(tuple(sorted(c - c % 4 + order[c % 4] for c in cards)) for cards in sets) for order in orders)


class RandomPlay:
    """Random shares for every decision, board and hand, some of them 0; the same where suits alone differ."""

    def __init__(self, game: VectorGame, seed: int, suits_alike: bool = True) -> None:
        self.game, self.seed = game, seed
        self.orders = tuple(permutations(range(game.boards.suits))) if suits_alike else ((0, 1, 2, 3),)
        self.hands = (cards_of(game, 0), cards_of(game, 1))
        self.known: dict[tuple[int, Cards, tuple[Cards, ...]], list[float]] = {}

    def shares(self, decision: int, hand: Cards, board: tuple[Cards, ...]) -> list[float]:
        """How often each action is taken."""
        key = decision, hand, board
        if key not in self.known:
            alike = least_renamed((tuple(self.game.boards.root), *board, hand), self.orders)
            every = numbers(f"{self.seed} {decision} {alike}", int(self.game.betting.count[decision]))
            drawn = [max(0.0, number - 0.2) for number in every]
            total = sum(drawn)
            self.known[key] = [one / total if total else 1.0 / len(drawn) for one in drawn]
        return self.known[key]

    def rows(self, decision: int, board: Place) -> np.ndarray:
        """As a strategy of the game."""
        hands, new = self.hands[int(self.game.betting.player[decision])], by_street(self.game, board)
        return np.array([self.shares(decision, hand, new) for hand in hands]).T


def by_street(game: VectorGame, board: Place) -> tuple[Cards, ...]:
    """The new cards of each street after the root."""
    ends = list(accumulate(game.boards.streets[: board.street + 1], initial=len(game.boards.root)))[1:]
    return tuple(board.cards[a:b] for a, b in pairwise(ends))


def decisions(game: VectorGame, street: int) -> list[int]:
    """The decisions of a street."""
    tree = game.betting
    return [n for n in range(int(tree.start[street]), int(tree.start[street + 1])) if tree.player[n] < DEAL]


def places(game: VectorGame) -> list[Place]:
    """Every board of every street."""
    return [game.board(s, b) for s in range(game.streets) for b in range(game.boards.sizes()[s])]


def laid_out(game: VectorGame, play: Strategy) -> Policy:
    """A strategy as arrays: [boards, rows, hands] of every street in turn, for each seat."""
    out: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    for place in places(game):
        for decision in decisions(game, place.street):
            out[int(game.betting.player[decision])].append(play.rows(decision, place).ravel())
    return np.concatenate([[], *out[0]]), np.concatenate([[], *out[1]])


def infoset_names(game: VectorGame, decision: int, board: Place) -> list[str]:
    """What the flat game calls the information set of each of the mover's hands."""
    from headsup.cards.cards import cards_name

    names = game.showdown.names(int(game.betting.player[decision]))
    sorted_hands = isinstance(game.showdown, Sorted)
    shown = "/".join(cards_name(new) for new in by_street(game, board)) if sorted_hands else game.board_name(board)
    line = game.betting.line(decision)
    return [f"{name}|{shown}|{line}" for name in names]


class DrawnPlay:
    """Numbers from 0.01 to 1.01 for every information set: shares if they are made to add up, else regrets.

    From regrets above 0 rounding breaks no ties: see `RandomRegrets` in test_vector.
    """

    def __init__(self, game: VectorGame, shares: bool = False) -> None:
        self.game, self.shares = game, shares

    def rows(self, decision: int, board: Place) -> np.ndarray:
        """By the flat game's names."""
        actions, names = int(self.game.betting.count[decision]), infoset_names(self.game, decision, board)
        drawn = [[numbers(f"{n} {a}", 1)[0] + 0.01 for n in names] for a in range(actions)]
        return np.array(drawn) / (np.sum(drawn, axis=0) if self.shares else 1.0)


@cache
def infosets(game: VectorGame) -> list[tuple[int, int, list[str]]]:
    """The information sets in the order of a solver's arrays: seat, actions, and a name for each hand."""
    return [
        (int(game.betting.player[decision]), int(game.betting.count[decision]), infoset_names(game, decision, place))
        for place in places(game)
        for decision in decisions(game, place.street)
    ]


def by_infoset(
    game: VectorGame, arrays: Sequence[np.ndarray], weights: Sequence[np.ndarray] | None = None
) -> dict[str, tuple[float, np.ndarray]]:
    """Numbers in a solver's arrays by information set: the hand's weight, and a number for each action."""
    weights = game.weights if weights is None else weights
    out, at = {}, [0, 0]
    for seat, actions, names in infosets(game):
        size = actions * len(names)
        rows = arrays[seat][at[seat] : at[seat] + size].reshape(actions, len(names))
        at[seat] += size
        out |= {one: (weights[seat][h], rows[:, h]) for h, one in enumerate(names)}
    assert at == [len(one) for one in arrays]
    return out


def start_flat(form: SequenceForm, solver: CfrSolver, regrets: dict[str, tuple[float, np.ndarray]]) -> None:
    """Give the flat solver these regrets, which it holds times the weight of the hand."""
    arrays = solver.arrays()
    for p, seat in enumerate(form.seats):
        regret, sigma = np.zeros(seat.n_sequences), seat.uniform()
        for i in range(seat.n_infosets):
            weight, row = regrets[seat.labels.infoset(i)]
            here = slice(seat.first[i], seat.first[i + 1])
            regret[here] = weight * row
            if row.max() > 0.0:
                sigma[here] = np.maximum(row, 0.0) / np.maximum(row, 0.0).sum()
        arrays |= {f"regret{p}": regret, f"sigma{p}": sigma, f"plan{p}": seat.plan(sigma)}
    solver.restore(0, arrays)


def check_against_flat(
    game: VectorGame,
    form: SequenceForm,
    seats: Sequence[object],
    flat: CfrSolver,
    weights: Sequence[np.ndarray] | None = None,
) -> int:
    """The regrets and sums of a solver's stores are the flat solver's; how many information sets were compared."""
    regret, total = (
        by_infoset(game, [getattr(seat, name) for seat in seats], weights) for name in ("regret", "cumulative")
    )
    compared, arrays = 0, flat.arrays()
    pairs: list[tuple[np.ndarray, np.ndarray]] = []
    for p, seat in enumerate(form.seats):
        for i in range(seat.n_infosets):
            name, here = seat.labels.infoset(i), slice(seat.first[i], seat.first[i + 1])
            if name not in regret:
                continue  # a board that another one stands for
            compared += 1
            weight, row = regret[name]
            pairs.append((weight * row, arrays[f"regret{p}"][here]))
            pairs.append((total[name][1], weight * arrays[f"total{p}"][here]))
    assert all(len(mine) == len(theirs) for mine, theirs in pairs)
    mine, theirs = (np.concatenate(side) for side in zip(*pairs, strict=True))
    np.testing.assert_allclose(mine, theirs, rtol=0.0, atol=1e-9)
    return compared
