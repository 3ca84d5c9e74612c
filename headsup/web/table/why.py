"""Why a hand is jammed, called or folded: the calculation behind its expected value."""

import numpy as np

from headsup.cards.combos import combo_masks
from headsup.common.arrays import Floats
from headsup.jamfold.answer import JamFoldAnswer
from headsup.jamfold.hands import class_of_combo
from headsup.web.render import percent, signed


def met(game: str, played: Floats, hand: int) -> float:
    """The fraction of the opponent's hands without a common card that are played."""
    kinds, masks = class_of_combo(game), combo_masks(2 if game == "holdem" else 4)
    apart = (masks & masks[int(np.argmax(kinds == hand))]) == 0
    return float(played[kinds[apart]].mean())


def why_jam(answer: JamFoldAnswer, hand: int) -> str:
    stack, _, big, gift = answer.payoffs
    called, total = met(answer.game, answer.call, hand), float(answer.ev("sb")[hand])
    folds = f"The big blind folds {percent(1 - called)} of the time, which wins {big + gift:g} bb"
    if called < 1e-9:
        return f"{folds}."
    show = (total - (1 - called) * (big + gift)) / called
    share = (show - gift) / (2 * stack) + 0.5
    return (
        f"{folds}. When called ({percent(called)}), this hand has {percent(share)} equity in a pot of {2 * stack:g} "
        f"bb, worth {signed(show)} bb. In total a jam is worth {signed(total)} bb and a fold "
        f"{signed(answer.payoffs.fold_sb)} bb."
    )


def why_call(answer: JamFoldAnswer, hand: int) -> str:
    stack, _, big, gift = answer.payoffs
    worth = float(answer.ev("bb")[hand])
    if worth != worth or met(answer.game, answer.jam, hand) < 1e-9:
        return "The small blind never jams when you hold this hand."
    share, needed = (worth + gift) / (2 * stack) + 0.5, (stack - big) / (2 * stack)
    return (
        f"Against the jamming range this hand has {percent(share)} equity in a pot of {2 * stack:g} bb; a call needs "
        f"at least {percent(needed)}. A call is worth {signed(worth)} bb and a fold "
        f"{signed(answer.payoffs.fold_bb)} bb."
    )
