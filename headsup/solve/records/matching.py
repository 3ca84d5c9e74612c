"""Regret matching in NumPy: play in proportion to positive regrets. Kernels have their own, compiled."""

from typing import Any

import numpy as np

from headsup.common.arrays import AnyArray, Floats


def regret_matching(regrets: AnyArray, axis: int = 0, otherwise: float | None = None, dtype: Any = None) -> AnyArray:
    """Probabilities along an axis; where no regret is positive, uniform, or the number given as `otherwise`.

    `dtype` is that of the regrets by default.
    """
    positive = np.maximum(regrets, 0, dtype=dtype)
    total = positive.sum(axis=axis, keepdims=True)
    some = total > 0
    even = 1 / positive.shape[axis] if otherwise is None else otherwise
    return np.asarray(np.where(some, positive / np.where(some, total, 1), even))


def in_proportion(first: AnyArray, numbers: Floats) -> Floats:
    """[sequences] behaviour probabilities in proportion to numbers >= 0; uniform where all are 0.

    The sequences of information set i are `first[i]` to `first[i + 1]`; sequence 0 is the empty one.
    """
    counts = np.diff(first)
    total = np.concatenate(([0.0], np.repeat(np.add.reduceat(numbers, first[:-1]), counts)))
    out = np.concatenate(([1.0], np.repeat(1.0 / counts, counts)))
    np.divide(numbers, total, out=out, where=total > 0.0)
    return out
