"""The record of a card with its prices and bounds, and files of records.

Losses are against the equilibrium, prices against a best responder, over the stacks from 1 to the card's largest, by
eighths.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.contents import mapping, number, text
from headsup.common.errors import DataError
from headsup.common.files import parsed, read_json, write_json
from headsup.distil.scorecards.scorecard import ScoreCard

VERSION = 2
DIGITS = 6  # of a value in the file; of two cards that are equal to so many digits the known one is kept
MADE_BY = "headsup distil --game GAME --all"
RIVALS = {"holdem": "SAGE", "omaha8": "ORACLE"}


def adds_seats(game: str) -> bool:
    """Whether the losses of both seats are added up before the comparison with the rival."""
    return game == "holdem"


def rivals_price(game: str) -> str:
    """The unit of a share, in words."""
    return f"{RIVALS[game]}'s " + (
        "exploitability at the same stack" if adds_seats(game) else "worst price in the same seat"
    )


@dataclass(frozen=True)
class CardRecord:
    """One card of the frontier; losses and prices in mbb per game, (small blind, big blind)."""

    card: ScoreCard
    worst_loss: tuple[float, float]
    mean_loss: tuple[float, float]
    worst_price: tuple[float, float] | None  # against a best responder; None without the matchup table
    mean_price: tuple[float, float] | None
    share: float  # the worst cost relative to the rival (see `objective`); by the price, or the loss if it has none
    floor: float  # no card of so many lines from the pool has a lower share
    value: float  # what the search minimises: the aim, by prices if known, plus the burden of remembering the card
    made: str
    proved: float | None = None  # no card with these lines has a lower share (see `bounds`)
    program: dict[str, Any] | None = None
    """The bounds of an integer program for cards with these lines (`program.proof`)."""

    @property
    def lines(self) -> int:
        return len(self.card.points)

    @property
    def length(self) -> str:
        return f"{self.lines} line{'s' * (self.lines != 1)}"

    def as_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"lines": self.lines, "numbers": self.card.numbers, "card": self.card.as_dict()}
        for name in ("worst_loss", "mean_loss", "worst_price", "mean_price"):
            pair = getattr(self, name)
            fields[name] = None if pair is None else {"sb": round(pair[0], 4), "bb": round(pair[1], 4)}
        fields |= {"share": round(self.share, 4), "floor": round(self.floor, 4), "value": round(self.value, DIGITS)}
        # rounded down, and the same when it is read and written again
        lowest = None if self.proved is None else math.floor(1e4 * self.proved + 1e-6) / 1e4
        return fields | {"made": self.made, "proved": lowest, "program": self.program}

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> CardRecord:
        def pair(name: str) -> tuple[float, float] | None:
            return None if given[name] is None else (number(given[name]["sb"], name), number(given[name]["bb"], name))

        worst, mean = pair("worst_loss"), pair("mean_loss")
        if worst is None or mean is None:
            raise DataError("a record of the frontier has no losses")
        paid, card = (pair("worst_price"), pair("mean_price")), ScoreCard.from_dict(given["card"])
        share, floor, value = (number(given[name], name) for name in ("share", "floor", "value"))
        proved = None if given["proved"] is None else number(given["proved"], "proved")
        program = None if given["program"] is None else mapping(given["program"], "program")
        return cls(card, worst, mean, *paid, share, floor, value, text(given["made"], "made"), proved, program)


def every_stack(max_stack: float) -> tuple[float, ...]:
    """The stacks at which a card is priced: 1 to its largest, by eighths."""
    return tuple(float(stack) for stack in np.arange(8, int(8 * max_stack) + 1) / 8)


def read(path: Path) -> list[CardRecord]:
    return records_in(path, read_json(path))


def records_in(path: Path, content: Any) -> list[CardRecord]:
    def read() -> list[CardRecord]:
        if content["version"] != VERSION:
            raise DataError(f"{path} is of another version: reinstall headsup, or make the cards again")
        return [CardRecord.from_dict(given) for given in content["cards"]]

    return parsed(path, read, "a file of rule cards")


def _made_by(path: Path) -> str:
    try:
        return parsed(path, lambda: str(read_json(path)["made by"]))
    except DataError:
        return MADE_BY


def write(records: Iterable[CardRecord], path: Path) -> None:
    """Write a file of cards in one step; the text on how an earlier file was made is kept."""
    ordered = sorted(records, key=lambda record: (record.card.game, not record.card.row, record.lines))
    content = {
        "version": VERSION,
        "unit": "mbb per game; shares and floors of the rival's worst price (ORACLE, SAGE)",
        "data": "shipped jam/fold equilibria, blinds 1:2 without an ante; prices from the exact matchup tables",
        "made by": _made_by(path),
        "cards": [record.as_dict() for record in ordered],
    }
    write_json(path, content)
