"""HiGHS: one thread, every status checked, progress, and Ctrl-C that keeps the best solution so far.

HiGHS runs in a second thread, since only the main thread receives Ctrl-C; its callbacks see the flag and stop.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event, Thread
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from headsup.common.errors import UserError
from headsup.common.progress import Progress, Watch
from headsup.common.stop import asked

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
INFINITY = float("inf")


@dataclass(frozen=True, eq=False)
class MipResult:
    """What HiGHS returned for a program."""

    values: Floats | None  # the values of all columns, if there is a solution
    bound: float  # no solution has a smaller objective: proved
    status: str
    optimal: bool
    infeasible: bool
    interrupted: bool  # whether Ctrl-C ended it
    nodes: int


@dataclass(frozen=True, eq=False)
class Optimum:
    """The least objective of a linear program, the columns that reach it and the multipliers of its rows."""

    objective: float
    columns: Floats
    multipliers: Floats
    status: str = "Optimal"


@dataclass
class Program:
    """A mixed integer program put together block by block; entries in one place add up."""

    lower: list[Floats] = field(default_factory=list)
    upper: list[Floats] = field(default_factory=list)
    cost: list[Floats] = field(default_factory=list)
    whole: list[npt.NDArray[np.bool_]] = field(default_factory=list)
    row_lower: list[Floats] = field(default_factory=list)
    row_upper: list[Floats] = field(default_factory=list)
    entries: list[tuple[Ints, Ints, Floats]] = field(default_factory=list)
    n_columns: int = 0
    n_rows: int = 0
    offset: float = 0.0

    def columns(self, number: int, lower: Any, upper: Any, cost: Any = 0.0, whole: bool = False) -> Ints:
        """Add columns; their indices."""
        for store, given in ((self.lower, lower), (self.upper, upper), (self.cost, cost)):
            store.append(np.broadcast_to(np.asarray(given, dtype=np.float64), (number,)))
        self.whole.append(np.full(number, whole))
        self.n_columns += number
        return np.arange(self.n_columns - number, self.n_columns)

    def rows(self, number: int, lower: Any, upper: Any, *entries: tuple[Any, Any, Any]) -> Ints:
        """Add rows with (row within the block, column, value) entries, each broadcast; their indices."""
        for store, given in ((self.row_lower, lower), (self.row_upper, upper)):
            store.append(np.broadcast_to(np.asarray(given, dtype=np.float64), (number,)))
        for at, column, value in entries:
            r, c, v = np.broadcast_arrays(np.asarray(at) + self.n_rows, column, np.asarray(value, dtype=np.float64))
            self.entries.append((r.ravel(), c.ravel(), v.ravel()))
        self.n_rows += number
        return np.arange(self.n_rows - number, self.n_rows)

    def lp(self) -> Any:
        import highspy

        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_, lp.offset_ = self.n_columns, self.n_rows, self.offset
        lp.col_lower_, lp.col_upper_, lp.col_cost_ = (
            np.concatenate(part) for part in (self.lower, self.upper, self.cost)
        )
        lp.row_lower_ = np.concatenate(self.row_lower) if self.row_lower else np.empty(0)
        lp.row_upper_ = np.concatenate(self.row_upper) if self.row_upper else np.empty(0)
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_, lp.a_matrix_.index_, lp.a_matrix_.value_ = self._by_column()
        whole = np.concatenate(self.whole)
        if whole.any():
            kinds = highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger
            lp.integrality_ = [kinds[int(integer)] for integer in whole]
        return lp

    def _by_column(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], Floats]:
        """The entries as compressed columns (starts, rows, values), those in one place added up."""
        nothing = (np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64), np.empty(0))
        r, c, v = (np.concatenate(part) for part in zip(nothing, *self.entries, strict=True))
        place = c * self.n_rows + r
        order = np.argsort(place, kind="stable")
        place = place[order]
        first = np.flatnonzero(np.diff(place, prepend=-1))
        columns, rows = np.divmod(place[first], max(self.n_rows, 1))
        starts = np.searchsorted(columns, np.arange(self.n_columns + 1))
        values: Floats = np.add.reduceat(v[order], first)
        return starts.astype(np.int32), rows.astype(np.int32), values


def insist(status: Any, what: str) -> None:
    """Raise if HiGHS reports an error."""
    import highspy

    if status == highspy.HighsStatus.kError:
        raise UserError(f"HiGHS could not {what}: the program may be too big or its numbers too large")


def new_solver(**options: object) -> Any:
    """A silent HiGHS on one thread with the same seed each time, and these options."""
    import highspy

    highs: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    for name, setting in {"output_flag": False, "threads": 1, "random_seed": 1, **options}.items():
        insist(highs.setOptionValue(name, setting), f"set {name}")
    return highs


def optimum(program: Program, remedy: str, near: bool = False, **options: object) -> Optimum:
    """Solve a linear program; `remedy` ends the error. With `near` a point of unknown status is returned too."""
    import highspy

    # the seed decides which of several optimal vertices comes out: HiGHS's own, as anyone else would get it
    solver = new_solver(random_seed=0, **options)
    insist(solver.passModel(program.lp()), "take the program")
    insist(solver.run(), "solve the program")
    status = solver.getModelStatus()
    unsure = near and status == highspy.HighsModelStatus.kUnknown and len(solver.getSolution().col_value) > 0
    if status != highspy.HighsModelStatus.kOptimal and not unsure:
        raise UserError(f"HiGHS stopped with '{solver.modelStatusToString(status)}' instead of an optimum: {remedy}")
    solution = solver.getSolution()
    objective = float(solver.getInfo().objective_function_value)
    message = str(solver.modelStatusToString(status))
    return Optimum(objective, np.array(solution.col_value), np.array(solution.row_dual), message)


def optimise(
    lp: Any,
    seconds: float,
    *,
    start: Floats | None = None,
    watch: Watch | None = None,
    gap: float = 1e-6,
    **options: object,
) -> MipResult:
    """Solve an integer program within a time limit, from a first solution if there is one."""
    import highspy

    highs = new_solver(time_limit=float(max(seconds, 0.0)), mip_rel_gap=0.0, mip_abs_gap=gap, **options)
    insist(highs.passModel(lp), "take the program")
    if start is not None:
        solution = highspy.HighsSolution()
        solution.col_value = list(start)
        insist(highs.setSolution(solution), "take the first solution")
    interrupted = _run_and_wait(highs, watch)
    model, info = highs.getModelStatus(), highs.getInfo()
    kind = highspy.HighsModelStatus
    ended = {kind.kOptimal, kind.kTimeLimit, kind.kInterrupt, kind.kInfeasible, kind.kSolutionLimit}
    message = str(highs.modelStatusToString(model))
    if model not in ended:
        raise UserError(f"HiGHS stopped with '{message}' instead of a solution: give more time or a smaller program")
    solved = info.primal_solution_status == 2
    whole = len(lp.integrality_) > 0
    bound = float(info.mip_dual_bound) if whole else (float(info.objective_function_value) if solved else -INFINITY)
    values = np.array(highs.getSolution().col_value) if solved else None
    infeasible = model == kind.kInfeasible
    return MipResult(
        values,
        bound if np.isfinite(bound) else (INFINITY if infeasible else -INFINITY),
        message,
        model == kind.kOptimal,
        infeasible,
        interrupted,
        max(int(info.mip_node_count), 0),
    )


def _run_and_wait(highs: Any, watch: Watch | None) -> bool:
    """Run HiGHS beside this thread, with branches for progress; whether Ctrl-C stopped it."""
    now, begun, stop, over = Progress(unit="branches"), perf_counter(), Event(), Event()
    ended: list[Any] = []

    def look(event: Any) -> None:
        nonlocal now
        out = event.data_out
        now = now._replace(done=out.mip_node_count, error=out.mip_primal_bound, bound=out.mip_dual_bound)
        event.interrupt(stop.is_set())

    def work() -> None:
        try:
            ended.append(highs.run())
        finally:
            over.set()

    highs.cbMipInterrupt += look
    highs.cbSimplexInterrupt += lambda event: event.interrupt(stop.is_set())
    Thread(target=work, daemon=True).start()
    reported = begun
    # an event and not Thread.join, which takes a thread for ended when Ctrl-C interrupts it
    while not over.is_set():
        try:
            over.wait(0.05)
            if asked():
                stop.set()
            if watch is not None and perf_counter() - reported >= 1.0:
                reported = perf_counter()
                watch(now._replace(seconds=reported - begun))
        except KeyboardInterrupt:
            stop.set()
        except BaseException:
            # the solver may not outlive the caller whose program it has
            stop.set()
            over.wait()
            raise
    if not ended:
        raise UserError("HiGHS broke off while solving the program: the memory may be too small for it")
    insist(ended[0], "solve the program")
    return stop.is_set()
