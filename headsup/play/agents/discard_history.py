"""What players of hold'em with discards share: their swaps, and the history of a hand, street by street, in chips of
the contest (big blind 2).
"""

from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.discards.swap import swap_rule
from headsup.games.betting.rules import DEAL
from headsup.play.table.agent import Mixed
from headsup.play.table.real import free_of
from headsup.play.table.rules import CALLS, Action, PlayerView, Table, apply


def swapped_by_rule(view: PlayerView) -> Action:
    """What the rule of the ectomynx report does with a player's cards."""
    which = swap_rule(view.hole, view.board)
    return Action("d", view.hole[which - 1]) if which else CALLS


class SwapPlayer(Mixed):
    """A player of hold'em with discards who reports its swaps."""

    ranged = True

    def hand_probabilities(self, view: PlayerView, action: Action) -> Floats:
        """For a swap, the probability of any discard."""
        if view.legal.discards:
            keeps = self.swap_probabilities(view)[:, 0]
            return np.where(free_of(view.board), keeps if action.kind == "c" else 1.0 - keeps, 0.0)
        return super().hand_probabilities(view, action)

    @abstractmethod
    def swap_probabilities(self, view: PlayerView) -> Floats:
        """[1326, 3] probabilities to keep both cards, to change the lower one and the higher one."""


class Turn(NamedTuple):
    """A betting action and both bets before it."""

    seat: int
    kind: str
    bets: tuple[float, float]
    total: float  # the player's bet on the street after it


class StreetBetting(NamedTuple):
    pot: float  # at the start of the street, without blinds
    stack: float  # the shorter stack then
    turns: tuple[Turn, ...]
    swaps: tuple[bool, bool] = (False, False)  # who changed a card before the betting

    @property
    def bets(self) -> tuple[float, float]:
        if not self.turns:
            return 0.0, 0.0
        last = self.turns[-1]
        return (last.total, last.bets[1]) if last.seat == 0 else (last.bets[0], last.total)

    @property
    def matched(self) -> float:
        return min(self.bets)

    @property
    def led(self) -> bool:
        """Whether the big blind bet before the button."""
        return next((turn.seat == 1 for turn in self.turns if turn.kind == "r"), False)


def follow(view: PlayerView) -> list[StreetBetting]:
    """The streets of a hand so far, the current one last; a street may have no betting."""
    real, state = view.table.betting, view.table.root
    scale = 2.0 / view.table.unit
    turns: list[list[Turn]] = [[] for _ in range(view.state.street + 1)]
    swaps = [[False, False] for _ in turns]
    starts = [state.start] * len(turns)
    asked = [0] * len(turns)
    for step in view.steps:
        at = step.street - view.table.first_street
        asked[at] += 1
        if at in view.table.draws and asked[at] <= 2:  # swaps come before the betting
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
    for at in range(state.street + 1, len(turns)):  # no betting there yet
        starts[at] = matched, matched
    stacks = min(real.stacks)
    return [
        StreetBetting(
            scale * (real.pot + sum(start)), scale * (stacks - max(start)), tuple(done), (swapped[0], swapped[1])
        )
        for start, done, swapped in zip(starts, turns, swaps, strict=True)
    ]


def check_discard(name: str, table: Table) -> None:
    """Raise if the table is not hold'em with discards."""
    if table.name != "holdem-discard" or table.betting.pot:
        raise UserError(f"{name} plays hold'em with discards, not {table.name}: add --game holdem-discard")
