"""What the best swap gains against an opponent who follows the report's rule, compared with following the rule.

The gain is computed on flops, by maps on hand vectors (`maps`); rule and best swap are compared in the same model, so
most of its error cancels. The reported equity is that of the rule from real deals plus the gain. `best-last` swaps last
and has also seen whether the opponent swaps on this street.
"""

from dataclasses import dataclass
from functools import cache
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.cards import card_name, cards_name
from headsup.cards.classes import HOLDEM_CLASSES, holdem_class_name, holdem_class_of_combo
from headsup.common.errors import DataError, UserError
from headsup.common.files import parsed, read_shipped
from headsup.common.progress import Progress, Watch
from headsup.discards.equity.table import random_side
from headsup.equity.question import Question, Side
from headsup.equity.results import Z95, EquityResult, Interval

if TYPE_CHECKING:
    from headsup.discards.equity.maps import SwapValues

DATA = Path(__file__).parent / "data" / "swap_gains.txt"
SWAPS = ("rule", "best", "best-last")
FLOPS = 24  # flops on which a gain is found where no table has it: some seconds
Floats = npt.NDArray[np.float64]


class SwapOptions(NamedTuple):
    """The shares of the pot after each choice, for one hand in one situation."""

    situation: str
    """Of `maps.SITUATIONS`."""
    keep: float
    throw: tuple[float, float]
    """The first card of the hand, the second."""

    @property
    def best(self) -> int:
        """0 keep, 1 throw the first card, 2 throw the second."""
        return int(np.argmax([self.keep, *self.throw]))


class SwapAdvice(NamedTuple):
    """Which card of a hand goes on a board: by the rule, and for the largest share of the pot."""

    cards: tuple[int, int]
    rule: int  # 0 keep, 1 throw the first card, 2 throw the second
    options: tuple[SwapOptions, ...]

    @property
    def hand(self) -> str:
        return cards_name(self.cards)

    def thrown(self, choice: int) -> str | None:
        """The card that goes, or None."""
        return card_name(self.cards[choice - 1]) if choice else None

    def as_dict(self) -> dict[str, Any]:
        names = [card_name(card) for card in self.cards]
        options = [
            {
                "situation": option.situation,
                "throw": self.thrown(option.best),
                "equities": {"keep": option.keep, **dict(zip(names, option.throw, strict=True))},
            }
            for option in self.options
        ]
        return {"hand": self.hand, "rule_throws": self.thrown(self.rule), "best": options}


class Gain(NamedTuple):
    """What a better swap gains, as a fraction of the pot."""

    gain: float
    margin: float  # half the width of the 95 % interval; 0 where all that follows was looked through
    flops: int  # on how many flops, up to suits, it was found
    advice: tuple[SwapAdvice, ...] = ()
    """On a board: what each hand of the player does."""


@dataclass(frozen=True)
class BestSwap:
    """The equity of a player with the best swaps against one who follows the rule."""

    swap: str
    rule: EquityResult  # the same where both follow the rule
    gain: Gain

    @property
    def equity(self) -> float:
        return self.rule.equity + self.gain.gain

    @property
    def interval(self) -> Interval:
        """The 95 % confidence interval, from the deals and from the flops."""
        margin = self.rule.interval.margin if self.rule.interval else 0.0
        half = sqrt(margin**2 + self.gain.margin**2)
        return Interval(self.equity - half, self.equity + half)

    def as_dict(self) -> dict[str, Any]:
        texts = self.rule.texts
        return {
            "game": self.rule.game,
            "exact": False,
            "swap": self.swap,
            "equity": self.equity,
            "interval": [self.interval.low, self.interval.high],
            "level": self.interval.level,
            "gain": {"equity": self.gain.gain, "margin": self.gain.margin, "flops": self.gain.flops},
            "swaps": [advice.as_dict() for advice in self.gain.advice],
            "players": [{"text": texts[0], "equity": self.equity}, {"text": texts[1], "equity": 1.0 - self.equity}],
            "rule": self.rule.as_dict(),
        }


@dataclass(frozen=True, eq=False)
class GainTable:
    """What each hand class gains against a random hand."""

    gains: Floats  # [2, 169] by kind of swap, best and best-last
    margins: Floats  # [2, 169]
    flops: int

    def of_side(self, side: Side, swap: str) -> Gain:
        row = SWAPS.index(swap) - 1
        shares = np.bincount(holdem_class_of_combo()[side.combos], side.weights, HOLDEM_CLASSES) / side.total
        # The same flops serve all classes, so their errors may add up.
        return Gain(float(shares @ self.gains[row]), float(shares @ self.margins[row]), self.flops)


@cache
def gain_table() -> GainTable:
    text = read_shipped(DATA).decode()
    return parsed(DATA, lambda: parse_gains(text), "a table of gains")


def parse_gains(text: str) -> GainTable:
    _, head, *lines = text.splitlines()
    rows = [line.split() for line in lines]
    numbers = np.array([row[1:] for row in rows], dtype=np.float64)
    if [row[0] for row in rows] != [holdem_class_name(i) for i in range(HOLDEM_CLASSES)] or numbers.shape[1] != 4:
        raise DataError("the table of gains by better swaps is not whole: reinstall headsup")
    return GainTable(numbers[:, ::2].T.copy(), numbers[:, 1::2].T.copy(), int(head.split()[1]))


def gains_text(table: GainTable) -> str:
    head = "# What the best swap gains over the rule against a random hand that follows it, swapping first and last: +-"
    numbers = np.stack([table.gains, table.margins], axis=1).reshape(4, -1).T.tolist()
    rows = [f"{holdem_class_name(i)} {' '.join(f'{x:.6f}' for x in row)}" for i, row in enumerate(numbers)]
    return "\n".join([head, f"flops {table.flops}", *rows]) + "\n"


def find_gain(question: Question, swap: str, seed: int, progress: Watch | None = None) -> Gain:
    """What the first player of a question gains with the best swaps; the second follows the rule."""
    if swap not in SWAPS[1:]:
        raise UserError(f"'{swap}' is not a way to swap: choose one of {', '.join(SWAPS)}")
    if random_side(question) == 1:
        return gain_table().of_side(question.a, swap)
    if question.dead:
        raise UserError("the best swap is not found with dead cards: leave them out")
    from headsup.discards.equity.maps import board_values, gains, spread

    kind = SWAPS.index(swap)
    mine, theirs = (spread(side.spread().astype(np.float64)) for side in (question.a, question.b))
    if question.board:
        values = board_values(question.board, theirs)
        gain = float(gains(values, question.board, mine)[kind])
        return Gain(gain, 0.0, 1, _advice(question, values, last=swap == SWAPS[2]))
    drawn = []
    for flop in _draw_flops(question, seed):
        drawn.append(float(gains(board_values(flop, theirs), flop, mine)[kind]))
        if progress is not None:
            progress(Progress(len(drawn), FLOPS, "looking through flops"))
    return Gain(float(np.mean(drawn)), Z95 * float(np.std(drawn, ddof=1)) / sqrt(FLOPS), FLOPS)


def _advice(question: Question, values: "SwapValues", last: bool) -> tuple[SwapAdvice, ...]:
    """What each hand of the first player does on the board, swapping first or last; cards high to low."""
    from headsup.discards.equity.maps import SITUATIONS
    from headsup.discards.swap import swap_rule

    every = []
    for low, high in question.a.cards.tolist():
        options = []
        for at in (1, 2) if last else (0,):
            keep, first, second = values.options[at, :, high, low].tolist()
            options.append(SwapOptions(SITUATIONS[at], keep, (first, second)))
        every.append(SwapAdvice((high, low), swap_rule((high, low), question.board), tuple(options)))
    return tuple(every)


def _draw_flops(question: Question, seed: int) -> list[tuple[int, ...]]:
    """Random flops, in proportion to how often both ranges allow them."""
    from headsup.equity.sampling import Pairs

    rng = np.random.default_rng([seed, FLOPS])
    first, second = Pairs(question).draw(rng, FLOPS)
    out = []
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        gone = {*question.a.cards[i].tolist(), *question.b.cards[j].tolist()}
        left = [card for card in range(52) if card not in gone]
        out.append(tuple(sorted(int(card) for card in rng.choice(left, 3, replace=False))))
    return out
