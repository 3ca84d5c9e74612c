"""Flop formulas, one core, a minute each: what the reduction of rows buys in HiGHS, and how far largest errors close.

AVGERR(10) is given to HiGHS in three shapes, without a first solution:

* every flop: the paper's program, one error and two rows for each of the 19,600 flops;
* every point: flops with the same features and equity together, one error and two rows each;
* pieces: one row for each row of features, whose cost is cut into pieces (`headsup.distil.formulas.subset.mip`).

MAXERR(5) and MAXERR(10) go through the search and the proofs of `headsup.distil.formulas.subset`.
"""

from __future__ import annotations

from itertools import product
from time import perf_counter

import numpy as np

from headsup.common.highs import INFINITY, Floats, Ints, MipResult, Program, optimise
from headsup.distil.formulas.formula import one_hand
from headsup.distil.formulas.problem import Problem, problem
from headsup.distil.formulas.solving import solve
from headsup.distil.formulas.subset.mip import POINTS, FlopProgram

RANGES = ("RUS", "RS", "RML", "ATC")
AVERAGE = (("AA", "ATC"), ("KK", "RUS"), ("AKs", "RML"), ("98s", "RS"))


def plain(of: Problem, n: int, row: Ints, equity: Floats, weight: Floats) -> Program:
    """The paper's program with one error for each of these points."""
    add, p, points = Program(), len(of.numbers), len(row)
    x = add.columns(p, -1, 1)
    y = add.columns(p, 0, 1, whole=True)
    e = add.columns(points, 0, INFINITY, POINTS * weight / weight.sum())
    each, every = np.arange(p), np.arange(points)
    add.rows(p, -INFINITY, 0, (each, x, 1.0), (each, y, -1.0))
    add.rows(p, 0, INFINITY, (each, x, 1.0), (each, y, 1.0))
    add.rows(1, 0, n, (0, y, 1.0))
    r, c = np.nonzero(of.matrix[row])
    add.rows(points, equity, INFINITY, (r, x[c], 1.0), (every, e, 1.0))
    add.rows(points, -INFINITY, equity, (r, x[c], 1.0), (every, e, -1.0))
    return add


def measure(of: Problem, n: int, seconds: float) -> None:
    """Time the three shapes and print where each ended."""
    flops = plain(of, n, of.flop_row, of.flop_equity, np.ones(len(of.flop_row)))
    points = plain(of, n, of.row, of.equity, of.weight.astype(np.float64))
    shapes = {"every flop": flops, "every point": points, "pieces": FlopProgram(of, "AVGERR", n).program}
    for name, program in shapes.items():
        lp = program.lp()
        begun = perf_counter()
        answer: MipResult = optimise(lp, seconds, gap=POINTS * 1e-6)
        took = perf_counter() - begun
        best = INFINITY if answer.values is None else program.offset + float(lp.col_cost_ @ answer.values)
        size = f"{program.n_rows} rows, {program.n_columns} columns"
        bounds = f"best {best:.4f}, bound {max(answer.bound, 0):.4f}, gap {best - max(answer.bound, 0):.4f} points"
        print(f"  {name:<11} {size:<28} {bounds}, {answer.nodes} branches, {took:.0f} s, {answer.status}", flush=True)


def largest(of: Problem, n: int, seconds: float) -> None:
    """The largest error with n features: where search and proof end."""
    solution = solve(of, "MAXERR", n, seconds=seconds)
    value, bound = POINTS * solution.value, POINTS * solution.bound
    bounds = f"best {value:.4f}, bound {bound:.4f}, gap {value - bound:.4f} points"
    proved = "proved" if solution.proved else "not proved"
    print(f"  {n:>2} features: {bounds}, {proved}, {solution.nodes} branches, {solution.seconds:.0f} s", flush=True)


def run(quick: bool) -> None:
    """AVGERR(10) in three shapes, then MAXERR(5) and MAXERR(10) by search and proof."""
    seconds = 5.0 if quick else 60.0
    for hand, name in AVERAGE[:1] if quick else AVERAGE:
        print(f"{hand} against {name}, average error with ten features in HiGHS", flush=True)
        measure(problem(one_hand(hand), name), 10, seconds)
    for hand, name in product(("JJ",) if quick else ("JJ", "AKs"), RANGES):
        print(f"{hand} against {name}, largest error", flush=True)
        of = problem(one_hand(hand), name)
        for n in (5, 10):
            largest(of, n, seconds)
