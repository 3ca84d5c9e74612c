"""Games in which private hands are dealt first and all the rest is public, and their public trees.

Most card games are of this kind: what both players see (bets, board cards, bids) forms a small *public tree*, and a
node of it stands for every pair of hands at once. A vector over private hands at a public node replaces as many nodes
of the plain game tree as there are hands, which is what makes poker at scale possible. A `PublicGame` answers,
besides the eight questions of the contract (which it answers by itself):

    hands(seat)            the names of a player's private hands
    deal()                 how often each pair of hands is dealt, as a matrix of weights; 0 where two hands clash
    public_root()          the public state after the deal
    public_player(p)       0, 1, CHANCE or TERMINAL
    public_actions(p)      bets, or the public cards that may come
    public_next(p, i)      the public state after the i-th of those
    public_text(p)         what has happened in public, as text
    public_cards(p)        what chance has shown so far: any hashable value
    weight(cards)          the probability that chance shows that, for each pair of hands, as a matrix
    public_end(p)          how it ended: a number to multiply with, and a hashable key for ...
    result(key, cards)     ... the matrix of player 0's winnings by pair of hands

`public_tree(game)` makes arrays of it. From there `unroll()` gives the flat tree of the plain game without visiting
its states one by one, and `sequence_form()` skips even that.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from headsup.errors import UserError
from headsup.games.arrays import Bytes, Floats, Ints
from headsup.games.game import CHANCE, TERMINAL, Game, State
from headsup.games.sequence import Labels, SequenceForm, assemble
from headsup.games.tree import Tree

Public = Any  # a game's own public state


class PublicGame(Game):
    """A game of private hands and public moves; see the module's text for the eleven questions it answers."""

    @abstractmethod
    def hands(self, seat: int) -> Sequence[str]:
        """The names of the private hands that this player may hold."""

    @abstractmethod
    def deal(self) -> Floats:
        """The weight of each pair of hands, [hands of 0, hands of 1]; 0 where both cannot be held at once."""

    @abstractmethod
    def public_root(self) -> Public:
        """The public state right after the deal."""

    @abstractmethod
    def public_player(self, public: Public) -> int:
        """Who moves: 0, 1, CHANCE or TERMINAL."""

    @abstractmethod
    def public_actions(self, public: Public) -> Sequence[str]:
        """What can happen next in public."""

    @abstractmethod
    def public_next(self, public: Public, index: int) -> Public:
        """The public state after the action or card at this index."""

    @abstractmethod
    def public_text(self, public: Public) -> str:
        """All that has happened in public, as text."""

    @abstractmethod
    def public_end(self, public: Public) -> tuple[float, Hashable]:
        """At the end: a factor and the key of the result matrix it multiplies."""

    @abstractmethod
    def result(self, key: Hashable, cards: Hashable) -> Floats:
        """What player 0 wins for each pair of hands when play ends in this way with these public cards."""

    def public_cards(self, public: Public) -> Hashable:
        """What chance has shown in public so far."""
        return ()

    def weight(self, cards: Hashable) -> Floats:
        """The probability, for each pair of hands, that chance shows these public cards."""
        return np.ones_like(self.deal(), dtype=np.float64)

    # The eight methods of the contract follow from those above. A state is (), (hand of 0,) or (hand, hand, public).

    def root(self) -> State:
        """The state before the deal."""
        return ()

    def player(self, state: State) -> int:
        """Chance deals twice; then the public state tells."""
        return CHANCE if len(state) < 3 else self.public_player(state[2])

    def actions(self, state: State) -> Sequence[str]:
        """The hands that can be dealt, or what can happen in public."""
        if len(state) < 2:
            return [self.hands(len(state))[h] for h in self._dealt(state)[0]]
        return [self.public_actions(state[2])[i] for i in self._open(state)]

    def next(self, state: State, index: int) -> State:
        """Deal a hand, or move on in public."""
        if len(state) < 2:
            hand = int(self._dealt(state)[0][index])
            return (*state, hand) if not state else (*state, hand, self.public_root())
        return (state[0], state[1], self.public_next(state[2], int(self._open(state)[index])))

    def chance(self, state: State) -> Sequence[float]:
        """The odds of the deal, or of the public cards given both hands."""
        if len(state) < 2:
            return list(self._dealt(state)[1])
        now = self._weight_at(state[2])[state[0], state[1]]
        return [
            float(self._weight_at(self.public_next(state[2], int(i)))[state[0], state[1]] / now)
            for i in self._open(state)
        ]

    def infoset(self, state: State) -> str:
        """The mover's own hand and everything public."""
        seat = self.public_player(state[2])
        return f"{self.hands(seat)[state[seat]]}|{self.public_text(state[2])}"

    def payoff(self, state: State) -> float:
        """One element of the result matrix."""
        scale, key = self.public_end(state[2])
        return scale * float(self.result(key, self.public_cards(state[2]))[state[0], state[1]])

    def _dealt(self, state: State) -> tuple[Ints, Floats]:
        weights = self.deal().sum(axis=1) if not state else self.deal()[state[0]]
        some = np.flatnonzero(weights)
        return some.astype(np.int32), weights[some] / weights.sum()

    def _open(self, state: State) -> Sequence[int]:
        n = len(self.public_actions(state[2]))
        if self.public_player(state[2]) != CHANCE:
            return range(n)
        nexts = (self.public_next(state[2], i) for i in range(n))
        return [i for i, p in enumerate(nexts) if self._weight_at(p)[state[0], state[1]] > 0.0]

    def _weight_at(self, public: Public) -> Floats:
        return self.weight(self.public_cards(public))


@dataclass(frozen=True)
class PublicLabels:
    """A player's information sets named by their hand and their public node, made up when asked."""

    hands: Sequence[str]
    texts: Sequence[str]
    moves: Sequence[Sequence[str]]
    node: Ints  # [infosets] the public node
    hand: Ints  # [infosets] the hand

    def infoset(self, index: int) -> str:
        """The hand and what has happened in public."""
        return f"{self.hands[self.hand[index]]}|{self.texts[self.node[index]]}"

    def actions(self, index: int) -> Sequence[str]:
        """The actions at the public node."""
        return self.moves[self.node[index]]


@dataclass(frozen=True)
class PublicTree:
    """A public game as arrays: nodes breadth-first, with one row of information sets (one a hand) at each decision."""

    name: str
    unit: float
    hands: tuple[Sequence[str], Sequence[str]]
    player: Bytes  # [nodes]
    child: Ints  # [nodes + 1]
    row: Ints  # [nodes] which row of the mover's `infosets` a decision has, else -1
    cards: Ints  # [nodes] which of `weights` holds here
    matrix: Ints  # [nodes] which of `results` ends the game here, else -1
    scale: Floats  # [nodes] what that result is multiplied with
    deal: Floats  # [hands, hands] adds up to 1
    weights: Floats  # [card states, hands, hands] the probability of the public cards given both hands
    results: Floats  # [results, hands, hands] what player 0 wins
    result_cards: Ints  # [results] which of `weights` goes with a result
    infosets: tuple[Ints, Ints]  # [decisions, hands] information set, -1 where the hand cannot be held
    firsts: tuple[Ints, Ints]
    parents: tuple[Ints, Ints]
    labels: tuple[Labels, Labels]

    @property
    def n_nodes(self) -> int:
        """How many public nodes there are."""
        return len(self.player)

    def levels(self) -> list[tuple[int, int]]:
        """The ranges of public nodes at depth 0, 1, 2, ..."""
        out, low, high = [], 0, 1
        while low < high:
            out.append((low, high))
            low, high = int(self.child[low]), int(self.child[high])
        return out

    def payoffs(self) -> Floats:
        """[results, hands, hands] with the probability of deal and public cards multiplied in."""
        return self.results * self.weights[self.result_cards] * self.deal

    def own_sequences(self, seat: int) -> Ints:
        """[nodes, hands] one player's sequence at every public node for every hand they may hold."""
        return hand_sequences(self.player, self.child, self.row, self.infosets[seat], self.firsts[seat], seat)

    def sequence_form(self) -> SequenceForm:
        """The payoff matrix by sequences, gathered end by end without building the plain tree."""
        payoffs, own = self.payoffs(), (self.own_sequences(0), self.own_sequences(1))
        order = np.argsort(self.matrix, kind="stable")
        bounds = np.searchsorted(self.matrix[order], np.arange(len(payoffs) + 1))
        rows, cols, values = [], [], []
        for k, payoff in enumerate(payoffs):
            ends = order[bounds[k] : bounds[k + 1]]
            a, b = np.nonzero(payoff)
            rows.append(own[0][np.ix_(ends, a)].ravel())
            cols.append(own[1][np.ix_(ends, b)].ravel())
            values.append(np.outer(self.scale[ends], payoff[a, b]).ravel())
        entries = (np.concatenate(rows), np.concatenate(cols), np.concatenate(values))
        return assemble(self.name, self.unit, self.firsts, self.parents, self.labels, entries)

    def unroll(self) -> Tree:
        """The flat tree of the plain game: every public node times every pair of hands that can be there."""
        from headsup.games.unroll import unroll

        return unroll(self)


def hand_sequences(player: Bytes, child: Ints, row: Ints, infosets: Ints, first: Ints, seat: int) -> Ints:
    """Carry every hand's last own sequence down the public tree."""
    out = np.zeros((len(player), infosets.shape[1]), dtype=np.int32)
    for node in np.flatnonzero(player != TERMINAL):
        begin, end = child[node], child[node + 1]
        if player[node] == seat:
            own = infosets[row[node]]
            base = np.where(own >= 0, first[own], 0)
            out[begin:end] = base + np.where(own >= 0, np.arange(end - begin)[:, None], 0)
        else:
            out[begin:end] = out[node]
    return out


def public_tree(game: PublicGame) -> PublicTree:
    """Walk the public states of a game breadth-first into arrays."""
    builder = _Builder(game)
    states: list[Public] = [game.public_root()]
    for state in states:  # the list grows while it is read
        states.extend(builder.visit(state))
    return builder.tree()


class _Builder:
    """The columns of a public tree under construction."""

    def __init__(self, game: PublicGame) -> None:
        self.game = game
        deal = np.asarray(game.deal(), dtype=np.float64)
        if deal.ndim != 2 or deal.min() < 0 or not deal.sum() > 0:
            raise UserError(f"the deal of {game} must be a matrix of weights that are at least 0 and not all 0")
        self.deal = deal / deal.sum()
        self.player: list[int] = []
        self.child: list[int] = [1]
        self.cards: list[int] = []
        self.matrix: list[int] = []
        self.scale: list[float] = []
        self.texts: list[str] = []
        self.moves: list[Sequence[str]] = []
        self.cards_id: dict[Hashable, int] = {}
        self.weights: list[Floats] = []
        self.result_id: dict[Hashable, int] = {}
        self.results: list[Floats] = []
        self.result_cards: list[int] = []

    def visit(self, state: Public) -> list[Public]:
        """Append one public node; return its children."""
        game, who = self.game, self.game.public_player(state)
        cards = game.public_cards(state)
        at = self.cards_id.setdefault(cards, len(self.weights))
        if at == len(self.weights):
            self.weights.append(np.asarray(game.weight(cards), dtype=np.float64))
        moves = () if who == TERMINAL else tuple(game.public_actions(state))
        self.player.append(who)
        self.cards.append(at)
        self.child.append(self.child[-1] + len(moves))
        self.texts.append("" if who in (CHANCE, TERMINAL) else game.public_text(state))
        self.moves.append(moves)
        self._end(state, cards, at, who)
        return [game.public_next(state, i) for i in range(len(moves))]

    def _end(self, state: Public, cards: Hashable, at: int, who: int) -> None:
        if who != TERMINAL:
            self.matrix.append(-1)
            self.scale.append(0.0)
            return
        scale, key = self.game.public_end(state)
        number = self.result_id.setdefault((key, at), len(self.results))
        if number == len(self.results):
            self.results.append(np.asarray(self.game.result(key, cards), dtype=np.float64))
            self.result_cards.append(at)
        self.matrix.append(number)
        self.scale.append(scale)

    def tree(self) -> PublicTree:
        """Number the information sets (public node first, then hand) and close the columns."""
        game = self.game
        player, child = np.array(self.player, dtype=np.int8), np.array(self.child, dtype=np.int32)
        cards = np.array(self.cards, dtype=np.int32)
        weights = np.stack(self.weights)
        row = np.full(len(player), -1, dtype=np.int32)
        infosets, firsts, parents, labels = [], [], [], []
        for seat in (0, 1):
            nodes = np.flatnonzero(player == seat)
            row[nodes] = np.arange(len(nodes))
            held = (weights * self.deal).sum(axis=2 - seat) > 0.0  # [card states, hands]
            possible = held[cards[nodes]]
            table = np.full(possible.shape, -1, dtype=np.int32)
            table[possible] = np.arange(int(possible.sum()), dtype=np.int32)
            node_of, hand_of = np.nonzero(possible)
            counts = np.diff(child)[nodes][node_of]
            first = np.concatenate(([1], 1 + np.cumsum(counts))).astype(np.int32)
            sequence = hand_sequences(player, child, row, table, first, seat)
            infosets.append(table)
            firsts.append(first)
            parents.append(sequence[nodes[node_of], hand_of].astype(np.int32))
            owner = nodes[node_of].astype(np.int32)
            labels.append(PublicLabels(game.hands(seat), self.texts, self.moves, owner, hand_of.astype(np.int32)))
        return PublicTree(
            name=str(game),
            unit=game.unit,
            hands=(game.hands(0), game.hands(1)),
            player=player,
            child=child,
            row=row,
            cards=cards,
            matrix=np.array(self.matrix, dtype=np.int32),
            scale=np.array(self.scale),
            deal=self.deal,
            weights=weights,
            results=np.stack(self.results),
            result_cards=np.array(self.result_cards, dtype=np.int32),
            infosets=(infosets[0], infosets[1]),
            firsts=(firsts[0], firsts[1]),
            parents=(parents[0], parents[1]),
            labels=(labels[0], labels[1]),
        )
