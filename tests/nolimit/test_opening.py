"""Play before the flop in a tree of its own, above a blueprint."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from headsup.cards import parse_cards
from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_of_combo
from headsup.cards.combos import HOLDEM_COUNT, colex, combo_masks
from headsup.common.arrays import AnyArray
from headsup.common.errors import DataError, UserError, plainly
from headsup.evaluate import rank_combos
from headsup.games.betting.rules import DEAL, FOLD
from headsup.games.holdem.bucketed import BucketStrategy, bucket_layout
from headsup.games.holdem.vector import VectorGame
from headsup.jamfold.answer import answer
from headsup.measure.streamed import content
from headsup.nolimit.later_play import LaterPlay, RunoutSampler, class_equities, class_pairs
from headsup.nolimit.make import first_street_in
from headsup.nolimit.make_opening import (
    LaterShares,
    OpeningWalker,
    opening_chart,
    opening_game,
    opening_setting,
    rounded,
    sampled,
    shares_of,
)
from headsup.nolimit.opening import Opening, depth_at, flop_lines, last_raiser, nearest_line
from headsup.nolimit.shipped import (
    DEEP_STACKS,
    deep_game,
    load_opening,
    nolimit_game,
    shipped_blueprint,
    shipped_opening,
)
from headsup.play.agents.resolving import ResolvingPlayer
from headsup.play.table.agent import make_agent
from headsup.play.table.real import RealCards
from headsup.play.table.rules import Action, PastAction, PlayerView, apply, table
from headsup.preflop.chart import Setting
from headsup.preflop.solve import solve_preflop
from headsup.solve.holdem.vector import VectorCfr
from headsup.solve.records.settings import PRESETS

BOARD = tuple(parse_cards("Kd8s3c2h9d"))


class Three:
    """Three buckets on every street, by the number of the hand and of the board."""

    sizes = ((3,), (3,), (3,), (3,))

    def __init__(self, game: VectorGame) -> None:
        self.kinds = tuple(np.zeros(n, np.int64) for n in np.diff(game.rounds.entries))

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        hands = np.arange(HOLDEM_COUNT)
        return np.stack([(hands * (street + 1) + board) % 3 for board in range(low, high)])


@pytest.fixture(scope="module")
def small() -> BucketStrategy:
    """A random strategy of a few bets at six big blinds."""
    game = nolimit_game(6, "100%, a; a | preflop 100%, a; a")
    buckets, dice = Three(game), np.random.default_rng(3)
    first, second = (dice.random(bucket_layout(game, buckets, seat).size) for seat in (0, 1))
    return BucketStrategy(game, buckets, (first, second))


def naive_share(strategy: BucketStrategy, node: int, hands: tuple[int, int], board: tuple[int, ...]) -> float:
    """What the small blind's hand gets of the pot at a deal of the first street, node by node."""
    tree, real = strategy.game.betting, RealCards(strategy.game)
    before = tree.paid[node]
    ranks = rank_combos(np.array([board], np.uint8), check=False)[0].astype(int)[list(hands)]

    def worth(at: int, street: int) -> float:
        mover = int(tree.player[at])
        if mover == DEAL:
            return worth(int(tree.child[at]), street + 1)
        if mover == FOLD:
            return float(tree.lose[at, 0] if tree.player[tree.parent[at]] == 0 else tree.win[at, 0])
        if mover > DEAL:
            win, lose = float(tree.win[at, 0]), float(tree.lose[at, 0])
            return [lose, (win + lose) / 2, win][int(np.sign(ranks[0] - ranks[1])) + 1]
        seen = board[: 2 + street]
        place, number = real.canonical(seen).place, int(real.hands(mover, seen)[hands[mover]])
        row = strategy.rows(at, place)[:, number]
        return sum(float(p) * worth(int(tree.child[at]) + a, street) for a, p in enumerate(row))

    return (worth(node, 0) + float(before[0])) / float(before.sum())


def test_sampled_boards_are_played_as_node_by_node(small: BucketStrategy) -> None:
    sampler, classes, masks = RunoutSampler(small), holdem_class_of_combo(), combo_masks(2)
    play = sampler.on(BOARD)
    taken = sum(1 << card for card in BOARD)
    free = [hand for hand in range(HOLDEM_COUNT) if not int(masks[hand]) & taken]
    names = [("AsAh", "7d6d"), ("KsQs", "JhTh"), ("5c4c", "AdKc")]
    for first, second in names:
        own, other = (int(classes[colex(sorted(parse_cards(name)))]) for name in (first, second))
        pairs = [
            (a, b) for a in free for b in free
            if classes[a] == own and classes[b] == other and not int(masks[a]) & int(masks[b])
        ]  # fmt: skip
        assert play.met[own, other] == len(pairs)
        for line in (0, len(sampler.lines) - 1):
            known = sum(naive_share(small, sampler.lines[line].node, pair, BOARD) for pair in pairs)
            assert play.earned[line, own, other] == pytest.approx(known, rel=1e-4)


def test_shares_are_those_of_all_boards_if_everybody_checks_down() -> None:
    """Hands that only check have their exact equity, however few boards are sampled."""
    game = nolimit_game(6, "preflop 100%, a; a | flop none | turn none | river none")
    buckets = Three(game)
    first, second = (np.ones(bucket_layout(game, buckets, seat).size) for seat in (0, 1))
    sampler = RunoutSampler(BucketStrategy(game, buckets, (first, second)))
    play = LaterPlay.none(sampler.strategy, 1)
    for one in sampler.sample(range(3)):
        play += one
    assert play.boards == 3
    np.testing.assert_allclose(play.share[0], class_equities(), atol=1e-5)


def test_files_hold_the_sums(small: BucketStrategy, tmp_path: Path) -> None:
    whole = sampled(small, 3, tmp_path / "whole", 5)
    sampled(small, 2, tmp_path / "parts", 5)
    parts = sampled(small, 3, tmp_path / "parts", 5)
    for one, other in zip(whole, parts, strict=True):
        assert one.boards == other.boards
        for name in ("met", "won", "earned", "moments"):
            assert np.array_equal(getattr(one, name), getattr(other, name))
    assert [half.boards for half in whole] == [2, 1]
    with pytest.raises(DataError, match="another blueprint or seed"):
        sampled(small, 3, tmp_path / "whole", 6)


def test_an_interrupted_run_keeps_its_boards(
    small: BucketStrategy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    boards = iter([BOARD])

    def board(self: RunoutSampler, number: int) -> tuple[int, ...]:
        try:
            return next(boards)
        except StopIteration:
            raise KeyboardInterrupt from None

    monkeypatch.setattr(RunoutSampler, "board", board)
    with pytest.raises(SystemExit) as stopped:
        plainly(lambda: sampled(small, 3, tmp_path, 5) and None)
    assert stopped.value.code == 130
    assert LaterPlay.load(tmp_path / "even.npz", small, 5).boards == 1


def checked_down(setting: Setting, iterations: int) -> VectorCfr:
    """An opening solved for hands that are checked down whatever the line."""
    game = opening_game(setting)
    deals = int((game.betting.player == DEAL).sum())
    solver = VectorCfr(game, PRESETS["dcfr"], store="float64")
    solver.walker = OpeningWalker(game, LaterShares(class_equities()[None], np.zeros(deals, np.int64)))
    solver.step(iterations)
    return solver


def test_jams_alone_are_jam_or_fold() -> None:
    solver = checked_down(replace(opening_setting(10, "a"), limp=False), 300)
    assert solver.values()[0] / 1000 == pytest.approx(answer("holdem", 10.0).value_sb, abs=1e-4)


def test_checked_down_pots_are_those_of_the_checked_down_game() -> None:
    solver = checked_down(opening_setting(12, "2.5x, a; a"), 300)
    known = solve_preflop(12, "2.5x, a; a", target=0.5)
    error = (1000 * solver.exploitability() / 1000 + 0.5) / 1000
    assert solver.values()[0] / 1000 == pytest.approx(known.value_sb, abs=2 * error)


def test_chart_is_the_solution_in_steps(small: BucketStrategy) -> None:
    """Its figures are those of its own walk; in the file probabilities add up to 1."""
    setting, sampler = opening_setting(6, "2x, a; a"), RunoutSampler(small)
    play = sampler.on(BOARD) + sampler.on(tuple(parse_cards("AsKs7h7d2c")))
    chart = opening_chart(setting, small, play, 40)
    assert chart.about["boards"] == 2
    assert 0.0 <= chart.exploitability_mbb < 200.0
    assert "later play" in chart.note
    view = chart.at("")
    assert np.isfinite(view.ev[0]).all()
    np.testing.assert_allclose(view.ev[0], -0.5, atol=1e-9)  # a fold
    small_file = rounded(chart)
    for rows, counts in zip(small_file.probabilities, small_file.ev, strict=True):
        assert rows.shape == counts.shape
    for line in ("", "raise 2", "call"):
        here = small_file.at(line)
        np.testing.assert_allclose(here.frequencies.sum(axis=0), 1.0, atol=1e-6)
        np.testing.assert_allclose(here.frequencies, chart.at(line).frequencies, atol=1.0 / 250)


def test_lines_continue_where_raiser_and_depth_are_alike() -> None:
    tree = deep_game(100).betting
    lines = flop_lines(tree)
    assert all(depth_at(tree, line.node) == line.depth > 0.0 for line in lines)
    limped = nearest_line(lines, -1, 30.0)
    assert tree.line(limped.node) == "call, check"
    assert tree.line(nearest_line(lines, 0, 20.0).node) == "raise 200, call"
    assert tree.line(nearest_line(lines, 0, 15.0).node) == "raise 300, call"
    reraised = nearest_line(lines, 1, 5.0)
    assert tree.line(reraised.node) == "raise 300, raise 900, call"
    assert last_raiser(tree, reraised.node) == 1
    assert nearest_line(lines, 0, 0.0).depth == min(line.depth for line in lines if line.raiser == 0)


def test_shares_follow_the_line_and_all_ins_their_equity(small: BucketStrategy) -> None:
    game = opening_game(opening_setting(6, "2x, 3x, a; a"))
    shares = shares_of(game, small, RunoutSampler(small).on(BOARD))
    deals = np.flatnonzero(game.betting.player == DEAL)
    lines = flop_lines(small.game.betting)
    for node, table_number in zip(deals.tolist(), shares.of_deal.tolist(), strict=True):
        depth = depth_at(game.betting, node)
        if depth == 0.0:
            assert table_number == len(lines)
        else:
            assert lines[table_number] == nearest_line(lines, last_raiser(game.betting, node), depth)


@pytest.mark.parametrize("stack", [50, 130])
def test_agent_plays_the_opening_before_the_flop(stack: float) -> None:
    there = table("holdem-nolimit", stack)
    agent, chart = make_agent("nolimit:cpu", there), shipped_opening(stack)
    assert isinstance(agent, ResolvingPlayer)
    assert chart is not None
    opening = agent.opening = Opening(chart, agent.game.betting)
    state, done = there.root, []
    for action in (Action("r", round(3.0 * there.unit)), Action("c")):
        view = PlayerView.at(there, state, parse_cards("AsAh"), (), tuple(done))
        played = agent.range_probabilities(view)
        node = agent.node(view)
        rows = opening.rows(node)
        np.testing.assert_allclose(np.sum(list(played.values()), axis=0), 1.0, atol=1e-6)
        fold = int(opening.tree.child[node])
        assert opening.tree.player[fold] == FOLD
        np.testing.assert_allclose(played[Action("f")], rows[0])
        done.append(PastAction(0, state.player, action))
        state = apply(there.betting, state, action)
    flop = there.betting.next_street(state)
    view = PlayerView.at(there, flop, parse_cards("AsAh"), BOARD[:3], tuple(done))
    node = agent.node(view)
    entered = int(agent.game.betting.parent[node])
    assert agent.game.betting.street[node] == 1
    assert last_raiser(agent.game.betting, entered) == 0
    _, reach, _ = agent._followed(view, tuple(done))
    after = opening.tree
    sizes = range(int(after.child[0]), int(after.child[0] + after.count[0]))
    raised = min(sizes, key=lambda child: abs(int(after.amount[child]) - 3000))
    np.testing.assert_allclose(reach[0], opening.rows(0)[raised - int(after.child[0])])


def test_openings_ship_for_deep_stacks() -> None:
    for stack in DEEP_STACKS:
        chart = shipped_opening(stack)
        assert chart is not None
        assert chart.stack == stack
        for seat, rows in enumerate(chart.probabilities):
            tree = chart.setting.betting
            count = tree.count[tree.player == seat]
            np.testing.assert_allclose(np.add.reduceat(rows, np.cumsum(count) - count, axis=0), 1.0, atol=1e-5)
    assert [shipped_opening(stack) for stack in (10, 20, 27)] == [None, None, None]  # equilibria play these


@pytest.mark.parametrize("stack", DEEP_STACKS)
def test_openings_were_made_above_the_blueprints_that_ship(stack: int) -> None:
    assert load_opening(stack).about["blueprint"] == content(shipped_blueprint(stack))


def test_pairs_of_classes_are_counted() -> None:
    pairs, sizes = class_pairs(), np.bincount(holdem_class_of_combo(), minlength=HOLDEM_CLASSES)
    np.testing.assert_array_equal(pairs.sum(axis=1), 1225)
    np.testing.assert_array_equal(pairs * sizes[:, None], (pairs * sizes[:, None]).T)


class ByClass(Three):
    """The 169 classes before the flop."""

    sizes = ((HOLDEM_CLASSES,), (3,), (3,), (3,))

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        return holdem_class_of_combo()[None] if street == 0 else super().rows(seat, street, low, high, kind)


def test_a_blueprint_may_be_learned_below_a_chart(tmp_path: Path) -> None:
    """Each class plays as in the chart of the same menu; another menu or stack is refused."""
    game, path = nolimit_game(6, "100%, a; a | preflop 100%, a; a"), tmp_path / "chart.headsup"
    buckets = ByClass(game)
    strategy = BucketStrategy(
        game, buckets, (np.ones(bucket_layout(game, buckets, 0).size), np.ones(bucket_layout(game, buckets, 1).size))
    )
    solved = opening_chart(opening_setting(6, "100%, a; a"), strategy, RunoutSampler(strategy).on(BOARD), 10)
    solved.save(path)
    for seat, numbers in enumerate(first_street_in(path, game, buckets)):
        assert numbers is not None
        np.testing.assert_allclose(numbers.reshape(-1, HOLDEM_CLASSES), solved.probabilities[seat])
    for other in (
        nolimit_game(7, "100%, a; a | preflop 100%, a; a"),
        nolimit_game(6, "100%, a; a | preflop 50%, a; a"),
    ):
        with pytest.raises(UserError, match="another stack or menu"):
            first_street_in(path, other, ByClass(other))
