"""Bets read as other bets: the rules of reading, and a strategy among more bets against a player who remembers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.abstraction.bets.sizes import METHODS, Sizes, chance_of_lower, chances, pot_fractions
from headsup.abstraction.bets.translation import Seats, Translated, forgetful
from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import DEAL, Betting, Move
from headsup.games.holdem.bucketed import BucketStrategy, bucket_layout
from headsup.games.holdem.vector import ArrayStrategy, Place, Uniform, VectorGame
from headsup.measure import measure
from tests import naive_betting
from tests.bucket_makers import in_parts
from tests.naive_translation import play_out
from tests.solve import compiled

SPOT = "holdem-nolimit:stack=5,ranks=4,suits=2,streets=2,menu="


def a_game(menu: str, stack: int = 5) -> VectorGame:
    made = game(SPOT.replace("stack=5", f"stack={stack}") + menu)
    assert isinstance(made, VectorGame)
    return made


class Drawn:
    """Shares drawn at random for every decision, board and hand; some are 0."""

    def __init__(self, game: VectorGame, seed: int) -> None:
        self.game, self.seed = game, seed

    def rows(self, decision: int, board: Place) -> Any:
        """Drawn again each time it is asked, from the same seed."""
        random = np.random.default_rng((self.seed, decision, board.street, board.number))
        shape = int(self.game.betting.count[decision]), self.game.showdown.sizes[0]
        drawn = random.random(shape) * (random.random(shape) < 0.7)
        drawn[random.integers(shape[0])] += 0.01
        return drawn / drawn.sum(axis=0)


# --- sizes ------------------------------------------------------------------------------------------------------------


def test_the_papers_example() -> None:
    """andersson-2006, section 4.4: a bet of 3 into 10 is a check with 40 %, half the pot with 60 %."""
    readings = dict(chances(3 / 10, [0.0, 0.5, 1.0, 2.0], "linear"))
    assert readings == pytest.approx({0: 0.4, 1: 0.6})
    tree = betting_tree(Betting(first=(0,), stacks=(100, 100), pot=10), "50%, 100%, 200%, a")
    check, half = tree.find("check"), tree.find("bet 5")
    assert dict(Sizes(tree).read(0, Move.BET, 0.3, "linear")) == pytest.approx({check: 0.4, half: 0.6})
    assert Sizes(tree).read(0, Move.BET, 0.3, "nearest") == [(half, 1.0)]  # "treated as a 50% bet"


def test_pseudo_harmonic() -> None:
    """Ganzfried and Sandholm 2013: f(x) = (B - x)(1 + A) / ((B - A)(1 + x)); halfway between 0 and 1 it is a third."""
    assert chance_of_lower(0.5, 0.0, 1.0, "harmonic") == pytest.approx(1 / 3)
    assert chance_of_lower(1 / 3, 0.0, 1.0, "harmonic") == pytest.approx(1 / 2)
    assert chance_of_lower(0.3, 0.0, 0.5, "harmonic") == pytest.approx(0.2 / (0.5 * 1.3))


MENUS = st.lists(st.floats(0.01, 50.0), min_size=1, max_size=6, unique=True).map(lambda sizes: [0.0, *sorted(sizes)])


@given(MENUS, st.floats(0.0, 100.0), st.sampled_from(METHODS))
def test_chances(sizes: list[float], x: float, method: str) -> None:
    readings = chances(x, sizes, method)
    assert sum(p for _, p in readings) == pytest.approx(1.0)
    assert all(0.0 < p <= 1.0 for _, p in readings)
    assert [i for i, _ in readings] == sorted({i for i, _ in readings})
    for i, size in enumerate(sizes):
        assert chances(size, sizes, method) == [(i, 1.0)]
    for i, _ in readings:  # its neighbours, or the greatest
        assert i == len(sizes) - 1 or x <= sizes[i + 1]
        assert i == 0 or sizes[i - 1] <= x


@given(MENUS, st.floats(0.0, 60.0), st.floats(0.0, 60.0), st.sampled_from(METHODS))
def test_larger_bets_are_read_as_larger(sizes: list[float], x: float, y: float, method: str) -> None:
    """The chance to be read as any size or less falls as the bet grows."""
    small, large = (dict(chances(fraction, sizes, method)) for fraction in sorted((x, y)))
    for most in range(len(sizes)):
        at_most = [sum(p for i, p in reading.items() if i <= most) for reading in (small, large)]
        assert at_most[0] >= at_most[1] - 1e-12


@given(st.integers(1, 8))
def test_shares_are_free_of_scale(times: int) -> None:
    once, more = (Betting(first=(0, 1), stacks=(240 * n, 240 * n), blinds=(12 * n, 24 * n)) for n in (1, times))
    trees = betting_tree(once, "50%, 100%, a"), betting_tree(more, "50%, 100%, a")
    np.testing.assert_array_equal(trees[0].amount * times, trees[1].amount)
    np.testing.assert_allclose(pot_fractions(trees[0]), pot_fractions(trees[1]))


def test_shares_are_those_of_the_menu() -> None:
    rules = Betting(first=(0, 1, 1), stacks=(4000, 4000), blinds=(50, 100), antes=(10, 10))
    tree = betting_tree(rules, "50%, 100%")
    fractions = pot_fractions(tree)
    bets = np.flatnonzero((tree.kind == Move.BET) | (tree.kind == Move.RAISE))
    assert len(bets) > 20
    assert np.minimum(abs(fractions[bets] - 0.5), abs(fractions[bets] - 1.0)).max() < 0.005  # chips are whole
    assert not fractions[tree.kind < Move.BET].any()
    spot = betting_tree(Betting(first=(0,), stacks=(60, 60), pot=30), "50%, a")
    assert pot_fractions(spot)[spot.find("bet 15, all-in 60")] == pytest.approx(45 / 60)


def test_what_the_menu_lacks() -> None:
    tree = betting_tree(Betting(first=(0,), stacks=(100, 100), pot=10), "100%; none | - check")
    sizes, bet = Sizes(tree), tree.find("bet 10")
    assert sizes.read(0, Move.CHECK, 0.0, "linear") == [(bet, 1.0)]  # the nearest thing to a check
    assert sizes.read(bet, Move.RAISE, 2.0, "linear") == [(tree.find("bet 10, call"), 1.0)]
    assert sizes.read(bet, Move.ALLIN, 9.0, "harmonic") == [(tree.find("bet 10, call"), 1.0)]
    assert sizes.nearest(bet, 1.0) is None
    assert chances(7.0, [0.0, 1.0]) == [(1, 1.0)]


# --- strategies -------------------------------------------------------------------------------------------------------

WIDE = [("%", 20), ("%", 50), ("%", 75), ("%", 100), ("a",)]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("menu", "narrow"),
    [
        ("50%, 100%, a", [[("%", 50), ("%", 100), ("a",)]]),
        ("75%; none", [[("%", 75)], []]),
    ],
)
def test_it_plays_as_one_who_remembers(method: str, menu: str, narrow: list[list[Any]]) -> None:
    """Against two tables with chips on them: every line, every hand, and how often it is come to and acted so."""
    large, small = a_game("20%, 50%, 75%, 100%, a", 6), a_game(menu, 6)
    rules = naive_betting.Rules(openers=(0, 1), stacks=(12, 12), blinds=(1, 2))
    menus = tuple(
        naive_betting.Sizes({(street, seat): lists for street in (0, 1) for seat in (0, 1)})
        for lists in ([WIDE], narrow)
    )
    for seed, seat, number in ((1, 0, 3), (2, 1, 11)):
        drawn = Drawn(small, seed)
        play, boards = Translated(large, small, drawn, method), (large.board(0, 0), large.board(1, number))
        assert large.boards.levels[1].parent[number] == 0

        def shares(line: tuple[str, ...], drawn: Drawn = drawn, boards: Any = boards) -> Any:
            node = small.betting._dealt(small.betting.find(", ".join(line)))
            return drawn.rows(node, boards[int(small.betting.street[node])])

        acts: dict[tuple[str, ...], dict[str, Any]] = {}
        tables = naive_betting.Table(rules), naive_betting.Table(rules)
        play_out(*tables, menus, seat, method, shares, np.ones(large.showdown.sizes[seat]), acts)
        tree, reach = large.betting, {0: np.ones(large.showdown.sizes[seat])}  # of each node, by what is played there
        lines = {tree._dealt(tree.find(", ".join(line))): acted for line, acted in acts.items()}
        assert len(lines) == len(acts) > 30
        for node in range(tree.n_nodes):
            below = range(int(tree.child[node]), int(tree.child[node]) + int(tree.count[node]))
            rows = play.rows(node, boards[int(tree.street[node])]) if tree.player[node] == seat else np.ones(len(below))
            reach.update({c: reach[node] * row for c, row in zip(below, rows, strict=True)})
            if tree.player[node] != seat:
                continue
            np.testing.assert_allclose(rows.sum(axis=0), 1.0)
            acted = lines.get(node, dict.fromkeys(tree.actions(node), np.zeros(len(reach[node]))))
            assert list(acted) == tree.actions(node)
            np.testing.assert_allclose(reach[node] * rows, np.stack(list(acted.values())), atol=1e-12)


def test_between_equal_menus_it_is_the_same_strategy() -> None:
    large, small = a_game("50%, 100%, a"), a_game("50%, 100%, a")
    drawn = Drawn(small, 5)
    play = Translated(large, small, drawn)
    for node in np.flatnonzero(large.betting.player < DEAL):
        board = large.board(int(large.betting.street[node]), 0)
        np.testing.assert_allclose(play.rows(int(node), board), drawn.rows(int(node), board), atol=1e-12)


@settings(max_examples=10, deadline=None)
@given(
    st.sampled_from(
        ["a", "100%", "50%, 200%; 100%", "cap 2 | 100%, a", "100%, a | - call", "flop none | 50%, a", "none"]
    ),
    st.sampled_from(METHODS),
    st.integers(2, 7),
)
def test_every_row_is_a_strategy(menu: str, method: str, stack: int) -> None:
    """Whatever the small game lacks, every hand shares out 1 at every decision."""
    large, small = a_game("25%, 50%, 100%, 200%, a", stack), a_game(menu, stack)
    play = Translated(large, small, Drawn(small, stack), method)
    for node in np.flatnonzero(large.betting.player < DEAL):
        rows = play.rows(int(node), large.board(int(large.betting.street[node]), 0))
        np.testing.assert_allclose(rows.sum(axis=0), 1.0)
        assert (rows >= 0.0).all()


def test_limps_where_there_were_none() -> None:
    """Read as the smallest raise; what would be folded to that is checked."""
    large, small = a_game("100%, a"), a_game("100%, a | - call")
    play, drawn = Translated(large, small, Drawn(small, 3)), Drawn(small, 3)
    rows = play.rows(large.betting.find("call"), large.board(0, 0))
    read = small.betting.find("raise 6")
    shares = dict(zip(small.betting.actions(read), drawn.rows(read, small.board(0, 0)), strict=True))
    assert large.betting.actions(large.betting.find("call")) == ["check", "raise 6", "all-in 10"]
    np.testing.assert_allclose(rows[0], shares["fold"] + shares["call"])
    np.testing.assert_allclose(rows[2], shares["all-in 10"])


@compiled
def test_it_is_measured_as_it_is() -> None:
    """`measure` asks the strategy itself, not the one within; in arrays it is the same."""
    large, small = a_game("50%, 75%, a"), a_game("50%, a")
    play = Translated(large, small, Uniform(small), "linear")
    measured, kept = measure(large, play), measure(large, ArrayStrategy.of(large, play))
    assert measured.best == pytest.approx(kept.best, abs=1e-12)
    assert measured.values == pytest.approx(kept.values, abs=1e-12)
    assert measured.exploitability != pytest.approx(measure(large, Uniform(large)).exploitability, abs=1e-3)


def test_a_strategy_for_each_seat() -> None:
    """Own actions removed and all of the other's known: nothing has to be read."""
    large, small = a_game("50%, 100%, a"), a_game("50%, 100%, a | p0 100%, a")
    drawn = Drawn(small, 1)
    both = Seats(large, Translated(large, small, drawn, "nearest"), Uniform(large))
    for node in np.flatnonzero(large.betting.player == 1).tolist():
        board = large.board(int(large.betting.street[node]), 0)
        assert (both.rows(node, board) == Uniform(large).rows(node, board)).all()
    for place in np.flatnonzero(small.betting.player == 0).tolist():  # its own lines
        node, board = large.betting.find(small.betting.letters(place)), small.board(int(small.betting.street[place]), 0)
        assert small.betting.line(place) == large.betting.line(node)
        rows = dict(zip(large.betting.actions(node), both.rows(node, board), strict=True))
        known = [rows[name] for name in small.betting.actions(place)]
        np.testing.assert_allclose(known, drawn.rows(place, board), atol=1e-12)


def test_refusals() -> None:
    small = a_game("50%, a")
    with pytest.raises(UserError, match="does not offer 'raise 4' at first, which the strategy"):
        Translated(a_game("100%, a"), small, Uniform(small))
    with pytest.raises(UserError, match=r"differ in their stacks: \(10, 10\) in .*, \(12, 12\) in"):
        Translated(a_game("50%, a", 6), small, Uniform(small))
    other = game("holdem-nolimit:stack=5,ranks=5,suits=2,streets=2,menu=50%, a")
    assert isinstance(other, VectorGame)
    with pytest.raises(UserError, match="other boards or hands"):
        Translated(other, small, Uniform(small))
    with pytest.raises(UserError, match="nearest, linear, harmonic, not by 'best'"):
        Translated(small, small, Uniform(small), "best")


def by_bucket(game: VectorGame, seed: int) -> BucketStrategy:
    """A strategy in a few buckets, drawn at random."""
    buckets, rng = in_parts(game, (3, 4)), np.random.default_rng(seed)
    numbers = [rng.random(bucket_layout(game, buckets, seat).size) for seat in (0, 1)]
    return BucketStrategy(game, buckets, (numbers[0], numbers[1]))


def test_who_forgets_readings_plays_as_who_remembers_where_there_is_but_one() -> None:
    many, few = a_game("50%, 100%, a"), a_game("100%, a; a")
    strategy = by_bucket(few, 3)
    forgetful_strategy, remembered = forgetful(many, strategy), Translated(many, few, strategy)
    compared = 0
    for node in np.flatnonzero(many.betting.player < DEAL).tolist():
        seat, board = int(many.betting.player[node]), many.board(int(many.betting.street[node]), 0)
        rows, alive = forgetful_strategy.rows(node, board), many.showdown.alive(seat, board.street, board.number)
        np.testing.assert_allclose(rows.sum(axis=0), 1.0)
        if len(remembered._stand(seat, node).nodes) == 1:
            np.testing.assert_allclose(rows[:, alive], remembered.rows(node, board)[:, alive])
            compared += 1
    assert 10 < compared < int((many.betting.player < DEAL).sum())


def test_who_forgets_readings_mixes_by_their_chances_alone() -> None:
    """A bet of half the pot between a check and the pot is read anew at each decision, whatever the hand has done."""
    many, few = a_game("50%, 100%, a"), a_game("100%, a; a")
    strategy = by_bucket(few, 4)
    forgetful_strategy, sizes = forgetful(many, strategy), Sizes(few.betting)
    first, there = (int(played.betting.child[played.betting.find("call, check")]) for played in (many, few))
    here = next(child for child in Sizes(many.betting).children(first) if many.betting.kind[child] == Move.BET)
    (checked, low), (bet, high) = sizes.read(there, Move.BET, float(Sizes(many.betting).fraction[here]), "harmonic")
    board = many.board(1, 0)
    fold, call, *raises = forgetful_strategy.rows(here, board)
    after_check, after_bet = strategy.rows(checked, board), strategy.rows(bet, board)
    np.testing.assert_allclose(fold, high * after_bet[0])  # where a check was read, there is nothing to fold to
    np.testing.assert_allclose(call, low * after_check[0] + high * after_bet[1])
    np.testing.assert_allclose(sum(raises), low * after_check[1:].sum(axis=0) + high * after_bet[2:].sum(axis=0))
