"""AIVAT value functions for hold'em with discards (`headsup.play.statistics.values`).

The estimated value is the pot, if the last bet is called, times a share:

    before the flop    1/2 + 0.97 times half the difference of both hands' equities (with swaps) against a random hand
    from the flop on   1/2 + `KEPT` times (hold'em equity without further swaps - 1/2)

Pots grow later, so cards count more than the current pot (`GROWS`); a bet with the better hand is not won yet, so
choices count less (`CHOSEN`). Any numbers are unbiased, because each event's mean is exact. They are fitted to 400
random hands swapped by the report's rule, and to 2,500 hands of five matches between bots.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np

from headsup.common.errors import UserError
from headsup.discards.equity.table import equity_before
from headsup.games.betting.rules import State
from headsup.play.statistics.values import EquityValue, folded, pot_share
from headsup.play.table.agent import Agent, Mixed
from headsup.play.table.record import HandRecord
from headsup.play.table.rules import BOARD, Action, Table, TableHand, apply

KEPT = {(1, 2): 0.55, (1, 1): 0.63, (1, 0): 0.71, (2, 2): 0.73, (2, 1): 0.86, (2, 0): 1.0, (3, 0): 1.0}
"""By street and number of swaps still to come on it."""
GROWS = (3.0, 1.3, 1.5, 1.2)  # by street, for dealt and drawn cards
CHOSEN = 0.5
Cards = tuple[int, ...]


class DiscardValue:
    """Estimates for a table of hold'em with discards."""

    start = None

    def __init__(self, table: Table) -> None:
        if table.cards != "holdem" or table.first_street:
            raise UserError(f"variance reduction for discards needs hold'em from the start of a hand, not {table.name}")
        self.table, self._called = table, EquityValue(table)

    def at(self, hand: TableHand, state: State, dead: Cards) -> float:
        """The value to seat 0 once the betting has reached a state; `dead` are discarded cards."""
        if state.folder >= 0:
            return folded(self.table.betting, state)
        pot, paid = self.pot(state)
        return self.part(hand, dead) * pot - paid

    def chips(self, record: HandRecord, agents: Sequence[Agent]) -> float:
        """The AIVAT score of a hand for seat 0, in chips; called by `aivat_chips`."""
        hand, betting = TableHand(record.table, record.deal), record.table.betting
        dead: Cards = ()
        pot, _ = self.pot(hand.state)
        score = float(record.chips[0]) - GROWS[0] * (self.part(hand, dead) - 0.5) * pot
        for step in record.steps[: len(record.steps) - len(record.faults)]:
            agent, view = agents[step.seat], hand.view()
            options = agent.probabilities(view) if isinstance(agent, Mixed) else ()
            if view.legal.discards:
                score -= _swap_correction(hand, dead, step.action, dict(options), self)
                dead = (*dead, step.action.amount) if step.action.kind == "d" else dead
            elif len(options) > 1:
                expected = sum(p * self.at(hand, apply(betting, hand.state, action), dead) for action, p in options)
                score -= CHOSEN * (self.at(hand, apply(betting, hand.state, step.action), dead) - expected)
            before = hand.street
            hand.act(step.action)
            for street in range(before + 1, hand.street + 1):
                score -= _street_correction(hand, dead, street, self)
        return score

    def pot(self, state: State) -> tuple[int, int]:
        """The pot and seat 0's part of it if the last bet is called."""
        return self._called.called(state)

    def part(self, hand: TableHand, dead: Cards) -> float:
        """Seat 0's share of the pot."""
        holes = hand.holes[0], hand.holes[1]
        if not hand.board:
            return equity_before(holes)
        return 0.5 + KEPT[hand.street, hand.swaps_to_come] * (pot_share("holdem", holes, hand.board, dead) - 0.5)


@lru_cache(maxsize=4096)
def drawn_shares(keeps: int, other: Cards, board: Cards, out: Cards) -> tuple[float, ...]:
    """Hold'em equities of a player who keeps one card, after each card that may be drawn, in order.

    `out` are the discarded cards, including the last.
    """
    from headsup.evaluate import rank_hands

    left = _left(keeps, other, board, out)
    rest = np.array(list(combinations(left, 5 - len(board))), dtype=np.uint8).reshape(-1, 5 - len(board))
    boards = np.concatenate([np.broadcast_to(np.array(board, dtype=np.uint8), (len(rest), len(board))), rest], axis=1)
    pairs = np.array([other, *((keeps, card) for card in left)], dtype=np.uint8)
    every = np.concatenate([np.repeat(pairs, len(boards), axis=0), np.tile(boards, (len(pairs), 1))], axis=1)
    ranks = rank_hands(every, check=False).reshape(len(pairs), -1)
    theirs, mine = ranks[0], ranks[1:]
    free = (rest[None, :, :] != np.array(left, dtype=np.uint8)[:, None, None]).all(axis=2)
    won = (mine > theirs) + 0.5 * (mine == theirs)
    return tuple(((won * free).sum(axis=1) / free.sum(axis=1)).tolist())


def _left(keeps: int, other: Cards, board: Cards, out: Cards) -> list[int]:
    known = {keeps, *other, *board, *out}
    return [card for card in range(52) if card not in known]


def _street_correction(hand: TableHand, dead: Cards, street: int, value: DiscardValue) -> float:
    holes, board = (hand.holes[0], hand.holes[1]), hand.deal.board
    after, before = (pot_share("holdem", holes, board[: BOARD[s]], dead) for s in (street, street - 1))
    swaps = 2 if street in hand.table.draws else 0
    return GROWS[street] * KEPT[street, swaps] * (after - before) * value.pot(hand.state)[0]


def _swap_correction(
    hand: TableHand, dead: Cards, action: Action, options: dict[Action, float], value: DiscardValue
) -> float:
    """The correction for the choice, if the agent is mixed, and for the card drawn."""
    seat, pot = hand.player, value.pot(hand.state)[0]
    hole, other = hand.holes[seat], tuple(sorted(hand.holes[1 - seat]))
    sign = (1 - 2 * seat) * GROWS[hand.street] * KEPT[hand.street, hand.swaps_to_come - 1] * pot

    def worth(choice: Action) -> float:
        if choice.kind != "d":
            return pot_share("holdem", (hole, other), hand.board, dead)
        return float(np.mean(drawn_shares(_other_card(hole, choice), other, hand.board, (*dead, choice.amount))))

    correction = (
        sign * (worth(action) - sum(p * worth(choice) for choice, p in options.items())) if len(options) > 1 else 0.0
    )
    if action.kind == "d":
        keeps, out = _other_card(hole, action), (*dead, action.amount)
        came = hand.next_draw
        after = drawn_shares(keeps, other, hand.board, out)[_left(keeps, other, hand.board, out).index(came)]
        correction += sign * (after - worth(action))
    return correction


def _other_card(hole: Cards, choice: Action) -> int:
    return hole[0] if hole[1] == choice.amount else hole[1]
