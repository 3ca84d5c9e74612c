"""Buckets: the same whichever way they are asked for, blind to the names of suits, and of the sizes they promise."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.abstraction.hands.buckets import FeatureBuckets, class_counts
from headsup.abstraction.hands.features import Features
from headsup.abstraction.hands.partitions import partition_arrays, weighted_values
from headsup.abstraction.hands.spec import build_buckets, restore_buckets
from headsup.cards import SUIT_PERMUTATIONS, BoardTree, parse_cards
from headsup.cards.combos import colex
from headsup.cards.suits import permute_cards
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.holdem.bucketed import BucketStrategy, bucket_layout
from headsup.games.holdem.vector import VectorGame

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="it sorts hundreds of thousands of hands")

SPECS = (
    "*",
    "*-5-5-5:ehs",
    "3-4-4-4:ehs2,nested",
    "*-4-4-4:edges,edges=0/40/60/80/100|0/60/80/90/100",
    "*-4-4-4:potential",
    "*-6-6-6:emd,river=ochs,flop=hist,samples=400,bins=8,clusters=3,restarts=2",
    "*-3-2-6:board,river=ehs,bins=8,restarts=2",
)


@cache
def small() -> VectorGame:
    played = game("holdem-limit:ranks=4,raises=2")
    assert isinstance(played, VectorGame)
    return played


@cache
def buckets(spec: str) -> FeatureBuckets:
    return build_buckets(small(), spec)


DECK = [4 * rank + suit for rank in range(9, 13) for suit in range(4)]
deals = st.tuples(st.permutations(DECK), st.sampled_from([0, 3, 4, 5]), st.sampled_from(list(permutations(range(4)))))


@pytest.mark.parametrize("spec", SPECS)
@settings(max_examples=20)
@given(deals)
def test_a_function_of_the_cards_is_the_table_and_blind_to_suits(
    spec: str, deal: tuple[list[int], int, tuple[int, ...]]
) -> None:
    made, (cards, n, renaming) = buckets(spec), deal
    hole, board = cards[:2], cards[2 : 2 + n]
    bucket = made.bucket_of(hole, board)
    assert bucket == made.bucket_of(
        permute_cards(hole[::-1], renaming).tolist(), permute_cards(board, renaming).tolist()
    )
    path = made.tree.find(board)
    street, number = len(path.numbers) - 1, path.numbers[-1]
    hand = colex(permute_cards(hole, SUIT_PERMUTATIONS[path.renaming]).tolist())
    for seat in (0, 1):
        row = made.rows(seat, street, number, number + 1)[0]
        assert row[np.searchsorted(small().showdown.hands[seat], hand)] == bucket  # type: ignore[attr-defined]
    assert bucket < made.sizes[street][0]


@pytest.mark.parametrize("spec", SPECS)
def test_hands_that_a_board_cannot_tell_apart_share_a_bucket(spec: str) -> None:
    made = buckets(spec)
    for street in range(4):
        boards = made.tree.levels[street]
        rows = made.rows(0, street, 0, len(boards))
        assert rows.dtype.kind == "u"
        alive = made.features.alive(boards)
        assert rows[alive].max() < made.sizes[street][0]
        for b in range(0, len(boards), 1 + len(boards) // 40):
            for image in made.features.images(int(boards.group[b])):
                assert (rows[b][image] == rows[b])[alive[b]].all()
    with pytest.raises(UserError, match="two cards of the deck"):
        made.bucket_of(parse_cards("AsAh"), parse_cards("AsKhQd"))


def test_suit_classes_are_the_orbits() -> None:
    made = build_buckets(small(), "*")
    for street in range(3):
        boards = made.tree.levels[street]
        rows, alive = made.rows(0, street, 0, len(boards)), made.features.alive(boards)
        seen = [set(rows[b][alive[b]].tolist()) for b in range(len(boards))]
        assert sum(map(len, seen)) == len(set().union(*seen)) == made.sizes[street][0]  # no board shares any
        assert sorted(set().union(*seen)) == list(range(made.sizes[street][0]))
        for b in range(0, len(boards), 1 + len(boards) // 20):
            for h in np.flatnonzero(alive[b]):
                orbit = {int(image[h]) for image in made.features.images(int(boards.group[b]))}
                assert {int(h)} | orbit == set(np.flatnonzero((rows[b] == rows[b][h]) & alive[b]).tolist())
        assert (class_counts(made.features, street) == [len(classes) for classes in seen]).all()


def test_suit_classes_of_the_whole_deck() -> None:
    """The published numbers of canonical hands (Waugh 2013)."""
    tree = BoardTree()
    assert [tree.kinds(street) for street in range(4)] == [169, 1_286_792, 55_190_538, 2_428_287_420]
    assert int(class_counts(Features(tree), 1).sum()) == 1_286_792
    unordered = [tree.at_once(0, cards).kinds(1) for cards in (3, 4, 5)]
    assert unordered == [1_286_792, 13_960_050, 123_156_254]


@pytest.mark.parametrize("count", [2, 5, 30])
def test_percentiles_have_equal_shares(count: int) -> None:
    features = Features(small().boards)  # type: ignore[arg-type]
    for street in range(1, 4):
        made = build_buckets(small(), f"*-{count}-{count}-{count}:ehs")
        boards = features.sets(street)
        alive = features.alive(boards)
        weights = weighted_values(features.totals(street), alive, boards.count)[1]
        largest, total = int(weights.max()), int(weights.sum())
        shares = np.bincount(
            made.table(street)[alive],
            weights=np.broadcast_to(boards.count[:, None], alive.shape)[alive],
            minlength=count,
        )
        assert shares.sum() == total == int((alive * boards.count[:, None]).sum())
        assert np.abs(shares - total / count).max() <= largest  # half a sum that stays together at either end
        order = features.totals(street)[alive]
        for bucket in range(1, count):
            below, above = order[made.table(street)[alive] < bucket], order[made.table(street)[alive] >= bucket]
            assert not below.size or not above.size or below.max() < above.min()


def test_edges_cut_at_equities() -> None:
    made = buckets(SPECS[3])
    features = made.features
    for street in range(1, 4):
        equity = features.ehs(street, features.sums(street).total)
        alive = features.alive(features.sets(street))
        for kind, cuts in enumerate(([0.4, 0.6, 0.8], [0.6, 0.8, 0.9])):
            wanted = np.searchsorted(cuts, equity + 1e-12, side="right")
            assert (made.table(street, kind) == wanted)[alive].all()
    pots = small().betting.paid[small().betting.entries[3]].sum(axis=1)
    assert pots[made.kinds[3] == 0].max() < pots[made.kinds[3] == 1].min()
    width = build_buckets(small(), "*-4-4-4:width")
    equity = features.ehs(1, features.sums(1).total)
    assert (width.table(1) == np.minimum(3, (4 * equity + 1e-9).astype(int)))[features.alive(features.sets(1))].all()


def test_nested_buckets_remember() -> None:
    made, plain = buckets(SPECS[2]), build_buckets(small(), "3-4-4-4:ehs2")
    assert made.sizes == ((3,), (12,), (48,), (192,))
    for street in range(1, 4):
        boards = made.tree.levels[street]
        rows = made.rows(1, street, 5, len(boards))
        before = made.rows(1, street - 1, 0, len(made.tree.levels[street - 1]))[boards.parent[5:]]
        alive = made.features.alive(boards)[5:]
        assert (rows // 4 == before)[alive].all()
        assert (rows % 4 == plain.rows(1, street, 5, len(boards)))[alive].all()


def test_the_last_bucket_is_of_weak_hands_with_hope() -> None:
    made = buckets(SPECS[4])
    features = made.features
    for street in (1, 2):
        boards = features.sets(street)
        alive = features.alive(boards)
        hopeful = (made.table(street) == 3) & alive
        share = (hopeful * boards.count[:, None]).sum() / (alive * boards.count[:, None]).sum()
        assert 0.02 < share <= 0.25
        assert (2 * features.now(street)[hopeful] < features.scale_now(street)).all()
        strong = features.sums(street, 20).histogram[..., 17:].sum(axis=2)
        weak = (2 * features.now(street) < features.scale_now(street)) & alive & ~hopeful
        assert strong[hopeful].min() > strong[weak].max()


def test_a_strategy_by_bucket_takes_them() -> None:
    made = buckets(SPECS[3])
    layouts = [bucket_layout(small(), made, seat) for seat in (0, 1)]
    rng = np.random.default_rng(1)
    strategy = BucketStrategy(small(), made, (rng.random(layouts[0].size), rng.random(layouts[1].size)))
    node = int(small().betting.entries[3][-1])
    rows = strategy.rows(node, small().board(3, 7))
    np.testing.assert_allclose(rows.sum(axis=0), 1.0)


def test_what_has_no_buckets() -> None:
    other = game("jamfold")
    assert isinstance(other, VectorGame)
    with pytest.raises(UserError, match="no hold'em hands"):
        build_buckets(other, "*")
    with pytest.raises(UserError, match="give partitions for each"):
        FeatureBuckets(small(), [()])
    with pytest.raises(UserError, match="one partition a street"):
        build_buckets(small(), "*-4-4-4:edges,nested,edges=0/40/60/80/100|0/60/80/90/100")


def test_boards_with_buckets_of_their_own_share_none() -> None:
    made = buckets("*-3-2-6:board,river=ehs,bins=8,restarts=2")
    for street, each in ((1, 3), (2, 2)):
        sets = len(made.features.sets(street))
        assert made.sizes[street] == (each * sets,)
        table, alive = made.table(street), made.features.alive(made.features.sets(street))
        for number in range(sets):
            held = table[number][alive[number]]
            assert {*(held // each).tolist()} == {number}
            assert len(np.unique(held)) > 1
    strength = made.features.sums(1).total
    for number in range(len(made.features.sets(1))):  # weak ones first
        alive = made.features.alive(made.features.sets(1))[number]
        means = [strength[number][alive & (made.table(1)[number] == 3 * number + b)] for b in range(3)]
        order = [float(values.mean()) for values in means if len(values)]
        assert order == sorted(order)


def test_buckets_of_boards_are_restored_from_their_numbers() -> None:
    made = buckets("*-3-2-6:board,river=ehs,bins=8,restarts=2")
    again = restore_buckets(small(), made.text, partition_arrays(made.partitions))
    for street in range(4):
        assert (again.rows(0, street, 0, 9) == made.rows(0, street, 0, 9)).all()
