"""Make the endgames that ship: `python -m headsup.endgame.make --game GAME [--device gpu] [--table FOLDER]`.

Every endgame is solved, confirmed by the second route and kept as a file in the work folder, so the same command
resumes. The Omaha games need the matchup table with its outcomes. `--extras` also writes figures for the docs; `--limps
FOLDER` adds the hold'em bounds if limps are checked and flops jammed (`headsup.endgame.solve_limp`).
"""

import argparse
from contextlib import suppress
from copy import copy
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from headsup.common.arrays import Floats
from headsup.common.checks import DEVICES
from headsup.common.errors import DataError
from headsup.common.files import fingerprint, write_json
from headsup.common.progress import Progress
from headsup.endgame.measure import StateCharts
from headsup.endgame.measure_free import legal_sizes
from headsup.endgame.measure_limp import Limps
from headsup.endgame.rules import Endgame, endgame
from headsup.endgame.shipped import CHIPS, LARGE, EndgameRecord, anchor, data_path, grid, read, record, shortened, write
from headsup.endgame.solve import SolvedEndgame, solve_endgame
from headsup.endgame.solve_free import ROUNDS, Free, simple_free, solve_free
from headsup.endgame.solve_limp import limps
from headsup.games.holdem.classes import Classes, class_table

EXTRA_CHIPS = 20
FREE_CHIPS = (8, 12, 20)
FREE_MOST = 20  # chips in big blinds up to which hold'em has its bounds against a free opponent
LIMP_ROUNDS = 2  # with a plan against limps that is learned already, more do not help
RISING = "0.5/1x6,1/2x6,2/4"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="holdem")
    parser.add_argument("--device", choices=DEVICES, default="cpu")
    parser.add_argument("--table", type=Path, help="the folder of the Omaha table")
    parser.add_argument("--work", type=Path, default=Path("endgames"), help="where finished endgames are kept")
    parser.add_argument("--out", type=Path, help="the file to write (default: endgame-GAME.npz here)")
    parser.add_argument("--chips", type=int, nargs="*", default=CHIPS, help="chips in all, in big blinds")
    parser.add_argument("--limps", type=Path, metavar="FOLDER", help="hold'em: where the plan against limps is kept")
    parser.add_argument("--extras", type=Path, help="a JSON file for the figures of the docs")
    parser.add_argument("--ranks", type=int, default=13, help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.work.mkdir(parents=True, exist_ok=True)
    began = perf_counter()
    table = class_table(args.game, device=args.device, folder=args.table, ranks=args.ranks)
    print(f"{table!r} ready after {perf_counter() - began:.0f} s", flush=True)
    checked = None if args.limps is None else limps(table, args.limps, _show_flops)
    out, records = args.out or Path(data_path(args.game).name), []
    for rules in grid(args.game, tuple(args.chips)):
        records.append(_kept(table, rules, args.work, checked))
        write(out, sorted(records, key=lambda record: (record.rules.unit, record.rules.chips)))  # whole at every moment
        print(f"wrote {out} ({out.stat().st_size / 1e6:.2f} MB): {len(records)} endgames", flush=True)
    if args.extras is not None:
        write_json(args.extras, _extras(table))
        print(f"wrote {args.extras}; {perf_counter() - began:.0f} s in all", flush=True)


def _show_flops(step: Progress) -> None:
    print(f"  {step.what}: {step.done:.0f} of {step.total:.0f}", flush=True)


def _kept(table: Classes, rules: Endgame, work: Path, checked: Limps | None) -> EndgameRecord:
    """The endgame from its file; solved now if that is missing, damaged or of another endgame."""
    path = work / f"endgame-{rules.game}-{table.ranks}-{rules.chips:04}-{rules.levels[0].big}.npz"
    job = fingerprint({"table": table.checksum, "chips": rules.chips, "levels": rules.levels, "unit": str(rules.unit)})
    kept = None
    with suppress(DataError):
        (kept,) = read(path, job)
    bounded = rules.game == "holdem" and rules.big_blinds <= FREE_MOST
    checks = bounded and checked is not None and bool(checked.deep(rules).any())
    if kept is not None and (not checks or "limp_button" in kept.rows):
        return kept
    solved = _solved(table, rules)
    if kept is None:
        kept = record(table, solved)
        if rules.game != "holdem" and rules.big_blinds > LARGE:
            kept = shortened(kept)
        if bounded:
            _add_free(table, solved, kept, "free", None)
    if checks:
        _add_free(table, solved, kept, "limp", checked)
    write(path, [kept], job)
    return kept


def _add_free(table: Classes, solved: SolvedEndgame, kept: EndgameRecord, name: str, checked: Limps | None) -> None:
    """Add the floors against an opponent who may limp and raise."""
    rounds = ROUNDS if checked is None else LIMP_ROUNDS
    free = solve_free(table, solved.rules, *_last(solved), limps=checked, rounds=rounds)
    kept.rows.update({f"{name}_button": free.floor.button, f"{name}_big": free.floor.big})
    _width(free, "limps jammed over or folded to" if checked is None else "limps jammed over or checked")


def _last(solved: SolvedEndgame) -> tuple[StateCharts, Floats]:
    return solved.plan.charts[-1], solved.bounds.value[0]


def _width(free: Free, what: str) -> float:
    low, high = free.interval()
    width = float((high - low).max())
    print(f"  {what}: {100 * width:.3f} points", flush=True)
    return width


def _solved(table: Classes, rules: Endgame) -> SolvedEndgame:
    began = perf_counter()

    def show(step: Progress) -> None:
        print(f"  round {step.done}: {step.text}, {perf_counter() - began:.1f} s", flush=True)

    print(f"{rules.game}, {rules.big_blinds:g} big blinds in units of {float(rules.unit):g}:", flush=True)
    return solve_endgame(table, rules, watch=show)


def unquartered(table: Classes) -> Classes:
    """Omaha Hi-Lo in which three quarters of a pot are a fair coin between all and half of it, one quarter likewise.

    Every hand keeps its expected share of the pot; what is left are three outcomes, in half boards, and one hand for
    chips is the game that it was.
    """
    ways = table.xp.empty((table.classes, table.classes, 3), dtype=np.uint32)
    for low in range(0, table.classes, 512):
        scoop, most, half, least, lose = table.xp.moveaxis(table.xp.asarray(table.outcomes[low : low + 512]), 2, 0)
        ways[low : low + 512] = table.xp.stack([2 * scoop + most, most + 2 * half + least, least + 2 * lose], axis=2)
    changed = copy(table)
    changed.outcomes, changed.outcome_boards = ways, 2 * table.boards
    return changed


def _extras(table: Classes) -> dict[str, Any]:
    extras: dict[str, Any] = {"chips": EXTRA_CHIPS, "units": {}}
    for unit in ("0.5", "0.25", "0.125"):
        solved = _solved(table, endgame(table.game, str(EXTRA_CHIPS), unit=unit))
        extras["units"][unit] = _figures(solved)
    if table.game == "omaha8":
        rules = endgame("omaha8", str(EXTRA_CHIPS))
        extras["unquartered"] = _figures(_solved(unquartered(table), replace(rules, game="omaha")))
    if table.game == "holdem":
        extras["limp"], extras["raise"] = _kinds(table)
    extras["free"] = {str(chips): _free(table, chips) for chips in FREE_CHIPS}
    rules = endgame(table.game, str(EXTRA_CHIPS), blinds=RISING, unit="0.5")
    extras["rising"] = {"blinds": RISING} | _figures(_solved(table, rules))
    return extras


def _free(table: Classes, chips: int) -> dict[str, Any]:
    """The bounds of the unrestricted game, without learning."""
    rules = endgame(table.game, str(chips), unit="0.5")
    solved = _solved(table, rules)
    free = simple_free(table, rules, *_last(solved))
    _width(free, "free opponent")
    low, high = free.interval()
    return {"low": low.tolist(), "high": high.tolist(), "value": solved.bounds.value[0].tolist()}


def _kinds(table: Classes) -> tuple[float, float]:
    """The width of the bounds in Miltersen and Sorensen's endgame if the opponent only limps, or only raises."""
    rules = anchor()
    solved = _solved(table, rules)
    limp, *raises = legal_sizes(rules)
    limping = solve_free(table, rules, *_last(solved), steps=(1.0,), opponent=(limp,))
    raising = solve_free(table, rules, *_last(solved), steps=(2.0, 3.0), opponent=tuple(raises))
    return _width(limping, "an opponent who limps"), _width(raising, "an opponent who raises")


def _figures(solved: SolvedEndgame) -> dict[str, Any]:
    return {
        "value": solved.bounds.value[0].tolist(),
        "gap": solved.bounds.gap,
        "chip_button": solved.chip_floor.button[0].tolist(),
        "chip_big": solved.chip_floor.big[0].tolist(),
    }


if __name__ == "__main__":
    main()
