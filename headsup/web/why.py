"""Why a hand is jammed, called or folded: the sum behind its expected value, in words."""

from __future__ import annotations

import numpy as np

from headsup.cards.classes import holdem_class_of_combo, omaha_class_of_combo
from headsup.cards.combos import combo_masks
from headsup.common.arrays import Floats
from headsup.jamfold.answer import Answer
from headsup.web.render import percent, signed


def met(game: str, played: Floats, hand: int) -> float:
    """How many of the opponent's hands, of those that share no card with one of the class, are played."""
    cards, kinds = (2, holdem_class_of_combo()) if game == "holdem" else (4, omaha_class_of_combo())
    masks = combo_masks(cards)
    apart = (masks & masks[int(np.argmax(kinds == hand))]) == 0
    return float(played[kinds[apart]].mean())


def why_jam(found: Answer, hand: int) -> str:
    """The small blind's sum: how often it is called, and what it has then."""
    stack, _, big, gift = found.payoffs
    called, total = met(found.game, found.call, hand), float(found.ev("sb")[hand])
    folds = f"The big blind folds {percent(1 - called)} of the time, which wins {big + gift:g} bb"
    if called < 1e-9:
        return f"{folds}."
    show = (total - (1 - called) * (big + gift)) / called
    share = (show - gift) / (2 * stack) + 0.5
    return (
        f"{folds}. Called {percent(called)} of the time, this hand wins {percent(share)} of a pot of {2 * stack:g} bb: "
        f"{signed(show)} bb. Together {signed(total)} bb; a fold is worth {signed(found.payoffs.fold_sb)} bb."
    )


def why_call(found: Answer, hand: int) -> str:
    """The big blind's sum: what it has against the hands that jam, and what it needs."""
    stack, _, big, gift = found.payoffs
    worth = float(found.ev("bb")[hand])
    if worth != worth or met(found.game, found.jam, hand) < 1e-9:
        return "Nobody jams against this hand."
    share, needed = (worth + gift) / (2 * stack) + 0.5, (stack - big) / (2 * stack)
    return (
        f"Against the hands that jam, this one wins {percent(share)} of a pot of {2 * stack:g} bb, {signed(worth)} bb; "
        f"a fold is worth {signed(found.payoffs.fold_bb)} bb. A call needs {percent(needed)} or more."
    )
