"""Endgames, measured: the value of a plan, its guarantee against any opponent, and an independent proof of it.

An `EndgamePlan` is one player's strategy from both seats: charts for every state. **The value of a pair**: V(c) = sum
over ends z of p(z) (1 - V(N - z)), linear equations over all states, solved at once. **The guarantee of a plan**: the
opponent faces a Markov decision process, solved by policy iteration; `Floor` is the result, and two floors bound the
value from both sides (`Bounds`), however the plan was found.

**Why a floor is one.** A plan that jams and calls some hands in every state ends play with positive probability within
N hands. Then any function h of the state that no response pushes down, h <= min over responses of the expected h after
the hand, is a floor. `confirm` checks just that, from sums over the rows of the other player.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.display import brief
from headsup.common.errors import DataError
from headsup.endgame.rules import Endgame
from headsup.games.holdem.classes import Classes

SURE = 1e-13  # a response changes only for a gain above this; what is left is rounding
MOST_ROUNDS = 200


class StateCharts(NamedTuple):
    """The charts of every state of one hand: float64[states, classes] each, by chips of the button from 1 to N - 1."""

    jam: Floats
    call: Floats


@dataclass(frozen=True, eq=False)
class EndgamePlan:
    """A player's strategy: the charts of each hand until the last level, and those of the last level."""

    rules: Endgame
    charts: tuple[StateCharts, ...]

    __repr__ = brief


def plan(rules: Endgame, charts: list[StateCharts]) -> EndgamePlan:
    """A plan of these charts; hands that posting leaves no choice are played."""
    made = []
    for at, (jam, call) in enumerate(charts):
        all_in, called = forced(rules, at)
        made.append(StateCharts(np.where(all_in, 1.0, jam), np.where(called, 1.0, call)))
    return EndgamePlan(rules, tuple(made))


class Tally(NamedTuple):
    """The opponent's hands by outcome, as fractions of all hands it may hold: float64[K, states, classes] each."""

    calls: Floats  # of the button's class: hands that call, by the outcome to the button
    jams: Floats  # of the big blind's class: hands that jam, by the outcome to the big blind


def tally(table: Classes, charts: StateCharts) -> Tally:
    """One pass over the table for both seats and all states."""
    states = len(charts.jam)
    ways = table.ways(np.concatenate([charts.call, charts.jam])) / table.total
    return Tally(ways[:, :states], ways[:, states:])


def tallies(table: Classes, mine: EndgamePlan) -> tuple[Tally, ...]:
    return tuple(tally(table, charts) for charts in mine.charts)


def weights(table: Classes) -> Floats:
    """The probability of each class."""
    return np.asarray(table.class_sizes / table.hands)


def chances(probability: Floats, jam: Floats, calls: Floats) -> Floats:
    """[states, 2 + K]: the probability of each end, from the button's jams and the tally of calls."""
    weighted = jam * probability
    shown = np.einsum("sn,ksn->sk", weighted, calls)
    played = weighted.sum(axis=1)
    return np.column_stack([1 - played, played - shown.sum(axis=1), shown])


def plan_chances(table: Classes, mine: EndgamePlan, met: tuple[Tally, ...]) -> list[Floats]:
    """The probabilities of the ends of every hand, if the button follows a plan and meets these calls."""
    probability = weights(table)
    return [chances(probability, charts.jam, seen.calls) for charts, seen in zip(mine.charts, met, strict=True)]


def with_ends(values: Floats) -> Floats:
    """The chances to win by chips from 0 to N, from those of the states."""
    return np.concatenate([[0.0], values, [1.0]])


def _moves(rules: Endgame, ends: Floats) -> Floats:
    """[states, N + 1]: the probability of the opponent's chips after a hand of the last level."""
    n = rules.chips
    move = np.zeros((n - 1, n + 1))
    np.add.at(move, (np.arange(n - 1)[:, None], n - rules.ends(rules.levels[-1])), ends)
    return move


def pair_values(rules: Endgame, ends: list[Floats]) -> Floats:
    """[hands + 1, N + 1]: V, the button's chance to win, from the probabilities of all ends of each hand."""
    n, move = rules.chips, _moves(rules, ends[-1])
    rows = [with_ends(_solved(-move[:, 1:-1], move.sum(axis=1) - move[:, n], move[:, 0] + move[:, n]))]
    for level, chance in zip(rules.schedule[-2::-1], ends[-2::-1], strict=True):
        rows.insert(0, with_ends((chance * (1 - rows[0][n - rules.ends(level)])).sum(axis=1)))
    return np.array(rows)


def _solved(move: Floats, gain: Floats, ended: Floats) -> Floats:
    """x = gain + move x; one half where no end can be reached. `ended` is the probability that play ends at once."""
    finite = ended > 0
    while True:
        more = finite | ((move != 0) @ finite)
        if (more == finite).all():
            break
        finite = more
    values = np.full(len(gain), 0.5)
    inner = np.ix_(finite, finite)
    known = gain[finite] + move[np.ix_(finite, ~finite)] @ values[~finite]
    values[finite] = np.linalg.solve(np.eye(int(finite.sum())) - move[inner], known)
    return values


def value(table: Classes, mine: EndgamePlan, met: tuple[Tally, ...] | None = None) -> Floats:
    """[hands + 1, N + 1]: the button's chance to win if both follow the plan."""
    return pair_values(mine.rules, plan_chances(table, mine, tallies(table, mine) if met is None else met))


def hands_left(rules: Endgame, ends: Floats) -> Floats:
    """[N + 1]: the expected number of hands of the last level, from the probabilities of its ends."""
    inner = _moves(rules, ends)[:, 1:-1]
    return np.concatenate([[0.0], np.linalg.solve(np.eye(len(inner)) - inner, np.ones(len(inner))), [0.0]])


def match(
    table: Classes, mine: EndgamePlan, theirs: EndgamePlan, met: tuple[Tally, ...], facing: tuple[Tally, ...]
) -> Floor:
    """The chance to win of one plan against another; `met` is the tally of mine, `facing` that of theirs."""
    rules, button, big = mine.rules, plan_chances(table, mine, facing), plan_chances(table, theirs, met)
    floor = Floor(*linear(rules, button[-1], big[-1])[None].transpose(1, 0, 2))
    for at in range(rules.rising - 1, -1, -1):
        ends = rules.ends(rules.schedule[at])
        floor = floor.before(
            (button[at] * floor.big[0][ends]).sum(axis=1),
            (big[at] * floor.button[0][rules.chips - ends]).sum(axis=1)[::-1],
        )
    return floor


class Floor(NamedTuple):
    """The guaranteed chance to win, by hand and by own chips: float64[hands + 1, N + 1] each."""

    button: Floats
    big: Floats

    def before(self, button: Floats, big: Floats) -> Floor:
        """With one more hand in front."""
        return Floor(*(np.vstack([with_ends(new), old]) for new, old in zip((button, big), self, strict=True)))

    @property
    def mean(self) -> Floats:
        return (self.button + self.big) / 2


class HandResponse(NamedTuple):
    """One hand of the opponent's best response: what is left to the plan, and the probability of each end."""

    worth: Floats  # [states]
    ends: Floats  # [states, 2 + K]
    plays: npt.NDArray[np.bool_]  # [states, classes]: whether the opponent jams, or calls


def response_to_jams(
    probability: Floats,
    jam: Floats,
    jams: Floats,
    worth: Floats,
    must: npt.NDArray[np.bool_],
    old: HandResponse | None = None,
) -> HandResponse:
    """The big blind's best response to jams, given the button's value of each end, [states, 2 + K]."""
    called = np.einsum("ksn,sk->sn", jams, worth[:, :1:-1])
    met = jams.sum(axis=0)
    gain = met * worth[:, 1:2] - called
    plays = (gain > SURE) | must if old is None else np.where(np.abs(gain) > SURE, gain > 0, old.plays) | must
    shown = np.einsum("sn,ksn->sk", plays * probability, jams)[:, ::-1]
    taken = ((~plays * probability) * met).sum(axis=1)
    ends = np.column_stack([1 - (jam * probability).sum(axis=1), taken, shown])
    return HandResponse((ends * worth).sum(axis=1), ends, plays)


def response_to_calls(
    probability: Floats, calls: Floats, worth: Floats, must: npt.NDArray[np.bool_], old: HandResponse | None = None
) -> HandResponse:
    """The button's best response to calls, given the big blind's value of each end, [states, 2 + K]."""
    met = calls.sum(axis=0)
    jammed = (1 - met) * worth[:, 1:2] + np.einsum("ksn,sk->sn", calls, worth[:, 2:])
    gain = worth[:, :1] - jammed
    plays = (gain > SURE) | must if old is None else np.where(np.abs(gain) > SURE, gain > 0, old.plays) | must
    ends = chances(probability, plays.astype(np.float64), calls)
    return HandResponse((ends * worth).sum(axis=1), ends, plays)


def linear(rules: Endgame, button: Floats, big: Floats, big_ends: npt.NDArray[np.intp] | None = None) -> Floats:
    """[2, N + 1]: my chance by own chips on the button and in the big blind, from how often the ends of both come.

    `big` is by the chips of the button, who is the opponent then; its ends are those of jam or fold unless given.
    """
    n, ends = rules.chips, rules.ends(rules.levels[-1])
    big_ends = ends if big_ends is None else big_ends
    move = np.zeros((2, n - 1, 2, n + 1))
    rows = np.arange(n - 1)[:, None]
    np.add.at(move[0, :, 1], (rows, ends), button)
    np.add.at(move[1, ::-1, 0], (rows, n - big_ends), big)
    inner = move[..., 1:-1].reshape(2 * (n - 1), 2 * (n - 1))
    won, lost = (move[..., at].sum(axis=2).reshape(-1) for at in (n, 0))
    values = _solved(inner, won, won + lost).reshape(2, n - 1)
    return np.column_stack([np.zeros(2), values, np.ones(2)])


def forced(rules: Endgame, at: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """(all in, called), [states, 1] each: where posting leaves the button, or the big blind, no choice."""
    hands = rules.hands(rules.schedule[at])
    return np.array([[h.all_in] for h in hands]), np.array([[h.called] for h in hands])


def floor(table: Classes, mine: EndgamePlan, met: tuple[Tally, ...] | None = None) -> Floor:
    """The guarantee of a plan against every opponent who jams or folds: the decision process, solved exactly."""
    rules, probability = mine.rules, weights(table)
    for charts in mine.charts:
        if not ((charts.jam @ probability > 0).all() and (charts.call @ probability > 0).all()):
            raise DataError(
                "a plan that never jams or never calls in some state can be held there for ever: add a hand"
            )
    met = tallies(table, mine) if met is None else met
    n, ends, (charts, seen) = rules.chips, rules.ends(rules.levels[-1]), (mine.charts[-1], met[-1])
    all_in, called = forced(rules, -1)
    line = np.arange(n + 1) / n
    now = np.stack([line, line])
    responses: tuple[HandResponse | None, HandResponse | None] = (None, None)
    for _ in range(MOST_ROUNDS):
        facing = response_to_jams(probability, charts.jam, seen.jams, now[1][ends], called, responses[0])
        opening = response_to_calls(probability, seen.calls, now[0][n - ends], all_in, responses[1])
        same = responses[0] is not None and all(
            old is not None and (new.plays == old.plays).all()
            for new, old in zip((facing, opening), responses, strict=True)
        )
        responses = (facing, opening)
        if same:
            break
        now = linear(rules, facing.ends, opening.ends)
    else:
        raise DataError("the opponent's best response did not settle: the plan is too close to indifference everywhere")
    sure = Floor(now[0][None], now[1][None])
    for at in range(rules.rising - 1, -1, -1):
        button, big = hand_floor(table, rules, at, mine.charts[at], met[at], sure.button[0], sure.big[0])
        sure = sure.before(button[1:-1], big[1:-1])
    return sure


def hand_floor(
    table: Classes, rules: Endgame, at: int, charts: StateCharts, seen: Tally, button: Floats, big: Floats
) -> tuple[Floats, Floats]:
    """(button, big): the guarantee in one hand of rising blinds, given the guarantees after it."""
    ends, probability, (all_in, called) = rules.ends(rules.schedule[at]), weights(table), forced(rules, at)
    facing = response_to_jams(probability, charts.jam, seen.jams, big[ends], called).worth
    opening = response_to_calls(probability, seen.calls, button[rules.chips - ends], all_in).worth[::-1]
    return with_ends(facing), with_ends(opening)


class Bounds(NamedTuple):
    """The value of every state to the button, with its bounds: float64[hands + 1, N + 1] each."""

    value: Floats
    low: Floats
    high: Floats

    @property
    def gap(self) -> float:
        return float((self.high - self.low).max())


def bounds(table: Classes, mine: EndgamePlan, met: tuple[Tally, ...] | None = None) -> Bounds:
    """The button's value if both players follow the plan, between the floors of both."""
    met = tallies(table, mine) if met is None else met
    sure = floor(table, mine, met)
    return Bounds(value(table, mine, met), sure.button, 1 - sure.big[:, ::-1])


def confirm(table: Classes, mine: EndgamePlan, sure: Floor) -> float:
    """How far a response can push the floor down in any one hand, at most: rounding, if the floor is right."""
    rules, probability = mine.rules, weights(table)
    n, worst = rules.chips, 0.0
    for at, (level, charts) in enumerate(zip(rules.schedule, mine.charts, strict=True)):
        after = min(at + 1, rules.rising)
        met = np.concatenate([charts.jam, charts.call]) * table.class_sizes.astype(np.float64)
        turned = table.ways_turned(met) / table.class_sizes / table.total
        for state, hand in enumerate(rules.hands(level)):
            chips, jam = state + 1, charts.jam[state]
            # The opponent's hand sees my jam win, tie or lose: one column of the table, from my rows.
            mine_shown = turned[:, state]
            worth = [sure.big[after][z] for z in hand.ends]
            shown = sum(worth[2 + k] * mine_shown[k] for k in range(len(mine_shown)))
            folded = worth[1] * mine_shown.sum(axis=0)
            least = shown if hand.called else np.minimum(shown, folded)
            left = float((1 - jam @ probability) * worth[0] + probability @ least)
            worst = max(worst, float(sure.button[at][chips]) - left)
            # The opponent on the button jams into my calls, or folds.
            mine_shown = turned[:, n - 1 + state]
            worth = [sure.button[after][n - z] for z in hand.ends]
            shown = sum(worth[1 + len(mine_shown) - k] * mine_shown[k] for k in range(len(mine_shown)))
            jammed = shown + (1 - mine_shown.sum(axis=0)) * worth[1]
            least = jammed if hand.all_in else np.minimum(jammed, worth[0])
            worst = max(worst, float(sure.big[at][n - chips]) - float(probability @ least))
    return worst
