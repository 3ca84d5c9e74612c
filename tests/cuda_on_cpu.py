"""CUDA kernels on the CPU, for tests without a device: CuPy's part in NumPy, kernels compiled by g++.

The threads of a block are coroutines on one thread of the machine. They take turns at barriers and shuffles, so that a
kernel computes what it computes on a device, ten thousand times as slowly. What a device does in parallel and in no
order (races) is not seen here.
"""

from __future__ import annotations

import ctypes
import hashlib
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.fake_cupy import FakeCupy

COMPILER = shutil.which("g++")
SHIM = Path(__file__).with_name("cuda_on_cpu.h")
BUILT = Path(tempfile.gettempdir()) / "headsup-cuda-on-cpu"


class CpuCupy(FakeCupy):
    """A module like CuPy whose kernels run on the CPU."""

    def RawModule(self, code: str, options: tuple[str, ...]) -> Any:
        library = _compiled(code, options)
        return SimpleNamespace(compile=lambda: None, get_function=lambda name: _Launcher(library, name))

    def arange(self, *given: Any, dtype: Any = None) -> Any:
        return self.array(np.arange(*given, dtype=dtype))

    def ascontiguousarray(self, given: Any) -> Any:
        return self.array(given)


class _Launcher:
    max_dynamic_shared_size_bytes = 1 << 20

    def __init__(self, library: Any, name: str) -> None:
        self._launch = library[f"launch_{name}"]

    def __call__(self, grid: tuple[int, ...], block: tuple[int], given: tuple[Any, ...], shared_mem: int = 0) -> None:
        held = [_bytes(argument) for argument in given]
        pointers = (ctypes.c_void_p * len(held))(*(ctypes.addressof(buffer) for buffer in held))
        sizes = (ctypes.c_int * 4)(*(int(n) for n in (*grid, 1, 1)[:3]), int(block[0]))
        self._launch(pointers, sizes, ctypes.c_int(shared_mem))


def _bytes(argument: Any) -> Any:
    """A kernel's argument: a number as it is, an array as its address."""
    if isinstance(argument, np.ndarray) and argument.ndim:
        assert argument.flags.c_contiguous
        return ctypes.c_uint64(argument.ctypes.data)
    return ctypes.create_string_buffer(np.asarray(argument).tobytes(), 8)


def _compiled(code: str, options: tuple[str, ...]) -> Any:
    code = re.sub(r"#include <cuda_fp16.h>", "", code)
    code = re.sub(r'asm volatile\("prefetch[^;]*;[^;]*;', ";", code)
    code = re.sub(r'asm volatile\("bar.sync 1, %0;" ::"r"\(threads\) : "memory"\);', "named_barrier(threads);", code)
    code = re.sub(r"extern __shared__ [^;]*\broom\[\];", "unsigned char* room = shared_room;", code)
    flags = ["-std=c++14", "-w", "-Wno-psabi", *(option for option in options if option.startswith("-D"))]
    key = hashlib.sha256(repr((SHIM.read_text(), code, flags)).encode()).hexdigest()[:20]
    library = BUILT / f"{key}.so"
    if not library.exists():
        assert COMPILER is not None
        BUILT.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=BUILT) as folder:  # threads may compile the same source
            source, made = Path(folder) / "kernels.cpp", Path(folder) / "kernels.so"
            source.write_text(SHIM.read_text() + code)
            read = subprocess.run([COMPILER, *flags, "-E", source], check=True, capture_output=True, text=True).stdout
            names = re.findall(r'extern "C"\s+void\s+(\w+)\(', read)
            source.write_text("\n".join([SHIM.read_text(), code, *(f"LAUNCHER({name})" for name in names)]))
            how = [COMPILER, *flags, "-O1", "-shared", "-fPIC", "-ffp-contract=off"]
            how.append("-U_FORTIFY_SOURCE")  # or glibc would refuse jumps from one stack to another
            subprocess.run([*how, "-o", made, source], check=True)
            made.replace(library)
    return ctypes.CDLL(str(library))
