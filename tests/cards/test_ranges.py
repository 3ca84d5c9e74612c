"""Range text: what each piece of it means, counts known from elsewhere, and errors that point at a column."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from headsup.cards.classes import holdem_class_name, holdem_class_of_combo, omaha_class_of_combo, parse_holdem_class
from headsup.cards.combos import holdem_index, omaha_combos
from headsup.cards.ranges import Range, RangeError, parse_range, range_text
from headsup.cards.ranges.order import hand_order
from headsup.cards.ranges.parser import HOLDEM_NAMES, SKLANSKY_GROUPS
from headsup.cards.ranges.pattern import CARD_MACROS
from headsup.common.errors import UserError


def classes_in(hands: Range) -> set[str]:
    """The names of the hold'em classes with a weight."""
    return {holdem_class_name(int(i)) for i in np.unique(holdem_class_of_combo()[hands.weights > 0])}


HOLDEM = [
    ("22+", 78, "AA KK QQ JJ TT 99 88 77 66 55 44 33 22"),
    ("QQ+", 18, "QQ KK AA"),
    ("77-55", 18, "77 66 55"),
    ("55-77", 18, "77 66 55"),
    ("44-", 18, "44 33 22"),
    ("AK", 16, "AKs AKo"),
    ("KA", 16, "AKs AKo"),
    ("AKs", 4, "AKs"),
    ("akO", 12, "AKo"),
    ("ATs+", 16, "ATs AJs AQs AKs"),
    ("KTo+", 36, "KTo KJo KQo"),
    ("AKs-ATs", 16, "AKs AQs AJs ATs"),
    ("ATs-AKs", 16, "AKs AQs AJs ATs"),
    ("T9s-65s", 20, "T9s 98s 87s 76s 65s"),
    ("Q4s-", 12, "Q4s Q3s Q2s"),
    ("KQ+", 16, "KQs KQo"),
    ("AsKh", 1, "AKo"),
    ("As Kh", 1, "AKo"),
    ("A♠K♥", 1, "AKo"),
    ("77 - 66 , AKs", 16, "77 66 AKs"),
    ("22 33\tAKo", 24, "22 33 AKo"),
    ("(22,33)!22", 6, "33"),
    ("RUS", 28, "AA KK QQ JJ AKs"),
    ("AxKx", 4, "AKs"),
    ("$F$F$s", 12, "KQs KJs QJs"),
    ("A[K,Q]", 32, "AKs AKo AQs AQo"),
    ("RR:[A-Q]", 18, "AA KK QQ"),
    ("$0g$s:(9)", 8, "T9s 98s"),
]


@pytest.mark.parametrize(("text", "combos", "names"), HOLDEM, ids=[case[0] for case in HOLDEM])
def test_holdem(text: str, combos: int, names: str) -> None:
    hands = parse_range(text, "holdem")
    assert hands.combos == combos
    assert classes_in(hands) == set(names.split())


# Counts with the arithmetic behind them; C(4,2)*C(48,2) + C(4,3)*48 + 1 = 6,961 hands have two aces or more. The counts
# by suits are those of the project's list of known values (36,504 / 158,184 / 44,616 / 2,860 / 28,561).
OMAHA = [
    ("random", 270725),
    ("*", 270725),
    ("****", 270725),
    ("AA", 6961),
    ("AA**", 6961),
    ("AAA", 193),
    ("AA!AAA", 6768),
    ("AAAA", 1),
    ("A", 270725 - 194580),  # 194,580 = C(48, 4)
    ("!A", 194580),
    ("KK+", 2 * 6961 - 36),
    ("AKQJ", 256),
    ("AsKhJd2c", 1),
    ("As Kh Jd 2c", 1),
    ("As", 20825),  # C(51, 3)
    ("xxyy", 36504),
    ("$ds", 36504),
    ("xxyz", 158184),
    ("$ss", 158184),
    ("xxxy", 44616),
    ("$ts", 44616),
    ("xxxx", 2860),
    ("$ms", 2860),
    ("wxyz", 28561),
    ("$rb", 28561),
    ("wxy", 158184 + 28561),
    ("xx", 270725 - 28561),
    ("sshh", 78 * 78),
    ("ssxx", 3 * 78 * 78),  # x is not the suit that is written out
    ("ssss", 715),
    ("RONP", 715 * 256),
    ("$np", 715 * 256),
    ("RRON", 13 * 6 * 66 * 16),
    ("$op", 13 * 6 * 66 * 16),
    ("RROO", 78 * 36),
    ("$tp", 78 * 36),
    ("RRRO", 13 * 4 * 48),
    ("RRRR", 13),
    ("RRR", 13 * 4 * 48 + 13),
    ("$nt", 270725 - 13 * 4 * 48 - 13),
    ("AARR", 12 * 36),  # a rank variable is not a rank that is written out
    ("AxAyxy", 864),
    ("AA:xxyy", 864),
    ("AA$ds", 864),
    ("RxRyOxOy", 78 * 6),  # the pairs share both their suits
    ("AxKxQyJy", 12),
    ("AKQJxxyy", 36),
    ("AKQJ:xxyy", 36),
    ("AxKxQyJy,AxKyQxJy,AxKyQyJx", 36),
    ("AAxx", 6961),
    ("AAx*x", 5256),
    ("[A-J][A-J][A-J][A-J]", 1820),  # C(16, 4)
    ("$B$B$B$B", 1820),
    ("$B$B$B$B$np", 256),
    ("[2,3,4]A", 43660),
    ("A[2-4]", 43660),
    ("KQJT-T987", 4 * 256),
    ("T987-KQJT", 4 * 256),
    ("8765+", 7 * 256),
    ("6543-", 2 * 256),
    ("$0g", 10 * 256),
    ("$1g", 9 * 3 * 256),
    ("AKQ[J,T]", 512),
    ("AA[KK-TT]", 4 * 36),
    ("[KK-QQ][87-76]", 4 * 6 * 16),
    ("A[s,h]", 270725 - 249900 + 249900 - 230300),  # C(52,4) - C(50,4)
    ("[As,Kh]", 270725 - 230300),
    ("[Ax,Kx]QxJx", 2 * 4 * 49 - 4),  # AKQJ of one suit has both
    ("AAKK-AATT", 4 * 36),
    ("(AA,KK):$ds", 864 * 2 - 6),
    ("AA:xxyy, JJ!JJJ, KK", 14545),
    ("A2+$ms", 2860 - 4 * 495),
]


@pytest.mark.parametrize(("text", "combos"), OMAHA, ids=[case[0] for case in OMAHA])
def test_omaha_counts(text: str, combos: int) -> None:
    for game in ("omaha", "omaha8"):
        assert parse_range(text, game).combos == combos


def test_card_macros_are_rank_lists() -> None:
    for name, ranks in CARD_MACROS.items():
        assert parse_range(f"{name}{name}*", "omaha") == parse_range(f"[{','.join(ranks)}]" * 2, "omaha"), name


def test_macros_keep_to_their_game() -> None:
    assert parse_range("$s", "holdem").combos == 312
    assert parse_range("$o$np", "holdem").combos == 936
    assert parse_range("$op", "holdem").combos == 78
    with pytest.raises(RangeError, match=r"'\$d' is not a macro here"):
        parse_range("$ds", "holdem")


def test_weights() -> None:
    ak = holdem_index()[51, 46]
    assert parse_range("AsKh:0.5").weights[ak] == 0.5
    assert parse_range("AsKh@50").weights[ak] == 0.5
    assert parse_range("AsKh@50%").weights[ak] == 0.5
    assert parse_range("AsKh:.12346").weights[ak] == 0.1235, "rounded to a multiple of 1/10000"
    assert parse_range("(AsKh@50,22)@50").weights[ak] == 0.25
    assert parse_range("AK:0.3,AsKh:0.6,AKo:0.4").weights[ak] == 0.6, "or: the greater weight"
    assert parse_range("22+@30:77+").weighted_combos == pytest.approx(0.3 * 48), "and: the lesser"
    assert parse_range("22+!77@30").weighted_combos == pytest.approx(0.3 * 72), "a weight takes in its whole term"
    assert parse_range("22+!(77@30)").weighted_combos == pytest.approx(72 + 0.7 * 6), "not: what is missing to one"
    assert parse_range("AA@0").combos == 0
    assert parse_range("AA@50,KK$ds", "omaha").weighted_combos == pytest.approx(6961 / 2 + 864 - 3)


def test_percentages_of_holdem_are_exact() -> None:
    for text, share in (("15%", 0.15), ("0.5%", 0.005), ("5%-10%", 0.05), ("33.3%", 0.333), ("100%", 1.0), ("0%", 0.0)):
        assert parse_range(text).share == pytest.approx(share, abs=12 / 1326 / 20000), text
    assert classes_in(parse_range("1%")) == {"AA", "KK", "QQ"}
    assert parse_range("10%") == parse_range("4%") | parse_range("4%-10%") | parse_range("10%")
    assert (parse_range("4%").units + parse_range("10%-4%").units == parse_range("10%").units).all()
    assert parse_range("15%").combos - parse_range("15%").weights.astype(int).sum() in (4, 6, 12), (
        "one class at the edge"
    )


def test_percentages_nest() -> None:
    before = parse_range("0%").weights
    for percent in range(1, 101):
        after = parse_range(f"{percent}%").weights
        assert (before <= after).all()
        before = after


def test_order_is_the_exact_equity_against_a_random_hand() -> None:
    backend = pytest.importorskip("headsup.common.backend")
    if backend.JIT_DISABLED:
        pytest.skip("the table of all matchups takes minutes without compiled kernels")
    from importlib.resources import files

    from headsup.cards.classes import holdem_class_sizes
    from headsup.equity import holdem_table

    table = holdem_table()
    wins, ties = table.wins.sum(axis=1), table.ties.sum(axis=1)
    lines = (files("headsup.cards") / "data" / "holdem_order.txt").read_text().splitlines()
    rows = [line.split() for line in lines if not line.startswith("#")]
    scores = []
    for name, win, tie, lose, _ in rows:
        index = parse_holdem_class(name)
        size = int(holdem_class_sizes()[index])
        assert (int(wins[index]), int(ties[index])) == (size * int(win), size * int(tie)), name
        assert int(win) + int(tie) + int(lose) == 2118760 * 990
        scores.append(2 * int(win) + int(tie))
    assert len(rows) == 169
    assert scores == sorted(scores, reverse=True)


@pytest.fixture
def data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """An empty folder in the place of the package's data."""
    monkeypatch.setattr("headsup.cards.ranges.order.DATA", tmp_path)
    monkeypatch.setattr("headsup.cards.ranges.order.read_shipped", Path.read_bytes)  # not what ships, so not checked
    hand_order.cache_clear()
    yield tmp_path
    hand_order.cache_clear()


def test_omaha_percentages_follow_the_ordering(data_folder: Path) -> None:
    order = np.random.default_rng(7).permutation(16432).astype(np.uint16)
    np.save(data_folder / "omaha8_order.npy", order)
    best = parse_range("12.5%", "omaha8")
    assert best.share == pytest.approx(0.125, abs=24 / 270725 / 20000)
    assert range_text(best) == "12.5%"
    first = np.isin(omaha_class_of_combo(), order[:1000])
    assert parse_range(f"{100 * first.sum() / 270725:.9f}%", "omaha8").weights[first].min() > 0.99
    assert parse_range("3%-12.5%", "omaha8").units.sum() == (best.units - parse_range("3%", "omaha8").units).sum()
    assert range_text(parse_range("12.5%:AA", "omaha8")) != "12.5%"


def test_damaged_ordering(data_folder: Path) -> None:
    np.save(data_folder / "omaha_order.npy", np.zeros(16432, dtype=np.uint16))
    with pytest.raises(UserError, match="does not list every class"):
        parse_range("15%", "omaha")


def test_sklansky_groups_partition_the_hands() -> None:
    groups = [parse_range(f"sklansky{i}") for i in range(1, 10)]
    assert (sum(group.units for group in groups) == 10000).all()
    assert [len(classes_in(group)) for group in groups] == [5, 5, 5, 8, 18, 10, 16, 15, 87]
    assert sum(len(classes_in(group)) for group in groups) == 169
    # K9s is printed in groups 6 and 7; KJs, Q8s and T7s are in no printed group.
    assert "K9s" in classes_in(groups[5])
    assert {"KJs", "Q8s", "T7s"} <= classes_in(groups[8])


def test_named_ranges_of_the_paper() -> None:
    assert parse_range("RUS") == parse_range("sklansky1")
    assert parse_range("rs") == parse_range("sklansky1,sklansky2")
    assert parse_range("RML") == parse_range(",".join(SKLANSKY_GROUPS[:5]))
    assert parse_range("ATC").combos == 1326
    assert [parse_range(name).combos for name in ("RUS", "RS", "RML")] == [28, 58, 236]
    assert all(parse_range(name).combos for name in HOLDEM_NAMES)


ERRORS = [
    ("holdem", "22+,A2z+", 7, "appears once"),
    ("holdem", "AKx", 3, "appears once"),
    ("holdem", "", 1, "empty"),
    ("holdem", "   ", 4, "empty"),
    ("holdem", "AKx2s", 4, "more than 2"),
    ("holdem", "22+,,AK", 5, "missing after the comma"),
    ("holdem", "22+,", 5, "missing after the comma"),
    ("holdem", "22+,77s", 7, "neither suited nor offsuit"),
    ("holdem", "AKs-ATo", 5, "differ in suits"),
    ("holdem", "AK, AKs-QTs", 9, "not a span"),
    ("holdem", "A1s", 2, "'1' is not a rank"),
    ("holdem", "AK ?", 4, "'?' has no meaning"),
    ("holdem", "55:50", 4, "@50"),
    ("holdem", "55@", 4, "percentage from 0 to 100"),
    ("holdem", "55@101", 4, "percentage from 0 to 100"),
    ("holdem", "AsAs", 1, "fits no hand"),
    ("holdem", "KxKx", 1, "fits no hand"),
    ("holdem", "22,(33", 4, "never closed"),
    ("holdem", "22)", 3, "closes nothing"),
    ("holdem", "101%", 1, "more than 100%"),
    ("holdem", "15%6h", 1, "not a percentage"),
    ("holdem", "22,sklansky10", 4, "sklansky1 to sklansky9"),
    ("holdem", "AsKhQd", 5, "more than 2"),
    ("holdem", "+", 1, "needs a hand"),
    ("holdem", "!" * 60 + "22", 52, "50"),
    ("omaha", "AA:0.5", 4, "':' means 'and' in Omaha: write a weight as @50"),
    ("omaha", "KK,AAAAA", 8, "more than 4"),
    ("omaha", "AK[Q", 3, "no ']'"),
    ("omaha", "AKQ]", 4, "closes nothing"),
    ("omaha", "A[KQ]", 3, "[K,Q]"),
    ("omaha", "A[K,,Q]", 5, "empty"),
    ("omaha", "A[K,[Q]]", 5, "another"),
    ("omaha", "KQJT-T98", 6, "equally many"),
    ("omaha", "KQJT-T986", 6, "same steps"),
    ("omaha", "KxQx-JxTy", 6, "suits on both sides"),
    ("omaha", "AA,$xx", 4, "not a macro"),
    ("omaha", "AA$s", 3, "not a macro"),
    ("omaha", "sklansky1", 1, "in hold'em"),
    ("omaha", "RR+", 3, "at least one rank"),
    ("omaha", "AA:", 4, "missing before the end"),
    ("omaha", "AA,:KK", 4, "missing before ':'"),
]


@pytest.mark.parametrize(
    ("game", "text", "column", "words"), ERRORS, ids=[f"{case[0]} {case[1][:12]}" for case in ERRORS]
)
def test_errors_point_at_the_column(game: str, text: str, column: int, words: str) -> None:
    with pytest.raises(RangeError) as caught:
        parse_range(text, game)
    error = caught.value
    assert error.column == column, str(error)
    assert words in str(error)
    assert f"column {column}" in str(error)
    assert "\n" not in str(error)
    assert error.pointer() == f"{text}\n{' ' * (column - 1)}^"


def test_unknown_game() -> None:
    with pytest.raises(UserError, match="'stud' is not a game"):
        parse_range("AA", "stud")


def test_range_record() -> None:
    aces, kings = parse_range("AA"), parse_range("KK:0.5")
    assert (aces | kings).weighted_combos == 9
    assert (aces & kings).combos == 0
    assert (~aces).combos == 1320
    assert (parse_range("22+") - aces) == parse_range("22+!AA")
    assert aces.without(1 << 51).combos == 3
    assert aces.share == 6 / 1326
    assert hash(aces) == hash(parse_range("AA,AA"))
    assert str(aces) == range_text(aces) == "AA"
    assert repr(aces) == "<Range holdem: 6 combos, 0.4525% of hands>"
    assert aces != parse_range("AA", "omaha")
    assert aces != "AA"
    with pytest.raises(ValueError, match="read-only"):
        aces.weights[0] = 1
    with pytest.raises(UserError, match="1326 weights"):
        Range("holdem", np.zeros(3))
    with pytest.raises(UserError, match="between 0 and 1"):
        Range("holdem", np.full(1326, np.nan))
    with pytest.raises(UserError, match="cannot be combined"):
        aces | parse_range("AA", "omaha")


def test_suits_written_out_mean_those_suits() -> None:
    hands = parse_range("As$ds", "omaha")
    rows = omaha_combos()[hands.weights > 0]
    assert (rows == 51).any(axis=1).all()
    assert len(rows) == 36504 * 4 // 52


def test_the_counts_in_the_docs_are_right() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ranges.md").read_text(encoding="utf-8")
    games = {"## Hold'em": "holdem", "## Omaha": "omaha"}
    game, checked = "", 0
    for line in page.splitlines():
        game = games.get(line, game)
        found = re.search(r"\| `([^`]+)` \| (\d+) \|", line)
        if found:
            assert parse_range(found.group(1), game).combos == int(found.group(2)), line
            checked += 1
    assert checked > 50
    for name, ranks in CARD_MACROS.items():
        assert f"| `{name}` | {' '.join(ranks)} |" in page


@pytest.mark.parametrize(
    ("game", "text", "hand", "either", "combos"),
    [
        ("holdem", "As,Kh", "AsKh", "(As),(Kh)", 101),
        ("holdem", " a♠ , Kh", "a♠Kh", "(a♠),(Kh)", 101),
        ("omaha", "As,Kh,Qd,Jc", "AsKhQdJc", "(As),(Kh),(Qd),(Jc)", 270725 - 194580),
    ],
)
def test_the_cards_of_a_hand_with_commas_are_refused_with_both_readings(
    game: str, text: str, hand: str, either: str, combos: int
) -> None:
    with pytest.raises(RangeError) as caught:
        parse_range(text, game)
    assert f"write {hand} or {either}" in str(caught.value)
    assert parse_range(hand, game).combos == 1
    hands = parse_range(either, game)
    assert hands.combos == combos
    assert (parse_range(range_text(hands), game).units == hands.units).all()


@pytest.mark.parametrize("text", ["As,Kh,Qd", "As,KhQd", "As", "As,AA", "As,Kh@50", "(As,Kh)"])
def test_other_commas_are_or(text: str) -> None:
    assert parse_range(text).combos > 1


@pytest.mark.parametrize("text", ["AA:1e9", "AA@50%KK", "AA@50x", "AA:0.5AK"])
def test_a_weight_is_not_run_together_with_what_follows(text: str) -> None:
    with pytest.raises(RangeError, match="a comma is missing between the weight and"):
        parse_range(text)
