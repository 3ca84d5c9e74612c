"""Rule cards: the search, the integer program, prices and the shipped frontier, against slow and obvious ways."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np
import pytest

from headsup.distil.exact import ExactTrial, losses, polish, prices
from headsup.distil.frontier import every_stack, record, shipped_cards
from headsup.distil.gains import faced, gains
from headsup.distil.integer import mean_loss, solve
from headsup.distil.lines import pool
from headsup.distil.price import price
from headsup.distil.rules import sage
from headsup.distil.scorecard import ScoreCard, box
from headsup.distil.search import aim_of, cells_of, choose, fit, floor, floors, stacks_up_to
from headsup.errors import DataError, UserError
from headsup.games.jamfold import JamFold, Stakes
from headsup.games.jamfold_hands import class_name
from headsup.games.jamfold_table import class_table, holdem_classes
from headsup.measure.jamfold import best_calls, best_jams, certify
from headsup.solve.jamfold_data import shipped

WHOLE = tuple(float(stack) for stack in range(1, 13))
CARD = ScoreCard("holdem", {"high": (2, 6), "pair": (22,)}, (10, 1), (8, 2), 12.0)


def test_how_often_a_jam_comes_is_what_the_exact_table_says() -> None:
    table, sweep = holdem_classes(), shipped("holdem")
    for stack in (2.0, 9.5):
        jam = sweep.jam[sweep.nearest(stack)]
        np.testing.assert_allclose(faced("holdem", jam), table.against(jam).hands / table.total, rtol=0, atol=1e-12)


def test_losses_are_what_the_card_loses_to_the_equilibrium() -> None:
    sweep = shipped("holdem")
    for column, stack in enumerate((3.0, 8.0)):
        game, at = JamFold(holdem_classes(), Stakes.of(stack).payoffs), sweep.nearest(stack)
        sb = certify(game, CARD.strategy(stack, "sb"), sweep.call[at]).value_sb
        bb = certify(game, sweep.jam[at], CARD.strategy(stack, "bb")).value_sb
        slow = 1000 * np.array([sweep.value_sb[at] - sb, bb - sweep.value_sb[at]])
        np.testing.assert_allclose(losses(CARD, (3.0, 8.0))[:, column], slow, atol=2e-3)


def test_prices_are_what_a_best_responder_wins() -> None:
    stacks, table = (2.0, 5.5, 11.0), holdem_classes()
    found, value = prices(CARD, stacks, table), shipped("holdem").value_sb
    for column, stack in enumerate(stacks):
        game, at = JamFold(table, Stakes.of(stack).payoffs), shipped("holdem").nearest(stack)
        wins = best_calls(game, CARD.strategy(stack, "sb")).value, best_jams(game, CARD.strategy(stack, "bb")).value
        np.testing.assert_allclose(found[:, column], 1000 * np.array([wins[0] + value[at], wins[1] - value[at]]))
    assert (found >= losses(CARD, stacks) - 2e-3).all()


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
    assert floor("holdem", ("pair", "suited"), stacks) == pytest.approx(aim_of(lost))
    lowest, lines = floors("holdem", 2, stacks)[0]
    assert lowest == pytest.approx(min(floor("holdem", two, stacks) for two in product(pool("holdem"), repeat=2)))
    assert set(lines) == {"high", "low"}  # the two that tell all ranks apart


@pytest.mark.parametrize("row", [False, True])
def test_a_fitted_card_has_the_aim_that_it_claims_and_no_floor_is_broken(row: bool) -> None:
    stacks = stacks_up_to(6.0)
    found = fit("holdem", ("high", "pair", "suited"), stacks, row=row, seconds=0.5)
    assert found.aim == pytest.approx(aim_of(losses(found.card, stacks)))
    assert found.aim >= floor("holdem", tuple(found.card.points), stacks)
    assert found.aim < aim_of(losses(ScoreCard("holdem", {"pair": (1,)}, (1, 0), (1, 0), 6.0), stacks))


def test_exact_trial_prices_as_the_best_responder_does() -> None:
    make = partial(ExactTrial, table=holdem_classes())
    found = fit("holdem", ("high", "pair"), (3.0, 7.0), row=True, seconds=0.5, make=make)
    assert found.aim == pytest.approx(aim_of(prices(found.card, (3.0, 7.0), holdem_classes())))


def test_polish_never_makes_it_dearer() -> None:
    found = polish(CARD, (3.0, 8.0), holdem_classes(), seconds=1.0)
    assert found.after <= found.before
    assert found.after == pytest.approx(aim_of(prices(found.card, (3.0, 8.0), holdem_classes())))


def test_the_integer_program_against_all_cards() -> None:
    """Two lines, points within 2, one stack: every card is tried."""
    stacks = (6.0,)
    program = solve("holdem", ("pair", "suited", "ace"), 2, stacks, row=True, seconds=20, most_points=2, first_rows=4)
    assert program.optimal
    assert program.card is not None
    best = np.inf
    names = ("pair", "suited", "ace")
    every = gains("holdem", stacks)
    for points in product(range(-2, 3), repeat=3):
        if sum(point != 0 for point in points) <= 2:
            scores = sum(pool("holdem")[name].columns[:, 0] * point for name, point in zip(names, points, strict=True))
            lost = [
                min(np.maximum(seat, 0).sum() - seat[scores >= t].sum() for t in range(-5, 7))
                for seat in every[:, :, 0]
            ]
            best = min(best, sum(lost))
    assert program.loss == pytest.approx(best)
    assert program.bound == pytest.approx(best, abs=1e-5)


def test_a_program_that_is_stopped_still_bounds() -> None:
    start = fit("holdem", ("high", "low", "pair"), WHOLE, row=True, seconds=0.3).card
    program = solve("holdem", ("high", "low", "pair"), 3, (4.0, 8.0), row=True, seconds=1.0, start=start)
    assert 0 < program.bound <= program.loss <= mean_loss(start, (4.0, 8.0))


def test_line_thresholds_in_the_program() -> None:
    program = solve("holdem", ("pair", "ace"), 2, (3.0, 9.0), seconds=10, most_points=4)
    assert program.card is not None
    assert not program.card.row
    assert program.loss == pytest.approx(mean_loss(program.card, (3.0, 9.0)))
    assert program.bound <= program.loss + 1e-6


def test_more_lines_never_cost_more() -> None:
    stacks = stacks_up_to(4.0, 1.0)
    two = choose("holdem", 2, stacks, seconds=1.0, row=True, choices=4)
    three = choose("holdem", 3, stacks, seconds=1.0, row=True, choices=4, shorter=two.card)
    assert three.aim <= two.aim + 1e-9


def test_thresholds_at_the_edges() -> None:
    assert [box(stack, 12) for stack in (0.5, 1.49, 1.5, 11.4, 11.5, 30.0)] == [0, 0, 1, 10, 11, 11]
    row = ScoreCard("holdem", {"pair": (1,)}, (1, 2), (3, 4), 2.0, True)
    assert (row.threshold("sb", 1.0), row.threshold("bb", 2.0)) == (1, 4)
    assert ScoreCard.from_dict(row.as_dict()) == row
    with pytest.raises(DataError):
        ScoreCard("holdem", {"pair": (1, 2)}, (1, 2), (3, 4), 2.0)


def test_mistakes_are_one_sentence() -> None:
    with pytest.raises(UserError, match="3 rules cannot be chosen from 2 lines"):
        solve("holdem", ("pair", "ace"), 3, (3.0,))
    with pytest.raises(UserError, match="whole numbers"):
        solve("holdem", ("pair", "ace"), 1, (3.5,), row=True)
    with pytest.raises(UserError, match="choose holdem or omaha8"):
        pool("omaha")


@pytest.mark.parametrize("index", range(len(shipped_cards("holdem"))))
def test_shipped_holdem_cards_cost_what_they_say(index: int) -> None:
    one = shipped_cards("holdem")[index]
    again = record(one.card, holdem_classes(), one.floor, one.made)
    for name in ("worst_loss", "mean_loss", "worst_price", "mean_price", "aim"):
        assert getattr(again, name) == pytest.approx(getattr(one, name), abs=1e-3), name


@pytest.mark.parametrize("index", range(len(shipped_cards("omaha8"))))
def test_shipped_omaha_cards_lose_what_they_say(index: int) -> None:
    one = shipped_cards("omaha8")[index]
    lost = losses(one.card, every_stack(one.card.max_stack)[::8])
    assert one.worst_price is not None
    assert one.mean_price is not None
    for seat in range(2):
        assert lost[seat].max() <= one.worst_loss[seat] + 1e-3
        assert one.worst_loss[seat] <= one.worst_price[seat] + 0.05  # expected values are rounded
    assert one.aim >= one.floor


def test_the_card_of_sages_length_is_less_exploitable_than_sage_at_every_stack() -> None:
    one = next(one for one in shipped_cards("holdem") if one.lines == 4)
    rival = price(sage(), "holdem", WHOLE, table=holdem_classes())
    theirs = np.mean([[paid.best for paid in rival.of(seat)] for seat in ("sb", "bb")], axis=0)
    assert (prices(one.card, WHOLE, holdem_classes()).mean(axis=0) < theirs).all()


def test_short_omaha_cards_are_below_the_thesiss_prices_of_oracle() -> None:
    """ho-2015 section 4.4: ORACLE, seven rules, costs up to 0.0224 and 0.0172 big blinds."""
    for one in shipped_cards("omaha8"):
        assert one.worst_price is not None
        if one.lines >= 4:
            assert one.worst_price[0] < 22.4
            assert one.worst_price[1] < 17.2
        if one.lines >= 7 and one.card.row:
            assert one.worst_price[0] < 22.4 / 2
            assert one.worst_price[1] < 17.2 / 2


@pytest.mark.long
@pytest.mark.parametrize("index", range(len(shipped_cards("omaha8"))))
def test_shipped_omaha_cards_cost_what_they_say(index: int) -> None:
    try:
        table = class_table("omaha8")
    except UserError:
        pytest.skip("needs the matchup table")
    one = shipped_cards("omaha8")[index]
    again = record(one.card, table, one.floor, one.made)
    assert again.worst_price == pytest.approx(one.worst_price, abs=1e-3)
    assert again.mean_price == pytest.approx(one.mean_price, abs=1e-3)
