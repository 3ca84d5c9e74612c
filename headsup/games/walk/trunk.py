"""Walks cut below the first street: a trunk in double precision, and everything below it by a compiled walk.

The trunk is small and is walked in NumPy (`headsup.games.walk.plain`). What hangs below it may have billions of
numbers, lie on a GPU and be stored in 16 bits. A game may list only some of the boards of the second street, with
weights (`headsup.games.holdem.packet.board_subset`). Lines after which nobody can bet any more do not depend on that
choice: they are settled by the exact equities of both hands over all boards.
"""

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
    def _pairs(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """For each player [hands, opponent's hands]: whether they can meet, and the player's share of the pot."""
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
        share = meet * (1.0 + lead) / 2.0
        return (meet, share), (np.ascontiguousarray(meet.T), np.ascontiguousarray((meet - share).T))

    def values(self, seat: int, reach: Floats) -> Floats:
        """[lines, hands]: what each hand of a seat earns, given the opponent's reach of these lines."""
        meet, share = self._pairs[seat]
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
        deals, lines = self._deals(0), [line for line, _ in self._runouts.lines]
        reach, values = (self.reach(0, 0), self.reach(0, 1)), self.walk_boards(self.seat, self.mode, rule)
        if lines:
            rows = self.rounds.at[1 - self.seat, deals[lines]]
            values[lines] = self._runouts.values(self.seat, reach[1 - self.seat][rows])
        return values

    def walk_boards(self, seat: int, mode: int, rule: Rule) -> Floats:
        """[deals, hands] by the walk below alone: lines after which nobody can bet are not settled over all boards."""
        assert self._hangs is not None
        policy, stores, whole = self._hangs
        deals, reach = len(self._deals(0)), (self.reach(0, 0), self.reach(0, 1))
        if len(self._runouts.lines) == deals:
            return np.zeros((deals, self.sizes[seat]))
        values: Floats = self.lower.below_root(seat, mode, reach, policy, stores, rule._replace(whole=whole))
        return values

    def enter(self, seat: int, mode: int, policy: Policy) -> None:
        """Open the trunk for a seat: both players' reach by the policy."""
        self.seat, self.mode, self._policy, self._rule = seat, mode, policy, NO_RULE
        self.open(0, 0)
