"""Numbers of subgames in few bytes: what comes back is what was put in, as near as a step."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headsup.common.arrays import AnyArray
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.packet import board_piece
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import check_kernels
from headsup.solve.holdem.squeeze import live_values, squeeze, unsqueeze


@cache
def piece() -> VectorGame:
    game = named_game("holdem-limit:ranks=4,suits=2,streets=2,raises=2")
    assert isinstance(game, VectorGame)
    return board_piece(game, 1, 5)


def live(flat: AnyArray, seat: int) -> AnyArray:
    """[rows, hands] of the hands that the piece's one board leaves, the others 0."""
    game = piece()
    hands = check_kernels(game)
    table, out = flat.reshape(-1, game.showdown.sizes[seat]), np.zeros(flat.shape, flat.dtype).reshape(-1, 28)
    order = hands.order[seat, 0, : int(hands.alive[seat, 0])]
    out[:, order] = table[:, order]
    return out


def random_numbers(seed: int, seat: int, zeros: float, spread: float) -> AnyArray:
    rng, size = np.random.default_rng(seed), int(piece().layout[seat][-1])
    numbers = np.exp(spread * rng.standard_normal(size)) * (rng.random(size) >= zeros)
    return numbers.astype(np.float32)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32), st.integers(0, 1), st.sampled_from([0.0, 0.4, 0.97, 1.0]), st.sampled_from([0.1, 2.0, 9.0]),
    st.sampled_from([15, 255, 4095, 32767]), st.integers(0, 2**40),
)  # fmt: skip
@example(seed=0, seat=0, zeros=0.0, spread=0.1, steps=4095, key=3800)  # a chance just below 1
def test_within_a_step_of_what_was_put_in(
    seed: int, seat: int, zeros: float, spread: float, steps: int, key: int
) -> None:
    game, flat = piece(), random_numbers(seed, seat, zeros, spread)
    hands = check_kernels(game)
    content = squeeze(game, hands, seat, flat, steps, key)
    back, exact = unsqueeze(game, hands, seat, content, steps, np.float32).reshape(-1, 28), live(flat, seat)
    rounds = game.rounds
    for node in np.flatnonzero(rounds.player == seat):
        rows = slice(rounds.row[node], rounds.row[node] + rounds.count[node])
        step = 2.0 * exact[rows].max(initial=0.0) / (steps - 1)  # scales are powers of 2
        assert (np.abs(back[rows] - exact[rows]) <= step).all()
    assert (back[exact == 0.0] == 0.0).all()
    again = squeeze(game, hands, seat, back.reshape(-1), steps, key + 1)
    np.testing.assert_array_equal(unsqueeze(game, hands, seat, again, steps, np.float32).reshape(-1, 28), back)


def test_rounding_is_right_on_average() -> None:
    game, flat = piece(), random_numbers(1, 0, 0.2, 1.0)
    hands, exact = check_kernels(game), live(random_numbers(1, 0, 0.2, 1.0), 0)
    roundings = [
        unsqueeze(game, hands, 0, squeeze(game, hands, 0, flat, 15, key), 15, np.float32).reshape(-1, 28)
        for key in range(2000)
    ]
    step = exact.max() / 14
    assert np.abs(np.mean(roundings, axis=0) - exact).max() < 0.1 * step
    assert np.abs(roundings[0] - exact).max() > 0.2 * step  # one of them alone is not


@pytest.mark.parametrize("steps", [4095, 32767])
def test_whole_numbers_stay_as_they_are(steps: int) -> None:
    """Numbers that nothing is added to do not drift: chances of 2000 turns come within 2**-11 of 1 for every row."""
    game, flat = piece(), random_numbers(4, 0, 0.2, 0.5)
    hands = check_kernels(game)
    first = unsqueeze(game, hands, 0, squeeze(game, hands, 0, flat, steps, 3), steps, np.float32)
    numbers = first
    for turn in range(2000):
        numbers = unsqueeze(game, hands, 0, squeeze(game, hands, 0, numbers, steps, 3, turn), steps, np.float32)
    np.testing.assert_array_equal(numbers, first)


def test_errors_of_a_sum_do_not_add_up() -> None:
    """Chances drawn anew each turn would leave some of the 400 roundings' errors, 9 steps on average, in the sums."""
    game, part = piece(), np.random.default_rng(5).random(int(piece().layout[0][-1])).astype(np.float32)
    hands, sums = check_kernels(game), np.full(part.shape, 3000.0, np.float32)  # 4095 steps of 1, as they stay below
    for turn in range(400):
        squeezed = squeeze(game, hands, 0, sums + part, 4095, 7, turn)
        sums = unsqueeze(game, hands, 0, squeezed, 4095, np.float32)
    assert np.abs(live(sums, 0) - live(3000.0 + 400 * part, 0)).max() < 3.0


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_floats_come_back_as_they_are(dtype: type) -> None:
    game, flat = piece(), random_numbers(2, 1, 0.3, 3.0).astype(dtype)
    hands = check_kernels(game)
    back = unsqueeze(game, hands, 1, squeeze(game, hands, 1, flat, 0, 0), 0, dtype)
    np.testing.assert_array_equal(back.reshape(-1, 28), live(flat, 1))


def test_damage_is_seen() -> None:
    game, flat = piece(), random_numbers(3, 0, 0.3, 1.0)
    hands = check_kernels(game)
    content = squeeze(game, hands, 0, flat, 4095, 0)
    for at in range(0, len(content), 7):
        damaged = bytearray(content)
        damaged[at] ^= 4
        with pytest.raises(ValueError, match=r"checksum|ends early"):
            unsqueeze(game, hands, 0, bytes(damaged), 4095, np.float32)
    with pytest.raises(ValueError, match="ends early"):
        unsqueeze(game, hands, 0, content[:5], 4095, np.float32)


def test_dead_hands_are_not_counted() -> None:
    game = piece()
    rows, hands = int(game.rounds.rows[0, 0]), check_kernels(game)
    assert live_values(game, hands, 0) == rows * 10  # 5 of 8 cards are left: C(5, 2) hands of 28
