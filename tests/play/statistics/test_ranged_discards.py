"""Scores by ranges with discards, against sums over all deals, draws and choices of a small deck."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Any

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.combos import HOLDEM_COUNT, colex, combos
from headsup.common.arrays import Floats
from headsup.games.betting.rules import Betting
from headsup.play.agents.discard_all_in import ReducedTable
from headsup.play.statistics import ranged_discards
from headsup.play.statistics.aivat import aivat_chips, make_value
from headsup.play.statistics.discard_values import KEPT, DiscardValue
from headsup.play.statistics.ranged_discards import DiscardRangeValue, ranged_discard_chips
from headsup.play.table.agent import ActionProbabilities, Mixed, make_pair
from headsup.play.table.ranges import before_swaps, share_of_ranges, swept
from headsup.play.table.real import free_of
from headsup.play.table.referee import Referee
from headsup.play.table.rules import CALLS, FOLDS, Action, Deal, PlayerView, raise_to, table
from tests.play.statistics.test_discard_values import every_hand

FLOP, REST = parse_cards("As7d2c"), parse_cards("Ad7h2sKcQcJc8d3h")
HANDS = [colex(sorted(parse_cards(text))) for text in ("Ad7h", "KcQc", "2sJc", "AdKc")]


@dataclass(frozen=True)
class SmallTable(ReducedTable):
    weights: tuple[tuple[float, ...], ...] = ()


def small_table(swaps: tuple[int, ...], draws: int) -> SmallTable:
    """Nine cards and those that may be drawn, four hands for each seat, an odd pot; hands begin on the flop."""
    weights, deck = tuple(float(hand in HANDS) for hand in range(HOLDEM_COUNT)), (*FLOP, *REST[: 6 + draws])
    betting = Betting(first=(1, 1, 1), stacks=(6, 6), pot=7)
    return SmallTable("small", "holdem", betting, 2, FLOP, swaps, deck=deck, weights=(weights, weights))


class Mixer(Mixed):
    """Mixes by its cards: swaps on some streets, and bets on the turn."""

    ranged = True

    def __init__(self, swaps: tuple[int, ...]) -> None:
        self.name, self.swaps = "mixer", swaps
        self.known: dict[object, Any] = {}  # what all hands do, by what `probabilities` looks at

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        lower, higher = sorted(view.hole)
        if view.legal.discards:
            if view.street not in self.swaps:
                return [(CALLS, 1.0)]
            keeps, lower_goes = (1 + lower % 5) / 8.0, (1 + higher % 3) / 8.0
            rest = 1.0 - keeps - lower_goes
            options = [(CALLS, keeps), (Action("d", lower), lower_goes), (Action("d", higher), rest)]
            return [(action, p) for action, p in options if p > 0.0]
        if len(view.board) != 4:
            return [(CALLS, 1.0)]
        some = (1 + (lower + higher) % 7) / 9.0
        if view.legal.fold:
            return [(FOLDS, some), (CALLS, 1.0 - some)]
        return [(raise_to(view.legal.high), some), (CALLS, 1.0 - some)]

    def range_probabilities(self, view: PlayerView) -> dict[Action, Floats]:
        key = len(view.board), view.legal
        if key not in self.known:
            rows: dict[Action, Floats] = {}
            for hole in combinations(sorted(REST), 2):
                for action, p in self.probabilities(view._replace(hole=hole)):
                    rows.setdefault(action, np.zeros(HOLDEM_COUNT))[colex(hole)] = p
            self.known[key] = rows
        return dict(self.known[key])

    def swap_probabilities(self, view: PlayerView) -> Floats:
        if view.street not in self.known:
            played = np.zeros((HOLDEM_COUNT, 3))
            for hole in combinations(sorted(REST), 2):
                options = dict(self.probabilities(view._replace(hole=hole)))
                played[colex(hole)] = [options.get(action, 0.0) for action in (CALLS, *(Action("d", c) for c in hole))]
            self.known[view.street] = played
        return np.array(self.known[view.street])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((2,), ()),
        ((), (2,)),
        pytest.param((2,), (2,), marks=pytest.mark.long),
        pytest.param((2, 3), (), marks=pytest.mark.long),
    ],
)
def test_scores_by_ranges_keep_the_mean(
    first: tuple[int, ...], second: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Summed over all deals, draws and choices; swaps on the turn and, as nowhere else, before the river's bets."""
    monkeypatch.setattr(ranged_discards, "KEPT", KEPT | {(3, 2): 0.8, (3, 1): 0.9})
    draws = len(first) + len(second)
    there, agents, hands = small_table((1, 2) if 3 in first else (1,), draws), (Mixer(first), Mixer(second)), combos(2)
    deals = []
    for a, b in product(HANDS, HANDS):
        holes = tuple(hands[a].tolist()), tuple(hands[b].tolist())
        left = [card for card in REST[: 6 + draws] if card not in (*holes[0], *holes[1])]
        if len(left) == 2 + draws:
            deals += [Deal(holes, (*FLOP, *order[:2]), order[2:]) for order in permutations(left)]
    known: dict[object, float] = {}
    chances, plain, scores = list[float](), list[float](), list[float]()
    for chance, record in every_hand(deals, agents, there):
        public = record.board, record.steps, record.shown and record.chips[0]
        if public not in known:
            known[public] = ranged_discard_chips(record, agents)
        chances.append(chance)
        plain.append(record.chips[0])
        scores.append(known[public])
    mean = float(np.dot(chances, plain))
    assert sum(chances) == pytest.approx(1.0)
    assert np.dot(chances, scores) == pytest.approx(mean, abs=1e-9)
    spread = [float(np.dot(chances, (np.array(won) - mean) ** 2)) for won in (plain, scores)]
    assert spread[1] < 0.8 * spread[0]


def test_a_share_is_the_mean_of_those_after_the_next_card() -> None:
    """Of two ranges, with cards out; the next card is rarer the more hands have it."""
    rng, dead = np.random.default_rng(4), parse_cards("9cJd")
    first, second = (np.where(free_of((*FLOP, *dead)), rng.random(HOLDEM_COUNT) ** 3, 0.0) for _ in range(2))
    chances, shares = list[float](), list[float]()
    for card in range(52):
        if card not in (*FLOP, *dead):
            mine, theirs = (np.where(free_of((card,)), weights, 0.0) for weights in (first, second))
            chances.append(float(mine @ swept(theirs[None], (*FLOP, card), dead)[1][0]))
            shares.append(share_of_ranges(mine, theirs, (*FLOP, card), dead))
    mean = np.dot(chances, shares) / sum(chances)
    assert share_of_ranges(first, second, FLOP, dead) == pytest.approx(mean, abs=1e-12)


def test_before_the_flop_equities_with_swaps_add_up() -> None:
    first, second = np.random.default_rng(5).random((2, HOLDEM_COUNT))
    won, met = before_swaps(np.array([first, second]))
    assert first @ won[1] + second @ won[0] == pytest.approx(first @ met[1])


def test_real_bots_are_scored_by_ranges_and_others_by_their_cards() -> None:
    there = table("holdem-discard")
    for names in (("discard", "ectomynx"), ("lbr:1,a", "discard")):
        agents = make_pair(*names, there)
        value = make_value(there, agents)
        assert isinstance(value, DiscardRangeValue)
        for number in range(3):
            record = Referee(agents, seed=6).play(there, there.deal_number(6, number), number, 0)
            assert np.isfinite(aivat_chips(record, agents, value))
    assert isinstance(make_value(there, make_pair("caller", "discard", there)), DiscardValue)
