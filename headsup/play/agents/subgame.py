"""The rest of a hand as a subgame, solved again on the real cards with the real chips.

A `Subgame` begins at a street, or inside one after an off-tree bet. It holds the weights of the player's own hands and
the alternative value of each of the opponent's (`headsup.solve.holdem.resolve`), from a `Source`: the blueprint for the
turn, and an earlier `Subgame` afterwards. Hands are the 1,326 combos, and chips count from the start of the street.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np

from headsup.cards.combos import HOLDEM_COUNT
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import cores
from headsup.equity.blocks import in_threads
from headsup.games.betting.bettingtree import BettingTree, betting_tree
from headsup.games.betting.cut import cut_tree
from headsup.games.betting.menu import parse_menu
from headsup.games.betting.rules import DEAL, Betting, Move, State, words
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.showdown import Sorted
from headsup.games.holdem.vector import ArrayStrategy, Strategy, VectorGame, holdem_game
from headsup.play.table.real import RealCards, free_of
from headsup.play.table.rules import BOARD, Action

LEAST = 1e-3  # hands below this fraction of the largest weight are dropped
WORK = 6e8  # boards x nodes x hands walked for one answer: 1 to 2 s of CPU time
TRUST = 0.6  # the fraction of the weight on the opponent's expected range if all its hands enter (`solve.resolve`)
ITERATIONS = (48, 400)  # minimum and maximum
FLOP_ITERATIONS, FLOP_STEP = 100, 10  # on a flop, all of them and those between two looks at the clock


class Source(Protocol):
    """A strategy in which a node of the real hand is known."""

    @property
    def tree(self) -> BettingTree: ...

    def rows(self, node: int, board: tuple[int, ...]) -> Floats:
        """[actions, 1326] each real hand's row at a decision on a real board."""

    def several(self, nodes: Sequence[int], board: tuple[int, ...], hands: AnyArray) -> Iterator[Floats]:
        """[actions, hands] for several decisions of one player."""


class OnRealCards:
    """A strategy of a game of hold'em boards as a `Source`."""

    def __init__(self, game: VectorGame, strategy: Strategy, real: RealCards | None = None) -> None:
        self.game, self.strategy, self.tree = game, strategy, game.betting
        self.real = RealCards(game) if real is None else real
        self._by_bucket = lru_cache(1024)(strategy.by_bucket) if isinstance(strategy, BucketStrategy) else None

    def rows(self, node: int, board: tuple[int, ...]) -> Floats:
        """Hands that the game does not deal have probability 0."""
        rows = self.strategy.rows(node, self.real.canonical(board).place)
        hands = self.real.hands(int(self.tree.player[node]), board)
        known = rows[:, hands]
        return known if hands.min() >= 0 else np.where(hands >= 0, known, 0.0)

    def buckets(self, board: tuple[int, ...]) -> AnyArray:
        """[1326] the bucket of each real hand, in the first partition of the street; hands that the game does not deal
        have any.
        """
        assert isinstance(self.strategy, BucketStrategy)
        place = self.real.canonical(board).place
        rows = self.strategy.buckets.rows(0, place.street, place.number, place.number + 1)[0]
        return np.asarray(rows[self.real.hands(0, board)])

    def several(self, nodes: Sequence[int], board: tuple[int, ...], hands: AnyArray) -> Iterator[Floats]:
        """Buckets of a board are looked up once."""
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
            by_bucket, kind = known(node)
            row = by_bucket[:, rows[kind]]
            yield row if all_dealt else np.where(at >= 0, row, 0.0)


@dataclass(frozen=True, eq=False)
class Subgame:
    """A solved subgame: a `Source` for what follows."""

    seat: int
    board: tuple[int, ...]
    rules: Betting  # from the start of the street
    path: tuple[Action, ...]  # actions on the street before the subgame
    mine: Floats  # [1326] the weights of the player's hands at the root
    theirs: Floats  # the estimated weights of the opponent's hands
    game: VectorGame
    strategy: ArrayStrategy
    iterations: int
    start: int = -1  # the blueprint's node at the start of the street, of a flop that is solved depth-limited
    entries: Mapping[int, int] = field(default_factory=dict)  # there, the blueprint's turn after each deal

    @property
    def tree(self) -> BettingTree:
        """Its betting; chips count from the start of the street."""
        return self.game.betting

    @cached_property
    def source(self) -> OnRealCards:
        return OnRealCards(self.game, self.strategy)

    def rows(self, node: int, board: tuple[int, ...]) -> Floats:
        return self.source.rows(node, board)

    def several(self, nodes: Sequence[int], board: tuple[int, ...], hands: AnyArray) -> Iterator[Floats]:
        return self.source.several(nodes, board, hands)

    @cached_property
    def _response_values(self) -> Floats:
        """[nodes of the street, opponent's hands] best-response values times the opposing reach."""
        from headsup.games.walk.walk import Walker

        walker = Walker(self.game, np.float32, threads())
        return walker.node_values(self.strategy.policy, 1 - self.seat, best=True) * self.game.mass

    def alternative(self, node: int) -> Floats:
        """[1326] what each of the opponent's hands could have at a node of the first street."""
        return _over_combos(self.game, 1 - self.seat, self._response_values[node])


def threads() -> int:
    """Cores for one answer."""
    return min(2, cores())


def rules_from(betting: Betting, state: State) -> Betting:
    """The rules of the rest of a hand from the start of a street."""
    left = betting.stacks[0] - state.paid[0], betting.stacks[1] - state.paid[1]
    pot = betting.pot + sum(state.paid)
    streets, limit = slice(state.street, None), dict[str, Any]()
    if betting.kind == "limit":
        limit = {"kind": "limit", "sizes": betting.sizes[streets], "cap": betting.cap[streets]}
    return Betting(first=betting.first[streets], stacks=left, pot=pot, min_bet=betting.smallest, **limit)


class SubgameTask(NamedTuple):
    """A subgame to solve, from the view of the player who solves it."""

    seat: int
    board: tuple[int, ...]
    rules: Betting
    path: tuple[Action, ...]
    """Actions on the street before the subgame."""
    mine: Floats
    theirs: Floats
    alternative: Floats | None
    """What each of the opponent's hands could have instead; None: solved against the opponent's range alone."""
    opened: tuple[Action, ...] = ()
    """A bet that is added to the tree; the subgame begins before it."""
    start: int = -1  # the blueprint's node at the start of the street

    def solved(self, game: VectorGame, strategy: ArrayStrategy, iterations: int, **more: Any) -> Subgame:
        """With its solution."""
        return Subgame(
            self.seat, self.board, self.rules, self.path, self.mine, self.theirs, game, strategy, iterations, **more
        )


def solve_subgame(task: SubgameTask, menu: str, until: float | None = None, device: str | None = None) -> Subgame:
    """Solve what follows. `until` is that of `resolve`. A flop is solved on the given device, without alternatives."""
    from headsup.solve.holdem.resolve import SETTINGS
    from headsup.solve.holdem.vector import VectorCfr

    tree, node = tree_with(task.rules, menu, task.path or task.opened)
    if task.path:
        tree, _ = cut_tree(tree, node)
    if device is None:
        return solve_rest(task, tree, until)
    game = _game("rest", tree, task.board, task.seat, task.mine, task.theirs)
    solver = VectorCfr(game, SETTINGS, device=device, threads=threads())
    while solver.iterations < FLOP_ITERATIONS:
        if solver.iterations and until is not None and time.monotonic() >= until:
            break
        solver.step(FLOP_STEP)
    return task.solved(game, solver.strategy(), solver.iterations)


def solve_rest(task: SubgameTask, tree: BettingTree, until: float | None = None) -> Subgame:
    """Solve the given betting on the cards to come, as `solve_subgame` does.

    Only hands of the opponent's expected range may enter: the others would double the work.
    """
    from headsup.solve.holdem.resolve import resolve

    seat, theirs, alternative = task.seat, task.theirs, task.alternative
    game = _game("rest", tree, task.board, seat, task.mine, theirs if alternative is None else np.sign(theirs))
    hands = _hands(game, 1 - seat)
    instead = None if alternative is None else alternative[hands]
    how: dict[str, Any] = {"trust": TRUST, "prior": theirs[hands], "chosen": bool(task.path), "threads": threads()}
    resolved = resolve(game, seat, instead, iterations_for(game), until=until, **how)
    return task.solved(game, resolved.strategy, resolved.iterations)


def iterations_for(game: VectorGame) -> int:
    """As many as the work allows; fixed in advance, so play is the same on any machine."""
    nodes, hands = np.diff(game.betting.start) + 15, sum(game.showdown.sizes)  # sorting boards has a fixed cost
    cells = hands * float(nodes @ np.array(game.boards.sizes()))
    return int(min(max(ITERATIONS[0], WORK / cells), ITERATIONS[1]))


def alternative_below(source: Source, entry: int, board: tuple[int, ...], seat: int, mine: Floats, pot: int) -> Floats:
    """[1326] what each of the opponent's hands earns by its best response to a source from a street's first node.

    In chips since that street began, scaled to the real pot.
    """
    from headsup.solve.holdem.resolve import best_response_values

    whole, other = source.tree, 1 - seat
    tree, nodes = cut_tree(whole, entry)
    before = float(whole.paid[entry, other])
    ended = (tree.player > DEAL)[:, None] * before
    tree = replace(tree, win=tree.win + ended, lose=tree.lose + ended)
    game = _game("known", tree, board, seat, mine, free_of(board).astype(np.float64))
    own = source_policy(game, source, seat, nodes, BOARD.index(len(board)))
    theirs = np.zeros(int(game.layout[other][-1]), dtype=np.float32)
    policy = (own, theirs) if seat == 0 else (theirs, own)
    values = best_response_values(ArrayStrategy(game, policy), other, threads())
    return _over_combos(game, other, values) * (pot / (whole.rules.pot + float(whole.paid[entry].sum())))


def source_policy(game: VectorGame, source: Source, seat: int, nodes: AnyArray, street: int) -> AnyArray:
    """A player's rows of a source in a game cut from its tree at a street, as the walk reads them.

    `nodes` are the source's nodes of the cut tree; cards that the board has beyond a street are hidden on it.
    """
    tree, hands = game.betting, _hands(game, seat)
    policy = np.zeros(int(game.layout[seat][-1]), dtype=np.float32)
    for s, boards in enumerate(game.boards.sizes()):
        begin, end = (int(offset) for offset in game.layout[seat][s : s + 2])
        rows = policy[begin:end].reshape(boards, -1, len(hands))
        own = [n for n in range(int(tree.start[s]), int(tree.start[s + 1])) if tree.player[n] == seat]

        def look_up(b: int) -> None:  # called within the loop
            cards = game.board(s, b).cards[: BOARD[street + s]]  # noqa: B023
            known = source.several([int(nodes[n]) for n in own], cards, hands)  # noqa: B023
            for n, row_values in zip(own, known, strict=True):  # noqa: B023
                row = int(game.rounds.row[n])
                rows[b, row : row + len(row_values)] = row_values  # noqa: B023

        for _ in in_threads(look_up, range(boards if own else 0)):
            pass
    return policy


def pruned(weights: Floats, board: tuple[int, ...]) -> Floats:
    """Weights without blocked and negligible hands, scaled to a maximum of 1; all hands alike if none is left."""
    free = free_of(board)
    kept = np.where(free, weights, 0.0)
    most = float(kept.max())
    if most <= 0.0:
        return free.astype(np.float64)
    kept = kept / most
    return np.asarray(np.where(kept >= LEAST, kept, 0.0))


def tree_with(rules: Betting, menu: str, path: Sequence[Action]) -> tuple[BettingTree, int]:
    """The betting of a menu plus the real actions, and the node to which they lead."""
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
        child = child_after(tree, node, total)
        assert child is not None
        node = child
    return tree, node


def child_after(tree: BettingTree, node: int, total: int) -> int | None:
    """Where a check or call (-1), or a bet to a total, leads; None if the tree lacks it.

    A bet beyond the shorter stack is that all-in.
    """
    for child in tree.children(node):
        kind = int(tree.kind[child])
        if total < 0 and kind in (Move.CHECK, Move.CALL):
            return child
        amount = int(tree.amount[child])
        if total >= 0 and kind >= Move.BET and (amount == total or (kind == Move.ALLIN and amount < total)):
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
