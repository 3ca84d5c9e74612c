"""Best replies flop by flop are those of a walk at once; strategies that look at no cards."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headsup.abstraction.hands.feature_kernels import BLOCKED
from headsup.abstraction.hands.features import Features
from headsup.cards import BoardTree
from headsup.cli import main as run_main
from headsup.common import distribute
from headsup.common.errors import UserError
from headsup.games.holdem.bucketed import BucketStrategy, bucket_layout
from headsup.games.holdem.packet import board_packet
from headsup.games.holdem.simple import ALWAYS, simple
from headsup.games.holdem.vector import Mixture, Uniform, VectorGame
from headsup.measure.exploit import measure
from headsup.measure.streamed import _keeping, _sums, streamed
from tests import naive, naive_limit
from tests.bucket_makers import in_parts, small

GAME = "holdem-limit:ranks=4,suits=2,streets=3,raises=1"


@pytest.mark.parametrize("text", [*ALWAYS, "uniform", "mix:0.1,0.6,0.3"])
def test_same_as_at_once(text: str) -> None:
    game = small(GAME)
    measured, at_once = streamed(game, text), measure(game, simple(game, text))
    assert measured.best == pytest.approx(at_once.best, abs=1e-12)
    assert measured.values == pytest.approx(at_once.values, abs=1e-12)
    assert measured.boards == game.boards.sizes()[-1]


def by_chance(game: VectorGame, seed: int) -> BucketStrategy:
    buckets, rng = in_parts(game, (3, 4, 4)), np.random.default_rng(seed)
    first, second = (rng.random(bucket_layout(game, buckets, p).size) for p in (0, 1))
    return BucketStrategy(game, buckets, (first, second))


def test_a_strategy_by_bucket_and_one_of_ones_own() -> None:
    game = small(GAME)
    strategy = by_chance(game, 1)

    class Own:
        rows = strategy.rows

    expected = measure(game, strategy)
    for played in (strategy, Own()):
        measured = streamed(game, played)
        assert measured.best == pytest.approx(expected.best, abs=1e-12)
        assert measured.values == pytest.approx(expected.values, abs=1e-12)
        assert measured.summary()["value_mbb"] == pytest.approx(expected.value_mbb, abs=1e-9)


def test_rows_of_a_whole_street() -> None:
    game = small(GAME)
    strategy = by_chance(game, 1)
    for s in range(game.streets):
        board = game.board(s, len(game.boards.levels[s]) // 2)
        for seat in (0, 1):
            rows = strategy.whole_street(seat, board)
            for node in range(int(game.rounds.start[s]), int(game.rounds.start[s + 1])):
                if game.rounds.player[node] == seat:
                    row, n = int(game.rounds.row[node]), int(game.rounds.count[node])
                    np.testing.assert_allclose(rows[row : row + n], strategy.rows(node, board), atol=1e-15)


def test_who_always_folds_gives_up_his_blind() -> None:
    """By hand: 500 mbb from the small blind, 1,000 from the big blind, 750 on average."""
    summary = streamed(small(GAME), "always-fold").summary()
    assert summary["best_response_mbb"] == {"sb": pytest.approx(1000.0), "bb": pytest.approx(500.0)}
    assert summary["exact"] is True
    assert summary["reply_sb_mbb"] == pytest.approx(1000.0)
    assert summary["reply_bb_mbb"] == pytest.approx(500.0)
    assert summary["exploitability_mbb"] == pytest.approx(750.0)


def test_packets_are_pieces_of_the_game() -> None:
    game = small(GAME)
    seen = np.zeros(len(game.boards.levels[2]), dtype=int)
    for board in range(len(game.boards.levels[1])):
        packet = board_packet(game, board)
        for s, first in enumerate(packet.first):
            cards = packet.game.boards.levels[s].cards
            np.testing.assert_array_equal(cards, game.boards.levels[s].cards[first : first + len(cards)])
        seen[packet.first[2] : packet.first[2] + len(packet.game.boards.levels[2])] += 1
    assert (seen == 1).all()


def in_this_process(function: str, packets: Sequence[distribute.Packet], *unused: object, **more: object) -> None:
    distribute.Team(function, distribute.HERE).do(packets)


def test_a_run_goes_on_from_its_packets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small(GAME)
    monkeypatch.setattr(distribute, "run", in_this_process)
    expected = streamed(game, "uniform").best
    assert streamed(game, "uniform", folder=tmp_path).best == expected
    paths = sorted(tmp_path.glob("*.npy"))
    paths[0].write_bytes(paths[0].read_bytes()[:-9])
    for path in paths:
        os.utime(path, ns=(1, 1))
    assert streamed(game, "uniform", folder=tmp_path).best == expected
    assert [path for path in paths if path.stat().st_mtime_ns != 1] == paths[:1]
    with pytest.raises(UserError, match="another measurement"):
        streamed(game, "always-call", folder=tmp_path)


def test_packets_of_another_measurement_or_flop_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, mine, other = small(GAME), tmp_path / "mine", tmp_path / "other"
    monkeypatch.setattr(distribute, "run", in_this_process)
    right = streamed(game, "uniform", folder=mine)
    streamed(game, "always-call", folder=other)
    (mine / "00000.npy").write_bytes((other / "00000.npy").read_bytes())
    (mine / "00001.npy").write_bytes((mine / "00002.npy").read_bytes())
    assert streamed(game, "uniform", folder=mine) == right


def test_sums_of_a_gpu_are_taken_from_their_own_measurement_alone(tmp_path: Path) -> None:
    path, sums = tmp_path / "sums.headsup", np.arange(6.0).reshape(1, 2, 3)
    _keeping(path, "mine", 4, 0, 4, None)(4, sums)
    done, kept = _sums(path, "mine")
    assert done == 4
    assert np.array_equal(kept, sums)
    assert _sums(path, "another") == (0, None)
    path.write_bytes(path.read_bytes()[:-9])
    assert _sums(path, "mine") == (0, None)


@pytest.mark.long
def test_processes_share_the_packets(tmp_path: Path) -> None:
    game = small(GAME)
    measured = streamed(game, "uniform", folder=tmp_path, jobs=2)
    assert measured.best == streamed(game, "uniform").best


def test_what_cannot_be_shared_out() -> None:
    game = small(GAME)
    with pytest.raises(UserError, match="have a name"):
        streamed(game, Uniform(game), jobs=2)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 100), min_size=3, max_size=3).filter(any))
def test_mixtures_by_name(parts: list[int]) -> None:
    game = small(GAME)
    shares = [part / sum(parts) for part in parts]
    strategy, expected = simple(game, "mix:" + ",".join(map(repr, shares))), Mixture(game, *shares)
    for node in np.flatnonzero(game.rounds.player < 2)[:40].tolist():
        board = game.board(int(game.betting.street[node]), 0)
        np.testing.assert_allclose(strategy.rows(node, board), expected.rows(node, board), atol=1e-12)


@pytest.mark.parametrize("text", ["mix:1,2", "mix:a,b,c", "sometimes", "mix:.5,.5,.5"])
def test_names_that_are_none(text: str) -> None:
    with pytest.raises(UserError):
        simple(small(GAME), text)


def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["measure", "always-fold", "--game", "holdem-limit:streets=2,suits=2,raises=1", "--ranks", "4"]
    assert run_main([*words, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["exploitability_mbb"] == pytest.approx(750.0)
    assert printed["value_mbb"] == pytest.approx(-500.0)  # the dealer folds first, and loses the small blind
    assert {"reply_sb_mbb", "reply_bb_mbb", "boards", "seconds"} <= set(printed)
    assert run_main(words) == 0
    assert "750 mbb/g" in capsys.readouterr().out
    assert run_main(["measure", "shipped", "--ranks", "4"]) == 2
    assert "leave out --game" in capsys.readouterr().err


def test_a_file_of_buckets_flop_by_flop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game, bot, leduc = "holdem-limit:ranks=4,suits=2,streets=2,raises=1", tmp_path / "bot", tmp_path / "leduc"
    words = ["--iterations", "4", "--json", "--save"]
    assert run_main(["solve", game, "--buckets", "3-4:ehs", *words, str(bot)]) == 0
    assert run_main(["solve", "leduc", *words, str(leduc)]) == 0
    capsys.readouterr()
    assert run_main(["measure", str(bot), "--json"]) == 0
    at_once = json.loads(capsys.readouterr().out)
    assert run_main(["measure", str(bot), "--work", str(tmp_path / "flops"), "--json"]) == 0
    flop_by_flop = json.loads(capsys.readouterr().out)
    assert flop_by_flop["exploitability_mbb"] == pytest.approx(at_once["mbb"], abs=1e-9)
    assert flop_by_flop["value_mbb"] == pytest.approx(at_once["value_mbb"], abs=1e-9)
    assert run_main(["measure", str(leduc), "--device", "gpu"]) == 2
    assert "--device is for strategies by name or by bucket" in capsys.readouterr().err
    assert run_main(["measure", str(bot), "--ranks", "4"]) == 2
    assert "--ranks" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "shares", "seat"),
    [
        ("always-call", (0, 1, 0), 0),
        ("always-raise", (0, 0, 1), 1),
        ("mix:.25,.25,.5", (0.25, 0.25, 0.5), 0),
        ("mix:.25,.25,.5", (0.25, 0.25, 0.5), 1),
    ],
)
def test_replies_to_who_sees_no_cards_by_plain_recursion(text: str, shares: tuple[float, ...], seat: int) -> None:
    """Rules, cards and ranks of its own, in a few lines of Python: `tests.naive_limit`."""
    game = small("holdem-limit:ranks=4,suits=2,streets=3,raises=2")
    exact = streamed(game, text).best[seat]
    assert exact == pytest.approx(naive_limit.reply(4, 2, 3, 2, seat, shares), abs=1e-9)


def test_what_always_calling_costs_by_hand() -> None:
    """A caller's hands say nothing, and each street takes one bet of who is ahead: docs/limit.md, 'By hand'."""
    game = small("holdem-limit:ranks=5,suits=2,streets=2,raises=3")
    deck = [4 * rank + suit for rank in range(8, 13) for suit in range(2)]
    hands, key = list(combinations(deck, 2)), cache(naive.best_key)
    dealer = blind = 0.0
    for mine in hands:
        ahead = []
        for flop in combinations([card for card in deck if card not in mine], 3):
            others = [two for two in hands if not {*mine, *flop} & set(two)]
            theirs = [key(tuple(sorted(two + flop))) for two in others]
            own = key(tuple(sorted(mine + flop)))
            ahead.append(sum((own > strength) - (own < strength) for strength in theirs) / len(theirs))
        before = sum(ahead) / len(ahead)
        worth = 2 * before + 2 * max(0.0, before) + 2 * sum(max(0.0, strength) for strength in ahead) / len(ahead)
        blind += worth
        dealer += max(-1.0, worth)  # who may give up the small blind
    assert dealer > blind
    measured = streamed(game, "always-call").summary()
    assert measured["reply_sb_mbb"] == pytest.approx(500 * dealer / len(hands), abs=1e-9)
    assert measured["reply_bb_mbb"] == pytest.approx(500 * blind / len(hands), abs=1e-9)


@pytest.mark.long
def test_what_always_calling_costs_with_all_cards() -> None:
    """By hand, from strengths alone: a bet is made where one is ahead, and nobody folds before the flop."""
    features, bets = Features(BoardTree()), (2, 2, 4, 4)
    hands = len(features.hands)
    before = 2.0 * features.totals(0)[0].astype(float) / (features.scale * features.run_outs(0)) - 1.0
    assert before.min() > -0.5  # a hand that only checks loses 2 x 0.35 of a chip; to fold costs 1
    won = bets[0] * np.maximum(before, 0.0).mean() + 2.0 * before.mean()
    for street, bet in enumerate(bets[1:], start=1):
        sets, totals, ahead = features.sets(street), features.totals(street), 0.0
        for low in range(0, len(sets), 512):
            here = totals[low : low + 512]
            alive = here != BLOCKED if street == features.last else features.alive(sets, low, low + 512)
            lead = 2.0 * here.astype(float) / (features.scale * features.run_outs(street)) - 1.0
            ahead += float(sets.count[low : low + 512] @ np.where(alive, np.maximum(lead, 0.0), 0.0).sum(axis=1))
        won += bet * ahead / (hands * comb(50, 2 + street))
    assert 500.0 * won == pytest.approx(1163.4757621, abs=1e-6)  # mbb/g, either seat
