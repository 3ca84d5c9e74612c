"""A `Match` and its `MatchResult`, and matches on small games (`SmallGame`).

Results are the first player's big blinds per hand. The sampling unit is a hand, in a duplicate match a pair of hands,
and in a match to the end a whole game. On a small game (any `headsup.games.contract.game.Game`) players are `uniform`,
`caller`, `folder`, `raiser`, `equilibrium` or `solution:FILE`; expected values are exact, and AIVAT uses them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import as_text, as_truth, check_seed, count, finite, positive, whole
from headsup.common.errors import UserError
from headsup.games.betting.rules import UNLIMITED
from headsup.games.catalogue.forms import flatten
from headsup.games.contract.game import CHANCE, TERMINAL, Game
from headsup.play.statistics.interval import ConfidenceInterval, anytime, fixed
from headsup.play.table.agent import Agent, make_pair
from headsup.play.table.dice import DECK, FIRST, Dice
from headsup.play.table.rules import Table
from headsup.play.table.start import check_small, is_card_game, make_table

Policy = tuple[Sequence[Sequence[float]], Sequence[Sequence[float]]]
"""For each seat and information set, the probability of each action."""
FIRST_LETTERS = {"caller": "ck", "folder": "fck", "raiser": "arbc"}
"""First letters of the actions that simple players choose, in order (k check, a all-in)."""
NAMES = (*FIRST_LETTERS, "uniform", "random", "equilibrium")


class SmallGame:
    """A small game as the arrays of its flat tree, ready to be played."""

    def __init__(self, game: Game) -> None:
        self.game, self.tree = game, flatten(game)
        tree = self.tree
        self.unit = float(tree.unit)
        self.sets = tuple(
            [(labels.infoset(i), list(labels.actions(i))) for i in range(len(first) - 1)]
            for labels, first in zip(tree.labels, tree.firsts, strict=True)
        )
        self._player, self._child, self._infoset = (a.tolist() for a in (tree.player, tree.child, tree.infoset))
        self._payoff = tree.payoff.tolist()
        counts = np.diff(tree.child)
        self.parent = np.concatenate([[-1], np.repeat(np.arange(tree.n_nodes), counts)])
        above = tree.chance[np.maximum(self.parent, 0)]
        self.chance = np.where(above > 0.0, tree.chance / np.where(above > 0.0, above, 1.0), 0.0)
        """[nodes] the probability of a chance node's child."""
        self._chance = self.chance.tolist()

    def policy(self, text: str) -> Policy:
        name, colon, rest = text.partition(":")
        if name == "solution" and rest:
            from headsup.solve.records.solution import Solution

            return self._from_table(Solution.load(rest).table(), rest)
        if colon or name not in NAMES:
            known = ", ".join((*NAMES, "solution:FILE"))
            raise UserError(f"'{text}' does not play {self.game}: choose one of {known}")
        if name == "equilibrium":
            from headsup.solve.methods import solve

            return self._from_table(solve(self.game, "lp").table(), "the solution")
        if name in ("uniform", "random"):
            first, second = ([[1.0 / len(actions)] * len(actions) for _, actions in sets] for sets in self.sets)
        else:
            first, second = ([_pick(name, actions) for _, actions in sets] for sets in self.sets)
        return first, second

    def _from_table(self, table: Sequence[Mapping[str, Mapping[str, float]]], name: str) -> Policy:
        policy: list[list[list[float]]] = []
        for mine, sets in zip(table, self.sets, strict=True):
            if missing := [key for key, actions in sets if set(mine.get(key, ())) != set(actions)]:
                raise UserError(f"{name} does not belong to {self.game}: it lacks the decision '{missing[0]}'")
            policy.append([[mine[key][action] for action in actions] for key, actions in sets])
        return policy[0], policy[1]

    def probabilities(self, seats: Sequence[Policy | None]) -> Floats:
        """[nodes] the probability of each node given its parent; nan if the policy is unknown."""
        tree, probabilities = self.tree, self.chance.copy()
        for seat, policy in enumerate(seats):
            for node in np.flatnonzero(tree.player == seat):
                first, last = int(tree.child[node]), int(tree.child[node + 1])
                probabilities[first:last] = np.nan if policy is None else policy[seat][int(tree.infoset[node])]
        return probabilities

    def values(self, seats: tuple[Policy, Policy]) -> Floats:
        """[nodes] the value to seat 0."""
        probabilities, worth = self.probabilities(seats), self.tree.payoff.copy()
        for low, high in reversed(list(self.tree.levels())):
            for node in range(low, high):
                first, last = self._child[node], self._child[node + 1]
                if last > first:
                    worth[node] = float(probabilities[first:last] @ worth[first:last])
        return worth

    def corrections(self, seats: Sequence[Policy | None], worth: Floats) -> Floats:
        """[nodes] the AIVAT correction for reaching a node: its value minus the mean of its siblings; 0 where
        unknown.
        """
        probabilities = self.probabilities(seats)
        parent = np.maximum(self.parent, 0)
        expected = np.bincount(parent[1:], (probabilities * worth)[1:], self.tree.n_nodes)
        corrections = worth - expected[parent]
        corrections[0] = 0.0
        return np.where(np.isnan(corrections), 0.0, corrections)

    def play(self, policies: tuple[Policy, Policy], seed: int, number: int, deal: int, dealer: int) -> list[int]:
        """The nodes of one hand. `policies` are in player order; `dealer` is the player in seat 0."""
        chance = Dice(seed, deal, DECK)
        dice = [Dice(seed, number, FIRST + player) for player in (0, 1)]
        node, path = 0, [0]
        while (seat := self._player[node]) != TERMINAL:
            first, last = self._child[node], self._child[node + 1]
            if seat == CHANCE:
                chosen = chance.pick(self._chance[first:last])
            else:
                player = seat ^ dealer
                chosen = dice[player].pick(policies[player][seat][self._infoset[node]])
            node = first + chosen
            path.append(node)
        return path

    def payoff(self, path: Sequence[int]) -> float:
        """What seat 0 won."""
        return float(self._payoff[path[-1]])


def _pick(name: str, actions: Sequence[str]) -> list[float]:
    for letter in FIRST_LETTERS[name]:
        for i, action in enumerate(actions):
            if action[:1].lower() == letter:
                return [float(i == j) for j in range(len(actions))]
    there = ", ".join(actions)
    raise UserError(f"{name} needs actions that begin with one of '{FIRST_LETTERS[name]}', and here are {there}")


SESSION = 1000  # hands per session; learning agents start afresh in each
GAMES_A_SESSION = 20


@dataclass(frozen=True)
class Match:
    """Everything that a match depends on."""

    first: str
    second: str
    game: str = "holdem-nolimit"
    stack: float | None = None
    hands: int = 1000
    seed: int = 0
    duplicate: bool = False
    equity: bool = False
    aivat: bool = False
    to_the_end: bool = False  # then `hands` are games
    session: int = SESSION
    seconds: float | None = None  # per move
    log: bool = False  # keep records

    def __post_init__(self) -> None:
        put: dict[str, Any] = {name: as_text(getattr(self, name), name) for name in ("first", "second", "game")}
        put |= {
            field.name: as_truth(getattr(self, field.name), field.name)
            for field in fields(self)
            if field.default is False
        }
        put["hands"] = count()(whole(self.hands, "the number of hands", 1), "the number of hands")
        put["session"] = count(2)(whole(self.session, "the hands of a session", 2), "the hands of a session")
        put["seed"] = check_seed(self.seed)
        if self.stack is not None:
            finite(self.stack, "stack")
            put["stack"] = self.stack if isinstance(self.stack, int) else float(self.stack)
        if self.seconds is not None:
            put["seconds"] = positive(self.seconds, "the seconds of a move")
        for name, value in put.items():  # as JSON writes them
            object.__setattr__(self, name, value)
        if self.duplicate and (self.hands % 2 or self.session % 2):
            raise UserError(f"a duplicate match is played in pairs of hands: {self.hands} hands are an odd number")
        if self.to_the_end and (self.duplicate or self.equity or self.aivat):
            raise UserError("a match to the end changes stacks: leave out duplicate, equity and aivat")
        cards = is_card_game(self.game)
        if not cards:
            check_small(self.game)
        if not cards and (self.equity or self.to_the_end or self.log or self.stack is not None):
            raise UserError(f"{self.game} has no stacks and no all-in: leave out stack, equity, to-the-end and log")
        if cards and self.equity and self.table.draws:
            raise UserError(f"all-in equity leaves no room for discards: leave it out in {self.game}")

    @cached_property
    def table(self) -> Table:
        return make_table(self.game, self.stack)

    @property
    def sessions(self) -> int:
        return -(-self.hands // self._size)

    @property
    def _size(self) -> int:
        return GAMES_A_SESSION if self.to_the_end else self.session

    def part(self, session: int) -> range:
        """The hands (or games) of a session."""
        return range(session * self._size, min((session + 1) * self._size, self.hands))

    def agents(self) -> tuple[Agent, Agent]:
        return make_pair(self.first, self.second, self.table)

    def check(self) -> None:
        """Make everything once, so that mistakes are reported before the match."""
        if is_card_game(self.game):
            for agent in self.agents():
                agent.close()
        else:
            small_match(self)

    def arguments(self) -> dict[str, Any]:
        return asdict(self)


def small_match(match: Match) -> tuple[SmallGame, tuple[Policy, Policy]]:
    """A small game and both players' policies in it."""
    from headsup.games.catalogue.names import game as named

    game = named(match.game)
    if not isinstance(game, Game):
        raise UserError(f"{match.game} is too large for a match by information sets: choose a small one such as leduc")
    flat = SmallGame(game)
    return flat, (flat.policy(match.first), flat.policy(match.second))


@dataclass(frozen=True, eq=False)
class MatchResult:
    """The result of a match in big blinds per hand for the first player."""

    match: Match
    hands: int
    scores: dict[str, Floats]
    """By estimator: plain, equity, aivat; one number per hand (per game in matches to the end)."""
    faults: list[dict[str, Any]]
    lengths: Floats | None = None
    won: Floats | None = None
    stopped: bool = False

    @property
    def method(self) -> str:
        """The estimator of the reported mean."""
        return "aivat" if "aivat" in self.scores else "equity" if "equity" in self.scores else "plain"

    def values(self, method: str | None = None) -> Floats:
        """The independent samples of an estimator: hands, or means of pairs."""
        scores = self.scores[method or self.method]
        return scores[: len(scores) // 2 * 2].reshape(-1, 2).mean(axis=1) if self.match.duplicate else scores

    @cached_property
    def interval(self) -> ConfidenceInterval:
        """The mean per hand and its CI for a fixed sample size."""
        if self.lengths is None:
            return fixed(self.values())
        total = float(self.lengths.sum())
        mean = float(self.scores["plain"].sum()) / total if total else 0.0
        spread = fixed(self.scores["plain"] - mean * self.lengths)
        half = spread.half * len(self.lengths) / total if total else spread.half
        return ConfidenceInterval(mean, mean - half, mean + half, "student")

    @cached_property
    def anytime(self) -> ConfidenceInterval | None:
        """The anytime-valid CI; none for matches to the end."""
        if self.lengths is not None:
            return None
        bounds = None
        if self.method != "aivat" and is_card_game(self.match.game):
            stacks, unit, pot = self.match.table.betting.stacks, self.match.table.unit, self.match.table.betting.pot
            if max(stacks) < UNLIMITED:
                bounds = (-min(stacks) / unit, (min(stacks) + pot) / unit)
        planned = self.match.hands // 2 if self.match.duplicate else self.match.hands
        return anytime(self.values(), bounds, planned)

    def summary(self) -> dict[str, Any]:
        match, interval = self.match, self.interval
        summary: dict[str, Any] = {
            "agents": [match.first, match.second],
            "game": match.game,
            "stack_bb": match.stack,
            "hands": self.hands,
            "seed": match.seed,
            "mean_bb": interval.mean,
            "interval_bb": interval.bounds,
            "level": 0.95,
            "method": ("duplicate " if match.duplicate else "") + self.method,
            "estimates": {name: self._estimate(name) for name in self.scores},
            "faults": [sum(fault["player"] == player for fault in self.faults) for player in (0, 1)],
            "stopped": self.stopped,
        }
        if self.anytime is not None:
            watched = self.anytime
            summary |= {"anytime_bb": watched.bounds, "anytime_kind": watched.kind}
        if self.won is not None:
            wins = fixed(self.won)
            summary |= {
                "games": len(self.won),
                "won": wins.mean,
                "won_interval": wins.bounds,
            }
        return summary

    def _estimate(self, name: str) -> dict[str, Any]:
        values = self.values(name)
        interval, spread = fixed(values), float(values.std(ddof=1)) if len(values) > 1 else None
        return {"mean_bb": interval.mean, "interval_bb": interval.bounds, "sd_bb": spread}
