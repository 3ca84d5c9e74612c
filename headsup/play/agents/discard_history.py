"""What was done in a hand so far, street by street, in chips of the contest (big blind 2)."""

from __future__ import annotations

from typing import NamedTuple

from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL
from headsup.play.table.rules import PlayerView, Table, apply


class Turn(NamedTuple):
    """One betting action, and what both had bet on the street before it."""

    seat: int
    kind: str
    """f, c or r."""
    bets: tuple[float, float]
    """By seat."""
    total: float
    """What the player has bet on the street after it."""


class StreetBetting(NamedTuple):
    """The betting of a street."""

    pot: float
    """When it began; before the flop blinds are bets and not in it."""
    stack: float
    """What the one with fewer chips had then."""
    turns: tuple[Turn, ...]
    swaps: tuple[bool, bool] = (False, False)
    """Who changed a card before it, as far as that is known."""

    @property
    def bets(self) -> tuple[float, float]:
        """What both have bet on it by now."""
        if not self.turns:
            return 0.0, 0.0
        last = self.turns[-1]
        return (last.total, last.bets[1]) if last.seat == 0 else (last.bets[0], last.total)

    @property
    def matched(self) -> float:
        """What both have bet."""
        return min(self.bets)

    @property
    def led(self) -> bool:
        """Whether the big blind bet before the button did."""
        return next((turn.seat == 1 for turn in self.turns if turn.kind == "r"), False)


def follow(view: PlayerView) -> list[StreetBetting]:
    """The streets of a hand up to now, the present one last; a street may have had no betting."""
    real, state = view.table.betting, view.table.root
    scale = 2.0 / view.table.unit
    turns: list[list[Turn]] = [[] for _ in range(view.state.street + 1)]
    swaps = [[False, False] for _ in turns]
    starts = [state.start] * len(turns)
    asked = [0] * len(turns)
    for step in view.steps:
        at = step.street - view.table.first_street
        asked[at] += 1
        if at in view.table.draws and asked[at] <= 2:  # both say first whether they change a card
            swaps[at][step.seat] = step.action.kind == "d"
            continue
        while state.player == DEAL and state.street < at:
            state = real.next_street(state)
            starts[state.street] = state.start
        bets = (scale * (state.paid[0] - state.start[0]), scale * (state.paid[1] - state.start[1]))
        after = apply(real, state, step.action)
        total = scale * (after.paid[step.seat] - state.start[step.seat])
        turns[at].append(Turn(step.seat, step.action.kind, bets, total))
        state = after
    matched = min(state.paid)
    for at in range(state.street + 1, len(turns)):  # nobody has bet there yet, or nobody can
        starts[at] = matched, matched
    stacks = min(real.stacks)
    return [
        StreetBetting(
            scale * (real.pot + sum(start)), scale * (stacks - max(start)), tuple(done), (swapped[0], swapped[1])
        )
        for start, done, swapped in zip(starts, turns, swaps, strict=True)
    ]


def check_discard(name: str, table: Table) -> None:
    """A sentence if the table is not that of the contest's game."""
    if table.name != "holdem-discard" or table.betting.pot:
        raise UserError(f"{name} plays hold'em with discards, not {table.name}: add --game holdem-discard")
