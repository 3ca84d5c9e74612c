"""`headsup doctor`: what a bug report should say about the installation and the machine."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from headsup.cli.options import add_json, print_answer
from headsup.common.checks import cores

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console

HELP = """Report versions, cores, memory, GPU, caches and shipped data, for bug reports.

Problems are listed at the end, and the exit status is then 1."""

NEEDED = ("highspy", "numba", "numpy", "platformdirs", "rich")
OPTIONAL = {
    "gpu": ("cupy-cuda13x", "cupy-cuda12x", "cupy"),
    "ray": ("ray",),
    "parquet": ("pyarrow",),
    "web": ("fastapi", "jinja2", "uvicorn"),
    "analysis": ("statsmodels",),
    "histories": ("pokerkit",),
}
SETTINGS = ("HEADSUP_CACHE", "NUMBA_CACHE_DIR", "NUMBA_DISABLE_JIT", "NUMBA_NUM_THREADS", "CUDA_VISIBLE_DEVICES")


def configure(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    report = examine()
    print_answer(args, lambda: report, lambda console: _show(console, report))
    return 1 if report["problems"] else 0


def examine() -> dict[str, Any]:
    """All that is reported; nothing is installed, compiled or written but an empty cache folder."""
    import os
    import platform
    import sys

    from headsup.version import __version__

    problems: list[str] = []
    return {
        "headsup": __version__,
        "package": _package().as_posix(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "executable": sys.executable,
        "system": platform.platform(),
        "packages": _packages(problems),
        "extras": {extra: _versions(names) for extra, names in OPTIONAL.items()},
        "cores": {"machine": os.cpu_count(), "usable": cores()},
        "memory": _memory(problems),
        "gpu": _gpu(),
        "cache": _cache(problems),
        "kernels": _kernels(problems),
        "data": _data(problems),
        "settings": {name: os.environ[name] for name in SETTINGS if name in os.environ},
        "problems": problems,
    }


def _package() -> Path:
    from pathlib import Path

    import headsup

    return Path(headsup.__file__).parent


def _versions(names: tuple[str, ...]) -> dict[str, str]:
    """The installed versions; packages that are not there are left out."""
    from importlib.metadata import PackageNotFoundError, version

    versions = {}
    for name in names:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            continue
    return versions


def _packages(problems: list[str]) -> dict[str, str | None]:
    """What headsup needs, imported to see that it works."""
    import importlib

    versions = _versions(NEEDED)
    for name in NEEDED:
        try:
            importlib.import_module(name)
        except Exception as error:  # a broken binary raises anything
            problems.append(f"{name} cannot be imported ({_short(error)}): reinstall it")
    return {name: versions.get(name) for name in NEEDED}


def _memory(problems: list[str]) -> dict[str, int | None]:
    try:
        from headsup.solve.holdem.store import free_memory, total_memory
    except Exception as error:
        problems.append(f"the solver cannot be loaded ({_short(error)}): reinstall headsup")
        return {"total": None, "free": None}
    return {"total": total_memory(), "free": free_memory()}


def _gpu() -> dict[str, Any]:
    """The CUDA devices that CuPy sees, or why there are none."""
    try:
        import cupy
    except ImportError:
        return {"devices": [], "reason": "CuPy is not installed (the gpu extra)"}
    except Exception as error:
        return {"devices": [], "reason": _short(error)}
    try:
        runtime, devices = cupy.cuda.runtime, []
        for number in range(int(runtime.getDeviceCount())):
            known = runtime.getDeviceProperties(number)
            name = known["name"].decode() if isinstance(known["name"], bytes) else str(known["name"])
            devices.append({"name": name, "memory": int(known["totalGlobalMem"])})
        return {"devices": devices, "reason": None if devices else "no CUDA device answers"}
    except Exception as error:  # CuPy raises its own types for a missing driver
        return {"devices": [], "reason": _short(error)}


def _cache(problems: list[str]) -> dict[str, Any]:
    """The folder of tables that headsup has computed once."""
    import os

    from headsup.common.archives import cache_dir
    from headsup.common.errors import UserError

    try:
        folder = cache_dir()
    except UserError as error:
        problems.append(str(error))
        return {"folder": None, "files": 0, "bytes": 0, "writable": False}
    writable = os.access(folder, os.W_OK)
    if not writable:
        problems.append(f"the cache folder {folder} cannot be written: set HEADSUP_CACHE to one that can")
    return {"folder": str(folder), **_sizes(folder, "*"), "writable": writable}


def _kernels(problems: list[str]) -> dict[str, Any]:
    """Where Numba keeps compiled kernels."""
    import os
    from pathlib import Path

    given = os.environ.get("NUMBA_CACHE_DIR")
    folder = Path(given) if given else _package()
    writable = os.access(folder if folder.exists() else folder.parent, os.W_OK)
    if given and not writable:
        problems.append(f"NUMBA_CACHE_DIR {folder} cannot be written: kernels are compiled again by every command")
    return {"folder": str(folder), **_sizes(folder, "*.nbc"), "writable": writable}


def _sizes(folder: Path, pattern: str) -> dict[str, int]:
    from contextlib import suppress

    files = total = 0
    for path in folder.rglob(pattern):
        with suppress(OSError):  # somebody else may remove it
            if path.is_file():
                files, total = files + 1, total + path.stat().st_size
    return {"files": files, "bytes": total}


def _data(problems: list[str]) -> dict[str, int]:
    """Shipped data: every file against its checksum."""
    from headsup.common.archives import read_archive
    from headsup.common.errors import UserError
    from headsup.common.files import CHECKSUMS, read_shipped

    files = total = 0
    for folder in sorted(path for path in _package().rglob("data") if path.is_dir()):
        listed = folder / CHECKSUMS
        names = [line.split("  ", 1)[1] for line in listed.read_text().splitlines()] if listed.exists() else []
        for path in sorted({*folder.glob("*.npz"), *(folder / name for name in names)}):
            try:
                read_archive(path) if path.suffix == ".npz" else read_shipped(path)
                files, total = files + 1, total + path.stat().st_size
            except (UserError, OSError) as error:
                problems.append(_short(error))
    return {"files": files, "bytes": total}


def _short(error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return text if len(text) <= 200 else f"{text[:197]}..."


def _show(console: Console, report: dict[str, Any]) -> None:
    from headsup.cli.console import make_facts

    facts = make_facts()
    facts.add_row("headsup", f"{report['headsup']} in {report['package']}")
    facts.add_row("Python", f"{report['python']}, {report['executable']}")
    facts.add_row("system", report["system"])
    facts.add_row("needs", ", ".join(f"{name} {version or 'missing'}" for name, version in report["packages"].items()))
    for extra, versions in report["extras"].items():
        shown = ", ".join(f"{name} {version}" for name, version in versions.items()) or "not installed"
        facts.add_row(f"[{extra}]", shown)
    cores, memory = report["cores"], report["memory"]
    facts.add_row("cores", f"{cores['usable']} usable of {cores['machine']}")
    facts.add_row("memory", f"{_bytes(memory['free'])} free of {_bytes(memory['total'])}")
    gpu = report["gpu"]
    named = ", ".join(f"{device['name']}, {_bytes(device['memory'])}" for device in gpu["devices"])
    facts.add_row("GPU", named or f"none: {gpu['reason']}")
    for key, name in (("cache", "cache"), ("kernels", "kernels")):
        place = report[key]
        readable = "" if place["writable"] else ", not writable"
        facts.add_row(name, f"{place['files']:,} files, {_bytes(place['bytes'])} in {place['folder']}{readable}")
    facts.add_row("data", f"{report['data']['files']:,} files, {_bytes(report['data']['bytes'])}, checksums verified")
    for name, value in report["settings"].items():
        facts.add_row(name, value)
    for problem in report["problems"]:
        facts.add_row("problem", problem)
    console.print(facts, markup=False)


def _bytes(size: int | None) -> str:
    if size is None:
        return "unknown"
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.1f} MB"
