"""Compile CUDA sources, each below the header that they share (`common.cuh`)."""

from functools import cache
from pathlib import Path
from typing import Any

from headsup.common.backend import gpu


def cuda_text(source: Path, definitions: str = "") -> str:
    """The text of a source below the shared header and `definitions`."""
    return "\n".join([Path(__file__).with_name("common.cuh").read_text(), definitions, source.read_text()])


def cuda_module(source: Path, *options: str, definitions: str = "") -> Any:
    """The kernels of a source. The device compiles them when the first one is used; equal modules are compiled once."""
    return _module(gpu(), cuda_text(source, definitions), options)


@cache
def _module(cupy: Any, text: str, options: tuple[str, ...]) -> Any:
    return cupy.RawModule(code=text, options=("--std=c++17", *options))
