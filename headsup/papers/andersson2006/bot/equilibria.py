"""Other equilibria of the preflop model: which of its optimal plans a solver returns decides much of the bot.

    python -m headsup.papers.andersson2006.bot.equilibria 15

A `wish` is a number for each sequence of a player, and a plan x is worth c'x by it. In the game with payoffs
x'Ay + e c'x - e d'y both players also get a little of their wish. For small e its equilibria are those equilibria of
the model that have most of the wish. Both ends are proved: `lost` is what the plan gives up against a best response
in the model itself, and no optimal plan x has more of the wish than

    c'x <= (best response of x with the wish to y - least value of the model) / e        for any plan y.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.display import print_line
from headsup.common.errors import plainly
from headsup.games.betting.rules import DEAL, Move
from headsup.games.trees.sequence import Profile, SequenceForm
from headsup.papers.andersson2006.bot.against_allin import against_allin
from headsup.papers.andersson2006.bot.against_caller import against_caller
from headsup.papers.andersson2006.bot.agent import BotPlayer
from headsup.papers.andersson2006.bot.factored import FactoredSeat, factored_form
from headsup.papers.andersson2006.bot.model import BucketModel
from headsup.papers.andersson2006.bot.model_cfr import ModelCfr
from headsup.papers.andersson2006.bot.model_lp import bounds
from headsup.papers.andersson2006.bot.strategy import STEPS, VARIANTS, Bot, preflop_model, shipped_bot

WEIGHT = 0.01  # e: big blinds that a unit of the wish is worth
ITERATIONS = 6000
OPENS = ("fold", "limp", "raise", "all-in")


@dataclass(frozen=True, repr=False)
class WishingSeat(FactoredSeat):
    """A seat that also earns the `bonus` of its sequences."""

    bonus: Floats

    def utility(self, opponent_plan: Floats) -> Floats:
        return super().utility(opponent_plan) + self.bonus


def with_wishes(form: SequenceForm, wishes: tuple[Floats, Floats]) -> SequenceForm:
    """The game in which each player also gets WEIGHT of its wish."""
    seats = []
    for seat, wish in zip(form.seats, wishes, strict=True):
        assert isinstance(seat, FactoredSeat)
        known = {field.name: getattr(seat, field.name) for field in fields(FactoredSeat)}
        seats.append(WishingSeat(**known, bonus=WEIGHT * wish))
    return SequenceForm(f"{form.name} with wishes", form.unit, (seats[0], seats[1]))


class Wished(NamedTuple):
    """How much of its wish a player has in an equilibrium."""

    amount: float
    most: float  # no optimal plan has more: proved
    lost: float  # big blinds that the plan may give up against a best response


def value_bounds(model: BucketModel, iterations: int = ITERATIONS) -> tuple[float, float]:
    """The value of a model for player 0 lies between these."""
    solver = ModelCfr(model)
    solver.step(iterations)
    return bounds(model, solver.profile())


def wished(
    model: BucketModel, wishes: tuple[Floats, Floats], between: tuple[float, float], iterations: int = ITERATIONS
) -> tuple[Profile, tuple[Wished, Wished]]:
    """An equilibrium with the most of both wishes, and how much there is; the model's value is `between` two."""
    plain = factored_form(model)
    form = with_wishes(plain, wishes)
    solver = ModelCfr(model, form=form)
    solver.step(iterations)
    plans = solver.plans()
    values = (between[0], -between[1])  # each player's least value of the model
    results = []
    for seat in (0, 1):
        mine = Wished(
            float(wishes[seat] @ plans[seat]),
            (form.seats[seat].best_response(plans[1 - seat])[0] - values[seat]) / WEIGHT,
            plain.seats[1 - seat].best_response(plans[seat])[0] - values[1 - seat],
        )
        results.append(mine)
    return solver.profile(), (results[0], results[1])


# --- wishes ----------------------------------------------------------------------------------------------------------


def fixed_plan(model: BucketModel, seat: int, moves: Sequence[Move]) -> Floats:
    """The plan of a player who always takes the first of these moves that a decision has."""
    tree, behaviour = model.tree, np.zeros(int(model.lists(seat)[0][-1]))
    behaviour[0] = 1.0
    for node in model.decisions[seat].tolist():
        kinds = tree.kind[tree.child[node] : tree.child[node] + tree.count[node]].tolist()
        chosen = next(kinds.index(move) for move in moves if move in kinds)
        model.table(seat, behaviour, node)[:, chosen] = 1.0
    return factored_form(model).seats[seat].plan(behaviour)


def from_opponent(model: BucketModel, moves: Sequence[Move], sign: float = 1.0) -> tuple[Floats, Floats]:
    """The wish to win the most from an opponent who always takes the first of these moves; the least for -1."""
    form = factored_form(model)
    first, second = (form.seats[seat].utility(fixed_plan(model, 1 - seat, moves)) for seat in (0, 1))
    return sign * first, sign * second


def of_opening(model: BucketModel, kinds: Sequence[Move], sign: float) -> tuple[Floats, Floats]:
    """The small blind's wish to open so, or (-1) not to; the big blind wishes nothing."""
    wish, tree = np.zeros(int(model.lists(0)[0][-1])), model.tree
    taken = np.isin(tree.kind[tree.child[0] : tree.child[0] + tree.count[0]], [int(kind) for kind in kinds])
    model.table(0, wish, 0)[:] = sign * model.weights(0, 0)[:, None] * taken
    return wish, np.zeros(int(model.lists(1)[0][-1]))


ALLIN = (Move.ALLIN, Move.CALL, Move.CHECK)
CALLER = (Move.CHECK, Move.CALL)
WISHES = {
    "most from Allin": lambda model: from_opponent(model, ALLIN),
    "least from Allin": lambda model: from_opponent(model, ALLIN, -1.0),
    "most from Caller": lambda model: from_opponent(model, CALLER),
    "least from Caller": lambda model: from_opponent(model, CALLER, -1.0),
    "least limping": lambda model: of_opening(model, (Move.CALL,), -1.0),
    "least all-in": lambda model: of_opening(model, (Move.ALLIN,), -1.0),
    "most raising": lambda model: of_opening(model, (Move.BET, Move.RAISE, Move.ALLIN), 1.0),
}


# --- bots ------------------------------------------------------------------------------------------------------------


def with_preflop(bot: Bot, model: BucketModel, profile: Profile) -> Bot:
    """The bot with another equilibrium of its preflop model; its postflop models stay, for their ranges are forced."""
    made = replace(bot, shares=bot.shares.copy())
    for node in np.flatnonzero((bot.tree.player < DEAL) & (bot.tree.street == 0)).tolist():
        seat = int(bot.tree.player[node])
        made.numbers(node)[:] = np.rint(STEPS * model.table(seat, profile[seat], node)).astype(np.uint8)
    return made


def opens_of(model: BucketModel, rows: Floats) -> dict[str, float]:
    """How often the small blind folds, limps, raises and moves all-in at once, given [buckets, actions] of it."""
    words = {Move.FOLD: "fold", Move.CALL: "limp", Move.ALLIN: "all-in"}
    shares, tree = model.chances.first() @ rows, model.tree
    opens = dict.fromkeys(OPENS, 0.0)
    for kind, share in zip(tree.kind[tree.child[0] :].tolist(), shares.tolist(), strict=False):
        opens[words.get(Move(kind), "raise")] += share
    return opens


def figures(bot: Bot, boards: int, seed: int = 0) -> dict[str, Any]:
    """What the bot wins from Allin, exactly, and from Caller; and how its small blind opens."""
    allin = against_allin(bot.stack, BotPlayer("aggrobot", bot))
    caller = against_caller(bot, boards, seed)
    return {
        "allin": allin.mean,
        "allin_sd": allin.sd,
        "caller": caller.mean,
        "caller_se": caller.error,
        "caller_sd": caller.sd,
        **opens_of(preflop_model(bot.stack, bot.chances, bot.menu), bot.table(0)),
    }


def main(given: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Other equilibria of the preflop model, as bots.")
    parser.add_argument("stack", type=int, help="in big blinds")
    parser.add_argument("--variant", choices=tuple(VARIANTS), default="", help="a variant of the bot")
    parser.add_argument("--wish", choices=tuple(WISHES), action="append", help="one wish or more; all if left out")
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--boards", type=int, default=1000, help="boards drawn for the result against Caller")
    args = parser.parse_args(given)
    bot = shipped_bot(args.stack, args.variant)
    model = preflop_model(bot.stack, bot.chances, bot.menu)
    about = {"stack": args.stack, "variant": args.variant}
    print_line(**about, wish=None, **figures(bot, args.boards))
    between = value_bounds(model, args.iterations)
    for name in args.wish or WISHES:
        profile, (first, second) = wished(model, WISHES[name](model), between, args.iterations)
        seats = {"small_blind": first._asdict(), "big_blind": second._asdict()}
        print_line(**about, wish=name, **seats, **figures(with_preflop(bot, model, profile), args.boards))


if __name__ == "__main__":
    plainly(main)
