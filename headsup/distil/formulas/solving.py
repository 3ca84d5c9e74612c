"""A program of flop formulas, solved: features by `subset.choice`, weights in steps from there by `subset.rounding`."""

from collections.abc import Mapping
from dataclasses import replace

from headsup.common.progress import Watch
from headsup.common.stop import until_stopped
from headsup.distil.formulas.outcome import Outcome
from headsup.distil.formulas.problem import Problem

UNROUNDED = 0.4  # the fraction of the time for the program without steps, if weights are rounded


def solve(
    of: Problem,
    model: str,
    limit: float,
    *,
    step: float | None = None,
    seconds: float = 60.0,
    start: Mapping[int, float] | None = None,
    floor: float = 0.0,
    level: float | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """Solve one of the four programs in the given time; Ctrl-C ends it with the best so far.

    `limit` is the most features for `AVGERR` and `MAXERR`, the error allowed (a fraction of the pot) for `FEAT_AVGERR`
    and `FEAT_MAXERR`. `step` makes all weights whole multiples of it. `start` is a formula to begin with, `floor` a
    bound that is already proved, `level` an error of `AVGERR` or `MAXERR` to ask about before the value.
    """
    from headsup.distil.formulas.subset.choice import check_model, choose

    check_model(model, limit, step)
    with until_stopped() as stop:
        share = 1.0 if step is None else UNROUNDED
        free = choose(
            of, model, limit, seconds=share * seconds, start=start or (), floor=floor, level=level, watch=watch
        )
        if step is None:
            return free
        from headsup.distil.formulas.subset.rounding import in_steps

        rest = min(1.0, seconds) if stop.asked() else max(seconds - free.seconds, 1.0)
        rounded = in_steps(of, free, limit, step, rest, watch)
        return replace(rounded, seconds=rounded.seconds + free.seconds)
