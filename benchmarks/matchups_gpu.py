"""The Omaha matchup table on a GPU from nothing to sealed files, in a folder of its own: where the time goes.

Stages are wall seconds; what runs on several threads at once is marked, and adds up over them. For a first run on a
fresh machine point CUPY_CACHE_DIR, CUDA_CACHE_PATH, NUMBA_CACHE_DIR and HEADSUP_CACHE to empty folders.
"""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from headsup.common import files
from headsup.common.backend import gpu, gpu_present
from headsup.equity.omaha.matchups import packets, table

spent: dict[str, list[float]] = defaultdict(list)
_lock = threading.Lock()


def timed(owner: Any, name: str, label: str) -> None:
    """Note how long every call takes."""
    inner: Callable[..., Any] = getattr(owner, name)

    def call(*arguments: Any, **named: Any) -> Any:
        begun = perf_counter()
        try:
            return inner(*arguments, **named)
        finally:
            with _lock:
                spent[label].append(perf_counter() - begun)

    setattr(owner, name, call)


def run(quick: bool) -> None:
    """Build the table (of ten ranks with `quick`) and print the stages."""
    if not gpu_present():
        print("no CUDA device")
        return
    begun = perf_counter()
    cp = gpu()
    cp.zeros(1)
    cp.cuda.Device().synchronize()
    print(f"  CuPy and the device          {perf_counter() - begun:6.2f} s")
    from headsup.equity.omaha.matchups.gpu import GpuTabulator

    timed(cp.cuda.compiler, "compile_using_nvrtc", "  nvrtc (threads)")
    timed(GpuTabulator, "__init__", "  tables for the device")
    timed(GpuTabulator, "_batch", "  batches, device and transfers")
    timed(packets, "_gather", "  packets joined (threads)")
    timed(packets, "to_bytes", "  packets to bytes (threads)")
    timed(files, "write_bytes", "  packets written (threads)")
    timed(table.Build, "_compute", "packets computed and written")
    timed(table.Build, "_digest", "packets read back (threads)")
    timed(table.Build, "_reserve", "  files of their size")
    timed(table.Build, "_lay", "  blocks laid and written (threads)")
    timed(table.Build, "_lay_all", "table laid out")
    timed(table.Build, "_check", "sums checked")
    plan, start = packets.Plan(10 if quick else 13), perf_counter()
    with TemporaryDirectory() as folder:
        table.Build(Path(folder), plan).run(device="gpu")
        took = perf_counter() - start
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
    for label, seconds in spent.items():
        print(f"  {label:36} {sum(seconds):8.2f} s  {len(seconds):6} times")
    kernels = packets._tabulator(plan.ranks, plan.outcomes, "gpu").kernel_seconds  # type: ignore[attr-defined]
    print(f"  kernels {kernels:.2f} s; {size / 1e9:.2f} GB, {os.cpu_count()} cores; built in {took:.1f} s")
    print(f"  in all {perf_counter() - begun:.1f} s")
