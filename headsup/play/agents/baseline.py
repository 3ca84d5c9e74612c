"""The simplest agents, to test a bot or a referee with."""

from __future__ import annotations

from abc import abstractmethod

from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, Player, maker, nothing_after
from headsup.play.table.rules import CALLS, FOLDS, Action, PlayerView, Table, raise_to


class FixedAction(Mixed):
    """An agent that ignores its cards and plays deterministically."""

    blind = True

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        return [(self.act(view), 1.0)]

    @abstractmethod
    def act(self, view: PlayerView) -> Action: ...


class Caller(FixedAction):
    """Checks and calls; jams where neither is offered."""

    name = "caller"

    def act(self, view: PlayerView) -> Action:
        return CALLS if view.legal.call >= 0 else view.legal.bet(view.legal.high)


class Folder(FixedAction):
    """Checks if free, else folds."""

    name = "folder"

    def act(self, view: PlayerView) -> Action:
        return view.legal.passive


class AllIn(FixedAction):
    """Bets the maximum, else calls."""

    name = "allin"

    def act(self, view: PlayerView) -> Action:
        return view.legal.bet(view.legal.high)


class Raiser(FixedAction):
    """Makes the minimum bet or raise, else calls."""

    name = "raiser"

    def act(self, view: PlayerView) -> Action:
        return view.legal.bet(view.legal.low)


class Random(Mixed):
    """Picks uniformly among fold, check or call, and the minimum, middle and maximum raise; discards likewise."""

    name = "random"
    blind = True

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        legal = view.legal
        actions = [Action("d", card) for card in legal.discards]
        if legal.fold:
            actions.append(FOLDS)
        if legal.call >= 0:
            actions.append(CALLS)
        if legal.low:
            totals = {legal.low, (legal.low + legal.high) // 2, legal.high}
            actions.extend(raise_to(total) for total in sorted(totals))
        return [(action, 1.0 / len(actions)) for action in actions]


class FixedMixture(Mixed):
    """Fixed probabilities of fold, check or call, and the minimum raise with every hand.

    Illegal actions count as check or call, as in `headsup.games.holdem.vector.Mixture`; in jam/fold, where there is no
    call, as a jam.
    """

    blind = True

    def __init__(self, name: str, fold: float, bet: float) -> None:
        self.name, self.fold, self.bet = name, fold, bet

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        legal = view.legal
        probabilities = {FOLDS: self.fold if legal.fold else 0.0}
        if legal.low:
            probabilities[raise_to(legal.low)] = self.bet
        rest = CALLS if legal.call >= 0 else legal.bet(legal.low)
        probabilities[rest] = probabilities.get(rest, 0.0) + 1.0 - sum(probabilities.values())
        return [(action, probability) for action, probability in probabilities.items() if probability > 0.0]


@maker("mix")
def make_mixture(rest: str, table: Table) -> Agent:
    """Probabilities of fold, call and raise: `mix:0.1,0.5,0.4`."""
    try:
        fold, call, bet = (parse_float(word) for word in rest.split(","))
    except ValueError:
        fold = call = bet = -1.0
    if not min(fold, call, bet) >= 0.0 or not abs(fold + call + bet - 1.0) <= 1e-9:
        raise UserError(
            f"'mix:{rest}' needs three probabilities that sum to 1: write fold, call, raise as mix:0.1,0.5,0.4"
        )
    return FixedMixture(f"mix:{rest}", fold, bet)


for _player in (Caller, Folder, AllIn, Raiser, Random):

    def _make(rest: str, table: Table, kind: type[Player] = _player) -> Agent:
        nothing_after(kind.name, rest)
        return kind()

    maker(_player.name)(_make)
