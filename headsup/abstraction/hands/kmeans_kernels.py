"""The loop behind `headsup.abstraction.hands.kmeans`, compiled by Numba."""

from typing import Any

import numpy as np

from headsup.common.backend import jit

BLOCK = 64  # centres that are compared at once; a constant, so that the loop over them is unrolled
SLACK = 0.999  # more than float32 can err in sums of thousands of dimensions


@jit
def nearest_kernel(points: Any, columns: Any, totals: Any, order: Any, city: bool, bucket: Any, distance: Any) -> None:
    """The nearest centre of each point, the first of equals, and how far it is (squared, unless `city`).

    points float32[n, d]; columns float32[d, k], a centre a column, so that the inner loop runs over centres and each
    point's sums are made in the same order wherever it stands; bucket uint32[n], distance float32[n]. Centres are
    sorted by the sum of their coordinates, float64[k] `totals`; `order` has their numbers, k is a multiple of BLOCK.

    Two points are at least as far apart as their totals (squared: the square of that over d). So blocks of centres are
    taken from the point's own total on, up and down, until none that is left can be as near as the nearest so far.
    """
    d, blocks = columns.shape[0], columns.shape[1] // BLOCK
    sums = np.empty(BLOCK, np.float32)
    for i in range(len(points)):
        total = 0.0
        for j in range(d):
            total += points[i, j]
        up = min(np.searchsorted(totals, total) // BLOCK, blocks - 1)
        down, best, least = up - 1, -1, np.float32(np.inf)
        while True:
            above = max(0.0, totals[up * BLOCK] - total) if up < blocks else np.inf
            below = max(0.0, total - totals[down * BLOCK + BLOCK - 1]) if down >= 0 else np.inf
            gap = min(above, below)
            if gap == np.inf or SLACK * (gap if city else gap * gap / d) > least:
                break
            begin = (up if above <= below else down) * BLOCK
            if above <= below:
                up += 1
            else:
                down -= 1
            sums[:] = np.float32(0.0)
            for j in range(d):
                x, column = points[i, j], columns[j, begin : begin + BLOCK]
                if city:
                    for c in range(BLOCK):
                        sums[c] += abs(x - column[c])
                else:
                    for c in range(BLOCK):
                        apart = x - column[c]
                        sums[c] += apart * apart
            for c in range(BLOCK):
                if sums[c] < least or (sums[c] == least and order[begin + c] < best):
                    best, least = order[begin + c], sums[c]
        bucket[i] = best
        distance[i] = least
