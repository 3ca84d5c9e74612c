"""SplitMix64, compiled: random numbers from one 64-bit counter, so that a run can be stopped and resumed to the bit."""

from typing import Any

import numpy as np

from headsup.common.backend import jit

STEP = np.uint64(0x9E3779B97F4A7C15)  # the increment of the counter


@jit(inline=True)
def mix(counter: Any) -> Any:
    z = (counter ^ (counter >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@jit
def draw(seed: Any) -> float:
    """The next uniform number in [0, 1); `seed` is an array of one counter, which moves on."""
    seed[0] += STEP
    return float(mix(seed[0]) >> np.uint64(11)) * 1.1102230246251565e-16
