"""Walks by bucket on a GPU give the numbers of those on the CPU."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.common.backend import gpu_present
from headsup.common.errors import UserError
from headsup.games.holdem.bucketed import BucketStrategy, TableBuckets, bucket_layout
from headsup.games.holdem.layout import BEST, MIX, Rule
from headsup.games.holdem.sampled import BoardSampler
from headsup.games.holdem.vector import ArrayStrategy, VectorGame
from headsup.games.walk import gpu_buckets, gpu_learn
from headsup.games.walk.gpu_buckets import GpuBucketWalker
from headsup.games.walk.gpu_shapes import shapes
from headsup.games.walk.walk import LEARN, Walker
from headsup.measure.exploit import measure
from headsup.measure.streamed import streamed
from headsup.solve import solve
from headsup.solve.holdem.bucket_solver import first_street
from headsup.solve.holdem.bucketed import BucketCfr
from headsup.solve.holdem.bucketed_gpu import GpuBucketCfr
from headsup.solve.holdem.store import Stores
from headsup.solve.records.settings import PRESETS
from tests.bucket_makers import in_parts, small
from tests.cuda_on_cpu import COMPILER, CpuCupy

gpu = pytest.mark.gpu
needs_device = pytest.mark.skipif(not gpu_present(), reason="no CUDA device, or the gpu extra is not installed")
LIMIT = "holdem-limit:ranks=4,suits=2,streets=3"
NO_LIMIT = "holdem-nolimit:ranks=4,suits=3,streets=2,stack=6"
SIZES = "holdem-nolimit:ranks=4,suits=2,streets=3,stack=8,menu=50%, 100%, 200%, a; a"
"""Lines into a street differ in shape, and in some all chips are in."""
LONG = "holdem-nolimit:ranks=4,suits=2,streets=2,stack=20,menu=50%, 100%, 200%, a | preflop cap 4 | flop cap 3"
"""31 decisions of a player on a street: more than a code holds."""
PARTS = (3, 4, 5)


def coarse(game: VectorGame) -> TableBuckets:
    return in_parts(game, PARTS[: game.streets])


def short_numbers(game: VectorGame, buckets: TableBuckets, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Numbers that 16 bits hold, some of them 0."""
    rng = np.random.default_rng(seed)
    first, second = (rng.integers(0, 9, bucket_layout(game, buckets, p).size).astype(np.float64) for p in (0, 1))
    return first, second


def by_hand(strategy: BucketStrategy) -> tuple[np.ndarray, np.ndarray]:
    """The same strategy as arrays [boards, rows, hands] a street."""
    game, out = strategy.game, []
    for seat in (0, 1):
        rounds, parts = game.rounds, []
        for s, boards in enumerate(game.boards.sizes()):
            street = np.zeros((boards, int(rounds.rows[seat, s]), game.showdown.sizes[seat]))
            for b in range(boards):
                for node in range(int(rounds.start[s]), int(rounds.start[s + 1])):
                    if rounds.player[node] == seat:
                        row = int(rounds.row[node])
                        street[b, row : row + rounds.count[node]] = strategy.rows(node, game.board(s, b))
            parts.append(street.ravel())
        out.append(np.concatenate(parts))
    return out[0], out[1]


@pytest.mark.parametrize("text", [LIMIT, NO_LIMIT, SIZES, "holdem-nolimit:ranks=6,suits=4,streets=2"])
def test_shapes_cover_the_betting(text: str) -> None:
    game = small(text)
    for s in range(game.streets):
        found = shapes(game, s)
        entries = np.concatenate([one.entry for one in found])
        assert sorted(entries.tolist()) == list(range(int(game.rounds.entries[s + 1] - game.rounds.entries[s])))
        deals = np.concatenate([one.deal.ravel() for one in found])
        assert sorted(deals.tolist()) == list(range(int(game.rounds.deals[s + 1] - game.rounds.deals[s])))
        for seat in (0, 1):
            rows = np.concatenate([one.rows[seat].ravel() for one in found])
            assert sorted(rows.tolist()) == list(range(int(game.rounds.rows[seat, s])))
            for one in found:
                assert f"#define NODES {len(one.player)}" in one.header(seat)


@gpu
@needs_device
@pytest.mark.parametrize(("dtype", "error"), [("float64", 1e-12), ("float32", 1e-5)])
@pytest.mark.parametrize("text", [LIMIT, NO_LIMIT, SIZES])
def test_same_values(text: str, dtype: str, error: float) -> None:
    game = small(text)
    buckets = coarse(game)
    numbers = short_numbers(game, buckets, 1)
    expected = measure(game, BucketStrategy(game, buckets, numbers))
    walker = GpuBucketWalker(game, buckets, dtype)
    walker.compile(BEST, MIX)
    policy = walker.policy(numbers)
    assert walker.earned(policy, BEST) == pytest.approx(expected.best, abs=error)
    assert walker.earned(policy, MIX) == pytest.approx(expected.values, abs=error)
    assert walker.earned(policy, MIX, seats=(0,)) == pytest.approx((expected.value, 0.0), abs=error)
    for seat in (0, 1):
        parts = [walker.parts(seat, s, numbers[seat]) for s in range(game.streets)]
        np.testing.assert_array_equal(walker.numbers(seat, parts), numbers[seat])
    walker.memory = 1 << 16  # a few boards at a time
    seen: list[tuple[int, np.ndarray]] = []
    again = walker.earned(policy, BEST, each=lambda done, sums: seen.append((done, sums)))
    assert again == pytest.approx(expected.best, abs=error)
    done, sums = seen[len(seen) // 2]
    assert 0 < done < len(game.boards.levels[1])
    assert walker.earned(policy, BEST, done, sums) == again


def test_a_long_street_is_told_apart_from_those_that_are_learned() -> None:
    longest = max(shapes(small(LONG), 1), key=lambda one: len(one.player))
    assert not longest.is_coded
    assert "#define CODED 0" in longest.header(0)
    with pytest.raises(UserError, match="too long to be learned"):
        assert longest.code_bytes
    assert all(one.is_coded for one in shapes(small(SIZES), 1))


@gpu
@needs_device
def test_a_best_response_on_long_streets_is_that_of_the_cpu() -> None:
    game = small(LONG)
    buckets = coarse(game)
    numbers = short_numbers(game, buckets, 1)
    expected = measure(game, BucketStrategy(game, buckets, numbers)).best
    walker = GpuBucketWalker(game, buckets, "float64")
    walker.compile(BEST, seats=(1,))
    assert walker.earned(walker.policy(numbers), BEST, seats=(1,)) == pytest.approx((0.0, expected[1]), abs=1e-9)


def begin(runs: Sequence[GpuBucketCfr | BucketCfr], random: np.random.Generator, short: bool) -> None:
    """Regrets from which all actions are played; `short`: as often as 16 bits hold exactly, else no two alike."""
    kept = {}
    for name, array in runs[0].arrays().items():
        kept[name] = 2.0 ** (random.integers(0, 4, array.shape) if short else random.uniform(0.0, 3.0, array.shape))
    for one in runs:
        one.restore(1, {name: kept[name].astype(array.dtype) for name, array in one.arrays().items()})


def in_halves(run: GpuBucketCfr, seat: int, played: Any) -> np.ndarray:
    """What is played in 16 bits, as the layout has it."""
    parts = [
        [
            one[..., : shape.rows[seat].shape[1]].transpose(0, 2, 1)
            for one, shape in zip(halves, street.shapes, strict=True)
        ]
        for halves, street in zip(played, run.walker.streets, strict=True)
    ]
    return run.walker.numbers(seat, parts).astype(np.float64)


@gpu
@needs_device
@pytest.mark.parametrize("lists", [1, gpu_learn.LISTS])
@pytest.mark.parametrize("text", [LIMIT, SIZES])
def test_same_iterations(text: str, lists: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_learn, "LISTS", lists)
    same_iterations(text)


@pytest.mark.long
@pytest.mark.skipif(COMPILER is None, reason="no g++ to compile kernels")
@pytest.mark.parametrize("lists", [1, gpu_learn.LISTS])
def test_kernels_compiled_for_the_cpu_make_the_same_iterations(lists: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", CpuCupy(1 << 31))
    for module, name, value in (
        *((gpu_buckets, "THREADS", 96), (gpu_buckets, "SCAN_FROM", 32)),  # threads take turns
        *((module, "PLAIN", 64) for module in (gpu_buckets, gpu_learn)),
        (gpu_learn, "LISTS", lists),
    ):
        monkeypatch.setattr(module, name, value)
    same_iterations(LIMIT)


def same_iterations(text: str) -> None:
    """An iteration on the device and one on the CPU."""
    game = small(text)
    buckets = coarse(game)
    ours = GpuBucketCfr(game, buckets, PRESETS["cfr+"], sample=(3, 2), seed=5, dtype="float64")
    cpu = BucketCfr(game, buckets, PRESETS["cfr+"], store="float64", threads=1, sample=(3, 2), seed=5)
    begin((ours, cpu), np.random.default_rng(2), short=True)
    ours.step(1)
    cpu.step(1)
    for name, array in ours.arrays().items():
        error = 1e-6 if name.endswith("0") else 2e-3  # the second player meets what the first has learnt, in 16 bits
        np.testing.assert_allclose(array, cpu.arrays()[name], atol=error * np.abs(array).max(), err_msg=name)


@gpu
@needs_device
@pytest.mark.parametrize("against_best", [False, True])
def test_first_street_that_is_fixed_stays(against_best: bool) -> None:
    """Both players learn below it as on the CPU; opponents who reply best are not bound by it."""
    game = small(SIZES)
    buckets, how = coarse(game), {"sample": (3, 2), "seed": 5}
    ours = GpuBucketCfr(game, buckets, PRESETS["cfr+"], dtype="float64", against_best=against_best, **how)
    cpu = BucketCfr(game, buckets, PRESETS["cfr+"], store="float64", threads=1, **how)
    if not against_best:
        begin((ours, cpu), np.random.default_rng(2), short=True)
    sizes = [first_street(bucket_layout(game, buckets, seat)) for seat in (0, 1)]
    given = 2.0 ** np.random.default_rng(4).integers(0, 4, sum(sizes))
    fixed = given[: sizes[0]], given[sizes[0] :]
    for run in (ours, cpu):
        run.fix(fixed)
        run.step(1)
    for seat in (0, 1):
        assert (ours.policy()[seat][: sizes[seat]] == fixed[seat]).all()
    arrays = ours.arrays()
    if against_best:
        assert all(np.abs(arrays[f"opponent_regret{seat}"][: sizes[seat]]).max() > 0.0 for seat in (0, 1))
    else:
        for name, array in arrays.items():
            error = 1e-6 if name.endswith("0") else 2e-3
            np.testing.assert_allclose(array, cpu.arrays()[name], atol=error * np.abs(array).max(), err_msg=name)


@gpu
@needs_device
@pytest.mark.parametrize("against_best", [False, True])
def test_going_on_is_bit_identical(against_best: bool) -> None:
    game = small(LIMIT)
    buckets, how = coarse(game), {"sample": (3, 2), "seed": 5, "against_best": against_best}
    ours = GpuBucketCfr(game, buckets, PRESETS["linear"], **how)
    ours.step(3)
    kept = {name: array.copy() for name, array in ours.arrays().items()}
    ours.step(2)
    again = GpuBucketCfr(game, buckets, PRESETS["linear"], **how)
    again.restore(3, kept)
    again.step(2)
    for name, array in again.arrays().items():
        np.testing.assert_array_equal(array, ours.arrays()[name], err_msg=name)


@gpu
@needs_device
def test_what_is_saved_is_what_was_measured() -> None:
    """Shares rounded to 8 bits, priced on the device, against the CPU's price of the same whole numbers."""
    game = small(LIMIT)
    how = {"buckets": coarse(game), "sample": (3, 2), "device": "gpu", "bits": 8}
    found = solve(game, "linear", iterations=3, seed=5, **how)
    assert [one.dtype for one in found.strategy] == [np.uint8, np.uint8]
    expected = measure(game, BucketStrategy(game, coarse(game), found.strategy))
    assert found.exploitability == pytest.approx(expected.exploitability, rel=1e-5)
    assert found.value == pytest.approx(expected.value, rel=1e-4)
    assert found.params["bits"] == 8


@gpu
@needs_device
@pytest.mark.parametrize("text", [LIMIT, SIZES])
@pytest.mark.parametrize("seat", [0, 1])
def test_learning_against_the_best_response_on_the_last_street(seat: int, text: str) -> None:
    """The opponent's reply and what is gained against it, by the walk that knows nothing of buckets."""
    game = small(text)
    buckets, sampler = coarse(game), BoardSampler(game, (3, 2))
    ours = GpuBucketCfr(game, buckets, PRESETS["cfr+"], sample=(3, 2), seed=5, against_best=True, dtype="float64")
    begin((ours,), np.random.default_rng(3), short=False)
    kept = {name: array.copy() for name, array in ours.arrays().items()}
    numbers = sampler.numbers(9, 0, 0)
    sample = sampler.sample(numbers)
    mine = in_halves(ours, seat, ours.current[seat])
    their = in_halves(ours, 1 - seat, ours.answers[1 - seat])  # of which the last street is not looked at
    pair = (mine, their) if seat == 0 else (their, mine)
    few = BucketStrategy(sample.game, sample.buckets(buckets), pair)
    policy = list(by_hand(few))
    at = sample.game.layout[1 - seat]
    held = policy[1 - seat].copy()
    held[int(at[-2]) :] = -1.0
    walker = Walker(sample.game)
    _, reply = walker.best_response((policy[0], policy[1]), 1 - seat, held)
    policy[1 - seat] = reply
    stores = Stores(sample.game, "float64")
    walker.walk(seat, LEARN, (policy[0], policy[1]), stores.seats, Rule(1.0, 1.0, 1.0, False, False))
    expected = np.zeros(len(mine))
    layout, rounds = bucket_layout(game, buckets, seat), game.rounds
    for s, drawn in enumerate(numbers):
        rows, hands = int(rounds.rows[seat, s]), game.showdown.sizes[seat]
        low = int(sample.game.layout[seat][s])
        gains = np.asarray(stores.seats[seat].regret)[low : low + len(drawn) * rows * hands]
        gains = gains.reshape(len(drawn), rows, hands)
        for b, number in enumerate(drawn.tolist()):
            which = buckets.rows(seat, s, number, number + 1)[0].astype(int)
            alive = sample.game.showdown.alive(seat, s, b)
            for r in range(rows):
                np.add.at(expected, int(layout.first[layout.row_at[s] + r]) + which[alive], gains[b, r, alive])
    one = ours.walker.sample(numbers, sampler.factors)
    pair_played = [ours.current[0], ours.answers[1]] if seat == 0 else [ours.answers[0], ours.current[1]]
    rule = Rule(1.0, 1.0, 0.0, False, False)
    ours.walker.learn_against_best(seat, one, pair_played, ours.stores[seat], ours.others[1 - seat], rule)
    found = ours.arrays()[f"regret{seat}"] - kept[f"regret{seat}"]
    assert np.abs(expected).max() > 1e-3
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())


def test_array_strategies_of_buckets_agree() -> None:
    game = small("holdem-limit:ranks=3,suits=3,streets=2,raises=1")
    buckets = in_parts(game, (2, 3))
    strategy = BucketStrategy(game, buckets, short_numbers(game, buckets, 2))
    arrays = ArrayStrategy(game, by_hand(strategy))
    assert measure(game, arrays).best == pytest.approx(measure(game, strategy).best, abs=1e-12)


@gpu
@needs_device
def test_the_value_flop_by_flop(tmp_path: Path) -> None:
    game = small(LIMIT)
    strategy = BucketStrategy(game, coarse(game), short_numbers(game, coarse(game), 2))
    expected = streamed(game, strategy)
    found = streamed(game, strategy, device="gpu", folder=tmp_path, value=True)
    assert found.values == pytest.approx(expected.values, abs=1e-5)
    assert found.best == pytest.approx(expected.best, abs=1e-5)
    again = streamed(game, strategy, device="gpu", folder=tmp_path, value=True)  # from what was written down
    assert again == found
    assert streamed(game, strategy, device="gpu").summary()["value_mbb"] is None
