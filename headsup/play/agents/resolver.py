"""Re-solving at the table: the rest of a hand is solved on the real cards, from ranges that a blueprint implies.

A `Resolver` solves the street `first` and those after it as its menus say; on earlier streets, and for hands that its
solution leaves out, the blueprint plays. Solutions depend on public actions and cards alone and are kept.
"""

from __future__ import annotations

import time
from abc import abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeVar

import numpy as np

from headsup.cards.combos import HOLDEM_COUNT, colex
from headsup.common.arrays import Floats
from headsup.games.betting.rules import DEAL, FLOP, TURN, Move
from headsup.play.agents.strategy import normalised
from headsup.play.agents.subgame import (
    Source,
    Subgame,
    SubgameTask,
    alternative_below,
    child_after,
    pruned,
    solve_subgame,
)
from headsup.play.table.agent import ActionProbabilities, Mixed, row_of
from headsup.play.table.real import free_of
from headsup.play.table.rules import BOARD, CALLS, FOLDS, Action, PastAction, PlayerView

T = TypeVar("T")
SOLVING = 0.75  # the fraction of a move's time limit after which no iteration starts
KEPT, KEPT_FLOPS = 24, 2  # cached solutions; a flop's takes a gigabyte
SubgameNode = tuple[Subgame, int, Floats]  # a subgame, a node, and the weights of the player's hands there


class Resolver(Mixed):
    """Plays a blueprint and solves the last streets at the table."""

    safe = True  # whether the opponent's hands keep what they had in the blueprint or in the solution before
    first = TURN
    menus: Mapping[int, str]  # of bets, by the street that is solved
    flop_device: str | None = None  # where a flop is solved

    def __init__(self) -> None:
        self._kept: OrderedDict[Any, Subgame] = OrderedDict()
        self._flops: OrderedDict[Any, Subgame] = OrderedDict()
        self._tasks: OrderedDict[Any, SubgameTask] = OrderedDict()
        self._until: float | None = None

    @abstractmethod
    def unsolved(self, view: PlayerView) -> ActionProbabilities:
        """The blueprint's probabilities."""

    @abstractmethod
    def unsolved_range(self, view: PlayerView) -> dict[Action, Floats]:
        """The blueprint's `range_probabilities`."""

    def unsolved_hands(self, view: PlayerView, action: Action) -> Floats:
        """The blueprint's `hand_probabilities`."""
        row = self.unsolved_range(view).get(action)
        return np.zeros(HOLDEM_COUNT) if row is None else row

    @abstractmethod
    def _from_blueprint(self, view: PlayerView, before: tuple[PastAction, ...], board: tuple[int, ...]) -> SubgameTask:
        """The first street that is solved, with the blueprint's ranges."""

    def is_solved(self, view: PlayerView) -> bool:
        return view.street >= self.first

    def has_hand(self, view: PlayerView) -> bool:
        """Whether the player's hand is in the solution; on streets that are not solved it always is."""
        return not self.is_solved(view) or bool(self._now(view)[1][:, colex(sorted(view.hole))].sum() > 0.0)

    def before(self, view: PlayerView) -> tuple[PastAction, ...]:
        """What was done before the betting of the first street that is solved."""
        return tuple(step for step in view.steps if step.street < self.first)

    def bets(self, view: PlayerView, street: int) -> tuple[PastAction, ...]:
        """The betting of a street."""
        return tuple(step for step in view.steps if step.street == street)

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """The blueprint's row for hands that the subgame leaves out."""
        if not self.is_solved(view):
            return self.unsolved(view)
        actions, rows = self._now(view)
        row = rows[:, colex(sorted(view.hole))]
        return normalised(actions, row.tolist()) if row.sum() > 0.0 else self.unsolved(view)

    def hand_probabilities(self, view: PlayerView, action: Action) -> Floats:
        if not self.is_solved(view):
            return self.unsolved_hands(view, action)
        actions, rows = self._now(view)
        played = row_of(action, actions, rows)
        total = rows.sum(axis=0)
        known = total > 0.0
        if not known.all():
            played = np.where(known, played / np.where(known, total, 1.0), self.unsolved_hands(view, action))
        return np.where(free_of(view.board), played, 0.0)

    def range_probabilities(self, view: PlayerView) -> dict[Action, Floats]:
        """Also the blueprint's actions, which hands that the subgame leaves out take."""
        blueprint = self.unsolved_range(view)
        if not self.is_solved(view):
            return blueprint
        actions = dict.fromkeys([*self._now(view)[0], *blueprint])
        return {action: self.hand_probabilities(view, action) for action in actions}

    def _now(self, view: PlayerView) -> tuple[list[Action], Floats]:
        """The actions at a decision of a street that is solved, and each hand's row."""
        rest, node, _ = self._place(view)
        tree, legal, actions = rest.tree, view.legal, []
        for child in tree.children(node):
            kind = int(tree.kind[child])
            if kind == Move.FOLD:
                actions.append(FOLDS)
            else:
                actions.append(CALLS if kind in (Move.CHECK, Move.CALL) else legal.bet(int(tree.amount[child])))
        return actions, rest.rows(node, view.board)

    def _place(self, view: PlayerView) -> SubgameNode:
        """Where a decision is in the solved subgames."""
        *_, place = self._places(view)
        return place

    def _places(self, view: PlayerView) -> Iterator[SubgameNode]:
        """Where the betting of each solved street ended, and where the decision is on the last one."""
        self._until = None if self.seconds is None else time.monotonic() + SOLVING * self.seconds
        place, key = self._at_first(view)
        yield place
        for street in range(self.first + 1, view.street + 1):
            board, done = view.board[: BOARD[street]], self.bets(view, street)
            opened = self._opened(done, view)
            start = (key, self.bets(view, street - 1), board)
            key = (start, opened)
            make = partial(self._below, place, board)
            rest = self._solved(key, partial(self._solve_street, start, opened, make))
            place = self._along(key, rest, done)
            yield place

    def _at_first(self, view: PlayerView) -> tuple[SubgameNode, Any]:
        """The place on the first street that is solved, and the key of its solution."""
        before = self.before(view)
        board, done = view.board[: BOARD[self.first]], self.bets(view, self.first)
        opened = self._opened(done, view)
        start = (view.seat, board, before)
        key: Any = (*start, opened)
        make = partial(self._from_blueprint, view, before, board)
        rest = self._solved(key, partial(self._solve_street, start, opened, make))
        return self._along(key, rest, done), key

    def _solve_street(self, start: Any, opened: tuple[Action, ...], make: Callable[[], SubgameTask]) -> Subgame:
        """Solve a street. What it begins with is the same for all opening bets, and takes a quarter of the time."""
        if start not in self._tasks:
            keep_last(self._tasks, start, make(), KEPT)
        return self._solve(self._tasks[start]._replace(opened=opened))

    def _opened(self, done: tuple[PastAction, ...], view: PlayerView) -> tuple[Action, ...]:
        """Actions of a street that are in its tree from the start: the bet with which the opponent opened it."""
        return tuple(step.action for step in done[:1] if step.seat != view.seat and step.action.kind == "r")

    def _solved(self, key: Any, solve: Callable[[], Subgame]) -> Subgame:
        for kept in (self._kept, self._flops):
            if key in kept:
                kept.move_to_end(key)
                return kept[key]
        solution = solve()  # may itself cache others
        kept, most = (self._flops, KEPT_FLOPS) if len(solution.board) == BOARD[FLOP] else (self._kept, KEPT)
        keep_last(kept, key, solution, most)
        return solution

    def _solve(self, task: SubgameTask) -> Subgame:
        street = BOARD.index(len(task.board))
        return solve_subgame(task, self.menus[street], self._until, self.flop_device if street == FLOP else None)

    def _below(self, place: SubgameNode, board: tuple[int, ...]) -> SubgameTask:
        """The next street, from the solution of the one before."""
        rest, deal, mine = place
        seat = rest.seat
        paid = rest.tree.paid[deal].tolist()
        pot, left = rest.rules.pot + sum(paid), [rest.rules.stacks[p] - paid[p] for p in (0, 1)]
        rules = type(rest.rules)(
            first=rest.rules.first[1:], stacks=(left[0], left[1]), pot=pot, min_bet=rest.rules.smallest
        )
        mine, theirs = pruned(mine, board), self._theirs(rest, deal, board)
        source, entry = self._source_below(rest, deal)
        known = self.safe and source.tree.player[entry] < DEAL
        alternative = alternative_below(source, entry, board, seat, mine, pot) if known else None
        return SubgameTask(seat, board, rules, (), mine, theirs, alternative)

    def _source_below(self, rest: Subgame, deal: int) -> tuple[Source, int]:
        """A strategy for the street after a deal, and its node there."""
        return rest, int(rest.tree.child[deal])

    def _theirs(self, rest: Subgame, node: int, board: tuple[int, ...]) -> Floats:
        """The weights of the opponent's hands at a node of a subgame's first street."""
        tree, other, weights = rest.tree, 1 - rest.seat, rest.theirs
        for above, choice in reversed(tree.choices_to(node)):
            if tree.player[above] == other:
                played = weights * rest.rows(above, rest.board)[choice]
                weights = played if played.max() > 0.0 else weights  # otherwise no hand would have done it
        return pruned(weights, board)

    def _along(self, key: Any, rest: Subgame, done: tuple[PastAction, ...]) -> SubgameNode:
        """Follow a street's actions through a subgame; an unknown action starts a new subgame.

        A flop has no gadget, which says which hands make such a bet. It is solved again from its start.
        """
        node, mine = 0, rest.mine
        for i, step in enumerate(done):
            total = step.action.amount if step.action.kind == "r" else -1
            after = child_after(rest.tree, node, total)
            if after is None:
                path = tuple(earlier.action for earlier in done[: i + 1])
                if len(rest.board) == BOARD[FLOP]:
                    again = SubgameTask(
                        rest.seat, rest.board, rest.rules, (), rest.mine, rest.theirs, None, path, rest.start
                    )
                    return self._along((key, path), self._solved((key, path), partial(self._solve, again)), done)
                known, at, held = rest, node, mine
                rest = self._solved((key, path), lambda: self._solve_after(known, at, held, path))  # noqa: B023 - called at once
                node, mine = 0, rest.mine
                continue
            if step.seat == rest.seat:
                played = mine * rest.rows(node, rest.board)[after - int(rest.tree.child[node])]
                mine = played if played.max() > 0.0 else mine  # otherwise no hand would have done it
            node = after
        return rest, node, mine

    def _solve_after(self, rest: Subgame, node: int, mine: Floats, path: tuple[Action, ...]) -> Subgame:
        """Solve what follows an action that the subgame does not have."""
        most = float(mine.max())
        kept = pruned(mine, rest.board)
        alternative = rest.alternative(node) / most if self.safe else None
        theirs = self._theirs(rest, node, rest.board)
        return self._solve(SubgameTask(rest.seat, rest.board, rest.rules, path, kept, theirs, alternative))


def keep_last(kept: OrderedDict[Any, T], key: Any, value: T, most: int) -> None:
    """Add a value, and drop the oldest if there are more than so many."""
    kept[key] = value
    while len(kept) > most:
        kept.popitem(last=False)
