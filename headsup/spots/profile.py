"""Opponents by statistics: profiles as text, and the strategy nearest to an equilibrium that has them.

A profile is a TOML file. Tables give frequencies by street; what is left out stays as it is:

    name = "nit"
    about = "Plays few hands and folds to pressure."
    source = "an illustration"
    vpip = 0.14                     # before the flop: of no use in a spot, whose ranges are given
    aggression = 1.2                # bets and raises for each call, after the flop

    [fold_to_bet]                   # folds among decisions that face a bet or raise
    river = 0.65
    [bet]                           # bets among decisions that face none
    flop = 0.35
    [raise]                         # raises among decisions that face a bet and may raise
    turn = 0.04

Frequencies are over all deals of the spot, the opponent of the player playing the equilibrium.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import as_text, door, of_kind, quoted
from headsup.common.errors import DataError, UserError
from headsup.common.files import read_shipped, read_text
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.rules import STREETS, Move
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import Policy, Walker
from headsup.solve.records.regrets import street_of
from headsup.solve.records.solution import Locks
from headsup.spots.compare import LineDifference, actions_taken
from headsup.spots.nearest import nearest_strategy
from headsup.spots.solve import Exploit, SpotSolution
from headsup.spots.view import PLAYERS, seat_of

SHIPPED = Path(__file__).parent / "data"
TABLES = ("fold_to_bet", "bet", "raise")
BEFORE_THE_FLOP = ("vpip", "pfr", "raise_first_in")
LEAST, MOST = 0.001, 0.999  # frequencies; beyond them no strategy near the equilibrium exists
SHOWN = 5  # adjustments


@dataclass(frozen=True)
class Statistic:
    """A frequency of a profile on a street, or its aggression over all streets."""

    kind: str  # one of TABLES, or aggression
    street: str  # empty for aggression
    target: float

    @property
    def name(self) -> str:
        return f"{self.kind}.{self.street}" if self.street else self.kind

    def parts(self, tree: BettingTree, node: int) -> tuple[Floats, Floats]:
        """[actions] what counts for the frequency, and of what: the frequency is their ratio over all decisions."""
        first, count = int(tree.child[node]), int(tree.count[node])
        kinds = tree.kind[first : first + count]
        none, bets = np.zeros(count), (kinds >= Move.BET).astype(float)
        if self.kind == "aggression":
            return bets, (kinds == Move.CALL).astype(float)
        faces = bool((kinds == Move.FOLD).any())
        if tree.rules.street_names[int(tree.street[node])] != self.street or faces == (self.kind == "bet"):
            return none, none
        if self.kind == "fold_to_bet":
            return (kinds == Move.FOLD).astype(float), none + 1.0
        return (bets, none + 1.0) if bets.any() else (none, none)


@dataclass(frozen=True)
class OpponentProfile:
    """How a kind of opponent plays, by statistics."""

    name: str
    about: str
    source: str
    statistics: tuple[Statistic, ...]
    unused: tuple[str, ...] = ()  # statistics of play before the flop

    @classmethod
    @door(text=as_text)
    def parse(cls, text: str, name: str = "profile") -> OpponentProfile:
        """Read a profile; an error names the entry."""
        try:
            values = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise UserError(f"the profile is not TOML: {error}") from None
        words = {key: str(values.pop(key, "")) for key in ("name", "about", "source")}
        unused = tuple(key for key in BEFORE_THE_FLOP if values.pop(key, None) is not None)
        statistics = []
        for key, value in values.items():
            if key == "aggression":
                statistics.append(Statistic(key, "", _number(key, value, 0.01, 100.0)))
            elif key in TABLES and isinstance(value, dict):
                for street, share in value.items():
                    if street not in STREETS[1:]:
                        raise UserError(f"{key}.{street}: a street is {', '.join(STREETS[1:])}")
                    statistics.append(Statistic(key, street, _number(f"{key}.{street}", share, LEAST, MOST)))
            else:
                known = (*(f"[{table}]" for table in TABLES), "aggression", *BEFORE_THE_FLOP)
                raise UserError(f"'{key}' is no statistic of a profile: it has {', '.join(known)}")
        if not statistics:
            raise UserError("the profile has no statistic after the flop: add one, such as fold_to_bet.river = 0.6")
        return cls(words["name"] or name, words["about"], words["source"], tuple(statistics), unused)

    @classmethod
    @door(name=as_text)
    def read(cls, name: str) -> OpponentProfile:
        """A profile file, or one of the shipped profiles by name."""
        path = Path(name)
        if path.exists():
            text = read_text(path)
        elif name in shipped_profiles():
            text = read_shipped(SHIPPED / f"{name}.toml").decode("utf-8")
        else:
            raise UserError(f"there is no file '{name}'; shipped profiles are {', '.join(shipped_profiles())}")
        try:
            return cls.parse(text, path.stem)
        except UserError as error:
            raise DataError(f"{name}: {error}") from None


def shipped_profiles() -> list[str]:
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def _number(name: str, value: Any, least: float, most: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise UserError(f"{name}: write a number from {least} to {most}, not {quoted(value)}")
    return float(value)


@dataclass(frozen=True)
class Adjustment:
    """A decision at which the best response plays differently from the equilibrium."""

    difference: LineDifference
    worth: float  # chips gained by this change alone

    def words(self) -> str:
        pairs = zip(self.difference.actions, self.difference.first, self.difference.second, strict=True)
        changes = sorted(((after - before, action, before, after) for action, before, after in pairs), reverse=True)
        _, more, before, after = changes[0]
        _, less, was, now = changes[-1]
        where = f"After '{self.difference.line}'" if self.difference.line else "At the first decision"
        return (
            f"{where}, {self.difference.player} plays {more} more ({after:.0%} instead of {before:.0%}) and "
            f"{less} less ({now:.0%} instead of {was:.0%}): {self.worth:+.2f} chips by itself."
        )


@dataclass(frozen=True)
class Profiled:
    """A spot in which one player has the statistics of a profile, and the opponent's best response."""

    profile: OpponentProfile
    player: str  # who has the profile
    locked: SpotSolution  # that player is locked at every decision
    exploit: Exploit
    before: dict[str, float]  # the statistics in equilibrium
    after: dict[str, float]
    divergence: float  # from the equilibrium, in nats a hand
    adjustments: tuple[Adjustment, ...]
    skipped: tuple[str, ...] = field(default=())  # statistics that the spot has no decisions for

    def summary(self) -> dict[str, Any]:
        rows = [
            {"statistic": name, "equilibrium": self.before[name], "profile": self.after[name]} for name in self.after
        ]
        moves = [{**a.difference.as_dict(), "worth": a.worth, "words": a.words()} for a in self.adjustments]
        return {
            **self.exploit.summary(),
            "profile": self.profile.name,
            "source": self.profile.source,
            "profiled": self.player,
            "statistics": rows,
            "skipped": [*self.skipped, *self.profile.unused],
            "divergence": self.divergence,
            "adjustments": moves,
        }


def measured(game: VectorGame, policy: Policy, seat: int, statistics: Sequence[Statistic]) -> dict[str, float]:
    """The statistics of a seat's strategy, both playing a policy; those without decisions are left out."""
    taken, out = actions_taken(game, policy), dict[str, float]()
    for statistic in statistics:
        share = of = 0.0
        for node, row in taken.items():
            if game.betting.player[node] == seat:
                counted, among = statistic.parts(game.betting, node)
                share, of = share + float(counted @ row), of + float(among @ row)
        if of > 0.0:
            out[statistic.name] = share / of
    return out


@door(solution=of_kind(SpotSolution), profile=of_kind(OpponentProfile), player=as_text)
def play_profile(solution: SpotSolution, profile: OpponentProfile, player: str) -> Profiled:
    """Give a player of a solved spot a profile, and find the opponent's best response.

    The player is locked at every decision to the strategy nearest to the solution that has the statistics
    (`headsup.spots.nearest`).
    """
    seat = seat_of(player)
    if solution.spot.swaps or solution.spot.variant:
        raise UserError("profiles are for hold'em spots without swaps: solve one")
    game, policy = solution.game, solution.solution.strategy
    before = measured(game, policy, seat, profile.statistics)
    used = [statistic for statistic in profile.statistics if statistic.name in before]
    skipped = tuple(statistic.name for statistic in profile.statistics if statistic.name not in before)
    if not used:
        raise UserError(f"{player} has no decision in this spot that the profile '{profile.name}' is about")

    def features(node: int) -> Floats:
        parts = [(statistic.target, *statistic.parts(game.betting, node)) for statistic in used]
        return np.stack([counted - target * among for target, counted, among in parts])

    nearest = nearest_strategy(game, policy, seat, len(used), features)
    cells = [np.arange(len(nearest.rows)) if p == seat else np.zeros(0, dtype=np.int64) for p in (0, 1)]
    shares = [nearest.rows if p == seat else np.zeros(0) for p in (0, 1)]
    locks = Locks((cells[0], cells[1]), (shares[0], shares[1]), (f"{player} plays like '{profile.name}'",))
    locked = solution.with_locks(locks)
    after = measured(game, locked.solution.strategy, seat, used)
    response = locked.exploit(PLAYERS[1 - seat])
    changes = _adjustments(locked, response, 1 - seat)
    return Profiled(profile, player, locked, response, before, after, nearest.divergence, changes, skipped)


def _adjustments(locked: SpotSolution, response: Exploit, seat: int) -> tuple[Adjustment, ...]:
    """The decisions at which the best response moves most, each with what it gains alone."""
    game, policy, best = locked.game, locked.solution.strategy, response.solution.solution.strategy[seat]
    lines = [line for line in locked.compare(response.solution).lines if line.player == PLAYERS[seat]][:SHOWN]
    walker, base, out = Walker(game), (locked.value_oop, locked.value_ip)[seat], []
    nodes = {game.betting.line(node): node for node in np.flatnonzero(game.betting.player == seat).tolist()}
    for line in lines:
        node, changed = nodes[line.line], policy[seat].copy()
        street, begin = int(game.betting.street[node]), int(game.rounds.row[node])
        rows = slice(begin, begin + int(game.rounds.count[node]))
        street_of(game, changed, seat, street)[:, rows] = street_of(game, best, seat, street)[:, rows]
        pair = (changed, policy[1]) if seat == 0 else (policy[0], changed)
        out.append(Adjustment(line, walker.values(pair)[seat] - base))
    return tuple(sorted(out, key=lambda adjustment: -adjustment.worth))
