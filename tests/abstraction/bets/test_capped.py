"""Strategies of few raises in games with more: by the words of a line, as buckets, and as a command."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from headsup.abstraction.bets.capped import Capped
from headsup.cli import main
from headsup.common.backend import gpu_present
from headsup.common.errors import UserError
from headsup.games import game
from headsup.games.betting.rules import DEAL
from headsup.games.holdem.bucketed import BucketStrategy, bucket_layout, packed
from headsup.games.holdem.vector import Place, VectorGame
from headsup.measure.exploit import measure
from headsup.solve import solve
from tests.bucket_makers import by_suits, small
from tests.equity import compiled

DECK = "holdem-limit:ranks=4,suits=2,streets=2"
FEW, MANY = f"{DECK},raises=2", f"{DECK},raises=4"


class Spoken:
    """A strategy whose shares tell the line: a different random row for each decision and hand."""

    def __init__(self, of: VectorGame) -> None:
        self.game = of

    def rows(self, decision: int, board: Place) -> np.ndarray:
        tree = self.game.betting
        random = np.random.default_rng([decision, board.street, board.number])
        rows = random.random((int(tree.count[decision]), self.game.showdown.sizes[0]))
        return np.asarray(rows / rows.sum(axis=0))


def drawn(of: VectorGame) -> BucketStrategy:
    """Numbers at random, some buckets without any that is positive."""
    random, buckets = np.random.default_rng(1), by_suits(of)
    numbers = [random.normal(size=bucket_layout(of, buckets, seat).size) for seat in (0, 1)]
    return BucketStrategy(of, buckets, (numbers[0], numbers[1]))


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("", ""),
        ("raise 4", "raise 4"),
        ("call, raise 4", "call, raise 4"),
        ("call, check/", "call, check/"),
        ("raise 4, raise 6", None),  # two raises are a blind and one raise: the dealer meets one too many
        ("raise 4, raise 6, call/", "raise 4, call/"),
        ("raise 4, raise 6, raise 8, call/ check", "raise 4, call/ check"),
        ("call, check/ bet 2, raise 4", "call, check/ bet 2, raise 4"),
        ("call, check/ bet 2, raise 4, raise 6", None),
    ],
)
def test_the_place_of_a_line(line: str, read: str | None) -> None:
    many, few = small(MANY), small(FEW)
    called = Capped(many, few, Spoken(few), "call")
    node = _node(many, line)
    board = many.board(int(many.betting.street[node]), 0)
    rows = called.rows(node, board)
    names = [name.split()[0] for name in many.betting.actions(node)]
    if read is None:
        assert rows[names.index("call")].min() == 1.0
        return
    there = Spoken(few).rows(_node(few, read), board)
    for name, row in zip((action.split()[0] for action in few.betting.actions(_node(few, read))), there, strict=True):
        np.testing.assert_array_equal(rows[names.index(name)], row)
    np.testing.assert_allclose(rows.sum(axis=0), 1.0)


def _node(of: VectorGame, line: str) -> int:
    node = of.betting.find(line)
    while of.betting.player[node] == DEAL:
        node = int(of.betting.child[node])
    return node


def test_copied_answers_are_those_to_the_last_raise() -> None:
    many, few = small(MANY), small(FEW)
    copied = Capped(many, few, Spoken(few), "copy")
    board = many.board(1, 3)
    for line, source in (
        ("call, check/ bet 2, raise 4, raise 6", "call, check/ check, bet 2, raise 4"),
        ("call, check/ check, bet 2, raise 4, raise 6", "call, check/ bet 2, raise 4"),
    ):
        rows = copied.rows(_node(many, line), board)
        np.testing.assert_array_equal(rows[:2], Spoken(few).rows(_node(few, source), board))
        assert not rows[2:].any()
    root = many.board(0, 0)  # the dealer, raised again, as after a limp that was raised
    before = copied.rows(_node(many, "raise 4, raise 6"), root)
    np.testing.assert_array_equal(before[:2], Spoken(few).rows(_node(few, "call, raise 4"), root))
    none = small(f"{DECK},raises=1")  # nothing is raised before the flop, so the big blind has no answer to copy
    before = Capped(many, none, Spoken(none), "copy").rows(_node(many, "raise 4"), root)
    np.testing.assert_array_equal(before, np.repeat([[0.0], [1.0], [0.0]], before.shape[1], axis=1))


@pytest.mark.parametrize("answer", ["call", "copy"])
def test_by_bucket_it_plays_the_same(answer: str) -> None:
    many, few = small(MANY), small(FEW)
    slow = Capped(many, few, drawn(few), answer)
    fast = slow.bucketed()
    for street in (0, 1):
        place = many.board(street, street * 5)
        nodes = range(*many.betting.start[street : street + 2])
        for node in (node for node in nodes if many.betting.player[node] < DEAL):
            np.testing.assert_allclose(fast.rows(node, place), slow.rows(node, place), atol=1e-12)


@compiled
def test_with_as_many_raises_nothing_changes() -> None:
    few = small(FEW)
    given = drawn(few)
    assert measure(few, Capped(few, few, given).bucketed()).best == measure(few, given).best


def test_games_that_differ_in_more_are_refused() -> None:
    few = small(FEW)
    for text, message in (
        ("holdem-limit:ranks=4,suits=2,streets=2,raises=1", "measure it in a game with more"),
        ("holdem-limit:ranks=5,suits=2,streets=2,raises=4", "other boards or hands"),
        ("holdem-limit:ranks=4,suits=2,streets=3,raises=4", "differ in their first"),
        ("holdem-nolimit:ranks=4,suits=2,streets=2,stack=4", "menus"),
    ):
        other = game(text)
        assert isinstance(other, VectorGame)
        with pytest.raises(UserError, match=message):
            Capped(other, few, Spoken(few))
    with pytest.raises(UserError, match="call or copy"):
        Capped(few, few, Spoken(few), "fold")
    with pytest.raises(UserError, match="by bucket"):
        Capped(few, few, Spoken(few)).bucketed()


@pytest.mark.long
@compiled
def test_a_file_is_measured_in_the_larger_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    many, few, file = small(MANY), small(FEW), tmp_path / "few.headsup"
    solution = solve(few, "cfr+", iterations=20, buckets="*-4:ehs")
    solution.save(file)
    results = {}
    for how in ("call", "copy"):
        assert main(["measure", str(file), "--game", MANY, "--translation", how, "--json"]) == 0
        results[how] = json.loads(capsys.readouterr().out)["mbb"]
        played = Capped(many, few, solution.in_game(few), how).bucketed()
        assert results[how] == pytest.approx(measure(many, played).mbb, rel=1e-12)
    flops = ["--work", str(tmp_path / "flops"), "--json"]  # walked in another way
    assert main(["measure", str(file), "--game", MANY, "--translation", "call", *flops]) == 0
    assert json.loads(capsys.readouterr().out)["exploitability_mbb"] == pytest.approx(results["call"], rel=1e-9)
    for words, message in (
        ([MANY, "--translation", "nearest"], "by bucket is translated by call or copy"),
        ([f"{DECK},raises=1", "--translation", "call"], "measure it in a game with more"),
        (["leduc", "--translation", "call"], "betting and boards"),
        ([MANY], f"is of {FEW}, not of {DECK}"),
    ):
        assert main(["measure", str(file), "--game", *words]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert message in err


@pytest.mark.gpu
@pytest.mark.skipif(not gpu_present(), reason="no CUDA device, or the gpu extra is not installed")
@pytest.mark.parametrize("answer", ["call", "copy"])
def test_on_a_gpu_it_is_measured_the_same(answer: str) -> None:
    many, few = small(MANY), small(FEW)
    strategy = Capped(many, few, packed(drawn(few), 8), answer).bucketed()
    near, far = (measure(many, strategy, device=device) for device in ("cpu", "gpu"))
    assert far.best == pytest.approx(near.best, rel=1e-5)
