"""Exact equilibria by linear programming, through HiGHS.

Sequence form (andersson-2006, equation 3.24): player 1 chooses a realisation plan `y` and a vector `r` with one entry
for each information set of player 0 and one for the start,

    minimise  r_0   subject to   D' r - P y >= 0,   C y = c,   y >= 0

where D and C are the two players' constraint matrices. `r_0` is the value of the game, and the multipliers of the first
block of rows are player 0's realisation plan. Normal form (section 3.3): the same with pure strategies.

`tremble` gives every action at least that probability. Writing `x = R z`, with free `z >= 0` and R the map from chosen
to trembling plans, leaves a program of the same shape.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from headsup.common.arrays import Floats, Longs
from headsup.common.errors import UserError
from headsup.common.highs import INFINITY, Program, optimum
from headsup.games.trees.sequence import Profile, Seat, SequenceForm

ALGORITHMS = {"simplex": "simplex", "interior": "ipm", "first-order": "pdlp"}
FIRST_ORDER_TOLERANCE = 1e-7  # of the gap and the constraints; first-order steps get slow well before simplex accuracy
PURE_LIMIT = 4000  # pure strategies of one player


@dataclass(frozen=True)
class Sparse:
    """A matrix as a list of entries."""

    rows: Longs
    cols: Longs
    values: Floats
    shape: tuple[int, int]

    def __matmul__(self, other: Sparse) -> Sparse:
        """The product; every pair of entries that meets becomes an entry (equal places may repeat)."""
        order = np.argsort(other.rows, kind="stable")
        counts = np.bincount(other.rows, minlength=other.shape[0])
        starts = np.concatenate(([0], np.cumsum(counts)))
        meets = counts[self.cols]
        left = np.repeat(np.arange(len(self.rows)), meets)
        nth = np.arange(len(left)) - np.repeat(np.cumsum(meets) - meets, meets)
        right = order[starts[self.cols[left]] + nth]
        return Sparse(
            self.rows[left], other.cols[right], self.values[left] * other.values[right], (self.shape[0], other.shape[1])
        )

    @property
    def transposed(self) -> Sparse:
        return Sparse(self.cols, self.rows, self.values, (self.shape[1], self.shape[0]))


def payoff_matrix(form: SequenceForm) -> Sparse:
    """Player 0's payoffs by pairs of sequences: the matrix P of figure 3.4."""
    seat, other = form.seats
    rows = np.repeat(np.arange(seat.n_sequences), np.diff(seat.start))
    return Sparse(rows, seat.other.astype(np.int64), seat.payoff, (seat.n_sequences, other.n_sequences))


def constraint_matrix(seat: Seat) -> Sparse:
    """A player's constraint matrix (figures 3.5, 3.6): the start is played once, and actions add up to their parent."""
    n = np.arange(seat.n_infosets)
    owner = np.repeat(n, np.diff(seat.first))
    rows = np.concatenate(([0], owner + 1, n + 1))
    cols = np.concatenate(([0], np.arange(1, seat.n_sequences), seat.parent))
    values = np.concatenate(([1.0], np.ones(len(owner)), -np.ones(len(n))))
    return Sparse(rows, cols, values, (seat.n_infosets + 1, seat.n_sequences))


def tremble_matrix(seat: Seat, tremble: float) -> Sparse:
    """R with x = R z: what happens, x, when the player chooses z on top of `tremble` for each action.

    From x[s] = tremble * x[parent] + z[s], column t of row s is tremble to the number of steps from t down to s.
    """
    up = np.zeros(seat.n_sequences, dtype=np.int64)
    up[1:] = np.repeat(seat.parent, np.diff(seat.first))
    rows, cols, values = [], [], []
    here, there, power = np.arange(seat.n_sequences), np.arange(seat.n_sequences), 1.0
    while len(here):
        rows.append(here)
        cols.append(there)
        values.append(np.full(len(here), power))
        below = there > 0
        here, there, power = here[below], up[there[below]], power * tremble
    n = seat.n_sequences
    return Sparse(np.concatenate(rows), np.concatenate(cols), np.concatenate(values), (n, n))


def sequence_lp(form: SequenceForm, algorithm: str = "simplex", tremble: float = 0.0) -> tuple[float, Profile]:
    """The value of the game and both players' optimal realisation plans."""
    payoff, ours, theirs = payoff_matrix(form), *map(constraint_matrix, form.seats)
    if tremble:
        most = max(int(np.diff(seat.first).max(initial=1)) for seat in form.seats)
        if not 0.0 < tremble < 1.0 / most:
            raise UserError(
                f"tremble must be above 0 and below 1/{most} (there are up to {most} actions), not {tremble}"
            )
        shake = [tremble_matrix(seat, tremble) for seat in form.seats]
        payoff = shake[0].transposed @ payoff @ shake[1]
        ours, theirs = ours @ shake[0], theirs @ shake[1]
    value, own, other = _solve_program(payoff, ours, theirs, algorithm)
    if tremble:
        own, other = (_apply(matrix, z) for matrix, z in zip(shake, (own, other), strict=True))
    return value, (_clean(form.seats[0], own), _clean(form.seats[1], other))


def normal_form(form: SequenceForm) -> tuple[Floats, Floats, Floats]:
    """The payoff matrix over reduced pure strategies, and both players' pure strategies as rows of plans."""
    pure = [_pure_plans(seat) for seat in form.seats]
    against = np.stack([form.seats[0].utility(plan) for plan in pure[1]])
    matrix: Floats = pure[0] @ against.T
    return matrix, pure[0], pure[1]


def normal_lp(form: SequenceForm, algorithm: str = "simplex") -> tuple[float, Profile]:
    """The value and both optimal plans, by all pure strategies."""
    matrix, own, other = normal_form(form)
    rows, cols = np.nonzero(np.ones_like(matrix))
    payoff = Sparse(rows, cols, matrix.ravel(), (matrix.shape[0], matrix.shape[1]))
    sums = [Sparse(np.zeros(n, np.int64), np.arange(n), np.ones(n), (1, n)) for n in matrix.shape]
    value, first, second = _solve_program(payoff, sums[0], sums[1], algorithm)
    return value, (_clean(form.seats[0], first @ own), _clean(form.seats[1], second @ other))


def _pure_plans(seat: Seat) -> Floats:
    """All reduced pure strategies: a choice at every information set that the earlier choices leave reachable."""
    plans = np.zeros((1, seat.n_sequences))
    plans[0, 0] = 1.0
    for i in range(seat.n_infosets):
        reached = plans[:, seat.parent[i]] > 0.0
        width = int(seat.first[i + 1] - seat.first[i])
        if len(plans) + int(reached.sum()) * (width - 1) > PURE_LIMIT:
            raise UserError(
                f"the normal form has more than {PURE_LIMIT:,} pure strategies for one player: "
                "use the sequence form (method 'lp'), which grows with the tree and not beyond it"
            )
        choices = np.repeat(plans[reached], width, axis=0)
        choices[np.arange(len(choices)), seat.first[i] + np.tile(np.arange(width), int(reached.sum()))] = 1.0
        plans = np.concatenate((plans[~reached], choices))
    return plans


def _apply(matrix: Sparse, vector: Floats) -> Floats:
    return _sums(matrix.rows, matrix.values * vector[matrix.cols], matrix.shape[0])


def _sums(place: Longs, values: Floats, n: int) -> Floats:
    out = np.zeros(n)
    np.add.at(out, place, values)
    return out


def _clean(seat: Seat, plan: Floats) -> Floats:
    """Remove a solver's rounding: an exact realisation plan with the same behaviour."""
    return seat.plan(seat.behaviour(np.maximum(plan, 0.0)))


def optimal_range(form: SequenceForm, seat: int, what: int | Floats) -> tuple[float, float]:
    """The least and the most that an optimal realisation plan of this player can put on one sequence.

    Optimal plans are the plans that hold the opponent to the value of the game; a second program looks among them.
    Instead of a sequence, `what` can be a number for each sequence: then the range of their sum over a plan is found,
    for example what optimal plans win against some strategy (`form.seats[seat].utility(its plan)`).
    """
    payoff, matrices = payoff_matrix(form), [constraint_matrix(player) for player in form.seats]
    if seat == 0:  # seen from the other side, player 0 is the one who minimises
        payoff = replace(payoff.transposed, values=-payoff.values)
        matrices.reverse()
    ours, theirs = matrices
    value = _solve_program(payoff, ours, theirs, "simplex")[0]
    wish = np.zeros(payoff.shape[1])
    if isinstance(what, int):
        wish[what] = 1.0
    else:
        wish += what
    least, most = (
        sign * _solve_program(payoff, ours, theirs, "simplex", sign * wish, value)[0] for sign in (1.0, -1.0)
    )
    return least, most


def _solve_program(
    payoff: Sparse, ours: Sparse, theirs: Sparse, algorithm: str, wish: Floats | None = None, cap: float = np.inf
) -> tuple[float, Floats, Floats]:
    """Minimise r_0 subject to ours' r - payoff y >= 0, theirs y = (1, 0, 0, ..), y >= 0; returns r_0, multipliers and
    y.

    With a `wish`, minimise that combination of y instead while r_0 stays at most `cap`.
    """
    if algorithm not in ALGORITHMS:
        raise UserError(f"'{algorithm}' is not an algorithm for linear programs: choose from {', '.join(ALGORITHMS)}")
    program, start = Program(), np.eye(1, theirs.shape[0])[0]
    y = program.columns(payoff.shape[1], 0.0, INFINITY, 0.0 if wish is None else wish)
    first = program.columns(1, -INFINITY, cap, float(wish is None))
    r = np.concatenate((first, program.columns(ours.shape[0] - 1, -INFINITY, INFINITY)))
    best = program.rows(
        payoff.shape[0],
        0.0,
        INFINITY,
        (payoff.rows, y[payoff.cols], -payoff.values),
        (ours.cols, r[ours.rows], ours.values),
    )
    program.rows(theirs.shape[0], start, start, (theirs.rows, y[theirs.cols], theirs.values))
    options: dict[str, Any] = {"solver": ALGORITHMS[algorithm]}
    if algorithm == "first-order":
        tolerances = ("primal_feasibility_tolerance", "dual_feasibility_tolerance", "pdlp_optimality_tolerance")
        options |= dict.fromkeys(tolerances, FIRST_ORDER_TOLERANCE)
    solution = optimum(program, "try another algorithm (simplex, interior, first-order)", **options)
    return solution.objective, np.abs(solution.multipliers[best]), solution.columns[y]
