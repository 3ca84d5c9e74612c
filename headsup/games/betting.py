"""Betting rounds as a small machine over public states, for limit and no-limit games alike.

A `Betting` holds the rules: what each player has put in before the first action, whose turn it is first in each
round, the raises a round allows and the amounts to which one may raise. A `Spot` is where the betting stands. A call
or a second check closes the round, except that a blind who is only called may still raise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Spot(NamedTuple):
    """Where the betting stands in one round."""

    round: int
    paid: tuple[float, float]  # chips each player has put in so far, over all rounds
    player: int
    raises: int  # bets and raises in this round
    acted: int  # actions in this round
    open: bool = True  # whether this round still asks someone to act
    folded: int = -1  # who gave up, if anyone


RaiseTo = Callable[[Spot], Sequence[tuple[str, float]]]  # (letter or amount, total paid after it)


@dataclass(frozen=True)
class Betting:
    """The rules of betting."""

    blinds: tuple[float, float]
    first: tuple[int, ...]  # the player who opens each round
    raises: tuple[int, ...]  # how many bets and raises a round allows
    raise_to: RaiseTo
    stack: float = float("inf")
    limp: bool = True  # whether the opener may just call a blind

    def root(self) -> Spot:
        """The spot before the first action."""
        return Spot(0, self.blinds, self.first[0], 0, 0)

    def moves(self, spot: Spot) -> list[tuple[str, Spot]]:
        """What the player to act may do: the names, and the spots they lead to."""
        me, you = spot.paid[spot.player], spot.paid[1 - spot.player]
        out: list[tuple[str, Spot]] = []
        if you > me:
            out.append(("f", spot._replace(open=False, folded=spot.player)))
            if self.limp or spot.acted:
                out.append(("c", self._paid(spot, you, closes=spot.acted > 0)))
        else:
            out.append(("c", self._paid(spot, me, closes=spot.acted > 0)))
        if spot.raises < self.raises[spot.round] and you < self.stack:
            for name, total in self.raise_to(spot):
                out.append((name, self._paid(spot, total, closes=False)._replace(raises=spot.raises + 1)))
        return out

    def next_round(self, spot: Spot) -> Spot:
        """The first spot of the next round."""
        return Spot(spot.round + 1, spot.paid, self.first[spot.round + 1], 0, 0)

    def finished(self, spot: Spot) -> bool:
        """Whether a closed spot was the last one: no round left, or nobody has chips left to bet."""
        return spot.round + 1 == len(self.first)

    def all_in(self, spot: Spot) -> bool:
        """Whether neither player can bet any more."""
        return min(spot.paid) >= self.stack

    def _paid(self, spot: Spot, total: float, closes: bool) -> Spot:
        paid = (total, spot.paid[1]) if spot.player == 0 else (spot.paid[0], total)
        closes = closes or (min(paid) >= self.stack)
        return spot._replace(paid=paid, player=1 - spot.player, acted=spot.acted + 1, open=not closes)


def fixed(sizes: Sequence[float]) -> RaiseTo:
    """Limit betting: one size a round."""

    def raise_to(spot: Spot) -> Sequence[tuple[str, float]]:
        return [("r", max(spot.paid) + sizes[spot.round])]

    return raise_to


def whole(stack: int) -> RaiseTo:
    """No-limit betting in whole chips: any total above the opponent's up to the stack."""

    def raise_to(spot: Spot) -> Sequence[tuple[str, float]]:
        return [(f"r{total}", float(total)) for total in range(int(max(spot.paid)) + 1, stack + 1)]

    return raise_to


def pot_fractions(fractions: Sequence[float], stack: float) -> RaiseTo:
    """No-limit betting from a menu: fractions of the pot after calling, and all-in."""

    def raise_to(spot: Spot) -> Sequence[tuple[str, float]]:
        top = max(spot.paid)
        totals = {top + fraction * 2 * top: f"r{fraction:g}" for fraction in fractions}
        menu = [(name, total) for total, name in sorted(totals.items()) if total < stack]
        return [*menu, ("a", stack)]

    return raise_to


def jam(total: float) -> RaiseTo:
    """Jam or fold: one raise, to this total."""

    def raise_to(spot: Spot) -> Sequence[tuple[str, float]]:
        return [("r", total)]

    return raise_to
