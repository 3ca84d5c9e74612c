"""The search: soft decisions, small whole points, few numbers, few thresholds; and every card of a game, resumed."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from headsup.cards.classes import parse_omaha_class
from headsup.common.errors import DataError
from headsup.common.progress import Progress
from headsup.distil.gains import gains
from headsup.distil.price import best_response_losses, price, shipped_prices
from headsup.distil.rules.sage import sage
from headsup.distil.scorecards.descent import soften
from headsup.distil.scorecards.frontier import cheapest, make_all, record
from headsup.distil.scorecards.kernels import best_rows, fewest_runs, soft_gains, soft_slopes
from headsup.distil.scorecards.lines import pool, together
from headsup.distil.scorecards.objective import (
    aim_of,
    best_gains,
    cells_of,
    floor,
    floors,
    lowest_floor,
    scale,
    shares,
    stacks_up_to,
)
from headsup.distil.scorecards.priced import ExactTrial, burden, losses, polish
from headsup.distil.scorecards.records import MADE_BY, read, write
from headsup.distil.scorecards.scorecard import ScoreCard, Thresholds
from headsup.distil.scorecards.search import MOST_POINTS, CardTrial, choose, fit
from headsup.distil.shipped import CARDS, DATA
from headsup.games.holdem.classes import holdem_classes
from headsup.jamfold.hands import class_name

CARD = ScoreCard("holdem", {"high": (2, 6, 3), "pair": (22,)}, (10, 1), (8, 2), 12.0)


@pytest.fixture
def chance() -> np.random.Generator:
    """The same numbers for every test, whichever come before it."""
    return np.random.default_rng(5)


def test_parts_with_equal_points_in_few_words() -> None:
    assert together(["each king", "each queen"]) == "each queen or king"
    assert together(["a pair of fours", "a pair of threes", "a pair of twos", "two pairs"]) == (
        "a pair of twos to fours, two pairs"
    )
    assert together(["an eight", "a three", "a two"]) == "a two, three or eight"
    assert together(["one ace", "two aces"]) == "one ace, two aces"
    assert together(["an eight", "a nine"]) == "an eight or nine"


@pytest.mark.parametrize(
    ("hand", "line", "said"),
    [
        ("AsKsQh2h", "second low", "a two"),
        ("Ks8sQh3d", "second low", "an eight"),
        ("Ks8sQh3d", "far cards", "two of them"),
        ("8s7h6d5c", "span", "four ranks"),
        ("KsKh2d2c", "alike", "two pairs"),
        ("KsTs2h3d", "top suit", "a king"),
        ("As5s2h3d", "low count", "four of them"),
    ],
)
def test_what_a_line_sees(hand: str, line: str, said: str) -> None:
    one = pool("omaha8")[line]
    seen = [part for part, column in zip(one.parts, one.columns[parse_omaha_class(hand)], strict=True) if column]
    assert seen == [said]


def test_the_rival_is_what_ships() -> None:
    oracle = shipped_prices()["oracle"].between(1, 11.25)
    np.testing.assert_allclose(scale("omaha8", (3.0, 9.0))[:, 1], [oracle.worst(seat).best for seat in ("sb", "bb")])
    theirs = price(sage(), "holdem", [5.5], table=holdem_classes())
    lost = np.array([[theirs.at(5.5, "sb").best], [theirs.at(5.5, "bb").best]])
    assert shares("holdem", (5.5,), lost) == pytest.approx(1.0, abs=1e-4)


def test_cells_and_floor_by_hand() -> None:
    stacks = (4.0, 10.0)
    cells = cells_of("holdem", ("pair", "suited"), stacks)
    assert len(cells.columns) == 3  # pairs, suited, neither
    every = gains("holdem", stacks)
    names = [class_name("holdem", index) for index in range(169)]
    kind = np.array([0 if name[0] == name[1] else 1 if name.endswith("s") else 2 for name in names])
    lost = np.maximum(every, 0).sum(axis=1)
    for k in range(3):
        lost = lost - np.maximum(every[:, kind == k].sum(axis=1), 0)
    assert floor("holdem", ("pair", "suited"), stacks) == pytest.approx(shares("holdem", stacks, lost).max())
    lowest, lines = floors("holdem", 2, stacks)[0]
    assert lowest <= floor("holdem", ("pair", "suited"), stacks)
    assert set(lines) == {"high", "low"}  # the two that tell all ranks apart
    assert lowest_floor("holdem", 9, 12.0) <= lowest_floor("holdem", 2, 12.0)


def test_soft_decisions_have_the_slopes_that_they_say(chance: np.random.Generator) -> None:
    scores, level = chance.normal(size=40).astype(np.float32), np.array([0, 1, 1])
    gain = chance.normal(size=(40, 3)).astype(np.float32)
    thresholds, weights = np.array([-0.3, 0.4], dtype=np.float32), np.array([0.5, 0.2, 0.3], dtype=np.float32)
    slopes, width = np.zeros((40, 2), dtype=np.float32), np.float32(0.8)

    def loss(scores: np.ndarray, thresholds: np.ndarray) -> float:
        given = scores.astype(np.float32), gain, level, thresholds.astype(np.float32), width, slopes.copy()
        return -float((soft_gains(*given) * weights).sum())

    soft_gains(scores, gain, level, thresholds, width, slopes)
    by_hand, by_level = np.zeros(40, dtype=np.float32), np.zeros(2)
    soft_slopes(gain, level, slopes, weights, by_hand, by_level)
    step = 0.02
    for hand in (3, 17, 30):
        up, down = scores.copy(), scores.copy()
        up[hand] += step
        down[hand] -= step
        assert by_hand[hand] == pytest.approx((loss(up, thresholds) - loss(down, thresholds)) / (2 * step), abs=2e-3)
    move = np.array([0, step])
    up, down = thresholds + move, thresholds - move
    assert by_level[1] == pytest.approx((loss(scores, up) - loss(scores, down)) / (2 * step), abs=2e-2)


def test_narrow_soft_decisions_are_hard_ones(chance: np.random.Generator) -> None:
    scores, gain = chance.normal(size=60).astype(np.float32), chance.normal(size=(60, 2)).astype(np.float32)
    found = soft_gains(
        scores, gain, np.array([0, 0]), np.zeros(1, np.float32), np.float32(1e-6), np.zeros((60, 1), np.float32)
    )
    np.testing.assert_allclose(found, gain[scores > 0].sum(axis=0), rtol=1e-5)


@pytest.mark.parametrize("row", [True, False])
def test_the_soft_descent_goes_down(row: bool) -> None:
    stacks = stacks_up_to(8.0)
    trial = CardTrial("holdem", ("high", "low", "pair"), stacks, row)
    first = trial.start()
    found = trial.softened(first, 1.0)
    unit = 12
    before, after = (trial.appraise(np.rint(unit * points).astype(np.int64)).aim for points in (first, found))
    assert after < before
    given = trial.cells, best_gains("holdem", stacks), scale("holdem", stacks), Thresholds.of(stacks, True), first
    assert soften(*given, np.zeros((2, 8)), both=True, seconds=5.0, steps=3).shape == first.shape


def test_the_best_rows_against_all_of_them(chance: np.random.Generator) -> None:
    first, second, boxes = chance.random((4, 5)), chance.random((3, 5)), np.array([0, 0, 1, 1, 1])
    edges = np.array([0, 2, 5])
    for seat in (first, second):
        rows, alone = best_rows(seat, np.zeros((1, len(boxes))), edges, 1.0)
        slow = [min(range(len(seat)), key=lambda row: seat[row, boxes == at].max()) for at in range(2)]
        assert rows.tolist() == slow
        assert not alone.any()
    pairs = [
        min(product(range(4), range(3)), key=lambda two: (first[two[0]] + second[two[1]])[boxes == at].max())
        for at in range(2)
    ]
    assert best_rows(first, second, edges, 1.0).T.tolist() == [list(pair) for pair in pairs]


def test_few_thresholds_stay_within_the_limit(chance: np.random.Generator) -> None:
    table, edges = chance.random((6, 4)), np.arange(5)
    limit = float(table.min(axis=0).max())
    assert (table[fewest_runs(table, edges, limit, 0.0), edges[:-1]] == table.min(axis=0)).all()
    rows = fewest_runs(table, edges, 2.0, 100.0)
    assert len(set(rows.tolist())) == 1
    assert table[rows[0]].sum() == pytest.approx(table.sum(axis=1).min())


@pytest.mark.parametrize("row", [False, True])
def test_a_fitted_card_has_the_aim_that_it_claims_and_no_floor_is_broken(row: bool) -> None:
    stacks = stacks_up_to(6.0)
    found = fit(CardTrial("holdem", ("high", "pair", "suited"), stacks, row), seconds=0.7)
    lost = losses(found.card, stacks)
    assert found.aim == pytest.approx(aim_of("holdem", stacks, lost))
    assert shares("holdem", stacks, lost).max() >= floor("holdem", tuple(found.card.points), stacks)
    assert found.card.largest <= MOST_POINTS["holdem"]
    simple = ScoreCard("holdem", {"pair": (1,)}, (1, 0), (1, 0), 6.0)
    assert found.aim < aim_of("holdem", stacks, losses(simple, stacks))


def test_exact_trial_prices_as_the_best_responder_does() -> None:
    stacks = (3.0, 7.0)
    found = fit(ExactTrial("holdem", ("high", "pair"), stacks, True, holdem_classes()), seconds=0.5)
    assert found.aim == pytest.approx(
        aim_of("holdem", stacks, best_response_losses(found.card, "holdem", stacks, holdem_classes()))
    )


def test_polish_never_makes_it_dearer() -> None:
    stacks = (3.0, 8.0)
    found = polish(CARD, stacks, holdem_classes(), seconds=1.0)
    before, after = (
        aim_of("holdem", stacks, best_response_losses(one, "holdem", stacks, holdem_classes())) + burden(one)
        for one in (CARD, found.card)
    )
    assert found.value == pytest.approx(after)
    assert after <= before


def test_more_lines_never_cost_more() -> None:
    stacks = stacks_up_to(4.0)
    two = choose("holdem", 2, stacks, seconds=1.0, row=True, choices=3)
    three = choose("holdem", 3, stacks, seconds=1.0, row=True, choices=3, shorter=two.card)
    assert three.value <= two.value + 0.02  # the first look is at whole stacks only


@pytest.mark.long
def test_all_cards_are_kept_and_only_improved(tmp_path: Path) -> None:
    out, said = tmp_path / "rules.json", []
    table = holdem_classes()

    def note(step: Progress) -> None:
        said.append(step.text)

    first = make_all("holdem", out, seconds=0.4, most_lines=2, table=table, watch=note)
    assert [(one.lines, one.card.row) for one in read(out)] == [(1, True), (2, True), (1, False), (2, False)]
    assert sum(text.startswith("1 line, row: ") and "lost to a best responder at worst" in text for text in said) == 1
    assert any(text.endswith("of the rival's price, lost to the equilibrium") for text in said)
    again = make_all("holdem", out, seconds=0.4, most_lines=2, table=table)
    old = {(one.lines, one.card.row): one.value for one in first}
    assert all(one.value <= old[one.lines, one.card.row] + 1e-6 for one in again)
    assert all(any(points) for one in again for points in one.card.points.values())


def test_a_card_that_did_not_get_better_stays_as_it_is() -> None:
    """A search that comes back to the card of the file has it with an unrounded value: that is no better one."""
    lower = []
    for one in (one for one in read(DATA / CARDS) if one.card.game == "holdem"):
        again = record(one.card, holdem_classes(), one.floor, "anew")
        lower.append(again.value < one.value)
        assert cheapest([one, again]) is one
        better = replace(again, value=one.value - 2e-6)
        assert cheapest([one, better]) is better
        nothing = {name: (0,) * len(points) for name, points in one.card.points.items()}
        idle = replace(better, card=replace(one.card, points=nothing))
        assert cheapest([one, idle]) is one
        assert cheapest([idle]) is None
    assert any(lower)


def test_a_stopped_run_loses_nothing(tmp_path: Path) -> None:
    out = tmp_path / "rules.json"

    def stop(step: Progress) -> None:
        if step.text.startswith("2 lines"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_all("holdem", out, seconds=0.3, most_lines=3, table=holdem_classes(), watch=stop)
    assert [one.lines for one in read(out)] == [1, 2]
    kept = [one for one in read(out) if one.lines == 1]
    write([*kept], out)
    make_all("holdem", out, seconds=0.3, most_lines=1, prove=0.4, table=holdem_classes())
    one = read(out)[0]
    assert one.proved is not None
    assert one.floor <= one.share
    assert one.proved <= one.share
    assert one.program is not None
    assert one.program["anywhere"]["proved"] <= one.program["anywhere"]["found"] + 1e-9


def test_writing_what_was_read_changes_nothing(tmp_path: Path) -> None:
    """Bounds are rounded down once, and the file goes on saying how it was made."""
    out = tmp_path / "rules.json"
    out.write_bytes((DATA / CARDS).read_bytes())
    write(read(out), out)
    assert out.read_bytes() == (DATA / CARDS).read_bytes()
    write(read(out), tmp_path / "new.json")
    assert json.loads((tmp_path / "new.json").read_text())["made by"] == MADE_BY


def test_a_broken_file_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "rules.json"
    out.write_text("{}")
    with pytest.raises(DataError, match="not a file of rule cards"):
        read(out)
    out.write_text(json.dumps({"version": 1, "cards": []}))
    with pytest.raises(DataError, match="another version"):
        read(out)
