"""The array types that flat games share, and SplitMix64 in NumPy (compiled: `headsup.common.splitmix_kernels`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.int8]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Floats = NDArray[np.float64]
AnyArray = NDArray[Any]


def splitmix(x: AnyArray) -> AnyArray:
    """The output of SplitMix64 for each counter, uint64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(x ^ (x >> np.uint64(31)))
