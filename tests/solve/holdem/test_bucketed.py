"""CFR in buckets: what merges nothing changes nothing, what is merged shares its regrets."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from headsup.abstraction import build_buckets
from headsup.common.arrays import AnyArray
from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.holdem.bucketed import BucketStrategy, TableBuckets, bucket_layout, no_buckets
from headsup.measure import measure
from headsup.solve import PRESETS
from headsup.solve.holdem import bucketed, store
from headsup.solve.holdem.bucketed import BucketCfr, bucket_plan
from headsup.solve.holdem.trunk import TrunkCfr
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.methods import start
from headsup.solve.records.loop import Limits, SolverRun
from headsup.solve.records.settings import Settings
from headsup.solve.small.public import PublicCfr
from tests.bucket_makers import HOLDEM, by_suits, in_parts, small
from tests.naive_games import suit_blind
from tests.solve import compiled


def leduc_ranks(merged: tuple[int, int, int]) -> TableBuckets:
    """Leduc's cards by bucket of their ranks: one for the hand, and one for hand and board in the second round."""
    of = small("leduc")
    rank = np.array(merged)[np.arange(6) // 2]
    boards = of.boards.levels[1].cards[:, 0] // 2
    return TableBuckets(of, [rank[None].astype(np.uint8), (boards[:, None] * 3 + rank).astype(np.uint16)])


@pytest.mark.parametrize("method", PRESETS)
@pytest.mark.parametrize("text", [pytest.param(HOLDEM, marks=compiled), "leduc"])
def test_what_merges_nothing_gives_the_same_iterations(text: str, method: str) -> None:
    of = small(text)
    plain = VectorCfr(of, PRESETS[method], store="float64", threads=1)
    ours = [BucketCfr(of, no_buckets(of), PRESETS[method], store="float64", threads=1)]
    if text == HOLDEM:
        for buckets in (by_suits(of), build_buckets(of, "*")):
            ours.append(BucketCfr(of, buckets, PRESETS[method], store="float64", threads=1))
    assert len(ours) == 1 or ours[1].regret[0].size < ours[0].regret[0].size
    for n in (1, 4):
        plain.step(n)
        for solver in ours:
            solver.step(n)
            assert solver.exploitability() == pytest.approx(plain.exploitability(), abs=1e-9)
            assert solver.walker.values(solver.policy()) == pytest.approx(plain.values(), abs=1e-9)
    assert ours[0].measure().exploitability == pytest.approx(plain.exploitability(), abs=1e-9)


@pytest.mark.parametrize("method", ["cfr", "cfr+", "dcfr", "pcfr+"])
def test_merged_hands_share_regrets_as_on_the_public_tree(method: str) -> None:
    """Queens and kings as one, and the board known: two implementations, the same iterations."""

    def coarse(seat: int, hand: str, text: str) -> tuple[str, object]:
        return "J" if hand[0] == "J" else "QK", suit_blind(seat, hand, text)[1]

    tree = start(game("leduc"), method, form="vector", merge=coarse)
    ours = BucketCfr(small("leduc"), leduc_ranks((0, 1, 1)), PRESETS[method], store="float64")
    assert isinstance(tree, PublicCfr)
    for n in (1, 2, 10):
        tree.step(n)
        ours.step(n)
        assert ours.exploitability() == pytest.approx(tree.exploitability(), abs=1e-9)


@compiled
def test_the_answer_does_not_depend_on_threads_or_on_the_size_of_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    of = small(HOLDEM)
    buckets = in_parts(of, (4, 5))
    solver = BucketCfr(of, buckets, PRESETS["cfr+"], store="float64", threads=1)
    solver.step(4)
    assert len(solver.walker._pieces) == 1
    monkeypatch.setattr("headsup.games.walk.bucketwalk.PIECE_BYTES", 1 << 18)
    monkeypatch.setattr("headsup.games.walk.bucketwalk.KEPT", 0)
    for threads in (1, 2):
        other = BucketCfr(of, buckets, PRESETS["cfr+"], store="float64", threads=threads)
        other.step(4)
        assert len(other.walker._pieces) > 3
        assert all((solver.arrays()[name] == array).all() for name, array in other.arrays().items())


def test_hands_count_by_their_weight() -> None:
    """Two hands in a bucket, one of them with next to no weight: its regrets are those of the other."""
    light = np.array([1.0, 1.0, 1.0, 1.0, 1e-300, 1e-300])  # kings are hardly ever held
    ranged = replace(small("leduc"), weights=(light, light))
    merged, apart = (
        BucketCfr(ranged, leduc_ranks(of), PRESETS["cfr"], store="float64") for of in ((0, 1, 1), (0, 1, 2))
    )
    merged.step(1)
    apart.step(1)
    layouts = [bucket_layout(ranged, strategy.buckets, 0) for strategy in (merged, apart)]
    for row in range(int(layouts[0].row_at[1])):
        a, b = int(layouts[0].first[row]), int(layouts[1].first[row])
        assert merged.regret[0][a : a + 2] == pytest.approx(apart.regret[0][b : b + 2], rel=1e-9)
        assert abs(merged.regret[0][a + 1]) > 1e-6


@compiled
@pytest.mark.parametrize("how", [{}, {"sample": (3,)}, {"sample": 50, "sampling": "deals"}])
def test_going_on_is_bit_identical(how: dict[str, Any]) -> None:
    of = small(HOLDEM)

    def run(seed: int = 7, threads: int = 1) -> BucketCfr:
        return BucketCfr(of, in_parts(of, (4, 5)), PRESETS["pcfr+"], store="float64", threads=threads, seed=seed, **how)

    whole, first, second = run(), run(), run(threads=2)
    whole.step(5)
    first.step(2)
    second.restore(2, {name: array.copy() for name, array in first.arrays().items()})
    second.step(3)
    assert all((second.arrays()[name] == array).all() for name, array in whole.arrays().items())
    other = run(seed=8)
    other.step(5)
    assert (other.regret[0] == whole.regret[0]).all() != bool(how)
    assert second.content() == whole.content() != BucketCfr(of, in_parts(of, (4, 6)), PRESETS["cfr"]).content()


@compiled
@pytest.mark.long
@pytest.mark.parametrize(("how", "iterations"), [({"sample": 4}, 400), ({"sample": 200, "sampling": "deals"}, 1000)])
def test_sampled_runs_come_near_to_the_equilibrium(how: dict[str, Any], iterations: int) -> None:
    of = small(HOLDEM)
    solver = BucketCfr(of, no_buckets(of), PRESETS["linear"], store="float64", threads=1, seed=1, **how)
    first = solver.exploitability()
    solver.step(iterations)
    assert solver.exploitability() < first / 8


@compiled
def test_the_price_falls_as_buckets_grow() -> None:
    """Each solved in its buckets and measured in the real game; at the end, hands that differ in suits alone."""
    of, results = small(HOLDEM), []
    for buckets in (in_parts(of, (1, 1)), in_parts(of, (4, 6)), by_suits(of)):
        solver = BucketCfr(of, buckets, PRESETS["cfr+"], store="float64", threads=1)
        solver.step(25)
        results.append(solver.exploitability())
    assert all(later < 0.5 * before for before, later in pairwise(results)), results


class Apart:
    """Buckets of its own for each player."""

    def __init__(self, both: tuple[TableBuckets, TableBuckets]) -> None:
        self.both, self.kinds = both, both[0].kinds
        self.sizes = tuple((max(a[0], b[0]),) for a, b in zip(both[0].sizes, both[1].sizes, strict=True))

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        """Those of the seat."""
        return self.both[seat].rows(seat, street, low, high, kind)


def test_a_finer_abstraction_can_cost_more() -> None:
    """Leduc; both know whether their hand is a king, and later only that and whether they have a pair.

    Then player 0 is also told the rank of the board: a strict refinement, and its strategy loses far more to a best
    reply, for it has learnt to win from an opponent who cannot see the board (Waugh and others 2009 found such cases on
    Leduc).
    """
    of, results = small("leduc"), []
    rank, board = np.arange(6) // 2, of.boards.levels[1].cards[:, :1] // 2
    king, pair = rank == 2, rank == board
    coarse = TableBuckets(of, [king[None].astype(np.uint8), (2 * king + pair).astype(np.uint8)])
    fine = TableBuckets(of, [king[None].astype(np.uint8), (4 * board + 2 * king + pair).astype(np.uint8)])
    for mine in (coarse, fine):
        solver = BucketCfr(of, Apart((mine, coarse)), PRESETS["cfr+"], store="float64")
        solver.step(40)
        results.append(solver.measure().best[1])
    assert results[1] > results[0] + 0.15, results


@compiled
def test_memory_is_known_beforehand() -> None:
    of = small(HOLDEM)
    buckets = in_parts(of, (4, 5))
    need = bucket_plan(of, buckets, "float32")
    assert need.stores == sum(a.nbytes for a in BucketCfr(of, buckets, PRESETS["cfr"], threads=1).arrays().values())


def test_buckets_without_room_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    monkeypatch.setattr(bucketed, "read_buckets", lambda text, game: made.append(text))
    monkeypatch.setattr(store, "free_memory", lambda: 1_000_000)
    with pytest.raises(UserError, match=r"this needs 704 MB .*, and 1 MB are free"):
        start(game("holdem-nolimit:stack=20,menu=100%, a"), "cfr+", buckets="169-1000000-100-100:ehs")
    assert not made


def test_refusals() -> None:
    of = small(HOLDEM)
    with pytest.raises(UserError, match="alternating"):
        BucketCfr(of, no_buckets(of), Settings(alternating=False))
    with pytest.raises(UserError, match="boards or deals"):
        BucketCfr(of, no_buckets(of), PRESETS["cfr"], sampling="hands")
    with pytest.raises(UserError, match="float32 or float64"):
        BucketCfr(of, no_buckets(of), PRESETS["cfr"], store="int16")

    wrong = no_buckets(of)
    wrong.sizes = ((3,), (3,))
    with pytest.raises(UserError, match="below 3"):
        BucketCfr(of, wrong, PRESETS["cfr"]).step(1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"against": "best"}, "for device=gpu"),
        ({"bits": 8}, "for device=gpu"),
        ({"device": "gpu", "sample": 4, "bits": 9}, "8 or 16 bits"),
        ({"device": "abacus"}, "not a device"),
        ({"device": "gpu"}, "drawn boards"),
        ({"device": "gpu", "sample": 4, "store": "float64"}, "float32"),
        ({"device": "gpu", "sample": 4, "against": "worst"}, "against is best"),
    ],
)
def test_options_of_a_device(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        start(small(HOLDEM), "cfr+", buckets=in_parts(small(HOLDEM), (3, 4)), **options)


def test_what_takes_minutes_is_measured_at_the_end() -> None:
    solver = BucketCfr(small(HOLDEM), in_parts(small(HOLDEM), (3, 4)), PRESETS["cfr+"])
    run = SolverRun(solver, {})
    run.go(Limits(iterations=6))
    assert len(run.history) > 2
    solver.measured_late = True  # type: ignore[attr-defined]
    late = SolverRun(solver, {})
    late.go(Limits(iterations=12))
    assert [point[0] for point in late.history] == [12]
    aimed = SolverRun(solver, {})
    aimed.go(Limits(iterations=30, target=1e-9))
    assert len(aimed.history) > 1  # a target must be looked for


TRUNK = "holdem-nolimit:stack=5,ranks=4,suits=3,streets=3,menu=a; a | preflop 2x, a; a"


@pytest.fixture(scope="module")
def trunk() -> tuple[AnyArray, AnyArray]:
    """Near-equilibrium play on the first street of a game of twelve cards, hand by hand."""
    solver = TrunkCfr(small(TRUNK), PRESETS["dcfr-holdem"], store="float64", threads=1)
    solver.step(60)
    return solver.average(0), solver.average(1)


def first_by_bucket(buckets: TableBuckets, rows: AnyArray, seat: int) -> AnyArray:
    out = np.zeros((len(rows), buckets.sizes[0][0]))
    out[:, buckets.rows(seat, 0, 0, 1)[0]] = rows
    return out.ravel()


@compiled
def test_first_street_that_is_fixed_stays_and_the_rest_is_that_of_the_cut_game(
    trunk: tuple[AnyArray, AnyArray],
) -> None:
    """Buckets that lose nothing make the steps of `TrunkCfr` below the same trunk."""
    of = small(TRUNK)
    buckets = by_suits(of)
    given = first_by_bucket(buckets, trunk[0], 0), first_by_bucket(buckets, trunk[1], 1)
    cut = TrunkCfr(of, PRESETS["dcfr-holdem"], store="float64", threads=1, fixed=(trunk[0].ravel(), trunk[1].ravel()))
    ours = BucketCfr(of, buckets, PRESETS["dcfr-holdem"], store="float64", threads=1)
    ours.fix(given)
    cut.step(2)
    ours.step(2)
    begun = ours.measure().mbb
    assert begun == pytest.approx(cut.measure().mbb, rel=1e-12)
    cut.step(24)
    ours.step(24)
    assert ours.measure().mbb == pytest.approx(cut.measure().mbb, rel=5e-2)  # rounding grows from the third step on
    assert ours.measure().mbb < begun / 10
    for seat in (0, 1):
        assert (ours.policy()[seat][: len(given[seat])] == given[seat]).all()


@compiled
@pytest.mark.parametrize("how", [{}, {"sample": (6, 2)}, {"sample": 500, "sampling": "deals"}])
def test_fixing_a_player_leaves_the_first_street_of_the_opponent_free(
    trunk: tuple[AnyArray, AnyArray], how: dict[str, Any]
) -> None:
    of = small(TRUNK)
    buckets = in_parts(of, (66, 4, 4))
    buckets = TableBuckets(of, [by_suits(of).tables[0][0], *(table[0] for table in buckets.tables[1:])])
    for seat in (0, 1):
        given = first_by_bucket(buckets, trunk[seat], seat)
        solver = BucketCfr(of, buckets, PRESETS["linear"], store="float64", threads=1, seed=3, **how)
        solver.fix((given, None) if seat == 0 else (None, given))
        solver.step(3)
        kept = {name: array.copy() for name, array in solver.arrays().items()}
        solver.step(2)
        assert (solver.cumulative[seat][: len(given)] == given).all()
        n = len(first_by_bucket(buckets, trunk[1 - seat], 1 - seat))
        assert not np.allclose(solver.cumulative[1 - seat][:n], kept[f"total{1 - seat}"][:n])
        assert not np.allclose(solver.regret[seat][len(given) :], kept[f"regret{seat}"][len(given) :])


@compiled
@pytest.mark.long
def test_opponents_who_are_free_on_the_first_street_teach_more(trunk: tuple[AnyArray, AnyArray]) -> None:
    """Each player below its own trunk, against an opponent without one: less exploitable than both below theirs."""
    of = small(TRUNK)
    coarse = in_parts(of, (66, 4, 4))
    buckets = TableBuckets(of, [by_suits(of).tables[0][0], *(table[0] for table in coarse.tables[1:])])
    given = first_by_bucket(buckets, trunk[0], 0), first_by_bucket(buckets, trunk[1], 1)
    halves, prices = [], []
    for fixed in (given, (given[0], None), (None, given[1])):
        solver = BucketCfr(of, buckets, PRESETS["linear"], store="float64", threads=1)
        solver.fix(fixed)
        solver.step(100)
        prices.append(solver.measure().mbb)
        halves.append(solver.policy())
    apart = BucketStrategy(of, buckets, (halves[1][0], halves[2][1]))
    assert measure(of, apart).mbb < 0.8 * prices[0]
