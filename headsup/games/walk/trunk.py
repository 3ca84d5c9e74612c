"""Walks cut below the first street: a trunk in double precision, and everything below it by a compiled walk.

The trunk is small and is walked in NumPy (`headsup.games.walk.plain`). What hangs below it may have billions of
numbers, lie on a GPU and be stored in 16 bits. A game may list only some of the boards of the second street, with
weights (`headsup.games.holdem.packet.board_subset`). Lines after which nobody can bet any more do not depend on that
choice: they are settled by the exact equities of both hands over all boards.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol

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

Pairs = tuple[tuple[Floats, Floats], tuple[Floats, Floats]]
"""For each player [hands, opponent's hands]: how much two hands meet, and the player's share of the pot then."""


class LinePayments(Protocol):
    """What lines of the first street pay, or pay on top of the boards below them."""

    lines: list[tuple[int, int]]

    def values(self, seat: int, reach: Floats) -> Floats:
        """[lines, hands]: what each hand of a seat earns, given the opponent's reach of these lines."""


class CheckedDown:
    """Lines of the first street, valued by what pairs of hands earn if nobody bets any more."""

    def __init__(self, game: VectorGame, lines: list[tuple[int, int]], pairs: Pairs | None = None) -> None:
        """`lines` are numbers of lines and the showdowns where they end; `pairs` are those of all boards by default."""
        self.game, self.lines = game, lines
        if pairs is not None:
            self.pairs = pairs

    @cached_property
    def pairs(self) -> Pairs:
        """Over all boards of the game."""
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
        return both_sides(meet, meet * (1.0 + lead) / 2.0)

    def values(self, seat: int, reach: Floats) -> Floats:
        """[lines, hands]: what each hand of a seat earns, given the opponent's reach of these lines."""
        meet, share = self.pairs[seat]
        ends = [end for _, end in self.lines]
        lose, win = (
            pay[ends, seat][:, None] / self.game.mass for pay in (self.game.betting.lose, self.game.betting.win)
        )
        return np.asarray(lose * (reach @ meet.T) + (win - lose) * (reach @ share.T))


def both_sides(meet: Floats, share: Floats) -> Pairs:
    """Pairs as both players see them."""
    return (meet, share), (np.ascontiguousarray(meet.T), np.ascontiguousarray((meet - share).T))


def run_outs(game: VectorGame) -> CheckedDown:
    """The lines of the first street after which nobody can bet any more, valued over all boards."""
    return CheckedDown(game, _ended(game, lambda node: False))


def open_lines(game: VectorGame) -> list[tuple[int, int]]:
    """The other lines that see the second street, with the showdowns where they end if everybody checks."""
    closed = {line for line, _ in _ended(game, lambda node: False)}
    return [(line, end) for line, end in _ended(game, lambda node: True) if line not in closed]


def _ended(game: VectorGame, checks: Callable[[int], bool]) -> list[tuple[int, int]]:
    """Lines of the first street with the showdowns to which they lead, past decisions at which a player `checks`."""
    betting, rounds, lines = game.betting, game.rounds, []
    for line, node in enumerate(rounds.deal[: int(rounds.deals[1])].tolist()):
        while betting.player[node] == DEAL or (betting.player[node] < DEAL and checks(node)):
            node = int(betting.child[node])
        if betting.player[node] == SHOWDOWN:
            lines.append((line, node))
    return lines


class TrunkWalker(PlainWalker):
    """Walks the first street itself; another walker, with its own policy and stores, walks the boards below it."""

    def __init__(self, game: VectorGame, lower: Any, added: Sequence[LinePayments] = ()) -> None:
        """`added` is paid on top of what the boards below pay."""
        super().__init__(game)
        self.lower, self._runouts, self._added = lower, run_outs(game), tuple(added)
        self._hangs: tuple[Policy, tuple[Store, Store], bool, bool] | None = None

    def hang(self, policy: Policy, stores: tuple[Store, Store], whole: bool, averages: bool = True) -> None:
        """What walks below the trunk read and update; `whole`: stores are int16; `averages`: they are kept there."""
        self._hangs = policy, stores, whole, averages

    def below(self, s: int, b: int) -> None:
        """The values of the deals of the first street."""
        self.workspace.value[self._deals(0), : self.sizes[self.seat]] = self.dealt_values(self._rule)

    def dealt_values(self, rule: Rule) -> Floats:
        """[deals, hands] for the seat and mode of the walk; both players' reach was found by `open`."""
        values, reach = self.walk_boards(self.seat, self.mode, rule), self.reach(0, 1 - self.seat)
        values[[line for line, _ in self._runouts.lines]] = 0.0
        for known in (self._runouts, *self._added):
            if known.lines:
                lines = [line for line, _ in known.lines]
                rows = self.rounds.at[1 - self.seat, self._deals(0)[lines]]
                values[lines] += known.values(self.seat, reach[rows])
        return values

    def walk_boards(self, seat: int, mode: int, rule: Rule) -> Floats:
        """[deals, hands] by the walk below alone: lines after which nobody can bet are not settled over all boards."""
        assert self._hangs is not None
        policy, stores, whole, averages = self._hangs
        deals, reach = len(self._deals(0)), (self.reach(0, 0), self.reach(0, 1))
        if len(self._runouts.lines) == deals:
            return np.zeros((deals, self.sizes[seat]))
        rule = rule._replace(whole=whole, weight=rule.weight if averages else 0.0)
        values: Floats = self.lower.below_root(seat, mode, reach, policy, stores, rule)
        return values

    def enter(self, seat: int, mode: int, policy: Policy) -> None:
        """Open the trunk for a seat: both players' reach by the policy."""
        self.seat, self.mode, self._policy, self._rule = seat, mode, policy, NO_RULE
        self.open(0, 0)
