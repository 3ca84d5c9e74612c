"""`headsup demo`: every scene prints, and its numbers are the exact ones."""

import shlex

import pytest

from headsup.cli import demo, main
from tests.equity import compiled


@compiled
def test_tour(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for scene in demo.SCENES:
        assert scene.title in out
    assert "46.2145%" in out  # 787,966 wins and 6,732 ties of 1,712,304, as enumeration counts them
    assert "49.4676%" in out  # ho-2015
    assert out.endswith("make serve, or headsup serve")


@compiled
@pytest.mark.parametrize("scene", demo.SCENES, ids=lambda scene: scene.title)
def test_every_command_works(scene: demo.Scene, capsys: pytest.CaptureFixture[str]) -> None:
    program, *words = shlex.split(scene.command)
    assert program == "headsup"
    assert main(words) == 0
    out = capsys.readouterr().out
    assert any(
        proof in out
        for proof in ("Exact", "exploitability", "Against a perfect opponent it loses", "The equilibrium calls")
    )
