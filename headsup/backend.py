"""The one place that knows Numba's flags and the GPU guard.

Importing this module imports Numba (more than a second), so commands that need no kernel must not import it at the top.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numba
from numba.core import event

from headsup.compiling import tell
from headsup.errors import MissingExtra, UserError

JIT_DISABLED = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
prange = numba.prange


def jit(
    function: Callable[..., Any] | None = None,
    *,
    parallel: bool = False,
    inline: bool = False,
    inner: bool = False,
    bare: bool = False,
) -> Any:
    """Compile a kernel with the flags that every kernel shares: cached on disk, without the GIL, wrap-around off.

    An `inner` kernel is called by kernels alone: it gets no door to Python, which takes the compiler longer than many a
    kernel where arguments are long tuples of arrays. A `bare` one makes no arrays, only looks into those it is given:
    it counts no references to them, and division by zero is NumPy's, so that loops with divisions vectorise.
    """

    def compile_(f: Callable[..., Any]) -> Any:
        more: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True} if inner else {}
        if bare:
            more |= {"_nrt": False, "error_model": "numpy"}
        return numba.njit(
            f,
            cache=True,
            nogil=True,
            parallel=parallel,
            boundscheck=False,
            inline="always" if inline else "never",
            **more,
        )

    return compile_ if function is None else compile_(function)


class _Notice(event.Listener):
    """Kernels that kernels call are compiled inside of these: only the outermost is told."""

    depth = 0

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1:
            tell(True)

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            tell(False)


# It starts only where the cache on disk has no such kernel.
event.register("numba:compile", _Notice())  # type: ignore[no-untyped-call]


def threads() -> int:
    """How many threads parallel kernels use."""
    return int(numba.get_num_threads())


def gpu() -> ModuleType:
    """CuPy, or one sentence that says how to get it or that there is no device."""
    try:
        import cupy
    except ImportError as error:
        raise MissingExtra("device 'gpu'", "gpu") from error
    if not gpu_present():
        raise UserError("device 'gpu' was asked for, but no CUDA device answers: use device 'cpu'")
    return cupy  # type: ignore[no-any-return]


def gpu_present() -> bool:
    """Whether CuPy is installed and sees a CUDA device."""
    try:
        import cupy

        return int(cupy.cuda.runtime.getDeviceCount()) > 0
    except Exception:  # CuPy raises its own types for a missing driver
        return False
