"""Spots from a browser: parsed, checked for memory, and started as jobs."""

import re
from functools import lru_cache

from headsup.common.checks import cores
from headsup.common.errors import UserError
from headsup.games.holdem.spot import FIELDS, MENUS, Spot
from headsup.solve.holdem.store import MemoryPlan, in_bytes, plan
from headsup.web.asking import one_of, short
from headsup.web.jobs import MOST_SECONDS, Ask, Job, Jobs, memory_limit

EXAMPLE = {
    "board": "Td9d6hQc2s",
    "oop": "66+,A8s+,AJo+,KQo",
    "ip": "QQ-22,AQs-A2s,KJo+",
    "pot": "200",
    "stack": "900",
    "bets": "60%, a",
    "raises": "2.5x",
}
"""Initial values of the fields: a river that is solved in a moment."""
OMAHA_EXAMPLE = {
    "board": "Td9d6hQc2s",
    "oop": "12%",
    "ip": "12%",
    "pot": "100",
    "stack": "300",
    "bets": "100",
}
EXAMPLES = {
    "": EXAMPLE,
    "omaha": OMAHA_EXAMPLE | {"variant": "omaha"},
    "omaha8": OMAHA_EXAMPLE | {"variant": "omaha8", "board": "Ts7d4h2cKs"},
}
"""The same by variant."""
STORES = ("float32", "int16")  # the first is the usual one


PLAIN_SIZE = re.compile(r"(?<![\w.%])([0-9]+(?:\.[0-9]+)?)(?=\s*(?:[,;]|$))")


def read_spot(given: dict[str, str]) -> Spot:
    """A spot from the fields of the page; a bet size that is a plain number is a percentage of the pot."""
    texts = {key: short(given[key], key) for key in FIELDS if given.get(key, "").strip()}
    texts |= {key: PLAIN_SIZE.sub(r"\1%", texts[key]) for key in ("bets", "raises", *MENUS) if key in texts}
    return Spot.from_fields(texts, hint="fill in what is missing")


def fields_of(spot: Spot) -> dict[str, str]:
    """The fields of the page for a spot, to edit or copy it."""
    fields = {key: str(value) for key in FIELDS if (value := getattr(spot, key))}
    return fields | {"stack": ", ".join(map(str, spot.stacks)) if isinstance(spot.stack, tuple) else str(spot.stack)}


@lru_cache(maxsize=256)
def known_spot(text: str) -> Spot:
    """The spot of a job, cached: every click needs it."""
    return Spot.parse(text)


def planned(spot: Spot, store: str = "float32") -> tuple[MemoryPlan, str]:
    """The memory that a spot needs, and why it is refused, if it is."""
    need, most = plan(spot.game(), one_of(store, STORES, "store"), threads=cores()), memory_limit()
    if need.total <= most:
        return need, ""
    way = "use fewer sizes" + (", or int16 precision" if store != "int16" else "")
    return need, f"this needs {in_bytes(need.total)} of memory, and the limit is {in_bytes(most)}: {way}"


def begin(
    jobs: Jobs,
    spot: Spot,
    *,
    name: str = "",
    target: float = 0.005,
    seconds: float = 600.0,
    store: str = "float32",
    locks: tuple[str, ...] = (),
    start: Job | None = None,
) -> Job:
    check_limits(target, seconds)
    if len(locks) > 50 or any(len(lock) > 5000 for lock in locks):
        raise UserError("at most 50 locks of 5,000 characters are allowed: lock less at a time")
    refusal = planned(spot, store)[1]
    if refusal:
        raise UserError(refusal)
    if start is not None and not start.solved:
        raise UserError("there is no solution to resume from yet: wait until it is solved")
    ask = Ask(
        spot.text(), short(name, "the name").strip()[:80], target, seconds, store, locks, start.id if start else ""
    )
    return jobs.start(ask)


def check_limits(target: float, seconds: float) -> None:
    if not 1e-6 <= target < 1.0:
        raise UserError(f"the target is {target:g}: give a fraction of the pot, such as 0.005, at least 0.000001")
    if not 1.0 <= seconds <= MOST_SECONDS:
        raise UserError(f"the time limit is {seconds:g} seconds: give 1 to {MOST_SECONDS:g}")
