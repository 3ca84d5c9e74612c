"""What limit hold'em as a whole would take (docs/limit.md): costs of subgames, fitted on three decks, for all 52 cards.

Some subgames at the turn are learnt for a few iterations with every hand reaching every line, in fixed point. A step
for one player takes `a` seconds for each number in memory (the walk goes over hands that the board blocks too) and `b`
for each one that is kept (showdowns, squeezing and reading back). Both are fitted on three decks by least squares and
held against subgames of the full deck, which are then scaled up to all of them.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np

from headsup.games.catalogue.names import game as named_game
from headsup.games.holdem.layout import Rule
from headsup.games.holdem.vector import VectorGame
from headsup.games.walk.walk import LEARN, check_kernels
from headsup.solve.holdem.squeeze import live_values, squeeze, unsqueeze
from headsup.solve.holdem.store import in_bytes
from headsup.solve.holdem.stored import STEPS, SUMS
from headsup.solve.holdem.subgames import Cut, SubgameShape, alive, stores_of

DECKS = ((4, 4, 9), (6, 4, 3), (8, 4, 1))
"""Ranks, suits, and how many of the 63 lines into the turn a subgame takes."""
FULL = (13, 4, 1)
PARTS = (0.2, 0.5, 0.8)
"""Which subgames of a deck: so far down the list of its boards."""
TURN = 2
ITERATIONS = 1579
"""What bowling-2015 took to 0.986 mbb/g; how many our own would be is not known before it is done."""
YEAR = 365.25 * 86400


@dataclass(frozen=True)
class Cost:
    """What one subgame of a deck costs."""

    cards: int
    numbers: int  # in memory, of both players
    kept: int  # of hands that the boards leave
    walk: float  # CPU seconds of a step
    squeeze: float
    bytes: tuple[float, float]  # a regret, and a sum of the average, squeezed
    flat: float  # a number in float32 by DEFLATE

    @property
    def step(self) -> float:
        """CPU seconds of a step for one player."""
        return self.walk + self.squeeze


def cost(ranks: int, suits: int, lines: int, iterations: int) -> Cost:
    """Learn some subgames of a deck, and measure the last iterations."""
    shape = SubgameShape(Cut(f"holdem-limit:ranks={ranks},suits={suits}", TURN, lines, "int16", STEPS, SUMS, True))
    measured = [_subgame(shape, int(shape.count * part), iterations) for part in PARTS]
    figures = np.sum(measured, axis=0)
    numbers, kept, walk, squeezing, regrets, sums, flat = figures.tolist()
    return Cost(ranks * suits, int(numbers), int(kept), walk, squeezing, (regrets / kept, sums / kept), flat / kept)


def _subgame(shape: SubgameShape, subgame: int, iterations: int) -> tuple[float, ...]:
    """Numbers in memory and kept; seconds of a step, walking and squeezing; bytes of regrets, of sums, as floats."""
    piece, walker = shape.piece(subgame), shape.walker(subgame, np.float32)
    hands, number = check_kernels(piece), len(shape.place(subgame)[1])
    reach = np.ones((2, number, max(piece.showdown.sizes)), np.float32)
    reach *= alive(hands, reach)
    zeros = [np.zeros(int(at[-1]), np.float32) for at in piece.layout]
    squeezed = [[squeeze(piece, hands, p, zeros[p], STEPS, 0) for _ in range(2)] for p in (0, 1)]
    walked, packed = [], []
    for t in range(iterations):
        for seat in (0, 1):
            began = time.process_time()
            regret = [unsqueeze(piece, hands, p, squeezed[p][0], STEPS, np.float32) for p in (0, 1)]
            total = unsqueeze(piece, hands, seat, squeezed[seat][1], STEPS, np.float32)
            read = time.process_time()
            stores = stores_of(piece, [(regrets, total if p == seat else regrets) for p, regrets in enumerate(regret)])
            walker.begin(hands, reach)
            walker.whole(seat, LEARN, (regret[0], regret[1]), stores, Rule(1.0, 0.0, t + 1.0, False, False, t))
            done = time.process_time()
            new = (regret[seat], total)
            steps = enumerate(zip(new, (STEPS, SUMS), strict=True))
            squeezed[seat] = [squeeze(piece, hands, seat, values, n_steps, i, t) for i, (values, n_steps) in steps]
            walked.append(done - read)
            packed.append(read - began + time.process_time() - done)
    kept = sum(live_values(piece, hands, p) for p in (0, 1))
    sizes = [sum(len(squeezed[p][i]) for p in (0, 1)) for i in (0, 1)]
    flat = sum(len(squeeze(piece, hands, p, regret[p], 0, 0)) for p in (0, 1))
    return sum(map(len, zeros)), kept, min(walked[2:]), min(packed[2:]), *sizes, flat


def whole_game() -> tuple[float, float]:
    """How many regrets the full game has in memory, and of hands that the boards leave."""
    game = named_game("holdem-limit")
    assert isinstance(game, VectorGame)
    numbers, kept, seen = 0.0, 0.0, 0
    for s, (size, new) in enumerate(zip(game.boards.sizes(), game.boards.streets, strict=True)):
        seen += new
        rows = size * float(game.rounds.rows[:, s].sum())
        numbers += rows * 1326
        kept += rows * (52 - seen) * (51 - seen) / 2
    return numbers, kept


def run(quick: bool) -> None:
    """Print the costs of the decks, the fit, and the full game on paper."""
    print("subgames at the turn, CFR+ in fixed point with the average, CPU time of one core; a step is for one player")
    costs = [cost(*deck, 4 if quick else 12) for deck in DECKS]
    a, b = _fit(costs)
    full = None if quick else cost(*FULL, 12)
    for deck_cost in (*costs, *([full] if full else [])):
        print(
            f"  {deck_cost.cards} cards: {deck_cost.numbers:,} numbers, {deck_cost.kept:,} kept; "
            f"a step walks {deck_cost.walk:.3f} s and squeezes {deck_cost.squeeze:.3f} s "
            f"(fit {a * deck_cost.numbers + b * deck_cost.kept:.3f} s); {deck_cost.bytes[0]:.2f} bytes "
            f"a regret, {deck_cost.bytes[1]:.2f} a sum, {deck_cost.flat:.2f} as float32 by DEFLATE"
        )
    print(f"fit: {a * 1e9:.1f} ns a number in memory and {b * 1e9:.1f} ns a number kept, for both players' numbers")
    numbers, kept = whole_game()
    last = full or costs[-1]
    scale = last.step / (a * last.numbers + b * last.kept)
    iteration = 2 * (a * numbers + b * kept)
    years = ITERATIONS * iteration / YEAR
    print(f"the full game: {numbers:.3g} regrets in memory, {kept:.3g} kept")
    print(
        f"  an iteration {iteration / 3600:,.0f} core-hours by the fit ({iteration * scale / 3600:,.0f} by subgames "
        f"of {last.cards} cards); {ITERATIONS:,} iterations {years:,.0f} ({years * scale:,.0f}) core-years; 900 in 2015"
    )
    with_average = kept * sum(last.bytes)
    print(
        f"  state {in_bytes(kept * last.bytes[0])} for regrets alone, {in_bytes(with_average)} with the average; 10.9 "
        f"TB in 2015 (262 TiB as 4-byte numbers)"
    )
    boards, lines, hands = 63193, 63, 1326
    up = 2 * boards * lines * hands * 4
    print(
        f"  network an iteration: {in_bytes(3 * up)} of reach and values; where states lie on no disk of the worker, "
        f"{in_bytes(kept * (3 * last.bytes[0] + 2 * last.bytes[1]))} of those"
    )


def _fit(costs: list[Cost]) -> tuple[float, float]:
    """a and b of step = a * numbers + b * kept, errors taken in proportion; neither is below 0."""
    table = np.array([(deck_cost.numbers / deck_cost.step, deck_cost.kept / deck_cost.step) for deck_cost in costs])
    (a, b), *_ = np.linalg.lstsq(table, np.ones(len(costs)), rcond=None)
    if a < 0 or b < 0:
        ratio = [deck_cost.step / (deck_cost.kept if a < 0 else deck_cost.numbers) for deck_cost in costs]
        a, b = (0.0, float(np.mean(ratio))) if a < 0 else (float(np.mean(ratio)), 0.0)
    return float(a), float(b)
