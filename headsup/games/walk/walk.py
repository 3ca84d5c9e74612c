"""Walking a game of betting, boards and showdowns: what every hand of a seat is worth at the root.

Three drivers over the same kernels (`headsup.games.walk.kernels`):

- `hand_values` asks a `Strategy` for its rows, board by board, and takes any showdown: how everything is measured;
  `look_inside` keeps what it passes on one board.
- `headsup.games.walk.plain.PlainWalker` goes the same way with strategies that lie in arrays, and learns.
- `Walker` walks strategies that lie in arrays, in compiled code, on as many threads as asked; it is what solvers run,
  and what measures their strategies. The boards right below the root are shared out among the threads, and their
  values added up in order afterwards, so the answer does not depend on how many threads there are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import AnyArray, Floats
from headsup.common.errors import UserError
from headsup.games.holdem.alike import Alike
from headsup.games.holdem.boardlist import board_counts
from headsup.games.holdem.layout import (
    BEST,
    BOTH,
    CLOSE,
    LEARN,
    MIX,
    OPEN,
    REPLY,
    SHARE,
    WHOLE,
    Hands,
    Rule,
    Store,
    new_workspace,
    workspace_bytes,
)
from headsup.games.holdem.moves import PrivateMove
from headsup.games.holdem.packet import board_packet
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import ArrayStrategy, Place, Strategy, VectorGame, decisions
from headsup.games.walk import kernels

Policy = tuple[AnyArray, AnyArray]
"""For each seat [boards, rows, hands] of every street in turn: shares are in proportion to what is positive."""

TOLERANCE = 1e-6
"""How far the shares of a hand may add up beside 1: strategies may come in float32."""
NO_CARDS = np.zeros((0, 2), dtype=np.uint8)
NO_RULE = Rule(1.0, 1.0, 0.0, False, False)


def hand_values(game: VectorGame, strategy: Strategy, seat: int, best: bool = False) -> Floats:
    """What each hand of a seat earns when both follow the strategy, or when the seat plays its best reply.

    The opponent's weights and chance are in the values; the seat's own weights are not, so that the expected value of
    the game is `game.weights[seat] @ values`.
    """
    if seat not in (0, 1):
        raise UserError(f"a seat is 0 or 1, not {seat}")
    walk = Asking(game, strategy, seat, BEST if best else MIX)
    walk.board(0, 0)
    return np.array(walk.workspace.value[0, : game.showdown.sizes[seat]])


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


class Streaming(ABC):
    """One walk, board by board; one workspace, whatever the number of boards. Any showdown, and private moves of
    chance."""

    def __init__(self, game: VectorGame, seat: int, mode: int) -> None:
        self.game, self.seat, self.mode = game, seat, mode
        self.rounds, self.sizes = game.rounds, game.showdown.sizes
        self.workspace = new_workspace(self.rounds, self.sizes)
        self.own: Floats | None = None
        self.path: tuple[int, ...] = ()

    def count_own(self) -> Floats:
        """[hands]: from now on, whatever the mode, it adds up what the seat's hands earn by its own strategy where
        betting ends; by the seat's weights, how often they get there, and how many boards each board stands for.
        """
        self.own = np.zeros(self.sizes[self.seat])
        self._counts = [board_counts(self.game.boards, s) for s in range(self.game.streets)]
        return self.own

    @abstractmethod
    def play(self, s: int, b: int, p: int, sigma: Floats) -> None:
        """Put a player's strategy on a board into `sigma`, [rows, hands]."""

    @abstractmethod
    def learn(self, s: int, b: int) -> None:
        """What to do on a board when the values of its nodes are known."""

    def reach(self, s: int, p: int) -> Floats:
        """A player's reach on a street."""
        low, rows = int(self.workspace.reach_at[p, s]), self._entries(s) + int(self.rounds.rows[p, s])
        return np.asarray(self.workspace.reach[p][low : low + rows * self.sizes[p]].reshape(rows, self.sizes[p]))

    def sigma(self, s: int, p: int) -> Floats:
        """A player's strategy on a street."""
        low, rows = int(self.workspace.sigma_at[p, s]), int(self.rounds.rows[p, s])
        return np.asarray(self.workspace.sigma[p][low : low + rows * self.sizes[p]].reshape(rows, self.sizes[p]))

    def board(self, s: int, b: int) -> None:
        """Walk a board and all below it; its room then has the values of its entries."""
        self.open(s, b)
        self.below(s, b)
        self.close(s, b)

    def go(self, boards: Sequence[int]) -> None:
        """Open the boards of a path from the root, those that are not open already."""
        same = 0
        while same < min(len(boards), len(self.path)) and boards[same] == self.path[same]:
            same += 1
        self.path = ()
        for street in range(same, len(boards)):
            self.open(street, boards[street])
        self.path = tuple(boards)

    def finish(self, s: int, b: int) -> None:
        """Walk all below a board that was opened, maybe for another seat, and that board up to its entries."""
        self.workspace.value[self._deals(s)] = 0.0
        self.below(s, b)
        self.close(s, b)

    def below(self, s: int, b: int) -> None:
        """Walk the boards below one that was opened; its deals then have their values."""
        if self.rounds.deals[s + 1] > self.rounds.deals[s]:
            for child in self.game.boards.levels[s].children(b):
                self.board(s + 1, child)
                self._leave(s + 1, child)

    def dealt(self, s: int) -> Floats:
        """[deals, hands]: the values of the deals of a street."""
        return np.array(self.workspace.value[self._deals(s), : self.sizes[self.seat]])

    def close(self, s: int, b: int, dealt: Floats | None = None) -> None:
        """Values of a board from its ends and deals (as they are, or given) up to its entries."""
        game, rounds, seat, workspace, hands = self.game, self.rounds, self.seat, self.workspace, self.sizes[self.seat]
        if dealt is not None:
            workspace.value[self._deals(s), :hands] = dealt
        rows = rounds.lines[rounds.first_line[seat, s] : rounds.first_line[seat, s + 1]]
        reach = self.reach(s, 1 - seat)[rows]
        won, met = game.showdown.lines(seat, s, b, reach, int(rounds.showdowns[seat, s]))
        workspace.won[: len(won), :hands], workspace.met[: len(met), :hands] = won, met
        kernels.ends(rounds, s, seat, hands, workspace.value, workspace.won, workspace.met)
        if self.own is not None:
            kernels.earn(rounds, s, seat, workspace.value, self.reach(s, seat), float(self._counts[s][b]), self.own)
        self.rise(s, b)
        self.learn(s, b)

    def rise(self, s: int, b: int) -> None:
        """Values of a board up to its entries."""
        seat, workspace = self.seat, self.workspace
        sizes, cards = (self.sizes[seat], workspace.value, self.sigma(s, seat)), self.cards(seat)
        kernels.ascend(self.rounds, s, seat, self.mode, *sizes, cards, workspace.met, workspace.held)

    def open_up(self, node: int) -> bool:
        """Make the values of a decision's actions ready; whether the decision is made there."""
        workspace, seat = self.workspace, self.seat
        facts = self.cards(seat), self.sizes[seat], workspace.value, workspace.met, workspace.held
        return bool(kernels.open_up(self.rounds, node, seat, *facts))

    def cards(self, p: int) -> AnyArray:
        """The hole cards of a player's hands, where swaps ask for them."""
        showdown = self.game.showdown
        return showdown.arrays.cards[p] if isinstance(showdown, Sorted) else NO_CARDS

    def open(self, s: int, b: int) -> None:
        """Both players' strategies and reach on a board; the board above it was opened before."""
        game, rounds = self.game, self.rounds
        for p in (0, 1):
            reach, sigma = self.reach(s, p), self.sigma(s, p)
            if s == 0:
                reach[0] = game.weights[p]
            else:
                alive, deals = game.showdown.alive(p, s, b), self._deals(s - 1)
                come = self.reach(s - 1, p)[rounds.at[p, deals]]
                for i, move in self._moves(s, p):
                    come[i] = move.down(come[i])
                reach[: len(deals)] = 0.0
                reach[: len(deals), alive] = come[:, alive]
            if p == self.seat and self.mode == BEST and self.own is None:
                continue
            self.play(s, b, p, sigma)
            left = game.showdown.alive(p, s, b).astype(np.int16)
            kernels.descend(rounds, s, p, sigma, reach, self.cards(p), left, self.workspace.held)
        self.workspace.value[self._deals(s)] = 0.0

    def _leave(self, s: int, b: int) -> None:
        rounds, value, hands = self.rounds, self.workspace.value, self.sizes[self.seat]
        come = value[rounds.entry[rounds.entries[s] : rounds.entries[s + 1]], :hands]
        for i, move in self._moves(s, self.seat):
            come[i] = move.up(come[i])
        for r in self.game.boards.levels[s].renamings(b):
            value[self._deals(s - 1), :hands] += come[:, self.game.showdown.renamed(self.seat, int(r))]

    def _moves(self, s: int, p: int) -> list[tuple[int, PrivateMove]]:
        """What chance does for a player in private before a street: the number of the entry, and the move."""
        moves = self.game.moves
        return [(i, moves[node, p]) for i, node in enumerate(self._deals(s - 1).tolist()) if (node, p) in moves]

    def _entries(self, s: int) -> int:
        return int(self.rounds.entries[s + 1] - self.rounds.entries[s])

    def _deals(self, s: int) -> AnyArray:
        return self.rounds.deal[self.rounds.deals[s] : self.rounds.deals[s + 1]]  # type: ignore[no-any-return]


class Asking(Streaming):
    """A walk that asks a strategy for its rows, and checks them where they do not lie in arrays."""

    def __init__(self, game: VectorGame, strategy: Strategy, seat: int, mode: int) -> None:
        super().__init__(game, seat, mode)
        self.strategy = strategy

    def learn(self, s: int, b: int) -> None:
        """Nothing: it measures."""

    def best_rows(self, boards: Sequence[int]) -> Floats:
        """[rows, hands] on the last board of a path: 1 for the best action of each hand of the seat, 0 for its others.

        For walks of BEST, without swaps.
        """
        self.go(boards)
        s, rounds, seat = len(boards) - 1, self.rounds, self.seat
        self.finish(s, boards[-1])
        rows = np.zeros((int(rounds.rows[seat, s]), self.sizes[seat]))
        for node in decisions(rounds, s, seat).tolist():
            first, count, row = int(rounds.child[node]), int(rounds.count[node]), int(rounds.row[node])
            best = np.argmax(self.workspace.value[first : first + count, : self.sizes[seat]], axis=0)
            rows[row : row + count] = np.arange(count)[:, None] == best
        return rows

    def play(self, s: int, b: int, p: int, sigma: Floats) -> None:
        """Decision by decision, or all at once where the strategy has a `whole_street`."""
        rounds, place = self.rounds, self.game.board(s, b)
        if hasattr(self.strategy, "whole_street"):
            sigma[:] = self.strategy.whole_street(p, place)
            return
        for node in range(int(rounds.start[s]), int(rounds.start[s + 1])):
            if rounds.player[node] == p:
                begin, end = int(rounds.row[node]), int(rounds.row[node] + rounds.count[node])
                sigma[begin:end] = self._rows(node, place, p)

    def _rows(self, node: int, place: Place, p: int) -> Floats:
        """A strategy's rows, checked: every hand that can be held there shares out 1."""
        rows = np.asarray(self.strategy.rows(node, place), dtype=np.float64)
        wanted = (int(self.rounds.count[node]), self.sizes[p])
        if rows.shape != wanted:
            raise UserError(f"a strategy's rows at this decision must be {wanted}, not {rows.shape}")
        held = rows[:, self.game.showdown.alive(p, place.street, place.number)]
        wrong = ~(np.abs(held.sum(axis=0) - 1.0) <= TOLERANCE) | ~(held >= -TOLERANCE).all(axis=0)
        if wrong.any():
            line = self.game.betting.line(node) or "nothing yet"
            raise UserError(
                f"the shares of a hand must be 0 or more and add up to 1: after '{line}' they add up to "
                f"{held.sum(axis=0)[wrong][0]:g}"
            )
        return rows


class ArrayWalker(ABC):
    """Walks of strategies that lie in arrays, whatever walks them."""

    game: VectorGame
    threads: int

    @property
    def layout(self) -> tuple[AnyArray, AnyArray]:
        """Where the streets of policies begin, for each player."""
        return self.game.layout

    @abstractmethod
    def walk(self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rule: Rule = NO_RULE) -> Floats:
        """One pass for a seat: the values of its hands at the root; with LEARN, the seat's store is updated.

        The store also says where the streets of a policy begin. The average takes the seat's own reach times its
        weight, which is the same for all rows of a hand.
        """

    def iterate(self, policy: Policy, stores: tuple[Store, Store], rules: Sequence[Rule]) -> None:
        """Iterations, each with its rule: a walk for one player that learns, then for the other."""
        for rule in rules:
            for seat in (0, 1):
                self.walk(seat, LEARN, policy, stores, rule)

    def best_values(self, policy: Policy, held: Policy | None = None) -> tuple[float, float]:
        """What a best reply of each seat earns against the other's part of the policy; `held` as in `reply`."""
        if held is not None:
            return self.reply(policy, 0, held[0])[0], self.reply(policy, 1, held[1])[0]
        return self._earned(policy, BEST)

    def values(self, policy: Policy) -> tuple[float, float]:
        """What each seat earns when both follow the policy."""
        return self._earned(policy, MIX)

    def reply(self, policy: Policy, seat: int, held: AnyArray | None = None) -> tuple[float, AnyArray]:
        """What a best reply of a seat earns against the other's part of a policy, and one such reply: its own part.

        `held` is of the form of that part: hands with numbers of 0 or more play in proportion to them, those with
        numbers below 0 are free. The reply has 1 for the best action of a free hand and 0 for its others.
        """
        start = np.full(len(policy[seat]), -1, policy[seat].dtype) if held is None else held
        stores, found = self._read_only(policy), self._near(start)
        mine = stores[seat]._replace(regret=found)
        values = self.walk(seat, REPLY, policy, (mine, stores[1]) if seat == 0 else (stores[0], mine))
        return float(self.game.weights[seat] @ values), self._back(found)

    def _near(self, array: AnyArray) -> Any:
        """A copy of an array that a walk can write to."""
        return array.copy()

    def _back(self, array: Any) -> AnyArray:
        """What a walk has written, where everyone can read it."""
        return np.asarray(array)

    def _earned(self, policy: Policy, mode: int) -> tuple[float, float]:
        stores = self._read_only(policy)
        a, b = (float(self.game.weights[p] @ self.walk(p, mode, policy, stores)) for p in (0, 1))
        return a, b

    def _read_only(self, policy: Policy) -> tuple[Store, Store]:
        """Stores that only say where the streets of a policy begin."""
        none, at = np.zeros(0, dtype=np.float32), self.layout
        first, second = (Store(policy[p], policy[p], policy[p][:0], none, none, at[p], at[p]) for p in (0, 1))
        return first, second


class Walker(ArrayWalker):
    """Workspace and threads to walk a hold'em game in compiled code, in one precision."""

    COPIED = 1 << 22
    """A policy of fewer numbers is copied into the precision of the room to be read: a kernel that reads another takes
    the compiler longer than the copy would take thousands of times."""

    def __init__(
        self,
        game: VectorGame,
        dtype: Any = np.float64,
        threads: int = 1,
        in_stages: bool = False,
        alike: Alike | None = None,
    ) -> None:
        """`in_stages`: room for walks that are shared out even on one thread (`stage`).

        `alike`: policies and stores have one column for hands that are alike, as it says.
        """
        self.game, self.dtype, self.rounds, self.hands = game, np.dtype(dtype), game.rounds, check_kernels(game)
        self.alike = alike
        if alike is not None:
            self.hands = alike.hands
        sizes = game.showdown.sizes
        self.tasks = len(game.boards.levels[1]) if game.streets > 1 and self.rounds.deals[1] else 0
        self.threads = min(max(1, int(threads)), max(1, self.tasks))
        self._workspaces = [new_workspace(self.rounds, sizes, dtype) for _ in range(self.threads)]
        entries = int(self.rounds.deals[1])
        self._parts = np.zeros((self.tasks if self.threads > 1 or in_stages else 0, entries, max(sizes)), dtype)
        self._nth = np.arange(entries, dtype=np.int32)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None

    def walk(self, seat: int, mode: int, policy: Policy, stores: tuple[Store, Store], rule: Rule = NO_RULE) -> Floats:
        """In compiled code, on all threads."""
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
        columns = slice(self.game.showdown.sizes[seat]) if self.alike is None else self.alike.column[0]
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
            for stage in (OPEN, SHARE, CLOSE):
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

        Whoever takes the boards below in several pieces may give each its own policy and stores.
        """
        asked = self._asked(mode, policy, stores, [rule])
        if stage == OPEN:
            self._enter()
        if stage == SHARE:
            self._share(seat, tasks or (0, self.tasks), asked)
        else:
            self._part(stage, 0, seat, (0, self.tasks), *asked)

    def _earned(self, policy: Policy, mode: int) -> tuple[float, float]:
        return super()._earned(self._copied(policy), mode)

    def reply(self, policy: Policy, seat: int, held: AnyArray | None = None) -> tuple[float, AnyArray]:
        """Found with a copy of the policy, unless that is large, and as precise as the policy was."""
        near = self._copied(policy)
        start = None if held is None else held.astype(near[seat].dtype, copy=False)
        earned, found = super().reply(near, seat, start)
        return earned, found.astype(policy[seat].dtype, copy=False)

    def _copied(self, policy: Policy) -> Policy:
        """A policy to be read, in the precision of the room unless it is large."""
        if policy[0].size + policy[1].size > self.COPIED:
            return policy
        return np.asarray(policy[0], dtype=self.dtype), np.asarray(policy[1], dtype=self.dtype)

    def _enter(self) -> None:
        for p in (0, 1):
            n, weights = int(self.hands.wide[p, 0]), self.game.weights[p]
            self._workspaces[0].reach[p][:n] = weights if self.alike is None else weights[self.hands.order[p, 0, :n]]

    def _asked(self, mode: int, policy: Policy, stores: tuple[Store, Store], rules: Sequence[Rule]) -> Any:
        if not stores[0].regret_scale.size:  # tells the compiler that there is nothing to scale
            bare = [store._replace(regret_scale=None, total_scale=None) for store in stores]
            stores = bare[0], bare[1]
        return mode, policy, stores, rules[0], np.array([rule[:3] for rule in rules], dtype=self.dtype)

    def _part(self, stage: int, t: int, seat: int, tasks: tuple[int, int], mode: int, policy: Policy, stores: Any, rule: Rule, steps: Floats) -> None:  # noqa: E501  # fmt: skip
        work = self._workspaces[t], self._parts[: tasks[1]], self._nth
        share = tasks[0] + t, self.threads
        kernels.walk_part(stage, self.rounds, self.hands, *share, mode, seat, policy, stores, rule, steps, *work)

    def _share(self, seat: int, tasks: tuple[int, int], asked: Any) -> None:
        """The boards below the root; the first worker goes on in the root's workspace, where no other board is at
        work."""
        root = self._workspaces[0]
        for workspace in self._workspaces[1:]:
            for p in (0, 1):
                size = int(root.reach_at[p, 1])
                workspace.reach[p][:size] = root.reach[p][:size]

        def work(t: int) -> None:
            self._part(SHARE, t, seat, tasks, *asked)

        self.share_out(work)

    def share_out(self, work: Callable[[int], None]) -> None:
        """One call for each thread, with its number."""
        if self._pool is None:
            work(0)
        else:
            list(self._pool.map(work, range(self.threads)))

    def node_values(self, policy: Policy, seat: int, best: bool = False, street: int = 0) -> Floats:
        """[nodes of a street, hands]: what each hand of a seat earns there when both follow the policy, or by its best
        reply. The street is the first, or the second where that has one board, whose values are left in the workspace.
        """
        policy = self._copied(policy)
        self.walk(seat, BEST if best else MIX, policy, self._read_only(policy))
        nodes = slice(int(self.rounds.start[street]), int(self.rounds.start[street + 1]))
        return self._each_hand(self._workspaces[0].value[nodes], seat)

    def two_streets(self, policy: Policy, seat: int) -> tuple[Floats, AnyArray]:
        """`node_values` of the first street, and of every board of the second: [boards, nodes, hands], in float32."""
        policy = self._copied(policy)
        asked = seat, MIX, policy, self._read_only(policy), NO_RULE
        nodes, hands = slice(*self.rounds.start[1:3].tolist()), self.game.showdown.sizes[seat]
        found = np.zeros((self.tasks, nodes.stop - nodes.start, hands), np.float32)
        self.stage(OPEN, *asked)
        for low in range(0, self.tasks, self.threads):
            high = min(low + self.threads, self.tasks)
            self.stage(SHARE, *asked, tasks=(low, high))
            for board in range(low, high):  # each worker has its board's values in its room
                found[board] = self._workspaces[board - low].value[nodes, :hands]
        self.stage(CLOSE, *asked)
        return self._each_hand(self._workspaces[0].value[: nodes.start], seat), found


def takes_kernels(game: VectorGame) -> bool:
    """Whether the compiled walk takes a game: hold'em hands, and no private moves of chance (but swaps)."""
    return isinstance(game.showdown, Sorted) and not game.moves


def check_kernels(game: VectorGame, device: str = "cpu") -> Hands:
    """The arrays of a game that the compiled walk takes; others are refused."""
    if device == "gpu" and game.betting.rules.swaps:
        raise UserError(f"{game} has swaps, which are walked on the CPU: leave out device 'gpu'")
    if not isinstance(game.showdown, Sorted) or game.moves:
        what = "private moves of chance" if game.moves else "no sorted showdown"
        raise UserError(f"{game} has {what}, so it is walked in NumPy: leave out device 'gpu', or use PlainWalker")
    return game.showdown.arrays


def walker_bytes(game: VectorGame, dtype: Any, threads: int) -> int:
    """What a `Walker` will take, before it is made."""
    entries = int(game.rounds.deals[1])
    tasks = game.boards.sizes()[1] if entries else 0
    cells = tasks * entries * max(game.showdown.sizes)
    workspaces = min(threads, max(1, tasks)) * workspace_bytes(game.rounds, game.showdown.sizes, dtype)
    return int(workspaces + cells * np.dtype(dtype).itemsize)


__all__ = ["BEST", "LEARN", "MIX", "REPLY", "Inside", "Policy", "Walker", "hand_values", "look_inside", "walker_bytes"]
