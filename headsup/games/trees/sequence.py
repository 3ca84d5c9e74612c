"""The sequence form: what a game is once only its payoffs and its players' choices are left.

Each player gets a `Seat`: information sets, parents first, the sequences of an information set side by side, and the
payoff matrix of andersson-2006 section 3.5 by rows of that player's own sequences (chance is multiplied in). As a
*behaviour* strategy `sigma[s]` is the probability of the action that ends sequence `s`, given its information set; as a
*realisation plan* `x[s]` is the product of those along the sequence.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from headsup.common.arrays import Floats, Ints, Longs
from headsup.common.checks import as_numbers, finite, quoted
from headsup.common.display import brief
from headsup.common.errors import UserError

Profile = tuple[Floats, Floats]  # both players' strategies
TOLERANCE = 1e-9  # how far the probabilities at an information set may add up beside 1
UNREACHED = 1e-12  # a plan below this is a solver's rounding
PARALLEL_ENTRIES = 400_000  # below this many payoffs, starting threads costs more than it saves


def distinct_names(names: Sequence[str]) -> tuple[str, ...]:
    """Names made distinct: of equal names the second gets (2) added, the third (3)."""
    if len(set(names)) == len(names):
        return tuple(names)
    out: list[str] = []
    for name in names:
        label, number = name, 1
        while label in out or (number > 1 and label in names):
            number += 1
            label = f"{name} ({number})"
        out.append(label)
    return tuple(out)


class Labels(Protocol):
    """Names of a player's information sets and of the actions there; a big game makes them up when asked."""

    def infoset(self, index: int) -> str:
        """The text of an information set."""

    def actions(self, index: int) -> Sequence[str]:
        """The names of the actions of an information set."""


@dataclass(frozen=True)
class ListLabels:
    infosets: Sequence[str]
    moves: Sequence[Sequence[str]]

    __repr__ = brief

    def infoset(self, index: int) -> str:
        return self.infosets[index]

    def actions(self, index: int) -> Sequence[str]:
        return self.moves[index]


@dataclass(frozen=True)
class Seat:
    """One player's information sets, sequences and rows of the payoff matrix."""

    first: Ints  # [infosets + 1] the sequences of information set i are first[i] .. first[i + 1] - 1
    parent: Ints  # [infosets] the player's own last sequence before it
    start: Longs  # [sequences + 1] where a sequence's row of payoffs starts
    other: Ints  # [entries] the opponent's sequence of a payoff
    payoff: Floats  # [entries] chance times what this player wins
    labels: Labels

    def __repr__(self) -> str:
        sets, sequences = f"{self.n_infosets:,} information sets", f"{self.n_sequences:,} sequences"
        return f"<Seat: {sets}, {sequences}, {len(self.payoff):,} payoffs>"

    @property
    def n_infosets(self) -> int:
        return len(self.parent)

    @property
    def n_sequences(self) -> int:
        """How many sequences the player has, the empty one included."""
        return len(self.start) - 1

    def uniform(self) -> Floats:
        """The behaviour strategy that takes every action equally often."""
        out = np.ones(self.n_sequences)
        counts = np.diff(self.first)
        out[1:] = np.repeat(1.0 / counts, counts)
        return out

    def plan(self, behaviour: Floats) -> Floats:
        """Behaviour strategy -> realisation plan."""
        from headsup.games.trees.sequence_kernels import plan_of

        out = np.empty(self.n_sequences)
        plan_of(self.first, self.parent, behaviour, out)
        return out

    def behaviour(self, plan: Floats) -> Floats:
        """Realisation plan -> behaviour strategy; uniform at information sets that the plan itself never reaches."""
        from headsup.games.trees.sequence_kernels import behaviour_of

        out = np.empty(self.n_sequences)
        behaviour_of(self.first, self.parent, np.ascontiguousarray(plan), out)
        return out

    def utility(self, opponent_plan: Floats) -> Floats:
        """What each sequence earns at once against the opponent's realisation plan."""
        from headsup.games.trees.sequence_kernels import utility, utility_parallel

        out = np.empty(self.n_sequences)
        kernel = utility_parallel if len(self.payoff) > PARALLEL_ENTRIES else utility
        kernel(self.start, self.other, self.payoff, np.ascontiguousarray(opponent_plan), out)
        return out

    def best_response(self, opponent_plan: Floats) -> tuple[float, Floats]:
        """The value of a best response to a realisation plan, and one such response as a pure behaviour strategy."""
        from headsup.games.trees.sequence_kernels import best

        response = np.empty(self.n_sequences)
        value = float(best(self.first, self.parent, self.utility(opponent_plan), response))
        return value, response

    def check(self, behaviour: Floats) -> Floats:
        """The behaviour strategy as a clean array; a `UserError` names what is wrong with it."""
        try:
            sigma = np.ascontiguousarray(as_numbers(behaviour, "strategy"), dtype=np.float64)
        except UserError:
            raise UserError(f"a strategy for this seat is {self.n_sequences} numbers, one a sequence") from None
        if sigma.shape != (self.n_sequences,):
            raise UserError(
                f"a strategy for this seat has {self.n_sequences} numbers, not {sigma.size}: one a sequence"
            )
        sums = np.add.reduceat(sigma[1:], self.first[:-1] - 1) if self.n_infosets else np.ones(0)
        wrong = np.flatnonzero(~(np.abs(sums - 1.0) <= TOLERANCE))
        if len(wrong):
            name = self.labels.infoset(int(wrong[0]))
            raise UserError(
                f"the probabilities at information set '{name}' add up to {sums[wrong[0]]:.12g}, and must add up to 1 "
                f"within {TOLERANCE:g}: give them more decimals, or write what one of them lacks"
            )
        if sigma.min(initial=0.0) < 0.0:
            least = int(sigma.argmin())
            name = self.labels.infoset(int(np.searchsorted(self.first, least, "right")) - 1)
            raise UserError(
                f"the probabilities at information set '{name}' must be at least 0, and one is {sigma[least]:g}"
            )
        return sigma

    def table(self, behaviour: Floats) -> dict[str, dict[str, float]]:
        """A behaviour strategy as text: information set -> action -> probability."""
        out = {}
        for i in range(self.n_infosets):
            row = behaviour[self.first[i] : self.first[i + 1]]
            out[self.labels.infoset(i)] = dict(zip(self.actions(i), map(float, row), strict=True))
        return out

    def actions(self, index: int) -> tuple[str, ...]:
        """The names of an information set's actions, no two the same."""
        return distinct_names(self.labels.actions(index))

    def marks(self, plan: Floats, opponent_plan: Floats) -> dict[str, str]:
        """The information sets where a pair of realisation plans says little, each with one of two reasons.

        `never reached`: the player's own earlier choices do not lead there, so that any play there is as good as any
        other against any opponent, and a linear program leaves it open. `untested`: the opponent's play never gets
        there with anything at stake; what is played there can matter only against another opponent.
        """
        met = np.zeros(len(self.other) + 1, dtype=np.int64)
        np.cumsum(opponent_plan[self.other] > UNREACHED, out=met[1:])
        tested = np.diff(met[self.start]) > 0
        out = {}
        for i in reversed(range(self.n_infosets)):
            here = bool(tested[self.first[i] : self.first[i + 1]].any())
            tested[self.parent[i]] |= here
            if plan[self.parent[i]] <= UNREACHED:
                out[self.labels.infoset(i)] = "never reached"
            elif not here:
                out[self.labels.infoset(i)] = "untested"
        return dict(reversed(out.items()))

    def from_table(self, table: Mapping[str, Mapping[str, float]]) -> Floats:
        """Read what `table` writes; an information set that is left out plays uniformly."""
        out, unknown = self.uniform(), set(table)
        for i in range(self.n_infosets):
            name = self.labels.infoset(i)
            if name not in table:
                continue
            unknown.discard(name)
            moves = self.actions(i)
            if not isinstance(table[name], Mapping):
                raise UserError(f"information set '{name}' wants shares by action, not {quoted(table[name])}")
            for action in table[name]:
                if action not in moves:
                    raise UserError(f"information set '{name}' has no action '{action}': it has {', '.join(moves)}")
            shares = [finite(table[name].get(action, 0), f"the share of {action} at '{name}'") for action in moves]
            out[self.first[i] : self.first[i + 1]] = shares
        if unknown:
            raise UserError(f"the game has no information set '{min(map(str, unknown))}' for this player")
        return self.check(out)


@dataclass(frozen=True)
class SequenceForm:
    """Both seats of a game; enough to solve and to measure it."""

    name: str
    unit: float
    seats: tuple[Seat, Seat]

    def __repr__(self) -> str:
        sets, sequences = (
            " and ".join(f"{count:,}" for count in counts)
            for counts in zip(*((seat.n_infosets, seat.n_sequences) for seat in self.seats), strict=True)
        )
        return f"<SequenceForm of {self.name}: {sets} information sets, {sequences} sequences>"

    @cached_property
    def checksum(self) -> str:
        """SHA-256 over the game itself: both players' choices, and the payoffs to nine digits.

        Two ways to build one game add up its chances in another order, and the last bits are not the game's.
        """
        digest = hashlib.sha256(np.float64(self.unit).tobytes())
        for seat in self.seats:
            share, power = np.frexp(seat.payoff)
            share = np.rint(np.ldexp(share, 30)).astype(np.int64)
            whole = np.abs(share) == 1 << 30  # as in 0.99999999999, which is 1
            payoffs = np.where(whole, share // 2, share), power.astype(np.int64) + whole
            for array in (seat.first, seat.parent, seat.start, seat.other, *payoffs):
                digest.update(array.astype("<i8").tobytes())
        return digest.hexdigest()

    def uniform(self) -> Profile:
        """Both players take every action equally often."""
        return self.seats[0].uniform(), self.seats[1].uniform()

    def plans(self, profile: Profile) -> Profile:
        """Both realisation plans of a pair of behaviour strategies."""
        return self.seats[0].plan(profile[0]), self.seats[1].plan(profile[1])

    def behaviours(self, plans: Profile) -> Profile:
        """Both behaviour strategies of a pair of realisation plans."""
        return self.seats[0].behaviour(plans[0]), self.seats[1].behaviour(plans[1])

    def marks(self, profile: Profile) -> tuple[dict[str, str], dict[str, str]]:
        """For each player, the information sets where behaviour strategies say little, and why: see `Seat.marks`."""
        plans = self.plans(profile)
        return self.seats[0].marks(plans[0], plans[1]), self.seats[1].marks(plans[1], plans[0])

    def value(self, plans: Profile) -> float:
        """What player 0 wins on average when both follow these realisation plans."""
        return float(plans[0] @ self.seats[0].utility(plans[1]))

    def best_values(self, plans: Profile) -> tuple[float, float]:
        """What a best response of each player wins against the opponent's plan."""
        return self.seats[0].best_response(plans[1])[0], self.seats[1].best_response(plans[0])[0]


def assemble(
    name: str,
    unit: float,
    firsts: tuple[Ints, Ints],
    parents: tuple[Ints, Ints],
    labels: tuple[Labels, Labels],
    entries: tuple[Ints, Ints, Floats],
) -> SequenceForm:
    """Sort payoff entries (sequence of 0, sequence of 1, chance times payoff) into both seats' rows."""
    rows, cols, values = entries
    counts = (int(firsts[0][-1]), int(firsts[1][-1]))
    rows, cols, values = _merge(rows, cols, values, counts[1])
    seats = []
    for seat, (own, other, sign) in enumerate(((rows, cols, 1.0), (cols, rows, -1.0))):
        order = slice(None) if seat == 0 else np.argsort(own, kind="stable")
        start = np.zeros(counts[seat] + 1, dtype=np.int64)
        np.cumsum(np.bincount(own, minlength=counts[seat]), out=start[1:])
        seats.append(
            Seat(
                first=firsts[seat],
                parent=parents[seat],
                start=start,
                other=np.ascontiguousarray(other[order], dtype=np.int32),
                payoff=np.ascontiguousarray(sign * values[order]),
                labels=labels[seat],
            )
        )
    return SequenceForm(name, unit, (seats[0], seats[1]))


def _merge(rows: Ints, cols: Ints, values: Floats, n_cols: int) -> tuple[Ints, Ints, Floats]:
    """Sort entries by row and column, add up those that fall together, and drop zeros."""
    key = rows.astype(np.int64) * n_cols + cols
    order = np.argsort(key, kind="stable")
    key = key[order]
    fresh = np.ones(len(key), dtype=bool)
    fresh[1:] = key[1:] != key[:-1]
    starts = np.flatnonzero(fresh)
    sums = np.add.reduceat(values[order], starts) if len(starts) else np.zeros(0)
    key, keep = key[starts], sums != 0.0
    key = key[keep]
    return (key // n_cols).astype(np.int32), (key % n_cols).astype(np.int32), sums[keep]
