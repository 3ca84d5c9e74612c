"""The rest of a hand at a table, solved anew on the real cards with the real chips.

A `Subgame` begins at a street, or in the middle of one after a bet that nobody had thought of. It knows for one player

- the weights of its own hands there, by what it has done so far;
- what each hand of the other could have had instead: its alternative (`headsup.solve.holdem.resolve`);

and from those alone the rest is solved, so that a hand can go on from one `Subgame` to the next without anything else
being remembered. Both come from a `Source`, a strategy of betting in which that place is known: the blueprint for the
turn, and an earlier `Subgame` for all that follows it.

Hands are numbered as the 1,326 combos, boards are real ones, and chips are those of the table since the street began.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Protocol

import numpy as np

from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.arrays import AnyArray, Floats
from headsup.games.betting.bettingtree import BettingTree, betting_tree
from headsup.games.betting.cut import cut_tree
from headsup.games.betting.menu import parse_menu
from headsup.games.betting.rules import DEAL, Betting, Move, State, words
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import ArrayStrategy, Strategy, VectorGame, holdem_game
from headsup.play.table.real import RealCards, free_of
from headsup.play.table.rules import BOARD, Action

LEAST = 1e-3
"""Own hands whose weight is a smaller part of the greatest one are left out: they hardly ever come there."""
WORK = 1.6e8
"""Boards x nodes x hands that may be walked for one answer: 0.7 s of processor time, on two cores half of that."""
TRUST = 0.3
"""How much the range counts that the other should have, beside hands that could have had more (`solve.resolve`)."""
ITERATIONS = (12, 400)
"""At least and at most, whatever the work."""


class Source(Protocol):
    """A strategy in which a place of the real hand is known."""

    @property
    def tree(self) -> BettingTree:
        """The betting."""

    def rows(self, node: int, board: tuple[int, ...]) -> Floats:
        """[actions, 1326]: what each real hand does at a decision, on a real board of its street."""

    def several(self, nodes: Sequence[int], board: tuple[int, ...], hands: AnyArray) -> Iterator[Floats]:
        """[actions, hands] for each of some decisions of one player."""


class OnRealCards:
    """A strategy of a game of hold'em boards as a `Source`."""

    def __init__(self, game: VectorGame, strategy: Strategy, real: RealCards | None = None) -> None:
        self.game, self.strategy, self.tree = game, strategy, game.betting
        self.real = RealCards(game) if real is None else real
        self._by_bucket = lru_cache(1024)(strategy.by_bucket) if isinstance(strategy, BucketStrategy) else None

    def rows(self, node: int, board: tuple[int, ...]) -> Floats:
        """Hands that the game does not deal have no shares."""
        rows = self.strategy.rows(node, self.real.canonical(board).place)
        hands = self.real.hands(int(self.tree.player[node]), board)
        found = rows[:, hands]
        return found if hands.min() >= 0 else np.where(hands >= 0, found, 0.0)

    def several(self, nodes: Sequence[int], board: tuple[int, ...], hands: AnyArray) -> Iterator[Floats]:
        """Where the strategy lies in buckets, those of a board are looked up once."""
        place, known = self.real.canonical(board).place, self._by_bucket
        if known is None or not isinstance(self.strategy, BucketStrategy):
            yield from (self.rows(node, board)[:, hands] for node in nodes)
            return
        seat = int(self.tree.player[nodes[0]])
        kinds = range(len(self.strategy.buckets.sizes[place.street]))
        at = self.real.hands(seat, board)[hands]
        rows = [self.strategy.buckets.rows(seat, *place[:2], place.number + 1, kind)[0][at] for kind in kinds]
        all_dealt = bool(at.min() >= 0)
        for node in nodes:
            shares, kind = known(node)
            found = shares[:, rows[kind]]
            yield found if all_dealt else np.where(at >= 0, found, 0.0)


@dataclass(frozen=True, eq=False)
class Subgame:
    """What was solved: a `Source` for what follows."""

    seat: int
    board: tuple[int, ...]
    rules: Betting
    """Of the betting from the street's beginning."""
    path: tuple[Action, ...]
    """What was done on the street before the rest begins."""
    mine: Floats
    """[1326] the weights of the player's own hands where it begins."""
    theirs: Floats
    """The same of the other's, as far as can be known."""
    game: VectorGame
    strategy: ArrayStrategy
    iterations: int

    @property
    def tree(self) -> BettingTree:
        """Its betting; the root is where it begins, chips count from the beginning of the street."""
        return self.game.betting

    @cached_property
    def source(self) -> OnRealCards:
        """Itself, on real cards."""
        return OnRealCards(self.game, self.strategy)

    def rows(self, node: int, board: tuple[int, ...]) -> Floats:
        """What each real hand does."""
        return self.source.rows(node, board)

    def several(self, nodes: Sequence[int], board: tuple[int, ...], hands: AnyArray) -> Iterator[Floats]:
        """The same of some decisions and hands."""
        return self.source.several(nodes, board, hands)

    @cached_property
    def _replies(self) -> Floats:
        """[nodes of the street, the other's hands]: what a best reply earns there, by the weights that it meets."""
        from headsup.games.walk.walk import Walker

        walker = Walker(self.game, np.float32, threads())
        return walker.node_values(self.strategy.policy, 1 - self.seat, best=True) * self.game.mass

    def alternative(self, node: int) -> Floats:
        """[1326] what each hand of the other could have at a node of the street on which it begins."""
        return _over_combos(self.game, 1 - self.seat, self._replies[node])


def threads() -> int:
    """Cores that an answer may take."""
    import os

    return min(2, os.cpu_count() or 1)


def rules_from(betting: Betting, state: State) -> Betting:
    """The rules of what is left of a hand from the beginning of a street on."""
    left = betting.stacks[0] - state.paid[0], betting.stacks[1] - state.paid[1]
    pot = betting.pot + sum(state.paid)
    return Betting(first=betting.first[state.street :], stacks=left, pot=pot, min_bet=betting.smallest)


def solve_subgame(
    seat: int,
    board: tuple[int, ...],
    rules: Betting,
    menu: str,
    path: tuple[Action, ...],
    mine: Floats,
    theirs: Floats,
    alternative: Floats | None,
    opening: tuple[Action, ...] = (),
    until: float | None = None,
) -> Subgame:
    """Solve what is left; without alternatives against the weights of the other's hands (`theirs`) alone.

    An `opening` is put into the tree, too, but the rest begins before it. `until` is that of `resolve`.
    """
    from headsup.solve.holdem.resolve import resolve

    tree, node = tree_with(rules, menu, path or opening)
    if path:
        tree, _ = cut_tree(tree, node)
    game = _game("rest", tree, board, seat, mine, theirs if alternative is None else free_of(board).astype(np.float64))
    hands = _hands(game, 1 - seat)
    instead = None if alternative is None else alternative[hands]
    how: dict[str, Any] = {"trust": TRUST, "prior": theirs[hands], "threads": threads(), "until": until}
    found = resolve(game, seat, instead, iterations_for(game), **how)
    return Subgame(seat, board, rules, path, mine, theirs, game, found.strategy, found.iterations)


def iterations_for(game: VectorGame) -> int:
    """As many as the work allows: known beforehand, so that the same hand is played the same way on any machine."""
    nodes, hands = np.diff(game.betting.start) + 15, sum(game.showdown.sizes)  # sorted boards take some time anyway
    cells = hands * float(nodes @ np.array(game.boards.sizes()))
    return int(min(max(ITERATIONS[0], WORK / cells), ITERATIONS[1]))


def alternative_below(source: Source, entry: int, board: tuple[int, ...], seat: int, mine: Floats, pot: int) -> Floats:
    """[1326] what each hand of the other earns by its best reply to a source, from the first node of a street on.

    In chips since that street began; where the source's pot is another than the real one, in proportion.
    """
    from headsup.equity.blocks import in_threads
    from headsup.solve.holdem.resolve import reply_values

    whole, other = source.tree, 1 - seat
    tree, nodes = cut_tree(whole, entry)
    before = float(whole.paid[entry, other])
    ended = (tree.player > DEAL)[:, None] * before
    tree = replace(tree, win=tree.win + ended, lose=tree.lose + ended)
    game = _game("known", tree, board, seat, mine, free_of(board).astype(np.float64))
    policy = [np.zeros(int(at[-1]), dtype=np.float32) for at in game.layout]
    hands = _hands(game, seat)
    for s, boards in enumerate(game.boards.sizes()):
        begin, end = (int(one) for one in game.layout[seat][s : s + 2])
        rows = policy[seat][begin:end].reshape(boards, -1, len(hands))
        own = [n for n in range(int(tree.start[s]), int(tree.start[s + 1])) if tree.player[n] == seat]
        there = [int(nodes[node]) for node in own]

        def look_up(b: int) -> None:
            known = source.several(there, game.board(s, b).cards, hands)  # noqa: B023 - called at once
            for node, shares in zip(own, known, strict=True):  # noqa: B023
                row = int(game.rounds.row[node])
                rows[b, row : row + len(shares)] = shares  # noqa: B023

        for _ in in_threads(look_up, range(boards if own else 0)):
            pass
    found = reply_values(ArrayStrategy(game, (policy[0], policy[1])), other, threads())
    return _over_combos(game, other, found) * (pot / (whole.rules.pot + float(whole.paid[entry].sum())))


def pruned(weights: Floats, board: tuple[int, ...]) -> Floats:
    """Weights without the hands that the board blocks and those that hardly count, the greatest being 1; if none is
    left, all hands alike.
    """
    free = free_of(board)
    found = np.where(free, weights, 0.0)
    most = float(found.max())
    if most <= 0.0:
        return free.astype(np.float64)
    found = found / most
    return np.asarray(np.where(found >= LEAST, found, 0.0))


def tree_with(rules: Betting, menu: str, path: Sequence[Action]) -> tuple[BettingTree, int]:
    """The betting of a menu with what was really done put into it, and the node to which that leads."""
    state, names, added, totals = rules.root(), [], [], []
    amounts = parse_menu(menu).amounts(rules)
    for action in path:
        if action.kind == "r":
            total = min(action.amount, rules.most(state))
            move, _, after = rules.moves(state, [total])[-1]
        else:
            passive = rules.call(state)
            assert passive is not None
            total = -1
            move, _, after = passive
        names.append(words(move, total) if action.kind == "r" else move.name.lower())
        if action.kind == "r" and total not in amounts(state):
            added.append(f"+ {', '.join(names)}")
        totals.append(total)
        state = after
    tree = betting_tree(rules, " | ".join([menu, *added]))
    node = 0
    for total in totals:
        found = child_after(tree, node, total)
        assert found is not None
        node = found
    return tree, node


def child_after(tree: BettingTree, node: int, total: int) -> int | None:
    """Where a check or call (-1), or a bet to a total, leads in a tree; None if it does not have it."""
    for child in range(int(tree.child[node]), int(tree.child[node] + tree.count[node])):
        kind = int(tree.kind[child])
        if total < 0 and kind in (Move.CHECK, Move.CALL):
            return child
        if total >= 0 and kind >= Move.BET and int(tree.amount[child]) == total:
            return child
    return None


def _game(name: str, tree: BettingTree, board: tuple[int, ...], seat: int, mine: Floats, theirs: Floats) -> VectorGame:
    streets = (0, *(1 for _ in range(BOARD[3] - len(board))))
    return holdem_game(name, tree, root=board, streets=streets, ranges=(mine, theirs) if seat == 0 else (theirs, mine))


def _hands(game: VectorGame, seat: int) -> AnyArray:
    assert isinstance(game.showdown, Sorted)
    return game.showdown.hands[seat]


def _over_combos(game: VectorGame, seat: int, values: Floats) -> Floats:
    out = np.zeros(HOLDEM_COUNT)
    out[_hands(game, seat)] = values
    return out
