"""`python -m benchmarks [NAME ...] [--quick]`: run the benchmarks, or some of them.

A benchmark is a module of this package with `run(quick: bool) -> None`, which prints its figures. To see the ratios to
other packages, install them beside headsup: `.venv/bin/pip install -r benchmarks/peers.txt`.
"""

from __future__ import annotations

import argparse
import importlib

NAMES = (
    "door",
    "evaluate",
    "equity",
    "matchups",
    "matchups_gpu",
    "jamfold",
    "engine",
    "layer",
    "layer_gpu",
    "gpu_memory",
    "spots",
    "omaha",
    "omaha_gpu",
    "two_streets",
    "variants",
    "abstraction",
    "even_boards",
    "prices",
    "bets",
    "corrected",
    "resolving",
    "resolving_gain",
    "limited_flop",
    "street_gain",
    "nolimit_matches",
    "folds",
    "turn_menus",
    "decision_times",
    "flop_programs",
    "play",
    "page",
    "clicks",
    "api",
    "whole",
)


def main() -> None:
    """Run what was asked for, in the order of `NAMES`."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Timings, and ratios to other packages.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one or more of: {', '.join(NAMES)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="fewer repetitions and smaller arrays")
    args = parser.parse_args()
    for name in args.names:
        if name not in NAMES:
            parser.error(f"there is no benchmark '{name}': choose from {', '.join(NAMES)}")
    for name in NAMES:
        if not args.names or name in args.names:
            importlib.import_module(f"benchmarks.{name}").run(args.quick)
            print()


if __name__ == "__main__":
    main()
