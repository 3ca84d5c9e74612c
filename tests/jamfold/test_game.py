from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headsup.cards.classes import holdem_class_sizes
from headsup.cards.combos import frozen
from headsup.cards.ranges import parse_range
from headsup.common.errors import UserError
from headsup.equity.holdem.table import BOARDS, holdem_table
from headsup.games import Betting, betting_tree
from headsup.games.betting.stakes import Payoffs, Stakes
from headsup.games.holdem import classes
from headsup.games.holdem.classes import Classes, class_table, holdem_classes, without_card_removal
from headsup.jamfold.hands import omaha_groups, parse_class
from headsup.jamfold.ranges import class_frequencies, read_strategy
from headsup.jamfold.vector import jamfold_game
from tests.naive import jam_or_fold

CHIPS = st.floats(0.05, 60).map(lambda x: round(x, 3))


@pytest.mark.parametrize(
    ("stakes", "payoffs"),
    [
        pytest.param(Stakes(10, 10), (10, 0.5, 1), id="plain"),
        pytest.param(Stakes(4000, 5000, 200, 400), (10, 0.5, 1), id="chips, uneven"),
        pytest.param(Stakes(30, 8, ante=0.1), (8, 0.6, 1.1), id="ante, big blind short"),
        pytest.param(Stakes(0.8, 20), (0.8, 0.5, 0.8), id="small blind's stack below the big blind"),
        pytest.param(Stakes(20, 0.8), (0.8, 0.5, 0.8), id="big blind all-in from posting"),
        pytest.param(Stakes(0.3, 20), (0.3, 0.3, 0.3), id="small blind all-in from posting"),
        pytest.param(Stakes(0.5, 0.5), (0.5, 0.5, 0.5), id="stack equal to the small blind"),
        pytest.param(Stakes(1, 1), (1, 0.5, 1), id="stack equal to the big blind"),
        pytest.param(Stakes(0.2, 9, ante=0.25), (0.2, 0.2, 0.2), id="stack below the ante"),
        pytest.param(Stakes(10, 10, small_blind=1), (10, 1, 1), id="equal blinds"),
        pytest.param(Stakes(10, 10, small_blind=0, ante=1), (10, 1, 2), id="antes only and a big blind"),
    ],
)
def test_payoffs_in_big_blinds(stakes: Stakes, payoffs: tuple[float, float, float]) -> None:
    assert stakes.payoffs == pytest.approx((*payoffs, 0))


@pytest.mark.parametrize(
    ("stakes", "payoffs"),
    [
        pytest.param(Stakes(10, 10, bb_ante=1), (9.5, 1, 1.5, 0.5), id="the usual one"),
        pytest.param(Stakes(4000, 4000, 200, 400, bb_ante=400), (9.5, 1, 1.5, 0.5), id="chips"),
        pytest.param(Stakes(5, 20, bb_ante=1), (5.5, 1, 1.5, 0.5), id="small blind short"),
        pytest.param(Stakes(20, 1.2, bb_ante=1), (0.7, 0.7, 0.7, 0.5), id="big blind all-in from posting"),
        pytest.param(Stakes(20, 0.6, bb_ante=1), (0.3, 0.3, 0.3, 0.3), id="all of the big blind is its ante"),
        pytest.param(Stakes(10, 10, ante=0.1, bb_ante=1), (9.5, 1.1, 1.6, 0.5), id="both antes"),
    ],
)
def test_payoffs_with_a_big_blind_ante(stakes: Stakes, payoffs: tuple[float, float, float, float]) -> None:
    assert stakes.payoffs == pytest.approx(payoffs)
    assert not stakes.standard


@given(
    *(CHIPS, CHIPS, st.floats(0, 1), st.floats(0.1, 3), st.floats(0, 2), st.floats(0, 3)),
    *(st.booleans(), st.booleans(), st.floats(0, 1)),
)
def test_payoffs_agree_with_counting_chips(
    sb: float, bb: float, small: float, big: float, ante: float, bb_ante: float, jam: bool, call: bool, share: float
) -> None:
    stakes = Stakes(sb, bb, small * big, big, ante, bb_ante)
    stack, s, b, gift = stakes.payoffs
    formula = gift + (-s if not jam else b if not call else 2 * stack * (share - 0.5))
    chips = jam_or_fold((sb, bb), (small * big, big), ante, jam, call, share, bb_ante)
    assert formula * big == pytest.approx(chips, abs=1e-9)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0, 10), "small blind's stack is 0"),
        ((10, -1), "big blind's stack is -1"),
        ((10, 10, 0.5, 0), "big blind is 0"),
        ((10, 10, 2, 1), "small blind is 2"),
        ((10, 10, 0.5, 1, -1), "ante is -1"),
        ((float("nan"), 10), "finite"),
        ((2000, 2000), "1000"),
    ],
)
def test_bad_stakes_get_one_sentence(arguments: tuple[float, ...], words: str) -> None:
    with pytest.raises(UserError, match=words) as caught:
        Stakes(*arguments)
    assert "\n" not in str(caught.value)


def test_the_table_is_exact_and_fair() -> None:
    table = holdem_classes()
    pots, hands = table.block(np.arange(169), np.arange(169))
    sizes = table.class_sizes[:, None]
    assert (hands.sum(axis=1) == 1225).all()
    assert np.array_equal(sizes * hands, (sizes * hands).T)
    assert np.allclose(sizes * pots + (sizes * pots).T, sizes * hands, rtol=0, atol=1e-9)


def mapped(table: Classes, monkeypatch: pytest.MonkeyPatch) -> Classes:
    """The same table held as integers, read-only as those on disk are: other arrays need kernels of their own."""
    monkeypatch.setattr(classes, "DENSE_CLASSES", 0)
    quarters, counts = frozen(table._quarters.astype(np.uint32)), frozen(table._counts.astype(np.uint8))
    return Classes("holdem", quarters, counts, sizes=table.class_sizes, boards=table.boards)


def test_integers_and_matrices_give_the_same_sums(monkeypatch: pytest.MonkeyPatch) -> None:
    dense = holdem_classes()
    integer = mapped(dense, monkeypatch)
    assert dense.dense
    assert not integer.dense
    rng = np.random.default_rng(1)
    old, new = rng.random(169), rng.random(169)
    new[rng.permutation(169)[:150]] = old[rng.permutation(169)[:150]]
    near = old.copy()
    near[[3, 50, 168]] = 0.0, 1.0, 0.25
    for table in (dense, integer):
        assert np.allclose(table.sums(old).pots, dense.sums(old).pots, rtol=1e-13)
        assert np.allclose(table.sums(old).hands, dense.sums(old).hands, rtol=1e-13)
        for other in (new, near, old):
            shifted, fresh = table.shifted(table.sums(old), old, other), dense.sums(other)
            assert np.allclose(shifted.pots, fresh.pots, rtol=1e-12, atol=1e-9)
            assert np.allclose(shifted.hands, fresh.hands, rtol=1e-12, atol=1e-9)
        assert np.array_equal(table.block([1, 2], [5])[0], dense.block([1, 2], [5])[0])


def test_the_table_is_a_showdown(monkeypatch: pytest.MonkeyPatch) -> None:
    table = holdem_classes()
    pots, hands = table.block(np.arange(169), np.arange(169))
    share = 1 / table.class_sizes  # of a class that one of its hands is
    reach = np.random.default_rng(5).random((3, 169)) * table.class_sizes
    for one in (table, mapped(table, monkeypatch)):
        for seat in (0, 1):
            won, met = one.lines(seat, 0, 0, reach, 2)
            assert met == pytest.approx((reach * share) @ hands.T, rel=1e-12)
            assert won[:2] == pytest.approx((reach * share)[:2] @ pots.T, rel=1e-12)
            assert not won[2].any()
        assert one.identity() == table.identity() != without_card_removal(table).identity()
        assert one.alive(0, 0, 0).tolist() == one.renamed(1, 5).tolist() == list(range(169))
        whole = table.class_sizes.astype(float)
        assert one.mass((whole, whole)) == 1326 * 1225
        assert one.mass((reach[0], reach[1])) == pytest.approx(reach[0] @ hands @ (reach[1] * share), rel=1e-12)


@pytest.mark.parametrize(
    ("stack", "small", "ante"), [(10, 0.5, 0), (9.875, 0.5, 0), (3, 0.3, 0.1), (1.2, 0.9, 0), (50, 0, 0.125)]
)
def test_the_betting_is_what_the_rules_of_betting_make(stack: float, small: float, ante: float) -> None:
    tree = jamfold_game(holdem_classes(), Stakes.of(stack, small, ante)).betting
    chips = [round(1000 * part) for part in (stack, small, ante)]
    rules = Betting(
        first=(0,), stacks=(chips[0],) * 2, blinds=(chips[1], 1000), antes=(chips[2],) * 2, jam_or_fold=True
    )
    made = betting_tree(rules)
    for name in ("street", "player", "parent", "child", "count", "paid", "start", "kind"):
        assert np.array_equal(getattr(tree, name), getattr(made, name)), name
    assert tree.win == pytest.approx(made.win, abs=1e-9)
    assert tree.lose == pytest.approx(made.lose, abs=1e-9)
    assert tree.total == made.total == 0
    if not ante:  # a chip is posted, whatever it is called
        assert [tree.line(node) for node in range(5)] == [made.line(node) for node in range(5)]


def test_a_game_says_what_it_is() -> None:
    game = jamfold_game(holdem_classes(), Stakes.of(9.875))
    assert repr(game) == "<holdem jam or fold, 9.875 bb: 2 decisions, 1 boards, 169 and 169 hands>"
    assert game.infosets() == (169, 169)


def test_without_card_removal_only_the_frequencies_change() -> None:
    table = holdem_classes()
    loose = without_card_removal(table)
    every = np.arange(169)
    (pots, hands), (loose_pots, loose_hands) = table.block(every, every), loose.block(every, every)
    assert np.allclose(loose_pots / loose_hands, pots / hands, atol=1e-6)
    assert np.allclose(loose_hands, table.class_sizes * 1225 / 1326)
    assert loose.sums(np.ones(169)).hands == pytest.approx(1225)


def test_a_table_that_is_not_whole_is_refused() -> None:
    table = holdem_classes()
    counts = table._counts.copy()
    counts[0, 0] -= 1
    with pytest.raises(UserError, match="not whole"):
        Classes("holdem", table._quarters, counts, sizes=table.class_sizes, boards=table.boards)


def test_strategies_are_checked() -> None:
    game = jamfold_game(holdem_classes(), Stakes.of(10))
    with pytest.raises(UserError, match="169 frequencies"):
        game.strategy(np.zeros(5))
    with pytest.raises(UserError, match="between 0 and 1"):
        game.strategy(np.full(169, 1.5))
    with pytest.raises(UserError, match="not a game"):
        class_table("stud")
    with pytest.raises(UserError, match="hold'em has no need"):
        class_table("holdem", device="gpu")
    with pytest.raises(UserError, match="hold'em has no need"):
        class_table("holdem", folder=Path("somewhere"))
    assert isinstance(jamfold_game(game.table, Payoffs(10, 0.5, 1)).class_probabilities.sum(), float)


def test_ranges_and_frequencies() -> None:
    frequencies = class_frequencies(parse_range("AA, AKs:0.5, 72o"))
    assert frequencies[parse_class("holdem", "AA")] == 1
    assert frequencies[parse_class("holdem", "AsKs")] == 0.5
    assert frequencies.sum() == 2.5
    with pytest.raises(UserError, match="some suits only"):
        class_frequencies(parse_range("AsKs"))


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"# nothing\n\n", "no range"), (b"AA, 1q", "not a holdem range"), (b"\xff\xfe\x00", "not a text file")],
)
def test_bad_strategy_files(content: bytes, words: str, tmp_path) -> None:
    path = tmp_path / "range.txt"
    path.write_bytes(content)
    with pytest.raises(UserError, match=words):
        read_strategy(path, "holdem")


def test_strategy_files_may_have_comments_and_lines(tmp_path) -> None:
    path = tmp_path / "range.txt"
    path.write_text("# my calls\nAA, KK   # big pairs\nAKs\n")
    assert read_strategy(path, "holdem").sum() == 3
    with pytest.raises(UserError, match="cannot be read"):
        read_strategy(tmp_path / "missing.txt", "holdem")


def test_groups_of_omaha_hands() -> None:
    groups = omaha_groups()

    def inside(hand: str) -> set[str]:
        return {name for name, mask in groups.items() if mask[parse_class("omaha", hand)]}

    assert inside("AsAdKsKd") == {"two or more aces", "two pairs", "double-suited", "at most one low rank"}
    assert inside("As2h3c4d") == {"one ace", "no pair", "rainbow", "four low ranks"}
    assert inside("9s9h9d2s") == {"no ace", "three or four of a rank", "two of a suit", "at most one low rank"}
    aces = ("two or more aces", "one ace", "no ace")
    suits = ("double-suited", "two of a suit", "three or four of a suit", "rainbow")
    for whole in (aces, suits):
        assert (sum(groups[name].astype(int) for name in whole) == 1).all()


def test_outcomes_are_told_where_the_table_has_them() -> None:
    table = holdem_classes()
    reach = np.random.default_rng(6).random((2, 169)) * table.class_sizes
    won, met = table.lines(0, 0, 0, reach, 2)
    win, tie, lose = table.ways(reach / table.class_sizes)
    assert (tie > 0).all()
    assert win + tie / 2 == pytest.approx(won, rel=1e-12)
    assert win + tie + lose == pytest.approx(met, rel=1e-12)
    table_without = without_card_removal(table)
    with pytest.raises(UserError, match="make one with  headsup tabulate holdem --outcomes"):
        table_without.ways(reach)


def test_the_five_outcomes_of_hi_lo() -> None:
    """Made-up counts of boards: quarters of the pot are 4, 3, 2, 1 and 0 for scoop down to lose."""
    table, rng = holdem_classes(), np.random.default_rng(7)
    _, counts = table.block(np.arange(169), np.arange(169))
    ways = rng.multinomial(table.boards, [0.2] * 5, size=(169, 169)) * counts.astype(np.int64)[:, :, None]
    quarters = ways @ np.array([4, 3, 2, 1, 0])
    made_up = Classes("holdem", quarters, counts, sizes=table.class_sizes, boards=table.boards, outcomes=ways)
    reach = rng.random((2, 169)) * table.class_sizes
    won, met = made_up.lines(1, 0, 0, reach, 2)
    found = made_up.ways(reach / made_up.class_sizes)
    assert found.shape == (5, 2, 169)
    assert np.tensordot([1, 0.75, 0.5, 0.25, 0], found, 1) == pytest.approx(won, rel=1e-12)
    assert found.sum(axis=0) == pytest.approx(met, rel=1e-12)


def test_the_classes_of_holdem_are_those_of_its_table_made_or_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADSUP_CACHE", str(tmp_path))
    table, sizes = holdem_table(), holdem_class_sizes()[:, None]
    for _ in ("made", "read"):
        found = holdem_classes.__wrapped__()
        assert len(list(tmp_path.iterdir())) == 1
        for at, counts in enumerate((table.wins, table.ties, table.losses)):
            assert np.array_equal(found.outcomes[..., at] * sizes, counts)
        pots, hands = found.block(range(169), range(169))
        assert np.allclose(4 * BOARDS * sizes * pots, 4 * table.wins + 2 * table.ties, rtol=1e-15, atol=0)
        assert np.array_equal(BOARDS * sizes * hands, table.deals)
