"""What measuring a pair of strategies comes to; `headsup.measure.exploit` says how it is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

NOISE = 1e-14
"""Of the largest figure of a measurement: what is smaller comes of rounding and is 0."""


@dataclass(frozen=True)
class Measurement:
    """What a pair of strategies is worth, in the game's chips for each game played."""

    game: str
    values: tuple[float, float]  # what each player wins when both follow their strategies
    best: tuple[float, float]  # what a best reply of player 0 wins against player 1's strategy, and the other way round
    unit: float = 1.0  # chips in a big blind
    general_sum: bool = False  # whether a rake is taken, so that what one loses the other need not win

    @property
    def value(self) -> float:
        """What player 0 wins when both follow their strategies."""
        return self._settled(self.values[0])

    @property
    def gains(self) -> tuple[float, float]:
        """What each player could gain by changing strategy alone (epsilon_i)."""
        first, second = (self._settled(best - value) for best, value in zip(self.best, self.values, strict=True))
        return first, second

    @property
    def exploitability(self) -> float:
        """The average over both seats of what a best reply wins beyond what the strategies give it."""
        return self.nash_conv / 2.0

    @property
    def nash_conv(self) -> float:
        """The sum over both seats: twice the exploitability; never negative."""
        return max(0.0, self._settled(self.best[0] + self.best[1] - (self.values[0] + self.values[1])))

    @property
    def epsilon(self) -> float:
        """The larger of the two gains; at most twice the exploitability."""
        return max(0.0, *self.gains)

    def _settled(self, figure: float) -> float:
        """A figure, 0 where it is noise."""
        scale = max(1.0, *(abs(one) for one in (*self.values, *self.best)))
        return 0.0 if abs(figure) <= NOISE * scale else figure

    @property
    def mbb(self) -> float:
        """The exploitability in thousandths of a big blind for each game (mbb/g)."""
        return 1000.0 * self.exploitability / self.unit

    @property
    def value_mbb(self) -> float:
        """What player 0 wins when both follow their strategies, in mbb/g; in hold'em that is the dealer."""
        return 1000.0 * self.value / self.unit

    @property
    def best_response_mbb(self) -> dict[str, float]:
        """What a best response wins in each seat, in mbb/g: oop and ip in a spot, sb and bb elsewhere."""
        from headsup.games.holdem.spot import is_spot  # here, because jam or fold measures without it

        seats = ("oop", "ip") if is_spot(self.game) else ("sb", "bb")
        return {seat: 1000.0 * self._settled(best) / self.unit for seat, best in zip(seats, self.best, strict=True)}

    def figures(self, valued: bool = True) -> dict[str, Any]:
        """What every way of measuring says, as plain JSON values; the value is null where it is not known."""
        return {
            "game": self.game,
            "exploitability_mbb": self.mbb,
            "best_response_mbb": self.best_response_mbb,
            "value_mbb": self.value_mbb if valued else None,
            "exact": True,
        }

    def summary(self) -> dict[str, Any]:
        """All figures as plain JSON values."""
        return {
            **self.figures(),
            "value": self.value,
            "values": [self._settled(value) for value in self.values],
            "exploitability": self.exploitability,
            "epsilon": self.epsilon,
            "nash_conv": self.nash_conv,
            "mbb": self.mbb,
            "best_replies": [self._settled(value) for value in self.best],
            "gains": list(self.gains),
            "general_sum": self.general_sum,
        }
