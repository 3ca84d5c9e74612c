"""Agents that jam or fold by a chart: the shipped equilibria, rule cards, and Sklansky's system.

A chart says for a stack how often each class of hands jams from the small blind, and how often it calls a jam. In a
game where more is allowed a chart player still only jams, and folds or checks what it does not jam:

- first to act before the flop it jams what the chart jams, and folds the rest;
- to a jam it calls what the chart calls;
- to a limp or a raise that is no jam it re-jams what it would call a jam with, and checks or folds the rest;
- where it has bet or raised before in the hand (pot-limit, where a jam takes several bets) it goes on with it;
- after the flop, where it has only checked, it checks and folds.

Charts are made for blinds of a half and one without antes; with others the nearest stack in big blinds is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import rank_of, suit_of
from headsup.cards.classes import holdem_class_of_combo, holdem_class_reps, omaha_class_of_combo
from headsup.cards.combos import colex, combos
from headsup.common.arrays import Floats
from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.play.agents.baseline import AllIn, Caller, Folder, Raiser
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, maker, nothing_after
from headsup.play.table.rules import CALLS, Action, PlayerView, Table


class JamFoldChart(Protocol):
    """How often hands jam and call, by class."""

    def jam(self, stack: float) -> Floats:
        """[classes] for the small blind, first to act; the stack in big blinds."""

    def call(self, stack: float) -> Floats:
        """[classes] for who faces a jam, or would."""


class ChartPlayer(Mixed):
    """Plays a chart; see the module's text."""

    def __init__(self, name: str, chart: JamFoldChart, cards: str) -> None:
        self.name, self.chart = name, chart
        self._class_of = hand_classes(cards)
        self._jam = lru_cache(maxsize=256)(lambda stack: chart.jam(stack).tolist())
        self._call = lru_cache(maxsize=256)(lambda stack: chart.call(stack).tolist())

    def by_class(self, opens: bool, stack: float) -> list[float]:
        """How often each class of hands jams (if it opens the betting) or calls."""
        found: list[float] = self._jam(stack) if opens else self._call(stack)
        return found

    def share(self, opens: bool, stack: float, hole: tuple[int, ...]) -> float:
        """The same of one hand."""
        return float(self.by_class(opens, stack)[self._class_of[colex(hole)]])

    def hand_probabilities(self, view: PlayerView, action: Action) -> Floats:
        """Class by class, two hands of a class being played alike."""
        known, found = dict[int, float](), np.zeros(len(self._class_of))
        for i, hole in enumerate(combos(2).tolist()):
            of = int(self._class_of[i])
            if of not in known:
                known[of] = dict(self.probabilities(view._replace(hole=tuple(hole)))).get(action, 0.0)
            found[i] = known[of]
        return found

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """All-in or not."""
        legal, state = view.legal, view.state
        if legal.discards:
            return [(CALLS, 1.0)]
        jam = legal.bet(legal.high)  # a call where nobody can raise any more
        if view.street:
            bet = any(step.seat == view.seat and step.action.kind == "r" for step in view.steps)
            return [(jam if bet else legal.passive, 1.0)]
        raised = any(step.action.kind == "r" for step in view.steps if step.seat == view.seat)
        # who owes a blind and nobody has acted opens the betting
        share = 1.0 if raised else self.share(state.acted == 0 and view.seat == 0, view.effective, view.hole)
        rest = legal.passive
        if share >= 1.0 or rest == jam:
            return [(jam, 1.0)]
        return [(rest, 1.0)] if share <= 0.0 else [(jam, share), (rest, 1.0 - share)]


def jam_probabilities(agent: Agent, table: Table, opens: bool) -> list[float] | None:
    """[classes] how often an agent jams first to act, or calls a jam, at the full stack; None if it may do other
    things.
    """
    stack = min(table.betting.stacks) / table.unit
    if isinstance(agent, ChartPlayer):
        return agent.by_class(opens, stack)
    always = (AllIn, Caller, Raiser) if table.betting.jam_or_fold else (AllIn,)
    if type(agent) not in (Folder, *always):
        return None
    classes = int(hand_classes(table.cards).max()) + 1
    return [0.0 if type(agent) is Folder else 1.0] * classes


def jams_only(table: Table, agents: Sequence[Agent]) -> bool:
    """Whether a hand between these two can only be a fold, a jam and a fold, or a jam and a call."""
    betting = table.betting
    plain = betting.kind == "no-limit" and not betting.pot and not table.draws
    deep = betting.stacks[0] == betting.stacks[1] > max(betting.blinds) + max(betting.antes)
    return (
        plain
        and deep
        and all(jam_probabilities(agent, table, opens) is not None for agent in agents for opens in (True, False))
    )


def hand_classes(cards: str) -> npt.NDArray[Any]:
    """The class of each hand, by its colex number."""
    return holdem_class_of_combo() if cards == "holdem" else omaha_class_of_combo()


def _check_jams(what: str, table: Table, cards: str | None = None) -> None:
    if table.betting.kind == "limit":
        raise UserError(f"{what} goes all-in, and {table.name} has a limit: choose a game without one, or pot-limit")
    if cards is not None and cards != table.cards:
        raise UserError(f"{what} is made for {cards}, and {table.name} deals {table.cards}: choose another of the two")


class _Shipped:
    def __init__(self, game: str) -> None:
        from headsup.jamfold.shipped import shipped

        self.sweep = shipped(game)

    def jam(self, stack: float) -> Floats:
        return np.asarray(self.sweep.jam[self.sweep.nearest_index(stack)])

    def call(self, stack: float) -> Floats:
        return np.asarray(self.sweep.call[self.sweep.nearest_index(stack)])


class _Rule:
    def __init__(self, rule: object) -> None:
        from headsup.distil.rules.points import PointRule

        assert isinstance(rule, PointRule)
        self.rule = rule

    def jam(self, stack: float) -> Floats:
        return self.rule.strategy(min(stack, 1000.0), "sb")

    def call(self, stack: float) -> Floats:
        return self.rule.strategy(min(stack, 1000.0), "bb")


class _Top:
    """The best hands by equity against a random one; of the last class a part, so that the shares are as asked."""

    def __init__(self, jam: float, call: float) -> None:
        from headsup.cards.classes import holdem_class_sizes
        from headsup.equity.holdem.table import combo_table

        table, of = combo_table(), holdem_class_of_combo()
        points = (2.0 * table.wins + table.ties).sum(axis=1) / (2.0 * table.deals.sum(axis=1))
        sizes = holdem_class_sizes().astype(np.float64)
        order = np.argsort(-np.bincount(of, points) / sizes, kind="stable")
        before = np.concatenate([[0.0], np.cumsum(sizes[order])[:-1]])
        self._shares = []
        for percent in (jam, call):
            share = np.zeros(len(sizes))
            share[order] = np.clip((percent / 100.0 * sizes.sum() - before) / sizes[order], 0.0, 1.0)
            self._shares.append(share)

    def jam(self, stack: float) -> Floats:
        return self._shares[0]

    def call(self, stack: float) -> Floats:
        return self._shares[1]


@maker("chart")
def make_chart(rest: str, table: Table) -> Agent:
    """Jams the best so many percent of hands, and calls with the best so many."""
    try:
        jam, call = (parse_float(part) for part in rest.split(","))
    except ValueError:
        jam = call = -1.0
    if not (0.0 <= jam <= 100.0 and 0.0 <= call <= 100.0):
        raise UserError(f"'chart:{rest}' is no chart: write how many percent to jam and to call with, as chart:55,40")
    _check_jams("chart", table, "holdem")
    return ChartPlayer(f"chart:{rest}", _Top(jam, call), "holdem")


@maker("jamfold")
def make_jamfold(rest: str, table: Table) -> Agent:
    """The jam/fold equilibrium of the table's cards."""
    nothing_after("jamfold", rest)
    _check_jams("jamfold", table)
    return ChartPlayer("jamfold", _Shipped(table.cards), table.cards)


@maker("rule")
def make_rule(rest: str, table: Table) -> Agent:
    """A rule by its name, or `card` for the shipped card of the table's cards."""
    from headsup.distil.rules.catalogue import RULES
    from headsup.distil.shipped import find_rule

    if rest not in (*RULES, "card"):
        known = ", ".join(f"rule:{one}" for one in (*RULES, "card"))
        raise UserError(f"'rule:{rest}' names no rule: choose one of {known}")
    found = find_rule(rest, table.cards)
    if not found.own_threshold:
        raise UserError(f"rule:{rest} has no thresholds of its own: choose rule:oracle, rule:sage or rule:card")
    _check_jams(f"rule:{rest}", table, found.game)
    return ChartPlayer(f"rule:{rest}", _Rule(found), table.cards)


# --- Sklansky's system -----------------------------------------------------------------------------------------------

KEYS = (400, 200, 150, 100, 80, 60, 40, 20)
"""Above each of these key numbers a set of hands is played, each wider than the one before; at 20 or less anything."""


def sklansky_hands(key: float) -> Floats:
    """[169] which hands go all-in where nobody has raised, at a key number: 1 or 0.

    Above 400 AA; 200 KK too; 150 QQ and AK; 100 JJ, TT, AQ, KQ; 80 any pair, suited aces and suited connectors; 60 any
    ace, suited kings and suited one-gappers; 40 any king; 20 any two suited; else anything. (Sklansky's system for
    beginners, as it is commonly quoted.)
    """
    level = sum(key <= one for one in KEYS)
    return np.array([float(_least_level(*hand) <= level) for hand in holdem_class_reps().tolist()])


def _least_level(one: int, other: int) -> int:
    """How far the key number must have fallen before these two cards are played: 0 above 400, 8 at 20 or less."""
    low, high = sorted((rank_of(one), rank_of(other)))
    suited, gap = suit_of(one) == suit_of(other), high - low
    ace, king, queen, ten = 12, 11, 10, 8
    if gap == 0:
        return {ace: 0, king: 1, queen: 2}.get(high, 3 if high >= ten else 4)
    if high == ace:
        return 2 if low == king else 3 if low == queen else 4 if suited else 5
    if (high, low) == (king, queen):
        return 3
    if suited:
        # an ace counts low in no connector: A2 suited is a suited ace anyhow
        return 4 if gap == 1 else 5 if high == king or gap == 2 else 7
    return 6 if high == king else 8


class Sklansky(ChartPlayer):
    """Sklansky's all-in system, read for two players.

    After a raise all-in with AA, KK or AK suited, else fold. Otherwise the key number is the stack over both blinds and
    antes, times the players still to act (the other one), times one more than the limpers.
    """

    def __init__(self, table: Table) -> None:
        betting = table.betting
        posted = sum(betting.blinds) + sum(betting.antes)
        super().__init__("sklansky", _Raised(), table.cards)
        self._posted = posted / table.unit

    def by_class(self, opens: bool, stack: float) -> list[float]:
        """By the key number where nobody raised."""
        return self._first(stack / self._posted) if opens else super().by_class(False, stack)

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """A limp makes the key number twice as large and leaves a free look; a raise leaves three hands."""
        raised = any(step.action.kind == "r" for step in view.steps)
        if view.street or raised or view.seat == 0 or view.legal.discards:
            return super().probabilities(view)
        share = float(self._first(2.0 * view.effective / self._posted)[self._class_of[colex(view.hole)]])
        action: Action = view.legal.bet(view.legal.high) if share else view.legal.passive
        return [(action, 1.0)]

    @staticmethod
    @lru_cache(maxsize=256)
    def _first(key: float) -> list[float]:
        found: list[float] = sklansky_hands(key).tolist()
        return found


class _Raised:
    """After a raise: AA, KK, AK suited."""

    def jam(self, stack: float) -> Floats:
        raise NotImplementedError

    def call(self, stack: float) -> Floats:
        strong = sklansky_hands(300.0)
        for i, (one, other) in enumerate(holdem_class_reps().tolist()):
            if {rank_of(one), rank_of(other)} == {11, 12} and suit_of(one) == suit_of(other):
                strong[i] = 1.0
        return strong


@maker("sklansky")
def make_sklansky(rest: str, table: Table) -> Agent:
    """Sklansky's all-in system."""
    nothing_after("sklansky", rest)
    _check_jams("sklansky", table, "holdem")
    return Sklansky(table)
