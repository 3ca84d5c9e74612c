"""The limit strategy that ships: it is whole, its buckets come back, and it plays."""

from __future__ import annotations

import json

import numpy as np
import pytest

from headsup.abstraction import build_buckets
from headsup.abstraction.hands.spec import restore_buckets
from headsup.cards import parse_cards
from headsup.cli import main
from headsup.games import game
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import VectorGame
from headsup.limit.shipped import give_flops, shipped
from tests.bucket_makers import small


def test_it_is_whole() -> None:
    """104.49 mbb/g: measured once over all boards, on a GPU; here only that the record says so."""
    found, played = shipped(), game("holdem-limit")
    assert isinstance(played, VectorGame)
    assert found.content == played.checksum
    assert 1000 * found.exploitability / played.unit == pytest.approx(104.4858, abs=1e-4)
    replies = found.params["reply_sb_mbb"], found.params["reply_bb_mbb"]
    assert sum(replies) / 2 == pytest.approx(104.4858, abs=1e-4)
    strategy = found.in_game(played)
    assert isinstance(strategy, BucketStrategy)
    assert strategy.buckets.sizes == ((169,), (2000,), (2500,), (1900,))
    rows = strategy.rows(0, played.board(0, 0))
    np.testing.assert_allclose(rows.sum(axis=0), 1.0)
    aces = played.showdown.names(0).index("AsAh")
    assert rows[2, aces] > 0.9  # the dealer raises with aces
    bucket = strategy.buckets.bucket_of(parse_cards("AsKd"), parse_cards("Qh7c2d5s9c"))  # type: ignore[attr-defined]
    assert 0 <= bucket < 1900


def test_the_buckets_of_all_flops_are_those_of_each_one() -> None:
    played = game("holdem-limit")
    named = shipped().buckets
    assert isinstance(played, VectorGame)
    assert named is not None
    assert named.text is not None
    buckets = restore_buckets(played, named.text, named.parts)
    alone = [buckets.rows_on(1, board) for board in (0, 811, 1754)]
    assert give_flops(buckets)
    assert buckets.table(1).shape == (1755, 1326)
    for board, row in zip((0, 811, 1754), alone, strict=True):
        np.testing.assert_array_equal(buckets.rows_on(1, board), row)


def test_other_buckets_get_no_table_of_flops() -> None:
    played = small("holdem-limit:ranks=4,suits=2,streets=2")
    assert not give_flops(build_buckets(played, "4-4:ehs"))


def test_its_recorded_figure_is_printed_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["measure", "shipped", "--game", "holdem-limit", "--recorded", "--json"]) == 0
    recorded = json.loads(capsys.readouterr().out)
    assert recorded["exploitability_mbb"] == 500 * shipped().exploitability
    assert sum(recorded["best_response_mbb"].values()) / 2 == pytest.approx(recorded["exploitability_mbb"])
    assert recorded["exact"]
    for options, why in ((["--game", "kuhn"], "not in kuhn"), (["--jobs", "3"], "measures nothing")):
        assert main(["measure", "shipped", "--recorded", *options]) == 2
        assert why in capsys.readouterr().err
