"""Options that several verbs have: what they read, and what they say to a mistake."""

from __future__ import annotations

import pytest

from headsup import equity, solve
from headsup.cli import main
from headsup.cli.options import percentage, share


def test_numbers() -> None:
    assert [percentage(text) for text in ("2.5", "2.5%", " 5 % ")] == [0.025, 0.025, 0.05]
    assert [share(text) for text in ("0.5%", "0.005", "5e-3", " 50 % ")] == [0.005, 0.005, 0.005, 0.5]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["flop-formula", "AKs", "RML", "--error", "two"],
            "--error: 'two' is not a number of points: write for example",
        ),
        (["spot", "--target", "0"], "--target: '0' is no share of the pot: write 0.5% or 0.005"),
        (["spot", "--target", "50"], "--target: '50' is no share of the pot"),
        (["report", "--out", "x", "--target", "1.5"], "--target: '1.5' is no share of the pot"),
        (["spot", "--device", "x"], "--device: invalid choice: 'x'"),
    ],
)
def test_mistakes_are_one_line(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("verb", "methods"), [("solve", solve.METHODS), ("equity", equity.METHODS)])
def test_help_names_every_method(verb: str, methods: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([verb, "--help"])
    said = "".join(capsys.readouterr().out.split())  # a name may be broken at its hyphen
    assert all(method in said for method in methods)
