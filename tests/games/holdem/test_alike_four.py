"""Four-card hands that are alike share a column: showdowns pair by pair, walks over all hands, solvers and memory."""

from __future__ import annotations

from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.combos import omaha_combos
from headsup.common.arrays import AnyArray
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.holdem.layout import FourAlike, new_showdown_buffers, tiled
from headsup.games.holdem.showdown_kernels import against_lines
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import VectorGame, holdem_game
from headsup.games.walk.kernels import walk_part
from headsup.solve import PRESETS
from headsup.solve.holdem.store import alike_columns, kinds
from headsup.solve.holdem.vector import VectorCfr, planned, shares_columns
from headsup.solve.records.solution import Locks
from headsup.spots.solve import SpotSolution, solve_spot
from tests.games.holdem.alike_walks import check_walks_over_all_hands
from tests.games.holdem.test_four import shares

BOARDS = {  # with the number of renamings that leave them alone
    "monotone river": ("Ac3c4c8cKc", "A2348K", 6),
    "river of two suits": ("Ac3c4c8dKd", "A2348K", 2),
    "river of two pairs": ("AcAd4c4dKh", "A2348K", 2),
    "monotone turn": ("Ac3c8cKc", "A238K", 6),
    "monotone flop": ("Ac3c8c", "A238", 6),
    "paired flop": ("AcAd8h", "A238", 2),
    "flop of three suits": ("Ac3d8h", "A238", 1),
}


@cache
def made(board: str, name: str, lopsided: bool = False) -> tuple[VectorGame, FourAlike]:
    """A game with a deck of few ranks, and random ranges; unless lopsided, these treat alike suits alike."""
    text, ranks, _ = BOARDS[board]
    root, rng = parse_cards(text), np.random.default_rng(5)
    dead = [card for card in range(52) if "23456789TJQKA"[card // 4] not in ranks and card not in root]
    suits = np.sort(omaha_combos() // 4 * 5 + _suit_kinds(omaha_combos() % 4, root), axis=1)
    _, kind = np.unique(suits @ 65 ** np.arange(4)[::-1], return_inverse=True)
    ranges = rng.random((2, kind.max() + 1)) * (rng.random((2, kind.max() + 1)) < (0.07 if len(root) == 5 else 0.6))
    weights = [ranges[seat][kind] for seat in (0, 1)]
    if lopsided:
        weights[1] = rng.random(len(weights[1]))
    streets = (0, 1, 1)[: 6 - len(root)]
    betting = Betting(first=(0,) * len(streets), stacks=(9, 9), pot=4, kind="pot-limit")
    tree = betting_tree(betting, "pot")
    game = holdem_game(name, tree, root=root, streets=streets, ranges=(weights[0], weights[1]), dead=dead, game=name)
    columns = alike_columns(game)
    assert isinstance(columns, FourAlike)
    return game, columns


def _suit_kinds(suits: AnyArray, root: tuple[int, ...]) -> AnyArray:
    """A number for each suit by its ranks on the board: suits with the same ranks have the same number."""
    ranks = [tuple(sorted(card // 4 for card in root if card % 4 == suit)) for suit in range(4)]
    return np.array([sorted(set(ranks)).index(each) for each in ranks])[suits]


@pytest.mark.parametrize(
    ("board", "name"),
    [
        ("monotone river", "omaha"),
        ("monotone river", "omaha8"),
        ("river of two suits", "omaha8"),
        ("river of two pairs", "omaha"),
    ],
)
def test_showdowns_are_counted_as_pair_by_pair(board: str, name: str) -> None:
    game, columns = made(board, name)
    rng, sizes = np.random.default_rng(2), (int(columns.hands.wide[0, 0]), int(columns.hands.wide[1, 0]))
    apart, share = shares(list(game.boards.root), game.showdown.hands, name == "omaha8")  # type: ignore[attr-defined]
    sets = columns.hands.four.part.shape[1]
    for seat in (0, 1):
        weigh, won = (apart, share) if seat == 0 else (apart.T, 1.0 - share.T)
        stand, column = columns.standing(seat, 0), columns.columns(1 - seat, 0)
        for lines in (1, 17):
            reach = rng.random((lines + 8, sizes[1 - seat]))
            buffers = new_showdown_buffers(0, sizes, sets=sets)
            beaten, met = np.zeros((2, tiled(lines), tiled(max(sizes))))
            buffers = buffers._replace(beaten=beaten, met=met)
            against_lines(reach, np.arange(lines, dtype=np.int32), lines, columns.hands, 0, seat, buffers)
            every = reach[:lines, column]
            np.testing.assert_allclose(met[:lines, : sizes[seat]], every @ weigh.T[:, stand], rtol=0.0, atol=1e-9)
            right = every @ (weigh * won).T[:, stand]
            np.testing.assert_allclose(beaten[:lines, : sizes[seat]], right, rtol=0.0, atol=1e-9)


@pytest.mark.parametrize("board", BOARDS)
def test_columns_are_the_hands_that_renamings_carry_to_each_other(board: str) -> None:
    game, columns = made(board, "omaha8")
    hands, root = columns.hands, set(game.boards.root)
    group = [p for p in permutations(range(4)) if {card // 4 * 4 + p[card % 4] for card in root} == root]
    assert len(group) == BOARDS[board][2]
    for seat in (0, 1):
        cards = omaha_combos()[game.showdown.hands[seat]].tolist()  # type: ignore[attr-defined]
        orbits = [frozenset(frozenset(card // 4 * 4 + p[card % 4] for card in hand) for p in group) for hand in cards]
        column = columns.columns(seat, 0)
        assert len(set(zip(orbits, column.tolist(), strict=True))) == len(set(orbits)) == int(hands.wide[seat, 0])
        assert hands.four.size[hands.four.group[0], seat, column].tolist() == [len(orbit) for orbit in orbits]
        wide = [int(hands.wide[seat, a:b].sum()) for a, b in zip(hands.start, hands.start[1:], strict=False)]
        assert kinds(game, seat) == wide
        assert column[columns.standing(seat, 0)].tolist() == list(range(len(set(orbits))))
        for b in range(1, int(hands.start[-1])):  # the values of a board's hands, added up over all that it stands for
            n, row = int(hands.wide[seat, b]), int(hands.link[seat, b])
            renamings = hands.renaming[hands.first[b] : hands.first[b + 1]]
            s = int(np.searchsorted(hands.start, b, side="right")) - 1
            parent = int(hands.start[s - 1]) + int(game.boards.levels[s].parent[b - int(hands.start[s])])
            value = np.arange(1.0, n + 1.0) ** 0.5
            there = np.bincount(hands.above[row, :n], weights=hands.times[row, :n] * value)
            right = sum(value[columns.columns(seat, b)[game.showdown.renamed(seat, int(r))]] for r in renamings)
            np.testing.assert_allclose(there[columns.columns(seat, parent)], right, rtol=1e-12)


@pytest.mark.parametrize(
    ("board", "name"),
    [
        ("monotone river", "omaha8"),
        ("river of two pairs", "omaha"),
        ("monotone turn", "omaha8"),
        ("monotone flop", "omaha8"),
        pytest.param("monotone flop", "omaha", marks=pytest.mark.long),
        pytest.param("paired flop", "omaha8", marks=pytest.mark.long),
        pytest.param("flop of three suits", "omaha8", marks=pytest.mark.long),
    ],
)
def test_walks_are_those_over_all_hands(board: str, name: str) -> None:
    game, columns = made(board, name)

    def compared(here: AnyArray, there: AnyArray, p: int) -> tuple[AnyArray, AnyArray]:
        blocked = columns.folded(columns.unfolded(np.ones_like(here), p), p) * 0.0
        return here + blocked, columns.folded(there, p)

    check_walks_over_all_hands(game, columns, compared)
    if hasattr(walk_part, "signatures"):
        four = {str(signature[2]) for signature in walk_part.signatures if "FourCardOrders" in str(signature[2])}
        assert len(four) == 1  # or the compiler would do everything twice


@pytest.mark.parametrize("store", ["float64", pytest.param("int16", marks=pytest.mark.long)])
def test_a_solver_returns_and_keeps_everything_hand_by_hand(store: str) -> None:
    game, _ = made("monotone turn", "omaha8")
    straight, resumed = (VectorCfr(game, PRESETS["cfr+"], store=store, threads=1) for _ in range(2))
    assert straight.stores.alike is not None
    straight.step(4)
    resumed.restore(4, {name: array.copy() for name, array in straight.arrays().items()})
    straight.step(3)
    resumed.step(3)
    for name, array in straight.arrays().items():
        assert np.array_equal(array, resumed.arrays()[name]), name
    usual = VectorCfr(game, PRESETS["cfr+"], store=store, threads=1, alike=False)
    usual.restore(7, straight.arrays())
    assert usual.best_values() == pytest.approx(straight.best_values(), abs=1e-12 if store == "float64" else 1e-5)
    assert usual.measure().best == pytest.approx(straight.measure().best, abs=1e-12)
    straight.step(60)
    usual = VectorCfr(game, PRESETS["cfr+"], store=store, threads=1, alike=False)
    usual.step(67)
    assert straight.exploitability() == pytest.approx(usual.exploitability(), rel=0.05)  # zeros are rounded differently


def test_a_lock_separates_the_hands_again() -> None:
    game, _ = made("monotone river", "omaha")
    solver = VectorCfr(game, PRESETS["cfr+"], threads=1)
    solver.step(2)
    before, chances = solver.arrays(), np.zeros((int(game.rounds.count[0]), game.showdown.sizes[0]))
    chances[1] = 1.0
    hand = np.arange(game.showdown.sizes[0]) == 7
    solver.lock(Locks.at(game, 0, [0], [chances], [hand], "one hand bets"))
    assert solver.stores.alike is None
    for name, array in solver.arrays().items():
        if name.endswith("1"):
            assert np.array_equal(array, before[name]), name
    solver.step(3)
    rows, column = solver.strategy().rows(0, game.board(0, 0)), made("monotone river", "omaha")[1].columns(0, 0)
    assert rows[1, 7] == 1.0
    alike = (column == column[7]) & ~hand
    assert alike.any()
    assert (rows[1, alike] < 1.0).all()


def test_columns_are_shared_where_that_pays() -> None:
    assert shares_columns(made("monotone river", "omaha")[0])
    assert shares_columns(made("monotone flop", "omaha8")[0])
    assert not shares_columns(made("flop of three suits", "omaha8")[0])
    lopsided, columns = made("monotone river", "omaha", lopsided=True)
    assert kinds(lopsided) == [lopsided.showdown.sizes[0]]  # a range that treats suits differently
    assert not shares_columns(lopsided)
    assert np.array_equal(columns.columns(1, 0), np.arange(lopsided.showdown.sizes[1]))
    game = made("monotone river", "omaha")[0]
    assert not shares_columns(game, False)
    assert not shares_columns(game, floor=0.01)
    with pytest.raises(UserError, match="cannot share columns"):
        shares_columns(game, True, floor=0.01)


@pytest.mark.parametrize("name", ["omaha", "omaha8"])
def test_memory_that_was_announced_is_taken(name: str) -> None:
    game = made("monotone turn", name)[0]
    solver = VectorCfr(game, PRESETS["dcfr"], threads=2)
    need = planned(game, "dcfr", {"threads": 2})
    usual = planned(game, "dcfr", {"threads": 2, "alike": False})
    assert need == solver.memory
    assert need.stores == sum(array.nbytes for array in solver.stores.in_place().values()) < 0.6 * usual.stores
    assert need.total < 0.75 * usual.total
    assert solver.stores.alike is not None
    hands = solver.stores.alike.hands
    orders = (hands.order, hands.strength, hands.four.order, hands.four.strength)
    assert need.boards == pytest.approx(sum(array.nbytes for array in orders), rel=0.02)
    workspaces = solver.walker._workspaces  # type: ignore[attr-defined]
    taken = sum(_bytes(tuple(workspace)) for workspace in workspaces) + solver.walker._parts.nbytes  # type: ignore[attr-defined]
    assert need.work == pytest.approx(taken, rel=0.03)


def _bytes(arrays: object) -> int:
    if isinstance(arrays, np.ndarray):
        return int(arrays.nbytes)
    return sum(map(_bytes, arrays)) if isinstance(arrays, tuple) else 0


@pytest.mark.parametrize("name", ["omaha", "omaha8"])
def test_a_spot_is_saved_resumed_and_exploited(name: str, tmp_path: Path) -> None:
    spot = Spot("As8s7s3sQs", "AA:22,QQ88", "A2:KK,7733", 60, 100, bets="pot", variant=name)
    answer = solve_spot(spot, 0.002, store="float64")
    assert answer.memory.stores < 0.4 * sum(2 * 8 * int(at[-1]) for at in answer.game.layout)
    slow = VectorCfr(answer.game, PRESETS["dcfr-holdem"], store="float64", alike=False)
    slow.step(answer.iterations)
    other = slow.measure()
    assert answer.solution.exploitability == pytest.approx(other.exploitability, rel=0.1)
    assert answer.value_oop == pytest.approx(
        other.values[0], abs=2.0 * (answer.solution.exploitability + other.exploitability)
    )
    answer.save(tmp_path / "spot.headsup")
    again = SpotSolution.load(tmp_path / "spot.headsup")
    further = again.resume(0.001)
    assert further.exploitability_pot <= 0.001
    assert again.exploit("oop").gains == pytest.approx(answer.exploit("oop").gains, abs=1e-9)
    view = again.lock("QQ88: check").resume(0.01).at()
    assert view.frequencies[view.actions.index("check"), view.chosen("QQ88")] == pytest.approx(1.0)
