"""The loop behind `headsup.abstraction.hands.kmeans`, compiled by Numba."""

from typing import Any

import numpy as np

from headsup.common.backend import jit


@jit
def nearest_kernel(points: Any, columns: Any, city: bool, bucket: Any, distance: Any) -> None:
    """The nearest centre of each point, the first of equals, and how far it is (squared, unless `city`).

    points float32[n, d]; columns float32[d, k], a centre a column, so that the inner loop runs over centres and each
    point's sums are made in the same order wherever it stands; bucket uint32[n], distance float32[n].
    """
    d, k = columns.shape
    sums = np.empty(k, np.float32)
    for i in range(len(points)):
        sums[:] = np.float32(0.0)
        for j in range(d):
            x = points[i, j]
            if city:
                for c in range(k):
                    sums[c] += abs(x - columns[j, c])
            else:
                for c in range(k):
                    apart = x - columns[j, c]
                    sums[c] += apart * apart
        best = 0
        for c in range(1, k):
            if sums[c] < sums[best]:
                best = c
        bucket[i] = best
        distance[i] = sums[best]
