"""Scores by ranges, against sums over all pairs of hands."""

from __future__ import annotations

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.combos import HOLDEM_COUNT, colex, holdem_combos
from headsup.common.arrays import Floats
from headsup.games.holdem.spot import Spot
from headsup.games.holdem.vector import Uniform
from headsup.play.agents.lbr import LocalBestResponse
from headsup.play.agents.strategy import StrategyPlayer
from headsup.play.statistics import values
from headsup.play.statistics.aivat import aivat_chips, make_value
from headsup.play.statistics.ranged import RangeValue, ranged_chips
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, make_agent, make_pair
from headsup.play.table.ranges import against_ranges, share_of_ranges
from headsup.play.table.real import free_of
from headsup.play.table.record import record as record_of
from headsup.play.table.referee import Referee
from headsup.play.table.rules import BOARD, CALLS, Action, Deal, PlayerView, Table, raise_to, states_before, table
from headsup.play.table.start import SpotTable, spot_table
from tests.play.statistics.test_values import Half, every_hand

BOARDS = [(), (3, 17, 30), (3, 17, 30, 44), (3, 17, 30, 44, 51)]


@pytest.mark.parametrize("board", BOARDS)
def test_ranges_win_the_mean_over_pairs_of_hands(board: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(board))
    first, second = np.zeros(HOLDEM_COUNT), np.zeros(HOLDEM_COUNT)
    hands = holdem_combos()
    free = [h for h in range(HOLDEM_COUNT) if not set(hands[h].tolist()) & set(board)]
    common = rng.choice(free, 2, replace=False)  # hands that both may hold, though not at once
    for weights in (first, second):
        weights[[*common, *rng.choice(free, 3, replace=False)]] = rng.random(5)
    won, met = np.zeros((2, HOLDEM_COUNT))
    for a in np.flatnonzero(first):
        for b in np.flatnonzero(second):
            mine, theirs = tuple(hands[a].tolist()), tuple(hands[b].tolist())
            if not set(mine) & set(theirs):
                won[a] += second[b] * values.pot_share("holdem", (mine, theirs), board)
                met[a] += second[b]
    some = first > 0.0
    known = against_ranges(np.array([second, np.zeros(HOLDEM_COUNT)]), board)
    np.testing.assert_allclose(known[0][0][some], won[some], atol=1e-12)
    np.testing.assert_allclose(known[1][0][some], met[some], atol=1e-12)
    assert not known[0][1].any()
    assert not known[1][1].any()
    assert share_of_ranges(first, second, board) == pytest.approx(first @ won / (first @ met), abs=1e-12)


def test_a_hand_is_scored_by_what_others_would_have_done() -> None:
    """Two who call with everything say nothing of their hands: whatever is shown, nobody has won."""
    there = table("holdem-nolimit", 20)
    agents = make_agent("caller", there), make_agent("caller", there)
    referee = Referee(agents, seed=3)
    seen = set()
    for number in range(4):
        record = referee.play(there, there.deal_number(3, number), number, 0)
        seen.add(record.chips[0])
        assert record.shown
        assert ranged_chips(record, agents) == pytest.approx(0.0)
    assert seen != {0}
    folding = make_agent("caller", there), make_agent("folder", there)
    record = Referee(folding, seed=3).play(there, there.deal_number(3, 0), 0, 1)
    assert ranged_chips(record, folding[::-1]) == record.chips[0]


class HandMix(Half):
    """Mixes by the rank of its cards, so that its actions tell of them."""

    name = "hand-mix"

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """Better cards bet more often."""
        options = super().probabilities(view)
        weights = [p * (1.0 + i * sum(view.hole)) for i, (_, p) in enumerate(options)]
        return [(action, weight / sum(weights)) for (action, _), weight in zip(options, weights, strict=True)]

    def range_probabilities(self, view: PlayerView) -> dict[Action, Floats]:
        """Only for hands of the spot, to save time."""
        rows: dict[Action, Floats] = {}
        for hole in (parse_cards(name) for name in (*FIRST, *SECOND)):
            for action, probability in self.probabilities(view._replace(hole=hole)):
                rows.setdefault(action, np.zeros(HOLDEM_COUNT))[colex(sorted(hole))] = probability
        return rows


FIRST, SECOND = ("AdKh", "6s5s", "QcQd"), ("8c8d", "AcTs", "7h6h")


def small_spot(board: str, stack: int) -> tuple[Table, list[Deal], StrategyPlayer]:
    """A spot of three hands against three with an odd pot, its deals, and a strategy for it."""
    spot = Spot(board, ",".join(FIRST), ",".join(SECOND), 7, stack, bets="60%, a", raises="a")
    there, game = spot_table(spot), spot.game()
    holes = [(parse_cards(a), parse_cards(b)) for a in FIRST for b in SECOND]
    deals = []
    for rest in [()] if len(spot.cards) == 5 else [(card,) for card in range(52) if card not in spot.cards]:
        known = {*spot.cards, *rest}
        deals += [Deal(pair, (*spot.cards, *rest)) for pair in holes if not known & {*pair[0], *pair[1]}]
    return there, deals, StrategyPlayer("uniform", game, Uniform(game), there)


@pytest.mark.parametrize(
    ("first", "second", "board", "stack"),
    [
        ("lbr:0.6,a", "uniform", "As7d2c3s8h", 9),
        ("lbr", "hand-mix", "As7d2c3s8h", 4),
        ("lbr:c/c/c/a", "hand-mix", "As7d2c3s8h", 4),
        ("hand-mix", "hand-mix", "As7d2c3s8h", 4),
        pytest.param("lbr:0.6,a", "uniform", "As7d2c3s", 9, marks=pytest.mark.long),
        ("lbr:c/c/c/f", "uniform", "As7d2c3s", 4),
    ],
)
def test_scores_by_ranges_keep_the_mean(first: str, second: str, board: str, stack: int) -> None:
    """Summed over all deals and choices."""
    there, deals, uniform = small_spot(board, stack)
    for seat in (0, 1):
        other: Mixed = uniform if second == "uniform" else HandMix()
        agent: Agent = HandMix() if first == "hand-mix" else make_agent(first, there)
        if isinstance(agent, LocalBestResponse):
            agent.meet(other)
        agents = (agent, other) if seat == 0 else (other, agent)
        chances, plain, scores = list[float](), list[float](), list[float]()
        known: dict[object, float] = {}  # a score depends on what both players see, and on ties
        for chance, record in every_hand(there, deals, agents):  # type: ignore[arg-type]
            public = record.board, record.steps, record.shown and record.chips[0]
            chances.append(chance)
            plain.append(record.chips[0])
            if public not in known:
                known[public] = ranged_chips(record, agents)
            scores.append(known[public])
        mean = float(np.dot(chances, plain))
        assert sum(chances) == pytest.approx(1.0)
        assert np.dot(chances, scores) == pytest.approx(mean, abs=1e-9)
        spread = [float(np.dot(chances, (np.array(won) - mean) ** 2)) for won in (plain, scores)]
        assert spread[1] < 0.5 * spread[0]


def test_aivat_scores_agents_that_answer_for_ranges_by_them() -> None:
    there = table("holdem-nolimit", 20)
    agents = make_pair("lbr:1,a", "chart:50,40", there)
    value = make_value(there, agents)
    assert isinstance(value, RangeValue)
    referee = Referee(agents, seed=5)
    for number in range(4):
        record = referee.play(there, there.deal_number(5, number), number, 0)
        assert aivat_chips(record, agents, value) == ranged_chips(record, agents)
    bots = make_agent("nolimit:blueprint", there), make_agent("aggrobot", there)
    assert isinstance(make_value(there, bots), RangeValue)
    assert not isinstance(make_value(there, (bots[0], make_agent("caller", there))), RangeValue)


@pytest.mark.parametrize("name", ["nolimit:blueprint", "aggrobot", "chart:50,40", "mix:0.2,0.5,0.3"])
def test_answers_for_a_range_are_those_of_each_hand(name: str) -> None:
    there = table("holdem-nolimit", 20)
    agent = make_agent(name, there)
    assert isinstance(agent, Mixed)
    record = Referee((agent, make_agent("caller", there)), seed=3).play(there, there.deal_number(3, 1), 1, 0)
    for i, (step, state) in enumerate(states_before(there, record.steps)):
        if step.seat == 0:
            view = PlayerView.at(there, state, (), record.deal.board[: BOARD[step.street]], record.steps[:i])
            rows, free = agent.range_probabilities(view), np.flatnonzero(free_of(view.board))
            np.testing.assert_allclose(sum(rows.values())[free], 1.0, atol=1e-12)
            for hand in free[::97].tolist():
                options = dict(agent.probabilities(view._replace(hole=tuple(holdem_combos()[hand].tolist()))))
                assert {action: row[hand] for action, row in rows.items() if row[hand]} == pytest.approx(options)


DEALER, BLIND = ("AdKh", "6s5s", "QcQd"), ("9s8s", "7h6h", "6s5s")
RAISED = (raise_to(20), CALLS, CALLS, raise_to(10), CALLS, CALLS, CALLS)  # before the river, bets by the dealer


def on_a_river(there: Table, agents: tuple[Agent, Agent]) -> tuple[float, float]:
    """The means of score and chips over all pairs of hands, and all choices on one river of a raised pot."""
    board = parse_cards("As7d2c3s8h")
    holes = [(parse_cards(a), parse_cards(b)) for a in DEALER for b in BLIND]
    chances, scores, chips = list[float](), list[float](), list[int]()
    known: dict[object, float] = {}
    for pair in (pair for pair in holes if len({*pair[0], *pair[1], *board}) == 9):
        waiting: list[tuple[float, list[Action]]] = [(1.0, [])]
        while waiting:
            chance, actions = waiting.pop()
            hand = there.hand(Deal(pair, board))
            for action in actions:
                hand.act(action)
            if hand.over:
                played = record_of(hand)
                public = played.steps, played.shown and played.chips[0]
                if public not in known:
                    known[public] = ranged_chips(played, agents)
                chances.append(chance)
                chips.append(played.chips[0])
                scores.append(known[public])
                continue
            agent, view = agents[hand.player], hand.view()
            options = agent.probabilities(view) if isinstance(agent, Mixed) else [(agent.act(view), 1.0)]
            forced = RAISED[len(actions) : len(actions) + 1]  # nothing on the river
            waiting += [(chance * p, [*actions, action]) for action, p in options if action in (forced or (action,))]
    return float(np.average(scores, weights=chances)), float(np.average(chips, weights=chances))


def test_scores_of_limit_agents_keep_the_mean_on_a_river() -> None:
    """Whoever plays the river, mean score and mean chips differ by the corrections of the streets before it."""
    weights = np.zeros((2, HOLDEM_COUNT))
    for row, names in zip(weights, (DEALER, BLIND), strict=True):
        row[[colex(sorted(parse_cards(name))) for name in names]] = 1.0
    plain, (first, second) = table("holdem-limit"), weights.tolist()
    there = SpotTable(plain.name, plain.cards, plain.betting, plain.unit, weights=(tuple(first), tuple(second)))
    limit, river, calls, lbr = (
        make_agent(name, there) for name in ("limit", "limit:river", "lbr:c/c/c/c", "lbr:c/c/c/1")
    )
    for several in (((limit, limit), (river, limit), (limit, river)), ((river, calls), (river, lbr))):
        corrections, means = list[float](), set[float]()
        for agents in several:
            if isinstance(agents[1], LocalBestResponse):
                agents[1].meet(agents[0])
            score, chips = on_a_river(there, agents)
            corrections.append(score - chips)
            means.add(chips)
        assert corrections == pytest.approx([corrections[0]] * len(several), abs=1e-9)
        assert len(means) == len(several)
