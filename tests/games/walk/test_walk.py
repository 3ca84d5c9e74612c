"""Walks over betting x boards x showdown, against plain recursion, the flat game and each other."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games.catalogue.flat import FlatHoldem
from headsup.games.catalogue.forms import sequence_form
from headsup.games.holdem.vector import ArrayStrategy, Mixture, Place, Uniform, VectorGame
from headsup.games.trees.sequence import SequenceForm
from headsup.games.walk.plain import PlainWalker
from headsup.games.walk.streaming import Asking, hand_values
from headsup.games.walk.walk import BEST, MIX, Walker, look_inside
from headsup.solve.holdem.store import Stores
from headsup.solve.small.lp import sequence_lp
from tests.holdem_spots import (
    RAKE,
    SPOTS,
    ZERO_SUM,
    RandomPlay,
    decisions,
    flat_form,
    infoset_names,
    laid_out,
    naive_spot,
    places,
    spot,
)

CLOSE = {"rtol": 0.0, "atol": 1e-9}


def both(game: VectorGame, play: RandomPlay, seat: int) -> tuple[np.ndarray, np.ndarray]:
    """What the hands of a seat earn as the strategy plays them, and at best."""
    return hand_values(game, play, seat), hand_values(game, play, seat, best=True)


@pytest.mark.parametrize("name", SPOTS)
def test_walks_are_the_plain_recursion(name: str) -> None:
    game = spot(name, True)
    short, full = RandomPlay(game, 5), RandomPlay(spot(name, False), 5)
    slow = naive_spot(game)
    for seat in (0, 1):
        mix, best = both(game, short, seat)
        plain = both(full.game, full, seat)
        for hand, cards in enumerate(slow.hands[seat]):
            assert mix[hand] == pytest.approx(slow.hand_value(short.shares, seat, cards, best=False), abs=1e-9)
            assert best[hand] == pytest.approx(slow.hand_value(short.shares, seat, cards, best=True), abs=1e-9)
        np.testing.assert_allclose(plain, (mix, best), **CLOSE)
        assert (best >= mix - 1e-12).all()
        assert (best > mix + 1e-6).any() == bool(game.rounds.rows[seat].any())


@pytest.mark.parametrize("name", ["ranges that tell suits, a dead card", "pot-limit, three suits"])
def test_a_strategy_may_tell_suits_apart_where_none_are_merged(name: str) -> None:
    game = spot(name, False)
    play, slow = RandomPlay(game, 6, suits_alike=False), naive_spot(game)
    for seat in (0, 1):
        slowly = [slow.hand_value(play.shares, seat, hand, best=False) for hand in slow.hands[seat]]
        np.testing.assert_allclose(hand_values(game, play, seat), slowly, **CLOSE)


def test_suits_were_merged() -> None:
    """The comparisons above are of two different lists of boards."""
    assert sum(spot(name, True).boards.sizes() < spot(name, False).boards.sizes() for name in SPOTS) >= 8


@pytest.mark.parametrize("merged", [True, False])
@pytest.mark.parametrize("name", SPOTS)
def test_compiled_walks_are_the_streamed_ones(name: str, merged: bool) -> None:
    game = spot(name, merged)
    play = RandomPlay(game, 7)
    policy, stores = laid_out(game, play), Stores(game, "float64").seats
    walkers = [Walker(game, np.float64, threads) for threads in (1, 2, 3)]
    for seat in (0, 1):
        for mode in (MIX, BEST):
            first, *more = (walker.walk(seat, mode, policy, stores) for walker in walkers)
            np.testing.assert_allclose(first, hand_values(game, play, seat, best=mode == BEST), rtol=0.0, atol=1e-12)
            assert all(np.array_equal(first, one) for one in more)


@pytest.mark.parametrize("name", SPOTS)
def test_a_best_response_is_written_down(name: str) -> None:
    game = spot(name, True)
    policy, walker = laid_out(game, RandomPlay(game, 7)), Walker(game, np.float64, 2)
    for seat in (0, 1):
        earned, reply = walker.best_response(policy, seat)
        plainly = PlainWalker(game).best_response(policy, seat)
        assert plainly[0] == pytest.approx(earned, abs=1e-12)
        assert (plainly[1] != reply).sum() <= 0.01 * len(reply)  # of equal actions, rounding may choose
        assert earned == pytest.approx(walker.best_values(policy)[seat], abs=1e-12)
        assert set(np.unique(reply)) <= {0.0, 1.0}
        both = (reply, policy[1]) if seat == 0 else (policy[0], reply)
        assert walker.values(both)[seat] == pytest.approx(earned, abs=1e-12)


@pytest.mark.parametrize("name", ["unequal stacks, ranges, a flop", "antes of one, three streets", "rake, a pot"])
def test_hands_that_are_held_mix_and_the_others_take_the_best(name: str) -> None:
    """Every second decision is held to what the strategy says."""
    game = spot(name, True)
    play, slow = RandomPlay(game, 7), naive_spot(game)
    policy, rounds = laid_out(game, play), game.rounds
    for seat in (0, 1):
        held = np.full(len(policy[seat]), -1.0)
        hold = [n for s in range(game.streets) for n in decisions(game, s) if rounds.player[n] == seat][::2]
        for place in places(game):
            s, hands = place.street, game.showdown.sizes[seat]
            low = int(game.layout[seat][s]) + place.number * int(rounds.rows[seat, s]) * hands
            for node in hold:
                if game.betting.street[node] == s:
                    begin = low + int(rounds.row[node]) * hands
                    here = slice(begin, begin + int(rounds.count[node]) * hands)
                    held[here] = 3.0 * policy[seat][here]  # shares are what counts
        free = set(range(game.betting.n_nodes)) - set(hold)
        slowly = [slow.hand_value(play.shares, seat, hand, best=free) for hand in slow.hands[seat]]
        earned, reply = Walker(game).best_response(policy, seat, held)
        assert PlainWalker(game).best_response(policy, seat, held)[0] == pytest.approx(earned, abs=1e-12)
        assert earned == pytest.approx(float(game.weights[seat] @ slowly), abs=1e-9)
        both = (reply, policy[1]) if seat == 0 else (policy[0], reply)
        assert Walker(game).values(both)[seat] == pytest.approx(earned, abs=1e-12)


@pytest.mark.parametrize("copied", [True, pytest.param(False, marks=pytest.mark.long)])
def test_a_policy_in_less_precision(copied: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small one is copied into that of the walk; a large one is read by a kernel of its own."""
    monkeypatch.setattr(Walker, "COPIED", Walker.COPIED if copied else 0)
    game = spot("rake, a pot", True)
    whole = laid_out(game, RandomPlay(game, 7))
    policy, walker = (whole[0].astype(np.float32), whole[1].astype(np.float32)), Walker(game)
    assert walker.values(policy) == pytest.approx(walker.values(whole), abs=1e-6)
    best = walker.best_values(policy)
    assert best == pytest.approx(walker.best_values(whole), abs=1e-6)
    for seat in (0, 1):
        earned, reply = walker.best_response(policy, seat)
        assert reply.dtype == np.float32
        assert earned == pytest.approx(best[seat], abs=1e-12)
        held, _ = walker.best_response(policy, seat, policy[seat])  # nobody is free
        assert held == pytest.approx(walker.values(policy)[seat], abs=1e-6)


@pytest.mark.parametrize("name", SPOTS)
def test_a_strategy_in_arrays_is_itself(name: str) -> None:
    game = spot(name, True)
    play = RandomPlay(game, 8)
    laid = ArrayStrategy(game, laid_out(game, play))
    for place in places(game):
        for decision in decisions(game, place.street):
            np.testing.assert_allclose(laid.rows(decision, place), play.rows(decision, place), rtol=0.0, atol=1e-15)


def as_profile(form: SequenceForm, game: VectorGame, play: RandomPlay) -> tuple[np.ndarray, np.ndarray]:
    """A strategy of an unmerged game by the flat game's information sets."""
    rows: dict[str, np.ndarray] = {}
    for place in places(game):
        for decision in decisions(game, place.street):
            rows.update(zip(infoset_names(game, decision, place), play.rows(decision, place).T, strict=True))
    out = []
    for seat in form.seats:
        sigma = seat.uniform()
        for i in range(seat.n_infosets):
            sigma[seat.first[i] : seat.first[i + 1]] = rows[seat.labels.infoset(i)]
        out.append(sigma)
    return out[0], out[1]


@pytest.mark.parametrize("name", ZERO_SUM)
def test_the_flat_game_has_the_same_values_and_best_replies(name: str) -> None:
    game = spot(name, False)
    form, play = flat_form(name), RandomPlay(game, 9)
    plans = form.plans(as_profile(form, game, play))
    half = game.betting.total / 2  # the flat game counts a pot as paid in halves
    values = [float(game.weights[p] @ hand_values(game, play, p)) - half for p in (0, 1)]
    best = [float(game.weights[p] @ hand_values(game, play, p, best=True)) - half for p in (0, 1)]
    assert values == pytest.approx([form.value(plans), -form.value(plans)], abs=1e-9)
    assert best == pytest.approx(form.best_values(plans), abs=1e-9)


def test_a_linear_program_lies_between_best_replies() -> None:
    game = spot("one street", False)
    value, _ = sequence_lp(sequence_form(FlatHoldem(game)))
    value += game.betting.total / 2
    for play in (Uniform(game), RandomPlay(game, 1)):
        most, other = (float(game.weights[p] @ hand_values(game, play, p, best=True)) for p in (0, 1))
        assert game.betting.total - other < value - 1e-6 < value + 1e-6 < most


@pytest.mark.parametrize("name", RAKE)
def test_rake_is_general_sum_and_refused_by_the_linear_program(name: str) -> None:
    game = spot(name, True)
    with pytest.raises(UserError, match="takes rake, so it is not zero-sum, and a linear program cannot solve it"):
        FlatHoldem(game)
    play = RandomPlay(game, 3)
    earned = sum(float(game.weights[p] @ hand_values(game, play, p)) for p in (0, 1))
    assert game.betting.rules.pot - 1.5 < earned < game.betting.rules.pot - 1e-3


@pytest.mark.parametrize("name", ZERO_SUM)
def test_both_seats_win_the_pot(name: str) -> None:
    game = spot(name, True)
    for strategy in (Uniform(game), Mixture(game, 0.2, 0.5, 0.3), RandomPlay(game, 4)):
        earned = sum(float(game.weights[p] @ hand_values(game, strategy, p)) for p in (0, 1))
        assert earned == pytest.approx(game.betting.total, abs=1e-9)


def test_refusals() -> None:
    game = spot("one street", True)
    with pytest.raises(UserError, match="a seat is 0 or 1, not 2"):
        hand_values(game, Uniform(game), 2)

    class Wrong:
        def rows(self, decision: int, board: object) -> np.ndarray:
            return np.ones((1, 1))

    with pytest.raises(UserError, match="a strategy's rows at this decision must be"):
        hand_values(game, Wrong(), 0)
    with pytest.raises(UserError, match="must add up to 1"):
        Mixture(game, 0.5, 0.5, 0.5)


@pytest.mark.parametrize("factor", [0.5, 2.0, -1.0, np.nan])
def test_shares_that_do_not_add_up_are_refused(factor: float) -> None:
    game = spot("one street", True)
    even = Uniform(game)

    class Wrong:
        def rows(self, decision: int, board: Place) -> np.ndarray:
            return factor * even.rows(decision, board)

    with pytest.raises(UserError, match="add up to 1: after 'nothing yet' they add up to"):
        hand_values(game, Wrong(), 0)


def test_numbers_next_to_nothing_play_evenly() -> None:
    """One over a sum below the least normal float32 is infinite; such a hand plays every action equally often."""
    game = spot("unequal stacks, ranges, a flop", True)
    tiny, even = (
        tuple(np.full(int(game.layout[p][-1]), number, np.float32) for p in (0, 1)) for number in (1e-42, 0.0)
    )
    walker = Walker(game, np.float32)
    assert walker.values(tiny) == pytest.approx(walker.values(even), abs=1e-4)
    assert np.isfinite(walker.best_values(tiny)).all()


@pytest.mark.parametrize("name", ["limit, two streets", "limit, three streets", "limit, two cards, then one"])
def test_a_look_inside_is_the_same_asked_row_by_row_and_from_arrays(name: str) -> None:
    game = spot(name, True)
    play = RandomPlay(game, 5)
    arrays, walk = ArrayStrategy.of(game, play), Asking(game, play, 0, MIX)
    for street, level in enumerate(game.boards.levels):
        place = game.board(street, len(level) - 1)
        path = [place.number]
        for above in reversed(range(street)):
            path.insert(0, int(game.boards.levels[above + 1].parent[path[0]]))
        for seat in (0, 1):
            own = [node for node in decisions(game, street) if game.betting.player[node] == seat]
            if own:
                rows = np.concatenate([play.rows(node, place) for node in own])
                np.testing.assert_allclose(arrays.whole_street(seat, place), rows, **CLOSE)
            slow, quick = look_inside(game, play, seat, path), look_inside(game, arrays, seat, path)
            again = look_inside(game, play, seat, path, walk=walk)  # which has boards of other looks open
            for one in (quick, again):
                np.testing.assert_allclose(one.values, slow.values, **CLOSE)
                for p in (0, 1):
                    np.testing.assert_allclose(one.reach[p], slow.reach[p], **CLOSE)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["limit, three streets", "limit, two cards, then one"])
def test_two_streets_at_once_are_the_looks_at_each_board(name: str, threads: int) -> None:
    game = spot(name, True)
    play = ArrayStrategy.of(game, RandomPlay(game, 8))
    nodes = [slice(*game.rounds.start[s : s + 2].tolist()) for s in (0, 1)]
    for seat in (0, 1):
        first, second = Walker(game, threads=threads, in_stages=True).two_streets(play.policy, seat)
        np.testing.assert_allclose(first, look_inside(game, play, seat, [0]).values[nodes[0]], **CLOSE)
        assert len(second) == len(game.boards.levels[1])
        for board in {0, 1, len(second) - 1}:
            seen = look_inside(game, play, seat, [0, board])
            np.testing.assert_allclose(second[board], seen.values[nodes[1]], rtol=0.0, atol=1e-5)
            known = look_inside(game, play, seat, [0, board], known=second[board])
            np.testing.assert_allclose(known.values, seen.values, rtol=0.0, atol=1e-5)
            np.testing.assert_array_equal(known.reach[1 - seat], seen.reach[1 - seat])


@pytest.mark.parametrize("name", ["limit, three streets", "limit, two cards, then one"])
def test_a_reply_on_one_board_is_that_of_the_whole_reply(name: str) -> None:
    game = spot(name, True)
    play = ArrayStrategy.of(game, RandomPlay(game, 9))
    for seat in (0, 1):
        whole = list(play.policy)
        whole[seat] = PlainWalker(game).best_response(play.policy, seat)[1]
        reply, walk = ArrayStrategy(game, (whole[0], whole[1])), Asking(game, play, seat, BEST)
        last = game.boards.levels[2]
        for board in (0, 1, len(last) - 1):
            path = [0, int(last.parent[board]), board]
            alive = game.showdown.alive(seat, 2, board)
            np.testing.assert_array_equal(
                walk.best_rows(path)[:, alive], reply.numbers(seat, game.board(2, board))[:, alive]
            )
