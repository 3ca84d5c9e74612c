"""Our bot for hold'em with discards, with the last streets solved at the table (`headsup.play.agents.resolver`).

No card is changed after the turn's swaps, so the rest of the hand is hold'em between two ranges. They follow from the
blueprint and the public actions, swaps included; discarded cards are forgotten, as in `headsup.discards.exact.spots`.
The opponent's keeps the blueprint's rare actions, and every hand may take every action (`TREMBLE`), since others play
otherwise: without this, a rare action would leave it with a few hands.
The first street is solved without the gadget, since the blueprint's own values are not known card by card.

    discard             actions played less than 5 % of the time are dropped
    discard:0.5         another threshold, from 0 to 0.5, where only the most frequent action remains
    discard:turn        turn and river are solved at the table
    discard:river       the river is
    discard:FILE.npz    a strategy file (`headsup.discards.strategy.data`); the others may follow, as FILE.npz,0.5,turn
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.checks import parse_float
from headsup.common.errors import UserError
from headsup.common.files import parsed
from headsup.games.betting.rules import RIVER, TURN
from headsup.play.agents.discard import DiscardPlayer
from headsup.play.agents.discard_history import check_discard
from headsup.play.agents.lbr import range_after
from headsup.play.agents.resolver import Resolver
from headsup.play.agents.subgame import SubgameTask, pruned, rules_from
from headsup.play.table.agent import ActionProbabilities, Agent, maker
from headsup.play.table.real import free_of
from headsup.play.table.rules import Action, PastAction, PlayerView, Table

STREETS = {"turn": TURN, "river": RIVER}
TREMBLE = 0.03  # added to the probability of every action of the opponent
MENUS = {TURN: "100%, a; 100%, a; a | river 100%, a; a", RIVER: "50%, 100%, 250%, a; 100%, a; a"}


class TremblingPlayer(DiscardPlayer):
    """The opponent: whatever the strategy says, every hand may take every action."""

    def narrow(self, view: PlayerView, action: Action, reach: Floats) -> Floats:
        return super().narrow(view, action, reach) + TREMBLE * reach

    def swap_probabilities(self, view: PlayerView) -> Floats:
        return super().swap_probabilities(view) + TREMBLE


class ResolvingDiscardPlayer(Resolver):
    """Plays a `DiscardPlayer` up to the swaps of a street and solves what follows."""

    menus, ranged = MENUS, True

    def __init__(self, name: str, blueprint: DiscardPlayer, opponent: DiscardPlayer, first: int) -> None:
        super().__init__()
        self.name, self.blueprint, self.opponent, self.first = name, blueprint, opponent, first

    def unsolved(self, view: PlayerView) -> ActionProbabilities:
        return self.blueprint.probabilities(view)

    def unsolved_range(self, view: PlayerView) -> dict[Action, Floats]:
        return self.blueprint.range_probabilities(view)

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

    def _from_blueprint(self, view: PlayerView, before: tuple[PastAction, ...], board: tuple[int, ...]) -> SubgameTask:
        seen, betting = view._replace(steps=before, board=board), view.table.betting
        free = free_of(board).astype(np.float64)
        mine, state = range_after(self.blueprint, view.seat, seen, free, board)
        theirs, _ = range_after(self.opponent, 1 - view.seat, seen, free, board)
        while state.street < self.first:
            state = betting.next_street(state)
        return SubgameTask(
            view.seat, board, rules_from(betting, state), (), pruned(mine, board), pruned(theirs, board), None
        )


@maker("discard")
def make_discard(rest: str, table: Table) -> Agent:
    """The shipped strategy or one from a file, with rare actions removed."""
    check_discard("discard", table)
    cut = rest.rfind(".npz") + 4 if ".npz" in rest else 0
    file, words = rest[:cut], [word for word in rest[cut:].split(",") if word or not cut]
    streets = [STREETS[word] for word in words if word in STREETS]
    numbers = [word for word in words if word not in STREETS and rest]
    try:
        clean = parse_float(numbers[0]) if numbers else None
    except ValueError:
        clean = -1.0
    if len(numbers) > 1 or len(streets) > 1 or (clean is not None and not 0.0 <= clean <= 0.5):
        raise UserError(
            f"'discard:{rest}' needs a probability from 0 to 0.5 below which actions are dropped, as discard:0.1, a "
            "street from which on hands are solved at the table, as discard:turn, or the file of a strategy, as "
            "discard:FILE.npz"
        )
    from headsup.discards.strategy.data import load, shipped
    from headsup.discards.strategy.learn import CLEAN

    name, least = f"discard:{rest}" if rest else "discard", CLEAN if clean is None else clean

    def strategy(least: float) -> npt.NDArray[np.float32]:
        if file:
            return parsed(file, lambda: load(Path(file), least), "a strategy of hold'em with discards")
        return shipped(least)

    player = DiscardPlayer(name, strategy(least))
    if not streets:
        return player
    return ResolvingDiscardPlayer(name, player, TremblingPlayer("opponent", strategy(0.0)), streets[0])
