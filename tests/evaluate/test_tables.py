"""The tables are complete: every class and every slot is reached, nothing collides, and a damaged cache is rebuilt."""

import itertools
from collections import Counter
from math import comb
from pathlib import Path

import numpy as np
import pytest

from headsup.cards.classes import rank_multiset_index, rank_multisets
from headsup.common import archives
from headsup.evaluate import classes, tables
from headsup.evaluate.kernels import COLUMN_BITS
from tests import naive


@pytest.fixture(scope="module")
def built() -> tables.Tables:
    return tables.build()


def rank_sums() -> tuple[np.ndarray, np.ndarray]:
    """The key sum and the value of every multiset of one to seven ranks that the deck allows."""
    keys = np.array(tables.RANK_KEYS)
    sums, values = [], []
    for n, unsuited in enumerate(tables.unsuited_tables()):
        rows = rank_multisets(n) if n else np.zeros((0, 1), dtype=np.int64)
        allowed = np.array([max(Counter(row).values()) <= 4 for row in rows.tolist()], dtype=bool)
        sums.append(keys[rows[allowed]].sum(axis=1))
        values.append(unsuited[allowed])
    return np.concatenate(sums), np.concatenate(values)


def test_there_are_7462_classes_in_the_order_of_the_rules() -> None:
    every = classes.classes()
    assert len(every) == len(set(every)) == classes.CLASSES == 7462
    # distinct classes a category, weakest category first: standard combinatorics
    assert list(Counter(one.category for one in every).values()) == [1277, 2860, 858, 858, 10, 1277, 156, 156, 10]
    suits = {True: (0, 0, 0, 0, 0), False: (0, 1, 2, 3, 0)}
    naive_order = []
    for one in every:
        flush = one.category in (classes.FLUSH, classes.STRAIGHT_FLUSH)
        cards = [4 * rank + suit for rank, suit in zip(one.ranks, suits[flush], strict=True)]
        naive_order.append(naive.best_key(cards))
    assert all(a < b for a, b in itertools.pairwise(naive_order))


def test_multisets_are_in_colex_order() -> None:
    for n in range(1, 8):
        rows = rank_multisets(n)
        assert len(rows) == comb(12 + n, n)
        assert (rank_multiset_index(rows) == np.arange(len(rows))).all()


def test_no_two_multisets_of_ranks_have_the_same_sum() -> None:
    sums, values = rank_sums()
    assert len(sums) == 76_154
    assert len(np.unique(sums % (1 << 26))) == len(sums)
    assert values.min() == 1
    assert int(sums.max()) < 1 << 32, "a sum must not run into the suit counters"


def test_every_sum_has_a_slot_of_its_own_and_every_full_slot_is_reached(built: tables.Tables) -> None:
    sums, values = rank_sums()
    rows, columns = tables.split(sums)
    slots = built.row_starts[rows].astype(np.int64) + columns
    assert len(np.unique(slots)) == len(slots)
    assert (built.values[slots] == values).all()
    rest = np.ones(len(built.values), dtype=bool)
    rest[slots] = False
    assert not built.values[rest].any()


def test_any_sum_at_all_stays_inside_the_packed_table(built: tables.Tables) -> None:
    assert int(built.row_starts.max()) + (1 << COLUMN_BITS) <= len(built.values)
    assert built.values.nbytes + built.row_starts.nbytes < 256 * 1024


def test_unsuited_values_are_the_best_five() -> None:
    rng = np.random.default_rng(3)
    unsuited = tables.unsuited_tables()
    order = {one: value for value, one in enumerate(classes.classes(), start=1)}
    for n in (5, 6, 7):
        for row in rng.choice(rank_multisets(n), 300):
            if max(Counter(row.tolist()).values()) <= 4:
                best = max(order[classes.hand_class(five)] for five in itertools.combinations(row.tolist(), 5))
                assert unsuited[n][rank_multiset_index(row)] == best
    for n in (1, 2, 3, 4):
        for row in rank_multisets(n)[:: 1 + 7 * (n == 4)]:
            assert unsuited[n][rank_multiset_index(row)] == classes.least_value(tuple(row.tolist()))


def test_flush_table_is_the_best_five_of_each_mask(built: tables.Tables) -> None:
    order = {one: value for value, one in enumerate(classes.classes(), start=1)}
    fives = {
        sum(1 << rank for rank in five): order[classes.hand_class(five, flush=True)]
        for five in itertools.combinations(range(13), 5)
    }
    masks = np.array(list(fives))
    worth = np.array(list(fives.values()))
    for mask in range(8192):
        inside = worth[(masks & mask) == masks]
        assert built.flush[mask] == (inside.max() if len(inside) else 0)
    assert set(built.flush[built.flush > 0].tolist()) == set(fives.values())


def test_omaha_table_holds_every_triple_and_pair(built: tables.Tables) -> None:
    order = {one: value for value, one in enumerate(classes.classes(), start=1)}
    for three in itertools.product(range(13), repeat=3):
        assert built.triple_index[256 * three[0] + 16 * three[1] + three[2]] == rank_multiset_index(
            np.array(sorted(three))
        )
    for i, three in enumerate(rank_multisets(3).tolist()):
        for j, two in enumerate(rank_multisets(2).tolist()):
            five = three + two
            expected = 0 if len(set(five)) == 1 else order[classes.hand_class(five)]
            assert built.omaha[i, j] == expected
            assert built.pair_index[16 * two[0] + two[1]] == built.pair_index[16 * two[1] + two[0]] == j


def test_low_table_for_every_hand_and_board_of_low_ranks(built: tables.Tables) -> None:
    lows = sorted((five[::-1] for five in itertools.combinations(range(8), 5)), reverse=True)  # worst first
    value = {low: place for place, low in enumerate(lows, start=1)}
    assert len(value) == classes.LOWS
    masks = range(256)
    for hand in (mask for mask in masks if 2 <= mask.bit_count() <= 4):
        twos = list(itertools.combinations([bit for bit in range(8) if hand >> bit & 1], 2))
        for board in (mask for mask in masks if 3 <= mask.bit_count() <= 5):
            threes = itertools.combinations([bit for bit in range(8) if board >> bit & 1], 3)
            fives = [{*two, *three} for two, three in itertools.product(twos, threes)]
            best = max(
                (value[tuple(sorted(five, reverse=True))] for five in fives if len(five) == 5),
                default=0,
            )
            assert built.low[256 * hand + board] == best
    assert set(built.low.tolist()) == set(range(57))


def test_a_change_of_the_tables_needs_a_new_version(built: tables.Tables) -> None:
    seal = archives.checksum(tables.VERSION, built._asdict())
    assert (tables.VERSION, seal[:16]) == (2, "47b4461781e94b9d"), (
        "the tables changed: raise VERSION, or old caches will be read"
    )


def test_load_builds_caches_and_repairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEADSUP_CACHE", str(tmp_path))
    load = tables.load.__wrapped__
    first = load()
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-1000])
    again = load()
    assert all((a == b).all() and a.dtype == b.dtype for a, b in zip(first, again, strict=True))
    monkeypatch.setattr(tables, "build", lambda: pytest.fail("a good cache must be used"))
    assert all((a == b).all() for a, b in zip(first, load(), strict=True))
