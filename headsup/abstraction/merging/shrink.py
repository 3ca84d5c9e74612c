"""Lossless shrinking: merge information sets that the rules of a game cannot tell apart (Gilpin and Sandholm 2007).

GameShrink merges hands, and public cards, whose games below are isomorphic. Here the cards of a public tree are
divided into classes by colour refinement: (public cards, hand) of a player get the same class only if

- the hand was in the same class before the last public card;
- as many public cards lead from it to each class of the next street;
- at every end of the betting it meets the opponent's classes with the same payoffs, each as often.

Such classes are an equitable partition of the game's linear program, so averaging an equilibrium over them leaves it an
equilibrium: the shrunken game has the same value, and its equilibria lifted back are equilibria of the whole game.
Every isomorphism gives such classes. Suits are never mentioned.

With `records`, a hand's record of payoffs against all of the opponent's hands is compared, whatever their classes. That
gives the counts published for Rhode Island hold'em (13, 205 and 1,774 classes), but it may lose something: two public
cards that are alike for a player can differ for hands that the opponent has bet.
"""

from collections import defaultdict
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headsup.abstraction.merging.merge import Merged, merge_by
from headsup.common.arrays import AnyArray, Longs, splitmix
from headsup.common.checks import as_truth, door, of_kind
from headsup.common.display import brief
from headsup.common.errors import UserError
from headsup.games.contract.game import CHANCE, TERMINAL
from headsup.games.trees.publictree import PublicTree

Hashes = npt.NDArray[np.uint64]
DIGITS = 12  # payoffs that agree to so many digits are equal
_CHUNK = 256  # sets of public cards whose payoffs are looked at together


@dataclass(frozen=True, eq=False)
class MergedHands:
    """The classes of private hands with the public cards so far."""

    depth: Longs  # [card states] how many times public cards were dealt
    classes: tuple[Longs, Longs]  # by seat [card states, hands]; -1 where the hand cannot be held

    __repr__ = brief

    def counts(self, seat: int = 0) -> list[int]:
        """How many classes a player has after each deal of public cards."""
        of = self.classes[seat]
        depths = range(int(self.depth.max()) + 1)
        return [len(np.unique(of[(self.depth == depth)[:, None] & (of >= 0)])) for depth in depths]


@door(tree=of_kind(PublicTree), records=as_truth)
def shrink(tree: PublicTree, records: bool = False) -> Merged:
    """Merge the information sets of a public tree: without loss, or by records."""
    lines = _lines(tree)
    words: list[list[Hashable]] = []
    classes = card_classes(tree, records).classes
    for seat in (0, 1):
        mine: list[Hashable] = [None] * len(tree.parents[seat])
        for node in np.flatnonzero(tree.player == seat).tolist():
            sets = tree.infosets[seat][tree.row[node]]
            of = classes[seat][tree.cards[node]]
            for hand in np.flatnonzero(sets >= 0).tolist():
                mine[sets[hand]] = int(lines[node]), int(of[hand])
        words.append(mine)
    return merge_by(tree, (words[0], words[1]))


def card_classes(tree: PublicTree, records: bool = False) -> MergedHands:
    """The coarsest classes that lose nothing, or those of hands with the same records."""
    if tree.up_to_suits:
        raise UserError("a public tree up to suits is merged already: shrink one with all suits")
    above = _parents(tree)
    shapes = _shapes(tree)
    dealt = tree.weights * tree.deal
    held = (dealt.sum(axis=2) > 0.0, dealt.sum(axis=1) > 0.0)
    depth = np.zeros(len(above), dtype=np.int64)
    for state in range(1, len(above)):
        depth[state] = depth[above[state]] + 1
    payoffs = _Payoffs(tree)
    colours = tuple(np.where(held[seat], 2 * shapes[:, None] + seat, -1) for seat in (0, 1))
    known = 0
    while True:
        # a payoff belongs to both players: each one's colours are hashed with the opponent's
        hashes = [_mixed(colours[seat].astype(np.uint64), 1) for seat in (0, 1)]
        signed = []
        for seat in (0, 1):
            own, below = hashes[seat], np.zeros_like(hashes[seat])
            np.add.at(below, above[1:], np.where(held[seat], _mixed(own, 2), 0)[1:])
            before = np.concatenate((own[:1], own[above[1:]]))
            faced = np.zeros_like(hashes[1 - seat]) if records else hashes[1 - seat]
            met = payoffs.met(seat, faced, held[1 - seat])
            signed.append(own + _mixed(below, 3) + _mixed(before, 4) + _mixed(met, 5))
        every = np.concatenate([signed[seat][held[seat]] for seat in (0, 1)])
        kinds, numbers = np.unique(every, return_inverse=True)
        colours = tuple(np.full(held[seat].shape, -1, dtype=np.int64) for seat in (0, 1))
        at = int(held[0].sum())
        colours[0][held[0]], colours[1][held[1]] = numbers[:at], numbers[at:]
        if len(kinds) == known:
            return MergedHands(depth, (colours[0], colours[1]))
        known = len(kinds)


class _Payoffs:
    """Hashes of what pairs of hands win, for each set of public cards and each kind of end there."""

    def __init__(self, tree: PublicTree) -> None:
        ends: dict[int, list[int]] = defaultdict(list)
        for result, state in enumerate(tree.result_cards.tolist()):
            ends[state].append(result)
        self.rounds: list[tuple[Longs, Hashes]] = []  # the card states with a first end, a second one, ..
        worth, scale = tree.payoffs(), float(np.abs(tree.payoffs()).max())
        for number in range(max(map(len, ends.values()))):
            states = np.array([state for state, results in ends.items() if len(results) > number])
            results = [ends[int(state)][number] for state in states]
            values = np.round(worth[results] / scale, DIGITS) + 0.0  # no -0.0
            self.rounds.append((states, _mixed(values.view(np.uint64), 6 + number)))

    def met(self, seat: int, opponent: Hashes, held: AnyArray) -> Hashes:
        """[card states, hands of the seat] a hash of the payoffs against the opponent's colours, in any order."""
        hands = self.rounds[0][1].shape[1 + seat]
        out = np.zeros((len(opponent), hands), dtype=np.uint64)
        for states, worth in self.rounds:
            for low in range(0, len(states), _CHUNK):
                some = states[low : low + _CHUNK]
                pairs = worth[low : low + _CHUNK] if seat == 0 else worth[low : low + _CHUNK].transpose(0, 2, 1)
                faced = _mixed(pairs + opponent[some][:, None, :], 7)
                out[some] += np.where(held[some][:, None, :], faced, np.uint64(0)).sum(axis=2, dtype=np.uint64)
        return out


def _mixed(numbers: Hashes, salt: int) -> Hashes:
    """SplitMix64 of each number, so that sums of them stand for the numbers in any order."""
    return splitmix(numbers + np.uint64(salt * 0x9E3779B97F4A7C15 % (1 << 64)))


def _parents(tree: PublicTree) -> Longs:
    """[card states] the public cards before the last deal; the first state is its own."""
    above = np.full(len(tree.weights), -1, dtype=np.int64)
    above[tree.cards[0]] = tree.cards[0]
    if tree.cards[0] != 0:
        raise UserError("the public cards of the root must come first")
    for node in np.flatnonzero(tree.player == CHANCE).tolist():
        for child in range(int(tree.child[node]), int(tree.child[node + 1])):
            state = int(tree.cards[child])
            if above[state] >= 0 and above[state] != tree.cards[node]:
                raise UserError(f"{tree.name} has public cards that come in several orders: shrink needs one order")
            above[state] = tree.cards[node]
    return above


def _lines(tree: PublicTree) -> Longs:
    """[nodes] a number for the bets that lead to each node, whatever the public cards."""
    ids: dict[tuple[int, int], int] = {}
    lines = np.zeros(tree.n_nodes, dtype=np.int64)
    for node in range(tree.n_nodes):
        begin, end = int(tree.child[node]), int(tree.child[node + 1])
        for child in range(begin, end):
            step = -1 if tree.player[node] == CHANCE else child - begin
            lines[child] = ids.setdefault((int(lines[node]), step), len(ids) + 1)
    return lines


def _shapes(tree: PublicTree) -> Longs:
    """[card states] the same number where the betting is the same, with the same ends of the same worth."""
    lines = _lines(tree)
    numbers: dict[int, dict[int, int]] = defaultdict(dict)
    nodes: dict[int, list[Hashable]] = defaultdict(list)
    for node in range(tree.n_nodes):
        state, result = int(tree.cards[node]), int(tree.matrix[node])
        if tree.player[node] == TERMINAL:
            kind = numbers[state].setdefault(result, len(numbers[state]))
            nodes[state].append((int(lines[node]), kind, float(tree.scale[node])))
        else:
            nodes[state].append((int(lines[node]), int(tree.player[node])))
    kinds: dict[tuple[Hashable, ...], int] = {}
    return np.array([kinds.setdefault(tuple(nodes[state]), len(kinds)) for state in range(len(tree.weights))])
