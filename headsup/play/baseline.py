"""The simplest agents: what one tries a bot or a referee with."""

from __future__ import annotations

from abc import abstractmethod

from headsup.errors import UserError
from headsup.play.agent import Agent, Mixed, Player, Shares, maker
from headsup.play.table import CALLS, FOLDS, Action, Table, View, raise_to


class Blind(Mixed):
    """An agent that never looks at its cards, and always does the same."""

    blind = True

    def shares(self, view: View) -> Shares:
        """What it does."""
        return [(self.act(view), 1.0)]

    @abstractmethod
    def act(self, view: View) -> Action:
        """What it does."""


class Caller(Blind):
    """Checks and calls; jams where neither is offered."""

    name = "caller"

    def act(self, view: View) -> Action:
        """Check or call."""
        return CALLS if view.legal.call >= 0 else view.legal.bet(view.legal.high)


class Folder(Blind):
    """Folds to every bet, and checks where it is free."""

    name = "folder"

    def act(self, view: View) -> Action:
        """Check or fold."""
        return view.legal.passive


class AllIn(Blind):
    """Bets as much as it may whenever it may, and calls otherwise."""

    name = "allin"

    def act(self, view: View) -> Action:
        """All the chips, or as many as the rules let it."""
        return view.legal.bet(view.legal.high)


class Raiser(Blind):
    """Makes the least bet or raise whenever it may, and calls otherwise."""

    name = "raiser"

    def act(self, view: View) -> Action:
        """The smallest raise."""
        return view.legal.bet(view.legal.low)


class Random(Mixed):
    """Takes fold, check or call, the least and the greatest raise and one between them equally often, as far as they
    are legal; changes no card more often than any other.
    """

    name = "random"
    blind = True

    def shares(self, view: View) -> Shares:
        """The same for every action."""
        legal = view.legal
        found = [Action("d", card) for card in legal.discards]
        if legal.fold:
            found.append(FOLDS)
        if legal.call >= 0:
            found.append(CALLS)
        if legal.low:
            totals = {legal.low, (legal.low + legal.high) // 2, legal.high}
            found.extend(raise_to(total) for total in sorted(totals))
        return [(action, 1.0 / len(found)) for action in found]


for _player in (Caller, Folder, AllIn, Raiser, Random):

    def _make(rest: str, table: Table, kind: type[Player] = _player) -> Agent:
        if rest:
            raise UserError(f"the agent {kind.name} takes nothing after its name: leave out ':{rest}'")
        return kind()

    maker(_player.name)(_make)
