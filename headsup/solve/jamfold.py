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

**The sweep** makes what ships: stacks are solved in order, each from the solution of the one before. Every finished
stack is a file of its own in the work folder, written in one step, so the sweep can be stopped at any moment and goes
on where it was; a stack whose certificate is not within the target is never written. Packing (`jamfold_data`) reads the
files back, measures nothing twice and loses nothing but the fourth decimal of expected values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.brief import brief
from headsup.cache import read_arrays, write_arrays
from headsup.equity.matchups import TABLE_COST
from headsup.errors import DataError, UserError
from headsup.games.arrays import Floats
from headsup.games.classes import Classes, check_source, class_table, has_table
from headsup.games.jamfold import Charts, JamFold, Payoffs, Stakes, jamfold_game
from headsup.games.jamfold_hands import class_name, class_sizes
from headsup.measure.jamfold import Certificate, best_reply, certify
from headsup.progress import Progress, Watch
from headsup.solve.jamfold_cfr import TARGET_MBB, SolvedCharts
from headsup.solve.jamfold_data import FIGURES, STACKS, Sweep, hand_figures, has_shipped, shipped

SHIPPED, SOLVED, NEAREST = "shipped", "solved", "nearest shipped stack"
CLOSE_BB = 1e-3
"""Hands whose two choices are within this many big blinds of each other are marked as indifferent."""
WORK_VERSION = 1


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
        from headsup.html import chart, table

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
    if not isinstance(stakes, Stakes):
        stakes = Stakes.of(stakes)
    payoffs = stakes.payoffs
    known = stakes.standard and has_shipped(game)
    if known and not (fresh or device != "cpu" or folder is not None):
        if hand is not None and (figures := hand_figures(game, payoffs.stack, hand)) is not None:
            return Answer(game=game, payoffs=payoffs, source=SHIPPED, **figures)
        if shipped(game).has(payoffs.stack):
            return _shipped(game, payoffs.stack, SHIPPED)
        if game != "holdem" and not has_table():
            return _without_table(game, payoffs.stack)
    if game != "holdem" and not stakes.standard and folder is None and not has_table():
        raise UserError(
            f"there is no finished table of matchups, and {game} with other blinds than 1:2 or with an ante is solved "
            f"from it: make it with  headsup tabulate omaha8  ({TABLE_COST})"
        )
    return solved(class_table(game, device=device, folder=folder), payoffs)


def solved(table: Classes, payoffs: Payoffs) -> Answer:
    """Solve now; an Omaha game starts from the nearest shipped stack."""
    start = None
    if table.game != "holdem" and has_shipped(table.game) and shipped(table.game).classes == table.classes:
        sweep = shipped(table.game)
        near = sweep.nearest(payoffs.stack)
        start = sweep.jam[near], sweep.call[near]
    _, proof = _certified(jamfold_game(table, payoffs), TARGET_MBB, start)
    return Answer(game=table.game, payoffs=payoffs, source=SOLVED, **_figures(proof))


def _certified(game: JamFold, target: float, start: tuple[Floats, Floats] | None) -> tuple[SolvedCharts, Certificate]:
    """What is found, with room below the target for what a certificate sees and the solver does not."""
    from headsup.solve.jamfold_exact import solve  # what ships needs no solver

    solution = solve(game, target=target / 2, start=start)
    return solution, certify(game, solution.jam, solution.call)


def _figures(proof: Certificate) -> dict[str, Any]:
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


@dataclass(frozen=True, eq=False)
class Choice:
    """One of my strategies, measured from my seat, in big blinds."""

    strategy: Floats
    frequency: float
    against_locked: float
    """What it is worth against the fixed opponent."""
    against_equilibrium: float
    at_worst: float
    """What it is worth against the opponent who answers it best."""
    gain: float
    """Against the fixed opponent, over the value of the game."""
    risk: float
    """At worst, below the value of the game."""

    __repr__ = brief


@dataclass(frozen=True, eq=False)
class Locked:
    """My choices against an opponent whose strategy is fixed."""

    seat: str
    value: float
    """Of the game, to me."""
    locked_frequency: float
    equilibrium: Choice
    best_response: Choice
    ev: Floats
    """Of playing each class against the fixed opponent (given a jam, from the big blind)."""

    __repr__ = brief


def against_locked(table: Classes, found: Answer, seat: str, locked: Floats) -> Locked:
    """Equilibrium and best response of one seat against a fixed strategy of the other."""
    game = jamfold_game(table, found.payoffs)
    mine, theirs = found.played(seat), found.played("bb" if seat == "sb" else "sb")
    reply = best_reply(game, seat, locked)
    sign = 1.0 if seat == "sb" else -1.0
    value = sign * found.value_sb

    def measured(strategy: Floats) -> tuple[Choice, Certificate]:
        first, second = (_proof(game, seat, strategy, other) for other in (locked, theirs))
        worst = first.sure_sb if seat == "sb" else -first.most_sb
        now = sign * first.value_sb
        frequency = first.jam_frequency if seat == "sb" else first.call_frequency
        return Choice(strategy, frequency, now, sign * second.value_sb, worst, now - value, value - worst), first

    (balanced, proof), (best, _) = measured(mine), measured(reply.strategy)
    other_frequency = proof.call_frequency if seat == "sb" else proof.jam_frequency
    return Locked(seat, value, other_frequency, balanced, best, proof.ev_jam if seat == "sb" else proof.ev_call)


def _proof(game: JamFold, seat: str, mine: Floats, theirs: Floats) -> Certificate:
    return certify(game, mine, theirs) if seat == "sb" else certify(game, theirs, mine)


def check_target(target: float) -> None:
    """See that a target can be met or missed: a number that is none lets every stack pass."""
    if not (isfinite(target) and target > 0):
        raise UserError(f"the target is {target:g} mbb/g: it must be a finite number above zero")


def sweep(
    table: Classes,
    work: Path,
    stacks: Iterable[float] = STACKS,
    *,
    target: float = TARGET_MBB,
    watch: Watch | None = None,
) -> Sweep:
    """Solve and certify every stack that is not in the work folder yet; all of them together.

    `watch` hears of every stack: what it came to in words, and the seconds spent on solving so far.
    """
    check_target(target)
    work.mkdir(parents=True, exist_ok=True)
    wanted, spent = [float(stack) for stack in stacks], 0.0
    rows: list[dict[str, npt.NDArray[Any]]] = []
    for done, stack in enumerate(wanted, start=1):
        path = work / f"{table.game}-{table.ranks}-{stack:08.4f}.npz"
        row = read_arrays(path, WORK_VERSION)
        began, seconds = perf_counter(), 0.0
        if row is None or len(row["jam"]) != table.classes or not float(row["exploitability_mbb"]) <= target:
            row = _row(table, stack, (rows[-1]["jam"], rows[-1]["call"]) if rows else None, target)
            write_arrays(path, WORK_VERSION, row)
            seconds = perf_counter() - began
            spent += seconds
        rows.append(row)
        if watch is not None:
            watch(Progress(done, len(wanted), text=_in_words(stack, row, seconds), seconds=spent, unit="stacks"))
    columns = {name: np.stack([row[name] for row in rows]) for name in rows[0]}
    return Sweep(game=table.game, stacks=np.array(wanted), **columns)


def _row(
    table: Classes, stack: float, start: tuple[Floats, Floats] | None, target: float
) -> dict[str, npt.NDArray[Any]]:
    """Solve and certify one stack."""
    solution, proof = _certified(jamfold_game(table, Stakes.of(stack)), target, start)
    if not proof.exploitability_mbb <= target:
        raise DataError(
            f"{table.game} at {stack:g} big blinds: {proof.exploitability_mbb:g} mbb/g is above the target, {target:g}"
        )
    row = {name: np.array(figure) for name, figure in _figures(proof).items()}
    return row | {"iterations": np.array(solution.iterations, dtype=np.int32)}


def _in_words(stack: float, row: dict[str, npt.NDArray[Any]], seconds: float) -> str:
    pure = bool(((row["jam"] % 1) == 0).all() and ((row["call"] % 1) == 0).all())
    return (
        f"{stack:7.3f} bb  value {float(row['value_sb']):+.6f}  {float(row['exploitability_mbb']):9.2e} mbb/g  "
        f"{int(row['iterations']):3} rounds  {seconds:6.2f} s  {'pure ' if pure else 'mixed'}"
    )
