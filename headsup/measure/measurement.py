"""The record of every measurement, and how it is made from plans of a small game or by a walk of a large one.

`headsup.measure.exploit.measure` picks the way.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headsup.games.holdem.vector import VectorGame
    from headsup.games.trees.sequence import Profile, SequenceForm
    from headsup.games.walk.walk import ArrayWalker, Policy

NOISE = 1e-14  # relative to the largest figure of a measurement; anything smaller is rounding error and counts as 0


@dataclass(frozen=True)
class Measurement:
    """What a pair of strategies is worth, in the game's chips for each game played."""

    game: str
    values: tuple[float, float]  # what each player wins when both follow their strategies
    best: tuple[float, float]  # what a best response of each player wins against the opponent's strategy
    unit: float = 1.0  # chips in a big blind
    general_sum: bool = False  # whether a rake is taken, so that one player's loss is not the opponent's gain
    valued: bool = True  # whether `values` are known; else only their sum is right
    boards: int | None = None  # on the last street, up to suits, where the game was measured flop by flop
    seconds: float | None = field(default=None, compare=False)  # that took

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
        """The average over both seats of what a best response wins beyond what the strategies give it."""
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
        scale = max(1.0, *(abs(known) for known in (*self.values, *self.best)))
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

    def in_mbb(self) -> dict[str, Any]:
        """The figures that every JSON answer has, in mbb/g; the value is null where it is unknown."""
        return {
            "exploitability_mbb": self.mbb,
            "best_response_mbb": self.best_response_mbb,
            "value_mbb": self.value_mbb if self.valued else None,
            "exact": True,
        }

    def summary(self) -> dict[str, Any]:
        """All figures as plain JSON values; those that need the values are null where these are unknown."""
        best = self.best_response_mbb
        by_flops = {
            "reply_sb_mbb": best.get("sb"),
            "reply_bb_mbb": best.get("bb"),
            "boards": self.boards,
            "seconds": self.seconds,
        }
        return {
            "game": self.game,
            **self.in_mbb(),
            "value": self.value if self.valued else None,
            "values": [self._settled(value) for value in self.values] if self.valued else None,
            "exploitability": self.exploitability,
            "epsilon": self.epsilon if self.valued else None,
            "nash_conv": self.nash_conv,
            "mbb": self.mbb,
            "best_replies": [self._settled(value) for value in self.best],
            "gains": list(self.gains) if self.valued else None,
            "general_sum": self.general_sum,
            **({} if self.boards is None else by_flops),
        }


def of_plans(form: SequenceForm, plans: Profile) -> Measurement:
    """The measurement of two realisation plans."""
    value = form.value(plans)
    return Measurement(form.name, (value, -value), form.best_values(plans), form.unit)


def of_arrays(
    game: VectorGame, policy: Policy, threads: int, device: str, held: Policy | None = None, memory: int | None = None
) -> Measurement:
    """The measurement of a policy in arrays, hand by hand, by a walk of its own; arguments are those of `measure`."""
    from headsup.games.walk.plain import walker

    if device == "gpu":
        from headsup.common.backend import gpu

        policy = gpu().asarray(policy[0]), gpu().asarray(policy[1])  # once, and before the walk takes what is free
    reserve = 0 if held is None else max(policy[0].nbytes, policy[1].nbytes)
    return by_walk(walker(game, threads=threads, device=device, memory=memory, reserve=reserve), policy, held)


def by_walk(walk: ArrayWalker, policy: Policy, held: Policy | None = None) -> Measurement:
    """The measurement of a policy by a walker that takes it."""
    return of_figures(walk.game, walk.best_values(policy, held), walk.values(policy))


def of_figures(game: VectorGame, best: tuple[float, float], values: tuple[float, float]) -> Measurement:
    """The measurement of a game of betting and boards, from what best responses and the strategies earn."""
    total = game.betting.total
    if total is not None:  # exactly, to the last bit
        values = values[0], total - values[0]
    return Measurement(game.name, values, best, game.unit, general_sum=total is None)
