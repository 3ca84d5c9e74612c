"""The sweep makes the jam/fold equilibria that ship: stacks are solved in order, each from the solution before it.

Every finished stack is a file of its own in the work folder, so a stopped sweep resumes; a stack whose certificate is
not within the target is never written.
"""

from collections.abc import Iterable
from math import inf
from pathlib import Path
from time import perf_counter

import numpy as np

from headsup.common.archives import Arrays, read_arrays, write_arrays
from headsup.common.arrays import Floats
from headsup.common.checks import as_list, as_number, as_path, of_kind, positive
from headsup.common.errors import DataError, UserError
from headsup.common.files import fingerprint
from headsup.common.progress import Progress, Watch
from headsup.games.betting.stakes import PLAYS, Stakes
from headsup.games.holdem.classes import Classes
from headsup.jamfold.cfr import TARGET_MBB
from headsup.jamfold.game import JamFoldGame
from headsup.jamfold.shipped import STACKS, Sweep
from headsup.jamfold.solve import certified

WORK_VERSION = 1


def check_target(target: float) -> None:
    """Raise unless the target is a positive number: nan would let every stack pass."""
    target = as_number(target, "the target")
    if not 0 < target < inf:
        raise UserError(f"the target is {target:g} mbb/g: it must be a finite number above zero")


def sweep(
    table: Classes,
    work: Path,
    stacks: Iterable[float] = STACKS,
    *,
    target: float = TARGET_MBB,
    watch: Watch | None = None,
) -> Sweep:
    """Solve and certify every stack that is not in the work folder yet, and return all of them.

    `watch` gets a line of text for every stack, and the seconds spent on solving so far.
    """
    check_target(target)
    of_kind(Classes)(table, "table")
    wanted, spent = [positive(stack, "a stack of stacks") for stack in as_list(stacks, "stacks")], 0.0
    work = Path(as_path(work, "work"))
    work.mkdir(parents=True, exist_ok=True)
    checksum, rows = table.checksum, list[Arrays]()
    for done, stack in enumerate(wanted, start=1):
        path = work / f"{table.game}-{table.ranks}-{stack:08.4f}.npz"
        job = fingerprint({"table": checksum, "stack": stack})
        row = read_arrays(path, WORK_VERSION, job)
        began, seconds = perf_counter(), 0.0
        if row is None or not float(row["exploitability_mbb"]) <= target:
            row = _row(table, stack, (rows[-1]["jam"], rows[-1]["call"]) if rows else None, target)
            write_arrays(path, WORK_VERSION, row, job)
            seconds = perf_counter() - began
            spent += seconds
        rows.append(row)
        if watch is not None:
            watch(Progress(done, len(wanted), text=_in_words(stack, row, seconds), seconds=spent, unit="stacks"))
    columns = {name: np.stack([row[name] for row in rows]) for name in rows[0]}
    ev = {name: columns.pop(f"ev_{name}") for name in PLAYS.values()}
    return Sweep(game=table.game, stacks=np.array(wanted), ev=ev, **columns)


def _row(table: Classes, stack: float, start: tuple[Floats, Floats] | None, target: float) -> Arrays:
    solution, proof = certified(JamFoldGame.of(table, Stakes.of(stack)), target, start)
    if not proof.exploitability_mbb <= target:
        raise DataError(
            f"{table.game} at {stack:g} big blinds: {proof.exploitability_mbb:g} mbb/g is above the target, {target:g}"
        )
    row = {name: np.array(figure) for name, figure in proof.equilibrium_fields().items()}
    return row | {"iterations": np.array(solution.iterations, dtype=np.int32)}


def _in_words(stack: float, row: Arrays, seconds: float) -> str:
    pure = bool(((row["jam"] % 1) == 0).all() and ((row["call"] % 1) == 0).all())
    return (
        f"{stack:7.3f} bb  value {float(row['value_sb']):+.6f}  {float(row['exploitability_mbb']):9.2e} mbb/g  "
        f"{int(row['iterations']):3} rounds  {seconds:6.2f} s  {'pure ' if pure else 'mixed'}"
    )
