"""The exact cost of a rule: against the equilibrium opponent, and against a best responder who knows the rule.

For a stack and a seat, with v the value of the game to that seat, in mbb per game:

    against the equilibrium    v - (value of the rule against the opponent's equilibrium strategy)
    against a best responder   v - (value of the rule against the opponent's best response)

The average of the second over both seats is the exploitability of the rule. It needs the class table: hold'em always
has it; for Omaha the prices of the rules and cards here ship, and any other rule needs the matchup table.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from headsup.cards.games import check_game
from headsup.common.arrays import Floats
from headsup.common.checks import as_list, as_numbers, door, positive, quoted
from headsup.common.display import brief
from headsup.common.errors import UserError
from headsup.common.files import read_shipped
from headsup.common.plot import line_chart
from headsup.distil.gains import seat_gains
from headsup.distil.rules.points import PointRule
from headsup.games.betting.stakes import SEAT_NAMES, SEATS, Stakes, check_seat
from headsup.games.holdem.classes import Classes, Sums, class_table
from headsup.jamfold.game import JamFoldGame, StrategyPair
from headsup.jamfold.shipped import shipped

DATA = Path(__file__).parent / "data"
PRICES = "prices.json"
CHIPS = 400 / 1000  # chips in one mbb at blinds of 200/400
THESIS_CHIPS = {"sb": (8.7, 8.96), "bb": (6.0, 6.87)}
"""ho-2015 section 4.4: ORACLE's largest losses in chips at 200/400, to the equilibrium and to a best responder."""


class RuleStrategy(Protocol):
    """A named strategy: the frequency of each class of a game, for a stack and a seat."""

    @property
    def name(self) -> str: ...

    def strategy(self, stack: float, seat: str) -> Floats:
        """The frequency of each class."""
        ...


@dataclass(frozen=True)
class Price:
    """The cost of one seat of a rule at one stack, in mbb per game."""

    stack: float
    seat: str
    equilibrium: float  # lost against the equilibrium opponent
    best: float  # lost against a best responder

    @property
    def chips(self) -> tuple[float, float]:
        return self.equilibrium * CHIPS, self.best * CHIPS


@dataclass(frozen=True, eq=False)
class Prices:
    rule: str
    game: str
    prices: tuple[Price, ...]
    source: str  # `computed` or `shipped`

    __repr__ = brief

    def of(self, seat: str) -> list[Price]:
        """The prices of one seat, in order of the stacks."""
        return [price for price in self.prices if price.seat == seat]

    def at(self, stack: float, seat: str) -> Price:
        return next(price for price in self.of(seat) if abs(price.stack - stack) < 1e-9)

    def worst(self, seat: str, *, best: bool = True) -> Price:
        """The highest price of a seat: against a best responder, or against the equilibrium."""
        return max(self.of(seat), key=lambda price: price.best if best else price.equilibrium)

    def between(self, start: float, end: float) -> Prices:
        kept = tuple(price for price in self.prices if start - 1e-9 <= price.stack <= end + 1e-9)
        return Prices(self.rule, self.game, kept, self.source)

    def as_dict(self) -> dict[str, Any]:
        return {
            "rule": self.rule,
            "game": self.game,
            "source": self.source,
            "unit": "mbb per game",
            "worst": {seat: self._worst(seat) for seat in SEATS},
            "prices": [
                {"stack": each.stack, "seat": each.seat, "equilibrium": each.equilibrium, "best_response": each.best}
                for each in self.prices
            ],
        }

    def _worst(self, seat: str) -> dict[str, dict[str, float]]:
        fixed, best = self.worst(seat, best=False), self.worst(seat)
        return {
            "equilibrium": {"mbb": fixed.equilibrium, "chips_200_400": fixed.chips[0], "stack": fixed.stack},
            "best_response": {"mbb": best.best, "chips_200_400": best.chips[1], "stack": best.stack},
        }


@door(stacks=as_list)
def price(rule: RuleStrategy, game: str, stacks: Sequence[float] | Floats, *, table: Classes | None = None) -> Prices:
    """The prices of a rule at stacks of the shipped sweep; both seats, both opponents.

    Without `table`, hold'em computes its own and Omaha reads the matchup table; an error says how to get it.
    """
    if not callable(getattr(rule, "strategy", None)):
        raise UserError(f"rule must be a rule, an object with strategy(stack, seat), not {quoted(rule)}")
    table = table if table is not None else class_table(check_game(game))
    stacks = tuple(positive(stack, "a stack") for stack in stacks)
    best = best_response_losses(rule, game, stacks, table)
    sweep = shipped(game)
    at = [sweep.at(stack) for stack in stacks]
    known = {"sb": sweep.jam[at], "bb": sweep.call[at]}
    met = zip(*(running_sums(table, known[seat]) for seat in SEATS), strict=True)
    prices = []
    for column, (stack, (jams, calls)) in enumerate(zip(stacks, met, strict=True)):
        stakes = JamFoldGame.of(table, Stakes.of(stack))
        for row, (seat, gained) in enumerate((("sb", stakes.jam_gain(calls)), ("bb", stakes.call_gain(jams)))):
            wrong = table.xp.asarray(known[seat][column] - rule.strategy(stack, seat))
            lost = 1000 * float((stakes.class_probabilities * wrong * gained).sum())
            # rounding may leave either a hair below zero
            prices.append(Price(stack, seat, max(0.0, lost), max(0.0, float(best[row, column]))))
    return Prices(rule.name, game, tuple(prices), "computed")


def best_response_losses(rule: RuleStrategy, game: str, stacks: Sequence[float], table: Classes) -> Floats:
    """float64[seats, stacks]: what a rule loses against a best responder, in mbb per game."""
    sweep = shipped(check_game(game))
    if table.classes != sweep.classes:
        raise UserError(f"this table has {table.classes} classes and {game} has {sweep.classes}: give the full table")
    losses, at = np.empty((2, len(stacks))), [sweep.at(stack) for stack in stacks]
    jam, call = ([table.xp.asarray(rule.strategy(stack, seat)) for stack in stacks] for seat in SEATS)
    met = zip(running_sums(table, jam), running_sums(table, call), strict=True)
    for column, (stack, (jams, calls)) in enumerate(zip(stacks, met, strict=True)):
        jamfold = JamFoldGame.of(table, Stakes.of(stack))
        small, big = StrategyPair(jamfold, jam[column], call[column], calls, jams).measurement.best
        value = float(sweep.value_sb[at[column]])
        losses[:, column] = 1000 * (value + big), 1000 * (small - value)
    return losses


def running_sums(table: Classes, strategies: Iterable[Floats]) -> Iterator[Sums]:
    """The table's sums against each strategy; after the first only the rows of hands that change are read."""
    before: tuple[Any, Sums] | None = None
    for strategy in strategies:
        played = table.xp.asarray(strategy)
        sums = table.sums(played) if before is None else table.shifted(before[1], before[0], played)
        before = played, sums
        yield sums


@door(strategy=as_numbers, stack=positive)
def against_equilibrium(strategy: npt.ArrayLike, game: str, stack: float, seat: str) -> float:
    """What a strategy loses against the equilibrium opponent, in mbb per game, from the shipped expected values alone.

    Omaha's are rounded to a thousandth of a big blind, so the error is at most half a mbb times the probability of the
    misplayed hands, and in practice much less.
    """
    gain = seat_gains(check_game(game), check_seat(seat), stack)
    if np.shape(strategy) != gain.shape:
        raise UserError(f"a {game} strategy has {len(gain)} frequencies, not an array of shape {np.shape(strategy)}")
    return float((np.maximum(gain, 0) - np.asarray(strategy, dtype=np.float64) * gain).sum())


def chart(prices: Prices, title: str, thesis: Mapping[str, tuple[float, float]] | None = None) -> str:
    """The prices along the stacks as an SVG line chart.

    `thesis` has for each seat the most chips lost to the equilibrium and to a best response in a paper: dashed.
    """
    series, dashed = {}, {}
    for seat, name in SEAT_NAMES.items():
        for at, against in ((1, "against a best response"), (0, "against the equilibrium")):
            key = f"{name}, {against}"
            series[key] = [(price.stack, price.best if at else price.equilibrium) for price in prices.of(seat)]
            if thesis is not None:
                dashed[key] = [(stack, thesis[seat][at] / CHIPS) for stack, _ in series[key]]
    title = f"What {title} costs" + (" (dashed: the most by the thesis)" if thesis is not None else "")
    axis = f"mbb lost per game (1 mbb: {CHIPS:g} chips at 200/400)"
    return line_chart(series, title=title, x="effective stack, big blinds", y=axis, faint=dashed)


def prices_in(content: Any) -> dict[str, Prices]:
    """The prices in the content of a file of `make_prices`, by name."""
    rules = {}
    for name, rule in content["rules"].items():
        prices = tuple(
            Price(stack, seat, rule[seat]["equilibrium"][at], rule[seat]["best"][at])
            for at, stack in enumerate(rule["stacks"])
            for seat in SEATS
        )
        rules[name] = Prices(name, rule["game"], prices, "shipped")
    return rules


@cache
def shipped_prices() -> dict[str, Prices]:
    """The prices of the shipped rules and cards, by name."""
    return prices_in(json.loads(read_shipped(DATA / PRICES)))


def prices_of(rule: PointRule) -> Prices:
    """The prices of a published rule or a shipped card along the stacks it is made for."""
    return shipped_prices()[rule.name].between(rule.min_stack, rule.max_stack)
