"""Points by gradient descent: decisions made soft, then hardened step by step.

If a hand near its threshold is played in part (`kernels.soft_gains`), the loss is smooth and all numbers can move at
once (Adam), with a narrowing zone of soft decisions. It minimises the largest share over seats and stacks, also made
soft: stacks are weighted by exp(hardness x share). `search.fit` turns the result into small integers.
"""

from time import perf_counter

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.stop import asked
from headsup.distil.scorecards.kernels import soft_gains, soft_slopes
from headsup.distil.scorecards.objective import WORST_SHARE, Cells
from headsup.distil.scorecards.scorecard import Thresholds

WIDTHS = (0.5, 0.03)  # the zone of soft decisions at first and last, in standard deviations of the scores
HARDNESS = (5.0, 60.0)
STEP = 0.02
FOREVER = (0.9, 0.99)  # how much of the running averages of the slope and its square is kept


def soften(
    cells: Cells,
    best: Floats,
    scale: Floats,
    form: Thresholds,
    points: Floats,
    numbers: Floats,
    *,
    both: bool,
    seconds: float,
    steps: int = 1500,
) -> Floats:
    """Points that lose little, from points whose scores spread by about one and threshold numbers that suit them.

    `numbers` are float64[seats, numbers], of which `form` makes the thresholds. `best` is what perfect play gains and
    `scale` what losses are measured in, float64[seats, stacks] each; with `both` the shares of the seats are added up.
    """
    columns = cells.columns.astype(np.float32)
    gains = [np.ascontiguousarray(seat, dtype=np.float32) for seat in cells.gains]
    slopes = [np.zeros((len(columns), len(form.basis)), dtype=np.float32) for _ in gains]
    values = [points.astype(np.float64).copy(), numbers.astype(np.float64).copy()]
    mean = [np.zeros_like(value) for value in values]
    square = [np.zeros_like(value) for value in values]
    begin = perf_counter()
    for step in range(1, steps + 1):
        if step == 2:
            begin = perf_counter()  # the first step may have to wait for the compiler
        part = max(step / steps, (perf_counter() - begin) / seconds)
        if part > 1 or asked():
            break
        width = np.float32(WIDTHS[0] * (WIDTHS[1] / WIDTHS[0]) ** part)
        scores = columns @ values[0].astype(np.float32)
        levels = (form.basis @ values[1].T).T.astype(np.float32)
        gained = np.stack(
            [soft_gains(scores, gains[seat], form.level, levels[seat], width, slopes[seat]) for seat in range(2)]
        )
        share = (best - gained) / scale
        share = share.sum(axis=0, keepdims=True) if both else share
        weights = _weights(share, HARDNESS[0] * (HARDNESS[1] / HARDNESS[0]) ** part) / scale
        by_hand, by_level = np.zeros(len(scores), dtype=np.float32), np.zeros(levels.shape)
        for seat in range(2):
            weight = weights[seat].astype(np.float32)
            soft_slopes(gains[seat], form.level, slopes[seat], weight, by_hand, by_level[seat])
        down = [(columns.T @ by_hand).astype(np.float64), by_level @ form.basis]
        for at, slope in enumerate(down):
            mean[at] = FOREVER[0] * mean[at] + (1 - FOREVER[0]) * slope
            square[at] = FOREVER[1] * square[at] + (1 - FOREVER[1]) * slope**2
            first, second = mean[at] / (1 - FOREVER[0] ** step), square[at] / (1 - FOREVER[1] ** step)
            values[at] -= STEP * (1 - 0.9 * part) * first / (np.sqrt(second) + 1e-9)
    return values[0]


def _weights(share: Floats, hardness: float) -> Floats:
    worst = np.exp(hardness * (share - share.max()))
    return np.asarray(WORST_SHARE * worst / worst.sum() + (1 - WORST_SHARE) / share.size)
