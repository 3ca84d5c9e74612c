"""Why a hand is jammed, called or folded: the sum behind its expected value, in words."""

from __future__ import annotations

from headsup.games.arrays import Floats
from headsup.games.classes import Classes
from headsup.games.jamfold import Payoffs
from headsup.web.render import percent, signed


def why_jam(table: Classes, payoffs: Payoffs, calls: Floats, hand: int) -> str:
    """The small blind's sum: how often it is called, and what it has then."""
    pots, met = (float(table.to_host(one)[hand]) for one in table.sums(table.xp.asarray(calls)))
    called, (stack, _, big, gift) = met / table.total, payoffs
    folds = f"The big blind folds {percent(1 - called)} of the time, which wins {big + gift:g} bb"
    if met < 1e-9:
        return f"{folds}."
    share = pots / met
    show = 2 * stack * (share - 0.5) + gift
    total = (1 - called) * (big + gift) + called * show
    return (
        f"{folds}. Called {percent(called)} of the time, this hand wins {percent(share)} of a pot of {2 * stack:g} bb: "
        f"{signed(show)} bb. Together {signed(total)} bb; a fold is worth {signed(payoffs.fold_sb)} bb."
    )


def why_call(table: Classes, payoffs: Payoffs, jams: Floats, hand: int) -> str:
    """The big blind's sum: what it has against the hands that jam, and what it needs."""
    pots, met = (float(table.to_host(one)[hand]) for one in table.sums(table.xp.asarray(jams)))
    stack, _, big, gift = payoffs
    if met < 1e-9:
        return "Nobody jams against this hand."
    share, needed = pots / met, (stack - big) / (2 * stack)
    worth = 2 * stack * (share - 0.5) - gift
    return (
        f"Against the hands that jam, this one wins {percent(share)} of a pot of {2 * stack:g} bb, {signed(worth)} bb; "
        f"a fold is worth {signed(payoffs.fold_bb)} bb. A call needs {percent(needed)} or more."
    )
