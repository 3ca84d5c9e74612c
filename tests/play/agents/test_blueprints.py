"""The agent `nolimit` at all stacks: it plays by the rules, and before the flop as the shipped equilibria do."""

from __future__ import annotations

from collections.abc import Iterator
from math import nan
from pathlib import Path

import numpy as np
import pytest

from headsup.abstraction.hands.named import NamedBuckets, save_buckets
from headsup.cards import parse_cards
from headsup.cards.classes import holdem_class_of_combo
from headsup.common.errors import DataError, UserError
from headsup.games.holdem.bucketed import BucketStrategy, bucket_layout, packed
from headsup.limit.shipped import board_by_board
from headsup.nolimit import leaves, shipped
from headsup.nolimit.make import older_buckets
from headsup.play.agents import resolving, subgame
from headsup.play.agents.resolving import BlueprintPlayer, ResolvingPlayer, blueprint_note
from headsup.play.agents.subgame import pruned
from headsup.play.table.agent import make_agent
from headsup.play.table.real import free_of
from headsup.play.table.referee import Referee
from headsup.play.table.rules import Action, Legal, PastAction, PlayerView, apply, table
from headsup.preflop.shipped import shipped_preflop, shipped_stacks
from headsup.solve.records.solution import Solution

DEEP = (50, 200)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of blueprints: below the shipped equilibria play before the flop is theirs, all other play is random."""
    folder, rng = tmp_path_factory.mktemp("blueprints"), np.random.default_rng(3)
    for stack in (*shipped_stacks(), *DEEP):
        chart = None if stack in DEEP else shipped_preflop(stack)
        game = shipped.deep_game(stack) if chart is None else chart.setting.game
        buckets = older_buckets(game)
        numbers = [rng.random(bucket_layout(game, buckets, seat).size) for seat in (0, 1)]
        for seat, first in enumerate(() if chart is None else shipped.first_street_of(chart, buckets)):
            assert first is not None
            numbers[seat][: len(first)] = first
        strategy = packed(BucketStrategy(game, buckets, (numbers[0], numbers[1])), 8)
        named = NamedBuckets(buckets.text, checksum=NamedBuckets.of(game, buckets).checksum)
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
    monkeypatch.setattr(shipped, "DEEP_BUCKETS", made / "buckets.npz")
    monkeypatch.setattr(subgame, "WORK", 1e5)
    monkeypatch.setattr(subgame, "ITERATIONS", (3, 4))
    resolving._shipped.cache_clear()
    shipped.load_blueprint.cache_clear()
    yield made
    resolving._shipped.cache_clear()
    shipped.load_blueprint.cache_clear()


@pytest.mark.usefixtures("blueprints")
@pytest.mark.parametrize(
    "stack", [5, 13, 100, *(pytest.param(n, marks=pytest.mark.long) for n in (8, 10, 20, 25, 40, 200, 250))]
)
@pytest.mark.parametrize(("name", "hands"), [("nolimit:blueprint", 40), ("nolimit", 3)])
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
    low = round(float(chart.at("").actions[2].partition(" ")[2]) * there.unit)  # fold, call, raise
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
                amount = round(float(name.partition(" ")[2]) * there.unit)
                kind = Action("r", everything if name.startswith("all-in") else amount)
            np.testing.assert_allclose(agent.hand_probabilities(view, kind), row[classes], atol=1.5 / 255)


@pytest.mark.usefixtures("blueprints")
def test_flop_is_solved_at_the_table_from_both_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the CPU with a few iterations, as on a GPU with many; an odd bet is added, and the turn follows from it."""
    monkeypatch.setattr(subgame, "FLOP_ITERATIONS", 4)
    monkeypatch.setattr(subgame, "FLOP_STEP", 2)
    there = table("holdem-nolimit", 5)
    strategy = shipped.shipped_blueprint(5)
    agent = ResolvingPlayer("flops", strategy.game, board_by_board(strategy), there, flop_device="cpu")
    state, done, seen = there.root, [], []
    for action in (Action("r", 200), Action("c"), Action("r", 137), Action("c"), Action("c"), Action("c")):
        while state.player > 1:
            state = there.betting.next_street(state)
        if state.street and state.player == 0:
            view = PlayerView.at(
                there, state, parse_cards("AsAh"), parse_cards("Kd8s3c2h")[: 2 + state.street], tuple(done)
            )
            rest, node, _ = agent._place(view)
            seen.append(state.street)
            assert rest.board == view.board
            assert rest.tree.player[node] == 0
            probabilities = agent.probabilities(view)
            assert sum(share for _, share in probabilities) == pytest.approx(1.0)
            assert all(view.legal.allows(action) for action, _ in probabilities)
            if state.street == 1:
                assert rest.tree.line(node) == "bet 137"
                assert rest.iterations == 4
                for seat, weights in ((0, rest.mine), (1, rest.theirs)):
                    raises = agent.blueprint.rows(*((0, ()) if seat == 0 else (_after_raise(agent), ())))
                    reach = np.where(free_of(view.board), raises[2 if seat == 0 else 1], 0.0)
                    np.testing.assert_allclose(weights, pruned(reach, view.board))
        done.append(PastAction(state.street, state.player, action))
        state = apply(there.betting, state, action)
    assert seen == [1, 2]
    assert len(agent._flops) == 1
    assert len(agent._kept) == 1


def _after_raise(agent: ResolvingPlayer) -> int:
    """The decision of the big blind after the first raise of the chart."""
    return int(agent.game.betting.child[0]) + 2


@pytest.mark.usefixtures("blueprints")
def test_nearest_blueprint_by_ratio() -> None:
    nearest = {5: 5, 8.5: 8, 11: 12, 13.4: 12, 30: 25, 36: 50, 99: 50, 101: 200, 250: 200}
    assert {stack: shipped.nearest_stack(stack) for stack in nearest} == nearest
    assert blueprint_note("nolimit:blueprint", 101.0) == (
        "made for 200 big blinds, the nearest stack; bets are scaled by the pot"
    )
    assert blueprint_note("nolimit", 200.0) is None
    assert blueprint_note("nolimit:some.headsup", 101.0) is None


def test_chart_without_a_blueprint_plays_above_the_nearest_one_with_its_menu(
    blueprints: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for file in ("blueprint-10.headsup", "blueprint-50.headsup"):
        (tmp_path / file).write_bytes((blueprints / file).read_bytes())
    monkeypatch.setattr(shipped, "DATA", tmp_path)
    menu = shipped_preflop(10).setting.menu
    alike = [stack for stack in shipped_stacks() if shipped_preflop(stack).setting.menu == menu]
    assert shipped.chart_stacks() == dict.fromkeys(alike, 10)
    assert 8 in alike
    assert 25 not in alike
    assert [shipped.nearest_stack(stack) for stack in (8, 50)] == [8, 50]
    there = table("holdem-nolimit", 8)
    agent = make_agent("nolimit:blueprint", there)
    played = agent.range_probabilities(PlayerView.at(there, there.root, (), (), ()))
    for row, expected in zip(played.values(), shipped_preflop(8).at("").frequencies, strict=True):
        np.testing.assert_allclose(row, expected[holdem_class_of_combo()], atol=1.5 / 255)
    assert blueprint_note("nolimit", 8.0) == (
        "made for 8 big blinds before the flop and 10 after it; bets are scaled by the pot"
    )


@pytest.mark.usefixtures("blueprints")
def test_deep_stacks_raise_less_than_all_in_and_odd_bets_stay_as_they_are() -> None:
    there = table("holdem-nolimit", 200)
    agent = make_agent("nolimit:cpu", there)
    assert isinstance(agent, ResolvingPlayer)
    state, done = there.root, []
    for action in (Action("r", 250), Action("c"), Action("c"), Action("c"), Action("r", 613)):
        while state.player > 1:
            state = there.betting.next_street(state)
        done.append(PastAction(state.street, state.player, action))
        state = apply(there.betting, state, action)
    view = PlayerView.at(there, state, parse_cards("AsAh"), parse_cards("Kd8s3c2h"), tuple(done))
    rest, node, _ = agent._place(view)
    assert rest.tree.line(node) == "bet 613"
    assert rest.tree.actions(node) == ["fold", "call", "raise 2339"]  # 613 + a pot of 500 + 2 x 613
    assert all(view.legal.allows(action) for action, _ in agent.probabilities(view))


@pytest.mark.parametrize(
    ("name", "board", "bet"), [("nolimit:cpu", "6sJc8dKs", 19400), ("nolimit:flop", "6sJc8d", 9000)]
)
def test_a_bet_of_many_pots_after_a_check_is_answered_by_few_hands(name: str, board: str, bet: int) -> None:
    """No tree has it, so it is added: only hands that gain by it are taken to make it, and few hands beat those."""
    there, known = table("holdem-nolimit", 200), parse_cards(board)
    agent = make_agent(name, there)
    assert isinstance(agent, ResolvingPlayer)
    state, done = there.root, []
    checks = [Action("c")] * (3 if len(known) == 4 else 1)
    for action in (Action("c"), Action("r", 600), Action("c"), *checks, Action("r", bet)):
        while state.player > 1:
            state = there.betting.next_street(state)
        done.append(PastAction(state.street, state.player, action))
        state = apply(there.betting, state, action)
    view = PlayerView.at(there, state, parse_cards("Td6d"), known, tuple(done))
    rest, node, mine = agent._place(view)
    assert agent.first == view.street
    answered = 1.0 - mine @ rest.rows(node, view.board)[0] / mine.sum()
    assert 0.02 < answered < 0.2  # a bluff breaks even if 1200 / (1200 + bet) of the weight calls or raises


RAISES = -1
"""In the place of an amount: the smallest raise that a hand makes."""


@pytest.mark.usefixtures("blueprints")
def test_a_deep_bet_between_two_sizes_is_answered_as_both() -> None:
    """A raise to 11 big blinds at 200: between 6 and 15, in the proportion of the harmonic rule."""
    there = table("holdem-nolimit", 200)
    agent = make_agent("nolimit:blueprint", there)
    assert isinstance(agent, BlueprintPlayer)
    raised = apply(there.betting, there.root, Action("r", 1100))
    view = PlayerView.at(there, raised, parse_cards("AsAh"), (), (PastAction(0, 0, Action("r", 1100)),))
    tree, x, low, high = agent.game.betting, 5.0, 2.5, 7.0  # fractions of the pot after a call
    lower = (high - x) * (1.0 + low) / ((high - low) * (1.0 + x))
    children = {tree.action_name(child): child for child in agent.sizes.children(0)}
    rows = [agent.strategy.rows(children[name], agent.game.board(0, 0)) for name in ("raise 600", "raise 1500")]
    expected = lower * rows[0][0] + (1.0 - lower) * rows[1][0]
    np.testing.assert_allclose(agent.hand_probabilities(view, Action("f")), expected, atol=1e-9)
    assert sum(share for _, share in agent.probabilities(view)) == pytest.approx(1.0)
    assert {action.kind for action, _ in agent.probabilities(view)} == {"f", "c", "r"}


@pytest.mark.usefixtures("blueprints")
@pytest.mark.parametrize(
    "amounts",
    [
        (1100, None, None, 7000, None),
        (300, None, None, 1500, RAISES, None),  # two pots, then a raise, though one near size is all-in
        (300, None, None, 100, None),  # a bet so small that it is read as a check
    ],
)
def test_the_range_after_such_answers_is_that_of_the_hands_that_gave_them(amounts: tuple[int | None, ...]) -> None:
    there = table("holdem-nolimit", 200)
    agent = make_agent("nolimit:cpu", there)
    assert isinstance(agent, ResolvingPlayer)
    state, done, board = there.root, list[PastAction](), parse_cards("Kd8s3c2h")
    held = free_of(board).astype(np.float64)
    for amount in amounts:
        while state.player > 1:
            state = there.betting.next_street(state)
        view = PlayerView.at(there, state, parse_cards("AsAh"), board[: 3 * state.street], tuple(done))
        played = agent.range_probabilities(view)
        action = Action("c") if amount is None else Action("r", amount)
        if amount == RAISES:
            action = min((made for made in played if made.kind == "r"), key=lambda made: made.amount)
        if state.player == 1:
            np.testing.assert_allclose(np.sum(list(played.values()), axis=0), free_of(view.board), atol=1e-6)
            held *= agent.hand_probabilities(view, action)
        done.append(PastAction(state.street, state.player, action))
        state = apply(there.betting, state, action)
    state = there.betting.next_street(state)
    view = PlayerView.at(there, state, parse_cards("AsAh"), board, tuple(done))
    _, reach, _ = agent._followed(view, agent.before(view))
    assert 0.0 < held.max() < 1.0
    np.testing.assert_allclose(np.where(free_of(board), reach[1], 0.0), held, atol=1e-9)


@pytest.mark.usefixtures("blueprints")
def test_a_depth_limited_flop_has_odd_bets_as_they_are_and_leads_to_the_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resolving, "LIMITED_ITERATIONS", 4)
    monkeypatch.setattr(leaves, "WORK", 0.0)
    there = table("holdem-nolimit", 200)
    agent = make_agent("nolimit:flop", there)
    assert isinstance(agent, ResolvingPlayer)
    assert agent.limited
    state, done, board = there.root, list[PastAction](), parse_cards("Kd8s3c2h")
    for action in (Action("r", 250), Action("c"), Action("c"), Action("r", 613), Action("c"), Action("r", 700)):
        while state.player > 1:
            state = there.betting.next_street(state)
        if state.street == 1 and state.player == 1 and done[-1].action.kind == "r":
            view = PlayerView.at(there, state, parse_cards("AsAh"), board[:3], tuple(done))
            rest, node, _ = agent._place(view)
            assert rest.tree.actions(node) == ["fold", "call", "raise 2339", "all-in 19750"]
            below = [deal for deal in rest.entries if rest.tree.line(deal).startswith(rest.tree.line(node))]
            assert len(below) == 4  # calls of the bet, of a raise, and of all-in before and after it
            assert all(view.legal.allows(action) for action, _ in agent.probabilities(view))
            played = agent.range_probabilities(view)
            total = np.sum(list(played.values()), axis=0)
            np.testing.assert_allclose(total, free_of(view.board), atol=1e-6)
        done.append(PastAction(state.street, state.player, action))
        state = apply(there.betting, state, action)
    view = PlayerView.at(there, state, parse_cards("AsAh"), board, tuple(done))
    rest, node, _ = agent._place(view)
    assert rest.tree.line(node) == "bet 700"
    assert len(rest.board) == 4


@pytest.mark.usefixtures("blueprints")
def test_after_a_depth_limited_flop_the_range_is_the_mean_of_both_ways_to_play_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resolving, "LIMITED_ITERATIONS", 12)
    monkeypatch.setattr(leaves, "WORK", 0.0)
    there = table("holdem-nolimit", 50)
    agent = make_agent("nolimit", there)
    assert isinstance(agent, ResolvingPlayer)
    state, done, board = there.root, list[PastAction](), parse_cards("Kd8s3c2h")
    for action in (Action("r", 300), *[Action("c")] * 3):
        while state.player > 1:
            state = there.betting.next_street(state)
        done.append(PastAction(state.street, state.player, action))
        state = apply(there.betting, state, action)
    view = PlayerView.at(there, there.betting.next_street(state), parse_cards("AsAh"), board, tuple(done))
    turn, _, _ = agent._place(view)
    (flop,) = agent._flops.values()
    checked = int(flop.tree.child[0])  # the opponent, who has the button, checks behind
    known = agent._readings(flop.tree, flop.start)[checked]
    assert flop.tree.player[checked] != turn.seat == flop.tree.player[0]
    free = free_of(board)
    both = [
        flop.theirs * rows[0] * free for rows in (flop.rows(checked, board[:3]), agent.blueprint.rows(known, board[:3]))
    ]
    mean = sum(weights / weights.sum() for weights in both)
    assert np.abs(both[0] / both[0].sum() - both[1] / both[1].sum()).sum() > 0.05
    kept = turn.theirs > 0.0
    np.testing.assert_allclose(turn.theirs[kept], (mean / mean.max())[kept], rtol=1e-3)
    assert (mean / mean.max())[~kept].max() < 2e-3


def test_file_that_names_shipped_buckets_does_not_make_them_again(
    blueprints: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped_buckets = make_agent("nolimit:blueprint", table("holdem-nolimit", 50))
    monkeypatch.setattr("headsup.abstraction.hands.named.read_buckets", lambda *_: pytest.fail("made again"))
    agent = make_agent(f"nolimit:{blueprints / 'blueprint-50.headsup'},blueprint", table("holdem-nolimit", 50))
    assert isinstance(agent, BlueprintPlayer)
    assert isinstance(shipped_buckets, BlueprintPlayer)
    place = agent.game.board(0, 0)
    np.testing.assert_array_equal(agent.strategy.rows(0, place), shipped_buckets.strategy.rows(0, place))


@pytest.mark.parametrize("stack", [5, 10])
def test_file_below_a_shipped_equilibrium_plays_as_what_ships(blueprints: Path, stack: int) -> None:
    there = table("holdem-nolimit", stack)
    agent = make_agent(f"nolimit:{blueprints / f'blueprint-{stack}.headsup'},blueprint", there)
    expected = make_agent("nolimit:blueprint", there)
    assert isinstance(agent, BlueprintPlayer)
    assert isinstance(expected, BlueprintPlayer)
    assert agent.game is expected.game
    for street, node in enumerate(agent.game.betting.start[:2].tolist()):
        place = agent.game.board(street, 0)
        np.testing.assert_allclose(
            agent.strategy.rows(node, place), expected.strategy.rows(node, place), atol=1.5 / 255
        )


def test_blueprint_of_other_data_is_refused(blueprints: Path, tmp_path: Path) -> None:
    stack = shipped_stacks()[0]
    record = Solution.load(blueprints / f"blueprint-{stack}.headsup")
    other = tmp_path / "blueprint.headsup"
    Solution(**{**vars(record), "content": "0" * 64}).save(other)
    with pytest.raises(DataError, match="other data than what ships"):
        shipped.load_blueprint(other, stack)
    with pytest.raises(DataError, match="other data than what ships"):
        make_agent(f"nolimit:{other}", table("holdem-nolimit", stack))
    for stack in (4.5, 251.0):
        with pytest.raises(UserError, match="from 5 to 250"):
            shipped.shipped_blueprint(stack)
