"""Fixed-strategy iteration as in the report: play many hands with fixed weights, then update the weights.

A hand's profit goes to the last choice of each player, 0.8 times as much to the choice before, and so on. After a cycle
each weight is multiplied by exp(rate * mean profit of the choice) and the row is normalised. The last weights are the
strategy. The report played 1e9 hands a cycle and does not give the constant in the exponent: `RATE`.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.classes import holdem_class_of_combo
from headsup.cards.combos import colex_array
from headsup.common.arrays import Floats
from headsup.common.errors import UserError
from headsup.discards.equity.deals import rule_many
from headsup.discards.strategy.facts import deal_cards
from headsup.discards.strategy.hands import strengths, texture_bins
from headsup.discards.strategy.learn import new_counter
from headsup.equity.blocks import threads
from headsup.evaluate import rank_hands
from headsup.papers.ectomynx.bot import train_kernels as kernels
from headsup.papers.ectomynx.bot.start import Weights, start_after, start_before

RATE = 0.08  # per chip; a big blind is two
DISCOUNT = 0.8
BLOCK = 100_000  # hands that are dealt together
TIMES = 5  # how often each deal is played in training: to deal and look at hands takes longer than to play them
LANE = 10_000_000  # hands of a cycle with dice of their own; float32 counts them exactly
TYPO = 0.666  # what the program took for a check, in shares of the pot, when it said 2/3 for 0.2
Facts = npt.NDArray[np.uint8]
Table = npt.NDArray[np.float32]


class Faults(NamedTuple):
    """The faults that the report mentions; each can be switched on alone."""

    board_pairs: bool = False  # pairs on the board are counted as one's own
    small_bets: bool = False  # bets of less than 2/3 of the pot are taken for checks
    check_raises: bool = False  # the start has 2.5 times as many check-raises as leads, not the other way round
    river_draws: bool = False
    """Draws are seen on the river, where the start has no row for them and begins evenly (our reading)."""
    intended: bool = False  # only the chosen level learns
    played: bool = False  # only the level that came to be played learns


NO_FAULTS = Faults()
FAULTS = tuple(name.replace("_", "-") for name in Faults._fields)


def parse_faults(text: str) -> Faults:
    """Faults by name, as `board-pairs,small-bets`."""
    names = [name for name in text.split(",") if name]
    for name in names:
        if name not in FAULTS:
            raise UserError(f"'{name}' is no fault of the report: choose among {', '.join(FAULTS)}")
    return Faults(**{name.replace("-", "_"): True for name in names})


class LevelStrategy(NamedTuple):
    """Weights of the bet-level model by seat, the button first, and the faults of its program."""

    before: tuple[Weights, Weights]  # [169, 6]
    after: tuple[Weights, Weights]  # [ROWS, 12]
    faults: Faults = NO_FAULTS

    @property
    def small(self) -> float:
        """The fraction of the pot up to which a bet counts as a check."""
        return TYPO if self.faults.small_bets else 0.2


def start(faults: Faults = NO_FAULTS) -> LevelStrategy:
    before = start_before()
    return LevelStrategy((before, before.copy()), start_after(often_check_raises=faults.check_raises), faults)


def deal_facts(cards: npt.NDArray[np.uint8], faults: tuple[Faults, Faults]) -> Facts:
    """[hands, 12] all that the betting needs to know of the cards (`train_kernels.play`), with swaps by the rule."""
    facts = np.empty((len(cards), 12), dtype=np.uint8)
    board = cards[:, 4:9]
    values = []
    for seat in (0, 1):
        hole = cards[:, 2 * seat : 2 * seat + 2].copy()
        facts[:, 4 * seat] = holdem_class_of_combo()[colex_array(np.sort(hole, axis=1))]
        eyes = {"board_pairs": faults[seat].board_pairs, "river_draws": faults[seat].river_draws}
        for street in (1, 2, 3):
            lying = board[:, : street + 2]
            if street < 3:
                swap = rule_many(hole, lying)
                rows = np.flatnonzero(swap)
                hole[rows, swap[rows] - 1] = cards[rows, 9 + 2 * (street - 1) + seat]
            facts[:, 4 * seat + street] = strengths(hole, lying, **eyes)
        values.append(rank_hands(np.concatenate([hole, board], axis=1), check=False).astype(np.int64))
    for street in (1, 2, 3):
        facts[:, 7 + street] = texture_bins(board[:, : street + 2])
    facts[:, 11] = 1 + np.sign(values[0] - values[1])
    return facts


def train(
    faults: Faults = NO_FAULTS, cycles: int = 20, hands: int = 1_000_000, *, seed: int = 1, clean: float = 0.0
) -> LevelStrategy:
    """Train from the start with `hands` per cycle. Weights below `clean` of their row become 0 for good."""
    strategy = start(faults)
    for cycle in range(cycles):
        train_cycle(strategy, cycle, hands, seed=seed, clean=clean)
    return strategy


def train_cycle(
    strategy: LevelStrategy, cycle: int, hands: int, *, seed: int = 1, rate: float = RATE, clean: float = 0.0,
    workers: int | None = None,
) -> None:  # fmt: skip
    """Play a cycle with fixed weights, then update them in place.

    Lanes of `LANE` hands have dice of their own and are added in order, so the result does not depend on `workers`
    (by default, all threads).
    """
    before, after = np.zeros((2, 2, 169, kernels.LEVELS)), np.zeros((2, 2, kernels.ROWS, kernels.CHOICES))
    lanes = -(-hands // LANE)
    at_once = min(lanes, workers or threads())  # a lane needs 130 MB

    def lane(number: int) -> tuple[Floats, Table]:
        counter = new_counter(seed, cycle, number)
        return _play_lane(strategy, min(LANE, hands - number * LANE), counter)

    with ThreadPoolExecutor(at_once) as pool:
        for first in range(0, lanes, at_once):
            for won_before, won_after in pool.map(lane, range(first, min(lanes, first + at_once))):
                before += won_before
                after += won_after
    for seat in (0, 1):
        kernels.update(strategy.before[seat], before[0, seat], before[1, seat], rate, clean, False)
        kernels.update(strategy.after[seat], after[0, seat], after[1, seat], rate, clean, seat == 0)


def _play_lane(strategy: LevelStrategy, hands: int, counter: npt.NDArray[np.uint64]) -> tuple[Floats, Table]:
    """Profits of all choices and how often each was made, [2, seats, ...], before the flop and after it."""
    faults = strategy.faults
    mode = kernels.INTENDED if faults.intended else kernels.LOWEST if faults.played else kernels.BETWEEN
    before = np.zeros((2, 2, 169, kernels.LEVELS))
    after = np.zeros((2, 2, kernels.ROWS, kernels.CHOICES), np.float32)  # counts of a lane are exact
    players = kernels.Players(strategy.before, strategy.after, np.array([strategy.small, strategy.small]))
    done = 0
    while done < hands:
        facts = deal_facts(deal_cards(counter, min(BLOCK, -(-(hands - done) // TIMES))), (faults, faults))
        won = np.empty(len(facts))
        for _ in range(TIMES):
            kernels.play(facts, players, (before[0], after[0]), (before[1], after[1]), mode, DISCOUNT, counter, won)
        done += TIMES * len(facts)
    return before, after


def compare(first: LevelStrategy, second: LevelStrategy, hands: int, seed: int = 1) -> Floats:
    """What the first strategy wins of each of `hands` deals, in big blinds a hand, each played from both seats."""
    counter = np.array([seed], dtype=np.uint64)
    none = ((np.zeros((0, 0, 0)),) * 2,) * 2
    means = []
    for done in range(0, hands, BLOCK):
        cards = deal_cards(counter, min(BLOCK, hands - done))
        both = np.zeros(len(cards))
        for seats, sign in (((first, second), 1.0), ((second, first), -1.0)):
            facts = deal_facts(cards, (seats[0].faults, seats[1].faults))
            won = np.empty(len(cards))
            players = kernels.Players(
                (seats[0].before[0], seats[1].before[1]),
                (seats[0].after[0], seats[1].after[1]),
                np.array([seats[0].small, seats[1].small]),
            )
            kernels.play(facts, players, none[0], none[1], -1, DISCOUNT, counter, won)
            both += sign * won
        means.append(both / 4)
    return np.concatenate(means)
