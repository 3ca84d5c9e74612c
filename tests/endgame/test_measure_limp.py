"""Limps that are checked: the best response on a deck of twelve cards against plain loops over all hands and boards."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from headsup.cards.classes import card_classes, holdem_class_of_combo
from headsup.cards.combos import combos
from headsup.cards.suits import SUIT_PERMUTATIONS
from headsup.common.errors import DataError
from headsup.endgame.measure import StateCharts, plan
from headsup.endgame.measure_free import Answers, free_floor
from headsup.endgame.measure_limp import Limps, flop_weights
from headsup.endgame.rules import BlindLevel, Endgame
from headsup.equity.holdem.flop_pairs import flop_pairs
from headsup.evaluate import rank_hands
from headsup.games.holdem.classes import Classes

RANKS, CARDS, HANDS = 3, 12, 66
KIND = np.unique(holdem_class_of_combo()[:HANDS], return_inverse=True)[1]
"""The nine classes of two of twelve cards."""
SIZES = np.bincount(KIND)
RULES = Endgame("holdem", 14, (BlindLevel(1, 2),))
DEPTHS, LEAST = (1.5, 3.0), 2.0
HELD = [frozenset(hand.tolist()) for hand in combos(2)[:HANDS]]


@pytest.fixture(scope="module")
def keys() -> dict[Any, int]:
    """The strength of every hand on every board."""
    places = [
        (h, board)
        for board in map(frozenset, combinations(range(CARDS), 5))
        for h in range(HANDS)
        if not HELD[h] & board
    ]
    values = rank_hands(np.array([sorted(HELD[h] | board) for h, board in places], dtype=np.uint8))
    return dict(zip(places, values.tolist(), strict=True))


def way(keys: dict[Any, Any], a: int, b: int, board: frozenset[int]) -> int:
    """0, 1 or 2: a wins, ties, loses."""
    mine, theirs = keys[a, board], keys[b, board]
    return 0 if mine > theirs else 1 if mine == theirs else 2


@pytest.fixture(scope="module")
def table(keys: dict[Any, Any]) -> Classes:
    """All in before the flop, from one hand of each class."""
    ways = np.zeros((9, 9, 3))
    for a in np.unique(KIND, return_index=True)[1]:
        for b in range(HANDS):
            if not HELD[a] & HELD[b]:
                for board in combinations(set(range(CARDS)) - HELD[a] - HELD[b], 5):
                    ways[KIND[a], KIND[b], way(keys, a, b, frozenset(board))] += 1
    counts = ways.sum(axis=2) / 56
    return Classes("holdem", ways @ [4, 2, 0], counts, sizes=SIZES, boards=56, ranks=RANKS, outcomes=ways)


def renamed(cards: Any, renaming: tuple[int, ...]) -> frozenset[int]:
    """Cards with their suits renamed."""
    return frozenset(card // 4 * 4 + renaming[card % 4] for card in map(int, cards))


class Jams:
    """Any plan at all: how often each class jams over a limp, and each hand each flop, suits being renamed."""

    def __init__(self) -> None:
        random = np.random.default_rng(3)
        every = card_classes(3)
        here = every.reps.max(axis=1) < CARDS
        self.flops, self.sizes = every.reps[here], every.sizes[here]
        self.over = 0.7 * random.random((2, 9))
        self.jam = random.random((2, len(self.flops), 36)) * (random.random((2, len(self.flops), 36)) < 0.6)
        self.on: dict[frozenset[int], dict[int, Any]] = {}
        """By flop, of all 220: how often each hand jams it, at both depths."""
        for number, rep in enumerate(self.flops):
            hands = [hand for hand in HELD if not hand & set(rep.tolist())]
            jam = dict(zip(hands, self.jam[:, number].T, strict=True))
            same = [one for one in SUIT_PERMUTATIONS if renamed(rep, one) == frozenset(rep.tolist())]
            jam = {hand: sum(jam[renamed(hand, one)] for one in same) / len(same) for hand in hands}
            self.jam[:, number] = np.stack(list(jam.values()), axis=1)
            for one in SUIT_PERMUTATIONS:
                self.on[renamed(rep, one)] = {HELD.index(renamed(hand, one)): jam[hand] for hand in hands}

    def limps(self) -> Limps:
        kind, outcomes = [], []
        for flop, jam in zip(self.flops, self.jam.transpose(1, 0, 2), strict=True):
            pairs = flop_pairs(flop, RANKS)
            kind.append(KIND[pairs.hands].astype(np.uint8))
            outcomes.append(pairs.outcomes((1 - self.over)[:, kind[-1]] * jam))
        met = np.ascontiguousarray(np.stack(outcomes).transpose(2, 1, 0, 3))
        return Limps(DEPTHS, self.over, np.stack(kind), flop_weights(self.sizes, RANKS), met, SIZES, LEAST)


def met_on_flops(keys: dict[Any, Any], jams: Jams, a: int) -> list[Any]:
    """[depths, 3] on every flop that hand a leaves: the chance that it meets a jam there and wins, ties, loses."""
    found = []
    for flop in map(frozenset, combinations(set(range(CARDS)) - HELD[a], 3)):
        total = np.zeros((2, 3))
        for b, often in jams.on[flop].items():
            if HELD[a] & HELD[b]:
                continue
            ways = [0, 0, 0]
            for rest in combinations(set(range(CARDS)) - flop - HELD[a] - HELD[b], 2):
                ways[way(keys, a, b, flop | set(rest))] += 1
            total += np.outer((1 - jams.over[:, KIND[b]]) * often, ways) / 10
        found.append(total / 45 / 56)  # hands that a leaves, flops that both leave
    return found


def some_charts() -> StateCharts:
    """Any charts at all."""
    return plan(RULES, [StateCharts(*(0.2 + 0.8 * np.random.default_rng(4).random((2, RULES.chips - 1, 9))))]).charts[0]


def test_the_floor_with_checked_limps_is_that_of_plain_loops(keys: dict[Any, Any], table: Classes) -> None:
    """In every state the floor is what the best of all responses leaves, given the floor after the hand."""
    jams, n = Jams(), RULES.chips
    charts = some_charts()
    answers = Answers((2,), charts.call[None] / 2)
    found = free_floor(table, RULES, charts, answers, (2,), jams.limps())
    after = found.button[0]
    first = np.unique(KIND, return_index=True)[1]
    met = {a: met_on_flops(keys, jams, a) for a in first}
    meets = table.way_block(range(9), range(9)) / table.total
    checked = 0
    for chips in range(1, n):
        hand = RULES.hand(RULES.levels[0], chips)
        fold, take, win, tie, lose = (after[n - end] for end in hand.ends)
        give = after[n - max(chips - 2, 0)]
        depth = min(max(hand.stack / 2, 1.5), 3.0)
        part = np.array([(3 - depth) / 1.5, (depth - 1.5) / 1.5])
        total = 0.0
        for a in first:
            ways = meets[KIND[a]]
            deep = hand.stack / 2 >= LEAST
            called, over = (
                charts.call[chips - 1] @ ways,
                (part @ jams.over if deep else answers.jam[0][chips - 1]) @ ways,
            )
            options = [(1 - called.sum()) * take + called @ [win, tie, lose]]
            if not hand.all_in:
                options.append(fold)
            if hand.stack > 2:
                worth = min(over.sum() * give, over @ [win, tie, lose]) + (1 - over.sum()) * take
                for flop in met[a] if deep else ():
                    jammed = part @ flop
                    worth += min(jammed.sum() * give, jammed @ [win, tie, lose]) - jammed.sum() * take
                options.append(worth)
                checked += options[-1] == min(options)
            total += min(options) * SIZES[KIND[a]] / HANDS
        assert found.big[0][n - chips] == pytest.approx(total, abs=1e-12)
    assert checked > 10  # limps are not only counted, they are the best there is


def test_flops_that_are_jammed_leave_more_than_pots_given_up(table: Classes) -> None:
    """The same plan without its jams on the flop is never better than one that jams what wins."""
    jams = Jams()
    charts = some_charts()
    answers = Answers((2,), charts.call[None])
    jams.jam[:] = 0.0
    given = free_floor(table, RULES, charts, answers, (2,), jams.limps())
    deep = jams.limps().deep(RULES)
    same = Answers((2,), np.where(deep, jams.limps().jam_over(RULES), charts.call)[None])
    assert given.big == pytest.approx(free_floor(table, RULES, charts, same, (2,)).big, abs=1e-12)
    for number, flop in enumerate(jams.flops):
        wins = flop_pairs(flop, RANKS).wins.sum(axis=1)
        jams.jam[:, number] = wins > np.quantile(wins, 0.7)
    better = free_floor(table, RULES, charts, answers, (2,), jams.limps())
    assert better.mean.mean() > given.mean.mean() + 1e-4


def test_a_floor_that_falls_with_more_chips_proves_nothing(table: Classes, monkeypatch: pytest.MonkeyPatch) -> None:
    charts = some_charts()
    monkeypatch.setattr("headsup.endgame.measure_free.linear", lambda *_: np.linspace(1, 0, 15)[None].repeat(2, axis=0))
    with pytest.raises(DataError, match="checks it down"):
        free_floor(table, RULES, charts, Answers((2,), charts.call[None]), (2,), Jams().limps())
