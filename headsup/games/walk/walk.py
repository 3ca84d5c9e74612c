"""Walking a game of betting, boards and showdowns: what every hand of a seat is worth at the root.

`Walker` walks strategies in arrays in compiled code, on any number of threads, and learns; values of the boards right
below the root are added up in order, so the result does not depend on threads. `headsup.games.walk.plain.PlainWalker`
does the same in NumPy; `headsup.games.walk.streaming.hand_values` asks any `Strategy` for its rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.holdem.four import FourCardSorted
from headsup.games.holdem.lanes import FEW
from headsup.games.holdem.layout import (
    BEST,
    BOTH,
    CLOSE,
    FINISH,
    LEARN,
    MIX,
    OPEN,
    RESPOND,
    SHARE,
    WHOLE,
    Alike,
    Learning,
    Rule,
    Store,
    WalkHands,
    WalkTask,
    new_showdown_buffers,
    new_workspace,
    showdown_bytes,
    workspace_bytes,
)
from headsup.games.holdem.packet import board_packet
from headsup.games.holdem.showdown import CardShowdown
from headsup.games.holdem.showdown_kernels import against_lines
from headsup.games.holdem.vector import ArrayStrategy, Strategy, VectorGame
from headsup.games.walk import kernels
from headsup.games.walk.streaming import Asking

Policy = tuple[AnyArray, AnyArray]
"""For each seat [boards, rows, hands] of every street in turn: shares are in proportion to what is positive."""

NO_RULE = Rule(1.0, 1.0, 0.0, False, False)


class Inside(NamedTuple):
    """What a walk sees on one board, at every node of its street."""

    values: Floats
    """[nodes, hands]: what each hand of the seat earns there, as `hand_values` counts; 0 at nodes of other streets."""
    reach: tuple[Floats, Floats]
    """[nodes, hands] for each player: the weight of each hand times how often its own actions lead there."""


def look_inside(
    game: VectorGame,
    strategy: Strategy,
    seat: int,
    boards: Sequence[int],
    threads: int = 1,
    known: AnyArray | None = None,
    walk: Asking | None = None,
) -> Inside:
    """What each hand earns inside the game when both follow the strategy, on the last board of a path from the root.

    `boards` are their numbers, street by street. Only the boards at and below the last one are walked, and none where
    the values of that board are `known`, [nodes of its street, hands]. `walk` is of an earlier look at the same
    strategy: boards that are open in it are not opened again.
    """
    s, walk = len(boards) - 1, Asking(game, strategy, seat, MIX) if walk is None else walk
    walk.seat = seat
    walk.go(boards)
    nodes = slice(int(game.rounds.start[s]), int(game.rounds.start[s + 1]))
    values, reach = np.zeros((game.betting.n_nodes, game.showdown.sizes[seat])), []
    for p in (0, 1):
        reach.append(np.zeros((game.betting.n_nodes, game.showdown.sizes[p])))
        reach[p][nodes] = walk.reach(s, p)[game.rounds.at[p, nodes]]
    if known is not None:
        values[nodes] = known
    elif s < 2 and isinstance(strategy, ArrayStrategy) and takes_kernels(game):  # the same, compiled
        played, policy = game, strategy.policy
        if s == 1:
            packet = board_packet(game, boards[1])
            played, policy = packet.game, packet.policy(game, policy)
        values[nodes] = Walker(played, threads=threads).node_values(policy, seat, street=s)
    else:
        walk.finish(s, boards[-1])
        values[nodes] = walk.workspace.value[nodes, : game.showdown.sizes[seat]]
    return Inside(values, (reach[0], reach[1]))


class ArrayWalker(ABC):
    """Walks strategies that lie in arrays."""

    game: VectorGame
    threads: int
    floor: float = 0.0
    """The least probability with which a best response takes every action; rules have that of walks that learn."""

    @property
    def layout(self) -> tuple[AnyArray, AnyArray]:
        """Where the streets of policies begin, for each player."""
        return self.game.layout

    @abstractmethod
    def walk(self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rule: Rule = NO_RULE) -> Floats:
        """One pass for a seat: the values of its hands at the root; with LEARN, the seat's store is updated.

        The store also holds where the streets of a policy begin. The cumulative strategy takes the seat's own reach
        times its weight, which is the same for all rows of a hand.
        """

    def iterate(self, policy: Policy, stores: tuple[Store, Store], rules: Sequence[Rule]) -> None:
        """Iterations, each with its rule: a walk that learns for player 0, then for player 1."""
        for rule in rules:
            for seat in (0, 1):
                self.walk(seat, LEARN, policy, stores, rule)

    def best_values(self, policy: Policy, held: Policy | None = None) -> tuple[float, float]:
        """What a best response of each seat earns against the policy; `held` as in `best_response`."""
        if held is not None:
            return self.best_response(policy, 0, held[0])[0], self.best_response(policy, 1, held[1])[0]
        return self._earned(policy, BEST)

    def values(self, policy: Policy) -> tuple[float, float]:
        """What each seat earns when both follow the policy."""
        return self._earned(policy, MIX)

    def best_response(self, policy: Policy, seat: int, held: AnyArray | None = None) -> tuple[float, AnyArray]:
        """What a best response of a seat earns against a policy, and the seat's part of one such response.

        `held` has the form of that part: hands with numbers of 0 or more play in proportion to them, those with numbers
        below 0 are free. The response has 1 for the best action of a free hand and 0 for its other actions.
        """
        start = np.full(len(policy[seat]), -1, policy[seat].dtype) if held is None else held
        stores, response = self._read_only(policy), self._near(start)
        mine = stores[seat]._replace(regret=response)
        values = self.walk(seat, RESPOND, policy, (mine, stores[1]) if seat == 0 else (stores[0], mine))
        return float(self.game.weights[seat] @ values), self._back(response)

    def _near(self, array: AnyArray) -> Any:
        """A copy of an array that a walk can write to."""
        return array.copy()

    def _back(self, array: Any) -> AnyArray:
        """What a walk has written, on the host."""
        return np.asarray(array)

    def _earned(self, policy: Policy, mode: int) -> tuple[float, float]:
        stores, rule = self._read_only(policy), NO_RULE._replace(floor=self.floor if mode == BEST else 0.0)
        a, b = (float(self.game.weights[p] @ self.walk(p, mode, policy, stores, rule)) for p in (0, 1))
        return a, b

    def _read_only(self, policy: Policy) -> tuple[Store, Store]:
        """Stores that hold only where the streets of a policy begin."""
        none, at = np.zeros(0, dtype=np.float32), self.layout
        first, second = (Store(policy[p], policy[p], policy[p][:0], none, none, at[p], at[p]) for p in (0, 1))
        return first, second


class Walker(ArrayWalker):
    """Workspace and threads to walk a hold'em game in compiled code, in one precision."""

    COPIED = 1 << 22
    """A policy of fewer numbers is copied into the precision of the workspace: compiling a kernel for another precision
    takes longer than thousands of copies."""

    def __init__(
        self,
        game: VectorGame,
        dtype: Any = np.float64,
        threads: int = 1,
        in_stages: bool = False,
        alike: Alike | None = None,
    ) -> None:
        """`in_stages`: buffers for walks in stages even on one thread (`stage`).

        `alike`: policies and stores have one column for all hands that are alike.
        """
        self.game, self.dtype, self.rounds, self.alike = game, np.dtype(dtype), game.rounds, alike
        self.hands = check_kernels(game) if alike is None else alike.hands
        sizes, sets = widths(game, alike is not None)
        self.tasks = len(game.boards.levels[1]) if game.streets > 1 and self.rounds.deals[1] else 0
        self.threads = min(max(1, int(threads)), max(1, self.tasks, shared_groups(game)))
        workers = self.threads if self.tasks else 1
        self._workspaces = [new_workspace(self.rounds, sizes, dtype, sets) for _ in range(workers)]
        self._showdowns = [new_showdown_buffers(0, sizes, dtype, sets) for _ in range(self.threads - workers)]
        entries = int(self.rounds.deals[1])
        self._parts = np.zeros((self.tasks if self.threads > 1 or in_stages else 0, entries, max(sizes)), dtype)
        self._nth = np.arange(entries, dtype=np.int32)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def walk(self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rule: Rule = NO_RULE) -> Floats:
        self._walk(seat, mode, policy, stores, [rule])
        return self.root_values(seat)

    @property
    def layout(self) -> tuple[AnyArray, AnyArray]:
        """That of the game, or of the columns that hands which are alike have together."""
        return self.game.layout if self.alike is None else self.alike.layout

    def root_values(self, seat: int) -> Floats:
        """What each hand of a seat earns at the root, by the last walk."""
        return np.asarray(self._each_hand(self._workspaces[0].value[:1], seat)[0])

    def _each_hand(self, value: AnyArray, seat: int) -> Floats:
        """[nodes, hands], from the columns of the root's board."""
        columns = slice(self.game.showdown.sizes[seat]) if self.alike is None else self.alike.columns(seat, 0)
        return np.array(value[:, columns], dtype=np.float64)

    def iterate(self, policy: Policy, stores: tuple[Store, Store], rules: Sequence[Rule]) -> None:
        """On one thread all of them are one call: small games spend longer in calls than in walks."""
        if self._pool is not None:
            super().iterate(policy, stores, rules)
        elif rules:
            self._walk(BOTH, LEARN, policy, stores, rules)

    def _walk(self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rules: Sequence[Rule]) -> None:
        if self._pool is None:
            self._enter()
            self._part(WHOLE, 0, seat, (0, self.tasks), *self._asked(mode, policy, stores, rules))
        else:
            for stage in (OPEN, SHARE, CLOSE if self.tasks else FINISH):
                self.stage(stage, seat, mode, policy, stores, rules[0])

    def stage(
        self,
        stage: int,
        seat: int,
        mode: int,
        policy: Policy,
        stores: tuple[Store, Store],
        rule: Rule,
        tasks: tuple[int, int] | None = None,
    ) -> None:
        """A part of a walk: OPEN the root, SHARE some of the boards right below it (all if left out), CLOSE the root.

        A caller that takes the boards below in several pieces may give each its own policy and stores.
        """
        asked = self._asked(mode, policy, stores, [rule])
        if stage == OPEN:
            self._enter()
        if stage == SHARE and not self.tasks:
            self._share_lines(seat)
        elif stage == SHARE:
            self._share(seat, tasks or (0, self.tasks), asked)
        else:
            self._part(stage, 0, seat, (0, self.tasks), *asked)

    def _earned(self, policy: Policy, mode: int) -> tuple[float, float]:
        return super()._earned(self.copied(policy), mode)

    def best_response(self, policy: Policy, seat: int, held: AnyArray | None = None) -> tuple[float, AnyArray]:
        """With a copy of the policy unless that is large, and in the precision of the policy."""
        near = self.copied(policy)
        start = None if held is None else held.astype(near[seat].dtype, copy=False)
        earned, response = super().best_response(near, seat, start)
        return earned, response.astype(policy[seat].dtype, copy=False)

    def copied(self, policy: Policy) -> Policy:
        """A policy in the precision of the workspace, unless it is large."""
        if policy[0].size + policy[1].size > self.COPIED:
            return policy
        return np.asarray(policy[0], dtype=self.dtype), np.asarray(policy[1], dtype=self.dtype)

    def _enter(self) -> None:
        for p in (0, 1):
            n, weights = int(self.hands.wide[p, 0]), self.game.weights[p]
            self._workspaces[0].reach[p][:n] = weights if self.alike is None else weights[self.alike.standing(p, 0)]

    def _asked(self, mode: int, policy: Policy, stores: tuple[Store, Store], rules: Sequence[Rule]) -> Any:
        if not stores[0].regret_scale.size:  # None lets the compiler drop all scaling
            bare = [store._replace(regret_scale=None, cumulative_scale=None) for store in stores]
            stores = bare[0], bare[1]
        steps = np.array([(*rule[:3], rule.floor) for rule in rules], dtype=self.dtype)
        return mode, Learning(policy, stores, rules[0], steps)

    def _part(self, stage: int, t: int, seat: int, boards: tuple[int, int], mode: int, learning: Learning) -> None:
        task, parts = WalkTask(stage, mode, seat, boards[0] + t, self.threads), self._parts[: boards[1]]
        kernels.walk_part(task, self.rounds, self.hands, learning, self._workspaces[t], parts, self._nth)

    def _share(self, seat: int, tasks: tuple[int, int], asked: Any) -> None:
        """The boards below the root; the first worker continues in the root's workspace."""
        root = self._workspaces[0]
        for workspace in self._workspaces[1:]:
            for p in (0, 1):
                size = int(root.reach_at[p, 1])
                workspace.reach[p][:size] = root.reach[p][:size]

        def work(t: int) -> None:
            self._part(SHARE, t, seat, tasks, *asked)

        self.share_out(work)

    def _share_lines(self, seat: int) -> None:
        """The showdowns of a game's only board, which was opened: FEW lines at a time, and each worker in turn."""
        root, rounds, opponent = self._workspaces[0], self.rounds, 1 - seat
        rows, columns = int(rounds.entries[1] + rounds.rows[opponent, 0]), int(self.hands.wide[opponent, 0])
        reach = root.reach[opponent][: rows * columns].reshape(rows, columns)
        lines = rounds.lines[rounds.first_line[seat, 0] : rounds.first_line[seat, 1]]

        def work(t: int) -> None:
            for low in range(t * FEW, len(lines), self.threads * FEW):
                own = root.showdown if t == 0 else self._showdowns[t - 1]
                buffers = own._replace(beaten=root.showdown.beaten[low:], met=root.showdown.met[low:])
                shown = max(0, int(rounds.showdowns[seat, 0]) - low)
                against_lines(reach, lines[low : low + FEW], min(FEW, shown), self.hands, 0, seat, buffers)

        self.share_out(work)

    def share_out(self, work: Callable[[int], None]) -> None:
        """One call for each thread, with its number."""
        if self._pool is None:
            work(0)
        else:
            list(self._pool.map(work, range(self.threads)))

    def below_root(
        self,
        seat: int,
        mode: int,
        reach: tuple[Floats, Floats],
        policy: Policy,
        stores: tuple[Store, Store],
        rule: Rule = NO_RULE,
    ) -> Floats:
        """[deals, hands]: what a seat's hands earn below the deals of the first street, given both players' reach.

        `reach` has [entries + rows, hands] for each player, as walks have it. With LEARN, stores are updated below.
        The walker must have been made `in_stages`.
        """
        if mode != LEARN and self.dtype == np.float64:  # numbers of a solver in single precision are measured in double
            near = self.copied(policy)
            if near is not policy:
                policy, stores = near, self._read_only(near)
        for p in (0, 1):
            self._workspaces[0].reach[p][: reach[p].size] = reach[p].ravel()
        self.stage(SHARE, seat, mode, policy, stores, rule)
        showdown, level = self.game.showdown, self.game.boards.levels[1]
        out = np.zeros((int(self.rounds.deals[1]), showdown.sizes[seat]))
        for board in range(len(level)):
            for renaming in level.renamings(board):
                out += self._parts[board][:, showdown.renamed(seat, int(renaming))]
        return out

    def node_values(self, policy: Policy, seat: int, best: bool = False, street: int = 0) -> Floats:
        """[nodes of a street, hands]: what each hand of a seat earns there when both follow the policy, or by its best
        response. The street is the first, or the second where that has one board, whose values are left in the
        workspace.
        """
        policy = self.copied(policy)
        self.walk(seat, BEST if best else MIX, policy, self._read_only(policy))
        nodes = slice(int(self.rounds.start[street]), int(self.rounds.start[street + 1]))
        return self._each_hand(self._workspaces[0].value[nodes], seat)

    def two_streets(self, policy: Policy, seat: int) -> tuple[Floats, AnyArray]:
        """`node_values` of the first street, and of every board of the second: [boards, nodes, hands], in float32."""
        policy = self.copied(policy)
        asked = seat, MIX, policy, self._read_only(policy), NO_RULE
        nodes, hands = slice(*self.rounds.start[1:3].tolist()), self.game.showdown.sizes[seat]
        values = np.zeros((self.tasks, nodes.stop - nodes.start, hands), np.float32)
        self.stage(OPEN, *asked)
        for low in range(0, self.tasks, self.threads):
            high = min(low + self.threads, self.tasks)
            self.stage(SHARE, *asked, tasks=(low, high))
            for board in range(low, high):  # each worker has its board's values in its workspace
                values[board] = self._workspaces[board - low].value[nodes, :hands]
        self.stage(CLOSE, *asked)
        return self._each_hand(self._workspaces[0].value[: nodes.start], seat), values


def takes_kernels(game: VectorGame) -> bool:
    """Whether the compiled walk takes a game: hands of cards, and no private moves of chance (but swaps)."""
    return isinstance(game.showdown, CardShowdown) and not game.moves


def check_kernels(game: VectorGame, device: str = "cpu") -> WalkHands:
    """The arrays of a game that the compiled walk takes; others are refused."""
    if device == "gpu" and game.betting.rules.swaps:
        raise UserError(f"{game} has swaps, which are walked on the CPU: leave out device 'gpu'")
    if not isinstance(game.showdown, CardShowdown) or game.moves:
        what = "private moves of chance" if game.moves else "no sorted showdown"
        raise UserError(f"{game} has {what}, so it is walked in NumPy: leave out device 'gpu', or use PlainWalker")
    return game.showdown.arrays


def sets_of(game: VectorGame) -> int:
    """How many sets of cards a workspace must count four-card hands by (`new_workspace`)."""
    return game.showdown.sets if isinstance(game.showdown, CardShowdown) else 0


def shared_groups(game: VectorGame) -> int:
    """How many groups of lines threads may share: those of a game of one board and four-card hands, which take long."""
    lines = int(np.diff(game.rounds.first_line[:, :2], axis=1).max(initial=0))
    return -(-lines // FEW) if sets_of(game) and game.streets == 1 else 0


def widths(game: VectorGame, alike: bool = False) -> tuple[tuple[int, int], int]:
    """The most columns of each player that a board has, and `sets_of`; `alike`: hands that are alike share a column."""
    if alike and isinstance(game.showdown, FourCardSorted):
        return game.showdown.widths, game.showdown.set_kinds
    return game.showdown.sizes, sets_of(game)


def walker_bytes(game: VectorGame, dtype: Any, threads: int, alike: bool = False) -> int:
    """What a `Walker` will take, before it is made."""
    entries, (sizes, sets) = int(game.rounds.deals[1]), widths(game, alike)
    tasks = game.boards.sizes()[1] if entries and game.streets > 1 else 0
    cells = tasks * entries * max(sizes)
    workspaces = min(threads, max(1, tasks)) * workspace_bytes(game.rounds, sizes, dtype, sets)
    more = max(0, min(threads, shared_groups(game)) - 1) * showdown_bytes(sizes, dtype, sets)
    return int(workspaces + more + cells * np.dtype(dtype).itemsize)


__all__ = ["BEST", "LEARN", "MIX", "RESPOND", "Inside", "Policy", "Walker", "look_inside", "walker_bytes"]
