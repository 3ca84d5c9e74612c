"""Turn and river solved anew at the table: what is legal, what is the same again, and what a hand could have had."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from headsup.cards import parse_cards
from headsup.cards.combos import HOLDEM_COUNT, holdem_combos
from headsup.common.arrays import AnyArray
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.evaluate import rank_combos
from headsup.games.betting.bettingtree import betting_tree
from headsup.games.betting.rules import Betting
from headsup.games.holdem.bucketed import BucketStrategy, bucket_layout
from headsup.games.holdem.vector import Mixture, Strategy, Uniform, VectorGame, holdem_game
from headsup.play.agents import resolving, subgame
from headsup.play.agents.resolving import BlueprintPlayer, ResolvingPlayer
from headsup.play.agents.subgame import OnRealCards, alternative_below, pruned, tree_with
from headsup.play.table.agent import Player, make_agent
from headsup.play.table.real import free_of
from headsup.play.table.referee import Referee
from headsup.play.table.rules import CALLS, FOLDS, Action, Legal, PastAction, PlayerView, Table, apply, table
from tests.bucket_makers import small

STACK = 20
BLUEPRINT = f"holdem-nolimit:stack={STACK},menu=100%, a; a"
RIVER = parse_cards("Td9d6hQc2s")


class Odd(Player):
    """Calls, and bets sizes that no menu has on turn and river."""

    name = "odd"

    def act(self, view: PlayerView) -> Action:
        if view.street >= 2 and view.legal.low and not view.state.bets:
            return view.legal.bet(view.legal.low + 17)
        return CALLS


@pytest.fixture
def there(monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(subgame, "WORK", 1e5)
    monkeypatch.setattr(subgame, "ITERATIONS", (6, 8))
    return table("holdem-nolimit", STACK)


def player(there: Table, safe: bool = True) -> ResolvingPlayer:
    game = small(BLUEPRINT)
    return ResolvingPlayer("resolving", game, Mixture(game, 0.0, 0.9, 0.1), there, safe)


@pytest.mark.parametrize("safe", [True, pytest.param(False, marks=pytest.mark.long)])
def test_hands_are_played_by_the_rules_and_again_alike(there: Table, safe: bool) -> None:
    lines = []
    for _ in range(2):
        referee = Referee((player(there, safe), Odd()), seed=3)
        hands = [referee.play(there, there.deal_number(3, n), number=n, dealer=n % 2) for n in range(4)]
        assert not any(hand.faults for hand in hands)
        lines.append([hand.betting for hand in hands])
    assert lines[0] == lines[1]
    assert sum(line.count("/") == 3 for line in lines[0]) >= 1  # some saw a river


def test_what_is_called_as_all_in_is_jammed(there: Table) -> None:
    """A raise to 12 big blinds is read as all-in: the tree of the blueprint ends there, and so does the hand."""
    state = there.betting.bet(there.betting.root(), 1200)
    step = PastAction(0, 0, Action("r", 1200))
    view = PlayerView(there, 1, parse_cards("AsAh"), (), state, Legal.of(there.betting, state), (step,))
    assert player(there).probabilities(view) == [(Action("r", 2000), 1.0)]


def test_opening_bets_share_what_the_street_begins_with(there: Table) -> None:
    steps = tuple(PastAction(street, seat, CALLS) for street, seat in ((0, 0), (0, 1), (1, 1), (1, 0)))
    agent = player(there)
    for amount in (117, 150):
        state = there.root
        for _ in range(2):
            state = there.betting.next_street(apply(there.betting, apply(there.betting, state, CALLS), CALLS))
        bet = PastAction(2, 1, Action("r", amount))
        view = PlayerView.at(there, apply(there.betting, state, bet.action), (), RIVER[:4], (*steps, bet))
        known, alone = agent.range_probabilities(view), player(there).range_probabilities(view)
        assert list(known) == list(alone)
        for action, row in known.items():
            np.testing.assert_array_equal(row, alone[action])
        np.testing.assert_allclose(sum(known.values())[free_of(view.board)], 1.0, atol=1e-6)
    assert (len(agent._kept), len(agent._tasks)) == (2, 1)


def test_shares_are_those_of_all_hands(there: Table) -> None:
    agent = player(there)
    steps = [("c", 0), ("c", 0), ("c", 0), ("c", 0), ("r", 117)]
    seats, streets = [0, 1, 1, 0, 1], [0, 0, 1, 1, 2]
    done = tuple(
        PastAction(street, seat, Action(*step)) for step, seat, street in zip(steps, seats, streets, strict=True)
    )
    state = there.betting.root()
    for step in done:
        while state.player > 1:
            state = there.betting.next_street(state)
        passive = there.betting.call(state)
        assert passive is not None
        state = there.betting.bet(state, step.action.amount) if step.action.kind == "r" else passive[2]
    view = PlayerView(there, 0, parse_cards("AsAh"), RIVER[:4], state, Legal.of(there.betting, state), done)
    shares = dict(agent.probabilities(view))
    assert sum(shares.values()) == pytest.approx(1.0)
    assert all(view.legal.allows(action) for action in shares)
    place, node, _ = agent._place(view)
    assert place.tree.line(node) == "bet 117"  # it is in the tree as it is, not read as another
    assert len(agent._kept) == 1  # and from the start: nothing was solved twice
    assert place.iterations == subgame.iterations_for(place.game) > 1
    actions, _ = agent._now(view)
    found = np.array([agent.hand_probabilities(view, action) for action in dict.fromkeys(actions)])
    np.testing.assert_allclose(found.sum(axis=0)[free_of(view.board)], 1.0, atol=1e-6)
    number = next(i for i, hand in enumerate(holdem_combos().tolist()) if sorted(hand) == sorted(view.hole))
    for action, row in zip(dict.fromkeys(actions), found, strict=True):
        assert row[number] == pytest.approx(shares.get(action, 0.0), abs=1e-6)


def test_a_move_that_has_no_time_left_is_made_after_one_iteration(there: Table) -> None:
    agent = player(there)
    referee = Referee((agent, Odd()), seed=3, seconds=1e-9)
    assert agent.seconds == 1e-9
    referee.seconds = None  # who has lost every hand on time plays no street
    hands = [referee.play(there, there.deal_number(3, n), number=n, dealer=n % 2) for n in range(4)]
    assert not any(hand.faults for hand in hands)
    assert {one.iterations for one in agent._kept.values()} == {1}


FIRST_HANDS = """
import sys
from numba.core.caching import Cache
from headsup.cards.boards import BoardTree
from headsup.play.agents import subgame
from headsup.play.table.agent import make_agent
from headsup.play.table.referee import Referee
from headsup.play.table.rules import table
from tests.play.agents.test_resolving import Odd

subgame.ITERATIONS = (1, 1)
there, events, streets = table("holdem-nolimit", 100), [], set()
agent = make_agent(sys.argv[1], there)

def watch(home, name):
    plain = getattr(home, name)
    def watched(self, *given):
        if not isinstance(self, BoardTree) or not self.root:  # boards of the blueprint, not of a subgame
            events.append(name)
        return plain(self, *given)
    setattr(home, name, watched)

watch(Cache, "load_overload")
watch(BoardTree, "_next_boards")
referee = Referee((agent, Odd()), seed=3)
referee.start(there)
assert {"load_overload", "_next_boards"} <= set(events), events
assert not (agent._kept or agent._flops or agent._tasks)
act = agent.act

def counted(view):
    before, modules = len(events), set(sys.modules)
    action = act(view)
    assert len(events) == before, (view.street, events[before:])
    assert set(sys.modules) == modules, set(sys.modules) - modules
    streets.add(view.street)
    return action

agent.act = counted
for n in range(6):
    assert not referee.play(there, there.deal_number(3, n), number=n, dealer=n % 2).faults
assert streets == {0, 1, 2, 3}, streets
"""


@pytest.mark.skipif(JIT_DISABLED, reason="without kernels nothing is loaded")
@pytest.mark.parametrize("name", ["nolimit:cpu", pytest.param("nolimit:flop", marks=pytest.mark.long)])
def test_no_decision_loads_a_kernel_or_builds_the_boards_of_the_blueprint(name: str) -> None:
    """In a process of its own: once it has started, everything is there."""
    ended = subprocess.run([sys.executable, "-c", FIRST_HANDS, name], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


def test_what_a_hand_could_have_had() -> None:
    """With nothing to bet a hand has its share of the pot: counted hand against hand."""
    rules = Betting(first=(1,), stacks=(500, 500), pot=240)
    game: VectorGame = holdem_game("checked", betting_tree(rules, "none"), root=RIVER, streets=(0,))
    weights = pruned(np.random.default_rng(1).random(1326), RIVER)
    found = alternative_below(OnRealCards(game, Uniform(game)), 0, RIVER, 0, weights, 480)
    cards, values = holdem_combos(), rank_combos(np.array([RIVER], dtype=np.uint8))[0].astype(int)
    for hand in np.flatnonzero(free_of(RIVER))[::97]:
        apart = ~np.isin(cards, cards[hand]).any(axis=1)
        won = np.where(values < values[hand], 1.0, np.where(values == values[hand], 0.5, 0.0))
        assert found[hand] == pytest.approx(480 * (weights * apart * won).sum(), rel=1e-4)


def test_what_was_done_is_put_into_the_tree() -> None:
    rules = Betting(first=(1, 1), stacks=(1900, 1900), pot=200, min_bet=100)
    path = (Action("c"), Action("r", 137), Action("r", 411))
    tree, node = tree_with(rules, "75%, a; a", path)
    assert tree.line(node) == "check, bet 137, raise 411"
    assert [tree.actions(at) for at in (node,)] == [["fold", "call", "all-in 1900"]]
    same, again = tree_with(rules, "75%, a; a", (Action("c"), Action("r", 150)))  # it has that one
    assert same.n_nodes == betting_tree(rules, "75%, a; a").n_nodes
    assert same.line(again) == "check, bet 150"


@pytest.mark.parametrize(
    ("text", "game", "stack", "told"),
    [
        ("nolimit", "holdem-limit", None, "holdem-nolimit"),
        ("nolimit", "holdem-nolimit", 4, "no blueprint plays 4 big blinds: take a stack from 5 to 250"),
        ("nolimit", "holdem-nolimit", 250.5, "no blueprint plays 250.5"),
        ("nolimit:no-such-file", "holdem-nolimit", 20, "not an existing blueprint file"),
        ("nolimit:unsafe,blueprint", "holdem-nolimit", 20, "too many options"),
    ],
)
def test_mistakes_get_one_sentence(text: str, game: str, stack: float | None, told: str) -> None:
    with pytest.raises(UserError, match=told) as caught:
        make_agent(text, table(game, stack) if stack is not None else table(game))
    assert "\n" not in str(caught.value)


class OneBucket:
    """All hands alike, in partitions of these sizes."""

    def __init__(self, game: VectorGame, sizes: tuple[tuple[int, ...], ...]) -> None:
        self.sizes, self.kinds = sizes, tuple(np.zeros(n, np.int64) for n in np.diff(game.rounds.entries))

    def rows(self, seat: int, street: int, low: int, high: int, kind: int = 0) -> AnyArray:
        return np.zeros((high - low, HOLDEM_COUNT), np.uint32)


@pytest.mark.parametrize(
    ("sizes", "refused"), [(((1,), (1,), (1,), (1,)), False), (((1,), (1,), (1, 1), (1,)), True), (None, True)]
)
def test_a_flop_is_not_solved_with_several_partitions_or_none(
    there: Table, monkeypatch: pytest.MonkeyPatch, sizes: tuple[tuple[int, ...], ...] | None, refused: bool
) -> None:
    """Of a file: in all shipped blueprints turn and river have one."""
    game = small(BLUEPRINT)
    strategy: Strategy = Mixture(game, 0.0, 0.9, 0.1)
    if sizes is not None:
        buckets = OneBucket(game, sizes)
        first, second = (np.ones(bucket_layout(game, buckets, seat).size) for seat in (0, 1))
        strategy = BucketStrategy(game, buckets, (first, second))
    monkeypatch.setattr(resolving, "_from_file", lambda path: (game, strategy))
    if refused:
        with pytest.raises(UserError, match="one partition on the turn and one on the river, and 'odd' has"):
            make_agent("nolimit:odd,flop", there)
        assert isinstance(make_agent("nolimit:odd", there), ResolvingPlayer)
    else:
        agent = make_agent("nolimit:odd,flop", there)
        assert isinstance(agent, ResolvingPlayer)
        assert agent.limited


def test_the_weakest_hands_fold_to_a_raise_that_is_read_as_a_call() -> None:
    """A bet of the pot, raised by the least: the tree knows all-in alone, and takes it for a call."""
    there = table("holdem-nolimit", 20)
    agent = make_agent("nolimit:blueprint", there)
    assert isinstance(agent, BlueprintPlayer)
    state, done = there.betting.root(), []
    for word in (CALLS, CALLS, Action("r", 200), Action("r", 400)):
        while state.player > 1:
            state = there.betting.next_street(state)
        done.append(PastAction(state.street, state.player, word))
        state = apply(there.betting, state, word)
    board = parse_cards("Kd8s3c")
    view = PlayerView(there, 1, parse_cards("KsKh"), board, state, Legal.of(there.betting, state), tuple(done))
    assert agent.node(view) < 0
    assert (view.legal.call, view.pot) == (200, 800)
    assert agent.probabilities(view) == [(CALLS, 1.0)]
    assert agent.probabilities(view._replace(hole=parse_cards("5h2d"))) == [(FOLDS, 1.0)]
    folds, calls, free = agent.hand_probabilities(view, FOLDS), agent.hand_probabilities(view, CALLS), free_of(board)
    np.testing.assert_allclose((folds + calls)[free], 1.0)
    assert folds[free].mean() == pytest.approx(200 / 800)
