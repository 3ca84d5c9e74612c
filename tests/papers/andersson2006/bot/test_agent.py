"""The paper's bot at the table: legal everywhere, its readings followed one by one, its buckets those of the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.combos import colex
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import DataError, UserError
from headsup.games.betting.rules import DEAL, Move
from headsup.papers.andersson2006.bot.against_allin import against_allin
from headsup.papers.andersson2006.bot.agent import BotPlayer
from headsup.papers.andersson2006.bot.strategy import STACKS, VARIANTS, Bot, load_bot, save_bot, shipped_bot
from headsup.play.agents.style import preflop_strengths, strength
from headsup.play.table.agent import make_agent
from headsup.play.table.record import parse_betting
from headsup.play.table.referee import Referee
from headsup.play.table.rules import BOARD, CALLS, Action, Deal, PlayerView, apply, raise_to, table
from tests.follower import Follower

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="buckets on flops look at a thousand run-outs")
DEAL_OF = Deal((parse_cards("AsTs"), parse_cards("7c6c")), parse_cards("Ks9h4c3s8d"))


def bot(stack: int = 20, name: str = "aggrobot") -> BotPlayer:
    found = make_agent(name, table("holdem-nolimit", stack))
    assert isinstance(found, BotPlayer)
    return found


def seen(line: str) -> PlayerView:
    """What the player to act sees after a line."""
    hand = table("holdem-nolimit", 20).hand(DEAL_OF)
    for action in parse_betting(line):
        hand.act(action)
    return hand.view()


KINDS = [(stack, "aggrobot") for stack in STACKS]
KINDS += [(stack, f"aggrobot:{name}") for name, variant in VARIANTS.items() for stack in variant.stacks]


@pytest.mark.parametrize(("stack", "name"), KINDS)
def test_every_answer_is_legal_in_both_seats(stack: int, name: str) -> None:
    there = table("holdem-nolimit", stack)
    referee = Referee((bot(stack, name), make_agent("random", there)), seed=5)
    for number in range(12):
        record = referee.play(there, there.deal_number(5, number), number=number, dealer=number % 2)
        assert not record.faults


class Chooser:
    """In place of dice: takes the choice of this number, and remembers what chance it had."""

    def __init__(self) -> None:
        self.number, self.chance, self.many = 0, 1.0, 1

    def choices(self, found: Sequence[Any], weights: Sequence[float]) -> list[Any]:
        self.many, self.chance = len(found), weights[min(self.number, len(found) - 1)]
        return [found[min(self.number, len(found) - 1)]]


def one_by_one(player: BotPlayer, view: PlayerView) -> dict[Action, float]:
    """What a bot does that draws its readings: every drawing for itself, by `Follower`."""
    dice, real = Chooser(), view.table.betting
    follower = Follower(player.tree, "linear", dice)  # type: ignore[arg-type]

    def shares(node: int) -> list[float]:
        street = int(player.tree.street[node])
        own, kinds, sizes = colex(sorted(view.hole)), player.bot.ways[node], player.bot.chances.sizes()
        held = [int(player.hands.on(view.board[: BOARD[s]])[kinds[s], own]) for s in range(street + 1)]
        path = held[0] if not street else int(np.ravel_multi_index(held[1:], sizes[1 : street + 1]))
        found: list[float] = player.bot.table(node)[path].tolist()
        return found

    def made(node: int, state: Any, action: int) -> tuple[Action, int]:
        follower.node = node
        move, total = follower.act(state, action)
        said = Action("f") if move == Move.FOLD else raise_to(total) if move >= Move.BET else CALLS
        return said, follower.node

    ways, state, street = [(0, 1.0, 1.0)], view.table.root, 0  # place, weight, chance of the readings alone
    for step in (*view.steps, None):
        here = view.street if step is None else step.street
        for _ in range(here - street):
            dealt = []
            for node, weight, read in ways:
                follower.node = node
                follower.deal()
                dealt.append((follower.node, weight, read))
            ways = dealt
        street = here
        while state.player == DEAL:
            state = real.next_street(state)
        if step is None:
            break
        after = []
        for node, weight, read in ways:
            if step.seat == view.seat:
                if player.tree.player[node] != step.seat:
                    after += [(node, weight, read)] if step.action == CALLS else []
                    continue
                for action, share in enumerate(shares(node)):
                    said, place = made(node, state, action)
                    after += [(place, weight * share, read)] if said == step.action else []
                continue
            kind = step.action.kind
            move = Move.FOLD if kind == "f" else Move.CALL if kind == "c" else Move.BET
            if kind == "r" and step.action.amount >= real.all_in(state):
                move = Move.ALLIN
            dice.number, dice.many = 0, 1
            while dice.number < dice.many:
                follower.node, dice.chance, dice.many = node, 1.0, 1
                follower.saw(state, move, step.action.amount)
                after.append((follower.node, weight * dice.chance, read * dice.chance))
                dice.number += 1
        ways, state = after, apply(real, state, step.action)
    lost = not sum(weight for _, weight, _ in ways)  # by its own actions the hand never comes here
    found: dict[Action, float] = {}
    for node, weight, read in ways:
        mine = player.tree.player[node] == view.seat
        for action, share in enumerate(shares(node)) if mine else ((0, 1.0),):
            said = made(node, state, action)[0] if mine else CALLS
            found[said] = found.get(said, 0.0) + (read if lost else weight) * share
    total = sum(found.values())
    return {action: share / total for action, share in found.items() if share > 0.0}


@pytest.mark.parametrize(
    "line",
    ["", "c", "r220", "r300c/r130", "cr300c/cr190c/", "cc/cr130c/cr170c/", "cc/cr130c/cr310", "r200c/cc/c", "r500r900"],
)
def test_readings_all_together_are_those_drawn_one_by_one(line: str) -> None:
    player = bot()
    view = seen(line)
    expected, found = one_by_one(player, view), dict(player.probabilities(view))
    assert found == pytest.approx(expected, abs=1e-12)
    assert sum(found.values()) == pytest.approx(1.0)
    some = next(iter(found))
    chances = player.hand_probabilities(view, some)
    assert chances[colex(sorted(view.hole))] == pytest.approx(found[some])
    other = parse_cards("QdJd")
    assert chances[colex(sorted(other))] == pytest.approx(
        dict(player.probabilities(view._replace(hole=other))).get(some, 0.0)
    )


@pytest.mark.parametrize("name", ["betting", "five"])
@pytest.mark.parametrize("line", ["r300c/r130", "cc/cr130c/cr310", "r500r900c/cc/c"])
def test_variants_follow_their_own_buckets(name: str, line: str) -> None:
    player = bot(20, f"aggrobot:{name}")
    assert dict(player.probabilities(seen(line))) == pytest.approx(one_by_one(player, seen(line)), abs=1e-12)


def test_lines_of_large_pots_have_other_buckets() -> None:
    known = shipped_bot(20, "betting")
    entries = known.tree.entries[1]
    pots, ways = known.tree.paid[entries].sum(axis=1), known.ways[entries, 1]
    assert {0, 1} == {*ways.tolist()}
    assert pots[ways == 0].max() < pots[ways == 1].min()


def test_the_worst_quarter_of_hands_folds() -> None:
    assert shipped_bot(20, "folds").table(0)[0].tolist() == [1.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def test_a_bot_that_forgets_plays_a_bucket_alike_whatever_came_before() -> None:
    forgets = shipped_bot(20, "forgets")
    for node in np.flatnonzero((forgets.tree.player < DEAL) & (forgets.tree.street == 2)).tolist()[:20]:
        rows = forgets.numbers(node).reshape(4, 4, -1)
        assert (rows == rows[:1]).all()


def test_who_is_made_to_bet_otherwise_than_it_would_plays_on() -> None:
    found = dict(bot().probabilities(seen("r260c/r130")))
    assert sum(found.values()) == pytest.approx(1.0)


def test_the_example_of_the_paper() -> None:
    """A bet of 3 into 10 is a check with 40 % and half the pot with 60 % (section 4.4)."""
    player = bot()
    stands = player._stands(seen("r500c/r300"), [np.zeros((1, 1), dtype=np.int64)] * 2)
    lines = {player.tree.letters(node): stand.reading for node, stand in stands.items()}
    assert lines == pytest.approx({"r500c/c": 0.4, "r500c/r500": 0.6})


def test_buckets_are_those_of_the_cards() -> None:
    player, rng = bot(), np.random.default_rng(2)
    for _ in range(20):
        cards = rng.permutation(52)[:7].tolist()
        hole, board = tuple(sorted(cards[:2])), tuple(cards[2:])
        river = int(player.hands.on(board)[0, colex(hole)])
        assert river == int(np.searchsorted([0.4, 0.6, 0.8], strength(hole, board) + 1e-9))
    from headsup.cards.classes import holdem_class_of_combo

    quarter = player.hands.on(())[0]
    order = preflop_strengths()[holdem_class_of_combo()]
    for low in range(3):
        assert order[quarter == low].max() < order[quarter == low + 1].min()


def test_the_table_of_flops_is_what_the_partition_says() -> None:
    player = bot()
    buckets = player.hands.single.buckets
    for board in (17, 1000):
        alone = buckets.partitions[1][0].of(buckets.features, 1, board, board + 1, alone=True)[0]
        alive = buckets.features.alive(buckets.features.sets(1), board, board + 1)[0]
        assert (buckets.table(1)[board][alive] == alone[alive]).all()


def test_other_stacks_and_games_are_refused() -> None:
    with pytest.raises(UserError, match="ships for stacks of 15, 20, 30 big blinds, not 25"):
        make_agent("aggrobot", table("holdem-nolimit", 25))
    with pytest.raises(UserError, match="aggrobot:folds ships for stacks of 20 big blinds, not 15"):
        make_agent("aggrobot:folds", table("holdem-nolimit", 15))
    with pytest.raises(UserError, match="plays holdem-nolimit, and not holdem-limit"):
        make_agent("aggrobot", table("holdem-limit"))


def test_a_bot_is_saved_and_one_of_another_game_is_refused(tmp_path: Any) -> None:
    one = shipped_bot(15)
    save_bot(tmp_path / "bot", one)
    again = load_bot(tmp_path / "bot")
    assert (again.shares == one.shares).all()
    assert again.table(0).tolist() == one.table(0).tolist()
    assert make_agent(f"aggrobot:{tmp_path / 'bot'}", table("holdem-nolimit", 15)).name.startswith("aggrobot:")
    with pytest.raises(UserError, match="is for 15 big blinds, not 20"):
        make_agent(f"aggrobot:{tmp_path / 'bot'}", table("holdem-nolimit", 20))
    save_bot(tmp_path / "odd", Bot(20, one.chances, one.shares, one.menu, one.parts, {}))
    with pytest.raises(DataError, match=r"has [\d,]+ shares, and the game of 20 bb .* belongs to another game"):
        load_bot(tmp_path / "odd")


@pytest.mark.parametrize(("stack", "printed"), [(15, 0.148), (20, 0.422)])
def test_what_the_bot_wins_from_allin_is_what_the_tables_show(stack: int, printed: float) -> None:
    assert against_allin(stack).mean == pytest.approx(printed, abs=0.0005)
