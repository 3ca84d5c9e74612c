"""Flops that stand for all: the file that ships, its stated errors, and the way they are chosen."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.common.files import read_shipped
from headsup.equity import make_flop_subsets as making
from headsup.equity.holdem.flop_subsets import DATA, FLOPS, flop_subset, flop_subsets, parse_subsets
from headsup.evaluate.texture import GROUPS, textures
from tests.equity import compiled


def test_the_file_is_what_the_maker_writes() -> None:
    text = read_shipped(DATA).decode()
    assert making.subsets_text(parse_subsets(text)) == text
    assert tuple(flop_subsets()) == making.SIZES
    with pytest.raises(UserError, match="there is no subset of 24 flops"):
        flop_subset(24)


@pytest.mark.parametrize("size", making.SIZES)
def test_subsets_have_the_textures_of_all_flops(size: int) -> None:
    found, (flops, counts) = flop_subset(size), making.all_flops()
    assert len({tuple(sorted(flop)) for flop in found.flops.tolist()}) == size
    assert found.weights.sum() == pytest.approx(FLOPS, abs=0.5)
    mine, every = textures(found.flops), textures(flops)
    for group, words in GROUPS.items():
        for i in range(len(words)):
            share = found.weights[mine[group] == i].sum() / FLOPS
            assert share == pytest.approx(counts[every[group] == i].sum() / FLOPS, abs=0.05 if size > 9 else 0.18)


@compiled
@pytest.mark.parametrize("size", [25, *(pytest.param(size, marks=pytest.mark.long) for size in (9, 49, 95, 184))])
def test_the_stated_error_is_the_error(size: int) -> None:
    """On ranges that had no part in the choice; what is exact is the equity before the flop."""
    found = flop_subset(size)
    pairs = making.HELD_OUT if size == 25 else making.HELD_OUT[:4]
    off = making.errors(found.flops, found.weights, pairs)
    assert np.abs(off).max() <= found.worst + 1e-6
    if pairs is making.HELD_OUT:
        assert np.abs(off).max() == pytest.approx(found.worst, abs=1e-6)
        assert np.sqrt((off**2).mean()) == pytest.approx(found.rms, abs=1e-6)
    assert flop_subset(184).rms < flop_subset(25).rms


def test_medoids_are_the_middles_of_their_groups() -> None:
    points = np.array([[0.0], [1.0], [2.0], [10.0], [11.0], [30.0]])
    chosen, groups = making.medoids(points, np.ones(6), 3)
    assert chosen.tolist() == [1, 3, 5]
    assert groups.tolist() == [0, 0, 0, 1, 1, 2]
    chosen, _ = making.medoids(points, np.array([1.0, 1.0, 1.0, 1.0, 9.0, 1.0]), 3)
    assert chosen.tolist() == [1, 4, 5]


def test_weights_bring_the_averages_right() -> None:
    """Two features of three points: their totals are met, and no weight moves further than it must."""
    features = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    start = np.array([8000.0, 8000.0, FLOPS - 16000.0])
    totals = np.array([FLOPS, FLOPS * 0.95])
    weights = making.fit_weights(features, totals, start)
    assert weights.sum() == pytest.approx(FLOPS)
    assert weights @ features[:, 1] == pytest.approx(totals[1], rel=2e-3)
    assert (weights > 0.0).all()
