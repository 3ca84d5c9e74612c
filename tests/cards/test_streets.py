"""The index of cards dealt in rounds: counts, density, round trips, symmetry, and one deal step by step."""

from itertools import product
from math import comb, prod

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.cards import cards_in, mask_of
from headsup.cards.classes import holdem_class_reps
from headsup.cards.combos import combos
from headsup.cards.streets import FLOP, PREFLOP, RIVER, TURN, StreetIndexer, street_indexer
from headsup.cards.suits import SUIT_PERMUTATIONS, canonical, permute_cards
from headsup.common.errors import UserError

# The first four are K. Waugh's counts (hand-isomorphism, 2013); the eight-card deals are those of Ho (2015), table 3.3;
# two rounds of two cards, that is ordered pairs of hold'em hands, follow from Burnside's lemma in the test below.
COUNTS = {
    PREFLOP: 169,
    FLOP: 1_286_792,
    TURN: 55_190_538,
    RIVER: 2_428_287_420,
    (3,): 1755,
    (4,): 16_432,
    (5,): 134_459,
    (8,): 32_819_436,
}
ROUNDS = [*COUNTS, (2, 2), (1, 1, 1), (4, 3), (4, 3, 1, 1)]
SMALL = [(1,), (2,), (3,), (4,), (1, 1), (2, 1), (1, 1, 1), (2, 2)]


def random_deals(n: int, cards: int, seed: int = 0) -> npt.NDArray[np.uint8]:
    return np.argsort(np.random.default_rng(seed).random((n, 52)), axis=1)[:, :cards].astype(np.uint8)


def split(rounds: tuple[int, ...], cards: list[int]) -> list[int]:
    """The masks of the rounds of a deal."""
    return [mask_of(cards[sum(rounds[:i]) : sum(rounds[: i + 1])]) for i in range(len(rounds))]


def burnside(rounds: tuple[int, ...]) -> int:
    """The number of orbits: deals left unchanged by a renaming, averaged over the renamings, by counting cycles."""
    total = 0
    for one in SUIT_PERMUTATIONS:
        cycles, seen = [], set[int]()
        for suit in range(4):
            length, at = 0, suit
            while at not in seen:
                seen.add(at)
                at, length = one[at], length + 1
            cycles += [length] * (length > 0)
        # A round is a union of cycles, each cycle 13 times in the deck: a polynomial in how many of each are taken.
        ways = {tuple(13 for _ in cycles): 1}
        for size in rounds:
            step: dict[tuple[int, ...], int] = {}
            for left, count in ways.items():
                for taken in product(*(range(min(free, size) + 1) for free in left)):
                    if sum(t * c for t, c in zip(taken, cycles, strict=True)) == size:
                        rest = tuple(f - t for f, t in zip(left, taken, strict=True))
                        step[rest] = step.get(rest, 0) + count * prod(map(comb, left, taken))
            ways = step
        total += sum(ways.values())
    assert total % 24 == 0
    return total // 24


@pytest.mark.parametrize("rounds", COUNTS)
def test_published_counts(rounds: tuple[int, ...]) -> None:
    assert street_indexer(rounds).size == COUNTS[rounds]


@pytest.mark.parametrize("rounds", [(2,), (3,), (4,), (2, 2), (2, 3), (2, 1, 1), (1, 1, 1)])
def test_counts_by_burnside(rounds: tuple[int, ...]) -> None:
    assert street_indexer(rounds).size == burnside(rounds)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_blocks_follow_one_another(rounds: tuple[int, ...]) -> None:
    indexer = street_indexer(rounds)
    offset = 0
    for one in indexer.configurations:
        assert one.offset == offset
        assert tuple(map(sum, zip(*one.shapes, strict=True))) == rounds
        assert list(one.shapes) == sorted(one.shapes, reverse=True)
        offset += one.size
    assert offset == indexer.size
    assert len({one.shapes for one in indexer.configurations}) == len(indexer.configurations)


def history_number(sets: list[int]) -> int:
    """The number of a suit's history, given the rank set of each round."""
    number, used = 0, 0
    for ranks in sets:
        unused = [rank for rank in range(13) if not used >> rank & 1]
        new = [place for place, rank in enumerate(unused) if ranks >> rank & 1]
        number = number * comb(len(unused), len(new)) + sum(comb(place, i + 1) for i, place in enumerate(new))
        used |= ranks
    return number


def naive_index(indexer: StreetIndexer, deal: list[int]) -> int:
    """The index of one deal, step by step."""
    histories = [[0] * len(indexer.rounds) for _ in range(4)]
    for i, mask in enumerate(split(indexer.rounds, deal)):
        for card in cards_in(mask):
            histories[card & 3][i] |= 1 << (card >> 2)
    shapes = [tuple(ranks.bit_count() for ranks in history) for history in histories]
    ordered = sorted(zip(shapes, map(history_number, histories), strict=True), reverse=True)
    four = tuple(shape for shape, _ in ordered)
    configuration = next(one for one in indexer.configurations if one.shapes == four)
    values, place = iter([value for _, value in ordered]), 0
    for group in configuration.groups:
        members = sorted(next(values) for _ in range(group.suits))
        place = place * group.size + sum(comb(x + i, i + 1) for i, x in enumerate(members))
    return configuration.offset + place


@pytest.mark.parametrize("rounds", ROUNDS)
def test_arrays_agree_with_the_index_of_one_deal_step_by_step(rounds: tuple[int, ...]) -> None:
    indexer = street_indexer(rounds)
    deals = random_deals(200, indexer.n_cards)
    numbers = indexer.index_array(deals)
    back = indexer.unindex_array(numbers)
    sizes = indexer.class_size_array(numbers)
    rows = list(zip(deals.tolist(), numbers.tolist(), back.tolist(), sizes.tolist(), strict=True))
    for deal, number, _, size in rows:
        assert naive_index(indexer, deal) == number
        assert canonical(split(rounds, deal))[1] == size
    for deal, number, rep, size in rows[::5]:  # deal by deal the arrays are asked with one row
        assert indexer.index(deal) == number
        assert indexer.unindex(number) == tuple(rep) == indexer.canonical(deal)
        assert indexer.class_size(number) == size


@pytest.mark.parametrize("rounds", ROUNDS)
def test_every_sampled_index_comes_back(rounds: tuple[int, ...]) -> None:
    indexer = street_indexer(rounds)
    edges = [one.offset for one in indexer.configurations] + [one.offset - 1 for one in indexer.configurations[1:]]
    random = np.random.default_rng(1).integers(0, indexer.size, 50_000)
    numbers = np.concatenate([random, edges, [indexer.size - 1]])
    deals = indexer.unindex_array(numbers)
    assert np.array_equal(indexer.index_array(deals), numbers)
    for start, size in zip(np.cumsum([0, *rounds]).tolist(), rounds, strict=False):
        part = deals[:, start : start + size].astype(int)
        assert (np.diff(part, axis=1) > 0).all()


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_renaming_or_another_order_within_a_round_keeps_the_index(rounds: tuple[int, ...]) -> None:
    indexer = street_indexer(rounds)
    deals = random_deals(5_000, indexer.n_cards, seed=2)
    numbers = indexer.index_array(deals)
    assert numbers.min() >= 0
    assert numbers.max() < indexer.size
    for one in SUIT_PERMUTATIONS:
        assert np.array_equal(indexer.index_array(permute_cards(deals, one)), numbers)
    turned = deals.copy()
    for start, size in zip(np.cumsum([0, *rounds]).tolist(), rounds, strict=False):
        turned[:, start : start + size] = deals[:, start : start + size][:, ::-1]
    assert np.array_equal(indexer.index_array(turned), numbers)


@given(st.sampled_from([(2, 3), (2, 3, 1), (2, 3, 1, 1), (4, 3), (8,)]), st.data())
def test_equal_index_means_equal_up_to_renaming(rounds: tuple[int, ...], data: st.DataObject) -> None:
    """Deals from few ranks collide often; each collision must be a renaming, and each renaming a collision."""
    indexer = street_indexer(rounds)
    n = indexer.n_cards
    few = st.lists(st.integers(0, 11), min_size=n, max_size=n, unique=True)
    one, two = data.draw(few), data.draw(few)
    same = canonical(split(rounds, one))[0] == canonical(split(rounds, two))[0]
    assert (indexer.index(one) == indexer.index(two)) == same
    assert indexer.class_size(indexer.index(one)) == canonical(split(rounds, one))[1]


@given(st.sampled_from(ROUNDS), st.data())
def test_any_index_round_trip(rounds: tuple[int, ...], data: st.DataObject) -> None:
    indexer = street_indexer(rounds)
    number = data.draw(st.integers(0, indexer.size - 1))
    assert indexer.index(indexer.unindex(number)) == number


@pytest.mark.parametrize("rounds", SMALL)
def test_small_deals_reach_every_index_as_often_as_its_class_is_large(rounds: tuple[int, ...]) -> None:
    indexer = street_indexer(rounds)
    rows = np.zeros((1, 0), dtype=np.uint8)
    for size in rounds:
        more = combos(size)
        rows = np.hstack([np.repeat(rows, len(more), axis=0), np.tile(more, (len(rows), 1))])
        ordered = np.sort(rows, axis=1)
        rows = rows[(ordered[:, 1:] != ordered[:, :-1]).all(axis=1)]
    reached = np.bincount(indexer.index_array(rows), minlength=indexer.size)
    assert np.array_equal(reached, indexer.class_size_array(np.arange(indexer.size)))


def test_flop_hands_reach_every_index() -> None:
    """Every flop for one hand of each of the 169 kinds reaches all 1,286,792 indices and nothing else."""
    indexer = street_indexer(FLOP)
    reached = np.zeros(indexer.size, dtype=bool)
    flops = combos(3)
    for hand in holdem_class_reps():
        free = flops[~np.isin(flops, hand).any(axis=1)]
        reached[indexer.index_array(np.hstack([np.tile(hand, (len(free), 1)), free]))] = True
    assert reached.all()
    assert indexer.class_size_array(np.arange(indexer.size)).sum(dtype=np.int64) == comb(52, 2) * comb(50, 3)


def test_five_card_boards_reach_every_index() -> None:
    indexer = street_indexer((5,))
    reached = np.bincount(indexer.index_array(combos(5)), minlength=indexer.size)
    assert np.array_equal(reached, indexer.class_size_array(np.arange(indexer.size)))


@pytest.mark.long
@pytest.mark.parametrize(("rounds", "deals"), [(TURN, 1_221_511_200), ((8,), 752_538_150)])
def test_class_sizes_of_large_deals_add_up(rounds: tuple[int, ...], deals: int) -> None:
    indexer = street_indexer(rounds)
    total = 0
    for start in range(0, indexer.size, 1 << 22):
        numbers = np.arange(start, min(indexer.size, start + (1 << 22)))
        assert np.array_equal(indexer.index_array(indexer.unindex_array(numbers)), numbers)
        total += int(indexer.class_size_array(numbers).sum(dtype=np.int64))
    assert total == deals


def test_any_integer_type_will_do() -> None:
    indexer = street_indexer(FLOP)
    deals = random_deals(10, 5)
    assert np.array_equal(indexer.index_array(deals.astype(np.int64)), indexer.index_array(deals))
    assert np.array_equal(indexer.index_array(np.asfortranarray(deals)), indexer.index_array(deals))
    assert indexer.index_array(np.zeros((0, 5), dtype=np.uint8)).shape == (0,)
    assert indexer.unindex_array([]).shape == (0, 5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: StreetIndexer(()), "not rounds"),
        (lambda: StreetIndexer((2, 0)), "not rounds"),
        (lambda: StreetIndexer((14,)), "not rounds"),
        (lambda: StreetIndexer((1,) * 9), "too many deals"),
        (lambda: street_indexer(FLOP).index([0, 1, 2, 3]), "wants 5 cards"),
        (lambda: street_indexer(FLOP).index([0, 1, 2, 3, 3]), "2s appears twice"),
        (lambda: street_indexer(FLOP).index([0, 1, 2, 3, 52]), "52 is not a card"),
        (lambda: street_indexer(FLOP).index_array([[0, 1, 2, 3, 3]]), "2s appears twice"),
        (lambda: street_indexer(FLOP).index_array([[0, 1, 2, 0, 3]]), "2c appears twice"),
        (lambda: street_indexer(FLOP).index_array([[0, 1, 2, 3, -1]]), "not a card"),
        (lambda: street_indexer(FLOP).index_array([[0, 1, 2, 3, 300]]), "not a card"),
        (lambda: street_indexer(FLOP).index_array([0, 1, 2, 3, 4]), "5 cards in each row"),
        (lambda: street_indexer(FLOP).unindex(1_286_792), "0 to 1286791"),
        (lambda: street_indexer(FLOP).unindex_array([1_286_792]), "end at 1286791"),
        (lambda: street_indexer(FLOP).class_size_array([-1]), "end at 1286791"),
        (lambda: street_indexer(FLOP).unindex_array([[1]]), "one-dimensional"),
    ],
)
def test_mistakes_are_told(call, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UserError, match=message):
        call()
