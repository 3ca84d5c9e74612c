"""PokerKit as a second referee: random heads-up hands have the same legal actions, pots, winners and payoffs.

PokerKit's player 0 is the big blind and player 1 the dealer; ours are the other way round. It counts raises where we
count bets, a blind being the first.
"""

from __future__ import annotations

import random
import warnings
from typing import Any

import pytest

from headsup.cards import parse_cards
from headsup.evaluate import rank_hands
from headsup.games.betting.rules import DEAL, FOLD, Betting, Move, State

pokerkit = pytest.importorskip("pokerkit", reason="pokerkit, the second referee, is not installed (extra: dev)")

SEAT = (1, 0)  # PokerKit's player of each of our seats, and back


def random_rules(rng: random.Random) -> Betting:
    """Blinds, antes and stacks of all kinds, some of them short of an ante or a blind."""
    kind = rng.choice(["no-limit", "pot-limit", "limit"])
    small = rng.randint(1, 5)
    big = rng.randint(small + 1, 2 * small + 1)
    ante = rng.choice([0, 0, 1, 3, big])
    antes = rng.choice([(ante, ante), (ante, ante), (0, ante)])
    deep = rng.choice([big, 3 * big, 12 * big, 100 * big])
    stacks = (rng.randint(1, deep), rng.randint(1, deep))
    if rng.random() < 0.3:
        stacks = (stacks[0], stacks[0])
    limit = {"sizes": (big, big, 2 * big, 2 * big), "cap": (5, 4, 4, 4)} if kind == "limit" else {}
    return Betting(first=(0, 1, 1, 1), stacks=stacks, blinds=(small, big), antes=antes, kind=kind, **limit)


def referee(rules: Betting, seed: int) -> Any:
    """The same game at PokerKit's table."""
    random.seed(seed)  # PokerKit shuffles with the module's own generator
    big = rules.blinds[1]
    same = rules.antes[0] == rules.antes[1]
    head = (tuple(pokerkit.Automation), same, rules.antes, rules.blinds)
    stacks = (rules.stacks[1], rules.stacks[0])
    if rules.kind == "limit":
        return pokerkit.FixedLimitTexasHoldem.create_state(*head, big, 2 * big, stacks, 2)
    if rules.kind == "no-limit":
        return pokerkit.NoLimitTexasHoldem.create_state(*head, big, stacks, 2)
    return PotLimitTexasHoldem.create_state(*head, big, stacks, 2)


class PotLimitTexasHoldem(pokerkit.NoLimitTexasHoldem):  # type: ignore[misc]
    """PokerKit has pot-limit betting, but no hold'em that uses it."""

    betting_structure = pokerkit.BettingStructure.POT_LIMIT


def ours_in_play(rules: Betting, state: State) -> State:
    """Deal streets until somebody acts or the hand is over."""
    while state.player == DEAL:
        state = rules.next_street(state)
    return state


def check_choices(rules: Betting, state: State, table: Any) -> None:
    """Whose turn it is, and what may be done."""
    me = state.player
    assert table.actor_index == SEAT[me]
    assert table.street_index == state.street
    moves = {move: total for move, total, _ in rules.moves(state, ())}
    assert (Move.FOLD in moves) == table.can_fold()
    bet = state.paid[me] - state.start[me]
    assert moves.get(Move.CALL, moves.get(Move.CHECK)) - bet == table.checking_or_calling_amount
    bounds = rules.bounds(state)
    theirs = (
        table.min_completion_betting_or_raising_to_amount,
        table.max_completion_betting_or_raising_to_amount,
    )
    assert (bounds or (None, None)) == theirs
    assert rules.pot + sum(state.paid) == table.total_pot_amount


def dealt(table: Any, player: int) -> tuple[int, ...]:
    """A player's hole cards, from the record: they may be in the muck already."""
    deals = [one for one in table.operations if isinstance(one, pokerkit.HoleDealing) and one.player_index == player]
    return parse_cards("".join(repr(card) for deal in deals for card in deal.cards))


def play(seed: int) -> str:
    """Play one random hand at both tables; how it ended."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = referee(rules, seed)
    hands = [dealt(table, SEAT[seat]) for seat in (0, 1)]
    state = ours_in_play(rules, rules.root())
    while state.player < DEAL:
        check_choices(rules, state, table)
        bounds = rules.bounds(state)
        totals = []
        if bounds and rng.random() < 0.6:
            totals = [rng.choice([bounds[0], bounds[1], rng.randint(*bounds)])]
        moves = rules.moves(state, totals)
        fold_seldom = [one for one in moves if one[0] != Move.FOLD or rng.random() < 0.3]
        move, total, after = rng.choice(fold_seldom)
        if move == Move.FOLD:
            table.fold()
        elif move in (Move.CHECK, Move.CALL):
            table.check_or_call()
        else:
            table.complete_bet_or_raise_to(total)
        state = ours_in_play(rules, after)
    assert not table.status
    won, lost = rules.payoffs(state)
    if state.player == FOLD:
        expected = [lost[seat] if seat == state.folder else won[seat] for seat in (0, 1)]
    else:
        board = parse_cards("".join(repr(card) for cards in table.board_cards for card in cards))
        first, second = (int(rank) for rank in rank_hands([[*hand, *board] for hand in hands]))
        if first == second:  # PokerKit gives an odd chip to one of them
            assert abs(table.payoffs[SEAT[0]] - (won[0] + lost[0]) / 2) <= 0.5
            assert sum(table.payoffs) == 0
            return "split"
        expected = [won[0], lost[1]] if first > second else [lost[0], won[1]]
    assert [table.payoffs[SEAT[seat]] for seat in (0, 1)] == expected
    return "fold" if state.player == FOLD else "showdown"


def referee_hands(seeds: range) -> None:
    """Play them all; a difference names its seed."""
    ends: dict[str, int] = {}
    for seed in seeds:
        try:
            end = play(seed)
        except AssertionError as wrong:
            raise AssertionError(f"hand {seed} of {random_rules(random.Random(seed))}: {wrong}") from wrong
        ends[end] = ends.get(end, 0) + 1
    assert ends.keys() == {"fold", "showdown", "split"}


def test_200_hands() -> None:
    referee_hands(range(200))


@pytest.mark.long
def test_10000_hands() -> None:
    referee_hands(range(1000, 11_000))
