"""The command line of buckets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from headsup.cli import main
from headsup.common.backend import JIT_DISABLED

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="it sorts hundreds of thousands of hands")

GAME = ("--game", "holdem-limit:ranks=3,streets=3")


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    status = main(["buckets", *words])
    shown = capsys.readouterr()
    assert status == 0, shown.err
    return shown.out


def test_every_look(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "9 buckets for 9 hands up to suit isomorphism, lossless" in asked(capsys, "9-3-3:ehs", *GAME)
    found = json.loads(asked(capsys, "*-3-3:ehs", *GAME, "--street", "turn", "--json"))
    assert found["street"] == "turn"
    assert sum(one["share"] for one in found["buckets"]) == pytest.approx(1.0)
    shown = asked(capsys, "*-3-3:ehs", *GAME, "--board", "AsKdQc", "--hand", "AdAh")
    assert "AdAh on AsKdQc is in bucket 2" in shown
    found = json.loads(asked(capsys, "*-3-3:ehs", *GAME, "--board", "AsKdQc", "--json"))
    assert sum(one["deals"] for one in found["buckets"]) == 36
    chart = tmp_path / "x.svg"
    found = json.loads(asked(capsys, "*-3-3:ehs", *GAME, "--transitions", "--json", "--plot", str(chart)))
    assert sum(map(sum, found["counts"])) == 220 * 9 * 28
    assert chart.read_text().startswith("<svg")
    shown = asked(capsys, "*-3-3:ehs", *GAME, "--transitions", "--samples", "50", "--street", "preflop")
    assert "50 deals sampled" in shown
    assert "±" in shown


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("*-3-3:best",), "not a way to make buckets"),
        (("*-3:ehs", *GAME), "has 3 streets"),
        (("*", "--game", "kuhn"), "is not a hold'em game"),
        (("*-3-3", *GAME, "--hand", "AsKs"), "add --board CARDS"),
        (("*-3-3", *GAME, "--samples", "5"), "is for --transitions"),
        (("*-3-3", *GAME, "--board", "AsKs"), "0, 3, 4 or 5 cards, not 2"),
        (("*-3-3", *GAME, "--street", "x"), "is not a street"),
        (("*-3-3", *GAME, "--street", "river"), "name an earlier one"),
        (("*-3-3", *GAME, "--transitions", "--street", "turn"), "name an earlier one"),
        (("*-3-3", *GAME, "--board", "AsKsQs", "--street", "turn"), "cannot be combined with"),
        (("*-3-3", *GAME, "--plot", "x.svg"), "nothing to draw"),
    ],
)
def test_mistakes(words: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["buckets", *words]) == 2
    assert message in capsys.readouterr().err
