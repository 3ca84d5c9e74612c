"""Games of betting, boards and showdowns, stored as those three factors and never as their product.

A `VectorGame` is a betting tree (chips only), a board tree (cards only, up to suits) and a showdown, with the weights
of both players' hands. A node of the betting on a board stands for all pairs of hands at once. A `Strategy` answers one
question, `rows(decision, board) -> [actions, hands]`. Expected values are sums over both players' hands and boards of

    w0(h0) w1(h1) [no card twice] chance(street) pay / Z,        Z = sum of w0 w1 over hands that share no card,

where `chance(street)` is the probability of any one board given both hands. For dense showdowns both probabilities are
part of the matrices. `moves` (`headsup.games.holdem.moves`) are what chance does in private between streets.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import comb, isqrt
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from headsup.cards.boards import BoardTree
from headsup.cards.cards import cards_name
from headsup.cards.games import hand_size
from headsup.common.arrays import AnyArray, Floats
from headsup.common.checks import (
    as_list,
    as_numbers,
    as_text,
    as_truth,
    door,
    finite,
    of_kind,
    positive,
    quoted,
    real_array,
    whole,
)
from headsup.common.errors import UserError
from headsup.games.betting.bettingtree import BettingTree
from headsup.games.betting.rules import DEAL, FOLD, SHOWDOWN, Move
from headsup.games.holdem.boardlist import BoardList
from headsup.games.holdem.four import FourCardSorted
from headsup.games.holdem.moves import PrivateMove
from headsup.games.holdem.showdown import Showdown, Sorted

if TYPE_CHECKING:
    from headsup.games.holdem.layout import Rounds


class Place(NamedTuple):
    """A board of a game: its street, its number there, and its cards (in the order in which they came)."""

    street: int
    number: int
    cards: tuple[int, ...]


class Strategy(Protocol):
    """How both players play: what everything that can be played or measured has in common."""

    def rows(self, decision: int, board: Place) -> Floats:
        """[actions, hands]: how often the mover takes each action at a decision of the betting tree, hand by hand."""


class Uniform:
    @door(game=lambda value, what: of_kind(VectorGame)(value, what))
    def __init__(self, game: VectorGame) -> None:
        self.game = game

    def rows(self, decision: int, board: Place) -> Floats:
        actions = int(self.game.betting.count[decision])
        hands = self.game.showdown.sizes[int(self.game.betting.player[decision])]
        return np.full((actions, hands), 1.0 / actions)


class Mixture:
    """Fold, check or call, and raise with the same probabilities for every hand; an illegal action adds to check or
    call.

    A raise takes the first size of the menu at each decision. `Mixture(game, 1, 0, 0)` always folds to a bet.
    """

    @door(game=lambda value, what: of_kind(VectorGame)(value, what), fold=finite, call=finite, bet=finite)
    def __init__(self, game: VectorGame, fold: float, call: float, bet: float) -> None:
        total = fold + call + bet
        if min(fold, call, bet) < 0.0 or abs(total - 1.0) > 1e-9:
            raise UserError(f"the probabilities of fold, call and raise must add up to 1, not {total:g}")
        self.game, self.fold, self.call, self.bet = game, fold, call, bet

    def rows(self, decision: int, board: Place) -> Floats:
        betting = self.game.betting
        actions, first = int(betting.count[decision]), int(betting.child[decision])
        hands = self.game.showdown.sizes[int(betting.player[decision])]
        folds = [a for a in range(actions) if betting.player[first + a] == FOLD]
        bets = [a for a in range(actions) if betting.kind[first + a] >= Move.BET]
        passive = next(a for a in range(actions) if a not in folds and a not in bets)
        out = np.zeros((actions, hands))
        out[passive] = self.call + (0.0 if folds else self.fold) + (0.0 if bets else self.bet)
        if folds:
            out[folds[0]] = self.fold
        if bets:
            out[bets[0]] = self.bet
        return out


class ArrayStrategy:
    """A strategy that lies in arrays: [boards, rows, hands] of every street in turn, for each seat."""

    def __init__(self, game: VectorGame, policy: tuple[AnyArray, AnyArray]) -> None:
        self.game = game
        if not self.fits(game, policy):
            wanted, given = (" and ".join(f"{n:,}" for n in sizes) for sizes in self._sizes(game, policy))
            raise UserError(f"a pair of strategies in {game} has {wanted} numbers, not {given}")
        first, second = (real_array(array, f"strategy of player {seat}") for seat, array in enumerate(policy))
        self.policy: tuple[AnyArray, AnyArray] = first, second

    @classmethod
    def of(cls, game: VectorGame, strategy: Strategy) -> ArrayStrategy:
        """Any strategy, asked for all of its rows once: compiled walks take it, and a record can keep it."""
        arrays = [np.zeros(int(at[-1])) for at in game.layout]
        rounds = game.rounds
        for s, boards in enumerate(game.boards.sizes()):
            nodes = [n for n in range(int(rounds.start[s]), int(rounds.start[s + 1])) if rounds.player[n] < DEAL]
            ends = [slice(*game.layout[p][s : s + 2]) for p in (0, 1)]
            parts = [arrays[p][ends[p]].reshape(boards, -1, game.showdown.sizes[p]) for p in (0, 1)]
            for b in range(boards if nodes else 0):
                place = game.board(s, b)
                for node in nodes:
                    part, row = parts[int(rounds.player[node])], int(rounds.row[node])
                    part[b, row : row + int(rounds.count[node])] = strategy.rows(node, place)
        return cls(game, (arrays[0], arrays[1]))

    @classmethod
    def fits(cls, game: VectorGame, policy: tuple[AnyArray, AnyArray]) -> bool:
        """Whether the arrays have the game's size; a strategy of its flat form, for example, has not."""
        wanted, given = cls._sizes(game, policy)
        return wanted == given

    @staticmethod
    def _sizes(game: VectorGame, policy: tuple[AnyArray, AnyArray]) -> tuple[list[int], list[int]]:
        return [int(at[-1]) for at in game.layout], [int(np.size(array)) for array in policy]

    def rows(self, decision: int, board: Place) -> Floats:
        rounds = self.game.rounds
        seat, n, begin = int(rounds.player[decision]), int(rounds.count[decision]), int(rounds.row[decision])
        return regret_matching(self.numbers(seat, board)[begin : begin + n], np.zeros(1, int), np.array([n]))

    def whole_street(self, seat: int, board: Place) -> Floats:
        """[rows, hands]: the same at all decisions of the board's street at once."""
        rounds, own = self.game.rounds, decisions(self.game.rounds, board.street, seat)
        if not len(own):
            return np.zeros((0, self.game.showdown.sizes[seat]))
        return regret_matching(self.numbers(seat, board), rounds.row[own], rounds.count[own])

    def numbers(self, seat: int, board: Place) -> AnyArray:
        """[rows, hands] as they lie in the arrays."""
        rows, hands = int(self.game.rounds.rows[seat, board.street]), self.game.showdown.sizes[seat]
        low = int(self.game.layout[seat][board.street]) + board.number * rows * hands
        return self.policy[seat][low : low + rows * hands].reshape(rows, hands)


def decisions(rounds: Rounds, street: int, seat: int) -> AnyArray:
    """A seat's decisions of a street that have rows of their own, in the order of these (others have a `twin`)."""
    nodes = np.arange(int(rounds.start[street]), int(rounds.start[street + 1]))
    twin = rounds.twin[nodes]
    return np.asarray(nodes[(rounds.player[nodes] == seat) & ~((twin >= 0) & (twin < nodes))])


def regret_matching(numbers: AnyArray, first: AnyArray, count: AnyArray) -> Floats:
    """Probabilities in proportion to what is positive, uniform where nothing is; a decision begins at `first`."""
    rows = np.maximum(numbers, 0.0, dtype=np.float64)
    total = rows[first + (count > 1)]
    for a in (*range(2, int(count.max(initial=1))), 0):  # as `reduceat` adds them up, which takes twice as long
        more = count > max(1, a)
        total[more] += rows[first[more] + a]
    some = total > 0.0
    rows /= np.repeat(np.where(some, total, 1.0), count, axis=0)
    if some.all():
        return rows
    return np.where(np.repeat(some, count, axis=0), rows, np.repeat(1.0 / count, count)[:, None])


@dataclass(frozen=True, eq=False)
class VectorGame:
    """A game as its factors; see the module's text."""

    name: str
    betting: BettingTree
    boards: BoardList
    showdown: Showdown
    weights: tuple[Floats, Floats]  # of each player's hands
    chance: Floats  # [streets] the probability of any one board of a street, given both hands
    unit: float = 1.0  # chips in a big blind
    text: str | None = None  # what the game was written as, where it was
    moves: Mapping[tuple[int, int], PrivateMove] = field(default_factory=dict)
    """What chance does in private, by the deal of the betting tree where the street ends, and by player."""

    def __post_init__(self) -> None:
        if len(self.betting.start) - 1 != len(self.boards.streets):
            raise UserError(
                f"the betting has {len(self.betting.start) - 1} streets and the boards {len(self.boards.streets)}: "
                "they must be as many"
            )
        for seat in (0, 1):
            if len(self.weights[seat]) != self.showdown.sizes[seat]:
                raise UserError(f"player {seat} has {self.showdown.sizes[seat]} hands: give a weight for each of them")
        if self.betting.rules.swaps:
            if not isinstance(self.showdown, Sorted) or self.showdown.sizes != (len(self.showdown.boards.hands()),) * 2:
                raise UserError("cards are changed in hold'em only, where both players may hold every hand of the deck")
            if min(self.draws()[s] for s in self.betting.rules.swaps) < 1:
                raise UserError("the deck has no card left to change one for: add ranks or suits")
        for (node, seat), move in self.moves.items():
            if seat not in (0, 1) or not 0 <= node < self.betting.n_nodes or self.betting.player[node] != DEAL:
                raise UserError(f"a private move belongs to a deal of the betting and a player, not to {node}, {seat}")
            if max(move.before.max(initial=0), move.after.max(initial=0)) >= self.showdown.sizes[seat]:
                raise UserError(f"a private move of player {seat} leads beyond its {self.showdown.sizes[seat]} hands")

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        decisions = " + ".join(f"{n:,}" for n in self.betting.decisions())
        boards = " + ".join(f"{n:,}" for n in self.boards.sizes())
        hands = " and ".join(f"{n:,}" for n in self.showdown.sizes)
        return f"<{self.name}: {decisions} decisions, {boards} boards, {hands} hands>"

    @property
    def streets(self) -> int:
        return len(self.boards.streets)

    @cached_property
    def mass(self) -> float:
        """Z: the weight of all pairs of hands that can be dealt."""
        mass = self.showdown.mass(self.weights)
        if not mass > 0.0:
            raise UserError("no two hands of the two ranges can be dealt together: widen one of them")
        return mass

    @cached_property
    def rounds(self) -> Rounds:
        """The betting as arrays for the kernels, with chance multiplied into what ends pay."""
        return _rounds(self.betting, np.asarray(self.chance) / self.mass, self.draws())

    @property
    def private(self) -> bool:
        """Whether hands change in private: by moves of chance, or by swaps (`headsup.discards.exact.spots`)."""
        return bool(self.moves) or bool(self.betting.rules.swaps)

    def draws(self) -> list[int]:
        """For each street, how many cards may replace one that a player changes, both hands given."""
        cards = (1 + isqrt(1 + 8 * self.showdown.sizes[0])) // 2
        return [cards - 4 - sum(self.boards.streets[1 : s + 1]) for s in range(self.streets)]

    @cached_property
    def layout(self) -> tuple[AnyArray, AnyArray]:
        """For each player, where the streets of an array [boards, rows, hands] a street begin, and its size."""
        boards, rows = np.array(self.boards.sizes()), self.rounds.rows
        starts = [np.cumsum([0, *(boards * rows[p] * self.showdown.sizes[p])]).astype(np.int64) for p in (0, 1)]
        return starts[0], starts[1]

    @cached_property
    def checksum(self) -> str:
        """SHA-256 over the game itself: betting, boards, hands and weights."""
        digest = hashlib.sha256(np.float64(self.unit).tobytes())
        rounds = self.rounds
        for array in (rounds.start, rounds.player, rounds.child, rounds.count, *self.weights, *self.showdown.sizes):
            digest.update(np.asarray(array).tobytes())
        pays = np.stack([self.betting.win, self.betting.lose])
        digest.update(pays.tobytes())
        digest.update(self.boards.identity())
        digest.update(self.showdown.identity())
        if self.betting.rules.swaps:
            digest.update(rounds.swap.tobytes() + rounds.twin.tobytes())
        for place, move in sorted(self.moves.items()):
            for array in (place, *move):
                digest.update(np.asarray(array).tobytes())
        return digest.hexdigest()

    def board(self, street: int, index: int) -> Place:
        return Place(street, index, tuple(int(c) for c in self.boards.levels[street].cards[index]))

    def board_name(self, board: Place) -> str:
        """Its cards as text, with a slash where a street begins; those of plain boards are named by their numbers."""
        known, parts = len(self.boards.root), [board.cards[: len(self.boards.root)]]
        for new in self.boards.streets[1 : board.street + 1]:
            parts.append(board.cards[known : known + new])
            known += new
        if isinstance(self.boards, BoardTree):
            return "/".join(cards_name(part) for part in parts if part)
        return "/".join(" ".join(map(str, part)) for part in parts if part)

    def infosets(self) -> tuple[int, int]:
        """How many pairs of decision, board and hand each player has, boards up to suits."""
        counts = [0, 0]
        for s, size in enumerate(self.boards.sizes()):
            players = self.betting.player[self.betting.start[s] : self.betting.start[s + 1]]
            for seat in (0, 1):
                counts[seat] += int((players == seat).sum()) * size * self.showdown.sizes[seat]
        return counts[0], counts[1]


@door(
    name=as_text,
    betting=of_kind(BettingTree),
    root=as_list,
    streets=as_list,
    ranges=as_list,
    ranks=whole,
    suits=whole,
    dead=as_list,
    merged=as_truth,
    unit=positive,
)
def holdem_game(
    name: str,
    betting: BettingTree,
    *,
    root: Sequence[int] = (),
    streets: Sequence[int] = (0, 3, 1, 1),
    ranges: tuple[AnyArray, AnyArray] | None = None,
    ranks: int = 13,
    suits: int = 4,
    dead: Sequence[int] = (),
    merged: bool = True,
    unit: float = 1.0,
    game: str = "holdem",
) -> VectorGame:
    """Hold'em or Omaha from any board: betting, ranges (weights of all combos; alike if left out) and the deck.

    `streets` are the numbers of cards that come before each street, the root's being 0. Boards and hands are taken up
    to suits as far as board and ranges allow; `merged=False` takes all of them.
    """
    given = () if ranges is None else tuple(as_numbers(combos, "a range").astype(np.float64) for combos in ranges)
    if len(given) not in (0, 2):
        raise UserError(f"ranges must be two, one for each player, not {len(given)}")
    held = hand_size(game)
    for combos in given:
        if combos.shape != (comb(52, held),) or not np.isfinite(combos).all() or combos.min() < 0.0:
            raise UserError(f"a range is {comb(52, held):,} weights, one for each combo, none below 0")
    if held > 2 and betting.rules.swaps:
        raise UserError("cards are changed in hold'em only: leave out the swaps")
    boards = BoardTree(root, streets, ranks=ranks, suits=suits, ranges=given, merged=merged, dead=dead, held=held)
    possible = np.asarray(boards.hands(), dtype=np.int64)
    lists, weights = [], []
    for seat in (0, 1):
        weight = np.ones(len(possible)) if not given else given[seat][possible]
        if not weight.any():
            raise UserError(f"the range of player {seat} has no hand that the board and the dead cards leave: widen it")
        kept = (weight > 0.0) | bool(betting.rules.swaps)  # a new card may make any hand
        lists.append(possible[kept])
        weights.append(weight[kept])
    left = ranks * suits - len(set(root)) - len(set(dead)) - 2 * held
    chance, total = [], 1
    for new in streets:
        total *= comb(left, new)
        left -= new
        chance.append(1.0 / total if total else 0.0)
    if not chance[-1]:
        raise UserError(f"a deck of {ranks * suits} cards is too small for two hands and the board: add ranks or suits")
    hands = lists[0], lists[1]
    showdown = Sorted(boards, hands) if held == 2 else FourCardSorted(boards, hands, low=game == "omaha8")
    return VectorGame(name, betting, boards, showdown, (weights[0], weights[1]), np.array(chance), unit)


def tables(game: VectorGame, strategy: Strategy) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
    """A strategy by name, for each player: `hand|board|line` -> action -> probability, on boards up to suits."""
    named: tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]] = ({}, {})
    names = [game.showdown.names(seat) for seat in (0, 1)]
    betting = game.betting
    for s in range(game.streets):
        nodes = [n for n in range(int(betting.start[s]), int(betting.start[s + 1])) if betting.player[n] < DEAL]
        for b in range(len(game.boards.levels[s])):
            place = game.board(s, b)
            for node in nodes:
                seat, rows, actions = int(betting.player[node]), strategy.rows(node, place), betting.actions(node)
                for h in game.showdown.alive(seat, s, b):
                    key = f"{names[seat][h]}|{game.board_name(place)}|{betting.line(node)}"
                    named[seat][key] = {a: float(x) for a, x in zip(actions, rows[:, h], strict=True)}
    return named


def _rounds(tree: BettingTree, chance: Floats, draws: Sequence[int]) -> Rounds:
    """Number the rows and the reach of every street, and find the lines that its ends share."""
    from headsup.games.holdem.layout import Rounds

    streets = len(tree.start) - 1
    player, count = tree.player.astype(np.int8), np.where(tree.player < DEAL, tree.count, 0).astype(np.int32)
    row, at = np.zeros(len(player), dtype=np.int32), np.zeros((2, len(player)), dtype=np.int32)
    rows = np.zeros((2, streets), dtype=np.int64)
    swapped = np.flatnonzero((player < DEAL) & (tree.kind[tree.child] == Move.KEEP))
    swap, twin = np.zeros(len(player)), _twins(tree, swapped)
    swap[swapped] = 1.0 / np.array(draws, dtype=np.float64)[tree.street[swapped]]
    follows = (twin >= 0) & (twin < np.arange(len(player)))  # the same rows, and the same reach below
    entry, first = np.concatenate(tree.entries), np.array([len(nodes) for nodes in tree.entries])
    mover = np.where(tree.parent >= 0, player[tree.parent], DEAL)
    for seat in (0, 1):
        total = np.append(0, np.cumsum(np.where((player == seat) & ~follows, count, 0)))
        rows[seat] = np.diff(total[tree.start])
        row = np.where(player == seat, total[:-1] - total[tree.start[tree.street]], row).astype(np.int32)
    row[follows] = row[twin[follows]]
    for seat in (0, 1):
        below = np.flatnonzero(mover == seat)
        above, source = tree.parent[below], tree.parent.copy()
        at[seat, below] = first[tree.street[below]] + row[above] + below - tree.child[above]
        at[seat, entry] = np.concatenate([np.arange(n) for n in first])
        source[below], source[entry] = below, entry
        while (source[source] != source).any():  # up to the node where the seat acted last, or its street began
            source = source[source]
        at[seat] = at[seat, source]
    deals, deal = _by_street(tree, player == DEAL)
    ends, end = _by_street(tree, (player == FOLD) | (player == SHOWDOWN))
    shown = player[end] == SHOWDOWN
    pay, line = np.zeros((2, len(end), 2)), np.zeros((2, len(end)), dtype=np.int32)
    scale = chance[tree.street[end]]
    lines: list[AnyArray] = []
    first_line, showdowns = np.zeros((2, streets + 1), dtype=np.int64), np.zeros((2, streets), np.int64)
    seen = np.zeros((2, len(player), 2), dtype=np.int32)
    for seat in (0, 1):
        folded = tree.player[tree.parent[end]] == seat
        win, lose = tree.win[end, seat] * scale, tree.lose[end, seat] * scale
        pay[seat, :, 0] = np.where(shown | folded, lose, win)
        pay[seat, :, 1] = np.where(shown, win - lose, 0.0)
        first_line[seat, 0] = sum(len(rows_of) for rows_of in lines)
        for s in range(streets):
            here = slice(ends[s], ends[s + 1])
            theirs, asked = at[1 - seat, end[here]], swapped[tree.street[swapped] == s]
            own, follows = player[asked] == seat, (twin[asked] >= 0) & (twin[asked] < asked)
            # where the opponent has changed a card; beside it, before
            below = np.where(own, asked, tree.child[asked] + 1)
            whole = at[1 - seat, np.stack([below, below + (~own | follows)], axis=1)]
            place = np.zeros(first[s] + rows[1 - seat, s], dtype=np.int32)  # of a row: 2 if a showdown is under it,
            place[theirs], place[whole] = 1, 1  # 1 if another end is
            place[theirs[shown[here]]] = 2
            every = np.concatenate([np.flatnonzero(place == 2), np.flatnonzero(place == 1)]).astype(np.int32)
            showdowns[seat, s] = (place == 2).sum()
            place[every] = np.arange(len(every))
            line[seat, here], seen[seat, asked] = place[theirs], place[whole]
            lines.append(every)
            first_line[seat, s + 1] = first_line[seat, s] + len(every)
    return Rounds(
        start=tree.start.astype(np.int64),
        player=player,
        child=tree.child.astype(np.int32),
        count=count,
        row=row,
        at=at,
        entry=np.concatenate(tree.entries).astype(np.int32),
        entries=np.cumsum([0, *map(len, tree.entries)]),
        deal=deal,
        deals=deals,
        end=end,
        ends=ends,
        pay=pay,
        line=line,
        lines=np.concatenate(lines),
        first_line=first_line,
        showdowns=showdowns,
        rows=rows,
        swap=swap,
        twin=twin,
        seen=seen,
    )


def _twins(tree: BettingTree, swapped: AnyArray) -> AnyArray:
    """Where swaps are made together, the second player's decisions after a keep and after a swap are one."""
    twin = np.full(tree.n_nodes, -1, dtype=np.int32)
    first = swapped[np.isin(tree.child[swapped], swapped)] if tree.rules.together else swapped[:0]
    twin[tree.child[first]], twin[tree.child[first] + 1] = tree.child[first] + 1, tree.child[first]
    return twin


def _by_street(tree: BettingTree, chosen: AnyArray) -> tuple[AnyArray, AnyArray]:
    """Where the chosen nodes of each street begin, and all of them."""
    nodes = np.flatnonzero(chosen)
    return np.searchsorted(nodes, tree.start).astype(np.int64), nodes.astype(np.int32)


def check_floor(game: VectorGame, floor: float) -> float:
    """A probability that every action of a game can have at once, or a `UserError`."""
    if isinstance(floor, bool) or not isinstance(floor, int | float):
        raise UserError(f"floor must be a number, the least probability of every action, not {quoted(floor)}")
    most = int(game.betting.count[game.betting.player < DEAL].max(initial=1))
    if not 0.0 <= floor < 1.0 / most:
        raise UserError(f"every action is forced by less than 1/{most} (there are up to {most} of them), not {floor}")
    return float(floor)
