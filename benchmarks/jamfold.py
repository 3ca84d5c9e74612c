"""Jam or fold: seconds and iterations a stack, the share of memory bandwidth, and CFR+ beside CFR.

Hold'em always; Omaha hi-lo where its table is (the environment variable HEADSUP_TABLE may name the folder), on the CPU
and, where there is one, on the GPU. Times are wall-clock. The bandwidth that a pass over the table reaches is set
against a plain copy of large arrays on the same device, which reads and writes as fast as the device can.
"""

from __future__ import annotations

import os
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from headsup.common.backend import gpu_present
from headsup.common.errors import UserError
from headsup.games.betting.stakes import Stakes
from headsup.games.holdem.classes import Classes, class_table, holdem_classes
from headsup.jamfold.cfr import cfr
from headsup.jamfold.solve import solve
from headsup.jamfold.vector import jamfold_game


def run(quick: bool) -> None:
    """Print hold'em, then Omaha hi-lo on every device there is."""
    print("hold'em, 169 classes")
    table = holdem_classes()
    _stacks(table, (2.0, 5.0, 10.0, 20.0, 50.0))
    _cfr_beside_cfr_plus(table, (5.0, 10.0, 20.0), (1.0, 0.1, 0.01), 20_000)
    folder = os.environ.get("HEADSUP_TABLE")
    for device in ("cpu", "gpu") if gpu_present() else ("cpu",):
        began = perf_counter()
        try:
            table = class_table("omaha8", device=device, folder=Path(folder) if folder else None)
        except UserError as error:
            print(f"\nomaha8: {error}")
            return
        print(f"\nomaha8 on the {device}, {table.classes} classes, ready after {perf_counter() - began:.1f} s")
        _bandwidth(table)
        _stacks(table, (10.0,) if quick else (2.0, 5.0, 10.0, 20.0, 50.0))
        if not quick:
            _cfr_beside_cfr_plus(table, (10.0,), (1.0, 0.1, 0.01, 0.001), 2_000 if device == "cpu" else 20_000)


def _timed(work: Any) -> tuple[float, Any]:
    began = perf_counter()
    result = work()
    return perf_counter() - began, result


def _stacks(table: Classes, stacks: tuple[float, ...]) -> None:
    solve(jamfold_game(table, Stakes.of(3.0)))  # compiles what is compiled
    for stack in stacks:
        game, near = jamfold_game(table, Stakes.of(stack)), jamfold_game(table, Stakes.of(stack + 0.125))
        cold, first = _timed(lambda game=game: solve(game))
        warm, second = _timed(lambda near=near, first=first: solve(near, start=(first.jam, first.call)))
        proof_time, proof = _timed(lambda game=game, first=first: game.certify(first.jam, first.call))
        print(
            f"  {stack:5g} bb: exact {cold:7.3f} s cold ({first.iterations} rounds after at most 40 of CFR+), "
            f"{warm:7.3f} s from the stack beside it ({second.iterations} rounds), certificate {proof_time:7.3f} s, "
            f"{proof.exploitability_mbb:.1e} mbb/g"
        )


def _cfr_beside_cfr_plus(table: Classes, stacks: tuple[float, ...], targets: tuple[float, ...], most: int) -> None:
    for stack in stacks:
        game = jamfold_game(table, Stakes.of(stack))
        for target in targets:
            summaries = {}
            for method in ("cfr+", "cfr"):
                seconds, solution = _timed(
                    lambda game=game, method=method, target=target: cfr(
                        game, method=method, target=target, iterations=most, check=1 if table.classes < 1000 else 5
                    )
                )
                reached = "" if solution.gap_mbb <= target else f" (stopped at {solution.gap_mbb:.2g})"
                summaries[method] = f"{solution.iterations} iterations{reached}, {seconds:.2f} s"
            print(f"  {stack:5g} bb to {target:g} mbb/g: CFR+ {summaries['cfr+']}; CFR {summaries['cfr']}")


def _bandwidth(table: Classes) -> None:
    xp = table.xp
    x = xp.asarray(np.random.default_rng(0).random(table.classes))
    source = xp.ones(1 << 27 if xp is np else 1 << 29)
    target = xp.empty_like(source)

    def synchronised(work: Any) -> float:
        times = []
        for _ in range(5):
            began = perf_counter()
            work()
            if xp is not np:
                xp.cuda.Device().synchronize()
            times.append(perf_counter() - began)
        return min(times)

    def copy() -> None:
        target[...] = source

    table.sums(x)
    passing, copying = synchronised(lambda: table.sums(x)), synchronised(copy)
    rate, peak = table.bytes_read / passing / 1e9, 2 * source.nbytes / copying / 1e9
    print(
        f"  one pass over the table: {passing * 1e3:.2f} ms for {table.bytes_read / 1e9:.2f} GB, {rate:.1f} GB/s; "
        f"a copy reaches {peak:.1f} GB/s ({rate / peak:.0%})"
    )
