"""Test processes side by side compile no kernel twice: who needs one that another is compiling waits, and loads it."""

from __future__ import annotations

import fcntl
import hashlib
import tempfile
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import Dispatcher
from numba.core.sigutils import normalize_signature

PLACE = Path(tempfile.gettempdir()) / "headsup-compiling"


def compile_once() -> None:
    """Hold a file's lock while a kernel is loaded or compiled for some types of arguments.

    A kernel waits for those that it calls, never the other way round, so nobody waits in a circle. Numba's own lock
    comes first: else a thread with the file's lock and one with Numba's would wait for each other.
    """
    alone = Dispatcher.compile
    held: set[str] = set()

    def compile_(self: Any, sig: Any) -> Any:
        types, _ = normalize_signature(sig)
        if not isinstance(self._cache, FunctionCache) or tuple(types) in self.overloads:
            return alone(self, sig)
        text = f"{self._cache.cache_path} {self.py_func.__module__}.{self.py_func.__qualname__} {types}"
        name = hashlib.sha256(text.encode()).hexdigest()[:16]
        with global_compiler_lock:
            if name in held:  # a kernel that calls itself
                return alone(self, sig)
            with (PLACE / name).open("w") as file:
                fcntl.flock(file, fcntl.LOCK_EX)
                held.add(name)
                try:
                    return alone(self, sig)
                finally:
                    held.discard(name)
                    fcntl.flock(file, fcntl.LOCK_UN)  # at once, also where a forked process has the file open

    PLACE.mkdir(exist_ok=True)
    Dispatcher.compile = compile_
