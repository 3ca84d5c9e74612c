"""The last swap after an all-in: every hand makes the one that wins the largest share of the pot.

Nothing is bet any more, so only the cards count, and they are the real ones, without buckets. The opponent's range
follows from the bot's own strategy and the public actions. An opponent who swaps later follows the report's rule.
Discarded cards are forgotten (`headsup.discards.equity.maps`).
"""

from dataclasses import dataclass

import numpy as np

from headsup.cards.combos import HOLDEM_COUNT, holdem_combos
from headsup.common.arrays import Floats
from headsup.play.agents.lbr import range_after
from headsup.play.table.agent import Mixed
from headsup.play.table.real import free_of
from headsup.play.table.rules import PlayerView, Table

DECK = tuple(range(52))


@dataclass(frozen=True)
class ReducedTable(Table):
    """A table with fewer cards, where a hand may end before the river."""

    deck: tuple[int, ...] = DECK
    last: int = 5  # how many cards lie on the board at the end


def cards_to_come(view: PlayerView) -> int:
    """How many board cards follow."""
    return (view.table.last if isinstance(view.table, ReducedTable) else 5) - len(view.board)


def is_last(view: PlayerView) -> bool:
    """Whether a player makes the last swap of a hand in which all chips are in the pot."""
    draws, all_in = view.table.draws, max(view.state.paid) >= min(view.table.betting.stacks)
    return all_in and bool(view.legal.discards) and view.street == draws[-1] and cards_to_come(view) <= 1


def last_swaps(player: Mixed, view: PlayerView) -> Floats:
    """[1326, 3] 1 for the best of keeping, discarding the lower and the higher card; 0 for hands that meet no hand."""
    from headsup.discards.equity.maps import choices, rule_policy, showdowns, spread, swap_down

    board, deck = view.board, view.table.deck if isinstance(view.table, ReducedTable) else DECK
    gone = (*board, *(card for card in DECK if card not in deck))
    free = free_of(gone)
    reach, _ = range_after(player, 1 - view.seat, view, free.astype(np.float64), gone)
    if reach.sum() <= 0.0:  # the opponent did what the strategy never does
        reach = free.astype(np.float64)
    weights = spread(reach)
    if all(step.street < view.street for step in view.steps):  # the opponent swaps later
        weights = swap_down(weights, rule_policy(board), gone).sum(axis=0)
    options = choices(*showdowns(board, weights, deck, cards_to_come(view)))
    low, high = holdem_combos().astype(np.int64).T
    values = options[:, low, high].T
    best = np.zeros((HOLDEM_COUNT, 3))
    best[np.arange(HOLDEM_COUNT), values.argmax(axis=1)] = 1.0
    return np.where(((values.max(axis=1) > 0.0) & free)[:, None], best, 0.0)
