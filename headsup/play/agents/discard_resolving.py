"""Our bot for hold'em with discards, with the last streets solved at the table (`headsup.play.agents.resolver`).

No card is changed after the turn's swaps, so the rest of the hand is hold'em between two ranges. They follow from the
blueprint and the public actions, swaps included; discarded cards are forgotten, as in `headsup.discards.exact.spots`.
The first street is solved without the gadget, since the blueprint's own values are not known card by card.
"""

import numpy as np

from headsup.common.arrays import Floats
from headsup.play.agents.discard import DiscardPlayer
from headsup.play.agents.lbr import range_after
from headsup.play.agents.resolver import RIVER, TURN, Resolver
from headsup.play.agents.subgame import Subgame, SubgameTask, pruned, rules_from
from headsup.play.table.agent import ActionProbabilities
from headsup.play.table.real import free_of
from headsup.play.table.rules import Action, PastAction, PlayerView

MENUS = {TURN: "100%, a; 100%, a; a | river 100%, a; a", RIVER: "50%, 100%, 250%, a; 100%, a; a"}


class ResolvingDiscardPlayer(Resolver):
    """Plays a `DiscardPlayer` up to the swaps of a street and solves what follows."""

    menus = MENUS

    def __init__(self, name: str, blueprint: DiscardPlayer, first: int) -> None:
        super().__init__()
        self.name, self.blueprint, self.first = name, blueprint, first

    def unsolved(self, view: PlayerView) -> ActionProbabilities:
        return self.blueprint.probabilities(view)

    def unsolved_hands(self, view: PlayerView, action: Action) -> Floats:
        return self.blueprint.hand_probabilities(view, action)

    def swap_probabilities(self, view: PlayerView) -> Floats:
        return self.blueprint.swap_probabilities(view)

    def is_solved(self, view: PlayerView) -> bool:
        return super().is_solved(view) and not view.legal.discards

    def before(self, view: PlayerView) -> tuple[PastAction, ...]:
        """Without the cards that were discarded, which the opponent does not see."""
        bets = len([step for step in view.steps if step.street > self.first]) + len(self.bets(view, self.first))
        steps = view.steps[: len(view.steps) - bets]
        return tuple(step._replace(action=Action("d", -1)) if step.action.kind == "d" else step for step in steps)

    def bets(self, view: PlayerView, street: int) -> tuple[PastAction, ...]:
        return super().bets(view, street)[2 if street in view.table.draws else 0 :]

    def _opened(self, done: tuple[PastAction, ...], view: PlayerView) -> tuple[Action, ...]:
        """None: a solution serves every opening bet of its menu; for others what follows is solved again."""
        return ()

    def _from_blueprint(
        self, view: PlayerView, before: tuple[PastAction, ...], board: tuple[int, ...], opened: tuple[Action, ...]
    ) -> Subgame:
        seen, betting = view._replace(steps=before, board=board), view.table.betting
        free = free_of(board).astype(np.float64)
        (first, state), (second, _) = (range_after(self.blueprint, seat, seen, free, board) for seat in (0, 1))
        while state.street < self.first:
            state = betting.next_street(state)
        reach = pruned(first, board), pruned(second, board)
        rules, mine, theirs = rules_from(betting, state), reach[view.seat], reach[1 - view.seat]
        return self._solve(SubgameTask(view.seat, board, rules, (), mine, theirs, None))
