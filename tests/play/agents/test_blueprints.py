"""The agent `nolimit` at all stacks: it plays by the rules, and before the flop as the shipped equilibria do."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from pathlib import Path

import numpy as np
import pytest

from headsup.abstraction.hands.named import NamedBuckets, save_buckets
from headsup.cards.classes import holdem_class_of_combo
from headsup.common.errors import DataError, UserError
from headsup.games.holdem.bucketed import BucketStrategy, bucket_layout, packed
from headsup.nolimit import shipped
from headsup.nolimit.make import first_street_of, limit_buckets
from headsup.play.agents import resolving, subgame
from headsup.play.agents.resolving import BlueprintPlayer
from headsup.play.table.agent import make_agent
from headsup.play.table.referee import Referee
from headsup.play.table.rules import Action, Legal, PastAction, PlayerView, apply, table
from headsup.preflop.shipped import shipped_preflop, shipped_stacks
from headsup.solve.records.solution import Solution


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of blueprints below the shipped equilibria: play before the flop is theirs, later play is random."""
    folder, rng = tmp_path_factory.mktemp("blueprints"), np.random.default_rng(3)
    for stack in shipped_stacks():
        chart = shipped_preflop(stack)
        game = chart.setting.game
        buckets, numbers = limit_buckets(game), []
        for seat, first in enumerate(first_street_of(chart, buckets)):
            assert first is not None
            numbers.append(rng.random(bucket_layout(game, buckets, seat).size))
            numbers[seat][: len(first)] = first
        strategy = packed(BucketStrategy(game, buckets, (numbers[0], numbers[1])), 8)
        named = NamedBuckets(limit_buckets(game).text, checksum=NamedBuckets.of(game, buckets).checksum)
        Solution(
            game=game.name, method="none", params={}, iterations=0, seconds=0.0, value=nan, exploitability=nan,
            epsilon=nan, strategy=strategy.numbers, content=game.checksum, buckets=named,
        ).save(folder / f"blueprint-{stack}.headsup")  # fmt: skip
    save_buckets(folder / "buckets.npz", game, buckets)
    return folder


@pytest.fixture
def blueprints(made: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(shipped, "DATA", made)
    monkeypatch.setattr(shipped, "BUCKETS", made / "buckets.npz")
    monkeypatch.setattr(subgame, "WORK", 1e5)
    monkeypatch.setattr(subgame, "ITERATIONS", (3, 4))
    resolving._shipped.cache_clear()
    shipped.load_blueprint.cache_clear()
    yield made
    resolving._shipped.cache_clear()
    shipped.load_blueprint.cache_clear()


@pytest.mark.usefixtures("blueprints")
@pytest.mark.parametrize("stack", [5, 8, 10, 13, 20, 25])
@pytest.mark.parametrize(("name", "hands"), [("nolimit:blueprint", 40), ("nolimit", 6)])
def test_plays_any_stack_by_the_rules_against_bets_that_no_menu_has(stack: int, name: str, hands: int) -> None:
    there = table("holdem-nolimit", stack)
    referee = Referee((make_agent(name, there), make_agent("random", there)), seed=stack)
    played = [referee.play(there, there.deal_number(stack, n), number=n, dealer=n % 2) for n in range(hands)]
    assert not any(hand.faults for hand in played)
    assert {hand.betting.count("/") for hand in played} >= {0, 1} or name == "nolimit"


@pytest.mark.usefixtures("blueprints")
@pytest.mark.parametrize("stack", [5, 9.5, 25])
def test_before_the_flop_it_plays_the_chart(stack: float) -> None:
    there, chart = table("holdem-nolimit", stack), shipped_preflop(stack)
    agent, classes = make_agent("nolimit", there), holdem_class_of_combo()
    assert isinstance(agent, BlueprintPlayer)
    tree = chart.setting.chart.betting
    low = round(there.unit * int(tree.amount[tree.child[0] + 2]) / chart.setting.chart.unit)  # fold, call, raise
    everything = there.betting.stacks[0]
    lines: tuple[tuple[str, tuple[Action, ...]], ...] = (
        ("", ()),
        ("call", (Action("c"),)),
        (chart.at("").actions[2], (Action("r", low),)),
        ("all-in", (Action("r", everything),)),
    )
    for line, actions in lines:
        state, done = there.root, []
        for action in actions:
            done.append(PastAction(0, state.player, action))
            state = apply(there.betting, state, action)
        seat, legal = state.player, Legal.of(there.betting, state)
        view = PlayerView(there, seat, (0, 4), (), state, legal, tuple(done))
        expected = chart.at(line)
        for name, row in zip(expected.actions, expected.frequencies, strict=True):
            kind = {"fold": Action("f"), "call": Action("c"), "check": Action("c")}.get(name)
            if kind is None:
                kind = Action("r", everything if name.startswith("all-in") else low)
            np.testing.assert_allclose(agent.hand_probabilities(view, kind), row[classes], atol=1.5 / 255)


def test_blueprint_of_other_data_is_refused(blueprints: Path, tmp_path: Path) -> None:
    stack = shipped_stacks()[0]
    record = Solution.load(blueprints / f"blueprint-{stack}.headsup")
    other = tmp_path / "blueprint.headsup"
    Solution(**{**vars(record), "content": "0" * 64}).save(other)
    with pytest.raises(DataError, match="other data than what ships"):
        shipped.load_blueprint(other, stack)
    with pytest.raises(UserError, match="from 5 to 25"):
        shipped.shipped_blueprint(26.0)
