"""Prices: zero for the equilibrium, equal to what `measure` certifies for a rule, and the shipped ones made again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, floor
from pathlib import Path

import numpy as np
import pytest

from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.distil.make_prices import write_prices
from headsup.distil.price import (
    THESIS_CHIPS,
    against_equilibrium,
    best_response_losses,
    chart,
    price,
    prices_in,
    prices_of,
    shipped_prices,
)
from headsup.distil.rules.catalogue import RULES, rule
from headsup.distil.rules.oracle import oracle
from headsup.distil.rules.sage import SAGE_CALL, SAGE_JAM, sage
from headsup.distil.scorecards.priced import losses
from headsup.distil.scorecards.records import every_stack
from headsup.distil.scorecards.rule import card_rule
from headsup.distil.shipped import shipped_card, shipped_cards
from headsup.equity.omaha.matchups import load
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem.classes import class_table
from headsup.jamfold.shipped import shipped
from headsup.jamfold.vector import jamfold_game


@dataclass
class Equilibrium:
    game: str
    name: str = "equilibrium"

    def strategy(self, stack: float, seat: str) -> Floats:
        sweep = shipped(self.game)
        return sweep.played(seat)[sweep.nearest_index(stack)]


@dataclass
class Always:
    often: float
    name: str = "always"

    def strategy(self, stack: float, seat: str) -> Floats:
        return np.full(169, self.often)


def test_the_equilibrium_costs_nothing() -> None:
    for one in price(Equilibrium("holdem"), "holdem", [2.0, 7.125, 15.0]).prices:
        assert one.equilibrium == pytest.approx(0, abs=1e-6)
        assert one.best == pytest.approx(0, abs=1e-6)


def test_folding_everything_costs_the_blinds() -> None:
    # A small blind that always folds gets -0.5 from anyone; a big blind that always folds loses its blind to any jam.
    found = price(Always(0.0), "holdem", [10.0])
    value = shipped("holdem").value_sb[shipped("holdem").nearest_index(10.0)]
    assert found.at(10.0, "sb").equilibrium == pytest.approx(1000 * (value + 0.5))
    assert found.at(10.0, "sb").best == pytest.approx(1000 * (value + 0.5))
    assert found.at(10.0, "bb").best == pytest.approx(1000 * (1 - value))


@pytest.mark.parametrize("stack", [2.0, 5.0, 8.0, 12.0])
def test_prices_are_what_measure_certifies(stack: float) -> None:
    found = price(sage(), "holdem", [stack])
    game = jamfold_game(class_table("holdem"), Stakes.of(stack))
    jam, call = sage().strategy(stack, "sb"), sage().strategy(stack, "bb")
    sb, bb = found.at(stack, "sb"), found.at(stack, "bb")
    assert (sb.best + bb.best) / 2 == pytest.approx(game.certify(jam, call).exploitability_mbb)
    value = shipped("holdem").value_sb[shipped("holdem").nearest_index(stack)]
    assert sb.best == pytest.approx(1000 * (game.best_response("bb", jam).value + value))
    assert bb.best == pytest.approx(1000 * (game.best_response("sb", call).value - value))
    for seat, one in (("sb", sb), ("bb", bb)):
        assert 0 <= one.equilibrium <= one.best + 1e-9
        by_gains = against_equilibrium(sage().strategy(stack, seat), "holdem", stack, seat)
        assert one.equilibrium == pytest.approx(by_gains, abs=2e-3)
        assert one.chips == pytest.approx((0.4 * one.equilibrium, 0.4 * one.best))


def test_the_shipped_prices_of_sage_are_those_computed_now() -> None:
    said = shipped_prices()["sage"]
    found = price(sage(), "holdem", shipped("holdem").stacks[:117])
    assert [(one.stack, one.seat) for one in said.prices] == [(one.stack, one.seat) for one in found.prices]
    for old, new in zip(said.prices, found.prices, strict=True):
        assert (old.equilibrium, old.best) == pytest.approx((new.equilibrium, new.best), abs=1e-5)


def test_what_is_written_to_ship_is_read_back(tmp_path: Path) -> None:
    made = price(sage(), "holdem", (4.0, 7.5))
    write_prices([made, replace(made, rule="four lines")], tmp_path / "prices.json")
    found = prices_in(json.loads((tmp_path / "prices.json").read_text()))
    assert list(found) == ["sage", "four lines"]
    for said, one in zip(found["sage"].prices, made.prices, strict=True):
        assert (said.stack, said.seat) == (one.stack, one.seat)
        assert (said.equilibrium, said.best) == pytest.approx((one.equilibrium, one.best), abs=1e-5)


@pytest.mark.parametrize("name", ["oracle", "hutchison", "hutchison8"])
def test_the_shipped_prices_agree_with_the_shipped_expected_values(name: str) -> None:
    made = rule(name)
    for stack in (1.0, 4.0, 6.375, 9.0, 11.25):
        for seat in ("sb", "bb"):
            one = shipped_prices()[name].at(stack, seat)
            again = against_equilibrium(made.strategy(stack, seat), made.game, stack, seat)
            assert one.equilibrium == pytest.approx(again, abs=0.05)  # values are rounded to a thousandth of a blind
            assert one.best >= one.equilibrium - 1e-6


def test_every_rule_ships_with_its_price_at_every_stack() -> None:
    cards = {card_rule(one).name for game in ("holdem", "omaha8") for one in shipped_cards(game)}
    assert set(shipped_prices()) == cards | set(RULES)
    assert all(len(shipped_prices()[name].prices) == 2 * 117 for name in RULES)


@pytest.mark.parametrize("game", ["holdem", "omaha8"])
def test_every_card_ships_with_its_price_at_every_stack(game: str) -> None:
    """If this fails, the cards have changed: run  python -m headsup.distil.make_prices."""
    for one in shipped_cards(game):
        said = prices_of(card_rule(one))
        assert one.worst_price is not None
        stacks = every_stack(one.card.max_stack)
        assert tuple(price.stack for price in said.of("sb")) == stacks
        paid = np.array([[price.best for price in said.of(seat)] for seat in ("sb", "bb")])
        lost = np.array([[price.equilibrium for price in said.of(seat)] for seat in ("sb", "bb")])
        assert paid.max(axis=1) == pytest.approx(one.worst_price, abs=1e-3)
        np.testing.assert_allclose(lost[:, ::8], losses(one.card, stacks[::8]), atol=0.05)  # Omaha's values are rounded
        if game == "holdem":
            np.testing.assert_allclose(paid, best_response_losses(one.card, game, stacks, class_table(game)), atol=1e-4)


@pytest.mark.parametrize("stack", [1.0, 7.5])
def test_a_card_as_a_rule_is_what_measure_certifies(stack: float) -> None:
    rule_of = card_rule(shipped_card("holdem", 4, row=True))
    said = prices_of(rule_of)
    game = jamfold_game(class_table("holdem"), Stakes.of(stack))
    certified = game.certify(rule_of.strategy(stack, "sb"), rule_of.strategy(stack, "bb")).exploitability_mbb
    assert (said.at(stack, "sb").best + said.at(stack, "bb").best) / 2 == pytest.approx(certified, abs=1e-4)


def test_oracle_costs_less_than_its_thesis_says() -> None:
    # ho-2015 section 4.4: 0.0224 and 0.0172 bb against best responders, for its own equilibrium
    found = shipped_prices()["oracle"].between(0.5, oracle().max_stack)
    assert found.worst("sb").best < 22.4
    assert found.worst("bb").best < 17.2
    assert found.worst("sb").stack == pytest.approx(5.75, abs=1)  # it says 2,300 chips of 400
    assert found.worst("bb", best=False).stack == 11.25  # it says 4,500


@pytest.mark.long
@pytest.mark.parametrize("name", ["oracle", "hutchison", "hutchison8"])
def test_the_shipped_omaha_prices_follow_from_the_table(name: str) -> None:
    made = rule(name)
    try:
        load(made.game)
    except UserError:
        pytest.skip("needs the matchup table")
    stacks = [1.0, 6.375, 11.25]
    for one in price(made, made.game, stacks).prices:
        said = shipped_prices()[name].at(one.stack, one.seat)
        assert (one.equilibrium, one.best) == pytest.approx((said.equilibrium, said.best), abs=1e-5)


CHARTS = {
    "rule-oracle-price.svg": "oracle",
    "rule-sage-price.svg": "sage",
    "rule-card-omaha8-4.svg": ("omaha8", 4),
    "rule-card-holdem-4.svg": ("holdem", 4),
}


@pytest.mark.parametrize("file", CHARTS)
def test_the_charts_of_the_docs_are_up_to_date(file: str) -> None:
    """If this fails, run  headsup rule ... --price --plot docs/papers/plots/FILE."""
    what = CHARTS[file]
    made = rule(what) if isinstance(what, str) else card_rule(shipped_card(*what, row=True))
    shown = Path(__file__).parents[2] / "docs" / "papers" / "plots" / file
    assert shown.read_text() == chart(prices_of(made), made.title, THESIS_CHIPS if what == "oracle" else None)


@pytest.mark.parametrize(("lines", "word"), [(4, "four"), (7, "seven")])
def test_the_page_of_the_thesis_has_the_prices_of_the_cards(lines: int, word: str) -> None:
    known = prices_of(card_rule(shipped_card("omaha8", lines, row=True)))
    worst = [known.worst(seat) for seat in ("sb", "bb")]
    shown = " | ".join(f"{one.chips[1]:.2f} chips ({one.best / 1000:.4f} bb)" for one in worst)
    page = Path(__file__).parents[2] / "docs" / "papers" / "ho-2015.md"
    assert f"| card of {word} lines | {lines} | {shown} |" in page.read_text(encoding="utf-8")


def test_the_chart_shows_the_thesis_beside_ours() -> None:
    drawn = chart(shipped_prices()["oracle"].between(0.5, 11.25), "ORACLE", THESIS_CHIPS)
    assert "dashed: the most by the thesis" in drawn
    assert drawn.count("stroke-dasharray") == 4
    assert "0.4 chips at 200/400" in drawn
    assert "dashed" not in chart(shipped_prices()["sage"], "SAGE")


@dataclass
class RoundedSage:
    row: Callable[[float], int]
    name: str = "sage, rounded"

    def strategy(self, stack: float, seat: str) -> Floats:
        number = (SAGE_JAM if seat == "sb" else SAGE_CALL)[min(7, max(1, self.row(stack - 1))) - 1]
        return (sage().scores(seat) >= number).astype(np.float64)


def test_sage_is_rounded_in_the_way_that_costs_least_at_worst() -> None:
    ways = {
        "halves down": lambda r: ceil(r - 0.5),
        "halves up": lambda r: floor(r + 0.5),
        "down": floor,
        "up": ceil,
    }
    found = {}
    for name, way in ways.items():
        prices = price(RoundedSage(way), "holdem", np.arange(16, 65) / 8)
        found[name] = tuple(round(prices.worst(seat).best, 2) for seat in ("sb", "bb"))
    # as docs/distil.md says
    assert found == {
        "halves down": (13.78, 14.55),
        "halves up": (13.78, 19.27),
        "down": (15.15, 21.98),
        "up": (13.78, 42.65),
    }
    shipped_worst = shipped_prices()["sage"].between(2, 8)
    assert found["halves down"] == tuple(round(shipped_worst.worst(seat).best, 2) for seat in ("sb", "bb"))


def test_only_shipped_stacks_have_a_price() -> None:
    with pytest.raises(UserError, match="by eighths"):
        price(sage(), "holdem", [7.3])
    with pytest.raises(UserError, match="by eighths"):
        against_equilibrium(np.zeros(169), "holdem", 7.3, "sb")
    with pytest.raises(UserError, match="not a game"):
        price(sage(), "stud", [7.0])
