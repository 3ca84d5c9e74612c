"""Safe re-solving: solve the rest of a hand again without giving the opponent more than the blueprint does.

Solved with the ranges that the blueprint implies (*unsafe*), the rest of a hand is good only against an opponent who
came there as the blueprint would. So (CFR-D, Burch, Johanson and Bowling 2014) every hand of the opponent may first
*leave* for its alternative, the value of its best response to the blueprint there, or *enter*; CFR runs for the rest of
the hand and for that choice. In the limit no hand of the opponent earns more than its alternative. Where a blueprint is
very exploitable most hands leave, so a part of the weight, `trust`, may go to the range that the opponent should have.

Values here are not divided by the weight of all deals: that of a hand is a sum over the opponent's hands, by weight.
"""

import time
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from headsup.abstraction.bets.translation import Seats
from headsup.abstraction.merging.rounds import Below, Joined, Part, cuts_before, part_with, ranges_at
from headsup.common.arrays import Floats
from headsup.games.holdem.layout import Rule
from headsup.games.holdem.vector import ArrayStrategy, Strategy, VectorGame
from headsup.games.walk.plain import walker
from headsup.games.walk.walk import BEST, LEARN, ArrayWalker
from headsup.solve.holdem.store import Stores
from headsup.solve.records.matching import regret_matching
from headsup.solve.records.settings import PRESETS, Settings

SETTINGS = PRESETS["dcfr-holdem"]


class Resolved(NamedTuple):
    strategy: ArrayStrategy  # the averages of both players; only that of the player for whom it was solved counts
    entering: Floats  # how often each of the opponent's hands entered, in the last iteration
    iterations: int  # how many were run


def best_response_values(strategy: ArrayStrategy, seat: int, threads: int = 1) -> Floats:
    """What each hand of a seat earns by a best response to the opponent's half of a strategy; not normalised."""
    game = strategy.game
    walk: ArrayWalker = walker(game, strategy.policy[0].dtype, threads, "cpu")
    return walk.walk(seat, BEST, strategy.policy, walk._read_only(strategy.policy)) * game.mass


def resolve(
    game: VectorGame,
    seat: int,
    alternative: Floats | None,
    iterations: int,
    *,
    trust: float = 0.0,
    prior: Floats | None = None,
    chosen: bool = False,
    settings: Settings = SETTINGS,
    store: str = "float32",
    threads: int = 1,
    until: float | None = None,
) -> Resolved:
    """Solve the rest of a hand for one seat, where each of the opponent's hands may leave for its `alternative`.

    The game's weights are the ranges; with alternatives, those of the opponent apply to hands that enter. Without any
    (None) all hands enter, which is unsafe. A part `trust` of the weight goes to a `prior` of the opponent's hands; it
    is scaled to the weight of all that may enter. These hands always enter, or, where the subgame begins with a bet
    that the opponent has `chosen`, only if the bet gains. No iteration starts after `until`, a time of
    `time.monotonic`.
    """
    other = 1 - seat
    base = game.weights[other].copy()
    believed = base if prior is None else prior * (base.sum() / max(1e-300, float(prior.sum())))
    weights = (game.weights[0].copy(), game.weights[1].copy())
    game = replace(game, weights=weights)
    scale = 1.0 / game.mass  # of the given weights: those of the opponent change below
    _ = game.rounds, game.layout
    stores = Stores(game, store, threads=threads)
    walk: ArrayWalker = walker(game, np.dtype(store), threads, "cpu")
    policy = stores.policy(average=False)
    regret, entering = np.zeros((2, len(base))), np.ones(len(base))  # to leave, to enter
    made = 0
    for turn, (keep, shrink, weight) in enumerate(settings.schedule(0, iterations).tolist()):
        if turn and until is not None and time.monotonic() >= until:
            break
        made += 1
        rule = Rule(keep, shrink, weight, False, False, turn)
        for p in (seat, other):
            values = walk.walk(p, LEARN, policy, stores.seats, rule)
            if p == other and alternative is not None:
                both = np.stack([alternative * scale, values])
                gained = both - (entering * both[1] + (1.0 - entering) * both[0])
                regret += gained
                regret *= np.where(regret > 0.0, keep, shrink)
                entering = regret_matching(regret, otherwise=1.0)[1]
                weights[other][:] = (1.0 - trust) * base * entering + trust * believed * (entering if chosen else 1.0)
    average = stores.policy(average=True)
    weights[other][:] = base
    return Resolved(ArrayStrategy(game, average), entering, made)


def resolve_part(
    game: VectorGame,
    blueprint: Strategy,
    seat: int,
    deal: int,
    board: int,
    iterations: int,
    *,
    safe: bool = True,
    trust: float = 0.0,
    least: float = 0.0,
    also: Strategy | None = None,
    threads: int = 1,
) -> tuple[Part, Strategy]:
    """The rest of a hand after a deal, solved again for a seat; the blueprint if the seat never gets there.

    The opponent's hands below a fraction `least` of the most likely one's weight may not enter. With `also`, another
    strategy, its range is the mean of both strategies' ranges.
    """
    ranges = ranges_at(game, blueprint, deal, board)
    other = 1 - seat
    prior = ranges[other]
    if also is not None:
        second = ranges_at(game, also, deal, board)[other]
        prior = prior / max(1e-300, float(prior.sum())) + second / max(1e-300, float(second.sum()))
        ranges = (ranges[0], prior) if seat == 0 else (prior, ranges[1])
    if safe:
        alive = np.zeros(len(ranges[other]))
        alive[game.showdown.alive(other, int(game.betting.street[deal]), board)] = 1.0
        alive[prior < least * prior.max()] = 0.0
        ranges = (ranges[0], alive) if seat == 0 else (alive, ranges[1])
    part = part_with(game, ranges, deal, board)
    below = Below(game, part, blueprint)
    if not part.game.showdown.mass(ranges) > 0.0:
        return part, below
    known = ArrayStrategy.of(part.game, below)
    alternative = best_response_values(known, other, threads) if safe else None
    how: dict[str, Any] = {"trust": trust, "prior": prior, "store": "float64", "threads": threads}
    return part, resolve(part.game, seat, alternative, iterations, **how).strategy


def resolve_street(game: VectorGame, blueprint: Strategy, street: int, iterations: int, **how: Any) -> Seats:
    """One strategy: the blueprint before a street, and from it on every part solved again for each seat.

    `how` is that of `resolve_part`.
    """
    halves = []
    for seat in (0, 1):
        cuts = cuts_before(game, street)
        parts = {
            (deal, board): resolve_part(game, blueprint, seat, deal, board, iterations, **how) for deal, board in cuts
        }
        halves.append(Joined(game, street, blueprint, parts))
    return Seats(game, halves[0], halves[1])
