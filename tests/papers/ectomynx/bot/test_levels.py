"""The bet-level model, its start, its training and its bots."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.classes import holdem_class_name
from headsup.cards.combos import colex
from headsup.cli import main
from headsup.common.archives import read_archive
from headsup.common.errors import UserError
from headsup.papers.ectomynx.bot import train as training
from headsup.papers.ectomynx.bot import train_kernels as kernels
from headsup.papers.ectomynx.bot.agent import LevelPlayer
from headsup.papers.ectomynx.bot.data import LONG, load, make, trained
from headsup.papers.ectomynx.bot.start import start_after, start_before, start_rows
from headsup.papers.ectomynx.bot.train import (
    DISCOUNT,
    Faults,
    LevelStrategy,
    deal_cards,
    deal_facts,
    parse_faults,
    start,
    train,
    train_cycle,
)
from headsup.play.agents.discard_history import follow
from headsup.play.table.agent import Mixed, make_agent
from headsup.play.table.referee import Referee
from headsup.play.table.rules import CALLS, Action, Deal, raise_to, table

TABLE = table("holdem-discard")


@pytest.mark.parametrize(
    ("bet", "level"), [(2, 0), (2.01, 1), (8, 1), (10, 1), (15, 2), (30, 2), (31, 3), (90, 3), (2000, 5)]
)
def test_levels_of_bets_into_ten(bet: float, level: int) -> None:
    assert kernels.level_of(bet, 10.0, 0.2) == level  # 2, 8 and 15 are the report's own


def test_what_levels_do() -> None:
    # the report's example: the big blind goes to level 2, the button to 3: lead, raise, call
    assert kernels.answer(2, 12.0, 194.0, 0.0, 0.0, 0.2) == kernels.RAISE
    assert kernels.next_bet(12.0, 194.0, 0.0, 0.0) == 8.0
    assert kernels.answer(3, 12.0, 194.0, 0.0, 8.0, 0.2) == kernels.RAISE
    assert kernels.answer(2, 12.0, 194.0, 8.0, 24.0, 0.2) == kernels.CALL
    assert kernels.answer(3, 12.0, 194.0, 24.0, 72.0, 0.2) == kernels.CALL
    # a fifth of the pot is called with nothing, and one all-in where most of the chips are in
    assert kernels.answer(0, 10.0, 100.0, 0.0, 2.0, 0.2) == kernels.CALL
    assert kernels.answer(0, 10.0, 100.0, 0.0, 2.1, 0.2) == kernels.FOLD
    assert kernels.answer(0, 10.0, 100.0, 0.0, 6.0, 0.666) == kernels.CALL  # the slip: under 2/3 it is a check
    assert kernels.answer(0, 384.0, 8.0, 0.0, 8.0, 0.2) == kernels.CALL  # the fold that the report cannot explain
    assert kernels.next_bet(100.0, 100.0, 0.0, 0.0) == 100.0


@pytest.mark.parametrize(
    ("level", "bet", "does"),
    [(0, 2, 0), (1, 2, 1), (2, 2, 2), (2, 6, 1), (2, 8, 1), (2, 15, 0), (3, 6, 2), (3, 18, 1), (4, 18, 2), (5, 46, 2)],
)
def test_levels_before_the_flop(level: int, bet: float, does: int) -> None:
    assert kernels.answer_before(level, float(bet), 200.0) == does


def test_the_start_is_the_reports_table_filled_in() -> None:
    before = {holdem_class_name(i): row.tolist() for i, row in enumerate(start_before())}
    assert np.allclose(start_before().sum(axis=1), 1.0)
    assert before["AA"] == [0, 0, 0, 0, 0, 1]
    assert before["KQs"] == pytest.approx([0, 0, 0, 0, 0.2, 0.8])
    assert before["95o"] == pytest.approx([0, 0.6, 0.3, 0.1, 0, 0])  # the last legible row
    assert before["82s"] == pytest.approx([0.7, 0.3, 0, 0, 0, 0])  # the one that adds up to 1.8
    assert before["A4o"] == before["A4s"] == pytest.approx([0, 0, 0, 0.5, 0.4, 0.1])
    assert before["42o"] == [1, 0, 0, 0, 0, 0]


def test_the_start_after_the_flop() -> None:
    button, blind = start_rows((5, 10, 10, 75), 2.5)
    assert button == pytest.approx([0.05, 0.1, 0.1, 0.25, 0.25, 0.25] * 2)
    assert blind.sum() == pytest.approx(1.0)
    assert (blind[2] / blind[8], blind[1] / blind[7], blind[0], blind[6]) == pytest.approx((2.5, 1.0, 0.0, 0.05))
    slipped = start_rows((5, 10, 10, 75), 1 / 2.5)[1]
    assert slipped[8] / slipped[2] == pytest.approx(2.5)
    rows = start_after()[1]
    river = kernels.row_of(3, 2, 5, 0, 1, 0, 4, 0)
    assert rows[river] == pytest.approx([0] * 6 + [1] + [0] * 5)  # nothing on the river
    draw = kernels.row_of(3, 2, 5, 1, 1, 0, 4, 0)
    assert rows[draw, 5] > 0  # no row for draws on the river: evenly, and so all-in at times


def only(choice: int, width: int = 12) -> np.ndarray:
    row = np.zeros(width, dtype=np.float32)
    row[choice] = 1.0
    return row


@pytest.mark.long
def test_profits_go_back_as_in_the_reports_example() -> None:
    """Raise to 6, call; check, bet 8, fold: 6 and 4.8 for the button, -6 and -4.8 for the big blind."""
    before = np.tile(only(2, 6), (169, 1))
    button, blind = (np.tile(only(choice), (kernels.ROWS, 1)) for choice in (1, 6))
    sums = np.zeros((2, 169, 6)), np.zeros((2, kernels.ROWS, 12), np.float32)
    counts = np.zeros((2, 169, 6)), np.zeros((2, kernels.ROWS, 12), np.float32)
    counter, won = np.array([1], dtype=np.uint64), np.empty(1)
    facts = deal_facts(deal_cards(counter, 1), (Faults(), Faults()))
    players = kernels.Players((before, before), (button, blind), np.array([0.2, 0.2]))
    kernels.play(facts, players, sums, counts, kernels.INTENDED, DISCOUNT, counter, won)
    assert won[0] == 6.0
    row = [kernels.row_of(1, 2, int(facts[0, 8]), int(facts[0, 4 * seat + 1]), 0, 0, 0, 0) for seat in (0, 1)]
    assert (sums[1][0, row[0], 1], sums[1][1, row[1], 6]) == (6.0, -6.0)
    assert (sums[0][0, facts[0, 0], 2], sums[0][1, facts[0, 4], 2]) == pytest.approx((4.8, -4.8))
    kernels.update(button, sums[1][0], counts[1][0], 0.08, 0.0, True)
    assert button[row[0], 1] == 1.0  # what is alone stays so


@pytest.mark.long
def test_the_bot_plays_what_was_trained() -> None:
    """With one choice a row nothing is left to chance: the kernel and the arena come to the same chips."""
    rng = np.random.default_rng(3)
    before = tuple(np.eye(6, dtype=np.float32)[rng.integers(1, 5, 169)] for _ in range(2))
    blind = np.eye(12, dtype=np.float32)[rng.integers(1, 12, kernels.ROWS)]
    halves = [np.eye(6, dtype=np.float32)[rng.integers(0, 6, kernels.ROWS)] for _ in range(2)]
    strategy = LevelStrategy((before[0], before[1]), (np.concatenate(halves, axis=1), blind))
    counter, n = np.array([5], dtype=np.uint64), 300
    cards = deal_cards(counter, n)
    facts, won = deal_facts(cards, (Faults(), Faults())), np.empty(n)
    none = (np.zeros((2, 0, 6)), np.zeros((2, 0, 12), np.float32))
    players = kernels.Players(strategy.before, strategy.after, np.array([0.2, 0.2]))
    kernels.play(facts, players, none, none, -1, DISCOUNT, counter, won)
    fine = table("holdem-discard", 100, blinds=(30_000, 60_000))
    player = LevelPlayer("levels", strategy)
    referee = Referee((player, player), seed=1)
    for i in range(n):
        hole, draws = cards[i].tolist(), _draws(cards[i].tolist())
        deal = Deal(((hole[0], hole[1]), (hole[2], hole[3])), tuple(hole[4:9]), draws)
        record = referee.play(fine, deal, i, 0)
        assert not record.faults
        assert record.chips[0] / 30_000 == pytest.approx(won[i], abs=0.02), i


def _draws(cards: list[int]) -> tuple[int, ...]:
    """The draws in the order in which they are made: on each street the big blind's first, if the rule wants it."""
    from headsup.discards.swap import swap_rule

    holes, found = [cards[:2], cards[2:4]], []
    for street in (0, 1):
        for seat in (1, 0):
            which = swap_rule(holes[seat], cards[4 : 7 + street])
            if which:
                new = cards[9 + 2 * street + seat]
                holes[seat] = [new if i == which - 1 else card for i, card in enumerate(holes[seat])]
                found.append(new)
    return (*found, *[card for card in range(52) if card not in cards][: 4 - len(found)])


def test_what_was_done_is_followed_through_swaps() -> None:
    deal = Deal((parse_cards("AsKd"), parse_cards("7c7d")), parse_cards("Qs9h4c3s8d"), parse_cards("2c3c5h6h"))
    hand = TABLE.hand(deal)
    for action in (raise_to(300), CALLS, CALLS, Action("d", deal.holes[0][1]), CALLS, raise_to(400), raise_to(1200)):
        hand.act(action)
    before, flop = follow(hand.view())
    assert (before.pot, before.stack, before.matched, before.led) == (0.0, 200.0, 6.0, False)
    assert (flop.pot, flop.stack, flop.bets, flop.led, flop.swaps) == (12.0, 194.0, (8.0, 24.0), False, (True, False))


@pytest.mark.parametrize("name", ["ectomynx", "ectomynx:board-pairs,small-bets", "ectomynx:start", "advice", "discard"])
def test_bots_play_legally_and_say_how_often(name: str) -> None:
    referee = Referee((make_agent(name, TABLE), make_agent("random", TABLE)), seed=2)
    for number in range(12):
        record = referee.play(TABLE, TABLE.deal_number(2, number), number, number % 2)
        assert not record.faults
    agent = make_agent(name, TABLE)
    assert isinstance(agent, Mixed)
    hand = TABLE.hand(TABLE.deal_number(2, 1))
    for action in (raise_to(300), CALLS, CALLS, CALLS):
        view = hand.view()
        place, shares = colex(view.hole), dict(agent.probabilities(view))
        assert sum(shares.values()) == pytest.approx(1.0)
        for one in [CALLS] if view.legal.discards else shares:
            assert agent.hand_probabilities(view, one)[place] == pytest.approx(shares.get(one, 0.0), abs=1e-6)
        if view.legal.discards:
            which = agent.swap_probabilities(view)[place]  # type: ignore[attr-defined]
            low, high = sorted(view.hole)
            assert which == pytest.approx(
                [shares.get(one, 0.0) for one in (CALLS, Action("d", low), Action("d", high))]
            )
        hand.act(action)


def test_the_shipped_weights_are_shares() -> None:
    found = trained()
    assert all(np.allclose(rows.sum(axis=1), 1.0, atol=1e-5) for rows in found.before)
    assert np.allclose(found.after[0].sum(axis=1), 2.0, atol=1e-5)
    assert np.allclose(found.after[1].sum(axis=1), 1.0, atol=1e-5)
    assert np.abs(found.before[0] - start().before[0]).max() > 0.1


def test_training_does_not_depend_on_the_number_of_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "LANE", 2_000)
    first, second = start(), start()
    train_cycle(first, 0, 5_000, workers=1)
    train_cycle(second, 0, 5_000, workers=2)
    for mine, theirs in zip((*first.before, *first.after), (*second.before, *second.after), strict=True):
        assert np.array_equal(mine, theirs)
    assert np.abs(first.before[0] - start().before[0]).max() > 0.01


def test_stopped_training_resumes_after_the_last_cycle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(training, "LANE", 2_000)
    path = tmp_path / "levels.npz"
    assert make(path, 1, 3_000) == 1
    assert make(path, 2, 3_000, seconds=-1.0) == 1  # no time for another
    assert make(path, 2, 3_000) == 2
    whole = train(cycles=2, hands=3_000)
    assert np.abs(load(path).before[0] - whole.before[0]).max() < 1 / 255
    assert "2 of 2 cycles" in capsys.readouterr().out


def test_mistakes(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UserError, match="'x' is no fault of the report"):
        parse_faults("x")
    for name in ("ectomynx", "advice", "discard"):
        assert main(["play", name, "caller", "--game", "holdem-nolimit"]) == 2
        assert "add --game holdem-discard" in capsys.readouterr().err
    assert main(["play", "discard:x", "caller", "--game", "holdem-discard"]) == 2


def test_eight_long_cycles_ship() -> None:
    long = trained(LONG)
    assert read_archive(LONG)[0]["about.txt"] == b"8 cycles of 1,000,000,000 hands, rate 0.08, seed 1"
    for seat in (0, 1):
        assert long.before[seat].sum(axis=1) == pytest.approx(1.0)
        assert np.abs(long.before[seat] - trained().before[seat]).max() > 0.05
    assert training.compare(long, training.start(), 20_000).mean() > 0.5
    assert make_agent("ectomynx:long", table("holdem-discard", 100)).name == "ectomynx:long"
