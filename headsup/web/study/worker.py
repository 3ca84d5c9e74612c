"""The process that solves one spot: `python -m headsup.web.study.worker FOLDER`. It reports its progress in the folder.

SIGINT or SIGTERM end it after the current step, and it saves its result; state.json reports how it ended.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from headsup.common.errors import DataError, UserError
from headsup.common.files import is_full, read_json, write_json
from headsup.common.plot import Chart
from headsup.common.progress import Progress, on_compile
from headsup.web.jobs import CHECKPOINT, NO_ROOM, PROGRESS, SOLUTION, mark_of

PATIENCE = 2.0  # seconds between two looks at a full disk


def main(folder: Path, work: Callable[[Path], int]) -> int:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    os.nice(5)  # the page comes first
    try:
        return work(folder)
    except (UserError, OSError) as error:
        return tell(folder, "failed", str(error), 2)
    except MemoryError:
        return tell(folder, "failed", "There was not enough memory: use fewer bet sizes, or int16 precision.", 2)
    except KeyboardInterrupt:
        return tell(folder, "stopped", "Stopped before the first iteration.", 130)


def tell(folder: Path, state: str, message: str, status: int = 0) -> int:
    try:
        write_json(folder / "state.json", {"state": state, "message": message})
    except DataError as error:  # a full disk: the log has it, and the lock is free all the same
        _log(error)
    return status


def _log(error: DataError) -> None:
    with suppress(OSError):  # the log may be on the same disk
        print(error, file=sys.stderr, flush=True)


def save(folder: Path, write: Callable[[], object]) -> None:
    """Write a result; on a full disk wait until there is space, or until stopped, which discards the result."""
    while True:
        try:
            write()
            return
        except DataError as error:
            if not is_full(error):
                raise
            _log(error)
        tell(folder, "running", NO_ROOM)
        try:
            time.sleep(PATIENCE)
        except KeyboardInterrupt:
            raise UserError("Stopped while the disk was full: the work since the last checkpoint is lost.") from None


def end_search(folder: Path, drawn: Chart, stopped: bool, **summary: Any) -> int:
    """Write the summary of a search with its picture, and how it ended."""
    summary |= {"job": mark_of(folder), "picture": drawn, "names": drawn.names, "rows": drawn.rows}
    save(folder, lambda: write_json(folder / "summary.json", summary))
    state = {"state": "stopped" if stopped else "done", "message": ""}
    save(folder, lambda: write_json(folder / "state.json", state))
    return 0


def note(log: Path, *numbers: float) -> None:
    """Add a measurement to the log; skipped on a full disk."""
    with suppress(OSError), log.open("a") as file:
        file.write(json.dumps(numbers) + "\n")


def solve(folder: Path) -> int:
    tell(folder, "running", "Loading.", 0)
    from headsup.games.holdem.spot import Spot
    from headsup.spots.solve import solve_spot
    from headsup.web.study import ahead

    ask = read_json(folder / "job.json")
    spot, locks = Spot.parse(ask["spot"]), list(ask["locks"])
    start, own, checkpoint = None, folder / SOLUTION, folder / CHECKPOINT
    if own.is_file():
        start, locks = ahead.solution_of(folder), []
    elif ask["start"]:
        start = ahead.solution_of(folder.parent / Path(ask["start"]).name)
    last_note, log = [0.0], folder / PROGRESS

    def progress(step: Progress) -> None:
        now = time.monotonic()
        if now - last_note[0] > 0.2:
            last_note[0] = now
            note(log, int(step.done), round(step.seconds or 0.0, 3), step.error or 0.0)

    def compiling(busy: bool) -> None:
        tell(folder, "running", "Compiling for the first use; this takes up to a minute." if busy else "Solving.", 0)

    options: dict[str, Any] = {"seconds": ask["seconds"], "store": ask["store"], "checkpoint": checkpoint}
    with on_compile(compiling):
        tell(folder, "running", "Solving.", 0)
        solution = solve_spot(spot, ask["target"], progress=progress, locks=locks, start=start, **options)
        unsaved = solution.solution.unsaved
        state, message = ("done", str(unsaved)) if unsaved else ("stopped" if solution.solution.stopped else "done", "")
        tell(folder, "running", "Saving.", 0)
        (folder / ahead.FILE).unlink(missing_ok=True)  # it would be that of another solution
        mark = mark_of(folder)
        save(folder, lambda: solution.save(own, job=mark))
        summary = {"job": mark, **solution.summary()}
    if state == "done" and not message and solution.reached_pot > ask["target"]:
        message = "The time limit was reached before the target: continue solving."
    note(log, solution.iterations, round(solution.seconds, 3), solution.reached_pot)
    save(folder, lambda: write_json(folder / "summary.json", summary))
    checkpoint.unlink(missing_ok=True)
    tell(folder, "running", "Solved; preparing the first views.", 0)
    with suppress(DataError, MemoryError, KeyboardInterrupt):  # without it, views take a little longer
        if not spot.variant:  # those of Omaha take long and much space: they are made when they are asked for
            ahead.keep(solution, folder)
    save(folder, lambda: write_json(folder / "state.json", {"state": state, "message": message}))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), solve))
