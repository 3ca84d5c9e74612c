"""Blueprints of no-limit hold'em: those that ship, and how they are made."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.holdem.bucketed import BucketStrategy
from headsup.games.holdem.vector import VectorGame
from headsup.measure import measure
from headsup.nolimit.make import main
from headsup.nolimit.shipped import nolimit_game, shipped_nolimit
from headsup.solve import Solution

SMALL = "holdem-nolimit:stack=4,ranks=4,suits=2,streets=2,menu=100%, a; a"


@pytest.mark.parametrize(("stack", "price"), [(15, 186.9340), (20, 244.1519)])
def test_those_that_ship_are_whole(stack: int, price: float) -> None:
    """Measured once over all boards, on a GPU; here only that the record says so."""
    found, played = shipped_nolimit(stack), nolimit_game(stack)
    assert found.content == played.checksum
    assert 1000 * found.exploitability / played.unit == pytest.approx(price, abs=1e-4)
    assert (found.params["reply_sb_mbb"] + found.params["reply_bb_mbb"]) / 2 == pytest.approx(price, abs=1e-4)
    strategy = found.in_game(played)
    assert isinstance(strategy, BucketStrategy)
    rows = strategy.rows(0, played.board(0, 0))
    np.testing.assert_allclose(rows.sum(axis=0), 1.0)
    hands = played.showdown.names(0)
    assert rows[0, hands.index("AsAh")] < 0.01 < 0.9 < rows[0, hands.index("3d2c")]  # who folds what


def test_one_is_made_and_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "made-{}.headsup"
    main(["4", "--game", SMALL, "--buckets", "*-3:ehs", "--sample", "5", "--seconds", "0", "--out", str(out)])
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["step"] for one in steps] == ["plan", "ready", "learnt", "measured"]
    found, played = Solution.load(tmp_path / "made-4.headsup"), game(SMALL)
    assert isinstance(played, VectorGame)
    assert steps[0]["file_bytes"] == sum(map(len, found.strategy))
    assert measure(played, found.in_game(played)).mbb == pytest.approx(steps[-1]["mbb"])


def test_looks_along_the_way_and_among_more_bets(capsys: pytest.CaptureFixture[str]) -> None:
    cards, menus = SMALL.replace(",menu=100%, a; a", ""), ["--menu", "a", "100%, a; a", "--among", "50%, 100%, a; a"]
    main(["4", "--game", cards, *menus, "--buckets", "*-3:ehs", "--sample", "5", "--looks", "4", "2"])
    steps = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    one = ["plan", "ready", "learnt", "measured", "learnt", "measured", "among"]
    assert [step["step"] for step in steps] == one * 2
    assert [step["iterations"] for step in steps if step["step"] == "learnt"] == [2, 4] * 2
    assert {step["game"] for step in steps if step["step"] == "among"} == {f"{cards},menu=50%, 100%, a; a"}
    for k in (0, len(one)):  # who may bet more wins at least as much
        assert steps[k + 6]["mbb"] > steps[k + 5]["mbb"] - 1e-9
    with pytest.raises(UserError, match="one file holds one blueprint"):
        main(["4", "--game", cards, *menus, "--out", "x"])
