"""Requests from a browser, parsed by the code of the command line within tighter limits.

A browser sends only text: cards, ranges, numbers and bet menus. It never names a file.
"""

from __future__ import annotations

import gc
import math
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from headsup.common.errors import UserError

if TYPE_CHECKING:
    from headsup.cards.ranges import Range
    from headsup.cards.ranges.formats import ForeignRange
    from headsup.common.arrays import Floats
    from headsup.equity.results import EquityResult

LONGEST = 20_000  # characters of a text: a hold'em range with a weight for each of its 1,326 hands has fewer
EXACT = 10.0  # seconds that an exact equity may take by its estimate before it is sampled
PATIENCE = 30.0  # seconds that a request waits for its turn to calculate
DRAWN = 0.1  # seconds in which a browser on the same cores draws what came
MOST_SAMPLES = 2_000_000
STANDARD = "0.5/1"

_turn = threading.Lock()
_answering, _answered = [0], [-math.inf]
_holder = [""]  # why the turn is taken, in a sentence; empty for requests


class Busy(UserError):
    """Another calculation is running."""


def later(seconds: float, act: Callable[[], object]) -> None:
    """Run something in the background after some time, such as when a page has been painted."""
    timer = threading.Timer(seconds, act)
    timer.daemon = True
    timer.start()


def settle() -> None:
    """Exclude everything loaded so far from garbage collection: a full one takes 0.1 s and blocks all requests."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


@contextmanager
def answering() -> Iterator[None]:
    """Count requests in progress; called by the event loop only."""
    _answering[0] += 1
    try:
        yield
    finally:
        _answering[0] -= 1
        _answered[0] = time.monotonic()


def give_way(most: float = 0.15) -> None:
    """Wait while other requests are answered, or were just now: clicks come before background work."""
    end = time.monotonic() + most
    while (now := time.monotonic()) < end and (_answering[0] > 1 or now < _answered[0] + DRAWN):
        time.sleep(0.002)


@contextmanager
def calculating(wait: bool = False, reason: str = "") -> Iterator[None]:
    """One calculation with kernels at a time: each uses all cores. Who waits in vain reads the reason."""
    if not _turn.acquire(timeout=-1 if wait else PATIENCE):
        raise Busy(_holder[0] or "the server is busy with other requests: try again in a moment")
    _holder[0] = reason
    try:
        yield
    finally:
        _holder[0] = ""
        _turn.release()


def short(text: str, what: str) -> str:
    if len(text) > LONGEST:
        raise UserError(f"{what} has {len(text):,} characters, more than {LONGEST:,}: shorten it")
    if "\0" in text:
        raise UserError(f"{what} contains a zero byte: remove it")
    return text


def plain(message: str) -> str:
    """A message of the command line for a page: options without dashes, long quotes shortened."""
    cut = re.sub(r"'([^']{60})[^']{20,}'", r"'\1…'", message)
    words = re.sub(
        r"--([a-z-]+) got (?=')", lambda option: f"the {option[1]} {'are' if option[1][-1] == 's' else 'is'} ", cut
    )
    return re.sub(r"(?<![\w-])--(?=[a-z])", "", words)


def one_of(value: str, choices: tuple[str, ...], what: str) -> str:
    if value not in choices:
        raise UserError(f"{what} is one of {', '.join(choices)}, not '{value[:40]}'")
    return value


def read_lock(text: str, game: str) -> Floats:
    """A fixed strategy from a range; unlike on the command line never from a file."""
    from headsup.cards.ranges import parse_range
    from headsup.jamfold.ranges import class_frequencies

    return class_frequencies(parse_range(short(text, "the locked range"), game))


def painted(text: str, weights: dict[str, float]) -> Range:
    """A hold'em range with some hand classes set to a weight; other hands keep theirs."""
    from headsup.cards.classes import holdem_class_of_combo, parse_holdem_class
    from headsup.cards.ranges import Range, parse_range

    if len(weights) > 169:
        raise UserError(f"{len(weights)} weights were sent: give at most 169, one for each starting hand")
    now = parse_range(short(text, "the range").strip() or "none", "holdem").weights.copy()
    of_combo = holdem_class_of_combo()
    for name, weight in weights.items():
        if not 0.0 <= weight <= 1.0:
            raise UserError(f"{name} has the weight {weight:g}: give 0 to 1")
        now[of_combo == parse_holdem_class(name)] = weight
    return Range("holdem", now)


def pasted_range(text: str, player: str) -> ForeignRange:
    """A hold'em range of another program; of a script with several, that of the player."""
    from headsup.cards.ranges.formats import read_range

    try:
        return read_range(text)
    except UserError:
        if not player:
            raise
        with suppress(UserError):
            return read_range(text, part=player)
        raise


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
    """Like `headsup equity`, but sampled if an exact count takes too long."""
    from headsup.equity.api import cheapest, equity
    from headsup.equity.question import read_question
    from headsup.equity.sampling import DEFAULT_SAMPLES

    for text, what in ((a, "the first range"), (b, "the second range"), (board, "the board"), (dead, "dead")):
        short(text, what)
    if samples is not None and not 1 <= samples <= MOST_SAMPLES:
        raise UserError(f"{samples:,} samples is out of range: give 1 to {MOST_SAMPLES:,}")
    question = read_question(a, b, board, dead, game)
    with calculating():
        if method is None:
            method = "sampling" if samples is not None or cheapest(question)[1] > EXACT else None
        elif method != "sampling":
            raise UserError(
                "only sampling can be chosen here; exact methods are chosen automatically: leave the method out"
            )
        return equity(a, b, board, dead, game, method, samples or DEFAULT_SAMPLES, seed)
