"""Questions from a browser: read by the code that reads the command line, within limits of their own.

What the browser sends is text, and only text: it is parsed as cards, ranges, numbers and menus, and never names a file.
"""

from __future__ import annotations

import gc
import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.cards.ranges import Range
    from headsup.common.arrays import Floats
    from headsup.equity.results import EquityResult
    from headsup.games.betting.stakes import Stakes

LONGEST = 20_000
"""Characters of a text: a hold'em range with a weight for each of its 1,326 hands has fewer."""
EXACT = 10.0
"""Seconds that an exact equity may take by its estimate before it is sampled."""
PATIENCE = 30.0
"""Seconds that a request waits for its turn to calculate."""
DRAWN = 0.1
"""Seconds in which a browser on the same cores draws what came."""
MOST_SAMPLES = 2_000_000
STANDARD = "0.5/1"

_turn = threading.Lock()
_answering, _answered = [0], [-math.inf]


class Busy(UserError):
    """The server calculates something else for now."""


def later(seconds: float, act: Callable[[], object]) -> None:
    """Do something beside all requests after some time, such as when a page has been painted."""
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()


def settle() -> None:
    """Tell the garbage collector that what was loaded until now stays.

    Once in some hundred views it looks through all objects and nobody else works meanwhile: 0.1 s with all modules and
    kernels among them, and nothing worth telling without.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


@contextmanager
def answering() -> Iterator[None]:
    """While a request is answered; the event loop alone says so."""
    _answering[0] += 1
    try:
        yield
    finally:
        _answering[0] -= 1
        _answered[0] = time.monotonic()


def give_way(most: float = 0.15) -> None:
    """Wait while others are answered too, or were just now: clicks and their drawing before what can come later."""
    end = time.monotonic() + most
    while (now := time.monotonic()) < end and (_answering[0] > 1 or now < _answered[0] + DRAWN):
        time.sleep(0.002)


@contextmanager
def calculating(wait: bool = False) -> Iterator[None]:
    """One calculation with kernels at a time: each takes all cores by itself, and parallel kernels do not share."""
    if not _turn.acquire(timeout=-1 if wait else PATIENCE):
        raise Busy("the server is busy with other questions: ask again in a moment")
    try:
        yield
    finally:
        _turn.release()


def short(text: str, what: str) -> str:
    """A text that is not endless."""
    if len(text) > LONGEST:
        raise UserError(f"{what} has {len(text):,} characters, more than {LONGEST:,}: shorten it")
    if "\0" in text:
        raise UserError(f"{what} has a zero byte, and no text has one: take it out")
    return text


def plain(message: str) -> str:
    """A message of the command line for a page, where options are fields and what is quoted may be endless."""
    cut = re.sub(r"'([^']{60})[^']{20,}'", r"'\1…'", message)
    return re.sub(r"(?<![\w-])--(?=[a-z])", "", cut)


def one_of(value: str, choices: tuple[str, ...], what: str) -> str:
    """One of a few words."""
    if value not in choices:
        raise UserError(f"{what} is one of {', '.join(choices)}, not '{value[:40]}'")
    return value


def read_stakes(
    stack: str,
    blinds: str = STANDARD,
    ante: str = "0",
    bb_ante: str = "0",
    opponent: str | None = None,
    seat: str = "sb",
    in_big_blinds: bool = False,
) -> Stakes:
    """Stacks, blinds and antes, as `headsup jamfold` reads them; or stacks in big blinds, whatever those are."""
    from headsup.games.betting import stakes

    one_of(seat, ("sb", "bb"), "seat")
    return stakes.read_stakes(stack, blinds, ante, bb_ante, opponent, seat, in_big_blinds)


def read_lock(text: str, game: str) -> Floats:
    """A fixed strategy from range text; unlike on the command line it never names a file."""
    from headsup.cards.ranges import parse_range
    from headsup.jamfold.ranges import class_frequencies

    return class_frequencies(parse_range(short(text, "the locked range"), game))


def painted(text: str, weights: dict[str, float]) -> Range:
    """A hold'em range with some hand classes set to a weight; all others stay as the text has them, suit by suit."""
    from headsup.cards.classes import holdem_class_of_combo, parse_holdem_class
    from headsup.cards.ranges import Range, parse_range

    if len(weights) > 169:
        raise UserError(f"{len(weights)} hands cannot be set: there are 169 classes")
    now = parse_range(short(text, "the range").strip() or "none", "holdem").weights.copy()
    of_combo = holdem_class_of_combo()
    for name, weight in weights.items():
        if not 0.0 <= weight <= 1.0:
            raise UserError(f"{name} cannot have the weight {weight:g}: give 0 to 1")
        now[of_combo == parse_holdem_class(name)] = weight
    return Range("holdem", now)


def asked_equity(
    a: str,
    b: str,
    board: str,
    dead: str,
    game: str,
    method: str | None = None,
    samples: int | None = None,
    seed: int = 0,
) -> EquityResult:
    """`headsup equity`, but for what would take long: that is sampled, and the answer says so."""
    from headsup.equity.api import cheapest, equity
    from headsup.equity.question import read_question
    from headsup.equity.sampling import DEFAULT_SAMPLES

    for text, what in ((a, "the first range"), (b, "the second range"), (board, "the board"), (dead, "dead")):
        short(text, what)
    if samples is not None and not 1 <= samples <= MOST_SAMPLES:
        raise UserError(f"{samples:,} deals cannot be sampled here: give 1 to {MOST_SAMPLES:,}")
    question = read_question(a, b, board, dead, game)
    with calculating():
        if method is None:
            method = "sampling" if samples is not None or cheapest(question)[1] > EXACT else None
        elif method != "sampling":
            raise UserError("here the cheapest exact method is taken, or sampling: leave the method out")
        return equity(a, b, board, dead, game, method, samples or DEFAULT_SAMPLES, seed)
