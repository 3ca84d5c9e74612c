"""Endgames, measured: what a plan is worth, what it is sure of against any opponent, and a proof of it by another way.

A `Plan` says how one player plays the whole endgame from both seats: charts for every state. By symmetry both players
can follow the same one.

**The value of a pair.** The charts of a state give the chances of its 2 + K ends; V(c) = sum over ends z of
p(z) (1 - V(N - z)) are linear equations over all states, solved at once; hands of rising blinds are worked out
backwards. States from which play never ends are worth one half.

**What a plan is sure of.** Against a fixed plan the opponent faces a Markov decision process: in every state, for every
hand, jam or fold, call or fold, so as to keep the plan's chance of winning smallest. Policy iteration solves it: take
a policy of the opponent, solve the linear equations of what the plan is then worth in every state, let every hand
answer these values, repeat until none changes. `Floor` is the result: nobody holds the plan below it.
A chance that the opponent's button is sure of is one that we are not, so two floors of one plan bound the value from
both sides: `Bounds`. Values iterated from above and from below need not meet in a game that may go on for ever; these
do not care how the plan was found.

**Why a floor is one.** A plan that jams and calls some hands in every state wins chips with a positive chance in each
hand, whatever the opponent does, so in N hands it has won with a positive chance: play ends. Then any function h of the
state that no reply pushes down, h <= min over replies of the expected h after the hand, is a floor. `confirm` checks
just that, hand by hand and state by state, from sums over the table made the other way round: over the rows of the
player who plays by the plan instead of those of the one who replies.
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

SURE = 1e-13
"""A reply changes only for a gain above this; what is left is rounding."""
MOST_ROUNDS = 200


class Charts(NamedTuple):
    """How every state of one hand is played: float64[states, classes] each, by chips of the button from 1 to N - 1."""

    jam: Floats
    call: Floats


@dataclass(frozen=True, eq=False)
class Plan:
    """How one player plays an endgame: the charts of each hand until the last level, and those of the last level."""

    rules: Endgame
    charts: tuple[Charts, ...]

    __repr__ = brief


def plan(rules: Endgame, charts: list[Charts]) -> Plan:
    """A plan of these charts; what posting leaves no choice in is played."""
    made = []
    for level, (jam, call) in zip(rules.schedule, charts, strict=True):
        hands = rules.hands(level)
        all_in, called = (np.array([test]).T for test in ([h.all_in for h in hands], [h.called for h in hands]))
        made.append(Charts(np.where(all_in, 1.0, jam), np.where(called, 1.0, call)))
    return Plan(rules, tuple(made))


class Tally(NamedTuple):
    """What a hand meets, as a share of all hands dealt to the other player: float64[K, states, classes] each."""

    calls: Floats
    """Of the button's class: hands that call, by the outcome to the button."""
    jams: Floats
    """Of the big blind's class: hands that jam, by the outcome to the big blind."""


def tally(table: Classes, charts: Charts) -> Tally:
    """One pass over the table for both seats and all states."""
    states = len(charts.jam)
    ways = table.ways(np.concatenate([charts.call, charts.jam])) / table.total
    return Tally(ways[:, :states], ways[:, states:])


def tallies(table: Classes, mine: Plan) -> tuple[Tally, ...]:
    """Those of every hand of a plan."""
    return tuple(tally(table, charts) for charts in mine.charts)


def weights(table: Classes) -> Floats:
    """Each class's share of all hands."""
    return np.asarray(table.class_sizes / table.hands)


def chances(shares: Floats, jam: Floats, calls: Floats) -> Floats:
    """[states, 2 + K]: how often each end comes, for what the button jams and what these hands meet."""
    weighted = jam * shares
    shown = np.einsum("sn,ksn->sk", weighted, calls)
    played = weighted.sum(axis=1)
    return np.column_stack([1 - played, played - shown.sum(axis=1), shown])


def pair_values(rules: Endgame, ends: list[Floats]) -> Floats:
    """[hands + 1, N + 1]: V, the button's chance to win, from the chances of all ends of each hand."""
    n, last = rules.chips, rules.levels[-1]
    move = np.zeros((n - 1, n + 1))
    np.add.at(move, (np.arange(n - 1)[:, None], n - rules.ends(last)), ends[-1])
    values = _solved(-move[:, 1:-1], move.sum(axis=1) - move[:, n], move[:, 0] + move[:, n])
    found = [np.concatenate([[0.0], values, [1.0]])]
    for level, chance in zip(rules.schedule[-2::-1], ends[-2::-1], strict=True):
        now = (chance * (1 - found[0][n - rules.ends(level)])).sum(axis=1)
        found.insert(0, np.concatenate([[0.0], now, [1.0]]))
    return np.array(found)


def _solved(move: Floats, gain: Floats, ended: Floats) -> Floats:
    """x = gain + move x; one half where no end can be reached: `ended` is how likely a state ends play at once."""
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


def value(table: Classes, mine: Plan, met: tuple[Tally, ...] | None = None) -> Floats:
    """[hands + 1, N + 1]: the button's chance to win if both follow the plan."""
    met = tallies(table, mine) if met is None else met
    shares = weights(table)
    return pair_values(
        mine.rules, [chances(shares, one.jam, seen.calls) for one, seen in zip(mine.charts, met, strict=True)]
    )


def hands_left(rules: Endgame, ends: Floats) -> Floats:
    """[N + 1]: how many hands of the last level are played on average, from the chances of all its ends."""
    n = rules.chips
    move = np.zeros((n - 1, n + 1))
    np.add.at(move, (np.arange(n - 1)[:, None], n - rules.ends(rules.levels[-1])), ends)
    return np.concatenate([[0.0], np.linalg.solve(np.eye(n - 1) - move[:, 1:-1], np.ones(n - 1)), [0.0]])


def match(table: Classes, mine: Plan, theirs: Plan, met: tuple[Tally, ...], facing: tuple[Tally, ...]) -> Floor:
    """My chance to win by one plan against another; `met` is the tally of mine, `facing` that of theirs."""
    rules, shares = mine.rules, weights(table)
    button = [chances(shares, one.jam, seen.calls) for one, seen in zip(mine.charts, facing, strict=True)]
    big = [chances(shares, one.jam, seen.calls) for one, seen in zip(theirs.charts, met, strict=True)]
    floor = Floor(*linear(rules, button[-1], big[-1])[None].transpose(1, 0, 2))
    for at in range(rules.rising - 1, -1, -1):
        ends = rules.ends(rules.schedule[at])
        floor = floor.before(
            (button[at] * floor.big[0][ends]).sum(axis=1),
            (big[at] * floor.button[0][rules.chips - ends]).sum(axis=1)[::-1],
        )
    return floor


class Floor(NamedTuple):
    """The least chance to win, by hand and by own chips: float64[hands + 1, N + 1] each."""

    button: Floats
    big: Floats

    def before(self, button: Floats, big: Floats) -> Floor:
        """With one hand more in front."""
        whole = (np.concatenate([[0.0], part, [1.0]])[None] for part in (button, big))
        return Floor(*(np.concatenate([new, old]) for new, old in zip(whole, self, strict=True)))

    @property
    def mean(self) -> Floats:
        """Averaged over the button."""
        return (self.button + self.big) / 2


class Reply(NamedTuple):
    """One hand of the opponent's best reply: what is left to the plan, and how often each end comes."""

    worth: Floats
    """[states]."""
    ends: Floats
    """[states, 2 + K]."""
    plays: npt.NDArray[np.bool_]
    """[states, classes]: whether the opponent jams, or calls."""


def reply_to_jams(
    shares: Floats, jam: Floats, jams: Floats, worth: Floats, must: npt.NDArray[np.bool_], old: Reply | None = None
) -> Reply:
    """The big blind's best reply to jams, given what each end is worth to the button, [states, 2 + K]."""
    k = len(jams)
    called = np.einsum("ksn,sk->sn", jams, worth[:, :1:-1])
    met = jams.sum(axis=0)
    gain = met * worth[:, 1:2] - called
    plays = (gain > SURE) | must if old is None else np.where(np.abs(gain) > SURE, gain > 0, old.plays) | must
    shown = np.einsum("sn,ksn->sk", plays * shares, jams)[:, ::-1]
    taken = ((~plays * shares) * met).sum(axis=1)
    ends = np.column_stack([1 - (jam * shares).sum(axis=1), taken, shown])
    assert ends.shape[1] == 2 + k
    return Reply((ends * worth).sum(axis=1), ends, plays)


def reply_to_calls(
    shares: Floats, calls: Floats, worth: Floats, must: npt.NDArray[np.bool_], old: Reply | None = None
) -> Reply:
    """The button's best reply to calls, given what each end is worth to the big blind, [states, 2 + K]."""
    met = calls.sum(axis=0)
    jammed = (1 - met) * worth[:, 1:2] + np.einsum("ksn,sk->sn", calls, worth[:, 2:])
    gain = worth[:, :1] - jammed
    plays = (gain > SURE) | must if old is None else np.where(np.abs(gain) > SURE, gain > 0, old.plays) | must
    ends = chances(shares, plays.astype(np.float64), calls)
    return Reply((ends * worth).sum(axis=1), ends, plays)


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


def floor(table: Classes, mine: Plan, met: tuple[Tally, ...] | None = None) -> Floor:
    """What a plan is sure of, against every opponent who jams or folds: the decision process, solved exactly."""
    rules, shares = mine.rules, weights(table)
    for charts in mine.charts:
        if not ((charts.jam @ shares > 0).all() and (charts.call @ shares > 0).all()):
            raise DataError(
                "a plan that never jams or never calls in some state can be held there for ever: add a hand"
            )
    met = tallies(table, mine) if met is None else met
    n, ends, (charts, seen) = rules.chips, rules.ends(rules.levels[-1]), (mine.charts[-1], met[-1])
    all_in, called = forced(rules, -1)
    line = np.arange(n + 1) / n
    now = np.stack([line, line])
    replies: tuple[Reply | None, Reply | None] = (None, None)
    for _ in range(MOST_ROUNDS):
        facing = reply_to_jams(shares, charts.jam, seen.jams, now[1][ends], called, replies[0])
        opening = reply_to_calls(shares, seen.calls, now[0][n - ends], all_in, replies[1])
        same = replies[0] is not None and all(
            old is not None and (new.plays == old.plays).all()
            for new, old in zip((facing, opening), replies, strict=True)
        )
        replies = (facing, opening)
        if same:
            break
        now = linear(rules, facing.ends, opening.ends)
    else:
        raise DataError("the opponent's best reply did not settle: the plan is too close to indifference everywhere")
    found = Floor(now[0][None], now[1][None])
    for at in range(rules.rising - 1, -1, -1):
        button, big = hand_floor(table, rules, at, mine.charts[at], met[at], found.button[0], found.big[0])
        found = found.before(button[1:-1], big[1:-1])
    return found


def hand_floor(
    table: Classes, rules: Endgame, at: int, charts: Charts, seen: Tally, button: Floats, big: Floats
) -> tuple[Floats, Floats]:
    """(button, big): what charts are sure of in one hand of rising blinds, given what is sure after it."""
    ends, shares, (all_in, called) = rules.ends(rules.schedule[at]), weights(table), forced(rules, at)
    facing = reply_to_jams(shares, charts.jam, seen.jams, big[ends], called).worth
    opening = reply_to_calls(shares, seen.calls, button[rules.chips - ends], all_in).worth[::-1]
    first, second = (np.concatenate([[0.0], part, [1.0]]) for part in (facing, opening))
    return first, second


class Bounds(NamedTuple):
    """The value of every state to the button, and what is proved of it: float64[hands + 1, N + 1] each."""

    value: Floats
    low: Floats
    high: Floats

    @property
    def gap(self) -> float:
        """The widest interval."""
        return float((self.high - self.low).max())


def bounds(table: Classes, mine: Plan, met: tuple[Tally, ...] | None = None) -> Bounds:
    """The button's value if both follow the plan, between the floors of both."""
    met = tallies(table, mine) if met is None else met
    sure = floor(table, mine, met)
    return Bounds(value(table, mine, met), sure.button, 1 - sure.big[:, ::-1])


def confirm(table: Classes, mine: Plan, sure: Floor) -> float:
    """By how much a reply can push the floor down in any one hand, at worst: rounding if the floor is one."""
    rules, shares = mine.rules, weights(table)
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
            left = float((1 - jam @ shares) * worth[0] + shares @ least)
            worst = max(worst, float(sure.button[at][chips]) - left)
            # The opponent on the button jams into my calls, or folds.
            mine_shown = turned[:, n - 1 + state]
            worth = [sure.button[after][n - z] for z in hand.ends]
            shown = sum(worth[1 + len(mine_shown) - k] * mine_shown[k] for k in range(len(mine_shown)))
            jammed = shown + (1 - mine_shown.sum(axis=0)) * worth[1]
            least = jammed if hand.all_in else np.minimum(jammed, worth[0])
            worst = max(worst, float(sure.big[at][n - chips]) - float(shares @ least))
    return worst
