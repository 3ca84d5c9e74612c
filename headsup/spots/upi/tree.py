"""The tree that the protocol works on: a spot with strategies that can be looked at, changed, locked and solved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import cores
from headsup.common.errors import UserError
from headsup.common.progress import Watch
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import VectorGame
from headsup.measure.exploit import measure
from headsup.measure.measurement import Measurement
from headsup.solve.records.solution import Locks
from headsup.spots.lock_text import alike, locks_of, locks_of_rows
from headsup.spots.solve import SpotSolution, solve_spot
from headsup.spots.upi.nodes import NodeNames, TreePlace
from headsup.spots.upi.numbers import HANDS
from headsup.spots.view import PLAYERS, ViewCache, possible_hands

INFO = "tree_info"  # the key of the protocol's information lines in a record's parameters
SHARE = 1e-6  # a locked hand's probabilities may add up to less by this much


class Weighed(NamedTuple):
    """Figures of the 1,326 hands, and how much weight of matchups each has."""

    figures: Floats  # [1326] nan for hands that are not there
    matchups: Floats  # [1326] the hand's reach times the opponent's reach that it can meet

    @property
    def mean(self) -> float:
        some = self.matchups > 0.0
        total = float(self.matchups[some].sum())
        return float(self.matchups[some] @ self.figures[some]) / total if total else float("nan")


class SolvedTree:
    """A spot that is being solved. Hands are numbered in the protocol's order, actions from the greatest bet down."""

    def __init__(self, spot: Spot, solution: SpotSolution | None = None, info: Sequence[str] = ()) -> None:
        if spot.swaps or spot.variant:
            raise UserError("the protocol is for hold'em without swaps: look at this spot with  headsup look")
        self.spot, self.info = spot, list(info)
        self._solution = solution
        self._measured: Measurement | None = None

    @classmethod
    def load(cls, path: str) -> SolvedTree:
        solution = SpotSolution.load(path)
        return cls(solution.spot, solution, [str(line) for line in solution.solution.params.get(INFO, ())])

    def save(self, path: str, regrets: bool) -> None:
        measured, solution = self.measured, self.solution
        record = replace(
            solution.solution,
            params={**solution.solution.params, INFO: self.info},
            value=measured.value,
            exploitability=measured.exploitability,
            epsilon=measured.epsilon,
            best=measured.best,
            exploitability_locked=self._within_locks(),
        )
        SpotSolution(self.spot, record).save(path, regrets=regrets)

    @property
    def solution(self) -> SpotSolution:
        """The strategies so far; before the first iteration every action is equally likely."""
        if self._solution is None:
            self._take(solve_spot(self.spot, None, iterations=0))
        assert self._solution is not None
        return self._solution

    @cached_property
    def game(self) -> VectorGame:
        return self.solution.game if self._solution is not None else self.spot.game()

    @cached_property
    def names(self) -> NodeNames:
        return NodeNames(self.game)

    @cached_property
    def showdown(self) -> Sorted:
        assert isinstance(self.game.showdown, Sorted)
        return self.game.showdown

    @cached_property
    def cache(self) -> ViewCache:
        return ViewCache(self.game, self.solution.strategy, cores())

    @property
    def locks(self) -> Locks:
        return Locks.none() if self._solution is None else self._solution.locks

    def solve(self, progress: Watch, threads: int | None, device: str, **limits: Any) -> None:
        """Iterate until a limit is met (`target`, `seconds`, or `steps` more) or until asked to stop."""
        known = self._solution
        options: dict[str, Any] = {"threads": threads, "device": device, "progress": progress}
        options["seconds"] = limits.get("seconds")
        if "steps" in limits:
            options["iterations"] = limits["steps"] + (0 if known is None else known.iterations)
        solve = partial(solve_spot, self.spot) if known is None else known.resume
        self._take(solve(limits.get("target"), **options))

    def _take(self, solution: SpotSolution) -> None:
        """Strategies to continue with; comparisons of hands are kept."""
        cache: ViewCache | None = self.__dict__.pop("cache", None)
        self._solution, self._measured = solution, None
        if cache is not None and cache.game is solution.game:
            self.cache = cache.playing(solution.strategy)
        elif solution.game is not self.__dict__.get("game"):
            for key in ("game", "names", "showdown"):
                self.__dict__.pop(key, None)

    @property
    def measured(self) -> Measurement:
        """What the strategies are worth, and their best responses."""
        if self._measured is None:
            self._measured = measure(self.game, self.solution.strategy, threads=cores())
        return self._measured

    def _within_locks(self) -> float | None:
        if not self.locks:
            return None
        held = self.locks.held(self.solution.solution.strategy)
        return measure(self.game, self.solution.strategy, threads=cores(), held=held).exploitability

    def strategy(self, place: TreePlace) -> Floats:
        """[actions, 1326]: the frequency of each action; 0 for hands that are not in the range."""
        seat, rows = self._rows(place)
        return np.stack([self._spread(place, seat, row, 0.0) for row in rows[::-1]])

    def _rows(self, place: TreePlace) -> tuple[int, Floats]:
        """The player to act and [actions, hands] in the order of the stored board."""
        seat = int(self.game.betting.player[place.node])
        if seat >= DEAL:
            raise UserError(f"nobody acts at {place.name}: it is {self.names.kind(place.node)}")
        board = self.game.board(place.street, place.path.boards[-1])
        return seat, alike(self.game, seat, self.solution.strategy.rows(place.node, board), place.path)

    def reach(self, seat: int, place: TreePlace) -> Floats:
        """[1326]: the weight of each hand in the range times how often its own actions lead there."""
        return self._spread(place, seat, self.cache.inside(seat, place.path.boards).reach[seat][place.node], 0.0)

    def ev(self, seat: int, place: TreePlace) -> Weighed:
        """Expected chips since the root: what a hand wins from the pot less what it pays."""
        own, met = self._reached(seat, place)
        seen = self.cache.inside(seat, place.path.boards)
        with np.errstate(invalid="ignore", divide="ignore"):
            value = seen.values[place.node] * (self.game.mass / self.game.chance[place.street]) / met
        return self._weighed(place, seat, np.where(met > 0.0, value, np.nan), own * met)

    def equity(self, seat: int, place: TreePlace) -> Weighed:
        """Equity against the opponent's hands there, without further betting."""
        own, met = self._reached(seat, place)
        other = self.cache.inside(seat, place.path.boards).reach[1 - seat][place.node]
        with np.errstate(invalid="ignore", divide="ignore"):
            value = self.cache.won(seat, place.path.boards, other, met) / met
        return self._weighed(place, seat, np.where(met > 0.0, value, np.nan), own * met)

    def frequency(self, place: TreePlace) -> float:
        """How often a place is reached, of all deals and boards."""
        own, met = self._reached(0, place)
        weight = self._spread(place, 0, own * met, 0.0).sum()
        return float(weight * self.game.chance[place.street] / self.game.mass)

    def line_frequency(self, node: int) -> float:
        """How often the actions that lead to a node of the betting are taken, on any turn and river."""
        betting = self.game.betting
        while node and betting.player[int(betting.parent[node])] >= DEAL:
            node = int(betting.parent[node])
        if node == 0:
            return 1.0
        parent = int(betting.parent[node])
        taken = self.solution.taken.get(parent)
        return 0.0 if taken is None else float(taken[node - int(betting.child[parent])])

    def _reached(self, seat: int, place: TreePlace) -> tuple[Floats, Floats]:
        """The hand's own reach, and the opponent's reach that it can meet, on the stored board."""
        seen = self.cache.inside(seat, place.path.boards)
        other = seen.reach[1 - seat][place.node]
        met = self.showdown.lines(seat, place.street, place.path.boards[-1], other[None], 0)[1][0]
        return seen.reach[seat][place.node], met

    def _weighed(self, place: TreePlace, seat: int, figures: Floats, matchups: Floats) -> Weighed:
        return Weighed(self._spread(place, seat, figures, np.nan), self._spread(place, seat, matchups, 0.0))

    def _spread(self, place: TreePlace, seat: int, values: Floats, fill: float) -> Floats:
        mine, there = self._hands(place, seat)
        out = np.full(HANDS, fill)
        out[self.showdown.hands[seat][mine]] = values[there]
        return out

    def _hands(self, place: TreePlace, seat: int) -> tuple[AnyArray, AnyArray]:
        alive = self.showdown.alive(seat, place.street, place.path.boards[-1])
        return possible_hands(self.showdown, seat, alive, place.path)

    def set_strategy(self, place: TreePlace, rows: Floats) -> None:
        """Play these frequencies from now on, [actions, 1326]; solving changes them unless they are locked."""
        seat, _ = self._rows(place)
        mine, _ = self._hands(place, seat)
        chosen = rows[::-1, self.showdown.hands[seat][mine]]
        total = chosen.sum(axis=0)
        if (total <= SHARE).any():
            hand = self.showdown.names(seat)[int(mine[int(np.argmin(total))])]
            raise UserError(f"the frequencies of {hand} at {place.name} are all 0: give it at least one action")
        self._play(locks_of_rows(self.game, place.line, chosen / total))

    def lock(self, place: TreePlace, hands: AnyArray | None = None) -> None:
        """Keep the strategy of a decision as it is, for all hands or for those of a mask, [1326]."""
        seat, rows = self._rows(place)
        if hands is None:
            held = self.locks | locks_of(self.game, f"{place.line} | as is", self.cache)
        else:
            mine, there = self._hands(place, seat)
            free = ~hands[self.showdown.hands[seat][mine]]
            held = self.locks | locks_of_rows(self.game, place.line, np.where(free, np.nan, rows[:, there]))
        self._take(SpotSolution(self.spot, replace(self.solution.solution, locks=held, form=self.game)))

    def unlock(self, place: TreePlace) -> None:
        """Let a decision learn again."""
        seat, _ = self._rows(place)
        cells = self._cells(place, seat)
        held = self.locks
        kept = [~np.isin(held.cells[s], cells) if s == seat else np.ones(len(held.cells[s]), bool) for s in (0, 1)]
        free = Locks(
            (held.cells[0][kept[0]], held.cells[1][kept[1]]),
            (held.probabilities[0][kept[0]], held.probabilities[1][kept[1]]),
            tuple(text for text in held.texts if text.partition("|")[0].strip() != place.line),
        )
        self._take(SpotSolution(self.spot, replace(self.solution.solution, locks=free or None, form=self.game)))

    def best_response(self, seat: int) -> None:
        """Let a player play the best response to the opponent's strategy from now on."""
        self._take(self.solution.exploit(PLAYERS[seat]).solution)

    def forget(self) -> None:
        """Drop what earlier answers have computed."""
        self.__dict__.pop("cache", None)

    @property
    def iterations(self) -> int:
        return 0 if self._solution is None else self._solution.iterations

    def locked_hands(self, place: TreePlace) -> Floats:
        """[1326] 1 for hands that are locked there, else 0."""
        seat, rows = self._rows(place)
        held = np.isin(self._cells(place, seat).reshape(rows.shape)[0], self.locks.cells[seat])
        return self._spread(place, seat, held.astype(np.float64), 0.0)

    def is_locked(self, place: TreePlace) -> bool:
        seat = int(self.game.betting.player[place.node])
        return (
            seat < DEAL and bool(self.locks) and bool(np.isin(self._cells(place, seat), self.locks.cells[seat]).any())
        )

    def _cells(self, place: TreePlace, seat: int) -> AnyArray:
        """Where a decision's numbers lie in the seat's arrays."""
        count, hands = int(self.game.betting.count[place.node]), self.showdown.sizes[seat]
        every = Locks.at(
            self.game, place.node, [place.path.boards[-1]], [np.zeros((count, hands))], [np.ones(hands, bool)], ""
        )
        return every.cells[seat]

    def _play(self, changes: Locks) -> None:
        """Write probabilities into the strategies."""
        policy = self.solution.solution.strategy
        if not self.__dict__.get("_own"):
            policy, self._own = (policy[0].copy(), policy[1].copy()), True
        for seat in (0, 1):
            policy[seat][changes.cells[seat]] = changes.values(seat, policy[seat].dtype)
        self._take(SpotSolution(self.spot, replace(self.solution.solution, strategy=policy, form=self.game)))
