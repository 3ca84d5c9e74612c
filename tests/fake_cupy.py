"""NumPy in the place of CuPy: a device with so much memory, whose kernels do nothing, and which counts what is taken.

What allocates on a GPU runs on it as it is, so that the memory it takes can be compared with what it announces.
"""

from __future__ import annotations

import weakref
from types import SimpleNamespace
from typing import Any

import numpy as np

GRAIN = 512


class OutOfMemoryError(MemoryError):
    """As CuPy's."""


class _Array(np.ndarray):
    """An array on the device; a view of one is its owner's memory."""

    def set(self, given: np.ndarray) -> None:
        assert given.shape == self.shape
        assert given.dtype == self.dtype
        self[...] = given


class FakeCupy:
    """A module like CuPy."""

    ndarray = _Array

    def __init__(self, memory: int, others: int = 0) -> None:
        """Of its memory other programs take so much as soon as nobody looks."""
        self.memory, self.others, self.used, self.peak = memory, others, 0, 0
        self._allocator = self._allocate
        self.cuda = SimpleNamespace(
            runtime=SimpleNamespace(memGetInfo=lambda: (memory - self.used, memory), getDeviceCount=lambda: 1),
            memory=SimpleNamespace(OutOfMemoryError=OutOfMemoryError),
            get_allocator=lambda: self._allocator,
            set_allocator=lambda allocator: setattr(self, "_allocator", allocator),
        )
        self.pool = SimpleNamespace(free_bytes=lambda: 0, free_all_blocks=lambda: None)

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)  # dtypes

    def get_default_memory_pool(self) -> Any:
        return self.pool

    def empty(self, shape: Any, dtype: Any = np.float64) -> _Array:
        size = self._allocator(int(np.prod(shape)) * np.dtype(dtype).itemsize)
        made = np.ndarray.__new__(_Array, shape, dtype)
        weakref.finalize(made, self._free, size)
        return made

    def _allocate(self, size: int) -> int:
        taken = -(-size // GRAIN) * GRAIN
        if self.used + taken > self.memory - self.others:
            raise OutOfMemoryError(f"Out of memory allocating {size:,} bytes")
        self.used += taken
        self.peak = max(self.peak, self.used)
        return taken

    def _free(self, size: int) -> None:
        self.used -= size

    def zeros(self, shape: Any, dtype: Any = np.float64) -> _Array:
        made = self.empty(shape, dtype)
        made[...] = 0
        return made

    def array(self, given: Any, dtype: Any = None) -> _Array:
        given = np.asarray(given, dtype)
        made = self.empty(given.shape, given.dtype)
        made[...] = given
        return made

    def asarray(self, given: Any, dtype: Any = None) -> _Array:
        return given if isinstance(given, _Array) and dtype in (None, given.dtype) else self.array(given, dtype)

    def asnumpy(self, given: Any) -> np.ndarray:
        return np.array(given).view(np.ndarray)

    def RawModule(self, **unused: Any) -> Any:
        return SimpleNamespace(get_function=lambda name: _Kernel())


class _Kernel:
    max_dynamic_shared_size_bytes = 1 << 30

    def __call__(self, *unused: Any, **more: Any) -> None:
        """Nothing is computed."""
