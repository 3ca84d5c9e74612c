"""Looking at buckets: widths, boards and transitions against lists of deals."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest

from headsup.abstraction.hands.buckets import FeatureBuckets
from headsup.abstraction.hands.looking import on_board, transitions, widths
from headsup.abstraction.hands.spec import build_buckets
from headsup.cards import parse_cards
from headsup.cards.combos import colex
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.holdem.vector import VectorGame

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="it sorts hundreds of thousands of hands")

DECK = [4 * rank + suit for rank in range(10, 13) for suit in range(4)]


@pytest.fixture(scope="module")
def made() -> FeatureBuckets:
    played = game("holdem-limit:ranks=3,raises=2")
    assert isinstance(played, VectorGame)
    return build_buckets(played, "4-3-3-3:ehs,nested")


def flat(nested: FeatureBuckets) -> FeatureBuckets:
    return build_buckets(nested.game, "4-3-3-3:ehs")


def test_a_board_shows_every_hand_in_its_bucket(made: FeatureBuckets) -> None:
    for text in ("", "AsKdQc", "AhKhQhQd", "KsKdQcAdAh"):
        board = parse_cards(text)
        view = on_board(made, board)
        left = [c for c in DECK if c not in board]
        assert sorted(view.hands.tolist()) == sorted(colex(two) for two in combinations(left, 2))
        for two in combinations(left, 2):
            assert view.bucket_of(two) == made.bucket_of(two, board)
        assert sum(width.deals for width in view.widths()) == len(view.hands)
        assert view.equity.mean() == pytest.approx(0.5)
        for width in view.widths():
            assert view.names(width.bucket)
            assert width.least - 1e-12 <= width.mean <= width.most + 1e-12
        with pytest.raises(UserError, match="give two cards"):
            view.bucket_of(parse_cards("2s2d"))
    assert on_board(flat(made), parse_cards("AsKdQc")).names(2)[0] == "AA"


def test_widths_are_those_of_all_deals(made: FeatureBuckets) -> None:
    all_widths = widths(made, 1)
    assert sum(width.share for width in all_widths) == pytest.approx(1.0)
    assert sum(width.share * width.mean for width in all_widths) == pytest.approx(0.5)
    assert sum(width.deals for width in all_widths) == 220 * 36  # flops x hands
    for low, high in pairwise(all_widths):
        assert low.most < high.least
    with pytest.raises(UserError, match="no width"):
        widths(build_buckets(made.game, "*"), 1)


def test_transitions_are_those_of_all_deals(made: FeatureBuckets) -> None:
    plain = flat(made)
    wanted = np.zeros((3, 3), dtype=np.int64)
    for flop in combinations(DECK, 3):
        for card in [c for c in DECK if c not in flop]:
            _, first, second = plain.tree.find((*flop, card)).numbers  # of boards with the same names of suits
            before, after = plain.rows(0, 1, first, first + 1)[0], plain.rows(0, 2, second, second + 1)[0]
            alive = plain.features.alive(plain.tree.levels[2], second, second + 1)[0]
            np.add.at(wanted, (before[alive], after[alive]), 1)
    counted = transitions(plain, 1)
    assert int(counted.counts.sum()) == 220 * 9 * 28  # flops x turns x hands
    np.testing.assert_allclose(counted.probabilities().sum(axis=1), 1.0)
    assert (counted.counts == wanted).all()
    assert (counted.errors() == 0.0).all()


def test_samples_are_near_what_is_counted(made: FeatureBuckets) -> None:
    counted, drawn = transitions(made, 1), transitions(made, 1, samples=4000, seed=3)
    assert int(drawn.counts.sum()) == 4000
    assert (drawn.counts == transitions(made, 1, samples=4000, seed=3).counts).all()
    apart, errors = np.abs(drawn.probabilities() - counted.probabilities()), drawn.errors()
    rows = drawn.counts.sum(axis=1) > 50
    assert (apart <= 5 * errors + 0.03)[rows].all()
    assert drawn.counts[counted.counts == 0].sum() == 0
    for street in (-1, 3):
        with pytest.raises(UserError, match="none after it"):
            transitions(made, street)
    with pytest.raises(UserError, match="at most"):
        transitions(made, 1, samples=10**12)
