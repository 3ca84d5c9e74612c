"""What lines into the flop are worth: sums of small decks against deals that are added up one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headsup.cards.classes import class_means, holdem_class_of_combo
from headsup.cards.combos import combo_masks
from headsup.common.archives import write_archive
from headsup.common.arrays import Floats
from headsup.common.backend import gpu_present
from headsup.common.errors import DataError
from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.bucketed import BucketStrategy, bucket_layout
from headsup.games.holdem.vector import Strategy, VectorGame
from headsup.games.walk.streaming import Asking, hand_values
from headsup.games.walk.walk import MIX
from headsup.limit.flop_lines import PATH, gpu_line_sums, line_nodes, load_lines, save_lines, shipped_strategy
from tests.bucket_makers import in_parts

GAME = "holdem-limit:ranks=4,suits=2,streets=2"


def some_strategy(text: str = GAME) -> BucketStrategy:
    game = named_game(text)
    assert isinstance(game, VectorGame)
    buckets, rng = in_parts(game, (3, 4)), np.random.default_rng(3)
    numbers = [rng.integers(0, 9, bucket_layout(game, buckets, p).size).astype(np.float64) for p in (0, 1)]
    return BucketStrategy(game, buckets, (numbers[0], numbers[1]))


def line_sums(game: VectorGame, strategy: Strategy) -> Floats:
    """The sums of all lines, board by board on the CPU."""
    sums = []
    for seat in (0, 1):
        walk = Asking(game, strategy, seat, MIX)
        walk.open(0, 0)
        walk.below(0, 0)
        sums.append(walk.dealt(0) * game.mass)
    return np.stack(sums)


def test_sums_of_lines_and_folds_are_the_value_of_the_game() -> None:
    """All that a seat earns comes from a line into the flop or from a fold before it."""
    strategy = some_strategy()
    game, tree = strategy.game, strategy.game.betting
    sums, board = line_sums(game, strategy), game.board(0, 0)
    for seat in (0, 1):
        total = np.zeros(game.showdown.sizes[seat])
        for node in range(int(tree.start[0]), int(tree.start[1])):
            if tree.player[node] < 2:
                continue
            reach, at = [np.ones(game.showdown.sizes[p]) for p in (0, 1)], node
            while at:
                above = int(tree.parent[at])
                reach[int(tree.player[above])] *= strategy.rows(above, board)[at - int(tree.child[above])]
                at = above
            line = np.flatnonzero(line_nodes(game) == node)
            if len(line):
                total += reach[seat] * sums[seat, line[0]]
            else:
                ended = tree.lose if tree.player[tree.parent[node]] == seat else tree.win
                hands = game.showdown.hands
                masks = combo_masks(2)
                free = (masks[hands[seat]][:, None] & masks[hands[1 - seat]][None, :]) == 0
                total += reach[seat] * float(ended[node, seat]) * (free @ reach[1 - seat])
        assert total / game.mass == pytest.approx(hand_values(game, strategy, seat), abs=1e-12)


def test_a_file_is_of_one_strategy(tmp_path: Path) -> None:
    strategy, sums, path = some_strategy(), np.arange(2.0 * 3 * 169).reshape(2, 3, 169), tmp_path / "lines.npz"
    assert load_lines(path, strategy) is None
    save_lines(path, sums, strategy)
    assert (load_lines(path, strategy) == sums).all()
    other = BucketStrategy(strategy.game, strategy.buckets, (strategy.numbers[0] + 1, strategy.numbers[1]))
    assert load_lines(path, other) is None
    write_archive(path, {"about.json": b"{}"})
    with pytest.raises(DataError):
        load_lines(path, strategy)


def test_what_ships_is_zero_sum_line_by_line() -> None:
    """What one seat earns after a line the other loses, by how often their hands come there."""
    strategy = shipped_strategy()
    sums, tree = load_lines(PATH, strategy), strategy.game.betting
    assert sums is not None
    nodes, which, board = line_nodes(strategy.game), holdem_class_of_combo(), strategy.game.board(0, 0)
    assert sums.shape == (2, len(nodes), 169)
    for line, node in enumerate(nodes.tolist()):
        reach, at = np.ones((2, 1326)), node
        while at:
            above = int(tree.parent[at])
            reach[int(tree.player[above])] *= strategy.rows(above, board)[at - int(tree.child[above])]
            at = above
        earned = [float(reach[p] @ sums[p, line][which]) for p in (0, 1)]
        assert sum(earned) == pytest.approx(0.0, abs=1e-4 * max(1.0, *np.abs(sums[:, line]).sum(axis=1)))


def test_classes_are_means_of_their_hands() -> None:
    sums = np.random.default_rng(1).random((2, 1, 1326))
    found = class_means(sums)
    assert found.shape == (2, 1, 169)
    assert found[1, 0, 100] == pytest.approx(sums[1, 0, holdem_class_of_combo() == 100].mean())


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no CUDA device, or the gpu extra is not installed")
def test_a_gpu_finds_the_same() -> None:
    strategy = some_strategy()
    assert gpu_line_sums(strategy) == pytest.approx(line_sums(strategy.game, strategy), abs=1e-3)
