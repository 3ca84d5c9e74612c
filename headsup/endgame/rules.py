"""A heads-up endgame: hand after hand of jam or fold until one player has all chips.

**States.** A state is the number of hands played (while the blinds still rise) and c, the chips of the player on the
button, of N in all. V(c) is that player's chance to win everything. A big blind with c chips wins with 1 - V(N - c).

**One hand.** m is what both can lose, s and b are what the two have posted (`headsup.jamfold.game`). Its ends:

    the small blind folds     c - s
    jam, the big blind folds  c + b       (and the big blind's ante)
    jam, call                 c - m + its part of the pot, for each of the K outcomes of a showdown

An end with z chips is worth 1 - V(N - z), of the next hand's V, so a hand is jam or fold with other payoffs, and V(c)
is its value for every c at once. Play that never ends counts one half. If m <= s nobody has a choice, if m <= b the big
blind has none.

**Odd chips** go to the big blind; in Hi-Lo those of a whole pot to the high hand (rule 20 of the Tournament Directors
Association): with a half of h units, three quarters are h + h // 2 to the button, and one quarter is h // 2. So in
Hi-Lo a finer unit moves the odd chip; elsewhere it only adds states that are never reached.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cards.games import check_game
from headsup.common.checks import as_text, ascii_number, door, quoted
from headsup.common.errors import UserError

MOST_UNITS = 2000  # units in play at most: a certificate solves linear equations of twice as many states
MOST_HANDS = 500  # hands before the last level at most
_LONGEST, _HUGE = 60, re.compile(r"[eE][+-]?0*[1-9][0-9]")
"""Digits and exponents beyond which a number would only take time."""
_LEVEL = re.compile(r"(?P<small>[0-9.]+)/(?P<big>[0-9.]+)(?:/(?P<ante>[0-9.]+))?(?:x(?P<hands>[0-9]{1,9}))?")


class BlindLevel(NamedTuple):
    """Blinds and antes in units, and for how many hands; None means to the end."""

    small: int
    big: int
    ante: int = 0
    bb_ante: int = 0  # posted by the big blind alone, for both, before the blind
    hands: int | None = None


class EndgameHand(NamedTuple):
    """One hand: chips of the button, in units."""

    chips: int
    stack: int  # m, what both can lose
    small: int
    big: int
    ends: tuple[int, ...]
    """After a fold, after a jam that is not called, and after each outcome of a showdown, the best first."""

    @property
    def all_in(self) -> bool:
        return self.stack <= self.small

    @property
    def called(self) -> bool:
        return self.stack <= self.big


def outcomes(game: str) -> int:
    return 5 if check_game(game) == "omaha8" else 3


def pot_splits(game: str, pot: int) -> tuple[int, ...]:
    """The button's part of a pot in each outcome, the best first; odd chips go to the big blind."""
    half = pot // 2
    if outcomes(game) == 3:
        return pot, half, 0
    return pot, half + half // 2, half, half // 2, 0


@dataclass(frozen=True)
class Endgame:
    """The rules: game, chips in all and the levels of the blinds, in units; `unit` is a unit in the user's chips."""

    game: str
    chips: int
    levels: tuple[BlindLevel, ...]
    unit: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        check_game(self.game)
        if not 2 <= self.chips <= MOST_UNITS:
            raise UserError(
                f"the chips come to {self.chips:,} units: from 2 to {MOST_UNITS:,} can be solved, so choose another "
                "--unit"
            )
        if not self.levels or self.levels[-1].hands is not None or any(not level.hands for level in self.levels[:-1]):
            raise UserError("every level of the blinds but the last needs a number of hands, 1 or more")
        if self.rising > MOST_HANDS:
            raise UserError(f"the blinds rise for {self.rising} hands: the most that is solved is {MOST_HANDS}")
        for level in self.levels:
            if not 0 <= level.small <= level.big or level.big < 1:
                raise UserError("a small blind must lie between 0 and its big blind, and the big blind be above zero")
            if level.ante < 0 or level.bb_ante < 0:
                raise UserError("an ante must be zero or more")
            if self.game == "omaha8" and level.bb_ante % 2:
                raise UserError(
                    "a big-blind ante of an odd number of units makes pots whose odd chip goes to the high hand, which "
                    "the table does not tell: choose another --unit"
                )
        last = self.levels[-1]
        if last.small + last.ante + last.bb_ante == 0:
            raise UserError("without a small blind and antes a button who folds loses nothing: play need not end")

    @property
    def rising(self) -> int:
        """The number of hands before the last level."""
        return sum(level.hands or 0 for level in self.levels[:-1])

    @cached_property
    def schedule(self) -> tuple[BlindLevel, ...]:
        """The level of each hand until the last level, and the last level once."""
        return (*(level for level in self.levels for _ in range(level.hands or 0)), self.levels[-1])

    @property
    def big_blinds(self) -> float:
        """The chips in all, in big blinds of the first level."""
        return self.chips / self.levels[0].big

    def hand(self, level: BlindLevel, chips: int) -> EndgameHand:
        other = self.chips - chips
        dead = min(level.bb_ante, max(other - level.ante, 0))
        stack = min(chips, other - dead)
        small, big = (min(level.ante + blind, stack) for blind in (level.small, level.big))
        ends = (
            chips - small,
            chips + big + dead,
            *(chips - stack + part for part in pot_splits(self.game, 2 * stack + dead)),
        )
        return EndgameHand(chips, stack, small, big, ends)

    def hands(self, level: BlindLevel) -> tuple[EndgameHand, ...]:
        """The hands of all states, by chips of the button from 1 to N - 1."""
        return tuple(self.hand(level, chips) for chips in range(1, self.chips))

    def ends(self, level: BlindLevel) -> npt.NDArray[np.intp]:
        """[states, 2 + K]: chips of the button after each end."""
        return np.array([hand.ends for hand in self.hands(level)], dtype=np.intp)

    def units(self, amount: str | float | Fraction, what: str) -> int:
        """An amount in units; raises unless it is whole."""
        number = exact(amount, what) / self.unit
        if number.denominator != 1:
            raise UserError(
                f"{what} is {amount}, not a whole number of units of {text(self.unit)}: give a finer --unit"
            )
        return int(number)


def exact(amount: str | float | Fraction, what: str) -> Fraction:
    """A number as written, unless it is too large for chips."""
    if isinstance(amount, str) and (len(amount) > _LONGEST or _HUGE.search(amount)):
        raise UserError(f"{what} is {quoted(amount)}: write it with fewer digits, for example 20 or 7.5")
    try:
        return Fraction(ascii_number(str(amount))) if isinstance(amount, str | float) else Fraction(amount)
    except (ValueError, ZeroDivisionError, OverflowError, TypeError):
        raise UserError(f"{what} is {quoted(amount)}, which is not a number: write for example 20 or 7.5") from None


def text(number: Fraction) -> str:
    return f"{float(number):g}"


@door(words=as_text)
def parse_levels(words: str) -> list[tuple[Fraction, Fraction, Fraction, int | None]]:
    """(small blind, big blind, ante, hands) of each level: 0.5/1x10,1/2x10,2/4 or 100/200/25x8,200/400/50."""
    levels = []
    for word in words.split(","):
        match = _LEVEL.fullmatch(word.strip())
        if match is None:
            raise UserError(
                f"--blinds has {quoted(word)}, which is no level: write SB/BB, with /ANTE for an ante and xHANDS for "
                "how many hands it lasts, for example 0.5/1 or 100/200x10,200/400/50"
            )
        small, big, ante = (exact(match[name] or "0", "--blinds") for name in ("small", "big", "ante"))
        levels.append((small, big, ante, int(match["hands"]) if match["hands"] else None))
    for at, (*_, hands) in enumerate(levels):
        last = at == len(levels) - 1
        if last and hands is not None:
            raise UserError("the last level of --blinds lasts until the end: leave out its number of hands")
        if not last and not hands:
            raise UserError("every level of --blinds but the last needs its number of hands, such as 100/200x10")
    return levels


@door(game=as_text, blinds=as_text)
def endgame(
    game: str,
    chips: str | float | Fraction,
    *,
    blinds: str = "0.5/1",
    ante: str | float = "0",
    bb_ante: str | float = "0",
    unit: str | float | Fraction | None = None,
) -> Endgame:
    """An endgame as a person writes it, all amounts in one unit of the user's: big blinds if --blinds is 0.5/1.

    The smallest chip is by default half of the first level's small blind (a quarter of its big blind if there is none).
    `ante` and `bb_ante` are of every level, on top of what `blinds` says.
    """
    levels = parse_levels(blinds)
    small, big = levels[0][:2]
    step = (small / 2 or big / 4) if unit is None else exact(unit, "--unit")
    if step <= 0:
        raise UserError(f"--unit is {quoted(unit)}: it must be above zero")
    units = Endgame(check_game(game), 2, (BlindLevel(1, 2),), step).units
    total = units(chips, "--chips")
    in_units = []
    for low, high, each, hands in levels:
        blinds_in_units = units(low, "a small blind"), units(high, "a big blind")
        antes = units(each, "an ante") + units(ante, "--ante"), units(bb_ante, "--bb-ante")
        in_units.append(BlindLevel(*blinds_in_units, *antes, hands))
    return Endgame(game, total, tuple(in_units), step)
