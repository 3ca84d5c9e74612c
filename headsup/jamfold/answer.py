"""Any jam/fold question: the shipped equilibrium of the stack, else solved, else shipped strategies nearby.

blinds 1:2, no ante, a stack of the sweep        the shipped solution, unless the caller wants it solved
anything else, hold'em                           solved now
anything else, Omaha, with the matchup table     solved now, from the nearest shipped stack
a stack below the sweep, Omaha, no table         the smallest shipped stack to scale: both are all-in by posting
anything else up to 100 bb, Omaha, no table      the shipped strategies that lose least there, measured there
a larger stack, Omaha, no table                  an error that says how to get the table

Shipped data replaces the table only if there is none at all. A table that is damaged, of another version or of another
deck, or a GPU that cannot be used, is an error.

Shipped answers are read without the solvers, which are loaded when something is solved.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.checks import as_path, as_truth, between, check_device, door, positive, whole
from headsup.common.errors import DataError, UserError
from headsup.games.betting.stakes import Payoffs, Stakes
from headsup.games.holdem.classes import Classes, check_source, class_table, has_table
from headsup.jamfold.hands import Equilibrium, class_name, class_sizes
from headsup.jamfold.shipped import has_shipped, shipped, shipped_equilibrium

SHIPPED, SOLVED = "shipped", "solved"
TRANSFERRED = "shipped strategies of other stakes"
CLOSE_BB = 1e-3  # hands whose two choices are within this many big blinds of each other are marked as indifferent


@dataclass(frozen=True, eq=False, repr=False)
class JamFoldAnswer(Equilibrium):
    """An equilibrium with its certificate and its source, in big blinds."""

    game: str
    payoffs: Payoffs
    source: str
    from_stacks: tuple[float, float] | None = None
    """The shipped stacks of the jams and of the calls, if `source` is TRANSFERRED."""
    rounding_mbb: float = 0.0  # the exploitability may be larger by at most this, because shipped values are rounded

    @classmethod
    def of(cls, equilibrium: Equilibrium, game: str, payoffs: Payoffs, source: str) -> JamFoldAnswer:
        return cls(**equilibrium.equilibrium_fields(), game=game, payoffs=payoffs, source=source)

    def __repr__(self) -> str:
        played = f"jams {self.jam_frequency:.2%}, calls {self.call_frequency:.2%}"
        worth = f"worth {self.value_sb:+.6f} bb to the small blind"
        stack = (
            f"at {self.payoffs.stack:g} bb" if not self.payoffs.gift else f"for pots of {2 * self.payoffs.stack:g} bb"
        )
        return f"<JamFoldAnswer {self.game} {stack} ({self.source}): {played}, {worth}>"

    def _repr_html_(self) -> str:
        """For notebooks: both charts in hold'em, the summary in Omaha."""
        from headsup.common.display import chart, table

        rows = [
            ("jams", f"{self.jam_frequency:.2%}"),
            ("calls", f"{self.call_frequency:.2%}"),
            ("worth to the small blind", f"{self.value_sb:+.6f} bb"),
            ("exploitability", f"{self.exploitability_mbb:.2g} mbb"),
        ]
        summary = table(f"{self.game}, {self.payoffs.stack:g} bb ({self.source})", (), rows)
        if self.game != "holdem":
            return summary
        charts = (("small blind jams", self.jam), ("big blind calls", self.call))
        return summary + "".join(chart(title, self.labels, played.tolist()) for title, played in charts)

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(class_name(self.game, index) for index in range(len(self.jam)))

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """One row a hand class, as columns of equal length, ready for a data frame."""
        both = {"jam": self.jam, "call": self.call, "ev_jam": self.ev_jam, "ev_call": self.ev_call}
        return {"hand": np.array(self.labels), "hands": class_sizes(self.game)[: len(self.jam)], **both}

    def ev_fold(self, seat: str) -> float:
        return self.payoffs.fold_sb if seat == "sb" else self.payoffs.fold_bb

    def close(self, seat: str, hand: int) -> bool:
        """Whether playing and folding are within `CLOSE_BB` of each other; never where no jam is possible."""
        return bool(abs(self.ev(seat)[hand] - self.ev_fold(seat)) < CLOSE_BB)


def _as_stakes(given: Any, what: str) -> Stakes:
    if isinstance(given, Stakes):
        return given
    return Stakes.of(positive(given, f"{what} (the stack in big blinds, or Stakes)"))


@door(stakes=_as_stakes, folder=as_path, device=check_device, fresh=as_truth, hand=whole)
def answer(
    game: str,
    stakes: Stakes | float,
    *,
    folder: Path | None = None,
    device: str = "cpu",
    fresh: bool = False,
    hand: int | None = None,
) -> JamFoldAnswer:
    """The equilibrium of these stakes, or of a stack in big blinds with blinds 1:2 and no ante.

    `fresh`, a folder of the table or a GPU solve it now even if it is shipped. With a hand class, the figures of all
    other hands may be nan: a shipped answer does not unpack them.
    """
    check_source(game, device, folder)
    if hand is not None:
        between(0, len(class_sizes(game)) - 1)(hand, "hand")
    assert isinstance(stakes, Stakes)
    if not (fresh or device != "cpu" or folder is not None):
        known = _from_shipped(game, stakes, hand)
        if known is not None:
            return known
    return solved(class_table(game, device=device, folder=folder), stakes.payoffs)


def solved(table: Classes, payoffs: Payoffs) -> JamFoldAnswer:
    """Solve now; an Omaha game starts from the nearest shipped stack."""
    from headsup.jamfold.cfr import TARGET_MBB
    from headsup.jamfold.game import JamFoldGame
    from headsup.jamfold.solve import certified

    start = None
    if table.game != "holdem" and has_shipped(table.game) and shipped(table.game).classes == table.classes:
        start = shipped(table.game).nearest_pair(payoffs.stack)
    _, proof = certified(JamFoldGame.of(table, payoffs), TARGET_MBB, start)
    return JamFoldAnswer.of(proof, table.game, payoffs, SOLVED)


def _from_shipped(game: str, stakes: Stakes, hand: int | None) -> JamFoldAnswer | None:
    """The shipped answer, or in Omaha without a table one from shipped strategies; None if it is to be solved."""
    if not has_shipped(game):
        return None
    payoffs = stakes.payoffs
    equilibrium = shipped_equilibrium(game, payoffs.stack, hand) if stakes.standard else None
    if equilibrium is not None:
        return JamFoldAnswer.of(equilibrium, game, payoffs, SHIPPED)
    if game == "holdem" or has_table():
        return None
    if stakes.standard and payoffs.stack < float(shipped(game).stacks[0]):
        return _all_in(game, payoffs.stack)
    return _transferred(game, payoffs)


def _transferred(game: str, payoffs: Payoffs) -> JamFoldAnswer:
    """Shipped strategies of other stakes, measured at these."""
    from headsup.jamfold.transferred import MOST_STACK, transferred

    if payoffs.stack > MOST_STACK:
        from headsup.equity.omaha.matchups import TABLE_COST

        raise UserError(
            f"{payoffs.stack:g} big blinds are too far from the shipped {game} stacks: give at most {MOST_STACK:g}, "
            f"or make the table with  headsup tabulate omaha8  ({TABLE_COST})"
        )
    near = transferred(game, payoffs)
    answer = JamFoldAnswer.of(near, game, payoffs, TRANSFERRED)
    return replace(answer, from_stacks=near.stacks, rounding_mbb=near.rounding_mbb)


def _all_in(game: str, stack: float) -> JamFoldAnswer:
    """The answer for a stack below the shipped ones, where both are all-in by posting."""
    sweep = shipped(game)
    least = float(sweep.stacks[0])
    near, payoffs = sweep.equilibrium(0), Stakes.of(least).payoffs
    if not (payoffs.small == payoffs.big == least and (near.jam != 0).all() and (near.call != 0).all()):
        raise DataError(f"the smallest shipped {game} stack has something to decide: make it again with  headsup sweep")
    # Nothing is left to decide: every pot, and so every value, is in proportion.
    scale = stack / least
    scaled = replace(
        near,
        ev_jam=near.ev_jam * scale,
        ev_call=near.ev_call * scale,
        value_sb=near.value_sb * scale,
        exploitability_mbb=near.exploitability_mbb * scale,
    )
    return JamFoldAnswer.of(scaled, game, Payoffs(stack, stack, stack), SHIPPED)


jamfold = answer  # its name in `headsup.jamfold`
