"""The best response to jams on all flops, compiled."""

from typing import Any

from headsup.common.backend import jit


@jit(bare=True)
def add_best_response(low: Any, high: Any, part: float, worth: Any, kind: Any, weights: Any, out: Any) -> None:
    """Add to out[i, class] how often its hands fold, win, tie and lose in the response that minimises `worth` row i.

    `low` and `high` are [3, flops, hands], mixed by `part`; a row of `worth` has the values of fold, win, tie and loss.
    """
    rest = 1.0 - part
    for f in range(kind.shape[0]):
        weight = weights[f]
        for h in range(kind.shape[1]):
            win = weight * (part * low[0, f, h] + rest * high[0, f, h])
            tie = weight * (part * low[1, f, h] + rest * high[1, f, h])
            lose = weight * (part * low[2, f, h] + rest * high[2, f, h])
            met, to = win + tie + lose, kind[f, h]
            for i in range(worth.shape[0]):
                if win * worth[i, 1] + tie * worth[i, 2] + lose * worth[i, 3] < met * worth[i, 0]:
                    out[i, to, 1] += win
                    out[i, to, 2] += tie
                    out[i, to, 3] += lose
                else:
                    out[i, to, 0] += met
