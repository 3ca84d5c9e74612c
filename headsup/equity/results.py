"""What an equity question returns: integer counts over a stated number of deals, and views of them.

The outcome of a deal for the first player is the high half (win, tie, lose) and the low half (none, win, tie, lose).
The 3 x 4 grid of counts is the truth. The first player's share of the pot, in quarters, is

              none  win  tie  lose   <- low
      win       4     4    3     2
      tie       2     3    2     1
      lose      0     2    1     0

Range weights are divided by their greatest common divisor, so counts stay integers; `unit` is the weight of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from headsup.common.errors import UserError

SHARES = ((4, 4, 3, 2), (2, 3, 2, 1), (0, 2, 1, 0))
"""The first player's quarters of the pot by high outcome (win, tie, lose) and low outcome (none, win, tie, lose)."""

WORDS = {"three_quarter": "¾ pot", "half": "½ pot", "quarter": "¼ pot"}  # outcomes whose names in words are others

Grid = tuple[tuple[int, int, int, int], ...]
Z95 = 1.959963984540054  # so many standard errors to either side hold the true value 95 times out of 100
_LOW_OF_OTHER = (0, 3, 2, 1)


@dataclass(frozen=True)
class Interval:
    """A confidence interval for an equity; `level` is how often such an interval holds the true value."""

    low: float
    high: float
    level: float = 0.95

    @property
    def margin(self) -> float:
        return (self.high - self.low) / 2

    def mirrored(self) -> Interval:
        """The opponent's interval."""
        return Interval(1.0 - self.high, 1.0 - self.low, self.level)


@dataclass(frozen=True)
class PlayerEquity:
    """One player's side of a result: the text asked about, the exact share of the pot, and the counts behind it."""

    text: str
    fraction: Fraction
    counts: Mapping[str, int]
    high: Mapping[str, int]
    low: Mapping[str, int] | None

    @property
    def equity(self) -> float:
        return float(self.fraction)

    def as_dict(self) -> dict[str, Any]:
        parts: dict[str, Any] = {"text": self.text, "equity": self.equity, **self.counts}
        if self.low is not None:
            parts |= {"high": dict(self.high), "low": dict(self.low)}
        return parts


@dataclass(frozen=True, repr=False)
class EquityResult:
    """The answer to an equity question: `cells` counts deals by the first player's outcome, the rest is read off it."""

    game: str
    texts: tuple[str, str]
    cells: Grid
    method: str
    exact: bool = True
    unit: Fraction = Fraction(1)
    seed: int | None = None
    samples: int | None = None
    interval: Interval | None = None
    note: str | None = None
    parts: bool = True
    """False where only the five hi-lo outcomes are known: there is then one cell for each, and no high or low part."""

    @property
    def deals(self) -> int:
        return sum(map(sum, self.cells))

    @property
    def grid(self) -> Grid:
        """Deals by high and low outcome; one sentence where a result knows its hi-lo outcomes only."""
        if not self.parts:
            raise UserError(
                f"the high and low parts are not counted by method {self.method}: read the five outcomes in players, "
                "or ask for method factorisation or sweep"
            )
        return self.cells

    @property
    def win(self) -> int:
        return sum(self.grid[0])

    @property
    def tie(self) -> int:
        return sum(self.grid[1])

    @property
    def lose(self) -> int:
        return sum(self.grid[2])

    @property
    def fraction(self) -> Fraction:
        """The first player's share of the pot, exactly."""
        return share_of(self.cells)

    @property
    def equity(self) -> float:
        return float(self.fraction)

    @property
    def players(self) -> tuple[PlayerEquity, PlayerEquity]:
        return self._player(self.texts[0], self.cells), self._player(self.texts[1], mirrored(self.cells))

    def __repr__(self) -> str:
        first, second = (text if len(text) <= 40 else f"{text[:37]}..." for text in self.texts)
        if self.interval is None:
            sure = f"exact over {self.deals:,} deals"
        else:
            sure = f"{self.interval.low:.4%} to {self.interval.high:.4%}, {self.deals:,} samples"
        return f"<EquityResult {first} against {second}: {self.equity:.4%}, {sure}, by {self.method}>"

    def _repr_html_(self) -> str:
        from headsup.common.display import table

        players = self.players
        head = ["", "equity", *(WORDS.get(name, name) for name in players[0].counts)]
        rows = [
            [player.text, f"{player.equity:.4%}", *(f"{count:,}" for count in player.counts.values())]
            for player in players
        ]
        sure = "exact" if self.interval is None else f"{self.interval.low:.4%} to {self.interval.high:.4%} (95 %)"
        return table(self.game, head, rows, f"{sure}: {self.deals:,} deals, by {self.method}")

    def _player(self, text: str, grid: Grid) -> PlayerEquity:
        high = dict(zip(("win", "tie", "lose"), map(sum, grid), strict=True))
        if self.game != "omaha8":
            return PlayerEquity(text, share_of(grid), high, high, None)
        if not self.parts:
            return PlayerEquity(text, share_of(grid), outcomes(grid), {}, None)
        columns = [sum(row[i] for row in grid) for i in range(4)]
        low = dict(zip(("win", "tie", "lose", "none"), (columns[1], columns[2], columns[3], columns[0]), strict=True))
        return PlayerEquity(text, share_of(grid), outcomes(grid), high, low)

    def as_dict(self) -> dict[str, Any]:
        answer: dict[str, Any] = {"game": self.game, "exact": self.exact, "method": self.method, "deals": self.deals}
        if self.unit != 1:
            answer["unit"] = str(self.unit)
        if self.interval is not None:
            answer |= {
                "samples": self.samples,
                "seed": self.seed,
                "interval": [self.interval.low, self.interval.high],
                "level": self.interval.level,
            }
        if not self.parts:
            answer["parts"] = False
        if self.note:
            answer["note"] = self.note
        answer["players"] = [player.as_dict() for player in self.players]
        return answer

    @property
    def how(self) -> str:
        """One sentence: exact or estimated, over how many deals, and by which method."""
        if self.interval is None:
            kind = "" if self.unit == 1 else f" (in units of {self.unit})"
            weighted = "weighted " if kind else ""
            all_deals = f"the one {weighted}deal" if self.deals == 1 else f"all {self.deals:,} {weighted}deals"
            return f"Exact: {all_deals}{kind}, by {self.method}."
        why = f" because {self.note}" if self.note else ""
        return (
            f"Estimated{why}: {self.equity:.4%}, between {self.interval.low:.4%} and {self.interval.high:.4%} "
            f"(95 % confidence), from {self.deals:,} random {'deal' if self.deals == 1 else 'deals'}, "
            f"seed {self.seed}."
        )


def share_of(grid: Sequence[Sequence[int]]) -> Fraction:
    """The first player's exact share of the pot over a grid of counts."""
    quarters = sum(
        share * count
        for shares, row in zip(SHARES, grid, strict=True)
        for share, count in zip(shares, row, strict=True)
    )
    return Fraction(quarters, 4 * sum(map(sum, grid)))


def outcomes(grid: Sequence[Sequence[int]]) -> dict[str, int]:
    """The five hi-lo outcomes of a grid: how often the first player gets 4, 3, 2, 1 or 0 quarters of the pot."""
    by_quarters = [0] * 5
    for shares, row in zip(SHARES, grid, strict=True):
        for share, count in zip(shares, row, strict=True):
            by_quarters[share] += count
    names = ("scoop", "three_quarter", "half", "quarter", "lose")
    return dict(zip(names, reversed(by_quarters), strict=True))


def outcome_grid(scoop: int, three_quarter: int, half: int, quarter: int, lose: int) -> Grid:
    """A grid with these five outcomes, for results whose high and low parts are not known (`parts=False`)."""
    return as_grid([[scoop, 0, three_quarter, 0], [half, 0, 0, quarter], [lose, 0, 0, 0]])


def mirrored(grid: Sequence[Sequence[int]]) -> Grid:
    """The same deals from the opponent's view."""
    return as_grid([[row[column] for column in _LOW_OF_OTHER] for row in reversed(grid)])


def as_grid(rows: Sequence[Sequence[int]]) -> Grid:
    """Rows of counts as a grid of Python ints."""
    if len(rows) != 3 or any(len(row) != 4 for row in rows):
        raise ValueError("a grid has three rows of four counts")
    return tuple((int(row[0]), int(row[1]), int(row[2]), int(row[3])) for row in rows)


def high_grid(win: int, tie: int, lose: int) -> Grid:
    return as_grid([[win, 0, 0, 0], [tie, 0, 0, 0], [lose, 0, 0, 0]])


def high_only(grid: Sequence[Sequence[int]]) -> Grid:
    """A hi-lo grid with its lows forgotten: what the same deals count in Omaha high."""
    win, tie, lose = (sum(map(int, row)) for row in grid)
    return high_grid(win, tie, lose)
