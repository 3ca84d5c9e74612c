"""`solve_rounds(game)`: solve a hand in two rounds, as andersson-2006 does (section 4.3), into one record.

The head is the game without bets on its last street. For the ranges each action of the head gets a probability of at
least `floor`, mixed into its strategy or, with `twice`, in a separate solution among such strategies. What follows each
line is solved by itself, with its ranges. The record has the exploitability of the joined strategy in the whole game.
"""

import time
from typing import Any

from headsup.abstraction.merging.rounds import Forced, checked_down, solve_parts
from headsup.common.checks import quoted, whole
from headsup.common.errors import UserError
from headsup.games.catalogue.forms import Playable, playable
from headsup.games.holdem.vector import ArrayStrategy, Strategy, VectorGame, check_floor
from headsup.measure.exploit import measure
from headsup.solve.methods import solve
from headsup.solve.records.settings import PRESETS
from headsup.solve.records.solution import Solution

FLOOR = 0.01
METHOD = "rounds"  # the method of a record; that of the solver is in its params


def solve_rounds(
    game: Playable,
    street: int = 1,
    *,
    model: int | None = None,
    floor: float = FLOOR,
    twice: bool = False,
    method: str = "cfr+",
    iterations: int | None = None,
    target: float | None = None,
    **options: Any,
) -> Solution:
    """Solve the streets before `street`, then those from it on, and measure both together in the whole game.

    `model` is the number of streets with bets in the game of the head: by default all but the last; with all of them,
    only the cost of solving the rounds apart remains. `iterations` and `target` apply to each game that is solved.
    """
    played = playable(game)
    if not isinstance(played, VectorGame):
        raise UserError(f"{played} is not cut into rounds: take a game of betting and boards, such as holdem-nolimit")
    if "seed" in options or "checkpoint" in options:
        raise UserError("rounds take no seed and no checkpoint: leave them out")
    if not isinstance(twice, bool):
        raise UserError(f"twice is true or false, not {quoted(twice)}")
    if method not in PRESETS:
        raise UserError(f"rounds are solved by {', '.join(PRESETS)}, not by '{method}'")
    streets = played.streets
    if not 1 <= whole(street, "street") < streets:
        raise UserError(f"a hand of {streets} streets is cut before street 1 to {streets - 1}, not {street}")
    bet = streets - 1 if model is None else whole(model, "model")
    if not street <= bet <= streets:
        raise UserError(f"the head of a hand cut before street {street} needs bets on {street} to {streets} streets")
    check_floor(played, floor)
    began = time.perf_counter()

    def solved(part: VectorGame, **more: Any) -> Strategy:
        solution = solve(part, method, iterations=iterations, target=target, **options, **more).finished()
        return ArrayStrategy(part, solution.strategy)

    trunk = played if bet == streets else checked_down(played, bet)
    head = solved(trunk)
    ranges = (solved(trunk, floor=floor) if twice else Forced(trunk, head, floor)) if floor else head
    joined = ArrayStrategy.of(played, solve_parts(played, head, solved, street, ranges))
    took, measured = time.perf_counter() - began, measure(played, joined)
    how = {"street": street, "model": bet, "floor": floor, "twice": twice, "method": method, "target": target}
    return Solution(
        game=played.name,
        method=METHOD,
        params={key: value for key, value in (how | options).items() if value is not None},
        iterations=iterations or 0,
        seconds=took,
        value=measured.value,
        exploitability=measured.exploitability,
        epsilon=measured.epsilon,
        best=measured.best,
        strategy=joined.policy,
        content=played.checksum,
        source=played.text,
        form=played,
    )
