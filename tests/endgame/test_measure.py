"""Floors and bounds of endgames against plain loops, against cards dealt at random, and against themselves."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from headsup.common.backend import gpu_present
from headsup.common.errors import DataError, UserError
from headsup.endgame.measure import (
    Floor,
    StateCharts,
    bounds,
    chances,
    confirm,
    floor,
    hands_left,
    match,
    pair_values,
    plan,
    tallies,
    value,
    weights,
)
from headsup.endgame.measure_free import Answers, free_floor, legal_sizes
from headsup.endgame.rules import BlindLevel, Endgame, endgame
from headsup.games.holdem.classes import holdem_classes
from tests.naive_endgame import few_classes, least, pair_chances

SMALL = Endgame("holdem", 12, (BlindLevel(1, 2),))
SPLIT = Endgame("omaha8", 12, (BlindLevel(1, 2),))


def some_charts(rules: Endgame, classes: int, seed: int = 1) -> StateCharts:
    """Any charts at all, as long as the best class is always played."""
    jam, call = np.random.default_rng(seed).random((2, rules.chips - 1, classes))
    jam[:, -1] = call[:, -1] = 1.0
    return plan(rules, [StateCharts(jam, call)] * (rules.rising + 1)).charts[0]


@pytest.mark.parametrize(("rules", "outcomes"), [(SMALL, 3), (SPLIT, 5)], ids=["three outcomes", "five outcomes"])
def test_a_floor_is_what_slow_value_iteration_comes_to(rules: Endgame, outcomes: int) -> None:
    table = few_classes(3, outcomes)
    charts = some_charts(rules, 3)
    found = floor(table, plan(rules, [charts]))
    slow = least(table, rules, charts.jam, charts.call, 150, 0.5)
    for fast, right in zip(found, slow, strict=True):
        np.testing.assert_allclose(fast[0], right, atol=1e-6)
    # after few hands it is not there yet, from either side
    below, above = (least(table, rules, charts.jam, charts.call, 3, cut)[0] for cut in (0.0, 1.0))
    assert (below <= found.button[0] + 1e-12).all()
    assert (found.button[0] <= above + 1e-12).all()
    assert (above - below).max() > 1e-3


@pytest.mark.parametrize(("rules", "outcomes"), [(SMALL, 3), (SPLIT, 5)], ids=["three outcomes", "five outcomes"])
def test_the_second_route_confirms_a_floor_and_finds_one_that_is_too_high(rules: Endgame, outcomes: int) -> None:
    table = few_classes(4, outcomes)
    mine = plan(rules, [some_charts(rules, 4)])
    found = floor(table, mine)
    assert abs(confirm(table, mine, found)) < 1e-12
    for name in ("button", "big"):
        high = getattr(found, name).copy()
        high[0, 4] += 1e-6
        assert confirm(table, mine, found._replace(**{name: high})) > 5e-7
    low = Floor(*(np.where((row > 0) & (row < 1), row - 1e-3, row) for row in found))
    assert confirm(table, mine, low) < 1e-12  # a lower floor is one as well


def test_hands_of_rising_blinds_are_floors_too() -> None:
    rules = Endgame("holdem", 12, (BlindLevel(1, 2, 0, 0, 2), BlindLevel(1, 2, 1, 0, 1), BlindLevel(2, 4)))
    table = few_classes(3)
    mine = plan(rules, [some_charts(rules, 3, seed) for seed in range(4)])
    found = floor(table, mine)
    assert found.button.shape == (4, 13)
    assert abs(confirm(table, mine, found)) < 1e-12
    flat = Endgame("holdem", 12, (BlindLevel(2, 4),))
    np.testing.assert_allclose(found.button[-1], floor(table, plan(flat, [mine.charts[-1]])).button[0], atol=1e-12)
    assert bounds(table, mine).value.shape == (4, 13)


def test_a_pair_is_worth_as_much_from_both_sides() -> None:
    table, rules = few_classes(4), SMALL
    mine, theirs = (plan(rules, [some_charts(rules, 4, seed)]) for seed in (1, 2))
    met, facing = tallies(table, mine), tallies(table, theirs)
    one, other = match(table, mine, theirs, met, facing), match(table, theirs, mine, facing, met)
    np.testing.assert_allclose(one.button[0] + other.big[0][::-1], 1, atol=1e-12)
    same = match(table, mine, mine, met, met)
    np.testing.assert_allclose(same.button, value(table, mine), atol=1e-12)
    sure = floor(table, mine)
    assert (sure.button <= one.button + 1e-12).all()
    assert (sure.big <= one.big + 1e-12).all()


def test_play_that_never_ends_counts_one_half() -> None:
    rules = Endgame("holdem", 8, (BlindLevel(1, 2),))
    table = few_classes(2)
    never = plan(rules, [StateCharts(np.zeros((7, 2)), np.zeros((7, 2)))])
    worth = value(table, never)[0]
    assert worth[4] == 0.5  # a small blind goes to and fro for ever
    assert worth[1] != 0.5  # all in by posting
    with pytest.raises(DataError, match="for ever"):
        floor(table, never)


def test_how_long_it_lasts() -> None:
    rules = Endgame("holdem", 2, (BlindLevel(1, 1),))
    table = few_classes(2)
    mine = plan(rules, [StateCharts(np.ones((1, 2)), np.ones((1, 2)))])
    ends = chances(weights(table), mine.charts[0].jam, tallies(table, mine)[0].calls)
    tie = float(pair_chances(table)[:, :, 1].sum())
    assert hands_left(rules, ends)[1] == pytest.approx(1 / (1 - tie))
    assert pair_values(rules, [ends])[0, 1] == pytest.approx(0.5)


def test_cards_dealt_at_random_agree() -> None:
    """Both follow charts of real hold'em; the cards are dealt and ranked one by one."""
    from headsup.cards.classes import holdem_class_of_combo
    from headsup.cards.combos import colex_array
    from headsup.evaluate import rank_hands

    rules = endgame("holdem", "6", unit="0.5")
    table = holdem_classes()
    pots = table.sums(np.ones(169)).pots
    charts = StateCharts(
        np.tile(pots > np.median(pots), (11, 1)) * 1.0, np.tile(pots > np.quantile(pots, 0.6), (11, 1)) * 1.0
    )
    mine = plan(rules, [charts])
    charts, worth = mine.charts[0], value(table, mine)[0]
    rng, games = np.random.default_rng(7), 20_000
    of_combo = np.asarray(holdem_class_of_combo())
    button, first = np.full(games, 5), np.ones(games, dtype=bool)  # chips of the button; whether player one has it
    won, live = np.zeros(games), np.arange(games)
    for _ in range(400):
        if not len(live):
            break
        cards = rng.random((len(live), 52)).argpartition(9, axis=1)[:, :9]
        hands = [of_combo[colex_array(np.sort(cards[:, at : at + 2], axis=1))] for at in (0, 2)]
        ranks = [rank_hands(np.concatenate([cards[:, at : at + 2], cards[:, 4:]], axis=1)) for at in (0, 2)]
        ends = rules.ends(rules.levels[0])[button[live] - 1]
        jams = charts.jam[button[live] - 1, hands[0]] == 1
        calls = charts.call[button[live] - 1, hands[1]] == 1
        way = np.where(ranks[0] > ranks[1], 2, np.where(ranks[0] == ranks[1], 3, 4))
        left = ends[np.arange(len(live)), np.where(~jams, 0, np.where(~calls, 1, way))]
        over = (left == 0) | (left == rules.chips)
        won[live[over]] = (left[over] == rules.chips) == first[live[over]]
        button[live], first[live] = rules.chips - left, ~first[live]
        live = live[~over]
    assert not len(live)
    assert abs(won.mean() - worth[5]) < 4.5 * 0.5 / games**0.5


def test_more_choices_leave_less() -> None:
    table, charts = few_classes(4), some_charts(SMALL, 4)
    answers = Answers((2, 4), np.stack([charts.jam, charts.call]))
    free, plain = free_floor(table, SMALL, charts, answers), floor(table, plan(SMALL, [charts]))
    assert (free.button <= plain.button + 1e-12).all()
    assert (free.big <= plain.big + 1e-12).all()
    assert (plain.big - free.big).max() > 1e-3
    # some sizes lie between none and all
    assert free_floor(table, SMALL, charts, answers, ()).big == pytest.approx(plain.big, abs=1e-12)
    for sizes in ((2,), (4, 5)):
        some = free_floor(table, SMALL, charts, answers, sizes)
        assert (free.big <= some.big + 1e-12).all()
        assert (some.big <= plain.big + 1e-12).all()
    assert free_floor(table, SMALL, charts, answers, legal_sizes(SMALL)).big == pytest.approx(free.big, abs=1e-12)


def test_a_free_opponent_the_slow_way() -> None:
    """Every choice of every hand, in plain loops, given what the hand after is worth."""
    table, rules, kinds = few_classes(3), SMALL, range(3)
    charts = some_charts(rules, 3)
    answers = Answers((2, 5), np.random.default_rng(5).random((2, 11, 3)))
    found = free_floor(table, rules, charts, answers)
    chance, n = pair_chances(table), rules.chips
    assert legal_sizes(rules) == (2, 4, 5)
    for chips in range(1, n):
        hand, after = rules.hand(rules.levels[0], chips), found.button[0]
        total = 0.0
        for a in kinds:

            def over(chart: np.ndarray, lose: int, a: int = a, hand: object = hand) -> float:
                """What is left to me if I play by this chart when the opponent holds a and then does its best."""
                stolen = sum(chance[a, b].sum() * (1 - chart[b]) for b in kinds) * found.button[0][n - hand.ends[1]]
                shown = sum(
                    chance[a, b, k] * chart[b] * found.button[0][n - hand.ends[2 + k]] for b in kinds for k in range(3)
                )
                given = sum(chance[a, b].sum() * chart[b] for b in kinds) * found.button[0][n - (hand.chips - lose)]
                return stolen + (shown if lose < 0 else min(shown, given))

            options = [over(charts.call[chips - 1], -1)]
            if not hand.all_in:
                options.append(chance[a].sum() * after[n - hand.ends[0]])
            for size in (2, 4, 5):
                if size < hand.stack:
                    weight = min(max((size - 2) / 3, 0), 1)
                    chart = (1 - weight) * answers.jam[0][chips - 1] + weight * answers.jam[1][chips - 1]
                    options.append(over(chart, size))
            total += min(options)
        assert found.big[0][n - chips] == pytest.approx(total, abs=1e-12)


def test_a_limp_that_is_never_jammed_over_need_not_end() -> None:
    charts = some_charts(SMALL, 3)
    with pytest.raises(DataError, match="for ever"):
        free_floor(few_classes(3), SMALL, charts, Answers((2,), np.zeros((1, 11, 3))))


def test_a_free_opponent_wants_fixed_blinds() -> None:
    rules = Endgame("holdem", 12, (BlindLevel(1, 2, 0, 0, 2), BlindLevel(2, 4)))
    charts = some_charts(rules, 3)
    with pytest.raises(UserError, match="fixed blinds"):
        free_floor(few_classes(3), rules, charts, Answers((2,), charts.call[None]))


def test_units_of_fractions() -> None:
    assert endgame("holdem", "20", unit="0.125").unit == Fraction(1, 8)


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no CUDA device answers")
@pytest.mark.parametrize("outcomes", [3, 5])
def test_a_gpu_tallies_the_same(outcomes: int) -> None:
    from headsup.common.backend import gpu
    from headsup.games.holdem.classes import Classes

    table = few_classes(5, outcomes)
    xp = gpu()
    device = Classes(
        "holdem",
        xp.asarray(table._quarters),
        xp.asarray(table._counts),
        sizes=table.class_sizes,
        boards=table.boards,
        xp=xp,
        outcomes=table.outcomes,
    )
    strategies = np.random.default_rng(3).random((7, 5))
    np.testing.assert_allclose(device.ways(strategies), table.ways(strategies), rtol=1e-12)
    np.testing.assert_allclose(device.ways_turned(strategies), table.ways_turned(strategies), rtol=1e-12)
    rows, columns = np.array([0, 3]), np.array([1, 2, 4])
    np.testing.assert_allclose(device.way_block(rows, columns), table.way_block(rows, columns), rtol=1e-12)
    rules = SPLIT if outcomes == 5 else SMALL
    mine = plan(rules, [some_charts(rules, 5)])
    np.testing.assert_allclose(floor(device, mine).button, floor(table, mine).button, atol=1e-12)
