"""Agents that jam or fold by a chart: the shipped equilibria, rule cards, and Sklansky's system.

In games with more actions a chart player still only jams, folds or checks: facing a limp or a smaller raise it jams the
hands that would call a jam; once it has bet it keeps betting; after the flop it checks and folds. Charts assume blinds
of 1/2 and 1 without antes; otherwise the nearest stack in big blinds is used.
"""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import rank_of, suit_of
from headsup.cards.classes import holdem_class_of_combo, holdem_class_reps, holdem_class_sizes, omaha_class_of_combo
from headsup.cards.combos import colex, combos
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.play.agents.baseline import AllIn, Caller, Folder, Raiser
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, maker, nothing_after
from headsup.play.table.rules import CALLS, Action, PlayerView, Table

JamFoldChart = Callable[[bool, float], Floats]
"""[classes] the jam probabilities if the player opens, else the call probabilities, at a stack in big blinds."""


class ChartPlayer(Mixed):
    def __init__(self, name: str, chart: JamFoldChart, cards: str) -> None:
        self.name, self._class_of = name, hand_classes(cards)
        self._rows = lru_cache(maxsize=512)(lambda opens, stack: chart(opens, stack).tolist())

    def by_class(self, opens: bool, stack: float) -> list[float]:
        """Probabilities by hand class: of jamming if the player opens, else of calling."""
        rows: list[float] = self._rows(opens, stack)
        return rows

    def probability(self, opens: bool, stack: float, hole: tuple[int, ...]) -> float:
        return float(self.by_class(opens, stack)[self._class_of[colex(hole)]])

    def range_probabilities(self, view: PlayerView) -> dict[Action, Floats]:
        classes, first = np.unique(self._class_of, return_index=True)
        rows: dict[Action, Floats] = {}
        for number, hole in zip(classes.tolist(), combos(2)[first].tolist(), strict=True):
            for action, probability in self.probabilities(view._replace(hole=tuple(hole))):
                rows.setdefault(action, np.zeros(classes[-1] + 1))[number] = probability
        return {action: row[self._class_of] for action, row in rows.items()}

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        legal, state = view.legal, view.state
        if legal.discards:
            return [(CALLS, 1.0)]
        jam = legal.bet(legal.high)  # a call where no raise is legal
        if view.street:
            bet = any(step.seat == view.seat and step.action.kind == "r" for step in view.steps)
            return [(jam if bet else legal.passive, 1.0)]
        raised = any(step.action.kind == "r" for step in view.steps if step.seat == view.seat)
        jams = 1.0 if raised else self.probability(state.acted == 0 and view.seat == 0, view.effective, view.hole)
        rest = legal.passive
        if jams >= 1.0 or rest == jam:
            return [(jam, 1.0)]
        return [(rest, 1.0)] if jams <= 0.0 else [(jam, jams), (rest, 1.0 - jams)]


def jam_probabilities(agent: Agent, table: Table, opens: bool) -> list[float] | None:
    """[classes] an agent's jam (or call) probabilities at the full stack; None if it has other actions or learns."""
    stack = min(table.betting.stacks) / table.unit
    if isinstance(agent, ChartPlayer):
        return None if agent.memory else agent.by_class(opens, stack)
    always = (AllIn, Caller, Raiser) if table.betting.jam_or_fold else (AllIn,)
    if type(agent) not in (Folder, *always):
        return None
    classes = int(hand_classes(table.cards).max()) + 1
    return [0.0 if type(agent) is Folder else 1.0] * classes


def jams_only(table: Table, agents: Sequence[Agent]) -> bool:
    """Whether a hand between these agents can only be a fold, a jam and a fold, or a jam and a call."""
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


def top_hands(*percents: float) -> list[Floats]:
    """The best hands by equity against a random hand; the last class is split to reach each percentage."""
    order, sizes = _by_equity()
    before = np.concatenate([[0.0], np.cumsum(sizes[order])[:-1]])
    rows = [np.zeros(len(sizes)) for _ in percents]
    for row, percent in zip(rows, percents, strict=True):
        row[order] = np.clip((percent / 100.0 * sizes.sum() - before) / sizes[order], 0.0, 1.0)
    return rows


@cache
def _by_equity() -> tuple[AnyArray, Floats]:
    """The classes from the best to the worst, and their sizes."""
    from headsup.equity.holdem.table import combo_table

    table, sizes = combo_table(), holdem_class_sizes().astype(np.float64)
    points = (2.0 * table.wins + table.ties).sum(axis=1) / (2.0 * table.deals.sum(axis=1))
    return np.argsort(-np.bincount(holdem_class_of_combo(), points) / sizes, kind="stable"), sizes


@maker("chart")
def make_chart(rest: str, table: Table) -> Agent:
    """Jams and calls with the best percentages of hands."""
    try:
        jam, call = (parse_float(part) for part in rest.split(","))
    except ValueError:
        jam = call = -1.0
    if not (0.0 <= jam <= 100.0 and 0.0 <= call <= 100.0):
        raise UserError(f"'chart:{rest}' is not a chart: write the percentages to jam and to call with, as chart:55,40")
    _check_jams("chart", table, "holdem")
    jams, calls = top_hands(jam, call)
    return ChartPlayer(f"chart:{rest}", lambda opens, stack: jams if opens else calls, "holdem")


@maker("jamfold")
def make_jamfold(rest: str, table: Table) -> Agent:
    from headsup.jamfold.shipped import shipped

    nothing_after("jamfold", rest)
    _check_jams("jamfold", table)
    sweep = shipped(table.cards)

    def chart(opens: bool, stack: float) -> Floats:
        return np.asarray((sweep.jam if opens else sweep.call)[sweep.nearest_index(stack)])

    return ChartPlayer("jamfold", chart, table.cards)


@maker("rule")
def make_rule(rest: str, table: Table) -> Agent:
    """A rule by name, or `card` for the shipped rule card."""
    from headsup.distil.rules.catalogue import RULES
    from headsup.distil.shipped import find_rule

    if rest not in (*RULES, "card"):
        known = ", ".join(f"rule:{name}" for name in (*RULES, "card"))
        raise UserError(f"'rule:{rest}' is not a rule: choose one of {known}")
    rule = find_rule(rest, table.cards)
    if not rule.own_threshold:
        raise UserError(f"rule:{rest} has no thresholds of its own: choose rule:oracle, rule:sage or rule:card")
    _check_jams(f"rule:{rest}", table, rule.game)

    def chart(opens: bool, stack: float) -> Floats:
        return rule.strategy(min(stack, 1000.0), "sb" if opens else "bb")

    return ChartPlayer(f"rule:{rest}", chart, table.cards)


# --- Sklansky's system -----------------------------------------------------------------------------------------------

KEYS = (400, 200, 150, 100, 80, 60, 40, 20)  # key numbers above which ever wider sets of hands are played


def sklansky_hands(key: float) -> Floats:
    """[169] the hands that go all-in when nobody has raised, at a key number: 1 or 0.

    Above 400 AA; 200 adds KK; 150 QQ and AK; 100 JJ, TT, AQ, KQ; 80 any pair, suited aces and suited connectors; 60 any
    ace, suited kings and suited one-gappers; 40 any king; 20 any two suited; else anything.
    """
    level = sum(key <= limit for limit in KEYS)
    return np.array([float(_least_level(*hand) <= level) for hand in holdem_class_reps().tolist()])


def _least_level(first: int, second: int) -> int:
    """The level from which two cards are played: 0 above 400, 8 at 20 or less."""
    low, high = sorted((rank_of(first), rank_of(second)))
    suited, gap = suit_of(first) == suit_of(second), high - low
    ace, king, queen, ten = 12, 11, 10, 8
    if gap == 0:
        return {ace: 0, king: 1, queen: 2}.get(high, 3 if high >= ten else 4)
    if high == ace:
        return 2 if low == king else 3 if low == queen else 4 if suited else 5
    if (high, low) == (king, queen):
        return 3
    if suited:
        return 4 if gap == 1 else 5 if high == king or gap == 2 else 7
    return 6 if high == king else 8


class Sklansky(ChartPlayer):
    """Sklansky's all-in system, adapted to two players.

    After a raise: all-in with AA, KK or AK suited, else fold. Otherwise the key number is the stack over blinds and
    antes, doubled after a limp.
    """

    def __init__(self, table: Table) -> None:
        posted = (sum(table.betting.blinds) + sum(table.betting.antes)) / table.unit
        self._posted, self._raised = posted, _after_a_raise()
        super().__init__("sklansky", self._chart, table.cards)

    def _chart(self, opens: bool, stack: float) -> Floats:
        return sklansky_hands(stack / self._posted) if opens else self._raised

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """A limp doubles the key number and leaves a free check; after a raise three hands are played."""
        raised = any(step.action.kind == "r" for step in view.steps)
        if view.street or raised or view.seat == 0 or view.legal.discards:
            return super().probabilities(view)
        jams = self.probability(True, 2.0 * view.effective, view.hole)
        return [(view.legal.bet(view.legal.high) if jams else view.legal.passive, 1.0)]


def _after_a_raise() -> Floats:
    """[169] AA, KK, AK suited."""
    strong = sklansky_hands(300.0)
    for i, (first, second) in enumerate(holdem_class_reps().tolist()):
        if {rank_of(first), rank_of(second)} == {11, 12} and suit_of(first) == suit_of(second):
            strong[i] = 1.0
    return strong


@maker("sklansky")
def make_sklansky(rest: str, table: Table) -> Agent:
    nothing_after("sklansky", rest)
    _check_jams("sklansky", table, "holdem")
    return Sklansky(table)
