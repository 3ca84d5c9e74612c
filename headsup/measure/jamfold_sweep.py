"""The sweep along the stacks: solve each, certify it, keep it, and pack all of them into the file that ships.

Stacks are solved in order, each from the solution of the one before. Every finished stack is a file of its own in the
work folder, written in one step, so the sweep can be stopped at any moment and goes on where it was; a stack whose
certificate is not within the target is never written. Packing reads the files back, measures nothing twice and loses
nothing but the fourth decimal of expected values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from headsup.cache import read_arrays, write_arrays
from headsup.errors import DataError, UserError
from headsup.games.arrays import Floats
from headsup.games.classes import Classes
from headsup.games.jamfold import Stakes, jamfold_game
from headsup.measure.jamfold import certify
from headsup.solve.jamfold import TARGET_MBB
from headsup.solve.jamfold_data import STACKS, Sweep
from headsup.solve.jamfold_exact import solve

WORK_VERSION = 1
_SINGLE = ("value_sb", "exploitability_mbb", "jam_frequency", "call_frequency")


class Step(NamedTuple):
    """One finished stack, for a progress line."""

    stack: float
    done: int
    total: int
    seconds: float
    """To solve and certify it; 0 if it was there already."""
    iterations: int
    exploitability_mbb: float
    value_sb: float
    pure: bool


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
    watch: Callable[[Step], None] | None = None,
) -> Sweep:
    """Solve and certify every stack that is not in the work folder yet; all of them together."""
    check_target(target)
    work.mkdir(parents=True, exist_ok=True)
    wanted = [float(stack) for stack in stacks]
    rows: list[dict[str, npt.NDArray[Any]]] = []
    for done, stack in enumerate(wanted, start=1):
        path = work / f"{table.game}-{table.ranks}-{stack:08.4f}.npz"
        row = read_arrays(path, WORK_VERSION)
        began = perf_counter()
        fresh = row is None or len(row["jam"]) != table.classes or not float(row["exploitability_mbb"]) <= target
        if row is None or fresh:
            row = _one(table, stack, (rows[-1]["jam"], rows[-1]["call"]) if rows else None, target)
            write_arrays(path, WORK_VERSION, row)
        rows.append(row)
        if watch is not None:
            seconds = perf_counter() - began if fresh else 0.0
            pure = bool(((row["jam"] % 1) == 0).all() and ((row["call"] % 1) == 0).all())
            exploit, value = float(row["exploitability_mbb"]), float(row["value_sb"])
            watch(Step(stack, done, len(wanted), seconds, int(row["iterations"]), exploit, value, pure))
    return _together(table, np.array(wanted), rows)


def _one(
    table: Classes, stack: float, start: tuple[Floats, Floats] | None, target: float
) -> dict[str, npt.NDArray[Any]]:
    """Solve and certify one stack."""
    game = jamfold_game(table, Stakes.of(stack))
    solution = solve(game, target=target / 2, start=start)
    proof = certify(game, solution.jam, solution.call)
    if not proof.exploitability_mbb <= target:
        raise DataError(
            f"{table.game} at {stack:g} big blinds: {proof.exploitability_mbb:g} mbb/g is above the target, {target:g}"
        )
    row: dict[str, npt.NDArray[Any]] = {name: np.array(getattr(proof, name)) for name in _SINGLE}
    row |= {"jam": proof.jam, "call": proof.call, "ev_jam": proof.ev_jam, "ev_call": proof.ev_call}
    return row | {"iterations": np.array(solution.iterations, dtype=np.int32)}


def _together(table: Classes, stacks: Floats, rows: list[dict[str, npt.NDArray[Any]]]) -> Sweep:
    columns = {name: np.stack([row[name] for row in rows]) for name in rows[0]}
    return Sweep(game=table.game, stacks=stacks, **columns)
