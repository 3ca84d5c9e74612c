"""The frontier: for each number of lines the best card that was found, what it costs, and what is proved.

`make` finds one card and prices it; `shipped_cards` reads those that came with the package. A record has the card, its
losses against the equilibrium and its prices against a best responder (worst and average over the stacks from 1 to the
card's largest, by eighths), the floor that no card of this length from this pool can go below, and how it was made.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from headsup.distil.exact import ExactTrial, losses, polish, prices
from headsup.distil.lines import pool
from headsup.distil.price import price
from headsup.distil.rules import sage
from headsup.distil.scorecard import ScoreCard
from headsup.distil.search import aim_of, choose, fit, floors, stacks_up_to
from headsup.errors import DataError, UserError
from headsup.games.jamfold import Floats
from headsup.games.jamfold_table import ClassTable

VERSION = 1
DATA = Path(__file__).parent / "data" / "rules.json"
MAX_STACK = {"holdem": 12.0, "omaha8": 11.25}
"""The largest stack of the shipped cards; ORACLE is made for 11.25."""
SEATS = ("sb", "bb")


@dataclass(frozen=True)
class Record:
    """One card of the frontier; losses and prices in mbb per game, (small blind, big blind)."""

    card: ScoreCard
    worst_loss: tuple[float, float]
    mean_loss: tuple[float, float]
    worst_price: tuple[float, float] | None
    """Against a best responder; none where the matchup table was not there."""
    mean_price: tuple[float, float] | None
    floor: float
    """No card of so many lines from the pool has a lower aim (see `headsup.distil.search`)."""
    aim: float
    """The card's own, on the same stacks."""
    made: str

    @property
    def lines(self) -> int:
        """How many lines the card has."""
        return len(self.card.points)

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        found: dict[str, Any] = {"lines": self.lines, "numbers": self.card.numbers, "card": self.card.as_dict()}
        for name in ("worst_loss", "mean_loss", "worst_price", "mean_price"):
            pair = getattr(self, name)
            found[name] = None if pair is None else {"sb": round(pair[0], 4), "bb": round(pair[1], 4)}
        return found | {"aim": round(self.aim, 4), "floor": round(max(self.floor, 0.0), 4), "made": self.made}

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Record:
        """From JSON."""

        def pair(name: str) -> tuple[float, float] | None:
            return None if given[name] is None else (float(given[name]["sb"]), float(given[name]["bb"]))

        worst, mean = pair("worst_loss"), pair("mean_loss")
        if worst is None or mean is None:
            raise DataError("a record of the frontier has no losses")
        card = ScoreCard.from_dict(given["card"])
        return cls(
            card, worst, mean, pair("worst_price"), pair("mean_price"), given["floor"], given["aim"], given["made"]
        )


def every_stack(max_stack: float) -> tuple[float, ...]:
    """The stacks that a card is priced at: 1 to its largest, by eighths."""
    return tuple(float(stack) for stack in np.arange(8, int(8 * max_stack) + 1) / 8)


def record(card: ScoreCard, table: ClassTable | None, floor: float, made: str) -> Record:
    """Measure a card at every stack."""
    stacks = every_stack(card.max_stack)
    lost = losses(card, stacks)
    paid = None if table is None else prices(card, stacks, table)
    return Record(
        card,
        _pair(lost.max(axis=1)),
        _pair(lost.mean(axis=1)),
        None if paid is None else _pair(paid.max(axis=1)),
        None if paid is None else _pair(paid.mean(axis=1)),
        floor,
        aim_of(losses(card, stacks_up_to(card.max_stack))),
        made,
    )


def _pair(values: Floats) -> tuple[float, float]:
    return float(values[0]), float(values[1])


def make(
    game: str,
    k: int,
    max_stack: float,
    *,
    seconds: float,
    row: bool = True,
    table: ClassTable | None = None,
    shorter: ScoreCard | None = None,
    watch: Callable[[str], None] | None = None,
) -> Record:
    """Find a card of k lines and price it: two thirds of the time on the loss, one third on the price."""
    lines = pool(game)
    if not 1 <= k <= len(lines):
        raise UserError(f"a {game} card has 1 to {len(lines)} lines, not {k}")
    stacks = stacks_up_to(max_stack)
    choices = 210 if game == "holdem" else 15
    share = 0.65 if table is not None else 1.0
    found = choose(
        game,
        k,
        stacks,
        row=row,
        seconds=seconds * share,
        choices=choices,
        shorter=shorter,
        watch=watch,
    )
    lowest = floors(game, k, stacks)[0][0]
    card, made = found.card, f"search on the loss, {found.tried} trials in the last fit"
    if table is not None and table.dense:
        card, tried = beat_sage(card, table, seconds=seconds * (1 - share))
        made += f"; then {tried} trials priced against a best responder, relative to SAGE's price at each whole stack"
    elif table is not None:
        polished = polish(card, stacks, table, seconds=seconds * (1 - share), watch=watch)
        card = polished.card
        made += f"; then {polished.asked} best responses" + (", until no single change helped" * polished.finished)
    return record(card, table, lowest, made)


def beat_sage(card: ScoreCard, table: ClassTable, *, seconds: float, seed: int = 1) -> tuple[ScoreCard, int]:
    """Go on from a hold'em card, measured by its price relative to SAGE's at every whole stack; card and trials."""
    whole = tuple(float(stack) for stack in range(1, int(card.max_stack) + 1))
    rival = price(sage(), "holdem", whole, table=table)
    both = np.mean([[one.best for one in rival.of(seat)] for seat in SEATS], axis=0)
    # where SAGE costs next to nothing a thousandth of a big blind is as good
    scale = np.maximum(np.stack([both, both]), 1.0)
    exact = partial(ExactTrial, table=table, scale=scale)
    found = fit("holdem", tuple(card.points), whole, row=card.row, seconds=seconds, seed=seed, start=card, make=exact)
    return replace(found.card, max_stack=card.max_stack), found.tried


@cache
def shipped_cards(game: str) -> tuple[Record, ...]:
    """The cards that came with the package, shortest first."""
    content = json.loads(DATA.read_text(encoding="utf-8"))
    if content["version"] != VERSION:
        raise DataError("rules.json is of another version: reinstall headsup")
    return tuple(Record.from_dict(one) for one in content["cards"] if one["card"]["game"] == game)


def write(records: list[Record], path: Path = DATA) -> None:
    """Write the file that ships."""
    content = {
        "version": VERSION,
        "unit": "mbb per game",
        "data": "shipped jam/fold equilibria, blinds 1:2 without an ante; prices from the exact matchup tables",
        "made by": "the steps of headsup distil --seconds, each card started from one with fewer or more lines",
        "cards": [one.as_dict() for one in records],
    }
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
