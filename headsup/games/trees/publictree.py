"""Public trees as arrays: nodes breadth-first, and at each decision one information set for every private hand.

`headsup.games.trees.unroll` multiplies it out into the flat tree; `sequence_form()` goes straight to the payoffs.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from headsup.common.arrays import AnyArray, Bytes, Floats, Ints, Longs
from headsup.common.checks import as_truth, door, of_kind
from headsup.common.display import brief
from headsup.common.errors import UserError
from headsup.games.contract.game import CHANCE, TERMINAL
from headsup.games.contract.public import Public, PublicGame
from headsup.games.trees.sequence import Labels, SequenceForm, assemble


@dataclass(frozen=True)
class PublicLabels:
    """A player's information sets named by their hand and their public node, made up when asked."""

    hands: Sequence[str]
    texts: Sequence[str]
    moves: Sequence[Sequence[str]]
    node: Ints  # [infosets] the public node
    hand: Ints  # [infosets] the hand

    __repr__ = brief

    def infoset(self, index: int) -> str:
        return f"{self.hands[self.hand[index]]}|{self.texts[self.node[index]]}"

    def actions(self, index: int) -> Sequence[str]:
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
    up_to_suits: bool = False

    def __repr__(self) -> str:
        hands = " and ".join(f"{len(names):,}" for names in self.hands)
        suits = ", up to suits" if self.up_to_suits else ""
        return f"<PublicTree of {self.name}: {self.n_nodes:,} public nodes, {hands} hands{suits}>"

    @property
    def n_nodes(self) -> int:
        return len(self.player)

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


@door(game=of_kind(PublicGame), up_to_suits=as_truth)
def public_tree(game: PublicGame, up_to_suits: bool = False) -> PublicTree:
    """Walk the public states of a game breadth-first into arrays."""
    builder = _PublicBuilder(game, up_to_suits)
    states: list[Public] = [game.public_root()]
    for state in states:  # the list grows while it is read
        states.extend(builder.visit(state))
    return builder.tree()


class _PublicBuilder:
    def __init__(self, game: PublicGame, up_to_suits: bool) -> None:
        self.game, self.up_to_suits = game, up_to_suits
        self.copies: dict[Hashable, int] = {}  # how many boards a board stands for
        self.classes: list[Ints | None] = []
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
            self.weights.append(self.copies.get(cards, 1) * np.asarray(game.weight(cards), dtype=np.float64))
        kept = self._kept(state, who)
        moves = tuple(game.public_actions(state)[i] for i in kept)
        self.player.append(who)
        self.cards.append(at)
        self.child.append(self.child[-1] + len(moves))
        self.texts.append("" if who in (CHANCE, TERMINAL) else game.public_text(state))
        self.moves.append(moves)
        self.classes.append(game.alike(state) if self.up_to_suits and who in (0, 1) else None)
        self._end(state, cards, at, who)
        return [game.public_next(state, i) for i in kept]

    def _kept(self, state: Public, who: int) -> Sequence[int]:
        """The indices of the actions that are followed: all of them, or one of each kind of public cards."""
        if who == TERMINAL:
            return ()
        every = range(len(self.game.public_actions(state)))
        twins = self.game.twins(state) if self.up_to_suits and who == CHANCE else None
        if twins is None:
            return every
        before = self.copies.get(self.game.public_cards(state), 1)
        for i in every:
            if twins[i]:
                self.copies[self.game.public_cards(self.game.public_next(state, i))] = before * twins[i]
        return [i for i in every if twins[i]]

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
            table, node_of, hand_of = self._number(nodes, possible)
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
            up_to_suits=self.up_to_suits,
        )

    def _number(self, nodes: Longs, possible: AnyArray) -> tuple[Ints, Longs, Longs]:
        """Information sets for the hands possible at some nodes, and the row and the (first) hand of each set."""
        table = np.full(possible.shape, -1, dtype=np.int32)
        if not self.up_to_suits:
            table[possible] = np.arange(int(possible.sum()), dtype=np.int32)
            rows, hands = np.nonzero(possible)
            return table, rows, hands
        row_of, hand_of, count = [], [], 0
        for k, node in enumerate(nodes):
            hands = np.flatnonzero(possible[k])
            classes = self.classes[node]
            _, heads, numbers = np.unique(
                hands if classes is None else classes[hands], return_index=True, return_inverse=True
            )
            table[k, hands] = count + numbers
            row_of.append(np.full(len(heads), k))
            hand_of.append(hands[heads])
            count += len(heads)
        return table, np.concatenate([[], *row_of]).astype(np.int64), np.concatenate([[], *hand_of]).astype(np.int64)
