"""The betting of a game as arrays: who moves, what each has paid, which street, how it ends; no cards.

`betting_tree(rules, menu)` builds it breadth-first, entry by entry:

1. The root is the entry of the first street. An entry's subtree within its street is laid out breadth-first.
2. Where a street closes there is a `DEAL` node. Taken in order, the DEAL nodes of a street lead to the entries of the
   next street, one each, and their subtrees follow in that order.
3. After an all-in that is called nobody acts any more: the entries after it are DEAL nodes themselves, and the last one
   is the SHOWDOWN.

So nodes are ordered by street, parents come before children, and siblings lie side by side. A name is made when it is
asked for; nothing but numbers is stored for a node.
"""

from __future__ import annotations

from array import array
from collections import deque
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from headsup.errors import UserError
from headsup.games.arrays import Floats, Ints, Longs
from headsup.games.betting import DEAL, Betting, Move, State, letters, words
from headsup.games.line import BETS, Step, parse_line
from headsup.games.menu import Line, Menu, parse_menu

Bytes = npt.NDArray[np.int8]
Edits = tuple[tuple[Line, int], ...]  # lines by hand that pass through a node, and how many of their steps are behind
Moves = list[tuple[Move, int, State]]


@dataclass(frozen=True, eq=False)
class BettingTree:
    """The betting of a game, one row a node."""

    rules: Betting
    menu: Menu | None
    street: Bytes
    player: Bytes  # 0 or 1 to act, or DEAL, FOLD, SHOWDOWN
    parent: Ints  # -1 at the root
    child: Ints  # the first child, or -1
    count: Ints  # how many children
    paid: Longs = field(repr=False)  # [nodes, 2] chips put in since the root, blinds and antes too; nothing given back
    win: Floats = field(repr=False)  # [nodes, 2] at ends, what each seat gets net if it wins there; a split is the mean
    lose: Floats = field(repr=False)  # [nodes, 2] the same if it loses; at a FOLD the player of the parent has lost
    kind: Bytes  # the `Move` that led here; NONE at entries
    amount: Longs  # the total bet on the street by the player who made that move, after it
    start: Ints  # [streets + 1] where the nodes of each street begin
    entries: list[Ints]  # by street, the nodes at which it is entered

    @property
    def n_nodes(self) -> int:
        """How many nodes there are."""
        return len(self.player)

    @property
    def n_streets(self) -> int:
        """How many streets there are."""
        return self.rules.n_streets

    @property
    def total(self) -> float | None:
        """What both seats win together, 0 in a zero-sum game; None where the rake makes the game general-sum."""
        return self.rules.total

    def decisions(self) -> list[int]:
        """How many nodes of each street ask a player to act."""
        return [int((self.player[a:b] < DEAL).sum()) for a, b in zip(self.start[:-1], self.start[1:], strict=True)]

    def action_name(self, node: int) -> str:
        """The action that led to a node: 'bet 94'; empty at the root and where a street is entered."""
        move = Move(int(self.kind[node]))
        return "" if move == Move.NONE else words(move, int(self.amount[node]))

    def actions(self, node: int) -> list[str]:
        """The names of the actions at a decision."""
        return [self.action_name(c) for c in self._children(node)] if self.player[node] < DEAL else []

    def line(self, node: int) -> str:
        """The actions that lead to a node: 'check, bet 94, call'."""
        return ", ".join(filter(None, map(self.action_name, self._path(node))))

    def letters(self, node: int) -> str:
        """The same in letters, with a slash where the next street begins: 'cr94c/'."""
        out = []
        for one in self._path(node):
            move = Move(int(self.kind[one]))
            if move != Move.NONE:
                out.append(letters(self.rules, move, int(self.amount[one]), self.menu is not None))
            elif one:
                out.append("/")
        return "".join(out)

    def find(self, text: str) -> int:
        """The node to which a line leads, in words or letters; where it closes a street that is the DEAL node, and each
        slash at the end of the text goes one street on.
        """
        node = 0
        for step in parse_line(text) if text.strip() else ():
            node = self._dealt(node)
            children = self._children(node) if self.player[node] < DEAL else range(0)
            node = children[step.among([(Move(int(self.kind[c])), int(self.amount[c])) for c in children])]
        for _ in range(len(text.rstrip()) - len(text.rstrip().rstrip("/"))):
            node = int(self.child[node]) if self.player[node] == DEAL else node
        return node

    def _dealt(self, node: int) -> int:
        while self.player[node] == DEAL:
            node = int(self.child[node])
        return node

    def _children(self, node: int) -> range:
        return range(int(self.child[node]), int(self.child[node]) + int(self.count[node]))

    def _path(self, node: int) -> list[int]:
        if not 0 <= node < self.n_nodes:
            raise UserError(f"there is no node {node}: the tree has {self.n_nodes}")
        path = []
        while node >= 0:
            path.append(node)
            node = int(self.parent[node])
        return path[::-1]


def betting_tree(rules: Betting, menu: Menu | str | None = None) -> BettingTree:
    """Build the tree of the rules: with the bets of a menu, or with every bet that they allow."""
    return _Builder(rules, parse_menu(menu) if isinstance(menu, str) else menu).build()


class _Builder:
    """The columns while they grow."""

    def __init__(self, rules: Betting, menu: Menu | None) -> None:
        self.rules, self.menu = rules, menu
        self.amounts = menu.amounts(rules) if menu else rules.amounts
        self.street, self.player, self.kind = array("b"), array("b"), array("b")
        self.parent, self.child, self.count = array("i"), array("i"), array("i")
        self.paid, self.amount = array("q"), array("q")
        self.win, self.lose = array("d"), array("d")

    def build(self) -> BettingTree:
        """Street by street, entry by entry."""
        edits: Edits = tuple((line, 0) for line in self.menu.lines) if self.menu else ()
        waiting = [(-1, self.rules.root(), edits)]  # the DEAL nodes whose entries come next; at first the root's
        start, entries = [0], []
        while waiting:
            entered, following = [], []
            for parent, state, passing in waiting:
                if parent >= 0:
                    self.child[parent], self.count[parent] = len(self.player), 1
                entered.append(len(self.player))
                following += self._subtree(parent, state, passing)
            entries.append(np.array(entered, dtype=np.int32))
            start.append(len(self.player))
            waiting = [(node, self.rules.next_street(state), passing) for node, state, passing in following]
        start += [start[-1]] * (self.rules.n_streets + 1 - len(start))  # streets that no line reaches
        entries += [np.empty(0, dtype=np.int32)] * (self.rules.n_streets - len(entries))
        return self._tree(start, entries)

    def _subtree(self, parent: int, entry: State, edits: Edits) -> list[tuple[int, State, Edits]]:
        """Lay out an entry's subtree within its street; its DEAL nodes in order."""
        queue = deque([(self._add(parent, entry, Move.NONE, 0), entry, edits)])
        deals = []
        while queue:
            node, state, passing = queue.popleft()
            if state.player == DEAL:
                deals.append((node, state, passing))
            elif state.player > DEAL:
                self._end(node, state, passing)
            else:
                moves = self.rules.moves(state, self.amounts(state))
                if passing:
                    moves = self._edited(state, moves, passing)
                self.child[node], self.count[node] = len(self.player), len(moves)
                for i, (move, total, after) in enumerate(moves):
                    onward = _onward(moves, i, passing) if passing else ()
                    queue.append((self._add(node, after, move, total), after, onward))
        return deals

    def _add(self, parent: int, state: State, move: Move, total: int) -> int:
        node = len(self.player)
        self.street.append(state.street)
        self.player.append(state.player)
        self.parent.append(parent)
        self.child.append(-1)
        self.count.append(0)
        self.paid.extend(state.paid)
        self.win.extend((0.0, 0.0))
        self.lose.extend((0.0, 0.0))
        self.kind.append(move)
        self.amount.append(total)
        return node

    def _end(self, node: int, state: State, passing: Edits) -> None:
        for line, done in passing:
            line.steps[done].among([])  # says that the hand is over
        won, lost = self.rules.payoffs(state)
        self.win[2 * node], self.win[2 * node + 1] = won
        self.lose[2 * node], self.lose[2 * node + 1] = lost

    def _edited(self, state: State, moves: Moves, passing: Edits) -> Moves:
        """The moves with those that end a line by hand added or taken away."""
        last = [(line.added, line.steps[-1]) for line, done in passing if done == len(line.steps) - 1]
        for step in (step for added, step in last if added):
            moves = self._added(state, moves, step)
        for step in (step for added, step in last if not added):
            gone = step.among([(move, total) for move, total, _ in moves])
            moves = moves[:gone] + moves[gone + 1 :]
            if not moves:
                raise UserError(f"{step.place}: without '{step.text}' there is nothing left to do here")
        return moves

    def _added(self, state: State, moves: Moves, step: Step) -> Moves:
        bounds = self.rules.bounds(state)
        total = step.total if step.total is not None else self.rules.most(state)
        if not step.moves & BETS:
            raise UserError(f"{step.place}: '{step.text}' cannot be added: only bets and raises can")
        if bounds is None:
            raise UserError(f"{step.place}: '{step.text}' cannot be added: no bet is possible here")
        if not bounds[0] <= total <= self.rules.most(state):
            raise UserError(
                f"{step.place}: '{step.text}' cannot be added: a total from {bounds[0]} to {self.rules.most(state)} "
                "is legal here"
            )
        new = self.rules.moves(state, [total])[-1]
        if new[0] not in step.moves:
            raise UserError(f"{step.place}: '{step.text}' cannot be added: here it is '{words(new[0], total)}'")
        if any(move[:2] == new[:2] for move in moves):
            raise UserError(f"{step.place}: '{step.text}' is there already")
        return sorted(
            [*moves, new], key=lambda move: (move[0] > Move.CALL, move[1] if move[0] > Move.CALL else move[0])
        )

    def _tree(self, start: list[int], entries: list[Ints]) -> BettingTree:
        return BettingTree(
            self.rules,
            self.menu,
            street=np.array(self.street, dtype=np.int8),
            player=np.array(self.player, dtype=np.int8),
            parent=np.array(self.parent, dtype=np.int32),
            child=np.array(self.child, dtype=np.int32),
            count=np.array(self.count, dtype=np.int32),
            paid=np.array(self.paid, dtype=np.int64).reshape(-1, 2),
            win=np.array(self.win, dtype=np.float64).reshape(-1, 2),
            lose=np.array(self.lose, dtype=np.float64).reshape(-1, 2),
            kind=np.array(self.kind, dtype=np.int8),
            amount=np.array(self.amount, dtype=np.int64),
            start=np.array(start, dtype=np.int32),
            entries=entries,
        )


def _onward(moves: Moves, index: int, passing: Edits) -> Edits:
    """The lines by hand that go on through one of the moves."""
    choices = [(move, total) for move, total, _ in moves]
    return tuple(
        (line, done + 1)
        for line, done in passing
        if done < len(line.steps) - 1 and line.steps[done].among(choices) == index
    )
