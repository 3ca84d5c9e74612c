"""The tree of boards up to suits, against a list of all boards and the definition of every field."""

from __future__ import annotations

import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards import SUIT_PERMUTATIONS, Boards, BoardTree, colex, holdem_combos, parse_cards, street_indexer
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.games.catalogue.poker import HoldemDeck

GOLDEN = Path(__file__).parents[1] / "golden" / "board_counts.txt"
RENAMINGS = tuple(permutations(range(4)))
FIELDS = ("cards", "child", "copies", "count", "first", "group", "parent", "renaming")

Cards = frozenset[int]
Deal = tuple[Cards, ...]  # the root's cards, then the new cards of each street


class Spot(NamedTuple):
    """What a tree is made of."""

    root: tuple[int, ...]
    streets: tuple[int, ...]
    ranks: int
    suits: int
    ranges: list[npt.NDArray[np.float64]]
    merged: bool
    dead: tuple[int, ...]


def rename(cards: Cards, renaming: tuple[int, ...]) -> Cards:
    return frozenset(one - one % 4 + renaming[one % 4] for one in cards)


def rename_deal(deal: Deal, renaming: tuple[int, ...]) -> Deal:
    return tuple(rename(cards, renaming) for cards in deal)


def deck_of(spot: Spot) -> list[int]:
    return [one for one in range(52) if one // 4 >= 13 - spot.ranks and one % 4 < spot.suits]


def naive_deals(spot: Spot, street: int) -> list[Deal]:
    """Every real deal up to a street."""
    deals: list[Deal] = [(frozenset(spot.root),)]
    for new in spot.streets[1 : street + 1]:
        deals = [
            (*deal, frozenset(cards))
            for deal in deals
            for cards in combinations([c for c in deck_of(spot) if c not in frozenset(spot.dead).union(*deal)], new)
        ]
    return deals


def naive_hands(spot: Spot) -> dict[int, Cards]:
    free = set(deck_of(spot)) - set(spot.root) - set(spot.dead)
    return {i: frozenset(two) for i, two in enumerate(holdem_combos().tolist()) if set(two) <= free}


def naive_group(spot: Spot) -> set[int]:
    """The renamings of the deck that leave the root, the dead cards and what the ranges say of possible hands alone."""
    if not spot.merged:
        return {0}
    hands, index = naive_hands(spot), {frozenset(two): i for i, two in enumerate(holdem_combos().tolist())}
    fixed = (frozenset(spot.root), frozenset(spot.dead))
    return {
        i
        for i, one in enumerate(RENAMINGS)
        if one[spot.suits :] == RENAMINGS[0][spot.suits :]
        and rename_deal(fixed, one) == fixed
        and all(weights[index[rename(h, one)]] == weights[k] for weights in spot.ranges for k, h in hands.items())
    }


def leave_alone(group: set[int], deal: Deal) -> set[int]:
    return {i for i in group if rename_deal(deal, RENAMINGS[i]) == deal}


def stored_deal(spot: Spot, street: int, row: npt.NDArray[np.uint8]) -> Deal:
    cards = row.tolist()
    assert tuple(cards[: len(spot.root)]) == spot.root
    deal, at = [frozenset(spot.root)], len(spot.root)
    for new in spot.streets[1 : street + 1]:
        assert cards[at : at + new] == sorted(cards[at : at + new])
        deal.append(frozenset(cards[at : at + new]))
        at += new
    assert at == len(cards)
    return tuple(deal)


@st.composite
def weights_of_hands(draw: st.DrawFn) -> npt.NDArray[np.float64]:
    """A range that tells suits apart not at all, by one suit, or as it likes."""
    low, high = holdem_combos().T.astype(np.int64)
    kind = draw(st.sampled_from(["suited", "a suit", "two suits", "some hands"]))
    if kind == "suited":
        return np.where(low % 4 == high % 4, 1.0, 0.5)
    if kind == "a suit":
        suit = draw(st.integers(0, 3))
        return ((low % 4 == suit).astype(float) + (high % 4 == suit)) / 2
    if kind == "two suits":
        return np.where((low % 4 < 2) & (high % 4 < 2), 1.0, 0.25)
    out = np.zeros(1326)
    out[draw(st.lists(st.integers(1128, 1325), max_size=3))] = 1
    return out


@st.composite
def spots(draw: st.DrawFn) -> Spot:
    suits = draw(st.integers(1, 4))
    ranks = draw(st.integers(1, 12 // suits))
    deck = draw(st.permutations([one for one in range(52) if one // 4 >= 13 - ranks and one % 4 < suits]))
    n_root = draw(st.integers(0, min(4, len(deck))))
    n_dead = draw(st.integers(0, min(2, len(deck) - n_root)))
    left = len(deck) - n_root - n_dead
    streets = [(0,), (0, 1), (0, 2), (0, 3), (0, 4), (0, 1, 1), (0, 2, 1), (0, 0, 2), (0, 1, 0, 1), (0, 1, 1, 1)]
    return Spot(
        root=tuple(deck[:n_root]),
        streets=draw(st.sampled_from([one for one in streets if sum(one) <= left])),
        ranks=ranks,
        suits=suits,
        ranges=draw(st.lists(weights_of_hands(), max_size=2)),
        merged=draw(st.sampled_from([True, True, True, False])),
        dead=tuple(deck[n_root : n_root + n_dead]),
    )


def test_renamings_are_numbered_as_here() -> None:
    assert SUIT_PERMUTATIONS == RENAMINGS


@given(spots())
def test_every_real_board_is_named_once(spot: Spot) -> None:
    tree, group = BoardTree(*spot), naive_group(spot)
    # For each kept board the real deals that it stands for, each with the renaming that carries it onto the kept one.
    named: list[dict[Deal, tuple[int, ...]]] = [{(frozenset(spot.root),): RENAMINGS[0]}]
    for street, boards in enumerate(tree.levels):
        if street:
            before, named = named, []
            above = tree.levels[street - 1]
            for b in range(len(boards)):
                stored = stored_deal(spot, street, boards.cards[b])
                parent = int(boards.parent[b])
                allowed = leave_alone(group, stored_deal(spot, street - 1, above.cards[parent]))
                here: dict[Deal, tuple[int, ...]] = {}
                for number in boards.renamings(b).tolist():
                    assert number in allowed
                    for deal, so_far in before[parent].items():
                        onto = tuple(RENAMINGS[number][suit] for suit in so_far)
                        real = (*deal, rename(stored[-1], tuple(onto.index(suit) for suit in range(4))))
                        assert rename_deal(real, onto) == stored
                        assert real not in here
                        here[real] = onto
                assert len(here) == boards.count[b]
                named.append(here)
        everything = [deal for here in named for deal in here]
        assert len(everything) == len(set(everything)) == tree.totals()[street] == boards.count.sum()
        assert set(everything) == set(naive_deals(spot, street))


@given(spots())
def test_the_fields_fit_together(spot: Spot) -> None:
    tree, group = BoardTree(*spot), naive_group(spot)
    assert tree.sizes() == [len(boards) for boards in tree.levels]
    if not spot.merged:
        assert tree.sizes() == tree.totals()
    for street, boards in enumerate(tree.levels):
        deals = [stored_deal(spot, street, row) for row in boards.cards]
        assert [{i for i in range(24) if bits >> i & 1} for bits in boards.group.tolist()] == [
            leave_alone(group, deal) for deal in deals
        ]
        assert np.diff(boards.first).tolist() == boards.copies.tolist()
        assert (boards.renaming[boards.first[:-1]] == 0).all()
        assert [{c for c in range(52) if mask >> c & 1} for mask in tree.blocked(street).tolist()] == [
            set().union(*deal) for deal in deals
        ]
        if street:
            above = tree.levels[street - 1]
            of_parent = [b for p in range(len(above)) for b in [p] * len(above.children(p))]
            assert boards.parent.tolist() == of_parent
            assert above.child[-1] == len(boards)
            assert (boards.count == above.count[boards.parent] * boards.copies).all()
            assert [deal[:-1] for deal in deals] == [
                stored_deal(spot, street - 1, above.cards[p]) for p in boards.parent
            ]
    assert not tree.levels[-1].child.any()
    root = tree.levels[0]
    assert (root.parent.tolist(), root.copies.tolist(), root.count.tolist()) == ([0], [1], [1])


@given(spots(), st.integers(0, 1 << 30))
def test_values_by_hand_add_up_to_the_sum_over_all_boards(spot: Spot, seed: int) -> None:
    tree = BoardTree(*spot)
    possible, last = naive_hands(spot), len(spot.streets) - 1
    assert tree.hands().tolist() == list(possible)
    group = [RENAMINGS[i] for i in naive_group(spot)]

    def value(deal: Deal, hand: Cards) -> int:
        """Any number, the same for all images of a situation; 0 where the board has a card of the hand."""
        if hand & frozenset().union(*deal):
            return 0
        form = min([sorted(s) for s in rename_deal((*deal, hand), one)] for one in group)
        return zlib.crc32(repr((seed, form)).encode()) % 1000

    # The definition is slow, so only a hundred deals and their images have values.
    some = naive_deals(spot, last)[:: max(1, tree.totals()[-1] // 100)]
    orbits = {rename_deal(deal, one) for deal in some for one in group}
    sums = [sum(value(deal, hand) for deal in orbits) for hand in possible.values()]

    moved = tree.hand_map(tree.hands())
    deals = [stored_deal(spot, last, row) for row in tree.levels[last].cards]
    values = np.array(
        [[value(deal, h) if deal in orbits else 0 for h in possible.values()] for deal in deals], dtype=np.int64
    ).reshape(len(deals), len(possible))
    for street in range(last, 0, -1):
        boards, above = tree.levels[street], tree.levels[street - 1]
        up = np.zeros((len(above), len(possible)), dtype=np.int64)
        for b in range(len(boards)):
            for number in boards.renamings(b):
                up[boards.parent[b]] += values[b, moved[number]]
        values = up
    assert values[0].tolist() == sums


def assert_same_below(tree: BoardTree, street: int, board: int) -> None:
    """The tree below a board has the rows of the whole tree, with numbers and counts that start again."""
    inner = tree.below(street, board)
    low, high = board, board + 1
    above_low = 0
    assert inner.streets == (0, *tree.streets[street + 1 :])
    for i, mine in enumerate(inner.levels):
        whole = tree.levels[street + i]
        at = slice(low, high)
        assert len(mine) == high - low == inner.sizes()[i]
        assert (mine.cards == whole.cards[at]).all()
        assert (mine.group == whole.group[at]).all()
        assert (mine.count * tree.levels[street].count[board] == whole.count[at]).all()
        assert mine.count.sum() == inner.totals()[i]
        if i:
            assert (mine.parent + above_low == whole.parent[at]).all()
            assert (mine.copies == whole.copies[at]).all()
            assert (mine.renaming == whole.renaming[whole.first[low] : whole.first[high]]).all()
            assert (mine.first + whole.first[low] == whole.first[low : high + 1]).all()
        if street + i + 1 < len(tree.streets):
            assert (mine.child + whole.child[low] == whole.child[low : high + 1]).all()
        above_low, low, high = low, int(whole.child[low]), int(whole.child[high])


@given(spots(), st.data())
def test_below_agrees_with_the_whole_tree(spot: Spot, data: st.DataObject) -> None:
    tree = BoardTree(*spot)
    street = data.draw(st.integers(0, len(spot.streets) - 1))
    assert_same_below(tree, street, data.draw(st.integers(0, len(tree.levels[street]) - 1)))


@given(spots())
def test_every_real_board_is_found(spot: Spot) -> None:
    tree, group = BoardTree(**spot._asdict()), naive_group(spot)
    for street in range(len(spot.streets)):
        sets, renaming = tree.as_sets(street)
        once = tree.at_once(0, sum(spot.streets[: street + 1])).levels[1]
        for b, deal in enumerate(stored_deal(spot, street, row) for row in tree.levels[street].cards):
            whole = rename(frozenset().union(*deal), RENAMINGS[renaming[b]])
            assert whole == frozenset(once.cards[sets[b]].tolist())
            assert renaming[b] in group
        deals = naive_deals(spot, street)
        for deal in deals[:: 1 + len(deals) // 25]:
            found = tree.find([one for cards in deal for one in cards])
            assert found.renaming in group
            last = max(s for s in range(len(spot.streets)) if sum(spot.streets[: s + 1]) == sum(map(len, deal[1:])))
            assert len(found.numbers) == last + 1
            for s, number in enumerate(found.numbers[: street + 1]):
                stored = stored_deal(spot, s, tree.levels[s].cards[number])
                assert rename_deal(deal[: s + 1], RENAMINGS[found.renaming]) == stored


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("Ks7d", "has 2 cards: a board here has 0 or 3 or 4 or 5"),
        ("Ks7d2c2c", "2c is twice in the board"),
        ("Ks7d2cAs3s4s", "has 6 cards"),
    ],
)
def test_boards_that_cannot_be_found(cards: str, message: str, holdem: BoardTree) -> None:
    with pytest.raises(UserError, match=message):
        holdem.find(
            [4 * "23456789TJQKA".index(a) + "cdhs".index(b) for a, b in zip(cards[::2], cards[1::2], strict=True)]
        )


def test_a_real_river_is_found(holdem: BoardTree) -> None:
    flop, turn = holdem.find(parse_cards("2s7hKd")), holdem.find(parse_cards("2s7hKd7d"))
    assert holdem.levels[1].name(flop.numbers[1]) == "2d7hKs"
    assert turn.numbers[:2] == flop.numbers
    with pytest.raises(UserError, match="does not begin with the root"):
        BoardTree(parse_cards("AsKs"), (0, 1)).find(parse_cards("AsQs2c"))
    with pytest.raises(UserError, match="2c is dead"):
        BoardTree((), (0, 1), dead=parse_cards("2c")).find(parse_cards("2c"))


@pytest.fixture(scope="module")
def holdem() -> BoardTree:
    return BoardTree()


def golden() -> list[list[str]]:
    return [line.split() for line in GOLDEN.read_text().splitlines() if not line.startswith("#")]


@pytest.mark.parametrize("row", golden(), ids=" ".join)
def test_golden_counts(row: list[str], holdem: BoardTree) -> None:
    ranks, suits, root, streets, sizes, totals = row
    new = [int(one) for one in streets.split(",")]
    tree = BoardTree(parse_cards(root.strip("-")), new, int(ranks), int(suits))
    if not tree.root and tree.streets == holdem.streets and tree.ranks == 13:
        tree = holdem
    assert tree.sizes() == [int(one) for one in sizes.split(",")]
    assert tree.totals() == [int(one) for one in totals.split(",")]
    assert [len(boards) for boards in tree.levels] == tree.sizes()
    assert [int(boards.count.sum()) for boards in tree.levels] == tree.totals()
    assert [len(boards.renaming) for boards in tree.levels[1:]] == [boards.copies.sum() for boards in tree.levels[1:]]


def test_sizes_are_those_of_the_street_indexer() -> None:
    assert BoardTree().sizes()[1:] == [street_indexer(one).size for one in ((3,), (3, 1), (3, 1, 1))]
    assert BoardTree(streets=(0, 2, 3, 1, 1)).sizes()[1:] == [169, 1_286_792, 55_190_538, 2_428_287_420]


@pytest.mark.long
def test_whole_hold_em_and_what_is_below_its_flops(holdem: BoardTree) -> None:
    turns, rivers = holdem.levels[2], holdem.levels[3]
    for rounds, boards in (((3, 1), turns), ((3, 1, 1), rivers)):
        some = boards.cards[:: 500 if JIT_DISABLED else 1]
        assert len(np.unique(street_indexer(rounds).index_array(some))) == len(some)
    for flop in (0, 1, 700, 1754):
        assert_same_below(holdem, 1, flop)
    for turn in (0, 31_000, 63_192):
        assert_same_below(holdem, 2, turn)


def test_only_what_is_asked_for_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, built = BoardTree(), []
    build = BoardTree._next_boards

    def noted(self: BoardTree, street: int, parents: Boards) -> Boards:
        built.append(street)
        return build(self, street, parents)

    monkeypatch.setattr(BoardTree, "_next_boards", noted)
    assert (tree.sizes()[3], len(tree.levels), built) == (2_554_656, 4, [])
    assert len(tree.levels[1]) == len(tree.levels[1]) == 1755
    assert built == [1]


@pytest.mark.parametrize(
    ("root", "streets", "kwargs"),
    [
        ("Td9d6h", (0, 1, 1), {}),
        ("Td9d6h", (0, 1, 1), {"dead": parse_cards("AsKc")}),
        ("AsKsQsJs", (0, 1), {}),
        ("AsKsQsJs2h", (0,), {}),
        ("", (0, 3, 1), {"ranks": 9}),
        ("", (0, 3, 1, 1), {"ranks": 6, "suits": 3}),
        ("", (0, 3, 1), {"ranks": 6, "merged": False}),
        ("7c7d7h", (0, 2), {"dead": parse_cards("7s")}),
    ],
)
def test_counts_add_up(root: str, streets: tuple[int, ...], kwargs: dict[str, int]) -> None:
    tree = BoardTree(parse_cards(root), streets, **kwargs)  # type: ignore[arg-type]
    assert [len(boards) for boards in tree.levels] == tree.sizes()
    assert [int(boards.count.sum()) for boards in tree.levels] == tree.totals()


def test_a_range_that_tells_suits_apart_merges_less() -> None:
    flop = parse_cards("Ts9s6s")
    low, high = holdem_combos().T
    hearts = ((low % 4 == 2) & (high % 4 == 2)).astype(float)
    assert BoardTree(flop, (0, 1)).sizes() == [1, 23]
    assert BoardTree(flop, (0, 1), ranges=[np.ones(1326), hearts]).sizes() == [1, 10 + 13 + 13]
    # The hand needs a card of the board, so nobody can hold it and it says nothing.
    nobody = np.zeros(1326)
    nobody[[i for i, two in enumerate(holdem_combos().tolist()) if set(two) == set(parse_cards("TsAh"))]] = 1
    assert BoardTree(flop, (0, 1), ranges=[nobody]).sizes() == [1, 23]


def test_the_board_that_is_kept_and_its_name() -> None:
    turns = BoardTree(parse_cards("Td9d6h"), (0, 1)).levels[1]
    assert turns.name(1) == "Td9d6h2h"
    kept = [board for board in range(len(turns)) if turns.name(board) == "Td9d6hAs"]
    assert turns.copies[kept].tolist() == [2]
    assert [SUIT_PERMUTATIONS[i] for i in turns.renamings(kept[0])] == [(0, 1, 2, 3), (3, 1, 2, 0)]
    assert next(turns.names) == turns.name(0) == "Td9d6h2d"


@pytest.mark.parametrize(("ranks", "suits"), [(13, 4), (3, 2), (4, 3)])
def test_the_deck_is_that_of_the_small_games(ranks: int, suits: int) -> None:
    deck = BoardTree((), (0, 1), ranks, suits, merged=False).levels[1].cards[:, 0]
    assert deck.tolist() == HoldemDeck(ranks, suits).cards


def test_hands_and_their_maps() -> None:
    tree = BoardTree(parse_cards("Td9d6h"), (0, 1), dead=parse_cards("As"))
    hands = tree.hands()
    assert (hands.dtype, len(hands)) == (np.int16, 48 * 47 // 2)
    assert not (tree.hand_masks(hands) & tree.blocked(0)[0]).any()
    moved = tree.hand_map(hands)
    assert moved.shape == (24, len(hands))
    assert (moved[0] == np.arange(len(hands))).all()
    for number in (one for one in range(24) if tree.group >> one & 1):
        assert sorted(moved[number]) == list(range(len(hands)))
    short = tree.hand_map([colex(parse_cards("AsKs")), colex(parse_cards("AhKh"))])
    swap, turn = SUIT_PERMUTATIONS.index((0, 1, 3, 2)), SUIT_PERMUTATIONS.index((1, 2, 3, 0))
    assert short[[0, swap, turn]].tolist() == [[0, 1], [1, 0], [-1, 0]]


def test_arrays_are_read_only() -> None:
    boards = BoardTree(parse_cards("Td9d6h"), (0, 1)).levels[1]
    for field in FIELDS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(boards, field)[...] = 0


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"root": (1, 2, 1)}, "2d is twice in the root: each card is in the deck once"),
        ({"dead": (1, 1)}, "2d is twice in the dead cards: each card is in the deck once"),
        ({"root": (52,)}, "52 is not a card: cards are the numbers 0 (2c) to 51 (As)"),
        ({"root": (5,), "dead": (5,)}, "3d is in the root and dead: a card is in one place only"),
        ({"root": (0,), "ranks": 6}, "2c in the root is not in this deck of 24 cards"),
        ({"dead": (51,), "suits": 3}, "As in the dead cards is not in this deck of 39 cards"),
        ({"ranks": 14}, "there is no deck of 14 ranks and 4 suits: take 1 to 13 ranks and 1 to 4 suits"),
        ({"suits": 0}, "there is no deck of 13 ranks and 0 suits: take 1 to 13 ranks and 1 to 4 suits"),
        ({"streets": ()}, "streets () must begin with 0: the root's street brings no new cards"),
        ({"streets": (3, 1)}, "streets (3, 1) must begin with 0: the root's street brings no new cards"),
        ({"streets": (0, -1)}, "a street of -1 new cards cannot be listed: a street brings 0 to 5"),
        ({"streets": (0, 6)}, "a street of 6 new cards cannot be listed: a street brings 0 to 5"),
        ({"ranks": 1, "streets": (0, 3, 2)}, "streets (0, 3, 2) need 5 cards, but the deck has only 4 left"),
        ({"ranges": [np.ones(7)]}, "a range has a weight for each of the 1326 hands, not the shape (7,)"),
        ({"ranges": [np.full(1326, np.nan)]}, "a range has a weight that is no number: weights are finite"),
    ],
)
def test_mistakes(kwargs: dict[str, object], message: str) -> None:
    with pytest.raises(UserError) as caught:
        BoardTree(**kwargs)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_mistakes_in_questions() -> None:
    tree = BoardTree(parse_cards("Td9d6h"), (0, 1))
    with pytest.raises(UserError, match="there is no street 2: the tree has streets 0 to 1"):
        tree.below(2, 0)
    with pytest.raises(UserError, match="there is no board 36 on street 1: its boards are 0 to 35"):
        tree.below(1, 36)
    with pytest.raises(UserError, match="not a hand: hands are the numbers 0 to 1325"):
        tree.hand_map([1326])
    with pytest.raises(UserError, match="a hand is twice in the list"):
        tree.hand_map([3, 3])
    with pytest.raises(UserError, match="hands are a list of the colex indices"):
        tree.hand_masks([0.5])
    many = BoardTree((), (0, 5, 5))
    with pytest.raises(UserError, match="street 2 has 167273925676 boards up to suits, too many to number"):
        _ = many.levels[1]


def test_threads_that_ask_at_once_build_a_street_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, built, plain = BoardTree((), (0, 1, 1), ranks=3), list[int](), BoardTree._next_boards

    def slowly(self: BoardTree, street: int, parents: Boards) -> Boards:
        built.append(street)
        time.sleep(0.05)
        return plain(self, street, parents)

    monkeypatch.setattr(BoardTree, "_next_boards", slowly)
    with ThreadPoolExecutor(4) as pool:
        sizes = set(pool.map(lambda _: len(tree.levels[2]), range(4)))
    assert (built, sizes) == ([1, 2], {tree.sizes()[2]})
