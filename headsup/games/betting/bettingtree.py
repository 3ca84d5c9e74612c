"""The betting of a game as arrays: who moves, what each has paid, which street, how it ends; no cards.

`betting_tree(rules, menu)` builds it entry by entry: an entry's subtree within its street is laid out breadth-first;
where a street closes there is a `DEAL` node, and the DEAL nodes of a street lead in order to the entries of the next.
After a called all-in the entries are DEAL nodes themselves, and the last is the SHOWDOWN. So nodes are ordered by
street, parents come before children, and siblings lie side by side.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats, Ints, Longs
from headsup.common.checks import door, of_kind
from headsup.common.errors import UserError
from headsup.games.betting.line import BETS, Step, parse_line
from headsup.games.betting.menu import Line, Menu, parse_menu
from headsup.games.betting.rules import DEAL, FOLD, JOINED, SHOWDOWN, Betting, Move, State, Winnings, letters, words

Bytes = npt.NDArray[np.int8]
Edits = tuple[tuple[Line, int], ...]  # lines by hand that pass through a node, and how many of their steps are behind
Moves = list[tuple[Move, int, State]]
NOTHING = Winnings((0.0, 0.0), (0.0, 0.0))
MOST_NODES = 2_000_000  # of a tree that is built; a larger one is of no use with any cards
MOST_KINDS = 250_000
"""Of nodes that differ, which are laid out one by one: a few seconds. Entries that are alike share their nodes."""
MANY_NODES = 50_000  # after so many, the size of the whole is estimated before the rest is laid out, by so many walks
WALKS = 1000
NODE_BYTES = 72  # what a node takes, without any cards


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

    def __repr__(self) -> str:
        decisions = " / ".join(f"{count:,}" for count in self.decisions())
        return f"<BettingTree, {self.rules.kind}: {self.n_nodes:,} nodes, {decisions} decisions a street>"

    @property
    def n_nodes(self) -> int:
        return len(self.player)

    @property
    def n_streets(self) -> int:
        return len(self.start) - 1

    @property
    def total(self) -> float | None:
        """What both seats win together, 0 in a zero-sum game; None where the rake makes the game general-sum, or swaps
        on hand vectors, which forget cards, do so a little (`headsup.discards.exact.spots`).
        """
        return None if self.rules.swaps else self.rules.total

    def decisions(self) -> list[int]:
        """How many nodes of each street ask a player to act."""
        return [int((self.player[a:b] < DEAL).sum()) for a, b in pairwise(self.start)]

    def action_name(self, node: int) -> str:
        """The action that led to a node: 'bet 94'; empty at the root and where a street is entered."""
        move = Move(int(self.kind[node]))
        return "" if move == Move.NONE else words(move, int(self.amount[node]))

    def actions(self, node: int) -> list[str]:
        return [self.action_name(c) for c in self.children(node)] if self.player[node] < DEAL else []

    def line(self, node: int) -> str:
        """The actions that lead to a node: 'check, bet 94, call'."""
        path = self._path(node)
        return ", ".join(
            filter(None, ["swap" if int(self.kind[step]) == Move.LOW else self.action_name(step) for step in path])
        )

    def letters(self, node: int) -> str:
        """The same in letters, with a slash where the next street begins: 'cr94c/'."""
        out = []
        for step in self._path(node):
            move = Move(int(self.kind[step]))
            if move != Move.NONE:
                out.append(letters(self.rules, move, int(self.amount[step]), self.menu is not None))
            elif step:
                out.append("/")
        return "".join(out)

    def find(self, text: str) -> int:
        """The node to which a line leads, in words or letters; where it closes a street that is the DEAL node, and each
        slash at the end of the text goes one street on.
        """
        node = 0
        for step in parse_line(text) if text.strip() else ():
            node = self.after(self._dealt(node), step)
        for _ in range(text[len(text.rstrip("/ ")) :].count("/")):
            node = int(self.child[node]) if self.player[node] == DEAL else node
        return node

    def after(self, node: int, step: Step) -> int:
        """The node to which one action leads; a `UserError` if the decision does not offer it."""
        children = self.children(node) if self.player[node] < DEAL else range(0)
        child = children[step.among([(Move(int(self.kind[c])), int(self.amount[c])) for c in children])]
        return child - 1 if self.player[child] == JOINED else child

    def _dealt(self, node: int) -> int:
        while self.player[node] == DEAL:
            node = int(self.child[node])
        return node

    def choices_to(self, node: int) -> list[tuple[int, int]]:
        """The nodes on the way to a node, each with the number of the child that is taken."""
        return [(above, below - int(self.child[above])) for above, below in pairwise(self._path(node))]

    def children(self, node: int) -> range:
        return range(int(self.child[node]), int(self.child[node]) + int(self.count[node]))

    def _path(self, node: int) -> list[int]:
        if not 0 <= node < self.n_nodes:
            raise UserError(f"there is no node {node}: the tree has {self.n_nodes}")
        path = []
        while node >= 0:
            path.append(node)
            node = int(self.parent[node])
        return path[::-1]


@door(rules=of_kind(Betting), menu=of_kind(str, Menu))
def betting_tree(rules: Betting, menu: Menu | str | None = None) -> BettingTree:
    """Build the tree of the rules: with the bets of a menu, or with every bet that they allow."""
    return _BettingBuilder(rules, parse_menu(menu) if isinstance(menu, str) else menu).build()


@dataclass(frozen=True, eq=False)
class _Layout:
    """An entry's subtree within its street; nodes are numbered from the entry on."""

    player: Bytes
    parent: Ints  # -1 at the entry
    child: Ints  # -1 at ends and DEAL nodes
    count: Ints
    paid: Longs
    win: Floats
    lose: Floats
    kind: Bytes
    amount: Longs
    deals: list[tuple[int, State, Edits]]  # the DEAL nodes in order


class _BettingBuilder:
    """Lays out each kind of entry once: what can follow depends on the state alone, and many entries share theirs."""

    def __init__(self, rules: Betting, menu: Menu | None) -> None:
        self.rules, self.menu = rules, menu
        self.amounts = menu.amounts(rules) if menu else rules.amounts
        # without donk bets it does not matter who called
        self.donks = menu is not None and any(clause.donk for clause in menu.clauses)
        self.known: dict[tuple[State, Edits], _Layout] = {}
        self.kinds = 0

    def build(self) -> BettingTree:
        """Street by street, entry by entry."""
        edits: Edits = tuple((line, 0) for line in self.menu.lines) if self.menu else ()
        self.sized = False
        self._check_size(edits)
        waiting = [(-1, self.rules.root(), edits)]  # the DEAL nodes whose entries come next, at first the root's
        layouts: list[_Layout] = []
        above: list[int] = []  # the DEAL node of each entry
        ends = [0]  # where each entry's subtree ends
        per_street = []
        while waiting:
            following = []
            per_street.append(len(waiting))
            for parent, state, passing in waiting:
                layout = self._lay_out(state, passing)
                following += [(ends[-1] + node, state, rest) for node, state, rest in layout.deals]
                layouts.append(layout)
                above.append(parent)
                ends.append(ends[-1] + len(layout.player))
            waiting = [(node, self.rules.next_street(state), passing) for node, state, passing in following]
        per_street += [0] * (self.rules.n_streets - len(per_street))  # streets that no line reaches
        return self._joined(layouts, np.array(above), np.array(ends), np.cumsum([0, *per_street]))

    def _check_size(self, edits: Edits) -> None:
        """Refuse a tree that is too large, by the nodes of each kind of entry and how often it occurs."""
        entries, total = Counter({(self.rules.root(), edits): 1}), 0
        while entries:
            following = Counter[tuple[State, Edits]]()
            for (state, passing), times in entries.items():
                layout = self._lay_out(state, passing)
                total += times * len(layout.player)
                self._check_nodes(total)
                for _, after, rest in layout.deals:
                    following[self.rules.next_street(after), rest] += times
            entries = following

    def _check_nodes(self, nodes: int) -> None:
        """Refuse too many of them, where they are counted or as soon as it can be foreseen."""
        if nodes > MANY_NODES and not self.sized:
            self.sized = True
            foreseen = self._estimate()
            if foreseen > 4 * MOST_NODES:
                self._refuse(f"about {foreseen:.1e} nodes", foreseen)
        if nodes > MOST_NODES:
            self._refuse(f"more than {MOST_NODES:,} nodes", MOST_NODES)

    def _refuse(self, many: str, nodes: float = 0) -> None:
        size = f", {nodes * NODE_BYTES / 1e9:,.1f} GB without any cards" if nodes else ""
        raise UserError(f"this betting has {many}{size}: take a smaller stack, fewer sizes, or fewer bets a street")

    def _estimate(self) -> float:
        """How many nodes there are, by walks at random (Knuth 1975): a walk counts what it passes by, each node as
        often as there are ways like it.
        """
        dice, total = Random(1), 0.0
        for _ in range(WALKS):
            state, ways = self.rules.root(), 1.0
            total += 1.0
            while state.player <= DEAL:
                if state.player == DEAL:
                    state = self.rules.next_street(state)
                else:
                    moves = self.rules.moves(state, () if state.swapping else self.amounts(state))
                    ways, state = ways * len(moves), dice.choice(moves)[2]
                total += ways
        return total / WALKS

    def _joined(self, layouts: list[_Layout], above: Longs, ends: Longs, bounds: Longs) -> BettingTree:
        first = ends[:-1]
        shift = np.repeat(first, np.diff(ends))
        parent = np.concatenate([layout.parent for layout in layouts]) + shift
        parent[first] = above
        child = np.concatenate([layout.child for layout in layouts]).astype(np.int64)
        child[child >= 0] += shift[child >= 0]
        count = np.concatenate([layout.count for layout in layouts])
        child[above[1:]], count[above[1:]] = first[1:], 1
        start = ends[bounds]
        return BettingTree(
            self.rules,
            self.menu,
            street=np.repeat(np.arange(self.rules.n_streets, dtype=np.int8), np.diff(start)),
            player=np.concatenate([layout.player for layout in layouts]),
            parent=parent.astype(np.int32),
            child=child.astype(np.int32),
            count=count,
            paid=np.concatenate([layout.paid for layout in layouts]),
            win=np.concatenate([layout.win for layout in layouts]),
            lose=np.concatenate([layout.lose for layout in layouts]),
            kind=np.concatenate([layout.kind for layout in layouts]),
            amount=np.concatenate([layout.amount for layout in layouts]),
            start=start.astype(np.int32),
            entries=[first[a:b].astype(np.int32) for a, b in pairwise(bounds)],
        )

    def _lay_out(self, entry: State, edits: Edits) -> _Layout:
        key = (entry if self.donks or edits else entry._replace(called=-1), edits)
        if key not in self.known:
            self.known[key] = self._fresh(entry, edits)
            self.kinds += len(self.known[key].player)
        return self.known[key]

    def _fresh(self, entry: State, edits: Edits) -> _Layout:
        states, passing, rows = [entry], [edits], [(-1, Move.NONE, 0)]
        child, count, deals = [], [], []
        payoffs: list[Winnings] = []
        for node, state in enumerate(states):  # the list grows while it is walked, which makes it breadth-first
            moves: Moves = []
            payoffs.append(NOTHING)
            if state.player == DEAL:
                deals.append((node, state, passing[node]))
            elif state.player in (FOLD, SHOWDOWN):
                for line, done in passing[node]:
                    line.steps[done].among([])  # raises: the hand is over
                payoffs[node] = self.rules.payoffs(state)
            elif state.player < DEAL:
                moves = self.rules.moves(state, () if state.swapping else self.amounts(state))
                if passing[node]:
                    moves = self._edited(state, moves, passing[node])
            child.append(len(states) if moves else -1)
            count.append(len(moves))
            self._check_nodes(len(states) + len(moves))
            if self.kinds + len(states) + len(moves) > MOST_KINDS:
                self._refuse(f"more than {MOST_KINDS:,} nodes that differ")
            for i, (move, total, after) in enumerate(moves):
                states.append(after)
                rows.append((node, move, total))
                passing.append(_onward(moves, i, passing[node]) if passing[node] else ())
        parent, kind, amount = zip(*rows, strict=True)
        return _Layout(
            player=np.array([state.player for state in states], dtype=np.int8),
            parent=np.array(parent, dtype=np.int32),
            child=np.array(child, dtype=np.int32),
            count=np.array(count, dtype=np.int32),
            paid=np.array([state.paid for state in states], dtype=np.int64),
            win=np.array([end.win for end in payoffs], dtype=np.float64),
            lose=np.array([end.lose for end in payoffs], dtype=np.float64),
            kind=np.array(kind, dtype=np.int8),
            amount=np.array(amount, dtype=np.int64),
            deals=deals,
        )

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


def _onward(moves: Moves, index: int, passing: Edits) -> Edits:
    """The lines by hand that continue through one of the moves."""
    choices = [(move, total) for move, total, _ in moves]
    return tuple(
        (line, done + 1)
        for line, done in passing
        if done < len(line.steps) - 1 and line.steps[done].among(choices) == index
    )
