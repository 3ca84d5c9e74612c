"""Numba's flags and the GPU guard, in one place.

Importing this module imports Numba (more than a second); commands that need no kernel must not import it at the top.
"""

from __future__ import annotations

import _thread
import re
import signal
import threading
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any

import numba
from numba.core import caching, event

from headsup.common.errors import MissingExtra, UserError
from headsup.common.progress import report_compiling

JIT_DISABLED = bool(numba.config.DISABLE_JIT)  # type: ignore[attr-defined]
prange = numba.prange


class _Index(caching.IndexDataCacheFile):
    """The index of a kernel's compiled versions; one that names a missing class is stale, not an error."""

    def _load_index(self) -> Any:
        try:
            return super()._load_index()  # type: ignore[no-untyped-call]
        except (AttributeError, ImportError):
            return {}


def jit(
    function: Callable[..., Any] | None = None,
    *,
    parallel: bool = False,
    inline: bool = False,
    inner: bool = False,
    bare: bool = False,
) -> Any:
    """Compile a kernel with the flags that every kernel shares: cached on disk, without the GIL, wrap-around off.

    An `inner` kernel is called by kernels only: it gets no Python wrapper, which takes long to compile where arguments
    are tuples of arrays. A `bare` one allocates no arrays: it counts no references, and division by zero follows NumPy,
    so that loops with divisions vectorise.
    """

    def compile_(f: Callable[..., Any]) -> Any:
        more: dict[str, Any] = {"no_cfunc_wrapper": True, "no_cpython_wrapper": inner}  # C never calls a kernel
        if bare:
            more |= {"_nrt": False, "error_model": "numpy"}
        compiled = numba.njit(
            f,
            cache=True,
            nogil=True,
            parallel=parallel,
            boundscheck=False,
            inline="always" if inline else "never",
            **more,
        )
        if hasattr(compiled, "_cache"):
            compiled._cache._cache_file.__class__ = _Index
        return compiled

    return compile_ if function is None else compile_(function)


PACKAGE = Path(__file__).parents[1]
IMPORT = re.compile(r"^from headsup\.([\w.]+) import (\([^)]*\)|[^\n#]*)", re.MULTILINE)


def _imported(source: str) -> Iterator[Path]:
    """The modules of the package that a source imports at its top, those of `headsup.common` left out."""
    for package, names in IMPORT.findall(source):
        if not package.startswith("common."):
            home = PACKAGE / package.replace(".", "/")
            yield from (home / f"{name}.py" for name in re.findall(r"\w+", names))
            yield home.with_suffix(".py")


@cache
def source_stamp(file: Path) -> tuple[tuple[str, int], ...]:
    """The checksums of a source and of everything that it imports, and those import."""
    stamps: dict[str, int] = {}
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if str(path) not in stamps and path.is_file():
            source = path.read_bytes()
            stamps[str(path)] = zlib.crc32(source)
            waiting.extend(_imported(source.decode()))
    return tuple(sorted(stamps.items()))


def _with_imports(locator: Any) -> Any:
    """A cache locator of Numba that also stamps what a kernel's module imports: editing a helper recompiles callers."""

    class Locator(locator):  # type: ignore[misc]
        _py_file: str

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            return super().from_function(py_func, py_file) if PACKAGE in Path(py_file).parents else None

        def get_source_stamp(self) -> Any:
            return super().get_source_stamp(), source_stamp(Path(self._py_file))

    return Locator


_locators: list[Any] = caching.CacheImpl._locator_classes
_locators[:0] = [_with_imports(locator) for locator in _locators]


CALLBACKS = ("_raw_object_cache_notify", "_raw_object_cache_getbuffer")
"""Functions of llvmlite that LLVM calls: an exception in them is printed with its traceback, and then it is lost."""


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Python's handler of Ctrl-C, delayed until LLVM's call is over."""
    inner = frame
    while inner is not None and inner.f_code.co_name not in CALLBACKS:
        inner = inner.f_back
    if inner is None:
        signal.default_int_handler(number, frame)
    threading.Timer(0.01, _thread.interrupt_main).start()


class _Depth(threading.local):
    compiling = 0


class _Notice(event.Listener):
    """Reports the outermost compilation of a thread only: kernels that a kernel calls are compiled within it."""

    depth = _Depth()

    def on_start(self, event: Any) -> None:
        self.depth.compiling += 1
        if self.depth.compiling == 1:
            _swap_handler(signal.default_int_handler, _interrupt)
            report_compiling(True)

    def on_end(self, event: Any) -> None:
        self.depth.compiling -= 1
        if self.depth.compiling == 0:
            report_compiling(False)
            _swap_handler(_interrupt, signal.default_int_handler)


def _swap_handler(old: Callable[..., Any], new: Callable[..., Any]) -> None:
    """Replace one handler of Ctrl-C; any other one stays, and only the main thread may have one."""
    if threading.current_thread() is threading.main_thread() and signal.getsignal(signal.SIGINT) is old:
        signal.signal(signal.SIGINT, new)


# It starts only where the cache on disk has no such kernel.
event.register("numba:compile", _Notice())  # type: ignore[no-untyped-call]


def threads() -> int:
    return int(numba.get_num_threads())


def gpu() -> ModuleType:
    """CuPy; a `UserError` if it is not installed or finds no device."""
    try:
        import cupy
    except ImportError as error:
        raise MissingExtra("device 'gpu'", "gpu") from error
    if not gpu_present():
        raise UserError("device 'gpu' was asked for, but no CUDA device answers: use device 'cpu'")
    _watch_memory(cupy)
    return cupy  # type: ignore[no-any-return]


@cache
def _watch_memory(cupy: ModuleType) -> None:
    """Turn an allocation that fails on the GPU, anywhere, into a `UserError`."""
    allocate = cupy.cuda.get_allocator()

    def watched(size: int) -> Any:
        try:
            return allocate(size)
        except cupy.cuda.memory.OutOfMemoryError as error:
            free, total = (part / 1e9 for part in cupy.cuda.runtime.memGetInfo())
            raise UserError(
                f"this needs {size / 1e9:.3g} GB more on the GPU, and {free:.3g} of its {total:.3g} GB are free: take "
                "fewer cards or bet sizes, store=int16, or device 'cpu'"
            ) from error

    cupy.cuda.set_allocator(watched)


def gpu_present() -> bool:
    """Whether CuPy is installed and sees a CUDA device."""
    try:
        import cupy

        return int(cupy.cuda.runtime.getDeviceCount()) > 0
    except Exception:  # CuPy raises its own types for a missing driver
        return False
