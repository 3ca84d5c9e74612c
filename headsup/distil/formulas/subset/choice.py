"""From a first set of features to a proved one: found by `search`, proved by `proof`, for any `Fit`.

The least error of N features (`AVGERR`, `MAXERR`): the search gives a value, all features together a first bound. Most
time goes to the question "do N features reach less than the value?"; then levels between bound and value are tried, and
every no is a better bound, every yes a better value.

The fewest features for an error (`FEAT_AVGERR`, `FEAT_MAXERR`): 1, 2, 3, ... features are tried, with the same cores,
until some reach the error or time is up. A program that starts with a bound near its value needs no search.
"""

from collections.abc import Iterable
from functools import cache
from itertools import combinations
from math import ceil
from time import perf_counter

import numpy as np

from headsup.common.errors import UserError
from headsup.common.progress import Paced, Watch
from headsup.common.stop import time_up, until_stopped
from headsup.distil.formulas.outcome import Outcome, in_points
from headsup.distil.formulas.problem import Problem
from headsup.distil.formulas.subset.fits import Columns, Fit, HandFit
from headsup.distil.formulas.subset.proof import Cores, Proof, follow, packings_of
from headsup.distil.formulas.subset.search import Search
from headsup.distil.formulas.subset.spans import as_bits, nothing

MODELS = ("MAXERR", "FEAT_MAXERR", "AVGERR", "FEAT_AVGERR")
CLOSE = 5e-8  # refuting a level this far below the value (a fraction of the pot) proves the value
SLACK = 1e-8  # an error this little above the limit is within it: more than the rounding of a fit
EARLY = 0.05  # the fraction of the time in which easy programs should be solved
FOUND = 0.3  # the fraction of that for the search
ANNEALED, STIRRED = 0.15, 0.25  # the fractions for annealing and for fresh starts, if the program is not easy
NEAR = 0.0015  # with a bound this near the value (a fraction of the pot), or within a feature, only the proof is left
AT_ONCE = 0.8  # the fraction of a proof's time for the value itself; levels below it follow if that fails
SOUGHT, ASKED = 0.2, 0.9  # if a level is asked about first: the search ends, and that question, after these fractions
LONG = 100.0  # seconds of search at most: a longer search finds no more, a longer proof does
STARTS, MORE_STARTS = 20, 400  # fresh starts and kicks: before a proof is tried, and if the program is not easy
FEW = 2  # up to so many features all sets are tried: 2,628 at most


def check_model(model: str, limit: float, step: float | None = None) -> None:
    """Raise if the program is impossible."""
    if model not in MODELS:
        raise UserError(f"'{model}' is not a model: choose {', '.join(MODELS)}")
    if model.startswith("FEAT"):
        if not 0 < limit < 1:
            raise UserError(f"an error of {limit:g} of the pot is not possible: give more than 0 and less than 1")
    elif limit != int(limit) or limit < 1:
        raise UserError(f"{limit:g} features cannot be chosen: give a whole number from 1")
    if step is not None and not 0.001 <= step <= 0.5:
        raise UserError(f"weights in steps of {step:g} are not possible: give 0.001 to 0.5")


class SubsetProgram:
    """A program in progress: the best solution, the bound and the clock. Interrupting it loses nothing."""

    def __init__(self, fit: Fit, model: str, limit: float, seconds: float, watch: Watch | None = None) -> None:
        self.fit = fit
        self.fewest = model.startswith("FEAT")
        self.limit = limit + SLACK if self.fewest else limit
        self.size = fit.width if self.fewest else min(int(limit), fit.width)
        self.seconds = seconds
        self.progress = Paced(watch)
        self.search = Search(fit, self.progress.tell)
        self.cores = Cores.none(fit.width)
        self.start: Columns = frozenset()
        self.bound, self.nodes = 0.0, 0
        # every kernel that is needed is used once, so that the time does not pay for the first compilation on a machine
        if self.fewest or self.size > FEW:
            _compile()
        else:
            fit.error(frozenset())
        self.began = perf_counter()
        self.until = self.began + seconds

    @property
    def columns(self) -> Columns:
        if not self.fewest:
            return self.search.at_most(self.size)[1]
        return self.search.best[self.search.reach(self.limit) or self.fit.width][1]

    @property
    def value(self) -> float:
        """The least error, or the fewest features, so far."""
        return float(len(self.columns)) if self.fewest else self.search.at_most(self.size)[0]

    @property
    def proved(self) -> bool:
        return self.value - self.bound <= (0.5 if self.fewest else CLOSE + 1e-12)

    def run(self, start: Columns = frozenset(), floor: float = 0.0, level: float | None = None) -> None:
        """All of it: `start` has features to begin with, `floor` is a bound that is already proved.

        With `level` the first question is whether the features can reach that error: far below the value, no is quick.
        """
        self.begin(start)
        self.bound = max(self.bound, floor)
        early = self._after(EARLY)
        if self.proved or (self.size <= FEW and not self.fewest and self._all_tried()):
            return
        if start and floor > 0.0 and self.value - floor <= (1.0 if self.fewest else NEAR):
            self.prove(self.until)
            return
        if level is not None:
            self.find(self._after(SOUGHT))
            if self.bound < level < self.value and self._ask(level, self.size, self._after(ASKED)) == "none":
                self.bound = level
            self.improve(min(self.until - perf_counter(), LONG))
            self.prove(self.until)
            return
        self.find(self._after(FOUND * EARLY))
        self.prove(early)
        if not self.proved:
            self.improve(min(self.seconds, LONG))
            self.prove(self.until)

    def _after(self, fraction: float) -> float:
        return self.began + fraction * self.seconds

    def begin(self, start: Columns = frozenset()) -> None:
        """The error of all features together, the limit of every formula; and a first formula, quickly."""
        everything = frozenset(range(self.fit.width))
        whole = self.fit.fit(everything)
        self.search.note(everything)
        if self.fewest and whole.bound > self.limit:
            least = in_points(ceil(1e6 * whole.error) / 1e6)
            raise UserError(f"even all features together leave {least} of error: allow at least that much")
        self.bound = 1.0 if self.fewest else whole.bound
        if start and (self.fewest or len(start) <= self.size):
            self.search.note(start)
        elif not self.fewest:
            self.search.path(1, 0.0)
        self.start = start

    def find(self, until: float, rounds: int = STARTS) -> None:
        """Good sets for a start: from the given one, along the path, from larger sets; then so many fresh starts."""
        search, n = self.search, self.size
        error = self.limit if self.fewest else 0.0
        if self.start:
            search.grow(self.start, n, until, error)
        search.path(n if self.fewest else n + 2, until, error)
        if self.fewest:
            search.trim(error, until, rounds)
            return
        for size in range(min(n + 2, self.fit.width), n, -1):
            if size in search.best and not time_up(until):
                search.drop(size)
                search.exchange(search.best[size - 1][1], until)
        if n in search.best:
            search.stir(n, until, rounds)

    def improve(self, seconds: float) -> None:
        """Better sets by annealing, then by fresh starts: which is better depends on the program."""
        now, search = perf_counter(), self.search
        stirred = now + (ANNEALED + STIRRED) * seconds
        if self.fewest:
            search.anneal_fewer(self.limit, now + ANNEALED * seconds)
            search.trim(self.limit, stirred, MORE_STARTS)
        else:
            search.anneal(self.size, now + ANNEALED * seconds)
            search.stir(self.size, stirred, MORE_STARTS)

    def prove(self, until: float) -> None:
        """Try the value itself, then levels below, or numbers of features, until bound and value meet."""
        if not self.fewest:
            self._prove_at_once(perf_counter() + AT_ONCE * (until - perf_counter()))
        share = 0.8
        while not (self.proved or time_up(until)):
            if self.fewest:
                if self._ask(self.limit - SLACK / 2, int(self.bound), until) == "none":
                    self.bound += 1.0
                continue
            gap = self.value - self.bound
            level = self.value - CLOSE if gap < 2e-5 else self.value - share * gap
            before = perf_counter()
            if self._ask(level, self.size, until) == "none":
                self.bound = max(self.bound, level)
                took, left = perf_counter() - before, until - perf_counter()
                share = 0.5 if left > 20.0 * took else 0.7 if left > 6.0 * took else 0.85

    def _prove_at_once(self, until: float) -> None:
        """Try to beat the value at once; cores of lower levels would help little here."""
        while not (self.proved or time_up(until)):
            level = self.value - CLOSE
            if self._ask(level, self.size, until) == "none":
                self.bound = max(self.bound, level)

    def _ask(self, level: float, n: int, until: float) -> str:
        """Whether n features reach a level: none, found or time."""
        proof = Proof(self.fit, level, n, self.cores)

        def pause() -> None:
            known = f"proved {self.bound:g} features" if self.fewest else f"proved {100 * self.bound:.3f} %"
            self.progress.tell(
                f"{n} features, {100 * level:.3f} %: {self.nodes + proof.nodes} nodes, {proof.cores.count} cores, "
                f"{100 * (1 - proof.left):.1f} % looked at, " + known
            )

        try:
            verdict, columns = proof.run(until, pause)
        finally:
            self.nodes += proof.nodes
            self.cores = proof.cores
        if verdict == "found":
            self.search.exchange(columns, min(until, perf_counter() + 0.05 * self.seconds))
        return verdict

    def _all_tried(self) -> bool:
        """Fit every set of a few columns; False if time ran out before."""
        least = np.inf
        for columns in combinations(range(self.fit.width), self.size):
            if time_up(self.until):
                return False
            self.progress.tell(f"{self.size} features: all sets are tried")
            least = min(least, self.search.note(frozenset(columns)))
        self.bound = max(self.bound, least - SLACK / 2)
        return True

    @property
    def how(self) -> str:
        """One clause on how the answer was found."""
        return f"exchanges and cores, {self.cores.count} cores"


def choose(
    of: Problem,
    model: str,
    limit: float,
    *,
    seconds: float,
    start: Iterable[int] = (),
    floor: float = 0.0,
    level: float | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """Solve one of the four programs for one hand in the given time.

    `limit` is the most features for `*ERR`, the error allowed (a fraction of the pot) for `FEAT_*`; `start` has
    features to begin with, `floor` is a bound that is already proved, `level` an error of `*ERR` to ask about first.
    """
    largest = model.endswith("MAXERR")
    fit = HandFit(of, largest)
    choice = SubsetProgram(fit, model, limit, seconds, watch)
    columns = fit.columns_of(start)
    with until_stopped() as stop:
        with stop.ending():
            if largest and not columns and not choice.fewest:
                # the largest error is no guide from nothing: it lies on flops that a single feature leaves as they are
                first = Search(HandFit(of))
                first.path(choice.size, 0.0)
                columns = first.at_most(choice.size)[1]
            choice.run(columns, floor, level)
        fitted = fit.fit(choice.columns)
        value = float(np.count_nonzero(fitted.weights)) if choice.fewest else fitted.error
        how = choice.how + f", {fit.fits} fits" + ", stopped by Ctrl-C" * stop.asked()
    seconds = perf_counter() - choice.began
    bound = min(choice.bound, value)
    proved = choice.proved or bound == value
    return Outcome(model, fit.formula(fitted.weights), value, bound, proved, choice.nodes, seconds, how)


@cache
def _compile() -> None:
    """Compile the kernels of fits and proofs."""
    three = np.eye(3, dtype=np.bool_)
    follow(as_bits(~three), nothing(three), three[0] & three[1], 2, packings_of(3))
