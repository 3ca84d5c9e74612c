"""Walks cut below the first street: a trunk in double precision, and everything below it by a compiled walk.

The trunk is small and is walked in NumPy (`headsup.games.walk.plain`). What hangs below it may have billions of
numbers, lie on a GPU and be stored in 16 bits. A game may list only some of the boards of the second street, with
weights (`headsup.games.holdem.packet.board_subset`). Lines after which nobody can bet any more do not depend on that
choice: they are settled by the exact equities of both hands over all boards.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from headsup.cards.combos import combo_masks
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.games.betting.rules import DEAL, SHOWDOWN
from headsup.games.holdem.layout import Rule, Store
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.plain import PlainWalker
from headsup.games.walk.walk import NO_RULE, Policy


class RunOuts:
    """The lines of the first street after which nobody can bet any more, valued over all boards."""

    def __init__(self, game: VectorGame) -> None:
        self.game, betting, rounds = game, game.betting, game.rounds
        self.lines: list[tuple[int, int]] = []  # the number of the line, and the showdown where it ends
        for line, node in enumerate(rounds.deal[: int(rounds.deals[1])].tolist()):
            while betting.player[node] == DEAL:
                node = int(betting.child[node])
            if betting.player[node] == SHOWDOWN:
                self.lines.append((line, node))

    @cached_property
    def _pairs(self) -> tuple[Floats, Floats]:
        """[hands, hands] of the first and the second player: whether they can meet, and the first one's pot share."""
        showdown = self.game.showdown
        if not isinstance(showdown, Sorted):
            raise UserError(f"{self.game} is not hold'em: only hold'em is cut below its first street")
        mine, theirs = (combo_masks(2)[hands] for hands in showdown.hands)
        meet = ((mine[:, None] & theirs) == 0).astype(np.float64)
        if showdown.boards.ranks * showdown.boards.suits == 52 and len(self.game.boards.streets) == 4:
            from headsup.equity.holdem.table import BOARDS, combo_table

            table = combo_table()
            lead = (table.wins - table.losses)[np.ix_(*showdown.hands)] / BOARDS
        else:
            leads, boards = showdown.leads(0, 0)
            lead = leads / boards
        return meet, meet * (1.0 + lead) / 2.0

    def values(self, seat: int, reach: Floats) -> Floats:
        """[lines, hands]: what each hand of a seat earns, given the opponent's reach of these lines."""
        meet, share = self._pairs
        if seat == 1:
            meet, share = meet.T, (meet - share).T
        ends = [end for _, end in self.lines]
        lose, win = (
            pay[ends, seat][:, None] / self.game.mass for pay in (self.game.betting.lose, self.game.betting.win)
        )
        return np.asarray(lose * (reach @ meet.T) + (win - lose) * (reach @ share.T))


class TrunkWalker(PlainWalker):
    """Walks the first street itself; another walker, with its own policy and stores, walks the boards below it."""

    def __init__(self, game: VectorGame, lower: Any) -> None:
        super().__init__(game)
        self.lower, self._runouts = lower, RunOuts(game)
        self._hangs: tuple[Policy, tuple[Store, Store], bool] | None = None

    def hang(self, policy: Policy, stores: tuple[Store, Store], whole: bool) -> None:
        """What walks below the trunk read and update; `whole`: stores are int16."""
        self._hangs = policy, stores, whole

    def below(self, s: int, b: int) -> None:
        """The values of the deals of the first street."""
        self.workspace.value[self._deals(0), : self.sizes[self.seat]] = self.dealt_values(self._rule)

    def dealt_values(self, rule: Rule) -> Floats:
        """[deals, hands] for the seat and mode of the walk; both players' reach was found by `open`."""
        assert self._hangs is not None
        policy, stores, whole = self._hangs
        reach = self.reach(0, 0), self.reach(0, 1)
        deals, lines = self._deals(0), [line for line, _ in self._runouts.lines]
        if len(lines) < len(deals):
            how = rule._replace(whole=whole)
            values: Floats = self.lower.below_root(self.seat, self.mode, reach, policy, stores, how)
        else:
            values = np.zeros((len(deals), self.sizes[self.seat]))
        if lines:
            rows = self.rounds.at[1 - self.seat, deals[lines]]
            values[lines] = self._runouts.values(self.seat, reach[1 - self.seat][rows])
        return values

    def enter(self, seat: int, mode: int, policy: Policy) -> None:
        """Open the trunk for a seat: both players' reach by the policy."""
        self.seat, self.mode, self._policy, self._rule = seat, mode, policy, NO_RULE
        self.open(0, 0)
