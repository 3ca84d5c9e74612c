"""The simplest agents: what one tries a bot or a referee with."""

from __future__ import annotations

from abc import abstractmethod

from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, Player, maker, nothing_after
from headsup.play.table.rules import CALLS, FOLDS, Action, PlayerView, Table, raise_to


class FixedAction(Mixed):
    """An agent that never looks at its cards, and always does the same."""

    blind = True

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """What it does."""
        return [(self.act(view), 1.0)]

    @abstractmethod
    def act(self, view: PlayerView) -> Action:
        """What it does."""


class Caller(FixedAction):
    """Checks and calls; jams where neither is offered."""

    name = "caller"

    def act(self, view: PlayerView) -> Action:
        """Check or call."""
        return CALLS if view.legal.call >= 0 else view.legal.bet(view.legal.high)


class Folder(FixedAction):
    """Folds to every bet, and checks where it is free."""

    name = "folder"

    def act(self, view: PlayerView) -> Action:
        """Check or fold."""
        return view.legal.passive


class AllIn(FixedAction):
    """Bets as much as it may whenever it may, and calls otherwise."""

    name = "allin"

    def act(self, view: PlayerView) -> Action:
        """All the chips, or as many as the rules let it."""
        return view.legal.bet(view.legal.high)


class Raiser(FixedAction):
    """Makes the least bet or raise whenever it may, and calls otherwise."""

    name = "raiser"

    def act(self, view: PlayerView) -> Action:
        """The smallest raise."""
        return view.legal.bet(view.legal.low)


class Random(Mixed):
    """Takes fold, check or call, the least and the greatest raise and one between them equally often, as far as they
    are legal; changes no card more often than any other.
    """

    name = "random"
    blind = True

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
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


class FixedMixture(Mixed):
    """The same shares of fold, check or call, and the least raise with every hand; an illegal action's share is check
    or call's, as in `headsup.games.holdem.vector.Mixture`. In jam or fold, where there is no call, it is the jam's.
    """

    blind = True

    def __init__(self, name: str, fold: float, bet: float) -> None:
        self.name, self.fold, self.bet = name, fold, bet

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """The three, as far as they are legal."""
        legal = view.legal
        found = {FOLDS: self.fold if legal.fold else 0.0}
        if legal.low:
            found[raise_to(legal.low)] = self.bet
        rest = CALLS if legal.call >= 0 else legal.bet(legal.low)
        found[rest] = found.get(rest, 0.0) + 1.0 - sum(found.values())
        return [(action, share) for action, share in found.items() if share > 0.0]


@maker("mix")
def make_mixture(rest: str, table: Table) -> Agent:
    """Shares of fold, call and raise: `mix:0.1,0.5,0.4`."""
    try:
        fold, call, bet = (parse_float(word) for word in rest.split(","))
    except ValueError:
        fold = call = bet = -1.0
    if not min(fold, call, bet) >= 0.0 or not abs(fold + call + bet - 1.0) <= 1e-9:
        raise UserError(
            f"'mix:{rest}' has no three shares that add up to 1: write fold, call, raise as mix:0.1,0.5,0.4"
        )
    return FixedMixture(f"mix:{rest}", fold, bet)


for _player in (Caller, Folder, AllIn, Raiser, Random):

    def _make(rest: str, table: Table, kind: type[Player] = _player) -> Agent:
        nothing_after(kind.name, rest)
        return kind()

    maker(_player.name)(_make)
