"""Our strategy of hold'em with discards: what it sees, the small game it was learned in, and the bot."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.classes import holdem_class_of_combo
from headsup.cards.combos import colex, combos
from headsup.common.errors import DataError, UserError
from headsup.discards.equity.table import BEFORE, swap_table
from headsup.discards.strategy import learn as module
from headsup.discards.strategy import short
from headsup.discards.strategy import walk_kernels as kernels
from headsup.discards.strategy.data import save, shipped
from headsup.discards.strategy.facts import (
    BUCKETS,
    EDGES,
    board_kinds,
    buckets,
    make_facts,
    places,
    swap_order,
    swapped,
)
from headsup.discards.strategy.learn import average, cleaned, compare, learn, nothing, respond
from headsup.discards.swap import swap_rule
from headsup.papers.ectomynx.bot.advice import bet_share
from headsup.papers.ectomynx.bot.train import deal_cards
from headsup.play.agents.discard import DiscardPlayer, _nodes
from headsup.play.agents.discard_all_in import is_last, last_swaps
from headsup.play.agents.discard_history import follow
from headsup.play.agents.discard_resolving import ResolvingDiscardPlayer
from headsup.play.agents.lbr import LocalBestResponse, range_after, swapped_range
from headsup.play.agents.style import strength
from headsup.play.protocols.pokerbots.engine import Engine, pokerbots_table
from headsup.play.protocols.pokerbots.player import PokerbotsClient, play_player
from headsup.play.table.agent import make_agent, make_pair
from headsup.play.table.real import free_of
from headsup.play.table.rules import (
    CALLS,
    FOLDS,
    Action,
    Deal,
    Legal,
    PastAction,
    PlayerView,
    Table,
    TableHand,
    apply,
    hidden,
    raise_to,
    table,
)

TABLE = table("holdem-discard")
SIZES = (169, kernels.FLOP_SIZE, kernels.TURN_SIZE, kernels.RIVER_SIZE)


def test_places_are_the_share_of_hands_that_one_is_ahead_of() -> None:
    for text, board in (("AsKd", "Kh7c2d"), ("8h7h", "9hTh2c3d"), ("2c2d", "AsKsQsJs9d")):
        hole, lying = parse_cards(text), parse_cards(board)
        found = float(places(np.array([[hole]], dtype=np.uint8), np.array([lying], dtype=np.uint8))[0, 0])
        # `strength` leaves out hands with one of the own cards, `places` counts them too
        assert found == pytest.approx(strength(hole, lying), abs=0.06)


def test_a_swap_changes_the_rules_card_first() -> None:
    hole, board = parse_cards("AcQh"), parse_cards("2c3c5c")  # the report's example: the ace is for a flush
    row = np.array([hole], dtype=np.uint8)
    assert swap_rule(hole, board) == 2
    assert swap_order(row, np.array([board], dtype=np.uint8))[0] == 1
    new = np.array([parse_cards("9d")[0]], dtype=np.uint8)
    found = swapped(row[None], np.array([board], dtype=np.uint8), new)[0].tolist()
    assert found == [list(hole), [hole[0], new[0]], [new[0], hole[1]]]
    pair = np.array([parse_cards("9s9h")], dtype=np.uint8)
    assert buckets(pair[None], np.array([parse_cards("Kd7c2s")], dtype=np.uint8))[0, 0] // 3 % 2 == 1  # pat


def test_buckets_are_in_their_range_and_kinds_of_boards() -> None:
    facts, textures = make_facts(deal_cards(np.array([3], dtype=np.uint64), 200))
    columns = (range(1, 5), range(5, 17), range(17, 26))
    for street, places_of in enumerate(columns, start=1):
        assert facts[:, :, list(places_of)].max() < BUCKETS[street] == SIZES[street]
        assert len(EDGES[street]) == BUCKETS[street] // (24 if street < 3 else 8) - 1
    assert (facts[:, :, 1] == facts[:, :, 2]).all()  # nothing changed is nothing changed
    assert (facts[:, :, 5:8] == facts[:, :, 8:17:3]).all()
    assert textures.max() < 12
    boards = [parse_cards(text) for text in ("Ks7d2c", "KsKd2c", "Ks7s2s")]
    assert board_kinds(np.array(boards)).tolist() == [0, 1, 2]
    rivers = [parse_cards(text) for text in ("Ks7s2s3s9d", "KsQdJcTh2s", "As2d3c4h4s", "KsAs2s3s9d", "9s9dThJcQs")]
    assert board_kinds(np.array(rivers)).tolist() == [3, 4, 5, 3, 5]


def test_entries_do_not_meet() -> None:
    seen = set[int]()
    ends = {(1, 0): kernels.SWAP_FLOP, (2, 0): kernels.SWAP_TURN, (1, 1): kernels.BET_FLOP, (2, 1): kernels.BET_TURN}
    ends[3, 1] = kernels.BET_RIVER
    for (street, phase), first in ends.items():
        size = SIZES[street]
        shape = (2, kernels.N_DEPTHS, *((3, 2, 2) if street == 1 else (9, 4, 4)), kernels.NODES if phase else 1)
        for seat, depth, last, mine, theirs, node in np.ndindex(*shape):
            low = kernels.entry_of(street, phase, seat, node, depth, last, mine, theirs)
            assert low >= first
            assert low not in seen
            seen.update((low, low + size - 1))
    assert max(seen) == kernels.ENTRIES - 1


def test_cleaning_leaves_what_is_played_most() -> None:
    numbers = np.array([[6, 3, 1], [0, 0, 0], [4, 4, 2]], dtype=np.float32)
    assert cleaned(numbers, 0.0)[0].tolist() == pytest.approx([0.6, 0.3, 0.1])
    assert cleaned(numbers, 0.2)[0].tolist() == pytest.approx([2 / 3, 1 / 3, 0.0])
    assert cleaned(numbers, 0.5).tolist() == [[1, 0, 0], [0, 0, 0], [0.5, 0.5, 0]]


@pytest.mark.long
def test_learning_beats_playing_at_random_and_is_found_out_by_a_reply(monkeypatch: pytest.MonkeyPatch) -> None:
    """Some thousand deals are enough to win from nothing, and to win from what so few deals have taught."""
    monkeypatch.setattr(module, "BLOCK", 1_000)
    learned = learn(4, learned=nothing(2))
    found = average(learned)
    assert np.isin(np.round(found.sum(axis=1), 4), (0.0, 1.0)).all()
    for better, worse in ((found, np.zeros_like(found)), (respond(found, 6, seed=2), found)):
        won = compare(better, worse, 10_000)
        assert won.mean() > 3 * won.std() / len(won) ** 0.5
    in_two = learn(3, learned=learn(1, learned=nothing(2)))
    assert (in_two.regret == learned.regret).all()
    assert all((a == b).all() for a, b in zip(in_two.cumulative, learned.cumulative, strict=True))


def test_the_shipped_strategy_has_learned_the_obvious() -> None:
    found = shipped()
    assert found.shape == (kernels.ENTRIES, kernels.ACTIONS)
    sums = found.sum(axis=1)
    assert np.allclose(sums[sums > 0], 1.0, atol=1e-5)
    from headsup.cards.classes import holdem_class

    aces = holdem_class(parse_cards("AsAh"))
    assert found[aces, 0] == 0.0  # aces are not folded,
    assert (found[169 * np.arange(7, 14) + aces, 1] == 1.0).all()  # and call an all-in


def test_a_bot_may_be_cleaned_to_its_most_frequent_actions() -> None:
    bots = [make_agent(name, TABLE) for name in ("discard:0", "discard", "discard:0.5")]
    played = [int((bot.strategy > 0.0).sum()) for bot in bots if isinstance(bot, DiscardPlayer)]
    assert played[0] > played[1] > played[2] > 0
    for wrong in ("discard:x", "discard:0.6", "discard:nan", "discard:FILE.npz,2", "discard:,", "discard:turn,river"):
        with pytest.raises(UserError, match="a probability from 0 to"):
            make_agent(wrong, TABLE)


def test_a_bot_plays_the_strategy_of_a_file(tmp_path: Path) -> None:
    made = np.zeros((kernels.ENTRIES, kernels.ACTIONS), dtype=np.float32)
    made[:169] = (0.6, 0.4, 0.0, 0.0)
    save(made, tmp_path / "mine.npz", "by hand")
    for name, limps in ((f"discard:{tmp_path}/mine.npz", 0.4), (f"discard:{tmp_path}/mine.npz,0.5", 0.0)):
        bot = make_agent(name, TABLE)
        assert isinstance(bot, DiscardPlayer)
        assert bot.name == name
        assert dict(bot.probabilities(TABLE.hand(TABLE.deal_number(1, 1)).view())).get(CALLS, 0.0) == pytest.approx(
            limps
        )
    (tmp_path / "junk.npz").write_bytes(b"junk")
    for file in ("junk.npz", "none.npz"):
        with pytest.raises(UserError, match=file):
            make_agent(f"discard:{tmp_path / file}", TABLE)


def test_a_strategy_of_other_actions_is_refused(tmp_path: Path) -> None:
    """As the files from before all-ins were actions are; rows whose number fits by chance among them."""
    save(np.full((4, 3), 1 / 3), tmp_path / "old.npz", "by hand")
    with pytest.raises(DataError, match=r"old.npz is of another headsup.*learn it again"):
        make_agent(f"discard:{tmp_path / 'old.npz'}", TABLE)


def test_what_was_never_met_is_played_as_the_nearest_that_was() -> None:
    view = _limped_flop("AsAh", "AdKc7h", stack=200)
    bucket = int(buckets(np.array([[view.hole]], dtype=np.uint8), np.array([view.board], dtype=np.uint8))[0, 0])
    strategy = np.zeros((kernels.ENTRIES, kernels.ACTIONS), dtype=np.float32)
    assert DiscardPlayer("none", strategy).rows(view, np.array([view.hole])).tolist() == [[1.0, 0.0, 0.0, 0.0]]
    for depth, last, row in ((3, 0, (0, 0, 1, 0)), (1, 2, (0, 1, 0, 0)), (1, 0, (0.5, 0.5, 0, 0))):  # ever nearer
        strategy[kernels.entry_of(1, 1, 1, 0, depth, last, 0, 0) + bucket] = row
        assert DiscardPlayer("some", strategy).rows(view, np.array([view.hole])).tolist() == [list(row)]


class Asked:
    """A strategy that notes which entries it was asked for; rounded bets lie between two."""

    def __init__(self) -> None:
        self.entries = list[int]()

    def __getitem__(self, at: Any) -> Any:
        self.entries.append(int(at[0]))
        return np.ones((len(at), kernels.ACTIONS))


def _options(state: Any, share: float) -> list[int]:
    """The actions that exist in the model."""
    node, seat = int(state[kernels.NODE]), int(state[kernels.SEAT])
    if state[kernels.STREET] == 0.0:
        raises, jams = kernels.LINES[node, 1] > 0 and node != kernels.LIMP, kernels.LINES[node, 3] > 0
        return [0, 1, *([2] if raises else []), *([3] if jams else [])]
    chips = state[kernels.POT], state[kernels.STACK], state[kernels.BET + 1 - seat]
    return [action for action in range(kernels.ACTIONS) if kernels.legal(node, action, *chips, share)]


def test_the_bot_looks_up_the_entries_that_were_learned() -> None:
    """Random hands of the model, played at a table."""
    cards = deal_cards(np.array([5], dtype=np.uint64), 400)
    facts, textures = make_facts(cards)
    state, dice, looked_up = np.zeros(kernels.WIDTH), random.Random(1), [0, 0, 0, 0]
    for deal, mine, texture in zip(cards.tolist(), facts, textures, strict=True):
        swaps = [dice.randrange(3) for _ in range(4)]  # the big blind's on the flop, the button's, then on the turn
        drawn = [deal[at] for at, action in zip((10, 9, 12, 11), swaps, strict=True) if action]
        hand = TABLE.hand(Deal((tuple(deal[0:2]), tuple(deal[2:4])), tuple(deal[4:9]), tuple(drawn)))
        kernels.begin(state)
        while state[kernels.PHASE] != kernels.OVER:
            view, street = hand.view(), int(state[kernels.STREET])
            assert (view.seat, view.street) == (state[kernels.SEAT], street)
            asked = Asked()
            bot = DiscardPlayer("asked", asked)  # type: ignore[arg-type]
            bot.rows(view, np.array([view.hole]))
            assert kernels.entry(state, mine, 0) in asked.entries, hand.steps
            assert len(asked.entries) <= 2 or (view.legal.discards and state[kernels.STACK] == 0.0)
            looked_up[street] += 1
            share = kernels.bet_share(street, int(texture[street - 1])) if street else 0.0
            if view.legal.discards:
                action = swaps.pop(0)
                which = int(
                    swap_order(np.array([view.hole], dtype=np.uint8), np.array([view.board], dtype=np.uint8))[0]
                )
                kept = CALLS, Action("d", view.hole[which]), Action("d", view.hole[1 - which])
                hand.act(kept[action])
            else:
                passive = int(view.legal.call > 0)
                action = dice.choice([*[passive] * 4, *_options(state, share)])
                hand.act(bot.actions(view)[action])
            kernels.act(state, action, share)
        assert hand.over
    assert min(looked_up) > 200


def test_a_swap_after_an_all_in_is_what_the_bucket_does_most() -> None:
    """Two entries that differ in who went all-in; the one that was asked for is in the minority."""
    hand = TABLE.hand(TABLE.deal_number(1, 1))
    for action in (raise_to(10_000), CALLS):
        hand.act(action)
    view = hand.view()
    bucket = int(buckets(np.array([[view.hole]], dtype=np.uint8), np.array([view.board], dtype=np.uint8))[0, 0])
    strategy = np.zeros((kernels.ENTRIES, kernels.ACTIONS), dtype=np.float32)
    strategy[kernels.entry_of(1, 0, 1, 0, 0, 2, 0, 0) + bucket] = (0.6, 0.4, 0, 0)
    strategy[kernels.entry_of(1, 0, 0, 0, 0, 1, 0, 1) + bucket] = (0.1, 0.9, 0, 0)
    assert DiscardPlayer("some", strategy).rows(view, np.array([view.hole])).tolist() == [[0.0, 1.0, 0.0, 0.0]]


def test_the_last_swap_after_an_all_in_is_the_best_one() -> None:
    """84 on 9984, where the rule keeps both: the four goes, whoever asks, and whatever was discarded before."""
    agent = make_agent("discard", TABLE)
    assert isinstance(agent, DiscardPlayer)
    hole, board = parse_cards("8c4d"), parse_cards("9c9d8h4s2d")
    assert swap_rule(hole, board[:4]) == 0
    hand = TABLE.hand(Deal((parse_cards("AsKh"), (*parse_cards("5d"), hole[1])), board, (hole[0],)))
    hand.act(raise_to(10_000))
    hand.act(CALLS)
    assert not is_last(hand.view())  # of two
    hand.act(Action("d", hand.holes[1][0]))
    hand.act(CALLS)
    view = hand.view()
    assert is_last(view)
    assert (set(view.hole), view.board) == (set(hole), board[:4])
    assert agent.probabilities(view) == [(Action("d", hole[1]), 1.0)]
    public = view._replace(steps=hidden(view.steps, 0), hole=())
    assert np.array_equal(agent.swap_probabilities(public), agent.swap_probabilities(view))
    swaps = agent.swap_probabilities(view)
    assert np.array_equal(swaps.sum(axis=1) == 1.0, free_of(view.board))
    assert swaps[colex(sorted(hole)), 1] == 1.0


def test_the_last_swap_answers_what_the_opponent_did() -> None:
    """The button has seen whether the big blind changed a card, which changes what some hands do."""
    agent = make_agent("discard", TABLE)
    assert isinstance(agent, DiscardPlayer)
    hand = TABLE.hand(TABLE.deal_number(1, 1))
    for action in (raise_to(10_000), CALLS, Action("d", hand.holes[1][0]), CALLS):
        hand.act(action)
    view, rows = hand.view(), list[Any]()
    for action in (CALLS, Action("d", -1)):
        seen = view._replace(seat=0, steps=(*view.steps, PastAction(2, 1, action)))
        rows.append(agent.swap_probabilities(seen))
        assert np.array_equal(rows[-1], last_swaps(agent, seen))
    assert 10 < (rows[0] != rows[1]).any(axis=1).sum() < 600


def test_every_last_swap_is_known_after_what_the_strategy_never_does() -> None:
    """No hand of the big blind's range changes a card on the turn after it kept both on the flop."""
    agent = make_agent("discard", TABLE)
    assert isinstance(agent, DiscardPlayer)
    hand = TABLE.hand(TABLE.deal_number(1, 1))
    for action in (raise_to(10_000), CALLS, CALLS, CALLS):
        hand.act(action)
    view = hand.view()
    for action in (CALLS, Action("d", -1)):
        seen = view._replace(seat=0, steps=(*view.steps, PastAction(2, 1, action)))
        assert np.array_equal(agent.swap_probabilities(seen).sum(axis=1), free_of(view.board))


def test_a_third_raise_is_all_in_only_if_it_is_large() -> None:
    hand = TABLE.hand(TABLE.deal_number(1, 1))
    for action in (CALLS, CALLS, CALLS, CALLS, raise_to(200), raise_to(400)):
        hand.act(action)
    for size, node in ((600, kernels.RAISED), (7_000, kernels.JAMMED)):
        view = hand.view()
        raised = [*view.steps, PastAction(1, view.seat, raise_to(size))]
        state = apply(TABLE.betting, view.state, raise_to(size))
        seen = view._replace(seat=1 - view.seat, state=state, steps=tuple(raised))
        assert _nodes(seen, follow(seen)[-1]) == [(node, 1.0)]


def test_a_bet_is_read_as_those_that_were_learned() -> None:
    hand = TABLE.hand(TABLE.deal_number(1, 1))
    for _ in range(4):
        hand.act(CALLS)
    view = hand.view()
    share = bet_share(view.board)
    for size, nodes in (
        (0.1, {kernels.OPEN: 1.0}),
        (share, {kernels.FACING: 1.0}),
        (2.5, {kernels.FACING_LARGE: 1.0}),
        (20.0, {kernels.FACING_LARGE: 29.5 * 3.5 / (47.0 * 21.0), kernels.SHOVED: 1 - 29.5 * 3.5 / (47.0 * 21.0)}),
        (49.5, {kernels.SHOVED: 1.0}),
    ):
        bet = raise_to(round(size * 200))
        state = apply(TABLE.betting, view.state, bet)
        seen = view._replace(seat=1 - view.seat, state=state, steps=(*view.steps, PastAction(1, view.seat, bet)))
        found = {node: counts for node, counts in _nodes(seen, follow(seen)[-1]) if counts > 1e-9}
        assert found == pytest.approx(nodes), size


def test_lines_before_the_flop_lead_to_each_other() -> None:
    """An all-in is answered by the other, and only folded to or called."""
    for seat, total, after, shoved in kernels.LINES.tolist():
        if total:
            assert kernels.LINES[after, 0] == 1 - seat
        if shoved:
            assert kernels.LINES[shoved].tolist() == [1 - seat, 0, 0, 0]


def test_every_all_in_is_met_at_a_place_of_its_own() -> None:
    state = np.zeros(kernels.WIDTH)
    for share, actions, node in (
        (0.5, (3,), kernels.SHOVED),
        (0.5, (1, 3), kernels.RAISED_ALL),
        (0.5, (1, 2, 2), kernels.JAMMED),
        (0.5, (2, 2), kernels.RAISED),
        (0.5, (1, 2), kernels.RAISED),
    ):
        kernels.begin(state)
        for action in (1, 0, 0, 0):  # limp, check, nobody swaps
            kernels.act(state, action, 0.0)
        for action in actions:
            assert kernels.legal(
                int(state[kernels.NODE]), action, state[kernels.POT], state[kernels.STACK],
                state[kernels.BET + 1 - int(state[kernels.SEAT])], share,
            )  # fmt: skip
            kernels.act(state, action, share)
        assert state[kernels.NODE] == node
        assert (max(state[kernels.BET : kernels.BET + 2]) == 198.0) == (node != kernels.RAISED)


def _limped_flop(hole: str, board: str, stack: int) -> PlayerView:
    """What the big blind sees on the flop after a limp and two keeps, stacks of so many hundredths of a big blind."""
    rules = Table(
        "holdem-discard", "holdem", replace(TABLE.betting, stacks=(stack, stack)), TABLE.unit, draws=TABLE.draws
    )
    state, steps = rules.root, list[PastAction]()
    for _ in range(2):
        steps.append(PastAction(0, state.player, CALLS))
        state = apply(rules.betting, state, CALLS)
    state = rules.betting.next_street(state)
    steps += [PastAction(1, 1, CALLS), PastAction(1, 0, CALLS)]
    return PlayerView(
        rules, 1, parse_cards(hole), parse_cards(board), state, Legal.of(rules.betting, state), tuple(steps)
    )


def test_a_range_moves_through_a_swap() -> None:
    board = parse_cards("Kd7c2s")
    agent = make_agent("ectomynx:start", TABLE)
    view = PlayerView(TABLE, 1, (), board, TABLE.root, Legal(False, 0, discards=(0, 1)), ())
    reach = np.zeros(1326)
    held, mine = parse_cards("KsQh"), parse_cards("AsAh")
    reach[colex(held)] = 1.0
    assert swap_rule(held, board) == 2  # the king stays
    after = swapped_range(reach, agent, view, Action("d", -1), (*mine, *board))  # type: ignore[arg-type]
    kings = [i for i in np.flatnonzero(after) if held[0] in combos(2)[i]]
    assert len(kings) == len(np.flatnonzero(after)) == 52 - 5 - 2  # all cards but those that are known, and the queen
    assert after.sum() == pytest.approx(1.0)
    assert swapped_range(reach, agent, view, CALLS, (*mine, *board)).sum() == 0.0  # type: ignore[arg-type]


def _decisions(hands: int) -> Iterator[tuple[TableHand, bool]]:
    """Hands of random actions, many of them all-in before the flop: each decision, and whether chips are all in."""
    for number in range(hands):
        dice, hand = random.Random(number), TABLE.hand(TABLE.deal_number(5, number))
        while not hand.over:
            yield hand, max(hand.state.paid) == TABLE.betting.stacks[0]
            legal = hand.legal
            swaps = [Action("d", card) for card in legal.discards]
            bets = [raise_to(legal.low), raise_to(legal.high)] if legal.low else []
            hand.act(dice.choice([CALLS, *swaps, *bets]))


@pytest.mark.parametrize("bot", ["discard", pytest.param("ectomynx:start", marks=pytest.mark.long)])
def test_a_range_is_known_at_every_decision_however_early_the_all_in(bot: str) -> None:
    watcher, _ = make_pair("lbr", bot, TABLE)
    assert isinstance(watcher, LocalBestResponse)
    swaps_all_in = 0
    for hand, all_in in _decisions(40):
        view = hand.view()
        reach = watcher.range(view)
        assert reach.min() > -1e-12  # but for rounding
        assert reach[~free_of((*view.hole, *view.board))].sum() == 0.0
        swaps_all_in += all_in and bool(view.legal.discards)
    assert swaps_all_in > 20


def test_chips_that_are_all_in_are_in_the_pot_of_the_streets_that_follow() -> None:
    for hand, all_in in _decisions(40):
        view, now = hand.view(), follow(hand.view())[-1]
        if hand.legal.discards:
            assert now.pot == 2.0 * view.pot / TABLE.unit
            assert now.stack == 2.0 * view.behind / TABLE.unit
            assert (now.stack == 0.0) == all_in


def test_local_best_response_needs_to_know_the_swaps() -> None:
    first, second = make_pair("lbr", "discard", TABLE)
    assert isinstance(second, DiscardPlayer)
    hand = TABLE.hand(TABLE.deal_number(1, 1))
    assert first.act(hand.view()) == CALLS
    with pytest.raises(UserError, match="the swap probabilities of caller"):
        make_pair("lbr", "caller", TABLE)


def test_local_best_response_folds_bad_hands_to_an_all_in_before_the_flop() -> None:
    """Against a random hand 72 offsuit has 46 % with swaps, aces 73 %; a call costs 198 for a pot of 202."""
    first, _ = make_pair("lbr", "ectomynx:start", TABLE)
    hand = TABLE.hand(TABLE.deal_number(1, 1))
    hand.act(raise_to(10_000))
    for hole, does in (("7s2h", FOLDS), ("AsAh", CALLS)):
        assert first.act(hand.view()._replace(hole=parse_cards(hole))) == does


def test_the_bot_plays_a_match_at_an_engine() -> None:
    table = pokerbots_table("holdem-discard")
    engine = Engine(table, ("pokerbots:discard", "raiser"), 12, seed=5, bank=600, patience=600)
    scores: list[list[int]] = []
    thread = threading.Thread(
        target=lambda: scores.append(play_player("discard", "holdem-discard", "127.0.0.1", engine.ports[0]).scores)
    )
    thread.start()
    found = engine.play()
    thread.join()
    assert (found.faults, found.scores) == ([], scores[0])
    assert len(found.scores) == 12


@pytest.mark.parametrize(
    "line",
    [
        "GETACTION 3 0 2 POST:1:me POST:2:you 0 5",
        "GETACTION 3 0 2 POST:1:me POST:2:you 3 FOLD CALL RAISE:4:200 -7",
        "GETACTION x 0 2 POST:1:me POST:2:you 3 FOLD CALL RAISE:4:200 5",
        "GETACTION 999999 0 2 POST:1:me POST:2:you 1 NONSENSE nan",
    ],
)
def test_a_hostile_engine_gets_a_word_of_the_protocol(line: str) -> None:
    """What the engine says of pots, legal actions and time is not believed: the hand is followed by its rules."""
    visitor = PokerbotsClient("discard", "holdem-discard")
    for told in ("NEWGAME me you 200 2 10 30", "NEWHAND 1 true As Ah 0 0 10"):
        assert visitor.hear(told.split()) == ""
    assert visitor.hear(line.split()).split(":")[0] in ("CALL", "RAISE")
    with pytest.raises((DataError, ValueError)):
        visitor.hear(["GETACTION", "3", "3", "As", "Ah", "Kd", "1", "RAISE:6:me", "1", "CHECK", "5"])


@pytest.mark.parametrize("stack", [2.0, 5.0, 8.0])
def test_short_stacks_are_all_in_where_it_is_worth_more_than_a_fold(stack: float) -> None:
    """Each class by itself: what all-in and a call are worth against the thresholds of the other seat."""
    equity, sizes = swap_table().equities, np.bincount(holdem_class_of_combo())
    jams, calls = short.rows(0, stack)[:, 3] > 0.0, short.rows(9, stack)[:, 3] > 0.0
    for kind in range(169):
        against = 0.5 + BEFORE * (equity[kind] - equity)
        called = sizes[calls].sum() / 1326.0
        worth = (1.0 - called) + float((sizes * (2.0 * against - 1.0))[calls].sum()) / 1326.0 * stack
        assert (worth > -0.5) == jams[kind] or abs(worth + 0.5) < 0.05
        worth = stack * (2.0 * np.average(against[jams], weights=sizes[jams]) - 1.0)
        assert (worth > -1.0) == calls[kind] or abs(worth + 1.0) < 0.05


def test_with_two_big_blinds_the_bot_is_all_in() -> None:
    table = Table("holdem-discard", "holdem", replace(TABLE.betting, stacks=(200, 200)), TABLE.unit, draws=TABLE.draws)
    hand, agent = table.hand(table.deal_number(1, 1)), make_agent("discard", table)
    assert agent.act(hand.view()) == raise_to(200)
    hand.act(raise_to(200))
    assert agent.act(hand.view()) == CALLS


def test_an_unknown_bet_narrows_a_range_as_the_nearest_known() -> None:
    agent = make_agent("discard", TABLE)
    assert isinstance(agent, DiscardPlayer)
    view, reach = TABLE.hand(TABLE.deal_number(1, 1)).view(), np.ones(1326)
    known = agent.narrow(view, raise_to(300), reach)
    assert known.sum() > 0.0
    assert np.array_equal(agent.narrow(view, raise_to(350), reach), known)


def test_turn_and_river_are_solved_from_the_public_actions() -> None:
    """The solution is the same for whoever asks, whatever was discarded; swaps are the blueprint's."""
    agent, blueprint = make_agent("discard:turn", TABLE), make_agent("discard", TABLE)
    assert isinstance(agent, ResolvingDiscardPlayer)
    assert isinstance(blueprint, DiscardPlayer)
    hand = TABLE.hand(TABLE.deal_number(3, 1))
    for action in (CALLS, CALLS, Action("d", hand.holes[1][0]), CALLS, CALLS, raise_to(150), CALLS):
        hand.act(action)
    view = hand.view()
    assert (view.street, bool(view.legal.discards)) == (2, True)
    assert dict(agent.probabilities(view)) == dict(blueprint.probabilities(view))
    assert np.array_equal(agent.swap_probabilities(view), blueprint.swap_probabilities(view))
    hand.act(CALLS)
    hand.act(CALLS)
    mine = hand.view()
    seen = PlayerView.at(TABLE, hand.state, (), mine.board, hidden(tuple(hand.steps), 0))
    checks = agent.hand_probabilities(mine, CALLS)
    assert np.array_equal(agent.hand_probabilities(seen, CALLS), checks)
    assert 0.0 < checks[free_of(mine.board)].mean() < 1.0
    assert dict(agent.probabilities(mine))[CALLS] == pytest.approx(checks[colex(sorted(mine.hole))])
    hand.act(CALLS)
    hand.act(raise_to(333))  # no size of the menu
    assert hand.legal.allows(agent.act(hand.view()))


def test_the_opponent_may_hold_any_hand_whatever_it_did() -> None:
    """An action that the strategy never takes would leave it with no hand, and a rare one with a few."""
    agent = make_agent("discard:turn", TABLE)
    assert isinstance(agent, ResolvingDiscardPlayer)
    hand = TABLE.hand(TABLE.deal_number(3, 1))
    for action in (CALLS, CALLS, CALLS, CALLS, raise_to(2000), CALLS, CALLS, CALLS):
        hand.act(action)
    view, free = hand.view(), free_of(hand.board)
    believed, own = (
        range_after(player, 1, view, free.astype(np.float64), view.board)[0]
        for player in (agent.opponent, agent.blueprint)
    )
    assert (own[free] == 0.0).mean() > 0.3
    assert believed[free].min() > 0.0
    assert believed[own > 0.0].mean() > 2.0 * believed[free & (own == 0.0)].mean()


def test_odd_bets_lead_to_some_entry() -> None:
    agent = make_agent("discard", TABLE)
    for first in (200, 700, 2500, 4000, 9999, 10_000):
        hand = TABLE.hand(TABLE.deal_number(4, 2))
        hand.act(raise_to(first))
        assert hand.legal.allows(agent.act(hand.view()))


def test_an_all_in_out_of_the_blue_is_called_with_good_hands_alone() -> None:
    agent = make_agent("discard", TABLE)
    hand = TABLE.hand(TABLE.deal_number(4, 2))
    hand.act(raise_to(10_000))
    view = hand.view()
    calls = agent.hand_probabilities(view, CALLS)  # type: ignore[attr-defined]
    assert calls[colex(parse_cards("AsAh"))] == 1.0
    assert calls[colex(parse_cards("7s2h"))] == 0.0
    assert 0.1 < calls.mean() < 0.4
