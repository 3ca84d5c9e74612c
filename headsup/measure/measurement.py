"""What measuring a pair of strategies comes to; `headsup.measure.exploit` says how it is found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
        return self.values[0]

    @property
    def gains(self) -> tuple[float, float]:
        """What each player could gain by changing strategy alone (epsilon_i)."""
        return self.best[0] - self.values[0], self.best[1] - self.values[1]

    @property
    def exploitability(self) -> float:
        """The average over both seats of what a best reply wins beyond what the strategies give it."""
        return self.nash_conv / 2.0

    @property
    def nash_conv(self) -> float:
        """The sum over both seats: twice the exploitability."""
        return self.best[0] + self.best[1] - (self.values[0] + self.values[1])

    @property
    def epsilon(self) -> float:
        """The larger of the two gains; at most twice the exploitability."""
        return max(self.gains)

    @property
    def mbb(self) -> float:
        """The exploitability in thousandths of a big blind for each game (mbb/g)."""
        return 1000.0 * self.exploitability / self.unit

    @property
    def value_mbb(self) -> float:
        """What player 0 wins when both follow their strategies, in mbb/g; in hold'em that is the dealer."""
        return 1000.0 * self.value / self.unit

    def summary(self) -> dict[str, Any]:
        """The figures as plain JSON values."""
        return {
            "game": self.game,
            "value": self.value,
            "values": list(self.values),
            "exploitability": self.exploitability,
            "epsilon": self.epsilon,
            "nash_conv": self.nash_conv,
            "mbb": self.mbb,
            "value_mbb": self.value_mbb,
            "best_replies": list(self.best),
            "gains": list(self.gains),
            "general_sum": self.general_sum,
        }
