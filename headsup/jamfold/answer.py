"""Any jam/fold question: from the shipped sweep where the stack is in it, else solved, else the nearest shipped stack.

blinds 1:2, no ante, a stack of the sweep        the shipped solution, unless one is asked for
anything else, hold'em                           solved now
anything else, Omaha, the table is there         solved now, from the nearest shipped stack
another stack, Omaha, no table                   the nearest shipped stack, and it says so
a stack below the sweep, Omaha, no table         the smallest shipped stack to scale: all are in by posting already
a stack above the sweep, Omaha, no table         one sentence that says how to get the table
other blinds or any ante, Omaha, no table        the same

Only where there is no table at all does the shipped data stand in for it; a table that is damaged, of another version
or of another deck, or a GPU that cannot be used, is an error.

What ships is read without the solvers, which are loaded when something is solved. `jamfold_sweep` makes what ships,
`jamfold_locked` answers an opponent whose strategy is fixed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from headsup.common.arrays import Floats
from headsup.common.checks import as_path, as_truth, between, check_device, door, positive, whole
from headsup.common.errors import DataError, UserError
from headsup.games.betting.stakes import Payoffs, Stakes
from headsup.games.holdem.classes import Classes, check_source, class_table, has_table
from headsup.jamfold.hands import Charts, class_name, class_sizes
from headsup.jamfold.shipped import FIGURES, hand_figures, has_shipped, shipped

if TYPE_CHECKING:
    from headsup.jamfold.certificate import Certificate

SHIPPED, SOLVED, NEAREST = "shipped", "solved", "nearest shipped stack"
CLOSE_BB = 1e-3
"""Hands whose two choices are within this many big blinds of each other are marked as indifferent."""


@dataclass(frozen=True, eq=False)
class Answer(Charts):
    """An equilibrium with its certificate, and where it comes from; everything in big blinds."""

    game: str
    payoffs: Payoffs
    """Of the solution: `payoffs.stack` differs from the stack asked for if `source` is NEAREST."""
    source: str
    ev_jam: Floats
    ev_call: Floats
    value_sb: float
    exploitability_mbb: float
    jam_frequency: float
    call_frequency: float

    def __repr__(self) -> str:
        played = f"jams {self.jam_frequency:.2%}, calls {self.call_frequency:.2%}"
        worth = f"worth {self.value_sb:+.6f} bb to the small blind"
        stack = (
            f"at {self.payoffs.stack:g} bb" if not self.payoffs.gift else f"for pots of {2 * self.payoffs.stack:g} bb"
        )
        return f"<Answer {self.game} {stack} ({self.source}): {played}, {worth}>"

    def _repr_html_(self) -> str:
        """For notebooks: both charts in hold'em, the figures in Omaha."""
        from headsup.common.display import chart, table

        figures = [
            ("jams", f"{self.jam_frequency:.2%}"),
            ("calls", f"{self.call_frequency:.2%}"),
            ("worth to the small blind", f"{self.value_sb:+.6f} bb"),
            ("exploitability", f"{self.exploitability_mbb:.2g} mbb"),
        ]
        told = table(f"{self.game}, {self.payoffs.stack:g} bb ({self.source})", (), figures)
        if self.game != "holdem":
            return told
        charts = (("small blind jams", self.jam), ("big blind calls", self.call))
        return told + "".join(chart(title, self.labels, shares.tolist()) for title, shares in charts)

    @property
    def labels(self) -> tuple[str, ...]:
        """The name of each hand class."""
        return tuple(class_name(self.game, index) for index in range(len(self.jam)))

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """One row a hand class, as columns of equal length, ready for a data frame."""
        both = {"jam": self.jam, "call": self.call, "ev_jam": self.ev_jam, "ev_call": self.ev_call}
        return {"hand": np.array(self.labels), "hands": class_sizes(self.game)[: len(self.jam)], **both}

    def ev(self, seat: str) -> Floats:
        """The expected value of jamming (sb) or of calling a jam (bb), each class."""
        return self.ev_jam if seat == "sb" else self.ev_call

    def ev_fold(self, seat: str) -> float:
        """The expected value of folding."""
        return self.payoffs.fold_sb if seat == "sb" else self.payoffs.fold_bb

    def close(self, seat: str, hand: int) -> bool:
        """Whether playing and folding are within `CLOSE_BB` of each other; never where no jam is possible."""
        return bool(abs(self.ev(seat)[hand] - self.ev_fold(seat)) < CLOSE_BB)


@door(folder=as_path, device=check_device, fresh=as_truth, hand=whole)
def answer(
    game: str,
    stakes: Stakes | float,
    *,
    folder: Path | None = None,
    device: str = "cpu",
    fresh: bool = False,
    hand: int | None = None,
) -> Answer:
    """The equilibrium of these stakes, or of a stack in big blinds with blinds 1:2 and no ante.

    `fresh`, a folder of the table or a GPU solve it now even if it is shipped. With a hand class, what is said of the
    other ones may be nan: it is not unpacked if the answer is shipped.
    """
    check_source(game, device, folder)
    if hand is not None:
        between(0, len(class_sizes(game)) - 1)(hand, "hand")
    if not isinstance(stakes, Stakes):
        positive(stakes, "stakes (the stack in big blinds, or Stakes)")
        stakes = Stakes.of(stakes)
    payoffs = stakes.payoffs
    known = stakes.standard and has_shipped(game)
    if known and not (fresh or device != "cpu" or folder is not None):
        if hand is not None and (known_hand := hand_figures(game, payoffs.stack, hand)) is not None:
            return Answer(game=game, payoffs=payoffs, source=SHIPPED, **known_hand)
        if shipped(game).has(payoffs.stack):
            return _shipped(game, payoffs.stack, SHIPPED)
        if game != "holdem" and not has_table():
            return _without_table(game, payoffs.stack)
    if game != "holdem" and not stakes.standard and folder is None and not has_table():
        from headsup.equity.omaha.matchups import TABLE_COST

        raise UserError(
            f"there is no finished table of matchups, and {game} with other blinds than 1:2 or with an ante is solved "
            f"from it: make it with  headsup tabulate omaha8  ({TABLE_COST})"
        )
    return solved(class_table(game, device=device, folder=folder), payoffs)


def solved(table: Classes, payoffs: Payoffs) -> Answer:
    """Solve now; an Omaha game starts from the nearest shipped stack."""
    from headsup.jamfold.cfr import TARGET_MBB
    from headsup.jamfold.exact import certified
    from headsup.jamfold.gains import jamfold_gains

    start = None
    if table.game != "holdem" and has_shipped(table.game) and shipped(table.game).classes == table.classes:
        sweep = shipped(table.game)
        near = sweep.nearest(payoffs.stack)
        start = sweep.jam[near], sweep.call[near]
    _, proof = certified(jamfold_gains(table, payoffs), TARGET_MBB, start)
    return Answer(game=table.game, payoffs=payoffs, source=SOLVED, **figures(proof))


def figures(proof: Certificate) -> dict[str, Any]:
    """What an answer keeps of a certificate, by name."""
    return {name: getattr(proof, name) for name in FIGURES}


def _shipped(game: str, stack: float, source: str) -> Answer:
    sweep = shipped(game)
    at = sweep.nearest(stack)
    payoffs = Stakes.of(float(sweep.stacks[at])).payoffs
    return Answer(game=game, payoffs=payoffs, source=source, **sweep.figures(at))


def _without_table(game: str, stack: float) -> Answer:
    """What the shipped stacks can say about one that is not among them."""
    sweep = shipped(game)
    least, most = float(sweep.stacks[0]), float(sweep.stacks[-1])
    if stack > most:
        from headsup.equity.omaha.matchups import TABLE_COST

        raise UserError(
            f"{stack:g} big blinds are outside the shipped {game} stacks, {least:g} to {most:g}: for any other stack "
            f"make the table with  headsup tabulate omaha8  ({TABLE_COST})"
        )
    if stack > least:
        return _shipped(game, stack, NEAREST)
    found, scale = _shipped(game, least, SHIPPED), stack / least
    if not (found.payoffs.small == found.payoffs.big == least and found.jam.all() and found.call.all()):
        raise DataError(f"the smallest shipped {game} stack has something to decide: make it again with  headsup sweep")
    # Both are all-in by posting and nothing is left to decide: every pot, and so every value, is in proportion.
    return replace(
        found,
        payoffs=Payoffs(stack, stack, stack),
        ev_jam=found.ev_jam * scale,
        ev_call=found.ev_call * scale,
        value_sb=found.value_sb * scale,
        exploitability_mbb=found.exploitability_mbb * scale,
    )


jamfold = answer
"""The name that `headsup.jamfold` offers it by."""
