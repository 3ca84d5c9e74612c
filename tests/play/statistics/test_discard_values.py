"""Luck taken out where cards are changed never changes a mean: summed over all cards and choices, exactly."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from headsup.cards.cards import parse_cards
from headsup.cards.combos import colex, holdem_combos
from headsup.common.backend import JIT_DISABLED
from headsup.common.errors import UserError
from headsup.games.betting.rules import Betting
from headsup.play.agents.baseline import Caller
from headsup.play.agents.lbr import drawn_chance
from headsup.play.arena.match import Match, play
from headsup.play.statistics.aivat import aivat_chips, make_value
from headsup.play.statistics.discard_values import GROWS, KEPT, DiscardValue, drawn_shares, equity_before
from headsup.play.statistics.values import pot_share
from headsup.play.table.agent import ActionProbabilities, Agent, Mixed, Player
from headsup.play.table.record import HandRecord, record
from headsup.play.table.rules import CALLS, FOLDS, Action, Deal, PlayerView, Table, raise_to
from tests import naive

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="hundreds of thousands of hands are ranked")
HOLES = parse_cards("4s5s"), parse_cards("AdKh")
FLOP, TURN = parse_cards("As7d2c"), parse_cards("3h")
THERE = Table("discards", "holdem", Betting(first=(0, 1, 1, 1), stacks=(20, 20), blinds=(1, 2)), 2, draws=(1, 2))
LEFT = [card for card in range(52) if card not in {*HOLES[0], *HOLES[1], *FLOP, *TURN}]


class Swaps(Mixed):
    """Mixes its swaps and its bets on the turn; before that it keeps and calls."""

    name = "swaps"

    def probabilities(self, view: PlayerView) -> ActionProbabilities:
        """Unevenly."""
        if len(view.board) < 4:
            return [(CALLS, 1.0)]
        if view.legal.discards:
            lower, higher = sorted(view.hole)
            return [(CALLS, 0.2), (Action("d", lower), 0.5), (Action("d", higher), 0.3)]
        return [(raise_to(view.legal.low), 0.6), (raise_to(view.legal.high), 0.4)]


class Folds(Player):
    """Nobody knows what it does: it keeps its cards, and folds to a bet on the turn."""

    name = "folds"

    def act(self, view: PlayerView) -> Action:
        """What it does."""
        return FOLDS if view.legal.fold and len(view.board) == 4 else CALLS


class ThrowsLow(Player):
    """Changes its lower card on the turn, calls all else."""

    name = "throws"

    def act(self, view: PlayerView) -> Action:
        """What it does."""
        return Action("d", min(view.hole)) if view.legal.discards and len(view.board) == 4 else CALLS


def every_hand(
    deals: list[Deal], agents: tuple[Agent, Agent], there: Table = THERE
) -> Iterator[tuple[float, HandRecord]]:
    """All ways in which hands of some deals may go."""
    for deal in deals:
        waiting: list[tuple[float, list[Action]]] = [(1.0 / len(deals), [])]
        while waiting:
            chance, actions = waiting.pop()
            hand = there.hand(deal)
            for action in actions:
                hand.act(action)
            if hand.over:
                yield chance, record(hand)
                continue
            agent = agents[hand.player]
            ways = agent.probabilities(hand.view()) if isinstance(agent, Mixed) else [(agent.act(hand.view()), 1.0)]
            waiting.extend((chance * p, [*actions, action]) for action, p in ways)


def means(deals: list[Deal], agents: tuple[Agent, Agent]) -> tuple[float, float]:
    """Of the chips, and of the score with the luck of deal, flop and turn put back, which are the same in all deals."""
    value = make_value(THERE, agents)
    assert isinstance(value, DiscardValue)
    plain = aivat = total = 0.0
    for chance, kept in every_hand(deals, agents):
        total += chance
        plain += chance * kept.chips[0]
        aivat += chance * aivat_chips(kept, agents, value)
    assert total == pytest.approx(1.0)
    equity = [pot_share("holdem", HOLES, board) for board in ((), FLOP, (*FLOP, *TURN))]
    luck = GROWS[0] * (equity_before(HOLES) - 0.5)
    luck += GROWS[1] * KEPT[1, 2] * (equity[1] - equity[0]) + GROWS[2] * KEPT[2, 2] * (equity[2] - equity[1])
    return plain, aivat + 4 * luck


@pytest.mark.parametrize("agents", [(Swaps(), Folds()), (Folds(), Swaps())])
def test_choices_and_cards_drawn_keep_the_mean(agents: tuple[Agent, Agent]) -> None:
    deals = [Deal(HOLES, (*FLOP, *TURN, LEFT[card == LEFT[0]]), (card,)) for card in LEFT]
    plain, aivat = means(deals, agents)
    assert abs(plain) == pytest.approx(2.0)
    assert aivat == pytest.approx(plain, abs=1e-9)


def test_rivers_keep_the_mean_where_a_card_is_out() -> None:
    """Whoever draws gets the same card in all of these: its luck is put back too."""
    drawn, rivers = LEFT[20], [card for card in LEFT if card != LEFT[20]]
    plain, aivat = means([Deal(HOLES, (*FLOP, *TURN, card), (drawn,)) for card in rivers], (ThrowsLow(), Caller()))
    keeps, board, out = max(HOLES[0]), (*FLOP, *TURN), (min(HOLES[0]),)
    after = drawn_shares(keeps, tuple(sorted(HOLES[1])), board, out)
    luck = 4 * GROWS[2] * KEPT[2, 0] * (after[LEFT.index(drawn)] - np.mean(after))
    assert aivat + luck == pytest.approx(plain, abs=1e-9)


@pytest.mark.parametrize("board", [FLOP, (*FLOP, *TURN)])
def test_shares_after_a_draw_are_counted_card_by_card(board: tuple[int, ...]) -> None:
    keeps, other, out = HOLES[0][1], HOLES[1], (HOLES[0][0], parse_cards("9c")[0])
    found = drawn_shares(keeps, other, board, out)
    left = [card for card in range(52) if card not in {keeps, *other, *board, *out}]
    assert len(found) == len(left)
    for i in (0, 11, len(left) - 1):
        assert found[i] == pytest.approx(pot_share("holdem", ((keeps, left[i]), other), board, out))
    if len(board) == 4:
        mine, theirs = (
            [naive.best_key([*two, *board, river]) for river in left[1:]] for two in ((keeps, left[0]), other)
        )
        won = [(a > b) + 0.5 * (a == b) for a, b in zip(mine, theirs, strict=True)]
        assert found[0] == pytest.approx(sum(won) / len(won))


def test_a_share_with_cards_out_is_the_mean_of_those_after_the_next_card() -> None:
    out = parse_cards("9cJd")
    left = [card for card in range(52) if card not in {*HOLES[0], *HOLES[1], *FLOP, *out}]
    assert pot_share("holdem", HOLES, FLOP, out) == pytest.approx(
        np.mean([pot_share("holdem", HOLES, (*FLOP, c), out) for c in left])
    )


def test_the_deal_has_a_mean_of_a_half() -> None:
    two = holdem_combos()[[0, 300, 1325]].tolist()
    for first in two:
        for second in two:
            assert equity_before((tuple(first), tuple(second))) + equity_before((tuple(second), tuple(first))) == 1.0


def test_a_match_is_less_a_matter_of_luck() -> None:
    found = play(Match("advice", "ectomynx", "holdem-discard", hands=40, seed=2, aivat=True))
    plain, aivat = found.scores["plain"], found.scores["aivat"]
    assert found.method == "aivat"
    assert float(aivat.std()) < 0.7 * float(plain.std())


def test_only_hold_em_from_the_start() -> None:
    spot = Table("spot", "holdem", Betting(first=(1, 1, 1), stacks=(9, 9), pot=4), 2, FLOP, draws=(1,))
    with pytest.raises(UserError, match="from the start of a hand"):
        make_value(spot, (Caller(), Caller()))


def test_what_a_swap_is_worth_is_counted_card_by_card() -> None:
    keeps, thrown, board = HOLES[0][1], HOLES[0][0], (*FLOP, *TURN)
    reach, theirs = np.zeros(1326), [parse_cards(text) for text in ("AdKh", "7s7c")]
    reach[[colex(sorted(two)) for two in theirs]] = 3.0, 1.0
    shares = []
    for card in [card for card in range(52) if card not in {keeps, thrown, *board}]:
        met = [(two, weight) for two, weight in zip(theirs, (3.0, 1.0), strict=True) if card not in two]
        points = [weight * pot_share("holdem", ((keeps, card), two), board, (thrown,)) for two, weight in met]
        shares.append(sum(points) / sum(weight for _, weight in met))
    assert drawn_chance(keeps, thrown, board, reach) == pytest.approx(np.mean(shares))
